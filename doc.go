// Package agenvantage holds the nouns that every other package shares: the corpus (File, Span, Symbol, Chunk,
// Reference), the questions (Query, Filter) and the answers (Hit, Result, Response), with the one total order of
// results and the errors that callers branch on. It imports the standard library only and does no I/O.
//
// Read corpus.go first, then query.go and result.go.
package agenvantage
