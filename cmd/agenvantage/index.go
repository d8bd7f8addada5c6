package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"agenvantage"
	"agenvantage/internal/app"
	"agenvantage/internal/count"
)

func (p *program) indexCommand() *cobra.Command {
	var force, asJSON, watch bool
	var poll time.Duration
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Build the index or bring it up to date",
		Long: `Build the index, or bring it up to date: only files that changed are read. Progress goes to standard error, as a bar
on a terminal and as plain lines otherwise. A run that was interrupted goes on where it stopped.

With --watch it stays and takes every change over: a burst of writes or a switch of the branch is one update, told in one
line. File events of the system are followed; where they are not to be had (network file systems, mounts of another system,
limits of the system), the files are looked at every two seconds, and a line says why. SIGINT or SIGTERM ends it with exit
code 0.

Exit codes: 0 done (also for a folder without files), 2 error or interrupted, 3 done but some files could not be read.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("poll") && (!watch || poll <= 0) {
				return fmt.Errorf("%w: --poll %s: want a time above 0, together with --watch", agenvantage.ErrBadInput, poll)
			}
			s, err := p.open(cmd)
			if err != nil {
				return err
			}
			defer s.Close()
			summary, err := p.indexOnce(cmd.Context(), s, force, asJSON)
			if err != nil {
				return err
			}
			if watch {
				return p.watch(cmd.Context(), s, poll, asJSON)
			}
			if summary.Skipped[agenvantage.SkipUnreadable]+summary.Skipped[agenvantage.SkipVanished] > 0 {
				return exitStatus(exitPartial)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "build anew, also what did not change")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as JSON (docs/reference/schema/index.schema.json), with --watch then a line for each event (schema/watch.schema.json)")
	cmd.Flags().BoolVar(&watch, "watch", false, "stay, and keep the index up to date while files change")
	cmd.Flags().DurationVar(&poll, "poll", 0, "with --watch: look at the files every `DURATION` (2s, 500ms) instead of following file events")
	return cmd
}

// indexOnce runs the index and prints what it did.
func (p *program) indexOnce(ctx context.Context, s service, force, asJSON bool) (app.IndexSummary, error) {
	bar := p.newProgress()
	summary, err := s.Index(ctx, force, bar.update)
	bar.close()
	if err != nil {
		return summary, err
	}
	if summary.Skipped == nil {
		summary.Skipped = map[agenvantage.SkipReason]int{}
	}
	if asJSON {
		err = printJSON(p.stdout, summary)
	} else {
		err = renderIndex(p.stdout, summary)
	}
	if unread := summary.Skipped[agenvantage.SkipUnreadable] + summary.Skipped[agenvantage.SkipVanished]; err == nil && unread > 0 && p.says("warn") {
		fmt.Fprintf(p.stderr, "Warning: %s not be read; agenvantage files --skipped lists them\n", count.Of(unread, "file or folder could", "files or folders could"))
	}
	return summary, err
}

// watch keeps the index up to date until the run is ended, and tells of each event. Without a reader of the events it ends.
func (p *program) watch(ctx context.Context, s service, poll time.Duration, asJSON bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := s.Watch(ctx, app.WatchOptions{Poll: poll, Report: func(e app.WatchEvent) {
		var err error
		if asJSON {
			err = printJSON(p.stdout, e)
		} else {
			err = p.renderWatch(e)
		}
		if err != nil {
			cancel(fmt.Errorf("tell of an update: %w", err))
		}
	}})
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// renderWatch prints one event: updates on standard output, what else there is to know on standard error.
func (p *program) renderWatch(e app.WatchEvent) error {
	switch e.Event {
	case app.WatchUpdated:
		for _, n := range e.Notes {
			if p.says("info") {
				fmt.Fprintf(p.stderr, "Note: %s\n", visible(n))
			}
		}
		_, err := fmt.Fprintf(p.stdout, "%s changed, %.2f s, generation %d\n", count.Of(e.Changed, "file", "files"), e.Seconds, e.Generation)
		return err
	case app.WatchReady:
		if p.says("warn") {
			fmt.Fprintf(p.stderr, "Note: watching %s; end with Ctrl-C\n", count.Of(e.Folders, "folder", "folders"))
		}
	case app.WatchPolling:
		if p.says("warn") {
			fmt.Fprintf(p.stderr, "Note: looking for changes again and again instead of following file events: %s\n", visible(e.Message))
		}
	case app.WatchFailed:
		fmt.Fprintf(p.stderr, "Warning: the index is not up to date, trying again: %s\n", visible(e.Message))
	}
	return nil
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
	fmt.Fprintf(w, "%s, %s, %s; %s changed\n", count.Of(s.Files, "file", "files"), count.Of(s.Chunks, "chunk", "chunks"), count.Of(s.Symbols, "symbol", "symbols"), count.Of(s.Changed, "file", "files"))
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
		fmt.Fprintf(w, "; %s masked", count.Of(s.Masked, "secret", "secrets"))
	}
	_, err := fmt.Fprintf(w, "\n%s of source, %.2f s%s; the index has %s in %s\n", bytesText(s.Bytes), s.Seconds, rate, bytesText(s.IndexBytes), visiblePath(s.IndexDir))
	return err
}
