package graph

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestMatchStar(t *testing.T) {
	for _, c := range []struct {
		pattern, name, rest string
		ok                  bool
	}{
		{"./a", "./a", "", true},
		{"./a", "./ab", "", false},
		{"@x/*", "@x/a/b", "a/b", true},
		{"@x/*", "@y/a", "", false},
		{"*/dist", "a/dist", "a", true},
		{"ab*ba", "aba", "", false}, // both ends must fit beside each other
		{"*", "", "", true},
	} {
		if rest, ok := matchStar(c.pattern, c.name); rest != c.rest || ok != c.ok {
			t.Errorf("matchStar(%q, %q) = %q, %v; want %q, %v", c.pattern, c.name, rest, ok, c.rest, c.ok)
		}
	}
}

func TestWithoutComments(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"a": 1}`, `{"a": 1}`},
		{"{\"a\": 1, // one\n}", "{\"a\": 1 \n}"},
		{`{"a": "//", "b": "/* */"}`, `{"a": "//", "b": "/* */"}`},
		{`[1, /* two */ ]`, `[1  ]`},
		{`{"a": "\"", "b": [1,],}`, `{"a": "\"", "b": [1]}`},
		{`{"a" /* open`, `{"a" `},
	} {
		if got := withoutComments(c.in); strings.ReplaceAll(got, "\n", "") != strings.ReplaceAll(c.want, "\n", "") {
			t.Errorf("withoutComments(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// typeString writes a type for people: name<argument, …>.
func typeString(r *typeRef) string {
	if r == nil {
		return "-"
	}
	if len(r.args) == 0 {
		return r.name
	}
	args := make([]string, len(r.args))
	for i, a := range r.args {
		args[i] = typeString(a)
	}
	return r.name + "<" + strings.Join(args, ",") + ">"
}

func TestTypeScriptTypes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Foo", "Foo"},
		{"ns.Foo<Bar>", "ns.Foo<Bar>"},
		{"Foo[]", "[]<Foo>"},
		{"readonly Foo[][]", "[]<[]<Foo>>"},
		{"Array<Foo | null>", "[]<Foo>"},
		{"Promise<Foo>", "Foo"},
		{"Map<string, Foo>", "map<string,Foo>"},
		{"Foo | undefined", "Foo"},
		{"Foo & Bar", "&<Foo,Bar>"},
		{"A | B", "|<A,B>"},
		{"(x: A, y?: B) => Foo", "func<Foo>"},
		{"<T>(x: T) => Foo", "func<Foo>"},
		{"(A | B)[]", "[]<|<A,B>>"},
		{"[A, B]", "()<A,B>"},
		{"typeof foo.bar", "foo.bar"},
		{"ReturnType<typeof make>", "make()"},
		{"keyof Foo", "-"},
		{"'a' | 'b'", "-"},
		{"{ a: Foo }", "-"},
		{"T extends U ? A : B", "-"},
		{"x is Foo", "-"},
		{"Foo['bar']", "-"},
		{"void", "-"},
		{"Foo<", "Foo"},
		{")", "-"},
	} {
		if got := typeString(ecmaSemantics{}.parseType(c.text, 0, -1)); got != c.want {
			t.Errorf("%q is %s, want %s", c.text, got, c.want)
		}
	}
}

func TestPHPTypes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Foo", "Foo"}, {"?Foo", "Foo"}, {"null|Foo|Bar", "Foo"}, {`A\B`, "A.B"}, {`\A\B`, phpRooted + "A.B"}, {"int|string", "-"}, {"(A&B)|null", "A"}, {"array", "-"},
	} {
		if got := typeString(phpSemantics{}.parseType(c.text, 0, -1)); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestPackageTargets(t *testing.T) {
	var table any
	if err := json.Unmarshal([]byte(`{".": {"import": "./dist/index.mjs", "require": "./dist/index.cjs"}, "./sub/*": "./lib/*.js", "./x": ["./x.ts"]}`), &table); err != nil {
		t.Fatal(err)
	}
	k := &ecmaPackage{dir: "p"}
	for _, c := range []struct{ name, want string }{
		{".", "p/dist/index.mjs p/src/index p/index p/dist/index.cjs p/src/index p/index"},
		{"./sub/a", "p/lib/a.js p/src/a p/a"},
		{"./x", "p/x.ts"},
		{"./y", ""},
	} {
		if got := strings.Join(k.targets(table, c.name, k.dir), " "); got != c.want {
			t.Errorf("targets of %q: %q, want %q", c.name, got, c.want)
		}
	}
}
