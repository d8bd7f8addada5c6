package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"agenvantage/embed/static/corpus"
	"agenvantage/embed/static/train"
)

// record is what a model says of its training.
type record struct {
	Config     train.Config  `json:"config"`
	Losses     []float64     `json:"losses"`
	Validation []train.Score `json:"validation"`
	Epoch      int           `json:"epoch"`
}

func runTrain(ctx context.Context, args []string) error {
	c := train.DefaultConfig()
	flags := newFlags("train")
	manifest := flags.String("manifest", manifestFile, "packages that the pairs are of")
	pairs := flags.String("pairs", "", "folder of the pairs")
	out := flags.String("out", "", "model file to write")
	checkpoint := flags.String("checkpoint", "", "file that a stopped run goes on from")
	config := flags.String("config", "", "JSON of configuration values that differ from the defaults")
	flags.IntVar(&c.Workers, "workers", c.Workers, "goroutines; no influence on the model")
	if err := parse(flags, args); err != nil {
		return err
	}
	if err := checkWorkers(c.Workers); err != nil {
		return err
	}
	if *pairs == "" || *out == "" {
		return errors.New("-pairs or -out is missing")
	}
	if *config != "" {
		if err := readConfig(&c, []byte(*config)); err != nil {
			return fmt.Errorf("-config: %w", err)
		}
	}
	packages, err := readManifest(*manifest)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(*out), 0o755); err != nil {
		return err
	}
	write := func(r train.Result) error { return writeModel(*out, c, packages, r) }
	run := &train.Run{Config: c, Dir: *pairs, Packages: packages, Checkpoint: *checkpoint, Report: report,
		Best: write} // a run that is stopped leaves the best so far
	result, err := run.Train(ctx)
	if err != nil {
		return err
	}
	return write(result)
}

// trainModel trains and returns the model file.
func trainModel(ctx context.Context, c train.Config, packages []corpus.Package, pairs, checkpoint string) ([]byte, error) {
	run := &train.Run{Config: c, Dir: pairs, Packages: packages, Checkpoint: checkpoint, Report: report}
	result, err := run.Train(ctx)
	if err != nil {
		return nil, err
	}
	return encodeModel(c, packages, result)
}

func report(p train.Progress) {
	at := p.Elapsed.Round(time.Second)
	switch p.Stage {
	case "train":
		fmt.Fprintf(os.Stderr, "%6s epoch %d, batch %d of %d, loss %.4f\n", at, p.Epoch, p.Step, p.Steps, p.Loss)
	case "validate":
		fmt.Fprintf(os.Stderr, "%6s epoch %d, mean loss %.4f, nDCG@10 of held-out packages %.4f, nested %.4f, kinds %v\n", at, p.Epoch, p.Loss, p.Score.NDCG, p.Score.Nested, p.Score.Kinds)
	default:
		fmt.Fprintf(os.Stderr, "%6s %s\n", at, p.Stage)
	}
}
