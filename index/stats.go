package index

import (
	"os"
	"path/filepath"
	"sort"

	"agenvantage"
)

// LanguageStats is the share of one language.
type LanguageStats struct {
	Lang    string // "" for files of no known language
	Files   int
	Bytes   int64
	Chunks  int
	Symbols int
	States  map[agenvantage.ParseState]int // files by how far they were understood
}

// Stats describes a generation.
type Stats struct {
	Format                 int
	Generation             uint64
	Files, Chunks, Symbols int
	Bytes                  int64 // of the indexed files
	Masked                 int
	MetaBytes              int64           // facts on disk
	LexicalBytes           int64           // postings on disk
	Languages              []LanguageStats // sorted by name
}

// Stats sums up the view. The sizes on disk are those of now.
func (v *View) Stats() Stats {
	s := Stats{Format: Format, Generation: v.head.Generation, Files: len(v.files), Chunks: v.chunks}
	byLang := map[string]*LanguageStats{}
	for i := range v.files {
		f := &v.files[i]
		l := byLang[f.Lang]
		if l == nil {
			l = &LanguageStats{Lang: f.Lang, States: map[agenvantage.ParseState]int{}}
			byLang[f.Lang] = l
		}
		l.Files++
		l.Bytes += f.Size
		l.Chunks += f.Chunks
		l.Symbols += f.Symbols
		l.States[f.State]++
		s.Bytes += f.Size
		s.Symbols += f.Symbols
		s.Masked += f.Masked
	}
	for _, l := range byLang {
		s.Languages = append(s.Languages, *l)
	}
	sort.Slice(s.Languages, func(i, j int) bool { return s.Languages[i].Lang < s.Languages[j].Lang })
	b := epochBytes(v.epoch, v.head.Generation)
	s.MetaBytes, s.LexicalBytes = b.meta, b.lexical
	return s
}

type sizes struct{ meta, lexical int64 }

func (s sizes) total() int64 { return s.meta + s.lexical }

// epochBytes measures one generation: the one before it shares its segments by links and is not counted.
func epochBytes(epoch string, generation uint64) (s sizes) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(filepath.Join(epoch, metaFile+suffix)); err == nil {
			s.meta += info.Size()
		}
	}
	s.lexical = folderBytes(filepath.Join(epoch, lexicalFolder(generation)))
	return s
}
