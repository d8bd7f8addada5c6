package ablations

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"agenvantage"
	"agenvantage/internal/count"
)

// The widths of plain text in characters.
const (
	defaultTextWidth = 120
	minTextWidth     = 40
	maxTextWidth     = 1000
	minNameWidth     = 12 // a name is not cut to less than this
	maxNameWidth     = 40
	columnGap        = 2
)

// WriteText writes what a terminal shows: scores of the variants, by class and by category, comparisons with the baseline,
// verdicts. Lines are at most width characters long, but for a single word or figure that is longer; 0 means 120, less
// than 40 counts as 40. A table that is too wide is continued below itself. Names are cut in their middle.
func (r Report) WriteText(w io.Writer, width int) error {
	if width < 0 || width > maxTextWidth {
		return fmt.Errorf("%w: write report as text: width %d is not between 0 and %d", agenvantage.ErrBadInput, width, maxTextWidth)
	}
	if width == 0 {
		width = defaultTextWidth
	}
	v := newView(r)
	p := textWriter{width: max(width, minTextWidth)}
	p.paragraph("Ablation of " + v.titleText() + ": " + v.taskSentence())
	all := "all channels " + r.Run.All
	if r.Run.All == "" {
		all = "no variant has all channels"
	}
	p.paragraph("Baseline " + named(r.Run.Baseline) + ", " + all + ", tokens by " + named(r.Run.Tokenizer) +
		", task-set hash " + named(r.Run.TaskSetHash))
	for _, note := range v.notes() {
		p.paragraph("Note: " + note)
	}
	if len(r.Variants) == 0 {
		p.section("Scores", "No variant was run.")
	} else {
		t := v.headlineTable()
		p.section(t.Title, t.Note)
		p.table(t)
	}
	for _, t := range v.packTables(true) {
		if len(t.Rows) > 0 {
			p.section(t.Title, t.Note)
			p.table(t)
		}
	}
	for i := range groupings[:2] {
		for _, metric := range []string{metricNDCG, metricSuccess, metricSPT} {
			if t, ok := v.groupTable(i, metric); ok {
				p.section(t.Title, "")
				p.table(t)
			}
		}
	}
	v.textComparisons(&p)
	v.textVerdicts(&p)
	if _, err := io.WriteString(w, p.b.String()); err != nil {
		return fmt.Errorf("write report as text: %w", err)
	}
	return nil
}

// textComparisons prints all comparisons with the baseline over all classes, and those within a class that show something.
func (v view) textComparisons(p *textWriter) {
	total, within := 0, 0
	for _, c := range v.Comparisons {
		if c.A == v.Run.Baseline {
			total++
			if c.Class != "" && !c.Shown {
				within++
			}
		}
	}
	title := "Against " + named(v.Run.Baseline)
	if total == 0 {
		p.section(title, "Nothing was compared.")
		return
	}
	p.section(title, "")
	p.table(v.comparisonTable("against", title, func(c Comparison) bool {
		return c.A == v.Run.Baseline && (c.Class == "" || c.Shown)
	}))
	if within > 0 {
		p.paragraph(count.Grouped(within, "comparison", "comparisons") + " within a class: " + noDifference + ".")
	}
}

// textVerdicts prints what the gate judged; channels that are always on take a line together.
func (v view) textVerdicts(p *textWriter) {
	t := v.verdictTable()
	if len(t.Rows) == 0 {
		p.section(t.Title, "The gate judged no channel in this run.")
		return
	}
	p.section(t.Title, t.Note)
	var always []string
	var judged []reportRow
	for i, x := range v.Verdicts {
		switch {
		case x.Decision != AlwaysOn:
			row := t.Rows[i]
			row.Cells = slices.Clone(row.Cells)
			row.Cells[2].Text = decisionWord(x.Decision)
			judged = append(judged, row)
		case !slices.Contains(always, x.Channel):
			always = append(always, x.Channel)
		}
	}
	if len(always) > 0 {
		p.paragraph("Always on: " + strings.Join(always, ", ") + ".")
	}
	if t.Rows = judged; len(judged) > 0 {
		p.table(t)
	}
}

func named(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}

// textWriter lays plain text out.
type textWriter struct {
	b     strings.Builder
	width int
}

func (p *textWriter) section(title, note string) {
	p.b.WriteByte('\n')
	p.paragraph(title)
	if note != "" {
		p.paragraph(note)
	}
}

func (p *textWriter) paragraph(s string) { p.wrapped(s, 0) }

// wrapped writes words on lines that fit, each behind indent spaces.
func (p *textWriter) wrapped(s string, indent int) {
	line := 0
	for _, word := range strings.Fields(printable(s)) {
		n := utf8.RuneCountInString(word)
		if line > 0 && indent+line+1+n > p.width {
			p.b.WriteByte('\n')
			line = 0
		}
		if line == 0 {
			p.b.WriteString(strings.Repeat(" ", indent))
		} else {
			p.b.WriteByte(' ')
			line++
		}
		p.b.WriteString(word)
		line += n
	}
	p.b.WriteByte('\n')
}

// table writes the columns that terminals show, in as many blocks as the width asks for; each begins with the names.
func (p *textWriter) table(t reportTable) {
	var columns []int
	for i, c := range t.Columns {
		if !c.Page {
			columns = append(columns, i)
		}
	}
	if len(columns) == 0 {
		return
	}
	widths := make([]int, len(t.Columns))
	for _, i := range columns {
		for _, line := range strings.Split(t.Columns[i].Short, "\n") {
			widths[i] = max(widths[i], utf8.RuneCountInString(line))
		}
		for _, row := range t.Rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(printable(row.Cells[i].Text)))
		}
		if !t.Columns[i].Number {
			widths[i] = min(widths[i], maxNameWidth)
		}
	}
	total := -columnGap
	for _, i := range columns {
		total += widths[i] + columnGap
	}
	name := columns[0]
	if over := total - p.width; over > 0 && !t.Grouped {
		widths[name] = max(min(widths[name], minNameWidth), widths[name]-over)
	}
	if t.Grouped { // the name has lines of its own; what is left of its column is the indent
		widths[name] = 0
	}
	for rest := columns[1:]; ; {
		block, used := []int{name}, widths[name]
		for len(rest) > 0 && (len(block) == 1 || used+columnGap+widths[rest[0]] <= p.width) {
			used += columnGap + widths[rest[0]]
			block, rest = append(block, rest[0]), rest[1:]
		}
		p.block(t, block, widths, len(rest) == 0)
		if len(rest) == 0 {
			return
		}
		p.b.WriteByte('\n')
	}
}

// block writes the given columns of a table, and the rows' remarks in the last one.
func (p *textWriter) block(t reportTable, columns, widths []int, last bool) {
	lines := 1
	for _, i := range columns {
		lines = max(lines, 1+strings.Count(t.Columns[i].Short, "\n"))
	}
	for line := range lines {
		p.line(t, columns, widths, func(i int) string {
			if t.Grouped && i == columns[0] {
				return ""
			}
			parts := strings.Split(t.Columns[i].Short, "\n")
			if at := line - (lines - len(parts)); at >= 0 {
				return parts[at]
			}
			return ""
		})
	}
	for n, row := range t.Rows {
		if name := row.Cells[columns[0]].Text; t.Grouped && (n == 0 || name != t.Rows[n-1].Cells[columns[0]].Text) {
			p.paragraph(named(name))
		}
		p.line(t, columns, widths, func(i int) string {
			if t.Grouped && i == columns[0] {
				return ""
			}
			return printable(row.Cells[i].Text)
		})
		if last && row.Remark != "" {
			p.wrapped(row.Remark, 2*columnGap)
		}
	}
}

func (p *textWriter) line(t reportTable, columns, widths []int, text func(int) string) {
	var line strings.Builder
	for n, i := range columns {
		s := text(i)
		if !t.Columns[i].Number {
			s = shorten(s, widths[i])
		}
		pad := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(s)))
		if n > 0 {
			line.WriteString(strings.Repeat(" ", columnGap))
		}
		if t.Columns[i].Number {
			line.WriteString(pad + s)
		} else {
			line.WriteString(s + pad)
		}
	}
	p.b.WriteString(strings.TrimRight(line.String(), " "))
	p.b.WriteByte('\n')
}
