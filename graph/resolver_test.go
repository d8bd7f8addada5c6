package graph

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"agenvantage"
)

func TestResolveRefusesUnknownFiles(t *testing.T) {
	m := newMemory(t, map[string]string{"a.go": "package a\n"}, nil)
	if _, err := NewResolver(m).Resolve(1); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("file 1 of 1: %v", err)
	}
}

// failing is a corpus whose store breaks.
type failing struct {
	*memory
	facts, uses, named, text bool
}

var errStore = errors.New("the store broke")

func (f failing) Facts(n uint32) (*agenvantage.Extraction, error) {
	if f.facts && n > 0 {
		return nil, errStore
	}
	return f.memory.Facts(n)
}

func (f failing) Uses(n uint32) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	if f.uses && n > 0 {
		return nil, nil, errStore
	}
	return f.memory.Uses(n)
}

func (f failing) Named(name string) ([]agenvantage.Node, error) {
	if f.named {
		return nil, errStore
	}
	return f.memory.Named(name)
}

func (f failing) Text(n uint32) (string, error) {
	if f.text {
		return "", errStore
	}
	return f.memory.Text(n)
}

func TestFaultsOfTheCorpusAreReturned(t *testing.T) {
	m := newMemory(t, map[string]string{"a.go": "package m\n\nimport \"m/b\"\n\nfunc f() { b.G() }\n", "b/b.go": "package b\n\nfunc G() {}\n", "go.mod": "module m\n"}, nil)
	for name, c := range map[string]failing{"facts": {facts: true}, "uses": {uses: true}, "named": {named: true}, "text": {text: true}} {
		c.memory = m
		if links, err := NewResolver(c).Resolve(0); !errors.Is(err, errStore) || links.Edges != nil {
			t.Errorf("%s: %v, %d edges", name, err, len(links.Edges))
		}
	}
}

func TestUnresolvedIsCounted(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"go", "a.go", "package a\n\nimport \"net/http\"\n\nfunc f(x func(), h http.Handler) {\n\tx()\n\th.ServeHTTP(nil, nil)\n\tmax(1, 2)\n\tnowhere()\n}\n",
			"builtin 1 dynamic 1 external 3 unknown 1"}, // the import, the type and the method of http
		{"python", "a.py", "import os\nfrom .gone import x\n\ndef f(a):\n    os.getcwd()\n    a.special()\n    a.append(1)\n    print(getattr(a, 'b'))\n    x()\n    nowhere()\n",
			"builtin 1 dynamic 2 external 2 unknown 5"}, // unknown: the import, twice its name, the attribute that nothing defines, nowhere
	} {
		m := newMemory(t, map[string]string{c.path: c.text}, nil)
		links, err := NewResolver(m).Resolve(0)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range []Reason{ReasonBuiltin, ReasonDynamic, ReasonExternal, ReasonMany, ReasonUnknown} {
			if n := links.Unresolved[r]; n > 0 {
				got += fmt.Sprintf(" %s %d", r, n)
			}
		}
		if got != " "+c.want {
			t.Errorf("%s:%s, want %s", c.name, got, c.want)
		}
	}
}

// Edges by name are bounded: five definitions are named, six say too little.
func TestEdgesByNameAreBounded(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 2, maxByName: maxByName, maxByName + 1: 0} {
		files := map[string]string{"use.py": "def f(x):\n    x.special()\n"}
		for i := range n {
			files[fmt.Sprintf("m%d.py", i)] = "class A:\n    def special(self):\n        pass\n"
		}
		m := newMemory(t, files, nil)
		f, _ := m.Find("use.py")
		links, err := NewResolver(m).Resolve(f)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for _, e := range links.Edges {
			if e.Kind == agenvantage.EdgeCalls {
				calls++
				if wantC := map[bool]agenvantage.Confidence{true: agenvantage.ByUnique, false: agenvantage.ByName}[n == 1]; e.Confidence != wantC {
					t.Errorf("%d definitions: confidence %s", n, e.Confidence)
				}
			}
		}
		if calls != want || (want == 0) != (links.Unresolved[ReasonMany] == 1) {
			t.Errorf("%d definitions: %d edges, unresolved %v", n, calls, links.Unresolved)
		}
	}
}

// What was resolved before, and in which order, does not change an answer.
func TestOrderDoesNotMatter(t *testing.T) {
	files := map[string]string{}
	for p, texts := range variants {
		if texts[0] != "" {
			files[p] = texts[0]
		}
	}
	m := newMemory(t, files, nil)
	order := rand.New(rand.NewPCG(1, 2)).Perm(m.FileCount())
	shared := NewResolver(m)
	for _, f := range append(order, order...) {
		got, want := printLinks(t, m, shared, uint32(f)), printLinks(t, m, NewResolver(m), uint32(f))
		if got.edges != want.edges || got.unresolved != want.unresolved || !slices.Equal(got.dependsOn, want.dependsOn) {
			t.Errorf("%s: %v, alone %v", m.Path(uint32(f)), got, want)
		}
	}
}
