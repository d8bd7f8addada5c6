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
	"agenvantage/plan"
)

// maxNearest is the most locations that an error names.
const maxNearest = 5

// How near a name or a path is to one that does not exist: the smaller, the nearer. Another spelling (case, separators) comes
// before a slip of the pen, that before words in common. The steps leave room for what tells equals apart.
const (
	nearSpelling = 0   // the whole of it, in another case or with other separators
	nearLast     = 20  // its last name, in a place that was not asked for
	nearSlip     = 40  // and nearSlipStep for each letter that is missing, too many, changed or swapped
	nearInside   = 100 // it is a part of the other
	nearWords    = 120 // they have words in common
	nearSlipStep = 10

	nearQualifier = 60 // taken off for each qualifier that fits, from the last one up: Flask.wsgi means Flask.wsgi_app before ASGI
	nearFolder    = 8  // taken off for the folder that fits
	nearWordsGain = 20 // taken off when the words in common are the whole of the name
	nearOther     = 5  // added for a path where a name was asked for
)

// near is a location with its distance.
type near struct {
	distance int
	text     string
}

// compareNear orders the nearest first, of equals the shorter one.
func compareNear(a, b near) int {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.text), len(b.text)), cmp.Compare(a.text, b.text))
}

// nearestOf lists the texts of the nearest locations, each once.
func nearestOf(all []near) []string {
	slices.SortFunc(all, compareNear)
	var texts []string
	for _, candidate := range all {
		if len(texts) < maxNearest && !slices.Contains(texts, candidate.text) {
			texts = append(texts, candidate.text)
		}
	}
	return texts
}

// unknown says that a location does not exist, and what comes nearest.
func (n *navigator) unknown(location string) error {
	e := &UnknownLocationError{Location: location, Why: "no symbol has that name, and no indexed file that path"}
	asked, _, _ := plan.CutLines(location)
	if why := n.leftOut(asked); why != "" {
		e.Why = why
		return e
	}
	if strings.Contains(asked, "/") {
		if e.Nearest = n.nearestPaths(asked); len(e.Nearest) > 0 {
			return e
		}
	}
	all, err := n.nearNames(asked)
	if err != nil {
		return err
	}
	other := nearOther
	if strings.Contains(asked, ".") {
		other = 0
	}
	e.Nearest = nearestOf(append(all, n.nearPaths(asked, other)...))
	return e
}

// nearestPaths lists the paths of files that are nearest to one that does not exist.
func (n *navigator) nearestPaths(asked string) []string { return nearestOf(n.nearPaths(asked, 0)) }

// nearPaths finds the paths of files that are near to one that does not exist, and moves them away by more.
func (n *navigator) nearPaths(asked string, more int) (found []near) {
	for f := range uint32(n.corpus.FileCount()) {
		if d, ok := nearPath(asked, n.corpus.Path(f)); ok {
			found = append(found, near{d + more, n.corpus.Path(f)})
		}
	}
	return found
}

// leftOut says why a path is not in the index, "" for one that is no path of the tree.
func (n *navigator) leftOut(asked string) string {
	asked = strings.TrimPrefix(path.Clean(filepath.ToSlash(asked)), "./")
	skips, err := n.skips()
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

// slips is how many letters may be wrong in a name that is still near: one in three.
func slips(name string) int { return max(1, len(name)/3) }

// nearPath is how near a path of the tree is to one that was asked for. Its last name decides, with or without its extension; the
// folders before it tell equals apart.
func nearPath(asked, candidate string) (distance int, ok bool) {
	asked, lower := strings.ToLower(strings.Trim(filepath.ToSlash(asked), "/")), strings.ToLower(candidate)
	if asked == "" {
		return 0, false
	}
	if lower == asked || strings.HasSuffix(lower, "/"+asked) {
		return nearSpelling, true
	}
	base, name := path.Base(asked), path.Base(lower)
	limit := slips(base)
	d := min(analysis.EditDistance(name, base, limit), analysis.EditDistance(strings.TrimSuffix(name, path.Ext(name)), base, limit))
	switch {
	case d > limit:
		return 0, false
	case d == 0:
		distance = nearLast
	default:
		distance = nearSlip + nearSlipStep*d
	}
	folders := func(p string) []string { return strings.Split(path.Dir(p), "/") }
	return distance - nearFolder*sharedTail(folders(asked), folders(lower), 1), true
}

// sharedTail counts the names that two lists have in common at their ends, at most limit.
func sharedTail(a, b []string, limit int) int {
	k := 0
	for k < min(len(a), len(b), limit) && a[len(a)-1-k] == b[len(b)-1-k] {
		k++
	}
	return k
}

// Bounds of the search for near names.
const (
	maxNearTerms = 40 // of the dictionary of names that are opened
	minNearWord  = 3  // letters of a word that two names have in common
)

// nearNames finds the symbols whose names are near to the last name of a location.
func (n *navigator) nearNames(location string) ([]near, error) {
	parts := splitName(location)
	if len(parts) == 0 {
		return nil, nil
	}
	last := parts[len(parts)-1]
	want, whole, words := analysis.Normalise(last), analysis.Normalise(strings.Join(parts, ".")), nearWordsOf(last)
	if want == "" {
		return nil, nil
	}
	dictionary, err := n.corpus.TermLines(channels.FieldName)
	if err != nil {
		return nil, err
	}
	var terms []near
	for term := range strings.SplitSeq(strings.TrimSuffix(dictionary, "\n"), "\n") {
		if d, ok := nearTerm(term, want, words); ok {
			terms = append(terms, near{d, term})
		}
	}
	slices.SortFunc(terms, compareNear)
	qualifiers := normalised(parts[:len(parts)-1])
	var found []near
	for _, term := range terms[:min(len(terms), maxNearTerms)] {
		err := n.namesOf(term.text, func(name string) {
			d := term.distance
			if analysis.Normalise(name) == whole {
				d = nearSpelling
			}
			names := splitName(name)
			found = append(found, near{d - qualifierGain(qualifiers, normalised(names[:max(0, len(names)-1)])), name})
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// qualifierGain is how much nearer a name is for the qualifiers that it shares with what was asked for.
func qualifierGain(asked, has []string) int {
	if shared := sharedTail(asked, has, 2); shared > 0 || len(asked) == 0 || len(has) == 0 {
		return nearQualifier * shared
	}
	a, b := asked[len(asked)-1], has[len(has)-1]
	if limit := slips(a); len(a) >= minNearWord && strings.Contains(b, a) || len(b) >= minNearWord && strings.Contains(a, b) || analysis.EditDistance(b, a, limit) <= limit {
		return nearQualifier / 2
	}
	return 0
}

func normalised(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = analysis.Normalise(name)
	}
	return out
}

// nearWordsOf are the words of a name that are long enough to say something.
func nearWordsOf(name string) (words []string) {
	for _, part := range analysis.SplitIdentifier(name) {
		if word := analysis.Normalise(part); len(word) >= minNearWord {
			words = append(words, word)
		}
	}
	return words
}

// nearTerm is how near a normalised name is to a wanted one, which has some words.
func nearTerm(term, want string, words []string) (distance int, ok bool) {
	limit := slips(want)
	switch d := analysis.EditDistance(term, want, limit); {
	case d == 0:
		return nearLast, true
	case d <= limit:
		return nearSlip + nearSlipStep*d, true
	case len(want) >= minNearWord && strings.Contains(term, want), len(term) > minNearWord && 2*len(term) > len(want) && strings.Contains(want, term):
		return nearInside, true
	}
	letters := 0
	for _, word := range words {
		if strings.Contains(term, word) {
			letters += len(word)
		}
	}
	// More than half of both names: get_user_name is near to user_name_of, and not to every other getter.
	if 2*letters > len(want) && 2*letters > len(term) {
		return nearWords - nearWordsGain*letters/len(want), true
	}
	return 0, false
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
