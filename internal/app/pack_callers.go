package app

import (
	"cmp"
	"fmt"
	"slices"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/pipeline"
)

// Bounds of the callers that a pack looks for.
const (
	maxSubjects     = 3
	maxCallers      = 6
	linesAroundCall = 3
)

// fillCallers shows who calls the symbols that are most likely to change, from other files.
func (p *packer) fillCallers() error {
	s := p.slots[agenvantage.SlotCallers]
	if p.links == nil {
		s.coverage = "the graph could not be read"
		return nil
	}
	asked, sites := 0, 0
	for _, a := range p.anchors {
		asked++
		n, err := p.callersOf(fileChance{FileEvidence: pipeline.FileEvidence{File: a.node.File}, chance: 1}, a.node.Symbol)
		if err != nil {
			return err
		}
		sites += n
	}
	for _, c := range p.chances[:min(len(p.chances), 2)] {
		facts, err := p.corpus.Facts(c.File)
		if err != nil {
			return err
		}
		places := p.changedFirst(c.File, facts, c.places)
		for _, symbol := range p.subjects(c.File, facts, places) {
			asked++
			n, err := p.callersOf(c, symbol)
			if err != nil {
				return err
			}
			sites += n
		}
	}
	s.coverage = fmt.Sprintf("%d call sites of %d symbols in the graph", sites, asked)
	s.absent = len(p.anchors) > 0 && sites == 0 && !slices.ContainsFunc(p.anchors, p.usedInCode)
	return nil
}

// usedInCode reports whether the graph has any use of a named definition by another file of code.
func (p *packer) usedInCode(a anchored) bool {
	return slices.ContainsFunc(p.links.In(a.node), func(e agenvantage.Edge) bool {
		return e.Kind != agenvantage.EdgeDefines && e.From.File != a.node.File && p.corpus.roleOf(e.From.File) == roleCode
	})
}

// subjects are the symbols of a file whose callers are asked for: those that the diff changes, else those of its best places.
func (p *packer) subjects(file uint32, facts *agenvantage.Extraction, places []pipeline.PlaceEvidence) (symbols []int) {
	add := func(symbol int) {
		if symbol >= 0 && len(symbols) < maxSubjects && !slices.Contains(symbols, symbol) {
			symbols = append(symbols, symbol)
		}
	}
	for i, s := range facts.Symbols {
		if isFunctionKind(s.Kind) && slices.ContainsFunc(p.changed[file], func(c agenvantage.Span) bool { return overlapsChange(s.Span, c) }) {
			add(i)
		}
	}
	for _, place := range places {
		owner := place.Owner
		if in := facts.Chunks[place.Chunk].Symbols; owner < 0 && len(in) > 0 {
			owner = in[0]
		}
		add(owner)
	}
	return symbols
}

func (p *packer) callersOf(c fileChance, symbol int) (int, error) {
	facts, err := p.corpus.Facts(c.File)
	if err != nil {
		return 0, err
	}
	certain := p.isAnchor(c.File, symbol) || len(p.changed[c.File]) > 0
	uses := slices.DeleteFunc(slices.Clone(p.links.In(agenvantage.Node{File: c.File, Symbol: symbol})), func(e agenvantage.Edge) bool {
		return !p.isUse(e.Kind) || e.Line == 0 || e.From.File == c.File && (!certain || facts.Symbols[symbol].Span.HasLine(e.Line))
	})
	edges := p.usesBy(uses, roleCode)
	if len(edges) == 0 && certain { // what a library is for is called by its examples and tests alone
		edges = slices.Concat(p.usesBy(uses, roleExample), p.usesBy(uses, roleDocument), p.usesBy(uses, roleTest))
	}
	for rank, e := range edges[:min(len(edges), maxCallers)] {
		it, err := p.item(agenvantage.SlotCallers, e.From.File, agenvantage.Span{StartLine: e.Line - linesAroundCall, EndLine: e.Line + linesAroundCall}, e.From.Symbol)
		if err != nil {
			return 0, err
		}
		if it == nil {
			continue
		}
		it.channels = []string{channels.GraphName}
		it.reason = fmt.Sprintf("%s %s (%s)", e.Kind, facts.Symbols[symbol].Qualified, e.Confidence)
		it.gain = c.chance / float64(rank+2)
		p.items = append(p.items, it)
		s := p.slots[agenvantage.SlotCallers]
		s.channels = it.channels
		s.confidence = max(s.confidence, map[agenvantage.Confidence]float64{agenvantage.ByName: 0.4, agenvantage.ByUnique: 0.7, agenvantage.ByScope: 0.9}[e.Confidence])
	}
	return len(edges), nil
}

// usesBy are the edges from files of a role, the surest first.
func (p *packer) usesBy(edges []agenvantage.Edge, role fileRole) (by []agenvantage.Edge) {
	for _, e := range edges {
		if p.corpus.roleOf(e.From.File) == role {
			by = append(by, e)
		}
	}
	slices.SortStableFunc(by, func(a, b agenvantage.Edge) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.From.File, b.From.File), cmp.Compare(a.Line, b.Line))
	})
	return by
}

// isUse reports whether an edge of a kind is shown as a caller: a call, a type that is made of another and, where a name may change, every
// mention.
func (p *packer) isUse(kind agenvantage.EdgeKind) bool {
	switch kind {
	case agenvantage.EdgeCalls, agenvantage.EdgeImplements, agenvantage.EdgeInherits:
		return true
	}
	return kind == agenvantage.EdgeReferences && p.task.Kind == agenvantage.TaskMigration && len(p.anchors) > 0
}

func (p *packer) isAnchor(file uint32, symbol int) bool {
	return slices.ContainsFunc(p.anchors, func(a anchored) bool { return a.node == agenvantage.Node{File: file, Symbol: symbol} })
}
