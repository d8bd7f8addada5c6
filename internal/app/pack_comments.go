package app

import "strings"

// commentRun is the number of lines, from the first, that are one comment or one string of several lines; 0 for none.
func commentRun(lines []string) int {
	first := strings.TrimSpace(lines[0])
	for _, quotes := range []string{`"""`, `'''`} {
		body := strings.TrimLeft(first, "rRuUbBfF")
		if !strings.HasPrefix(body, quotes) {
			continue
		}
		if strings.Contains(body[len(quotes):], quotes) {
			return 1
		}
		return until(lines, quotes)
	}
	if strings.HasPrefix(first, "/*") {
		if strings.Contains(first, "*/") {
			return 1
		}
		return until(lines, "*/")
	}
	for _, mark := range []string{"//", "#", "--", ";;"} {
		n := 0
		for n < len(lines) && isLineComment(strings.TrimSpace(lines[n]), mark) {
			n++
		}
		if n > 0 {
			return n
		}
	}
	return 0
}

// isLineComment reports whether a line is a comment by a mark: a # or -- that a word follows at once is a directive, an
// attribute or a flag.
func isLineComment(line, mark string) bool {
	rest, ok := strings.CutPrefix(line, mark)
	if !ok || mark == "//" || mark == ";;" {
		return ok
	}
	return rest == "" || strings.IndexByte(" \t:#!-", rest[0]) >= 0
}

// until is the number of lines up to the one after the first that holds end; 0 when none does.
func until(lines []string, end string) int {
	for i := 1; i < len(lines); i++ {
		if strings.Contains(lines[i], end) {
			return i + 1
		}
	}
	return 0
}
