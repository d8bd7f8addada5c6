package ablations

import (
	"bytes"
	"strings"
	"testing"
)

func TestNothingIsBetterBeforeHolmAndWithFewClusters(t *testing.T) {
	for _, x := range []struct {
		low, high, p float64
		clusters     int
		want         bool
	}{
		{.1, .2, .049, 6, true}, {-.2, -.1, .049, 6, true}, {.1, .2, .05, 6, false}, {.1, .2, .001, 5, false}, {0, .2, .001, 9, false}, {-.1, .2, .001, 9, false},
	} {
		c := Comparison{Low: x.low, High: x.high, P: x.p, PHolm: x.p, Clusters: x.clusters, Test: "t"}
		if c.isShown() != x.want {
			t.Errorf("%+v", x)
		}
	}
	list := []Comparison{ // .03 alone is shown, and is .06 of two
		{A: "a", B: "b", Metric: "m", Low: .1, High: .2, P: .03, PHolm: .03, Clusters: 9, Test: "t", Shown: true},
		{A: "a", B: "c", Metric: "m", Low: .1, High: .2, P: .04, PHolm: .04, Clusters: 9, Test: "t", Shown: true},
		{A: "a", B: "c", Metric: "other", Low: .1, High: .2, P: .04, PHolm: .04, Clusters: 9, Test: "t", Shown: true},
	}
	AdjustComparisons(list)
	if list[0].PHolm != .06 || list[0].Shown || list[1].Shown || !list[2].Shown {
		t.Errorf("%+v", list)
	}
}

func TestFiveClustersShowNothing(t *testing.T) {
	for repos, want := range map[int]bool{5: false, 7: true} {
		set, answers := planted(repos, 6, ClassNatural, false, map[string]func(int) []Unit{"base": everyNth(3), "all": everyNth(1)})
		s := Summarise(set, variantsOf("base", "all"), answers, SummaryOptions{Seed: 9, Baseline: "base", All: "all"})
		if c := findComparison(t, s.Comparisons, "base", "all", "ndcg@10", ""); c.Shown != want || c.Low <= 0 {
			t.Errorf("%d repositories: %+v", repos, c)
		}
	}
}

// TestLessSuccessIsNotBetter: an arm that shows less wins success per token and loses success.
func TestLessSuccessIsNotBetter(t *testing.T) {
	shown := Comparison{A: "base", B: "x", Metric: "spt@2000", Difference: .1, Low: .05, High: .2, Shown: true, Clusters: 9}
	success := Comparison{A: "base", B: "x", Metric: "success@2000", Difference: -.02, Clusters: 9}
	r := Report{Run: RunInfo{Baseline: "base"}, Variants: []VariantReport{{Variant: Variant{Name: "base"}}, {Variant: Variant{Name: "x"}}}, Comparisons: []Comparison{shown, success}}
	if got := r.Outcome(shown); got != "fewer tokens, less success" {
		t.Errorf("%s", got)
	}
	a := newView(r).answer()
	if text := a.Points[0].Text; !strings.Contains(text, "0 variants better, 0 worse, 0 with no difference shown, 1 with fewer tokens, less success") {
		t.Errorf("%s", text)
	}
	for _, s := range a.Plot.Shapes {
		if s.Class == "row better" {
			t.Error("drawn as better")
		}
	}
	r.Comparisons[1].Difference = 0
	if got := r.Outcome(shown); got != "better" {
		t.Errorf("success stays: %s", got)
	}
	r.Comparisons[1].Class = ClassIssue // says nothing of all classes
	r.Comparisons[1].Difference = -1
	if got := r.Outcome(shown); got != "better" {
		t.Errorf("another class: %s", got)
	}
}

func TestMovedTasksOfTwoChannelsAreThoseOfTheVariantThatDiffersMost(t *testing.T) {
	set, answers := planted(3, 4, ClassNatural, false, map[string]func(int) []Unit{"base": everyNth(3), "near": everyNth(2), "far": everyNth(1), "same": everyNth(3)})
	variants := variantsOf("base", "near", "far", "same")
	for all, want := range map[string]string{"base": "far", "": "far", "near": "near"} {
		s := Summarise(set, variants, answers, SummaryOptions{Baseline: "base", All: all})
		if s.MovedVariant != want || len(s.Moved) == 0 {
			t.Errorf("all is %q: %d moved to %q, want %q", all, len(s.Moved), s.MovedVariant, want)
		}
	}
	if s := Summarise(set, variantsOf("base"), answers, SummaryOptions{Baseline: "base", All: "base"}); s.MovedVariant != "" || s.Moved != nil {
		t.Errorf("%+v", s)
	}
}

func TestAReportWithoutAVariantOfAllChannelsSaysSo(t *testing.T) {
	r := sampleReport()
	r.Run.All, r.MovedVariant = "", "dense"
	var text, markdown, html bytes.Buffer
	for _, err := range []error{r.WriteText(&text, 0), r.WriteMarkdown(&markdown), r.WriteHTML(&html)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, s := range map[string]string{"text": text.String(), "markdown": markdown.String(), "html": html.String()} {
		if !strings.Contains(s, "no variant has all channels") {
			t.Errorf("%s", name)
		}
		if name != "text" && !strings.Contains(s, " to dense.") {
			t.Errorf("%s does not say which variant moved", name)
		}
	}
}

func TestClustersAreMonthsOnlyWhereTheyAre(t *testing.T) {
	in := gateFixture{repos: 12, each: 9, class: ClassNatural, months: true, arm: frugal()}.input()
	sentence := func() string { return newView(Report{Verdicts: judged(in)}).clusterSentence() }
	if got := sentence(); got != " Clusters are calendar months." {
		t.Errorf("%q", got)
	}
	in.Set.Tasks[7].Time = 0
	if got := sentence(); got != " Clusters are repositories." {
		t.Errorf("a task without a time: %q", got)
	}
}

func TestMinedTextLosesControlSequencesWhole(t *testing.T) {
	for in, want := range map[string]string{
		"a \x1b[31mred\x1b[0m b":                   "a red b",
		"\x1b]0;title\x07name":                     "name",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\": "link",
		"user\u202etxt.exe\u202c end":              "usertxt.exe end",
		"\u2066x\u2069\u200e\u200f\u061cy":         "xy",
		"tab\tand\r\nline\rthree":                  "tab\tand\nline\nthree",
		"bell\x07 nul\x00 del\x7f c1\u0085.":       "bell nul del c1.",
		"a\u009b1mb":                               "ab",
	} {
		if got := cleanBytes(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
