package extract

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
)

func extractText(t testing.TB, o Options, lang, text string) agenvantage.Extraction {
	t.Helper()
	x, err := newExtractor(t, o).Extract(context.Background(), Input{Lang: lang, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if bad := violations(text, x, lang != "notebook"); len(bad) > 0 {
		t.Fatalf("%s: %s", lang, strings.Join(bad, "\n"))
	}
	return x
}

// TestPathologicalInput gives texts that make parsers slow or deep; each must end within ten times the usual limit and
// keep its text.
func TestPathologicalInput(t *testing.T) {
	r := strings.Repeat
	cases := []struct{ name, lang, text string }{
		{"nested blocks", "c", "int deep(void)\n" + r("{", 20000) + r("}", 20000) + "\nint after(void) { return 1; }\n"},
		{"nested parentheses", "javascript", "function deep() { return " + r("(", 20000) + "1" + r(")", 20000) + "; }\n"},
		{"nested lists", "python", "def deep():\n    return " + r("[", 20000) + r("]", 20000) + "\n"},
		{"nested JSON", "json", r("[", 20000) + r("]", 20000) + "\n"},
		{"long sum", "go", "package p\nfunc chain() string { return \"a\"" + r(" + \"a\"", 20000) + " }\n"},
		{"long sum by lines", "go", "package p\nfunc chain() string { return \"a\"" + r(" +\n\"a\"", 20000) + " }\n"},
		{"many branches", "python", "def many(x):\n    if x == 0:\n        return 0\n" + r("    elif x == 1:\n        return 1\n", 5000)},
		{"open elements", "tsx", "export function Top() {\n return (\n" + r("<A<B<C x={y => <D", 3000) + "\n"},
		{"open calls", "typescript", "const amb = " + r("a < b > (", 4000) + "\n"},
		{"open templates", "javascript", "function tick() { return `" + r("${`", 6000) + "\n"},
		{"open structs", "zig", r("fn example() !std.ArrayList(struct {\n", 3000)},
		{"open headings", "markdown", r("> ", 5000) + "x\n" + r("- ", 5000) + "\n"},
		{"nested nodes without brackets", "python", r("not ", 30000) + "x\n"},
		{"nested pointers", "c", "int " + r("*", 30000) + "p;\n"},
		{"many symbols on one line", "javascript", r("function f(a){return a+1};", 20000)},
		{"many symbols", "go", "package p\n" + r("func f() {}\n", 25000)},
		{"nested definitions", "python", nestedDefinitions(400)},
		{"junk", "go", r("}{)(][", 20000)},
		{"junk", "java", r("<{(@", 20000)},
		{"open string templates", "kotlin", r("\"${", 3000)},
		{"scans to the end", "lua", r("$$"+r(" ", 600)+"\n", 1500)},
		{"quotes", "rust", r("'\"r#", 20000)},
		{"tags", "html", r("<div>", 20000)},
		{"scripts", "vue", r("<script>", 5000) + r("<script lang=ts>a</script>", 300)},
		{"keys", "yaml", r("a: {b: [", 3000)},
		{"definitions without ends", "julia", r("function f(x)\n", 20000)},
		{"comments", "haskell", r("-- c\n", 30000) + "f :: Int\n"},
		{"cells", "notebook", `{"cells":[` + r(`{"cell_type":"code","source":["a\n","b"]},`, 3000) + `{}]}`},
	}
	e := newExtractor(t, Options{})
	for _, c := range cases {
		t.Run(c.name+"/"+c.lang, func(t *testing.T) {
			start := time.Now()
			x, err := e.Extract(context.Background(), Input{Lang: c.lang, Text: c.text})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			if bad := violations(c.text, x, c.lang != "notebook"); len(bad) > 0 {
				t.Error(strings.Join(bad[:min(3, len(bad))], "\n"))
			}
		})
	}
}

func nestedDefinitions(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sdef f%d():\n", strings.Repeat(" ", i), i)
	}
	return b.String() + strings.Repeat(" ", n) + "pass\n"
}

// TestTimeoutFallsBackToText spends the time of a file: its text is kept in the chunks of a plain text.
func TestTimeoutFallsBackToText(t *testing.T) {
	text := "package p\n" + strings.Repeat("func f() { g(1, 2, 3) }\n", 40000)
	e := newExtractor(t, Options{ParseTimeout: time.Nanosecond})
	x, err := e.Extract(context.Background(), Input{Lang: "go", Text: text})
	if err != nil || x.State != agenvantage.ParseTimeout {
		t.Fatalf("state %s, error %v", x.State, err)
	}
	y, err := e.Extract(context.Background(), Input{Lang: "text", Text: text})
	if err != nil || !reflect.DeepEqual(x.Chunks, y.Chunks) {
		t.Fatalf("chunks after a timeout differ from those of a text, error %v", err)
	}
}

// TestSlicesOfTimeGaveOtherTrees parses texts with errors for as long as they take. The parser was stopped every 50 ms and then went on, which changes how it
// recovers: on a busy machine two runs gave different symbols. With such slices this fails in about a third of the runs, with shorter ones in all.
func TestSlicesOfTimeGaveOtherTrees(t *testing.T) {
	r, err := load("c")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{300, 600, 900} {
		text := strings.Repeat("template <int n>\ninline Maybe<Text> take(const char (&from)[n]) {\n  return take(view(from, n - 1));\n}\n", n)
		free := sitter.NewParser() // of any limit
		free.SetLanguage(r.tsLanguage)
		want, err := free.ParseCtx(context.Background(), nil, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&parsers{max: 1}).parse(context.Background(), r, text, time.Now().Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		if stateOf(got.RootNode()) != agenvantage.ParsePartial || got.RootNode().String() != want.RootNode().String() {
			t.Errorf("%d functions: another tree than that of a parser without limits", n)
		}
	}
}

func TestCancelEndsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	text := "package p\n" + strings.Repeat("func f() { g(1, 2, 3) }\n", 200000)
	e := newExtractor(t, Options{ParseTimeout: time.Minute})
	time.AfterFunc(100*time.Millisecond, cancel)
	start := time.Now()
	if _, err := e.Extract(ctx, Input{Lang: "go", Text: text}); !errors.Is(err, context.Canceled) && err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestHalfWrittenCodeKeepsWholeSymbols(t *testing.T) {
	cases := []struct{ lang, text, want string }{
		{"go", "package edit\n\nfunc One() int { return 1 }\n\nfunc Unfinished(a int, b\n\tif a > {\n\t\treturn\n\nfunc Two() int { return 2 }\n", "One:3-3 Unfinished:5-7 Two:9-9"},
		{"python", "def before():\n    return 1\n\n<<<<<<< ours\ndef both(a):\n    return a\n=======\ndef both(a, b):\n    return a + b\n>>>>>>> theirs\n\ndef after():\n    return 2\n",
			"before:1-2 both:5-6 both:8-9 after:12-13"},
		{"javascript", "function before() { return 1 }\nconst s = \"never closed\nfunction after() { return 2 }\n", "before:1-1 s:2-2 after:3-3"},
	}
	for _, c := range cases {
		x := extractText(t, Options{}, c.lang, c.text)
		var got []string
		for _, s := range x.Symbols {
			got = append(got, fmt.Sprintf("%s:%d-%d", s.Name, s.Span.StartLine, s.Span.EndLine))
		}
		if g := strings.Join(got, " "); g != c.want || x.State != agenvantage.ParsePartial {
			t.Errorf("%s: %s, state %s; want %s", c.lang, g, x.State, c.want)
		}
	}
}

func TestEmptyTexts(t *testing.T) {
	for _, lang := range fuzzLanguages {
		for _, text := range []string{"", "\n", "   \n\n\t\t\n"} {
			if x := extractText(t, Options{}, lang, text); len(x.Chunks) != 0 || len(x.Symbols) != 0 {
				t.Errorf("%s: %q gives %s", lang, text, listing(x))
			}
		}
	}
}

func TestClassesThatAreNotParsed(t *testing.T) {
	e := newExtractor(t, Options{})
	for _, class := range []agenvantage.Class{agenvantage.ClassMinified, agenvantage.ClassLock, agenvantage.ClassGenerated} {
		x, err := e.Extract(context.Background(), Input{Lang: "go", Class: class, Text: "package p\nfunc f() {}\n"})
		if err != nil || x.State != agenvantage.ParseSkipped || len(x.Symbols) != 0 || len(x.Chunks) != 1 {
			t.Errorf("class %d: %v %s", class, err, listing(x))
		}
	}
}

// TestLongDeclarationsAreSplit checks where a long class, a long function and a long line are cut.
func TestLongDeclarationsAreSplit(t *testing.T) {
	var class strings.Builder
	class.WriteString("import os\n\nclass Big:\n    \"\"\"A big class.\"\"\"\n\n")
	for i := range 4 {
		fmt.Fprintf(&class, "    def m%d(self):\n        return %s\n\n", i, strings.Repeat("x + ", 60)+"x")
	}
	x := extractText(t, Options{MaxChunkChars: 300}, "python", class.String())
	var got []string
	for _, c := range x.Chunks {
		got = append(got, string(c.Kind)+":"+strconv.Itoa(c.Owner))
	}
	if g := strings.Join(got, " "); g != "header:-1 block:0 method:1 method:2 method:3 method:4" {
		t.Errorf("class: %s", g)
	}

	fn := "package p\n\nfunc long() {\n" + strings.Repeat("\tif ready(a) {\n\t\tcall(a, b, c, d)\n\t}\n", 30) + "}\n"
	x = extractText(t, Options{MaxChunkChars: 200}, "go", fn)
	lines := newLineTable(fn)
	for _, c := range x.Chunks[1:] {
		first := strings.TrimSpace(lines.at(c.Span.StartLine))
		if c.Kind != agenvantage.ChunkBlock || c.Owner != 0 || !strings.HasPrefix(first, "if ") && !strings.HasPrefix(first, "func ") || lines.size(c.Span) > 220 {
			t.Errorf("function: chunk %+v begins with %q and has %d characters", c, first, lines.size(c.Span))
		}
	}

	x = extractText(t, Options{}, "python", "def before():\n    return 1\n\nBLOB = \""+strings.Repeat("A", 30000)+"\"\n\ndef after():\n    return 2\n")
	if len(x.Chunks) != 3 || x.Chunks[1].Span != (agenvantage.Span{StartLine: 4, EndLine: 4}) {
		t.Errorf("long line: %s", listing(x))
	}
}

func TestPrepareTextOfNotebook(t *testing.T) {
	image := strings.Repeat("QUJD", 4000)
	text := "{\"cells\": [\n {\"cell_type\": \"code\",\n  \"outputs\": [\n   {\"image/png\": \"" + image + "\"}\n  ],\n  \"source\": [\n   \"def f():\\n\",\n   \"    pass\"\n  ]}\n],\n\"metadata\": {}}\n"
	broken := "{\"cells\": [ {\"cell_type\": \"code\", \"data\": \"" + image + "\", \"t\": \"\\u001b[31mred\", \"source\": [\"def half"
	for _, s := range []string{text, broken} {
		got := PrepareText("a.ipynb", "notebook", s)
		if strings.Contains(got, image[:32]) || strings.Contains(got, `\u001b`) || !strings.Contains(got, "def ") || strings.Count(got, "\n") != strings.Count(s, "\n") {
			t.Errorf("prepared: %q", got)
		}
	}
	x := extractText(t, Options{}, "notebook", PrepareText("a.ipynb", "notebook", text))
	if len(x.Symbols) != 1 || x.Symbols[0].Span != (agenvantage.Span{StartLine: 7, EndLine: 8}) || x.Symbols[0].Lang != "python" || x.Chunks[0].Lang != "python" {
		t.Error(listing(x))
	}
	if got := PrepareText("a.go", "go", image); got != image {
		t.Error("a Go file was changed")
	}
}

// TestSameInputSameExtraction runs many files at once, twice.
func TestSameInputSameExtraction(t *testing.T) {
	texts, _ := corpusOf(t, build.Default.GOROOT+"/src/net/http", ".go", 1<<20)
	e := newExtractor(t, Options{})
	run := func() []agenvantage.Extraction {
		out := make([]agenvantage.Extraction, len(texts))
		var wg sync.WaitGroup
		for i := range texts {
			wg.Go(func() { out[i], _ = e.Extract(context.Background(), Input{Lang: "go", Text: texts[i]}) })
		}
		wg.Wait()
		return out
	}
	if a, b := run(), run(); !reflect.DeepEqual(a, b) {
		t.Error("two runs differ")
	}
}

// TestMemoryIsGivenBack parses whole and damaged files many times: resident memory must not grow with their number.
func TestMemoryIsGivenBack(t *testing.T) {
	good := "package m\n" + strings.Repeat("func F(a int) int { return a + 1 }\n", 400)
	bad := "package m\n" + strings.Repeat("func F(a int) int { return a \n", 400)
	e := newExtractor(t, Options{})
	pass := func() {
		for range 60 {
			for _, text := range []string{good, bad} {
				if _, err := e.Extract(context.Background(), Input{Lang: "go", Text: text}); err != nil {
					t.Fatal(err)
				}
			}
		}
		runtime.GC()
	}
	pass()
	before := residentBytes(t)
	for range 4 {
		pass()
	}
	if after := residentBytes(t); after > before+before/5+(20<<20) {
		t.Errorf("resident memory grew from %d to %d MB", before>>20, after>>20)
	}
}

func residentBytes(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc on this system")
	}
	pages, err := strconv.Atoi(strings.Fields(string(b))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
