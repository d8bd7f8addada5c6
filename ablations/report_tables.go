package ablations

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"agenvantage/internal/count"
)

// reportTable is one table of a report, made once and written as plain text, Markdown or HTML.
type reportTable struct {
	ID      string // anchor, unique in a report
	Title   string
	Note    string // a sentence under the title, "" for none
	Columns []reportColumn
	Rows    []reportRow
	Grouped bool // on a terminal the first column stands on a line of its own above the rows that share it
}

// reportColumn is a column: short headings for the terminal, a whole one for pages.
type reportColumn struct {
	Short  string // "\n" begins its second line
	Title  string
	Number bool // right-aligned, sorted by Value
	Page   bool // on pages only: the terminal has no room
}

// reportRow is a row. Its remark is what a terminal shows below it; pages have a column for that.
type reportRow struct {
	Cells  []reportCell
	Remark string
	Strong bool // the baseline
}

// reportCell is a figure or a text.
type reportCell struct {
	Text  string
	Value float64 // what a column of numbers is sorted by
	Known bool    // Value exists
	Tone  string  // "good", "bad", "muted" or ""
}

func textCell(s string) reportCell { return reportCell{Text: s} }

func numberCell(text string, x float64) reportCell {
	return reportCell{Text: text, Value: x, Known: usable(x)}
}

func missingCell() reportCell { return reportCell{Text: missing, Tone: "muted"} }

// estimateCell is the headline value of a metric in scores.
func (v view) estimateCell(s Scores, metric string) reportCell {
	e, ok := s[metric]
	if !ok || !usable(e.RepoMean) {
		return missingCell()
	}
	return numberCell(valueText(v.metric(metric), e.RepoMean), e.RepoMean)
}

// boundsCell is the interval of a metric in scores; with fewer than two clusters there is none.
func (v view) boundsCell(s Scores, metric string) reportCell {
	e, ok := s[metric]
	if !ok || e.Clusters < 2 || !usable(e.Low) {
		return missingCell()
	}
	return numberCell(intervalText(v.metric(metric), e.Low, e.High), e.Low)
}

// headlineTable has one line for each variant, in the order of the run.
func (v view) headlineTable() reportTable {
	t := reportTable{
		ID: "scores", Title: "Scores",
		Note: fmt.Sprintf("Means weigh every repository alike; [low, high] is the 95%% cluster bootstrap interval. Budget of success: %s tokens.",
			count.Thousands(headlineBudget)),
		Columns: []reportColumn{
			{Short: "variant", Title: "Variant"},
			{Short: "tasks", Title: "Tasks", Number: true},
			{Short: "nDCG\n@10", Title: "nDCG@10", Number: true},
			{Short: "95% interval\nof nDCG@10", Title: "95% interval", Number: true},
			{Short: "file\nnDCG@10", Title: "File nDCG@10", Number: true},
			{Short: "success\n@2000", Title: "Success@2000", Number: true},
			{Title: "95% interval", Number: true, Page: true},
			{Short: "success\nper 1k", Title: "Success per 1,000\u00a0tokens", Number: true},
			{Title: "95% interval", Number: true, Page: true},
			{Short: "tokens to\nfirst hit", Title: "Mean tokens to first hit", Number: true},
			{Short: "without\na hit", Title: "Without a hit", Number: true},
			{Short: "p50\nms", Title: "p50 ms", Number: true},
			{Short: "p95\nms", Title: "p95 ms", Number: true},
		},
	}
	for _, x := range v.Variants {
		p50, p95 := missingCell(), missingCell()
		if l, ok := v.latency[x.Name]; ok && l.Tasks > 0 {
			p50, p95 = numberCell(milliseconds(l.P50MS), l.P50MS), numberCell(milliseconds(l.P95MS), l.P95MS)
		}
		n := mostTasks(x.Overall)
		t.Rows = append(t.Rows, reportRow{Strong: x.Name == v.Run.Baseline, Cells: []reportCell{
			textCell(x.Name), numberCell(count.Thousands(n), float64(n)),
			v.estimateCell(x.Overall, metricNDCG), v.boundsCell(x.Overall, metricNDCG), v.estimateCell(x.Overall, metricFileNDCG),
			v.estimateCell(x.Overall, metricSuccess), v.boundsCell(x.Overall, metricSuccess),
			v.estimateCell(x.Overall, metricSPT), v.boundsCell(x.Overall, metricSPT),
			v.estimateCell(x.Overall, metricTFH), v.estimateCell(x.Overall, metricCensored), p50, p95,
		}})
	}
	return t
}

// mostTasks is how many tasks a group has: those of its best known metric.
func mostTasks(s Scores) int {
	n := 0
	for _, e := range s {
		n = max(n, e.Tasks)
	}
	return n
}

// groupings are the ways in which a report divides the tasks, in its order.
var groupings = []struct {
	name, plural string
	of           func(VariantReport) []Group
}{
	{"class", "classes", func(x VariantReport) []Group { return x.ByClass }},
	{"category", "categories", func(x VariantReport) []Group { return x.ByCategory }},
	{"language", "languages", func(x VariantReport) []Group { return x.ByLanguage }},
	{"repository", "repositories", func(x VariantReport) []Group { return x.ByRepo }},
}

// groupNames lists the labels of a grouping over all variants in the order of their first mention.
func (v view) groupNames(of func(VariantReport) []Group) []string {
	var names []string
	seen := map[string]bool{}
	for _, x := range v.Variants {
		for _, g := range of(x) {
			if !seen[g.Name] {
				seen[g.Name] = true
				names = append(names, g.Name)
			}
		}
	}
	return names
}

func scoresOf(groups []Group, name string) Scores {
	for _, g := range groups {
		if g.Name == name {
			return g.Scores
		}
	}
	return nil
}

// groupLabel names the group of tasks without a label.
func groupLabel(name string) string {
	if name == "" {
		return "(none)"
	}
	return name
}

// groupTable has a line for each variant and a column for each label of a grouping; false when no group has the metric.
func (v view) groupTable(grouping int, metric string) (reportTable, bool) {
	g := groupings[grouping]
	names := v.groupNames(g.of)
	t := reportTable{
		ID:      "by-" + g.name + "-" + anchor(metric),
		Title:   v.heading(metric) + " by " + g.name,
		Columns: []reportColumn{{Short: "variant", Title: "Variant"}},
	}
	tasks := make([]int, len(names))
	found := false
	for _, x := range v.Variants {
		row := reportRow{Strong: x.Name == v.Run.Baseline, Cells: []reportCell{textCell(x.Name)}}
		for i, name := range names {
			s := scoresOf(g.of(x), name)
			if e, ok := s[metric]; ok {
				found = true
				tasks[i] = max(tasks[i], e.Tasks)
			}
			row.Cells = append(row.Cells, v.estimateCell(s, metric))
		}
		t.Rows = append(t.Rows, row)
	}
	for i, name := range names {
		t.Columns = append(t.Columns, reportColumn{
			Short: shorten(groupLabel(printable(name)), 16) + "\nn=" + count.Thousands(tasks[i]), Title: groupLabel(name) + " (n\u00a0=\u00a0" + count.Thousands(tasks[i]) + ")", Number: true,
		})
	}
	return t, found
}

// anchor turns a metric's name into a word for ids.
func anchor(s string) string { return strings.NewReplacer("@", "-", "_", "-").Replace(s) }

// withoutColumn drops a column that a table's title makes needless.
func (t reportTable) withoutColumn(i int) reportTable {
	t.Columns = slices.Delete(slices.Clone(t.Columns), i, i+1)
	t.Rows = slices.Clone(t.Rows)
	for n, row := range t.Rows {
		t.Rows[n].Cells = slices.Delete(slices.Clone(row.Cells), i, i+1)
	}
	return t
}

// comparisonTable lists the comparisons that keep says, in the report's order; column 0 is what they are held against.
func (v view) comparisonTable(id, title string, keep func(Comparison) bool) reportTable {
	t := reportTable{
		ID: id, Title: title, Grouped: true,
		Columns: []reportColumn{
			{Title: "Against", Page: true},
			{Short: "variant", Title: "Variant"},
			{Short: "metric", Title: "Metric"},
			{Short: "class", Title: "Class"},
			{Title: "Reference", Number: true, Page: true},
			{Title: "Value", Number: true, Page: true},
			{Short: "difference", Title: "Difference", Number: true},
			{Short: "95% interval", Title: "95% interval", Number: true},
			{Short: "result", Title: "Result"},
			{Title: "p", Number: true, Page: true},
			{Short: "p\n(Holm)", Title: "p\u00a0(Holm)", Number: true},
			{Short: "wins", Title: "Wins", Number: true},
			{Short: "losses", Title: "Losses", Number: true},
			{Short: "tasks", Title: "Tasks", Number: true},
			{Title: "Clusters", Number: true, Page: true},
			{Title: "Tasks needed", Number: true, Page: true},
			{Title: "Test", Page: true},
		},
	}
	for _, c := range v.Comparisons {
		if keep(c) {
			t.Rows = append(t.Rows, reportRow{Cells: v.comparisonCells(c)})
		}
	}
	return t
}

func (v view) comparisonCells(c Comparison) []reportCell {
	m, result := v.metric(c.Metric), v.outcome(c)
	bounds, needed := missingCell(), missingCell()
	if c.Clusters >= 2 && usable(c.Low) {
		bounds = numberCell(differenceInterval(m, c.Low, c.High), c.Low)
	}
	if !c.Shown && c.Needed > 0 {
		needed = numberCell(count.Thousands(c.Needed), float64(c.Needed))
	}
	return []reportCell{
		textCell(c.A), textCell(c.B), textCell(c.Metric), textCell(classText(c.Class)),
		numberCell(valueText(m, c.AValue), c.AValue), numberCell(valueText(m, c.BValue), c.BValue),
		numberCell(differenceText(m, c.Difference), c.Difference), bounds, {Text: result, Tone: tone(result)},
		numberCell(pText(c.P), c.P), numberCell(pText(c.PHolm), c.PHolm),
		numberCell(count.Thousands(c.Wins), float64(c.Wins)), numberCell(count.Thousands(c.Losses), float64(c.Losses)),
		numberCell(count.Thousands(c.Tasks), float64(c.Tasks)), numberCell(count.Thousands(c.Clusters), float64(c.Clusters)),
		needed, textCell(c.Test),
	}
}

// verdictTable lists the gate's decisions in the report's order; the rule that decided is the remark.
func (v view) verdictTable() reportTable {
	t := reportTable{
		ID: "verdicts", Title: "Verdicts of the gate",
		Note: "Gain is the change of success per 1,000 tokens that the channel brings to the baseline, with its 90% interval." + v.clusterSentence() + v.limitSentence(),
		Columns: []reportColumn{
			{Short: "channel", Title: "Channel"},
			{Short: "class", Title: "Class"},
			{Short: "verdict", Title: "Verdict"},
			{Title: "Rule that decided", Page: true},
			{Short: "tasks/\nclusters", Title: "Tasks/clusters", Number: true},
			{Short: "gain", Title: "Gain", Number: true},
			{Short: "90% interval", Title: "90% interval", Number: true},
			{Short: "success\nper 1k", Title: "Success per 1,000 tokens", Number: true},
			{Short: "success\n@2000", Title: "Success@2000", Number: true},
			{Title: "p (Holm)", Number: true, Page: true},
			{Title: "Guard change", Number: true, Page: true},
			{Title: "Leave one out", Number: true, Page: true},
			{Title: "Alone", Number: true, Page: true},
			{Short: "p95\nms", Title: "p95 ms", Number: true},
			{Short: "index\nshare", Title: "Index share", Number: true},
			{Title: "Cost", Page: true},
			{Title: "Evidence", Page: true},
		},
	}
	for i, x := range v.Verdicts {
		t.Rows = append(t.Rows, reportRow{Cells: v.verdictCells(i), Remark: x.Rule})
	}
	return t
}

// costOf is what was measured for a verdict; false when nothing was.
func (v view) costOf(verdict int) (VerdictCost, bool) {
	x := v.Verdicts[verdict]
	for _, c := range v.Measured.Verdicts {
		if c.Channel == x.Channel && c.Class == x.Class {
			return c, true
		}
	}
	return VerdictCost{}, false
}

func (v view) verdictCells(verdict int) []reportCell {
	x := v.Verdicts[verdict]
	first := []reportCell{textCell(x.Channel), textCell(classText(x.Class)), {Text: string(x.Decision), Tone: tone(string(x.Decision))}, textCell(x.Rule)}
	if x.Decision == AlwaysOn { // nothing was measured
		for range 12 {
			first = append(first, missingCell())
		}
		return append(first, textCell(x.EvidenceRunID))
	}
	spt, success, guard := v.metric(metricSPT), v.metric(metricSuccess), v.metric(x.GuardMetric)
	bounds, p95, share := missingCell(), missingCell(), missingCell()
	if x.Clusters >= 2 && usable(x.Low) {
		bounds = numberCell(differenceInterval(spt, x.Low, x.High), x.Low)
	}
	if cost, ok := v.costOf(verdict); ok {
		p95, share = numberCell(milliseconds(cost.P95MS), cost.P95MS), numberCell(fixed(cost.IndexShare, 2), cost.IndexShare)
	}
	return append(first,
		numberCell(count.Thousands(x.Tasks)+"/"+count.Thousands(x.Clusters), float64(x.Tasks)),
		numberCell(differenceText(spt, x.Gain), x.Gain), bounds,
		numberCell(fixed(x.BaselineSPT, 3)+" → "+fixed(x.ArmSPT, 3), x.ArmSPT),
		numberCell(valueText(success, x.BaselineSuccess)+" → "+valueText(success, x.ArmSuccess), x.ArmSuccess),
		numberCell(pText(x.PHolm), x.PHolm),
		numberCell(strings.TrimSpace(differenceText(guard, x.GuardChange)+" "+x.GuardMetric+" "+string(x.GuardClass)), x.GuardChange),
		numberCell(signed(x.LeaveOneOut, 3), x.LeaveOneOut), numberCell(fixed(x.Alone, 3), x.Alone),
		p95, share, textCell(string(x.Cost)), textCell(x.EvidenceRunID))
}

// limitSentence says the limits of cost that the verdicts were held to; a limit of 0 is none.
func (v view) limitSentence() string {
	var p95, share []string
	add := func(list []string, limit float64, text string) []string {
		if limit == 0 {
			text = "none"
		}
		if slices.Contains(list, text) {
			return list
		}
		return append(list, text)
	}
	for i, x := range v.Verdicts {
		if c, ok := v.costOf(i); ok && x.Decision != AlwaysOn {
			p95 = add(p95, c.P95LimitMS, milliseconds(c.P95LimitMS)+" ms")
			share = add(share, c.IndexLimit, fixed(c.IndexLimit, 2)+" of the baseline's index")
		}
	}
	if len(p95) == 0 {
		return ""
	}
	return " Limits: p95 " + strings.Join(p95, " or ") + "; index share " + strings.Join(share, " or ") + "."
}

// clusterSentence says what the verdicts' clusters are.
func (v view) clusterSentence() string {
	var kinds []string
	for _, x := range v.Verdicts {
		kind := map[string]string{"repository": "repositories", "month": "calendar months"}[x.ClusterKind]
		if kind != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return " Clusters are " + strings.Join(kinds, " or ") + "."
}

// shownMetrics lists the metrics that any variant has, in the order of Metrics, within one by number, at last by name.
func (v view) shownMetrics() []string {
	type ranked struct {
		name           string
		place, ordinal int
	}
	places := map[string]int{}
	for i, m := range Metrics() {
		places[m.Name] = i
	}
	found := map[string]ranked{}
	for _, x := range v.Variants {
		for name := range x.Overall {
			family, number, _ := strings.Cut(name, "@")
			r := ranked{name: name, place: len(places)} // what the table does not know comes last
			if i, ok := places[name]; ok {
				r.place = i
			} else if i, ok := places[family+"@B"]; ok {
				r.place = i
				r.ordinal, _ = strconv.Atoi(number) // not a number: 0, and the name decides
			}
			found[name] = r
		}
	}
	order := slices.SortedFunc(maps.Values(found), func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.ordinal, b.ordinal), cmp.Compare(a.name, b.name))
	})
	names := make([]string, len(order))
	for i, r := range order {
		names[i] = r.name
	}
	return names
}
