package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// flask is a package that passes on what its modules define, as Python packages do.
var flask = files{
	"flask/__init__.py":   "from .app import Flask\nfrom .scaffold import Scaffold as Scaffold\n",
	"flask/app.py":        "from .scaffold import Scaffold\n\n\nclass Flask(Scaffold):\n    def run(self):\n        pass\n\n\ndef helper():\n    pass\n",
	"flask/scaffold.py":   "class Base:\n    def close(self):\n        pass\n\n\nclass Scaffold(Base):\n    def route(self, rule):\n        pass\n",
	"tests/test_app.py":   "import flask\n\n\ndef make(module):\n    return getattr(module, 'x')\n\n\ndef test_one():\n    kind = [flask.Flask]\n    assert kind[0]().run() is None\n",
	"tests/test_other.py": "import flask\n\n\ndef test_other():\n    assert flask.__name__\n",
	"tests/test_none.py":  "def test_none():\n    Flask = 1\n    assert Flask\n",
}

// A test that gets the subject through a module that passes it on was not found.
func TestTestsForFollowsImports(t *testing.T) {
	w := newWorld(t, files{
		"pkg/__init__.py":       "from .core import *\n",
		"pkg/core.py":           "def build(x):\n    return x\n\n\nclass Tool:\n    def turn(self):\n        pass\n",
		"tests/test_build.py":   "import pkg\n\n\ndef test_direct():\n    from pkg.core import build\n    assert build(1)\n",
		"tests/test_through.py": "import pkg\n\nTABLE = {'x': pkg}\n\n\ndef test_through():\n    assert TABLE['x'].build(1)\n",
		"tests/test_silent.py":  "import pkg\n\n\ndef test_silent():\n    assert pkg\n",
		"tests/test_apart.py":   "def build(x):\n    return x\n\n\ndef test_apart():\n    assert build(1)\n",
	})
	n := w.navigate(NavigateRequest{Verb: VerbTestsFor, Location: "pkg/core.py:1"})
	got := placesOf(n.Items)
	if !strings.HasPrefix(got, "tests/test_build.py:4 test_direct ") {
		t.Errorf("the direct test does not come first: %s", got)
	}
	through := n.Items[len(n.Items)-1]
	if through.Path != "tests/test_through.py" || through.StartLine != 1 || through.Edge != "imports" || through.Confidence != "name" || through.Depth != 2 || through.Via != "pkg/__init__.py" {
		t.Errorf("%+v", through)
	}
	if strings.Contains(got, "silent") || strings.Contains(got, "apart") || strings.Count(got, "test_build.py") != 1 {
		t.Errorf("tests that do not use it, or one twice: %s", got)
	}
	if n = w.navigate(NavigateRequest{Verb: VerbTestsFor, Location: "pkg/core.py:1", Depth: 1}); strings.Contains(placesOf(n.Items), "through") {
		t.Errorf("depth 1 goes two edges: %s", placesOf(n.Items))
	}
	// A file that was asked for is used by whoever imports it.
	n = w.navigate(NavigateRequest{Verb: VerbTestsFor, Location: "pkg/__init__.py"})
	if got := placesOf(n.Items); !strings.Contains(got, "tests/test_silent.py:1 imports/resolved") {
		t.Errorf("the package itself: %s", got)
	}
}

// A member that a class inherits was unknown.
func TestInheritedNamesAreFound(t *testing.T) {
	w := newWorld(t, flask)
	for _, c := range []struct{ location, want, note string }{
		{"Flask.route", "flask/scaffold.py:7 Scaffold.route", "Flask.route is inherited: Flask has it from Scaffold"},
		{"flask.Flask.route", "flask/scaffold.py:7 Scaffold.route", "flask.Flask.route is inherited: Flask has it from Scaffold"},
		{"Flask.close", "flask/scaffold.py:2 Base.close", "Flask.close is inherited: Flask has it from Base"},
		{"Flask.run", "flask/app.py:5 Flask.run", ""},
	} {
		n := w.navigate(NavigateRequest{Verb: VerbSymbol, Location: c.location})
		if placesOf(n.Items) != c.want || strings.Join(n.Notes, "; ") != c.note {
			t.Errorf("symbol %s: %s, notes %q", c.location, placesOf(n.Items), n.Notes)
		}
	}
	n := w.navigate(NavigateRequest{Verb: VerbRead, Location: "Flask.route"})
	if n.Subject.Symbol != "Scaffold.route" || len(n.Notes) != 1 || len(n.Items) != 1 || n.Items[0].StartLine != 7 {
		t.Errorf("read: %+v, %q", n.Subject, n.Notes)
	}
	w.forgetCheck()
	if _, err := w.Navigate(t.Context(), NavigateRequest{Verb: VerbSymbol, Location: "Base.route"}, nil); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a base has nothing of its children: %v", err)
	}
}

// Classes that inherit from each other in a circle, as broken code may.
func TestInheritanceInACircle(t *testing.T) {
	w := newWorld(t, files{"a.py": "class A(B):\n    pass\n\n\nclass B(A):\n    pass\n\n\nclass C:\n    def go(self):\n        pass\n"})
	w.forgetCheck()
	if _, err := w.Navigate(t.Context(), NavigateRequest{Verb: VerbSymbol, Location: "A.go"}, nil); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("%v", err)
	}
}

// "callers a.go:1" and "callers a.go" were labelled alike, and the first did not say what it meant.
func TestSubjectIsWhatWasAsked(t *testing.T) {
	w := newWorld(t, service)
	for _, c := range []struct {
		verb           NavigateVerb
		location, want string
		note           string
	}{
		{VerbCallers, "web/mux.go", "file  1-19 []", ""},
		{VerbCallers, "web/mux.go:1", "file  1-19 []", "line 1 is outside of any symbol: the whole file web/mux.go is meant"},
		{VerbRefs, "web/mux.go:1-2", "file  1-19 []", "lines 1-2 are outside of any symbol: the whole file web/mux.go is meant"},
		{VerbCallers, "web/mux.go:9", "method Mux.helper 9-9 []", ""},
		{VerbCallers, "web/mux.go:4-9", "lines  4-9 [Mux Mux.n Mux.Serve Mux.helper]", ""},
		{VerbCallers, "lonely", "function lonely 13-13 []", ""},
		{VerbCallees, "main.go:1", "lines  1-1 []", ""},
		{VerbRead, "web/mux.go:1", "lines  1-1 []", ""},
	} {
		n := w.navigate(NavigateRequest{Verb: c.verb, Location: c.location})
		s := n.Subject
		if got := fmt.Sprintf("%s %s %d-%d %v", s.Kind, s.Symbol, s.StartLine, s.EndLine, s.Symbols); got != c.want || strings.Join(n.Notes, "; ") != c.note {
			t.Errorf("%s %s: got %q, notes %q, want %q, %q", c.verb, c.location, got, n.Notes, c.want, c.note)
		}
	}
	whole := w.navigate(NavigateRequest{Verb: VerbCallers, Location: "db/db.go"})
	if line := w.navigate(NavigateRequest{Verb: VerbCallers, Location: "db/db.go:1"}); placesOf(line.Items) != placesOf(whole.Items) || len(line.Items) == 0 {
		t.Errorf("a line outside of any symbol: %q, the file: %q", placesOf(line.Items), placesOf(whole.Items))
	}
}

// A range beyond the end of a file was cut without a word.
func TestReadSaysHowLongTheFileIs(t *testing.T) {
	w := newWorld(t, service)
	n := w.navigate(NavigateRequest{Verb: VerbRead, Location: "db/db.go:1-100000"})
	if n.Subject.FileLines != 5 || n.Subject.EndLine != 5 || !slices.Contains(n.Notes, "db/db.go has 5 lines: the range ends there") {
		t.Errorf("%+v, %q", n.Subject, n.Notes)
	}
	if n = w.navigate(NavigateRequest{Verb: VerbRead, Location: "db/db.go:1-3"}); n.Subject.FileLines != 5 || len(n.Notes) != 0 {
		t.Errorf("a range within: %+v, %q", n.Subject, n.Notes)
	}
	w.forgetCheck()
	if _, err := w.Navigate(t.Context(), NavigateRequest{Verb: VerbRead, Location: "db/db.go:6"}, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "db/db.go has 5 lines") {
		t.Errorf("past the end: %v", err)
	}
}

// What was suggested for an unknown name had little to do with it.
func TestNearestLocations(t *testing.T) {
	w := newWorld(t, files{
		"net/client.py": "class HttpClient:\n    def send_request(self):\n        pass\n\n    def close(self):\n        pass\n\n\ndef parse_header_line(x):\n    return x\n\n\ndef retry_policy(x):\n    return x\n",
		"net/server.py": "class Server:\n    def send_reply(self):\n        pass\n\n    def close(self):\n        pass\n",
		"zoo.py":        "def unrelated():\n    pass\n",
	})
	for _, c := range []struct {
		location, first string
		never           string
	}{
		{"httpclient", "HttpClient", "unrelated"}, // another case
		{"Http_Client.SendRequest", "HttpClient.send_request", "unrelated"},
		{"send_requst", "HttpClient.send_request", "unrelated"}, // a letter too few
		{"header_line", "parse_header_line", "unrelated"},       // a part
		{"line_header_parser", "parse_header_line", "unrelated"},
		{"policy_for_retry", "retry_policy", "unrelated"}, // words in another order
		{"Server.send_replay", "Server.send_reply", "unrelated"},
		{"Client.close", "HttpClient.close", "unrelated"}, // of the two the one whose class is alike
		{"other.Server.close", "Server.close", "unrelated"},
		{"net/sever.py", "net/server.py", "net/client.py"},
		{"lib/client.py", "net/client.py", "net/server.py"},
		{"NET/Client.py", "net/client.py", "net/server.py"},
	} {
		w.forgetCheck()
		_, err := w.Navigate(t.Context(), NavigateRequest{Verb: VerbCallers, Location: c.location}, nil)
		nearest, unknown := IsUnknownLocation(err)
		if !unknown || len(nearest) == 0 || nearest[0] != c.first || slices.Contains(nearest, c.never) || len(nearest) > 5 {
			t.Errorf("%s: %q, %v; want %s first", c.location, nearest, err, c.first)
		}
	}
}
