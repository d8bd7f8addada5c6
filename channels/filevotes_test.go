package channels

import (
	"context"
	"errors"
	"math"
	"testing"

	"agenvantage"
)

// shelf is an index of files by hand: their lengths, the file of each document and postings by field and term.
type shelf struct {
	sizes    []int64
	docs     []int // file of each document, -1 for one that cannot be located
	postings map[string]map[string][]posting
	err      error // of every call of Postings
	asked    int   // calls of Postings
}

func (s *shelf) FileCount() int                     { return len(s.sizes) }
func (s *shelf) Path(uint32) string                 { return "" }
func (s *shelf) Lang(uint32) string                 { return "" }
func (s *shelf) Class(uint32) (_ agenvantage.Class) { return }
func (s *shelf) DocBound() int                      { return len(s.docs) }
func (s *shelf) ChunkCount() int                    { return len(s.docs) }
func (s *shelf) FieldTokens(string) uint64          { return 0 }
func (s *shelf) size(file uint32) int64             { return s.sizes[file] }
func (s *shelf) Locate(doc uint32) (uint32, int) {
	if s.docs[doc] < 0 {
		return 0, -1
	}
	return uint32(s.docs[doc]), 0
}

func (s *shelf) Postings(field, term string, visit func(doc uint32, freq, length int)) error {
	s.asked++
	for _, p := range s.postings[field][term] {
		visit(p.doc, p.freq, p.length)
	}
	return s.err
}

// four is a shelf of files of 10, 20, 20 and 30, so the mean is 20. Document n is in file n, document 4 in file 0 too, and
// document 5 nowhere.
func four(field, term string, postings ...posting) *shelf {
	return &shelf{sizes: []int64{10, 20, 20, 30}, docs: []int{0, 1, 2, 3, 0, -1}, postings: map[string]map[string][]posting{field: {term: postings}}}
}

func once(text string) agenvantage.Term { return agenvantage.Term{Text: text, Count: 1} }

type fileScore struct {
	file  uint32
	score float64
}

func wantFiles(t *testing.T, name string, got []agenvantage.Hit, want []fileScore) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d: %+v", name, len(got), len(want), got)
		return
	}
	for i, w := range want {
		h := got[i]
		if h.File != w.file || !(math.Abs(h.Score-w.score) <= 1e-12) {
			t.Errorf("%s: place %d is file %d with %v, want file %d with %v", name, i, h.File, h.Score, w.file, w.score)
		}
		if h.Chunk != -1 || h.Symbol != -1 || h.Span != (agenvantage.Span{}) {
			t.Errorf("%s: a file has a place inside: %+v", name, h)
		}
	}
}

func TestWholeFilesByHand(t *testing.T) {
	// The inverse file frequency of a term in df of 4 files is ln(1 + (4-df+0.5)/(df+0.5)).
	one, two, all := math.Log(10.0/3), math.Log(2), math.Log(10.0/9)
	for _, c := range []struct {
		name     string
		postings []posting
		term     agenvantage.Term
		want     []fileScore
	}{
		{"a mean file with the word once gains 1", []posting{{1, 1, 9}}, once("x"), []fileScore{{1, one}}},
		{"frequency saturates: 2 of 2+2, 4 of 4+2", []posting{{1, 2, 9}, {2, 4, 9}}, once("x"), []fileScore{{2, two * 2}, {1, two * 1.5}}},
		{"it never gains 3", []posting{{1, 1 << 30, 9}}, once("x"), []fileScore{{1, one * 3 * (1 << 30) / (1<<30 + 2)}}},
		{"chunks of a file add up and count as one file", []posting{{0, 1, 9}, {4, 1, 9}}, once("x"), []fileScore{{0, one * 6 / 3.1}}}, // 2+2·(0.1+0.9·10/20)
		{"a long file gains less than a short one", []posting{{3, 2, 9}, {0, 2, 9}}, once("x"), []fileScore{{0, two * 6 / 3.1}, {3, two * 6 / 4.9}}},
		{"ties by file", []posting{{2, 1, 9}, {1, 1, 9}}, once("x"), []fileScore{{1, two}, {2, two}}},
		{"a word of every file counts a little", []posting{{0, 1, 9}, {1, 1, 9}, {2, 1, 9}, {3, 1, 9}}, once("x"),
			[]fileScore{{0, all * 3 / 2.1}, {1, all}, {2, all}, {3, all * 3 / 3.9}}},
		{"asked 8 times, 72 of 16", []posting{{1, 1, 9}}, agenvantage.Term{Text: "x", Count: 8}, []fileScore{{1, one * 4.5}}},
		{"a document that is nowhere counts for no file", []posting{{1, 1, 9}, {5, 7, 9}}, once("x"), []fileScore{{1, one}}},
		{"a word that no file holds", []posting{{1, 1, 9}}, once("y"), nil},
	} {
		s := four(FieldBody, "x", c.postings...)
		got, err := WholeFiles(t.Context(), s, s.size, []agenvantage.Term{c.term})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		wantFiles(t, c.name, got, c.want)
	}
}

func TestWholeFilesSumTerms(t *testing.T) {
	s := four(FieldBody, "rare", posting{1, 1, 9})
	s.postings[FieldBody]["known"] = []posting{{1, 1, 9}, {2, 1, 9}}
	s.postings[FieldPath] = map[string][]posting{"rare": {{3, 1, 9}}} // another field says nothing of bodies
	got, err := WholeFiles(t.Context(), s, s.size, []agenvantage.Term{once("known"), once("rare"), once("absent")})
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "two terms", got, []fileScore{{1, math.Log(2) + math.Log(10.0/3)}, {2, math.Log(2)}})
}

func TestWholeFilesOfOddSizes(t *testing.T) {
	empty := &shelf{}
	if got, err := WholeFiles(t.Context(), empty, empty.size, []agenvantage.Term{once("x")}); err != nil || len(got) != 0 {
		t.Errorf("no files: %v, %v", got, err)
	}
	s := four(FieldBody, "x", posting{1, 1, 9})
	s.sizes = make([]int64, 4) // lengths of 0 divide nothing: 3 of 1+2·0.1
	got, err := WholeFiles(t.Context(), s, s.size, []agenvantage.Term{once("x")})
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "no lengths", got, []fileScore{{1, math.Log(10.0/3) * 3 / 1.2}})
}

func TestPathWordsByHand(t *testing.T) {
	one, two := math.Log(10.0/3), math.Log(2)
	for _, c := range []struct {
		name     string
		postings []posting
		term     agenvantage.Term
		want     []fileScore
	}{
		{"neither frequency, chunks nor length count", []posting{{0, 3, 9}, {4, 3, 9}, {3, 1, 2}}, once("cart"), []fileScore{{0, two}, {3, two}}},
		{"a rare word", []posting{{3, 1, 2}}, once("cart"), []fileScore{{3, one}}},
		{"asked twice, 18 of 10", []posting{{3, 1, 2}}, agenvantage.Term{Text: "cart", Count: 2}, []fileScore{{3, one * 1.8}}},
		{"no such word", []posting{{3, 1, 2}}, once("car"), nil},
	} {
		got, err := PathWords(t.Context(), four(FieldPath, "cart", c.postings...), []agenvantage.Term{c.term})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		wantFiles(t, c.name, got, c.want)
	}
	s := four(FieldPath, "rare", posting{2, 1, 2})
	s.postings[FieldPath]["known"] = []posting{{1, 1, 2}, {3, 1, 2}}
	s.postings[FieldBody] = map[string][]posting{"rare": {{0, 1, 9}}}
	got, err := PathWords(t.Context(), s, []agenvantage.Term{once("known"), once("rare")})
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "the rare word first", got, []fileScore{{2, one}, {1, two}, {3, two}})
}

func TestFileVotesLeaveOutRemovedFiles(t *testing.T) {
	c := newCorpus(map[string]string{"cart/a.go": "func add() {\n  total\n}\nfunc sum() {\n  total\n}\n", "cart/b.go": "func drop() {\n  total\n}\n", "menu.go": "func none() {\n}\n"}, nil)
	c.remove("cart/a.go")
	size := func(uint32) int64 { return 5 }
	one := math.Log(8.0 / 3) // of 3 files 1 holds the word: 1 + 2.5/1.5
	whole, err := WholeFiles(t.Context(), c, size, []agenvantage.Term{once("total")})
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "whole", whole, []fileScore{{1, one}})
	paths, err := PathWords(t.Context(), c, []agenvantage.Term{once("cart")})
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "paths", paths, []fileScore{{1, one}})
}

func TestFileVotesWithoutAnswer(t *testing.T) {
	broken := errors.New("disk is gone")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	rank := map[string]func(context.Context, *shelf, []agenvantage.Term) ([]agenvantage.Hit, error){
		"whole": func(ctx context.Context, s *shelf, terms []agenvantage.Term) ([]agenvantage.Hit, error) {
			return WholeFiles(ctx, s, s.size, terms)
		},
		"paths": func(ctx context.Context, s *shelf, terms []agenvantage.Term) ([]agenvantage.Hit, error) {
			return PathWords(ctx, s, terms)
		},
	}
	for name, files := range rank {
		s := four(FieldBody, "x", posting{1, 1, 9})
		s.postings[FieldPath] = s.postings[FieldBody]
		if got, err := files(t.Context(), s, nil); err != nil || len(got) != 0 || s.asked != 0 {
			t.Errorf("%s, no terms: %v, %v, %d lists read", name, got, err, s.asked)
		}
		if got, err := files(cancelled, s, []agenvantage.Term{once("x")}); !errors.Is(err, context.Canceled) || got != nil || s.asked != 0 {
			t.Errorf("%s, cancelled: %v, %v, %d lists read", name, got, err, s.asked)
		}
		s.err = broken
		if got, err := files(t.Context(), s, []agenvantage.Term{once("x"), once("y")}); !errors.Is(err, broken) || got != nil || s.asked != 1 {
			t.Errorf("%s, broken: %v, %v, %d lists read", name, got, err, s.asked)
		}
	}
}

// Of 20 names in all files of size 20 on the mean, k1 2 and b 0.5: one mention in file 0 of size 10 gains 3/(1+2*(0.5+0.5*0.5)),
// two in file 3 of size 30 gain 6/(2+2*(0.5+0.5*1.5)); two of four files have the term, so idf is ln 2.
func TestSymbolWordsByHand(t *testing.T) {
	s := four(FieldSymbol, "cart", posting{0, 1, 5}, posting{3, 2, 5})
	got, err := SymbolWords(context.Background(), s, s.size, []agenvantage.Term{once("cart"), once("absent")})
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "symbols", got, []fileScore{{3, math.Ln2 * 6 / 4.5}, {0, math.Ln2 * 3 / 2.5}})
}
