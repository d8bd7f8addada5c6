package main

import (
	"strings"
	"testing"
	"time"

	"agenvantage/internal/app"
)

func exampleChanges() app.Changes {
	return app.Changes{Location: "Store.Expire", Path: "store.go", Symbol: "Store.Expire", StartLine: 7, EndLine: 9, Revision: strings.Repeat("a", 40),
		Uncommitted: []app.UncommittedChange{{Path: "store.go", Lines: []app.LineSpan{{Start: 8, End: 8}, {Start: 10, End: 12}, {Start: 20, End: 19}}}},
		LastChange:  "2024-05-06T07:08:09Z", Total: 3,
		Commits: []app.CommitInfo{{ID: strings.Repeat("b", 40), Time: "2024-05-06T07:08:09Z", Author: "Ann", Subject: "Expire \x1b[31msooner", Files: 2}},
		Next:    strings.Repeat("b", 40), Authors: []app.AuthorInfo{{Author: "Ann", Commits: 3, Last: "2024-05-06T07:08:09Z"}},
		Cochanged: []app.CochangeInfo{{Path: "schema.sql", With: "store.go", Support: 1, Confidence: 0.5, Lift: 2}},
		Coverage:  app.HistoryCoverage{Commits: 50, Covered: 0.25, Shallow: true, Reason: "the clone is shallow"}, Notes: []string{"a note"}}
}

func exampleCochanges() app.Cochanges {
	return app.Cochanges{Paths: []string{"store.go"}, Revision: strings.Repeat("a", 40), Changed: []app.ChangedFile{{Path: "store.go", Commits: 4}},
		Partners: []app.CochangeInfo{{Path: "schema.sql", With: "store.go", Support: 3, Confidence: 0.75, Lift: 2}},
		Missing:  []string{"75% of commits that touch store.go touch schema.sql; schema.sql is not in your set"}, Coverage: app.HistoryCoverage{Commits: 50, Covered: 1}}
}

func TestChangesForForPeople(t *testing.T) {
	got := call{service: &fake{changes: exampleChanges()}}.run(t, "changes-for", "Store.Expire")
	want := `uncommitted  store.go  line 8, lines 10-12, lines deleted after 19
bbbbbbb  2024-05-06  Ann  Expire \x1b[31msooner
… of 3 commits; go on with --cursor ` + strings.Repeat("b", 40) + `

author  Ann  3 commits, last on 2024-05-06

together  schema.sql  with store.go in 1 commit, confidence 0.50, lift 2.0
`
	want = strings.Replace(want, "lines deleted after 19", "lines deleted after 20", 1)
	if got.code != exitOK || got.out != want {
		t.Errorf("exit code %d\n%s\nwant\n%s", got.code, got.out, want)
	}
	if want := "Note: a note\nNote: only a part of the history was seen: the clone is shallow\n"; got.errOut != want {
		t.Errorf("%s", got.errOut)
	}
}

func TestCochangeForPeople(t *testing.T) {
	got := call{service: &fake{cochanges: exampleCochanges()}}.run(t, "cochange", "store.go")
	want := `together  schema.sql  with store.go in 3 commits, confidence 0.75, lift 2.0

missing  75% of commits that touch store.go touch schema.sql; schema.sql is not in your set
`
	if got.code != exitOK || got.out != want || got.errOut != "" {
		t.Errorf("exit code %d\n%s\n%s", got.code, got.out, got.errOut)
	}
}

func TestNoCommitsFound(t *testing.T) {
	for _, c := range []struct {
		coverage app.HistoryCoverage
		want     string
	}{
		{app.HistoryCoverage{Commits: 50, Covered: 1}, "among all 50 commits.\n"},
		{app.HistoryCoverage{Commits: 1, Covered: 0.5, Shallow: true}, "among 1 commit of a shallow clone.\n"},
		{app.HistoryCoverage{Commits: 50, Covered: 0.25}, "among 50 commits, 25% of the history.\n"},
	} {
		for _, args := range []string{"changes-for a.go", "cochange a.go"} {
			got := call{service: &fake{changes: app.Changes{Location: "a.go", Coverage: c.coverage}, cochanges: app.Cochanges{Paths: []string{"a.go"}, Coverage: c.coverage}}}.run(t, strings.Fields(args)...)
			if got.code != exitNothing || got.out != "" && strings.TrimSpace(got.out) != "" || !strings.Contains(got.errOut, c.want) {
				t.Errorf("%s: exit code %d, %q, %q", args, got.code, got.out, got.errOut)
			}
		}
	}
}

func TestHistoryProgress(t *testing.T) {
	for _, c := range []struct {
		p    app.Progress
		want string
	}{
		{app.Progress{Phase: app.PhaseHistory}, "looking for commits"},
		{app.Progress{Phase: app.PhaseHistory, DoneFiles: 7}, "storing commits: 7"},
		{app.Progress{Phase: app.PhaseHistory, DoneFiles: 50, TotalFiles: 200}, "storing 50 of 200 commits (25%)"},
	} {
		b := &progress{now: time.Now, last: c.p}
		if got := b.text(); got != c.want {
			t.Errorf("%+v: %q", c.p, got)
		}
	}
}
