package app

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/internal/count"
	"agenvantage/pipeline"
	"agenvantage/scan"
	"agenvantage/scan/git"
)

// RehydratedState says what became of the file since its lines were packed. The set is closed.
type RehydratedState string

// The states.
const (
	RehydratedExact   RehydratedState = "exact"   // the file is as it was packed
	RehydratedChanged RehydratedState = "changed" // the file differs since: the text, where there is one, is the old one
	RehydratedGone    RehydratedState = "gone"    // there is no such file any more: the text, where there is one, is the old one
)

// Rehydrated is the exact text behind the id of a block or handle: the contract of `rehydrate --json`. Its text is never that of
// another revision than it names; where that text is not to be had any more it is "" and Why says so.
type Rehydrated struct {
	SourceID  string          `json:"source_id"`  // in full
	Path      string          `json:"path"`       // "" for the map and for commits
	StartLine int             `json:"start_line"` // of the file as it was packed, 0 without a path
	EndLine   int             `json:"end_line"`
	Symbol    string          `json:"symbol"`
	Revision  string          `json:"revision"` // hash of the content that the lines are of, as in the pack
	State     RehydratedState `json:"state"`
	Text      string          `json:"text"`          // without the end of the last line
	PackID    string          `json:"pack_id"`       // the newest kept pack that has the id
	Tokens    int             `json:"tokens"`        // of the text, the largest count of the known tokenizers
	Why       string          `json:"why,omitempty"` // what the state, or the lack of a text, rests on, unless it is exact
}

// Found reports whether there is a text.
func (r Rehydrated) Found() bool { return r.Why == "" || r.Text != "" }

// Rehydrate gives the exact text behind the id of a block or handle of any kept pack. A beginning of at least six characters is enough
// when the kept packs have one such id only; an id that none has is agenvantage.ErrBadInput. It reads the file itself and not the
// index: a file that changed after it was packed gives the old text, from the pack where it held it, else from the commit that the
// pack was made at.
func (a *App) Rehydrate(ctx context.Context, id string) (Rehydrated, error) {
	done, err := a.use()
	if err != nil {
		return Rehydrated{}, err
	}
	defer done()
	s, err := a.packSource(strings.TrimSpace(id))
	if err != nil {
		return Rehydrated{}, err
	}
	r := s.Rehydrated
	if r.Path == "" {
		r.State = RehydratedExact
	} else if err := a.rehydrateFile(ctx, s, &r); err != nil {
		return Rehydrated{}, err
	}
	counter, _, err := packCounter("")
	if err != nil {
		return Rehydrated{}, err
	}
	r.Tokens = counter(r.Text)
	return r, nil
}

// packSource is what a pack knows of an id.
type packSource struct {
	Rehydrated
	held   bool   // Text is there: the pack shows it
	commit string // of the indexed tree
}

// packSource finds the id of a block, a handle or a considered place, or the beginning of one, among the kept packs.
func (a *App) packSource(id string) (packSource, error) {
	if len(id) < minIDPrefix {
		return packSource{}, fmt.Errorf("%w: %q is too short for the id of a block or handle: the first %d characters are needed", agenvantage.ErrBadInput, id, minIDPrefix)
	}
	var found []packSource
	packs, known := 0, false
	err := a.eachPack(func(r PackRecord) bool {
		packs++
		for _, s := range r.sources() {
			if !strings.HasPrefix(s.SourceID, id) {
				continue
			}
			at := slices.IndexFunc(found, func(f packSource) bool { return f.SourceID == s.SourceID })
			switch {
			case at < 0:
				found = append(found, s)
			case s.held && !found[at].held: // an older pack showed what a newer one only names
				found[at].Text, found[at].held = s.Text, true
			}
			known = known || s.SourceID == id && s.held
		}
		return !known // the whole id and its text: older packs can add nothing
	})
	if err != nil {
		return packSource{}, err
	}
	if i := slices.IndexFunc(found, func(s packSource) bool { return s.SourceID == id }); i >= 0 {
		return found[i], nil
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if packs == 0 {
			return packSource{}, fmt.Errorf("%w: unknown id %q: no pack is kept; agenvantage pack makes one", agenvantage.ErrBadInput, id)
		}
		return packSource{}, fmt.Errorf("%w: unknown id %q: none of the %s has a block or handle of it", agenvantage.ErrBadInput, id, count.Of(packs, "kept pack", "kept packs"))
	}
	var names []string
	for _, s := range found {
		names = append(names, s.SourceID)
	}
	return packSource{}, fmt.Errorf("%w: %q begins %d ids: %s", agenvantage.ErrBadInput, id, len(found), namesText(names))
}

// sources lists what can be asked for of a record: blocks, handles, then considered places that have an id of their own.
func (r *PackRecord) sources() []packSource {
	var all []packSource
	for _, b := range r.Pack.Blocks {
		s := sourceOf(blockPlace(b))
		s.Text, s.held = b.Text, true
		all = append(all, s)
	}
	for _, h := range r.Pack.Handles {
		all = append(all, sourceOf(handlePlace(h)))
	}
	for _, c := range r.Considered {
		// The block of a merged or cut place has lines of its own, which only the block itself knows.
		if c.Outcome == OutcomeHandle && c.ID != "" && c.Path != "" {
			all = append(all, sourceOf(c))
		}
	}
	for i := range all {
		all[i].PackID, all[i].commit = r.Pack.ID, r.Pack.Revision
	}
	return all
}

func sourceOf(c Considered) packSource {
	return packSource{Rehydrated: Rehydrated{SourceID: c.ID, Path: c.Path, StartLine: c.StartLine, EndLine: c.EndLine, Symbol: c.Symbol, Revision: c.Revision}}
}

// blobRevision is the hash of a file's content as blocks name it.
func blobRevision(hash [16]byte) string { return "blob:" + hex.EncodeToString(hash[:6]) }

// rehydrateFile fills in state and text of a source that is lines of a file.
func (a *App) rehydrateFile(ctx context.Context, s packSource, r *Rehydrated) error {
	source, skip, err := a.tree.Read(ctx, scan.Entry{Path: s.Path})
	if err != nil {
		return fmt.Errorf("rehydrate %s: %w", s.SourceID, err)
	}
	if skip == nil && blobRevision(source.File.Hash) == s.Revision {
		r.State = RehydratedExact
		if !s.held {
			r.Text = pipeline.LinesOf(source.Text, agenvantage.Span{StartLine: s.StartLine, EndLine: s.EndLine})
		}
		return nil
	}
	switch {
	case skip != nil && skip.Reason == agenvantage.SkipVanished:
		r.State, r.Why = RehydratedGone, "there is no file of that path any more"
	case skip != nil:
		r.State, r.Why = RehydratedChanged, "the file is left out by now as "+string(skip.Reason)
	default:
		r.State, r.Why = RehydratedChanged, "the file has changed since it was packed: its lines are numbered as they were then"
	}
	if s.held {
		r.Why += "; the text is that of the pack"
		return nil
	}
	text, why, err := a.committedText(ctx, s)
	if err != nil {
		return fmt.Errorf("rehydrate %s: %w", s.SourceID, err)
	}
	r.Text = text
	r.Why += "; " + why
	return nil
}

// committedText is the text of a source in the commit that its pack was made at, through the gate that every text goes through; ""
// where the commit has another content of the file, or is not to be had. why says which.
func (a *App) committedText(ctx context.Context, s packSource) (text, why string, err error) {
	if !git.IsObjectID(s.commit) {
		return "", "its old text is lost: the pack was made of a tree without a commit", nil
	}
	repository, ok := git.FindRepository(a.root)
	if !ok {
		return "", "its old text is lost: there is no git repository", nil
	}
	below, err := filepath.Rel(repository.Name(), a.root)
	if err != nil || !filepath.IsLocal(below) {
		below = "."
	}
	commit, err := scan.OpenCommit(ctx, repository.Name(), s.commit, scan.CommitOptions{Root: filepath.ToSlash(below),
		Options: scan.Options{MaxFileBytes: a.config.Scan.MaxFileBytes, Languages: a.config.Languages}})
	short := s.commit[:shortID]
	if err != nil {
		if ctx.Err() != nil {
			return "", "", ctx.Err()
		}
		return "", fmt.Sprintf("its old text is lost: commit %s cannot be read", short), nil
	}
	source, skip, err := commit.Read(ctx, scan.Entry{Path: s.Path})
	err = errors.Join(err, commit.Close())
	switch {
	case ctx.Err() != nil:
		return "", "", ctx.Err()
	case err != nil:
		return "", fmt.Sprintf("its old text is lost: commit %s cannot be read", short), nil
	case skip != nil:
		return "", fmt.Sprintf("its old text is lost: commit %s does not give the file (%s)", short, cmp.Or(skip.Detail, string(skip.Reason))), nil
	case blobRevision(source.File.Hash) != s.Revision:
		return "", fmt.Sprintf("its old text is lost: it was not what commit %s has", short), nil
	}
	return pipeline.LinesOf(source.Text, agenvantage.Span{StartLine: s.StartLine, EndLine: s.EndLine}), "the text is that of commit " + short, nil
}
