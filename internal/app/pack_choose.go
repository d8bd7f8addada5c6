package app

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/pack"
	"agenvantage/pipeline"
)

// Limits of the choice.
const (
	frameShare    = 0.08 // of the budget, for slots, status and task
	shortFrame    = 0.04 // of it where the task is a sentence (success on 400 mined tasks 0.573 for 0.568)
	leastDensity  = 0.02 // expected gain of a thousand tokens below which the implementation stops
	leastSlotGain = 0.02 // of what a slot shows
	sureSlot      = 0.5  // confidence from which a slot that is not required shows what it has
	maxHandles    = 12
	stubShare     = 0.2  // of the budget, at most, for one line each of the files that are not shown otherwise
	shortStubs    = 0.08 // of it where the task is a sentence: few files are meant, and their functions say more (pack_fill.go)
	stubTokens    = 1200 // kept for them at most; they may use more of their share where the implementation leaves it (context recall at 8,000 0.354 without, 0.368 with)
)

// choose decides what is shown. Each slot but the implementation may use its share of the budget; the implementation takes
// what gives most for a token until more gives little, or nothing is left.
func (p *packer) choose() error {
	frame := frameShare
	if !p.long() {
		frame = shortFrame
	}
	budget := int(float64(p.request.Budget) * (1 - frame))
	spent := 0
	for _, name := range agenvantage.SlotNames() {
		if s := p.slots[name]; s != nil && name != agenvantage.SlotImplementation {
			spent += p.chooseSlot(s, int(s.plan.Share*float64(budget)))
		}
	}
	most := int(p.stubShare() * float64(p.request.Budget))
	stubs := min(most, stubTokens)
	left := p.chooseImplementation(budget - spent - stubs)
	left, err := p.chooseWholeFiles(left)
	if err != nil {
		return err
	}
	forStubs := min(left+stubs, most)
	rest, err := p.chooseStubs(forStubs)
	if err != nil {
		return err
	}
	if err := p.completeFunctions(left + stubs - forStubs + rest); err != nil {
		return err
	}
	if err := p.chooseWhole(); err != nil {
		return err
	}
	p.withCopies()
	p.orderItems()
	p.settleSlots()
	return nil
}

// failureChanges is what the newest commits may cost, in tokens, for the output of a failing program.
const failureChanges = 300

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
	if s.plan.Name == agenvantage.SlotChanges && p.output != nil {
		share = max(share, failureChanges) // what changed last is where to look first
	}
	for i, it := range p.of(s.plan.Name) {
		if p.foldCopy(it) {
			continue
		}
		fits := spent+it.tokens <= share && it.gain >= leastSlotGain && (s.plan.Required || len(s.plan.Queries) == 0 || s.plan.Name == agenvantage.SlotTests || s.confidence >= sureSlot)
		if fits || i == 0 && s.plan.Required {
			it.outcome, it.why = OutcomeShown, "shown"
			it.required = i == 0 && s.plan.Required
			spent += it.tokens
			continue
		}
		it.outcome, it.why = OutcomeHandle, fmt.Sprintf("beyond the share of its slot (%d tokens), or not sure", share)
		s.cost += it.tokens
	}
	return spent
}

// chooseImplementation takes places by their expected gain for a token and returns what is left.
func (p *packer) chooseImplementation(budget int) int {
	s := p.slots[agenvantage.SlotImplementation]
	items := p.of(agenvantage.SlotImplementation)
	slices.SortStableFunc(items, func(a, b *packItem) int {
		return cmp.Or(comparePoints(a, b), cmp.Compare(b.density(), a.density()), cmp.Compare(a.file, b.file), cmp.Compare(a.span.StartLine, b.span.StartLine))
	})
	var points []*packItem // that no other item shows so far
	shown := map[uint32]bool{}
	for i, it := range items {
		switch {
		case it.point > 0:
			it.outcome, it.why = OutcomeShown, "the request points at it"
			budget -= it.tokens
			points = append(points, it)
			continue
		case i > 0 && it.density() < leastDensity:
			it.outcome, it.why = OutcomeHandle, "little is expected of it for its tokens"
		case it.tokens > budget && (len(shown) > 0 || it.reason != changedReason): // of the first change as much as fits is shown
			it.outcome, it.why = OutcomeHandle, "the budget did not hold it"
		case p.foldCopy(it):
			continue
		default:
			it.outcome, it.why, it.required = OutcomeShown, "shown", it.required || len(shown) == 0 && (len(p.points) == 0 || it.reason == changedReason)
			budget -= it.tokens
			shown[it.file] = true
			points = slices.DeleteFunc(points, func(point *packItem) bool {
				inside := point.file == it.file && it.span.Contains(point.span)
				if inside {
					budget += point.tokens
				}
				return inside
			})
			continue
		}
		s.cost += it.tokens
	}
	return budget
}

// comparePoints puts what the request points at first, in its order.
func comparePoints(a, b *packItem) int {
	rank := func(it *packItem) int {
		if it.point == 0 {
			return math.MaxInt
		}
		return it.point
	}
	return cmp.Compare(rank(a), rank(b))
}

// chooseStubs shows one line of each file with a chance that is not shown yet, the declaration of its best place, and returns what is left.
func (p *packer) chooseStubs(budget int) (int, error) {
	shown := map[uint32]float64{}
	for _, it := range p.items {
		if it.outcome == OutcomeShown && (it.slot == agenvantage.SlotImplementation || it.slot == agenvantage.SlotTests) {
			shown[it.file] = 1
		}
	}
	for _, c := range p.chances {
		if shown[c.File] > 0 || len(c.places) == 0 || c.vote < leastVote {
			continue
		}
		it, err := p.smallFile(c, budget)
		if err == nil && it == nil {
			it, err = p.stub(c)
		}
		if err != nil {
			return budget, err
		}
		if it == nil || it.tokens > budget {
			continue
		}
		budget -= it.tokens
		it.outcome = OutcomeShown
		p.items = append(p.items, it)
		shown[c.File] = voteShown(it.span.Lines())
	}
	p.countShown(shown)
	if len(p.chances) > 0 {
		p.signs.Best, p.signs.Agreement = p.chances[0].chance, p.slots[agenvantage.SlotImplementation].confidence
	}
	if len(p.chances) > 1 {
		p.signs.Second = p.chances[1].chance
	}
	return budget, nil
}

// stubShare is the share of the budget that further files may use at most.
func (p *packer) stubShare() float64 {
	if p.long() {
		return stubShare
	}
	return shortStubs
}

// countShown says how much of the votes the shown files have, each as far as it is shown (voteShown).
func (p *packer) countShown(shown map[uint32]float64) {
	p.signs.Shown, p.signs.Files = 0, 0
	for _, c := range p.chances {
		if share := shown[c.File]; share > 0 {
			p.signs.Shown += c.vote * share
			p.signs.Files++
		}
	}
}

// leastVote is that below which a file gets no line.
const leastVote = 0.00005

// stub is the line that declares the best place of a file, or its first line.
func (p *packer) stub(c fileChance) (*packItem, error) {
	facts, err := p.corpus.Facts(c.File)
	if err != nil {
		return nil, err
	}
	place := c.places[max(0, slices.IndexFunc(c.places, func(place pipeline.PlaceEvidence) bool {
		return facts.Chunks[place.Chunk].Kind != agenvantage.ChunkHeader
	}))]
	line, owner := place.Span.StartLine, place.Owner
	if chunk := facts.Chunks[place.Chunk]; owner < 0 && len(chunk.Symbols) > 0 {
		owner = chunk.Symbols[0]
	}
	if owner >= 0 {
		line = facts.Symbols[owner].NameLine
	}
	it, err := p.item(agenvantage.SlotImplementation, c.File, agenvantage.Span{StartLine: line, EndLine: line}, owner)
	if it == nil || err != nil || len(strings.TrimSpace(it.text)) < 3 {
		return nil, err
	}
	if it.kind == agenvantage.BlockSource {
		it.kind, it.tokens = agenvantage.BlockLine, (len(it.path)+len(it.text))/4+entryTokens
	}
	it.channels = place.Channels
	it.reason = fmt.Sprintf("best of it: lines %d-%d", place.Span.StartLine, place.Span.EndLine)
	it.why, it.gain = "one line of a file that may be needed", c.chance*stubGain
	return it, nil
}

// entryTokens is what an entry of a list costs beside its path and its text.
const entryTokens = 5

// stubGain is the chance that the line that declares the best place of a needed file is among those to change.
const stubGain = 0.05

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
			return cmp.Or(comparePoints(a, b), cmp.Compare(b.density(), a.density()))
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
			p.missing = append(p.missing, fmt.Sprintf("%s: %s", name, p.missingText(s, shown)))
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

// missingText says what stands between a slot and being filled. What was found and does not fit is not denied.
func (p *packer) missingText(s *slotResult, shown bool) string {
	if shown {
		return fmt.Sprintf("what was found agrees with the task at %.2f, %.2f counts as filled", s.confidence, s.plan.Threshold)
	}
	if least := leastTokens(p.of(s.plan.Name)); least > 0 {
		return fmt.Sprintf("found, not shown: needs %d tokens", least)
	}
	return "nothing was found; " + s.coverage
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

// Sizes of the map that a pack may carry, the largest first.
var mapSizes = []int{1500, 800, 400}

// maps is the text of the map for a task whose best file is not sure: of the largest size that its share of the budget holds.
func (p *packer) maps() ([]string, error) {
	if p.corpus.FileCount() == 0 || p.signs.Best >= 0.25 || len(p.task.Text) == 0 || p.task.Query.Class == agenvantage.ClassIssue && p.signs.Best > 0.1 {
		return nil, nil
	}
	i := slices.IndexFunc(mapSizes, func(size int) bool { return float64(size) <= pack.DefaultMapShare*float64(p.request.Budget) })
	if i < 0 {
		return nil, nil
	}
	answer, err := p.app.mapOf(p.ctx, MapRequest{Budget: mapSizes[i], Task: clipped(p.task.Text, 2000)}, p.count)
	if errors.Is(err, agenvantage.ErrBadInput) {
		return nil, nil // too small a size for this repository
	}
	if err != nil {
		return nil, err
	}
	if text := strings.TrimSpace(answer.Map.Text); text != "" {
		return []string{text}, nil
	}
	return nil, nil
}
