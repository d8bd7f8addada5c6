package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/embed/static/corpus"
)

// plantedCorpus writes pairs of which each question shares the words of a subject with its code.
func plantedCorpus(t *testing.T) (dir string, packages []corpus.Package) {
	t.Helper()
	dir = t.TempDir()
	random := rand.New(rand.NewPCG(7, 7))
	word := func(n int) string { return fmt.Sprintf("w%s", strings.Repeat(string(rune('a'+n%26)), 2+n/26)) }
	for i := range 60 {
		p := corpus.Package{Ecosystem: corpus.Go, Name: fmt.Sprintf("example.org/p%d", i), Version: "v1", Licence: "MIT"}
		var pairs []corpus.Pair
		for k := range 24 {
			a, b := random.IntN(60), random.IntN(60)
			pairs = append(pairs, corpus.Pair{Kind: corpus.KindDoc, Lang: "go", Query: word(a) + " of the " + word(b), Path: fmt.Sprintf("f%d.go", k), Name: "T", Start: 1, End: 9,
				Body: fmt.Sprintf("func %s(x %s) { return %s.%s }", word(a+60), word(b+60), word(b+60), word(random.IntN(120)))})
		}
		p.Pairs = len(pairs)
		if err := corpus.WritePairs(dir, p, pairs); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	corpus.Sort(packages)
	return dir, packages
}

func smallConfig() Config {
	c := DefaultConfig()
	c.Pieces, c.Joined, c.Buckets, c.Dimensions, c.Nested, c.Batch, c.Run, c.Epochs, c.HardNegatives = 400, 50, 20, 64, []int{32, 64}, 64, 8, 3, 2
	return c
}

// TestRunsAreRepeatable trains twice, and once in two goes with a checkpoint between: the same model each time.
func TestRunsAreRepeatable(t *testing.T) {
	dir, packages := plantedCorpus(t)
	train := func(checkpoint string, c Config, stopAfter int) (Result, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		r := &Run{Config: c, Dir: dir, Packages: packages, Checkpoint: checkpoint}
		r.Report = func(p Progress) {
			if p.Stage == "validate" && p.Epoch == stopAfter {
				cancel()
			}
		}
		return r.Train(ctx)
	}
	c := smallConfig()
	first, err := train("", c, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Scores) != 3 || first.Scores[first.Epoch-1].NDCG < 0.4 || first.Losses[2] >= first.Losses[0] {
		t.Errorf("nothing was learned: losses %v, scores %+v", first.Losses, first.Scores)
	}
	c.Workers = 1
	second, err := train("", c, 0)
	if err != nil || !slices.Equal(first.Rows, second.Rows) || !slices.Equal(first.Query, second.Query) || !slices.Equal(first.Code, second.Code) {
		t.Errorf("a second run gives another model, %v", err)
	}
	file := filepath.Join(t.TempDir(), "checkpoint")
	if _, err := train(file, c, 1); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped run: %v", err)
	}
	resumed, err := train(file, c, 0)
	if err != nil || !slices.Equal(first.Rows, resumed.Rows) || !slices.Equal(first.Losses, resumed.Losses) {
		t.Errorf("a resumed run gives another model, %v", err)
	}
	c.Seed = 2
	if _, err := train(file, c, 0); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a checkpoint of another configuration: %v", err)
	}
}

func TestConfigRefuses(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"dimensions":  func(c *Config) { c.Dimensions = 100 },
		"nested":      func(c *Config) { c.Nested = []int{64} },
		"nested step": func(c *Config) { c.Nested = []int{10, 256} },
		"order":       func(c *Config) { c.Nested = []int{128, 64, 256} },
		"batch":       func(c *Config) { c.Batch = 100 },
		"run":         func(c *Config) { c.Run = 7 },
		"temperature": func(c *Config) { c.Temperature = 0 },
		"part":        func(c *Config) { c.Part = 0 },
		"workers":     func(c *Config) { c.Workers = 0 },
		"joined":      func(c *Config) { c.Joined = c.Pieces + 1 },
	} {
		c := DefaultConfig()
		change(&c)
		if err := c.Validate(); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := DefaultConfig().Validate(); err != nil {
		t.Error(err)
	}
}
