package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/index/commits"
	"agenvantage/scan"
	"agenvantage/scan/history"
	"agenvantage/tokens"
)

// ChangesFor says which commits changed a place. A path that is not in the tree any more is answered from history. An ambiguous
// location gives candidates and no error; one that neither the index nor the history knows is an *UnknownLocationError, and a tree
// without history agenvantage.ErrBadInput with the reason. progress may be nil.
func (a *App) ChangesFor(ctx context.Context, r ChangesRequest, progress func(Progress)) (Changes, error) {
	if r.Max < 0 || r.MaxTokens < 0 {
		return Changes{}, fmt.Errorf("%w: at most %d commits and %d tokens, want 0 or more", agenvantage.ErrBadInput, r.Max, r.MaxTokens)
	}
	var answer Changes
	err := a.withHistory(ctx, r.NoRefresh, progress, func(h *historyView) (err error) {
		answer, err = h.changesFor(ctx, r)
		return err
	})
	return answer, err
}

// historyView is a pinned view with its history, for the commands about commits.
type historyView struct {
	app      *App
	corpus   *corpus
	view     *commits.View
	coverage HistoryCoverage
	notes    []string

	opened    *commits.View     // view where it is one of our own (history_gone.go)
	renamed   map[string]uint32 // files that the work tree has renamed, by what HEAD calls them
	missing   []string          // paths of HEAD that the work tree does not have
	wanted    []string          // paths that are gone and are asked about
	goneNames []string          // what was found of them; their numbers begin behind the last file

	compared bool                // diff has asked git
	changed  []history.FileHunks // what it said
}

// withHistory brings index and history up to date, pins both and asks.
func (a *App) withHistory(ctx context.Context, noRefresh bool, progress func(Progress), ask func(*historyView) error) error {
	done, err := a.use()
	if err != nil {
		return err
	}
	defer done()
	began := time.Now()
	err = a.askHistory(ctx, began, noRefresh, progress, ask)
	again, err := a.mend(ctx, began, err, noRefresh, progress)
	if again != "" {
		err = a.askHistory(ctx, began, noRefresh, progress, func(h *historyView) error {
			h.notes = append(h.notes, again)
			return ask(h)
		})
	}
	return err
}

// askHistory is withHistory without care for damage.
func (a *App) askHistory(ctx context.Context, began time.Time, noRefresh bool, progress func(Progress), ask func(*historyView) error) error {
	fresh, err := a.refresh(ctx, noRefresh, progress)
	if err != nil {
		return err
	}
	notes := fresh.remarks()
	if fresh.stale != "" {
		notes = append(notes, "the index is stale: "+fresh.stale)
	}
	if !noRefresh {
		if err := a.refreshHistory(ctx, began, progress); err != nil {
			return err
		}
	}
	pinned, err := a.pin(ctx)
	if err != nil {
		return err
	}
	defer pinned.release()
	found, err := pinned.corpus.past.History(ctx)
	if err != nil {
		return noHistoryError(a.root, err)
	}
	h := &historyView{app: a, corpus: pinned.corpus, view: pinned.corpus.past.viewOf(), notes: notes}
	h.coverage.Commits = found.CommitCount()
	h.coverage.Covered, h.coverage.Reason = found.Covered()
	if h.view == nil {
		return fmt.Errorf("%w: %s", agenvantage.ErrNoIndex, h.coverage.Reason)
	}
	h.coverage.Shallow = h.view.Shallow()
	if live, _, ok := scan.Head(a.root); noRefresh && ok && !a.fixed && live != h.view.Revision() {
		h.notes = append(h.notes, fmt.Sprintf("the history is that of commit %s, and HEAD is %s", h.view.Revision()[:shortID], live[:min(len(live), shortID)]))
	}
	defer h.close()
	if err := h.followWorkTree(ctx); err != nil {
		return err
	}
	return fresh.blame(ask(h))
}

// changesFor answers one question.
func (h *historyView) changesFor(ctx context.Context, r ChangesRequest) (answer Changes, err error) {
	place, candidates, err := h.find(ctx, r.Location)
	if err != nil {
		return Changes{}, err
	}
	answer = Changes{Location: r.Location, Path: place.path, Symbol: place.symbol, StartLine: place.lines.StartLine, EndLine: place.lines.EndLine,
		Revision: h.view.Revision(), Uncommitted: []UncommittedChange{}, Commits: []CommitInfo{}, Authors: []AuthorInfo{}, Cochanged: []CochangeInfo{},
		Deleted: place.gone, Renamed: h.oldNames(place.files), Coverage: h.coverage}
	defer func() { answer.Notes = h.notes }()
	if len(candidates) > 0 {
		answer.Candidates = candidates[:min(len(candidates), maxCandidates)]
		answer.Omitted = len(candidates) - len(answer.Candidates)
		return answer, nil
	}
	uncommitted, err := h.corpus.past.Uncommitted(ctx)
	if err != nil {
		return Changes{}, err
	}
	answer.Uncommitted = append(answer.Uncommitted, h.uncommittedIn(place, uncommitted)...)
	var list []uint32
	if place.lines == (agenvantage.Span{}) {
		if list, err = h.touchingAny(ctx, place); err != nil {
			return Changes{}, err
		}
	} else if list, err = h.changedLines(ctx, place, uncommitted); err != nil {
		return Changes{}, err
	}
	answer.Total = len(list)
	if answer.Authors, answer.LastChange, err = h.authors(list); err != nil {
		return Changes{}, err
	}
	if err := h.page(&answer, list, r); err != nil {
		return Changes{}, err
	}
	partners := h.partners(place.files, h.app.provenanceOptions.MinSupport)
	answer.Cochanged = append(answer.Cochanged, partners[:min(len(partners), maxCochanged)]...)
	return answer, nil
}

// uncommittedIn lists what the work tree changes in a place.
func (h *historyView) uncommittedIn(place place, files []channels.ChangedLines) (changes []UncommittedChange) {
	for _, f := range files {
		if !slices.Contains(place.files, f.File) {
			continue
		}
		c := UncommittedChange{Path: h.corpus.Path(f.File), Lines: []LineSpan{}}
		for _, l := range f.Lines {
			if place.lines == (agenvantage.Span{}) || overlapsChange(place.lines, l) {
				c.Lines = append(c.Lines, LineSpan{l.StartLine, l.EndLine})
			}
		}
		if len(c.Lines) > 0 {
			changes = append(changes, c)
		}
	}
	return changes
}

// overlapsChange reports whether changed lines are in a span, for lines that were deleted alone between two of its lines.
func overlapsChange(span, changed agenvantage.Span) bool {
	if changed.Lines() == 0 {
		return span.StartLine <= changed.StartLine && changed.StartLine < span.EndLine
	}
	return span.Overlaps(changed)
}

// touchingAny lists the commits that touched one of the files of a place, newest first; of a path that is gone also the one that
// removed it.
func (h *historyView) touchingAny(ctx context.Context, place place) ([]uint32, error) {
	if len(place.files) == 1 && !place.gone {
		return h.view.Touching(place.files[0]), nil
	}
	var list []uint32
	for _, f := range place.files {
		list = append(list, h.view.Touching(f)...)
	}
	if place.gone {
		id, status, err := h.lastChange(ctx, place.path)
		if err != nil {
			return nil, err
		}
		if removal, ok := h.view.Find(id); ok && (status == history.Deleted || status == history.Renamed) {
			list = append(list, removal)
		}
		if slices.ContainsFunc(h.missing, func(m string) bool { return isBelow(m, place.path) }) {
			h.notes = append(h.notes, place.path+" is removed in the work tree, and that is not committed")
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// maxLineCommits bounds the commits that are asked of git for a range of lines.
const maxLineCommits = 1000

// changedLines lists the commits that changed lines of the work tree, as far as those are committed.
func (h *historyView) changedLines(ctx context.Context, place place, uncommitted []channels.ChangedLines) ([]uint32, error) {
	file := place.files[0]
	reader, prefix, err := h.app.repository()
	if err != nil {
		return nil, err
	}
	if h.app.fixed {
		return nil, fmt.Errorf("%w: lines are followed in a work tree only", agenvantage.ErrBadInput)
	}
	hunks, err := h.hunksOf(ctx, h.corpus.Path(file))
	if err != nil {
		return nil, err
	}
	before := h.oldPath(hunks, file)
	for _, f := range uncommitted {
		if f.File == file && hunks == nil && before == h.corpus.Path(file) {
			return nil, nil // a new file: no commit has it
		}
	}
	committed := committedLines(place.lines, hunks)
	if committed.Lines() == 0 {
		return nil, nil // all of them are new
	}
	lines := history.LineRange{Revision: h.view.Revision(), Path: prefix + before, From: committed.StartLine, To: committed.EndLine}
	ids, err := reader.LinesChangedBy(ctx, lines, maxLineCommits)
	if err != nil {
		return nil, err
	}
	numbers := make(map[string]uint32, h.view.CommitCount())
	for c := range uint32(h.view.CommitCount()) {
		numbers[h.view.ID(c)] = c
	}
	var list []uint32
	for _, id := range ids {
		if c, ok := numbers[id]; ok {
			list = append(list, c)
		}
	}
	slices.Sort(list)
	return list, nil
}

// hunksOf is what the work tree changes in one file; nil when it changes nothing.
func (h *historyView) hunksOf(ctx context.Context, path string) (*history.FileHunks, error) {
	reader, err := history.Open(h.app.root)
	if err != nil {
		return nil, err
	}
	files, err := h.diff(ctx, reader)
	if err != nil {
		return nil, err
	}
	for i := range files {
		if files[i].NewPath == path {
			return &files[i], nil
		}
	}
	return nil, nil
}

// oldPath is what a file is called at HEAD.
func (h *historyView) oldPath(hunks *history.FileHunks, file uint32) string {
	if hunks != nil && hunks.OldPath != "" {
		return hunks.OldPath
	}
	if names := h.oldNames([]uint32{file}); len(names) > 0 { // a rename that is not staged changes no line
		return names[0].From
	}
	return h.corpus.Path(file)
}

// committedLines maps lines of the work tree to those of HEAD: a line that is changed stands for the lines that it replaced, a
// new one for none. The result has no lines when all are new.
func committedLines(lines agenvantage.Span, hunks *history.FileHunks) agenvantage.Span {
	if hunks == nil {
		return lines
	}
	from, to := lines.StartLine, lines.EndLine
	shift := 0 // what is added to a line of the work tree before the next hunk
	var start, end int
	note := func(a, b int) {
		if a > b {
			return
		}
		if start == 0 {
			start = a
		}
		end = b
	}
	at := from
	for _, c := range hunks.Hunks {
		first, last := c.NewStart, c.NewStart+c.NewLines-1
		if c.NewLines == 0 {
			first, last = c.NewStart+1, c.NewStart
		}
		if first > to {
			break
		}
		if at < first {
			note(at+shift, first-1+shift)
			at = first
		}
		if last >= at {
			if c.OldLines > 0 {
				note(c.OldStart, c.OldStart+c.OldLines-1)
			}
			at = last + 1
		}
		shift += c.OldLines - c.NewLines
	}
	if at <= to {
		note(at+shift, to+shift)
	}
	return agenvantage.Span{StartLine: start, EndLine: end}
}

// authors counts the commits of each author, and gives the time of the newest.
func (h *historyView) authors(list []uint32) ([]AuthorInfo, string, error) {
	if len(list) == 0 {
		return []AuthorInfo{}, "", nil
	}
	type counted struct {
		first   uint32 // their newest commit
		commits int
	}
	byAuthor := map[uint32]*counted{}
	var all []*counted
	for _, c := range list {
		n := byAuthor[h.view.Author(c)]
		if n == nil {
			n = &counted{first: c}
			byAuthor[h.view.Author(c)] = n
			all = append(all, n)
		}
		n.commits++
	}
	slices.SortFunc(all, func(a, b *counted) int {
		return cmp.Or(cmp.Compare(b.commits, a.commits), cmp.Compare(a.first, b.first))
	})
	infos := []AuthorInfo{}
	for _, n := range all[:min(len(all), maxAuthors)] {
		texts, err := h.view.Texts([]uint32{n.first})
		if err != nil {
			return nil, "", err
		}
		infos = append(infos, AuthorInfo{Author: texts[0].Author, Commits: n.commits, Last: texts[0].Written.Format(time.RFC3339)})
	}
	newest, err := h.view.Texts(list[:1])
	if err != nil {
		return nil, "", err
	}
	return infos, newest[0].Written.Format(time.RFC3339), nil
}

// page fills in the commits after the cursor, as many as the bounds let through.
func (h *historyView) page(answer *Changes, list []uint32, r ChangesRequest) error {
	if r.Cursor != "" {
		after, ok := h.view.Find(r.Cursor)
		i, in := slices.BinarySearch(list, after)
		if !ok || !in {
			return &cursorError{fmt.Sprintf("cursor %q is no commit of this answer", r.Cursor)}
		}
		list = list[i+1:]
	}
	counter, err := tokens.New("")
	if err != nil {
		return err
	}
	most, used := cmp.Or(r.Max, DefaultMaxCommits), 0
	for i, c := range list {
		texts, err := h.view.Texts([]uint32{c})
		if err != nil {
			return err
		}
		_, _, files, _ := h.view.Commit(c)
		info := CommitInfo{ID: texts[0].ID, Time: texts[0].Written.Format(time.RFC3339), Author: texts[0].Author, Subject: texts[0].Subject, Files: files}
		if r.MaxTokens > 0 {
			used += counter.Count(info.Line() + "\n")
		}
		if i == most || i > 0 && r.MaxTokens > 0 && used > r.MaxTokens {
			answer.Next = answer.Commits[i-1].ID
			return nil
		}
		answer.Commits = append(answer.Commits, info)
	}
	return nil
}

// Line is the commit in one line: short id, day, author and subject.
func (c CommitInfo) Line() string {
	return fmt.Sprintf("%s  %s  %s  %s", c.ID[:min(len(c.ID), shortID)], c.Time[:min(len(c.Time), len(time.DateOnly))], c.Author, c.Subject)
}
