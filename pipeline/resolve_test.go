package pipeline

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"agenvantage"
)

func TestResolve(t *testing.T) {
	c := boxes()
	kinds := func(k ...agenvantage.SymbolKind) []agenvantage.SymbolKind { return k }
	noChunk := agenvantage.Hit{File: 0, Chunk: -1, Symbol: -1, Span: agenvantage.Span{StartLine: 7, EndLine: 9}}
	for _, x := range []struct {
		name, query string
		kinds       []agenvantage.SymbolKind
		hits        []agenvantage.Hit
		want        string
	}{
		{"a chunk stays itself", "shutdown", nil, []agenvantage.Hit{c.chunkHit(0, 4)}, "box.py:21-26"},
		{"a named symbol in a chunk", "Box.open", nil, []agenvantage.Hit{c.chunkHit(0, 1)}, "box.py:5-8 Box.open"},
		{"both of the name in a class", "Lid", nil, []agenvantage.Hit{c.chunkHit(1, 0)}, "lid.java:1-9 Lid, lid.java:3-5 Lid.Lid"},
		{"two of one name in one chunk", "open", nil, []agenvantage.Hit{c.chunkHit(0, 4)}, "box.py:21-23 open, box.py:24-26 open"},
		{"a part of a long named symbol", "Box.close", nil, []agenvantage.Hit{c.chunkHit(0, 3)}, "box.py:10-20 Box.close"},
		{"two parts of it count once", "close", nil, []agenvantage.Hit{c.chunkHit(0, 3), c.chunkHit(0, 2)}, "box.py:10-20 Box.close"},
		{"a part of a member of a named class", "Box", nil, []agenvantage.Hit{c.chunkHit(0, 3)}, "box.py:3-20 Box"},
		{"a part of an unnamed symbol", "shutdown", nil, []agenvantage.Hit{c.chunkHit(0, 3)}, "box.py:15-20"},
		{"a hit on a symbol", "shutdown", nil, []agenvantage.Hit{c.symbolHit(0, 2, 2)}, "box.py:10-20 Box.close"},
		{"a symbol and its chunk", "close", nil, []agenvantage.Hit{c.symbolHit(0, 2, 2), c.chunkHit(0, 2), c.chunkHit(0, 0)}, "box.py:10-20 Box.close, box.py:1-2"},
		{"a span that is no chunk", "open", nil, []agenvantage.Hit{noChunk}, "box.py:7-9"},

		{"kind of a symbol", "open", kinds("function"), []agenvantage.Hit{c.symbolHit(0, 1, 1), c.symbolHit(0, 4, 3)}, "box.py:21-23 open"},
		{"kind of a named symbol", "Lid", kinds("method"), []agenvantage.Hit{c.chunkHit(1, 0)}, "lid.java:3-5 Lid.Lid"},
		{"kind of the chunk, the named symbol is of another", "open", kinds("class"), []agenvantage.Hit{c.chunkHit(0, 1)}, "box.py:3-9"},
		{"kind of the chunk, none is named", "shutdown", kinds("group"), []agenvantage.Hit{c.chunkHit(0, 4)}, "box.py:21-26"},
		{"closest of the kind: the first of equals", "shutdown", kinds("function"), []agenvantage.Hit{c.chunkHit(0, 4)}, "box.py:21-23 open"},
		{"closest of the kind: most words", "how does the reader open", kinds("function"), []agenvantage.Hit{c.chunkHit(0, 4)}, "box.py:24-26 open"},
		{"none of the kind", "shutdown", kinds("method"), []agenvantage.Hit{c.chunkHit(0, 4), c.chunkHit(0, 0)}, ""},
		{"kind of the named owner of a part", "close", kinds("method"), []agenvantage.Hit{c.chunkHit(0, 3)}, "box.py:10-20 Box.close"},
		{"kind of the owner, which is not named", "shutdown", kinds("method"), []agenvantage.Hit{c.chunkHit(0, 3)}, ""},
		{"several kinds", "shutdown", kinds("method", "block"), []agenvantage.Hit{c.chunkHit(0, 3)}, "box.py:15-20"},
		{"a span that is no chunk has no kind but block", "open", kinds("function"), []agenvantage.Hit{noChunk}, ""},
		{"a span that is no chunk is a block", "open", kinds("block"), []agenvantage.Hit{noChunk}, "box.py:7-9"},
	} {
		got, err := newResolver(c, parsed(t, x.query), x.kinds).resolve(x.hits)
		if s := c.print(got); err != nil || s != x.want {
			t.Errorf("%s (%s %v): %s, want %s (%v)", x.name, x.query, x.kinds, s, x.want, err)
		}
	}
}

func TestResolvedHitsKeepTheirPlaceAndScore(t *testing.T) {
	c := boxes()
	hit := c.scored(0, 3, -1, 12.5)
	got, err := newResolver(c, parsed(t, "Box.close"), nil).resolve([]agenvantage.Hit{hit})
	if err != nil || len(got) != 1 || got[0].Score != 12.5 || got[0].Chunk != 3 || got[0].Reason != "fake" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestDropOverlaps(t *testing.T) {
	c := boxes()
	cand := func(file uint32, symbol, start, end int) agenvantage.Candidate {
		return agenvantage.Candidate{File: file, Chunk: 0, Symbol: symbol, Span: agenvantage.Span{StartLine: start, EndLine: end}}
	}
	for _, x := range []struct {
		name, query string
		in          []agenvantage.Candidate
		want        string
	}{
		{"apart", "shutdown", []agenvantage.Candidate{cand(0, -1, 1, 2), cand(0, -1, 3, 9), cand(1, -1, 1, 9)}, "box.py:1-2, box.py:3-9, lid.java:1-9"},
		{"the better one stays", "shutdown", []agenvantage.Candidate{cand(0, -1, 10, 14), cand(0, -1, 3, 10), cand(0, -1, 3, 9)}, "box.py:10-14, box.py:3-9"},
		{"one shared line", "shutdown", []agenvantage.Candidate{cand(0, -1, 3, 9), cand(0, -1, 9, 14)}, "box.py:3-9"},
		{"same lines of other files", "shutdown", []agenvantage.Candidate{cand(0, -1, 1, 9), cand(1, -1, 1, 9)}, "box.py:1-9, lid.java:1-9"},
		{"named symbols nest, outer first", "Lid", []agenvantage.Candidate{cand(1, 0, 1, 9), cand(1, 1, 3, 5)}, "lid.java:1-9 Lid, lid.java:3-5 Lid.Lid"},
		{"named symbols nest, inner first", "Lid", []agenvantage.Candidate{cand(1, 1, 3, 5), cand(1, 0, 1, 9)}, "lid.java:3-5 Lid.Lid, lid.java:1-9 Lid"},
		{"only one is named", "Box", []agenvantage.Candidate{cand(0, 0, 3, 20), cand(0, 1, 5, 8)}, "box.py:3-20 Box"},
		{"a chunk does not nest", "Lid", []agenvantage.Candidate{cand(1, 0, 1, 9), cand(1, -1, 3, 5)}, "lid.java:1-9 Lid"},
		{"twice the same symbol", "Lid", []agenvantage.Candidate{cand(1, 0, 1, 9), cand(1, 0, 1, 9)}, "lid.java:1-9 Lid"},
		{"none", "Lid", nil, ""},
	} {
		var got []string
		for _, k := range newResolver(c, parsed(t, x.query), nil).dropOverlaps(x.in) {
			got = append(got, c.printSpan(k.File, k.Span, k.Symbol))
		}
		if s := strings.Join(got, ", "); s != x.want {
			t.Errorf("%s: %s, want %s", x.name, s, x.want)
		}
	}
}

func TestNewSelection(t *testing.T) {
	for _, x := range []struct {
		name, in string // FILE:SCORE, best first
		cap      int
		want     string
	}{
		{"no cap", "0:9 0:8 0:7 1:6", 0, "0:9 0:8 0:7 1:6"},
		{"held back behind the others, at their last score", "0:9 0:8 0:7 1:6 2:5", 2, "0:9 0:8 1:6 2:5 0:5[-2]"},
		{"held back in their order", "0:9 0:8 0:7 1:6 1:5 1:4 2:3", 1, "0:9 1:6 2:3 0:3[-5] 0:3[-4] 1:3[-2] 1:3[-1]"},
		{"lower than the others already", "0:9 1:8 0:7", 1, "0:9 1:8 0:7"},
		{"one file only", "0:9 0:8 0:7", 1, "0:9 0:8 0:7"},
		{"equal scores", "0:9 0:9 1:9", 1, "0:9 1:9 0:9"},
		{"none", "", 2, ""},
	} {
		var in []agenvantage.Candidate
		for i, s := range strings.Fields(x.in) {
			var c agenvantage.Candidate
			if _, err := fmt.Sscanf(s, "%d:%g", &c.File, &c.Score); err != nil {
				t.Fatal(err)
			}
			c.Span, c.Parts = agenvantage.Span{StartLine: i + 1, EndLine: i + 1}, []agenvantage.Part{{Name: "exact", Value: c.Score}}
			in = append(in, c)
		}
		s := newSelection(in, x.cap, 0, 0)
		var got []string
		total, last := 0, math.Inf(1)
		for _, c := range s.order {
			text, sum := fmt.Sprintf("%d:%g", c.File, c.Score), 0.0
			for _, p := range c.Parts {
				sum += p.Value
				if p.Name == "file_cap" {
					text += fmt.Sprintf("[%g]", p.Value)
				}
			}
			if sum != c.Score || c.Score > last {
				t.Errorf("%s: score %g after %g, parts %v", x.name, c.Score, last, c.Parts)
			}
			last = c.Score
			got = append(got, text)
		}
		for _, n := range s.total {
			total += n
		}
		if g := strings.Join(got, " "); g != x.want || total != len(in) {
			t.Errorf("%s: %s, want %s; %d in all", x.name, g, x.want, total)
		}
		for _, c := range in {
			if len(c.Parts) != 1 {
				t.Errorf("%s: the input was changed", x.name)
			}
		}
	}
}

func TestMarkHeldBack(t *testing.T) {
	c := boxes()
	results := []agenvantage.Result{{Path: "lid.java"}, {Path: "box.py"}, {Path: "box.py"}}
	markHeldBack(results, selection{total: map[uint32]int{0: 5, 1: 1}}, map[uint32]int{0: 2, 1: 1}, c)
	if got := fmt.Sprint(results[0].MoreInFile, results[1].MoreInFile, results[2].MoreInFile); got != "0 3 0" {
		t.Errorf("more in file: %s, want it on the first result of box.py only", got)
	}
}

func TestOfKind(t *testing.T) {
	c := boxes()
	for _, x := range []struct {
		file          uint32
		chunk, symbol int
		want          string
	}{
		{0, 0, -1, "header <nil> "}, {0, 1, -1, "class Box "}, {0, 3, -1, "block Box.close "}, {0, 4, 4, "function open "}, {0, -1, -1, "block <nil> "}, {1, 1, -1, "text <nil> sql"},
	} {
		kind, symbol, lang := ofKind(&c[x.file].facts, agenvantage.Candidate{File: x.file, Chunk: x.chunk, Symbol: x.symbol})
		name := "<nil>"
		if symbol != nil {
			name = symbol.Qualified
		}
		if got := fmt.Sprintf("%s %s %s", kind, name, lang); got != x.want {
			t.Errorf("%d/%d/%d: %q, want %q", x.file, x.chunk, x.symbol, got, x.want)
		}
	}
}
