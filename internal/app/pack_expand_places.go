package app

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"agenvantage"
	"agenvantage/pack"
	"agenvantage/pipeline"
)

// newPlace is a place that no pack has shown, as it is indexed now.
type newPlace struct {
	at    int // its number in the record's Considered
	block agenvantage.Block
}

// handle is the place as something to be asked for.
func (n newPlace) handle() agenvantage.Handle {
	b := n.block
	h := agenvantage.Handle{Path: b.Path, StartLine: b.StartLine, EndLine: b.EndLine, Symbol: b.Symbol, Slot: b.Slot, Tokens: b.Tokens, Why: b.Reason, Revision: b.Revision}
	h.SourceID = pack.HandleID(h)
	return h
}

// prepare finds out which lines were shown before and which files differ from the commit.
func (e *expansion) prepare(ctx context.Context) error {
	e.dirty, e.shown = map[uint32]bool{}, map[uint32][]agenvantage.Span{}
	uncommitted, err := e.corpus.past.Uncommitted(ctx)
	if err != nil {
		return err
	}
	for _, c := range uncommitted {
		e.dirty[c.File] = true
	}
	var changed []string
	for _, c := range e.record.shown() {
		now, file, ok, err := e.locate(c)
		if err != nil {
			return err
		}
		if ok {
			e.shown[file] = append(e.shown[file], agenvantage.Span{StartLine: now.StartLine, EndLine: now.EndLine})
		}
		if (!ok || now.Revision != c.Revision) && !slices.Contains(changed, c.Path) {
			changed = append(changed, c.Path)
		}
	}
	if len(changed) > 0 {
		e.notes = append(e.notes, "changed since they were shown: "+namesText(changed))
	}
	return nil
}

// shown lists the lines that this pack and those before it showed: its blocks as they stand, then what was carried over.
func (r *PackRecord) shown() []Considered {
	var all []Considered
	own := map[string]bool{}
	for _, b := range r.Pack.Blocks {
		own[b.ID] = true
		if b.Path != "" {
			c := blockPlace(b)
			c.Why = "shown by pack " + r.Pack.ID
			all = append(all, c)
		}
	}
	for _, c := range r.Considered {
		if (c.Outcome == OutcomeShown || c.Outcome == OutcomeMerged) && !own[c.ID] && c.Path != "" {
			all = append(all, c)
		}
	}
	return all
}

// blockPlace is a block as a considered place without a rank.
func blockPlace(b agenvantage.Block) Considered {
	return Considered{Path: b.Path, StartLine: b.StartLine, EndLine: b.EndLine, Symbol: b.Symbol, Slot: b.Slot, Reason: b.Reason, Tokens: b.Tokens,
		Revision: b.Revision, Outcome: OutcomeShown, Why: "it is a block of the pack", ID: b.ID}
}

// handlePlace is a handle as a considered place without a rank.
func handlePlace(h agenvantage.Handle) Considered {
	return Considered{Path: h.Path, StartLine: h.StartLine, EndLine: h.EndLine, Symbol: h.Symbol, Slot: h.Slot, Reason: h.Why, Tokens: h.Tokens,
		Revision: h.Revision, Outcome: OutcomeHandle, Why: h.Why, ID: h.SourceID}
}

// locate finds a place in the files as they are indexed now. One whose file has changed is where its symbol is: in that file the one
// nearest to the old lines, else the only one of that name in any file.
func (e *expansion) locate(c Considered) (now Considered, file uint32, ok bool, err error) {
	file, known := e.corpus.Find(c.Path)
	if known && blobRevision(e.corpus.File(file).Hash) == c.Revision {
		return c, file, true, nil
	}
	if c.Symbol == "" {
		return c, 0, false, nil
	}
	move := func(f uint32, span agenvantage.Span) (Considered, uint32, bool, error) {
		c.Path, c.StartLine, c.EndLine, c.Revision = e.corpus.Path(f), span.StartLine, span.EndLine, blobRevision(e.corpus.File(f).Hash)
		return c, f, true, nil
	}
	if known {
		facts, err := e.corpus.Facts(file)
		if err != nil {
			return c, 0, false, err
		}
		best, nearest := -1, math.MaxInt
		for i := range facts.Symbols {
			distance := facts.Symbols[i].Span.StartLine - c.StartLine
			if distance = max(distance, -distance); facts.Symbols[i].Qualified == c.Symbol && distance < nearest {
				best, nearest = i, distance
			}
		}
		if best >= 0 {
			return move(file, facts.Symbols[best].Span)
		}
	}
	nodes, err := e.symbolsNamed(c.Symbol)
	if err != nil || len(nodes) != 1 {
		return c, 0, false, err
	}
	facts, err := e.corpus.Facts(nodes[0].File)
	if err != nil {
		return c, 0, false, err
	}
	return move(nodes[0].File, facts.Symbols[nodes[0].Symbol].Span)
}

// symbolsNamed lists the symbols of a qualified name.
func (e *expansion) symbolsNamed(qualified string) ([]agenvantage.Node, error) {
	parts := splitName(qualified)
	if len(parts) == 0 {
		return nil, nil
	}
	nodes, err := e.corpus.Named(parts[len(parts)-1])
	if err != nil {
		return nil, err
	}
	var found []agenvantage.Node
	for _, n := range nodes {
		facts, err := e.corpus.Facts(n.File)
		if err != nil {
			return nil, err
		}
		if facts.Symbols[n.Symbol].Qualified == qualified {
			found = append(found, n)
		}
	}
	return found, nil
}

// complete makes a considered place of each handle that is none yet, as the rest of a block that was cut is: behind those of its slot.
func (r *PackRecord) complete() {
	last := map[agenvantage.SlotName]int{}
	told := map[string]bool{}
	for _, c := range r.Considered {
		told[c.ID] = true
		last[c.Slot] = max(last[c.Slot], c.Rank)
	}
	for _, h := range r.Pack.Handles {
		if told[h.SourceID] {
			continue
		}
		last[h.Slot]++
		c := handlePlace(h)
		c.Rank = last[h.Slot]
		r.Considered = append(r.Considered, c)
	}
}

// left lists the numbers of the places that the packs so far did not show for the slot, handles before what was dropped, and counts
// what they did.
func (e *expansion) left() []int {
	var handles, dropped []int
	for i, c := range e.record.Considered {
		if c.Slot != e.request.Slot || c.Rank == 0 { // rank 0: a block that others were merged into
			continue
		}
		e.tally.considered++
		switch {
		case c.Outcome == OutcomeShown || c.Outcome == OutcomeMerged:
			e.tally.shown++
		case c.Path == "":
			e.tally.lost++
		case c.Outcome == OutcomeHandle:
			handles = append(handles, i)
		default:
			dropped = append(dropped, i)
		}
	}
	return append(handles, dropped...)
}

// fresh makes blocks of what is left and shares no line with what was shown or with another of them.
func (e *expansion) fresh() ([]newPlace, error) {
	taken := map[uint32][]agenvantage.Span{}
	var fresh []newPlace
	var moved, lost []string
	for _, i := range e.left() {
		c := e.record.Considered[i]
		now, file, ok, err := e.locate(c)
		if err != nil {
			return nil, err
		}
		if !ok {
			e.tally.lost++
			lost = append(lost, fmt.Sprintf("%s:%d-%d", c.Path, c.StartLine, c.EndLine))
			continue
		}
		span := agenvantage.Span{StartLine: now.StartLine, EndLine: now.EndLine}
		if slices.ContainsFunc(slices.Concat(e.shown[file], taken[file]), span.Overlaps) {
			e.tally.overlapping++
			continue
		}
		if now.Revision != c.Revision {
			moved = append(moved, fmt.Sprintf("%s (%s:%d-%d)", now.Symbol, now.Path, now.StartLine, now.EndLine))
		}
		block, err := e.block(now, file)
		if err != nil {
			return nil, err
		}
		taken[file] = append(taken[file], span)
		fresh = append(fresh, newPlace{at: i, block: block})
	}
	if len(moved) > 0 {
		e.notes = append(e.notes, "found again by their symbol, since their files changed: "+namesText(moved))
	}
	if len(lost) > 0 {
		e.notes = append(e.notes, "left out, since their files changed and no symbol tells where they are now: "+namesText(lost))
	}
	return fresh, nil
}

// block is the block of a place.
func (e *expansion) block(c Considered, file uint32) (agenvantage.Block, error) {
	text, err := e.corpus.Text(file)
	if err != nil {
		return agenvantage.Block{}, err
	}
	info := e.corpus.File(file)
	b := agenvantage.Block{Kind: agenvantage.BlockSource, Path: c.Path, StartLine: c.StartLine, EndLine: c.EndLine, Slot: c.Slot, Symbol: c.Symbol,
		Lang: info.Lang, Reason: c.Reason, Revision: c.Revision, Dirty: e.dirty[file], Text: pipeline.LinesOf(text, agenvantage.Span{StartLine: c.StartLine, EndLine: c.EndLine})}
	switch {
	case c.Slot == agenvantage.SlotConstraints:
		b.Kind = agenvantage.BlockInstruction
	case e.corpus.roleOf(file) == roleDocument:
		b.Kind = agenvantage.BlockDocument
	}
	b.Warn = pack.Warnings(b.Text)
	b.ID = pack.BlockID(b)
	return b, nil
}

// considered is what the record of the new pack knows: everything that the packs before it considered, with what they and this one
// showed, so that an expansion of the new pack needs no other record.
func (e *expansion) considered(taken []newPlace) []Considered {
	all := slices.Clone(e.record.Considered)
	own := map[string]agenvantage.Block{}
	for _, b := range e.record.Pack.Blocks {
		own[b.ID] = b
	}
	for i, c := range all {
		if b, ok := own[c.ID]; ok && b.Path == c.Path { // what a block was cut by was not shown
			all[i].StartLine, all[i].EndLine = max(c.StartLine, b.StartLine), min(c.EndLine, b.EndLine)
			if all[i].StartLine > all[i].EndLine {
				all[i] = c
				all[i].Outcome, all[i].ID = OutcomeDropped, ""
			}
		}
	}
	for _, n := range taken {
		c, b := &all[n.at], n.block
		c.Path, c.StartLine, c.EndLine, c.Revision, c.Tokens, c.ID = b.Path, b.StartLine, b.EndLine, b.Revision, b.Tokens, b.ID
		c.Outcome, c.Why = OutcomeShown, "shown by an expansion"
	}
	for _, c := range e.record.shown() {
		exact := func(o Considered) bool { return o.ID == c.ID && o.StartLine == c.StartLine && o.EndLine == c.EndLine }
		if _, isBlock := own[c.ID]; isBlock && !slices.ContainsFunc(all, exact) {
			all = append(all, c)
		}
	}
	// The numbers in taken are used up: the order may change.
	rank := func(c Considered) int {
		if c.Rank == 0 {
			return math.MaxInt
		}
		return c.Rank
	}
	slices.SortStableFunc(all, func(x, y Considered) int {
		return cmp.Or(compareSlots(x.Slot, y.Slot), cmp.Compare(rank(x), rank(y)))
	})
	return all
}
