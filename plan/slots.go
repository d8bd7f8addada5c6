package plan

import (
	"regexp"
	"slices"
	"strings"

	"agenvantage"
)

// slotRow is one slot of a kind of task. Shares are hundredths of the evidence tokens, thresholds hundredths of confidence.
type slotRow struct {
	name      agenvantage.SlotName
	required  bool
	threshold int
	share     int
}

// slotTable says which slots a kind of task has. Requirements, thresholds and shares are judgement about what is read for
// such work, not yet a measurement: the implementation gets the most; a feature looks further for where it joins in and
// for the like of it, a bug for tests and recent changes, a migration for callers and configuration, an incident for
// changes and configuration. Slots that edges, names of files or history fill have no queries. The slot of what nothing
// answers to is a list of names and takes no share. Each kind's shares sum to 100; rows are in the order of
// agenvantage.SlotNames.
var slotTable = map[agenvantage.TaskKind][]slotRow{
	agenvantage.TaskFeature: {
		{agenvantage.SlotImplementation, true, 40, 32}, {agenvantage.SlotData, false, 40, 14}, {agenvantage.SlotSurface, true, 40, 16}, {agenvantage.SlotAnalogous, false, 40, 10},
		{agenvantage.SlotTests, false, 40, 10}, {agenvantage.SlotConfig, false, 40, 6}, {agenvantage.SlotCallers, false, 40, 5}, {agenvantage.SlotConstraints, false, 50, 5},
		{agenvantage.SlotChanges, false, 40, 2}, {agenvantage.SlotUnresolved, false, 0, 0},
	},
	agenvantage.TaskBug: {
		{agenvantage.SlotImplementation, true, 40, 70}, {agenvantage.SlotData, false, 40, 4}, {agenvantage.SlotSurface, false, 40, 2},
		{agenvantage.SlotTests, true, 40, 12}, {agenvantage.SlotConfig, false, 40, 2}, {agenvantage.SlotCallers, false, 40, 4}, {agenvantage.SlotConstraints, false, 50, 2},
		{agenvantage.SlotChanges, false, 40, 4}, {agenvantage.SlotUnresolved, false, 0, 0},
	},
	agenvantage.TaskReview: {
		{agenvantage.SlotImplementation, true, 40, 36}, {agenvantage.SlotData, false, 40, 8}, {agenvantage.SlotAnalogous, false, 40, 6}, {agenvantage.SlotTests, true, 40, 16},
		{agenvantage.SlotConfig, false, 40, 4}, {agenvantage.SlotCallers, true, 40, 18}, {agenvantage.SlotConstraints, false, 50, 8}, {agenvantage.SlotChanges, false, 40, 4},
		{agenvantage.SlotUnresolved, false, 0, 0},
	},
	agenvantage.TaskExplain: {
		{agenvantage.SlotImplementation, true, 40, 52}, {agenvantage.SlotData, false, 40, 16}, {agenvantage.SlotSurface, false, 40, 12}, {agenvantage.SlotTests, false, 40, 4},
		{agenvantage.SlotConfig, false, 40, 6}, {agenvantage.SlotCallers, false, 40, 8}, {agenvantage.SlotChanges, false, 40, 2}, {agenvantage.SlotUnresolved, false, 0, 0},
	},
	agenvantage.TaskMigration: {
		{agenvantage.SlotImplementation, true, 40, 32}, {agenvantage.SlotData, false, 40, 12}, {agenvantage.SlotSurface, false, 40, 4}, {agenvantage.SlotAnalogous, false, 40, 6},
		{agenvantage.SlotTests, false, 40, 12}, {agenvantage.SlotConfig, true, 40, 12}, {agenvantage.SlotCallers, true, 40, 16}, {agenvantage.SlotConstraints, false, 50, 4},
		{agenvantage.SlotChanges, false, 40, 2}, {agenvantage.SlotUnresolved, false, 0, 0},
	},
	agenvantage.TaskIncident: {
		{agenvantage.SlotImplementation, true, 40, 38}, {agenvantage.SlotData, false, 40, 8}, {agenvantage.SlotSurface, false, 40, 8}, {agenvantage.SlotTests, false, 40, 4},
		{agenvantage.SlotConfig, true, 40, 14}, {agenvantage.SlotCallers, false, 40, 10}, {agenvantage.SlotConstraints, false, 50, 2}, {agenvantage.SlotChanges, true, 40, 16},
		{agenvantage.SlotUnresolved, false, 0, 0},
	},
}

// What a migration finds in build files, settings and schemas is versions, dependencies and data (stored). A name that changes, is
// deprecated or becomes another form of code is in none of them (inCode), unless the task says so.
var (
	inCode = phrases(`renam(?:e|es|ing) deprecat(?:e|es|ing) convert(?:s|ing)?`)
	stored = phrases(`upgrad(?:e|es|ed|ing) bump(?:s|ed|ing)? migrat(?:e|es|ed|ing|ions?) switch(?:es|ed|ing)? versions? dependenc(?:y|ies) packages? libraries library schemas?
		databases? tables? columns? config(?:s|uration)? settings? environment build toolchain`)
)

// withoutNeeds drops what a kind of task needs and a task with this title does not: "rename Cart to Basket" needs whoever uses it, and no
// settings.
func withoutNeeds(slots []agenvantage.SlotPlan, kind agenvantage.TaskKind, title string) {
	title = strings.ToLower(title)
	if kind != agenvantage.TaskMigration || !inCode.MatchString(title) || stored.MatchString(title) {
		return
	}
	for i := range slots {
		if s := &slots[i]; s.Name == agenvantage.SlotConfig {
			s.Required = false
		}
	}
}

// renamedTo is what stands between the word for renaming and the name that does not exist yet. A dot inside a name ends no sentence.
const renamedTo = `(?i)\brenam(?:e|es|ing)\b(?:[^\n.;]|\.[^\s.;]){0,120}\b(?:to|into|as)[ \t]+["'` + "`" + `]?`

// IsNewName reports whether a task gives something the name: nothing has it before "rename Cart to Basket" is done.
func IsNewName(task, name string) bool {
	return regexp.MustCompile(renamedTo + regexp.QuoteMeta(name) + `(?:[^\pL\pN_]|$)`).MatchString(task)
}

// SurfaceWords ask for what a task is seen or reached by; the surface of a service has no views.
const SurfaceWords = "view route component page render command"

// roleWords are joined to the subjects of a task to find what plays a role for them. Config also looks for migrations
// and styles, which are no code that anything calls.
var roleWords = map[agenvantage.SlotName]string{
	agenvantage.SlotData:    "model type schema store",
	agenvantage.SlotSurface: SurfaceWords,
	agenvantage.SlotTests:   "test",
	agenvantage.SlotConfig:  "config settings migration style",
}

const (
	maxSubjects    = 3 // concepts and names that queries are made of
	maxSlotQueries = 6
)

// SlotsFor returns the slots of a kind of task, in the order of agenvantage.SlotNames, with the questions that its anchors
// and concepts give: at most 6 a slot, in order of importance, without repeats. An unknown kind is a feature. It is pure.
//
// The implementation is asked for by the names of the anchors; a task without any is vague, and pairs of its concepts, then
// each alone, stand in. The whole text is not among the arguments: ReadTask puts it before them. Callers, changes,
// constraints and unresolved have no questions; neither has any slot of a task that names nothing.
func SlotsFor(kind agenvantage.TaskKind, anchors []agenvantage.Anchor, concepts []agenvantage.Concept) []agenvantage.SlotPlan {
	rows, ok := slotTable[kind]
	if !ok {
		rows = slotTable[agenvantage.TaskFeature]
	}
	var out []agenvantage.SlotPlan
	for _, r := range rows {
		out = append(out, agenvantage.SlotPlan{Name: r.name, Required: r.required, Queries: slotQueries(r.name, anchors, concepts),
			Threshold: float64(r.threshold) / 100, Share: float64(r.share) / 100})
	}
	return out
}

func slotQueries(slot agenvantage.SlotName, anchors []agenvantage.Anchor, concepts []agenvantage.Concept) []string {
	b := newBag(maxSlotQueries)
	switch slot {
	case agenvantage.SlotImplementation:
		names := anchorTexts(anchors, agenvantage.AnchorIdentifier, agenvantage.AnchorRoute, agenvantage.AnchorString)
		for _, n := range names[:min(len(names), maxSubjects)] {
			b.add(n)
		}
		if len(anchors) == 0 {
			combine(b, concepts)
		}
	case agenvantage.SlotAnalogous:
		for _, c := range concepts[:min(len(concepts), maxSubjects)] {
			if _, general, ok := strings.Cut(c.Text, " "); ok { // "reading streak" of "weekly reading streak": the like of it
				b.add(general)
			}
		}
	case agenvantage.SlotData, agenvantage.SlotSurface, agenvantage.SlotTests, agenvantage.SlotConfig:
		for _, n := range roleAnchors(slot, anchors) {
			b.add(n)
		}
		for _, s := range subjects(anchors, concepts) {
			b.add(s + " " + roleWords[slot])
		}
	}
	return b.list
}

// roleAnchors are anchors that name something of a slot's role: at most 3.
func roleAnchors(slot agenvantage.SlotName, anchors []agenvantage.Anchor) []string {
	var list []string
	switch slot {
	case agenvantage.SlotSurface:
		list = anchorTexts(anchors, agenvantage.AnchorRoute)
	case agenvantage.SlotTests:
		list = anchorTexts(anchors, agenvantage.AnchorTest)
	case agenvantage.SlotConfig:
		list = anchorTexts(anchors, agenvantage.AnchorConfigKey)
	}
	return list[:min(len(list), maxSubjects)]
}

// anchorTexts are the texts of the anchors of some kinds, in order.
func anchorTexts(anchors []agenvantage.Anchor, kinds ...agenvantage.AnchorKind) []string {
	var out []string
	for _, a := range anchors {
		if slices.Contains(kinds, a.Kind) {
			out = append(out, a.Text)
		}
	}
	return out
}

// subjects are what the queries of roles speak of: the first concepts, and names where there are fewer of those.
func subjects(anchors []agenvantage.Anchor, concepts []agenvantage.Concept) []string {
	b := newBag(maxSubjects)
	for _, c := range concepts {
		b.add(c.Text)
	}
	for _, n := range anchorTexts(anchors, agenvantage.AnchorIdentifier) {
		b.add(n)
	}
	for _, p := range anchorTexts(anchors, agenvantage.AnchorFrame, agenvantage.AnchorPath) {
		base := p[strings.LastIndexByte(strings.TrimRight(p, "/"), '/')+1:]
		name, _, _ := strings.Cut(strings.Trim(base, "./"), ".")
		b.add(name)
	}
	return b.list
}

// combine adds pairs of the first concepts, then each alone: what a vague task means is where two of its things meet.
func combine(b *bag, concepts []agenvantage.Concept) {
	concepts = concepts[:min(len(concepts), maxSubjects)]
	for i := range concepts {
		for j := i + 1; j < len(concepts); j++ {
			b.add(concepts[i].Text + " " + concepts[j].Text)
		}
	}
	for _, c := range concepts {
		b.add(c.Text)
	}
}
