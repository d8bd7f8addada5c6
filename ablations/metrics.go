package ablations

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// TokenCap stands for "never found" in the metrics that count tokens to evidence: about what an agent spends before it
// asks another way.
const TokenCap = 32000

// Values are the metrics of one task under one variant, by name (see Metrics). A metric that the task or the answer does
// not define is absent.
type Values map[string]float64

// Measure scores one answer. budgets are in tokens and give one value of each metric whose name ends in "@B"; their order
// does not matter. A task without an answer has no metric but false_confidence, every other task has all but that one; those
// of packs are for answers that are packs.
func Measure(t Task, r Ranking, budgets []int) Values {
	v := Values{}
	if t.NoAnswer {
		confident := len(r.Units) > 0 && !r.Caveat && r.Status != "insufficient" && r.Status != "partial"
		v["false_confidence"] = truth(confident)
		return v
	}
	m := matchAnswer(t, r)
	measureRanks(v, m)
	if len(t.Gold) > 0 {
		gold := goldFiles(t)
		measureFiles(v, m, gold)
		measureEvidence(v, m, gold, budgets)
		measurePack(v, m, gold)
	}
	return v
}

// truth is 1 or 0.
func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// metricAt is the name of a metric at a cut-off: metricAt("success", 2000) is "success@2000".
func metricAt(metric string, k int) string { return metric + "@" + strconv.Itoa(k) }

// measureRanks gives the metrics of code search. Every range of every gold and optional target is a target of its own, of
// the same gain.
func measureRanks(v Values, m *matched) {
	targets := rankTargets(m.task)
	chunks := make([]int, len(targets))
	files := make([]int, len(targets))
	for i, t := range targets {
		same := m.same(t.path)
		chunks[i] = m.firstUnit(t, same)
		files[i] = m.firstFile(same)
	}
	v["ndcg@5"], v["ndcg@10"] = ndcg(chunks, 5), ndcg(chunks, 10)
	v["recall@10"], v["mrr@10"] = recallAndReciprocal(chunks, 10)
	v["hit@1"] = truth(slices.Contains(chunks, 1))
	v["file_ndcg@10"] = ndcg(files, 10)
	v["file_recall@10"], v["file_mrr@10"] = recallAndReciprocal(files, 10)
}

// ndcg is the normalised discounted cumulative gain of targets whose first hits have the given ranks, 0 for none. A rank
// gains 1 once, however many targets it hits, discounted by log2(rank+1) (Järvelin and Kekäläinen 2002); the ideal list
// has one target on each of the first ranks.
func ndcg(ranks []int, k int) float64 {
	hits := make([]bool, k+1)
	for _, r := range ranks {
		if r > 0 && r <= k {
			hits[r] = true
		}
	}
	var got, ideal float64
	for rank := 1; rank <= k; rank++ {
		gain := 1 / math.Log2(float64(rank+1))
		if hits[rank] {
			got += gain
		}
		if rank <= len(ranks) {
			ideal += gain
		}
	}
	if ideal == 0 {
		return 0
	}
	return got / ideal
}

// recallAndReciprocal is the share of targets with a hit in the first k, and 1 through the best rank among them.
func recallAndReciprocal(ranks []int, k int) (recall, reciprocal float64) {
	hits, best := 0, 0
	for _, r := range ranks {
		if r == 0 || r > k {
			continue
		}
		hits++
		if best == 0 || r < best {
			best = r
		}
	}
	if hits == 0 {
		return 0, 0
	}
	return float64(hits) / float64(len(ranks)), 1 / float64(best)
}

// fileCuts are the list lengths at which files are scored, those of the localisation literature.
var fileCuts = []int{1, 3, 5, 10, 50}

// measureFiles gives the metrics over the ranked files of a search.
func measureFiles(v Values, m *matched, gold []goldFile) {
	ranks := make([]int, len(gold)) // 1-based, 0 for none
	for i, g := range gold {
		ranks[i] = m.fileRank(g.path)
	}
	for _, k := range fileCuts {
		found := 0
		for _, r := range ranks {
			if r > 0 && r <= k {
				found++
			}
		}
		v[metricAt("acc", k)] = truth(found == len(gold))
		v[metricAt("gold_file_recall", k)] = float64(found) / float64(len(gold))
	}
}

// SuccessPerKilotoken is the sum of success@budget over the sum of the tokens shown within budget, in thousands: a ratio
// of sums, so that an answer that stops early pays for longer ones. Tasks that lack either metric are left out. It is 0
// when no token was shown.
func SuccessPerKilotoken(values []Values, budget int) float64 {
	var success, tokens float64
	for _, v := range values {
		s, ok := v[metricAt("success", budget)]
		t, spent := v[metricAt("tokens", budget)]
		if ok && spent {
			success += s
			tokens += t
		}
	}
	return ratio(success, tokens/1000)
}

// ratio is a/b, and 0 where b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// The ends of the range of budgets, in tokens, that evidence_area covers.
const (
	areaFrom = 500
	areaTo   = 8000
)

// areaOverBudgets is the area under a metric over the binary logarithm of the budgets from areaFrom to areaTo, by trapezoids and
// divided by the width, so that a metric that is 1 everywhere has the area 1. A single budget gives its value; false means
// that no budget is inside.
func areaOverBudgets(budgets []int, value func(budget int) float64) (float64, bool) {
	var inside []int
	for _, b := range budgets {
		if b >= areaFrom && b <= areaTo {
			inside = append(inside, b)
		}
	}
	slices.SortFunc(inside, cmp.Compare[int])
	inside = slices.Compact(inside)
	switch len(inside) {
	case 0:
		return 0, false
	case 1:
		return value(inside[0]), true
	}
	var sum, width float64
	for i := 1; i < len(inside); i++ {
		step := math.Log2(float64(inside[i]) / float64(inside[i-1]))
		sum += step * (value(inside[i-1]) + value(inside[i])) / 2
		width += step
	}
	return sum / width, true
}
