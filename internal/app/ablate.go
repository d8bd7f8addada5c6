package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/configs"
	"agenvantage/index"
	"agenvantage/plan"
	"agenvantage/tokens"
)

// Depth is how many results an ablation asks of each search: strict accuracy looks at the first fifty files, of which each
// can hold two places.
const Depth = 100

// minedFile is the name of the mined task set, MinedTasks the word for it in --tasks.
const (
	minedFile  = "mined.jsonl"
	MinedTasks = "mined"
)

// AblateRequest asks for a run. Tasks, Root, Config and Load are needed.
type AblateRequest struct {
	Tasks     string // MinedTasks, or a file or folder for ablations.LoadTasks
	Only      ablations.LoadOptions
	Variants  string // file for ablations.ReadVariants; "" means the standard matrix
	Pack      int    // tokens of the pack with which variants answer that name none; 0 means that these search
	Repos     string // folder of the repositories; "" means that Root is the only one
	Out       string // folder of the run; "" means one in the ablations folder of Root, named for what is run
	Resume    bool
	Tokenizer string // "" means tokens.Default
	Resamples int    // 0 means 10,000
	Product   string // version and commit of the program
	Commit    string // that the program was built from, "" when it does not know

	Root   string
	Config *configs.Config
	// Load is the run's configuration with the settings of a variant over it.
	Load     func(settings map[string]string) (*configs.Config, error)
	Progress func(AblateProgress) // may be nil
}

// AblateProgress is told now and then. Index is nil while tasks are answered.
type AblateProgress struct {
	ablations.Progress
	Index    *Progress
	Checking bool // the tasks of Repo are held against its tree; nothing is answered yet
}

// AblationsFolder is where the runs, mined tasks and indexes of the repository at root lie.
func AblationsFolder(root string, cfg *configs.Config) string {
	return filepath.Join(cfg.IndexFolder(root), index.AblationsFolder)
}

// prepareAblations makes the folder, inside of an index folder that keeps itself out of git.
func prepareAblations(root string, cfg *configs.Config) (string, error) {
	ix, err := index.Open(cfg.IndexFolder(root))
	if err != nil {
		return "", err
	}
	if err := ix.Prepare(); err != nil {
		return "", err
	}
	folder := AblationsFolder(root, cfg)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("%w: %w", agenvantage.ErrNotWritable, err)
	}
	return folder, nil
}

// Ablate runs every variant over the task set and returns the run. Faults of the input are found before anything is
// answered. When it fails later the run is returned too: what it holds stays.
func Ablate(ctx context.Context, r AblateRequest) (*ablations.Run, error) {
	if r.Progress == nil {
		r.Progress = func(AblateProgress) {}
	}
	folder, err := prepareAblations(r.Root, r.Config)
	if err != nil {
		return nil, err
	}
	set, err := loadTaskSet(r, folder)
	if err != nil {
		return nil, err
	}
	matrix, err := matrixOf(r)
	if err != nil {
		return nil, err
	}
	counter, err := tokens.New(r.Tokenizer)
	if err != nil {
		return nil, err
	}
	var at ablations.Progress
	engine := NewEngine(EngineOptions{Repos: r.Repos, Own: r.Root, Indexes: filepath.Join(folder, "indexes"), Depth: Depth, Counter: counter, PackTokenizer: r.Tokenizer, Vectors: usesSemantic(matrix), Config: r.Load,
		Progress: func(p Progress) { r.Progress(AblateProgress{Progress: at, Index: &p}) }})
	defer engine.Close()
	manifest, err := manifestOf(r, set, matrix, counter)
	if err != nil {
		return nil, err
	}
	models, told, err := embeddingModels(ctx, r, matrix)
	if err != nil {
		return nil, err
	}
	manifest.Model, set.Notes = strings.Join(models, ", "), append(set.Notes, told...)
	notes, err := engine.Check(ctx, set, func(repo string) {
		r.Progress(AblateProgress{Progress: ablations.Progress{Repo: repo}, Checking: true})
	})
	if err != nil {
		return nil, err
	}
	set.Notes = append(set.Notes, notes...)
	if r.Commit == "" {
		set.Notes = append(set.Notes, "the program does not know its commit: these figures cannot be traced to its source")
	}
	out := r.Out
	if out == "" {
		out = filepath.Join(folder, "runs", runName(manifest))
	}
	run, err := ablations.CreateRun(out, manifest, set, r.Resume)
	if err != nil {
		return nil, err
	}
	return run, run.Execute(ctx, engine, ablations.ExecuteOptions{Machine: machine(), Times: engine.Times(), Progress: func(p ablations.Progress) {
		at = p
		r.Progress(AblateProgress{Progress: p})
	}})
}

func loadTaskSet(r AblateRequest, folder string) (ablations.TaskSet, error) {
	path := r.Tasks
	if path == MinedTasks {
		path = filepath.Join(folder, minedFile)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return ablations.TaskSet{}, fmt.Errorf("%w: no tasks were mined for %s yet: run agenvantage ablate mine", agenvantage.ErrBadInput, r.Root)
		}
	}
	options := r.Only
	options.Classify = classify
	return ablations.LoadTasks(path, options)
}

// classify is the class of a question as a search sees it.
func classify(query string) ablations.Class {
	parsed, err := plan.Parse(query, plan.ParseOptions{})
	if err != nil {
		return ablations.ClassNatural
	}
	return ablations.ClassOf(parsed.Class)
}

// matrixOf is the variants of a run. The channel of vectors is one of them unless embeddings are off and no variant names it.
func matrixOf(r AblateRequest) (ablations.Matrix, error) {
	names := Channels()
	if !newEmbedding(r.Config).on() {
		names = slices.DeleteFunc(names, func(n string) bool { return n == semanticChannel })
	}
	matrix := ablations.StandardMatrix(names)
	if r.Variants != "" {
		var err error
		if matrix, err = readVariants(r.Variants, Channels()); err != nil {
			return matrix, err
		}
		if usesSemantic(matrix) {
			names = Channels()
		} else if matrix, err = readVariants(r.Variants, names); err != nil { // "all" are those that there are
			return matrix, err
		}
	}
	return packsOf(matrix, r.Pack, names)
}

func usesSemantic(m ablations.Matrix) bool {
	return slices.ContainsFunc(m.Variants, func(v ablations.Variant) bool { return slices.Contains(v.Channels, semanticChannel) })
}

// packsOf lets variants that name no pack answer with one of the given tokens, 0 for none.
func packsOf(matrix ablations.Matrix, budget int, names []string) (ablations.Matrix, error) {
	switch {
	case budget < 0 || budget > ablations.MaxPackBudget:
		return matrix, fmt.Errorf("%w: a pack of %d tokens: want 0 for searches, or at most %d", agenvantage.ErrBadInput, budget, ablations.MaxPackBudget)
	case budget == 0:
		return matrix, nil
	}
	return matrix.WithPack(budget, names), nil
}

func readVariants(file string, names []string) (ablations.Matrix, error) {
	f, err := os.Open(file)
	if err != nil {
		return ablations.Matrix{}, fmt.Errorf("%w: variants: %v", agenvantage.ErrBadInput, err)
	}
	defer f.Close()
	return ablations.ReadVariants(f, file, names)
}

// manifestOf collects all that decides the rankings of a run.
func manifestOf(r AblateRequest, set ablations.TaskSet, matrix ablations.Matrix, counter *tokens.Counter) (ablations.Manifest, error) {
	m := ablations.Manifest{Matrix: matrix, ConfigHashes: map[string]string{}, RunInfo: ablations.RunInfo{
		Product: r.Product, ConfigHash: r.Config.RankingHash(), Settings: changedSettings(r.Config), TaskSet: set.Name, TaskSetHash: set.Hash,
		IndexFormat: index.Format, Tokenizer: tokenizerOf(matrix, r.Tokenizer, counter), Depth: Depth, Budgets: budgetsOf(matrix), Seed: 1, Resamples: r.Resamples,
		Baseline: matrix.Baseline, All: matrix.All}}
	if m.Resamples <= 0 {
		m.Resamples = 10_000
	}
	for _, v := range matrix.Variants {
		cfg, err := r.Load(v.Settings)
		if err != nil {
			if origin := matrix.Origin(v.Name); origin != "" {
				return ablations.Manifest{}, fmt.Errorf("%s: variant %s: %w", origin, v.Name, err)
			}
			return ablations.Manifest{}, fmt.Errorf("variant %s: %w", v.Name, err)
		}
		m.ConfigHashes[v.Name] = cfg.RankingHash()
	}
	return m, nil
}

// budgetsOf are the budgets at which the answers of a run are scored: the usual ones, and that of each pack, at which all of
// its evidence counts.
func budgetsOf(matrix ablations.Matrix) []int {
	budgets := ablations.DefaultBudgets()
	for _, b := range ablations.PackBudgets(matrix.Variants) {
		if b > 0 {
			budgets = append(budgets, b)
		}
	}
	slices.Sort(budgets)
	return slices.Compact(budgets)
}

// changedSettings are those that differ from the defaults, in the order of their keys.
func changedSettings(cfg *configs.Config) []ablations.Setting {
	changed := []ablations.Setting{}
	for _, s := range cfg.Settings() {
		if s.Source == configs.SourceDefault || isLocation(s.Key) || strings.HasPrefix(s.Key, "log.") {
			continue
		}
		value, _ := json.Marshal(s.Value) // a setting is text, a number, a switch or a map of these
		changed = append(changed, ablations.Setting{Key: s.Key, Value: string(value)})
	}
	return changed
}

// isLocation reports a setting that says where something lies on this machine, and changes no ranking.
func isLocation(key string) bool {
	return slices.Contains([]string{"index_dir", "embed.store_dir", "embed.api_key_file", "rerank.api_key_file"}, key)
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// runName names a run for its task set and for all that decides it: what is run again lands in the same folder.
func runName(m ablations.Manifest) string {
	text, _ := json.Marshal(m)
	sum := sha256.Sum256(text)
	name := strings.TrimSuffix(notInNames.ReplaceAllString(m.TaskSet, "-"), ".jsonl")
	return name[:min(len(name), 40)] + "-" + hex.EncodeToString(sum[:4])
}

func machine() string {
	return fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}

// FindRun opens a run: dir, or the newest one of the repository when dir is "".
func FindRun(root, dir string, cfg *configs.Config) (*ablations.Run, error) {
	if dir != "" {
		return ablations.OpenRun(dir)
	}
	runs := filepath.Join(AblationsFolder(root, cfg), "runs")
	entries, err := os.ReadDir(runs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	newest, at := "", int64(0)
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(runs, e.Name(), "run.json"))
		if err == nil && info.ModTime().UnixNano() > at {
			newest, at = e.Name(), info.ModTime().UnixNano()
		}
	}
	if newest == "" {
		return nil, fmt.Errorf("%w: there is no ablation run of %s: run agenvantage ablate run, or name a run's folder", agenvantage.ErrBadInput, root)
	}
	return ablations.OpenRun(filepath.Join(runs, newest))
}

// Limits are the gate's limits of a configuration.
func Limits(cfg *configs.Config) ablations.GateLimits {
	return ablations.GateLimits{P95MS: cfg.Gate.MaxP95MS, IndexShare: cfg.Gate.MaxIndexShare}
}

// WriteReports makes a run's report and writes it into the run's folder as JSON, Markdown and HTML.
func WriteReports(run *ablations.Run, limits ablations.GateLimits) (ablations.Report, error) {
	report, err := run.Report(limits)
	if err != nil {
		return ablations.Report{}, err
	}
	for _, f := range []struct {
		name  string
		write func(b *bytes.Buffer) error
	}{
		{"report.json", func(b *bytes.Buffer) error { return report.WriteJSON(b) }},
		{"report.md", func(b *bytes.Buffer) error { return report.WriteMarkdown(b) }},
		{"report.html", func(b *bytes.Buffer) error { return report.WriteHTML(b) }},
	} {
		var b bytes.Buffer
		if err := f.write(&b); err != nil {
			return report, err
		}
		if err := ablations.WriteFile(filepath.Join(run.Dir(), f.name), b.Bytes()); err != nil {
			return report, err
		}
	}
	return report, nil
}

// WriteMined keeps mined tasks: in file, or where MinedTasks finds them when file is "".
func WriteMined(root, file string, cfg *configs.Config, tasks []ablations.Task) (string, error) {
	if _, err := ablations.NewTaskSet(MinedTasks, tasks); err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := ablations.WriteTasks(&b, tasks); err != nil {
		return "", err
	}
	if file == "" {
		folder, err := prepareAblations(root, cfg)
		if err != nil {
			return "", err
		}
		file = filepath.Join(folder, minedFile)
		return file, ablations.WriteFile(file, b.Bytes())
	}
	if err := CheckMinedFile(file); err != nil {
		return "", err
	}
	if err := ablations.WriteFile(file, b.Bytes()); err != nil {
		return "", fmt.Errorf("%w: %w", ablations.ErrOutput, err)
	}
	return file, nil
}

// CheckMinedFile says what is wrong with the name of a file for mined tasks, before a history is read for them: a folder,
// or a file in one that is not there. It wraps ablations.ErrOutput.
func CheckMinedFile(file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%w: %s is a folder, and mined tasks are a file: %s", ablations.ErrOutput, file, filepath.Join(file, minedFile))
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: there is no folder %s", ablations.ErrOutput, filepath.Dir(file))
	}
	return nil
}
