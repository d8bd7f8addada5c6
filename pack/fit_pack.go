package pack

import (
	"slices"

	"agenvantage"
)

// pack writes down what is shown: the blocks in the order of the text, the evidence of the slots, handles and notes.
func (f *fitter) pack(limit int) agenvantage.Pack {
	p := whole(f.in.Pack)
	p.ID, p.Prompt = "", ""
	p.Blocks = []agenvantage.Block{}
	groups := f.groups
	if f.maps != nil {
		groups = append(groups[:len(groups):len(groups)], f.maps)
	}
	evidence := map[agenvantage.SlotName][]string{}
	for _, s := range sections {
		for _, g := range groups {
			if g.kind != s.kind {
				continue
			}
			for _, one := range g.parts {
				one.block.Tokens += f.count(blockText(one.block)) - one.tokens
				p.Blocks = append(p.Blocks, one.block)
				for _, it := range g.items {
					if !one.holds(it) {
						continue
					}
					if ids := evidence[it.block.Slot]; !slices.Contains(ids, one.block.ID) {
						evidence[it.block.Slot] = append(ids, one.block.ID)
					}
				}
			}
		}
	}
	handles, more, _ := f.handles(limit)
	p.Handles = list(handles)
	f.countRests(p.Handles)
	p.Notes = withNote(p.Notes, more)
	for i := range p.Slots {
		slot := &p.Slots[i]
		slot.Evidence = list(evidence[slot.Name])
		if slot.NextCost == 0 {
			slot.NextCost = nextCost(p.Handles, slot.Name)
		}
	}
	p.Tokens = f.in.Count(Markdown(p))
	return p
}

// countRests sets the tokens of handles to the rest of a cut block. It is done once all is decided, since the rest can be
// long.
func (f *fitter) countRests(handles []agenvantage.Handle) {
	for i := range handles {
		h := &handles[i]
		for _, it := range f.items {
			if h.Tokens == 0 && it.block.Path == h.Path && it.start() <= h.StartLine && h.EndLine <= it.block.EndLine {
				h.Tokens = f.tokensOf(it.group, it, span{h.StartLine, h.EndLine})
			}
		}
	}
}

// nextCost is the tokens of the first handle of a slot: one more step there.
func nextCost(handles []agenvantage.Handle, slot agenvantage.SlotName) int {
	for _, h := range handles {
		if h.Slot == slot {
			return h.Tokens
		}
	}
	return 0
}

// holds tells whether a part shows lines of an item as such, or by chance all of them.
func (p *part) holds(it *item) bool {
	return slices.Contains(p.members, it) || it.block.Path != "" && p.block.StartLine <= it.start() && it.block.EndLine <= p.block.EndLine
}
