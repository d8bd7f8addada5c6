package ablations

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"sync"
)

//go:embed assets/report.html
var pageSource string

//go:embed assets/report.css
var pageStyle string

//go:embed assets/report.js
var pageScript string

// page is what assets/report.html shows.
type page struct {
	Title    string
	Lede     string
	Baseline string
	All      string // a half sentence where no variant has all channels, "" otherwise
	Moving   string // the variant that the moved tasks are held against
	Notes    []string
	Style    template.CSS
	Script   template.JS

	Answer   answer
	Verdicts reportTable
	Headline reportTable
	Groups   []reportTable
	Packs    []reportTable // none where no variant answers with packs
	Curves   []plot
	Latency  []plot
	Wins     []winsOf
	Against  reportTable
	Within   reportTable
	Others   reportTable
	Moved    []movedView

	Facts       []reportFact
	Details     []reportTable
	Metrics     reportTable
	Definitions reportTable
}

// answer says which channels pay.
type answer struct {
	Short  string   // one sentence
	Points []point  // what supports it
	Matrix []paying // a row for each channel
	Class  []string // columns of Matrix
	Plot   *plot
}

// point is a sentence with the tone of what it says.
type point struct{ Tone, Text string }

// paying is a channel's row of decisions, in the order of the classes.
type paying struct {
	Channel string
	Cells   []decisionCell
}

// decisionCell is a decision; Mark tells decisions apart without colour.
type decisionCell struct{ Tone, Mark, Word, Detail string }

// movedView is a task that moved, ready to print.
type movedView struct {
	Task, Labels, Query, Gold, Metric string
	Change, Tone, A, B                string
	UnitsA, UnitsB                    []Shown
}

// parsePage parses the template once; the source is part of the program, so that a fault shows in every test.
var parsePage = sync.OnceValues(func() (*template.Template, error) {
	return template.New("report").Funcs(template.FuncMap{
		"clean": printable,
		"exact": func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) },
		"place": shownText,
		"long":  func(s string) bool { return len(s) > longCell },
	}).Parse(pageSource)
})

// longCell is how many bytes a cell may have that is not broken into lines.
const longCell = 44

// WriteHTML writes one page that needs nothing beside itself: no network, no other file. Scripts sort its tables; without
// them it reads the same. What repositories and tasks say is escaped. Equal reports are equal bytes. Nothing is written
// when the page cannot be made.
func (r Report) WriteHTML(w io.Writer) error {
	t, err := parsePage()
	if err != nil {
		return fmt.Errorf("write report as HTML: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, newView(r).page()); err != nil {
		return fmt.Errorf("write report as HTML: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write report as HTML: %w", err)
	}
	return nil
}

func (v view) page() page {
	base := v.Run.Baseline
	p := page{
		Title: v.titleText(), Lede: v.taskSentence(), Baseline: named(base), All: v.withoutAll(), Moving: named(v.moved()), Notes: v.notes(),
		Style: template.CSS(pageStyle), Script: template.JS(pageScript), // both are part of the program
		Answer: v.answer(), Verdicts: v.verdictTable(), Headline: v.headlineTable(), Packs: v.packTables(false), Wins: v.wins(), Moved: v.movedViews(),
		Against: v.comparisonTable("against", "Against "+named(base)+", all classes", func(c Comparison) bool { return c.A == base && c.Class == "" }).withoutColumn(0),
		Within:  v.comparisonTable("within", "Against "+named(base)+", by class", func(c Comparison) bool { return c.A == base && c.Class != "" }).withoutColumn(0),
		Others:  v.comparisonTable("others", "Other comparisons", func(c Comparison) bool { return c.A != base }),
		Facts:   v.runFacts(), Metrics: v.metricTable(), Definitions: v.definitionTable(),
		Details: []reportTable{v.variantTable(), v.settingTable(), v.repositoryTable(), v.countTable(), v.costTable()},
	}
	for i := range groupings[:2] {
		for _, metric := range []string{metricNDCG, metricSuccess, metricSPT} {
			if t, ok := v.groupTable(i, metric); ok {
				p.Groups = append(p.Groups, t)
			}
		}
	}
	for _, family := range curveMetrics {
		if drawn, ok := v.curves(family); ok {
			p.Curves = append(p.Curves, drawn)
		}
	}
	for _, metric := range []string{metricNDCG, metricSPT} {
		if drawn, ok := v.scatter(metric); ok {
			p.Latency = append(p.Latency, drawn)
		}
	}
	return p
}

func (v view) movedViews() []movedView {
	var out []movedView
	for _, m := range v.Moved {
		metric := v.metric(m.Metric)
		x := movedView{
			Task: m.Task, Query: m.Query, Gold: m.GoldText, Metric: metric.Title, Tone: "bad",
			Labels: joinKnown([]string{m.Repo, m.Language, m.Category, string(m.Class)}),
			Change: differenceText(metric, m.B-m.A), A: valueText(metric, m.A), B: valueText(metric, m.B),
			UnitsA: m.UnitsA, UnitsB: m.UnitsB,
		}
		if (m.B > m.A) == metric.HigherIsBetter {
			x.Tone = "good"
		}
		out = append(out, x)
	}
	return out
}
