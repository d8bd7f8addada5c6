package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/internal/count"
	"agenvantage/plan"
)

// PackReasonState says what a pack has to do with a location. The set is closed.
type PackReasonState string

// The states, the best first.
const (
	ReasonShown         PackReasonState = "shown"          // a block shows lines of it
	ReasonLeftOut       PackReasonState = "left out"       // it was considered, and no line of it is shown
	ReasonNotConsidered PackReasonState = "not considered" // it is indexed, and nothing led the pack there
	ReasonSkipped       PackReasonState = "skipped"        // the index leaves it out: Skip says why
	ReasonOutOfScope    PackReasonState = "out of scope"   // it is no file of the tree
)

// PackPlace is one considered place at a location.
type PackPlace struct {
	Path      string               `json:"path"`
	StartLine int                  `json:"start_line"`
	EndLine   int                  `json:"end_line"`
	Symbol    string               `json:"symbol"`
	Slot      agenvantage.SlotName `json:"slot"`
	Rank      int                  `json:"rank"`     // in its slot, 1-based; 0 for a block that stands outside of any ranking
	Reason    string               `json:"reason"`   // why it was considered
	Channels  []string             `json:"channels"` // retrieval channels that agreed on the evidence of its slot
	Outcome   PackOutcome          `json:"outcome"`
	Why       string               `json:"why"` // of the outcome
	ID        string               `json:"id"`  // of the block or handle, "" for none
	Tokens    int                  `json:"tokens"`
}

// PackReason says why a pack shows a location or does not: the contract of `why --json`.
type PackReason struct {
	PackID    string                 `json:"pack_id"`
	Location  string                 `json:"location"` // as it was given
	Path      string                 `json:"path"`
	StartLine int                    `json:"start_line"` // 0 for the whole file
	EndLine   int                    `json:"end_line"`
	State     PackReasonState        `json:"state"`
	Why       string                 `json:"why"`            // one sentence
	Skip      agenvantage.SkipReason `json:"skip,omitempty"` // of a skipped file
	Places    []PackPlace            `json:"places"`         // what was considered there: shown first, then in the order of the pack
	Notes     []string               `json:"notes,omitempty"`
}

// WhyPacked says why lines are in a pack or are not. The location is PATH, PATH:LINE or PATH:A-B, its path whole or without its first
// folders, its lines those of the file as it was packed. An unknown pack, lines that are none and a path that means several files are
// agenvantage.ErrBadInput; a path that nothing knows is an answer (ReasonOutOfScope). The index is read as it is.
func (a *App) WhyPacked(ctx context.Context, packID, location string) (PackReason, error) {
	done, err := a.use()
	if err != nil {
		return PackReason{}, err
	}
	defer done()
	r, err := a.packRecord(strings.TrimSpace(packID))
	if err != nil {
		return PackReason{}, err
	}
	w := &packWhy{app: a, record: r, answer: PackReason{PackID: r.Pack.ID, Location: location, Places: []PackPlace{}}}
	a.renew(ctx)
	pinned, err := a.pin(ctx)
	switch {
	case err == nil:
		defer pinned.release()
		w.corpus = pinned.corpus
	case errors.Is(err, agenvantage.ErrNoIndex), errors.Is(err, agenvantage.ErrIncomplete):
		w.answer.Notes = append(w.answer.Notes, "there is no index to look into: "+err.Error())
	default:
		return PackReason{}, err
	}
	known, err := w.find(strings.TrimSpace(location))
	if err != nil {
		return PackReason{}, err
	}
	if known {
		w.places()
	}
	if len(w.answer.Places) == 0 {
		err = w.missing(ctx)
	} else {
		w.considered()
	}
	return w.answer, err
}

// packWhy answers one question about a pack.
type packWhy struct {
	app    *App
	record PackRecord
	corpus *corpus // nil without an index
	answer PackReason
}

// find reads the location. known says that the pack has to do with its file.
func (w *packWhy) find(location string) (known bool, err error) {
	if location == "" {
		return false, fmt.Errorf("%w: a location is needed: PATH, PATH:LINE or PATH:A-B", agenvantage.ErrBadInput)
	}
	paths := w.record.paths()
	name, span := location, agenvantage.Span{}
	found, err := w.match(paths, location)
	if path, lines, ok := plan.CutLines(location); err == nil && len(found) == 0 && ok {
		if !isRange(lines.StartLine, lines.EndLine) {
			return false, fmt.Errorf("%w: %q names no lines: the first is 1, and a range goes up", agenvantage.ErrBadInput, location)
		}
		name, span = path, lines
		found, err = w.match(paths, name)
	}
	if err != nil {
		return false, err
	}
	w.answer.Path, w.answer.StartLine, w.answer.EndLine = w.relative(name), span.StartLine, span.EndLine
	if len(found) == 1 {
		w.answer.Path = found[0]
		return true, nil
	}
	return false, nil
}

// relative is a path as the index writes it.
func (w *packWhy) relative(p string) string {
	p = filepath.ToSlash(p)
	if below, ok := strings.CutPrefix(p, filepath.ToSlash(w.app.root)+"/"); ok {
		p = below
	}
	return path.Clean(p)
}

// paths are those of a record, sorted.
func (r *PackRecord) paths() []string {
	var all []string
	for _, c := range r.Considered {
		all = append(all, c.Path)
	}
	for _, b := range r.Pack.Blocks {
		all = append(all, b.Path)
	}
	for _, h := range r.Pack.Handles {
		all = append(all, h.Path)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(p string) bool { return p == "" })
}

// match finds a path among those of a pack: itself, else the one that ends in it, unless it is the whole path of another file.
func (w *packWhy) match(paths []string, name string) ([]string, error) {
	asked := w.relative(name)
	if _, ok := slices.BinarySearch(paths, asked); ok {
		return []string{asked}, nil
	}
	if w.corpus != nil {
		if _, ok := w.corpus.Find(asked); ok {
			return nil, nil
		}
	}
	var found []string
	for _, p := range paths {
		if strings.HasSuffix(p, "/"+asked) {
			found = append(found, p)
		}
	}
	if len(found) > 1 {
		return nil, fmt.Errorf("%w: %q means several files of the pack: %s", agenvantage.ErrBadInput, name, namesText(found))
	}
	return found, nil
}

// span is the lines that were asked about, all of them for a file.
func (w *packWhy) span() agenvantage.Span {
	if w.answer.StartLine == 0 {
		return agenvantage.Span{StartLine: 1, EndLine: maxLine}
	}
	return agenvantage.Span{StartLine: w.answer.StartLine, EndLine: w.answer.EndLine}
}

// places lists what the pack considered at the location, and the blocks and handles of it that were no result of a ranking.
func (w *packWhy) places() {
	span, record := w.span(), &w.record
	channels := map[agenvantage.SlotName][]string{}
	for _, s := range record.Pack.Slots {
		channels[s.Name] = s.Channels
	}
	told := map[string]bool{}
	add := func(c Considered) {
		told[c.ID] = true
		if c.Path == w.answer.Path && span.Overlaps(agenvantage.Span{StartLine: c.StartLine, EndLine: c.EndLine}) {
			w.answer.Places = append(w.answer.Places, placeWith(c, channels[c.Slot]))
		}
	}
	for _, c := range record.Considered {
		add(c)
	}
	for _, b := range record.Pack.Blocks {
		// A block that others were merged into shows lines that none of them has.
		here := func(p PackPlace) bool { return p.ID == b.ID }
		if !told[b.ID] || w.shownAt(b, span) && !slices.ContainsFunc(w.answer.Places, here) {
			add(blockPlace(b))
		}
	}
	for _, h := range record.Pack.Handles {
		if !told[h.SourceID] {
			add(handlePlace(h))
		}
	}
	order := []PackOutcome{OutcomeShown, OutcomeMerged, OutcomeHandle, OutcomeDropped}
	slices.SortStableFunc(w.answer.Places, func(x, y PackPlace) int {
		return cmp.Compare(slices.Index(order, x.Outcome), slices.Index(order, y.Outcome))
	})
}

// placeWith is a considered place with the channels of its slot.
func placeWith(c Considered, channels []string) PackPlace {
	return PackPlace{Path: c.Path, StartLine: c.StartLine, EndLine: c.EndLine, Symbol: c.Symbol, Slot: c.Slot, Rank: c.Rank, Reason: c.Reason,
		Channels: append([]string{}, channels...), Outcome: c.Outcome, Why: c.Why, ID: c.ID, Tokens: c.Tokens}
}

func (w *packWhy) shownAt(b agenvantage.Block, span agenvantage.Span) bool {
	return b.Path == w.answer.Path && span.Overlaps(agenvantage.Span{StartLine: b.StartLine, EndLine: b.EndLine})
}

// considered says in a sentence what became of the places.
func (w *packWhy) considered() {
	span, first := w.span(), w.answer.Places[0]
	place := fmt.Sprintf("%s, rank %d: %s", first.Slot, first.Rank, first.Reason)
	if first.Rank == 0 {
		place = fmt.Sprintf("%s: %s", first.Slot, first.Reason)
	}
	shown := first.Outcome == OutcomeShown || first.Outcome == OutcomeMerged
	here := slices.ContainsFunc(w.record.Pack.Blocks, func(b agenvantage.Block) bool { return w.shownAt(b, span) })
	inPack := slices.ContainsFunc(w.record.Pack.Blocks, func(b agenvantage.Block) bool { return b.ID == first.ID })
	switch {
	case here:
		w.answer.State, w.answer.Why = ReasonShown, "it is shown for "+place
	case shown && !inPack: // what packs before this one showed
		w.answer.State, w.answer.Why = ReasonShown, "a pack that this one goes on from showed it for "+place
	case shown: // a block was cut before these lines
		w.answer.State, w.answer.Why = ReasonLeftOut, "its block was cut before these lines; it was considered for "+place
	default:
		w.answer.State, w.answer.Why = ReasonLeftOut, fmt.Sprintf("it was considered for %s; left out: %s", place, cmp.Or(first.Why, string(first.Outcome)))
	}
	w.staleNote()
}

// staleNote says that the lines of the file are others by now.
func (w *packWhy) staleNote() {
	packed := ""
	for _, c := range w.record.Considered {
		if c.Path == w.answer.Path {
			packed = cmp.Or(packed, c.Revision)
		}
	}
	for _, b := range w.record.Pack.Blocks {
		if b.Path == w.answer.Path {
			packed = cmp.Or(packed, b.Revision)
		}
	}
	if w.corpus == nil || packed == "" {
		return
	}
	f, ok := w.corpus.Find(w.answer.Path)
	if !ok || blobRevision(w.corpus.File(f).Hash) != packed {
		w.answer.Notes = append(w.answer.Notes, w.answer.Path+" has changed since the pack was made: its lines are numbered as they were then")
	}
}

// missing says of a location that the pack did not consider what it is for the index.
func (w *packWhy) missing(ctx context.Context) error {
	considered := len(w.record.Considered)
	if w.corpus == nil {
		w.answer.State = ReasonNotConsidered
		w.answer.Why = fmt.Sprintf("it is none of the %s; whether it is indexed is not known", count.Of(considered, "considered place", "considered places"))
		return nil
	}
	n := newNavigator(ctx, w.app, w.corpus, NavigateRequest{Verb: VerbRead})
	files := n.filesAt(w.answer.Path)
	if len(files) > 1 {
		var names []string
		for _, f := range files {
			names = append(names, w.corpus.Path(f))
		}
		return fmt.Errorf("%w: %q means several files: %s", agenvantage.ErrBadInput, w.answer.Location, namesText(names))
	}
	if len(files) == 1 {
		w.answer.Path = w.corpus.Path(files[0])
		w.answer.State = ReasonNotConsidered
		w.answer.Why = fmt.Sprintf("it is indexed, and none of the %s: no channel, edge or rule of the task led there", count.Of(considered, "considered place", "considered places"))
		if slices.Contains(w.record.paths(), w.answer.Path) {
			w.answer.Why = "it is indexed, and other lines of the file were considered: these are part of none of them"
			w.staleNote()
		}
		return nil
	}
	skips, err := w.corpus.Skips()
	if err != nil {
		return err
	}
	for _, s := range skips {
		if s.Path == w.answer.Path || strings.HasSuffix(s.Path, "/") && strings.HasPrefix(w.answer.Path+"/", s.Path) {
			w.answer.State, w.answer.Skip = ReasonSkipped, s.Reason
			w.answer.Why = fmt.Sprintf("the index leaves %s out as %s%s", s.Path, s.Reason, parenthesised(s.Detail))
			return nil
		}
	}
	w.answer.State = ReasonOutOfScope
	w.answer.Why = "it is no file of the tree, or git ignores it"
	for f := range uint32(w.corpus.FileCount()) {
		if strings.HasPrefix(w.corpus.Path(f), w.answer.Path+"/") {
			w.answer.Why = "it is a folder; ask about a file in it"
			break
		}
	}
	return nil
}

func parenthesised(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}
