package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage/internal/app"
)

func (p *program) rehydrateCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rehydrate SOURCE_ID [flags]",
		Short: "Print the exact text behind an id of a pack",
		Long: `Print the exact text of a block or of something that a pack listed by id alone. SOURCE_ID is the id in any kept pack, or its first
six characters or more. The text is that of the revision that was packed and of no other: when the file has changed since, or
is gone, it comes from the pack or from the commit that the pack was made at, and a note says so. Secrets are masked in it as
in every answer. Standard output is the text alone; the place is told on standard error.

Exit codes: 0 found, 1 the text of that revision is not to be had any more, 2 error (also an id that no kept pack has).`,
		Example: `  agenvantage rehydrate h09c2e7f1ab34
  agenvantage rehydrate b77d01 --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			return oneArgument(args, "the id of a block or handle")
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.rehydrate(cmd, args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/rehydrate.schema.json)")
	return cmd
}

func (p *program) rehydrate(cmd *cobra.Command, id string, asJSON bool) error {
	answer, err := asked(p, cmd, id, func(s service, ctx context.Context, id string, _ func(app.Progress)) (app.Rehydrated, error) {
		return s.Rehydrate(ctx, id)
	})
	if err != nil {
		return err
	}
	switch {
	case asJSON:
		err = printJSON(p.stdout, answer)
	case answer.Found():
		text := answer.Text
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if p.onTerminal() {
			text = app.PackVisible(text)
		}
		_, err = io.WriteString(p.stdout, text)
	}
	if err != nil {
		return err
	}
	if !answer.Found() {
		fmt.Fprintf(p.stderr, "Nothing found: %s: %s.\nTry: agenvantage pack, for what is there now\n", rehydratedPlace(answer), visible(answer.Why))
		return exitStatus(exitNothing)
	}
	if !asJSON && p.says("warn") {
		fmt.Fprintf(p.stderr, "Note: %s\n", rehydratedPlace(answer))
		if answer.Why != "" {
			fmt.Fprintf(p.stderr, "Note: %s: %s\n", answer.State, visible(answer.Why))
		}
	}
	return nil
}

// rehydratedPlace says where a text is from.
func rehydratedPlace(r app.Rehydrated) string {
	if r.Path == "" {
		return r.SourceID + " of pack " + r.PackID
	}
	s := fmt.Sprintf("%s:%d-%d", visiblePath(r.Path), r.StartLine, r.EndLine)
	if r.Symbol != "" {
		s += " " + visible(r.Symbol)
	}
	return s + " at " + visible(r.Revision)
}
