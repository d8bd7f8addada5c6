package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

func (p *program) expandCommand() *cobra.Command {
	var request app.ExpandRequest
	var slot, tokenizer string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "expand PACK_ID SLOT [flags]",
		Short: "Show more of what a pack considered for a slot",
		Long: `Show what a pack considered for a slot and did not show: what it listed by id first, then what it dropped, each in the order of
rank, as far as --budget goes. The answer is a pack of new blocks alone: no line that the pack, or one before it, has shown.
It has an id of its own, so that the next expand goes on from it. PACK_ID may be its first six characters or more. SLOT is one
of ` + strings.Join(namesIn(agenvantage.SlotNames()), ", ") + `; --slot says the same.

A place whose file has changed since is looked for by its symbol; where that tells nothing, it is left out and noted.

Exit codes: 0 something new is shown, 1 nothing new is left or fits, 2 error (also a pack that is not kept any more).`,
		Example: `  agenvantage expand p3f9a1c22 tests --budget 1500
  agenvantage expand p3f9a1c22 --slot callers --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && !cmd.Flags().Changed("slot") {
				return nil
			}
			return oneArgument(args, "the id of a pack")
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			names := strings.Join(namesIn(agenvantage.SlotNames()), ", ")
			if len(args) == 2 {
				slot = args[1]
			}
			switch isSlot := slices.Contains(agenvantage.SlotNames(), agenvantage.SlotName(strings.ToLower(args[0]))); {
			case slot == "" && isSlot, isSlot && len(args) == 1:
				return fmt.Errorf("%w: the id of a pack is needed before the slot %q; agenvantage pack says it on standard error", agenvantage.ErrBadInput, args[0])
			case slot == "":
				return fmt.Errorf("%w: --slot is needed, or the slot alone behind the id: one of %s", agenvantage.ErrBadInput, names)
			}
			if request.Budget < 1 || request.Budget > app.MaxPackBudget {
				return fmt.Errorf("%w: --budget is %d, want 1 to %d tokens", agenvantage.ErrBadInput, request.Budget, app.MaxPackBudget)
			}
			if request.Tokenizer, err = readTokenizer(tokenizer); err != nil {
				return err
			}
			request.PackID, request.Slot = args[0], agenvantage.SlotName(strings.ToLower(slot))
			return p.expand(cmd, request, asJSON)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&slot, "slot", "", "the slot `S`: "+strings.Join(namesIn(agenvantage.SlotNames()), ", "))
	fl.IntVar(&request.Budget, "budget", app.DefaultExpandBudget, "at most `N` tokens in the whole Markdown")
	fl.StringVar(&tokenizer, "tokenizer", "", "count tokens as `NAME` does: "+strings.Join(tokenizerNames(), " or ")+" (default: as the pack was counted)")
	fl.BoolVar(&request.NoRefresh, "no-refresh", false, "answer from the index as it is")
	fl.BoolVar(&asJSON, "json", false, "print JSON (docs/reference/pack.schema.json)")
	_ = cmd.RegisterFlagCompletionFunc("slot", cobra.FixedCompletions(namesIn(agenvantage.SlotNames()), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// oneArgument refuses any number of arguments but one.
func oneArgument(args []string, what string) error {
	if len(args) != 1 {
		return fmt.Errorf("%w: %s is needed, and nothing beside it: got %s", agenvantage.ErrBadInput, what, count.Of(len(args), "argument", "arguments"))
	}
	return nil
}

func (p *program) expand(cmd *cobra.Command, request app.ExpandRequest, asJSON bool) error {
	answer, err := asked(p, cmd, request, func(s service, ctx context.Context, r app.ExpandRequest, _ func(app.Progress)) (agenvantage.Pack, error) {
		return s.Expand(ctx, r)
	})
	if err != nil {
		return err
	}
	format := formatMarkdown
	if asJSON {
		format = formatJSON
	}
	if err := p.printPack(answer, format); err != nil {
		return err
	}
	if len(answer.Blocks) == 0 {
		return exitStatus(exitNothing)
	}
	return nil
}
