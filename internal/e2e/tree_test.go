//go:build unix

package e2e

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// path is a place below the root.
func (tl *tool) path(name string) string { return filepath.Join(tl.root, name) }

// write puts a file below the root and makes its folders.
func (tl *tool) write(name, text string) {
	tl.t.Helper()
	writeFile(tl.t, tl.path(name), text)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// files is the text of several files by path.
type files map[string]string

// writeAll puts files below the root.
func (tl *tool) writeAll(all files) {
	tl.t.Helper()
	for name, text := range all {
		tl.write(name, text)
	}
}

// writeMany writes count files from two formats that take the number of the file, from 1.
func (tl *tool) writeMany(count int, name, text string) {
	tl.t.Helper()
	for i := 1; i <= count; i++ {
		tl.write(fmt.Sprintf(name, i), strings.ReplaceAll(text, "%d", fmt.Sprint(i)))
	}
}

func (tl *tool) remove(name string) {
	tl.t.Helper()
	if err := os.RemoveAll(tl.path(name)); err != nil {
		tl.t.Fatal(err)
	}
}

func (tl *tool) rename(from, to string) {
	tl.t.Helper()
	if err := os.Rename(tl.path(from), tl.path(to)); err != nil {
		tl.t.Fatal(err)
	}
}

func (tl *tool) link(target, name string) {
	tl.t.Helper()
	if err := os.MkdirAll(filepath.Dir(tl.path(name)), 0o755); err != nil {
		tl.t.Fatal(err)
	}
	if err := os.Symlink(target, tl.path(name)); err != nil {
		tl.t.Fatal(err)
	}
}

// git runs git in the root and returns what it printed.
func (tl *tool) git(args ...string) string {
	tl.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "safe.directory=*"}, args...)...) // some trees belong to another user
	cmd.Dir, cmd.Env = tl.root, tl.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		tl.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// commit makes the root a repository when it is none and commits everything that is not ignored.
func (tl *tool) commit() {
	tl.t.Helper()
	if _, err := os.Lstat(tl.path(".git")); err != nil {
		tl.git("init", "-q", "-b", "main")
	}
	tl.git("add", "-A")
	tl.git("commit", "-q", "--allow-empty", "-m", "state of the tree")
}

// notIgnored lists what git shows of the root: tracked and untracked files, sorted.
func (tl *tool) notIgnored() []string {
	tl.t.Helper()
	var names []string
	for _, name := range strings.Split(tl.git("ls-files", "-coz", "--exclude-standard"), "\x00") {
		if name != "" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// filesBelow lists the regular files below dirs, whatever they are.
func filesBelow(t *testing.T, dirs ...string) []string {
	t.Helper()
	var paths []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				paths = append(paths, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// lines joins its arguments into a text with line ends.
func lines(ls ...string) string { return strings.Join(ls, "\n") + "\n" }
