package app

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"agenvantage"
	"agenvantage/pipeline"
)

func unionOf(a, b map[uint32]bool) map[uint32]bool {
	all := maps.Clone(b)
	maps.Copy(all, a)
	return all
}

// fileChance is a file with the chance that the task needs it.
type fileChance struct {
	pipeline.FileEvidence
	chance float64 // share of the chances: it decides what is shown
	vote   float64 // share of the votes, less sharp: it says how much was shown
	places []pipeline.PlaceEvidence
}

// chanceOfPlace is the chance of a file as it counts for the place of a rank in it. The best place of a file counts by its votes as well: the second
// best file is shown by what speaks most for it before the likeliest one is shown further.
// For long texts it was refused: success on 181 tasks 0.652 for 0.646, and no bound of the votes says ready of 0.60 of the full packs and is wrong in 5%.
func (p *packer) chanceOfPlace(c *fileChance, rank int) float64 {
	if rank > 0 || p.long() {
		return c.chance
	}
	return (1-bestByVote)*c.chance + bestByVote*c.vote
}

// Chances: how votes become the chance that a file is needed, and places of a needed file the chance that its lines are.
const (
	maxChanceFiles  = 120
	chanceSharpness = 7 // success@6000 of 181 issue tasks is 0.558 with 3 and 4.5, 0.591 with 7, 0.575 with 10
	voteSharpness   = 4 // of 0.5 to 6, powers from 3 on tell full packs from others about equally well (area under the curve 0.65)
	firstPlace      = 0.46
	bestByVote      = 0.3 // share of the vote of a file in the chance of its best place; on 100 mined tasks at 2,000 tokens success 0.39 to 0.40 for 0.38, at 6,000 0.63 for 0.62
	placeDecay      = 1.5
	typicalTokens   = 150 // of a place: its chance grows with the root of its length, since what is longer holds a change more often (success@6000 0.597 for 0.569)
	maxPlacesOfFile = 12
	tokensOfPlace   = 500  // of the budget, for each place of a file beyond those
	besideAnchors   = 0.15 // factor of the files that a task which names definitions does not name
	seedLead        = 1.25 // of a seed over the best file that is none
)

// rankChances gives the files that may be the implementation their chances, best first.
func (p *packer) rankChances() error {
	best := 0.0
	for _, f := range p.evidence.Files {
		f.Score *= implementationFactor(p.corpus.roleOf(f.File), p.asked)
		if isInstruction(p.corpus.Path(f.File)) {
			continue
		}
		best = math.Max(best, f.Score)
		p.chances = append(p.chances, fileChance{FileEvidence: f})
	}
	named := map[uint32]bool{}
	for _, a := range p.anchors {
		named[a.node.File] = true
	}
	for _, point := range p.points {
		named[point.file] = true
	}
	for file := range p.changed {
		named[file] = true
	}
	leading := unionOf(p.seeds, named)
	for _, seed := range slices.Sorted(maps.Keys(leading)) {
		i := slices.IndexFunc(p.chances, func(c fileChance) bool { return c.File == seed })
		if i < 0 {
			i = len(p.chances)
			p.chances = append(p.chances, fileChance{FileEvidence: pipeline.FileEvidence{File: seed}})
		}
		p.chances[i].Score = max(p.chances[i].Score, seedLead*max(best, 0.05))
	}
	slices.SortFunc(p.chances, func(a, b fileChance) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File))
	})
	p.chances = p.chances[:min(len(p.chances), max(maxChanceFiles, len(leading)))]
	files, chances, votes := make([]uint32, len(p.chances)), 0.0, 0.0
	for i := range p.chances {
		c := &p.chances[i]
		c.chance, c.vote = math.Pow(c.Score, chanceSharpness), math.Pow(c.Score, voteSharpness)
		if len(p.anchors) > 0 && !leading[c.File] {
			c.chance *= besideAnchors
		}
		chances, votes = chances+c.chance, votes+c.vote
		files[i] = c.File
	}
	places, err := p.evidence.Places(p.ctx, files)
	if err != nil {
		return err
	}
	for i := range p.chances {
		p.chances[i].chance, p.chances[i].vote = p.chances[i].chance/chances, p.chances[i].vote/votes
		if err := p.headsLast(p.chances[i].File, places[p.chances[i].File]); err != nil {
			return err
		}
		if p.chances[i].chance >= leastWeighed {
			if err := p.commentsLast(p.chances[i].File, places[p.chances[i].File]); err != nil {
				return err
			}
		}
		p.chances[i].places = places[p.chances[i].File]
	}
	return nil
}

// headFactor is what the imports and the licence at the head of a file count for in a short task: they hold its words, and
// say little. For the texts of issues it was refused: on 181 tasks success fell from 0.536 to 0.530.
const headFactor = 0.3

// headsLast lowers the heads of files among places.
func (p *packer) headsLast(file uint32, places []pipeline.PlaceEvidence) error {
	if p.long() {
		return nil
	}
	facts, err := p.corpus.Facts(file)
	if err != nil {
		return err
	}
	for i := range places {
		if facts.Chunks[places[i].Chunk].Kind == agenvantage.ChunkHeader {
			places[i].Score *= headFactor
		}
	}
	slices.SortStableFunc(places, func(a, b pipeline.PlaceEvidence) int { return cmp.Compare(b.Score, a.Score) })
	return nil
}

// Comments: over 400 short tasks mined from two repositories success went from 0.540 and 0.575 to 0.540 and 0.585 with the share below. For
// the texts of issues, whose code is told by its comments, it was refused: on 181 tasks success fell from 0.630 to 0.597.
const (
	leastWeighed  = 0.002 // chance of a file from which the comments in its places are told from its code
	commentFactor = 0.3   // what a place without code counts for
	commentFrom   = 0.45  // share of code up to which a place of a short task is one without; of a long text only what has none at all
)

// commentsLast lowers the places that are mostly comments: they hold the words of a task without being what decides.
func (p *packer) commentsLast(file uint32, places []pipeline.PlaceEvidence) error {
	if p.corpus.roleOf(file) != roleCode || p.task.Kind == agenvantage.TaskExplain {
		return nil
	}
	lines, err := p.linesOf(file)
	if err != nil {
		return err
	}
	comments, err := p.commentsIn(file)
	if err != nil {
		return err
	}
	from := commentFrom
	if p.long() {
		from = 0
	}
	for i, place := range places {
		if s := place.Span; s.StartLine >= 1 && s.EndLine <= len(lines) && codeShare(lines[s.StartLine-1:s.EndLine], s.StartLine, comments) <= from {
			places[i].Score *= commentFactor
		}
	}
	slices.SortStableFunc(places, func(a, b pipeline.PlaceEvidence) int { return cmp.Compare(b.Score, a.Score) })
	return nil
}

// agreementOf is the share of the votes that a file could have had, 0 to 1: the first place in every list that is not empty.
func agreementOf(reports []agenvantage.ChannelReport, f pipeline.FileEvidence) float64 {
	o := pipeline.DefaultEvidenceOptions()
	weight := func(name string) float64 {
		if w, ok := o.Votes[name]; ok {
			return w
		}
		return 1
	}
	most, had := 0.0, 0.0
	for _, r := range reports {
		if r.Hits > 0 {
			most += weight(r.Name) / (o.K + 1)
		}
		if v, ok := f.Votes[r.Name]; ok {
			had += weight(r.Name) / (o.K + float64(v.Rank))
		}
	}
	if most == 0 {
		return 0
	}
	return math.Round(had/most*100) / 100
}

func channelsOf(votes map[string]agenvantage.ChannelRank) []string {
	names := []string{}
	for name := range votes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// reported are the channels that ran.
func reported(reports []agenvantage.ChannelReport) []string {
	names := []string{}
	for _, r := range reports {
		if r.Status != agenvantage.StatusOff {
			names = append(names, r.Name)
		}
	}
	return names
}
