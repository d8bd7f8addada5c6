package scan

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"agenvantage/scan/redact"
)

// BenchmarkList lists 10,000 files in 500 folders: in a repository with everything tracked, with nothing tracked, and
// without git.
func BenchmarkList(b *testing.B) {
	tr := newTree(b)
	for d := range 500 {
		for f := range 20 {
			tr.touch(fmt.Sprintf("pkg%d/dir%d/file%d.go", d%25, d, f))
		}
	}
	tr.write(".gitignore", "*.log\n/build/\nnode_modules/\n")
	run := func(name string, o Options) {
		w := tr.open("", o)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				l, err := w.List(context.Background())
				if err != nil || len(l.Entries) != 10001 {
					b.Fatal(len(l.Entries), err)
				}
			}
		})
	}
	run("no repository", Options{})
	run("no git", Options{WithoutGit: true})
	tr.commit()
	run("tracked", Options{})
	b.Run("commit", func(b *testing.B) {
		for b.Loop() {
			c, err := OpenCommit(context.Background(), tr.root, "HEAD", CommitOptions{})
			if err != nil {
				b.Fatal(err)
			}
			l, err := c.List(context.Background())
			if c.Close(); err != nil || len(l.Entries) != 10001 {
				b.Fatal(len(l.Entries), err)
			}
		}
	})
}

// BenchmarkReadCommit reads this repository's own newest commit, one file after another.
func BenchmarkReadCommit(b *testing.B) {
	c, err := OpenCommit(context.Background(), ".", "HEAD", CommitOptions{})
	if err != nil {
		b.Skip(err)
	}
	defer c.Close()
	l, err := c.List(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	var total int64
	for b.Loop() {
		total = 0
		for _, e := range l.Entries {
			s, _, err := c.Read(context.Background(), e)
			if err != nil {
				b.Fatal(err)
			}
			total += s.File.Size
		}
	}
	b.SetBytes(total)
	b.ReportMetric(float64(len(l.Entries)), "files")
}

// moduleCorpus is source text that is on every machine that built this: the modules of the module cache.
func moduleCorpus(b *testing.B) *Walker {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/text").Output()
	if err != nil {
		b.Skip(err)
	}
	w, err := Open(filepath.Dir(strings.TrimSpace(string(out))), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Close() })
	return w
}

func BenchmarkRead(b *testing.B) {
	w := moduleCorpus(b)
	l, err := w.List(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	var total int64
	for b.Loop() {
		total = 0
		for _, e := range l.Entries {
			s, _, err := w.Read(context.Background(), e)
			if err != nil {
				b.Fatal(err)
			}
			total += s.File.Size
		}
	}
	b.SetBytes(total)
	b.ReportMetric(float64(len(l.Entries)), "files")
}

func BenchmarkMask(b *testing.B) {
	w := moduleCorpus(b)
	l, err := w.List(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	var texts []Source
	var total int64
	for _, e := range l.Entries {
		if s, skip, err := w.Read(context.Background(), e); err == nil && skip == nil && total < 30<<20 {
			texts = append(texts, s)
			total += int64(len(s.Text))
		}
	}
	b.SetBytes(total)
	for b.Loop() {
		for _, s := range texts {
			redact.Mask(s.File.Path, s.File.Lang, s.Text)
		}
	}
}
