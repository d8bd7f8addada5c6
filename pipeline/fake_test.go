package pipeline

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/plan"
)

// fakeFile is one indexed file, its facts written by hand.
type fakeFile struct {
	path, lang, text string
	class            agenvantage.Class
	facts            agenvantage.Extraction
}

// fakeCorpus is a view in memory; its files are in the order of their paths.
type fakeCorpus []fakeFile

func (c fakeCorpus) FileCount() int                                  { return len(c) }
func (c fakeCorpus) Path(f uint32) string                            { return c[f].path }
func (c fakeCorpus) Lang(f uint32) string                            { return c[f].lang }
func (c fakeCorpus) Class(f uint32) agenvantage.Class                { return c[f].class }
func (c fakeCorpus) Facts(f uint32) (*agenvantage.Extraction, error) { return &c[f].facts, nil }
func (c fakeCorpus) Text(f uint32) (string, error)                   { return c[f].text, nil }
func (c fakeCorpus) symbol(f uint32, s int) *agenvantage.Symbol      { return &c[f].facts.Symbols[s] }
func (c fakeCorpus) chunkHit(f uint32, chunk int) agenvantage.Hit    { return c.scored(f, chunk, -1, 1) }
func (c fakeCorpus) symbolHit(f uint32, chunk, s int) agenvantage.Hit {
	return c.scored(f, chunk, s, 1)
}

// scored is a hit on a chunk, or on a symbol in it.
func (c fakeCorpus) scored(f uint32, chunk, symbol int, score float64) agenvantage.Hit {
	h := agenvantage.Hit{File: f, Chunk: chunk, Symbol: symbol, Span: c[f].facts.Chunks[chunk].Span, Score: score, Reason: "fake"}
	if symbol >= 0 {
		h.Span = c.symbol(f, symbol).Span
	}
	return h
}

// print writes hits as path:lines name, names being those of the symbols that the hits are.
func (c fakeCorpus) print(hits []agenvantage.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, c.printSpan(h.File, h.Span, h.Symbol))
	}
	return strings.Join(out, ", ")
}

func (c fakeCorpus) printSpan(file uint32, span agenvantage.Span, symbol int) string {
	s := fmt.Sprintf("%s:%d-%d", c[file].path, span.StartLine, span.EndLine)
	if symbol >= 0 {
		s += " " + c.symbol(file, symbol).Qualified
	}
	return s
}

func symbol(kind agenvantage.SymbolKind, qualified string, start, end, parent int) agenvantage.Symbol {
	name := qualified[strings.LastIndexByte(qualified, '.')+1:]
	return agenvantage.Symbol{Name: name, Qualified: qualified, Kind: kind, Signature: string(kind) + " " + name, Span: agenvantage.Span{StartLine: start, EndLine: end}, NameLine: start, Parent: parent}
}

func chunk(kind agenvantage.SymbolKind, start, end, owner int, symbols ...int) agenvantage.Chunk {
	return agenvantage.Chunk{Span: agenvantage.Span{StartLine: start, EndLine: end}, Kind: kind, Symbols: symbols, Owner: owner}
}

// numbered is a text of n lines, "line 1" to "line n".
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// boxes is the corpus of most tests: a class in three chunks, two functions of one name in one chunk, and another file.
func boxes() fakeCorpus {
	box := agenvantage.Extraction{
		Symbols: []agenvantage.Symbol{
			symbol(agenvantage.KindClass, "Box", 3, 20, -1), symbol(agenvantage.KindMethod, "Box.open", 5, 8, 0), symbol(agenvantage.KindMethod, "Box.close", 10, 20, 0),
			symbol(agenvantage.KindFunction, "open", 21, 23, -1), symbol(agenvantage.KindFunction, "open", 24, 26, -1),
		},
		Chunks: []agenvantage.Chunk{
			chunk(agenvantage.ChunkHeader, 1, 2, -1), chunk(agenvantage.KindClass, 3, 9, 0, 0, 1), chunk(agenvantage.ChunkBlock, 10, 14, 2, 2),
			chunk(agenvantage.ChunkBlock, 15, 20, 2), chunk(agenvantage.ChunkGroup, 21, 26, -1, 3, 4),
		},
	}
	box.Symbols[4].Signature = "function open(reader)"
	lid := agenvantage.Extraction{
		Symbols: []agenvantage.Symbol{symbol(agenvantage.KindClass, "Lid", 1, 9, -1), symbol(agenvantage.KindMethod, "Lid.Lid", 3, 5, 0)},
		Chunks:  []agenvantage.Chunk{chunk(agenvantage.KindClass, 1, 9, 0, 0, 1), chunk(agenvantage.ChunkText, 10, 12, -1)},
	}
	lid.Chunks[1].Lang = "sql"
	return fakeCorpus{{path: "box.py", lang: "python", text: numbered(26), facts: box}, {path: "lid.java", lang: "java", text: numbered(12), facts: lid}}
}

// fakeChannel returns the same hits to each question, after a while, or fails.
type fakeChannel struct {
	name  string
	hits  []agenvantage.Hit
	wait  func() time.Duration
	err   error
	panic string
}

func (c fakeChannel) Name() string { return c.name }

func (c fakeChannel) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	if c.wait != nil {
		select {
		case <-time.After(c.wait()):
		case <-ctx.Done():
			return channels.List{}, ctx.Err()
		}
	}
	if c.panic != "" {
		panic(c.panic)
	}
	var in []agenvantage.Hit
	for _, h := range c.hits {
		if r.Scope.Has(h.File) {
			in = append(in, h)
		}
	}
	return channels.List{Hits: in, Covered: 1}, c.err
}

func parsed(t *testing.T, text string) agenvantage.Query {
	t.Helper()
	q, err := plan.Parse(text, plan.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return q
}
