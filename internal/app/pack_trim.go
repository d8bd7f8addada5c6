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

// codeShare is the share of code among the bytes of lines, without spaces; 1 where there are none.
func codeShare(lines []string) float64 {
	code, all := 0, 0
	for i := 0; i < len(lines); {
		n := commentRun(lines[i:])
		if n > 1 && isTripleQuoted(lines[i]) && !documents(lines[:i], 1) {
			n = 0
		}
		for j := range max(1, n) {
			size := len(strings.TrimSpace(lines[i+j]))
			if all += size; n == 0 {
				code += size
			}
		}
		i += max(1, n)
	}
	if all == 0 {
		return 1
	}
	return float64(code) / float64(all)
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
