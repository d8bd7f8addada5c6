package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fixture is a folder with a home, a git configuration and a clock of its own. Its repository is in the folder "repo".
type fixture struct {
	t    *testing.T
	root string
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
	for name, value := range map[string]string{"HOME": root, "XDG_CONFIG_HOME": filepath.Join(root, ".config"), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(root, "gitconfig"),
		"GIT_AUTHOR_NAME": "fixture", "GIT_AUTHOR_EMAIL": "f@example.invalid", "GIT_COMMITTER_NAME": "fixture", "GIT_COMMITTER_EMAIL": "f@example.invalid",
		"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"} {
		t.Setenv(name, value)
	}
	f := &fixture{t: t, root: root}
	f.git("", "init", "-q", "repo")
	return f
}

func (f *fixture) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

func (f *fixture) write(name, content string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path(name), []byte(content), 0o755); err != nil {
		f.t.Fatal(err)
	}
}

// git runs the plain git program, as a person would.
func (f *fixture) git(dir string, args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = f.path(dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit commits all of repo and returns the id.
func (f *fixture) commit(message string) string {
	f.t.Helper()
	f.git("repo", "add", "-A")
	f.git("repo", "commit", "-q", "--allow-empty", "-m", message)
	return f.git("repo", "rev-parse", "HEAD")
}

// trap writes a program that leaves a trace when it is run, and returns its path and whether it was run.
func (f *fixture) trap() (program string, sprung func() bool) {
	f.write("trap.sh", "#!/bin/sh\ntouch '"+f.path("ran")+"'\nexit 1\n")
	return f.path("trap.sh"), func() bool {
		_, err := os.Lstat(f.path("ran"))
		return err == nil
	}
}

func (f *fixture) repository(dir string) Repository {
	f.t.Helper()
	r, ok := FindRepository(f.path(dir))
	if !ok {
		f.t.Fatalf("%s is no repository", dir)
	}
	return r
}

func (f *fixture) objects(id string) *Objects {
	f.t.Helper()
	o, err := Find().OpenObjects(f.repository("repo"), id)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { o.Close() })
	return o
}
