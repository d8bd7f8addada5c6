package ablations

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"agenvantage"
)

const (
	movedTasks      = 20  // tasks listed
	movedUnits      = 10  // units of each ranking
	movedQueryBytes = 300 // of a question
	movedGoldPlaces = 12  // places of the evidence
)

// movedMetric is the metric by which tasks move.
const movedMetric = "ndcg@10"

// moved lists the tasks whose nDCG@10 differs most between the baseline and a variant, the largest difference first and
// equal ones in the order of the set. The variant is that of all channels; where that is the baseline, or was not run, the
// one whose changes have the largest sum, the first of equals. It is "" when there is none.
func (b *scoreboard) moved(arms []*arm, answers Answers) (list []MovedTask, variant string) {
	find := func(name string) *arm {
		for _, a := range arms {
			if a.name == name {
				return a
			}
		}
		return nil
	}
	x, y, place := find(b.options.Baseline), find(b.options.All), b.place[movedMetric]
	if x == nil {
		return nil, ""
	}
	if y == nil || x == y {
		y = nil
		most := 0.
		for _, a := range arms {
			if sum := b.changes(x, a); a != x && (y == nil || sum > most) {
				y, most = a, sum
			}
		}
	}
	if y == nil {
		return nil, ""
	}
	change := func(t int) float64 { return math.Abs(y.values[t][place] - x.values[t][place]) }
	tasks := slices.DeleteFunc(b.both(x, y, ""), func(t int) bool { return !(change(t) > 0) }) // a NaN has not moved
	slices.SortStableFunc(tasks, func(s, t int) int { return cmp.Compare(change(t), change(s)) })
	for _, i := range tasks[:min(movedTasks, len(tasks))] {
		t := b.set.Tasks[i]
		list = append(list, MovedTask{
			Task: t.ID, Repo: t.Repo, Language: t.Language, Category: t.Category, Class: x.class[i], Query: cutText(t.Query, movedQueryBytes),
			Metric: movedMetric, A: x.values[i][place], B: y.values[i][place], GoldText: evidenceText(t),
			UnitsA: shownUnits(t, answers[x.name][t.ID]), UnitsB: shownUnits(t, answers[y.name][t.ID]),
		})
	}
	return list, y.name
}

// changes is the sum of the changes of movedMetric between two arms.
func (b *scoreboard) changes(x, y *arm) (sum float64) {
	place := b.place[movedMetric]
	for _, t := range b.both(x, y, "") {
		if d := math.Abs(y.values[t][place] - x.values[t][place]); !math.IsNaN(d) {
			sum += d
		}
	}
	return sum
}

// cutText cuts at a character, so that at most limit bytes are left.
func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// evidenceText names the evidence that counts for nDCG: gold, then optional.
func evidenceText(t Task) string {
	var places []string
	for i, target := range rankTargets(t) {
		text := target.path
		if !target.whole {
			text += ":" + spanText(target.span)
		}
		if i >= len(rankTargets(Task{Gold: t.Gold})) {
			text += " (optional)"
		}
		places = append(places, text)
	}
	if more := len(places) - movedGoldPlaces; more > 0 {
		places = append(places[:movedGoldPlaces], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(places, ", ")
}

func spanText(s agenvantage.Span) string { return fmt.Sprintf("%d-%d", s.StartLine, s.EndLine) }

// shownUnits lists the first units of an answer; those that hit gold or optional evidence are marked.
func shownUnits(t Task, r Ranking) (list []Shown) {
	r.Units = r.Units[:min(movedUnits, len(r.Units))]
	m, targets := matchAnswer(t, r), rankTargets(t)
	for i, u := range r.Units {
		gold := slices.ContainsFunc(targets, func(target rankTarget) bool { return m.hits(i, target, m.same(target.path)) })
		list = append(list, Shown{Path: u.Path, Span: spanText(unitSpan(u)), Gold: gold})
	}
	return list
}
