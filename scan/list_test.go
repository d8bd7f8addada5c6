package scan

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

func TestListHonoursEveryIgnoreSource(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		tr := newTree(t)
		tr.git("init", "-q")
		tr.write(".gitignore", "addons/*\n!addons/keep\n/*.tmp\n!wanted.tmp\nlogs/\n!logs/inside.py\n*.gen.js\n")
		tr.write("web/.gitignore", ".output\n/deps/\n!special.gen.js\n")
		tr.touch("addons/keep/mod.py", "addons/drop/mod.py", "wanted.tmp", "other.tmp", "logs/inside.py", "core.py", "web/.output/b.js", "web/deps/lib.js",
			"web/src/deps/real.js", "web/special.gen.js", "a.gen.js", "scratch/notes.py", "personal.py", "home.bak")
		tr.write(".git/info/exclude", "scratch/\n")
		tr.write("../home/excludes", "personal.py\n")
		tr.write("../home/gitconfig", "[core]\n\texcludesFile = ~/excludes\n")
		wantStrings(t, "entries", paths(tr.list("", o)), ".gitignore", "addons/keep/mod.py", "core.py", "home.bak", "wanted.tmp", "web/.gitignore", "web/special.gen.js", "web/src/deps/real.js")
		tr.write("../home/gitconfig", "")
		tr.write("../home/.config/git/ignore", "home.bak\n")
		if got := paths(tr.list("", o)); slices.Contains(got, "home.bak") || !slices.Contains(got, "personal.py") {
			t.Errorf("the user's default excludes file is not followed: %q", got)
		}
	})
}

func TestListKeepsTrackedFilesThatARuleNames(t *testing.T) {
	tr := newTree(t)
	tr.touch("kept.log", "a.py")
	tr.commit()
	tr.write(".gitignore", "*.log\n")
	tr.touch("new.log")
	wantStrings(t, "entries", paths(tr.list("", Options{})), ".gitignore", "a.py", "kept.log")
}

func TestListFollowsChangedRules(t *testing.T) {
	tr := newTree(t)
	tr.git("init", "-q")
	tr.write(".gitignore", "private/\n")
	tr.touch("private/p.py", "public/q.py")
	wantStrings(t, "before", paths(tr.list("", Options{})), ".gitignore", "public/q.py")
	tr.write(".gitignore", "public/\n")
	wantStrings(t, "after", paths(tr.list("", Options{})), ".gitignore", "private/p.py")
}

func TestListLeavesOutDeletedFiles(t *testing.T) {
	tr := newTree(t)
	tr.touch("a.py", "gone.py", "dir/gone.py", "becomes_dir")
	tr.commit()
	for _, n := range []string{"gone.py", "dir", "becomes_dir"} {
		os.RemoveAll(tr.path(n))
	}
	tr.touch("becomes_dir/x.py")
	l := tr.list("", Options{})
	wantStrings(t, "entries", paths(l), "a.py", "becomes_dir/x.py")
	wantStrings(t, "skips", skips(l))
}

func TestListInsideALargerWorkTree(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		tr := newTree(t)
		tr.git("init", "-q")
		tr.write(".gitignore", "*.log\n/sub/local/\nbuild/\n")
		tr.write("sub/.gitignore", "own\n")
		tr.touch("top.py", "sub/a.py", "sub/x.log", "sub/local/l.py", "sub/deep/local/kept.py", "sub/own", "build/out.py", "build/deep/b.py")
		l := tr.list("sub", o)
		wantStrings(t, "entries", paths(l), ".gitignore", "a.py", "deep/local/kept.py")
		if !l.HasGit {
			t.Error("the enclosing repository is not seen")
		}
		wantStrings(t, "a folder that the repository ignores stands alone", paths(tr.list("build", o)), "deep/b.py", "out.py")
	})
}

func TestListWithoutARepository(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		tr := newTree(t)
		tr.write(".gitignore", "skip.py\nout/\n")
		tr.touch("a.py", "skip.py", "out/x.py", "deep/er/b.py")
		l := tr.list("", o)
		wantStrings(t, "entries", paths(l), ".gitignore", "a.py", "deep/er/b.py")
		if l.HasGit || l.Revision != "" || l.Branch != "" {
			t.Errorf("HasGit %v, revision %q, branch %q", l.HasGit, l.Revision, l.Branch)
		}
		tr.mkdir("empty")
		if l := tr.list("empty", o); len(l.Entries)+len(l.Skips)+l.Candidates != 0 || l.DecidingRule != "" {
			t.Errorf("empty folder: %+v", l)
		}
	})
}

func TestListHead(t *testing.T) {
	tr := newTree(t)
	tr.git("init", "-q")
	tr.touch("draft.py")
	l := tr.list("", Options{})
	wantStrings(t, "unborn", paths(l), "draft.py")
	if l.Revision != "" || l.Branch != "main" || !l.HasGit {
		t.Errorf("unborn: revision %q, branch %q", l.Revision, l.Branch)
	}
	tr.commit()
	tr.git("branch", "feature/x")
	id := tr.git("rev-parse", "HEAD")
	for _, step := range [][]string{{"status"}, {"pack-refs", "--all"}, {"checkout", "-q", "feature/x"}, {"checkout", "-q", "--detach"}} {
		tr.git(step...)
		want := map[string]string{"status": "main", "pack-refs": "main"}[step[0]]
		if step[len(step)-1] == "feature/x" {
			want = "feature/x"
		}
		if l := tr.list("", Options{}); l.Revision != id || l.Branch != want {
			t.Errorf("after %v: revision %q, branch %q, want %q", step, l.Revision, l.Branch, want)
		}
	}
	if revision, branch, ok := Head(tr.path("")); revision != id || branch != "" || !ok {
		t.Errorf("Head: %q %q %v", revision, branch, ok)
	}
}

func TestOwnIgnoreFiles(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		tr := newTree(t)
		tr.touch("src/a.py", "src/data/big.csv", "src/data/keep.csv", "docs/x.md", "lib/util.ts", "generated/g.py")
		for _, other := range []string{".dockerignore", ".npmignore", ".cursorignore", ".eslintignore", ".ignore", ".rgignore"} {
			tr.write(other, "*\n")
		}
		tr.commit()
		tr.write(".agenvantageignore", "# ours\ndocs/\n/generated\n.*ignore\n")
		tr.write("src/.agenvantageignore", "*.csv\n!keep.csv\n.agenvantageignore\n")
		l := tr.list("", o)
		wantStrings(t, "entries", paths(l), "lib/util.ts", "src/a.py", "src/data/keep.csv")
		i := slices.IndexFunc(l.Skips, func(s agenvantage.Skip) bool { return s.Path == "docs/x.md" })
		if i < 0 || l.Skips[i].Reason != agenvantage.SkipOwnIgnore || l.Skips[i].Detail != ".agenvantageignore:2: docs/" {
			t.Errorf("docs/x.md: %v", l.Skips)
		}
		tr.write(".agenvantageignore", "\n*\n")
		l = tr.list("", o)
		if len(l.Entries) != 0 || l.Candidates < 8 || l.DecidingRule != ".agenvantageignore:2: *" {
			t.Errorf("%d entries, %d candidates, rule %q", len(l.Entries), l.Candidates, l.DecidingRule)
		}
	})
}

func TestDecidingRuleOfGit(t *testing.T) {
	for _, repository := range []bool{true, false} {
		bothWays(t, func(t *testing.T, o Options) {
			tr := newTree(t)
			if repository {
				tr.git("init", "-q")
			}
			tr.write(".gitignore", "# nothing\n*\n")
			tr.touch("a.py", "b/c.py")
			l := tr.list("", o)
			if len(l.Entries) != 0 || l.Candidates == 0 || l.DecidingRule != ".gitignore:2: *" {
				t.Errorf("repository %v: %d entries, %d candidates, rule %q", repository, len(l.Entries), l.Candidates, l.DecidingRule)
			}
		})
	}
}

func TestSubmodules(t *testing.T) {
	tr := newTree(t)
	for _, up := range []string{"../inner", "../upstream"} {
		tr.write(up+"/.gitignore", "out/\n")
		tr.touch(up + "/child.py")
		tr.gitIn(up, "init", "-q")
		if up == "../upstream" {
			tr.gitIn(up, "submodule", "--quiet", "add", tr.path("../inner"), "deep")
		}
		tr.gitIn(up, "add", "-A")
		tr.gitIn(up, "commit", "-q", "-m", "x")
	}
	tr.touch("parent.py")
	tr.commit()
	tr.git("submodule", "--quiet", "add", tr.path("../upstream"), "vendor/sub")
	tr.git("submodule", "--quiet", "update", "--init", "--recursive")
	tr.mkdir("vendor/ghost")
	tr.git("update-index", "--add", "--cacheinfo", "160000,0123456789abcdef0123456789abcdef01234567,vendor/ghost")
	tr.git("commit", "-q", "-a", "-m", "submodules")
	tr.touch("vendor/sub/out/gen.py", "vendor/sub/untracked.py", "vendor/sub/deep/out/gen.py")
	l := tr.list("", Options{})
	wantStrings(t, "entries", paths(l), ".gitmodules", "parent.py", "vendor/sub/.gitignore", "vendor/sub/.gitmodules", "vendor/sub/child.py",
		"vendor/sub/deep/.gitignore", "vendor/sub/deep/child.py", "vendor/sub/untracked.py")
	wantStrings(t, "skips", skips(l), "vendor/ghost/:submodule")
	wantStrings(t, "below the top", paths(tr.list("vendor", Options{}))[:2], "sub/.gitignore", "sub/.gitmodules")
	wantStrings(t, "the submodule as the root", paths(tr.list("vendor/sub", Options{}))[2:3], "child.py")
	tr.write(".agenvantageignore", "deep\n")
	if got := paths(tr.list("", Options{})); slices.Contains(got, "vendor/sub/deep/child.py") {
		t.Errorf("own rules do not reach into submodules: %q", got)
	}
	os.Remove(tr.path(".agenvantageignore"))
	without := tr.list("", Options{WithoutGit: true})
	if got := paths(without); !slices.Contains(got, "vendor/sub/deep/child.py") || slices.Contains(got, "vendor/sub/out/gen.py") {
		t.Errorf("without git: %q", got)
	}
	root, err := FindRoot(tr.path("vendor/sub/out"))
	if err != nil || root != tr.path("vendor/sub") {
		t.Errorf("FindRoot: %q, %v", root, err)
	}
}

func TestNestedRepositoriesAndWorkTrees(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		tr := newTree(t)
		tr.write(".gitignore", ".trees/\n")
		tr.touch("app.go")
		tr.commit()
		tr.git("worktree", "add", "-q", "-b", "one", ".trees/one")
		tr.git("worktree", "add", "-q", "-b", "two", "side")
		tr.git("worktree", "add", "-q", "-b", "three", "broken")
		tr.write("broken/.git", "gitdir: /nowhere/.git/worktrees/broken\n") // as when the tree was moved
		tr.touch("other/x.py", "dir/unborn/y.py")
		tr.gitIn("other", "init", "-q")
		tr.gitIn("other", "add", "-A")
		tr.gitIn("other", "commit", "-q", "-m", "x")
		tr.gitIn("dir/unborn", "init", "-q")
		l := tr.list("", o)
		wantStrings(t, "entries", paths(l), ".gitignore", "app.go")
		wantStrings(t, "skips", skips(l), "broken/:nested_worktree", "dir/unborn/:nested_repository", "other/:nested_repository", "side/:nested_worktree")
		wantStrings(t, "a linked work tree as the root", paths(tr.list("side", o)), ".gitignore", "app.go")
		if l := tr.list("side", o); l.Branch != "two" || len(l.Revision) != 40 {
			t.Errorf("head of a linked work tree: %q %q", l.Branch, l.Revision)
		}
	})
}

func TestBadRoots(t *testing.T) {
	tr := newTree(t)
	tr.touch("file")
	tr.commit()
	tr.git("init", "-q", "--bare", "../bare.git")
	for dir, say := range map[string]string{"missing": "does not exist", "file": "not a folder", "../bare.git": "bare repository", "../bare.git/refs": "bare repository", ".git": "inside a git folder"} {
		_, err := Open(tr.path(dir), Options{})
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v, want bad input that says %q", dir, err, say)
		}
	}
	tr.git("config", "core.bare", "true")
	w := tr.open("", Options{})
	if _, err := w.List(context.Background()); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "bare") {
		t.Errorf("core.bare: %v", err)
	}
	for _, o := range []Options{{MaxFileBytes: -1}, {IndexDir: "relative"}, {Languages: map[string]string{"foo": "klingon"}}, {IndexDir: tr.root}} {
		if _, err := Open(tr.root, o); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestDamagedRepositoryIsListedByItsIgnoreFiles(t *testing.T) {
	tr := newTree(t)
	tr.touch("a.py")
	tr.commit()
	tr.write(".gitignore", "no.py\n")
	tr.touch("no.py")
	tr.write(".git/index", "this is no index")
	l := tr.list("", Options{})
	wantStrings(t, "entries", paths(l), ".gitignore", "a.py")
	if len(l.Notes) == 0 || !strings.Contains(l.Notes[0], "git cannot read this repository") {
		t.Errorf("notes %q", l.Notes)
	}
}

func TestLinksAreNeverFollowed(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		tr := newTree(t)
		tr.touch("lib/one.py", "was/tracked.py", "../outside/secret.py")
		tr.commit()
		os.RemoveAll(tr.path("was"))
		tr.link("../outside", "was") // a tracked folder has become a link out of the tree
		tr.mkdir("a")
		for name, target := range map[string]string{"a/to_b": "../b", "b/to_a": "../a", "self": ".", "lib/up": "../..", "dangling": "nowhere", "loop1": "loop2", "loop2": "loop1", "lib/file": "one.py"} {
			tr.link(target, name)
		}
		l := tr.list("", o)
		wantStrings(t, "entries", paths(l), "lib/one.py")
		wantStrings(t, "skips", skips(l), "a/to_b:symlink", "b/to_a:symlink", "dangling:symlink", "lib/file:symlink", "lib/up:symlink", "loop1:symlink", "loop2:symlink", "self:symlink", "was:symlink")
		if l.Skips[0].Detail != "../b" {
			t.Errorf("the target is not told: %+v", l.Skips[0])
		}
		w := tr.open("", o)
		for _, p := range []string{"was/secret.py", "lib/file", "../outside/secret.py", "self/lib/one.py"} {
			s, skip, err := w.Read(context.Background(), Entry{Path: p})
			if err != nil || skip == nil && p != "self/lib/one.py" || strings.Contains(s.Text, "secret") {
				t.Errorf("Read(%q) = %q, %v, %v", p, s.Text, skip, err)
			}
		}
	})
}

func TestIndexFolderIsLeftOut(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		tr := newTree(t)
		tr.touch("a.py", ".agenvantage/x.db", "moved/x.db", "sub/.agenvantage/x", "plain/.agenvantage/kept.py")
		tr.write("sub/.agenvantage/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n")
		wantStrings(t, "entries", paths(tr.list("", o)), "a.py", "moved/x.db", "plain/.agenvantage/kept.py")
		o.IndexDir = tr.path("moved")
		l := tr.list("", o)
		wantStrings(t, "moved", paths(l), ".agenvantage/x.db", "a.py", "plain/.agenvantage/kept.py")
		wantStrings(t, "skips", skips(l), "moved/:index_folder", "sub/.agenvantage/:index_folder")
	})
}

func TestOddNames(t *testing.T) {
	names := []string{" lead.py", "-dash.py", "--all.py", "back\\slash.py", "colon:1:2.py", "dollar$(id).py", "new\nline.py", "quo'te\"d.py", "src dir/日本/モジュール.py", "star*[x].py", "tab\there.py",
		"with space.py", "caf\u00e9.py", "cafe\u0301.py", "raw\xff.py", "Case.py", "case.py", "trail /x.py", "warning: could not open directory 'x/': no/x.py"}
	bothWays(t, func(t *testing.T, o Options) {
		for _, tracked := range []bool{true, false} {
			tr := newTree(t)
			var made []string
			for _, n := range names {
				tr.mkdir(filepath.Dir(n))
				if err := os.WriteFile(tr.path(n), []byte("def f(): pass\n"), 0o644); err != nil {
					t.Logf("this file system refuses %q", n)
					continue
				}
				made = append(made, n)
			}
			slices.Sort(made)
			if tracked {
				tr.commit()
			}
			wantStrings(t, "entries", paths(tr.list("", o)), made...)
			for _, n := range made {
				if s, skip := tr.read(n, o); skip != nil || s.Text != "def f(): pass\n" || s.File.Lang != "python" {
					t.Errorf("%q: %q %v", n, s.Text, skip)
				}
			}
		}
	})
}

func TestPathInConflictIsListedOnce(t *testing.T) {
	tr := newTree(t)
	tr.write("a.py", "one\n")
	tr.commit()
	tr.git("checkout", "-q", "-b", "other")
	tr.write("a.py", "two\n")
	tr.commit()
	tr.git("checkout", "-q", "main")
	tr.write("a.py", "three\n")
	tr.commit()
	if w := tr.open("", Options{}); w.git != nil {
		w.git.Run(context.Background(), tr.root, nil, "-c", "user.name=x", "-c", "user.email=x@example.invalid", "merge", "other")
	}
	if stages := strings.Count(tr.git("ls-files", "-s"), "\n"); stages != 2 {
		t.Fatalf("the fixture has no conflict: %d", stages)
	}
	wantStrings(t, "entries", paths(tr.list("", Options{})), "a.py")
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("permission bits do not bind root")
	}
	bothWays(t, func(t *testing.T, o Options) {
		for _, sub := range []string{"", "sub"} {
			tr := newTree(t)
			at := func(n string) string { return filepath.ToSlash(filepath.Join(sub, n)) }
			tr.touch(at("a/alpha.py"), at("locked/secret.py"), at("locked/deep/x.py"), at("c/unreadable.py"))
			tr.commit()
			tr.touch(at("untracked/u.py"), at("listed/but/v.py"))
			locked := []string{at("locked"), at("untracked"), at("listed/but")}
			for _, d := range locked {
				os.Chmod(tr.path(d), 0)
			}
			os.Chmod(tr.path(at("listed/but")), 0o444)
			os.Chmod(tr.path(at("c/unreadable.py")), 0)
			defer func() {
				for _, d := range locked {
					os.Chmod(tr.path(d), 0o755)
				}
			}()
			l := tr.list(sub, o)
			wantStrings(t, "entries", paths(l), "a/alpha.py", "c/unreadable.py")
			wantStrings(t, "skips", skips(l), "listed/but/:unreadable", "locked/:unreadable", "untracked/:unreadable")
			for _, s := range l.Skips {
				if s.Detail != "permission denied" {
					t.Errorf("%+v", s)
				}
			}
			if _, skip := tr.read(at("c/unreadable.py"), o); skip == nil || skip.Reason != agenvantage.SkipUnreadable || skip.Detail != "permission denied" {
				t.Errorf("unreadable file: %+v", skip)
			}
		}
	})
}

func TestFindRoot(t *testing.T) {
	tr := newTree(t)
	tr.mkdir("deep/er")
	tr.mkdir("../plain/x")
	tr.git("init", "-q")
	for dir, want := range map[string]string{"deep/er": tr.root, "": tr.root, "../plain/x": tr.path("../plain/x")} {
		if got, err := FindRoot(tr.path(dir)); err != nil || got != want {
			t.Errorf("FindRoot(%q) = %q, %v, want %q", dir, got, err, want)
		}
	}
	tr.mkdir("deep/er/.git") // empty: no repository, as git sees it
	if got, _ := FindRoot(tr.path("deep/er")); got != tr.root {
		t.Errorf("an empty .git counts: %q", got)
	}
}

func TestListIsIndependentOfTheCallersGitEnvironment(t *testing.T) {
	tr := newTree(t)
	tr.touch("a.py")
	tr.commit()
	tr.touch("../other/b.py")
	tr.gitIn("../other", "init", "-q")
	t.Setenv("GIT_DIR", tr.path("../other/.git"))
	t.Setenv("GIT_WORK_TREE", tr.path("../other"))
	t.Setenv("GIT_INDEX_FILE", tr.path("../other/nothing"))
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	wantStrings(t, "entries", paths(tr.list("", Options{})), "a.py")
}

func TestListRunsNothingOfTheRepository(t *testing.T) {
	tr := newTree(t)
	tr.touch("a.py")
	tr.commit()
	tr.write("evil.sh", "#!/bin/sh\ntouch '"+tr.path("../ran")+"'\n")
	os.Chmod(tr.path("evil.sh"), 0o755)
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "alias.ls-files"} {
		tr.git("config", key, tr.path("evil.sh"))
	}
	tr.git("config", "core.hooksPath", tr.root)
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman"} {
		tr.link("evil.sh", hook)
	}
	tr.list("", Options{})
	if _, err := os.Lstat(tr.path("../ran")); err == nil {
		t.Error("a program that the repository names was run")
	}
}

func TestListStopsWithItsContext(t *testing.T) {
	tr := newTree(t)
	tr.touch("a.py")
	tr.commit()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, o := range []Options{{}, {WithoutGit: true}} {
		w := tr.open("", o)
		if _, err := w.List(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("List: %v", err)
		}
		if _, _, err := w.Read(ctx, Entry{Path: "a.py"}); !errors.Is(err, context.Canceled) {
			t.Errorf("Read: %v", err)
		}
	}
}

func TestLitterInAnEmptyFolderIsNoProblem(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		tr := newTree(t)
		tr.git("init", "-q")
		tr.write("../home/.config/git/ignore", ".DS_Store\n")
		tr.touch(".DS_Store")
		tr.write(".cache/.gitignore", "*\n")
		if l := tr.list("", o); len(l.Entries) != 0 || l.DecidingRule != "" {
			t.Errorf("%v, rule %q", paths(l), l.DecidingRule)
		}
	})
}

func TestListOfAnotherOwnersRepository(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	tr := newTree(t)
	tr.touch("a.log", "b.py")
	tr.commit()
	tr.write(".gitignore", "*.log\n")
	filepath.WalkDir(tr.root, func(p string, _ os.DirEntry, _ error) error { return os.Lchown(p, 65534, 65534) })
	l := tr.list("", Options{})
	wantStrings(t, "entries", paths(l), ".gitignore", "a.log", "b.py")
	wantStrings(t, "notes", l.Notes)
}
