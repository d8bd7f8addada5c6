package pipeline

import (
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/channels"
)

// The note that no file holds what the query spells out spoke of the whole query where a quoted value alone was missing, and of masked text as if it were searched.
func TestWhatNoFileHoldsIsSaidAsItIs(t *testing.T) {
	c := oneLiners("words", "more")
	hits := []agenvantage.Hit{c.scored(0, 0, -1, 9)}
	for _, x := range []struct {
		text   string
		masked int
		found  []agenvantage.Hit
		want   string
	}{
		{`"haystack"`, 0, hits, "no indexed file holds what the query spells out; the results only share words with it"},
		{`"haystack"`, 1, hits, "no indexed file holds what the query spells out; the results only share words with it; 1 file has masked text, which is not searched"},
		{`"haystack"`, 2, nil, "no indexed file holds what the query spells out; 2 files have masked text, which is not searched"},
		{`"haystack"`, 0, nil, ""},
		{`/hay/`, 2, nil, "no indexed file holds what the query spells out; 2 files have masked text, which is not searched"},
		{`why is there no "hay" and no 'stack' in the words here`, 0, hits, `no indexed file holds "hay", "stack"; the results only share words with it`},
		{"where are the words of it all", 2, hits, ""},
		{"f9.go:3", 2, hits, `no indexed file has the path "f9.go"`},
	} {
		run := []channels.Channel{fakeChannel{name: "exact"}, fakeChannel{name: "bm25f", hits: x.found}}
		r := search(t, c, Request{Text: x.text, Channels: run, Masked: func() int { return x.masked }}, defaults)
		notes := strings.Join(r.Notes, "|")
		if x.text == "f9.go:3" {
			if !strings.Contains(notes, x.want) || strings.Contains(notes, "masked") {
				t.Errorf("%s: %q", x.text, notes)
			}
		} else if notes != x.want {
			t.Errorf("%s: %q, want %q", x.text, notes, x.want)
		}
	}
}

// What says a message came behind what holds its quoted value.
func TestAMessageCameBehindItsValue(t *testing.T) {
	c := oneLiners("the foo", "invalid method %s", "invalid method bar")
	var exact []agenvantage.Hit
	for i, reason := range []string{"literal", "message: 2 of 3 words", "message: 2 of 3 words"} {
		h := c.scored(uint32(i), 0, -1, 100-float64(i))
		h.Reason = reason
		exact = append(exact, h)
	}
	r := search(t, c, Request{Text: "invalid method 'foo'", Channels: []channels.Channel{fakeChannel{name: "exact", hits: exact}}}, defaults)
	if got := paths(r); got != "f1.go f2.go f0.go" {
		t.Errorf("%s", got)
	}
}
