package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

// whyRequest is the two arguments of why.
type whyRequest struct{ pack, location string }

func (p *program) whyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "why PACK_ID LOCATION [flags]",
		Short: "Say why a pack shows a place, or does not",
		Long: `Say why a place is in a pack: the slot that it was considered for, its rank there, the reason, and the retrieval channels that
agreed; or why it is not: considered and left out for what reason, not considered at all, left out of the index and why, or no
file of the tree. LOCATION is PATH, PATH:LINE or PATH:A-B, with the lines as they were packed; PACK_ID may be its first six
characters or more.

Exit codes: 0 the pack shows it, 1 it does not, 2 error (also a pack that is not kept any more).`,
		Example: `  agenvantage why p3f9a1c22 src/session.go:40
  agenvantage why p3f9a1c22 web/routes.ts --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%w: the id of a pack and a location are needed: got %s", agenvantage.ErrBadInput, count.Of(len(args), "argument", "arguments"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.why(cmd, whyRequest{args[0], args[1]}, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/why.schema.json)")
	return cmd
}

func (p *program) why(cmd *cobra.Command, request whyRequest, asJSON bool) error {
	answer, err := asked(p, cmd, request, func(s service, ctx context.Context, r whyRequest, _ func(app.Progress)) (app.PackReason, error) {
		return s.WhyPacked(ctx, r.pack, r.location)
	})
	if err != nil {
		return err
	}
	if asJSON {
		answer.Places = filled(answer.Places)
		for i := range answer.Places {
			answer.Places[i].Channels = filled(answer.Places[i].Channels)
		}
		err = printJSON(p.stdout, answer)
	} else {
		err = renderReason(p.stdout, answer)
	}
	if err != nil {
		return err
	}
	p.notes(answer.Notes)
	if answer.State != app.ReasonShown {
		return exitStatus(exitNothing)
	}
	return nil
}

// maxPlacesShown bounds the places of an answer for people: a long file has hundreds that were considered.
const maxPlacesShown = 20

// renderReason prints an answer for people: the sentence, then each place that was considered.
func renderReason(out io.Writer, a app.PackReason) error {
	w := bufio.NewWriter(out)
	place := visiblePath(a.Path)
	switch {
	case a.StartLine > 0 && a.StartLine == a.EndLine:
		place += fmt.Sprintf(":%d", a.StartLine)
	case a.StartLine > 0:
		place += fmt.Sprintf(":%d-%d", a.StartLine, a.EndLine)
	}
	fmt.Fprintf(w, "%s: %s: %s\n", place, a.State, visible(a.Why))
	for i, c := range a.Places {
		if i == maxPlacesShown {
			fmt.Fprintf(w, "  and %s; --json lists them all\n", count.Of(len(a.Places)-i, "more place", "more places"))
			break
		}
		fmt.Fprintf(w, "  %d-%d", c.StartLine, c.EndLine)
		if c.Symbol != "" {
			fmt.Fprintf(w, " %s", visible(c.Symbol))
		}
		fmt.Fprintf(w, "  %s, %s", c.Outcome, c.Slot)
		if c.Rank > 0 {
			fmt.Fprintf(w, " rank %d", c.Rank)
		}
		if len(c.Channels) > 0 {
			fmt.Fprintf(w, " (%s)", visible(strings.Join(c.Channels, ", ")))
		}
		if c.ID != "" {
			fmt.Fprintf(w, "  %s", visible(c.ID))
		}
		fmt.Fprintf(w, "\n      %s\n", visible(c.Reason))
		if c.Why != "" && c.Why != c.Reason && c.Why != string(c.Outcome) {
			fmt.Fprintf(w, "      %s: %s\n", c.Outcome, visible(c.Why))
		}
	}
	return w.Flush()
}
