package pipeline

import (
	"context"
	"fmt"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/plan"
)

// Related answers with the chunks that the one channel of r finds, in its order and with its scores: nothing is fused, and no word of
// r.Text, which the answer repeats, counts. Files have the turns that they have in Search. Errors are those of Search.
func Related(ctx context.Context, corpus Corpus, r Request, o Options) (agenvantage.Response, error) {
	watch := newStopwatch()
	query, err := plan.Parse(r.Text, plan.ParseOptions{})
	if err != nil {
		return agenvantage.Response{}, err
	}
	scope, response, err := begun(query, r, corpus)
	if err != nil {
		return agenvantage.Response{}, err
	}
	topK := r.wanted(o)
	watch.lap("plan")
	s := &searcher{corpus: corpus, query: query, request: r, options: o, scope: scope, channels: r.Channels, limit: o.ChannelLimit, watch: watch}
	shown, reports, err := s.relatedFolded(ctx)
	if err != nil {
		return agenvantage.Response{}, err
	}
	response.Channels = reports
	if err := hydrate(corpus, query, r, o, shown, topK, &response); err != nil {
		return agenvantage.Response{}, err
	}
	watch.lap("hydrate")
	response.TookMS, response.Stages = watch.total(), watch.stages
	return response, nil
}

// relatedFolded is related with what is folded. Copies of the chunk that is asked about are each other's too: the best one names them.
func (s *searcher) relatedFolded(ctx context.Context) (shown selection, reports []agenvantage.ChannelReport, err error) {
	asked := s.request.Offset + s.request.wanted(s.options)
	for need := asked; ; {
		if shown, reports, err = s.related(ctx, need); err != nil {
			return shown, nil, err
		}
		if shown.folds, err = s.fold(shown, asked); err != nil {
			return shown, nil, fmt.Errorf("search: %w", err)
		}
		more := asked + len(shown.folds)
		if len(shown.order) >= more || need >= more {
			return shown, reports, nil
		}
		need = more
	}
}

// related gives the order in which the channel's hits are shown. As in rank it begins with that of a list of
// Options.ChannelLimit, whatever need is: what longer lists add comes behind it, so that a shorter answer is the beginning of a longer one.
func (s *searcher) related(ctx context.Context, need int) (shown selection, reports []agenvantage.ChannelReport, err error) {
	seen := 0
	asked := channels.Request{Query: s.query, Filter: s.request.Filter, Scope: s.scope}
	for asked.Limit = s.limit; ; asked.Limit *= deeper {
		outcomes := channels.Run(ctx, s.channels, asked, channels.RunOptions{Timeout: s.options.ChannelTimeout})
		s.watch.lap("channels")
		if err := ctx.Err(); err != nil {
			return shown, nil, fmt.Errorf("search: %w", err)
		}
		if err := allFailed(outcomes); err != nil {
			return shown, nil, err
		}
		var candidates []agenvantage.Candidate
		reports = nil
		ended := true
		for _, outcome := range outcomes {
			reports = append(reports, outcome.Report)
			more, err := inOrder(s.corpus, outcome)
			if err != nil {
				return shown, nil, err
			}
			candidates = append(candidates, more...)
			ended = ended && len(more) < asked.Limit
		}
		if len(candidates) > seen {
			shown = shown.with(newSelection(candidates[seen:], s.options.MaxPerFile, 0, 0))
		}
		s.watch.lap("rerank")
		if seen == 0 {
			shown.fixed = len(shown.order)
		}
		if ended || len(shown.order) >= need {
			return shown, reports, nil
		}
		seen = len(candidates)
	}
}

// inOrder are the hits of a channel as candidates. One in a chunk that is a single symbol, or a part of one, has that symbol.
func inOrder(corpus Corpus, outcome channels.Outcome) ([]agenvantage.Candidate, error) {
	name := outcome.Report.Name
	var out []agenvantage.Candidate
	for i, h := range outcome.List.Hits {
		facts, err := corpus.Facts(h.File)
		if err != nil {
			return nil, fmt.Errorf("facts of %q: %w", corpus.Path(h.File), err)
		}
		symbol := h.Symbol
		if chunk := &facts.Chunks[h.Chunk]; symbol < 0 && chunk.Owner >= 0 {
			symbol = chunk.Owner
		} else if symbol < 0 && len(chunk.Symbols) == 1 {
			symbol = chunk.Symbols[0]
		}
		out = append(out, agenvantage.Candidate{File: h.File, Chunk: h.Chunk, Symbol: symbol, Span: h.Span, Score: h.Score,
			Channels: map[string]agenvantage.ChannelRank{name: {Rank: i + 1, Score: h.Score, Share: h.Score, Reason: h.Reason}},
			Parts:    []agenvantage.Part{{Name: name, Value: h.Score}}})
	}
	return out, nil
}
