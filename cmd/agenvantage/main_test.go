package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"agenvantage"
	"agenvantage/configs"
	"agenvantage/internal/app"
)

var update = flag.Bool("update", false, "rewrite golden files and docs/reference")

// TestMain lets scripts call this test binary as agenvantage.
func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"agenvantage": main}) }

// fake is a service with answers that are given.
type fake struct {
	mu       sync.Mutex
	requests []app.SearchRequest
	force    bool
	closed   bool

	search   func(ctx context.Context, r app.SearchRequest) (agenvantage.Response, error)
	progress []app.Progress
	index    app.IndexSummary
	status   app.Status
	files    []app.FileStatus
	clean    app.CleanSummary

	navigated  []app.NavigateRequest
	navigation app.Navigation

	changes   app.Changes
	cochanges app.Cochanges
	mapped    app.MapAnswer

	packed     agenvantage.Pack
	packs      []app.PackRequest
	expands    []app.ExpandRequest
	rehydrated app.Rehydrated
	reason     app.PackReason

	watches  []app.WatchOptions
	watchErr error

	err   error
	block bool // Index ignores the context
}

func (f *fake) Index(ctx context.Context, force bool, progress func(app.Progress)) (app.IndexSummary, error) {
	f.force = force
	for _, p := range f.progress {
		progress(p)
	}
	if f.block {
		time.Sleep(time.Minute)
	}
	return f.index, f.err
}

func (f *fake) Search(ctx context.Context, r app.SearchRequest, progress func(app.Progress)) (agenvantage.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, r)
	if f.search == nil {
		return agenvantage.Response{Query: r.Query}, f.err
	}
	return f.search(ctx, r)
}

func (f *fake) Status(context.Context) (app.Status, error)      { return f.status, f.err }
func (f *fake) Files(context.Context) ([]app.FileStatus, error) { return f.files, f.err }
func (f *fake) ListFiles(context.Context, bool, func(app.Progress)) (app.FileList, error) {
	return app.FileList{Files: f.files}, f.err
}
func (f *fake) Clean(context.Context) (app.CleanSummary, error) { return f.clean, f.err }
func (f *fake) ChangesFor(context.Context, app.ChangesRequest, func(app.Progress)) (app.Changes, error) {
	return f.changes, f.err
}
func (f *fake) Cochange(context.Context, app.CochangeRequest, func(app.Progress)) (app.Cochanges, error) {
	return f.cochanges, f.err
}
func (f *fake) Map(context.Context, app.MapRequest, func(app.Progress)) (app.MapAnswer, error) {
	return f.mapped, f.err
}
func (f *fake) Navigate(_ context.Context, r app.NavigateRequest, _ func(app.Progress)) (app.Navigation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.navigated = append(f.navigated, r)
	return f.navigation, f.err
}
func (f *fake) Pack(_ context.Context, r app.PackRequest, _ func(app.Progress)) (agenvantage.Pack, error) {
	f.packs = append(f.packs, r)
	return f.packed, f.err
}
func (f *fake) Expand(_ context.Context, r app.ExpandRequest) (agenvantage.Pack, error) {
	f.expands = append(f.expands, r)
	return f.packed, f.err
}
func (f *fake) Rehydrate(context.Context, string) (app.Rehydrated, error) { return f.rehydrated, f.err }
func (f *fake) WhyPacked(context.Context, string, string) (app.PackReason, error) {
	return f.reason, f.err
}
func (f *fake) Close() error { f.closed = true; return nil }

// call is one run of the program against a fake.
type call struct {
	service *fake
	stdin   string
	env     []string
	root    string
	ctx     context.Context
}

type outcome struct {
	code        int
	out, errOut string
}

func (c call) run(t *testing.T, args ...string) outcome {
	t.Helper()
	if c.service == nil {
		c.service = &fake{}
	}
	if c.root == "" {
		c.root = t.TempDir()
	}
	if c.ctx == nil {
		c.ctx = t.Context()
	}
	var out, errOut bytes.Buffer
	p := newProgram(strings.NewReader(c.stdin), &out, &errOut, c.env, backend{
		resolveRoot: func(root string) (string, error) { return c.root, nil },
		open:        func(root string, cfg *configs.Config) (service, error) { return c.service, nil },
		channels:    []string{"exact", "bm25f"},
		indexFormat: 7,
	})
	code := p.runWithin(c.ctx, args, 50*time.Millisecond)
	return outcome{code, out.String(), errOut.String()}
}

// golden compares got with a file below testdata/golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs (go test ./cmd/agenvantage -update rewrites it):\n--- want\n%s\n--- got\n%s", file, want, got)
	}
}

func covered(f float64) *float64 { return &f }

// example is an answer that holds everything an answer can hold.
func example(query string) agenvantage.Response {
	long := strings.Repeat("x", 300) + " token " + strings.Repeat("y", 300)
	return agenvantage.Response{
		Query: query, Class: agenvantage.ClassPhrase, Root: "/repo", Revision: "0123456789abcdef0123456789abcdef01234567", Generation: 3,
		ConfigHash: "00aa11bb22cc33dd", TookMS: 12.34,
		Channels: []agenvantage.ChannelReport{
			{Name: "exact", Status: agenvantage.StatusOK, Hits: 2, TookMS: 1.5},
			{Name: "bm25f", Status: agenvantage.StatusPartial, Hits: 9, TookMS: 3.25, Covered: covered(0.5), AlsoAsked: []string{"tokens for token", "re\x1bnew for refresh"}},
		},
		Results: []agenvantage.Result{
			{Rank: 1, Path: "auth/token.go", StartLine: 10, EndLine: 21, Lang: "go", Kind: agenvantage.KindFunction, Symbol: "Refresh", Signature: "func Refresh(t Token) (Token, error)",
				Score: 0.032522, MoreInFile: 3,
				Also:     []agenvantage.Copy{{Path: "auth/old\x1b[0m/token.go", StartLine: 8, EndLine: 19, Alike: 1}, {Path: "vendor/auth/token.go", StartLine: 10, EndLine: 22, Alike: 0.942}},
				Channels: map[string]agenvantage.ChannelRank{"exact": {Rank: 1, Score: 3, Share: 0.016393, Reason: "definition"}, "bm25f": {Rank: 2, Score: 11.5, Share: 0.016129}},
				Parts:    []agenvantage.Part{{Name: "exact", Value: 0.016393}, {Name: "bm25f", Value: 0.016129}},
				Text:     "// Refresh makes a new token.\n//\n// It is\n// long.\nfunc Refresh(t Token) (Token, error) {\n\tif t.Expired() {\n\t\treturn Token{}, errExpired\n\t}\n\tnext := t\n\tnext.Born = now()\n\treturn next, nil\n}\n"},
			{Rank: 2, Path: "odd\nname\x1b[31m.txt", StartLine: 1, EndLine: 2, Kind: agenvantage.ChunkText, Score: 0.01, Stale: true, Shortened: true,
				Text: "token \x1b]0;owned\x07 \u202egnp\r\n" + long},
			{Rank: 3, Path: `quo"ted.py`, StartLine: 7, EndLine: 7, Lang: "python", Kind: agenvantage.KindVariable, Symbol: "a.TOKEN", Score: 0.009, Text: "TOKEN = 1"},
		},
		Coverage: agenvantage.Coverage{FilesIndexed: 120, FilesSkipped: 4, FilesInScope: 100, Stale: true, StaleReason: "2 files changed"},
		Notes:    []string{"first note"},
	}
}

func answering(r agenvantage.Response) *fake {
	return &fake{search: func(_ context.Context, q app.SearchRequest) (agenvantage.Response, error) {
		r.Query = q.Query
		return r, nil
	}}
}
