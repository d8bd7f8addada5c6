// Command bench measures what a user feels, on real code that is on every machine that built the product: cold build,
// no-op update, one-file update, queries in process and as a fresh process. It is a command, not a test: it asserts no
// speed. Run it with `make bench`, or `go run ./internal/bench -corpus DIR` for a tree of your own (it is copied first).
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/configs"
	"agenvantage/internal/app"
)

func main() {
	binary := flag.String("bin", "bin/agenvantage", "the built product")
	corpus := flag.String("corpus", "", "tree to copy and index; empty means the modules that this product is built from")
	queries := flag.Int("queries", 400, "number of queries in process")
	keep := flag.Bool("keep", false, "keep the copy and its index, and say where they are")
	flag.Parse()
	if err := run(*binary, *corpus, *queries, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(binary, corpus string, queryCount int, keep bool) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "agenvantage-bench-")
	if err != nil {
		return err
	}
	if keep {
		fmt.Println("kept in", work)
	} else {
		defer os.RemoveAll(work)
	}
	tree := filepath.Join(work, "tree")
	sources, err := sourceFolders(corpus)
	if err != nil {
		return err
	}
	for i, source := range sources {
		if err := copyTree(source, filepath.Join(tree, fmt.Sprintf("%03d-%s", i, strings.Split(filepath.Base(source), "@")[0]))); err != nil {
			return fmt.Errorf("copy %s: %w", source, err)
		}
	}
	if err := exec.Command("git", "-C", tree, "init", "-q").Run(); err != nil {
		return fmt.Errorf("git init: %w", err)
	}
	fmt.Printf("machine      %d cores, %s, %s/%s\n", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)

	cold, err := index(binary, tree)
	if err != nil {
		return err
	}
	megabytes := float64(cold.summary.Bytes) / 1e6
	fmt.Printf("corpus       %d files, %.1f MB, %d chunks, %d symbols\n", cold.summary.Files, megabytes, cold.summary.Chunks, cold.summary.Symbols)
	fmt.Printf("cold build   %.1f s, %.2f MB/s, peak %.0f MB, index %.2f bytes a source byte\n", cold.wall.Seconds(), megabytes/cold.wall.Seconds(),
		float64(cold.peakKiB)/1024, float64(cold.summary.IndexBytes)/float64(cold.summary.Bytes))

	noop, err := median(5, func() (time.Duration, error) { r, err := index(binary, tree); return r.wall, err })
	if err != nil {
		return err
	}
	fmt.Printf("no-op update %s (median of 5 processes)\n", noop.Round(time.Millisecond))
	edited, err := someGoFile(tree)
	if err != nil {
		return err
	}
	edits := 0
	one, err := median(5, func() (time.Duration, error) {
		edits++
		f, err := os.OpenFile(edited, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return 0, err
		}
		fmt.Fprintf(f, "\nfunc benchEdit%d() int { return %d }\n", edits, edits)
		if err := f.Close(); err != nil {
			return 0, err
		}
		r, err := index(binary, tree)
		if err == nil && r.summary.Changed != 1 {
			err = fmt.Errorf("one edited file, %d changed", r.summary.Changed)
		}
		return r.wall, err
	})
	if err != nil {
		return err
	}
	fmt.Printf("one file     %s (median of 5 processes)\n", one.Round(time.Millisecond))
	if err := inProcess(tree, queryCount); err != nil {
		return err
	}
	for _, mode := range []struct {
		name string
		args []string
	}{{"fresh query ", nil}, {"  no refresh", []string{"--no-refresh"}}} {
		fresh, err := median(9, func() (time.Duration, error) {
			started := time.Now()
			out, err := exec.Command(binary, append([]string{"search", "--repo", tree, "--json"}, append(mode.args, "parse config file")...)...).Output()
			if err == nil && !bytes.Contains(out, []byte(`"results"`)) {
				err = fmt.Errorf("search gave no results field")
			}
			return time.Since(started), err
		})
		if err != nil {
			return err
		}
		fmt.Printf("%s %s (median of 9 processes)\n", mode.name, fresh.Round(time.Millisecond))
	}
	return nil
}

type indexRun struct {
	summary app.IndexSummary
	wall    time.Duration
	peakKiB int64
}

func index(binary, tree string) (indexRun, error) {
	command := exec.Command(binary, "index", "--repo", tree, "--json")
	started := time.Now()
	out, err := command.Output()
	r := indexRun{wall: time.Since(started)}
	if err != nil {
		return r, fmt.Errorf("index: %w", err)
	}
	r.peakKiB = peakKiB(command.ProcessState)
	return r, json.Unmarshal(out, &r.summary)
}

// inProcess times queries of three shapes over one open index: names of symbols, two words of a name, four words of a
// doc comment. They are drawn from the corpus with a fixed seed.
func inProcess(tree string, count int) error {
	config, _, err := configs.Load(configs.LoadOptions{RepoRoot: tree})
	if err != nil {
		return err
	}
	a, err := app.Open(tree, config)
	if err != nil {
		return err
	}
	defer a.Close()
	ctx := context.Background()
	queries, err := drawQueries(ctx, a, count)
	if err != nil {
		return err
	}
	var all []time.Duration
	for _, shape := range []string{"symbol", "words", "sentence"} {
		var took []time.Duration
		var stages stageShares
		for _, q := range queries[shape] {
			started := time.Now()
			response, err := a.Search(ctx, app.SearchRequest{Query: q, NoRefresh: true}, nil)
			if err != nil {
				return fmt.Errorf("search %q: %w", q, err)
			}
			took = append(took, time.Since(started))
			stages.add(response)
		}
		show(shape, took)
		fmt.Printf("             %s\n", stages.text())
		all = append(all, took...)
	}
	show("all three", all)
	return packs(ctx, a, queries)
}

// stageShares sums what the stages of searches took, and the channels within the stage that they share.
type stageShares struct {
	names []string
	took  map[string]float64
	total float64
}

func (s *stageShares) add(r agenvantage.Response) {
	s.total += r.TookMS
	for _, stage := range r.Stages {
		s.count(stage.Name, stage.TookMS)
		for _, c := range r.Channels {
			if stage.Name == "channels" && c.TookMS > 0 {
				s.count("of them "+c.Name, c.TookMS)
			}
		}
	}
}

func (s *stageShares) count(name string, ms float64) {
	if s.took == nil {
		s.took = map[string]float64{}
	}
	if !slices.Contains(s.names, name) {
		s.names = append(s.names, name)
	}
	s.took[name] += ms
}

func (s *stageShares) text() string {
	parts := make([]string, len(s.names))
	for i, name := range s.names {
		parts[i] = fmt.Sprintf("%s %.0f%%", name, 100*s.took[name]/s.total)
	}
	return strings.Join(parts, ", ")
}

// packs times packs of 6,000 tokens for short tasks and for texts of the length of an issue, made of the same queries.
func packs(ctx context.Context, a *app.App, queries map[string][]string) error {
	var issues []string
	sentences, names := queries["sentence"], queries["symbol"]
	for i := 0; i+12 <= len(sentences); i += 12 {
		issues = append(issues, "It fails when "+strings.Join(sentences[i:i+12], ". Then ")+" in "+names[i%len(names)])
	}
	for _, shape := range []struct {
		name  string
		tasks []string
	}{{"pack", sentences}, {"pack of an issue", issues}} {
		var took []time.Duration
		for _, task := range shape.tasks {
			started := time.Now()
			if _, err := a.Pack(ctx, app.PackRequest{Task: task, NoRefresh: true}, nil); err != nil {
				return fmt.Errorf("pack %q: %w", task, err)
			}
			took = append(took, time.Since(started))
		}
		if len(took) > 0 {
			show(shape.name, took)
		}
	}
	return nil
}

func show(shape string, took []time.Duration) {
	slices.Sort(took)
	fmt.Printf("in process   %-8s p50 %s p95 %s (%d queries)\n", shape, took[len(took)/2].Round(100*time.Microsecond),
		took[len(took)*95/100].Round(100*time.Microsecond), len(took))
}

func drawQueries(ctx context.Context, a *app.App, count int) (map[string][]string, error) {
	random := rand.New(rand.NewPCG(1, 2))
	queries := map[string][]string{}
	seeds := []string{"read", "write", "parse", "open", "close", "error", "index", "token", "config", "new", "merge", "encode", "test", "list", "time"}
	for i := 0; len(queries["symbol"]) < count/3 || len(queries["sentence"]) < count/3; i++ {
		if i >= 4*len(seeds) {
			break
		}
		response, err := a.Search(ctx, app.SearchRequest{Query: seeds[i%len(seeds)] + " " + seeds[random.IntN(len(seeds))], TopK: 100, NoRefresh: true}, nil)
		if err != nil {
			return nil, err
		}
		for _, result := range response.Results {
			if result.Symbol == "" {
				continue
			}
			name := result.Symbol[strings.LastIndexByte(result.Symbol, '.')+1:]
			queries["symbol"] = append(queries["symbol"], name)
			words := strings.Fields(result.Doc)
			if len(words) >= 6 {
				queries["sentence"] = append(queries["sentence"], strings.Join(words[1:6], " "))
				queries["words"] = append(queries["words"], words[1]+" "+words[4])
			}
		}
	}
	for shape, list := range queries {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		queries[shape] = list[:min(len(list), max(1, count/3))]
	}
	if len(queries["symbol"]) == 0 || len(queries["sentence"]) == 0 {
		return nil, fmt.Errorf("the corpus has no documented symbols to draw queries from")
	}
	return queries, nil
}

func median(runs int, once func() (time.Duration, error)) (time.Duration, error) {
	var took []time.Duration
	for range runs {
		d, err := once()
		if err != nil {
			return 0, err
		}
		took = append(took, d)
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}

// sourceFolders are the folders to copy: corpus itself, or every module of the build list that lies in the module cache.
func sourceFolders(corpus string) ([]string, error) {
	if corpus != "" {
		return []string{corpus}, nil
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	var folders []string
	for _, folder := range strings.Fields(string(out)) {
		// The grammars of go-tree-sitter are generated C tables beyond the size cap; they say nothing about code.
		if strings.HasPrefix(folder, strings.TrimSpace(string(cache))) && !strings.Contains(folder, "go-tree-sitter") && !strings.Contains(folder, "go-sqlite3") {
			folders = append(folders, folder)
		}
	}
	return folders, nil
}

func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		if d.IsDir() {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return os.MkdirAll(target, 0o755)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
}

func someGoFile(tree string) (found string, err error) {
	err = filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			if info, err := d.Info(); err == nil && info.Size() > 4000 && info.Size() < 20000 {
				found = path
				return fs.SkipAll
			}
		}
		return err
	})
	if err == nil && found == "" {
		err = fmt.Errorf("no Go file to edit in %s", tree)
	}
	return found, err
}
