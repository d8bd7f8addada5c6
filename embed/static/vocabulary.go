package static

import (
	"fmt"
	"math"
	"strings"

	"agenvantage"
)

// Vocabulary maps pieces to rows: the known pieces in the order of their spelling, then the buckets of n-grams. It does not
// change after NewVocabulary and is safe for concurrent use.
type Vocabulary struct {
	spellings []string
	buckets   uint32
	keys      []uint64 // open addressing; 0 is free
	rows      []uint32
	mask      uint64
}

// NewVocabulary makes the vocabulary of spellings, which must be sorted, different and not empty, and of n-gram buckets.
func NewVocabulary(spellings []string, buckets int) (*Vocabulary, error) {
	if buckets < 1 || len(spellings)+buckets > maxRows {
		return nil, fmt.Errorf("vocabulary of %d pieces and %d buckets: %w", len(spellings), buckets, agenvantage.ErrBadInput)
	}
	size := 1
	for size < 2*len(spellings)+2 {
		size *= 2
	}
	v := &Vocabulary{spellings: spellings, buckets: uint32(buckets), keys: make([]uint64, size), rows: make([]uint32, size), mask: uint64(size - 1)}
	for row, s := range spellings {
		if s == "" || row > 0 && spellings[row-1] >= s {
			return nil, fmt.Errorf("vocabulary: piece %d is empty or not in order: %w", row, agenvantage.ErrBadInput)
		}
		h := tableKey(HashSpelling(s))
		at := h & v.mask
		for v.keys[at] != 0 {
			if v.keys[at] == h {
				return nil, fmt.Errorf("vocabulary: two pieces share a hash, one is %q: %w", s, agenvantage.ErrBadInput)
			}
			at = (at + 1) & v.mask
		}
		v.keys[at], v.rows[at] = h, uint32(row)
	}
	return v, nil
}

// maxRows bounds a vocabulary: rows fit into 16 bits where pairs are kept for training.
const maxRows = 1 << 16

// tableKey spreads a hash over the table; 0 is kept for free places.
func tableKey(h uint64) uint64 {
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 29
	if h == 0 {
		return 1
	}
	return h
}

// Rows is the number of rows, buckets included.
func (v *Vocabulary) Rows() int { return len(v.spellings) + int(v.buckets) }

// Pieces is the number of known pieces.
func (v *Vocabulary) Pieces() int { return len(v.spellings) }

// Spellings lists the known pieces in the order of their rows. The slice is the vocabulary's own.
func (v *Vocabulary) Spellings() []string { return v.spellings }

// Row returns the row of a piece's hash.
func (v *Vocabulary) Row(hash uint64) (row int, known bool) {
	h := tableKey(hash)
	for at := h & v.mask; v.keys[at] != 0; at = (at + 1) & v.mask {
		if v.keys[at] == h {
			return int(v.rows[at]), true
		}
	}
	return 0, false
}

// Bag counts the rows of a text. The zero value is not usable; NewBag makes one. It is not safe for concurrent use.
type Bag struct {
	vocabulary *Vocabulary
	counts     []float32 // by row; 0 for rows that do not occur
	touched    []uint32  // rows in the order of their first occurrence
	pieces     []Piece
}

// NewBag returns an empty bag for v.
func NewBag(v *Vocabulary) *Bag { return &Bag{vocabulary: v, counts: make([]float32, v.Rows())} }

// Reset empties the bag.
func (b *Bag) Reset() {
	for _, row := range b.touched {
		b.counts[row] = 0
	}
	b.touched = b.touched[:0]
}

// Add counts the pieces of text, each as weight occurrences. An unknown part counts once in all, spread over its n-grams.
func (b *Bag) Add(text string, weight float32) {
	var grams [maxGrams]uint32
	for len(text) > 0 {
		run := text
		if len(run) > maxRunBytes { // keeps the list of pieces small
			run = run[:maxRunBytes]
		}
		b.pieces = AppendPieces(b.pieces[:0], run)
		for _, p := range b.pieces {
			if row, known := b.vocabulary.Row(p.Hash); known {
				b.count(uint32(row), weight)
				continue
			}
			if p.Joined || p.End-p.Start < shortestGram {
				continue
			}
			n := ngrams(&grams, run, int(p.Start), int(p.End), b.vocabulary.buckets)
			share := weight / float32(n)
			for _, g := range grams[:n] {
				b.count(uint32(len(b.vocabulary.spellings))+g, share)
			}
		}
		text = text[len(run):]
	}
}

const maxRunBytes = 1 << 14

func (b *Bag) count(row uint32, weight float32) {
	if b.counts[row] == 0 {
		b.touched = append(b.touched, row)
	}
	b.counts[row] += weight
}

// Rows returns the rows of the bag in the order of their first occurrence. The slice is the bag's own.
func (b *Bag) Rows() []uint32 { return b.touched }

// Weight is the weight of a row for its occurrences: 1 + ln(count) from one on, below that the count itself.
func (b *Bag) Weight(row uint32) float32 { return saturate(b.counts[row]) }

// saturate is 1 + ln(count) for a count from 1 on and the count itself below, where both have the same slope.
func saturate(count float32) float32 {
	if count < 1 {
		return count
	}
	if k := int(count * 4); float32(k) == count*4 && k < len(saturation) {
		return saturation[k]
	}
	return 1 + float32(math.Log(float64(count)))
}

// saturation holds saturate of quarters.
var saturation = func() (table [512]float32) {
	for k := 4; k < len(table); k++ {
		table[k] = 1 + float32(math.Log(float64(k)/4))
	}
	return table
}()

// joinSpellings and splitSpellings are the form of the spellings in a file.
func joinSpellings(s []string) string { return strings.Join(s, "\n") }

func splitSpellings(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
