//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestSubmodulesAreReadOnceAndAMissingOneIsNoError(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	inner := tl.at(filepath.Join(tl.base, "inner"))
	inner.writeAll(files{"leaf.py": pyFunc("leaf_of_inner")})
	inner.commit()
	child := tl.at(filepath.Join(tl.base, "child"))
	child.writeAll(files{"part.py": pyFunc("part_of_child"), ".gitignore": "gen/\n"})
	child.commit()
	child.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "nested")
	child.commit()
	tl.write("top.py", pyFunc("top_of_parent"))
	tl.commit()
	tl.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", child.root, "third/child")
	tl.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
	tl.write("third/child/gen/out.py", pyFunc("ignored_by_child"))
	tl.write("third/child/draft.py", pyFunc("untracked_in_child"))
	// A second one is registered and never checked out.
	tl.git("config", "-f", ".gitmodules", "submodule.absent.path", "third/absent")
	tl.git("config", "-f", ".gitmodules", "submodule.absent.url", filepath.Join(tl.base, "no-such-place"))
	tl.git("update-index", "--add", "--cacheinfo", "160000,89abcdef0123456789abcdef0123456789abcdef,third/absent")
	if err := os.MkdirAll(tl.path("third/absent"), 0o755); err != nil {
		t.Fatal(err)
	}
	tl.git("add", ".gitmodules")
	tl.git("commit", "-q", "-m", "two submodules")

	tl.index()
	tl.once("top_of_parent", "top.py")
	tl.once("part_of_child", "third/child/part.py")
	tl.once("leaf_of_inner", "third/child/nested/leaf.py")
	tl.once("untracked_in_child", "third/child/draft.py")
	tl.lacks("ignored_by_child")
	table := tl.fileTable()
	for _, path := range []string{"third/absent", "third/child", "third/child/nested"} {
		if table[path].State == "indexed" {
			t.Errorf("the submodule %s is read as a file", path)
		}
	}
	if f := table["third/absent/"]; f.Reason != "submodule" {
		t.Errorf("the missing submodule is listed as %+v", f)
	}

	tl.write("third/child/part.py", pyFunc("part_edited_in_child"))
	tl.once("part_edited_in_child", "third/child/part.py")
	tl.at(tl.path("third/child")).once("part_edited_in_child", "part.py")
}

func TestNestedWorktreesDoNotMultiplyResults(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{".gitignore": ".wt/\n", "calc.go": "package calc\n\nfunc MagicNumber() int { return 70 }\n"})
	tl.commit()
	tl.git("worktree", "add", "-q", "-b", "one", ".wt/one")
	tl.git("worktree", "add", "-q", "-b", "two", "beside")
	for _, copied := range []string{".wt/one", "beside"} {
		tl.write(copied+"/calc.go", "package calc\n\nfunc MagicNumber() int { return 71 }\n")
	}
	tl.index()
	if h := tl.once("MagicNumber", "calc.go"); !strings.Contains(h.Text, "70") {
		t.Errorf("another copy is shown: %q", h.Text)
	}
	tl.wantIndexed(".gitignore", "calc.go")
	tl.wantSkipped("beside/", "nested_worktree")

	side := tl.at(tl.path("beside"))
	side.index()
	if h := side.once("MagicNumber", "calc.go"); !strings.Contains(h.Text, "71") {
		t.Errorf("the linked work tree shows another copy: %q", h.Text)
	}
	if s := side.status(); s.LiveRevision == "" || s.LiveRevision != s.IndexedRevision {
		t.Errorf("revision of a linked work tree: %+v", s)
	}
	tl.once("MagicNumber", "calc.go") // the index in the linked work tree changes nothing here
}

func TestRepositoriesInsideTheTreeAreListedNotRead(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.write("own.py", pyFunc("own_code"))
	tl.commit()
	clone := tl.at(tl.path("clones/other"))
	clone.write("theirs.py", pyFunc("their_code"))
	clone.commit()
	tl.index()
	tl.once("own_code", "own.py")
	tl.lacks("their_code")
	tl.wantSkipped("clones/other/", "nested_repository")
	clone.once("their_code", "theirs.py")
}

func TestABareRepositoryIsAClearError(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.git("init", "-q", "--bare", ".")
	tl.refused(tl.flags("index"), "bare")
	tl.refusedSearch(ask{}, "anything", "bare")
	tl.at(filepath.Join(tl.base, "missing")).refused([]string{"index", "--repo", filepath.Join(tl.base, "missing")}, "missing")
}

func TestSymlinkCyclesEndAndEachFileIsReadOnce(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.write("core/real.py", pyFunc("read_once"))
	writeFile(t, filepath.Join(tl.base, "outside/beyond.py"), pyFunc("beyond_the_root"))
	links := map[string]string{"p/to_q": "../q", "q/to_p": "../p", "here": ".", "core/above": "../..", "broken": "no-such-file", "l1": "l2", "l2": "l1",
		"core/alias.py": "real.py", "out": filepath.Join(tl.base, "outside"), "outfile.py": filepath.Join(tl.base, "outside/beyond.py")}
	for name, target := range links {
		tl.link(target, name)
	}
	if err := syscall.Mkfifo(tl.path("pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	tl.commit()
	started := time.Now()
	s := tl.index()
	if took := time.Since(started); took > 15*time.Second {
		t.Errorf("took %s", took)
	}
	tl.once("read_once", "core/real.py")
	tl.lacks("beyond_the_root")
	table := tl.fileTable()
	for name := range links {
		if f := table[name]; f.State != "skipped" || f.Reason != "symlink" {
			t.Errorf("link %s: %+v", name, f)
		}
	}
	if s.Skipped["symlink"] != len(links) {
		t.Errorf("%d links counted, want %d", s.Skipped["symlink"], len(links))
	}

	// A folder of the tree that turns into a link is not followed either.
	tl.remove("core")
	tl.link(filepath.Join(tl.base, "outside"), "core")
	tl.lacks("read_once", "beyond_the_root")
	// The root itself may be given through a link.
	tl.link(tl.root, "../through")
	tl.remove("core")
	tl.write("core/real.py", pyFunc("read_again"))
	tl.at(filepath.Join(tl.base, "through")).once("read_again", "core/real.py")
}

func TestNoCommitNoFilesAndNoRepositoryAreNormal(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.git("init", "-q", "-b", "main")
	tl.write("fresh.py", pyFunc("never_committed"))
	tl.index()
	tl.find("never_committed", "fresh.py")
	if s := tl.status(); s.LiveRevision != "" || s.IndexedRevision != "" || s.State != "ready" {
		t.Errorf("a repository without commits: %+v", s)
	}

	for _, name := range []string{"void", "voidgit"} {
		empty := tl.at(filepath.Join(tl.base, name))
		if err := os.MkdirAll(empty.root, 0o755); err != nil {
			t.Fatal(err)
		}
		if name == "voidgit" {
			empty.git("init", "-q")
		}
		if s := empty.index(); s.Files != 0 {
			t.Errorf("%s: %d files", name, s.Files)
		}
		a := empty.search("anything")
		if len(a.Results) > 0 || a.Coverage.FilesIndexed != 0 || !strings.Contains(strings.Join(a.Notes, " "), "no files") {
			t.Errorf("%s: %v", name, a)
		}
	}

	plain := tl.at(filepath.Join(tl.base, "plain"))
	plain.writeAll(files{"a.py": pyFunc("without_git"), ".gitignore": "hidden.py\nsub/*\n!sub/shown.py\n", "hidden.py": pyFunc("hidden_without_git"),
		"sub/shown.py": pyFunc("shown_without_git"), "sub/other.py": pyFunc("other_without_git")})
	plain.index()
	plain.find("without_git", "a.py")
	plain.find("shown_without_git", "sub/shown.py")
	plain.lacks("hidden_without_git", "other_without_git")
	if _, err := os.Stat(plain.path(".git")); err == nil {
		t.Error("a repository was made in a folder that is none")
	}
	if left := filesBelow(t, filepath.Join(tl.base, "tmp")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

func TestIgnoreRulesCountWithoutAGitProgram(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{".gitignore": "dist/\n*.tmp\n!want.tmp\n", "dist/x.py": pyFunc("built_output"), "a/.gitignore": "/local.py\n",
		"a/local.py":   pyFunc("local_only"),
		"a/b/local.py": pyFunc("not_anchored"), "want.tmp": "wanted_anyway = 1\n", "drop.tmp": "dropped_temp = 1\n", "m.py": pyFunc("plain_module")})
	tl.commit()
	bin := filepath.Join(tl.base, "empty-bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	bare := tl.with("PATH=" + bin)
	bare.index()
	for word, path := range map[string]string{"plain_module": "m.py", "wanted_anyway": "want.tmp", "not_anchored": "a/b/local.py"} {
		bare.find(word, path)
	}
	bare.lacks("built_output", "local_only", "dropped_temp")
	without := bare.indexed()
	tl.index()
	withGit := tl.indexed()
	if !slices.Equal(withGit, without) {
		t.Errorf("with git %v, without %v", withGit, without)
	}
}

func TestTheRootIsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{"top.py": pyFunc("at_the_top"), "svc/api/handler.py": pyFunc("in_the_service")})
	tl.commit()
	// Without --repo the enclosing work tree is the root.
	o := tl.tryIn("svc/api", "search", "--json", "--", "at_the_top")
	a := answer{}
	if err := decodeOne(o.stdout, &a); err != nil || o.code != 0 || a.Root != tl.root || a.Results[0].Path != "top.py" {
		t.Errorf("from a folder of the work tree: %v, %v", err, o)
	}
	// A folder that is named is the root as it stands.
	svc := tl.at(tl.path("svc"))
	svc.once("in_the_service", "api/handler.py")
	svc.lacks("at_the_top")
	tl.once("in_the_service", "svc/api/handler.py") // and the index folder of the inner root is not read
}

// tryIn runs the command in a folder below the root.
func (tl *tool) tryIn(dir string, args ...string) outcome {
	tl.t.Helper()
	moved := *tl
	moved.base = tl.path(dir)
	return moved.run("", args...)
}
