package app

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"agenvantage"
	"agenvantage/pipeline"
	"agenvantage/scan"
)

// packItem is one place that a pack may show.
type packItem struct {
	slot     agenvantage.SlotName
	file     uint32
	path     string // "" for what is no place of a file
	span     agenvantage.Span
	pieces   []agenvantage.Span // the lines that are shown: those of span without the ends of long comments
	head     agenvantage.Span   // the line that names what the lines are a part of, where they do not hold it
	symbol   string
	kind     agenvantage.BlockKind
	text     string
	lang     string
	reason   string
	channels []string
	gain     float64 // expected: the chance that the lines are among those that the task needs
	tokens   int     // estimated
	required bool
	outcome  PackOutcome
	why      string
}

// headerTokens is what a block costs besides its text, estimated.
const headerTokens = 20

// estimate is about the tokens of a block with a text: counting them all would take longer than finding them. Fit counts.
func estimate(text string) int { return len(text)*2/7 + headerTokens }

// density is the expected gain of a thousand tokens.
func (it *packItem) density() float64 { return it.gain * 1000 / float64(it.tokens) }

// blocks are the blocks of an item, one for each of its pieces.
func (it *packItem) blocks(p *packer) []agenvantage.Block {
	b := agenvantage.Block{Kind: it.kind, Slot: it.slot, Reason: it.reason, Symbol: it.symbol, Lang: it.lang, Text: it.text}
	if it.path == "" {
		return []agenvantage.Block{b}
	}
	b.Text, b.Path, b.Revision, b.Dirty = "", it.path, p.revisionOf(it.file), p.dirty[it.file]
	blocks := make([]agenvantage.Block, len(it.pieces))
	for i, piece := range it.pieces {
		blocks[i] = b
		blocks[i].StartLine, blocks[i].EndLine = piece.StartLine, piece.EndLine
	}
	return blocks
}

func (it *packItem) handle(p *packer) agenvantage.Handle {
	return agenvantage.Handle{Path: it.path, StartLine: it.span.StartLine, EndLine: it.span.EndLine, Symbol: it.symbol, Slot: it.slot, Tokens: it.tokens, Why: it.reason, Revision: p.revisionOf(it.file)}
}

// item makes an item of lines of a file; nil when the file has no such lines.
func (p *packer) item(slot agenvantage.SlotName, file uint32, span agenvantage.Span, symbol int) (*packItem, error) {
	text, span, err := p.textOf(file, span)
	if err != nil || span.Lines() == 0 {
		return nil, err
	}
	info := p.corpus.File(file)
	it := &packItem{slot: slot, file: file, path: info.Path, span: span, kind: agenvantage.BlockSource, text: text, lang: info.Lang, tokens: estimate(text), outcome: OutcomeDropped}
	it.pieces = []agenvantage.Span{span}
	switch {
	case p.corpus.roleOf(file) == roleDocument:
		it.kind = agenvantage.BlockDocument
	case scan.IsCode(info.Lang) && p.task.Kind != agenvantage.TaskExplain:
		it.pieces = withoutLongComments(strings.Split(text, "\n"), span.StartLine)
		it.tokens = 0
		for _, piece := range it.pieces {
			part, _, err := p.textOf(file, piece)
			if err != nil {
				return nil, err
			}
			it.tokens += estimate(part)
		}
	}
	if symbol >= 0 {
		facts, err := p.corpus.Facts(file)
		if err != nil {
			return nil, err
		}
		it.symbol = facts.Symbols[symbol].Qualified
	}
	return it, nil
}

// placeItem makes an item of a place that channels found.
func (p *packer) placeItem(slot agenvantage.SlotName, file uint32, place pipeline.PlaceEvidence) (*packItem, error) {
	it, err := p.item(slot, file, place.Span, place.Owner)
	if it == nil || err != nil {
		return nil, err
	}
	it.channels, it.reason = place.Channels, reasonOf(place)
	return it, nil
}

// reasonOf is one phrase on why a place was found.
func reasonOf(place pipeline.PlaceEvidence) string {
	s := strings.Join(place.Channels, ", ")
	if s == "" {
		return place.Reason
	}
	if place.Reason != "" {
		s = place.Reason + " (" + s + ")"
	}
	return s
}

func unionOf(a, b map[uint32]bool) map[uint32]bool {
	all := maps.Clone(b)
	maps.Copy(all, a)
	return all
}

// fileChance is a file with the chance that the task needs it.
type fileChance struct {
	pipeline.FileEvidence
	role   fileRole
	chance float64
	places []pipeline.PlaceEvidence
}

// Chances: how votes become the chance that a file is needed, and places of a needed file the chance that its lines are.
const (
	maxChanceFiles  = 40
	chanceSharpness = 4.5 // on 181 issue tasks a power of 4 to 5 of the score is right about how often a file was changed
	firstPlace      = 0.46
	placeDecay      = 1.5
	maxPlacesOfFile = 12
	besideAnchors   = 0.15 // factor of the files that a task which names definitions does not name
	seedLead        = 1.25 // of a seed over the best file that is none
)

// rankChances gives the files that may be the implementation their chances, best first.
func (p *packer) rankChances() error {
	best := 0.0
	for _, f := range p.evidence.Files {
		role := p.corpus.roleOf(f.File)
		f.Score *= implementationFactor(role, p.asked)
		if isInstruction(p.corpus.Path(f.File)) {
			continue
		}
		best = math.Max(best, f.Score)
		p.chances = append(p.chances, fileChance{FileEvidence: f, role: role})
	}
	named := map[uint32]bool{}
	for _, a := range p.anchors {
		named[a.node.File] = true
	}
	for _, seed := range slices.Sorted(maps.Keys(unionOf(p.seeds, named))) {
		i := slices.IndexFunc(p.chances, func(c fileChance) bool { return c.File == seed })
		if i < 0 {
			i = len(p.chances)
			p.chances = append(p.chances, fileChance{FileEvidence: pipeline.FileEvidence{File: seed}, role: p.corpus.roleOf(seed)})
		}
		p.chances[i].Score = max(p.chances[i].Score, seedLead*max(best, 0.05))
	}
	slices.SortFunc(p.chances, func(a, b fileChance) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File))
	})
	p.chances = p.chances[:min(len(p.chances), max(maxChanceFiles, len(p.seeds)))]
	total := 0.0
	for _, c := range p.chances {
		total += math.Pow(c.Score, chanceSharpness)
	}
	files, sum := make([]uint32, len(p.chances)), 0.0
	for i := range p.chances {
		p.chances[i].chance = math.Pow(p.chances[i].Score, chanceSharpness) / total
		if len(p.anchors) > 0 && !named[p.chances[i].File] && !p.seeds[p.chances[i].File] {
			p.chances[i].chance *= besideAnchors
		}
		sum += p.chances[i].chance
		files[i] = p.chances[i].File
	}
	places, err := p.evidence.Places(p.ctx, files)
	if err != nil {
		return err
	}
	for i := range p.chances {
		if err := p.headsLast(p.chances[i].File, places[p.chances[i].File]); err != nil {
			return err
		}
		p.chances[i].chance /= sum
		p.chances[i].places = places[p.chances[i].File]
	}
	return nil
}

// headFactor is what the imports and the licence at the head of a file count for in a short task: they hold its words, and
// say little. For the texts of issues it was refused: on 181 tasks success fell from 0.536 to 0.530.
const headFactor = 0.3

// headsLast lowers the heads of files among places.
func (p *packer) headsLast(file uint32, places []pipeline.PlaceEvidence) error {
	if p.long() {
		return nil
	}
	facts, err := p.corpus.Facts(file)
	if err != nil {
		return err
	}
	for i := range places {
		if facts.Chunks[places[i].Chunk].Kind == agenvantage.ChunkHeader {
			places[i].Score *= headFactor
		}
	}
	slices.SortStableFunc(places, func(a, b pipeline.PlaceEvidence) int { return cmp.Compare(b.Score, a.Score) })
	return nil
}

// fillImplementation makes items of the best places of the files with a chance.
func (p *packer) fillImplementation() error {
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
			facts, err := p.corpus.Facts(c.File)
			if err != nil {
				return err
			}
			for j, chunk := range facts.Chunks {
				places = append(places, pipeline.PlaceEvidence{Chunk: j, Span: chunk.Span, Owner: chunk.Owner, Reason: "named by the caller"})
			}
		}
		if err := p.fillFile(c, places[:min(len(places), maxPlacesOfFile)], alike); err != nil {
			return err
		}
	}
	s := p.slots[agenvantage.SlotImplementation]
	s.coverage = fmt.Sprintf("%d of %d indexed files have votes of %s", len(p.evidence.Files), p.corpus.FileCount(), strings.Join(reported(p.evidence.Reports), ", "))
	if len(p.chances) > 0 {
		c := p.chances[0]
		s.confidence, s.channels = agreementOf(p.evidence.Reports, c.FileEvidence), channelsOf(c.Votes)
	}
	return nil
}

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
		if whole[place.Owner] {
			continue
		}
		if place.Owner >= 0 && isFunctionKind(facts.Symbols[place.Owner].Kind) {
			span := facts.Symbols[place.Owner].Span
			text, span, err := p.textOf(c.File, span)
			if err != nil {
				return err
			}
			if p.shownTokens(text, span) <= wholeTokens {
				place.Span, whole[place.Owner] = span, true
			}
		}
		it, err := p.placeItem(agenvantage.SlotImplementation, c.File, place)
		if err != nil {
			return err
		}
		if it == nil || place.Reason != changedReason && (isScrap(it.text) || insideTests(p.corpus, agenvantage.Node{File: c.File, Symbol: place.Owner}) && !p.asked[roleTest]) {
			continue
		}
		it.gain = c.chance * firstPlace / math.Pow(float64(rank+1), placeDecay)
		if alike > fewAlike {
			it.gain *= alikeFactor
		}
		rank++
		if place.Reason == changedReason {
			it.reason, it.gain = changedReason, changedGain/float64(rank)
		} else if p.seeds[c.File] {
			it.reason = strings.TrimSuffix("given as a seed; "+it.reason, "; ")
		}
		p.items = append(p.items, it)
		if place.Owner >= 0 && !whole[place.Owner] {
			if line := facts.Symbols[place.Owner].NameLine; line < it.span.StartLine {
				it.head = agenvantage.Span{StartLine: line, EndLine: line}
			}
		}
	}
	return nil
}

// Files that differ by digits in their names repeat each other: the first two are shown, the others have to earn it.
const (
	fewAlike    = 2
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

// shownTokens estimates a function without its long comments.
func (p *packer) shownTokens(text string, span agenvantage.Span) (tokens int) {
	if p.task.Kind == agenvantage.TaskExplain {
		return estimate(text)
	}
	lines := strings.Split(text, "\n")
	for _, piece := range withoutLongComments(lines, span.StartLine) {
		tokens += estimate(strings.Join(lines[piece.StartLine-span.StartLine:piece.EndLine-span.StartLine+1], "\n"))
	}
	return tokens
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

// agreementOf is the share of the votes that a file could have had, 0 to 1: the first place in every list that is not empty.
func agreementOf(reports []agenvantage.ChannelReport, f pipeline.FileEvidence) float64 {
	o := pipeline.DefaultEvidenceOptions()
	weight := func(name string) float64 {
		if w, ok := o.Votes[name]; ok {
			return w
		}
		return 1
	}
	most, had := 0.0, 0.0
	for _, r := range reports {
		if r.Hits > 0 {
			most += weight(r.Name) / (o.K + 1)
		}
		if v, ok := f.Votes[r.Name]; ok {
			had += weight(r.Name) / (o.K + float64(v.Rank))
		}
	}
	if most == 0 {
		return 0
	}
	return math.Round(had/most*100) / 100
}

func channelsOf(votes map[string]agenvantage.ChannelRank) []string {
	names := []string{}
	for name := range votes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// reported are the channels that ran.
func reported(reports []agenvantage.ChannelReport) []string {
	names := []string{}
	for _, r := range reports {
		if r.Status != agenvantage.StatusOff {
			names = append(names, r.Name)
		}
	}
	return names
}

// slotResult is what became of a slot.
type slotResult struct {
	plan       agenvantage.SlotPlan
	state      agenvantage.SlotState
	confidence float64
	channels   []string
	coverage   string
	absent     bool // everything that could fill it was looked at
	cost       int
}

func (s *slotResult) slot(name agenvantage.SlotName) agenvantage.Slot {
	if s.channels == nil {
		s.channels = []string{}
	}
	return agenvantage.Slot{Name: name, Required: s.plan.Required, State: s.state, Confidence: s.confidence, Channels: s.channels, Evidence: []string{}, Coverage: s.coverage, NextCost: s.cost}
}
