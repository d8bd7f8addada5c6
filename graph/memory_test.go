package graph

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/extract"
)

// memory is a corpus in memory. Files are extracted once and kept by their text.
type memory struct {
	paths []string
	files map[string]*memoryFile
	named map[string][]agenvantage.Node
	first map[agenvantage.Node]agenvantage.Node // declarations of one thing -> the first, for oracles
}

type memoryFile struct {
	text string
	x    agenvantage.Extraction
	lang string
	cls  agenvantage.Class
}

var languageOf = map[string]string{".go": "go", ".py": "python", ".md": "markdown", ".rst": "rst", ".txt": "text", ".js": "javascript", ".ts": "typescript",
	".tsx": "tsx", ".java": "java", ".rs": "rust", ".rb": "ruby", ".php": "php", ".kt": "kotlin", ".cs": "csharp", ".c": "c", ".h": "c", ".cpp": "cpp", ".hpp": "cpp",
	".json": "json", ".toml": "toml", ".yaml": "yaml", ".yml": "yaml", ".scala": "scala", ".swift": "swift", ".lua": "lua", ".sh": "bash", ".vue": "vue", ".svelte": "svelte", ".mjs": "javascript", ".jsx": "javascript", ".cjs": "javascript", ".bash": "bash", ".mod": "gomod", ".ex": "elixir", ".exs": "elixir", ".cc": "cpp", ".hh": "cpp", ".kts": "kotlin"}

// newMemory extracts files; those of before with the same text are taken over.
func newMemory(t testing.TB, files map[string]string, before *memory) *memory {
	t.Helper()
	e, err := extract.New(extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := &memory{paths: slices.Sorted(maps.Keys(files)), files: map[string]*memoryFile{}, named: map[string][]agenvantage.Node{}}
	for i, p := range m.paths {
		f := &memoryFile{text: files[p], lang: languageOf[path.Ext(p)]}
		switch base := path.Base(p); {
		case base == "Dockerfile":
			f.lang = "dockerfile"
		case base == "Makefile":
			f.lang = "make"
		}
		if isTestPath(p) {
			f.cls |= agenvantage.ClassTest
		}
		if before != nil && before.files[p] != nil && before.files[p].text == f.text {
			f = before.files[p]
		} else if f.x, err = e.Extract(context.Background(), extract.Input{Path: p, Lang: f.lang, Text: f.text}); err != nil {
			t.Fatal(err)
		}
		m.files[p] = f
		for s := range f.x.Symbols {
			name := f.x.Symbols[s].Name
			m.named[name] = append(m.named[name], agenvantage.Node{File: uint32(i), Symbol: s})
		}
	}
	return m
}

// isTestPath is a rough stand-in for the scanner's rule.
func isTestPath(p string) bool {
	base := path.Base(p)
	return strings.Contains(base, "_test.") || strings.HasPrefix(base, "test_") || strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") ||
		strings.Contains("/"+p, "/test/") || strings.Contains("/"+p, "/tests/") || strings.HasSuffix(base, "Test.java") || strings.HasSuffix(base, "Test.php")
}

func (m *memory) FileCount() int                   { return len(m.paths) }
func (m *memory) Path(f uint32) string             { return m.paths[f] }
func (m *memory) Lang(f uint32) string             { return m.files[m.paths[f]].lang }
func (m *memory) Class(f uint32) agenvantage.Class { return m.files[m.paths[f]].cls }
func (m *memory) Find(p string) (uint32, bool) {
	i, ok := slices.BinarySearch(m.paths, p)
	return uint32(i), ok
}
func (m *memory) Facts(f uint32) (*agenvantage.Extraction, error) { return &m.files[m.paths[f]].x, nil }
func (m *memory) Uses(f uint32) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	x := &m.files[m.paths[f]].x
	return x.References, x.Bindings, nil
}
func (m *memory) Text(f uint32) (string, error)                 { return m.files[m.paths[f]].text, nil }
func (m *memory) Named(name string) ([]agenvantage.Node, error) { return m.named[name], nil }

// node is "path" or "path name" for people.
func (m *memory) node(n agenvantage.Node) string {
	p := m.paths[n.File]
	if n.Symbol < 0 {
		return p
	}
	return p + " " + m.files[p].x.Symbols[n.Symbol].Qualified
}

// edge is "src/a.py:12 load -calls/resolved-> src/b.py save".
func (m *memory) edge(e agenvantage.Edge) string {
	from := ""
	if e.From.Symbol >= 0 {
		from = " " + m.files[m.paths[e.From.File]].x.Symbols[e.From.Symbol].Qualified
	}
	return fmt.Sprintf("%s:%d%s -%s/%s-> %s", m.paths[e.From.File], e.Line, from, e.Kind, e.Confidence, m.node(e.To))
}

func symbolNamed(name, signature string) agenvantage.Symbol {
	return agenvantage.Symbol{Name: name, Signature: signature}
}
