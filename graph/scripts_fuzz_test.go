package graph

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// FuzzResolveScripts extracts and resolves any text as a file of a scripting language, or as a manifest, beside files that
// refer to it: edges are in order, lie in the repository, and come out the same twice.
func FuzzResolveScripts(f *testing.F) {
	names := []string{"a.ts", "a.js", "package.json", "tsconfig.json", "a.php", "a.rb", "a.lua", "a.sh", "a.tsx", "a.vue"}
	for which, text := range []string{
		"export * from './b';\nexport { x as y, z as default } from './a';\nimport * as a from './a';\nclass A extends A { #p = this.#p.q; m(): A[] { return super.m() } }\ntype T = T | { a: T }[];\n",
		"const a = require('./a'), { b } = require('./b');\nmodule.exports = a;\nmodule.exports = require('./b');\nA.prototype.f = function () { this.f(); };\nfunction A() {}\n",
		"{\"name\": \"a\", \"exports\": {\"./*\": {\"import\": [\"./*.ts\", null]}, \".\": 3}, \"imports\": {\"#*\": \"./*\"}}",
		"{\"extends\": \"./tsconfig.json\", \"compilerOptions\": {\"baseUrl\": \"../..\", \"paths\": {\"*\": [\"*\", \"/x\"], \"**\": [3],}}} // x",
		"<?php namespace N; use N\\A as A, N\\{B, C as D}; class A extends \\N\\A { use A; function f(?A $a): static { return parent::f(self::X)->f(); } }",
		"module A\n  class B < B\n    include A\n    def c = @c.d&.e!\n    @c ||= B.new\n    def d; c; end\n  end\nend\nclass A::B; def c; super; end; end\n",
		"local a = require('a')\nlocal b = setmetatable({}, { __index = b })\nfunction b:c() self:c():d() end\nreturn b\n",
		". ./a.sh\nsource \"$(x)/a.sh\"\na() { a; b; }\nfunction b { $a; }\n",
		"export default function A({ b, c: [d] }: P) { return <A.B {...b}><A/></A.B>; }\nconst x: typeof x = x.map((y) => y.z).then((w) => w());\n",
		"<script setup lang=\"ts\">\nimport A from './a.vue';\nA.b();\n</script>\n<template><A/></template>\n",
	} {
		f.Add(byte(which), text)
	}
	f.Fuzz(func(t *testing.T, which byte, text string) {
		files := map[string]string{
			"b.ts": "export * from './a';\nimport a, { x } from './a';\nimport w from 'a/c';\na.x().y; x(w);\n", "b.js": "module.exports = require('./a');\nrequire('./a').f();\n",
			"b.php": "<?php namespace N; class B extends A { function g() { $this->f()->g(); } }", "b.rb": "require_relative 'a'\nclass A::B\n  def e!; c.d; end\nend\n",
			"b.lua": "local a = require('a')\na.c():d()\n", "b.sh": "source a.sh\na\n",
			names[int(which)%len(names)]: strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\r\n", "\n"),
		}
		m := newMemory(t, files, nil)
		for file := range uint32(m.FileCount()) {
			links, err := NewResolver(m).Resolve(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range links.Edges {
				if e.From.File != file || int(e.To.File) >= m.FileCount() || e.Line < 1 || e.Confidence < agenvantage.ByName || e.Confidence > agenvantage.ByScope ||
					e.From.Symbol >= len(m.files[m.Path(file)].x.Symbols) || e.To.Symbol >= len(m.files[m.Path(e.To.File)].x.Symbols) {
					t.Fatalf("edge %+v", e)
				}
				if i > 0 && CompareEdges(links.Edges[i-1], e) >= 0 {
					t.Fatalf("edge %+v does not come after %+v", e, links.Edges[i-1])
				}
			}
			again, err := NewResolver(m).Resolve(file)
			if err != nil || !slices.Equal(links.Edges, again.Edges) || !slices.Equal(links.DependsOn, again.DependsOn) {
				t.Fatalf("another answer the second time: %v", err)
			}
		}
	})
}

// FuzzWithoutComments: what is JSON already means the same afterwards.
func FuzzWithoutComments(f *testing.F) {
	for _, s := range []string{`{"a": "// no comment", "b": [1, 2]}`, "{\"a\": 1, // x\n}", `{"a": "\"/*", /* y */ "b": [1,],}`, `"`, `/*`, `{"a":"\\"}`, ",]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var before, after any
		if json.Unmarshal([]byte(s), &before) != nil {
			withoutComments(s)
			return
		}
		if err := json.Unmarshal([]byte(withoutComments(s)), &after); err != nil {
			t.Fatalf("%q became %q: %v", s, withoutComments(s), err)
		}
		if a, b := mustJSON(t, before), mustJSON(t, after); a != b {
			t.Fatalf("%s became %s", a, b)
		}
	})
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
