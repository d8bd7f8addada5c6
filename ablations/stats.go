package ablations

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Percentile is the value below which p percent of sorted lie, by linear interpolation between the closest ranks: the
// value at place p/100·(n-1), counted from 0 (rule 7 of Hyndman and Fan 1996, of which the mirror image of the data gives
// the mirror image of the percentile). sorted is ascending. It is 0 for no values; p outside of 0 to 100 gives an end.
func Percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	below, part := percentilePlace(len(sorted), p)
	if part == 0 {
		return sorted[below]
	}
	return between(sorted[below], sorted[below+1], part)
}

// percentilePlace is the rank below percentile p of n values and how far it is from there to the next one.
func percentilePlace(n int, p float64) (below int, part float64) {
	place := min(max(p, 0), 100) / 100 * float64(n-1)
	whole := math.Floor(place)
	return int(whole), place - whole
}

func between(a, b, part float64) float64 { return a + float64(part*(b-a)) }

// percentileOf is Percentile of values in any order, which it reorders: selecting two ranks costs a tenth of sorting.
func percentileOf(values []float64, p float64) float64 {
	below, part := percentilePlace(len(values), p)
	low := selectRank(values, below)
	if part == 0 {
		return low
	}
	return between(low, slices.Min(values[below+1:]), part)
}

// selectRank reorders values so that the one of the rank k stands at place k, none greater before it and none smaller
// after it, and returns it (Hoare 1961, the median of three as pivot).
func selectRank(values []float64, k int) float64 {
	low, high := 0, len(values)-1
	for low < high {
		a, b, c := values[low], values[low+(high-low)/2], values[high]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return values[k]
		}
	}
	return values[k]
}

// sums is one cluster's part of an estimate Σnum/Σden over clusters. Three estimates have this form: the mean over
// clusters of their means (num is the cluster's mean and den is 1), the mean over tasks (sum and count), and a ratio of
// sums (the cluster's sums).
type sums struct{ num, den float64 }

func estimate(clusters []sums) float64 {
	var total sums
	for _, c := range clusters {
		total.num += c.num
		total.den += c.den
	}
	return ratio(total.num, total.den)
}

// pairedSums is one cluster's part of two arms' estimates.
type pairedSums struct{ a, b sums }

// pairedDifference is the estimate of arm b less that of arm a.
func pairedDifference(clusters []pairedSums) float64 {
	var a, b sums
	for _, c := range clusters {
		a.num += c.a.num
		a.den += c.a.den
		b.num += c.b.num
		b.den += c.b.den
	}
	return ratio(b.num, b.den) - ratio(a.num, a.den)
}

// bootstrap draws clusters with replacement. The draws depend on the seed, the number of resamples and the number of
// clusters alone, so that every estimate over as many clusters meets the same ones. It keeps what it drew and is not safe
// for concurrent use.
type bootstrap struct {
	seed      uint64
	resamples int
	drawn     map[int][]int32 // by number of clusters: resamples times that many places
	values    []float64
}

// Streams of the seed, so that different uses draw different numbers.
const (
	bootstrapStream   = 0x626f6f74 << 32
	permutationStream = 0x7065726d << 32
)

func newBootstrap(seed uint64, resamples int) *bootstrap {
	return &bootstrap{seed: seed, resamples: resamples, drawn: map[int][]int32{}, values: make([]float64, resamples)}
}

func (b *bootstrap) draws(clusters int) []int32 {
	if known, ok := b.drawn[clusters]; ok {
		return known
	}
	rng := rand.New(rand.NewPCG(b.seed, bootstrapStream+uint64(clusters)))
	draws := make([]int32, b.resamples*clusters)
	for i := range draws {
		draws[i] = int32(rng.IntN(clusters))
	}
	b.drawn[clusters] = draws
	return draws
}

// interval is the percentile bootstrap interval (Efron 1979) of the estimate over clusters, of the given level in percent.
// With fewer than two clusters both ends are the estimate.
func (b *bootstrap) interval(clusters []sums, level float64) (low, high float64) {
	if x := estimate(clusters); len(clusters) < 2 || allEqual(clusters) {
		return x, x
	}
	draws, n := b.draws(len(clusters)), len(clusters)
	for r := range b.values {
		var num, den float64
		for _, place := range draws[r*n : r*n+n] {
			num += clusters[place].num
			den += clusters[place].den
		}
		b.values[r] = ratio(num, den)
	}
	return b.ends(level)
}

// pairedInterval is the interval of the difference of two arms; each resample takes both arms of the clusters it draws.
func (b *bootstrap) pairedInterval(clusters []pairedSums, level float64) (low, high float64) {
	if x := pairedDifference(clusters); len(clusters) < 2 || allEqual(clusters) {
		return x, x
	}
	draws, n := b.draws(len(clusters)), len(clusters)
	for r := range b.values {
		var x, y sums
		for _, place := range draws[r*n : r*n+n] {
			c := &clusters[place]
			x.num += c.a.num
			x.den += c.a.den
			y.num += c.b.num
			y.den += c.b.den
		}
		b.values[r] = ratio(y.num, y.den) - ratio(x.num, x.den)
	}
	return b.ends(level)
}

func (b *bootstrap) ends(level float64) (low, high float64) {
	return percentileOf(b.values, 50-level/2), percentileOf(b.values, 50+level/2)
}

// allEqual reports whether every draw gives the same estimate.
func allEqual[T comparable](clusters []T) bool {
	for _, c := range clusters[1:] {
		if c != clusters[0] {
			return false
		}
	}
	return true
}
