package app

import "agenvantage"

// A file that is likely enough and takes little of the budget is read whole by whoever changes it: over twelve tasks whose context is
// marked, its lines shown at 32,000 tokens grow from 0.47 to 0.57 without a loss of precision; from a chance of 0.05 on the precision falls.
const (
	wholeFileChance = 0.2
	wholeFileShare  = 0.25 // of the budget
	wholeFileReason = "the rest of a small file that is likely to change"
)

// chooseWholeFiles shows the likely files whole where what is left holds the rest of them, and returns what is left then. What a task
// names is shown whole without that, and is all that it needs of its file.
func (p *packer) chooseWholeFiles(left int) (int, error) {
	if len(p.anchors) > 0 {
		return left, nil
	}
	shown := map[uint32]int{} // tokens
	for _, it := range p.of(agenvantage.SlotImplementation) {
		if it.outcome == OutcomeShown {
			shown[it.file] += it.tokens
		}
	}
	for _, c := range p.chances {
		if c.chance < wholeFileChance || shown[c.File] == 0 {
			continue
		}
		it, err := p.wholeFile(c.File)
		if err != nil {
			return left, err
		}
		if it == nil || float64(it.tokens) > wholeFileShare*float64(p.request.Budget) || it.tokens-shown[c.File] > left {
			continue
		}
		left -= max(it.tokens-shown[c.File], 0)
		it.outcome, it.why, it.reason = OutcomeShown, "a small file that is likely enough to be read whole", wholeFileReason
		it.gain = leastDensity * float64(it.tokens) / 1000 // behind the places of the implementation, before the lines of further files
		p.items = append(p.items, it)
	}
	return left, nil
}

// completeFunctions shows functions whole of which a part is shown, the likeliest first, as far as what is left holds the rest of them:
// a function that is cut in its middle does not tell what it returns.
func (p *packer) completeFunctions(left int) error {
	items := p.of(agenvantage.SlotImplementation)
	for _, it := range items {
		if it.outcome != OutcomeShown || it.around.Lines() == 0 {
			continue
		}
		whole, err := p.item(it.slot, it.file, it.around, -1)
		if err != nil {
			return err
		}
		var parts []*packItem
		shown := 0
		for _, other := range items {
			if other.outcome == OutcomeShown && other.file == it.file && it.around.Contains(other.span) {
				parts, shown = append(parts, other), shown+other.tokens
			}
		}
		if whole == nil || whole.tokens-shown > left || whole.tokens > mostCompleted*shown {
			continue
		}
		left -= max(whole.tokens-shown, 0)
		it.span, it.pieces, it.text, it.tokens, it.head = whole.span, whole.pieces, whole.text, whole.tokens, agenvantage.Span{}
		for _, part := range parts {
			part.around = agenvantage.Span{}
		}
	}
	return nil
}

// mostCompleted is how many times as long as the part that was found a function may be to be shown whole.
const mostCompleted = 4

// wholeFile is all lines of a file; nil for an empty one.
func (p *packer) wholeFile(file uint32) (*packItem, error) {
	lines, err := p.linesOf(file)
	if err != nil {
		return nil, err
	}
	return p.item(agenvantage.SlotImplementation, file, agenvantage.Span{StartLine: 1, EndLine: len(lines)}, -1)
}

// wholeRepositoryReason marks what is shown because all of the repository is.
const wholeRepositoryReason = "the repository is shown whole"

// chooseWhole shows the whole repository where that takes no more tokens than what was chosen of it, or an eighth of the budget.
func (p *packer) chooseWhole() error {
	chosen, total := p.request.Budget/8, 0
	sum := 0
	for _, it := range p.items {
		if it.outcome == OutcomeShown && it.kind != agenvantage.BlockInstruction {
			sum += it.tokens
		}
	}
	chosen = max(chosen, sum)
	for f := range uint32(p.corpus.FileCount()) {
		if total += int(p.corpus.File(f).Size)*2/7 + headerTokens; total > chosen {
			return nil
		}
	}
	if p.signs.Files == 0 {
		return nil
	}
	for _, it := range p.items {
		if it.path != "" && it.outcome == OutcomeShown && it.kind != agenvantage.BlockInstruction {
			it.pieces = []agenvantage.Span{it.span}
		}
	}
	for f := range uint32(p.corpus.FileCount()) {
		it, err := p.wholeFile(f)
		if err != nil {
			return err
		}
		if it == nil || isInstruction(it.path) {
			continue
		}
		it.pieces = []agenvantage.Span{it.span}
		it.outcome, it.why, it.reason, it.gain = OutcomeShown, "the whole repository is no dearer than a choice of it", wholeRepositoryReason, leastSlotGain
		p.items = append(p.items, it)
	}
	return nil
}
