package channels

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agenvantage"
)

// chunkVectors is a VectorReader over a corpus: the plainest there is.
type chunkVectors struct {
	corpus  *corpus
	vectors map[place][]float32
	err     error // of both methods
	asked   []int // the k of each call
}

func (v *chunkVectors) Covered(_ context.Context, in func(uint32) bool) (have, all int, err error) {
	for file := range uint32(v.corpus.FileCount()) {
		if in != nil && !in(file) {
			continue
		}
		for chunk := range v.corpus.facts[file].Chunks {
			all++
			if v.vectors[place{file: file, chunk: chunk}] != nil {
				have++
			}
		}
	}
	return have, all, v.err
}

func (v *chunkVectors) Nearest(ctx context.Context, query []float32, k int, allow func(uint32, int) bool) (hits []agenvantage.Hit, err error) {
	v.asked = append(v.asked, k)
	for p, x := range v.vectors {
		if allow == nil || allow(p.file, p.chunk) {
			sum := 0.0
			for i := range query {
				sum += float64(query[i]) * float64(x[i])
			}
			hits = append(hits, agenvantage.Hit{File: p.file, Chunk: p.chunk, Symbol: -1, Score: sum})
		}
	}
	slices.SortFunc(hits, func(a, b agenvantage.Hit) int {
		if a.Score != b.Score {
			if a.Score > b.Score {
				return -1
			}
			return 1
		}
		return int(a.File)*1000 + a.Chunk - int(b.File)*1000 - b.Chunk
	})
	return hits[:min(k, len(hits))], ctx.Err()
}

// angles gives each chunk that a text is named for a vector at a cosine to the question "q", which is (1, 0).
func angles(c *corpus, cosines map[string]float64) *chunkVectors {
	v := &chunkVectors{corpus: c, vectors: map[place][]float32{}}
	for file, x := range c.facts {
		for chunk := range x.Chunks {
			name := fmt.Sprintf("%s:%d", c.paths[file], x.Chunks[chunk].Span.StartLine)
			if cos, ok := cosines[name]; ok {
				v.vectors[place{file: uint32(file), chunk: chunk}] = []float32{float32(cos), float32(math.Sqrt(1 - cos*cos))}
			}
		}
	}
	return v
}

func east(context.Context, string) ([]float32, error) { return []float32{1, 0}, nil }

func printHits(c *corpus, list List) string {
	var b strings.Builder
	for _, h := range list.Hits {
		fmt.Fprintf(&b, "%s:%d-%d %.2f\n", c.paths[h.File], h.Span.StartLine, h.Span.EndLine, h.Score)
	}
	return b.String()
}

var semanticFiles = map[string]string{
	"a.py":         "import os\ndef one():\n    pass\ndef two():\n    pass\nclass Three:\n    pass\n",
	"lib/b.go":     "func Four() {\n}\nfunc Five() {\n}\n",
	"lib/c.py":     "class Six:\n    def seven(self):\n        pass\n",
	"lib/twin.go":  "func Four() {\n}\n",
	"docs/none.md": "nothing of note\n",
}

var semanticCosines = map[string]float64{
	"a.py:1": 0.05, "a.py:2": 0.9, "a.py:4": 0.8, "a.py:6": 0.7, "lib/b.go:1": 0.8, "lib/b.go:3": -0.4, "lib/c.py:1": 0.6, "lib/c.py:2": 0.5,
	"lib/twin.go:1": 0.8, "docs/none.md:1": 0.1,
}

func TestSemanticLists(t *testing.T) {
	c := newCorpus(semanticFiles, nil)
	const all = "a.py:2-3 0.90\na.py:4-5 0.80\nlib/b.go:1-2 0.80\nlib/twin.go:1-2 0.80\na.py:6-7 0.70\nlib/c.py:1-1 0.60\nlib/c.py:2-3 0.50\n"
	for _, x := range []struct {
		name    string
		options SemanticOptions
		filter  agenvantage.Filter
		limit   int
		want    string
		dropped int
	}{
		{"floor 0.3: equal scores in path order", SemanticOptions{Floor: 0.3}, agenvantage.Filter{}, 0, all, 0},
		{"floor at a score", SemanticOptions{Floor: 0.5}, agenvantage.Filter{}, 0, all, 0},
		{"floor above a score", SemanticOptions{Floor: 0.51}, agenvantage.Filter{}, 0, all[:strings.LastIndex(all, "lib/c.py:2")], 0},
		{"floor above all", SemanticOptions{Floor: 0.95}, agenvantage.Filter{}, 0, "", 0},
		{"cut", SemanticOptions{Floor: 0.3}, agenvantage.Filter{}, 3, "a.py:2-3 0.90\na.py:4-5 0.80\nlib/b.go:1-2 0.80\n", 0},
		{"cap 1", SemanticOptions{Floor: 0.3, PerFile: 1}, agenvantage.Filter{}, 0, "a.py:2-3 0.90\nlib/b.go:1-2 0.80\nlib/twin.go:1-2 0.80\nlib/c.py:1-1 0.60\n", 3},
		{"the cap makes room", SemanticOptions{Floor: 0.3, PerFile: 1}, agenvantage.Filter{}, 2, "a.py:2-3 0.90\nlib/b.go:1-2 0.80\n", 2},
		{"path", SemanticOptions{Floor: 0.3}, agenvantage.Filter{Paths: []string{"lib"}}, 2, "lib/b.go:1-2 0.80\nlib/twin.go:1-2 0.80\n", 0},
		{"not path", SemanticOptions{Floor: 0.3}, agenvantage.Filter{NotPaths: []string{"a.py", "**/twin.go"}}, 2, "lib/b.go:1-2 0.80\nlib/c.py:1-1 0.60\n", 0},
		{"language", SemanticOptions{Floor: 0.3}, agenvantage.Filter{Langs: []string{"go"}}, 9, "lib/b.go:1-2 0.80\nlib/twin.go:1-2 0.80\n", 0},
		{"kind", SemanticOptions{Floor: 0.3}, agenvantage.Filter{Kinds: []agenvantage.SymbolKind{agenvantage.KindClass}}, 1, "a.py:6-7 0.70\n", 0},
		{"kinds and path", SemanticOptions{Floor: 0.3}, agenvantage.Filter{Paths: []string{"lib/c.py"}, Kinds: []agenvantage.SymbolKind{agenvantage.KindClass, agenvantage.KindMethod}}, 9, "lib/c.py:1-1 0.60\nlib/c.py:2-3 0.50\n", 0},
		{"kind that no chunk has", SemanticOptions{Floor: 0.3}, agenvantage.Filter{Kinds: []agenvantage.SymbolKind{agenvantage.KindTrait}}, 9, "", 0},
		{"zero options are the defaults", SemanticOptions{}, agenvantage.Filter{Paths: []string{"lib/c.py", "docs", "lib/b.go"}}, 9, "lib/b.go:1-2 0.80\nlib/c.py:1-1 0.60\nlib/c.py:2-3 0.50\ndocs/none.md:1-1 0.10\n", 0},
	} {
		scope, err := CompileScope(x.filter, c)
		if err != nil {
			t.Fatal(err)
		}
		list, err := NewSemantic(c, angles(c, semanticCosines), east, x.options).Search(t.Context(), Request{Query: agenvantage.Query{Text: "q"}, Filter: x.filter, Scope: scope, Limit: x.limit})
		if err != nil || printHits(c, list) != x.want || list.Covered != 1 || list.Dropped != x.dropped {
			t.Errorf("%s: covered %v, dropped %d, %v:\n%swant:\n%s", x.name, list.Covered, list.Dropped, err, printHits(c, list), x.want)
		}
		for _, h := range list.Hits {
			if h.Symbol != -1 || h.Reason != fmt.Sprintf("cosine %.2f", h.Score) {
				t.Errorf("%s: %+v", x.name, h)
			}
		}
	}
}

// TestSemanticStates walks through every state of the channel's report.
func TestSemanticStates(t *testing.T) {
	c := newCorpus(semanticFiles, nil)
	part := map[string]float64{"a.py:2": 0.9, "a.py:4": 0.8, "lib/b.go:1": 0.8}
	fails := func(err error) QueryEmbedder {
		return func(context.Context, string) ([]float32, error) { return nil, err }
	}
	state := func(s agenvantage.ChannelStatus, says string) error {
		return fmt.Errorf("wrapped: %w", &StateError{Status: s, Err: errors.New(says)})
	}
	changed := angles(c, semanticCosines)
	changed.err = state(agenvantage.StatusModelChanged, "other digest")
	notAsked := func(context.Context, string) ([]float32, error) { panic("a service is asked for nothing") }
	for _, x := range []struct {
		name    string
		vectors *chunkVectors
		embed   QueryEmbedder
		query   agenvantage.Query
		filter  agenvantage.Filter
		want    agenvantage.ChannelStatus
		says    string
		covered float64 // of a partial answer
		hits    int
	}{
		{name: "ok", vectors: angles(c, semanticCosines), embed: east, want: agenvantage.StatusOK, hits: 8},
		{name: "a pattern", vectors: angles(c, semanticCosines), embed: notAsked, query: agenvantage.Query{Text: "/a+/", Regex: "a+"}, want: agenvantage.StatusEmpty},
		{name: "white space", vectors: angles(c, semanticCosines), embed: notAsked, query: agenvantage.Query{Text: " \n"}, want: agenvantage.StatusEmpty},
		{name: "floor", vectors: angles(c, map[string]float64{"a.py:1": 0, "a.py:2": 0, "a.py:4": 0, "a.py:6": 0}), embed: east, filter: agenvantage.Filter{Paths: []string{"a.py"}}, want: agenvantage.StatusEmpty},
		{name: "no vectors", vectors: angles(c, nil), embed: notAsked, want: agenvantage.StatusNoVectors, says: "no chunk has a vector"},
		{name: "no vectors, in a scope", vectors: angles(c, nil), embed: notAsked, filter: agenvantage.Filter{Paths: []string{"lib"}}, want: agenvantage.StatusNoVectors, says: "no chunk has a vector"},
		{name: "partial", vectors: angles(c, part), embed: east, want: agenvantage.StatusPartial, says: "3 of 10 chunks have a vector", covered: 0.3, hits: 3},
		{name: "partial elsewhere", vectors: angles(c, part), embed: east, filter: agenvantage.Filter{Paths: []string{"lib/b.go"}}, want: agenvantage.StatusPartial, says: "1 of 2 chunks have a vector", covered: 0.5, hits: 1},
		{name: "none of the scope", vectors: angles(c, part), embed: notAsked, filter: agenvantage.Filter{Paths: []string{"docs"}}, want: agenvantage.StatusPartial, says: "0 of 1 chunks", covered: 0},
		{name: "scope without files", vectors: angles(c, part), embed: notAsked, filter: agenvantage.Filter{Paths: []string{"nowhere"}}, want: agenvantage.StatusEmpty},
		{name: "unreachable", vectors: angles(c, part), embed: fails(state(agenvantage.StatusUnreachable, "connection refused")), want: agenvantage.StatusUnreachable, says: "connection refused"},
		{name: "unreachable within the service's own deadline", vectors: angles(c, part), embed: fails(&StateError{Status: agenvantage.StatusUnreachable, Err: context.DeadlineExceeded}), want: agenvantage.StatusUnreachable, says: "deadline"},
		{name: "model missing", vectors: angles(c, part), embed: fails(state(agenvantage.StatusModelMissing, "ollama pull x")), want: agenvantage.StatusModelMissing, says: "ollama pull x"},
		{name: "model changed", vectors: changed, embed: notAsked, want: agenvantage.StatusModelChanged, says: "other digest"},
		{name: "model changed, told by the service", vectors: angles(c, part), embed: fails(state(agenvantage.StatusModelChanged, "96 dimensions, want 64")), want: agenvantage.StatusModelChanged, says: "96"},
		{name: "error", vectors: angles(c, part), embed: fails(errors.New("key refused")), want: agenvantage.StatusError, says: "key refused"},
		{name: "panic", vectors: angles(c, part), embed: func(context.Context, string) ([]float32, error) { panic("boom") }, want: agenvantage.StatusError, says: "boom"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if x.query.Text == "" {
				x.query.Text = "q"
			}
			scope, err := CompileScope(x.filter, c)
			if err != nil {
				t.Fatal(err)
			}
			s := NewSemantic(c, x.vectors, x.embed, SemanticOptions{})
			o := Run(t.Context(), []Channel{s}, Request{Query: x.query, Filter: x.filter, Scope: scope}, RunOptions{Timeout: time.Minute})[0]
			r := o.Report
			if r.Name != "semantic" || r.Status != x.want || !strings.Contains(r.Error, x.says) || (x.says == "") != (r.Error == "") || r.Hits != x.hits || len(o.List.Hits) != x.hits {
				t.Errorf("%+v", r)
			}
			if (r.Covered != nil) != (x.want == agenvantage.StatusPartial) || r.Covered != nil && math.Abs(*r.Covered-x.covered) > 1e-9 {
				t.Errorf("covered %v", r.Covered)
			}
			if (o.Err != nil) != (x.want == agenvantage.StatusError) {
				t.Errorf("error %v", o.Err)
			}
		})
	}
}

// TestASilentServiceHoldsNobodyBack has an embedder that heeds no context.
func TestASilentServiceHoldsNobodyBack(t *testing.T) {
	c := newCorpus(semanticFiles, nil)
	release := make(chan struct{})
	var ended sync.WaitGroup
	ended.Add(1)
	silent := func(context.Context, string) ([]float32, error) {
		defer ended.Done()
		<-release
		return []float32{1, 0}, nil
	}
	list := []Channel{NewSemantic(c, angles(c, semanticCosines), silent, SemanticOptions{}), NewBM25F(c, BM25FOptions{})}
	r := Request{Query: agenvantage.Query{Text: "four", Terms: []agenvantage.Term{{Text: "four", Count: 1}}}}
	outcomes := Run(t.Context(), list, r, RunOptions{Timeout: 50 * time.Millisecond})
	if s := outcomes[0].Report; s.Status != agenvantage.StatusTimeout || s.Hits != 0 {
		t.Errorf("semantic: %+v", s)
	}
	if b := outcomes[1].Report; b.Status != agenvantage.StatusOK || b.Hits != 2 {
		t.Errorf("bm25f: %+v", b)
	}
	close(release)
	ended.Wait()
}

// TestAStateIsNotATimeoutOfTheSearch: a service that has a deadline of its own is unreachable, not the channel late.
func TestAStateIsNotATimeoutOfTheSearch(t *testing.T) {
	inTime, cancel := context.WithCancel(t.Context())
	late := &StateError{Status: agenvantage.StatusUnreachable, Err: fmt.Errorf("dial: %w", &net.OpError{Op: "dial", Err: context.DeadlineExceeded})}
	channel := fakeChannel{"x", func(context.Context) (List, error) { return List{}, late }}
	if o := Run(inTime, []Channel{channel}, Request{}, RunOptions{})[0]; o.Report.Status != agenvantage.StatusUnreachable || o.Err != nil {
		t.Errorf("in time: %+v", o)
	}
	cancel()
	if o := Run(inTime, []Channel{channel}, Request{}, RunOptions{})[0]; o.Report.Status != agenvantage.StatusTimeout {
		t.Errorf("too late: %+v", o)
	}
}

// TestSemanticFiltersNeverAdd: what a filter lets through is what is listed without it, less what it holds back.
func TestSemanticFiltersNeverAdd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	c, cosines := randomCorpus(r)
	s := NewSemantic(c, angles(c, cosines), east, SemanticOptions{Floor: 0.2})
	search := func(f agenvantage.Filter, limit int) List {
		scope, err := CompileScope(f, c)
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.Search(t.Context(), Request{Query: agenvantage.Query{Text: "q"}, Filter: f, Scope: scope, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	all := search(agenvantage.Filter{}, 10_000).Hits
	if len(all) < 100 {
		t.Fatalf("%d hits", len(all))
	}
	filters := []agenvantage.Filter{{Paths: []string{"d1"}}, {NotPaths: []string{"d0", "d2/**"}}, {Langs: []string{"py"}}, {Kinds: []agenvantage.SymbolKind{agenvantage.KindClass}},
		{Paths: []string{"d1", "d2"}, Langs: []string{"go"}, Kinds: []agenvantage.SymbolKind{agenvantage.KindFunction, agenvantage.KindMethod}}}
	for i, f := range filters {
		scope, err := CompileScope(f, c)
		if err != nil {
			t.Fatal(err)
		}
		var want []agenvantage.Hit
		for _, h := range all {
			x := c.facts[h.File]
			ofKind := len(f.Kinds) == 0 || slices.Contains(f.Kinds, x.Chunks[h.Chunk].Kind) ||
				slices.ContainsFunc(x.Chunks[h.Chunk].Symbols, func(s int) bool { return slices.Contains(f.Kinds, x.Symbols[s].Kind) })
			if scope.Has(h.File) && ofKind {
				want = append(want, h)
			}
		}
		if len(want) < 10 {
			t.Fatalf("filter %d lets %d hits through", i, len(want))
		}
		for _, limit := range []int{1, 7, 10_000} {
			if got := search(f, limit).Hits; !slices.Equal(got, want[:min(limit, len(want))]) {
				t.Errorf("filter %d, limit %d: %d hits, want %d", i, limit, len(got), min(limit, len(want)))
			}
		}
	}
}

func randomCorpus(r *rand.Rand) (*corpus, map[string]float64) {
	files, cosines := map[string]string{}, map[string]float64{}
	for f := range 90 {
		var b strings.Builder
		name := fmt.Sprintf("d%d/f%02d.%s", r.IntN(3), f, []string{"py", "go"}[r.IntN(2)])
		for line := 1; line <= 1+r.IntN(8); line++ {
			fmt.Fprintf(&b, "%s n%d\n", []string{"def", "class", "func"}[r.IntN(3)], r.IntN(30))
			cosines[fmt.Sprintf("%s:%d", name, line)] = float64(r.IntN(8)) / 8
		}
		files[name] = b.String()
	}
	return newCorpus(files, nil), cosines
}

// TestSemanticRankingIsOfPathsAlone numbers the documents in another order.
func TestSemanticRankingIsOfPathsAlone(t *testing.T) {
	first := newCorpus(semanticFiles, nil)
	filter := agenvantage.Filter{Kinds: []agenvantage.SymbolKind{agenvantage.KindFunction, agenvantage.KindClass}}
	request := Request{Query: agenvantage.Query{Text: "q"}, Filter: filter}
	want, err := NewSemantic(first, angles(first, semanticCosines), east, SemanticOptions{}).Search(t.Context(), request)
	if err != nil || len(want.Hits) != 6 {
		t.Fatalf("%d hits, %v", len(want.Hits), err)
	}
	for seed := range uint64(10) {
		c := newCorpus(semanticFiles, rand.New(rand.NewPCG(seed, 0)).Shuffle)
		got, err := NewSemantic(c, angles(c, semanticCosines), east, SemanticOptions{}).Search(t.Context(), request)
		if err != nil || !slices.Equal(got.Hits, want.Hits) {
			t.Fatalf("%s\nwant\n%s%v", printHits(c, got), printHits(first, want), err)
		}
	}
}

func TestSemanticOptionsValidate(t *testing.T) {
	for _, o := range []SemanticOptions{{}, DefaultSemanticOptions(), {Floor: -1}, {Floor: 1, PerFile: 1000}} {
		if err := o.Validate(); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for _, o := range []SemanticOptions{{Floor: 1.01}, {Floor: -1.5}, {Floor: math.NaN()}, {PerFile: -1}} {
		if err := o.Validate(); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestTheCapAsksForMore: one file has the best chunks, and the list is filled all the same.
func TestTheCapAsksForMore(t *testing.T) {
	files, cosines := map[string]string{"a.py": strings.Repeat("def f\n", 300)}, map[string]float64{}
	for i := range 300 {
		cosines[fmt.Sprintf("a.py:%d", i+1)] = 0.9
	}
	for i := range 20 {
		name := fmt.Sprintf("b%02d.py", i)
		files[name], cosines[name+":1"] = "def g\n", 0.5
	}
	c := newCorpus(files, nil)
	v := angles(c, cosines)
	list, err := NewSemantic(c, v, east, SemanticOptions{PerFile: 2}).Search(t.Context(), Request{Query: agenvantage.Query{Text: "q"}, Limit: 10})
	if err != nil || len(list.Hits) != 10 || list.Hits[2].File != 1 || list.Hits[9].File != 8 || len(v.asked) > 7 {
		t.Errorf("%d hits, asked %v, %v", len(list.Hits), v.asked, err)
	}
}
