package app

import (
	"strings"

	"agenvantage"
)

// Long comments and doc strings are shown by their first lines: an agent that changes code reads the code.
const (
	longComment = 8 // lines from which a comment is long
	keptComment = 3 // lines of it that stay
)

// withoutLongComments divides lines of source, the first of them numbered from, into the ranges that stay when the ends of
// long comments and doc strings are left out.
func withoutLongComments(lines []string, from int) []agenvantage.Span {
	var spans []agenvantage.Span
	start := 0
	for i := 0; i < len(lines); {
		n := commentRun(lines[i:])
		if n < longComment {
			i += max(1, n)
			continue
		}
		spans = append(spans, agenvantage.Span{StartLine: from + start, EndLine: from + i + keptComment - 1})
		i += n
		start = i
	}
	if start < len(lines) {
		spans = append(spans, agenvantage.Span{StartLine: from + start, EndLine: from + len(lines) - 1})
	}
	return spans
}

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
		if !strings.HasPrefix(first, mark) || strings.HasPrefix(first, "#include") || strings.HasPrefix(first, "#define") || strings.HasPrefix(first, "#if") {
			continue
		}
		n := 0
		for n < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n]), mark) {
			n++
		}
		return n
	}
	return 0
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
