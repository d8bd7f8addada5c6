package rerank

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

func TestApplyPrecise(t *testing.T) {
	for _, x := range []struct {
		name, in string // FILE:SCORE:PRECISE, best first
		want     string // FILE:SCORE, with the added part
	}{
		{"none", "", ""},
		{"nothing precise", "0:4:0 1:2:0", "0:4 1:2"},
		{"the named one passes those before it", "0:4:0 1:2:1", "1:6[4] 0:4"},
		{"the best of the list, not the own score", "0:8:0.5 1:2:1", "0:12[4] 1:10[8]"},
		{"a little precise does not pass", "0:8:0 1:2:0.25", "0:8 1:4[2]"},
		{"equal scores are ordered by file", "0:4:0 2:2:0.5 1:2:0.5", "0:4 1:4[2] 2:4[2]"},
		{"the best need not come first", "0:2:1 1:4:0", "0:6[4] 1:4"},
	} {
		var in []agenvantage.Candidate
		precise := map[uint32]float64{}
		for _, s := range strings.Fields(x.in) {
			var c agenvantage.Candidate
			var p float64
			if _, err := fmt.Sscanf(s, "%d:%g:%g", &c.File, &c.Score, &p); err != nil {
				t.Fatal(err)
			}
			precise[c.File] = p
			c.Parts = []agenvantage.Part{{Name: "exact", Value: c.Score}}
			in = append(in, c)
		}
		before := fmt.Sprint(in)
		out := ApplyPrecise(in, func(c agenvantage.Candidate) float64 { return precise[c.File] })
		var got []string
		for _, c := range out {
			s, sum := fmt.Sprintf("%d:%g", c.File, c.Score), 0.0
			for _, p := range c.Parts {
				sum += p.Value
				if p.Name == "exact_match" {
					s += fmt.Sprintf("[%g]", p.Value)
				}
			}
			if sum != c.Score {
				t.Errorf("%s: parts of %s sum to %g", x.name, s, sum)
			}
			got = append(got, s)
		}
		if g := strings.Join(got, " "); g != x.want || !slices.IsSortedFunc(out, agenvantage.CompareCandidates) {
			t.Errorf("%s: %s, want %s", x.name, g, x.want)
		}
		if fmt.Sprint(in) != before {
			t.Errorf("%s: the input was changed", x.name)
		}
	}
}
