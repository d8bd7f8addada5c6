package extract

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agenvantage"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden extracts every file of testdata/LANG and compares a readable listing with the golden file beside it.
// New language: add a fixture, run with -update, read the listing.
func TestGolden(t *testing.T) {
	e := newExtractor(t, Options{})
	files, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") || strings.HasPrefix(file, "testdata/fuzz") {
			continue
		}
		lang := filepath.Base(filepath.Dir(file))
		t.Run(lang+"/"+filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			x, err := e.Extract(context.Background(), Input{Path: filepath.Base(file), Lang: lang, Text: string(text)})
			if err != nil {
				t.Fatal(err)
			}
			got, golden := listing(x), file+".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs (run with -update and read the diff):\n%s", golden, difference(string(want), got))
			}
		})
	}
}

func newExtractor(t testing.TB, o Options) *Extractor {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// listing prints an extraction for people.
func listing(x agenvantage.Extraction) string {
	var b strings.Builder
	fmt.Fprintf(&b, "state %s\n\nsymbols\n", x.State)
	for i, s := range x.Symbols {
		depth := 0
		for p := s.Parent; p >= 0; p = x.Symbols[p].Parent {
			depth++
		}
		fmt.Fprintf(&b, "%s%d %d-%d @%d %s %s", strings.Repeat("  ", depth), i, s.Span.StartLine, s.Span.EndLine, s.NameLine, s.Kind, s.Qualified)
		if s.Visibility != "" {
			fmt.Fprintf(&b, " (%s)", s.Visibility)
		}
		if s.Signature != "" {
			fmt.Fprintf(&b, " | %s", s.Signature)
		}
		if s.Doc != "" {
			fmt.Fprintf(&b, " | doc %q", s.Doc)
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nreferences\n")
	for _, r := range x.References {
		from := ""
		if r.From >= 0 {
			from = " in " + x.Symbols[r.From].Qualified
		}
		fmt.Fprintf(&b, "%d %s %s%s\n", r.Line, r.Kind, r.Name, from)
	}
	b.WriteString("\nchunks\n")
	for _, c := range x.Chunks {
		fmt.Fprintf(&b, "%d-%d %s owner %d symbols %v\n", c.Span.StartLine, c.Span.EndLine, c.Kind, c.Owner, c.Symbols)
	}
	return b.String()
}

// difference shows the lines that differ, in order.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	in := func(line string, lines []string) bool {
		for _, l := range lines {
			if l == line {
				return true
			}
		}
		return false
	}
	var b strings.Builder
	for _, l := range w {
		if !in(l, g) {
			fmt.Fprintf(&b, "-%s\n", l)
		}
	}
	for _, l := range g {
		if !in(l, w) {
			fmt.Fprintf(&b, "+%s\n", l)
		}
	}
	return b.String()
}
