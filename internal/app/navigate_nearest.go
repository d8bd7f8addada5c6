package app

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"agenvantage/analysis"
	"agenvantage/channels"
)

// maxNearest is the most locations that an error names.
const maxNearest = 5

// unknown says that a location does not exist, and what comes nearest.
func (n *navigator) unknown(location string) error {
	e := &UnknownLocationError{Location: location, Why: "no symbol has that name, and no indexed file that path"}
	asked := location
	if m := placeSuffix.FindStringSubmatch(location); m != nil {
		asked = m[1]
	}
	if why := n.leftOut(asked); why != "" {
		e.Why = why
		return e
	}
	type near struct {
		distance int
		text     string
	}
	var nearest []near
	add := func(distance, limit int, text string) {
		if distance <= limit {
			nearest = append(nearest, near{distance, text})
		}
	}
	if strings.ContainsAny(asked, "./") {
		base := strings.ToLower(path.Base(asked))
		for f := range uint32(n.corpus.FileCount()) {
			p := n.corpus.Path(f)
			limit := max(1, len(base)/4)
			add(analysis.EditDistance(strings.ToLower(path.Base(p)), base, limit), limit, p)
		}
	}
	names, err := n.nearNames(asked)
	if err != nil {
		return err
	}
	for name, distance := range names {
		add(distance, distance, name)
	}
	slices.SortFunc(nearest, func(a, b near) int { return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.text, b.text)) })
	for _, candidate := range nearest[:min(len(nearest), maxNearest)] {
		e.Nearest = append(e.Nearest, candidate.text)
	}
	return e
}

// leftOut says why a path is not in the index, "" for one that is no path of the tree.
func (n *navigator) leftOut(asked string) string {
	asked = strings.TrimPrefix(path.Clean(filepath.ToSlash(asked)), "./")
	skips, err := n.corpus.Skips()
	if err != nil {
		return ""
	}
	for _, s := range skips {
		if s.Path == asked || strings.HasSuffix(s.Path, "/") && strings.HasPrefix(asked+"/", s.Path) {
			return fmt.Sprintf("%s was left out of the index as %s", s.Path, s.Reason)
		}
	}
	for f := range uint32(n.corpus.FileCount()) {
		if strings.HasPrefix(n.corpus.Path(f), asked+"/") {
			return "it is a folder; name a file in it"
		}
	}
	return ""
}

// nearNames finds the symbols whose names are a few letters away from the last name of a location, or hold it, with their
// distance.
func (n *navigator) nearNames(location string) (map[string]int, error) {
	parts := splitName(location)
	if len(parts) == 0 {
		return nil, nil
	}
	want := analysis.Normalise(parts[len(parts)-1])
	limit := max(1, len(want)/4)
	terms, err := n.corpus.TermLines(channels.FieldName)
	if err != nil {
		return nil, err
	}
	byDistance := map[int][]string{}
	for term := range strings.SplitSeq(strings.TrimSuffix(terms, "\n"), "\n") {
		switch d := analysis.EditDistance(term, want, limit); {
		case d <= limit:
			byDistance[d] = append(byDistance[d], term)
		case len(want) >= 4 && strings.Contains(term, want):
			byDistance[limit+1] = append(byDistance[limit+1], term)
		}
	}
	found := map[string]int{}
	for d := 0; d <= limit+1 && len(found) < maxNearest; d++ {
		slices.Sort(byDistance[d])
		for _, term := range slices.Compact(byDistance[d]) {
			if len(found) >= 4*maxNearest {
				break
			}
			if err := n.namesOf(term, func(name string) {
				if _, ok := found[name]; !ok {
					found[name] = d
				}
			}); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// namesOf visits the qualified names of the symbols behind a term of the index, those of a few documents.
func (n *navigator) namesOf(term string, visit func(name string)) error {
	type chunkAt struct {
		file  uint32
		chunk int
	}
	var at []chunkAt
	err := n.corpus.Postings(channels.FieldName, term, func(doc uint32, _, _ int) {
		if f, c := n.corpus.Locate(doc); c >= 0 {
			at = append(at, chunkAt{f, c})
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(at, func(a, b chunkAt) int { return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.chunk, b.chunk)) })
	for _, c := range at[:min(len(at), 8)] {
		x, err := n.corpus.Facts(c.file)
		if err != nil {
			return err
		}
		for _, i := range x.Chunks[c.chunk].Symbols {
			if s := &x.Symbols[i]; analysis.Normalise(s.Name) == term || analysis.Normalise(s.Qualified) == term {
				visit(s.Qualified)
			}
		}
	}
	return nil
}
