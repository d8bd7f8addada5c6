package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"agenvantage"
)

const tenLines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n"

// merged is a history with a merge:
//
//	first ─ main1 ─ merge ─ last
//	     └─ side ──┘
func merged(t *testing.T) *fixture {
	f := newFixture(t)
	f.write("a.txt", tenLines)
	f.write("lib/b.txt", "b\n")
	f.commit("first")
	f.git("repo", "checkout", "-q", "-b", "topic")
	f.write("side.txt", "s\n")
	f.commit("side")
	f.git("repo", "checkout", "-q", "main")
	f.write("lib/b.txt", "b\nb2\n")
	f.commit("main1")
	f.git("repo", "merge", "-q", "--no-ff", "-m", "merge", "topic")
	f.remember("merge")
	f.write("a.txt", strings.Replace(tenLines, "two\n", "TWO\n2\n", 1))
	f.write("lib/c.txt", "c\n")
	f.commit("last")
	f.git("repo", "checkout", "-q", "-b", "elsewhere", "HEAD~1")
	f.write("never.txt", "x\n")
	f.commit("never")
	f.git("repo", "checkout", "-q", "main")
	return f
}

func TestCommits(t *testing.T) {
	f := merged(t)
	r := f.open("repo")
	for _, c := range []struct {
		name string
		o    LogOptions
		want []string
	}{
		{"all", LogOptions{}, []string{"last: M a.txt, A lib/c.txt", "main1: M lib/b.txt", "side: A side.txt", "first: A a.txt, A lib/b.txt"}},
		{"counts", LogOptions{Counts: true}, []string{"last: M a.txt +2-1, A lib/c.txt +1-0", "main1: M lib/b.txt +1-0", "side: A side.txt +1-0", "first: A a.txt +10-0, A lib/b.txt +1-0"}},
		{"merges", LogOptions{Merges: true}, []string{"last: M a.txt, A lib/c.txt", "merge", "main1: M lib/b.txt", "side: A side.txt", "first: A a.txt, A lib/b.txt"}},
		{"first parents", LogOptions{Merges: true, FirstParent: true}, []string{"last: M a.txt, A lib/c.txt", "merge: A side.txt", "main1: M lib/b.txt", "first: A a.txt, A lib/b.txt"}},
		{"first parents without merges", LogOptions{FirstParent: true}, []string{"last: M a.txt, A lib/c.txt", "main1: M lib/b.txt", "first: A a.txt, A lib/b.txt"}},
		{"max", LogOptions{Max: 2}, []string{"last: M a.txt, A lib/c.txt", "main1: M lib/b.txt"}},
		{"revision", LogOptions{Revision: "topic"}, []string{"side: A side.txt", "first: A a.txt, A lib/b.txt"}},
		{"not reachable", LogOptions{NotReachableFrom: "main~1^1", Merges: true}, []string{"last: M a.txt, A lib/c.txt", "merge", "side: A side.txt"}},
		{"nothing", LogOptions{NotReachableFrom: "HEAD"}, nil},
		{"since", LogOptions{Since: time.Unix(1700000000+60*2, 0)}, []string{"last: M a.txt, A lib/c.txt", "main1: M lib/b.txt"}},
		{"path", LogOptions{Path: "lib"}, []string{"last: M a.txt, A lib/c.txt", "main1: M lib/b.txt", "first: A a.txt, A lib/b.txt"}},
		{"file", LogOptions{Path: "lib/b.txt"}, []string{"main1: M lib/b.txt", "first: A a.txt, A lib/b.txt"}},
		{"no such path", LogOptions{Path: "nope"}, nil},
		{"a path is no pattern", LogOptions{Path: "lib/*"}, nil},
	} {
		for range 2 {
			want(t, c.name, f.log(r, c.o), c.want...)
		}
	}
	below := f.open("repo/lib")
	want(t, "below the top", f.log(below, LogOptions{Counts: true}), "last: A c.txt +1-0", "main1: M b.txt +1-0", "first: A b.txt +1-0")
	want(t, "a path below the top", f.log(below, LogOptions{Path: "c.txt"}), "last: A c.txt")
	var all []Commit
	if err := r.Commits(context.Background(), LogOptions{Max: 1}, func(c Commit) error { all = append(all, c); return nil }); err != nil {
		t.Fatal(err)
	}
	c := all[0]
	if c.AuthorName != "Ann Author" || c.AuthorEmail != "ann@example.invalid" || c.AuthorTime != 1700000240 || c.CommitTime != 1700000240 || len(c.Parents) != 1 || f.names[c.Parents[0]] != "merge" || c.Subject != "last" || c.Body != "" {
		t.Errorf("%+v", c)
	}
}

func TestChangesOfEveryKind(t *testing.T) {
	f := newFixture(t)
	f.write("moved.txt", tenLines)
	f.write("mode.sh", "x\n")
	f.write("bin.dat", "a\x00b")
	f.write("link", "a file\n")
	f.write("gone.txt", "goes away\n")
	f.write("same.txt", strings.Repeat("unchanged\n", 9))
	f.commit("first")
	f.git("repo", "mv", "moved.txt", "to here.txt")
	f.git("repo", "mv", "same.txt", "also \"here\".txt")
	f.write("to here.txt", tenLines+"eleven\n")
	os.Chmod(f.path("repo/mode.sh"), 0o755)
	f.write("bin.dat", "a\x00bc")
	os.Remove(f.path("repo/gone.txt"))
	os.Remove(f.path("repo/link"))
	if err := os.Symlink("mode.sh", f.path("repo/link")); err != nil {
		t.Skip(err)
	}
	f.write("new\nline\t\xff.txt", "x\n")
	f.write("empty", "")
	f.git("repo", "add", "-A")
	f.git("repo", "update-index", "--add", "--cacheinfo", "160000,0123456789abcdef0123456789abcdef01234567,module")
	f.git("repo", "commit", "-q", "-m", "second")
	f.remember("second")
	r := f.open("repo")
	want(t, "commits", f.log(r, LogOptions{Counts: true, Max: 1}), "second: R same.txt > also \"here\".txt, M bin.dat binary, A empty, D gone.txt +0-1, T l link +1-1, M mode.sh, "+
		"A s module +1-0, A new\nline\t\xff.txt +1-0, R moved.txt > to here.txt +1-0")
	want(t, "hunks", f.hunks(r, "HEAD", HunkOptions{}), "R same.txt > also \"here\".txt", "M bin.dat binary", "A empty", "D gone.txt: -1,1+0,0", "T l link: -1,1+0,0", "M mode.sh",
		"A new\nline\t\xff.txt: -0,0+1,1", "R moved.txt > to here.txt: -10,0+11,1")
	os.Remove(f.path("repo/link"))
	f.write("link", "two\nlines\n")
	f.git("repo", "add", "link")
	f.git("repo", "commit", "-q", "-m", "third")
	want(t, "a link becomes a file", f.hunks(r, "HEAD", HunkOptions{}), "T link: -0,0+1,2")
}

func TestMessages(t *testing.T) {
	f := newFixture(t)
	token := "gh" + "p_0123456789abcdefghijklmnopqrstuvwxyz"
	say := func(message string, args ...string) Commit {
		t.Helper()
		name := f.path("message")
		if err := os.WriteFile(name, []byte(message), 0o644); err != nil {
			t.Fatal(err)
		}
		f.git("repo", append(args, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-F", name)...)
		var last Commit
		if err := f.open("repo").Commits(context.Background(), LogOptions{Max: 1}, func(c Commit) error { last = c; return nil }); err != nil {
			t.Fatal(err)
		}
		return last
	}
	for _, c := range []struct {
		message       string
		args          []string
		subject, body string
	}{
		{"one\n\nbody\nmore\n\n\nend\n\n", nil, "one", "body\nmore\n\n\nend"},
		{"two\nlines\n\nbody\n", nil, "two lines", "body"},
		{"use " + token + "\n\nand " + token + " too\n", nil, "use [masked github token]", "and [masked github token] too"},
		{"caf\xe9\n\nna\xefve\n", []string{"-c", "i18n.commitEncoding=ISO-8859-1"}, "café", "naïve"},
		{"\x01" + strings.Repeat("a", 40) + "\n\n:100644 x\n\x01\n1\t2\ta\n", nil, "\x01" + strings.Repeat("a", 40), ":100644 x\n\x01\n1\t2\ta"},
		{"long\n\n" + strings.Repeat("é", MaxMessageBytes) + "\n", nil, "long", strings.Repeat("é", MaxMessageBytes/2)},
		{"odd\n\nx" + strings.Repeat("é", MaxMessageBytes) + "\n", nil, "odd", "x" + strings.Repeat("é", MaxMessageBytes/2-1)},
		{"crlf\r\n\r\nbody\r\nmore\r\n", nil, "crlf", "body\nmore"},
	} {
		got := say(c.message, c.args...)
		if strings.TrimRight(got.Subject, "\r ") != c.subject || strings.TrimLeft(got.Body, "\r\n") != c.body || !utf8.ValidString(got.Subject+got.Body) {
			t.Errorf("%.60q: %.80q, %.80q (%d)", c.message, got.Subject, got.Body, len(got.Body))
		}
	}
	// Git mends the messages that it makes, and another program may not.
	raw := "tree " + f.git("repo", "rev-parse", "HEAD^{tree}") + "\nauthor A\xff <a@\xfe> 99999999999999999999 +0000\ncommitter B\n\nbad \xff byte\n\n\xfe\n"
	if err := os.WriteFile(f.path("raw"), []byte(raw), 0o644); err != nil {
		t.Fatal(err)
	}
	id := f.git("repo", "hash-object", "-t", "commit", "--literally", "-w", f.path("raw"))
	err := f.open("repo").Commits(context.Background(), LogOptions{Revision: id}, func(c Commit) error {
		if c.AuthorName != "A\ufffd" || c.AuthorEmail != "a@\ufffd" || c.CommitTime != 0 || c.Subject != "bad \ufffd byte" || c.Body != "\ufffd" {
			t.Errorf("%+v", c)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestConfigurationDoesNotDecide(t *testing.T) {
	f := merged(t)
	r := f.open("repo")
	head := f.git("repo", "rev-parse", "HEAD")
	log, hunks := f.log(r, LogOptions{Counts: true, Merges: true}), f.hunks(r, head, HunkOptions{})
	trap := f.path("trap.sh")
	if err := os.WriteFile(trap, []byte("#!/bin/sh\ntouch '"+f.path("ran")+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"diff.noprefix": "true", "diff.mnemonicPrefix": "true", "diff.renames": "false", "diff.context": "9", "diff.orderFile": "order", "log.showRoot": "false", "log.follow": "true", "log.showSignature": "true",
		"log.diffMerges": "on", "color.ui": "always", "diff.external": trap, "core.fsmonitor": trap, "core.pager": trap, "gpg.program": trap, "diff.evil.textconv": trap, "diff.evil.command": trap, "filter.evil.clean": trap, "core.sshCommand": trap,
		"alias.log": "!" + trap, "diff.relative": "true", "diff.algorithm": "patience", "diff.interHunkContext": "20", "format.notes": "*", "i18n.logOutputEncoding": "UTF-16"} {
		f.git("repo", "config", key, value)
	}
	if err := os.WriteFile(f.path("repo/.git/info/attributes"), []byte("* diff=evil filter=evil\n*.txt -diff\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f.write("order", "lib/*\n")
	f.git("repo", "replace", "HEAD", "HEAD~1")
	want(t, "log", f.log(r, LogOptions{Counts: true, Merges: true}), log...)
	want(t, "hunks", f.hunks(r, head, HunkOptions{}), hunks...)
	f.git("repo", "replace", "-d", "HEAD")
	os.Remove(f.path("repo/.git/info/attributes"))
	f.write(".gitattributes", "* diff=evil filter=evil\n")
	f.write("a.txt", tenLines)
	files, err := r.Diff(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want(t, "diff", showHunks(files), "M a.txt: -2,2+2,1")
	if _, err := os.Lstat(f.path("ran")); err == nil {
		t.Error("a program that the repository names was run")
	}
}

func TestShallowClone(t *testing.T) {
	f := newFixture(t)
	for i := range 4 {
		f.write("a.txt", fmt.Sprintf("%d\n", i))
		f.commit(fmt.Sprintf("c%d", i))
	}
	f.git("", "clone", "-q", "--depth=2", "file://"+f.path("repo"), "shallow")
	r, ctx := f.open("shallow"), context.Background()
	want(t, "commits", f.log(r, LogOptions{Counts: true}), "c3: M a.txt +1-1", "c2 (cut)")
	if n, err := r.CommitCount(ctx, ""); n != 2 || err != nil {
		t.Errorf("%d commits, %v", n, err)
	}
	if shallow, err := r.IsShallow(); !shallow || err != nil {
		t.Errorf("shallow: %v, %v", shallow, err)
	}
	if _, err := r.Hunks(ctx, "HEAD~1", HunkOptions{}); !errors.Is(err, ErrCut) {
		t.Errorf("hunks at the cut: %v", err)
	}
	if _, err := r.ParentOf(ctx, "HEAD~1"); !errors.Is(err, ErrCut) {
		t.Errorf("parent at the cut: %v", err)
	}
	whole := f.open("repo")
	if _, err := whole.ParentOf(ctx, "HEAD~3"); !errors.Is(err, ErrNoParent) {
		t.Errorf("parent of the first: %v", err)
	}
	if shallow, err := whole.IsShallow(); shallow || err != nil {
		t.Errorf("shallow: %v, %v", shallow, err)
	}
	head, tail := f.git("repo", "rev-parse", "HEAD"), f.git("repo", "rev-parse", "HEAD~1")
	var told []string
	err := r.HunksOf(ctx, []string{tail, head, tail}, HunkOptions{}, func(c CommitHunks) error {
		told = append(told, fmt.Sprintf("%s %v %d", f.names[c.Commit], errors.Is(c.Err, ErrCut), len(c.Files)))
		return nil
	})
	want(t, "batch", told, "c2 true 0", "c3 false 1")
	if err != nil {
		t.Error(err)
	}
}

func TestKindsOfRepositories(t *testing.T) {
	f := merged(t)
	ctx := context.Background()
	head := f.git("repo", "rev-parse", "HEAD")
	f.git("", "clone", "-q", "--bare", "repo", "bare.git")
	f.git("repo", "worktree", "add", "-q", "-b", "linked-branch", "../linked", "topic")
	f.git("", "clone", "-q", "repo", "detached")
	f.git("detached", "checkout", "-q", "--detach")
	f.git("", "init", "-q", "unborn")
	if err := os.Mkdir(f.path("plain"), 0o755); err != nil {
		t.Fatal(err)
	}
	topic := f.git("repo", "rev-parse", "topic")
	for dir, w := range map[string][3]string{"repo": {head, "main", "5"}, "repo/lib": {head, "main", "5"}, "repo/.git": {head, "main", "5"}, "bare.git": {head, "main", "5"}, "linked": {topic, "linked-branch", "2"}, "detached": {head, "", "5"}} {
		r := f.open(dir)
		id, branch, err := r.Head(ctx)
		n, countErr := r.CommitCount(ctx, "HEAD")
		if id != w[0] || branch != w[1] || fmt.Sprint(n) != w[2] || err != nil || countErr != nil || r.Root() != f.path(dir) {
			t.Errorf("%s: %s %s %d, %v, %v", dir, id, branch, n, err, countErr)
		}
	}
	if got := f.open("repo/lib").Prefix() + f.open("repo").Prefix() + f.open("repo/.git").Prefix() + f.open("bare.git").Prefix(); got != "lib/" {
		t.Errorf("prefixes %q", got)
	}
	want(t, "bare", f.log(f.open("bare.git"), LogOptions{Max: 1}), "last: M a.txt, A lib/c.txt")
	if _, err := f.open("bare.git").Diff(ctx); !errors.Is(err, ErrNoWorkTree) {
		t.Errorf("bare diff: %v", err)
	}
	r := f.open("unborn")
	for name, err := range map[string]error{"head": second3(r.Head(ctx)), "log": r.Commits(ctx, LogOptions{}, nil), "count": second(r.CommitCount(ctx, "")), "diff": second(r.Diff(ctx)), "hunks": second(r.Hunks(ctx, "HEAD", HunkOptions{}))} {
		if !errors.Is(err, ErrUnborn) || !errors.Is(err, ErrNoHistory) {
			t.Errorf("unborn %s: %v", name, err)
		}
	}
	if _, err := Open(f.path("plain")); !errors.Is(err, ErrNoRepository) || !errors.Is(err, ErrNoHistory) {
		t.Errorf("no repository: %v", err)
	}
	for _, dir := range []string{"missing", "repo/a.txt"} {
		if _, err := Open(f.path(dir)); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	t.Setenv("PATH", f.path("plain"))
	if _, err := Open(f.path("repo")); !errors.Is(err, ErrNoGit) || !errors.Is(err, ErrNoHistory) {
		t.Errorf("no git: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func second3[T any](_, _ T, err error) error { return err }

func TestAncestors(t *testing.T) {
	f := merged(t)
	r, ctx := f.open("repo"), context.Background()
	for pair, want := range map[[2]string]bool{{"topic", "main"}: true, {"main", "topic"}: false, {"main", "main"}: true, {"elsewhere", "main"}: false, {"main~1", "elsewhere"}: true, {"topic", ""}: true} {
		if got, err := r.IsAncestor(ctx, pair[0], pair[1]); got != want || err != nil {
			t.Errorf("%v: %v, %v", pair, got, err)
		}
	}
	if _, err := r.IsAncestor(ctx, "nope", "main"); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("unknown: %v", err)
	}
	if id, err := r.ParentOf(ctx, "main~1"); f.names[id] != "main1" || err != nil {
		t.Errorf("parent of the merge: %s, %v", id, err)
	}
	for _, o := range []LogOptions{{Revision: "nope"}, {NotReachableFrom: "nope"}, {Max: -1}, {Path: "../x"}, {Path: "/x"}, {Path: "a\x00b"}} {
		if err := r.Commits(ctx, o, func(Commit) error { return nil }); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestCommitsStop(t *testing.T) {
	f := merged(t)
	r := f.open("repo")
	mine := errors.New("enough")
	n := 0
	if err := r.Commits(context.Background(), LogOptions{}, func(Commit) error { n++; return mine }); !errors.Is(err, mine) || n != 1 {
		t.Errorf("%d commits, %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := r.Commits(ctx, LogOptions{}, func(Commit) error { cancel(); return nil }); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled on the way: %v", err)
	}
	if err := r.Commits(ctx, LogOptions{}, func(Commit) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestContentsThatAreNotHere removes blobs, as in a partial clone: one commit lacks them, then many.
func TestContentsThatAreNotHere(t *testing.T) {
	f := newFixture(t)
	forget := func(names ...string) {
		for _, name := range names {
			id := f.git("repo", "rev-parse", "HEAD:"+name)
			if err := os.Remove(f.path("repo/.git/objects/" + id[:2] + "/" + id[2:])); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.write("a.txt", "0\n")
	f.commit("c0")
	f.write("gone.txt", tenLines)
	f.commit("c1")
	f.write("a.txt", "1\n")
	f.commit("c2")
	f.git("", "clone", "-q", "repo", "whole")
	forget("gone.txt")
	r, ctx := f.open("repo"), context.Background()
	want(t, "one", f.log(r, LogOptions{Counts: true}), "c2: M a.txt +1-1", "c1 (limited): A gone.txt", "c0: A a.txt +1-0")
	want(t, "without counts", f.log(r, LogOptions{}), "c2: M a.txt", "c1: A gone.txt", "c0: A a.txt")
	want(t, "at most two", f.log(r, LogOptions{Counts: true, Max: 2}), "c2: M a.txt +1-1", "c1 (limited): A gone.txt")
	if _, err := r.Hunks(ctx, "HEAD~1", HunkOptions{}); !errors.Is(err, ErrMissing) {
		t.Errorf("hunks: %v", err)
	}
	ids := []string{f.git("repo", "rev-parse", "HEAD"), f.git("repo", "rev-parse", "HEAD~1"), f.git("repo", "rev-parse", "HEAD~2")}
	var told []string
	err := r.HunksOf(ctx, ids, HunkOptions{}, func(c CommitHunks) error {
		told = append(told, fmt.Sprintf("%s %v %q", f.names[c.Commit], errors.Is(c.Err, ErrMissing), showHunks(c.Files)))
		return nil
	})
	want(t, "batch", told, `c2 false ["M a.txt: -1,1+1,1"]`, `c1 true []`, `c0 false ["A a.txt: -0,0+1,1"]`)
	if err != nil {
		t.Error(err)
	}
	os.RemoveAll(f.path("repo"))
	os.Rename(f.path("whole"), f.path("repo"))
	names := []string{"gone.txt"}
	for i := range maxLacking + 4 {
		names = append(names, fmt.Sprintf("m%02d.txt", i))
		f.write(names[i+1], names[i+1])
		f.commit(names[i+1])
	}
	forget(names...)
	rows := f.log(r, LogOptions{Counts: true})
	if len(rows) != maxLacking+7 || rows[0] != "m19.txt (limited): A m19.txt" || !slices.Contains(rows, "c1 (limited): A gone.txt") {
		t.Errorf("many: %q", rows)
	}
}

func TestReadLog(t *testing.T) {
	id, blob := strings.Repeat("a", 40), strings.Repeat("1", 40)
	head := "\x01" + id + "\x00" + blob + " " + id + "\x00N\x00e@x\x007\x008\x00subject\x00body\n\x00"
	change := "\n:100644 100644 " + blob + " " + blob + " M\x00a\x00"
	moved := ":100644 100644 " + blob + " " + blob + " R090\x00old\nname\x00new\x00"
	read := func(log string) ([]Commit, error) {
		l := &logReader{fields: bufio.NewReaderSize(strings.NewReader(log), 16)}
		var all []Commit
		for {
			before, err := l.next()
			if before != nil {
				all = append(all, *before)
			}
			if err != nil {
				if l.commit != nil {
					all = append(all, *l.commit)
				}
				if err.Error() == "EOF" {
					err = nil
				}
				return all, err
			}
		}
	}
	all, err := read(head + change + moved + "3\t-\ta\x00")
	if err == nil {
		t.Errorf("half a count: %+v", all)
	}
	all, err = read(head + change + moved + "3\t1\ta\x00-\t-\t\x00old\nname\x00new\x00" + head)
	if err != nil || len(all) != 2 || len(all[1].Files) != 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	c := all[0]
	if got := []string{showChange(c.Files[0]), showChange(c.Files[1])}; !slices.Equal(got, []string{"M a +3-1", "R old\nname > new binary"}) {
		t.Errorf("%q", got)
	}
	if c.ID != id || !slices.Equal(c.Parents, []string{blob, id}) || c.AuthorTime != 7 || c.CommitTime != 8 || c.Body != "body" {
		t.Errorf("%+v", c)
	}
	for _, bad := range []string{"x\x00", "\x01short\x00", head[:60], head + "\n:100644 M\x00a\x00", head + "\n:100644 100644 " + blob + " " + blob + " X\x00a\x00", head + change + "1\t1\tb\x00", head + "1\t1\ta\x00", head + change + "1\t1\ta\x001\t1\ta\x00",
		head + change[:len(change)-2], head + change + "-1\t1\ta\x00", head + "\n:100644 100644 " + blob + " " + blob + " M\x00\x00", head + moved[:len(moved)-4]} {
		if all, err := read(bad); err == nil {
			t.Errorf("%q is read: %+v", bad, all)
		}
	}
}

func FuzzLog(f *testing.F) {
	id := strings.Repeat("a", 40)
	head := "\x01" + id + "\x00\x00N\x00e\x007\x008\x00s\x00b\x00"
	for _, s := range []string{head, head + "\n:100644 100644 " + id + " " + id + " M\x00a\x001\t1\ta\x00" + head, head + "\n:100644 100644 " + id + " " + id + " R100\x00a\x00b\x00-\t-\t\x00a\x00b\x00", "\x01", "\n\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, log string) {
		l := &logReader{fields: bufio.NewReaderSize(strings.NewReader(log), 16)}
		for {
			c, err := l.next()
			if c != nil {
				if !utf8.ValidString(c.Subject + c.Body + c.AuthorName + c.AuthorEmail) {
					t.Fatalf("%+v", c)
				}
				for _, f := range c.Files {
					if f.Path == "" || f.Added < 0 || f.Deleted < 0 {
						t.Fatalf("%+v", f)
					}
				}
			}
			if err != nil {
				return
			}
		}
	})
}
