package app

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/scan/history"
)

func corpusAt(repo, revision string) ablations.Corpus {
	return ablations.Corpus{Repo: repo, Revision: revision}
}

func variantOf(channels ...string) ablations.Variant { return ablations.Variant{Channels: channels} }

func TestCommittedLines(t *testing.T) {
	hunks := func(text string) *history.FileHunks {
		f := &history.FileHunks{}
		for s := range strings.FieldsSeq(text) {
			var h history.Hunk
			if _, err := fmt.Sscanf(s, "-%d,%d+%d,%d", &h.OldStart, &h.OldLines, &h.NewStart, &h.NewLines); err != nil {
				t.Fatal(err)
			}
			f.Hunks = append(f.Hunks, h)
		}
		return f
	}
	for _, c := range []struct {
		hunks    string
		from, to int
		want     string
	}{
		{"", 3, 5, "3-5"},
		{"-1,0+2,3", 1, 1, "1-1"}, // three lines added after the first
		{"-1,0+2,3", 2, 4, "0-0"}, // all of them new
		{"-1,0+2,3", 5, 6, "2-3"}, // behind them
		{"-1,0+2,3", 1, 5, "1-2"}, // around them
		{"-4,2+3,0", 3, 4, "3-6"}, // two lines deleted after the third
		{"-4,2+3,0", 4, 4, "6-6"}, //
		{"-2,2+2,1", 2, 2, "2-3"}, // two lines became one
		{"-2,1+2,2", 3, 3, "2-2"}, // one line became two
		{"-2,1+2,2", 4, 4, "3-3"}, //
		{"-2,1+2,1 -9,0+10,1", 1, 20, "1-19"},
		{"-0,0+1,2", 3, 3, "1-1"}, // lines added at the top
	} {
		got := committedLines(agenvantage.Span{StartLine: c.from, EndLine: c.to}, hunks(c.hunks))
		if s := fmt.Sprintf("%d-%d", got.StartLine, got.EndLine); s != c.want {
			t.Errorf("%q, lines %d-%d: got %s, want %s", c.hunks, c.from, c.to, s, c.want)
		}
	}
}

// subjects lists the commits of an answer.
func subjects(c Changes) string {
	var list []string
	for _, k := range c.Commits {
		list = append(list, k.Subject)
	}
	return strings.Join(list, ", ")
}

func (w *world) changes(r ChangesRequest) Changes {
	w.t.Helper()
	c, err := w.ChangesFor(w.t.Context(), r, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

const twoFunctions = "package p\n\nfunc Open() int {\n\treturn 1\n}\n\nfunc Close() int {\n\treturn 1\n}\n"

func TestChangesFor(t *testing.T) {
	w := newGitWorld(t, files{"old.go": twoFunctions, "dir/x.go": function("X")})
	w.commit("Add both", nil)
	w.commit("Close faster", files{"old.go": strings.Replace(twoFunctions, "Close() int {\n\treturn 1", "Close() int {\n\treturn 2", 1)})
	w.git(w.root, "mv", "old.go", "new.go")
	w.commit("Move", nil)
	w.commit("X alone", files{"dir/x.go": function("X2")})
	text := strings.Replace(twoFunctions, "Close() int {\n\treturn 1", "Close() int {\n\treturn 2", 1)
	for _, c := range []struct{ location, want string }{
		{"new.go", "Move, Close faster, Add both"},
		{"./new.go", "Move, Close faster, Add both"},
		{"dir", "X alone, Add both"},
		{"dir/", "X alone, Add both"},
		{".", "X alone, Move, Close faster, Add both"},
		{"Close", "Close faster, Add both"},
		{"Open", "Add both"},
		{"new.go:8", "Close faster, Add both"},
		{"new.go:3-5", "Add both"},
	} {
		w.forgetCheck()
		if got := w.changes(ChangesRequest{Location: c.location}); subjects(got) != c.want || got.Total != len(got.Commits) || len(got.Uncommitted) != 0 || got.Coverage.Covered != 1 {
			t.Errorf("%s: got %s of %d, uncommitted %v, want %s", c.location, subjects(got), got.Total, got.Uncommitted, c.want)
		}
	}
	// Lines move with what is not committed yet.
	w.write(files{"new.go": "// One.\n// Two.\n" + text})
	w.forgetCheck()
	if got := w.changes(ChangesRequest{Location: "new.go:10"}); subjects(got) != "Close faster, Add both" || len(got.Uncommitted) != 0 {
		t.Errorf("moved lines: %s, %v", subjects(got), got.Uncommitted)
	}
	if got := w.changes(ChangesRequest{Location: "new.go:1-2"}); got.Total != 0 || len(got.Uncommitted) != 1 || got.Uncommitted[0].Lines[0] != (LineSpan{1, 2}) {
		t.Errorf("new lines: %s, %v", subjects(got), got.Uncommitted)
	}
	got := w.changes(ChangesRequest{Location: "new.go"})
	if len(got.Authors) != 1 || got.Authors[0].Author != "Ann" || got.Authors[0].Commits != 3 || got.LastChange != "2023-11-16T22:13:20Z" || got.Authors[0].Last != got.LastChange {
		t.Errorf("%+v, last %s", got.Authors, got.LastChange)
	}
}

func TestChangesForPages(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("A0")})
	w.commit("c0", nil)
	for i := 1; i < 7; i++ {
		w.commit(fmt.Sprint("c", i), files{"a.go": function(fmt.Sprint("A", i))})
	}
	var pages []string
	cursor := ""
	for range 10 {
		c := w.changes(ChangesRequest{Location: "a.go", Max: 3, Cursor: cursor})
		pages = append(pages, subjects(c))
		if cursor = c.Next; cursor == "" {
			break
		}
		if len(pages) == 1 { // what is committed meanwhile does not move the pages
			w.commit("late", files{"a.go": function("Late")})
			w.forgetCheck()
		}
	}
	if got := strings.Join(pages, " | "); got != "c6, c5, c4 | c3, c2, c1 | c0" {
		t.Errorf("%s", got)
	}
	one := w.changes(ChangesRequest{Location: "a.go", MaxTokens: 1})
	if subjects(one) != "late" || one.Next == "" {
		t.Errorf("one token: %s", subjects(one))
	}
	some := w.changes(ChangesRequest{Location: "a.go", MaxTokens: 60})
	if len(some.Commits) < 2 || len(some.Commits) > 5 || some.Next != some.Commits[len(some.Commits)-1].ID {
		t.Errorf("sixty tokens: %s", subjects(some))
	}
	if pasted := w.changes(ChangesRequest{Location: "../a.go", Max: 1}); subjects(pasted) != "late" || !strings.Contains(strings.Join(pasted.Notes, "; "), "../a.go was taken for a.go") {
		t.Errorf("a path of another folder: %s, %v", subjects(pasted), pasted.Notes)
	}
	for _, r := range []ChangesRequest{{Location: "a.go", Cursor: "x"}, {Location: "a.go", Max: -1}, {Location: "a.go:0"}, {Location: "a.go:9"}, {Location: "a.go:2-1"}, {Location: ""}, {Location: "b.go"}, {Location: "../b.go"}} {
		if _, err := w.ChangesFor(t.Context(), r, nil); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// a.go: five commits that count; b.go is in four of them, c.go in two; d.go comes with the sweep only.
func TestCochange(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("A0"), "b.go": function("B0"), "c.go": function("C0"), "d.go": function("D0")}, "provenance.max_files=3")
	w.commit("sweep", nil) // four files
	for i := 1; i <= 5; i++ {
		fs := files{"a.go": function(fmt.Sprint("A", i))}
		if i <= 4 {
			fs["b.go"] = function(fmt.Sprint("B", i))
		}
		if i >= 4 {
			fs["c.go"] = function(fmt.Sprint("C", i))
		}
		w.commit(fmt.Sprint("c", i), fs)
	}
	w.commit("c alone", files{"c.go": function("C9")})
	got, err := w.Cochange(t.Context(), CochangeRequest{Paths: []string{"a.go"}, MinSupport: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Six commits count. b: 4 of a's 5; it is in 4 of 6: lift 0.8 / (4/6) = 1.2. c: 2 of 5, in 3 of 6: 0.4 / 0.5 = 0.8.
	want := []CochangeInfo{{"b.go", "a.go", 4, 0.8, 1.2}, {"c.go", "a.go", 2, 0.4, 0.8}}
	for i := range got.Partners { // floats are compared as they are shown
		got.Partners[i].Lift = math.Round(1000*got.Partners[i].Lift) / 1000
	}
	if !slices.Equal(got.Partners, want) {
		t.Errorf("%+v", got.Partners)
	}
	if len(got.Missing) != 1 || got.Missing[0] != "80% of commits that touch a.go touch b.go; b.go is not in your set" {
		t.Errorf("%q", got.Missing)
	}
	if got.Changed[0].Commits != 5 || got.Coverage.Commits != 7 {
		t.Errorf("%+v, %+v", got.Changed, got.Coverage)
	}
	if got, err = w.Cochange(t.Context(), CochangeRequest{Paths: []string{"a.go"}}, nil); err != nil || len(got.Partners) != 1 {
		t.Errorf("the default support of three: %+v, %v", got.Partners, err)
	}
	if got, err = w.Cochange(t.Context(), CochangeRequest{Paths: []string{"a.go", "b.go", "a.go"}, MinSupport: 1}, nil); err != nil || len(got.Paths) != 2 || len(got.Partners) != 1 || got.Partners[0].With != "a.go" {
		t.Errorf("a set: %+v, %v", got, err)
	}
	for _, r := range []CochangeRequest{{}, {Paths: []string{"none.go"}}, {Paths: []string{"a.go"}, MinSupport: -1}} {
		if _, err := w.Cochange(t.Context(), r, nil); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}
