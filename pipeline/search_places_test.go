package pipeline

import (
	"fmt"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/channels"
)

// candidateText prints candidates as FILE:SCORE.
func candidateText(list []agenvantage.Candidate) string {
	var out []string
	for _, c := range list {
		out = append(out, fmt.Sprintf("%d:%.4g", c.File, c.Score))
	}
	return strings.Join(out, " ")
}

// A place that the query asks for was shown behind another span of its file, whose words are those of the path.
func TestThePlaceThatIsAskedForComesFirst(t *testing.T) {
	short := agenvantage.Query{Short: true, Frames: []agenvantage.Frame{{Path: "a.go", Line: 3}}}
	place := func(file uint32, rank int, score float64) agenvantage.Candidate {
		return agenvantage.Candidate{File: file, Score: score, Channels: map[string]agenvantage.ChannelRank{"exact": {Rank: rank, Reason: "place"}}}
	}
	other := func(file uint32, score float64) agenvantage.Candidate {
		return agenvantage.Candidate{File: file, Score: score, Channels: map[string]agenvantage.ChannelRank{"bm25f": {Rank: 1}}}
	}
	for _, x := range []struct {
		name  string
		query agenvantage.Query
		in    []agenvantage.Candidate
		want  string
	}{
		{"none", short, nil, ""},
		{"one", short, []agenvantage.Candidate{other(1, 4), other(2, 3), place(1, 1, 0.999)}, "1:4.004 1:4 2:3"},
		{"in the order in which they are named", short, []agenvantage.Candidate{place(2, 2, 9), place(1, 1, 8), other(3, 1)}, "1:9.009 2:9 3:1"},
		{"in a long text", agenvantage.Query{Frames: short.Frames}, []agenvantage.Candidate{other(1, 4), place(1, 1, 2)}, "1:4 1:2"},
		{"without a place", agenvantage.Query{Short: true}, []agenvantage.Candidate{other(1, 4), place(1, 1, 2)}, "1:4 1:2"},
	} {
		places, others := divide(x.query, x.in)
		got := leading(places, others)
		if s := candidateText(got); s != x.want {
			t.Errorf("%s: %s, want %s", x.name, s, x.want)
		}
	}
}

// What was found for files without a span had ranks that hits of the first list have.
func TestARankWasGivenTwice(t *testing.T) {
	ranked := func(ranks ...string) (list []agenvantage.Candidate) {
		for i, r := range ranks {
			c := agenvantage.Candidate{File: uint32(i), Channels: map[string]agenvantage.ChannelRank{}}
			for part := range strings.FieldsSeq(r) {
				name, number, _ := strings.Cut(part, "=")
				var rank int
				fmt.Sscan(number, &rank)
				c.Channels[name] = agenvantage.ChannelRank{Rank: rank}
			}
			list = append(list, c)
		}
		return list
	}
	for _, x := range []struct {
		name           string
		before, behind []agenvantage.Candidate
		want           string
	}{
		{"nothing", nil, nil, ""},
		{"behind the last one", ranked("b=1", "b=7 e=1"), ranked("b=1", "b=2"), "b=8 b=9"},
		{"in their order", ranked("b=3"), ranked("b=2", "b=1", "e=1"), "b=5 b=4 e=1"},
		{"what is behind already stays", ranked("b=3"), ranked("b=3", "b=9"), "b=4 b=9"},
	} {
		given := fmt.Sprint(x.behind)
		var got []string
		for _, c := range rankedBehind(x.before, x.behind) {
			for _, name := range []string{"b", "e"} {
				if r, ok := c.Channels[name]; ok {
					got = append(got, fmt.Sprintf("%s=%d", name, r.Rank))
				}
			}
		}
		if s := strings.Join(got, " "); s != x.want {
			t.Errorf("%s: %s, want %s", x.name, s, x.want)
		}
		if fmt.Sprint(x.behind) != given {
			t.Errorf("%s: what was given has changed", x.name)
		}
	}
}

func TestWhatIsNotPlainAboutAPlaceIsSaid(t *testing.T) {
	block := agenvantage.Extraction{Chunks: []agenvantage.Chunk{chunk(agenvantage.ChunkBlock, 1, 9, -1)}}
	c := fakeCorpus{}
	for _, path := range []string{"a/tree.go", "b/tree.go", "tree.py", "x/long.go", "y/long.go"} {
		f := fakeFile{path: path, lang: "go", text: numbered(9), facts: block}
		if path == "y/long.go" {
			f.text = numbered(30)
		}
		c = append(c, f)
	}
	none := []channels.Channel{fakeChannel{name: "exact", hits: []agenvantage.Hit{c.scored(0, 0, -1, 9)}}}
	for text, want := range map[string]string{
		"tree.go:3":                      `"tree.go:3" may mean a/tree.go, b/tree.go: more of its path tells them apart`,
		"fix tree.go:3":                  `"tree.go:3" may mean a/tree.go, b/tree.go: more of its path tells them apart`,
		"tree.go":                        `"tree.go" may mean a/tree.go, b/tree.go: more of its path tells them apart`,
		"/home/other/b/tree.go:3":        "",
		"tree.py:10":                     "tree.py has 9 lines: there is no line 10",
		"tree.py:9":                      "",
		"long.go:20":                     "", // the other one is shorter
		"tree.rs:1":                      `no indexed file has the path "tree.rs"`,
		"how is a tree built":            "",
		strings.Repeat("tree.go:3 ", 41): "",
	} {
		r := search(t, c, Request{Text: text, Channels: none}, defaults)
		if got := strings.Join(r.Notes, "; "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// The note on a place that is in no file of the scope said that no file was indexed at its path.
func TestAPlaceOutsideOfTheScopeIsSaidToBe(t *testing.T) {
	c := three()
	run := []channels.Channel{fakeChannel{name: "exact", hits: []agenvantage.Hit{c.scored(1, 0, -1, 9)}}}
	r := search(t, c, Request{Text: "a.py:3", Channels: run, Filter: agenvantage.Filter{Paths: []string{"b.py"}}}, defaults)
	if got, want := strings.Join(r.Notes, "; "), `no file that passes the filters has the path "a.py"`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Many files of one name were all named.
func TestANoteNamesAFewOfManyFiles(t *testing.T) {
	var c fakeCorpus
	for i := range 7 {
		x := three()[0]
		x.path = fmt.Sprintf("p%d/a.py", i)
		c = append(c, x)
	}
	run := []channels.Channel{fakeChannel{name: "exact", hits: []agenvantage.Hit{c.scored(0, 0, -1, 9)}}}
	r := search(t, c, Request{Text: "a.py:3", Channels: run}, defaults)
	if got, want := strings.Join(r.Notes, "; "), `"a.py:3" may mean p0/a.py, p1/a.py, p2/a.py, p3/a.py, p4/a.py and 2 more: more of its path tells them apart`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
