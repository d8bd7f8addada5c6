package vector

import "slices"

// best keeps the k first of many matches in the order of CompareMatches: a heap whose root is the last one kept.
type best struct {
	k    int
	heap []Match
}

func newBest(k int) *best { return &best{k: k, heap: make([]Match, 0, min(k, 1024))} }

// add takes a match in, if it is one of the first k so far.
func (b *best) add(m Match) {
	if len(b.heap) < b.k {
		b.heap = append(b.heap, m)
		for i := len(b.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if CompareMatches(b.heap[i], b.heap[parent]) <= 0 {
				break
			}
			b.heap[i], b.heap[parent] = b.heap[parent], b.heap[i]
			i = parent
		}
		return
	}
	if m.Score < b.heap[0].Score || CompareMatches(m, b.heap[0]) >= 0 {
		return
	}
	b.heap[0] = m
	for i := 0; ; {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(b.heap); child++ {
			if CompareMatches(b.heap[child], b.heap[last]) > 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		b.heap[i], b.heap[last] = b.heap[last], b.heap[i]
		i = last
	}
}

// sorted returns what was kept, best first.
func (b *best) sorted() []Match {
	slices.SortFunc(b.heap, CompareMatches)
	return b.heap
}
