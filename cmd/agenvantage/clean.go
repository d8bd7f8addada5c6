package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (p *program) cleanCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Remove the index",
		Long:  `Remove the index folder. Only a folder that agenvantage made is removed. The next search or index run builds a new one.`,
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := p.open(cmd)
			if err != nil {
				return err
			}
			defer s.Close()
			summary, err := s.Clean(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.stdout, summary)
			}
			if summary.Removed {
				_, err = fmt.Fprintf(p.stdout, "removed %s (%s)\n", visiblePath(summary.IndexDir), bytesText(summary.Bytes))
			} else {
				_, err = fmt.Fprintf(p.stdout, "no index in %s\n", visiblePath(summary.IndexDir))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/clean.schema.json)")
	return cmd
}
