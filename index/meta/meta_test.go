package meta

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"agenvantage"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func row(id uint32, path string) FileRow {
	r := FileRow{ID: id, SeenNS: 7_000_000_000, State: agenvantage.ParsePartial, Chunks: 2, Symbols: 3}
	r.File = agenvantage.File{Path: path, Size: 11, ModNS: 5_000_000_000, ChangeNS: 6_000_000_000, Lang: "go", Class: agenvantage.ClassTest, Encoding: "utf-8", Masked: 4}
	for i := range r.Hash {
		r.Hash[i] = byte(id) + byte(i)
	}
	for i := range r.Tokens {
		r.Tokens[i] = id*1000 + uint32(i)
	}
	return r
}

var extraction = agenvantage.Extraction{
	State: agenvantage.ParsePartial,
	Symbols: []agenvantage.Symbol{
		{Name: "Mux", Qualified: "Mux", Kind: agenvantage.KindStruct, Signature: "type Mux struct", Doc: "Mux routes.", Visibility: "public", Span: agenvantage.Span{StartLine: 3, EndLine: 9}, NameLine: 4, Parent: -1},
		{Name: "Serve", Qualified: "Mux.Serve", Kind: agenvantage.KindMethod, Span: agenvantage.Span{StartLine: 5, EndLine: 5}, NameLine: 5, Parent: 0, Signature: "func (m *Mux) Serve() *Mux", Type: "*Mux"},
		{Name: "hook", Qualified: "Mux.hook", Kind: agenvantage.KindField, Span: agenvantage.Span{StartLine: 6, EndLine: 6}, NameLine: 6, Parent: 0, Signature: "hook", Value: "New().hook"},
	},
	Chunks: []agenvantage.Chunk{
		{Span: agenvantage.Span{StartLine: 1, EndLine: 2}, Kind: agenvantage.ChunkHeader, Owner: -1},
		{Span: agenvantage.Span{StartLine: 3, EndLine: 9}, Kind: agenvantage.KindStruct, Symbols: []int{0, 1}, Owner: 0},
	},
	Package: "web",
	Imports: []agenvantage.Import{{Path: "net/http", Line: 1, From: -1}, {Path: "./m", Name: "a", Alias: "b", Line: 3, From: 0, Exported: true}},
	References: []agenvantage.Reference{{Kind: agenvantage.RefImport, Name: "net/http", Line: 1, From: -1}, {Kind: agenvantage.RefCall, Name: "http.Handle", Line: 7, From: 1},
		{Kind: agenvantage.RefCall, Name: "Read", On: "x.open()", Line: 7, From: 1, Binding: 2}},
	Bindings: []agenvantage.Binding{{Name: "cache", Type: "Cache", Symbol: 0, Attribute: true}, {Name: "x", Value: "y.first[]", Symbol: 1, Head: 1}},
}

func create(t *testing.T) (*Writer, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "odd name?#%41.db")
	w, err := Create(file)
	must(t, err)
	return w, file
}

func TestRoundTrip(t *testing.T) {
	w, file := create(t)
	a, b := row(1, "a \xff\n.go"), row(2, "b.go")
	looked := SkipRow{Skip: agenvantage.Skip{Path: "bin\xfe", Reason: agenvantage.SkipBinary, Detail: "NUL", Size: 3}, Looked: true, DiskSize: 3, ModNS: 1, ChangeNS: 2, SeenNS: 3}
	listed := SkipRow{Skip: agenvantage.Skip{Path: "big", Reason: agenvantage.SkipTooLarge, Size: 9, Limit: 8}}
	must(t, w.Begin())
	must(t, w.PutFile(&a, Encode("text of a\n", extraction)))
	must(t, w.PutFile(&b, Encode("", agenvantage.Extraction{State: agenvantage.ParseText})))
	must(t, w.ReplaceSkips([]SkipRow{listed, looked}))
	head := Head{Generation: 3, NextFile: 9, Revision: "abc", Branch: "main", Candidates: 5, UpdatedNS: 77}
	catalog := &Catalog{Files: []FileRow{a, b}, Looks: []SkipRow{looked}}
	must(t, w.Commit(head, catalog))
	gotHead, gotCatalog, err := w.Load()
	must(t, err)
	if gotHead != head || !reflect.DeepEqual(gotCatalog, catalog) {
		t.Errorf("load: %+v %+v", gotHead, gotCatalog)
	}
	rows, err := readRows(w.db)
	must(t, err)
	if !reflect.DeepEqual(rows, catalog) {
		t.Errorf("rows differ from the blob:\n%+v\n%+v", rows, catalog)
	}
	must(t, w.Close())

	r, err := Open(context.Background(), file)
	must(t, err)
	defer r.Close()
	c, err := r.Catalog()
	must(t, err)
	if r.Head() != head || !reflect.DeepEqual(c, catalog) {
		t.Errorf("open: %+v %+v", r.Head(), c)
	}
	text, err := r.Text(1)
	must(t, err)
	facts, err := r.Facts(1)
	must(t, err)
	refs, bindings, err := r.Uses(1)
	must(t, err)
	facts.References, facts.Bindings = refs, bindings
	if text != "text of a\n" || !reflect.DeepEqual(*facts, extraction) {
		t.Errorf("contents: %q %+v", text, facts)
	}
	if text, err := r.Text(2); text != "" || err != nil {
		t.Errorf("empty text: %q %v", text, err)
	}
	if _, err := r.Text(99); !errors.Is(err, ErrCorrupt) {
		t.Errorf("unknown file: %v", err)
	}
	skips, err := r.Skips()
	must(t, err)
	if n, _ := r.CountSkips(); n != 2 || !reflect.DeepEqual(skips, []SkipRow{listed, looked}) {
		t.Errorf("skips: %d %+v", n, skips)
	}
}

// A reader keeps its generation while commits go on, and a new one sees the last commit.
func TestReaderIsPinned(t *testing.T) {
	w, file := create(t)
	commit := func(g int, text string) {
		must(t, w.Begin())
		f := row(uint32(g), fmt.Sprintf("f%d", g))
		if g > 1 {
			must(t, w.DeleteFile(uint32(g-1)))
		}
		must(t, w.PutFile(&f, Encode(text, agenvantage.Extraction{})))
		must(t, w.Commit(Head{Generation: uint64(g), NextFile: uint32(g) + 1}, &Catalog{Files: []FileRow{f}}))
	}
	commit(1, "one")
	first, err := Open(context.Background(), file)
	must(t, err)
	defer first.Close()
	commit(2, "two")
	second, err := Open(context.Background(), file)
	must(t, err)
	defer second.Close()
	must(t, w.Begin())
	must(t, w.DeleteFile(2)) // not committed
	for n, r := range map[int]*Reader{1: first, 2: second} {
		text, err := r.Text(uint32(n))
		if err != nil || r.Head().Generation != uint64(n) || text != []string{"", "one", "two"}[n] {
			t.Errorf("reader %d: generation %d, %q, %v", n, r.Head().Generation, text, err)
		}
	}
	w.Rollback()
	must(t, w.Close())
}

func TestTouchAndCheckpoint(t *testing.T) {
	w, _ := create(t)
	f := row(1, "f")
	must(t, w.Begin())
	must(t, w.PutFile(&f, Content{Text: []byte{}, Facts: []byte{}, Refs: []byte{}}))
	must(t, w.Commit(Head{NextFile: 2}, nil))
	f.ModNS, f.SeenNS = 8, 9
	must(t, w.Begin())
	must(t, w.TouchFile(&f))
	must(t, w.Commit(Head{NextFile: 2}, nil))
	_, c, err := w.Load()
	must(t, err)
	if len(c.Files) != 1 || c.Files[0] != f {
		t.Errorf("%+v", c.Files)
	}
	must(t, w.Close())
}

func TestOpenFaults(t *testing.T) {
	if _, err := Open(context.Background(), filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	for name, content := range map[string]string{"garbage": strings.Repeat("no database ", 500), "empty": "", "short": "SQLite format 3\x00"} {
		file := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(file, []byte(content), 0o644))
		if _, err := Open(context.Background(), file); !errors.Is(err, ErrCorrupt) {
			t.Errorf("reader of %s: %v", name, err)
		}
		w, err := OpenWriter(file)
		if err == nil {
			_, _, err = w.Load()
			w.Close()
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("writer of %s: %v", name, err)
		}
	}
}

func TestReaderIsSafeForConcurrentUse(t *testing.T) {
	w, file := create(t)
	must(t, w.Begin())
	c := &Catalog{}
	for i := range 50 {
		f := row(uint32(i+1), fmt.Sprintf("f%02d", i))
		must(t, w.PutFile(&f, Encode(fmt.Sprint("text ", i+1), extraction)))
		c.Files = append(c.Files, f)
	}
	must(t, w.Commit(Head{Generation: 1, NextFile: 51}, c))
	must(t, w.Close())
	r, err := Open(context.Background(), file)
	must(t, err)
	defer r.Close()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i := range uint32(50) {
				if text, err := r.Text(i + 1); err != nil || text != fmt.Sprint("text ", i+1) {
					t.Errorf("%q %v", text, err)
				}
				if _, err := r.Facts(i + 1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// A store in a folder that cannot be written opens when its last writer has closed it.
func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	w, file := create(t)
	f := row(1, "f")
	must(t, w.Begin())
	must(t, w.PutFile(&f, Encode("text", extraction)))
	must(t, w.Commit(Head{Generation: 1, NextFile: 2}, &Catalog{Files: []FileRow{f}}))
	must(t, w.Close())
	must(t, os.Chmod(filepath.Dir(file), 0o555))
	defer os.Chmod(filepath.Dir(file), 0o755)
	r, err := Open(context.Background(), file)
	must(t, err)
	text, err := r.Text(1)
	if err != nil || text != "text" {
		t.Errorf("%q %v", text, err)
	}
	must(t, r.Close())
	must(t, os.Chmod(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file+"-wal", []byte("unfinished"), 0o644))
	must(t, os.Chmod(filepath.Dir(file), 0o555))
	if _, err := Open(context.Background(), file); !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), filepath.Dir(file)) {
		t.Errorf("unfinished log: %v", err)
	}
}

// Cut and changed blobs give an error or another value, and never a panic or an index out of range.
func TestDecodersSurviveDamage(t *testing.T) {
	facts, refs := encodeFacts(extraction), encodeUses(extraction.References, extraction.Bindings)
	a := row(1, "a")
	catalog := (&Catalog{Files: []FileRow{a, a}, Looks: []SkipRow{{Skip: agenvantage.Skip{Path: "x"}}}}).encode()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, blob := range [][]byte{facts, refs, catalog} {
		for n := range 3000 {
			b := append([]byte(nil), blob...)
			if n < len(b) {
				b = b[:n]
			} else {
				b[rng.IntN(len(b))] ^= byte(1 + rng.IntN(255))
			}
			if x, err := decodeFacts(b); err == nil {
				for _, c := range x.Chunks {
					if c.Owner >= len(x.Symbols) {
						t.Fatal("owner out of range")
					}
				}
			}
			_, _, _ = decodeUses(b)
			if _, err := decodeCatalog(b); err == nil {
				t.Fatal("a damaged catalog is read")
			}
		}
	}
	if _, err := unpack([]byte("no frame")); !errors.Is(err, ErrCorrupt) {
		t.Errorf("%v", err)
	}
}

func TestChunkHashesAreStoredByFile(t *testing.T) {
	w, file := create(t)
	a, b, c := row(1, "a"), row(2, "b"), row(3, "c")
	must(t, w.Begin())
	for f, hashes := range map[*FileRow]string{&a: "0123456789abcdefABCDEFGHIJKLMNOP", &b: "", &c: "odd"} {
		content := Encode("", extraction)
		content.Hashes = []byte(hashes)
		must(t, w.PutFile(f, content))
	}
	must(t, w.Commit(Head{Generation: 1}, &Catalog{Files: []FileRow{a, b, c}}))
	read := func() *Reader {
		r, err := Open(context.Background(), file)
		must(t, err)
		t.Cleanup(func() { r.Close() })
		return r
	}
	r := read()
	got, err := r.ChunkHashes(1)
	must(t, err)
	if len(got) != 2 || string(got[0][:]) != "0123456789abcdef" || string(got[1][:]) != "ABCDEFGHIJKLMNOP" {
		t.Errorf("hashes %q", got)
	}
	for _, id := range []uint32{3, 4} {
		if _, err := r.ChunkHashes(id); !errors.Is(err, ErrCorrupt) {
			t.Errorf("file %d: %v, want ErrCorrupt", id, err)
		}
	}
	if _, _, _, err := r.AllChunkHashes(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("all: %v, want ErrCorrupt", err)
	}
	must(t, w.Begin())
	must(t, w.DeleteFile(3))
	must(t, w.Commit(Head{Generation: 2}, &Catalog{Files: []FileRow{a, b}}))
	files, counts, all, err := read().AllChunkHashes()
	must(t, err)
	if fmt.Sprint(files, counts, len(all)) != "[1 2] [2 0] 2" || all[1] != got[1] {
		t.Errorf("all: %v %v %q", files, counts, all)
	}
	must(t, w.Close())
}
