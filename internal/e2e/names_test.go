//go:build unix

package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestUnusualFileNamesRoundTrip(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	names := []string{"a b/名前/部品.py", "two  spaces.py", "qu'o\"te.py", "-rf.py", "--help.py", "ta\tb.py", "li\nne.py", "gl*o[b]?.py",
		"$(touch pwned).py", "`id`.py",
		`ba\ck.py`, " ahead.py", "behind .py", "co:lon:3.py", "\u00fcber.py", "u\u0308ber.py", "semi;colon.py", "per%cent%s.py", "#sharp.py",
		"~tilde.py", "esc\x1b[31m.py",
		"tab\\nliteral.py", "CASE.py", "case.py", "emoji_😀.py", "con.py", "dot.", "!bang.py", "{brace,s}.py", strings.Repeat("long", 60) + ".py"}
	word := func(i int) string { return fmt.Sprintf("name_number_%02d_end", i) }
	for i, name := range names {
		tl.write(name, pyFunc(word(i)))
	}
	tl.write("raw\xfe\xff.py", pyFunc("raw_bytes_name"))
	tl.commit()
	o := tl.index().run
	var queries []string
	for i := range names {
		queries = append(queries, word(i))
	}
	found := map[string]bool{}
	for i, a := range tl.batch(ask{topK: 40}, questions(queries...)...) {
		if len(a.Results) == 0 {
			t.Errorf("%q: nothing", names[i])
			continue
		}
		h := a.Results[0]
		raw, err := os.ReadFile(tl.path(h.Path))
		if err != nil || !strings.Contains(string(raw), word(i)) || h.Path != names[i] {
			t.Errorf("%q is returned as %q (%v)", names[i], h.Path, err)
		}
		found[h.Path] = true
	}
	if len(found) != len(names) {
		t.Errorf("%d paths for %d files", len(found), len(names))
	}
	raw := false
	for path := range tl.fileTable() {
		raw = raw || strings.HasPrefix(path, "raw")
	}
	if !raw && len(tl.search("raw_bytes_name").Results) == 0 {
		t.Error("the name that is not UTF-8 is neither found nor listed")
	}
	tl.nothingSilent()

	// Reports for people: one line a file, no control characters.
	for _, word := range []string{word(slices.Index(names, "li\nne.py")), word(slices.Index(names, "esc\x1b[31m.py"))} {
		human := tl.run("", append(tl.flags("search"), "--", word)...)
		if human.code != 0 || strings.Contains(human.stdout, "li\nne.py") || strings.Contains(human.stdout, "\x1b") {
			t.Errorf("a name breaks the report: %q", human.stdout)
		}
	}
	list := tl.run("", tl.flags("files")...)
	if strings.Contains(list.stdout, "li\nne.py") || strings.Contains(list.stdout, "\x1b") {
		t.Errorf("a name breaks the list: %q", list.stdout)
	}
	if _, err := os.Stat(tl.path("pwned")); err == nil || strings.Contains(o.stdout+o.stderr, "uid=") {
		t.Error("a shell ran a file name")
	}

	// Such names are scopes too: a glob is a glob, a path is found as a query.
	for _, name := range []string{"a b", "qu'o\"te.py", "\u00fcber.py", "--help.py"} {
		a := tl.searchWith(ask{paths: []string{name}, topK: 50}, "name number end")
		if len(a.Results) != 1 {
			t.Errorf("scope %q: %v", name, a)
		}
	}
}

func TestLargeFilesAreListedWithSizeAndLimit(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	big := func(name string, bytes int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "package big\n\nfunc %sHead() int { return 1 }\n", name)
		for i := 0; b.Len() < bytes; i++ {
			fmt.Fprintf(&b, "func pad%s%d(n int) int { return n*%d + %d }\n", name, i, i*3, i)
		}
		fmt.Fprintf(&b, "func %sTail() int { return 2 }\n", name)
		return b.String()
	}
	huge := big("Huge", 1100<<10)
	tl.writeAll(files{"half.go": big("Half", 300<<10), "huge.go": huge, "tiny.go": "package big\n\nfunc TinyOne() {}\n"})
	tl.commit()
	tl.index()
	tl.find("HalfHead", "half.go")
	if h := tl.find("HalfTail", "half.go"); !strings.Contains(h.Text, "HalfTail") {
		t.Errorf("the end of a large file: %v", h)
	}
	tl.find("TinyOne", "tiny.go")
	f := tl.wantSkipped("huge.go", "too_large")
	if f.Size != int64(len(huge)) || f.Limit != 1<<20 {
		t.Errorf("size and limit of what is left out: %+v", f)
	}
	if a := tl.search("HugeTail"); a.Coverage.FilesSkipped < 1 || slices.Contains(a.paths(), "huge.go") {
		t.Errorf("the answer does not say that files were left out: %v", a)
	}

	// A higher limit reaches the index that exists; a lower one takes files out again.
	higher := tl.with("AGENVANTAGE_SCAN_MAX_FILE_BYTES=4000000")
	higher.index()
	higher.find("HugeTail", "huge.go")
	lower := tl.with("AGENVANTAGE_SCAN_MAX_FILE_BYTES=1000")
	lower.index()
	lower.lacks("HalfTail", "HugeTail")
	if f := lower.wantSkipped("half.go", "too_large"); f.Limit != 1000 {
		t.Errorf("limit %d", f.Limit)
	}
	lower.find("TinyOne", "tiny.go")
}

func TestFilesThatNobodyReadsAreListedWithAReason(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"app.js":            "export function handWritten() { return 1 }\n",
		"app.min.js":        "!function(){" + strings.Repeat("var a=1,b=2,c=a+b;function q(n){return n*2}", 400) + "}();\n",
		"package-lock.json": `{"name": "x", "lockfileVersion": 3, "packages": {` + strings.Repeat("\"node_modules/left\": {\"version\": \"1.0.0\"},\n", 50) + `"": {}}}`,
		"go.sum":            strings.Repeat("example.invalid/mod v1.0.0 h1:abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG=\n", 40),
		"api.pb.go":         "// Code generated by protoc-gen-go. DO NOT EDIT.\n\npackage api\n\nfunc GeneratedAccessor() {}\n",
		"picture.png":       "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00",
		"archive.gz":        "\x1f\x8b\x08\x00\x00\x00\x00\x00",
		"zero.go":           "",
	})
	tl.commit()
	tl.index()
	table := tl.fileTable()
	for path, reason := range map[string]string{"app.min.js": "minified generated", "package-lock.json": "lock", "go.sum": "lock",
		"api.pb.go": "generated", "picture.png": "binary", "archive.gz": "binary"} {
		f := table[path]
		if f.State == "skipped" && !slices.Contains(strings.Fields(reason), f.Reason) || f.State == "" || strings.HasSuffix(reason,
			"binary") && f.State == "indexed" {
			t.Errorf("%s: %+v, want it skipped as %s, or indexed last", path, f, reason)
		}
	}
	if f := table["zero.go"]; f.State != "indexed" {
		t.Errorf("an empty file: %+v", f)
	}
	tl.find("handWritten", "app.js")
	tl.nothingSilent()
}
