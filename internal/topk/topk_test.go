package topk

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestListKeepsTheFirst(t *testing.T) {
	type pair struct{ score, number int }
	order := func(a, b pair) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.number, b.number)) }
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		n, k := r.IntN(60), 1+r.IntN(20)
		l := New(k, order)
		var all []pair
		for i := range n {
			all = append(all, pair{r.IntN(5), i})
		}
		r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, v := range all {
			l.Add(v)
		}
		slices.SortFunc(all, order)
		last, full := l.Last()
		if full != (n >= k) || full && last != all[k-1] {
			t.Fatalf("%d of %d: last %v, full %v, want %v", k, n, last, full, all)
		}
		if got := l.Sorted(); !slices.Equal(got, all[:min(k, n)]) {
			t.Fatalf("%d of %d: %v, want %v", k, n, got, all[:min(k, n)])
		}
	}
}
