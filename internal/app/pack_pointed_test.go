package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// routesText is a file of functions of 12 lines each behind a head of 24 lines: line 24+12n+7 is in the middle of function n, whose first
// line is 24+12n+1. Each has a comment of doc lines before it.
func routesText(functions, doc int) string {
	var b strings.Builder
	b.WriteString("package zone\n\nimport (\n" + strings.Repeat("\t\"fmt\"\n", 20) + ")\n")
	for i := range functions {
		for j := range doc {
			fmt.Fprintf(&b, "// Mount%d mounts a route, remark %d on it.\n", i, j)
		}
		fmt.Fprintf(&b, "func Mount%d(route string) int {\n", i)
		for j := range 9 {
			fmt.Fprintf(&b, "\tfmt.Println(route, %d, \"mount\", %d)\n", i, j)
		}
		b.WriteString("\treturn 0\n}\n")
	}
	return b.String()
}

// shows reports whether a pack shows a line of a file.
func shows(p agenvantage.Pack, path string, line int) bool {
	return slices.Contains(linesShown(p, path), line)
}

// "fix mux.go:330" was ready without line 330, whatever the budget.
func TestTheLineThatATaskPointsAtIsMissing(t *testing.T) {
	w := newWorld(t, files{"zone/mux.go": routesText(60, 0), "other/mux.go": "package other\n\n// Mount is short.\nfunc Mount() {}\n", "zone/tree.go": routesText(20, 2)})
	for _, task := range []string{"fix zone/mux.go:331", "fix mux.go:331", "the route is wrong in /srv/build/zone/mux.go:331"} {
		for _, budget := range []int{500, 700, 1000, 2000, 6000} {
			p := w.packed(PackRequest{Task: task, Budget: budget})
			if task == "fix mux.go:331" { // it may be either file
				continue
			}
			if !shows(p, "zone/mux.go", 331) {
				t.Errorf("%q, %d tokens: line 331 is not shown: %s", task, budget, places(p))
			}
			if budget >= 2000 && !shows(p, "zone/mux.go", 325) {
				t.Errorf("%q, %d tokens: the first line of the function is cut off: %s", task, budget, places(p))
			}
			if b := blockOf(t, p, p.Blocks[0].Path); b.Path != "zone/mux.go" {
				t.Errorf("%q, %d tokens: %s comes first", task, budget, b.Path)
			}
		}
	}
	if p := w.packed(PackRequest{Task: "fix zone/mux.go:331-333", Budget: 500}); !shows(p, "zone/mux.go", 331) || !shows(p, "zone/mux.go", 333) {
		t.Errorf("a range: %s", places(p))
	}
}

// A line of a frame that lies in a doc string was cut out with it.
func TestAFrameInADocStringIsMissing(t *testing.T) {
	text := "import sys\n\n\nclass App:\n    def wsgi(self, cart):\n        \"\"\"Answer.\n\n" + strings.Repeat("        It says why the cart is empty.\n", 20) + "        \"\"\"\n" +
		strings.Repeat("        cart.add(self)\n", 40) + "        return cart\n"
	w := newWorld(t, files{"src/shop/app.py": text, "src/shop/cart.py": "def cart():\n    return []\n"})
	for _, r := range []PackRequest{
		{Task: `File "/x/site-packages/shop/app.py", line 18, in wsgi`},
		{Task: FailureTask, Preset: agenvantage.TaskBug, Output: "Traceback (most recent call last):\n  File \"/x/shop/app.py\", line 18, in wsgi\n    it\nKeyError: 'cart'\n"},
	} {
		for _, budget := range []int{600, 1000, 6000} {
			r.Budget = budget
			if p := w.packed(r); !shows(p, "src/shop/app.py", 18) || budget > 600 && !shows(p, "src/shop/app.py", 5) {
				t.Errorf("%q, %d tokens: %s", r.Task, budget, places(p))
			}
		}
	}
}

// A change in a long comment was cut out; imports were "given as a seed" where no seed was.
func TestAChangedLineIsMissing(t *testing.T) {
	w := newGitWorld(t, nil)
	text := routesText(40, 16)
	w.commit("first", files{"zone/mux.go": text, "zone/tree.go": routesText(20, 2)})
	head := "HEAD"
	for name, line := range map[string]int{"in a comment": 24 + 28*20 + 9, "in a function": 24 + 28*20 + 22} {
		lines := strings.Split(text, "\n")
		lines[line-1] += " // changed"
		w.write(files{"zone/mux.go": strings.Join(lines, "\n")})
		for _, budget := range []int{500, 700, 1000, 2000, 6000} {
			p := w.packed(PackRequest{Task: ReviewTask, Preset: agenvantage.TaskReview, FromDiff: &head, Budget: budget})
			if !shows(p, "zone/mux.go", line) {
				t.Errorf("%s, %d tokens: line %d is not shown: %s", name, budget, line, places(p))
			}
			if shows(p, "zone/mux.go", 3) {
				t.Errorf("%s, %d tokens: the imports are shown: %s", name, budget, places(p))
			}
			changed := false
			for _, b := range p.Blocks {
				changed = changed || b.Path == "zone/mux.go" && b.StartLine <= line && line <= b.EndLine && strings.Contains(b.Reason, changedReason)
				if strings.Contains(b.Reason, "seed") || strings.Contains(b.Reason, "named by the caller") {
					t.Errorf("%s, %d tokens: nobody gave %s:%d: %q", name, budget, b.Path, b.StartLine, b.Reason)
				}
			}
			if !changed {
				t.Errorf("%s, %d tokens: no block says that line %d is changed", name, budget, line)
			}
		}
	}
}

// A change that the budget does not hold was reviewed as if it were shown.
func TestAPackWithoutTheChangedLinesIsReady(t *testing.T) {
	w := newGitWorld(t, nil)
	w.commit("first", files{"zone/use.go": "package zone\n\nfunc Use() {\n" + repeated("\tMount%[1]d(\"/\")\n", 60) + "}\n", "zone/mux_test.go": "package zone\n\nimport \"testing\"\n\nfunc TestMount1(t *testing.T) {\n\tMount1(\"/\")\n}\n"})
	w.write(files{"zone/mux.go": routesText(60, 0)})
	head := "HEAD"
	for budget, ready := range map[int]bool{1000: false, 3000: false, 100000: true} {
		p := w.packed(PackRequest{Task: ReviewTask, Preset: agenvantage.TaskReview, FromDiff: &head, Budget: budget})
		if (p.Status == agenvantage.PackReady) != ready || !ready && !strings.Contains(p.Why, "does not hold all of zone/mux.go:1-744") {
			t.Errorf("%d tokens: %s: %s", budget, p.Status, p.Why)
		}
	}
}

func TestTrimmingKeepsWhatIsPointedAt(t *testing.T) {
	comment := []agenvantage.Span{{StartLine: 11, EndLine: 40}}
	for _, c := range []struct {
		name string
		kept []agenvantage.Span
		want string
	}{
		{"nothing", nil, "1-13 41-50"},
		{"code", []agenvantage.Span{{StartLine: 2, EndLine: 2}, {StartLine: 45, EndLine: 46}}, "1-13 41-50"},
		{"the first lines", []agenvantage.Span{{StartLine: 11, EndLine: 11}}, "1-14 41-50"},
		{"the middle", []agenvantage.Span{{StartLine: 25, EndLine: 26}}, "1-13 22-29 41-50"},
		{"two of them, which meet", []agenvantage.Span{{StartLine: 20, EndLine: 20}, {StartLine: 24, EndLine: 24}}, "1-13 17-27 41-50"},
		{"the last line", []agenvantage.Span{{StartLine: 40, EndLine: 40}}, "1-13 37-50"},
		{"all of it", []agenvantage.Span{{StartLine: 1, EndLine: 50}}, "1-50"},
		{"one inside of another", []agenvantage.Span{{StartLine: 20, EndLine: 30}, {StartLine: 22, EndLine: 23}}, "1-13 17-33 41-50"},
	} {
		if got := printedSpans(withoutLongComments(agenvantage.Span{StartLine: 1, EndLine: 50}, comment, c.kept)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A file at the root was taken for one of the same name in a folder that comes before it.
func TestAFrameMeansTheFileWithItsWholePath(t *testing.T) {
	for _, names := range [][]string{{"a/mux.go", "mux.go"}, {"mux.go", "z/mux.go"}, {"a/mux.go", "mux.go", "z/mux.go"}} {
		fs := files{}
		for _, name := range names {
			fs[name] = routesText(4, 0)
		}
		w := newWorld(t, fs)
		if p := w.packed(PackRequest{Task: "fix mux.go:31", Budget: 900}); !shows(p, "mux.go", 31) {
			t.Errorf("%q: %s", names, places(p))
		}
	}
}

// All changes of the first files of a large diff left no room for the other files.
func TestALargeDiffShowsFewFiles(t *testing.T) {
	w := newGitWorld(t, nil)
	name := func(i int) string { return fmt.Sprintf("part%02d/mux.go", i) }
	before, after := files{"NOTES.txt": strings.Repeat("a note\n", 40)}, files{"NOTES.txt": strings.Repeat("a note\nanother\n", 40)}
	for i := range 40 {
		before[name(i)] = routesText(20, 0)
		after[name(i)] = strings.ReplaceAll(before[name(i)], "return 0", fmt.Sprintf("return %d", i+1))
	}
	w.commit("first", before)
	w.write(after)
	head := "HEAD"
	p := w.packed(PackRequest{Task: ReviewTask, Preset: agenvantage.TaskReview, FromDiff: &head, Budget: 6000})
	some := 0
	for i := range 40 {
		if len(linesShown(p, name(i))) > 0 {
			some++
		}
	}
	if some < 35 || p.Status == agenvantage.PackReady {
		t.Errorf("%d of 40 files are shown: %s: %s", some, p.Status, p.Why)
	}
	if b := p.Blocks[slices.IndexFunc(p.Blocks, func(b agenvantage.Block) bool { return b.Slot == agenvantage.SlotImplementation })]; b.Path != name(0) {
		t.Errorf("%s comes first, before the code", b.Path)
	}
}

// TestWhatALineIsAPartOf: the two readings of the symbols around a line that are not simply the innermost one.
func TestWhatALineIsAPartOf(t *testing.T) {
	symbol := func(kind agenvantage.SymbolKind, start, end int) agenvantage.Symbol {
		return agenvantage.Symbol{Kind: kind, Span: agenvantage.Span{StartLine: start, EndLine: end}}
	}
	x := agenvantage.Extraction{Symbols: []agenvantage.Symbol{
		symbol(agenvantage.KindClass, 1, 100), symbol(agenvantage.KindField, 2, 2), // 0, 1
		symbol(agenvantage.KindMethod, 4, 9), symbol(agenvantage.KindFunction, 5, 7), symbol(agenvantage.KindVariable, 6, 6), // 2, 3, 4
		symbol(agenvantage.KindMethod, 10, 95),                                           // 5, too long to be shown whole
		symbol(agenvantage.KindClass, 102, 102), symbol(agenvantage.KindField, 102, 102), // 6, 7
	}}
	for _, c := range []struct{ line, definition, whole int }{
		{1, 0, -1}, {2, 0, 1}, {3, 0, -1}, {4, 2, 2}, {5, 3, 3}, {6, 3, 4}, {9, 2, 2}, {50, 5, -1}, {101, -1, -1}, {102, 6, 6}, {103, -1, -1},
	} {
		if got := definitionAt(&x, c.line); got != c.definition {
			t.Errorf("line %d: the definition is %d, want %d", c.line, got, c.definition)
		}
		if got := wholeAround(&x, c.line); got != c.whole {
			t.Errorf("line %d: shown whole is %d, want %d", c.line, got, c.whole)
		}
	}
	if got := definitionAt(&agenvantage.Extraction{}, 1); got != -1 {
		t.Errorf("without symbols: %d", got)
	}
}
