package app

import (
	"fmt"

	"agenvantage"
	"agenvantage/pack/repomap"
)

// Readiness is what the status of a pack rests on.
type Readiness struct {
	Chance          float64 `json:"chance"`    // that every file to change is shown, as often as it was so for packs with this status; 0 says nothing
	Best            float64 `json:"best"`      // chance of the best file
	Second          float64 `json:"second"`    // of the one after it
	Shown           float64 `json:"shown"`     // share of the votes that the files shown have; one of which a single line is shown has half of its votes
	Agreement       float64 `json:"agreement"` // of the channels on the best file, 0 to 1
	Anchors         int     `json:"anchors"`
	AnchorsFound    int     `json:"anchors_found"`
	Named           int     `json:"named"` // anchors that should be there already: paths, frames, identifiers, tests
	NamedFound      int     `json:"named_found"`
	Concepts        int     `json:"concepts"`
	ConceptsFound   int     `json:"concepts_found"`
	ConceptsLacking int     `json:"concepts_lacking"` // of which no indexed file holds a word
	Words           int     `json:"words"`            // that the task speaks of beside its names
	Held            float64 `json:"held"`             // share of their weight in the likeliest file that holds most of it, 0 to 1
	Files           int     `json:"files"`            // shown of the implementation
	Unshown         int     `json:"unshown"`          // places that the task, the output or the diff points at, and whose lines are not all shown
}

// readyShown is the share of the votes, as Readiness.Shown counts them, from which a pack is ready. Over 181 issue tasks packs that say so are 65% of
// those that hold every file that was changed, and wrong in 3.6%; on halves of the tasks 66% and 3.1%, 63% and 4.2%. From 0.775 to 0.79 it is 67% to 61%
// and 4.3% to 3.8%. Other signs (agreement of the channels, names that are in the repository, the lead of the best file, thirteen in all) added nothing
// for long texts.
const readyShown = 0.785

// readyAnchors is the share of the names of a short task that have to be in the repository.
const readyAnchors = 0.8

// How often packs with a status held every file that was changed, over the same tasks.
const (
	readyChance   = 0.95
	partialChance = 0.85
)

// leastShown is the sum of chances below which a pack is not worth acting on.
const leastShown = 0.25

// status says whether the pack is enough, and sets the chance that it is.
func (p *packer) status() (agenvantage.PackStatus, string) {
	status, why := p.judge()
	p.signs.Chance = map[agenvantage.PackStatus]float64{agenvantage.PackReady: readyChance, agenvantage.PackPartial: partialChance}[status]
	return status, why
}

func (p *packer) judge() (agenvantage.PackStatus, string) {
	s := p.signs
	switch needed := p.neededBudget(); {
	case p.speaksOfNothing():
		return agenvantage.PackInsufficient, p.whatWouldHelp()
	case s.Files == 0 && needed > 0 && p.enough > 0:
		return agenvantage.PackInsufficient, fmt.Sprintf("what was found does not fit: a budget of %d tokens would do", p.enough)
	case s.Files == 0 && needed > 0:
		return agenvantage.PackInsufficient, fmt.Sprintf("what was found does not fit: it takes about %d tokens", needed)
	case s.Files == 0:
		return agenvantage.PackInsufficient, "no file of the repository has a place that the task is about"
	case s.Named > 0 && s.NamedFound == 0 && !p.long():
		return agenvantage.PackInsufficient, "nothing that the task names is in the repository"
	case s.AnchorsFound == 0 && s.Concepts > 0 && s.ConceptsLacking == s.Concepts && !p.long():
		return agenvantage.PackInsufficient, "no indexed file has a word of what the task speaks of: see missing"
	case p.isElsewhere():
		return agenvantage.PackInsufficient, "what the task is about is not in the code: the likeliest file lacks " + p.quotedLacked()
	case s.Shown < leastShown:
		return agenvantage.PackInsufficient, fmt.Sprintf("the files shown have %.0f%% of the votes", s.Shown*100)
	case p.stale != "":
		return agenvantage.PackPartial, "the index is stale: " + p.stale
	}
	switch { // what is not there at all before what was not found: no search can fill a slot for it
	case isBareFailure(p.request.Task, p.output) && s.AnchorsFound == 0 && len(p.anchors) == 0:
		return agenvantage.PackPartial, "the output names nothing that is in the repository: what is shown shares words with it"
	case !p.long() && s.Anchors > 0 && float64(s.AnchorsFound) < readyAnchors*float64(s.Anchors):
		return agenvantage.PackPartial, fmt.Sprintf("%d of %d names of the task are not in the repository", s.Anchors-s.AnchorsFound, s.Anchors)
	case s.ConceptsLacking > 0 && !p.long():
		return agenvantage.PackPartial, "the task speaks of something that no indexed file has a word of: see missing"
	}
	for _, name := range agenvantage.SlotNames() {
		if r := p.slots[name]; r != nil && r.plan.Required && r.state == agenvantage.SlotUnknown {
			return agenvantage.PackPartial, fmt.Sprintf("the slot %s, which the task needs, is not filled", name)
		}
	}
	switch {
	case len(p.hidden) > 0:
		return agenvantage.PackPartial, fmt.Sprintf("the budget does not hold all of %s, which the task points at", repomap.OneLine(p.hidden[0], maxShownPath))
	case p.bestUnshown != "":
		return agenvantage.PackPartial, fmt.Sprintf("the budget does not hold %s, the best place of one of the likeliest files", repomap.OneLine(p.bestUnshown, maxShownPath))
	case p.unheld() != "":
		return agenvantage.PackPartial, p.unheld()
	case s.Shown < readyShown:
		return agenvantage.PackPartial, fmt.Sprintf("the files shown have %.1f%% of the votes, those with one line counted half, %.1f%% is ready", s.Shown*100, readyShown*100)
	}
	if p.unsteady {
		return agenvantage.PackPartial, "what is shown would be enough, and is not at any smaller budget that was tried: a few more tokens may lose it, more of them hold it"
	}
	return agenvantage.PackReady, fmt.Sprintf("of packs with such signs, %.0f in 100 held every file that had to change", readyChance*100)
}

// neededBudget is a budget that shows a place of the implementation, 0 when none was found: what chooseImplementation leaves of it
// holds the cheapest place that is worth it, and Fit has room for that beside the frame, which the budget of the request held.
func (p *packer) neededBudget() int {
	if p.slots[agenvantage.SlotImplementation] == nil {
		return 0
	}
	least, required, shares := leastTokens(p.of(agenvantage.SlotImplementation)), 0, 0.0
	if least == 0 {
		return 0
	}
	for _, name := range agenvantage.SlotNames() {
		if s := p.slots[name]; s != nil && name != agenvantage.SlotImplementation {
			shares += s.plan.Share
			if items := p.of(name); s.plan.Required && len(items) > 0 {
				required += items[0].tokens
			}
		}
	}
	left := max(1-frameShare-stubShare-(1-frameShare)*shares, leastLeft)
	return roundUp(max(int(float64(least+required)/left), p.request.Budget+least+required), budgetStep)
}

const (
	budgetStep = 100 // of a budget that is recommended, in tokens
	leastLeft  = 0.2 // of a budget, for the implementation, whatever the shares of the other slots add up to
)

// leastTokens are those of the cheapest place that is worth its tokens, the best place in any case; 0 without a place.
func leastTokens(items []*packItem) (least int) {
	best := 0.0
	for _, it := range items {
		if it.path == "" || it.outcome == OutcomeShown && it.kind == agenvantage.BlockLine {
			continue
		}
		best = max(best, it.density())
	}
	for _, it := range items {
		if it.path != "" && it.density() >= min(best, leastDensity) && (least == 0 || it.tokens < least) {
			least = it.tokens
		}
	}
	return least
}
