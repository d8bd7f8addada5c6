// Package lexical owns the postings of an index: one document for each chunk, kept in bleve's scorch engine, with term
// frequency and field length and nothing else (no stored text, no positions, no doc values). It knows tokens, not
// files: what a document means is decided by package index, which is the only importer. It computes no score.
//
// On disk a generation is a folder with root.bolt (the list of segments, their deleted documents) and NNN.zap segment
// files. A segment file never changes after it was written, so that Derive makes the next generation from hard links of
// the segments and a copy of root.bolt. A folder has one writer, which closes it before the first reader comes. The file
// sums (sums.go) says what each file held when the folder was closed.
//
// Read document.go first, then writer.go and reader.go.
package lexical
