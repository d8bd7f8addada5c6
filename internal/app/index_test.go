package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

func TestIndexSummary(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha"), "b.py": "def beta():\n    pass\n", "c.bin": "\x00\x01\x02"})
	s := w.mustIndex()
	if s.Root != w.root || s.IndexDir != w.path(".agenvantage") || s.Files != 2 || s.Symbols != 2 || s.Chunks < 2 || s.Changed != 2 || s.Generation != 1 || s.Skipped[agenvantage.SkipBinary] != 1 || s.IndexBytes == 0 {
		t.Errorf("%+v", s)
	}
	if s := w.mustIndex(); s.Changed != 0 || s.Generation != 1 {
		t.Errorf("again: %+v", s)
	}
	if s, err := w.Index(t.Context(), true, nil); err != nil || s.Files != 2 || s.Generation != 2 {
		t.Errorf("by force: %+v, %v", s, err)
	}
}

func TestFilesMergesWhatIsInAndWhatIsOut(t *testing.T) {
	w := newWorld(t, files{
		"a.bin": "\x00\x01\x02", "b.go": function("beta"), "big.txt": strings.Repeat("text ", 400), "c/one.py": "def one():\n    pass\n", "c/two.bin": "\x00\x00", "c.go": function("gamma"), "z.bin": "\x00\x01",
	}, "scan.max_file_bytes=1000")
	if _, err := w.Files(t.Context()); !errors.Is(err, agenvantage.ErrNoIndex) {
		t.Errorf("without an index: %v", err)
	}
	w.mustIndex()
	list, err := w.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range list {
		s := fmt.Sprintf("%s %s %d", f.Path, strings.TrimSpace(f.Lang+" "+string(f.Parse)+string(f.Reason)), f.Size)
		if f.State == "skipped" {
			s = strings.Replace(s, " ", " skipped ", 1)
		}
		if f.Limit > 0 {
			s += fmt.Sprintf("/%d", f.Limit)
		}
		got = append(got, s)
	}
	want := []string{"a.bin skipped binary 3", "b.go go parsed 26", "big.txt skipped too_large 2000/1000", "c.go go parsed 27", "c/one.py python parsed 20", "c/two.bin skipped binary 2", "z.bin skipped binary 2"}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !slices.IsSortedFunc(list, func(a, b FileStatus) int { return strings.Compare(a.Path, b.Path) }) {
		t.Error("not in the order of paths")
	}
}

func TestStatusSaysTheState(t *testing.T) {
	fs := files{}
	for i := range 30 {
		fs[fmt.Sprintf("f%02d.go", i)] = function(fmt.Sprintf("function%d", i))
	}
	w := newWorld(t, fs, "index.batch=1", "index.workers=1")
	want := func(state string, dirty ...string) Status {
		t.Helper()
		s := w.status()
		if s.State != state || !slices.Equal(s.Dirty, dirty) || s.DirtyCount != len(dirty) {
			t.Errorf("%s, dirty %v (%d); want %s, %v", s.State, s.Dirty, s.DirtyCount, state, dirty)
		}
		return s
	}
	want("absent")
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := w.Index(ctx, false, func(p Progress) {
		if p.Phase == PhaseIndex && p.DoneFiles > 0 {
			cancel()
		}
	}); !errors.Is(err, context.Canceled) {
		t.Fatalf("a build that was cancelled: %v", err)
	}
	want("incomplete")
	if _, err := w.Files(t.Context()); !errors.Is(err, agenvantage.ErrIncomplete) {
		t.Errorf("files of an incomplete index: %v", err)
	}
	w.mustIndex()
	s := want("ready")
	if s.Files != 30 || s.Symbols != 30 || s.Generation != 1 || len(s.Channels) != len(makers) || s.Channels[1].Items != s.Chunks || len(s.Languages) != 1 || s.Languages[0].Parser != "grammar" || s.AgeS < 0 {
		t.Errorf("%+v", s)
	}
	w.write(files{"f03.go": function("functionLonger"), "new.go": function("functionNew")})
	if err := os.Remove(w.path("f07.go")); err != nil {
		t.Fatal(err)
	}
	want("stale", "f03.go", "f07.go", "new.go")
	// What another process did is seen.
	w.open("index.batch=1", "index.workers=1").mustIndex()
	if s := want("ready"); s.Generation != 2 {
		t.Errorf("generation %d", s.Generation)
	}
}

func TestStatusNamesAtMostAHundredPaths(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")})
	w.mustIndex()
	fs := files{}
	for i := range maxDirtyListed + 20 {
		fs[fmt.Sprintf("n%03d.go", i)] = "package p\n"
	}
	w.write(fs)
	if s := w.status(); len(s.Dirty) != maxDirtyListed || s.DirtyCount != maxDirtyListed+20 {
		t.Errorf("%d paths, %d counted", len(s.Dirty), s.DirtyCount)
	}
}

func TestClean(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")})
	if s, err := w.Clean(t.Context()); err != nil || s.Removed {
		t.Errorf("nothing to remove: %+v, %v", s, err)
	}
	w.ask("alpha")
	s, err := w.Clean(t.Context())
	if _, stat := os.Stat(w.path(".agenvantage")); err != nil || !s.Removed || s.Bytes == 0 || !errors.Is(stat, os.ErrNotExist) {
		t.Errorf("%+v, %v, %v", s, err, stat)
	}
	if s := w.status(); s.State != "absent" {
		t.Errorf("status: %s", s.State)
	}
	// The next search builds again, also within the second in which searches do not look.
	if r := w.askAgain(SearchRequest{Query: "alpha"}); found(r) != "a.go" {
		t.Errorf("%+v", r)
	}
}

func TestCleanRefusesWhatIsNoIndex(t *testing.T) {
	folder := t.TempDir()
	note := folder + "/notes.txt"
	if err := os.WriteFile(note, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, files{"a.go": function("alpha")}, "index_dir="+folder)
	if _, err := w.Index(t.Context(), false, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("index into a folder of somebody's files: %v", err)
	}
	if _, err := w.Clean(t.Context()); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("%v", err)
	}
	// A file of someone else beside an index is enough.
	if err := os.Remove(note); err != nil {
		t.Fatal(err)
	}
	w.mustIndex()
	if err := os.WriteFile(note, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Clean(t.Context()); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("%v", err)
	}
	if b, err := os.ReadFile(note); err != nil || string(b) != "mine" {
		t.Errorf("%q, %v", b, err)
	}
	if r := w.ask("alpha"); found(r) != "a.go" {
		t.Errorf("%+v", r)
	}
}
