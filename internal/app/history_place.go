package app

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"agenvantage"
	"agenvantage/plan"
)

// place is what a location of the history names.
type place struct {
	path   string // of the file or folder
	symbol string // qualified, "" when the location is none
	files  []uint32
	lines  agenvantage.Span // the zero Span for all of the files
	gone   bool             // the path is not in the tree: files are numbers of the view alone
}

// find reads a location as the commands of the graph do (navigator.locate), and beyond that folders, and paths that are not in the
// tree any more. candidates are the places of an ambiguous location.
func (h *historyView) find(ctx context.Context, location string) (p place, candidates []NavigationItem, err error) {
	location = strings.TrimSpace(location)
	if location == "" {
		return place{}, nil, fmt.Errorf("%w: a location is needed: PATH, PATH:LINE, PATH:A-B or a symbol", agenvantage.ErrBadInput)
	}
	if files := h.filesAt(location); len(files) > 0 {
		return place{path: h.relative(location), files: files}, nil, nil
	}
	n := newNavigator(ctx, h.app, h.corpus, NavigateRequest{Location: location})
	s, several, err := n.locate(location)
	if !isSymbol(s, several) { // a path that is gone comes before those that end in it
		if p, e := h.findGone(ctx, location); e != nil || len(p.files) > 0 {
			return p, nil, e
		}
	}
	if err != nil {
		return place{}, nil, err
	}
	if len(several) == 0 && len(s.symbols) > 1 && !s.lines { // overloads: each has a history of its own
		for _, symbol := range s.symbols {
			several = append(several, spot{file: s.file, symbols: []int{symbol}})
		}
	}
	h.notes = append(h.notes, n.notes...)
	if len(several) > 0 {
		candidates, err = n.candidateItems(several)
		return place{}, candidates, err
	}
	p = place{path: h.corpus.Path(s.file), files: []uint32{s.file}, lines: s.span}
	if len(s.symbols) > 0 && !s.lines {
		x, err := h.corpus.Facts(s.file)
		if err != nil {
			return place{}, nil, err
		}
		p.symbol = x.Symbols[s.symbols[0]].Qualified
	}
	return p, nil, nil
}

// isSymbol reports whether a location was found by the name of a symbol.
func isSymbol(s spot, several []spot) bool {
	if len(several) > 0 {
		s = several[0]
	}
	return len(s.symbols) > 0 && !s.lines
}

// findGone finds a path, with or without lines behind it, that the history knows and the tree does not have. The files are none
// where there is no such path.
func (h *historyView) findGone(ctx context.Context, location string) (place, error) {
	asked, lines := h.relative(location), false
	if path, _, ok := plan.CutLines(location); ok {
		if asked, lines = h.relative(path), true; len(h.filesAt(asked)) > 0 {
			return place{}, nil // its lines are wrong, and that is the error
		}
	}
	files, err := h.gone(ctx, asked)
	if err != nil || len(files) == 0 {
		return place{}, err
	}
	if lines {
		h.notes = append(h.notes, "lines of a path that is not in the tree are not followed: this is the history of the whole file")
	}
	p := place{path: asked, files: files, gone: int(files[0]) >= h.corpus.FileCount()}
	if !p.gone {
		p.path = h.path(files[0]) // what it is called now
	}
	return p, nil
}

// cleanPath is a path without "./" before it and "/" behind it.
func cleanPath(p string) string {
	return strings.TrimSuffix(path.Clean(strings.TrimPrefix(filepath.ToSlash(p), "./")), "/")
}

// relative is a path below the root, whether it was given so or as an absolute one.
func (h *historyView) relative(p string) string {
	p = cleanPath(p)
	if root := filepath.ToSlash(h.app.root); p == root {
		return "."
	} else if below, ok := strings.CutPrefix(p, root+"/"); ok {
		return below
	}
	return p
}

// filesAt are the files of a path of the tree: the file itself, or all below a folder; "." is the root.
func (h *historyView) filesAt(p string) []uint32 {
	p = h.relative(p)
	if file, ok := h.corpus.Find(p); ok {
		return []uint32{file}
	}
	folder := p + "/"
	if p == "." {
		folder = ""
	}
	var files []uint32
	for file, _ := h.corpus.Find(folder); int(file) < h.corpus.FileCount() && strings.HasPrefix(h.corpus.Path(file), folder); file++ {
		files = append(files, file)
	}
	return files
}

// path is the name of a file of the view: of the tree, or one that is gone.
func (h *historyView) path(file uint32) string {
	if i := int(file) - h.corpus.FileCount(); i >= 0 {
		return h.goneNames[i]
	}
	return h.corpus.Path(file)
}

// filesOf are the files of a path that cochange is asked about: of the tree, else of the history, else those of the tree whose
// paths end in it when that is one.
func (h *historyView) filesOf(ctx context.Context, asked string) ([]uint32, error) {
	if files := h.filesAt(asked); len(files) > 0 {
		return files, nil
	}
	files, err := h.gone(ctx, h.relative(asked))
	if err != nil || len(files) > 0 {
		return files, err
	}
	n := newNavigator(ctx, h.app, h.corpus, NavigateRequest{Location: asked})
	if files := n.filesAt(asked); len(files) == 1 {
		h.notes = append(h.notes, fmt.Sprintf("%s was taken for %s", asked, h.corpus.Path(files[0])))
		return files, nil
	}
	err = n.unknown(asked)
	var unknown *UnknownLocationError
	if errors.As(err, &unknown) { // symbols are no paths
		unknown.Why = strings.Replace(unknown.Why, "no symbol has that name, and no indexed file that path", "no indexed file and no commit has that path", 1)
		unknown.Nearest = n.nearestPaths(asked)
	}
	return nil, err
}
