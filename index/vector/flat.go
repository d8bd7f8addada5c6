package vector

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// flat compares the query with every vector. The rows are cut into blocks of a fixed number; goroutines take block after
// block and keep the best of what they saw. The order of matches is total, so the best of the parts are the best of the
// whole, whoever scanned what.
type flat struct {
	rows rows
}

// blockRows is how many rows a goroutine takes at a time, and how often ctx is looked at: 1,024 rows of 768 numbers are 3 MB and
// take about 0.3 ms.
const blockRows = 1024

func newFlat(r rows) *flat { return &flat{r} }

func (f *flat) Len() int        { return len(f.rows.docs) }
func (f *flat) Dimensions() int { return f.rows.dimensions }

func (f *flat) Search(ctx context.Context, query []float32, k int, allow func(doc uint32) bool) ([]Match, error) {
	query, err := unitQuery(query, k, f.rows.dimensions)
	if err != nil {
		return nil, err
	}
	n := len(f.rows.docs)
	if n == 0 {
		return nil, nil
	}
	k = min(k, n)
	blocks := (n + blockRows - 1) / blockRows
	workers := min(runtime.GOMAXPROCS(0), blocks)
	parts := make([]*best, workers)
	var next atomic.Int64
	var panicked atomic.Pointer[any] // of allow: the caller contains it, and could not if it ended another goroutine
	work := func(w int) {
		defer func() {
			if p := recover(); p != nil {
				panicked.CompareAndSwap(nil, &p)
			}
		}()
		parts[w] = newBest(k)
		for ctx.Err() == nil {
			block := int(next.Add(1)) - 1
			if block >= blocks {
				return
			}
			f.scan(block, query, allow, parts[w])
		}
	}
	var running sync.WaitGroup
	for w := 1; w < workers; w++ {
		running.Go(func() { work(w) })
	}
	work(0)
	running.Wait()
	if p := panicked.Load(); p != nil {
		panic(*p)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("scan %d vectors: %w", n, err)
	}
	return merge(parts, k), nil
}

// scan scores every allowed row of a block.
func (f *flat) scan(block int, query []float32, allow func(doc uint32) bool, into *best) {
	from := block * blockRows
	to := min(from+blockRows, len(f.rows.docs))
	for i := from; i < to; i++ {
		doc := f.rows.docs[i]
		if allow == nil || allow(doc) {
			into.add(Match{Doc: doc, Score: score(query, f.rows.vectors[i])})
		}
	}
}

// merge is the k first of all parts.
func merge(parts []*best, k int) []Match {
	all := parts[0].sorted()
	for _, p := range parts[1:] {
		all = append(all, p.sorted()...)
	}
	slices.SortFunc(all, CompareMatches)
	return all[:min(len(all), k)]
}
