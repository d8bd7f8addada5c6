package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
)

// fileList is the contract of `files --json`.
type fileList struct {
	Files       []app.FileStatus `json:"files"`
	StaleReason string           `json:"stale_reason,omitempty"` // why the list is behind the tree
}

func (p *program) filesCommand() *cobra.Command {
	var skipped, noRefresh, asJSON bool
	cmd := &cobra.Command{
		Use:   "files",
		Short: "List every file with its state: indexed, or skipped and why",
		Long: `List every file of the index with its state: indexed, or skipped with the reason. A path that ends in / is a folder
that was left out as a whole. Files that git ignores are not listed. The index is brought up to date first, as by a search.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := asked(p, cmd, noRefresh, service.ListFiles)
			if err != nil {
				return err
			}
			list := fileList{Files: []app.FileStatus{}, StaleReason: all.Stale}
			for _, f := range all.Files {
				if !skipped || f.State == "skipped" {
					list.Files = append(list.Files, f)
				}
			}
			if asJSON {
				return printJSON(p.stdout, list)
			}
			w := bufio.NewWriter(p.stdout)
			for _, f := range list.Files {
				fmt.Fprintln(w, fileLine(f))
			}
			p.notes(all.Notes)
			if all.Stale != "" {
				p.notes([]string{"the index is stale: " + all.Stale})
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&skipped, "skipped", false, "only what was left out")
	cmd.Flags().BoolVar(&noRefresh, "no-refresh", false, "list the index as it is")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/files.schema.json)")
	return cmd
}

func fileLine(f app.FileStatus) string {
	s := f.State + "  " + visiblePath(f.Path)
	if f.Reason != "" {
		s += "  " + string(f.Reason)
	}
	if f.Limit > 0 {
		s += fmt.Sprintf(" (%d bytes, the limit is %d)", f.Size, f.Limit)
	}
	if f.Detail != "" && f.Reason != agenvantage.SkipTooLarge { // whose detail is the size
		s += "  " + visible(f.Detail)
	}
	return s
}
