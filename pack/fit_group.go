package pack

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agenvantage"
)

// group is one file of a pack, or one block without a path.
type group struct {
	path  string
	kind  agenvantage.BlockKind // of its first item: a file stands in one section
	items []*item               // best first
	apart bool                  // gaps between its blocks are left open
	parts []part                // what is shown, by line
	cost  int                   // tokens of the parts with the file's heading
}

// part is one block that is shown.
type part struct {
	block   agenvantage.Block
	span    span
	tokens  int                  // see fitter.cost
	whole   bool                 // all members are shown whole
	members []*item              // that it holds lines of, best first
	rest    []agenvantage.Handle // what its cut line names
}

// span is a range of lines, both included.
type span struct{ start, end int }

// update makes the parts of a group from what of its items is shown. Parts that stay as they were are taken over, so that a
// file with many blocks is not written anew for each.
func (f *fitter) update(g *group) {
	spans := g.spans(f.in.Lines)
	before := g.parts
	g.parts = make([]part, len(spans))
	g.cost = 0
	for i, s := range spans {
		members := g.members(s)
		if k := slices.IndexFunc(before, func(p part) bool { return p.stays(s, members) }); k >= 0 {
			g.parts[i] = before[k]
		} else {
			g.parts[i] = f.part(g, s, members, spans)
			g.parts[i].tokens = f.cost(g.parts[i].block)
		}
		p := &g.parts[i]
		p.block.Tokens = p.tokens
		if heading := headingOf(g.kind, g.path); i == 0 && heading != "" {
			p.block.Tokens += f.count(heading)
		}
		g.cost += p.block.Tokens
	}
}

// chunkLines is in how many lines a long text is counted at once. Chunks begin at fixed lines of the file, so that a block that
// grows is counted where it has grown and not all again. The sum is above the count of the whole by a token or two a chunk.
const chunkLines = 32

// cost is the tokens of a block without the heading of its file: exact up to two chunks, a little too high beyond.
func (f *fitter) cost(b agenvantage.Block) int {
	lines := strings.Split(b.Text, "\n")
	if len(lines) <= 2*chunkLines {
		return f.count(blockText(b))
	}
	before, after := around(b)
	n := f.count(before) + f.count(after)
	for from := 0; from < len(lines); {
		to := min(len(lines), from+chunkLines-(b.StartLine+from)%chunkLines)
		text := strings.Join(lines[from:to], "\n")
		if to < len(lines) {
			text += "\n"
		}
		n += f.count(text)
		from = to
	}
	return n
}

// members are the items that a range shows lines of.
func (g *group) members(s span) []*item {
	var out []*item
	for _, it := range g.items {
		if it.shown > 0 && s.start <= it.start() && it.last() <= s.end {
			out = append(out, it)
		}
	}
	return out
}

// stays tells whether the part of a range with these members would be the same one: always where they are shown whole.
func (p *part) stays(s span, members []*item) bool {
	return p.span == s && p.whole && slices.Equal(p.members, members) && allWhole(members)
}

func allWhole(items []*item) bool {
	return !slices.ContainsFunc(items, func(it *item) bool { return it.shown < len(it.lines) || it.omitted.end > 0 })
}

// spans are the ranges to show, joined where they overlap or touch, or where few lines are between them.
func (g *group) spans(lines func(string, int, int) string) []span {
	var all []span
	for _, it := range g.items {
		if it.shown > 0 {
			all = append(all, span{it.start(), it.last()})
		}
	}
	slices.SortFunc(all, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	var out []span
	for _, s := range all {
		if n := len(out); n > 0 {
			last := &out[n-1]
			gap := s.start - last.end - 1
			if gap <= 0 || gap <= maxGap && !g.apart && lines != nil && len(linesOf(lines, g.path, span{last.end + 1, s.start - 1})) == gap {
				last.end = max(last.end, s.end)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// linesOf asks for lines of a file; a text of another number of lines is no answer.
func linesOf(lines func(string, int, int) string, path string, s span) []string {
	text := strings.Split(lines(path, s.start, s.end), "\n")
	if n := len(text); n == s.end-s.start+2 && text[n-1] == "" {
		text = text[:n-1] // a line end behind the last line
	}
	if len(text) != s.end-s.start+1 {
		return nil
	}
	return text
}

// part is the block of one range; spans are all ranges of the file that are shown.
func (f *fitter) part(g *group, s span, members []*item, spans []span) part {
	p := part{span: s, members: members, whole: allWhole(members)}
	p.block = agenvantage.Block{Kind: g.kind, Path: g.path, StartLine: s.start, EndLine: s.end}
	if g.path == "" {
		p.block.StartLine, p.block.EndLine = 0, 0
	}
	p.block.Text = strings.Join(f.assemble(g, s, members), "\n")
	p.describe()
	for _, it := range members {
		p.cut(it, spans)
	}
	p.block.Warn = warnings(p.block.Text, max(s.start, 1))
	p.block.ID = BlockID(p.block)
	return p
}

// assemble puts the lines of a range together from the texts of its members, and asks for those between them.
func (f *fitter) assemble(g *group, s span, members []*item) []string {
	if len(members) == 1 {
		return members[0].lines[:members[0].shown]
	}
	out := make([]string, s.end-s.start+1)
	known := make([]bool, len(out))
	for _, it := range slices.Backward(members) { // the best member last: its text stands
		for k, l := range it.lines[:it.shown] {
			at := it.start() + k - s.start
			out[at], known[at] = l, true
		}
	}
	for i := 0; i < len(out); i++ {
		end := i
		for end < len(out) && !known[end] {
			end++
		}
		if end > i {
			copy(out[i:end], linesOf(f.in.Lines, g.path, span{s.start + i, s.start + end - 1}))
			i = end
		}
	}
	return out
}

// mostJoined bounds how many symbols and reasons of members a joined block names.
const mostJoined = 3

// describe sets what a block says of itself from its members.
func (p *part) describe() {
	var symbols, reasons []string
	add := func(list []string, s string) []string {
		if s == "" || len(list) == mostJoined || slices.Contains(list, s) {
			return list
		}
		return append(list, s)
	}
	for i, it := range p.members {
		b := &it.block
		if i == 0 {
			p.block.Slot, p.block.Lang, p.block.Revision = b.Slot, b.Lang, b.Revision
		}
		p.block.Dirty = p.block.Dirty || b.Dirty
		symbols, reasons = add(symbols, b.Symbol), add(reasons, b.Reason)
		if b.Cut != "" && !strings.Contains(p.block.Cut, b.Cut) {
			p.say(b.Cut)
		}
	}
	p.block.Symbol, p.block.Reason = strings.Join(symbols, ", "), strings.Join(reasons, "; ")
}

func (p *part) say(cut string) {
	if p.block.Cut != "" {
		p.block.Cut += "; "
	}
	p.block.Cut += cut
}

// cut says what of a member is not shown, and makes handles for it.
func (p *part) cut(it *item, spans []span) {
	if it.shown == len(it.lines) {
		p.omit(it, spans)
		return
	}
	if it.block.Path == "" {
		p.say(fmt.Sprintf("the last %d of %d lines are not shown", len(it.lines)-it.shown, len(it.lines)))
		return
	}
	missing := without(span{it.start(), it.block.EndLine}, spans)
	var ranges, ids []string
	for _, m := range missing {
		h := agenvantage.Handle{Path: it.block.Path, StartLine: m.start, EndLine: m.end, Symbol: it.block.Symbol, Slot: it.block.Slot,
			Why: "the rest of what is shown", Revision: it.block.Revision}
		h.SourceID = HandleID(h)
		if slices.ContainsFunc(p.rest, func(o agenvantage.Handle) bool { return o.SourceID == h.SourceID }) {
			continue
		}
		p.rest = append(p.rest, h)
		ranges, ids = append(ranges, strconv.Itoa(m.start)+"-"+strconv.Itoa(m.end)), append(ids, h.SourceID)
	}
	if len(ranges) == 0 {
		return
	}
	text := "lines " + strings.Join(ranges, ", ")
	if it.block.Symbol != "" {
		text += " of " + shorten(it.block.Symbol, maxSymbol)
	}
	p.say(text + " are not shown (" + strings.Join(ids, ", ") + ")")
}

// omit says which of the lines that were left out behind a member no range shows. They cost no handle: comments that were cut for their length.
func (p *part) omit(it *item, spans []span) {
	if it.omitted.end < it.omitted.start || it.omitted.end == 0 {
		return
	}
	for _, m := range without(it.omitted, spans) {
		if text := fmt.Sprintf("lines %d-%d are not shown", m.start, m.end); !strings.Contains(p.block.Cut, text) {
			p.say(text)
		}
	}
}

// without is what of s no span holds. Spans are sorted and do not touch.
func without(s span, spans []span) []span {
	var out []span
	at := s.start
	for _, o := range spans {
		if o.end < at || o.start > s.end {
			continue
		}
		if o.start > at {
			out = append(out, span{at, o.start - 1})
		}
		at = o.end + 1
	}
	if at <= s.end {
		out = append(out, span{at, s.end})
	}
	return out
}
