package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"agenvantage"
	"agenvantage/index"
	"agenvantage/scan/watch"
)

// Answers of a server are fresh, or say that they are stale, without any call waiting for another one's index run:
//
//   - A tree that is watched tells by itself whether a change is not indexed yet (watch.Status). Else calls compare the tree with the
//     index; those that come while one comparison is under way share the next, since the running one may have passed the file that
//     they are about.
//   - A change to a tree that was calm is waited for, within search.refresh_timeout: an agent has edited a file and asks about it.
//     While files change all the time nothing is waited for: the answer comes from the last generation and says that it is stale.
//   - Index runs belong to no call: one at a time, in the background.

// keeper knows whether the index of a service is fresh. It is safe for concurrent use.
type keeper struct {
	app     *App
	watched watch.Status
	context context.Context // of work in the background
	stop    context.CancelFunc
	working sync.WaitGroup

	mu       sync.Mutex
	next     *look       // not begun yet
	looking  bool        // a goroutine compares
	run      *indexRun   // under way
	runKnown bool        // changes are known that the run takes over; else it looks at files that nobody is sure of
	runCalm  bool        // it is the first in a while
	ranAt    time.Time   // when the last one ended
	tired    watch.State // was waited for in vain: nobody waits for it any more
	newestAt time.Time   // when the kept view was last held against the newest generation

	restoring restoring
}

func newKeeper(a *App) *keeper {
	k := &keeper{app: a}
	k.context, k.stop = context.WithCancel(context.Background())
	return k
}

// close ends the work in the background.
func (k *keeper) close() {
	k.mu.Lock()
	k.stop()
	k.mu.Unlock()
	k.working.Wait()
}

// background runs work that close waits for; after close it does nothing. The caller holds mu.
func (k *keeper) background(work func()) bool {
	if k.context.Err() != nil {
		return false
	}
	k.working.Go(work)
	return true
}

const (
	// keepEvery is how often a view is held against the newest generation where nothing asks for it: another process may have
	// indexed the same tree, or removed the index.
	keepEvery = time.Second
	// calmTime is how long nothing may have been indexed before a change counts as a single one.
	calmTime = 300 * time.Millisecond
	// indexPause is how long an index run of a tree that changes all the time is put off, so that runs do not follow each other
	// without a gap.
	indexPause = 100 * time.Millisecond
	// changing is why an answer is stale while the index is brought up to date.
	changing = "files have changed, and the index is being brought up to date"
)

// freshness says how far the index is behind the tree as it was when the call began.
func (k *keeper) freshness(ctx context.Context, noRefresh bool) (freshness, error) {
	state, known := k.watched.Look(ctx)
	if ctx.Err() != nil {
		return freshness{}, ctx.Err()
	}
	if !known {
		return k.compare(ctx, noRefresh)
	}
	switch {
	case !state.Pending:
		k.keepNewest(ctx)
		return freshness{}, nil
	case state.Failed != "":
		return freshness{stale: "files have changed, and the index could not be brought up to date: " + state.Failed}, nil
	case !noRefresh && state.Calm && !k.isTired(state):
		if k.await(ctx, state) {
			return freshness{}, nil
		}
	}
	return freshness{stale: changing}, ctx.Err()
}

// await waits, within search.refresh_timeout, until the changes of a state are indexed, and reports whether they are. Changes that were
// waited for in vain tire.
func (k *keeper) await(ctx context.Context, state watch.State) bool {
	bounded, cancel := context.WithTimeout(ctx, k.app.config.Search.RefreshTimeout)
	defer cancel()
	done := k.watched.Await(bounded, state)
	if !done && ctx.Err() == nil {
		k.tire(state)
	}
	return done
}

// isBehind reports that a comparison found changes, and that the index run which takes them over, and for which nobody waits, has
// not ended.
func (k *keeper) isBehind() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.run != nil && !k.runCalm && k.runKnown
}

// isTired reports that the changes of a state were waited for in vain.
func (k *keeper) isTired(state watch.State) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tired == state
}

func (k *keeper) tire(state watch.State) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tired = state
}

// busy reports whether files change all the time, so that answers are stale and say so.
func (k *keeper) busy() bool {
	if state, followed := k.watched.Peek(); followed {
		return state.Pending && !state.Calm
	}
	return k.isBehind()
}

// keepNewest brings the kept view to the newest generation, now and then.
func (k *keeper) keepNewest(ctx context.Context) {
	k.mu.Lock()
	due := time.Since(k.newestAt) > keepEvery
	if due {
		k.newestAt = time.Now()
	}
	k.mu.Unlock()
	if due {
		k.app.renew(ctx)
	}
}

// look is one comparison of the tree with the index, for all that wait for it.
type look struct {
	done    chan struct{}
	changes index.Changes
	differs bool
	rebuild string // why everything is to be read again, "" when it is not
	err     error
}

// look waits for a comparison that begins after the call.
func (k *keeper) look(ctx context.Context) (*look, error) {
	k.mu.Lock()
	mine := k.next
	if mine == nil {
		mine = &look{done: make(chan struct{})}
		k.next = mine
	}
	if !k.looking && !k.background(k.lookAll) {
		k.mu.Unlock()
		return nil, errClosed
	}
	k.looking = true
	k.mu.Unlock()
	select {
	case <-mine.done:
		return mine, mine.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// lookAll makes one comparison after the other until nobody asks for one.
func (k *keeper) lookAll() {
	for {
		k.mu.Lock()
		mine := k.next
		k.next = nil
		if mine == nil {
			k.looking = false
			k.mu.Unlock()
			return
		}
		k.mu.Unlock()
		mine.err = k.lookOnce(mine)
		close(mine.done)
	}
}

func (k *keeper) lookOnce(l *look) error {
	done, err := k.app.use()
	if err != nil {
		return err
	}
	defer done()
	listing, err := k.app.tree.List(k.context)
	if err != nil {
		return err
	}
	k.app.renew(k.context)
	pinned, err := k.app.pin(k.context)
	switch {
	case errors.Is(err, agenvantage.ErrNoIndex), errors.Is(err, agenvantage.ErrIncomplete), err != nil && index.IsCorrupt(err):
		return nil // the question finds the same, and mends or says it
	case err != nil:
		return err
	}
	defer pinned.release()
	l.changes = pinned.corpus.Check(listing)
	l.differs = l.changes.Any() || l.changes.Revision || l.changes.Unsure > 0
	if pinned.corpus.OptionsHash() != k.app.optionsHash {
		l.differs, l.rebuild = true, "settings or rules that decide what is indexed have changed"
	}
	return nil
}

// compare answers freshness for a tree that is not watched.
func (k *keeper) compare(ctx context.Context, noRefresh bool) (freshness, error) {
	if !noRefresh && k.isBehind() { // until the run under way has ended, comparing again finds no less
		return freshness{stale: changing}, nil
	}
	limit := k.app.config.Search.RefreshTimeout
	if noRefresh {
		limit = min(limit, compareTimeout)
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	seen, err := k.look(bounded)
	switch {
	case ctx.Err() != nil:
		return freshness{}, ctx.Err()
	case bounded.Err() != nil && err != nil:
		return freshness{unchecked: fmt.Sprintf("whether the index is stale was not checked: that takes longer than %s", limit)}, nil
	case err != nil:
		return freshness{}, err
	case !seen.differs:
		return freshness{}, nil
	case noRefresh && seen.rebuild != "":
		return freshness{stale: seen.rebuild}, nil
	case noRefresh:
		return freshness{stale: changesText(seen.changes)}, nil
	}
	count := len(seen.changes.Added) + len(seen.changes.Changed) + len(seen.changes.Deleted)
	known := count > 0 || seen.rebuild != ""
	run, calm := k.index(known)
	if run == nil {
		return freshness{}, errClosed
	}
	seconds := max(float64(count+seen.changes.Unsure)/refreshFilesPerSecond, float64(seen.changes.Bytes)/refreshBytesPerSecond)
	if !calm || seen.rebuild != "" || seconds > limit.Seconds() {
		if !known {
			return freshness{}, nil
		}
		return freshness{stale: changing}, nil
	}
	select {
	case <-run.done:
		if run.err != nil {
			return freshness{stale: fmt.Sprintf("the index could not be brought up to date: %v", run.err)}, nil
		}
		return freshness{notes: run.notes}, nil
	case <-bounded.Done():
		return freshness{stale: changing}, ctx.Err()
	}
}

// indexRun is one index run, for all that wait for it.
type indexRun struct {
	done  chan struct{}
	notes []string
	err   error
}

// index begins an index run, or joins the one under way, for changes that are known or may be. calm says that it is a new one and that the last one was a while ago. It
// is nil after close.
func (k *keeper) index(known bool) (run *indexRun, calm bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.run != nil {
		k.runKnown = k.runKnown || known
		return k.run, false
	}
	run = &indexRun{done: make(chan struct{})}
	calm = time.Since(k.ranAt) >= calmTime
	if !k.background(func() {
		if !calm {
			select {
			case <-time.After(indexPause):
			case <-k.context.Done():
			}
		}
		s, err := k.app.Index(k.context, false, nil)
		run.notes, run.err = s.Notes, err
		k.mu.Lock()
		k.run, k.ranAt = nil, time.Now()
		k.mu.Unlock()
		close(run.done)
	}) {
		return nil, false
	}
	k.run, k.runCalm, k.runKnown = run, calm, known
	return run, calm
}
