package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

func (p *program) changesForCommand() *cobra.Command {
	var request app.ChangesRequest
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "changes-for [flags] LOCATION",
		Short: "List the commits that changed a file, lines or a symbol",
		Long: `List the commits that changed a place, newest first, with what the work tree changes there, who changed it how often, and
the files that change together with it. LOCATION is a path (a file, or a folder for all below it), lines of a file
(PATH:LINE or PATH:A-B) or the name of a symbol; when it means several things, they are listed on standard output and the
exit code is 2. Files are followed through renames, those of the work tree too, and a path that is not in the tree any more
is answered from history; lines are followed as git log -L does. Merges are left out, and so are commits that the indexed
revision does not have.

The history is stored beside the index and brought up to date first, within search.refresh_timeout.

Exit codes: 0 found, 1 nothing changed the place, 2 error (also a location that means several things or
nothing).`,
		Example: `  agenvantage changes-for src/session.go
  agenvantage changes-for src/session.go:40-60 --max 5
  agenvantage changes-for Store.Expire --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%w: one location is needed: PATH, PATH:LINE, PATH:A-B or a symbol", agenvantage.ErrBadInput)
			}
			request.Location = args[0]
			if err := cmp.Or(atLeastOne(cmd, "max", request.Max), atLeastOne(cmd, "max-tokens", request.MaxTokens)); err != nil {
				return err
			}
			return p.changesFor(cmd, request, asJSON)
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&request.Max, "max", app.DefaultMaxCommits, "at most `N` commits")
	fl.IntVar(&request.MaxTokens, "max-tokens", 0, "at most `N` tokens of commits (o200k_base); the first is always shown")
	fl.StringVar(&request.Cursor, "cursor", "", "go on after the commit `ID` that the answer before gave as next")
	fl.BoolVar(&request.NoRefresh, "no-refresh", false, "answer from index and history as they are")
	fl.BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/changes-for.schema.json)")
	return cmd
}

func (p *program) changesFor(cmd *cobra.Command, request app.ChangesRequest, asJSON bool) error {
	answer, err := asked(p, cmd, request, service.ChangesFor)
	if err != nil {
		return err
	}
	if asJSON {
		answer.Uncommitted, answer.Commits, answer.Authors, answer.Cochanged = filled(answer.Uncommitted), filled(answer.Commits), filled(answer.Authors), filled(answer.Cochanged)
		for i := range answer.Uncommitted {
			answer.Uncommitted[i].Lines = filled(answer.Uncommitted[i].Lines)
		}
		err = printJSON(p.stdout, answer)
	} else {
		err = renderChanges(p.stdout, answer)
	}
	if err != nil {
		return err
	}
	p.historyRemarks(answer.Coverage, answer.Notes)
	if len(answer.Candidates) > 0 {
		return exitStatus(exitError)
	}
	if answer.Total == 0 && len(answer.Uncommitted) == 0 {
		fmt.Fprintf(p.stderr, "Nothing found: no commit changed %s among %s.\n", visible(answer.Location), seenText(answer.Coverage))
		return exitStatus(exitNothing)
	}
	return nil
}

func renderChanges(out io.Writer, c app.Changes) error {
	w := bufio.NewWriter(out)
	if len(c.Candidates) > 0 {
		renderCandidates(w, c.Location, c.Candidates, c.Omitted)
		return w.Flush()
	}
	if c.Deleted {
		fmt.Fprintf(w, "deleted  %s\n", visiblePath(c.Path))
	}
	for _, r := range c.Renamed {
		fmt.Fprintf(w, "renamed  %s  from %s, not committed\n", visiblePath(r.Path), visiblePath(r.From))
	}
	for _, u := range c.Uncommitted {
		lines := make([]string, len(u.Lines))
		for i, l := range u.Lines {
			lines[i] = lineText(l)
		}
		fmt.Fprintf(w, "uncommitted  %s  %s\n", visiblePath(u.Path), strings.Join(lines, ", "))
	}
	for _, commit := range c.Commits {
		fmt.Fprintln(w, visible(commit.Line()))
	}
	if c.Next != "" {
		fmt.Fprintf(w, "… of %s; go on with --cursor %s\n", count.Of(c.Total, "commit", "commits"), c.Next)
	}
	if len(c.Authors) > 0 {
		fmt.Fprintln(w)
		for _, a := range c.Authors {
			fmt.Fprintf(w, "author  %s  %s, last on %s\n", visible(a.Author), count.Of(a.Commits, "commit", "commits"), day(a.Last))
		}
	}
	if len(c.Cochanged) > 0 {
		fmt.Fprintln(w)
		for _, f := range c.Cochanged {
			fmt.Fprintln(w, cochangeLine(f))
		}
	}
	return w.Flush()
}

// lineText is a range of changed lines in words.
func lineText(l app.LineSpan) string {
	switch {
	case l.End < l.Start:
		return fmt.Sprintf("lines deleted after %d", l.Start)
	case l.End == l.Start:
		return fmt.Sprintf("line %d", l.Start)
	}
	return fmt.Sprintf("lines %d-%d", l.Start, l.End)
}

// day is the date of a time of the contracts.
func day(time string) string {
	date, _, _ := strings.Cut(time, "T")
	return date
}

// historyRemarks says on standard error how far an answer about commits saw.
func (p *program) historyRemarks(c app.HistoryCoverage, notes []string) {
	if !p.says("warn") {
		return
	}
	p.notes(notes)
	if c.Covered < 1 {
		fmt.Fprintf(p.stderr, "Note: only a part of the history was seen: %s\n", visible(cmp.Or(c.Reason, "it is not stored as a whole")))
	}
}

// seenText says how much history was looked at.
func seenText(c app.HistoryCoverage) string {
	s := "all " + count.Of(c.Commits, "commit", "commits")
	switch {
	case c.Shallow:
		s = count.Of(c.Commits, "commit", "commits") + " of a shallow clone"
	case c.Covered < 1:
		s = fmt.Sprintf("%s, %.0f%% of the history", count.Of(c.Commits, "commit", "commits"), 100*c.Covered)
	}
	return s
}
