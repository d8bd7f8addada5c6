package index

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"agenvantage"
)

// Facts that say generation 0 under a manifest that calls them whole are damage, not a generation on its way: everything that opens the
// index says so, and an update builds it anew.
func TestGenerationZeroIsTakenForAMove(t *testing.T) {
	ctx := context.Background()
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a.go": "def load_user\nbody\n"})
	refresh(t, ix, src)
	m, err := readManifest(ix.Dir())
	must(t, err)
	db, err := sql.Open("sqlite3", filepath.Join(ix.Dir(), m.Epoch, metaFile))
	must(t, err)
	_, err = db.Exec("update head set generation = 0")
	must(t, err)
	must(t, db.Close())

	if _, err := ix.View(ctx); !errors.Is(err, ErrCorrupt) {
		t.Errorf("View: %v, want it to be corrupt", err)
	}
	listing, err := src.List(ctx)
	must(t, err)
	if _, err := ix.Check(ctx, listing); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Check: %v, want it to be corrupt", err)
	}
	refresh(t, ix, src)
	equalsFresh(t, ix, src)
}

// An index folder that is removed while it is written is made again by the same update.
func TestFolderRemovedWhileItIsWritten(t *testing.T) {
	for _, c := range []struct {
		name  string
		times int64
		fails bool
	}{{"once", 1, false}, {"twice", 2, false}, {"always", 1 << 40, true}} {
		t.Run(c.name, func(t *testing.T) {
			ix, src := openIndex(t, filepath.Join(t.TempDir(), "index")), newTree(map[string]string{"a.go": "def load_user\nbody\n", "b.go": "def other\n"})
			var removed atomic.Int64
			src.readHook = func(path string) {
				if path == "a.go" && removed.Add(1) <= c.times {
					must(t, os.RemoveAll(ix.Dir()))
				}
			}
			_, err := ix.Update(context.Background(), UpdateRequest{Source: src, Extractor: paragraphs{}, Workers: 1})
			if c.fails {
				if !errors.Is(err, agenvantage.ErrIncomplete) || removed.Load() != lostTries {
					t.Errorf("%v after %d tries, want it incomplete after %d", err, removed.Load(), lostTries)
				}
				return
			}
			must(t, err)
			equalsFresh(t, ix, src)
		})
	}
}

// A tree that is removed with the index in it is not made again.
func TestRemovedTreeIsMadeAgain(t *testing.T) {
	root := filepath.Join(t.TempDir(), "tree")
	must(t, os.Mkdir(root, 0o755))
	ix, src := openIndex(t, filepath.Join(root, "index")), newTree(map[string]string{"a.go": "def load_user\n"})
	src.readHook = func(string) { must(t, os.RemoveAll(root)) }
	if _, err := ix.Update(context.Background(), UpdateRequest{Source: src, Extractor: paragraphs{}, Workers: 1}); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(root); err == nil {
		t.Error("the tree is there again")
	}
}

// An index in git would be a copy of every text in it: what keeps it out is written again.
func TestIgnoreFileStaysAsItWasChanged(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a.go": "def load_user\n"})
	ignore := filepath.Join(ix.Dir(), ".gitignore")
	for _, spoil := range []func() error{
		func() error { return os.Remove(ignore) },
		func() error { return os.WriteFile(ignore, nil, 0o644) },
		func() error { return os.WriteFile(ignore, []byte("!*\n"), 0o644) },
	} {
		refresh(t, ix, src)
		must(t, spoil())
		refresh(t, ix, src)
		if b, err := os.ReadFile(ignore); err != nil || string(b) != "*\n" {
			t.Errorf("%q, %v", b, err)
		}
	}
}
