package ablations

import (
	"fmt"
	"slices"
	"strings"

	"agenvantage/internal/count"
)

// answer puts the gate's verdicts, or without any the comparisons, into a few sentences, a table and a plot.
func (v view) answer() answer {
	judged := slices.DeleteFunc(slices.Clone(v.Verdicts), func(x Verdict) bool { return x.Decision == AlwaysOn })
	if len(judged) == 0 {
		return v.answerWithoutGate()
	}
	var a answer
	var pays []string
	var off []point
	open := 0
	for _, x := range judged {
		gain := fmt.Sprintf("for %s questions: %s successes per 1,000 tokens, 90%% interval %s; success@%d %s; %s.", classText(x.Class),
			differenceText(v.metric(metricSPT), x.Gain), differenceInterval(v.metric(metricSPT), x.Low, x.High), GateBudget, v.successText(x),
			count.Grouped(x.Tasks, "task", "tasks"))
		switch x.Decision {
		case Promote:
			pays = append(pays, x.Channel+" for "+classText(x.Class)+" questions")
			a.Points = append(a.Points, point{"good", x.Channel + " pays " + gain})
		case KeepOff:
			off = append(off, point{"bad", x.Channel + " stays off " + gain})
		default:
			open++
		}
	}
	a.Points = append(a.Points, off...)
	switch {
	case len(pays) > 0:
		a.Short = strings.Join(pays, "; ") + "."
	case len(off) > 0:
		a.Short = "None has shown that it pays."
	default:
		a.Short = "The evidence does not say yet."
	}
	if open > 0 {
		a.Points = append(a.Points, point{"muted", fmt.Sprintf("%s of %s of channel and class: insufficient evidence; the channel stays off there.",
			count.Thousands(open), count.Grouped(len(judged), "pair", "pairs"))})
	}
	v.decisionMatrix(&a)
	a.Plot = v.gainPlot(judged)
	return a
}

// decisionMatrix has a row for each channel in the order of the verdicts and a column for each class, those of Classes
// first.
func (v view) decisionMatrix(a *answer) {
	var classes []Class
	var channels []string
	for _, c := range Classes() {
		if slices.ContainsFunc(v.Verdicts, func(x Verdict) bool { return x.Class == c }) {
			classes = append(classes, c)
		}
	}
	found := map[[2]string]Verdict{}
	for _, x := range v.Verdicts {
		if !slices.Contains(classes, x.Class) {
			classes = append(classes, x.Class)
		}
		if !slices.Contains(channels, x.Channel) {
			channels = append(channels, x.Channel)
		}
		found[[2]string{x.Channel, string(x.Class)}] = x
	}
	for _, c := range classes {
		a.Class = append(a.Class, classText(c))
	}
	for _, channel := range channels {
		row := paying{Channel: channel}
		for _, c := range classes {
			x, ok := found[[2]string{channel, string(c)}]
			if !ok {
				row.Cells = append(row.Cells, decisionCell{Tone: "muted", Word: missing})
				continue
			}
			row.Cells = append(row.Cells, v.decisionCell(x))
		}
		a.Matrix = append(a.Matrix, row)
	}
}

func (v view) decisionCell(x Verdict) decisionCell {
	cell := decisionCell{Tone: tone(string(x.Decision)), Word: decisionWord(x.Decision), Mark: "○"}
	switch x.Decision {
	case Promote:
		cell.Mark = "✓"
	case KeepOff:
		cell.Mark = "✕"
	case AlwaysOn:
		cell.Mark = "●"
		return cell
	}
	cell.Detail = fmt.Sprintf("per 1k %s, success %s, n = %s", differenceText(v.metric(metricSPT), x.Gain),
		differenceText(v.metric(metricSuccess), x.ArmSuccess-x.BaselineSuccess), count.Thousands(x.Tasks))
	return cell
}

// successText is success at the budget without and with the channel.
func (v view) successText(x Verdict) string {
	m := v.metric(metricSuccess)
	return valueText(m, x.BaselineSuccess) + " → " + valueText(m, x.ArmSuccess)
}

// decisionWord is a decision where there is little room.
func decisionWord(d Decision) string {
	if d == Insufficient {
		return "insufficient"
	}
	return string(d)
}

// gainPlot draws the gains that the gate judged; nil when none can be drawn.
func (v view) gainPlot(judged []Verdict) *plot {
	m := v.metric(metricSPT)
	p := plot{
		ID: "gains", Title: "Gain in success per 1,000 tokens",
		Desc: "The gain that each channel brings to the baseline for each class of questions, with its 90% interval. The figures are in the table of verdicts.",
	}
	p.Figures = reportTable{ID: "gains-figures", Title: p.Title, Columns: []reportColumn{
		{Title: "Channel"}, {Title: "Class"}, {Title: "Gain", Number: true}, {Title: "90% interval", Number: true},
		{Title: "Success@2000", Number: true}, {Title: "Verdict"},
	}}
	var rows []differenceRow
	for _, x := range judged {
		if !usable(x.Gain) {
			continue
		}
		r := differenceRow{label: x.Channel + ", " + classText(x.Class), value: x.Gain, low: x.Low, high: x.High}
		bounds := missingCell()
		if x.Clusters >= 2 && usable(x.Low) && usable(x.High) {
			r.interval = true
			r.shown = x.Decision == Promote || x.Decision == KeepOff
			bounds = numberCell(differenceInterval(m, x.Low, x.High), x.Low)
		}
		r.note = differenceText(m, x.Gain) + ", " + decisionWord(x.Decision)
		switch falls := x.ArmSuccess < x.BaselineSuccess-gateRounding; {
		case r.shown || !r.interval:
		case x.Low > 0 && falls:
			r.note = lessForLess
		case x.Low <= 0 && x.High >= 0:
			r.note = noDifference
		}
		rows = append(rows, r)
		p.Figures.Rows = append(p.Figures.Rows, reportRow{Cells: []reportCell{
			textCell(x.Channel), textCell(classText(x.Class)), numberCell(differenceText(m, x.Gain), x.Gain), bounds,
			numberCell(v.successText(x), x.ArmSuccess),
			{Text: string(x.Decision), Tone: tone(string(x.Decision))},
		}})
	}
	if len(rows) == 0 {
		return nil
	}
	differences(&p, m, rows)
	return &p
}

// answerWithoutGate answers by the comparisons with the baseline over all classes, in the first metric that was compared.
func (v view) answerWithoutGate() answer {
	for _, metric := range []string{metricSPT, metricSuccess, metricNDCG} {
		var compared []Comparison
		counts := map[string]int{}
		for _, c := range v.Comparisons {
			if c.A == v.Run.Baseline && c.Class == "" && c.Metric == metric && usable(c.Difference) {
				compared = append(compared, c)
				counts[v.outcome(c)]++
			}
		}
		if len(compared) == 0 {
			continue
		}
		m := v.metric(metric)
		var a answer
		a.Short = "The gate judged no channel in this run."
		text := fmt.Sprintf("Against %s in %s: %s better, %d worse, %d with %s", named(v.Run.Baseline), v.titleOf(metric),
			count.Grouped(counts["better"], "variant", "variants"), counts["worse"], counts[noDifference], noDifference)
		if n := counts[lessForLess]; n > 0 {
			text += fmt.Sprintf(", %d with %s", n, lessForLess)
		}
		a.Points = append(a.Points, point{"muted", text + "."})
		a.Plot = v.comparisonPlot(m, compared)
		return a
	}
	text := "There is nothing to compare it with: run more than one variant over the same tasks."
	switch len(v.Variants) {
	case 0:
		return answer{Short: "No variant was run."}
	case 1:
		return answer{Short: "One variant was run.", Points: []point{{"muted", text}}}
	}
	return answer{Short: "The gate judged no channel in this run.", Points: []point{{"muted", "No variant was compared with the baseline."}}}
}

// comparisonPlot draws the differences of the variants to the baseline.
func (v view) comparisonPlot(m Metric, compared []Comparison) *plot {
	p := plot{
		ID: "gains", Title: "Difference in " + v.titleOf(m.Name),
		Desc: "The difference of each variant to the baseline, with its 95% interval. The figures are in the table of comparisons.",
	}
	p.Figures = reportTable{ID: "gains-figures", Title: p.Title, Columns: []reportColumn{
		{Title: "Variant"}, {Title: "Difference", Number: true}, {Title: "95% interval", Number: true}, {Title: "Success@2000", Number: true}, {Title: "Result"},
	}}
	base, _ := v.baseline()
	var rows []differenceRow
	for _, c := range compared {
		result := v.outcome(c)
		r := differenceRow{label: c.B, value: c.Difference, low: c.Low, high: c.High, note: differenceText(m, c.Difference)}
		r.shown = result == "better" || result == "worse"
		bounds := missingCell()
		if c.Clusters >= 2 && usable(c.Low) && usable(c.High) {
			r.interval = true
			bounds = numberCell(differenceInterval(m, c.Low, c.High), c.Low)
		}
		if !r.shown {
			r.note = result
		}
		rows = append(rows, r)
		with, _ := v.variant(c.B)
		p.Figures.Rows = append(p.Figures.Rows, reportRow{Cells: []reportCell{
			textCell(c.B), numberCell(differenceText(m, c.Difference), c.Difference), bounds, v.successCell(base, with), {Text: result, Tone: tone(result)},
		}})
	}
	differences(&p, m, rows)
	return &p
}

// successCell is success at the budget of two variants.
func (v view) successCell(base, with VariantReport) reportCell {
	a, okA := base.Overall[metricSuccess]
	b, okB := with.Overall[metricSuccess]
	if !okA || !okB {
		return missingCell()
	}
	m := v.metric(metricSuccess)
	return numberCell(valueText(m, a.RepoMean)+" → "+valueText(m, b.RepoMean), b.RepoMean)
}
