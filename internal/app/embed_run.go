package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/embed"
	"agenvantage/embed/runner"
	vectorstore "agenvantage/embed/store"
)

// EmbedRequest asks for a run or a plan.
type EmbedRequest struct {
	RetryFailed bool // send what was refused before once more
}

// PhaseEmbed is of an embedding run: DoneFiles and TotalFiles count texts, Note says what is waited for.
const PhaseEmbed ProgressPhase = "embed"

// PhaseLeaving is told once, before a run sends its first text, when the service on this machine sends texts on to another: Note says so.
const PhaseLeaving ProgressPhase = "leaving"

// leaving is the Note of PhaseLeaving.
func leaving(i embed.Identity) string {
	return fmt.Sprintf("%s at %s passes texts on to another machine; embed.allow and embed.deny hold for it", i.Model, i.Endpoint)
}

// EmbedPlan says what EmbedRun would send where, after bringing the index up to date as a search does. It asks no service anything.
func (a *App) EmbedPlan(ctx context.Context, r EmbedRequest, progress func(Progress)) (EmbedPlan, error) {
	done, err := a.use()
	if err != nil {
		return EmbedPlan{}, err
	}
	defer done()
	made, err := a.embedding.maker()
	if err != nil {
		return EmbedPlan{}, err
	}
	fresh, err := a.refresh(ctx, false, progress)
	if err != nil {
		return EmbedPlan{}, err
	}
	pinned, err := a.pin(ctx)
	if err != nil {
		return EmbedPlan{}, err
	}
	defer pinned.release()
	source, err := a.chunkSource(pinned.corpus, made.Hosted)
	if err != nil {
		return EmbedPlan{}, err
	}
	st, err := a.embedding.stored() // none yet: everything would be sent
	if err != nil {
		return EmbedPlan{}, err
	}
	set, _, err := a.embedding.current(ctx)
	if err != nil {
		return EmbedPlan{}, err
	}
	o := a.embedding.runOptions()
	o.RetryFailed = r.RetryFailed
	hosted, known := leaves(made, set)
	price, from := a.embedding.options().Cost(hosted || !known)
	o.Price = price
	estimate, err := runner.Plan(ctx, made, st, set.Key, source, o)
	if err != nil {
		return EmbedPlan{}, err
	}
	want, err := expected(ctx, made)
	if err != nil {
		return EmbedPlan{}, err
	}
	plan := EmbedPlan{Provider: want.Provider, Endpoint: want.Endpoint, Model: want.Model, Hosted: hosted, HostedUnknown: !known, Files: estimate.Files, Chunks: estimate.Chunks,
		Texts: estimate.Distinct, Cached: estimate.Cached, Known: estimate.Known, Denied: estimate.Denied, Send: estimate.Send, Requests: estimate.Batches,
		Tokens: estimate.Tokens, Bytes: estimate.Bytes, Price: price, PriceFrom: from, Money: estimate.Money, Redactions: source.masked, Blocked: estimate.BlockedPaths}
	plan.Notes = a.embedNotes(fresh.remarks())
	if fresh.stale != "" {
		plan.Notes = append(plan.Notes, "the index is stale, and a run counts anew: "+fresh.stale)
	}
	return plan, nil
}

// embedNotes are what a reader of the figures must know.
func (a *App) embedNotes(notes []string) []string { return withNote(notes, a.embedding.notice()) }

// EmbedRun brings the index up to date and embeds the chunks that have no vector of the configured model yet. What is done is kept, also
// when it fails or ends before it is through. Errors are those of Index, of package embed, of package embed/store (ErrBusy while
// another run of this repository or for the same model is active), or ctx's.
func (a *App) EmbedRun(ctx context.Context, r EmbedRequest, progress func(Progress)) (EmbedSummary, error) {
	done, err := a.use()
	if err != nil {
		return EmbedSummary{}, err
	}
	defer done()
	began := time.Now()
	if _, err := a.embedding.maker(); err != nil {
		return EmbedSummary{}, err
	}
	st, err := a.embedding.open(true)
	if err != nil {
		return EmbedSummary{}, err
	}
	release, err := st.Lock(a.runKey())
	if err != nil {
		return EmbedSummary{}, err
	}
	defer release()
	defer a.forgetCheck()
	index, err := a.update(ctx, false, progress)
	if err != nil {
		return EmbedSummary{}, err
	}
	s, err := a.embedPinned(ctx, r, progress)
	s.Seconds, s.Notes = time.Since(began).Seconds(), append(index.Notes, s.Notes...)
	return s, err
}

// runKey names the lock of runs for this root: one is known to be active before it knows which set of vectors it adds to.
func (a *App) runKey() string {
	sum := xxh3.HashString128("embedding run of " + a.root).Bytes()
	return hex.EncodeToString(sum[:])
}

// embedPinned embeds the chunks of the newest generation as it stands.
func (a *App) embedPinned(ctx context.Context, r EmbedRequest, progress func(Progress)) (EmbedSummary, error) {
	made, err := a.embedding.maker()
	if err != nil {
		return EmbedSummary{}, err
	}
	st, err := a.embedding.open(true)
	if err != nil {
		return EmbedSummary{}, err
	}
	pinned, err := a.pin(ctx)
	if err != nil {
		return EmbedSummary{}, err
	}
	defer pinned.release()
	source, err := a.chunkSource(pinned.corpus, made.Hosted)
	if err != nil {
		return EmbedSummary{}, err
	}
	o := a.embedOptions(progress)
	o.RetryFailed = r.RetryFailed
	if progress != nil {
		o.Leaving = func(i embed.Identity) { progress(Progress{Phase: PhaseLeaving, Note: leaving(i)}) }
	}
	report, err := runner.Run(ctx, made, st, source, o)
	if err != nil {
		return EmbedSummary{}, a.afterRun(ctx, pinned.corpus, report, err)
	}
	sets, err := st.Sets()
	if err != nil {
		return EmbedSummary{}, err
	}
	s := EmbedSummary{Texts: report.Distinct, Cached: report.Cached, Embedded: report.Committed, Refused: report.FailedCount(), Known: report.Known,
		Requests: report.Batches, Tokens: report.Tokens, Bytes: report.Bytes, Paid: report.PaidWithoutResult, Interrupted: report.Interrupted, Store: st.File(),
		Notes: a.embedNotes(nil)}
	for _, set := range sets {
		if set.Key == report.Set {
			s.Set = embedSet(set)
		}
	}
	if s.Split, err = source.placesOf(report.Split); err != nil {
		return s, err
	}
	s.EmbedCounts, err = a.embedCounts(ctx, pinned.corpus, report.Set)
	return s, err
}

// embedProgress is the progress of a run for people.
func embedProgress(p runner.Progress) Progress {
	out := Progress{Phase: PhaseEmbed, DoneFiles: p.Done + p.Failed, TotalFiles: p.Total}
	if !p.Until.IsZero() {
		out.Note = "the service asks to wait until " + p.Until.Format(time.TimeOnly)
	}
	return out
}

// afterRun adds to an error what the run has done.
func (a *App) afterRun(ctx context.Context, c *corpus, report runner.Report, err error) error {
	if report.Set == "" {
		return err
	}
	counts, failed := a.embedCounts(context.WithoutCancel(ctx), c, report.Set)
	if failed != nil {
		return err
	}
	if errors.Is(err, embed.ErrModelChanged) {
		err = fmt.Errorf("%w; vectors of two sizes are never mixed", err)
	}
	return fmt.Errorf("%w; %d of %d chunks have a vector, and the next run goes on from there", err, counts.Done, counts.Total)
}

// embedCounts counts the chunks of a view by what the store has of them; key may be "".
func (a *App) embedCounts(ctx context.Context, c *corpus, key string) (EmbedCounts, error) {
	counts := EmbedCounts{Failed: []EmbedFailure{}}
	source, err := a.chunkSource(c, nil)
	if err != nil {
		return counts, err
	}
	counts.Total = source.Len()
	all := slices.Concat(source.hashes...)
	have, reasons := make([]bool, len(all)), map[vectorstore.Hash]embed.Reason{}
	if key != "" {
		st, err := a.embedding.open(false)
		if err != nil {
			return counts, err
		}
		if have, err = st.Have(ctx, key, all); err != nil {
			return counts, err
		}
		failures, err := st.Failures(ctx, key)
		if err != nil {
			return counts, err
		}
		for _, f := range failures {
			reasons[f.Hash] = f.Reason
		}
	}
	denied, err := a.deniedTexts(source)
	if err != nil {
		return counts, err
	}
	for i, hash := range all {
		reason, refused := reasons[hash]
		switch {
		case have[i]:
			counts.Done++
		case denied[hash]:
			counts.Denied++
		case refused:
			place, err := source.place(i)
			if err != nil {
				return counts, err
			}
			counts.Failed = append(counts.Failed, EmbedFailure{place, reason})
		default:
			counts.Missing++
		}
	}
	return counts, nil
}

// deniedTexts are those that the path policy keeps on this machine: one of their places is denied.
func (a *App) deniedTexts(source *chunkSource) (map[vectorstore.Hash]bool, error) {
	made, err := a.embedding.maker()
	if err != nil || !made.Hosted() {
		return nil, err
	}
	policy, err := a.policy()
	if err != nil {
		return nil, err
	}
	return source.denied(policy), nil
}

// denied are the texts that stand at a path which the policy keeps here, wherever else they stand.
func (s *chunkSource) denied(policy *runner.Policy) map[vectorstore.Hash]bool {
	denied := map[vectorstore.Hash]bool{}
	for file, hashes := range s.hashes {
		if policy.Denied(s.corpus.Path(uint32(file))) {
			for _, hash := range hashes {
				denied[hash] = true
			}
		}
	}
	return denied
}

// policy is the path policy of the settings.
func (a *App) policy() (*runner.Policy, error) {
	return runner.NewPolicy(a.config.Embed.Allow, a.config.Embed.Deny)
}

// place is where a chunk lies.
func (s *chunkSource) place(i int) (EmbedPlace, error) {
	at := s.places[i]
	facts, err := s.corpus.Facts(at.file)
	if err != nil {
		return EmbedPlace{}, err
	}
	span := agenvantage.Span{}
	if at.chunk < len(facts.Chunks) {
		span = facts.Chunks[at.chunk].Span
	}
	return EmbedPlace{Path: s.corpus.Path(at.file), StartLine: span.StartLine, EndLine: span.EndLine}, nil
}

// placesOf are all places of some texts.
func (s *chunkSource) placesOf(hashes []vectorstore.Hash) ([]EmbedPlace, error) {
	places := []EmbedPlace{}
	if len(hashes) == 0 {
		return places, nil
	}
	wanted := map[vectorstore.Hash]bool{}
	for _, h := range hashes {
		wanted[h] = true
	}
	for i := range s.Len() {
		if h, _ := s.Chunk(i); wanted[h] {
			place, err := s.place(i)
			if err != nil {
				return nil, err
			}
			places = append(places, place)
		}
	}
	return places, nil
}

// EmbedLogFile is where a run in the background writes, in the folder of the store.
func (a *App) EmbedLogFile() (string, error) {
	dir, err := a.embedding.storeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, vectorstore.LogName(a.runKey())), nil
}
