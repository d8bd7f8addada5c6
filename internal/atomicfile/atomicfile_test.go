package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// names are those of the files of a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestReplace(t *testing.T) {
	for _, c := range []struct {
		name, before, content string
		mode, want            fs.FileMode
	}{
		{"a new file", "", "new", 0, 0o600},
		{"a new file for all", "", "new", 0o644, 0o644},
		{"an old file", "old and longer", "new", 0o640, 0o640},
		{"no content", "old", "", 0, 0o600},
	} {
		file := filepath.Join(t.TempDir(), "a")
		if c.before != "" {
			if err := os.WriteFile(file, []byte(c.before), 0o444); err != nil {
				t.Fatal(err)
			}
		}
		prepared := ""
		err := Replace(file, []byte(c.content), Options{Mode: c.mode, Prepare: func(f *os.File) error {
			prepared = filepath.Ext(f.Name())
			return nil
		}})
		got, _ := os.ReadFile(file)
		info, statErr := os.Stat(file)
		if err != nil || statErr != nil || string(got) != c.content || info.Mode().Perm() != c.want || prepared != ".tmp" || len(names(t, filepath.Dir(file))) != 1 {
			t.Errorf("%s: %q, mode %v, prepared %q, files %v: %v", c.name, got, info.Mode(), prepared, names(t, filepath.Dir(file)), err)
		}
	}
}

func TestReplaceThatFailsLeavesWhatWasThere(t *testing.T) {
	refused := errors.New("refused")
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Replace(file, []byte("new"), Options{Prepare: func(*os.File) error { return refused }}); err != refused {
		t.Errorf("prepare: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(filepath.Join(dir, "folder"), []byte("new"), Options{}); err == nil {
		t.Error("a folder was replaced")
	}
	if err := Replace(filepath.Join(dir, "missing", "a"), nil, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	if got, _ := os.ReadFile(file); string(got) != "old" || len(names(t, dir)) != 2 {
		t.Errorf("left %q, files %v", got, names(t, dir))
	}
}

func TestReplaceWithATime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	at := time.Date(2001, 2, 3, 4, 5, 6, 7000, time.UTC)
	if err := Replace(file, []byte("new"), Options{Time: at}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || !info.ModTime().Equal(at) {
		t.Errorf("%v: %v, want %v", err, info.ModTime(), at)
	}
}

func TestReplaceFromWritesWhatItIsGiven(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	part := bytes.Repeat([]byte("0123456789"), writeBuffer/4) // more than a buffer in two parts, and no multiple of it
	err := ReplaceFrom(file, Options{Mode: 0o644}, func(w io.Writer) error {
		for range 3 {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
	got, readErr := os.ReadFile(file)
	if err != nil || readErr != nil || !bytes.Equal(got, bytes.Repeat(part, 3)) {
		t.Errorf("%d bytes, want %d: %v, %v", len(got), 3*len(part), err, readErr)
	}
}

func TestReplaceFromThatFailsHalfwayLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	err := ReplaceFrom(file, Options{}, func(w io.Writer) error {
		if _, err := w.Write(make([]byte, 3*writeBuffer)); err != nil {
			return err
		}
		return failed
	})
	if got, _ := os.ReadFile(file); err != failed || string(got) != "old" || len(names(t, dir)) != 1 {
		t.Errorf("%v; left %q, files %v", err, got, names(t, dir))
	}
}

func TestSyncFolder(t *testing.T) {
	dir := t.TempDir()
	if err := SyncFolder(dir); err != nil {
		t.Error(err)
	}
	if err := SyncFolder(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}
