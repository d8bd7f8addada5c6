package channels

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/plan"
)

func ask(t testing.TB, channel Channel, c *corpus, text string, f agenvantage.Filter, limit int) List {
	t.Helper()
	q, err := plan.Parse(text, plan.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	scope, err := CompileScope(f, c)
	if err != nil {
		t.Fatal(err)
	}
	list, err := channel.Search(context.Background(), Request{Query: q, Filter: f, Scope: scope, Limit: limit})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	for i, h := range list.Hits {
		if i > 0 && agenvantage.CompareHits(list.Hits[i-1], h) > 0 {
			t.Fatalf("%q: hits are not in order", text)
		}
		if h.Span.Lines() == 0 {
			t.Fatalf("%q: hit without lines: %+v", text, h)
		}
	}
	return list
}

// shown prints hits as path:line#symbol.
func shown(c *corpus, hits []agenvantage.Hit) []string {
	var s []string
	for _, h := range hits {
		line := fmt.Sprintf("%s:%d", c.paths[h.File], h.Span.StartLine)
		if h.Symbol >= 0 {
			line += "#" + c.facts[h.File].Symbols[h.Symbol].Qualified
		}
		s = append(s, line)
	}
	return s
}

func first(c *corpus, list List, n int) string {
	s := shown(c, list.Hits)
	return strings.Join(s[:min(n, len(s))], " ")
}

var namesFiles = map[string]string{
	"names.go": "package names\n\ntype HTTPServer struct{}\n\nfunc (s *HTTPServer) ServeHTTPRequest() {}\nfunc parseXMLFile(path string) {}\nfunc NewJSONRPCClientV2() {}\nfunc GetURLForID(id int) {}\nfunc utf8DecodeRune() {}\nfunc sha256Sum() {}\nfunc iOSBuild() {}\nfunc LogLevel2Name() {}\n",
	"names.py": "def load_user_profile(): pass\ndef __private_helper__(): pass\nMAX_RETRY_COUNT = 3\ndef getHTTPSConnection(): pass\nclass ABTest: pass\ndef codeblocks_render(): pass\ndef parsefile(): pass\ndef parseFile(): pass\n",
}

var oddFiles = map[string]string{
	"docs/ids.md": "See DEC-0054 and RFC-0011 about multi-agent memory; state-of-the-art; gpt-4.\n",
	"cli.go":      "package cli\n// --dry-run and -v flags; path src/main.py; version 20.04; user@example.invalid\nconst usage = \"tool --max-old-space-size=4096 --no-cache\"\nfunc opNew() {}\n",
	"op.cpp":      "struct Vec { bool operator==(const Vec&) const; Vec& operator+=(const Vec&); int operator[](int); };\ntemplate <typename T> T std_move_like(T&& t) { return static_cast<T&&>(t); }\n// a->b, x::y, p?.q, !done, a && b || c, \"quoted\", 'single', back`tick\n",
	"sql.py":      "QUERY = \"SELECT * FROM t WHERE a NEAR b AND NOT c OR d^2\"\n",
}

var oddQueries = strings.Split("DEC-0054|\"DEC-0054\"|multi-agent memory|--dry-run|-v|--max-old-space-size|src/main.py|20.04|operator==|operator[]|std::move|a->b|x::y|AND|NOT c|OR|NEAR|a NEAR b|d^2|\"unbalanced|(unbalanced|col:value|body:x|*|*.py|?|^|\\|'|`|%|%s %d|${HOME}|$(id)|; DROP TABLE chunks; --|[a-z|(?i)x|+++|!!!|😀|/|../x|**|{|[|/c++/|a/../..", "|")

var wideFiles = map[string]string{
	"nav.py": "class 寻路服务:\n    \"\"\"负责地图寻路\"\"\"\n    def 計算距離(self): return 1\ndef größe_ändern(): return 2\ndef показать_портфель(): return 3\n# 초과근무 승인 규칙\ndef café_menu(): return 4\nOvertimeService초과 = 5\n",
	"nfd.py": "def cafe\u0301_decomposed(): return 6\n",
}

func TestBM25FFindsNames(t *testing.T) {
	c := newCorpus(namesFiles, nil)
	channel := NewBM25F(c, BM25FOptions{})
	for _, q := range []struct{ text, want string }{
		{"user profile", "names.py:1"}, {"retry count", "names.py:2"}, {"decode rune", "names.go:9"}, {"private helper", "names.py:2"},
		{"http server", "names.go:3"}, {"xml file", "names.go:6"}, {"json rpc client", "names.go:7"}, {"url for id", "names.go:8"}, {"sha256", "names.go:10"},
		{"sha 256", "names.go:10"}, {"utf8", "names.go:9"}, {"ios build", "names.go:11"}, {"ab test", "names.py:5"}, {"codeblocks", "names.py:6"}, {"parsefile", "names.py:7 names.py:8"},
		{"loaduserprofile", "names.py:1"}, {"maxretrycount", "names.py:2"},
	} {
		if got := first(c, ask(t, channel, c, q.text, agenvantage.Filter{}, 0), 3); !strings.Contains(got+" ", q.want+" ") {
			t.Errorf("%q: %s, want %s", q.text, got, q.want)
		}
	}
	w := newCorpus(wideFiles, nil)
	channel = NewBM25F(w, BM25FOptions{})
	for _, q := range []struct{ text, want string }{
		{"寻路服务", "nav.py:1"}, {"寻路", "nav.py:1"}, {"計算距離", "nav.py:3"}, {"größe", "nav.py:4"}, {"портфель", "nav.py:5"}, {"초과근무", "nav.py:5"}, {"café", "n"},
		{"overtime service", "nav.py:7"}, {"café decomposed", "nfd.py:1"},
	} {
		if got := first(w, ask(t, channel, w, q.text, agenvantage.Filter{}, 0), 1); !strings.HasPrefix(got, q.want) {
			t.Errorf("%q: %s, want %s", q.text, got, q.want)
		}
	}
}

func TestOddQueriesAreQuestions(t *testing.T) {
	c := newCorpus(oddFiles, nil)
	for _, channel := range []Channel{NewBM25F(c, BM25FOptions{}), NewExact(c, ExactOptions{})} {
		for _, q := range oddQueries {
			ask(t, channel, c, q, agenvantage.Filter{}, 0)
		}
	}
	exact := NewExact(c, ExactOptions{})
	for _, q := range []struct{ text, want string }{
		{"operator==", "op.cpp:1"}, {"operator[]", "op.cpp:1"}, {"20.04", "cli.go:1"}, {"NEAR", "sql.py:1"}, {"DEC-0054", "docs/ids.md:1"}, {`"DEC-0054"`, "docs/ids.md:1"},
		{"--dry-run", "cli.go:1"}, {"--max-old-space-size", "cli.go:1"}, {"d^2", "sql.py:1"}, {"a->b", "op.cpp:1"}, {"x::y", "op.cpp:1"}, {"NOT c", "sql.py:1"}, {"&&>", "op.cpp:1"},
		{"*.py", "sql.py:1"}, {"cli.go", "cli.go:1"}, {"cli.go:4", "cli.go:4#opNew"}, {"DROP", ""}, {"`", "op.cpp:1"}, {"ld-spa", "cli.go:1"}, {"perator", "op.cpp:1"},
		{"/oper.tor\\+=/", "op.cpp:1"}, {"/^const .*cache/", "cli.go:1"}, {"/(foo|NEAR) b/", "sql.py:1"}, {"/[|]{2}/", "op.cpp:1"}, {"/(?i)dry-RUN/", "cli.go:1"}, {"/nothing.here/", ""}, {"docs", "docs/ids.md:1"}, {"docs/", "docs/ids.md:1"},
	} {
		if got := first(c, ask(t, exact, c, q.text, agenvantage.Filter{}, 0), 1); got != q.want && q.text != "docs" {
			t.Errorf("%q: %q, want %q", q.text, got, q.want)
		}
	}
}

func TestScoreOrder(t *testing.T) {
	c := newCorpus(map[string]string{
		"m.h":         "#define LIMIT_ROWS 64\n#define CLAMP_ROW(x) \\\n    ((x) > LIMIT_ROWS ? LIMIT_ROWS : (x))\n",
		"m.c":         "#include \"m.h\"\nint f(int x) { return CLAMP_ROW(x); }\n",
		"mux.go":      "package mux\n\nfunc (m *Mux) Serve() {}\nfunc (o *Other) Serve() {}\nfunc run() { m.Serve() }\n",
		"lib/http.py": "def fetch(): pass\n",
		"lib/ftp.py":  "def fetch(): pass\ndef get_file(): http.fetch()\n",
		"svc.py":      "import functools\n\n@functools.cache\ndef health(): pass\n",
		"names.py":    "def load_user(): pass\ndef x(): loadUser()\ndef y(): reload_users()\n",
	}, nil)
	exact := NewExact(c, ExactOptions{})
	for _, q := range []struct{ text, want string }{
		{"LIMIT_ROWS", "m.h:1#LIMIT_ROWS m.h:2"},
		{"CLAMP_ROW", "m.h:2#CLAMP_ROW m.c:1"},
		{"Mux.Serve", "mux.go:3#Mux.Serve"},
		{"http.fetch", "lib/http.py:1#fetch lib/ftp.py:2"},
		{"m.Serve", "mux.go:3#Mux.Serve mux.go:4#Other.Serve mux.go:5"},
		{"functools.cache", "svc.py:1"},
		{"load_user", "names.py:1#load_user names.py:2 names.py:3"},
		{"loaduser", "names.py:1#load_user names.py:2"},
		{"row", "m.h:2#CLAMP_ROW m.h:1 m.c:1"},
		{"rows", "m.h:1#LIMIT_ROWS m.h:2"},
		{"load user", "names.py:1#load_user"},
		{"where is load_user and CLAMP_ROW used", "m.h:2#CLAMP_ROW names.py:1#load_user m.c:1 names.py:2"},
		{"what does fetch do in the file", ""},
	} {
		if got := first(c, ask(t, exact, c, q.text, agenvantage.Filter{}, 0), 4); got != q.want {
			t.Errorf("%q: %q, want %q", q.text, got, q.want)
		}
	}
}

func TestWholeTraceAsQuestion(t *testing.T) {
	files := map[string]string{"app/billing.py": "def charge_card(order):\n    raise ValueError(\"negative total\")\n", "app/web.py": "from app.billing import charge_card\ndef post_order(o): return charge_card(o)\n"}
	var trace strings.Builder
	trace.WriteString("Traceback (most recent call last):\n")
	for i := range 40 {
		files[fmt.Sprintf("lib/mod%d.py", i+1)] = fmt.Sprintf("def run_%d(value): return value\n", i+1)
	}
	for i := range 1500 {
		fmt.Fprintf(&trace, "  File \"/srv/venv/lib/python3.12/site-packages/frame/mod%d.py\", line %d, in run_%d\n    return self.call(value)\n", i%40+1, i+1, i%40+1)
	}
	trace.WriteString("  File \"/srv/app/billing.py\", line 2, in charge_card\n    raise ValueError(\"negative total\")\nValueError: negative total\n")
	c := newCorpus(files, nil)
	if got := first(c, ask(t, NewExact(c, ExactOptions{}), c, trace.String(), agenvantage.Filter{}, 0), 1); got != "app/billing.py:1#charge_card" {
		t.Errorf("exact: %s", got)
	}
	if got := first(c, ask(t, NewBM25F(c, BM25FOptions{}), c, trace.String(), agenvantage.Filter{}, 0), 3); !strings.Contains(got, "app/billing.py") {
		t.Errorf("bm25f: %s", got)
	}
}

func TestExactIsComplete(t *testing.T) {
	files := map[string]string{}
	for k, v := range namesFiles {
		files[k] = v
	}
	for k, v := range oddFiles {
		files[k] = v
	}
	for k, v := range wideFiles {
		files[k] = v
	}
	files["long.txt"] = "x" + strings.Repeat("Ab9", 300) + "needle" + strings.Repeat("cD", 100) + " end\n"
	c := newCorpus(files, nil)
	exact := NewExact(c, ExactOptions{})
	for _, path := range c.paths {
		text := files[path]
		line := 1
		for _, l := range strings.Split(text, "\n") {
			runes := []rune(l)
			for from := 0; from < len(runes); from += 5 {
				for _, n := range []int{1, 3, 9, 20} {
					literal := strings.TrimSpace(string(runes[from:min(len(runes), from+n)]))
					if literal == "" || strings.ContainsRune(literal, '\u0301') || strings.HasPrefix(literal, "/") || strings.HasSuffix(literal, "e") && path == "nfd.py" {
						continue
					}
					if strings.Contains(literal, " ") {
						literal = `"` + literal + `"` // without quotes, the first and last of several words are looked for as whole words
					}
					if q, err := plan.Parse(literal, plan.ParseOptions{}); literal[0] == '"' && (err != nil || len(q.Phrases) != 1) {
						continue // the literal holds a quote itself
					}
					found := false
					for _, h := range ask(t, exact, c, literal, agenvantage.Filter{}, 1000).Hits {
						found = found || c.paths[h.File] == path && h.Span.HasLine(line)
					}
					if !found {
						t.Errorf("%q of %s:%d is not found", literal, path, line)
					}
				}
			}
			line++
		}
	}
	if got := first(c, ask(t, exact, c, "needle", agenvantage.Filter{}, 0), 1); got != "long.txt:1" {
		t.Errorf("inside of a long word: %s", got)
	}
}

func TestFiltersComeBeforeTheCut(t *testing.T) {
	files := map[string]string{"scoped/one.py": "def open_database_connection(): return 1\n", "scoped2/other.py": "def open_database_connection_other(): return 1\n"}
	for i := range 400 {
		files[fmt.Sprintf("noisy/db%d.py", i)] = fmt.Sprintf("def open_database_connection_%d(): return connect_database_connection()\n", i)
	}
	c := newCorpus(files, nil)
	for _, channel := range []Channel{NewBM25F(c, BM25FOptions{}), NewExact(c, ExactOptions{})} {
		for _, scope := range []string{"scoped", "scoped/", "./scoped", "scoped/**", "scoped/*.py"} {
			for _, q := range []string{"open_database_connection", `"database_connection"`} {
				if got := first(c, ask(t, channel, c, q, agenvantage.Filter{Paths: []string{scope}}, 3), 3); !strings.HasPrefix(got, "scoped/one.py:1") || strings.Contains(got, " ") {
					t.Errorf("%s %s %q: %s", channel.Name(), scope, q, got)
				}
			}
		}
		list := ask(t, channel, c, "open_database_connection", agenvantage.Filter{}, 3)
		if len(list.Hits) != 3 || list.Dropped == 0 {
			t.Errorf("%s: %d hits, %d dropped", channel.Name(), len(list.Hits), list.Dropped)
		}
		if got := ask(t, channel, c, "open_database_connection", agenvantage.Filter{Kinds: []agenvantage.SymbolKind{agenvantage.KindClass}}, 3); len(got.Hits) != 0 {
			t.Errorf("%s: kind class: %v", channel.Name(), got.Hits)
		}
	}
}

func FuzzSearch(f *testing.F) {
	c := newCorpus(oddFiles, nil)
	channels := []Channel{NewBM25F(c, BM25FOptions{}), NewExact(c, ExactOptions{})}
	for _, q := range oddQueries {
		f.Add(q)
	}
	f.Add("  File \"cli.go\", line 2, in opNew\nat a.b(C.java:1)")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := plan.Parse(text, plan.ParseOptions{})
		if err != nil {
			return
		}
		NamesOf(q)
		for _, channel := range channels {
			if _, err := channel.Search(context.Background(), Request{Query: q}); err != nil {
				t.Fatalf("%s %q: %v", channel.Name(), text, err)
			}
		}
	})
}
