package watch

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

func TestBurstDue(t *testing.T) {
	start := time.Unix(1_000, 0)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	for _, c := range []struct {
		name   string
		events []int // ms
		want   int   // ms
	}{
		{"one event", []int{0}, 200},
		{"each event puts it off", []int{0, 150, 300}, 500},
		{"constant events do not starve it", []int{0, 500, 1000, 1500, 1900}, 2000},
		{"an event after the bound", []int{0, 2500}, 2000},
	} {
		var b burst
		for _, e := range c.events {
			b.add(at(e), "")
		}
		if got := b.due(200*time.Millisecond, 2*time.Second); !got.Equal(at(c.want)) {
			t.Errorf("%s: due after %s, want %d ms", c.name, got.Sub(start), c.want)
		}
	}
	if (&burst{}).pending() {
		t.Error("the zero burst is pending")
	}
}

// recorder stands in for the system's watches.
type recorder struct {
	folderSet
	added, removed []string
	fail           error
}

func newRecorder(root string, limit int) *recorder {
	r := &recorder{}
	r.folderSet = folderSet{root: root, own: []string{filepath.Join(root, ".agenvantage")}, limit: limit, watched: map[string]bool{},
		add: func(f string) error {
			if r.fail != nil {
				return r.fail
			}
			r.added = append(r.added, r.short(f))
			return nil
		},
		remove: func(f string) error { r.removed = append(r.removed, r.short(f)); return nil }}
	return r
}

func (r *recorder) short(f string) string {
	rel, _ := filepath.Rel(r.root, f)
	return filepath.ToSlash(rel)
}

func (r *recorder) now() string {
	var names []string
	for _, f := range slices.Sorted(maps.Keys(r.watched)) {
		names = append(names, r.short(f))
	}
	return strings.Join(names, " ")
}

func tree(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, n := range names {
		full := filepath.Join(root, filepath.FromSlash(n))
		if strings.HasSuffix(n, "/") {
			if err := os.MkdirAll(full, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFoldersAreThoseOfTheListing(t *testing.T) {
	root := tree(t, "a.go", "x/y/b.go", "node_modules/m/index.js", "build/out.o", "bare/below/", ".agenvantage/manifest.json", ".git/HEAD")
	r := newRecorder(root, 100)
	if err := r.follow([]string{"a.go", "x/y/b.go"}, filepath.Join(root, ".git")); err != nil {
		t.Fatal(err)
	}
	if got, want := r.now(), ". .git bare bare/below x x/y"; got != want {
		t.Errorf("watched %q, want %q", got, want)
	}
	// x/y has no file of the tree any more, and one that is left out.
	if err := r.follow([]string{"a.go"}, ""); err != nil {
		t.Fatal(err)
	}
	if got, want := r.now(), ". bare bare/below"; got != want {
		t.Errorf("then %q, want %q", got, want)
	}
}

func TestFoldersOfARenamedFolderAreDroppedBeforeTheNewOnesAreAdded(t *testing.T) {
	root := tree(t, "old/sub/a.go")
	r := newRecorder(root, 100)
	if err := r.follow([]string{"old/sub/a.go"}, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(root, "old"), filepath.Join(root, "new")); err != nil {
		t.Fatal(err)
	}
	r.drop(filepath.Join(root, "old"))
	slices.Sort(r.removed)
	if got := fmt.Sprint(r.removed); got != "[old old/sub]" {
		t.Errorf("dropped %s", got)
	}
	if err := r.follow([]string{"new/sub/a.go"}, ""); err != nil {
		t.Fatal(err)
	}
	if got := r.now(); got != ". new new/sub" {
		t.Errorf("watched %q", got)
	}
}

func TestFoldersBeyondALimitAreALimitError(t *testing.T) {
	root := tree(t, "a/a.go", "b/b.go")
	var limit *limitError
	r := newRecorder(root, 2)
	if err := r.follow([]string{"a/a.go", "b/b.go"}, ""); !errors.As(err, &limit) {
		t.Errorf("3 folders of 2: %v", err)
	}
	for _, c := range []struct {
		fail  error
		limit bool
	}{{syscall.ENOSPC, true}, {syscall.EMFILE, true}, {syscall.EACCES, false}, {fsnotify.ErrClosed, false}} {
		r := newRecorder(root, 10)
		r.fail = c.fail
		err := r.follow([]string{"a/a.go"}, "")
		if errors.As(err, &limit) != c.limit || !c.limit && err != nil {
			t.Errorf("the system says %v: %v", c.fail, err)
		}
		if r.count() != 0 {
			t.Errorf("the system says %v: %d folders are taken for watched", c.fail, r.count())
		}
	}
}

// An install of more folders than are watched, all of them left out, must not end the events.
func TestManyNewFoldersAreNoReasonToPoll(t *testing.T) {
	root := tree(t, "a.go", "node_modules/a/b/", "node_modules/c/d/", "node_modules/x.js")
	r := newRecorder(root, 3)
	if err := r.follow([]string{"a.go"}, ""); err != nil {
		t.Fatal(err)
	}
	r.followNew(filepath.Join(root, "node_modules"))
	if got, want := r.now(), ". node_modules node_modules/a"; got != want {
		t.Errorf("watched %q, want %q", got, want)
	}
	if err := r.follow([]string{"a.go"}, ""); err != nil {
		t.Fatal(err)
	}
	if got := r.now(); got != "." {
		t.Errorf("then %q", got)
	}
}

func TestIsBare(t *testing.T) {
	many := make([]string, 0, maxBareEntries+1)
	for i := range maxBareEntries + 1 {
		many = append(many, fmt.Sprintf("d%d/", i))
	}
	for _, c := range []struct {
		names []string
		want  bool
	}{{nil, true}, {[]string{"a/b/c/"}, true}, {[]string{"a/b/", "a/x"}, false}, {many, false}} {
		if got := isBare(tree(t, c.names...)); got != c.want {
			t.Errorf("%.3q: %v", c.names, got)
		}
	}
	if isBare(filepath.Join(t.TempDir(), "gone")) {
		t.Error("a folder that is gone is bare")
	}
}

// A log file in a watched folder that is written all the time must not list the tree all the time.
func TestWritesOutsideOfTheTreeAreLearned(t *testing.T) {
	root := tree(t, "a.go", "x.log")
	f := &follower{root: root, options: Options{}.withDefaults(), git: newGitState(root), noise: map[string]bool{}}
	f.folders = newRecorder(root, 10).folderSet
	event := func(name string, op fsnotify.Op) bool {
		t.Helper()
		f.burst = burst{}
		f.take(fsnotify.Event{Name: filepath.Join(root, name), Op: op})
		return f.burst.pending()
	}
	if !event("x.log", fsnotify.Write) {
		t.Fatal("the first write of an unknown file means nothing")
	}
	f.running = f.burst
	f.learnNoise([]string{"a.go"})
	for _, c := range []struct {
		name string
		op   fsnotify.Op
		want bool
	}{
		{"x.log", fsnotify.Write, false},
		{"x.log", fsnotify.Create, true},
		{"a.go", fsnotify.Write, true},
		{"a.go", fsnotify.Chmod, false},
		{".agenvantage/lock", fsnotify.Create, false},
		{".gitignore", fsnotify.Write, true}, // and all is forgotten
		{"x.log", fsnotify.Write, true},
	} {
		if got := event(c.name, c.op); got != c.want {
			t.Errorf("%s %s: counts %v, want %v", c.op, c.name, got, c.want)
		}
	}
}

func TestGitState(t *testing.T) {
	root := tree(t, ".git/HEAD", ".git/refs/", ".git/objects/")
	g := newGitState(root)
	now := time.Now()
	if g.folder == "" || g.locked(now) || g.limit() != maxDelay {
		t.Fatalf("at rest: %+v, locked %v, limit %s", g, g.locked(now), g.limit())
	}
	lock := filepath.Join(g.folder, "index.lock")
	if err := os.WriteFile(lock, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if !g.locked(now) {
		t.Error("the lock is not seen")
	}
	if g.locked(now.Add(maxHold + time.Minute)) {
		t.Error("a lock that a crash left holds for ever")
	}
	if err := os.Mkdir(filepath.Join(g.folder, "rebase-merge"), 0o755); err != nil {
		t.Fatal(err)
	}
	if g.limit() != maxHold {
		t.Errorf("in a rebase the limit is %s", g.limit())
	}
	if none := newGitState(t.TempDir()); none.locked(now) || none.limit() != maxDelay {
		t.Error("without a repository git is at work")
	}
}
