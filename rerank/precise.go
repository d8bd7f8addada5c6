package rerank

import (
	"slices"

	"agenvantage"
)

// Precise is what the question spells out in a candidate, from 0 (nothing) to 1 (exactly this definition or place).
type Precise func(agenvantage.Candidate) float64

// ApplyPrecise adds to each candidate that the question names itself (a definition of that name, the file of that path,
// the line of that stack frame) the best fused score of the list times precise, as a part named exact_match, so that
// reciprocal ranks cannot bury it under places that only use the name. Without it, a list in which another channel puts
// eight uses first costs the definition its place. Candidates are returned in the order of agenvantage.CompareCandidates;
// those given are not changed.
func ApplyPrecise(candidates []agenvantage.Candidate, precise Precise) []agenvantage.Candidate {
	if len(candidates) == 0 {
		return candidates
	}
	best := candidates[0].Score
	for _, c := range candidates {
		best = max(best, c.Score)
	}
	out := slices.Clone(candidates)
	for i := range out {
		c := &out[i]
		if p := precise(*c); p > 0 {
			c.Parts = append(slices.Clone(c.Parts), agenvantage.Part{Name: "exact_match", Value: best * p})
			c.Score += best * p
		}
	}
	slices.SortFunc(out, agenvantage.CompareCandidates)
	return out
}
