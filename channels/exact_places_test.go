package channels

import (
	"strings"
	"testing"

	"agenvantage"
)

// filesAtText prints the files that a path names.
func filesAtText(c *corpus, pasted string, within func(uint32) bool) string {
	var out []string
	for _, f := range FilesAt(c, pasted, within) {
		out = append(out, c.Path(f))
	}
	return strings.Join(out, " ")
}

func TestFilesAt(t *testing.T) {
	c := newCorpus(map[string]string{"tree.go": "a\n", "x/tree.go": "a\n", "y/x/tree.go": "a\n", "y/leaf.go": "a\n", "z/leaf.go": "a\n", "Read.me": "a\n", "src/app/cli.py": "a\n"}, nil)
	for _, x := range []struct{ pasted, want string }{
		{"tree.go", "tree.go"}, // of that very path, though others end in it
		{"./tree.go", "tree.go"},
		{"../tree.go", "tree.go"},
		{"x/../tree.go", "tree.go"},
		{"/home/other/tree.go", "tree.go"},
		{"C:/proj/tree.go", "tree.go"},
		{"/home/other/x/tree.go", "x/tree.go"},
		{"/home/y/x/tree.go", "y/x/tree.go"},
		{"x/tree.go", "x/tree.go"},
		{"leaf.go", "y/leaf.go z/leaf.go"},
		{"/home/leaf.go", ""}, // the whole path of none
		{"/home/z/leaf.go", "z/leaf.go"},
		{"/lib/site-packages/app/cli.py", "src/app/cli.py"}, // a package is installed without the folder that it has in the repository
		{"lib/site-packages/app/cli.py", "src/app/cli.py"},
		{"C:/lib/app/cli.py", "src/app/cli.py"},
		{"lib/app/cli.py", ""}, // a path of this repository, and wrong
		{"/lib/cli.py", ""},
		{"TREE.go", "tree.go"},
		{"read.me", "Read.me"},
		{"ree.go", ""}, {"mytree.go", ""}, {"", ""}, {".", ""}, {"/", ""}, {"..", ""},
	} {
		if got := filesAtText(c, x.pasted, nil); got != x.want {
			t.Errorf("%q: %q, want %q", x.pasted, got, x.want)
		}
	}
	if got := filesAtText(c, "leaf.go", func(f uint32) bool { return strings.HasPrefix(c.Path(f), "z/") }); got != "z/leaf.go" {
		t.Errorf("in a scope: %q", got)
	}
}

// The line of a path from elsewhere was lost where the file is at the root; lines beyond the end and ranges were not found at all.
func TestPlacesOfPastedPathsAreFound(t *testing.T) {
	def := func(n int) string { return strings.Repeat("def f(): pass\n", n) }
	c := newCorpus(map[string]string{"tree.py": def(9), "x/tree.py": def(9), "a/leaf.py": def(4), "b/leaf.py": def(9)}, nil)
	exact := NewExact(c, ExactOptions{})
	for _, x := range []struct{ text, want string }{ // the hits that are places
		{"tree.py:3", "tree.py:3"},
		{"/home/other/proj/tree.py:3", "tree.py:3"},
		{"github.com/o/r/v5/tree.py:3", "tree.py:3"},
		{"/home/other/x/tree.py:3", "x/tree.py:3"},
		{"../tree.py:3", "tree.py:3"},
		{"fix tree.py:3 now", "tree.py:3"},
		{"tree.py:3-5", "tree.py:3 tree.py:4 tree.py:5"},
		{"tree.py:99", "tree.py:9"},
		{"leaf.py:2", "a/leaf.py:2 b/leaf.py:2"},
		{"a/leaf.py:1 tree.py:2 b/leaf.py:3 x/tree.py:4", "a/leaf.py:1 tree.py:2 b/leaf.py:3 x/tree.py:4"}, // in their order, however long the paths
		{"leaf.py:8", "b/leaf.py:8"}, // the other one has no such line
		{"leaf.py:12", "a/leaf.py:4 b/leaf.py:9"},
		{"c/leaf.py:2", ""},
		{strings.Repeat("word ", 41) + "/home/other/proj/tree.py:3", ""}, // a long text is as it was
	} {
		var got []string
		for i, h := range ask(t, exact, c, x.text, agenvantage.Filter{}, 0).Hits {
			if IsPlace(h.Reason) {
				got = append(got, strings.TrimSuffix(strings.Split(shown(c, []agenvantage.Hit{h})[0], "#")[0], " "))
				if i != len(got)-1 {
					t.Errorf("%q: a place is hit %d", x.text, i+1)
				}
			}
		}
		if s := strings.Join(got, " "); s != x.want {
			t.Errorf("%q: %q, want %q", x.text, s, x.want)
		}
	}
}

// A place counted for every symbol of its chunk, also where the symbol does not have the line.
func TestAPlaceCountedForASymbolBesideIt(t *testing.T) {
	s := &exactSearch{Exact: &Exact{reader: newCorpus(map[string]string{"a.py": "x = 1\ndef f(): pass\n"}, nil)}, hits: map[hitKey]*exactHit{},
		request: Request{Query: agenvantage.Query{Short: true, Frames: []agenvantage.Frame{{Path: "a.py", Line: 1}}}}}
	facts, err := s.reader.Facts(0)
	if err != nil || len(facts.Symbols) == 0 {
		t.Fatalf("%+v, %v", facts, err)
	}
	line := facts.Symbols[0].Span.StartLine
	for _, x := range []struct {
		line  int
		given bool
	}{{line, true}, {line + 99, false}} {
		symbol := hitKey{0, 0, 0}
		s.hits[symbol] = &exactHit{}
		chunk := &exactHit{items: []itemScore{{itemPlace, scorePlace}, {0, scoreWord}}, reason: reasonPlace, line: x.line}
		given, err := s.giveItems(chunk, []hitKey{symbol})
		if h := s.hits[symbol]; err != nil || given != x.given || h.has(itemPlace) != x.given || !h.has(0) || IsPlace(h.reason) != x.given {
			t.Errorf("line %d: given %v, %+v, %v", x.line, given, h, err)
		}
	}
}
