// Package channels holds the retrieval channels: each turns one question into one ranked list of hits, alone. It declares
// the small readers that it needs; a pinned view of the index satisfies them. Channels apply every filter before they
// cut their list, bound their work by counts (never by time, so that an answer is repeatable), and order hits by
// agenvantage.CompareHits. They open nothing and combine nothing: that is fusion's part.
//
// Read this file first, then run.go, scope.go, bm25f.go and exact.go.
package channels

import (
	"context"

	"agenvantage"
)

// Fields of the lexical index. The first five hold tokens of package analysis, one document for each chunk; the body
// field holds those of every line of the chunk. Name holds analysis.Normalise of the simple and of the qualified name
// of each symbol of the chunk, kind the kinds of the chunk and of its symbols.
const (
	FieldPath      = "path"
	FieldSymbol    = "symbol"
	FieldSignature = "signature"
	FieldDoc       = "doc"
	FieldBody      = "body"
	FieldName      = "name"
	FieldKind      = "kind"
)

// FileReader reads facts of files. A file is named by the rank of its path among the indexed paths, sorted by bytes.
type FileReader interface {
	FileCount() int
	Path(file uint32) string
	Lang(file uint32) string
	Class(file uint32) agenvantage.Class
}

// PostingsReader reads the lexical index. Documents are chunks; their numbers are below DocBound and have no order.
// Postings visits live documents only, each once; freq and fieldLen (in tokens) are at least 1. Locate gives chunk -1 when
// it fails.
type PostingsReader interface {
	DocBound() int
	ChunkCount() int
	FieldTokens(field string) uint64
	Postings(field, term string, visit func(doc uint32, freq int, fieldLen int)) error
	Locate(doc uint32) (file uint32, chunk int)
}

// FactsReader reads the chunks and symbols of a file. What it returns must not be changed.
type FactsReader interface {
	Facts(file uint32) (*agenvantage.Extraction, error)
}

// Request is one question to a channel.
type Request struct {
	Query  agenvantage.Query
	Filter agenvantage.Filter // Kinds are read from here; paths and languages from Scope
	Scope  *Scope             // nil means all files
	Limit  int                // most hits wanted; 0 means DefaultLimit
}

// DefaultLimit is the length of a list when the request does not say.
const DefaultLimit = 100

func (r Request) limit() int {
	if r.Limit <= 0 {
		return DefaultLimit
	}
	return r.Limit
}

// List is the answer of a channel, in the order of agenvantage.CompareHits.
type List struct {
	Hits    []agenvantage.Hit
	Covered float64 // share of what should have been looked at that was: 1 is all of it
	Dropped int     // hits known beyond the limit
	Off     bool    // the channel cannot answer here, such as one of history in a tree without any
	Reason  string  // why the channel is off, or why Covered is below 1; may be ""
	Note    string  // what a reader of the hits must know, though nothing is wrong; may be ""

	AlsoAsked []string // words of the index that were asked for beside those of the question, each as "remove for delete"
}

// Channel answers questions from one kind of evidence. It is safe for concurrent use.
type Channel interface {
	Name() string
	Search(ctx context.Context, r Request) (List, error)
}

// allowedDocs is the set of documents that have one of kinds; nil when kinds is empty.
func allowedDocs(reader PostingsReader, kinds []agenvantage.SymbolKind) (bitset, error) {
	if len(kinds) == 0 {
		return nil, nil
	}
	allowed := newBitset(reader.DocBound())
	for _, kind := range kinds {
		if err := reader.Postings(FieldKind, string(kind), func(doc uint32, _, _ int) { allowed.add(doc) }); err != nil {
			return nil, err
		}
	}
	return allowed, nil
}

type bitset []uint64

func newBitset(n int) bitset            { return make(bitset, (n+63)/64) }
func (b bitset) add(i uint32)           { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i uint32) bool      { return b[i/64]&(1<<(i%64)) != 0 }
func (b bitset) allows(doc uint32) bool { return b == nil || b.has(doc) }
