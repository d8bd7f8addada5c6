package index

import (
	"reflect"
	"testing"

	"agenvantage"
)

func TestContextOf(t *testing.T) {
	x := &agenvantage.Extraction{
		Symbols: []agenvantage.Symbol{
			{Name: "Mux", Qualified: "web.Mux", Signature: "type Mux  struct", Doc: "Mux routes\nrequests. It is safe.", Parent: -1},
			{Name: "Serve", Qualified: "web.Mux.Serve", Signature: "func (m *Mux) Serve()", Doc: "Serve serves v1.2 clients", Parent: 0},
			{Name: "hook", Qualified: "web.Mux.hook", Parent: 0},
			{Name: "top", Qualified: "top", Signature: "var top int", Parent: -1},
		},
		Chunks: []agenvantage.Chunk{
			{Kind: agenvantage.ChunkText, Owner: -1},
			{Kind: agenvantage.KindStruct, Symbols: []int{0, 1, 2}, Owner: 0},
			{Kind: agenvantage.ChunkBlock, Owner: 1},
			{Kind: agenvantage.ChunkGroup, Symbols: []int{1, 2}, Owner: -1},
			{Kind: agenvantage.ChunkGroup, Symbols: []int{2, 3}, Owner: -1},
			{Kind: agenvantage.ChunkGroup, Symbols: []int{3}, Owner: -1},
			{Kind: agenvantage.ChunkGroup, Symbols: []int{0, 1}, Owner: -1},
		},
	}
	want := []ChunkContext{
		{},
		{"web", "type Mux struct", "Mux routes requests."},
		{"web.Mux", "func (m *Mux) Serve()", "Serve serves v1.2 clients"},
		{Enclosing: "web.Mux"},
		{},
		{Signature: "var top int"},
		{Enclosing: "web"},
	}
	for i := range want {
		if got := ContextOf(x, i); got != want[i] {
			t.Errorf("chunk %d: %+v, want %+v", i, got, want[i])
		}
	}
}

func TestFirstSentence(t *testing.T) {
	for doc, want := range map[string]string{
		"": "", " One. Two.": "One.", "No stop": "No stop", "Ends.": "Ends.", "v1.2 is here! Really": "v1.2 is here!",
		"A title\n\nThen text.": "A title", "Two\nlines. More": "Two lines.", "先读。再写": "先读。", "cut \xe5\x85. x": "cut \xe5\x85.",
	} {
		if got := firstSentence(doc); got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
	}
}

// What tells two chunks apart is in the hash, and nothing else is.
func TestChunkHashHoldsWhatTheChunkIs(t *testing.T) {
	base := func() (string, *agenvantage.Extraction) {
		return "a\nb\nc\n", &agenvantage.Extraction{
			Symbols: []agenvantage.Symbol{{Name: "f", Qualified: "T.f", Signature: "f()", Doc: "Runs. Then stops.", Parent: -1, Span: agenvantage.Span{StartLine: 2, EndLine: 3}}},
			Chunks:  []agenvantage.Chunk{{Span: agenvantage.Span{StartLine: 2, EndLine: 3}, Kind: agenvantage.KindFunction, Symbols: []int{0}, Owner: 0}},
		}
	}
	text, x := base()
	same := chunkHashes(text, x)
	if len(same) != 16 {
		t.Fatalf("%d bytes for one chunk", len(same))
	}
	for name, c := range map[string]struct {
		change func(*string, *agenvantage.Extraction)
		equal  bool
	}{
		"other lines before it": {func(s *string, x *agenvantage.Extraction) { *s = "zzz\nb\nc\n" }, true},
		"moved down": {func(s *string, x *agenvantage.Extraction) {
			*s = "a\na\nb\nc\n"
			x.Chunks[0].Span = agenvantage.Span{StartLine: 3, EndLine: 4}
		}, true},
		"later sentences of doc":  {func(s *string, x *agenvantage.Extraction) { x.Symbols[0].Doc = "Runs. Never stops." }, true},
		"kind":                    {func(s *string, x *agenvantage.Extraction) { x.Chunks[0].Kind = agenvantage.ChunkBlock }, true},
		"text":                    {func(s *string, x *agenvantage.Extraction) { *s = "a\nb\nd\n" }, false},
		"signature":               {func(s *string, x *agenvantage.Extraction) { x.Symbols[0].Signature = "f(x)" }, false},
		"first sentence of doc":   {func(s *string, x *agenvantage.Extraction) { x.Symbols[0].Doc = "Walks." }, false},
		"enclosing type":          {func(s *string, x *agenvantage.Extraction) { x.Symbols[0].Qualified = "U.f" }, false},
		"signature told from doc": {func(s *string, x *agenvantage.Extraction) { x.Symbols[0].Signature, x.Symbols[0].Doc = "f()R", "uns." }, false},
	} {
		text, x := base()
		c.change(&text, x)
		if got := chunkHashes(text, x); reflect.DeepEqual(got, same) != c.equal {
			t.Errorf("%s: equal is %v, want %v", name, !c.equal, c.equal)
		}
	}
}

func TestMovedAndCopiedChunksKeepTheirHashes(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a.txt": "one two\n\nthree four\n", "b.txt": "five\n"})
	refresh(t, ix, src)
	before, err := view(t, ix).AllChunkHashes()
	must(t, err)
	src.remove("a.txt")
	src.put("deep/z.txt", "one two\n\nthree four\n")
	src.put("copy.txt", "five\n")
	refresh(t, ix, src)
	v := view(t, ix)
	after, err := v.AllChunkHashes() // b.txt, copy.txt, deep/z.txt
	must(t, err)
	if want := [][]ChunkHash{before[1], before[1], before[0]}; !reflect.DeepEqual(after, want) || len(after[2]) == 0 {
		t.Errorf("hashes %x, want %x", after, want)
	}
	equalsFresh(t, ix, src)
}
