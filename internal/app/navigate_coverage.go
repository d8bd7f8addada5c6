package app

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/internal/count"
)

// Verdict says how far an answer can be taken for the whole answer.
type Verdict string

// The verdicts.
const (
	// VerdictProven: every file that holds the name was parsed by a grammar, every mention of the name in it is accounted for,
	// and nothing is known by which the subject is reached without a mention. Prose is left out, and so is what runs the tree
	// from outside.
	VerdictProven Verdict = "proven"
	// VerdictBounded: what might be missing is known and counted.
	VerdictBounded Verdict = "bounded"
	// VerdictUnknown: nothing can be said, since the index is behind the files or its language is not resolved.
	VerdictUnknown Verdict = "unknown"
)

// NavigationCoverage says how much was looked at. An answer of the graph holds what the tree that is indexed tells: what
// runs there from outside of it is beyond any verdict. A mention is accounted for when it names a definition, when its
// reference has an edge that is resolved or unique, when it stands in a comment that no tool reads, or when it is certainly
// something else by the rules of the language. Any other is counted in Unresolved, with its reason.
type NavigationCoverage struct {
	Verdict      Verdict                        `json:"verdict"`
	FilesParsed  int                            `json:"files_parsed"`  // by a grammar
	FilesSkipped int                            `json:"files_skipped"` // left out of the index
	DynamicSites int                            `json:"dynamic_sites"` // sum of unresolved
	Skipped      map[agenvantage.SkipReason]int `json:"skipped"`       // why files were left out
	// Unresolved counts what may lead to the subject, or from it, without an edge. Mentions of the name: dynamic, unknown, many,
	// external, builtin as the resolver says; name: edges by the name alone; mention: code that no reference stands for;
	// string: the name in a string or as a symbol; dispatch: calls of another definition of the name that may lead to the subject
	// at run time, over a supertype, a value whose type nothing enforces, or super; overload: calls of another definition of
	// the same thing. Of the subject: passed: places that take it as a value; hook: the language or an annotation has it
	// called; outside: a type or interface from outside may; computed: places that compute a name which may be its.
	Unresolved  map[string]int `json:"unresolved"`
	OpenSites   []OpenSite     `json:"open_sites,omitempty"` // the first of the unresolved sites, by path and line, computed ones last; on the page that ends the answer
	Unparsed    map[string]int `json:"unparsed"`             // files that mention the name and were not understood, by how far they were
	Mentions    int            `json:"mentions"`             // of the name in these files
	Why         []string       `json:"why,omitempty"`        // what keeps the verdict from being proven
	Stale       bool           `json:"stale,omitempty"`
	StaleReason string         `json:"stale_reason,omitempty"`
}

// Line is the coverage on one line.
func (c NavigationCoverage) Line() string {
	s := fmt.Sprintf("coverage: %s: %s parsed, %d skipped", c.Verdict, count.Of(c.FilesParsed, "file", "files"), c.FilesSkipped)
	for i, reason := range slices.Sorted(maps.Keys(c.Skipped)) {
		s += fmt.Sprintf("%s%d %s", map[bool]string{true: " (", false: ", "}[i == 0], c.Skipped[reason], reason)
	}
	if len(c.Skipped) > 0 {
		s += ")"
	}
	s += ", " + count.Of(c.DynamicSites, "unresolved site", "unresolved sites")
	for i, reason := range slices.Sorted(maps.Keys(c.Unresolved)) {
		s += fmt.Sprintf("%s%d %s", map[bool]string{true: " (", false: ", "}[i == 0], c.Unresolved[reason], reason)
	}
	if len(c.Unresolved) > 0 {
		s += ")"
	}
	if len(c.Why) > 0 {
		s += "; " + strings.Join(c.Why, "; ")
	}
	return s
}

// coverage is what is true of every answer from the view.
func (n *navigator) coverage(stale string) (NavigationCoverage, error) {
	c := NavigationCoverage{Verdict: VerdictProven, Skipped: map[agenvantage.SkipReason]int{}, Unresolved: map[string]int{}, Unparsed: map[string]int{}}
	for f := range uint32(n.corpus.FileCount()) {
		if parsed(n.corpus.File(f).State) {
			c.FilesParsed++
		}
	}
	skips, err := n.skips()
	if err != nil {
		return c, err
	}
	c.FilesSkipped = len(skips)
	for i := range skips {
		c.Skipped[skips[i].Reason]++
	}
	if stale != "" {
		c.Stale, c.StaleReason = true, stale
		c.lower(VerdictUnknown, "the index is stale: "+stale)
	}
	return c, nil
}

// skips are the paths that were left out of the index, read once.
func (n *navigator) skips() (skips []agenvantage.Skip, err error) {
	if n.leftPaths == nil {
		n.leftPaths, err = n.corpus.Skips()
	}
	return n.leftPaths, err
}

// lower keeps the worse verdict.
func (c *NavigationCoverage) lower(v Verdict, why string) {
	if v == VerdictUnknown || c.Verdict == VerdictProven {
		c.Verdict = v
	}
	c.Why = append(c.Why, why)
}

// parsed reports whether a grammar understood a file, as a whole or but for some places.
func parsed(s agenvantage.ParseState) bool {
	return s == agenvantage.ParseFull || s == agenvantage.ParsePartial
}

// judge finds what an answer may lack.
func (n *navigator) judge(c *NavigationCoverage, s spot) error {
	if n.request.Verb == VerbRead {
		if n.changed(s.file) {
			c.lower(VerdictUnknown, "the file has changed since it was indexed")
		}
		return nil
	}
	if n.request.Verb != VerbSymbol {
		if state := n.corpus.File(s.file).State; !parsed(state) {
			c.lower(VerdictUnknown, fmt.Sprintf("%s was not parsed by a grammar (%s)", n.corpus.Path(s.file), state))
		} else if links, err := n.corpus.Links(s.file); err != nil {
			return err
		} else if links.Failure != "" {
			c.lower(VerdictUnknown, fmt.Sprintf("the references of %s could not be resolved: %s", n.corpus.Path(s.file), links.Failure))
		}
	}
	if err := n.judgeSkips(c); err != nil {
		return err
	}
	names, err := n.namesAsked(c, s)
	if err != nil {
		return err
	}
	m := newMentions(n, c)
	if n.request.Verb == VerbCallees || n.request.Verb == VerbNeighbors {
		if err := m.ownCalls(s); err != nil {
			return err
		}
	}
	if n.request.Verb != VerbCallees {
		if err := m.judgeNames(names); err != nil {
			return err
		}
	}
	if n.request.Verb == VerbImpact || n.request.Verb == VerbTestsFor {
		if err := m.judgeReached(s, names); err != nil {
			return err
		}
	}
	m.settle()
	return nil
}

// judgeNames looks for what may be missing about each of some names.
func (m *mentions) judgeNames(names []asked) error {
	for _, a := range names {
		scope, err := m.scopeOf(a.nodes)
		if err != nil {
			return err
		}
		if err := m.of(a.name, scope); err != nil {
			return err
		}
		for _, node := range a.nodes {
			if err := m.judgeSubject(node); err != nil {
				return err
			}
		}
	}
	return nil
}

// judgeReached does the same for the symbols that lead to the subject over others: a mention of one of them that is missing
// hides what it would lead to. What starts of itself, as main and tests do, is the end of a way.
func (m *mentions) judgeReached(s spot, subject []asked) error {
	came, depth, err := m.leading(s)
	if err != nil {
		return err
	}
	var nodes []agenvantage.Node
	for node, a := range came {
		if node.Symbol >= 0 && (depth == 0 || a.depth < depth) && !m.isTest(node) {
			nodes = append(nodes, node)
		}
	}
	slices.SortFunc(nodes, compareNodes)
	names, err := m.groupByName(nodes)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(a asked) bool {
		return a.name == "main" || a.name == "init" || slices.ContainsFunc(subject, func(b asked) bool { return a.name == b.name && len(a.nodes) <= len(b.nodes) })
	})
	switch {
	case len(names) == 0:
		return nil
	case len(names) > maxNamesJudged:
		m.coverage.lower(VerdictBounded, fmt.Sprintf("what leads to %d further names on the way was not looked for", len(names)))
		return nil
	}
	return m.judgeNames(names)
}

// asked is a name with the symbols of that name that an answer is about, in order.
type asked struct {
	name  string
	nodes []agenvantage.Node
}

// groupByName groups symbols by their names, in the order of these.
func (n *navigator) groupByName(nodes []agenvantage.Node) ([]asked, error) {
	by := map[string][]agenvantage.Node{}
	for _, node := range nodes {
		if node.Symbol < 0 {
			continue
		}
		x, err := n.corpus.Facts(node.File)
		if err != nil {
			return nil, err
		}
		name := x.Symbols[node.Symbol].Name
		by[name] = append(by[name], node)
	}
	var out []asked
	for _, name := range slices.Sorted(maps.Keys(by)) {
		out = append(out, asked{name, by[name]})
	}
	return out, nil
}

// maxNamesJudged bounds the names whose mentions are looked for.
const maxNamesJudged = 24

// namesAsked lists the names that a mention of the subject would have.
func (n *navigator) namesAsked(c *NavigationCoverage, s spot) ([]asked, error) {
	if n.request.Verb == VerbSymbol {
		parts := splitName(n.request.Location)
		if len(parts) == 0 {
			return nil, nil
		}
		return []asked{{name: parts[len(parts)-1]}}, nil
	}
	nodes := n.nodes(s)
	if n.request.Verb == VerbImpact || n.request.Verb == VerbTestsFor {
		var err error
		if nodes, err = n.withInner(nodes); err != nil {
			return nil, err
		}
	}
	names, err := n.groupByName(nodes)
	if err != nil {
		return nil, err
	}
	if len(names) > maxNamesJudged {
		c.lower(VerdictBounded, fmt.Sprintf("mentions of %d of its %d names were not looked for", len(names)-maxNamesJudged, len(names)))
		names = names[:maxNamesJudged]
	}
	return names, nil
}

// couldHoldCode are the reasons of files that were left out though they may mention a name. Binary files, links to other
// files, lock files, credentials and the index itself do not.
var couldHoldCode = map[agenvantage.SkipReason]bool{agenvantage.SkipTooLarge: true, agenvantage.SkipMinified: true, agenvantage.SkipGenerated: true, agenvantage.SkipSubmodule: true,
	agenvantage.SkipNestedRepo: true, agenvantage.SkipUnreadable: true, agenvantage.SkipVanished: true, agenvantage.SkipOwnIgnore: true, agenvantage.SkipBadName: true}

// dataExtensions are those of files that hold no code.
var dataExtensions = map[string]bool{".json": true, ".csv": true, ".tsv": true, ".svg": true, ".lock": true, ".sum": true, ".map": true, ".txt": true, ".md": true, ".log": true,
	".geojson": true, ".xml": true, ".po": true, ".sql": false}

// judgeSkips counts the files that were left out and may hold code.
func (n *navigator) judgeSkips(c *NavigationCoverage) error {
	skips, err := n.skips()
	if err != nil {
		return err
	}
	out := map[agenvantage.SkipReason]int{}
	for i := range skips {
		if s := &skips[i]; couldHoldCode[s.Reason] && !dataExtensions[strings.ToLower(path.Ext(s.Path))] {
			out[s.Reason]++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(out)) {
		c.lower(VerdictBounded, fmt.Sprintf("%s left out as %s may mention it", count.Of(out[reason], "file", "files"), reason))
	}
	return nil
}
