package ablations

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"agenvantage"
)

// resultLine is an answer in the form that scorers of issue tasks read.
type resultLine struct {
	ID     string        `json:"id"`
	Files  []string      `json:"files"` // distinct, in the order of the answer
	Blocks []resultBlock `json:"blocks"`
	Status string        `json:"status,omitempty"` // of a pack
}

type resultBlock struct {
	Path   string `json:"path"`
	Start  int    `json:"start"`
	End    int    `json:"end"`
	Tokens int    `json:"tokens"`
}

// WriteResults writes the answers of one variant as JSON lines, in the order of the set, so that a scorer of another hand can
// be held against ours: id, files, blocks with path, first and last line and tokens, and of a pack its status. Paths are
// those of the answer, relative to the root that was searched. Tasks without gold are left out, since such scorers divide by
// it; so are tasks without an answer yet. It returns how many lines were written. A variant that the run does not have is
// agenvantage.ErrBadInput.
func (r *Run) WriteResults(w io.Writer, variant string) (lines int, err error) {
	var names []string
	for _, v := range r.Manifest.Matrix.Variants {
		names = append(names, v.Name)
	}
	if !slices.Contains(names, variant) {
		return 0, fmt.Errorf("%w: the run has no variant %q; it has %s", agenvantage.ErrBadInput, variant, strings.Join(names, ", "))
	}
	answers, err := r.Answers()
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, t := range r.Tasks.Tasks {
		answer, ok := answers[variant][t.ID]
		if !ok || len(t.Gold) == 0 {
			continue
		}
		if err := enc.Encode(resultOf(answer)); err != nil {
			return lines, fmt.Errorf("write result of task %s: %w", t.ID, err)
		}
		lines++
	}
	if err := out.Flush(); err != nil {
		return lines, fmt.Errorf("write results: %w", err)
	}
	return lines, nil
}

func resultOf(r Ranking) resultLine {
	l := resultLine{ID: r.Task, Files: []string{}, Blocks: []resultBlock{}, Status: r.Status}
	seen := map[string]bool{}
	for _, u := range r.Units {
		l.Blocks = append(l.Blocks, resultBlock{u.Path, u.Start, u.End, u.Tokens})
		if !seen[u.Path] {
			seen[u.Path] = true
			l.Files = append(l.Files, u.Path)
		}
	}
	if r.Files != nil {
		l.Files = r.Files
	}
	return l
}
