package ablations

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"agenvantage"
)

// slowEvidence is measureEvidence line by line, for exact paths: what the definitions say, without intervals.
func slowEvidence(t Task, units []Unit, budget int) Values {
	type line struct {
		path string
		n    int
	}
	gold, context, useful, ranged := map[line]bool{}, map[line]bool{}, map[line]bool{}, true
	wholeGold, whole := map[string]bool{}, map[string]bool{}
	fill := func(targets []Target, isGold bool) {
		for _, target := range targets {
			if len(target.Ranges) == 0 {
				whole[target.Path] = true
				wholeGold[target.Path] = wholeGold[target.Path] || isGold
				ranged = ranged && !isGold
			}
			for _, s := range target.Ranges {
				for n := s.StartLine; n <= s.EndLine; n++ {
					useful[line{target.Path, n}] = true
					if isGold {
						gold[line{target.Path, n}] = true
					}
				}
			}
		}
	}
	fill(t.Gold, true)
	fill(t.Optional, false)
	for _, c := range t.Context {
		for n := c.Span.StartLine; n <= c.Span.EndLine; n++ {
			context[line{c.Path, n}], useful[line{c.Path, n}] = true, true
		}
	}
	v, shown, used, again, wasted := Values{}, map[line]bool{}, 0, 0.0, 0
	for _, u := range units {
		n := u.End - u.Start + 1
		take, spent := n, u.Tokens
		if used+u.Tokens > budget {
			spent = budget - used
			take = n * spent / u.Tokens
		}
		touching := whole[u.Path]
		for i := range n {
			touching = touching || useful[line{u.Path, u.Start + i}]
		}
		for i := range take {
			if l := (line{u.Path, u.Start + i}); shown[l] {
				again += float64(u.Tokens) / float64(n)
			} else {
				shown[l] = true
			}
		}
		if !touching {
			wasted += spent
		}
		if used += spent; take < n {
			break
		}
	}
	share := func(name string, set map[line]bool, of int) {
		n := 0
		for l := range shown {
			if set[l] || (name == "shown_precision" && whole[l.path]) {
				n++
			}
		}
		v[metricAt(name, budget)] = ratio(float64(n), float64(of))
	}
	both := map[line]bool{}
	for l := range gold {
		both[l] = true
	}
	for l := range context {
		both[l] = true
	}
	if ranged {
		share("line_recall", gold, len(gold))
	}
	if len(context) > 0 {
		share("context_recall", context, len(context))
		if ranged {
			share("line_precision", both, len(shown))
		}
	}
	share("shown_precision", useful, len(shown))
	if used > 0 {
		v[metricAt("duplicate_rate", budget)] = again / float64(used)
		v[metricAt("distractor_rate", budget)] = float64(wasted) / float64(used)
	}
	v[metricAt("tokens", budget)] = float64(used)
	hunks, found, files := 0, 0, map[string]bool{}
	for _, target := range t.Gold {
		files[target.Path] = files[target.Path] || false
		if len(target.Ranges) == 0 {
			found++
			for l := range shown {
				if l.path == target.Path {
					files[target.Path] = true
					hunks++
					break
				}
			}
		}
		for _, s := range target.Ranges {
			found++
			for n := s.StartLine; n <= s.EndLine; n++ {
				if shown[line{target.Path, n}] {
					files[target.Path] = true
					hunks++
					break
				}
			}
		}
	}
	reached := 0
	for _, ok := range files {
		if ok {
			reached++
		}
	}
	v[metricAt("success", budget)] = truth(reached == len(files))
	v[metricAt("file_recall_tokens", budget)] = float64(reached) / float64(len(files))
	v[metricAt("success_hunks", budget)] = truth(hunks == found)
	v[metricAt("success_any", budget)] = truth(hunks > 0)
	return v
}

// FuzzMeasureAgainstLines compares the intervals of Measure with the line-by-line definitions.
func FuzzMeasureAgainstLines(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		path := func() string { return fmt.Sprintf("%c.go", 'a'+rune(rng.IntN(3))) }
		span := func() agenvantage.Span {
			from := 1 + rng.IntN(30)
			return agenvantage.Span{StartLine: from, EndLine: from + rng.IntN(12)}
		}
		targets := func(n int) (list []Target) {
			for range n {
				target := Target{Path: path()}
				for range min(3, rng.IntN(5)) {
					target.Ranges = append(target.Ranges, span())
				}
				list = append(list, target)
			}
			return list
		}
		task := Task{Match: MatchExact, Gold: targets(1 + rng.IntN(3)), Optional: targets(rng.IntN(2))}
		for range rng.IntN(3) {
			task.Context = append(task.Context, Place{Path: path(), Span: span()})
		}
		var units []Unit
		for range rng.IntN(12) {
			s := span()
			units = append(units, Unit{Path: path(), Start: s.StartLine, End: s.EndLine, Tokens: rng.IntN(120)})
		}
		budgets := []int{0, 1 + rng.IntN(100), 100 + rng.IntN(300), 2000}
		got := Measure(task, Ranking{Units: units}, budgets)
		for _, b := range budgets {
			want := slowEvidence(task, units, b)
			for name, w := range want {
				if x, ok := got[name]; !ok || !near(x, w) {
					t.Errorf("%s is %v (%v), want %v; gold %v, units %v", name, x, ok, w, task.Gold, units)
				}
			}
			for _, family := range []string{"line_recall", "context_recall", "line_precision", "duplicate_rate", "distractor_rate"} {
				name := metricAt(family, b)
				if _, wanted := want[name]; !wanted {
					if _, given := got[name]; !given {
						continue
					}
					t.Errorf("%s is given and should not be", name)
				}
			}
		}
	})
}
