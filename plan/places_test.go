package plan

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"agenvantage"
)

func placeText(p Place) string {
	if p.Span == (agenvantage.Span{}) {
		return p.Path
	}
	return fmt.Sprintf("%s %d-%d", p.Path, p.Span.StartLine, p.Span.EndLine)
}

func TestCutLines(t *testing.T) {
	for _, c := range []struct{ location, want string }{
		{"a.go", "a.go"},
		{"a.go:12", "a.go 12-12"},
		{"a.go:12:5", "a.go 12-12"},
		{"a.go:10-20", "a.go 10-20"},
		{"a.go:L10-L20", "a.go 10-20"},
		{"a.hs:12:5-9", "a.hs 12-12"},
		{"a.rs:10:5-20:9", "a.rs 10-20"},
		{"a.hs:(12,5)-(14,9)", "a.hs 12-14"},
		{"A.java:[12,5]", "A.java 12-12"},
		{"a.go#L10", "a.go 10-10"},
		{"a.go#L10-L20", "a.go 10-20"},
		{"a.go#L10-20", "a.go 10-20"},
		{"a.go#L10C5-L20C9", "a.go 10-20"},
		{"a.go#lines-10:20", "a.go 10-20"},
		{"a.ts(12)", "a.ts 12-12"},
		{"a.ts(12,5)", "a.ts 12-12"},
		{"a.cs(12,5,14,9)", "a.cs 12-14"},
		{"a.cs(12,5-9)", "a.cs 12-12"},
		{"a.cs(12-14)", "a.cs 12-14"},
		{"no extension:3", "no extension 3-3"},
		{"owner/repo#12", "owner/repo#12"},
		{"a.go:0", "a.go -1--1"},
		{"a.go:20-10", "a.go 20-10"},
		{"a.go:99999999999999999999", "a.go -1--1"},
		{"a.go:4294967296", "a.go -1--1"},
		{":12", ":12"},
		{"a.go:", "a.go:"},
		{"", ""},
	} {
		path, span, ok := CutLines(c.location)
		if got := placeText(Place{path, span}); got != c.want || ok != (span != agenvantage.Span{}) {
			t.Errorf("%q: %s %v, want %s", c.location, got, ok, c.want)
		}
	}
}

func TestParsePlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"tree.go:654", "tree.go 654-654"},
		{"./tree.go:654:3: undefined: foo", "tree.go 654-654"},
		{"/home/other/proj/tree.go:654", "/home/other/proj/tree.go 654-654"},
		{`C:\proj\tree.go:12`, "C:/proj/tree.go 12-12"},
		{"../tree.go", "../tree.go"},
		{"`tree.go:654`", "tree.go 654-654"},
		{`"tree.go:654",`, "tree.go 654-654"},
		{"(tree.go:654).", "tree.go 654-654"},
		{"tree.go(12,3): error", "tree.go 12-12"},
		{`File "x/tree.py", line 12, in f`, "x/tree.py 12-12"},
		{"at f (src/tree.js:12:3)", "src/tree.js 12-12"},
		{"fix tree.go:10-20", "tree.go 10-20"},
		{"explain src/tree.go", "src/tree.go"},
		{"tree.go line 12", "tree.go 12-12"},
		{"lines 10 to 20 of tree.go", "tree.go 10-20"},
		{"https://github.com/o/r/blob/main/a/tree.go#L10", "a/tree.go 10-10"},
		{"https://github.com/o/r/blob/main/a/tree.go?plain=1#L10", "a/tree.go 10-10"},
		{"https://gitlab.com/g/s/p/-/blob/v5/a/tree.go#L10-20", "a/tree.go 10-20"},
		{"https://bitbucket.org/o/r/src/abc/a/tree.go#lines-10:20", "a/tree.go 10-20"},
		{"http://host:8080/a/tree.js?v=1:12:5", "a/tree.js 12-12"},
		{"[tree](https://github.com/o/r/blob/main/a/tree.go#L10)", "a/tree.go 10-10"},
		{"file:///home/u/tree.go:654", "/home/u/tree.go 654-654"},
		{"Makefile:3", "Makefile 3-3"},
		{"", ""}, {"...", ""}, {"https://host", ""}, {"two words", ""},
		{"a.go:1 and b.go:2", ""},
		{"a.go and b.go", ""},
	} {
		place, ok := ParsePlace(c.text)
		if !ok {
			place = Place{}
		}
		if got := placeText(place); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// A place beside other words, in quotes, of a code host or with its lines written otherwise was no place.
func TestAPlaceInAShortTextIsAPlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"./tree.go:654:3: undefined: foo", "phrase path=tree.go at=tree.go:654:"},
		{"tree.go#L10-L20", "path path=tree.go at=tree.go:10-20:"},
		{"src/tree.go:10-20", "path path=src/tree.go at=src/tree.go:10-20:"},
		{"what does tree.go:654 do", "question path=tree.go at=tree.go:654:"},
		{"look at the code in tree.go:654", "question path=tree.go at=tree.go:654:"},
		{"at async run /srv/tree.js:12:3", "trace path=/srv/tree.js at=/srv/tree.js:12:run"},
		{"`tree.go:654`", "path phrase=tree.go:654 path=tree.go at=tree.go:654:"},
		{`"tree.go:654"`, "path phrase=tree.go:654 path=tree.go at=tree.go:654:"},
		{`"tree.go"`, "phrase phrase=tree.go"},
		{`"err: tree.go:654"`, "phrase phrase=err: tree.go:654"},
		{"see tree.go:654, please.", "phrase path=tree.go at=tree.go:654:"},
		{"in tree.go, line 654:", "phrase path=tree.go at=tree.go:654:"},
		{"tree.go on line 12", "phrase path=tree.go at=tree.go:12:"},
		{"tree.go L12-20", "phrase path=tree.go at=tree.go:12-20:"},
		{"https://github.com/o/r/blob/main/a/tree.go#L10", "path path=a/tree.go at=a/tree.go:10:"},
		{"https://github.com/o/r/blob/main/a/tree.go", "path path=a/tree.go"},
		{"https://github.com/o/r/tree/main/a", "path path=a"},
		{"https://raw.githubusercontent.com/o/r/main/tree.go", "path path=o/r/main/tree.go"},
		{"https://go.dev/doc/effective_go.html", "phrase"},
		{"localhost:8080", "phrase"},
		{"node.js line count", "phrase path=node.js"},
		{"tree.go:0", "path path=tree.go"},
	} {
		q, err := Parse(c.text, ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(q); got != c.want || !q.Short {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
		// In a long text, which names much that it is not about, a URL is no place and lines in words are none.
		long, err := Parse(strings.Repeat("lorem ipsum ", 21)+c.text, ParseOptions{})
		if err != nil || long.Short || long.AsksForPlaces() {
			t.Errorf("%q in a long text: %+v, %v", c.text, long, err)
		}
		if strings.Contains(c.text, "://") && len(long.Frames)+len(long.Paths) > 0 || strings.Contains(c.text, " L12") && len(long.Frames) > 0 {
			t.Errorf("%q in a long text names %+v %q", c.text, long.Frames, long.Paths)
		}
	}
}

func FuzzParsePlace(f *testing.F) {
	for _, s := range []string{"a.go:1", "a.go#L1-L2", "a.ts(1,2)", `File "a.py", line 2`, "https://h/o/r/blob/m/a.go?x#L1", "[x](file:///a.go:1)", "a.go line 1 to 2", "://", "a://b/", "`:1`", "/../..:1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		place, ok := ParsePlace(text)
		if again, okAgain := ParsePlace(text); again != place || ok != okAgain {
			t.Fatal("two calls differ")
		}
		if ok && (strings.Trim(place.Path, "/.") == "" || !utf8.ValidString(place.Path)) {
			t.Fatalf("%q: bad place %+v", text, place)
		}
		if path, span, lined := CutLines(text); lined != (span != agenvantage.Span{}) || !strings.HasPrefix(text, path) || lined && path == "" {
			t.Fatalf("%q: %q %+v %v", text, path, span, lined)
		}
	})
}
