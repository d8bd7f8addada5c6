package graph

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestGolden resolves the small repositories of testdata/LANG. The last files of an archive are what is expected: "edges"
// lists every edge but those of kind defines, written by hand from the rules of the language; "not" lists edges, or the
// beginnings of edges, that a careless resolver would make; "unresolved", if it is there, lists counts by reason.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(name, "testdata/")), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files, expected := map[string]string{}, map[string][]string{}
			for _, f := range archive.Files {
				switch f.Name {
				case "edges", "not":
					expected[f.Name] = linesOf(string(f.Data))
				default:
					files[f.Name] = string(f.Data)
				}
			}
			m := newMemory(t, files, nil)
			var have []string
			for f := range uint32(m.FileCount()) {
				links, err := NewResolver(m).Resolve(f)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range links.Edges {
					if e.Kind != agenvantage.EdgeDefines {
						have = append(have, m.edge(e))
					}
				}
			}
			want := expected["edges"]
			for _, line := range want {
				if !slices.Contains(have, line) {
					t.Errorf("missing   %s", line)
				}
			}
			for _, line := range have {
				if !slices.Contains(want, line) {
					t.Errorf("not named %s", line)
				}
				for _, not := range expected["not"] {
					if strings.HasPrefix(line, not) {
						t.Errorf("forbidden %s", line)
					}
				}
			}
			if os.Getenv("GRAPH_SHOW") != "" {
				t.Log("\n" + strings.Join(have, "\n"))
			}
		})
	}
}

// linesOf are the lines with text, without comments.
func linesOf(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}
