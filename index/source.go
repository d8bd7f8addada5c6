package index

import (
	"context"

	"agenvantage"
	"agenvantage/extract"
	"agenvantage/scan"
)

// Source is a tree that can be listed and read: scan.Walker is one.
type Source interface {
	List(ctx context.Context) (scan.Listing, error)
	// Read is called from several goroutines. A skip means that the file is left out after all; an error ends the run.
	Read(ctx context.Context, e scan.Entry) (scan.Source, *agenvantage.Skip, error)
}

// Extractor finds the symbols, chunks and references of a file: extract.Extractor is one. It is called from several
// goroutines; an error ends the run.
type Extractor interface {
	Extract(ctx context.Context, in extract.Input) (agenvantage.Extraction, error)
}
