package pack

import (
	"fmt"

	"agenvantage"
)

// frame is what a pack costs without blocks and handles: preamble, slots, lists, status and task.
type frame struct {
	fitter *fitter
	known  map[int]int // taskLimit to tokens
}

// slotSpare is what the line of a slot may grow by when the number of its blocks replaces "not shown".
const slotSpare = 2

func (f *fitter) newFrame() frame { return frame{fitter: f, known: map[int]int{}} }

// at is the cost of the frame under a budget, which decides how much of a long task is shown.
func (r frame) at(budget int) int {
	budget = max(budget, 1)
	key := taskLimit(budget)
	if n, ok := r.known[key]; ok {
		return n
	}
	p := r.fitter.in.Pack
	p.Budget, p.Blocks, p.Handles = budget, nil, nil
	p.Slots = whole(p).Slots
	for i := range p.Slots {
		p.Slots[i].Evidence = nil
	}
	if len(r.fitter.items)+len(r.fitter.in.Handles) > 0 {
		p.Notes = withNote(p.Notes, 99999)
	}
	n := r.fitter.in.Count(Markdown(p)) + slotSpare*len(p.Slots)
	r.known[key] = n
	return n
}

// smallest is the least budget that holds the frame. The frame grows with the budget, slower than the budget does, so
// that what the frame costs under one budget is a lower bound of every budget that holds it.
func (r frame) smallest() int {
	budget := 1
	for {
		need := r.at(budget)
		if need <= budget {
			return budget
		}
		budget = need
	}
}

// room is how many tokens a budget leaves to required blocks at least, for it and for every larger budget: just below a step
// of taskLimit it counts what the step will take. It never falls as the budget grows.
func (r frame) room(budget int) int {
	next := (max(budget, 1)/taskStep + 1) * taskStep
	return min(budget-r.at(budget), next-r.at(next))
}

// withNote adds how many places were found and are not listed.
func withNote(notes []string, n int) []string {
	if n == 0 {
		return notes
	}
	text := "1 more place was found and is not listed"
	if n > 1 {
		text = fmt.Sprintf("%d more places were found and are not listed", n)
	}
	return append(append([]string{}, notes...), text)
}

// sectionFrame is what a section has besides its blocks: its heading, and of the further files the fence.
func sectionFrame(kind agenvantage.BlockKind) string {
	for _, s := range sections {
		if s.kind != kind {
			continue
		}
		if kind == agenvantage.BlockLine {
			open, closed := fenced("text", "")
			return s.title + open + closed
		}
		return s.title
	}
	return ""
}
