package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/configs"
)

// ablatePackRequest asks for packs over the planted repository, with instructions and tests beside its sources.
func ablatePackRequest(t *testing.T, pack int) AblateRequest {
	t.Helper()
	root := plantedRepository(t)
	write(t, filepath.Join(root, "AGENTS.md"), "# Rules\n\nHandlers are about topics. Run the tests of every handler before a change.\n")
	write(t, filepath.Join(root, "f02_test.go"), "package p\n\nimport \"testing\"\n\nfunc TestHandler2(t *testing.T) { Handler2() }\n")
	tasks := ""
	for i := 2; i <= 12; i += 2 {
		tasks += fmt.Sprintf(`{"id":"t%02d","repo":"%s","task":"what Handler%d does with topic%dalpha is wrong","gold":[{"path":"f%02d.go","ranges":[[4,8]]}]%s}`+"\n",
			i, RepoName(root), i, i, i, map[bool]string{true: `,"tests":["f02_test.go"]`}[i == 2])
	}
	file := filepath.Join(t.TempDir(), "tasks.jsonl")
	write(t, file, tasks)
	cfg := config(t)
	return AblateRequest{Tasks: file, Root: root, Config: cfg, Out: filepath.Join(t.TempDir(), "run"), Pack: pack, Resamples: 100,
		Load: func(map[string]string) (*configs.Config, error) { return cfg, nil }}
}

func TestVariantsAnswerWithPacks(t *testing.T) {
	r := ablatePackRequest(t, 1500)
	r.Variants = filepath.Join(t.TempDir(), "v.yaml")
	write(t, r.Variants, "variants: [{name: packs}, {name: large, pack: 3000}]")
	run, err := Ablate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if m := run.Manifest; !slices.Equal(m.Budgets, []int{500, 1000, 1500, 2000, 3000, 4000, 8000}) || m.Matrix.Variants[0].Pack != 1500 || m.Matrix.Variants[1].Pack != 3000 ||
		!strings.HasPrefix(m.Tokenizer, "the larger count of ") {
		t.Errorf("%+v", m)
	}
	answers, err := run.Answers()
	if err != nil {
		t.Fatal(err)
	}
	for variant, budget := range map[string]int{"packs": 1500, "large": 3000} {
		for id, a := range answers[variant] {
			evidence := 0
			for _, u := range a.Units {
				evidence += u.Tokens
				if u.Path == "AGENTS.md" || u.Path == "" || u.Start < 1 || u.End < u.Start {
					t.Errorf("%s of %s: unit %+v", id, variant, u)
				}
			}
			if a.PackFacts == nil {
				t.Fatalf("%s of %s has no facts", id, variant)
			}
			if a.Budget != budget || a.Tokens > budget || evidence >= a.Tokens || a.IndexedBytes < plantedTopics*100 || a.Chance < 0 || a.Chance > 1 ||
				a.Slots[string(agenvantage.SlotImplementation)] == "" || !slices.Contains([]string{"ready", "partial", "insufficient"}, a.Status) {
				t.Errorf("%s of %s: %d tokens of evidence in %+v, %s", id, variant, evidence, a.PackFacts, a.Status)
			}
		}
	}
	report, err := WriteReports(run, Limits(r.Config))
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Packs) != 2 || report.Packs[0].Packs != 6 || report.Packs[0].OverBudget != 0 || report.Packs[0].Reduced != 6 {
		t.Errorf("%+v", report.Packs)
	}
	scores := report.Variants[0].Overall
	if e := scores["pack_file_recall"]; e.QueryMean != 1 || e.Tasks != 6 {
		t.Errorf("files that are named are in: %+v", e)
	}
	if e := scores["test_recall"]; e.Tasks != 1 {
		t.Errorf("one task names tests: %+v", e)
	}
	var b bytes.Buffer
	if lines, err := run.WriteResults(&b, "packs"); err != nil || lines != 6 || !strings.Contains(b.String(), `"status":"`+answers["packs"]["t02"].Status) {
		t.Errorf("%d lines, %v", lines, err)
	}
}

// A task whose frame alone is larger than the budget ended the run.
func TestATaskThatIsTooLongForAPackIsInsufficient(t *testing.T) {
	r := ablatePackRequest(t, 500)
	lines := strings.Repeat("and the handler of topic2alpha is wrong in another way, as one more sentence says; ", 60)
	write(t, r.Tasks, fmt.Sprintf(`{"id":"long","repo":"%s","task":"what Handler2 does is wrong %s","gold":[{"path":"f02.go","ranges":[[4,8]]}]}`, RepoName(r.Root), lines)+"\n")
	r.Pack = 200
	run, err := Ablate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := run.Answers()
	if err != nil {
		t.Fatal(err)
	}
	for variant, tasks := range answers {
		if a := tasks["long"]; a.Status != "insufficient" || len(a.Units) != 0 || a.PackFacts == nil || a.Budget != 200 || a.Tokens != 0 {
			t.Errorf("%s: %+v", variant, a)
		}
	}
}

func TestARepeatedRunOfPacksGivesTheSameRankings(t *testing.T) {
	r := ablatePackRequest(t, 1500)
	var texts [2]string
	for i := range texts {
		r.Out = filepath.Join(t.TempDir(), "run")
		run, err := Ablate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		answers, err := run.Answers()
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(answers)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}

func TestPacksOfNoSizeAreRefused(t *testing.T) {
	for _, pack := range []int{-1, ablations.MaxPackBudget + 1} {
		r := ablatePackRequest(t, pack)
		if _, err := Ablate(t.Context(), r); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), fmt.Sprintf("a pack of %d tokens", pack)) {
			t.Errorf("%d: %v", pack, err)
		}
	}
	if _, err := Ablate(t.Context(), ablatePackRequest(t, 5)); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "the smallest that does is") {
		t.Errorf("a budget that holds no pack: %v", err)
	}
}

func TestComparedRunsOfOtherPacksSaySo(t *testing.T) {
	at := func(pack int) ablations.Variant { return ablations.Variant{Name: "a", Pack: pack} }
	for _, x := range []struct {
		before, after int
		want          string
	}{
		{6000, 6000, "[]"}, {0, 0, "[]"},
		{2000, 6000, "[variant a answers with a pack of 2000 tokens in the first run and with a pack of 6000 tokens in the second: differences are those of the budgets as well]"},
		{0, 6000, "[variant a answers with a search in the first run and with a pack of 6000 tokens in the second: differences are those of the budgets as well]"},
	} {
		if got := fmt.Sprint(packsNote(at(x.after), []ablations.Variant{{Name: "b", Pack: 1}, at(x.before)})); got != x.want {
			t.Errorf("%d and %d: %s", x.before, x.after, got)
		}
	}
}

func TestInstructionsMapAndHistoryAreNoEvidence(t *testing.T) {
	for _, x := range []struct {
		block agenvantage.Block
		want  bool
	}{
		{agenvantage.Block{Kind: agenvantage.BlockSource, Path: "a.go"}, true},
		{agenvantage.Block{Kind: agenvantage.BlockDocument, Path: "a.md"}, true},
		{agenvantage.Block{Kind: agenvantage.BlockInstruction, Path: "AGENTS.md"}, false},
		{agenvantage.Block{Kind: agenvantage.BlockMap}, false},
		{agenvantage.Block{Kind: agenvantage.BlockHistory}, false},
		{agenvantage.Block{Kind: agenvantage.BlockDocument}, false},
	} {
		if got := isEvidence(x.block); got != x.want {
			t.Errorf("%+v: %v", x.block, got)
		}
	}
}
