package commits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/scan/history"
)

func TestUpdateAndView(t *testing.T) {
	g, file, now := newFakeGit(), newFile(t), filesNow{"a", "b", "c"}
	g.commit("add a and gone", 100, "", "A a", "A gone")
	g.commit("add b", 200, "", "A b", "M a")
	g.commit("on a branch", 250, "", "A c")
	g.commit("merge", 300, "")
	g.commit("remove gone", 400, "", "D gone")
	// Names with spaces cannot be given as parents.
	g.commits[idOf("add b")] = with(g.commits[idOf("add b")], idOf("add a and gone"))
	g.commits[idOf("on a branch")] = with(g.commits[idOf("on a branch")], idOf("add a and gone"))
	g.commits[idOf("merge")] = with(g.commits[idOf("merge")], idOf("add b"), idOf("on a branch"))
	g.commits[idOf("remove gone")] = with(g.commits[idOf("remove gone")], idOf("merge"))

	s := mustUpdate(t, file, g, "remove gone")
	if s.Added != 5 || s.Stored != 5 || s.Rebuilt {
		t.Errorf("%+v", s)
	}
	v := mustView(t, file, "remove gone", now)
	want(t, "commits", show(t, v, now), "remove gone", "on a branch: c", "add b: a b", "add a and gone: a")
	want(t, "term", holders(t, v, "add"), "add b", "add a and gone")
	want(t, "a merge's message", holders(t, v, "merge"))
	if v.Covered() != 1 || v.Shallow() || v.Time() != 400 || v.Stored() != 5 {
		t.Errorf("covered %v, shallow %v, time %d, stored %d", v.Covered(), v.Shallow(), v.Time(), v.Stored())
	}
	if got := v.MeanTerms(); got != (2+3+2+4)/4.0 {
		t.Errorf("mean %v", got)
	}
	if got := v.Touching(0); !slices.Equal(got, []uint32{2, 3}) {
		t.Errorf("touching a: %v", got)
	}
	texts, err := v.Texts([]uint32{1})
	if err != nil || texts[0].ID != idOf("on a branch") || texts[0].Author != "Ann" || texts[0].Email != "ann@example.invalid" || texts[0].Written.Unix() != 245 {
		t.Errorf("%+v, %v", texts, err)
	}
	committed, terms, changed, _ := v.Commit(3)
	if committed != 100 || terms != 4 || changed != 2 {
		t.Errorf("%d, %d, %d", committed, terms, changed)
	}
	if c, ok := v.Find(idOf("add b")); !ok || c != 2 {
		t.Errorf("find: %d, %v", c, ok)
	}
	if _, ok := v.Find(idOf("merge")); ok {
		t.Error("a merge is found")
	}
}

func with(c history.Commit, parents ...string) history.Commit {
	c.Parents = parents
	return c
}

// An older revision's view holds nothing of what came later, and a later update changes no view.
func TestViewHasAncestorsOnly(t *testing.T) {
	g, file, now := newFakeGit(), newFile(t), filesNow{"a"}
	g.commit("one", 100, "", "A a")
	g.commit("two", 200, "one", "M a")
	g.commit("side", 150, "one", "M a")
	g.commit("three", 300, "two", "M a")
	mustUpdate(t, file, g, "two")
	pinned := mustView(t, file, "two", now)
	mustUpdate(t, file, g, "three")
	mustUpdate(t, file, g, "side")
	for _, c := range []struct {
		name string
		want []string
	}{
		{"one", []string{"one: a"}}, {"two", []string{"two: a", "one: a"}}, {"side", []string{"side: a", "one: a"}}, {"three", []string{"three: a", "two: a", "one: a"}},
	} {
		want(t, c.name, show(t, mustView(t, file, c.name, now), now), c.want...)
	}
	want(t, "pinned", show(t, pinned, now), "two: a", "one: a")
	want(t, "terms of side", holders(t, mustView(t, file, "side", now), "three"))
	if _, err := OpenView(t.Context(), file, ViewOptions{Revision: idOf("four"), Find: now.find}); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown revision: %v", err)
	}
	told := g.told
	if s := mustUpdate(t, file, g, "two"); s.Read != 0 || g.told != told {
		t.Errorf("a step back reads %d commits", s.Read)
	}
}

func TestIncrementalReadsNewCommitsOnly(t *testing.T) {
	g, file := newFakeGit(), newFile(t)
	g.commit("c0", 0, "", "A a")
	for i := 1; i < 3000; i++ {
		g.commit(fmt.Sprint("c", i), int64(i), fmt.Sprint("c", i-1), "M a")
	}
	if s := mustUpdate(t, file, g, "c2998"); s.Read != 2999 {
		t.Errorf("%+v", s)
	}
	if s := mustUpdate(t, file, g, "c2999"); s.Read != 1 || s.Added != 1 || s.Stored != 3000 {
		t.Errorf("%+v", s)
	}
	v := mustView(t, file, "c2999", filesNow{"a"})
	if n := len(v.Touching(0)); n != 3000 || len(holders(t, v, "c2999")) != 1 || len(holders(t, v, "c0")) != 1 {
		t.Errorf("%d commits", n)
	}
}

// What git has forgotten cannot be a starting point: everything is read, and what is known passed over.
func TestForgottenBase(t *testing.T) {
	g, file, now := newFakeGit(), newFile(t), filesNow{"a"}
	g.commit("one", 100, "", "A a")
	g.commit("two", 200, "one", "M a")
	mustUpdate(t, file, g, "two")
	delete(g.commits, idOf("two"))
	g.commit("other", 300, "one", "M a")
	if s := mustUpdate(t, file, g, "other"); s.Added != 1 || s.Read != 2 {
		t.Errorf("%+v", s)
	}
	want(t, "view", show(t, mustView(t, file, "other", now), now), "other: a", "one: a")
}

func TestShallow(t *testing.T) {
	g, file, now := newFakeGit(), newFile(t), filesNow{"a"}
	g.commit("one", 100, "", "A a")
	g.commit("two", 200, "one", "M a")
	g.commit("three", 300, "two", "M a")
	g.commit("four", 400, "three", "M a")
	g.shallow[idOf("two")] = true
	mustUpdate(t, file, g, "three")
	v := mustView(t, file, "three", now)
	want(t, "view", show(t, v, now), "three: a", "two")
	if v.Covered() != 0.5 || !v.Shallow() { // of two commits one has known changes
		t.Errorf("covered %v, shallow %v", v.Covered(), v.Shallow())
	}
	delete(g.shallow, idOf("two"))
	if s := mustUpdate(t, file, g, "four"); !s.Rebuilt {
		t.Errorf("a deepened clone: %+v", s)
	}
	v = mustView(t, file, "four", now)
	want(t, "deepened", show(t, v, now), "four: a", "three: a", "two: a", "one: a")
	if v.Covered() != 1 || v.Shallow() {
		t.Errorf("covered %v, shallow %v", v.Covered(), v.Shallow())
	}
}

func TestPrefix(t *testing.T) {
	g, file, now := newFakeGit(), newFile(t), filesNow{"a", "b"}
	g.commit("outside", 100, "", "A other/x", "A sub2/y")
	g.commit("into", 200, "outside", "R other/x sub/a", "M sub2/y")
	g.commit("within", 300, "into", "R sub/a sub/b")
	g.commit("out", 400, "within", "R sub/b other/b", "A sub/a")
	s, err := Update(t.Context(), file, Request{Source: g, Revision: idOf("out"), Prefix: "sub/"})
	if err != nil || s.Stored != 4 {
		t.Fatalf("%+v, %v", s, err)
	}
	v := mustView(t, file, "out", now)
	want(t, "view", show(t, v, now), "out: a", "within: b", "into: b")
	if _, _, changed, _ := v.Commit(2); changed != 2 {
		t.Errorf("%d files changed in the repository", changed)
	}
	want(t, "message of a commit outside", holders(t, v, "outside"))
	if s, err := Update(t.Context(), file, Request{Source: g, Revision: idOf("out")}); err != nil || !s.Rebuilt {
		t.Errorf("another prefix: %+v, %v", s, err)
	}
}

func TestMessageTerms(t *testing.T) {
	for _, c := range []struct{ subject, body, want string }{
		{"Fix loadUser", "", "fix load loaduser user"},
		{"fix", "see src/a_b.go\n", "a ab b fix go see src"},
		{"fix", "Signed-off-by: Ann <ann@x>\nCo-Authored-By: Bob <b@x>\nChange-Id: I12\ngit-svn-id: x\nFixes: #12\n", "12 fix fixes"},
		{"fix", "a sentence: it stays-by: too\n", "a by fix it sentence stays staysby too"},
	} {
		frequencies, total := messageTerms(c.subject, c.body)
		var terms []string
		sum := 0
		for term, n := range frequencies {
			terms = append(terms, term)
			sum += n
		}
		slices.Sort(terms)
		if got := strings.Join(terms, " "); got != c.want || sum != total {
			t.Errorf("%q %q: got %q, %d of %d", c.subject, c.body, got, sum, total)
		}
	}
}

func TestAbortedUpdateLeavesTheOldState(t *testing.T) {
	g, file, now := newFakeGit(), newFile(t), filesNow{"a"}
	g.commit("one", 100, "", "A a")
	g.commit("two", 200, "one", "M a")
	g.commit("three", 300, "two", "M a")
	g.commit("four", 400, "three", "M a")
	mustUpdate(t, file, g, "one")
	before := show(t, mustView(t, file, "one", now), now)

	g.stopAt = g.told + 2
	if _, err := Update(t.Context(), file, Request{Source: g, Revision: idOf("four")}); !errors.Is(err, errStopped) {
		t.Errorf("a failing source: %v", err)
	}
	g.stopAt = 0
	ctx, cancel := context.WithCancel(t.Context())
	g.onCommit = cancel
	if _, err := Update(ctx, file, Request{Source: g, Revision: idOf("four")}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run: %v", err)
	}
	g.onCommit = nil
	want(t, "after both", show(t, mustView(t, file, "one", now), now), before...)
	if _, err := OpenView(t.Context(), file, ViewOptions{Revision: idOf("four"), Find: now.find}); !errors.Is(err, ErrUnknown) {
		t.Errorf("half an update is visible: %v", err)
	}
	mustUpdate(t, file, g, "four")
	want(t, "gone on", show(t, mustView(t, file, "four", now), now), "four: a", "three: a", "two: a", "one: a")
}

// A first update that is interrupted after a checkpoint leaves the newest part, says so, and goes on from there.
func TestInterruptedFirstUpdateIsPartial(t *testing.T) {
	g, file, now := newFakeGit(), newFile(t), filesNow{"a"}
	const n = checkpointCommits + 100
	g.commit("c0", 0, "", "A a")
	for i := 1; i < n; i++ {
		g.commit(fmt.Sprint("c", i), int64(i), fmt.Sprint("c", i-1), "M a")
	}
	tip := fmt.Sprint("c", n-1)
	g.stopAt = checkpointCommits + 50
	if _, err := Update(t.Context(), file, Request{Source: g, Revision: idOf(tip)}); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	v := mustView(t, file, tip, now)
	if got, want := v.Covered(), float64(checkpointCommits)/n; got != want || v.CommitCount() != checkpointCommits {
		t.Errorf("covered %v, want %v; %d commits", got, want, v.CommitCount())
	}
	g.stopAt = 0
	if s := mustUpdate(t, file, g, tip); s.Added != 100 || s.Stored != n {
		t.Errorf("%+v", s)
	}
	if v := mustView(t, file, tip, now); v.Covered() != 1 || v.CommitCount() != n {
		t.Errorf("covered %v, %d commits", v.Covered(), v.CommitCount())
	}
}

func TestGarbageIsWrittenAnew(t *testing.T) {
	g, file := newFakeGit(), newFile(t)
	g.commit("root", 0, "", "A a")
	last := "root"
	for i := range minGarbage + 200 {
		name := fmt.Sprint("old", i)
		g.commit(name, int64(i), last, "M a")
		last = name
	}
	mustUpdate(t, file, g, last)
	last = "root"
	for i := range keptHeads { // as many revisions as are kept push the old one out
		name := fmt.Sprint("new", i)
		g.commit(name, int64(i), last, "M a")
		last = name
		s := mustUpdate(t, file, g, last)
		if rebuilt := i == keptHeads-1; s.Rebuilt != rebuilt {
			t.Fatalf("update %d: %+v", i, s)
		}
		if s.Rebuilt && s.Stored != keptHeads+1 {
			t.Errorf("%+v", s)
		}
	}
	want(t, "view", show(t, mustView(t, file, last, filesNow{"a"}), filesNow{"a"})[:2], "new31: a", "new30: a")
}

func TestOneWriter(t *testing.T) {
	g, file := newFakeGit(), newFile(t)
	g.commit("one", 100, "", "A a")
	g.commit("two", 200, "one", "M a")
	mustUpdate(t, file, g, "one")
	db, err := openWriter(file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Update(ctx, file, Request{Source: g, Revision: idOf("two")}); !errors.Is(err, ErrBusy) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("beside a writer: %v", err)
	}
	want(t, "readers are not held up", show(t, mustView(t, file, "one", filesNow{"a"}), filesNow{"a"}), "one: a")
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	mustUpdate(t, file, g, "two")
}

func TestBadFiles(t *testing.T) {
	g := newFakeGit()
	g.commit("one", 100, "", "A a")
	find := filesNow{"a"}.find
	if _, err := OpenView(t.Context(), newFile(t), ViewOptions{Revision: idOf("one"), Find: find}); !errors.Is(err, ErrAbsent) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Update(t.Context(), newFile(t), Request{Source: g, Revision: "main"}); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a branch: %v", err)
	}
	for name, damage := range map[string]func(file string){
		"no database": func(file string) { must(t, os.WriteFile(file, []byte(strings.Repeat("x", 5000)), 0o644)) },
		"a block that is cut off": func(file string) {
			execute(t, file, `UPDATE blocks SET facts = substr(facts, 1, length(facts) - 1)`)
		},
		"a block too few": func(file string) { execute(t, file, `DELETE FROM blocks`) },
		"paths too few":   func(file string) { execute(t, file, `DELETE FROM names`) },
		"no head":         func(file string) { execute(t, file, `DELETE FROM head`) },
		"a table missing": func(file string) { execute(t, file, `DROP TABLE names`) },
	} {
		file := newFile(t)
		mustUpdate(t, file, g, "one")
		damage(file)
		if _, err := OpenView(t.Context(), file, ViewOptions{Revision: idOf("one"), Find: find}); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		must(t, Remove(file))
		mustUpdate(t, file, g, "one")
	}
	file := newFile(t)
	mustUpdate(t, file, g, "one")
	execute(t, file, `UPDATE head SET format = 0`)
	if _, err := OpenView(t.Context(), file, ViewOptions{Revision: idOf("one"), Find: find}); !errors.Is(err, ErrAbsent) {
		t.Errorf("another format: %v", err)
	}
	if s := mustUpdate(t, file, g, "one"); !s.Rebuilt {
		t.Errorf("another format: %+v", s)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func execute(t *testing.T, file, query string) {
	t.Helper()
	db, err := sql.Open("sqlite3", file)
	must(t, err)
	_, err = db.Exec(query)
	must(t, err)
	must(t, db.Close())
}

// A folder that cannot be written is read all the same.
func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	g, file, now := newFakeGit(), newFile(t), filesNow{"a"}
	g.commit("one", 100, "", "A a")
	mustUpdate(t, file, g, "one")
	folder := strings.TrimSuffix(file, "/commits.db")
	must(t, os.Chmod(file, 0o444))
	must(t, os.Chmod(folder, 0o555))
	defer os.Chmod(folder, 0o755)
	want(t, "view", show(t, mustView(t, file, "one", now), now), "one: a")
	g.commit("two", 200, "one", "M a")
	if _, err := Update(t.Context(), file, Request{Source: g, Revision: idOf("two")}); !IsFull(err) {
		t.Errorf("an update: %v", err)
	}
}

func TestNearest(t *testing.T) {
	g, file := newFakeGit(), newFile(t)
	last := ""
	for i := range 7 {
		name := fmt.Sprint("c", i)
		g.commit(name, int64(i), last, "A a")
		last = name
		mustUpdate(t, file, g, name)
	}
	asked := 0
	got, err := Nearest(t.Context(), file, func(revision string) (bool, error) {
		asked++
		return revision == idOf("c4"), nil
	})
	if err != nil || got != idOf("c4") || asked != 3 {
		t.Errorf("%s, %v, %d asked", got, err, asked)
	}
	if got, err := Nearest(t.Context(), file, func(string) (bool, error) { asked++; return false, nil }); got != "" || err != nil || asked != 3+maxNearest {
		t.Errorf("%s, %v, %d asked", got, err, asked)
	}
}

// Readers and writers at the same time: every view is of one revision, whole.
func TestConcurrentUse(t *testing.T) {
	g, file, now := newFakeGit(), newFile(t), filesNow{"a"}
	g.commit("c0", 0, "", "A a")
	for i := 1; i < 40; i++ {
		g.commit(fmt.Sprint("c", i), int64(i), fmt.Sprint("c", i-1), "M a")
	}
	mustUpdate(t, file, g, "c0")
	var running sync.WaitGroup
	for range 3 {
		running.Go(func() {
			for i := range 20 {
				v, err := OpenView(t.Context(), file, ViewOptions{Revision: idOf("c0"), Find: now.find})
				if err != nil || v.CommitCount() != 1 || len(v.Touching(0)) != 1 {
					t.Errorf("%d: %v", i, err)
					return
				}
				if _, err := v.Subject(0); err != nil {
					t.Error(err)
				}
				v.Close()
			}
		})
	}
	for w := range 2 {
		running.Go(func() {
			for i := 1 + w; i < 40; i += 2 {
				own := &fakeGit{commits: g.commits, shallow: g.shallow}
				if _, err := Update(t.Context(), file, Request{Source: own, Revision: idOf(fmt.Sprint("c", i))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	running.Wait()
	if v := mustView(t, file, "c39", now); v.CommitCount() != 40 || len(holders(t, v, "c7")) != 1 {
		t.Errorf("%d commits", v.CommitCount())
	}
}
