package ablations

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// headlineBudget is the budget in tokens of the metrics that reports put first: the gate's.
const headlineBudget = GateBudget

// Metrics that reports name; the budget in them is headlineBudget.
const (
	metricNDCG     = "ndcg@10"
	metricFileNDCG = "file_ndcg@10"
	metricSuccess  = "success@2000"
	metricSPT      = "spt@2000"
	metricTFH      = "tfh"
	metricCensored = "tfh_censored"
)

// missing stands for a figure that does not exist.
const missing = "–"

// noDifference is what reports say of a difference that is not shown (Comparison.Shown).
const noDifference = "no difference shown"

// lessForLess is what reports say of more success per token where success itself falls: to show less is no gain by itself.
const lessForLess = "fewer tokens, less success"

// view is a report with what its writers look up again and again.
type view struct {
	Report
	metrics  map[string]Metric // looked up so far
	latency  map[string]VariantLatency
	variants map[string]int // name to place; the first of equal names
}

func newView(r Report) view {
	v := view{Report: r, metrics: map[string]Metric{}, latency: map[string]VariantLatency{}, variants: map[string]int{}}
	for _, l := range r.Measured.Latencies {
		v.latency[l.Variant] = l
	}
	for i, x := range r.Variants {
		if _, ok := v.variants[x.Name]; !ok {
			v.variants[x.Name] = i
		}
	}
	return v
}

// metric returns the description of a metric; of one that Metrics does not know it is the bare name.
func (v view) metric(name string) Metric {
	if m, ok := v.metrics[name]; ok {
		return m
	}
	m, ok := MetricOf(name)
	if !ok {
		m = Metric{Name: name, Title: name, HigherIsBetter: true}
	}
	v.metrics[name] = m
	return m
}

// baseline returns the variant that others are compared with; false when it is not in the report.
func (v view) baseline() (VariantReport, bool) { return v.variant(v.Run.Baseline) }

func (v view) variant(name string) (VariantReport, bool) {
	i, ok := v.variants[name]
	if !ok {
		return VariantReport{}, false
	}
	return v.Variants[i], true
}

// usable says whether a figure can be printed and drawn. Sums and differences of such figures stay finite.
func usable(x float64) bool { return !math.IsNaN(x) && math.Abs(x) < 1e15 }

// fixed prints x with the given number of decimals, without a negative zero, and with commas between thousands.
func fixed(x float64, decimals int) string {
	if !usable(x) {
		return missing
	}
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	if strings.Trim(s, "0.") == "" {
		sign = ""
	}
	whole, rest, dot := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		rest = "." + rest
	}
	return sign + whole + rest
}

// signed is fixed with a plus sign before what is above 0 as printed.
func signed(x float64, decimals int) string {
	s := fixed(x, decimals)
	if s == missing || strings.HasPrefix(s, "-") || strings.Trim(s, "0.") == "" {
		return s
	}
	return "+" + s
}

// milliseconds keeps a digit that means something below ten.
func milliseconds(x float64) string {
	if x < 10 {
		return fixed(x, 1)
	}
	return fixed(x, 0)
}

func byteSize(n int64) string {
	switch x := float64(n); {
	case x < 1e3:
		return fixed(x, 0) + " B"
	case x < 1e6:
		return fixed(x/1e3, 1) + " kB"
	case x < 1e9:
		return fixed(x/1e6, 1) + " MB"
	default:
		return fixed(x/1e9, 2) + " GB"
	}
}

// isShare says whether values are printed as percentages: the metric is 0 or 1 for a task, so that a mean is a share.
func isShare(m Metric) bool { return m.Binary }

func isTokens(m Metric) bool { return m.Unit == "tokens" }

// valueText prints a value of the metric.
func valueText(m Metric, x float64) string {
	switch {
	case !usable(x):
		return missing
	case isShare(m):
		return fixed(100*x, 1) + "%"
	case isTokens(m):
		return fixed(x, 0)
	}
	return fixed(x, 3)
}

// differenceText prints a difference of two values; of shares in percentage points.
func differenceText(m Metric, x float64) string {
	switch {
	case !usable(x):
		return missing
	case isShare(m):
		return signed(100*x, 1) + " pp"
	case isTokens(m):
		return signed(x, 0)
	}
	return signed(x, 3)
}

// intervalText prints the interval of a value: "[0.581, 0.643]".
func intervalText(m Metric, low, high float64) string {
	if !usable(low) || !usable(high) {
		return missing
	}
	return "[" + strings.TrimSuffix(valueText(m, low), "%") + ", " + valueText(m, high) + "]"
}

// differenceInterval prints the interval of a difference; the unit is said once, by the difference.
func differenceInterval(m Metric, low, high float64) string {
	if !usable(low) || !usable(high) {
		return missing
	}
	return "[" + strings.TrimSuffix(differenceText(m, low), " pp") + ", " + strings.TrimSuffix(differenceText(m, high), " pp") + "]"
}

func pText(p float64) string {
	switch {
	case !usable(p):
		return missing
	case p < 0.001:
		return "<.001"
	}
	return strings.TrimPrefix(strconv.FormatFloat(p, 'f', 3, 64), "0")
}

// outcome says in words which way a comparison went: "better", "worse", lessForLess or noDifference.
func (v view) outcome(c Comparison) string {
	switch {
	case !c.Shown:
		return noDifference
	case c.Difference > 0 && v.loses(c):
		return lessForLess
	case (c.Difference > 0) == v.metric(c.Metric).HigherIsBetter:
		return "better"
	}
	return "worse"
}

// Outcome says in words which way a comparison of the report went: "better", "worse", "fewer tokens, less success" or "no
// difference shown".
func (r Report) Outcome(c Comparison) string { return newView(r).outcome(c) }

// loses says whether success falls at the budget of a comparison of success per 1,000 tokens.
func (v view) loses(c Comparison) bool {
	if !v.metric(c.Metric).Ratio {
		return false
	}
	_, budget, _ := strings.Cut(c.Metric, "@")
	for _, other := range v.Comparisons {
		if other.A == c.A && other.B == c.B && other.Class == c.Class && other.Metric == "success@"+budget {
			return other.Difference < 0
		}
	}
	return false
}

// notes are what a reader must know before the figures.
func (v view) notes() []string { return slices.Concat(v.Tasks.Notes, v.Measured.Notes) }

// moved names the variant that the moved tasks hold against the baseline.
func (v view) moved() string { return cmp.Or(v.MovedVariant, v.Run.All) }

func tone(outcome string) string {
	switch outcome {
	case "better", string(Promote):
		return "good"
	case "worse", string(KeepOff):
		return "bad"
	}
	return "muted"
}

func classText(c Class) string {
	if c == "" {
		return "all"
	}
	return string(c)
}

// revisionText names a revision; the empty one is a folder as it stands.
func revisionText(revision string) string {
	if revision == "" {
		return "folder as it stands"
	}
	return revision
}

// printable is text from outside (names, questions) without what a terminal or a page would act on: control characters,
// marks that turn the direction of text, bytes that are no UTF-8. Line ends, tabs and odd spaces become spaces.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u00a0' || unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return unicode.ReplacementChar
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// shorten cuts the middle out of a text of more than n characters: the names of variants differ at their end.
func shorten(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	head := (n - 1) / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(n-1-head):])
}

// sentenceCase begins a text with a capital, but not a name that has one inside (nDCG).
func sentenceCase(s string) string {
	if len(s) < 2 || s[0] < 'a' || s[0] > 'z' || s[1] < 'a' || s[1] > 'z' {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// titleOf is a metric's title in a sentence.
func (v view) titleOf(metric string) string {
	title := v.metric(metric).Title
	if before, budget, ok := strings.Cut(title, " tokens@"); ok { // a budget is no part of a thousand tokens
		title = before + " tokens within " + budget
	}
	return title
}

// heading is a metric's title at the head of a section.
func (v view) heading(metric string) string { return sentenceCase(v.titleOf(metric)) }
