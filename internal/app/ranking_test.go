package app

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// Parts sum to the score, results are in order, and what a filter leaves is what was there without it.
func TestRankingProperties(t *testing.T) {
	w := newWorld(t, nil)
	if err := os.CopyFS(w.root, os.DirFS("testdata/corpus")); err != nil {
		t.Fatal(err)
	}
	w.mustIndex()
	for _, query := range rankingQueries {
		request := SearchRequest{Query: strings.ReplaceAll(query, `\n`, "\n"), TopK: 1000}
		all := w.askAgain(request)
		found := map[string]bool{}
		for i, x := range all.Results {
			found[x.Path] = true
			sum := 0.0
			for _, p := range x.Parts {
				sum += p.Value
			}
			if diff := sum - x.Score; diff > 1e-12 || diff < -1e-12 {
				t.Errorf("%q: parts of %s sum to %v, its score is %v", query, x.Path, sum, x.Score)
			}
			if i > 0 && all.Results[i-1].Score < x.Score {
				t.Errorf("%q: result %d scores more than the one before", query, i+1)
			}
		}
		for _, filter := range []agenvantage.Filter{{Paths: []string{"server"}}, {NotPaths: []string{"server", "web"}}, {Langs: []string{"python"}}, {Kinds: []agenvantage.SymbolKind{agenvantage.KindFunction}}} {
			request.Filter = filter
			for _, x := range w.askAgain(request).Results {
				if !found[x.Path] {
					t.Errorf("%q with %+v: %s is not there without the filter", query, filter, x.Path)
				}
			}
		}
	}
}

// The order in which files came to the disk, and the index runs that they came in by, do not matter.
func TestRankingsDoNotDependOnTheOrderOfFiles(t *testing.T) {
	var paths []string
	corpus := os.DirFS("testdata/corpus")
	if err := fs.WalkDir(corpus, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, p)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(paths)
	w := newWorld(t, nil)
	for i, p := range paths {
		text, err := fs.ReadFile(corpus, p)
		if err != nil {
			t.Fatal(err)
		}
		w.write(files{p: string(text)})
		if i == len(paths)/2 {
			w.mustIndex()
		}
	}
	w.mustIndex()
	want, err := os.ReadFile(filepath.Join("testdata", "rankings.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if got := rankings(t, w); got != string(want) {
		t.Errorf("files in another order: %s", firstDifference(string(want), got))
	}
}

// moduleQueries are asked of modules that this product is built from; each line of the golden file is the first three files.
var moduleQueries = map[string][]string{
	"github.com/bmatcuk/doublestar/v4": {"PathMatch", "validate a pattern", "how are files walked that match a glob", "split a pattern at its base"},
	"github.com/spf13/cobra":           {"Command", "shell completions for fish", "how are flags required to be set together", "generate man pages", "suggest a command for a typo"},
}

// TestRankingsOfModules compares the first files for questions about real modules with testdata/modules.txt. A module's version is
// pinned by go.mod; a new one may change the file.
func TestRankingsOfModules(t *testing.T) {
	var b strings.Builder
	for _, module := range []string{"github.com/bmatcuk/doublestar/v4", "github.com/spf13/cobra"} {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}} {{.Version}}", module).Output()
		dir, version, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		if err != nil || dir == "" {
			t.Skipf("the module cache does not hold %s: %v", module, err)
		}
		w := newWorld(t, nil)
		if err := os.CopyFS(w.root, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		w.mustIndex()
		fmt.Fprintf(&b, "%s %s\n", module, version)
		for _, query := range moduleQueries[module] {
			var first []string
			for _, x := range w.askAgain(SearchRequest{Query: query, TopK: 20}).Results {
				if len(first) < 3 && !slices.Contains(first, x.Path) {
					first = append(first, x.Path)
				}
			}
			fmt.Fprintf(&b, "  %s: %s\n", query, strings.Join(first, " "))
		}
	}
	file := filepath.Join("testdata", "modules.txt")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s is out of date (rewrite it with -update and read the diff): %s", file, firstDifference(string(want), b.String()))
	}
}
