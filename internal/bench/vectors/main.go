// Command vectors measures the engines of package index/vector: time of a search by the clock and by the processors, with and
// without a filter, time of loading, and memory, at several numbers of chunks and of dimensions. It is a command, not a test: it
// asserts no speed, only that the engines agree. Run it with `go run ./internal/bench/vectors`; docs/adr/0023-vectors-in-memory.md has what it printed.
//
// The vectors are drawn about centres, as those of chunks in folders are, with a fixed seed. Each engine is built and asked alone, so that
// what it holds is what the heap grew by.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"agenvantage/index/vector"
)

// options are what the flags say.
type options struct {
	sizes, dimensions []int
	engines           []vector.Engine
	queries, k        int
}

func main() {
	sizes := flag.String("sizes", "10000,50000,200000", "numbers of chunks")
	dimensions := flag.String("dimensions", "256,768", "dimensions of their vectors")
	engines := flag.String("engines", "", "engines, separated by commas; empty means all")
	queries := flag.Int("queries", 100, "searches of each kind")
	k := flag.Int("k", 100, "nearest chunks that a search wants")
	flag.Parse()
	o, err := read(*sizes, *dimensions, *engines)
	if err == nil && (*queries < 1 || *k < 1) {
		err = fmt.Errorf("-queries and -k want 1 or more")
	}
	if err == nil {
		o.queries, o.k = *queries, *k
		err = run(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vectors:", err)
		os.Exit(1)
	}
}

func read(sizes, dimensions, engines string) (o options, err error) {
	if o.sizes, err = numbers(sizes); err != nil {
		return o, err
	}
	if o.dimensions, err = numbers(dimensions); err != nil {
		return o, err
	}
	if engines == "" {
		o.engines = vector.Engines()
		return o, nil
	}
	for name := range strings.SplitSeq(engines, ",") {
		engine, err := vector.ParseEngine(strings.TrimSpace(name))
		if err != nil {
			return o, err
		}
		o.engines = append(o.engines, engine)
	}
	return o, nil
}

func numbers(list string) (out []int, err error) {
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no positive number", text)
		}
		out = append(out, n)
	}
	return out, nil
}

func run(o options) error {
	fmt.Printf("%d cores, %s, %s/%s; %d searches for %d each\n\n", runtime.GOMAXPROCS(0), runtime.Version(), runtime.GOOS, runtime.GOARCH, o.queries, o.k)
	fmt.Println("| chunks | dimensions | engine | load | memory | p50 | p95 | processors | filtered p50 | filtered p95 | processors |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	for _, n := range o.sizes {
		for _, dimensions := range o.dimensions {
			var first []vector.Match
			for _, engine := range o.engines {
				answer, err := measure(o, engine, n, dimensions)
				if err != nil {
					return fmt.Errorf("%s, %d of %d dimensions: %w", engine, n, dimensions, err)
				}
				if first == nil {
					first = answer
				}
				if !slices.Equal(first, answer) {
					return fmt.Errorf("%s, %d of %d dimensions: its answers are not those of %s", engine, n, dimensions, o.engines[0])
				}
			}
		}
	}
	return nil
}

// measure prints one line and returns all answers, one after the other.
func measure(o options, engine vector.Engine, n, dimensions int) ([]vector.Match, error) {
	before := heap()
	draw := newDrawer(dimensions)
	b, err := vector.NewBuilder(dimensions, n)
	if err != nil {
		return nil, err
	}
	var loading time.Duration
	slab := make([]float32, n*dimensions)
	for doc := range uint32(n) {
		v := slab[:dimensions:dimensions]
		slab = slab[dimensions:]
		copy(v, draw.next())
		started := time.Now()
		if err := b.Add(doc, v); err != nil {
			return nil, err
		}
		loading += time.Since(started)
	}
	started := time.Now()
	index, err := b.Build(engine)
	if err != nil {
		return nil, err
	}
	b = nil
	loading += time.Since(started)
	held := heap() - before

	hundredth := func(doc uint32) bool { return doc%100 == 7 }
	all, err := ask(o, index, draw, nil)
	if err != nil {
		return nil, err
	}
	filtered, err := ask(o, index, draw, hundredth)
	if err != nil {
		return nil, err
	}
	fmt.Printf("| %d | %d | %s | %d ms | %d MB | %s | %s | %s | %s | %s | %s |\n", n, dimensions, engine, loading.Milliseconds(), held/1_000_000,
		all.percentile(50), all.percentile(95), millis(all.cpu), filtered.percentile(50), filtered.percentile(95), millis(filtered.cpu))
	runtime.KeepAlive(index)
	return append(all.answers, filtered.answers...), nil
}

// asked is what searches took and answered.
type asked struct {
	took    []time.Duration // sorted
	cpu     time.Duration   // of all processors, for one search: what other programs on the machine do not add to
	answers []vector.Match
}

func ask(o options, index vector.Index, draw *drawer, allow func(uint32) bool) (asked, error) {
	var a asked
	began := cpuTime()
	for range o.queries {
		query := draw.next()
		started := time.Now()
		matches, err := index.Search(context.Background(), query, o.k, allow)
		if err != nil {
			return asked{}, err
		}
		a.took = append(a.took, time.Since(started))
		a.answers = append(a.answers, matches...)
	}
	a.cpu = (cpuTime() - began) / time.Duration(o.queries)
	slices.Sort(a.took)
	return a, nil
}

func (a asked) percentile(p int) string { return millis(a.took[(len(a.took)-1)*p/100]) }

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// heap is the bytes in use after a collection.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what finalizers held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// drawer draws vectors about centres.
type drawer struct {
	random  *rand.Rand
	centres [][]float32
	vector  []float32
}

func newDrawer(dimensions int) *drawer {
	d := &drawer{random: rand.New(rand.NewPCG(1, uint64(dimensions))), vector: make([]float32, dimensions)}
	for range 200 {
		centre := make([]float32, dimensions)
		for i := range centre {
			centre[i] = float32(d.random.NormFloat64())
		}
		d.centres = append(d.centres, centre)
	}
	return d
}

// next is of length 1, and valid until it is called again.
func (d *drawer) next() []float32 {
	centre := d.centres[d.random.IntN(len(d.centres))]
	squares := 0.0
	for i, x := range centre {
		d.vector[i] = x + float32(d.random.NormFloat64())
		squares += float64(d.vector[i]) * float64(d.vector[i])
	}
	for i, x := range d.vector {
		d.vector[i] = float32(float64(x) / math.Sqrt(squares))
	}
	return d.vector
}
