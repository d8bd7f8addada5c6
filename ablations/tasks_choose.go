package ablations

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"agenvantage"
)

// choose applies the options to tasks in the order of a set and keeps that order.
func (o LoadOptions) choose(tasks []Task) ([]Task, error) {
	if o.Limit < 0 {
		return nil, fmt.Errorf("%w: limit %d is below 0", agenvantage.ErrBadInput, o.Limit)
	}
	if len(o.Classes) > 0 && o.Classify == nil {
		return nil, fmt.Errorf("%w: classes are asked for without a classifier", agenvantage.ErrBadInput)
	}
	classes := make([]string, len(o.Classes))
	for i, c := range o.Classes {
		classes[i] = string(c)
	}
	filters := []struct {
		label string
		want  []string
		of    func(Task) string
	}{
		{"repository", o.Repos, func(t Task) string { return t.Repo }},
		{"source", o.Sources, func(t Task) string { return t.Source }},
		{"category", o.Categories, func(t Task) string { return t.Category }},
		{"language", o.Languages, func(t Task) string { return t.Language }},
		{"id", o.IDs, func(t Task) string { return t.ID }},
		{"class", classes, func(t Task) string { return string(o.Classify(t.Query)) }},
	}
	kept := tasks
	for _, f := range filters {
		if len(f.want) == 0 {
			continue
		}
		if err := checkNames(f.label, f.want, tasks, f.of); err != nil {
			return nil, err
		}
		var next []Task
		for _, t := range kept {
			if slices.Contains(f.want, f.of(t)) {
				next = append(next, t)
			}
		}
		kept = next
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("%w: no task is left: none has all that is asked for", agenvantage.ErrBadInput)
	}
	if o.Limit > 0 && o.Limit < len(kept) {
		kept = limitTasks(kept, o.Limit, o.Seed)
	}
	return kept, nil
}

func (o LoadOptions) limitNote() string {
	if o.Limit == 0 {
		return ""
	}
	return fmt.Sprintf(" (limit %d, seed %d)", o.Limit, o.Seed)
}

// checkNames refuses a name that no task has and says which there are.
func checkNames(label string, want []string, tasks []Task, of func(Task) string) error {
	have := map[string]bool{}
	for _, t := range tasks {
		have[of(t)] = true
	}
	for _, w := range want {
		if have[w] {
			continue
		}
		known := make([]string, 0, len(have))
		for k := range have {
			known = append(known, fmt.Sprintf("%q", k))
		}
		slices.Sort(known)
		more := ""
		if len(known) > 12 {
			known, more = known[:12], fmt.Sprintf(" and %d more", len(known)-12)
		}
		return fmt.Errorf("%w: no task has the %s %q (there are %s%s)", agenvantage.ErrBadInput, label, w, strings.Join(known, ", "), more)
	}
	return nil
}

// limitTasks keeps n of tasks, evenly over repositories: the repositories take turns in an order that the seed decides,
// each giving its next task in an order that the seed decides. A larger n keeps all that a smaller one keeps.
func limitTasks(tasks []Task, n int, seed uint64) []Task {
	byRepo := map[string][]int{}
	var repos []string
	for i, t := range tasks {
		if byRepo[t.Repo] == nil {
			repos = append(repos, t.Repo)
		}
		byRepo[t.Repo] = append(byRepo[t.Repo], i)
	}
	sortBySeed(repos, seed, func(r string) string { return r })
	for _, r := range repos {
		sortBySeed(byRepo[r], seed, func(i int) string { return tasks[i].ID })
	}
	var kept []int
	for turn := 0; len(kept) < n; turn++ {
		for _, r := range repos {
			if turn < len(byRepo[r]) && len(kept) < n {
				kept = append(kept, byRepo[r][turn])
			}
		}
	}
	slices.Sort(kept)
	out := make([]Task, len(kept))
	for i, k := range kept {
		out[i] = tasks[k]
	}
	return out
}

// sortBySeed orders list by the SHA-256 of the seed and a name, then by name: a shuffle that depends on nothing else in
// the list, so that what joins or leaves it does not move the others.
func sortBySeed[T any](list []T, seed uint64, name func(T) string) {
	type keyed struct {
		sum  [sha256.Size]byte
		name string
		item T
	}
	keys := make([]keyed, len(list))
	for i, item := range list {
		n := name(item)
		keys[i] = keyed{sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), n...)), n, item}
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		if c := bytes.Compare(a.sum[:], b.sum[:]); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	for i, k := range keys {
		list[i] = k.item
	}
}
