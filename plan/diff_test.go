package plan

import (
	"fmt"
	"strings"
	"testing"

	"agenvantage"
)

func hunkText(h agenvantage.Hunk) string {
	return fmt.Sprintf("%s>%s -%d,%d +%d,%d %s %d", h.OldPath, h.NewPath, h.OldStart, h.OldLines, h.NewStart, h.NewLines, h.Function, len(h.Lines))
}

// A pasted diff was taken for a question or an issue.
func TestADiffAsksForItsPlaces(t *testing.T) {
	const body = "@@ -3,3 +3,3 @@ func SetMode(value string) {\n a\n-b\n+c\n d\n"
	for name, x := range map[string]struct{ text, want string }{
		"of git":           {"diff --git a/x/m.go b/x/m.go\nindex 12ab34c..56de78f 100644\n--- a/x/m.go\n+++ b/x/m.go\n" + body, "x/m.go>x/m.go -3,3 +3,3 SetMode 4"},
		"of diff -u":       {"--- x/m.go\t2024-01-02 03:04:05\n+++ x/m.go\t2024-01-02 03:04:06\n" + body, "x/m.go>x/m.go -3,3 +3,3 SetMode 4"},
		"a bare hunk":      {body, "> -3,3 +3,3 SetMode 4"},
		"in a fence":       {"what does this do?\n```diff\n" + body + "```", "> -3,3 +3,3 SetMode 4"},
		"carriage returns": {strings.ReplaceAll(body, "\n", "\r\n"), "> -3,3 +3,3 SetMode 4"},
		"new file":         {"--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,2 @@\n+a\n+b\n", ">n.go -0,0 +1,2  2"},
		"one line":         {"--- a/n.go\n+++ b/n.go\n@@ -7 +7 @@\n-a\n+b\n", "n.go>n.go -7,1 +7,1  2"},
		"renamed":          {"diff --git a/old name.go b/new.go\nrename from old name.go\n--- a/old name.go\n+++ b/new.go\n@@ -7 +7 @@\n-a\n+b\n", "old name.go>new.go -7,1 +7,1  2"},
		"quoted":           {"--- \"a/caf\\303\\251.go\"\n+++ \"b/caf\\303\\251.go\"\n@@ -7 +7 @@\n-a\n+b\n", "café.go>café.go -7,1 +7,1  2"},
		"cut off":          {"--- a/n.go\n+++ b/n.go\n@@ -7,9 +7,9 @@ class Cart(Base):\n a", "n.go>n.go -7,9 +7,9 Cart 1"},
		"a removed rule":   {"@@ -1,2 +1,1 @@\n a\n--- b\n", "> -1,2 +1,1  2"},
		"no blank":         {"@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "> -1,3 +1,3  4"},
		"two hunks":        {"--- a/n.go\n+++ b/n.go\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n", "n.go>n.go -1,1 +1,1  2; n.go>n.go -9,1 +9,1  2"},
	} {
		q := parse(t, x.text, ParseOptions{})
		var got []string
		for _, h := range q.Hunks {
			got = append(got, hunkText(h))
		}
		if s := strings.Join(got, "; "); s != x.want || q.Class != agenvantage.ClassPath || !q.AsksForPlaces() || len(q.Terms) == 0 {
			t.Errorf("%s: %s %q %v %v, want %s", name, q.Class, s, q.AsksForPlaces(), q.Terms, x.want)
		}
	}
	for name, text := range map[string]string{
		"a report with a diff": strings.Repeat("the cart is slow when it is full ", 8) + "\n" + body,
		"no ranges":            "@@ what is this @@",
		"a question":           "what does @@ -1 +1 @@ mean",
	} {
		if q := parse(t, text, ParseOptions{}); len(q.Hunks) > 0 {
			t.Errorf("%s: %d hunks", name, len(q.Hunks))
		}
	}
}

func TestDiffsAreBounded(t *testing.T) {
	q := parse(t, strings.Repeat("@@ -1 +1 @@\n-one\n+two\n", maxHunks+3), ParseOptions{})
	if len(q.Hunks) != maxHunks || len(q.Hunks[maxHunks-1].Lines) != 2 {
		t.Errorf("%d hunks, the last with %d lines", len(q.Hunks), len(q.Hunks[len(q.Hunks)-1].Lines))
	}
	q = parse(t, "@@ -1,999 +1,999 @@\n"+strings.Repeat(" line\n", maxHunkLines+5), ParseOptions{})
	if len(q.Hunks[0].Lines) != maxHunkLines {
		t.Errorf("%d lines", len(q.Hunks[0].Lines))
	}
}

func TestHeaderFunction(t *testing.T) {
	for _, x := range []struct{ header, want string }{
		{"func SetMode(value string) {", "SetMode"},
		{"func (err SliceError) Error() string {", "Error"},
		{"export default function asPromise<T>(first?: Request): X<", "asPromise"},
		{"impl HiArgs {", "HiArgs"},
		{"public final class StringUtil {", "StringUtil"},
		{"class Request:", "Request"},
		{"module Sidekiq", "Sidekiq"},
		{"def refresh_data", "refresh_data"},
		{"static jv jvp_string_append(jv string, const char* data) {", "jvp_string_append"},
		{"var defaultCIDRs = []*net.IPNet{", "defaultCIDRs"},
		{"if (a) {", ""},
		{"be, to a very large extent", ""},
		{"", ""},
	} {
		if got := headerFunction(x.header); got != x.want {
			t.Errorf("%q: %q, want %q", x.header, got, x.want)
		}
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ f(\n a\n-b\n+c\n")
	f.Add("@@ -1 +1 @@\n\n\\ No newline at end of file\n--- \"a/\\303\"\n")
	f.Add("diff --git  \n@@ -99999999999999999999 +0,0 @@ class\n+")
	f.Fuzz(func(t *testing.T, text string) {
		q, ok := parseDiff(text)
		if ok != (len(q.Hunks) > 0) || len(q.Hunks) > maxHunks {
			t.Fatalf("%v with %d hunks", ok, len(q.Hunks))
		}
		for _, h := range q.Hunks {
			for _, l := range h.Lines {
				if l == "" || strings.IndexByte(" +-", l[0]) < 0 {
					t.Fatalf("line %q", l)
				}
			}
		}
	})
}

// A malformed expression between slashes was looked for as a path.
func TestAMalformedExpressionWasTakenForAPath(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{"/foo(/", "error"}, {"/fo[o/", "error"}, {"/foo(/i", "error"}, {"/a b)/", "error"}, {`/\8/`, "error"}, {"/a{2,1}/", "error"},
		{"/foo/", "regex"}, {`/a\/b/`, "regex"}, {"/foo/i", "regex"},
		{"/usr/lib/", "path"}, {"/api/v1/users/", "path"}, {"/c++/", "path"}, {"/*.go/", "path"},
		{"/* foo (bar */", "phrase"}, {"/**/", "phrase"}, {"/(a\n b/", "phrase"}, {`/foo(\/`, "path"},
	} {
		q, err := Parse(x.text, ParseOptions{})
		got := string(q.Class)
		if err != nil {
			got = "error"
			if !strings.Contains(err.Error(), agenvantage.ErrBadInput.Error()) {
				t.Errorf("%s: %v", x.text, err)
			}
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.text, got, x.want)
		}
	}
	_, between := Parse("/foo(/", ParseOptions{})
	_, asked := Parse("foo(", ParseOptions{Regex: true})
	if between == nil || asked == nil || between.Error() != asked.Error() {
		t.Errorf("%v between slashes, %v with the option", between, asked)
	}
}

func TestWhatMayBeAMessage(t *testing.T) {
	for _, x := range []struct {
		text string
		want bool
	}{
		{"Unexpected option: fooBar", true},
		{"rg: unrecognized file type: foo", true},
		{"cannot set a cookie with an empty name", true},
		{"could not open the file", true},
		{"is not a function", true},
		{"Can 'a' be read: no", true},
		{"how does the router match a path", false},
		{"where are cookies stored", false},
		{"match a path?", false},
		{"Mux.ServeHTTP", false},
		{`"Unexpected option"`, false},
		{strings.Repeat("too long to be one line ", 9), false},
		{"Traceback (most recent call last):\n  File \"a.py\", line 1, in run\nKeyError: 'x'", false},
	} {
		if got := parse(t, x.text, ParseOptions{}).Message != ""; got != x.want {
			t.Errorf("%q: %v", x.text, got)
		}
	}
}

func parse(t *testing.T, text string, o ParseOptions) agenvantage.Query {
	t.Helper()
	q, err := Parse(text, o)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return q
}
