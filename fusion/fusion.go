// Package fusion combines the ranked lists of the channels into one list of candidates. It is pure: values in, values
// out. Each channel's rank and share are kept, so that a score can be explained. Read FuseReciprocalRank.
package fusion

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"agenvantage"
)

// DefaultK is the constant of reciprocal rank fusion from its paper (Cormack, Clarke and Büttcher 2009). Values from 20
// to 80 were measured to differ little, so it is not worth tuning.
const DefaultK = 60

// Options weigh the lists.
type Options struct {
	K       float64            // 0 means DefaultK
	Weights map[string]float64 // by the name of the list; a name that is missing weighs 1; 0 leaves its list out
}

// Validate reports a constant or weight that is out of its range.
func (o Options) Validate() error {
	if !(o.K >= 0) || math.IsInf(o.K, 0) {
		return fmt.Errorf("%w: fusion k is %v, want 0 or more", agenvantage.ErrBadInput, o.K)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Weights)) {
		if w := o.Weights[name]; !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("%w: fusion weight of %s is %v, want 0 or more", agenvantage.ErrBadInput, name, w)
		}
	}
	return nil
}

func (o Options) weight(name string) float64 {
	if w, ok := o.Weights[name]; ok {
		return w
	}
	return 1
}

// List is the ranked list of one channel, best first. Names are distinct.
type List struct {
	Name string
	Hits []agenvantage.Hit
}

// key is what makes two hits one candidate.
type key struct {
	file   uint32
	span   agenvantage.Span
	symbol int
}

// FuseReciprocalRank scores each span by the sum, over the lists that hold it, of weight / (k + rank), rank from 1. A
// span that a list holds twice counts by its first place. Shares are summed in the order of the lists' names and kept as
// parts of that name, so the order of lists does not matter and another list never lowers a score. Candidates are
// returned in the order of agenvantage.CompareCandidates.
func FuseReciprocalRank(lists []List, o Options) []agenvantage.Candidate {
	k := o.K
	if k == 0 {
		k = DefaultK
	}
	lists = slices.Clone(lists)
	slices.SortStableFunc(lists, func(a, b List) int { return cmp.Compare(a.Name, b.Name) })
	var candidates []agenvantage.Candidate
	position := map[key]int{}
	for _, list := range lists {
		weight := o.weight(list.Name)
		if weight == 0 {
			continue
		}
		for i, h := range list.Hits {
			id := key{h.File, h.Span, h.Symbol}
			p, known := position[id]
			if !known {
				p = len(candidates)
				position[id] = p
				candidates = append(candidates, agenvantage.Candidate{File: h.File, Chunk: h.Chunk, Symbol: h.Symbol, Span: h.Span, Channels: map[string]agenvantage.ChannelRank{}})
			}
			c := &candidates[p]
			if _, twice := c.Channels[list.Name]; twice {
				continue
			}
			if c.Chunk < 0 {
				c.Chunk = h.Chunk
			}
			share := weight / (k + float64(i+1))
			c.Score += share
			c.Channels[list.Name] = agenvantage.ChannelRank{Rank: i + 1, Score: h.Score, Share: share, Reason: h.Reason}
			c.Parts = append(c.Parts, agenvantage.Part{Name: list.Name, Value: share})
		}
	}
	slices.SortFunc(candidates, agenvantage.CompareCandidates)
	return candidates
}
