package extract

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fuzzLanguages are chosen by one byte: every way to read a text is among them.
var fuzzLanguages = []string{"go", "python", "javascript", "typescript", "tsx", "java", "c", "cpp", "rust", "markdown", "bash", "css", "html", "vue", "svelte",
	"ruby", "yaml", "toml", "sql", "json", "haskell", "zig", "perl", "r", "rst", "notebook", "text", "", "make", "pascal"}

// FuzzChunker extracts any text as any language: chunks lie within the file, do not overlap and hold every line with text.
func FuzzChunker(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*")
	for i, file := range files {
		if text, err := os.ReadFile(file); err == nil && !strings.HasSuffix(file, ".golden") {
			f.Add(byte(i), string(text))
		}
	}
	for i, text := range []string{"", "\n", "\n\n \t\n", "x", "}\n}\n", "<script>", "{\"cells\":[{\"source\":\"a\\nb\",\"cell_type\":\"code\"}]}", strings.Repeat("(", 3000), strings.Repeat("a ", 5000)} {
		f.Add(byte(i), text)
	}
	e := newExtractor(f, Options{MaxChunkChars: 60, ParseTimeout: 500 * time.Millisecond})
	f.Fuzz(func(t *testing.T, language byte, text string) {
		text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\r\n", "\n")
		lang := fuzzLanguages[int(language)%len(fuzzLanguages)]
		x, err := e.Extract(context.Background(), Input{Lang: lang, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if bad := violations(text, x, lang != "notebook" || x.State == "text"); len(bad) > 0 {
			t.Fatalf("%s: %s", lang, strings.Join(bad, "\n"))
		}
		if prepared := PrepareText("", lang, text); strings.Count(prepared, "\n") != strings.Count(text, "\n") {
			t.Fatalf("PrepareText changed the number of lines of %q to that of %q", text, prepared)
		}
	})
}
