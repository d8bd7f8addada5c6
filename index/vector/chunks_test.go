package vector

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

func hashOf(name string) (h Hash) { copy(h[:], name); return h }

// view is the chunk hashes of files.
type view [][]string

func (v view) places() *Places {
	files := make([][]Hash, len(v))
	for file, names := range v {
		for _, name := range names {
			files[file] = append(files[file], hashOf(name))
		}
	}
	return NewPlaces(files)
}

// memory is a store in memory that counts what it is asked for.
type memory struct {
	vectors map[string][]float32
	asked   []string
}

func (m *memory) load(_ context.Context, wanted []Hash) (func(int) []float32, error) {
	names := make([]string, len(wanted))
	for i, hash := range wanted {
		names[i] = strings.TrimRight(string(hash[:]), "\x00")
	}
	m.asked = append(m.asked, names...)
	return func(i int) []float32 { return m.vectors[names[i]] }, nil
}

func printed(hits []agenvantage.Hit) string {
	var b strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&b, "%d.%d:%.2f ", h.File, h.Chunk, h.Score)
	}
	return strings.TrimSpace(b.String())
}

var licence = view{{"licence", "b"}, {"c"}, {}, {"licence", "d", "licence"}, {"e"}}

func licenceStore() *memory {
	return &memory{vectors: map[string][]float32{"licence": {1, 0}, "c": {2, 0}, "b": {3, 4}, "d": {0, 1}}} // e has none
}

func TestNearestChunks(t *testing.T) {
	for _, engine := range Engines() {
		p := licence.places()
		if len(p.Hashes()) != 5 {
			t.Fatalf("%d hashes", len(p.Hashes()))
		}
		c, err := Load(t.Context(), p, licenceStore().load, LoadOptions{Engine: engine, Dimensions: 2})
		if err != nil || c.Len() != 4 {
			t.Fatal(err)
		}
		not := func(file uint32) func(uint32, int) bool { return func(f uint32, _ int) bool { return f != file } }
		for _, x := range []struct {
			k     int
			allow func(uint32, int) bool
			want  string
		}{
			{9, nil, "0.0:1.00 1.0:1.00 3.0:1.00 3.2:1.00 0.1:0.60 3.1:0.00"},
			{3, nil, "0.0:1.00 1.0:1.00 3.0:1.00"},
			{1, not(0), "1.0:1.00"}, // the first place of its twin is not allowed
			{2, not(1), "0.0:1.00 3.0:1.00"},
			{2, func(f uint32, c int) bool { return f == 3 && c > 0 }, "3.2:1.00 3.1:0.00"},
			{2, func(uint32, int) bool { return false }, ""},
		} {
			hits, err := c.Nearest(t.Context(), []float32{1, 0}, x.k, x.allow)
			if err != nil || printed(hits) != x.want {
				t.Errorf("%s, k %d: %q, want %q (%v)", engine, x.k, printed(hits), x.want, err)
			}
			for _, h := range hits {
				if h.Symbol != -1 {
					t.Errorf("%+v", h)
				}
			}
		}
		for _, x := range []struct {
			in        func(uint32) bool
			have, all int
		}{{nil, 6, 7}, {func(f uint32) bool { return f == 4 }, 0, 1}, {func(f uint32) bool { return f < 2 }, 3, 3}, {func(f uint32) bool { return f == 2 }, 0, 0}} {
			if have, all, err := c.Covered(t.Context(), x.in); have != x.have || all != x.all || err != nil {
				t.Errorf("covered %d of %d, want %d of %d", have, all, x.have, x.all)
			}
		}
		for _, k := range []int{0, -3} {
			if _, err := c.Nearest(t.Context(), []float32{1, 0}, k, nil); !errors.Is(err, agenvantage.ErrBadInput) {
				t.Errorf("k %d: %v", k, err)
			}
		}
		if _, err := c.Nearest(t.Context(), []float32{1, 0, 0}, 1, nil); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("wrong dimension: %v", err)
		}
	}
}

// TestNearestIsASortedScan compares with all chunks sorted, with many twins and ties: the vectors have three directions, so that cuts
// go through chunks that are equally near, of which a filter hides the first places.
func TestNearestIsASortedScan(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	v, store := make(view, 60), &memory{vectors: map[string][]float32{}}
	for f := range v {
		for range r.IntN(6) {
			name := fmt.Sprintf("h%d", r.IntN(60))
			v[f] = append(v[f], name)
			if r.IntN(5) > 0 {
				store.vectors[name] = []float32{1, float32(r.IntN(3))}
			}
		}
	}
	for _, engine := range Engines() {
		c, err := Load(t.Context(), v.places(), store.load, LoadOptions{Engine: engine, Dimensions: 2})
		if err != nil {
			t.Fatal(err)
		}
		all, err := c.Nearest(t.Context(), []float32{2, 1}, 10000, nil)
		if err != nil || len(all) < 100 {
			t.Fatalf("%d chunks, %v", len(all), err)
		}
		for try := range 300 {
			k, modulus, rest := 1+r.IntN(20), 1+r.IntN(5), r.IntN(5)
			allow := func(f uint32, chunk int) bool { return (int(f)*7+chunk)%modulus == rest%modulus }
			want := slices.DeleteFunc(slices.Clone(all), func(h agenvantage.Hit) bool { return !allow(h.File, h.Chunk) })
			want = want[:min(k, len(want))]
			got, err := c.Nearest(t.Context(), []float32{2, 1}, k, allow)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s, try %d, k %d: %s, want %s (%v)", engine, try, k, printed(got), printed(want), err)
			}
		}
	}
}

func TestLoadReusesVectors(t *testing.T) {
	store := licenceStore()
	first, err := Load(t.Context(), licence.places(), store.load, LoadOptions{Dimensions: 2})
	if err != nil {
		t.Fatal(err)
	}
	next := view{{"e"}, {"new", "licence"}, {"d"}}
	store.vectors["new"] = []float32{1, 1}
	store.asked = nil
	second, err := Load(t.Context(), next.places(), store.load, LoadOptions{Dimensions: 2, Previous: first})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(store.asked)
	if got := strings.Join(store.asked, " "); got != "e new" { // e had none before: it may have one now
		t.Errorf("asked for %s", got)
	}
	hits, err := second.Nearest(t.Context(), []float32{1, 0}, 5, nil)
	if want := "1.1:1.00 1.0:0.71 2.0:0.00"; err != nil || printed(hits) != want {
		t.Errorf("%s, want %s (%v)", printed(hits), want, err)
	}
	store.asked = nil
	store.vectors = map[string][]float32{"d": {1, 2, 3}}
	if _, err := Load(t.Context(), next.places(), store.load, LoadOptions{Dimensions: 3, Previous: first}); err != nil || len(store.asked) != 4 {
		t.Errorf("of another dimension: asked for %v, %v", store.asked, err)
	}
}

func TestLoadFailures(t *testing.T) {
	p := licence.places()
	broken := errors.New("broken")
	gives := func(v []float32, err error) Loader {
		return func(context.Context, []Hash) (func(int) []float32, error) {
			return func(int) []float32 { return v }, err
		}
	}
	for name, c := range map[string]struct {
		load    Loader
		options LoadOptions
		want    error
	}{
		"error":          {gives([]float32{1, 0}, broken), LoadOptions{Dimensions: 2}, broken},
		"dimension":      {gives([]float32{1}, nil), LoadOptions{Dimensions: 2}, agenvantage.ErrBadInput},
		"zero":           {gives([]float32{0, 0}, nil), LoadOptions{Dimensions: 2}, agenvantage.ErrBadInput},
		"no dimension":   {gives([]float32{1}, nil), LoadOptions{}, agenvantage.ErrBadInput},
		"unknown engine": {gives([]float32{1, 0}, nil), LoadOptions{Dimensions: 2, Engine: "hnsw"}, agenvantage.ErrBadInput},
	} {
		if _, err := Load(t.Context(), p, c.load, c.options); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChunksOfNothing(t *testing.T) {
	notAsked := func(context.Context, []Hash) (func(int) []float32, error) { panic("asked for nothing") }
	for _, v := range []view{{}, {{}, {}}} {
		c, err := Load(t.Context(), v.places(), notAsked, LoadOptions{Dimensions: 2})
		if err != nil {
			t.Fatal(err)
		}
		if hits, err := c.Nearest(t.Context(), []float32{1, 0}, 5, nil); err != nil || len(hits) != 0 {
			t.Errorf("%v, %v", hits, err)
		}
	}
}
