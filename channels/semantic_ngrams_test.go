package channels

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/embed"
	"agenvantage/embed/ngrams"
	"agenvantage/index/vector"
)

var update = flag.Bool("update", false, "rewrite golden files")

// ngramCorpus is 200 functions in 40 files, two of which say the same.
func ngramCorpus() *corpus {
	verbs := []string{"load", "store", "delete", "parse", "render", "encrypt", "validate", "compress", "schedule", "merge"}
	nouns := []string{"User Profile", "Session Token", "Invoice", "Config File", "Search Index", "Thumbnail", "Mail Queue", "Audit Trail", "Currency Rate", "Access Policy",
		"Worker Pool", "Shopping Cart", "Language Pack", "Backup Archive", "Feature Flag", "Comment Thread", "Geo Location", "Payment Method", "Release Note", "Hash Table"}
	files := map[string]string{}
	for i, noun := range nouns {
		name := strings.ReplaceAll(noun, " ", "")
		for j, verb := range verbs {
			path := fmt.Sprintf("pkg/%s/%s.go", strings.ToLower(name), []string{"first", "second"}[j%2])
			files[path] += fmt.Sprintf("func %s%s() {\n\t// %ss the %s number %d\n}\n", verb, name, verb, strings.ToLower(noun), 10*i+j)
		}
	}
	files["copy/of/first.go"] = files["pkg/invoice/first.go"]
	return newCorpus(files, nil)
}

// ngramChunks is the way from texts to an index: hashes, vectors by hash, places.
func ngramChunks(t *testing.T, c *corpus, engine vector.Engine) *vector.Chunks {
	t.Helper()
	texts, files := map[vector.Hash]string{}, make([][]vector.Hash, c.FileCount())
	for file := range files {
		open := &openFile{text: c.texts[file], facts: c.facts[file]}
		for chunk := range c.facts[file].Chunks {
			text := open.chunkText(chunk)
			hash := vector.Hash(xxh3.HashString128(text).Bytes())
			texts[hash] = text
			files[file] = append(files[file], hash)
		}
	}
	chunks, err := vector.Load(t.Context(), vector.NewPlaces(files), func(ctx context.Context, wanted []vector.Hash) (func(int) []float32, error) {
		var all []string
		for _, hash := range wanted {
			all = append(all, texts[hash])
		}
		answers, err := ngrams.New().Embed(ctx, embed.Document, all)
		return func(i int) []float32 { return answers[i].Vector }, err
	}, vector.LoadOptions{Engine: engine, Dimensions: ngrams.Dimensions})
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

func ngramQuery(ctx context.Context, text string) ([]float32, error) {
	answers, err := ngrams.New().Embed(ctx, embed.Query, []string{text})
	if err != nil {
		return nil, err
	}
	if why := answers[0].Refused; why != "" {
		return nil, fmt.Errorf("no vector: %s", why)
	}
	return answers[0].Vector, nil
}

// TestMisspeltQuestionsFindTheirChunk goes from texts to hits with real parts: n-grams, both engines, the channel. The golden file has
// the first hits; it says how texts are spelled, and nothing about what they mean.
func TestMisspeltQuestionsFindTheirChunk(t *testing.T) {
	c := ngramCorpus()
	questions := []struct{ text, want string }{
		{"load usr profle", "func loadUserProfile"},
		{"validdate the sesion tokn", "func validateSessionToken"},
		{"encrpyt backup archiv", "func encryptBackupArchive"},
		{"scheduel_mail_queu", "func scheduleMailQueue"},
		{"CompresThumnail", "func compressThumbnail"},
		{"how are curency rates mergd", "func mergeCurrencyRate"},
		{"delete invoice", "func deleteInvoice"}, // in two files
	}
	golden := map[vector.Engine]string{}
	for _, engine := range vector.Engines() {
		chunks := ngramChunks(t, c, engine)
		if have, all, err := chunks.Covered(t.Context(), nil); have != 205 || all != 205 || chunks.Len() != 200 || err != nil {
			t.Fatalf("%d of %d chunks, %d vectors, %v", have, all, chunks.Len(), err)
		}
		s := NewSemantic(c, chunks, ngramQuery, SemanticOptions{Floor: 0.1, PerFile: 3, Note: ngrams.Notice})
		for _, q := range questions {
			o := Run(t.Context(), []Channel{s}, Request{Query: agenvantage.Query{Text: q.text}, Limit: 3}, RunOptions{})[0]
			if o.Report.Status != agenvantage.StatusOK || !strings.Contains(o.Report.Note, "test embedder") {
				t.Fatalf("%s: %+v", q.text, o.Report)
			}
			golden[engine] += q.text + "\n"
			for i, h := range o.List.Hits {
				open := &openFile{text: c.texts[h.File], facts: c.facts[h.File]}
				first, _, _ := strings.Cut(open.chunkText(h.Chunk), "(")
				if i == 0 && first != q.want {
					t.Errorf("%s, %q: %s, want %s", engine, q.text, first, q.want)
				}
				golden[engine] += fmt.Sprintf("  %.4f %s:%d %s\n", h.Score, c.paths[h.File], h.Span.StartLine, first)
			}
		}
	}
	file := filepath.Join("testdata", "semantic_ngrams.golden")
	if *update {
		if err := os.WriteFile(file, []byte(golden[vector.Flat]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for engine, got := range golden {
		if got != string(want) {
			t.Errorf("%s:\n%s\nwant:\n%s", engine, got, want)
		}
	}
}

func TestAQuestionWithoutWordsIsAnErrorOfItsChannel(t *testing.T) {
	c := ngramCorpus()
	s := NewSemantic(c, ngramChunks(t, c, ""), ngramQuery, SemanticOptions{})
	if o := Run(t.Context(), []Channel{s}, Request{Query: agenvantage.Query{Text: "?!"}}, RunOptions{})[0]; o.Report.Status != agenvantage.StatusError || !strings.Contains(o.Report.Error, "zero") {
		t.Errorf("%+v", o.Report)
	}
}
