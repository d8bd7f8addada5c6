package history

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fixture is a folder with a home, a git configuration and a clock of its own: commit n has the time 1700000000 + 60 n. Its
// repository is in the folder "repo".
type fixture struct {
	t     *testing.T
	root  string
	clock int
	names map[string]string // commit id to its message
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"HOME": root, "XDG_CONFIG_HOME": filepath.Join(root, ".config"), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(root, "gitconfig")} {
		t.Setenv(name, value)
	}
	f := &fixture{t: t, root: root, names: map[string]string{}}
	f.git("", "init", "-q", "repo")
	return f
}

func (f *fixture) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

// write writes a file of the repository.
func (f *fixture) write(name, content string) {
	f.t.Helper()
	full := f.path("repo/" + name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		f.t.Skipf("this file system refuses %q", name)
	}
}

// git runs the plain git program, as a person would.
func (f *fixture) git(dir string, args ...string) string {
	f.t.Helper()
	out, err := f.tryGit(dir, args...)
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

func (f *fixture) tryGit(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir = f.path(dir)
	date := fmt.Sprintf("%d +0200", 1700000000+60*f.clock)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=Ann Author", "GIT_AUTHOR_EMAIL=ann@example.invalid", "GIT_COMMITTER_NAME=Carl", "GIT_COMMITTER_EMAIL=carl@example.invalid",
		"GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// commit commits all of the repository under a name that commits are known by in this test.
func (f *fixture) commit(name string) string {
	f.t.Helper()
	f.git("repo", "add", "-A")
	f.git("repo", "commit", "-q", "--allow-empty", "-m", name)
	return f.remember(name)
}

func (f *fixture) remember(name string) string {
	f.t.Helper()
	f.clock++
	id := f.git("repo", "rev-parse", "HEAD")
	f.names[id] = name
	return id
}

func (f *fixture) open(dir string) *Reader {
	f.t.Helper()
	r, err := Open(f.path(dir))
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// log shows commits as "name: change, change".
func (f *fixture) log(r *Reader, o LogOptions) []string {
	f.t.Helper()
	var rows []string
	err := r.Commits(context.Background(), o, func(c Commit) error {
		var files []string
		for _, c := range c.Files {
			files = append(files, showChange(c))
		}
		name := f.names[c.ID]
		if name == "" {
			name = c.Subject
		}
		if c.Cut {
			name += " (cut)"
		}
		if c.Limited {
			name += " (limited)"
		}
		rows = append(rows, strings.TrimSuffix(name+": "+strings.Join(files, ", "), ": "))
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return rows
}

func showChange(c FileChange) string {
	s := c.Status.String() + " "
	if c.Kind != File {
		s += c.Kind.String() + " "
	}
	if c.OldPath != "" {
		s += c.OldPath + " > "
	}
	s += c.Path
	if c.Binary {
		s += " binary"
	}
	if c.Added+c.Deleted > 0 {
		s += fmt.Sprintf(" +%d-%d", c.Added, c.Deleted)
	}
	return s
}

// showHunks shows files as "M path: -1,2+1,3".
func showHunks(files []FileHunks) []string {
	var rows []string
	for _, f := range files {
		s := f.Status.String() + " "
		if f.Kind != File {
			s += f.Kind.String() + " "
		}
		switch {
		case f.OldPath == f.NewPath || f.OldPath == "":
			s += f.NewPath
		case f.NewPath == "":
			s += f.OldPath
		default:
			s += f.OldPath + " > " + f.NewPath
		}
		if f.Binary {
			s += " binary"
		}
		for i, h := range f.Hunks {
			s += fmt.Sprintf("%s-%d,%d+%d,%d", []string{" ", ": "}[btoi(i == 0)], h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		}
		rows = append(rows, s)
	}
	return rows
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (f *fixture) hunks(r *Reader, commit string, o HunkOptions) []string {
	f.t.Helper()
	files, err := r.Hunks(context.Background(), commit, o)
	if err != nil {
		f.t.Fatal(err)
	}
	return showHunks(files)
}

func want(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got  %q\n want %q", what, got, want)
	}
}
