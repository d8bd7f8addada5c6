package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

func (p *program) statusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the state of the index beside the live tree",
		Long: `Show the state of the index beside the live tree: indexed and live revision, files that an update would touch, age,
format, channels with their sizes, and languages with how far they are understood. Nothing is built or changed.

The state is ready, stale (files changed), incomplete (a first run was interrupted) or absent.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := p.open(cmd)
			if err != nil {
				return err
			}
			defer s.Close()
			status, err := s.Status(cmd.Context())
			if err != nil {
				return err
			}
			if !asJSON {
				return renderStatus(p.stdout, status)
			}
			status.Dirty, status.Channels, status.Languages = filled(status.Dirty), filled(status.Channels), filled(status.Languages)
			for i := range status.Channels {
				status.Channels[i].Gate = filled(status.Channels[i].Gate)
			}
			if status.History.State == "" {
				status.History.State = app.HistoryAbsent
			}
			for i := range status.Languages {
				if status.Languages[i].States == nil {
					status.Languages[i].States = map[agenvantage.ParseState]int{}
				}
			}
			return printJSON(p.stdout, status)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/status.schema.json)")
	return cmd
}

// filled makes a list that is written as [] when it is empty.
func filled[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// historyText says in words how much of the history is stored.
func historyText(h app.HistoryStatus) string {
	s := string(h.State)
	switch h.State {
	case app.HistoryReady:
		s = count.Of(h.Commits, "commit", "commits")
	case app.HistoryPartial:
		s = fmt.Sprintf("%s, %.0f%% covered", count.Of(h.Commits, "commit", "commits"), 100*h.Covered)
	}
	return s + visible(prefixed(": ", h.Reason))
}

func renderStatus(w io.Writer, s app.Status) error {
	t := newTable(w)
	fmt.Fprintf(t, "root\t%s\n", visiblePath(s.Root))
	fmt.Fprintf(t, "index\t%s\n", visiblePath(s.IndexDir))
	fmt.Fprintf(t, "state\t%s\n", s.State)
	fmt.Fprintf(t, "format\t%d\n", s.Format)
	fmt.Fprintf(t, "live revision\t%s\n", cmp.Or(s.LiveRevision, "none"))
	if s.State == "absent" || s.State == "incomplete" {
		return t.Flush()
	}
	fmt.Fprintf(t, "indexed revision\t%s\n", cmp.Or(s.IndexedRevision, "none"))
	fmt.Fprintf(t, "generation\t%d\n", s.Generation)
	fmt.Fprintf(t, "age\t%s\n", time.Duration(s.AgeS*float64(time.Second)).Round(time.Second))
	fmt.Fprintf(t, "files\t%d indexed, %d skipped\n", s.Files, s.Skipped)
	fmt.Fprintf(t, "chunks\t%d\n", s.Chunks)
	fmt.Fprintf(t, "symbols\t%d\n", s.Symbols)
	fmt.Fprintf(t, "size\t%s\n", bytesText(s.IndexBytes))
	fmt.Fprintf(t, "history\t%s\n", historyText(s.History))
	fmt.Fprintf(t, "changed since\t%s\n", count.Of(s.DirtyCount, "file", "files"))
	if err := t.Flush(); err != nil {
		return err
	}
	for i, d := range s.Dirty {
		if i == 10 {
			fmt.Fprintf(w, "  … and %d more\n", s.DirtyCount-i)
			break
		}
		fmt.Fprintf(w, "  %s\n", visiblePath(d))
	}
	for _, n := range s.Notes {
		fmt.Fprintf(w, "note: %s\n", visible(n))
	}
	fmt.Fprintln(w)
	for _, c := range s.Channels {
		fmt.Fprintf(t, "channel %s\t%s\t%d items\t%s\n", c.Name, c.Status, c.Items, bytesText(c.Bytes))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, c := range s.Channels {
		for _, g := range c.Gate {
			state := "off"
			if g.On {
				state = "on"
			}
			fmt.Fprintf(w, "gate: %s is %s for %s questions: %s\n", c.Name, state, g.Class, visible(g.Why))
		}
	}
	fmt.Fprintln(w)
	for _, l := range s.Languages {
		var states []string
		for _, k := range slices.Sorted(maps.Keys(l.States)) {
			states = append(states, fmt.Sprintf("%d %s", l.States[k], k))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d symbols\t%s\t%s\n", cmp.Or(l.Lang, "unknown"), count.Of(l.Files, "file", "files"), bytesText(l.Bytes), l.Symbols, l.Parser, strings.Join(states, ", "))
	}
	return t.Flush()
}
