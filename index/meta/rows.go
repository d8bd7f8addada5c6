package meta

import "agenvantage"

// FieldCount is the number of postings fields whose tokens are counted.
const FieldCount = 7

// FileRow is what is known of one indexed file, apart from its contents.
type FileRow struct {
	ID uint32
	agenvantage.File
	SeenNS  int64 // when the stat fields were taken
	State   agenvantage.ParseState
	Chunks  int
	Symbols int
	Tokens  [FieldCount]uint32
}

// SkipRow is one path that was left out. Looked says that the bytes were read to decide; then the fields after it hold
// how the file stood.
type SkipRow struct {
	agenvantage.Skip
	Looked                            bool
	DiskSize, ModNS, ChangeNS, SeenNS int64
}

// Head is what is true of a generation as a whole.
type Head struct {
	Generation uint64
	NextFile   uint32
	Revision   string
	Branch     string
	Candidates int
	UpdatedNS  int64
}

// Content is the contents of one file, encoded (Encode), and the hashes of its chunks, which Encode does not make.
type Content struct{ Text, Facts, Refs, Names, Hashes []byte }
