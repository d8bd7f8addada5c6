package app

import (
	"context"
	"time"

	"agenvantage"
	"agenvantage/ablations"
)

// packed answers a task with a pack: its units are the blocks that are lines of a file, in the order in which an agent reads
// them, and a unit of no file for the tokens of all else, before them.
func (s *session) packed(ctx context.Context, t ablations.Task) (ablations.Ranking, ablations.Timing, error) {
	began := time.Now()
	p, err := s.app.Pack(ctx, PackRequest{Task: t.Query, Budget: s.variant.Pack, Channels: s.variant.Channels, NoRefresh: true}, nil)
	if err != nil {
		return ablations.Ranking{}, ablations.Timing{}, err
	}
	took := float64(time.Since(began).Microseconds()) / 1000
	r := ablations.Ranking{Task: t.ID, Class: ablations.ClassOf(classOfTask(p.Task)), Units: []ablations.Unit{}, Status: string(p.Status)}
	for _, b := range p.Blocks {
		if b.Path != "" {
			r.Units = append(r.Units, ablations.Unit{Path: b.Path, Start: b.StartLine, End: b.EndLine, Tokens: b.Tokens})
		}
	}
	return r, ablations.Timing{Task: t.ID, TookMS: took}, nil
}

// classOfTask is the class of a task's text as a question.
func classOfTask(text string) agenvantage.QueryClass {
	task, err := Plan(PackRequest{Task: text})
	if err != nil {
		return agenvantage.ClassIssue
	}
	return task.Query.Class
}
