package channels

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"agenvantage"
)

// Weights of a step along an edge: from its start to its end, and back. They are an ordering of how much one end says about
// the other, not a measurement: what runs when the code runs comes before what mentions it, and the folding of a file into
// its symbols last. The gate keeps the channel off until a measurement of the whole speaks for it.
var stepWeights = map[agenvantage.EdgeKind][2]float64{
	agenvantage.EdgeCalls:      {1, 1},
	agenvantage.EdgeImplements: {0.9, 0.9},
	agenvantage.EdgeInherits:   {0.9, 0.9},
	agenvantage.EdgeRoutes:     {0.8, 0.8},
	agenvantage.EdgeReferences: {0.6, 0.5},
	agenvantage.EdgeConfigures: {0.4, 0.4},
	agenvantage.EdgeTests:      {0.3, 0.3},
	agenvantage.EdgeDefines:    {0.3, 0.4},
	agenvantage.EdgeDocuments:  {0.3, 0.2},
	agenvantage.EdgeImports:    {0.2, 0.1},
}

// confidenceWeights is by Confidence: an edge by its name alone goes to up to five targets, of which one is right.
var confidenceWeights = [4]float64{0, 0.2, 0.7, 1}

// stepTable is stepWeights and confidenceWeights by edge code.
var stepTable = sync.OnceValue(func() *[2][64]float64 {
	t := &[2][64]float64{}
	for i, k := range graphKinds {
		for c, weight := range confidenceWeights {
			for way := range 2 {
				t[way][i<<2|c] = stepWeights[k][way] * weight
			}
		}
	}
	return t
})

// step leads from a node to another, along the edge of its code or back.
type step struct {
	to     uint32
	weight float64
	code   uint8
	forth  bool
}

// steps appends the steps that lead from a node, in a fixed order: along its edges, then back along those that end there.
// Edges of one kind between the same two nodes are one step. Its weight is
//
//	kind * confidence * sqrt(number of edges) / sqrt(degree of the node it leads to)
//
// The root of the number is aider's; the root of the degree keeps what everything uses (a logger, an error type) from drawing
// in the rank of all of it, as the symmetric normalisation of spectral methods does.
func (a *Adjacency) steps(list []step, n uint32) []step {
	table := stepTable()
	walk := func(h *halves, from, end uint32, weights *[64]float64, forth bool) {
		for i := from; i < end; {
			other, best, many := h.other[i], h.code[i], 0
			for kind := best >> 2; i < end && h.other[i] == other && h.code[i]>>2 == kind; i++ {
				best = max(best, h.code[i])
				many++
			}
			w := weights[best]
			if w == 0 || other == n {
				continue
			}
			if many > 1 {
				w *= math.Sqrt(float64(many))
			}
			list = append(list, step{other, w * a.damp[other], best, forth})
		}
	}
	walk(&a.out, a.outAt[n], a.outAt[n+1], &table[0], true)
	walk(&a.in, a.inAt[n], a.inAt[n+1], &table[1], false)
	return list
}

// graphSeed is where a walk begins. Weights are positive.
type graphSeed struct {
	node   uint32
	weight float64
	why    string
}

// ranked is a node with its rank.
type ranked struct {
	rank float64
	node uint32
}

// before is the order of nodes: by rank descending, then by path and symbol.
func (r ranked) before(o ranked) bool { return r.rank > o.rank || r.rank == o.rank && r.node < o.node }

func compareRanked(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.node, b.node))
}

// origin is the step by which most of a node's rank came first.
type origin struct {
	share float64
	from  uint32 // the node before, the node itself for a seed
	round int32  // in which it was reached first, from 2; 1 for a seed, 0 for a node that was not reached
	code  uint8
	forth bool
}

// walk is the state of one personalised PageRank: vectors with one entry for each node, of which those of the listed nodes
// alone are not zero.
type walk struct {
	rank, next []float64
	came       []origin
	touched    []uint32 // nodes with a rank, in the order in which they got it
	fresh      []uint32 // the same of next
	reached    []uint32 // nodes with an origin
	round      int32
	buffer     []step
	heap       []ranked
}

func newWalk(nodes int) *walk {
	return &walk{rank: make([]float64, nodes), next: make([]float64, nodes), came: make([]origin, nodes)}
}

// clear makes the walk as new.
func (w *walk) clear() {
	for _, n := range w.touched {
		w.rank[n] = 0
	}
	for _, n := range w.fresh {
		w.next[n] = 0
	}
	for _, n := range w.reached {
		w.came[n] = origin{}
	}
	w.touched, w.fresh, w.reached, w.round = w.touched[:0], w.fresh[:0], w.reached[:0], 0
}

// propagate ranks nodes by personalised PageRank (Page, Brin, Motwani and Winograd, The PageRank Citation Ranking, 1999,
// section 6) with a fixed number of rounds:
//
//	rank_0 = (1 - damping) * s      rank_t+1 = (1 - damping) * s + damping * (rank_t spread over the steps of each node)
//
// where s is the seeds' weights, scaled to a sum of 1, and a node without steps gives its rank back to s. It is the sum of the
// first terms of the series that PageRank is, 1 - damping^(rounds+1) in all: beginning with s itself would give what is
// exactly as many steps away as there are rounds more than what the question names. Few rounds suffice: for finding the
// files of issues 1, 2, 3 and 10 are published with 67.4 to 67.6 right of 100.
//
// At most maxSteps edges are looked at in each round, from the nodes of the highest rank first; the rank of the others stays
// where it is, and covered is the part of all rank that could go on, at its lowest. Additions are in an order that the seeds
// and the graph alone decide, so that the same graph and seeds give the same bits. The ranks are those of w.touched; the
// caller clears w, whose seeds must be distinct nodes.
func (a *Adjacency) propagate(ctx context.Context, w *walk, seeds []graphSeed, damping float64, iterations, maxSteps int) (covered float64, err error) {
	total := 0.0
	for _, s := range seeds {
		total += s.weight
	}
	w.round = 1
	for _, s := range seeds {
		w.add(s.node, (1-damping)*s.weight/total)
		w.comes(s.node, origin{share: s.weight, from: s.node})
	}
	w.turn()
	covered = 1
	for range iterations {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		covered = min(covered, a.spreadAll(w, seeds, total, damping, maxSteps))
	}
	return covered, nil
}

// turn makes next the rank.
func (w *walk) turn() {
	for _, n := range w.touched {
		w.rank[n] = 0
	}
	for _, n := range w.fresh {
		w.rank[n], w.next[n] = w.next[n], 0
	}
	w.touched, w.fresh = w.fresh, w.touched[:0]
}

// spreadAll makes the next rank and returns the part of the present one that went on.
func (a *Adjacency) spreadAll(w *walk, seeds []graphSeed, total, damping float64, maxSteps int) (covered float64) {
	w.round++
	least, covered := a.walkers(w, maxSteps)
	back := 0.0
	for _, n := range w.touched {
		mass := damping * w.rank[n]
		if r := (ranked{w.rank[n], n}); least.before(r) || a.degree(n) > maxSteps {
			w.add(n, mass)
			continue
		}
		back += a.spread(w, n, mass)
	}
	for _, s := range seeds {
		w.add(s.node, ((1-damping)+back)*s.weight/total)
	}
	w.turn()
	return covered
}

// walkers finds the last node, in the order of their ranks, whose rank goes on, and how much of all rank does. Nodes with
// more edges than maxSteps never go on and do not stop those behind them.
func (a *Adjacency) walkers(w *walk, maxSteps int) (least ranked, covered float64) {
	edges, all := 0, 0.0
	for _, n := range w.touched {
		if d := a.degree(n); d <= maxSteps {
			edges += d
		}
		all += w.rank[n]
	}
	w.heap = w.heap[:0]
	for _, n := range w.touched {
		w.heap = append(w.heap, ranked{w.rank[n], n})
	}
	least, goes := ranked{rank: math.Inf(1)}, 0.0
	if edges <= maxSteps { // all of them
		least = ranked{rank: -1}
		for _, r := range w.heap {
			if a.degree(r.node) <= maxSteps {
				goes += r.rank
			}
		}
	} else {
		heapify(w.heap)
		for left := maxSteps; len(w.heap) > 0; {
			r := popBest(&w.heap)
			d := a.degree(r.node)
			if d > maxSteps {
				continue
			}
			if left -= d; left < 0 {
				break
			}
			least, goes = r, goes+r.rank
		}
	}
	if all == 0 || goes >= all*(1-1e-12) {
		return least, 1
	}
	return least, goes / all
}

// spread sends mass along the steps of a node; without any it is returned.
func (a *Adjacency) spread(w *walk, n uint32, mass float64) (back float64) {
	w.buffer = a.steps(w.buffer[:0], n)
	sum := 0.0
	for i := range w.buffer {
		sum += w.buffer[i].weight
	}
	if sum == 0 {
		return mass
	}
	for i := range w.buffer {
		s := &w.buffer[i]
		share := mass * s.weight / sum
		w.add(s.to, share)
		w.comes(s.to, origin{share: share, from: n, code: s.code, forth: s.forth})
	}
	return 0
}

// comes notes how a node was reached: in the first round that reached it the largest share tells, and of equals the first.
func (w *walk) comes(n uint32, o origin) {
	old := &w.came[n]
	switch {
	case old.round == 0:
		w.reached = append(w.reached, n)
	case old.round != w.round || old.share >= o.share:
		return
	}
	o.round = w.round
	*old = o
}

func (w *walk) add(n uint32, mass float64) {
	if mass <= 0 {
		return
	}
	if w.next[n] == 0 {
		w.fresh = append(w.fresh, n)
	}
	w.next[n] += mass
}

// best lists the nodes with a rank that keep lets through, best first, at most limit of them, and how many there are.
func (w *walk) best(limit int, keep func(node uint32) bool) (list []ranked, count int) {
	w.heap = w.heap[:0]
	for _, n := range w.touched {
		if keep == nil || keep(n) {
			w.heap = append(w.heap, ranked{w.rank[n], n})
		}
	}
	count = len(w.heap)
	if count <= limit {
		list = slices.Clone(w.heap)
		slices.SortFunc(list, compareRanked)
		return list, count
	}
	heapify(w.heap)
	for range limit {
		list = append(list, popBest(&w.heap))
	}
	return list, count
}

// heapify puts the best in front of its children, and so on.
func heapify(h []ranked) {
	for i := len(h)/2 - 1; i >= 0; i-- {
		siftDown(h, i)
	}
}

func siftDown(h []ranked, i int) {
	for {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].before(h[first]) {
				first = child
			}
		}
		if first == i {
			return
		}
		h[i], h[first] = h[first], h[i]
		i = first
	}
}

// popBest takes the best off.
func popBest(h *[]ranked) ranked {
	list := *h
	top, last := list[0], len(list)-1
	list[0] = list[last]
	*h = list[:last]
	siftDown(*h, 0)
	return top
}
