package app

import (
	"fmt"
	"strings"

	"agenvantage/embed"
	"agenvantage/embed/static"
	vectorstore "agenvantage/embed/store"
	"agenvantage/index"
	"agenvantage/scan/redact"
)

// chunkSource is the chunks of a pinned view as package runner reads them, in the order of path and line. It is for one goroutine.
type chunkSource struct {
	corpus *corpus
	places []chunkPlace
	hashes [][]index.ChunkHash // by file
	// hosted reports whether texts leave this machine, which may turn out when the service is asked: those pass the redactor once more,
	// with the prefix that the chunk has got.
	hosted func() bool
	masked int // secrets that are masked in the texts that were asked for
	// fields tells that a chunk is embedded by its fields, as the built-in model reads it.
	fields bool
}

type chunkPlace struct {
	file  uint32
	chunk int
}

// chunkSource is the chunks of a view as the configured embedder reads them.
func (a *App) chunkSource(c *corpus, hosted func() bool) (*chunkSource, error) {
	return newChunkSource(c, a.embedding.provider(), hosted)
}

func newChunkSource(c *corpus, provider string, hosted func() bool) (*chunkSource, error) {
	hashes, err := chunkHashes(c, provider)
	if err != nil {
		return nil, err
	}
	s := &chunkSource{corpus: c, hashes: hashes, hosted: hosted, fields: provider == static.Provider}
	for file := range hashes {
		for chunk := range hashes[file] {
			s.places = append(s.places, chunkPlace{uint32(file), chunk})
		}
	}
	return s, nil
}

// Len implements runner.Source.
func (s *chunkSource) Len() int { return len(s.places) }

// Chunk implements runner.Source.
func (s *chunkSource) Chunk(i int) (vectorstore.Hash, string) {
	at := s.places[i]
	return s.hashes[at.file][at.chunk], s.corpus.Path(at.file)
}

// Text implements runner.Source.
func (s *chunkSource) Text(i int) (string, error) {
	at := s.places[i]
	facts, err := s.corpus.Facts(at.file)
	if err != nil {
		return "", err
	}
	whole, err := s.corpus.View.Text(at.file)
	if err != nil {
		return "", err
	}
	if at.chunk >= len(facts.Chunks) {
		return "", fmt.Errorf("%s has no chunk %d", s.corpus.Path(at.file), at.chunk)
	}
	about, span := index.ContextOf(facts, at.chunk), facts.Chunks[at.chunk].Span
	lines := lineRange(whole, span.StartLine, span.EndLine)
	if s.fields {
		return s.document(at, facts, about, lines), nil
	}
	text := embed.Prefix(s.corpus.Path(at.file), about.Enclosing, about.Signature, about.Doc) + lines
	if s.hosted() {
		text, _ = redact.Mask(s.corpus.Path(at.file), s.corpus.Lang(at.file), text)
	}
	s.masked += redact.Masks(text)
	return text, nil
}

// lineRange is the lines from first to last, 1-based, with their ends.
func lineRange(text string, first, last int) string {
	from := 0
	for line := 1; line < first; line++ {
		n := strings.IndexByte(text[from:], '\n')
		if n < 0 {
			return ""
		}
		from += n + 1
	}
	to := from
	for line := first; line <= last; line++ {
		n := strings.IndexByte(text[to:], '\n')
		if n < 0 {
			return text[from:]
		}
		to += n + 1
	}
	return text[from:to]
}
