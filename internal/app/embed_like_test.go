package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/embed"
	"agenvantage/server"
)

// builtinServed is a service whose embedder is the model in the program.
func builtinServed(t *testing.T, fs files, flags ...string) *Service {
	t.Helper()
	s, w := served(t, fs, append([]string{"embed.provider=builtin", "embed.store_dir=" + t.TempDir()}, flags...)...)
	w.embedding.transport = noNetwork{t}
	return s
}

// TestServersFindCodeLikeSomeOther by the argument of search that is named as the flag is, with the answer and the errors of the command.
func TestServersFindCodeLikeSomeOther(t *testing.T) {
	fs := meanings()
	fs["src/sign_up.py"] = "def hash_password(user, word):\n    \"\"\"Keep the pass phrase of a user.\"\"\"\n    user.hash = word\n"
	s := builtinServed(t, fs)
	if _, err := askFor(t, s, "search", `{"like":"src/login.py:2"}`, server.Limits{}, nil); !errors.Is(err, agenvantage.ErrNoIndex) {
		t.Errorf("without an index: %v", err)
	}
	s.mustBuild(t)
	for _, arguments := range []string{`{"like":"src/login.py:2"}`, `{"like":" verify_password ","query":" "}`} {
		a, got := mustAsk(t, s, "search", arguments)
		r := a.Value.(*agenvantage.Response)
		if len(r.Results) == 0 || r.Results[0].Path != "src/sign_up.py" || r.Results[0].Score != r.Results[0].Channels[semanticChannel].Score {
			t.Errorf("%s: %+v", arguments, r.Results)
		}
		if !strings.HasPrefix(a.Text, "src/sign_up.py:1-3") || !slices.Equal(a.Channels, []string{semanticChannel}) {
			t.Errorf("%s: channels %v, %s", arguments, a.Channels, a.Text)
		}
		keepsSchema(t, "search "+arguments, schemaOf("search"), got)
	}
	for arguments, says := range map[string]string{
		`{"like":"src/login.py:2","query":"word"}`: "a query", `{"like":"src/login.py:2","regex":true}`: "a regular expression", `{"like":"src/login.py:2","channels":["exact"]}`: "channels",
		`{"like":"src/login.py:2-1"}`: "a range goes up", `{"like":"src/login.py:1-9"}`: "ends at line 9",
		`{"like":"src/login.py"}`: "name a line", `{"like":"src/login.py:99"}`: "has 3 lines", `{"like":"nowhere.py:1"}`: "unknown location",
	} {
		if _, err := askFor(t, s, "search", arguments, server.Limits{}, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", arguments, err, says)
		}
	}
	without, _ := served(t, fs, "embed.provider=none")
	without.mustBuild(t)
	if _, err := askFor(t, without, "search", `{"like":"src/login.py:2"}`, server.Limits{}, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "embed.provider") {
		t.Errorf("without a model: %v", err)
	}
}

// TestToolsNameTheChannels that there are: MCP's schemas left the argument out, and with it the channels that a plain question does not ask.
func TestToolsNameTheChannels(t *testing.T) {
	s := builtinServed(t, meanings())
	s.mustBuild(t)
	for _, o := range server.Operations() {
		if o.Name != "search" && o.Name != "pack" {
			continue
		}
		channels, _ := o.InputSchema()["properties"].(map[string]any)["channels"].(map[string]any)
		about, _ := channels["description"].(string)
		for _, name := range append(namesOf(s.app.makers), "auto") {
			if !strings.Contains(about, name) {
				t.Errorf("%s: %q does not name %s", o.Name, about, name)
			}
		}
		arguments := map[string]string{"search": `{"query":"x","channels":["odd"]}`, "pack": `{"task":"x","channels":["odd"]}`}[o.Name]
		if _, err := askFor(t, s, o.Name, arguments, server.Limits{}, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), `unknown channel "odd"; the channels are auto, exact`) {
			t.Errorf("%s: %v", o.Name, err)
		}
	}
}

// TestPagesOfCodeLikeSomeOther are slices of one ranking too, past the hits that the channel is first asked for; a cursor belongs to its place.
func TestPagesOfCodeLikeSomeOther(t *testing.T) {
	s := builtinServed(t, orchard(20, 4), "search.channel_limit=7", "search.max_per_file=1")
	s.mustBuild(t)
	whole, err := askFor(t, s, "search", `{"like":"d0/plums0.go:4","top_k":1000}`, server.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, next := placesIn(t, whole)
	if len(want) < 30 || next != "" {
		t.Fatalf("%d results, next %q", len(want), next)
	}
	for _, size := range []int{1, 5, 8, 29} {
		var got []string
		cursor := ""
		for range 100 {
			a, err := askFor(t, s, "search", fmt.Sprintf(`{"like":"d0/plums0.go:4","top_k":%d,"cursor":%q}`, size, cursor), server.Limits{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			places, next := placesIn(t, a)
			got = append(got, places...)
			if cursor = next; cursor == "" {
				break
			}
			if _, err := askFor(t, s, "search", fmt.Sprintf(`{"like":"d1/plums1.go:4","cursor":%q}`, cursor), server.Limits{}, nil); err == nil || !strings.Contains(err.Error(), "another question") {
				t.Errorf("the cursor of another place: %v", err)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("pages of %d: %d results\n%s\nwant %d\n%s", size, len(got), got, len(want), want)
		}
	}
	scores := whole.Value.(*agenvantage.Response).Results
	for i := 1; i < len(scores); i++ {
		if scores[i].Score > scores[i-1].Score {
			t.Errorf("result %d has the score %v, the one before %v", i+1, scores[i].Score, scores[i-1].Score)
		}
	}
}

// TestAStreamTellsOfTheListOfLike as of those of other channels.
func TestAStreamTellsOfTheListOfLike(t *testing.T) {
	s := builtinServed(t, orchard(3, 2))
	s.mustBuild(t)
	var told []server.ChannelList
	a := &server.SearchArguments{Like: "d0/plums0.go:4"}
	if _, err := s.Answer(t.Context(), server.Call{Operation: "search", Arguments: a, Told: func(l server.ChannelList) { told = append(told, l) }}); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || told[0].Name != semanticChannel || told[0].Total != 5 || told[0].Error != "" {
		t.Errorf("%+v", told)
	}
}

// TestCodeLikeARangeIsLikeAllOfIt: only the chunk of its first line was asked about, and the others came out as their own neighbours.
func TestCodeLikeARangeIsLikeAllOfIt(t *testing.T) {
	fs := meanings()
	login, mail := "", "" // long enough for a chunk each
	for i := range 20 {
		login, mail = login+fmt.Sprintf("    user.hash_%d = word\n", i), mail+fmt.Sprintf("    server.sendmail(\"noreply%d\", recipient, body)\n", i)
	}
	login = "def check_password(user, word):\n    \"\"\"Check the pass phrase at sign in.\"\"\"\n" + login
	mail = "def deliver_message(server, recipient, body):\n    \"\"\"Deliver by SMTP.\"\"\"\n" + mail
	fs["src/both.py"] = login + "\n\n" + mail // lines 1-22 and 25-46
	w := newBuiltinWorld(t, fs)
	w.mustIndex()
	like := func(location string) map[string]float64 {
		r := w.askAgain(SearchRequest{Like: location})
		scores := map[string]float64{}
		for _, x := range r.Results {
			scores[x.Path] = max(scores[x.Path], x.Score)
		}
		return scores
	}
	first, last, whole := like("src/both.py:1"), like("src/both.py:30"), like("src/both.py:1-46")
	if first["src/both.py"] == 0 || last["src/both.py"] == 0 || whole["src/both.py"] != 0 {
		t.Errorf("the other chunk of the file is a result of one line and none of both: %v, %v, %v", first, last, whole)
	}
	for path, far := range map[string]map[string]float64{"src/login.py": last, "src/mail.py": first} {
		if whole[path] <= far[path] || whole[path] < 0.5 {
			t.Errorf("%s is %v of the range, %v of the line of another chunk", path, whole[path], far[path])
		}
	}
	if edge := like("src/both.py:22-25"); edge["src/both.py"] != 0 || edge["src/login.py"] <= last["src/login.py"] {
		t.Errorf("one line of each: %v", edge)
	}
	if gap := like("src/both.py:1-24"); gap["src/login.py"] != first["src/login.py"] {
		t.Errorf("a chunk and the empty lines behind it: %v, want %v", gap, first)
	}
}

// TestMeanByLines by hand: a chunk weighs by its lines, whatever the length of its vector is, and one without a vector is left out.
func TestMeanByLines(t *testing.T) {
	for _, c := range []struct {
		lines   []int
		vectors []embed.Vector
		want    []float32
	}{
		{[]int{3, 1}, []embed.Vector{{1, 0}, {0, 1}}, []float32{3, 1}},
		{[]int{1, 2}, []embed.Vector{{3, 4}, {0, 10}}, []float32{0.6, 2.8}},
		{[]int{5, 2}, []embed.Vector{nil, {0, -2}}, []float32{0, -2}},
		{[]int{5, 2}, []embed.Vector{nil, nil}, nil},
	} {
		var chunks []touched
		for i, n := range c.lines {
			chunks = append(chunks, touched{i, n})
		}
		if got := meanByLines(chunks, func(i int) embed.Vector { return c.vectors[i] }); !slices.Equal(got, c.want) {
			t.Errorf("%v of %v: %v, want %v", c.lines, c.vectors, got, c.want)
		}
	}
}
