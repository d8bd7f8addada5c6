package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"agenvantage/embed/static"
	"agenvantage/embed/static/corpus"
	"agenvantage/embed/static/train"
)

// runRebuild makes the corpus of the manifest and the model of the corpus anew, with the configuration that the model file
// records, and says whether both are what is committed. A run that was stopped goes on.
func runRebuild(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("rebuild", flag.ContinueOnError)
	manifest := flags.String("manifest", manifestFile, "packages that the model was made from")
	model := flags.String("model", "embed/static/model.bin", "the model to compare with")
	work := flags.String("work", "", "folder for everything that is made; some gigabytes")
	workers := flags.Int("workers", 2, "packages, and goroutines of the training, at a time")
	apt := flags.String("apt", "", "further options of apt-get, separated by spaces")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *work == "" {
		return errors.New("-work is missing")
	}
	committed, err := os.ReadFile(*model)
	if err != nil {
		return err
	}
	c, err := configOf(committed)
	if err != nil {
		return err
	}
	c.Workers = *workers
	pairs, made := filepath.Join(*work, "pairs"), filepath.Join(*work, "manifest.tsv")
	if err := runPairs(ctx, []string{"-manifest", *manifest, "-out", pairs, "-work", filepath.Join(*work, "sources"), "-workers", strconv.Itoa(*workers), "-apt", *apt, "-write", made}); err != nil {
		return err
	}
	wanted, err := readManifest(*manifest)
	if err != nil {
		return err
	}
	got, err := readManifest(made)
	if err != nil {
		return err
	}
	if n := compareManifests(wanted, got); n > 0 {
		return fmt.Errorf("%d of %d packages differ: the corpus is not the one that the model was made from", n, len(wanted))
	}
	fmt.Println("the corpus agrees:", corpus.ManifestHash(got))
	fresh, err := trainModel(ctx, c, got, pairs, filepath.Join(*work, "checkpoint"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(*work, "model.bin"), fresh, 0o644); err != nil {
		return err
	}
	if !bytes.Equal(fresh, committed) {
		return fmt.Errorf("the model differs: %s has the new one", filepath.Join(*work, "model.bin"))
	}
	fmt.Println("the model agrees, byte for byte")
	return nil
}

// configOf returns the configuration that a model records.
func configOf(model []byte) (train.Config, error) {
	m, err := static.Decode(model)
	if err != nil {
		return train.Config{}, err
	}
	text, err := json.Marshal(m.Info().Training)
	if err != nil {
		return train.Config{}, err
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return train.Config{}, err
	}
	return r.Config, nil
}

// compareManifests prints what differs and returns how many packages do.
func compareManifests(wanted, got []corpus.Package) int {
	byKey := map[string]corpus.Package{}
	for _, p := range got {
		byKey[p.Key()] = p
	}
	n := 0
	for _, w := range wanted {
		switch g, found := byKey[w.Key()]; {
		case !found:
			n++
			fmt.Println(w.Key(), w.Version, "could not be made")
		case g != w:
			n++
			fmt.Printf("%s: %+v, was %+v\n", w.Key(), g, w)
		}
	}
	return n
}
