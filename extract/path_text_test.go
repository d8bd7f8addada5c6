package extract

import (
	"strings"
	"testing"
)

func TestReducePath(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x", "x"},
		{"mod.Class(1, f(2))", "mod.Class()"},
		{"await client.get(url)", "client.get()"},
		{"new Foo<Bar>(x)", "Foo()"},
		{"new Foo", "Foo()"},
		{"new a.b.Foo", "a.b.Foo()"},
		{"a.b[0].c", "a.b[].c"},
		{"&mut self.items", "self.items"},
		{"this->store->find(1)", "this.store.find()"},
		{"$this->store?->find(1)", "$this.store.find()"},
		{"std::collections::HashMap::<K, V>::new()", "std.collections.HashMap.new()"},
		{"Config::load(path)?.name", "Config.load().name"},
		{"Config::load(path)?", "Config.load()"},
		{"client.get(u).await?.body", "client.get().body"},
		{"user?.name", "user.name"},
		{"user!.name!", ""},
		{"foo as Bar", "(Bar)"},
		{"Point { x: 1, y: 2 }", "(Point)"},
		{"(await open(x)).read", "open().read"},
		{"a\n  .b()\n  .c()", "a.b().c()"},
		{`f(")").g`, "f().g"},
		{"#private.x", ""},
		{"self.#x", "self.x"},
		{"a + b", ""},
		{"a if b else c", ""},
		{"lambda x: x", ""},
		{"[1, 2]", ""},
		{"{}", ""},
		{"'text'", ""},
		{"12", ""},
		{"a < b", ""},
		{"a..b", ""},
		{"...rest", ""},
		{"f(", ""},
		{"", ""},
		{"None", ""},
		{"None.x", "None.x"},
	} {
		if got := reducePath(c.text); got != c.want {
			t.Errorf("reducePath(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// FuzzReducePath reduces any text: what comes out is a path of bounded length, without what paths leave out.
func FuzzReducePath(f *testing.F) {
	for _, s := range []string{"a.b(c)[d]", "new A<B>()", "x as Y", "P { a }", "(a).b", "a?.b!.c", "&*a::<b>::c", "await a.await"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := reducePath(s)
		if len(p) > maxPathBytes || p != "" && strings.TrimSpace(p) == "" {
			t.Fatalf("%q gives %q", s, p)
		}
		outside, _, _ := strings.Cut(p, "(")
		if strings.ContainsAny(outside, " \t\n<>{}\"'`&*") {
			t.Fatalf("%q gives %q", s, p)
		}
	})
}
