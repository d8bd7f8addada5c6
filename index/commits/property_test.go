package commits

import (
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// randomHistory grows a history of n commits over a few paths, with branches, merges, moves and clocks that run backwards.
func randomHistory(r *rand.Rand, n int) (g *fakeGit, names []string) {
	g = newFakeGit()
	paths := []string{"a", "b", "c", "d/e", "d/f", "g"}
	words := []string{"fix", "add", "loadUser", "cache", "revert", "again"}
	for i := range n {
		name := fmt.Sprintf("%s%d %s", words[r.Intn(len(words))], i, words[r.Intn(len(words))])
		var changes []string
		for range r.Intn(4) {
			p := paths[r.Intn(len(paths))]
			switch r.Intn(6) {
			case 0:
				changes = append(changes, "A "+p)
			case 1:
				changes = append(changes, "D "+p)
			case 2:
				changes = append(changes, "R "+p+" "+paths[r.Intn(len(paths))])
			default:
				changes = append(changes, "M "+p)
			}
		}
		g.commit(name, int64(1000+10*i-r.Intn(30)), "", changes...)
		var parents []string
		for range 1 + r.Intn(5)/4 {
			if len(names) > 0 {
				if p := idOf(names[max(0, len(names)-1-r.Intn(6))]); !slices.Contains(parents, p) {
					parents = append(parents, p)
				}
			}
		}
		c := with(g.commits[idOf(name)], parents...)
		if len(parents) > 1 {
			c.Files = nil
		}
		g.commits[idOf(name)] = c
		names = append(names, name)
	}
	return g, names
}

// A file that was updated from revision to revision, forwards, backwards and across branches, is seen like one that was made
// for the last revision alone.
func TestIncrementalEqualsRebuilt(t *testing.T) {
	now := filesNow{"a", "b", "d/f", "g"}
	for seed := range int64(25) {
		r := rand.New(rand.NewSource(seed))
		g, names := randomHistory(r, 40)
		grown := newFile(t)
		for step := range 8 {
			name := names[r.Intn(len(names))]
			if step == 7 {
				name = names[len(names)-1]
			}
			mustUpdate(t, grown, g, name)
			fresh := newFile(t)
			mustUpdate(t, fresh, g, name)
			v, w := mustView(t, grown, name, now), mustView(t, fresh, name, now)
			got, wanted := show(t, v, now), show(t, w, now)
			for _, term := range []string{"fix", "add", "user", "loaduser", "cache", "fix3", "again"} {
				got, wanted = append(append(got, term), holders(t, v, term)...), append(append(wanted, term), holders(t, w, term)...)
			}
			got, wanted = append(got, fmt.Sprint(v.MeanTerms(), v.Covered(), v.Time(), v.Stored())), append(wanted, fmt.Sprint(w.MeanTerms(), w.Covered(), w.Time(), w.Stored()))
			if !slices.Equal(got, wanted) {
				t.Fatalf("seed %d, step %d, %q:\n grown %q\n fresh %q", seed, step, name, got, wanted)
			}
			if len(show(t, v, now)) != countPlain(g, name) {
				t.Fatalf("seed %d: %d commits, want %d", seed, v.CommitCount(), countPlain(g, name))
			}
		}
	}
}

// countPlain counts the ancestors that are no merges.
func countPlain(g *fakeGit, name string) (n int) {
	for id := range g.ancestors(idOf(name)) {
		if len(g.commits[id].Parents) < 2 {
			n++
		}
	}
	return n
}

// Every commit is shown before its ancestors, whatever the clocks said.
func TestOrderPutsCommitsBeforeAncestors(t *testing.T) {
	for seed := range int64(10) {
		g, names := randomHistory(rand.New(rand.NewSource(seed)), 60)
		file, last := newFile(t), names[len(names)-1]
		mustUpdate(t, file, g, last)
		v := mustView(t, file, last, nil)
		for c := range uint32(v.CommitCount()) {
			older := g.ancestors(v.ID(c))
			for before := range c {
				if older[v.ID(before)] {
					t.Fatalf("seed %d: commit %d comes after its ancestor %d", seed, c, before)
				}
			}
		}
	}
}

func TestIdentity(t *testing.T) {
	for _, c := range []struct {
		name    string
		now     filesNow
		commits []string // "name time parents|changes", oldest first
		want    []string // newest first
	}{
		{"a move", filesNow{"new"}, []string{"c1 1 |A old", "c2 2 c1|M old", "c3 3 c2|R old new", "c4 4 c3|M new"},
			[]string{"c4: new", "c3: new", "c2: new", "c1: new"}},
		{"two moves", filesNow{"z"}, []string{"c1 1 |A x", "c2 2 c1|R x y", "c3 3 c2|M y", "c4 4 c3|R y z"},
			[]string{"c4: z", "c3: z", "c2: z", "c1: z"}},
		{"the old name is used again", filesNow{"new", "old"}, []string{"c1 1 |A old", "c2 2 c1|R old new", "c3 3 c2|A old", "c4 4 c3|M old"},
			[]string{"c4: old", "c3: old", "c2: new", "c1: new"}},
		{"the new name was another file", filesNow{"new"}, []string{"c1 1 |A new", "c2 2 c1|D new", "c3 3 c2|A old", "c4 4 c3|R old new"},
			[]string{"c4: new", "c3: new", "c2", "c1"}},
		{"two files change names", filesNow{"a", "b"}, []string{"c1 1 |A a", "c2 2 c1|A b", "c3 3 c2|R a b,R b a"},
			[]string{"c3: a b", "c2: a", "c1: b"}},
		{"deleted and made again", filesNow{"a"}, []string{"c1 1 |A a", "c2 2 c1|D a", "c3 3 c2|A a"},
			[]string{"c3: a", "c2", "c1: a"}},
		{"gone", filesNow{"b"}, []string{"c1 1 |A a,A b", "c2 2 c1|D a"}, []string{"c2", "c1: b"}},
		{"edited on a branch after the move", filesNow{"new"}, []string{"c1 1 |A old", "c2 2 c1|R old new", "c3 3 c1|M old", "m 4 c2+c3|"},
			[]string{"c3: new", "c2: new", "c1: new"}},
		{"one second for all", filesNow{"new"}, []string{"c1 1 |A old", "c2 1 c1|M old", "c3 1 c2|R old new", "c4 1 c3|M new"},
			[]string{"c4: new", "c3: new", "c2: new", "c1: new"}},
		{"a circle of moves", filesNow{"z"}, []string{"c1 1 |A a", "c2 2 c1|R a b", "c3 3 c2|R b a", "c4 4 c3|D a", "c5 5 c4|A z"},
			[]string{"c5: z", "c4", "c3", "c2", "c1"}},
	} {
		g, file := newFakeGit(), newFile(t)
		last := ""
		for _, text := range c.commits {
			head, changes, _ := strings.Cut(text, "|")
			fields := append(strings.Fields(head), "")
			at, err := strconv.ParseInt(fields[1], 10, 64)
			must(t, err)
			g.commit(fields[0], at, strings.ReplaceAll(fields[2], "+", " "), strings.FieldsFunc(changes, func(r rune) bool { return r == ',' })...)
			last = fields[0]
		}
		mustUpdate(t, file, g, last)
		want(t, c.name, show(t, mustView(t, file, last, c.now), c.now), c.want...)
	}
}

func TestFileAt(t *testing.T) {
	g, file, now := newFakeGit(), newFile(t), filesNow{"new"}
	g.commit("one", 1, "", "A old", "A gone")
	g.commit("two", 2, "one", "R old new")
	mustUpdate(t, file, g, "two")
	v := mustView(t, file, "two", now)
	for _, c := range []struct {
		commit uint32
		path   string
		want   bool
	}{{0, "new", true}, {0, "old", false}, {1, "old", true}, {1, "new", false}, {1, "gone", false}} {
		if f, ok := v.FileAt(c.commit, c.path); ok != c.want || f != 0 {
			t.Errorf("%d %s: %d, %v", c.commit, c.path, f, ok)
		}
	}
}

func TestSameBytesEveryTime(t *testing.T) {
	g, names := randomHistory(rand.New(rand.NewSource(7)), 200)
	var first []string
	for range 3 {
		file := newFile(t)
		mustUpdate(t, file, g, names[199])
		db, err := openReader(file)
		must(t, err)
		var rows []string
		for _, q := range []string{`SELECT hex(facts) || hex(subjects) FROM blocks`, `SELECT kind || hex(texts) FROM names ORDER BY kind, first`, `SELECT term || hex(rows) FROM postings ORDER BY term, first`} {
			found, err := db.Query(q)
			must(t, err)
			for found.Next() {
				var s string
				must(t, found.Scan(&s))
				rows = append(rows, s)
			}
			must(t, found.Err())
		}
		must(t, db.Close())
		if first == nil {
			first = rows
		}
		if !slices.Equal(first, rows) {
			t.Fatal("two files of one history differ")
		}
	}
}
