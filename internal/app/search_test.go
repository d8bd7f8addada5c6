package app

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // to damage a store

	"agenvantage"
	"agenvantage/scan"
)

func TestTheFirstSearchBuilds(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")})
	if _, err := w.Search(t.Context(), SearchRequest{Query: "alpha", NoRefresh: true}, nil); !errors.Is(err, agenvantage.ErrNoIndex) {
		t.Errorf("without refresh: %v, want no index", err)
	}
	phases := []ProgressPhase{}
	r, err := w.Search(t.Context(), SearchRequest{ID: "q1", Query: "alpha"}, func(p Progress) {
		if !slices.Contains(phases, p.Phase) {
			phases = append(phases, p.Phase)
		}
	})
	if err != nil || found(r) != "a.go" || r.ID != "q1" || r.Root != w.root || r.Generation != 1 || r.ConfigHash == "" || r.Coverage.FilesIndexed != 1 || r.Coverage.Stale {
		t.Errorf("%+v, %v", r, err)
	}
	if !slices.Contains(phases, PhaseIndex) {
		t.Errorf("told of %v", phases)
	}
}

func TestSearchRefreshesAfterAnEdit(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha"), "b.go": function("beta")})
	w.ask("alpha")
	w.write(files{"a.go": function("deltaplane"), "c.go": function("gamma")})
	if err := os.Remove(w.path("b.go")); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"deltaplane": "a.go", "gamma": "c.go", "alpha": "", "beta": ""} {
		r := w.ask(query)
		got := []string{}
		for _, x := range r.Results {
			if x.Symbol == query {
				got = append(got, x.Path)
			}
		}
		if strings.Join(got, " ") != want || r.Coverage.Stale || r.Generation != 2 {
			t.Errorf("%s: %v, stale %v, generation %d; want %q", query, got, r.Coverage.Stale, r.Generation, want)
		}
	}
}

// Searches of one process that follow each other closely ask the tree once; what is shown is still compared.
func TestACloseSecondSearchMarksWhatChanged(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha"), "b.go": function("beta")})
	w.ask("alpha")
	w.checkedAt = time.Now().Add(time.Hour)
	w.write(files{"a.go": "// a longer text\n" + function("alpha")})
	if err := os.Remove(w.path("b.go")); err != nil {
		t.Fatal(err)
	}
	r := w.askAgain(SearchRequest{Query: "alpha"})
	if found(r) != "a.go" || !r.Results[0].Stale || r.Coverage.StaleReason != "files changed since they were indexed" {
		t.Errorf("%+v", r)
	}
	if r := w.askAgain(SearchRequest{Query: "beta"}); len(r.Results) != 0 || !r.Coverage.Stale {
		t.Errorf("a file that is gone: %+v", r)
	}
}

func TestTooMuchToRefreshIsSaid(t *testing.T) {
	for budget, reason := range map[string]string{"0s": "2 files changed since the index was built, more than a search brings up to date", "1ms": "2 files changed"} {
		w := newWorld(t, files{"a.go": function("alpha"), "b.go": function("beta")}, "search.refresh_timeout="+budget)
		if r := w.ask("alpha"); found(r) != "a.go" { // a first build takes its time
			t.Fatalf("%s: %+v", budget, r)
		}
		w.write(files{"a.go": function("deltaplane"), "c.go": function("gamma")})
		for range 2 { // the second search only repeats what the first found
			if r := w.askAgain(SearchRequest{Query: "beta"}); found(r) != "b.go" {
				t.Errorf("%s: %+v", budget, r)
			}
		}
		r := w.ask("alpha")
		if found(r) != "a.go" || !r.Coverage.Stale || !strings.Contains(r.Coverage.StaleReason, reason) || !r.Results[0].Stale || r.Generation != 1 {
			t.Errorf("%s: %+v", budget, r)
		}
		if r := w.askAgain(SearchRequest{Query: "alpha"}); !strings.Contains(r.Coverage.StaleReason, reason) {
			t.Errorf("%s: a moment later: %+v", budget, r.Coverage)
		}
		// What a run of the index did is known at once, to this app and to another.
		w.mustIndex()
		for _, app := range []*world{w, w.open("search.refresh_timeout=" + budget)} {
			if r := app.askAgain(SearchRequest{Query: "gamma"}); found(r) != "c.go" || r.Coverage.Stale {
				t.Errorf("%s: after an index run: %+v", budget, r)
			}
		}
	}
}

// A refresh that is begun and not finished in time leaves the last generation in place.
func TestARefreshThatTakesTooLong(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")}, "search.refresh_timeout=4ms") // one file is expected to take 3.3 ms
	w.ask("alpha")
	w.write(files{"a.go": function("deltaplane")})
	r := w.ask("deltaplane")
	switch {
	case r.Coverage.Stale && strings.Contains(r.Coverage.StaleReason, "took longer than search.refresh_timeout (4ms)") && r.Generation == 1:
	case !r.Coverage.Stale && found(r) == "a.go" && r.Generation == 2: // a fast machine
	default:
		t.Errorf("%+v", r)
	}
	if r := w.open().ask("deltaplane"); found(r) != "a.go" || r.Coverage.Stale {
		t.Errorf("with time enough: %+v", r)
	}
}

func TestSettingsThatDecideWhatIsIndexedRebuild(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha"), "rules.inc": "def rulebody():\n    pass\n"})
	w.ask("alpha")
	other := w.open("languages={inc: python}")
	if s := other.status(); s.State != "stale" || len(s.Notes) != 1 || s.DirtyCount != 0 {
		t.Errorf("status before: %+v", s)
	}
	r := other.ask("rulebody")
	if found(r) != "rules.inc" || r.Results[0].Lang != "python" || r.Results[0].Symbol != "rulebody" || r.Coverage.Stale || r.Generation < 2 {
		t.Errorf("%+v", r)
	}
	if s := other.status(); s.State != "ready" || len(s.Notes) != 0 {
		t.Errorf("status after: %+v", s)
	}
	// A setting of the ranking does not.
	if r := w.open("languages={inc: python}", "fusion.k=20").ask("alpha"); r.Generation != other.status().Generation {
		t.Errorf("generation %d", r.Generation)
	}
	// Without time for it, the old index answers.
	if r := w.open("search.refresh_timeout=0s").ask("rulebody"); !strings.HasPrefix(r.Coverage.StaleReason, "2 files changed") || found(r) != "rules.inc" {
		t.Errorf("%+v", r)
	}
}

func TestUnknownNamesListTheKnownOnes(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")})
	kinds := []string{}
	for _, k := range agenvantage.Kinds() {
		kinds = append(kinds, string(k))
	}
	for _, x := range []struct {
		request SearchRequest
		lists   []string
	}{
		{SearchRequest{Query: "a", Channels: []string{"exact", "semantics"}}, append([]string{`"semantics"`, "auto"}, Channels()...)},
		{SearchRequest{Query: "a", Filter: agenvantage.Filter{Langs: []string{"go", "klingon"}}}, append([]string{`"klingon"`}, scan.Languages()...)},
		{SearchRequest{Query: "a", Filter: agenvantage.Filter{Kinds: []agenvantage.SymbolKind{"class", "Klass"}}}, append([]string{`"Klass"`}, kinds...)},
		{SearchRequest{Query: "a", TopK: -1}, []string{"-1"}},
		{SearchRequest{Query: ""}, []string{"empty"}},
	} {
		_, err := w.Search(t.Context(), x.request, nil)
		if !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", x.request, err)
			continue
		}
		for _, name := range x.lists {
			if !strings.Contains(err.Error(), name) {
				t.Errorf("%+v: %v does not name %s", x.request, err, name)
			}
		}
	}
	for _, r := range []SearchRequest{
		{Query: "alpha", Channels: []string{"auto"}}, {Query: "alpha", Channels: []string{"bm25f"}}, {Query: "alpha", Channels: []string{"bm25f", "exact"}},
		{Query: "alpha", Filter: agenvantage.Filter{Langs: []string{"golang"}, Kinds: []agenvantage.SymbolKind{agenvantage.KindFunction}}},
	} {
		got := w.askAgain(r)
		if found(got) != "a.go" {
			t.Errorf("%+v: %+v", r, got)
		}
		names := []string{}
		for _, report := range got.Channels {
			names = append(names, report.Name)
		}
		if want := slices.DeleteFunc(Channels(), func(n string) bool {
			return len(r.Channels) > 0 && r.Channels[0] != "auto" && !slices.Contains(r.Channels, n)
		}); !slices.Equal(names, want) {
			t.Errorf("%v: reports of %v, want %v", r.Channels, names, want)
		}
	}
}

func TestATreeWithoutFiles(t *testing.T) {
	w := newWorld(t, nil)
	if r := w.ask("anything"); len(r.Results) != 0 || !strings.HasPrefix(strings.Join(r.Notes, "\n"), "no files indexed") {
		t.Errorf("%+v", r)
	}
}

// TestDamagedFactsAreBuiltAnew cuts the stored facts of every file short: the next search rebuilds and answers.
func TestDamagedFactsAreBuiltAnew(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")})
	w.mustIndex()
	databases, err := filepath.Glob(filepath.Join(w.root, ".agenvantage", "e-*", "meta.db"))
	if err != nil || len(databases) != 1 {
		t.Fatalf("%v, %v", databases, err)
	}
	db, err := sql.Open("sqlite3", databases[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE contents SET facts = x'00', text = x'00'"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	response, err := w.Search(t.Context(), SearchRequest{Query: "alpha"}, nil)
	if err != nil || len(response.Results) == 0 {
		t.Fatalf("%d results, %v", len(response.Results), err)
	}
	if !slices.ContainsFunc(response.Notes, func(n string) bool { return strings.Contains(n, "rebuilt") }) {
		t.Errorf("notes %q do not say that the index was rebuilt", response.Notes)
	}
}
