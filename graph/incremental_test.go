package graph

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// variants are the texts that files of a small repository can have; "" means that the file is not there.
var variants = map[string][]string{
	"go.mod": {"module m\n", "module n\n", ""},
	"a/a.go": {
		"package a\n\ntype T struct{ N int }\n\nfunc (t *T) Run() *T { return t }\n\nfunc Make() *T { return &T{} }\n",
		"package a\n\nimport \"m/b\"\n\ntype T struct{ b.Base }\n\nfunc Make() *T { return &T{} }\n\nvar Limit = 3\n",
		"package aa\n\ntype Runner interface{ Run() *T }\n\ntype T int\n\nfunc Other() Runner { return nil }\n",
		"package a\n\n\nfunc Unrelated() {}\n\ntype T struct{ N int }\n\nfunc (t *T) Run() *T { return t }\n\nfunc Make() *T { return &T{} }\n",
		"",
	},
	"a/more.go":   {"package a\n\nfunc (t *T) Stop() { helper() }\n\nfunc helper() {}\n", "package a\n\nfunc Make() int { return 1 }\n", ""},
	"a/a_test.go": {"package a\n\nfunc helper() {}\n\nfunc TestRun() { Make().Run(); helper() }\n", ""},
	"b/b.go": {
		"package b\n\ntype Base struct{}\n\nfunc (b Base) Run() Base { return b }\n\ntype Stopper interface{ Stop() }\n",
		"package b\n\ntype Base struct{ Deep }\n\ntype Deep struct{}\n\nfunc (d Deep) Run() {}\n", "",
	},
	"c/c.go": {
		"package c\n\nimport (\n\tx \"m/a\"\n\t\"m/b\"\n)\n\nfunc use(s b.Stopper) { v := x.Make(); v.Run().Run(); s.Stop(); _ = x.Limit }\n",
		"package c\n\nimport . \"m/a\"\n\nfunc use() { Make().Stop(); Other().Run() }\n",
		"package c\n\nimport \"n/a\"\n\nfunc use() { aa.Other(); a.Make() }\n",
	},
	"p/__init__.py": {"from .m import load as fetch\n", "from .m import *\nfrom .k import K\n", "", "x = 1\n"},
	"p/m.py": {
		"from .k import K\n\ndef load(k: K):\n    return k.run()\n",
		"import p\n\ndef load(k):\n    return k.special_run()\n\ndef _hidden():\n    return p.fetch(1)\n",
		"class K:\n    def run(self):\n        return self\n", "",
	},
	"p/k.py": {
		"class Base:\n    def special_run(self):\n        self.db = K()\n\nclass K(Base):\n    def run(self):\n        return self.db.special_run()\n",
		"from .m import load\n\nclass K:\n    run = load\n", "",
	},
	"app.py":         {"import p.k as z\nfrom p import fetch, K\n\ndef main(argv):\n    fetch(z.K())\n    K().run().special_run()\n", "from p import *\n\nprint(load(1))\n"},
	"src/p/k.py":     {"", "", "class K:\n    pass\n"},
	"test_app.py":    {"from app import main\n\ndef test_main():\n    main([])\n", ""},
	"w/package.json": {"{\"name\": \"w\", \"exports\": {\".\": \"./dist/i.js\"}}\n", "{\"name\": \"v\"}\n", ""},
	"tsconfig.json":  {"{\"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"~/*\": [\"w/src/*\"]}}}\n", ""},
	"w/src/i.ts":     {"export * from \"./k\";\nexport { run as go } from \"./m\";\n", "export { K } from \"./m\";\nexport default K;\n", ""},
	"w/src/k.ts":     {"import { go } from \"./i\";\nexport class K extends Top { run(): K { return this.far(); } }\nclass Top { far(): K { go(); return new K(); } }\n", "export const K = { far() { return this.far(); } };\n", ""},
	"w/src/m.ts":     {"import { K } from \"./k\";\nexport function run(k: K) { k.run().far(); }\n", "export class K { far() {} }\n", ""},
	"w/src/k.js":     {"module.exports = { K, far };\nfunction K() {}\nK.prototype.far = function () { far(this.far()); };\nfunction far() {}\n", ""},
	"x.ts":           {"import { K, go } from \"w\";\nimport * as m from \"~/m\";\nconst k = new K();\nk.far();\ngo(k);\nm.run(k).far();\n", "const { K } = require(\"./w/src/k\");\nnew K().far();\n"},
	"php/a.php":      {"<?php\nnamespace P;\nuse Q\\B;\nclass A extends B { use T; function f(B $b) { $this->g(); $b->t(); return self::make()->f(1); } }\n", "<?php\nnamespace P;\nclass A { function g() {} }\n", ""},
	"php/b.php":      {"<?php\nnamespace Q;\nclass B { static function make(): static { return new static(); } function g() {} }\n", "<?php\nnamespace P;\ntrait T { function t() { $this->t(); } }\nclass B { function t() {} }\n", ""},
	"rb/lib/a.rb":    {"require 'b'\nmodule M\n  class A < B\n    def go\n      far\n      B.new.far\n    end\n  end\nend\n", "module M\n  class A\n    attr_reader :far\n    include Mix\n  end\nend\n", ""},
	"rb/lib/b.rb":    {"module M\n  class B\n    def far\n      A.new.go\n    end\n  end\nend\n", "class B\n  def far; end\nend\nmodule Mix\n  def far; end\nend\n", ""},
	"lua/a.lua":      {"local b = require(\"b\")\nlocal M = {}\nfunction M.go() b.far() M.far() end\nfunction M.far() return b end\nreturn M\n", "function far() end\n", ""},
	"lua/b.lua":      {"local a = require(\"a\")\nreturn { far = function() a.go() far() end }\n", "local B = setmetatable({}, { __index = require(\"a\") })\nfunction B.far() B.go() end\nreturn B\n", ""},
	"sh/a.sh":        {". ./b.sh\ngo() { far; }\ngo\n", "far() { :; }\n", ""},
	"sh/b.sh":        {"source a.sh\nfar() { go; }\n", "far\n", ""},
	"README.md":      {"# Use\n\nCall `Make()` of `a/a.go`, see [k](p/k.py) and `K.run`.\n", "# Use\n\n`more.go` has `helper()`.\n"},
	"package.json":   {"{\"main\": \"./lib/x.js\", \"scripts\": {\"a\": \"python app.py\"}}\n", ""},
}

// printed are the links of a file as text that does not depend on ranks of paths.
type printed struct {
	edges, unresolved string
	dependsOn         []string
}

func printLinks(t *testing.T, m *memory, r *Resolver, f uint32) printed {
	t.Helper()
	links, err := r.Resolve(f)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range links.Edges {
		fmt.Fprintln(&b, m.edge(e))
	}
	return printed{b.String(), fmt.Sprint(links.Unresolved), links.DependsOn}
}

// TestIncrementalEqualsFresh edits a small repository at random and resolves what the rule of depends.go names: the links
// of every file must be those of a build from nothing.
func TestIncrementalEqualsFresh(t *testing.T) {
	paths := slices.Sorted(maps.Keys(variants))
	resolved, kept := 0, 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 7))
		files := map[string]string{}
		m := newMemory(t, files, nil)
		links := map[string]printed{}
		for step := range 60 {
			before := m
			files = maps.Clone(files)
			for range 1 + rng.IntN(3) {
				p := paths[rng.IntN(len(paths))]
				if text := variants[p][rng.IntN(len(variants[p]))]; text != "" {
					files[p] = text
				} else {
					delete(files, p)
				}
			}
			m = newMemory(t, files, before)
			changed := changedFiles(before, m)
			fresh, update := NewResolver(m), NewResolver(m)
			next := map[string]printed{}
			for f := range uint32(m.FileCount()) {
				p := m.Path(f)
				old, known := links[p]
				if own := before.files[p] != m.files[p]; !known || own || Stale(old.dependsOn, changed) {
					old = printLinks(t, m, update, f)
					resolved++
				} else {
					kept++
				}
				next[p] = old
				if want := printLinks(t, m, fresh, f); want.edges != old.edges || want.unresolved != old.unresolved || !slices.Equal(want.dependsOn, old.dependsOn) {
					t.Fatalf("seed %d step %d: %s differs after changes of %v\nfresh %s %s\nupdate %s %s\ndepends on %q\nfresh depends on %q", seed, step, p, changed,
						want.unresolved, want.edges, old.unresolved, old.edges, old.dependsOn, want.dependsOn)
				}
			}
			links = next
		}
	}
	if kept < resolved/4 {
		t.Errorf("the rule resolves nearly everything: %d resolved, %d kept", resolved, kept)
	}
	t.Logf("%d resolved, %d kept", resolved, kept)
}

// changedFiles are the keys that differ between two states, sorted.
func changedFiles(before, now *memory) []string {
	provides := func(m *memory, p string) []string {
		f := m.files[p]
		if f == nil {
			return nil
		}
		text := ""
		if manifestFamily(p) != "" {
			text = f.text
		}
		return Provides(p, &f.x, text)
	}
	var keys []string
	for _, p := range append(slices.Clone(before.paths), now.paths...) {
		if before.files[p] != now.files[p] {
			keys = append(keys, ChangedKeys(provides(before, p), provides(now, p))...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func TestChangedKeys(t *testing.T) {
	for _, c := range []struct {
		name        string
		before, now []string
		want        string
	}{
		{"same", []string{"n:a\x001"}, []string{"n:a\x001"}, ""},
		{"added", nil, []string{"n:a\x001", "p:x\x00"}, "n:a p:x"},
		{"removed", []string{"n:a\x001", "n:b\x001"}, []string{"n:a\x001"}, "n:b"},
		{"another fingerprint", []string{"n:a\x001", "n:b\x001"}, []string{"n:a\x002", "n:b\x001"}, "n:a"},
		{"twice the same", []string{"n:a\x001", "n:a\x001"}, []string{"n:a\x001"}, "n:a"},
	} {
		if got := strings.Join(ChangedKeys(c.before, c.now), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if Stale([]string{"a", "c"}, []string{"b", "d"}) || !Stale([]string{"a", "c"}, []string{"c"}) || Stale(nil, []string{"a"}) {
		t.Error("Stale does not tell whether the lists share a key")
	}
}
