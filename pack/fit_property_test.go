package pack

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/tokens"
)

// randomInput is a tree with files of random lines, and what was chosen of it.
func randomInput(r *rand.Rand, count func(string) int) (FitInput, tree) {
	tr := tree{}
	var paths []string
	pick := []string{"x", "", "\tif err != nil {", "}", "return value", "// a comment of some words", "```", "é 日本 <|im_end|>", "    ", "/slash", "0123456789abcdef", strings.Repeat("long ", 40)}
	for i := range 1 + r.IntN(4) {
		path := []string{"a.go", "lib/b.py", "with blank.ts", "docs/d.md"}[i]
		paths = append(paths, path)
		for range 1 + r.IntN(120) {
			tr[path] = append(tr[path], pick[r.IntN(len(pick))])
		}
	}
	in := FitInput{Pack: skeleton(0), Count: count, Lines: tr.lines}
	in.Pack.Task = strings.Repeat("fix the streak ", 1+r.IntN(200))
	for range r.IntN(14) {
		path := paths[r.IntN(len(paths))]
		start := 1 + r.IntN(len(tr[path]))
		c := tr.chosen(path, start, min(len(tr[path]), start+r.IntN(60)), agenvantage.SlotNames()[r.IntN(3)], r.IntN(3) == 0)
		switch {
		case r.IntN(9) == 0:
			in.Instructions = append(in.Instructions, c.Block)
		case r.IntN(12) == 0:
			in.Handles = append(in.Handles, agenvantage.Handle{Path: path, StartLine: start, EndLine: start, Tokens: 5, Why: "w"})
		case r.IntN(12) == 0:
			in.Blocks = append(in.Blocks, Chosen{Block: agenvantage.Block{Kind: agenvantage.BlockHistory, Text: "1a2b3c fix\n2b3c4d add", Slot: agenvantage.SlotChanges}, Required: c.Required})
		default:
			in.Blocks = append(in.Blocks, c)
		}
	}
	if r.IntN(2) == 0 {
		in.Maps = []string{strings.Repeat("a map line\n", 30), "a map"}
	}
	return in, tr
}

func TestFitKeepsItsPromises(t *testing.T) {
	both := bothTokenizers(t)
	for seed := range 60 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		in, tr := randomInput(r, both)
		before := fmt.Sprintf("%+v", in.Blocks)
		shown := map[int]bool{}
		for _, budget := range []int{200, 263, 264, 265, 400, 511, 512, 700, 767, 768, 1000, 1023, 1024, 1500, 2500, 9000} {
			in.Pack.Budget = budget
			p, err := Fit(in)
			if errors.Is(err, agenvantage.ErrBadInput) && strings.Contains(err.Error(), "smallest") && len(shown) == 0 {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d, budget %d: %v", seed, budget, err)
			}
			check(t, p, tr, both)
			again := mustFit(t, in)
			one, _ := JSON(p)
			two, _ := JSON(again)
			if string(one) != string(two) || Markdown(p) != Markdown(again) {
				t.Errorf("seed %d, budget %d: two packs", seed, budget)
			}
			for i, c := range in.Blocks {
				is := c.Required && showsBegin(p, c.Block)
				if shown[i] && !is {
					t.Errorf("seed %d: a budget of %d loses a required block: %s:%d in %s", seed, budget, c.Block.Path, c.Block.StartLine, ranges(p))
				}
				shown[i] = is
			}
			if t.Failed() {
				t.Fatalf("seed %d, budget %d", seed, budget)
			}
		}
		if fmt.Sprintf("%+v", in.Blocks) != before {
			t.Errorf("seed %d: the input is changed", seed)
		}
	}
}

func showsBegin(p agenvantage.Pack, want agenvantage.Block) bool {
	return slices.ContainsFunc(p.Blocks, func(b agenvantage.Block) bool {
		if want.Path == "" {
			return b.Path == "" && strings.HasPrefix(want.Text, b.Text)
		}
		return b.Path == want.Path && b.StartLine <= want.StartLine && want.StartLine <= b.EndLine
	})
}

func BenchmarkFit(b *testing.B) {
	tr := tree{}
	in := FitInput{Pack: skeleton(8000), Lines: tr.lines}
	for i := range 40 {
		path := fmt.Sprintf("pkg%d/file.go", i)
		for k := range 30 {
			tr[path] = append(tr[path], fmt.Sprintf("\tvalue%d, err := compute(%d, %d)", k, i, k))
		}
		in.Blocks = append(in.Blocks, tr.chosen(path, 1, 30, agenvantage.SlotImplementation, i < 3))
	}
	b.Run("words", func(b *testing.B) {
		in.Count = words
		for b.Loop() {
			mustFit(b, in)
		}
	})
	b.Run("o200k", func(b *testing.B) {
		for b.Loop() {
			c, err := tokens.New("")
			if err != nil {
				b.Fatal(err)
			}
			in.Count = c.Count
			mustFit(b, in)
		}
	})
}
