package main

import (
	"github.com/spf13/cobra"

	"agenvantage/internal/app"
)

func (p *program) testsForCommand() *cobra.Command {
	return p.navigateCommand(app.VerbTestsFor, "tests-for LOCATION", "List the tests that reach a symbol", `List the tests that test a symbol, with all that is defined in it, or a file: by their name, or because they call it, directly or
through others. After them come the test files that import its module, directly or through modules that pass it on, and use
its name: their edge is imports, and of what is not sure the confidence is name.`, `  agenvantage tests-for Mux.Serve
  agenvantage tests-for web/mux.go --depth 1`, depthFlag("at most `N` edges away, 1 or more (default 3)"))
}
