package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

func (p *program) cochangeCommand() *cobra.Command {
	var request app.CochangeRequest
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "cochange [flags] PATH…",
		Short: "List the files that change together with a set of files",
		Long: `List the files that were changed in the same commits as files of a set, the surest first. Support is the number of
commits that changed both; confidence is the share of the set's file's commits that changed the other too; lift is the
confidence over the share of all commits that changed the other. A path may be a folder: all files below it are in the set. A
path that is not in the tree any more, as a diff may name one, is answered from history.

Partners outside of the set that at least half of a file's commits needed are warned about: what you are about to change
may need them too. Commits of more than provenance.max_files files are sweeps and count for nothing.

Exit codes: 0 found, 1 nothing changes together with the set, 2 error (also a path that neither the
index nor the history has).`,
		Example: `  agenvantage cochange src/session.go
  agenvantage cochange src/session.go src/store.go --min-support 5
  git diff --name-only | xargs agenvantage cochange --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%w: a path is needed", agenvantage.ErrBadInput)
			}
			if err := atLeastOne(cmd, "min-support", request.MinSupport); err != nil {
				return err
			}
			request.Paths = args
			return p.cochange(cmd, request, asJSON)
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&request.MinSupport, "min-support", 0, "only files that changed together in at least `N` commits (default: provenance.min_support, 3)")
	fl.BoolVar(&request.NoRefresh, "no-refresh", false, "answer from index and history as they are")
	fl.BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/cochange.schema.json)")
	return cmd
}

func (p *program) cochange(cmd *cobra.Command, request app.CochangeRequest, asJSON bool) error {
	answer, err := asked(p, cmd, request, service.Cochange)
	if err != nil {
		return err
	}
	if asJSON {
		answer.Paths, answer.Changed, answer.Partners, answer.Missing = filled(answer.Paths), filled(answer.Changed), filled(answer.Partners), filled(answer.Missing)
		err = printJSON(p.stdout, answer)
	} else {
		err = renderCochanges(p.stdout, answer)
	}
	if err != nil {
		return err
	}
	p.historyRemarks(answer.Coverage, answer.Notes)
	if len(answer.Partners) == 0 {
		fmt.Fprintf(p.stderr, "Nothing found: no file changes together with %s among %s.\nTry: a lower --min-support\n", visible(strings.Join(answer.Paths, ", ")), seenText(answer.Coverage))
		return exitStatus(exitNothing)
	}
	return nil
}

func renderCochanges(out io.Writer, c app.Cochanges) error {
	w := bufio.NewWriter(out)
	for _, f := range c.Partners {
		fmt.Fprintln(w, cochangeLine(f))
	}
	if len(c.Missing) > 0 {
		fmt.Fprintln(w)
		for _, m := range c.Missing {
			fmt.Fprintf(w, "missing  %s\n", visible(m))
		}
	}
	return w.Flush()
}

// cochangeLine is one file that changes together with another.
func cochangeLine(f app.CochangeInfo) string {
	return fmt.Sprintf("together  %s  with %s in %s, confidence %.2f, lift %.1f", visiblePath(f.Path), visiblePath(f.With), count.Of(f.Support, "commit", "commits"), f.Confidence, f.Lift)
}
