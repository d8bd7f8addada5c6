package extract

import (
	"context"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agenvantage"
)

// violations lists what is wrong with an extraction of text; for notebooks chunks need not cover the file.
func violations(text string, x agenvantage.Extraction, covering bool) []string {
	var bad []string
	say := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	lines := newLineTable(text)
	n := lines.count()
	within := func(s agenvantage.Span) bool { return s.StartLine >= 1 && s.EndLine <= n && s.StartLine <= s.EndLine }
	last := 0
	covered := make([]bool, n+1)
	for i, c := range x.Chunks {
		if !within(c.Span) {
			say("chunk %d %v is outside of the file of %d lines", i, c.Span, n)
			return bad
		}
		if c.Span.StartLine <= last {
			say("chunk %d %v begins before the end of the one before, %d", i, c.Span, last)
		}
		last = c.Span.EndLine
		if strings.TrimSpace(lines.slice(c.Span)) == "" && covering {
			say("chunk %d %v is blank", i, c.Span)
		}
		for l := c.Span.StartLine; l <= c.Span.EndLine; l++ {
			covered[l] = true
		}
		if c.Owner >= len(x.Symbols) || c.Owner < -1 {
			say("chunk %d has owner %d of %d", i, c.Owner, len(x.Symbols))
		}
		for _, s := range c.Symbols {
			if s < 0 || s >= len(x.Symbols) || !c.Span.HasLine(x.Symbols[s].NameLine) {
				say("chunk %d lists symbol %d whose name is elsewhere", i, s)
			}
		}
	}
	if covering {
		for l := 1; l <= n; l++ {
			if !covered[l] && !lines.blank(l) {
				say("line %d is in no chunk: %q", l, lines.at(l))
			}
		}
	}
	for i, s := range x.Symbols {
		if !within(s.Span) || !s.Span.HasLine(s.NameLine) {
			say("symbol %d %s has span %v and name line %d in %d lines", i, s.Qualified, s.Span, s.NameLine, n)
		}
		if i > 0 {
			p := x.Symbols[i-1].Span
			if p.StartLine > s.Span.StartLine || p.StartLine == s.Span.StartLine && p.EndLine < s.Span.EndLine {
				say("symbol %d %s is out of order", i, s.Qualified)
			}
		}
		if s.Parent >= len(x.Symbols) || s.Parent < -1 || s.Parent == i {
			say("symbol %d %s has parent %d", i, s.Qualified, s.Parent)
		}
		if s.Name == "" || s.Kind == "" || len(s.Signature) > maxSignatureBytes || len(s.Doc) > maxDocBytes {
			say("symbol %d %q: kind %q, signature of %d bytes, doc of %d", i, s.Name, s.Kind, len(s.Signature), len(s.Doc))
		}
	}
	for _, r := range x.References {
		if r.Line < 1 || r.Line > n || r.From >= len(x.Symbols) || r.From < -1 || r.Name == "" {
			say("reference %+v in %d lines", r, n)
			break
		}
	}
	for _, r := range x.References {
		if r.Binding < 0 || r.Binding > len(x.Bindings) {
			say("reference %+v of %d bindings", r, len(x.Bindings))
			break
		}
	}
	for i, m := range x.Bindings {
		if m.Name == "" || m.Head < 0 || m.Head > len(x.Bindings) || m.Symbol < -1 || m.Symbol >= len(x.Symbols) || m.Type != "" && m.Value != "" {
			say("binding %d %+v", i, m)
			break
		}
	}
	for _, m := range x.Imports {
		if m.Path == "" && (!m.Exported || m.Name == "") || m.Line < 1 || m.Line > n || m.From < -1 || m.From >= len(x.Symbols) {
			say("import %+v in %d lines", m, n)
			break
		}
	}
	return bad
}

// realFiles are the languages of files that the module cache and the Go distribution hold.
var realFiles = map[string]string{".go": "go", ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".py": "python", ".js": "javascript", ".ts": "typescript",
	".md": "markdown", ".sh": "bash", ".yml": "yaml", ".yaml": "yaml", ".toml": "toml", ".json": "json", ".html": "html", ".css": "css", ".proto": "protobuf",
	".sql": "sql", ".rs": "rust", ".java": "java", ".rb": "ruby", ".s": "assembly", ".pl": "perl", ".txt": "text", ".php": "php", ".swift": "swift", ".svelte": "svelte", ".vue": "vue"}

// TestInvariantsOnRealCode extracts files of the module cache and the Go distribution and checks chunks and symbols.
func TestInvariantsOnRealCode(t *testing.T) {
	e := newExtractor(t, Options{})
	cache := filepath.Join(os.Getenv("HOME"), "go", "pkg", "mod")
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		cache = dir
	}
	limit := 150 // files of one language
	if os.Getenv("EXTRACT_ALL") != "" {
		limit = 1 << 30
	}
	count := map[string]int{}
	for _, root := range []string{cache, filepath.Join(build.Default.GOROOT, "src"), filepath.Join(build.Default.GOROOT, "test")} {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			lang := realFiles[filepath.Ext(path)]
			if err != nil || d.IsDir() || lang == "" || count[lang] >= limit {
				return nil
			}
			b, err := os.ReadFile(path)
			if err != nil || len(b) > 300_000 {
				return nil
			}
			count[lang]++
			text := strings.ReplaceAll(strings.ToValidUTF8(string(b), "?"), "\r\n", "\n")
			x, err := e.Extract(context.Background(), Input{Path: path, Lang: lang, Text: text})
			if err != nil {
				t.Fatal(err)
			}
			if bad := violations(text, x, true); len(bad) > 0 {
				t.Errorf("%s: %s", path, strings.Join(bad[:min(3, len(bad))], "; "))
			}
			return nil
		})
	}
	t.Log(count)
}

// A header of C++ is read as C, whose grammar wants a name behind "auto o".
func TestNoBindingWithoutAName(t *testing.T) {
	x := extractText(t, Options{}, "c", "int f(int start) {\n  const auto o = g(start);\n  auto type_field = h(o);\n  return o + type_field;\n}\n")
	for i, b := range x.Bindings {
		if b.Name == "" {
			t.Errorf("binding %d has no name: %+v", i, b)
		}
	}
	if len(x.Bindings) == 0 || x.Bindings[0].Name != "start" {
		t.Errorf("%+v, want the parameter start", x.Bindings)
	}
}
