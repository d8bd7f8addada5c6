package channels

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"agenvantage"
)

// edgeList is a LinksReader: numbers of symbols by file, and edges.
type edgeList struct {
	symbols []int
	edges   []agenvantage.Edge
	rng     *rand.Rand // shuffles what EachEdges does
}

func (l *edgeList) FileCount() int           { return len(l.symbols) }
func (l *edgeList) SymbolCount(f uint32) int { return l.symbols[f] }

// EachEdges visits all files at the same time, their edges in any order.
func (l *edgeList) EachEdges(_ context.Context, visit func(uint32, []agenvantage.Edge)) error {
	byFile := make([][]agenvantage.Edge, len(l.symbols))
	for _, e := range l.edges {
		byFile[e.From.File] = append(byFile[e.From.File], e)
	}
	if l.rng != nil {
		for _, edges := range byFile {
			l.rng.Shuffle(len(edges), func(i, k int) { edges[i], edges[k] = edges[k], edges[i] })
		}
	}
	var wait sync.WaitGroup
	for f := range byFile {
		wait.Go(func() { visit(uint32(f), byFile[f]) })
	}
	wait.Wait()
	return nil
}

func node(f uint32, symbol int) agenvantage.Node { return agenvantage.Node{File: f, Symbol: symbol} }

func link(from, to agenvantage.Node, kind agenvantage.EdgeKind, line int, c agenvantage.Confidence) agenvantage.Edge {
	return agenvantage.Edge{From: from, To: to, Kind: kind, Line: line, Confidence: c}
}

func newAdjacency(t testing.TB, l *edgeList) *Adjacency {
	t.Helper()
	a, err := NewAdjacency(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAdjacencyGivesEdgesBothWays(t *testing.T) {
	calls, refs := agenvantage.EdgeCalls, agenvantage.EdgeReferences
	l := &edgeList{symbols: []int{2, 0, 3}, edges: []agenvantage.Edge{
		link(node(2, 1), node(0, 1), calls, 9, agenvantage.ByScope), link(node(0, 0), node(2, 2), refs, 4, agenvantage.ByName),
		link(node(2, 1), node(0, 1), calls, 3, agenvantage.ByScope), link(node(1, -1), node(0, -1), agenvantage.EdgeImports, 1, agenvantage.ByUnique),
		link(node(0, 0), node(0, 1), calls, 5, agenvantage.ByScope),
	}}
	a := newAdjacency(t, l)
	if a.NodeCount() != 8 || a.EdgeCount() != 5 {
		t.Fatalf("%d nodes, %d edges", a.NodeCount(), a.EdgeCount())
	}
	for f, symbols := range l.symbols {
		for s := -1; s < symbols; s++ {
			if n := node(uint32(f), s); a.Node(a.Number(n)) != n {
				t.Errorf("%v is number %d and that is %v", n, a.Number(n), a.Node(a.Number(n)))
			}
		}
	}
	if got, want := a.Out(node(2, 1)), []agenvantage.Edge{l.edges[2], l.edges[0]}; !slices.Equal(got, want) {
		t.Errorf("out: %v, want %v", got, want)
	}
	if got, want := a.In(node(0, 1)), []agenvantage.Edge{l.edges[4], l.edges[2], l.edges[0]}; !slices.Equal(got, want) {
		t.Errorf("in: %v, want %v", got, want)
	}
	if got := a.In(node(1, -1)); len(got) != 0 {
		t.Errorf("in of a file that nothing leads to: %v", got)
	}
}

func TestEveryKindOfEdgeHasAWeight(t *testing.T) {
	for _, k := range agenvantage.EdgeKinds() {
		if w, ok := stepWeights[k]; !ok || w[0] <= 0 || w[1] <= 0 || w[0] > 1 || w[1] > 1 {
			t.Errorf("%s: %v", k, w)
		}
	}
}

func randomGraph(rng *rand.Rand) *edgeList {
	l := &edgeList{}
	for range 2 + rng.IntN(6) {
		l.symbols = append(l.symbols, rng.IntN(6))
	}
	any := func() agenvantage.Node {
		f := rng.IntN(len(l.symbols))
		return node(uint32(f), rng.IntN(l.symbols[f]+1)-1)
	}
	kinds := agenvantage.EdgeKinds()
	for range rng.IntN(80) {
		l.edges = append(l.edges, link(any(), any(), kinds[rng.IntN(len(kinds))], 1+rng.IntN(4), agenvantage.Confidence(1+rng.IntN(3))))
	}
	return l
}

// denseRank is personalised PageRank by the definition: a matrix of all pairs of nodes, from the list of edges.
func denseRank(l *edgeList, a *Adjacency, seeds []graphSeed, damping float64, iterations int) []float64 {
	n := a.NodeCount()
	degree := make([]float64, n)
	type group struct {
		from, to uint32
		kind     agenvantage.EdgeKind
	}
	many, best := map[group]float64{}, map[group]agenvantage.Confidence{}
	for _, e := range l.edges {
		g := group{a.Number(e.From), a.Number(e.To), e.Kind}
		degree[g.from]++
		degree[g.to]++
		many[g]++
		best[g] = max(best[g], e.Confidence)
	}
	matrix := make([][]float64, n)
	for i := range matrix {
		matrix[i] = make([]float64, n)
	}
	for g, count := range many {
		if g.from != g.to {
			w := confidenceWeights[best[g]] * math.Sqrt(count)
			matrix[g.from][g.to] += stepWeights[g.kind][0] * w / math.Sqrt(degree[g.to])
			matrix[g.to][g.from] += stepWeights[g.kind][1] * w / math.Sqrt(degree[g.from])
		}
	}
	s, total := make([]float64, n), 0.0
	for _, seed := range seeds {
		s[seed.node] += seed.weight
		total += seed.weight
	}
	for i := range s {
		s[i] /= total
	}
	rank := make([]float64, n)
	for range iterations + 1 {
		next := make([]float64, n)
		for i := range n {
			next[i] += (1 - damping) * s[i]
			sum := 0.0
			for k := range n {
				sum += matrix[i][k]
			}
			for k := range n {
				if sum > 0 {
					next[k] += damping * rank[i] * matrix[i][k] / sum
				} else {
					next[k] += damping * rank[i] * s[k]
				}
			}
		}
		rank = next
	}
	return rank
}

// rankAll is every node with its rank, best first.
func rankAll(a *Adjacency, w *walk, seeds []graphSeed, damping float64, iterations, maxSteps int) ([]ranked, float64, error) {
	defer w.clear()
	covered, err := a.propagate(context.Background(), w, seeds, damping, iterations, maxSteps)
	list, _ := w.best(1<<30, nil)
	return list, covered, err
}

// The best nodes are the first of all nodes, however many are asked for.
func TestBestIsTheFrontOfAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	w := newWalk(200)
	for n := range uint32(200) {
		w.add(n, float64(1+rng.IntN(20)))
	}
	w.turn()
	odd := func(n uint32) bool { return n%2 == 1 }
	all, count := w.best(1000, odd)
	if count != 100 || len(all) != 100 || !slices.IsSortedFunc(all, compareRanked) {
		t.Fatalf("%d of %d: %v", len(all), count, all)
	}
	for _, limit := range []int{0, 1, 7, 99, 100} {
		if got, count := w.best(limit, odd); count != 100 || !slices.Equal(got, all[:limit]) {
			t.Errorf("best %d: %v", limit, got)
		}
	}
}

func TestPropagateEqualsDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	w := (*walk)(nil)
	for round := range 300 {
		l := randomGraph(rng)
		a := newAdjacency(t, l)
		seeds := []graphSeed{{node: uint32(rng.IntN(a.NodeCount())), weight: 1}}
		if other := uint32(rng.IntN(a.NodeCount())); other != seeds[0].node {
			seeds = append(seeds, graphSeed{node: other, weight: 0.25})
		}
		damping, iterations := rng.Float64()*0.95, 1+rng.IntN(4)
		if w == nil || len(w.rank) < a.NodeCount() || round%2 == 0 {
			w = newWalk(a.NodeCount())
		}
		ranked, covered, err := rankAll(a, w, seeds, damping, iterations, 1<<30)
		if err != nil || covered != 1 {
			t.Fatal(covered, err)
		}
		want := denseRank(l, a, seeds, damping, iterations)
		got := make([]float64, a.NodeCount())
		for _, r := range ranked {
			got[r.node] = r.rank
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Fatalf("round %d, damping %v, %d iterations: node %d has %v, want %v", round, damping, iterations, i, got[i], want[i])
			}
		}
	}
}

// Whatever is not walked stays where it is: no rank is lost, and covered says how much went on.
func TestPropagateWithinBounds(t *testing.T) {
	l := &edgeList{symbols: []int{100}}
	for s := 1; s < 100; s++ {
		l.edges = append(l.edges, link(node(0, 0), node(0, s), agenvantage.EdgeCalls, s, agenvantage.ByScope), link(node(0, s), node(0, (s+1)%100), agenvantage.EdgeCalls, s, agenvantage.ByScope))
	}
	a := newAdjacency(t, l)
	for _, c := range []struct {
		steps int
		some  bool // part of the rank went on
	}{{50, false}, {150, true}} {
		ranked, covered, err := rankAll(a, newWalk(a.NodeCount()), []graphSeed{{node: a.Number(node(0, 0)), weight: 2}}, 0.85, 3, c.steps)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, r := range ranked {
			sum += r.rank
		}
		if math.Abs(sum-(1-math.Pow(0.85, 4))) > 1e-12 || covered >= 1 || covered > 0 != c.some || len(ranked) > 1 != c.some {
			t.Errorf("%d steps: %d nodes with a sum of %v, covered %v", c.steps, len(ranked), sum, covered)
		}
	}
}

// The bits of a rank do not depend on the order in which edges are read.
func TestRankDoesNotDependOnScheduling(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		l := randomGraph(rng)
		var want []ranked
		for try := range 4 {
			l.rng = rand.New(rand.NewPCG(uint64(try), 1))
			a := newAdjacency(t, l)
			seeds := []graphSeed{{node: 0, weight: 0.3}, {node: uint32(a.NodeCount() - 1), weight: 0.7}}
			got, _, err := rankAll(a, newWalk(a.NodeCount()), seeds, 0.85, 3, 40)
			if err != nil {
				t.Fatal(err)
			}
			if try == 0 {
				want = got
			} else if !slices.Equal(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
	}
}

// graphFiles is a small service: main and a route lead to handle, which calls load and store; check is called by nothing.
var graphFiles = map[string]string{
	"README.md":   "# Service\n\nSee store.\n",
	"cmd/main.go": "package main\n\nfunc main() {}\n",
	"doc.go":      "package service\n",
	"web/web.go":  "package web\n\nfunc handle() {}\n\nfunc render() {}\n",
	"db/db.go":    "package db\n\nfunc load() {}\n\nfunc store() {}\n\ntype Row struct{}\n",
	"x/check.go":  "package x\n\nfunc check() {}\n",
	"x/load.go":   "package x\n\nfunc LoadAll() {}\n",
}

// newGraph makes the channel over files; edges are "path symbol kind path symbol", "-" for a file.
func newGraph(t *testing.T, c *corpus, o GraphOptions, edges ...string) *Graph {
	t.Helper()
	l := &edgeList{}
	for _, x := range c.facts {
		l.symbols = append(l.symbols, len(x.Symbols))
	}
	at := func(path, symbol string) agenvantage.Node {
		f, ok := slices.BinarySearch(c.paths, path)
		if !ok {
			t.Fatalf("no file %s", path)
		}
		for i, s := range c.facts[f].Symbols {
			if s.Name == symbol {
				return node(uint32(f), i)
			}
		}
		if symbol != "-" {
			t.Fatalf("no symbol %s in %s", symbol, path)
		}
		return node(uint32(f), -1)
	}
	for _, e := range edges {
		w := strings.Fields(e)
		l.edges = append(l.edges, link(at(w[0], w[1]), at(w[3], w[4]), agenvantage.EdgeKind(w[2]), 1, agenvantage.ByScope))
	}
	a := newAdjacency(t, l)
	return NewGraph(c, func(context.Context) (*Adjacency, error) { return a, nil }, o)
}

var graphEdges = []string{"cmd/main.go main calls web/web.go handle", "web/web.go - routes web/web.go handle", "web/web.go handle calls db/db.go load", "web/web.go handle calls db/db.go store",
	"web/web.go handle calls web/web.go render", "db/db.go load references db/db.go Row", "README.md - documents db/db.go store"}

func TestGraphAnswers(t *testing.T) {
	c := newCorpus(graphFiles, nil)
	g := newGraph(t, c, GraphOptions{}, graphEdges...)
	for _, q := range []struct {
		text   string
		filter agenvantage.Filter
		want   string // the first hits
	}{
		// handle has 5 neighbours and load 2: from load half of the rank goes back to handle, which is called by main.
		{"load", agenvantage.Filter{}, "db/db.go:3#load web/web.go:3#handle db/db.go:7#Row"},
		{"db.load", agenvantage.Filter{}, "db/db.go:3#load web/web.go:3#handle db/db.go:7#Row"},
		// All that main has goes to handle, and all around handle gives back to it.
		{"cmd/main.go:3", agenvantage.Filter{}, "web/web.go:3#handle cmd/main.go:3#main"},
		{"check", agenvantage.Filter{}, "x/check.go:3#check"},
		{"load_all", agenvantage.Filter{}, "x/load.go:3#LoadAll"},
		// What a filter hides may still lead to what it does not.
		{"load", agenvantage.Filter{Paths: []string{"web"}}, "web/web.go:3#handle web/web.go:5#render"},
		{"load", agenvantage.Filter{Kinds: []agenvantage.SymbolKind{agenvantage.KindType}}, ""},
		{"/load/", agenvantage.Filter{}, ""},
	} {
		list := ask(t, g, c, q.text, q.filter, 0)
		n := max(1, len(strings.Fields(q.want)))
		if q.filter.Kinds != nil {
			for _, h := range list.Hits {
				if c.facts[h.File].Symbols[h.Symbol].Kind != agenvantage.KindType {
					t.Errorf("%q: a hit of another kind: %v", q.text, h)
				}
			}
			continue
		}
		if got := first(c, list, n); got != q.want {
			t.Errorf("%q %v: got %q, want %q", q.text, q.filter, got, q.want)
		}
		if list.Covered != 1 {
			t.Errorf("%q: covered %v", q.text, list.Covered)
		}
	}
}

// A question that names nothing got landmarks without a word about it.
func TestGraphLandmarksSayThatNothingWasNamed(t *testing.T) {
	c := newCorpus(graphFiles, nil)
	list := ask(t, newGraph(t, c, GraphOptions{}, graphEdges...), c, "where does it all begin", agenvantage.Filter{}, 0)
	reasons := map[string]string{}
	for i, s := range shown(c, list.Hits) {
		reasons[s] = list.Hits[i].Reason
	}
	for place, want := range map[string]string{"db/db.go:5#store": "named in the README", "cmd/main.go:3#main": "entry point", "doc.go:1": "package root", "web/web.go:3#handle": "route handler"} {
		if want = "landmark: no name of the question is in the graph (" + want + ")"; reasons[place] != want {
			t.Errorf("%s: %q, want %q", place, reasons[place], want)
		}
	}
	for place, reason := range reasons {
		if !strings.HasPrefix(reason, "landmark: no name of the question is in the graph (") {
			t.Errorf("%s: %q", place, reason)
		}
	}
	if list.Note != NoneNamed {
		t.Errorf("note %q", list.Note)
	}
	if named := ask(t, newGraph(t, c, GraphOptions{}, graphEdges...), c, "load", agenvantage.Filter{}, 0); named.Note != "" {
		t.Errorf("a question that names something: note %q", named.Note)
	}
	if reasons["x/check.go:3#check"] != "" {
		t.Error("what no landmark leads to is found")
	}
}

func TestGraphReasons(t *testing.T) {
	c := newCorpus(graphFiles, nil)
	list := ask(t, newGraph(t, c, GraphOptions{}, graphEdges...), c, "load", agenvantage.Filter{}, 0)
	reasons := map[string]string{}
	for i, s := range shown(c, list.Hits) {
		reasons[s] = list.Hits[i].Reason
	}
	for place, want := range map[string]string{
		"db/db.go:3#load":     "named in the question",
		"web/web.go:3#handle": "calls → load",
		"db/db.go:7#Row":      "references ← load",
		"cmd/main.go:3#main":  "calls → handle → load",
		"db/db.go:5#store":    "calls ← handle → load",
	} {
		if reasons[place] != want {
			t.Errorf("%s: %q, want %q", place, reasons[place], want)
		}
	}
}

// The names of a sentence start with less than a name that is the question, and a name of many definitions with less for each.
func TestGraphSeedWeights(t *testing.T) {
	files := map[string]string{"one.go": "package p\n\nfunc parseTree() {}\n"}
	for i := range 12 {
		files[fmt.Sprintf("many%02d.go", i)] = "package p\n\nfunc runAll() {}\n"
	}
	c := newCorpus(files, nil)
	g := newGraph(t, c, GraphOptions{MaxSeeds: 8, Damping: 0.85, Iterations: 1, MaxSteps: 100})
	list := ask(t, g, c, "why does parseTree not come before runAll when the input is empty", agenvantage.Filter{}, 0)
	if len(list.Hits) != 9 || first(c, list, 1) != "one.go:3#parseTree" {
		t.Fatalf("hits %v", shown(c, list.Hits))
	}
	// 0.4 for the one; 0.4 * 5/8 over the first eight of twelve.
	if got, want := list.Hits[1].Score/list.Hits[0].Score, 5.0/8/8; math.Abs(got-want) > 1e-12 {
		t.Errorf("the ratio is %v, want %v", got, want)
	}
}

// The cut comes after the filter, and says how many nodes were behind it.
func TestGraphLimit(t *testing.T) {
	c := newCorpus(graphFiles, nil)
	g := newGraph(t, c, GraphOptions{}, graphEdges...)
	all, cut := ask(t, g, c, "load", agenvantage.Filter{}, 0), ask(t, g, c, "load", agenvantage.Filter{}, 2)
	if len(cut.Hits) != 2 || cut.Dropped != len(all.Hits)-2 || !slices.Equal(cut.Hits, all.Hits[:2]) {
		t.Errorf("cut %v, dropped %d of %d", shown(c, cut.Hits), cut.Dropped, len(all.Hits))
	}
}

func TestGraphOptions(t *testing.T) {
	for _, c := range []struct {
		o  GraphOptions
		ok bool
	}{{GraphOptions{}, true}, {DefaultGraphOptions(), true}, {GraphOptions{Damping: 1, Iterations: 1, MaxSteps: 1, MaxSeeds: 1}, false}, {GraphOptions{Damping: math.NaN(), Iterations: 1, MaxSteps: 1, MaxSeeds: 1}, false},
		{GraphOptions{Damping: 0.5, MaxSteps: 1, MaxSeeds: 1}, false}} {
		if err := c.o.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

// A question after another starts from nothing.
func TestGraphKeepsNothingBetweenQuestions(t *testing.T) {
	c := newCorpus(graphFiles, nil)
	g := newGraph(t, c, GraphOptions{}, graphEdges...)
	want := ask(t, g, c, "load", agenvantage.Filter{}, 0)
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			text := []string{"check", "load", "store", "nosuchname"}[i%4]
			if got := ask(t, g, c, text, agenvantage.Filter{}, 0); text == "load" && !slices.Equal(got.Hits, want.Hits) {
				t.Errorf("got %v, want %v", shown(c, got.Hits), shown(c, want.Hits))
			}
		})
	}
	wait.Wait()
}
