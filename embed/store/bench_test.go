//go:build unix

package store

import (
	"fmt"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"agenvantage/embed"
)

// BenchmarkStore measures what docs/adr/0022-vector-store.md says: committing in requests of 64, the bytes on disk, finding out
// what is missing, and loading; times are those of processors, which other programs on the machine change less. Run it with
// -benchtime 1x.
func BenchmarkStore(b *testing.B) {
	for _, dimensions := range []int{256, 768} {
		for _, n := range []int{10_000, 50_000, 200_000} {
			b.Run(fmt.Sprintf("%dx%d", n, dimensions), func(b *testing.B) {
				dir := b.TempDir()
				s := open(b, dir, Options{Create: true})
				i := identity("a", dimensions)
				started := processorTime()
				for from := 0; from < n; from += 64 {
					put(b, s, i, from, min(from+64, n))
				}
				b.ReportMetric((processorTime()-started).Seconds()*1e6/float64(n), "commit-µs/vector")
				must(b, s.Close())
				s = open(b, dir, Options{})
				b.ReportMetric(float64(s.Bytes())/1e6, "MB")
				all := hashesOf(upTo(n)...)
				const rounds = 5
				for name, do := range map[string]func() error{
					"missing-ms": func() error { _, err := s.Missing(ctx, i.Key(), all); return err },
					"load-ms":    func() error { _, err := s.Load(ctx, i.Key(), all); return err },
					"load100-ms": func() error { _, err := s.Load(ctx, i.Key(), all[n/2:n/2+100]); return err },
					"log10-ms":   func() error { return s.Log(ctx, LogFilter{Newest: 10}, func(Entry) error { return nil }) },
					"begin-ms": func() error {
						batch, err := s.Begin(i.Key(), endpoint, embed.Document, []Text{{Hash: hash(0)}})
						if err == nil {
							err = s.Fail(batch, ReasonError)
						}
						return err
					},
				} {
					best := time.Hour
					for range rounds {
						started := processorTime()
						must(b, do())
						best = min(best, (processorTime() - started))
					}
					b.ReportMetric(best.Seconds()*1e3, name)
				}
				for range b.N { // the measurements above are what counts
				}
			})
		}
	}
}

func processorTime() time.Duration {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
