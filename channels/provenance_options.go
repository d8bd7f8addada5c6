package channels

import (
	"fmt"
	"math"

	"agenvantage"
)

// ProvenanceOptions are the parameters of the channel provenance. The zero value means DefaultProvenanceOptions; any
// other value is taken as it stands.
type ProvenanceOptions struct {
	K1, B       float64 // of BM25 over messages
	AgeDays     float64 // a vote is worth 1/e of a new one at this age
	RecencyDays float64 // the same for the prior of files that were changed lately
	MaxFiles    int     // a commit that changed more files has no vote
	Commits     int     // the best matching commits that vote
	HunkCommits int     // of those, how many are read for the lines that they changed
	// Prior is how much a vote grows at most for recency and for churn, each: 0.1 is a tenth.
	Prior float64
	// Cochange is the weight of files that change together with a file that the question names, as a share of the best
	// vote at a confidence of 1; MinSupport is how often they must have done so.
	Cochange   float64
	MinSupport int
}

// DefaultProvenanceOptions are the shipped ones; configs/default.yaml gives the reasons.
func DefaultProvenanceOptions() ProvenanceOptions {
	return ProvenanceOptions{
		K1: 1.2, B: 0.75, AgeDays: 3000, RecencyDays: 90, MaxFiles: 30, Commits: 100, HunkCommits: 20,
		Prior: 0.1, Cochange: 0.5, MinSupport: 3,
	}
}

// Validate reports the first option that is out of its range.
func (o ProvenanceOptions) Validate() error {
	if o == (ProvenanceOptions{}) {
		return nil
	}
	for _, v := range []struct {
		name       string
		value      float64
		from, upTo float64
	}{
		{"k1", o.K1, 0, math.MaxFloat64},
		{"b", o.B, 0, 1},
		{"age days", o.AgeDays, 1, math.MaxFloat64},
		{"recency days", o.RecencyDays, 1, math.MaxFloat64},
		{"max files", float64(o.MaxFiles), 1, math.MaxInt32},
		{"commits", float64(o.Commits), 1, math.MaxInt32},
		{"hunk commits", float64(o.HunkCommits), 0, math.MaxInt32},
		{"prior", o.Prior, 0, math.MaxFloat64},
		{"cochange", o.Cochange, 0, math.MaxFloat64},
		{"min support", float64(o.MinSupport), 1, math.MaxInt32},
	} {
		if !(v.value >= v.from && v.value <= v.upTo) {
			return fmt.Errorf("%w: provenance %s is %v, want a number from %v to %v", agenvantage.ErrBadInput, v.name, v.value, v.from, v.upTo)
		}
	}
	return nil
}
