// Package static is the built-in embedding model: a table of piece vectors, trained by package train on the pairs of
// package corpus and compiled into the binary. A text's vector is a weighted sum over its pieces, so that embedding needs no
// service, no network and microseconds, and gives the same bytes on every machine: products and sums are rounded apart
// and run in a fixed order. It knows nothing of indexes.
//
// Read pieces.go (text to pieces), vocabulary.go (pieces to rows) and model.go (rows to a vector); file.go is the format,
// embedder.go the embed.Embedder. docs/model-card.md says what the model was made from and what it is good for.
package static
