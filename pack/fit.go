package pack

import (
	"fmt"
	"slices"
	"strings"

	"agenvantage"
)

// Shares of the budget that FitInput's zero values mean. They are ceilings, not reservations: what a part does not use
// is left to the evidence. The map and the instruction files come out of the evidence, so both stay below a fifth.
const (
	DefaultMapShare         = 0.15
	DefaultInstructionShare = 0.15
	DefaultHandleShare      = 0.05
)

// Chosen is a block that was chosen for a pack. Text holds the lines StartLine to EndLine joined by "\n", without a line end
// behind the last; where it is empty and the block has a path, FitInput.Lines is asked. ID, Tokens and Warn are set by Fit.
type Chosen struct {
	Block    agenvantage.Block
	Omitted  agenvantage.Span // lines directly behind the block that were left out of it on purpose, empty for none: it says so
	Required bool             // shown in every pack whose budget holds its first lines, cut if need be
}

// FitInput is all that Fit needs. Nothing in it is changed.
type FitInput struct {
	Pack         agenvantage.Pack      // everything but id, tokens, blocks, handles and the evidence of the slots, which Fit sets
	Blocks       []Chosen              // best first
	Instructions []agenvantage.Block   // excerpts of instruction files, most important first
	Maps         []string              // texts of the repository map, the one liked best (mostly the longest) first; one is shown at most
	Handles      []agenvantage.Handle  // found and not chosen, best first; Fit sets SourceID
	Count        func(text string) int // tokens of a text; several tokenizers are kept at once by returning the largest count

	// Lines returns the lines start to end (from 1, both included) of a file as indexed, joined by "\n". It fills gaps between
	// blocks and empty texts. With nil, gaps are not closed.
	Lines func(path string, start, end int) string

	// Largest shares of the budget, 0 to 1; 0 means the default, a negative one none.
	MapShare, InstructionShare, HandleShare float64
}

// maxGap is how many lines between two blocks of a file are shown with them: a header and two fences cost about 20 tokens,
// as much as two lines of code.
const maxGap = 2

// leastLines is how much of a required block is shown however small the budget: a signature mostly fits in three lines.
const leastLines = 3

// dearTokens is the cost of these least lines from which a required block waits for the cheaper ones.
const dearTokens = 256

// Fit puts a pack together so that Count of its whole Markdown, with preamble, headers, fences and task, is at most
// Pack.Budget. The same input gives the same pack.
//
// The budget is given away in this order. The frame: slots, missing, next, notes, status, task. The first lines of the
// required blocks. Instruction files, and the first map that fits its share. The required blocks whole, in their order, then
// as much of those that are too long as there is room, cut behind a line, with Cut and a handle for the rest. The other
// blocks in their order: one that does not fit is passed over for the next. What is left out becomes a handle, before the
// given handles, while HandleShare lasts; a note counts the others.
//
// Ranges of a file that overlap or touch become one block, so that no line is shown twice; those with one or two lines between do
// where the budget allows. A joined block has slot, symbol, language and kind of its best member, and the reasons of all.
// In the pack the files of a kind stand in the order of their best blocks, blocks of a file in the order of their lines. (Good
// evidence at both ends of the text was weighed: it would part blocks of one file and repeat headings.)
//
// A larger budget shows every required block that a smaller one shows. A budget that does not hold the frame is an
// agenvantage.ErrBadInput that names the smallest one that does; so are blocks without a known kind, with lines that do not
// agree with their text, or with absolute paths.
func Fit(in FitInput) (agenvantage.Pack, error) {
	f, err := newFitter(in)
	if err != nil {
		return agenvantage.Pack{}, fmt.Errorf("fit pack: %w", err)
	}
	// Sums of parts are never less than the whole for byte pair encoders, since parts begin lines with a word or sign. Should
	// a Count be of another mind, the next round has less room.
	limit := in.Pack.Budget
	for range 4 {
		f.reset()
		f.fill(limit)
		p := f.pack(limit)
		if p.Tokens <= in.Pack.Budget {
			p.ID = ID(p)
			return p, nil
		}
		limit -= p.Tokens - in.Pack.Budget + 8
	}
	return agenvantage.Pack{}, fmt.Errorf("fit pack: %w: no parts add up to %d tokens by this count", agenvantage.ErrBadInput, in.Pack.Budget)
}

// fitter is the state of one Fit: which items are shown and what they cost.
type fitter struct {
	in     FitInput
	frame  frame
	items  []*item  // instructions, then chosen blocks, each in the order given
	groups []*group // files in the order of their best item; a block without a path is a group of its own
	maps   *group   // the map that is shown, or nil
	barred []*item  // required blocks that could not be begun

	beginning bool // gaps stay open, since the cost of a beginning is that of a block of its own
	counts    map[string]int
}

// item is one chosen block.
type item struct {
	block    agenvantage.Block
	lines    []string
	required bool
	guide    bool // an instruction file
	omitted  span // lines behind it that were left out on purpose; end 0 for none
	shown    int  // lines, from the first
	group    *group
	handle   agenvantage.Handle // once it was asked for
}

func (it *item) start() int { return it.block.StartLine }

// last is the last line that is shown, start()-1 for none.
func (it *item) last() int { return it.block.StartLine + it.shown - 1 }

// count is Count, remembered: growing a block asks for the same texts again.
func (f *fitter) count(text string) int {
	n, ok := f.counts[text]
	if !ok {
		n = f.in.Count(text)
		f.counts[text] = n
	}
	return n
}

func newFitter(in FitInput) (*fitter, error) {
	if in.Count == nil {
		return nil, fmt.Errorf("%w: no count of tokens", agenvantage.ErrBadInput)
	}
	for _, s := range []struct {
		share   *float64
		initial float64
	}{{&in.MapShare, DefaultMapShare}, {&in.InstructionShare, DefaultInstructionShare}, {&in.HandleShare, DefaultHandleShare}} {
		if *s.share == 0 {
			*s.share = s.initial
		}
		if !(*s.share <= 1) {
			return nil, fmt.Errorf("%w: a share of %v is above 1", agenvantage.ErrBadInput, *s.share)
		}
		*s.share = max(*s.share, 0)
	}
	f := &fitter{in: in, counts: map[string]int{}}
	for _, b := range in.Instructions {
		b.Kind = agenvantage.BlockInstruction
		if err := f.add(Chosen{Block: b}, true); err != nil {
			return nil, err
		}
	}
	for _, c := range in.Blocks {
		if err := f.add(c, false); err != nil {
			return nil, err
		}
	}
	f.in.Handles = slices.Clone(in.Handles)
	for i, h := range f.in.Handles {
		if err := checkPlace(h.Path, h.StartLine, h.EndLine); err != nil {
			return nil, err
		}
		f.in.Handles[i].SourceID = HandleID(h)
	}
	f.frame = f.newFrame()
	if budget := in.Pack.Budget; budget < f.frame.at(budget) {
		return nil, &agenvantage.BudgetError{Budget: budget, Smallest: f.frame.smallest(), What: "slots, status and task"}
	}
	return f, nil
}

// add checks a block and puts it into the group of its file.
func (f *fitter) add(c Chosen, guide bool) error {
	b := c.Block
	if sectionOf(b.Kind) != b.Kind {
		return fmt.Errorf("%w: a block of kind %q", agenvantage.ErrBadInput, b.Kind)
	}
	if b.Path == "" && (b.StartLine != 0 || b.EndLine != 0) {
		return fmt.Errorf("%w: a block with lines and without a path", agenvantage.ErrBadInput)
	}
	if b.Path != "" {
		if err := checkPlace(b.Path, b.StartLine, b.EndLine); err != nil {
			return err
		}
		if b.Text == "" && f.in.Lines != nil {
			b.Text = f.in.Lines(b.Path, b.StartLine, b.EndLine)
		}
	}
	if b.Kind == agenvantage.BlockLine && !fitsLine(b) {
		b.Kind = agenvantage.BlockSource
	}
	it := &item{block: b, lines: strings.Split(b.Text, "\n"), required: c.Required, guide: guide, omitted: span{c.Omitted.StartLine, c.Omitted.EndLine}}
	if b.Path != "" && len(it.lines) != b.EndLine-b.StartLine+1 {
		return fmt.Errorf("%w: %s: lines %d-%d have a text of %d lines", agenvantage.ErrBadInput, b.Path, b.StartLine, b.EndLine, len(it.lines))
	}
	for _, g := range f.groups {
		if b.Path == g.path && (b.Path != "" || g.kind == b.Kind && g.items[0].block.Text == b.Text) {
			it.group = g
		}
	}
	if it.group == nil {
		it.group = &group{path: b.Path, kind: b.Kind}
		f.groups = append(f.groups, it.group)
	}
	if it.group.kind == agenvantage.BlockLine {
		it.group.kind = b.Kind // a file that is shown otherwise as well is no further file
	}
	it.group.items = append(it.group.items, it)
	f.items = append(f.items, it)
	return nil
}

func checkPlace(path string, start, end int) error {
	switch {
	case path == "":
		return fmt.Errorf("%w: a place without a path", agenvantage.ErrBadInput)
	case path[0] == '/':
		return fmt.Errorf("%w: %s is an absolute path", agenvantage.ErrBadInput, path)
	case start < 1 || end < start:
		return fmt.Errorf("%w: %s: lines %d-%d", agenvantage.ErrBadInput, path, start, end)
	}
	return nil
}

func (f *fitter) reset() {
	for _, it := range f.items {
		it.shown = 0
	}
	for _, g := range f.groups {
		g.apart = true
		f.update(g)
	}
	f.maps, f.barred = nil, nil
}
