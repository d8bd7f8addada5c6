package ablations

import (
	"fmt"
	"io"
	"slices"

	"agenvantage"
)

// Record is the part of a report that is worth keeping beside the code: figures of all tasks and by class, comparisons,
// verdicts and what repeats the run, without the questions of others, which are not ours to copy, and without the parts
// that a run makes again.
func (r Report) Record() Report {
	r.Moved = []MovedTask{}
	r.Variants = slices.Clone(r.Variants)
	for i := range r.Variants {
		v := &r.Variants[i]
		kept := keptMetrics(v.Pack, r.Run.Budgets)
		v.ByRepo, v.ByCategory, v.ByLanguage = []Group{}, []Group{}, []Group{}
		v.Overall, v.ByClass = headline(v.Overall, kept), slices.Clone(v.ByClass)
		for j := range v.ByClass {
			v.ByClass[j].Scores = headline(v.ByClass[j].Scores, kept)
		}
	}
	r.Comparisons = slices.DeleteFunc(slices.Clone(r.Comparisons), func(c Comparison) bool { return c.A != r.Run.Baseline || c.Class != "" })
	r.Tasks.Repositories = slices.Clone(r.Tasks.Repositories)
	for i := range r.Tasks.Repositories {
		r.Tasks.Repositories[i].Revisions = []string{}
	}
	r.Tasks.Notes = nil
	return r
}

// recordMetrics are the metrics that a record keeps.
var recordMetrics = []string{"ndcg@10", "file_ndcg@10", "acc@1", "acc@5", "acc@10", "line_recall@2000", "success@2000", "spt@2000", "tfh"}

// keptMetrics are the metrics that a record keeps of a variant: of packs those of the table of packs as well.
func keptMetrics(pack int, budgets []int) []string {
	if pack == 0 {
		return recordMetrics
	}
	return slices.Concat(recordMetrics, packMetrics(budgets))
}

func headline(s Scores, names []string) Scores {
	kept := Scores{}
	for _, name := range names {
		if e, ok := s[name]; ok {
			kept[name] = e
		}
	}
	return kept
}

// WriteVerdicts writes the gate's part of WriteText.
func (r Report) WriteVerdicts(w io.Writer, width int) error {
	if width < 0 || width > maxTextWidth {
		return fmt.Errorf("%w: write verdicts as text: width %d is not between 0 and %d", agenvantage.ErrBadInput, width, maxTextWidth)
	}
	if width == 0 {
		width = defaultTextWidth
	}
	p := textWriter{width: max(width, minTextWidth)}
	if r.Tasks.Missing > 0 {
		p.paragraph("Note: " + incompleteNote(r.Tasks.Missing))
	}
	newView(r).textVerdicts(&p)
	if _, err := io.WriteString(w, p.b.String()); err != nil {
		return fmt.Errorf("write verdicts as text: %w", err)
	}
	return nil
}
