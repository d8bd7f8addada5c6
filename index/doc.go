// Package index owns the index folder: it builds and updates it from a tree (Index.Update), and gives readers a
// consistent view of it (Index.View). It decides what a file's documents hold, when a file is read again, and how one
// generation replaces another; SQLite and bleve are behind meta and lexical. It ranks nothing and parses nothing.
//
// The folder:
//
//	CACHEDIR.TAG, .gitignore  keep it out of backups and of git
//	lock                      locked by the one writer, whose name is inside
//	manifest.json             format, options and folder of the current epoch (manifest.go); replaced by rename
//	e-N/meta.db               an epoch's facts, and the edges of the code graph (meta/schema.go)
//	e-N/lex-G/                the postings of generation G (lexical/doc.go)
//
// An update makes the folder lex-G+1 whole, then one SQLite commit changes the facts and the generation number. A
// reader begins a SQLite transaction, reads G in it and opens lex-G, so the two stores cannot disagree, and a crash
// leaves G as it was. A first build, a forced one, and one for another format or other options fill a new epoch folder,
// with checkpoints from which a killed build goes on, and are seen when the manifest is renamed.
//
// When the facts of an update are written, the references of the files that it touches are resolved by a Linker (links.go), in
// the same transaction: files and edges are of one state.
//
// Read manifest.go first, then build.go, pipeline.go, links.go and view.go.
package index
