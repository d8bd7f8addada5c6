package main

import (
	"github.com/spf13/cobra"

	"agenvantage/internal/app"
)

func (p *program) readCommand() *cobra.Command {
	return p.navigateCommand(app.VerbRead, "read LOCATION", "Print the text of a symbol or of lines", `Print the text of a symbol, of given lines or of a file, with the numbers of its lines, from the index: secrets are masked in it
as in every answer. A file that has changed on disk since is labelled.`, `  agenvantage read Mux.Serve
  agenvantage read web/mux.go:12-40 --around 5`, func(cmd *cobra.Command, f *navigateFlags) {
		cmd.Flags().IntVar(&f.around, "around", 0, "`N` lines more before and after")
	})
}
