package app

import (
	"strings"
	"testing"

	"agenvantage"
)

// A copied file takes no place of its own, and a reader of the text learns where it is.
func TestCopiesAreNamedInAnswers(t *testing.T) {
	text := "package shop\n\n// Total adds what a cart holds, taxes left out.\nfunc Total(prices []int, amounts []int) int {\n\tsum := 0\n\tfor i, p := range prices {\n\t\tsum += p * amounts[i]\n\t}\n\treturn sum\n}\n"
	w := newWorld(t, files{"shop/total.go": text, "vendor/shop/total.go": text, "shop/tax.go": "package shop\n\n// Tax is of a total.\nfunc Tax(total int) int { return total / 5 }\n"})
	r := w.askAgain(SearchRequest{Query: "Total"})
	var also []agenvantage.Copy
	for _, x := range r.Results {
		if strings.HasPrefix(x.Path, "vendor/") && x.Symbol == "Total" { // its head is another chunk
			t.Errorf("the copy is shown: %s", found(r))
		}
		also = append(also, x.Also...)
	}
	if len(also) != 1 || also[0] != (agenvantage.Copy{Path: "vendor/shop/total.go", StartLine: 3, EndLine: 10, Alike: 1}) {
		t.Fatalf("%+v", also)
	}
	if got := resultText(r.Results[0]); !strings.Contains(got, "\nalso: vendor/shop/total.go:3-10\n") {
		t.Errorf("%s", got)
	}
	if r := w.askAgain(SearchRequest{Query: "Total", Filter: agenvantage.Filter{Paths: []string{"vendor"}}}); len(r.Results) == 0 || r.Results[0].Path != "vendor/shop/total.go" {
		t.Errorf("in its folder: %s", found(r))
	}
}
