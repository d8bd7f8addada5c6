package repomap

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Longest texts, in characters. A signature beyond that is a list of parameters that nobody reads in a map.
const (
	maxAbout     = 240
	maxPurpose   = 140
	maxSignature = 140
	maxQuote     = 110
	maxPath      = 160
)

// OneLine makes text of a repository fit for a line: white space is folded, what cannot be seen or changes the direction
// of text is written as an escape, and what is longer than max characters is cut.
func OneLine(s string, max int) string {
	var b strings.Builder
	n := 0
	blank := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		part := s[i : i+size]
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			part = fmt.Sprintf(`\x%02x`, part[0])
		case unicode.IsSpace(r):
			blank = b.Len() > 0
			continue
		case !unicode.IsGraphic(r) && r != 0x200c && r != 0x200d:
			part = escaped(r)
		}
		if blank {
			b.WriteByte(' ')
			n++
			blank = false
		}
		if n++; n >= max && i < len(s) && strings.TrimSpace(s[i:]) != "" {
			return strings.TrimRight(b.String(), " ") + "…"
		}
		b.WriteString(part)
	}
	return b.String()
}

func escaped(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// shownPath is a path on a line: in quotes when it holds what had to be escaped.
func shownPath(p string) string {
	if p == "." {
		return "./"
	}
	if s := OneLine(p, maxPath); s == p {
		return s
	}
	return `"` + OneLine(strings.ReplaceAll(p, `"`, `\"`), maxPath) + `"`
}

// place is a path with its line.
func (f *Fact) place() string {
	if f.Line > 0 {
		return shownPath(f.Path) + ":" + strconv.Itoa(f.Line)
	}
	return shownPath(f.Path)
}

// quoted is text of the repository, marked as such.
func quoted(s string, max int) string {
	return `"` + strings.ReplaceAll(OneLine(s, max), `"`, `'`) + `"`
}
