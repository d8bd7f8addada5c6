package pack

import (
	"cmp"
	"slices"

	"agenvantage"
)

// total is what the frame and everything that is shown cost, without handles.
func (f *fitter) total() int {
	n := f.frame.at(f.in.Pack.Budget)
	var shown [8]bool // by place in sections
	all := f.groups
	if f.maps != nil {
		all = append(all[:len(all):len(all)], f.maps)
	}
	for _, g := range all {
		n += g.cost
		if len(g.parts) > 0 {
			shown[slices.IndexFunc(sections, func(s section) bool { return s.kind == g.kind })] = true
		}
	}
	for i, s := range sections {
		if shown[i] {
			n += f.count(sectionFrame(s.kind))
		}
	}
	return n
}

// show shows the first lines of an item if all costs at most limit then, and tells whether it does. Gaps of its file are
// closed where that fits too.
func (f *fitter) show(it *item, shown, limit int) bool {
	g := it.group
	before, parts, cost, apart := it.shown, g.parts, g.cost, g.apart
	it.shown = shown
	for _, g.apart = range []bool{false, true} {
		if !g.apart && f.beginning || g.apart && len(g.items) == 1 && !f.beginning {
			continue // not yet, or the same once more
		}
		f.update(g)
		if f.total() <= limit && !f.showsBarred(g) {
			return true
		}
	}
	it.shown, g.parts, g.cost, g.apart = before, parts, cost, apart
	return false
}

// bar keeps the required blocks that could not be begun from being shown by chance, inside of another block: with a little
// more room that other one may be shorter, and they would be lost.
func (f *fitter) bar() {
	f.barred = f.barred[:0]
	for _, it := range f.items {
		if it.required && it.shown == 0 && !it.group.covers(it.start()) {
			f.barred = append(f.barred, it)
		}
	}
}

func (f *fitter) showsBarred(g *group) bool {
	return slices.ContainsFunc(f.barred, func(it *item) bool { return it.group == g && g.covers(it.start()) })
}

// covers tells whether a line of the file is shown; a block without a path has the line 0.
func (g *group) covers(line int) bool {
	return slices.ContainsFunc(g.parts, func(p part) bool { return p.block.StartLine <= line && line <= p.block.EndLine })
}

// fill decides what is shown within limit; the comment on Fit has the order.
func (f *fitter) fill(limit int) {
	budget := f.in.Pack.Budget
	f.beginning = true
	f.begin(f.frame.room(budget)-(budget-limit), limit)
	f.beginning = false
	f.bar()
	most := f.total() + int(float64(budget)*f.in.InstructionShare)
	for _, it := range f.items {
		if it.guide {
			f.show(it, len(it.lines), min(limit, most))
		}
	}
	f.chooseMap(min(limit, f.total()+int(float64(budget)*f.in.MapShare)))

	f.grow(limit - f.handleReserve())
	_, _, spent := f.handles(limit)
	f.grow(limit - spent)
	f.closeGaps(limit - spent)
}

// closeGaps shows the few lines between blocks of a file where they fit and nothing else has closed them.
func (f *fitter) closeGaps(limit int) {
	for _, g := range f.groups {
		if !g.apart || len(g.parts) < 2 {
			continue
		}
		parts, cost := g.parts, g.cost
		g.apart = false
		if f.update(g); f.total() > limit || f.showsBarred(g) {
			g.parts, g.cost, g.apart = parts, cost, true
		}
	}
}

// begin shows the first lines of the required blocks. Which ones depends on nothing but what each would cost alone, in one
// order, so that more room never means fewer of them: the order is the given one, with those that are dear even then last.
func (f *fitter) begin(room, limit int) {
	type start struct {
		it    *item
		lines int
		cost  int
	}
	var starts []start
	for _, it := range f.items {
		if !it.required {
			continue
		}
		n := min(leastLines, len(it.lines))
		alone := &group{path: it.group.path, kind: it.group.kind, items: []*item{it}, apart: true}
		it.shown = n
		f.update(alone)
		it.shown = 0
		cost := alone.cost + f.count(sectionFrame(alone.kind))
		if f.insideAnother(it) {
			cost += splitTokens
		}
		starts = append(starts, start{it, n, cost})
	}
	slices.SortStableFunc(starts, func(a, b start) int { return cmp.Compare(min(a.cost/dearTokens, 1), min(b.cost/dearTokens, 1)) })
	for _, s := range starts {
		if room -= s.cost; room < 0 {
			return
		}
		f.show(s.it, s.lines, limit)
	}
}

// splitTokens is what the cut line of a required block grows by when another one is shown in the midst of what it leaves out:
// a second range and a second id.
const splitTokens = 28

func (f *fitter) insideAnother(it *item) bool {
	return slices.ContainsFunc(it.group.items, func(o *item) bool {
		return o != it && o.required && o.start() <= it.block.EndLine && it.start() <= o.block.EndLine
	})
}

func (f *fitter) chooseMap(limit int) {
	for _, text := range f.in.Maps {
		it := &item{block: agenvantage.Block{Kind: agenvantage.BlockMap, Text: text, Lang: "text"}, shown: 1}
		it.lines = []string{text}
		g := &group{kind: agenvantage.BlockMap, items: []*item{it}}
		it.group = g
		f.update(g)
		f.maps = g
		if f.total() <= limit {
			return
		}
		f.maps = nil
	}
}

// grow shows required blocks whole, then as much as fits of those that are too long, then the other blocks.
func (f *fitter) grow(limit int) {
	for _, it := range f.items {
		if it.required && it.shown > 0 && it.shown < len(it.lines) {
			f.show(it, len(it.lines), limit)
		}
	}
	for _, it := range f.items {
		if it.required && it.shown > 0 && it.shown < len(it.lines) {
			f.extend(it, limit)
		}
	}
	for _, it := range f.items {
		if !it.required && !it.guide && it.shown == 0 {
			f.show(it, len(it.lines), limit)
		}
	}
}

// extend shows as many lines of an item as fit. It doubles until a length does not fit and halves from there, so that a
// long file is not counted whole to show its beginning.
func (f *fitter) extend(it *item, limit int) {
	if it.shown+1 >= len(it.lines) || !f.show(it, it.shown+1, limit) { // mostly so once one block has taken what was left
		return
	}
	good, bad := it.shown, len(it.lines)
	for step := max(1, good); good+step < bad; step *= 2 {
		if !f.show(it, good+step, limit) {
			bad = good + step
			break
		}
		good += step
	}
	for bad-good > 1 {
		if middle := (good + bad) / 2; f.show(it, middle, limit) {
			good = middle
		} else {
			bad = middle
		}
	}
}

// handleReserve is what the handles may need at most: all that could be left out, within their share.
func (f *fitter) handleReserve() int {
	n := f.count(handlesTitle)
	for _, it := range f.items {
		if !it.required && it.shown == 0 && it.block.Path != "" {
			n += f.count(stub(f.handleOf(it)))
		}
	}
	for _, h := range f.in.Handles {
		n += f.count(stub(h))
	}
	return min(n, f.handleShare())
}

func (f *fitter) handleShare() int {
	return int(float64(f.in.Pack.Budget) * f.in.HandleShare)
}

// handleOf is the handle of a block that is not shown.
func (f *fitter) handleOf(it *item) agenvantage.Handle {
	if it.handle.SourceID != "" {
		return it.handle
	}
	b := &it.block
	h := agenvantage.Handle{Path: b.Path, StartLine: b.StartLine, EndLine: b.EndLine, Symbol: b.Symbol, Slot: b.Slot,
		Why: b.Reason, Revision: b.Revision}
	h.SourceID = HandleID(h)
	h.Tokens = f.tokensOf(it.group, it, span{b.StartLine, b.EndLine})
	it.handle = h
	return h
}

// tokensOf is the cost of a range of an item's lines as a block of its own, under a heading of its file.
func (f *fitter) tokensOf(g *group, it *item, s span) int {
	b := it.block
	one := &item{block: b, lines: it.lines[s.start-b.StartLine : s.end-b.StartLine+1]}
	one.block.StartLine, one.block.EndLine, one.shown = s.start, s.end, s.end-s.start+1
	alone := &group{path: g.path, kind: g.kind, items: []*item{one}}
	f.update(alone)
	return alone.cost
}

// handles lists what is not shown: the rest of cut blocks, which their cut lines name and pay for, then blocks that were left
// out, then the given handles, the last two while their share and the limit last. It returns how many were left out of
// the list, and the tokens of the list.
func (f *fitter) handles(limit int) (list []agenvantage.Handle, more, spent int) {
	listed := map[string]bool{}
	for _, g := range f.groups {
		for _, p := range g.parts {
			for _, h := range p.rest {
				if !listed[h.SourceID] {
					listed[h.SourceID] = true
					list = append(list, h)
				}
			}
		}
	}
	room := min(limit-f.total(), f.handleShare())
	offer := func(h agenvantage.Handle) {
		if listed[h.SourceID] || f.isShown(h) {
			return
		}
		listed[h.SourceID] = true
		cost := f.count(stub(h))
		if spent == 0 {
			cost += f.count(handlesTitle)
		}
		if spent+cost > room {
			more++
			return
		}
		spent += cost
		list = append(list, h)
	}
	for _, it := range f.items {
		if it.shown == 0 && it.block.Path != "" {
			offer(f.handleOf(it))
		} else if it.shown == 0 {
			more++
		}
	}
	for _, h := range f.in.Handles {
		offer(h)
	}
	return list, more, spent
}

// isShown tells whether every line of a handle is shown.
func (f *fitter) isShown(h agenvantage.Handle) bool {
	for _, g := range f.groups {
		if g.path == h.Path {
			for _, p := range g.parts {
				if p.block.StartLine <= h.StartLine && h.EndLine <= p.block.EndLine {
					return true
				}
			}
		}
	}
	return false
}
