package index

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/index/meta"
)

// sameNames is a Linker that links each symbol to the symbols of its name in other files, and, for a word "needs PATH" in the
// text, the file to that path. "crash the linker" in a text makes it panic.
type sameNames struct {
	resolved atomic.Int64
	hang     bool // on files whose text says "hang"
}

func (l *sameNames) Provides(path string, x *agenvantage.Extraction, text func() (string, error)) ([]string, error) {
	keys, names := []string{"p:" + path + "\x00"}, ""
	for i := range x.Symbols {
		keys = append(keys, "n:"+x.Symbols[i].Name+"\x00"+path)
		names += x.Symbols[i].Name + " "
	}
	keys = append(keys, "f:"+path+"\x00"+names)
	slices.Sort(keys)
	_, err := text()
	return keys, err
}

func (l *sameNames) FileKey(path string) string { return "f:" + path }

func (l *sameNames) ChangedKeys(before, now []string) []string {
	keys := map[string]bool{}
	for _, list := range [][2][]string{{before, now}, {now, before}} {
		for _, item := range list[0] {
			if !slices.Contains(list[1], item) {
				key, _, _ := strings.Cut(item, "\x00")
				keys[key] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

func (l *sameNames) Resolver(c LinkCorpus) LinkResolver { return &sameNamesResolver{l, c} }

type sameNamesResolver struct {
	*sameNames
	c LinkCorpus
}

func (r *sameNamesResolver) Resolve(f uint32) (Links, error) {
	r.resolved.Add(1)
	text, err := r.c.Text(f)
	if err != nil {
		return Links{}, err
	}
	if strings.Contains(text, "crash the linker") {
		panic("linker crashed")
	}
	for r.hang && strings.Contains(text, "hang") {
		if _, err := r.c.Facts(f); err != nil {
			return Links{}, err
		}
	}
	x, err := r.c.Facts(f)
	if err != nil {
		return Links{}, err
	}
	refs, _, err := r.c.Uses(f)
	l := Links{Unresolved: map[string]int{"unknown": len(refs)}}
	depends := map[string]bool{}
	for i := range x.Symbols {
		depends["n:"+x.Symbols[i].Name] = true
		nodes, err := r.c.Named(x.Symbols[i].Name)
		if err != nil {
			return Links{}, err
		}
		for _, n := range nodes {
			if n.File != f {
				depends["f:"+r.c.Path(n.File)] = true
				l.Edges = append(l.Edges, agenvantage.Edge{From: agenvantage.Node{File: f, Symbol: i}, To: n, Kind: agenvantage.EdgeReferences, Line: x.Symbols[i].NameLine, Confidence: agenvantage.ByName})
			}
		}
	}
	l.DependsOn = slices.Sorted(maps.Keys(depends))
	return l, err
}

func linkedRefresh(t testing.TB, ix *Index, src Source, l Linker, workers int) Summary {
	t.Helper()
	s, err := ix.Update(context.Background(), UpdateRequest{Source: src, Extractor: paragraphs{}, Linker: l, Workers: workers})
	must(t, err)
	return s
}

// dumpLinks is the links of every file, with paths and names for numbers.
func dumpLinks(t testing.TB, v *View) []string {
	t.Helper()
	var out []string
	node := func(n agenvantage.Node) string {
		x, err := v.Facts(n.File)
		must(t, err)
		if n.Symbol < 0 {
			return v.File(n.File).Path
		}
		return v.File(n.File).Path + " " + x.Symbols[n.Symbol].Name
	}
	for f := range uint32(v.FileCount()) {
		l, err := v.Links(f)
		must(t, err)
		out = append(out, fmt.Sprintf("%s unresolved %v failure %q", v.File(f).Path, l.Unresolved, l.Failure))
		for _, e := range l.Edges {
			out = append(out, fmt.Sprintf("%s:%d %s %s %s", node(e.From), e.Line, e.Kind, e.Confidence, node(e.To)))
		}
	}
	return out
}

func TestLinksAreStored(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "def one\ndef two\n", "b": "x\n\ndef two\n", "c": "def three\n"})
	linkedRefresh(t, ix, src, &sameNames{}, 0)
	v := view(t, ix)
	sameDump(t, dumpLinks(t, v), []string{
		`a unresolved map[unknown:2] failure ""`, "a two:2 references name b two",
		`b unresolved map[unknown:1] failure ""`, "b two:3 references name a two",
		`c unresolved map[unknown:1] failure ""`,
	})
	if edges, bytes, err := v.LinkStats(); err != nil || edges != 2 || bytes == 0 {
		t.Errorf("%d edges, %d bytes, %v", edges, bytes, err)
	}
	nodes, err := v.Named("two")
	must(t, err)
	if want := []agenvantage.Node{{File: 0, Symbol: 1}, {File: 1, Symbol: 0}}; !slices.Equal(nodes, want) {
		t.Errorf("named two: %v", nodes)
	}
	if nodes, _ := v.Named("four"); len(nodes) != 0 {
		t.Errorf("named four: %v", nodes)
	}
	total := atomic.Int64{}
	must(t, v.EachLinks(t.Context(), func(f uint32, l Links) { total.Add(int64(len(l.Edges))) }))
	if total.Load() != 2 {
		t.Errorf("%d edges visited", total.Load())
	}
}

// Only the files that a change touches are resolved again.
func TestUpdateResolvesWhatItTouches(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("f%02d", i)] = fmt.Sprintf("def own%d\n", i)
	}
	files["f00"], files["f01"] = "def shared\n", "def shared\n"
	ix, src, l := openIndex(t, t.TempDir()), newTree(files), &sameNames{}
	linkedRefresh(t, ix, src, l, 0)
	for _, c := range []struct {
		name string
		edit func()
		want int64
	}{
		{"nothing", func() {}, 0},
		{"a file that no other touches", func() { src.put("f30", "def own30\nmore\n") }, 1},
		{"one of two with a name, which stays", func() { src.put("f01", "def shared\nmore\n") }, 1}, // the links of the other follow
		{"a name goes", func() { src.put("f01", "def other\n") }, 2},
		{"a name comes", func() { src.put("f02", "def shared\n") }, 2},
		{"a file goes", func() { src.remove("f02") }, 1},
		{"a file comes", func() { src.put("f99", "def shared\n") }, 2},
	} {
		l.resolved.Store(0)
		c.edit()
		linkedRefresh(t, ix, src, l, 0)
		if got := l.resolved.Load(); got != c.want {
			t.Errorf("%s: %d files resolved, want %d", c.name, got, c.want)
		}
		fresh := openIndex(t, filepath.Join(t.TempDir(), "fresh"))
		linkedRefresh(t, fresh, src, &sameNames{}, 0)
		sameDump(t, dumpLinks(t, view(t, ix)), dumpLinks(t, view(t, fresh)))
	}
}

func TestUpdatedLinksEqualFresh(t *testing.T) {
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 9))
		ix, src := openIndex(t, t.TempDir()), newTree(nil)
		for range 8 {
			edit(rng, src)
			linkedRefresh(t, ix, src, &sameNames{}, 1+rng.IntN(6))
			fresh := openIndex(t, filepath.Join(t.TempDir(), "fresh"))
			linkedRefresh(t, fresh, src, &sameNames{}, 1)
			sameDump(t, dumpLinks(t, view(t, ix)), dumpLinks(t, view(t, fresh)))
		}
	}
}

// A reader has files and edges of one state: the old one until the new one is whole.
func TestLinksAreThoseOfTheGeneration(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "def one\n", "b": "def one\n"})
	linkedRefresh(t, ix, src, &sameNames{}, 0)
	old := view(t, ix)
	before := dumpLinks(t, old)
	src.put("b", "def two\n")
	linkedRefresh(t, ix, src, &sameNames{}, 0)
	sameDump(t, dumpLinks(t, old), before)
	sameDump(t, dumpLinks(t, view(t, ix)), []string{`a unresolved map[unknown:1] failure ""`, `b unresolved map[unknown:1] failure ""`})
}

// A file on which the linker fails has no edges, says why, and is tried again when anything changes.
func TestLinkerFailureStaysInItsFile(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "def one\n", "b": "def one\ncrash the linker\n", "c": "def one\n"})
	l := &sameNames{}
	linkedRefresh(t, ix, src, l, 1)
	v := view(t, ix)
	failed, err := v.Links(1)
	must(t, err)
	if !strings.Contains(failed.Failure, "linker crashed") || len(failed.Edges) != 0 {
		t.Errorf("%+v", failed)
	}
	if ok, err := v.Links(2); err != nil || ok.Failure != "" || len(ok.Edges) != 2 {
		t.Errorf("the file after it: %+v %v", ok, err)
	}
	l.resolved.Store(0)
	src.put("d", "text\n")
	linkedRefresh(t, ix, src, l, 1)
	if got := l.resolved.Load(); got != 2 {
		t.Errorf("%d files resolved, want the new one and the failed one", got)
	}
}

func TestLinkerTimeout(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "def one\nhang\n", "b": "def one\n"})
	linkedRefresh(t, ix, src, &sameNames{}, 1)
	u := &update{ix: ix, req: UpdateRequest{Linker: &sameNames{hang: true}, Progress: func(Progress) {}}, links: newLinking(nil)}
	must(t, u.open())
	must(t, u.facts.Begin())
	defer u.abandon()
	names, err := newNameIndex(u.catalog.Files, u.facts.EachName)
	must(t, err)
	r := &containedResolver{linker: u.req.Linker, corpus: &linkCorpus{rows: u.catalog.Files, facts: u.facts, names: names}, timeout: 20 * time.Millisecond}
	row, err := r.resolve(context.Background(), 0)
	must(t, err)
	got, err := meta.DecodeLinks(row.File, row.Blob)
	must(t, err)
	if !strings.HasPrefix(got.Failure, timedOut) || slices.Contains(row.Depends, dependsOnAll) {
		t.Errorf("failure %q, depends %v", got.Failure, row.Depends)
	}
	r.timeout = time.Minute
	if row, err = r.resolve(context.Background(), 1); err != nil || row.Edges != 1 {
		t.Errorf("the file after it: %+v %v", row, err)
	}
}
