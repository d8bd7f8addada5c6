package app

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// A file that the work tree has renamed lost the history of its old name.
func TestRenameOfTheWorkTreeKeepsItsHistory(t *testing.T) {
	text := twoFunctions + strings.Repeat("// Text that makes both files alike.\n", 20)
	for _, c := range []struct {
		name   string
		rename func(w *gitWorld)
	}{
		{"staged", func(w *gitWorld) { w.git(w.root, "mv", "dir/old.go", "dir/new.go") }},
		{"staged and edited", func(w *gitWorld) {
			w.git(w.root, "mv", "dir/old.go", "dir/new.go")
			w.write(files{"dir/new.go": text + "// One more.\n"})
		}},
		{"not staged", func(w *gitWorld) {
			if err := os.Rename(w.path("dir/old.go"), w.path("dir/new.go")); err != nil {
				w.t.Fatal(err)
			}
		}},
	} {
		w := newGitWorld(t, files{"dir/old.go": strings.Replace(text, "return 1", "return 0", 1), "other.go": function("Other")})
		w.commit("Add both", nil)
		w.commit("Open better", files{"dir/old.go": text, "other.go": function("Other2")})
		w.mustIndex()
		c.rename(w)
		for _, location := range []string{"dir/new.go", "dir/old.go", "new.go"} {
			w.forgetCheck()
			got := w.changes(ChangesRequest{Location: location})
			if subjects(got) != "Open better, Add both" || len(got.Renamed) != 1 || got.Renamed[0] != (RenamedFile{"dir/new.go", "dir/old.go"}) || got.Deleted || got.Path != "dir/new.go" {
				t.Errorf("%s, %s: %s, %+v, %q", c.name, location, subjects(got), got.Renamed, got.Notes)
			}
		}
		w.forgetCheck()
		if got := w.changes(ChangesRequest{Location: "dir/new.go:4"}); subjects(got) != "Open better, Add both" {
			t.Errorf("%s, a line that changed: %s", c.name, subjects(got))
		}
		if got := w.changes(ChangesRequest{Location: "Close"}); subjects(got) != "Add both" {
			t.Errorf("%s, a symbol: %s", c.name, subjects(got))
		}
		if got := w.changes(ChangesRequest{Location: "dir"}); subjects(got) != "Open better, Add both" || len(got.Renamed) != 1 {
			t.Errorf("%s, its folder: %s, %v", c.name, subjects(got), got.Renamed)
		}
		if got := w.changes(ChangesRequest{Location: "other.go"}); len(got.Renamed) != 0 || len(got.Notes) != 0 {
			t.Errorf("%s, another file: %v %q", c.name, got.Renamed, got.Notes)
		}
		set, err := w.Cochange(t.Context(), CochangeRequest{Paths: []string{"dir/new.go"}, MinSupport: 2}, nil)
		if err != nil || len(set.Partners) != 1 || set.Partners[0].Path != "other.go" || set.Changed[0].Commits != 2 {
			t.Errorf("%s, cochange: %+v, %v", c.name, set, err)
		}
	}
}

// A path that is not in the tree any more was unknown.
func TestDeletedPathsAreAnsweredFromHistory(t *testing.T) {
	w := newGitWorld(t, files{"gone.go": function("A0"), "old/x.go": function("X"), "old/y.go": function("Y"), "stays.go": function("S0"), "deep/gone.go": function("D")})
	w.commit("Add all", nil)
	w.commit("Second", files{"gone.go": function("A1"), "stays.go": function("S1")})
	w.remove("old/x.go")
	w.remove("old/y.go")
	w.commit("Drop the old folder", nil)
	w.git(w.root, "mv", "stays.go", "here.go")
	w.commit("Move", nil)
	w.mustIndex()
	w.remove("gone.go") // not committed
	for _, c := range []struct {
		location, want, path string
		deleted              bool
		note                 string
	}{
		{"gone.go", "Second, Add all", "gone.go", true, "gone.go is removed in the work tree, and that is not committed"},
		{"./gone.go", "Second, Add all", "gone.go", true, "not committed"},
		{"gone.go:3", "Second, Add all", "gone.go", true, "lines of a path that is not in the tree are not followed"},
		{"old/x.go", "Drop the old folder, Add all", "old/x.go", true, "old/x.go is not in the tree"},
		{"old", "Drop the old folder, Add all", "old", true, "old is not in the tree"},
		{"stays.go", "Move, Second, Add all", "here.go", false, "stays.go is called here.go today"},
		{"here.go", "Move, Second, Add all", "here.go", false, ""},
		{"deep/gone.go", "Add all", "deep/gone.go", false, ""},
	} {
		w.forgetCheck()
		got := w.changes(ChangesRequest{Location: c.location})
		notes := strings.Join(got.Notes, "; ")
		if subjects(got) != c.want || got.Path != c.path || got.Deleted != c.deleted || !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: %s, path %s, deleted %v, notes %q", c.location, subjects(got), got.Path, got.Deleted, notes)
		}
	}
	for _, location := range []string{"never.go", "../gone.go", "gone.go2", "old/z.go"} {
		if _, err := w.ChangesFor(t.Context(), ChangesRequest{Location: location}, nil); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", location, err)
		}
	}
	page := w.changes(ChangesRequest{Location: "old/x.go", Max: 1})
	if next := w.changes(ChangesRequest{Location: "old/x.go", Max: 1, Cursor: page.Next}); subjects(page) != "Drop the old folder" || subjects(next) != "Add all" {
		t.Errorf("pages: %s, then %s", subjects(page), subjects(next))
	}
}

// The paths of a diff that deletes files could not be asked about as one set.
func TestCochangeOfADiffWithDeletions(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("A0"), "b.go": function("B0"), "c.go": function("C0"), "old/d.go": function("D0")})
	for i := range 3 {
		w.commit(fmt.Sprint("c", i), files{"a.go": function(fmt.Sprint("A", i)), "b.go": function(fmt.Sprint("B", i)), "old/d.go": function(fmt.Sprint("D", i))})
	}
	w.mustIndex()
	w.remove("b.go")
	w.git(w.root, "mv", "c.go", "e.go")
	diff := strings.Fields(w.git(w.root, "diff", "--name-only", "--no-renames", "HEAD"))
	if !slices.Equal(diff, []string{"b.go", "c.go", "e.go"}) {
		t.Fatalf("the diff is %q", diff)
	}
	got, err := w.Cochange(t.Context(), CochangeRequest{Paths: diff}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Paths, []string{"b.go", "e.go"}) || !got.Changed[0].Deleted || got.Changed[0].Commits != 3 || got.Changed[1].Deleted {
		t.Errorf("%q, %+v", got.Paths, got.Changed)
	}
	if len(got.Partners) != 2 || got.Partners[0].Path != "a.go" || got.Partners[0].With != "b.go" || got.Partners[1].Path != "old/d.go" {
		t.Errorf("%+v", got.Partners)
	}
	if _, err := w.Cochange(t.Context(), CochangeRequest{Paths: []string{"b.go", "ee.go"}}, nil); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a path that nothing knows: %v", err)
	} else if nearest, ok := IsUnknownLocation(err); !ok || len(nearest) == 0 || nearest[0] != "e.go" {
		t.Errorf("nearest %q: %v", nearest, err)
	}
}

// An ambiguous name was an error without candidates, and the history read locations by rules of its own.
func TestChangesForReadsLocationsAsTheGraphDoes(t *testing.T) {
	w := newGitWorld(t, files{"a/a.go": "package a\n\ntype T struct{}\n\nfunc (T) Same() {}\n", "b.go": function("Same"), "o.py": "class P:\n    def go(self):\n        pass\n\n\nclass Q(P):\n    pass\n"})
	w.commit("c0", nil)
	w.mustIndex()
	got := w.changes(ChangesRequest{Location: "Same"})
	if placesOf(got.Candidates) != "a/a.go:5 T.Same; b.go:3 Same" || len(got.Commits) != 0 || got.Total != 0 {
		t.Errorf("candidates %s, %s", placesOf(got.Candidates), subjects(got))
	}
	for _, c := range []struct{ location, path, symbol string }{
		{"T.Same", "a/a.go", "T.Same"}, {"a.T.Same", "a/a.go", "T.Same"}, {"a.go", "a/a.go", ""}, {"a.go:5", "a/a.go", ""}, {"a/a.go#L3-L5", "a/a.go", ""}, {"Q.go", "o.py", "P.go"}, {"b.Same", "b.go", "Same"},
	} {
		if got := w.changes(ChangesRequest{Location: c.location}); got.Path != c.path || got.Symbol != c.symbol || subjects(got) != "c0" || len(got.Candidates) != 0 {
			t.Errorf("%s: %s %s, %s, candidates %s", c.location, got.Path, got.Symbol, subjects(got), placesOf(got.Candidates))
		}
	}
	_, err := w.ChangesFor(t.Context(), ChangesRequest{Location: "Sane"}, nil)
	if nearest, ok := IsUnknownLocation(err); !ok || !slices.Contains(nearest, "Same") {
		t.Errorf("%q, %v", nearest, err)
	}
}
