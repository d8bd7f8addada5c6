package analysis

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Atom is a condition that every text with a certain literal in it meets: one of its tokens is Text (Exact) or
// contains Text.
type Atom struct {
	Text  string
	Exact bool
}

// LiteralAtoms returns conditions on the tokens of a text that holds literal, in no useful order and without repeats; a
// text that meets all of them need not hold the literal. A text with LongToken among its tokens may hold the literal
// although it fails them. No atoms (a literal without letters and digits) means that any text may hold it.
//
// Texts are compared by their characters: e and a combining accent is not taken for an e with something after it.
func LiteralAtoms(literal string) []Atom {
	var atoms []Atom
	seen := make(map[Atom]bool)
	add := func(text string, exact bool) {
		a := Atom{text, exact}
		if text != "" && !seen[a] {
			seen[a] = true
			atoms = append(atoms, a)
		}
	}
	t := tokenizer{text: literal}
	for i := 0; i < len(literal); {
		end, _, wide := t.wordEnd(i)
		if end == i {
			_, n := utf8.DecodeRuneInString(literal[i:])
			i += n
			continue
		}
		word := literal[i:end]
		if wide {
			for _, s := range segments(norm.NFC.String(word)) {
				segmentAtoms(s, add)
			}
		} else {
			// A word with other text on both sides is a word of the text too, so its whole is there as it is.
			add(Normalise(word), i > 0 && end < len(literal))
		}
		i = end
	}
	return atoms
}

func segmentAtoms(s segment, add func(text string, exact bool)) {
	if s.script != scriptPairs && s.script != scriptHangul {
		add(Normalise(s.text), false)
		return
	}
	folded := foldCase(s.text)
	if utf8.RuneCountInString(folded) == 1 {
		add(folded, false)
		return
	}
	var t tokenizer
	t.pairs(folded)
	for _, pair := range t.dst {
		add(pair, true)
	}
}
