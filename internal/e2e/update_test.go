//go:build unix

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// identity matches what names an index and its settings, and nothing in it.
var identity = regexp.MustCompile(`"(generation|config_hash)":("\w+"|\d+)`)

// printed is what the command printed, byte for byte: no clock is in it.
func (a answer) printed() string { return a.run.stdout }

// substance is what the command printed without what names the index.
func (a answer) substance() string { return identity.ReplaceAllString(a.printed(), `"$1":0`) }

// equalsFresh wants the index, brought up to date, to be what a build from nothing gives: the same file table, the same
// counts, and byte for byte the same answers.
func (tl *tool) equalsFresh(queries ...string) {
	tl.t.Helper()
	fresh := tl.storing(fmt.Sprintf("fresh-%d", time.Now().UnixNano()))
	updated, built := tl.index(), fresh.index()
	counts := func(s indexSummary) string { return fmt.Sprint(s.Files, s.Chunks, s.Symbols, s.Masked, s.Skipped) }
	if counts(updated) != counts(built) {
		tl.t.Errorf("updated index %+v, fresh index %+v", updated, built)
	}
	if a, b := fmt.Sprint(tl.fileTable()), fmt.Sprint(fresh.fileTable()); a != b {
		tl.t.Errorf("file table after an update\n%s\nof a fresh index\n%s", a, b)
	}
	for _, k := range []ask{{topK: 30}, {channels: "exact", topK: 30}, {channels: "bm25f", topK: 30}} {
		old, anew := tl.batch(k, questions(queries...)...), fresh.batch(k, questions(queries...)...)
		for i := range queries {
			a, b := strings.Split(old[i].substance(), "\n")[i], strings.Split(anew[i].substance(), "\n")[i]
			if a != b {
				tl.t.Errorf("[%s] %q: updated\n%.1500s\nfresh\n%.1500s", k.channels, queries[i], a, b)
			}
		}
	}
}

func TestBranchSwitchesLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeMany(40, "g%02d.go", "package g\n\nfunc TrunkSide%d() {}\n")
	tl.commit()
	tl.git("checkout", "-q", "-b", "topic")
	tl.writeMany(40, "g%02d.go", "package g\n\nfunc TopicSide%d() {}\n")
	tl.remove("g02.go")
	tl.write("added/extra.go", "package added\n\nfunc OnlyOnTopic() {}\n")
	tl.rename("g03.go", "renamed03.go")
	tl.commit()
	tl.git("checkout", "-q", "main")
	tl.index()
	tl.find("TrunkSide25", "g25.go")
	flip := func(last string) {
		for range 4 {
			tl.git("checkout", "-q", "topic")
			tl.git("checkout", "-q", "main")
		}
		tl.git("checkout", "-q", last)
	}
	queries := []string{"TopicSide25", "TrunkSide25", "OnlyOnTopic", "package g", "TopicSide3", "side func"}
	flip("topic")
	tl.index()
	tl.find("TopicSide25", "g25.go")
	tl.find("TopicSide3", "renamed03.go")
	tl.find("OnlyOnTopic", "added/extra.go")
	tl.lacks("TrunkSide25", "TrunkSide2", "TopicSide2()")
	tl.equalsFresh(queries...)
	flip("main")
	tl.find("TrunkSide2", "g02.go") // the search itself notices
	tl.lacks("OnlyOnTopic", "TopicSide25")
	if got := len(tl.indexed()); got != 40 {
		t.Errorf("%d files, want 40", got)
	}
	tl.equalsFresh(queries...)
	if s := tl.status(); s.IndexedRevision != strings.TrimSpace(tl.git("rev-parse", "HEAD")) || s.State != "ready" {
		t.Errorf("after the switches: %+v", s)
	}
}

func TestDeletedFilesAreNotReturned(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{"old/a.py": "def leaving_a():\n    return leaving_b()\n", "old/b.py": pyFunc("leaving_b"), "stay.py": pyFunc("before_rename"),
		"moved.py": pyFunc("on_the_move")})
	tl.commit()
	tl.index()
	tl.find("leaving_a", "old/a.py")
	tl.remove("old")
	tl.write("emptied.py", "")
	tl.write("stay.py", pyFunc("after_rename"))
	tl.rename("moved.py", "elsewhere.py")

	// Without bringing the index up to date: what is gone is not shown, what changed is marked.
	for _, word := range []string{"leaving_a", "before_rename", "on_the_move"} {
		a := tl.searchWith(ask{noRefresh: true}, word)
		for _, h := range a.Results {
			if _, err := os.Stat(tl.path(h.Path)); err != nil || !h.Stale && strings.Contains(h.Text, "before_rename") {
				t.Errorf("%v is shown as if it were there", h)
			}
		}
		if !a.Coverage.Stale {
			t.Errorf("%q: the answer is not marked stale: %v", word, a)
		}
	}
	if s := tl.status(); s.State != "stale" || s.DirtyCount < 5 || !slices.Contains(s.Dirty, "stay.py") {
		t.Errorf("status of a changed tree: %+v", s)
	}
	tl.index()
	tl.lacks("leaving_a", "leaving_b", "before_rename")
	tl.find("after_rename", "stay.py")
	tl.once("on_the_move", "elsewhere.py")
	tl.wantIndexed("elsewhere.py", "emptied.py", "stay.py")
	tl.equalsFresh("leaving_a", "after_rename", "on_the_move", "return def")
	if s := tl.index(); s.Changed != 0 {
		t.Errorf("an unchanged tree has %d changed files", s.Changed)
	}
}

// A file may change without its size, and without the second of its time.
func TestQuickEditsOfTheSameSizeAreNoticed(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.write("tick.py", pyFunc("value_0"))
	tl.commit()
	tl.index()
	for i := 1; i <= 4; i++ {
		tl.write("tick.py", pyFunc(fmt.Sprintf("value_%d", i)))
		tl.once(fmt.Sprintf("value_%d", i), "tick.py")
		tl.lacks(fmt.Sprintf("value_%d", i-1))
	}
	// An editor that saves by rename and restores the time keeps size and time alike.
	info, err := os.Stat(tl.path("tick.py"))
	if err != nil {
		t.Fatal(err)
	}
	tl.write("tick.new", pyFunc("value_9"))
	if err := os.Chtimes(tl.path("tick.new"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	tl.rename("tick.new", "tick.py")
	tl.once("value_9", "tick.py")
	// And a file whose times alone change is not read again as changed text.
	now := time.Now().Add(-time.Hour)
	if err := os.Chtimes(tl.path("tick.py"), now, now); err != nil {
		t.Fatal(err)
	}
	tl.once("value_9", "tick.py")
	tl.equalsFresh("value_9", "value_4")
}

// A random history of edits ends in the index that a build from nothing gives.
func TestAnUpdatedIndexEqualsAFreshOne(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	const seed = 20240301
	random := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("parse load store render token user session cache index query path merge split close open retry batch limit score rank")
	word := func() string { return words[random.IntN(len(words))] }
	text := func(name string) string {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			fmt.Fprintf(&b, "# %s %s %s\ndef %s_%s(%s):\n    return %s(%s)\n\n", word(), word(), word(), word(), word(), word(), word(), word())
		}
		if filepath.Ext(name) == ".md" {
			return "# " + word() + "\n\n" + strings.ReplaceAll(b.String(), "def ", "")
		}
		return b.String()
	}
	names := []string{}
	for i := range 60 {
		name := fmt.Sprintf("%s/%s_%d%s", word(), word(), i, []string{".py", ".md"}[random.IntN(2)])
		names = append(names, name)
		tl.write(name, text(name))
	}
	tl.write("bundle.bin", "\x00\x01\x02")
	tl.commit()
	tl.index()
	for round := range 4 {
		for range 8 {
			name := names[random.IntN(len(names))]
			switch random.IntN(4) {
			case 0:
				tl.remove(name)
			case 1:
				tl.write(name, text(name))
			case 2:
				tl.write(fmt.Sprintf("new%d/%s.py", round, word()), text("x.py"))
			case 3:
				if _, err := os.Stat(tl.path(name)); err == nil {
					to := strings.TrimSuffix(name, filepath.Ext(name)) + "_moved" + filepath.Ext(name)
					tl.rename(name, to)
				}
			}
		}
		if round == 2 {
			tl.write(".gitignore", words[0]+"/\n")
		}
		tl.index()
	}
	tl.equalsFresh("parse token", "user_session", "load", "how is the cache merged", "def", `"return"`, "score_rank", "retry batch limit", "parse/",
		"session.md", "/def \\w+_path/", "close open", "rank")
}

func TestOtherOptionsAndOtherFormatsRebuild(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{"rules.inc": pyFunc("rule_one"), "a.py": pyFunc("module_a")})
	tl.commit()
	tl.index()
	python := tl.with(`AGENVANTAGE_LANGUAGES={inc: python}`)
	python.index()
	python.wantSymbol("rule_one", symbolPlace{path: "rules.inc", kinds: "function", lang: "python"})
	tl.index()
	if h := tl.find("rule_one", "rules.inc"); h.Lang == "python" {
		t.Errorf("the option is gone, its effect stays: %v", h)
	}
	tl.equalsFresh("rule_one", "module_a")

	// A manifest that this version cannot read is a reason to rebuild and to say so, never an error.
	for _, manifest := range []string{`{"format": 999999, "epoch": "e-x"}`, "{ not json", ""} {
		writeFile(t, filepath.Join(tl.indexFolder(), "manifest.json"), manifest)
		s := tl.index()
		tl.find("module_a", "a.py")
		if s.Files != 2 || len(s.Notes) == 0 && s.run.stderr == "" {
			t.Errorf("manifest %q: nothing is said about the rebuild: %+v", manifest, s)
		}
	}
	o := tl.run("", tl.flags("clean")...)
	if _, err := os.Stat(tl.indexFolder()); err == nil || o.code != 0 {
		t.Errorf("clean left the index: %v", o)
	}
	tl.find("module_a", "a.py") // built again by the search
}
