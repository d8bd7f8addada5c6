package channels

import (
	"cmp"
	"slices"
)

// scoredChunk is a chunk with its score. Chunks of a file are in the order of their lines, so comparing by file and
// chunk is comparing by path and line.
type scoredChunk struct {
	score float64
	file  uint32
	chunk int
	terms int
}

func compareScored(a, b scoredChunk) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.file, b.file), cmp.Compare(a.chunk, b.chunk))
}

// topList keeps the best of many chunks: a heap whose root is the worst one kept.
type topList struct {
	limit   int
	heap    []scoredChunk
	dropped int
}

func newTopList(limit int) *topList {
	return &topList{limit: limit, heap: make([]scoredChunk, 0, min(limit, 1024))}
}

// takes reports whether a chunk with this score may still come in.
func (t *topList) takes(score float64) bool {
	return len(t.heap) < t.limit || score >= t.heap[0].score
}

func (t *topList) add(c scoredChunk) {
	if len(t.heap) < t.limit {
		t.heap = append(t.heap, c)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if compareScored(t.heap[i], t.heap[parent]) <= 0 {
				break
			}
			t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
			i = parent
		}
		return
	}
	t.dropped++
	if compareScored(c, t.heap[0]) >= 0 {
		return
	}
	t.heap[0] = c
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if compareScored(t.heap[child], t.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// sorted returns the chunks kept, best first.
func (t *topList) sorted() []scoredChunk {
	slices.SortFunc(t.heap, compareScored)
	return t.heap
}
