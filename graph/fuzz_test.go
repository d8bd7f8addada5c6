package graph

import (
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// FuzzParsePath reads any text as a path: what is accepted is written again as it was.
func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"", "?", "a", "a.b()[]#1.c", "(map[string]T)[k]", "(func(a) (b))().c", "a..b", "a.", "((", "#1", "a()b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		steps := parsePath(s)
		if steps == nil {
			return
		}
		var b strings.Builder
		for _, step := range steps {
			switch step.kind {
			case stepName:
				b.WriteString(step.name)
			case stepValue:
				b.WriteString("(" + step.name + ")")
			case stepMember:
				b.WriteString("." + step.name)
			case stepCall:
				b.WriteString("()")
			case stepElement:
				b.WriteString("[]")
			case stepKey:
				b.WriteString("[k]")
			case stepResult:
				b.WriteString("#" + step.name)
			}
		}
		if b.String() != s {
			t.Fatalf("%q is read as %q", s, b.String())
		}
	})
}

// FuzzTypes reads any text as a type of each family: no panic, and no tree deeper than the text is long.
func FuzzTypes(f *testing.F) {
	for _, s := range []string{"", "*T", "map[string][]pkg.T", "func(a int) (b, error)", "(x int, err error)", "Optional[\"list[T]\"]", "T | None",
		"Callable[[int, str], T]", "tuple[T, ...]", "Dict[str, List[A.B]]", "[[[[", "]]]", "a[b[c[d["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			return
		}
		for _, family := range []semantics{goSemantics{}, pythonSemantics{}} {
			if typ := family.parseType(s, 0, -1); typ != nil && depthOf(typ) > len(s)+1 {
				t.Fatalf("%q has depth %d", s, depthOf(typ))
			}
		}
	})
}

func depthOf(t *typeRef) int {
	deepest := 0
	for _, a := range t.args {
		if a != nil {
			deepest = max(deepest, depthOf(a))
		}
	}
	return deepest + 1
}

// FuzzResolve extracts and resolves any text in a small repository: edges are in order, lie in the repository, and come
// out the same twice.
func FuzzResolve(f *testing.F) {
	f.Add(byte(0), "package a\n\nimport \"m/b\"\n\nfunc F() { b.G().H(x[0].y) }\n")
	f.Add(byte(1), "from .b import *\nimport a.b as c\n\nclass A(c.B, A):\n    def f(self, x: 'A'):\n        self.y = self.y.f(x)\n        super().f().g()\n")
	f.Add(byte(2), "# A\n\n`b.G` and [x](b/b.go) `G()` ./a.py:3\n")
	f.Add(byte(3), "{\"main\": \"./b/b.go\"}")
	f.Add(byte(1), "from . import *\nfrom .b import *\nx = x.y\ny = x\n@app.route('/a')\ndef z(): pass\n")
	names := []string{"a/a.go", "p/a.py", "a/a.md", "a/package.json"}
	f.Fuzz(func(t *testing.T, which byte, text string) {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\r\n", "\n")
		files := map[string]string{
			"go.mod": "module m\n", "b/b.go": "package b\n\ntype T struct{ U }\n\ntype U = T\n\nfunc G() (t *T) { return }\n\nfunc (t T) H() {}\n",
			"p/b.py":            "from .a import *\nfrom . import a\n\nclass B(a.A):\n    z = a.z\n    def g(self): return self.f()\n",
			"p/__init__.py":     "from .b import *\nfrom .a import *\n",
			names[int(which)%4]: text,
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
