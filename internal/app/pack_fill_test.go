package app

import (
	"fmt"
	"strings"
	"testing"

	"agenvantage"
)

// "The Kafka consumer group rebalances" was partial in a server that has no word of it but "group", and its exit code said that there was something.
func TestATaskAboutWhatIsNotThereIsPartial(t *testing.T) {
	w := newRoutes(t)
	for _, c := range []struct {
		task string
		want bool // insufficient
	}{
		{"the kafka consumer of the server rebalances its partitions", true},
		{"invoices of the server have the wrong currency and country", true},
		{"Throttle drops the requests of the backlog", false},
		{"the kafka consumer makes Throttle drop requests", false}, // it names something that is there
	} {
		p := w.packed(PackRequest{Task: c.task, Preset: agenvantage.TaskExplain})
		if got := p.Status == agenvantage.PackInsufficient; got != c.want {
			t.Errorf("%q: %s: %s", c.task, p.Status, p.Why)
		}
	}
}

// Of a named file that defines it, a function whose name reads as prose was not shown.
func TestAFunctionNamedBesideItsFileIsNotShown(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "static int parse_part%d(int p) {\n  /* buffer of a string that is parsed, overflow and all */\n  return p + %d;\n}\n\n", i, i)
	}
	b.WriteString("static void tokenadd(int c) {\n  grow(c);\n  store(c);\n}\n")
	w := newWorld(t, files{"src/parse.c": b.String(), "src/other.c": "int other(void) {\n  return 1;\n}\n"})
	p := w.packed(PackRequest{Task: "overflow of the string buffer in tokenadd src/parse.c", Budget: 1000})
	for _, block := range p.Blocks {
		if strings.Contains(block.Text, "store(c);") {
			return
		}
	}
	t.Errorf("tokenadd is not shown: %s", places(p))
}

func TestVotesShownByABlock(t *testing.T) {
	for _, c := range []struct {
		lines int
		want  float64
	}{{1, 0.5}, {2, 1}, {40, 1}} {
		if got := voteShown(c.lines); got != c.want {
			t.Errorf("%d lines: %v, want %v", c.lines, got, c.want)
		}
	}
}

// The best place of a likely file counts as shown by its lines, not by its signature.
func TestASignatureCountsAsThePlace(t *testing.T) {
	p := &packer{items: []*packItem{{file: 1, path: "a.go", span: agenvantage.Span{StartLine: 10, EndLine: 20}, best: true}, {file: 2, path: "b.go", span: agenvantage.Span{StartLine: 5, EndLine: 5}, best: true}}}
	p.chances = []fileChance{{vote: 0.5}, {vote: 0.4}}
	p.chances[0].File, p.chances[1].File = 1, 2
	block := func(path string, start, end int) agenvantage.Block {
		return agenvantage.Block{Path: path, StartLine: start, EndLine: end}
	}
	for _, c := range []struct {
		blocks []agenvantage.Block
		want   string
	}{
		{nil, "a.go:10-20"},
		{[]agenvantage.Block{block("a.go", 10, 10), block("b.go", 5, 5)}, "a.go:10-20"},
		{[]agenvantage.Block{block("a.go", 21, 40), block("b.go", 5, 5)}, "a.go:10-20"},
		{[]agenvantage.Block{block("a.go", 12, 14)}, "b.go:5-5"},
		{[]agenvantage.Block{block("a.go", 12, 14), block("b.go", 5, 5)}, ""},
	} {
		if got := p.bestPlaceUnshown(c.blocks); got != c.want {
			t.Errorf("%v: %q, want %q", c.blocks, got, c.want)
		}
	}
	p.chances[1].vote = 0.01 // far behind the first
	if got := p.bestPlaceUnshown([]agenvantage.Block{block("a.go", 12, 14)}); got != "" {
		t.Errorf("an unlikely file counts: %q", got)
	}
}

// Lines of a comment that were cut out of a function had no mark.
func TestACutCommentHasNoMark(t *testing.T) {
	it := &packItem{span: agenvantage.Span{StartLine: 1, EndLine: 30}, pieces: []agenvantage.Span{{StartLine: 1, EndLine: 4}, {StartLine: 12, EndLine: 25}}}
	for piece, want := range []agenvantage.Span{{StartLine: 5, EndLine: 11}, {StartLine: 26, EndLine: 30}} {
		if got := it.omitted(piece); got != want {
			t.Errorf("piece %d: %v, want %v", piece, got, want)
		}
	}
	if got := (&packItem{span: agenvantage.Span{StartLine: 1, EndLine: 4}, pieces: []agenvantage.Span{{StartLine: 1, EndLine: 4}}}).omitted(0); got.Lines() != 0 {
		t.Errorf("nothing is cut, and %v is", got)
	}
}
