package static

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkEmbedChunk measures bytes of source a second, on the sources of this repository, cut into pieces of about a chunk.
func BenchmarkEmbedChunk(b *testing.B) {
	m, err := Builtin()
	if err != nil {
		b.Fatal(err)
	}
	files, err := filepath.Glob("../../*/*.go")
	if err != nil || len(files) == 0 {
		b.Fatal("no sources to measure with", err)
	}
	var chunks []Chunk
	bytes := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		for len(text) > 0 {
			n := min(len(text), 1600)
			chunks = append(chunks, Chunk{Path: filepath.Base(name), Names: "Server.ServeHTTP", Text: string(text[:n])})
			bytes += n
			text = text[n:]
		}
	}
	dst := make([]float32, 0, m.Dimensions())
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range chunks {
			if dst, err = m.EmbedChunk(dst[:0], c, m.Dimensions()); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkEmbedQuery(b *testing.B) {
	m, err := Builtin()
	if err != nil {
		b.Fatal(err)
	}
	dst := make([]float32, 0, m.Dimensions())
	for b.Loop() {
		if dst, err = m.EmbedQuery(dst[:0], "where are websocket connections upgraded after the handshake", m.Dimensions()); err != nil {
			b.Fatal(err)
		}
	}
}
