package index

import (
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/index/lexical"
)

// documents makes the documents of one file, one for each chunk in order, without their ids, and counts their tokens.
//
//	path       the path's tokens
//	symbol     qualified names of the symbols named in the chunk; in a part of a long declaration, the declaration's
//	signature  their signatures
//	doc        their doc comments
//	body       the chunk's lines, comments included
//	name       of each symbol named in the chunk: its normalised name, and that with each run of its parents before it
//	kind       the chunk's kind and its symbols' kinds, each once
func documents(a *lexical.Analyzer, path, text string, x *agenvantage.Extraction) ([]*lexical.Document, lexical.Lengths) {
	var total lexical.Lengths
	docs := make([]*lexical.Document, 0, len(x.Chunks))
	starts := lineStarts(text)
	pathTokens := a.Text(path)
	var names, kinds []string
	var symbols, signatures, comments strings.Builder
	for i := range x.Chunks {
		c := &x.Chunks[i]
		names, kinds = names[:0], append(kinds[:0], string(c.Kind))
		symbols.Reset()
		signatures.Reset()
		comments.Reset()
		if c.Owner >= 0 && !slices.Contains(c.Symbols, c.Owner) {
			line(&symbols, x.Symbols[c.Owner].Qualified)
		}
		for _, n := range c.Symbols {
			s := &x.Symbols[n]
			line(&symbols, s.Qualified)
			line(&signatures, s.Signature)
			line(&comments, s.Doc)
			names = appendNames(names, s)
			if !slices.Contains(kinds, string(s.Kind)) {
				kinds = append(kinds, string(s.Kind))
			}
		}
		tokens := [len(lexical.Fields)]lexical.Tokens{
			pathTokens, a.Text(symbols.String()), a.Text(signatures.String()), a.Text(comments.String()), a.Text(linesOf(text, starts, c.Span)),
			lexical.Bag(names), lexical.Bag(kinds),
		}
		for f := range tokens {
			total[f] += uint32(tokens[f].Len())
		}
		docs = append(docs, lexical.NewDocument(tokens))
	}
	return docs, total
}

func line(b *strings.Builder, s string) {
	if s != "" {
		b.WriteString(s)
		b.WriteByte('\n')
	}
}

// maxNames bounds the names of one symbol: deeper parents are left out.
const maxNames = 4

// appendNames adds what a symbol can be asked for by: for "a.b.C.run", run, C.run, b.C.run and a.b.C.run, normalised.
func appendNames(names []string, s *agenvantage.Symbol) []string {
	add := func(name string) {
		if n := analysis.Normalise(name); n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	add(s.Name)
	for end, n := len(s.Qualified)-len(s.Name), 1; end > 0 && n < maxNames; n++ {
		if end = strings.LastIndexByte(s.Qualified[:end-1], '.') + 1; end == 0 {
			break
		}
		add(s.Qualified[end:])
	}
	if s.Qualified != s.Name {
		add(s.Qualified)
	}
	return names
}

// lineStarts gives the offset of each line of text and, at the end, the length of text.
func lineStarts(text string) []int {
	starts := make([]int, 1, 2+strings.Count(text, "\n"))
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break
		}
		i += n + 1
		starts = append(starts, i)
	}
	return append(starts, len(text))
}

// linesOf is the part of text that a span covers, as far as the text has it.
func linesOf(text string, starts []int, span agenvantage.Span) string {
	last := len(starts) - 1
	from, to := min(max(span.StartLine-1, 0), last), min(max(span.EndLine, 0), last)
	if from >= to {
		return ""
	}
	return text[starts[from]:starts[to]]
}
