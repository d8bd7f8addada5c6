package main

import (
	"github.com/spf13/cobra"

	"agenvantage/internal/app"
)

func (p *program) refsCommand() *cobra.Command {
	return p.navigateCommand(app.VerbRefs, "refs LOCATION", "List the places that mention a symbol", `List the places outside of a symbol or file that mention it: calls, other references, inheritance, implementation, imports,
routes, configuration and documents. Each line names the symbol that the mention stands in, the kind of edge, and how sure
it is: resolved by scope, import or type; unique by its name; or by the name alone.`, `  agenvantage refs Mux.Serve
  agenvantage refs web/mux.go:12 --json`, nil)
}
