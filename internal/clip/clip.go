// Package clip cuts texts to a number of bytes.
package clip

import "unicode/utf8"

// Bytes is s, or as much of its beginning as n bytes hold without cutting a character.
func Bytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
