// Package meta owns the facts of an index in one SQLite file: which files were read and how they stood, what was left
// out and why, the text, the symbols, the chunks and the references of each file. It knows nothing of postings, locks or
// generations beyond the number that it stores, and it is the only package that speaks to SQLite.
//
// Read schema.go first, then writer.go and reader.go.
package meta
