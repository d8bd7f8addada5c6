package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/index"
	"agenvantage/server"
)

// indexDamages are what happens to the files of an index while somebody has them open.
var indexDamages = []struct {
	name   string
	damage func(path string) error
}{
	{"removed", os.Remove},
	{"cut to 0", func(path string) error { return os.Truncate(path, 0) }},
	{"halved", func(path string) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return os.Truncate(path, info.Size()/2)
	}},
	{"overwritten", func(path string) error {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		for i := 0; i < len(content); i += 97 {
			content[i] ^= 0x55
		}
		_, err = f.WriteAt(content, 0)
		return errors.Join(err, f.Close())
	}},
}

// largeStore is a tree whose index has more than a page of each kind.
func largeStore() files {
	fs := files{}
	for name, text := range store {
		fs[name] = text
	}
	for i := range 24 {
		var b strings.Builder
		fmt.Fprintf(&b, "package shop\n\n")
		for j := range 12 {
			fmt.Fprintf(&b, "// Item%dx%d is article %d of shelf %d.\nfunc Item%dx%d() int { return Total([]int{%d, %d}) }\n\n", i, j, j, i, i, j, i*31+j, j)
		}
		fs[fmt.Sprintf("shelf%d.go", i)] = b.String()
	}
	return fs
}

// questions are asked of a damaged index, with what comes back of each.
func questions(t *testing.T, s *Service) (answers map[string]string, err error) {
	t.Helper()
	answers = map[string]string{}
	asked := map[string]string{"search": `{"query":"Item7x3"}`, "symbol": `{"name":"Total","relation":"callers"}`, "pack": `{"task":"Total is wrong","budget":2000}`,
		"read": `{"location":"cart.go"}`, "map": `{"budget":500}`, "files": `{}`, "status": `{}`}
	for _, name := range slices.Sorted(maps.Keys(asked)) { // status comes late: it tells of an index that is gone, and makes none
		a, e := askFor(t, s, name, asked[name], server.Limits{}, nil)
		if e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", name, e))
			continue
		}
		v := object(t, a.Value)
		switch name {
		case "search":
			v = map[string]any{"results": v["results"]}
		case "pack":
			v = map[string]any{"blocks": v["blocks"]}
		case "status":
			v = map[string]any{"state": v["state"], "files": v["files"], "symbols": v["symbols"]}
		case "symbol", "read":
			v = map[string]any{"items": v["items"]}
		case "map":
			v = map[string]any{"landmarks": v["landmarks"]}
		}
		answers[name] = fmt.Sprint(v)
	}
	return answers, err
}

// ageFiles gives the files of the index a time that shows each later change, on systems that keep times in steps.
func ageFiles(t *testing.T, dir string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, old, old)
	}); err != nil {
		t.Fatal(err)
	}
}

// TestADamagedIndexIsMendedWhileServing damages each file of an index under a service that has it open, while other calls ask: the
// process lives on, and the next answers are those of before. A damaged shared memory or segment ended the server; a lost log, and any
// damage where nothing was to be brought up to date, was an internal error for ever.
func TestADamagedIndexIsMendedWhileServing(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the index some twenty times")
	}
	all := []string{"removed", "cut to 0", "halved", "overwritten"}
	kinds := []struct {
		file    string
		damages []string
	}{{"manifest.json", all[:3]}, {"meta.db", all}, {"meta.db-wal", all[:2]}, {"meta.db-shm", all[:3]}, {"root.bolt", all[2:]}, {"sums", all[:1]}, {"*.zap", all},
		{"*.body.words", all[3:]}, {mapFile, all[2:3]}}
	s, w := served(t, largeStore())
	s.mustBuild(t)
	w.write(files{"late.go": "package shop\n\nfunc Late() int { return Total(nil) }\n"}) // what is written beside an open reader is in the log
	mustAsk(t, s, "search", `{"query":"Late"}`)
	want, err := questions(t, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		kind := k.file
		for _, d := range indexDamages {
			if !slices.Contains(k.damages, d.name) {
				continue
			}
			t.Run(kind+" "+d.name, func(t *testing.T) {
				dir := w.index.Dir()
				paths, err := filepath.Glob(filepath.Join(dir, kind))
				for _, below := range []string{"e-*", "e-*/lex-*"} {
					more, e := filepath.Glob(filepath.Join(dir, below, kind))
					paths, err = append(paths, more...), errors.Join(err, e)
				}
				if err != nil {
					t.Fatal(err)
				}
				if len(paths) == 0 {
					t.Skip("there is none")
				}
				ageFiles(t, dir)
				ctx, stop := context.WithCancel(t.Context())
				var asking sync.WaitGroup
				asking.Go(func() {
					for ctx.Err() == nil {
						_, _ = s.Answer(ctx, server.Call{Operation: "search", Arguments: &server.SearchArguments{Query: "article of shelf"}})
					}
				})
				err = d.damage(slices.Max(paths))
				s.app.keeper.newestAt = time.Time{} // as if a second had passed
				got, failed := questions(t, s)
				stop()
				asking.Wait()
				if err != nil || failed != nil {
					t.Fatalf("%v, %v", err, failed)
				}
				for name, answer := range got {
					if answer != want[name] {
						t.Errorf("%s answers\n%.600s\nwant\n%.600s", name, answer, want[name])
					}
				}
			})
		}
	}
}

// TestAnIndexThatIsRemovedWhileServingIsMadeAnew: without a watch it was never made again.
func TestAnIndexThatIsRemovedWhileServingIsMadeAnew(t *testing.T) {
	s, w := served(t, store)
	if _, err := askFor(t, s, "map", `{}`, server.Limits{}, nil); !errors.Is(err, agenvantage.ErrNoIndex) {
		t.Errorf("before the first build: %v", err)
	}
	s.mustBuild(t)
	want, err := questions(t, s)
	if err != nil {
		t.Fatal(err)
	}
	for name, remove := range map[string]func() error{
		"folder":  func() error { return removeBusy(w.index.Dir()) },
		"content": func() error { return os.Remove(filepath.Join(w.index.Dir(), "manifest.json")) },
		"clean": func() error {
			other, err := index.Open(w.index.Dir())
			if err != nil {
				return err
			}
			_, err = other.Remove(t.Context())
			return err
		},
	} {
		if err := remove(); err != nil {
			t.Fatal(err)
		}
		s.app.keeper.newestAt = time.Time{}
		got, err := questions(t, s)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s removed: %v\n%v\nwant\n%v", name, err, got, want)
		}
		if _, err := os.Stat(filepath.Join(w.index.Dir(), "manifest.json")); err != nil {
			t.Errorf("%s removed: %v", name, err)
		}
	}
}

// TestATreeThatIsGoneIsNoInternalError: the answer was the text of git, and an index run made the folder again.
func TestATreeThatIsGoneIsNoInternalError(t *testing.T) {
	s, w := served(t, store)
	s.mustBuild(t)
	moved := w.root + "-moved"
	check := func(when string) {
		t.Helper()
		for name, arguments := range map[string]string{"search": `{"query":"Total"}`, "map": `{}`, "status": `{}`, "files": `{}`, "read": `{"location":"cart.go"}`} {
			if _, err := askFor(t, s, name, arguments, server.Limits{}, nil); server.ErrorKind(err) != "root_gone" || !strings.Contains(err.Error(), w.root) {
				t.Errorf("%s: %s: %v", when, name, err)
			}
		}
		if err := s.Build(t.Context(), func(server.Progress) {}); !errors.Is(err, agenvantage.ErrRootGone) {
			t.Errorf("%s: build: %v", when, err)
		}
		if g := s.Generation(t.Context()); g != 0 {
			t.Errorf("%s: generation %d", when, g)
		}
	}
	if err := os.Rename(w.root, moved); err != nil {
		t.Fatal(err)
	}
	check("moved")
	if _, err := os.Stat(w.root); err == nil {
		t.Error("the folder was made again")
	}
	if err := os.Mkdir(w.root, 0o755); err != nil {
		t.Fatal(err)
	}
	check("another folder")
	if err := errors.Join(os.Remove(w.root), os.Rename(moved, w.root)); err != nil {
		t.Fatal(err)
	}
	mustAsk(t, s, "search", `{"query":"Total"}`)
}

// TestAWatchOfATreeThatIsGoneSaysSo: it was an internal error.
func TestAWatchOfATreeThatIsGoneSaysSo(t *testing.T) {
	w := newWorld(t, store)
	err := w.Watch(t.Context(), WatchOptions{Poll: time.Millisecond, Report: func(e WatchEvent) {
		if e.Event == WatchUpdated {
			_ = os.RemoveAll(w.root)
		}
	}})
	if !errors.Is(err, agenvantage.ErrRootGone) || !strings.Contains(err.Error(), w.root) {
		t.Errorf("it ends with %v", err)
	}
}

// TestARootThatIsNoFolderIsRefused: a server started on a file, and failed with each call.
func TestARootThatIsNoFolderIsRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{file, filepath.Join(dir, "none"), filepath.Join(file, "below")} {
		if _, err := ResolveRoot(root); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), root) {
			t.Errorf("%s: %v", root, err)
		}
	}
}

// TestCallsShareOneRestore: calls that fail side by side make the index anew once, and a call that began before joins it.
func TestCallsShareOneRestore(t *testing.T) {
	s, w := served(t, store)
	s.mustBuild(t)
	began := time.Now()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if again, err := s.app.mend(t.Context(), began, index.ErrCorrupt, false, nil); again == "" || err != nil {
				t.Errorf("%q, %v", again, err)
			}
		})
	}
	all.Wait()
	status := w.status()
	if status.Generation != 2 {
		t.Errorf("generation %d, want 2: one rebuild", status.Generation)
	}
}

// removeBusy removes a folder into which a server may still write: what it puts back meanwhile is removed as well.
func removeBusy(dir string) error {
	var err error
	for start := time.Now(); time.Since(start) < 20*time.Second; {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
	}
	return err
}
