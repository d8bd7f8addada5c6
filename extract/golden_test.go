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
		if s.Type != "" {
			fmt.Fprintf(&b, " | type %s", s.Type)
		}
		if s.Value != "" {
			fmt.Fprintf(&b, " | value %s", s.Value)
		}
		if s.Doc != "" {
			fmt.Fprintf(&b, " | doc %q", s.Doc)
		}
		b.WriteByte('\n')
	}
	in := func(symbol int) string {
		if symbol < 0 {
			return ""
		}
		return " in " + x.Symbols[symbol].Qualified
	}
	if x.Package != "" {
		fmt.Fprintf(&b, "\npackage %s\n", x.Package)
	}
	for i, m := range x.Imports {
		if i == 0 {
			b.WriteString("\nimports\n")
		}
		fmt.Fprintf(&b, "%d %q", m.Line, m.Path)
		for _, part := range [][2]string{{" name ", m.Name}, {" as ", m.Alias}} {
			if part[1] != "" {
				b.WriteString(part[0] + part[1])
			}
		}
		if m.Exported {
			b.WriteString(" exported")
		}
		b.WriteString(in(m.From) + "\n")
	}
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf(" binding %d", n)
	}
	b.WriteString("\nreferences\n")
	for _, r := range x.References {
		on := ""
		if r.On != "" {
			on = " on " + r.On
		}
		fmt.Fprintf(&b, "%d %s %s%s%s%s\n", r.Line, r.Kind, r.Name, on, number(r.Binding), in(r.From))
	}
	for i, m := range x.Bindings {
		if i == 0 {
			b.WriteString("\nbindings\n")
		}
		fmt.Fprintf(&b, "%d %s", i+1, m.Name)
		for _, part := range [][2]string{{" type ", m.Type}, {" value ", m.Value}} {
			if part[1] != "" {
				b.WriteString(part[0] + part[1])
			}
		}
		if m.Attribute {
			b.WriteString(" attribute")
		}
		b.WriteString(number(m.Head) + in(m.Symbol) + "\n")
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
