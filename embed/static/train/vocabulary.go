package train

import (
	"cmp"
	"slices"

	"agenvantage/embed/static"
	"agenvantage/embed/static/corpus"
)

// countEvery is which pair of a package is counted for the vocabulary: one of so many.
const countEvery = 3

// pieceCount is how often a piece stands in the pairs that were counted.
type pieceCount struct {
	count    uint32
	packages uint16
	last     uint16 // package that it was last seen in, by number
	joined   bool
}

// counter collects pieces for the vocabulary. The spelling of a piece is kept once it has been seen in enough packages.
type counter struct {
	pieces    map[uint64]pieceCount
	spellings map[uint64]string
	buffer    []static.Piece
}

func (c *counter) add(text string, pkg uint16) {
	c.buffer = static.AppendPieces(c.buffer[:0], text)
	for _, p := range c.buffer {
		e := c.pieces[p.Hash]
		if e.count == 0 {
			e.joined, e.last, e.packages = p.Joined, pkg, 1
		} else if e.last != pkg {
			e.last = pkg
			e.packages++
			if e.packages == leastPackages {
				c.spellings[p.Hash] = p.Spelling(text)
			}
		}
		e.joined = e.joined && p.Joined
		e.count++
		c.pieces[p.Hash] = e
	}
}

// leastPackages is in how many packages a piece must stand to have a row: words of one package help nowhere else.
const leastPackages = 3

// chooseVocabulary counts the pieces of all pairs that each gives and returns the spellings of those that get a row,
// sorted: the pieces that stand in most packages, ties broken by count, then by hash. each calls its function for the
// pairs of one package after another.
func chooseVocabulary(c Config, each func(do func(pkg int, p *corpus.Pair)) error) ([]string, error) {
	count := counter{pieces: map[uint64]pieceCount{}, spellings: map[uint64]string{}}
	n := 0
	err := each(func(pkg int, p *corpus.Pair) {
		if n++; n%countEvery == 0 {
			for _, text := range []string{p.Query, p.Path, p.Name, p.Body} {
				count.add(text, uint16(pkg))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	type candidate struct {
		hash uint64
		pieceCount
	}
	var single, joined []candidate
	for h, e := range count.pieces {
		if e.packages < leastPackages {
			continue
		}
		if e.joined {
			joined = append(joined, candidate{h, e})
		} else {
			single = append(single, candidate{h, e})
		}
	}
	order := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.packages, a.packages), cmp.Compare(b.count, a.count), cmp.Compare(a.hash, b.hash))
	}
	slices.SortFunc(single, order)
	slices.SortFunc(joined, order)
	joined = joined[:min(len(joined), c.Joined)]
	single = single[:min(len(single), c.Pieces-len(joined))]
	var out []string
	for _, e := range append(single, joined...) {
		out = append(out, count.spellings[e.hash])
	}
	slices.Sort(out)
	return out, nil
}
