package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/channels"
	"agenvantage/index"
	"agenvantage/pipeline"
	"agenvantage/scan"
)

// Search answers one query, bringing the index up to date first within search.refresh_timeout. With NoRefresh it only looks whether
// the index is stale, and leaves it.
// When that does not suffice, it answers from the last generation and says that it is stale. progress may be nil; it is
// told when the index is built for the first time.
func (a *App) Search(ctx context.Context, r SearchRequest, progress func(Progress)) (agenvantage.Response, error) {
	done, err := a.use()
	if err != nil {
		return agenvantage.Response{}, err
	}
	defer done()
	request, err := a.pipelineRequest(r)
	if err != nil {
		return agenvantage.Response{}, err
	}
	began := time.Now()
	asIs := r.NoRefresh || r.SameIndex
	fresh, err := a.refresh(ctx, asIs, progress)
	if err != nil {
		return agenvantage.Response{}, err
	}
	notes := fresh.remarks()
	if !asIs && a.mayAsk(ctx, provenanceChannel, r.Channels) {
		if err := a.refreshHistory(ctx, began, progress); err != nil {
			return agenvantage.Response{}, err
		}
	}
	if !r.NoRefresh {
		asked := r.Channels
		if r.Like != "" {
			asked = []string{semanticChannel}
		}
		told, err := a.embedAsked(ctx, asked, progress)
		if err != nil {
			return agenvantage.Response{}, err
		}
		notes = append(notes, told...)
	}
	response, err := a.answer(ctx, r, request, fresh.stale)
	again, err := a.mend(ctx, began, err, asIs, progress)
	if again != "" {
		notes = append(notes, again)
		response, err = a.answer(ctx, r, request, "")
	}
	response.Notes = append(response.Notes, notSaid(notes, response.Channels)...)
	return response, fresh.blame(err)
}

// answer asks the newest generation. stale says why it is behind the tree, "" when it is not.
func (a *App) answer(ctx context.Context, r SearchRequest, request pipeline.Request, stale string) (agenvantage.Response, error) {
	pinned, err := a.pin(ctx)
	if err != nil {
		return agenvantage.Response{}, err
	}
	defer pinned.release()
	view := pinned.corpus
	request.Channels, request.Allow = pinned.channelsFor(r.Channels)
	request.Reorder = a.reorderer(view)
	request.Words, request.Near = view, a.nearWords(view)
	request.Masked = func() int { return maskedFiles(view.View) }
	if !a.fixed {
		request.FreshnessOf = func(file uint32) pipeline.Freshness { return a.freshnessOf(view.File(file)) }
	}
	var response agenvantage.Response
	if r.Like != "" {
		response, err = a.answerLike(ctx, view, r.Like, request)
	} else {
		response, err = pipeline.Search(ctx, view, request, a.searchOptions)
	}
	if err != nil {
		return agenvantage.Response{}, err
	}
	response.ID, response.Root, response.Revision, response.Generation = r.ID, a.root, view.Revision(), view.Generation()
	response.ConfigHash = a.config.Hash()
	response.Coverage.FilesIndexed, response.Coverage.FilesSkipped = view.FilesIndexed(), view.FilesSkipped()
	if stale != "" {
		response.Coverage.Stale, response.Coverage.StaleReason = true, stale
	} else if response.Coverage.Stale {
		response.Coverage.StaleReason = "files changed since they were indexed"
	}
	if view.FilesIndexed() == 0 {
		response.Notes = append(response.Notes, "no files indexed: the tree holds no file that can be read")
	}
	return response, nil
}

// maskedFiles counts the indexed files of which passages are masked.
func maskedFiles(view *index.View) (count int) {
	for file := range uint32(view.FileCount()) {
		if view.File(file).Masked > 0 {
			count++
		}
	}
	return count
}

// pipelineRequest checks what the user gave: names of channels, languages and kinds are a closed list.
func (a *App) pipelineRequest(r SearchRequest) (pipeline.Request, error) {
	if err := checkLike(r); err != nil {
		return pipeline.Request{}, err
	}
	for _, name := range r.Channels {
		if known := namesOf(a.makers); name != "auto" && !slices.Contains(known, name) {
			return pipeline.Request{}, fmt.Errorf("%w: unknown channel %q; the channels are auto, %s", agenvantage.ErrBadInput, name, strings.Join(known, ", "))
		}
	}
	filter := r.Filter
	filter.Langs = nil
	for _, name := range r.Filter.Langs {
		id, known := scan.CanonicalLanguage(name)
		if !known {
			return pipeline.Request{}, fmt.Errorf("%w: unknown language %q; the languages are %s", agenvantage.ErrBadInput, name, strings.Join(scan.Languages(), ", "))
		}
		filter.Langs = append(filter.Langs, scan.ExpandLanguage(id)...)
	}
	for _, kind := range r.Filter.Kinds {
		if !slices.Contains(agenvantage.Kinds(), kind) {
			names := make([]string, 0, len(agenvantage.Kinds()))
			for _, k := range agenvantage.Kinds() {
				names = append(names, string(k))
			}
			return pipeline.Request{}, fmt.Errorf("%w: unknown kind %q; the kinds are %s", agenvantage.ErrBadInput, kind, strings.Join(names, ", "))
		}
	}
	if r.TopK < 0 {
		return pipeline.Request{}, fmt.Errorf("%w: top-k is %d, want 1 or more", agenvantage.ErrBadInput, r.TopK)
	}
	return pipeline.Request{Text: r.Query, Regex: r.Regex, TopK: r.TopK, Offset: r.Offset, Filter: filter}, nil
}

// isAuto reports whether the gate has a say in which channels are asked: none are named, or auto is.
func isAuto(names []string) bool { return len(names) == 0 || slices.Contains(names, "auto") }

// channelsFor picks the channels that were asked for, in the fixed order of Channels. auto is those that the gate's
// verdicts let on for the class of the question; allow is nil when every channel was named.
func (p *pinned) channelsFor(names []string) (run []channels.Channel, allow func(agenvantage.QueryClass, string) (bool, string)) {
	auto := isAuto(names)
	for _, channel := range p.channels {
		if auto || slices.Contains(names, channel.Name()) {
			run = append(run, channel)
		}
	}
	if !auto {
		return run, nil
	}
	return run, func(class agenvantage.QueryClass, channel string) (bool, string) {
		ruling := p.rule(channel, ablations.ClassOf(class))
		if ruling.Decision == ablations.AlwaysOn {
			return true, "" // not worth a word in every answer
		}
		return ruling.On || slices.Contains(names, channel), ruling.Why
	}
}

// voters are the channels that vote for the files of a pack by default: all of them (ADR 17 has the figures), but that of vectors only
// where a verdict has promoted it.
func (p *pinned) voters() []channels.Channel {
	return slices.DeleteFunc(slices.Clone(p.channels), func(c channels.Channel) bool { return c.Name() == semanticChannel && !p.mayRun(semanticChannel, nil) })
}

// mayRun reports whether a question may come to a channel that is asked for by names or let on by auto.
func (p *pinned) mayRun(channel string, names []string) bool {
	run, allow := p.channelsFor(names)
	if !slices.ContainsFunc(run, func(c channels.Channel) bool { return c.Name() == channel }) {
		return false
	}
	return allow == nil || slices.Contains(names, channel) || slices.ContainsFunc(ablations.Classes(), func(class ablations.Class) bool { return p.rule(channel, class).On })
}

// freshnessOf compares a file on disk with what was indexed, by size and times, then by content.
func (a *App) freshnessOf(file *index.FileInfo) pipeline.Freshness {
	info, err := os.Lstat(filepath.Join(a.root, filepath.FromSlash(file.Path)))
	switch {
	case err != nil || !info.Mode().IsRegular():
		return pipeline.Gone
	case info.Size() == file.Size && info.ModTime().UnixNano() == file.ModNS:
		return pipeline.Fresh
	case info.Size() == file.Size && a.tree.Holds(file.File): // touched, or copied
		return pipeline.Fresh
	}
	return pipeline.Changed
}

// refreshRate is the work that a refresh is expected to do in a second, from measured update rates with a margin of two:
// it decides only whether a refresh is tried, the deadline decides whether it is finished.
const (
	refreshFilesPerSecond = 300
	refreshBytesPerSecond = 2 << 20
)

// recheckAfter spares queries of one process that follow each other closely from asking git each time.
const recheckAfter = time.Second

// refresh brings the index up to date within the configured time and says how far that came. Without any index it builds
// one, however long that takes. With noRefresh it compares only.
func (a *App) refresh(ctx context.Context, noRefresh bool, progress func(Progress)) (freshness, error) {
	if a.keeper != nil {
		return a.keeper.freshness(ctx, noRefresh)
	}
	a.refreshing.Lock()
	defer a.refreshing.Unlock()
	switch {
	case noRefresh:
		return a.compare(ctx)
	case time.Since(a.checkedAt) < recheckAfter:
		return freshness{stale: a.staleReason}, nil
	}
	var notes []string
	listing := make(chan listed, 1)
	go func() {
		l, err := a.tree.List(ctx)
		listing <- listed{l, err}
	}()
	a.renew(ctx)
	pinned, err := a.pin(ctx)
	if err == nil {
		defer pinned.release()
	}
	live := <-listing
	switch {
	case live.err != nil:
		return freshness{}, live.err
	case err == nil:
		a.staleReason, err = a.refreshFrom(ctx, pinned.corpus.View, live.listing)
	case errors.Is(err, agenvantage.ErrNoIndex) || errors.Is(err, agenvantage.ErrIncomplete) || errors.Is(err, index.ErrCorrupt):
		var summary IndexSummary
		summary, err = a.update(ctx, false, progress)
		a.staleReason, notes = "", summary.Notes
	}
	if err != nil { // nothing is known: the next search looks again
		a.checkedAt, a.staleReason = time.Time{}, ""
		return freshness{}, err
	}
	a.checkedAt = time.Now()
	return freshness{stale: a.staleReason, notes: notes}, nil
}

type listed struct {
	listing scan.Listing
	err     error
}

// refreshFrom updates the index when what changed is little enough to be done in time.
func (a *App) refreshFrom(ctx context.Context, view *index.View, listing scan.Listing) (stale string, err error) {
	changes := view.Check(listing)
	if view.OptionsHash() != a.optionsHash { // everything is to be read again
		changes = index.Changes{}
		for _, e := range listing.Entries {
			changes.Changed = append(changes.Changed, e.Path)
			changes.Bytes += e.Size
		}
	}
	if !changes.Any() && !changes.Revision && changes.Unsure == 0 {
		return "", nil
	}
	budget, count := a.config.Search.RefreshTimeout, len(changes.Added)+len(changes.Changed)+len(changes.Deleted)
	seconds := max(float64(count+changes.Unsure)/refreshFilesPerSecond, float64(changes.Bytes)/refreshBytesPerSecond)
	if seconds > budget.Seconds() && count > 0 {
		return fmt.Sprintf("%d files changed since the index was built, more than a search brings up to date: run agenvantage index", count), nil
	}
	bounded, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	busy := false
	_, err = a.update(bounded, false, func(p Progress) {
		if p.Phase == PhaseWait { // whoever writes now does this work as well
			busy = true
			cancel()
		}
	})
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case count == 0:
		return "", nil // nothing is known to differ
	case busy:
		return "another index run is active", nil
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("bringing %d changed files up to date took longer than search.refresh_timeout (%s): run agenvantage index", count, budget), nil
	default:
		return fmt.Sprintf("the index could not be brought up to date: %v", err), nil
	}
}
