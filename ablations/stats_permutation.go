package ablations

import (
	"fmt"
	"math"
	"math/rand/v2"
)

const (
	// exactClusters is how many clusters are enumerated: 2^19 outcomes take a few milliseconds.
	exactClusters = 20
	// permutationDraws is how many outcomes are drawn for more clusters; the error of p = .05 is then below .0014.
	permutationDraws = 100_000
)

// signFlip is the two-sided permutation test of paired differences by cluster: under the hypothesis that the arms are
// alike each cluster's difference could as well have the other sign. The statistic is the sum of the clusters' parts. It
// returns p and how it was found.
func signFlip(parts []float64, seed uint64) (p float64, test string) {
	flips, scale := make([]flip, 0, len(parts)), 0.0
	for _, d := range parts {
		scale += math.Abs(d)
		if d != 0 { // a zero has no sign to flip
			flips = append(flips, flip{keep: sums{num: d}, swap: sums{num: -d}})
		}
	}
	t := permutation{flips: flips, statistic: func(s sums) float64 { return s.num }, tolerance: 1e-12 * scale}
	p, how := t.p(seed)
	return p, "sign-flip permutation, " + how
}

// armSwap is the permutation test of the difference of two ratios of sums: under the hypothesis that the arms are alike
// each cluster's arms could as well be swapped, and the difference is computed anew.
func armSwap(clusters []pairedSums, seed uint64) (p float64, test string) {
	var total, fixed sums
	flips := make([]flip, 0, len(clusters))
	for _, c := range clusters {
		total.num += c.a.num + c.b.num
		total.den += c.a.den + c.b.den
		if c.a == c.b {
			fixed.num += c.a.num
			fixed.den += c.a.den
			continue
		}
		flips = append(flips, flip{keep: c.a, swap: c.b})
	}
	statistic := func(a sums) float64 {
		num, den := a.num+fixed.num, a.den+fixed.den
		return ratio(total.num-num, total.den-den) - ratio(num, den)
	}
	t := permutation{flips: flips, statistic: statistic, tolerance: 1e-10 * math.Abs(ratio(total.num, total.den))}
	p, how := t.p(seed)
	return p, "arm-swap permutation, " + how
}

// flip is what a cluster adds to the sums as it is and with its arms swapped.
type flip struct{ keep, swap sums }

// permutation is a test whose statistic is a function of sums over clusters. Outcomes whose statistics differ by less than
// the tolerance count as equal, since the order of additions must not decide.
type permutation struct {
	flips     []flip
	statistic func(sums) float64
	tolerance float64
}

// p is the share of outcomes whose statistic is as far from 0 as the one that was found.
func (t permutation) p(seed uint64) (p float64, how string) {
	var found sums
	for _, f := range t.flips {
		found.num += f.keep.num
		found.den += f.keep.den
	}
	limit := math.Abs(t.statistic(found)) - t.tolerance
	if len(t.flips) <= exactClusters {
		return t.enumerate(limit), "exact"
	}
	return t.draw(limit, seed), fmt.Sprintf("%d draws", permutationDraws)
}

// enumerate goes through all outcomes. Swapping every cluster turns the statistic's sign, so the last one is kept.
func (t permutation) enumerate(limit float64) float64 {
	n := len(t.flips)
	if n == 0 {
		return 1
	}
	last, half := t.flips[n-1].keep, (n-1)/2
	low, high := outcomes(t.flips[:half]), outcomes(t.flips[half:n-1])
	count := 0
	for _, h := range high {
		for _, l := range low {
			if math.Abs(t.statistic(sums{l.num + h.num + last.num, l.den + h.den + last.den})) >= limit {
				count++
			}
		}
	}
	return float64(count) / float64(len(low)*len(high))
}

// draw draws outcomes. The one that was found is counted among them, so that p is never 0 (Phipson and Smyth 2010).
func (t permutation) draw(limit float64, seed uint64) float64 {
	const group = 8
	var tables [][]sums
	for from := 0; from < len(t.flips); from += group {
		tables = append(tables, outcomes(t.flips[from:min(from+group, len(t.flips))]))
	}
	rng := rand.New(rand.NewPCG(seed, permutationStream+uint64(len(t.flips))))
	count := 1
	for range permutationDraws {
		var s sums
		var bits uint64
		for i, table := range tables {
			if i%(64/group) == 0 {
				bits = rng.Uint64()
			}
			part := table[int(bits&(1<<group-1))%len(table)] // a table's length is a power of two
			bits >>= group
			s.num += part.num
			s.den += part.den
		}
		if math.Abs(t.statistic(s)) >= limit {
			count++
		}
	}
	return float64(count) / float64(permutationDraws+1)
}

// outcomes lists the sums of every way to swap or keep the clusters.
func outcomes(flips []flip) []sums {
	list := []sums{{}}
	for _, f := range flips {
		n := len(list)
		for i := range n {
			s := list[i]
			list = append(list, sums{s.num + f.swap.num, s.den + f.swap.den})
			list[i] = sums{s.num + f.keep.num, s.den + f.keep.den}
		}
	}
	return list
}

// mcNemar is the exact two-sided test of paired binary outcomes: wins and losses are the pairs in which the arms differ,
// of which each is as likely to be either (McNemar 1947). It is 1 without such pairs.
func mcNemar(wins, losses int) float64 {
	n, k := wins+losses, min(wins, losses)
	if 2*k >= n {
		return 1
	}
	// The largest term of P(X <= k), by logarithms so that no power of two underflows before it must; the smaller ones
	// follow from it.
	total, _ := math.Lgamma(float64(n) + 1)
	chosen, _ := math.Lgamma(float64(k) + 1)
	others, _ := math.Lgamma(float64(n-k) + 1)
	term := math.Exp(total - chosen - others - float64(n)*math.Ln2)
	sum := term
	for i := k; i > 0 && term > sum*1e-18; i-- {
		term *= float64(i) / float64(n-i+1)
		sum += term
	}
	return min(1, 2*sum)
}

// holm adjusts the p values of hypotheses that were tested together (Holm 1979). The result is in the order of p.
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	sortByValue(order, p)
	adjusted, highest := make([]float64, len(p)), 0.0
	for rank, i := range order {
		highest = max(highest, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = highest
	}
	return adjusted
}
