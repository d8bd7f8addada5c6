package git

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

func TestEnvironmentKeepsNothingThatPointsGitElsewhere(t *testing.T) {
	env := environment([]string{"HOME=/h", "LANG=de", "LC_ALL=de", "GIT_DIR=/x", "GIT_WORK_TREE=/x", "GIT_OBJECT_DIRECTORY=/x", "GIT_TRACE=/x", "GIT_SSH_COMMAND=/x",
		"GIT_EXTERNAL_DIFF=/x", "GIT_CONFIG_PARAMETERS='a=b'", "GIT_ALLOW_PROTOCOL=file", "GIT_CONFIG_GLOBAL=/g", "GIT_CEILING_DIRECTORIES=/c"})
	want := []string{"HOME=/h", "GIT_CONFIG_GLOBAL=/g", "GIT_CEILING_DIRECTORIES=/c", "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", "GIT_PAGER=cat", "GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=" + filepath.Join(os.DevNull, "none")}
	if !slices.Equal(env, want) {
		t.Errorf("got  %q\nwant %q", env, want)
	}
}

func TestResolve(t *testing.T) {
	f := newFixture(t)
	f.write("repo/a.txt", "one\n")
	first := f.commit("one")
	f.write("repo/a.txt", "two\n")
	second := f.commit("two")
	f.git("repo", "tag", "-a", "-m", "note", "v1", first)
	f.git("repo", "branch", "side", first)
	tree := f.git("repo", "rev-parse", "HEAD^{tree}")
	f.git("", "clone", "-q", "--bare", "repo", "bare.git")
	for _, dir := range []string{"repo", "repo/.git", "bare.git"} {
		r := f.repository(dir)
		for revision, want := range map[string]string{"HEAD": second, "main": second, "HEAD~1": first, "HEAD^": first, "v1": first, "refs/tags/v1": first, "side": first, first: first, first[:10]: first, "v1^{commit}": first} {
			if got, err := Find().Resolve(context.Background(), r, revision); got != want || err != nil {
				t.Errorf("%s in %s: %s, %v; want %s", revision, dir, got, err, want)
			}
		}
		for _, revision := range []string{"", "nope", "HEAD~9", "HEAD:a.txt", tree, strings.Repeat("0", 40), "-h", "--all", "a\x00b", "HEAD\nHEAD", "../x", "side..main"} {
			got, err := Find().Resolve(context.Background(), r, revision)
			if got != "" || !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), r.Name()) {
				t.Errorf("%q in %s: %q, %v; want bad input that names the repository", revision, dir, got, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Find().Resolve(ctx, f.repository("repo"), "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}

func TestStream(t *testing.T) {
	f := newFixture(t)
	f.write("repo/a.txt", strings.Repeat("0123456789\n", 100_000))
	id := f.commit("one")
	show := Command{Dir: f.path("repo"), Args: []string{"cat-file", "blob", id + ":a.txt"}}
	var n int64
	err := Find().Stream(context.Background(), show, func(out io.Reader) (err error) {
		n, err = io.Copy(io.Discard, out)
		return err
	})
	if err != nil || n != 1_100_000 {
		t.Errorf("%d bytes, %v", n, err)
	}
	err = Find().Stream(context.Background(), show, func(out io.Reader) error {
		_, err := io.ReadFull(out, make([]byte, 10))
		return err
	})
	if err != nil {
		t.Errorf("a reader that has enough: %v", err)
	}
	mine := errors.New("mine")
	if err := Find().Stream(context.Background(), show, func(io.Reader) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("a reader that fails: %v", err)
	}
	all := func(out io.Reader) error { _, err := io.Copy(io.Discard, out); return err }
	err = Find().Stream(context.Background(), Command{Dir: f.path("repo"), Args: []string{"cat-file", "blob", "nope"}}, all)
	if !strings.Contains(Says(err), "nope") {
		t.Errorf("git fails: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = Find().Stream(ctx, show, func(out io.Reader) error {
		cancel()
		return all(out)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while it reads: %v", err)
	}
	err = Find().Stream(context.Background(), Command{Dir: f.path("repo"), Stdin: strings.NewReader("HEAD\n"), Args: []string{"cat-file", "--batch-check"}}, func(out io.Reader) error {
		line, err := io.ReadAll(out)
		if !strings.HasPrefix(string(line), id+" commit ") {
			t.Errorf("standard input gives %q", line)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestNothingIsFetched makes a clone that has no contents, whose remote runs a program of the configuration.
func TestNothingIsFetched(t *testing.T) {
	f := newFixture(t)
	f.write("repo/a.txt", "content\n")
	id := f.commit("one")
	blob := f.git("repo", "rev-parse", id+":a.txt")
	f.git("repo", "config", "uploadpack.allowFilter", "true")
	f.git("", "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+f.path("repo"), "partial")
	program, sprung := f.trap()
	for _, url := range []string{"file://" + f.path("repo"), f.path("repo"), "ssh://host.invalid/x", "ext::" + program + " %s"} {
		f.git("partial", "config", "remote.origin.url", url)
		f.git("partial", "config", "remote.origin.uploadpack", program)
		f.git("partial", "config", "core.sshCommand", program)
		f.git("partial", "config", "protocol.ext.allow", "always")
		if out, _, err := Find().Run(context.Background(), f.path("partial"), nil, "cat-file", "blob", blob); err == nil {
			t.Errorf("%s: %q was fetched", url, out)
		}
		if sprung() {
			t.Fatalf("%s: a program of the configuration was run", url)
		}
	}
	f.git("partial", "config", "remote.origin.url", "file://"+f.path("repo"))
	plain := exec.Command("git", "-C", f.path("partial"), "cat-file", "blob", blob)
	plain.Run()
	if !sprung() {
		t.Error("plain git does not run the fixture's program either")
	}
}

func TestWithoutFilters(t *testing.T) {
	f := newFixture(t)
	program, sprung := f.trap()
	f.write("repo/.gitattributes", "*.txt filter=one\n*.md filter=t.w.o\n*.c filter=th=ree\n")
	for _, name := range []string{"a.txt", "a.md", "a.c"} {
		f.write("repo/"+name, "plain\n")
	}
	f.commit("one")
	for _, key := range []string{"filter.one.clean", "filter.one.smudge", "filter.t.w.o.process", "filter.th=ree.clean"} {
		f.git("repo", "config", key, program)
	}
	f.git("repo", "config", "filter.one.required", "true")
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "core.quotePath")
	t.Setenv("GIT_CONFIG_VALUE_0", "false")
	for _, name := range []string{"a.txt", "a.md", "a.c"} {
		f.write("repo/"+name, "changed\n")
	}
	p, err := Find().WithoutFilters(context.Background(), f.repository("repo"))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := p.Run(context.Background(), f.path("repo"), nil, "diff", "--name-only")
	if err != nil || string(out) != "a.c\na.md\na.txt\n" || sprung() {
		t.Errorf("%q, %v, a filter was run: %v", out, err, sprung())
	}
	f.git("repo", "config", "--remove-section", "filter.t.w.o") // it does not speak the protocol of a process
	Find().Run(context.Background(), f.path("repo"), nil, "diff", "--name-only")
	if !sprung() {
		t.Error("the fixture's filters are not run in any case")
	}
	f.git("", "init", "-q", "plain")
	if _, err := Find().WithoutFilters(context.Background(), f.repository("plain")); err != nil {
		t.Errorf("without any filter: %v", err)
	}
}

func TestErrorsSayWhatGitSaid(t *testing.T) {
	f := newFixture(t)
	_, _, err := Find().Run(context.Background(), f.path("repo"), nil, "cat-file", "blob", "nope")
	if err == nil || !strings.Contains(err.Error(), "git cat-file blob nope: ") || !strings.Contains(Says(err), "nope") {
		t.Errorf("%v", err)
	}
	if Says(errors.New("other")) != "" || Says(nil) != "" {
		t.Error("other errors say something")
	}
}
