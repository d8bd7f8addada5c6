package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
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
