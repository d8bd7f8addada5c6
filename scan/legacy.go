package scan

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// How a text that is no UTF-8 is decoded. Double-byte encodings are told apart by the rows of their tables that real text
// keeps to: kana in Japanese, the syllable rows in Korean, the everyday ideographs in Chinese. Long runs of high bytes that
// fit none of them are Cyrillic; short ones are a Western 8-bit encoding. A guess that fails to decode every byte, or
// changes the number of lines, is dropped; what is left keeps its good UTF-8 and gets U+FFFD for the rest.

// leastPairs is the number of double-byte characters below which a double-byte encoding is not guessed: two Western letters
// in a row are one pair.
const leastPairs = 4

// highBytes is what one pass over a text finds out about its bytes above 0x7F.
type highBytes struct {
	total, runs     int
	letters         int // 0xC0 to 0xFF
	upperHalf       int // 0xE0 to 0xFF
	lowerHalf       int // 0xC0 to 0xDF
	undefined1252   int
	goodSequences   int // whole UTF-8 sequences
	brokenSequences int
}

func countHighBytes(content []byte) highBytes {
	var h highBytes
	previousHigh := false
	for _, b := range content {
		if b < 0x80 {
			previousHigh = false
			continue
		}
		h.total++
		if !previousHigh {
			h.runs++
		}
		previousHigh = true
		switch {
		case b >= 0xe0:
			h.letters++
			h.upperHalf++
		case b >= 0xc0:
			h.letters++
			h.lowerHalf++
		}
		switch b {
		case 0x81, 0x8d, 0x8f, 0x90, 0x9d:
			h.undefined1252++
		}
	}
	for i := 0; i < len(content); {
		if content[i] < 0x80 {
			i++
			continue
		}
		_, size := utf8.DecodeRune(content[i:])
		if size > 1 {
			h.goodSequences++
		} else {
			h.brokenSequences++
		}
		i += size
	}
	return h
}

// decodeLegacy decodes bytes that are not valid UTF-8.
func decodeLegacy(content []byte) (text, name string) {
	h := countHighBytes(content)
	lossy := func() (string, string) { return strings.ToValidUTF8(string(content), "\ufffd"), encodingLossy }
	if h.goodSequences > 2*h.brokenSequences || h.total == 0 {
		return lossy() // UTF-8 with damage
	}
	try := func(e encoding.Encoding, name string) (string, string, bool) {
		decoded, err := e.NewDecoder().Bytes(content)
		if err != nil || bytes.Contains(decoded, []byte("\ufffd")) || bytes.IndexByte(decoded, 0) >= 0 ||
			bytes.Count(decoded, []byte{'\n'}) != bytes.Count(content, []byte{'\n'}) {
			return "", "", false
		}
		return string(decoded), name, true
	}
	for _, guess := range doubleByteGuesses(content) {
		if text, name, ok := try(guess.encoding, guess.name); ok {
			return text, name
		}
	}
	if h.total >= 2*h.runs+h.runs/2 && h.total >= 12 && h.letters*10 >= h.total*9 {
		switch {
		case h.upperHalf*10 >= h.letters*6:
			if text, name, ok := try(charmap.Windows1251, "windows-1251"); ok {
				return text, name
			}
		case h.lowerHalf*10 >= h.letters*7:
			if text, name, ok := try(charmap.KOI8R, "koi8-r"); ok {
				return text, name
			}
		}
	}
	if h.undefined1252 == 0 && h.total <= 2*h.runs && !endsInCutSequence(content, h) {
		if text, name, ok := try(charmap.Windows1252, "windows-1252"); ok {
			return text, name
		}
	}
	return lossy()
}

// endsInCutSequence reports whether every high byte belongs to UTF-8 sequences that were cut short: the sign of a text
// that was cut at a byte count, not of a Western letter.
func endsInCutSequence(content []byte, h highBytes) bool {
	if h.runs != 1 || h.total < 2 {
		return false
	}
	i := 0
	for i < len(content) && content[i] < 0x80 {
		i++
	}
	if content[i] < 0xe0 {
		return false
	}
	for _, b := range content[i+1 : i+h.total] {
		if b >= 0xc0 {
			return false
		}
	}
	return true
}

type encodingGuess struct {
	encoding encoding.Encoding
	name     string
}

// doubleByteGuesses returns the double-byte encodings whose typical rows hold most of the text.
func doubleByteGuesses(content []byte) []encodingGuess {
	var guesses []encodingGuess
	if e := countPairs(content, isEUCLead, isEUCTrail); e.pairs >= leastPairs && e.broken == 0 {
		switch {
		case 4*(e.rows(0xa4, 0xa5)) >= e.pairs:
			guesses = append(guesses, encodingGuess{japanese.EUCJP, "euc-jp"})
		case 100*(e.rows(0xb0, 0xc8)+e.rows(0xa1, 0xa3)) >= 92*e.pairs && e.pairs >= 2*leastPairs:
			guesses = append(guesses, encodingGuess{korean.EUCKR, "euc-kr"})
		case 10*(e.rows(0xb0, 0xd7)+e.rows(0xa1, 0xa3)) >= 9*e.pairs:
			guesses = append(guesses, encodingGuess{simplifiedchinese.GB18030, "gb18030"})
		}
	}
	if s := countPairs(content, isShiftJISLead, isShiftJISTrail); s.pairs >= leastPairs && s.broken == 0 && 4*s.rows(0x82, 0x83) >= s.pairs {
		guesses = append(guesses, encodingGuess{japanese.ShiftJIS, "shift_jis"})
	}
	if b := countPairs(content, isBig5Lead, isBig5Trail); b.pairs >= leastPairs && b.broken == 0 && b.lowTrails > 0 && 10*(b.rows(0xa4, 0xc6)+b.rows(0xa1, 0xa3)) >= 9*b.pairs {
		guesses = append(guesses, encodingGuess{traditionalchinese.Big5, "big5"})
	}
	if g := countPairs(content, isGBKLead, isBig5OrGBKTrail); g.pairs >= leastPairs && g.broken == 0 && g.pairs >= 2*leastPairs && 10*(g.rows(0xb0, 0xd7)+g.rows(0xa1, 0xa3)) >= 9*g.pairs {
		guesses = append(guesses, encodingGuess{simplifiedchinese.GB18030, "gb18030"})
	}
	return guesses
}

// pairCounts are the double-byte characters of a text under one encoding's rule of lead and trail bytes.
type pairCounts struct {
	pairs, broken, lowTrails int
	byLead                   [256]int
}

// rows adds up the characters whose lead byte is in a range.
func (p *pairCounts) rows(low, high int) int {
	n := 0
	for lead := low; lead <= high; lead++ {
		n += p.byLead[lead]
	}
	return n
}

func countPairs(content []byte, isLead, isTrail func(byte) bool) *pairCounts {
	p := &pairCounts{}
	for i := 0; i < len(content); i++ {
		b := content[i]
		if b < 0x80 {
			continue
		}
		if !isLead(b) || i+1 >= len(content) || !isTrail(content[i+1]) {
			p.broken++
			continue
		}
		p.pairs++
		p.byLead[b]++
		if i++; content[i] < 0x80 {
			p.lowTrails++
		}
	}
	return p
}

func isEUCLead(b byte) bool        { return b >= 0xa1 && b <= 0xfe }
func isEUCTrail(b byte) bool       { return b >= 0xa1 && b <= 0xfe }
func isShiftJISLead(b byte) bool   { return b >= 0x81 && b <= 0x9f || b >= 0xe0 && b <= 0xfc }
func isShiftJISTrail(b byte) bool  { return b >= 0x40 && b <= 0xfc && b != 0x7f }
func isBig5Lead(b byte) bool       { return b >= 0xa1 && b <= 0xf9 }
func isBig5Trail(b byte) bool      { return b >= 0x40 && b <= 0x7e || b >= 0xa1 && b <= 0xfe }
func isGBKLead(b byte) bool        { return b >= 0x81 && b <= 0xfe }
func isBig5OrGBKTrail(b byte) bool { return b >= 0x40 && b <= 0xfe && b != 0x7f }
