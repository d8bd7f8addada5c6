package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agenvantage"
)

// Kinds of items and subjects that are no symbols.
const (
	kindFile  = "file"
	kindLines = "lines"
	kindLine  = "line" // of read, before its lines are joined
)

// Default depths.
const (
	neighborsDepth = 1
	testsDepth     = 3
)

// Kinds of edges that the verbs follow.
var (
	refKinds = []agenvantage.EdgeKind{agenvantage.EdgeCalls, agenvantage.EdgeConfigures, agenvantage.EdgeDocuments, agenvantage.EdgeImplements, agenvantage.EdgeImports,
		agenvantage.EdgeInherits, agenvantage.EdgeReferences, agenvantage.EdgeRoutes}
	callKinds   = []agenvantage.EdgeKind{agenvantage.EdgeCalls}
	impactKinds = []agenvantage.EdgeKind{agenvantage.EdgeCalls, agenvantage.EdgeImplements, agenvantage.EdgeImports, agenvantage.EdgeInherits, agenvantage.EdgeReferences}
	testKinds   = []agenvantage.EdgeKind{agenvantage.EdgeCalls, agenvantage.EdgeReferences, agenvantage.EdgeTests}
)

// changed reports whether a file on disk differs from what is indexed.
func (n *navigator) changed(f uint32) bool {
	return !n.app.fixed && n.app.freshnessOf(n.corpus.File(f)) != 0
}

// items finds the whole answer, in its order, without the texts.
func (n *navigator) items(s spot) (items []NavigationItem, err error) {
	if n.request.Verb == VerbRead {
		return n.read(s)
	}
	if n.graph, err = n.corpus.adjacency(n.ctx); err != nil {
		return nil, err
	}
	switch n.request.Verb {
	case VerbSymbol:
		return n.definitions()
	case VerbRefs:
		return n.sites(s, refKinds)
	case VerbCallers:
		return n.sites(s, callKinds)
	case VerbCallees:
		return n.callees(s)
	case VerbNeighbors:
		return n.neighbors(s)
	case VerbImpact:
		return n.impact(s)
	case VerbTestsFor:
		return n.testsFor(s)
	}
	return nil, fmt.Errorf("%w: unknown verb %q", agenvantage.ErrBadInput, n.request.Verb)
}

// nodes are the nodes that a place stands for when it is looked at from outside: its symbols, or a file with all of its.
func (n *navigator) nodes(s spot) []agenvantage.Node {
	if len(s.symbols) == 0 && !s.lines {
		nodes := []agenvantage.Node{{File: s.file, Symbol: -1}}
		for i := range n.corpus.SymbolCount(s.file) {
			nodes = append(nodes, agenvantage.Node{File: s.file, Symbol: i})
		}
		return nodes
	}
	if len(s.symbols) == 0 { // lines outside of any symbol belong to the file
		return []agenvantage.Node{{File: s.file, Symbol: -1}}
	}
	nodes := make([]agenvantage.Node, len(s.symbols))
	for i, symbol := range s.symbols {
		nodes[i] = agenvantage.Node{File: s.file, Symbol: symbol}
	}
	return nodes
}

// withInner adds the symbols inside of nodes, sorted.
func (n *navigator) withInner(nodes []agenvantage.Node) ([]agenvantage.Node, error) {
	in := nodeSet(nodes)
	out := slices.Clone(nodes)
	for _, node := range nodes {
		if node.Symbol < 0 {
			continue
		}
		x, err := n.corpus.Facts(node.File)
		if err != nil {
			return nil, err
		}
		for i := range x.Symbols {
			inner := agenvantage.Node{File: node.File, Symbol: i}
			if !in[inner] && x.Symbols[i].Parent >= 0 && in[agenvantage.Node{File: node.File, Symbol: x.Symbols[i].Parent}] { // parents come first
				in[inner] = true
				out = append(out, inner)
			}
		}
	}
	slices.SortFunc(out, compareNodes)
	return out, nil
}

func nodeSet(nodes []agenvantage.Node) map[agenvantage.Node]bool {
	in := make(map[agenvantage.Node]bool, len(nodes))
	for _, node := range nodes {
		in[node] = true
	}
	return in
}

func compareNodes(a, b agenvantage.Node) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Symbol, b.Symbol))
}

// item is a node as it is defined.
func (n *navigator) item(node agenvantage.Node) (NavigationItem, error) {
	x, err := n.corpus.Facts(node.File)
	if err != nil {
		return NavigationItem{}, err
	}
	item := NavigationItem{Path: n.corpus.Path(node.File), StartLine: 1, EndLine: 1, Kind: kindFile, node: node, test: n.isTest(node)}
	if node.Symbol >= 0 {
		sym := &x.Symbols[node.Symbol]
		item.StartLine, item.EndLine, item.Symbol, item.Kind = sym.NameLine, max(sym.NameLine, sym.Span.EndLine), sym.Qualified, string(sym.Kind)
	}
	return item, nil
}

// isTest reports whether a node is, or lies in, a test.
func (n *navigator) isTest(node agenvantage.Node) bool {
	if n.corpus.Class(node.File).Has(agenvantage.ClassTest) {
		return true
	}
	return n.graph != nil && node.Symbol >= 0 && slices.ContainsFunc(n.graph.Out(node), func(e agenvantage.Edge) bool { return e.Kind == agenvantage.EdgeTests })
}

// candidateItems are the places of an ambiguous location.
func (n *navigator) candidateItems(candidates []spot) ([]NavigationItem, error) {
	var items []NavigationItem
	for _, c := range candidates {
		node := agenvantage.Node{File: c.file, Symbol: -1}
		if len(c.symbols) > 0 {
			node.Symbol = c.symbols[0]
		}
		item, err := n.item(node)
		if err != nil {
			return nil, err
		}
		if err := n.hydrate(&item); err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	sortItems(items)
	return items, nil
}

// definitions lists what has the name.
func (n *navigator) definitions() ([]NavigationItem, error) {
	found, err := n.locateSymbol(strings.TrimSpace(n.request.Location))
	if err != nil {
		return nil, err
	}
	var items []NavigationItem
	for _, p := range found {
		item, err := n.item(agenvantage.Node{File: p.file, Symbol: p.symbols[0]})
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	sortItems(items)
	return items, nil
}

// sortItems is the total order of answers: what is nearer and surer first, then by place.
func sortItems(items []NavigationItem) {
	slices.SortStableFunc(items, func(a, b NavigationItem) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.EndLine, b.EndLine),
			cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Edge, b.Edge), cmp.Compare(a.Line, b.Line), cmp.Compare(a.node.Symbol, b.node.Symbol))
	})
}

// sites lists the places from which edges of some kinds lead to the subject, from outside of it.
func (n *navigator) sites(s spot, kinds []agenvantage.EdgeKind) ([]NavigationItem, error) {
	nodes := n.nodes(s)
	inside := nodeSet(nodes)
	var items []NavigationItem
	for _, node := range nodes {
		for _, e := range n.graph.In(node) {
			if !slices.Contains(kinds, e.Kind) || len(nodes) > 1 && inside[e.From] {
				continue
			}
			item, err := n.item(e.From)
			if err != nil {
				return nil, err
			}
			item.Edge, item.Confidence = string(e.Kind), e.Confidence.String()
			item.StartLine, item.EndLine = max(e.Line, 1), max(e.Line, 1)
			items = append(items, item)
		}
	}
	sortItems(items)
	return slices.CompactFunc(items, func(a, b NavigationItem) bool { return a == b }), nil
}

// callees lists what the subject, with what is inside of it, calls outside; each once, at its first call.
func (n *navigator) callees(s spot) ([]NavigationItem, error) {
	sources, err := n.withInner(n.nodes(s))
	if err != nil {
		return nil, err
	}
	inside := nodeSet(sources)
	first := map[agenvantage.Node]agenvantage.Edge{}
	for _, source := range sources {
		for _, e := range n.graph.Out(source) {
			if e.Kind != agenvantage.EdgeCalls || s.lines && !s.span.HasLine(e.Line) && len(s.symbols) == 0 {
				continue
			}
			if inside[e.To] && len(s.symbols) != 1 {
				continue
			}
			if old, ok := first[e.To]; !ok || e.Line < old.Line || e.Line == old.Line && e.Confidence > old.Confidence {
				first[e.To] = e
			}
		}
	}
	return n.ends(first, "")
}

// ends makes items of the nodes that edges lead to.
func (n *navigator) ends(edges map[agenvantage.Node]agenvantage.Edge, direction string) ([]NavigationItem, error) {
	var items []NavigationItem
	for node, e := range edges {
		item, err := n.item(node)
		if err != nil {
			return nil, err
		}
		item.Edge, item.Confidence, item.Line, item.Direction = string(e.Kind), e.Confidence.String(), e.Line, direction
		items = append(items, item)
	}
	sortItems(items)
	return items, nil
}

// arrival is how a walk came to a node.
type arrival struct {
	edge       agenvantage.Edge
	out        bool // along the edge
	depth      int
	confidence agenvantage.Confidence // the least sure edge of the way
}

// walk goes from nodes along edges of some kinds, breadth first, and says how it came to each node at first: of ways of one
// length the surer one counts, then the order of nodes and edges. Depth 0 sets no bound.
func (n *navigator) walk(from []agenvantage.Node, kinds []agenvantage.EdgeKind, forth, back bool, depth int) (map[agenvantage.Node]arrival, error) {
	came := map[agenvantage.Node]arrival{}
	for _, node := range from {
		came[node] = arrival{confidence: agenvantage.ByScope}
	}
	frontier := slices.Clone(from)
	slices.SortFunc(frontier, compareNodes)
	for d := 1; len(frontier) > 0 && (depth == 0 || d <= depth); d++ {
		if err := n.ctx.Err(); err != nil {
			return nil, err
		}
		var next []agenvantage.Node
		visit := func(at, to agenvantage.Node, e agenvantage.Edge, out bool) {
			if !slices.Contains(kinds, e.Kind) {
				return
			}
			a := arrival{edge: e, out: out, depth: d, confidence: min(e.Confidence, came[at].confidence)}
			old, known := came[to]
			if !known {
				next = append(next, to)
			}
			if !known || old.depth == d && a.confidence > old.confidence {
				came[to] = a
			}
		}
		for _, at := range frontier {
			if forth {
				for _, e := range n.graph.Out(at) {
					visit(at, e.To, e, true)
				}
			}
			if back {
				for _, e := range n.graph.In(at) {
					visit(at, e.From, e, false)
				}
			}
		}
		slices.SortFunc(next, compareNodes)
		frontier = next
	}
	for _, node := range from {
		delete(came, node)
	}
	return came, nil
}

// arrivals makes items of the nodes that a walk came to.
func (n *navigator) arrivals(came map[agenvantage.Node]arrival, keep func(agenvantage.Node) bool) ([]NavigationItem, error) {
	var items []NavigationItem
	for node, a := range came {
		if !keep(node) {
			continue
		}
		item, err := n.item(node)
		if err != nil {
			return nil, err
		}
		item.Edge, item.Confidence, item.Depth, item.Line = string(a.edge.Kind), a.confidence.String(), a.depth, a.edge.Line
		before := a.edge.To
		item.Direction = "in"
		if a.out {
			before, item.Direction = a.edge.From, "out"
		}
		if a.depth > 1 {
			via, err := n.item(before)
			if err != nil {
				return nil, err
			}
			item.Via = cmp.Or(via.Symbol, via.Path)
		}
		items = append(items, item)
	}
	sortItems(items)
	return items, nil
}

func (n *navigator) neighbors(s spot) ([]NavigationItem, error) {
	kinds := n.request.Edges
	if len(kinds) == 0 {
		kinds = slices.DeleteFunc(agenvantage.EdgeKinds(), func(k agenvantage.EdgeKind) bool { return k == agenvantage.EdgeDefines })
	}
	came, err := n.walk(n.nodes(s), kinds, true, true, cmp.Or(n.request.Depth, neighborsDepth))
	if err != nil {
		return nil, err
	}
	return n.arrivals(came, func(agenvantage.Node) bool { return true })
}

// leading finds what leads to the subject and what is inside of it, as impact and tests-for ask, and how far was looked. It
// walks once.
func (n *navigator) leading(s spot) (came map[agenvantage.Node]arrival, depth int, err error) {
	depth, kinds := n.request.Depth, impactKinds
	if n.request.Verb == VerbTestsFor {
		depth, kinds = cmp.Or(depth, testsDepth), testKinds
	}
	if n.came == nil {
		from, err := n.withInner(n.nodes(s))
		if err != nil {
			return nil, 0, err
		}
		if n.came, err = n.walk(from, kinds, false, true, depth); err != nil {
			return nil, 0, err
		}
	}
	return n.came, depth, nil
}

// impact lists what depends on the subject and what is inside of it; code before tests.
func (n *navigator) impact(s spot) ([]NavigationItem, error) {
	came, _, err := n.leading(s)
	if err != nil {
		return nil, err
	}
	items, err := n.arrivals(came, func(agenvantage.Node) bool { return true })
	for i := range items {
		items[i].Direction = ""
	}
	slices.SortStableFunc(items, func(a, b NavigationItem) int {
		switch {
		case a.test == b.test:
			return 0
		case b.test:
			return -1
		}
		return 1
	})
	return items, err
}
