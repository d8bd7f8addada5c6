package history

import (
	"bufio"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"agenvantage"
)

func TestHunks(t *testing.T) {
	f := newFixture(t)
	r := f.open("repo")
	step := func(name string, files map[string]string, want_ ...string) {
		t.Helper()
		for path, content := range files {
			if content == "(gone)" {
				os.Remove(f.path("repo/" + path))
				continue
			}
			f.write(path, content)
		}
		id := f.commit(name)
		want(t, name, f.hunks(r, id, HunkOptions{}), want_...)
	}
	step("first", map[string]string{"a.txt": tenLines, "noend": "x", "empty": ""}, "A a.txt: -0,0+1,10", "A empty", "A noend: -0,0+1,1")
	step("insert at the top", map[string]string{"a.txt": "zero\n" + tenLines}, "M a.txt: -0,0+1,1")
	step("delete at the top", map[string]string{"a.txt": tenLines}, "M a.txt: -1,1+0,0")
	step("three places", map[string]string{"a.txt": "one\nTWO\nthree\nfour\n4b\n4c\nfive\nsix\neight\nnine\nten\n"}, "M a.txt: -2,1+2,1 -4,0+5,2 -7,1+8,0")
	step("no end of line", map[string]string{"noend": "x\ny"}, "M noend: -1,1+1,2")
	step("end of line", map[string]string{"noend": "x\ny\n"}, "M noend: -2,1+2,1")
	step("filled and emptied", map[string]string{"empty": "a\nb\n", "noend": ""}, "M empty: -0,0+1,2", "M noend: -1,2+0,0")
	step("deleted", map[string]string{"empty": "(gone)", "noend": "(gone)"}, "D empty: -1,2+0,0", "D noend")
	forged := "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n\x01" + strings.Repeat("a", 40) + "\n\\ No newline at end of file\n-- a\n++ b\n"
	step("contents that look like a patch", map[string]string{"f": forged}, "A f: -0,0+1,8")
	step("and go", map[string]string{"f": "-- /dev/null\n++ /dev/null\n"}, "M f: -1,8+1,2")
	step("carriage returns and long lines", map[string]string{"f": "a\r\nb\r\r\n" + strings.Repeat("x", 300_000) + "\nlast\x0c\n"}, "M f: -1,2+1,4")
	step("odd names", map[string]string{"a b/c d.txt": "x\n", "q\"uote": "x\n", "back\\slash": "x\n", "tab\t": "x\n", "new\nline b/x": "", "é\xff": "x\n", " b": "", "b b": ""}, "A  b", "A a b/c d.txt: -0,0+1,1", "A b b", "A back\\slash: -0,0+1,1", "A new\nline b/x",
		"A q\"uote: -0,0+1,1", "A tab\t: -0,0+1,1", "A é\xff: -0,0+1,1")
	want(t, "a part of the tree", f.hunks(f.open("repo/a b"), "HEAD", HunkOptions{}), "A c d.txt: -0,0+1,1")
	want(t, "of another part", f.hunks(f.open("repo/a b"), "HEAD~1", HunkOptions{}))
	step("space", map[string]string{"a b/c d.txt": "\tx \n", "q\"uote": " x\ny\n"}, "M a b/c d.txt: -1,1+1,1", "M q\"uote: -1,1+1,2")
	var withLines []string
	files, err := r.Hunks(context.Background(), "HEAD", HunkOptions{IgnoreSpace: true})
	for _, file := range files {
		if len(file.Hunks) > 0 {
			withLines = append(withLines, showHunks([]FileHunks{file})...)
		}
	}
	want(t, "space ignored", withLines, "M q\"uote: -1,0+2,1")
	if err != nil {
		t.Error(err)
	}
}

func TestHunksOfAMergeAreThoseAgainstItsFirstParent(t *testing.T) {
	f := merged(t)
	r := f.open("repo")
	want(t, "merge", f.hunks(r, "main~1", HunkOptions{}), "A side.txt: -0,0+1,1")
	var ids, told []string
	if err := r.Commits(context.Background(), LogOptions{Merges: true}, func(c Commit) error { ids = append(ids, c.ID); return nil }); err != nil {
		t.Fatal(err)
	}
	ids = append([]string{ids[4], ids[2]}, append(ids, ids...)...) // oldest first, and more than once
	err := r.HunksOf(context.Background(), ids, HunkOptions{}, func(c CommitHunks) error {
		told = append(told, f.names[c.Commit]+": "+strings.Join(showHunks(c.Files), ", "))
		return c.Err
	})
	want(t, "batch", told, "first: A a.txt: -0,0+1,10, A lib/b.txt: -0,0+1,1", "main1: M lib/b.txt: -1,0+2,1", "last: M a.txt: -2,1+2,2, A lib/c.txt: -0,0+1,1", "merge: A side.txt: -0,0+1,1", "side: A side.txt: -0,0+1,1")
	if err != nil {
		t.Error(err)
	}
	mine, n := errors.New("enough"), 0
	if err := r.HunksOf(context.Background(), ids, HunkOptions{}, func(CommitHunks) error { n++; return mine }); !errors.Is(err, mine) || n != 1 {
		t.Errorf("%d told, %v", n, err)
	}
	for _, bad := range []string{"HEAD", strings.Repeat("0", 40), strings.Repeat("1", 40), f.git("repo", "rev-parse", "HEAD^{tree}")} {
		if err := r.HunksOf(context.Background(), []string{bad}, HunkOptions{}, func(CommitHunks) error { return nil }); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if err := r.HunksOf(context.Background(), nil, HunkOptions{}, nil); err != nil {
		t.Errorf("no commits: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.HunksOf(ctx, ids, HunkOptions{}, func(CommitHunks) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestDiff(t *testing.T) {
	f := merged(t)
	diff := func(dir string) []string {
		t.Helper()
		files, err := f.open(dir).Diff(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return showHunks(files)
	}
	want(t, "clean", diff("repo"))
	f.write("a.txt", tenLines) // not staged
	f.write("lib/b.txt", "b\nb2\nb3\n")
	f.write("lib/new.txt", "x\ny\n")
	f.git("repo", "add", "lib") // staged
	f.write("untracked.txt", "x\n")
	os.Remove(f.path("repo/side.txt"))
	want(t, "dirty", diff("repo"), "M a.txt: -2,2+2,1", "M lib/b.txt: -2,0+3,1", "A lib/new.txt: -0,0+1,2", "D side.txt: -1,1+0,0")
	want(t, "below the top", diff("repo/lib"), "M b.txt: -2,0+3,1", "A new.txt: -0,0+1,2")
	f.git("repo", "worktree", "add", "-q", "--detach", "../linked", "topic")
	if err := os.WriteFile(f.path("linked/side.txt"), []byte("S\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want(t, "linked work tree", diff("linked"), "M side.txt: -1,1+1,1")
	f.git("repo", "config", "core.worktree", f.path(""))
	want(t, "a configuration that names another work tree", diff("repo/lib"), "M b.txt: -2,0+3,1", "A new.txt: -0,0+1,2")
}

func TestDiffOfAConflict(t *testing.T) {
	f := newFixture(t)
	f.write("a.txt", "one\n")
	f.commit("base")
	f.git("repo", "checkout", "-q", "-b", "other")
	f.write("a.txt", "two\n")
	f.commit("other")
	f.git("repo", "checkout", "-q", "main")
	f.write("a.txt", "three\n")
	f.commit("mine")
	if out, err := f.tryGit("repo", "merge", "other"); err == nil {
		t.Fatalf("the fixture has no conflict: %s", out)
	}
	files, err := f.open("repo").Diff(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want(t, "conflict", showHunks(files), "M a.txt: -0,0+1,1 -1,0+3,3")
}

func parsePatch(patch string, withCommits bool) (files []FileHunks, commits []string, err error) {
	p := &patchReader{lines: bufio.NewReaderSize(strings.NewReader(patch), 16), file: func(f FileHunks) error { files = append(files, f); return nil }}
	if withCommits {
		p.commit = func(id string) error { commits = append(commits, id); return nil }
	}
	return files, commits, p.read()
}

func TestPatchErrors(t *testing.T) {
	head := "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"
	for _, bad := range []string{"hello\n", "diff --git a/x b/y\n", "diff --git x x\n", "diff --git a/x\n", "diff --git a/ b/\n", head + "@@ -1 +1 @@\n-a\n", head + "@@ -1 +1 @@\n-a\n+b", head + "@@ -1 +1 @@\n-a\n-b\n+c\n", head + "@@ -x +1 @@\n", head + "@@ -1,+1 @@\n",
		head + "@@ -1 +1\n", head + "@@ -0 +1 @@\n", head + "@@ -1,99999999999 +1 @@\n", head + "@@ -1 +1 @@\n-a\n*b\n", "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n", "diff --git a/x b/x\n--- a/x\n", "diff --git a/x b/x\n--- x\n+++ b/x\n",
		"diff --git a/x b/x\nrename from \"x\n", "diff --git a/x b/x\n--- \"a/\\9\"\n+++ b/x\n", "\x01short\n", "@@ -1 +1 @@\n-a\n+b\n", head + "@@ -1 +1 @@\n-a\n\n"} {
		if files, _, err := parsePatch(bad, true); err == nil {
			t.Errorf("%q is read: %+v", bad, files)
		}
	}
	if _, _, err := parsePatch("\x01"+strings.Repeat("a", 40)+"\n", false); err == nil {
		t.Error("a commit is read where none can be")
	}
}

func TestUnquote(t *testing.T) {
	for in, want := range map[string]string{"plain": "plain", `a\b`: `a\b`, `""`: "", `"a\"b\\c"`: `a"b\c`, `"\a\b\t\n\v\f\r"`: "\a\b\t\n\v\f\r", `"\303\251\377"`: "é\xff", `"é"`: "é"} {
		if got, err := unquote(in); got != want || err != nil {
			t.Errorf("%s: %q, %v", in, got, err)
		}
	}
	for _, bad := range []string{`"`, `"a`, `"a\"`, `"\9"`, `"\12"`, `"\400"`, `"\x41"`, `"a"b"`} {
		if got, err := unquote(bad); err == nil {
			t.Errorf("%s: %q", bad, got)
		}
	}
}

func FuzzPatch(f *testing.F) {
	id := strings.Repeat("a", 40)
	for _, s := range []string{"\x01" + id + "\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@ f\n-a\n+b\n+c\n\\ No newline at end of file\n\x01" + id + "\n",
		"diff --git \"a/q\\\"\" \"b/q\\\"\"\nnew file mode 100644\n", "diff --git a/a b/b\nsimilarity index 90%\nrename from a\nrename to b\n", "diff --git a/l b/l\ndeleted file mode 100644\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\ndiff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+y\n",
		"diff --git a/b b/b\nBinary files a/b and b/b differ\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, patch string) {
		files, _, err := parsePatch(patch, true)
		if err != nil {
			return
		}
		for _, file := range files {
			if file.OldPath == "" && file.NewPath == "" || file.OldPath == "" && file.Status != Added || file.NewPath == "" && file.Status != Deleted {
				t.Fatalf("%+v", file)
			}
			for _, h := range file.Hunks {
				if h.OldLines < 0 || h.NewLines < 0 || h.OldLines > 0 && h.OldStart < 1 || h.NewLines > 0 && h.NewStart < 1 {
					t.Fatalf("%+v", h)
				}
			}
		}
	})
}
