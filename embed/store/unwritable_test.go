package store

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"agenvantage/embed"
)

// disk is a folder whose disk can be filled.
type disk struct {
	dir        string
	options    Options
	fill, free func()
}

// standIn is a disk that is full by word: connections that may write fail as they do on a full one.
func standIn(t *testing.T) disk {
	full := false
	return disk{t.TempDir(), Options{BusyTimeout: 50 * time.Millisecond, noSpace: func() error {
		if full {
			return syscall.ENOSPC
		}
		return nil
	}}, func() { full = true }, func() { full = false }}
}

func eachDisk(t *testing.T, do func(t *testing.T, d disk)) {
	t.Run("stand-in", func(t *testing.T) { do(t, standIn(t)) })
	t.Run("tmpfs", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("no tmpfs")
		}
		do(t, tmpfs(t, 2<<20))
	})
}

// TestAFullDiskCannotBeRead was so: SQLite wants to write beside the file even to read it.
func TestAFullDiskCannotBeRead(t *testing.T) {
	eachDisk(t, func(t *testing.T, d disk) {
		i := identity("a", 8)
		o := d.options
		o.Create = true
		s := open(t, d.dir, o)
		put(t, s, i, 0, 50)
		must(t, s.Close())
		d.fill()
		s = open(t, d.dir, d.options)
		found := func(n int) {
			t.Helper()
			if v, err := s.Load(ctx, i.Key(), hashesOf(upTo(50)...)); err != nil || v.Found() != n {
				t.Fatalf("found %d of %d, %v", v.Found(), n, err)
			}
		}
		found(50)
		if len(log(t, s, LogFilter{})) != 50 {
			t.Error("the ledger is not read")
		}
		_, begin := s.Begin(i.Key(), endpoint, embed.Document, []Text{{Hash: hash(1)}})
		for name, err := range map[string]error{"writable": s.Writable(), "begin": begin, "touch": s.Touch(ctx, i.Key(), hashesOf(1))} {
			if name != "touch" && (!errors.Is(err, ErrFull) || !Unwritable(err)) || name == "touch" && err != nil { // they were met today
				t.Errorf("%s: %v", name, err)
			}
		}
		must(t, s.Check())
		// Once there is room, or somebody has written all the same, it is to be opened again.
		d.free()
		if err := s.Check(); !errors.Is(err, ErrStale) {
			t.Errorf("%v, want ErrStale", err)
		}
		other := open(t, d.dir, d.options)
		must(t, other.Writable())
		put(t, other, i, 50, 57)
		d.fill()
		if err := s.Check(); !errors.Is(err, ErrStale) {
			t.Errorf("%v, want ErrStale", err)
		}
		found(50)
	})
}

// TestAStoreWhoseMakingFoundNoSpaceIsDamaged was so: a first page without tables was opened as a whole store.
func TestAStoreWhoseMakingFoundNoSpaceIsDamaged(t *testing.T) {
	eachDisk(t, func(t *testing.T, d disk) {
		must(t, os.MkdirAll(d.dir, 0o700))
		file := filepath.Join(d.dir, FileName)
		must(t, os.WriteFile(file, nil, 0o600))
		db, err := connect(file, url.Values{"mode": {"rw"}}, 1)
		must(t, err)
		_, err = db.Exec("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL")
		must(t, err)
		must(t, db.Close())
		if info, err := os.Stat(file); err != nil || info.Size() == 0 {
			t.Fatalf("%v, %v: nothing was begun", info, err)
		}
		o := d.options
		o.Create = true
		d.fill()
		if _, err := Open(d.dir, o); !errors.Is(err, ErrFull) {
			t.Errorf("%v, want ErrFull", err)
		}
		d.free()
		s := open(t, d.dir, o)
		must(t, s.Writable())
		put(t, s, identity("a", 8), 0, 5)
	})
}

// TestAnUnfinishedLogOnAFullDiskIsRead: a process that ended on the full disk could not move its log into the file.
func TestAnUnfinishedLogOnAFullDiskIsRead(t *testing.T) {
	eachDisk(t, func(t *testing.T, d disk) {
		i := identity("a", 8)
		o := d.options
		o.Create = true
		s := open(t, d.dir, o)
		put(t, s, i, 0, 50)
		log, err := os.ReadFile(s.File() + "-wal")
		must(t, err)
		b, err := os.ReadFile(s.File())
		must(t, err)
		must(t, s.Close())
		must(t, os.WriteFile(s.File(), b, 0o600)) // as it is after a kill and a start of the machine
		must(t, os.WriteFile(s.File()+"-wal", log, 0o600))
		d.fill()
		s = open(t, d.dir, d.options)
		if v, err := s.Load(ctx, i.Key(), hashesOf(upTo(50)...)); err != nil || v.Found() != 50 || !errors.Is(s.Writable(), ErrFull) {
			t.Errorf("found %d, %v, %v", v.Found(), err, s.Writable())
		}
		if p, err := s.Purge(ctx, "", true); err != nil || p.Vectors != 50 {
			t.Errorf("%+v, %v", p, err)
		}
	})
}

// TestNothingCanBeRemovedOnAFullDisk was so, and removing is what makes room.
func TestNothingCanBeRemovedOnAFullDisk(t *testing.T) {
	a, b := identity("a", 300), identity("b", 300)
	for _, x := range []struct {
		name   string
		remove func(s *Store) (Pruned, error)
		want   string
		left   int // vectors of b; -1: the store is gone
	}{
		{"one set", func(s *Store) (Pruned, error) { return s.Purge(ctx, a.Key(), true) }, "300 vectors, 0 failures, 0 questions; a 300 0 0", 40},
		{"some of each", func(s *Store) (Pruned, error) {
			return s.Prune(ctx, PruneRequest{Keep: hashesOf(upTo(10)...)})
		}, "320 vectors, 0 failures, 0 questions; a 290 0 0, b 30 0 0", 10},
		{"all but the ledger", func(s *Store) (Pruned, error) { return s.Purge(ctx, "", false) }, "340 vectors, 0 failures, 0 questions; a 300 0 0, b 40 0 0", 0},
		{"everything", func(s *Store) (Pruned, error) { return s.Purge(ctx, "", true) }, "340 vectors, 0 failures, 0 questions; a 300 0 0, b 40 0 0", -1},
	} {
		t.Run(x.name, func(t *testing.T) {
			eachDisk(t, func(t *testing.T, d disk) {
				o := d.options
				o.Create = true
				s := open(t, d.dir, o)
				put(t, s, a, 0, 300)
				put(t, s, b, 0, 40)
				must(t, s.Close())
				d.fill()
				s = open(t, d.dir, d.options)
				if p, err := s.Prune(ctx, PruneRequest{DryRun: true}); err != nil || p.Vectors != 340 {
					t.Errorf("a dry run: %+v, %v", p, err)
				}
				s = open(t, d.dir, d.options)
				p, err := x.remove(s)
				if err != nil || printed(p) != x.want || p.Bytes < 200_000 {
					t.Fatalf("%+v, %v", p, err)
				}
				if x.left < 0 {
					if _, err := Open(d.dir, d.options); !errors.Is(err, ErrAbsent) {
						t.Errorf("%v", err)
					}
					return
				}
				if err := s.Check(); !errors.Is(err, ErrGone) {
					t.Errorf("the store is closed, and Check says %v", err)
				}
				s = open(t, d.dir, d.options) // on the disk as it is now
				v, err := s.Load(ctx, b.Key(), hashesOf(upTo(40)...))
				if err != nil || v.Found() != x.left || x.left > 0 && !slices.Equal(v.At(9), vector(9, 300)) {
					t.Errorf("found %d, %v", v.Found(), err)
				}
				d.free()
				put(t, open(t, d.dir, d.options), b, 0, 40)
			})
		})
	}
}

// TestADiskThatFillsUpLater: the store was opened for writing, and its log cannot grow.
func TestADiskThatFillsUpLater(t *testing.T) {
	d := tmpfs(t, 2<<20)
	s := open(t, d.dir, Options{Create: true})
	put(t, s, identity("a", 300), 0, 300)
	put(t, s, identity("b", 300), 0, 40)
	exec(t, s, checkpoint)
	d.fill()
	if v, err := s.Load(ctx, identity("a", 300).Key(), hashesOf(1)); err != nil || v.Found() != 1 {
		t.Errorf("found %d, %v", v.Found(), err)
	}
	p, err := s.Purge(ctx, identity("a", 300).Key(), true)
	if err != nil || p.Vectors != 300 || p.Bytes < 200_000 {
		t.Errorf("%+v, %v", p, err)
	}
	s = open(t, d.dir, Options{})
	if v, err := s.Load(ctx, identity("b", 300).Key(), hashesOf(upTo(40)...)); err != nil || v.Found() != 40 {
		t.Errorf("found %d, %v", v.Found(), err)
	}
}

// TestRowsOnAFullDiskGoOnlyAlone: what is changed in place must not be read meanwhile.
func TestRowsOnAFullDiskGoOnlyAlone(t *testing.T) {
	d := standIn(t)
	o := d.options
	o.Create = true
	other := open(t, d.dir, o)
	put(t, other, identity("a", 2), 0, 3)
	d.fill()
	s := open(t, d.dir, d.options)
	if _, err := s.Purge(ctx, identity("a", 2).Key(), true); !errors.Is(err, ErrBusy) {
		t.Errorf("%v, want ErrBusy", err)
	}
	if v, err := other.Load(ctx, identity("a", 2).Key(), hashesOf(0, 1, 2)); err != nil || v.Found() != 3 {
		t.Errorf("found %d, %v", v.Found(), err)
	}
	s = open(t, d.dir, d.options)
	if p, err := s.Purge(ctx, "", true); err != nil || p.Vectors != 3 { // readers of a file that is gone find out
		t.Errorf("%+v, %v", p, err)
	}
	if err := other.Check(); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
}

// TestAFullDiskHidesWhoseFileItIs: what cannot be opened for writing was taken for a store whatever it was.
func TestAFullDiskHidesWhoseFileItIs(t *testing.T) {
	d := standIn(t)
	o := d.options
	o.Create = true
	s := open(t, d.dir, o)
	exec(t, s, `PRAGMA application_id = 77`)
	must(t, s.Close())
	d.fill()
	if _, err := Open(d.dir, d.options); !errors.Is(err, ErrForeign) {
		t.Errorf("%v, want ErrForeign", err)
	}
	if _, err := os.Stat(filepath.Join(d.dir, FileName)); err != nil {
		t.Error(err)
	}
}
