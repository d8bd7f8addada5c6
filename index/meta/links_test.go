package meta

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"agenvantage"
)

func edge(from int, to agenvantage.Node, kind agenvantage.EdgeKind, line int, c agenvantage.Confidence) agenvantage.Edge {
	return agenvantage.Edge{From: agenvantage.Node{File: 7, Symbol: from}, To: to, Kind: kind, Line: line, Confidence: c}
}

func at(file uint32, symbol int) agenvantage.Node {
	return agenvantage.Node{File: file, Symbol: symbol}
}

func sorted(edges []agenvantage.Edge) []agenvantage.Edge {
	edges = slices.Clone(edges)
	slices.SortFunc(edges, compareInFile)
	return edges
}

func TestLinksRoundTrip(t *testing.T) {
	for _, c := range []struct {
		name  string
		links Links
	}{
		{"nothing", Links{}},
		{"failure", Links{Failure: "panicked", Unresolved: map[string]int{"unknown": 2, "dynamic": 300}}},
		{"tree and calls", Links{Edges: []agenvantage.Edge{
			edge(-1, at(7, 0), agenvantage.EdgeDefines, 1, agenvantage.ByScope),
			edge(0, at(7, 1), agenvantage.EdgeDefines, 900, agenvantage.ByScope),
			edge(-1, at(7, 3), agenvantage.EdgeDefines, 2, agenvantage.ByScope),
			edge(1, at(4_000_000_000, 5), agenvantage.EdgeCalls, 3, agenvantage.ByName),
			edge(1, at(2, -1), agenvantage.EdgeImports, 3, agenvantage.ByUnique),
			edge(-1, at(7, -1), agenvantage.EdgeRoutes, 0, agenvantage.ByScope),
		}}},
		{"a definition in another file", Links{Edges: []agenvantage.Edge{edge(0, at(8, 0), agenvantage.EdgeDefines, 1, agenvantage.ByScope), edge(0, at(7, 0), agenvantage.EdgeDefines, 1, agenvantage.ByName)}}},
	} {
		got, err := DecodeLinks(7, EncodeLinks(7, c.links))
		must(t, err)
		if got.Failure != c.links.Failure || !reflect.DeepEqual(got.Unresolved, c.links.Unresolved) || !slices.Equal(sorted(got.Edges), sorted(c.links.Edges)) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.links)
		}
	}
}

func TestLinksOfManyRandomEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var l Links
		for range rng.IntN(200) {
			l.Edges = append(l.Edges, edge(rng.IntN(9)-1, at(uint32(rng.IntN(4))+5, rng.IntN(9)-1), edgeKinds[rng.IntN(len(edgeKinds))], rng.IntN(99), agenvantage.Confidence(1+rng.IntN(3))))
		}
		// The tree of definitions leads to symbols, never to a file.
		l.Edges = slices.DeleteFunc(l.Edges, func(e agenvantage.Edge) bool { return e.Kind == agenvantage.EdgeDefines && e.To.Symbol < 0 })
		got, err := DecodeLinks(7, EncodeLinks(7, l))
		must(t, err)
		if !slices.Equal(sorted(got.Edges), sorted(l.Edges)) {
			t.Fatalf("got %v, want %v", got.Edges, l.Edges)
		}
	}
}

func TestEdgeKindsHaveCodes(t *testing.T) {
	for _, k := range agenvantage.EdgeKinds() {
		if !slices.Contains(edgeKinds, k) {
			t.Errorf("%s has no code", k)
		}
	}
}

func FuzzDecodeLinks(f *testing.F) {
	whole, _ := unpack(EncodeLinks(7, Links{Unresolved: map[string]int{"dynamic": 1}, Edges: []agenvantage.Edge{edge(-1, at(7, 0), agenvantage.EdgeDefines, 1, agenvantage.ByScope), edge(0, at(9, 4), agenvantage.EdgeCalls, 3, agenvantage.ByName)}}))
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte{0, 0, 0xff, 0xff, 0x03})
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := DecodeLinks(7, pack(b))
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		for _, e := range l.Edges {
			if e.From.File != 7 || e.From.Symbol < -1 || e.To.Symbol < -1 {
				t.Fatalf("impossible edge %+v", e)
			}
		}
	})
}

// A reader sees links with the facts that they were committed with.
func TestLinksBelongToTheGeneration(t *testing.T) {
	w, file := create(t)
	must(t, w.Begin())
	f := row(3, "a.go")
	must(t, w.PutFile(&f, Encode("text\n", extraction)))
	must(t, w.PutLinks(LinkRow{File: 3, Depends: []uint32{1, 0xabcdef}, Edges: 2, Blob: EncodeLinks(3, Links{Failure: "one"})}))
	must(t, w.Commit(Head{Generation: 1, NextFile: 4}, &Catalog{Files: []FileRow{f}}))
	old, err := Open(context.Background(), file)
	must(t, err)
	defer old.Close()
	must(t, w.Begin())
	must(t, w.PutLinks(LinkRow{File: 3, Blob: EncodeLinks(3, Links{Failure: "two"})}))
	var depends []uint32
	must(t, w.EachDepends(func(f uint32, d []uint32) { depends = append(depends, d...) }))
	if len(depends) != 0 {
		t.Errorf("the transaction does not see its own links: %v", depends)
	}
	w.Rollback()
	must(t, w.Begin())
	must(t, w.EachDepends(func(f uint32, d []uint32) { depends = append(append(depends, f), d...) }))
	if !slices.Equal(depends, []uint32{3, 1, 0xabcdef}) {
		t.Errorf("depends %x", depends)
	}
	var names, want []uint64
	must(t, w.EachName(func(f uint32, s int, h uint64) { names = append(names, h) }))
	for _, s := range extraction.Symbols {
		want = append(want, NameHash(s.Name))
	}
	if !slices.Equal(names, want) || len(want) < 2 {
		t.Errorf("names %x, want %x", names, want)
	}
	must(t, w.DeleteFile(3))
	must(t, w.Commit(Head{Generation: 2, NextFile: 4}, &Catalog{}))
	if l, err := old.Links(3); err != nil || l.Failure != "one" {
		t.Errorf("pinned: %+v %v", l, err)
	}
	if edges, bytes, err := old.LinkStats(); err != nil || edges != 2 || bytes < 6+8*int64(len(want)) {
		t.Errorf("stats: %d edges, %d bytes, %v", edges, bytes, err)
	}
	now, err := Open(context.Background(), file)
	must(t, err)
	defer now.Close()
	if l, err := now.Links(3); err != nil || len(l.Edges) != 0 || l.Failure != "" {
		t.Errorf("of a deleted file: %+v %v", l, err)
	}
	if files, _, err := now.LinkBlobs(); err != nil || len(files) != 0 {
		t.Errorf("links of %v %v", files, err)
	}
	must(t, w.Close())
}
