package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// follower runs cycles after events. Its fields belong to the goroutine of run; the tree is listed and updated in another one,
// so that events are taken meanwhile and the system's queue does not overflow.
type follower struct {
	root    string
	tree    Tree
	options Options
	git     *gitState

	events  *fsnotify.Watcher
	folders folderSet

	burst    burst     // events that no cycle has answered
	running  burst     // those that the running cycle answers
	held     time.Time // git is at work: no cycle begins before
	sweep    time.Time // when the next cycle begins without events
	working  bool
	failures int
	told     bool            // that the tree is watched
	noise    map[string]bool // paths that are written and not part of the tree

	status *Status       // may be nil
	nudge  chan struct{} // somebody waits for the next cycle
	urgent bool          // it begins at once
	begun  int           // cycles
	done   int           // the last one that ended well
	failed string        // why the last cycle failed
	calm   bool          // nothing had changed for a while before the burst that is not taken over
	busyAt time.Time     // when the last cycle that answered events ended
}

// stage is the end of half a cycle.
type stage struct {
	paths  []string // after List
	listed bool
	err    error
}

// run returns ctx's error, a *limitError when events are not to be had, or an error that ends the watching.
func (f *follower) run(ctx context.Context) error {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return &limitError{fmt.Sprintf("the system gives no file events: %v (on Linux, fs.inotify.max_user_instances bounds them)", err)}
	}
	f.events, f.noise = events, map[string]bool{}
	f.folders = folderSet{root: f.root, own: f.options.Own, limit: f.options.MaxFolders, watched: map[string]bool{}, add: events.Add, remove: events.Remove}
	marks := "" // folder of the marks
	if f.status != nil {
		if marks, err = f.status.open(); err != nil {
			events.Close()
			return err
		}
		defer f.status.close()
		f.nudge = f.status.nudge
		if err := events.Add(marks); err != nil {
			events.Close()
			return &limitError{limitReason(err)}
		}
	}
	work := make(chan stage, 1)
	defer func() {
		if f.working { // its context has ended, or will be of no more use: it must not outlive run
			<-work
		}
		events.Close()
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // runs first
	f.burst.add(time.Now().Add(-f.options.Debounce), "")
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		mark := ""
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.nudge:
			f.urgent = true
		case e, open := <-events.Events:
			if !open {
				return errors.New("the file events ended")
			}
			if marks != "" && (e.Name == marks || filepath.Dir(e.Name) == marks) {
				mark = e.Name
			} else {
				f.take(e)
			}
		case err := <-events.Errors:
			if isLimit(err) {
				return &limitError{limitReason(err)}
			}
			f.note(time.Now(), "") // most likely events were lost: whatever they were, a cycle finds it
		case s := <-work:
			f.working = false
			if err := f.step(ctx, s, work); err != nil {
				return err
			}
		case <-timer.C:
			f.fire(ctx, work)
		}
		f.arm(timer)
		if f.status != nil {
			f.publish()
		}
		if mark != "" { // what came before it is published
			f.status.arrived(mark)
		}
	}
}

// note adds an event to the burst.
func (f *follower) note(now time.Time, path string) {
	if !f.burst.pending() && !f.running.pending() {
		f.calm = now.Sub(f.busyAt) >= calmTime
	}
	f.burst.add(now, path)
}

// publish tells the status how things stand.
func (f *follower) publish() {
	state := State{Pending: f.burst.pending() || f.running.pending(), Calm: f.calm, Failed: f.failed, done: f.done, target: f.begun}
	if f.burst.pending() {
		state.target++
	}
	f.status.publish(state, f.told)
}

// arm sets the timer to the end of the burst, or to the next sweep.
func (f *follower) arm(timer *time.Timer) {
	switch {
	case f.working: // its end comes back here
		timer.Stop()
	case f.burst.pending() && f.urgent && f.failures == 0:
		timer.Reset(max(time.Until(f.held), 0))
	case f.burst.pending():
		timer.Reset(max(time.Until(f.burst.due(f.options.Debounce, f.git.limit())), time.Until(f.held), 0))
	default:
		timer.Reset(max(time.Until(f.sweep), 0))
	}
}

// fire begins a cycle, unless git is at work. Without a burst it is the sweep.
func (f *follower) fire(ctx context.Context, work chan<- stage) {
	now := time.Now()
	if f.working {
		return
	}
	if f.burst.pending() && f.git.locked(now) && now.Sub(f.burst.first) < maxHold {
		f.held = now.Add(f.options.Debounce)
		return
	}
	f.running, f.burst, f.sweep, f.urgent = f.burst, burst{}, now.Add(sweepEvery), false
	f.begun++
	f.git.find()
	f.working = true
	go func() {
		paths, err := f.tree.List(ctx)
		work <- stage{paths: paths, listed: true, err: err}
	}()
}

// step goes on after half a cycle: from the listing to the update, from the update to rest.
func (f *follower) step(ctx context.Context, s stage, work chan<- stage) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case s.err != nil:
		if gone := rootGone(f.root, s.err); gone != nil {
			return gone
		}
		f.options.Notify(Notice{Folders: f.folders.count(), Err: s.err})
		f.failures++
		f.failed, f.running, f.calm = s.err.Error(), burst{}, false
		f.burst.add(time.Now().Add(backoff(f.options.Debounce, f.failures)), "")
		f.burst.first = f.burst.last
		return nil
	case !s.listed:
		f.failures, f.failed, f.done = 0, "", f.begun
		if f.running.pending() && f.told { // the first one answers nothing
			f.busyAt = time.Now()
		}
		f.running = burst{}
		f.calm = f.calm && !f.burst.pending()
		if !f.told {
			f.told = true
			f.options.Notify(Notice{Folders: f.folders.count()})
		}
		return nil
	}
	if err := f.folders.follow(s.paths, f.git.folder); err != nil {
		return err
	}
	f.learnNoise(s.paths)
	f.working = true
	go func() { work <- stage{err: f.tree.Update(ctx)} }()
	return nil
}

// learnNoise remembers which paths of the answered burst are not part of the tree, so that a log file that is written all the
// time does not list the tree all the time.
func (f *follower) learnNoise(listed []string) {
	if len(f.running.paths) == 0 {
		return
	}
	for _, path := range listed {
		delete(f.running.paths, path)
	}
	for path := range f.running.paths {
		if len(f.noise) < maxBurstPaths {
			f.noise[path] = true
		}
	}
	f.running.paths = nil
}

// take sorts one event.
func (f *follower) take(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod || f.folders.isOwn(e.Name) {
		return
	}
	now := time.Now()
	folder, name := filepath.Split(e.Name)
	if f.git.folder != "" && filepath.Clean(folder) == f.git.folder {
		if f.git.tells(name) {
			clear(f.noise) // another set of files is tracked
			f.note(now, "")
		}
		return
	}
	if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		f.folders.drop(e.Name)
	}
	if e.Has(fsnotify.Create) {
		if info, err := os.Lstat(e.Name); err == nil && info.IsDir() && name != ".git" {
			f.folders.followNew(e.Name)
		}
	}
	path, err := filepath.Rel(f.root, e.Name)
	if err != nil || !filepath.IsLocal(path) {
		return
	}
	path = filepath.ToSlash(path)
	if strings.HasSuffix(name, "ignore") || name == ".git" { // rules of what belongs to the tree
		clear(f.noise)
	}
	if e.Op&^fsnotify.Chmod == fsnotify.Write && f.noise[path] {
		return
	}
	f.note(now, path)
}

// isLimit reports that the system grants no more watches.
func isLimit(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

func limitReason(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "the system's limit of watched folders is reached (fs.inotify.max_user_watches)"
	}
	return fmt.Sprintf("the system's limit of open files is reached: %v", err)
}
