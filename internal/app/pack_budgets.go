package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"agenvantage"
	"agenvantage/pack"
)

// A choice of places is lumpy: a larger budget may take a long place and leave no room for the lines of further files that a smaller one
// had. So that a larger budget never says less, ready is decided at the steps of one ladder of budgets: a pack is ready when the choice of
// its own step or of a smaller one is. Of 181 issue tasks one was ready at 6,000 tokens and not at 8,000; below 1,000 tokens many were.

// budgetSteps are the steps of the ladder, times every power of ten.
var budgetSteps = []int{100, 120, 150, 200, 250, 300, 400, 500, 600, 800}

// leastFileTokens is the least that a file takes in a pack: one line of the further files.
const leastFileTokens = 8

// stepsBelow are the steps of the ladder below a budget, the largest first.
func stepsBelow(budget int) (steps []int) {
	for scale := 1; scale*budgetSteps[0] < budget; scale *= 10 {
		for _, s := range budgetSteps {
			if s*scale < budget {
				steps = append(steps, s*scale)
			}
		}
	}
	slices.Reverse(steps)
	return steps
}

// isStep reports whether a budget is a step of the ladder.
func isStep(budget int) bool {
	below := stepsBelow(budget + 1)
	return len(below) > 0 && below[0] == budget
}

// filled is what was found before anything is chosen for a budget.
type filled struct {
	budget               int
	items                []packItem
	slots                map[agenvantage.SlotName]slotResult
	missing, next, notes []string
	signs                Readiness
}

// keepFilled copies what was found, since a choice changes it.
func (p *packer) keepFilled() filled {
	f := filled{budget: p.request.Budget, slots: map[agenvantage.SlotName]slotResult{}, missing: p.missing, next: p.next, notes: p.notes, signs: p.signs}
	for _, it := range p.items {
		f.items = append(f.items, *it)
	}
	for name, s := range p.slots {
		f.slots[name] = *s
	}
	return f
}

// restore is what was found, as a request with another budget finds it.
func (p *packer) restore(f filled, budget int) error {
	p.request.Budget = budget
	p.missing, p.next, p.notes, p.signs = slices.Clone(f.missing), slices.Clone(f.next), slices.Clone(f.notes), f.signs
	p.items, p.slots = nil, map[agenvantage.SlotName]*slotResult{}
	for _, name := range slices.Sorted(maps.Keys(f.slots)) {
		s := f.slots[name]
		p.slots[name] = &s
	}
	again := len(p.anchors) > 0 || len(p.points) > 0 || placesFor(budget) != placesFor(f.budget)
	if again && budget != f.budget {
		if err := p.fillImplementation(); err != nil {
			return err
		}
	}
	for _, it := range f.items {
		if again && budget != f.budget && it.slot == agenvantage.SlotImplementation {
			continue
		}
		p.items = append(p.items, &it)
	}
	return nil
}

// at chooses and assembles for a budget. onlyReady leaves out the assembling of what cannot be ready, and gives no pack then.
func (p *packer) at(f filled, budget int, tokenizer string, onlyReady bool) (PackRecord, error) {
	if err := p.restore(f, budget); err != nil {
		return PackRecord{}, err
	}
	if err := p.choose(); err != nil {
		return PackRecord{}, err
	}
	whole := slices.ContainsFunc(p.items, func(it *packItem) bool { return it.reason == wholeRepositoryReason })
	if onlyReady && !whole && p.signs.Shown < readyShown {
		return PackRecord{}, nil
	}
	return p.assemble(tokenizer)
}

// withinBudget makes the pack of the request: for its budget, or what a smaller one on the ladder holds where that alone is ready.
func (p *packer) withinBudget(tokenizer string) (PackRecord, error) {
	f := p.keepFilled()
	defer func() { p.request.Budget = f.budget }()
	record, err := p.at(f, f.budget, tokenizer, false)
	var small *agenvantage.BudgetError
	switch {
	case errors.As(err, &small):
		return p.smallest(f, tokenizer, small)
	case err != nil:
		return record, err
	}
	ready := record.Pack.Status == agenvantage.PackReady
	nothing := record.Pack.Status == agenvantage.PackInsufficient && p.signs.Files == 0 && p.neededBudget() > 0
	switch {
	case ready && isStep(f.budget):
		return record, nil
	case !ready && !p.readyIfShown():
		if nothing {
			return p.withEnough(f, tokenizer, record)
		}
		return record, nil
	}
	steady, err := p.readyBelow(f, tokenizer)
	switch {
	case err != nil:
		return record, err
	case ready && steady.Pack.ID == "":
		p.unsteady = true
		return p.at(f, f.budget, tokenizer, false)
	case !ready && steady.Pack.ID != "":
		if held, ok := p.raised(steady, f.budget); ok {
			return held, nil
		}
	case nothing:
		return p.withEnough(f, tokenizer, record)
	}
	return record, nil
}

// readyIfShown reports whether nothing but what the budget holds keeps the pack from being ready.
func (p *packer) readyIfShown() bool {
	signs, best := p.signs, p.bestUnshown
	p.signs.Shown, p.signs.Files, p.bestUnshown = 1, max(signs.Files, 1), ""
	status, _ := p.judge()
	p.signs, p.bestUnshown = signs, best
	return status == agenvantage.PackReady
}

// readyBelow is the ready pack of the largest step below the budget that has one, without an id where none has.
func (p *packer) readyBelow(f filled, tokenizer string) (PackRecord, error) {
	least := leastFileTokens * p.filesNeeded()
	for _, step := range stepsBelow(f.budget) {
		if step < least {
			break
		}
		record, err := p.at(f, step, tokenizer, true)
		switch {
		case errors.Is(err, agenvantage.ErrBadInput): // less than the frame
			return PackRecord{}, nil
		case err != nil || record.Pack.Status == agenvantage.PackReady:
			return record, err
		}
	}
	return PackRecord{}, nil
}

// filesNeeded is the least number of files that have as many of the votes as ready needs.
func (p *packer) filesNeeded() int {
	votes := make([]float64, len(p.chances))
	for i, c := range p.chances {
		votes[i] = c.vote
	}
	slices.Sort(votes)
	sum := 0.0
	for i := range votes {
		if sum += votes[len(votes)-1-i]; sum >= readyShown {
			return i + 1
		}
	}
	return len(votes)
}

// raised is a pack as that of a larger budget, which holds no less; a long task is shown further in it.
func (p *packer) raised(r PackRecord, budget int) (PackRecord, bool) {
	r.Pack.Budget = budget
	r.Pack.Tokens = p.count(pack.Markdown(r.Pack))
	r.Pack.ID = pack.ID(r.Pack)
	return r, r.Pack.Tokens <= budget
}

// withEnough makes the pack of a budget that shows nothing once more, to name the least step above it that is enough to act on; where
// these words do not fit, it stays without them.
func (p *packer) withEnough(f filled, tokenizer string, without PackRecord) (PackRecord, error) {
	if err := p.restore(f, f.budget); err != nil {
		return PackRecord{}, err
	}
	if err := p.choose(); err != nil {
		return PackRecord{}, err
	}
	above := stepsBelow(p.neededBudget() + 1)
	slices.Reverse(above)
	for _, step := range above {
		if step <= f.budget {
			continue
		}
		record, err := p.at(f, step, tokenizer, false)
		if err != nil && !errors.Is(err, agenvantage.ErrBadInput) {
			return record, err
		}
		if err == nil && record.Pack.Status != agenvantage.PackInsufficient {
			p.enough = step
			break
		}
	}
	if record, err := p.at(f, f.budget, tokenizer, false); !errors.Is(err, agenvantage.ErrBadInput) {
		return record, err
	}
	return without, nil
}

// Bounds of the budgets that are tried for the smallest one that holds a pack: what the frame of the one that was asked for would take is
// told in at most as many tokens less (probedBelow) or more (probedAbove) under another budget.
const (
	probedBelow = 150
	probedAbove = 100
	probedLess  = 50 // below the budget that was asked for
)

// smallest answers a budget that does not hold the frame: with the pack of a slightly smaller one whose frame is shorter, else with an
// error that names the first larger budget that holds one. What is missing is told in other words and numbers under each budget.
func (p *packer) smallest(f filled, tokenizer string, small *agenvantage.BudgetError) (PackRecord, error) {
	for budget := f.budget - 1; budget >= max(1, f.budget-probedLess); budget-- {
		record, err := p.at(f, budget, tokenizer, false)
		if err != nil && !errors.Is(err, agenvantage.ErrBadInput) {
			return record, err
		}
		if held, ok := p.raised(record, f.budget); err == nil && ok {
			return held, nil
		}
	}
	for budget := max(f.budget+1, small.Smallest-probedBelow); budget <= max(f.budget, small.Smallest)+probedAbove; budget++ {
		record, err := p.at(f, budget, tokenizer, false)
		switch {
		case err == nil:
			return PackRecord{}, fmt.Errorf("fit pack: %w", &agenvantage.BudgetError{Budget: f.budget, Smallest: budget, What: small.What})
		case !errors.Is(err, agenvantage.ErrBadInput):
			return record, err
		}
	}
	return PackRecord{}, fmt.Errorf("fit pack: %w", small)
}
