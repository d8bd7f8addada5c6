package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/embed/static/corpus"
	"agenvantage/embed/static/train"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEvaluate asks a planted repository in words that its code does not have.
func TestEvaluate(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"bench/repos.json":            `[{"name":"shop","benchmark_root":"src"}]`,
		"bench/annotations/shop.json": `[{"query":"compress a stream of data"}]`,
		"repos/shop/src/zip.go":       "package shop\n\nimport \"compress/gzip\"\n\nfunc Deflate(w io.Writer, r io.Reader) error {\n\tz := gzip.NewWriter(w)\n\t_, err := io.Copy(z, r)\n\treturn errors.Join(err, z.Close())\n}\n",
		"repos/shop/src/price.go":     "package shop\n\nfunc Total(items []Item) (sum int) {\n\tfor _, item := range items {\n\t\tsum += item.Price\n\t}\n\treturn sum\n}\n",
		"repos/shop/other/zip.go":     "package other\n",
	})
	out := filepath.Join(dir, "out.jsonl")
	args := []string{"evaluate", "-bench", filepath.Join(dir, "bench"), "-repos", filepath.Join(dir, "repos"), "-out", out}
	if err := run(context.Background(), args); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Repo    string
		Results []struct {
			Path       string
			Start, End int
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Repo != "shop" || len(answer.Results) != 4 || answer.Results[0].Path != "zip.go" || answer.Results[1].Path != "zip.go" {
		t.Errorf("%s, %v", text, err)
	}
	if err := run(context.Background(), append(args, "-as", "magic")); err == nil || !strings.Contains(err.Error(), "no such treatment") {
		t.Errorf("an unknown treatment: %v", err)
	}
}

func TestVariants(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"good": `{"name":"a","config":{"rate":0.5}}` + "\n\n" + `{"name":"b"}` + "\n",
		"key":  `{"name":"a","config":{"speed":0.5}}`,
		"name": `{"name":"../a"}`,
	})
	names, configs, err := readVariants(filepath.Join(dir, "good"), train.DefaultConfig())
	if err != nil || strings.Join(names, " ") != "a b" || configs[0].Rate != 0.5 || configs[1].Rate != train.DefaultConfig().Rate || configs[0].Batch != configs[1].Batch {
		t.Errorf("%v %+v, %v", names, configs, err)
	}
	for _, name := range []string{"key", "name", "missing"} {
		if _, _, err := readVariants(filepath.Join(dir, name), train.DefaultConfig()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCompareManifests(t *testing.T) {
	a := corpus.Package{Ecosystem: corpus.Go, Name: "example.org/a", Version: "v1", Licence: "MIT", SHA256: "s", Pairs: 3, PairsHash: "x"}
	b, pairs, licence := a, a, a
	b.Name, pairs.PairsHash, licence.Licence = "example.org/b", "y", "BSD"
	why := map[string]string{"go-example.org+b": "fetch go-example.org+b: it is gone"}
	for _, test := range []struct {
		wanted, got      []corpus.Package
		missing, changed int
		says             string
	}{
		{[]corpus.Package{a, b}, []corpus.Package{a, b}, 0, 0, ""},
		{[]corpus.Package{a, b}, []corpus.Package{a}, 1, 0, "go-example.org+b v1 could not be made: it is gone"},
		{[]corpus.Package{a}, nil, 1, 0, "go-example.org+a v1 could not be made: no reason is known"},
		{[]corpus.Package{a}, []corpus.Package{pairs}, 0, 1, "go-example.org+a v1: the same archive gives other pairs, 3 (y) instead of 3 (x): they were made by another version of this program"},
		{[]corpus.Package{a}, []corpus.Package{licence}, 0, 1, `go-example.org+a v1: the same archive is read as under "BSD", not "MIT"`},
	} {
		d := compareManifests(test.wanted, test.got, why)
		if d.missing != test.missing || d.changed != test.changed || strings.Join(d.lines, "|") != test.says {
			t.Errorf("%+v, want %+v", d, test)
		}
	}
}

// TestFingerprintsOfNothing emptied the file that says what may not be trained on.
func TestFingerprintsOfNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"prints": "kept"})
	out := filepath.Join(dir, "prints")
	if err := run(context.Background(), []string{"fingerprints", "-out", out}); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("%v", err)
	}
	if kept, err := os.ReadFile(out); err != nil || string(kept) != "kept" {
		t.Errorf("%q, %v", kept, err)
	}
}

// TestALostConnectionIsRemembered was so: a package that could not be fetched was taken for one that has no pairs by every later run.
func TestALostConnectionIsRemembered(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"manifest": "npm\tm\t1.0.0\n", "exclude": "example/other\n", "bin/npm": "#!/bin/sh\n[ -f " + filepath.Join(dir, "up") + " ] || exit 1\n" +
			"mkdir package && echo '{\"license\":\"MIT\"}' > package/package.json && tar -czf m-1.0.0.tgz package && rm -r package\n",
	})
	if err := os.Chmod(filepath.Join(dir, "bin/npm"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	notes := func() string {
		made := filepath.Join(dir, "made")
		args := []string{"pairs", "-manifest", filepath.Join(dir, "manifest"), "-exclude", filepath.Join(dir, "exclude"), "-fingerprints", "../../corpus/fingerprints.bin",
			"-out", filepath.Join(dir, "pairs"), "-write", made}
		if err := run(context.Background(), args); !errors.Is(err, errAllLeftOut) { // it is the only one
			t.Fatal(err)
		}
		why, err := readNotes(made + ".left-out")
		if err != nil {
			t.Fatal(err)
		}
		return why["npm-m"]
	}
	if got := notes(); !strings.Contains(got, "exit status 1") {
		t.Errorf("without a network: %q", got)
	}
	write(t, dir, map[string]string{"up": ""})
	if got := notes(); got != "no pairs" {
		t.Errorf("with one: %q", got)
	}
}

// TestConfigComesBackFromTheModel reads the configuration that the model in the repository records.
func TestConfigComesBackFromTheModel(t *testing.T) {
	data, err := os.ReadFile("../../model.bin")
	if err != nil {
		t.Fatal(err)
	}
	c, err := configOf(data)
	if err != nil || c.Batch == 0 || c.Dimensions != 256 || c.Seed == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	c.Workers = 1
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if _, err := configOf(data[1:]); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a damaged model: %v", err)
	}
}

func TestUnknownCommand(t *testing.T) {
	for _, args := range [][]string{nil, {"fly"}} {
		if err := run(context.Background(), args); err == nil || !strings.Contains(err.Error(), "rebuild") {
			t.Errorf("%v: %v", args, err)
		}
	}
	for _, args := range [][]string{{"pairs"}, {"train"}, {"study"}, {"evaluate"}, {"rebuild"}} {
		if err := run(context.Background(), args); err == nil || !strings.Contains(err.Error(), "missing") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestWhatRebuildSaysInTheEnd(t *testing.T) {
	differs := difference{lines: []string{"a", "b"}}
	for _, x := range []struct {
		d    difference
		same bool
		want string
	}{
		{difference{}, true, ""},
		{difference{}, false, "the model differs, and its corpus agrees: f has the new one"},
		{differs, false, "the model differs, and so does its corpus in 2 packages: f has the new one"},
		{differs, true, "the model agrees, byte for byte, and its corpus differs in 2 packages"},
	} {
		err := verdictOf(x.d, x.same, "f")
		if got := fmt.Sprint(err); err == nil && x.want != "" || err != nil && got != x.want {
			t.Errorf("%+v: %v", x, err)
		}
	}
}
