package vector

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"agenvantage"
)

// Hash names what a chunk says; chunks that say the same have the same one, wherever they are.
type Hash = [16]byte

// Places is where each distinct chunk of a view is. It does not change once made.
type Places struct {
	hashes []Hash   // each once, in the order of their first places; the place in here is its number
	first  []uint32 // by number: where its places begin in at; one more at the end
	at     []place  // by number, then in the order of file and chunk
	chunks []int    // by file: how many it has
}

type place struct {
	file  uint32
	chunk uint32
}

// NewPlaces reads the chunk hashes of a view: by file, in the order of its chunks.
func NewPlaces(files [][]Hash) *Places {
	total := 0
	p := &Places{chunks: make([]int, len(files))}
	for file, hashes := range files {
		p.chunks[file] = len(hashes)
		total += len(hashes)
	}
	number := make(map[Hash]uint32, total)
	numbers, count := make([]uint32, 0, total), []uint32(nil)
	for _, hashes := range files {
		for _, hash := range hashes {
			n, known := number[hash]
			if !known {
				n = uint32(len(p.hashes))
				number[hash] = n
				p.hashes, count = append(p.hashes, hash), append(count, 0)
			}
			numbers = append(numbers, n)
			count[n]++
		}
	}
	p.first = make([]uint32, len(p.hashes)+1)
	for n, c := range count {
		p.first[n+1] = p.first[n] + c
	}
	p.at = make([]place, total)
	next := slices.Clone(p.first)
	for file, hashes := range files {
		for chunk := range hashes {
			n := numbers[0]
			numbers = numbers[1:]
			p.at[next[n]] = place{uint32(file), uint32(chunk)}
			next[n]++
		}
	}
	return p
}

// Hashes lists each distinct hash once, in the order of path and line of their first places. It must not be changed.
func (p *Places) Hashes() []Hash { return p.hashes }

// of lists the places of a hash in the order of path and line.
func (p *Places) of(doc uint32) []place { return p.at[p.first[doc]:p.first[doc+1]] }

// Loader reads vectors: at gives that of the hash number i of the wanted ones, nil when it has none. What it gives is kept and must not
// change. Wanted is never empty.
type Loader func(ctx context.Context, wanted []Hash) (at func(i int) []float32, err error)

// LoadOptions say how vectors are held.
type LoadOptions struct {
	Engine     Engine // "" is DefaultEngine
	Dimensions int    // of the model: a vector of another length is an error
	// Previous is of an older generation and the same model: what it holds is shared and not asked for again. It may be nil. Memory
	// that vectors were read into together is free when none of them is used any more.
	Previous *Chunks
}

// Chunks is the vectors of a view's chunks. It is safe for concurrent use and does not change.
type Chunks struct {
	places *Places
	index  Index
	vector map[Hash][]float32
	have   []int // by file: how many of its chunks have a vector
}

// Load gathers the vectors of the places in memory.
func Load(ctx context.Context, p *Places, load Loader, o LoadOptions) (*Chunks, error) {
	b, err := NewBuilder(o.Dimensions, len(p.hashes))
	if err != nil {
		return nil, err
	}
	c := &Chunks{places: p, vector: make(map[Hash][]float32, len(p.hashes)), have: make([]int, len(p.chunks))}
	take := func(n uint32, v []float32) error {
		if err := b.Add(n, v); err != nil {
			return fmt.Errorf("chunk %x: %w", p.hashes[n], err)
		}
		c.vector[p.hashes[n]] = b.rows.vectors[len(b.rows.vectors)-1]
		for _, at := range p.of(n) {
			c.have[at.file]++
		}
		return nil
	}
	var wanted []Hash
	var numbers []uint32 // beside wanted
	for n, hash := range p.hashes {
		if v := o.Previous.vectorOf(hash, o.Dimensions); v == nil {
			wanted, numbers = append(wanted, hash), append(numbers, uint32(n))
		} else if err := take(uint32(n), v); err != nil {
			return nil, err
		}
	}
	if len(wanted) > 0 {
		at, err := load(ctx, wanted)
		if err != nil {
			return nil, fmt.Errorf("load vectors: %w", err)
		}
		for i, n := range numbers {
			if v := at(i); v != nil {
				if err := take(n, v); err != nil {
					return nil, err
				}
			}
		}
	}
	if c.index, err = b.Build(o.Engine); err != nil {
		return nil, err
	}
	return c, nil
}

// vectorOf is what c holds of a hash, nil when it holds none of that many dimensions.
func (c *Chunks) vectorOf(hash Hash, dimensions int) []float32 {
	if c == nil || c.index.Dimensions() != dimensions {
		return nil
	}
	return c.vector[hash]
}

// Len is the number of vectors: chunks that say the same share one.
func (c *Chunks) Len() int { return c.index.Len() }

// Covered counts the chunks of the files that in lets through, nil for all, and those of them that have a vector.
func (c *Chunks) Covered(_ context.Context, in func(file uint32) bool) (have, all int, err error) {
	for file, n := range c.places.chunks {
		if in == nil || in(uint32(file)) {
			have, all = have+c.have[file], all+n
		}
	}
	return have, all, nil
}

// Nearest lists the k chunks nearest to the query among those that allow lets through, fewer when there are fewer, by
// score descending, then file, then chunk. A chunk that is in several places comes once for each that is allowed. Of a hit
// File, Chunk and Score are set, and Symbol is -1. Allow may be nil, and is called by several goroutines at the same time. What
// is refused is as in Index.Search.
func (c *Chunks) Nearest(ctx context.Context, query []float32, k int, allow func(file uint32, chunk int) bool) ([]agenvantage.Hit, error) {
	var docs func(doc uint32) bool
	if allow != nil {
		docs = func(doc uint32) bool {
			return slices.ContainsFunc(c.places.of(doc), func(at place) bool { return allow(at.file, int(at.chunk)) })
		}
	}
	if k < 1 {
		return nil, fmt.Errorf("%w: %d nearest chunks wanted, want 1 or more", agenvantage.ErrBadInput, k)
	}
	k = min(k, len(c.places.at))
	// Vectors that are equally near are ordered by where their chunks are, which the index does not know: one more is asked
	// for, and more than that while the last one is as near as the k-th hit.
	for ask := k + 1; ; ask *= 2 {
		matches, err := c.index.Search(ctx, query, ask, docs)
		if err != nil {
			return nil, err
		}
		hits := c.hits(matches, allow)
		if len(matches) < ask || len(matches) == c.index.Len() || float64(matches[ask-1].Score) < hits[k-1].Score {
			return hits[:min(len(hits), k)], nil
		}
	}
}

// hits are the allowed places of the matches, in order.
func (c *Chunks) hits(matches []Match, allow func(file uint32, chunk int) bool) []agenvantage.Hit {
	hits := make([]agenvantage.Hit, 0, len(matches))
	for _, m := range matches {
		for _, at := range c.places.of(m.Doc) {
			if allow == nil || allow(at.file, int(at.chunk)) {
				hits = append(hits, agenvantage.Hit{File: at.file, Chunk: int(at.chunk), Symbol: -1, Score: float64(m.Score)})
			}
		}
	}
	slices.SortFunc(hits, func(a, b agenvantage.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File), cmp.Compare(a.Chunk, b.Chunk))
	})
	return hits
}
