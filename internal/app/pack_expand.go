package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/internal/count"
	"agenvantage/pack"
	"agenvantage/tokens"
)

// ExpandRequest asks for more of what a pack considered for one slot.
type ExpandRequest struct {
	PackID    string // or a beginning of it, as of packRecord
	Slot      agenvantage.SlotName
	Budget    int    // tokens of the whole Markdown; 0 means DefaultExpandBudget
	Tokenizer string // as in PackRequest; "" means that of the pack
	NoRefresh bool
	Note      string // as in PackRequest
}

// DefaultExpandBudget is the ceiling of an expansion, in tokens, when the request does not say: a few functions more.
const DefaultExpandBudget = 2000

// MaxPackBudget bounds what a pack or an expansion may be asked to hold, in tokens: no model reads more at once.
const MaxPackBudget = 1_000_000

// maxExpandHandles bounds the handles of an expansion, whose other places the next one reaches.
const maxExpandHandles = 10

// Expand shows what a pack considered for a slot and did not show yet: handles first, then what was dropped, each in the order of rank.
// The answer is a pack of new blocks alone with an id of its own, which is kept and can be expanded again; it shows no line that the
// packs before it showed. A place whose file has changed since is looked for by its symbol. Without anything new the answer has no
// blocks and says why. An unknown pack or slot and a budget that does not hold the frame are agenvantage.ErrBadInput.
func (a *App) Expand(ctx context.Context, r ExpandRequest) (agenvantage.Pack, error) {
	done, err := a.use()
	if err != nil {
		return agenvantage.Pack{}, err
	}
	defer done()
	r.Budget = cmp.Or(r.Budget, DefaultExpandBudget)
	if r.Budget < 0 || r.Budget > MaxPackBudget {
		return agenvantage.Pack{}, fmt.Errorf("%w: the budget is %d, want 1 to %d tokens", agenvantage.ErrBadInput, r.Budget, MaxPackBudget)
	}
	record, err := a.packRecord(strings.TrimSpace(r.PackID))
	if err != nil {
		return agenvantage.Pack{}, err
	}
	if err := record.checkSlot(r.Slot); err != nil {
		return agenvantage.Pack{}, err
	}
	record.complete()
	counter, named, err := packCounter(cmp.Or(r.Tokenizer, record.Pack.Tokenizer))
	if err != nil {
		return agenvantage.Pack{}, err
	}
	began := time.Now()
	fresh, err := a.refresh(ctx, r.NoRefresh, nil)
	if err != nil {
		return agenvantage.Pack{}, err
	}
	e := &expansion{request: r, record: record, count: counter, tokenizer: named, notes: fresh.remarks()}
	e.notes = withNote(e.notes, r.Note)
	if fresh.stale != "" {
		e.notes = append(e.notes, "the index is older than the tree: "+fresh.stale)
	}
	p, err := a.expand(ctx, e)
	again, err := a.mend(ctx, began, err, r.NoRefresh, nil)
	if again != "" {
		e = &expansion{request: r, record: record, count: counter, tokenizer: named, notes: append(fresh.notes, again)}
		p, err = a.expand(ctx, e)
	}
	return p, fresh.blame(err)
}

// checkSlot refuses a slot that a pack cannot have or does not have.
func (r *PackRecord) checkSlot(slot agenvantage.SlotName) error {
	names := func(all []agenvantage.SlotName) string {
		texts := make([]string, len(all))
		for i, s := range all {
			texts[i] = string(s)
		}
		return strings.Join(texts, ", ")
	}
	if !slices.Contains(agenvantage.SlotNames(), slot) {
		return fmt.Errorf("%w: unknown slot %q; the slots are %s", agenvantage.ErrBadInput, slot, names(agenvantage.SlotNames()))
	}
	var own []agenvantage.SlotName
	for _, s := range r.Pack.Slots {
		own = append(own, s.Name)
	}
	for _, c := range r.Considered { // an expansion lists one slot, and knows the others
		own = append(own, c.Slot)
	}
	for _, h := range r.Pack.Handles {
		own = append(own, h.Slot)
	}
	slices.SortFunc(own, compareSlots)
	if own = slices.Compact(own); !slices.Contains(own, slot) {
		return fmt.Errorf("%w: pack %s has no slot %q; its slots are %s", agenvantage.ErrBadInput, r.Pack.ID, slot, names(own))
	}
	return nil
}

// packCounter is counterOf for the names that packs take: the short ones too, and the list that a pack itself names when it keeps
// within the budget for every encoding.
func packCounter(name string) (counter func(string) int, named string, err error) {
	if name == strings.Join(tokens.Encodings(), ", ") {
		name = ""
	}
	return counterOf(encodingOf(name))
}

// expansion makes one pack out of what another one left.
type expansion struct {
	request   ExpandRequest
	record    PackRecord
	count     func(string) int
	tokenizer string
	notes     []string

	corpus *corpus
	dirty  map[uint32]bool
	shown  map[uint32][]agenvantage.Span // lines of the files as they are indexed now that were shown before
	tally  tally
}

// tally counts what became of the places that were considered for the slot.
type tally struct{ considered, shown, overlapping, lost int }

func (a *App) expand(ctx context.Context, e *expansion) (agenvantage.Pack, error) {
	pinned, err := a.pin(ctx)
	if err != nil {
		return agenvantage.Pack{}, err
	}
	defer pinned.release()
	e.corpus = pinned.corpus
	if err := e.prepare(ctx); err != nil {
		return agenvantage.Pack{}, err
	}
	fresh, err := e.fresh()
	if err != nil {
		return agenvantage.Pack{}, err
	}
	p, taken, err := e.fit(fresh)
	if err != nil {
		return agenvantage.Pack{}, err
	}
	next := PackRecord{Pack: p, Considered: e.considered(taken)}
	if note := a.keepPackOrNote(next); note != "" {
		p.Notes = append(p.Notes, note)
		p.Tokens = e.count(pack.Markdown(p))
		p.ID = pack.ID(p)
	}
	return p, nil
}

// fit chooses as many of the new places as the budget lets through, the best first; one that is too long is passed over, and stays
// a handle. taken are the places of the blocks.
func (e *expansion) fit(fresh []newPlace) (p agenvantage.Pack, taken []newPlace, err error) {
	frame := e.count(pack.Markdown(e.pack(nil, nil, fresh)))
	if frame > e.request.Budget {
		return p, nil, &agenvantage.BudgetError{Budget: e.request.Budget, Smallest: frame, What: "the frame of the answer"}
	}
	empty := e.count(pack.Markdown(agenvantage.Pack{Task: e.record.Pack.Task}))
	var left []newPlace
	used := frame
	for i := range fresh {
		alone := agenvantage.Pack{Task: e.record.Pack.Task, Blocks: []agenvantage.Block{fresh[i].block}}
		fresh[i].block.Tokens = max(0, e.count(pack.Markdown(alone))-empty)
		if used+fresh[i].block.Tokens <= e.request.Budget {
			used += fresh[i].block.Tokens
			taken = append(taken, fresh[i])
		} else {
			left = append(left, fresh[i])
		}
	}
	// Tokens do not add up exactly over the seams of two texts.
	for {
		p = e.pack(taken, nil, left)
		if p.Tokens = e.count(pack.Markdown(p)); p.Tokens <= e.request.Budget || len(taken) == 0 {
			break
		}
		left = append([]newPlace{taken[len(taken)-1]}, left...)
		taken = taken[:len(taken)-1]
	}
	for handles := min(len(left), maxExpandHandles); handles > 0; handles /= 2 {
		with := e.pack(taken, left[:handles], left)
		if with.Tokens = e.count(pack.Markdown(with)); with.Tokens <= e.request.Budget {
			p = with
			break
		}
	}
	p.ID = pack.ID(p)
	return p, taken, nil
}

// pack puts an answer together: its tokens and its id are not known yet.
func (e *expansion) pack(taken, handles, left []newPlace) agenvantage.Pack {
	parent, slot := &e.record.Pack, e.request.Slot
	p := agenvantage.Pack{Task: parent.Task, Preset: parent.Preset, Budget: e.request.Budget, Tokenizer: e.tokenizer, Revision: e.corpus.Revision(),
		Blocks: []agenvantage.Block{}, Handles: []agenvantage.Handle{}, Missing: []string{}, Next: []string{}, Notes: slices.Clone(e.notes)}
	s := agenvantage.Slot{Name: slot, State: agenvantage.SlotUnknown, Channels: []string{}, Evidence: []string{}}
	if i := slices.IndexFunc(parent.Slots, func(x agenvantage.Slot) bool { return x.Name == slot }); i >= 0 {
		s = parent.Slots[i]
		s.Channels, s.Evidence = append([]string{}, s.Channels...), []string{}
	}
	for _, n := range taken {
		p.Blocks = append(p.Blocks, n.block)
		s.Evidence = append(s.Evidence, n.block.ID)
	}
	for _, n := range handles {
		p.Handles = append(p.Handles, n.handle())
	}
	s.Coverage = e.coverage(len(taken), len(left))
	s.NextCost = 0
	switch {
	case len(taken) == 0 && len(left) == 0:
		p.Status, p.Why = agenvantage.PackInsufficient, fmt.Sprintf("nothing is left to show for %s: %s", slot, s.Coverage)
	case len(taken) == 0:
		p.Status, p.Why = agenvantage.PackInsufficient, "none of the places that are left fits into the budget"
	case len(left) == 0:
		p.Status, p.Why = agenvantage.PackReady, fmt.Sprintf("everything that was considered for %s has been shown by now", slot)
	default:
		p.Status, p.Why = agenvantage.PackPartial, fmt.Sprintf("%s considered for %s left", count.Of(len(left), "more place", "more places"), slot)
	}
	if len(left) > 0 {
		s.NextCost = left[0].block.Tokens
		for _, n := range left[1:] {
			s.NextCost = min(s.NextCost, n.block.Tokens)
		}
		p.Next = append(p.Next, fmt.Sprintf("expand this pack by --slot %s for %s", slot, count.Of(len(left), "more place", "more places")))
	}
	p.Slots = []agenvantage.Slot{s}
	return p
}

// coverage says how much was considered for the slot and what became of it.
func (e *expansion) coverage(taken, left int) string {
	t := e.tally
	text := fmt.Sprintf("%s: %d shown before, %d shown here, %d left", count.Of(t.considered, "considered place", "considered places"), t.shown, taken, left)
	if t.overlapping > 0 {
		text += fmt.Sprintf(", %d share lines with what is shown", t.overlapping)
	}
	if t.lost > 0 {
		text += fmt.Sprintf(", %d not found again since their file changed", t.lost)
	}
	return text
}
