//go:build unix

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// oddQueries are texts that mean something to a shell, a query parser, a regular expression engine or a database.
var oddQueries = []string{
	"TKT-0172", `"TKT-0172"`, "single-page app", "--verbose", "-q", "-", "--", "--heap-size", "lib/core.py", "./lib/core.py", "/lib/core.py",
	"lib/core.py:1", "lib/core.py:0", "lib/core.py:99999999999999999999", "22.10",
	"operator<", "operator()", "operator+=", "std::swap", "p->q", "n::m", "OR", "AND", "NOT", "NOT z", "a AND", "x NEAR y", "NEAR/3", "e^3", "+must",
	"-never", "~fuzzy~2", "boost^2", `"open quote`, `close quote"`, `""`, `"`, `"" ""`,
	"(open", "close)", "()", "field:value", "body:*", "path:lib", "_id:1", "*", "**", "*.go", "??", "^", "$",
	"\\", "\\n", `\Q`, "'", "''", "`", "%", "%s%n",
	"%00", "${PATH}", "$(touch pwned)", "`touch pwned`", "; drop table files; --",
	"' or '1'='1", "1' union select *", "[a-", "[[:alpha:]]", "(?i)y", "(?<name>x)", "a{1,99999}",
	"+++", "!!!", "???", ".", "..", "...", "/", "//", "///", "/regex/", "/(/", "/a*/", "/./",
	"🧭", "👩‍👩‍👧", "\u202egnp", "e\u0301", "\u0000", "nul\u0000inside",
	"\t", "\n", " ", "\r\n", "a\nb\nc", "<script>", "&amp;", "{{.}}", "{\"query\":\"x\"}", "null", "true", "0", "-1", "1e309", "NaN",
	strings.Repeat("a", 5000), strings.Repeat("(", 3000), strings.Repeat("\"", 999),
	strings.Repeat("a.b", 800),
	strings.Repeat("/", 2000), strings.Repeat("x ", 3000), strings.Repeat("a::", 700), strings.Repeat("f.go:1 ", 700),
}

// queryTree holds places that odd queries should find.
func queryTree(t *testing.T) *tool {
	t.Helper()
	tl := newTool(t)
	tl.writeAll(files{
		"docs/tickets.md": "Read TKT-0172 and TKT-0009 on the single-page app; state-of-the-art; v-22.\n",
		"cli.go": lines(`package cli`, ``, `// Flags --verbose and -q; file lib/core.py; release 22.10; mail user@example.invalid`,
			`const help = "tool --heap-size=2048 --no-color"`, ``, `func runTool() {}`),
		"ops.cpp": lines(`struct Mat { bool operator<(const Mat&) const; Mat& operator+=(const Mat&); double operator()(int, int); };`,
			`template <typename T> void swap_like(T& a, T& b) { std::swap(a, b); }`, `// p->q, n::m, o?.p, !ready, "dq", 'sq', back`+"`tick"),
		"sql.py":      "STATEMENT = \"SELECT * FROM files WHERE x NEAR y AND NOT z OR e^3\"\n",
		"lib/core.py": pyFunc("core_function"),
	})
	tl.commit()
	tl.index()
	return tl
}

func TestEveryTextIsAQuery(t *testing.T) {
	t.Parallel()
	tl := queryTree(t)
	before := tl.fileTable()
	for _, channels := range []string{"exact", "bm25f", ""} {
		for i, a := range tl.batch(ask{channels: channels}, questions(oddQueries...)...) {
			query := oddQueries[i]
			refusable := strings.ContainsRune(query, 0) || strings.TrimSpace(query) == "" || strings.HasPrefix(query, "/") && strings.HasSuffix(query, "/")
			if a.Error != nil && !refusable {
				t.Errorf("[%s] %.60q is refused: %+v", channels, query, *a.Error)
			}
			for _, c := range a.Channels {
				if c.Status == "error" || c.Status == "timeout" {
					t.Errorf("[%s] %.60q: channel %+v", channels, query, c)
				}
			}
		}
	}
	// The same through arguments, where a shell or a flag parser could meddle.
	for _, query := range oddQueries {
		if len(query) > 100 || strings.ContainsRune(query, 0) || len(query)%3 > 0 { // a third of them, to save time
			continue
		}
		if o := tl.run("", append(tl.searchArgs(ask{}), "--", query)...); o.code > 2 || o.code == 2 && o.stderr == "" {
			t.Errorf("%q: %v", query, o)
		}
	}
	if o := tl.run("", append(tl.searchArgs(ask{}), "--", "bad\xff\xfeutf8")...); o.code == 2 && o.stderr == "" || o.code > 2 {
		t.Errorf("a query that is not UTF-8: %v", o)
	}
	for query, path := range map[string]string{"operator<": "ops.cpp", "operator()": "ops.cpp", "std::swap": "ops.cpp", "22.10": "cli.go",
		"NEAR": "sql.py", "TKT-0172": "docs/tickets.md", "--heap-size": "cli.go",
		`"SELECT * FROM files"`: "sql.py", "p->q": "ops.cpp", "user@example.invalid": "cli.go", "e^3": "sql.py", "lib/core.py": "lib/core.py"} {
		tl.within(3, ask{}, query, path)
	}
	if after := tl.fileTable(); fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("the index changed: %v, before %v", after, before)
	}
	if left := filesBelow(t, tl.path("pwned")); len(left) > 0 {
		t.Error("a query was executed")
	}
}

func TestLiteralsAndExpressionsAreFoundComplete(t *testing.T) {
	t.Parallel()
	tl := queryTree(t)
	tl.write("many/a.txt", "alpha\nthe 100% exact? literal[7] = {x};\nomega\n")
	tl.write("many/b.txt", strings.Repeat("filler words\n", 300)+"MixedCaseToken_v9 stands alone\n")
	tl.write("many/c.txt", "::::====::::\n")
	tl.findAt(`"100% exact? literal[7] = {x};"`, "many/a.txt", 2)
	tl.findAt(`"caseToken_v"`, "many/b.txt", 301)
	tl.findAt("====::", "many/c.txt", 1)
	tl.findAt(`/Mixed[A-Z]\w+_v\d/`, "many/b.txt", 301)
	tl.findWith(ask{regex: true}, `literal\[\d\]`, "many/a.txt", 2)
	tl.findWith(ask{regex: true}, `^omega$`, "many/a.txt", 3)
	tl.refusedSearch(ask{regex: true}, `(unclosed`, "unclosed")
	tl.findAt("many/b.txt:17", "many/b.txt", 17)
	tl.findAt("b.txt:301", "many/b.txt", 301)
}

// trace is a stack trace as a person pastes it, and the place that it is about.
type trace struct {
	name, text, path string
	line             int
}

func traces() []trace {
	repeat := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(i))
		}
		return b.String()
	}
	python := "Traceback (most recent call last):\n" + repeat(1200, func(i int) string {
		return fmt.Sprintf("  File \"/opt/venv/lib/python3.11/site-packages/hooks/step%d.py\", line %d, in step_%d\n    return self.next(value)\n",
			i%30+1, i, i%30+1)
	}) + "  File \"/opt/app/shop/checkout.py\", line 3, in take_payment\n    raise ValueError(\"amount below zero\")\nValueError: amount below zero\n"
	golang := "panic: runtime error: index out of range [4] with length 4\n\ngoroutine 34 [running]:\n" + repeat(200, func(i int) string {
		return fmt.Sprintf("net/http.(*conn).serve%d(0xc00%04x)\n\t/usr/local/go/src/net/http/server.go:%d +0x5f4\n", i, i, 1900+i)
	}) + "example.invalid/shop/ledger.(*Book).Entry(0xc000112000, 0x4)\n\t/home/ci/build/ledger/book.go:9 +0x1d\n" +
		"main.main()\n\t/home/ci/build/main.go:21 +0x85\nexit status 2\n"
	java := "Exception in thread \"main\" java.lang.IllegalStateException: invoice is closed\n" +
		"\tat org.shop.billing.Invoice.addLine(Invoice.java:6)\n\tat org.shop.billing.Invoice$Builder.lambda$build$0(Invoice.java:12)\n" + repeat(300,
		func(i int) string {
			return fmt.Sprintf("\tat org.springframework.aop.Proxy%d.invoke(Proxy%d.java:%d)\n", i, i, i+40)
		}) + "Caused by: java.lang.NullPointerException\n\t... 42 more\n"
	node := "TypeError: Cannot read properties of undefined (reading 'price')\n    at sumUp (/srv/site/lib/basket.js:4:25)\n    at Array.reduce (<anonymous>)\n" +
		"    at async handle (file:///srv/site/lib/routes.js:11:3)\n" + repeat(300, func(i int) string {
		return fmt.Sprintf("    at Layer.handle%d [as handle_request] (/srv/site/node_modules/express/lib/router/layer%d.js:%d:5)\n", i, i, i+90)
	}) + "    at processTicksAndRejections (node:internal/process/task_queues:96:5)\n"
	rust := "thread 'main' panicked at 'called `Option::unwrap()` on a `None` value', src/engine.rs:5:27\nstack backtrace:\n" + repeat(60, func(i int) string {
		return fmt.Sprintf("  %2d: core::panicking::panic_%d\n             at /rustc/abc/library/core/src/panicking.rs:%d:14\n", i, i, 100+i)
	}) + "  61: app::engine::spin_up\n             at ./src/engine.rs:5:27\n"
	return []trace{
		{"python", python, "shop/checkout.py", 3}, {"go", golang, "ledger/book.go", 9}, {"java", java, "src/main/java/org/shop/billing/Invoice.java", 6},
		{"node", node, "lib/basket.js", 4}, {"rust", rust, "src/engine.rs", 5},
	}
}

func TestAWholeStackTraceLeadsToItsPlace(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"shop/checkout.py": lines(`def take_payment(order):`, `    if order.amount < 0:`, `        raise ValueError("amount below zero")`, ``,
			`def refund(order):`, `    return -order.amount`),
		"shop/views.py": lines(`from shop.checkout import take_payment`, `def post_payment(o): return take_payment(o)`),
		"ledger/book.go": lines(`package ledger`, ``, `type Book struct{ rows []int }`, ``, `// Entry returns a row.`,
			`func (b *Book) Entry(i int) int {`, `	_ = i`, `	// no check`, `	return b.rows[i]`, `}`),
		"main.go": lines(`package main`, ``, `func main() {}`),
		"src/main/java/org/shop/billing/Invoice.java": lines(`package org.shop.billing;`, ``, `public class Invoice {`, `    private boolean closed;`,
			`    void addLine(String line) {`, `        if (closed) throw new IllegalStateException("invoice is closed");`, `    }`, ``,
			`    static class Builder {`, `        Invoice build() {`, `            Runnable r =`,
			`                () -> new Invoice().addLine("x");`, `            return null;`, `        }`, `    }`, `}`),
		"src/main/java/org/other/Invoice.java": "package org.other;\n\nclass Invoice { void addLine(String l) {} }\n",
		"lib/basket.js": lines(`export function sumUp(lines) {`, `  let total = 0`, `  for (const l of lines) {`,
			`    total += l.item.price`, `  }`, `  return total`, `}`),
		"lib/routes.js": lines(`import { sumUp } from './basket.js'`, `export async function handle(req) {`,
			`  return sumUp(req.lines)`, `}`),
		"src/engine.rs": lines(`//! The engine.`, ``, `pub fn spin_up(fuel: Option<u32>) -> u32 {`, `    // burns`,
			`    let amount = fuel.unwrap();`, `    amount + 1`, `}`),
	})
	tl.writeMany(30, "lib/steps/step%d.py", "def step_%d(value): return value\n")
	tl.commit()
	tl.index()
	for _, tr := range traces() {
		a := tl.batch(ask{timings: true}, question{tr.name, tr.text})[0]
		first := a.Results[:min(3, len(a.Results))]
		if !slices.ContainsFunc(first, func(h hit) bool { return h.Path == tr.path && h.covers(tr.line) }) {
			t.Errorf("%s: %s:%d is not among the first three of %v", tr.name, tr.path, tr.line, a)
		}
		if a.TookMS <= 0 || a.TookMS > 2000 {
			t.Errorf("%s: took %.0f ms", tr.name, a.TookMS)
		}
	}
}

func TestAQueryOfAMegabyteIsBounded(t *testing.T) {
	t.Parallel()
	tl := queryTree(t)
	var distinct strings.Builder
	for i := 0; distinct.Len() < 1<<20; i++ {
		fmt.Fprintf(&distinct, "word%dOf_many%d ", i, i*7)
	}
	started := time.Now()
	answers := tl.batch(ask{timings: true}, questions(strings.Repeat("dolor ", 170000), distinct.String(), strings.Repeat("x", 1<<20), strings.Repeat(`"`, 1<<20),
		strings.Repeat("a/b.go:1 ", 110000), strings.Repeat("界", 300000),
		"core_function "+strings.Repeat("dolor ", 170000))...)
	if took := time.Since(started); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
	for i, a := range answers {
		if a.TookMS <= 0 || a.TookMS > 5000 {
			t.Errorf("query %d took %.0f ms", i, a.TookMS)
		}
	}
	if peak := answers[0].run.peakBytes; peak > 1200<<20 {
		t.Errorf("%d MB of memory", peak>>20)
	}
	if last := answers[len(answers)-1]; last.Error == nil && !slices.Contains(last.paths(), "lib/core.py") {
		t.Errorf("the telling word at the start of a long query is lost: %v", last)
	}
}
