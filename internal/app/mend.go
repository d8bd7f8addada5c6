package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"agenvantage"
	"agenvantage/index"
	"agenvantage/server"
)

// What an index holds can be made again, so that damage is no failure of a question: the index is built anew, and the question is asked
// once more. Damage shows when a store is opened, when it is read, or by the times of its files (index.View.Damaged).

// mend is called with the error of a question, which began at began, before its answer is given. When the index turned out to be damaged
// it is built anew: then again says so, for a note, and the question is to be asked once more. Else again is "", and the error is the
// one to give. With noRefresh nothing is written, but for a server, whose index belongs to nobody else.
func (a *App) mend(ctx context.Context, began time.Time, err error, noRefresh bool, progress func(Progress)) (again string, _ error) {
	switch {
	case ctx.Err() != nil:
		return "", err
	case err != nil && index.IsCorrupt(err):
	case err != nil && a.keeper != nil && isAbsent(err) && !isRebuilding(err):
	case a.isDamaged():
		err = fmt.Errorf("%w: its files were written to or cut by another program", index.ErrCorrupt)
	default:
		return "", err
	}
	if a.keeper == nil && noRefresh {
		return "", err
	}
	force := !isAbsent(err)
	a.dropOverview()
	a.unpin()
	var failed error
	if a.keeper != nil {
		failed = a.keeper.restore(ctx, began, force)
	} else {
		_, failed = a.Index(ctx, force, progress)
	}
	if failed != nil {
		return "", failed
	}
	if isAbsent(err) {
		return "the index was removed, and has been built anew", nil
	}
	return fmt.Sprintf("the index was damaged and has been rebuilt: %v", err), nil
}

// isAbsent reports an error that says that there is no whole index.
func isAbsent(err error) bool {
	return errors.Is(err, agenvantage.ErrNoIndex) || errors.Is(err, agenvantage.ErrIncomplete)
}

// isDamaged reports that files of the pinned view were changed by others.
func (a *App) isDamaged() bool {
	a.pinning.Lock()
	defer a.pinning.Unlock()
	return a.current != nil && a.current.corpus.Damaged()
}

// restoring is the index run of a service that makes a lost or damaged index anew. Its zero value is ready.
type restoring struct {
	mu       sync.Mutex
	run      *indexRun // under way
	progress server.Progress
	endedAt  time.Time
	err      error // of the last one
}

const (
	// restoreWait is how long a call waits for an index that is made anew: below the half minute after which clients give up.
	restoreWait = 10 * time.Second
	// restoreAgain spares an index that could not be made anew from being tried with every call.
	restoreAgain = 5 * time.Second
)

// rebuildingError says that an index which was damaged or removed is being built anew. It wraps agenvantage.ErrIncomplete.
type rebuildingError struct{ progress server.Progress }

func (e *rebuildingError) Error() string {
	return fmt.Sprintf("%v: the index was damaged or removed, and is being built anew: %s; search answers meanwhile, other questions in a while",
		agenvantage.ErrIncomplete, e.progress)
}

func (e *rebuildingError) Unwrap() error { return agenvantage.ErrIncomplete }

func isRebuilding(err error) bool { return errors.As(err, new(*rebuildingError)) }

// restore makes the index anew, for all who ask for it while that goes on, and waits a while. An index that was made anew since began
// will do. The run belongs to no call.
func (k *keeper) restore(ctx context.Context, began time.Time, force bool) error {
	r := &k.restoring
	r.mu.Lock()
	run := r.run
	switch {
	case run != nil:
	case r.endedAt.After(began), r.err != nil && !isAbsent(r.err) && time.Since(r.endedAt) < restoreAgain:
		defer r.mu.Unlock()
		return r.err
	default:
		run = &indexRun{done: make(chan struct{})}
		r.run, r.progress = run, server.Progress{}
		k.mu.Lock()
		open := k.background(func() { k.restoreNow(run, force) })
		k.mu.Unlock()
		if !open {
			r.run = nil
			r.mu.Unlock()
			return errClosed
		}
	}
	r.mu.Unlock()
	timer := time.NewTimer(restoreWait)
	defer timer.Stop()
	select {
	case <-run.done:
		return run.err
	case <-timer.C:
		return &rebuildingError{r.state()}
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (k *keeper) restoreNow(run *indexRun, force bool) {
	r := &k.restoring
	_, run.err = k.app.Index(k.context, force, func(p Progress) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.progress = servedProgress(p)
	})
	r.mu.Lock()
	r.run, r.endedAt, r.err = nil, time.Now(), run.err
	r.mu.Unlock()
	close(run.done)
}

// state is how far the run has come.
func (r *restoring) state() server.Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.progress
}

// answer answers a call, and has an index made anew that was lost or damaged.
func (s *Service) answer(ctx context.Context, c server.Call) (server.Answer, error) {
	if err := s.app.present(); err != nil {
		return server.Answer{}, err
	}
	began := time.Now()
	answer, err := s.ask(ctx, c)
	if err != nil && isAbsent(err) && !s.had.Load() { // the first index is the part of Build
		return answer, err
	}
	again, err := s.app.mend(ctx, began, err, false, nil)
	if again != "" {
		answer, err = s.ask(ctx, c)
	}
	var rebuilding *rebuildingError
	if a, ok := c.Arguments.(*server.SearchArguments); ok && errors.As(err, &rebuilding) {
		c.Building = &rebuilding.progress
		return s.scan(ctx, c, a)
	}
	if err != nil {
		if gone := s.app.present(); gone != nil { // meanwhile
			err = gone
		}
		return server.Answer{}, err
	}
	return answer, nil
}
