//go:build unix

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestOneFileDoesNotFillTheList(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	var noisy strings.Builder
	noisy.WriteString("package a\n\n")
	for i := range 150 {
		fmt.Fprintf(&noisy, "func wantedWord%d() { wantedWord() } // wantedWord again\n", i)
	}
	tl.write("aaa_loud.go", noisy.String())
	for _, n := range []string{"east", "north", "west", "south"} {
		tl.write("zz_"+n+".go", "package a\n\n// calls it once\nfunc go_"+n+"() { wantedWord() }\n")
	}
	tl.write("zz_home.go", "package a\n\nfunc wantedWord() {}\n")
	tl.commit()
	tl.index()
	for _, channels := range []string{"", "exact"} {
		a := tl.searchWith(ask{channels: channels}, "wantedWord")
		paths := a.paths()
		if len(paths) == 0 || paths[0] != "zz_home.go" {
			t.Errorf("[%s] the definition is not first: %v", channels, a)
		}
		for _, n := range []string{"east", "north", "west", "south"} {
			if !slices.Contains(paths, "zz_"+n+".go") {
				t.Errorf("[%s] zz_%s.go is pushed out: %v", channels, n, a)
			}
		}
		loud, more := 0, 0
		for _, h := range a.Results {
			if h.Path == "aaa_loud.go" {
				loud++
				more = max(more, h.MoreInFile)
			}
		}
		if loud > 6 || more == 0 {
			t.Errorf("[%s] %d of ten from one file, %d more are told: %v", channels, loud, more, a)
		}
	}
	// With nothing else to show, the file has all places: the cap only lets others go first.
	only := tl.searchWith(ask{paths: []string{"aaa_loud.go"}}, "wantedWord")
	if len(only.Results) != 10 {
		t.Errorf("restricted to the file: %v", only)
	}
	one := tl.with("AGENVANTAGE_SEARCH_MAX_PER_FILE=1").search("wantedWord")
	if paths := one.paths(); len(paths) != 10 || paths[1] == "aaa_loud.go" && paths[2] == "aaa_loud.go" {
		t.Errorf("a cap of one: %v", one)
	}
}

func TestScopesRestrictBeforeTheCut(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeMany(300, "crowd/c%d.py", "def acquire_session_handle_%d(): return acquire_session_handle()\n")
	tl.writeAll(files{"area/one.py": "def acquire_session_handle(): return 1\n", "area2/near.py": "def acquire_session_handle_near(): return 1\n",
		"x/area/deep.py": "def acquire_session_handle_deep(): return 1\n",
		"area.py":        "def acquire_session_handle_file(): return 1\n", "area/sub/two.go": "package sub\n\nfunc unrelatedThing() {}\n",
		"Area/upper.py": "def acquire_session_handle_upper(): return 1\n"})
	tl.commit()
	tl.index()
	for _, scope := range []string{"area", "area/", "./area", "area/**", "area/*.py", "./area/", "area//", "area/**/*.py", "are[a]/*.py", "{area,none}/*.py"} {
		for _, channels := range []string{"", "exact", "bm25f", lexical} {
			query := "session handle"
			if channels == "exact" {
				query = "acquire_session_handle"
			}
			if a := tl.searchWith(ask{channels: channels, paths: []string{scope}, topK: 3}, query); !slices.Equal(a.paths(), []string{"area/one.py"}) {
				t.Errorf("scope %s [%s]: %v", scope, channels, a)
			}
		}
	}
	for _, want := range []struct {
		k     ask
		paths []string
	}{
		{ask{paths: []string{"**/area"}}, []string{"area/one.py", "x/area/deep.py"}},
		{ask{paths: []string{"area", "area2"}}, []string{"area/one.py", "area2/near.py"}},
		{ask{paths: []string{"area.py"}}, []string{"area.py"}},
		{ask{paths: []string{"Area"}}, []string{"Area/upper.py"}},
		{ask{paths: []string{"**/*.py"}, notPaths: []string{"crowd", "x/**", "Area", "area2/near.py"}}, []string{"area.py", "area/one.py"}},
		{ask{notPaths: []string{"crowd/"}, paths: []string{"x", "crowd"}}, []string{"x/area/deep.py"}},
		{ask{langs: []string{"python"}, notPaths: []string{"crowd", "?rea*/**", "area.py"}}, []string{"x/area/deep.py"}},
	} {
		got := tl.searchWith(want.k, "session handle").paths()
		slices.Sort(got)
		if !slices.Equal(slices.Compact(got), want.paths) {
			t.Errorf("%+v: %v", want.k, got)
		}
	}
	if a := tl.searchWith(ask{langs: []string{"go"}, topK: 3}, "session handle"); len(a.Results) > 0 || a.Coverage.FilesInScope != 1 {
		t.Errorf("a language without a match: %v", a)
	}
	// A scope without files and a scope without a match are two things.
	none := tl.searchWith(ask{paths: []string{"no/such/**"}}, "session handle")
	if len(none.Results) > 0 || none.Coverage.FilesInScope != 0 || !strings.Contains(strings.Join(none.Notes, " "), "no/such/**") {
		t.Errorf("a scope that matches no file: %v", none)
	}
	empty := tl.searchWith(ask{paths: []string{"area/sub"}}, nowhere)
	if len(empty.Results) > 0 || empty.Coverage.FilesInScope != 1 || len(empty.Notes) > 0 {
		t.Errorf("a scope without a match: %v", empty)
	}
	for _, outside := range []string{"/etc", "../other", tl.path("area")} {
		o := tl.run("", append(tl.searchArgs(ask{paths: []string{outside}}), "--", "session")...)
		if o.code == 0 && outside != tl.path("area") {
			t.Errorf("a scope outside of the root: %v", o)
		}
	}
	// Kinds are a scope too.
	for _, h := range tl.searchWith(ask{kinds: []string{"function"}, topK: 20}, "acquire session handle").Results {
		if h.Kind != "function" {
			t.Errorf("--kind function: %v", h)
		}
	}
}

func TestTheSameQuestionHasTheSameBytes(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeMany(40, "pkg/a%d.py", "def same_words_here(x):\n    \"\"\"Ties all over: %d.\"\"\"\n    return x\n\nclass Same:\n    def words(self): pass\n")
	tl.writeMany(40, "doc/n%d.md", "# Same words\n\nties all over, part %d\n\n## Here\n\nwords\n")
	tl.commit()
	tl.index()
	queries := []string{"same words", "same_words_here", "Same.words", "ties all over", "what are the same words here", `"words"`, "/wor.s/",
		"pkg/a7.py", "a7.py:3"}
	k := ask{topK: 40} // explain would say how long it took
	want := tl.batch(k, questions(queries...)...)[0].printed()
	for _, procs := range []string{"1", "2", "8"} {
		if got := tl.with("GOMAXPROCS="+procs).batch(k, questions(queries...)...)[0].printed(); got != want {
			t.Errorf("GOMAXPROCS=%s: another answer:\n%.2000s\nfirst\n%.2000s", procs, got, want)
		}
	}
	for _, query := range queries[:3] {
		if a, b := tl.searchWith(k, query).printed(), tl.with("GOMAXPROCS=1").searchWith(k, query).printed(); a != b {
			t.Errorf("%q: two answers:\n%.2000s\n%.2000s", query, a, b)
		}
	}
	// Built with another number of workers and in other batches, the answers are the same.
	other := tl.storing("other").with("GOMAXPROCS=1", "AGENVANTAGE_INDEX_BATCH=7")
	other.index()
	if got := other.batch(k, questions(queries...)...)[0].substance(); got != tl.batch(k, questions(queries...)...)[0].substance() {
		t.Errorf("an index that was built otherwise answers otherwise:\n%.2000s", got)
	}
}
