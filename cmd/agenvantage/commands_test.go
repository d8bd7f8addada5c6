package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/configs"
	"agenvantage/internal/app"
)

func exampleIndex() app.IndexSummary {
	return app.IndexSummary{Root: "/repo", IndexDir: "/repo/.agenvantage", Files: 120, Chunks: 900, Symbols: 1, Skipped: map[agenvantage.SkipReason]int{agenvantage.SkipTooLarge: 2, agenvantage.SkipBinary: 11},
		Masked: 2, Bytes: 3456789, Seconds: 1.5, IndexBytes: 5600000, Changed: 120, Generation: 1, Notes: []string{"index of format 1 rebuilt as format 2"}}
}

func exampleStatus() app.Status {
	return app.Status{Root: "/repo", IndexDir: "/repo/.agenvantage", State: "stale", IndexedRevision: "aaaa", LiveRevision: "bbbb", Dirty: []string{"a.go", "new\nline"}, DirtyCount: 2,
		AgeS: 3723, Format: 2, Generation: 4, Files: 120, Skipped: 13, Chunks: 900, Symbols: 400, IndexBytes: 5600000,
		Channels:  []app.ChannelStatus{{Name: "exact", Status: agenvantage.StatusOK, Items: 400, Bytes: 1200}, {Name: "bm25f", Status: agenvantage.StatusOK, Items: 900, Bytes: 3400000}},
		Languages: []app.LanguageStatus{{Lang: "go", Files: 100, Bytes: 3000000, Symbols: 390, Parser: "grammar", States: map[agenvantage.ParseState]int{agenvantage.ParseFull: 98, agenvantage.ParsePartial: 2}}, {Files: 1, Bytes: 12, Parser: "text"}},
		History:   app.HistoryStatus{State: app.HistoryPartial, Revision: "aaaa", Commits: 50, Covered: 0.25, Shallow: true, Bytes: 9000, Reason: "the clone is shallow"},
		Notes:     []string{"options changed: the next run builds anew"}}
}

func exampleFiles() []app.FileStatus {
	return []app.FileStatus{
		{Path: "a.go", State: "indexed", Size: 120, Lang: "go", Parse: agenvantage.ParseFull},
		{Path: "big.sql", State: "skipped", Reason: agenvantage.SkipTooLarge, Size: 3145800, Limit: 1048576},
		{Path: "locked/", State: "skipped", Reason: agenvantage.SkipUnreadable, Detail: "permission denied\n"},
		{Path: "new\nline.py", State: "indexed", Size: 1},
	}
}

func TestCommandsForPeople(t *testing.T) {
	f := &fake{index: exampleIndex(), status: exampleStatus(), files: exampleFiles(), clean: app.CleanSummary{IndexDir: "/repo/.agenvantage", Removed: true, Bytes: 5600000}}
	var all strings.Builder
	for _, args := range []string{"index", "index --force", "status", "files", "files --skipped", "clean", "config show --set search.top_k=3"} {
		got := call{service: f}.run(t, strings.Fields(args)...)
		if got.code != exitOK || got.errOut != "" {
			t.Errorf("%s: exit code %d, standard error %q", args, got.code, got.errOut)
		}
		fmt.Fprintf(&all, "$ agenvantage %s\n%s\n", args, got.out)
	}
	golden(t, "commands.txt", all.String())
	if !f.force {
		t.Error("--force does not arrive")
	}
}

func TestIndexExitCodes(t *testing.T) {
	tests := []struct {
		name    string
		summary app.IndexSummary
		err     error
		code    int
		want    string
	}{
		{"done", exampleIndex(), nil, exitOK, ""},
		{"no files", app.IndexSummary{Root: "/r"}, nil, exitOK, ""},
		{"unreadable", app.IndexSummary{Files: 1, Skipped: map[agenvantage.SkipReason]int{agenvantage.SkipUnreadable: 2}}, nil, exitPartial, "2 files or folders could not be read"},
		{"vanished", app.IndexSummary{Files: 1, Skipped: map[agenvantage.SkipReason]int{agenvantage.SkipVanished: 1}}, nil, exitPartial, "1 file or folder could not be read"},
		{"error", app.IndexSummary{}, fmt.Errorf("%w: .gitignore:1: *", agenvantage.ErrNothingSelected), exitError, "no file selected: .gitignore:1: *"},
	}
	for _, tt := range tests {
		for _, args := range [][]string{{"index"}, {"index", "--json"}} {
			got := call{service: &fake{index: tt.summary, err: tt.err}}.run(t, args...)
			if got.code != tt.code || !strings.Contains(got.errOut, tt.want) || tt.want == "" && got.errOut != "" {
				t.Errorf("%s %v: %+v", tt.name, args, got)
			}
			if tt.err != nil && len(args) > 1 { // --json tells errors as well
				got.out = strings.TrimPrefix(got.out, `{"error":{"kind":"nothing_selected",`)
				if bad := breaks(t, "error", `{"error":{"kind":"nothing_selected",`+got.out); len(bad) > 0 {
					t.Errorf("%s %v: %v", tt.name, args, bad)
				}
				continue
			}
			if (tt.err == nil) != (got.out != "") {
				t.Errorf("%s %v: standard output %q", tt.name, args, got.out)
			}
		}
	}
	if got := (call{service: &fake{index: app.IndexSummary{Root: "/r"}}}).run(t, "index"); !strings.Contains(got.out, "no files indexed") {
		t.Errorf("%+v", got)
	}
}

// TestErrors: nothing on standard output without --json, Error and Try on standard error, at most four lines.
func TestErrors(t *testing.T) {
	tests := []struct {
		name string
		err  error
		args string
		want string
	}{
		{"not writable", fmt.Errorf("%w: mkdir", agenvantage.ErrNotWritable), "index --json", "--index-dir DIR, or the setting index_dir (AGENVANTAGE_INDEX_DIR)"},
		{"no index", agenvantage.ErrNoIndex, "files --json", "Try: agenvantage index\n"},
		{"incomplete", agenvantage.ErrIncomplete, "search --no-refresh x", "Error: index incomplete\nTry: agenvantage index, which"},
		{"busy", agenvantage.ErrBusy, "clean", "Try: wait for the other run"},
		{"forbidden", fmt.Errorf("read: %w", &fs.PathError{Op: "open", Path: "/h/a b.toml", Err: fs.ErrPermission}), "status", "Try: ls -ld '/h/a b.toml' says who may read and write it; chmod u+rwX"},
		{"busy port", fmt.Errorf("%w: --http: %w", agenvantage.ErrBadInput, &net.OpError{Op: "listen", Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}), "status", "Try: another port, or --http 127.0.0.1:0"},
		{"bad input", fmt.Errorf("open: %w: bare repository", agenvantage.ErrBadInput), "status --json", "Error: open: bare repository\nTry: agenvantage status --help"},
		{"two lines", fmt.Errorf("first\nsecond \x1b[31m"), "status", `Error: first; second \x1b[31m`},
		{"timeout", context.DeadlineExceeded, "search x", "search.channel_timeout"},
		{"long", fmt.Errorf("%s", strings.Repeat("long ", 1000)), "status", "…"},
		{"no query", nil, "search", "Error: a query is needed\nTry: agenvantage search --help"},
		{"unknown flag", nil, "index --wach", "Error: unknown flag: --wach\nTry: agenvantage index --help"},
		{"dash", nil, "search -dash", "Try: agenvantage search -- QUERY"},
		{"unknown command", nil, "embedding --help", `Error: unknown command "embedding" for "agenvantage"`},
		{"spelled wrong", nil, "serch x", "Error: unknown command \"serch\" for \"agenvantage\"\nTry: agenvantage search, or agenvantage serve, or agenvantage --help\n"},
		{"means serve", nil, "mcp", "Error: unknown command \"mcp\" for \"agenvantage\"\nTry: agenvantage map, or agenvantage serve, or agenvantage --help\n"},
		{"unknown subcommand", nil, "config set", `Error: unknown command "set" for "agenvantage config"`},
		{"argument", nil, "status now", `Error: unexpected argument "now"`},
		{"no value", nil, "index --repo", "Error: flag needs an argument: --repo"},
		{"top-k", nil, "search --top-k 0 x", `search.top_k: want a whole number from 1 to 10000, not "0"`},
		{"set", nil, "config show --set search.topk=1", "unknown key search.topk; the nearest known key is search.top_k"},
		{"set without =", nil, "config show --set search", "want KEY=VALUE"},
		{"log level", nil, "index --log-level loud", "log.level: want one of error, warn, info, debug"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := []string{"AGENVANTAGE_A=1", "AGENVANTAGE_B=1", "AGENVANTAGE_C=1"}
			got := call{service: &fake{err: tt.err}, env: env}.run(t, strings.Fields(tt.args)...)
			if strings.Contains(tt.args, "--json") == (got.out == "") {
				t.Errorf("standard output %q", got.out)
			}
			if got.code != exitError || !strings.Contains(got.errOut, tt.want) || !strings.Contains(got.errOut, "Error: ") || !strings.Contains(got.errOut, "\nTry: ") {
				t.Errorf("exit code %d, out %q, err %q", got.code, got.out, got.errOut)
			}
			if n := strings.Count(got.errOut, "\n"); n > 4 || !strings.HasSuffix(got.errOut, "\n") {
				t.Errorf("%d lines: %q", n, got.errOut)
			}
		})
	}
	got := call{root: "/ro", service: &fake{err: agenvantage.ErrNotWritable}}.run(t, "index")
	if !strings.Contains(got.errOut, "/ro/.agenvantage") {
		t.Errorf("the folder is not named: %q", got.errOut)
	}
}

func TestConfigurationFaults(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, configs.ProjectFile)
	if err := os.WriteFile(file, []byte("search:\n  top_kk: 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"config", "show"}, {"search", "--json", "x"}, {"index"}, {"status"}, {"files"}, {"clean"}} {
		got := call{root: root}.run(t, args...)
		if got.code != exitError || (got.out != "") != slices.Contains(args, "--json") || !strings.Contains(got.errOut, file+":2: unknown key search.top_kk; the nearest known key is search.top_k\nTry: ") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if err := os.WriteFile(file, []byte("log: {level: debug}\nembed: {model: x}\nindex_dir: /y\nsearch: {top_k: 3}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := call{root: root}.run(t, "config", "show", "--json")
	var list settingList
	if err := json.Unmarshal([]byte(got.out), &list); err != nil || got.code != 0 {
		t.Fatalf("%v: %+v", err, got)
	}
	if n := strings.Count(got.errOut, "\n"); n != 2 || !strings.Contains(got.errOut, "log.level is ignored") || !strings.Contains(got.errOut, "and 2 more") {
		t.Errorf("%q", got.errOut)
	}
	if got := (call{root: root}).run(t, "config", "show", "--log-level", "info"); strings.Count(got.errOut, "Warning: ") != 3 {
		t.Errorf("%q", got.errOut)
	}
	if got := (call{root: root}).run(t, "config", "show", "--log-level", "error"); got.errOut != "" {
		t.Errorf("%q", got.errOut)
	}
}

func TestVersion(t *testing.T) {
	got := call{}.run(t, "version")
	for _, want := range []string{"agenvantage " + version, "commit ", "go1.", "index format 7"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q not in %q", want, got.out)
		}
	}
}

func TestCompletions(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := (call{}).run(t, "completion", shell); got.code != 0 || len(got.out) < 500 || !strings.Contains(got.out, "agenvantage") || got.errOut != "" {
			t.Errorf("%s: exit code %d, %d bytes, %q", shell, got.code, len(got.out), got.errOut)
		}
	}
	if got := (call{}).run(t, "__complete", "search", "--kind", "fu"); !strings.Contains(got.out, "function") {
		t.Errorf("%q", got.out)
	}
}

func TestHelpIsData(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"search", "--help"}, {"help", "index"}, {"config"}} {
		if got := (call{}).run(t, args...); got.code != 0 || got.errOut != "" || !strings.Contains(got.out, "Usage:") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

const interruptedLines = "Error: interrupted\nTry: run the same command again; an index run goes on where it stopped\n"

// TestInterrupt: an interrupted run ends with exit code 2, also when the work goes on.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{search: func(ctx context.Context, _ app.SearchRequest) (agenvantage.Response, error) {
		cancel()
		<-ctx.Done()
		return agenvantage.Response{}, fmt.Errorf("search: %w", ctx.Err())
	}}
	got := call{service: f, ctx: ctx}.run(t, "search", "x")
	if got.code != exitError || got.out != "" || got.errOut != interruptedLines {
		t.Errorf("%+v", got)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	begun := time.Now()
	got = call{service: &fake{block: true}, ctx: ctx}.run(t, "index")
	if got.code != exitError || got.errOut != interruptedLines || time.Since(begun) > 5*time.Second {
		t.Errorf("%+v after %s", got, time.Since(begun))
	}
}
