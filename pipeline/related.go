package pipeline

import (
	"context"
	"fmt"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/plan"
)

// Related answers with the chunks that the one channel of r finds, in its order and with its scores: nothing is fused, and no word of
// r.Text, which the answer repeats, counts. Files have the turns that they have in Search. Errors are those of Search.
func Related(ctx context.Context, corpus Corpus, r Request, o Options) (agenvantage.Response, error) {
	started := time.Now()
	query, err := plan.Parse(r.Text, plan.ParseOptions{})
	if err != nil {
		return agenvantage.Response{}, err
	}
	scope, response, err := begun(query, r, corpus)
	if err != nil {
		return agenvantage.Response{}, err
	}
	topK := r.wanted(o)
	limit := max(o.ChannelLimit, r.Offset+topK)
	asked := channels.Request{Query: query, Filter: r.Filter, Scope: scope, Limit: limit}
	outcomes := channels.Run(ctx, r.Channels, asked, channels.RunOptions{Timeout: o.ChannelTimeout})
	if err := ctx.Err(); err != nil {
		return agenvantage.Response{}, fmt.Errorf("search: %w", err)
	}
	if err := allFailed(outcomes); err != nil {
		return agenvantage.Response{}, err
	}
	var candidates []agenvantage.Candidate
	for _, outcome := range outcomes {
		response.Channels = append(response.Channels, outcome.Report)
		more, err := inOrder(corpus, outcome)
		if err != nil {
			return agenvantage.Response{}, err
		}
		candidates = append(candidates, more...)
	}
	if err := hydrate(corpus, query, r, o, newSelection(candidates, o.MaxPerFile), topK, &response); err != nil {
		return agenvantage.Response{}, err
	}
	response.TookMS = float64(time.Since(started).Microseconds()) / 1000
	return response, nil
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
