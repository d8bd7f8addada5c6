//go:build unix

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// runLimit bounds one run of the command. A test that expects less says so itself.
const runLimit = 60 * time.Second

func TestMain(m *testing.M) {
	code := m.Run()
	if buildDir != "" {
		os.RemoveAll(buildDir)
	}
	os.Exit(code)
}

var buildDir string // holds the built command, removed at the end

// builtBinary builds the command once. The sources are looked at in this process so that the go command knows them as
// inputs and never answers with the cached verdict on an older product.
var builtBinary = sync.OnceValues(func() (string, error) {
	if given := os.Getenv("AGENVANTAGE_TEST_BINARY"); given != "" {
		return filepath.Abs(given)
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if slices.Contains([]string{".go", ".scm", ".yaml", ".mod"}, filepath.Ext(path)) && !strings.HasSuffix(path, "_test.go") {
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if buildDir, err = os.MkdirTemp("", "agenvantage-e2e-"); err != nil {
		return "", err
	}
	binary := filepath.Join(buildDir, "agenvantage")
	if out, err := exec.Command("go", "build", "-o", binary, "agenvantage/cmd/agenvantage").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the command: %w\n%s", err, out)
	}
	return binary, nil
})

// transcript keeps everything that a command printed.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (tr *transcript) add(texts ...string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, text := range texts {
		tr.text.WriteString(text)
	}
}

// tool runs the built command in a home of its own against one root. Its methods end the test when the command crashes,
// hangs or breaks its contract. Copies made by at, with and storing share the home and the transcript.
type tool struct {
	t        *testing.T
	base     string              // folder of the test: the trees, the home, temporary files
	root     string              // --repo
	indexDir string              // --index-dir, "" for the default
	binary   string              // the command
	env      []string            // whole environment
	user     *syscall.Credential // nil for the user of the test
	said     *transcript
	altered  map[string]bool // paths whose shown text differs from the file: masked, or of an encoding that Go cannot read here
}

// newTool makes a tool whose root is the empty folder "tree" of a fresh folder.
func newTool(t *testing.T) *tool {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return newToolAt(t, base)
}

func newToolAt(t *testing.T, base string) *tool {
	t.Helper()
	binary, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	tl := &tool{t: t, base: base, root: filepath.Join(base, "tree"), binary: binary, said: &transcript{}, altered: map[string]bool{}}
	for _, dir := range []string{"tree", "home", "tmp", "home/.config", "home/.cache"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tl.env = []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "TERM=dumb", "NO_COLOR=1",
		"HOME=" + tl.home(), "XDG_CONFIG_HOME=" + tl.home() + "/.config", "XDG_CACHE_HOME=" + tl.home() + "/.cache",
		"XDG_DATA_HOME=" + tl.home() + "/.local/share", "XDG_STATE_HOME=" + tl.home() + "/.local/state", "TMPDIR=" + filepath.Join(base, "tmp"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=tester", "GIT_AUTHOR_EMAIL=tester@example.invalid", "GIT_AUTHOR_DATE=2024-03-01T00:00:00Z",
		"GIT_COMMITTER_NAME=tester", "GIT_COMMITTER_EMAIL=tester@example.invalid", "GIT_COMMITTER_DATE=2024-03-01T00:00:00Z",
	}
	return tl
}

func (tl *tool) home() string { return filepath.Join(tl.base, "home") }

// indexFolder is where the index lies.
func (tl *tool) indexFolder() string {
	if tl.indexDir != "" {
		return tl.indexDir
	}
	return filepath.Join(tl.root, ".agenvantage")
}

// at is the tool for another root.
func (tl *tool) at(root string) *tool {
	copied := *tl
	copied.root = root
	return &copied
}

// storing is the tool with another index folder, named relative to the folder of the test.
func (tl *tool) storing(dir string) *tool {
	copied := *tl
	copied.indexDir = filepath.Join(tl.base, dir)
	return &copied
}

// with is the tool with "NAME=value" variables added to its environment.
func (tl *tool) with(env ...string) *tool {
	copied := *tl
	copied.env = append(slices.Clone(tl.env), env...)
	return &copied
}

// outcome is one finished run.
type outcome struct {
	args           []string
	code           int
	stdout, stderr string
	took           time.Duration
	peakBytes      int64 // largest resident set
}

func (o outcome) String() string {
	return fmt.Sprintf("agenvantage %.200s: exit status %d\nstdout: %.600s\nstderr: %.900s", strings.Join(o.args, " "), o.code, o.stdout, o.stderr)
}

// flags are the global flags of every command.
func (tl *tool) flags(command ...string) []string {
	args := append(command, "--repo", tl.root)
	if tl.indexDir != "" {
		args = append(args, "--index-dir", tl.indexDir)
	}
	return args
}

// command is a run that has not begun; the test starts and ends it itself.
func (tl *tool) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, tl.binary, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = tl.base, tl.env, 5*time.Second
	if tl.user != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: tl.user}
	}
	return cmd
}

// crashed matches what a dying Go or C program writes.
var crashed = regexp.MustCompile(`(?m)^panic: |^fatal error: |^goroutine \d+ \[|SIGSEGV|runtime error:|WARNING: DATA RACE`)

// tryRun runs the command with the given standard input and arguments as they stand. The error tells of a hang, a crash
// or an exit status that is in no table. It may be called from any goroutine.
func (tl *tool) tryRun(stdin string, args ...string) (outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	cmd := tl.command(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	started := time.Now()
	err := cmd.Run()
	o := outcome{args: args, stdout: stdout.String(), stderr: stderr.String(), took: time.Since(started)}
	tl.said.add(o.stdout, o.stderr)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return o, fmt.Errorf("start %v: %w", args, err)
	}
	o.code = cmd.ProcessState.ExitCode()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.peakBytes = int64(usage.Maxrss)
		if runtime.GOOS != "darwin" {
			o.peakBytes *= 1024
		}
	}
	switch {
	case ctx.Err() != nil:
		return o, fmt.Errorf("no end after %s: %v", runLimit, o)
	case crashed.MatchString(o.stderr):
		return o, fmt.Errorf("crashed: %v", o)
	case o.code < 0 || o.code > 5:
		return o, fmt.Errorf("exit status outside of the table: %v", o)
	}
	return o, nil
}

// run is tryRun for the goroutine of the test.
func (tl *tool) run(stdin string, args ...string) outcome {
	tl.t.Helper()
	o, err := tl.tryRun(stdin, args...)
	if err != nil {
		tl.t.Fatal(err)
	}
	return o
}

// refused runs the command, wants the exit status for an error and each of the texts on standard error, in any case of
// letters, and nothing but JSON on standard output.
func (tl *tool) refused(args []string, texts ...string) outcome {
	tl.t.Helper()
	o := tl.run("", args...)
	if o.code != 2 {
		tl.t.Fatalf("want exit status 2: %v", o)
	}
	if strings.TrimSpace(o.stdout) != "" && !strings.HasPrefix(o.stdout, "{") {
		tl.t.Errorf("an error leaves talk on stdout: %v", o)
	}
	o.says(tl.t, texts...)
	return o
}

// says wants each of the texts on standard error or output, in any case of letters.
func (o outcome) says(t *testing.T, texts ...string) {
	t.Helper()
	all := strings.ToLower(o.stderr + "\n" + o.stdout)
	for _, text := range texts {
		if !strings.Contains(all, strings.ToLower(text)) {
			t.Errorf("%q is not said by %v", text, o)
		}
	}
}
