package ablations

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"agenvantage"
)

// LoadOptions narrows a task set. The zero value takes every task. A list of names lets through the tasks with one of them;
// a name that no task of the set has is an error, since it is a slip of the hand.
type LoadOptions struct {
	Repos      []string
	Sources    []string
	Categories []string
	Languages  []string
	IDs        []string
	Classes    []Class                  // needs Classify
	Classify   func(query string) Class // the production classifier; nil when Classes is empty
	Limit      int                      // at most this many of the tasks that the names let through; 0 means all
	Seed       uint64                   // decides which tasks a limit keeps
}

// LoadTasks reads a task set: a JSON-lines file, a folder with such files, code search annotations (a folder with
// annotations/ and repos.json), or one file of such annotations. docs/reference/tasks.md describes the formats.
//
// Every fault of the input is an agenvantage.ErrBadInput, and all faults of a set come together as TaskFaults. Notes of the
// set say what a reader of the figures must know: repeated questions, a limit.
func LoadTasks(path string, o LoadOptions) (TaskSet, error) {
	in, err := findTasks(path)
	if err != nil {
		return TaskSet{}, err
	}
	var faults TaskFaults
	tasks, err := in.read(&faults)
	if err != nil {
		return TaskSet{}, err
	}
	checkSet(tasks, &faults)
	if len(faults) > 0 {
		return TaskSet{}, faults
	}
	if len(tasks) == 0 {
		return TaskSet{}, fmt.Errorf("%w: task set %s holds no task", agenvantage.ErrBadInput, path)
	}
	all := len(tasks)
	if tasks, err = o.choose(tasks); err != nil {
		return TaskSet{}, fmt.Errorf("choose tasks of %s: %w", path, err)
	}
	notes := repeatedQuestions(tasks)
	if len(tasks) < all {
		notes = append(notes, fmt.Sprintf("%d of the %d tasks of the set were chosen%s", len(tasks), all, o.limitNote()))
	}
	return TaskSet{Name: in.name, Tasks: tasks, Hash: hashTasks(tasks), Notes: notes}, nil
}

// NewTaskSet checks tasks that were not read from a file (mined ones) by the rules of LoadTasks and puts them in order.
func NewTaskSet(name string, tasks []Task) (TaskSet, error) {
	var faults TaskFaults
	tasks = slices.Clone(tasks)
	for _, t := range tasks {
		checkTask(t, faultsOf(&faults, cmp.Or(t.Origin, t.ID)))
	}
	checkSet(tasks, &faults)
	if len(faults) > 0 {
		return TaskSet{}, faults
	}
	if len(tasks) == 0 {
		return TaskSet{}, fmt.Errorf("%w: task set %s holds no task", agenvantage.ErrBadInput, name)
	}
	sortTasks(tasks)
	return TaskSet{Name: name, Tasks: tasks, Hash: hashTasks(tasks), Notes: repeatedQuestions(tasks)}, nil
}

// sortTasks is the order of TaskSet: tasks of one state of a repository stand together, so that it is opened once.
func sortTasks(tasks []Task) {
	slices.SortFunc(tasks, func(a, b Task) int {
		return cmp.Or(strings.Compare(a.Repo, b.Repo), strings.Compare(a.Revision, b.Revision), strings.Compare(a.ID, b.ID))
	})
}

// repeatedQuestions names each question that a repository is asked more than once. Such tasks count as often as they
// stand in the set, as the scorers of public sets count them.
func repeatedQuestions(tasks []Task) []string {
	type question struct{ repo, revision, query string }
	ids := map[question][]string{}
	for _, t := range tasks {
		q := question{t.Repo, t.Revision, t.Query}
		ids[q] = append(ids[q], t.ID)
	}
	var notes []string
	for q, same := range ids {
		if len(same) > 1 {
			slices.Sort(same)
			notes = append(notes, fmt.Sprintf("%s is asked %q %d times (%s); each counts",
				q.repo, clip(q.query, 60), len(same), strings.Join(same, ", ")))
		}
	}
	slices.Sort(notes)
	return notes
}

// hashTasks is the first 16 hex digits of the SHA-256 of tasks in their order. Every field but Origin takes part; strings
// and lists are preceded by their length, so that no two sets have the same encoding.
func hashTasks(tasks []Task) string {
	b := []byte("agenvantage tasks 1\n")
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	number := func(n int) { b = binary.AppendVarint(b, int64(n)) }
	span := func(s agenvantage.Span) { number(s.StartLine); number(s.EndLine) }
	targets := func(list []Target) {
		number(len(list))
		for _, t := range list {
			text(t.Path)
			number(len(t.Ranges))
			for _, r := range t.Ranges {
				span(r)
			}
		}
	}
	number(len(tasks))
	for _, t := range tasks {
		for _, s := range []string{t.ID, t.Repo, t.Revision, t.Root, t.Source, t.Language, t.Category, t.Query, string(t.Match)} {
			text(s)
		}
		targets(t.Gold)
		targets(t.Optional)
		number(len(t.Context))
		for _, p := range t.Context {
			text(p.Path)
			span(p.Span)
		}
		if t.NoAnswer {
			number(1)
		} else {
			number(0)
		}
		b = binary.AppendVarint(b, t.Time)
		// Tests joined the format later: a task without any is encoded as before. The empty text cannot be the id of the next.
		if len(t.Tests) > 0 {
			text("")
			number(len(t.Tests))
			for _, p := range t.Tests {
				text(p)
			}
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
