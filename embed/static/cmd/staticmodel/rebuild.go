package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"agenvantage/embed/static"
	"agenvantage/embed/static/corpus"
	"agenvantage/embed/static/train"
)

// runRebuild makes the corpus of the manifest and the model of the corpus anew, with the configuration that the model file
// records, and says whether both are what is committed. A run that was stopped goes on.
func runRebuild(ctx context.Context, args []string) error {
	flags := newFlags("rebuild")
	manifest := flags.String("manifest", manifestFile, "packages that the model was made from")
	model := flags.String("model", "embed/static/model.bin", "the model to compare with")
	work := flags.String("work", "", "folder for everything that is made; some gigabytes")
	workers := flags.Int("workers", 2, "packages, and goroutines of the training, at a time")
	apt := flags.String("apt", "", "further options of apt-get, separated by spaces")
	if err := parse(flags, args); err != nil {
		return err
	}
	if err := checkWorkers(*workers); err != nil {
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
	why, err := readNotes(made + ".left-out")
	if err != nil {
		return err
	}
	d := compareManifests(wanted, got, why)
	for _, line := range d.lines {
		fmt.Println(line)
	}
	if len(d.lines) > 0 {
		fmt.Printf("the corpus differs: %d of %d packages, %d could not be made and %d give other pairs; the model is made from what there is\n",
			len(d.lines), len(wanted), d.missing, d.changed)
	} else {
		fmt.Println("the corpus agrees:", corpus.ManifestHash(got))
	}
	fresh, err := trainModel(ctx, c, got, pairs, filepath.Join(*work, "checkpoint"))
	if err != nil {
		return err
	}
	file := filepath.Join(*work, "model.bin")
	if err := os.WriteFile(file, fresh, 0o644); err != nil {
		return err
	}
	return verdictOf(d, bytes.Equal(fresh, committed), file)
}

// verdictOf says whether corpus and model are what is committed; what differs is an error.
func verdictOf(d difference, same bool, file string) error {
	switch {
	case len(d.lines) > 0 && !same:
		return fmt.Errorf("the model differs, and so does its corpus in %d packages: %s has the new one", len(d.lines), file)
	case len(d.lines) > 0:
		return fmt.Errorf("the model agrees, byte for byte, and its corpus differs in %d packages", len(d.lines))
	case !same:
		return fmt.Errorf("the model differs, and its corpus agrees: %s has the new one", file)
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

// difference is what became of a manifest: a line for each package that is not as it was, and how many could not be made at all (gone,
// another archive than the pinned one, no network) and how many were made and are not the same.
type difference struct {
	lines            []string
	missing, changed int
}

// compareManifests says what differs; why has the reasons of packages that were left out, by their keys.
func compareManifests(wanted, got []corpus.Package, why map[string]string) (d difference) {
	byKey := map[string]corpus.Package{}
	for _, p := range got {
		byKey[p.Key()] = p
	}
	for _, w := range wanted {
		switch g, found := byKey[w.Key()]; {
		case !found:
			d.missing++
			d.lines = append(d.lines, fmt.Sprintf("%s %s could not be made: %s", w.Key(), w.Version, cmp.Or(strings.TrimPrefix(why[w.Key()], "fetch "+w.Key()+": "), "no reason is known")))
		case g.Licence != w.Licence:
			d.changed++
			d.lines = append(d.lines, fmt.Sprintf("%s %s: the same archive is read as under %q, not %q", w.Key(), w.Version, g.Licence, w.Licence))
		case g != w:
			d.changed++
			d.lines = append(d.lines, fmt.Sprintf("%s %s: the same archive gives other pairs, %d (%s) instead of %d (%s): they were made by another version of this program",
				w.Key(), w.Version, g.Pairs, g.PairsHash, w.Pairs, w.PairsHash))
		}
	}
	return d
}

// readNotes reads what pairs writes of the packages that it left out: a key, a tab and the reason, one a line.
func readNotes(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	why := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if key, reason, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			why[key] = reason
		}
	}
	return why, nil
}
