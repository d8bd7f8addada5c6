package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
)

func (p *program) mapCommand() *cobra.Command {
	request := app.MapRequest{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "map",
		Short: "Show what a newcomer to the repository wants to know first",
		Long: `Show what a newcomer wants to know first: what the repository is, which files to read first, how it is built and tested,
where it starts, its modules with their most central public symbols and what they use, where its tests are, and its
landmarks. The text keeps within --budget tokens, counted with the larger of the known tokenizers unless --tokenizer names
one; a larger budget shows everything that a smaller one showed. What is left out is counted.

The map is a view over the stored graph: an unchanged tree gives the same bytes. What stands in quotes is said by the
repository itself and is data. Commands are those that its own files state.

--scope shows one folder or file in more detail, with the modules around it. --task puts first what has to do with it.

Exit codes: 0 done, 1 nothing is indexed, 2 error (also a scope that is not in the index).`,
		Example: `  agenvantage map
  agenvantage map --budget 4000 --scope src/auth
  agenvantage map --task "sessions expire too early" --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if request.Budget < app.MapMinBudget || request.Budget > app.MapMaxBudget {
				return fmt.Errorf("%w: --budget is %d, want %d to %d tokens", agenvantage.ErrBadInput, request.Budget, app.MapMinBudget, app.MapMaxBudget)
			}
			return p.showMap(cmd, request, asJSON)
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&request.Budget, "budget", app.MapDefaultBudget, "at most `N` tokens")
	fl.StringVar(&request.Scope, "scope", "", "only the folder or file `PATH`, in more detail, with what is around it")
	fl.StringVar(&request.Task, "task", "", "put first what has to do with `TEXT`")
	fl.StringVar(&request.Tokenizer, "tokenizer", "", "count tokens as `NAME` does: o200k_base or cl100k_base (default: the larger count of both)")
	fl.BoolVar(&request.NoRefresh, "no-refresh", false, "answer from the index as it is")
	fl.BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/map.schema.json)")
	return cmd
}

func (p *program) showMap(cmd *cobra.Command, request app.MapRequest, asJSON bool) error {
	answer, err := asked(p, cmd, request, service.Map)
	if err != nil {
		return err
	}
	switch {
	case asJSON:
		completeMap(&answer)
		err = printJSON(p.stdout, answer)
	case answer.Files > 0:
		_, err = io.WriteString(p.stdout, answer.Text)
	}
	if err != nil {
		return err
	}
	p.mapRemarks(answer)
	if answer.Files == 0 {
		fmt.Fprintln(p.stderr, "Nothing found: no file of the tree is indexed\nTry: agenvantage files --skipped, which says why")
		return exitStatus(exitNothing)
	}
	return nil
}

// completeMap makes every list and map of the contract present.
func completeMap(a *app.MapAnswer) {
	a.Languages, a.Instructions, a.Commands, a.EntryPoints = filled(a.Languages), filled(a.Instructions), filled(a.Commands), filled(a.EntryPoints)
	a.Modules, a.Neighbours, a.Tests, a.Landmarks = filled(a.Modules), filled(a.Neighbours), filled(a.Tests), filled(a.Landmarks)
	if a.LeftOut == nil {
		a.LeftOut = map[string]int{}
	}
	for i := range a.Modules {
		m := &a.Modules[i]
		m.Languages, m.Symbols, m.Uses = filled(m.Languages), filled(m.Symbols), filled(m.Uses)
	}
	for i := range a.Tests {
		a.Tests[i].Languages, a.Tests[i].Tests = filled(a.Tests[i].Languages), filled(a.Tests[i].Tests)
	}
}

// mapRemarks says on standard error what the map cannot say of itself.
func (p *program) mapRemarks(a app.MapAnswer) {
	if !p.says("warn") {
		return
	}
	if strings.Count(a.Text, "\n") < 2 && len(a.LeftOut) > 0 {
		fmt.Fprintf(p.stderr, "Note: %d tokens hold hardly anything of this map; try a larger --budget\n", a.Budget)
	}
	if a.Stale {
		fmt.Fprintf(p.stderr, "Note: the index is older than the tree: %s\n", visible(a.StaleReason))
	}
	p.notes(a.Notes)
}
