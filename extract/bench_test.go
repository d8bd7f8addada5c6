package extract

import (
	"context"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpusOf reads files of one extension below dir, up to a total size, in order of path.
func corpusOf(tb testing.TB, dir, extension string, limit int) (texts []string, paths []string) {
	total := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, extension) {
			return nil
		}
		if total > limit {
			return filepath.SkipAll
		}
		b, err := os.ReadFile(path)
		if err != nil || len(b) > 1<<20 {
			return nil
		}
		total += len(b)
		texts, paths = append(texts, strings.ToValidUTF8(string(b), "?")), append(paths, path)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return texts, paths
}

// BenchmarkExtractGo extracts a part of the Go standard library on one core.
func BenchmarkExtractGo(b *testing.B) {
	benchmarkCorpus(b, filepath.Join(build.Default.GOROOT, "src"), ".go", "go")
}

// BenchmarkExtractPython extracts the Python files of a folder named by CORPUS_PYTHON (default: the system's own library).
func BenchmarkExtractPython(b *testing.B) {
	dir := os.Getenv("CORPUS_PYTHON")
	if dir == "" {
		dir = "/usr/lib/python3"
	}
	benchmarkCorpus(b, dir, ".py", "python")
}

func benchmarkCorpus(b *testing.B, dir, extension, lang string) {
	texts, _ := corpusOf(b, dir, extension, 8<<20)
	if len(texts) == 0 {
		b.Skip("no corpus in " + dir)
	}
	bytes := 0
	for _, t := range texts {
		bytes += len(t)
	}
	e := newExtractor(b, Options{})
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		symbols := 0
		for _, t := range texts {
			x, err := e.Extract(context.Background(), Input{Lang: lang, Text: t})
			if err != nil {
				b.Fatal(err)
			}
			symbols += len(x.Symbols)
		}
		b.ReportMetric(float64(symbols), "symbols")
	}
}
