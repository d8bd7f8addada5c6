package app

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/internal/count"
)

// OpenSite is a place that the coverage of an answer counts as unresolved: what its reader has to look at.
type OpenSite struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`          // as in NavigationCoverage.Unresolved
	Count  int    `json:"count,omitempty"` // how often it is counted, where that is more than once
	Text   string `json:"text"`            // of the line, shortened as that of an item is
}

const (
	// maxOpenSites is the most places that an answer lists: a screen. An answer with more of them is not checked place by place.
	maxOpenSites = 20
	// maxSitesKept bounds what is remembered of them, in the order in which they are found.
	maxSitesKept = 2000
)

// openPlace is a place that was counted.
type openPlace struct {
	file   uint32
	line   int
	reason string
}

// countAt counts places of a file, each as often as it is given.
func (m *mentions) countAt(reason string, f uint32, lines ...int) {
	m.count(reason, len(lines))
	for _, line := range lines {
		if line > 0 && len(m.openPlaces) < maxSitesKept {
			m.openPlaces = append(m.openPlaces, openPlace{f, line, reason})
		}
	}
}

// countReferences counts references of a file.
func (a *account) countReferences(reason string, refs []agenvantage.Reference) {
	for i := range refs {
		a.countAt(reason, a.file, refs[i].Line)
	}
}

// countEach counts references of a file that were resolved again, n of them for one reason and so on in counts, which it uses up. Which one has
// which reason is certain where they all have the same, the first in alphabetical order where they have several; else each is resolved alone, as
// far as the bound on that goes.
func (a *account) countEach(refs []agenvantage.Reference, counts map[string]int) error {
	total := 0
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		if counts[reason] == len(refs) {
			a.countReferences(reason, refs)
			return nil
		}
		total += counts[reason]
	}
	if total == 0 {
		return nil
	}
	for i := range refs {
		links, ok, err := a.alone.resolve(a.file, refs[i:i+1])
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		for _, reason := range slices.Sorted(maps.Keys(links.Unresolved)) {
			if counts[reason] > 0 {
				counts[reason]--
				a.countAt(reason, a.file, refs[i].Line)
			}
		}
	}
	for reason, n := range counts {
		a.count(reason, n) // their places are not known
	}
	return nil
}

// openSites lists the places that were counted, in order of path, line and reason: those that hold the name before those that compute
// one, which are many and seldom lead to the subject.
func (n *navigator) openSites() []OpenSite {
	places := slices.Clone(n.openPlaces)
	rank := map[string]int{reasonComputed: 1}
	slices.SortFunc(places, func(a, b openPlace) int {
		return cmp.Or(cmp.Compare(rank[a.reason], rank[b.reason]), cmp.Compare(n.corpus.Path(a.file), n.corpus.Path(b.file)), cmp.Compare(a.line, b.line), cmp.Compare(a.reason, b.reason))
	})
	var sites []OpenSite
	for i, p := range places {
		if i > 0 && places[i-1] == p {
			last := &sites[len(sites)-1]
			last.Count = max(last.Count, 1) + 1
			continue
		}
		if len(sites) == maxOpenSites {
			break
		}
		site := OpenSite{Path: n.corpus.Path(p.file), Line: p.line, Reason: p.reason}
		if lines, err := n.linesOf(p.file); err == nil && p.line > 0 && p.line <= len(lines) {
			site.Text = shortLine(strings.TrimSpace(lines[p.line-1]))
		}
		sites = append(sites, site)
	}
	return sites
}

// Compact is a site as text: "path:line (reason)" and its line, which is indented below.
func (s OpenSite) Compact() string {
	item := NavigationItem{Path: s.Path, StartLine: s.Line, Kind: s.Reason, Text: s.Text}
	if s.Count > 1 {
		item.Kind = s.Reason + ", " + count.Of(s.Count, "time", "times")
	}
	return item.Compact()
}

// UnlistedSites is how many of the unresolved sites are not in OpenSites: those beyond its bound, and those without a place of
// their own, as that a method may be called over an interface from outside.
func (c NavigationCoverage) UnlistedSites() int {
	n := c.DynamicSites
	for _, s := range c.OpenSites {
		n -= max(s.Count, 1)
	}
	return n
}

// OpenSitesTitle stands before the open sites of an answer in text.
const OpenSitesTitle = "unresolved sites, which may belong to the answer:"

// sitesFor are the open sites that what is left of the bound on tokens lets through.
func (n *navigator) sitesFor(price *prices) []OpenSite {
	sites := n.openSites()
	for i, s := range sites {
		title := ""
		if i == 0 {
			title = OpenSitesTitle
		}
		if !price.take(s, title) {
			return sites[:i]
		}
	}
	return sites
}
