package main

import (
	"github.com/spf13/cobra"

	"agenvantage/internal/app"
)

func (p *program) symbolCommand() *cobra.Command {
	return p.navigateCommand(app.VerbSymbol, "symbol NAME", "List the definitions of a name", `List the definitions of a name, qualified or not, one a line: place, symbol, kind and the line itself. Of a qualified name the
definitions come whose whole qualified name it is; failing that, those with more parents above it, then those in a file or
folder that the qualifier names.`, `  agenvantage symbol Serve
  agenvantage symbol --json Mux.Serve`, nil)
}
