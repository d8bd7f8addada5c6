package app

import (
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/graph"
	"agenvantage/index"
)

// What follows says why references have no edge.

// open lists the references of the name without an edge to a definition of it.
func (a *account) open() (open []agenvantage.Reference, err error) {
	edges := map[site]map[agenvantage.Node]bool{}
	for _, e := range a.links.Edges {
		if a.targets[e.To] && e.Kind != agenvantage.EdgeDefines && e.Confidence != agenvantage.ByName {
			k := site{e.From.Symbol, e.Line}
			if edges[k] == nil {
				edges[k] = map[agenvantage.Node]bool{}
			}
			edges[k][e.To] = true
		}
	}
	refs := map[site][]agenvantage.Reference{}
	var order []site
	for _, i := range a.ofName {
		r := &a.refs[i]
		k := site{r.From, r.Line}
		if refs[k] == nil {
			order = append(order, k)
		}
		refs[k] = append(refs[k], *r)
	}
	for _, k := range order {
		if len(edges[k]) >= distinct(refs[k]) {
			continue
		}
		for _, r := range refs[k] {
			if r.Binding > 0 && r.On == "" && r.Name == a.bare && len(edges[k]) == 0 {
				continue // a local name
			}
			open = append(open, r)
		}
	}
	return open, nil
}

// distinct counts references that differ in more than their kind.
func distinct(refs []agenvantage.Reference) int {
	seen := map[[2]string]bool{}
	for _, r := range refs {
		seen[[2]string{r.Name, r.On}] = true
	}
	return len(seen)
}

// explain counts references without an edge by the reason why they have none. Where the file as a whole tells it is taken
// from there; else they are resolved again alone. What even so has neither an edge nor a reason is a value that the resolver
// followed to something else, or, in a language that nothing resolves, unknown.
func (a *account) explain(open []agenvantage.Reference) error {
	if len(open) == 0 {
		return nil
	}
	if !resolves(a.links) {
		a.countReferences(string(graph.ReasonUnknown), open)
		return nil
	}
	var certain, doubtful []agenvantage.Reference // if they lead outside
	for i := range open {
		sure, err := a.surelyOutside(&open[i])
		if err != nil {
			return err
		}
		if sure {
			certain = append(certain, open[i])
		} else {
			doubtful = append(doubtful, open[i])
		}
	}
	if err := a.countReasons(certain, true); err != nil {
		return err
	}
	return a.countReasons(doubtful, false)
}

// countReasons resolves references again. Reasons that lead outside are left out where that settles them.
func (a *account) countReasons(refs []agenvantage.Reference, outside bool) error {
	if len(refs) == 0 {
		return nil
	}
	again := a.hasNameEdge(refs)
	for reason := range a.links.Unresolved {
		again = again || !outside || !outsideReasons[reason]
	}
	if !again {
		return nil
	}
	links, ok, err := a.again.resolve(a.file, refs)
	if err != nil {
		return err
	}
	if !ok {
		a.countReferences(string(graph.ReasonUnknown), refs)
		return nil
	}
	counts := map[string]int{}
	for reason, n := range links.Unresolved {
		if !outside || !outsideReasons[reason] {
			counts[reason] = n
		}
	}
	if err := a.countEach(refs, counts); err != nil {
		return err
	}
	byName := map[site]bool{}
	for _, e := range links.Edges {
		k := site{e.From.Symbol, e.Line}
		if e.Kind == agenvantage.EdgeDefines || e.Kind == agenvantage.EdgeTests || !slices.ContainsFunc(refs, func(r agenvantage.Reference) bool { return r.From == k.from && r.Line == k.line }) {
			continue
		}
		if e.Confidence == agenvantage.ByName && !byName[k] {
			byName[k] = true
			a.countAt(reasonName, a.file, e.Line)
		}
	}
	return nil
}

func (a *account) hasNameEdge(refs []agenvantage.Reference) bool {
	return slices.ContainsFunc(a.links.Edges, func(e agenvantage.Edge) bool {
		return e.Confidence == agenvantage.ByName && slices.ContainsFunc(refs, func(r agenvantage.Reference) bool { return r.From == e.From.Symbol && r.Line == e.Line })
	})
}

// resolves reports whether links are those of a language whose references are resolved.
func resolves(l index.Links) bool {
	return len(l.Unresolved) > 0 || slices.ContainsFunc(l.Edges, func(e agenvantage.Edge) bool { return e.Kind != agenvantage.EdgeDefines })
}

// surelyOutside reports whether a reference of which the resolver says that it leads out of the repository surely does. A
// plain name that is imported from outside does, and a member of a module from outside; a member of any other value may
// be one of the repository that the outside calls back.
func (a *account) surelyOutside(r *agenvantage.Reference) (bool, error) {
	if a.sought != nil && a.isName(lastName(r.Name)) && lastName(r.Name) != a.bare {
		return false, nil // of PHP, where the case of a name tells nothing
	}
	if defined, err := a.corpus.Named(lastName(r.Name)); err != nil || len(defined) == 0 {
		return true, err // of callees: nothing here has the name
	}
	if r.On != "" || r.Binding > 0 {
		return false, nil
	}
	names := strings.Split(dotted(r.Name), ".")
	qualifier := strings.Join(names[:len(names)-1], ".")
	star := false
	for i := range a.facts.Imports {
		m := &a.facts.Imports[i]
		if m.Path == "" {
			continue
		}
		star = star || m.Name == "*" || m.Alias == "."
		local := localName(m)
		whole := dotted(m.Path) == qualifier && m.Alias == ""
		if qualifier == "" && local == names[0] || qualifier != "" && (local == qualifier || whole) {
			return a.outside(a.lang, m.Path)
		}
	}
	if qualifier == "" {
		return !star && builtinScope[a.lang], nil
	}
	if last := names[len(names)-2]; typeNames[a.lang] && last != "" && 'A' <= last[0] && last[0] <= 'Z' {
		defined, err := a.corpus.Named(last)
		return len(defined) == 0, err
	}
	return false, nil
}

var (
	// builtinScope are the languages where a plain name that nothing in the file or the package declares is the language's own.
	builtinScope = map[string]bool{"go": true, "python": true, "javascript": true, "typescript": true, "tsx": true}
	// typeNames are the languages where a name in capitals before a member is a type.
	typeNames = map[string]bool{"java": true, "kotlin": true, "scala": true, "csharp": true, "swift": true, "rust": true, "php": true, "elixir": true}
)
