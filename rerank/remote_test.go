package rerank

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/embed/embedtest"
)

const (
	plantedKey  = "sk-planted-0123456789abcdefghijklmnop"
	plantedText = "func planted(correct horse battery staple) { return 4217 }"
)

// remotePaths is where the stand-in server speaks the protocol of each provider.
var remotePaths = map[string]string{"cohere": "/v2", "jina": "/jina/v1/", "voyage": "/voyage/v1"}

func eachRemote(t *testing.T, run func(t *testing.T, provider string)) {
	for provider := range remoteAddresses {
		t.Run(provider, func(t *testing.T) { run(t, provider) })
	}
}

func startRemote(t *testing.T, provider string, mode embedtest.Mode) (*Remote, *embedtest.Server) {
	t.Helper()
	s := embedtest.Start(t, mode)
	r, err := NewRemote(RemoteOptions{Provider: provider, BaseURL: s.URL + remotePaths[provider], Model: "mock", Key: plantedKey, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return r, s
}

func TestRemoteScores(t *testing.T) {
	for _, fault := range []embedtest.Fault{embedtest.OK, embedtest.Shuffle, embedtest.PlainType} {
		eachRemote(t, func(t *testing.T, provider string) {
			r, s := startRemote(t, provider, embedtest.Mode{Fault: fault})
			got, err := r.Score(t.Context(), "open file", []string{"close socket", "open file", "open socket"})
			if err != nil || len(got) != 3 || math.Abs(got[0]) > 1e-9 || math.Abs(got[1]-1) > 1e-6 || math.Abs(got[2]-0.5) > 1e-6 {
				t.Errorf("%v, %v", got, err)
			}
			asked := s.Asked()
			if len(asked) != 1 || asked[0].Query != "open file" || asked[0].Auth != "Bearer "+plantedKey || asked[0].Model != "mock" {
				t.Errorf("%+v", asked)
			}
			want := map[string]string{"cohere": `"top_n":3`, "jina": `"return_documents":false`, "voyage": `"top_k":3`}[provider]
			if !strings.Contains(asked[0].Body, want) {
				t.Errorf("%s is not in %s", want, asked[0].Body)
			}
			if got, err := r.Score(t.Context(), "q", nil); err != nil || got != nil || len(s.Asked()) != 1 {
				t.Errorf("no documents: %v, %v", got, err)
			}
		})
	}
}

// TestRemoteFaults is the table of what each fault means; none of them may reorder.
func TestRemoteFaults(t *testing.T) {
	for _, tt := range []struct {
		mode embedtest.Mode
		want error
		says string
	}{
		{embedtest.Mode{Fault: embedtest.Empty}, ErrBadAnswer, "0 scores for 3 documents"},
		{embedtest.Mode{Fault: embedtest.Short}, ErrBadAnswer, "2 scores for 3 documents"},
		{embedtest.Mode{Fault: embedtest.Extra}, ErrBadAnswer, "4 scores for 3 documents"},
		{embedtest.Mode{Fault: embedtest.BadIndex}, ErrBadAnswer, "indexes"},
		{embedtest.Mode{Fault: embedtest.SameIndex}, ErrBadAnswer, "indexes"},
		{embedtest.Mode{Fault: embedtest.NoIndex}, ErrBadAnswer, "indexes"},
		{embedtest.Mode{Fault: embedtest.Null}, ErrBadAnswer, "no finite number"},
		{embedtest.Mode{Fault: embedtest.Overflow}, ErrBadAnswer, "no finite number"},
		{embedtest.Mode{Fault: embedtest.WrongScores}, ErrBadAnswer, "no finite number"},
		{embedtest.Mode{Fault: embedtest.NaNLiteral}, ErrBadAnswer, "no JSON"},
		{embedtest.Mode{Fault: embedtest.Garbage}, ErrBadAnswer, "no JSON"},
		{embedtest.Mode{Fault: embedtest.HTML}, ErrBadAnswer, "text/html"},
		{embedtest.Mode{Fault: embedtest.SuccessError}, ErrBadAnswer, "upstream had a hiccup"},
		{embedtest.Mode{Fault: embedtest.Huge}, ErrBadAnswer, "more than"},
		{embedtest.Mode{Fault: embedtest.Half}, ErrUnreachable, "broke off"},
		{embedtest.Mode{Fault: embedtest.Die}, ErrUnreachable, ""},
		{embedtest.Mode{Fault: embedtest.Rate, K: 9}, ErrLimited, ""},
		{embedtest.Mode{Fault: embedtest.Quota}, ErrQuota, ""},
		{embedtest.Mode{Fault: embedtest.Auth, Key: "another"}, ErrUnauthorized, "rerank.api_key"},
		{embedtest.Mode{Fault: embedtest.Missing}, ErrModelMissing, ""},
		{embedtest.Mode{Fault: embedtest.Down}, ErrRefused, ""},
		{embedtest.Mode{Fault: embedtest.TooLarge, K: 1}, ErrRefused, "413"},
		{embedtest.Mode{Fault: embedtest.Echo}, ErrRefused, "***"},
		{embedtest.Mode{Fault: embedtest.EchoPlain}, ErrRefused, "***"},
		{embedtest.Mode{Fault: embedtest.Redirect, Target: "http://elsewhere.invalid/x?k=v"}, ErrRefused, "rerank.base_url"},
	} {
		eachRemote(t, func(t *testing.T, provider string) {
			r, s := startRemote(t, provider, tt.mode)
			scores, err := r.Score(t.Context(), plantedText, []string{"a b", embedtest.Poison + " " + plantedText, "c d"})
			if scores != nil || !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || len(s.Asked()) != 1 {
				t.Fatalf("%s: %v, %v, %d requests; want %v, %q", tt.mode.Fault, scores, err, len(s.Asked()), tt.want, tt.says)
			}
			shown := fmt.Sprintf("%s %+v", err, err)
			if strings.Contains(shown, "correct horse") {
				t.Errorf("the error shows a text: %s", shown)
			}
			for i := 0; i+10 <= len(plantedKey); i++ {
				if strings.Contains(shown, plantedKey[i:i+10]) {
					t.Fatalf("the error shows a part of the key: %s", shown)
				}
			}
		})
	}
}

func TestRemoteTimeout(t *testing.T) {
	s := embedtest.Start(t, embedtest.Mode{Fault: embedtest.Hang})
	r, err := NewRemote(RemoteOptions{Provider: "jina", BaseURL: s.URL + "/jina/v1", Model: "mock", Timeout: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Score(t.Context(), "q", []string{"a", "b"}); !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "no answer within 20ms") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Score(ctx, "q", []string{"a", "b"}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrTimeout) {
		t.Errorf("%v", err)
	}
}

func TestRemoteOptions(t *testing.T) {
	for _, tt := range []struct {
		o    RemoteOptions
		want error
		says string
	}{
		{RemoteOptions{Provider: "acme", Model: "m"}, agenvantage.ErrBadInput, "cohere, jina, voyage"},
		{RemoteOptions{Provider: "jina"}, agenvantage.ErrBadInput, "rerank.model is empty"},
		{RemoteOptions{Provider: "jina", Model: "m"}, ErrUnauthorized, "AGENVANTAGE_RERANK_API_KEY"},
		{RemoteOptions{Provider: "jina", Model: "m", BaseURL: "https://h/v1/rerank"}, agenvantage.ErrBadInput, "rerank.base_url: leave /rerank out"},
		{RemoteOptions{Provider: "jina", Model: "m", BaseURL: "http://box/v1", Key: "k"}, agenvantage.ErrBadInput, "rerank.plain_http"},
		{RemoteOptions{Provider: "jina", Model: "m", Timeout: -1}, agenvantage.ErrBadInput, "below 0"},
	} {
		if r, err := NewRemote(tt.o); r != nil || !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%+v: %v", tt.o, err)
		}
	}
	for provider, address := range remoteAddresses {
		r, err := NewRemote(RemoteOptions{Provider: provider, Model: "m", Key: "k"})
		if err != nil || r.Endpoint() != address || !r.Hosted() {
			t.Errorf("%s: %v", provider, err)
		}
	}
	s := embedtest.Start(t, embedtest.Mode{})
	r, err := NewRemote(RemoteOptions{Provider: "cohere", BaseURL: s.URL + "/v2", Model: "m", DocumentBytes: 4, QueryBytes: 3})
	if err != nil || r.Hosted() {
		t.Fatal(err)
	}
	if _, err := r.Score(t.Context(), "abcdef", []string{"aé日x", "short"}); err != nil || !slices.Equal(s.Asked()[0].Inputs, []string{"aé", "shor"}) || s.Asked()[0].Query != "abc" {
		t.Errorf("%v, %q", err, s.Asked()[0].Inputs)
	}
}

// fakeScorer scores a document by a table.
type fakeScorer struct {
	scores map[string]float64
	got    []string
	err    error
	short  bool
}

func (f *fakeScorer) Score(_ context.Context, _ string, documents []string) ([]float64, error) {
	f.got = documents
	var out []float64
	for _, d := range documents {
		out = append(out, f.scores[d])
	}
	if f.short {
		out = out[1:]
	}
	return out, f.err
}

func TestReorder(t *testing.T) {
	var list []agenvantage.Candidate
	for i, score := range []float64{9, 9, 5, 5, 1} { // with ties, as reciprocal ranks have them
		list = append(list, agenvantage.Candidate{File: uint32(i), Score: score, Parts: []agenvantage.Part{{Name: "fused", Value: score}}})
	}
	text := func(c agenvantage.Candidate) (string, bool) { return string(rune('a' + c.File)), c.File != 1 } // b is denied
	tests := []struct {
		name   string
		limit  int
		scores map[string]float64
		want   string // files in order
		sent   string
	}{
		{"best last", 5, map[string]float64{"a": 0.1, "c": 0.2, "d": 0.3, "e": 0.9}, "4 1 3 2 0", "acde"},
		{"equal scores keep their order", 5, map[string]float64{}, "0 1 2 3 4", "acde"},
		{"negative scores", 5, map[string]float64{"a": -3, "c": -1, "d": -2, "e": -9}, "2 1 3 0 4", "acde"},
		{"beyond the limit nothing moves", 3, map[string]float64{"a": 0, "c": 1, "d": 9, "e": 9}, "2 1 0 3 4", "ac"},
		{"one alone is not sent", 2, map[string]float64{"a": 1}, "0 1 2 3 4", ""},
		{"none", 0, nil, "0 1 2 3 4", ""},
		{"more than there are", 99, map[string]float64{"e": 1}, "4 1 0 2 3", "acde"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &fakeScorer{scores: tt.scores}
			out, err := Reorder(t.Context(), s, list, Reordering{Query: "q", Limit: tt.limit, Text: text})
			var files []string
			for i, c := range out {
				files = append(files, fmt.Sprint(c.File))
				sum := 0.0
				for _, p := range c.Parts {
					sum += p.Value
				}
				if math.Abs(sum-c.Score) > 1e-9 {
					t.Errorf("the parts of %d sum to %v, not to %v", c.File, sum, c.Score)
				}
				if i > 0 && agenvantage.CompareCandidates(out[i-1], c) >= 0 {
					t.Errorf("%d is not before %d", out[i-1].File, c.File)
				}
			}
			if got := strings.Join(files, " "); err != nil || got != tt.want || strings.Join(s.got, "") != tt.sent {
				t.Errorf("%s, sent %q, %v; want %s, sent %q", got, s.got, err, tt.want, tt.sent)
			}
		})
	}
	for i, c := range list {
		if c.File != uint32(i) || len(c.Parts) != 1 {
			t.Error("the candidates given were changed")
		}
	}
}

func TestReorderLeavesTheOrderWhereTheScorerFails(t *testing.T) {
	list := []agenvantage.Candidate{{File: 0, Score: 2}, {File: 1, Score: 1}}
	text := func(c agenvantage.Candidate) (string, bool) { return "text", true }
	for name, s := range map[string]*fakeScorer{
		"error": {err: ErrTimeout}, "too few": {short: true}, "nan": {scores: map[string]float64{"text": math.NaN()}},
	} {
		out, err := Reorder(t.Context(), s, list, Reordering{Limit: 2, Text: text})
		if err == nil || len(out) != 2 || out[0].File != 0 || out[0].Score != 2 || out[1].Score != 1 {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}

// TestRemoteWithoutNetwork shows that making a reranker asks nothing.
func TestRemoteWithoutNetwork(t *testing.T) {
	refuse := refusing(func(*http.Request) (*http.Response, error) {
		t.Error("a request")
		return nil, errors.New("no network in this test")
	})
	if _, err := NewRemote(RemoteOptions{Provider: "voyage", Model: "m", Key: "k", Transport: refuse}); err != nil {
		t.Error(err)
	}
}

type refusing func(*http.Request) (*http.Response, error)

func (f refusing) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func FuzzRemoteScores(f *testing.F) {
	for _, s := range []string{`[{"index":0,"relevance_score":0.5},{"index":1,"relevance_score":-1}]`, `[{"index":0},{"index":0,"relevance_score":null}]`, `[{"relevance_score":1e999}]`} {
		f.Add([]byte(s), 2)
	}
	f.Fuzz(func(t *testing.T, body []byte, n int) {
		var results []remoteScore
		if json.Unmarshal(body, &results) != nil || n < 0 || n > 100 {
			return
		}
		scores, why := inOrder(results, n)
		if (why == "") != (len(scores) == n && scores != nil) {
			t.Errorf("%d scores for %d, %q", len(scores), n, why)
		}
		for _, s := range scores {
			if math.IsNaN(s) || math.IsInf(s, 0) {
				t.Error("a score is not finite")
			}
		}
	})
}
