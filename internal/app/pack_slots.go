package app

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/channels"
	"agenvantage/pack/repomap"
	"agenvantage/pipeline"
	"agenvantage/plan"
)

// fillSlots finds what could fill each slot of the task, in an order in which later ones build on earlier ones.
func (p *packer) fillSlots() error {
	var err error
	if p.anchors, err = p.anchorDefinitions(); err != nil {
		return err
	}
	if err := p.rankChances(); err != nil {
		return err
	}
	for _, step := range []struct {
		slot agenvantage.SlotName
		fill func() error
	}{
		{agenvantage.SlotImplementation, p.fillImplementation}, {agenvantage.SlotTests, p.fillTests},
		{agenvantage.SlotData, func() error { return p.fillByWords(agenvantage.SlotData) }},
		{agenvantage.SlotSurface, func() error { return p.fillByWords(agenvantage.SlotSurface) }},
		{agenvantage.SlotConfig, func() error { return p.fillByWords(agenvantage.SlotConfig) }},
		{agenvantage.SlotAnalogous, func() error { return p.fillByWords(agenvantage.SlotAnalogous) }},
		{agenvantage.SlotCallers, p.fillCallers}, {agenvantage.SlotConstraints, p.fillConstraints},
		{agenvantage.SlotChanges, p.fillChanges}, {agenvantage.SlotUnresolved, p.fillUnresolved},
	} {
		if p.slots[step.slot] == nil {
			continue
		}
		if err := step.fill(); err != nil {
			return err
		}
	}
	return nil
}

// maxTestFiles bounds the tests that a pack shows or names.
const maxTestFiles = 10

// testLines is how much is shown of the first, the second and each further test file: what the tests look like is needed once,
// then where they are.
func testLines(rank int) int {
	switch rank {
	case 0:
		return 24
	case 1:
		return 12
	}
	return 1
}

// fillTests ranks test files by the channels' votes, by edges to the files with a chance, and by their names, as three lists
// of equal weight; a file's best place is its item.
func (p *packer) fillTests() error {
	s, facts := p.slots[agenvantage.SlotTests], p.corpus.packFacts()
	tests, byName := facts.tests, facts.byName
	s.coverage = fmt.Sprintf("%d of %d indexed files are tests", tests, p.corpus.FileCount())
	if tests == 0 {
		s.absent = true
		return nil
	}
	score, why := map[uint32]float64{}, map[uint32][]string{}
	add := func(f uint32, v float64, reason string) {
		score[f] += v
		if !slices.Contains(why[f], reason) {
			why[f] = append(why[f], reason)
		}
	}
	voted := 0
	for _, f := range p.evidence.Files {
		if p.corpus.roleOf(f.File) == roleTest {
			add(f.File, 1/float64(testListK+voted), "votes for the task")
			voted++
		}
	}
	for f, weight := range p.testEdges() {
		add(f, weight, "uses what may change")
	}
	changed, err := p.testsChangedWith()
	if err != nil {
		return err
	}
	for f, weight := range changed {
		add(f, weight, "changed with what may change")
	}
	for rank, c := range p.chances[:min(len(p.chances), maxTestedFiles)] {
		for _, name := range testBaseNames(p.corpus.Path(c.File)) {
			for _, f := range byName[name] {
				near := 1.0
				if !sharesFolder(p.corpus.Path(f), p.corpus.Path(c.File)) {
					near = 0.5
				}
				add(f, 2*near/float64(testListK+2*rank), "named after "+p.corpus.Path(c.File))
			}
		}
	}
	ranked := slices.Collect(maps.Keys(score))
	slices.SortFunc(ranked, func(a, b uint32) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	ranked = ranked[:min(len(ranked), maxTestFiles)]
	places, err := p.evidence.Places(p.ctx, ranked)
	if err != nil {
		return err
	}
	for rank, f := range ranked {
		it, err := p.testItem(f, places[f], testLines(rank))
		if err != nil {
			return err
		}
		if it == nil {
			continue
		}
		it.reason = strings.Join(why[f], "; ")
		it.gain = score[f] / float64(rank+1)
		it.channels = channelsOf(p.votesOf(f))
		p.items = append(p.items, it)
	}
	if len(ranked) > 0 {
		s.confidence = math.Round(min(1, score[ranked[0]]*testListK/4)*100) / 100
		s.channels = channelsOf(p.votesOf(ranked[0]))
	}
	return nil
}

const (
	testListK      = 4
	maxTestedFiles = 6
	maxCochanges   = 60 // commits of a file that are looked at, newest first
	maxCommitFiles = 20 // of a commit that says what goes together
)

// testsChangedWith weighs the test files by the commits in which they changed together with the files with a chance. Without a
// history there are none.
func (p *packer) testsChangedWith() (map[uint32]float64, error) {
	weights := map[uint32]float64{}
	history, err := p.corpus.past.History(p.ctx)
	if errors.Is(err, channels.ErrNoHistory) {
		return weights, nil
	}
	if err != nil {
		return nil, err
	}
	for _, c := range p.chances[:min(len(p.chances), maxTestedFiles)] {
		together := map[uint32]int{}
		touching := history.Touching(c.File)
		for _, commit := range touching[:min(len(touching), maxCochanges)] {
			_, _, changed, files := history.Commit(commit)
			if changed > maxCommitFiles {
				continue
			}
			for _, f := range files {
				if p.corpus.roleOf(f) == roleTest {
					together[f]++
				}
			}
		}
		tests := slices.Collect(maps.Keys(together))
		slices.SortFunc(tests, func(a, b uint32) int { return cmp.Or(cmp.Compare(together[b], together[a]), cmp.Compare(a, b)) })
		for rank, f := range tests {
			weights[f] = max(weights[f], math.Sqrt(c.chance)/float64(testListK+rank))
		}
	}
	return weights, nil
}

// testItem is the best place of a test file: a few lines from its start, or the line that declares it.
func (p *packer) testItem(f uint32, places []pipeline.PlaceEvidence, lines int) (*packItem, error) {
	facts, err := p.corpus.Facts(f)
	if err != nil || len(facts.Chunks) == 0 {
		return nil, err
	}
	place := pipeline.PlaceEvidence{Span: facts.Chunks[0].Span, Owner: facts.Chunks[0].Owner}
	if i := slices.IndexFunc(places, func(p pipeline.PlaceEvidence) bool { return facts.Chunks[p.Chunk].Kind != agenvantage.ChunkHeader }); i >= 0 {
		place = places[i]
	} else if i := slices.IndexFunc(facts.Chunks, func(c agenvantage.Chunk) bool {
		return c.Kind == agenvantage.KindFunction || c.Kind == agenvantage.KindMethod
	}); i >= 0 {
		place = pipeline.PlaceEvidence{Chunk: i, Span: facts.Chunks[i].Span, Owner: facts.Chunks[i].Owner}
	}
	if chunk := facts.Chunks[place.Chunk]; place.Owner < 0 && len(chunk.Symbols) > 0 {
		place.Owner = chunk.Symbols[0]
	}
	if lines == 1 && place.Owner >= 0 {
		place.Span.StartLine = facts.Symbols[place.Owner].NameLine
	}
	place.Span.EndLine = max(place.Span.StartLine, min(place.Span.EndLine, place.Span.StartLine+lines-1))
	return p.placeItem(agenvantage.SlotTests, f, place)
}

// votesOf are the votes for a file, nil for none.
func (p *packer) votesOf(f uint32) map[string]agenvantage.ChannelRank {
	for i := range p.evidence.Files {
		if p.evidence.Files[i].File == f {
			return p.evidence.Files[i].Votes
		}
	}
	return nil
}

// testEdges weighs the test files by their edges to the files with a chance.
func (p *packer) testEdges() map[uint32]float64 {
	weights := map[uint32]float64{}
	if p.links == nil {
		return weights
	}
	for _, c := range p.chances[:min(len(p.chances), maxTestedFiles)] {
		uses := map[uint32]int{}
		for symbol := -1; symbol < p.corpus.SymbolCount(c.File); symbol++ {
			for _, e := range p.links.In(agenvantage.Node{File: c.File, Symbol: symbol}) {
				if e.From.File != c.File && e.Kind != agenvantage.EdgeDefines {
					uses[e.From.File]++
				}
			}
		}
		users := slices.Collect(maps.Keys(uses))
		slices.SortFunc(users, func(a, b uint32) int { return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(a, b)) })
		rank := 0
		for _, f := range users {
			if p.corpus.roleOf(f) == roleTest {
				weights[f] = max(weights[f], math.Sqrt(c.chance)/float64(testListK+rank))
				rank++
			}
		}
	}
	return weights
}

// sharesFolder reports whether two paths have a folder name in common besides those of tests and sources.
func sharesFolder(a, b string) bool {
	in := map[string]bool{}
	for dir := range strings.SplitSeq(path.Dir(a), "/") {
		in[dir] = true
	}
	for dir := range strings.SplitSeq(path.Dir(b), "/") {
		if in[dir] && dir != "src" && dir != "lib" && dir != "test" && dir != "tests" {
			return true
		}
	}
	return path.Dir(a) == path.Dir(b)
}

// fillByWords fills a slot by its own questions, among the files whose paths or definitions play its role.
func (p *packer) fillByWords(name agenvantage.SlotName) error {
	s := p.slots[name]
	if p.request.OneRound || len(s.plan.Queries) == 0 {
		s.coverage = "not looked for"
		return nil
	}
	taken := map[uint32]bool{}
	for _, c := range p.chances[:min(len(p.chances), 3)] {
		taken[c.File] = true
	}
	score := map[uint32]float64{}
	var first *pipeline.Evidence
	for _, text := range s.plan.Queries[:min(len(s.plan.Queries), maxSlotQuestions)] {
		e, err := p.ask(text)
		if err != nil {
			return err
		}
		if first == nil {
			first = e
		}
		for _, f := range e.Files[:min(len(e.Files), 100)] {
			score[f.File] += f.Score * p.roleFactor(name, f.File)
		}
	}
	s.coverage = fmt.Sprintf("%d files asked with %d questions", len(score), min(len(s.plan.Queries), maxSlotQuestions))
	ranked := slices.Collect(maps.Keys(score))
	ranked = slices.DeleteFunc(ranked, func(f uint32) bool { return score[f] == 0 })
	slices.SortFunc(ranked, func(a, b uint32) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	ranked = ranked[:min(len(ranked), maxSlotFiles)]
	places, err := first.Places(p.ctx, ranked)
	if err != nil {
		return err
	}
	for rank, f := range ranked {
		for i, place := range places[f][:min(len(places[f]), 2)] {
			it, err := p.placeItem(name, f, place)
			if err != nil {
				return err
			}
			if it == nil {
				continue
			}
			it.gain = score[f] / float64((rank+1)*(i+1))
			p.items = append(p.items, it)
		}
	}
	if len(ranked) > 0 {
		for _, f := range first.Files {
			if f.File == ranked[0] {
				s.confidence, s.channels = agreementOf(first.Reports, f), channelsOf(f.Votes)
			}
		}
		for f := range taken { // what is shown as the implementation may fill the role as well
			if p.roleFactor(name, f) == 1 {
				s.confidence = max(s.confidence, 0.5)
			}
		}
	}
	return nil
}

const (
	maxSlotQuestions = 2
	maxSlotFiles     = 4
)

// roleFactor says how far a file fits a slot by its path and role.
func (p *packer) roleFactor(name agenvantage.SlotName, f uint32) float64 {
	info := p.corpus.File(f)
	role := p.corpus.roleOf(f)
	words := slotWords[name]
	switch {
	case role == roleTest || role == roleDocument || role == roleMachine || role == roleExample || strings.HasPrefix(info.Path, "."):
		return 0
	case words == nil: // analogous: any code
		if role == roleCode {
			return 1
		}
		return 0
	case name == agenvantage.SlotConfig && styleSheet.MatchString(strings.ToLower(info.Path)) && len(p.chances) > 0 && userInterface.MatchString(p.corpus.Path(p.chances[0].File)):
		return 3
	case words.MatchString(info.Path):
		return 1
	case name == agenvantage.SlotConfig:
		if role == roleConfig {
			return 0.5
		}
		return 0
	case role == roleConfig:
		return 0
	}
	return 0.3
}

// ask puts another question to the channels of words.
func (p *packer) ask(text string) (*pipeline.Evidence, error) {
	query, err := plan.Parse(text, plan.ParseOptions{})
	if err != nil {
		return nil, err
	}
	o := pipeline.DefaultEvidenceOptions()
	o.Run.Timeout, o.Limit = p.app.config.Search.ChannelTimeout, 200
	return pipeline.Gather(p.ctx, p.corpus, query, p.lexical(), o)
}

// Bounds of the callers that a pack looks for.
const (
	maxSubjects     = 3
	maxCallers      = 6
	linesAroundCall = 3
)

// fillCallers shows who calls the symbols that are most likely to change, from other files.
func (p *packer) fillCallers() error {
	s := p.slots[agenvantage.SlotCallers]
	if p.links == nil {
		s.coverage = "the graph could not be read"
		return nil
	}
	asked, sites := 0, 0
	for _, a := range p.anchors {
		asked++
		n, err := p.callersOf(fileChance{FileEvidence: pipeline.FileEvidence{File: a.node.File}, chance: 1}, a.node.Symbol)
		if err != nil {
			return err
		}
		sites += n
	}
	for _, c := range p.chances[:min(len(p.chances), 2)] {
		facts, err := p.corpus.Facts(c.File)
		if err != nil {
			return err
		}
		places := p.changedFirst(c.File, facts, c.places)
		for _, symbol := range p.subjects(c.File, facts, places) {
			asked++
			n, err := p.callersOf(c, symbol)
			if err != nil {
				return err
			}
			sites += n
		}
	}
	s.coverage = fmt.Sprintf("%d call sites of %d symbols in the graph", sites, asked)
	return nil
}

// subjects are the symbols of a file whose callers are asked for: those that the diff changes, else those of its best places.
func (p *packer) subjects(file uint32, facts *agenvantage.Extraction, places []pipeline.PlaceEvidence) (symbols []int) {
	add := func(symbol int) {
		if symbol >= 0 && len(symbols) < maxSubjects && !slices.Contains(symbols, symbol) {
			symbols = append(symbols, symbol)
		}
	}
	for i, s := range facts.Symbols {
		if isFunctionKind(s.Kind) && slices.ContainsFunc(p.changed[file], func(c agenvantage.Span) bool { return overlapsChange(s.Span, c) }) {
			add(i)
		}
	}
	for _, place := range places {
		owner := place.Owner
		if in := facts.Chunks[place.Chunk].Symbols; owner < 0 && len(in) > 0 {
			owner = in[0]
		}
		add(owner)
	}
	return symbols
}

func (p *packer) callersOf(c fileChance, symbol int) (int, error) {
	facts, err := p.corpus.Facts(c.File)
	if err != nil {
		return 0, err
	}
	edges := slices.DeleteFunc(slices.Clone(p.links.In(agenvantage.Node{File: c.File, Symbol: symbol})), func(e agenvantage.Edge) bool {
		role := p.corpus.roleOf(e.From.File)
		return e.Kind != agenvantage.EdgeCalls && e.Kind != agenvantage.EdgeImplements && e.Kind != agenvantage.EdgeInherits || role != roleCode || e.Line == 0 || e.From.File == c.File && (!p.isAnchor(c.File, symbol) || facts.Symbols[symbol].Span.HasLine(e.Line))
	})
	slices.SortStableFunc(edges, func(a, b agenvantage.Edge) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.From.File, b.From.File), cmp.Compare(a.Line, b.Line))
	})
	for rank, e := range edges[:min(len(edges), maxCallers)] {
		it, err := p.item(agenvantage.SlotCallers, e.From.File, agenvantage.Span{StartLine: e.Line - linesAroundCall, EndLine: e.Line + linesAroundCall}, e.From.Symbol)
		if err != nil {
			return 0, err
		}
		if it == nil {
			continue
		}
		it.channels = []string{channels.GraphName}
		it.reason = fmt.Sprintf("%s %s (%s)", e.Kind, facts.Symbols[symbol].Qualified, e.Confidence)
		it.gain = c.chance / float64(rank+2)
		p.items = append(p.items, it)
		s := p.slots[agenvantage.SlotCallers]
		s.channels = it.channels
		s.confidence = max(s.confidence, map[agenvantage.Confidence]float64{agenvantage.ByName: 0.4, agenvantage.ByUnique: 0.7}[e.Confidence])
		if e.Confidence == agenvantage.ByScope {
			s.confidence = 0.9
		}
	}
	return len(edges), nil
}

func (p *packer) isAnchor(file uint32, symbol int) bool {
	return slices.ContainsFunc(p.anchors, func(a anchored) bool { return a.node == agenvantage.Node{File: file, Symbol: symbol} })
}

// maxInstructionLines is how much of an instruction file is shown.
const maxInstructionLines = 60

// fillConstraints shows the instruction files that hold for the files with a chance.
func (p *packer) fillConstraints() error {
	s, seen := p.slots[agenvantage.SlotConstraints], 0
	for _, f := range p.corpus.packFacts().instructions {
		at := p.corpus.Path(f)
		seen++
		if dir := path.Dir(at); dir != "." && !contributing.MatchString(at) && !strings.HasPrefix(at, ".") && !p.holdsChance(dir) {
			continue
		}
		it, err := p.item(agenvantage.SlotConstraints, f, agenvantage.Span{StartLine: 1, EndLine: maxInstructionLines}, -1)
		if err != nil {
			return err
		}
		if it == nil {
			continue
		}
		it.kind, it.reason, it.gain = agenvantage.BlockInstruction, "instructions for "+folderName(path.Dir(at)), 1
		if contributing.MatchString(at) { // long, and mostly about how to send a change: its place is named
			it.kind, it.reason, it.gain = agenvantage.BlockDocument, "how to contribute", 0.01
		}
		p.items = append(p.items, it)
		s.confidence = max(s.confidence, it.gain)
	}
	s.coverage = fmt.Sprintf("%d instruction files among %d indexed files", seen, p.corpus.FileCount())
	s.absent = seen == 0
	return nil
}

func folderName(dir string) string {
	if dir == "." {
		return "the repository"
	}
	return dir
}

func (p *packer) holdsChance(dir string) bool {
	return slices.ContainsFunc(p.chances, func(c fileChance) bool { return strings.HasPrefix(p.corpus.Path(c.File), dir+"/") })
}

// maxShownCommits bounds the commits of a pack.
const maxShownCommits = 4

// fillChanges lists the newest commits that touched the files with the best chances.
func (p *packer) fillChanges() error {
	s := p.slots[agenvantage.SlotChanges]
	history, err := p.corpus.past.History(p.ctx)
	if errors.Is(err, channels.ErrNoHistory) {
		s.coverage, s.absent = err.Error(), true
		return nil
	}
	if err != nil {
		return err
	}
	var b strings.Builder
	told, shown := map[uint32]bool{}, 0
	for _, c := range p.chances[:min(len(p.chances), 3)] {
		for i, commit := range history.Touching(c.File) {
			if i == 2 || shown == maxShownCommits {
				break
			}
			if told[commit] {
				continue
			}
			told[commit] = true
			subject, err := history.Subject(commit)
			if err != nil {
				return err
			}
			committed, _, changed, _ := history.Commit(commit)
			fmt.Fprintf(&b, "%s %s %s (%s; %s)\n", history.ShortID(commit), time.Unix(committed, 0).UTC().Format(time.DateOnly), clipped(subject, 80), repomap.OneLine(p.corpus.Path(c.File), maxShownPath), plural(changed, "file", "files"))
			shown++
		}
	}
	covered, why := history.Covered()
	s.coverage = fmt.Sprintf("%d commits, %.0f%% of the history", history.CommitCount(), covered*100)
	if why != "" && covered < 1 {
		s.coverage += ": " + why
	}
	s.absent = shown == 0 && covered == 1
	if shown == 0 {
		return nil
	}
	s.confidence, s.channels = math.Round(covered*100)/100, []string{provenanceChannel}
	text := strings.TrimSuffix(b.String(), "\n")
	p.items = append(p.items, &packItem{slot: agenvantage.SlotChanges, kind: agenvantage.BlockHistory, text: text, reason: "newest commits of the files above", tokens: estimate(text), gain: 0.5, outcome: OutcomeDropped,
		channels: s.channels})
	return nil
}

func clipped(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// fillUnresolved lists what the task names and nothing in the repository answers to.
func (p *packer) fillUnresolved() error {
	s := p.slots[agenvantage.SlotUnresolved]
	var lacking []string
	for _, a := range p.task.Anchors {
		found, err := p.anchorFound(a)
		if err != nil {
			return err
		}
		p.signs.Anchors++
		if found {
			p.signs.AnchorsFound++
		} else {
			lacking = append(lacking, fmt.Sprintf("%s %s is in no indexed file", strings.ReplaceAll(string(a.Kind), "_", " "), quoteShort(p.asWritten(a))))
		}
	}
	for _, c := range p.task.Concepts {
		var absent []string
		for _, term := range c.Terms {
			n := 0
			for _, field := range []string{channels.FieldBody, channels.FieldPath, channels.FieldDoc, channels.FieldSymbol} {
				if err := p.corpus.Postings(field, term, func(uint32, int, int) { n++ }); err != nil {
					return err
				}
			}
			if n == 0 {
				absent = append(absent, term)
			}
		}
		p.signs.Concepts++
		if len(absent) == len(c.Terms) {
			p.signs.ConceptsLacking++
		}
		if len(absent) == 0 {
			p.signs.ConceptsFound++
		} else {
			lacking = append(lacking, fmt.Sprintf("concept %s: no indexed file holds %s", quoteShort(c.Text), strings.Join(absent, ", ")))
		}
	}
	s.absent = len(lacking) == 0
	s.coverage = fmt.Sprintf("%d of %d names and %d of %d concepts are in indexed files", p.signs.AnchorsFound, p.signs.Anchors, p.signs.ConceptsFound, p.signs.Concepts)
	p.missing = append(p.missing, lacking[:min(len(lacking), maxLacking)]...)
	return nil
}

const maxLacking = 8

// asWritten is the text of an anchor in the task; of a key with the value that the task gives it.
func (p *packer) asWritten(a agenvantage.Anchor) string {
	if a.Kind != agenvantage.AnchorConfigKey {
		return a.Text
	}
	given := regexp.MustCompile(regexp.QuoteMeta(a.Text) + `[ \t]*[=:][ \t]*[^\s,;]+`)
	if s := given.FindString(p.task.Text); s != "" {
		return s
	}
	return a.Text
}

func quoteShort(s string) string { return `"` + clipped(s, 60) + `"` }

// anchorFound reports whether an anchor is in the index.
func (p *packer) anchorFound(a agenvantage.Anchor) (bool, error) {
	switch a.Kind {
	case agenvantage.AnchorPath, agenvantage.AnchorFrame:
		if cleanPath(a.Text) == "." {
			return true, nil
		}
		want := "/" + strings.TrimPrefix(a.Text, "/")
		for f := range uint32(p.corpus.FileCount()) {
			have := "/" + p.corpus.Path(f)
			if strings.HasPrefix(have, strings.TrimSuffix(want, "/")+"/") || strings.HasSuffix(have, want) || strings.HasSuffix(want, have) {
				return true, nil
			}
		}
		return false, nil
	case agenvantage.AnchorString, agenvantage.AnchorRoute:
		return p.wordsFound(a.Text)
	}
	nodes, err := p.definitionsOf(a.Text)
	if err != nil || len(nodes) > 0 {
		return len(nodes) > 0, err
	}
	return p.nameFound(a.Text)
}

// nameFound reports whether a name that has no definition stands in a text as a whole.
func (p *packer) nameFound(name string) (bool, error) {
	found := false
	parts := splitName(name)
	for _, f := range p.evidence.Files[:min(len(p.evidence.Files), 50)] {
		text, err := p.corpus.Text(f.File)
		if err != nil {
			return false, err
		}
		if strings.Contains(text, name) || len(parts) == 1 && strings.Contains(text, parts[0]) {
			found = true
			break
		}
	}
	return found, nil
}

// wordsFound reports whether one chunk holds all words of a text.
func (p *packer) wordsFound(text string) (bool, error) {
	in := map[uint32]int{}
	words := analysis.QueryTerms(text)
	for _, w := range words {
		if w.Part {
			continue
		}
		if err := p.corpus.Postings(channels.FieldBody, w.Text, func(doc uint32, _, _ int) { in[doc]++ }); err != nil {
			return false, err
		}
	}
	whole := 0
	for _, w := range words {
		if !w.Part {
			whole++
		}
	}
	for _, n := range in {
		if n == whole {
			return true, nil
		}
	}
	return whole == 0, nil
}
