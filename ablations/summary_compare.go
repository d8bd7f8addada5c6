package ablations

import (
	"math"
	"slices"
	"strings"
)

// comparedMetrics lists the metrics in which variants are compared, in the order of reports.
func comparedMetrics() []string {
	return []string{
		"ndcg@10", metricAt("success", GateBudget), metricAt("spt", GateBudget), metricAt("line_recall", GateBudget), "acc@5", "tfh",
		"pack_file_recall", "all_in",
	}
}

// SmallestEffect is the smallest difference of a metric that matters, by which Comparison.Needed is computed: for a share
// of tasks 5 points; for success per 1,000 tokens what 5 points are when GateBudget is spent; for tokens, which are compared
// by their natural logarithm, 10%; for every other metric 2 points, about what 1,000 tasks in clusters can show.
func SmallestEffect(metric string) float64 {
	m, _ := MetricOf(metric)
	switch {
	case m.Binary:
		return 0.05
	case m.Ratio:
		return 0.05 / (GateBudget / 1000.)
	case m.Unit == "tokens":
		return 0.1
	}
	return 0.02
}

// Compare is variant b against variant a in one metric over the tasks of the class ("" means all) that both answered and
// for which both define the metric; ok is false when there is none, or no metric of that name. A, B and the Holm adjustment
// are left to the caller, who knows the names and what is tested together (AdjustComparisons): PHolm is P. A metric at a
// budget need not be one of o.Budgets.
func Compare(set TaskSet, a, b map[string]Ranking, metric string, class Class, o SummaryOptions) (c Comparison, ok bool) {
	m, known := MetricOf(metric)
	if !known {
		return Comparison{}, false
	}
	family, _, _ := strings.Cut(m.Name, "@")
	isFamily := func(m Metric) bool { return m.Name == family+"@B" }
	if budget, cut := budgetOf(m.Name); cut && slices.ContainsFunc(Metrics(), isFamily) {
		o.Budgets = append(slices.Clone(o.withDefaults().Budgets), budget)
	}
	board := newScoreboard(set, o)
	return board.compare(board.arm("", a), board.arm("", b), metric, class)
}

// comparisons compares every other arm with the baseline and with the arm of all channels.
func (b *scoreboard) comparisons(arms []*arm) []Comparison {
	var list []Comparison
	names := []string{b.options.Baseline}
	if b.options.All != b.options.Baseline {
		names = append(names, b.options.All)
	}
	for _, name := range names {
		i := slices.IndexFunc(arms, func(a *arm) bool { return a.name == name })
		if i < 0 {
			continue
		}
		for j, other := range arms {
			if j == i {
				continue
			}
			for _, class := range append([]Class{""}, Classes()...) {
				for _, metric := range comparedMetrics() {
					if c, ok := b.compare(arms[i], other, metric, class); ok {
						list = append(list, c)
					}
				}
			}
		}
	}
	AdjustComparisons(list)
	return list
}

// A difference is shown where its interval excludes 0, its p after Holm is below shownAlpha, and the test had a chance to
// say so: of five clusters the 2 of 2^5 outcomes that are as far from 0 as the farthest have p .0625.
const (
	shownAlpha    = 0.05
	shownClusters = 6
)

func (c Comparison) isShown() bool {
	return c.Clusters >= shownClusters && (c.Low > 0 || c.High < 0) && c.PHolm < shownAlpha
}

// AdjustComparisons fills PHolm, and Shown by it: what shares A, metric and class was tested together.
func AdjustComparisons(list []Comparison) {
	type family struct {
		a, metric string
		class     Class
	}
	members := map[family][]int{}
	for i, c := range list {
		if c.Test != notTested {
			f := family{c.A, c.Metric, c.Class}
			members[f] = append(members[f], i)
		}
	}
	for _, places := range members {
		p := make([]float64, len(places))
		for k, i := range places {
			p[k] = list[i].P
		}
		for k, adjusted := range holm(p) {
			list[places[k]].PHolm = adjusted
		}
	}
	for i := range list {
		list[i].Shown = list[i].isShown()
	}
}

// notTested is Comparison.Test where there are not two clusters to permute; P is 1 then.
const notTested = "none, fewer than two clusters"

// pairing is two arms over the tasks that both define a metric for.
type pairing struct {
	clusters    []pairedSums
	parts       []float64 // by cluster: what the sign-flip permutation flips
	differences []float64 // by task: what Comparison.Needed takes the spread of
	wins        int
	losses      int
}

func (b *scoreboard) compare(x, y *arm, metric string, class Class) (Comparison, bool) {
	m, _ := MetricOf(metric)
	pair := b.pairMeans
	if m.Ratio {
		pair = b.pairRatios
	}
	p := pair(x, y, m, b.both(x, y, class))
	if len(p.differences) == 0 {
		return Comparison{}, false
	}
	c := Comparison{A: x.name, B: y.name, Metric: metric, Class: class, Wins: p.wins, Losses: p.losses}
	c.Tasks, c.Clusters = len(p.differences), len(p.clusters)
	var before, after []sums
	for _, s := range p.clusters {
		before, after = append(before, s.a), append(after, s.b)
	}
	c.AValue, c.BValue = estimate(before), estimate(after)
	c.Difference = pairedDifference(p.clusters)
	c.Low, c.High = b.bootstrap.pairedInterval(p.clusters, 95)
	clustered, effect := c.Clusters > 1, SmallestEffect(metric)
	switch {
	case m.Binary:
		c.P, c.Test = mcNemar(p.wins, p.losses), "McNemar, exact"
	case !clustered:
		c.P, c.Test = 1, notTested
	case m.Ratio:
		c.P, c.Test = armSwap(p.clusters, b.options.Seed)
	default:
		c.P, c.Test = signFlip(p.parts, b.options.Seed)
	}
	c.PHolm = c.P
	c.Shown = c.isShown()
	if m.Binary {
		c.Needed = neededByDiscordance(float64(p.wins+p.losses)/float64(c.Tasks), effect, clustered)
	} else {
		c.Needed = neededBySpread(deviation(p.differences), effect, clustered)
	}
	return c, true
}

// both lists the tasks of the class that both arms answered.
func (b *scoreboard) both(x, y *arm, class Class) []int {
	return slices.DeleteFunc(x.tasks(class), func(t int) bool { return !y.answered[t] })
}

// pairMeans pairs a metric that has a value for each task. Tokens are tested by their logarithm, since a few answers that
// never find anything would decide otherwise; the values and the interval stay in tokens.
func (b *scoreboard) pairMeans(x, y *arm, m Metric, tasks []int) (p pairing) {
	place := b.place[m.Name]
	scale := func(v float64) float64 { return v }
	if m.Unit == "tokens" {
		scale = func(v float64) float64 { return math.Log(max(1, v)) }
	}
	type part struct{ a, b, scaled, count float64 }
	parts := make([]part, b.clusters.count)
	for _, t := range tasks {
		va, vb := x.values[t][place], y.values[t][place]
		if math.IsNaN(va) || math.IsNaN(vb) {
			continue
		}
		d := scale(vb) - scale(va)
		s := &parts[b.clusters.of[t]]
		s.a += va
		s.b += vb
		s.scaled += d
		s.count++
		p.differences = append(p.differences, d)
		p.count(vb, va, m.HigherIsBetter)
	}
	for _, s := range parts {
		if s.count > 0 {
			p.clusters = append(p.clusters, pairedSums{b.clusters.weigh(s.a, s.count), b.clusters.weigh(s.b, s.count)})
			p.parts = append(p.parts, b.clusters.weigh(s.scaled, s.count).num)
		}
	}
	return p
}

// count counts a task as won or lost by arm b.
func (p *pairing) count(b, a float64, higherIsBetter bool) {
	switch {
	case a == b:
	case (b > a) == higherIsBetter:
		p.wins++
	default:
		p.losses++
	}
}

// pairRatios pairs success per 1,000 tokens. A task is won by the arm whose own ratio is higher; its difference is the
// linear part of its influence on the difference of the two ratios.
func (b *scoreboard) pairRatios(x, y *arm, m Metric, tasks []int) (p pairing) {
	_, budget, _ := strings.Cut(m.Name, "@")
	success, tokens := b.place["success@"+budget], b.place["tokens@"+budget]
	var spent []pairedSums // by task
	all, seen := make([]pairedSums, b.clusters.count), make([]bool, b.clusters.count)
	for _, t := range tasks {
		one := pairedSums{sums{x.values[t][success], x.values[t][tokens] / 1000}, sums{y.values[t][success], y.values[t][tokens] / 1000}}
		if math.IsNaN(one.a.num+one.a.den) || math.IsNaN(one.b.num+one.b.den) {
			continue
		}
		s := &all[b.clusters.of[t]]
		s.a.num += one.a.num
		s.a.den += one.a.den
		s.b.num += one.b.num
		s.b.den += one.b.den
		seen[b.clusters.of[t]] = true
		spent = append(spent, one)
		p.count(ratio(one.b.num, one.b.den), ratio(one.a.num, one.a.den), m.HigherIsBetter)
	}
	var whole pairedSums
	for c, ok := range seen {
		if ok {
			p.clusters = append(p.clusters, all[c])
			whole.a.num += all[c].a.num
			whole.a.den += all[c].a.den
			whole.b.num += all[c].b.num
			whole.b.den += all[c].b.den
		}
	}
	n := float64(len(spent))
	for _, one := range spent {
		p.differences = append(p.differences, influence(one.b, whole.b, n)-influence(one.a, whole.a, n))
	}
	return p
}

// influence is how far one of n tasks pulls the ratio of the whole: (num - ratio·den) over the mean of den.
func influence(one, whole sums, n float64) float64 {
	return ratio(one.num-float64(ratio(whole.num, whole.den)*one.den), whole.den/n)
}
