package lexical

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWordsFilesStandInForTheAutomaton compares the terms read from words files with those of the engine, after a derived
// generation, and after the files were cut off or removed.
func TestWordsFilesStandInForTheAutomaton(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lex-1")
	w, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Apply(nil, []*Document{doc(MakeID(1, 0), "alpha beta", ""), doc(MakeID(2, 0), "beta gamma", "")}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	next := filepath.Join(filepath.Dir(dir), "lex-2")
	if w, err = Derive(dir, next); err != nil {
		t.Fatal(err)
	}
	if err := w.Apply([]ID{MakeID(1, 0)}, []*Document{doc(MakeID(3, 0), "delta", "")}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(next, "*."+FieldBody+wordsExtension))
	if err != nil || len(files) != 2 {
		t.Fatalf("words files %v, %v: want one for each of two segments", files, err)
	}
	want := bodyTerms(t, next)
	if !slices.Equal(want, []string{"alpha", "beta", "delta", "gamma"}) {
		t.Fatalf("terms %v", want)
	}
	if err := os.WriteFile(files[0], []byte("cut o"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(files[1]); err != nil {
		t.Fatal(err)
	}
	if got := bodyTerms(t, next); !slices.Equal(got, want) {
		t.Fatalf("without words files %v, with them %v", got, want)
	}
}

func bodyTerms(t *testing.T, dir string) []string {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	lines, err := r.TermLines(FieldBody)
	if err != nil {
		t.Fatal(err)
	}
	terms := strings.Split(strings.TrimSuffix(lines, "\n"), "\n")
	slices.Sort(terms)
	return slices.Compact(terms)
}
