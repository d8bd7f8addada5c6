package pipeline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/channels"
)

// shelf adds postings by hand to a corpus: the documents of a term in every field, one for each chunk, counted over the files.
type shelf struct {
	fakeCorpus
	words map[string][]uint32 // field/term to files, whose first chunks hold it once
	fail  error
}

func (s shelf) DocBound() int                 { return len(s.fakeCorpus) }
func (s shelf) ChunkCount() int               { return len(s.fakeCorpus) }
func (s shelf) FieldTokens(string) uint64     { return 100 }
func (s shelf) Locate(d uint32) (uint32, int) { return d, 0 }
func (s shelf) SizeOf(uint32) int64           { return 100 }
func (s shelf) IsCode(f uint32) bool          { return s.fakeCorpus[f].lang != "yaml" }
func (s shelf) Postings(field, term string, visit func(doc uint32, freq, length int)) error {
	for _, f := range s.words[field+"/"+term] {
		visit(f, 1, 10)
	}
	return s.fail
}

// long is a report of one line and some prose.
const long = "Zebra is striped wrongly\n\n" +
	"When the page of the animals is opened for the first time after the upgrade of last week the stripes of the animal are drawn from left to right, " +
	"and not from the top to the bottom as they were before, which looks odd to all of the visitors that we asked about it today.\n"

// byQuery answers with the hits of the first key that the question's text holds.
type byQuery struct {
	name  string
	hits  map[string][]agenvantage.Hit
	order []string
	err   map[string]error
}

func (c byQuery) Name() string { return c.name }

func (c byQuery) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	for _, key := range c.order {
		if strings.Contains(r.Query.Text, key) {
			return fakeChannel{name: c.name, hits: c.hits[key], err: c.err[key]}.Search(ctx, r)
		}
	}
	return channels.List{Covered: 1}, nil
}

func paths(r agenvantage.Response) string {
	var out []string
	for _, x := range r.Results {
		out = append(out, x.Path)
	}
	return strings.Join(out, " ")
}

// three is a corpus of three files of one chunk each.
func three() fakeCorpus {
	var c fakeCorpus
	for _, path := range []string{"a.py", "b.py", "c.py"} {
		c = append(c, fakeFile{path: path, lang: "python", text: numbered(9), facts: agenvantage.Extraction{Chunks: []agenvantage.Chunk{chunk(agenvantage.ChunkText, 1, 9, -1)}}})
	}
	return c
}

func TestAReportIsAboutFiles(t *testing.T) {
	c := three()
	words := byQuery{name: "bm25f", order: []string{"visitors", "Zebra"}, hits: map[string][]agenvantage.Hit{
		"visitors": {c.scored(0, 0, -1, 9), c.scored(1, 0, -1, 8)}, // the whole report, and not its prose, which is the same text
		"Zebra":    {c.scored(1, 0, -1, 5)},                        // its title
	}}
	request := Request{Text: long, Channels: []channels.Channel{words}}
	r := search(t, c, request, defaults)
	if r.Class != agenvantage.ClassIssue || paths(r) != "b.py a.py" {
		t.Errorf("%s: %s, want the file of the title before that of the text", r.Class, paths(r))
	}
	// A word that is in whole files only finds the file in which no channel finds a span: its words are asked for there.
	request.Words = shelf{fakeCorpus: c, words: map[string][]uint32{"path/zebra": {2}, "symbol/zebra": {2}, "body/zebra": {2}, "body/stripes": {2}, "path/stripes": {2}, "symbol/stripes": {2}}}
	words.hits["visitors"] = words.hits["visitors"][:1]
	words.order = []string{"visitors", "Zebra"}
	all := fakeChannel{name: "bm25f", hits: []agenvantage.Hit{c.scored(0, 0, -1, 9), c.scored(1, 0, -1, 3), c.scored(2, 0, -1, 1)}}
	request.Channels = []channels.Channel{limited{all, 2}}
	r = search(t, c, request, defaults)
	if !strings.HasPrefix(paths(r), "c.py") {
		t.Errorf("%s, want first the file that whole files, symbols and paths vote for", paths(r))
	}
	ranks := map[int]bool{}
	for _, x := range r.Results {
		sum := 0.0
		for _, p := range x.Parts {
			sum += p.Value
		}
		if sum != x.Score {
			t.Errorf("parts of %s sum to %v, its score is %v", x.Path, sum, x.Score)
		}
		if rank := x.Channels["bm25f"].Rank; ranks[rank] {
			t.Errorf("%s has rank %d, as another one has", x.Path, rank)
		} else {
			ranks[rank] = true
		}
	}
	// A filter never adds.
	request.Filter.NotPaths = []string{"c.py"}
	if r = search(t, c, request, defaults); strings.Contains(paths(r), "c.py") {
		t.Errorf("%s, want no file that the filter keeps out", paths(r))
	}
}

// limited cuts the list of a whole corpus, but not that of a scope, to n hits.
type limited struct {
	fakeChannel
	n int
}

func (c limited) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	l, err := c.fakeChannel.Search(ctx, r)
	if r.Limit <= reportLimit && len(l.Hits) > c.n {
		l.Hits = l.Hits[:c.n]
	}
	return l, err
}

func TestFramesOfAReportWeighMore(t *testing.T) {
	c := three()
	run := []channels.Channel{
		fakeChannel{name: "bm25f", hits: []agenvantage.Hit{c.scored(0, 0, -1, 9), c.scored(1, 0, -1, 1)}},
		fakeChannel{name: "exact", hits: []agenvantage.Hit{c.scored(1, 0, -1, 7000), c.scored(0, 0, -1, 10)}},
	}
	trace := "It fails\n\nTraceback (most recent call last):\n  File \"b.py\", line 3, in run\nError: no"
	for weight, want := range map[float64]string{4: "b.py a.py", 0.1: "a.py b.py"} {
		o := defaults
		o.Votes = VoteOptions{Report: map[string]float64{"chunks": 0}, Trace: map[string]float64{"exact": weight}}
		if r := search(t, c, Request{Text: trace, Channels: run}, o); r.Class != agenvantage.ClassTrace || paths(r) != want {
			t.Errorf("exact at %v: %s (%s), want %s", weight, paths(r), r.Class, want)
		}
	}
}

func TestAReadingThatFailsIsANote(t *testing.T) {
	c := three()
	broken := errors.New("broken")
	words := byQuery{name: "bm25f", order: []string{"visitors", "Zebra"}, hits: map[string][]agenvantage.Hit{"visitors": {c.scored(0, 0, -1, 9)}}, err: map[string]error{"Zebra": broken}}
	r := search(t, c, Request{Text: long, Channels: []channels.Channel{words}}, defaults)
	if paths(r) != "a.py" || !strings.Contains(strings.Join(r.Notes, "\n"), "the title of the text could not be asked of bm25f: broken") {
		t.Errorf("%s with notes %q", paths(r), r.Notes)
	}
	if _, err := Search(t.Context(), c, Request{Text: long, Channels: []channels.Channel{words}, Words: shelf{fakeCorpus: c, fail: broken}}, defaults); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the postings", err)
	}
}

func TestFilesThatAreNeitherCodeNorProseComeLaterInReports(t *testing.T) {
	c := three()
	c[0].lang, c[2].lang, c[2].class = "yaml", "yaml", agenvantage.ClassDocument
	run := []channels.Channel{fakeChannel{name: "bm25f", hits: []agenvantage.Hit{c.scored(0, 0, -1, 9), c.scored(2, 0, -1, 8), c.scored(1, 0, -1, 7)}}}
	o := defaults
	o.Votes.Other = 0.5
	for text, want := range map[string]string{long: "c.py b.py a.py", "striped zebra": "a.py c.py b.py"} {
		if r := search(t, c, Request{Text: text, Channels: run, Words: shelf{fakeCorpus: c}}, o); paths(r) != want {
			t.Errorf("%s: %s, want %s", r.Class, paths(r), want)
		}
	}
}
