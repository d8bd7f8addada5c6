package app

import (
	"cmp"
	"fmt"
	"slices"

	"agenvantage"
	"agenvantage/pack"
)

// Bodies come before signatures. The lines of further files name what to open and show nothing of it, so that a short task has few of them, a
// small file stands whole where it would have had one, and what a pack has left in the end goes to the best places that it does not show.
const (
	smallFileTokens = 200 // of a file that is shown whole instead of by one line
	leastFree       = 60  // tokens that are left from which a place is looked for: a function of few lines
	fillRounds      = 2   // the estimates of what is left and of what a place takes are high
)

// Reasons of what is shown without the choice by expected gain.
const (
	smallFileReason = "a small file that may be needed"
	filledWhy       = "the best of what was found and what the budget had left for"
)

// smallFile is a further file of code as a whole, where it is small and costs no more than budget; nil for others.
func (p *packer) smallFile(c fileChance, budget int) (*packItem, error) {
	if p.isCopy(c.File) || p.corpus.roleOf(c.File) != roleCode || p.corpus.File(c.File).Size > smallFileTokens*4 {
		return nil, nil
	}
	it, err := p.wholeFile(c.File)
	if it == nil || err != nil || it.tokens > min(smallFileTokens, budget) {
		return nil, err
	}
	it.reason, it.why, it.channels, it.gain = smallFileReason, smallFileReason, c.places[0].Channels, c.chance*stubGain
	return it, nil
}

// isCopy reports whether a place of a file was left out since a shown one has its text.
func (p *packer) isCopy(file uint32) bool {
	path := p.corpus.Path(file)
	return slices.ContainsFunc(p.items, func(it *packItem) bool {
		return slices.ContainsFunc(it.copies, func(c copyOf) bool { return c.path == path })
	})
}

// fillFree takes the best places of the implementation that a fitted pack does not show, as far as its free tokens hold them by estimate, and
// reports whether there are any. A file that had one line loses it for its place.
func (p *packer) fillFree(fitted agenvantage.Pack) (filled bool) {
	free := p.request.Budget - fitted.Tokens
	if free < leastFree || p.signs.Files == 0 {
		return false
	}
	left := slices.Clone(p.items)
	left = slices.DeleteFunc(left, func(it *packItem) bool {
		return it.slot != agenvantage.SlotImplementation || it.outcome != OutcomeHandle || it.path == "" || it.kind != agenvantage.BlockSource
	})
	slices.SortStableFunc(left, func(a, b *packItem) int {
		return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.file, b.file), cmp.Compare(a.span.StartLine, b.span.StartLine))
	})
	for _, it := range left {
		if it.tokens > free || p.foldCopy(it) {
			continue
		}
		free -= it.tokens
		p.items = slices.DeleteFunc(p.items, func(o *packItem) bool {
			return o == it || o.file == it.file && o.kind == agenvantage.BlockLine && o.outcome == OutcomeShown
		})
		it.outcome, it.why, filled = OutcomeShown, filledWhy, true
		p.items = append(p.items, it) // behind all others: it makes way for each of them
	}
	return filled
}

// fit fits what was chosen, and what of the other places is worth the tokens that are left then.
func (p *packer) fit(tokenizer string) (fitted agenvantage.Pack, in pack.FitInput, err error) {
	for round := 0; ; round++ {
		if in, err = p.fitInput(tokenizer); err != nil {
			return fitted, in, err
		}
		if fitted, err = pack.Fit(in); err != nil || round == fillRounds || !p.fillFree(fitted) {
			return fitted, in, err
		}
	}
}

// Ready needs more than the names of files. A file that is shown by one line has half of its votes: over 181 issue tasks that tells full packs
// from others as well as whole votes do, and a pack of signatures is not ready. And the best places of the likeliest files have to be there.
const (
	lineShare  = 0.5 // of the votes of a file that are shown by one line of it
	bestFiles  = 2   // likeliest files whose best places a ready pack holds; with three 6 in 100 full packs fewer are ready
	besideBest = 0.1 // of the votes of the likeliest file, from which the second one counts among them
)

// voteShown is how much of the votes of a file a block of it shows.
func voteShown(lines int) float64 {
	if lines > 1 {
		return 1
	}
	return lineShare
}

// bestPlaceUnshown names the best place of a likely file of which blocks show no more than a line, "" where there is none. A place of one line is shown by it.
func (p *packer) bestPlaceUnshown(blocks []agenvantage.Block) string {
	for i, c := range p.chances[:min(len(p.chances), bestFiles)] {
		if i > 0 && c.vote < besideBest*p.chances[0].vote {
			break
		}
		for _, it := range p.items {
			if !it.best || it.file != c.File {
				continue
			}
			held := slices.ContainsFunc(blocks, func(b agenvantage.Block) bool {
				span := agenvantage.Span{StartLine: b.StartLine, EndLine: b.EndLine}
				return b.Path == it.path && span.Overlaps(it.span) && (span.Lines() > 1 || it.span.Lines() == 1)
			})
			if !held {
				return fmt.Sprintf("%s:%d-%d", it.path, it.span.StartLine, it.span.EndLine)
			}
		}
	}
	return ""
}
