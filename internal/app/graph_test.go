package app

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// graphVariants are texts that the files of a small repository can have; "" means that the file is not there.
var graphVariants = map[string][]string{
	"go.mod": {"module m\n", "module other\n", ""},
	"a/a.go": {
		"package a\n\ntype T struct{}\n\nfunc (t *T) Run() *T { return t }\n\nfunc Make() *T { return &T{} }\n",
		"package a\n\nimport \"m/b\"\n\ntype T struct{ b.Base }\n\nfunc Make() *T { return &T{} }\n",
		"package a\n\n\n\nfunc Make() int { return 1 }\n", "",
	},
	"a/a_test.go": {"package a\n\nfunc TestMake() { Make().Run() }\n", ""},
	"b/b.go":      {"package b\n\ntype Base struct{}\n\nfunc (b Base) Run() Base { return b }\n", "package b\n\ntype Base int\n", ""},
	"c/c.go":      {"package c\n\nimport \"m/a\"\n\nfunc use() { v := a.Make(); v.Run() }\n", "package c\n\nimport . \"m/a\"\n\nfunc use() { Make() }\n", "func broken( {\n"},
	"p/m.py":      {"from .k import K\n\ndef load(k: K):\n    return k.run()\n", "def load(k):\n    return k.special_run()\n", ""},
	"p/k.py":      {"class K:\n    def run(self):\n        return self.special_run()\n\n    def special_run(self):\n        pass\n", "class K:\n    pass\n", ""},
	"README.md":   {"# Use\n\nCall `Make()` of `a/a.go`, see [k](p/k.py).\n", "# Use\n\nNothing.\n"},
}

// dumpGraph is the links of every file in words.
func dumpGraph(t *testing.T, w *world) []string {
	t.Helper()
	p, err := w.pin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.release()
	c := p.corpus
	name := func(n agenvantage.Node) string {
		x, err := c.Facts(n.File)
		if err != nil {
			t.Fatal(err)
		}
		if n.Symbol < 0 {
			return c.Path(n.File)
		}
		return fmt.Sprintf("%s %s@%d", c.Path(n.File), x.Symbols[n.Symbol].Qualified, x.Symbols[n.Symbol].NameLine)
	}
	var out []string
	for f := range uint32(c.FileCount()) {
		l, err := c.Links(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(c.Path(f), " ", l.Unresolved, l.Failure))
		for _, e := range l.Edges {
			out = append(out, fmt.Sprintf("  %s:%d %s %s %s", name(e.From), e.Line, e.Kind, e.Confidence, name(e.To)))
		}
	}
	return out
}

// Whatever is edited, and with however many workers: the stored edges equal those of an index from nothing.
func TestStoredEdgesEqualThoseFromNothing(t *testing.T) {
	var paths []string
	for path := range graphVariants {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	edges := 0
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 3))
		w := newWorld(t, files{"a/a.go": graphVariants["a/a.go"][0], "keep.txt": "text\n"})
		for step := range 12 {
			for range 1 + rng.IntN(3) {
				path := paths[rng.IntN(len(paths))]
				if text := graphVariants[path][rng.IntN(len(graphVariants[path]))]; text != "" {
					w.write(files{path: text})
				} else {
					if err := os.Remove(w.path(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
						t.Fatal(err)
					}
				}
			}
			update := w.open(fmt.Sprintf("index.workers=%d", 1+rng.IntN(4)))
			update.mustIndex()
			fresh := w.open("index.workers=1", "index_dir="+filepath.Join(t.TempDir(), "fresh"))
			fresh.mustIndex()
			got, want := dumpGraph(t, update), dumpGraph(t, fresh)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, step %d: updated\n%s\nfrom nothing\n%s", seed, step, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			edges += len(want)
		}
	}
	if edges < 200 {
		t.Errorf("only %d lines were compared", edges)
	}
}

// An edit of one file leaves the edges of files that do not depend on it, and the state tells what the channel holds.
func TestStatusTellsTheGraph(t *testing.T) {
	w := newWorld(t, files{"go.mod": "module m\n", "a/a.go": graphVariants["a/a.go"][0], "c/c.go": graphVariants["c/c.go"][0]})
	w.mustIndex()
	var exact, graph ChannelStatus
	s := w.status()
	for _, c := range s.Channels {
		switch c.Name {
		case "exact":
			exact = c
		case "graph":
			graph = c
		}
	}
	// defines: T, T.Run, Make, use. calls: use to Make and Run. Others: mentions of T, the import.
	if graph.Status != agenvantage.StatusOK || graph.Items < 7 || graph.Bytes <= 0 || exact.Bytes <= 0 {
		t.Errorf("graph %+v, exact %+v", graph, exact)
	}
	r := w.askAgain(SearchRequest{Query: "Make", Channels: []string{"graph"}})
	if len(r.Results) == 0 || r.Results[0].Path != "a/a.go" {
		t.Errorf("the channel finds %s", found(r))
	}
	if auto := w.ask("Make"); slices.ContainsFunc(auto.Channels, func(c agenvantage.ChannelReport) bool {
		return c.Name == "graph" && c.Status != agenvantage.StatusOff
	}) {
		t.Errorf("auto asks the graph without a verdict: %+v", auto.Channels)
	}
}
