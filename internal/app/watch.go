package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"agenvantage"
	"agenvantage/index"
	"agenvantage/scan"
	"agenvantage/scan/watch"
)

// WatchOptions say how the tree is watched. Zero values mean the defaults.
type WatchOptions struct {
	Debounce time.Duration    // a burst of changes has ended when nothing happened for so long; 0 means 200 ms
	Poll     time.Duration    // look again every so often and use no file events; 0 means events where they are to be had
	Report   func(WatchEvent) // called from one goroutine at a time; nil for nobody

	status *watch.Status // is kept up to date for the answers of a service; may be nil
}

// WatchKind is what a WatchEvent tells. The set is closed.
type WatchKind string

// The kinds.
const (
	WatchReady   WatchKind = "ready"   // the tree is followed by file events, and the index is up to date
	WatchPolling WatchKind = "polling" // file events are not to be had, or not wanted: the tree is looked at again and again
	WatchUpdated WatchKind = "updated" // an index run took changes over
	WatchFailed  WatchKind = "failed"  // a look at the tree or an index run failed; it is tried again
)

// WatchEvent is one line of `index --watch --json`.
type WatchEvent struct {
	Event      WatchKind `json:"event"`
	Changed    int       `json:"changed"`           // files added, changed or removed; of updated
	Seconds    float64   `json:"seconds"`           // that the run took; of updated
	Generation uint64    `json:"generation"`        // of the index after it; of updated
	Revision   string    `json:"revision"`          // commit of the tree, "" without one; of updated
	Folders    int       `json:"folders"`           // that are watched; of ready
	Message    string    `json:"message,omitempty"` // why the tree is polled, or what failed
	Notes      []string  `json:"notes,omitempty"`   // of the run; of updated
	Err        error     `json:"-"`                 // of failed
}

// Watch keeps the index up to date until ctx ends, which is no error: at once, then after each burst of changes, by an
// incremental run as Index does it. The files that count are those of the index. Changes come by file events; on network file
// systems, on mounts of another system and beyond the system's limits the tree is polled, with an event that says so. It
// returns an error for unusable options (agenvantage.ErrBadInput), for the tree of a commit, which never changes (ErrBadInput
// too), after Close, and when the root is gone. End ctx before Close: a watch that waits for changes does not notice it.
func (a *App) Watch(ctx context.Context, o WatchOptions) error {
	if a.fixed {
		return fmt.Errorf("%w: the tree of a commit never changes, so that there is nothing to watch", agenvantage.ErrBadInput)
	}
	o.Report = withoutRepeats(o.Report)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := watch.Run(ctx, a.root, &watchedTree{app: a, options: o, cancel: cancel}, watch.Options{
		Debounce: o.Debounce, Poll: o.Poll, Own: a.ownFolders(), Status: o.status, Notify: func(n watch.Notice) { o.Report(noticed(n)) },
	})
	if cause := context.Cause(ctx); errors.Is(cause, errClosed) {
		return fmt.Errorf("watch %s: %w", a.root, cause)
	}
	return err
}

// ownFolders names the index folder, which need not exist yet, as it was given and without links: events come without.
func (a *App) ownFolders() []string {
	dir := a.index.Dir()
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return []string{dir}
	}
	return []string{dir, filepath.Join(parent, filepath.Base(dir))}
}

// withoutRepeats tells of a failure once, until something else happens: it is tried again and again.
func withoutRepeats(report func(WatchEvent)) func(WatchEvent) {
	failure := ""
	return func(e WatchEvent) {
		if e.Event == WatchFailed && e.Message == failure {
			return
		}
		failure = ""
		if e.Event == WatchFailed {
			failure = e.Message
		}
		if report != nil {
			report(e)
		}
	}
}

// noticed is a notice of the watcher as an event.
func noticed(n watch.Notice) WatchEvent {
	switch {
	case n.Err != nil:
		return WatchEvent{Event: WatchFailed, Message: n.Err.Error(), Err: n.Err}
	case n.Polling:
		return WatchEvent{Event: WatchPolling, Message: n.Reason}
	}
	return WatchEvent{Event: WatchReady, Folders: n.Folders}
}

// watchedTree is the tree of an app in the shape that a watcher reads.
type watchedTree struct {
	app     *App
	options WatchOptions
	cancel  context.CancelCauseFunc
	listing scan.Listing
}

// List lists the files of the tree, also those that are left out once they are read: they may change into ones that are not.
func (t *watchedTree) List(ctx context.Context) ([]string, error) {
	done, err := t.app.use()
	if err != nil {
		t.cancel(err)
		return nil, err
	}
	defer done()
	if t.listing, err = t.app.tree.List(ctx); err != nil {
		return nil, err
	}
	paths := make([]string, len(t.listing.Entries))
	for i, e := range t.listing.Entries {
		paths[i] = e.Path
	}
	return paths, nil
}

// Update runs the index when the last listing differs from it.
func (t *watchedTree) Update(ctx context.Context) error {
	differs, err := t.app.differs(ctx, t.listing)
	if err != nil || !differs {
		return err
	}
	s, err := t.app.Index(ctx, false, nil)
	switch {
	case errors.Is(err, errClosed):
		t.cancel(err)
		return err
	case err != nil:
		return err
	}
	if s.Changed > 0 || len(s.Notes) > 0 {
		t.options.Report(WatchEvent{Event: WatchUpdated, Changed: s.Changed, Seconds: s.Seconds, Generation: s.Generation, Revision: s.Revision, Notes: s.Notes})
	}
	return nil
}

// differs reports whether an index run over the listing would do anything, an index that cannot be read included. It brings
// the kept view up to date, so that what another process indexed meanwhile is not indexed again.
func (a *App) differs(ctx context.Context, listing scan.Listing) (bool, error) {
	done, err := a.use()
	if err != nil {
		return false, err
	}
	defer done()
	a.renew(ctx)
	pinned, err := a.pin(ctx)
	switch {
	case errors.Is(err, agenvantage.ErrNoIndex), errors.Is(err, agenvantage.ErrIncomplete), index.IsCorrupt(err):
		return true, nil
	case err != nil:
		return false, err
	}
	defer pinned.release()
	c := pinned.corpus.Check(listing)
	return c.Any() || c.Revision || c.Unsure > 0 || pinned.corpus.OptionsHash() != a.optionsHash, nil
}
