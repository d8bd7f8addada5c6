package graph

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// nominalVariants are the texts that files of a small repository in many languages can have; "" means that the file is not
// there.
var nominalVariants = map[string][]string{
	"j/A.java": {"package j;\nimport k.B;\nclass A extends B { int n = 1; void go(B b) { run(); b.run(1); } }\n", "package j;\nimport k.*;\nclass A { B b; void go() { b.run(); } }\n", ""},
	"k/B.java": {"package k;\npublic class B extends C { public void run() {} public void run(int a) {} }\n", "package k;\npublic class B { static int X = 1; }\n", ""},
	"k/C.java": {"package k;\npublic class C { public void run() { new B(); } }\n", "package z;\npublic class C { }\n", ""},
	"k/e.kt":   {"package k\nfun B.run(s: String) = j.A()\nfun use(b: B) { b.run(\"x\"); b.run() }\n", "package k\nimport j.A as Z\nclass Q(val z: Z) { fun f() { z.go(null) } }\n", ""},
	"s/S.scala": {
		"package k\nimport s.{T => U}\nobject O { def m: U = new U }\n", "package s\nclass T { def x = k.O.m }\n", ""},
	"c/a.cs":       {"using N.M;\nnamespace N { class A : B { void F() { G(); x.Ext(); } B x; } }\n", "namespace N;\nclass A { B b; }\n", ""},
	"c/b.cs":       {"namespace N.M { partial class B { public void G() {} } static class E { public static void Ext(this B b) {} } }\n", "namespace N { partial class B { } }\n", ""},
	"c/b2.cs":      {"namespace N.M { partial class B { public int H; void K() { G(); } } }\n", ""},
	"c/Usings.cs":  {"global using N.M;\n", "global using B = N.M.B;\n", ""},
	"Cargo.toml":   {"[package]\nname = \"one\"\n", "[package]\nname = \"two\"\n", ""},
	"src/lib.rs":   {"pub mod m;\npub use m::T as R;\nfn f(r: R) { r.go(); one::m::h(); }\n", "mod m;\nuse m::*;\nfn f() { h(); T::new().go(); }\n", ""},
	"src/m.rs":     {"pub struct T { x: u8 }\nimpl T { pub fn new() -> Self { T { x: 1 } } pub fn go(&self) { self.x; super::f() } }\npub fn h() {}\n", "use super::*;\npub fn h() { f() }\n", ""},
	"src/m/mod.rs": {"pub struct T;\n", ""},
	"inc/h.h":      {"int f(int a);\nstruct s { int v; };\n", "#include \"h2.h\"\n", ""},
	"inc/h2.h":     {"int f(int a);\n#define K 1\n", ""},
	"x/f.c":        {"#include \"h.h\"\nint f(int a) { return K; }\n", "static int f(int a) { return 1; }\n", ""},
	"x/g.c":        {"#include <h.h>\nint g(struct s *p) { return f(p->v) + K; }\n", ""},
	"x/n.cpp":      {"#include \"n.hpp\"\nvoid n::A::go() { stop(); }\n", "#include \"n.hpp\"\nusing namespace n;\nint main() { A a; a.go(); }\n", ""},
	"x/n.hpp":      {"namespace n { class A { void go(); void stop(); }; }\n", "namespace o { class A { }; }\n", ""},
	"w/a.swift":    {"class A: P { func f() { g(); B().h() } }\n", "struct B { func h() {} }\nprivate func g() {}\n", ""},
	"w/b.swift":    {"extension A { func g() {} }\nprotocol P { }\n", "struct B { func h() -> A { A() } }\n", ""},
	"e/a.ex":       {"defmodule A do\n  alias B.C, as: D\n  import B\n  def f(x), do: D.g(x) |> h()\nend\n", "defmodule B.C do\n  def g(x), do: A.f(x)\nend\n", ""},
	"e/b.ex":       {"defmodule B do\n  def h(x), do: x\n  defmodule C do\n    def g(x), do: x\n    def g(x, y), do: g(x)\n  end\nend\n", "defmodule B do\n  def h(x, y), do: x\nend\n", ""},
}

// TestNominalIncrementalEqualsFresh is TestIncrementalEqualsFresh for the languages of nominal.go and elixir.go.
func TestNominalIncrementalEqualsFresh(t *testing.T) {
	paths := slices.Sorted(maps.Keys(nominalVariants))
	kept := 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 11))
		files, links := map[string]string{}, map[string]printed{}
		m := newMemory(t, files, nil)
		for step := range 60 {
			before := m
			files = maps.Clone(files)
			for range 1 + rng.IntN(3) {
				p := paths[rng.IntN(len(paths))]
				if text := nominalVariants[p][rng.IntN(len(nominalVariants[p]))]; text != "" {
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
				} else {
					kept++
				}
				next[p] = old
				if want := printLinks(t, m, fresh, f); want.edges != old.edges || want.unresolved != old.unresolved {
					t.Fatalf("seed %d step %d: %s differs after changes of %v\nfresh %s %s\nupdate %s %s\ndepends on %q", seed, step, p, changed,
						want.unresolved, want.edges, old.unresolved, old.edges, old.dependsOn)
				}
			}
			links = next
		}
	}
	if kept == 0 {
		t.Error("nothing was ever kept")
	}
}

func TestArgumentCounts(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
		ok   bool
	}{
		{"()", 0, true}, {"(a, b)", 2, true}, {"(f(a, b), \",\")", 2, true}, {"<int, T>(a)", 1, true}, {" { it }", 1, true}, {"(1) { 2 }", 2, true},
		{"([1, 2], {a, b})", 2, true}, {"(a", 0, false}, {" = 1", 0, false},
	} {
		if n, ok := countArguments(c.text); n != c.want || ok != c.ok {
			t.Errorf("%q: %d, %v; want %d, %v", c.text, n, ok, c.want, c.ok)
		}
	}
}

func TestParameterCounts(t *testing.T) {
	const many = 1 << 40
	for _, c := range []struct {
		name, signature string
		least, most     int
	}{
		{"f", "void f(int a, Map<K, V> b)", 2, 2}, {"f", "fun f(a: Int, b: Int = 1)", 1, 2}, {"f", "int f(void);", 0, 0}, {"f", "void f(String... xs)", 0, many},
		{"F", "static void F(this T t, int a)", 1, 2}, {"f", "fun <T> f(g: (A, B) -> C)", 1, 1}, {"A", "A::A(int n)", 1, 1}, {"f", "void f(int a, cut", 0, many},
	} {
		least, most := parameterCounts(&agenvantage.Symbol{Name: c.name, Signature: c.signature})
		if least != c.least || min(most, many) != c.most {
			t.Errorf("%q: %d to %d, want %d to %d", c.signature, least, most, c.least, c.most)
		}
	}
}

func TestTypeParameters(t *testing.T) {
	for _, c := range []struct{ name, signature, kind, want string }{
		{"A", "class A<T extends B<C>, U>", "class", "T=B<C> U="}, {"f", "public <K> List<K> f(int a)", "method", "K="}, {"f", "fun <T : Foo> f()", "function", "T=Foo"},
		{"A", "class A[T <: Foo, +F[_]]", "class", "T=Foo F="}, {"A", "class A extends B<C>", "class", ""}, {"f", "fn f<'a, T: X + Y>(x: Vec<T>)", "function", "a= T=X"},
	} {
		var got []string
		for _, p := range typeParameterParts(&agenvantage.Symbol{Name: c.name, Signature: c.signature, Kind: agenvantage.SymbolKind(c.kind)}) {
			got = append(got, p[0]+"="+p[1])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %q, want %q", c.signature, got, c.want)
		}
	}
}

// FuzzNominal resolves any text in each of the languages: edges lie in the repository and come out the same twice, and a
// type read from any text is no deeper than the text is long.
func FuzzNominal(f *testing.F) {
	names := slices.Sorted(maps.Keys(nominalVariants))
	for i, name := range names {
		f.Add(byte(i), nominalVariants[name][0])
	}
	f.Add(byte(0), "import a.b.{c => d, _}\n#include \"../x.h\"\nuse a::{b, c as d, *};\nusing static A.B;\nalias A.{B, C}\n")
	f.Fuzz(func(t *testing.T, which byte, text string) {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\r\n", "\n")
		if text != "" {
			if typ := (nominal{}).parseType(text, 0, -1); typ != nil && depthOf(typ) > len(text)+1 {
				t.Fatalf("%q has depth %d", text, depthOf(typ))
			}
		}
		files := map[string]string{}
		for _, name := range names {
			files[name] = nominalVariants[name][0]
		}
		files[names[int(which)%len(names)]] = text
		m := newMemory(t, files, nil)
		for file := range uint32(m.FileCount()) {
			links, err := NewResolver(m).Resolve(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range links.Edges {
				if e.From.File != file || int(e.To.File) >= m.FileCount() || e.To.Symbol >= len(m.files[m.Path(e.To.File)].x.Symbols) {
					t.Fatalf("edge %+v", e)
				}
			}
			again, err := NewResolver(m).Resolve(file)
			if err != nil || !slices.Equal(links.Edges, again.Edges) || !slices.Equal(links.DependsOn, again.DependsOn) {
				t.Fatalf("another answer the second time: %v", err)
			}
		}
	})
}
