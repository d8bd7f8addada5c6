package ablations

import (
	"strconv"
	"strings"
)

// Metric describes one metric, or with a name that ends in "@B" one metric for each budget.
type Metric struct {
	Name           string // "success@B"
	Title          string // for the head of a column
	Definition     string // a sentence or two, without the final full stop of the last
	HigherIsBetter bool
	Binary         bool   // 0 or 1 for a task, so that McNemar's test applies
	Ratio          bool   // a ratio of sums over tasks; no value for a single task
	Unit           string // "", "tokens" or "per 1,000 tokens"
}

// Metrics lists every metric in the order of reports. "gold" is what a task must find; "targets" are gold and optional
// evidence. k and B are numbers of places and of tokens. Within B tokens the units of an answer are read in order; the one
// that crosses B counts up to the line that fits.
func Metrics() []Metric {
	return []Metric{
		{Name: "ndcg@10", Title: "nDCG@10", HigherIsBetter: true,
			Definition: "Each of the first 10 units that is the first hit of some target gains 1/log2(rank+1); divided by the gain of a list with one target on each of the first ranks. A range of lines is a target of its own and is hit by an overlapping unit of its file; a repeated file takes ranks of its own"},
		{Name: "ndcg@5", Title: "nDCG@5", HigherIsBetter: true, Definition: "As nDCG@10, over the first 5 units"},
		{Name: "recall@10", Title: "recall@10", HigherIsBetter: true, Definition: "Targets that one of the first 10 units hits / targets"},
		{Name: "mrr@10", Title: "MRR@10", HigherIsBetter: true, Definition: "1 / rank of the first unit that hits a target, 0 beyond rank 10"},
		{Name: "hit@1", Title: "hit@1", HigherIsBetter: true, Binary: true, Definition: "1 when the first unit hits a target"},
		{Name: "file_ndcg@10", Title: "file nDCG@10", HigherIsBetter: true,
			Definition: "As nDCG@10, over the distinct files of the units in the order of their first unit, lines ignored"},
		{Name: "file_recall@10", Title: "file recall@10", HigherIsBetter: true, Definition: "Targets whose file is among the first 10 distinct files of the units / targets"},
		{Name: "file_mrr@10", Title: "file MRR@10", HigherIsBetter: true, Definition: "1 / rank of the first file that is a target's among the distinct files of the units, 0 beyond rank 10"},
		{Name: "acc@1", Title: "acc@1", HigherIsBetter: true, Binary: true, Definition: accDefinition},
		{Name: "acc@3", Title: "acc@3", HigherIsBetter: true, Binary: true, Definition: accDefinition},
		{Name: "acc@5", Title: "acc@5", HigherIsBetter: true, Binary: true, Definition: accDefinition},
		{Name: "acc@10", Title: "acc@10", HigherIsBetter: true, Binary: true, Definition: accDefinition},
		{Name: "acc@50", Title: "acc@50", HigherIsBetter: true, Binary: true, Definition: accDefinition},
		{Name: "gold_file_recall@1", Title: "gold file recall@1", HigherIsBetter: true, Definition: goldFileDefinition},
		{Name: "gold_file_recall@3", Title: "gold file recall@3", HigherIsBetter: true, Definition: goldFileDefinition},
		{Name: "gold_file_recall@5", Title: "gold file recall@5", HigherIsBetter: true, Definition: goldFileDefinition},
		{Name: "gold_file_recall@10", Title: "gold file recall@10", HigherIsBetter: true, Definition: goldFileDefinition},
		{Name: "gold_file_recall@50", Title: "gold file recall@50", HigherIsBetter: true, Definition: goldFileDefinition},
		{Name: "success@B", Title: "success@B", HigherIsBetter: true, Binary: true,
			Definition: "1 when every gold file has at least one gold line shown within B tokens. Where a task names no lines of a file, each of its lines is gold"},
		{Name: "spt@B", Title: "success per 1,000 tokens@B", HigherIsBetter: true, Ratio: true, Unit: "per 1,000 tokens",
			Definition: "Sum of success@B over tasks / sum of the tokens shown within B, in thousands. An answer that stops early spends less; read it beside success@B"},
		{Name: "success_hunks@B", Title: "all ranges@B", HigherIsBetter: true, Binary: true,
			Definition: "1 when every range of every gold target has at least one line shown within B tokens: the hunk form of success"},
		{Name: "success_any@B", Title: "any target@B", HigherIsBetter: true, Binary: true, Definition: "1 when at least one gold target has a line shown within B tokens"},
		{Name: "evidence_area", Title: "evidence area", HigherIsBetter: true,
			Definition: "Area under line recall (file recall within tokens where a gold file has no lines of its own) over the binary logarithm of the budgets from 500 to 8,000 tokens, by trapezoids, divided by the width"},
		{Name: "line_recall@B", Title: "line recall@B", HigherIsBetter: true, Definition: "Distinct gold lines shown within B tokens / gold lines. Only for tasks whose gold files all have lines"},
		{Name: "line_precision@B", Title: "line precision@B", HigherIsBetter: true,
			Definition: "Distinct gold or context lines shown within B tokens / distinct lines shown. Only for tasks that name their context and lines of every gold file; 0 when nothing is shown"},
		{Name: "context_recall@B", Title: "context recall@B", HigherIsBetter: true, Definition: "Distinct context lines shown within B tokens / context lines. Only for tasks that name their context"},
		{Name: "file_recall_tokens@B", Title: "file recall@B tokens", HigherIsBetter: true, Definition: "Gold files with at least one gold line shown within B tokens / gold files"},
		{Name: "shown_precision@B", Title: "shown precision@B", HigherIsBetter: true,
			Definition: "Distinct lines shown within B tokens that are gold, optional or context / distinct lines shown; each line counts of a target without lines. 0 when nothing is shown"},
		{Name: "tokens@B", Title: "tokens@B", Unit: "tokens", Definition: "Tokens shown within B"},
		{Name: "duplicate_rate@B", Title: "duplicates@B",
			Definition: "Tokens of lines that an earlier unit has shown / tokens shown within B; a unit's tokens are spread evenly over its lines. Absent when no token is shown"},
		{Name: "distractor_rate@B", Title: "distractors@B",
			Definition: "Tokens of units that touch no gold, optional or context line / tokens shown within B. Absent when no token is shown"},
		{Name: "tfh", Title: "tokens to first hit", Unit: "tokens", Definition: "Tokens to the end of the first unit that shows a gold line; 32,000 when none does, and at most"},
		{Name: "tfh_censored", Title: "no hit", Binary: true, Definition: "1 when the tokens to the first hit are the cap of 32,000"},
		{Name: "tokens_to_all", Title: "tokens to all", Unit: "tokens",
			Definition: "Tokens to the end of the unit with which every gold file has shown a gold line; 32,000 when some file never does, and at most"},
		{Name: "pack_file_recall", Title: "file recall of the pack", HigherIsBetter: true,
			Definition: "Gold files with a unit in the pack / gold files; any line of a file will do. " + packDefinition},
		{Name: "all_in", Title: "all files in", HigherIsBetter: true, Binary: true, Definition: "1 when every gold file has a unit in the pack. Only for packs"},
		{Name: "test_recall", Title: "test recall", HigherIsBetter: true,
			Definition: "Test files of the task with a unit in the pack / test files of the task. Only for packs, and for tasks that name test files"},
		{Name: "reduction", Title: "reduction", HigherIsBetter: true,
			Definition: "1 - tokens of the whole pack / tokens of the repository at the revision, which are estimated as its bytes of indexed text / 4. Below 0 where the pack is longer than the repository. Only for packs"},
		{Name: "ready", Title: "ready", HigherIsBetter: true, Binary: true, Definition: "1 when a pack says that it is ready. Only for packs"},
		{Name: "ready_all_in", Title: "ready of all in", HigherIsBetter: true, Binary: true,
			Definition: "1 when a pack that holds every gold file says that it is ready. Only for packs that do hold them"},
		{Name: "false_ready", Title: "false ready", Binary: true, Definition: "1 when a pack says that it is ready although no unit is of some gold file. Only for packs that say so"},
		{Name: "false_confidence", Title: "false confidence", Binary: true,
			Definition: "1 when a question without an answer in the repository gets units without a caveat and without the status insufficient or partial. Only for such questions, which have no other metric"},
	}
}

// packDefinition says what the units of a pack are.
const packDefinition = "Only for packs, whose units are their blocks of source and of documents in the order in which an agent reads them: instructions, map and history count among the tokens of the pack and are no evidence"

const (
	accDefinition      = "1 when every gold file is among the first k files of the search"
	goldFileDefinition = "Gold files among the first k files of the search / gold files"
)

// MetricOf describes a metric by its name, "success@2000" by the entry "success@B" with the budget put in for B. ok is
// false when there is none.
func MetricOf(name string) (m Metric, ok bool) {
	budget, budgeted := budgetOf(name)
	family, _, _ := strings.Cut(name, "@")
	for _, m := range Metrics() {
		switch {
		case m.Name == name && !strings.HasSuffix(name, "@B"):
			return m, true
		case budgeted && m.Name == family+"@B":
			m.Name, m.Title = name, strings.Replace(m.Title, "@B", "@"+strconv.Itoa(budget), 1)
			return m, true
		}
	}
	return Metric{}, false
}

// budgetOf is the number after "@", which for some metrics is a budget in tokens.
func budgetOf(name string) (budget int, ok bool) {
	family, text, _ := strings.Cut(name, "@")
	budget, err := strconv.Atoi(text)
	return budget, err == nil && budget > 0 && name == metricAt(family, budget)
}
