package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"agenvantage/embed"
)

// TestAFullDiskIsNamed: what is stored stays, and everything can be removed all the same.
func TestAFullDiskIsNamed(t *testing.T) {
	s, _ := fresh(t)
	put(t, s, identity("m", 8), 0, 3)
	exec(t, s, `PRAGMA max_page_count = 1`) // which SQLite raises to the pages there are
	key, err := s.AddSet(identity("m", 8))
	must(t, err)
	var results []Result
	for n := range 20_000 {
		results = append(results, Result{Hash: hash(100 + n), Vector: vector(n, 8)})
	}
	if err := s.Commit(key, nil, results); !errors.Is(err, ErrFull) {
		t.Fatalf("a store that cannot grow: %v", err)
	}
	v, err := s.Load(t.Context(), key, hashesOf(0, 1, 2))
	must(t, err)
	if v.Found() != 3 {
		t.Errorf("%d of 3 vectors are left", v.Found())
	}
	p, err := s.Purge(t.Context(), "", true)
	must(t, err)
	if p.Sets != 1 || p.Vectors != 3 || p.Entries != 3 || p.Bytes == 0 || p.Files < 1 || len(p.Of) != 1 || p.Of[0].Key != key {
		t.Errorf("%+v", p)
	}
	nothingLeft(t, s.dir)
	for _, err := range []error{syscall.ENOSPC, &os.PathError{Op: "write", Path: "x", Err: syscall.EDQUOT}} {
		if !errors.Is(s.fault("write", err), ErrFull) {
			t.Errorf("%v is not told", err)
		}
	}
}

// TestAFolderThatIsAFileIsNotWritable has a kind, which says what to set.
func TestAFolderThatIsAFileIsNotWritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		for _, create := range []bool{true, false} {
			if _, err := Open(dir, Options{Create: create}); !errors.Is(err, ErrReadOnly) {
				t.Errorf("%s: %v", dir, err)
			}
		}
	}
}

// TestAReplacedFileTakesNothing: what went into a file that was removed would be lost.
func TestAReplacedFileTakesNothing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Create: true})
	key, err := s.AddSet(identity("m", 4))
	must(t, err)
	must(t, s.Check())
	must(t, os.Rename(s.File(), s.File()+".old"))
	for range 2 { // missing, then another one
		if err := s.Check(); !errors.Is(err, ErrGone) {
			t.Errorf("%v", err)
		}
		if _, err := s.Begin(key, "http://h", embed.Document, []Text{{Hash: hash(1), Bytes: 1, Tokens: 1}}); !errors.Is(err, ErrGone) {
			t.Errorf("%v", err)
		}
		must(t, os.WriteFile(s.File(), nil, 0o600))
	}
}

// TestTheSetRemembersThatTextsArePassedOn, and the address stays as it is.
func TestTheSetRemembersThatTextsArePassedOn(t *testing.T) {
	s, _ := fresh(t)
	i := identity("m", 4)
	for _, passed := range []bool{true, false} {
		i.PassedOn = passed
		_, err := s.AddSet(i)
		must(t, err)
		sets, err := s.Sets()
		must(t, err)
		if len(sets) != 1 || sets[0].Identity != i {
			t.Errorf("%+v, want %+v", sets, i)
		}
	}
}
