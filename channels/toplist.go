package channels

import (
	"cmp"

	"agenvantage/internal/topk"
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

// topList keeps the best of many chunks and counts the others.
type topList struct {
	list    *topk.List[scoredChunk]
	dropped int
}

func newTopList(limit int) *topList {
	return &topList{list: topk.New(limit, compareScored)}
}

// takes reports whether a chunk with this score may still come in.
func (t *topList) takes(score float64) bool {
	last, full := t.list.Last()
	return !full || score >= last.score
}

func (t *topList) add(c scoredChunk) {
	if _, full := t.list.Last(); full {
		t.dropped++
	}
	t.list.Add(c)
}

// sorted returns the chunks kept, best first.
func (t *topList) sorted() []scoredChunk { return t.list.Sorted() }
