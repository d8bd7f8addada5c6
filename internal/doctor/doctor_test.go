package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/setup"
)

func (c Check) String() string {
	return fmt.Sprintf("%s %s: %s > %s", c.State, c.Name, c.Detail, c.Fix)
}

// shown compares a check with "STATE PART-OF-DETAIL > PART-OF-FIX".
func (c Check) shown(want string) bool {
	state, rest, _ := strings.Cut(want, " ")
	detail, fix, hasFix := strings.Cut(rest, " > ")
	return string(c.State) == state && strings.Contains(c.Detail, detail) && strings.Contains(c.Fix, fix) && hasFix == (c.Fix != "")
}

func TestJudgeGit(t *testing.T) {
	for answer, want := range map[string]string{
		"git version 2.39.5\n":                 "ok version 2.39.5",
		"git version 2.39.5 (Apple Git-154)\n": "ok version 2.39.5",
		"git version 2.47.windows.1":           "ok version 2.47.windows.1",
		"git version 3.0.0":                    "ok version 3.0.0",
		"git version 2.30.0":                   "ok version 2.30.0",
		"git version 2.29.9":                   "fix version 2.29.9 > install git 2.30 or later",
		"git version 1.99.1":                   "fix version 1.99.1 > install git",
		"hello":                                "unknown could not be read",
		"git version x.y":                      "unknown could not be read",
		"":                                     "unknown could not be read",
	} {
		if got := judgeGit(answer); !got.shown(want) {
			t.Errorf("%q: %s, want %s", answer, got, want)
		}
	}
}

func FuzzJudgeGit(f *testing.F) {
	f.Add("git version 2.39.5")
	f.Fuzz(func(t *testing.T, answer string) {
		if c := judgeGit(answer); c.State == StateFix && c.Fix == "" || c.Detail == "" {
			t.Errorf("%q: %s", answer, c)
		}
	})
}

func TestCheckIndexAndHistory(t *testing.T) {
	old := t.TempDir()
	if err := os.WriteFile(filepath.Join(old, "manifest.json"), []byte(`{"format": 3}`), 0o644); err != nil {
		t.Fatal(err)
	}
	ready := func(h app.HistoryStatus) app.Status {
		return app.Status{State: "ready", Format: 4, Generation: 2, Files: 9, History: h}
	}
	for _, c := range []struct {
		name           string
		dir            string
		status         app.Status
		index, history string
	}{
		{"ready", "", ready(app.HistoryStatus{State: app.HistoryReady, Commits: 1}), "ok generation 2, 9 files, format 4", "ok 1 commit"},
		{"stale", "", app.Status{State: "stale", DirtyCount: 2, History: app.HistoryStatus{State: app.HistoryAbsent}}, "hint 2 files changed > agenvantage index", "hint not stored yet > agenvantage index"},
		{"another revision", "", app.Status{State: "stale", History: app.HistoryStatus{State: app.HistoryNone, Reason: "no repository"}}, "hint of another revision > agenvantage index", "off none: no repository"},
		{"other settings", "", app.Status{State: "stale", Notes: []string{"settings have changed"}, History: app.HistoryStatus{State: app.HistoryDamaged, Reason: "torn"}}, "hint stale: settings have changed > agenvantage index", "fix damaged: torn > makes it anew"},
		{"none", t.TempDir(), app.Status{State: "absent", Format: 4}, "hint none yet > agenvantage index", "unknown no index yet"},
		{"of another format", old, app.Status{State: "absent", Format: 4}, "hint of format 3; this program reads 4 > builds it anew", "unknown no index yet"},
		{"incomplete", "", app.Status{State: "incomplete"}, "hint incomplete > goes on where it stopped", "unknown no index yet"},
		{"partial", "", ready(app.HistoryStatus{State: app.HistoryPartial, Covered: 0.25, Reason: "contents are missing"}), "ok ready", "hint 25% of it is stored: contents > agenvantage index"},
		{"shallow", "", ready(app.HistoryStatus{State: app.HistoryPartial, Covered: 0.5, Shallow: true}), "ok ready", "hint 50% of it is stored > git fetch --unshallow"},
	} {
		if got := (Input{IndexDir: c.dir}).checkIndex(c.status); !got.shown(c.index) {
			t.Errorf("%s: %s, want %s", c.name, got, c.index)
		}
		if got := checkHistory(c.status); !got.shown(c.history) {
			t.Errorf("%s: %s, want %s", c.name, got, c.history)
		}
	}
}

// opened is a repository with answers that are given.
type opened struct {
	status app.Status
	err    error
	files  []app.FileStatus
}

func (o opened) Status(context.Context) (app.Status, error)      { return o.status, o.err }
func (o opened) Files(context.Context) ([]app.FileStatus, error) { return o.files, o.err }

func TestRunGoesOnBehindAFault(t *testing.T) {
	files := []app.FileStatus{{Path: "a.go"}, {Path: "x/y/b.go"}, {Path: "x/c.go"}}
	if got := foldersOf(t.Context(), opened{files: files}); got != 3 {
		t.Errorf("%d folders, want the root, x and x/y", got)
	}
	for name, c := range map[string]struct {
		in   Input
		want map[string]string
	}{
		"a setting":     {Input{ConfigError: errors.New("search.top_k: want a number")}, map[string]string{"configuration": "fix search.top_k > correct", "repository": "unknown configuration", "index": "unknown not opened", "history": "unknown not opened", "permissions": "unknown not known"}},
		"a folder":      {Input{OpenError: errors.New("root nowhere")}, map[string]string{"configuration": "ok can be used", "repository": "fix root nowhere > --repo DIR"}},
		"damage":        {Input{Repository: opened{err: errors.New("meta.db: torn page")}}, map[string]string{"repository": "ok ", "index": "fix damaged: meta.db > agenvantage index --force", "history": "unknown could not be read"}},
		"other trouble": {Input{Repository: opened{err: fmt.Errorf("%w: a link", agenvantage.ErrBadInput)}}, map[string]string{"index": "fix a link > agenvantage status"}},
		"no index yet":  {Input{Repository: opened{status: app.Status{State: "absent"}}, IndexDir: t.TempDir()}, map[string]string{"index": "hint none yet > agenvantage index"}},
		"nothing":       {Input{Repository: opened{status: app.Status{State: "ready", History: app.HistoryStatus{State: app.HistoryReady}}, files: files}, IndexDir: t.TempDir()}, map[string]string{"repository": "ok ", "index": "ok ready", "embedder": "off the model in the program", "clients": "off none", "permissions": "ok can be written"}},
	} {
		report, err := Run(t.Context(), c.in)
		if err != nil {
			t.Fatal(err)
		}
		faults := 0
		for _, check := range report.Checks {
			if check.State == StateFix {
				faults++
			}
			if want, given := c.want[check.Name]; given && !check.shown(want) {
				t.Errorf("%s: %s, want %s", name, check, want)
			}
			delete(c.want, check.Name)
		}
		if len(c.want) > 0 {
			t.Errorf("%s: not checked: %v", name, c.want)
		}
		if report.OK != (faults == 0) {
			t.Errorf("%s: OK is %v with %d faults", name, report.OK, faults)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ended, Input{Repository: opened{}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}

func TestCheckFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{dir: "ok can be written", filepath.Join(dir, "new", "deep"): "ok can be written", file: "fix is no folder > remove it"}
	if runtime.GOOS != "windows" {
		cases[open] = "fix can be written by everybody > chmod o-w"
		cases[filepath.Join(open, "new")] = "ok can be written"
	}
	for folder, want := range cases {
		if got := (Input{IndexDir: folder}).checkFolder(); !got.shown(want) {
			t.Errorf("%s: %s, want %s", folder, got, want)
		}
	}
	if os.Geteuid() > 0 {
		shut := filepath.Join(dir, "shut")
		if err := os.Mkdir(shut, 0o500); err != nil {
			t.Fatal(err)
		}
		if got := (Input{IndexDir: shut}).checkFolder(); !got.shown("fix cannot be written > chmod u+rwx") {
			t.Errorf("a folder without permission: %s", got)
		}
	}
}

func TestJudgeDiskAndInotify(t *testing.T) {
	if got := judgeDisk(minFreeBytes, "/x"); !got.shown("ok 512 MiB are free at /x") {
		t.Error(got)
	}
	if got := judgeDisk(minFreeBytes-1, "/x"); !got.shown("fix 511 MiB are free at /x > make room (512 MiB)") {
		t.Error(got)
	}
	for _, c := range []struct {
		watches, instances, folders int
		want                        string
	}{
		{8192, 128, 100, "ok 100 folders, of 8192"},
		{200, 128, 100, "ok 100 folders"},
		{199, 128, 100, "fix 100 folders, of 199 > fs.inotify.max_user_watches=65536"},
		{9000, 128, 8192, "fix 8192 folders > fs.inotify.max_user_watches=65536"},
		{9000, 128, 8193, "off more than 8192"},
		{0, 128, 0, "fix 0 folders > max_user_watches=65536"},
		{8192, 15, 1, "fix 15 watchers > max_user_instances=128"},
		{8192, 128, 0, "ok grants a user 8192 folders"},
	} {
		if got := judgeInotify(c.watches, c.instances, c.folders); !got.shown(c.want) {
			t.Errorf("%d, %d, %d: %s, want %s", c.watches, c.instances, c.folders, got, c.want)
		}
	}
	dir := t.TempDir()
	if _, _, found := inotifyLimits(dir); found {
		t.Error("limits are found in an empty folder")
	}
	for name, text := range map[string]string{"max_user_watches": "7\n", "max_user_instances": "8\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if watches, instances, found := inotifyLimits(dir); watches != 7 || instances != 8 || !found {
		t.Errorf("limits %d, %d, %v", watches, instances, found)
	}
}

func TestCheckClients(t *testing.T) {
	dir := t.TempDir()
	program, other, plain := filepath.Join(dir, "agenvantage"), filepath.Join(dir, "other"), filepath.Join(dir, "plain")
	for path, mode := range map[string]os.FileMode{program: 0o755, other: 0o755, plain: 0o644} {
		if err := os.WriteFile(path, []byte(path), mode); err != nil {
			t.Fatal(err)
		}
	}
	entry := func(command ...string) []setup.Configured {
		return []setup.Configured{{Scope: setup.ScopeUser, Path: "/h/config.toml", Command: command, Ours: true}}
	}
	for _, c := range []struct {
		name  string
		found setup.Found
		want  string
	}{
		{"this program", setup.Found{Client: "codex", Configured: entry(program, "serve")}, "ok /h/config.toml"},
		{"another program", setup.Found{Client: "codex", Configured: entry(other)}, "ok another program than this one"},
		{"gone", setup.Found{Client: "codex", Configured: entry("/gone/agenvantage")}, "fix starts /gone/agenvantage, which is not there > agenvantage setup codex --scope user"},
		{"gone, by hand", setup.Found{Client: "codex", Configured: []setup.Configured{{Scope: setup.ScopeUser, Path: "/h/config.toml", Command: []string{"/gone/agenvantage"}}}}, "fix starts /gone/agenvantage, which is not there > agenvantage setup codex --scope user --force, which keeps a backup"},
		{"no program", setup.Found{Client: "codex", Configured: entry(dir)}, "fix is no program > agenvantage setup codex"},
		{"nothing", setup.Found{Client: "codex", Configured: entry("")}, `fix starts "", which is not found > agenvantage setup codex`},
		{"not on the path", setup.Found{Client: "codex", Configured: entry("agenvantage-that-is-nowhere")}, "fix is not found > agenvantage setup codex"},
		{"unreadable", setup.Found{Client: "codex", Configured: []setup.Configured{{Scope: setup.ScopeProject, Path: "/p/config.toml", Error: "it is no TOML"}}}, "fix it is no TOML > mend /p/config.toml by hand"},
		{"not entered", setup.Found{Client: "codex", Installed: true}, "off agenvantage setup codex enters it"},
		{"not installed", setup.Found{Client: "codex"}, "off none that agenvantage knows is installed"},
	} {
		checks := checkClients(t.Context(), []setup.Found{c.found}, program)
		if len(checks) != 1 || !checks[0].shown(c.want) {
			t.Errorf("%s: %v, want %s", c.name, checks, c.want)
		}
	}
	if runtime.GOOS != "windows" {
		if got := checkClients(t.Context(), []setup.Found{{Client: "codex", Configured: entry(plain)}}, program); !got[0].shown("fix is no program > agenvantage setup codex") {
			t.Errorf("a file that cannot be run: %v", got)
		}
	}
}

// TestAnEmbedderIsMendedByItsFault: one advice stood for a full disk, a folder that cannot be written, a setting and damage.
func TestAnEmbedderIsMendedByItsFault(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := func(context.Context) error { return errors.New("torn page") }
	whole := func(context.Context) error { return nil }
	closed := app.VectorsNotWritable("/closed")
	for name, c := range map[string]struct {
		in   Input
		want string
	}{
		"off":                         {Input{Embedder: "none"}, "off off"},
		"nobody asked":                {Input{Vectors: app.EmbedderState{Dir: filepath.Join(t.TempDir(), "a", "b")}}, "off model in the program"},
		"named":                       {Input{Embedder: "ollama", Vectors: app.EmbedderState{Dir: t.TempDir()}}, "ok provider ollama"},
		"a setting":                   {Input{Vectors: app.EmbedderState{Fault: fmt.Errorf("%w: embed.model is odd", agenvantage.ErrBadInput)}}, "fix embed.model is odd > mend bad input: embed.model is odd"},
		"no folder, unasked":          {Input{Vectors: app.EmbedderState{Dir: filepath.Join(file, "v")}}, "hint no new vectors can be kept > mend vector store not writable"},
		"no folder, named":            {Input{Embedder: "builtin", Vectors: app.EmbedderState{Dir: filepath.Join(file, "v")}}, "fix vector store not writable > mend"},
		"closed, and stored":          {Input{Embedder: "builtin", VectorFault: whole, Vectors: app.EmbedderState{Dir: "/x", Stored: true, Fault: closed}}, "hint no new vectors can be kept > mend"},
		"damaged":                     {Input{VectorFault: damaged, Vectors: app.EmbedderState{Dir: "/x", Stored: true}}, "fix torn page > mend torn page"},
		"closed and damaged":          {Input{VectorFault: damaged, Vectors: app.EmbedderState{Dir: "/x", Stored: true, Fault: closed}}, "fix torn page > mend torn page"},
		"whole":                       {Input{VectorFault: whole, Vectors: app.EmbedderState{Dir: "/x", Stored: true}}, "off model in the program"},
		"something else is the fault": {Input{VectorFault: damaged, Vectors: app.EmbedderState{Dir: "/x", Fault: errors.New("no space left")}}, "fix no space left > mend no space left"},
	} {
		c.in.EmbedderFix = func(fault error) string { return "mend " + fault.Error() }
		if got := c.in.checkEmbedder(t.Context()); !got.shown(c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got := (Input{EmbedderFix: func(error) string { return "" }, Vectors: app.EmbedderState{Fault: fmt.Errorf("embed.dimensions: 100: %w", agenvantage.ErrBadInput)}}).checkEmbedder(t.Context()); got.Detail != "embed.dimensions: 100" {
		t.Errorf("detail %q", got.Detail)
	}
}
