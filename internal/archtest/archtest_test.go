// Package archtest holds the import table of the product as a test: an arrow between two packages that the table does
// not list fails, and so does an entry that nothing uses. It parses files in-process, since a test that shells out to
// the go command can be answered from the test cache. docs/ARCHITECTURE.md explains the layers.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "agenvantage"

// allowed maps a package to the packages of this module that its non-test files may import ("." is the root package).
var allowed = map[string][]string{
	".":                            {},
	"analysis":                     {"."},
	"scan/redact":                  {},
	"scan":                         {".", "scan/git", "scan/redact"},
	"scan/git":                     {"."},
	"scan/watch":                   {".", "scan/git"},
	"scan/history":                 {".", "scan/git", "scan/redact"},
	"extract":                      {".", "internal/clip"},
	"graph":                        {"."},
	"plan":                         {".", "analysis"},
	"channels":                     {".", "analysis", "internal/pathglob", "internal/topk"},
	"fusion":                       {"."},
	"rerank":                       {".", "analysis", "internal/clip", "internal/hosted"},
	"embed":                        {".", "internal/hosted"},
	"embed/ngrams":                 {"analysis", "embed"},
	"embed/static":                 {".", "embed"},
	"embed/static/corpus":          {".", "analysis", "extract", "internal/atomicfile", "scan"},
	"embed/static/train":           {".", "embed/static", "embed/static/corpus", "internal/atomicfile"},
	"embed/static/cmd/staticmodel": {".", "embed", "embed/static", "embed/static/corpus", "embed/static/train", "extract", "index", "scan"},
	"embed/store":                  {".", "embed"},
	"embed/runner":                 {".", "embed", "embed/store", "internal/pathglob"},
	"index/meta":                   {"."},
	"index/commits":                {".", "analysis", "scan/history"},
	"index/lexical":                {"analysis", "internal/atomicfile"},
	"index/vector":                 {".", "internal/topk"},
	"index":                        {".", "index/meta", "index/lexical", "analysis", "scan", "extract", "internal/atomicfile"},
	"pipeline":                     {".", "plan", "channels", "fusion", "rerank"},
	"configs":                      {".", "analysis"},
	"pack":                         {".", "internal/visible"},
	"pack/repomap":                 {".", "internal/count"},
	"tokens":                       {"."},
	"ablations":                    {".", "internal/atomicfile", "internal/count"},
	"internal/app": {".", "scan", "scan/redact", "scan/git", "scan/history", "scan/watch", "extract", "graph", "plan", "channels", "fusion", "rerank", "embed", "embed/ngrams", "embed/runner", "embed/static", "embed/store", "index", "index/commits", "index/vector", "pipeline", "analysis", "pack", "pack/repomap", "tokens",
		"ablations", "configs", "internal/atomicfile", "internal/clip", "internal/count", "server"},
	"server":                 {".", "internal/loopback"},
	"client":                 {".", "internal/app", "configs"},
	"internal/setup":         {".", "internal/atomicfile"},
	"internal/doctor":        {".", "internal/app", "internal/count", "internal/loopback", "internal/setup", "scan/watch"},
	"cmd/agenvantage":        {".", "ablations", "internal/app", "internal/count", "internal/doctor", "internal/setup", "internal/traces", "internal/visible", "configs", "server"},
	"internal/traces":        {".", "scan/redact", "server"},
	"internal/bench":         {".", "configs", "internal/app"},
	"internal/bench/load":    {},
	"internal/bench/vectors": {"index/vector"},
	"internal/archtest":      {},
	"internal/visible":       {},
	"internal/hosted":        {".", "internal/loopback"},
	"internal/atomicfile":    {},
	"internal/clip":          {},
	"internal/count":         {},
	"internal/declared":      {},
	"internal/loopback":      {},
	"internal/pathglob":      {},
	"internal/topk":          {},
	"embed/embedtest":        {},
	"internal/e2e":           {},
}

// externalOnlyIn names dependencies that only these packages may use: another importer would spread a concrete engine.
var externalOnlyIn = map[string][]string{
	"github.com/blevesearch":             {"index/lexical"},
	"github.com/mattn/go-sqlite3":        {"index/meta", "index/commits", "embed/store"},
	"github.com/smacker/go-tree-sitter":  {"extract"},
	"github.com/spf13/viper":             {"configs"},
	"github.com/spf13/cobra":             {"cmd/agenvantage"},
	"github.com/tiktoken-go":             {"tokens"},
	"github.com/fsnotify":                {"scan/watch"},
	"github.com/tailscale/hujson":        {"internal/setup"},
	"github.com/pelletier/go-toml":       {"internal/setup"},
	"github.com/modelcontextprotocol":    {"server"},
	"go.opentelemetry.io":                {"internal/traces"},
	"github.com/ollama":                  {"embed"},
	"github.com/philippgille/chromem-go": {"index/vector"},
}

func TestImportTable(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]map[string]bool{}
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(file, root), string(filepath.Separator)))
		if d.IsDir() {
			name := d.Name()
			if rel != "" && (strings.HasPrefix(name, ".") || name == "testdata" || name == "tools" || name == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		pkg := path.Dir(rel)
		want, known := allowed[pkg]
		if !known {
			t.Errorf("%s: package %q is not in the import table", rel, pkg)
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			for prefix, only := range externalOnlyIn {
				if (name == prefix || strings.HasPrefix(name, prefix+"/")) && !slices.Contains(only, pkg) {
					t.Errorf("%s imports %s, which only %s may use", rel, name, strings.Join(only, ", "))
				}
			}
			target := ""
			switch {
			case name == module:
				target = "."
			case strings.HasPrefix(name, module+"/"):
				target = strings.TrimPrefix(name, module+"/")
			default:
				if pkg == "." && strings.Contains(strings.SplitN(name, "/", 2)[0], ".") {
					t.Errorf("%s imports %s: the root package imports the standard library only", rel, name)
				}
				continue
			}
			if used[pkg] == nil {
				used[pkg] = map[string]bool{}
			}
			used[pkg][target] = true
			if !slices.Contains(want, target) {
				t.Errorf("%s imports %s: no such arrow in the import table", rel, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, targets := range allowed {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(pkg))); err != nil {
			t.Errorf("the import table names %q, which does not exist", pkg)
		}
		for _, target := range targets {
			if !used[pkg][target] {
				t.Errorf("the import table lets %s import %s, and nothing does: remove the arrow", pkg, target)
			}
		}
	}
}
