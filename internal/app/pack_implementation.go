package app

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"agenvantage"
	"agenvantage/pipeline"
	"agenvantage/scan"
)

// fillImplementation makes items of the best places of the files with a chance.
func (p *packer) fillImplementation() error {
	if err := p.fillPointed(); err != nil {
		return err
	}
	if err := p.fillAnchors(); err != nil {
		return err
	}
	families := map[string]int{}
	for i := range p.chances {
		c := &p.chances[i]
		families[familyOf(p.corpus.Path(c.File))]++
		alike := families[familyOf(p.corpus.Path(c.File))]
		places := c.places
		if len(places) == 0 {
			var err error
			if places, err = p.placesWithoutVotes(c.File); err != nil {
				return err
			}
		}
		if err := p.fillFile(c, places[:min(len(places), placesFor(p.request.Budget))], alike); err != nil {
			return err
		}
	}
	s := p.slots[agenvantage.SlotImplementation]
	s.coverage = fmt.Sprintf("%d of %d indexed files have votes of %s", len(p.evidence.Files), p.corpus.FileCount(), strings.Join(reported(p.evidence.Reports), ", "))
	if len(p.chances) > 0 {
		c := p.chances[0]
		s.confidence, s.channels = agreementOf(p.evidence.Reports, c.FileEvidence), channelsOf(c.Votes)
		if len(p.changed[c.File]) > 0 {
			s.confidence = 1 // what the diff changes is what the task is about
		}
	}
	return nil
}

// placesWithoutVotes are the places of a file that nothing but the request leads to: in their order, or those next to what it points at
// first, and without the head of the file, which says little about it.
func (p *packer) placesWithoutVotes(file uint32) (places []pipeline.PlaceEvidence, err error) {
	facts, err := p.corpus.Facts(file)
	if err != nil {
		return nil, err
	}
	reason, points := "named by the caller", p.kept[file]
	if !p.seeds[file] {
		reason = "of a file that the task points at"
		if len(p.changed[file]) > 0 {
			reason = "of a file that the diff changes"
		}
	}
	for j, chunk := range facts.Chunks {
		if len(points) == 0 || chunk.Kind != agenvantage.ChunkHeader {
			places = append(places, pipeline.PlaceEvidence{Chunk: j, Span: chunk.Span, Owner: chunk.Owner, Reason: reason})
		}
	}
	distance := func(span agenvantage.Span) int {
		least := math.MaxInt
		for _, point := range points {
			least = min(least, max(point.StartLine-span.EndLine, span.StartLine-point.EndLine, 0))
		}
		return least
	}
	slices.SortStableFunc(places, func(a, b pipeline.PlaceEvidence) int { return cmp.Compare(distance(a.Span), distance(b.Span)) })
	return places, nil
}

// placesFor bounds the places of a file that are weighed: a larger budget holds more of them.
func placesFor(budget int) int { return max(maxPlacesOfFile, budget/tokensOfPlace) }

// wholeTokens is the size up to which a function is shown whole when a part of it was found.
const wholeTokens = 450

// fillFile makes items of the places of a file: whole functions where they are short, else the part that was found and the
// line with the name of what it is a part of.
// alike is the file's number among those whose paths differ by digits alone.
func (p *packer) fillFile(c *fileChance, places []pipeline.PlaceEvidence, alike int) error {
	facts, err := p.corpus.Facts(c.File)
	if err != nil {
		return err
	}
	whole, rank := map[int]bool{}, 0
	for _, place := range p.changedFirst(c.File, facts, places) {
		if whole[place.Owner] || p.isIdleHead(c.File, facts, place) {
			continue
		}
		if place.Owner >= 0 && isFunctionKind(facts.Symbols[place.Owner].Kind) {
			span, tokens, err := p.shownTokens(c.File, facts.Symbols[place.Owner].Span)
			if err != nil {
				return err
			}
			if tokens <= wholeTokens {
				place.Span, whole[place.Owner] = span, true
			}
		}
		if place.Reason == changedReason {
			near, err := p.aroundChange(c.File, place.Span)
			if err != nil {
				return err
			}
			if near != place.Span && place.Owner >= 0 {
				whole[place.Owner] = false
			}
			place.Span = near
		}
		it, err := p.placeItem(agenvantage.SlotImplementation, c.File, place)
		if err != nil {
			return err
		}
		if it == nil || place.Reason != changedReason && (isScrap(it.text) || insideTests(p.corpus, agenvantage.Node{File: c.File, Symbol: place.Owner}) && !p.asked[roleTest]) {
			continue
		}
		it.alone = isHead(facts, place.Chunk) && !whole[place.Owner]
		it.gain = p.chanceOfPlace(c, rank) * firstPlace / math.Pow(float64(rank+1), placeDecay) * math.Sqrt(float64(it.tokens)/typicalTokens)
		if alike > fewAlike {
			it.gain *= alikeFactor
		}
		it.best = rank == 0
		rank++
		if place.Reason == changedReason {
			it.reason, it.gain = changedReason, changedGain/float64(rank)
		} else if p.seeds[c.File] {
			it.reason = strings.TrimSuffix("given as a seed; "+it.reason, "; ")
		}
		p.items = append(p.items, it)
		if place.Owner >= 0 && !whole[place.Owner] {
			if isFunctionKind(facts.Symbols[place.Owner].Kind) {
				it.around = facts.Symbols[place.Owner].Span
			}
			if line := facts.Symbols[place.Owner].NameLine; line < it.span.StartLine {
				it.head = agenvantage.Span{StartLine: line, EndLine: line}
			}
		}
	}
	return nil
}

// isIdleHead reports whether a place of a short task is the licence and the imports at the head of a file of code: they hold words of a task and
// do nothing. What the diff changes there, and what the request points at, is shown.
func (p *packer) isIdleHead(file uint32, facts *agenvantage.Extraction, place pipeline.PlaceEvidence) bool {
	return !p.long() && facts.Chunks[place.Chunk].Kind == agenvantage.ChunkHeader && place.Reason != changedReason && p.corpus.roleOf(file) == roleCode &&
		!slices.ContainsFunc(p.kept[file], place.Span.Overlaps) && len(facts.Chunks) > 1
}

// Files that differ by digits in their names repeat each other: the first is shown, the others have to earn it.
const (
	fewAlike    = 1
	alikeFactor = 0.25
)

// isScrap reports whether a text says nothing by itself: a closing brace, an export of a name.
func isScrap(text string) bool {
	n := 0
	for _, r := range text {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n < 32
}

// What the diff of the request changes is the task: it comes before what anything votes for.
const (
	changedReason = "changed by the diff"
	changedGain   = 1.0
)

// shownTokens estimates a function without its long comments, and cuts its span to the file.
func (p *packer) shownTokens(file uint32, span agenvantage.Span) (agenvantage.Span, int, error) {
	text, span, err := p.textOf(file, span)
	if err != nil || p.task.Kind == agenvantage.TaskExplain || !scan.IsCode(p.corpus.File(file).Lang) {
		return span, estimate(text), err
	}
	_, tokens, err := p.trimmed(file, span)
	return span, tokens, err
}

// aroundChange is what is shown of a span that the diff changes: all, or less around the first change where the budget is small.
func (p *packer) aroundChange(file uint32, span agenvantage.Span) (agenvantage.Span, error) {
	i := slices.IndexFunc(p.kept[file], func(s agenvantage.Span) bool { return s.Overlaps(span) })
	if i < 0 {
		return span, nil
	}
	return p.surroundings(file, span, p.kept[file][i])
}

// changedFirst puts the chunks that the diff changes before the other places of a file.
func (p *packer) changedFirst(file uint32, facts *agenvantage.Extraction, places []pipeline.PlaceEvidence) []pipeline.PlaceEvidence {
	spans := p.changed[file]
	if len(spans) == 0 {
		return places
	}
	var first []pipeline.PlaceEvidence
	for i, chunk := range facts.Chunks {
		if slices.ContainsFunc(spans, func(s agenvantage.Span) bool { return overlapsChange(chunk.Span, s) }) {
			first = append(first, pipeline.PlaceEvidence{Chunk: i, Span: chunk.Span, Owner: chunk.Owner, Reason: changedReason})
		}
	}
	for _, place := range places {
		if !slices.ContainsFunc(first, func(f pipeline.PlaceEvidence) bool { return f.Chunk == place.Chunk }) {
			first = append(first, place)
		}
	}
	return first
}

func isFunctionKind(k agenvantage.SymbolKind) bool {
	return k == agenvantage.KindFunction || k == agenvantage.KindMethod || k == agenvantage.KindMacro
}
