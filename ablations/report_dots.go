package ablations

import (
	"math"
	"strings"
	"unicode/utf8"

	"agenvantage/internal/count"
)

// differenceRow is one row of a plot of differences: a value against 0, with an interval where there is one.
type differenceRow struct {
	label     string
	note      string // at the right, in words and figures
	value     float64
	low, high float64
	interval  bool
	shown     bool // coloured as better or worse
}

// The columns of a plot of differences.
const (
	dotArea       = 220.0
	dotRowHeight  = 24.0
	dotLabelChars = 24
	dotNoteChars  = 23
)

// differences draws rows around 0 with a common scale. Marks are filled where a difference is shown, hollow where none is,
// and diamonds where there is no interval.
func differences(p *plot, m Metric, rows []differenceRow) {
	values := []float64{0}
	for _, r := range rows {
		values = append(values, r.value)
		if r.interval {
			values = append(values, r.low, r.high)
		}
	}
	chars := 6 // the columns are as wide as their texts
	notes := 12
	for _, r := range rows {
		chars = max(chars, min(dotLabelChars, utf8.RuneCountInString(printable(r.label))))
		notes = max(notes, min(dotNoteChars, utf8.RuneCountInString(printable(r.note))))
	}
	left := math.Ceil(labelChar*float64(chars)) + 8
	right := left + dotArea
	p.Width = int(right + math.Ceil(labelChar*float64(notes)) + 8)
	p.Height = int(frameTop + dotRowHeight*float64(len(rows)) + 40)
	x, steps := spread(values, 4)
	x.from, x.to = left+10, right-10
	bottom := frameTop + dotRowHeight*float64(len(rows))
	room := x.at(steps[1]) - x.at(steps[0])
	for _, step := range steps {
		class := "grid"
		if math.Abs(step) < 1e-12 {
			class = "zero"
		}
		p.path(class, line(x.at(step), frameTop-6, x.at(step), bottom))
		// Where the numbers have no room every other step has one, 0 among them.
		if number := axisText(m, step, steps, true); room > labelChar*float64(len(number)) || int(math.Round(step/(steps[1]-steps[0])))%2 == 0 {
			p.text("tick", x.at(step), bottom+16, "middle", number)
		}
	}
	title := "difference to the baseline"
	if isShare(m) {
		title += ", percentage points"
	}
	p.text("axis-title", x.at(0), bottom+33, zeroAnchor(x), title)
	for i, r := range rows {
		drawDifference(p, m, r, rowPlace{x, frameTop + dotRowHeight*(float64(i)+0.5)})
	}
}

// rowPlace is where a row is drawn: the scale of its values and its height.
type rowPlace struct {
	x scale
	y float64
}

// drawDifference draws a row; its texts stand at both ends of the scale.
func drawDifference(p *plot, m Metric, r differenceRow, at rowPlace) {
	x, y := at.x, at.y
	class := "row worse"
	switch {
	case !r.shown:
		class = "row even"
	case (r.value > 0) == m.HigherIsBetter:
		class = "row better"
	}
	p.begin(class, r.label+": "+r.note)
	p.text("label", x.from-10, y+4, "end", shorten(printable(r.label), dotLabelChars))
	if r.interval {
		p.path("whisker", line(x.at(r.low), y, x.at(r.high), y)+line(x.at(r.low), y-4, x.at(r.low), y+4)+line(x.at(r.high), y-4, x.at(r.high), y+4))
		p.path("mark", marker(0, x.at(r.value), y, markRadius+1))
	} else {
		p.path("stem", line(x.at(0), y, x.at(r.value), y))
		p.path("mark plain", marker(3, x.at(r.value), y, markRadius))
	}
	p.text("note", x.to+14, y+4, "start", shorten(printable(r.note), dotNoteChars))
	p.end()
}

// zeroAnchor keeps the title of the axis inside of the drawing.
func zeroAnchor(x scale) string {
	switch place := (x.at(0) - x.from) / (x.to - x.from); {
	case place < 0.3:
		return "start"
	case place > 0.7:
		return "end"
	}
	return "middle"
}

// primaryMetric is the metric in which groups are compared: the first that the baseline has.
func (v view) primaryMetric() (string, bool) {
	base, ok := v.baseline()
	if !ok {
		return "", false
	}
	for _, name := range []string{metricNDCG, metricSuccess, "line_recall@2000", "acc@5", metricSPT} {
		if _, ok := base.Overall[name]; ok {
			return name, true
		}
	}
	return "", false
}

// winsOf is where a variant wins and loses against the baseline.
type winsOf struct {
	Name    string
	Summary string
	Open    bool
	Plots   []plot
}

// wins lists the variants other than the baseline, the one with all channels first, open.
func (v view) wins() []winsOf {
	metric, ok := v.primaryMetric()
	if !ok {
		return nil
	}
	var out []winsOf
	for i, x := range v.Variants {
		if x.Name == v.Run.Baseline {
			continue
		}
		w := v.winsOfVariant(i, metric)
		if x.Name == v.Run.All {
			out = append([]winsOf{w}, out...)
			continue
		}
		out = append(out, w)
	}
	if len(out) > 0 {
		out[0].Open = true
	}
	return out
}

func (v view) winsOfVariant(i int, metric string) winsOf {
	x, m := v.Variants[i], v.metric(metric)
	out := winsOf{Name: x.Name, Summary: m.Title + " not compared"}
	for _, c := range v.Comparisons {
		if c.A == v.Run.Baseline && c.B == x.Name && c.Metric == metric && c.Class == "" {
			out.Summary = strings.Join([]string{m.Title + " " + differenceText(m, c.Difference), count.Grouped(c.Wins, "task won", "tasks won"), count.Thousands(c.Losses) + " lost", v.outcome(c)}, ", ")
		}
	}
	for g := range groupings {
		if p, ok := v.groupDifferences(i, g, metric); ok {
			out.Plots = append(out.Plots, p)
		}
	}
	return out
}

// groupDifferences draws the differences of a variant to the baseline over the groups of a grouping; false when no group
// has the metric in both. Intervals come from the comparisons, which exist for classes.
func (v view) groupDifferences(i, grouping int, metric string) (plot, bool) {
	base, _ := v.baseline()
	x, g, m := v.Variants[i], groupings[grouping], v.metric(metric)
	p := plot{
		ID: "wins-" + count.Thousands(i) + "-" + g.name, Title: "By " + g.name,
		Desc: "Differences in " + v.titleOf(metric) + " between " + printable(x.Name) + " and the baseline by " + g.name + ". The figures are in the table below.",
	}
	p.Figures = reportTable{ID: p.ID + "-figures", Title: x.Name + " by " + g.name, Columns: []reportColumn{
		{Title: "Group"}, {Title: "Tasks", Number: true}, {Title: "Baseline", Number: true}, {Title: "Variant", Number: true},
		{Title: "Difference", Number: true}, {Title: "95% interval", Number: true}, {Title: "Result"},
		{Title: "Success@2000 difference", Number: true}, {Title: "Difference per 1,000 tokens", Number: true},
	}}
	var rows []differenceRow
	for _, name := range v.groupNames(g.of) {
		a, b := scoresOf(g.of(base), name), scoresOf(g.of(x), name)
		row, ok := v.groupRow(a, b, metric)
		if !ok {
			continue
		}
		row.label = groupLabel(name)
		result := reportCell{Text: "no interval", Tone: "muted"}
		bounds := missingCell()
		if c, ok := v.classComparison(x.Name, metric, name); ok && g.name == "class" {
			row.value, row.low, row.high, row.shown, row.interval = c.Difference, c.Low, c.High, c.Shown, true
			bounds = numberCell(differenceInterval(m, c.Low, c.High), c.Low)
			result = reportCell{Text: v.outcome(c), Tone: tone(v.outcome(c))}
		}
		row.note = differenceText(m, row.value) + ", n = " + count.Thousands(b[metric].Tasks)
		if row.interval && !row.shown {
			row.note = noDifference
		}
		rows = append(rows, row)
		p.Figures.Rows = append(p.Figures.Rows, reportRow{Cells: []reportCell{
			textCell(row.label), numberCell(count.Thousands(b[metric].Tasks), float64(b[metric].Tasks)),
			v.estimateCell(a, metric), v.estimateCell(b, metric), numberCell(differenceText(m, row.value), row.value), bounds, result,
			v.changeCell(a, b, metricSuccess), v.changeCell(a, b, metricSPT),
		}})
	}
	if len(rows) == 0 {
		return plot{}, false
	}
	differences(&p, m, rows)
	return p, true
}

func (v view) groupRow(a, b Scores, metric string) (differenceRow, bool) {
	ea, okA := a[metric]
	eb, okB := b[metric]
	if !okA || !okB || !usable(ea.RepoMean) || !usable(eb.RepoMean) {
		return differenceRow{}, false
	}
	return differenceRow{value: eb.RepoMean - ea.RepoMean}, true
}

func (v view) changeCell(a, b Scores, metric string) reportCell {
	row, ok := v.groupRow(a, b, metric)
	if !ok {
		return missingCell()
	}
	return numberCell(differenceText(v.metric(metric), row.value), row.value)
}

// classComparison finds the comparison of a variant with the baseline within a class, when it has an interval.
func (v view) classComparison(variant, metric, class string) (Comparison, bool) {
	for _, c := range v.Comparisons {
		if c.A == v.Run.Baseline && c.B == variant && c.Metric == metric && string(c.Class) == class && c.Clusters >= 2 &&
			usable(c.Difference) && usable(c.Low) && usable(c.High) {
			return c, true
		}
	}
	return Comparison{}, false
}
