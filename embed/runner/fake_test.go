package runner

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"agenvantage/embed"
	"agenvantage/embed/store"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const dims = 4

// fake is an embedder in memory. answer is asked for every request, with its number counted from 1; nil answers ok.
type fake struct {
	answer   func(n int, texts []string) ([]embed.Answer, error)
	identity func(n int) error
	hosted   bool
	limits   embed.Limits

	mu       sync.Mutex
	calls    [][]string
	probes   int
	underway int
	most     int // requests under way at a time
}

func (f *fake) Identity(context.Context) (embed.Identity, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.probes++
	if f.identity != nil {
		if err := f.identity(f.probes); err != nil {
			return embed.Identity{}, err
		}
	}
	return embed.Identity{Provider: "fake", Endpoint: "http://user@host.example:81/v1", Model: "m", Dimensions: dims, Prefix: embed.PrefixVersion}, nil
}
func (f *fake) Limits() embed.Limits { return f.limits }
func (f *fake) Hosted() bool         { return f.hosted }

func (f *fake) Embed(ctx context.Context, purpose embed.Purpose, texts []string) ([]embed.Answer, error) {
	f.mu.Lock()
	f.calls = append(f.calls, slices.Clone(texts))
	n := len(f.calls)
	f.underway++
	f.most = max(f.most, f.underway)
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.underway--
		f.mu.Unlock()
	}()
	if f.answer != nil {
		return f.answer(n, texts)
	}
	return ok(texts), ctx.Err()
}

// sent lists all texts that were sent, in order.
func (f *fake) sent() []string { return slices.Concat(f.calls...) }

// vectorOf is a vector that tells texts apart.
func vectorOf(text string) embed.Vector {
	sum := xxh3.HashString128(text).Bytes()
	raw := make([]float32, dims)
	for i := range raw {
		raw[i] = float32(sum[i]) + 1
	}
	return embed.Check(raw, dims).Vector
}

func ok(texts []string) []embed.Answer {
	all := make([]embed.Answer, len(texts))
	for i := range texts {
		all[i] = embed.Answer{Vector: vectorOf(texts[i])}
	}
	return all
}

// source is a Source in memory.
type source []chunk

type chunk struct{ path, text string }

func hashOf(text string) store.Hash { return xxh3.HashString128(text).Bytes() }

func (s source) Len() int                         { return len(s) }
func (s source) Chunk(i int) (store.Hash, string) { return hashOf(s[i].text), s[i].path }
func (s source) Text(i int) (string, error)       { return s[i].text, nil }
func (s source) hashes() (all []store.Hash)       { return texts(s, hashOf) }
func texts[T any](s source, f func(string) T) []T {
	all := make([]T, len(s))
	for i := range s {
		all[i] = f(s[i].text)
	}
	return all
}

// numbered makes n chunks with different texts, one in a file.
func numbered(n int) source {
	var s source
	for i := range n {
		s = append(s, chunk{fmt.Sprintf("f%03d.go", i), fmt.Sprintf("text number %d\n", i)})
	}
	return s
}

// clock stands still but for sleeps.
type clock struct {
	mu     sync.Mutex
	now    time.Time
	sleeps []time.Duration
}

func newClock() *clock { return &clock{now: time.Unix(1_700_000_000, 0)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	c.sleeps = append(c.sleeps, d)
	c.now = c.now.Add(d)
	return nil
}

// bench is a store with a clock and options that use it.
type bench struct {
	t     *testing.T
	clock *clock
	store *store.Store
	o     Options
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, clock: newClock()}
	b.open(t.TempDir())
	b.o = Options{MaxItems: 4, Concurrency: 1, Now: b.clock.Now, Sleep: b.clock.Sleep, Random: func() float64 { return 1 }}
	return b
}

func (b *bench) open(dir string) {
	b.t.Helper()
	s, err := store.Open(dir, store.Options{Create: true, Now: b.clock.Now})
	must(b.t, err)
	b.t.Cleanup(func() { s.Close() })
	b.store = s
}

// stored counts the vectors, and fails when one is not that of its text.
func (b *bench) stored(src source) (n int) {
	b.t.Helper()
	id, _ := (&fake{}).Identity(context.Background())
	v, err := b.store.Load(context.Background(), id.Key(), src.hashes())
	must(b.t, err)
	for i := range src {
		got := v.At(i)
		if got == nil {
			continue
		}
		n++
		want := vectorOf(src[i].text)
		for j := range want {
			if math.Abs(float64(got[j]-want[j])) > 1e-6 {
				b.t.Errorf("%q has the vector %v, want %v", src[i].text, got, want)
				break
			}
		}
	}
	return n
}

// ledger counts the entries by state and reason.
func (b *bench) ledger() map[string]int {
	b.t.Helper()
	all := map[string]int{}
	must(b.t, b.store.Log(context.Background(), store.LogFilter{}, func(e store.Entry) error {
		all[string(e.State)+":"+e.Reason]++
		return nil
	}))
	return all
}
