package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage/embed"
)

// nothingLeft asserts that a folder is empty.
func nothingLeft(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		t.Errorf("%s is left", e.Name())
	}
}

// TestPurgeLeavesFiles was so: the emptied file, locks and logs stayed. What is not the store's stays now.
func TestPurgeLeavesFiles(t *testing.T) {
	a, b := identity("a", 8), identity("b", 8)
	for _, x := range []struct {
		name   string
		remove func(s *Store) (Pruned, error)
		gone   bool
	}{
		{"everything", func(s *Store) (Pruned, error) { return s.Purge(ctx, "", true) }, true},
		{"the ledger stays", func(s *Store) (Pruned, error) { return s.Purge(ctx, "", false) }, false},
		{"another set stays", func(s *Store) (Pruned, error) { return s.Purge(ctx, a.Key(), true) }, false},
		{"the last set", func(s *Store) (Pruned, error) {
			if _, err := s.Purge(ctx, a.Key(), true); err != nil {
				return Pruned{}, err
			}
			return s.Purge(ctx, b.Key(), true)
		}, true},
		{"what prune leaves has a ledger", func(s *Store) (Pruned, error) { return s.Prune(ctx, PruneRequest{}) }, false},
		{"a dry run", func(s *Store) (Pruned, error) { return s.Prune(ctx, PruneRequest{DryRun: true}) }, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			s, _ := fresh(t)
			for _, i := range []embed.Identity{a, b} {
				put(t, s, i, 0, 5)
				release, err := s.Lock(i.Key())
				must(t, err)
				release()
				must(t, os.WriteFile(filepath.Join(s.dir, LogName(i.Key())), []byte("done\n"), 0o600))
			}
			starting, err := s.Starting(a.Key())
			must(t, err)
			starting()
			p, err := x.remove(s)
			must(t, err)
			if !x.gone {
				if _, err := os.Stat(s.File()); err != nil || p.Files != 0 || s.Check() != nil {
					t.Errorf("%+v, %v, %v", p, err, s.Check())
				}
				return
			}
			// The store, its log and the index of that; two logs of runs; locks of making, of two sets, of a start.
			if p.Files != 3+2+4 || p.Bytes == 0 || s.Bytes() != 0 {
				t.Errorf("%+v, %d bytes left", p, s.Bytes())
			}
			nothingLeft(t, s.dir)
			if err := s.Check(); !errors.Is(err, ErrGone) {
				t.Errorf("what is written to it is lost, and Check says %v", err)
			}
			put(t, open(t, s.dir, Options{Create: true}), a, 0, 3)
		})
	}
}

func TestPruneOfUnrecordedVectorsLeavesNothing(t *testing.T) {
	s, _ := fresh(t)
	key, err := s.AddSet(identity("a", 2))
	must(t, err)
	must(t, s.Commit(key, nil, []Result{{Hash: hash(1), Vector: vector(1, 2)}}))
	notOurs := filepath.Join(s.dir, "notes.txt")
	must(t, os.WriteFile(notOurs, nil, 0o600))
	p, err := s.Prune(ctx, PruneRequest{})
	if err != nil || printed(p) != "1 vectors, 0 failures, 0 questions; a 1 0 0" || p.Files != 5 {
		t.Errorf("%+v, %v", p, err)
	}
	must(t, os.Remove(notOurs))
	nothingLeft(t, s.dir)
}

// TestNothingGoesWhileSomebodyIsAtWork: a run of a repository that has no set yet holds a lock too, and so does who starts one.
func TestNothingGoesWhileSomebodyIsAtWork(t *testing.T) {
	run := strings.Repeat("ab", 16)
	for name, take := range map[string]func(s *Store) (func(), error){
		"a run":   func(s *Store) (func(), error) { return s.Lock(run) },
		"a start": func(s *Store) (func(), error) { return s.Starting(run) },
		"a transaction": func(s *Store) (func(), error) {
			tx, err := s.write.Begin()
			return func() { _ = tx.Rollback() }, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			other, s := open(t, dir, Options{Create: true}), open(t, dir, Options{BusyTimeout: 1})
			put(t, s, identity("a", 2), 0, 3)
			end, err := take(other)
			must(t, err)
			if _, err := s.Purge(ctx, "", true); !errors.Is(err, ErrBusy) {
				t.Errorf("%v, want ErrBusy", err)
			}
			if v, err := s.Load(ctx, identity("a", 2).Key(), hashesOf(0, 1, 2)); err != nil || v.Found() != 3 {
				t.Errorf("found %d, %v", v.Found(), err)
			}
			end()
			if p, err := s.Purge(ctx, "", true); err != nil || p.Vectors != 3 {
				t.Errorf("%+v, %v", p, err)
			}
			if err := other.Fail(1, "late"); !errors.Is(err, ErrGone) {
				t.Errorf("a write into what is gone: %v", err)
			}
		})
	}
}

// TestAWriterThatWaitedForARemovalWritesNothing had its answer, and was told that it is stored.
func TestAWriterThatWaitedForARemovalWritesNothing(t *testing.T) {
	dir := t.TempDir()
	one, two := open(t, dir, Options{Create: true}), open(t, dir, Options{})
	put(t, one, identity("a", 2), 0, 1)
	end, err := one.hold(ctx)
	must(t, err)
	result := make(chan error)
	go func() {
		_, err := two.AddSet(identity("b", 2))
		result <- err
	}()
	locks, err := one.lockAll(nil)
	must(t, err)
	_, err = one.end(end, locks)
	must(t, err)
	if err := <-result; !errors.Is(err, ErrGone) {
		t.Errorf("%v, want ErrGone", err)
	}
}

// TestALockOutlivesItsFile: who waits for a lock that is removed holds none, and must not hold one beside another.
func TestALockOutlivesItsFile(t *testing.T) {
	s, _ := fresh(t)
	first, err := s.lock("start-x", true)
	must(t, err)
	got := make(chan *held)
	go func() {
		l, _ := s.lock("start-x", true)
		got <- l
	}()
	must(t, first.discard())
	second := <-got
	if second == nil {
		t.Fatal("no lock")
	}
	if _, err := s.lock("start-x", false); !errors.Is(err, ErrBusy) {
		t.Errorf("two hold it: %v", err)
	}
	second.release()
}

// TestADamagedStoreCannotBePurged was so: it had to be moved away by hand.
func TestADamagedStoreCannotBePurged(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, s *Store){
		"lost table": func(t *testing.T, s *Store) { exec(t, s, `DROP TABLE sets`) },
		"later format": func(t *testing.T, s *Store) {
			exec(t, s, `PRAGMA user_version = 77`)
		},
		"lost ledger": func(t *testing.T, s *Store) { exec(t, s, `DROP TABLE sent`) },
		"overwritten": func(t *testing.T, s *Store) {
			exec(t, s, checkpoint)
			b, err := os.ReadFile(s.File())
			must(t, err)
			for i := 100; i < len(b); i += 77 {
				b[i] ^= 0x5a
			}
			must(t, os.WriteFile(s.File(), b, 0o600))
		},
		"zeros": func(t *testing.T, s *Store) {
			must(t, os.WriteFile(s.File(), append([]byte("SQLite format 3\x00"), make([]byte, 5000)...), 0o600))
		},
		"overwritten head": func(t *testing.T, s *Store) {
			exec(t, s, checkpoint)
			b, err := os.ReadFile(s.File())
			must(t, err)
			for i := 16; i < 200; i++ {
				b[i] = byte(7 * i)
			}
			must(t, os.WriteFile(s.File(), b, 0o600))
		},
		"cut off": func(t *testing.T, s *Store) {
			exec(t, s, checkpoint)
			must(t, os.Truncate(s.File(), 3000))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, Options{Create: true})
			put(t, s, identity("a", 8), 0, 10)
			damage(t, s)
			must(t, s.Close())
			l, err := s.lock(setPrefix+identity("a", 8).Key(), false)
			must(t, err)
			if _, err := Discard(ctx, dir, Options{}); !errors.Is(err, ErrBusy) {
				t.Errorf("while a run is active: %v", err)
			}
			l.release()
			p, err := Discard(ctx, dir, Options{})
			if err != nil || !p.Damaged || p.Files < 2 || p.Bytes == 0 {
				t.Errorf("%+v, %v", p, err)
			}
			nothingLeft(t, dir)
			if _, err := Discard(ctx, dir, Options{}); !errors.Is(err, ErrAbsent) {
				t.Errorf("where nothing is: %v", err)
			}
		})
	}
}

func TestDiscardLeavesWhatIsNotOurs(t *testing.T) {
	for name, head := range map[string][]byte{
		"text":            []byte("my notes"),
		"another program": slices.Concat([]byte("SQLite format 3\x00"), make([]byte, 5), []byte{64, 32, 32}, make([]byte, 44), []byte{0, 0, 0, 77}, make([]byte, 5000)),
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, FileName)
		must(t, os.WriteFile(file, head, 0o600))
		if _, err := Discard(ctx, dir, Options{}); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != string(head) {
			t.Errorf("%s was changed: %v", name, err)
		}
	}
	dir := t.TempDir() // a store that is whole
	put(t, open(t, dir, Options{Create: true}), identity("a", 2), 0, 4)
	if p, err := Discard(ctx, dir, Options{}); err != nil || p.Vectors != 4 || p.Damaged {
		t.Errorf("%+v, %v", p, err)
	}
}
