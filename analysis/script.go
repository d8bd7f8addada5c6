package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// script groups the writing systems by how their words are cut.
type script byte

const (
	scriptNone     script = iota // digits, underscores, marks: they go with what stands before them
	scriptSpaced                 // Latin, Arabic, Devanagari and all others that put spaces between words
	scriptCyrillic               // spaced
	scriptGreek                  // spaced
	scriptHangul                 // spaced, but compounds and particles are joined: the whole and pairs
	scriptPairs                  // Han, kana, Thai, Lao, Khmer, Myanmar: no spaces, pairs only
)

// isWordRune reports whether r, decoded from n bytes, belongs to a word.
func isWordRune(r rune, n int) bool {
	if r < utf8.RuneSelf {
		return n == 1 && byteClass[r] != 0
	}
	if r == utf8.RuneError && n <= 1 {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

func scriptOf(r rune) script {
	if r < utf8.RuneSelf {
		if byteClass[r]&classLetter != 0 {
			return scriptSpaced
		}
		return scriptNone
	}
	switch {
	case r < 0x370:
		if unicode.IsLetter(r) {
			return scriptSpaced
		}
		return scriptNone
	case r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return scriptPairs
	case unicode.Is(unicode.Hangul, r):
		return scriptHangul
	case !unicode.IsLetter(r):
		return scriptNone
	case unicode.Is(unicode.Cyrillic, r):
		return scriptCyrillic
	case unicode.Is(unicode.Greek, r):
		return scriptGreek
	}
	return scriptSpaced
}

// foldCase returns s in NFC and lower case. Lower-casing can undo NFC for a few characters, so that comes last again.
func foldCase(s string) string {
	ascii, upper := true, false
	for i := 0; i < len(s); i++ {
		ascii = ascii && s[i] < utf8.RuneSelf
		upper = upper || byteClass[s[i]] == classUpper
	}
	if ascii {
		if upper {
			return lowerASCII(s)
		}
		return s
	}
	return norm.NFC.String(strings.ToLower(norm.NFC.String(strings.ToValidUTF8(s, "\ufffd"))))
}

// segment is a run of one script inside a word.
type segment struct {
	text   string
	script script
}

// segments cuts a word where its script changes. Digits, underscores and marks stay with what stands before them, but
// digits and underscores never with a script of pairs: there, and at the start, they begin a segment of their own.
func segments(word string) []segment {
	var out []segment
	start, current := 0, scriptNone
	cut := func(i int) {
		if i > start {
			out = append(out, segment{word[start:i], current})
		}
		start = i
	}
	for i, r := range word {
		s := scriptOf(r)
		if s == scriptNone {
			if i > 0 && (unicode.IsMark(r) || current != scriptPairs && current != scriptHangul) {
				continue
			}
			s = scriptSpaced
		}
		if s != current && current != scriptNone {
			cut(i)
		}
		current = s
	}
	cut(len(word))
	return out
}

// wideWord appends the tokens of a word that has characters outside ASCII.
func (t *tokenizer) wideWord(word string) {
	if len(word) > maxSplitBytes {
		t.longWideWord(word)
		return
	}
	word = norm.NFC.String(word)
	segs := segments(word)
	pairs := false
	for _, s := range segs {
		pairs = pairs || s.script == scriptPairs
	}
	if !pairs && len(segs) > 1 {
		t.whole(word)
	}
	for _, s := range segs {
		switch s.script {
		case scriptPairs:
			t.pairs(foldCase(s.text))
		case scriptHangul:
			t.whole(s.text)
			if utf8.RuneCountInString(s.text) > 2 {
				t.pairs(foldCase(s.text))
			}
		default:
			t.spaced(s.text)
		}
	}
}

// longWideWord appends, piece by piece, the tokens of a word of more than maxSplitBytes bytes: a page of text in a
// script without spaces is one such word.
func (t *tokenizer) longWideWord(word string) {
	for _, s := range segments(norm.NFC.String(word)) {
		switch {
		case s.script == scriptPairs || s.script == scriptHangul:
			t.pairs(foldCase(s.text))
		case len(s.text) <= maxSplitBytes:
			t.spaced(s.text)
		default:
			t.dst = append(t.dst, LongToken)
		}
	}
}

// whole appends the normalised whole of a word.
func (t *tokenizer) whole(word string) {
	if w := Normalise(word); len(w) > MaxTokenBytes {
		t.dst = append(t.dst, LongToken)
	} else if w != "" {
		t.dst = append(t.dst, w)
	}
}

// spaced appends the whole and the parts of a word in a script with spaces.
func (t *tokenizer) spaced(word string) {
	t.whole(word)
	if parts := SplitIdentifier(word); len(parts) > 1 {
		for _, p := range parts {
			if len(p) <= MaxTokenBytes {
				t.dst = append(t.dst, p)
			}
		}
	}
}

// pairs appends the overlapping pairs of the characters of s, or s itself when it is one character.
func (t *tokenizer) pairs(s string) {
	first, second := 0, -1
	for i := range s {
		switch {
		case i == 0:
		case second < 0:
			second = i
		default:
			t.dst = append(t.dst, s[first:i])
			first, second = second, i
		}
	}
	if len(s) > 0 && len(s) <= MaxTokenBytes {
		t.dst = append(t.dst, s[first:])
	}
}
