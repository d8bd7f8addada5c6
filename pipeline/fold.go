package pipeline

import (
	"fmt"
	"math"
	"path"
	"strings"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/rerank"
)

// Of chunks with nearly one text a reader needs one: the others are folded under the best one, which names them. A ranking is divided
// into windows of fixed places, and folds stay in their window: what an answer shows of it depends neither on how much is asked for nor
// on where a page begins, and only texts near to what is shown are read.

// foldWindow is the number of places of a window: twice the results of a search that does not say how many it wants.
const foldWindow = 20

// fold says under which place of the ranking another one is folded, and how much their texts are alike.
type fold struct {
	under int
	alike float64
}

// folds are the places that are folded.
type folds map[int]fold

// under are the places that are folded under one, in order.
func (f folds) under(place int) []int {
	var found []int
	for p := place + 1; len(f) > 0 && p < place+foldWindow; p++ {
		if at, ok := f[p]; ok && at.under == place {
			found = append(found, p)
		}
	}
	return found
}

// before counts the folded places before one.
func (f folds) before(place int) int {
	n := 0
	for p := range f {
		if p < place {
			n++
		}
	}
	return n
}

// fold finds what is folded of the windows in which the first need places that are shown lie. Only the places of shown.fixed count:
// those behind come or do not come with how much is asked for.
func (s *searcher) fold(shown selection, need int) (folds, error) {
	found := folds{}
	for start := 0; start < shown.fixed && start < need+len(found); start += foldWindow {
		if err := s.foldWindow(found, shown.order[:min(start+foldWindow, shown.fixed)], start); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// foldable is a place of a window. Its text is read when another one of its name may be like it.
type foldable struct {
	name  string // of the symbol that it is or is a part of: what has different names is different things
	alone bool   // the head of a file stands for its file, and those of a project are much alike
	print *rerank.Fingerprint
}

// foldWindow adds what is folded of the places from start on.
func (s *searcher) foldWindow(found folds, order []agenvantage.Candidate, start int) error {
	window := make([]foldable, len(order)-start)
	for i := range window {
		c := order[start+i]
		facts, err := s.corpus.Facts(c.File)
		if err != nil {
			return fmt.Errorf("facts of %q: %w", s.corpus.Path(c.File), err)
		}
		kind, symbol, _ := ofKind(facts, c)
		if symbol != nil {
			window[i].name = symbol.Name
		}
		window[i].alone = kind == agenvantage.ChunkHeader
		for j := 0; j < i && !window[i].alone; j++ {
			if _, folded := found[start+j]; folded || window[j].alone || window[j].name != window[i].name || !s.mayFold(c, order[start+j]) {
				continue
			}
			alike, err := s.alike(&window[i], c, &window[j], order[start+j])
			if err != nil {
				return err
			}
			if alike >= rerank.AlikeFrom && s.isFresh(c.File) && s.isFresh(order[start+j].File) {
				found[start+i] = fold{start + j, alike}
				break
			}
		}
	}
	return nil
}

// alike compares the texts of two candidates.
func (s *searcher) alike(a *foldable, ca agenvantage.Candidate, b *foldable, cb agenvantage.Candidate) (float64, error) {
	if err := s.read(a, ca); err != nil {
		return 0, err
	}
	if err := s.read(b, cb); err != nil {
		return 0, err
	}
	return a.print.Alike(*b.print), nil
}

// read reads the text of a candidate, once.
func (s *searcher) read(f *foldable, c agenvantage.Candidate) error {
	if f.print != nil {
		return nil
	}
	text, err := s.corpus.Text(c.File)
	if err != nil {
		return fmt.Errorf("text of %q: %w", s.corpus.Path(c.File), err)
	}
	p := rerank.FingerprintOf(LinesOf(text, c.Span))
	f.print = &p
	return nil
}

// mostLonger is how many times as many lines the one of two spans may have: the same tokens may stand in lines of their own.
const mostLonger = 4

// MayBeCopies reports whether spans are near enough in length that their texts may be one.
func MayBeCopies(a, b agenvantage.Span) bool {
	return max(a.Lines(), b.Lines()) <= mostLonger*min(a.Lines(), b.Lines())
}

// NamesFile reports whether a question names a file by a path or in a frame.
func NamesFile(query agenvantage.Query, file string) bool {
	for _, p := range query.Paths {
		if namesFile(p, file) {
			return true
		}
	}
	for _, f := range query.Frames {
		if namesFile(f.Path, file) {
			return true
		}
	}
	return false
}

// mayFold reports whether a candidate may be folded under a better one: not when the question names its path, or its scope names it and
// not the other, nor when one is much longer than the other.
func (s *searcher) mayFold(c, better agenvantage.Candidate) bool {
	file := s.corpus.Path(c.File)
	if !MayBeCopies(c.Span, better.Span) || NamesFile(s.query, file) {
		return false
	}
	for _, pattern := range s.request.Filter.Paths {
		if channels.PathMatches(pattern, file) && !channels.PathMatches(pattern, s.corpus.Path(better.File)) {
			return false
		}
	}
	return true
}

// namesFile reports whether a path as a question has it is that of a file, the end of it, a folder around it, or the file's own with more
// before it.
func namesFile(named, file string) bool {
	if strings.ContainsAny(named, "*?[{") {
		return true // what it names is left to who asks
	}
	named = "/" + strings.ToLower(strings.Trim(path.Clean(strings.ReplaceAll(named, `\`, "/")), "/"))
	file = "/" + strings.ToLower(file)
	return strings.HasSuffix(file, named) || strings.HasSuffix(named, file) || strings.Contains(file, named+"/")
}

// isFresh reports whether a file on disk is what was indexed: another one may differ from its copies by now.
func (s *searcher) isFresh(file uint32) bool {
	return s.request.FreshnessOf == nil || s.request.FreshnessOf(file) == Fresh
}

// copyOf is a folded candidate as an answer names it.
func copyOf(corpus Corpus, c agenvantage.Candidate, alike float64) agenvantage.Copy {
	return agenvantage.Copy{Path: corpus.Path(c.File), StartLine: c.Span.StartLine, EndLine: c.Span.EndLine, Alike: math.Round(alike*1000) / 1000}
}
