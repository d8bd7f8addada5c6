package ablations

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"agenvantage"
)

// The categories of mined tasks. The newest months, whole, that hold at least half of the tasks are mined-recent: settings
// that are tuned on the older ones are confirmed there. Months are not divided, since they are what a verdict on one
// repository resamples.
const (
	CategoryMined  = "mined"
	CategoryRecent = "mined-recent"
)

// monthOf is the calendar month, "2024-03", in UTC.
func monthOf(unix int64) string { return time.Unix(unix, 0).UTC().Format("2006-01") }

// draw goes through the months, newest first, and through a month's commits in the order of a seeded hash of their ids;
// each month gives its first PerMonth commits that turn out usable.
func (m *miner) draw(ctx context.Context, commits []mined) ([]Task, error) {
	byMonth := map[string][]mined{}
	for _, c := range commits {
		byMonth[monthOf(c.time)] = append(byMonth[monthOf(c.time)], c)
	}
	months := make([]string, 0, len(byMonth))
	for name := range byMonth {
		months = append(months, name)
	}
	slices.Sort(months)
	slices.Reverse(months)
	var tasks []Task
	for _, name := range months {
		list := byMonth[name]
		sortBySeed(list, m.o.Seed, func(c mined) string { return c.id })
		room := min(m.o.PerMonth, m.o.Max-len(tasks))
		got, rest, err := m.fill(ctx, list, room)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, got...)
		reason := DropMonth
		if len(tasks) == m.o.Max && len(got) < m.o.PerMonth {
			reason = DropMax
		}
		for _, c := range rest {
			m.drop(reason, c.id, c.time)
		}
		if m.o.Progress != nil {
			m.o.Progress(MineProgress{Scanned: m.scanned, Tasks: len(tasks), Max: m.o.Max})
		}
	}
	slices.SortFunc(tasks, func(a, b Task) int { return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.ID, b.ID)) })
	return tasks, nil
}

// fill makes up to room tasks of the first usable commits of list and returns the commits that it had no need of.
func (m *miner) fill(ctx context.Context, list []mined, room int) (tasks []Task, rest []mined, err error) {
	for len(tasks) < room && len(list) > 0 {
		batch := list[:min(room-len(tasks), len(list))]
		list = list[len(batch):]
		ids := make([]string, len(batch))
		for i, c := range batch {
			ids[i] = c.id
		}
		changes, err := m.history.Changes(ctx, ids)
		if err == nil && len(changes) != len(ids) {
			err = fmt.Errorf("%d commits were asked for, %d came back", len(ids), len(changes))
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read changed lines: %w", err)
		}
		for i, c := range batch {
			t, reason, err := m.task(ctx, c, changes[i])
			if err != nil {
				return nil, nil, err
			}
			if reason != "" {
				m.drop(reason, c.id, c.time)
				continue
			}
			tasks = append(tasks, t)
		}
	}
	return tasks, list, nil
}

// markRecent sets the category; tasks are newest first.
func markRecent(tasks []Task) {
	for i := range tasks {
		tasks[i].Category = CategoryMined
		recent := i < (len(tasks)+1)/2
		if recent || monthOf(tasks[i].Time) == monthOf(tasks[i-1].Time) && tasks[i-1].Category == CategoryRecent {
			tasks[i].Category = CategoryRecent
		}
	}
}

// task makes the task of a commit out of its changed lines; a reason instead says why there is none. The error is that of
// an end that was asked for.
func (m *miner) task(ctx context.Context, c mined, change MinedChange) (Task, DropReason, error) {
	if change.Err != nil {
		return Task{}, DropUnreadable, ctx.Err()
	}
	byPath := map[string][]MinedHunk{}
	for _, h := range change.Files {
		byPath[h.Path] = append(byPath[h.Path], h.Hunks...)
	}
	t := Task{ID: shortID(c.id), Repo: m.o.Repo, Revision: c.parent, Root: m.o.Root, Source: "mined", Query: c.question,
		Match: MatchExact, Time: c.time, Tests: c.tests}
	lines, moved := 0, true
	for _, f := range c.files {
		if !writablePath(m.below(f.base())) {
			return Task{}, DropUnreadable, nil
		}
		for _, h := range byPath[f.base()] {
			lines += h.OldLines + h.NewLines
		}
		if lines > m.o.MaxLines {
			return Task{}, DropLines, nil
		}
		moved = moved && f.Status == 'R'
	}
	for _, f := range c.files {
		ranges, err := m.goldRanges(ctx, c.parent, f.base(), byPath[f.base()])
		if err != nil {
			return Task{}, DropUnreadable, ctx.Err()
		}
		if len(ranges) > 0 {
			t.Gold = append(t.Gold, Target{Path: m.below(f.base()), Ranges: ranges})
		}
	}
	switch {
	case len(t.Gold) == 0 && moved:
		return Task{}, DropRename, nil
	case len(t.Gold) == 0:
		return Task{}, DropFormat, nil
	}
	slices.SortFunc(t.Gold, func(a, b Target) int { return strings.Compare(a.Path, b.Path) })
	t.Gold = slices.CompactFunc(t.Gold, func(a, b Target) bool { return a.Path == b.Path })
	t.Language = m.language(t.Gold)
	return t, "", nil
}

// shortIDDigits is the length of a mined task's id: that two of 20,000 commits agree in 48 bits has a chance below one in
// a million.
const shortIDDigits = 12

func shortID(commit string) string { return commit[:min(shortIDDigits, len(commit))] }

// goldRanges turns hunks into the ranges of a task, sorted and joined where they touch the same lines. Of an insertion the
// lines before and behind it are gold, where they exist: what a reader must find to know where it belongs.
func (m *miner) goldRanges(ctx context.Context, revision, file string, hunks []MinedHunk) ([]agenvantage.Span, error) {
	lines := -1 // of the file; asked for once, by the first insertion
	var spans []agenvantage.Span
	for _, h := range hunks {
		if h.OldLines > 0 {
			spans = append(spans, agenvantage.Span{StartLine: max(h.OldStart, 1), EndLine: max(h.OldStart, 1) + h.OldLines - 1})
			continue
		}
		if lines < 0 {
			n, err := m.history.LineCount(ctx, revision, file)
			if err != nil {
				return nil, err
			}
			lines = n
		}
		s := agenvantage.Span{StartLine: max(h.OldStart, 1), EndLine: min(h.OldStart+1, lines)}
		if s.StartLine <= s.EndLine {
			spans = append(spans, s)
		}
	}
	slices.SortFunc(spans, func(a, b agenvantage.Span) int {
		return cmp.Or(cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.EndLine, b.EndLine))
	})
	var joined []agenvantage.Span
	for _, s := range spans {
		if n := len(joined); n > 0 && joined[n-1].Overlaps(s) {
			joined[n-1].EndLine = max(joined[n-1].EndLine, s.EndLine)
			continue
		}
		joined = append(joined, s)
	}
	return joined, nil
}

// language is that of most gold files, of several the first by name.
func (m *miner) language(gold []Target) string {
	count := map[string]int{}
	best := ""
	for _, g := range gold {
		id := m.o.Language(path.Join(m.o.Root, g.Path))
		if count[id]++; id == "" {
			continue
		}
		if best == "" || count[id] > count[best] || count[id] == count[best] && id < best {
			best = id
		}
	}
	return best
}

// below is the path relative to the root that is searched.
func (m *miner) below(file string) string {
	if m.o.Root == "" {
		return file
	}
	return strings.TrimPrefix(file, m.o.Root+"/")
}
