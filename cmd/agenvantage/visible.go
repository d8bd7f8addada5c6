package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// visible shows text on one line of a terminal: control characters, terminal escapes, line ends, characters that change
// the direction of text or cannot be seen, and bytes that are not UTF-8 are written as escapes. A repository decides what
// its files hold; it must not decide what a terminal does. The joiners U+200C and U+200D stay: scripts need them.
func visible(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !hidden(r):
			b.WriteString(s[i : i+n])
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x100:
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

// visiblePath is visible in quotes when it had to escape something, so that it is never taken for a name that holds a
// backslash.
func visiblePath(path string) string {
	if isPlain(path) && !strings.HasPrefix(path, `"`) {
		return path
	}
	return `"` + strings.ReplaceAll(visible(strings.ReplaceAll(path, `\`, `\\`)), `"`, `\"`) + `"`
}

func isPlain(s string) bool {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || hidden(r) {
			return false
		}
		i += n
	}
	return true
}

func hidden(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0: // C0, DEL, C1
		return true
	case r == 0x200b, r == 0x200e, r == 0x200f, r == 0xfeff, r == 0xad: // zero width space, direction marks, byte order mark, soft hyphen
		return true
	case 0x2028 <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f: // line ends, direction changes, invisible operators
		return true
	case 0xe0000 <= r && r <= 0xe0fff: // tags
		return true
	}
	return false
}

// bytesText is a number of bytes for people.
func bytesText(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	default:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	}
}

// count is a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
