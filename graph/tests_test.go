package graph

import (
	"slices"
	"strings"
	"testing"
)

func TestTestedStems(t *testing.T) {
	for _, c := range []struct{ base, want string }{
		{"store_test.go", "store"},
		{"test_store.py", "store"},
		{"store_test.py", "store"},
		{"StoreTest.java", "Store"},
		{"StoreTests.cs", "Store"},
		{"StoreIT.java", "Store"},
		{"TestStore.java", "Store"},
		{"store.spec.ts", "store"},
		{"store.test.tsx", "store"},
		{"store_spec.rb", "store"},
		{"store.go", ""},
		{"test.py", ""},
		{"_test.go", ""},
	} {
		if got := strings.Join(testedStems(c.base), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.base, got, c.want)
		}
	}
}

func TestArity(t *testing.T) {
	for _, c := range []struct {
		signature           string
		parameters, results int
		ok                  bool
	}{
		{"func (s *T) Run(p []byte) (int, error)", 1, 2, true},
		{"Run() float64", 0, 1, true},
		{"Run()", 0, 0, true},
		{"Run(a, b int, f func(x, y int) (int, error)) map[string]struct{}", 3, 1, true},
		{"func (s *T) Run(a int,) (x, y int)", 1, 2, true},
		{"func (s *T) Run(a map[string]func(", 0, 0, false},
		{"Walk()", 0, 0, false},
	} {
		s := symbolNamed("Run", c.signature)
		p, r, ok := arity(&s)
		if p != c.parameters || r != c.results || ok != c.ok {
			t.Errorf("%s: %d %d %v", c.signature, p, r, ok)
		}
	}
}

func TestBracketNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Pair[K comparable, V any] struct", "K V"},
		{"Pair[K, V any]", "K V"},
		{"(p *Pair[A, B]", "A B"},
		{"Set[T interface{ ~int | ~[]string }]", "T"},
		{"Plain struct", ""},
		{"Cut[K", ""},
	} {
		if got := strings.Join(bracketNames(c.text), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestGoExternalName(t *testing.T) {
	for path, want := range map[string]string{"gopkg.in/yaml.v3": "yaml", "example.com/yaml/v3": "yaml", "github.com/a/go-git": "git", "fmt": "fmt", "example.com/a-b": "a_b"} {
		if got := goExternalName(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestPythonTypes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"T", "T"}, {"'T'", "T"}, {"a.T", "a.T"}, {"Optional[T]", "T"}, {"None | T", "T"}, {"T | None", "T"}, {"Union[None, T, U]", "T"},
		{"list[T]", "[](T)"}, {"typing.List['T']", "[](T)"}, {"dict[str, T]", "map(str T)"}, {"tuple[T, ...]", "[](T)"}, {"Tuple[T, U]", "()(T U)"},
		{"Callable[[int, str], T]", "func(T)"}, {"Type[T]", "type(T)"}, {"Box[T]", "Box(T)"}, {"Awaitable[T]", "T"}, {"Annotated[T, 'x']", "T"},
		{"None", "-"}, {"Literal['a']", "-"}, {"1 + 2", "-"}, {"", "-"},
	} {
		got := "-"
		if c.text != "" {
			got = printType((pythonSemantics{}).parseType(c.text, 0, -1))
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func printType(t *typeRef) string {
	if t == nil {
		return "-"
	}
	if len(t.args) == 0 {
		return t.name
	}
	var args []string
	for _, a := range t.args {
		args = append(args, printType(a))
	}
	return t.name + "(" + strings.Join(args, " ") + ")"
}

func TestLastWord(t *testing.T) {
	var got []int
	for _, c := range [][2]string{{"a, b, a)", "a"}, {"ab a2 _a", "a"}, {"", "a"}, {"a", ""}, {"x.old)", "old"}} {
		got = append(got, lastWord(c[0], c[1]))
	}
	if want := []int{6, -1, -1, -1, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
