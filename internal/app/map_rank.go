package app

import (
	"cmp"
	"math"
	"slices"

	"agenvantage"
)

// A file's rank is its PageRank among files: each file gives its rank to the files that it refers to. The graph and its
// weights follow aider's map (a directed multigraph of files, the root of the number of references, rank handed on to
// definitions), with the stored edges in the place of equal names.

// useWeights says how much one edge of a kind counts. An order and no measurement: what runs or is built upon counts whole.
var useWeights = map[agenvantage.EdgeKind]float64{
	agenvantage.EdgeCalls: 1, agenvantage.EdgeInherits: 1, agenvantage.EdgeImplements: 1, agenvantage.EdgeReferences: 0.6,
	agenvantage.EdgeRoutes: 0.5, agenvantage.EdgeImports: 0.3, agenvantage.EdgeDocuments: 0.2, agenvantage.EdgeConfigures: 0.2,
}

// sureness is by Confidence, as the graph channel has it.
var sureness = [4]float64{0, 0.2, 0.7, 1}

// testShare is the rank that a test has from nowhere, beside 1 of other code.
const testShare = 0.08

// use is what one file says about a definition, or about a file (symbol -1).
type use struct {
	to     uint32
	symbol int
	count  int
	weight float64
}

// link is what one file says about another one.
type link struct {
	To     uint32
	Count  int
	Weight float64
}

// gatherUses adds up the edges that lead out of a file f, to other files, in the order of target and symbol.
func gatherUses(f uint32, edges []agenvantage.Edge) []use {
	var uses []use
	for _, e := range edges {
		w := useWeights[e.Kind] * sureness[e.Confidence&3]
		if w == 0 || e.To.File == f {
			continue
		}
		uses = append(uses, use{e.To.File, e.To.Symbol, 1, w})
	}
	slices.SortStableFunc(uses, compareUses)
	merged := uses[:0]
	for _, u := range uses {
		if n := len(merged); n > 0 && merged[n-1].to == u.to && merged[n-1].symbol == u.symbol {
			merged[n-1].count++
			continue // the surest edge is the weight
		}
		merged = append(merged, u)
	}
	for i := range merged {
		merged[i].weight *= math.Sqrt(float64(merged[i].count))
	}
	return slices.Clip(merged)
}

// compareUses orders by target, the surest first.
func compareUses(a, b use) int {
	return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.symbol, b.symbol), cmp.Compare(b.weight, a.weight))
}

// linksOf folds uses into links, in the order of targets.
func linksOf(uses []use) []link {
	var links []link
	for _, u := range uses {
		if n := len(links); n > 0 && links[n-1].To == u.to {
			links[n-1].Count += u.count
			links[n-1].Weight += u.weight
			continue
		}
		links = append(links, link{u.to, u.count, u.weight})
	}
	return links
}

// Damping and number of rounds of the rank of files: those of PageRank as it was published. After 20 rounds a vote carries
// 0.85^20, 4%, of its weight.
const (
	rankDamping = 0.85
	rankRounds  = 20
)

// firstRanks is how rank lies before the first round: each file's share of the base, all 0 where the base has no sum.
func firstRanks(base []float64) (rank []float64, total float64) {
	for _, b := range base {
		total += b
	}
	rank = make([]float64, len(base))
	if total == 0 {
		return rank, 0
	}
	for i, b := range base {
		rank[i] = b / total
	}
	return rank, total
}

// fileRanks is the PageRank of files whose votes have a weight: base says how much rank a file has from nowhere and how much
// of its rank it hands on. The result sums to 1, unless nothing has a base.
func fileRanks(links [][]link, base []float64) []float64 {
	n := len(links)
	rank, total := firstRanks(base)
	if total == 0 {
		return rank
	}
	out := make([]float64, n)
	for f := range links {
		for _, l := range links[f] {
			out[f] += l.Weight
		}
	}
	for range rankRounds {
		next := make([]float64, n)
		lost := 0.0
		for f := range links {
			if out[f] == 0 {
				lost += rank[f]
				continue
			}
			share := rankDamping * rank[f] / out[f]
			for _, l := range links[f] {
				next[l.To] += share * l.Weight
			}
		}
		for i := range next {
			next[i] += (1 - rankDamping + rankDamping*lost) * base[i] / total
		}
		rank = next
	}
	return rank
}

// personalRounds is how often relevance is handed on: with one or two rounds files rank as well as with ten.
const (
	personalRounds  = 2
	personalDamping = 0.6
	backShare       = 0.5 // of a link against its direction: who uses what is sought is near it too
)

// personalRanks is the PageRank with seeds in the place of the base, over links both ways.
func personalRanks(links [][]link, seeds []float64) []float64 {
	n := len(links)
	both := make([][]link, n)
	for f := range links {
		for _, l := range links[f] {
			both[f] = append(both[f], l)
			both[l.To] = append(both[l.To], link{To: uint32(f), Weight: backShare * l.Weight})
		}
	}
	rank, total := firstRanks(seeds)
	if total == 0 {
		return rank
	}
	for range personalRounds {
		next := make([]float64, n)
		for f := range both {
			if rank[f] == 0 {
				continue
			}
			out := 0.0
			for _, l := range both[f] {
				out += l.Weight
			}
			if out == 0 {
				next[f] += personalDamping * rank[f]
				continue
			}
			for _, l := range both[f] {
				next[l.To] += personalDamping * rank[f] * l.Weight / out
			}
		}
		for i := range next {
			next[i] += (1 - personalDamping) * seeds[i] / total
		}
		rank = next
	}
	return rank
}

// testVoice is the part of its rank with which a test votes for symbols: tests look into corners that nothing else uses.
const testVoice = 0.25

// symbolVotes hands what files have to say on to the definitions that they use: each file's voice is divided among its uses by
// their weight.
func symbolVotes(uses [][]use, voice []float64) map[agenvantage.Node]float64 {
	votes := map[agenvantage.Node]float64{}
	for f := range uses {
		total := 0.0
		for _, u := range uses[f] {
			total += u.weight
		}
		if total == 0 {
			continue
		}
		for _, u := range uses[f] {
			if u.symbol >= 0 {
				votes[agenvantage.Node{File: u.to, Symbol: u.symbol}] += voice[f] * u.weight / total
			}
		}
	}
	return votes
}
