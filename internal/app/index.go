package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/extract"
	"agenvantage/index"
)

// Index builds or updates the index. Another writer is waited for (PhaseWait) and joined: what it did is not done again.
// force rebuilds from nothing while readers keep the old generation. An error wraps agenvantage.ErrNothingSelected,
// ErrNotWritable, ErrRootGone or the context's.
func (a *App) Index(ctx context.Context, force bool, progress func(Progress)) (IndexSummary, error) {
	done, err := a.use()
	if err != nil {
		return IndexSummary{}, err
	}
	defer done()
	defer a.forgetCheck()
	s, err := a.update(ctx, force, progress)
	if err != nil {
		return s, err
	}
	return a.indexHistory(ctx, s, progress)
}

// indexHistory brings the stored history up to the indexed revision, after the files.
func (a *App) indexHistory(ctx context.Context, s IndexSummary, progress func(Progress)) (IndexSummary, error) {
	began := time.Now()
	notes, err := a.updateHistory(ctx, s.Revision, progress)
	s.Notes = append(s.Notes, notes...)
	s.Seconds += time.Since(began).Seconds()
	s.IndexBytes += a.historyBytes()
	return s, err
}

// forgetCheck makes the next search compare the tree with the index again.
func (a *App) forgetCheck() {
	a.refreshing.Lock()
	defer a.refreshing.Unlock()
	a.checkedAt, a.staleReason, a.compared = time.Time{}, "", comparison{}
}

// update is Index for those who hold refreshing already.
func (a *App) update(ctx context.Context, force bool, progress func(Progress)) (IndexSummary, error) {
	if err := a.present(); err != nil { // else the index folder would be made again, and the root with it
		return IndexSummary{}, err
	}
	request := index.UpdateRequest{Source: a.tree, Extractor: a.extractor, Linker: linker{}, Force: force, OptionsHash: a.optionsHash,
		Batch: a.config.Index.Batch, Workers: a.config.Index.Workers}
	if progress != nil {
		request.Progress = func(p index.Progress) {
			progress(Progress{Phase: ProgressPhase(p.Phase), DoneFiles: p.DoneFiles, TotalFiles: p.TotalFiles, DoneBytes: p.DoneBytes, TotalBytes: p.TotalBytes, Note: p.Note})
		}
	}
	s, err := a.index.Update(ctx, request)
	if err != nil {
		return IndexSummary{}, err
	}
	a.renew(ctx)
	began := time.Now()
	notes, err := a.embedBuiltin(ctx, progress)
	if err != nil {
		return IndexSummary{}, err
	}
	s.Notes, s.Seconds = append(s.Notes, notes...), s.Seconds+time.Since(began).Seconds()
	return IndexSummary{Root: a.root, IndexDir: a.index.Dir(), Files: s.Files, Chunks: s.Chunks, Symbols: s.Symbols, Skipped: s.Skipped, Masked: s.Masked,
		Bytes: s.Bytes, Seconds: s.Seconds, IndexBytes: s.IndexBytes, Changed: s.Changed, Generation: s.Generation, Revision: s.Revision, Notes: s.Notes}, nil
}

// maxDirtyListed bounds the paths that Status names.
const maxDirtyListed = 100

// Status describes the index beside the live tree. It never builds or updates.
func (a *App) Status(ctx context.Context) (Status, error) {
	done, err := a.use()
	if err != nil {
		return Status{}, err
	}
	defer done()
	listing, err := a.tree.List(ctx)
	if err != nil {
		return Status{}, err
	}
	s := Status{Root: a.root, IndexDir: a.index.Dir(), State: "absent", LiveRevision: listing.Revision, Format: index.Format, Dirty: []string{},
		Channels: []ChannelStatus{}, Languages: []LanguageStatus{}, History: HistoryStatus{State: HistoryAbsent}}
	a.renew(ctx)
	pinned, err := a.pin(ctx)
	switch {
	case errors.Is(err, agenvantage.ErrNoIndex):
		return s, nil
	case errors.Is(err, agenvantage.ErrIncomplete):
		s.State = "incomplete"
		return s, nil
	case err != nil:
		return Status{}, err
	}
	defer pinned.release()
	view := pinned.corpus
	changes, stats := view.Check(listing), view.Stats()
	s.State = "ready"
	if changes.Any() || changes.Revision {
		s.State = "stale"
	}
	if view.OptionsHash() != a.optionsHash {
		s.State = "stale"
		s.Notes = append(s.Notes, "settings or rules that decide what is indexed have changed: the next index run rebuilds")
	}
	s.IndexedRevision, s.Generation, s.AgeS = view.Revision(), view.Generation(), time.Since(view.UpdatedAt()).Seconds()
	s.Files, s.Skipped, s.Chunks, s.Symbols, s.IndexBytes = view.FilesIndexed(), view.FilesSkipped(), stats.Chunks, stats.Symbols, stats.MetaBytes+stats.LexicalBytes
	dirty := slices.Sorted(slices.Values(slices.Concat(changes.Added, changes.Changed, changes.Deleted)))
	s.DirtyCount = len(dirty)
	s.Dirty = append(s.Dirty, dirty[:min(len(dirty), maxDirtyListed)]...)
	s.Channels = []ChannelStatus{
		{Name: "exact", Status: agenvantage.StatusOK, Items: stats.Symbols, Bytes: stats.MetaBytes},
		{Name: "bm25f", Status: agenvantage.StatusOK, Items: stats.Chunks, Bytes: stats.LexicalBytes},
	}
	s.Channels = append(s.Channels, a.otherChannels()...)
	s.History = pinned.historyStatus(ctx)
	s.IndexBytes += s.History.Bytes
	edges, linkBytes, err := view.LinkStats()
	if err != nil {
		return Status{}, err
	}
	for i := range s.Channels {
		switch s.Channels[i].Name {
		case "exact": // its facts lie in one file with the edges
			s.Channels[i].Bytes -= linkBytes
		case channels.GraphName:
			s.Channels[i].Items, s.Channels[i].Bytes = edges, linkBytes
		}
		if s.Channels[i].Name == semanticChannel {
			if s.Channels[i], err = a.semanticStatus(ctx, view); err != nil {
				return Status{}, err
			}
		}
		if s.Channels[i].Name == provenanceChannel {
			s.Channels[i].Items, s.Channels[i].Bytes = s.History.Commits, s.History.Bytes
			s.Channels[i].Status = s.History.channelStatus()
		}
		s.Channels[i].Gate = pinned.gateOf(s.Channels[i].Name)
	}
	for _, l := range stats.Languages {
		s.Languages = append(s.Languages, LanguageStatus{Lang: l.Lang, Files: l.Files, Bytes: l.Bytes, Symbols: l.Symbols, Parser: extract.Coverage(l.Lang), States: l.States})
	}
	return s, nil
}

// Files lists every file of the index with its state, sorted by path. Without an index it is agenvantage.ErrNoIndex.
func (a *App) Files(ctx context.Context) ([]FileStatus, error) {
	done, err := a.use()
	if err != nil {
		return nil, err
	}
	defer done()
	a.renew(ctx)
	pinned, err := a.pin(ctx)
	if err != nil {
		return nil, err
	}
	defer pinned.release()
	view := pinned.corpus
	skips, err := view.Skips()
	if err != nil {
		return nil, err
	}
	files := make([]FileStatus, 0, view.FileCount()+len(skips))
	next := 0
	for f := range uint32(view.FileCount()) {
		info := view.File(f)
		for ; next < len(skips) && skips[next].Path < info.Path; next++ {
			files = append(files, skippedStatus(skips[next]))
		}
		files = append(files, FileStatus{Path: info.Path, State: "indexed", Size: info.Size, Lang: info.Lang, Parse: info.State})
	}
	for ; next < len(skips); next++ {
		files = append(files, skippedStatus(skips[next]))
	}
	return files, nil
}

func skippedStatus(s agenvantage.Skip) FileStatus {
	return FileStatus{Path: s.Path, State: "skipped", Reason: s.Reason, Detail: s.Detail, Size: s.Size, Limit: s.Limit}
}

// Clean removes the index folder. It refuses a folder that is not one of ours, and waits for a writer to end.
func (a *App) Clean(ctx context.Context) (CleanSummary, error) {
	done, err := a.use()
	if err != nil {
		return CleanSummary{}, err
	}
	defer done()
	a.dropOverview()
	a.unpin()
	defer a.forgetCheck()
	s := CleanSummary{IndexDir: a.index.Dir()}
	started := time.Now()
	if _, err := os.Stat(s.IndexDir); errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	bytes, err := a.index.Remove(ctx)
	if err != nil {
		return CleanSummary{}, fmt.Errorf("clean: %w", err)
	}
	s.Removed, s.Bytes, s.Took = true, bytes, time.Since(started)
	return s, nil
}
