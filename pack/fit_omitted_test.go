package pack

import (
	"strings"
	"testing"

	"agenvantage"
)

// A block that was cut inside of a comment did not say so; one whose rest another block shows has nothing to say.
func TestOmittedLinesAreNotSaid(t *testing.T) {
	block := func(start, end int) agenvantage.Block {
		return agenvantage.Block{Kind: agenvantage.BlockSource, Path: "a.py", StartLine: start, EndLine: end, Text: strings.Repeat("x = 1\n", end-start) + "x = 1"}
	}
	for _, c := range []struct {
		second agenvantage.Block
		want   string
	}{
		{block(20, 24), "lines 5-12 are not shown"},
		{block(5, 24), ""},
		{block(9, 24), "lines 5-8 are not shown"},
	} {
		in := FitInput{Count: func(s string) int { return len(s) / 4 }, Pack: agenvantage.Pack{Task: "t", Preset: agenvantage.TaskBug, Budget: 2000}}
		in.Blocks = []Chosen{{Block: block(1, 4), Omitted: agenvantage.Span{StartLine: 5, EndLine: 12}}, {Block: c.second}}
		p, err := Fit(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Blocks[0].Cut; got != c.want {
			t.Errorf("with lines %d-%d: %q, want %q", c.second.StartLine, c.second.EndLine, got, c.want)
		}
	}
}
