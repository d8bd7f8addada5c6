package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unicode"

	"agenvantage"
	"agenvantage/server"
	"agenvantage/tokens"
)

// served is a service over a tree.
func served(t *testing.T, fs files, flags ...string) (*Service, *world) {
	t.Helper()
	w := newWorld(t, fs, flags...)
	s, err := NewService(w.App)
	if err != nil {
		t.Fatal(err)
	}
	return s, w
}

func (s *Service) mustBuild(t *testing.T) {
	t.Helper()
	if err := s.Build(t.Context(), func(server.Progress) {}); err != nil {
		t.Fatal(err)
	}
}

// askFor asks one operation as the servers do.
func askFor(t *testing.T, s *Service, name, arguments string, limits server.Limits, sent *server.Sent) (server.Answer, error) {
	t.Helper()
	for _, o := range server.Operations() {
		if o.Name != name {
			continue
		}
		a, err := o.Decode([]byte(arguments))
		if err != nil {
			t.Fatal(err)
		}
		return s.Answer(t.Context(), server.Call{Operation: name, Arguments: a, Limits: limits, Sent: sent})
	}
	t.Fatalf("no operation %s", name)
	return server.Answer{}, nil
}

func mustAsk(t *testing.T, s *Service, name, arguments string) (server.Answer, map[string]any) {
	t.Helper()
	a, err := askFor(t, s, name, arguments, server.Limits{MaxTokens: server.DefaultMaxTokens, MaxBytes: server.DefaultMaxBytes}, nil)
	if err != nil {
		t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return a, object(t, a.Value)
}

func object(t *testing.T, v any) map[string]any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

var store = files{
	"cart.go":      "package shop\n\n// Total adds up the prices.\nfunc Total(prices []int) int {\n\tsum := 0\n\tfor _, p := range prices {\n\t\tsum += round(p)\n\t}\n\treturn sum\n}\n\nfunc round(p int) int { return p }\n",
	"cart_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(nil) != 0 {\n\t\tt.Fail()\n\t}\n}\n",
	"README.md":    "# Shop\n\nAdds up prices.\n",
}

// Every answer has what its schema promises, with and without something in it.
func TestServiceAnswersKeepTheirSchemas(t *testing.T) {
	s, _ := served(t, store)
	s.mustBuild(t)
	_, pack := mustAsk(t, s, "pack", `{"task":"Total is wrong for negative prices"}`)
	id := pack["pack_id"].(string)
	block := pack["blocks"].([]any)[0].(map[string]any)["id"].(string)
	for name, arguments := range map[string][]string{
		"search": {`{"query":"Total"}`, `{"query":"zqxjk"}`}, "pack": {`{"task":"Total is wrong"}`, `{"from_output":"panic: x\n\ncart.go:4 +0x1"}`}, "expand": {fmt.Sprintf(`{"pack_id":%q,"slot":"tests"}`, id)},
		"read": {`{"location":"cart.go"}`, `{"location":"Total"}`}, "symbol": {`{"name":"Total"}`, `{"name":"Total","relation":"callers"}`, `{"location":"cart.go:4"}`, `{"name":"round","relation":"callees"}`},
		"neighbors": {`{"location":"Total"}`}, "tests_for": {`{"location":"Total"}`}, "map": {`{}`}, "status": {``}, "rehydrate": {fmt.Sprintf(`{"source_id":%q}`, block)},
		"refs": {`{"location":"round"}`}, "callers": {`{"location":"round"}`}, "callees": {`{"location":"Total"}`}, "impact": {`{"location":"round"}`}, "files": {`{}`}, "plan": {`{"task":"fix Total"}`},
		"why": {fmt.Sprintf(`{"pack_id":%q,"location":"cart.go"}`, id), fmt.Sprintf(`{"pack_id":%q,"location":"nosuch.go"}`, id)},
	} {
		for _, a := range arguments {
			answer, got := mustAsk(t, s, name, a)
			if strings.TrimSpace(answer.Text) == "" {
				t.Errorf("%s %s: no text", name, a)
			}
			keepsSchema(t, name+" "+a, schemaOf(name), got)
		}
	}
}

func schemaOf(name string) map[string]any {
	for _, o := range server.Operations() {
		if o.Name == name {
			return o.OutputSchema()
		}
	}
	return nil
}

// keepsSchema checks the part of JSON Schema that output schemas use, and that nothing stands in an answer that they do not name.
func keepsSchema(t *testing.T, at string, schema, got map[string]any) {
	t.Helper()
	properties := schema["properties"].(map[string]any)
	for _, name := range schema["required"].([]string) {
		if _, ok := got[name]; !ok {
			t.Errorf("%s: %q is missing", at, name)
		}
	}
	for name, v := range got {
		p, ok := properties[name].(map[string]any)
		if !ok {
			t.Errorf("%s: the schema does not name %q", at, name)
			continue
		}
		if !isType(v, p) {
			t.Errorf("%s: %q is %v, want %v", at, name, v, p)
		}
	}
}

func isType(v any, schema map[string]any) bool {
	switch schema["type"] {
	case "string":
		_, ok := v.(string)
		return ok
	case "boolean":
		_, ok := v.(bool)
		return ok
	case "number":
		_, ok := v.(float64)
		return ok
	case "integer":
		n, ok := v.(float64)
		return ok && n == float64(int64(n))
	case "object":
		_, ok := v.(map[string]any)
		return ok
	}
	list, ok := v.([]any)
	for _, item := range list {
		ok = ok && isType(item, schema["items"].(map[string]any))
	}
	return ok
}

func TestServiceSearch(t *testing.T) {
	s, _ := served(t, store)
	s.mustBuild(t)
	a, got := mustAsk(t, s, "search", `{"query":"Total"}`)
	if first := got["results"].([]any)[0].(map[string]any); first["path"] != "cart.go" || first["symbol"] != "Total" {
		t.Errorf("%v", first)
	}
	if !strings.HasPrefix(a.Text, "cart.go:3-10  function Total\n") && !strings.HasPrefix(a.Text, "cart.go:4-10  function Total\n") || !strings.Contains(strings.Join(a.Channels, " "), "exact bm25f") || a.Generation == 0 {
		t.Errorf("%q %v %d", a.Text, a.Channels, a.Generation)
	}
	if a, _ := mustAsk(t, s, "search", `{"query":"zqxjkvb"}`); !strings.HasPrefix(a.Text, "Nothing found: 3 files indexed") {
		t.Errorf("%q", a.Text)
	}
	for arguments, want := range map[string]string{
		`{"query":"x","channels":["odd"]}`: "unknown channel", `{"query":"x","lang":["odd"]}`: "unknown language", `{"query":"x","kind":["odd"]}`: "unknown kind",
		`{"query":"x","top_k":-1}`: "top_k", `{"query":"x","max_tokens":-1}`: "max_tokens", `{"query":"x","cursor":"odd"}`: "cursor", `{"query":"(","regex":true}`: "regexp",
	} {
		if _, err := askFor(t, s, "search", arguments, server.Limits{}, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}

// manyFunctions is a tree of long functions that a word finds all of.
func manyFunctions(n int) files {
	fs := files{}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "package p\n\n// Harvest%03d collects apples.\nfunc Harvest%03d() {\n", i, i)
		for j := range 30 {
			fmt.Fprintf(&b, "\tcollect(%d, \"apples of tree number %d in row %d\")\n", j, j, i)
		}
		b.WriteString("}\n")
		fs[fmt.Sprintf("f%03d.go", i)] = b.String()
	}
	return fs
}

// The pages of a search are within the limits, and together they are the one long answer.
func TestServiceSearchPages(t *testing.T) {
	s, _ := served(t, manyFunctions(40))
	s.mustBuild(t)
	_, whole := mustAskUnbound(t, s, "search", `{"query":"apples","top_k":30}`)
	count, err := tokens.New("")
	if err != nil {
		t.Fatal(err)
	}
	limits := server.Limits{MaxTokens: 2000, MaxBytes: 20000}
	var paths []string
	cursor, pages := "", 0
	for pages < 50 {
		pages++
		a, err := askFor(t, s, "search", fmt.Sprintf(`{"query":"apples","top_k":30,"cursor":%q}`, cursor), limits, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(a.Value)
		if n := count.Count(a.Text); n > limits.MaxTokens || len(a.Text) > limits.MaxBytes || len(b) > limits.MaxBytes {
			t.Errorf("a page of %d tokens, %d bytes, %d bytes of JSON", n, len(a.Text), len(b))
		}
		got := object(t, a.Value)
		for _, r := range got["results"].([]any) {
			paths = append(paths, r.(map[string]any)["path"].(string))
		}
		if cursor, _ = got["next"].(string); cursor == "" || len(paths) >= 30 {
			break
		}
		if !strings.Contains(a.Text, "More: cursor "+cursor) {
			t.Errorf("the text does not name the cursor:\n%s", a.Text)
		}
	}
	var want []string
	for _, r := range whole["results"].([]any) {
		want = append(want, r.(map[string]any)["path"].(string))
	}
	if len(want) != 30 || pages < 3 || !reflect.DeepEqual(paths[:min(len(paths), 30)], want) {
		t.Errorf("%d pages:\n%v, want\n%v", pages, paths, want)
	}
	if _, err := askFor(t, s, "search", fmt.Sprintf(`{"query":"pears","cursor":%q}`, cursor), limits, nil); cursor != "" && (err == nil || !strings.Contains(err.Error(), "another question")) {
		t.Errorf("a cursor of another question: %v", err)
	}
}

func mustAskUnbound(t *testing.T, s *Service, name, arguments string) (server.Answer, map[string]any) {
	t.Helper()
	a, err := askFor(t, s, name, arguments, server.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a, object(t, a.Value)
}

// What was sent comes as a reference, in text and JSON, and is not sent twice under another name.
func TestServiceSendsTextOnce(t *testing.T) {
	s, _ := served(t, manyFunctions(3))
	s.mustBuild(t)
	sent, limits := &server.Sent{}, server.Limits{MaxTokens: 8000, MaxBytes: 64 << 10}
	ask := func(name, arguments string) (server.Answer, string) {
		a, err := askFor(t, s, name, arguments, limits, sent)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(a.Value)
		return a, string(b)
	}
	const line = "apples of tree number 7 in row 1"
	first, firstJSON := ask("search", `{"query":"Harvest001"}`)
	again, againJSON := ask("search", `{"query":"Harvest001"}`)
	if !strings.Contains(first.Text, line) || !strings.Contains(firstJSON, line) {
		t.Errorf("first: %s", first.Text)
	}
	if strings.Contains(again.Text, line) || strings.Contains(againJSON, line) || !strings.Contains(again.Text, "(already sent: f001.go:") || !strings.Contains(againJSON, "(already sent: f001.go:") {
		t.Errorf("again: %s\n%s", again.Text, againJSON)
	}
	read, readJSON := ask("read", `{"location":"f001.go:5-20"}`)
	if strings.Contains(read.Text, line) || strings.Contains(readJSON, line) || !strings.Contains(read.Text, "(already sent: f001.go:5-20, ") {
		t.Errorf("read: %s\n%s", read.Text, readJSON)
	}
	if other, _ := ask("read", `{"location":"f002.go"}`); !strings.Contains(other.Text, "12\t\tcollect(7, \"apples of tree number 7 in row 2\")") {
		t.Errorf("another file: %s", other.Text)
	}
}

// Every operation that shows text keeps within the limits.
func TestServiceLimits(t *testing.T) {
	fs := manyFunctions(60)
	var long strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&long, "line %d of a long text with some more words\n", i)
	}
	fs["long.txt"] = long.String()
	fs["one.txt"] = "needle " + strings.Repeat("word ", 30000) + "\n"
	for i := range 60 {
		fs[fmt.Sprintf("call%d.go", i)] = fmt.Sprintf("package p\n\nfunc Caller%d() { Harvest001() }\n", i)
	}
	s, _ := served(t, fs)
	s.mustBuild(t)
	count, _ := tokens.New("")
	limits := server.Limits{MaxTokens: 1000, MaxBytes: 16000}
	for _, c := range [][2]string{{"search", `{"query":"apples","top_k":50}`}, {"search", `{"query":"needle"}`}, {"read", `{"location":"long.txt"}`}, {"read", `{"location":"one.txt"}`}, {"symbol", `{"name":"Harvest001","relation":"callers"}`},
		{"pack", `{"task":"apples are collected twice by Harvest001","budget":50000}`}, {"map", `{"budget":20000}`}, {"status", `{}`}, {"symbol", `{"name":"Harvest001","relation":"references","max_tokens":100000}`}, {"impact", `{"location":"Harvest001"}`}} {
		a, err := askFor(t, s, c[0], c[1], limits, nil)
		if err != nil {
			t.Errorf("%s %s: %v", c[0], c[1], err)
			continue
		}
		b, _ := json.Marshal(a.Value)
		if n := count.Count(a.Text); n > limits.MaxTokens || len(a.Text) > limits.MaxBytes || len(b) > limits.MaxBytes {
			t.Errorf("%s %s: %d tokens, %d bytes, %d bytes of JSON", c[0], c[1], n, len(a.Text), len(b))
		}
	}
}

// A long text behind an id comes in parts that add up to it.
func TestServiceRehydratePages(t *testing.T) {
	s, _ := served(t, manyFunctions(1))
	s.mustBuild(t)
	_, pack := mustAsk(t, s, "pack", `{"task":"Harvest000 collects apples twice"}`)
	id, want := "", ""
	for _, b := range pack["blocks"].([]any) {
		if text := b.(map[string]any)["text"].(string); b.(map[string]any)["path"] == "f000.go" && len(text) > len(want) {
			id, want = b.(map[string]any)["id"].(string), text
		}
	}
	var got strings.Builder
	cursor, pages := "", 0
	for range 30 {
		a, err := askFor(t, s, "rehydrate", fmt.Sprintf(`{"source_id":%q,"cursor":%q}`, id, cursor), server.Limits{MaxTokens: 500, MaxBytes: 16000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := object(t, a.Value)
		got.WriteString(m["text"].(string))
		pages++
		if cursor, _ = m["next"].(string); cursor == "" {
			break
		}
	}
	if pages < 2 || strings.TrimRight(got.String(), "\n") != strings.TrimRight(want, "\n") {
		t.Errorf("%d pages: %q, want %q", pages, got.String(), want)
	}
}

func TestServiceTellsOfChannels(t *testing.T) {
	s, _ := served(t, store)
	s.mustBuild(t)
	var mu sync.Mutex
	told := map[string]server.ChannelList{}
	_, err := s.Answer(t.Context(), server.Call{Operation: "search", Arguments: &server.SearchArguments{Query: "Total"}, Told: func(c server.ChannelList) {
		mu.Lock()
		defer mu.Unlock()
		told[c.Name] = c
	}})
	if err != nil {
		t.Fatal(err)
	}
	if c := told["exact"]; len(c.Hits) == 0 || c.Hits[0].Rank != 1 || c.Hits[0].Path != "cart.go" || c.Total != len(c.Hits) {
		t.Errorf("%+v", c)
	}
	if _, ok := told["bm25f"]; !ok {
		t.Errorf("%v", told)
	}
}

// What a repository holds must not give commands to what shows an answer.
func TestServiceTextIsVisible(t *testing.T) {
	s, _ := served(t, files{"a.go": "package a\n\n// Evil \x1b[2J\u202e text\nfunc Evil() {}\n"})
	s.mustBuild(t)
	for _, c := range [][2]string{{"search", `{"query":"Evil"}`}, {"read", `{"location":"a.go"}`}} {
		a, _ := mustAsk(t, s, c[0], c[1])
		if strings.ContainsFunc(a.Text, func(r rune) bool { return r == 0x1b || r == 0x202e || unicode.IsControl(r) && r != '\n' && r != '\t' }) {
			t.Errorf("%s: %q", c[0], a.Text)
		}
	}
}

func TestPresent(t *testing.T) {
	type inner struct {
		List []int          `json:"list"`
		Map  map[string]int `json:"map"`
		May  []int          `json:"may,omitempty"`
	}
	v := struct {
		Inner inner   `json:"inner"`
		Many  []inner `json:"many"`
		None  *inner  `json:"none"`
	}{Many: []inner{{}}}
	present(reflect.ValueOf(&v))
	b, _ := json.Marshal(v)
	if want := `{"inner":{"list":[],"map":{}},"many":[{"list":[],"map":{}}],"none":null}`; string(b) != want {
		t.Errorf("%s, want %s", b, want)
	}
}

// One more result is asked for than is shown, to know whether there are more: what is counted beside a file must not change by it.
func TestServiceSearchCountsLikeTheCommand(t *testing.T) {
	fs := files{}
	for i := range 3 {
		var b strings.Builder
		b.WriteString("package p\n")
		for j := range 6 {
			fmt.Fprintf(&b, "\n// Pick%d%d picks ripe plums.\nfunc Pick%d%d() {\n%s}\n", i, j, i, j, strings.Repeat("\tplums(\"ripe plums are picked here\")\n", 25))
		}
		fs[fmt.Sprintf("plums%d.go", i)] = b.String()
	}
	s, w := served(t, fs)
	s.mustBuild(t)
	for topK := 1; topK <= 18; topK++ {
		want := w.askAgain(SearchRequest{Query: "ripe plums", TopK: topK})
		_, got := mustAskUnbound(t, s, "search", fmt.Sprintf(`{"query":"ripe plums","top_k":%d}`, topK))
		counts := func(results []any) (all []string) {
			for _, r := range results {
				m := r.(map[string]any)
				all = append(all, fmt.Sprintf("%v:%v+%v", m["path"], m["start_line"], m["more_in_file"]))
			}
			return all
		}
		if a, b := counts(object(t, want)["results"].([]any)), counts(got["results"].([]any)); !reflect.DeepEqual(a, b) {
			t.Errorf("top_k %d: %v, want %v", topK, b, a)
		}
	}
}
