package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agenvantage"
	"agenvantage/internal/app"
)

// embedService is what the embed commands need of an opened repository; *app.App is one.
type embedService interface {
	EmbedPlan(ctx context.Context, r app.EmbedRequest, progress func(app.Progress)) (app.EmbedPlan, error)
	EmbedRun(ctx context.Context, r app.EmbedRequest, progress func(app.Progress)) (app.EmbedSummary, error)
	EmbedStatus(ctx context.Context) (app.EmbedStatus, error)
	VectorFault(ctx context.Context) error
	EmbedLog(ctx context.Context, r app.EmbedLogRequest) (app.EmbedLog, error)
	EmbedPrune(ctx context.Context, r app.EmbedPruneRequest) (app.EmbedRemoved, error)
	EmbedPurge(ctx context.Context, key string, keepLedger bool) (app.EmbedRemoved, error)
	EmbedActive() (string, error)
	EmbedStarting() (release func(), err error)
	EmbedLogFile() (string, error)
}

var errNoEmbedding = errors.New("this repository cannot be embedded")

func (p *program) embedCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "embed",
		Short: "Make vectors of the code with a model of your choice, for the semantic channel",
		Long: `Make vectors of the index's chunks with a model of your choice, local or hosted, for the semantic channel. Nothing is sent
anywhere until embed.provider and embed.model are set (docs/embeddings.md). Without them a model in this program makes the vectors when
a question asks for the channel; with embed.provider builtin index makes them, and run is not needed. plan says what would go where and
what it would cost, run embeds what has no vector yet, status counts, log shows what was sent, prune and purge remove.

Vectors are kept by model and content in one store for all repositories (embed.store_dir), so that no text is paid twice.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
			}
			return cmd.Help()
		},
	}
	parent.AddCommand(p.embedPlanCommand(), p.embedRunCommand(), p.embedStatusCommand(), p.embedLogCommand(), p.embedPruneCommand(), p.embedPurgeCommand())
	return parent
}

// withEmbedding opens the repository for one of the embed commands.
func (p *program) withEmbedding(cmd *cobra.Command, do func(s embedService) error) error {
	if err := refuseBlank(cmd); err != nil {
		return err
	}
	opened, err := p.open(cmd)
	if err != nil {
		return err
	}
	defer opened.Close()
	s, ok := opened.(embedService)
	if !ok {
		return errNoEmbedding
	}
	return do(s)
}

// refuseBlank refuses a flag of the command that was given nothing. An empty variable of a shell must not read as the flag left out: purge
// --only "$KEY" would remove all sets.
func refuseBlank(cmd *cobra.Command) error {
	var err error
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if err == nil && f.Changed && f.Value.Type() == "string" && strings.TrimSpace(f.Value.String()) == "" {
			err = fmt.Errorf("%w: --%s %q: it was given no value; leave it out for all", agenvantage.ErrBadInput, f.Name, f.Value.String())
		}
	})
	return err
}

func (p *program) embedPlanCommand() *cobra.Command {
	var asJSON bool
	var r app.EmbedRequest
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Say what embed run would send where, and what it would cost",
		Long: `Say what embed run would send where: files, chunks, tokens, money at a price list or embed.price, masked secrets, and paths
that embed.allow and embed.deny keep here. Of the model in the program it says what is to be made: nothing is sent, and nothing is paid.
The index is brought up to date; no service is asked anything.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withEmbedding(cmd, func(s embedService) error {
				bar := p.newProgress()
				plan, err := s.EmbedPlan(cmd.Context(), r, bar.update)
				bar.close()
				if err != nil {
					return err
				}
				if asJSON {
					plan.Blocked = filled(plan.Blocked)
					return printJSON(p.stdout, plan)
				}
				return p.renderEmbedPlan(plan)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/embed-plan.schema.json)")
	cmd.Flags().BoolVar(&r.RetryFailed, "retry-failed", false, "count what was refused before as well, as embed run --retry-failed sends it")
	return cmd
}

func (p *program) embedRunCommand() *cobra.Command {
	var asJSON, background bool
	var r app.EmbedRequest
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Embed the chunks that have no vector yet",
		Long: `Bring the index up to date and embed the chunks that have no vector of the configured model yet. Run it again after changes or
after an interruption: it fills the gaps, and what has a vector is never sent again. Results are kept request by request. Secrets
are masked before anything is sent, and paths that embed.deny names stay here.

With --background it goes on by itself: the line on standard output says its process and its log, and embed status how far it is.

Exit codes: 0 done, 2 error or interrupted (also while another run is active), 3 done but some chunks were refused (embed status
lists them), 4 service unreachable, 5 model missing.`,
		Example: `  ollama pull nomic-embed-text
  AGENVANTAGE_EMBED_PROVIDER=ollama AGENVANTAGE_EMBED_MODEL=nomic-embed-text agenvantage embed run`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withEmbedding(cmd, func(s embedService) error {
				if background {
					return p.embedBackground(cmd, s, r, asJSON)
				}
				return p.embedRun(cmd.Context(), s, r, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as JSON (docs/reference/schema/embed-run.schema.json), with --background the process (schema/embed-background.schema.json)")
	cmd.Flags().BoolVar(&background, "background", false, "go on by itself, without a terminal")
	cmd.Flags().BoolVar(&r.RetryFailed, "retry-failed", false, "send what was refused before once more")
	return cmd
}

func (p *program) embedRun(ctx context.Context, s embedService, r app.EmbedRequest, asJSON bool) error {
	bar := p.newProgress()
	summary, err := s.EmbedRun(ctx, r, func(u app.Progress) {
		if u.Phase == app.PhaseLeaving {
			p.notes([]string{u.Note})
			return
		}
		bar.update(u)
	})
	bar.close()
	if err != nil {
		return err
	}
	if asJSON {
		summary.Failed, summary.Split = filled(summary.Failed), filled(summary.Split)
		err = printJSON(p.stdout, summary)
	} else {
		err = p.renderEmbedRun(summary)
	}
	if err == nil && (len(summary.Failed) > 0 || summary.Missing > 0) {
		return exitStatus(exitPartial)
	}
	return err
}

func (p *program) embedStatusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Count the chunks that have a vector, and list those that were refused",
		Long: `Count the chunks of the index that have a vector of the configured model, list those that were refused with the reason, and say
what the store holds and whether a run is active. Nothing is built, changed or asked of a service.

The state is off (embed.provider is none), no_vectors, partial or complete; complete is said only when every chunk has one.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withEmbedding(cmd, func(s embedService) error {
				status, err := s.EmbedStatus(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					status.Failed, status.Others = filled(status.Failed), filled(status.Others)
					return printJSON(p.stdout, status)
				}
				return p.renderEmbedStatus(status)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/embed-status.schema.json)")
	return cmd
}

// defaultEntries is how many entries of the ledger are shown to people and programs that do not say.
const defaultEntries = 200

func (p *program) embedLogCommand() *cobra.Command {
	var asJSON bool
	var since string
	r := app.EmbedLogRequest{Newest: defaultEntries}
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show what was sent where, when",
		Long: `Show the egress ledger: which chunk, by its hash, went to which provider, host and model, when, and what came of it. An entry is
written before its request is sent. The newest entries come last. The ledger is one for all repositories.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.Newest < 0 {
				return fmt.Errorf("%w: --newest %d: want 0 for all, or more", agenvantage.ErrBadInput, r.Newest)
			}
			var err error
			if r.Since, err = sinceTime(since, time.Now()); err != nil {
				return err
			}
			return p.withEmbedding(cmd, func(s embedService) error {
				log, err := s.EmbedLog(cmd.Context(), r)
				if err != nil {
					return err
				}
				if asJSON {
					log.Entries = filled(log.Entries)
					return printJSON(p.stdout, log)
				}
				return p.renderEmbedLog(log)
			})
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/embed-log.schema.json)")
	fl.IntVar(&r.Newest, "newest", defaultEntries, "at most `N` entries, the newest; 0 for all")
	fl.StringVar(&since, "since", "", "only what was sent since `TIME`: 2025-06-30, 2025-06-30T12:00:00Z, or a duration before now such as 24h")
	fl.StringVar(&r.Hash, "hash", "", "only the chunk or question with this `HASH`")
	fl.BoolVar(&r.MaybePaid, "paid", false, "only what may be on the bill without a vector to show for it")
	return cmd
}

// sinceTime reads a time, a day or a duration before now; "" is the zero time.
func sinceTime(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%w: --since %q: want a day such as 2025-06-30, a time such as 2025-06-30T12:00:00Z, or a duration such as 24h", agenvantage.ErrBadInput, text)
}

// defaultUnusedDays keeps the vectors of repositories and branches that are worked on now and then.
const defaultUnusedDays = 30

func (p *program) embedPruneCommand() *cobra.Command {
	var asJSON bool
	var r app.EmbedPruneRequest
	days := defaultUnusedDays
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove vectors that no run has met for a while",
		Long: `Remove the vectors, refusals and cached questions that no embed run of any repository has met for --unused days, but for those of
this repository's index. The store is one for all repositories: with --unused 0 those of the others go as well, and have to be
made and paid again. The ledger stays.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if days < 0 || days > 36500 {
				return fmt.Errorf("%w: --unused %d: want 0 to 36500 days", agenvantage.ErrBadInput, days)
			}
			r.UnusedFor = time.Duration(days) * 24 * time.Hour
			return p.withEmbedding(cmd, func(s embedService) error {
				removed, err := s.EmbedPrune(cmd.Context(), r)
				return p.embedRemoved(removed, err, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/embed-removed.schema.json)")
	cmd.Flags().IntVar(&days, "unused", defaultUnusedDays, "what was not met for `DAYS`")
	cmd.Flags().BoolVar(&r.DryRun, "dry-run", false, "only count what would go")
	return cmd
}

func (p *program) embedPurgeCommand() *cobra.Command {
	var asJSON, keepLedger bool
	var only string
	cmd := &cobra.Command{
		Use:   "purge",
		Short: "Remove all vectors, and the ledger",
		Long: `Remove all stored vectors, refusals and cached questions of all repositories, and the egress ledger. With --only those of one
model. It says what went, of which model, and what the store takes now; where nothing is left its files go too. A damaged store is
removed as well. What was embedded has to be made and, of services, paid again.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withEmbedding(cmd, func(s embedService) error {
				removed, err := s.EmbedPurge(cmd.Context(), only, keepLedger)
				return p.embedRemoved(removed, err, asJSON)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/reference/schema/embed-removed.schema.json)")
	cmd.Flags().StringVar(&only, "only", "", "only the set with this `KEY`, as embed status --json names it")
	cmd.Flags().BoolVar(&keepLedger, "keep-ledger", false, "keep the record of what was sent")
	return cmd
}

// embedAdvice says what can be done about an error of embedding.
func embedAdvice(kind string) string {
	switch kind {
	case "unreachable":
		return "start the service, or correct embed.base_url (AGENVANTAGE_EMBED_BASE_URL); the other channels answer without it"
	case "model_missing":
		return "fetch the model, or name another one with embed.model (AGENVANTAGE_EMBED_MODEL)"
	case "model_changed":
		return "agenvantage embed run again, which makes new vectors beside the old ones; a service that gives vectors of several sizes is at fault"
	case "unauthorized":
		return "set AGENVANTAGE_EMBED_API_KEY or embed.api_key_file"
	case "quota":
		return "look at your account with the provider; agenvantage embed run then goes on where it stopped"
	case "limited", "overloaded":
		return "agenvantage embed run in a while, which goes on where it stopped; a lower embed.concurrency asks less at a time"
	case "busy":
		return "wait for the other run; agenvantage embed status says how far it is"
	case "disk_full":
		return "make room, as agenvantage embed prune and purge do, or embed.store_dir (AGENVANTAGE_EMBED_STORE_DIR) for a folder on another disk; what is stored stays, and agenvantage embed run goes on from there"
	case "store_gone":
		return "agenvantage embed run again, which makes the store anew; what was embedded into the removed file is lost"
	case "not_writable":
		return "embed.store_dir (AGENVANTAGE_EMBED_STORE_DIR) to keep vectors in a folder that you may write"
	case "store_corrupt", "store_format":
		return "agenvantage embed purge, which removes it, or embed.store_dir (AGENVANTAGE_EMBED_STORE_DIR) for another folder; the vectors in it have to be made again"
	case "store_foreign":
		return "move that file away, or embed.store_dir (AGENVANTAGE_EMBED_STORE_DIR) for another folder"
	}
	return "check embed.provider, embed.base_url and embed.model (docs/embeddings.md)"
}
