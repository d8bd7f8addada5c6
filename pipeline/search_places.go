package pipeline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/rerank"
)

// What a question spells out comes before what resembles it: a place before everything else, a definition before the same name in another spelling.
// Votes for files and factors of roles do not count against it. A long text names many places that it is not about, and spells out none.

// preciseFor says how far a candidate is what a question spells out. Beside a place its path alone counts half: the rest of the file is less than
// what the words of the question are about.
func preciseFor(query agenvantage.Query) rerank.Precise {
	return func(c agenvantage.Candidate) float64 {
		exact := c.Channels["exact"]
		p := channels.Precise(exact.Score)
		if query.Class == agenvantage.ClassPath && query.AsksForPlaces() && !channels.IsPlace(exact.Reason) {
			p /= 2
		}
		return p
	}
}

// justBelow keeps the order of what is lowered where scores are compared again.
const justBelow = 0.999

// definedFirst puts the definitions of a lone name before those of the name in another spelling, which may have more votes, and leaves the rest where
// it is. A definition that a role demotes (one in a test) is no better than others. Scores of what comes behind are lowered to just below, as a part
// named spelled_first.
func definedFirst(query agenvantage.Query, candidates []agenvantage.Candidate) []agenvantage.Candidate {
	if query.Class != agenvantage.ClassIdentifier {
		return candidates
	}
	last := -1
	for i, c := range candidates {
		isDemoted := slices.ContainsFunc(c.Parts, func(p agenvantage.Part) bool { return strings.HasPrefix(p.Name, "role:") })
		if channels.Spelled(c.Channels["exact"]) && !isDemoted {
			last = i
		}
	}
	var ordered, behind []agenvantage.Candidate
	for i, c := range candidates {
		if i < last && channels.SpelledOtherwise(c.Channels["exact"]) {
			behind = append(behind, c)
			continue
		}
		ordered = append(ordered, c)
		if i == last {
			for _, b := range behind {
				ordered = append(ordered, lowered(b, c.Score*justBelow, "spelled_first"))
			}
		}
	}
	return ordered
}

// divide parts the places that a question asks for from its other candidates. Places are in the order of the channel that found them, others
// in the order given; of a question that asks for none all are others.
func divide(query agenvantage.Query, candidates []agenvantage.Candidate) (places, others []agenvantage.Candidate) {
	if !query.AsksForPlaces() {
		return nil, candidates
	}
	return partByExact(candidates, channels.IsPlace)
}

// partByExact parts the candidates for which the exact channel gives such a reason, in its order, from the others, in the order given.
func partByExact(candidates []agenvantage.Candidate, isOne func(reason string) bool) (those, others []agenvantage.Candidate) {
	for _, c := range candidates {
		if isOne(c.Channels["exact"].Reason) {
			those = append(those, c)
		} else {
			others = append(others, c)
		}
	}
	slices.SortStableFunc(those, func(a, b agenvantage.Candidate) int {
		return cmp.Compare(a.Channels["exact"].Rank, b.Channels["exact"].Rank)
	})
	return those, others
}

// leading puts places before others. A place that has less than what comes behind it is raised to just above, as a part named spelled_first.
func leading(places, others []agenvantage.Candidate) []agenvantage.Candidate {
	all := slices.Concat(places, others)
	for i := len(places) - 1; i >= 0 && i+1 < len(all); i-- {
		if c, next := &all[i], all[i+1].Score; c.Score < next {
			raised := next / justBelow
			c.Parts = append(slices.Clone(c.Parts), agenvantage.Part{Name: "spelled_first", Value: raised - c.Score})
			c.Score = raised
		}
	}
	return all
}

// rankedBehind gives the hits of a further list of a channel ranks behind those that the channel gave before: it was asked again, for what its
// first list did not have, and a rank is given once.
func rankedBehind(before, further []agenvantage.Candidate) []agenvantage.Candidate {
	last := map[string]int{}
	for _, c := range before {
		for name, r := range c.Channels {
			last[name] = max(last[name], r.Rank)
		}
	}
	out := slices.Clone(further)
	names := map[string]bool{}
	for _, c := range further {
		for name := range c.Channels {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		ranked := make([]int, 0, len(out))
		for i, c := range out {
			if _, ok := c.Channels[name]; ok {
				ranked = append(ranked, i)
			}
		}
		slices.SortStableFunc(ranked, func(a, b int) int { return cmp.Compare(out[a].Channels[name].Rank, out[b].Channels[name].Rank) })
		for _, i := range ranked {
			r := out[i].Channels[name]
			r.Rank = max(r.Rank, last[name]+1)
			last[name] = r.Rank
			out[i].Channels = maps.Clone(out[i].Channels)
			out[i].Channels[name] = r
		}
	}
	return out
}

// maxPlacesTold bounds the places of a question, and the files of one, that notes speak of.
const maxPlacesTold = 5

// aboutPlaces says what is not plain about the places that the question asks for: which files one may mean, that there is no such file, and that
// a file has no such line.
func (s *searcher) aboutPlaces() (notes []string, err error) {
	q := s.query
	named := q.Frames
	if len(q.Hunks) > 0 { // their lines are looked for, whatever their numbers are
		named = nil
		for _, path := range q.Paths {
			if f := (agenvantage.Frame{Path: path}); len(channels.FilesAt(s.corpus, path, s.scope.Has)) == 0 && !s.isOtherSide(path) {
				notes = append(notes, s.noFile(f))
			}
		}
		return notes[:min(len(notes), maxPlacesTold)], nil
	}
	if !q.AsksForPlaces() {
		if q.Class != agenvantage.ClassPath || !q.Short || len(q.Paths) != 1 {
			return nil, nil
		}
		named = []agenvantage.Frame{{Path: q.Paths[0]}}
	}
	for _, f := range named[:min(len(named), maxPlacesTold)] {
		note, err := s.aboutPlace(f)
		if err != nil {
			return nil, err
		}
		if note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes, nil
}

func (s *searcher) aboutPlace(f agenvantage.Frame) (string, error) {
	files := channels.FilesAt(s.corpus, f.Path, s.scope.Has)
	place := f.Path
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.Path, f.Line)
	}
	empty, err := s.areEmpty(files)
	if err != nil {
		return "", err
	}
	s.namesEmpty = s.namesEmpty || empty
	lines := map[uint32]int{}
	if f.Line > 0 && !empty {
		for _, file := range files {
			text, err := s.text(file)
			if err != nil {
				return "", err
			}
			lines[file] = strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
		}
		isLongEnough := func(file uint32) bool { return lines[file] >= f.Line }
		if slices.ContainsFunc(files, isLongEnough) {
			files = slices.DeleteFunc(files, func(file uint32) bool { return !isLongEnough(file) })
		}
	}
	switch {
	case len(files) == 0 && f.Line > 0:
		return s.noFile(f), nil
	case len(files) == 0:
		return "", nil // it may be a folder or a glob
	case len(files) > 1:
		var names []string
		for _, file := range files[:min(len(files), maxPlacesTold)] {
			names = append(names, s.corpus.Path(file))
		}
		told := strings.Join(names, ", ")
		if more := len(files) - len(names); more > 0 {
			told += fmt.Sprintf(" and %d more", more)
		}
		return fmt.Sprintf("%q may mean %s: more of its path tells them apart", place, told), nil
	case empty:
		return s.corpus.Path(files[0]) + " is empty", nil
	case lines[files[0]] < f.Line:
		return fmt.Sprintf("%s has %d lines: there is no line %d", s.corpus.Path(files[0]), lines[files[0]], f.Line), nil
	}
	return "", nil
}

// noFile says that there is no file of a path, and what it may have been built from.
func (s *searcher) noFile(f agenvantage.Frame) string {
	note := fmt.Sprintf("no indexed file has the path %q", f.Path)
	if !s.request.Filter.Empty() {
		note = fmt.Sprintf("no file that passes the filters has the path %q", f.Path)
	}
	sources := channels.SourcesAt(s.corpus, f.Path, s.scope.Has)
	if len(sources) == 0 {
		return note
	}
	note += fmt.Sprintf("; it may be built from %s", s.corpus.Path(sources[0]))
	if f.Line > 0 {
		note += fmt.Sprintf(", where line %d is another one", f.Line)
	}
	return note
}

// isOtherSide reports whether a path of a diff is one side of a hunk of which the other side is there: a file that was renamed.
func (s *searcher) isOtherSide(path string) bool {
	return slices.ContainsFunc(s.query.Hunks, func(h agenvantage.Hunk) bool {
		other := h.NewPath
		if path == h.NewPath {
			other = h.OldPath
		}
		return (path == h.NewPath || path == h.OldPath) && other != path && other != "" && len(channels.FilesAt(s.corpus, other, s.scope.Has)) > 0
	})
}

// areEmpty reports whether there are files, and all of them hold white space at most.
func (s *searcher) areEmpty(files []uint32) (bool, error) {
	for _, file := range files {
		if text, err := s.text(file); err != nil || strings.TrimSpace(text) != "" {
			return false, err
		}
	}
	return len(files) > 0, nil
}

func (s *searcher) text(file uint32) (string, error) {
	text, err := s.corpus.Text(file)
	if err != nil {
		return "", fmt.Errorf("text of %q: %w", s.corpus.Path(file), err)
	}
	return text, nil
}
