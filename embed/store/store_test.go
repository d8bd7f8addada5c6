package store

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/embed"
)

var ctx = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// clock is a time that tests set.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func open(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func fresh(t testing.TB) (*Store, *clock) {
	c := &clock{time.Unix(1_700_000_000, 0)}
	return open(t, t.TempDir(), Options{Create: true, Now: c.Now}), c
}

const endpoint = "https://api.example:444/v1?x=1"

func identity(model string, dimensions int) embed.Identity {
	return embed.Identity{Provider: "p", Endpoint: endpoint, Model: model, Dimensions: dimensions}
}

func hash(n int) (h Hash) {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	for i := range h {
		h[i] = byte(rng.Uint32())
	}
	return h
}

func vector(n, dimensions int) embed.Vector {
	v := make(embed.Vector, dimensions)
	for i := range v {
		v[i] = float32(n) + float32(i)/1024
	}
	return v
}

// put commits the vectors of the numbers from..to-1 in one request.
func put(t testing.TB, s *Store, i embed.Identity, from, to int) {
	t.Helper()
	key, err := s.AddSet(i)
	must(t, err)
	var texts []Text
	var results []Result
	for n := from; n < to; n++ {
		texts = append(texts, Text{Hash: hash(n), Bytes: 10, Tokens: 3})
		results = append(results, Result{Hash: hash(n), Vector: vector(n, i.Dimensions)})
	}
	b, err := s.Begin(key, endpoint, embed.Document, texts)
	must(t, err)
	must(t, s.Commit(key, []int64{b}, results))
}

func hashesOf(numbers ...int) (all []Hash) {
	for _, n := range numbers {
		all = append(all, hash(n))
	}
	return all
}

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

func TestVectorsComeBack(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Create: true})
	a, b := identity("a", 3), identity("b", 5)
	put(t, s, a, 0, 10)
	put(t, s, b, 5, 8)
	put(t, s, a, 10, 12)
	must(t, s.Close())
	s = open(t, dir, Options{})
	asked := hashesOf(11, 3, 99, 3, 0)
	v, err := s.Load(ctx, a.Key(), asked)
	must(t, err)
	for i, n := range []int{11, 3, -1, 3, 0} {
		if want := vector(n, 3); n >= 0 && !slices.Equal(v.At(i), want) || n < 0 && v.At(i) != nil {
			t.Errorf("vector %d: %v", i, v.At(i))
		}
	}
	if v.Found() != 4 || v.Len() != 5 || v.Dimensions != 3 || &v.At(1)[0] != &v.At(3)[0] {
		t.Errorf("found %d of %d", v.Found(), v.Len())
	}
	if have, err := s.Have(ctx, b.Key(), hashesOf(4, 5, 7, 8)); err != nil || !slices.Equal(have, []bool{false, true, true, false}) {
		t.Errorf("have %v, %v", have, err)
	}
	if missing, err := s.Missing(ctx, b.Key(), hashesOf(9, 5, 4, 9)); err != nil || !slices.Equal(missing, hashesOf(9, 4)) {
		t.Errorf("missing %v, %v", missing, err)
	}
	none, err := s.Load(ctx, identity("c", 3).Key(), asked)
	if err != nil || none.Found() != 0 || none.Len() != 5 || none.At(2) != nil {
		t.Errorf("of a set that is not there: %+v, %v", none, err)
	}
	sets, err := s.Sets()
	must(t, err)
	if len(sets) != 2 || sets[0].Key > sets[1].Key || sets[0].Vectors+sets[1].Vectors != 15 {
		t.Errorf("sets %+v", sets)
	}
	for _, i := range sets {
		if i.Identity.Key() != i.Key || i.Created.IsZero() || i.Version == 0 {
			t.Errorf("set %+v", i)
		}
	}
}

// Few hashes of a large set are looked up, many are swept; both find the same.
func TestSweepAndLookUpAgree(t *testing.T) {
	s, _ := fresh(t)
	i := identity("a", 2)
	put(t, s, i, 0, 400)
	put(t, s, identity("b", 2), 0, 300) // rows between
	put(t, s, i, 400, 900)
	for _, asked := range [][]int{{}, {5}, {899, 0, 450}, upTo(900), upTo(1200)} {
		v, err := s.Load(ctx, i.Key(), hashesOf(asked...))
		must(t, err)
		found := 0
		for at, n := range asked {
			want := vector(n, 2)
			if n >= 900 {
				want = nil
			} else {
				found++
			}
			if !slices.Equal(v.At(at), want) {
				t.Errorf("%d asked: vector of %d is %v", len(asked), n, v.At(at))
			}
		}
		if v.Found() != found {
			t.Errorf("%d asked: found %d, want %d", len(asked), v.Found(), found)
		}
	}
}

func TestCommitIsAllOrNothing(t *testing.T) {
	s, _ := fresh(t)
	i := identity("a", 2)
	key, err := s.AddSet(i)
	must(t, err)
	other, err := s.AddSet(identity("b", 2))
	must(t, err)
	begin := func() int64 {
		b, err := s.Begin(key, endpoint, embed.Document, []Text{{Hash: hash(1)}, {Hash: hash(2)}})
		must(t, err)
		return b
	}
	good := []Result{{Hash: hash(1), Vector: vector(1, 2)}, {Hash: hash(2), Refused: embed.ReasonZero}}
	for name, c := range map[string]struct {
		key     string
		batches []int64
		results []Result
		is      error
	}{
		"dimension":       {key, []int64{begin()}, []Result{good[0], {Hash: hash(2), Vector: vector(2, 3)}}, embed.ErrModelChanged},
		"no vector":       {key, []int64{begin()}, []Result{good[0], {Hash: hash(2)}}, embed.ErrModelChanged},
		"too few results": {key, []int64{begin()}, good[:1], agenvantage.ErrBadInput},
		"other set":       {other, []int64{begin()}, good, agenvantage.ErrBadInput},
		"no such request": {key, []int64{999}, good, sql.ErrNoRows},
		"no such set":     {identity("c", 2).Key(), nil, good, errNoSet},
	} {
		if err := s.Commit(c.key, c.batches, c.results); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
	if missing, err := s.Missing(ctx, key, hashesOf(1, 2)); err != nil || len(missing) != 2 {
		t.Errorf("something of a failed commit is stored: %v, %v", missing, err)
	}
	b := begin()
	must(t, s.Commit(key, []int64{b}, good))
	if err := s.Commit(key, []int64{b}, good); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a second commit: %v", err)
	}
	if err := s.Fail(b, ReasonError); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a failure after the commit: %v", err)
	}
	if f, err := s.Failures(ctx, key); err != nil || len(f) != 1 || f[0].Hash != hash(2) || f[0].Reason != embed.ReasonZero {
		t.Errorf("failures %v, %v", f, err)
	}
	must(t, s.Commit(key, []int64{begin()}, []Result{{Hash: hash(1), Vector: vector(7, 2)}, {Hash: hash(2), Vector: vector(2, 2)}}))
	v, err := s.Load(ctx, key, hashesOf(1, 2))
	must(t, err)
	if !slices.Equal(v.At(0), vector(1, 2)) || v.Found() != 2 {
		t.Errorf("the first vector does not stay: %v", v.At(0))
	}
	if f, err := s.Failures(ctx, key); err != nil || len(f) != 0 {
		t.Errorf("a failure stays though there is a vector: %v, %v", f, err)
	}
	if _, err := s.Begin(key, endpoint, embed.Document, nil); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a request without texts: %v", err)
	}
	if _, err := s.AddSet(identity("x", 0)); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a set of no dimensions: %v", err)
	}
}
