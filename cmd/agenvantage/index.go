package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
)

func (p *program) indexCommand() *cobra.Command {
	var force, asJSON bool
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Build the index or bring it up to date",
		Long: `Build the index, or bring it up to date: only files that changed are read. Progress goes to standard error, as a bar
on a terminal and as plain lines otherwise. A run that was interrupted goes on where it stopped.

Exit codes: 0 done (also for a folder without files), 2 error or interrupted, 3 done but some files could not be read.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := p.open(cmd, nil)
			if err != nil {
				return err
			}
			defer s.Close()
			bar := p.newProgress()
			summary, err := s.Index(cmd.Context(), force, bar.update)
			bar.close()
			if err != nil {
				return err
			}
			if summary.Skipped == nil {
				summary.Skipped = map[agenvantage.SkipReason]int{}
			}
			if asJSON {
				err = printJSON(p.stdout, summary)
			} else {
				err = renderIndex(p.stdout, summary)
			}
			if err != nil {
				return err
			}
			if unread := summary.Skipped[agenvantage.SkipUnreadable] + summary.Skipped[agenvantage.SkipVanished]; unread > 0 {
				if p.says("warn") {
					fmt.Fprintf(p.stderr, "Warning: %s not be read; agenvantage files --skipped lists them\n", count(unread, "file or folder could", "files or folders could"))
				}
				return exitStatus(exitPartial)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "build anew, also what did not change")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as JSON (docs/reference/schema/index.schema.json)")
	return cmd
}

func renderIndex(w io.Writer, s app.IndexSummary) error {
	for _, n := range s.Notes {
		if _, err := fmt.Fprintln(w, visible(n)); err != nil {
			return err
		}
	}
	rate := ""
	if s.Seconds > 0 && s.Changed > 0 {
		rate = fmt.Sprintf(" (%s/s)", bytesText(int64(float64(s.Bytes)/s.Seconds)))
	}
	if s.Files == 0 {
		fmt.Fprintln(w, "no files indexed: nothing below", visiblePath(s.Root), "can be read as text")
	}
	fmt.Fprintf(w, "%s, %s, %s; %s changed\n", count(s.Files, "file", "files"), count(s.Chunks, "chunk", "chunks"), count(s.Symbols, "symbol", "symbols"), count(s.Changed, "file", "files"))
	total := 0
	for _, n := range s.Skipped {
		total += n
	}
	fmt.Fprintf(w, "%d skipped", total)
	for i, r := range slices.Sorted(maps.Keys(s.Skipped)) {
		sep := ", "
		if i == 0 {
			sep = ": "
		}
		fmt.Fprintf(w, "%s%d %s", sep, s.Skipped[r], r)
	}
	if s.Masked > 0 {
		fmt.Fprintf(w, "; %s masked", count(s.Masked, "secret", "secrets"))
	}
	_, err := fmt.Fprintf(w, "\n%s of source, %.2f s%s; the index has %s in %s\n", bytesText(s.Bytes), s.Seconds, rate, bytesText(s.IndexBytes), visiblePath(s.IndexDir))
	return err
}
