package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/index"
	"agenvantage/internal/count"
)

// freshness is what is known of the index beside the live tree when a question is answered.
type freshness struct {
	stale     string   // why the answer will be behind the tree, "" when it will not be
	unchecked string   // why nobody knows whether it is, "" when the two were compared
	notes     []string // what a first build or a rebuild had to say
}

// remarks are the notes of an answer that has no field for what was not checked.
func (f freshness) remarks() []string {
	return withNote(f.notes, f.unchecked)
}

// withNote is notes with one more, unless it is empty.
func withNote(notes []string, note string) []string {
	if note == "" {
		return notes
	}
	return append(slices.Clone(notes), note)
}

// blame marks an error that came of asking an index which is behind the tree: what it denies may be there by now. A cursor is no less
// wrong for that, and what is no bad input rests on something else.
func (f freshness) blame(err error) error {
	reason := f.unchecked
	if f.stale != "" {
		reason = "the index is stale: " + f.stale
	}
	if reason == "" || !errors.Is(err, agenvantage.ErrBadInput) || errors.As(err, new(*cursorError)) {
		return err
	}
	return &agenvantage.StaleError{Err: err, Reason: reason}
}

// compareTimeout bounds the comparison of an index that is not to be brought up to date: who asks for that wants an answer now.
// Listing 10,000 files takes git about a tenth of it.
const compareTimeout = 500 * time.Millisecond

// compareShare is the part of the time that comparisons may take when one process asks question after question.
const compareShare = 20

// comparison is the last one of an index that was not brought up to date.
type comparison struct {
	at, next time.Time // when it was made, and from when on the next one is due
	freshness
}

// compare looks whether the tree has changed since it was indexed: the set of files, their sizes and times. It writes nothing.
// The caller holds refreshing. The tree of a commit never changes.
func (a *App) compare(ctx context.Context) (freshness, error) {
	began := time.Now()
	switch {
	case a.fixed:
		return freshness{}, nil
	case began.Sub(a.checkedAt) < recheckAfter:
		return freshness{stale: a.staleReason}, nil
	case a.compared.at.After(a.checkedAt) && began.Before(a.compared.next):
		return a.compared.freshness, nil
	}
	pinned, err := a.pin(ctx)
	if err != nil {
		return freshness{}, nil // the question finds the same, and says it
	}
	defer pinned.release()
	limit := min(compareTimeout, a.config.Search.RefreshTimeout)
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	listing, err := a.tree.List(bounded)
	var f freshness
	switch {
	case ctx.Err() != nil:
		return freshness{}, ctx.Err()
	case errors.Is(bounded.Err(), context.DeadlineExceeded):
		f.unchecked = fmt.Sprintf("whether the index is stale was not checked: that takes longer than %s", limit)
	case err != nil:
		f.unchecked = fmt.Sprintf("whether the index is stale was not checked: %v", err)
	case pinned.corpus.OptionsHash() != a.optionsHash:
		f.stale = "settings or rules that decide what is indexed have changed: run agenvantage index"
	default:
		f.stale = changesText(pinned.corpus.Check(listing))
	}
	took := time.Since(began)
	a.compared = comparison{at: began, next: began.Add(max(recheckAfter, compareShare*took)), freshness: f}
	return f, nil
}

// maxChangesNamed is how many changed files a reason names.
const maxChangesNamed = 3

// changesText says what differs, "" for nothing. A file that was written while it was indexed and looks the same by size and times
// (Unsure) is taken for the same: only reading it could tell. A commit that changes no file is no difference.
func changesText(c index.Changes) string {
	all := slices.Sorted(slices.Values(slices.Concat(c.Added, c.Changed, c.Deleted)))
	if len(all) == 0 {
		return ""
	}
	named := strings.Join(all[:min(len(all), maxChangesNamed)], ", ")
	if len(all) > maxChangesNamed {
		named += ", …"
	}
	return fmt.Sprintf("%s changed since the index was built (%s): run agenvantage index", count.Of(len(all), "file", "files"), named)
}
