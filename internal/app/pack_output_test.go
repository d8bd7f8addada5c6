package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// What programs printed about a small shop that exists in five languages. %s is where its checkout lay.
const (
	goTestOutput = `--- FAIL: TestTotal (0.00s)
panic: runtime error: index out of range [1] with length 1 [recovered, repanicked]

goroutine 18 [running]:
testing.tRunner.func1.2({0x574440, 0x3eab469dc000})
	/usr/local/go/src/testing/testing.go:1974 +0x232
testing.tRunner.func1()
	/usr/local/go/src/testing/testing.go:1977 +0x349
panic({0x574440?, 0x3eab469dc000?})
	/usr/local/go/src/runtime/panic.go:860 +0x13a
shop/cart.Total(...)
	%s/cart/total.go:12
shop/cart.TestTotal(0x3eab469d6248?)
	%s/cart/total_test.go:6 +0xa
testing.tRunner(0x3eab469d6248, 0x592e18)
	/usr/local/go/src/testing/testing.go:2036 +0xea
created by testing.(*T).Run in goroutine 1
	/usr/local/go/src/testing/testing.go:2101 +0x4c5
FAIL	shop/cart	0.005s
FAIL
`
	pythonTrace = `Traceback (most recent call last):
  File "%s/py/checkout.py", line 9, in <module>
    print(checkout({"lines": [{"price": 2}]}))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "%s/py/checkout.py", line 5, in checkout
    return {"sum": total(cart["lines"])}
                   ^^^^^^^^^^^^^^^^^^^^
  File "%s/py/total.py", line 4, in total
    amount += line["price"] * line["count"]
                              ~~~~^^^^^^^^^
KeyError: 'count'
`
	pytestOutput = `============================= test session starts ==============================
platform linux -- Python 3.12.3, pytest-8.2.0, pluggy-1.5.0
rootdir: %s
collected 1 item

py/tests/test_total.py F                                                 [100%%]

=================================== FAILURES ===================================
__________________________________ test_total __________________________________

    def test_total():
>       assert total([{"price": 2}]) == 2

py/tests/test_total.py:5:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

lines = [{'price': 2}]

    def total(lines):
        amount = 0
        for line in lines:
>           amount += line["price"] * line["count"]
E           KeyError: 'count'

py/total.py:4: KeyError
=========================== short test summary info ============================
FAILED py/tests/test_total.py::test_total - KeyError: 'count'
============================== 1 failed in 0.03s ===============================
`
	tscOutput = `web/src/total.ts(9,24): error TS2551: Property 'cnt' does not exist on type 'Line'. Did you mean 'count'?

Found 1 error in web/src/total.ts:9
`
	cargoOutput = `   Compiling shop v0.1.0 (%s/rust)
error[E0609]: no field ` + "`cnt`" + ` on type ` + "`&Line`" + `
 --> rust/src/total.rs:9:34
  |
9 |         sum += line.price * line.cnt;
  |                                  ^^^ unknown field
  |
  = note: available fields are: ` + "`price`, `count`" + `

For more information about this error, try ` + "`rustc --explain E0609`" + `.
error: could not compile ` + "`shop`" + ` (lib test) due to 1 previous error
`
	javaTrace = `Exception in thread "main" java.lang.IllegalStateException: the cart has no total
	at shop.cart.Checkout.main(Checkout.java:10)
Caused by: java.lang.NullPointerException: Cannot invoke "java.lang.Integer.intValue()" because the return value of "java.util.Map.get(Object)" is null
	at shop.cart.Total.total(Total.java:9)
	at shop.cart.Checkout.main(Checkout.java:8)
`
)

// newFailingShop is the repository that the outputs are about, with other files that speak of the same things.
func newFailingShop(t *testing.T) *gitWorld {
	w := newGitWorld(t, nil)
	fs := files{
		"cart/total.go":                          "package cart\n\n// Line is one line of a cart.\ntype Line struct {\n\tPrice, Count int\n}\n\n// Total sums the lines of a cart.\nfunc Total(lines []Line) int {\n\tsum := 0\n\tfor i := range lines {\n\t\tsum += lines[i+1].Price * lines[i].Count\n\t}\n\treturn sum\n}\n",
		"cart/total_test.go":                     "package cart\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total([]Line{{Price: 2, Count: 3}}); got != 6 {\n\t\tt.Errorf(\"total %d, want 6\", got)\n\t}\n}\n",
		"py/total.py":                            "def total(lines):\n    amount = 0\n    for line in lines:\n        amount += line[\"price\"] * line[\"count\"]\n    return amount\n",
		"py/checkout.py":                         "from total import total\n\n\ndef checkout(cart):\n    return {\"sum\": total(cart[\"lines\"])}\n\n\nif __name__ == \"__main__\":\n    print(checkout({\"lines\": [{\"price\": 2}]}))\n",
		"py/tests/test_total.py":                 "from total import total\n\n\ndef test_total():\n    assert total([{\"price\": 2}]) == 2\n",
		"web/src/total.ts":                       "export interface Line {\n  price: number;\n  count: number;\n}\n\nexport function total(lines: Line[]): number {\n  let sum = 0;\n  for (const line of lines) {\n    sum += line.price * line.cnt;\n  }\n  return sum;\n}\n",
		"web/src/total.test.ts":                  "import { total } from './total';\n\ntest('total sums the lines', () => {\n  expect(total([{ price: 2, count: 3 }])).toBe(6);\n});\n",
		"rust/src/total.rs":                      "pub struct Line {\n    pub price: u32,\n    pub count: u32,\n}\n\npub fn total(lines: &[Line]) -> u32 {\n    let mut sum = 0;\n    for line in lines {\n        sum += line.price * line.cnt;\n    }\n    sum\n}\n",
		"rust/src/lib.rs":                        "pub mod total;\n",
		"rust/tests/total.rs":                    "use shop::total::{total, Line};\n\n#[test]\nfn total_sums_the_lines() {\n    assert_eq!(total(&[Line { price: 2, count: 3 }]), 6);\n}\n",
		"src/main/java/shop/cart/Total.java":     "package shop.cart;\n\nimport java.util.Map;\n\npublic class Total {\n    public static int total(Map<String, Integer> lines) {\n        int sum = 0;\n        for (String name : new String[] {\"pen\", \"ink\"}) {\n            sum += lines.get(name);\n        }\n        return sum;\n    }\n}\n",
		"src/main/java/shop/cart/Checkout.java":  "package shop.cart;\n\nimport java.util.Map;\n\npublic class Checkout {\n    public static void main(String[] args) {\n        try {\n            System.out.println(Total.total(Map.of(\"pen\", 2)));\n        } catch (NullPointerException e) {\n            throw new IllegalStateException(\"the cart has no total\", e);\n        }\n    }\n}\n",
		"src/test/java/shop/cart/TotalTest.java": "package shop.cart;\n\nimport java.util.Map;\n\nclass TotalTest {\n    @Test\n    void sums() {\n        assertEquals(2, Total.total(Map.of(\"pen\", 2)));\n    }\n}\n",
		"docs/total.md":                          "# Total\n\nThe cart has no total until a line has a price and a count. A KeyError says which is missing.\n",
		"tools/report.go":                        "package tools\n\n// Total prints the report.\nfunc Total() string { return \"index out of range\" }\n",
	}
	for i := range 12 {
		fs[fmt.Sprintf("other/part%d.go", i)] = fmt.Sprintf("package other\n\n// Part%d has a price, a count and a line of the cart.\nfunc Part%d(line, price, count int) int {\n\treturn price * count * line\n}\n", i, i)
	}
	w.commit("the shop in five languages", fs)
	for _, name := range []string{"cart/total.go", "py/total.py", "web/src/total.ts", "rust/src/total.rs", "src/main/java/shop/cart/Total.java"} {
		w.commit("sum "+name+" line by line", files{name: fs[name] + "\n"})
	}
	w.commit("reports", files{"tools/report.go": fs["tools/report.go"] + "\n// More.\n"})
	return w
}

func TestOutputOfAFailingProgramComesFirst(t *testing.T) {
	w := newFailingShop(t)
	for _, c := range []struct {
		name, output  string
		first         string // the file of the innermost own frame
		line          int
		also, covered string // another file of a frame, and the test
	}{
		{"go test", goTestOutput, "cart/total.go", 12, "", "cart/total_test.go"},
		{"python", pythonTrace, "py/total.py", 4, "py/checkout.py", "py/tests/test_total.py"},
		{"pytest", pytestOutput, "py/total.py", 4, "", "py/tests/test_total.py"},
		{"tsc", tscOutput, "web/src/total.ts", 9, "", "web/src/total.test.ts"},
		{"cargo", cargoOutput, "rust/src/total.rs", 9, "", "rust/tests/total.rs"},
		{"java", javaTrace, "src/main/java/shop/cart/Total.java", 9, "src/main/java/shop/cart/Checkout.java", "src/test/java/shop/cart/TotalTest.java"},
	} {
		for _, at := range []string{w.root, "/home/ci/build/shop"} { // here, and on another machine
			t.Run(c.name, func(t *testing.T) {
				w.t = t
				output := c.output
				if n := strings.Count(output, "%s"); n > 0 {
					args := make([]any, n)
					for i := range args {
						args[i] = at
					}
					output = fmt.Sprintf(output, args...)
				}
				p := w.packed(PackRequest{Task: FailureTask, Preset: agenvantage.TaskBug, Output: output, Budget: 3000})
				source := slices.DeleteFunc(slices.Clone(p.Blocks), func(b agenvantage.Block) bool { return b.Kind != agenvantage.BlockSource })
				if len(source) == 0 || source[0].Path != c.first || source[0].StartLine > c.line || source[0].EndLine < c.line {
					t.Errorf("not first: %s:%d: %s", c.first, c.line, places(p))
				}
				if c.also != "" {
					blockOf(t, p, c.also)
				}
				tests := p.Slots[slices.IndexFunc(p.Slots, func(s agenvantage.Slot) bool { return s.Name == agenvantage.SlotTests })]
				if b := blockOf(t, p, c.covered); !slices.Contains(tests.Evidence, b.ID) { // it may be a frame as well
					t.Errorf("%+v is no evidence for the tests", b)
				}
				i := slices.IndexFunc(p.Blocks, func(b agenvantage.Block) bool { return b.Kind == agenvantage.BlockHistory })
				if i < 0 || !strings.Contains(p.Blocks[i].Text, "sum "+c.first+" line by line") {
					t.Errorf("the commit that changed %s last is not shown: %s", c.first, places(p))
				}
				if p.Status == agenvantage.PackInsufficient {
					t.Errorf("%s: %s; missing %q", p.Status, p.Why, p.Missing)
				}
			})
		}
	}
}

// Output that names no file of the repository must not pass for an answer.
func TestOutputOfAnotherProgramIsNotReady(t *testing.T) {
	w := newFailingShop(t)
	p := w.packed(PackRequest{Task: FailureTask, Preset: agenvantage.TaskBug, Output: "Traceback (most recent call last):\n  File \"/srv/zebra/quux.py\", line 3, in frobnicate\n    zap()\nZapError: zyzzyva\n"})
	if p.Status == agenvantage.PackReady {
		t.Errorf("%s: %s: %s", p.Status, p.Why, places(p))
	}
}

func TestADiffComesFirst(t *testing.T) {
	w := newFailingShop(t)
	head, before := "HEAD", "HEAD~1"
	request := func(revision *string) PackRequest {
		return PackRequest{Task: ReviewTask, Preset: agenvantage.TaskReview, FromDiff: revision, Budget: 3000}
	}
	first := func(p agenvantage.Pack) string {
		for _, b := range p.Blocks {
			if b.Kind == agenvantage.BlockSource {
				return fmt.Sprintf("%s %v", b.Path, b.Dirty)
			}
		}
		return "nothing"
	}

	if p := w.packed(request(&before)); first(p) != "tools/report.go false" {
		t.Errorf("against HEAD~1: first %s: %s", first(p), places(p))
	}
	// Nothing is changed: without a task of its own there is nothing to review; the default text must not be answered by its words.
	for _, task := range []string{"", ReviewTask} {
		r := PackRequest{Task: task, Preset: agenvantage.TaskReview, FromDiff: &head}
		if p, err := w.Pack(t.Context(), r, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "changes no indexed file") {
			t.Errorf("nothing changed, task %q: %v: %s", task, err, places(p))
		}
	}
	if p := w.packed(PackRequest{Task: "the report prints the wrong total", FromDiff: &head}); len(linesShown(p, "tools/report.go")) == 0 {
		t.Errorf("nothing changed beside a task: %s", places(p))
	}
	w.write(files{"other/part7.go": "package other\n\n// Part7 has changed.\nfunc Part7(line, price, count int) int {\n\treturn price + count + line\n}\n", "new/added.go": "package added\n\n// Added is a new function of the shop.\nfunc Added(line int) int { return line }\n"})
	p := w.packed(request(&head))
	if first(p) != "other/part7.go true" && first(p) != "new/added.go true" {
		t.Errorf("against HEAD: first %s: %s", first(p), places(p))
	}
	for _, name := range []string{"other/part7.go", "new/added.go"} {
		if b := blockOf(t, p, name); !b.Dirty || b.Slot != agenvantage.SlotImplementation {
			t.Errorf("%+v", b)
		}
	}
	if i := slices.IndexFunc(p.Blocks, func(b agenvantage.Block) bool {
		return b.Path != "" && b.Path != "other/part7.go" && b.Dirty && b.Path != "new/added.go"
	}); i >= 0 {
		t.Errorf("dirty: %+v", p.Blocks[i])
	}
	for _, bad := range []string{"no-such-revision", "--output=/tmp/x", "HEAD~99"} {
		if _, err := w.Pack(t.Context(), request(&bad), nil); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	w.remove("cart/total.go") // a file that is gone has no lines to show
	if p := w.packed(request(&head)); strings.Contains(places(p), "cart/total.go") {
		t.Errorf("%s", places(p))
	}
}

func TestADiffNeedsCommits(t *testing.T) {
	w := newGitWorld(t, files{"a.go": function("Cart")})
	head := "HEAD"
	if _, err := w.Pack(t.Context(), PackRequest{Task: ReviewTask, FromDiff: &head}, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "--from-diff") {
		t.Errorf("%v", err)
	}
	if p := w.packed(PackRequest{Task: "change Cart"}); !strings.Contains(places(p), "a.go:") {
		t.Errorf("without a diff: %s", places(p))
	}
}

// What a pack considered is shown by and by: each answer has new lines alone, and in the end all of it was shown.
func TestExpandingAPackLosesNothing(t *testing.T) {
	w := newFailingShop(t)
	p := w.packed(PackRequest{Task: "the total of the cart is wrong when a line has no count", Budget: 1200})
	record, err := w.packRecord(p.ID)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	see := func(p agenvantage.Pack, slot agenvantage.SlotName) {
		for _, b := range p.Blocks {
			for line := b.StartLine; b.Path != "" && line <= b.EndLine; line++ {
				at := fmt.Sprintf("%s:%d", b.Path, line)
				if slot != "" && seen[at+string(slot)] {
					t.Errorf("%s: %s is shown again", slot, at)
				}
				seen[at+string(slot)] = true
				for _, s := range agenvantage.SlotNames() {
					if slot == "" {
						seen[at+string(s)] = true // what the pack shows no expansion shows again
					}
				}
			}
			if fault := w.blockFaults(b); len(fault) > 0 {
				t.Error(fault)
			}
		}
	}
	see(p, "")
	for _, s := range p.Slots {
		id := p.ID
		for round := 0; ; round++ {
			more, err := w.Expand(t.Context(), ExpandRequest{PackID: id, Slot: s.Name, Budget: 1200})
			if err != nil || round > 50 {
				t.Fatalf("%s, round %d: %v", s.Name, round, err)
			}
			if len(more.Blocks) == 0 {
				if more.Status != agenvantage.PackInsufficient || len(more.Handles) > 0 {
					t.Errorf("%s: %s, %d handles", s.Name, more.Status, len(more.Handles))
				}
				break
			}
			see(more, s.Name)
			id = more.ID
		}
	}
	lost := 0
	for _, c := range record.Considered {
		// A place that shares lines with another that was shown may come as that one alone; but some of its lines have to come.
		any := false
		for line := c.StartLine; line <= c.EndLine; line++ {
			any = any || seen[fmt.Sprintf("%s:%d%s", c.Path, line, c.Slot)]
		}
		if !any {
			lost++
			t.Errorf("never shown: %s:%d-%d for %s (%s: %s)", c.Path, c.StartLine, c.EndLine, c.Slot, c.Outcome, c.Why)
		}
	}
	if len(record.Considered) < 10 {
		t.Errorf("%d considered places, %d lost", len(record.Considered), lost)
	}
}

func TestEverythingOfAPackCanBeAskedFor(t *testing.T) {
	w := newFailingShop(t)
	for _, budget := range []int{700, 1200, 5000} {
		p := w.packed(PackRequest{Task: "the total of the cart is wrong when a line has no count", Budget: budget})
		for _, b := range p.Blocks {
			r, err := w.Rehydrate(t.Context(), b.ID)
			if err != nil || r.Text != b.Text || r.Path != b.Path || r.StartLine != b.StartLine {
				t.Errorf("%s: %+v, %v", b.ID, r, err)
			}
			if b.Path == "" {
				continue
			}
			why, err := w.WhyPacked(t.Context(), p.ID, fmt.Sprintf("%s:%d", b.Path, b.EndLine))
			if err != nil || why.State != ReasonShown {
				t.Errorf("%s:%d is shown: %s: %s, %v", b.Path, b.EndLine, why.State, why.Why, err)
			}
		}
		for _, h := range p.Handles {
			r, err := w.Rehydrate(t.Context(), h.SourceID)
			want := strings.Join(w.diskLines(h.Path)[h.StartLine-1:h.EndLine], "\n")
			if err != nil || r.Text != want {
				t.Errorf("%s: %+v, %v; want %q", h.SourceID, r, err, want)
			}
			why, err := w.WhyPacked(t.Context(), p.ID, fmt.Sprintf("%s:%d-%d", h.Path, h.StartLine, h.EndLine))
			if err != nil || why.State != ReasonLeftOut && why.State != ReasonShown || len(why.Places) == 0 {
				t.Errorf("%s:%d-%d is a handle: %s: %s, %v", h.Path, h.StartLine, h.EndLine, why.State, why.Why, err)
			}
		}
		if why, err := w.WhyPacked(t.Context(), p.ID, "rust/src/lib.rs:1"); err != nil || why.State == "" {
			t.Errorf("%+v, %v", why, err)
		}
	}
}

// A review of a change needs who calls what it changes and the tests of that, though no word of the task leads there.
func TestADiffBringsCallersAndTests(t *testing.T) {
	w := newFailingShop(t)
	w.commit("a caller", files{"cart/checkout.go": "package cart\n\n// Checkout asks for the sum.\nfunc Checkout(lines []Line) int {\n\tsum := Total(lines)\n\treturn sum + 7\n}\n"})
	text, head := strings.Join(w.diskLines("cart/total.go"), "\n"), "HEAD"
	w.write(files{"cart/total.go": strings.Replace(text, "lines[i+1]", "lines[i]", 1) + "\n"})
	p := w.packed(PackRequest{Task: ReviewTask, Preset: agenvantage.TaskReview, FromDiff: &head, Budget: 3000})
	for path, slot := range map[string]agenvantage.SlotName{"cart/total.go": agenvantage.SlotImplementation, "cart/checkout.go": agenvantage.SlotCallers, "cart/total_test.go": agenvantage.SlotTests} {
		if i := slices.IndexFunc(p.Blocks, func(b agenvantage.Block) bool { return b.Path == path }); i < 0 || p.Blocks[i].Slot != slot {
			t.Errorf("%s is not shown for %s: %s", path, slot, places(p))
		}
	}
}

// A change of a few characters is what the review is about.
func TestAShortChangeIsShown(t *testing.T) {
	w := newFailingShop(t)
	head := "HEAD"
	w.commit("limits", files{"cart/limit.py": "LIMIT = 5\n", "cart/conf.yaml": "max: 3\n"})
	w.write(files{"cart/limit.py": "LIMIT = 6\n", "cart/conf.yaml": "max: 4\n", "cart/added.py": "X = 1\n"})
	p := w.packed(PackRequest{Task: ReviewTask, Preset: agenvantage.TaskReview, FromDiff: &head, Budget: 3000})
	for _, path := range []string{"cart/limit.py", "cart/conf.yaml", "cart/added.py"} {
		if len(linesShown(p, path)) == 0 {
			t.Errorf("%s is not shown: %s", path, places(p))
		}
	}
}
