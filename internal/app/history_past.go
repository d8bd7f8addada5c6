package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/index/commits"
	"agenvantage/scan/history"
)

// past is the history of a pinned view, as the channel provenance reads it. Nothing is opened before it is asked for; what
// was read stays as it is until the view is closed. It is safe for concurrent use.
type past struct {
	app    *App
	corpus *corpus

	mu      sync.Mutex // guards the three below
	view    *commits.View
	history channels.History
	changes map[uint32][]channels.ChangedLines // by commit

	comparing   sync.Mutex // guards uncommitted
	uncommitted *uncommitted
}

// uncommitted is what the work tree changes beyond HEAD.
type uncommitted struct{ files []channels.ChangedLines }

// outdated reports whether history was read that is less than what is stored by now. grown says that something was added.
func (p *past) outdated(grown bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.history == nil {
		return false
	}
	share, _ := p.history.Covered()
	return grown || share < 1
}

// viewOf is the view of the stored history, nil while there is none.
func (p *past) viewOf() *commits.View {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.view
}

func (p *past) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.view != nil {
		p.view.Close()
		p.view = nil
	}
}

// History implements channels.Past. Where the stored history does not reach the indexed revision yet, the newest one among
// its ancestors is shown, and Covered is below 1.
func (p *past) History(ctx context.Context) (channels.History, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.history != nil {
		return p.history, nil
	}
	reader, _, err := p.app.repository()
	if errors.Is(err, history.ErrNoHistory) {
		return nil, fmt.Errorf("%w: %s", channels.ErrNoHistory, plainReason(err))
	}
	if err != nil {
		return nil, err
	}
	revision := p.corpus.Revision()
	if revision == "" {
		return nil, fmt.Errorf("%w: no commit yet", channels.ErrNoHistory)
	}
	options := commits.ViewOptions{Revision: revision, Find: p.corpus.Find}
	view, err := commits.OpenView(ctx, p.app.historyFile(), options)
	behind := 1.0
	if errors.Is(err, commits.ErrUnknown) {
		options.Revision, err = commits.Nearest(ctx, p.app.historyFile(), func(older string) (bool, error) {
			yes, err := reader.IsAncestor(ctx, older, revision)
			return yes, ignoreUnknown(err)
		})
		if err == nil && options.Revision == "" {
			err = commits.ErrAbsent
		}
		if err == nil {
			view, err = commits.OpenView(ctx, p.app.historyFile(), options)
		}
		if err == nil {
			behind, err = shareOf(ctx, reader, view, revision)
		}
	}
	switch {
	case errors.Is(err, commits.ErrAbsent):
		return noHistoryYet{}, nil
	case errors.Is(err, commits.ErrCorrupt):
		p.app.historyDamaged.Store(true)
		return nil, err
	case err != nil:
		if view != nil {
			view.Close()
		}
		return nil, err
	}
	p.view, p.history = view, &storedHistory{View: view, behind: behind}
	return p.history, nil
}

// ignoreUnknown forgives a revision that git does not know any more.
func ignoreUnknown(err error) error {
	if errors.Is(err, agenvantage.ErrBadInput) {
		return nil
	}
	return err
}

// shareOf is how much of a revision's history a view of one of its ancestors has.
func shareOf(ctx context.Context, r *history.Reader, view *commits.View, revision string) (float64, error) {
	total, err := r.CommitCount(ctx, revision)
	if err != nil {
		return 0, errors.Join(err, view.Close())
	}
	return float64(view.Stored()) / float64(max(total, view.Stored()+1)), nil
}

// plainReason is the reason of an error that says that there is no history.
func plainReason(err error) string {
	for _, known := range []struct {
		err  error
		text string
	}{{history.ErrNoGit, "there is no git program"}, {history.ErrNoRepository, "not a git repository"}, {history.ErrUnborn, "no commit yet"}} {
		if errors.Is(err, known.err) {
			return known.text
		}
	}
	return err.Error()
}

// storedHistory is a view in the shape that the channel reads.
type storedHistory struct {
	*commits.View
	behind float64 // share of the indexed revision's history that the view's revision has
}

// Covered implements channels.History.
func (h *storedHistory) Covered() (share float64, why string) {
	share = h.View.Covered() * h.behind
	switch {
	case share == 1:
		return 1, ""
	case h.Shallow():
		return share, "the clone is shallow: older commits are not known"
	}
	return share, "the history is not stored as a whole yet: run agenvantage index"
}

// shortID is how many digits of a commit's id are shown.
const shortID = 7

// ShortID implements channels.History.
func (h *storedHistory) ShortID(commit uint32) string { return h.ID(commit)[:shortID] }

// noHistoryYet stands for a history that nothing is stored of.
type noHistoryYet struct{}

func (noHistoryYet) CommitCount() int                         { return 0 }
func (noHistoryYet) MeanTerms() float64                       { return 0 }
func (noHistoryYet) Time() int64                              { return 0 }
func (noHistoryYet) Postings(string, func(uint32, int)) error { return nil }
func (noHistoryYet) Commit(uint32) (int64, int, int, []uint32) {
	return 0, 0, 0, nil
}
func (noHistoryYet) Touching(uint32) []uint32 { return nil }
func (noHistoryYet) ShortID(uint32) string    { return "" }
func (noHistoryYet) Subject(uint32) (string, error) {
	return "", errors.New("no commit is stored")
}
func (noHistoryYet) Covered() (float64, string) {
	return 0, "the history is not stored yet: run agenvantage index"
}

// maxKeptChanges bounds the commits whose lines are kept.
const maxKeptChanges = 512

// Changes implements channels.Past.
func (p *past) Changes(ctx context.Context, wanted []uint32, each func(commit uint32, files []channels.ChangedLines)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.view == nil {
		return nil
	}
	reader, prefix, err := p.app.repository()
	if err != nil {
		return nil // gone since
	}
	commitOf := map[string]uint32{}
	var ids []string
	for _, commit := range wanted {
		if _, ok := p.changes[commit]; !ok {
			commitOf[p.view.ID(commit)] = commit
			ids = append(ids, p.view.ID(commit))
		}
	}
	if len(p.changes)+len(ids) > maxKeptChanges || p.changes == nil {
		p.changes = map[uint32][]channels.ChangedLines{}
		if len(ids) < len(wanted) { // some were there: read them all again
			ids = ids[:0]
			for _, commit := range wanted {
				commitOf[p.view.ID(commit)] = commit
				ids = append(ids, p.view.ID(commit))
			}
		}
	}
	err = reader.HunksOf(ctx, ids, history.HunkOptions{}, func(c history.CommitHunks) error {
		commit := commitOf[c.Commit]
		p.changes[commit] = nil
		if c.Err != nil {
			return nil // cut off, or not in this clone
		}
		for _, f := range c.Files {
			path, ok := cutPrefix(f.NewPath, prefix)
			if !ok || len(f.Hunks) == 0 {
				continue
			}
			if file, ok := p.view.FileAt(commit, path); ok {
				p.changes[commit] = append(p.changes[commit], changedLines(file, f.Hunks))
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, agenvantage.ErrBadInput) { // a commit that git has forgotten
		return err
	}
	for _, commit := range wanted {
		if files := p.changes[commit]; len(files) > 0 {
			each(commit, files)
		}
	}
	return nil
}

func changedLines(file uint32, hunks []history.Hunk) channels.ChangedLines {
	c := channels.ChangedLines{File: file, Lines: make([]agenvantage.Span, len(hunks)), Heads: make([]string, len(hunks))}
	for i, h := range hunks {
		c.Lines[i] = agenvantage.Span{StartLine: h.NewStart, EndLine: h.NewStart + h.NewLines - 1}
		c.Heads[i] = h.Context
	}
	return c
}

// Uncommitted implements channels.Past. The lines are those of the work tree, as the index has it. A new file that git does not
// track is changed from its first line to its last.
func (p *past) Uncommitted(ctx context.Context) ([]channels.ChangedLines, error) {
	if p.app.fixed {
		return nil, nil
	}
	p.comparing.Lock()
	defer p.comparing.Unlock()
	if p.uncommitted != nil {
		return p.uncommitted.files, nil
	}
	files, err := p.changedSince(ctx, "HEAD")
	if errors.Is(err, errNothingToCompare) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.uncommitted = &uncommitted{files}
	return files, nil
}

// errNothingToCompare says that there is no commit, or no work tree, or that objects are missing.
var errNothingToCompare = errors.New("nothing to compare with")

// changedSince are the lines that the work tree changes beyond a commit. It wraps errNothingToCompare where there is none.
func (p *past) changedSince(ctx context.Context, revision string) ([]channels.ChangedLines, error) {
	reader, err := history.Open(p.app.root)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNothingToCompare, err)
	}
	var fresh []string
	var freshErr error
	listed := make(chan struct{})
	go func() {
		defer close(listed)
		fresh, freshErr = reader.Untracked(ctx)
	}()
	changed, err := reader.DiffFrom(ctx, revision)
	<-listed
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, history.ErrUnborn), errors.Is(err, history.ErrNoWorkTree), errors.Is(err, history.ErrMissing):
		return nil, fmt.Errorf("%w: %w", errNothingToCompare, err)
	case err != nil || freshErr != nil:
		return nil, errors.Join(err, freshErr)
	}
	var files []channels.ChangedLines
	for _, f := range changed {
		if file, ok := p.corpus.Find(f.NewPath); ok {
			files = append(files, changedLines(file, f.Hunks))
		}
	}
	for _, path := range fresh {
		if file, ok := p.corpus.Find(path); ok {
			lines, err := p.lineCount(file)
			if err != nil {
				return nil, err
			}
			files = append(files, channels.ChangedLines{File: file, Lines: []agenvantage.Span{{StartLine: 1, EndLine: lines}}, Heads: []string{""}})
		}
	}
	slices.SortFunc(files, func(a, b channels.ChangedLines) int { return int(a.File) - int(b.File) })
	return files, nil
}

// lineCount is the last line of the last chunk of a file, at least 1.
func (p *past) lineCount(file uint32) (int, error) {
	facts, err := p.corpus.Facts(file)
	if err != nil {
		return 0, err
	}
	if len(facts.Chunks) == 0 {
		return 1, nil
	}
	return facts.Chunks[len(facts.Chunks)-1].Span.EndLine, nil
}

// cutPrefix takes the folder of the root off a path of the repository.
func cutPrefix(path, prefix string) (string, bool) {
	if len(path) <= len(prefix) || path[:len(prefix)] != prefix {
		return "", false
	}
	return path[len(prefix):], true
}
