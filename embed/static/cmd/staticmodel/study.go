package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"agenvantage/embed/static"
	"agenvantage/embed/static/corpus"
	"agenvantage/embed/static/train"
)

// variant is one line of a file of variants.
type variant struct {
	Name   string          `json:"name"`
	Config json.RawMessage `json:"config"` // what differs from the configuration of the study
}

// runStudy trains one model for each variant on pairs that are read once.
func runStudy(ctx context.Context, args []string) error {
	c := train.DefaultConfig()
	flags := newFlags("study")
	manifest := flags.String("manifest", manifestFile, "packages that the pairs are of")
	pairs := flags.String("pairs", "", "folder of the pairs")
	out := flags.String("out", "", "folder for the models")
	list := flags.String("variants", "", `file with a line for each variant: {"name": …, "config": {…}}`)
	config := flags.String("config", "{}", "JSON of configuration values of all variants that differ from the defaults")
	flags.IntVar(&c.Workers, "workers", c.Workers, "goroutines; no influence on the models")
	if err := parse(flags, args); err != nil {
		return err
	}
	if err := checkWorkers(c.Workers); err != nil {
		return err
	}
	if *pairs == "" || *out == "" || *list == "" {
		return errors.New("-pairs, -out or -variants is missing")
	}
	if err := readConfig(&c, []byte(*config)); err != nil {
		return fmt.Errorf("-config: %w", err)
	}
	names, configs, err := readVariants(*list, c)
	if err != nil {
		return err
	}
	packages, err := readManifest(*manifest)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	run := &train.Run{Config: c, Dir: *pairs, Packages: packages, Report: report}
	_, err = run.Study(ctx, configs, func(i int, r train.Result) error {
		fmt.Printf("%s\tpairs %d\tepoch %d\tlosses %.3f\tnDCG %.4f\tnested %.4f\tkinds %v\n", names[i], r.Pairs, r.Epoch, r.Losses, r.Score.NDCG, r.Score.Nested, r.Score.Kinds)
		return writeModel(filepath.Join(*out, names[i]+".bin"), configs[i], packages, r)
	})
	return err
}

func readConfig(c *train.Config, text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(c)
}

func readVariants(file string, base train.Config) (names []string, configs []train.Config, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var v variant
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, nil, fmt.Errorf("variant %q: %w", lines.Text(), err)
		}
		if v.Name == "" || filepath.Base(v.Name) != v.Name {
			return nil, nil, fmt.Errorf("variant %q: its name is no name of a file", lines.Text())
		}
		c := base
		if len(v.Config) > 0 {
			if err := readConfig(&c, v.Config); err != nil {
				return nil, nil, fmt.Errorf("variant %s: %w", v.Name, err)
			}
		}
		names, configs = append(names, v.Name), append(configs, c)
	}
	return names, configs, lines.Err()
}

// encodeModel is the file of a trained model.
func encodeModel(c train.Config, packages []corpus.Package, r train.Result) ([]byte, error) {
	v := r.Vocabulary
	info := static.Info{Dimensions: c.Dimensions, Nested: c.Nested, Pieces: v.Pieces(), Buckets: c.Buckets, Manifest: corpus.ManifestHash(packages),
		Packages: len(packages), Pairs: r.Pairs, Training: record{c, r.Losses, r.Scores, r.Epoch}}
	return static.Encode(info, v.Spellings(), r.Rows, r.Query, r.Code)
}

func writeModel(file string, c train.Config, packages []corpus.Package, r train.Result) error {
	model, err := encodeModel(c, packages, r)
	if err != nil {
		return err
	}
	return os.WriteFile(file, model, 0o644)
}
