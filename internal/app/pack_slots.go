package app

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/pipeline"
	"agenvantage/plan"
)

// fillSlots finds what could fill each slot of the task, in an order in which later ones build on earlier ones.
func (p *packer) fillSlots() error {
	err := p.readPointed()
	if err != nil {
		return err
	}
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
		if name == agenvantage.SlotSurface && p.aboutService() {
			text = strings.Replace(text, plan.SurfaceWords, serviceWords, 1)
		}
		e, err := p.ask(text)
		if err != nil {
			return err
		}
		if first == nil {
			first = e
		}
		for _, f := range e.Files[:min(len(e.Files), 100)] {
			factor := p.roleFactor(name, f.File)
			if name == agenvantage.SlotData && factor > 0 && factor < 1 && userInterface.MatchString(p.corpus.Path(f.File)) {
				if keeps, err := p.keepsState(f.File); err != nil {
					return err
				} else if !keeps {
					continue
				}
			}
			score[f.File] += f.Score * factor
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
		if name != agenvantage.SlotData { // types are told by their comments
			if err := p.commentsLast(f, places[f]); err != nil {
				return err
			}
		}
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
	s.absent = name == agenvantage.SlotConfig && len(ranked) == 0 && !p.anyFits(name)
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

// anyFits reports whether a file of the tree could fill a slot at all.
func (p *packer) anyFits(name agenvantage.SlotName) bool {
	for f := range uint32(p.corpus.FileCount()) {
		if p.roleFactor(name, f) > 0 {
			return true
		}
	}
	return false
}

// roleFactor says how far a file fits a slot by its path and role.
func (p *packer) roleFactor(name agenvantage.SlotName, f uint32) float64 {
	info := p.corpus.File(f)
	role := p.corpus.roleOf(f)
	words := slotWords[name]
	switch {
	case role == roleTest || role == roleDocument || role == roleMachine || role == roleExample || strings.HasPrefix(info.Path, "."):
		return 0
	case name == agenvantage.SlotData && markup.MatchString(info.Path): // a page says where state is shown and holds none
		return 0
	case name == agenvantage.SlotSurface && p.aboutService():
		return serviceFactor(info.Path)
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

// sharedState makes or declares state that several views share.
var sharedState = regexp.MustCompile(`\b(createContext|createStore|configureStore|createSlice|combineReducers|useReducer|defineStore|makeAutoObservable|proxy|writable|BehaviorSubject|interface|enum|class [A-Z]\w*(Store|State|Model))\b`)

// keepsState reports whether a source of views holds state beside what it shows: that of a menu which is open or closed is none.
func (p *packer) keepsState(file uint32) (bool, error) {
	lines, err := p.linesOf(file)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(lines, sharedState.MatchString), nil
}

// aboutService reports whether what a short task is about is reached by a call rather than seen: none of its most likely files is a source
// of what is seen. For long texts the surface of services was refused: ready is said of 0.599 of the full packs of 181 tasks for 0.611.
func (p *packer) aboutService() bool {
	return !p.long() && !slices.ContainsFunc(p.chances[:min(len(p.chances), viewFiles)], func(c fileChance) bool { return userInterface.MatchString(p.corpus.Path(c.File)) })
}

// viewFiles is the number of likely files that tell whether a task is about a service.
const viewFiles = 10

// serviceWords ask for the surface of a service, a library or a program: what is called from outside.
const serviceWords = "route handler endpoint api command"

// serviceFactor says how far a path fits the surface of what has no views. What renders views there is another matter.
func serviceFactor(path string) float64 {
	switch {
	case viewLayer.MatchString(path):
		return 0
	case serviceSurface.MatchString(path):
		return 1
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
