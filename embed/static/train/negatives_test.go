package train

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBestIsTheHeadOfTheSortedList compares with a full sort.
func TestBestIsTheHeadOfTheSortedList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		scores := make([]float32, random.IntN(120))
		for i := range scores {
			scores[i] = float32(random.IntN(12)) // with ties and zeros
		}
		limit := float32(random.IntN(14))
		var want []int32
		for i, s := range scores {
			if s > 0 && (limit == 0 || s < limit) {
				want = append(want, int32(i))
			}
		}
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(scores[b], scores[a]) })
		want = want[:min(len(want), hardRanks)]
		if got := best(nil, scores, limit); !slices.Equal(got, want) {
			t.Fatalf("%v below %v: %v, want %v", scores, limit, got, want)
		}
	}
}

// TestHardNegativesAreWrongAndNear plants a right code, a near one, one that is as good as the right one, one of the same
// lines and one of another subject.
func TestHardNegativesAreWrongAndNear(t *testing.T) {
	_, d := smallData(t, 24)
	set := func(b *bags, texts [][]uint16) {
		*b = *newBags()
		for _, rows := range texts {
			b.rows = append(b.rows, rows...)
			for range rows {
				b.weight = append(b.weight, 32)
			}
			b.offset = append(b.offset, uint32(len(b.rows)))
		}
	}
	set(d.queries, [][]uint16{{1, 2, 3}, {9}, {9}, {9}, {9}})
	set(d.code, [][]uint16{{1, 2, 3, 10}, {1, 2, 11, 12}, {1, 2, 3, 13}, {1, 2, 14, 15}, {20, 21, 22, 23}})
	d.places = []place{{file: 1, start: 1, end: 5}, {file: 2, start: 1, end: 5}, {file: 3, start: 1, end: 5}, {file: 1, start: 3, end: 4}, {file: 4, start: 1, end: 5}}
	d.queryID, d.codeID = []uint32{1, 2, 3, 4, 5}, []uint32{1, 2, 3, 4, 5}
	d.Packages, d.first = []string{"a"}, []int{0, 5}
	d.mine(1)
	if got := d.hard[:hardKept]; got[0] != 1 || got[1] != -1 {
		t.Errorf("negatives of the first question: %v, want pair 1 alone", got)
	}
}
