package channels

import (
	"cmp"
	"context"
	"math"
	"slices"

	"agenvantage"
)

// FilePostings reads the lexical index by file.
type FilePostings interface {
	FileReader
	PostingsReader
}

// Constants of BM25 over whole files. A long text is asked of long documents: k1 and b are larger than for chunks, and a word
// that the text repeats counts little more than once.
const (
	wholeK1 = 2.0
	wholeB  = 0.9
	sparseB = 0.5 // names are few, and a large file has more of them
	queryK3 = 8.0
)

// WholeFiles ranks files by BM25 over their whole bodies, a list that a long task votes with beside those of chunks. size is
// a file's length in any unit. Hits have neither chunk nor symbol. Source of k1 and b: file-level runs on SWE-bench, where
// they beat those of chunks.
func WholeFiles(ctx context.Context, r FilePostings, size func(file uint32) int64, terms []agenvantage.Term) ([]agenvantage.Hit, error) {
	mean := meanSize(r, size)
	return rankFiles(ctx, r, FieldBody, terms, func(file uint32, frequency float64) float64 {
		return frequency * (wholeK1 + 1) / (frequency + wholeK1*(1-wholeB+wholeB*float64(size(file))/mean))
	})
}

// PathWords ranks files by the words of their paths that the terms hold, the rare ones first.
func PathWords(ctx context.Context, r FilePostings, terms []agenvantage.Term) ([]agenvantage.Hit, error) {
	return rankFiles(ctx, r, FieldPath, terms, func(uint32, float64) float64 { return 1 })
}

// SymbolWords ranks files by BM25 over the names of their symbols.
func SymbolWords(ctx context.Context, r FilePostings, size func(file uint32) int64, terms []agenvantage.Term) ([]agenvantage.Hit, error) {
	return sparse(ctx, r, FieldSymbol, size, terms)
}

// DocWords ranks files by BM25 over the doc comments of their symbols.
func DocWords(ctx context.Context, r FilePostings, size func(file uint32) int64, terms []agenvantage.Term) ([]agenvantage.Hit, error) {
	return sparse(ctx, r, FieldDoc, size, terms)
}

func sparse(ctx context.Context, r FilePostings, field string, size func(file uint32) int64, terms []agenvantage.Term) ([]agenvantage.Hit, error) {
	mean := meanSize(r, size)
	return rankFiles(ctx, r, field, terms, func(file uint32, frequency float64) float64 {
		return frequency * (wholeK1 + 1) / (frequency + wholeK1*(1-sparseB+sparseB*float64(size(file))/mean))
	})
}

// meanSize is the mean size of a file, at least 1.
func meanSize(r FileReader, size func(file uint32) int64) float64 {
	total := 0.0
	for f := range uint32(r.FileCount()) {
		total += float64(size(f))
	}
	return math.Max(1, total/float64(max(1, r.FileCount())))
}

// rankFiles sums, over terms, inverse file frequency times gain of the term's frequency in the file.
func rankFiles(ctx context.Context, r FilePostings, field string, terms []agenvantage.Term, gain func(file uint32, frequency float64) float64) ([]agenvantage.Hit, error) {
	scores, frequency := make([]float64, r.FileCount()), make([]float64, r.FileCount())
	var found, touched []uint32
	for _, t := range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := r.Postings(field, t.Text, func(doc uint32, freq, _ int) {
			if file, chunk := r.Locate(doc); chunk >= 0 {
				if frequency[file] == 0 {
					touched = append(touched, file)
				}
				frequency[file] += float64(freq)
			}
		})
		if err != nil {
			return nil, err
		}
		n, df := float64(r.FileCount()), float64(len(touched))
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		asked := float64(t.Count) * (queryK3 + 1) / (float64(t.Count) + queryK3)
		for _, file := range touched { // each file once: no sum depends on the order
			if scores[file] == 0 {
				found = append(found, file)
			}
			scores[file] += idf * asked * gain(file, frequency[file])
			frequency[file] = 0
		}
		touched = touched[:0]
	}
	hits := make([]agenvantage.Hit, 0, len(found))
	for _, file := range found {
		hits = append(hits, agenvantage.Hit{File: file, Chunk: -1, Symbol: -1, Score: scores[file]})
	}
	slices.SortFunc(hits, func(a, b agenvantage.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.File, b.File))
	})
	return hits, nil
}
