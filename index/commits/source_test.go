package commits

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/scan/history"
)

// fakeGit is a repository in memory. Its log has the order of git's: from the tip, the newest commit whose child was told.
type fakeGit struct {
	commits  map[string]history.Commit
	shallow  map[string]bool // commits at which the clone ends
	told     int             // commits told so far
	stopAt   int             // fail after this many; 0 never
	asked    []history.LogOptions
	onCommit func()
}

func newFakeGit() *fakeGit {
	return &fakeGit{commits: map[string]history.Commit{}, shallow: map[string]bool{}}
}

func idOf(name string) string {
	sum := sha1.Sum([]byte(name))
	return hex.EncodeToString(sum[:])
}

// commit adds a commit called name: changes are "A path", "M path", "D path" and "R old new".
func (g *fakeGit) commit(name string, time int64, parents string, changes ...string) string {
	c := history.Commit{ID: idOf(name), AuthorName: "Ann", AuthorEmail: "ann@example.invalid", AuthorTime: time - 5, CommitTime: time, Subject: name}
	for _, p := range strings.Fields(parents) {
		c.Parents = append(c.Parents, idOf(p))
	}
	for _, s := range changes {
		parts := strings.Fields(s)
		f := history.FileChange{Status: history.Status(parts[0][0]), Kind: history.File, Path: parts[1]}
		if f.Status == history.Renamed {
			f.OldPath, f.Path = parts[1], parts[2]
		}
		c.Files = append(c.Files, f)
	}
	g.commits[c.ID] = c
	return c.ID
}

func (g *fakeGit) ancestors(id string) map[string]bool {
	seen := map[string]bool{}
	for stack := []string{id}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		if !g.shallow[at] {
			stack = append(stack, g.commits[at].Parents...)
		}
	}
	return seen
}

var errStopped = errors.New("stopped")

func (g *fakeGit) Commits(ctx context.Context, o history.LogOptions, each func(history.Commit) error) error {
	g.asked = append(g.asked, o)
	for _, id := range []string{o.Revision, o.NotReachableFrom} {
		if _, ok := g.commits[id]; !ok && id != "" {
			return fmt.Errorf("%w: revision %s", agenvantage.ErrBadInput, id)
		}
	}
	without := map[string]bool{}
	if o.NotReachableFrom != "" {
		without = g.ancestors(o.NotReachableFrom)
	}
	seen := map[string]bool{}
	for queue := []string{o.Revision}; len(queue) > 0; {
		slices.SortStableFunc(queue, func(a, b string) int { return cmp.Compare(g.commits[b].CommitTime, g.commits[a].CommitTime) })
		id := queue[0]
		queue = queue[1:]
		if seen[id] || without[id] {
			continue
		}
		seen[id] = true
		c := g.commits[id]
		if g.shallow[id] {
			c.Cut, c.Parents, c.Files = true, nil, nil
		}
		if g.told++; g.stopAt > 0 && g.told > g.stopAt {
			return errStopped
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := each(c); err != nil {
			return err
		}
		if g.onCommit != nil {
			g.onCommit()
		}
		queue = append(queue, c.Parents...)
	}
	return nil
}

func (g *fakeGit) CommitCount(_ context.Context, revision string) (int, error) {
	return len(g.ancestors(revision)), nil
}

func (g *fakeGit) ParentOf(_ context.Context, revision string) (string, error) {
	if g.shallow[revision] {
		return "", history.ErrCut
	}
	if parents := g.commits[revision].Parents; len(parents) > 0 {
		return parents[0], nil
	}
	return "", history.ErrNoParent
}

func newFile(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "history", "commits.db")
}

func mustUpdate(t *testing.T, file string, g *fakeGit, name string) Summary {
	t.Helper()
	s, err := Update(t.Context(), file, Request{Source: g, Revision: idOf(name)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// filesNow numbers the files of today.
type filesNow []string

func (f filesNow) find(path string) (uint32, bool) {
	i := slices.Index(f, path)
	return uint32(max(i, 0)), i >= 0
}

func mustView(t *testing.T, file, name string, now filesNow) *View {
	t.Helper()
	v, err := OpenView(t.Context(), file, ViewOptions{Revision: idOf(name), Find: now.find})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

// show is all that a view says: "subject: files" for each commit, newest first.
func show(t *testing.T, v *View, now filesNow) []string {
	t.Helper()
	var rows []string
	for c := range uint32(v.CommitCount()) {
		texts, err := v.Texts([]uint32{c})
		if err != nil {
			t.Fatal(err)
		}
		_, _, _, files := v.Commit(c)
		names := make([]string, len(files))
		for i, f := range files {
			names[i] = now[f]
		}
		rows = append(rows, strings.TrimSuffix(texts[0].Subject+": "+strings.Join(names, " "), ": "))
	}
	return rows
}

// holders lists the subjects of the commits whose message holds a term, newest first, with their frequencies above 1.
func holders(t *testing.T, v *View, term string) []string {
	t.Helper()
	found := map[uint32]int{}
	if err := v.Postings(term, func(c uint32, frequency int) {
		if found[c] != 0 {
			t.Errorf("%q: commit %d is told twice", term, c)
		}
		found[c] = frequency
	}); err != nil {
		t.Fatal(err)
	}
	var rows []string
	for c := range uint32(v.CommitCount()) {
		if n := found[c]; n > 0 {
			subject, err := v.Subject(c)
			if err != nil {
				t.Fatal(err)
			}
			if n > 1 {
				subject += fmt.Sprintf(" x%d", n)
			}
			rows = append(rows, subject)
		}
	}
	return rows
}

func want(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got  %q\n want %q", what, got, want)
	}
}
