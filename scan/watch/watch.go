// Package watch says when a source tree may have changed: by the system's file events where they are to be had, by looking
// again and again where they are not. It owns which folders are watched, how long a burst is waited out, and what counts as
// nothing; it reads no file and knows no index: a Tree lists and updates. Read watch.go first, then follow.go for events,
// folders.go for the set of watched folders and poll.go for trees without events.
//
// # A cycle
//
// The tree is listed, the folders of the listing are watched, then the tree is updated. What changes after its folder is
// watched gives an event and so another cycle; what changed before is seen by the update. Nothing falls between.
package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"agenvantage"
)

// Tree is what is watched.
type Tree interface {
	// List gives the paths of the files, relative to the root with forward slashes, in any order.
	List(ctx context.Context) ([]string, error)
	// Update takes over what differs since the last time. It is called after List, never beside it.
	Update(ctx context.Context) error
}

// Options are the times and bounds of Run. Zero values mean the defaults.
type Options struct {
	Debounce   time.Duration // a burst has ended when nothing happened for so long; 0 means DefaultDebounce
	Poll       time.Duration // look again every so often and use no events; 0 means events where they are to be had
	MaxFolders int           // above it the tree is polled; 0 means DefaultMaxFolders
	Own        []string      // absolute folders whose events mean nothing: what is written while the tree is updated
	Notify     func(Notice)  // called from one goroutine at a time; nil for nobody
	Status     *Status       // is kept up to date for those who answer questions meanwhile; nil for nobody
}

// Notice is something that a person may want to know.
type Notice struct {
	Folders int    // watched, when events are followed
	Polling bool   // the tree is polled
	Reason  string // why it is polled
	Err     error  // a cycle that failed; it is tried again
}

// The defaults, and the bounds that are not options.
const (
	DefaultDebounce = 200 * time.Millisecond // an editor's save and a formatter's second write fall together
	DefaultPoll     = 2 * time.Second
	// DefaultMaxFolders is an eighth of what Linux grants a user on a machine with 8 GB (fs.inotify.max_user_watches is 1% of
	// memory, up to a million), so that editors which watch the same tree keep theirs.
	DefaultMaxFolders = 8192
	// kqueue holds a file open for each file of a watched folder.
	maxFoldersKqueue = 512

	maxDelay   = 2 * time.Second  // under constant writes the tree is updated this often
	maxHold    = 10 * time.Second // git is waited for at most so long: a crashed one leaves its lock behind
	sweepEvery = 30 * time.Second // a look without events, for folders that are not watched and rules outside of the tree
	maxBackoff = 30 * time.Second // between cycles that fail
	pollShare  = 20               // a poll may take this part of the time
)

// Validate returns an error wrapping agenvantage.ErrBadInput for options that cannot be used.
func (o Options) Validate() error {
	switch {
	case o.Debounce < 0:
		return fmt.Errorf("%w: the debounce time is %s, want 0 or more", agenvantage.ErrBadInput, o.Debounce)
	case o.Poll < 0:
		return fmt.Errorf("%w: the poll interval is %s, want 0 or more", agenvantage.ErrBadInput, o.Poll)
	case o.MaxFolders < 0:
		return fmt.Errorf("%w: the number of watched folders is %d, want 0 or more", agenvantage.ErrBadInput, o.MaxFolders)
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.Debounce == 0 {
		o.Debounce = DefaultDebounce
	}
	if o.MaxFolders == 0 {
		o.MaxFolders = DefaultMaxFolders
		if usesKqueue() {
			o.MaxFolders = maxFoldersKqueue
		}
	}
	if o.Notify == nil {
		o.Notify = func(Notice) {}
	}
	return o
}

func usesKqueue() bool {
	switch runtime.GOOS {
	case "darwin", "freebsd", "netbsd", "openbsd", "dragonfly":
		return true
	}
	return false
}

// limitError means that the system grants no events, or too few: the tree can be polled.
type limitError struct{ reason string }

func (e *limitError) Error() string { return e.reason }

// Run runs cycles over the tree at root, which is absolute and without links: one at once, then one after each burst of
// changes. It returns nil once ctx has ended, and an error wrapping agenvantage.ErrRootGone when the root is gone; a cycle that fails otherwise is a Notice
// and is tried again.
func Run(ctx context.Context, root string, tree Tree, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	o = o.withDefaults()
	reason := ""
	if o.Poll > 0 {
		reason = fmt.Sprintf("every %s, as asked", o.Poll)
	} else if system, remote := remoteFileSystem(root); remote {
		reason = fmt.Sprintf("%s is on %s, which reports no changes that others make", root, system)
	}
	if reason == "" {
		f := &follower{root: root, tree: tree, options: o, git: newGitState(root), status: o.Status}
		err := f.run(ctx)
		var limit *limitError
		if !errors.As(err, &limit) {
			return ended(ctx, err)
		}
		reason = limit.reason
	}
	if o.Poll == 0 {
		o.Poll = DefaultPoll
	}
	o.Notify(Notice{Polling: true, Reason: reason})
	return ended(ctx, poll(ctx, root, tree, o))
}

// RemoteFileSystem names the file system of a folder when it reports no changes that others make, so that Run polls it.
func RemoteFileSystem(folder string) (name string, remote bool) { return remoteFileSystem(folder) }

// ended makes the end of ctx no error.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// rootGone is the error that no later cycle gets over, nil while there is a root. err is what made a cycle fail: the tree may know
// more, as that another folder has taken the place of the root.
func rootGone(root string, err error) error {
	if errors.Is(err, agenvantage.ErrRootGone) {
		return fmt.Errorf("watch: %w", err)
	}
	info, e := os.Stat(root)
	if e == nil && info.IsDir() || e != nil && !errors.Is(e, os.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("watch: %w: %s", agenvantage.ErrRootGone, filepath.Clean(root))
}

// backoff is the time until a cycle is tried again after so many failures in a row.
func backoff(debounce time.Duration, failures int) time.Duration {
	return min(debounce<<min(failures, 16), maxBackoff)
}
