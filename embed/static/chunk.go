package static

import (
	"strings"

	"agenvantage"
)

// NamesOf returns the names that chunk i of x is known by: those of the definitions whose name lies in it, and the qualified
// name of the definition that it is, or is a part of.
func NamesOf(x *agenvantage.Extraction, i int) string {
	c := &x.Chunks[i]
	var b strings.Builder
	for _, s := range c.Symbols {
		b.WriteString(x.Symbols[s].Name + "\n")
	}
	if c.Owner >= 0 {
		b.WriteString(x.Symbols[c.Owner].Qualified + "\n")
	}
	return b.String()
}

// fieldEnd separates the fields of a Chunk in one text. No text of a repository holds it: what is read loses its NULs.
const fieldEnd = "\x00"

// Document is a chunk as one text, which Embedder.Embed takes apart again.
func (c Chunk) Document() string {
	return c.Path + fieldEnd + c.Names + fieldEnd + c.Context + fieldEnd + c.Text
}

// chunkOf takes a document apart. A text without separators is the text of a chunk of which nothing else is known.
func chunkOf(document string) Chunk {
	fields := strings.SplitN(document, fieldEnd, 4)
	if len(fields) < 4 {
		return Chunk{Text: document}
	}
	return Chunk{Path: fields[0], Names: fields[1], Context: fields[2], Text: fields[3]}
}
