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

// What the commands that walk the graph of the code have in common.

// locationText says what a location is; the help of each command holds it.
const locationText = `LOCATION is a path (whole, or its last parts), a place PATH:LINE or PATH:A-B, or the name of a symbol, qualified as far as it
takes: Serve, Mux.Serve, http.Mux.Serve. A place means the symbols that are named in its lines, else the innermost one around
its first line; outside of any symbol, the lines themselves for callees and read, and the whole file otherwise. A member that a
class inherits is found as well (Child.run). When a location means several things, they are listed on standard output and the
exit code is 2; one that means nothing is an error that names what comes nearest.`

// coverageHelp says what the answer's coverage means; the help of each command holds it.
const coverageHelp = `Every answer ends with its coverage: files parsed, files left out and why, sites that were not resolved, and a verdict.
Before it stand the unresolved sites, which are what to look at: at most twenty, by path and line, those that compute a name last,
where the answer ends and as far as --max-tokens goes. proven: every mention of the name in the indexed files, prose aside, is
accounted for, and no hook of the language, annotation, type from outside, passed value, other definition of the name or
computed name is known to lead there without one.
bounded: what might be missing is counted, with the reasons. unknown: the index is stale, or the file is in a language that is
not resolved. What runs the code from outside of the indexed files is beyond any verdict.`

const navigateExits = "Exit codes: 0 found, 1 nothing (the location exists), 2 error, or a location that means several things or nothing."

// defaultMaxTokens is about two screens of code: enough for a few dozen places.
const defaultMaxTokens = 4000

// navigateFlags are the flags of every command that walks the graph.
type navigateFlags struct {
	asJSON, noRefresh bool
	maxTokens         int
	cursor            string
	edges             []string
	depth, around     int
}

// navigateCommand makes a command of a verb. more adds the flags of the verb alone.
func (p *program) navigateCommand(verb app.NavigateVerb, use, short, long, example string, more func(cmd *cobra.Command, f *navigateFlags)) *cobra.Command {
	var f navigateFlags
	paragraphs := []string{long, locationText, coverageHelp, navigateExits}
	if verb == app.VerbSymbol {
		paragraphs = []string{long, coverageHelp, "Exit codes: 0 found, 2 error, or no symbol of that name."}
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Example: example,
		Long: strings.Join(paragraphs, "\n\n"),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%w: one location is needed, not %d", agenvantage.ErrBadInput, len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.navigate(cmd, verb, f, args[0]) },
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.asJSON, "json", false, "print JSON (docs/reference/schema/navigate.schema.json)")
	fl.IntVar(&f.maxTokens, "max-tokens", defaultMaxTokens, "at most `N` tokens in the answer; what is left out is counted, and --cursor reaches it; 0 sets no bound")
	fl.StringVar(&f.cursor, "cursor", "", "go on behind the answer that named the cursor `C`")
	fl.BoolVar(&f.noRefresh, "no-refresh", false, "answer from the index as it is")
	if more != nil {
		more(cmd, &f)
	}
	return cmd
}

// depthFlag adds --depth.
func depthFlag(usage string) func(cmd *cobra.Command, f *navigateFlags) {
	return func(cmd *cobra.Command, f *navigateFlags) { cmd.Flags().IntVar(&f.depth, "depth", 0, usage) }
}

func (p *program) navigate(cmd *cobra.Command, verb app.NavigateVerb, f navigateFlags, location string) error {
	r := app.NavigateRequest{Verb: verb, Location: location, Depth: f.depth, Around: f.around, MaxTokens: f.maxTokens, JSON: f.asJSON, Cursor: f.cursor, NoRefresh: f.noRefresh}
	for _, e := range f.edges {
		r.Edges = append(r.Edges, agenvantage.EdgeKind(strings.ToLower(e)))
	}
	if verb != app.VerbImpact { // which has all of them for 0
		if err := atLeastOne(cmd, "depth", f.depth); err != nil {
			return err
		}
	}
	answer, err := asked(p, cmd, r, service.Navigate)
	if err != nil {
		return err
	}
	answer.Items = filled(answer.Items)
	if answer.Coverage.Skipped == nil {
		answer.Coverage.Skipped = map[agenvantage.SkipReason]int{}
	}
	for _, m := range []*map[string]int{&answer.Coverage.Unresolved, &answer.Coverage.Unparsed} {
		if *m == nil {
			*m = map[string]int{}
		}
	}
	if f.asJSON {
		err = printJSON(p.stdout, answer)
	} else {
		err = p.renderNavigation(answer)
	}
	switch {
	case err != nil:
		return err
	case len(answer.Candidates) > 0:
		return exitStatus(exitError)
	case answer.Empty():
		return exitStatus(exitNothing)
	}
	return nil
}

// renderNavigation prints an answer for people and agents: compact lines, then what is left out and the coverage.
func (p *program) renderNavigation(n app.Navigation) error {
	w := bufio.NewWriter(p.stdout)
	print := func(items []app.NavigationItem) {
		for _, i := range items {
			fmt.Fprintln(w, visibleItem(i))
		}
	}
	if len(n.Candidates) > 0 {
		renderCandidates(w, n.Subject.Location, n.Candidates, n.Omitted)
		return w.Flush()
	}
	if n.Verb == app.VerbRead {
		p.renderLines(w, n)
	} else {
		one, many := n.Verb.Nouns()
		fmt.Fprintf(w, "%s of %s\n", count.Of(n.Total, one, many), subjectText(n.Subject))
		print(n.Items)
		if len(n.Tests) > 0 {
			fmt.Fprintln(w, "tests:")
			print(n.Tests)
		}
	}
	if n.Omitted > 0 {
		fmt.Fprintf(w, "%d more: --cursor %s\n", n.Omitted, n.Next)
	}
	renderOpenSites(w, n.Coverage)
	fmt.Fprintln(w, visible(n.Coverage.Line()))
	if err := w.Flush(); err != nil {
		return err
	}
	p.notes(n.Notes)
	if n.Coverage.Stale {
		p.notes([]string{"the index is stale: " + n.Coverage.StaleReason})
	}
	return nil
}

// renderOpenSites lists what the coverage counts as unresolved, so that it can be looked at.
func renderOpenSites(w io.Writer, c app.NavigationCoverage) {
	if len(c.OpenSites) == 0 {
		return
	}
	fmt.Fprintln(w, app.OpenSitesTitle)
	for _, s := range c.OpenSites {
		s.Path, s.Text = visiblePath(s.Path), visible(strings.ReplaceAll(s.Text, "\t", "    "))
		fmt.Fprintln(w, s.Compact())
	}
	if more := c.UnlistedSites(); more > 0 {
		fmt.Fprintf(w, "%s not listed\n", count.Of(more, "more is", "more are"))
	}
}

// renderCandidates lists what an ambiguous location may mean.
func renderCandidates(w io.Writer, location string, candidates []app.NavigationItem, omitted int) {
	fmt.Fprintf(w, "%s means several things; name one of them by its place:\n", visible(location))
	for _, i := range candidates {
		fmt.Fprintln(w, visibleItem(i))
	}
	if omitted > 0 {
		fmt.Fprintf(w, "%d more; a qualifier or a path tells them apart\n", omitted)
	}
}

// visibleItem is an item with everything unusual escaped, line by line.
func visibleItem(i app.NavigationItem) string {
	i.Path, i.Symbol, i.Via = visiblePath(i.Path), visible(i.Symbol), visible(i.Via)
	i.Text = visible(strings.TrimSpace(strings.ReplaceAll(i.Text, "\t", "    ")))
	return i.Compact()
}

// subjectText names what was asked about: a symbol with its place, lines with what they name, or a file.
func subjectText(s app.NavigationSubject) string {
	switch {
	case s.Symbol != "":
		return fmt.Sprintf("%s %s (%s:%d)", s.Kind, visible(s.Symbol), visiblePath(s.Path), s.StartLine)
	case s.Kind != "lines":
		return "file " + visiblePath(s.Path)
	}
	text := fmt.Sprintf("line %d of %s", s.StartLine, visiblePath(s.Path))
	if s.EndLine > s.StartLine {
		text = fmt.Sprintf("lines %d-%d of %s", s.StartLine, s.EndLine, visiblePath(s.Path))
	}
	if len(s.Symbols) > 0 {
		named := s.Symbols[:min(len(s.Symbols), maxSubjectNames)]
		text += " (" + visible(strings.Join(named, ", "))
		if len(s.Symbols) > len(named) {
			text += ", …"
		}
		text += ")"
	}
	return text
}

// maxSubjectNames is how many symbols of a range of lines are named.
const maxSubjectNames = 3

// renderLines prints the text of read with the numbers of its lines.
func (p *program) renderLines(w *bufio.Writer, n app.Navigation) {
	for k, i := range n.Items {
		if k > 0 {
			fmt.Fprintln(w)
		}
		label := ""
		if i.Stale {
			label = "  changed on disk since it was indexed"
		}
		symbol := ""
		if n.Subject.Symbol != "" {
			symbol = " " + visible(n.Subject.Symbol)
		}
		of := ""
		if n.Subject.FileLines > 0 {
			of = ", of " + count.Of(n.Subject.FileLines, "line", "lines")
		}
		fmt.Fprintf(w, "%s:%d-%d%s%s%s\n", visiblePath(i.Path), i.StartLine, i.EndLine, symbol, of, label)
		for at, line := range strings.Split(strings.TrimSuffix(i.Text, "\n"), "\n") {
			fmt.Fprintf(w, "%6d  %s\n", i.StartLine+at, visible(strings.ReplaceAll(strings.TrimRight(line, "\r"), "\t", "    ")))
		}
	}
}
