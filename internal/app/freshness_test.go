package app

import (
	"os"
	"slices"
	"strings"
	"testing"

	"agenvantage/channels"
	"agenvantage/scan/redact"
)

// An answer without a refresh did not notice that the tree had changed.
func TestNoRefreshSaysThatTheIndexIsStale(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(w *world)
		want   string
	}{
		{"nothing", func(*world) {}, ""},
		{"a changed file", func(w *world) { w.write(files{"db/db.go": "package db\n\nfunc changed() {}\n"}) }, "1 file changed since the index was built (db/db.go)"},
		{"a new file", func(w *world) { w.write(files{"new.go": "package main\n"}) }, "1 file changed since the index was built (new.go)"},
		{"a deleted file", func(w *world) { w.remove("notes.md") }, "1 file changed since the index was built (notes.md)"},
		{"many files", func(w *world) {
			w.write(files{"e.go": "package main\n", "b.go": "package main\n", "c.go": "package main\n", "a.go": "package main\n"})
		}, "4 files changed since the index was built (a.go, b.go, c.go, …)"},
	} {
		w := newWorld(t, service)
		w.mustIndex()
		generation := w.status().Generation
		c.change(w)
		w.forgetCheck()
		n, err := w.Navigate(t.Context(), NavigateRequest{Verb: VerbCallers, Location: "lonely", NoRefresh: true}, nil)
		if err != nil || n.Coverage.Stale != (c.want != "") || !strings.HasPrefix(n.Coverage.StaleReason, c.want) || (n.Coverage.Verdict == VerdictUnknown) != (c.want != "") {
			t.Errorf("%s: callers: %+v, %v", c.name, n.Coverage, err)
		}
		w.forgetCheck()
		r := w.askAgain(SearchRequest{Query: "lonely", NoRefresh: true})
		if r.Coverage.Stale != (c.want != "") || !strings.HasPrefix(r.Coverage.StaleReason, c.want) {
			t.Errorf("%s: search: %+v", c.name, r.Coverage)
		}
		w.forgetCheck()
		m, err := w.Map(t.Context(), MapRequest{NoRefresh: true}, nil)
		if err != nil || m.Stale != (c.want != "") || !strings.HasPrefix(m.StaleReason, c.want) {
			t.Errorf("%s: map: %v %q, %v", c.name, m.Stale, m.StaleReason, err)
		}
		if after := w.status().Generation; after != generation {
			t.Errorf("%s: the comparison has written generation %d", c.name, after)
		}
	}
}

func (w *world) remove(name string) {
	w.t.Helper()
	if err := os.Remove(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

func TestOtherSettingsMakeTheIndexStale(t *testing.T) {
	w := newWorld(t, service)
	w.mustIndex()
	n, err := w.open("extract.max_chunk_chars=900").Navigate(t.Context(), NavigateRequest{Verb: VerbCallers, Location: "lonely", NoRefresh: true}, nil)
	if err != nil || !n.Coverage.Stale || !strings.Contains(n.Coverage.StaleReason, "settings or rules that decide what is indexed") {
		t.Errorf("%+v, %v", n.Coverage, err)
	}
}

// TestAnIndexOfOtherRulesOfMaskingIsMadeAnew: it may hold a secret that the rules of today would mask.
func TestAnIndexOfOtherRulesOfMaskingIsMadeAnew(t *testing.T) {
	w := newWorld(t, service)
	w.optionsHash = indexOptions(w.config, redact.Rules-1)
	w.mustIndex()
	w = w.open()
	if s := w.status(); s.State != "stale" || !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, "rules that decide") }) {
		t.Errorf("%s, %v", s.State, s.Notes)
	}
	if s := w.mustIndex(); s.Changed != len(service) {
		t.Errorf("%d of %d files were read again", s.Changed, len(service))
	}
	if s := w.mustIndex(); s.Changed != 0 {
		t.Errorf("%d files were read a third time", s.Changed)
	}
}

// A comparison that does not end in time says nothing about the index, and the answer says that.
func TestFreshnessThatWasNotCheckedIsSaid(t *testing.T) {
	w := newGitWorld(t, service, "search.refresh_timeout=1ns")
	w.commit("All", nil)
	w.mustIndex()
	const want = "whether the index is stale was not checked"
	n, err := w.Navigate(t.Context(), NavigateRequest{Verb: VerbCallers, Location: "lonely", NoRefresh: true}, nil)
	if err != nil || n.Coverage.Stale || n.Coverage.Verdict != VerdictUnknown || !strings.Contains(strings.Join(n.Coverage.Why, "; "), want) {
		t.Errorf("callers: %+v, %v", n.Coverage, err)
	}
	if r := w.askAgain(SearchRequest{Query: "lonely", NoRefresh: true}); r.Coverage.Stale || !strings.Contains(strings.Join(r.Notes, "; "), want) {
		t.Errorf("search: %+v, %q", r.Coverage, r.Notes)
	}
	if m, err := w.Map(t.Context(), MapRequest{NoRefresh: true}, nil); err != nil || m.Stale || !strings.Contains(strings.Join(m.Notes, "; "), want) {
		t.Errorf("map: %q, %v", m.Notes, err)
	}
	c, err := w.ChangesFor(t.Context(), ChangesRequest{Location: "main.go", NoRefresh: true}, nil)
	if err != nil || !strings.Contains(strings.Join(c.Notes, "; "), want) {
		t.Errorf("changes-for: %q, %v", c.Notes, err)
	}
}

// One process that asks again and again does not compare each time, and sees a change once the time has come.
func TestComparisonIsKeptForAWhile(t *testing.T) {
	w := newWorld(t, service)
	w.mustIndex()
	ask := func() bool {
		return w.askAgain(SearchRequest{Query: "Load", NoRefresh: true, Channels: []string{channels.GraphName}}).Coverage.Stale
	}
	if ask() {
		t.Fatal("stale before the change")
	}
	w.write(files{"notes.md": "# Other\n"})
	if ask() {
		t.Error("compared again at once")
	}
	w.compared.next = w.compared.at
	if !ask() {
		t.Error("not compared again")
	}
}

// The history of a commit that is not the newest any more.
func TestNoRefreshSaysThatTheHistoryIsBehind(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha")})
	w.commit("First", nil)
	w.mustIndex()
	w.commit("Second", nil) // changes no file
	c, err := w.ChangesFor(t.Context(), ChangesRequest{Location: "a.go", NoRefresh: true}, nil)
	if err != nil || !strings.Contains(strings.Join(c.Notes, "; "), "the history is that of commit ") {
		t.Errorf("%q, %v", c.Notes, err)
	}
}
