//go:build unix

package e2e

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestTheFirstSearchBuildsTheIndex(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.write("a.go", "package a\n\n// Greet says hello.\nfunc Greet(name string) string { return \"hello \" + name }\n")
	tl.commit()
	if s := tl.status(); s.State != "absent" {
		t.Errorf("status before: %+v", s)
	}
	tl.refusedSearch(ask{noRefresh: true}, "Greet", "no index", "agenvantage index")
	h := tl.wantSymbol("Greet", symbolPlace{path: "a.go", start: 3, end: 4, kinds: "function", lang: "go"})
	if h.Signature == "" || !strings.Contains(h.Doc, "says hello") {
		t.Errorf("signature and doc comment: %+v", h)
	}
	s := tl.status()
	if s.State != "ready" || s.Files != 1 || s.Format < 1 || len(s.Channels) < 2 || s.DirtyCount != 0 || len(s.Languages) != 1 ||
		s.Languages[0].Lang != "go" || s.Languages[0].Parser != "grammar" {
		t.Errorf("status after: %+v", s)
	}
	for _, name := range []string{"CACHEDIR.TAG", ".gitignore"} {
		if _, err := os.Stat(tl.path(".agenvantage/" + name)); err != nil {
			t.Error(err)
		}
	}
	if out := tl.git("status", "--porcelain"); out != "" {
		t.Errorf("git sees the index: %s", out)
	}
	tl.write("b.go", "package a\n\nfunc Later() {}\n")
	tl.once("Later", "b.go") // and later searches bring it up to date
	if a := tl.searchWith(ask{noRefresh: true}, "Later"); len(a.Results) != 1 || a.Coverage.Stale {
		t.Errorf("the refresh of a search is kept: %v", a)
	}
}

func TestReportsForPeopleAreOnStdoutAndTalkOnStderr(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.write("a.py", pyFunc("human_words")+"\n# \x1b]0;title\x07 escapes_in_text\n")
	tl.commit()
	o := tl.run("", tl.flags("index")...)
	if o.code != 0 || !strings.Contains(o.stdout, "1 file") || strings.Contains(o.stdout+o.stderr, "\x1b") || strings.Contains(o.stderr, "\r") {
		t.Errorf("index: %v", o)
	}
	o = tl.run("", append(tl.flags("search"), "--", "human_words")...)
	if o.code != 0 || !strings.Contains(o.stdout, "a.py:1-2") || !strings.Contains(o.stdout, "function human_words") || strings.Contains(o.stdout, "\x1b") {
		t.Errorf("search: %v", o)
	}
	o = tl.run("", append(tl.flags("search"), "--", "escapes_in_text")...)
	if o.code != 0 || strings.ContainsAny(o.stdout, "\x1b\x07") {
		t.Errorf("a file speaks to the terminal: %q", o.stdout)
	}
	o = tl.run("", append(tl.flags("search"), "--", nowhere)...)
	if o.code != 1 || o.stdout != "" || !strings.Contains(o.stderr, "Nothing found") {
		t.Errorf("nothing found: %v", o)
	}
	for _, command := range []string{"status", "files", "version"} {
		o := tl.run("", tl.flags(command)...)
		if o.code != 0 || o.stdout == "" || o.stderr != "" {
			t.Errorf("%s: %v", command, o)
		}
	}
	for _, args := range [][]string{{"serch", "x"}, {"search"}, {"search", "--no-such-flag", "x"}, {"index", "surplus"}, {"search", "--repo",
		tl.path("nowhere"), "x"}, {"search", "--top-k", "ten", "x"}} {
		if o := tl.refused(args); !strings.HasPrefix(o.stderr, "Error: ") || !strings.Contains(o.stderr, "\nTry: ") {
			t.Errorf("%v: %q", args, o.stderr)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if o := tl.run("", "completion", shell); o.code != 0 || len(o.stdout) < 500 {
			t.Errorf("completion %s: exit status %d, %d bytes", shell, o.code, len(o.stdout))
		}
	}
}

func TestABatchAnswersEachLineInOrder(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeMany(5, "m%d.py", "def batch_word_%d(): return %d\n")
	tl.commit()
	in := `{"id": "first", "query": "batch_word_1"}` + "\n\n" + `{"id": 7, "query": "batch_word_2"}` + "\r\n" + `not json` + "\n" +
		`{"query": "` + nowhere + `"}` + "\n" + `{"id": "no query"}` + "\n" + `{"id": "last", "query": "batch_word_5"}`
	o := tl.run(in, tl.flags("search", "--batch", "-")...)
	got := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
	want := []string{`"id":"first"`, `"id":7`, `"error"`, `"id":null`, `"id":"no query"`, `"id":"last"`}
	if len(got) != len(want) || o.code != 2 {
		t.Fatalf("%d lines, want %d: %v", len(got), len(want), o)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("line %d has no %s: %.200s", i+1, want[i], got[i])
		}
	}
	if !strings.Contains(got[5], "m5.py") {
		t.Errorf("a bad line ends the batch: %.200s", got[5])
	}
	file := tl.base + "/queries.jsonl"
	writeFile(t, file, `{"id": "a", "query": "batch_word_3"}`+"\n")
	if o := tl.run("", tl.flags("search", "--batch", file)...); o.code != 0 || !strings.Contains(o.stdout, "m3.py") {
		t.Errorf("a batch from a file: %v", o)
	}
	if o := tl.run("", tl.flags("search", "--batch", "-")...); o.stdout != "" || o.code > 1 {
		t.Errorf("an empty batch: %v", o)
	}
	one := tl.batch(ask{topK: 2}, questions("batch_word_4")...)[0]
	alone := tl.searchWith(ask{topK: 2}, "batch_word_4")
	if !slices.Equal(one.paths(), alone.paths()) || one.Results[0].Score != alone.Results[0].Score {
		t.Errorf("in a batch %v, alone %v", one, alone)
	}
}

func TestStatusNamesWhatAnUpdateWouldTouch(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{"a.py": pyFunc("status_a"), "b.py": pyFunc("status_b"), "c.rb": "def status_c; end\n", "pic.png": "\x89PNG\x00"})
	tl.commit()
	tl.index()
	before := tl.status()
	tl.write("a.py", pyFunc("status_a_changed"))
	tl.remove("b.py")
	tl.write("new.py", pyFunc("status_new"))
	tl.commit()
	s := tl.status()
	dirty := slices.Clone(s.Dirty)
	slices.Sort(dirty)
	if s.State != "stale" || !slices.Equal(dirty, []string{"a.py", "b.py", "new.py"}) || s.DirtyCount != 3 ||
		s.LiveRevision == s.IndexedRevision || s.IndexedRevision != before.IndexedRevision {
		t.Errorf("%+v", s)
	}
	if s.Generation != before.Generation {
		t.Error("status changes the index")
	}
	o := tl.run("", tl.flags("files", "--skipped", "--json")...)
	if !strings.Contains(o.stdout, "pic.png") || strings.Contains(o.stdout, "a.py") {
		t.Errorf("files --skipped: %v", o)
	}
}
