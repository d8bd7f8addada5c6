package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"agenvantage"
	"agenvantage/index/meta"
)

// linkCorpus is the state that an update is about to commit.
type linkCorpus struct {
	rows  []meta.FileRow // by path
	facts *meta.Writer
	names *nameIndex
}

func (c *linkCorpus) FileCount() int                   { return len(c.rows) }
func (c *linkCorpus) Path(f uint32) string             { return c.rows[f].Path }
func (c *linkCorpus) Lang(f uint32) string             { return c.rows[f].Lang }
func (c *linkCorpus) Class(f uint32) agenvantage.Class { return c.rows[f].Class }
func (c *linkCorpus) Find(path string) (uint32, bool) {
	i, ok := slices.BinarySearchFunc(c.rows, path, func(r meta.FileRow, p string) int { return cmp.Compare(r.Path, p) })
	return uint32(i), ok
}
func (c *linkCorpus) Facts(f uint32) (*agenvantage.Extraction, error) {
	return c.facts.Facts(c.rows[f].ID)
}
func (c *linkCorpus) Uses(f uint32) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	return c.facts.Uses(c.rows[f].ID)
}
func (c *linkCorpus) Text(f uint32) (string, error) { return c.facts.Text(c.rows[f].ID) }
func (c *linkCorpus) Named(name string) ([]agenvantage.Node, error) {
	return c.names.named(name), nil
}

// pausable is a linkCorpus that an abandoned resolver can no longer read, so that it ends soon and never meets a closed store.
type pausable struct {
	*linkCorpus
	mu      sync.RWMutex
	stopped bool
}

var errStopped = fmt.Errorf("resolution was given up: %w", context.DeadlineExceeded)

func (p *pausable) stop() {
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
}

// reading runs a read unless the corpus is stopped.
func reading[T any](p *pausable, read func() (T, error)) (v T, err error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.stopped {
		return v, errStopped
	}
	return read()
}

func (p *pausable) Facts(f uint32) (*agenvantage.Extraction, error) {
	return reading(p, func() (*agenvantage.Extraction, error) { return p.linkCorpus.Facts(f) })
}
func (p *pausable) Uses(f uint32) (refs []agenvantage.Reference, bindings []agenvantage.Binding, err error) {
	refs, err = reading(p, func() (r []agenvantage.Reference, err error) { r, bindings, err = p.linkCorpus.Uses(f); return r, err })
	return refs, bindings, err
}
func (p *pausable) Text(f uint32) (string, error) {
	return reading(p, func() (string, error) { return p.linkCorpus.Text(f) })
}

// nameIndex finds the definitions of a simple name: entries sorted by the name's hash, file and symbol.
type nameIndex struct{ entries []nameEntry }

type nameEntry struct {
	hash         uint64
	file, symbol uint32
}

// newNameIndex reads the names of rows; each visits those of all file numbers.
func newNameIndex(rows []meta.FileRow, each func(visit func(file uint32, symbol int, hash uint64)) error) (*nameIndex, error) {
	rank, symbols := make(map[uint32]uint32, len(rows)), 0
	for i := range rows {
		rank[rows[i].ID] = uint32(i)
		symbols += rows[i].Symbols
	}
	x := &nameIndex{entries: make([]nameEntry, 0, symbols)}
	file, at, known := ^uint32(0), uint32(0), false
	err := each(func(f uint32, symbol int, hash uint64) {
		if f != file {
			file = f
			at, known = rank[f]
		}
		if known {
			x.entries = append(x.entries, nameEntry{hash, at, uint32(symbol)})
		}
	})
	slices.SortFunc(x.entries, func(a, b nameEntry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.file, b.file), cmp.Compare(a.symbol, b.symbol))
	})
	return x, err
}

// named lists the definitions of a name in the order of file and symbol.
func (x *nameIndex) named(name string) []agenvantage.Node {
	hash := meta.NameHash(name)
	i, _ := slices.BinarySearchFunc(x.entries, hash, func(e nameEntry, h uint64) int { return cmp.Compare(e.hash, h) })
	var nodes []agenvantage.Node
	for ; i < len(x.entries) && x.entries[i].hash == hash; i++ {
		nodes = append(nodes, agenvantage.Node{File: x.entries[i].file, Symbol: int(x.entries[i].symbol)})
	}
	return nodes
}
