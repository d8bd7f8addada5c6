//go:build unix

package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// namesTree holds identifiers of every spelling.
func namesTree(t *testing.T) *tool {
	t.Helper()
	tl := newTool(t)
	tl.writeAll(files{
		"client.go": lines(`package client`, ``, `type TCPListener struct{}`, ``, `func (l *TCPListener) AcceptTCPConn() {}`,
			`func readYAMLNode(path string) {}`, `func DialGRPCStreamV3() {}`,
			`func MapIDForURL(id int) {}`, `func utf16EncodeRune() {}`, `func md5Digest() {}`, `func macOSNotary() {}`, `func Stage2Runner() {}`,
			`func base64URLDecode() {}`, `func ParseHTML5Doc() {}`),
		"store.py": lines(`def save_account_state(): pass`, `def __hidden_hook__(): pass`, `DEFAULT_PAGE_LIMIT = 25`, `def openHTTPSChannel(): pass`,
			`class UITest: pass`, `def stylesheet_merge(): pass`,
			`def writefile(): pass`, `def writeFile(): pass`, `def _leading_mark(): pass`, `kind = "created-at-field"`),
		"page.css":  ".main-menu-item { color: red }\n",
		"notes.txt": "Nothing of interest stands here.\n",
	})
	tl.commit()
	tl.index()
	return tl
}

// holds wants, for each query, the word as a whole in one of the first n results of the file.
func (tl *tool) holds(n int, k ask, path string, byQuery map[string]string) {
	tl.t.Helper()
	var queries []string
	for query := range byQuery {
		queries = append(queries, query)
	}
	for i, a := range tl.batch(k, questions(queries...)...) {
		word := regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(byQuery[queries[i]]) + `(\W|$)`)
		found := false
		for _, h := range a.Results[:min(n, len(a.Results))] {
			found = found || h.Path == path && (word.MatchString(h.Text) || h.name() == byQuery[queries[i]])
		}
		if !found {
			tl.t.Errorf("[%s] %q: %s is not among the first %d of %v", k.channels, queries[i], byQuery[queries[i]], n, a)
		}
	}
}

func TestIdentifiersAreFoundByTheirParts(t *testing.T) {
	t.Parallel()
	tl := namesTree(t)
	for _, k := range []ask{{channels: lexical}, {channels: "bm25f"}} {
		tl.holds(3, k, "store.py", map[string]string{"account state": "save_account_state", "page limit": "DEFAULT_PAGE_LIMIT",
			"hidden hook": "__hidden_hook__", "leading mark": "_leading_mark",
			"ui test": "UITest", "created at": "created-at-field", "https channel": "openHTTPSChannel"})
		tl.holds(3, k, "client.go", map[string]string{"encode rune": "utf16EncodeRune", "stage runner": "Stage2Runner"})
		tl.holds(3, k, "page.css", map[string]string{"menu item": "main-menu-item"})
	}
	for query, path := range map[string]string{"account state": "store.py", "hidden hook": "store.py", "encode rune": "client.go"} {
		tl.within(1, ask{channels: lexical}, query, path)
	}
	tl.within(2, ask{channels: lexical}, "page limit", "store.py") // page.css has half of the words in its name
	tl.wantNothing()
}

func TestAcronymsAndDigitsSplitAndStayJoined(t *testing.T) {
	t.Parallel()
	tl := namesTree(t)
	for _, k := range []ask{{channels: lexical}, {channels: "bm25f"}, {}} {
		tl.holds(3, k, "client.go", map[string]string{"tcp listener": "TCPListener", "yaml node": "readYAMLNode", "grpc stream": "DialGRPCStreamV3",
			"id for url": "MapIDForURL", "md5": "md5Digest",
			"md 5": "md5Digest", "utf16": "utf16EncodeRune", "macos notary": "macOSNotary", "base64": "base64URLDecode",
			"url decode": "base64URLDecode", "html5": "ParseHTML5Doc", "html 5 doc": "ParseHTML5Doc",
			"TCPLISTENER": "TCPListener", "tcp_listener": "TCPListener"})
	}
}

func TestSpellingsOfOneNameFindEachOther(t *testing.T) {
	t.Parallel()
	tl := namesTree(t)
	text := ""
	for _, h := range tl.searchWith(ask{channels: lexical, topK: 20}, "writefile").Results {
		text += h.Text + "\n"
	}
	if !strings.Contains(text, "def writefile") || !strings.Contains(text, "def writeFile") {
		t.Errorf("one spelling hides the other: %q", text)
	}
	tl.holds(10, ask{channels: lexical}, "store.py", map[string]string{"saveaccountstate": "save_account_state",
		"SaveAccountState": "save_account_state", "save-account-state": "save_account_state",
		"stylesheet": "stylesheet_merge", "defaultpagelimit": "DEFAULT_PAGE_LIMIT", "default_page_limit": "DEFAULT_PAGE_LIMIT", "write_file": "writeFile"})
	tl.holds(10, ask{channels: lexical}, "client.go", map[string]string{"read_yaml_node": "readYAMLNode", "tcplistener": "TCPListener"})
	tl.holds(10, ask{channels: lexical}, "page.css", map[string]string{"mainMenuItem": "main-menu-item"})
}

func TestWordsOfEveryScriptAreFound(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	source := []string{`class 订单服务:`, `    """处理客户订单"""`, `    def 計算運費(self): return 1`, `def prüfe_größe(): return 2`, `def найти_ключ(): return 3`,
		`# 재고확인 규칙을 적는다`, `def crème_brûlée(): return 4`,
		`StockCheck재고 = 5`, `def 在庫リスト(): return 6`, `# ราคาสินค้าทั้งหมด`, `def ברור_מאוד(): return 7`, `def İstanbul_yolu(): return 8`,
		`π_value = 3.14`, `x = "naïve ﬁle"`}
	tl.writeAll(files{"intl.py": lines(source...), "decomposed.py": "def cre\u0300me_decomposed():\n    return 6\n"})
	tl.commit()
	tl.index()
	wants := []struct {
		query string
		lines []int
	}{
		{"订单服务", []int{1}}, {"订单", []int{1, 2}}, {"客户", []int{2}}, {"計算運費", []int{3}}, {"運費", []int{3}},
		{"größe", []int{4}}, {"GRÖSSE prüfe", []int{4}}, {"ключ", []int{5}}, {"Найти_Ключ", []int{5}},
		{"재고확인", []int{6}}, {"재고", []int{6, 8}}, {"crème", []int{7}}, {"stock check", []int{8}},
		{"リスト", []int{9}}, {"在庫", []int{9}}, {"ราคาสินค้า", []int{10}}, {"ברור", []int{11}}, {"π_value", []int{13}},
	}
	var queries []string
	for _, want := range wants {
		queries = append(queries, want.query)
	}
	for _, channels := range []string{lexical, "bm25f"} {
		for i, a := range tl.batch(ask{channels: channels}, questions(queries...)...) {
			found := false
			for _, h := range a.Results {
				for _, line := range wants[i].lines {
					found = found || h.Path == "intl.py" && h.covers(line)
				}
				if strings.Contains(h.Text, "\uFFFD") {
					t.Errorf("%q: a character is cut in half: %v", queries[i], h)
				}
			}
			if !found {
				t.Errorf("[%s] %q: no result at lines %v: %v", channels, queries[i], wants[i].lines, a)
			}
		}
	}
	tl.findWith(ask{channels: lexical}, "crème decomposed", "decomposed.py", 1)
	tl.findWith(ask{channels: lexical}, "cre\u0300me_brûlée", "intl.py", 7)
	if o := tl.run("", append(tl.flags("search"), "--", "订单服务")...); o.code != 0 || strings.Contains(o.stdout, "\uFFFD") {
		t.Errorf("text output: %v", o)
	}
}

func TestLanguageNamesAreAClosedListWithAliases(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	texts := map[string]string{
		"a.c": "int common_name(void) { return 1; }\n", "b.cc": "int common_name() { return 2; } // notes on C++ here\n",
		"c.cs": "class K { int common_name() { return 3; } } // notes on C# here\n",
		"d.go": "package d\n\nfunc common_name() int { return 4 }\n", "e.ts": "export function common_name() { return 5 }\n",
		"f.tsx": "export function common_name() { return 6 }\n",
		"g.js":  "function common_name() { return 7 }\n", "h.java": "class H { int common_name() { return 8; } }\n",
		"i.py": "def common_name(): return 9\n", "j.sh": "common_name() { :; }\n",
		"k.yml": "common_name: 1\n", "l.fs": "let common_name = 12 // notes on F# here\n", "m.rb": "def common_name; 13; end\n",
		"n.rs": "fn common_name() -> u8 { 14 }\n", "o.kt": "fun common_name() = 15\n",
		"p.m": "@interface P\n- (int)common_name;\n@end\n", "q.md": "# common_name\n", "r.ex": "defmodule R do\n  def common_name, do: 18\nend\n",
	}
	tl.writeAll(texts)
	tl.commit()
	tl.index()
	for _, want := range []struct{ names, paths string }{
		{"c C", "a.c"}, {"c++ C++ cpp cxx CPP", "b.cc"}, {"c# C# csharp cs", "c.cs"}, {"go golang Go", "d.go"},
		{"typescript ts", "e.ts f.tsx"}, {"tsx", "f.tsx"}, {"js javascript", "g.js"}, {"java", "h.java"},
		{"py python", "i.py"}, {"sh bash shell", "j.sh"}, {"yml yaml", "k.yml"}, {"f# fsharp", "l.fs"}, {"rb ruby", "m.rb"},
		{"rs rust", "n.rs"}, {"kt kotlin", "o.kt"}, {"objective-c objc", "p.m"}, {"md markdown", "q.md"},
		{"elixir", "r.ex"},
	} {
		for _, name := range strings.Fields(want.names) {
			got := map[string]bool{}
			for _, path := range tl.searchWith(ask{langs: []string{name}, topK: 30}, "common_name").paths() {
				got[path] = true
			}
			allowed := strings.Fields(want.paths)
			ok := got[allowed[0]]
			for path := range got {
				ok = ok && strings.Contains(want.paths, path)
			}
			if !ok {
				t.Errorf("--lang %s: %v, want %s", name, got, want.paths)
			}
		}
	}
	tl.refusedSearch(ask{langs: []string{"klingon"}}, "common_name", "klingon", "python", "go", "cpp")
	tl.refusedSearch(ask{kinds: []string{"gizmo"}}, "common_name", "gizmo", "function", "class")
	tl.refusedSearch(ask{channels: "exact,telepathy"}, "common_name", "telepathy", "exact", "bm25f")
	two := tl.searchWith(ask{langs: []string{"go", "py"}, topK: 30}, "common_name")
	if paths := fmt.Sprint(two.paths()); !strings.Contains(paths, "d.go") || !strings.Contains(paths, "i.py") || len(two.Results) != 2 {
		t.Errorf("two languages: %v", two)
	}
	for query, path := range map[string]string{"C++": "b.cc", "C#": "c.cs", "F#": "l.fs", "notes on C++": "b.cc"} {
		tl.within(3, ask{}, query, path)
	}
}
