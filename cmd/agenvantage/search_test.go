package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/configs"
	"agenvantage/internal/app"
	see "agenvantage/internal/visible"
)

func TestSearchForPeople(t *testing.T) {
	for name, args := range map[string][]string{"search.txt": {"search", "refresh", "token"}, "explain.txt": {"search", "--explain", "refresh", "token"}} {
		got := call{service: answering(example(""))}.run(t, args...)
		if got.code != exitOK {
			t.Errorf("%s: exit code %d", name, got.code)
		}
		if strings.ContainsAny(got.out+got.errOut, "\x1b\x07\u202e\r") {
			t.Errorf("%s: a control character reaches the terminal: %q", name, got.out)
		}
		golden(t, name, got.out+"--- standard error\n"+got.errOut)
	}
}

func TestSearchInColour(t *testing.T) {
	var b bytes.Buffer
	s := &screen{w: bufio.NewWriter(&b), colours: true, width: 60, query: newHighlighter("refresh token", false)}
	for _, r := range example("").Results {
		s.result(r)
	}
	s.w.Flush()
	golden(t, "colour.txt", strings.ReplaceAll(b.String(), "\x1b", "ESC"))
}

func TestColoursNeedATerminal(t *testing.T) {
	for _, env := range [][]string{nil, {"TERM=xterm"}, {"NO_COLOR=1"}} {
		if got := (call{service: answering(example("")), env: env}).run(t, "search", "token"); strings.Contains(got.out, "\x1b") {
			t.Errorf("%v: colours in a pipe", env)
		}
	}
}

func TestNothingFound(t *testing.T) {
	channels := []agenvantage.ChannelReport{{Name: "exact", Status: agenvantage.StatusEmpty}, {Name: "bm25f", Status: agenvantage.StatusTimeout, Error: "2s"}, {Name: "semantic", Status: agenvantage.StatusOff}}
	tests := []struct {
		coverage agenvantage.Coverage
		want     string
	}{
		{agenvantage.Coverage{}, "no files are indexed below"},
		{agenvantage.Coverage{FilesIndexed: 5, FilesSkipped: 2}, "5 files indexed, 2 skipped, 0 in scope, channels exact, bm25f.\nTry: a wider --path"},
		{agenvantage.Coverage{FilesIndexed: 1, FilesInScope: 1}, "Nothing found: 1 file indexed, 0 skipped, 1 in scope, channels exact, bm25f.\nTry: fewer or other words"},
		{agenvantage.Coverage{FilesIndexed: 5, FilesSkipped: 2, FilesInScope: 5}, "agenvantage files --skipped"},
	}
	for _, tt := range tests {
		r := agenvantage.Response{Channels: channels, Coverage: tt.coverage, Notes: []string{"no indexed file matches"}}
		got := call{service: answering(r)}.run(t, "search", "zzz")
		if got.code != exitNothing || got.out != "" || !strings.Contains(got.errOut, tt.want) || !strings.Contains(got.errOut, "Note: channel bm25f: timeout: 2s") {
			t.Errorf("exit code %d, out %q, err %q, want %q", got.code, got.out, got.errOut, tt.want)
		}
		got = call{service: answering(r)}.run(t, "search", "--json", "zzz")
		if got.code != exitNothing || got.errOut != "" || !json.Valid([]byte(got.out)) || !strings.Contains(got.out, `"results":[]`) {
			t.Errorf("--json: exit code %d, out %q, err %q", got.code, got.out, got.errOut)
		}
	}
}

// TestNothingWasLookedForIsNoAbsence: channels that could not look were told of as if nothing had been near enough.
func TestNothingWasLookedForIsNoAbsence(t *testing.T) {
	for _, x := range []struct {
		channels []agenvantage.ChannelReport
		want     string
	}{
		{[]agenvantage.ChannelReport{{Name: "semantic", Status: agenvantage.StatusOff, Error: "embed.provider is none"}}, "Nothing was looked for: channel semantic: off: embed.provider is none\n"},
		{[]agenvantage.ChannelReport{{Name: "semantic", Status: agenvantage.StatusNoVectors, Error: "none"}}, "Nothing was looked for: channel semantic: no_vectors: none\n"},
		{[]agenvantage.ChannelReport{{Name: "bm25f", Status: agenvantage.StatusEmpty}, {Name: "semantic", Status: agenvantage.StatusOff, Error: "embed.provider is none"}}, "Note: channel semantic: off: embed.provider is none\n"},
		{[]agenvantage.ChannelReport{{Name: "bm25f", Status: agenvantage.StatusEmpty}, {Name: "semantic", Status: agenvantage.StatusOff, Why: "keep off"}}, "channels bm25f.\nTry: fewer"},
		{[]agenvantage.ChannelReport{{Name: "semantic", Status: agenvantage.StatusEmpty}}, "Try: other channels, or a lower semantic.floor: nothing is near enough"},
		{[]agenvantage.ChannelReport{{Name: "semantic", Status: agenvantage.StatusEmpty, Note: "no words"}}, "Try: other channels: no words\n"},
	} {
		r := agenvantage.Response{Channels: x.channels, Coverage: agenvantage.Coverage{FilesIndexed: 1, FilesInScope: 1}}
		got := call{service: answering(r)}.run(t, "search", "zzz")
		if got.code != exitNothing || !strings.Contains(got.errOut, x.want) || strings.Contains(got.errOut, "keep off") {
			t.Errorf("exit code %d, err %q, want %q", got.code, got.errOut, x.want)
		}
		if strings.Count(got.errOut, "semantic: off: embed.provider") > 1 {
			t.Errorf("said twice: %q", got.errOut)
		}
	}
}

func TestSearchFlagsReachTheRequest(t *testing.T) {
	f := &fake{}
	call{service: f}.run(t, "search", "--channels", "exact,bm25f", "--top-k", "7", "--path", "a/{b,c}/**", "--path", "x", "--not-path", "y,z", "--lang", "go,c++", "--lang", "rust",
		"--kind", "Function,class", "--regex", "--no-refresh", "--", "-dash", "and", "more")
	want := app.SearchRequest{Query: "-dash and more", Regex: true, Channels: []string{"exact", "bm25f"}, TopK: 7, NoRefresh: true,
		Filter: agenvantage.Filter{Paths: []string{"a/{b,c}/**", "x"}, NotPaths: []string{"y,z"}, Langs: []string{"go", "c++", "rust"}, Kinds: []agenvantage.SymbolKind{"function", "class"}}}
	if len(f.requests) != 1 || !reflect.DeepEqual(f.requests[0], want) || !f.closed {
		t.Errorf("got %+v\nwant %+v", f.requests, want)
	}
	f = &fake{}
	call{service: f, env: []string{"AGENVANTAGE_SEARCH_TOP_K=4"}}.run(t, "search", "x", "--json")
	if f.requests[0].TopK != 4 || f.requests[0].Query != "x" {
		t.Errorf("%+v", f.requests)
	}
}

// echo answers every query with one result, refuses "bad" and finds nothing for "none".
func echo() *fake {
	return &fake{search: func(_ context.Context, r app.SearchRequest) (agenvantage.Response, error) {
		if r.Like != "" && r.Query == "" {
			r.Query = "like " + r.Like
		}
		switch r.Query {
		case "bad", "":
			return agenvantage.Response{}, fmt.Errorf("%w: refused", agenvantage.ErrBadInput)
		case "none":
			return agenvantage.Response{Query: r.Query}, nil
		}
		return agenvantage.Response{Query: r.Query, Results: []agenvantage.Result{{Rank: 1, Path: "<a&b>", StartLine: 1, EndLine: 1, Text: "x"}}}, nil
	}}
}

func TestBatch(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string // "ID QUERY RESULTS" or "ID KIND"
		code     int
	}{
		{"ids as given", `{"id":"a","query":"x"}` + "\n" + `{"id":12345678901234567890,"query":"y"}` + "\n" + `{"id":1.50,"query":"z"}` + "\n", []string{`"a" x 1`, `12345678901234567890 y 1`, `1.50 z 1`}, 0},
		{"no line end", `{"id":1,"query":"x"}`, []string{"1 x 1"}, 0},
		{"CRLF and byte order mark", "\ufeff{\"id\":1,\"query\":\"x\"}\r\n{\"id\":2,\"query\":\"y\"}\r\n", []string{"1 x 1", "2 y 1"}, 0},
		{"empty lines", "\n \n" + `{"id":1,"query":"x"}` + "\n\n\t\n", []string{"1 x 1"}, 0},
		{"nothing found", `{"id":1,"query":"none"}`, []string{"1 none 0"}, 1},
		{"one found", `{"id":1,"query":"none"}` + "\n" + `{"id":2,"query":"x"}`, []string{"1 none 0", "2 x 1"}, 0},
		{"no input", "", nil, 1},
		{"bad JSON", "{\n" + `{"id":2,"query":"x"}`, []string{"null bad_input", "2 x 1"}, 2},
		{"an array", `["x"]`, []string{"null bad_input"}, 2},
		{"a text", `"x"`, []string{"null bad_input"}, 2},
		{"trailing text", `{"id":1,"query":"x"} more`, []string{"null bad_input"}, 2},
		{"no query", `{"id":"q"}`, []string{`"q" bad_input`}, 2},
		{"query of another type", `{"id":"q","query":5}`, []string{`"q" bad_input`}, 2},
		{"null query", `{"id":"q","query":null}`, []string{`"q" bad_input`}, 2},
		{"like", `{"id":1,"like":"a.go:1-9"}`, []string{"1 like a.go:1-9 1"}, 0},
		{"like beside null", `{"id":1,"like":"a.go:1","query":null}` + "\n" + `{"id":2,"like":null,"query":"x"}`, []string{"1 like a.go:1 1", "2 x 1"}, 0},
		{"like of one line alone", `{"id":1,"like":"a.go:1"}` + "\n" + `{"id":2,"query":"x"}`, []string{"1 like a.go:1 1", "2 x 1"}, 0},
		{"like beside a query", `{"id":1,"like":"a.go:1","query":"x"}`, []string{"1 bad_input"}, 2},
		{"like beside an empty query", `{"id":1,"like":"a.go:1","query":""}`, []string{"1 bad_input"}, 2},
		{"blank like", `{"id":1,"like":" "}`, []string{"1 bad_input"}, 2},
		{"like of another type", `{"id":1,"like":["a.go:1"]}`, []string{"1 bad_input"}, 2},
		{"both null", `{"id":1,"like":null,"query":null}`, []string{"1 bad_input"}, 2},
		{"no id", `{"query":"x"}`, []string{"null x 1"}, 0},
		{"id of another type", `{"id":{"a":1},"query":"x"}`, []string{"null bad_input"}, 2},
		{"refused", `{"id":"r","query":"bad"}` + "\n" + `{"id":"s","query":"x"}`, []string{`"r" bad_input`, `"s" x 1`}, 2},
		{"more fields", `{"id":1,"query":"x","repo":"y","n":1}`, []string{"1 bad_input"}, 2},
		{"escapes", `{"id":"\u00e9","query":"x"}`, []string{`"\u00e9" x 1`}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := call{service: echo(), stdin: tt.in}.run(t, "search", "--json", "--batch", "-")
			if got.code != tt.code || got.errOut != "" {
				t.Errorf("exit code %d, want %d; standard error %q", got.code, tt.code, got.errOut)
			}
			if lines := batchLines(t, got.out); !reflect.DeepEqual(lines, tt.want) {
				t.Errorf("got %q, want %q", lines, tt.want)
			}
		})
	}
}

func batchLines(t *testing.T, out string) []string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(out) {
		var a struct {
			ID      json.RawMessage
			Query   string
			Results []agenvantage.Result
			Error   *agenvantage.ErrorBody
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		if a.Error != nil {
			lines = append(lines, fmt.Sprintf("%s %s", a.ID, a.Error.Kind))
		} else {
			lines = append(lines, fmt.Sprintf("%s %s %d", a.ID, a.Query, len(a.Results)))
		}
	}
	return lines
}

// Errors of a line are those of the flag, and both are told where they stand.
func TestBatchLinesSayWhatIsWrongWithLike(t *testing.T) {
	in := `{"id":1,"like":"a.go:1","query":"x"}` + "\n" + `{"id":2,"like":""}` + "\n" + `{"id":3,"like":5}` + "\n" + `{"id":4}` + "\n"
	got := call{service: echo(), stdin: in}.run(t, "search", "--batch", "-")
	for i, want := range []string{"line 1: like stands in place of a query", "line 2: like names no place", "line 3: like must be a text", "line 4: query must be a text, or like in its place"} {
		if lines := strings.Split(got.out, "\n"); !strings.Contains(lines[i], want) {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
	for args, want := range map[string]string{"search --like a.go:1 x": "Error: --like stands in place of a query", "search --like a.go:1 --batch -": "--like stands in place of a query"} {
		if got := (call{service: echo()}).run(t, strings.Fields(args)...); got.code != exitError || !strings.Contains(got.errOut, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

// TestTheHashOfAConfigurationDoesNotDependOnTheRequest: --top-k was a part of it, and the same answer of a server had another one.
func TestTheHashOfAConfigurationDoesNotDependOnTheRequest(t *testing.T) {
	hashes := func(args ...string) (hash string, topK int) {
		f := &fake{}
		root := t.TempDir()
		p := newProgram(strings.NewReader(""), io.Discard, io.Discard, nil, backend{
			resolveRoot: func(string) (string, error) { return root, nil },
			open:        func(_ string, cfg *configs.Config) (service, error) { hash = cfg.Hash(); return f, nil },
			channels:    []string{"exact"},
		})
		p.runWithin(t.Context(), append([]string{"search", "x"}, args...), time.Second)
		if len(f.requests) == 1 {
			topK = f.requests[0].TopK
		}
		return hash, topK
	}
	served, _, err := configs.Load(configs.LoadOptions{RepoRoot: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		topK int
		same bool
	}{{"", 10, true}, {"--top-k 3", 3, true}, {"--top-k 3 --json --explain --no-refresh --channels exact", 3, true}, {"--set search.top_k=3", 3, false}, {"--set search.top_k=3 --top-k 5", 5, false}} {
		if hash, topK := hashes(strings.Fields(c.args)...); (hash == served.Hash()) != c.same || topK != c.topK {
			t.Errorf("%q: hash %s beside %s of a server, top-k %d", c.args, hash, served.Hash(), topK)
		}
	}
}

func TestBatchRefreshesOnce(t *testing.T) {
	f := echo()
	call{service: f, stdin: `{"id":1,"query":"bad"}` + "\n" + `{"id":2,"query":"x"}` + "\n" + `{"id":3,"query":"y"}` + "\n"}.run(t, "search", "--batch", "-")
	var got []bool
	for _, r := range f.requests {
		got = append(got, r.SameIndex)
	}
	if !reflect.DeepEqual(got, []bool{false, false, true}) {
		t.Errorf("SameIndex %v", got)
	}
}

func TestBatchHugeLines(t *testing.T) {
	huge := strings.Repeat("word ", 1<<20)
	f := echo()
	got := call{service: f, stdin: `{"id":1,"query":"` + huge + `"}` + "\n" + `{"id":2,"query":"x"}`}.run(t, "search", "--batch", "-")
	if got.code != 0 || f.requests[0].Query != huge || f.requests[1].Query != "x" {
		t.Errorf("exit code %d, %d requests", got.code, len(f.requests))
	}
	r := bufio.NewReaderSize(strings.NewReader(strings.Repeat("a", 5000)+"\nshort\n"+strings.Repeat("b", 40)), 16)
	var lines []string
	for {
		line, err := readLine(r, 100)
		if err != nil && err != errLongLine {
			break
		}
		lines = append(lines, fmt.Sprint(len(line), err == errLongLine))
	}
	if !reflect.DeepEqual(lines, []string{"0 true", "6 false", "40 false"}) {
		t.Errorf("lines %v", lines)
	}
}

func TestBatchFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "q.jsonl")
	if err := os.WriteFile(file, []byte(`{"id":1,"query":"x"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := (call{service: echo()}).run(t, "search", "--batch", file); got.code != 0 || !strings.Contains(got.out, `"path":"<a&b>"`) {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"search", "--batch", file + ".gone"}, {"search", "--batch", t.TempDir()}, {"search", "--batch", file, "query"}} {
		if got := (call{service: echo()}).run(t, args...); got.code != exitError || got.out != "" || !strings.HasPrefix(got.errOut, "Error: ") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// TestBatchEndsWhenNothingCanWork does not write the same refusal for every line.
func TestBatchEndsWhenNothingCanWork(t *testing.T) {
	f := &fake{err: fmt.Errorf("%w: /ro/.agenvantage", agenvantage.ErrNotWritable)}
	got := call{service: f, stdin: strings.Repeat(`{"id":1,"query":"x"}`+"\n", 5)}.run(t, "search", "--batch", "-")
	if got.code != exitError || got.out != "" || len(f.requests) != 1 || !strings.Contains(got.errOut, "AGENVANTAGE_INDEX_DIR") {
		t.Errorf("%+v, %d requests", got, len(f.requests))
	}
}

func TestVisible(t *testing.T) {
	tests := []struct{ in, text, path string }{
		{"plain/päth 日本.go", "plain/päth 日本.go", "plain/päth 日本.go"},
		{"new\nline.py", `new\nline.py`, `"new\nline.py"`},
		{"back\\slash", `back\slash`, `back\slash`},
		{"both\\\n", `both\\n`, `"both\\\n"`},
		{"raw\xff.py", `raw\xff.py`, `"raw\xff.py"`},
		{"\x1b[31mred", `\x1b[31mred`, `"\x1b[31mred"`},
		{"c1\u009b2J", `c1\u009b2J`, `"c1\u009b2J"`}, // \x9b is a byte that is not UTF-8
		{"bidi\u202eog", `bidi\u202eog`, `"bidi\u202eog"`},
		{"tag\U000e0041", `tag\U000e0041`, `"tag\U000e0041"`},
		{"join\u200der", "join\u200der", "join\u200der"},
		{`"quoted"`, `"quoted"`, `"\"quoted\""`},
		{"tab\t", `tab\t`, `"tab\t"`},
	}
	for _, tt := range tests {
		if got := visible(tt.in); got != tt.text {
			t.Errorf("visible(%q) = %s, want %s", tt.in, got, tt.text)
		}
		if got := visiblePath(tt.in); got != tt.path {
			t.Errorf("visiblePath(%q) = %s, want %s", tt.in, got, tt.path)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\x1b[0m\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range visible(s) + visiblePath(s) {
			if see.Hidden(r) {
				t.Errorf("%q: %q", s, r)
			}
		}
		line := (&screen{width: 20, query: newHighlighter(s, false)}).line(s)
		for _, r := range line {
			if see.Hidden(r) {
				t.Errorf("line of %q: %q", s, line)
			}
		}
		newHighlighter(s, true).find(s)
	})
}

func TestHighlighter(t *testing.T) {
	tests := []struct {
		query string
		regex bool
		line  string
		want  string
	}{
		{"refresh token", false, "func RefreshToken(t Token)", "Refresh Token Token"},
		{"where is the session", false, "the session", "session"},
		{"the", false, "the end", "the"},
		{"loadUser", false, "load_user(LoadUser)", "LoadUser"},
		{"loadUser", false, "def load_user", "load user"},
		{"load_user", false, "loadUser", "load User"},
		{"/err[0-9]+/", false, "err12 err", "err12"},
		{"err[0-9]+", true, "err12 err", "err12"},
		{"(", true, "(", ""},
		{"x*", true, "aaa", ""},
		{"寻路服务", false, "// 寻路服务", "寻路服务"},
		{"a.b(c)", false, "a.b", "a b"},
		{"", false, "x", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, m := range newHighlighter(tt.query, tt.regex).find(tt.line) {
			got = append(got, tt.line[m[0]:m[1]])
		}
		if s := strings.Join(got, " "); s != tt.want && !(tt.query == "a.b(c)" && s == "") {
			t.Errorf("%q in %q: %q, want %q", tt.query, tt.line, s, tt.want)
		}
	}
}

func TestBestWindow(t *testing.T) {
	lines := strings.Split("one two three four five six seven target nine ten target two", " ")
	tests := []struct {
		query    string
		n        int
		from, to int
	}{
		{"target", 3, 6, 9},
		{"target", 20, 0, 12},
		{"nothing", 3, 0, 3},
		{"target ten", 4, 7, 11},
	}
	for _, tt := range tests {
		if from, to := newHighlighter(tt.query, false).bestWindow(lines, tt.n); from != tt.from || to != tt.to {
			t.Errorf("%s, %d lines: %d to %d, want %d to %d", tt.query, tt.n, from, to, tt.from, tt.to)
		}
	}
}

// Of a place in a long function the first lines were shown.
func TestTheLineOfAPlaceIsAmongThoseShown(t *testing.T) {
	result := agenvantage.Result{Path: "tree.go", StartLine: 11, EndLine: 22, Channels: map[string]agenvantage.ChannelRank{"exact": {Reason: "place"}}}
	lines := strings.Split("one two three four five six seven eight nine ten eleven tree", " ")
	for query, want := range map[string][2]int{
		"tree.go:11": {0, 6}, "tree.go:13": {0, 6}, "tree.go:15": {2, 8}, "tree.go:20": {6, 12}, "tree.go:22": {6, 12}, "tree.go:90": {6, 12},
		"tree": {6, 12}, // by its words
	} {
		s := &screen{query: newHighlighter(query, false), asked: app.AskedIn(query, false)}
		if from, to := s.window(result, lines); from != want[0] || to != want[1] {
			t.Errorf("%s: %d to %d, want %v", query, from, to, want)
		}
	}
	s := &screen{asked: app.AskedIn("tree.go:20", false)}
	if from, to := s.window(result, lines[:3]); from != 0 || to != 3 {
		t.Errorf("of a text that was cut: %d to %d", from, to)
	}
}

// TestBatchLinesDroppedWhatTheyDidNotKnow: an unknown key had no effect and no word. channels and top_k hold for their line alone.
func TestBatchLinesDroppedWhatTheyDidNotKnow(t *testing.T) {
	f := echo()
	got := call{service: f, stdin: strings.Join([]string{
		`{"id":1,"query":"a","top_k":3,"channels":["exact","semantic"]}`,
		`{"id":2,"query":"b","channels":null,"top_k":null}`,
		`{"id":3,"query":"c","topk":1,"Path":"x"}`,
		`{"id":4,"query":"d","top_k":0}`,
		`{"id":5,"query":"e","top_k":"3"}`,
		`{"id":6,"query":"f","channels":"exact"}`,
		`{"id":7,"query":"g","channels":["exact",null]}`,
		`{"id":8,"query":"h","top_k":10001}`,
		`{"id":9,"query":"i","channels":[]}`,
	}, "\n")}.run(t, "search", "--channels", "bm25f", "--top-k", "7", "--batch", "-")
	if got.code != exitError {
		t.Errorf("exit code %d", got.code)
	}
	type asked struct {
		query    string
		topK     int
		channels string
	}
	var requests []asked
	for _, r := range f.requests {
		requests = append(requests, asked{r.Query, r.TopK, strings.Join(r.Channels, ",")})
	}
	if want := []asked{{"a", 3, "exact,semantic"}, {"b", 7, "bm25f"}, {"i", 7, "bm25f"}}; !reflect.DeepEqual(requests, want) {
		t.Errorf("asked %v, want %v", requests, want)
	}
	lines := strings.Split(got.out, "\n")
	for i, want := range map[int]string{
		2: `line 3: unknown key \"Path\"; the keys are id, query, like, channels, top_k`, 3: `line 4: top_k: want a whole number from 1 to 10000`, 4: "line 5: top_k must be a number",
		5: "line 6: channels must be a list of texts", 6: "line 7: channels must be a list of texts", 7: "line 8: top_k: want a whole number from 1 to 10000",
	} {
		if id := fmt.Sprintf(`{"id":%d,"error":{"kind":"bad_input"`, i+1); i >= len(lines) || !strings.HasPrefix(lines[i], id) || !strings.Contains(lines[i], want) {
			t.Errorf("line %d: %q, want %q", i+1, lines[min(i, len(lines)-1)], want)
		}
	}
}
