package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/channels"
)

// inherited is the definition that a name was taken for: asked of one class, found in another.
type inherited struct{ asked, from string } // qualified names of the two classes

func (i *inherited) note(location string) string {
	return fmt.Sprintf("%s is inherited: %s has it from %s", location, i.asked, i.from)
}

// maxAncestors bounds the classes that are looked at for one inherited name.
const maxAncestors = 1000

// locateInherited finds the member that a class has from the classes that it inherits, the nearest ones first: of several at one
// distance all. named are the symbols that have the last of the names.
func (n *navigator) locateInherited(parts []string, named []agenvantage.Node) ([]spot, error) {
	if len(parts) < 2 || len(named) == 0 {
		return nil, nil
	}
	last := parts[len(parts)-1]
	members := map[agenvantage.Node][]agenvantage.Node{} // by the class that they are defined in
	for _, node := range named {
		x, err := n.corpus.Facts(node.File)
		if err != nil {
			return nil, err
		}
		if s := &x.Symbols[node.Symbol]; s.Name == last && s.Parent >= 0 {
			class := agenvantage.Node{File: node.File, Symbol: s.Parent}
			members[class] = append(members[class], node)
		}
	}
	if len(members) == 0 {
		return nil, nil
	}
	classes, err := n.locateSymbol(strings.Join(parts[:len(parts)-1], "."))
	if err != nil {
		return nil, err
	}
	graph, err := n.corpus.adjacency(n.ctx)
	if err != nil {
		return nil, err
	}
	var found []spot
	for _, class := range classes {
		places, err := n.inheritedBy(class, members, graph)
		if err != nil {
			return nil, err
		}
		found = append(found, places...)
	}
	slices.SortStableFunc(found, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.symbols[0], b.symbols[0]))
	})
	return slices.CompactFunc(found, func(a, b spot) bool { return a.file == b.file && slices.Equal(a.symbols, b.symbols) }), nil
}

// inheritedBy goes up from a class, breadth first, to the nearest bases that have one of the members.
func (n *navigator) inheritedBy(class spot, members map[agenvantage.Node][]agenvantage.Node, graph *channels.Adjacency) (found []spot, err error) {
	asked, err := n.item(agenvantage.Node{File: class.file, Symbol: class.symbols[0]})
	if err != nil {
		return nil, err
	}
	frontier := make([]agenvantage.Node, len(class.symbols))
	for i, symbol := range class.symbols {
		frontier[i] = agenvantage.Node{File: class.file, Symbol: symbol}
	}
	seen := nodeSet(frontier)
	for len(frontier) > 0 && len(found) == 0 && len(seen) < maxAncestors {
		var next []agenvantage.Node
		for _, node := range frontier {
			for _, e := range graph.Out(node) {
				if (e.Kind == agenvantage.EdgeInherits || e.Kind == agenvantage.EdgeImplements) && !seen[e.To] {
					seen[e.To] = true
					next = append(next, e.To)
				}
			}
		}
		slices.SortFunc(next, compareNodes)
		for _, base := range next {
			places, err := n.membersOf(base, members[base], asked.Symbol)
			if err != nil {
				return nil, err
			}
			found = append(found, places...)
		}
		frontier = next
	}
	return found, nil
}

// membersOf are the places of the members of a class that the class asked has from it.
func (n *navigator) membersOf(base agenvantage.Node, members []agenvantage.Node, asked string) ([]spot, error) {
	places, err := n.placesOf(members)
	if err != nil || len(places) == 0 {
		return nil, err
	}
	from, err := n.item(base)
	for i := range places {
		places[i].base = &inherited{asked: asked, from: from.Symbol}
	}
	return places, err
}
