package app

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/server"
)

// orchard is a tree in which a word finds more spans than a channel is first asked for.
func orchard(files_, functions int) files {
	fs := files{}
	for i := range files_ {
		var b strings.Builder
		b.WriteString("package p\n")
		for j := range functions {
			fmt.Fprintf(&b, "\n// Pick%d_%d picks ripe plums%s.\nfunc Pick%d_%d() {\n\tplums(%q)\n}\n", i, j, strings.Repeat(" plums", (i*7+j*3)%5), i, j, strings.Repeat("ripe ", (i+j)%4))
		}
		fs[fmt.Sprintf("d%d/plums%d.go", i%5, i)] = b.String()
	}
	return fs
}

// placesIn lists the results of an answer by rank and place.
func placesIn(t *testing.T, a server.Answer) (places []string, next string) {
	t.Helper()
	response, ok := a.Value.(*agenvantage.Response)
	if !ok {
		t.Fatalf("an answer of type %T", a.Value)
	}
	for _, r := range response.Results {
		places = append(places, fmt.Sprintf("%d %s:%d-%d", r.Rank, r.Path, r.StartLine, r.EndLine))
	}
	return places, response.Next
}

// Pages are slices of one ranking: whatever their sizes, joined they are the one large answer, without repeats and gaps, past the number
// of hits that channels are first asked for too.
func TestPagesRepeatAndSkipResults(t *testing.T) {
	s, _ := served(t, orchard(60, 6), "search.channel_limit=20")
	s.mustBuild(t)
	whole, err := askFor(t, s, "search", `{"query":"ripe plums","top_k":1000}`, server.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, next := placesIn(t, whole)
	if len(want) < 100 || next != "" {
		t.Fatalf("%d results, next %q", len(want), next)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range []func() int{func() int { return 1 + random.IntN(90) }, func() int { return 7 }, func() int { return 50 }, func() int { return 51 }, func() int { return 199 }} {
		for _, limits := range []server.Limits{{}, {MaxTokens: 700, MaxBytes: 20000}} {
			var got []string
			cursor := ""
			for range 500 {
				a, err := askFor(t, s, "search", fmt.Sprintf(`{"query":"ripe plums","top_k":%d,"cursor":%q}`, sizes(), cursor), limits, nil)
				if err != nil {
					t.Fatal(err)
				}
				places, next := placesIn(t, a)
				got = append(got, places...)
				if cursor = next; cursor == "" {
					break
				}
			}
			if !slices.Equal(got, want) {
				at := 0
				for at < min(len(got), len(want)) && got[at] == want[at] {
					at++
				}
				t.Errorf("%d results in pages, want %d; the first that differs is number %d", len(got), len(want), at+1)
			}
		}
	}
	for _, topK := range []int{1, 10, 19, 20, 21, 60, 100} {
		a, err := askFor(t, s, "search", fmt.Sprintf(`{"query":"ripe plums","top_k":%d}`, topK), server.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := placesIn(t, a); !slices.Equal(got, want[:topK]) {
			t.Errorf("the best %d are not the beginning of the best %d", topK, len(want))
		}
	}
	scores := whole.Value.(*agenvantage.Response).Results
	for i := range scores {
		sum := 0.0
		for _, p := range scores[i].Parts {
			sum += p.Value
		}
		if d := sum - scores[i].Score; d > 1e-9 || d < -1e-9 || i > 0 && scores[i].Score > scores[i-1].Score {
			t.Errorf("result %d: score %v, the one before %v, parts add up to %v", i+1, scores[i].Score, scores[max(i-1, 0)].Score, sum)
		}
	}
}

// A file that goes between two pages of one generation takes its own places along and nobody else's.
func TestADeletedFileShiftsTheNextPage(t *testing.T) {
	s, w := served(t, orchard(12, 4))
	s.mustBuild(t)
	ask := func(cursor string) ([]string, string) {
		a, err := askFor(t, s, "search", fmt.Sprintf(`{"query":"ripe plums","top_k":10,"no_refresh":true,"cursor":%q}`, cursor), server.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		response := a.Value.(*agenvantage.Response)
		var places []string
		for _, r := range response.Results {
			places = append(places, fmt.Sprintf("%s:%d", r.Path, r.StartLine))
		}
		return places, response.Next
	}
	first, cursor := ask("")
	second, _ := ask(cursor)
	gone, _, _ := strings.Cut(first[0], ":")
	if err := os.Remove(w.path(gone)); err != nil {
		t.Fatal(err)
	}
	after, _ := ask(cursor)
	var want []string
	for _, p := range second {
		if !strings.HasPrefix(p, gone+":") {
			want = append(want, p)
		}
	}
	if len(want) == 0 || !slices.Equal(after[:min(len(want), len(after))], want) {
		t.Errorf("%v, want %v first", after, want)
	}
}

func TestACursorOfAGoneGenerationSaysSo(t *testing.T) {
	s, w := served(t, orchard(4, 6))
	s.mustBuild(t)
	for _, c := range [][2]string{{"search", `{"query":"ripe plums","top_k":2,"cursor":%q}`}, {"read", `{"location":"d0/plums0.go","max_tokens":60,"cursor":%q}`}} {
		_, got := mustAskUnbound(t, s, c[0], fmt.Sprintf(c[1], ""))
		cursor, _ := got["next"].(string)
		if cursor == "" {
			t.Fatalf("%s: one page", c[0])
		}
		w.write(files{"more.go": function("More" + c[0])})
		before := s.Generation(t.Context())
		for s.Generation(t.Context()) == before {
			mustAskUnbound(t, s, "search", `{"query":"More"}`)
		}
		_, err := askFor(t, s, c[0], fmt.Sprintf(c[1], cursor), server.Limits{}, nil)
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "which is gone") || !strings.Contains(err.Error(), "ask again without the cursor") {
			t.Errorf("%s: %v", c[0], err)
		}
	}
}
