package watch

import (
	"context"
	"time"
)

// poll runs a cycle every o.Poll, and less often when listing the tree takes more than its share of the time. While git holds
// its lock it waits: half of a branch is not looked at.
func poll(ctx context.Context, root string, tree Tree, o Options) error {
	failures := 0
	for {
		state := newGitState(root)
		began := time.Now()
		for state.locked(time.Now()) && time.Since(began) < maxHold {
			if !pause(ctx, o.Debounce) {
				return ctx.Err()
			}
		}
		began = time.Now()
		_, err := tree.List(ctx)
		listing := time.Since(began)
		if err == nil {
			err = tree.Update(ctx)
		}
		wait := max(o.Poll, pollShare*listing)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			if gone := rootGone(root, err); gone != nil {
				return gone
			}
			o.Notify(Notice{Polling: true, Err: err})
			failures++
			wait = max(wait, backoff(o.Debounce, failures))
		default:
			failures = 0
		}
		if !pause(ctx, wait) {
			return ctx.Err()
		}
	}
}

// pause waits and reports whether ctx is still going on.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
