// Package pack turns found evidence into the text that an agent reads. It is pure: it takes values and returns text, opens
// nothing and knows no index. Read block.go first: one block is the unit that token budgets count.
package pack

import (
	"strconv"
	"strings"

	"agenvantage"
)

// Block is one result as an agent reads it: a header line with path, lines, kind and symbol, then every line of the text
// behind its number and a tab, then an empty line. The budget of an answer counts all of it.
func Block(r agenvantage.Result) string {
	var b strings.Builder
	b.Grow(len(r.Text) + len(r.Text)/4 + len(r.Path) + len(r.Symbol) + 64)
	b.WriteString(r.Path)
	b.WriteByte(':')
	b.WriteString(strconv.Itoa(r.StartLine))
	b.WriteByte('-')
	b.WriteString(strconv.Itoa(r.EndLine))
	b.WriteByte(' ')
	b.WriteString(string(r.Kind))
	if r.Symbol != "" {
		b.WriteByte(' ')
		b.WriteString(r.Symbol)
	}
	b.WriteByte('\n')
	line := r.StartLine
	for text := range strings.SplitSeq(r.Text, "\n") {
		b.WriteString(strconv.Itoa(line))
		b.WriteByte('\t')
		b.WriteString(text)
		b.WriteByte('\n')
		line++
	}
	b.WriteByte('\n')
	return b.String()
}
