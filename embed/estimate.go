package embed

import (
	"unicode"
	"unicode/utf8"
)

// EstimateTokens is the number of tokens of a text that a request is planned with: never below what the tokenizers of code and
// of many languages give for text that people write, and about 1.5 times that for source code; random
// base64 may be 6% above it. Services count each in their own
// way, so this counts pessimistically instead of exactly:
//
//	letters a-z, or one capital and letters   one token for each 4, from the 13th letter on for each 2 (no word is that long)
//	capitals in a row                          one for each of the first 2, then for each 2
//	a digit, any other ASCII sign              one
//	white space                                none for a single space, one for a run of more or for a line feed
//	a rune of 2, 3, 4 bytes                    1, 2, 3: byte-level vocabularies hold few characters of 3 bytes
//
// A test holds it against two vocabularies. It allocates nothing.
func EstimateTokens(text string) int {
	n := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			_, size := utf8.DecodeRuneInString(text[i:])
			n += max(1, size-1)
			i += size
		case isLower(c) || isUpper(c) && i+1 < len(text) && isLower(text[i+1]):
			from := i
			for i++; i < len(text) && isLower(text[i]); i++ {
			}
			n += wordTokens(i - from)
		case isUpper(c):
			from := i
			for i++; i < len(text) && isUpper(text[i]) && (i+1 == len(text) || !isLower(text[i+1])); i++ {
			}
			n += min(i-from, 2) + max(0, i-from-1)/2
		case isSpace(c):
			from, lines := i, 0
			for ; i < len(text) && isSpace(text[i]); i++ {
				if text[i] == '\n' {
					lines++
				}
			}
			if i-from > 1 || lines > 0 {
				n++
			}
		default:
			n++
			i++
		}
	}
	return n
}

func wordTokens(letters int) int {
	const usual = 12
	if letters <= usual {
		return (letters + 3) / 4
	}
	return usual/4 + (letters-usual+1)/2
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isSpace(c byte) bool { return c < utf8.RuneSelf && unicode.IsSpace(rune(c)) }
