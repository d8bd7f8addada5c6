package ablations

import (
	"math"
	"slices"
	"strings"
	"testing"

	"agenvantage/internal/count"
)

func TestNumbers(t *testing.T) {
	for _, x := range []struct{ got, want string }{
		{fixed(0.5804, 3), "0.580"}, {fixed(-0.0004, 3), "0.000"}, {fixed(-0.0006, 3), "-0.001"}, {fixed(1234567, 0), "1,234,567"},
		{fixed(-1234.5, 1), "-1,234.5"}, {fixed(999, 0), "999"}, {fixed(math.NaN(), 2), "–"}, {fixed(math.Inf(-1), 2), "–"}, {fixed(1e300, 2), "–"},
		{signed(0.031, 3), "+0.031"}, {signed(0.0001, 3), "0.000"}, {signed(-0.0001, 3), "0.000"}, {signed(-2, 0), "-2"}, {signed(math.NaN(), 0), "–"},
		{milliseconds(7.44), "7.4"}, {milliseconds(122.4), "122"}, {pText(0.0004), "<.001"}, {pText(0.0481), ".048"}, {pText(1), "1.000"},
		{byteSize(999), "999 B"}, {byteSize(1500), "1.5 kB"}, {byteSize(2_930_000), "2.9 MB"}, {byteSize(3_200_000_000), "3.20 GB"},
		{shorten("exact+bm25f+dense", 9), "exac…ense"}, {shorten("short", 5), "short"}, {count.Grouped(1, "task", "tasks"), "1 task"}, {count.Grouped(2000, "task", "tasks"), "2,000 tasks"},
		{sentenceCase("line recall"), "Line recall"}, {sentenceCase("nDCG@10"), "nDCG@10"}, {sentenceCase(""), ""},
		{printable("a\u00a0b\tc\u2028d\u202e"), "a\u00a0b c d\ufffd"},
	} {
		if x.got != x.want {
			t.Errorf("%q, want %q", x.got, x.want)
		}
	}
}

func TestValuesByUnit(t *testing.T) {
	v := newView(Report{})
	for _, x := range []struct {
		metric                          string
		value, change                   float64
		wantValue, wantChange, interval string
	}{
		{"ndcg@10", 0.5813, -0.0221, "0.581", "-0.022", "[-0.022, +0.100]"},
		{"success@2000", 0.468, 0.0532, "46.8%", "+5.3 pp", "[+5.3, +10.0]"},
		{"tfh", 1940.4, -432, "1,940", "-432", "[-432, 0]"},
		{"spt@2000", 0.2344, 0.0311, "0.234", "+0.031", "[+0.031, +0.100]"},
		{"unheard@7", 0.5, 0.25, "0.500", "+0.250", "[+0.250, +0.100]"},
	} {
		m := v.metric(x.metric)
		if got := valueText(m, x.value); got != x.wantValue {
			t.Errorf("%s: value %q, want %q", x.metric, got, x.wantValue)
		}
		if got := differenceText(m, x.change); got != x.wantChange {
			t.Errorf("%s: change %q, want %q", x.metric, got, x.wantChange)
		}
		if got := differenceInterval(m, x.change, 0.1); got != x.interval {
			t.Errorf("%s: interval %q, want %q", x.metric, got, x.interval)
		}
	}
}

func TestHeadlineMetricsHaveTheBudgetOfTheGate(t *testing.T) {
	for _, x := range []struct{ got, want string }{{metricSuccess, metricAt("success", GateBudget)}, {metricSPT, metricAt("spt", GateBudget)}} {
		if x.got != x.want {
			t.Errorf("%s, want %s", x.got, x.want)
		}
	}
	for _, name := range []string{metricNDCG, metricFileNDCG, metricSuccess, metricSPT, metricTFH, metricCensored} {
		if _, ok := MetricOf(name); !ok {
			t.Errorf("%s is no metric", name)
		}
	}
}

func TestOutcomeFollowsTheMetric(t *testing.T) {
	v := newView(Report{})
	for _, x := range []struct {
		metric string
		diff   float64
		shown  bool
		want   string
	}{
		{"ndcg@10", 0.1, true, "better"}, {"ndcg@10", -0.1, true, "worse"}, {"ndcg@10", 0.1, false, "no difference shown"},
		{"tfh", -300, true, "better"}, {"tfh", 300, true, "worse"}, {"distractor_rate@2000", 0.1, true, "worse"},
	} {
		if got := v.outcome(Comparison{Metric: x.metric, Difference: x.diff, Shown: x.shown}); got != x.want {
			t.Errorf("%s %+g: %q, want %q", x.metric, x.diff, got, x.want)
		}
	}
}

func TestShownMetricsAreInTheOrderOfTheTable(t *testing.T) {
	r := Report{Variants: []VariantReport{
		{Overall: Scores{"zeta": {}, "tfh": {}, "success@8000": {}, "success@500": {}}},
		{Overall: Scores{"ndcg@10": {}, "alpha@x": {}, "success@500": {}}},
	}}
	got := strings.Join(newView(r).shownMetrics(), " ")
	if want := "ndcg@10 success@500 success@8000 tfh alpha@x zeta"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOneRepositoryHasNoInterval: bounds that equal the mean are no measurement of how sure it is.
func TestOneRepositoryHasNoInterval(t *testing.T) {
	v := newView(smallReport())
	row := v.headlineTable().Rows[0]
	if row.Cells[2].Text != "0.500" || row.Cells[3].Text != missing {
		t.Errorf("nDCG %q, interval %q", row.Cells[2].Text, row.Cells[3].Text)
	}
	c := v.comparisonCells(v.Comparisons[0])
	if c[6].Text != "+33.3 pp" || c[7].Text != missing || c[8].Text != noDifference || c[15].Text != "240" {
		t.Errorf("comparison %v", c)
	}
}

func TestAnswer(t *testing.T) {
	verdict := func(channel string, class Class, d Decision, gain float64) Verdict {
		return Verdict{Channel: channel, Class: class, Decision: d, Gain: gain, Low: gain - 0.01, High: gain + 0.01, Tasks: 60, Clusters: 12}
	}
	compared := Report{Run: RunInfo{Baseline: "a"}, Variants: []VariantReport{{Variant: Variant{Name: "a"}}, {Variant: Variant{Name: "b"}}},
		Comparisons: []Comparison{{A: "a", B: "b", Metric: "success@2000", Difference: 0.1}}}
	for _, x := range []struct {
		name  string
		r     Report
		short string
		tones string
		rows  int
		plot  bool
	}{
		{"nothing", Report{}, "No variant was run.", "", 0, false},
		{"one variant", Report{Variants: []VariantReport{{}}}, "One variant was run.", "muted", 0, false},
		{"not compared", Report{Variants: []VariantReport{{}, {}}}, "The gate judged no channel in this run.", "muted", 0, false},
		{"compared", compared, "The gate judged no channel in this run.", "muted", 0, true},
		{"all three", Report{Verdicts: []Verdict{verdict("exact", ClassIssue, AlwaysOn, 0), verdict("graph", ClassIssue, KeepOff, -0.1),
			verdict("dense", ClassSymbol, Insufficient, 0), verdict("dense", ClassNatural, Promote, 0.1)}},
			"dense for natural questions.", "good bad muted", 3, true},
		{"only losses", Report{Verdicts: []Verdict{verdict("graph", ClassIssue, KeepOff, -0.1)}}, "None has shown that it pays.", "bad", 1, true},
		{"only doubt", Report{Verdicts: []Verdict{verdict("graph", ClassIssue, Insufficient, -0.1)}}, "The evidence does not say yet.", "muted", 1, true},
	} {
		a := newView(x.r).answer()
		var tones []string
		for _, p := range a.Points {
			tones = append(tones, p.Tone)
		}
		if a.Short != x.short || strings.Join(tones, " ") != x.tones || len(a.Matrix) != x.rows || (a.Plot != nil) != x.plot {
			t.Errorf("%s: %q, %v, %d rows, plot %v", x.name, a.Short, tones, len(a.Matrix), a.Plot != nil)
		}
	}
	a := newView(Report{Verdicts: []Verdict{verdict("x", ClassIssue, Promote, 1), verdict("y", ClassSymbol, KeepOff, -1)}}).answer()
	if got := strings.Join(a.Class, " "); got != "symbol issue" || a.Matrix[0].Cells[0].Word != missing || a.Matrix[0].Cells[1].Mark != "✓" {
		t.Errorf("matrix %s, %v", got, a.Matrix)
	}
}

func TestScales(t *testing.T) {
	for _, x := range []struct {
		values []float64
		want   []float64
	}{
		{[]float64{0.21, 0.68}, []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.7}},
		{[]float64{0, 1}, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{[]float64{0.5}, []float64{0.44, 0.46, 0.48, 0.5, 0.52, 0.54, 0.56}},
		{nil, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{[]float64{-3, 12}, []float64{-5, 0, 5, 10, 15}},
	} {
		s, steps := spread(x.values, 5)
		if !slices.EqualFunc(steps, x.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("%v: steps %v, want %v", x.values, steps, x.want)
		}
		s.from, s.to = 100, 0
		if a, b := s.at(s.low), s.at(s.high); a != 100 || b != 0 {
			t.Errorf("%v: the ends are at %g and %g", x.values, a, b)
		}
	}
	s, steps := powers([]float64{10, 1000})
	s.from, s.to = 0, 100
	if got := s.at(100); math.Abs(got-50) > 1e-9 || !slices.Equal(steps, []float64{10, 100, 1000}) {
		t.Errorf("100 is at %g, steps %v", got, steps)
	}
}

func TestApart(t *testing.T) {
	for _, x := range []struct {
		in, want       []float64
		gap, low, high float64
	}{
		{[]float64{50, 10, 90}, []float64{50, 10, 90}, 10, 0, 100},
		{[]float64{50, 50, 50}, []float64{50, 60, 70}, 10, 0, 100},
		{[]float64{98, 99, 97}, []float64{90, 100, 80}, 10, 0, 100},
		{[]float64{-20, 3}, []float64{0, 10}, 10, 0, 100},
		{nil, []float64{}, 10, 0, 100},
	} {
		if got := apart(x.in, x.gap, x.low, x.high); !slices.Equal(got, x.want) {
			t.Errorf("%v: %v, want %v", x.in, got, x.want)
		}
	}
}
