package lexical

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// damages are what happens to files of an index: by hand, by a full disk, by a failing one.
var damages = map[string]func(path string) error{
	"removed":    os.Remove,
	"cut to 0":   func(path string) error { return os.Truncate(path, 0) },
	"halved":     func(path string) error { return resized(path, 2) },
	"overwrites": overwrite,
}

func resized(path string, by int64) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()/by)
}

// overwrite turns every 17th byte around.
func overwrite(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	for i := 0; i < len(content); i += 17 {
		content[i] ^= 0xff
	}
	_, err = f.WriteAt(content, 0)
	return err
}

// large is a generation of several pages: less would stay in the memory of the last page when its file is cut.
func large(t *testing.T, dir string) {
	t.Helper()
	var docs []*Document
	for i := range 600 {
		docs = append(docs, doc(MakeID(uint32(i+1), 0), fmt.Sprintf("alpha word%d other%d third%d", i, i*7, i*13), fmt.Sprintf("name%d", i)))
	}
	build(t, dir, docs)
	old := time.Now().Add(-time.Hour) // so that every change shows in the time
	files, err := os.ReadDir(dir)
	must(t, err)
	for _, f := range files {
		must(t, os.Chtimes(filepath.Join(dir, f.Name()), old, old))
	}
}

// TestSegmentsThatAreDamagedWhileTheyAreReadDoNotEndTheProcess damages each mapped file under a reader: each look-up returns, with an
// error or without, and afterwards the reader knows that it cannot be trusted. A file that is only removed is still read as it was.
func TestSegmentsThatAreDamagedWhileTheyAreReadDoNotEndTheProcess(t *testing.T) {
	for name, damaged := range damages {
		for _, extension := range []string{segmentExtension, ".bolt"} {
			t.Run(name+extension, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "lex-1")
				large(t, dir)
				r := open(t, dir)
				if r.Damaged() {
					t.Fatal("damaged before anything happened")
				}
				paths, err := filepath.Glob(filepath.Join(dir, "*"+extension))
				if err != nil || len(paths) != 1 {
					t.Fatalf("files %v, %v", paths, err)
				}
				must(t, damaged(paths[0]))
				errs := map[string]error{}
				visited := 0
				for i := range 600 {
					if err := r.Postings(FieldBody, fmt.Sprintf("word%d", i), func(uint32, int, int) { visited++ }); err != nil {
						errs["postings"] = err
					}
				}
				_, errs["ids"] = r.IDs()
				_, errs["terms"] = r.TermLines(FieldPath)
				for what, err := range errs {
					if err != nil && !errors.Is(err, ErrCorrupt) {
						t.Errorf("%s: %v", what, err)
					}
				}
				if name == "removed" && (visited != 600 || errs["ids"] != nil) {
					t.Errorf("%d of 600 postings, %v", visited, errs["ids"])
				}
				if extension == segmentExtension && name == "cut to 0" && errs["postings"] == nil {
					t.Error("look-ups in a file without content give no error")
				}
				if want := name != "removed"; r.Damaged() != want {
					t.Errorf("damaged is %v, want %v", !want, want)
				}
				if _, err := Open(dir); err == nil {
					t.Error("it can be opened")
				}
			})
		}
	}
}

// TestAWriterOnDamagedSegmentsFails damages a segment before, and after, a writer has it open: deriving and merging fail as corrupt.
func TestAWriterOnDamagedSegmentsFails(t *testing.T) {
	for name, damaged := range damages {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "lex-1")
			large(t, dir)
			segments, err := filepath.Glob(filepath.Join(dir, "*"+segmentExtension))
			must(t, err)
			must(t, damaged(segments[0]))
			if _, err := Derive(dir, filepath.Join(filepath.Dir(dir), "lex-2")); !errors.Is(err, ErrCorrupt) {
				t.Errorf("derive: %v", err)
			}
		})
	}
	t.Run("while it writes", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "lex-1")
		large(t, dir)
		w, err := Derive(dir, filepath.Join(filepath.Dir(dir), "lex-2"))
		must(t, err)
		must(t, w.Apply(nil, []*Document{doc(MakeID(9000, 0), "alpha", "n")}))
		segments, err := filepath.Glob(filepath.Join(dir, "*"+segmentExtension))
		must(t, err)
		must(t, os.Truncate(segments[0], 0)) // a hard link of the new generation's
		if err := w.Apply([]ID{MakeID(1, 0)}, nil); !errors.Is(err, ErrCorrupt) {
			t.Errorf("apply: %v", err)
		}
		if err := w.Merge(t.Context(), true); err == nil {
			t.Error("a merge of a segment without content succeeds")
		}
		w.Abandon()
	})
}

// TestAPanicOfAVisitorIsItsOwn: only the engine's panics mean that files are damaged.
func TestAPanicOfAVisitorIsItsOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lex-1")
	large(t, dir)
	r := open(t, dir)
	defer func() {
		if p := recover(); p != "mine" {
			t.Errorf("recovered %v", p)
		}
	}()
	err := r.Postings(FieldBody, "alpha", func(uint32, int, int) { panic("mine") })
	t.Errorf("no panic, %v", err)
}

// TestWrongBytesAreFoundWhenAGenerationIsOpened turns single bytes of each file around: the sums tell each of them, and words files are
// made up for.
func TestWrongBytesAreFoundWhenAGenerationIsOpened(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lex-1")
	large(t, dir)
	want := dump(t, open(t, dir))
	files, err := os.ReadDir(dir)
	must(t, err)
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		content, err := os.ReadFile(path)
		must(t, err)
		for _, at := range []int{0, len(content) / 3, len(content) - 1} {
			wrong := slices.Clone(content)
			wrong[at] ^= 0x10
			must(t, os.WriteFile(path, wrong, 0o644))
			r, err := Open(dir)
			switch {
			case filepath.Ext(f.Name()) == wordsExtension:
				if err != nil {
					t.Errorf("%s at %d: %v", f.Name(), at, err)
				} else if got := dump(t, r); !slices.Equal(got, want) {
					t.Errorf("%s at %d: %d postings, want %d", f.Name(), at, len(got), len(want))
				}
			case !errors.Is(err, ErrCorrupt):
				t.Errorf("%s at %d: %v", f.Name(), at, err)
			}
			if err == nil {
				r.Close()
			}
		}
		must(t, os.WriteFile(path, content, 0o644))
	}
	if _, err := Open(dir); err != nil {
		t.Errorf("as it was: %v", err)
	}
}

func FuzzSums(f *testing.F) {
	f.Add([]byte("0a0b0c0d 12 root.bolt\nend 00000000\n"))
	f.Add([]byte("end 00000000\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, content []byte) {
		if sums, err := parseSums(content); (sums == nil) == (err == nil) {
			t.Errorf("%v, %v", sums, err)
		}
	})
}
