package main

import (
	"reflect"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/internal/app"
)

func exampleNavigation() app.Navigation {
	return app.Navigation{
		Verb: app.VerbImpact, Generation: 3, Total: 4, Omitted: 1, Next: "abc",
		Subject: app.NavigationSubject{Location: "Mux", Path: "web/mux.go", StartLine: 3, EndLine: 9, Symbol: "Mux", Kind: "struct"},
		Items: []app.NavigationItem{
			{Path: "main.go", StartLine: 8, EndLine: 8, Symbol: "main", Kind: "function", Edge: "calls", Confidence: "resolved", Text: "\tm.Serve()\x1b[31m"},
			{Path: "odd\nname.go", StartLine: 2, EndLine: 2, Kind: "file", Edge: "references", Confidence: "name", Depth: 2, Via: "main", Direction: "in", Line: 8, Stale: true, Text: "x"},
		},
		Tests: []app.NavigationItem{{Path: "web/mux_test.go", StartLine: 5, EndLine: 5, Symbol: "TestServe", Kind: "function", Edge: "calls", Confidence: "unique", Text: "t"}},
		Coverage: app.NavigationCoverage{Verdict: app.VerdictBounded, FilesParsed: 3, FilesSkipped: 2, DynamicSites: 3, Skipped: map[agenvantage.SkipReason]int{agenvantage.SkipBinary: 2},
			Unresolved: map[string]int{"dynamic": 2, "string": 1}, Unparsed: map[string]int{"text": 1}, Mentions: 1, Why: []string{"3 mentions of the name are not resolved"}, Stale: true, StaleReason: "9 files changed"},
		Notes: []string{"a note"},
	}
}

func TestNavigationIsPrinted(t *testing.T) {
	got := call{service: &fake{navigation: exampleNavigation()}}.run(t, "impact", "Mux")
	want := `4 dependents of struct Mux (web/mux.go:3)
main.go:8 main (calls, resolved)
    m.Serve()\x1b[31m
"odd\nname.go":2 (references ←, name, depth 2 via main, changed on disk since it was indexed)
    x
tests:
web/mux_test.go:5 TestServe (calls, unique)
    t
1 more: --cursor abc
coverage: bounded: 3 files parsed, 2 skipped (2 binary), 3 unresolved sites (2 dynamic, 1 string); 3 mentions of the name are not resolved
`
	if got.out != want || got.code != exitOK {
		t.Errorf("code %d, got\n%s\nwant\n%s", got.code, got.out, want)
	}
	if got.errOut != "Note: a note\nNote: the index is stale: 9 files changed\n" {
		t.Errorf("standard error: %q", got.errOut)
	}
}

func TestNavigationExitCodes(t *testing.T) {
	some := app.NavigationItem{Path: "a.go", StartLine: 1, EndLine: 1, Symbol: "A", Kind: "function"}
	for _, c := range []struct {
		name    string
		service *fake
		args    string
		code    int
		out     string // what standard output holds
		errOut  string
	}{
		{"found", &fake{navigation: app.Navigation{Verb: app.VerbCallers, Items: []app.NavigationItem{some}, Total: 1}}, "callers A", exitOK, "1 caller of", ""},
		{"nothing", &fake{navigation: app.Navigation{Verb: app.VerbCallers}}, "callers A", exitNothing, "0 callers of", ""},
		{"nothing as JSON", &fake{navigation: app.Navigation{Verb: app.VerbCallers}}, "callers A --json", exitNothing, `"items":[]`, ""},
		{"ambiguous", &fake{navigation: app.Navigation{Verb: app.VerbCallers, Candidates: []app.NavigationItem{some, some}}}, "callers A", exitError, "A (function)", ""},
		{"ambiguous as JSON", &fake{navigation: app.Navigation{Verb: app.VerbCallers, Candidates: []app.NavigationItem{some, some}}}, "callers A --json", exitError, `"candidates":[`, ""},
		{"unknown", &fake{err: &app.UnknownLocationError{Location: "B", Why: "no symbol has that name", Nearest: []string{"A b"}}}, "callers B", exitError, "",
			"Error: unknown location \"B\": no symbol has that name; nearest: A b\nTry: agenvantage callers 'A b', or"},
		{"unknown and nothing near", &fake{err: &app.UnknownLocationError{Location: "B", Why: "no"}}, "callers B", exitError, "", "Try: agenvantage search"},
		{"no location", &fake{}, "callers", exitError, "", "Error: one location is needed, not 0"},
		{"two locations", &fake{}, "read a b", exitError, "", "Error: one location is needed, not 2"},
	} {
		got := call{service: c.service}.run(t, strings.Fields(c.args)...)
		if got.code != c.code || !strings.Contains(got.out, c.out) || c.out == "" && got.out != "" || !strings.Contains(got.errOut, c.errOut) {
			t.Errorf("%s: code %d, out %q, errors %q", c.name, got.code, got.out, got.errOut)
		}
	}
}

// Every flag reaches the request.
func TestNavigationFlags(t *testing.T) {
	for args, want := range map[string]app.NavigateRequest{
		"symbol A":                            {Verb: app.VerbSymbol, Location: "A", MaxTokens: defaultMaxTokens},
		"refs A --json":                       {Verb: app.VerbRefs, Location: "A", MaxTokens: defaultMaxTokens, JSON: true},
		"callers A --max-tokens 9 --cursor x": {Verb: app.VerbCallers, Location: "A", MaxTokens: 9, Cursor: "x"},
		"callees A --no-refresh":              {Verb: app.VerbCallees, Location: "A", MaxTokens: defaultMaxTokens, NoRefresh: true},
		"neighbors A --edges Calls,imports --depth 2": {Verb: app.VerbNeighbors, Location: "A", MaxTokens: defaultMaxTokens, Depth: 2,
			Edges: []agenvantage.EdgeKind{agenvantage.EdgeCalls, agenvantage.EdgeImports}},
		"impact A --depth 3":               {Verb: app.VerbImpact, Location: "A", MaxTokens: defaultMaxTokens, Depth: 3},
		"tests-for A --depth 1":            {Verb: app.VerbTestsFor, Location: "A", MaxTokens: defaultMaxTokens, Depth: 1},
		"read A --around 4 --max-tokens 0": {Verb: app.VerbRead, Location: "A", Around: 4},
	} {
		s := &fake{}
		call{service: s}.run(t, strings.Fields(args)...)
		if len(s.navigated) != 1 || !reflect.DeepEqual(s.navigated[0], want) {
			t.Errorf("%s: %+v, want %+v", args, s.navigated, want)
		}
	}
}

func TestNavigationKeepsItsContract(t *testing.T) {
	for _, n := range []app.Navigation{exampleNavigation(), {Verb: app.VerbRead, Coverage: app.NavigationCoverage{Verdict: app.VerdictProven}}} {
		got := call{service: &fake{navigation: n}}.run(t, "impact", "Mux", "--json")
		if bad := breaks(t, "navigate", got.out); len(bad) > 0 || got.errOut != "" {
			t.Errorf("%v\n%s%s", bad, got.out, got.errOut)
		}
	}
}
