package vector

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"agenvantage"
)

// pair is one vector with its number.
type pair struct {
	doc uint32
	v   []float32
}

func build(t testing.TB, engine Engine, dimensions int, pairs []pair) Index {
	t.Helper()
	b, err := NewBuilder(dimensions, len(pairs))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pairs {
		if err := b.Add(p.doc, p.v); err != nil {
			t.Fatal(err)
		}
	}
	ix, err := b.Build(engine)
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// random makes vectors about a few centres, so that scores are spread, with some that are equal.
func random(n, dimensions int, seed uint64) []pair {
	r := rand.New(rand.NewPCG(seed, 1))
	centres := make([][]float32, 8)
	for i := range centres {
		centres[i] = gauss(r, dimensions)
	}
	pairs := make([]pair, n)
	for i := range pairs {
		v := gauss(r, dimensions)
		if i > 4 && r.IntN(10) == 0 {
			v = slices.Clone(pairs[r.IntN(i)].v)
		} else {
			for d, x := range centres[r.IntN(len(centres))] {
				v[d] += x
			}
		}
		pairs[i] = pair{uint32(i)*3 + 1, v}
	}
	r.Shuffle(n, func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return pairs
}

func gauss(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// slow is what every engine must answer: all scores, sorted.
func slow(t *testing.T, pairs []pair, query []float32, k int, allow func(uint32) bool) []Match {
	t.Helper()
	var r rows
	r.dimensions = len(query)
	unit, err := unitQuery(query, k, len(query))
	if err != nil {
		t.Fatal(err)
	}
	var all []Match
	for i, p := range pairs {
		if err := r.add(p.doc, p.v); err != nil {
			t.Fatal(err)
		}
		if allow == nil || allow(p.doc) {
			all = append(all, Match{p.doc, score(unit, r.vectors[i])})
		}
	}
	slices.SortFunc(all, CompareMatches)
	return all[:min(k, len(all))]
}

// TestConformance is the contract of Index, for every engine.
func TestConformance(t *testing.T) {
	for _, engine := range Engines() {
		t.Run(string(engine), func(t *testing.T) {
			for _, c := range []struct {
				name string
				test func(*testing.T, Engine)
			}{
				{"by hand", conformsByHand}, {"sorted scan", conformsToScan}, {"ties at the cut", conformsAtTies}, {"near ties", conformsAtNearTies},
				{"bad input", conformsOnBadInput}, {"bad vectors", conformsOnBadVectors}, {"empty", conformsWhenEmpty},
				{"cancelled", conformsWhenCancelled}, {"concurrent", conformsConcurrently}, {"order of adding", conformsInAnyOrder},
				{"panic", conformsOnPanic},
			} {
				t.Run(c.name, func(t *testing.T) { c.test(t, engine) })
			}
		})
	}
}

func conformsByHand(t *testing.T, engine Engine) {
	// Lengths do not count: 7 and 2 point the same way, 5 the other way, 9 is at 60 degrees, 4 across.
	ix := build(t, engine, 2, []pair{{7, []float32{1, 0}}, {2, []float32{250, 0}}, {5, []float32{-3, 0}}, {9, []float32{0.5, float32(math.Sqrt(3) / 2)}}, {4, []float32{0, 0.001}}})
	if ix.Len() != 5 || ix.Dimensions() != 2 {
		t.Fatalf("%d vectors of %d dimensions", ix.Len(), ix.Dimensions())
	}
	odd := func(doc uint32) bool { return doc%2 == 1 }
	for _, c := range []struct {
		query []float32
		k     int
		allow func(uint32) bool
		want  string
	}{
		{[]float32{1, 0}, 5, nil, "2:1.00 7:1.00 9:0.50 4:0.00 5:-1.00"},
		{[]float32{40, 0}, 3, nil, "2:1.00 7:1.00 9:0.50"},
		{[]float32{1, 0}, 1, nil, "2:1.00"},
		{[]float32{1, 0}, 1, odd, "7:1.00"},
		{[]float32{1, 0}, 900, odd, "7:1.00 9:0.50 5:-1.00"},
		{[]float32{0, 1}, 2, nil, "4:1.00 9:0.87"},
		{[]float32{-1, 0}, 2, nil, "5:1.00 4:0.00"},
		{[]float32{1, 0}, math.MaxInt, func(doc uint32) bool { return doc == 5 }, "5:-1.00"},
		{[]float32{1, 0}, 3, func(uint32) bool { return false }, ""},
	} {
		matches, err := ix.Search(t.Context(), c.query, c.k, c.allow)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, m := range matches {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("%d:%.2f", m.Doc, m.Score+0) // +0: no minus before a zero
		}
		if got != c.want {
			t.Errorf("%v, k %d: %q, want %q", c.query, c.k, got, c.want)
		}
	}
}

func conformsToScan(t *testing.T, engine Engine) {
	r := rand.New(rand.NewPCG(5, 5))
	every, n := []int{1, 3, 7, 8, 9, 64, 250}, 1500
	if testing.Short() {
		every, n = []int{3, 8, 41}, 600
	}
	for _, dimensions := range every {
		pairs := random(n, dimensions, uint64(dimensions))
		ix := build(t, engine, dimensions, pairs)
		for try := range 12 {
			query := gauss(r, dimensions)
			if try == 0 {
				query = slices.Clone(pairs[3].v)
			}
			modulus := []uint32{0, 1, 2, 7, 97, 5000}[try%6]
			var allow func(uint32) bool
			if modulus > 0 {
				allow = func(doc uint32) bool { return doc%modulus == 1 }
			}
			k := []int{1, 10, 100, n - 1, n, 3 * n}[r.IntN(6)]
			got, err := ix.Search(t.Context(), query, k, allow)
			if err != nil {
				t.Fatal(err)
			}
			if want := slow(t, pairs, query, k, allow); !slices.Equal(got, want) {
				t.Fatalf("%d dimensions, k %d, every %dth: %v, want %v", dimensions, k, modulus, head(got), head(want))
			}
		}
	}
}

func head(m []Match) []Match { return m[:min(len(m), 8)] }

func conformsAtTies(t *testing.T, engine Engine) {
	var pairs []pair
	for i := range 3000 {
		pairs = append(pairs, pair{uint32(2999 - i), []float32{1, float32(i / 1000)}}) // three groups of equals
	}
	ix := build(t, engine, 2, pairs)
	for _, k := range []int{1, 5, 999, 1000, 1001, 2500} {
		matches, err := ix.Search(t.Context(), []float32{1, 2}, k, nil)
		if err != nil || len(matches) != k {
			t.Fatalf("k %d: %d matches, %v", k, len(matches), err)
		}
		for i, m := range matches {
			if m.Doc != uint32(i) {
				t.Fatalf("k %d: place %d has vector %d", k, i, m.Doc)
			}
		}
	}
}

// conformsAtNearTies has scores that differ in the last digits only: an engine that sums in another order puts them in another
// order.
func conformsAtNearTies(t *testing.T, engine Engine) {
	const dimensions = 300
	r := rand.New(rand.NewPCG(8, 8))
	centre := gauss(r, dimensions)
	var pairs []pair
	for i := range 800 {
		v := slices.Clone(centre)
		for d := range v {
			v[d] += float32(r.NormFloat64()) * 1e-6
		}
		pairs = append(pairs, pair{uint32(i), v})
	}
	ix := build(t, engine, dimensions, pairs)
	for _, k := range []int{1, 10, 200} {
		got, err := ix.Search(t.Context(), centre, k, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := slow(t, pairs, centre, k, nil); !slices.Equal(got, want) {
			t.Errorf("k %d: %v, want %v", k, head(got), head(want))
		}
	}
}

var badVectors = []struct {
	name string
	v    []float32
}{
	{"nil", nil}, {"short", []float32{1, 2}}, {"long", []float32{1, 2, 3, 4}}, {"zero", make([]float32, 3)}, {"NaN", []float32{1, float32(math.NaN()), 0}},
	{"infinite", []float32{1, float32(math.Inf(-1)), 0}},
}

func conformsOnBadInput(t *testing.T, engine Engine) {
	ix := build(t, engine, 3, []pair{{1, []float32{1, 2, 3}}})
	for _, c := range badVectors {
		if m, err := ix.Search(t.Context(), c.v, 1, nil); !errors.Is(err, agenvantage.ErrBadInput) || m != nil {
			t.Errorf("query %s: %v, %v", c.name, m, err)
		}
	}
	for _, k := range []int{0, -1, math.MinInt} {
		if m, err := ix.Search(t.Context(), []float32{1, 2, 3}, k, nil); !errors.Is(err, agenvantage.ErrBadInput) || m != nil {
			t.Errorf("k %d: %v, %v", k, m, err)
		}
	}
	if m, err := ix.Search(t.Context(), []float32{math.SmallestNonzeroFloat32, 0, 0}, 1, nil); err != nil || len(m) != 1 || m[0].Score < 0.26 || m[0].Score > 0.27 {
		t.Errorf("a tiny query: %v, %v", m, err) // 1/sqrt(14)
	}
	if m, err := ix.Search(t.Context(), []float32{math.MaxFloat32, 0, 0}, 1, nil); err != nil || len(m) != 1 || m[0].Score < 0.26 || m[0].Score > 0.27 {
		t.Errorf("a huge query: %v, %v", m, err)
	}
}

func conformsOnBadVectors(t *testing.T, engine Engine) {
	b, err := NewBuilder(3, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range badVectors {
		if err := b.Add(1, c.v); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, doc := range []uint32{4, 1, 4} {
		if err := b.Add(doc, []float32{1, 0, 0}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Build(engine); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("two vectors of one number: %v", err)
	}
}

func conformsWhenEmpty(t *testing.T, engine Engine) {
	ix := build(t, engine, 4, nil)
	if m, err := ix.Search(t.Context(), []float32{1, 2, 3, 4}, 5, nil); err != nil || len(m) != 0 || ix.Len() != 0 || ix.Dimensions() != 4 {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := ix.Search(t.Context(), []float32{1, 2, 3}, 5, nil); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("wrong dimension: %v", err)
	}
}

func conformsWhenCancelled(t *testing.T, engine Engine) {
	ix := build(t, engine, 8, random(5000, 8, 2))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m, err := ix.Search(ctx, []float32{1, 2, 3, 4, 5, 6, 7, 8}, 5, nil); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("before: %v, %v", m, err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	var once sync.Once
	allow := func(uint32) bool { once.Do(cancel); return true }
	if m, err := ix.Search(ctx, []float32{1, 2, 3, 4, 5, 6, 7, 8}, 5, allow); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("in the middle: %d matches, %v", len(m), err)
	}
}

// conformsConcurrently asks many at the same time, with one processor and with several: the answers are the same bytes.
func conformsConcurrently(t *testing.T, engine Engine) {
	pairs := random(6000, 16, 3)
	ix := build(t, engine, 16, pairs)
	queries := random(8, 16, 4)
	want := make([][]Match, len(queries))
	for i, q := range queries {
		want[i] = slow(t, pairs, q.v, 50, nil)
	}
	for _, procs := range []int{1, 2, 5} {
		before := runtime.GOMAXPROCS(procs)
		var running sync.WaitGroup
		for try := range 3 * len(queries) {
			running.Go(func() {
				i := try % len(queries)
				got, err := ix.Search(t.Context(), queries[i].v, 50, func(uint32) bool { return true })
				if err != nil || !slices.Equal(got, want[i]) {
					t.Errorf("%d processors, query %d: %v, want %v (%v)", procs, i, head(got), head(want[i]), err)
				}
			})
		}
		running.Wait()
		runtime.GOMAXPROCS(before)
	}
}

func conformsInAnyOrder(t *testing.T, engine Engine) {
	pairs := random(2000, 12, 6)
	query := pairs[0].v
	first, err := build(t, engine, 12, pairs).Search(t.Context(), query, 300, nil)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(pairs, func(a, b pair) int { return int(b.doc) - int(a.doc) })
	second, err := build(t, engine, 12, pairs).Search(t.Context(), query, 300, nil)
	if err != nil || !slices.Equal(first, second) {
		t.Errorf("%v, %v (%v)", head(first), head(second), err)
	}
}

// conformsOnPanic: what allow panics with reaches the caller, who can contain it.
func conformsOnPanic(t *testing.T, engine Engine) {
	ix := build(t, engine, 4, random(5000, 4, 7))
	defer func() {
		if p := recover(); p != "boom" {
			t.Errorf("recovered %v", p)
		}
	}()
	matches, err := ix.Search(t.Context(), []float32{1, 2, 3, 4}, 5, func(doc uint32) bool {
		if doc == 13_000 {
			panic("boom")
		}
		return true
	})
	t.Errorf("%v, %v", matches, err)
}
