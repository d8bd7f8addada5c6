// Package visible writes text of others so that people see all of it and a terminal obeys none of it. A repository decides what its
// files hold; it must not decide what a terminal does.
package visible

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Escape writes the characters that bad names, and bytes that are not UTF-8, as escapes: `\n`, `\x1b`, `\u202e`; a quotation mark or a
// backslash that bad names has a backslash before it.
func Escape(s string, bad func(rune) bool) string {
	if !Needs(s, bad) {
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

// Needs reports whether Escape changes s.
func Needs(s string, bad func(rune) bool) bool {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || bad(r) {
			return true
		}
		i += n
	}
	return false
}

// Hidden tells characters that a terminal obeys or that cannot be seen: controls, line ends, what changes the direction of text. The
// joiners U+200C and U+200D are none: scripts need them.
func Hidden(r rune) bool {
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
