package ablations

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// readBoard reads a task set with answers, written as "REPO/ID CLASS CATEGORY: variant=UNITS; variant=UNITS". Every task wants
// a.go:1-10.
func readBoard(t *testing.T, lines ...string) (TaskSet, Answers) {
	t.Helper()
	set, answers := TaskSet{Name: "test"}, Answers{}
	for _, l := range lines {
		head, rankings, _ := strings.Cut(l, ": ")
		f := strings.Fields(head)
		task := readTask(t, "a.go:1-10")
		task.Repo, _, _ = strings.Cut(f[0], "/")
		task.ID, task.Category, task.Language, task.Query, task.Source = f[0], f[2], "go", "where is "+f[0], "hand"
		set.Tasks = append(set.Tasks, task)
		for _, r := range strings.Split(rankings, "; ") {
			name, units, ok := strings.Cut(r, " = ")
			if !ok {
				continue
			}
			if answers[name] == nil {
				answers[name] = map[string]Ranking{}
			}
			answers[name][task.ID] = Ranking{Task: task.ID, Class: Class(f[1]), Units: readUnits(t, units)}
		}
	}
	return set, answers
}

func variantsOf(names ...string) (list []Variant) {
	for _, n := range names {
		list = append(list, Variant{Name: n})
	}
	return list
}

func TestSummariseByHand(t *testing.T) {
	set, answers := readBoard(t,
		"A/1 symbol x: base = a.go:1-10=1000; all = a.go:1-10=500",
		"A/2 symbol y: base = z.go:1-10=400; all = a.go:1-10=500",
		"B/1 natural x: base = z.go:1-5=1000 a.go:1-5=100; all = z.go:1-5=600",
		"B/2 natural x: all = a.go:1-1=100",
	)
	set.Tasks[3].Language, set.Tasks[3].Category, set.Notes = "", "", []string{"a note"}
	s := Summarise(set, variantsOf("base", "all"), answers, SummaryOptions{Budgets: []int{1000, 2000}, Seed: 1, Resamples: 500, Baseline: "base", All: "all"})

	// nDCG@10 of base: A 1 and 0, B 1/log2(3).
	base := s.Variants[0]
	want := Estimate{RepoMean: (.5 + 0.6309297535714575) / 2, QueryMean: (1 + 0.6309297535714575) / 3, Low: .5, High: 0.6309297535714575, Tasks: 3, Clusters: 2}
	checkEstimate(t, "ndcg@10", base.Overall["ndcg@10"], want)
	// Two successes over 1000+400+1100 tokens; A has 1 over 1400, B 1 over 1100.
	checkEstimate(t, "spt@2000", base.Overall["spt@2000"], Estimate{RepoMean: .8, QueryMean: .8, Low: 1 / 1.4, High: 1 / 1.1, Tasks: 3, Clusters: 2})
	checkEstimate(t, "success@1000", base.Overall["success@1000"], Estimate{RepoMean: .25, QueryMean: 1. / 3, Low: 0, High: .5, Tasks: 3, Clusters: 2})
	checkEstimate(t, "tfh", base.Overall["tfh"], Estimate{RepoMean: (16500. + 1100) / 2, QueryMean: 34100. / 3, Low: 1100, High: 16500, Tasks: 3, Clusters: 2})
	if _, ok := base.Overall["false_confidence"]; ok {
		t.Error("false_confidence without such tasks")
	}
	one := Estimate{RepoMean: .5, QueryMean: .5, Low: .5, High: .5, Tasks: 2, Clusters: 1}
	checkEstimate(t, "repository A", base.ByRepo[0].Scores["success@2000"], one)
	checkEstimate(t, "class symbol", base.ByClass[0].Scores["success@2000"], one)

	names := func(groups []Group) (list []string) {
		for _, g := range groups {
			list = append(list, fmt.Sprintf("%s %d", g.Name, g.Scores["tokens@2000"].Tasks))
		}
		return list
	}
	all := s.Variants[1]
	got := fmt.Sprint(names(all.ByRepo), names(all.ByClass), names(all.ByCategory), names(all.ByLanguage), names(base.ByLanguage))
	if w := "[A 2 B 2] [symbol 2 natural 2] [(none) 1 x 2 y 1] [(none) 1 go 3] [go 3]"; got != w {
		t.Errorf("groups %s, want %s", got, w)
	}
	info, err := json.Marshal(s.Tasks)
	if err != nil {
		t.Fatal(err)
	}
	if w := `{"count":4,"repositories":[{"name":"A","language":"go","tasks":2,"revisions":[""]},{"name":"B","language":"","tasks":2,"revisions":[""]}],` +
		`"classes":[{"name":"symbol","count":2},{"name":"natural","count":2}],"categories":[{"name":"(none)","count":1},{"name":"x","count":2},{"name":"y","count":1}],` +
		`"languages":[{"name":"(none)","count":1},{"name":"go","count":3}],"sources":[{"name":"hand","count":4}],"no_answer":0,"missing_answers":1,` +
		`"notes":["a note","variant base answered 3 of 4 tasks"]}`; string(info) != w {
		t.Errorf("tasks %s\nwant  %s", info, w)
	}
}

func checkEstimate(t *testing.T, name string, got, want Estimate) {
	t.Helper()
	if !near(got.RepoMean, want.RepoMean) || !near(got.QueryMean, want.QueryMean) || !near(got.Low, want.Low) || !near(got.High, want.High) ||
		got.Tasks != want.Tasks || got.Clusters != want.Clusters {
		t.Errorf("%s: %+v, want %+v", name, got, want)
	}
}

func findComparison(t *testing.T, list []Comparison, a, b, metric string, class Class) Comparison {
	t.Helper()
	for _, c := range list {
		if c.A == a && c.B == b && c.Metric == metric && c.Class == class {
			return c
		}
	}
	t.Fatalf("no comparison of %s and %s in %s %q", a, b, metric, class)
	return Comparison{}
}

func TestComparisonsByHand(t *testing.T) {
	set, answers := readBoard(t,
		"A/1 symbol x: base = a.go:1-10=1000; all = a.go:1-10=500; third = a.go:1-10=1000",
		"A/2 symbol y: base = z.go:1-10=400; all = a.go:1-10=500; third = z.go:1-10=400",
		"B/1 natural x: base = z.go:1-5=1000 a.go:1-5=100; all = z.go:1-5=600; third = z.go:1-5=1000 a.go:1-5=100",
		"B/2 natural x: all = a.go:1-1=100",
	)
	o := SummaryOptions{Budgets: []int{1000}, Seed: 1, Resamples: 500, Baseline: "base", All: "all"}
	list := Summarise(set, variantsOf("base", "all", "third"), answers, o).Comparisons

	c := findComparison(t, list, "base", "all", "success@2000", "")
	// A .5 to 1, B 1 to 0; one task won, one lost; B/2 was answered by one arm alone.
	want := Comparison{A: "base", B: "all", Metric: "success@2000", AValue: .75, BValue: .5, Difference: -.25, Low: -1, High: .5, P: 1, PHolm: 1,
		Test: "McNemar, exact", Tasks: 3, Clusters: 2, Wins: 1, Losses: 1, Needed: neededByDiscordance(2./3, .05, true)}
	if c != want {
		t.Errorf("%+v\nwant %+v", c, want)
	}
	// 2 over 2500 tokens and 2 over 1600. The same success for half the tokens wins a task, and so does success after none.
	c = findComparison(t, list, "base", "all", "spt@2000", "")
	if !near(c.AValue, .8) || !near(c.BValue, 1.25) || !near(c.Difference, .45) || c.Wins != 2 || c.Losses != 1 || c.Test != "arm-swap permutation, exact" {
		t.Errorf("%+v", c)
	}
	// With the arms swapped in A alone: 1 over 2000 less 3 over 2100, further from 0 than .45; in B alone the mirror of it.
	if c.P != 1 {
		t.Errorf("p of the ratio is %v", c.P)
	}
	// Tokens to the first hit are better when fewer: A/1 and A/2 are won.
	c = findComparison(t, list, "base", "all", "tfh", "")
	if c.Wins != 2 || c.Losses != 1 || !near(c.Difference, (500-16500)/2.+(32000-1100)/2.) || c.Test != "sign-flip permutation, exact" {
		t.Errorf("%+v", c)
	}
	// One repository in the class: there is no interval, and nothing is shown.
	c = findComparison(t, list, "base", "all", "ndcg@10", ClassSymbol)
	if c.Clusters != 1 || c.Low != c.Difference || c.High != c.Difference || c.Shown || c.P != 1 || c.Test != notTested || !near(c.Difference, .5) {
		t.Errorf("%+v", c)
	}
	// An arm that is the baseline again.
	c = findComparison(t, list, "base", "third", "ndcg@10", "")
	if c.Difference != 0 || c.Low != 0 || c.High != 0 || c.Shown || c.P != 1 || c.Needed != 0 || c.Wins+c.Losses != 0 {
		t.Errorf("%+v", c)
	}
	findComparison(t, list, "all", "third", "acc@5", "")
	for _, c := range list {
		if c.Class == ClassIssue || (c.A == c.B) {
			t.Errorf("%+v", c)
		}
	}
}

// planted makes tasks over repositories (or months of one) that base fails and finds by turns; draw gives the units of a
// variant for the n-th task.
func planted(repos, each int, class Class, months bool, draw map[string]func(n int) []Unit) (TaskSet, Answers) {
	set, answers := TaskSet{Name: "planted"}, Answers{}
	n := 0
	for r := range repos {
		for i := range each {
			task := Task{ID: fmt.Sprintf("%02d/%03d", r, i), Repo: fmt.Sprintf("repo%02d", r), Source: "planted", Match: MatchExact,
				Gold: []Target{{Path: "a.go"}}, Query: "q"}
			if months {
				task.Repo, task.Source = "own", "mined"
				task.Time = time.Date(2023, time.Month(1+r), 1+i%28, 12, 0, 0, 0, time.UTC).Unix()
			}
			set.Tasks = append(set.Tasks, task)
			for name, units := range draw {
				if answers[name] == nil {
					answers[name] = map[string]Ranking{}
				}
				answers[name][task.ID] = Ranking{Task: task.ID, Class: class, Units: units(n)}
			}
			n++
		}
	}
	return set, answers
}

func unit(path string, tokens int) Unit { return Unit{Path: path, Start: 1, End: 10, Tokens: tokens} }

// everyNth finds every k-th task.
func everyNth(k int) func(n int) []Unit {
	return func(n int) []Unit {
		if n%k == 0 {
			return []Unit{unit("a.go", 500)}
		}
		return []Unit{unit("z.go", 500)}
	}
}

func TestPlantedDifferenceIsShown(t *testing.T) {
	set, answers := planted(15, 6, ClassNatural, false, map[string]func(int) []Unit{"base": everyNth(3), "all": everyNth(1), "same": everyNth(3)})
	s := Summarise(set, variantsOf("base", "same", "all"), answers, SummaryOptions{Seed: 9, Baseline: "base", All: "all"})
	for _, metric := range []string{"ndcg@10", "success@2000", "spt@2000", "acc@5", "tfh"} {
		c := findComparison(t, s.Comparisons, "base", "all", metric, ClassNatural)
		if !c.Shown || c.P > .001 || !near(c.PHolm, 2*c.P) || c.Wins != 60 || c.Losses != 0 || c.Clusters != 15 {
			t.Errorf("%+v", c)
		}
		same := findComparison(t, s.Comparisons, "base", "same", metric, "")
		if same.Shown || same.PHolm != 1 {
			t.Errorf("%+v", same)
		}
	}
	c := findComparison(t, s.Comparisons, "base", "all", "ndcg@10", "")
	if !near(c.P, 1./(1<<14)) {
		t.Errorf("p is %v, want that of 15 clusters of one sign", c.P)
	}
	if len(s.Moved) != movedTasks || s.Moved[0].Task != set.Tasks[1].ID || s.Moved[0].A != 0 || s.Moved[0].B != 1 {
		t.Errorf("moved %+v", s.Moved)
	}
}

func TestOneRepositoryIsClusteredByMonth(t *testing.T) {
	draw := map[string]func(int) []Unit{"base": everyNth(3), "all": everyNth(2)}
	set, answers := planted(8, 5, ClassNatural, true, draw)
	o := SummaryOptions{Seed: 9, Resamples: 300, Baseline: "base", All: "all"}
	s := Summarise(set, variantsOf("base", "all"), answers, o)
	e := s.Variants[0].Overall["success@2000"]
	if e.Clusters != 8 || !near(e.RepoMean, 14./40) || !near(e.QueryMean, 14./40) || !(e.Low < e.RepoMean && e.RepoMean < e.High) {
		t.Errorf("%+v", e)
	}
	if c := findComparison(t, s.Comparisons, "base", "all", "ndcg@10", ""); c.Clusters != 8 || !near(c.Difference, 6./40) {
		t.Errorf("%+v", c)
	}
	set.Tasks[3].Time = 0 // no months without every time
	if e := Summarise(set, variantsOf("base", "all"), answers, o).Variants[0].Overall["success@2000"]; e.Clusters != 1 || e.Low != e.High {
		t.Errorf("%+v", e)
	}
}

func TestCompareEqualsTheSummary(t *testing.T) {
	set, answers := planted(14, 4, ClassSymbol, false, map[string]func(int) []Unit{"base": everyNth(3), "all": everyNth(2)})
	o := SummaryOptions{Seed: 4, Resamples: 300, Budgets: []int{500, 4000}, Baseline: "base", All: "all"}
	s := Summarise(set, variantsOf("base", "all"), answers, o)
	for _, metric := range []string{"ndcg@10", "success@2000", "spt@2000", "acc@5", "tfh"} {
		want := findComparison(t, s.Comparisons, "base", "all", metric, ClassSymbol)
		got, ok := Compare(set, answers["base"], answers["all"], metric, ClassSymbol, o)
		got.A, got.B = "base", "all"
		if !ok || got != want {
			t.Errorf("%s: %+v\nwant %+v", metric, got, want)
		}
	}
	if c, ok := Compare(set, answers["base"], answers["all"], "success@333", "", o); !ok || c.Tasks != 56 || !near(c.AValue, 19./56) || c.Clusters != 14 {
		t.Errorf("a budget of its own: %+v, %v", c, ok)
	}
	for _, x := range []struct {
		metric string
		class  Class
	}{{"what", ""}, {"success@B", ""}, {"ndcg@10", ClassIssue}, {"line_recall@2000", ""}, {"false_confidence", ""}} {
		if c, ok := Compare(set, answers["base"], answers["all"], x.metric, x.class, o); ok {
			t.Errorf("%+v: %+v", x, c)
		}
	}
	if _, ok := Compare(set, nil, answers["all"], "ndcg@10", "", o); ok {
		t.Error("a comparison with nothing")
	}
}

func TestSummariesOfNothing(t *testing.T) {
	set, answers := planted(2, 2, ClassSymbol, false, map[string]func(int) []Unit{"base": everyNth(2)})
	o := SummaryOptions{Baseline: "base", All: "all"}
	s := Summarise(set, variantsOf("base", "all"), answers, o)
	if len(s.Comparisons) != 0 || len(s.Moved) != 0 || len(s.Variants) != 2 || len(s.Variants[1].Overall) != 0 || len(s.Variants[1].ByRepo) != 0 {
		t.Errorf("%+v", s)
	}
	if len(s.Tasks.Notes) != 1 || s.Tasks.Notes[0] != "variant all answered 0 of 4 tasks" {
		t.Errorf("%v", s.Tasks.Notes)
	}
	if s := Summarise(TaskSet{}, nil, nil, SummaryOptions{}); len(s.Variants) != 0 || s.Tasks.Count != 0 {
		t.Errorf("%+v", s)
	}
}

// The budget of the gate is measured whatever the budgets are, and must not change what is computed over them.
func TestGateBudgetLeavesTheAreaAlone(t *testing.T) {
	set, answers := readBoard(t, "A/1 symbol x: base = z.go:1-10=1500 a.go:1-10=100", "B/1 symbol x: base = z.go:1-10=1500 a.go:1-10=100")
	s := Summarise(set, variantsOf("base"), answers, SummaryOptions{Budgets: []int{500, 1000}, Resamples: 10})
	if o := s.Variants[0].Overall; o["success@2000"].RepoMean != 1 || o["evidence_area"].RepoMean != 0 || o["spt@2000"].Tasks != 2 {
		t.Errorf("%+v", o)
	}
}

func TestMovedTaskShowsBothRankings(t *testing.T) {
	set, answers := readBoard(t,
		"A/1 symbol x: base = z.go:1-10=10 o.go:3-3=10; all = a.go:1-10=10",
		"A/2 symbol x: base = a.go:1-10=10; all = a.go:1-10=10",
		"A/3 symbol x: base = a.go:1-10=10; all = z.go:1-10=10 a.go:1-10=10",
	)
	set.Tasks[0].Query = strings.Repeat("ä", 200)
	set.Tasks[0].Optional = []Target{readTarget(t, "o.go:1-5,9-9"), {Path: "p.go"}}
	moved := Summarise(set, variantsOf("base", "all"), answers, SummaryOptions{Baseline: "base", All: "all"}).Moved
	if len(moved) != 2 || moved[0].Task != "A/3" || moved[1].Task != "A/1" {
		t.Fatalf("%+v", moved)
	}
	m := moved[1]
	if len(m.Query) != 300 || m.GoldText != "a.go:1-10, o.go:1-5 (optional), o.go:9-9 (optional), p.go (optional)" || m.Metric != "ndcg@10" {
		t.Errorf("%+v", m)
	}
	if got, want := fmt.Sprint(m.UnitsA, m.UnitsB), "[{z.go 1-10 false} {o.go 3-3 true}] [{a.go 1-10 true}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for range 9 {
		set.Tasks[0].Gold[0].Ranges = append(set.Tasks[0].Gold[0].Ranges, set.Tasks[0].Gold[0].Ranges[0])
	}
	if s := evidenceText(set.Tasks[0]); strings.Count(s, ",") != movedGoldPlaces || !strings.HasSuffix(s, ", and 1 more") {
		t.Error(s)
	}
	if s := cutText("aä", 2); s != "a" {
		t.Errorf("%q", s)
	}
}

// randomBoard is a set of several repositories with every kind of task.
func randomBoard(repos, each, variants, units int) (TaskSet, []Variant, Answers) {
	rng := rand.New(rand.NewPCG(8, 9))
	set, answers := TaskSet{}, Answers{}
	var list []Variant
	for v := range variants {
		list = append(list, Variant{Name: fmt.Sprintf("v%02d", v)})
		answers[list[v].Name] = map[string]Ranking{}
	}
	for n := range repos * each {
		task := Task{ID: fmt.Sprintf("t%04d", n), Repo: fmt.Sprintf("r%02d", n/each), Language: fmt.Sprint("l", n/each), Category: fmt.Sprint("c", n%3), Match: MatchSuffix,
			Gold: []Target{{Path: fmt.Sprintf("src/f%d.go", n%7)}}}
		if n%4 == 0 {
			task.Gold = append(task.Gold, readSpan("x/f1.go", 40, 60))
		}
		if n%5 == 0 {
			task.Gold = []Target{readSpan("f2.go", 10, 30), readSpan("f3.go", 5, 5)}
			task.Context = []Place{{Path: "f2.go", Span: task.Gold[0].Ranges[0]}}
		}
		task.NoAnswer = n%50 == 49
		set.Tasks = append(set.Tasks, task)
		for v := range list {
			r := Ranking{Task: task.ID, Class: Classes()[n%3], Status: []string{"", "ready"}[n%2]}
			for range units {
				from := 1 + rng.IntN(300)
				r.Units = append(r.Units, Unit{Path: fmt.Sprintf("src/f%d.go", rng.IntN(60)), Start: from, End: from + rng.IntN(60), Tokens: rng.IntN(500)})
			}
			answers[list[v].Name][task.ID] = r
		}
	}
	return set, list, answers
}

func readSpan(path string, from, to int) Target {
	t := Target{Path: path}
	t.Ranges = append(t.Ranges, unitSpan(Unit{Start: from, End: to}))
	return t
}

func TestSummaryIsTheSameTwice(t *testing.T) {
	set, variants, answers := randomBoard(5, 12, 3, 20)
	o := SummaryOptions{Seed: 3, Resamples: 200, Baseline: "v00", All: "v02"}
	first := Summarise(set, variants, answers, o)
	for range 3 {
		again := Answers{} // other maps with the same content
		for name, rankings := range answers {
			again[name] = map[string]Ranking{}
			for id, r := range rankings {
				again[name][id] = r
			}
		}
		if s := Summarise(set, variants, again, o); !reflect.DeepEqual(s, first) {
			t.Fatal("another summary")
		}
	}
	if len(first.Comparisons) == 0 || len(first.Moved) == 0 {
		t.Error("an empty summary was compared")
	}
}

func BenchmarkMeasure(b *testing.B) {
	set, _, answers := randomBoard(20, 20, 1, 100)
	for b.Loop() {
		for _, t := range set.Tasks {
			Measure(t, answers["v00"][t.ID], DefaultBudgets())
		}
	}
}

func BenchmarkSummarise(b *testing.B) {
	set, variants, answers := randomBoard(20, 20, 12, 100)
	for _, resamples := range []int{2000, 10000} {
		b.Run(fmt.Sprint(resamples), func(b *testing.B) {
			for b.Loop() {
				Summarise(set, variants, answers, SummaryOptions{Seed: 1, Resamples: resamples, Baseline: "v00", All: "v11"})
			}
		})
	}
}
