package meta

// The file is a SQLite database in WAL mode. One transaction takes it from one generation to the next.
//
//	head      one row: the generation and what is true of it as a whole.
//	          generation       number of the generation, 0 while a first build is not finished
//	          next_file        the next file number; numbers are never used again within the file
//	          revision, branch of the work tree when it was read, "" without
//	          candidates       files that were looked at before any rule left one out
//	          updated_ns       Unix time of the commit
//	          catalog          all rows of files, and the skips that were decided by reading, in one blob, because reading
//	                           11,478 rows takes 70 ms and decoding the blob 5 (encoding: catalog.go). NULL while
//	                           generation is 0.
//	files     one row for each indexed file.
//	          id               file number; the documents of the postings carry it
//	          path             bytes, relative to the root
//	          size, mod_ns, change_ns   as they were when the file was looked at
//	          seen_ns          when that was
//	          hash             XXH3-128 of the bytes on disk
//	          lang, class, encoding, masked, state   see the root package
//	          chunks, symbols  counts
//	          tokens           varints: tokens of each postings field over all chunks, in the order of the fields
//	contents  one row for each indexed file: zstd blobs (encoding: encode.go).
//	          text             decoded text with secrets masked and \n line ends
//	          facts            symbols and chunks
//	          refs             references
//	names     one row for each indexed file: what finds a definition by its name while files are linked.
//	          names            8 bytes for each symbol in order: NameHash of its simple name
//	chunks    one row for each indexed file.
//	          hashes           16 bytes for each chunk in order: what it is, wherever it lies (hashes.go of package index)
//	links     one row for each file whose references were resolved (links.go).
//	          count            number of edges
//	          depends          3 bytes for each key whose change makes the edges stale, sorted: KeyHash
//	          edges            zstd blob; targets are file numbers, which is right because a file whose target gets another
//	                           number is resolved again
//	skips     one row for each path that was left out.
//	          path, reason, detail, size, cap   see agenvantage.Skip
//	          looked           1 when the decision needed the file's bytes; then the next columns say how it stood, so
//	                           that an unchanged file is not read again only to be left out again
//	          disk_size, mod_ns, change_ns, seen_ns
//
// Symbols and chunks are blobs and not rows: a row for each would be some 300,000 for the Go standard library, 8 seconds
// at 36,000 inserts a second, and nothing asks for them but by file.
const schema = `
CREATE TABLE head (
	id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL, next_file INTEGER NOT NULL, revision TEXT NOT NULL,
	branch TEXT NOT NULL, candidates INTEGER NOT NULL, updated_ns INTEGER NOT NULL, catalog BLOB
);
CREATE TABLE files (
	id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, mod_ns INTEGER NOT NULL, change_ns INTEGER NOT NULL,
	seen_ns INTEGER NOT NULL, hash BLOB NOT NULL, lang TEXT NOT NULL, class INTEGER NOT NULL, encoding TEXT NOT NULL,
	masked INTEGER NOT NULL, state TEXT NOT NULL, chunks INTEGER NOT NULL, symbols INTEGER NOT NULL, tokens BLOB NOT NULL
);
CREATE TABLE contents (file INTEGER PRIMARY KEY, text BLOB NOT NULL, facts BLOB NOT NULL, refs BLOB NOT NULL);
CREATE TABLE names (file INTEGER PRIMARY KEY, names BLOB NOT NULL);
CREATE TABLE chunks (file INTEGER PRIMARY KEY, hashes BLOB NOT NULL);
CREATE TABLE links (file INTEGER PRIMARY KEY, count INTEGER NOT NULL, depends BLOB NOT NULL, edges BLOB NOT NULL);
CREATE TABLE skips (
	path BLOB PRIMARY KEY, reason TEXT NOT NULL, detail TEXT NOT NULL, size INTEGER NOT NULL, cap INTEGER NOT NULL, looked INTEGER NOT NULL,
	disk_size INTEGER NOT NULL, mod_ns INTEGER NOT NULL, change_ns INTEGER NOT NULL, seen_ns INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO head VALUES (1, 0, 1, '', '', 0, 0, NULL);
`
