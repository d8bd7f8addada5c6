package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// service is a small repository whose graph was worked out by hand.
var service = files{
	"go.mod": "module m\n",
	"web/mux.go": `package web

// Mux routes.
type Mux struct{ n int }

// Serve serves.
func (m *Mux) Serve() { m.helper() }

func (m *Mux) helper() { deep() }

func deep() {}

func lonely() {}

func quoted() {}

func twice() {}

func dynamic(f func()) { f() }
`,
	"web/mux_test.go": "package web\n\nimport \"testing\"\n\nfunc TestServe(t *testing.T) { (&Mux{}).Serve() }\n",
	"db/db.go":        "package db\n\nfunc twice() {}\n\nfunc Load() {}\n",
	"main.go": `package main

import (
	"m/db"
	"m/web"
)

func main() {
	m := &web.Mux{}
	m.Serve()
	m.Serve()
	db.Load()
	table := map[string]func(){"quoted": nil}
	table["x"]()
}
`,
	"notes.md": "# Notes\n\nlonely is never called; see twice.\n",
}

func (w *world) navigate(r NavigateRequest) Navigation {
	w.t.Helper()
	w.forgetCheck()
	n, err := w.Navigate(w.t.Context(), r, nil)
	if err != nil {
		w.t.Fatalf("%s %s: %v", r.Verb, r.Location, err)
	}
	return n
}

// placesOf prints items as path:line symbol edge/confidence@depth.
func placesOf(items []NavigationItem) string {
	var out []string
	for _, i := range items {
		s := fmt.Sprintf("%s:%d", i.Path, i.StartLine)
		if i.Symbol != "" {
			s += " " + i.Symbol
		}
		if i.Edge != "" {
			s += " " + i.Edge + "/" + i.Confidence
		}
		if i.Depth > 1 {
			s += fmt.Sprintf("@%d", i.Depth)
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestNavigate(t *testing.T) {
	w := newWorld(t, service)
	for _, c := range []struct {
		verb        NavigateVerb
		location    string
		want, tests string
		verdict     Verdict
	}{
		{VerbSymbol, "Serve", "web/mux.go:7 Mux.Serve", "", VerdictProven},
		{VerbSymbol, "twice", "db/db.go:3 twice; web/mux.go:17 twice", "", VerdictProven},
		{VerbSymbol, "web.twice", "web/mux.go:17 twice", "", VerdictProven},
		// an interface from outside may have a method Serve
		{VerbCallers, "Mux.Serve", "main.go:10 main calls/resolved; main.go:11 main calls/resolved; web/mux_test.go:5 TestServe calls/resolved", "", VerdictBounded},
		{VerbCallers, "web.Mux.Serve", "main.go:10 main calls/resolved; main.go:11 main calls/resolved; web/mux_test.go:5 TestServe calls/resolved", "", VerdictBounded},
		{VerbCallers, "web/mux.go:9", "web/mux.go:7 Mux.Serve calls/resolved", "", VerdictProven},
		{VerbCallers, "mux.go:9", "web/mux.go:7 Mux.Serve calls/resolved", "", VerdictProven},
		{VerbCallers, "db/db.go", "main.go:12 main calls/resolved", "", VerdictProven},
		{VerbCallers, "lonely", "", "", VerdictProven},
		{VerbCallers, "quoted", "", "", VerdictBounded},
		{VerbCallees, "Mux.Serve", "web/mux.go:9 Mux.helper calls/resolved", "", VerdictProven},
		{VerbCallees, "deep", "", "", VerdictProven},
		{VerbCallees, "dynamic", "", "", VerdictBounded},
		{VerbCallees, "main.go", "db/db.go:5 Load calls/resolved; web/mux.go:7 Mux.Serve calls/resolved", "", VerdictBounded}, // table["x"]()
		{VerbImpact, "deep", "web/mux.go:9 Mux.helper calls/resolved; web/mux.go:7 Mux.Serve calls/resolved@2; main.go:8 main calls/resolved@3", "web/mux_test.go:5 TestServe calls/resolved@3", VerdictBounded},
		{VerbTestsFor, "Mux.helper", "web/mux_test.go:5 TestServe calls/resolved@2", "", VerdictBounded},
		{VerbTestsFor, "lonely", "", "", VerdictProven},
	} {
		n := w.navigate(NavigateRequest{Verb: c.verb, Location: c.location})
		if got := placesOf(n.Items); got != c.want || placesOf(n.Tests) != c.tests {
			t.Errorf("%s %s: got %q and tests %q, want %q and %q", c.verb, c.location, got, placesOf(n.Tests), c.want, c.tests)
		}
		if n.Coverage.Verdict != c.verdict {
			t.Errorf("%s %s: verdict %s, want %s: %v", c.verb, c.location, n.Coverage.Verdict, c.verdict, n.Coverage.Line())
		}
		if n.Total != len(n.Items)+len(n.Tests) || n.Omitted != 0 || n.Next != "" || n.Empty() != (c.want == "" && c.tests == "") {
			t.Errorf("%s %s: total %d, omitted %d, next %q", c.verb, c.location, n.Total, n.Omitted, n.Next)
		}
		if n.Coverage.FilesParsed != 4 { // those of Go
			t.Errorf("%s %s: %d files parsed", c.verb, c.location, n.Coverage.FilesParsed)
		}
	}
}

func TestNavigateNeighbors(t *testing.T) {
	w := newWorld(t, service)
	calls := []agenvantage.EdgeKind{agenvantage.EdgeCalls}
	for _, c := range []struct {
		depth int
		want  string
	}{
		{0, "web/mux.go:7 Mux.Serve calls/resolved; web/mux.go:11 deep calls/resolved"},
		{2, "web/mux.go:7 Mux.Serve calls/resolved; web/mux.go:11 deep calls/resolved; main.go:8 main calls/resolved@2; web/mux_test.go:5 TestServe calls/resolved@2"},
	} {
		n := w.navigate(NavigateRequest{Verb: VerbNeighbors, Location: "Mux.helper", Edges: calls, Depth: c.depth})
		if got := placesOf(n.Items); got != c.want {
			t.Errorf("depth %d: got %q, want %q", c.depth, got, c.want)
		}
		if n.Items[0].Direction != "in" || n.Items[1].Direction != "out" || n.Items[0].Line != 7 || n.Items[1].Line != 9 {
			t.Errorf("depth %d: %+v", c.depth, n.Items)
		}
	}
}

func TestNavigateRead(t *testing.T) {
	w := newWorld(t, service)
	for _, c := range []struct {
		location   string
		around     int
		start, end int
		text       string
	}{
		{"Mux.Serve", 0, 6, 7, "// Serve serves.\nfunc (m *Mux) Serve() { m.helper() }\n"},
		{"web/mux.go:11", 1, 10, 12, "\nfunc deep() {}\n\n"},
		{"web/mux.go:11:4", 1, 10, 12, "\nfunc deep() {}\n\n"}, // a line and a column, as compilers write them
		{"web/mux.go:11:99", 1, 10, 12, "\nfunc deep() {}\n\n"},
		{"db/db.go:1-3", 0, 1, 3, "package db\n\nfunc twice() {}\n"},
		{"db/db.go:5-99", 9, 1, 5, service["db/db.go"]},
		{"db/db.go", 0, 1, 5, service["db/db.go"]},
		{"notes.md:3", 0, 3, 3, "lonely is never called; see twice.\n"},
	} {
		n := w.navigate(NavigateRequest{Verb: VerbRead, Location: c.location, Around: c.around})
		if len(n.Items) != 1 || n.Items[0].StartLine != c.start || n.Items[0].EndLine != c.end || n.Items[0].Text != c.text || n.Items[0].Stale {
			t.Errorf("%s: %+v", c.location, n.Items)
		}
	}
	w.write(files{"db/db.go": "package db\n\nfunc changed() {}\n"})
	n, err := w.Navigate(t.Context(), NavigateRequest{Verb: VerbRead, Location: "db/db.go", NoRefresh: true}, nil)
	if err != nil || len(n.Items) != 1 || !n.Items[0].Stale || n.Items[0].Text != service["db/db.go"] || n.Coverage.Verdict != VerdictUnknown {
		t.Errorf("changed on disk: %+v %v", n, err)
	}
	if n = w.navigate(NavigateRequest{Verb: VerbRead, Location: "db/db.go:3"}); n.Items[0].Text != "func changed() {}\n" || n.Items[0].Stale {
		t.Errorf("after a refresh: %+v", n.Items)
	}
}

func TestNavigateAmbiguousLocation(t *testing.T) {
	w := newWorld(t, service)
	n := w.navigate(NavigateRequest{Verb: VerbCallers, Location: "twice"})
	if got := placesOf(n.Candidates); got != "db/db.go:3 twice; web/mux.go:17 twice" || len(n.Items) != 0 {
		t.Errorf("candidates %q, items %v", got, n.Items)
	}
	w.write(files{"other/db.go": "package other\n"})
	if n = w.navigate(NavigateRequest{Verb: VerbRead, Location: "db.go"}); placesOf(n.Candidates) != "db/db.go:1; other/db.go:1" {
		t.Errorf("candidates %q", placesOf(n.Candidates))
	}
	if n = w.navigate(NavigateRequest{Verb: VerbRead, Location: "db.go:5"}); placesOf(n.Items) != "db/db.go:5" {
		t.Errorf("one of the files has a line 5: %q", placesOf(n.Items))
	}
}

func TestNavigateRefusesWhatDoesNotExist(t *testing.T) {
	w := newWorld(t, service)
	w.write(files{"blob.bin": "\x00\x01"})
	for _, c := range []struct {
		request NavigateRequest
		want    string // of the error
		nearest string
	}{
		{NavigateRequest{Verb: VerbCallers, Location: "Servee"}, "unknown location", "Mux.Serve"},
		{NavigateRequest{Verb: VerbCallers, Location: "Mux.lonley"}, "unknown location", "lonely"},
		{NavigateRequest{Verb: VerbRead, Location: "web/mxu.go"}, "unknown location", "web/mux.go"},
		{NavigateRequest{Verb: VerbRead, Location: "web"}, "it is a folder", ""},
		{NavigateRequest{Verb: VerbRead, Location: "blob.bin"}, "left out of the index as binary", ""},
		{NavigateRequest{Verb: VerbSymbol, Location: "zqxjkvbwplzqxj"}, "unknown location", ""},
		{NavigateRequest{Verb: VerbRead, Location: "db/db.go:99"}, "has 5 lines", "-"},
		{NavigateRequest{Verb: VerbRead, Location: "db/db.go:0"}, "names no lines", "-"},
		{NavigateRequest{Verb: VerbRead, Location: "db/db.go:4-2"}, "names no lines", "-"},
		{NavigateRequest{Verb: VerbRead, Location: " "}, "a location is needed", "-"},
		{NavigateRequest{Verb: VerbNeighbors, Location: "Mux", Edges: []agenvantage.EdgeKind{"likes"}}, `unknown kind of edge "likes"`, "-"},
		{NavigateRequest{Verb: VerbImpact, Location: "Mux", Depth: -1}, "depth is -1", "-"},
		{NavigateRequest{Verb: VerbRead, Location: "Mux", Around: -1}, "-1 lines around", "-"},
		{NavigateRequest{Verb: VerbRead, Location: "Mux", MaxTokens: -1}, "-1 tokens", "-"},
		{NavigateRequest{Verb: VerbCallers, Location: "Mux", Cursor: "garbage!"}, "none that this program gave", "-"},
	} {
		w.forgetCheck()
		_, err := w.Navigate(t.Context(), c.request, nil)
		nearest, unknown := IsUnknownLocation(err)
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want) || unknown != (c.nearest != "-") {
			t.Errorf("%+v: %v", c.request, err)
		}
		if first := append(nearest, "")[0]; c.nearest != "-" && first != c.nearest {
			t.Errorf("%+v: nearest %q, want %q first", c.request, nearest, c.nearest)
		}
	}
}

// A page holds what the bound lets through, the cursor reaches the rest, and all pages together are the whole answer.
func TestNavigatePages(t *testing.T) {
	fs := files{"go.mod": "module m\n", "a.go": "package m\n\nfunc target() {}\n"}
	for i := range 40 {
		fs[fmt.Sprintf("c%02d.go", i)] = fmt.Sprintf("package m\n\nfunc caller%d() { target() }\n", i)
	}
	w := newWorld(t, fs)
	whole := w.navigate(NavigateRequest{Verb: VerbCallers, Location: "target"})
	if len(whole.Items) != 40 {
		t.Fatalf("%d callers", len(whole.Items))
	}
	for _, asJSON := range []bool{false, true} {
		r := NavigateRequest{Verb: VerbCallers, Location: "target", MaxTokens: 300, JSON: asJSON}
		var all []NavigationItem
		pages := 0
		for {
			n := w.navigate(r)
			all = append(all, n.Items...)
			if pages++; n.Total != 40 || len(all)+n.Omitted != 40 || len(n.Items) == 0 || pages > 40 {
				t.Fatalf("page %d: %d items, %d omitted of %d", pages, len(n.Items), n.Omitted, n.Total)
			}
			if n.Next == "" {
				break
			}
			r.Cursor = n.Next
		}
		if pages < 3 || !slices.Equal(all, whole.Items) {
			t.Errorf("json %v: %d pages give %s", asJSON, pages, placesOf(all))
		}
	}
	n := w.navigate(NavigateRequest{Verb: VerbCallers, Location: "target", MaxTokens: 1})
	if len(n.Items) != 1 || n.Omitted != 39 {
		t.Errorf("the least page: %d items, %d omitted", len(n.Items), n.Omitted)
	}
	r := NavigateRequest{Verb: VerbCallees, Location: "target", Cursor: n.Next}
	w.forgetCheck()
	if _, err := w.Navigate(t.Context(), r, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "another question") {
		t.Errorf("a cursor of another question: %v", err)
	}
	w.write(files{"new.go": "package m\n"})
	w.forgetCheck()
	r = NavigateRequest{Verb: VerbCallers, Location: "target", Cursor: n.Next}
	if _, err := w.Navigate(t.Context(), r, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "generation") {
		t.Errorf("a cursor of another generation: %v", err)
	}
}

func TestReadPages(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "line %d of the file\n", i+1)
	}
	w := newWorld(t, files{"long.txt": text.String()})
	r, got, pages := NavigateRequest{Verb: VerbRead, Location: "long.txt", MaxTokens: 400}, "", 0
	for {
		n := w.navigate(r)
		pages++
		for _, i := range n.Items {
			got += i.Text
		}
		if n.Next == "" || pages > 300 {
			break
		}
		r.Cursor = n.Next
	}
	if got != text.String() || pages < 3 {
		t.Errorf("%d pages of %d bytes, want the %d of the file", pages, len(got), text.Len())
	}
}

// Every form of a negative answer.
func TestNavigateSaysHowSureNothingIs(t *testing.T) {
	base := files{"go.mod": "module m\n", "a.go": "package m\n\nfunc target() {}\n\nfunc other() {}\n"}
	for _, c := range []struct {
		name    string
		more    files
		verdict Verdict
		why     string // of Why, joined
		check   func(c NavigationCoverage) bool
	}{
		{"nothing mentions it", nil, VerdictProven, "", func(c NavigationCoverage) bool { return c.DynamicSites == 0 && c.FilesParsed >= 1 }},
		{"prose mentions it", files{"notes.md": "# N\n\ntarget is fine\n"}, VerdictProven, "", nil},
		{"a longer name", files{"b.go": "package m\n\nfunc targets() { other() }\n"}, VerdictProven, "", nil},
		{"a call of another value's method", files{"b.go": "package m\n\nfunc use(x interface{}) { x.target() }\n"}, VerdictBounded, "1 mention of the name is not resolved", func(c NavigationCoverage) bool { return c.DynamicSites == 1 }},
		{"a name in quotes", files{"b.py": "def use(x):\n    return getattr(x, 'target')()\n"}, VerdictBounded, "1 mention of the name is not resolved", func(c NavigationCoverage) bool { return c.Unresolved["string"] == 1 }},
		{"a file of patterns", files{"odd.xyz": "call target now\n"}, VerdictBounded, "1 file with the name read without a grammar", func(c NavigationCoverage) bool { return c.Mentions == 1 }},
		{"a file with errors", files{"b.go": "package m\n\nfunc use( { target \n"}, VerdictBounded, "parsed with errors", nil},
		{"a file too large", files{"big.go": "package m\n" + strings.Repeat("// x\n", 300_000)}, VerdictBounded, "1 file left out as too_large may mention it", func(c NavigationCoverage) bool {
			return c.Skipped[agenvantage.SkipTooLarge] == 1 && c.FilesSkipped == 1
		}},
		{"data too large", files{"big.json": strings.Repeat("[]\n", 500_000)}, VerdictProven, "", nil},
		{"nothing calls an override", files{"b.py": "class Base:\n    def target(self): pass\n\nclass Child(Base):\n    def target(self): pass\n"}, VerdictProven, "", nil},
	} {
		fs := files{}
		for _, part := range []files{base, c.more} {
			for p, text := range part {
				fs[p] = text
			}
		}
		n := newWorld(t, fs).navigate(NavigateRequest{Verb: VerbCallers, Location: "a.go:3"})
		if len(n.Items) > 0 || n.Coverage.Verdict != c.verdict || !strings.Contains(strings.Join(n.Coverage.Why, "; "), c.why) || c.check != nil && !c.check(n.Coverage) {
			t.Errorf("%s: %d items, %+v", c.name, len(n.Items), n.Coverage)
		}
	}
	over := newWorld(t, files{"b.py": "class Base:\n    def go(self): pass\n\nclass Child(Base):\n    def go(self): pass\n\ndef use(b: Base):\n    b.go()\n"})
	if n := over.navigate(NavigateRequest{Verb: VerbCallers, Location: "Child.go"}); !n.Empty() || n.Coverage.Verdict != VerdictBounded || n.Coverage.Unresolved["dispatch"] != 1 {
		t.Errorf("a call of the method that it overrides: %s", n.Coverage.Line())
	}
	w := newWorld(t, files{"odd.xyz": "def target(): x\n", "a.go": base["a.go"]})
	if n := w.navigate(NavigateRequest{Verb: VerbCallers, Location: "odd.xyz"}); n.Coverage.Verdict != VerdictUnknown || !n.Empty() {
		t.Errorf("a subject without a grammar: %+v", n.Coverage)
	}
}
