package app

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/pipeline"
)

// maxTestFiles bounds the tests that a pack shows or names.
const maxTestFiles = 10

// testLines is how much is shown of the first, the second and each further test file: what the tests look like is needed once,
// then where they are.
func testLines(rank int) int {
	switch rank {
	case 0:
		return 24
	case 1:
		return 12
	}
	return 1
}

// fillTests ranks test files by the channels' votes, by edges to the files with a chance, and by their names, as three lists
// of equal weight; a file's best place is its item.
func (p *packer) fillTests() error {
	s, facts := p.slots[agenvantage.SlotTests], p.corpus.packFacts()
	tests, byName := facts.tests, facts.byName
	s.coverage = fmt.Sprintf("%d of %d indexed files are tests", tests, p.corpus.FileCount())
	if tests == 0 {
		s.absent = true
		return nil
	}
	score, why := map[uint32]float64{}, map[uint32][]string{}
	add := func(f uint32, v float64, reason string) {
		score[f] += v
		if !slices.Contains(why[f], reason) {
			why[f] = append(why[f], reason)
		}
	}
	voted := 0
	for _, f := range p.evidence.Files {
		if p.corpus.roleOf(f.File) == roleTest {
			add(f.File, 1/float64(testListK+voted), "votes for the task")
			voted++
		}
	}
	for f, weight := range p.testEdges() {
		add(f, weight, "uses what may change")
	}
	changed, err := p.testsChangedWith()
	if err != nil {
		return err
	}
	for f, weight := range changed {
		add(f, weight, "changed with what may change")
	}
	for rank, c := range p.chances[:min(len(p.chances), maxTestedFiles)] {
		for _, name := range testBaseNames(p.corpus.Path(c.File)) {
			for _, f := range byName[name] {
				near := 1.0
				if !sharesFolder(p.corpus.Path(f), p.corpus.Path(c.File)) {
					near = 0.5
				}
				add(f, 2*near/float64(testListK+2*rank), "named after "+p.corpus.Path(c.File))
			}
		}
	}
	ranked := slices.Collect(maps.Keys(score))
	slices.SortFunc(ranked, func(a, b uint32) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	ranked = ranked[:min(len(ranked), maxTestFiles)]
	places, err := p.evidence.Places(p.ctx, ranked)
	if err != nil {
		return err
	}
	for rank, f := range ranked {
		it, err := p.testItem(f, places[f], testLines(rank))
		if err != nil {
			return err
		}
		if it == nil {
			continue
		}
		it.reason = strings.Join(why[f], "; ")
		it.gain = score[f] / float64(rank+1)
		it.channels = channelsOf(p.votesOf(f))
		p.items = append(p.items, it)
	}
	if len(ranked) > 0 {
		s.confidence = math.Round(min(1, score[ranked[0]]*testListK/4)*100) / 100
		s.channels = channelsOf(p.votesOf(ranked[0]))
	}
	return nil
}

const (
	testListK      = 4
	maxTestedFiles = 6
	maxCochanges   = 60 // commits of a file that are looked at, newest first
	maxCommitFiles = 20 // of a commit that says what goes together
)

// testsChangedWith weighs the test files by the commits in which they changed together with the files with a chance. Without a
// history there are none.
func (p *packer) testsChangedWith() (map[uint32]float64, error) {
	weights := map[uint32]float64{}
	history, err := p.corpus.past.History(p.ctx)
	if errors.Is(err, channels.ErrNoHistory) {
		return weights, nil
	}
	if err != nil {
		return nil, err
	}
	for _, c := range p.chances[:min(len(p.chances), maxTestedFiles)] {
		together := map[uint32]int{}
		touching := history.Touching(c.File)
		for _, commit := range touching[:min(len(touching), maxCochanges)] {
			_, _, changed, files := history.Commit(commit)
			if changed > maxCommitFiles {
				continue
			}
			for _, f := range files {
				if p.corpus.roleOf(f) == roleTest {
					together[f]++
				}
			}
		}
		raiseByCount(weights, together, c.chance)
	}
	return weights, nil
}

// raiseByCount raises the weights of the test files that are counted for one file with a chance, by their places in the order of
// the counts.
func raiseByCount(weights map[uint32]float64, counts map[uint32]int, chance float64) {
	tests := slices.Collect(maps.Keys(counts))
	slices.SortFunc(tests, func(a, b uint32) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	for rank, f := range tests {
		weights[f] = max(weights[f], math.Sqrt(chance)/float64(testListK+rank))
	}
}

// testItem is the best place of a test file: a few lines from its start, or the line that declares it.
func (p *packer) testItem(f uint32, places []pipeline.PlaceEvidence, lines int) (*packItem, error) {
	facts, err := p.corpus.Facts(f)
	if err != nil || len(facts.Chunks) == 0 {
		return nil, err
	}
	place := pipeline.PlaceEvidence{Span: facts.Chunks[0].Span, Owner: facts.Chunks[0].Owner}
	if i := slices.IndexFunc(places, func(p pipeline.PlaceEvidence) bool { return facts.Chunks[p.Chunk].Kind != agenvantage.ChunkHeader }); i >= 0 {
		place = places[i]
	} else if i := slices.IndexFunc(facts.Chunks, func(c agenvantage.Chunk) bool {
		return c.Kind == agenvantage.KindFunction || c.Kind == agenvantage.KindMethod
	}); i >= 0 {
		place = pipeline.PlaceEvidence{Chunk: i, Span: facts.Chunks[i].Span, Owner: facts.Chunks[i].Owner}
	}
	if chunk := facts.Chunks[place.Chunk]; place.Owner < 0 && len(chunk.Symbols) > 0 {
		place.Owner = chunk.Symbols[0]
	}
	if lines == 1 && place.Owner >= 0 {
		place.Span.StartLine = facts.Symbols[place.Owner].NameLine
	}
	place.Span.EndLine = max(place.Span.StartLine, min(place.Span.EndLine, place.Span.StartLine+lines-1))
	return p.placeItem(agenvantage.SlotTests, f, place)
}

// votesOf are the votes for a file, nil for none.
func (p *packer) votesOf(f uint32) map[string]agenvantage.ChannelRank {
	for i := range p.evidence.Files {
		if p.evidence.Files[i].File == f {
			return p.evidence.Files[i].Votes
		}
	}
	return nil
}

// testEdges weighs the test files by their edges to the files with a chance.
func (p *packer) testEdges() map[uint32]float64 {
	weights := map[uint32]float64{}
	if p.links == nil {
		return weights
	}
	for _, c := range p.chances[:min(len(p.chances), maxTestedFiles)] {
		uses := map[uint32]int{}
		for symbol := -1; symbol < p.corpus.SymbolCount(c.File); symbol++ {
			for _, e := range p.links.In(agenvantage.Node{File: c.File, Symbol: symbol}) {
				if e.From.File != c.File && e.Kind != agenvantage.EdgeDefines && p.corpus.roleOf(e.From.File) == roleTest {
					uses[e.From.File]++
				}
			}
		}
		raiseByCount(weights, uses, c.chance)
	}
	return weights
}

// sharesFolder reports whether two paths have a folder name in common besides those of tests and sources.
func sharesFolder(a, b string) bool {
	in := map[string]bool{}
	for dir := range strings.SplitSeq(path.Dir(a), "/") {
		in[dir] = true
	}
	for dir := range strings.SplitSeq(path.Dir(b), "/") {
		if in[dir] && dir != "src" && dir != "lib" && dir != "test" && dir != "tests" {
			return true
		}
	}
	return path.Dir(a) == path.Dir(b)
}
