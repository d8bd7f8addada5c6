package index

import (
	"context"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"agenvantage/extract"
	"agenvantage/scan"
)

// goSource is the source of the Go standard library, which is on every machine that runs these tests. Results of
// 2 cores at 98 MB, 10,707 files and 84,669 chunks are beside each benchmark.
func goSource(b *testing.B, index string) UpdateRequest {
	b.Helper()
	w, err := scan.Open(filepath.Join(build.Default.GOROOT, "src"), scan.Options{IndexDir: index})
	must(b, err)
	b.Cleanup(func() { w.Close() })
	x, err := extract.New(extract.Options{})
	must(b, err)
	return UpdateRequest{Source: w, Extractor: x}
}

// 20 s, 4.9 MB/s, 1.29 bytes of index for a byte of source.
func BenchmarkFirstBuild(b *testing.B) {
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "index")
		s, err := openIndex(b, dir).Update(context.Background(), goSource(b, dir))
		must(b, err)
		b.ReportMetric(float64(s.Bytes)/1e6/s.Seconds, "MB/s")
		b.ReportMetric(float64(s.IndexBytes)/float64(s.Bytes), "index/source")
		must(b, os.RemoveAll(dir))
	}
}

// tenThousand is a tree of 10,000 small files in memory.
func tenThousand() *tree {
	src := newTree(nil)
	for i := range 10_000 {
		src.put(fmt.Sprintf("d%d/f%d.go", i%100, i), fmt.Sprintf("def name%d\nbody of %d\n\ndef other%d\n", i, i, i))
	}
	return src
}

// 45 ms, without the listing of a real tree (the scan package's benchmark).
func BenchmarkNoOpUpdate(b *testing.B) {
	ix, src := openIndex(b, b.TempDir()), tenThousand()
	refresh(b, ix, src)
	for b.Loop() {
		if s := refresh(b, ix, src); s.Read != 0 {
			b.Fatal(s)
		}
	}
}

// 150 ms, of which 100 are spent in a dozen fsyncs.
func BenchmarkOneFileUpdate(b *testing.B) {
	ix, src := openIndex(b, b.TempDir()), tenThousand()
	refresh(b, ix, src)
	n := 0
	for b.Loop() {
		n++
		src.put("d1/f1.go", fmt.Sprintf("def changed%d\n", n))
		if s := refresh(b, ix, src); s.Changed != 1 {
			b.Fatal(s)
		}
	}
}

// 4 ms to open, 3 more for the table of places.
func BenchmarkOpenView(b *testing.B) {
	ix, src := openIndex(b, b.TempDir()), tenThousand()
	refresh(b, ix, src)
	for b.Loop() {
		v, err := ix.View(context.Background())
		must(b, err)
		must(b, v.LocateAll())
		must(b, v.Close())
	}
}
