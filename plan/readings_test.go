package plan

import (
	"fmt"
	"strings"
	"testing"

	"agenvantage"
)

func TestReadings(t *testing.T) {
	report := "Wrong total when a cart is empty\n\n<!-- Please search first. -->\n### Steps to reproduce\n\n" +
		"Open the cart page without any item in it and look at the line below the table, where the sum of the prices is shown to the visitor of the shop. " +
		"It shows a number of the cart before, and not zero as one would expect of a cart that holds nothing.\n\n" +
		"```python\nfrom shop import Cart\nprint(Cart().compute_total())\n```\n"
	show := func(text string) string {
		q, err := Parse(text, ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, r := range ReadingsOf(q) {
			if r.Query.Class != q.Class {
				t.Errorf("reading %q has class %s, the report %s", r.Name, r.Query.Class, q.Class)
			}
			has := ""
			for _, w := range []string{"Please", "visitor", "compute_total", "Wrong"} {
				if strings.Contains(r.Query.Text, w) {
					has += " " + w
				}
			}
			fmt.Fprintf(&b, "%s*%v:%s\n", r.Name, r.Weight, has)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ text, want string }{
		"three ways":    {report, "*1: visitor compute_total Wrong\nprose*1: visitor Wrong\ntitle*1: Wrong\n"},
		"without code":  {strings.Split(report, "```")[0], "*2: visitor Wrong\ntitle*1: Wrong\n"},
		"one line":      {strings.Repeat("a visitor of the shop sees it ", 8), "*3: visitor\n"},
		"no prose":      {"```\n" + strings.Repeat("visitor = 1\n", 50) + "```", "*1: visitor\n"},
		"a comment all": {"<!-- " + strings.Repeat("visitor ", 50) + "-->", "*3: visitor\n"},
	} {
		if got := show(c.text); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
}

func FuzzReadings(f *testing.F) {
	f.Add("a title\n\n```\ncode\n```\nprose")
	f.Add("/x/\n" + strings.Repeat("word ", 60))
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text, ParseOptions{})
		if err != nil || q.Class != agenvantage.ClassIssue && q.Class != agenvantage.ClassTrace {
			return
		}
		total := 0.0
		readings := ReadingsOf(q)
		for _, r := range readings {
			total += r.Weight
			if strings.TrimSpace(r.Query.Text) == "" || r.Query.Class != q.Class {
				t.Errorf("reading %q of %q: %+v", r.Name, text, r.Query)
			}
		}
		if len(readings) == 0 || readings[0].Name != "" || total > 3 {
			t.Errorf("%d readings that stand for %v of %q", len(readings), total, text)
		}
	})
}
