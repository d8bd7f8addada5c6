package runner

import (
	"context"

	"agenvantage/embed"
	"agenvantage/embed/store"
)

// Estimate is what a run would do, in texts unless it says otherwise. Nothing was sent to find it out.
type Estimate struct {
	Files    int // with chunks
	Chunks   int // places
	Distinct int // texts
	Cached   int // have a vector
	Known    int // refused in an earlier run and not sent again
	Denied   int // kept here by the path policy
	Send     int

	Batches int     // requests, when none fails
	Tokens  int64   // at most: see embed.EstimateTokens
	Bytes   int64   // of text
	Money   float64 // at Options.Price, at most

	BlockedPaths []string // paths with chunks that the policy keeps here, sorted
}

// Plan finds out what Run would send to e for src: key is that of the set in st, or "" when none is there yet (st may be nil
// then). It reads every text that would be sent, and sends nothing.
func Plan(ctx context.Context, e embed.Embedder, st *store.Store, key string, src Source, o Options) (Estimate, error) {
	if err := o.validate(); err != nil {
		return Estimate{}, err
	}
	policy, err := NewPolicy(o.Allow, o.Deny)
	if err != nil {
		return Estimate{}, err
	}
	if !e.Hosted() {
		policy = nil
	}
	c := choose(src, policy)
	left, err := remaining(ctx, st, key, &o, &c)
	if err != nil {
		return Estimate{}, err
	}
	plan := Estimate{Files: c.files, Chunks: c.chunks, Distinct: len(c.items) + len(c.denied), Cached: left.cached, Known: left.known, Denied: len(c.denied),
		Send: len(left.items), BlockedPaths: c.blocked}
	q := newQueue(src, left.items, &o, e.Limits())
	for {
		if err := ctx.Err(); err != nil {
			return plan, err
		}
		r, err := q.next(true)
		if err != nil {
			return plan, err
		}
		if r == nil {
			break
		}
		s, requests := r.size(), 1
		if t := &r.texts[0]; t.beyond(o.Window) {
			parts := cutText(t.text, o.Window)
			s.tokens, requests = 0, len(parts)
			for _, part := range parts {
				s.tokens += embed.EstimateTokens(part)
			}
		}
		plan.Batches += requests
		plan.Tokens += int64(s.tokens)
		plan.Bytes += int64(s.bytes)
	}
	plan.Money = float64(plan.Tokens) / 1e6 * o.Price
	return plan, nil
}
