package ablations

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"agenvantage/internal/count"
)

// The metrics that are drawn against the budget, without it.
var curveMetrics = []string{"success", "line_recall", "file_recall_tokens", "shown_precision"}

// The frame of curves and scatters; labels of curves stand at its right.
const (
	frameLeft, frameTop, frameBottom = 58.0, 16.0, 46.0
	curveLabels                      = 178.0
)

// curve is a metric of a variant at each budget that it is known for.
type curve struct {
	name   string
	look   look
	points [][2]float64 // place of the budget, value
}

// curves draws a metric over the budgets, a curve for each variant; false when no variant has it.
func (v view) curves(family string) (plot, bool) {
	budgets := v.Run.Budgets
	m := v.metric(metricAt(family, 1))
	title := strings.Replace(m.Title, "@1", "", 1)
	if family == "file_recall_tokens" {
		title = strings.TrimSuffix(title, " tokens")
	}
	p := plot{
		ID: "curve-" + anchor(family), Title: sentenceCase(title) + " against tokens", Width: plotWidth,
		Desc: "A curve for each variant over the budgets in tokens. The figures are in the table below.",
	}
	p.Figures = reportTable{ID: p.ID + "-figures", Title: p.Title, Columns: []reportColumn{{Title: "Variant"}}}
	for _, b := range budgets {
		p.Figures.Columns = append(p.Figures.Columns, reportColumn{Title: count.Thousands(b), Number: true})
	}
	var all []curve
	var values []float64
	looks := v.looks()
	for i, x := range v.Variants {
		c := curve{name: x.Name, look: looks[i]}
		row := reportRow{Strong: x.Name == v.Run.Baseline, Cells: []reportCell{textCell(x.Name)}}
		for n, b := range budgets {
			name := metricAt(family, b)
			if e, ok := x.Overall[name]; ok && usable(e.RepoMean) {
				c.points = append(c.points, [2]float64{float64(n), e.RepoMean})
				values = append(values, e.RepoMean)
			}
			row.Cells = append(row.Cells, v.estimateCell(x.Overall, name))
		}
		p.Figures.Rows = append(p.Figures.Rows, row)
		if len(c.points) > 0 {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return plot{}, false
	}
	v.drawCurves(&p, m, all, values)
	return p, true
}

func (v view) drawCurves(p *plot, m Metric, all []curve, values []float64) {
	p.Height = int(max(300, frameTop+frameBottom+labelLine*float64(len(all))))
	bottom := float64(p.Height) - frameBottom
	right := plotWidth - curveLabels
	y, steps := spread(values, 5)
	y.from, y.to = bottom, frameTop
	x := scale{low: 0, high: float64(len(v.Run.Budgets) - 1), from: frameLeft + 12, to: right - 10}
	if x.high == 0 { // a single budget stands at the right, by the labels
		x.low = -1
	}
	for _, step := range steps {
		p.path("grid", line(frameLeft, y.at(step), right, y.at(step)))
		p.text("tick", frameLeft-8, y.at(step)+4, "end", axisText(m, step, steps, false))
	}
	for i, b := range v.Run.Budgets {
		p.text("tick", x.at(float64(i)), bottom+18, "middle", count.Thousands(b))
	}
	p.path("axis", line(frameLeft, bottom, right, bottom))
	p.text("axis-title", (frameLeft+right)/2, float64(p.Height)-8, "middle", "budget, tokens")
	ends := make([]float64, len(all))
	for i, c := range all {
		ends[i] = y.at(c.points[len(c.points)-1][1])
	}
	places := apart(ends, labelLine, frameTop, bottom)
	for i, c := range all {
		points := make([][2]float64, len(c.points))
		for n, at := range c.points {
			points[n] = [2]float64{x.at(at[0]), y.at(at[1])}
		}
		last := points[len(points)-1]
		p.begin(c.look.class, c.name)
		p.path("leader", line(last[0]+6, last[1], right+8, places[i]))
		if len(points) > 1 {
			p.path("curve", polyline(points...))
		}
		for _, at := range points {
			p.path("mark", marker(c.look.kind, at[0], at[1], markRadius))
		}
		p.path("mark", marker(c.look.kind, right+14, places[i], markRadius))
		p.text("label", right+22, places[i]+4, "start", shorten(printable(c.name), 21))
		p.end()
	}
}

// dot is a variant in the plane of cost and quality.
type dot struct {
	name      string
	look      look
	x, y      float64
	low, high float64
	interval  bool
}

// scatter draws a metric against the 95th percentile of latency; false when no variant has both.
func (v view) scatter(metric string) (plot, bool) {
	m := v.metric(metric)
	p := plot{
		ID: "latency-" + anchor(metric), Title: v.heading(metric) + " against latency", Width: plotWidth, Height: 330,
		Desc: "A mark for each variant: to the left is faster, up is better. Bars are 95% intervals. The figures are in the table below.",
	}
	p.Figures = reportTable{ID: p.ID + "-figures", Title: p.Title, Columns: []reportColumn{
		{Title: "Variant"}, {Title: "p95 ms", Number: true}, {Title: m.Title, Number: true}, {Title: "95% interval", Number: true},
	}}
	var dots []dot
	looks := v.looks()
	for i, x := range v.Variants {
		l, timed := v.latency[x.Name]
		e, known := x.Overall[metric]
		if !timed || l.Tasks == 0 || !known || !usable(l.P95MS) || !usable(e.RepoMean) || l.P95MS < 0 {
			continue
		}
		d := dot{name: x.Name, look: looks[i], x: max(l.P95MS, 0.01), y: e.RepoMean}
		if e.Clusters >= 2 && usable(e.Low) && usable(e.High) {
			d.low, d.high, d.interval = e.Low, e.High, true
		}
		dots = append(dots, d)
		p.Figures.Rows = append(p.Figures.Rows, reportRow{Strong: x.Name == v.Run.Baseline, Cells: []reportCell{
			textCell(x.Name), numberCell(milliseconds(l.P95MS), l.P95MS), v.estimateCell(x.Overall, metric), v.boundsCell(x.Overall, metric),
		}})
	}
	if len(dots) == 0 {
		return plot{}, false
	}
	drawScatter(&p, m, dots)
	return p, true
}

func drawScatter(p *plot, m Metric, dots []dot) {
	var xs, ys []float64
	for _, d := range dots {
		xs, ys = append(xs, d.x), append(ys, d.y)
		if d.interval {
			ys = append(ys, d.low, d.high)
		}
	}
	right, bottom := plotWidth-16.0, float64(p.Height)-frameBottom
	x, xSteps := powers(xs)
	x.from, x.to = frameLeft+10, right-10
	y, ySteps := spread(ys, 5)
	y.from, y.to = bottom, frameTop
	for _, step := range ySteps {
		p.path("grid", line(frameLeft, y.at(step), right, y.at(step)))
		p.text("tick", frameLeft-8, y.at(step)+4, "end", axisText(m, step, ySteps, false))
	}
	for _, step := range xSteps {
		p.path("grid", line(x.at(step), frameTop, x.at(step), bottom))
		p.text("tick", x.at(step), bottom+18, "middle", trimmed(step))
	}
	p.path("axis", line(frameLeft, bottom, right, bottom))
	p.text("axis-title", (frameLeft+right)/2, float64(p.Height)-8, "middle", "p95 of an answer, ms (logarithmic)")
	var taken, whiskers []box
	for _, d := range dots {
		cx, cy := x.at(d.x), y.at(d.y)
		taken = append(taken, box{cx - 6, cy - 6, cx + 6, cy + 6})
		if d.interval {
			whiskers = append(whiskers, box{cx - 2, y.at(d.high), cx + 2, y.at(d.low)})
		}
	}
	frame := box{frameLeft, frameTop - 8, right + 12, bottom}
	for _, d := range dots {
		cx, cy := x.at(d.x), y.at(d.y)
		p.begin(d.look.class, fmt.Sprintf("%s: %s ms, %s", d.name, milliseconds(d.x), valueText(m, d.y)))
		if d.interval {
			p.path("whisker", line(cx, y.at(d.low), cx, y.at(d.high)))
		}
		p.path("mark", marker(d.look.kind, cx, cy, markRadius+1))
		label := shorten(printable(d.name), 24)
		at, free := freePlace(label, cx, cy, slices.Concat(taken, whiskers), frame)
		if !free { // over a whisker it can still be read
			at, _ = freePlace(label, cx, cy, taken, frame)
		}
		if math.Abs(at.y-4-cy) > 12 { // away from its mark: a line leads to it
			p.path("leader", line(cx, cy, at.x, at.y-4))
		}
		p.text("label", at.x, at.y, at.anchor, label)
		taken = append(taken, labelBox(label, at.x, at.y, at.anchor))
		p.end()
	}
}

// labelPlace is where a label stands.
type labelPlace struct {
	x, y   float64
	anchor string
}

// freePlace returns the nearest place for a label beside a mark that meets nothing that is taken, tried right and left,
// then further up and down; when all are taken, the first and false.
func freePlace(label string, x, y float64, taken []box, frame box) (labelPlace, bool) {
	first := labelPlace{x + 10, y + 4, "start"}
	if labelBox(label, first.x, first.y, "start").x2 > frame.x2 {
		first = labelPlace{x - 10, y + 4, "end"}
	}
	for step := range 16 {
		offset := labelLine / 2 * float64((step+1)/2)
		if step%2 == 1 {
			offset = -offset
		}
		for _, place := range []labelPlace{{x + 10, y + 4 + offset, "start"}, {x - 10, y + 4 + offset, "end"}} {
			b := labelBox(label, place.x, place.y, place.anchor)
			free := b.x1 >= frame.x1 && b.x2 <= frame.x2 && b.y1 >= frame.y1 && b.y2 <= frame.y2
			for _, t := range taken {
				free = free && !b.meets(t)
			}
			if free {
				return place, true
			}
		}
	}
	return first, false
}

// axisText prints a place on a metric's axis with the decimals that its steps need; differences with their sign.
func axisText(m Metric, x float64, steps []float64, difference bool) string {
	step, unit, number := 1.0, "", fixed
	if len(steps) > 1 {
		step = steps[1] - steps[0]
	}
	if difference {
		number = signed
	}
	if isShare(m) {
		x, step, unit = 100*x, 100*step, "%"
		if difference { // percentage points, as the axis says
			unit = ""
		}
	}
	return number(x, int(min(6, max(0, math.Ceil(-math.Log10(step)-1e-9))))) + unit
}

// trimmed prints a step of a logarithmic axis without needless zeros.
func trimmed(x float64) string {
	if x >= 1 {
		return fixed(x, 0)
	}
	return strings.TrimRight(fixed(x, 3), "0")
}
