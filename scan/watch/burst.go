package watch

import "time"

// burst is a run of events that one cycle answers. The zero burst is none.
type burst struct {
	first, last time.Time
	paths       map[string]bool // relative; some of them
}

// maxBurstPaths bounds what is remembered of a burst; the paths only serve to learn which files mean nothing.
const maxBurstPaths = 4096

func (b *burst) pending() bool { return !b.first.IsZero() }

// add takes one event; path is "" when it names none.
func (b *burst) add(now time.Time, path string) {
	if b.first.IsZero() {
		b.first = now
	}
	b.last = now
	if path == "" || len(b.paths) >= maxBurstPaths {
		return
	}
	if b.paths == nil {
		b.paths = map[string]bool{}
	}
	b.paths[path] = true
}

// due is when the burst counts as ended: when it has been quiet for the debounce time, and under constant events limit after
// its first one. Without that bound a program that writes all the time would starve the index.
func (b *burst) due(debounce, limit time.Duration) time.Time {
	quiet, latest := b.last.Add(debounce), b.first.Add(max(limit, debounce))
	if latest.Before(quiet) {
		return latest
	}
	return quiet
}
