package channels

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/analysis"
)

// corpus is an index in memory, made of texts by a toy extractor: a line that defines something starts a chunk, and
// chunks end before the next such line or at the end of the file.
type corpus struct {
	paths  []string
	texts  []string
	facts  []*agenvantage.Extraction
	places []place                         // by document
	dead   map[uint32]bool                 // documents that are deleted
	fields map[string]map[string][]posting // field, term
	totals map[string]uint64
	lives  int
}

type posting struct {
	doc    uint32
	freq   int
	length int
}

var definition = regexp.MustCompile(`^(\s*)(?:export |static )?(func|def|class|type|#define|function|struct)\s+(?:\(\w+ \*?(\w+)\) )?([\p{L}\p{M}\p{N}_]+)`)

var kindOf = map[string]agenvantage.SymbolKind{"func": agenvantage.KindFunction, "def": agenvantage.KindFunction, "function": agenvantage.KindFunction,
	"class": agenvantage.KindClass, "type": agenvantage.KindType, "struct": agenvantage.KindStruct, "#define": agenvantage.KindMacro}

func extract(text string) *agenvantage.Extraction {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	x := &agenvantage.Extraction{}
	chunk := agenvantage.Chunk{Span: agenvantage.Span{StartLine: 1}, Kind: agenvantage.ChunkHeader, Owner: -1}
	flush := func(end int) {
		if end >= chunk.Span.StartLine {
			chunk.Span.EndLine = end
			for _, s := range chunk.Symbols {
				x.Symbols[s].Span.EndLine = end
			}
			x.Chunks = append(x.Chunks, chunk)
		}
	}
	parent := -1
	for i, l := range lines {
		m := definition.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		flush(i)
		s := agenvantage.Symbol{Name: m[4], Qualified: m[4], Kind: kindOf[m[2]], Signature: strings.TrimSpace(l), Span: agenvantage.Span{StartLine: i + 1}, NameLine: i + 1, Parent: -1}
		switch {
		case m[3] != "":
			s.Qualified, s.Kind = m[3]+"."+s.Name, agenvantage.KindMethod
		case m[1] != "" && parent >= 0:
			s.Qualified, s.Kind, s.Parent = x.Symbols[parent].Name+"."+s.Name, agenvantage.KindMethod, parent
		case m[2] == "class":
			parent = len(x.Symbols)
		}
		x.Symbols = append(x.Symbols, s)
		chunk = agenvantage.Chunk{Span: agenvantage.Span{StartLine: i + 1}, Kind: s.Kind, Symbols: []int{len(x.Symbols) - 1}, Owner: len(x.Symbols) - 1}
	}
	flush(len(lines))
	return x
}

// newCorpus indexes files, path to text. Documents are numbered in the order that shuffle gives, by path when it is nil.
func newCorpus(files map[string]string, shuffle func(n int, swap func(i, j int))) *corpus {
	c := &corpus{dead: map[uint32]bool{}, fields: map[string]map[string][]posting{}, totals: map[string]uint64{}}
	c.paths = slices.Sorted(maps.Keys(files))
	for f, p := range c.paths {
		c.texts = append(c.texts, files[p])
		c.facts = append(c.facts, extract(files[p]))
		for chunk := range c.facts[f].Chunks {
			c.places = append(c.places, place{file: uint32(f), chunk: chunk})
		}
	}
	if shuffle != nil {
		shuffle(len(c.places), func(i, j int) { c.places[i], c.places[j] = c.places[j], c.places[i] })
	}
	for doc, p := range c.places {
		x, chunk := c.facts[p.file], c.facts[p.file].Chunks[p.chunk]
		var symbols, signatures, names, kinds []string
		kinds = append(kinds, string(chunk.Kind))
		for _, s := range chunk.Symbols {
			symbols = append(symbols, x.Symbols[s].Qualified)
			signatures = append(signatures, x.Symbols[s].Signature)
			names = append(names, analysis.Normalise(x.Symbols[s].Name), analysis.Normalise(x.Symbols[s].Qualified))
			kinds = append(kinds, string(x.Symbols[s].Kind))
		}
		open := &openFile{text: c.texts[p.file], facts: x}
		slices.Sort(names)
		c.index(FieldPath, uint32(doc), analysis.AppendTokens(nil, c.paths[p.file]))
		c.index(FieldSymbol, uint32(doc), analysis.AppendTokens(nil, strings.Join(symbols, " ")))
		c.index(FieldSignature, uint32(doc), analysis.AppendTokens(nil, strings.Join(signatures, " ")))
		c.index(FieldBody, uint32(doc), analysis.AppendTokens(nil, open.chunkText(p.chunk)))
		c.index(FieldName, uint32(doc), slices.Compact(names))
		c.index(FieldKind, uint32(doc), slices.Compact(kinds))
	}
	c.lives = len(c.places)
	return c
}

func (c *corpus) index(field string, doc uint32, tokens []string) {
	if c.fields[field] == nil {
		c.fields[field] = map[string][]posting{}
	}
	freq := map[string]int{}
	for _, t := range tokens {
		freq[t]++
	}
	for t, n := range freq {
		c.fields[field][t] = append(c.fields[field][t], posting{doc, n, len(tokens)})
	}
	c.totals[field] += uint64(len(tokens))
}

// remove deletes the documents of a file as an index does: they stay in the postings and are no longer visited.
func (c *corpus) remove(path string) {
	f, _ := slices.BinarySearch(c.paths, path)
	for doc, p := range c.places {
		if int(p.file) != f {
			continue
		}
		c.dead[uint32(doc)] = true
		c.lives--
		for field, terms := range c.fields {
			for _, list := range terms {
				for _, p := range list {
					if p.doc == uint32(doc) {
						c.totals[field] -= uint64(p.freq)
					}
				}
			}
		}
	}
}

func (c *corpus) FileCount() int                     { return len(c.paths) }
func (c *corpus) Path(f uint32) string               { return c.paths[f] }
func (c *corpus) Class(uint32) (_ agenvantage.Class) { return }
func (c *corpus) Lang(f uint32) string {
	_, base := splitPath(c.paths[f])
	return strings.TrimPrefix(base, stemOf(base)+".")
}
func (c *corpus) DocBound() int                                   { return len(c.places) }
func (c *corpus) ChunkCount() int                                 { return c.lives }
func (c *corpus) FieldTokens(field string) uint64                 { return c.totals[field] }
func (c *corpus) Locate(doc uint32) (uint32, int)                 { return c.places[doc].file, c.places[doc].chunk }
func (c *corpus) Facts(f uint32) (*agenvantage.Extraction, error) { return c.facts[f], nil }
func (c *corpus) Text(f uint32) (string, error)                   { return c.texts[f], nil }
func (c *corpus) Postings(field, term string, visit func(doc uint32, freq, length int)) error {
	for _, p := range c.fields[field][term] {
		if !c.dead[p.doc] {
			visit(p.doc, p.freq, p.length)
		}
	}
	return nil
}
func (c *corpus) TermLines(field string) (string, error) {
	return strings.Join(slices.Sorted(maps.Keys(c.fields[field])), "\n") + "\n", nil
}

func TestToyExtractor(t *testing.T) {
	x := extract("import a\n\nclass Box:\n    def open(self):\n        pass\n\ndef shut():\n    pass\n")
	var got []string
	for _, s := range x.Symbols {
		got = append(got, s.Qualified)
	}
	if s := strings.Join(got, " "); s != "Box Box.open shut" || len(x.Chunks) != 4 {
		t.Fatalf("%s, %d chunks", s, len(x.Chunks))
	}
}
