// Package graph turns the extracted facts of files into the edges of the code graph. It reads a corpus through the small
// interface Corpus, keeps nothing but caches, opens no file and knows no store. It must not guess: an edge says by its
// confidence what it rests on, and what stays open is counted with a reason.
//
// A language family is one file: a value of the type family in the table of families.go. The core hands it a job, the
// file that is resolved, and the family calls
//
//	j.named, j.inDir, j.probe, j.listing   to find definitions and files; each call notes what the answer depended on
//	j.symbol, j.unit                       to read a definition, or a file, that it goes on with
//	j.evaluate, j.member …                 to follow a path (agenvantage.Reference) from value to value
//	j.link, j.miss                         to say what it found
//
// and gives the evaluator its semantics: what a plain name means at a place, and what a member of a value is. A family
// reads other files through the job alone, since the job's notes are what makes an update exact (depends.go).
//
// Read resolver.go first, then job.go, value.go, evaluate.go and golang.go.
package graph
