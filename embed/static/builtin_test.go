package static_test

import (
	"os"
	"testing"

	"agenvantage/embed/static"
	"agenvantage/embed/static/corpus"
)

// maxModelBytes is what the model may add to the program.
const maxModelBytes = 16 << 20

// TestBuiltinIsOfTheManifest ties the model in the binary to the corpus that is committed beside it.
func TestBuiltinIsOfTheManifest(t *testing.T) {
	m, err := static.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("corpus/manifest.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packages, err := corpus.ReadManifest(f)
	if err != nil {
		t.Fatal(err)
	}
	if info := m.Info(); info.Manifest != corpus.ManifestHash(packages) || info.Packages != len(packages) {
		t.Errorf("the model is of manifest %s with %d packages, the committed one is %s with %d", info.Manifest, info.Packages, corpus.ManifestHash(packages), len(packages))
	}
	if info, err := os.Stat("model.bin"); err != nil || info.Size() > maxModelBytes {
		t.Errorf("model file: %v, %v", info.Size(), err)
	}
}

// TestQuestionsFindTheirCode asks in words that the code does not have.
func TestQuestionsFindTheirCode(t *testing.T) {
	m, err := static.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	code := []string{
		"func (p *Pool) Get(ctx context.Context) (*Conn, error) { select { case c := <-p.idle: return c, nil; case <-ctx.Done(): return nil, ctx.Err() } }",
		"def tokenize(source):\n    for match in pattern.finditer(source):\n        yield Token(match.lastgroup, match.group())",
		"public static byte[] gzip(InputStream in) throws IOException { try (GZIPOutputStream out = new GZIPOutputStream(buffer)) { in.transferTo(out); } }",
		"fn render(&self, template: &str, values: &HashMap<String, String>) -> String { values.iter().fold(template.into(), |t, (k, v)| t.replace(k, v)) }",
	}
	questions := []string{
		"take a database connection from the pool, or give up when the deadline passes",
		"lexer that splits program text into tokens",
		"compress a stream of data",
		"fill placeholders in a page with the given variables",
	}
	for _, d := range m.Info().Nested {
		vectors := make([][]float32, len(code))
		for i, c := range code {
			if vectors[i], err = m.EmbedChunk(nil, static.Chunk{Text: c}, d); err != nil {
				t.Fatal(err)
			}
		}
		for i, text := range questions {
			q, err := m.EmbedQuery(nil, text, d)
			if err != nil {
				t.Fatal(err)
			}
			best, top := -1, float32(-2)
			for j, v := range vectors {
				sum := float32(0)
				for k := range v {
					sum += v[k] * q[k]
				}
				if sum > top {
					best, top = j, sum
				}
			}
			if best != i {
				t.Errorf("%d dimensions: %q finds code %d", d, text, best)
			}
		}
	}
}

// TestTheModelIsNamedWithoutReadingIt: the identity that stands in the code is that of the file.
func TestTheModelIsNamedWithoutReadingIt(t *testing.T) {
	m, err := static.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	made, err := static.NewEmbedder(m, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, err := made.Identity(t.Context())
	if got := static.BuiltinIdentity(); err != nil || got != want {
		t.Errorf("%+v, the file is %+v, %v: builtinDigest is to be the SHA-256 of model.bin", got, want, err)
	}
}
