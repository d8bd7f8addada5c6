package plan

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// pad makes a text long enough to be cleaned: 41 words.
var pad = strings.TrimSpace(strings.Repeat("word ", 41))

func TestCleanIssue(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"comment", "Title <!-- say\nwhat --> stays", "Title  stays"},
		{"comment in code", "```html\n<!-- kept -->\n```\nand `<!-- this -->`", "```html\n<!-- kept -->\n```\nand `<!-- this -->`"},
		{"open comment", "a <!-- never closed", "a <!-- never closed"},
		{"template heading", "# Importer\n\n## Steps to reproduce\n\n1. open the importer", "# Importer\n\n1. open the importer"},
		{"own heading", "## The importer drops rows\ntext", "## The importer drops rows\ntext"},
		{"empty own section", "text\n### Terms accepted\n### Area\n", "text"},
		{"title above a section", "# Importer\n## Rows\ntext", "# Importer\n## Rows\ntext"},
		{"bold lead", "**Expected behavior** rows are kept", "rows are kept"},
		{"bold heading", "**Describe the bug**\nrows are lost", "rows are lost"},
		{"underlined heading", "Expected results\n----------------\nrows", "rows"},
		{"plain heading", "Steps to reproduce:\nopen it", "open it"},
		{"one plain word stays", "Summary\nopen it", "Summary\nopen it"},
		{"check boxes", "- [x] I searched\n* [ ] I agree\nrows", "rows"},
		{"template sentence", "A clear and concise description of what the bug is.\nrows", "rows"},
		{"environment", "rows\n\n**Environment**\n- OS: Windows\n- Python version: 3.9.1\n- Extra tools: None\n\n**Additional context**\nmore rows", "rows\n\nmore rows"},
		{"environment then prose", "### Versions\nshop 1.2.3\n\nWhen I open the importer all of the rows are lost at once", "When I open the importer all of the rows are lost at once"},
		{"message in environment", "### Environment\nLinux\nImportError: no module named rows\n### Next", "ImportError: no module named rows"},
		{"code in environment", "### Environment\n```python\nimport shop\nshop.run()\n```", "```python\nimport shop\nshop.run()\n```"},
		{"versions in a fence", "rows\n### System info\n```\nnumpy 1.18.5\nshop==2.0\nPython 3.8.5\n```", "rows"},
		{"versions in a fence elsewhere", "### Output\n```\nnumpy 1.18.5\n```", "```\nnumpy 1.18.5\n```"},
		{"list of versions", "rows\nnumpy: 1.18.5\npandas: 1.0\npython-bits: 64\nmore", "rows\nmore"},
		{"two versions are no list", "rows\nnumpy: 1.18.5\npandas: 1.0\nmore", "rows\nnumpy: 1.18.5\npandas: 1.0\nmore"},
		{"version command", "rows\n### shop --version output\nshop 1.6.5,\nPython 3.6.0 |Custom (64-bit)|", "rows"},
		{"details", "<details><summary>System details</summary>\n\nshop 1.2.3\n</details>\nrows", "rows"},
		{"images", "rows ![shot](https://x.y/z.png) and <img width=\"9\" src=\"a\"> stay", "rows  and  stay"},
		{"trace", "### Environment\n  File \"a.py\", line 2, in f\n    rows()\n", "File \"a.py\", line 2, in f\n    rows()"},
		{"indented code", "rows\n\n    x = 1.2.3\n", "rows\n\n    x = 1.2.3"},
		{"crlf", "# A\r\n## Description\r\nrows\r\n", "# A\nrows"},
	} {
		got := CleanIssue(pad + "\n\n" + c.text)
		rest, ok := strings.CutPrefix(got, pad)
		if !ok || strings.TrimSpace(rest) != c.want {
			t.Errorf("%s: got\n%q\nwant\n%q", c.name, strings.TrimSpace(rest), c.want)
		}
	}
}

func TestCleanIssueLeavesShortTextAlone(t *testing.T) {
	for _, text := range []string{"", "Expected behavior", "- [ ] add a flag", "why is `<!-- x -->` kept <!-- here -->?\n\n\n\n## Description", "a\r\nb"} {
		if got := CleanIssue(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A report that is nothing but a form keeps its text: it is all there is.
func TestCleanIssueNeverGivesNothing(t *testing.T) {
	text := strings.Repeat("- [ ] I have read the rules and agree\n", 8)
	if got := CleanIssue(text); got != text {
		t.Errorf("got %q", got)
	}
}

func FuzzCleanIssue(f *testing.F) {
	for _, s := range []string{"<!-- a --> b", "```\n<!-- c -->\n```\n# D\n## E\n", "**Environment**\n- OS: x\n~~~\n1.2\n", "- [ ] x\nTitle\n---\n", "<!--", "<details>\n<summary>Versions</summary>\na 1.2.3\n"} {
		f.Add(pad + "\n" + s)
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := CleanIssue(text)
		switch {
		case got != CleanIssue(text):
			t.Fatal("two calls differ")
		case len(got) > len(text):
			t.Fatalf("%d bytes became %d", len(text), len(got))
		case utf8.ValidString(text) && !utf8.ValidString(got):
			t.Fatal("the text is no longer UTF-8")
		case strings.TrimSpace(text) != "" && strings.TrimSpace(got) == "":
			t.Fatal("nothing is left")
		}
	})
}
