package analysis

import "strings"

const (
	minFormed = 4 // letters of the shortest word that has forms
	minBase   = 3 // letters of what they have in common
)

const vowels = "aeiou"

// Forms are the other forms of an English word of lower-case letters, by its ending alone: the plural, -ed and -ing, and what has
// these as its form. resolving gives resolve, resolves, resolved, and resolv with its forms too: many are no words. Other words have
// none. The order is fixed, none is listed twice, the word itself is not.
func Forms(word string) []string {
	if len(word) < minFormed || strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return nil
	}
	var forms []string
	seen := map[string]bool{word: true}
	for _, base := range bases(word) {
		for _, form := range inflected(base) {
			if !seen[form] {
				seen[form] = true
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// bases are the words that word may be a form of, itself the last.
func bases(word string) []string {
	var found []string
	without := func(ending int, more ...string) {
		for _, m := range more {
			if base := word[:len(word)-ending] + m; len(base) >= minBase {
				found = append(found, base)
			}
		}
	}
	verb := func(ending int) {
		if n := len(word) - ending; n > minBase && word[n-1] == word[n-2] && word[n-1] != 'l' && word[n-1] != 's' {
			without(ending+1, "") // stopping
			return
		}
		without(ending, "", "e")
	}
	ends := func(endings ...string) bool {
		for _, e := range endings {
			if strings.HasSuffix(word, e) {
				return true
			}
		}
		return false
	}
	switch {
	case ends("ies", "ied"):
		without(3, "y")
	case ends("ing") && len(word) > 5: // not bring
		verb(3)
	case ends("ed") && len(word) > 4:
		verb(2)
	case ends("sses", "xes", "ches", "shes"):
		without(2, "", "e") // matches, caches
	case ends("s") && !ends("ss", "us", "is"):
		without(1, "")
	}
	return append(found, word)
}

// inflected are a word and its forms.
func inflected(base string) []string {
	n := len(base)
	stem, last, before := base[:n-1], base[n-1], base[n-2]
	switch {
	case last == 'e':
		return []string{base, base + "s", base + "d", stem + "ing"}
	case last == 'y' && strings.IndexByte(vowels, before) < 0:
		return []string{base, stem + "ies", stem + "ied", base + "ing"}
	case last == 's', last == 'x', last == 'h' && (before == 'c' || before == 's'):
		return []string{base, base + "es", base + "ed", base + "ing"}
	}
	forms := []string{base, base + "s", base + "ed", base + "ing"}
	if strings.IndexByte(vowels+"wxy", last) < 0 && strings.IndexByte(vowels, before) >= 0 {
		forms = append(forms, base+string(last)+"ed", base+string(last)+"ing")
	}
	return forms
}
