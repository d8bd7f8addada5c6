//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// tryGit runs git in the root and does not mind its failure, such as that of a merge with conflicts.
func (tl *tool) tryGit(args ...string) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = tl.root, tl.env
	cmd.Run()
}

func TestUnfinishedMergesAndSparseCheckoutsAreReadAsTheyLie(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{"far/off.py": pyFunc("not_checked_out"), "both.py": pyFunc("common_start"), "was": pyFunc("once_a_file"), ".gitignore": "*.log\n"})
	tl.commit()
	tl.git("checkout", "-q", "-b", "side")
	tl.write("both.py", pyFunc("of_the_side"))
	tl.commit()
	tl.git("checkout", "-q", "main")
	tl.write("both.py", pyFunc("of_the_trunk"))
	tl.write("forced.log", "forced_log_words\n")
	tl.git("add", "-f", "forced.log")
	tl.commit()
	tl.git("sparse-checkout", "set", "--no-cone", "/*", "!/far/")
	tl.tryGit("merge", "-q", "side") // leaves three entries for one path
	tl.remove("was")
	tl.write("was/now.py", pyFunc("now_in_a_folder"))
	tl.write("announced.py", pyFunc("announced_only"))
	tl.git("add", "-N", "announced.py")

	s := tl.index()
	tl.wantIndexed(".gitignore", "announced.py", "both.py", "forced.log", "was/now.py")
	if s.Files != 5 || s.Skipped["vanished"] > 0 {
		t.Errorf("%+v", s)
	}
	tl.once("of_the_side", "both.py")
	tl.once("of_the_trunk", "both.py")
	tl.once("forced_log_words", "forced.log")
	tl.lacks("not_checked_out", "once_a_file", "common_start")
}

// A command that a git hook starts inherits variables that name another repository.
func TestVariablesOfAGitHookDoNotChangeTheRoot(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.write("mine.py", pyFunc("in_my_tree"))
	tl.commit()
	other := tl.at(filepath.Join(tl.base, "other"))
	other.write("theirs.py", pyFunc("in_their_tree"))
	other.commit()
	hooked := tl.with("GIT_DIR="+other.path(".git"), "GIT_WORK_TREE="+other.root, "GIT_INDEX_FILE="+other.path(".git/index"), "GIT_PREFIX=sub/",
		"GIT_CEILING_DIRECTORIES="+tl.base)
	hooked.index()
	hooked.once("in_my_tree", "mine.py")
	hooked.lacks("in_their_tree")
	if a, b := hooked.status(), tl.status(); a.LiveRevision != b.LiveRevision || a.State != "ready" {
		t.Errorf("in a hook %+v, outside %+v", a, b)
	}
}

// A tree may come from anywhere, with a .git/config of its own.
func TestTheConfigurationOfARepositoryRunsNothing(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{"a.py": pyFunc("beside_a_trap"), ".gitattributes": "*.py filter=trap diff=trap\n"})
	tl.commit()
	sprung := filepath.Join(tl.base, "sprung")
	trap := filepath.Join(tl.base, "trap")
	writeFile(t, trap, "#!/bin/sh\ntouch "+sprung+"\ncat\n")
	if err := os.Chmod(trap, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "diff.external",
		"diff.trap.textconv", "filter.trap.clean", "filter.trap.smudge",
		"filter.trap.process", "credential.helper", "alias.ls-files"} {
		tl.git("config", key, trap)
	}
	tl.git("config", "core.hooksPath", tl.base)
	os.Remove(sprung)
	tl.index()
	tl.write("a.py", pyFunc("beside_a_trap_again"))
	tl.once("beside_a_trap_again", "a.py")
	tl.status()
	tl.fileTable()
	if _, err := os.Stat(sprung); err == nil {
		t.Error("the repository's own configuration started a program")
	}
}
