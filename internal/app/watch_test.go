package app

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agenvantage"
)

// watched is an app that is watched.
type watched struct {
	*world
	events chan WatchEvent
	ended  chan error
	stop   context.CancelFunc
}

// watchPatience is how long a test waits for what has to come.
const watchPatience = 60 * time.Second

func watchWorld(t *testing.T, w *world, o WatchOptions) *watched {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	x := &watched{world: w, events: make(chan WatchEvent, 1000), ended: make(chan error, 1), stop: stop}
	o.Report = func(e WatchEvent) { x.events <- e }
	go func() { x.ended <- w.Watch(ctx, o) }()
	t.Cleanup(func() {
		stop()
		x.end()
	})
	return x
}

func (x *watched) next() WatchEvent {
	x.t.Helper()
	select {
	case e := <-x.events:
		return e
	case <-time.After(watchPatience):
		x.t.Fatal("no event came")
	}
	return WatchEvent{}
}

func (x *watched) end() error {
	x.t.Helper()
	select {
	case err := <-x.ended:
		x.ended <- err
		return err
	case <-time.After(watchPatience):
		x.t.Fatal("Watch does not end")
	}
	return nil
}

// finds asks without a refresh of its own, so that only the watch can have indexed what it finds.
func (x *watched) finds(query, path string) bool {
	x.t.Helper()
	r, err := x.Search(x.t.Context(), SearchRequest{Query: query, NoRefresh: true}, nil)
	if err != nil {
		x.t.Fatal(err)
	}
	for _, result := range r.Results {
		if result.Path == path {
			return true
		}
	}
	return false
}

func TestWatchKeepsTheIndexUpToDate(t *testing.T) {
	x := watchWorld(t, newWorld(t, files{"a.go": "package a\n\nfunc FirstProbe() {}\n"}), WatchOptions{Debounce: 20 * time.Millisecond})
	first := x.next()
	if first.Event != WatchUpdated || first.Changed != 1 || first.Generation == 0 {
		t.Fatalf("first event %+v, want the first index run", first)
	}
	if e := x.next(); e.Event != WatchReady || e.Folders != 1 {
		t.Fatalf("second event %+v, want ready with the root", e)
	}
	x.write(files{"new/b.go": "package b\n\nfunc SecondProbe() {}\n"})
	e := x.next()
	if e.Event != WatchUpdated || e.Changed != 1 || e.Generation <= first.Generation || e.Seconds <= 0 {
		t.Errorf("after a new file: %+v", e)
	}
	if !x.finds("SecondProbe", "new/b.go") {
		t.Error("the new file is not found")
	}
	if err := os.RemoveAll(x.path("new")); err != nil {
		t.Fatal(err)
	}
	if e := x.next(); e.Event != WatchUpdated || e.Changed != 1 {
		t.Errorf("after a deletion: %+v", e)
	}
	if x.finds("SecondProbe", "new/b.go") {
		t.Error("the deleted file is found")
	}
	x.stop()
	if err := x.end(); err != nil {
		t.Errorf("the end of the context is the error %v", err)
	}
	if len(x.events) > 0 {
		t.Errorf("one event more: %+v; the index triggers itself", <-x.events)
	}
}

func TestWatchTakesABranchSwitchAsOneUpdate(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	w := newWorld(t, files{"a.go": "package a\n"})
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "init.defaultBranch=main"}, args...)...)
		cmd.Dir = w.root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "one")
	git("checkout", "-qb", "other")
	w.write(files{"b/b.go": "package b\n", "c/c.go": "package c\n", "d/d.go": "package d\n"})
	git("add", ".")
	git("commit", "-qm", "two")
	git("checkout", "-q", "main")
	x := watchWorld(t, w.open(), WatchOptions{})
	if e := x.next(); e.Event != WatchUpdated || e.Changed != 1 {
		t.Fatalf("first event %+v", e)
	}
	if e := x.next(); e.Event != WatchReady {
		t.Fatalf("second event %+v", e)
	}
	git("checkout", "-q", "other")
	if e := x.next(); e.Event != WatchUpdated || e.Changed != 3 || e.Revision == "" {
		t.Errorf("after the switch: %+v, want one update of 3 files", e)
	}
}

func TestWatchSaysThatItPolls(t *testing.T) {
	x := watchWorld(t, newWorld(t, files{"a.go": "package a\n"}), WatchOptions{Poll: 10 * time.Millisecond})
	if e := x.next(); e.Event != WatchPolling || e.Message != "every 10ms, as asked" {
		t.Errorf("first event %+v", e)
	}
	if e := x.next(); e.Event != WatchUpdated || e.Changed != 1 {
		t.Errorf("second event %+v", e)
	}
	x.write(files{"b.go": "package a\n"})
	if e := x.next(); e.Event != WatchUpdated || e.Changed != 1 {
		t.Errorf("after a new file: %+v", e)
	}
}

func TestWatchTellsOfAFailureOnceAndGoesOn(t *testing.T) {
	x := watchWorld(t, newWorld(t, files{"a.go": "package a\n", ".agenvantageignore": "*\n"}), WatchOptions{Debounce: 5 * time.Millisecond, Poll: 5 * time.Millisecond})
	x.next() // that it polls
	if e := x.next(); e.Event != WatchFailed || !errors.Is(e.Err, agenvantage.ErrNothingSelected) || !strings.Contains(e.Message, ".agenvantageignore:1") {
		t.Fatalf("event %+v, want the rule that leaves nothing", e)
	}
	if err := os.Remove(filepath.Join(x.root, ".agenvantageignore")); err != nil {
		t.Fatal(err)
	}
	if e := x.next(); e.Event != WatchUpdated || e.Changed != 1 {
		t.Errorf("event %+v, want the update; a failure is told once", e)
	}
}

func TestWatchRefusesAndEnds(t *testing.T) {
	w := newWorld(t, files{"a.go": "package a\n"})
	if err := w.Watch(t.Context(), WatchOptions{Debounce: -time.Second}); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a negative debounce time: %v", err)
	}
	if err := (&App{fixed: true}).Watch(t.Context(), WatchOptions{}); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("the tree of a commit: %v", err)
	}
	w.Close()
	if err := w.Watch(t.Context(), WatchOptions{}); !errors.Is(err, errClosed) {
		t.Errorf("after Close: %v", err)
	}
}
