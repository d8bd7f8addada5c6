package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 8, 2, ' ', 0) }

func (p *program) ablateGateCommand() *cobra.Command {
	var apply, foreign, asJSON bool
	cmd := &cobra.Command{
		Use:   "gate [RUN]",
		Short: "Say which channels have earned their place, and make it so",
		Long: `Say for every channel and class of questions (symbol, natural language, issue-like) whether it is promoted, kept off, or
lacks evidence, with the figures and the condition that decided. RUN is the folder of a run; without it the newest run of
the repository is taken.

With --apply the verdicts are written beside the index, where --channels auto obeys them: a promote or keep off instead of
what the program ships, while a lack of evidence leaves the shipped verdict in force. They lapse when the index format, the
model, settings that decide rankings or a fifth of the files have changed; agenvantage status and search --explain show what
holds. exact and bm25f are always on. A run that is not complete, and one whose tasks are of other repositories, is not
applied; --foreign lets the latter pass.

A verdict needs a baseline of exact and bm25f, and a variant with the channel besides, both with the settings in force: the
variants of ablate run are so unless --variants names others.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := p.findRun(cmd, args)
			if err != nil {
				return err
			}
			report, err := run.Report(app.Limits(p.config))
			if err != nil {
				return err
			}
			if foreign && !apply {
				return fmt.Errorf("%w: --foreign goes with --apply", agenvantage.ErrBadInput)
			}
			if asJSON {
				if report.Tasks.Missing > 0 && p.says("warn") {
					fmt.Fprintf(p.stderr, "Note: the run is not complete: %s missing\n", count.Of(report.Tasks.Missing, "answer is", "answers are"))
				}
				text, err := ablations.NewVerdicts(report, ablations.Basis{}, report.Measured.Started).Encode()
				if err == nil {
					_, err = p.stdout.Write(text)
				}
				if err != nil {
					return err
				}
			} else if err := report.WriteVerdicts(p.stdout, p.reportWidth()); err != nil {
				return err
			}
			if !apply {
				return nil
			}
			return p.applyVerdicts(cmd, report, foreign)
		},
	}
	cmd.Flags().BoolVar(&apply, "apply", false, "write the verdicts beside the index, for --channels auto to obey")
	cmd.Flags().BoolVar(&foreign, "foreign", false, "with --apply: also verdicts of a run over other repositories")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, in the form of the verdicts that the program ships")
	return cmd
}

func (p *program) applyVerdicts(cmd *cobra.Command, report ablations.Report, foreign bool) error {
	a, err := app.Open(p.root, p.config)
	if err != nil {
		return err
	}
	defer a.Close()
	if _, err := a.Index(cmd.Context(), false, nil); err != nil { // the verdicts speak for the files of now
		return err
	}
	file, err := a.ApplyVerdicts(cmd.Context(), report, foreign)
	if err != nil {
		return err
	}
	if p.says("warn") {
		if names := app.Foreign(p.root, report); len(names) > 0 {
			fmt.Fprintf(p.stderr, "Note: these verdicts rest on tasks of other repositories: %s\n", visible(strings.Join(names, ", ")))
		}
		fmt.Fprintf(p.stderr, "verdicts written to %s\n", visiblePath(file))
	}
	return nil
}

func (p *program) ablateMineCommand() *cobra.Command {
	var since, out string
	var limit int
	var seed uint64
	var asJSON, withTests bool
	cmd := &cobra.Command{
		Use:   "mine",
		Short: "Make tasks out of the repository's own history",
		Long: `Make tasks out of the repository's own history: the question is a commit's message without the paths, ids and trailers
that would give the answer away, the evidence is the lines that the commit changed, and the state to search is its parent.
Test files that existed and that the commit touched are noted beside it; --with-tests takes commits with some only.
Merges, reverts, formatting, version bumps, renames and large changes are left out; what was dropped and why is printed.
docs/reference/tasks.md describes the rules.

Exit codes: 0 done, 1 no commit made a task, 2 error.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			request := app.MineRequest{Max: limit, Seed: seed, WithTests: withTests}
			var err error
			if request.Since, err = parseDay(since); err != nil {
				return err
			}
			if limit < 0 {
				return fmt.Errorf("%w: --max is %d, want 0 or more", agenvantage.ErrBadInput, limit)
			}
			if out != "" {
				if err := app.CheckMinedFile(out); err != nil {
					return err
				}
			}
			if err := p.load(cmd); err != nil {
				return err
			}
			return p.ablateMine(cmd, request, out, asJSON)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&since, "since", "", "only commits since `DAY`, as 2024-01-31")
	fl.IntVar(&limit, "max", 0, "at most `N` tasks (default 200)")
	fl.Uint64Var(&seed, "seed", 0, "`N` that decides which commits of a month are drawn")
	fl.BoolVar(&withTests, "with-tests", false, "only commits that changed test files that existed before")
	fl.StringVar(&out, "out", "", "`FILE` for the tasks (default: .agenvantage/ablations/mined.jsonl, which --tasks mined reads)")
	fl.BoolVar(&asJSON, "json", false, "print the counts as JSON")
	return cmd
}

// parseDay reads a day, or a time as RFC 3339 has it; "" is the zero time.
func parseDay(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%w: --since %q: want a day as 2024-01-31", agenvantage.ErrBadInput, text)
}

// mineSummary is what ablate mine --json prints.
type mineSummary struct {
	File    string      `json:"file"` // "" when there is no task
	Tasks   int         `json:"tasks"`
	Scanned int         `json:"scanned"` // commits
	Dropped []mineCount `json:"dropped"`
}

type mineCount struct {
	Reason   ablations.DropReason `json:"reason"`
	Count    int                  `json:"count"`
	Examples []string             `json:"examples"` // commits
}

func (p *program) ablateMine(cmd *cobra.Command, request app.MineRequest, out string, asJSON bool) error {
	bar := p.newProgress()
	request.Progress = func(u ablations.MineProgress) {
		bar.update(app.Progress{Phase: app.PhaseMine, Note: fmt.Sprintf("%d commits, %d tasks", u.Scanned, u.Tasks)})
	}
	result, err := app.Mine(cmd.Context(), p.root, request)
	bar.close()
	if err != nil {
		return err
	}
	s := mineSummary{Tasks: len(result.Tasks), Scanned: result.Scanned, Dropped: []mineCount{}}
	for _, d := range result.Dropped {
		s.Dropped = append(s.Dropped, mineCount{Reason: d.Reason, Count: d.Count, Examples: filled(d.Examples)})
	}
	if s.Tasks > 0 {
		if s.File, err = app.WriteMined(p.root, out, p.config, result.Tasks); err != nil {
			return err
		}
	}
	if asJSON {
		err = printJSON(p.stdout, s)
	} else {
		err = writeMined(p.stdout, s)
	}
	if err == nil && s.Tasks == 0 {
		return exitStatus(exitNothing)
	}
	return err
}

func writeMined(w io.Writer, s mineSummary) error {
	fmt.Fprintf(w, "%s of %s", count.Of(s.Tasks, "task", "tasks"), count.Of(s.Scanned, "commit", "commits"))
	if s.File != "" {
		fmt.Fprintf(w, " written to %s", visiblePath(s.File))
	}
	fmt.Fprintln(w)
	t := newTable(w)
	for _, d := range s.Dropped {
		example := ""
		if len(d.Examples) > 0 {
			example = "such as " + d.Examples[0][:min(12, len(d.Examples[0]))]
		}
		fmt.Fprintf(t, "%d\tdropped: %s\t%s\n", d.Count, d.Reason, example)
	}
	return t.Flush()
}
