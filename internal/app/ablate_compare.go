package app

import (
	"fmt"
	"slices"

	"agenvantage"
	"agenvantage/ablations"
)

// CompareRuns compares the variants that two runs share, task by task. metrics are names of ablations.Metrics.
func CompareRuns(a, b *ablations.Run, metrics []string) ([]ablations.Comparison, []string, error) {
	set, notes, err := commonTasks(a, b)
	if err != nil {
		return nil, nil, err
	}
	before, err := a.Answers()
	if err != nil {
		return nil, nil, err
	}
	after, err := b.Answers()
	if err != nil {
		return nil, nil, err
	}
	m := b.Manifest
	options := ablations.SummaryOptions{Budgets: m.Budgets, Seed: m.Seed, Resamples: m.Resamples}
	var list []ablations.Comparison
	for _, v := range m.Matrix.Variants {
		if _, ok := before[v.Name]; !ok {
			notes = append(notes, "variant "+v.Name+" is in the second run alone")
			continue
		}
		notes = append(notes, packsNote(v, a.Manifest.Matrix.Variants)...)
		for _, metric := range metrics {
			for _, class := range slices.Concat([]ablations.Class{""}, ablations.Classes()) {
				if c, ok := ablations.Compare(set, before[v.Name], after[v.Name], metric, class, options); ok {
					c.B = v.Name
					list = append(list, c)
				}
			}
		}
	}
	ablations.AdjustComparisons(list) // of a metric and class all variants were tested together
	for i := range list {
		list[i].A = list[i].B
	}
	return list, notes, nil
}

// packsNote says that a variant answers otherwise in the first run.
func packsNote(after ablations.Variant, others []ablations.Variant) []string {
	for _, before := range others {
		if before.Name == after.Name && before.Pack != after.Pack {
			return []string{fmt.Sprintf("variant %s answers with %s in the first run and with %s in the second: differences are those of the budgets as well",
				after.Name, answerText(before), answerText(after))}
		}
	}
	return nil
}

func answerText(v ablations.Variant) string {
	if v.Pack == 0 {
		return "a search"
	}
	return fmt.Sprintf("a pack of %d tokens", v.Pack)
}

// commonTasks are those that both runs hold with the same content.
func commonTasks(a, b *ablations.Run) (ablations.TaskSet, []string, error) {
	if a.Tasks.Hash == b.Tasks.Hash {
		return b.Tasks, nil, nil
	}
	old := map[string]string{}
	for _, t := range a.Tasks.Tasks {
		if one, err := ablations.NewTaskSet("", []ablations.Task{t}); err == nil {
			old[t.ID] = one.Hash
		}
	}
	var common []ablations.Task
	for _, t := range b.Tasks.Tasks {
		if one, err := ablations.NewTaskSet("", []ablations.Task{t}); err == nil && old[t.ID] == one.Hash {
			common = append(common, t)
		}
	}
	if len(common) == 0 {
		return ablations.TaskSet{}, nil, fmt.Errorf("%w: the runs %s and %s have no task in common", agenvantage.ErrBadInput, a.Dir(), b.Dir())
	}
	set, err := ablations.NewTaskSet(b.Tasks.Name, common)
	return set, []string{fmt.Sprintf("the task sets differ: %d tasks are in both", len(common))}, err
}
