package app

import (
	"context"
	"fmt"
	"slices"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/channels"
	"agenvantage/embed/static"
)

// Near words (embed.expand): the model in the program knows which pieces of words stand near each other, so that a question is asked in
// the words of the code as well. They need no vectors of the repository and no provider.

// maxNearWords is the most words of a question that bring others: looking for those takes some 10 ms a word.
const maxNearWords = 16

// nearWeight is what an occurrence of a near word of cosine 1 counts beside one of the word itself. On the code-search set, with two words
// for each of the question and a floor of 0.5, success at 2,000 tokens was 97.5% with 0.25, 98.0% with 0.5 and 97.7% with 1
// (97.2% without near words), nDCG@10 0.898, 0.897 and 0.897: differences of no weight (docs/adr/0026-builtin-model.md).
const nearWeight = 0.5

// nearWords makes what finds near words of a question in a view; nil when none are wanted.
func (a *App) nearWords(view *corpus) func(context.Context, agenvantage.Query) ([]agenvantage.Near, error) {
	if a.config.Embed.Expand == 0 {
		return nil
	}
	return func(ctx context.Context, query agenvantage.Query) ([]agenvantage.Near, error) {
		m, err := static.Builtin()
		if err != nil {
			return nil, fmt.Errorf("the built-in model: %w", err)
		}
		return a.nearIn(ctx, m, view, query)
	}
}

// nearIn lists near words in the order of the terms that they stand for, the nearest first. A word that the question holds or that is near
// an earlier one is not listed again. Names as they are written bring none.
func (a *App) nearIn(ctx context.Context, m *static.Model, view channels.PostingsReader, query agenvantage.Query) (near []agenvantage.Near, err error) {
	c := a.config.Embed
	taken := map[string]bool{}
	for _, t := range query.Terms {
		taken[t.Text] = true
	}
	names := map[string]bool{}
	for _, name := range slices.Concat(query.Identifiers, query.Qualified) {
		names[analysis.Normalise(name)] = true
	}
	asked := 0
	for _, t := range query.Terms {
		if t.Part || names[t.Text] || asked == maxNearWords {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		asked++
		left := c.Expand
		for _, n := range m.Neighbours(t.Text, c.ExpandFloor) {
			if left == 0 {
				break
			}
			weight := nearWeight * n.Cosine * min(1, n.Strength)
			if taken[n.Spelling] || weight <= 0 {
				continue
			}
			known, err := isIndexed(view, n.Spelling)
			if err != nil {
				return nil, fmt.Errorf("look for %q: %w", n.Spelling, err)
			}
			if known {
				taken[n.Spelling] = true
				near = append(near, agenvantage.Near{Text: n.Spelling, For: t.Text, Weight: weight})
				left--
			}
		}
	}
	return near, nil
}

// isIndexed reports whether some chunk holds a term in its text or path.
func isIndexed(view channels.PostingsReader, term string) (found bool, err error) {
	for _, field := range []string{channels.FieldBody, channels.FieldPath} {
		if err := view.Postings(field, term, func(uint32, int, int) { found = true }); err != nil || found {
			return found, err
		}
	}
	return false, nil
}
