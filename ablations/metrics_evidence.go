package ablations

import (
	"math"

	"agenvantage"
)

// An agent reads units in order until the budget is spent. The unit that crosses it shows its first lines, as many as the
// rest of the budget is of the unit's tokens, rounded down; nothing comes after it.

// lane is a set of lines of a file and how much of it was shown so far.
type lane struct {
	wanted []agenvantage.Span // sorted, disjoint
	whole  bool               // every line is wanted
	seen   []agenvantage.Span // disjoint, in the order of showing
}

// show adds what of s is wanted and was not seen before to fresh.
func (l *lane) show(s agenvantage.Span, fresh []agenvantage.Span) []agenvantage.Span {
	from := len(fresh)
	if l.whole {
		fresh = appendUnseen(fresh, s, l.seen)
	} else {
		for _, w := range l.wanted {
			if part := overlapOf(w, s); spanLines(part) > 0 {
				fresh = appendUnseen(fresh, part, l.seen)
			}
		}
	}
	l.seen = append(l.seen, fresh[from:]...)
	return fresh
}

// appendUnseen adds the parts of s that no span of seen has.
func appendUnseen(list []agenvantage.Span, s agenvantage.Span, seen []agenvantage.Span) []agenvantage.Span {
	for i, old := range seen {
		if !s.Overlaps(old) {
			continue
		}
		if before := (agenvantage.Span{StartLine: s.StartLine, EndLine: old.StartLine - 1}); spanLines(before) > 0 {
			list = appendUnseen(list, before, seen[i+1:])
		}
		if s.StartLine = old.EndLine + 1; spanLines(s) == 0 {
			return list
		}
	}
	return append(list, s)
}

// track counts distinct lines of a set as unit after unit is read.
type track struct {
	fresh  [][]agenvantage.Span // by unit: what it shows and no unit before it does
	before []int                // by unit: lines shown by those before it; one more entry for all
}

// trackLines reads the units of m. lanes gives the lanes of each of m.paths; a lane may be that of several paths.
func trackLines(m *matched, lanes [][]*lane) track {
	t := track{fresh: make([][]agenvantage.Span, len(m.units)), before: make([]int, len(m.units)+1)}
	for i, u := range m.units {
		for _, l := range lanes[m.pathOf[i]] {
			t.fresh[i] = l.show(unitSpan(u), t.fresh[i])
		}
		t.before[i+1] = t.before[i] + countLines(t.fresh[i])
	}
	return t
}

// shown counts the lines within the cut.
func (t track) shown(c budgetCut) int {
	n := t.before[c.full]
	if c.lines > 0 {
		for _, s := range t.fresh[c.full] {
			n += spanLines(overlapOf(s, c.part))
		}
	}
	return n
}

// lanesByFile has a lane for each file of the list, whichever of m.paths is that file.
func lanesByFile(m *matched, files []goldFile) [][]*lane {
	lanes := make([][]*lane, len(m.paths))
	for _, f := range files {
		l := &lane{wanted: f.lines, whole: f.whole}
		for p, same := range m.same(f.path) {
			if same {
				lanes[p] = append(lanes[p], l)
			}
		}
	}
	return lanes
}

// lanesByPath has a lane for each of m.paths with the lines that any of the groups wants of it. Without groups every line
// is wanted.
func lanesByPath(m *matched, groups ...[]goldFile) [][]*lane {
	lanes := make([][]*lane, len(m.paths))
	for p := range lanes {
		l := &lane{whole: len(groups) == 0}
		for _, files := range groups {
			for _, f := range files {
				if m.same(f.path)[p] {
					l.wanted = append(l.wanted, f.lines...)
					l.whole = l.whole || f.whole
				}
			}
		}
		l.wanted = mergeSpans(l.wanted)
		lanes[p] = []*lane{l}
	}
	return lanes
}

// budgetCut is where a budget ends in a list of units.
type budgetCut struct {
	full  int              // units shown whole
	lines int              // lines shown of the unit after them
	part  agenvantage.Span // those lines
	used  int              // tokens spent
	rest  int              // tokens of used that went to the unit after the whole ones
}

// cutAt finds the end of a budget in tokens.
func cutAt(units []Unit, budget int) (c budgetCut) {
	for _, u := range units {
		tokens := max(0, u.Tokens)
		if c.used+tokens <= budget {
			c.used += tokens
			c.full++
			continue
		}
		span := unitSpan(u)
		c.rest = max(0, budget-c.used)
		c.lines = spanLines(span) * c.rest / max(1, tokens)
		c.part = agenvantage.Span{StartLine: span.StartLine, EndLine: span.StartLine + c.lines - 1}
		c.used += c.rest
		break
	}
	return c
}

// goal is evidence that is found as soon as one line of it is shown.
type goal struct {
	goldFile
	same  []bool
	first int // first unit that shows some of it, -1 for none
}

func goalOf(m *matched, f goldFile) goal {
	g := goal{goldFile: f, same: m.same(f.path), first: -1}
	for i, u := range m.units {
		if g.same[m.pathOf[i]] && g.touches(unitSpan(u)) {
			g.first = i
			break
		}
	}
	return g
}

func (f goldFile) touches(s agenvantage.Span) bool {
	if f.whole {
		return true
	}
	for _, l := range f.lines {
		if l.Overlaps(s) {
			return true
		}
	}
	return false
}

// reached reports whether a line of the goal is shown within the cut.
func (g goal) reached(m *matched, c budgetCut) bool {
	if g.first >= 0 && g.first < c.full {
		return true
	}
	return c.lines > 0 && g.same[m.pathOf[c.full]] && g.touches(c.part)
}

func countReached(m *matched, goals []goal, c budgetCut) (n int) {
	for _, g := range goals {
		if g.reached(m, c) {
			n++
		}
	}
	return n
}

// evidence is what measureEvidence needs at every budget.
type evidence struct {
	*matched
	files, hunks  []goal // gold files; ranges of gold targets
	goldLines     int    // 0 when a gold file has no lines of its own
	contextLines  int
	gold, context track // lines of the gold, of the context
	precise       track // lines shown that are gold or context
	lines, useful track // lines shown; those that are gold, optional or context
	repeated      []float64
	wasted        []int // tokens of units before the place that touch no target and no context
	touching      []bool
}

func measureEvidence(v Values, m *matched, gold []goldFile, budgets []int) {
	e := newEvidence(m, gold)
	for _, b := range budgets {
		e.measureAt(v, b)
	}
	e.measureTokens(v)
	metric := "line_recall"
	if e.goldLines == 0 {
		metric = "file_recall_tokens"
	}
	if area, ok := areaOverBudgets(budgets, func(b int) float64 { return v[metricAt(metric, b)] }); ok {
		v["evidence_area"] = area
	}
}

func newEvidence(m *matched, gold []goldFile) *evidence {
	e := &evidence{matched: m}
	whole := false
	for _, f := range gold {
		e.files = append(e.files, goalOf(m, f))
		e.goldLines += countLines(f.lines)
		whole = whole || f.whole
	}
	for _, t := range m.task.Gold {
		if len(t.Ranges) == 0 {
			e.hunks = append(e.hunks, goalOf(m, goldFile{path: t.Path, whole: true}))
		}
		for _, s := range t.Ranges {
			e.hunks = append(e.hunks, goalOf(m, goldFile{path: t.Path, lines: []agenvantage.Span{s}}))
		}
	}
	context, optional := contextFiles(m.task), goldFiles(Task{Gold: m.task.Optional})
	for _, f := range context {
		e.contextLines += countLines(f.lines)
	}
	if whole {
		e.goldLines = 0
	} else {
		e.gold = trackLines(m, lanesByFile(m, gold))
		if e.contextLines > 0 {
			e.precise = trackLines(m, lanesByPath(m, gold, context))
		}
	}
	if e.contextLines > 0 {
		e.context = trackLines(m, lanesByFile(m, context))
	}
	e.lines = trackLines(m, lanesByPath(m))
	useful := lanesByPath(m, gold, optional, context)
	e.useful = trackLines(m, useful)
	e.countWaste(useful)
	return e
}

// countWaste sums the tokens of lines that were shown before, in proportion to a unit's lines, and of units that touch
// nothing.
func (e *evidence) countWaste(useful [][]*lane) {
	e.repeated, e.wasted = make([]float64, len(e.units)+1), make([]int, len(e.units)+1)
	e.touching = make([]bool, len(e.units))
	for i, u := range e.units {
		span := unitSpan(u)
		for _, l := range useful[e.pathOf[i]] {
			e.touching[i] = e.touching[i] || goldFile{lines: l.wanted, whole: l.whole}.touches(span)
		}
		e.wasted[i+1] = e.wasted[i]
		if !e.touching[i] {
			e.wasted[i+1] += max(0, u.Tokens)
		}
		old := spanLines(span) - countLines(e.lines.fresh[i])
		e.repeated[i+1] = e.repeated[i] + float64(max(0, u.Tokens))*float64(old)/float64(spanLines(span))
	}
}

// measureAt gives the metrics of one budget.
func (e *evidence) measureAt(v Values, budget int) {
	c := cutAt(e.units, budget)
	files, hunks := countReached(e.matched, e.files, c), countReached(e.matched, e.hunks, c)
	v[metricAt("tokens", budget)] = float64(c.used)
	v[metricAt("success", budget)] = truth(files == len(e.files))
	v[metricAt("success_hunks", budget)] = truth(hunks == len(e.hunks))
	v[metricAt("success_any", budget)] = truth(hunks > 0)
	v[metricAt("file_recall_tokens", budget)] = float64(files) / float64(len(e.files))
	shown := float64(e.lines.shown(c))
	if e.goldLines > 0 {
		v[metricAt("line_recall", budget)] = float64(e.gold.shown(c)) / float64(e.goldLines)
	}
	if e.contextLines > 0 {
		v[metricAt("context_recall", budget)] = float64(e.context.shown(c)) / float64(e.contextLines)
		if e.goldLines > 0 {
			v[metricAt("line_precision", budget)] = ratio(float64(e.precise.shown(c)), shown)
		}
	}
	v[metricAt("shown_precision", budget)] = ratio(float64(e.useful.shown(c)), shown)
	if c.used == 0 {
		return
	}
	repeated, wasted := e.repeated[c.full], e.wasted[c.full]
	if c.rest > 0 {
		u := e.units[c.full]
		fresh := e.lines.shown(c) - e.lines.before[c.full]
		repeated += float64(u.Tokens) * float64(c.lines-fresh) / float64(spanLines(unitSpan(u)))
		if !e.touching[c.full] {
			wasted += c.rest
		}
	}
	v[metricAt("duplicate_rate", budget)] = repeated / float64(c.used)
	v[metricAt("distractor_rate", budget)] = float64(wasted) / float64(c.used)
}

// measureTokens gives the tokens to the first evidence and to all of it.
func (e *evidence) measureTokens(v Values) {
	spent := make([]int, len(e.units)+1)
	for i, u := range e.units {
		spent[i+1] = spent[i] + max(0, u.Tokens)
	}
	first, all := TokenCap, 0
	for _, g := range e.files {
		if g.first < 0 {
			all = TokenCap
			continue
		}
		first = min(first, spent[g.first+1])
		all = max(all, spent[g.first+1])
	}
	v["tfh"], v["tokens_to_all"] = float64(first), math.Min(float64(all), TokenCap)
	v["tfh_censored"] = truth(first == TokenCap)
}
