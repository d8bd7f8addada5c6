package store

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	sqlite "github.com/mattn/go-sqlite3"

	"agenvantage/embed"
)

func TestFilesAreForTheUserAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are those of Unix")
	}
	dir := filepath.Join(t.TempDir(), "a", "vectors")
	s := open(t, dir, Options{Create: true})
	put(t, s, identity("a", 2), 0, 1)
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		must(t, err)
		return info.Mode().Perm()
	}
	if m := mode(dir); m != 0o700 {
		t.Errorf("folder %o", m)
	}
	for _, name := range []string{FileName, FileName + "-wal", FileName + "-shm"} {
		if m := mode(filepath.Join(dir, name)); m != 0o600 {
			t.Errorf("%s %o", name, m)
		}
	}
	must(t, os.Chmod(s.File(), 0o644))
	open(t, dir, Options{})
	if m := mode(s.File()); m != 0o600 {
		t.Errorf("a file that others may read stays %o", m)
	}
}

func TestFilesThatAreNoStore(t *testing.T) {
	database := func(statements string) func(string) {
		return func(file string) {
			db, err := sql.Open("sqlite3", file)
			must(t, err)
			_, err = db.Exec(statements)
			must(t, err)
			must(t, db.Close())
		}
	}
	for name, c := range map[string]struct {
		make func(file string)
		is   error
	}{
		"absent":         {func(string) {}, ErrAbsent},
		"text":           {func(file string) { must(t, os.WriteFile(file, []byte("my notes"), 0o600)) }, ErrForeign},
		"folder":         {func(file string) { must(t, os.Mkdir(file, 0o700)) }, ErrForeign},
		"other database": {database(`CREATE TABLE notes (a); INSERT INTO notes VALUES (1)`), ErrForeign},
		"other program":  {database(`PRAGMA application_id = 77; CREATE TABLE notes (a)`), ErrForeign},
		"later format":   {database(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d; CREATE TABLE sets (a)`, applicationID, format+1)), ErrFormat},
		"garbage": {func(file string) {
			must(t, os.WriteFile(file, append([]byte("SQLite format 3\x00"), make([]byte, 5000)...), 0o600))
		}, ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), FileName)
			c.make(file)
			before, _ := os.ReadFile(file)
			_, err := Open(filepath.Dir(file), Options{Create: name != "absent"})
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), file) {
				t.Errorf("%v, want %v with the file", err, c.is)
			}
			if after, _ := os.ReadFile(file); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

// A process that died between making the file and filling it leaves an empty one.
func TestEmptyFileIsFilled(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, FileName), nil, 0o600))
	put(t, open(t, dir, Options{}), identity("a", 2), 0, 1)
}

// Damage is told and never passed over, since a vector that seems missing would be paid again.
func TestDamageIsTold(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, s *Store){
		"flipped bit": func(t *testing.T, s *Store) {
			exec(t, s, `UPDATE vectors SET vector = CAST(x'ff' || substr(vector, 2) AS BLOB) WHERE id = 3`)
		},
		"cut vector": func(t *testing.T, s *Store) {
			exec(t, s, `UPDATE vectors SET vector = substr(vector, 1, 7) WHERE id = 3`)
		},
		"cut hash":      func(t *testing.T, s *Store) { exec(t, s, `UPDATE chunks SET hash = x'0102' WHERE id = 3`) },
		"lost table":    func(t *testing.T, s *Store) { exec(t, s, `DROP TABLE vectors`) },
		"no dimensions": func(t *testing.T, s *Store) { exec(t, s, `UPDATE sets SET dimensions = 0`) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, Options{Create: true})
			put(t, s, identity("a", 8), 0, 10)
			damage(t, s)
			must(t, s.Close())
			s = open(t, dir, Options{})
			if _, err := s.Load(ctx, identity("a", 8).Key(), hashesOf(upTo(10)...)); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), s.File()) {
				t.Errorf("%v, want ErrCorrupt with the file", err)
			}
		})
	}
	t.Run("overwritten page", func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, dir, Options{Create: true})
		put(t, s, identity("a", 300), 0, 500)
		must(t, s.Close())
		b, err := os.ReadFile(s.File())
		must(t, err)
		for i := 2 * pageBytes; i < len(b); i += 977 {
			b[i] ^= 0x5a
		}
		must(t, os.WriteFile(s.File(), b, 0o600))
		if s, err = Open(dir, Options{}); err == nil {
			_, err = s.Load(ctx, identity("a", 300).Key(), hashesOf(upTo(500)...))
			s.Close()
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%v, want ErrCorrupt", err)
		}
	})
}

func exec(t *testing.T, s *Store, query string) {
	t.Helper()
	_, err := s.write.Exec(query)
	must(t, err)
}

func TestFileThatCannotChange(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Create: true})
	put(t, s, identity("a", 2), 0, 3)
	must(t, s.Close())
	s, err := unopened(dir, Options{})
	must(t, err)
	must(t, s.openUnwritable(sqlite.Error{Code: sqlite.ErrReadonly}))
	t.Cleanup(func() { s.Close() })
	key := identity("a", 2).Key()
	if v, err := s.Load(ctx, key, hashesOf(1)); err != nil || v.Found() != 1 || s.write != nil {
		t.Errorf("found %d: %v", v.Found(), err)
	}
	_, begin := s.Begin(key, endpoint, embed.Document, []Text{{Hash: hash(1)}})
	_, lock := s.Lock(key)
	_, purge := s.Purge(ctx, "", true)
	_, only := s.Purge(ctx, key, true)
	_, prune := s.Prune(ctx, PruneRequest{})
	for name, err := range map[string]error{"begin": begin, "lock": lock, "purge": purge, "purge of one set": only, "prune": prune, "writable": s.Writable()} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v, want ErrReadOnly", name, err)
		}
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is closed to root")
	}
	dir := t.TempDir()
	s := open(t, dir, Options{Create: true})
	put(t, s, identity("a", 2), 0, 3)
	must(t, s.Close())
	must(t, os.Chmod(dir, 0o500))
	must(t, os.Chmod(filepath.Join(dir, FileName), 0o400))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	s = open(t, dir, Options{})
	if v, err := s.Load(ctx, identity("a", 2).Key(), hashesOf(1)); err != nil || v.Found() != 1 || s.write != nil {
		t.Errorf("found %d: %v", v.Found(), err)
	}
	if _, err := s.Begin(identity("a", 2).Key(), endpoint, embed.Document, []Text{{Hash: hash(1)}}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("begin: %v", err)
	}
	if _, err := s.Lock(identity("a", 2).Key()); !errors.Is(err, ErrReadOnly) {
		t.Errorf("lock: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "deeper"), Options{Create: true}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("create: %v", err)
	}
}
