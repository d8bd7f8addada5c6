package app

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/configs"
)

// world is a tree with an app over it.
type world struct {
	*App
	t    *testing.T
	root string
}

// files are texts by path.
type files map[string]string

func newWorld(t *testing.T, fs files, flags ...string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: root}
	w.write(fs)
	return w.open(flags...)
}

// open is another app over the same tree, with flags as KEY=VALUE.
func (w *world) open(flags ...string) *world {
	w.t.Helper()
	a, err := Open(w.root, config(w.t, flags...))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { a.Close() })
	return &world{App: a, t: w.t, root: w.root}
}

// TestMain keeps the vectors that tests make out of the cache folder of whoever runs them.
func TestMain(m *testing.M) {
	cache, err := os.MkdirTemp("", "agenvantage-test-cache-")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache)
	code := m.Run()
	os.RemoveAll(cache)
	os.Exit(code)
}

func config(t *testing.T, flags ...string) *configs.Config {
	t.Helper()
	o := configs.LoadOptions{Flags: map[string]string{}}
	for _, f := range flags {
		key, value, _ := strings.Cut(f, "=")
		o.Flags[key] = value
	}
	cfg, _, err := configs.Load(o)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func (w *world) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

func (w *world) write(fs files) {
	w.t.Helper()
	for name, text := range fs {
		if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) mustIndex() IndexSummary {
	w.t.Helper()
	s, err := w.Index(w.t.Context(), false, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// ask searches after looking at the tree anew, however short ago the last search was.
func (w *world) ask(query string) agenvantage.Response {
	w.t.Helper()
	w.forgetCheck()
	return w.askAgain(SearchRequest{Query: query})
}

func (w *world) askAgain(r SearchRequest) agenvantage.Response {
	w.t.Helper()
	response, err := w.Search(w.t.Context(), r, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return response
}

func (w *world) status() Status {
	w.t.Helper()
	s, err := w.Status(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// found lists the paths of the results.
func found(r agenvantage.Response) string {
	var paths []string
	for _, x := range r.Results {
		paths = append(paths, x.Path)
	}
	return strings.Join(paths, " ")
}

// function is a Go file with one function.
func function(name string) string { return fmt.Sprintf("package p\n\nfunc %s() {}\n", name) }

// openFiles counts the files that this process has open; the test is skipped where nobody can tell.
func openFiles(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("open files are counted in /proc")
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// wantOpenFiles waits a little for the count: what a finished child process or a closing database holds goes soon.
func wantOpenFiles(t *testing.T, want int) {
	t.Helper()
	got := openFiles(t)
	for end := time.Now().Add(2 * time.Second); got > want && time.Now().Before(end); got = openFiles(t) {
		time.Sleep(10 * time.Millisecond)
	}
	if got > want {
		names := []string{}
		entries, _ := os.ReadDir("/proc/self/fd")
		for _, e := range entries {
			target, _ := os.Readlink("/proc/self/fd/" + e.Name())
			names = append(names, target)
		}
		t.Errorf("%d files open, were %d:\n%s", got, want, strings.Join(names, "\n"))
	}
}

// skipWhenShort leaves out what has no part that runs at the same time as another: the race detector, under which it takes
// minutes, would find nothing in it.
func skipWhenShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("in short mode")
	}
}
