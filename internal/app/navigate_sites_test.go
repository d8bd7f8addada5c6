package app

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"agenvantage"
)

func sitesOf(c NavigationCoverage) string {
	var out []string
	for _, s := range c.OpenSites {
		text := fmt.Sprintf("%s:%d %s", s.Path, s.Line, s.Reason)
		if s.Count > 1 {
			text += fmt.Sprintf(" ×%d", s.Count)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// An answer counted its unresolved sites and did not say where they are.
func TestUnresolvedSitesAreListed(t *testing.T) {
	for _, c := range []struct {
		name, verb, location string
		tree                 files
		want                 string
		unlisted             int
	}{
		{"texts", "callers", "target", files{"a.go": "package a\n\nfunc target() {}\n", "b.py": "def use(x):\n    getattr(x, \"target\")(\"target\")\n    return 'target'\n"}, "b.py:2 string ×2, b.py:3 string", 0},
		{"passed as a value", "callers", "target", files{"a.go": "package a\n\nfunc target() {}\n\nvar held = target\n\nfunc use(f func()) { use(target) }\n"}, "a.go:5 passed, a.go:7 passed", 0},
		{"overridden", "callers", "Child.go", files{"b.py": "class Base:\n    def go(self): pass\n\nclass Child(Base):\n    def go(self): pass\n\ndef use(b: Base):\n    b.go()\n"}, "b.py:8 dispatch", 0},
		{"computed", "callers", "A.go_now", files{"a.py": "# one\n\"\"\"two\nlines\"\"\"\nclass A:\n    def go_now(self):\n        return 1\n\ndef run(a, what):\n    return getattr(a, \"go_\" + what)()\n"}, "a.py:9 computed", 0},
		{"in a macro", "callers", "set_mode", files{"a.c": "#define SETTER(n) \\\n  void set_##n(int x)\nint a;\nvoid set_mode(int x) { a = x; }\n"}, "a.c:1 computed", 0},
		{"own calls", "callees", "run", files{"a.go": "package a\n\nfunc run(f func(), t map[string]func()) {\n\tf()\n\tt[\"x\"]()\n}\n"}, "a.go:4 dynamic, a.go:5 dynamic", 0},
		{"no place", "callers", "T.Close", files{"a.go": "package a\n\ntype T struct{}\n\nfunc (T) Close() error { return nil }\n"}, "", 1},
		{"none", "callers", "target", files{"a.go": "package a\n\nfunc target() {}\n"}, "", 0},
	} {
		n := newWorld(t, c.tree).navigate(NavigateRequest{Verb: NavigateVerb(c.verb), Location: c.location})
		if got := sitesOf(n.Coverage); got != c.want || n.Coverage.UnlistedSites() != c.unlisted {
			t.Errorf("%s: sites %s and %d more, want %s; %s", c.name, got, n.Coverage.UnlistedSites(), c.want, n.Coverage.Line())
		}
		for _, s := range n.Coverage.OpenSites {
			if s.Text == "" || s.Text != strings.TrimSpace(s.Text) {
				t.Errorf("%s: the text of %s:%d is %q", c.name, s.Path, s.Line, s.Text)
			}
		}
	}
}

// The list is short, in order, and pays for itself out of the bound on tokens; it stands where the answer ends.
func TestUnresolvedSitesAreBounded(t *testing.T) {
	tree := files{"a.go": "package a\n\nfunc target() {}\n\nfunc one() { target() }\n\nfunc two() { target() }\n"}
	for i := range 30 {
		tree[fmt.Sprintf("s/%02d.py", 29-i)] = "x = 'target'\n"
	}
	w := newWorld(t, tree)
	r := NavigateRequest{Verb: VerbCallers, Location: "target"}
	n := w.navigate(r)
	if len(n.Coverage.OpenSites) != maxOpenSites || n.Coverage.OpenSites[0].Path != "s/00.py" || n.Coverage.OpenSites[19].Path != "s/19.py" || n.Coverage.UnlistedSites() != 10 {
		t.Errorf("%d sites: %s, %d more", len(n.Coverage.OpenSites), sitesOf(n.Coverage), n.Coverage.UnlistedSites())
	}
	if again := w.navigate(r); sitesOf(again.Coverage) != sitesOf(n.Coverage) {
		t.Errorf("a second time: %s", sitesOf(again.Coverage))
	}
	r.MaxTokens = 260
	if few := w.navigate(r); len(few.Items) != 2 || len(few.Coverage.OpenSites) == 0 || len(few.Coverage.OpenSites) >= maxOpenSites {
		t.Errorf("in 260 tokens: %d items, sites %s", len(few.Items), sitesOf(few.Coverage))
	}
	r.MaxTokens = 1
	first := w.navigate(r)
	if first.Omitted != 1 || len(first.Coverage.OpenSites) != 0 {
		t.Errorf("the first page: %d more, sites %s", first.Omitted, sitesOf(first.Coverage))
	}
}

// References of one file that are open for several reasons each have their own.
func TestReasonsOfOpenReferencesAreTold(t *testing.T) {
	n := newWorld(t, files{
		"a.py": "def target():\n    pass\n",
		"b.py": "def target():\n    pass\n",
		"c.py": "import os\n\n\ndef use(x):\n    x.target()\n    os.target()\n    x.y.target()\n",
	}).navigate(NavigateRequest{Verb: VerbCallers, Location: "a.py:1"})
	listed := 0
	for _, s := range n.Coverage.OpenSites {
		listed += max(s.Count, 1)
		if n.Coverage.Unresolved[s.Reason] == 0 {
			t.Errorf("%s:%d has the reason %q, which is not counted", s.Path, s.Line, s.Reason)
		}
	}
	if listed == 0 || listed+n.Coverage.UnlistedSites() != n.Coverage.DynamicSites || n.Coverage.UnlistedSites() < 0 {
		t.Errorf("%d sites are listed and %d not: %s", listed, n.Coverage.UnlistedSites(), n.Coverage.Line())
	}
	sum := 0
	for _, count := range n.Coverage.Unresolved {
		sum += count
	}
	if sum != n.Coverage.DynamicSites {
		t.Errorf("the reasons add up to %d of %d", sum, n.Coverage.DynamicSites)
	}
}

// TestAReferenceWithTwoReasonsHadEitherOfThem: which one was told was left to the order of a map, so that the same question had two answers.
func TestAReferenceWithTwoReasonsHadEitherOfThem(t *testing.T) {
	for range 50 { // a wrong order comes up in half of the runs
		c := NavigationCoverage{Unresolved: map[string]int{}}
		a := &account{mentions: &mentions{navigator: &navigator{}, coverage: &c}}
		if err := a.countEach([]agenvantage.Reference{{Name: "x", Line: 3}}, map[string]int{"external": 1, "dynamic": 1}); err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{"dynamic": 1}; !reflect.DeepEqual(c.Unresolved, want) || c.DynamicSites != 1 {
			t.Fatalf("%v, %d sites, want %v", c.Unresolved, c.DynamicSites, want)
		}
	}
}
