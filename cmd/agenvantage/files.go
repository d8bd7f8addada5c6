package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"agenvantage/internal/app"
)

// fileList is the contract of `files --json`.
type fileList struct {
	Files []app.FileStatus `json:"files"`
}

func (p *program) filesCommand() *cobra.Command {
	var skipped, asJSON bool
	cmd := &cobra.Command{
		Use:   "files",
		Short: "List every file with its state: indexed, or skipped and why",
		Long: `List every file of the index with its state: indexed, or skipped with the reason. A path that ends in / is a folder
that was left out as a whole. Files that git ignores are not listed.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := p.open(cmd, nil)
			if err != nil {
				return err
			}
			defer s.Close()
			all, err := s.Files(cmd.Context())
			if err != nil {
				return err
			}
			list := fileList{Files: []app.FileStatus{}}
			for _, f := range all {
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
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&skipped, "skipped", false, "only what was left out")
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
	if f.Detail != "" {
		s += "  " + visible(f.Detail)
	}
	return s
}
