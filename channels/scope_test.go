package channels

import (
	"errors"
	"strings"
	"testing"

	"agenvantage"
)

func TestCompileScope(t *testing.T) {
	files := map[string]string{}
	for _, p := range strings.Fields("a.go a/x.go a/b/y.go a/b/z.py ab/x.go star*[x].py starA.py scoped/one.py scoped2/other.py [d]/q.go web/a.ts web/b.tsx test/t.go lib/test/u.go") {
		files[p] = "x\n"
	}
	c := newCorpus(files, nil)
	for _, s := range []struct {
		paths, not, langs string
		want, notes       string
	}{
		{"a", "", "", "a/b/y.go a/b/z.py a/x.go", ""},
		{"./a", "", "", "a/b/y.go a/b/z.py a/x.go", ""},
		{"a/", "", "", "a/b/y.go a/b/z.py a/x.go", ""},
		{"a/**", "", "", "a/b/y.go a/b/z.py a/x.go", ""},
		{"/a", "", "", "a/b/y.go a/b/z.py a/x.go", ""},
		{"a//", "", "", "a/b/y.go a/b/z.py a/x.go", ""},
		{"a.go", "", "", "a.go", ""},
		{"a/*", "", "", "a/b/y.go a/b/z.py a/x.go", ""},
		{"a/*.go", "", "", "a/x.go", ""},
		{"**/*.go", "ab", "", "[d]/q.go a.go a/b/y.go a/x.go lib/test/u.go test/t.go", ""},
		{"*.py", "", "", "star*[x].py starA.py", ""},
		{"scoped", "", "", "scoped/one.py", ""},
		{"scoped*", "", "", "scoped/one.py scoped2/other.py", ""},
		{"star*[x].py", "", "", "star*[x].py", ""},
		{"[d]", "", "", "[d]/q.go", ""},
		{"te?t", "", "", "test/t.go", ""},
		{"**/te?t", "", "", "lib/test/u.go test/t.go", ""},
		{"", "te?t/**", "go", "[d]/q.go a.go a/b/y.go a/x.go ab/x.go lib/test/u.go", ""},
		{"nowhere/** a.go", "", "", "a.go", "no indexed file matches --path nowhere/**"},
		{"", "**/*.go **/*.py", "", "web/a.ts web/b.tsx", ""},
		{"", "", "ts tsx", "web/a.ts web/b.tsx", ""},
		{"", "", "ruby", "", "no indexed file is of language ruby"},
		{"web", "", "go", "", "no indexed file passes all path and language filters together"},
		{".", "*", "", "", "no indexed file passes all path and language filters together"},
	} {
		scope, err := CompileScope(agenvantage.Filter{Paths: strings.Fields(s.paths), NotPaths: strings.Fields(s.not), Langs: strings.Fields(s.langs)}, c)
		if err != nil {
			t.Errorf("%+v: %v", s, err)
			continue
		}
		var got []string
		for f, p := range c.paths {
			if scope.Has(uint32(f)) {
				got = append(got, p)
			}
		}
		if g := strings.Join(got, " "); g != s.want || strings.Join(scope.Notes(), "; ") != s.notes || scope.Count() != len(got) {
			t.Errorf("paths %q not %q langs %q:\n got %s (%q)\nwant %s (%q)", s.paths, s.not, s.langs, g, scope.Notes(), s.want, s.notes)
		}
	}
	for _, p := range []string{"..", "../x", "a/../../x"} {
		if _, err := CompileScope(agenvantage.Filter{Paths: []string{p}}, c); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%q: %v", p, err)
		}
	}
	if scope, _ := CompileScope(agenvantage.Filter{}, c); scope.Count() != len(c.paths) || !scope.Has(3) || len(scope.Notes()) != 0 {
		t.Error("the empty filter does not let everything through")
	}
}

func FuzzCompileScope(f *testing.F) {
	c := newCorpus(map[string]string{"a/b.go": "x\n", "c.py": "y\n"}, nil)
	for _, s := range []string{"a", "**", "[", "{a,b}/**", `\`, "../a", "a/[^b]*", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		scope, err := CompileScope(agenvantage.Filter{Paths: []string{pattern}}, c)
		if err != nil {
			if !errors.Is(err, agenvantage.ErrBadInput) {
				t.Fatal(err)
			}
			return
		}
		if (scope.Count() == 0) != (len(scope.Notes()) > 0) {
			t.Fatalf("%d files, notes %q", scope.Count(), scope.Notes())
		}
	})
}

func TestNamesOf(t *testing.T) {
	symbol := func(qualified string) agenvantage.Symbol {
		parts := strings.Split(qualified, ".")
		return agenvantage.Symbol{Name: parts[len(parts)-1], Qualified: qualified}
	}
	for _, n := range []struct {
		q     agenvantage.Query
		names string
		not   string
	}{
		{agenvantage.Query{Identifiers: []string{"loadUser"}}, "loadUser load_user A.loadUser", "load users"},
		{agenvantage.Query{Qualified: []string{"a::Mux.Serve"}}, "a.Mux.Serve x.a.Mux.Serve Serve", "Other.Serve Mux"},
		{agenvantage.Query{Frames: []agenvantage.Frame{{Path: "a", Line: 1, Function: "Cart.add"}}}, "Cart.add add", "Other.add"},
		{agenvantage.Query{Class: agenvantage.ClassPhrase, Literal: "http server"}, "HTTPServer http_server", "server"},
		{agenvantage.Query{Class: agenvantage.ClassQuestion, Literal: "http server"}, "", "HTTPServer"},
	} {
		set := NamesOf(n.q)
		for _, s := range strings.Fields(n.names) {
			if !set.Names(symbol(s)) {
				t.Errorf("%+v does not name %s", n.q, s)
			}
		}
		for _, s := range strings.Fields(n.not) {
			if set.Names(symbol(s)) {
				t.Errorf("%+v names %s", n.q, s)
			}
		}
		if set.Empty() != (n.names == "") {
			t.Errorf("%+v: empty is %v", n.q, set.Empty())
		}
	}
}

// A pattern that is no valid glob finds nothing without a word, unless a path is spelled so.
func TestBadGlobsAreTakenForPaths(t *testing.T) {
	c := newCorpus(map[string]string{"a.go": "x\n", "[odd/b.go": "x\n", "{x/c.go": "x\n"}, nil)
	for _, bad := range []string{"[", "[a", "a[", "{a,b", "src/{a", `a\`, "[]", "**/[a-"} {
		for _, f := range []agenvantage.Filter{{Paths: []string{bad}}, {NotPaths: []string{bad}}, {Paths: []string{"a.go", bad}}} {
			if _, err := CompileScope(f, c); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "is no valid glob") {
				t.Errorf("%+v: %v", f, err)
			}
		}
	}
	for _, good := range []string{"[odd", "[odd/b.go", "{x", "{x/**"} {
		s, err := CompileScope(agenvantage.Filter{Paths: []string{good}}, c)
		if err != nil || s.Count() != 1 {
			t.Errorf("%s: %v", good, err)
		}
	}
}
