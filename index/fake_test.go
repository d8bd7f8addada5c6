package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/extract"
	"agenvantage/index/lexical"
	"agenvantage/scan"
)

// tree is a Source in memory. A file whose text begins with "\x00" is left out as binary when it is read.
type tree struct {
	mu       sync.Mutex
	files    map[string]treeFile
	skips    []agenvantage.Skip
	revision string
	reads    atomic.Int64
	readHook func(path string) // before each read
}

type treeFile struct {
	text            string
	modNS, changeNS int64
}

// longAgo is a time at which no file is racy any more.
var longAgo = time.Now().Add(-time.Hour).UnixNano()

func newTree(files map[string]string) *tree {
	t := &tree{files: map[string]treeFile{}}
	for path, text := range files {
		t.put(path, text)
	}
	return t
}

// put writes a file, at a time that is later than that of every put before it.
func (t *tree) put(path, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	longAgo++
	t.files[path] = treeFile{text: text, modNS: longAgo, changeNS: longAgo}
}

func (t *tree) remove(path string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.files, path)
}

func (t *tree) List(ctx context.Context) (scan.Listing, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := scan.Listing{Skips: t.skips, Revision: t.revision, Candidates: len(t.files) + len(t.skips)}
	for _, path := range slices.Sorted(maps.Keys(t.files)) {
		f := t.files[path]
		l.Entries = append(l.Entries, scan.Entry{Path: path, Size: int64(len(f.text)), ModNS: f.modNS, ChangeNS: f.changeNS})
	}
	return l, ctx.Err()
}

func (t *tree) Read(ctx context.Context, e scan.Entry) (scan.Source, *agenvantage.Skip, error) {
	if t.readHook != nil {
		t.readHook(e.Path)
	}
	if err := ctx.Err(); err != nil {
		return scan.Source{}, nil, err
	}
	t.reads.Add(1)
	t.mu.Lock()
	defer t.mu.Unlock()
	f, ok := t.files[e.Path]
	if !ok {
		return scan.Source{}, &agenvantage.Skip{Path: e.Path, Reason: agenvantage.SkipVanished}, nil
	}
	if strings.HasPrefix(f.text, "\x00") {
		return scan.Source{}, &agenvantage.Skip{Path: e.Path, Reason: agenvantage.SkipBinary, Size: e.Size}, nil
	}
	file := agenvantage.File{Path: e.Path, Size: int64(len(f.text)), ModNS: f.modNS, ChangeNS: f.changeNS, Lang: strings.TrimPrefix(filepath.Ext(e.Path), "."), Encoding: "utf-8"}
	for i := range f.text {
		file.Hash[i%16] = file.Hash[i%16]*31 + f.text[i] + byte(i>>4)
	}
	return scan.Source{File: file, Text: f.text}, nil, nil
}

// paragraphs is an Extractor: runs of non-blank lines are chunks, and a line "def NAME" defines NAME.
type paragraphs struct{}

func (paragraphs) Extract(ctx context.Context, in extract.Input) (agenvantage.Extraction, error) {
	x := agenvantage.Extraction{State: agenvantage.ParseFull}
	if strings.Contains(in.Text, "crash the parser") {
		panic("parser crashed")
	}
	at := agenvantage.Chunk{Owner: -1}
	for i, l := range strings.Split(in.Text+"\n", "\n") {
		if strings.TrimSpace(l) == "" {
			if at.Span.StartLine > 0 {
				x.Chunks = append(x.Chunks, at)
				at = agenvantage.Chunk{Owner: -1}
			}
			continue
		}
		if at.Span.StartLine == 0 {
			at.Span.StartLine, at.Kind = i+1, agenvantage.ChunkText
		}
		at.Span.EndLine = i + 1
		if name, ok := strings.CutPrefix(l, "def "); ok {
			at.Symbols = append(at.Symbols, len(x.Symbols))
			x.Symbols = append(x.Symbols, agenvantage.Symbol{Name: name, Qualified: in.Lang + "." + name, Kind: agenvantage.KindFunction, Signature: l, Doc: "documents " + name,
				Span: agenvantage.Span{StartLine: i + 1, EndLine: i + 1}, NameLine: i + 1, Parent: -1})
			x.References = append(x.References, agenvantage.Reference{Kind: agenvantage.RefCall, Name: "called_by_" + name, Line: i + 1, From: -1})
		}
	}
	return x, ctx.Err()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openIndex(t testing.TB, dir string) *Index {
	t.Helper()
	ix, err := Open(dir)
	must(t, err)
	return ix
}

func refresh(t testing.TB, ix *Index, src Source) Summary {
	t.Helper()
	s, err := ix.Update(context.Background(), UpdateRequest{Source: src, Extractor: paragraphs{}})
	must(t, err)
	return s
}

func view(t testing.TB, ix *Index) *View {
	t.Helper()
	v, err := ix.View(context.Background())
	must(t, err)
	t.Cleanup(func() { v.Close() })
	return v
}

// dumpIndex is everything that a reader can see, with paths and chunks instead of numbers, in one order.
func dumpIndex(v *View) ([]string, error) {
	if err := v.LocateAll(); err != nil {
		return nil, err
	}
	out := []string{fmt.Sprintf("files %d chunks %d", v.FileCount(), v.ChunkCount())}
	for _, field := range lexical.Fields {
		out = append(out, fmt.Sprintf("tokens %s %d", field, v.FieldTokens(field)))
		terms := map[string]bool{}
		lines, err := v.TermLines(field)
		if err != nil {
			return nil, err
		}
		for term := range strings.SplitSeq(strings.TrimSuffix(lines, "\n"), "\n") {
			terms[term] = true
		}
		for _, term := range slices.Sorted(maps.Keys(terms)) {
			var hits []string
			err := v.Postings(field, term, func(doc uint32, freq, length int) {
				f, c := v.Locate(doc)
				hits = append(hits, fmt.Sprintf("%s#%d:%d/%d", v.File(f).Path, c, freq, length))
			})
			if err != nil {
				return nil, err
			}
			slices.Sort(hits)
			if len(hits) > 0 {
				out = append(out, fmt.Sprintf("%s %s %v", field, term, hits))
			}
		}
	}
	for f := range uint32(v.FileCount()) {
		x, err := v.Facts(f)
		if err != nil {
			return nil, err
		}
		text, err := v.Text(f)
		if err != nil {
			return nil, err
		}
		refs, err := v.References(f)
		if err != nil {
			return nil, err
		}
		hashes, err := v.ChunkHashes(f)
		if err != nil {
			return nil, err
		}
		if all, err := v.AllChunkHashes(); err != nil || !slices.Equal(all[f], hashes) {
			return nil, fmt.Errorf("hashes of %s: %x in the walk, %x alone, %w", v.File(f).Path, all[f], hashes, err)
		}
		out = append(out, fmt.Sprintf("file %+v facts %+v refs %+v text %q hashes %x", *v.File(f), *x, refs, text, hashes))
	}
	skips, err := v.Skips()
	if err != nil {
		return nil, err
	}
	if len(skips) != v.FilesSkipped() {
		return nil, errors.New("count of skips")
	}
	return append(out, fmt.Sprintf("skips %+v revision %q", skips, v.Revision())), nil
}

func dump(t testing.TB, v *View) []string {
	t.Helper()
	d, err := dumpIndex(v)
	must(t, err)
	return d
}

// equalsFresh fails unless the index holds what a fresh one of the same source holds.
func equalsFresh(t testing.TB, ix *Index, src Source) {
	t.Helper()
	fresh := openIndex(t, filepath.Join(t.TempDir(), "fresh"))
	refresh(t, fresh, src)
	sameDump(t, dump(t, view(t, ix)), dump(t, view(t, fresh)))
}

func sameDump(t testing.TB, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			g, w := "nothing", "nothing"
			if i < len(got) {
				g = got[i]
			}
			if i < len(want) {
				w = want[i]
			}
			t.Fatalf("difference at line %d:\ngot  %.300s\nwant %.300s", i, g, w)
		}
	}
}
