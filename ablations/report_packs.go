package ablations

import (
	"fmt"
	"slices"
	"strings"

	"agenvantage/internal/count"
)

// packNote says what stands in the tables of packs.
const packNote = "A pack answers instead of a search. Its units are the blocks of source and of documents in the order in which an agent " +
	"reads them; instructions, map and history count among its tokens and are no evidence. Within B tokens means within the first B " +
	"tokens of the units. The tokens of a repository are its bytes of indexed text / 4."

// answersText says with what the variants answer where some answer with packs: "packs of 6,000 tokens"; "" for searches alone.
func (v view) answersText() string {
	var variants []Variant
	for _, x := range v.Variants {
		variants = append(variants, x.Variant)
	}
	return answersText(variants)
}

func answersText(variants []Variant) string {
	var sizes []string
	searches := false
	for _, budget := range PackBudgets(variants) {
		if budget == 0 {
			searches = true
			continue
		}
		sizes = append(sizes, count.Thousands(budget))
	}
	if len(sizes) == 0 {
		return ""
	}
	last := len(sizes) - 1
	text := sizes[last]
	if last > 0 {
		text = strings.Join(sizes[:last], ", ") + " and " + text
	}
	text = "packs of " + text + " tokens"
	if searches {
		text += ", and searches"
	}
	return text
}

// titleText names the task set, and the packs where there are some.
func (v view) titleText() string {
	if text := v.answersText(); text != "" {
		return named(v.Run.TaskSet) + " with " + text
	}
	return named(v.Run.TaskSet)
}

// packTables are the tables of packs; none without a pack. The short form, for terminals, has evidence at the budget of the
// pack alone, and the bins of the stated chance of a single variant.
func (v view) packTables(short bool) []reportTable {
	if len(v.Packs) == 0 {
		return nil
	}
	return []reportTable{v.packTable(short), v.slotTable(), v.calibrationTable(short && len(v.Packs) > 1)}
}

// packBudgets lists the budgets at which a pack's evidence is shown: up to its own, beyond which nothing changes.
func (v view) packBudgets(p PackReport, short bool) []int {
	return slices.DeleteFunc(slices.Clone(v.Run.Budgets), func(b int) bool {
		return p.Budget > 0 && (b > p.Budget || short && b < p.Budget)
	})
}

// packMetrics lists the metrics of a pack's table: those of packs, and of evidence at the budgets.
func packMetrics(budgets []int) []string {
	names := []string{"pack_file_recall", "all_in", "test_recall", "ready", "ready_all_in", "false_ready", "reduction"}
	for _, family := range []string{"success", "line_recall", "line_precision"} {
		for _, b := range budgets {
			names = append(names, metricAt(family, b))
		}
	}
	return names
}

// packTable has a line for each metric of each variant that answers with packs.
func (v view) packTable(short bool) reportTable {
	t := reportTable{ID: "packs", Title: "Packs", Note: packNote, Grouped: true, Columns: []reportColumn{
		{Short: "variant", Title: "Variant"}, {Short: "measure", Title: "Measure"},
		{Short: "mean over\nrepositories", Title: "Mean over repositories", Number: true},
		{Short: "95% interval", Title: "95% interval", Number: true},
		{Short: "mean over\ntasks", Title: "Mean over tasks", Number: true}, {Short: "median", Title: "Median", Number: true},
		{Short: "tasks", Title: "Tasks", Number: true},
	}}
	for _, p := range v.Packs {
		x, _ := v.variant(p.Variant)
		row := func(cells ...reportCell) {
			cells = append([]reportCell{textCell(p.Variant)}, cells...)
			t.Rows = append(t.Rows, reportRow{Strong: p.Variant == v.Run.Baseline, Cells: cells})
		}
		packs := numberCell(count.Thousands(p.Packs), float64(p.Packs))
		for _, name := range packMetrics(v.packBudgets(p, short)) {
			e, ok := x.Overall[name]
			if !ok || !usable(e.QueryMean) {
				continue
			}
			median := missingCell()
			if name == "reduction" && p.Reduced > 0 {
				median = numberCell(fixed(p.MedianReduction, 3), p.MedianReduction)
			}
			row(textCell(sentenceCase(v.metric(name).Title)), v.estimateCell(x.Overall, name), v.boundsCell(x.Overall, name),
				numberCell(valueText(v.metric(name), e.QueryMean), e.QueryMean), median, numberCell(count.Thousands(e.Tasks), float64(e.Tasks)))
		}
		none, median := missingCell(), numberCell(fixed(p.MedianTokens, 0), p.MedianTokens)
		row(textCell("Tokens of the pack"), none, none, none, median, packs)
		row(textCell("Packs above their budget"), none, none, shareCell(p.OverBudget, p.Packs), none, packs)
	}
	return t
}

// shareText prints a share as a percentage.
func shareText(x float64) string { return valueText(Metric{Binary: true}, x) }

// shareCell is the share of n in all.
func shareCell(n, all int) reportCell {
	x := ratio(float64(n), float64(all))
	return numberCell(shareText(x), x)
}

// slotTable has a line for each slot of each variant.
func (v view) slotTable() reportTable {
	t := reportTable{ID: "slots", Title: "Slots of the packs", Grouped: true, Note: "Shares are of the packs that have the slot.", Columns: []reportColumn{
		{Short: "variant", Title: "Variant"}, {Short: "slot", Title: "Slot"},
		{Short: "packs", Title: "Packs", Number: true}, {Short: "filled", Title: "Filled", Number: true},
		{Short: "proven\nabsent", Title: "Proven absent", Number: true}, {Short: "unknown", Title: "Unknown", Number: true},
	}}
	for _, p := range v.Packs {
		for _, s := range p.Slots {
			t.Rows = append(t.Rows, reportRow{Cells: []reportCell{
				textCell(p.Variant), textCell(s.Slot), numberCell(count.Thousands(s.Packs), float64(s.Packs)),
				shareCell(s.Filled, s.Packs), shareCell(s.ProvenAbsent, s.Packs), shareCell(s.Unknown, s.Packs),
			}})
		}
	}
	return t
}

// calibrationTable holds the stated chance against what was so, for each half of the tasks.
func (v view) calibrationTable(short bool) reportTable {
	t := reportTable{ID: "calibration", Title: "Stated chance against what was so", Grouped: true,
		Note: "The chance that a pack states for holding every file to change, against the share of packs that held every gold file. " +
			"A hash of repository and id divides the tasks into two halves: what is fitted on the first is checked on the second. " +
			"Brier is the mean squared difference; 0 is best.",
		Columns: []reportColumn{
			{Short: "variant", Title: "Variant"}, {Short: "half", Title: "Half"}, {Short: "stated chance", Title: "Stated chance"},
			{Short: "tasks", Title: "Tasks", Number: true}, {Short: "mean\nchance", Title: "Mean stated chance", Number: true},
			{Short: "all files\nin", Title: "All files in", Number: true}, {Short: "Brier", Title: "Brier", Number: true},
		}}
	if short {
		t.Note += " The pages of the report divide it by the stated chance."
	}
	for _, p := range v.Packs {
		for _, h := range p.Calibration {
			row := func(label string, g CalibrationGroup, brier reportCell) {
				if g.Tasks == 0 {
					return
				}
				t.Rows = append(t.Rows, reportRow{Cells: []reportCell{
					textCell(p.Variant), textCell(h.Half), textCell(label), numberCell(count.Thousands(g.Tasks), float64(g.Tasks)),
					numberCell(fixed(g.Chance, 3), g.Chance), numberCell(shareText(g.AllIn), g.AllIn), brier,
				}})
			}
			for _, g := range h.Bins {
				if short {
					break
				}
				row(fmt.Sprintf("%s to %s", fixed(g.Low, 1), fixed(g.High, 1)), g, missingCell())
			}
			row("says ready", h.Ready, missingCell())
			row("all", h.All, numberCell(fixed(h.Brier, 3), h.Brier))
		}
	}
	return t
}

// answerCell says with what a variant answers.
func answerCell(x Variant) reportCell {
	if x.Pack == 0 {
		return textCell("search")
	}
	return numberCell("pack of "+count.Thousands(x.Pack)+" tokens", float64(x.Pack))
}

// withAnswers adds to the table of variants with what each answers, where some answer with packs.
func (v view) withAnswers(t reportTable) reportTable {
	if len(t.Rows) != len(v.Variants) || !slices.ContainsFunc(v.Variants, func(x VariantReport) bool { return x.Pack > 0 }) {
		return t
	}
	t.Columns = append(t.Columns, reportColumn{Short: "answers with", Title: "Answers with"})
	for i, x := range v.Variants {
		t.Rows[i].Cells = append(t.Rows[i].Cells, answerCell(x.Variant))
	}
	return t
}
