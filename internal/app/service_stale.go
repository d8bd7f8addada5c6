package app

import (
	"context"
	"errors"

	"agenvantage"
	"agenvantage/server"
)

// askAgain asks a question once more whose error rests on an index that is behind the tree, once the index has caught up. An answer that is
// stale says so and is of use; to be told that a file is not there which was written a moment ago sends an agent astray. What is
// still denied then says stale, as answers do.
func (s *Service) askAgain(ctx context.Context, c server.Call, err error) (server.Answer, error) {
	a, ok := c.Arguments.(interface{ AsIs() bool })
	if ok && a.AsIs() || !errors.As(err, new(*agenvantage.StaleError)) || !s.app.keeper.catchUp(ctx) {
		return server.Answer{}, err
	}
	return s.answer(ctx, c)
}

// catchUp waits, within search.refresh_timeout, until the changes that are known are indexed. It reports whether they are. What was
// waited for in vain is not waited for again.
func (k *keeper) catchUp(ctx context.Context) bool {
	if state, followed := k.watched.Peek(); followed {
		return !state.Pending || !k.isTired(state) && k.await(ctx, state)
	}
	k.mu.Lock()
	run := k.run
	k.mu.Unlock()
	if run == nil {
		return true
	}
	bounded, cancel := context.WithTimeout(ctx, k.app.config.Search.RefreshTimeout)
	defer cancel()
	select {
	case <-run.done:
		return run.err == nil
	case <-bounded.Done():
		return false
	}
}
