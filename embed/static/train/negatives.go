package train

import "math"

// Hard negatives are code of the same package that BM25 (k1 1.2, b 0.75) ranks high for a question and that is not its own. Code that
// scores nearly as high as the right one, or higher, is likely to be an answer too and is skipped.
const (
	hardKept   = 6    // negatives kept for each pair
	hardRanks  = 30   // of the best so many
	falseLimit = 0.95 // of the score of the right code
)

// posting is one piece of one pair's code.
type posting struct {
	pair   int32
	weight float32
}

// mine fills d.hard.
func (d *Data) mine(workers int) {
	d.hard = make([]int32, d.Pairs()*hardKept)
	for i := range d.hard {
		d.hard[i] = -1
	}
	parallel(len(d.Packages), workers, func(from, to int) {
		for pkg := from; pkg < to; pkg++ {
			d.minePackage(d.first[pkg], d.first[pkg+1])
		}
	})
}

// minePackage mines among the pairs from … to-1.
func (d *Data) minePackage(from, to int) {
	n := to - from
	if n < 2 {
		return
	}
	postings := map[uint16][]posting{}
	average := float64(d.code.offset[to]-d.code.offset[from]) / float64(n)
	for i := from; i < to; i++ {
		rows, weights := d.code.text(i)
		length := 1.2 * (0.25 + 0.75*float64(len(rows))/max(average, 1))
		for k, row := range rows {
			tf := math.Exp(max(0, float64(weights[k])*weightStep-1))
			postings[row] = append(postings[row], posting{int32(i - from), float32(tf * 2.2 / (tf + length))})
		}
	}
	scores := make([]float32, n)
	ranked := make([]int32, 0, hardRanks+1)
	for i := from; i < to; i++ {
		clear(scores)
		rows, _ := d.queries.text(i)
		for _, row := range rows {
			list := postings[row]
			if len(list)*3 > n && n > 50 {
				continue // says nothing within the package
			}
			idf := float32(math.Log(1 + (float64(n-len(list))+0.5)/(float64(len(list))+0.5)))
			for _, p := range list {
				scores[p.pair] += float32(idf * p.weight)
			}
		}
		limit := scores[i-from] * falseLimit
		ranked = best(ranked[:0], scores, limit)
		kept := 0
		for _, k := range ranked {
			j := from + int(k)
			if kept == hardKept || d.same(i, j) {
				continue
			}
			d.hard[i*hardKept+kept] = int32(j)
			kept++
		}
	}
}

// best appends the hardRanks highest scores above zero and below limit (0: no limit), the highest first, ties by number.
func best(ranked []int32, scores []float32, limit float32) []int32 {
	for k, s := range scores {
		if s <= 0 || limit > 0 && s >= limit || len(ranked) == hardRanks && s <= scores[ranked[hardRanks-1]] {
			continue
		}
		ranked = append(ranked, int32(k))
		for i := len(ranked) - 1; i > 0 && scores[ranked[i-1]] < s; i-- {
			ranked[i-1], ranked[i] = ranked[i], ranked[i-1]
		}
		ranked = ranked[:min(len(ranked), hardRanks)]
	}
	return ranked
}

// same reports whether the code of pair j is no negative for the question of pair i.
func (d *Data) same(i, j int) bool {
	return i == j || d.queryID[i] == d.queryID[j] || d.codeID[i] == d.codeID[j] || d.places[i].overlaps(d.places[j])
}
