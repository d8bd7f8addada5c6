package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agenvantage"
)

// fakeTree lists the files of a folder, without those in folders called "ignored" and files called *.log, and tells of each
// update which files it saw.
type fakeTree struct {
	t       *testing.T
	root    string
	updates chan []string

	mu   sync.Mutex
	last []string
	fail error
}

func (f *fakeTree) List(context.Context) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fail != nil {
		return nil, f.fail
	}
	var paths []string
	err := filepath.WalkDir(f.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == f.root {
				return err
			}
			return nil
		}
		if d.IsDir() && (d.Name() == "ignored" || d.Name() == ".git" || d.Name() == "own") {
			return filepath.SkipDir
		}
		if !d.IsDir() && filepath.Ext(path) != ".log" {
			rel, _ := filepath.Rel(f.root, path)
			paths = append(paths, filepath.ToSlash(rel))
		}
		return nil
	})
	f.last = paths
	return paths, err
}

func (f *fakeTree) Update(context.Context) error {
	f.mu.Lock()
	paths := f.last
	f.mu.Unlock()
	f.updates <- paths
	return nil
}

// following is a watch that runs over a folder of its own.
type following struct {
	*fakeTree
	notices chan Notice
	ended   chan error
	stop    context.CancelFunc
}

// patience is how long a test waits for what has to come.
const patience = 30 * time.Second

func follow(t *testing.T, o Options, files ...string) *following {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &following{fakeTree: &fakeTree{t: t, root: root, updates: make(chan []string, 1000)}, notices: make(chan Notice, 1000), ended: make(chan error, 1)}
	for _, file := range files {
		f.write(file)
	}
	ctx, cancel := context.WithCancel(t.Context())
	f.stop = cancel
	o.Notify = func(n Notice) { f.notices <- n }
	o.Own = append(o.Own, filepath.Join(root, "own"))
	go func() { f.ended <- Run(ctx, root, f.fakeTree, o) }()
	t.Cleanup(func() {
		cancel()
		f.end()
	})
	return f
}

func (f *following) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

func (f *following) write(name string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path(name), []byte(name), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// notice waits for the next notice.
func (f *following) notice() Notice {
	f.t.Helper()
	select {
	case n := <-f.notices:
		return n
	case <-time.After(patience):
		f.t.Fatal("no notice came")
	}
	return Notice{}
}

// until waits for an update that saw exactly these files.
func (f *following) until(files ...string) {
	f.t.Helper()
	deadline := time.After(patience)
	var saw []string
	for {
		select {
		case saw = <-f.updates:
			slices.Sort(saw)
			if slices.Equal(saw, files) {
				return
			}
		case <-deadline:
			f.t.Fatalf("no update saw %q; the last saw %q", files, saw)
		}
	}
}

// end waits for the end of Run.
func (f *following) end() error {
	f.t.Helper()
	select {
	case err := <-f.ended:
		f.ended <- err
		return err
	case <-time.After(patience):
		f.t.Fatal("Run does not end")
	}
	return nil
}

func TestRunFollowsWritesNewFoldersRenamesAndDeletions(t *testing.T) {
	f := follow(t, Options{Debounce: 10 * time.Millisecond}, "a.go", "sub/b.go", "ignored/i.go")
	f.until("a.go", "sub/b.go")
	if n := f.notice(); n.Polling || n.Err != nil || n.Folders != 2 {
		t.Fatalf("first notice %+v, want 2 folders: the root and sub", n)
	}
	f.write("sub/c.go")
	f.until("a.go", "sub/b.go", "sub/c.go")
	f.write("new/deep/d.go")
	f.until("a.go", "new/deep/d.go", "sub/b.go", "sub/c.go")
	f.write("new/deep/e.go")
	f.until("a.go", "new/deep/d.go", "new/deep/e.go", "sub/b.go", "sub/c.go")
	if err := os.Rename(f.path("new"), f.path("moved")); err != nil {
		t.Fatal(err)
	}
	f.until("a.go", "moved/deep/d.go", "moved/deep/e.go", "sub/b.go", "sub/c.go")
	f.write("moved/deep/f.go") // below a folder that was renamed
	f.until("a.go", "moved/deep/d.go", "moved/deep/e.go", "moved/deep/f.go", "sub/b.go", "sub/c.go")
	if err := os.RemoveAll(f.path("moved")); err != nil {
		t.Fatal(err)
	}
	f.until("a.go", "sub/b.go", "sub/c.go")
	f.stop()
	if err := f.end(); err != nil {
		t.Errorf("the end of the context is the error %v", err)
	}
}

func TestRunSeesTheFirstFileOfAFolderThatWasEmpty(t *testing.T) {
	f := follow(t, Options{Debounce: 10 * time.Millisecond}, "a.go")
	f.until("a.go")
	f.notice()
	if err := os.MkdirAll(f.path("empty/below"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.until("a.go") // the cycle that the new folders caused
	f.write("empty/below/b.go")
	f.until("a.go", "empty/below/b.go")
}

func TestRunDoesNotTriggerItself(t *testing.T) {
	f := follow(t, Options{Debounce: 10 * time.Millisecond}, "a.go", "own/index.db")
	f.until("a.go")
	f.notice()
	f.write("own/index.db")
	f.write("own/e-1/postings")
	f.write("b.go") // events come in order: an update that own files caused would come before
	f.until("a.go", "b.go")
	for len(f.updates) > 0 {
		if saw := <-f.updates; !slices.Equal(saw, []string{"a.go", "b.go"}) {
			t.Errorf("an update more, over %q", saw)
		}
	}
}

// A program that writes all the time must not starve the index: no pause between two writes is as long as the debounce time.
func TestRunIsNotStarvedByConstantWrites(t *testing.T) {
	f := follow(t, Options{Debounce: time.Second}, "a.go")
	f.until("a.go")
	f.notice()
	ticks := time.NewTicker(5 * time.Millisecond)
	defer ticks.Stop()
	deadline := time.After(patience)
	for {
		f.write("b.go")
		select {
		case <-f.updates:
			return
		case <-deadline:
			t.Fatal("no update came while a file was written again and again")
		case <-ticks.C:
		}
	}
}

func TestRunTriesAgainAfterAFailure(t *testing.T) {
	f := follow(t, Options{Debounce: 5 * time.Millisecond}, "a.go")
	f.until("a.go")
	f.notice()
	f.mu.Lock()
	f.fail = errors.New("disk on fire")
	f.mu.Unlock()
	f.write("b.go")
	if n := f.notice(); n.Err == nil || n.Err.Error() != "disk on fire" {
		t.Fatalf("notice %+v, want the failure", n)
	}
	f.mu.Lock()
	f.fail = nil
	f.mu.Unlock()
	f.until("a.go", "b.go") // without another event
}

func TestRunEndsWhenTheRootIsGone(t *testing.T) {
	for name, o := range map[string]Options{"events": {Debounce: 5 * time.Millisecond}, "polling": {Debounce: time.Millisecond, Poll: 5 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			f := follow(t, o, "a.go")
			f.until("a.go")
			if err := os.RemoveAll(f.root); err != nil {
				t.Fatal(err)
			}
			if err := f.end(); !errors.Is(err, agenvantage.ErrRootGone) || !strings.Contains(err.Error(), f.root) {
				t.Errorf("Run ends with %v", err)
			}
		})
	}
}

func TestRunPollsWhenAsked(t *testing.T) {
	f := follow(t, Options{Debounce: time.Millisecond, Poll: 5 * time.Millisecond}, "a.go")
	if n := f.notice(); !n.Polling || n.Reason != "every 5ms, as asked" {
		t.Errorf("notice %+v", n)
	}
	f.until("a.go")
	f.write("new/b.go")
	f.until("a.go", "new/b.go")
	f.stop()
	if err := f.end(); err != nil {
		t.Error(err)
	}
}

func TestRunPollsBeyondTheLimitOfFolders(t *testing.T) {
	f := follow(t, Options{Debounce: 5 * time.Millisecond, MaxFolders: 3}, "a/a.go", "b/b.go", "c/c.go")
	if n := f.notice(); !n.Polling || n.Reason != "the files lie in 4 folders, and at most 3 are watched" {
		t.Errorf("notice %+v", n)
	}
	f.until("a/a.go", "b/b.go", "c/c.go")
	f.write("d/d.go")
	f.until("a/a.go", "b/b.go", "c/c.go", "d/d.go")
}

func TestRunWaitsForGitToEnd(t *testing.T) {
	f := follow(t, Options{Debounce: 5 * time.Millisecond}, "a.go", ".git/HEAD", ".git/objects/x", ".git/refs/x")
	f.until("a.go")
	f.notice()
	f.write(".git/index.lock")
	f.write("half.go")
	f.write("whole.go")
	if err := os.Remove(f.path("half.go")); err != nil {
		t.Fatal(err)
	}
	f.write("other.go")
	if err := os.Remove(f.path(".git/index.lock")); err != nil {
		t.Fatal(err)
	}
	for {
		saw := <-f.updates
		slices.Sort(saw)
		if slices.Contains(saw, "half.go") {
			t.Fatalf("an update saw %q while git was at work", saw)
		}
		if slices.Equal(saw, []string{"a.go", "other.go", "whole.go"}) {
			return
		}
	}
}

func TestRunRefusesOptions(t *testing.T) {
	for _, o := range []Options{{Debounce: -1}, {Poll: -1}, {MaxFolders: -1}} {
		if err := Run(t.Context(), t.TempDir(), nil, o); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
