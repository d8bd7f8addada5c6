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
		if n > 1 && isTripleQuoted(lines[i]) && !documents(lines[:i], from) {
			n = 1 // a text that is data, or the end of one that begins before
		}
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

// trimmed is what stays of a text whose first line is numbered from, with its estimated tokens.
func trimmed(text string, from int) (pieces []agenvantage.Span, tokens int) {
	lines := strings.Split(text, "\n")
	pieces = withoutLongComments(lines, from)
	for _, piece := range pieces {
		tokens += estimate(strings.Join(lines[piece.StartLine-from:piece.EndLine-from+1], "\n"))
	}
	return pieces, tokens
}

// documents reports whether a string that follows the lines documents what they begin: a definition, or the file.
func documents(before []string, from int) bool {
	for i := len(before) - 1; i >= 0; i-- {
		if line := strings.TrimSpace(before[i]); line != "" && !strings.HasPrefix(line, "#") {
			return strings.HasSuffix(line, ":")
		}
	}
	return from == 1
}

func isTripleQuoted(line string) bool {
	line = strings.TrimLeft(strings.TrimSpace(line), "rRuUbBfF")
	return strings.HasPrefix(line, `"""`) || strings.HasPrefix(line, `'''`)
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
