package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"agenvantage/index/commits"
	"agenvantage/scan"
	"agenvantage/scan/history"
)

// The stored history knows files by the paths that they have today. Two kinds of files have none: those that the work tree has
// renamed since HEAD, and those that are gone. For a question about them the view is opened again with what it does not know:
// the old name of the first kind stands for the file, and a path of the second kind gets a number behind the last file.

// followWorkTree lets the view follow the renames of the work tree, staged or not.
func (h *historyView) followWorkTree(ctx context.Context) error {
	renamed, missing, err := h.movedInWorkTree(ctx)
	if h.renamed, h.missing = renamed, missing; err != nil || len(renamed) == 0 {
		return err
	}
	return h.reopen(ctx)
}

// reopen opens the view with all that is to be found in it. It numbers the commits as the view before did.
func (h *historyView) reopen(ctx context.Context) error {
	view, err := commits.OpenView(ctx, h.app.historyFile(), commits.ViewOptions{Revision: h.view.Revision(), Find: h.number})
	if err != nil {
		return err
	}
	h.close()
	h.view, h.opened = view, view
	return nil
}

// number is the file that a path of the history stands for. Paths that are wanted though they are gone are numbered as they come,
// behind the last file; the numbers stay.
func (h *historyView) number(p string) (uint32, bool) {
	if file, ok := h.corpus.Find(p); ok {
		return file, true
	}
	if file, ok := h.renamed[p]; ok {
		return file, true
	}
	if !slices.ContainsFunc(h.wanted, func(w string) bool { return isBelow(p, w) }) {
		return 0, false
	}
	i := slices.Index(h.goneNames, p)
	if i < 0 {
		i = len(h.goneNames)
		h.goneNames = append(h.goneNames, p)
	}
	return uint32(h.corpus.FileCount() + i), true
}

// isBelow reports whether a path is another one or lies below it.
func isBelow(p, top string) bool { return p == top || strings.HasPrefix(p, top+"/") }

// close releases what reopen has opened; the view of the pinned generation is not ours.
func (h *historyView) close() {
	if h.opened != nil {
		h.opened.Close()
		h.opened = nil
	}
}

// gone finds the files that a path which is not in the tree stood for, a file or a folder: one of the tree that was called so
// before, else what the history had there. None means that no commit knows the path.
func (h *historyView) gone(ctx context.Context, p string) (files []uint32, err error) {
	if !filepath.IsLocal(filepath.FromSlash(p)) || p == "." {
		return nil, nil
	}
	if file, ok := h.renamed[p]; ok {
		h.notes = append(h.notes, fmt.Sprintf("%s is called %s in the work tree", p, h.corpus.Path(file)))
		return []uint32{file}, nil
	}
	// A path that was moved stands for what it was moved to, also for commits of branches that did not know of the move; unless the
	// last that happened to it is that it was deleted.
	for c := range uint32(h.view.CommitCount()) {
		file, ok := h.view.FileAt(c, p)
		if !ok {
			continue
		}
		_, status, err := h.lastChange(ctx, p)
		if err != nil {
			return nil, err
		}
		if status != history.Deleted {
			h.notes = append(h.notes, fmt.Sprintf("%s is called %s today", p, h.path(file)))
			return []uint32{file}, nil
		}
		break
	}
	if !slices.Contains(h.wanted, p) {
		h.wanted = append(h.wanted, p)
		if err := h.reopen(ctx); err != nil {
			return nil, err
		}
	}
	for i, name := range h.goneNames {
		if file := uint32(h.corpus.FileCount() + i); isBelow(name, p) && len(h.view.Touching(file)) > 0 {
			files = append(files, file)
		}
	}
	if len(files) > 0 {
		h.notes = append(h.notes, p+" is not in the tree: this is its history until it was removed")
	}
	return files, nil
}

// lastChange is the newest commit that touched a path which is gone, a file or a folder, and what it did to it; the status is 0
// where there is none. A view counts what a commit leaves, so that a removal is in no file's list.
func (h *historyView) lastChange(ctx context.Context, p string) (id string, status history.Status, err error) {
	reader, prefix, err := h.app.repository()
	if err != nil {
		return "", 0, err
	}
	err = reader.Commits(ctx, history.LogOptions{Revision: h.view.Revision(), Path: prefix + p, Max: 1}, func(c history.Commit) error {
		for _, f := range c.Files {
			switch {
			case isBelow(f.Path, prefix+p):
				id, status = c.ID, f.Status
			case f.OldPath != "" && isBelow(f.OldPath, prefix+p):
				id, status = c.ID, history.Renamed
			}
		}
		return nil
	})
	return id, status, err
}

// movedInWorkTree lists the files of the tree that HEAD has under another name, by that name: what git finds among the tracked
// files, and new files that have the very content of one that is missing (a rename that is not staged). missing are the paths
// of HEAD that the tree does not have.
func (h *historyView) movedInWorkTree(ctx context.Context) (renamed map[string]uint32, missing []string, err error) {
	if h.app.fixed {
		return nil, nil, nil
	}
	reader, err := history.Open(h.app.root)
	if err != nil {
		return nil, nil, nil
	}
	changed, err := h.diff(ctx, reader)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case errors.Is(err, history.ErrUnborn), errors.Is(err, history.ErrNoWorkTree), errors.Is(err, history.ErrMissing):
		return nil, nil, nil // nothing to compare with
	case err != nil:
		return nil, nil, err
	}
	renamed = map[string]uint32{}
	for _, f := range changed {
		switch {
		case f.NewPath == "" && f.OldPath != "":
			missing = append(missing, f.OldPath)
		case f.Status == history.Renamed && f.OldPath != f.NewPath:
			if file, ok := h.corpus.Find(f.NewPath); ok {
				renamed[f.OldPath] = file
			}
		}
	}
	if len(missing) == 0 {
		return renamed, nil, nil
	}
	return renamed, missing, h.renamedUnstaged(ctx, reader, missing, renamed)
}

// diff is what the work tree changes beyond HEAD. Git is asked once for a question.
func (h *historyView) diff(ctx context.Context, reader *history.Reader) ([]history.FileHunks, error) {
	if h.compared {
		return h.changed, nil
	}
	changed, err := reader.Diff(ctx)
	h.changed, h.compared = changed, err == nil
	return changed, err
}

// maxUnstaged bounds the missing and the new files that are compared with each other.
const maxUnstaged = 200

// renamedUnstaged adds the new files that have the content of a missing one. A file that fits several is given to the first.
func (h *historyView) renamedUnstaged(ctx context.Context, reader *history.Reader, missing []string, renamed map[string]uint32) error {
	fresh, err := reader.Untracked(ctx)
	if err != nil || len(fresh) == 0 {
		return ctx.Err()
	}
	_, prefix, err := h.app.repository()
	if err != nil {
		return nil
	}
	old, err := scan.OpenCommit(ctx, h.app.root, h.view.Revision(), scan.CommitOptions{Root: prefix})
	if err != nil {
		return ctx.Err() // a revision that this clone does not have: nothing to compare with
	}
	defer old.Close()
	slices.Sort(missing)
	c, taken := h.corpus, map[uint32]bool{}
	for _, before := range missing[:min(len(missing), maxUnstaged)] {
		for _, now := range fresh[:min(len(fresh), maxUnstaged)] {
			file, ok := c.Find(now)
			if !ok || taken[file] || c.File(file).Size == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			was := c.File(file).File
			was.Path = before
			if old.Holds(was) {
				renamed[before], taken[file] = file, true
				break
			}
		}
	}
	return nil
}

// oldNames are the names by which HEAD knows the files of a place, by today's names.
func (h *historyView) oldNames(files []uint32) []RenamedFile {
	var list []RenamedFile
	for before, file := range h.renamed {
		if slices.Contains(files, file) {
			list = append(list, RenamedFile{Path: h.corpus.Path(file), From: before})
		}
	}
	slices.SortFunc(list, func(a, b RenamedFile) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.From, b.From)) })
	return list
}
