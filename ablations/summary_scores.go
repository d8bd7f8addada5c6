package ablations

import (
	"math"
	"slices"
	"strings"
	"time"
)

// scoreboard holds what is shared by all that is computed over one task set. It is not safe for concurrent use.
type scoreboard struct {
	set       TaskSet
	options   SummaryOptions
	names     []string       // metrics that have a value for a task
	place     map[string]int // of a name in names
	budgets   []int          // those of success per 1,000 tokens
	clusters  clustering
	bootstrap *bootstrap
}

func newScoreboard(set TaskSet, o SummaryOptions) *scoreboard {
	o = o.withDefaults()
	b := &scoreboard{set: set, options: o, place: map[string]int{}}
	b.clusters, b.bootstrap = clusterTasks(set.Tasks), newBootstrap(o.Seed, o.Resamples)
	b.budgets = append(slices.Clone(o.Budgets), GateBudget)
	slices.Sort(b.budgets)
	b.budgets = slices.Compact(b.budgets)
	for _, m := range Metrics() {
		family, budgeted := strings.CutSuffix(m.Name, "@B")
		switch {
		case m.Ratio:
		case budgeted:
			for _, budget := range b.budgets {
				b.names = append(b.names, metricAt(family, budget))
			}
		default:
			b.names = append(b.names, m.Name)
		}
	}
	for i, name := range b.names {
		b.place[name] = i
	}
	return b
}

// measure is Measure at the budgets and at GateBudget; the latter leaves no trace in evidence_area unless it is one of them.
func (b *scoreboard) measure(t Task, r Ranking) Values {
	v := Measure(t, r, b.options.Budgets)
	if !slices.Contains(b.options.Budgets, GateBudget) {
		for name, x := range Measure(t, r, []int{GateBudget}) {
			if _, ok := v[name]; !ok && name != "evidence_area" {
				v[name] = x
			}
		}
	}
	return v
}

// arm is one variant's values over the tasks of the set.
type arm struct {
	name     string
	answered []bool
	class    []Class
	values   [][]float64 // by task and by place of the metric; NaN where it is not defined
}

func (b *scoreboard) arm(name string, answers map[string]Ranking) *arm {
	n := len(b.set.Tasks)
	a := &arm{name: name, answered: make([]bool, n), class: make([]Class, n), values: make([][]float64, n)}
	for i, t := range b.set.Tasks {
		r, ok := answers[t.ID]
		if !ok {
			continue
		}
		a.answered[i], a.class[i] = true, r.Class
		row := make([]float64, len(b.names))
		for j := range row {
			row[j] = math.NaN()
		}
		for name, x := range b.measure(t, r) {
			if j, ok := b.place[name]; ok {
				row[j] = x
			}
		}
		a.values[i] = row
	}
	return a
}

// tasks lists the tasks of the class that were answered, of every class for "".
func (a *arm) tasks(class Class) (list []int) {
	for i, ok := range a.answered {
		if ok && (class == "" || a.class[i] == class) {
			list = append(list, i)
		}
	}
	return list
}

// The kinds of clusters.
const (
	clusterByRepository = "repository"
	clusterByMonth      = "month"
)

// clustering is how tasks depend on each other: those of one cluster are drawn together.
type clustering struct {
	kind  string
	of    []int // task to cluster, numbered in the order of the names
	count int
}

// clusterTasks makes a cluster of every repository, or of every calendar month (UTC) when there is one repository and every
// task has a time.
func clusterTasks(tasks []Task) clustering {
	repos, timed := map[string]bool{}, true
	for _, t := range tasks {
		repos[t.Repo] = true
		timed = timed && t.Time != 0
	}
	c := clustering{kind: clusterByRepository}
	name := func(t Task) string { return t.Repo }
	if len(repos) == 1 && timed {
		c.kind, name = clusterByMonth, taskMonth
	}
	var names []string
	for _, t := range tasks {
		names = append(names, name(t))
	}
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	for _, n := range names {
		place, _ := slices.BinarySearch(sorted, n)
		c.of = append(c.of, place)
	}
	c.count = len(sorted)
	return c
}

func taskMonth(t Task) string { return time.Unix(t.Time, 0).UTC().Format("2006-01") }

// weigh turns a cluster's sum and count of a metric into its part of the estimate. Repositories weigh alike. Months of one
// repository weigh by their tasks: the estimate is then the mean over tasks, and the months only say what is drawn together.
func (c clustering) weigh(sum, count float64) sums {
	if c.kind == clusterByMonth {
		return sums{sum, count}
	}
	return sums{sum / count, 1}
}

// scores estimates every metric over the tasks.
func (b *scoreboard) scores(a *arm, tasks []int) Scores {
	width := len(b.names)
	total := make([]sums, b.clusters.count*width)
	for _, t := range tasks {
		row := total[b.clusters.of[t]*width:][:width]
		for j, x := range a.values[t] {
			if !math.IsNaN(x) {
				row[j].num += x
				row[j].den++
			}
		}
	}
	scores := Scores{}
	parts := make([]sums, 0, b.clusters.count)
	for j, name := range b.names {
		parts = parts[:0]
		var all sums
		for c := range b.clusters.count {
			s := total[c*width+j]
			if s.den > 0 {
				parts = append(parts, b.clusters.weigh(s.num, s.den))
				all.num += s.num
				all.den += s.den
			}
		}
		if len(parts) > 0 {
			e := b.estimate(parts)
			e.QueryMean, e.Tasks = all.num/all.den, int(all.den)
			scores[name] = e
		}
	}
	for _, budget := range b.budgets {
		parts, n := b.spendings(a, tasks, budget)
		if n > 0 {
			e := b.estimate(parts)
			e.QueryMean, e.Tasks = e.RepoMean, n
			scores[metricAt("spt", budget)] = e
		}
	}
	return scores
}

// estimate leaves QueryMean and Tasks to the caller.
func (b *scoreboard) estimate(parts []sums) Estimate {
	e := Estimate{RepoMean: estimate(parts), Clusters: len(parts)}
	e.Low, e.High = b.bootstrap.interval(parts, 95)
	return e
}

// spendings sums success and thousands of tokens shown by cluster, over n tasks.
func (b *scoreboard) spendings(a *arm, tasks []int, budget int) (parts []sums, n int) {
	success, tokens := b.place[metricAt("success", budget)], b.place[metricAt("tokens", budget)]
	all, seen := make([]sums, b.clusters.count), make([]bool, b.clusters.count)
	for _, t := range tasks {
		row := a.values[t]
		if math.IsNaN(row[success]) || math.IsNaN(row[tokens]) {
			continue
		}
		c := b.clusters.of[t]
		all[c].num += row[success]
		all[c].den += row[tokens] / 1000
		seen[c] = true
		n++
	}
	for c, ok := range seen {
		if ok {
			parts = append(parts, all[c])
		}
	}
	return parts, n
}
