package ablations

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPercentile(t *testing.T) {
	for _, x := range []struct {
		sorted  []float64
		p, want float64
	}{
		{nil, 50, 0},
		{[]float64{7}, 95, 7},
		{[]float64{1, 2, 3, 4, 5}, 0, 1},
		{[]float64{1, 2, 3, 4, 5}, 50, 3},
		{[]float64{1, 2, 3, 4, 5}, 95, 4.8},
		{[]float64{1, 2, 3, 4, 5}, 100, 5},
		{[]float64{10, 20}, 95, 19.5},
		{[]float64{10, 20}, 5, 10.5},
		{[]float64{10, 20}, 101, 20},
		{[]float64{10, 20}, -1, 10},
	} {
		if got := Percentile(x.sorted, x.p); !near(got, x.want) {
			t.Errorf("%v%% of %v: %v, want %v", x.p, x.sorted, got, x.want)
		}
	}
}

func TestPercentileBySelectionEqualsBySorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 200; n++ {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(rng.IntN(1 + n/2)) // with ties
		}
		sorted := slices.Sorted(slices.Values(values))
		for _, p := range []float64{0, 2.5, 5, 50, 95, 97.5, 100} {
			if got, want := percentileOf(values, p), Percentile(sorted, p); got != want {
				t.Fatalf("%v%% of %v: %v, want %v", p, sorted, got, want)
			}
		}
	}
}

func TestBootstrapOfTwoClusters(t *testing.T) {
	b := newBootstrap(5, 4001)
	for _, x := range []struct {
		name      string
		clusters  []sums
		level     float64
		low, high float64
	}{
		// A quarter of the draws has the first cluster twice, a quarter the second, half has both.
		{"means, 95%", []sums{{0, 1}, {1, 1}}, 95, 0, 1},
		{"means, 40%", []sums{{0, 1}, {1, 1}}, 40, .5, .5},
		{"ratio, 95%", []sums{{1, 1}, {0, 3}}, 95, 0, 1},
		{"ratio, 40%", []sums{{1, 1}, {0, 3}}, 40, .25, .25},
		{"one cluster", []sums{{3, 4}}, 95, .75, .75},
		{"no cluster", nil, 95, 0, 0},
		{"equal clusters", []sums{{3, 4}, {3, 4}, {3, 4}}, 95, .75, .75},
		{"nothing spent", []sums{{0, 0}, {0, 0}}, 95, 0, 0},
	} {
		if low, high := b.interval(x.clusters, x.level); !near(low, x.low) || !near(high, x.high) {
			t.Errorf("%s: %v to %v, want %v to %v", x.name, low, high, x.low, x.high)
		}
	}
	// Both arms of a cluster are drawn together: the difference is 1 whatever is drawn, though the arms differ widely.
	paired := []pairedSums{{sums{0, 1}, sums{1, 1}}, {sums{10, 1}, sums{11, 1}}}
	if low, high := b.pairedInterval(paired, 95); !near(low, 1) || !near(high, 1) {
		t.Errorf("paired: %v to %v, want 1 to 1", low, high)
	}
	// Ratios: first twice 1-0, both 2/4-1/4, second twice 1/3-1/3.
	paired = []pairedSums{{sums{0, 1}, sums{1, 1}}, {sums{1, 3}, sums{1, 3}}}
	if low, high := b.pairedInterval(paired, 40); !near(low, .25) || !near(high, .25) {
		t.Errorf("paired ratio: %v to %v, want .25 to .25", low, high)
	}
	if low, high := b.pairedInterval(paired, 95); !near(low, 0) || !near(high, 1) {
		t.Errorf("paired ratio: %v to %v, want 0 to 1", low, high)
	}
}

func TestBootstrapDependsOnTheSeedAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	clusters := make([]sums, 15)
	for i := range clusters {
		clusters[i] = sums{rng.NormFloat64(), 1}
	}
	text := func(b *bootstrap) string { low, high := b.interval(clusters, 95); return fmt.Sprint(low, high) }
	first, used := newBootstrap(1, 500), newBootstrap(1, 500)
	used.interval(clusters[:7], 90)
	want := text(first)
	if got := text(used); got != want {
		t.Errorf("%s after another interval, want %s", got, want)
	}
	if got := text(first); got != want {
		t.Errorf("%s the second time, want %s", got, want)
	}
	if got := text(newBootstrap(2, 500)); got == want {
		t.Error("another seed gives the same interval")
	}
}

// The intervals must hold the truth about as often as they say. Percentile intervals of 20 clusters are a little short.
func TestIntervalsCover(t *testing.T) {
	const runs, clusters = 400, 20
	rng := rand.New(rand.NewPCG(11, 12))
	covered := map[string]int{}
	for run := range runs {
		b := newBootstrap(uint64(run), 500)
		var means, ratios []sums
		var pairs []pairedSums
		for range clusters {
			means = append(means, sums{3 + rng.NormFloat64(), 1})
			den := 1 + rng.Float64()
			ratios = append(ratios, sums{.5*den + .2*rng.NormFloat64(), den})
			shared := rng.NormFloat64()
			pairs = append(pairs, pairedSums{sums{shared, 1}, sums{shared + .2 + .3*rng.NormFloat64(), 1}})
		}
		for _, x := range []struct {
			name  string
			truth float64
			ends  func() (float64, float64)
		}{
			{"means 95", 3, func() (float64, float64) { return b.interval(means, 95) }},
			{"means 90", 3, func() (float64, float64) { return b.interval(means, 90) }},
			{"ratios 90", .5, func() (float64, float64) { return b.interval(ratios, 90) }},
			{"pairs 90", .2, func() (float64, float64) { return b.pairedInterval(pairs, 90) }},
		} {
			if low, high := x.ends(); low <= x.truth && x.truth <= high {
				covered[x.name]++
			}
		}
	}
	for name, limits := range map[string][2]float64{"means 95": {.90, .97}, "means 90": {.84, .93}, "ratios 90": {.84, .93}, "pairs 90": {.84, .93}} {
		if share := float64(covered[name]) / runs; share < limits[0] || share > limits[1] {
			t.Errorf("%s: %.3f of the intervals hold the truth, want %v", name, share, limits)
		}
	}
}

func TestSignFlip(t *testing.T) {
	for _, x := range []struct {
		parts []float64
		want  float64
	}{
		{nil, 1},
		{[]float64{0, 0}, 1},
		{[]float64{5}, 1},
		{[]float64{1, 2, 3}, 2. / 8},
		{[]float64{1, 2, 3, 0}, 2. / 8},
		{[]float64{-1, -2, -3}, 2. / 8},
		{[]float64{3, 1}, 2. / 4},
		{[]float64{3, -1}, 1},
		{[]float64{.1, .2, -.3}, 1}, // a sum of 0 but for rounding
		{[]float64{.1, .1, .1, .1, .1, .1, -.1}, 16. / 128},
	} {
		p, test := signFlip(x.parts, 1)
		if !near(p, x.want) || test != "sign-flip permutation, exact" {
			t.Errorf("%v: %v by %s, want %v", x.parts, p, test, x.want)
		}
	}
}

// Under the hypothesis every arrangement of signs is as likely, so over all of them p must take each value alike.
func TestPermutationsAreUniformUnderTheNull(t *testing.T) {
	const n = 8
	swap, flip := map[float64]int{}, map[float64]int{}
	for mask := range 1 << n {
		parts, clusters := make([]float64, n), make([]pairedSums, n)
		for i := range n {
			parts[i] = float64(int(1) << i) // no two sums are equal
			clusters[i] = pairedSums{sums{1, 2 + .37*float64(i*i)}, sums{1 + math.Sqrt(float64(i)), 3}}
			if mask>>i&1 == 1 {
				parts[i] = -parts[i]
				clusters[i].a, clusters[i].b = clusters[i].b, clusters[i].a
			}
		}
		p, _ := signFlip(parts, 1)
		flip[p]++
		p, _ = armSwap(clusters, 1)
		swap[p]++
	}
	for name, counts := range map[string]map[float64]int{"sign-flip": flip, "arm-swap": swap} {
		for k := 1; k <= 1<<(n-1); k++ {
			if p := float64(k) / (1 << (n - 1)); counts[p] != 2 {
				t.Errorf("%s: p = %v for %d arrangements, want 2", name, p, counts[p])
			}
		}
	}
}

func TestArmSwap(t *testing.T) {
	for _, x := range []struct {
		name     string
		clusters []pairedSums
		want     float64
	}{
		{"nothing", nil, 1},
		{"no difference", []pairedSums{{sums{1, 2}, sums{1, 2}}}, 1},
		// 3/2-1/2 = 1 and its mirror; with one swapped 2/2-2/2 = 0.
		{"two clusters", []pairedSums{{sums{1, 1}, sums{2, 1}}, {sums{0, 1}, sums{1, 1}}}, .5},
		// b spends half: 2/2-2/4 = .5; first swapped 2/3-2/3 = 0.
		{"the same success for fewer tokens", []pairedSums{{sums{1, 2}, sums{1, 1}}, {sums{1, 2}, sums{1, 1}}}, .5},
		// 2/2-0/3 = 1 and its mirror; with one swapped 1/2.5-1/2.5 = 0. The third has nothing to swap.
		{"a cluster alike in both arms stays", []pairedSums{{sums{0, 1}, sums{1, .5}}, {sums{0, 1}, sums{1, .5}}, {sums{0, 1}, sums{0, 1}}}, .5},
	} {
		p, test := armSwap(x.clusters, 1)
		if !near(p, x.want) || test != "arm-swap permutation, exact" {
			t.Errorf("%s: %v by %s, want %v", x.name, p, test, x.want)
		}
	}
}

func TestDrawsComeCloseToEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 5 {
		total, limit := 0.0, 0.0
		flips := make([]flip, 18)
		for i := range flips {
			d := rng.NormFloat64() + .3
			flips[i] = flip{sums{num: d}, sums{num: -d}}
			total += d
		}
		limit = math.Abs(total)
		test := permutation{flips: flips, statistic: func(s sums) float64 { return s.num }}
		exact, drawn := test.enumerate(limit-1e-9), test.draw(limit-1e-9, 7)
		if math.Abs(exact-drawn) > .006 {
			t.Errorf("%v by draws, %v by enumeration", drawn, exact)
		}
	}
}

func TestManyClustersAreDrawn(t *testing.T) {
	parts := make([]float64, 90) // more than one random word a draw
	for i := range parts {
		parts[i] = 1
	}
	p, test := signFlip(parts, 3)
	if p != 1./100001 || test != "sign-flip permutation, 100000 draws" {
		t.Errorf("%v by %s", p, test)
	}
	for i := range parts {
		parts[i] = float64(i%2)*2 - 1
	}
	if p, _ := signFlip(parts, 3); p != 1 {
		t.Errorf("%v for a sum of 0", p)
	}
	// With parts of one size the test is that of 55 wins to 35 losses.
	for i := range parts {
		parts[i] = 1
		if i < 35 {
			parts[i] = -1
		}
	}
	if p, _ := signFlip(parts, 3); math.Abs(p-mcNemar(55, 35)) > .003 {
		t.Errorf("p is %v, want about %v", p, mcNemar(55, 35))
	}
}

func TestMcNemar(t *testing.T) {
	for _, x := range []struct {
		wins, losses int
		want         float64
	}{
		{0, 0, 1}, {3, 3, 1}, {4, 3, 1}, {1, 0, 1},
		{5, 0, 2. / 32}, {0, 5, 2. / 32},
		{1, 9, 22. / 1024},
		{10, 3, 756. / 8192},
		{600, 400, 2.7284641560660184e-10},
		{2000, 1800, 0.0012427867782631994},
		{1, 1000, 9.351301457402253e-299},
		{100000, 0, 0}, // below the smallest number
	} {
		if got := mcNemar(x.wins, x.losses); math.Abs(got-x.want) > 1e-10*x.want {
			t.Errorf("%d to %d: %v, want %v", x.wins, x.losses, got, x.want)
		}
	}
	for n := range 400 {
		for k := range n/2 + 1 {
			p := mcNemar(n-k, k)
			if p != mcNemar(k, n-k) || p <= 0 || p > 1 || (k > 0 && p < mcNemar(n-k+1, k-1)) {
				t.Fatalf("%d to %d: %v", n-k, k, p)
			}
		}
	}
}

func TestHolm(t *testing.T) {
	for _, x := range []struct{ p, want []float64 }{
		{nil, nil},
		{[]float64{.03}, []float64{.03}},
		{[]float64{.01, .04, .03, .005}, []float64{.03, .06, .06, .02}},
		{[]float64{.5, .9, .5}, []float64{1, 1, 1}},
		{[]float64{.02, .02}, []float64{.04, .04}},
		{[]float64{.001, .03, .031}, []float64{.003, .06, .06}}, // the last would be .031 without the step before it
	} {
		got := holm(x.p)
		if len(got) != len(x.want) {
			t.Fatalf("%v: %v", x.p, got)
		}
		for i := range got {
			if !near(got[i], x.want[i]) {
				t.Errorf("%v: %v, want %v", x.p, got, x.want)
			}
		}
	}
}

func TestNeeded(t *testing.T) {
	for _, x := range []struct {
		sd, effect float64
		clustered  bool
		want       int
	}{
		{.17, .01, false, 2269}, {.17, .02, false, 568}, {.17, .03, false, 253}, {.17, .05, false, 91}, {.17, .02, true, 965}, {0, .02, true, 0},
	} {
		if got := neededBySpread(x.sd, x.effect, x.clustered); got != x.want {
			t.Errorf("%+v: %d", x, got)
		}
	}
	for _, x := range []struct {
		discordant, effect float64
		clustered          bool
		want               int
	}{
		{.10, .03, false, 870}, {.15, .05, false, 469}, {.20, .08, false, 243}, {.25, .10, false, 194}, {.15, .05, true, 797}, {0, .05, true, 0},
		{.01, .05, false, 155}, // as .05
	} {
		if got := neededByDiscordance(x.discordant, x.effect, x.clustered); got != x.want {
			t.Errorf("%+v: %d", x, got)
		}
	}
	if d := deviation([]float64{1, 2, 3, 4}); !near(d, math.Sqrt(5./3)) {
		t.Errorf("deviation %v", d)
	}
	if d := deviation([]float64{1}); d != 0 {
		t.Errorf("deviation %v of one value", d)
	}
}
