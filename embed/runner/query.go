package runner

import (
	"context"
	"errors"
	"fmt"

	"agenvantage/embed"
	"agenvantage/embed/store"
)

// Query gives the vector of a question in the set with a key: the stored one, or one that e makes now and that is stored. A question
// that is longer than the window is cut; one that the service finds too long is halved a few times. Nothing is waited for or
// tried again: that is the caller's to decide, who has an answer to give. It is in the ledger like any other text, so that without
// a store that can be written nothing is sent to a hosted service; from a local one the vector is then given and not stored.
func Query(ctx context.Context, e embed.Embedder, st *store.Store, key, question string) (embed.Vector, error) {
	v, err := st.Query(ctx, key, question)
	if err != nil || v != nil {
		return v, err
	}
	asked := question
	if window := e.Limits().Window; window > 0 {
		asked = beginning(asked, window)
	}
	const halvings = 4
	for try := 0; ; try++ {
		v, err = query(ctx, e, st, key, store.QueryHash(question), asked)
		tokens := embed.EstimateTokens(asked)
		if !errors.Is(err, embed.ErrTooLong) || try == halvings || tokens < 2 {
			return v, err
		}
		asked = beginning(asked, tokens/2)
	}
}

// beginning is the first part of s of so many estimated tokens.
func beginning(s string, tokens int) string {
	if parts := cutText(s, tokens); len(parts) > 1 {
		return parts[0]
	}
	return s
}

func query(ctx context.Context, e embed.Embedder, st *store.Store, key string, hash store.Hash, asked string) (embed.Vector, error) {
	entry := store.Text{Hash: hash, Bytes: len(asked), Tokens: embed.EstimateTokens(asked)}
	endpoint, err := endpointOf(ctx, e)
	if err != nil {
		return nil, err
	}
	batch, err := st.Begin(key, endpoint, embed.Query, []store.Text{entry})
	unrecorded := store.Unwritable(err) && !e.Hosted()
	if err != nil && !unrecorded {
		return nil, err
	}
	answers, err := e.Embed(ctx, embed.Query, []string{asked})
	if err == nil && len(answers) != 1 {
		err = fmt.Errorf("%w: %d vectors for 1 input", embed.ErrBadAnswer, len(answers))
	}
	if err == nil && answers[0].Refused != "" {
		err = fmt.Errorf("%w: the vector of the question is of no use: %s", embed.ErrBadAnswer, answers[0].Refused)
	}
	switch {
	case unrecorded && err != nil:
		return nil, err
	case unrecorded:
		return answers[0].Vector, nil
	case err != nil:
		return nil, errors.Join(err, st.Fail(batch, reasonOf(ctx, err)))
	}
	err = st.Commit(key, []int64{batch}, []store.Result{{Hash: hash, Vector: answers[0].Vector}})
	if store.Unwritable(err) && !e.Hosted() { // it was not paid for, and can be had again
		return answers[0].Vector, nil
	}
	if err != nil {
		return nil, errors.Join(err, st.Fail(batch, reasonOf(ctx, err)))
	}
	return answers[0].Vector, nil
}

// endpointOf is who will be asked, without asking where that can be known.
func endpointOf(ctx context.Context, e embed.Embedder) (string, error) {
	if c, ok := e.(embed.Checker); ok {
		return c.Expected().Endpoint, nil
	}
	i, err := e.Identity(ctx)
	return i.Endpoint, err
}
