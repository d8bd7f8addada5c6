package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/channels"
	"agenvantage/rerank"
)

// oneLiners is a corpus of files f0.go, f1.go and so on, with one line and one chunk each.
func oneLiners(texts ...string) (c fakeCorpus) {
	for i, text := range texts {
		c = append(c, fakeFile{path: fmt.Sprintf("f%d.go", i), lang: "go", text: text + "\n", facts: agenvantage.Extraction{Chunks: []agenvantage.Chunk{chunk(agenvantage.ChunkBlock, 1, 1, -1)}}})
	}
	return c
}

// What holds a quotation came behind what shares words with it, where it was in a test or a document, and so did what holds a lone name.
func TestAQuotationWasBuriedBelowWhatResemblesIt(t *testing.T) {
	c := oneLiners("needle", "text of a Needle Text", "the needle text", "needle text and pin text", "needle_text", "f2.go")
	for name, x := range map[string]struct {
		text  string
		exact map[uint32]string // reasons
		score float64
		even  bool // both channels weigh alike
		want  string
	}{
		"as it stands, then in another letter case": {`"needle text"`, map[uint32]string{2: "literal", 3: "literal"}, 600, false, "f2.go f3.go f1.go f0.go f4.go f5.go"},
		"what holds more":                 {`"needle text" "pin text"`, map[uint32]string{2: "literal", 3: "literal"}, 600, false, "f3.go f2.go f1.go f0.go f4.go f5.go"},
		"as it stands before more":        {`"needle text" "TEXT OF A"`, map[uint32]string{1: "literal"}, 600, false, "f2.go f3.go f1.go f0.go f4.go f5.go"},
		"in a question":                   {`where does it say "needle text" at all`, map[uint32]string{2: "literal"}, 600, false, "f2.go f3.go f1.go f0.go f4.go f5.go"},
		"code in a sentence":              {"what does `needle text` do to f(1, 'pin text') or g(\"pin text\") here", nil, 0, false, "f0.go f1.go f2.go f3.go f4.go f5.go"},
		"in brackets of a sentence":       {`what is said there (f(x) and "needle text") and what is not`, map[uint32]string{2: "literal"}, 600, false, "f2.go f3.go f1.go f0.go f4.go f5.go"},
		"behind a place":                  {`f0.go:1 "needle text"`, map[uint32]string{0: "place", 2: "literal"}, 600, false, "f0.go f2.go f3.go f1.go f4.go f5.go"},
		"in no file":                      {`"haystack"`, nil, 0, false, "f0.go f1.go f2.go f3.go f4.go f5.go"},
		"a quoted path is a path":         {"`f2.go` needles", map[uint32]string{2: "path"}, 5000, true, "f2.go f0.go f1.go f3.go f4.go f5.go"},
		"a whole quotation is no path":    {`"f2.go"`, map[uint32]string{5: "literal"}, 600, false, "f5.go f0.go f1.go f2.go f3.go f4.go"},
		"a lone name":                     {"needle_text", map[uint32]string{4: "identifier"}, 500, false, "f4.go f0.go f1.go f2.go f3.go f5.go"},
		"a lone name in any letter case":  {"NEEDLE_text", map[uint32]string{4: "literal in another letter case"}, 200, false, "f4.go f0.go f1.go f2.go f3.go f5.go"},
		"a lone name with a definition":   {"needle_text", map[uint32]string{1: "definition"}, 7000, true, "f1.go f0.go f2.go f3.go f4.go f5.go"},
		"a quoted name and what uses it":  {"`pkg.needle` pins", map[uint32]string{1: "qualified definition"}, 6500, false, "f1.go f0.go f2.go f3.go f4.go f5.go"},
		"words that nobody quoted":        {"needle text", map[uint32]string{2: "literal"}, 600, true, "f2.go f0.go f1.go f3.go f4.go f5.go"},
		"a trace quotes its surroundings": {"Traceback (most recent call last):\n  File \"f0.go\", line 1, in run\nKeyError: 'needle text'", nil, 0, false, "f0.go f1.go f2.go f3.go f4.go f5.go"},
	} {
		var fuzzy, exact []agenvantage.Hit
		for file := range uint32(len(c)) {
			fuzzy = append(fuzzy, c.scored(file, 0, -1, 100-float64(file)))
			if reason, ok := x.exact[file]; ok {
				h := c.scored(file, 0, -1, x.score-float64(file))
				h.Reason = reason
				exact = append(exact, h)
			}
		}
		o := defaults
		if !x.even {
			o.Fusion.Weights = map[string]float64{"exact": 0.1}
		}
		run := []channels.Channel{fakeChannel{name: "bm25f", hits: fuzzy}, fakeChannel{name: "exact", hits: exact}}
		r := search(t, c, Request{Text: x.text, Channels: run}, o)
		if got := paths(r); got != x.want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		}
		for i := 1; i < len(r.Results); i++ {
			if r.Results[i].Score > r.Results[i-1].Score {
				t.Errorf("%s: %s has more than what stands before it", name, r.Results[i].Path)
			}
		}
	}
}

// A quotation that a test holds was passed by what its role does not demote.
func TestAQuotationInATestIsNoLess(t *testing.T) {
	c := oneLiners("needle", "needle text")
	c[1].class = agenvantage.ClassTest
	run := []channels.Channel{fakeChannel{name: "bm25f", hits: []agenvantage.Hit{c.scored(1, 0, -1, 9), c.scored(0, 0, -1, 8)}}}
	o := defaults
	o.Features = rerank.FeatureOptions{Roles: map[string]float64{"test": 0.3}}
	for text, want := range map[string]string{`"needle text"`: "f1.go f0.go", `what does "needle text" mean`: "f1.go f0.go", "needle text": "f0.go f1.go"} {
		if got := paths(search(t, c, Request{Text: text, Channels: run}, o)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// textFails is a corpus that has no text to read.
type textFails struct{ fakeCorpus }

func (textFails) Text(uint32) (string, error) { return "", errors.New("unreadable") }

func TestATextThatCannotBeReadFailsTheSearch(t *testing.T) {
	c := oneLiners("needle", "needle text")
	run := []channels.Channel{fakeChannel{name: "bm25f", hits: []agenvantage.Hit{c.scored(0, 0, -1, 9)}}}
	_, err := Search(t.Context(), textFails{c}, Request{Text: `"needle text"`, Channels: run}, defaults)
	if err == nil || !strings.Contains(err.Error(), `text of "f0.go": unreadable`) {
		t.Errorf("%v", err)
	}
}

// The cap of a file put what holds nothing before its third span that holds the quotation.
func TestTheCapOfAFilePutHoldersBehind(t *testing.T) {
	in := func(text string) (list []agenvantage.Candidate) {
		for i, s := range strings.Fields(text) {
			var c agenvantage.Candidate
			if _, err := fmt.Sscanf(s, "%d:%g", &c.File, &c.Score); err != nil {
				t.Fatal(err)
			}
			c.Span = agenvantage.Span{StartLine: i + 1, EndLine: i + 1}
			list = append(list, c)
		}
		return list
	}
	for _, x := range []struct {
		in             string
		asked, holders int
		want           string
	}{
		{"0:9 0:8 0:7 1:6 0:5 2:4", 0, 4, "0:9 1:6 0:6 0:6 2:4 0:4"},
		{"0:9 0:8 0:7 1:6 0:5 2:4", 2, 2, "0:9 0:8 1:6 0:6 2:4 0:4"},
		{"0:9 0:8", 0, 2, "0:9 0:8"},
		{"0:9 0:8 1:7", 0, 0, "0:9 1:7 0:7"},
		{"", 0, 0, ""},
	} {
		if got := candidateText(newSelection(in(x.in), 1, x.asked, x.holders).order); got != x.want {
			t.Errorf("%s, %d and %d: %s, want %s", x.in, x.asked, x.holders, got, x.want)
		}
	}
}

// A chunk that holds a quotation was shown as the symbol in it that the question names, which does not hold it.
func TestAQuotationWasLostToASymbolOfItsChunk(t *testing.T) {
	text := "func parseFoo\nend\nfunc bar\n needle text\n"
	facts := agenvantage.Extraction{
		Symbols: []agenvantage.Symbol{symbol(agenvantage.KindFunction, "parseFoo", 1, 2, -1), symbol(agenvantage.KindFunction, "bar", 3, 4, -1)},
		Chunks:  []agenvantage.Chunk{chunk(agenvantage.ChunkGroup, 1, 4, -1, 0, 1)},
	}
	c := fakeCorpus{{path: "a.go", lang: "go", text: text, facts: facts}}
	for question, want := range map[string]string{
		`"needle text" parseFoo`:   "1 a.go:1-4",
		`"NEEDLE text" parseFoo`:   "1 a.go:1-4",
		`"func parseFoo" parseFoo`: "1 a.go:1-2 parseFoo",
		`"pin" parseFoo`:           "1 a.go:1-2 parseFoo",
		`needle text parseFoo`:     "1 a.go:1-2 parseFoo",
	} {
		run := []channels.Channel{fakeChannel{name: "exact", hits: []agenvantage.Hit{c.chunkHit(0, 0)}}}
		if got := printed(search(t, c, Request{Text: question, Channels: run}, defaults)); got != want {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}

// An empty file was said to be held by no indexed file.
func TestAnEmptyFileIsSaidToBeEmpty(t *testing.T) {
	c := oneLiners("words", "more")
	c[0].text, c[0].facts = "", agenvantage.Extraction{}
	c = append(c, fakeFile{path: "x/g.go", lang: "go"}, fakeFile{path: "y/g.go", lang: "go", text: " \n"})
	run := []channels.Channel{fakeChannel{name: "exact"}, fakeChannel{name: "bm25f", hits: []agenvantage.Hit{c.scored(1, 0, -1, 9)}}}
	for text, want := range map[string]string{
		"f0.go":       "f0.go is empty",
		"f0.go:1":     "f0.go is empty",
		"fix f0.go:7": "f0.go is empty",
		"f1.go":       "no indexed file holds what the query spells out; the results only share words with it",
		"g.go":        `"g.go" may mean x/g.go, y/g.go: more of its path tells them apart`,
		"y/g.go":      "y/g.go is empty",
	} {
		if got := strings.Join(search(t, c, Request{Text: text, Channels: run}, defaults).Notes, "; "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
