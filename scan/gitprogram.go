package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// gitProgram runs one git binary so that nothing in a repository can make it run another program, ask a question, take
// a lock or change a file.
type gitProgram struct {
	path string
	env  []string
}

// gitError is a git command that failed, with what it said.
type gitError struct {
	args   string
	stderr string
	err    error
}

func (e *gitError) Error() string {
	return fmt.Sprintf("git %s: %v: %s", e.args, e.err, strings.TrimSpace(e.stderr))
}

func (e *gitError) Unwrap() error { return e.err }

// findGit looks for git on PATH. It returns nil when there is none.
func findGit() *gitProgram {
	p, err := exec.LookPath("git")
	if err != nil {
		return nil
	}
	return &gitProgram{path: p, env: gitEnvironment(os.Environ())}
}

// gitEnvironment keeps of the GIT_ variables only those that say where configuration lies and where discovery ends:
// GIT_DIR and its kin are set inside hooks and would point git at another tree.
func gitEnvironment(environ []string) []string {
	var env []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case name == "LC_ALL" || name == "LANG" || name == "LANGUAGE" || strings.HasPrefix(name, "LC_"):
			continue
		case strings.HasPrefix(name, "GIT_CONFIG_") && name != "GIT_CONFIG_PARAMETERS",
			name == "GIT_CEILING_DIRECTORIES", name == "GIT_DISCOVERY_ACROSS_FILESYSTEM":
		case strings.HasPrefix(name, "GIT_"):
			continue
		}
		env = append(env, kv)
	}
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_PAGER=cat")
}

// run executes git in dir and returns both streams. The error is a *gitError, or the context's.
func (g *gitProgram) run(ctx context.Context, dir string, stdin []byte, args ...string) (stdout []byte, stderr string, err error) {
	full := append([]string{"-C", dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "safe.directory=*",
		"-c", "core.quotePath=false", "-c", "core.pager=cat"}, args...)
	cmd := exec.CommandContext(ctx, g.path, full...)
	cmd.Env = g.env
	cmd.WaitDelay = 2 * time.Second
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		return out.Bytes(), errs.String(), &gitError{args: strings.Join(args, " "), stderr: errs.String(), err: err}
	}
	return out.Bytes(), errs.String(), nil
}

// gitSays returns what git wrote to stderr when err is a failed git command.
func gitSays(err error) string {
	var g *gitError
	if errors.As(err, &g) {
		return g.stderr
	}
	return ""
}

// temporaryGitFolder makes the least that git accepts as a repository, without running git init. remove deletes it.
func temporaryGitFolder() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", "agenvantage-git-")
	if err != nil {
		return "", nil, fmt.Errorf("make a temporary git folder: %w", err)
	}
	remove = func() { os.RemoveAll(dir) }
	for _, d := range []string{"objects", "refs"} {
		if err = os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			break
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "config"), []byte("[core]\n\trepositoryformatversion = 0\n\tbare = false\n"), 0o600)
	}
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("make a temporary git folder: %w", err)
	}
	return dir, remove, nil
}
