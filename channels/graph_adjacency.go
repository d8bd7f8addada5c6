package channels

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"agenvantage"
)

// LinksReader reads the stored edges. EachEdges visits the edges that lead out of every file, in no order; its calls may
// come from several goroutines, one for each file that has edges.
type LinksReader interface {
	FileCount() int
	SymbolCount(file uint32) int
	EachEdges(ctx context.Context, visit func(file uint32, edges []agenvantage.Edge)) error
}

// Adjacency is the code graph of one view, both ways, in compressed rows: 18 bytes for an edge. Nodes are numbered in the
// order of paths, each file before its symbols, so that comparing numbers is comparing by path and symbol. Edges of a node
// are in the order of the node at the other end, kind and line. It does not change and is safe for concurrent use.
type Adjacency struct {
	base []uint32 // file -> its node; symbol s of it is base + 1 + s; one more at the end

	outAt []uint32 // node -> first of its edges; one more at the end
	out   halves
	inAt  []uint32
	in    halves

	damp []float64 // node -> 1 / sqrt(number of its edges); 1 for none
}

// halves are edges seen from one end, column by column.
type halves struct {
	other []uint32 // the node at the other end
	line  []uint32 // in the file of the edge's From
	code  []uint8  // kind and confidence
}

// graphKinds are the kinds by their code, sorted.
var graphKinds = agenvantage.EdgeKinds()

func edgeCode(k agenvantage.EdgeKind, c agenvantage.Confidence) uint8 {
	i, _ := slices.BinarySearch(graphKinds, k)
	return uint8(i)<<2 | uint8(c)&3
}

func kindOfCode(code uint8) agenvantage.EdgeKind         { return graphKinds[code>>2] }
func confidenceOfCode(code uint8) agenvantage.Confidence { return agenvantage.Confidence(code & 3) }

// packedEdge is an edge by node numbers.
type packedEdge struct {
	from, to, line uint32
	code           uint8
}

func comparePacked(a, b packedEdge) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.code>>2, b.code>>2), cmp.Compare(a.line, b.line), cmp.Compare(b.code, a.code))
}

// NewAdjacency reads the whole graph.
func NewAdjacency(ctx context.Context, reader LinksReader) (*Adjacency, error) {
	files := reader.FileCount()
	a := &Adjacency{base: make([]uint32, files+1)}
	for f := range uint32(files) {
		a.base[f+1] = a.base[f] + 1 + uint32(reader.SymbolCount(f))
	}
	packed := make([][]packedEdge, files)
	err := reader.EachEdges(ctx, func(file uint32, edges []agenvantage.Edge) {
		list := make([]packedEdge, len(edges))
		for i, e := range edges {
			list[i] = packedEdge{a.Number(e.From), a.Number(e.To), uint32(e.Line), edgeCode(e.Kind, e.Confidence)}
		}
		slices.SortFunc(list, comparePacked)
		packed[file] = list
	})
	if err != nil {
		return nil, fmt.Errorf("read the graph: %w", err)
	}
	a.fill(packed)
	return a, nil
}

// fill makes the rows of lists that are sorted, and in the order of their files.
func (a *Adjacency) fill(packed [][]packedEdge) {
	nodes, edges := a.NodeCount(), 0
	for _, list := range packed {
		edges += len(list)
	}
	a.outAt, a.inAt = make([]uint32, nodes+1), make([]uint32, nodes+1)
	a.out, a.in = newHalves(edges), newHalves(edges)
	at := uint32(0)
	for _, list := range packed {
		for _, e := range list {
			a.out.set(at, e.to, e.line, e.code)
			at++
			a.outAt[e.from+1]++
			a.inAt[e.to+1]++
		}
	}
	for n := range nodes {
		a.outAt[n+1] += a.outAt[n]
		a.inAt[n+1] += a.inAt[n]
	}
	a.damp = make([]float64, nodes)
	for n := range uint32(nodes) {
		a.damp[n] = 1 / math.Sqrt(float64(max(1, a.degree(n))))
	}
	next := slices.Clone(a.inAt)
	for _, list := range packed {
		for _, e := range list {
			a.in.set(next[e.to], e.from, e.line, e.code)
			next[e.to]++
		}
	}
}

func newHalves(n int) halves {
	return halves{other: make([]uint32, n), line: make([]uint32, n), code: make([]uint8, n)}
}

func (h *halves) set(i, other, line uint32, code uint8) {
	h.other[i], h.line[i], h.code[i] = other, line, code
}

// NodeCount is the number of nodes.
func (a *Adjacency) NodeCount() int { return int(a.base[len(a.base)-1]) }

// EdgeCount is the number of edges.
func (a *Adjacency) EdgeCount() int { return len(a.out.other) }

// Number is the number of a node.
func (a *Adjacency) Number(n agenvantage.Node) uint32 {
	return uint32(int64(a.base[n.File]) + 1 + int64(n.Symbol))
}

// Node is the node with a number.
func (a *Adjacency) Node(number uint32) agenvantage.Node {
	f := sort.Search(len(a.base), func(i int) bool { return a.base[i] > number }) - 1
	return agenvantage.Node{File: uint32(f), Symbol: int(number) - int(a.base[f]) - 1}
}

// Out lists the edges that start at a node.
func (a *Adjacency) Out(n agenvantage.Node) []agenvantage.Edge {
	number := a.Number(n)
	edges := make([]agenvantage.Edge, 0, a.outAt[number+1]-a.outAt[number])
	for i := a.outAt[number]; i < a.outAt[number+1]; i++ {
		edges = append(edges, agenvantage.Edge{From: n, To: a.Node(a.out.other[i]), Kind: kindOfCode(a.out.code[i]), Line: int(a.out.line[i]), Confidence: confidenceOfCode(a.out.code[i])})
	}
	return edges
}

// In lists the edges that end at a node.
func (a *Adjacency) In(n agenvantage.Node) []agenvantage.Edge {
	number := a.Number(n)
	edges := make([]agenvantage.Edge, 0, a.inAt[number+1]-a.inAt[number])
	for i := a.inAt[number]; i < a.inAt[number+1]; i++ {
		edges = append(edges, agenvantage.Edge{From: a.Node(a.in.other[i]), To: n, Kind: kindOfCode(a.in.code[i]), Line: int(a.in.line[i]), Confidence: confidenceOfCode(a.in.code[i])})
	}
	return edges
}

// degree is the number of edges at a node, both ways.
func (a *Adjacency) degree(n uint32) int {
	return int(a.outAt[n+1] - a.outAt[n] + a.inAt[n+1] - a.inAt[n])
}
