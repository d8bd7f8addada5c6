package app

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/pack/repomap"
)

// Readiness is what the status of a pack rests on.
type Readiness struct {
	Chance        float64 `json:"chance"`    // that every file to change is shown
	Best          float64 `json:"best"`      // chance of the best file
	Second        float64 `json:"second"`    // of the one after it
	Shown         float64 `json:"shown"`     // sum of the chances of the files that are shown
	Agreement     float64 `json:"agreement"` // of the channels on the best file, 0 to 1
	Anchors       int     `json:"anchors"`
	AnchorsFound  int     `json:"anchors_found"`
	Concepts      int     `json:"concepts"`
	ConceptsFound int     `json:"concepts_found"`
	Files         int     `json:"files"` // shown of the implementation
}

// Limits of the choice.
const (
	frameShare     = 0.08  // of the budget, for slots, status and task
	leastDensity   = 0.012 // expected gain of a thousand tokens below which the implementation stops
	maxHandles     = 24
	leastSlotGroup = 1
)

// choose decides what is shown. Each slot but the implementation may use its share of the budget; the implementation takes
// what gives most for a token until more gives little, or nothing is left.
func (p *packer) choose() {
	budget := int(float64(p.request.Budget) * (1 - frameShare))
	spent := 0
	for _, name := range agenvantage.SlotNames() {
		if s := p.slots[name]; s != nil && name != agenvantage.SlotImplementation {
			spent += p.chooseSlot(s, int(s.plan.Share*float64(budget)))
		}
	}
	p.chooseImplementation(budget - spent)
	p.orderItems()
	p.settleSlots()
}

// of are the items of a slot, in their order.
func (p *packer) of(slot agenvantage.SlotName) (items []*packItem) {
	for _, it := range p.items {
		if it.slot == slot {
			items = append(items, it)
		}
	}
	return items
}

// chooseSlot shows the first items of a slot that fit its share, and at least one of a slot that is required.
func (p *packer) chooseSlot(s *slotResult, share int) (spent int) {
	for i, it := range p.of(s.plan.Name) {
		fits := spent+it.tokens <= share
		if fits || i == 0 && s.plan.Required {
			it.outcome, it.why = OutcomeShown, "shown"
			it.required = i == 0 && s.plan.Required
			spent += it.tokens
			continue
		}
		it.outcome, it.why = OutcomeHandle, fmt.Sprintf("beyond the share of its slot, %d tokens", share)
		s.cost += it.tokens
	}
	return spent
}

// chooseImplementation takes places by their expected gain for a token.
func (p *packer) chooseImplementation(budget int) {
	s := p.slots[agenvantage.SlotImplementation]
	items := p.of(agenvantage.SlotImplementation)
	slices.SortStableFunc(items, func(a, b *packItem) int {
		return cmp.Or(cmp.Compare(b.density(), a.density()), cmp.Compare(a.file, b.file), cmp.Compare(a.span.StartLine, b.span.StartLine))
	})
	shown := map[uint32]bool{}
	for i, it := range items {
		switch {
		case i > 0 && it.density() < leastDensity:
			it.outcome, it.why = OutcomeHandle, "little is expected of it for its tokens"
		case it.tokens > budget:
			it.outcome, it.why = OutcomeHandle, "the budget did not hold it"
		default:
			it.outcome, it.why, it.required = OutcomeShown, "shown", len(shown) == 0
			budget -= it.tokens
			shown[it.file] = true
			continue
		}
		s.cost += it.tokens
	}
	for _, c := range p.chances {
		if shown[c.File] {
			p.signs.Shown += c.chance
			p.signs.Files++
		}
	}
	if len(p.chances) > 0 {
		p.signs.Best, p.signs.Agreement = p.chances[0].chance, s.confidence
	}
	if len(p.chances) > 1 {
		p.signs.Second = p.chances[1].chance
	}
	p.signs.Chance = p.signs.chance()
}

// chance is the chance that every file that has to be changed is shown.
func (r Readiness) chance() float64 { return math.Round(r.Shown*1000) / 1000 }

// orderItems puts what is shown in the order in which the budget is given away: the first place of each slot that is
// required, then the implementation by density, then the other slots; handles come after, best first.
func (p *packer) orderItems() {
	weight := func(it *packItem) int {
		switch {
		case it.outcome == OutcomeShown && it.slot == agenvantage.SlotImplementation:
			return 0
		case it.outcome == OutcomeShown:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(p.items, func(a, b *packItem) int {
		if c := cmp.Compare(weight(a), weight(b)); c != 0 {
			return c
		}
		if a.slot == agenvantage.SlotImplementation && b.slot == a.slot {
			return cmp.Compare(b.density(), a.density())
		}
		return 0
	})
	handles := 0
	for _, it := range p.items {
		if it.outcome == OutcomeHandle {
			if handles++; handles > maxHandles {
				it.outcome = OutcomeDropped
			}
		}
	}
}

// settleSlots says what became of each slot, and what is missing.
func (p *packer) settleSlots() {
	for _, name := range agenvantage.SlotNames() {
		s := p.slots[name]
		if s == nil {
			continue
		}
		shown := slices.ContainsFunc(p.items, func(it *packItem) bool { return it.slot == name && it.outcome == OutcomeShown })
		switch {
		case shown && s.confidence >= s.plan.Threshold:
			s.state = agenvantage.SlotFilled
		case s.absent && p.stale == "":
			s.state, s.confidence = agenvantage.SlotProvenAbsent, 1
		default:
			s.state = agenvantage.SlotUnknown
		}
		if name == agenvantage.SlotUnresolved && s.state == agenvantage.SlotUnknown {
			s.coverage += ": see missing"
		}
		if s.plan.Required && s.state == agenvantage.SlotUnknown {
			p.missing = append(p.missing, fmt.Sprintf("%s: %s", name, missingText(s, shown)))
			if s.cost > 0 {
				p.next = append(p.next, fmt.Sprintf("expand --slot %s --budget %d", name, roundUp(min(s.cost, 4000), 500)))
			}
		}
	}
	if tests := p.slots[agenvantage.SlotTests]; tests != nil && tests.state == agenvantage.SlotProvenAbsent {
		p.missing = append(p.missing, "tests: there is no test in this repository")
	}
	if p.stale != "" {
		p.notes = append(p.notes, "the index is stale: "+p.stale)
	}
}

func missingText(s *slotResult, shown bool) string {
	if shown {
		return fmt.Sprintf("what was found agrees with the task at %.2f, %.2f counts as filled", s.confidence, s.plan.Threshold)
	}
	return "nothing was found; " + s.coverage
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

// Bounds of the chance at which a pack is ready, and at which it is not worth acting on.
const (
	readyChance        = 0.95
	insufficientChance = 0.25
)

// status says whether the pack is enough.
func (p *packer) status() (agenvantage.PackStatus, string) {
	chance := p.signs.Chance
	switch {
	case p.signs.Files == 0:
		return agenvantage.PackInsufficient, "no file of the repository has a place that the task is about"
	case p.signs.Anchors > 0 && p.signs.AnchorsFound == 0:
		return agenvantage.PackInsufficient, "nothing that the task names is in the repository"
	case chance < insufficientChance:
		return agenvantage.PackInsufficient, fmt.Sprintf("the files shown hold all that has to change with a chance of about %.0f%%", chance*100)
	case p.stale != "":
		return agenvantage.PackPartial, "the index is stale: " + p.stale
	}
	for _, name := range agenvantage.SlotNames() {
		if s := p.slots[name]; s != nil && s.plan.Required && s.state == agenvantage.SlotUnknown {
			return agenvantage.PackPartial, fmt.Sprintf("the slot %s, which the task needs, is not filled", name)
		}
	}
	why := fmt.Sprintf("the files shown hold all that has to change with a chance of about %.0f%%", chance*100)
	if chance < readyChance {
		return agenvantage.PackPartial, why
	}
	return agenvantage.PackReady, why
}

// Sizes of the map that a pack may carry: large when nothing anchors the task, small when something does.
var mapSizes = []int{1500, 800, 400}

// maps are the texts of the map for a task whose best file is not sure, the largest first.
func (p *packer) maps() ([]string, error) {
	if p.signs.Best >= 0.25 || len(p.task.Text) == 0 || p.task.Query.Class == agenvantage.ClassIssue && p.signs.Best > 0.1 {
		return nil, nil
	}
	var texts []string
	for _, size := range mapSizes {
		if size > p.request.Budget/4 {
			continue
		}
		answer, err := p.app.mapOf(p.ctx, MapRequest{Budget: size, Task: clipped(p.task.Text, 2000)}, p.count)
		if err != nil && errors.Is(err, agenvantage.ErrBadInput) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if text := strings.TrimSpace(answer.Map.Text); text != "" && answer.Map.Budget >= repomap.DefaultBudget/10 {
			texts = append(texts, text)
		}
	}
	return texts, nil
}
