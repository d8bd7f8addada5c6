package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage/ablations"
	"agenvantage/configs"
)

// TestAblationWithTheTestEmbedder runs the machinery end to end, also with the built-in model: vectors are made by the run, the model is on record, the report says what
// the embedder is, and the gate speaks of the channel. Where embeddings are off the channel is no part of the matrix.
func TestAblationWithTheTestEmbedder(t *testing.T) {
	root := plantedRepository(t)
	set := plantedTasks(t, root, 6)
	file := filepath.Join(t.TempDir(), "tasks.jsonl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(ablations.WriteTasks(f, set.Tasks), f.Close()); err != nil {
		t.Fatal(err)
	}
	asking := filepath.Join(t.TempDir(), "variants.yaml")
	matrix := "baseline: baseline\nvariants:\n  - {name: baseline, channels: [exact, bm25f]}\n  - {name: all, channels: [exact, bm25f, semantic]}\n  - {name: only-semantic, channels: [semantic]}\n"
	if err := os.WriteFile(asking, []byte(matrix), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		flags           []string
		variants        string
		model           string // or its beginning
		semantic, noted bool
	}{
		{[]string{"embed.provider=ngrams", "embed.store_dir=" + t.TempDir()}, "", "ngrams test-character-ngrams-v1", true, true},
		{[]string{"embed.provider=builtin", "embed.store_dir=" + t.TempDir()}, "", "builtin static@", true, false},
		{nil, asking, "builtin static@", true, false},
		{nil, "", "builtin static@", true, false},
		{[]string{"embed.provider=none"}, "", "", false, false},
	} {
		load := func(settings map[string]string) (*configs.Config, error) { return config(t, x.flags...), nil }
		run, err := Ablate(t.Context(), AblateRequest{Tasks: file, Variants: x.variants, Out: filepath.Join(t.TempDir(), "run"), Root: root, Config: config(t, x.flags...), Load: load, Resamples: 200})
		if err != nil {
			t.Fatal(err)
		}
		report, err := run.Report(ablations.GateLimits{})
		if err != nil {
			t.Fatal(err)
		}
		noted := slices.ContainsFunc(report.Tasks.Notes, func(n string) bool { return strings.Contains(n, "test embedder") })
		judged := slices.ContainsFunc(report.Verdicts, func(v ablations.Verdict) bool {
			return v.Channel == semanticChannel && v.Decision == ablations.Insufficient
		})
		_, arm := run.Manifest.Matrix.Arms[semanticChannel]
		if !strings.HasPrefix(report.Run.Model, x.model) || (x.model == "") != (report.Run.Model == "") || noted != x.noted || judged != x.semantic || arm != x.semantic || x.variants == "" && run.Manifest.Matrix.All != "all" {
			t.Errorf("model %q, noted %v, judged %v, arm %v, all %q", report.Run.Model, noted, judged, arm, run.Manifest.Matrix.All)
		}
		for _, s := range report.Run.Settings {
			if s.Key == "embed.store_dir" {
				t.Error("a folder of this machine is in the report")
			}
		}
		if !x.semantic {
			continue
		}
		answers, err := run.Answers()
		if err != nil {
			t.Fatal(err)
		}
		for task, ranking := range answers["only-"+semanticChannel] {
			if i := slices.IndexFunc(ranking.Channels, func(c ablations.ChannelOutcome) bool { return c.Name == semanticChannel }); i < 0 || ranking.Channels[i].Hits == 0 {
				t.Errorf("%v: %+v", task, ranking.Channels)
			}
		}
	}
}
