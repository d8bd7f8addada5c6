package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/channels"
)

// defaults are options as a configuration gives them.
var defaults = Options{TopK: 10, MaxPerFile: 2, ChannelLimit: 100, ChannelTimeout: 10 * time.Second, MaxLineBytes: 200}

func search(t *testing.T, c Corpus, r Request, o Options) agenvantage.Response {
	t.Helper()
	response, err := Search(t.Context(), c, r, o)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// printed writes the results as rank path:lines symbol.
func printed(r agenvantage.Response) string {
	var out []string
	for _, x := range r.Results {
		s := strings.TrimSpace(fmt.Sprintf("%d %s:%d-%d %s", x.Rank, x.Path, x.StartLine, x.EndLine, x.Symbol))
		if x.Stale {
			s += " stale"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// canonical is a response without its timings.
func canonical(t *testing.T, r agenvantage.Response) string {
	t.Helper()
	b, err := json.Marshal(r.WithoutTimings())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSearchFillsResults(t *testing.T) {
	c := boxes()
	c[0].facts.Symbols[2].Doc = "Shuts the box."
	r := search(t, c, Request{Text: "close", Channels: []channels.Channel{
		fakeChannel{name: "exact", hits: []agenvantage.Hit{c.scored(0, 2, 2, 7000)}}, fakeChannel{name: "bm25f", hits: []agenvantage.Hit{c.scored(1, 1, -1, 3), c.scored(0, 3, -1, 2)}},
	}}, defaults)
	if got, want := printed(r), "1 box.py:10-20 Box.close, 2 lid.java:10-12"; got != want || r.Class != agenvantage.ClassIdentifier {
		t.Fatalf("%s, want %s; class %s", got, want, r.Class)
	}
	first, second := r.Results[0], r.Results[1]
	if first.Kind != agenvantage.KindMethod || first.Lang != "python" || first.Signature != "method close" || first.Doc != "Shuts the box." || first.Text != strings.TrimSuffix(numbered(20)[len(numbered(9)):], "\n") {
		t.Errorf("%+v", first)
	}
	if second.Lang != "sql" { // of the embedded part, not of the file
		t.Errorf("language of an embedded part: %s", second.Lang)
	}
	if e, b := first.Channels["exact"], first.Channels["bm25f"]; e.Rank != 1 || e.Score != 7000 || b.Rank != 2 || b.Score != 2 {
		t.Errorf("channels: %+v", first.Channels)
	}
	names := []string{}
	for _, x := range r.Results {
		sum := 0.0
		for _, p := range x.Parts {
			sum += p.Value
			names = append(names, p.Name)
		}
		if sum != x.Score {
			t.Errorf("parts of %s sum to %v, its score is %v", x.Path, sum, x.Score)
		}
	}
	if got := strings.Join(names, " "); got != "bm25f exact exact_match bm25f" {
		t.Errorf("parts: %s", got)
	}
}

// A question that describes gets no bonus for what it happens to spell out.
func TestExactMatchesCountForNamesOnly(t *testing.T) {
	c := boxes()
	exact := fakeChannel{name: "exact", hits: []agenvantage.Hit{c.scored(0, 2, 2, 7000)}}
	for text, want := range map[string]bool{
		"close": true, "Box.close": true, "box.py": true, "box.py:12": true,
		"close the box": false, "how does a box close": false, "/close/": false, strings.Repeat("close the box again ", 12): false,
	} {
		r := search(t, c, Request{Text: text, Channels: []channels.Channel{exact}}, defaults)
		got := false
		for _, p := range r.Results[0].Parts {
			got = got || p.Name == "exact_match"
		}
		if got != want {
			t.Errorf("%q (%s): exact_match %v, want %v", text, r.Class, got, want)
		}
	}
}

// bm25f puts the head of a file first for the words of its path: with a line behind the path it once passed the line.
func TestAPathWithALineLeadsToTheLine(t *testing.T) {
	c := boxes()
	place := c.scored(0, 3, -1, 14200)
	place.Reason = "place"
	exact := fakeChannel{name: "exact", hits: []agenvantage.Hit{place, c.scored(0, 0, -1, 5099)}}
	bm25f := fakeChannel{name: "bm25f", hits: []agenvantage.Hit{c.scored(0, 0, -1, 8), c.scored(1, 0, -1, 7)}}
	for text, want := range map[string]string{"box.py:16": "1 box.py:15-20 Box.close, 2 box.py:1-2, 3 lid.java:1-9 Lid", "box.py": "1 box.py:1-2, 2 box.py:15-20 Box.close, 3 lid.java:1-9 Lid"} {
		if got := printed(search(t, c, Request{Text: text, Channels: []channels.Channel{exact, bm25f}}, defaults)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// A definition in another spelling passed the one that was asked for, when its file had more votes; a place was passed by any file of
// its name.
func TestWhatIsSpelledOutIsPassedByWhatResemblesIt(t *testing.T) {
	at := func(file uint32, reason string, score float64, parts ...string) agenvantage.Candidate {
		c := agenvantage.Candidate{File: file, Score: score, Channels: map[string]agenvantage.ChannelRank{"exact": {Score: 7500, Reason: reason}}}
		for _, p := range parts {
			c.Parts = append(c.Parts, agenvantage.Part{Name: p})
		}
		return c
	}
	const definition, other, place = "definition", "definition in another spelling", "place"
	name := agenvantage.Query{Class: agenvantage.ClassIdentifier}
	line := agenvantage.Query{Short: true, Class: agenvantage.ClassPath, Frames: []agenvantage.Frame{{Path: "a.go", Line: 3}}}
	for label, x := range map[string]struct {
		query agenvantage.Query
		in    []agenvantage.Candidate
		want  string
	}{
		"another spelling":       {name, []agenvantage.Candidate{at(0, other, 9), at(1, "identifier", 8), at(2, definition, 2), at(3, "", 1)}, "1:8 2:2 0:1.998 3:1"},
		"a use keeps its place":  {name, []agenvantage.Candidate{at(0, "identifier", 9), at(1, definition, 8)}, "0:9 1:8"},
		"a definition in a test": {name, []agenvantage.Candidate{at(0, other, 9), at(1, definition, 2, "role:test")}, "0:9 1:2"},
		"a place":                {line, []agenvantage.Candidate{at(0, "path", 9), at(1, "file of this name", 8), at(2, place, 2), at(3, "", 1)}, "2:9.009 0:9 1:8 3:1"},
		"a place in an example":  {line, []agenvantage.Candidate{at(0, "path", 9), at(2, place, 2, "role:example")}, "2:9.009 0:9"},
		"a path without a place": {agenvantage.Query{Class: agenvantage.ClassPath}, []agenvantage.Candidate{at(0, "path", 9), at(2, place, 2)}, "0:9 2:2"},
		"a question in words":    {agenvantage.Query{Class: agenvantage.ClassQuestion}, []agenvantage.Candidate{at(0, other, 9), at(2, definition, 2)}, "0:9 2:2"},
	} {
		var got []string
		for _, c := range leading(divide(x.query, definedFirst(x.query, x.in))) {
			got = append(got, fmt.Sprintf("%d:%.4g", c.File, c.Score))
		}
		if s := strings.Join(got, " "); s != x.want {
			t.Errorf("%s: %s, want %s", label, s, x.want)
		}
	}
}

func TestAFailingChannelIsAReport(t *testing.T) {
	c := boxes()
	good := fakeChannel{name: "good", hits: []agenvantage.Hit{c.chunkHit(0, 4)}}
	o := defaults
	o.ChannelTimeout = 50 * time.Millisecond
	for _, x := range []struct {
		bad    fakeChannel
		status agenvantage.ChannelStatus
		says   string
	}{
		{fakeChannel{name: "bad", hits: []agenvantage.Hit{c.chunkHit(1, 0)}, err: errors.New("disk on fire")}, agenvantage.StatusError, "disk on fire"},
		{fakeChannel{name: "bad", panic: "index out of range"}, agenvantage.StatusError, "index out of range"},
		{fakeChannel{name: "bad", wait: func() time.Duration { return time.Minute }}, agenvantage.StatusTimeout, "deadline"},
		{fakeChannel{name: "bad"}, agenvantage.StatusEmpty, ""},
	} {
		for _, order := range [][]channels.Channel{{good, x.bad}, {x.bad, good}} {
			r := search(t, c, Request{Text: "shutdown", Channels: order}, o)
			if got, want := printed(r), "1 box.py:21-26"; got != want {
				t.Errorf("%s: %s, want %s", x.status, got, want)
			}
			for i, report := range r.Channels {
				if report.Name != order[i].Name() {
					t.Errorf("report %d is of %s, want %s", i, report.Name, order[i].Name())
				}
				if report.Name == "bad" && (report.Status != x.status || !strings.Contains(report.Error, x.says) || report.Hits != 0) {
					t.Errorf("%+v, want %s: %s", report, x.status, x.says)
				}
				if report.Name == "good" && (report.Status != agenvantage.StatusOK || report.Hits != 1) {
					t.Errorf("%+v", report)
				}
			}
		}
	}
}

func TestFreshness(t *testing.T) {
	c := boxes()
	c = append(c, fakeFile{path: "z.go", lang: "go", text: numbered(3), facts: agenvantage.Extraction{Chunks: []agenvantage.Chunk{chunk(agenvantage.ChunkBlock, 1, 3, -1)}}})
	hits := []agenvantage.Hit{c.scored(0, 4, -1, 9), c.scored(0, 1, -1, 8), c.scored(1, 0, -1, 7), c.scored(2, 0, -1, 6)}
	for _, x := range []struct {
		name  string
		state map[uint32]Freshness
		topK  int
		want  string
		stale bool
	}{
		{"fresh", nil, 10, "1 box.py:21-26, 2 box.py:3-9 Box, 3 lid.java:1-9 Lid, 4 z.go:1-3", false},
		{"changed", map[uint32]Freshness{0: Changed}, 10, "1 box.py:21-26 stale, 2 box.py:3-9 Box stale, 3 lid.java:1-9 Lid, 4 z.go:1-3", true},
		{"gone", map[uint32]Freshness{0: Gone}, 10, "1 lid.java:1-9 Lid, 2 z.go:1-3", true},
		{"the next takes the place of one that is gone", map[uint32]Freshness{1: Gone}, 3, "1 box.py:21-26, 2 box.py:3-9 Box, 3 z.go:1-3", true},
		{"beyond the cut nothing is asked", map[uint32]Freshness{2: Gone}, 2, "1 box.py:21-26, 2 box.py:3-9 Box", false},
		{"all gone", map[uint32]Freshness{0: Gone, 1: Gone, 2: Gone}, 10, "", true},
	} {
		asked := map[uint32]int{}
		r := search(t, c, Request{Text: "shutdown", TopK: x.topK, Channels: []channels.Channel{fakeChannel{name: "exact", hits: hits}}, FreshnessOf: func(f uint32) Freshness {
			asked[f]++
			return x.state[f]
		}}, defaults)
		if got := printed(r); got != x.want || r.Coverage.Stale != x.stale {
			t.Errorf("%s: %s stale %v, want %s %v", x.name, got, r.Coverage.Stale, x.want, x.stale)
		}
		for f, n := range asked {
			if n > 1 {
				t.Errorf("%s: %s was looked at %d times", x.name, c.Path(f), n)
			}
		}
	}
}

func TestCutAndCap(t *testing.T) {
	c := boxes()
	hits := []agenvantage.Hit{c.scored(0, 4, -1, 9), c.scored(0, 1, -1, 8), c.scored(0, 0, -1, 7), c.scored(0, 3, -1, 6), c.scored(1, 0, -1, 5), c.scored(1, 1, -1, 4)}
	for _, x := range []struct {
		topK, cap int
		want      string
		more      string // more_in_file of each result
	}{
		{0, 2, "1 box.py:21-26, 2 box.py:3-9 Box, 3 lid.java:1-9 Lid, 4 lid.java:10-12, 5 box.py:1-2", "1 0 0 0 0"},
		{3, 2, "1 box.py:21-26, 2 box.py:3-9 Box, 3 lid.java:1-9 Lid", "2 0 1"},
		{3, 1, "1 box.py:21-26, 2 lid.java:1-9 Lid, 3 box.py:3-9 Box", "2 1 0"},
		{2, 0, "1 box.py:21-26, 2 box.py:3-9 Box", "2 0"},
	} {
		o := defaults
		o.TopK, o.MaxPerFile = 5, x.cap
		r := search(t, c, Request{Text: "shutdown", TopK: x.topK, Channels: []channels.Channel{fakeChannel{name: "exact", hits: hits}}}, o)
		more := []string{}
		for i, k := range r.Results {
			more = append(more, fmt.Sprint(k.MoreInFile))
			if i > 0 && k.Score > r.Results[i-1].Score {
				t.Errorf("score %v after %v", k.Score, r.Results[i-1].Score)
			}
		}
		if got := printed(r); got != x.want || strings.Join(more, " ") != x.more {
			t.Errorf("%d of a file, top %d: %s more %v, want %s more %s", x.cap, x.topK, got, more, x.want, x.more)
		}
	}
}

func TestScopesAndNotes(t *testing.T) {
	c := boxes()
	all := fakeChannel{name: "exact", hits: []agenvantage.Hit{c.scored(0, 4, -1, 9), c.scored(1, 0, -1, 8)}}
	for _, x := range []struct {
		filter agenvantage.Filter
		want   string
		scope  int
		notes  string
	}{
		{agenvantage.Filter{}, "1 box.py:21-26, 2 lid.java:1-9 Lid", 2, ""},
		{agenvantage.Filter{Paths: []string{"lid.*"}}, "1 lid.java:1-9 Lid", 1, ""},
		{agenvantage.Filter{Paths: []string{"nowhere/**"}}, "", 0, "no indexed file matches --path nowhere/**"},
		{agenvantage.Filter{Langs: []string{"rust"}}, "", 0, "no indexed file is of language rust"},
		{agenvantage.Filter{Paths: []string{"box.py"}, NotPaths: []string{"*.py"}}, "", 0, "no indexed file passes all path and language filters together"},
	} {
		r := search(t, c, Request{Text: "shutdown", Filter: x.filter, Channels: []channels.Channel{all}}, defaults)
		if got := printed(r); got != x.want || r.Coverage.FilesInScope != x.scope || strings.Join(r.Notes, "; ") != x.notes {
			t.Errorf("%+v: %s, %d files, %q; want %s, %d files, %q", x.filter, got, r.Coverage.FilesInScope, r.Notes, x.want, x.scope, x.notes)
		}
	}
}

func TestBadInputIsAnError(t *testing.T) {
	for _, r := range []Request{{Text: " "}, {Text: "a\x00b"}, {Text: "a(", Regex: true}, {Text: "a", Filter: agenvantage.Filter{Paths: []string{"../x"}}}} {
		if _, err := Search(t.Context(), boxes(), r, defaults); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

func TestAnEmptyAnswerIsEmptyLists(t *testing.T) {
	r := search(t, boxes(), Request{Text: "shutdown"}, defaults)
	if s := canonical(t, r); !strings.Contains(s, `"results":[]`) || !strings.Contains(s, `"channels":[]`) {
		t.Error(s)
	}
}

func TestLongLinesAreShortened(t *testing.T) {
	c := boxes()
	c[1].text = strings.Repeat("-", 1000) + "needle" + strings.Repeat("-", 1000) + "\nshort\n"
	r := search(t, c, Request{Text: "needle", Channels: []channels.Channel{fakeChannel{name: "exact", hits: []agenvantage.Hit{c.chunkHit(1, 0), c.chunkHit(0, 0)}}}}, defaults)
	if x := r.Results[0]; !x.Shortened || len(x.Text) > 220 || !strings.Contains(x.Text, "needle") || !strings.HasSuffix(x.Text, "\nshort") {
		t.Errorf("%+v", x)
	}
	if r.Results[1].Shortened {
		t.Error("short lines were shortened")
	}
}

// The same question over the same view gives the same bytes, whichever channel comes first and whoever asks beside it.
func TestAnswersAreRepeatable(t *testing.T) {
	var c fakeCorpus
	for i := range 60 {
		x := boxes()[i%2]
		x.path = fmt.Sprintf("pkg%02d/%s", i, x.path)
		if i%7 == 0 {
			x.class = agenvantage.ClassGenerated
		}
		c = append(c, x)
	}
	hitsOf := func(seed uint64) []agenvantage.Hit {
		draw := rand.New(rand.NewPCG(seed, 1))
		var hits []agenvantage.Hit
		for range 80 {
			f := uint32(draw.IntN(len(c)))
			hits = append(hits, c.scored(f, draw.IntN(len(c[f].facts.Chunks)), -1, float64(draw.IntN(5)))) // many equal scores
		}
		return hits
	}
	shuffled := func() time.Duration { return time.Duration(rand.IntN(300)) * time.Microsecond }
	request := func(text string) Request {
		return Request{Text: text, TopK: 40, Channels: []channels.Channel{
			fakeChannel{name: "exact", hits: hitsOf(1), wait: shuffled}, fakeChannel{name: "bm25f", hits: hitsOf(2), wait: shuffled}, fakeChannel{name: "other", hits: hitsOf(3), wait: shuffled},
		}}
	}
	questions := []string{"open", "Box.close", "shutdown the box", "Lid", "how does it open", "box.py"}
	want := map[string]string{}
	for _, q := range questions {
		r := search(t, c, request(q), defaults)
		if len(r.Results) == 0 {
			t.Fatalf("%s: no results", q)
		}
		want[q] = canonical(t, r)
	}
	var asking sync.WaitGroup
	for range 10 {
		for _, q := range questions {
			asking.Go(func() {
				r, err := Search(t.Context(), c, request(q), defaults)
				if err != nil {
					t.Error(err)
				} else if got := canonical(t, r); got != want[q] {
					t.Errorf("%s:\n got %s\nwant %s", q, got, want[q])
				}
			})
		}
	}
	asking.Wait()
}

// The stages are in the order of the flow, and what they took is what the answer took.
func TestStagesAddUpToTheAnswer(t *testing.T) {
	watch := newStopwatch()
	watch.started, watch.lapped = watch.started.Add(-9*time.Second), watch.started.Add(-9*time.Second)
	watch.lap("plan")
	watch.lap("channels")
	watch.lapped = watch.lapped.Add(-4 * time.Second)
	watch.lap("plan") // a ranking that goes deeper
	if len(watch.stages) != 2 || watch.stages[0].Name != "plan" || watch.stages[1].Name != "channels" {
		t.Fatalf("stages %v", watch.stages)
	}
	if first := watch.stages[0].TookMS; first < 13_000 {
		t.Errorf("the first stage took %v ms, want the sum of both laps", first)
	}
	if total := watch.total(); total < 9_000 {
		t.Errorf("in all %v ms", total)
	}
}
