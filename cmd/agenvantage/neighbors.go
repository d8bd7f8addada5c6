package main

import (
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
)

func (p *program) neighborsCommand() *cobra.Command {
	kinds := namesIn(agenvantage.EdgeKinds())
	return p.navigateCommand(app.VerbNeighbors, "neighbors LOCATION", "List what edges of the code graph connect with a symbol", `List the symbols and files that edges connect with a symbol or file, both ways: → leads from the subject, ← to it.`,
		`  agenvantage neighbors Mux --edges inherits,implements
  agenvantage neighbors web/mux.go --edges imports --depth 2`, func(cmd *cobra.Command, f *navigateFlags) {
			cmd.Flags().StringSliceVar(&f.edges, "edges", nil, "only edges of `KIND,…`: "+strings.Join(kinds, ", ")+" (default: all but defines)")
			_ = cmd.RegisterFlagCompletionFunc("edges", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
			depthFlag("at most `N` edges away, 1 or more (default 1)")(cmd, f)
		})
}
