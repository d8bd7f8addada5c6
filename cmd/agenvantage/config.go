package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage/configs"
)

// settingList is the contract of `config show --json`.
type settingList struct {
	Settings []configs.Setting `json:"settings"`
}

func (p *program) configCommand() *cobra.Command {
	var asJSON bool
	parent := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
			}
			return cmd.Help()
		},
	}
	show := &cobra.Command{
		Use:   "show",
		Short: "Show every setting with its value and where the value comes from",
		Long: `Show every setting with its effective value and its source: default, user (the user's file), project
(.agenvantage.yaml at the root), env (an AGENVANTAGE_ variable) or flag. Secrets are shown as ***.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.load(cmd); err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.stdout, settingList{Settings: p.config.Settings()})
			}
			t := newTable(p.stdout)
			for _, s := range p.config.Settings() {
				fmt.Fprintf(t, "%s\t%s\t%s\n", s.Key, settingText(s.Value), s.Source)
			}
			return t.Flush()
		},
	}
	show.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/config.schema.json)")
	parent.AddCommand(show)
	return parent
}

func settingText(v any) string {
	if s, ok := v.(string); ok {
		if s == "" {
			return `""`
		}
		return visible(s)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return visible(fmt.Sprint(v))
	}
	return visible(strings.TrimSpace(b.String()))
}
