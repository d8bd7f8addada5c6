package ablations

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Answers are the rankings of a run: variant name to task id to ranking. A variant may lack tasks.
type Answers map[string]map[string]Ranking

// DefaultResamples is how many bootstrap resamples are drawn where a caller names no number.
const DefaultResamples = 2000

// DefaultBudgets lists the budgets in tokens at which answers are scored where a caller names none.
func DefaultBudgets() []int { return []int{500, 1000, 2000, 4000, 8000} }

// SummaryOptions say how a run is summarised. The zero value takes the default budgets and resamples and compares nothing.
type SummaryOptions struct {
	Budgets   []int  // tokens; GateBudget is always measured as well. nil means DefaultBudgets
	Seed      uint64 // of resampling and of permutations
	Resamples int    // 0 means DefaultResamples
	Baseline  string // variant that the others are compared with
	All       string // variant with every channel, "" when none has them all
}

func (o SummaryOptions) withDefaults() SummaryOptions {
	if len(o.Budgets) == 0 {
		o.Budgets = DefaultBudgets()
	}
	if o.Resamples <= 0 {
		o.Resamples = DefaultResamples
	}
	return o
}

// Summary is the part of a report that follows from the task set and the rankings.
type Summary struct {
	Tasks       TaskInfo
	Variants    []VariantReport
	Comparisons []Comparison
	Moved       []MovedTask
	Packs       []PackReport // of the variants that answered with packs, in their order
	// MovedVariant is the variant that Moved holds against the baseline, "" for none.
	MovedVariant string
}

// Summarise scores every variant over the tasks that it answered, compares the others with the baseline and with the
// variant of all channels over the tasks that both answered, and finds the tasks that moved. Variants keep their order;
// one that answered nothing has no scores. ConfigHash is left to the caller. The same arguments give the same summary.
func Summarise(set TaskSet, variants []Variant, answers Answers, o SummaryOptions) Summary {
	b := newScoreboard(set, o)
	arms := make([]*arm, len(variants))
	for i, v := range variants {
		arms[i] = b.arm(v.Name, answers[v.Name])
	}
	s := Summary{Tasks: taskInfo(set, arms), Variants: make([]VariantReport, len(variants))}
	for i, v := range variants {
		s.Variants[i] = b.report(v, arms[i])
		if p, ok := b.packs(v, arms[i], answers[v.Name]); ok {
			s.Packs = append(s.Packs, p)
		}
	}
	s.Comparisons = b.comparisons(arms)
	s.Moved, s.MovedVariant = b.moved(arms, answers)
	return s
}

// report scores one variant as a whole and by each label.
func (b *scoreboard) report(v Variant, a *arm) VariantReport {
	tasks := a.tasks("")
	groups := func(label func(task int) string, order func(x, y string) int) []Group {
		byName := map[string][]int{}
		for _, t := range tasks {
			byName[label(t)] = append(byName[label(t)], t)
		}
		list := make([]Group, 0, len(byName))
		for _, name := range slices.SortedFunc(maps.Keys(byName), order) {
			list = append(list, Group{Name: name, Scores: b.scores(a, byName[name])})
		}
		return list
	}
	task := func(i int) *Task { return &b.set.Tasks[i] }
	return VariantReport{
		Variant:    v,
		Overall:    b.scores(a, tasks),
		ByRepo:     groups(func(i int) string { return labelOf(task(i).Repo) }, cmp.Compare[string]),
		ByClass:    groups(func(i int) string { return labelOf(string(a.class[i])) }, compareClasses),
		ByCategory: groups(func(i int) string { return labelOf(task(i).Category) }, cmp.Compare[string]),
		ByLanguage: groups(func(i int) string { return labelOf(task(i).Language) }, cmp.Compare[string]),
	}
}

// labelOf names what has no name, so that the groups of a kind add up to the whole.
func labelOf(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}

// compareClasses orders by Classes, others after them by name.
func compareClasses(x, y string) int {
	place := func(s string) int {
		if i := slices.Index(Classes(), Class(s)); i >= 0 {
			return i
		}
		return len(Classes())
	}
	return cmp.Or(cmp.Compare(place(x), place(y)), cmp.Compare(x, y))
}

// taskInfo counts the tasks of the set. Classes counts those that some variant answered, since the answer names the class.
func taskInfo(set TaskSet, arms []*arm) TaskInfo {
	classes, categories, languages, sources := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	info := TaskInfo{Count: len(set.Tasks), Repositories: repositories(set), Notes: slices.Clone(set.Notes)}
	for i, t := range set.Tasks {
		categories[labelOf(t.Category)]++
		languages[labelOf(t.Language)]++
		sources[labelOf(t.Source)]++
		if t.NoAnswer {
			info.NoAnswer++
		}
		for _, a := range arms {
			if a.answered[i] {
				classes[labelOf(string(a.class[i]))]++
				break
			}
		}
	}
	info.Classes = counted(classes, compareClasses)
	info.Categories = counted(categories, cmp.Compare[string])
	info.Languages = counted(languages, cmp.Compare[string])
	info.Sources = counted(sources, cmp.Compare[string])
	for _, a := range arms {
		if n := len(a.tasks("")); n < len(set.Tasks) {
			info.Missing += len(set.Tasks) - n
			info.Notes = append(info.Notes, fmt.Sprintf("variant %s answered %d of %d tasks", a.name, n, len(set.Tasks)))
		}
	}
	return info
}

func counted(counts map[string]int, order func(x, y string) int) []CountInfo {
	list := make([]CountInfo, 0, len(counts))
	for _, name := range slices.SortedFunc(maps.Keys(counts), order) {
		list = append(list, CountInfo{Name: name, Count: counts[name]})
	}
	return list
}

// repositories lists the repositories by name. The language is the one of most tasks, the first by name among equals.
func repositories(set TaskSet) []RepoInfo {
	type repo struct {
		tasks     int
		languages map[string]int
		revisions map[string]bool
	}
	byName := map[string]*repo{}
	for _, t := range set.Tasks {
		r := byName[t.Repo]
		if r == nil {
			r = &repo{languages: map[string]int{}, revisions: map[string]bool{}}
			byName[t.Repo] = r
		}
		r.tasks++
		r.languages[t.Language]++
		r.revisions[t.Revision] = true
	}
	list := make([]RepoInfo, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		r := byName[name]
		info := RepoInfo{Name: name, Tasks: r.tasks, Revisions: slices.Sorted(maps.Keys(r.revisions))}
		most := 0
		for _, language := range slices.Sorted(maps.Keys(r.languages)) {
			if r.languages[language] > most {
				info.Language, most = language, r.languages[language]
			}
		}
		list = append(list, info)
	}
	return list
}
