package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxParts is twice the most parts of one word; what follows them is in the whole only.
const maxParts = 64

// maxDigitChanges is the most changes between letters and digits in a name. Words with more are digests and keys, whose
// parts are noise: a SHA-256 in hexadecimal has about 30.
const maxDigitChanges = 8

// splitASCII stores the starts and ends of the parts of the word text[start:end] and returns how many numbers it
// stored. Parts are cut at underscores, between lower and upper case, before the last capital of an acronym that goes
// on in lower case (HTTPServer: HTTP, Server; a plural s stays with its acronym: getURLs), and between letters and
// digits. random tells that the word looks like a digest.
func splitASCII(text string, start, end int, cuts *[maxParts]int) (n int, random bool) {
	changes, under := 0, false
	for i := start; i < end; {
		if text[i] == '_' {
			under = true
			i++
			continue
		}
		if n == maxParts {
			break
		}
		j := partEnd(text, i, end)
		cuts[n], cuts[n+1] = i, j
		n += 2
		if j < end && text[j] != '_' && (byteClass[text[j-1]] == classDigit) != (byteClass[text[j]] == classDigit) {
			changes++
		}
		i = j
	}
	return n, changes > maxDigitChanges && !under
}

// partEnd returns the end of the part that starts at i.
func partEnd(text string, i, end int) int {
	j := i + 1
	switch byteClass[text[i]] {
	case classDigit:
		for j < end && byteClass[text[j]] == classDigit {
			j++
		}
	case classLower:
		for j < end && byteClass[text[j]] == classLower {
			j++
		}
	default:
		for j < end && byteClass[text[j]] == classUpper {
			j++
		}
		if j == end || byteClass[text[j]] != classLower {
			return j
		}
		if j-i > 1 {
			if text[j] == 's' && (j+1 == end || byteClass[text[j+1]] != classLower) {
				return j + 1
			}
			return j - 1
		}
		for j < end && byteClass[text[j]] == classLower {
			j++
		}
	}
	return j
}

// SplitIdentifier returns the parts of an identifier in lower case and in order: camel case, Pascal case, acronyms,
// digits, snake case and kebab case. Bytes that belong to no word separate parts.
//
//	parseXMLFile -> parse xml file    utf8Decode -> utf 8 decode    load-user_profile -> load user profile
func SplitIdentifier(s string) []string {
	var parts []string
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '_' || !isWordRune(r, n) {
			i += n
			continue
		}
		j := runePartEnd(s, i)
		parts = append(parts, foldCase(s[i:j]))
		i = j
	}
	return parts
}

// runePartEnd is partEnd for any script: the end of the part of s that starts at i. Letters without case count as
// lower case and marks go with the character before them.
func runePartEnd(s string, i int) int {
	class, n := runeClass(s[i:])
	j := i + n
	last := i // start of the last capital
	count := 1
	for j < len(s) {
		c, n := runeClass(s[j:])
		switch {
		case c == 0:
			return j
		case c == classWide: // a mark
			j += n
			continue
		case c == class && class != classUpper:
			j += n
			continue
		case c == classUpper && class == classUpper:
			last = j
			count++
			j += n
			continue
		case class == classUpper && c == classLower:
			if count == 1 {
				class = classLower
				j += n
				continue
			}
			if s[j] == 's' {
				if next, _ := runeClass(s[j+1:]); next != classLower {
					return j + 1
				}
			}
			return last
		}
		return j
	}
	return j
}

// runeClass returns the class of the first character of s (classWide for a mark, 0 for an underscore and for what
// belongs to no word) and its length in bytes.
func runeClass(s string) (byte, int) {
	if s == "" {
		return 0, 0
	}
	if s[0] < utf8.RuneSelf {
		if c := byteClass[s[0]]; c != classUnderscore {
			return c, 1
		}
		return 0, 1
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case !isWordRune(r, n):
		return 0, n
	case unicode.IsMark(r):
		return classWide, n
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return classUpper, n
	case unicode.IsLetter(r):
		return classLower, n
	}
	return classDigit, n
}

// Normalise returns the form under which an identifier is looked up: NFC, lower case, and the separators underscore,
// hyphen and dot removed. load_user, LoadUser, load-user and loadUser are all "loaduser".
func Normalise(identifier string) string {
	s := foldCase(identifier)
	if strings.IndexByte(s, '_') < 0 && strings.IndexByte(s, '-') < 0 && strings.IndexByte(s, '.') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && c != '-' && c != '.' {
			b = append(b, c)
		}
	}
	return string(b)
}
