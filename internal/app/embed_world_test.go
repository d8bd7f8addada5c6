package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/embed/embedtest"
	"agenvantage/embed/runner"
)

// embedWorld is a tree with a stand-in embedding service. Waiting takes no time: its clock goes on instead.
type embedWorld struct {
	*world
	service *embedtest.Server
	flags   []string

	mu    sync.Mutex
	clock time.Time
	slept time.Duration
}

// widgets are files that share the words of a template, and one that a question describes without naming it.
func widgets(n int) files {
	fs := files{"src/login.py": "def verify_password(user, word):\n    \"\"\"Check the pass phrase at sign in.\"\"\"\n    return user.hash == word\n"}
	for i := range n {
		fs[fmt.Sprintf("src/part%d.py", i)] = fmt.Sprintf("def compute_part_%d(value):\n    \"\"\"Handles widget number %d.\"\"\"\n    return value + %d\n", i, i, i)
	}
	return fs
}

// meaning is a question for src/login.py of widgets.
const meaning = "check the pass phrase"

// newEmbedWorld indexes a tree with Ollama's shape of the stand-in configured; flags come after those for it.
func newEmbedWorld(t *testing.T, fs files, mode embedtest.Mode, flags ...string) *embedWorld {
	t.Helper()
	s := embedtest.Start(t, mode)
	flags = append([]string{"embed.provider=ollama", "embed.model=mock-embed", "embed.base_url=" + s.URL, "embed.batch=8", "embed.store_dir=" + t.TempDir()}, flags...)
	w := &embedWorld{service: s, flags: flags, clock: time.Unix(1_800_000_000, 0)}
	w.world = newWorld(t, fs, flags...)
	w.calm()
	w.mustIndex()
	return w
}

func (w *embedWorld) calm() {
	w.embedding.tune = func(o *runner.Options) {
		o.Now = func() time.Time {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.clock
		}
		o.Sleep = func(ctx context.Context, d time.Duration) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.clock, w.slept = w.clock.Add(d), w.slept+d
			return ctx.Err()
		}
	}
}

// again is another process over the same tree and store, with more flags.
func (w *embedWorld) again(flags ...string) *embedWorld {
	w.t.Helper()
	n := &embedWorld{service: w.service, flags: append(slices.Clone(w.flags), flags...), clock: w.clock}
	n.world = w.open(n.flags...)
	n.calm()
	return n
}

func (w *embedWorld) run() (EmbedSummary, error) {
	return w.EmbedRun(w.t.Context(), EmbedRequest{}, nil)
}

func (w *embedWorld) mustRun() EmbedSummary {
	w.t.Helper()
	s, err := w.run()
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *embedWorld) counts() EmbedStatus {
	w.t.Helper()
	s, err := w.EmbedStatus(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *embedWorld) search(question string, names ...string) agenvantage.Response {
	w.t.Helper()
	return w.askAgain(SearchRequest{Query: question, Channels: names, TopK: 50})
}

// report is what a channel did.
func report(t *testing.T, r agenvantage.Response, name string) agenvantage.ChannelReport {
	t.Helper()
	for _, c := range r.Channels {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no report of %s: %+v", name, r.Channels)
	return agenvantage.ChannelReport{}
}

// wantMeaning asks for what only vectors find.
func (w *embedWorld) wantMeaning() {
	w.t.Helper()
	if r := w.search(meaning, semanticChannel); !strings.HasPrefix(found(r), "src/login.py") {
		w.t.Errorf("by meaning: %s, %+v", found(r), r.Channels)
	}
}

// wantFallback asks all channels while vectors cannot answer: the others do, and the state says why.
func (w *embedWorld) wantFallback(status agenvantage.ChannelStatus, says string) {
	w.t.Helper()
	r := w.search("verify_password", "exact", "bm25f", semanticChannel)
	c := report(w.t, r, semanticChannel)
	if !strings.HasPrefix(found(r), "src/login.py") || c.Status != status || c.Hits > 0 && status != agenvantage.StatusPartial || !strings.Contains(c.Error, says) {
		w.t.Errorf("%s, %+v; want %s: %s", found(r), c, status, says)
	}
	for _, x := range r.Results {
		if _, ok := x.Channels[semanticChannel]; ok && status != agenvantage.StatusPartial {
			w.t.Errorf("%s has a share of vectors", x.Path)
		}
	}
}

// documents counts, for each text with a path before it, in how many successful requests it was.
func (w *embedWorld) documents() map[string]int {
	out := map[string]int{}
	for text, n := range w.service.Embedded() {
		if strings.HasPrefix(text, "src/") {
			out[text] = n
		}
	}
	return out
}
