package index

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/index/meta"
)

// ChunkHash names what a chunk is, wherever it lies: the XXH3-128 (big-endian) of its lines as they are indexed and of its
// ChunkContext, each with its length before it. A chunk that is moved or copied to another path keeps its hash.
type ChunkHash = [meta.HashBytes]byte

// ChunkContext is what its file says of a chunk beside its lines and its path. Each is one line, "" when there is nothing to say.
type ChunkContext struct {
	Enclosing string // qualified name of what the chunk's symbols are members of: "web.Mux"
	Signature string // of the one symbol that the chunk is, holds or is a part of
	Doc       string // first sentence of that symbol's doc comment
}

// ContextOf reads the context of a chunk of x. A chunk that holds several symbols has the name that encloses all of them, and
// no signature: its lines show them.
func ContextOf(x *agenvantage.Extraction, chunk int) ChunkContext {
	c := &x.Chunks[chunk]
	symbols := c.Symbols
	if c.Owner >= 0 {
		symbols = []int{c.Owner}
	}
	if len(symbols) == 0 {
		return ChunkContext{}
	}
	first := &x.Symbols[symbols[0]]
	if len(symbols) == 1 {
		return ChunkContext{Enclosing: enclosing(first), Signature: oneLine(first.Signature), Doc: firstSentence(first.Doc)}
	}
	common := enclosing(first)
	for _, n := range symbols[1:] {
		s := &x.Symbols[n]
		if slices.Contains(symbols, s.Parent) { // a member of what is named here
			continue
		}
		if common != enclosing(s) {
			return ChunkContext{}
		}
	}
	return ChunkContext{Enclosing: common}
}

// enclosing is the qualified name of a symbol without its own.
func enclosing(s *agenvantage.Symbol) string {
	return oneLine(strings.TrimSuffix(strings.TrimSuffix(s.Qualified, s.Name), "."))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// firstSentence is what comes before the first full stop that white space, or the end, follows, or before the first empty line.
func firstSentence(doc string) string {
	doc = strings.TrimSpace(doc)
	for end := 0; end < len(doc); {
		r, size := utf8.DecodeRuneInString(doc[end:])
		end += size
		next, _ := utf8.DecodeRuneInString(doc[end:])
		if r == '\n' && next == '\n' || strings.ContainsRune("。！？", r) || strings.ContainsRune(".!?", r) && unicode.IsSpace(next) {
			return oneLine(doc[:end])
		}
	}
	return oneLine(doc)
}

// chunkHashes gives the hashes of the chunks of a file in order, one after the other.
func chunkHashes(text string, x *agenvantage.Extraction) []byte {
	all := make([]byte, 0, len(x.Chunks)*meta.HashBytes)
	starts := lineStarts(text)
	var h xxh3.Hasher
	var size [8]byte
	for i := range x.Chunks {
		h.Reset()
		about := ContextOf(x, i)
		for _, part := range [...]string{linesOf(text, starts, x.Chunks[i].Span), about.Enclosing, about.Signature, about.Doc} {
			binary.LittleEndian.PutUint64(size[:], uint64(len(part)))
			_, _ = h.Write(size[:])
			_, _ = h.WriteString(part)
		}
		sum := h.Sum128().Bytes()
		all = append(all, sum[:]...)
	}
	return all
}
