package vector

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"agenvantage"
)

func TestParseEngine(t *testing.T) {
	for name, want := range map[string]Engine{"": DefaultEngine, "flat": Flat, "chromem": Chromem} {
		if e, err := ParseEngine(name); err != nil || e != want {
			t.Errorf("%q: %q, %v", name, e, err)
		}
	}
	for _, name := range []string{"Flat", "hnsw", " "} {
		if _, err := ParseEngine(name); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if slices.Index(Engines(), DefaultEngine) != 0 {
		t.Error("the default is not the first")
	}
}

func TestBuilderDimensions(t *testing.T) {
	for _, n := range []int{0, -1, MaxDimensions + 1} {
		if _, err := NewBuilder(n, 10); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

func TestVectorsThatAreNormalisedKeepTheirBytes(t *testing.T) {
	b, err := NewBuilder(2, -5)
	if err != nil {
		t.Fatal(err)
	}
	v := []float32{0.6, 0.8}
	long := []float32{3, 4}
	for doc, in := range [][]float32{v, long, {0.6000005, 0.8}} {
		if err := b.Add(uint32(doc), in); err != nil {
			t.Fatal(err)
		}
	}
	got := b.rows.vectors
	if !slices.Equal(got[0], v) || !slices.Equal(got[1], v) || !slices.Equal(got[2], []float32{0.6000005, 0.8}) || !slices.Equal(long, []float32{3, 4}) {
		t.Error(got, long)
	}
	if &got[0][0] != &v[0] {
		t.Error("a vector of length 1 was copied")
	}
}

// TestScore checks the unrolled sum against a plain one, for every remainder.
func TestScore(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 40; n++ {
		a, b := gauss(r, n), gauss(r, n)
		a, _ = unit(a, n)
		b, _ = unit(b, n)
		want := 0.0
		for i := range a {
			want += float64(a[i]) * float64(b[i])
		}
		if got := score(a, b); math.Abs(float64(got)-want) > float64(scoreMargin(n)) {
			t.Errorf("%d: %v, want %v", n, got, want)
		}
	}
	if s := score([]float32{1.0000004}, []float32{1.0000004}); s != 1 {
		t.Errorf("beyond 1: %v", s)
	}
	if s := score([]float32{1.0000004}, []float32{-1.0000004}); s != -1 {
		t.Errorf("beyond -1: %v", s)
	}
}

func TestBestKeepsTheFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var all []Match
		n, k := 1+r.IntN(60), 1+r.IntN(20)
		b := newBest(k)
		for i := range n {
			m := Match{Doc: uint32(i), Score: float32(r.IntN(5))}
			all = append(all, m)
		}
		r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, m := range all {
			b.add(m)
		}
		slices.SortFunc(all, CompareMatches)
		if got := b.sorted(); !slices.Equal(got, all[:min(k, n)]) {
			t.Fatalf("%v, want %v", got, all[:min(k, n)])
		}
	}
}
