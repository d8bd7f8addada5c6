//go:build unix

package e2e

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the user that permission bits bind when the tests run as root.
const nobody = 65534

// newToolForAnyone is newTool whose command runs as a user who is not root, with a copy of the binary that this user can
// start. Its files belong to that user once own was called.
func newToolForAnyone(t *testing.T) *tool {
	t.Helper()
	if os.Getuid() != 0 {
		return newTool(t)
	}
	base, err := os.MkdirTemp("", "agenvantage-anyone-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		filepath.Walk(base, func(path string, info os.FileInfo, err error) error {
			if info != nil && info.IsDir() {
				os.Chmod(path, 0o755)
			}
			return nil
		})
		os.RemoveAll(base)
	})
	if err := os.Chmod(base, 0o755); err != nil {
		t.Fatal(err)
	}
	tl := newToolAt(t, base)
	tl.binary = filepath.Join(base, "agenvantage")
	copyBinary(t, tl.binary)
	tl.user = &syscall.Credential{Uid: nobody, Gid: nobody}
	tl.own()
	if o, err := tl.tryRun("", "version"); err != nil || o.code != 0 {
		t.Skipf("the command does not start as another user: %v %v", err, o)
	}
	return tl
}

// own gives every file of the test to the user that the command runs as.
func (tl *tool) own() {
	tl.t.Helper()
	if tl.user == nil {
		return
	}
	err := filepath.Walk(tl.base, func(path string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
	if err != nil {
		tl.t.Fatal(err)
	}
}

func copyBinary(t *testing.T, to string) {
	t.Helper()
	from, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

func (tl *tool) chmod(path string, mode os.FileMode) {
	tl.t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		tl.t.Fatal(err)
	}
	tl.t.Cleanup(func() { os.Chmod(path, 0o755) })
}

func TestAnUnreadableFolderOrFileDoesNotEndTheRun(t *testing.T) {
	tl := newToolForAnyone(t)
	tl.writeAll(files{"p/one.py": pyFunc("readable_one"), "q/two.py": pyFunc("readable_two"), "shut/inner.py": pyFunc("behind_a_shut_folder"),
		"q/closed.py": pyFunc("in_a_closed_file"),
		"loose/u.py":  pyFunc("untracked_behind")})
	tl.commit()
	tl.git("rm", "-q", "--cached", "loose/u.py")
	tl.own()
	tl.chmod(tl.path("shut"), 0)
	tl.chmod(tl.path("loose"), 0)
	tl.chmod(tl.path("q/closed.py"), 0)
	o := tl.run("", tl.flags("index", "--json")...)
	if o.code != 3 {
		t.Errorf("a run that left unreadable files out must end with 3: %v", o)
	}
	if s := tl.summary(o); s.Skipped["unreadable"] < 3 || s.Files != 2 {
		t.Errorf("summary %+v", s)
	}
	tl.find("readable_one", "p/one.py")
	tl.find("readable_two", "q/two.py")
	tl.lacks("behind_a_shut_folder", "in_a_closed_file", "untracked_behind")
	table := tl.fileTable()
	for _, name := range []string{"shut", "q/closed.py", "loose"} {
		found := false
		for path, f := range table {
			found = found || strings.HasPrefix(path, name) && f.Reason == "unreadable" && strings.Contains(f.Detail, "permission denied")
		}
		if !found {
			t.Errorf("%s is not listed with the error of the system: %v", name, table)
		}
	}
	// A file that becomes readable is read by the next run.
	tl.chmod(tl.path("q/closed.py"), 0o644)
	tl.once("in_a_closed_file", "q/closed.py")
}

func TestAReadOnlyPlaceNamesTheFolderAndTheSetting(t *testing.T) {
	tl := newToolForAnyone(t)
	tl.writeAll(files{"a.py": pyFunc("in_a_readonly_tree")})
	tl.commit()
	elsewhere := filepath.Join(tl.base, "elsewhere")
	if err := os.MkdirAll(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	tl.own()
	tl.chmod(tl.root, 0o555)
	tl.chmod(tl.home(), 0o555)
	tl.env = append(tl.env, "XDG_CACHE_HOME="+tl.home()+"/new/.cache", "XDG_CONFIG_HOME="+tl.home()+"/new/.config")
	for _, command := range [][]string{{"index", "--json"}, {"search"}} {
		args := tl.flags(command...)
		if command[0] == "search" {
			args = append(args, "--", "in_a_readonly_tree")
		}
		o := tl.refused(args, tl.root, "index-dir", "index_dir")
		if n := len(strings.Split(strings.TrimSpace(o.stderr), "\n")); n > 4 {
			t.Errorf("%d lines of messages: %v", n, o)
		}
	}
	moved := tl.storing("elsewhere/idx")
	moved.index()
	moved.once("in_a_readonly_tree", "a.py")
	byVariable := tl.with("AGENVANTAGE_INDEX_DIR=" + filepath.Join(elsewhere, "all"))
	byVariable.once("in_a_readonly_tree", "a.py")

	// A search needs no right to write once there is an index, also when the tree has changed since.
	for _, path := range append(filesBelow(t, moved.indexDir), moved.indexDir) {
		tl.chmod(path, 0o444)
		if path == moved.indexDir {
			tl.chmod(path, 0o555)
		}
	}
	a := moved.search("in_a_readonly_tree")
	if len(a.Results) != 1 {
		t.Errorf("a read-only index: %v", a)
	}
	tl.chmod(tl.root, 0o755)
	tl.write("b.py", pyFunc("too_late"))
	if a := moved.search("in_a_readonly_tree"); len(a.Results) != 1 || !a.Coverage.Stale {
		t.Errorf("a read-only index of a changed tree: %v", a)
	}
}

// git refuses a repository of another owner; containers mount such trees.
func TestATreeOfAnotherOwnerIsReadOrRefusedPlainly(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to give files away")
	}
	tl := newToolForAnyone(t)
	tl.writeAll(files{"a.py": pyFunc("owned_by_another"), ".gitignore": "no.py\n", "no.py": pyFunc("ignored_all_the_same")})
	tl.commit()
	tl.own()
	tl.user = nil // the command runs as root, the tree belongs to nobody
	o := tl.run("", tl.flags("index", "--json")...)
	if o.code == 2 {
		o.says(t, "owner")
		return
	}
	tl.find("owned_by_another", "a.py")
	tl.lacks("ignored_all_the_same")
}
