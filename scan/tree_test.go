package scan

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// tree is a fixture in a temporary folder, with a home and git configuration of its own.
type tree struct {
	t    testing.TB
	root string
}

func newTree(t testing.TB) *tree {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(root, "home")
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, "gitconfig"),
		"GIT_AUTHOR_NAME": "fixture", "GIT_AUTHOR_EMAIL": "f@example.invalid", "GIT_COMMITTER_NAME": "fixture", "GIT_COMMITTER_EMAIL": "f@example.invalid"} {
		setenv(t, name, value)
	}
	tr := &tree{t: t, root: filepath.Join(root, "repo")}
	tr.mkdir("")
	if err := os.MkdirAll(filepath.Join(home, ".config", "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return tr
}

func setenv(t testing.TB, name, value string) {
	switch t := t.(type) {
	case *testing.T:
		t.Setenv(name, value)
	case *testing.B:
		t.Setenv(name, value)
	}
}

func (tr *tree) path(name string) string { return filepath.Join(tr.root, filepath.FromSlash(name)) }

func (tr *tree) mkdir(name string) {
	tr.t.Helper()
	if err := os.MkdirAll(tr.path(name), 0o755); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr *tree) write(name, content string) {
	tr.t.Helper()
	tr.mkdir(filepath.Dir(name))
	if err := os.WriteFile(tr.path(name), []byte(content), 0o644); err != nil {
		tr.t.Fatal(err)
	}
}

// touch writes small files, each with its own name as text.
func (tr *tree) touch(names ...string) {
	tr.t.Helper()
	for _, n := range names {
		tr.write(n, "text of "+strings.ToValidUTF8(n, "?")+"\n")
	}
}

func (tr *tree) link(target, name string) {
	tr.t.Helper()
	tr.mkdir(filepath.Dir(name))
	if err := os.Symlink(target, tr.path(name)); err != nil {
		tr.t.Skip(err)
	}
}

func (tr *tree) git(args ...string) string {
	tr.t.Helper()
	return tr.gitIn("", args...)
}

func (tr *tree) gitIn(dir string, args ...string) string {
	tr.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = tr.path(dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		tr.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (tr *tree) commit() {
	tr.t.Helper()
	if _, err := os.Stat(tr.path(".git")); err != nil {
		tr.git("init", "-q")
	}
	tr.git("add", "-A")
	tr.git("commit", "-q", "-m", "fixture", "--allow-empty")
}

func (tr *tree) open(dir string, o Options) *Walker {
	tr.t.Helper()
	w, err := Open(tr.path(dir), o)
	if err != nil {
		tr.t.Fatal(err)
	}
	tr.t.Cleanup(func() { w.Close() })
	return w
}

func (tr *tree) list(dir string, o Options) Listing {
	tr.t.Helper()
	l, err := tr.open(dir, o).List(context.Background())
	if err != nil {
		tr.t.Fatal(err)
	}
	if !slices.IsSortedFunc(l.Entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) }) {
		tr.t.Errorf("entries are not sorted: %v", paths(l))
	}
	return l
}

// read reads one file as List and Read do.
func (tr *tree) read(name string, o Options) (Source, *agenvantage.Skip) {
	tr.t.Helper()
	s, skip, err := tr.open("", o).Read(context.Background(), Entry{Path: name})
	if err != nil {
		tr.t.Fatal(err)
	}
	return s, skip
}

func paths(l Listing) []string {
	var names []string
	for _, e := range l.Entries {
		names = append(names, e.Path)
	}
	return names
}

// skips shows what was left out as "path:reason".
func skips(l Listing) []string {
	var rows []string
	for _, s := range l.Skips {
		rows = append(rows, s.Path+":"+string(s.Reason))
	}
	return rows
}

func wantStrings(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got  %q\n want %q", what, got, want)
	}
}

// bothWays runs a test with git's own answer and with the matcher that stands in for it.
func bothWays(t *testing.T, test func(t *testing.T, o Options)) {
	t.Run("git", func(t *testing.T) { test(t, Options{}) })
	t.Run("without git", func(t *testing.T) { test(t, Options{WithoutGit: true}) })
}
