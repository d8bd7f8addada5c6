package ablations

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The gate decides by measurement whether a channel is on for a class of questions. It asks, in this order, and names the
// first condition that fails:
//
//  1. enough tasks of the class in enough clusters: 60 over 12 repositories, or 100 over 6 calendar months of one;
//  2. the 90% cluster bootstrap interval of the gain in success per 1,000 tokens, over the baseline, lies above 0;
//  3. success itself does not fall;
//  4. the permutation test of the gain gives p < .05 after Holm over every channel and class that had enough tasks;
//  5. the guard metric of the class does not fall by more than .01: nDCG@10, strict acc@5 for issues;
//  6. the 95th percentile of the answers' time and the channel's share of the index are inside their limits.
//
// An interval below 0 keeps the channel off; every other failure is insufficient evidence, which leaves it off as well.
const (
	// GateBudget is the budget in tokens at which the gate measures success.
	GateBudget = 2000

	gateTasks, gateRepositories      = 60, 12 // several repositories
	gateMonthlyTasks, gateMonths     = 100, 6 // one repository
	gateInterval                     = 90     // percent
	gateAlpha                        = 0.05
	gateGuardFall                    = 0.01
	gateRounding                     = 1e-12 // differences below it come from the order of additions
	guardMetric, guardMetricOfIssues = "ndcg@10", "acc@5"
)

// GateInput is what the gate judges.
type GateInput struct {
	Set       TaskSet
	Variants  []Variant // those of the run: the parts that are named below are looked up here
	Answers   Answers
	Latency   map[string]map[string]float64 // variant name to task id to milliseconds
	Costs     []CorpusCost
	Baseline  string            // variant without any channel that is judged
	Arms      map[string]string // channel to the variant of the baseline and that channel
	LeftOut   map[string]string // channel to the variant of all channels but that one; may lack channels
	Alone     map[string]string // channel to the variant of that channel; may lack channels
	All       string            // variant with every channel, "" when none has them all
	Limits    GateLimits
	Seed      uint64
	Resamples int    // 0 means DefaultResamples
	Evidence  string // names the run in the verdicts
}

// GateLimits bound what a channel may cost. 0 means no limit.
type GateLimits struct {
	P95MS      float64 // 95th percentile of the time to answer with the channel on, in milliseconds
	IndexShare float64 // bytes of the channel in the index per byte of the rest of a baseline's index
}

// Judge gives a verdict for every channel that in names and every class: first those of Deterministic, which are always
// on, then the others by name; within a channel in the order of Classes. What the set or the run lacks is said in the
// verdict's Rule. A part is played by the variant that has just its channels and no settings of its own; one that is not
// so counts as not run. costs are what was measured, in the order of the verdicts. The same input gives the same verdicts.
func Judge(in GateInput) (verdicts []Verdict, costs []VerdictCost) {
	b := newScoreboard(in.Set, SummaryOptions{Budgets: []int{GateBudget}, Seed: in.Seed, Resamples: in.Resamples})
	g := gate{GateInput: in, board: b, arms: map[string]*arm{}}
	channels := map[string]bool{}
	for _, named := range []map[string]string{in.Arms, in.LeftOut, in.Alone} {
		for channel := range named {
			channels[channel] = !slices.Contains(Deterministic(), channel)
		}
	}
	for _, channel := range Deterministic() {
		for _, class := range Classes() {
			v, cost := g.alwaysOn(channel, class)
			verdicts, costs = append(verdicts, v), append(costs, cost)
		}
	}
	var cases []gateCase
	for _, channel := range slices.Sorted(maps.Keys(channels)) {
		if channels[channel] {
			for _, class := range Classes() {
				cases = append(cases, g.measure(channel, class))
			}
		}
	}
	adjustVerdicts(cases)
	for _, c := range cases {
		c.Decision, c.Rule = g.decide(c)
		c.Verdict.Cost = c.costOutcome()
		verdicts, costs = append(verdicts, c.Verdict), append(costs, c.cost)
	}
	return verdicts, costs
}

// gate is one judgement.
type gate struct {
	GateInput
	board *scoreboard
	arms  map[string]*arm // by variant name
}

// gateCase is a verdict before its decision, with what it lacks to be judged.
type gateCase struct {
	Verdict
	cost      VerdictCost
	lacking   string // why there is too little to judge, "" when there is enough
	timed     int    // tasks with a latency
	unpriced  bool   // no index was measured
	pairedFor int    // tasks of the guard metric
}

// adjustVerdicts fills PHolm of those that can be judged, which are tested together.
func adjustVerdicts(cases []gateCase) {
	var places []int
	var p []float64
	for i, c := range cases {
		if c.lacking == "" {
			places, p = append(places, i), append(p, c.P)
		}
	}
	for k, adjusted := range holm(p) {
		cases[places[k]].PHolm = adjusted
	}
}

func (g *gate) arm(variant string) *arm {
	a, ok := g.arms[variant]
	if !ok {
		a = g.board.arm(variant, g.Answers[variant])
		g.arms[variant] = a
	}
	return a
}

// alwaysOn has the figures that exist without an arm of the channel's own.
func (g *gate) alwaysOn(channel string, class Class) (Verdict, VerdictCost) {
	base := g.arm(g.Baseline)
	tasks := slices.DeleteFunc(base.tasks(class), func(t int) bool { return g.Set.Tasks[t].NoAnswer })
	v := g.verdict(channel, class)
	v.Decision, v.Rule = AlwaysOn, "part of the baseline that others are measured against"
	v.Arm, v.P, v.PHolm, v.Cost = g.Baseline, 1, 1, CostWithin
	if wrong := g.wrongBaseline(); wrong != "" {
		v.Rule = "always on; " + wrong
	}
	parts, n := g.board.spendings(base, tasks, GateBudget)
	v.Tasks, v.Clusters = n, len(parts)
	v.BaselineSPT = estimate(parts)
	v.ArmSPT = v.BaselineSPT
	v.BaselineSuccess = g.meanOver(base, tasks, metricAt("success", GateBudget))
	v.ArmSuccess = v.BaselineSuccess
	g.contrast(&v)
	cost := g.costOf(channel, class)
	cost.P95MS, _ = g.latency(base, tasks)
	cost.IndexShare, _ = g.indexShare(channel)
	return v, cost
}

// costOf has the limits that a cost is held to.
func (g *gate) costOf(channel string, class Class) VerdictCost {
	return VerdictCost{Channel: channel, Class: class, P95LimitMS: g.Limits.P95MS, IndexLimit: g.Limits.IndexShare}
}

// plays reports whether a variant of the run searches with just these channels under the settings of the run. A pack asks
// every channel whatever verdicts say, so that packs are no evidence for them.
func (g *gate) plays(name string, channels ...string) bool {
	i := slices.IndexFunc(g.Variants, func(v Variant) bool { return v.Name == name })
	if i < 0 || len(g.Variants[i].Settings) > 0 || g.Variants[i].Pack > 0 {
		return false
	}
	return slices.Equal(slices.Compact(slices.Sorted(slices.Values(g.Variants[i].Channels))), slices.Sorted(slices.Values(channels)))
}

// wrongBaseline says why the baseline of the run is none, "" when it is one: a gain over anything else says nothing of the
// channels that are asked when a verdict is obeyed.
func (g *gate) wrongBaseline() string {
	if g.plays(g.Baseline, Deterministic()...) {
		return ""
	}
	if slices.ContainsFunc(g.Variants, func(v Variant) bool { return v.Name == g.Baseline && v.Pack > 0 }) {
		return fmt.Sprintf("the baseline of this run, %q, answers with packs, and verdicts are about searches", g.Baseline)
	}
	return fmt.Sprintf("the baseline of this run, %q, is not %s with the settings in force", g.Baseline, strings.Join(Deterministic(), " and "))
}

// verdict has what is known before anything is measured.
func (g *gate) verdict(channel string, class Class) Verdict {
	v := Verdict{Channel: channel, Class: class, Baseline: g.Baseline, Arm: g.Arms[channel], ClusterKind: g.board.clusters.kind,
		GuardMetric: guardMetric, GuardClass: class, P: 1, PHolm: 1,
		EvidenceRunID: g.Evidence}
	if class == ClassIssue {
		v.GuardMetric = guardMetricOfIssues
	}
	return v
}

// kind is the kind of clusters that the set needs: months when there is one repository, even if times are missing.
func (g *gate) kind() string {
	for _, t := range g.Set.Tasks {
		if t.Repo != g.Set.Tasks[0].Repo {
			return clusterByRepository
		}
	}
	return clusterByMonth
}

// measure computes every figure of one channel and class.
func (g *gate) measure(channel string, class Class) gateCase {
	c := gateCase{Verdict: g.verdict(channel, class), cost: g.costOf(channel, class)}
	g.contrast(&c.Verdict)
	var share bool
	c.cost.IndexShare, share = g.indexShare(channel)
	c.unpriced = !share
	switch wrong := g.wrongBaseline(); {
	case wrong != "":
		c.lacking = wrong
		return c
	case c.Arm == "":
		c.lacking = "no variant with the channel over the baseline was run"
		return c
	case !g.plays(c.Arm, append(Deterministic(), channel)...):
		c.lacking = fmt.Sprintf("the variant %q of this run is not the baseline and %s with the settings in force", c.Arm, channel)
		return c
	}
	base, with := g.arm(g.Baseline), g.arm(c.Arm)
	tasks := slices.DeleteFunc(g.board.both(base, with, class), func(t int) bool { return g.Set.Tasks[t].NoAnswer })
	spt, _ := MetricOf(metricAt("spt", GateBudget))
	pair := g.board.pairRatios(base, with, spt, tasks)
	c.Tasks, c.Clusters = len(pair.differences), len(pair.clusters)
	var before, after []sums
	for _, s := range pair.clusters {
		before, after = append(before, s.a), append(after, s.b)
	}
	c.BaselineSPT, c.ArmSPT, c.Gain = estimate(before), estimate(after), pairedDifference(pair.clusters)
	c.Low, c.High = c.Gain, c.Gain
	if c.Clusters > 1 {
		c.Low, c.High = g.board.bootstrap.pairedInterval(pair.clusters, gateInterval)
		c.P, _ = armSwap(pair.clusters, g.Seed)
	}
	success := metricAt("success", GateBudget)
	c.BaselineSuccess, c.ArmSuccess = g.meanOver(base, tasks, success), g.meanOver(with, tasks, success)
	guard, _ := MetricOf(c.GuardMetric)
	guarded := g.board.pairMeans(base, with, guard, tasks)
	c.GuardChange, c.pairedFor = pairedDifference(guarded.clusters), len(guarded.differences)
	c.cost.P95MS, c.timed = g.latency(with, tasks)
	c.lacking = g.lacks(c.Tasks, c.Clusters, tasks)
	return c
}

// lacks says what is missing to judge a class, "" when nothing is.
func (g *gate) lacks(tasks, clusters int, list []int) string {
	wantTasks, wantClusters, kind := gateTasks, gateRepositories, "repositories"
	if g.kind() == clusterByMonth {
		wantTasks, wantClusters, kind = gateMonthlyTasks, gateMonths, "calendar months of commits"
		const grouping = "the tasks of one repository are grouped by the month of their commits"
		untimed := 0
		for _, t := range list {
			if g.Set.Tasks[t].Time == 0 {
				untimed++
			}
		}
		if untimed > 0 {
			return fmt.Sprintf("%s, and %d of %d tasks have no time", grouping, untimed, tasks)
		}
		if g.board.clusters.kind != clusterByMonth && tasks > 0 {
			return grouping + ", and some tasks of the set have no time"
		}
	}
	if tasks < wantTasks || clusters < wantClusters {
		return fmt.Sprintf("too few tasks: %d over %d %s, at least %d over %d are needed", tasks, clusters, kind, wantTasks, wantClusters)
	}
	return ""
}

// decide applies the conditions in their order.
func (g *gate) decide(c gateCase) (Decision, string) {
	interval := fmt.Sprintf("the %d%% interval of the gain in success per 1,000 tokens", gateInterval)
	if c.lacking != "" {
		return Insufficient, c.lacking
	}
	if c.High < 0 {
		return KeepOff, fmt.Sprintf("%s lies below 0: %+.4f to %+.4f", interval, c.Low, c.High)
	}
	for _, failed := range []struct {
		is   bool
		rule string
	}{
		{c.Low <= 0, fmt.Sprintf("%s does not lie above 0: %+.4f to %+.4f", interval, c.Low, c.High)},
		{c.ArmSuccess < c.BaselineSuccess-gateRounding,
			fmt.Sprintf("success@%d falls from %.4f to %.4f", GateBudget, c.BaselineSuccess, c.ArmSuccess)},
		{!(c.PHolm < gateAlpha), fmt.Sprintf("p is %.4f after Holm, and not below %.2f", c.PHolm, gateAlpha)},
		{c.pairedFor == 0, fmt.Sprintf("no task defines %s, which guards the class", c.GuardMetric)},
		{c.GuardChange < -gateGuardFall-gateRounding,
			fmt.Sprintf("%s of the class changes by %+.4f, more than %.2f down", c.GuardMetric, c.GuardChange, gateGuardFall)},
		{c.untimed(), "times were not measured for every task, and their limit cannot be checked"},
		{c.overTime(), fmt.Sprintf("the 95th percentile of the time is over the limit of %.1f ms", c.cost.P95LimitMS)},
		{c.unweighed(), "the size of the index was not measured, and its limit cannot be checked"},
		{c.overIndex(), fmt.Sprintf("the channel adds more to each byte of the index than the limit of %.3f bytes", c.cost.IndexLimit)},
	} {
		if failed.is {
			return Insufficient, failed.rule
		}
	}
	return Promote, fmt.Sprintf(
		"%s lies above 0: %+.4f to %+.4f, with p %.4f after Holm; success@%d, %s, time and index are inside their limits",
		interval, c.Low, c.High, c.PHolm, GateBudget, c.GuardMetric)
}

// meanOver is the headline mean of a metric over tasks that the arm answered.
func (g *gate) meanOver(a *arm, tasks []int, metric string) float64 {
	m, _ := MetricOf(metric)
	var parts []sums
	for _, c := range g.board.pairMeans(a, a, m, tasks).clusters {
		parts = append(parts, c.a)
	}
	return estimate(parts)
}

// contrast fills what the channel is worth alone, and what is lost from all channels without it.
func (g *gate) contrast(v *Verdict) {
	spt := func(a *arm, tasks []int) float64 {
		parts, _ := g.board.spendings(a, tasks, GateBudget)
		return estimate(parts)
	}
	if name, ok := g.Alone[v.Channel]; ok && g.plays(name, v.Channel) {
		a := g.arm(name)
		v.Alone = spt(a, a.tasks(v.Class))
	}
	if name, ok := g.LeftOut[v.Channel]; ok && g.playsLeftOut(name, v.Channel) {
		all, without := g.arm(g.All), g.arm(name)
		tasks := g.board.both(all, without, v.Class)
		v.LeaveOneOut = spt(without, tasks) - spt(all, tasks)
	}
}

// playsLeftOut reports whether a variant has all channels but one, and All has them all.
func (g *gate) playsLeftOut(name, channel string) bool {
	i := slices.IndexFunc(g.Variants, func(v Variant) bool { return v.Name == g.All })
	if i < 0 || !g.plays(g.All, g.Variants[i].Channels...) {
		return false
	}
	others := slices.DeleteFunc(slices.Clone(g.Variants[i].Channels), func(c string) bool { return c == channel })
	return len(others) < len(g.Variants[i].Channels) && g.plays(name, others...)
}
