package app

import (
	"cmp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/pipeline"
	"agenvantage/rerank"
	"agenvantage/scan"
)

// packItem is one place that a pack may show.
type packItem struct {
	slot     agenvantage.SlotName
	file     uint32
	path     string // "" for what is no place of a file
	span     agenvantage.Span
	pieces   []agenvantage.Span // the lines that are shown: those of span without the ends of long comments
	head     agenvantage.Span   // the line that names what the lines are a part of, where they do not hold it
	around   agenvantage.Span   // the function that the lines are a part of, empty for what is shown whole
	symbol   string
	kind     agenvantage.BlockKind
	text     string
	lang     string
	reason   string
	channels []string
	gain     float64 // expected: the chance that the lines are among those that the task needs
	tokens   int     // estimated
	required bool
	point    int // the number of the pointed range that it shows, from 1; 0 for others
	outcome  PackOutcome
	why      string
	best     bool                // the best place of its file
	alone    bool                // never a copy of another: the head of a file
	print    *rerank.Fingerprint // of text, nil until it is compared
	copies   []copyOf            // that are not shown for it
}

// headerTokens is what a block costs besides its text, estimated.
const headerTokens = 20

// estimate is about the tokens of a block with a text: counting them all would take longer than finding them. Fit counts.
func estimate(text string) int { return len(text)*2/7 + headerTokens }

// density is the expected gain of a thousand tokens.
func (it *packItem) density() float64 { return it.gain * 1000 / float64(it.tokens) }

// blocks are the blocks of an item, one for each of its pieces.
func (it *packItem) blocks(p *packer) []agenvantage.Block {
	b := agenvantage.Block{Kind: it.kind, Slot: it.slot, Reason: it.reasonOfBlock(), Symbol: it.symbol, Lang: it.lang, Text: it.text}
	if it.path == "" {
		return []agenvantage.Block{b}
	}
	b.Text, b.Path, b.Revision, b.Dirty = "", it.path, p.revisionOf(it.file), p.dirty[it.file]
	blocks := make([]agenvantage.Block, len(it.pieces))
	for i, piece := range it.pieces {
		blocks[i] = b
		if i > 0 {
			blocks[i].Reason = it.reason // the first one names the copies
		}
		blocks[i].StartLine, blocks[i].EndLine = piece.StartLine, piece.EndLine
	}
	return blocks
}

// omitted are the lines of a comment that were left out behind a piece; empty for none.
func (it *packItem) omitted(piece int) agenvantage.Span {
	if len(it.pieces) == 0 {
		return agenvantage.Span{}
	}
	end := it.span.EndLine
	if piece+1 < len(it.pieces) {
		end = it.pieces[piece+1].StartLine - 1
	}
	if start := it.pieces[piece].EndLine + 1; start <= end {
		return agenvantage.Span{StartLine: start, EndLine: end}
	}
	return agenvantage.Span{}
}

func (it *packItem) handle(p *packer) agenvantage.Handle {
	return agenvantage.Handle{Path: it.path, StartLine: it.span.StartLine, EndLine: it.span.EndLine, Symbol: it.symbol, Slot: it.slot, Tokens: it.tokens, Why: it.reason, Revision: p.revisionOf(it.file)}
}

// item makes an item of lines of a file; nil when the file has no such lines.
func (p *packer) item(slot agenvantage.SlotName, file uint32, span agenvantage.Span, symbol int) (*packItem, error) {
	text, span, err := p.textOf(file, span)
	if err != nil || span.Lines() == 0 {
		return nil, err
	}
	info := p.corpus.File(file)
	it := &packItem{slot: slot, file: file, path: info.Path, span: span, kind: agenvantage.BlockSource, text: text, lang: info.Lang, tokens: estimate(text), outcome: OutcomeDropped}
	it.pieces = []agenvantage.Span{span}
	switch {
	case p.corpus.roleOf(file) == roleDocument:
		it.kind = agenvantage.BlockDocument
	case scan.IsCode(info.Lang) && p.task.Kind != agenvantage.TaskExplain:
		if it.pieces, it.tokens, err = p.trimmed(file, span); err != nil {
			return nil, err
		}
	}
	if symbol >= 0 {
		facts, err := p.corpus.Facts(file)
		if err != nil {
			return nil, err
		}
		it.symbol = facts.Symbols[symbol].Qualified
	}
	return it, nil
}

// placeItem makes an item of a place that channels found.
func (p *packer) placeItem(slot agenvantage.SlotName, file uint32, place pipeline.PlaceEvidence) (*packItem, error) {
	it, err := p.item(slot, file, place.Span, place.Owner)
	if it == nil || err != nil {
		return nil, err
	}
	it.channels, it.reason = place.Channels, reasonOf(place)
	return it, nil
}

// reasonOf is one phrase on why a place was found.
func reasonOf(place pipeline.PlaceEvidence) string {
	s := strings.Join(place.Channels, ", ")
	if s == "" {
		return place.Reason
	}
	if place.Reason != "" {
		s = place.Reason + " (" + s + ")"
	}
	return s
}

// compareSlots is the order in which a pack lists its slots.
func compareSlots(a, b agenvantage.SlotName) int {
	names := agenvantage.SlotNames()
	return cmp.Compare(slices.Index(names, a), slices.Index(names, b))
}

// slotResult is what became of a slot.
type slotResult struct {
	plan       agenvantage.SlotPlan
	state      agenvantage.SlotState
	confidence float64
	channels   []string
	coverage   string
	absent     bool // everything that could fill it was looked at
	cost       int
}

func (s *slotResult) slot(name agenvantage.SlotName) agenvantage.Slot {
	if s.channels == nil {
		s.channels = []string{}
	}
	return agenvantage.Slot{Name: name, Required: s.plan.Required, State: s.state, Confidence: s.confidence, Channels: s.channels, Evidence: []string{}, Coverage: s.coverage, NextCost: s.cost}
}
