package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/scan"
)

func TestFirstBuild(t *testing.T) {
	ix := openIndex(t, filepath.Join(t.TempDir(), "sub", "index"))
	if _, err := ix.View(context.Background()); !errors.Is(err, agenvantage.ErrNoIndex) {
		t.Errorf("before: %v", err)
	}
	src := newTree(map[string]string{"a.go": "def load_user\nbody text\n\ndef Save\n", "b.md": "words here\n", "c.bin": "\x00\x01", "empty": ""})
	src.skips, src.revision = []agenvantage.Skip{{Path: "link", Reason: agenvantage.SkipSymlink}}, "abc"
	s := refresh(t, ix, src)
	if s.Files != 3 || s.Chunks != 3 || s.Symbols != 2 || s.Changed != 3 || s.Read != 4 || s.Generation != 1 || s.Bytes != int64(len("def load_user\nbody text\n\ndef Save\nwords here\n")) || s.IndexBytes == 0 {
		t.Errorf("%+v", s)
	}
	if s.Skipped[agenvantage.SkipBinary] != 1 || s.Skipped[agenvantage.SkipSymlink] != 1 || len(s.Skipped) != 2 {
		t.Errorf("skipped %v", s.Skipped)
	}
	v := view(t, ix)
	if v.Revision() != "abc" || v.FilesIndexed() != 3 || v.FilesSkipped() != 2 || v.Generation() != 1 {
		t.Errorf("view of %q: %d files, %d skipped, generation %d", v.Revision(), v.FilesIndexed(), v.FilesSkipped(), v.Generation())
	}
	found := ""
	for _, name := range []string{"loaduser", "goloaduser", "save", "gone"} {
		must(t, v.Postings("name", name, func(doc uint32, freq, n int) {
			f, c := v.Locate(doc)
			found += fmt.Sprintf("%s=%s#%d ", name, v.File(f).Path, c)
		}))
	}
	if want := "loaduser=a.go#0 goloaduser=a.go#0 save=a.go#1 "; found != want {
		t.Errorf("found %q, want %q", found, want)
	}
	if f, ok := v.Find("b.md"); !ok || v.File(f).Path != "b.md" {
		t.Error("b.md is not found")
	}
	if _, ok := v.Find("b"); ok {
		t.Error("b is found")
	}
	for _, name := range []string{"CACHEDIR.TAG", ".gitignore"} {
		if b, err := os.ReadFile(filepath.Join(ix.Dir(), name)); err != nil || len(b) == 0 {
			t.Errorf("%s: %q %v", name, b, err)
		}
	}
}

func TestUnchangedTreeIsNotRead(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "one\n", "b": "\x00", "c": "three\n"})
	src.skips = []agenvantage.Skip{{Path: "d", Reason: agenvantage.SkipTooLarge, Size: 9, Limit: 8}}
	refresh(t, ix, src)
	src.reads.Store(0)
	s := refresh(t, ix, src)
	if src.reads.Load() != 0 || s.Changed != 0 || s.Read != 0 || s.Generation != 1 || s.Files != 2 || s.Skipped[agenvantage.SkipBinary] != 1 || s.Skipped[agenvantage.SkipTooLarge] != 1 {
		t.Errorf("%d reads, %+v", src.reads.Load(), s)
	}
	src.put("a", "one\n") // another time, the same bytes
	if s := refresh(t, ix, src); s.Read != 1 || s.Changed != 0 || s.Generation != 1 {
		t.Errorf("touched: %+v", s)
	}
	if s := refresh(t, ix, src); s.Read != 0 {
		t.Errorf("after touched: %+v", s)
	}
	src.revision = "next"
	if s := refresh(t, ix, src); s.Read != 0 || s.Generation != 1 {
		t.Errorf("another revision: %+v", s)
	}
	if v := view(t, ix); v.Revision() != "next" {
		t.Errorf("revision %q", v.Revision())
	}
	src.skips = nil
	refresh(t, ix, src)
	equalsFresh(t, ix, src)
}

// A change that size and time cannot show is found when the time lies near the moment of the first look.
func TestRacyFileIsReadAgain(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "one\n", "b": "old\n"})
	now := time.Now().UnixNano()
	src.files["a"] = treeFile{text: "one\n", modNS: now}
	refresh(t, ix, src)
	src.files["a"] = treeFile{text: "two\n", modNS: now}
	if s := refresh(t, ix, src); s.Read != 1 || s.Changed != 1 {
		t.Errorf("%+v", s)
	}
	equalsFresh(t, ix, src)
}

func TestRacyWindow(t *testing.T) {
	const ms, sec = int64(time.Millisecond), int64(time.Second)
	e := scan.Entry{Size: 1, ModNS: 100 * sec, ChangeNS: 200 * sec}
	for _, c := range []struct {
		name       string
		s          stat
		same, sure bool
	}{
		{"old", stat{1, 100 * sec, 200 * sec, 300 * sec}, true, true},
		{"another size", stat{2, 100 * sec, 200 * sec, 300 * sec}, false, true},
		{"another time", stat{1, 100*sec + 1, 200 * sec, 300 * sec}, false, true},
		{"another change time", stat{1, 100 * sec, 201 * sec, 300 * sec}, false, true},
		{"seen in the tick of the change", stat{1, 100 * sec, 200 * sec, 200*sec + 10*ms}, true, false},
		{"seen after it", stat{1, 100 * sec, 200 * sec, 200*sec + 60*ms}, true, true},
		{"seen near the modification", stat{1, 100 * sec, 200 * sec, 101 * sec}, true, false},
	} {
		if same, sure := c.s.unchanged(e); same != c.same || sure != c.sure {
			t.Errorf("%s: %v %v", c.name, same, sure)
		}
	}
	noChange := scan.Entry{Size: 1, ModNS: 100 * sec}
	for seen, want := range map[int64]bool{99 * sec: false, 101 * sec: false, 103 * sec: true} {
		if _, sure := (stat{1, 100 * sec, 0, seen}).unchanged(noChange); sure != want {
			t.Errorf("without change times, seen at %d: %v", seen/sec, sure)
		}
	}
}

// Whatever is added, changed, removed, renamed, skipped or emptied: the index equals a fresh one.
func TestUpdateEqualsFresh(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 7))
			ix, src := openIndex(t, t.TempDir()), newTree(nil)
			for range 12 {
				edit(rng, src)
				src.revision = fmt.Sprint(rng.IntN(3))
				s, err := ix.Update(context.Background(), UpdateRequest{Source: src, Extractor: paragraphs{}, Batch: 1 + rng.IntN(60)})
				must(t, err)
				v := view(t, ix)
				if s.Files != v.FileCount() || s.Chunks != v.ChunkCount() || s.Generation != v.Generation() {
					t.Fatalf("summary %+v, view of %d files, %d chunks, generation %d", s, v.FileCount(), v.ChunkCount(), v.Generation())
				}
				equalsFresh(t, ix, src)
				checkLocate(t, v)
			}
		})
	}
}

func edit(rng *rand.Rand, src *tree) {
	text := func() string {
		switch rng.IntN(10) {
		case 0:
			return ""
		case 1:
			return "\x00binary"
		}
		var b strings.Builder
		for range 1 + rng.IntN(12) {
			switch rng.IntN(4) {
			case 0:
				b.WriteByte('\n')
			case 1:
				fmt.Fprintf(&b, "def name%d\n", rng.IntN(30))
			default:
				fmt.Fprintf(&b, "w%d w%d camelWord%d\n", rng.IntN(20), rng.IntN(20), rng.IntN(20))
			}
		}
		return b.String()
	}
	for range 1 + rng.IntN(40) {
		path := fmt.Sprintf("d%d/f%d.go", rng.IntN(4), rng.IntN(30))
		switch rng.IntN(5) {
		case 0:
			if len(src.files) > 1 {
				src.remove(path)
			}
		case 1:
			if f, ok := src.files[path]; ok {
				src.remove(path)
				src.put(path+"x", f.text)
			}
		default:
			src.put(path, text())
		}
	}
	src.put("always.go", "def always\n")
	src.skips = nil
	for i := range rng.IntN(4) {
		src.skips = append(src.skips, agenvantage.Skip{Path: fmt.Sprint("skip", i), Reason: agenvantage.SkipTooLarge, Size: int64(rng.IntN(3))})
	}
}

// checkLocate follows the document of each chunk to its place.
func checkLocate(t *testing.T, v *View) {
	t.Helper()
	seen := map[string]int{}
	must(t, v.Postings("kind", string(agenvantage.ChunkText), func(doc uint32, _, _ int) {
		f, c := v.Locate(doc)
		if c < 0 || c >= v.File(f).Chunks || int(doc) >= v.DocBound() {
			t.Fatalf("document %d is chunk %d of %+v", doc, c, v.File(f))
		}
		seen[fmt.Sprint(f, "#", c)]++
	}))
	if len(seen) != v.ChunkCount() {
		t.Fatalf("%d places for %d chunks", len(seen), v.ChunkCount())
	}
}

func TestRebuilds(t *testing.T) {
	ctx := context.Background()
	setUp := func(t *testing.T) (*Index, *tree) {
		ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "def one\n", "b": "def two\n"})
		refresh(t, ix, src)
		src.put("c", "def three\n")
		refresh(t, ix, src)
		src.reads.Store(0)
		return ix, src
	}
	epoch := func(ix *Index) string { m, _ := readManifest(ix.dir); return filepath.Join(ix.dir, m.Epoch) }
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, ix *Index)
		req   UpdateRequest
		view  error // of a view before the update
		note  string
	}{
		{"force", nil, UpdateRequest{Force: true}, nil, ""},
		{"options", nil, UpdateRequest{OptionsHash: "other"}, nil, "options changed"},
		{"format", func(t *testing.T, ix *Index) {
			m, err := readManifest(ix.dir)
			must(t, err)
			m.Format = 0
			must(t, writeManifest(ix.dir, m))
		}, UpdateRequest{}, agenvantage.ErrNoIndex, fmt.Sprintf("index of format 0 rebuilt as format %d", Format)},
		{"facts are garbage", func(t *testing.T, ix *Index) {
			must(t, os.WriteFile(filepath.Join(epoch(ix), metaFile), []byte(strings.Repeat("no database ", 999)), 0o644))
		}, UpdateRequest{}, ErrCorrupt, "could not be read"},
		{"facts are gone", func(t *testing.T, ix *Index) { must(t, os.Remove(filepath.Join(epoch(ix), metaFile))) }, UpdateRequest{}, ErrCorrupt, "could not be read"},
		{"epoch is gone", func(t *testing.T, ix *Index) { must(t, os.RemoveAll(epoch(ix))) }, UpdateRequest{}, ErrCorrupt, "could not be read"},
		{"postings are gone", func(t *testing.T, ix *Index) { must(t, os.RemoveAll(filepath.Join(epoch(ix), lexicalFolder(2)))) }, UpdateRequest{}, ErrCorrupt, "could not be read"},
		{"manifest is garbage", func(t *testing.T, ix *Index) {
			must(t, os.WriteFile(filepath.Join(ix.dir, manifestFile), []byte("{"), 0o644))
		}, UpdateRequest{}, ErrCorrupt, "could not be read"},
		{"manifest names a folder elsewhere", func(t *testing.T, ix *Index) {
			must(t, os.WriteFile(filepath.Join(ix.dir, manifestFile), []byte(`{"format":1,"epoch":"../.."}`), 0o644))
		}, UpdateRequest{}, ErrCorrupt, "could not be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ix, src := setUp(t)
			old, err := ix.View(ctx)
			must(t, err)
			before := dump(t, old)
			if c.spoil != nil {
				old.Close()
				c.spoil(t, ix)
			}
			if v, err := ix.View(ctx); !errors.Is(err, c.view) {
				t.Errorf("view before: %v", err)
			} else if err == nil {
				v.Close()
			}
			c.req.Source, c.req.Extractor = src, paragraphs{}
			s, err := ix.Update(ctx, c.req)
			must(t, err)
			if s.Read != 3 || s.Changed != 3 || !strings.Contains(strings.Join(s.Notes, "\n"), c.note) || (c.note == "") != (len(s.Notes) == 0) {
				t.Errorf("%+v", s)
			}
			if c.spoil == nil {
				if s.Generation != 3 {
					t.Errorf("generation %d after 2", s.Generation)
				}
				sameDump(t, dump(t, old), before) // an open view is not disturbed
				old.Close()
			}
			v := view(t, ix)
			sameDump(t, dump(t, v), before)
			if s, err := ix.Update(ctx, UpdateRequest{Source: src, Extractor: paragraphs{}, OptionsHash: c.req.OptionsHash}); err != nil || s.Read != 0 || len(s.Notes) != 0 {
				t.Errorf("after: %+v %v", s, err)
			}
			epochs, _ := filepath.Glob(filepath.Join(ix.dir, epochPrefix+"*"))
			if len(epochs) != 1 {
				t.Errorf("left: %q", epochs)
			}
		})
	}
}

func TestCorruptPostingsFailTheViewAndAreRebuilt(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "def one\n"})
	refresh(t, ix, src)
	segments, _ := filepath.Glob(filepath.Join(ix.dir, "e-1", "lex-1", "*.zap"))
	must(t, os.Truncate(segments[0], 8))
	if _, err := ix.View(context.Background()); !errors.Is(err, ErrCorrupt) {
		t.Errorf("view: %v", err)
	}
	src.put("b", "def two\n")
	if s := refresh(t, ix, src); len(s.Notes) != 1 {
		t.Errorf("%+v", s)
	}
	equalsFresh(t, ix, src)
}

func TestNothingSelected(t *testing.T) {
	ctx := context.Background()
	ix, src := openIndex(t, t.TempDir()), newTree(nil)
	if s := refresh(t, ix, src); s.Files != 0 || s.Generation != 1 {
		t.Errorf("empty tree: %+v", s)
	}
	src.put("a", "def one\n")
	refresh(t, ix, src)
	before := dump(t, view(t, ix))
	none := listed{scan.Listing{Candidates: 40, DecidingRule: ".gitignore:3: *"}}
	_, err := ix.Update(ctx, UpdateRequest{Source: none, Extractor: paragraphs{}})
	if !errors.Is(err, agenvantage.ErrNothingSelected) || !strings.Contains(err.Error(), ".gitignore:3: *") || !strings.Contains(err.Error(), "40") {
		t.Errorf("%v", err)
	}
	_, err = ix.Update(ctx, UpdateRequest{Source: newTree(map[string]string{"x": "\x00", "y": "\x00"}), Extractor: paragraphs{}})
	if !errors.Is(err, agenvantage.ErrNothingSelected) || !strings.Contains(err.Error(), "binary") {
		t.Errorf("%v", err)
	}
	sameDump(t, dump(t, view(t, ix)), before)
	other := openIndex(t, t.TempDir())
	if _, err := other.Update(ctx, UpdateRequest{Source: none, Extractor: paragraphs{}}); !errors.Is(err, agenvantage.ErrNothingSelected) {
		t.Errorf("%v", err)
	}
	if _, err := other.View(ctx); !errors.Is(err, agenvantage.ErrNoIndex) {
		t.Errorf("view: %v", err)
	}
}

// listed is a Source with a fixed listing and no files.
type listed struct{ scan.Listing }

func (l listed) List(context.Context) (scan.Listing, error) { return l.Listing, nil }
func (l listed) Read(context.Context, scan.Entry) (scan.Source, *agenvantage.Skip, error) {
	panic("nothing to read")
}

// unlisted is a Source whose listing fails.
type unlisted struct{ listed }

func (unlisted) List(context.Context) (scan.Listing, error) {
	return scan.Listing{}, fmt.Errorf("open /root: %w", os.ErrPermission)
}

func TestFailingParserLosesOneFile(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "def one\n", "b": "crash the parser\n", "c": "def three\n"})
	if s := refresh(t, ix, src); s.Files != 2 || s.Skipped[agenvantage.SkipUnreadable] != 1 {
		t.Errorf("%+v", s)
	}
	equalsFresh(t, ix, src)
}

func TestCheck(t *testing.T) {
	ctx := context.Background()
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "one\n", "b": "two\n", "c": "\x00", "d": "four\n"})
	listing := func() scan.Listing { l, _ := src.List(ctx); return l }
	if _, err := ix.Check(ctx, listing()); !errors.Is(err, agenvantage.ErrNoIndex) {
		t.Errorf("%v", err)
	}
	refresh(t, ix, src)
	reads := src.reads.Load()
	if c, err := ix.Check(ctx, listing()); err != nil || c.Any() || c.Unsure != 0 || c.Revision {
		t.Errorf("%+v %v", c, err)
	}
	src.remove("a")
	src.put("b", "two two\n")
	src.put("c", "\x00\x00")
	src.put("e", "five\n")
	src.revision = "new"
	c, err := ix.Check(ctx, listing())
	must(t, err)
	if !slices.Equal(c.Added, []string{"e"}) || !slices.Equal(c.Changed, []string{"b", "c"}) || !slices.Equal(c.Deleted, []string{"a"}) || c.Bytes != 15 || !c.Revision || !c.Any() {
		t.Errorf("%+v", c)
	}
	if v := view(t, ix); len(v.Check(listing()).Added) != 1 {
		t.Error("the view finds other changes")
	}
	if src.reads.Load() != reads {
		t.Error("Check reads files")
	}
}

func TestStats(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a.go": "def one\n", "b.go": "def two\n\ndef three\n", "c.md": "words\n"})
	refresh(t, ix, src)
	s := view(t, ix).Stats()
	if s.Files != 3 || s.Chunks != 4 || s.Symbols != 3 || s.MetaBytes == 0 || s.LexicalBytes == 0 || len(s.Languages) != 2 || s.Format != Format {
		t.Errorf("%+v", s)
	}
	if l := s.Languages[0]; l.Lang != "go" || l.Files != 2 || l.Symbols != 3 || l.Chunks != 3 || l.States[agenvantage.ParseFull] != 2 {
		t.Errorf("%+v", l)
	}
}

func TestRemove(t *testing.T) {
	ctx := context.Background()
	ix := openIndex(t, filepath.Join(t.TempDir(), "index"))
	if n, err := ix.Remove(ctx); n != 0 || err != nil {
		t.Errorf("missing: %d %v", n, err)
	}
	refresh(t, ix, newTree(map[string]string{"a": "def one\n"}))
	if n, err := ix.Remove(ctx); n == 0 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if _, err := os.Stat(ix.Dir()); !isMissing(err) {
		t.Errorf("left: %v", err)
	}
	precious := openIndex(t, t.TempDir())
	must(t, os.WriteFile(filepath.Join(precious.Dir(), "thesis.tex"), nil, 0o644))
	if _, err := precious.Remove(ctx); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("%v", err)
	}
}

func TestNotWritable(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o644))
	ix := openIndex(t, filepath.Join(file, "index"))
	if _, err := ix.Update(ctx, UpdateRequest{Source: newTree(nil), Extractor: paragraphs{}}); !errors.Is(err, agenvantage.ErrNotWritable) || !strings.Contains(err.Error(), ix.Dir()) {
		t.Errorf("%v", err)
	}
	if err := notWritable("/dir", fmt.Errorf("write: %v", syscall.ENOSPC)); !errors.Is(err, agenvantage.ErrNotWritable) || !strings.Contains(err.Error(), "/dir") {
		t.Errorf("full disk: %v", err)
	}
	if _, err := openIndex(t, t.TempDir()).Update(ctx, UpdateRequest{Source: unlisted{}, Extractor: paragraphs{}}); !errors.Is(err, os.ErrPermission) || errors.Is(err, agenvantage.ErrNotWritable) {
		t.Errorf("a source that cannot be listed: %v", err)
	}
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	for _, exists := range []bool{false, true} {
		root := t.TempDir()
		ix, src := openIndex(t, filepath.Join(root, "index")), newTree(map[string]string{"a": "def one\n"})
		if exists {
			refresh(t, ix, src)
			must(t, os.Chmod(filepath.Join(ix.Dir(), lockFile), 0o444))
			must(t, os.Chmod(filepath.Join(ix.Dir(), "e-1"), 0o555))
			must(t, os.Chmod(ix.Dir(), 0o555))
			defer os.Chmod(filepath.Join(ix.Dir(), "e-1"), 0o755)
			defer os.Chmod(ix.Dir(), 0o755)
		}
		must(t, os.Chmod(root, 0o555))
		defer os.Chmod(root, 0o755)
		if _, err := ix.Update(ctx, UpdateRequest{Source: src, Extractor: paragraphs{}}); !errors.Is(err, agenvantage.ErrNotWritable) || !strings.Contains(err.Error(), ix.Dir()) {
			t.Errorf("index exists %v: %v", exists, err)
		}
		if exists { // reading goes on
			if v := view(t, ix); v.FileCount() != 1 {
				t.Errorf("%d files", v.FileCount())
			}
		}
	}
}
