package pack

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Visible is a rendered pack for a terminal: line feeds and tabs stay, and everything else that a terminal would obey or that
// cannot be seen (control characters, terminal escapes, carriage returns, characters that change the direction of text, and
// bytes that are not UTF-8) is written as an escape. The joiners U+200C and U+200D stay: scripts need them. What is shown so
// is for people: where escapes were needed it is no longer the exact text.
func Visible(markdown string) string {
	return escape(markdown, func(r rune) bool { return hidden(r) && r != '\n' && r != '\t' })
}

// escape writes the characters that bad names, and bytes that are not UTF-8, as escapes.
func escape(s string, bad func(rune) bool) string {
	if !needsEscape(s, bad) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !bad(r):
			b.WriteString(s[i : i+n])
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x80: // beyond, \x is a byte that is not UTF-8
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

func needsEscape(s string, bad func(rune) bool) bool {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || bad(r) {
			return true
		}
		i += n
	}
	return false
}

// hidden tells characters that cannot be seen, end a line or change the direction of text.
func hidden(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0: // C0, DEL, C1
		return true
	case r < 0xad:
		return false
	case r == 0xad, r == 0x61c, r == 0x180e, r == 0x200b, r == 0x200e, r == 0x200f, r == 0xfeff: // soft hyphen, marks, byte order mark
		return true
	case 0x2028 <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f: // line ends, direction changes, invisible operators
		return true
	case 0xe0000 <= r && r <= 0xe0fff: // tags and variation selectors
		return true
	}
	return false
}
