package app

import (
	"testing"

	"agenvantage"
)

// Of a place in a long function its first lines were shown, and of a quotation those that share most words with it.
func TestTheLineThatIsAskedForWasNotAmongThoseShown(t *testing.T) {
	result := func(reason string) agenvantage.Result {
		return agenvantage.Result{Path: "x/tree.go", StartLine: 10, EndLine: 13, Text: "needle\nThe Needle Text\nthe needle text\nneedle text\n", Channels: map[string]agenvantage.ChannelRank{"exact": {Reason: reason}}}
	}
	for _, x := range []struct {
		query, reason string
		regex         bool
		want          int
	}{
		{"tree.go:12", "place", false, 12},
		{"fix Tree.go:12 please", "place", false, 12},
		{"tree.go:8-11", "place", false, 10},
		{"tree.go:11-13", "place", false, 11},
		{"tree.go:99", "place", false, 13},
		{"leaf.go:12", "place", false, 0},
		{"leaf.go:11 and tree.go:12", "place", false, 12},
		{"tree.go:99 and tree.go:11", "place", false, 11},
		{"tree.go:12", "path", false, 0},
		{`"needle text"`, "literal", false, 12},
		{`"NEEDLE TEXT"`, "literal", false, 11},
		{`"The Needle" "needle"`, "", false, 11},
		{`"haystack"`, "", false, 0},
		{"needle text", "literal", false, 0},
		{"needle.text", "", true, 0},
		{"", "place", false, 0},
	} {
		if got := AskedIn(x.query, x.regex).Line(result(x.reason)); got != x.want {
			t.Errorf("%s (%s): line %d, want %d", x.query, x.reason, got, x.want)
		}
	}
}
