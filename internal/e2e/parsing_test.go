//go:build unix

package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestDeepNestingFallsBackToText(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	const n = 12000
	deep := func(open, shut string) string { return strings.Repeat(open, n) + strings.Repeat(shut, n) }
	var elif, concat, chain strings.Builder
	elif.WriteString("def ladder_py(x):\n    if x == 0:\n        return 0\n")
	for i := 1; i < 2500; i++ {
		fmt.Fprintf(&elif, "    elif x == %d:\n        return %d\n", i, i)
	}
	concat.WriteString("package p\n\nfunc concatGo() string { return \"a\"" + strings.Repeat(" + \"b\"", n) + " }\n")
	chain.WriteString("function chainJs() { return q" + strings.Repeat(".then(x => x)", 4000) + " }\n")
	tl.writeAll(files{
		"deep.cpp":   "int deepCpp()\n" + deep("{", "}") + "\nint pastDeepCpp() { return 1; }\n",
		"deep.ts":    "function deepTs() { return " + deep("[", "]") + "; }\n",
		"deep.py":    "def deep_py():\n    return " + deep("(", ")") + "\n",
		"deep.rb":    "def deep_rb\n  " + deep("[", "]") + "\nend\n",
		"deep.json":  strings.Repeat("{\"k\":\n", n) + "1" + strings.Repeat("}\n", n),
		"deep.html":  "<p>deep_html</p>\n" + deep("<div>\n", "</div>\n"),
		"ladder.py":  elif.String(),
		"concat.go":  concat.String(),
		"chain.js":   chain.String(),
		"healthy.go": "package p\n\nfunc HealthyNeighbour() {}\n",
	})
	tl.commit()
	s := tl.index()
	if s.run.peakBytes > 2000<<20 {
		t.Errorf("%d MB of memory", s.run.peakBytes>>20)
	}
	tl.wantSymbol("HealthyNeighbour", symbolPlace{path: "healthy.go", start: 3, kinds: "function"})
	for word, path := range map[string]string{"deepCpp": "deep.cpp", "pastDeepCpp": "deep.cpp", "deepTs": "deep.ts", "deep_py": "deep.py",
		"deep_rb": "deep.rb", "deep_html": "deep.html",
		"ladder_py": "ladder.py", "concatGo": "concat.go", "chainJs": "chain.js"} {
		tl.find(word, path)
	}
	tl.nothingSilent()
}

// The scanner of the Markdown grammar keeps its open blocks in 1,024 bytes and ends the process when they do not fit.
func TestDeepQuotesAndListsInDocumentsDoNotEndTheProcess(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	var staircase strings.Builder
	for i := range 400 {
		fmt.Fprintf(&staircase, "%s- step %d\n", strings.Repeat("  ", i), i)
	}
	tl.writeAll(files{
		"quotes.md":  "# quotes_head\n\n" + strings.Repeat("> ", 3000) + "quoted\n\n# quotes_tail\n",
		"lists.md":   "# lists_head\n\n" + strings.Repeat("- ", 3000) + "listed\n",
		"numbers.md": "# numbers_head\n\n" + strings.Repeat("1. ", 300) + "numbered\n",
		"mixed.md":   "# mixed_head\n\n" + strings.Repeat("> - ", 200) + "mixed\n",
		"stairs.md":  "# stairs_head\n\n" + staircase.String(),
		"notes.ipynb": `{"cells":[{"cell_type":"markdown","metadata":{},"source":["# notebook_head\n","` + strings.Repeat("> ",
			600) + `x"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`,
		"fine.md": "# fine_head\n\n> > > quoted three times\n",
	})
	tl.commit()
	tl.index()
	for word, path := range map[string]string{"quotes_head": "quotes.md", "quotes_tail": "quotes.md", "lists_head": "lists.md",
		"numbers_head": "numbers.md", "mixed_head": "mixed.md",
		"stairs_head": "stairs.md", "notebook_head": "notes.ipynb", "fine_head": "fine.md"} {
		tl.find(word, path)
	}
}

func TestAFileThatHangsTheParserIsKeptAsText(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"Panel.tsx":  "export function PanelTop() {\n  return (\n" + strings.Repeat("<P<Q<R k={v => <S", 2500) + "\n",
		"open.zig":   strings.Repeat("fn sample() !std.HashMap(struct {\n", 2500),
		"angle.ts":   "const angle = " + strings.Repeat("x < y > (", 3500) + "\n",
		"tick.js":    "function tickTock(){ return `" + strings.Repeat("${`", 5000) + "\n",
		"open.cpp":   "template <" + strings.Repeat("typename T = X<", 3000) + "\nint pastTemplates;\n",
		"stars.py":   "star_start = 1\nx = " + strings.Repeat("lambda: (yield ", 3000) + "\n",
		"sane.ts":    "export function saneNeighbour() { return 1 }\n",
		"heredoc.sh": "here_doc_start() { :; }\n" + strings.Repeat("cat <<A $(", 2000) + "\n",
	})
	tl.commit()
	took := tl.index().run.took
	for word, path := range map[string]string{"saneNeighbour": "sane.ts", "PanelTop": "Panel.tsx", "tickTock": "tick.js", "star_start": "stars.py",
		"here_doc_start": "heredoc.sh",
		"pastTemplates":  "open.cpp"} {
		tl.find(word, path)
	}
	interrupts(tl, took)
	tl.index()
	tl.find("saneNeighbour", "sane.ts")
}

// interrupts wants an index run to end soon after an interrupt at several moments of it.
func interrupts(tl *tool, whole time.Duration) {
	tl.t.Helper()
	for _, share := range []float64{0.6, 0.3} {
		ctx, cancel := context.WithTimeout(context.Background(), runLimit)
		defer cancel()
		cmd := tl.command(ctx, tl.flags("index", "--force")...)
		if err := cmd.Start(); err != nil {
			tl.t.Fatal(err)
		}
		time.Sleep(time.Duration(share * float64(whole)))
		asked := time.Now()
		cmd.Process.Signal(syscall.SIGINT)
		cmd.Wait()
		if took := time.Since(asked); took > 3*time.Second {
			tl.t.Errorf("an interrupted run goes on for %s", took)
		}
	}
}

func TestHalfWrittenCodeKeepsItsWholeParts(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	wants := map[string]map[string]int{} // path, name, line
	broken := func(path string, names map[string]int, text ...string) {
		tl.write(path, lines(text...))
		wants[path] = names
	}
	broken("edit.go", map[string]int{"WholeBefore": 3, "HalfDone": 5, "WholeAfter": 9},
		`package edit`, ``, `func WholeBefore() int { return 1 }`, ``, `func HalfDone(x int, y`, `	if x > {`, `		return`, ``,
		`func WholeAfter() int { return 2 }`)
	broken("merge.py", map[string]int{"ahead_of_marks": 1, "two_versions": 0, "behind_marks": 12},
		`def ahead_of_marks():`, `    return 1`, ``, `<<<<<<< HEAD`, `def two_versions(a):`, `    return a`, `=======`, `def two_versions(a, b):`,
		`    return b`, `>>>>>>> topic`, ``,
		`def behind_marks():`, `    return 2`)
	broken("quote.js", map[string]int{"aheadOfQuote": 1, "behindQuote": 3}, `function aheadOfQuote() { return 1 }`, `const s = 'never shut`,
		`function behindQuote() { return 2 }`)
	broken("Cut.java", map[string]int{"wholeMethod": 2, "cutMethod": 3}, `class Cut {`, `  int wholeMethod() { return 1; }`,
		`  int cutMethod(int a, {`, `    return`)
	broken("cut.rs", map[string]int{"whole_fn": 1, "cut_fn": 2, "later_fn": 5}, `fn whole_fn() -> u8 { 1 }`, `fn cut_fn(a: u8 -> {`, `    let x = `,
		``, `fn later_fn() -> u8 { 2 }`)
	broken("cut.c", map[string]int{"whole_c": 1, "cut_c": 2, "later_c": 5}, `int whole_c(void) { return 1; }`, `int cut_c(int a, {`, `  if (a`, `}`,
		`int later_c(void) { return 2; }`)
	broken("cut.rb", map[string]int{"whole_rb": 2, "cut_rb": 5}, `class Shelf`, `  def whole_rb`, `    1`, `  end`, `  def cut_rb(a`, `    if a`)
	broken("cut.ts", map[string]int{"WholeShape": 1, "cutTs": 2, "laterTs": 4}, `export interface WholeShape { a: number }`,
		`export function cutTs(a: { b: `, ``, `export function laterTs(): void {}`)
	broken("cut.php", map[string]int{"wholePhp": 2, "cutPhp": 3}, `<?php`, `function wholePhp() { return 1; }`, `function cutPhp($a { if (`)
	broken("cut.sql", map[string]int{"whole_table": 1, "cut_table": 2}, `CREATE TABLE whole_table (id int);`, `CREATE TABLE cut_table (id`)
	tl.writeAll(files{"nothing.go": "", "blank.py": "  \n\t\n\n", "remark.py": "# a lone remark without line end", "noise.ts": "}}}))]]]",
		"mark.py": "\uFEFF", "nul.md": "\n"})
	tl.commit()
	tl.index()
	for path, names := range wants {
		for name, line := range names {
			if h := tl.findAt(name, path, line); !strings.Contains(h.Text, name) {
				t.Errorf("%s: %s is not in %v", path, name, h)
			}
		}
	}
	table := tl.fileTable()
	for _, path := range []string{"nothing.go", "blank.py", "remark.py", "noise.ts", "mark.py", "nul.md"} {
		if table[path].State == "" {
			t.Errorf("%s is not listed", path)
		}
	}
	tl.findAt("lone remark", "remark.py", 1)
	for _, h := range tl.searchWith(ask{topK: 60}, "nothing blank remark noise mark return function def").Results {
		if strings.TrimSpace(h.Text) == "" {
			t.Errorf("an empty result: %v", h)
		}
	}
}

func TestParserMemoryIsGivenBack(t *testing.T) {
	t.Parallel()
	write := func(tl *tool, count int) {
		for i := range count {
			end := "+ 1"
			if i%3 == 0 {
				end = "+ ("
			}
			var b strings.Builder
			b.WriteString("package m\n")
			for j := range 70 {
				fmt.Fprintf(&b, "func Made%d_%d(a int) int { return a %s }\n", i, j, end)
			}
			tl.write(fmt.Sprintf("d%d/m%03d.go", i%8, i), b.String())
		}
	}
	few, many := newTool(t), newTool(t)
	write(few, 80)
	write(many, 560)
	small, large := few.index(), many.index()
	few.wantSymbol("Made2_7", symbolPlace{path: "d2/m002.go", start: 9, kinds: "function"})
	few.find("Made0_5", "d0/m000.go")
	if large.run.peakBytes > small.run.peakBytes+200<<20 {
		t.Errorf("%d MB for 80 files, %d MB for 560", small.run.peakBytes>>20, large.run.peakBytes>>20)
	}
}

func TestNotebooksAreReadByCellWithoutOutputs(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	picture := make([]byte, 60000)
	for i := range picture {
		picture[i] = byte(i * 91)
	}
	encoded := base64.StdEncoding.EncodeToString(picture)
	type cell map[string]any
	notebook, err := json.MarshalIndent(map[string]any{
		"cells": []cell{
			{"cell_type": "markdown", "metadata": cell{}, "source": []string{"# Harvest report\n", "Weighs the pears."}},
			{"cell_type": "code", "execution_count": 1, "metadata": cell{}, "source": []string{"def weigh_pears(rows):\n", "    total = 0\n",
				"    return total\n"},
				"outputs": []cell{{"output_type": "display_data", "metadata": cell{}, "data": cell{"image/png": encoded,
					"text/html": "<table>output_table_words</table>"}}}},
			{"cell_type": "code", "execution_count": 2, "metadata": cell{}, "source": "%timeit weigh_pears([])\n!ls\nthird_cell_name = weigh_pears([2])",
				"outputs": []cell{{"output_type": "error", "ename": "KeyError", "evalue": "plum", "traceback": []string{"\x1b[31mKeyError\x1b[0m: plum"}}}},
			{"cell_type": "raw", "metadata": cell{}, "source": []string{"raw_cell_words here"}},
		},
		"metadata": cell{"kernelspec": cell{"language": "python", "name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	tl.writeAll(files{"harvest.ipynb": string(notebook), "cut.ipynb": `{"cells": [ {"cell_type": "code", "source": ["def cut_notebook`, "empty.ipynb": ""})
	tl.commit()
	tl.index()
	tl.wantSymbol("weigh_pears", symbolPlace{path: "harvest.ipynb", kinds: "function", lang: "python"})
	for _, word := range []string{"third_cell_name", "Harvest report"} {
		if h := tl.find(word, "harvest.ipynb"); !strings.Contains(h.Text, word) {
			t.Errorf("%s: %q", word, h.Text)
		}
	}
	for _, a := range tl.batch(ask{topK: 40}, questions("weigh_pears", "harvest report", "image png display_data", encoded[400:440],
		"KeyError plum traceback", "output_table_words")...) {
		for _, h := range a.Results {
			for _, bad := range []string{encoded[96:128], encoded[5000:5032], "\x1b", `\u001b`, "output_table_words"} {
				if strings.Contains(h.Text, bad) {
					t.Errorf("%q: an output is shown by %v", a.Query, h)
				}
			}
		}
	}
	if f := tl.fileTable()["cut.ipynb"]; f.State == "indexed" {
		tl.find("cut_notebook", "cut.ipynb")
	} else if f.Reason == "" {
		t.Errorf("a broken notebook: %+v", f)
	}
}
