package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
	"agenvantage/internal/doctor"
)

func (p *program) doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the machine, the index and the clients, and say what mends a fault",
		Long: `Check what agenvantage needs: git, the configuration, the state of the index and of the history, who may write the index folder,
free disk, the embedder, whether file events can be watched, and for every coding agent whether the program that its
configuration starts is there, or the server whose address it has answers (asked on this machine alone). Each fault comes with
what mends it. Nothing is changed.

The state of a check is ok, off (not in use, or not to be told here), unknown (another check stands before it), hint (nothing is
wrong: there is no index yet, or the next question brings it up to date) or fix.

Exit codes: 0 nothing to fix (there may be hints), 1 something to fix, 2 error.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := p.doctor(cmd)
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(p.stdout, report)
			} else {
				err = renderDoctor(p.stdout, report)
			}
			if err == nil && !report.OK {
				return exitStatus(exitNothing)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/doctor.schema.json)")
	return cmd
}

// doctor gathers what is checked. A fault of the repository or of a setting is a check that fails and not an error: the others
// are worth knowing all the same.
func (p *program) doctor(cmd *cobra.Command) (doctor.Diagnosis, error) {
	in := doctor.Input{}
	var err error
	if in.Binary, err = os.Executable(); err != nil {
		return doctor.Diagnosis{}, fmt.Errorf("find this program: %w", err)
	}
	if in.Machine, err = p.machine(false); err != nil {
		in.OpenError = err
	}
	if in.OpenError == nil {
		s, err := p.open(cmd)
		switch {
		case err == nil:
			defer s.Close()
			in.Repository = s
			if e, ok := s.(embedService); ok {
				in.VectorFault = e.VectorFault
			}
		case p.config == nil:
			in.ConfigError = err
		default:
			in.OpenError = err
		}
	}
	if p.config != nil {
		in.IndexDir, in.Embedder, in.Vectors = p.config.IndexFolder(p.root), p.config.Embed.Provider, app.EmbedderStateOf(p.config)
	}
	in.EmbedderFix = embedderFix
	return doctor.Run(cmd.Context(), in)
}

// embedderFix is what mends a fault of the embedder: that of its kind, or the setting that it names.
func embedderFix(fault error) string {
	if kind, ok := app.EmbedErrorKind(fault); ok {
		return embedAdvice(kind)
	}
	if errors.Is(fault, agenvantage.ErrBadInput) {
		return "correct that setting: agenvantage config show says where it comes from, docs/embeddings.md what it may be"
	}
	return embedAdvice("")
}

func renderDoctor(w io.Writer, r doctor.Diagnosis) error {
	t := newTable(w)
	faults, hints := 0, 0
	for _, c := range r.Checks {
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.State, c.Name, visible(c.Detail))
		switch c.State {
		case doctor.StateFix:
			faults++
		case doctor.StateHint:
			hints++
		}
		if c.Fix != "" {
			fmt.Fprintf(t, "\t\tTry: %s\n", visible(c.Fix))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	said := "nothing to fix"
	if faults > 0 {
		said = count.Of(faults, "thing", "things") + " to fix"
	}
	if hints > 0 {
		said += ", " + count.Of(hints, "hint", "hints")
	}
	_, err := fmt.Fprintln(w, "\n"+said)
	return err
}
