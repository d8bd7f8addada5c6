package app

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"agenvantage"
	"agenvantage/embed"
	"agenvantage/index"
	"agenvantage/rerank"
	"agenvantage/scan/redact"
)

// reranking is the hosted reranker of an App, made when it is first needed and never without a configured provider.
type reranking struct {
	once   sync.Once
	remote *rerank.Remote
	err    error
}

// reranker makes the reranker of the settings.
func (a *App) reranker() (*rerank.Remote, error) {
	r := &a.reranking
	r.once.Do(func() {
		c := a.config.Rerank
		r.remote, r.err = rerank.NewRemote(rerank.RemoteOptions{Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model, Key: c.APIKey, KeyFile: c.APIKeyFile,
			PlainHTTP: c.PlainHTTP, Timeout: c.Timeout, Transport: a.embedding.transport})
	})
	return r.remote, r.err
}

// reorderer lets the configured reranker put the best candidates of a question in order; nil without one. Text that leaves this machine
// obeys the path policy of embeddings and passes the redactor once more, the question as well.
func (a *App) reorderer(c *corpus) func(context.Context, string, []agenvantage.Candidate) ([]agenvantage.Candidate, string) {
	if a.config.Rerank.Provider == "" {
		return nil
	}
	return func(ctx context.Context, question string, candidates []agenvantage.Candidate) ([]agenvantage.Candidate, string) {
		out, err := a.reorder(ctx, c, question, candidates)
		if err != nil {
			return candidates, fmt.Sprintf("the results are in the order without the reranker: %v", err)
		}
		return out, ""
	}
}

func (a *App) reorder(ctx context.Context, c *corpus, question string, candidates []agenvantage.Candidate) ([]agenvantage.Candidate, error) {
	remote, err := a.reranker()
	if err != nil {
		return candidates, err
	}
	stays := func(agenvantage.Candidate) (bool, error) { return false, nil }
	if remote.Hosted() {
		if stays, err = a.keptHere(c); err != nil {
			return candidates, err
		}
	}
	var failed error
	out, err := rerank.Reorder(ctx, remote, candidates, rerank.Reordering{Query: maskedQuestion(question), Limit: a.config.Rerank.Candidates,
		Text: func(candidate agenvantage.Candidate) (string, bool) {
			kept, err := stays(candidate)
			if err != nil || kept {
				failed = errors.Join(failed, err)
				return "", false
			}
			text, err := c.candidateText(candidate)
			if err != nil {
				failed = errors.Join(failed, err)
				return "", false
			}
			if remote.Hosted() {
				text, _ = redact.Mask(c.Path(candidate.File), c.Lang(candidate.File), text)
			}
			return text, true
		}})
	if failed != nil {
		return candidates, failed
	}
	return out, err
}

// keptHere tells of a candidate whether the path policy keeps it on this machine: its path is denied, or a chunk in its lines also stands
// at a path that is.
func (a *App) keptHere(c *corpus) (func(agenvantage.Candidate) (bool, error), error) {
	policy, err := a.policy()
	if err != nil {
		return nil, err
	}
	source, err := newChunkSource(c, "", nil)
	if err != nil {
		return nil, err
	}
	denied := source.denied(policy)
	return func(candidate agenvantage.Candidate) (bool, error) {
		if policy.Denied(c.Path(candidate.File)) {
			return true, nil
		}
		if len(denied) == 0 {
			return false, nil
		}
		facts, err := c.Facts(candidate.File)
		if err != nil {
			return false, err
		}
		for i, hash := range source.hashes[candidate.File] {
			span := facts.Chunks[i].Span
			if denied[hash] && span.StartLine <= candidate.Span.EndLine && candidate.Span.StartLine <= span.EndLine {
				return true, nil
			}
		}
		return false, nil
	}, nil
}

// candidateText is what a reranker reads of a candidate: its lines, with what an embedded chunk is preceded by.
func (c *corpus) candidateText(candidate agenvantage.Candidate) (string, error) {
	whole, err := c.View.Text(candidate.File)
	if err != nil {
		return "", err
	}
	var about index.ChunkContext
	if candidate.Chunk >= 0 {
		facts, err := c.Facts(candidate.File)
		if err != nil {
			return "", err
		}
		if candidate.Chunk < len(facts.Chunks) {
			about = index.ContextOf(facts, candidate.Chunk)
		}
	}
	return embed.Prefix(c.Path(candidate.File), about.Enclosing, about.Signature, about.Doc) +
		lineRange(whole, candidate.Span.StartLine, candidate.Span.EndLine), nil
}
