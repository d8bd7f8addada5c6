package main

import (
	"github.com/spf13/cobra"

	"agenvantage/internal/app"
)

func (p *program) callersCommand() *cobra.Command {
	return p.navigateCommand(app.VerbCallers, "callers LOCATION", "List the places that call a symbol", `List the places that call a function, a method, or a type to make a value of it; of a file, those that call into it. An answer
of no callers says how sure that is.`, `  agenvantage callers Mux.Serve
  agenvantage callers --max-tokens 500 web/mux.go`, nil)
}
