//go:build unix

package e2e

import (
	"strings"
	"testing"
)

func TestComponentScriptsKeepTheirLines(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"Basket.vue": lines(
			`<!-- <script>function commentedOut() {}</script> -->`,
			`<template>`,
			`  <button @click="putIn(2)">{{ count }}</button>`,
			`</template>`,
			``,
			`<script lang="ts">`,
			`export type BasketLine = { sku: string }`,
			`export default { name: 'BasketView' }`,
			`</script>`,
			``,
			`<script`,
			`  lang='ts'`,
			`  setup`,
			`>`,
			`import { ref } from 'vue'`,
			`const count = ref(0)`,
			``,
			`// Puts n pieces in.`,
			`function putIn(n: number): void {`,
			`  count.value += n`,
			`}`,
			`const takeOut = (n: number) => { count.value -= n }`,
			`</script>`,
			``,
			`<style scoped>.b { color: blue }</style>`),
		"Bare.vue":    "<template>\n  <p>words_of_a_template</p>\n</template>\n",
		"Late.svelte": lines(`<h1>Hello</h1>`, ``, `<script>`, `  export let size = 1;`, `  function growBy(n) {`, `    size += n;`, `  }`, `</script>`),
		"page.html": lines(`<!doctype html>`, `<html><body>`, `<script>`, `function pageReady() {`, `  return true`, `}`, `</script>`,
			`<script type="application/json">{"not": "code"}</script>`, `</body></html>`),
		"Cut.vue": "<script>\nfunction neverClosed() {\n  return 1\n}\n",
	})
	tl.commit()
	tl.index()
	tl.wantSymbol("BasketLine", symbolPlace{path: "Basket.vue", start: 7, kinds: "type interface"})
	h := tl.wantSymbol("putIn", symbolPlace{path: "Basket.vue", start: 18, end: 21, kinds: "function", lang: "typescript"})
	if !strings.HasPrefix(h.Text, "// Puts n") {
		t.Errorf("putIn is %q", h.Text)
	}
	tl.wantSymbol("takeOut", symbolPlace{path: "Basket.vue", start: 22, end: 22, kinds: "function constant variable"})
	tl.wantSymbol("growBy", symbolPlace{path: "Late.svelte", start: 5, end: 7, kinds: "function"})
	tl.wantSymbol("pageReady", symbolPlace{path: "page.html", start: 4, end: 6, kinds: "function"})
	tl.findAt("words_of_a_template", "Bare.vue", 2)
	tl.findAt("neverClosed", "Cut.vue", 2)
}

func TestDecoratedDefinitionsStartAtTheirDecorators(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"jobs.py": lines(
			`import registry`,
			``,
			`def undecorated_first():`,
			`    return 0`,
			``,
			`@registry.task(`,
			`    retries=3,`,
			`)`,
			`@registry.timed`,
			`async def decorated_job():`,
			`    return 1`,
			``,
			`@registry.model`,
			`class DecoratedCrate:`,
			`    @property`,
			`    def volume_of(self):`,
			`        return 2`,
			``,
			`    # builds one`,
			`    @classmethod`,
			`    def build_crate(cls):`,
			`        return cls()`),
		"ctrl.ts": lines(
			`@Controller("/users")`,
			`export class UserPages {`,
			`  @Get("/:id")`,
			`  @Guarded()`,
			`  showUser(id: string) {`,
			`    return id`,
			`  }`,
			`}`),
		"Api.java": lines(
			`class Api {`,
			`    /** Lists them. */`,
			`    @GetMapping("/all")`,
			`    @Deprecated`,
			`    public int listAll() {`,
			`        return 0;`,
			`    }`,
			`}`),
		"lib.rs": lines(`/// Counts.`, `#[inline]`, `#[must_use]`, `pub fn count_them() -> u32 {`, `    7`, `}`),
	})
	tl.commit()
	tl.index()
	if h := tl.wantSymbol("undecorated_first", symbolPlace{path: "jobs.py", start: 3, end: 4}); strings.Contains(h.Text, "@registry") {
		t.Errorf("a decorator of the next function: %q", h.Text)
	}
	tl.wantSymbol("decorated_job", symbolPlace{path: "jobs.py", start: 6, end: 11, kinds: "function"})
	tl.wantSymbol("DecoratedCrate", symbolPlace{path: "jobs.py", start: 13, end: 22, kinds: "class"})
	tl.wantSymbol("volume_of", symbolPlace{path: "jobs.py", start: 15, end: 17, parent: "DecoratedCrate"})
	tl.wantSymbol("build_crate", symbolPlace{path: "jobs.py", start: 19, end: 22, parent: "DecoratedCrate"})
	tl.wantSymbol("showUser", symbolPlace{path: "ctrl.ts", start: 3, end: 7, parent: "UserPages"})
	tl.wantSymbol("listAll", symbolPlace{path: "Api.java", start: 2, end: 7, kinds: "method"})
	tl.wantSymbol("count_them", symbolPlace{path: "lib.rs", start: 1, end: 6, kinds: "function"})
	if h := tl.within(3, ask{}, "registry.timed", "jobs.py"); !strings.Contains(h.Text, "def decorated_job") {
		t.Errorf("the decorator does not lead to its function: %v", h)
	}
}

func TestDefinitionsInsidePreprocessorConditionsAreFound(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"io.h": lines(`#ifndef IO_H`, `#define IO_H`, `#ifdef __cplusplus`, `extern "C" {`, `#endif`, `int prototype_only(void);`,
			`static inline int guarded_inline(void) { return 1; }`, `#ifdef __cplusplus`, `}`, `#endif`, `#endif`),
		"io.c": lines(
			`#include "io.h"`,
			`#if defined(USE_RING)`,
			`int choose_backend(void) { return 1; }`,
			`#elif defined(USE_POLL)`,
			`int choose_backend(void) { return 2; }`,
			`#else`,
			`int choose_backend(void) { return 3; }`,
			`# if DEPTH > 1`,
			`#  ifdef DEBUG`,
			`int buried_deep(void) { return 4; }`,
			`#  endif`,
			`# endif`,
			`#endif`,
			`int outside_all(void) { return 5; }`),
		"win.cpp": lines(`#ifdef _WIN32`, `namespace win {`, `class Pipe {`, `public:`, `  void openPipe() {}`, `};`, `}`, `#endif`),
	})
	tl.commit()
	tl.index()
	tl.wantSymbol("guarded_inline", symbolPlace{path: "io.h", start: 7, kinds: "function"})
	for _, line := range []int{3, 5, 7} {
		tl.wantSymbol("choose_backend", symbolPlace{path: "io.c", start: line, end: line, kinds: "function"})
	}
	tl.wantSymbol("buried_deep", symbolPlace{path: "io.c", start: 10})
	tl.wantSymbol("outside_all", symbolPlace{path: "io.c", start: 14, kinds: "function"})
	tl.wantSymbol("openPipe", symbolPlace{path: "win.cpp", start: 5, parent: "Pipe"})
}

func TestMacrosAreSymbolsAndDoNotHideFunctions(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"cfg.h": lines(`#define MAX_SLOTS 128`, `#define WRAP_SLOT(i) \`, `    ((i) >= MAX_SLOTS ? \`, `     (i) - MAX_SLOTS : (i))`,
			`#define HANDLE(op) { apply(#op); };`,
			`#define EXPORT __attribute__((visibility("default")))`),
		"cfg.c": lines(
			`#include "cfg.h"`,
			`EXPORT int from_macro(int i) { return WRAP_SLOT(i) + MAX_SLOTS; }`,
			`void walk_ops(int k) {`,
			`  switch (k) { case 1: HANDLE(<<) break; case 2: HANDLE(->) break; }`,
			`}`,
			`LIST_HEAD(pending);`,
			`DEFINE_THING(a, b)`,
			`int behind_the_mess(void) { return MAX_SLOTS; }`),
	})
	tl.commit()
	tl.index()
	tl.wantSymbol("MAX_SLOTS", symbolPlace{path: "cfg.h", start: 1, end: 1, kinds: "macro constant"})
	tl.wantSymbol("WRAP_SLOT", symbolPlace{path: "cfg.h", start: 2, end: 4, kinds: "macro function"})
	for _, macro := range []string{"MAX_SLOTS", "WRAP_SLOT"} {
		if h := tl.within(1, ask{}, macro, "cfg.h"); h.name() != macro {
			t.Errorf("%s: a use comes before the definition: %v", macro, h)
		}
	}
	for name, line := range map[string]int{"from_macro": 2, "walk_ops": 3, "behind_the_mess": 8} {
		tl.wantSymbol(name, symbolPlace{path: "cfg.c", start: line, kinds: "function"})
	}
}

func TestNestedDefinitionsHaveParentsAndTrailingCommentsAHome(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"nest.py": lines(
			`def level_one():`,
			`    def level_two():`,
			`        def level_three():`,
			`            return 1`,
			`        return level_three`,
			`    return level_two`,
			`    # closing words about quince jelly`,
			``,
			`class Cabinet:`,
			`    class Drawer:`,
			`        def open_slowly(self):`,
			`            return [q for q in range(3)]`),
		"nest.js": lines(
			`const service = {`,
			`  shortForm() { return 1 },`,
			`  arrowForm: (a) => a,`,
			`  inner: { longForm: function () { return 3 } },`,
			`};`,
			`function workshop() { function product() { return 4 } return product }`,
			`export default class { render() { return 5 } }`),
		"nest.go": lines(`package nest`, ``, `func Outer() func() int {`, `	type localKind struct{ n int }`,
			`	inside := func() int { return 1 }`, `	return inside`, `	// last words about medlar trees`, `}`),
	})
	tl.commit()
	tl.index()
	for _, want := range []struct{ name, parent string }{{"level_two", "level_one"}, {"level_three", "level_two"}, {"Drawer", "Cabinet"},
		{"open_slowly", "Drawer"}} {
		tl.wantSymbol(want.name, symbolPlace{path: "nest.py", parent: want.parent})
	}
	tl.wantSymbol("level_one", symbolPlace{path: "nest.py", start: 1})
	tl.wantSymbol("product", symbolPlace{path: "nest.js", parent: "workshop"})
	for _, name := range []string{"shortForm", "arrowForm", "longForm", "render"} {
		if h := tl.find(name, "nest.js"); !strings.Contains(h.Text, name) {
			t.Errorf("%s: %v", name, h)
		}
	}
	for path, want := range map[string]struct {
		query string
		line  int
	}{"nest.py": {"quince jelly", 7}, "nest.go": {"medlar trees", 7}} {
		if h := tl.findAt(want.query, path, want.line); h.End == h.Start {
			t.Errorf("an orphan of one line: %v", h)
		}
	}
	// One answer may show a named function inside another named one, and no line twice otherwise: checkAnswer holds it.
	tl.search("level_one level_two")
	tl.search("Cabinet.Drawer.open_slowly")
}
