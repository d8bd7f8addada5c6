package app

import (
	"fmt"
	"slices"

	"agenvantage"
	"agenvantage/pack"
	"agenvantage/pack/repomap"
)

// assemble fits what was chosen under the budget and keeps what was considered.
func (p *packer) assemble(tokenizer string) (PackRecord, error) {
	p.hidden, p.bestUnshown = nil, ""
	fitted, in, err := p.fit(tokenizer)
	if err == nil {
		fitted, err = p.checkStatus(fitted, in)
	}
	if err != nil {
		return PackRecord{}, err
	}
	return PackRecord{Pack: fitted, Signs: p.signs, Considered: p.considered(fitted)}, nil
}

// fitInput is what was chosen, as Fit takes it.
func (p *packer) fitInput(tokenizer string) (pack.FitInput, error) {
	in := pack.FitInput{Count: p.count, Pack: agenvantage.Pack{Task: p.task.Text, Preset: p.task.Kind, Budget: p.request.Budget, Tokenizer: tokenizer, Revision: p.corpus.Revision(),
		Slots: []agenvantage.Slot{}, Missing: p.missing, Next: p.next, Notes: p.notes}}
	in.Lines = func(path string, start, end int) string {
		f, ok := p.corpus.Find(path)
		if !ok {
			return ""
		}
		text, _, err := p.textOf(f, agenvantage.Span{StartLine: start, EndLine: end})
		if err != nil {
			return ""
		}
		return text
	}
	in.Pack.Status, in.Pack.Why = p.status()
	for _, name := range agenvantage.SlotNames() {
		if s := p.slots[name]; s != nil {
			in.Pack.Slots = append(in.Pack.Slots, s.slot(name))
		}
	}
	var err error
	if in.Maps, err = p.maps(); err != nil {
		return in, err
	}
	for _, it := range p.items {
		switch {
		case it.outcome != OutcomeShown && it.outcome != OutcomeHandle:
			continue
		case it.outcome == OutcomeHandle && it.path == "":
			continue
		case it.outcome == OutcomeHandle:
			in.Handles = append(in.Handles, it.handle(p))
		case it.kind == agenvantage.BlockInstruction:
			in.Instructions = append(in.Instructions, it.blocks(p)...)
		default:
			if it.head.Lines() > 0 {
				head, err := p.item(it.slot, it.file, it.head, -1)
				if err != nil {
					return in, err
				}
				head.symbol, head.reason = it.symbol, "declares it"
				in.Blocks = append(in.Blocks, pack.Chosen{Block: head.blocks(p)[0]})
			}
			for i, b := range it.blocks(p) {
				in.Blocks = append(in.Blocks, pack.Chosen{Block: b, Omitted: it.omitted(i), Required: it.required && i == 0})
			}
		}
	}
	return in, nil
}

// checkStatus judges again by what the budget held.
func (p *packer) checkStatus(fitted agenvantage.Pack, in pack.FitInput) (agenvantage.Pack, error) {
	shown := map[string]float64{}
	for _, b := range fitted.Blocks {
		shown[b.Path] = max(shown[b.Path], voteShown(b.EndLine-b.StartLine+1))
	}
	files := map[uint32]float64{}
	for _, c := range p.chances {
		files[c.File] = shown[p.corpus.Path(c.File)]
	}
	p.countShown(files)
	p.hidden, p.bestUnshown = p.unshown(fitted.Blocks), p.bestPlaceUnshown(fitted.Blocks)
	p.signs.Unshown = len(p.hidden)
	status, why := p.status()
	for _, it := range p.items {
		if status == agenvantage.PackReady && it.required && it.outcome == OutcomeShown && it.path != "" && shown[it.path] == 0 {
			status, why = agenvantage.PackPartial, fmt.Sprintf("the budget does not hold %s, which the task needs", repomap.OneLine(it.path, maxShownPath))
		}
	}
	if status == fitted.Status && why == fitted.Why {
		return fitted, nil
	}
	// The sentence on the status is part of the budget: a longer one can cost a block, and is judged no further.
	in.Pack.Status, in.Pack.Why = status, why
	return pack.Fit(in)
}

// maxShownPath bounds a path inside of a sentence, in characters.
const maxShownPath = 160

// considered says what became of every place that the packer weighed.
func (p *packer) considered(fitted agenvantage.Pack) []Considered {
	rank := map[agenvantage.SlotName]int{}
	all := []Considered{}
	for _, it := range p.items {
		if it.path == "" {
			continue
		}
		rank[it.slot]++
		c := Considered{Path: it.path, StartLine: it.span.StartLine, EndLine: it.span.EndLine, Symbol: it.symbol, Slot: it.slot, Rank: rank[it.slot], Reason: it.reason,
			Channels: it.channels, Tokens: it.tokens, Revision: p.revisionOf(it.file), Outcome: it.outcome, Why: it.why}
		settle(&c, it, fitted)
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b Considered) int { return compareSlots(a.Slot, b.Slot) })
	return all
}

// settle finds the block or the handle that a place became.
func settle(c *Considered, it *packItem, fitted agenvantage.Pack) {
	for _, b := range fitted.Blocks {
		if b.Path == it.path && b.StartLine <= it.span.StartLine && it.span.EndLine <= b.EndLine {
			c.ID, c.Outcome, c.Why = b.ID, OutcomeShown, "shown"
			if b.StartLine != it.span.StartLine || b.EndLine != it.span.EndLine {
				c.Outcome, c.Why = OutcomeMerged, fmt.Sprintf("shown as part of lines %d-%d", b.StartLine, b.EndLine)
			}
			return
		}
	}
	for _, b := range fitted.Blocks {
		if b.Path == it.path && b.StartLine <= it.span.StartLine && it.span.StartLine <= b.EndLine {
			c.ID, c.Outcome, c.Why = b.ID, OutcomeMerged, fmt.Sprintf("cut: lines %d-%d are shown", it.span.StartLine, b.EndLine)
			return
		}
	}
	for _, h := range fitted.Handles {
		if h.Path == it.path && h.StartLine == it.span.StartLine && h.EndLine == it.span.EndLine {
			c.ID, c.Outcome = h.SourceID, OutcomeHandle
			if it.outcome == OutcomeShown {
				c.Why = "the budget did not hold it"
			}
			return
		}
	}
	if it.outcome == OutcomeShown || it.outcome == OutcomeHandle {
		c.Outcome, c.Why = OutcomeDropped, "the budget did not hold it"
	}
}
