package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"agenvantage/channels"
	"agenvantage/index"
	"agenvantage/index/commits"
	"agenvantage/scan"
	"agenvantage/scan/git"
	"agenvantage/scan/history"
)

// provenanceChannel is the name of the channel that history feeds.
const provenanceChannel = "provenance"

// historyFile is where the stored history lies: beside the epochs of the index, since it depends on neither the files nor
// the settings. Building the index anew keeps it.
func (a *App) historyFile() string {
	return filepath.Join(a.index.Dir(), index.HistoryFolder, "commits.db")
}

// repository opens the repository that holds the root, from its top, and the root's folder in it with a slash at its end.
// The root of a commit's tree need not exist on disk. Errors wrap history.ErrNoHistory where there is none.
func (a *App) repository() (r *history.Reader, prefix string, err error) {
	found, ok := git.FindRepository(a.root)
	if !ok {
		return nil, "", history.ErrNoRepository
	}
	top := found.Name()
	if r, err = history.Open(top); err != nil {
		return nil, "", err
	}
	if below, err := filepath.Rel(top, a.root); err == nil && below != "." && filepath.IsLocal(below) {
		prefix = filepath.ToSlash(below) + "/"
	}
	return r, prefix, nil
}

// updateHistory brings the stored history up to a revision, "" for a tree without one. What stands in its way is a note:
// nothing but the channel provenance and the commands about commits hangs on it. The error is ctx's alone.
func (a *App) updateHistory(ctx context.Context, revision string, progress func(Progress)) (notes []string, err error) {
	if revision == "" {
		return nil, nil
	}
	reader, prefix, err := a.repository()
	if err != nil {
		return nil, nil // Status and the channel say why
	}
	request := commits.Request{Source: reader, Revision: revision, Prefix: prefix}
	if progress != nil {
		progress(Progress{Phase: PhaseHistory})
		request.Progress = func(done, total int) {
			progress(Progress{Phase: PhaseHistory, DoneFiles: done, TotalFiles: total})
		}
	}
	s, err := commits.Update(ctx, a.historyFile(), request)
	if errors.Is(err, commits.ErrCorrupt) || a.historyDamaged.Swap(false) && err == nil {
		notes = append(notes, "the stored history could not be read and was made anew")
		a.unpin()
		if err = commits.Remove(a.historyFile()); err == nil {
			s, err = commits.Update(ctx, a.historyFile(), request)
		}
	}
	a.dropOldHistory(s.Added > 0 || s.Rebuilt)
	switch {
	case err == nil:
		return notes, nil
	case ctx.Err() != nil:
		return notes, ctx.Err()
	case errors.Is(err, history.ErrMissing):
		return append(notes, "the history could not be read as a whole: contents are not in this clone"), nil
	}
	return append(notes, fmt.Sprintf("the history could not be brought up to date: %v", err)), nil
}

// dropOldHistory lets the next search pin the view with the history as it is now, when what is pinned shows less.
func (a *App) dropOldHistory(grown bool) {
	a.pinning.Lock()
	current := a.current
	a.pinning.Unlock()
	if current != nil && current.corpus.past.outdated(grown) {
		a.unpin()
	}
}

// refreshHistory brings the history up to date for a request that asks for it, within what is left of
// search.refresh_timeout since began. What is not done in time stays undone: the channel says how much it saw.
func (a *App) refreshHistory(ctx context.Context, began time.Time, progress func(Progress)) error {
	if a.keeper == nil {
		a.refreshing.Lock()
	} else if !a.refreshing.TryLock() { // another call is at it: the channel says how much it saw
		return nil
	}
	defer a.refreshing.Unlock()
	revision, err := a.pinnedRevision(ctx)
	if err != nil {
		return err
	}
	if a.historyAt == revision && revision != "" {
		return nil
	}
	bounded, cancel := context.WithDeadline(ctx, began.Add(a.config.Search.RefreshTimeout))
	defer cancel()
	notes, err := a.updateHistory(bounded, revision, progress)
	if err == nil && len(notes) == 0 {
		a.historyAt = revision
	}
	return ctx.Err()
}

// pinnedRevision is the commit of the newest generation. A commit that changes no file makes no new generation, so that a view
// that is kept open would not learn of it.
func (a *App) pinnedRevision(ctx context.Context) (string, error) {
	pinned, err := a.pin(ctx)
	if err != nil {
		return "", err
	}
	revision := pinned.corpus.Revision()
	pinned.release()
	if live, _, ok := scan.Head(a.root); a.fixed || !ok || live == revision {
		return revision, nil
	}
	a.unpin()
	if pinned, err = a.pin(ctx); err != nil {
		return "", err
	}
	defer pinned.release()
	return pinned.corpus.Revision(), nil
}

// mayAsk reports whether a search asks a channel: by its name, or by auto where a verdict has it on.
func (a *App) mayAsk(ctx context.Context, channel string, names []string) bool {
	pinned, err := a.pin(ctx)
	if err != nil {
		return false
	}
	defer pinned.release()
	return pinned.mayRun(channel, names)
}

// historyStatus describes the stored history of a pinned view.
func (p *pinned) historyStatus(ctx context.Context) HistoryStatus {
	s := HistoryStatus{State: HistoryNone, Bytes: commits.Bytes(p.app.historyFile())}
	found, err := p.corpus.past.History(ctx)
	switch {
	case errors.Is(err, channels.ErrNoHistory):
		s.Reason = strings.TrimPrefix(err.Error(), channels.ErrNoHistory.Error()+": ")
		return s
	case err != nil:
		s.State, s.Reason = HistoryDamaged, err.Error()
		return s
	}
	s.Commits = found.CommitCount()
	s.Covered, s.Reason = found.Covered()
	if view := p.corpus.past.viewOf(); view != nil {
		s.Revision, s.Shallow = view.Revision(), view.Shallow()
	}
	switch {
	case s.Commits == 0 && s.Covered == 0:
		s.State = HistoryAbsent
	case s.Covered < 1:
		s.State = HistoryPartial
	default:
		s.State = HistoryReady
	}
	return s
}

// historyBytes is what the stored history takes on disk.
func (a *App) historyBytes() int64 { return commits.Bytes(a.historyFile()) }
