// Package vector searches vectors in memory: which of them are nearest to one that is asked for, and which chunks of a view they
// belong to. It owns no file and knows no model: vectors are given to it, from the store of package embed/store or from
// anywhere else, and are gone with the process.
//
// Read this file first, then flat.go, chromem.go and chunks.go.
package vector

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"agenvantage"
)

// Match is one vector with its nearness to the query.
type Match struct {
	Doc   uint32
	Score float32 // cosine, -1..1
}

// CompareMatches is the total order of matches: score descending, then doc.
func CompareMatches(a, b Match) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
}

// Index answers which vectors are nearest. It does not change once built and is safe for concurrent use. Engines differ in
// time and memory only: for the same vectors and the same question they give the same bytes.
type Index interface {
	// Search returns the k best of the vectors that allow lets through, fewer when there are fewer, in the order of
	// CompareMatches. A nil allow lets everything through; another one is called by several goroutines at the same time. The
	// query must have Dimensions finite numbers that are not all zero, and k must be positive: anything else is
	// agenvantage.ErrBadInput. The query need not be of length 1. An error of ctx is returned as soon as it is seen.
	Search(ctx context.Context, query []float32, k int, allow func(doc uint32) bool) ([]Match, error)
	// Len is the number of vectors.
	Len() int
	// Dimensions is the length of each of them.
	Dimensions() int
}

// Engine names a way to search.
type Engine string

// The engines. docs/adr/0023-vectors-in-memory.md has their measurements.
const (
	Flat    Engine = "flat"    // a scan of all of them (flat.go)
	Chromem Engine = "chromem" // philippgille/chromem-go in memory (chromem.go)

	// DefaultEngine is the one of an empty name: chromem takes 4 to 10 times the processor time of the scan, and the limit was 3.
	DefaultEngine = Flat
)

// Engines lists the names, the default first.
func Engines() []Engine { return []Engine{Flat, Chromem} }

// ParseEngine reads a name; "" is DefaultEngine.
func ParseEngine(name string) (Engine, error) {
	if name == "" {
		return DefaultEngine, nil
	}
	if e := Engine(name); slices.Contains(Engines(), e) {
		return e, nil
	}
	return "", fmt.Errorf("%w: vector engine %q, want one of %v", agenvantage.ErrBadInput, name, Engines())
}

// MaxDimensions bounds the length of a vector; no model known gives more than 8,192 numbers.
const MaxDimensions = 65536

// Builder collects vectors for an index. It is for one goroutine, and of no use after Build.
type Builder struct {
	rows   rows
	sorted bool
}

// rows is the vectors with their numbers. They lie where their owner has them, in the store's slab as a rule: one copy in memory.
type rows struct {
	dimensions int
	docs       []uint32
	vectors    [][]float32
}

// NewBuilder makes a builder for vectors of that many numbers. Capacity is how many are expected; more are accepted.
func NewBuilder(dimensions, capacity int) (*Builder, error) {
	if dimensions < 1 || dimensions > MaxDimensions {
		return nil, fmt.Errorf("%w: vectors of %d dimensions, want 1 to %d", agenvantage.ErrBadInput, dimensions, MaxDimensions)
	}
	capacity = max(capacity, 0)
	return &Builder{sorted: true, rows: rows{dimensions: dimensions, docs: make([]uint32, 0, capacity), vectors: make([][]float32, 0, capacity)}}, nil
}

// Add takes a vector, which must not be changed from then on. One of another dimension, with a number that is not finite, or
// of zeros is ErrBadInput; of one that is not of length 1 a copy that is is kept.
func (b *Builder) Add(doc uint32, v []float32) error {
	if err := b.rows.add(doc, v); err != nil {
		return fmt.Errorf("vector %d: %w", doc, err)
	}
	if n := len(b.rows.docs); n > 1 && b.rows.docs[n-2] >= doc {
		b.sorted = false
	}
	return nil
}

func (r *rows) add(doc uint32, v []float32) error {
	v, err := unit(v, r.dimensions)
	if err != nil {
		return err
	}
	r.docs, r.vectors = append(r.docs, doc), append(r.vectors, v)
	return nil
}

// Build makes the index. Two vectors of one number are ErrBadInput.
func (b *Builder) Build(engine Engine) (Index, error) {
	engine, err := ParseEngine(string(engine))
	if err != nil {
		return nil, err
	}
	if !b.sorted {
		docs := slices.Clone(b.rows.docs)
		slices.Sort(docs)
		for i := 1; i < len(docs); i++ {
			if docs[i-1] == docs[i] {
				return nil, fmt.Errorf("%w: two vectors have the number %d", agenvantage.ErrBadInput, docs[i])
			}
		}
	}
	if engine == Chromem {
		return newChromem(b.rows)
	}
	return newFlat(b.rows), nil
}

// unitTolerance is how far a length may be from 1 to be left alone, so that vectors that were normalised before keep their
// bytes. chromem-go has the same bound, and so never copies one of ours.
const unitTolerance = 1e-6

// lengthOf checks a vector and gives its length, 1 when it is as good as 1. The sum of squares runs in the order of the numbers.
func lengthOf(v []float32, dimensions int) (float64, error) {
	if len(v) != dimensions {
		return 0, fmt.Errorf("%w: %d dimensions, want %d", agenvantage.ErrBadInput, len(v), dimensions)
	}
	squares := 0.0
	for i, x := range v {
		f := float64(x)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, fmt.Errorf("%w: number %d is %v", agenvantage.ErrBadInput, i, x)
		}
		squares += float64(f * f) // the conversion forbids a fused multiply-add: the same bytes on every processor
	}
	if squares == 0 {
		return 0, fmt.Errorf("%w: all numbers are zero", agenvantage.ErrBadInput)
	}
	length := math.Sqrt(squares)
	if math.Abs(length-1) < unitTolerance {
		return 1, nil
	}
	return length, nil
}

// unit is v, or a copy of length 1.
func unit(v []float32, dimensions int) ([]float32, error) {
	length, err := lengthOf(v, dimensions)
	if err != nil || length == 1 {
		return v, err
	}
	v = slices.Clone(v)
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return v, nil
}

// unitQuery checks what Search was given and returns the query at length 1.
func unitQuery(query []float32, k, dimensions int) ([]float32, error) {
	if k < 1 {
		return nil, fmt.Errorf("%w: %d nearest vectors wanted, want 1 or more", agenvantage.ErrBadInput, k)
	}
	query, err := unit(query, dimensions)
	if err != nil {
		return nil, fmt.Errorf("query vector: %w", err)
	}
	return query, nil
}

// score is the cosine of two vectors of length 1 and of the same dimension. Eight sums run side by side, each in the order
// of the numbers, and are added in a fixed order; no product is fused with its sum. Rounding never takes it beyond 1.
func score(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	b = b[:len(a)]
	i := 0
	for ; i+8 <= len(a); i += 8 {
		x, y := a[i:i+8:i+8], b[i:i+8:i+8]
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
		s4 += float32(x[4] * y[4])
		s5 += float32(x[5] * y[5])
		s6 += float32(x[6] * y[6])
		s7 += float32(x[7] * y[7])
	}
	for ; i < len(a); i++ {
		s0 += float32(a[i] * b[i])
	}
	sum := ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
	return max(-1, min(1, sum))
}
