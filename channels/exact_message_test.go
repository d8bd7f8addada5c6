package channels

import (
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// A message with values filled in was not found: the source has placeholders in their place.
func TestAMessageWithItsValuesWasNotFound(t *testing.T) {
	c := newCorpus(map[string]string{
		"a.py":   "def check(x):\n    raise ValueError(f\"Invalid hash method '{x}'.\")\n",
		"b.c":    "func iterate\n  jv_invalid(\"Cannot iterate over %s%s\", kind)\n",
		"c.go":   "func set\n  errors.New(\"unrecognized file type: \" + name)\n",
		"d.java": "func url\n  throw new X(\"The supplied URL, '\" + u + \"', is malformed. \" +\n   \"Make sure it is absolute\")\n",
		"e.ts":   "func merge\n  throw new Error(`Unexpected option: ${key}`)\n",
		"f.c":    "func index\n  msg(\"Cannot index %s with \\\"%s\\\"\", kind)\n",
		"g.go":   "func other\n  // the hash method is used to iterate over the file type of an option\n",
	}, nil)
	for message, want := range map[string]string{
		"Invalid hash method 'foo'.":                                                     "a.py",
		"ValueError: Invalid hash method 'md5'.":                                         "a.py",
		"Cannot iterate over null (null)":                                                "b.c",
		"rg: unrecognized file type: foo":                                                "c.go",
		"IllegalArgument: The supplied URL, 'x', is malformed. Make sure it is absolute": "d.java",
		"Unexpected option: fooBar":                                                      "e.ts",
		`jq: error (at <stdin>:1): Cannot index number with "a"`:                         "f.c",
		"which hash method is used to iterate":                                           "",
		"iterate over the option":                                                        "",
		"cannot Iterate Over null: (null)":                                               "",
		"Unexpected end: of input":                                                       "",
	} {
		list := ask(t, NewExact(c, ExactOptions{}), c, message, agenvantage.Filter{}, 10)
		got := ""
		for _, h := range list.Hits {
			if IsMessage(h.Reason) {
				got = c.paths[h.File]
				break
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}

func TestHowMuchOfAMessageALineHolds(t *testing.T) {
	for _, x := range []struct {
		message, chunk string
		words, longest int
		line           int
		quoted, whole  bool
	}{
		{"Invalid hash method 'foo'", "x\n  f\"Invalid hash method '{m}'\"", 3, 3, 1, true, true},
		{"cannot be parsed as a number", "\"cannot be parsed as a number\"", 6, 6, 0, true, true},
		{"cannot be parsed as a number", "// cannot be parsed as a number", 6, 6, 0, false, false},
		{"cannot be   parsed", "\"cannot be parsed\"", 3, 3, 0, true, true},
		{"cannot be, parsed", "\"cannot be parsed\"", 3, 2, 0, true, false},
		{`with "a" there`, `"with \"a\" there"`, 3, 3, 0, true, true},
		{"one two three four", "\"one two \" +\n\"three four\"", 4, 2, 0, true, true},
		{"one two three four", "\"three four\"\n\"one two\"", 2, 2, 1, true, true},
		{"one two", "one\ntwo", 0, 0, 0, false, false},
		{"one two", "", 0, 0, 0, false, false},
	} {
		m, _ := newMessage(x.message)
		for i := range m.words {
			m.words[i].weight = 2
		}
		s := m.in(x.chunk)
		if s.words != x.words || s.longest != x.longest || s.line != x.line || s.quoted != x.quoted || s.whole != x.whole {
			t.Errorf("%q in %q: %+v", x.message, x.chunk, s)
		}
	}
}

func FuzzMessageInChunk(f *testing.F) {
	f.Add("Invalid hash method 'foo'.", "raise E(f\"Invalid hash method '{m}'.\")")
	f.Add("a a a a a a", "a a a a\na \\\" a ' a")
	f.Add(strings.Repeat("w ", 80), strings.Repeat("w ", 300))
	f.Fuzz(func(t *testing.T, message, chunk string) {
		m, narrowing := newMessage(message)
		if len(m.words) > maxMessageWords || len(narrowing) > len(m.words) {
			t.Fatalf("%d words, %d narrow", len(m.words), len(narrowing))
		}
		for i := range m.words {
			m.words[i].weight = 1
		}
		s := m.in(chunk)
		if s.words > len(m.words) || s.longest > s.words || s.line < 0 || s.line > strings.Count(chunk, "\n") || s.score > m.all() {
			t.Fatalf("%+v of %d words", s, len(m.words))
		}
	})
}

// The places of a pasted diff were not found, or by their numbers alone though the lines had moved.
func TestADiffWasNotUnderstood(t *testing.T) {
	moved := "func first\n" + strings.Repeat(" filler line\n", 20) + "func SetMode\n switch value {\n case DebugMode:\n  store(debugCode)\n}\nfunc last\n  return nothing\n"
	c := newCorpus(map[string]string{"mode.go": moved, "x/other.go": "func SetMode\n unrelated text\n", "z.go": "func z\n words\n"}, nil)
	const body = "\n switch value {\n-case DebugMode, \"\":\n+case DebugMode:\n   store(debugCode)\n }\n"
	for name, x := range map[string]struct{ text, want string }{
		"by path and lines":     {"--- a/mode.go\n+++ b/mode.go\n@@ -3,4 +3,4 @@ func SetMode(" + body, "mode.go:22#SetMode"},
		"by lines alone":        {"@@ -3,4 +3,4 @@ func SetMode(" + body, "mode.go:22#SetMode"},
		"by path and function":  {"--- a/mode.go\n+++ b/mode.go\n@@ -3,2 +3,2 @@ func last()\n-  gone for good\n+  new\n", "mode.go:27#last"},
		"by path and numbers":   {"--- a/mode.go\n+++ b/mode.go\n@@ -28,1 +28,1 @@\n-  gone for good\n+  new\n", "mode.go:27#last"},
		"by the path of a root": {"--- a/src/mode.go\n+++ b/src/mode.go\n@@ -3,4 +3,4 @@" + body, "mode.go:22#SetMode"},
		"words alone":           {"@@ -3,2 +3,2 @@\n-  unrelated things of nobody\n+  new\n", ""},
	} {
		got := ""
		if hits := ask(t, NewExact(c, ExactOptions{}), c, x.text, agenvantage.Filter{}, 10).Hits; len(hits) > 0 && IsPlace(hits[0].Reason) {
			got = shown(c, hits)[0]
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", name, got, x.want)
		}
	}
}

// A stack trace of what was built from the sources named a file that is not there.
func TestSourcesOfABuiltFile(t *testing.T) {
	c := newCorpus(map[string]string{"source/core/index.ts": "func run\n x\n", "index.ts": "y\n", "src/a.tsx": "z\n", "src/b/index.js": "w\n", "lib/real.js": "v\n"}, nil)
	for built, want := range map[string]string{
		"dist/source/core/index.js":                       "source/core/index.ts",
		"/app/node_modules/got/dist/source/core/index.js": "source/core/index.ts",
		"dist/a.js":          "src/a.tsx",
		"lib/b/index.js":     "src/b/index.js",
		"dist/index.js":      "index.ts",
		"lib/real.js":        "", // it is there
		"dist/none.js":       "",
		"react-dom/index.js": "",
		"dist/":              "",
		"":                   "",
	} {
		got := ""
		for _, file := range SourcesAt(c, built, nil) {
			got += c.paths[file]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", built, got, want)
		}
	}
	hits := ask(t, NewExact(c, ExactOptions{}), c, "    at run (file:///app/dist/source/core/index.js:970:13)", agenvantage.Filter{}, 10).Hits
	if i := slices.IndexFunc(hits, func(h agenvantage.Hit) bool { return h.Reason == reasonBuilt }); i < 0 || shown(c, hits[i:])[0] != "source/core/index.ts:1#run" {
		t.Errorf("%v", shown(c, hits))
	}
}
