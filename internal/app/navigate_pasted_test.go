package app

import (
	"errors"
	"strings"
	"testing"

	"agenvantage"
)

// A place of another machine, of a message or of a code host was an unknown location.
func TestAPastedPlaceIsALocation(t *testing.T) {
	w := newWorld(t, files{"tree.go": "package m\n\nfunc A() {}\n\nfunc B() {}\n", "x/leaf.go": "package x\n\nfunc C() {}\n", "y/leaf.go": "package y\n\nfunc D() {}\n"})
	for _, c := range []struct{ location, want, note string }{
		{"tree.go:3", "tree.go:3", ""},
		{"tree.go(3,1)", "tree.go:3", ""},
		{"tree.go:L3-L5", "tree.go:3", ""},
		{"/home/other/proj/tree.go:3", "tree.go:3", "/home/other/proj/tree.go:3 was taken for tree.go:3"},
		{"../tree.go:3-5", "tree.go:3", "../tree.go:3-5 was taken for tree.go:3-5"},
		{`C:\proj\tree.go:3`, "tree.go:3", `C:\proj\tree.go:3 was taken for tree.go:3`},
		{"./tree.go:3:6: undefined: foo", "tree.go:3", "./tree.go:3:6: undefined: foo was taken for tree.go:3"},
		{`File "x/leaf.go", line 3, in f`, "x/leaf.go:3", `File "x/leaf.go", line 3, in f was taken for x/leaf.go:3`},
		{"https://github.com/o/r/blob/main/y/leaf.go#L3", "y/leaf.go:3", "https://github.com/o/r/blob/main/y/leaf.go#L3 was taken for y/leaf.go:3"},
		{"at leaf.go:3", "", ""},
	} {
		n := w.navigate(NavigateRequest{Verb: VerbRead, Location: c.location})
		if c.want == "" {
			if got := placesOf(n.Candidates); got != "x/leaf.go:3 C; y/leaf.go:3 D" {
				t.Errorf("%s: candidates %q", c.location, got)
			}
			continue
		}
		if got := placesOf(n.Items); got != c.want || strings.Join(n.Notes, "; ") != c.note {
			t.Errorf("%s: %q, notes %q", c.location, got, n.Notes)
		}
	}
	for location, want := range map[string]string{
		"/home/other/leaf.go:3":      "unknown location", // the whole path of no file
		"/home/other/tree.go:99":     "tree.go has 5 lines",
		"/home/other/tree.go:0":      "names no lines",
		"https://example.org/a.html": "unknown location",
	} {
		w.forgetCheck()
		if _, err := w.Navigate(t.Context(), NavigateRequest{Verb: VerbRead, Location: location}, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", location, err, want)
		}
	}
}
