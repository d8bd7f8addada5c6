// Package git runs the git program over repositories that nobody vouches for. It owns the hardening: what is run reads
// only, asks nothing, takes no lock, fetches nothing, and starts no program that a repository names. It decides nothing
// about files and parses no output but that of cat-file. Read program.go for commands in a repository (they see its
// configuration), then objects.go for commands over its objects alone (they see no configuration at all), and
// repository.go for finding a repository without running git.
//
// # What a repository cannot do
//
// Hooks, the file system monitor, pagers, editors and credential helpers are switched off, and every transport is refused,
// so that a partial clone does not fetch what it lacks. Commands that compare files take DiffOptions, which refuse external diff
// programs and text converters. Clean filters, which git runs when it compares a work tree, are named by the
// configuration and are switched off by WithoutFilters. Replacement objects and grafts are not applied: a commit id
// means the commit with that id, in every clone.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Program is one git binary with the environment in which it is run. It is safe for concurrent use.
type Program struct {
	path string
	env  []string
}

// Error is a git command that failed, with what it said.
type Error struct {
	Args   string
	Stderr string
	Err    error
}

func (e *Error) Error() string {
	return fmt.Sprintf("git %s: %v: %s", e.Args, e.Err, strings.TrimSpace(e.Stderr))
}

func (e *Error) Unwrap() error { return e.Err }

// Find looks for git on PATH. It returns nil when there is none.
func Find() *Program {
	p, err := exec.LookPath("git")
	if err != nil {
		return nil
	}
	return &Program{path: p, env: environment(os.Environ())}
}

// environment keeps of the GIT_ variables only those that say where configuration lies and where discovery ends:
// GIT_DIR and its kin are set inside hooks and would point git at another tree.
func environment(environ []string) []string {
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
	// GIT_NO_LAZY_FETCH is known from git 2.45 on. The list of allowed protocols is older and overrides configuration; no
	// transport has the name "none". The file of grafts is one that cannot be: git advises against any that is there.
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
		"GIT_PAGER=cat", "GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+filepath.Join(os.DevNull, "none"))
}

// settings come before every command.
func settings(dir string) []string {
	return []string{"-C", dir, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "safe.directory=*",
		"-c", "core.quotePath=false", "-c", "core.pager=cat"}
}

// DiffOptions are the options of every command that compares trees or files: no program of the repository is run, and
// the configuration does not decide what the output looks like.
func DiffOptions() []string {
	return []string{"--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "--ignore-submodules=all",
		"-O" + os.DevNull, "--diff-algorithm=myers", "--indent-heuristic", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/"}
}

// command prepares git to run in dir. Cancelling ctx kills it.
func (p *Program) command(ctx context.Context, dir string, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, append(settings(dir), args...)...)
	cmd.Env = p.env
	cmd.WaitDelay = 2 * time.Second
	return cmd
}

// Run executes git in dir and returns both streams. The error is an *Error, or the context's.
func (p *Program) Run(ctx context.Context, dir string, stdin []byte, args ...string) (stdout []byte, stderr string, err error) {
	cmd := p.command(ctx, dir, args)
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		return out.Bytes(), errs.String(), &Error{Args: strings.Join(args, " "), Stderr: errs.String(), Err: err}
	}
	return out.Bytes(), errs.String(), nil
}

// Stream executes git in dir and lets read take its output as it comes, so that it is never held whole. stdin may be nil.
// When read returns before the end of the output, git is stopped, which is no error. The error is read's own, else an
// *Error, or the context's.
func (p *Program) Stream(ctx context.Context, c Command, read func(stdout io.Reader) error) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := p.command(running, c.Dir, c.Args)
	cmd.Stdin = c.Stdin
	errs := &tail{limit: maxStderrBytes}
	cmd.Stderr = errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("git %s: %w", strings.Join(c.Args, " "), err)
	}
	if err := cmd.Start(); err != nil {
		return &Error{Args: strings.Join(c.Args, " "), Err: err}
	}
	watched := &endReader{r: out}
	readErr := read(watched)
	if !watched.ended {
		cancel()
	}
	waitErr := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case waitErr != nil && watched.ended: // git's own failure explains a cut output better than its reader can
		return &Error{Args: strings.Join(c.Args, " "), Stderr: errs.String(), Err: waitErr}
	}
	return readErr
}

// Command is one run of git. Stdin may be nil.
type Command struct {
	Dir   string // where it runs
	Stdin io.Reader
	Args  []string
}

// endReader remembers that its reader came to the end.
type endReader struct {
	r     io.Reader
	ended bool
}

func (e *endReader) Read(b []byte) (int, error) {
	n, err := e.r.Read(b)
	if err != nil {
		e.ended = true
	}
	return n, err
}

// maxStderrBytes is how much of what git says is kept: its last words give the reason.
const maxStderrBytes = 8 << 10

// tail keeps the end of what is written to it.
type tail struct {
	limit int
	kept  []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - t.limit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string { return string(t.kept) }

// Says returns what git wrote to stderr when err is a failed git command, "" otherwise.
func Says(err error) string {
	var g *Error
	if errors.As(err, &g) {
		return g.Stderr
	}
	return ""
}
