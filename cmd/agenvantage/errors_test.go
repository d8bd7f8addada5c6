package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/internal/app"
)

// An error with --json left standard output empty.
func TestErrorsAsJSON(t *testing.T) {
	unknown := &app.UnknownLocationError{Location: "B", Why: "no symbol has that name", Nearest: []string{"A", "C"}}
	for _, c := range []struct {
		name string
		err  error
		args string
		want string // "" where --json is not asked for
	}{
		{"of the service", fmt.Errorf("%w: no such thing", agenvantage.ErrBadInput), "callers x --json", `{"error":{"kind":"bad_input","message":"no such thing","try":"agenvantage callers --help"}}`},
		{"an unknown location", unknown, "changes-for B --json", `{"error":{"kind":"bad_input","message":"unknown location \"B\": no symbol has that name; nearest: A, C","try":"agenvantage changes-for A, or agenvantage search for a question in words","nearest":["A","C"]}}`},
		{"no index", agenvantage.ErrNoIndex, "files --json", `{"error":{"kind":"no_index","message":"no index","try":"agenvantage index"}}`},
		{"a bug", errors.New("it\nbroke"), "status --json=true", `{"error":{"kind":"internal","message":"it; broke","try":"agenvantage status; if the index is damaged, agenvantage index --force builds it anew"}}`},
		{"an unknown flag before --json", nil, "map --nope --json", `{"error":{"kind":"bad_input","message":"unknown flag: --nope","try":"agenvantage map --help"}}`},
		{"an argument", nil, "map --json now", `{"error":{"kind":"bad_input","message":"unexpected argument \"now\"","try":"agenvantage map --help"}}`},
		{"no argument", nil, "cochange --json", `{"error":{"kind":"bad_input","message":"a path is needed","try":"agenvantage cochange --help"}}`},
		{"a depth of 0", nil, "neighbors A --depth 0 --json", `{"error":{"kind":"bad_input","message":"--depth is 0, want 1 or more","try":"agenvantage neighbors --help"}}`},
		{"without --json", agenvantage.ErrNoIndex, "files", ""},
		{"--json=false", agenvantage.ErrNoIndex, "files --json=false", ""},
		{"--json as a word of the query", agenvantage.ErrNoIndex, "search -- --json", ""},
	} {
		got := call{service: &fake{err: c.err}}.run(t, strings.Fields(c.args)...)
		if strings.TrimSuffix(got.out, "\n") != c.want || got.code != exitError || !strings.HasPrefix(got.errOut, "Error: ") {
			t.Errorf("%s: code %d, out %s, err %q; want %s", c.name, got.code, got.out, got.errOut, c.want)
		}
		if c.want == "" {
			continue
		}
		if bad := breaks(t, "error", got.out); len(bad) > 0 {
			t.Errorf("%s: %v", c.name, bad)
		}
	}
}

func TestInterruptAsJSON(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &fake{search: func(ctx context.Context, _ app.SearchRequest) (agenvantage.Response, error) {
		cancel()
		<-ctx.Done()
		return agenvantage.Response{}, ctx.Err()
	}}
	got := call{service: f, ctx: ctx}.run(t, "search", "--json", "x")
	if got.code != exitError || got.errOut != interruptedLines || len(breaks(t, "error", got.out)) > 0 || !strings.Contains(got.out, `"kind":"canceled"`) {
		t.Errorf("%+v", got)
	}
}

// impact alone has a meaning for a depth of 0.
func TestDepthOfZero(t *testing.T) {
	for args, code := range map[string]int{"neighbors A --depth 0": exitError, "neighbors A --depth 1": exitNothing, "neighbors A": exitNothing, "tests-for A --depth 0": exitError,
		"tests-for A": exitNothing, "impact A --depth 0": exitNothing, "impact A --depth -1": exitNothing} {
		if got := (call{service: &fake{navigation: app.Navigation{Verb: app.VerbImpact}}}).run(t, strings.Fields(args)...); got.code != code {
			t.Errorf("%s: code %d, want %d: %s", args, got.code, code, got.errOut)
		}
	}
}

func TestSubjectsAreNamed(t *testing.T) {
	for want, s := range map[string]app.NavigationSubject{
		"file a.go":                      {Path: "a.go", StartLine: 1, EndLine: 9, Kind: "file"},
		"method A.b (a.go:4)":            {Path: "a.go", StartLine: 4, EndLine: 4, Symbol: "A.b", Kind: "method"},
		"line 4 of a.go":                 {Path: "a.go", StartLine: 4, EndLine: 4, Kind: "lines"},
		"lines 4-6 of a.go (A, B)":       {Path: "a.go", StartLine: 4, EndLine: 6, Kind: "lines", Symbols: []string{"A", "B"}},
		"lines 4-6 of a.go (A, B, C, …)": {Path: "a.go", StartLine: 4, EndLine: 6, Kind: "lines", Symbols: []string{"A", "B", "C", "D"}},
	} {
		if got := subjectText(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
