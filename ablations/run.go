package ablations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"agenvantage/internal/count"
)

// ExecuteOptions are the hooks of Execute.
type ExecuteOptions struct {
	Machine  string         // goes into Measured
	Progress func(Progress) // may be nil
	Now      func() time.Time
	Times    map[Corpus]int64 // when states were committed, for tasks that do not say it: Unix seconds; may be nil
}

// Progress is told before each task and each opening of a corpus.
type Progress struct {
	Done, Total int // answers
	Repo        string
	Opening     bool // the corpus is being indexed or brought up to date
}

// Execute answers what the run does not hold yet, corpus by corpus in the order of the repository and then of the tasks'
// times or the commits', so that an index moves along the history; within a corpus variant by variant. Each answer is kept as soon as it
// is there. When ctx ends or an answer fails, what is there stays, and calling it again goes on. A run that another process
// is answering is ErrRunBusy.
func (r *Run) Execute(ctx context.Context, engine Engine, o ExecuteOptions) (err error) {
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	release, err := r.lock()
	if err != nil {
		return err
	}
	defer release()
	measured, _, err := r.Measured()
	if err != nil {
		return err
	}
	if measured.Started == "" {
		measured.Started, measured.Machine = o.Now().UTC().Format(time.RFC3339), o.Machine
	}
	e := &execution{run: r, engine: engine, options: o}
	if err := e.open(); err != nil {
		return err
	}
	defer func() {
		measured.Seconds += e.answering.Seconds()
		err = errors.Join(err, e.close(), r.writeMeasured(measured))
	}()
	for _, corpus := range corpora(r.Tasks.Tasks, o.Times) {
		for i := range r.Manifest.Matrix.Variants {
			if err := e.answer(ctx, corpus, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// corpusTasks is the tasks of one corpus.
type corpusTasks struct {
	Corpus
	tasks []Task
	time  int64 // of the newest task, or of the commit
}

// corpora groups tasks, ordered by repository, root, time and revision.
func corpora(tasks []Task, times map[Corpus]int64) []corpusTasks {
	at := map[Corpus]int{}
	var list []corpusTasks
	for _, t := range tasks {
		c := Corpus{Repo: t.Repo, Revision: t.Revision, Root: t.Root}
		i, ok := at[c]
		if !ok {
			i = len(list)
			at[c] = i
			list = append(list, corpusTasks{Corpus: c, time: times[c]})
		}
		list[i].tasks = append(list[i].tasks, t)
		list[i].time = max(list[i].time, t.Time)
	}
	slices.SortFunc(list, func(a, b corpusTasks) int {
		return cmp.Or(cmp.Compare(a.Repo, b.Repo), cmp.Compare(a.Root, b.Root), cmp.Compare(a.time, b.time), cmp.Compare(a.Revision, b.Revision))
	})
	return list
}

// execution is one call of Execute.
type execution struct {
	run       *Run
	engine    Engine
	options   ExecuteOptions
	done      []map[string]bool // by variant: tasks that have a ranking
	rankings  []*appender
	timings   []*appender
	costs     *appender
	priced    map[string]bool // repositories whose cost is written
	count     int
	answering time.Duration
}

func (e *execution) open() error {
	answers, err := e.run.Answers()
	if err != nil {
		return err
	}
	costs, _, err := e.run.Costs()
	if err != nil {
		return err
	}
	e.priced = map[string]bool{}
	for _, c := range costs {
		e.priced[c.Repo] = true
	}
	for i, v := range e.run.Manifest.Matrix.Variants {
		done := map[string]bool{}
		for id := range answers[v.Name] {
			done[id] = true
		}
		e.done = append(e.done, done)
		e.count += len(done)
		for _, kind := range []struct {
			folder string
			into   *[]*appender
		}{{"rankings", &e.rankings}, {"timings", &e.timings}} {
			a, err := openAppender(e.run.lineFile(kind.folder, i))
			if err != nil {
				return errors.Join(err, e.close())
			}
			*kind.into = append(*kind.into, a)
		}
	}
	e.costs, err = openAppender(filepath.Join(e.run.dir, costsFile))
	if err != nil {
		return errors.Join(err, e.close())
	}
	return nil
}

func (e *execution) close() (err error) {
	for _, a := range slices.Concat(e.rankings, e.timings, []*appender{e.costs}) {
		if a != nil {
			err = errors.Join(err, a.close())
		}
	}
	return err
}

func (e *execution) tell(repo string, opening bool) {
	e.options.Progress(Progress{Done: e.count, Total: len(e.run.Tasks.Tasks) * len(e.run.Manifest.Matrix.Variants), Repo: repo, Opening: opening})
}

// answer runs the tasks of one corpus under one variant that have no ranking yet.
func (e *execution) answer(ctx context.Context, corpus corpusTasks, variant int) (err error) {
	v := e.run.Manifest.Matrix.Variants[variant]
	var open []Task
	for _, t := range corpus.tasks {
		if !e.done[variant][t.ID] {
			open = append(open, t)
		}
	}
	if len(open) == 0 {
		return nil
	}
	e.tell(corpus.Repo, true)
	session, err := e.engine.Open(ctx, corpus.Corpus, v)
	if err != nil {
		return fmt.Errorf("open %s for %s: %w", corpus.Repo, v.Name, err)
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	if cost := session.Cost(); !e.priced[corpus.Repo] || cost.BuildSeconds > 0 {
		if err := e.costs.add(CorpusCost{Repo: corpus.Repo, Cost: cost}); err != nil {
			return err
		}
		e.priced[corpus.Repo] = true
	}
	started := e.options.Now()
	defer func() { e.answering += e.options.Now().Sub(started) }()
	for _, t := range open {
		if err := ctx.Err(); err != nil {
			return err
		}
		e.tell(corpus.Repo, false)
		ranking, timing, err := session.Answer(ctx, t)
		if err != nil {
			return fmt.Errorf("task %s of %s under %s: %w", t.ID, t.Repo, v.Name, err)
		}
		// The timing goes first: a ranking without one would never be made up for.
		if err := e.timings[variant].add(timing); err != nil {
			return err
		}
		if err := e.rankings[variant].add(ranking); err != nil {
			return err
		}
		e.done[variant][t.ID] = true
		e.count++
	}
	e.tell(corpus.Repo, false)
	return nil
}

// Report makes the report of what the run holds. limits bound what the gate lets a channel cost.
func (r *Run) Report(limits GateLimits) (Report, error) {
	answers, err := r.Answers()
	if err != nil {
		return Report{}, err
	}
	latencies, measured, err := r.allMeasured()
	if err != nil {
		return Report{}, err
	}
	m := r.Manifest
	summary := Summarise(r.Tasks, m.Matrix.Variants, answers, SummaryOptions{Budgets: m.Budgets, Seed: m.Seed, Resamples: m.Resamples, Baseline: m.Baseline, All: m.All})
	for i := range summary.Variants {
		summary.Variants[i].ConfigHash = m.ConfigHashes[summary.Variants[i].Name]
	}
	for _, v := range m.Matrix.Variants {
		times := make([]float64, 0, len(latencies[v.Name]))
		for _, t := range r.Tasks.Tasks {
			if ms, ok := latencies[v.Name][t.ID]; ok {
				times = append(times, ms)
			}
		}
		slices.Sort(times)
		measured.Latencies = append(measured.Latencies, VariantLatency{Variant: v.Name, P50MS: Percentile(times, 50), P95MS: Percentile(times, 95), Tasks: len(times)})
	}
	verdicts, costs := Judge(GateInput{
		Set: r.Tasks, Variants: m.Matrix.Variants, Answers: answers, Latency: latencies, Costs: measured.Costs, Baseline: m.Baseline, All: m.All,
		Arms: m.Matrix.Arms, LeftOut: m.Matrix.LeftOut, Alone: m.Matrix.Alone, Limits: limits, Seed: m.Seed, Resamples: m.Resamples,
		Evidence: m.TaskSetHash + "/" + m.ConfigHash,
	})
	measured.Verdicts = costs
	for i := range verdicts {
		if verdicts[i].Channel == vectorChannel {
			verdicts[i].Model = m.Model
		}
	}
	if missing := summary.Tasks.Missing; missing > 0 {
		summary.Tasks.Notes = append(slices.Clone(summary.Tasks.Notes), incompleteNote(missing))
	}
	m.Settings = listed(m.Settings)
	return Report{Format: ReportFormat, Run: m.RunInfo, Tasks: summary.Tasks, Variants: summary.Variants, Packs: summary.Packs, Comparisons: listed(summary.Comparisons),
		Verdicts: verdicts, Moved: listedMoved(summary.Moved), MovedVariant: summary.MovedVariant, Measured: measured}, nil
}

// listed makes an empty list of none, as JSON tells them apart.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func listedMoved(list []MovedTask) []MovedTask {
	for i := range list {
		list[i].UnitsA, list[i].UnitsB = listed(list[i].UnitsA), listed(list[i].UnitsB)
	}
	return listed(list)
}

func incompleteNote(missing int) string {
	return "the run is not complete: " + count.Grouped(missing, "answer is", "answers are") + " missing"
}

// allMeasured reads what depends on the machine: times in milliseconds by variant and task, and the rest. Notes say what
// could not be read: figures of time and size are worth less than the answers, and do not stand in their way.
func (r *Run) allMeasured() (latencies map[string]map[string]float64, m Measured, err error) {
	m, notes, err := r.Measured()
	if err != nil {
		return nil, m, err
	}
	m.Notes = notes
	if latencies, notes, err = r.Latencies(); err != nil {
		return nil, m, err
	}
	m.Notes = append(m.Notes, notes...)
	m.Costs, notes, err = r.Costs()
	m.Costs, m.Notes = listed(m.Costs), append(m.Notes, notes...)
	return latencies, m, err
}
