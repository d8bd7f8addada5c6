package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/channels"
)

// copies is a corpus of files of one function each, their bodies the words given; the same words are the same text.
func copies(bodies ...string) (fakeCorpus, fakeChannel) {
	var c fakeCorpus
	found := fakeChannel{name: "bm25f"}
	for i, body := range bodies {
		name, words, _ := strings.Cut(body, ":")
		text := "func " + name + "\n"
		for j := range 30 {
			text += fmt.Sprintf("%s%d\n", words, j)
		}
		c = append(c, fakeFile{path: fmt.Sprintf("d%02d/%s.go", i, words), lang: "go", text: text, facts: agenvantage.Extraction{
			Symbols: []agenvantage.Symbol{symbol(agenvantage.KindFunction, name, 1, 31, -1)}, Chunks: []agenvantage.Chunk{chunk(agenvantage.KindFunction, 1, 31, 0, 0)}}})
		found.hits = append(found.hits, c.scored(uint32(i), 0, -1, float64(1000-i)))
	}
	return c, found
}

// alsoOf writes the results as path+copies.
func alsoOf(r agenvantage.Response) string {
	var out []string
	for _, x := range r.Results {
		s := fmt.Sprintf("%d %s", x.Rank, x.Path)
		for _, a := range x.Also {
			s += fmt.Sprintf("+%s:%d-%d", a.Path, a.StartLine, a.EndLine)
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func TestNearlyTheSameTextIsFoldedAndNamed(t *testing.T) {
	c, found := copies("f:a", "f:b", "f:a", "g:a", "f:a")
	near, foundNear := copies("f:a", "f:a")
	near[1].text = strings.Replace(near[1].text, "a15\n", "b15\n", 1) // 32 tokens: 5 of 28 runs differ
	ends, foundEnds := copies("f:a", "f:a")
	ends[1].text = strings.Replace(ends[1].text, "a29\n", "b29\n", 1) // the last token: one run
	header, foundHeader := copies("f:a", "f:a")
	for i := range header {
		header[i].facts.Chunks[0] = chunk(agenvantage.ChunkHeader, 1, 31, -1)
	}
	gone := func(state Freshness) func(uint32) Freshness {
		return func(file uint32) Freshness { return map[bool]Freshness{true: state, false: Fresh}[file == 0] }
	}
	for _, x := range []struct {
		name  string
		c     fakeCorpus
		found fakeChannel
		r     Request
		want  string
	}{
		{"copies", c, found, Request{Text: "some words of it"}, "1 d00/a.go+d02/a.go:1-31+d04/a.go:1-31, 2 d01/b.go, 3 d03/a.go"},
		{"a near miss", near, foundNear, Request{Text: "some words"}, "1 d00/a.go, 2 d01/a.go"},
		{"near enough", ends, foundEnds, Request{Text: "some words"}, "1 d00/a.go+d01/a.go:1-31"},
		{"heads of files", header, foundHeader, Request{Text: "some words"}, "1 d00/a.go, 2 d01/a.go"},
		{"a file that the question names", c, found, Request{Text: "d02/a.go"}, "1 d00/a.go+d04/a.go:1-31, 2 d01/b.go, 3 d02/a.go, 4 d03/a.go"},
		{"a folder that the question names", c, found, Request{Text: "words in d04/"}, "1 d00/a.go+d02/a.go:1-31, 2 d01/b.go, 3 d03/a.go, 4 d04/a.go"},
		{"a scope with both", c, found, Request{Text: "some words", Filter: agenvantage.Filter{Paths: []string{"d0[0-4]"}}}, "1 d00/a.go+d02/a.go:1-31+d04/a.go:1-31, 2 d01/b.go, 3 d03/a.go"},
		{"a scope that names both", c, found, Request{Text: "some words", Filter: agenvantage.Filter{Paths: []string{"d00", "d04"}}}, "1 d00/a.go, 2 d04/a.go"},
		{"the better one is gone", c, found, Request{Text: "some words", FreshnessOf: gone(Gone)}, "1 d01/b.go, 2 d02/a.go+d04/a.go:1-31, 3 d03/a.go"},
		{"the better one has changed", c, found, Request{Text: "some words", FreshnessOf: gone(Changed)}, "1 d00/a.go, 2 d01/b.go, 3 d02/a.go+d04/a.go:1-31, 4 d03/a.go"},
	} {
		x.r.Channels = []channels.Channel{x.found}
		first := search(t, x.c, x.r, defaults)
		if got := alsoOf(first); got != x.want {
			t.Errorf("%s:\n%s, want\n%s", x.name, got, x.want)
		}
		if again := search(t, x.c, x.r, defaults); canonical(t, again) != canonical(t, first) {
			t.Errorf("%s: other bytes the second time", x.name)
		}
	}
	r := search(t, ends, Request{Text: "some words", Channels: []channels.Channel{foundEnds}}, defaults)
	if a := r.Results[0].Also[0].Alike; a != 0.931 { // 27 of 29 runs
		t.Errorf("alike %v", a)
	}
}

// Pages are slices of one ranking, folds and numbers of results included, wherever they begin.
func TestPagesOfFoldedResultsAreSlices(t *testing.T) {
	var bodies []string
	for i := range 50 {
		bodies = append(bodies, "f:"+string(rune('a'+i*7%11)))
	}
	c, found := copies(bodies...)
	o := defaults
	ask := func(offset, topK int) agenvantage.Response {
		return search(t, c, Request{Text: "some words of it", Channels: []channels.Channel{found}, Offset: offset, TopK: topK}, o)
	}
	all := ask(0, 50)
	shown, named := 0, 0
	for _, x := range all.Results {
		shown, named = shown+1, named+len(x.Also)
	}
	if shown+named != 50 || shown != 11+11+10 { // windows of 20, 20 and 10 places with 11 texts, 11 and 10
		t.Fatalf("%d shown, %d named", shown, named)
	}
	lines := strings.Split(alsoOf(all), ", ")
	for size := 1; size <= 12; size++ {
		var paged []string
		for offset := 0; ; {
			r := ask(offset, size+1)
			n := min(size, len(r.Results))
			if n > 0 {
				page := r
				page.Results = r.Results[:n]
				paged = append(paged, strings.Split(alsoOf(page), ", ")...)
			}
			if len(r.Results) <= size {
				break
			}
			offset = r.Results[size].Place
		}
		if !slices.Equal(paged, lines) {
			t.Errorf("pages of %d:\n%s, want\n%s", size, strings.Join(paged, ", "), strings.Join(lines, ", "))
		}
	}
}

// obedient returns no more hits than it is asked for.
type obedient struct{ fakeChannel }

func (c obedient) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	l, err := c.fakeChannel.Search(ctx, r)
	l.Hits = l.Hits[:min(len(l.Hits), r.Limit)]
	return l, err
}

// An answer has as many results as were asked for, as long as there are more behind those that are folded.
func TestFoldedResultsMakeRoomForOthers(t *testing.T) {
	c, found := copies("f:a", "f:a", "f:a", "f:b", "f:c", "f:d")
	o := defaults
	o.ChannelLimit = 4
	r := search(t, c, Request{Text: "some words of it", Channels: []channels.Channel{obedient{found}}, TopK: 4}, o)
	if got, want := alsoOf(r), "1 d00/a.go+d01/a.go:1-31+d02/a.go:1-31, 2 d03/b.go, 3 d04/c.go, 4 d05/d.go"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestFoldedSpansAreNoMoreInFile(t *testing.T) {
	c, found := copies("f:a", "f:b")
	x := &c[0]
	x.text += x.text
	x.facts.Symbols = append(x.facts.Symbols, symbol(agenvantage.KindFunction, "f", 32, 62, -1))
	x.facts.Chunks = append(x.facts.Chunks, chunk(agenvantage.KindFunction, 32, 62, 1, 1))
	found.hits = append(found.hits, c.scored(0, 1, -1, 900))
	r := search(t, c, Request{Text: "some words of it", Channels: []channels.Channel{found}}, defaults)
	if got, want := alsoOf(r), "1 d00/a.go+d00/a.go:32-62, 2 d01/b.go"; got != want || r.Results[0].MoreInFile != 0 {
		t.Errorf("%s, %d more, want %s", got, r.Results[0].MoreInFile, want)
	}
}

func TestNamesFile(t *testing.T) {
	for _, x := range []struct {
		named, file string
		want        bool
	}{
		{"a/b.go", "a/b.go", true}, {"b.go", "a/b.go", true}, {"./a/b.go", "a/b.go", true}, {"B.go", "a/b.go", true}, {`a\b.go`, "a/b.go", true},
		{"a", "a/b.go", true}, {"a/", "x/a/b.go", true}, {"/home/me/repo/a/b.go", "a/b.go", true}, {"**/b.go", "a/b.go", true},
		{"bb.go", "a/b.go", false}, {"b", "a/b.go", false}, {"c/b.go", "a/b.go", false}, {"aa", "a/b.go", false},
	} {
		if got := namesFile(x.named, x.file); got != x.want {
			t.Errorf("%q names %q: %v", x.named, x.file, got)
		}
	}
}
