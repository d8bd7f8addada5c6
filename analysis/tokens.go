package analysis

import (
	"strings"
	"unicode/utf8"
)

// MaxTokenBytes is the longest token. Longer words are data (encoded blobs, digests of whole files), not names.
const MaxTokenBytes = 128

// LongToken stands for a word that is longer than MaxTokenBytes. No word has this form, since it holds a NUL.
const LongToken = "\x00long"

// maxSplitBytes is the longest word whose parts are kept: long test names have telling parts, encoded blobs have not.
const maxSplitBytes = 512

// maxJoinedWords is the most words that hyphens join to one identifier.
const maxJoinedWords = 8

// Classes of ASCII bytes. Every byte of a word has a class other than 0.
const (
	classLower byte = 1 << iota
	classUpper
	classDigit
	classUnderscore
	classWide // a byte of a character outside ASCII
)

const classLetter = classLower | classUpper

var byteClass = func() (t [256]byte) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] = classLower
		t[c-'a'+'A'] = classUpper
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = classDigit
	}
	t['_'] = classUnderscore
	for c := 0x80; c < 0x100; c++ {
		t[c] = classWide
	}
	return t
}()

// AppendTokens appends the index tokens of text to dst: for each word its normalised whole, then its parts if there is
// more than one, one entry for each occurrence. Tokens are valid UTF-8, not empty, at most MaxTokenBytes long, in NFC
// and lower case. Bytes that are not valid UTF-8 separate words. Tokens may share memory with one copy of text.
func AppendTokens(dst []string, text string) []string {
	t := tokenizer{text: text, dst: dst}
	t.run()
	return t.dst
}

// tokenizer walks over one text. Every token that it appends is a part of the token at lead, unless it is the lead.
type tokenizer struct {
	text  string
	lower string // text with ASCII letters in lower case; made on the first upper-case letter
	dst   []string
	words func(from, to, start, end int) // called for each word: its tokens are dst[from:to], its bytes text[start:end]; may be nil
}

func (t *tokenizer) run() {
	text := t.text
	chain, joined := -1, 0 // start of the hyphenated chain, and its words so far
	for i := 0; i < len(text); {
		if byteClass[text[i]] == 0 {
			i++
			continue
		}
		end, seen, wide := t.wordEnd(i)
		if end == i { // a character outside ASCII that belongs to no word
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
			continue
		}
		if joined == 0 {
			chain = i
		}
		joined++
		hyphen := !wide && end+1 < len(text) && text[end] == '-' && byteClass[text[end-1]]&classLetter != 0 && byteClass[text[end+1]]&classLetter != 0
		from := len(t.dst)
		if wide {
			t.wideWord(text[i:end])
		} else {
			t.asciiWord(i, end, seen)
		}
		if t.words != nil {
			t.words(from, len(t.dst), i, end)
		}
		i = end
		if hyphen {
			i++
			continue
		}
		if joined > 1 && joined <= maxJoinedWords && !wide {
			t.joinedWords(chain, end)
		}
		joined = 0
	}
}

// wordEnd returns the end of the word that starts at i, the classes of its bytes, and whether it has characters
// outside ASCII. The end is i when there is no word.
func (t *tokenizer) wordEnd(i int) (end int, seen byte, wide bool) {
	text := t.text
	for end = i; end < len(text); {
		c := byteClass[text[end]]
		if c == 0 {
			return end, seen, wide
		}
		if c == classWide {
			r, n := utf8.DecodeRuneInString(text[end:])
			if !isWordRune(r, n) {
				return end, seen, wide
			}
			wide = true
			end += n
			continue
		}
		seen |= c
		end++
	}
	return end, seen, wide
}

// asciiWord appends the tokens of the ASCII word text[start:end], whose bytes have the classes seen.
func (t *tokenizer) asciiWord(start, end int, seen byte) {
	if seen&classUpper != 0 && t.lower == "" {
		t.lower = lowerASCII(t.text)
	}
	lower := t.text
	if seen&classUpper != 0 {
		lower = t.lower
	}
	if seen&classUnderscore != 0 {
		for start < end && t.text[start] == '_' {
			start++
		}
		for start < end && t.text[end-1] == '_' {
			end--
		}
	}
	if start == end {
		return
	}
	if end-start > MaxTokenBytes {
		t.dst = append(t.dst, LongToken)
		if end-start > maxSplitBytes {
			return
		}
	} else if whole := lower[start:end]; seen&classUnderscore != 0 {
		t.dst = append(t.dst, withoutUnderscores(whole))
	} else {
		t.dst = append(t.dst, whole)
	}
	if seen == classLower || seen == classDigit || seen == classUpper {
		return
	}
	t.asciiParts(lower, start, end)
}

// asciiParts appends the parts of the word text[start:end], when there is more than one.
func (t *tokenizer) asciiParts(lower string, start, end int) {
	var cuts [maxParts]int // parts as pairs of start and end
	n, random := splitASCII(t.text, start, end, &cuts)
	if n <= 2 || random {
		return
	}
	for i := 0; i < n; i += 2 {
		a, b := cuts[i], cuts[i+1]
		if b-a <= MaxTokenBytes {
			t.dst = append(t.dst, lower[a:b])
		}
		if i+3 >= n || b != cuts[i+2] {
			continue
		}
		if b2 := cuts[i+3]; joinsNext(t.text, a, b, b2) && !(a == start && b2 == end) && b2-a <= MaxTokenBytes {
			t.dst = append(t.dst, lower[a:b2])
		}
	}
}

// joinsNext reports whether the part text[a:b] and the part text[b:c] after it are also one part: letters and digits,
// or one lower-case letter and an acronym or word.
func joinsNext(text string, a, b, c int) bool {
	if byteClass[text[b]] == classDigit {
		return byteClass[text[a]]&classLetter != 0
	}
	return b-a == 1 && byteClass[text[a]] == classLower && byteClass[text[b]] == classUpper
}

// joinedWords appends the joined form of the hyphenated words text[start:end].
func (t *tokenizer) joinedWords(start, end int) {
	if end-start > MaxTokenBytes {
		return
	}
	from := len(t.dst)
	t.dst = append(t.dst, Normalise(t.text[start:end]))
	if t.words != nil {
		t.words(from, len(t.dst), start, end)
	}
}

// lowerASCII returns text with its ASCII letters in lower case; the other bytes stay, and so do all positions.
func lowerASCII(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	from := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; byteClass[c] == classUpper {
			b.WriteString(text[from:i])
			b.WriteByte(c + 'a' - 'A')
			from = i + 1
		}
	}
	b.WriteString(text[from:])
	return b.String()
}

func withoutUnderscores(s string) string {
	if strings.IndexByte(s, '_') < 0 {
		return s
	}
	var buf [maxSplitBytes]byte
	b := buf[:0]
	for i := 0; i < len(s); i++ {
		if s[i] != '_' {
			b = append(b, s[i])
		}
	}
	return string(b)
}
