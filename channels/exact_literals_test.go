package channels

import (
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// What was found for a quotation in a chunk was given to a symbol of the chunk that the question names and that does not hold it. And a quotation was
// looked for in another letter case only where nothing at all was found, a name beside it for one.
func TestAQuotationWasLostBesideAName(t *testing.T) {
	c := newCorpus(map[string]string{"a.go": "func parseFoo\n body\n// needle text\n", "b.go": "func other\n pin\n"}, nil)
	c.facts[0].Symbols[0].Span.EndLine = 2
	for question, want := range map[string]string{
		`"needle text" parseFoo`:       "a.go:1 a.go:1#parseFoo",
		`"NEEDLE text" parseFoo`:       "a.go:1 a.go:1#parseFoo",
		`"NEEDLE text" "pin" parseFoo`: "a.go:1 a.go:1#parseFoo b.go:1",
		`"body" parseFoo`:              "a.go:1#parseFoo",
		`"BODY" parseFoo`:              "a.go:1#parseFoo",
		`"haystack" parseFoo`:          "a.go:1#parseFoo",
		"\"NEEDLE text\" in parseFoo " + strings.Repeat("and so on ", 14): "a.go:1#parseFoo", // a long text quotes much
	} {
		got := shown(c, ask(t, NewExact(c, ExactOptions{}), c, question, agenvantage.Filter{}, 10).Hits)
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", question, s, want)
		}
	}
}

func TestHolds(t *testing.T) {
	for _, x := range []struct {
		text, needle     string
		standing, folded bool
	}{
		{"a needle here", "needle", true, false},
		{"needles", "needle", true, false},
		{"a Needle", "needle", false, true},
		{"Needle and needle", "needle", true, false},
		{"CAFÉ", "café", false, true},
		{"cafe\u0301", "café", true, false},
		{"need le", "needle", false, false},
		{"", "needle", false, false},
		{"needle", "", false, false},
		{"a{b}", "{b}", true, false},
	} {
		if standing, folded := Holds(x.text, x.needle); standing != x.standing || folded != x.folded {
			t.Errorf("%q in %q: %v and %v, want %v and %v", x.needle, x.text, standing, folded, x.standing, x.folded)
		}
	}
}
