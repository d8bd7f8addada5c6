package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/channels"
)

// TestRelatedKeepsTheOrderOfItsChannel: scores are the channel's own, a chunk is named after its one symbol or its owner, and files have
// their turns.
func TestRelatedKeepsTheOrderOfItsChannel(t *testing.T) {
	c := boxes()
	near := &fakeChannel{name: "near", hits: []agenvantage.Hit{c.scored(0, 3, -1, 0.9), c.scored(1, 0, -1, 0.8), c.scored(0, 1, -1, 0.7), c.scored(0, 4, -1, 0.6), c.scored(1, 1, -1, 0.5)}}
	request := Request{Text: "box.py:16", Channels: []channels.Channel{near}}
	response, err := Related(t.Context(), c, request, defaults)
	if err != nil {
		t.Fatal(err)
	}
	const want = "1 box.py:15-20 Box.close, 2 lid.java:1-9 Lid, 3 box.py:3-9 Box, 4 lid.java:10-12, 5 box.py:21-26"
	if got := printed(response); got != want || response.Query != request.Text || len(response.Channels) != 1 {
		t.Errorf("%s\nwant %s; %+v", got, want, response.Channels)
	}
	scores := ""
	for _, r := range response.Results {
		sum := 0.0
		for _, p := range r.Parts {
			sum += p.Value
		}
		scores += fmt.Sprintf("%.2f=%.2f ", r.Score, sum)
	}
	if scores != "0.90=0.90 0.80=0.80 0.70=0.70 0.50=0.50 0.50=0.50 " { // the last one is beyond the cap of its file
		t.Error(scores)
	}
	var stages []string
	for _, stage := range response.Stages {
		stages = append(stages, stage.Name)
	}
	if got := strings.Join(stages, " "); got != "plan channels rerank hydrate" {
		t.Errorf("stages %s", got)
	}
	request.Offset, request.TopK = 1, 2
	if response, err = Related(t.Context(), c, request, defaults); err != nil || printed(response) != "2 lid.java:1-9 Lid, 3 box.py:3-9 Box" {
		t.Errorf("%s, %v", printed(response), err)
	}
	failed := errors.New("no vectors")
	request.Channels = []channels.Channel{&fakeChannel{name: "near", err: failed}}
	if _, err := Related(t.Context(), c, request, defaults); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
}

// Copies of one function, which are all as near to the place that is asked about, were listed one below the other.
func TestRelatedFoldsCopies(t *testing.T) {
	c, found := copies("f:a", "f:b", "f:a", "g:a", "f:a", "f:c")
	near := obedient{found}
	ask := func(text string, offset, topK int) agenvantage.Response {
		t.Helper()
		r, err := Related(t.Context(), c, Request{Text: text, Channels: []channels.Channel{near}, Offset: offset, TopK: topK}, defaults)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	const first = "1 d00/a.go+d02/a.go:1-31+d04/a.go:1-31"
	for _, x := range []struct {
		text         string
		offset, topK int
		want         string
	}{
		{"x.go:1", 0, 10, first + ", 2 d01/b.go, 3 d03/a.go, 4 d05/c.go"},
		{"x.go:1", 0, 1, first},
		{"x.go:1", 0, 3, first + ", 2 d01/b.go, 3 d03/a.go"},
		{"x.go:1", 0, 4, first + ", 2 d01/b.go, 3 d03/a.go, 4 d05/c.go"}, // as many as were asked for, beside the copies
		{"x.go:1", 3, 2, "3 d03/a.go, 4 d05/c.go"},
		{"d04/a.go:1", 0, 10, "1 d00/a.go+d02/a.go:1-31, 2 d01/b.go, 3 d03/a.go, 4 d04/a.go, 5 d05/c.go"}, // a file that is named
	} {
		if got := alsoOf(ask(x.text, x.offset, x.topK)); got != x.want {
			t.Errorf("%s, %d from %d:\n%s, want\n%s", x.text, x.topK, x.offset, got, x.want)
		}
	}
}
