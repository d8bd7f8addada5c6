package pipeline

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/channels"
)

// spokenChannel is a fake with a note that keeps what it was asked.
type spokenChannel struct {
	fakeChannel
	note     string
	requests *[]channels.Request
}

func (c spokenChannel) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	if c.requests != nil {
		*c.requests = append(*c.requests, r)
	}
	list, err := c.fakeChannel.Search(ctx, r)
	list.Note = c.note
	return list, err
}

// wordIndex holds, by field and term, the files that a word is in, once each and with one document for each file.
type wordIndex struct {
	fakeCorpus
	files map[string][]uint32 // by field and term, "body cart"
	err   error
}

func (w wordIndex) DocBound() int                   { return len(w.fakeCorpus) }
func (w wordIndex) ChunkCount() int                 { return len(w.fakeCorpus) }
func (w wordIndex) FieldTokens(string) uint64       { return 0 }
func (w wordIndex) Locate(doc uint32) (uint32, int) { return doc, 0 }
func (w wordIndex) IsCode(uint32) bool              { return true }
func (w wordIndex) SizeOf(f uint32) int64           { return []int64{10, 30}[f] } // the shorter file first
func (w wordIndex) Postings(field, term string, visit func(doc uint32, freq, length int)) error {
	for _, f := range w.files[field+" "+term] {
		visit(f, 1, 10)
	}
	return w.err
}

// brokenCorpus has no facts to read.
type brokenCorpus struct {
	fakeCorpus
	err error
}

func (c brokenCorpus) Facts(uint32) (*agenvantage.Extraction, error) { return nil, c.err }

func fileHits(files ...uint32) []agenvantage.Hit {
	var hits []agenvantage.Hit
	for i, f := range files {
		hits = append(hits, agenvantage.Hit{File: f, Chunk: i, Symbol: -1, Span: agenvantage.Span{StartLine: i + 1, EndLine: i + 1}, Score: float64(10 - i), Reason: "fake"})
	}
	return hits
}

func gathered(t *testing.T, asked []channels.Channel, o EvidenceOptions) *Evidence {
	t.Helper()
	e, err := Gather(t.Context(), boxes(), agenvantage.Query{Terms: []agenvantage.Term{{Text: "cart", Count: 1}}}, asked, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

type votedFile struct {
	file  uint32
	score float64
}

func wantVoted(t *testing.T, name string, got []FileEvidence, want ...votedFile) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %+v, want %v", name, got, want)
		return
	}
	for i, w := range want {
		if got[i].File != w.file || !(math.Abs(got[i].Score-w.score) <= 1e-12) {
			t.Errorf("%s: place %d is file %d with %v, want %v", name, i, got[i].File, got[i].Score, w)
		}
	}
}

func TestGatherVotesOnDistinctFiles(t *testing.T) {
	asked := []channels.Channel{fakeChannel{name: "exact", hits: fileHits(0, 2)}, fakeChannel{name: "bm25f", hits: fileHits(1, 1, 1, 0)}}
	e := gathered(t, asked, EvidenceOptions{K: 20, Votes: map[string]float64{"bm25f": 2}}) // exact weighs 1
	wantVoted(t, "files", e.Files, votedFile{0, 1.0/21 + 2.0/22}, votedFile{1, 2.0 / 21}, votedFile{2, 1.0 / 22})
	want := map[string]agenvantage.ChannelRank{"exact": {Rank: 1, Score: 10, Share: 1.0 / 21, Reason: "fake"}, "bm25f": {Rank: 2, Score: 7, Share: 2.0 / 22, Reason: "fake"}}
	if !reflect.DeepEqual(e.Files[0].Votes, want) {
		t.Errorf("votes are %+v, want %+v", e.Files[0].Votes, want)
	}
	// A file's vote is its best place, and reports count the hits rather than the files.
	if v := e.Files[1].Votes["bm25f"]; v.Rank != 1 || v.Score != 10 || len(e.Files[1].Votes) != 1 {
		t.Errorf("%+v", e.Files[1].Votes)
	}
	if len(e.Reports) != 2 || e.Reports[0].Name != "exact" || e.Reports[0].Hits != 2 || e.Reports[1].Name != "bm25f" || e.Reports[1].Hits != 4 {
		t.Errorf("%+v", e.Reports)
	}
}

func TestGatherWeights(t *testing.T) {
	asked := []channels.Channel{fakeChannel{name: "exact", hits: fileHits(0)}, fakeChannel{name: "bm25f", hits: fileHits(1)}}
	for _, c := range []struct {
		name  string
		k     float64
		votes map[string]float64
		want  []votedFile
	}{
		{"none: ties by file", 20, nil, []votedFile{{0, 1.0 / 21}, {1, 1.0 / 21}}},
		{"half", 20, map[string]float64{"exact": 0.5}, []votedFile{{1, 1.0 / 21}, {0, 0.5 / 21}}},
		{"zero has no vote", 20, map[string]float64{"exact": 0}, []votedFile{{1, 1.0 / 21}}},
		{"k of the paper", 0, nil, []votedFile{{0, 1.0 / 61}, {1, 1.0 / 61}}},
	} {
		e := gathered(t, asked, EvidenceOptions{K: c.k, Votes: c.votes})
		wantVoted(t, c.name, e.Files, c.want...)
		if len(e.Reports) != 2 {
			t.Errorf("%s: %d reports", c.name, len(e.Reports))
		}
	}
}

func TestGatherAsksForItsLimit(t *testing.T) {
	var requests []channels.Request
	gathered(t, []channels.Channel{spokenChannel{fakeChannel{name: "exact"}, "", &requests}}, EvidenceOptions{Limit: 7})
	if len(requests) != 1 || requests[0].Limit != 7 || requests[0].Scope != nil || len(requests[0].Query.Terms) != 1 {
		t.Errorf("%+v", requests)
	}
}

func TestLandmarksAreNoEvidence(t *testing.T) {
	c := boxes()
	graph := func(note string) []channels.Channel {
		return []channels.Channel{spokenChannel{fakeChannel{name: "graph", hits: []agenvantage.Hit{c.chunkHit(0, 1)}}, note, nil}, fakeChannel{name: "exact", hits: []agenvantage.Hit{c.chunkHit(1, 0)}}}
	}
	for _, x := range []struct {
		note   string
		status agenvantage.ChannelStatus
		hits   int
		files  []votedFile
		places int // of the file of the landmark
	}{
		{channels.NoneNamed, agenvantage.StatusEmpty, 0, []votedFile{{1, 1.0 / 21}}, 0},
		{"another note", agenvantage.StatusOK, 1, []votedFile{{0, 1.0 / 21}, {1, 1.0 / 21}}, 1},
	} {
		e := gathered(t, graph(x.note), EvidenceOptions{K: 20})
		wantVoted(t, x.note, e.Files, x.files...)
		if r := e.Reports[0]; r.Status != x.status || r.Hits != x.hits || r.Note != x.note {
			t.Errorf("%s: %+v", x.note, r)
		}
		places, err := e.Places(t.Context(), []uint32{0, 1})
		if err != nil || len(places[0]) != x.places || len(places[1]) != 1 {
			t.Errorf("%s: %+v, %v", x.note, places, err)
		}
	}
}

func TestGatherVotesOfWholeFilesAndPaths(t *testing.T) {
	c := boxes()
	words := wordIndex{fakeCorpus: c, files: map[string][]uint32{"body cart": {0, 1}, "path cart": {1}}}
	votes := map[string]float64{"whole_file": 2, "path_words": 1}
	both := agenvantage.Query{Terms: []agenvantage.Term{{Text: "cart", Count: 1}}}
	for _, x := range []struct {
		name  string
		query agenvantage.Query
		o     EvidenceOptions
		want  []votedFile
	}{
		{"both lists", both, EvidenceOptions{K: 20, Limit: 9, Votes: votes, Words: words}, []votedFile{{1, 2.0/22 + 1.0/21}, {0, 2.0 / 21}}},
		{"cut at the limit", both, EvidenceOptions{K: 20, Limit: 1, Votes: votes, Words: words}, []votedFile{{0, 2.0 / 21}, {1, 1.0 / 21}}},
		{"only whole files", both, EvidenceOptions{K: 20, Limit: 9, Votes: map[string]float64{"whole_file": 1, "path_words": 0}, Words: words}, []votedFile{{0, 1.0 / 21}, {1, 1.0 / 22}}},
		{"only paths", both, EvidenceOptions{K: 20, Limit: 9, Votes: map[string]float64{"whole_file": 0, "path_words": 1}, Words: words}, []votedFile{{1, 1.0 / 21}}},
		{"without words", both, EvidenceOptions{K: 20, Limit: 9, Votes: votes}, nil},
		{"a question without terms", agenvantage.Query{}, EvidenceOptions{K: 20, Limit: 9, Votes: votes, Words: wordIndex{fakeCorpus: c, err: errors.New("read")}}, nil},
	} {
		e, err := Gather(t.Context(), c, x.query, []channels.Channel{fakeChannel{name: "exact"}}, x.o)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		wantVoted(t, x.name, e.Files, x.want...)
		for _, f := range e.Files {
			for name := range f.Votes {
				if name != "whole_file" && name != "path_words" {
					t.Errorf("%s: a vote of %s", x.name, name)
				}
			}
		}
		if len(e.Reports) != 1 { // the two lists are no channels
			t.Errorf("%s: %+v", x.name, e.Reports)
		}
	}
}

func TestGatherFails(t *testing.T) {
	broken := errors.New("disk is gone")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	query := agenvantage.Query{Terms: []agenvantage.Term{{Text: "cart", Count: 1}}}
	words := EvidenceOptions{Limit: 9, Votes: map[string]float64{"path_words": 1}, Words: wordIndex{fakeCorpus: boxes(), err: broken}}
	failed, well := fakeChannel{name: "exact", err: broken}, fakeChannel{name: "bm25f", hits: fileHits(1)}
	for _, x := range []struct {
		name  string
		ctx   context.Context
		asked []channels.Channel
		o     EvidenceOptions
		want  error
	}{
		{"every channel", t.Context(), []channels.Channel{failed, fakeChannel{name: "graph", panic: "nil map"}}, EvidenceOptions{}, broken},
		{"cancelled", cancelled, []channels.Channel{well}, EvidenceOptions{}, context.Canceled},
		{"words", t.Context(), []channels.Channel{well}, words, broken},
	} {
		if e, err := Gather(x.ctx, boxes(), query, x.asked, x.o); !errors.Is(err, x.want) || e != nil {
			t.Errorf("%s: %+v, %v", x.name, e, err)
		}
	}
	e := gathered(t, []channels.Channel{failed, well}, EvidenceOptions{K: 20}) // one that answers is enough
	wantVoted(t, "one of two", e.Files, votedFile{1, 1.0 / 21})
	if e.Reports[0].Status != agenvantage.StatusError || e.Reports[1].Status != agenvantage.StatusOK {
		t.Errorf("%+v", e.Reports)
	}
	if e := gathered(t, nil, EvidenceOptions{}); len(e.Files) != 0 || len(e.Reports) != 0 {
		t.Errorf("without channels: %+v", e)
	}
}

func TestPlacesByHand(t *testing.T) {
	c := boxes()
	spanned := func(start, end int, score float64, reason string) agenvantage.Hit {
		return agenvantage.Hit{File: 0, Chunk: -1, Symbol: -1, Span: agenvantage.Span{StartLine: start, EndLine: end}, Score: score, Reason: reason}
	}
	bm25f := fakeChannel{name: "bm25f", hits: []agenvantage.Hit{c.scored(0, 1, -1, 8), c.scored(0, 2, -1, 4), c.scored(1, 0, -1, 2), c.scored(1, 1, -1, 1)}}
	exact := fakeChannel{name: "exact", hits: []agenvantage.Hit{spanned(5, 8, 100, "definition"), spanned(14, 15, 50, "literal"), spanned(15, 15, 20, "word")}}
	// Whichever is asked first: the channel that weighs most gives the reason.
	for _, asked := range [][]channels.Channel{{exact, bm25f}, {bm25f, exact}} {
		e := gathered(t, asked, EvidenceOptions{Lines: map[string]float64{"bm25f": 1, "exact": 0.3}})
		got, err := e.Places(t.Context(), []uint32{1, 0})
		if err != nil {
			t.Fatal(err)
		}
		both := []string{asked[0].Name(), asked[1].Name()}
		wantPlaces(t, got, map[uint32][]PlaceEvidence{
			0: {
				{1, c[0].facts.Chunks[1].Span, 0, 0.3*100/100 + 1, both, "fake"},
				{2, c[0].facts.Chunks[2].Span, 2, 0.3*50/100 + 0.5, both, "fake"},
				{3, c[0].facts.Chunks[3].Span, 2, 0.15, []string{"exact"}, "literal"}, // its better hit of two
			},
			1: { // shares of the best in this file, however much better another is
				{0, c[1].facts.Chunks[0].Span, 0, 1, []string{"bm25f"}, "fake"},
				{1, c[1].facts.Chunks[1].Span, -1, 0.5, []string{"bm25f"}, "fake"},
			},
		})
	}
}

func wantPlaces(t *testing.T, got, want map[uint32][]PlaceEvidence) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("places of %d files, want %d", len(got), len(want))
	}
	for file, places := range want {
		if len(got[file]) != len(places) {
			t.Errorf("file %d: %+v, want %+v", file, got[file], places)
			continue
		}
		for i, w := range places {
			g := got[file][i]
			if !(math.Abs(g.Score-w.Score) <= 1e-12) {
				t.Errorf("file %d, place %d: score %v, want %v", file, i, g.Score, w.Score)
			}
			if g.Score = w.Score; !reflect.DeepEqual(g, w) {
				t.Errorf("file %d, place %d: %+v, want %+v", file, i, g, w)
			}
		}
	}
}

func TestPlacesWeights(t *testing.T) {
	c := boxes()
	asked := []channels.Channel{
		fakeChannel{name: "a", hits: []agenvantage.Hit{c.scored(0, 4, -1, 6), c.scored(0, 0, -1, 3)}},
		fakeChannel{name: "b", hits: []agenvantage.Hit{c.scored(0, 0, -1, 50), c.scored(0, 2, -1, 0)}},
	}
	for _, x := range []struct {
		name   string
		lines  map[string]float64
		chunks []int
		scores []float64
		first  []string // channels of the first place
	}{
		{"missing weighs 1", nil, []int{0, 4}, []float64{1.5, 1}, []string{"a", "b"}},
		{"half of a tie, by chunk", map[string]float64{"b": 0.5}, []int{0, 4}, []float64{1, 1}, []string{"a", "b"}},
		{"a tenth", map[string]float64{"b": 0.1}, []int{4, 0}, []float64{1, 0.6}, []string{"a"}},
		{"zero finds nothing", map[string]float64{"a": 0}, []int{0}, []float64{1}, []string{"b"}},
		{"all zero", map[string]float64{"a": 0, "b": 0}, nil, nil, nil},
	} {
		places, err := gathered(t, asked, EvidenceOptions{Lines: x.lines}).Places(t.Context(), []uint32{0})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		var chunks []int
		for i, p := range places[0] {
			chunks = append(chunks, p.Chunk)
			if i < len(x.scores) && !(math.Abs(p.Score-x.scores[i]) <= 1e-12) {
				t.Errorf("%s: chunk %d has %v, want %v", x.name, p.Chunk, p.Score, x.scores[i])
			}
		}
		if len(chunks) > 0 && !slices.Equal(places[0][0].Channels, x.first) {
			t.Errorf("%s: the first is found by %v, want %v", x.name, places[0][0].Channels, x.first)
		}
		if !slices.Equal(chunks, x.chunks) {
			t.Errorf("%s: chunks %v, want %v", x.name, chunks, x.chunks)
		}
	}
}

func TestPlacesAskAboutTheseFilesAlone(t *testing.T) {
	c := boxes()
	var requests []channels.Request
	e := gathered(t, []channels.Channel{spokenChannel{fakeChannel{name: "exact", hits: []agenvantage.Hit{c.chunkHit(0, 1)}}, "", &requests}}, EvidenceOptions{Limit: 1})
	places, err := e.Places(t.Context(), []uint32{1})
	if err != nil {
		t.Fatal(err)
	}
	if got, there := places[1]; !there || len(got) != 0 || len(places) != 1 { // asked about, and nothing in it
		t.Errorf("%+v", places)
	}
	if len(requests) != 2 || requests[1].Limit != maxPlaces || requests[1].Scope.Has(0) || !requests[1].Scope.Has(1) {
		t.Errorf("%+v", requests)
	}
	if places, err := e.Places(t.Context(), nil); places != nil || err != nil || len(requests) != 2 {
		t.Errorf("no files: %v, %v, asked %d times", places, err, len(requests))
	}
}

func TestPlacesFail(t *testing.T) {
	broken := errors.New("facts are gone")
	e := gathered(t, []channels.Channel{fakeChannel{name: "exact", hits: fileHits(0)}}, EvidenceOptions{})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if places, err := e.Places(cancelled, []uint32{0}); !errors.Is(err, context.Canceled) || places != nil {
		t.Errorf("cancelled: %v, %v", places, err)
	}
	e.corpus = brokenCorpus{boxes(), broken}
	if places, err := e.Places(t.Context(), []uint32{0}); !errors.Is(err, broken) || places != nil {
		t.Errorf("broken: %v, %v", places, err)
	}
}

func TestChunksOf(t *testing.T) {
	facts := &boxes()[0].facts // chunks 1-2, 3-9, 10-14, 15-20, 21-26
	for _, x := range []struct {
		chunk, start, end int
		want              []int
	}{
		{2, 1, 26, []int{2}}, // its own, whatever its lines
		{1, 3, 20, []int{1}}, // a class of three chunks: the one with its name
		{-1, 5, 8, []int{1}},
		{-1, 9, 10, []int{1, 2}},
		{-1, 3, 20, []int{1, 2, 3}},
		{-1, 1, 99, []int{0, 1, 2, 3, 4}},
		{-1, 26, 26, []int{4}},
		{-1, 27, 30, nil},
	} {
		got := chunksOf(facts, agenvantage.Hit{Chunk: x.chunk, Symbol: -1, Span: agenvantage.Span{StartLine: x.start, EndLine: x.end}})
		if !slices.Equal(got, x.want) {
			t.Errorf("chunk %d, lines %d-%d: %v, want %v", x.chunk, x.start, x.end, got, x.want)
		}
	}
}

// readChannel finds one chunk by the whole text and another by the title.
type readChannel struct {
	fakeChannel
	title string
	err   error // of the title
}

func (c readChannel) Search(ctx context.Context, r channels.Request) (channels.List, error) {
	if r.Query.Text == c.title {
		return channels.List{Hits: []agenvantage.Hit{boxes().chunkHit(0, 4)}}, c.err
	}
	return c.fakeChannel.Search(ctx, r)
}

func TestTheTitleOfALongTextWeighsLines(t *testing.T) {
	text := "Wrong total when a cart is empty\n\n" + strings.Repeat("Open the cart page without any item in it and look at the line below the table. ", 8)
	query := parsed(t, text)
	if !query.Class.IsReport() {
		t.Fatal(query.Class)
	}
	short := agenvantage.Query{Text: "Wrong total", Class: agenvantage.ClassQuestion}
	for _, x := range []struct {
		name    string
		channel string
		query   agenvantage.Query
		weight  float64
		err     error
		want    []float64 // by chunk
	}{
		{"a list of its own", "bm25f", query, 0.6, nil, []float64{0, 1, 0, 0, 0.6}},
		{"no weight", "bm25f", query, 0, nil, []float64{0, 1, 0, 0, 0}},
		{"another channel", "exact", query, 0.6, nil, []float64{0, 1, 0, 0, 0}},
		{"a short text", "bm25f", short, 0.6, nil, []float64{0, 1, 0, 0, 0}},
		{"it fails", "bm25f", query, 0.6, errors.New("lost"), []float64{0, 1, 0, 0, 0}},
	} {
		asked := readChannel{fakeChannel{name: x.channel, hits: []agenvantage.Hit{boxes().chunkHit(0, 1)}}, "Wrong total when a cart is empty", x.err}
		e := &Evidence{corpus: boxes(), channels: []channels.Channel{asked}, query: x.query, options: EvidenceOptions{Lines: map[string]float64{titleLines: x.weight}}}
		places, err := e.Places(t.Context(), []uint32{0})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
		got := make([]float64, 5)
		for _, p := range places[0] {
			got[p.Chunk] = p.Score
			if !slices.Equal(p.Channels, []string{x.channel}) {
				t.Errorf("%s: chunk %d is found by %v", x.name, p.Chunk, p.Channels)
			}
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: scores %v, want %v", x.name, got, x.want)
		}
	}
}
