package ablations

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agenvantage"
)

// readTarget reads "a.go", or "a.go:5-9,20-20".
func readTarget(t *testing.T, s string) Target {
	t.Helper()
	path, ranges, lines := strings.Cut(s, ":")
	target := Target{Path: path}
	if lines {
		for _, r := range strings.Split(ranges, ",") {
			var span agenvantage.Span
			if _, err := fmt.Sscanf(r, "%d-%d", &span.StartLine, &span.EndLine); err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			target.Ranges = append(target.Ranges, span)
		}
	}
	return target
}

// readTask reads "GOLD… | OPTIONAL… | CONTEXT…".
func readTask(t *testing.T, s string) Task {
	t.Helper()
	parts := strings.Split(s+"||", "|")
	task := Task{ID: "t", Repo: "r", Match: MatchExact}
	for _, f := range strings.Fields(parts[0]) {
		task.Gold = append(task.Gold, readTarget(t, f))
	}
	for _, f := range strings.Fields(parts[1]) {
		task.Optional = append(task.Optional, readTarget(t, f))
	}
	for _, f := range strings.Fields(parts[2]) {
		target := readTarget(t, f)
		task.Context = append(task.Context, Place{Path: target.Path, Span: target.Ranges[0]})
	}
	return task
}

// readUnits reads "a.go:5-9=40 b.go:1-1=3": places with their tokens.
func readUnits(t *testing.T, s string) (units []Unit) {
	t.Helper()
	for _, f := range strings.Fields(s) {
		place, tokens, _ := strings.Cut(f, "=")
		target := readTarget(t, place)
		n, err := strconv.Atoi(tokens)
		if err != nil {
			t.Fatalf("%q: %v", f, err)
		}
		units = append(units, Unit{Path: target.Path, Start: target.Ranges[0].StartLine, End: target.Ranges[0].EndLine, Tokens: n})
	}
	return units
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

// vector is a line of testdata/crosscheck.
type vector struct {
	Name, Scorer, Match, Root, Status string
	Gold, Optional                    []struct {
		Path   string
		Ranges [][2]int
	}
	Context, Units [][]any
	Files          []string
	Budgets        []int
	Want           map[string]float64
}

func (v vector) task() Task {
	t := Task{ID: v.Name, Repo: "r", Root: v.Root, Match: Match(v.Match)}
	for _, g := range v.Gold {
		target := Target{Path: g.Path}
		for _, r := range g.Ranges {
			target.Ranges = append(target.Ranges, agenvantage.Span{StartLine: r[0], EndLine: r[1]})
		}
		t.Gold = append(t.Gold, target)
	}
	for _, g := range v.Optional {
		target := Target{Path: g.Path}
		for _, r := range g.Ranges {
			target.Ranges = append(target.Ranges, agenvantage.Span{StartLine: r[0], EndLine: r[1]})
		}
		t.Optional = append(t.Optional, target)
	}
	for _, c := range v.Context {
		t.Context = append(t.Context, Place{Path: c[0].(string), Span: agenvantage.Span{StartLine: int(c[1].(float64)), EndLine: int(c[2].(float64))}})
	}
	return t
}

func (v vector) ranking() Ranking {
	r := Ranking{Task: v.Name, Files: v.Files, Status: v.Status}
	for _, u := range v.Units {
		r.Units = append(r.Units, Unit{Path: u[0].(string), Start: int(u[1].(float64)), End: int(u[2].(float64)), Tokens: int(u[3].(float64))})
	}
	return r
}

func TestScorersAgree(t *testing.T) {
	f, err := os.Open("testdata/crosscheck/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	checked, issues := 0, []Values{}
	optional := []string{"context_recall", "line_precision", "false_ready"} // absent where the scorer has none
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		got := Values{}
		if v.Scorer == "issues-summary" {
			for name := range v.Want {
				budget, _ := budgetOf(name)
				if name == "spt@0" {
					budget = 0
				}
				got[name] = SuccessPerKilotoken(issues, budget)
			}
		} else {
			got = Measure(v.task(), v.ranking(), v.Budgets)
		}
		if v.Scorer == "issues" {
			issues = append(issues, got)
		}
		for _, name := range slices.Sorted(maps.Keys(v.Want)) {
			checked++
			if x, ok := got[name]; !ok || !near(x, v.Want[name]) {
				t.Errorf("%s %s: %s is %v (%v), want %v", v.Scorer, v.Name, name, x, ok, v.Want[name])
			}
		}
		for name := range got {
			family, _, _ := strings.Cut(name, "@")
			if _, wanted := v.Want[name]; v.Scorer == "issues" && slices.Contains(optional, family) && !wanted {
				t.Errorf("%s: %s is given", v.Name, name)
			}
		}
	}
	if checked < 2500 {
		t.Errorf("only %d figures compared", checked)
	}
}

func TestMeasureEvidence(t *testing.T) {
	for _, x := range []struct {
		name, task, units, want string
	}{
		// At 250 tokens 5 of the 10 lines of b.go are shown: each of them is gold.
		{"the whole file is gold", "a.go b.go", "c.go:1-10=100 a.go:1-10=100 b.go:1-10=100",
			"success@100=0 success_any@100=0 success@250=1 success_hunks@250=1 file_recall_tokens@250=1 tfh=200 tokens_to_all=300 tfh_censored=0 " +
				"distractor_rate@100=1 distractor_rate@250=.4 shown_precision@250=.6 line_recall@300=- line_precision@300=- context_recall@300=-"},
		{"optional files are not needed", "a.go | b.go", "a.go:1-10=100", "success@100=1 ndcg@10=0.6131471927654584 recall@10=.5 tokens_to_all=100"},
		{"mixed gold has no line metrics", "a.go:5-6 b.go", "a.go:1-10=100 b.go:3-3=50",
			"success@250=1 success@100=0 line_recall@250=- file_recall_tokens@100=.5 tfh=100 tokens_to_all=150"},
		{"hunks are stricter than files", "a.go:5-6,50-60", "a.go:1-10=100 a.go:55-55=30",
			"success@100=1 success_hunks@100=0 success_hunks@250=1 line_recall@100=.15384615384615385 line_recall@250=.23076923076923078"},
		{"one of two targets", "a.go:5-6 b.go:1-2", "b.go:2-2=100", "success_any@50=0 success_any@100=1 success@300=0 tokens_to_all=32000 tfh=100"},
		{"nothing found", "a.go:5-6", "a.go:7-9=100", "success_any@300=0 tfh=32000 tfh_censored=1 tokens_to_all=32000 distractor_rate@100=1 shown_precision@300=0"},
		{"nothing shown", "a.go:5-6", "", "success@100=0 tokens@100=0 shown_precision@100=0 duplicate_rate@100=- distractor_rate@100=- tfh=32000"},
		// 5 lines of 10 tokens again, then 2 lines of 20, which are also the two that fit into 250.
		{"lines shown before", "a.go:1-1", "a.go:1-10=100 a.go:6-15=100 a.go:14-18=100",
			"duplicate_rate@100=0 duplicate_rate@300=.3 duplicate_rate@250=.36 shown_precision@300=.05555555555555555"},
		{"a file twice among the gold", "a.go:1-2 a.go:9-9", "a.go:1-2=10", "success@100=1 success_hunks@100=0 line_recall@100=.6666666666666666 acc@1=1"},
		{"context is not waste", "a.go:1-1 | c.go:4-4 | b.go:1-10", "b.go:10-19=100 c.go:4-5=100 d.go:1-1=100",
			"distractor_rate@300=.3333333333333333 shown_precision@300=.15384615384615385 context_recall@100=.1 line_precision@300=.07692307692307693"},
		{"a unit without lines", "a.go", "a.go:0-0=10", "success@100=1 tfh=10 ndcg@10=1"},
	} {
		got := Measure(readTask(t, x.task), Ranking{Units: readUnits(t, x.units)}, []int{50, 100, 250, 300})
		checkValues(t, x.name, got, x.want)
	}
}

// checkValues compares with "name=value…"; a value of "-" means that the metric is absent.
func checkValues(t *testing.T, name string, got Values, want string) {
	t.Helper()
	for _, f := range strings.Fields(want) {
		metric, value, _ := strings.Cut(f, "=")
		x, ok := got[metric]
		if value == "-" {
			if ok {
				t.Errorf("%s: %s is %v, want none", name, metric, x)
			}
			continue
		}
		w, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if !ok || !near(x, w) {
			t.Errorf("%s: %s is %v (%v), want %v", name, metric, x, ok, w)
		}
	}
}

func TestMeasureMatchesPathsEverywhere(t *testing.T) {
	task := readTask(t, "src/x/a.go:5-6 lib/b.go | | src/x/a.go:5-8")
	task.Root, task.Match = "src", MatchSuffix
	units := readUnits(t, "x/a.go:6-8=30 b.go:1-1=10 q.go:1-1=5")
	want := "ndcg@10=1 file_ndcg@10=1 acc@1=0 acc@3=1 success@30=0 success@100=1 tfh=30 context_recall@100=.75 distractor_rate@100=.1111111111111111 false_ready=0"
	checkValues(t, "suffix", Measure(task, Ranking{Units: units, Status: "ready"}, []int{30, 100}), want)
	checkValues(t, "suffix, files", Measure(task, Ranking{Units: units, Files: []string{"x/a.go", "lib/b.go"}}, nil), "acc@1=0 gold_file_recall@1=.5 acc@3=1")

	task.Match = MatchExact // b.go is another file now, x/a.go is src/x/a.go still
	want = "ndcg@10=0.6131471927654584 acc@3=0 success@100=0 success_any@30=1 tfh=30 context_recall@100=.75 distractor_rate@100=.3333333333333333 false_ready=1"
	checkValues(t, "exact", Measure(task, Ranking{Units: units, Status: "ready"}, []int{30, 100}), want)
}

// Two files that one target matches by its suffix must not count its lines twice.
func TestLineRecallOfTwoFilesOfOneSuffix(t *testing.T) {
	task := readTask(t, "a.go:1-4")
	task.Match = MatchSuffix
	got := Measure(task, Ranking{Units: readUnits(t, "x/a.go:1-4=10 y/a.go:3-6=10")}, []int{20})
	checkValues(t, "suffix", got, "line_recall@20=1 shown_precision@20=.75 duplicate_rate@20=0")
}

func TestNoAnswerHasFalseConfidenceAlone(t *testing.T) {
	unit := []Unit{{Path: "a.go", Start: 1, End: 2, Tokens: 10}}
	for _, x := range []struct {
		r    Ranking
		want float64
	}{
		{Ranking{Units: unit}, 1},
		{Ranking{Units: unit, Status: "ready"}, 1},
		{Ranking{Units: unit, Caveat: true}, 0},
		{Ranking{Units: unit, Status: "insufficient"}, 0},
		{Ranking{Units: unit, Status: "partial"}, 0},
		{Ranking{}, 0},
	} {
		got := Measure(Task{NoAnswer: true}, x.r, []int{100})
		if len(got) != 1 || got["false_confidence"] != x.want {
			t.Errorf("%+v: %v", x.r, got)
		}
	}
	if _, ok := Measure(readTask(t, "a.go"), Ranking{Units: unit}, nil)["false_confidence"]; ok {
		t.Error("a task with an answer has false_confidence")
	}
}

func TestEvidenceArea(t *testing.T) {
	// 500 to 1000 and 1000 to 2000 are one doubling each, 2000 to 8000 are two; budgets outside do not count.
	task := readTask(t, "a.go:1-4")
	r := Ranking{Units: readUnits(t, "a.go:1-1=700 a.go:2-2=800 a.go:3-4=4500")}
	// Line recall 0, .25, .5, .5 (the third unit costs 2250 a line, nothing of it fits into 2000), 1 at 8000.
	for _, x := range []struct {
		budgets []int
		want    string
	}{
		{[]int{500, 1000, 2000, 8000}, "evidence_area=.5"}, // (.125 + .375 + 2·.75) / 4
		{[]int{8000, 100, 2000, 1000, 500, 500, 16000}, "evidence_area=.5"},
		{[]int{1000}, "evidence_area=.25"},
		{[]int{100, 9000}, "evidence_area=-"},
	} {
		checkValues(t, fmt.Sprint(x.budgets), Measure(task, r, x.budgets), x.want)
	}
	whole := readTask(t, "a.go b.go")
	checkValues(t, "whole files", Measure(whole, r, []int{500, 2000}), "evidence_area=.25") // .0 and .5: a line of a.go costs 700
}

func TestMetricsDescribeWhatIsMeasured(t *testing.T) {
	task := readTask(t, "a.go:1-4 | b.go | a.go:5-6")
	task.Tests = []string{"a_test.go"}
	values := Measure(task, Ranking{Units: readUnits(t, "a.go:1-1=7"), Status: "ready", PackFacts: &PackFacts{Tokens: 9, IndexedBytes: 80}}, []int{500, 2000})
	values["false_confidence"], values["spt@2000"] = 0, 0
	described := map[string]bool{}
	for _, m := range Metrics() {
		if m.Title == "" || m.Definition == "" || strings.HasSuffix(m.Definition, ".") || described[m.Name] {
			t.Errorf("%+v", m)
		}
		described[m.Name] = true
	}
	used := map[string]bool{}
	for name, x := range values {
		m, ok := MetricOf(name)
		if !ok || m.Name != name || strings.Contains(m.Title, "@B") {
			t.Errorf("%s: %+v, %v", name, m, ok)
		}
		if m.Binary && x != 0 && x != 1 {
			t.Errorf("%s is %v", name, x)
		}
		family, _, _ := strings.Cut(name, "@")
		if described[name] {
			used[name] = true
		} else {
			used[family+"@B"] = true
		}
	}
	for name := range described {
		if !used[name] {
			t.Errorf("%s is described and not measured", name)
		}
	}
	for _, name := range []string{"", "success", "success@B", "success@", "success@-1", "success@02", "success@0", "ndcg@7", "tfh@5", "what"} {
		if m, ok := MetricOf(name); ok {
			t.Errorf("%q: %+v", name, m)
		}
	}
}

func TestSuccessPerKilotoken(t *testing.T) {
	values := []Values{{"success@500": 1, "tokens@500": 400}, {"success@500": 0, "tokens@500": 500}, {"success@500": 1, "tokens@500": 100}, {"false_confidence": 1}}
	if x := SuccessPerKilotoken(values, 500); !near(x, 2) {
		t.Errorf("%v, want 2 successes over 1,000 tokens", x)
	}
	if x := SuccessPerKilotoken(values, 1000); x != 0 {
		t.Errorf("%v without values", x)
	}
}
