package ablations

import "slices"

// The tokens of a repository are estimated, since counting them costs more than the run: source has about four bytes a token.
const bytesPerToken = 4

// measurePack gives the metrics of an answer that is a pack. An answer with a status is one; false_ready needs no more.
func measurePack(v Values, m *matched, gold []goldFile) {
	status := m.ranking.Status
	if status == "" {
		return
	}
	in := 0
	for _, g := range gold {
		if slices.Contains(m.same(g.path), true) {
			in++
		}
	}
	allIn := in == len(gold)
	v["pack_file_recall"], v["all_in"] = float64(in)/float64(len(gold)), truth(allIn)
	ready := status == "ready"
	v["ready"] = truth(ready)
	if allIn {
		v["ready_all_in"] = truth(ready)
	}
	if ready {
		v["false_ready"] = truth(!allIn)
	}
	if tests := m.task.Tests; len(tests) > 0 {
		found := 0
		for _, t := range tests {
			if slices.Contains(m.same(t), true) {
				found++
			}
		}
		v["test_recall"] = float64(found) / float64(len(tests))
	}
	if p := m.ranking.PackFacts; p != nil && p.IndexedBytes > 0 {
		v["reduction"] = 1 - float64(p.Tokens)*bytesPerToken/float64(p.IndexedBytes)
	}
}
