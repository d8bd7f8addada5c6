package main

import (
	"github.com/spf13/cobra"

	"agenvantage/internal/app"
)

func (p *program) impactCommand() *cobra.Command {
	return p.navigateCommand(app.VerbImpact, "impact LOCATION", "List what a change of a symbol may touch", `List what depends on a symbol, with all that is defined in it, or on a file: directly, and through others, along calls,
references, inheritance, implementation and imports. Each dependent has the number of edges and the least sure of them.
Tests are listed apart.`, `  agenvantage impact Mux.Serve
  agenvantage impact web/mux.go --depth 2 --json`, depthFlag("at most `N` edges away; 0 sets no bound"))
}
