package vector

import "agenvantage/internal/topk"

// best keeps the k first of many matches in the order of CompareMatches.
type best struct{ list *topk.List[Match] }

func newBest(k int) *best { return &best{topk.New(k, CompareMatches)} }

// add takes a match in, if it is one of the first k so far. Most are not, and their scores say so.
func (b *best) add(m Match) {
	if last, full := b.list.Last(); !full || m.Score >= last.Score {
		b.list.Add(m)
	}
}

// sorted returns what was kept, best first.
func (b *best) sorted() []Match { return b.list.Sorted() }
