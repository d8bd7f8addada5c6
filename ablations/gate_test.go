package ablations

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// findsNth says which tasks a variant finds; the n-th task's units for a hit and for a miss.
func findsNth(k int, hit, miss []Unit) func(n int) []Unit {
	return func(n int) []Unit {
		if n%k == 0 {
			return hit
		}
		return miss
	}
}

func units(list ...Unit) []Unit { return list }

// baseline finds every third task with 500 tokens, as the others of these tests do unless they say otherwise.
func baseline() func(n int) []Unit {
	return findsNth(3, units(unit("a.go", 500)), units(unit("z.go", 500)))
}

// frugal finds what baseline finds with a fifth of its tokens.
func frugal() func(n int) []Unit {
	return findsNth(3, units(unit("a.go", 100)), units(unit("z.go", 100)))
}

// frugalIn is frugal in the first repositories of six tasks, and baseline in the others.
func frugalIn(repos int) func(n int) []Unit {
	return func(n int) []Unit {
		if n < repos*6 {
			return frugal()(n)
		}
		return baseline()(n)
	}
}

// gateFixture is a set in which the arm "base+new" of the channel new is judged for one class.
type gateFixture struct {
	repos, each int
	class       Class
	months      bool
	arm         func(n int) []Unit
}

func (f gateFixture) input() GateInput {
	set, answers := planted(f.repos, f.each, f.class, f.months, map[string]func(int) []Unit{"base": baseline(), "base+new": f.arm})
	return GateInput{Set: set, Variants: withParts("new"), Answers: answers, Baseline: "base", All: "all", Arms: map[string]string{"new": "base+new"}, Seed: 5, Evidence: "tasks/config"}
}

func judged(in GateInput) []Verdict {
	list, _ := Judge(in)
	return list
}

// withParts are the variants of a run in which each channel has an arm of its name behind "base+".
func withParts(channels ...string) []Variant {
	list := []Variant{{Name: "base", Channels: Deterministic()}, {Name: "all", Channels: append(Deterministic(), channels...)}}
	for _, c := range channels {
		list = append(list, Variant{Name: "base+" + c, Channels: append(Deterministic(), c)})
	}
	return list
}

// verdictOf finds the verdict on the channel new, or another.
func verdictOf(t *testing.T, list []Verdict, channel string, class Class) Verdict {
	t.Helper()
	for _, v := range list {
		if v.Channel == channel && v.Class == class {
			return v
		}
	}
	t.Fatalf("no verdict on %s for %s", channel, class)
	return Verdict{}
}

// promoted is what is promoted: every condition holds.
func promoted() gateFixture {
	return gateFixture{repos: 12, each: 6, class: ClassNatural, arm: frugal()}
}

// later has the evidence second, far has it in the sixth file.
var later, far = func() (second, sixth func(n int) []Unit) {
	second = findsNth(3, units(unit("z.go", 10), unit("a.go", 100)), units(unit("z.go", 100)))
	var list []Unit
	for i := range 5 {
		list = append(list, unit(fmt.Sprintf("z%d.go", i), 10))
	}
	list = append(list, unit("a.go", 50))
	return second, findsNth(3, list, units(unit("z.go", 100)))
}()

// TestGateDecides changes one thing at a time of what is promoted.
func TestGateDecides(t *testing.T) {
	for _, x := range []struct {
		name     string
		change   func(f *gateFixture)
		decision Decision
		rule     string
	}{
		{"every condition holds", func(f *gateFixture) {}, Promote, "lies above 0: +2.6667 to +2.6667, with p 0.0005 after Holm"},
		{"an oracle", func(f *gateFixture) { f.arm = findsNth(1, units(unit("a.go", 500)), nil) }, Promote, "lies above 0"},
		{"noise in every answer", func(f *gateFixture) {
			f.arm = findsNth(3, units(unit("n.go", 300), unit("a.go", 500)), units(unit("n.go", 300), unit("z.go", 500)))
		}, KeepOff, "lies below 0: -0.2500 to -0.2500"},
		{"20 tasks", func(f *gateFixture) { f.repos, f.each = 4, 5 }, Insufficient, "too few tasks: 20 over 4 repositories, at least 60 over 12 are needed"},
		{"20 tasks with noise", func(f *gateFixture) {
			f.repos, f.each, f.arm = 4, 5, findsNth(1, units(unit("n.go", 2000)), nil)
		}, Insufficient, "too few tasks: 20 over 4"},
		{"60 tasks over 12 repositories", func(f *gateFixture) { f.each = 5 }, Promote, "lies above 0"},
		{"48 tasks over 12 repositories", func(f *gateFixture) { f.each = 4 }, Insufficient, "too few tasks: 48 over 12"},
		{"66 tasks over 11 repositories", func(f *gateFixture) { f.repos = 11 }, Insufficient, "too few tasks: 66 over 11"},
		{"no difference", func(f *gateFixture) { f.arm = baseline() }, Insufficient, "does not lie above 0: +0.0000 to +0.0000"},
		{"gains here, losses there", func(f *gateFixture) {
			f.arm = func(n int) []Unit {
				if n%12 < 6 {
					return frugal()(n)
				}
				return findsNth(3, units(unit("a.go", 900)), units(unit("z.go", 900)))(n)
			}
		}, Insufficient, "does not lie above 0: -"},
		{"success falls", func(f *gateFixture) {
			f.arm = func(n int) []Unit {
				if n%36 == 0 { // its one line does not fit
					return units(Unit{Path: "a.go", Start: 1, End: 1, Tokens: 2001})
				}
				return frugal()(n)
			}
		}, Insufficient, "success@2000 falls from 0.3333 to 0.3056"},
		// 2 of 2^5 outcomes are as far from 0; clusters without a difference have nothing to swap.
		{"p of five clusters", func(f *gateFixture) { f.arm = frugalIn(5) }, Insufficient, "p is 0.0625 after Holm, and not below 0.05"},
		{"p of six clusters", func(f *gateFixture) { f.arm = frugalIn(6) }, Promote, "with p 0.0312 after Holm"},
		{"nDCG falls", func(f *gateFixture) { f.arm = later }, Insufficient, "ndcg@10 of the class changes by -0.1230, more than 0.01 down"},
		{"nDCG falls in one task", func(f *gateFixture) {
			f.arm = func(n int) []Unit {
				if n == 0 {
					return later(n)
				}
				return frugal()(n)
			}
		}, Promote, "lies above 0"},
		{"nDCG does not guard issues", func(f *gateFixture) { f.class, f.arm = ClassIssue, later }, Promote, "acc@5, time and index"},
		{"acc@5 guards issues", func(f *gateFixture) {
			f.class, f.arm = ClassIssue, far
		}, Insufficient, "acc@5 of the class changes by -0.3333"},
		{"108 mined tasks over 12 months", func(f *gateFixture) { f.months, f.each = true, 9 }, Promote, "lies above 0"},
		{"100 mined tasks over 12 months", func(f *gateFixture) { f.months, f.repos, f.each = true, 10, 10 }, Promote, "lies above 0"},
		{"96 mined tasks over 12 months", func(f *gateFixture) { f.months, f.each = true, 8 }, Insufficient,
			"too few tasks: 96 over 12 calendar months of commits, at least 100 over 6 are needed"},
		{"125 mined tasks over 5 months", func(f *gateFixture) { f.months, f.repos, f.each = true, 5, 25 }, Insufficient, "too few tasks: 125 over 5 calendar months"},
	} {
		f := promoted()
		x.change(&f)
		v := verdictOf(t, judged(f.input()), "new", f.class)
		if v.Decision != x.decision || !strings.Contains(v.Rule, x.rule) {
			t.Errorf("%s: %s, %s", x.name, v.Decision, v.Rule)
		}
	}
}

func TestGateLimits(t *testing.T) {
	cost := func(repo string, total, channel int64) CorpusCost {
		return CorpusCost{Repo: repo, Cost: Cost{IndexBytes: total, Channels: map[string]ChannelCost{"new": {IndexBytes: channel}, "other": {IndexBytes: 10}, "bm25f": {IndexBytes: 50}}}}
	}
	for _, x := range []struct {
		name     string
		change   func(in *GateInput)
		decision Decision
		rule     string
	}{
		{"no limits", func(in *GateInput) { in.Latency, in.Costs = nil, nil }, Promote, "lies above 0"},
		{"inside", func(in *GateInput) { in.Limits = GateLimits{P95MS: 150, IndexShare: .5} }, Promote, "lies above 0"},
		{"too slow", func(in *GateInput) { in.Limits = GateLimits{P95MS: 149} }, Insufficient, "the 95th percentile of the time is over the limit of 149.0 ms"},
		{"a time is missing", func(in *GateInput) {
			in.Limits = GateLimits{P95MS: 1000}
			delete(in.Latency["base+new"], in.Set.Tasks[0].ID)
		}, Insufficient, "times were not measured for every task"},
		{"too large", func(in *GateInput) { in.Limits = GateLimits{IndexShare: .49} }, Insufficient,
			"the channel adds more to each byte of the index than the limit of 0.490 bytes"},
		{"no costs", func(in *GateInput) { in.Limits, in.Costs = GateLimits{IndexShare: 1}, nil }, Insufficient, "the size of the index was not measured"},
		{"measured again without the channel", func(in *GateInput) {
			in.Limits = GateLimits{IndexShare: .49}
			in.Costs = append(in.Costs, cost("a", 5000, 0))
		}, Insufficient, "the limit of 0.490 bytes"},
	} {
		in := promoted().input()
		// Without what the two judged channels take 100 and 200 bytes are left, beside 50 and 100 of the channel.
		in.Costs = []CorpusCost{cost("a", 160, 50), cost("b", 310, 100)}
		in.Latency = map[string]map[string]float64{"base": {}, "base+new": {}}
		for _, task := range in.Set.Tasks {
			in.Latency["base"][task.ID], in.Latency["base+new"][task.ID] = 20, 150
		}
		x.change(&in)
		v := verdictOf(t, judged(in), "new", ClassNatural)
		if v.Decision != x.decision || !strings.Contains(v.Rule, x.rule) {
			t.Errorf("%s: %s, %s", x.name, v.Decision, v.Rule)
		}
	}
}

func TestHolmGoesOverAllThatIsJudged(t *testing.T) {
	set, answers := planted(12, 6, ClassNatural, false, map[string]func(int) []Unit{"base": baseline(), "base+one": frugalIn(6), "base+two": baseline()})
	in := GateInput{Set: set, Variants: withParts("one", "two"), Answers: answers, Baseline: "base", Arms: map[string]string{"one": "base+one"}}
	if v := verdictOf(t, judged(in), "one", ClassNatural); v.Decision != Promote || v.P != 1./32 || v.PHolm != 1./32 {
		t.Errorf("alone: %+v", v)
	}
	in.Arms["two"] = "base+two"
	if v := verdictOf(t, judged(in), "one", ClassNatural); v.Decision != Insufficient || v.P != 1./32 || v.PHolm != 2./32 || !strings.Contains(v.Rule, "after Holm") {
		t.Errorf("with another: %+v", v)
	}
	in.Arms["two"] = "not run" // nothing to judge
	if v := verdictOf(t, judged(in), "one", ClassNatural); v.Decision != Promote {
		t.Errorf("with one that was not run: %+v", v)
	}
}

func TestVerdictsAreFilled(t *testing.T) {
	alone := findsNth(6, units(unit("a.go", 100)), units(unit("z.go", 100)))
	all := findsNth(2, units(unit("a.go", 100)), units(unit("z.go", 100)))
	set, answers := planted(12, 6, ClassNatural, false, map[string]func(int) []Unit{
		"base": baseline(), "base+new": frugal(), "all": all, "all-new": baseline(), "only-new": alone, "only-exact": alone, "only-zeta": alone})
	variants := append(withParts("new", "zeta"), Variant{Name: "all-new", Channels: []string{"exact", "bm25f", "zeta"}}, Variant{Name: "only-new", Channels: []string{"new"}},
		Variant{Name: "only-exact", Channels: []string{"exact"}}, Variant{Name: "only-zeta", Channels: []string{"zeta"}})
	in := GateInput{Set: set, Variants: variants, Answers: answers, Baseline: "base", All: "all", Seed: 5, Evidence: "tasks/config", Limits: GateLimits{P95MS: 99, IndexShare: 2},
		Arms: map[string]string{"new": "base+new", "bm25f": "base"}, LeftOut: map[string]string{"new": "all-new"}, Alone: map[string]string{"new": "only-new", "exact": "only-exact", "zeta": "only-zeta"},
		Latency: map[string]map[string]float64{"base+new": {}, "base": {}},
		Costs:   []CorpusCost{{Repo: "a", Cost: Cost{IndexBytes: 30, Channels: map[string]ChannelCost{"new": {IndexBytes: 10}, "exact": {IndexBytes: 5}}}}}}
	for i, task := range set.Tasks {
		in.Latency["base+new"][task.ID], in.Latency["base"][task.ID] = float64(i), 7
	}
	list, costs := Judge(in)
	costOf := func(channel string, class Class) VerdictCost {
		for i, v := range list {
			if v.Channel == channel && v.Class == class && costs[i].Channel == channel && costs[i].Class == class {
				return costs[i]
			}
		}
		t.Fatalf("no cost of %s for %s", channel, class)
		return VerdictCost{}
	}
	if c, want := costOf("new", ClassNatural), (VerdictCost{"new", ClassNatural, 67.45, 99, .5, 2}); !near(c.P95MS, want.P95MS) || c.IndexShare != want.IndexShare || c.P95LimitMS != 99 || c.IndexLimit != 2 {
		t.Errorf("%+v, want %+v", c, want)
	}
	if c := costOf("exact", ClassNatural); c.P95MS != 7 || c.IndexShare != .25 {
		t.Errorf("%+v", c)
	}
	var order []string
	for _, v := range list {
		order = append(order, fmt.Sprintf("%s/%s/%s", v.Channel, v.Class, v.Decision))
	}
	if got, want := strings.Join(order, " "), "exact/symbol/always on exact/natural/always on exact/issue/always on bm25f/symbol/always on bm25f/natural/always on bm25f/issue/always on "+
		"new/symbol/insufficient evidence new/natural/promote new/issue/insufficient evidence "+
		"zeta/symbol/insufficient evidence zeta/natural/insufficient evidence zeta/issue/insufficient evidence"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	v := verdictOf(t, list, "new", ClassNatural)
	v.Rule = ""
	want := Verdict{Channel: "new", Class: ClassNatural, Decision: Promote, Tasks: 72, Clusters: 12, ClusterKind: "repository", Baseline: "base", Arm: "base+new",
		BaselineSPT: 24. / 36, ArmSPT: 24 / 7.2, Gain: 24/7.2 - 24./36, Low: 24/7.2 - 24./36, High: 24/7.2 - 24./36, P: 1. / 2048, PHolm: 1. / 2048,
		BaselineSuccess: 1. / 3, ArmSuccess: 1. / 3, GuardMetric: "ndcg@10", GuardClass: ClassNatural, GuardChange: 0,
		LeaveOneOut: 24./36 - 36/7.2, Alone: 12 / 7.2, Cost: CostWithin, EvidenceRunID: "tasks/config"}
	if !nearVerdict(v, want) {
		t.Errorf("%+v\nwant %+v", v, want)
	}
	v = verdictOf(t, list, "exact", ClassNatural)
	if v.BaselineSPT == 0 || v.ArmSPT != v.BaselineSPT || v.Tasks != 72 || !near(v.Alone, 12/7.2) || v.Rule == "" || v.PHolm != 1 {
		t.Errorf("%+v", v)
	}
	if v = verdictOf(t, list, "zeta", ClassNatural); v.Rule != "no variant with the channel over the baseline was run" || !near(v.Alone, 12/7.2) {
		t.Errorf("%+v", v)
	}
	if again := judged(in); !reflect.DeepEqual(again, list) {
		t.Error("other verdicts the second time")
	}
}

// nearVerdict compares the figures to 1e-9 and all else exactly.
func nearVerdict(a, b Verdict) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if x.Field(i).CanFloat() {
			if !near(x.Field(i).Float(), y.Field(i).Float()) {
				return false
			}
		} else if x.Field(i).Interface() != y.Field(i).Interface() {
			return false
		}
	}
	return true
}

func TestGateJudgesEachClassByItsOwnTasks(t *testing.T) {
	set, answers := planted(12, 12, ClassNatural, false, map[string]func(int) []Unit{"base": baseline(), "base+new": frugal()})
	noise := units(unit("n.go", 300))
	for i, task := range set.Tasks {
		if i%2 == 0 {
			continue
		}
		for name, rankings := range answers { // every other task is of another class, and suffers
			r := rankings[task.ID]
			r.Class, r.Units = ClassSymbol, baseline()(i)
			if name == "base+new" {
				r.Units = append(noise, r.Units...)
			}
			rankings[task.ID] = r
		}
	}
	list := judged(GateInput{Set: set, Variants: withParts("new"), Answers: answers, Baseline: "base", Arms: map[string]string{"new": "base+new"}})
	if v := verdictOf(t, list, "new", ClassNatural); v.Decision != Promote || v.Tasks != 72 {
		t.Errorf("%+v", v)
	}
	if v := verdictOf(t, list, "new", ClassSymbol); v.Decision != KeepOff || v.Tasks != 72 {
		t.Errorf("%+v", v)
	}
	if v := verdictOf(t, list, "new", ClassIssue); v.Decision != Insufficient || v.Tasks != 0 || !strings.HasPrefix(v.Rule, "too few tasks: 0 over 0") {
		t.Errorf("%+v", v)
	}
}

func TestGateCountsTasksThatCanBeJudged(t *testing.T) {
	in := gateFixture{repos: 12, each: 5, class: ClassNatural, arm: frugal()}.input()
	in.Set.Tasks[7].NoAnswer, in.Set.Tasks[7].Gold = true, nil
	if v := verdictOf(t, judged(in), "new", ClassNatural); v.Decision != Insufficient || v.Tasks != 59 {
		t.Errorf("a task without an answer: %+v", v)
	}
	in = gateFixture{repos: 12, each: 5, class: ClassNatural, arm: frugal()}.input()
	delete(in.Answers["base+new"], in.Set.Tasks[7].ID)
	if v := verdictOf(t, judged(in), "new", ClassNatural); v.Decision != Insufficient || v.Tasks != 59 {
		t.Errorf("a task that the arm did not answer: %+v", v)
	}
	in = gateFixture{repos: 12, each: 9, class: ClassNatural, months: true, arm: frugal()}.input()
	in.Set.Tasks[7].Time = 0
	v := verdictOf(t, judged(in), "new", ClassNatural)
	if v.Decision != Insufficient || v.ClusterKind != "repository" || !strings.HasSuffix(v.Rule, "1 of 108 tasks have no time") {
		t.Errorf("a task without a time: %+v", v)
	}
	if list := judged(GateInput{}); len(list) != 6 || list[0].Decision != AlwaysOn {
		t.Errorf("%+v", list)
	}
}

func TestTheGateJudgesOverTheDeterministicChannelsAndTheSettingsInForceAlone(t *testing.T) {
	setting := map[string]string{"fusion.k": "20"}
	for _, x := range []struct {
		name   string
		change func(list []Variant)
		rule   string
	}{
		{"as they should be", func([]Variant) {}, "lies above 0"},
		{"in another order", func(v []Variant) { v[0].Channels = []string{"bm25f", "exact"} }, "lies above 0"},
		{"a baseline of one channel", func(v []Variant) { v[0].Channels = []string{"bm25f"} }, `the baseline of this run, "base", is not exact and bm25f with the settings in force`},
		{"a baseline with the channel", func(v []Variant) { v[0].Channels = append(Deterministic(), "new") }, "the baseline of this run"},
		{"a baseline with a setting", func(v []Variant) { v[0].Settings = setting }, "the baseline of this run"},
		{"an arm with a setting", func(v []Variant) { v[2].Settings = setting }, `the variant "base+new" of this run is not the baseline and new with the settings in force`},
		{"an arm with another channel", func(v []Variant) { v[2].Channels = append(Deterministic(), "new", "more") }, `the variant "base+new"`},
		{"packs", func(v []Variant) { v[0].Pack, v[2].Pack = 6000, 6000 }, `the baseline of this run, "base", answers with packs, and verdicts are about searches`},
		{"an arm with packs", func(v []Variant) { v[2].Pack = 6000 }, `the variant "base+new" of this run is not the baseline and new`},
		{"no such variant", func(v []Variant) { v[2].Name = "gone" }, `the variant "base+new"`},
	} {
		in := promoted().input()
		x.change(in.Variants)
		v := verdictOf(t, judged(in), "new", ClassNatural)
		if want := map[bool]Decision{true: Promote, false: Insufficient}[strings.HasPrefix(x.rule, "lies")]; v.Decision != want || !strings.Contains(v.Rule, x.rule) {
			t.Errorf("%s: %s, %s", x.name, v.Decision, v.Rule)
		}
	}
}

func TestPartsUnderOtherSettingsAreNotReported(t *testing.T) {
	in := promoted().input()
	in.Answers["only"], in.Answers["without"], in.Answers["all"] = in.Answers["base"], in.Answers["base"], in.Answers["base+new"]
	in.Variants = append(in.Variants, Variant{Name: "only", Channels: []string{"new"}}, Variant{Name: "without", Channels: Deterministic()})
	in.Alone, in.LeftOut = map[string]string{"new": "only"}, map[string]string{"new": "without"}
	if v := verdictOf(t, judged(in), "new", ClassNatural); v.Alone == 0 || v.LeaveOneOut == 0 {
		t.Errorf("%+v", v)
	}
	for i := range in.Variants[3:] {
		in.Variants[3+i].Settings = map[string]string{"fusion.k": "20"}
	}
	if v := verdictOf(t, judged(in), "new", ClassNatural); v.Alone != 0 || v.LeaveOneOut != 0 {
		t.Errorf("%+v", v)
	}
}

func TestIndexSharesThatWobbleAreTheSame(t *testing.T) {
	for x, want := range map[float64]float64{0: 0, 0.49951: .5, 0.50049: .5, 1.3149: 1.3, 1.35001: 1.4, 0.012345: .012, 123: 120} {
		if got := twoDigits(x); got != want {
			t.Errorf("%v: %v, want %v", x, got, want)
		}
	}
}
