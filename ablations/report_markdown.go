package ablations

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteMarkdown writes the report as Markdown with tables: scores, groups, all comparisons, verdicts, the tasks that
// moved, and what is needed to repeat the run. What repositories and tasks say is escaped.
func (r Report) WriteMarkdown(w io.Writer) error {
	v := newView(r)
	var b strings.Builder
	fmt.Fprintf(&b, "# Ablation of %s\n\n", escapeMarkdown(v.titleText()))
	fmt.Fprintf(&b, "%s. Baseline: %s%s.\n", escapeMarkdown(v.taskSentence()), escapeMarkdown(named(r.Run.Baseline)), v.withoutAll())
	for _, note := range v.notes() {
		fmt.Fprintf(&b, "\n> %s\n", escapeMarkdown(note))
	}
	markdownTable(&b, v.verdictTable(), "The gate judged no channel in this run.")
	markdownTable(&b, v.headlineTable(), "No variant was run.")
	for _, t := range v.packTables(false) {
		markdownTable(&b, t, "None.")
	}
	for i := range groupings {
		for _, metric := range []string{metricNDCG, metricSuccess, metricSPT} {
			if t, ok := v.groupTable(i, metric); ok {
				markdownTable(&b, t, "")
			}
		}
	}
	base := r.Run.Baseline
	markdownTable(&b, v.comparisonTable("against", "Against "+named(base), func(c Comparison) bool { return c.A == base }).withoutColumn(0), "Nothing was compared.")
	others := v.comparisonTable("other", "Other comparisons", func(c Comparison) bool { return c.A != base })
	if len(others.Rows) > 0 {
		markdownTable(&b, others, "")
	}
	v.markdownMoved(&b)
	markdownTable(&b, v.metricTable(), "No variant was run.")
	b.WriteString("\n## How to repeat this run\n\n")
	for _, f := range v.runFacts() {
		fmt.Fprintf(&b, "- %s: %s\n", f.Name, escapeMarkdown(f.Value))
	}
	markdownTable(&b, v.variantTable(), "No variant was run.")
	markdownTable(&b, v.settingTable(), "None: every setting of the run is the default.")
	markdownTable(&b, v.repositoryTable(), "No repository.")
	markdownTable(&b, v.countTable(), "No task has a label.")
	markdownTable(&b, v.costTable(), "No index was measured.")
	markdownTable(&b, v.definitionTable(), "")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write report as Markdown: %w", err)
	}
	return nil
}

// markdownTable writes a heading and the table, or empty when there are no rows.
func markdownTable(b *strings.Builder, t reportTable, empty string) {
	fmt.Fprintf(b, "\n## %s\n\n", escapeMarkdown(t.Title))
	if len(t.Rows) == 0 {
		b.WriteString(empty + "\n")
		return
	}
	if t.Note != "" {
		b.WriteString(escapeMarkdown(t.Note) + "\n\n")
	}
	var head, rule strings.Builder
	for _, c := range t.Columns {
		head.WriteString("| " + escapeMarkdown(c.Title) + " ")
		if c.Number {
			rule.WriteString("| ---: ")
		} else {
			rule.WriteString("| --- ")
		}
	}
	b.WriteString(head.String() + "|\n" + rule.String() + "|\n")
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			b.WriteString("| " + escapeMarkdown(c.Text) + " ")
		}
		b.WriteString("|\n")
	}
}

// markdownMoved writes the tasks that moved most; gold is marked by a word.
func (v view) markdownMoved(b *strings.Builder) {
	b.WriteString("\n## Tasks that moved most\n")
	if len(v.Moved) == 0 {
		b.WriteString("\nNo task moved.\n")
		return
	}
	fmt.Fprintf(b, "\nFrom %s to %s.\n", escapeMarkdown(named(v.Run.Baseline)), escapeMarkdown(named(v.moved())))
	for _, m := range v.Moved {
		metric := v.metric(m.Metric)
		fmt.Fprintf(b, "\n### %s: %s %s → %s\n\n", escapeMarkdown(named(m.Task)), escapeMarkdown(m.Metric), valueText(metric, m.A), valueText(metric, m.B))
		labels := []string{m.Repo, m.Language, m.Category, string(m.Class)}
		fmt.Fprintf(b, "%s. Question: %s\n\nGold: %s\n\n", escapeMarkdown(joinKnown(labels)), escapeMarkdown(m.Query), escapeMarkdown(named(m.GoldText)))
		fmt.Fprintf(b, "| Rank | %s | %s |\n| ---: | --- | --- |\n", escapeMarkdown(named(v.Run.Baseline)), escapeMarkdown(named(v.moved())))
		for i := range max(len(m.UnitsA), len(m.UnitsB)) {
			fmt.Fprintf(b, "| %d | %s | %s |\n", i+1, markdownUnit(m.UnitsA, i), markdownUnit(m.UnitsB, i))
		}
	}
}

func markdownUnit(units []Shown, i int) string {
	if i >= len(units) {
		return ""
	}
	s := escapeMarkdown(shownText(units[i]))
	if units[i].Gold {
		return "**gold** " + s
	}
	return s
}

// joinKnown joins the words that are not empty.
func joinKnown(words []string) string {
	var known []string
	for _, s := range words {
		if s != "" {
			known = append(known, s)
		}
	}
	return strings.Join(known, ", ")
}

// escapeMarkdown makes text from outside plain text on one line: punctuation that Markdown or HTML would read is escaped.
// An underscore inside a word is none of that.
func escapeMarkdown(s string) string {
	runes := []rune(printable(s))
	var b strings.Builder
	for i, r := range runes {
		escape := strings.ContainsRune("\\`*[]<>|~&#", r)
		if r == '_' {
			inside := i > 0 && i+1 < len(runes) && isWordRune(runes[i-1]) && isWordRune(runes[i+1])
			escape = !inside
		}
		if escape {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
