package main

import (
	"github.com/spf13/cobra"

	"agenvantage/internal/app"
)

func (p *program) calleesCommand() *cobra.Command {
	return p.navigateCommand(app.VerbCallees, "callees LOCATION", "List what a symbol calls", `List what a symbol, with all that is defined in it, or a file calls in the repository: each callee once, where it is defined.
Calls that were not resolved are counted in the coverage; those of the language itself and of other repositories are not
among them.`, `  agenvantage callees Mux.Serve
  agenvantage callees web/mux.go:12-40`, nil)
}
