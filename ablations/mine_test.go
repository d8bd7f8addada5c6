package ablations

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"agenvantage"
)

// fakeHistory is a list of commits, newest first.
type fakeHistory struct {
	commits []MinedCommit
	changes map[string]MinedChange // by commit; what is absent changes line 3 of each of its files
	lines   map[string]int         // by path; what is absent has 100
	asked   []string               // commits whose lines were asked for
	err     error                  // of Changes
}

func (h *fakeHistory) Commits(_ context.Context, r CommitRange, visit func(MinedCommit) error) error {
	n := 0
	for _, c := range h.commits {
		if !r.Since.IsZero() && c.Time < r.Since.Unix() || r.Max > 0 && n == r.Max {
			continue
		}
		n++
		if err := visit(c); err != nil {
			return err
		}
	}
	return nil
}

func (h *fakeHistory) Changes(_ context.Context, ids []string) ([]MinedChange, error) {
	if h.err != nil {
		return nil, h.err
	}
	h.asked = append(h.asked, ids...)
	var out []MinedChange
	for _, id := range ids {
		change, ok := h.changes[id]
		if !ok {
			i := slices.IndexFunc(h.commits, func(c MinedCommit) bool { return c.ID == id })
			for _, f := range h.commits[i].Files {
				change.Files = append(change.Files, MinedHunks{Path: f.base(), Hunks: []MinedHunk{{OldStart: 3, OldLines: 1, NewLines: 1}}})
			}
		}
		out = append(out, change)
	}
	return out, nil
}

func (h *fakeHistory) LineCount(_ context.Context, _, path string) (int, error) {
	if path == "gone.go" {
		return 0, errors.New("object is missing")
	}
	if n, ok := h.lines[path]; ok {
		return n, nil
	}
	return 100, nil
}

func mineOptions() MineOptions {
	return MineOptions{
		Repo:        "demo",
		IsSource:    func(p string) bool { return path.Ext(p) == ".go" || path.Ext(p) == ".py" },
		IsTest:      func(p string) bool { return strings.HasSuffix(p, "_test.go") },
		IsGenerated: func(p string) bool { return strings.HasPrefix(p, "gen/") },
		Language:    func(p string) string { return map[string]string{".go": "go", ".py": "python"}[path.Ext(p)] },
	}
}

// fakeID is a commit id whose first digits tell it apart.
func fakeID(n int) string { return fmt.Sprintf("%012x%028x", n, 7*n) }

func at(year, month, day int) int64 {
	return time.Date(year, time.Month(month), day, 12, 0, 0, 0, time.UTC).Unix()
}

// commit is one that becomes a task unless it is changed.
func commit(n int, when int64, files ...string) MinedCommit {
	c := MinedCommit{ID: fakeID(n), Parents: []string{fakeID(n + 100_000)}, Time: when, Subject: fmt.Sprintf("Reject empty header names%s", strings.Repeat("x", n))}
	if len(files) == 0 {
		files = []string{"a.go"}
	}
	for _, f := range files {
		c.Files = append(c.Files, MinedFile{Path: f, Status: 'M'})
	}
	return c
}

func mine(t *testing.T, h History, o MineOptions) MineResult {
	t.Helper()
	r, err := Mine(context.Background(), h, o)
	if err != nil {
		t.Fatal(err)
	}
	dropped := 0
	for _, d := range r.Dropped {
		dropped += d.Count
		if len(d.Examples) != min(3, d.Count) {
			t.Errorf("%s: %d examples of %d", d.Reason, len(d.Examples), d.Count)
		}
	}
	if r.Scanned != len(r.Tasks)+dropped {
		t.Errorf("%d commits were scanned, %d are tasks and %d dropped", r.Scanned, len(r.Tasks), dropped)
	}
	if len(r.Tasks) > 0 {
		if _, err := NewTaskSet("mined", r.Tasks); err != nil {
			t.Errorf("the tasks are no set: %v", err)
		}
	}
	return r
}

func TestMinedTask(t *testing.T) {
	c := commit(1, at(2024, 3, 5), "z/b.go", "z/a.py", "z/a_test.go", "doc.md", "z/c.go")
	c.Subject, c.Body = "fix(z): reject empty names in z/b.go (#12)", "They crash the writer.\n\nSigned-off-by: A <a@b.c>"
	c.Files = append(c.Files, MinedFile{Path: "z/new.go", Status: 'A'})
	h := &fakeHistory{commits: []MinedCommit{c}, changes: map[string]MinedChange{c.ID: {Files: []MinedHunks{
		{Path: "z/b.go", Hunks: []MinedHunk{{OldStart: 9, OldLines: 2, NewLines: 1}, {OldStart: 4, OldLines: 0, NewLines: 3}}},
		{Path: "z/a.py", Hunks: []MinedHunk{{OldStart: 1, OldLines: 1, NewLines: 0}}},
		{Path: "z/a_test.go", Hunks: []MinedHunk{{OldStart: 1, OldLines: 1, NewLines: 1}}},
	}}}}
	got := mine(t, h, mineOptions()).Tasks
	want := []Task{{ID: "000000000001", Repo: "demo", Revision: fakeID(100_001), Source: "mined", Language: "go", Category: CategoryRecent,
		Query: "reject empty names in\n\nThey crash the writer.", Match: MatchExact, Time: at(2024, 3, 5), Tests: []string{"z/a_test.go"},
		Gold: []Target{{"z/a.py", []agenvantage.Span{{StartLine: 1, EndLine: 1}}}, {"z/b.go", []agenvantage.Span{{StartLine: 4, EndLine: 5}, {StartLine: 9, EndLine: 10}}}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestGoldRanges(t *testing.T) {
	span := func(a, b int) agenvantage.Span { return agenvantage.Span{StartLine: a, EndLine: b} }
	for _, c := range []struct {
		name  string
		lines int
		hunks []MinedHunk
		want  []agenvantage.Span
	}{
		{"a change", 9, []MinedHunk{{3, 2, 5}}, []agenvantage.Span{span(3, 4)}},
		{"an insertion", 9, []MinedHunk{{3, 0, 5}}, []agenvantage.Span{span(3, 4)}},
		{"an insertion at the top", 9, []MinedHunk{{0, 0, 1}}, []agenvantage.Span{span(1, 1)}},
		{"an insertion at the end", 9, []MinedHunk{{9, 0, 1}}, []agenvantage.Span{span(9, 9)}},
		{"an insertion in an empty file", 0, []MinedHunk{{0, 0, 1}}, nil},
		{"out of order and touching", 9, []MinedHunk{{5, 0, 1}, {1, 1, 1}, {6, 2, 0}}, []agenvantage.Span{span(1, 1), span(5, 7)}},
		{"neighbours stay apart", 9, []MinedHunk{{1, 1, 1}, {2, 1, 1}}, []agenvantage.Span{span(1, 1), span(2, 2)}},
		{"nothing", 9, nil, nil},
	} {
		m := miner{history: &fakeHistory{lines: map[string]int{"f": c.lines}}}
		got, err := m.goldRanges(context.Background(), "r", "f", c.hunks)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestDropReasons(t *testing.T) {
	day := at(2024, 3, 5)
	with := func(f func(*MinedCommit), files ...string) []MinedCommit {
		c := commit(1, day, files...)
		f(&c)
		return []MinedCommit{c}
	}
	status := func(s byte, old string) func(*MinedCommit) {
		return func(c *MinedCommit) {
			for i := range c.Files {
				c.Files[i].Status, c.Files[i].OldPath = s, old
			}
		}
	}
	keep := func(*MinedCommit) {}
	change := func(path string, hunks ...MinedHunk) map[string]MinedChange {
		return map[string]MinedChange{fakeID(1): {Files: []MinedHunks{{Path: path, Hunks: hunks}}}}
	}
	reverting := func(subject, body string) []MinedCommit {
		r := commit(2, day+1)
		r.Subject, r.Body = subject, body
		return append([]MinedCommit{r}, commit(1, day))
	}
	for _, c := range []struct {
		name    string
		want    DropReason
		commits []MinedCommit
		changes map[string]MinedChange
	}{
		{"merge", DropMerge, with(func(c *MinedCommit) { c.Parents = append(c.Parents, fakeID(9)) }), nil},
		{"boundary", DropBoundary, with(func(c *MinedCommit) { c.Boundary, c.Parents = true, nil }), nil},
		{"root", DropRoot, with(func(c *MinedCommit) { c.Parents = nil }), nil},
		{"revert", DropRevert, with(func(c *MinedCommit) { c.Subject = `Revert "Reject empty header names"` }), nil},
		{"bump", DropBump, with(func(c *MinedCommit) { c.Subject = "Bump the header library to 2.0" }), nil},
		{"generated", DropGenerated, with(keep, "gen/a.go", "doc.md"), nil},
		{"documents", DropNoSource, with(keep, "doc.md"), nil},
		{"tests", DropNoSource, with(keep, "a_test.go"), nil},
		{"no files", DropNoSource, with(func(c *MinedCommit) { c.Files = nil }), nil},
		{"became a link", DropNoSource, with(status('T', "")), nil},
		{"new files", DropAdditions, with(status('A', "")), nil},
		{"copies", DropAdditions, with(status('C', "b.go")), nil},
		{"too many files", DropFiles, with(keep, "a.go", "b.go", "c.go", "d.go", "e.go", "f.go"), nil},
		{"reverted by id", DropReverted, reverting("Undo it", "This reverts commit "+fakeID(1)+"."), nil},
		{"reverted by short id", DropReverted, reverting("Revert names", "This reverts commit "+fakeID(1)[:12]+"."), nil},
		{"reverted by subject", DropReverted, reverting(`Revert "Reject empty header namesx"`, ""), nil},
		{"little text", DropText, with(func(c *MinedCommit) { c.Subject = "Fix a.go" }), nil},
		{"odd path", DropUnreadable, with(keep, "a\n.go"), nil},
		{"missing object", DropUnreadable, with(keep), map[string]MinedChange{fakeID(1): {Err: errors.New("missing")}}},
		{"missing file", DropUnreadable, with(keep, "gone.go"), change("gone.go", MinedHunk{1, 0, 1})},
		{"too many lines", DropLines, with(keep), change("a.go", MinedHunk{1, 100, 101})},
		{"moved", DropRename, with(status('R', "b.go")), change("b.go")},
		{"white space", DropFormat, with(keep), change("a.go")},
		{"only another file's lines", DropFormat, with(keep, "a.go", "doc.md"), change("doc.md", MinedHunk{1, 1, 1})},
		{"an empty file", DropFormat, with(keep, "empty.go"), change("empty.go", MinedHunk{0, 0, 4})},
	} {
		h := &fakeHistory{commits: c.commits, changes: c.changes, lines: map[string]int{"empty.go": 0}}
		r := mine(t, h, mineOptions())
		if len(r.Tasks) > 0 || !slices.ContainsFunc(r.Dropped, func(d DropCount) bool { return d.Reason == c.want && slices.Contains(d.Examples, fakeID(1)) }) {
			t.Errorf("%s: got %d tasks, dropped %+v", c.name, len(r.Tasks), r.Dropped)
		}
	}
}

func TestDropOrderNamesEveryReasonOnce(t *testing.T) {
	seen := map[DropReason]bool{}
	for _, r := range dropOrder {
		if seen[r] {
			t.Errorf("%s stands twice", r)
		}
		seen[r] = true
	}
	if len(seen) != 19 {
		t.Errorf("%d reasons", len(seen))
	}
}

func TestBoundsAreInclusive(t *testing.T) {
	c := commit(1, at(2024, 3, 5), "a.go", "b.go", "c.go", "d.go", "e.go")
	h := &fakeHistory{commits: []MinedCommit{c}, changes: map[string]MinedChange{c.ID: {Files: []MinedHunks{{Path: "a.go", Hunks: []MinedHunk{{1, 100, 100}}}}}}}
	if r := mine(t, h, mineOptions()); len(r.Tasks) != 1 {
		t.Errorf("5 files and 200 lines: dropped %+v", r.Dropped)
	}
}

func TestMovedFileIsGoldUnderItsOldName(t *testing.T) {
	c := commit(1, at(2024, 3, 5), "new.go")
	c.Files[0].Status, c.Files[0].OldPath = 'R', "old.go"
	r := mine(t, &fakeHistory{commits: []MinedCommit{c}}, mineOptions())
	if len(r.Tasks) != 1 || r.Tasks[0].Gold[0].Path != "old.go" {
		t.Errorf("got %+v", r)
	}
}

func TestOldestOfEqualTextsStays(t *testing.T) {
	newer, older := commit(1, at(2024, 4, 1)), commit(2, at(2024, 3, 1))
	newer.Subject, older.Subject = "Reject empty header names", "reject  empty header names"
	for _, commits := range [][]MinedCommit{{newer, older}, {older, newer}} {
		r := mine(t, &fakeHistory{commits: commits}, mineOptions())
		if len(r.Tasks) != 1 || r.Tasks[0].ID != older.ID[:12] || r.Dropped[0].Reason != DropDuplicate || r.Dropped[0].Examples[0] != newer.ID {
			t.Errorf("got %+v", r)
		}
	}
}

func TestRevertWithoutAnIDTakesTheNewestBeforeIt(t *testing.T) {
	revert, again, first := commit(3, at(2024, 3, 9)), commit(2, at(2024, 3, 5)), commit(1, at(2024, 3, 1))
	later := commit(4, at(2024, 3, 10))
	for _, c := range []*MinedCommit{&again, &first, &later} {
		c.Subject = "Reject empty header names"
	}
	again.Body, first.Body, later.Body = "once more", "at first", "at last"
	revert.Subject = `Revert "Reject empty header names"`
	r := mine(t, &fakeHistory{commits: []MinedCommit{later, revert, again, first}}, mineOptions())
	var ids []string
	for _, task := range r.Tasks {
		ids = append(ids, task.ID)
	}
	if want := []string{later.ID[:12], first.ID[:12]}; !slices.Equal(ids, want) {
		t.Errorf("got %v, want %v", ids, want)
	}
}

func TestTestFilesOfACommit(t *testing.T) {
	for _, x := range []struct {
		name  string
		files []MinedFile
		want  string // of the task with WithTests; "" when there is none
	}{
		{"changed, renamed, deleted", []MinedFile{{Path: "z_test.go", Status: 'M'}, {Path: "b_test.go", OldPath: "old_test.go", Status: 'R'}, {Path: "a_test.go", Status: 'D'}}, "[a_test.go old_test.go z_test.go]"},
		{"new, copied, made a link", []MinedFile{{Path: "a_test.go", Status: 'A'}, {Path: "b_test.go", OldPath: "c_test.go", Status: 'C'}, {Path: "d_test.go", Status: 'T'}}, ""},
		{"no code", []MinedFile{{Path: "a_test.golden", Status: 'M'}}, ""},
		{"generated", []MinedFile{{Path: "gen/a_test.go", Status: 'M'}}, ""},
		{"a path that a task cannot hold", []MinedFile{{Path: `a\_test.go`, Status: 'M'}}, ""},
		{"none", nil, ""},
	} {
		c := commit(1, at(2024, 3, 5), "a.go")
		c.Files = append(c.Files, x.files...)
		h := &fakeHistory{commits: []MinedCommit{c}}
		o := mineOptions()
		all := mine(t, h, o)
		o.WithTests = true
		some := mine(t, h, o)
		if len(all.Tasks) != 1 || len(all.Tasks[0].Tests) > 0 != (x.want != "") {
			t.Errorf("%s: all tasks are %+v", x.name, all.Tasks)
		}
		switch {
		case x.want != "" && (len(some.Tasks) != 1 || fmt.Sprint(some.Tasks[0].Tests) != x.want):
			t.Errorf("%s: %+v", x.name, some.Tasks)
		case x.want == "" && (len(some.Tasks) != 0 || some.Dropped[0].Reason != DropNoTests):
			t.Errorf("%s: %d tasks, %+v", x.name, len(some.Tasks), some.Dropped)
		}
	}
}

func TestTestFilesAreBelowTheRoot(t *testing.T) {
	c := commit(1, at(2024, 3, 5), "src/a.go", "src/a_test.go", "tools/b_test.go")
	o := mineOptions()
	o.Root, o.WithTests = "src", true
	if r := mine(t, &fakeHistory{commits: []MinedCommit{c}}, o); len(r.Tasks) != 1 || fmt.Sprint(r.Tasks[0].Tests) != "[a_test.go]" {
		t.Errorf("%+v", r.Tasks)
	}
}

func TestRootOfMining(t *testing.T) {
	c := commit(1, at(2024, 3, 5), "src/a.go", "tools/b.go", "src.go")
	other := commit(2, at(2024, 3, 5), "tools/b.go")
	o := mineOptions()
	o.Root = "src/"
	r := mine(t, &fakeHistory{commits: []MinedCommit{c, other}}, o)
	if len(r.Tasks) != 1 || r.Tasks[0].Root != "src" || len(r.Tasks[0].Gold) != 1 || r.Tasks[0].Gold[0].Path != "a.go" || r.Tasks[0].Language != "go" {
		t.Errorf("got %+v", r.Tasks)
	}
	if r.Dropped[0].Reason != DropNoSource {
		t.Errorf("dropped %+v", r.Dropped)
	}
}

// manyCommits has 30 usable commits in each of the months, newest first.
func manyCommits(months int) []MinedCommit {
	var out []MinedCommit
	for m := range months {
		for i := range 30 {
			c := commit(m*30+i+1, at(2023, m+1, 1+i%28))
			c.Subject = "Reject header names of kind " + words(m*30+i)
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b MinedCommit) int { return int(b.Time - a.Time) })
	return out
}

// words spells a number in letters.
func words(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprintf("%05d", n))
}

func byMonth(tasks []Task) map[string][]string {
	out := map[string][]string{}
	for _, t := range tasks {
		out[monthOf(t.Time)] = append(out[monthOf(t.Time)], t.ID)
	}
	return out
}

func TestChoiceSpreadsOverMonths(t *testing.T) {
	o := mineOptions()
	o.Max, o.PerMonth = 50, 12
	h := &fakeHistory{commits: manyCommits(6)}
	r := mine(t, h, o)
	got := map[string]int{}
	for month, ids := range byMonth(r.Tasks) {
		got[month] = len(ids)
	}
	want := map[string]int{"2023-06": 12, "2023-05": 12, "2023-04": 12, "2023-03": 12, "2023-02": 2}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := []DropCount{{DropMonth, 4 * 18, nil}, {DropMax, 28 + 30, nil}}; r.Dropped[0].Count != want[0].Count || r.Dropped[1].Count != want[1].Count {
		t.Errorf("got %+v, want %+v", r.Dropped, want)
	}
	if len(h.asked) != 50 {
		t.Errorf("the lines of %d commits were read for 50 tasks", len(h.asked))
	}
}

func TestNewCommitsLeaveOlderMonthsAlone(t *testing.T) {
	o := mineOptions()
	o.Max, o.PerMonth = 1000, 7
	all := manyCommits(6)
	before := byMonth(mine(t, &fakeHistory{commits: slices.DeleteFunc(slices.Clone(all), func(c MinedCommit) bool { return c.Time > at(2023, 4, 10) })}, o).Tasks)
	after := byMonth(mine(t, &fakeHistory{commits: all}, o).Tasks)
	for _, month := range []string{"2023-01", "2023-02", "2023-03"} {
		if len(before[month]) != 7 || !slices.Equal(before[month], after[month]) {
			t.Errorf("%s: %v became %v", month, before[month], after[month])
		}
	}
	o.Seed = 1
	if reflect.DeepEqual(byMonth(mine(t, &fakeHistory{commits: all}, o).Tasks), after) {
		t.Error("the seed changes nothing")
	}
}

func TestUnusableCommitsMakeRoomForOthers(t *testing.T) {
	o := mineOptions()
	o.PerMonth = 25
	commits := manyCommits(1)
	h := &fakeHistory{commits: commits, changes: map[string]MinedChange{}}
	for _, c := range commits[:10] {
		h.changes[c.ID] = MinedChange{}
	}
	r := mine(t, h, o)
	if len(r.Tasks) != 20 || r.Dropped[0].Reason != DropFormat || r.Dropped[0].Count != 10 {
		t.Errorf("%d tasks, dropped %+v", len(r.Tasks), r.Dropped)
	}
}

func TestMiningTwiceGivesTheSameBytes(t *testing.T) {
	var first []byte
	for range 3 {
		r := mine(t, &fakeHistory{commits: manyCommits(4)}, mineOptions())
		var b bytes.Buffer
		if err := WriteTasks(&b, r.Tasks); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(&b, r.Dropped)
		if first == nil {
			first = b.Bytes()
		}
		if !bytes.Equal(first, b.Bytes()) {
			t.Fatal("the results differ")
		}
	}
}

func TestRecentMonthsAreWhole(t *testing.T) {
	for _, c := range []struct {
		name   string
		months []int // of tasks, newest first
		recent int
	}{
		{"none", nil, 0},
		{"one month", []int{3, 3, 3}, 3},
		{"half at the border", []int{4, 4, 3, 3}, 2},
		{"half within a month", []int{4, 3, 3, 3, 2}, 4},
		{"odd", []int{5, 4, 3}, 2},
	} {
		var tasks []Task
		for _, m := range c.months {
			tasks = append(tasks, Task{Time: at(2024, m, 1)})
		}
		markRecent(tasks)
		for i, task := range tasks {
			if got := task.Category == CategoryRecent; got != (i < c.recent) {
				t.Errorf("%s: task %d is %s", c.name, i, task.Category)
			}
		}
	}
}

func TestMineFaults(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		change func(*MineOptions)
	}{
		{"no repository", func(o *MineOptions) { o.Repo = "" }},
		{"no source", func(o *MineOptions) { o.IsSource = nil }},
		{"negative max", func(o *MineOptions) { o.Max = -1 }},
		{"negative scan", func(o *MineOptions) { o.Scan = -1 }},
	} {
		o := mineOptions()
		c.change(&o)
		if _, err := Mine(ctx, &fakeHistory{}, o); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	broken := errors.New("broken")
	if _, err := Mine(ctx, &fakeHistory{commits: manyCommits(1), err: broken}, mineOptions()); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Mine(ended, &fakeHistory{commits: manyCommits(1)}, mineOptions()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if r := mine(t, &fakeHistory{}, mineOptions()); r.Scanned != 0 || r.Tasks != nil || r.Dropped != nil {
		t.Errorf("an empty history gave %+v", r)
	}
}

func TestScanBoundsAndProgress(t *testing.T) {
	var told []MineProgress
	o := mineOptions()
	o.Scan, o.Since, o.PerMonth = 40, time.Unix(at(2023, 2, 1), 0), 5
	o.Progress = func(p MineProgress) { told = append(told, p) }
	r := mine(t, &fakeHistory{commits: manyCommits(3)}, o)
	if r.Scanned != 40 || len(r.Tasks) != 10 {
		t.Errorf("scanned %d, %d tasks", r.Scanned, len(r.Tasks))
	}
	if want := []MineProgress{{40, 5, DefaultMineMax}, {40, 10, DefaultMineMax}}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}
