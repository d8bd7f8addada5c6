package ablations

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"math"
	"slices"

	"agenvantage"
)

// PackReport is what the packs of one variant amount to, beside the metrics in its scores.
type PackReport struct {
	Variant         string  `json:"variant"`
	Budget          int     `json:"budget"` // tokens that were asked for
	Packs           int     `json:"packs"`  // that were answered
	OverBudget      int     `json:"over_budget"`
	MedianTokens    float64 `json:"median_tokens"`    // of the whole pack
	MedianReduction float64 `json:"median_reduction"` // of Reduced tasks: the metric "reduction"
	Reduced         int     `json:"reduced"`
	// Slots are those that some pack has, in the order of agenvantage.SlotNames.
	Slots []SlotCount `json:"slots"`
	// Calibration holds the stated chance against what was so on two halves of the tasks: what is fitted on the first is
	// checked on the second.
	Calibration []CalibrationHalf `json:"calibration"`
}

// SlotCount is what became of a slot over the packs that have it.
type SlotCount struct {
	Slot         string `json:"slot"`
	Packs        int    `json:"packs"`
	Filled       int    `json:"filled"`
	ProvenAbsent int    `json:"proven_absent"`
	Unknown      int    `json:"unknown"`
}

// CalibrationHalf is one half of the tasks that have gold. A task belongs to the half that the hash of its repository and
// id decides, so that it stays there when others join the set.
type CalibrationHalf struct {
	Half  string             `json:"half"`  // "first" or "second"
	Bins  []CalibrationGroup `json:"bins"`  // ten, each a tenth of the stated chance wide
	Ready CalibrationGroup   `json:"ready"` // packs that say that they are ready
	All   CalibrationGroup   `json:"all"`
	// Brier is the mean squared difference between the stated chance and 1 or 0 (Brier 1950): 0 is best, .25 is what stating
	// one half always gives.
	Brier float64 `json:"brier"`
}

// CalibrationGroup is packs with their mean stated chance and the share that held every gold file. A bin holds the chances
// from Low up to, and but for the last without, High. Without tasks the figures are 0.
type CalibrationGroup struct {
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Tasks  int     `json:"tasks"`
	Chance float64 `json:"chance"`
	AllIn  float64 `json:"all_in"`
}

// The names of the halves, in their order.
var halves = []string{"first", "second"}

const calibrationBins = 10

// packs reports on the packs of one variant; false when it answered with none.
func (b *scoreboard) packs(v Variant, a *arm, answers map[string]Ranking) (PackReport, bool) {
	p := PackReport{Variant: v.Name, Budget: v.Pack}
	slots := map[string]*SlotCount{}
	var tokens, reductions []float64
	split := [2]calibration{}
	for i, t := range b.set.Tasks {
		facts := answers[t.ID].PackFacts
		if !a.answered[i] || facts == nil {
			continue
		}
		p.Packs++
		if facts.Tokens > facts.Budget {
			p.OverBudget++
		}
		tokens = append(tokens, float64(facts.Tokens))
		if x := a.values[i][b.place["reduction"]]; !math.IsNaN(x) {
			reductions = append(reductions, x)
		}
		for name, state := range facts.Slots {
			s := slots[name]
			if s == nil {
				s = &SlotCount{Slot: name}
				slots[name] = s
			}
			s.count(state)
		}
		if allIn := a.values[i][b.place["all_in"]]; !math.IsNaN(allIn) {
			split[halfOf(t)].add(facts.Chance, allIn, answers[t.ID].Status == "ready")
		}
	}
	slices.Sort(tokens)
	slices.Sort(reductions)
	p.MedianTokens, p.MedianReduction, p.Reduced = Percentile(tokens, 50), Percentile(reductions, 50), len(reductions)
	p.Slots = []SlotCount{}
	for _, name := range slices.SortedFunc(maps.Keys(slots), compareSlots) {
		p.Slots = append(p.Slots, *slots[name])
	}
	for i, name := range halves {
		p.Calibration = append(p.Calibration, split[i].half(name))
	}
	return p, p.Packs > 0
}

func (s *SlotCount) count(state string) {
	s.Packs++
	switch agenvantage.SlotState(state) {
	case agenvantage.SlotFilled:
		s.Filled++
	case agenvantage.SlotProvenAbsent:
		s.ProvenAbsent++
	default:
		s.Unknown++
	}
}

// compareSlots orders as a pack lists them, others after them by name.
func compareSlots(x, y string) int {
	place := func(s string) int {
		if i := slices.Index(agenvantage.SlotNames(), agenvantage.SlotName(s)); i >= 0 {
			return i
		}
		return len(agenvantage.SlotNames())
	}
	return cmp.Or(cmp.Compare(place(x), place(y)), cmp.Compare(x, y))
}

// halfOf is the half of a task: 0 or 1.
func halfOf(t Task) int { return int(sha256.Sum256([]byte(t.Repo + "\x00" + t.ID))[0] & 1) }

// calibration gathers the packs of a half.
type calibration struct {
	bins       [calibrationBins]CalibrationGroup
	ready, all CalibrationGroup
	squares    float64
}

// add counts a pack. Chances outside of 0 to 1 fall into the bin at the end; a chance that is no number is left out.
func (c *calibration) add(chance, allIn float64, ready bool) {
	if math.IsNaN(chance) {
		return
	}
	bin := int(math.Floor(min(max(chance, 0), 1)*calibrationBins + gateRounding))
	groups := []*CalibrationGroup{&c.bins[min(bin, calibrationBins-1)], &c.all}
	if ready {
		groups = append(groups, &c.ready)
	}
	for _, g := range groups { // sums, until half divides them
		g.Tasks++
		g.Chance += chance
		g.AllIn += allIn
	}
	c.squares += float64((chance - allIn) * (chance - allIn))
}

func (c calibration) half(name string) CalibrationHalf {
	h := CalibrationHalf{Half: name, Ready: c.ready.mean(0, 1), All: c.all.mean(0, 1), Brier: ratio(c.squares, float64(c.all.Tasks))}
	for i, g := range c.bins {
		h.Bins = append(h.Bins, g.mean(float64(i)/calibrationBins, float64(i+1)/calibrationBins))
	}
	return h
}

// mean turns sums into means.
func (g CalibrationGroup) mean(low, high float64) CalibrationGroup {
	n := float64(g.Tasks)
	return CalibrationGroup{Low: low, High: high, Tasks: g.Tasks, Chance: ratio(g.Chance, n), AllIn: ratio(g.AllIn, n)}
}
