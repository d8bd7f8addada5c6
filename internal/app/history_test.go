package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/configs"
	"agenvantage/index/commits"
)

// gitWorld is a world in a repository with a clock of its own: commit n has the time 1700000000 + 86400 n.
type gitWorld struct {
	*world
	clock int
}

func newGitWorld(t *testing.T, fs files, flags ...string) *gitWorld {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git program")
	}
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": filepath.Join(home, "gitconfig")} {
		t.Setenv(name, value)
	}
	w := &gitWorld{world: newWorld(t, fs, flags...)}
	w.git(w.root, "init", "-q")
	return w
}

func (w *gitWorld) git(dir string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir = dir
	date := fmt.Sprintf("%d +0000", 1700000000+86400*w.clock)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.invalid", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.invalid",
		"GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit writes files and commits all of the tree.
func (w *gitWorld) commit(message string, fs files) string {
	w.t.Helper()
	w.write(fs)
	w.git(w.root, "add", "-A", "--", ".", ":!.agenvantage")
	w.git(w.root, "commit", "-q", "--allow-empty", "-m", message)
	w.clock++
	return w.git(w.root, "rev-parse", "HEAD")
}

// provenance asks the channel alone.
func (w *world) provenance(question string) agenvantage.Response {
	w.t.Helper()
	w.forgetCheck()
	return w.askAgain(SearchRequest{Query: question, Channels: []string{"provenance"}})
}

// foundFiles lists the paths of the results, each once.
func foundFiles(r agenvantage.Response) string {
	var paths []string
	for _, x := range r.Results {
		if !slices.Contains(paths, x.Path) {
			paths = append(paths, x.Path)
		}
	}
	return strings.Join(paths, " ")
}

// outcome is the report of the channel: status, covered, error.
func outcome(r agenvantage.Response) string {
	c := r.Channels[0]
	s := string(c.Status)
	if c.Covered != nil {
		s += fmt.Sprintf(" %.2f", *c.Covered)
	}
	if c.Error != "" {
		s += ": " + c.Error
	}
	return s
}

func TestHistoryStates(t *testing.T) {
	const notYet = "off: no history: no commit yet"
	w := newGitWorld(t, files{"a.go": function("Alpha"), "b.go": function("Beta")})
	if r := w.provenance("leak"); outcome(r) != notYet || w.status().History.State != HistoryNone {
		t.Errorf("unborn: %s, %+v", outcome(r), w.status().History)
	}
	w.commit("Add both", nil)
	w.commit("Stop the leak", files{"b.go": function("Beta2")})
	if r := w.provenance("leak"); outcome(r) != "ok" || foundFiles(r) != "b.go" {
		t.Errorf("a commit: %s, %s", outcome(r), foundFiles(r))
	}
	if s := w.status(); s.History.State != HistoryReady || s.History.Commits != 2 || s.History.Covered != 1 || s.History.Revision != s.LiveRevision || s.History.Bytes == 0 {
		t.Errorf("%+v", s.History)
	}
	w.git(w.root, "checkout", "-q", "--detach")
	w.commit("Fix the drip", files{"a.go": function("Alpha2")})
	if r := w.provenance("drip"); outcome(r) != "ok" || foundFiles(r) != "a.go" {
		t.Errorf("detached: %s, %s", outcome(r), foundFiles(r))
	}
	w.git(w.root, "checkout", "-q", "-")
	if r := w.provenance("drip"); outcome(r) != "empty" {
		t.Errorf("a commit that HEAD does not have: %s, %s", outcome(r), foundFiles(r))
	}

	open := func(root string) *world {
		a, err := Open(root, config(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Close() })
		return &world{App: a, t: t, root: root}
	}
	linked := filepath.Join(t.TempDir(), "linked")
	w.git(w.root, "worktree", "add", "-q", linked)
	if r := open(linked).provenance("leak"); outcome(r) != "ok" || foundFiles(r) != "b.go" {
		t.Errorf("a linked work tree: %s, %s", outcome(r), foundFiles(r))
	}
	shallow := filepath.Join(t.TempDir(), "shallow")
	w.git(w.root, "clone", "-q", "--depth", "1", "file://"+w.root, shallow)
	s := open(shallow)
	if r := s.provenance("leak"); outcome(r) != "partial 0.00: the clone is shallow: older commits are not known" {
		t.Errorf("shallow: %s", outcome(r))
	}
	if h := s.status().History; h.State != HistoryPartial || !h.Shallow {
		t.Errorf("shallow: %+v", h)
	}
	w.git(w.root, "config", "uploadpack.allowFilter", "true")
	partial := filepath.Join(t.TempDir(), "partial")
	w.git(w.root, "clone", "-q", "--filter=blob:none", "file://"+w.root, partial)
	if r := open(partial).provenance("leak"); outcome(r) != "ok" || foundFiles(r) != "b.go" {
		t.Errorf("partial: %s, %s", outcome(r), foundFiles(r))
	}
	plain := newWorld(t, files{"a.go": function("Alpha")})
	if r := plain.provenance("leak"); outcome(r) != "off: no history: not a git repository" {
		t.Errorf("no repository: %s", outcome(r))
	}
	if _, err := plain.ChangesFor(t.Context(), ChangesRequest{Location: "a.go"}, nil); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("no repository: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if r := open(w.root).provenance("leak"); outcome(r) != "off: no history: there is no git program" {
		t.Errorf("no git: %s", outcome(r))
	}
}

func TestIndexForceKeepsTheHistory(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha")})
	w.commit("Stop the leak", nil)
	var phases []ProgressPhase
	_, err := w.Index(t.Context(), false, func(p Progress) { phases = append(phases, p.Phase) })
	if err != nil || phases[len(phases)-1] != PhaseHistory {
		t.Fatalf("%v, %v", phases, err)
	}
	before, err := os.Stat(w.historyFile())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Index(t.Context(), true, nil); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(w.historyFile()); err != nil || !os.SameFile(before, after) {
		t.Errorf("the history was made anew: %v", err)
	}
	if r := w.provenance("leak"); outcome(r) != "ok" {
		t.Errorf("%s", outcome(r))
	}
	if _, err := w.Clean(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.index.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("clean left something: %v", err)
	}
}

// auto asks exact and bm25f only, and does no work for the history.
func TestSearchLeavesTheHistoryAlone(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha")})
	w.commit("Stop the leak", nil)
	r := w.ask("alpha")
	if i := slices.IndexFunc(r.Channels, func(c agenvantage.ChannelReport) bool { return c.Name == "provenance" }); i < 0 || r.Channels[i].Status != agenvantage.StatusOff {
		t.Errorf("%+v", r.Channels)
	}
	if _, err := os.Stat(w.historyFile()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a search that did not ask for it stored history: %v", err)
	}
	r = w.askAgain(SearchRequest{Query: "leak", Channels: []string{"provenance"}, NoRefresh: true})
	if outcome(r) != "partial 0.00: the history is not stored yet: run agenvantage index" {
		t.Errorf("without a refresh: %s", outcome(r))
	}
	if s := w.status().History; s.State != HistoryAbsent {
		t.Errorf("%+v", s)
	}
}

func TestHistoryBehindTheIndex(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha"), "b.go": function("Beta")})
	w.commit("Stop the leak", nil)
	w.mustIndex()
	w.commit("Stop the drip", files{"b.go": function("Beta2")})
	if _, err := w.update(t.Context(), false, nil); err != nil { // files alone
		t.Fatal(err)
	}
	r := w.askAgain(SearchRequest{Query: "leak drip", Channels: []string{"provenance"}, NoRefresh: true})
	if outcome(r) != "partial 0.50: the history is not stored as a whole yet: run agenvantage index" || foundFiles(r) != "a.go b.go" {
		t.Errorf("%s, %s", outcome(r), foundFiles(r))
	}
	if r := w.provenance("drip"); outcome(r) != "ok" || foundFiles(r) != "b.go" {
		t.Errorf("after a refresh: %s, %s", outcome(r), foundFiles(r))
	}
}

func TestDamagedHistoryIsMadeAnew(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha")})
	w.commit("Stop the leak", nil)
	w.mustIndex()
	if err := os.WriteFile(w.historyFile(), []byte(strings.Repeat("damage", 2000)), 0o644); err != nil {
		t.Fatal(err)
	}
	again := w.open()
	if s := again.status().History; s.State != HistoryDamaged {
		t.Errorf("%+v", s)
	}
	s := again.mustIndex()
	if !slices.Contains(s.Notes, "the stored history could not be read and was made anew") {
		t.Errorf("%q", s.Notes)
	}
	if r := again.provenance("leak"); outcome(r) != "ok" {
		t.Errorf("%s", outcome(r))
	}
}

// A run that is cancelled while it stores history leaves files and history whole.
func TestCancelledHistory(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha")})
	w.commit("Stop the leak", nil)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := w.Index(ctx, false, func(p Progress) {
		if p.Phase == PhaseHistory {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if r := w.ask("alpha"); foundFiles(r) != "a.go" {
		t.Errorf("%s", foundFiles(r))
	}
	if _, err := commits.OpenView(t.Context(), w.historyFile(), commits.ViewOptions{Revision: w.git(w.root, "rev-parse", "HEAD")}); !errors.Is(err, commits.ErrAbsent) && !errors.Is(err, commits.ErrUnknown) && !errors.Is(err, commits.ErrCorrupt) {
		t.Errorf("%v", err)
	}
	w.mustIndex()
	if r := w.provenance("leak"); outcome(r) != "ok" {
		t.Errorf("%s", outcome(r))
	}
}

func TestRootBelowTheTop(t *testing.T) {
	w := newGitWorld(t, files{"sub/a.go": function("Alpha"), "b.go": function("Beta")})
	w.commit("Stop the leak", nil)
	w.commit("Another leak", files{"b.go": function("Beta2")})
	a, err := Open(w.path("sub"), config(t))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	sub := &world{App: a, t: t, root: w.path("sub")}
	if r := sub.provenance("leak"); outcome(r) != "ok" || foundFiles(r) != "a.go" || r.Results[0].StartLine != 1 && r.Results[0].StartLine != 3 {
		t.Errorf("%s, %s", outcome(r), foundFiles(r))
	}
	c, err := sub.ChangesFor(t.Context(), ChangesRequest{Location: "a.go:3"}, nil)
	if err != nil || c.Total != 1 || c.Commits[0].Subject != "Stop the leak" {
		t.Errorf("%+v, %v", c, err)
	}
}

// The tree of an old commit has the history of that commit, without what came after it.
func TestTreeOfACommit(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha"), "b.go": function("Beta")})
	first := w.commit("Stop the leak", nil)
	w.commit("Leak again", files{"b.go": function("Beta2")})
	w.write(files{"a.go": function("Alpha3")})
	bare := filepath.Join(t.TempDir(), "bare")
	w.git(w.root, "clone", "-q", "--bare", w.root, bare)
	for _, repository := range []string{w.root, bare} {
		e := NewEngine(EngineOptions{Repos: filepath.Dir(repository), Indexes: t.TempDir(), Depth: 10, Config: func(map[string]string) (*configs.Config, error) { return config(t), nil }})
		for _, c := range []struct{ revision, want string }{{"main", "commit"}, {first, "commit"}} {
			opened, err := e.open(t.Context(), corpusAt(filepath.Base(repository), c.revision), variantOf("provenance"))
			if err != nil {
				t.Fatal(err)
			}
			r := (&world{App: opened.App, t: t}).askAgain(SearchRequest{Query: "leak", Channels: []string{"provenance"}, NoRefresh: true})
			if outcome(r) != "ok" || strings.Count(foundFiles(r), " ") != 1 {
				t.Errorf("%s at %s: %s, %s", repository, c.revision, outcome(r), foundFiles(r))
			}
			for _, x := range r.Results {
				again := strings.Contains(x.Channels["provenance"].Reason, "Leak again")
				if again && c.revision == first || strings.Contains(x.Channels["provenance"].Reason, "uncommitted") {
					t.Errorf("%s at %s: %s", repository, c.revision, x.Channels["provenance"].Reason)
				}
			}
			if cost := opened.cost.Channels["provenance"]; cost.IndexBytes == 0 || opened.cost.IndexBytes < cost.IndexBytes {
				t.Errorf("cost %+v", opened.cost)
			}
			if err := opened.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestDirtyFilesAreLabelled(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha"), "b.go": function("Beta")})
	w.commit("Stop the leak", nil)
	w.write(files{"b.go": function("Gamma"), "new.go": function("Delta")})
	r := w.provenance("leak")
	reasons := map[string]string{}
	for _, x := range r.Results {
		reasons[x.Path] = x.Channels["provenance"].Reason
		if x.Path == "b.go" && !strings.Contains(x.Text, "Gamma") {
			t.Errorf("a committed text hides a local edit: %q", x.Text)
		}
	}
	if !strings.HasSuffix(reasons["b.go"], "; uncommitted changes") || strings.Contains(reasons["a.go"], "uncommitted") || len(reasons) != 2 {
		t.Errorf("%q", reasons)
	}
	if r := w.provenance("what did I change"); foundFiles(r) != "b.go new.go" {
		t.Errorf("%s", foundFiles(r))
	}
	w.commit("Take it all", nil)
	if r := w.provenance("what did I change"); foundFiles(r) != "" {
		t.Errorf("after a commit: %s", foundFiles(r))
	}
}

// What a search cannot do in time it leaves, and says so.
func TestNoTimeForTheHistory(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha")}, "search.refresh_timeout=1ns")
	w.commit("Stop the leak", nil)
	if _, err := w.update(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	if r := w.provenance("leak"); outcome(r) != "partial 0.00: the history is not stored yet: run agenvantage index" {
		t.Errorf("%s", outcome(r))
	}
	began := time.Now()
	if err := w.refreshHistory(t.Context(), began, nil); err != nil {
		t.Errorf("running out of time is an error: %v", err)
	}
}

func TestProvenanceSettings(t *testing.T) {
	a := newWorld(t, nil)
	if got, want := a.provenanceOptions, channels.DefaultProvenanceOptions(); got != want {
		t.Errorf("default.yaml gives %+v, the code has %+v", got, want)
	}
	b := newWorld(t, nil, "provenance.k1=2", "provenance.b=0.1", "provenance.age_days=7", "provenance.recency_days=8", "provenance.max_files=9", "provenance.commits=10",
		"provenance.hunk_commits=11", "provenance.prior=0.2", "provenance.cochange=0.3", "provenance.min_support=12")
	want := channels.ProvenanceOptions{K1: 2, B: 0.1, AgeDays: 7, RecencyDays: 8, MaxFiles: 9, Commits: 10, HunkCommits: 11, Prior: 0.2, Cochange: 0.3, MinSupport: 12}
	if b.provenanceOptions != want {
		t.Errorf("got %+v, want %+v", b.provenanceOptions, want)
	}
}

// A secret in a message is masked before it is stored: no word of it is found, and none is shown.
func TestSecretsInMessages(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Alpha")})
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	w.commit("Rotate the token "+secret, nil)
	w.mustIndex()
	c := w.changes(ChangesRequest{Location: "a.go"})
	if s := subjects(c); strings.Contains(s, secret) || !strings.HasPrefix(s, "Rotate the token ") {
		t.Errorf("%s", s)
	}
	if r := w.provenance(secret); len(r.Results) != 0 {
		t.Errorf("found by its secret: %s", foundFiles(r))
	}
	if r := w.provenance("rotate token"); foundFiles(r) != "a.go" {
		t.Errorf("%s", foundFiles(r))
	}
}
