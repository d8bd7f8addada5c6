package index

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"agenvantage"
	"agenvantage/index/meta"
)

// rankOf gives the rank of a file number.
func (v *View) rankOf() map[uint32]uint32 {
	v.ranks.Do(func() {
		v.rankByID = make(map[uint32]uint32, len(v.rows))
		for i := range v.rows {
			v.rankByID[v.rows[i].ID] = uint32(i)
		}
	})
	return v.rankByID
}

// SymbolCount is the number of symbols of a file.
func (v *View) SymbolCount(f uint32) int { return v.rows[f].Symbols }

// Links returns what leads out of a file: edges in the order of symbol, line, kind and target.
func (v *View) Links(f uint32) (Links, error) {
	stored, err := v.facts.Links(v.rows[f].ID)
	if err != nil {
		return Links{}, v.wrap(f, err)
	}
	l, err := v.withRanks(f, stored)
	slices.SortFunc(l.Edges, compareEdges)
	return l, err
}

// EachLinks visits the links of every file, edges in no order. Calls come from several goroutines, for files in no order.
func (v *View) EachLinks(ctx context.Context, visit func(f uint32, l Links)) error {
	files, blobs, err := v.facts.LinkBlobs()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), 8)
	for w := range workers {
		wait.Go(func() {
			for i := w; i < len(files) && ctx.Err() == nil; i += workers {
				f, ok := v.rankOf()[files[i]]
				if !ok {
					continue
				}
				stored, err := meta.DecodeLinks(files[i], blobs[i])
				if err == nil {
					var l Links
					if l, err = v.withRanks(f, stored); err == nil {
						visit(f, l)
						continue
					}
				}
				cancel(v.wrap(f, err))
				return
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// EachEdges is EachLinks for those who want the edges alone.
func (v *View) EachEdges(ctx context.Context, visit func(f uint32, edges []agenvantage.Edge)) error {
	return v.EachLinks(ctx, func(f uint32, l Links) { visit(f, l.Edges) })
}

// Named lists every definition with a simple name, in the order of file and symbol. The first call reads the names of all
// symbols.
func (v *View) Named(name string) ([]agenvantage.Node, error) {
	v.naming.Do(func() { v.names, v.namesFail = newNameIndex(v.rows, v.facts.EachName) })
	if v.namesFail != nil {
		return nil, v.namesFail
	}
	return v.names.named(name), nil
}

// LinkStats counts the edges, and the bytes that they take on disk.
func (v *View) LinkStats() (edges int, bytes int64, err error) { return v.facts.LinkStats() }

// compareEdges is the order of the edges of one file: from, line, kind, target, confidence, surer first.
func compareEdges(a, b agenvantage.Edge) int {
	return cmp.Or(cmp.Compare(a.From.File, b.From.File), cmp.Compare(a.From.Symbol, b.From.Symbol), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.To.File, b.To.File), cmp.Compare(a.To.Symbol, b.To.Symbol), cmp.Compare(b.Confidence, a.Confidence))
}

// withRanks turns the file numbers of stored links into ranks. An edge to a file that is not there is damage.
func (v *View) withRanks(f uint32, l meta.Links) (Links, error) {
	for i := range l.Edges {
		e := &l.Edges[i]
		e.From.File = f
		to, ok := v.rankOf()[e.To.File]
		if !ok || e.From.Symbol >= v.rows[f].Symbols || e.To.Symbol >= v.rows[to].Symbols {
			return Links{}, fmt.Errorf("%w: an edge of %q leads to symbol %d of file %d, which is not in the index", ErrCorrupt, v.rows[f].Path, e.To.Symbol, e.To.File)
		}
		e.To.File = to
	}
	return Links{Edges: l.Edges, Unresolved: l.Unresolved, Failure: l.Failure}, nil
}
