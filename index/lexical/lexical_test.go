package lexical

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// doc makes a document with a body and one name.
func doc(id ID, body, name string) *Document {
	var a Analyzer
	var tokens [len(Fields)]Tokens
	tokens[FieldIndex(FieldBody)] = a.Text(body)
	tokens[FieldIndex(FieldName)] = Bag(strings.Fields(name))
	d := NewDocument(tokens)
	d.SetID(id)
	return d
}

// dump lists all postings of all fields as "field term id freq len", sorted.
func dump(t *testing.T, r *Reader) []string {
	t.Helper()
	ids, err := r.IDs()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]bool{}
	for _, field := range Fields {
		terms, err := r.TermLines(field)
		if err != nil {
			t.Fatal(err)
		}
		for term := range strings.Lines(terms) {
			term = strings.TrimSuffix(term, "\n")
			err := r.Postings(field, term, func(doc uint32, freq, length int) {
				lines[fmt.Sprintf("%s %q %d/%d %d %d", field, term, ids[doc].File(), ids[doc].Chunk(), freq, length)] = true
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return slices.Sorted(maps.Keys(lines))
}

func open(t *testing.T, dir string) *Reader {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func build(t *testing.T, dir string, batches ...[]*Document) {
	t.Helper()
	w, err := Create(dir)
	must(t, err)
	for _, b := range batches {
		must(t, w.Apply(nil, b))
	}
	must(t, w.Close())
}

func TestPostingsGiveFrequencyAndFieldLength(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lex-1")
	build(t, dir, []*Document{doc(MakeID(1, 0), "alpha beta alpha", "alpha"), doc(MakeID(1, 1), "beta", "gamma delta")}, []*Document{doc(MakeID(2, 0), "alpha", "alpha")})
	want := []string{
		`body "alpha" 1/0 2 3`, `body "alpha" 2/0 1 1`, `body "beta" 1/0 1 3`, `body "beta" 1/1 1 1`,
		`name "alpha" 1/0 1 1`, `name "alpha" 2/0 1 1`, `name "delta" 1/1 1 2`, `name "gamma" 1/1 1 2`,
	}
	r := open(t, dir)
	if got := dump(t, r); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, none := range [][2]string{{"body", "nothing"}, {"nofield", "alpha"}, {"body", ""}, {"signature", "alpha"}} {
		must(t, r.Postings(none[0], none[1], func(uint32, int, int) { t.Errorf("%q visits something", none) }))
	}
}

func TestLongFieldsKeepTheirLength(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lex-1")
	var docs []*Document
	lengths := []int{1, 2, 3, 99, 1000, 65535, 65536, 400_000}
	for i, n := range lengths {
		docs = append(docs, doc(MakeID(uint32(i), 0), strings.Repeat("x ", n), ""))
	}
	build(t, dir, docs)
	r := open(t, dir)
	ids, err := r.IDs()
	must(t, err)
	seen := 0
	must(t, r.Postings(FieldBody, "x", func(doc uint32, freq, length int) {
		seen++
		if want := lengths[ids[doc].File()]; freq != want || length != want {
			t.Errorf("length %d: freq %d, length %d", want, freq, length)
		}
	}))
	if seen != len(lengths) {
		t.Errorf("%d of %d documents", seen, len(lengths))
	}
}

// A generation with deletions, replacements and merges holds what a fresh one holds, and its parent stays as it was.
func TestDerivedGenerationEqualsFresh(t *testing.T) {
	for _, mode := range []string{"links", "copies"} {
		t.Run(mode, func(t *testing.T) {
			if mode == "copies" {
				link = func(string, string) error { return errors.ErrUnsupported }
				defer func() { link = os.Link }()
			}
			root, rng := t.TempDir(), rand.New(rand.NewPCG(1, 2))
			folder := func(n int) string { return filepath.Join(root, fmt.Sprint("lex-", n)) }
			live := map[ID]string{}
			text := func() string {
				var b strings.Builder
				for range 1 + rng.IntN(30) {
					fmt.Fprintf(&b, "word%d ", rng.IntN(40))
				}
				return b.String()
			}
			build(t, folder(0))
			for g := 1; g <= 25; g++ {
				before := dump(t, open(t, folder(g-1)))
				w, err := Derive(folder(g-1), folder(g))
				must(t, err)
				var deletes []ID
				var adds []*Document
				for id := range live {
					if rng.IntN(4) == 0 {
						deletes = append(deletes, id)
						delete(live, id)
					}
				}
				for range rng.IntN(40) {
					id := MakeID(uint32(rng.IntN(50)), uint32(rng.IntN(3)))
					if slices.Contains(deletes, id) {
						continue
					}
					live[id] = text()
					adds = slices.DeleteFunc(adds, func(d *Document) bool { return d.ID() == id.bytes() })
					adds = append(adds, doc(id, live[id], "n"))
				}
				must(t, w.Apply(deletes, adds))
				if g%5 == 0 {
					must(t, w.Merge(context.Background(), g%10 == 0))
					if n := w.Segments(); g%10 == 0 && n > 1 {
						t.Errorf("%d segments after a full merge", n)
					}
				}
				must(t, w.Close())
				var fresh []*Document
				for id, body := range live {
					fresh = append(fresh, doc(id, body, "n"))
				}
				other := filepath.Join(root, fmt.Sprint("fresh-", g))
				build(t, other, fresh)
				if got, want := dump(t, open(t, folder(g))), dump(t, open(t, other)); !slices.Equal(got, want) {
					t.Fatalf("generation %d: %d postings, fresh %d", g, len(got), len(want))
				}
				if after := dump(t, open(t, folder(g-1))); !slices.Equal(before, after) {
					t.Fatalf("generation %d changed when %d was derived", g-1, g)
				}
			}
		})
	}
}

// The direct walk over segments gives what the engine's own reader gives.
func TestPostingsEqualTheEnginesReader(t *testing.T) {
	root := t.TempDir()
	var first, second []*Document
	for i := range 3000 {
		first = append(first, doc(MakeID(uint32(i), 0), fmt.Sprintf("common w%d w%d x%d", i%7, i%500, i), ""))
	}
	for i := range 500 {
		second = append(second, doc(MakeID(uint32(i*3), 0), fmt.Sprintf("common y%d", i%9), ""))
	}
	build(t, filepath.Join(root, "a"), first)
	w, err := Derive(filepath.Join(root, "a"), filepath.Join(root, "b"))
	must(t, err)
	must(t, w.Apply([]ID{MakeID(1, 0), MakeID(2, 0)}, second))
	must(t, w.Close())
	r := open(t, filepath.Join(root, "b"))
	for _, term := range []string{"common", "w3", "w499", "x17", "x2999", "y4", "none"} {
		var fast, slow []string
		must(t, r.Postings(FieldBody, term, func(doc uint32, freq, length int) { fast = append(fast, fmt.Sprint(doc, freq, length)) }))
		tfr, err := r.snapshot.TermFieldReader(context.Background(), []byte(term), FieldBody, true, true, false)
		must(t, err)
		for {
			d, err := tfr.Next(nil)
			must(t, err)
			if d == nil {
				break
			}
			slow = append(slow, fmt.Sprint(d.ID.Value(), d.Freq, lengthOf(d.Norm)))
		}
		must(t, tfr.Close())
		if !slices.Equal(fast, slow) {
			t.Errorf("%s: %d postings, the engine has %d", term, len(fast), len(slow))
		}
	}
}

func TestReaderIsSafeForConcurrentUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lex-1")
	var docs []*Document
	for i := range 500 {
		docs = append(docs, doc(MakeID(uint32(i), 0), fmt.Sprintf("common w%d", i%7), "n"))
	}
	build(t, dir, docs[:250], docs[250:])
	r := open(t, dir)
	want := dump(t, r)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got := dump(t, r); !slices.Equal(got, want) {
				t.Error("another answer")
			}
		})
	}
	wait.Wait()
}

func TestCloseRemovesReplacedSegments(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lex-1")
	w, err := Create(dir)
	must(t, err)
	for i := range 30 {
		must(t, w.Apply(nil, []*Document{doc(MakeID(uint32(i), 0), "a b c", "n")}))
	}
	must(t, w.Merge(context.Background(), false))
	segments := w.Segments()
	must(t, w.Close())
	files, err := filepath.Glob(filepath.Join(dir, "*"+segmentExtension))
	must(t, err)
	if segments > 12 || len(files) != segments {
		t.Errorf("%d segments in %d files", segments, len(files))
	}
}

// A merge that is cancelled before, while or after it works leaves every document.
func TestMergeEndsWithItsContext(t *testing.T) {
	for n := range 12 {
		dir := filepath.Join(t.TempDir(), "lex-1")
		w, err := Create(dir)
		must(t, err)
		for i := range 12 {
			must(t, w.Apply(nil, []*Document{doc(MakeID(uint32(i), 0), "a b c", "n")}))
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(n)*300*time.Microsecond)
		if err := w.Merge(ctx, true); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("merge: %v", err)
		}
		cancel()
		must(t, w.Close())
		if got := len(dump(t, open(t, dir))); got != 12*4 {
			t.Errorf("%d postings", got)
		}
	}
}

func TestOpenFaults(t *testing.T) {
	root := t.TempDir()
	if _, err := Open(filepath.Join(root, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing folder: %v", err)
	}
	for _, fault := range []string{"root garbage", "root cut", "segment gone", "segment cut"} {
		dir := filepath.Join(root, strings.ReplaceAll(fault, " ", "-"))
		build(t, dir, []*Document{doc(MakeID(1, 0), "alpha", "n")})
		segments, _ := filepath.Glob(filepath.Join(dir, "*"+segmentExtension))
		switch fault {
		case "root garbage":
			must(t, os.WriteFile(filepath.Join(dir, rootFile), []byte(strings.Repeat("garbage ", 1000)), 0o644))
		case "root cut":
			must(t, os.Truncate(filepath.Join(dir, rootFile), 100))
		case "segment gone":
			must(t, os.Remove(segments[0]))
		case "segment cut":
			must(t, os.Truncate(segments[0], 10))
		}
		r, err := Open(dir)
		if err == nil {
			r.Close()
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}
