package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/tokens"
)

// leastPack is below what any task takes: packs of fewer tokens are a mistake in the variants.
const leastPack = 100

// packed answers a task with a pack. Its units are the blocks of source and of documents in the order in which an agent
// reads them; instructions, map and history are in the count of its tokens alone. Both times and evidence are those of the
// command, which keeps every pack: the chance that it states is read from there.
func (s *session) packed(ctx context.Context, t ablations.Task) (ablations.Ranking, ablations.Timing, error) {
	began := time.Now()
	p, err := s.app.Pack(ctx, PackRequest{Task: t.Query, Budget: s.variant.Pack, Channels: s.variant.Channels, Tokenizer: s.engine.options.PackTokenizer, NoRefresh: true}, nil)
	took := float64(time.Since(began).Microseconds()) / 1000
	if small := (*agenvantage.BudgetError)(nil); errors.As(err, &small) && s.variant.Pack >= leastPack { // a long task leaves no room, and that is said
		return ablations.Ranking{Task: t.ID, Class: classify(t.Query), Units: []ablations.Unit{}, Status: string(agenvantage.PackInsufficient),
			PackFacts: &ablations.PackFacts{Budget: s.variant.Pack, IndexedBytes: s.app.text, Slots: map[string]string{}}}, ablations.Timing{Task: t.ID, TookMS: took}, nil
	}
	if err != nil {
		return ablations.Ranking{}, ablations.Timing{}, err
	}
	record, err := s.app.packRecord(p.ID)
	if err != nil {
		return ablations.Ranking{}, ablations.Timing{}, fmt.Errorf("read what the pack states: %w", err)
	}
	r := ablations.Ranking{Task: t.ID, Class: classify(t.Query), Units: []ablations.Unit{}, Status: string(p.Status), PackFacts: &ablations.PackFacts{
		Budget: p.Budget, Tokens: p.Tokens, IndexedBytes: s.app.text, Chance: record.Signs.Chance, Slots: map[string]string{}}}
	for _, b := range p.Blocks {
		if isEvidence(b) {
			r.Units = append(r.Units, ablations.Unit{Path: b.Path, Start: b.StartLine, End: b.EndLine, Tokens: b.Tokens})
		}
	}
	for _, slot := range p.Slots {
		r.Slots[string(slot.Name)] = string(slot.State)
	}
	return r, ablations.Timing{Task: t.ID, TookMS: took}, nil
}

// isEvidence reports whether a block is lines of source or of a document.
func isEvidence(b agenvantage.Block) bool {
	return b.Path != "" && (b.Kind == agenvantage.BlockSource || b.Kind == agenvantage.BlockLine || b.Kind == agenvantage.BlockDocument)
}

// tokenizerOf names what counts the tokens of a run. Packs are counted as the pack command counts them.
func tokenizerOf(matrix ablations.Matrix, asked string, counter *tokens.Counter) string {
	budgets := ablations.PackBudgets(matrix.Variants)
	if asked != "" || budgets[len(budgets)-1] == 0 {
		return counter.Name()
	}
	packs := "the larger count of " + strings.Join(tokens.Encodings(), " and ")
	if budgets[0] > 0 {
		return packs
	}
	return counter.Name() + "; packs: " + packs
}
