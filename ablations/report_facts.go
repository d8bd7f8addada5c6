package ablations

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"agenvantage/internal/count"
)

// reportFact is a line of what is needed to repeat a run.
type reportFact struct{ Name, Value string }

// runFacts says how the run was made, in a fixed order; what was not said is left out.
func (v view) runFacts() []reportFact {
	run := v.Run
	budgets := make([]string, len(run.Budgets))
	for i, b := range run.Budgets {
		budgets[i] = count.Thousands(b)
	}
	facts := []reportFact{
		{"Task set", run.TaskSet}, {"Task-set hash", run.TaskSetHash}, {"Tasks", v.taskSentence()},
		{"Answers", v.answersText()}, {"Baseline", run.Baseline}, {"All channels", run.All}, {"Program", run.Product}, {"Configuration hash", run.ConfigHash},
		{"Index format", strconv.Itoa(run.IndexFormat)}, {"Tokenizer", run.Tokenizer}, {"Embedding model", run.Model}, {"Results asked of a search", count.Thousands(run.Depth)},
		{"Budgets in tokens", strings.Join(budgets, "; ")}, {"Bootstrap", count.Thousands(run.Resamples) + " resamples, seed " + strconv.FormatUint(run.Seed, 10)},
		{"Machine", v.Measured.Machine}, {"Started", v.Measured.Started},
	}
	if v.Measured.Seconds > 0 {
		facts = append(facts, reportFact{"Time of answering", fixed(v.Measured.Seconds, 1) + " s"})
	}
	return slices.DeleteFunc(facts, func(f reportFact) bool { return f.Value == "" })
}

// withoutAll says that no variant has all channels, "" where one has.
func (v view) withoutAll() string {
	if v.Run.All == "" && len(v.Variants) > 0 {
		return "; no variant has all channels"
	}
	return ""
}

// taskSentence counts the tasks: "120 tasks in 14 repositories (40 symbol, 80 natural; 5 without an answer)".
func (v view) taskSentence() string {
	s := count.Grouped(v.Tasks.Count, "task", "tasks") + " in " + count.Grouped(len(v.Tasks.Repositories), "repository", "repositories")
	var parts []string
	for _, c := range v.Tasks.Classes {
		if c.Count > 0 {
			parts = append(parts, count.Thousands(c.Count)+" "+groupLabel(c.Name))
		}
	}
	detail := strings.Join(parts, ", ")
	if v.Tasks.NoAnswer > 0 {
		if detail != "" {
			detail += "; "
		}
		detail += count.Thousands(v.Tasks.NoAnswer) + " without an answer"
	}
	if detail != "" {
		s += " (" + detail + ")"
	}
	return s
}

// variantTable says what each variant is: channels and settings, so that it can be run again.
func (v view) variantTable() reportTable {
	t := reportTable{ID: "variants", Title: "Variants", Columns: []reportColumn{
		{Short: "variant", Title: "Variant"}, {Short: "channels", Title: "Channels"},
		{Short: "settings", Title: "Settings over the run's own"}, {Short: "config", Title: "Configuration hash"},
	}}
	for _, x := range v.Variants {
		var settings []string
		for _, key := range slices.Sorted(maps.Keys(x.Settings)) {
			settings = append(settings, key+" = "+x.Settings[key])
		}
		t.Rows = append(t.Rows, reportRow{Strong: x.Name == v.Run.Baseline, Cells: []reportCell{
			textCell(x.Name), textCell(strings.Join(x.Channels, ", ")), textCell(strings.Join(settings, "; ")), textCell(x.ConfigHash),
		}})
	}
	return v.withAnswers(t)
}

// settingTable lists the run's settings that differ from the defaults.
func (v view) settingTable() reportTable {
	t := reportTable{ID: "settings", Title: "Settings that differ from the defaults", Columns: []reportColumn{
		{Short: "key", Title: "Key"}, {Short: "value", Title: "Value"},
	}}
	for _, s := range v.Run.Settings {
		t.Rows = append(t.Rows, reportRow{Cells: []reportCell{textCell(s.Key), textCell(s.Value)}})
	}
	return t
}

// repositoryTable lists the repositories with their revisions.
func (v view) repositoryTable() reportTable {
	t := reportTable{ID: "repositories", Title: "Repositories", Columns: []reportColumn{
		{Short: "repository", Title: "Repository"}, {Short: "language", Title: "Language"},
		{Short: "tasks", Title: "Tasks", Number: true}, {Short: "revisions", Title: "Revisions"},
	}}
	for _, r := range v.Tasks.Repositories {
		revisions := make([]string, len(r.Revisions))
		for i, x := range r.Revisions {
			revisions[i] = revisionText(x)
		}
		t.Rows = append(t.Rows, reportRow{Cells: []reportCell{
			textCell(r.Name), textCell(r.Language), numberCell(count.Thousands(r.Tasks), float64(r.Tasks)), textCell(strings.Join(revisions, ", ")),
		}})
	}
	return t
}

// costTable lists what the indexes took.
func (v view) costTable() reportTable {
	t := reportTable{ID: "costs", Title: "Cost of the indexes", Columns: []reportColumn{
		{Short: "repository", Title: "Repository"}, {Short: "files", Title: "Files", Number: true},
		{Short: "build\ns", Title: "Build, s", Number: true}, {Short: "index", Title: "Index", Number: true},
	}}
	var channels []string
	for _, c := range v.Measured.Costs {
		for name := range c.Channels {
			if !slices.Contains(channels, name) {
				channels = append(channels, name)
			}
		}
	}
	slices.Sort(channels)
	for _, name := range channels {
		t.Columns = append(t.Columns, reportColumn{Short: shorten(printable(name), 16), Title: name, Number: true})
	}
	for _, c := range v.Measured.Costs {
		build := missingCell() // the index was there
		if c.BuildSeconds > 0 {
			build = numberCell(fixed(c.BuildSeconds, 1), c.BuildSeconds)
		}
		row := reportRow{Cells: []reportCell{
			textCell(c.Repo), numberCell(count.Thousands(c.Files), float64(c.Files)), build, numberCell(byteSize(c.IndexBytes), float64(c.IndexBytes)),
		}}
		for _, name := range channels {
			cost, ok := c.Channels[name]
			if !ok {
				row.Cells = append(row.Cells, missingCell())
				continue
			}
			text := byteSize(cost.IndexBytes)
			if cost.EmbeddedTokens > 0 {
				text += ", " + count.Thousands(int(cost.EmbeddedTokens)) + " tokens embedded"
			}
			row.Cells = append(row.Cells, numberCell(text, float64(cost.IndexBytes)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// countTable lists how the tasks are spread over the sets' labels.
func (v view) countTable() reportTable {
	t := reportTable{ID: "labels", Title: "Tasks by label", Columns: []reportColumn{
		{Short: "label", Title: "Label"}, {Short: "value", Title: "Value"}, {Short: "tasks", Title: "Tasks", Number: true},
	}}
	for _, g := range []struct {
		name   string
		counts []CountInfo
	}{{"class", v.Tasks.Classes}, {"category", v.Tasks.Categories}, {"language", v.Tasks.Languages}, {"source", v.Tasks.Sources}} {
		for _, c := range g.counts {
			t.Rows = append(t.Rows, reportRow{Cells: []reportCell{
				textCell(g.name), textCell(groupLabel(c.Name)), numberCell(count.Thousands(c.Count), float64(c.Count)),
			}})
		}
	}
	return t
}

// metricTable holds every metric of the report: its definition and its value for each variant.
func (v view) metricTable() reportTable {
	t := reportTable{ID: "all-metrics", Title: "Every metric", Columns: []reportColumn{{Short: "metric", Title: "Metric"}}}
	for _, x := range v.Variants {
		t.Columns = append(t.Columns, reportColumn{Short: shorten(printable(x.Name), 16), Title: x.Name, Number: true})
	}
	for _, name := range v.shownMetrics() {
		row := reportRow{Cells: []reportCell{textCell(name)}}
		for _, x := range v.Variants {
			row.Cells = append(row.Cells, v.estimateCell(x.Overall, name))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// definitionTable says what the metrics mean.
func (v view) definitionTable() reportTable {
	t := reportTable{ID: "definitions", Title: "Definitions of the metrics", Columns: []reportColumn{
		{Short: "metric", Title: "Metric"}, {Short: "title", Title: "Title"}, {Short: "better", Title: "Better"},
		{Short: "mean", Title: "Mean over tasks"}, {Short: "definition", Title: "Definition"},
	}}
	for _, m := range Metrics() {
		better, mean := "lower", "mean of values"
		if m.HigherIsBetter {
			better = "higher"
		}
		switch {
		case m.Ratio:
			mean = "ratio of sums"
		case m.Binary:
			mean = "share of tasks"
		}
		t.Rows = append(t.Rows, reportRow{Cells: []reportCell{
			textCell(m.Name), textCell(m.Title), textCell(better), textCell(mean), textCell(m.Definition),
		}})
	}
	return t
}

// shownIn puts the units of a moved task's ranking into words: "* a.py:1-9".
func shownText(s Shown) string {
	if s.Span == "" {
		return s.Path
	}
	return s.Path + ":" + s.Span
}
