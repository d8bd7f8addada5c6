package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agenvantage"
)

func TestALinkedIndexFolderIsRefused(t *testing.T) {
	elsewhere := t.TempDir()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.go"), []byte(function("alpha")), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(root, ".agenvantage")); err != nil {
		t.Skip(err)
	}
	if _, err := Open(root, config(t)); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), ".agenvantage is a link") {
		t.Errorf("%v", err)
	}
	// A person may name the same folder.
	a, err := Open(root, config(t, "index_dir="+filepath.Join(root, ".agenvantage")))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.Index(t.Context(), false, nil); err != nil {
		t.Error(err)
	}
}

func TestOpenRefusesWhatIsNoFolder(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	before := openFiles(t)
	for _, path := range []string{filepath.Join(root, "missing"), file} {
		if a, err := Open(path, config(t)); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", path, err)
			if err == nil {
				a.Close()
			}
		}
	}
	wantOpenFiles(t, before)
}

// A search that pinned a view goes on with it while newer generations appear; the last user closes it.
func TestAPinnedViewOutlivesUpdates(t *testing.T) {
	newWorld(t, files{"a.go": function("warmUp")}).ask("warmUp") // the runtime keeps files of its own from the first use on
	before := openFiles(t)
	w := newWorld(t, files{"a.go": function("alpha")})
	w.mustIndex()
	var pins []*pinned
	for i := range 4 {
		p, err := w.pin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		pins = append(pins, p)
		w.write(files{"a.go": function("alpha" + strings.Repeat("X", i+1))})
		w.mustIndex()
	}
	for i, p := range pins {
		text, err := p.corpus.Text(0)
		if p.corpus.Generation() != uint64(i+1) || i > 0 && !strings.Contains(text, "alpha"+strings.Repeat("X", i)+"(") || err != nil {
			t.Errorf("pin %d: generation %d, %q, %v", i, p.corpus.Generation(), text, err)
		}
		if p.users != 1 {
			t.Errorf("pin %d has %d users, its own should be the last", i, p.users)
		}
	}
	again, err := w.pin(t.Context())
	if err != nil || again.corpus.Generation() != 5 {
		t.Fatalf("newest: %v", err)
	}
	second, err := w.pin(t.Context())
	if err != nil || second != again || again.users != 3 {
		t.Errorf("the same generation is opened once; %d users, %v", again.users, err)
	}
	for _, p := range append(pins, again, second) {
		p.release()
	}
	if again.users != 1 { // the app's own
		t.Errorf("%d users at the end", again.users)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantOpenFiles(t, before)
}

func TestSearchesWhileTheTreeChanges(t *testing.T) {
	newWorld(t, files{"a.go": function("warmUp")}).ask("warmUp")
	before := openFiles(t)
	w := newWorld(t, files{"same.go": function("stays"), "moves.go": function("still")})
	w.mustIndex()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	edited := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		defer close(edited)
		for i := range 12 {
			if err := os.WriteFile(w.path("moves.go"), []byte(function("moves"+string(rune('a'+i)))), 0o644); err != nil {
				t.Error(err)
			}
			if i%3 == 0 {
				if _, err := w.Index(ctx, i%6 == 0, nil); err != nil {
					t.Error(err)
				}
			}
			w.forgetCheck()
			time.Sleep(10 * time.Millisecond)
		}
	})
	for n := range 3 {
		running.Go(func() {
			last := uint64(0)
			for done := false; !done; {
				select {
				case <-edited:
					done = true
				default:
				}
				r, err := w.Search(ctx, SearchRequest{Query: "stays", NoRefresh: n == 2}, nil)
				if err != nil || len(r.Results) != 1 || r.Results[0].Path != "same.go" || r.Results[0].Text != "func stays() {}" {
					t.Errorf("%+v, %v", r.Results, err)
					return
				}
				if r.Generation < last {
					t.Errorf("generation %d after %d", r.Generation, last)
				}
				last = r.Generation
				if n == 1 {
					if _, err := w.Status(ctx); err != nil {
						t.Error(err)
					}
					if list, err := w.Files(ctx); err != nil || len(list) < 2 {
						t.Errorf("%d files, %v", len(list), err)
					}
				}
			}
		})
	}
	running.Wait()
	if r := w.ask("movesl"); found(r) != "moves.go" || r.Coverage.Stale {
		t.Errorf("at the end: %+v", r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantOpenFiles(t, before)
}

func TestCloseWaitsForSearches(t *testing.T) {
	newWorld(t, files{"a.go": function("warmUp")}).ask("warmUp")
	before := openFiles(t)
	w := newWorld(t, files{"a.go": function("alpha")})
	w.mustIndex()
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			for {
				r, err := w.Search(t.Context(), SearchRequest{Query: "alpha"}, nil)
				if errors.Is(err, errClosed) {
					return
				}
				if err != nil || found(r) != "a.go" {
					t.Errorf("%+v, %v", r, err)
					return
				}
			}
		})
	}
	time.Sleep(30 * time.Millisecond)
	for range 2 {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	running.Wait()
	for what, err := range map[string]error{
		"index":  func() error { _, err := w.Index(t.Context(), false, nil); return err }(),
		"status": func() error { _, err := w.Status(t.Context()); return err }(),
		"files":  func() error { _, err := w.Files(t.Context()); return err }(),
		"clean":  func() error { _, err := w.Clean(t.Context()); return err }(),
	} {
		if !errors.Is(err, errClosed) {
			t.Errorf("%s after close: %v", what, err)
		}
	}
	wantOpenFiles(t, before)
}

// A refresh that failed while it listed the tree once kept its view open for ever.
func TestAFailedListingReleasesTheView(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")}, "index_dir="+t.TempDir())
	w.ask("alpha")
	if err := os.RemoveAll(w.root); err != nil {
		t.Fatal(err)
	}
	w.forgetCheck()
	if _, err := w.Search(t.Context(), SearchRequest{Query: "alpha"}, nil); err == nil {
		t.Error("a tree that is gone was listed")
	}
	if w.current == nil || w.current.users != 1 {
		t.Errorf("the view is still in use: %+v", w.current)
	}
}

// A refresh that was interrupted once counted as a look at the tree: the searches of the next second did not go on with it.
func TestAnInterruptedRefreshIsGoneOnWith(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha"), "b.go": function("beta")})
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := w.Search(ctx, SearchRequest{Query: "alpha"}, func(Progress) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want cancelled", err)
	}
	if r := w.askAgain(SearchRequest{Query: "alpha"}); found(r) != "a.go" || r.Coverage.Stale {
		t.Errorf("the search after it: %+v", r)
	}
}
