package app

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"agenvantage"
)

// pointed is a range of lines that the request points at: one that its diff changes, the line of a frame of the output, or a place that
// a short task gives. A long issue mentions frames: what it is about is told by its words.
type pointed struct {
	file   uint32
	span   agenvantage.Span
	name   string // path and lines
	reason string
}

// Limits of what is shown of a pointed range in any case, whatever else is shown of its file.
const (
	pointedShare     = 0.5 // of the budget, for all but the first; the others have the places of their files
	pointedLines     = 12  // of one range
	pointedAround    = 1   // lines before and after it: with the first of them it is in the least of a block that the smallest pack shows
	pointedGain      = 2.0
	leastSurrounding = 3 // lines before and after it where no more fits
)

const pointedReason = "the task points at "

// readPointed finds the ranges that the request points at, those of the diff first, then frames and places in their order.
func (p *packer) readPointed() error {
	p.kept = map[uint32][]agenvantage.Span{}
	if err := p.pointChanges(); err != nil {
		return err
	}
	last := len(p.points) + maxAnchored
	for _, frame := range p.placesAsked() {
		file, ok := p.fileOfFrame(frame.Path)
		if !ok || frame.Line < 1 || len(p.points) >= last {
			continue
		}
		if err := p.point(file, agenvantage.Span{StartLine: frame.Line, EndLine: max(frame.Line, frame.EndLine)}, ""); err != nil {
			return err
		}
	}
	for _, spans := range p.kept {
		slices.SortFunc(spans, func(a, b agenvantage.Span) int {
			return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.EndLine, b.EndLine))
		})
	}
	return nil
}

// pointChanges notes what the diff changes: the first change of each file before the second ones, those of code first.
func (p *packer) pointChanges() error {
	files := slices.Collect(maps.Keys(p.changed))
	slices.SortFunc(files, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(implementationFactor(p.corpus.roleOf(b), p.asked), implementationFactor(p.corpus.roleOf(a), p.asked)), cmp.Compare(a, b))
	})
	most := 0
	for _, file := range files {
		most = max(most, len(p.changed[file]))
	}
	for i := range most {
		for _, file := range files {
			if i >= len(p.changed[file]) {
				continue
			}
			span := p.changed[file][i]
			if span.Lines() == 0 { // lines that were deleted between these two
				span.EndLine = span.StartLine + 1
			}
			if err := p.point(file, span, changedReason); err != nil {
				return err
			}
		}
	}
	return nil
}

// placesAsked are the frames of the output, and the places of a task that is short enough to ask for them.
func (p *packer) placesAsked() (frames []agenvantage.Frame) {
	if p.output != nil {
		frames = append(frames, p.output.Frames...)
	}
	if p.task.Query.AsksForPlaces() {
		frames = append(frames, p.task.Query.Frames...)
	}
	return frames
}

// point notes a range, cut to its file; one behind the end of the file is none. Without a reason it is one that the text points at.
func (p *packer) point(file uint32, span agenvantage.Span, reason string) error {
	_, span, err := p.textOf(file, span)
	if err != nil || span.Lines() == 0 || slices.Contains(p.kept[file], span) {
		return err
	}
	p.kept[file] = append(p.kept[file], span)
	name := fmt.Sprintf("%s:%d", p.corpus.Path(file), span.StartLine)
	if span.Lines() > 1 {
		name = fmt.Sprintf("%s-%d", name, span.EndLine)
	}
	if reason == "" {
		reason = pointedReason + name
	}
	p.points = append(p.points, pointed{file: file, span: span, name: name, reason: reason})
	return nil
}

// fillPointed makes an item of each pointed range with a line on both sides, which is shown however small the budget is. The function
// around it comes with the places of its file, or as what the task names.
func (p *packer) fillPointed() error {
	left := int(pointedShare * float64(p.request.Budget))
	for i, point := range p.points {
		facts, err := p.corpus.Facts(point.file)
		if err != nil {
			return err
		}
		span := agenvantage.Span{StartLine: point.span.StartLine - pointedAround, EndLine: min(point.span.EndLine, point.span.StartLine+pointedLines) + pointedAround}
		it, err := p.item(agenvantage.SlotImplementation, point.file, span, definitionAt(facts, point.span.StartLine))
		if err != nil {
			return err
		}
		if it == nil {
			continue
		}
		if left -= it.tokens; left < 0 && i > 0 {
			break
		}
		it.point, it.reason, it.gain, it.required, it.alone = i+1, point.reason, pointedGain, true, true
		it.channels = channelsOf(p.votesOf(point.file))
		p.items = append(p.items, it)
	}
	return nil
}

// definitionAt is the innermost function that a line lies in, else the outermost symbol around it, as a field alone tells less than its class;
// -1 for nothing.
func definitionAt(x *agenvantage.Extraction, line int) int {
	if inner := x.Innermost(line, isFunctionKind); inner >= 0 {
		return inner
	}
	return slices.IndexFunc(x.Symbols, func(s agenvantage.Symbol) bool { return s.Span.HasLine(line) })
}

// surroundings are what is shown of a definition around lines of it: all where that takes no more than its share of the budget, else as
// many lines on both sides as do. A first line that is nearly reached is not cut off.
func (p *packer) surroundings(file uint32, of, lines agenvantage.Span) (agenvantage.Span, error) {
	most := int(anchoredShare * float64(p.request.Budget))
	span, tokens, err := p.shownTokens(file, of)
	for around := anchoredHeadLines; err == nil && tokens > most && around >= leastSurrounding; around /= 2 {
		near := agenvantage.Span{StartLine: max(of.StartLine, lines.StartLine-around), EndLine: min(of.EndLine, lines.EndLine+around)}
		if near.StartLine-of.StartLine <= leastSurrounding {
			near.StartLine = of.StartLine
		}
		span, tokens, err = p.shownTokens(file, near)
	}
	return span, err
}

// unshown names the ranges that the request points at and that blocks of a pack do not show.
func (p *packer) unshown(blocks []agenvantage.Block) (names []string) {
	for _, point := range p.points {
		path, next := p.corpus.Path(point.file), point.span.StartLine
		for _, b := range blocks { // those of a file are in the order of their lines
			if b.Path == path && b.StartLine <= next {
				next = max(next, b.EndLine+1)
			}
		}
		if next <= point.span.EndLine {
			names = append(names, point.name)
		}
	}
	return names
}
