package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/internal/app"
)

func (p *program) ablateCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "ablate",
		Short: "Measure which retrieval channels pay, and let the measurement decide",
		Long: `Measure the retrieval channels on tasks whose evidence is known. mine makes such tasks out of the repository's own history,
run answers them with every channel alone, left out and together, report, compare and export read what a run kept, and gate
says which channels have earned their place.

Runs, mined tasks and the indexes of ablations lie in .agenvantage/ablations at the root, which agenvantage clean removes
with the index; --out keeps a run elsewhere.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
			}
			return cmd.Help()
		},
	}
	parent.AddCommand(p.ablateMineCommand(), p.ablateRunCommand(), p.ablateReportCommand(), p.ablateCompareCommand(), p.ablateExportCommand(), p.ablateGateCommand())
	return parent
}

// ablateRunFlags are the flags of ablate run.
type ablateRunFlags struct {
	tasks, variants, repos, out, tokenizer string
	onlyRepos, onlySources, categories     []string
	limit, pack                            int
	resume, asJSON                         bool
}

func (p *program) ablateRunCommand() *cobra.Command {
	var f ablateRunFlags
	cmd := &cobra.Command{
		Use:   "run --tasks FILE|DIR|mined [flags]",
		Short: "Answer a task set with every variant, and report",
		Long: `Answer a task set with every variant through the same pipeline as a search, keep each ranking, and write report.json,
report.md and report.html into the folder of the run. The variants are, unless --variants names others: the deterministic
channels (the baseline), all channels, the baseline with each other channel, each channel alone, and each left out.

Before anything is answered the revision, the root and the evidence of every task are looked up in the repository; what is
not there is an error that names file, line and task. Public sets (sources codesearch, swe-bench and contextbench) are taken
as they are, and a note counts what is missing in them.

Tasks are read from a JSON-lines file, a folder with such files, a folder of code search annotations, or "mined", which are
those of agenvantage ablate mine (docs/reference/tasks.md describes the formats; docs/reference/variants.md that of
--variants). With --repos every repository of the set is
a folder there, named as in the tasks with + for /; a task's revision is read from git objects, and no work tree is touched.
Indexes are kept from one run to the next.

With --pack every variant answers with a pack of that many tokens, as agenvantage pack makes it, instead of a search; a
variant of --variants can name a budget of its own. The report then says how much of the evidence is in the packs, what their
status was worth, and how the chance that they state compares with what was so.

An interrupted run is gone on with by the same flags and --resume; a default --out finds the folder again. One process at a
time answers into a folder.

Exit codes: 0 done, 2 error or interrupted.`,
		Example: `  agenvantage ablate mine && agenvantage ablate run --tasks mined
  agenvantage ablate run --tasks tasks.jsonl --repos ~/corpora --out /tmp/run1
  agenvantage ablate run --tasks mined --variants variants.yaml
  agenvantage ablate run --tasks tasks.jsonl --repos ~/corpora --pack 6000`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error { return p.ablateRun(cmd, f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.tasks, "tasks", "", "`FILE` or folder of tasks, or \"mined\"")
	fl.StringVar(&f.variants, "variants", "", "`FILE` of variants (YAML: baseline, variants with name, channels, settings, pack)")
	fl.IntVar(&f.pack, "pack", 0, "answer with packs of `N` tokens, where a variant names no budget; 0 means with searches")
	fl.StringVar(&f.repos, "repos", "", "`DIR` with a folder for each repository of the tasks (default: the repository here is the only one)")
	fl.StringVar(&f.out, "out", "", "`DIR` of the run (default: a new one in .agenvantage/ablations/runs)")
	fl.StringVar(&f.tokenizer, "tokenizer", "", "`NAME` of the tokenizer that counts: o200k_base or cl100k_base (default o200k_base; packs: the larger count of both)")
	fl.StringSliceVar(&f.onlyRepos, "only-repo", nil, "only tasks of repository `NAME`; may be repeated")
	fl.StringSliceVar(&f.onlySources, "only-source", nil, "only tasks from `SOURCE`; may be repeated")
	fl.StringSliceVar(&f.categories, "only-category", nil, "only tasks of category `NAME`; may be repeated")
	fl.IntVar(&f.limit, "limit", 0, "at most `N` tasks, spread over the repositories; 0 means all")
	fl.BoolVar(&f.resume, "resume", false, "go on with the run in the folder")
	fl.BoolVar(&f.asJSON, "json", false, "print the report as JSON")
	return cmd
}

func (p *program) ablateRun(cmd *cobra.Command, f ablateRunFlags) error {
	if f.tasks == "" {
		return fmt.Errorf("%w: --tasks is needed: a file, a folder, or mined", agenvantage.ErrBadInput)
	}
	if f.limit < 0 {
		return fmt.Errorf("%w: --limit is %d, want 0 or more", agenvantage.ErrBadInput, f.limit)
	}
	if f.pack < 0 || f.pack > ablations.MaxPackBudget {
		return fmt.Errorf("%w: --pack is %d, want a number of tokens, at most %d", agenvantage.ErrBadInput, f.pack, ablations.MaxPackBudget)
	}
	if err := p.load(cmd); err != nil {
		return err
	}
	bar := p.newProgress()
	run, err := app.Ablate(cmd.Context(), app.AblateRequest{
		Tasks: f.tasks, Variants: f.variants, Pack: f.pack, Repos: f.repos, Out: f.out, Resume: f.resume, Tokenizer: f.tokenizer,
		Only:    ablations.LoadOptions{Repos: f.onlyRepos, Sources: f.onlySources, Categories: f.categories, Limit: f.limit},
		Product: "agenvantage " + version + ", commit " + commit(), Commit: knownCommit(),
		Root: p.root, Config: p.config, Load: p.configWith,
		Progress: func(u app.AblateProgress) { bar.update(answerProgress(u)) },
	})
	bar.close()
	if err != nil {
		if run != nil && cmd.Context().Err() != nil {
			return interruption(fmt.Sprintf("the same flags with --resume --out %s, which go on where it stopped", shellWord(visiblePath(run.Dir()))))
		}
		p.tellFaults(err)
		if errors.Is(err, ablations.ErrRunExists) {
			return fmt.Errorf("%w: %w: --resume goes on with it, --out names another folder", agenvantage.ErrBadInput, err)
		}
		return err
	}
	return p.ablateShow(run, f.asJSON)
}

// tellFaults prints the faults of a task set, one a line, where there are several; the error itself is one line.
func (p *program) tellFaults(err error) {
	var faults ablations.TaskFaults
	if !errors.As(err, &faults) || len(faults) < 2 || !p.says("warn") {
		return
	}
	for line := range strings.Lines(faults.Error()) {
		fmt.Fprintln(p.stderr, visible(strings.TrimSpace(line)))
	}
}

// knownCommit is the commit that the program was built from, "" when it does not know.
func knownCommit() string {
	if c := commit(); !strings.HasPrefix(c, "unknown") {
		return c
	}
	return ""
}

// ablateShow writes the reports of a run and prints its tables.
func (p *program) ablateShow(run *ablations.Run, asJSON bool) error {
	report, err := app.WriteReports(run, app.Limits(p.config))
	if err != nil {
		return err
	}
	if asJSON {
		return report.WriteJSON(p.stdout)
	}
	if err := report.WriteText(p.stdout, p.reportWidth()); err != nil {
		return err
	}
	if p.says("warn") {
		fmt.Fprintf(p.stderr, "report: %s\n", visiblePath(filepath.Join(run.Dir(), "report.html")))
	}
	return nil
}

// reportWidth is the width of tables: that of the terminal, within reason.
func (p *program) reportWidth() int {
	if w := p.width(); w > 0 {
		return min(max(w, 80), 200)
	}
	return 120
}

// answerProgress tells the progress of a run in the shape of the bar.
func answerProgress(u app.AblateProgress) app.Progress {
	note := u.Repo
	if u.Checking {
		return app.Progress{Phase: app.PhaseMine, Note: "checking the tasks of " + u.Repo}
	}
	if u.Opening {
		note += ", indexing"
		if u.Index != nil && u.Index.TotalFiles > 0 {
			note += fmt.Sprintf(" %d of %d files", u.Index.DoneFiles, u.Index.TotalFiles)
		}
	}
	return app.Progress{Phase: app.PhaseAnswer, DoneFiles: u.Done, TotalFiles: u.Total, Note: note}
}

func (p *program) ablateReportCommand() *cobra.Command {
	var asJSON, record bool
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Make the reports of a run again from its rankings",
		Long: `Make report.json, report.md and report.html of a run again from the rankings that it kept, and print the tables. RUN is the
folder of a run; without it the newest run of the repository is taken.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := p.findRun(cmd, args)
			if err != nil {
				return err
			}
			if record {
				report, err := run.Report(app.Limits(p.config))
				if err != nil {
					return err
				}
				return report.Record().WriteJSON(p.stdout)
			}
			return p.ablateShow(run, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	cmd.Flags().BoolVar(&record, "record", false, "print, as JSON, what is worth keeping beside code: no questions, nothing by repository; write no files")
	return cmd
}

func (p *program) ablateExportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "export RUN VARIANT",
		Short: "Print the answers of a variant for scorers of others",
		Long: `Print the answers of one variant of a run as JSON lines, one for each task that has gold: id, files (distinct, in the order
of the answer), blocks (path, start, end, tokens, in the order in which an agent reads them) and, of a pack, its status. That
is the form that scorers of issue tasks read, so that their figures can be held against those of the report.

Exit codes: 0 done, 1 no task with gold was answered, 2 error.`,
		Example: `  agenvantage ablate export /tmp/run1 baseline > results.jsonl`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.load(cmd); err != nil {
				return err
			}
			run, err := ablations.OpenRun(args[0])
			if err != nil {
				return err
			}
			lines, err := run.WriteResults(p.stdout, args[1])
			if err == nil && lines == 0 {
				return exitStatus(exitNothing)
			}
			return err
		},
	}
}

// findRun loads the configuration and opens the run that the arguments name.
func (p *program) findRun(cmd *cobra.Command, args []string) (*ablations.Run, error) {
	if err := p.load(cmd); err != nil {
		return nil, err
	}
	return app.FindRun(p.root, strings.Join(args, ""), p.config)
}

func (p *program) ablateCompareCommand() *cobra.Command {
	var asJSON bool
	var metrics []string
	cmd := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Compare two runs task by task",
		Long: `Compare the variants that two runs share, task by task, with paired tests: the first run is before, the second after. Only
tasks that both runs hold with the same text and evidence are compared. "no difference shown" stands where the 95% interval
holds 0, where p is not below .05 after Holm over the variants, and where there are fewer than 6 clusters (repositories, or
months of one). Variants that answer with packs of other sizes in the two runs are compared, and a note says so.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.load(cmd); err != nil {
				return err
			}
			return p.ablateCompare(args, metrics, asJSON)
		},
	}
	cmd.Flags().StringSliceVar(&metrics, "metric", []string{"ndcg@10", "success@2000", "spt@2000", "acc@5", "pack_file_recall", "all_in"}, "`NAME` of a metric; may be repeated")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (p *program) ablateCompare(dirs, metrics []string, asJSON bool) error {
	for _, name := range metrics {
		if _, known := ablations.MetricOf(name); !known {
			return fmt.Errorf("%w: unknown metric %q", agenvantage.ErrBadInput, name)
		}
	}
	before, err := ablations.OpenRun(dirs[0])
	if err != nil {
		return err
	}
	after, err := ablations.OpenRun(dirs[1])
	if err != nil {
		return err
	}
	list, notes, err := app.CompareRuns(before, after, metrics)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(p.stdout, comparisonList{Before: dirs[0], After: dirs[1], Notes: filled(notes), Comparisons: filled(list)})
	}
	for _, note := range notes {
		fmt.Fprintln(p.stdout, "Note:", visible(note))
	}
	fmt.Fprintf(p.stdout, "Before: %s\nAfter:  %s\n", visiblePath(dirs[0]), visiblePath(dirs[1]))
	if len(list) == 0 {
		fmt.Fprintln(p.stdout, "Nothing was answered by both.")
		return nil
	}
	return writeComparisons(p.stdout, list)
}

// comparisonList is what ablate compare --json prints.
type comparisonList struct {
	Before      string                 `json:"before"`
	After       string                 `json:"after"`
	Notes       []string               `json:"notes"`
	Comparisons []ablations.Comparison `json:"comparisons"`
}

func writeComparisons(w io.Writer, list []ablations.Comparison) error {
	t := newTable(w)
	fmt.Fprintln(t, "variant\tclass\tmetric\tbefore\tafter\tdifference\t95% interval\tp (Holm)\ttasks\twon/lost\tresult")
	for _, c := range list {
		class := string(c.Class)
		if class == "" {
			class = "all"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s to %s\t%.3f\t%d\t%d/%d\t%s\n", c.B, class, c.Metric, threeDecimals(c.AValue), threeDecimals(c.BValue),
			signedDecimals(c.Difference), signedDecimals(c.Low), signedDecimals(c.High), c.PHolm, c.Tasks, c.Wins, c.Losses, result(list, c))
	}
	return t.Flush()
}

// result is the outcome of a comparison in words, as reports have it.
func result(list []ablations.Comparison, c ablations.Comparison) string {
	return ablations.Report{Comparisons: list}.Outcome(c)
}

// threeDecimals prints a value without a negative zero.
func threeDecimals(x float64) string {
	if s := fmt.Sprintf("%.3f", x); strings.Trim(s, "-0.") != "" {
		return s
	}
	return "0.000"
}

// signedDecimals is threeDecimals with a plus sign before what is above 0 as printed.
func signedDecimals(x float64) string {
	s := threeDecimals(x)
	if strings.HasPrefix(s, "-") || s == "0.000" {
		return s
	}
	return "+" + s
}
