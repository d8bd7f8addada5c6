package app

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/embed/embedtest"
	vectorstore "agenvantage/embed/store"
	"agenvantage/internal/clip"
	"agenvantage/server"
)

// refusing is a network that there is none of.
type refusing struct{ t *testing.T }

func (r refusing) RoundTrip(q *http.Request) (*http.Response, error) {
	r.t.Errorf("a request for %s", q.URL)
	return nil, errors.New("refused")
}

func TestWithoutAProviderNothingIsSentOrStored(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	http.DefaultTransport, http.DefaultClient.Transport = refusing{t}, refusing{t}
	t.Cleanup(func() { http.DefaultTransport, http.DefaultClient.Transport = &http.Transport{}, nil })
	w := newWorld(t, widgets(3), "embed.provider=none")
	w.embedding.transport = refusing{t}
	w.mustIndex()
	for _, names := range [][]string{nil, {"auto"}, {"exact", "bm25f", semanticChannel}, Channels()} {
		r := w.askAgain(SearchRequest{Query: meaning, Channels: names})
		if c := report(t, r, semanticChannel); c.Status != agenvantage.StatusOff || found(r) == "" {
			t.Errorf("%v: %s, %+v", names, found(r), c)
		}
	}
	if c := report(t, w.askAgain(SearchRequest{Query: meaning, Channels: []string{semanticChannel}}), semanticChannel); !strings.Contains(c.Error, embedDocs) {
		t.Errorf("%+v", c)
	}
	w.status()
	if _, err := w.Pack(t.Context(), PackRequest{Task: meaning, Budget: 2000}, nil); err != nil {
		t.Error(err)
	}
	if s, err := w.EmbedStatus(t.Context()); err != nil || s.State != EmbedOff {
		t.Errorf("%+v, %v", s, err)
	}
	for name, do := range map[string]func() error{
		"plan": func() error { _, err := w.EmbedPlan(t.Context(), EmbedRequest{}, nil); return err },
		"run":  func() error { _, err := w.EmbedRun(t.Context(), EmbedRequest{}, nil); return err },
	} {
		if err := do(); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "embed.provider") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l, err := w.EmbedLog(t.Context(), EmbedLogRequest{}); err != nil || len(l.Entries) != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 0 {
		t.Errorf("%v in the cache folder, %v", entries, err)
	}
}

// TestSemanticStates asks by name and by auto in each state of the channel: named, it says its state beside the answers of the others;
// auto asks it only where a verdict has promoted it.
func TestSemanticStates(t *testing.T) {
	for name, x := range map[string]struct {
		prepare func(w *embedWorld)
		flags   []string
		status  agenvantage.ChannelStatus
		says    string
		asked   int // requests for one question, by name
	}{
		"off":        {flags: []string{"embed.provider=none"}, status: agenvantage.StatusOff, says: embedDocs},
		"no vectors": {status: agenvantage.StatusNoVectors, says: "embed run"},
		"ok":         {prepare: func(w *embedWorld) { w.mustRun() }, status: agenvantage.StatusOK, asked: 1},
		"partial": {prepare: func(w *embedWorld) {
			w.mustRun()
			w.write(files{"src/new.py": "def fresh():\n    return 1\n"})
			w.mustIndex()
		}, status: agenvantage.StatusPartial, says: "21 of 22 chunks", asked: 1},
		"unreachable":   {prepare: func(w *embedWorld) { w.mustRun(); w.service.Down() }, status: agenvantage.StatusUnreachable, says: "unreachable"},
		"overloaded":    {prepare: func(w *embedWorld) { w.mustRun(); w.service.SetMode(embedtest.Mode{Fault: embedtest.Down}) }, status: agenvantage.StatusUnreachable, says: "overloaded", asked: 1},
		"model missing": {prepare: func(w *embedWorld) { w.mustRun(); w.service.SetMode(embedtest.Mode{Fault: embedtest.Missing}) }, status: agenvantage.StatusModelMissing, says: "ollama pull", asked: 1},
		"dimension":     {prepare: func(w *embedWorld) { w.mustRun(); w.service.SetMode(embedtest.Mode{Dimensions: 32}) }, status: agenvantage.StatusModelChanged, says: "another model", asked: 1},
		"another model": {prepare: func(w *embedWorld) { w.mustRun() }, flags: []string{"embed.model=other"}, status: agenvantage.StatusModelChanged, says: "another model"},
		"no key":        {flags: []string{"embed.provider=voyage", "embed.base_url="}, status: agenvantage.StatusError, says: "api_key"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEmbedWorld(t, widgets(20), embedtest.Mode{Digest: "sha256:0a109f422b47"})
			if x.prepare != nil {
				x.prepare(w)
			}
			n := len(w.service.Asked())
			w = w.again(x.flags...)
			auto := w.search("handles a widget", "auto")
			if c := report(t, auto, semanticChannel); c.Status != agenvantage.StatusOff || c.Why == "" || found(auto) == "" || len(w.service.Asked()) != n {
				t.Errorf("auto: %s, %+v after %d requests", found(auto), c, len(w.service.Asked())-n)
			}
			for range 2 { // the second time nothing is asked that has an answer
				r := w.search("handles a widget", "exact", "bm25f", semanticChannel)
				c := report(t, r, semanticChannel)
				if c.Status != x.status || !strings.Contains(c.Error, x.says) || found(r) == "" || (c.Covered != nil) != (x.status == agenvantage.StatusPartial) {
					t.Errorf("%s: %+v", found(r), c)
				}
				if x.status == agenvantage.StatusOK || x.status == agenvantage.StatusPartial {
					if got := len(w.service.Asked()) - n; got != x.asked {
						t.Errorf("%d requests", got)
					}
				}
			}
			if got := len(w.service.Asked()) - n; x.asked == 0 && got != 0 {
				t.Errorf("%d requests, want none", got)
			}
		})
	}
}

// TestAutoAsksWhereALocalVerdictPromotes has a verdict for natural questions, made for the model that is in force; it lapses with the model.
func TestAutoAsksWhereALocalVerdictPromotes(t *testing.T) {
	w := newEmbedWorld(t, widgets(20), embedtest.Mode{Digest: "sha256:0a109f422b47"})
	w.mustRun()
	pinned, err := w.pin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	basis := w.basis(t.Context(), pinned.corpus)
	pinned.release()
	if basis.Model != "ollama mock-embed:latest@0a109f422b47" {
		t.Errorf("model %q", basis.Model)
	}
	v := ablations.NewVerdicts(ablations.Report{Verdicts: []ablations.Verdict{{Channel: semanticChannel, Class: ablations.ClassNatural, Decision: ablations.Promote, Rule: "planted"}}}, basis, "2025-06-30T00:00:00Z")
	if err := v.Write(w.gateFile()); err != nil {
		t.Fatal(err)
	}
	question := "where is the pass phrase checked when somebody signs in"
	n := len(w.service.Asked())
	r := w.again().search(question, "auto")
	if c := report(t, r, semanticChannel); c.Status != agenvantage.StatusOK || c.Hits == 0 || len(w.service.Asked()) != n+1 {
		t.Errorf("%s: %+v", r.Class, c)
	}
	if c := report(t, w.again("embed.model=other").search(question, "auto"), semanticChannel); c.Status != agenvantage.StatusOff || !strings.Contains(c.Why, "model") {
		t.Errorf("%+v", c)
	}
}

// elsewhere sends requests for a host that is not this machine to the stand-in, so that what holds for hosted services holds.
type elsewhere struct{ to *url.URL }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = e.to.Scheme, e.to.Host
	return http.DefaultTransport.RoundTrip(r)
}

// hostedWorld has the stand-in as a hosted service for embedding and reranking.
func hostedWorld(t *testing.T, fs files, flags ...string) (*embedWorld, *embedtest.Server) {
	t.Helper()
	s := embedtest.Start(t, embedtest.Mode{Key: plantedKey})
	w := newEmbedWorld(t, fs, embedtest.Mode{}, append([]string{"embed.provider=openai", "embed.base_url=https://models.example/v1", "embed.api_key=" + plantedKey}, flags...)...)
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	w.embedding.transport = elsewhere{to}
	w.service = s
	return w, s
}

// Planted where they must not be found. They are put together here so that no scanner takes this file for a leak.
var (
	plantedKey   = "sk-" + "fixture0123456789abcdefghijklmnop"
	plantedToken = "ghp" + "_0123456789abcdefghijklmnopqrstuvwxyz"
	plantedWord  = "fixture" + "-pass-99-Zq"
)

// TestSecretsAndDeniedPathsNeverLeave plants secrets in lines, comments, paths and questions, and text below denied paths, and looks for
// them in all that the stand-in was sent, in the store, in the ledger and in what is printed.
func TestSecretsAndDeniedPathsNeverLeave(t *testing.T) {
	fs := widgets(10)
	fs["src/config.py"] = "def connect():\n    \"\"\"Signs in with " + plantedToken + ".\"\"\"\n    password = \"" + plantedWord + "\"\n    return password\n"
	fs["src/"+plantedToken+".py"] = "def named_like_a_token():\n    return 1\n"
	fs["secrets/plan.md"] = "# Plan\n\nThe unspoken plan of the denied folder.\n"
	fs["src/copy.md"] = "# Plan\n\nThe unspoken plan of the denied folder.\n" // the same text where it is allowed
	fs["src/keys/deep/inner.key.txt"] = "The unspoken inner text.\n"
	w, s := hostedWorld(t, fs, `embed.deny=["secrets/**","*.key.txt"]`, "rerank.provider=cohere", "rerank.model=m", "rerank.base_url=https://models.example/v2", "rerank.api_key="+plantedKey)
	plan, err := w.EmbedPlan(t.Context(), EmbedRequest{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !plan.Hosted || plan.Redactions < 3 || plan.Denied != 2 || !slices.Equal(plan.Blocked, []string{"secrets/plan.md", "src/keys/deep/inner.key.txt"}) || plan.Send == 0 || plan.Tokens == 0 {
		t.Errorf("%+v", plan)
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests for a plan", n)
	}
	summary := w.mustRun()
	if summary.Denied != 3 || summary.Missing != 0 || summary.Embedded != plan.Send {
		t.Errorf("%+v for %+v", summary, plan)
	}
	for _, question := range []string{"connect with the password " + plantedToken, "password = \"" + plantedWord + "\"", "the unspoken plan", "where are widgets handled by number"} {
		w.search(question, "exact", "bm25f", semanticChannel)
	}
	reranked := slices.ContainsFunc(s.Asked(), func(r embedtest.Request) bool { return strings.Contains(r.Path, "rerank") })
	if !reranked || len(w.documents()) == 0 {
		t.Errorf("nothing was tested: reranked %v, %d documents", reranked, len(w.documents()))
	}
	for _, planted := range []string{plantedToken, plantedWord, "unspoken", "inner.key"} {
		for _, r := range s.Asked() {
			sent := r.Path + r.Body + strings.Join(r.Inputs, "\n")
			if planted == "unspoken" { // the question says it itself
				sent = strings.ReplaceAll(strings.Join(r.Inputs, "\n"), "the unspoken plan", "")
			}
			if strings.Contains(sent, planted) {
				t.Errorf("%s was sent to %s: %.300s", planted, r.Path, sent)
			}
		}
	}
	log, err := w.EmbedLog(t.Context(), EmbedLogRequest{})
	if err != nil || len(log.Entries) < plan.Send {
		t.Fatalf("%d entries, %v", len(log.Entries), err)
	}
	for _, e := range log.Entries {
		if e.Host != "models.example" || e.State != "committed" {
			t.Errorf("%+v", e)
		}
	}
	told, err := json.Marshal([]any{log, summary, plan, w.counts(), w.config.Settings()})
	if err != nil {
		t.Fatal(err)
	}
	stored, err := os.ReadFile(summary.Store)
	if err != nil {
		t.Fatal(err)
	}
	for _, planted := range []string{plantedKey, plantedToken[:20], plantedWord, "unspoken"} {
		if strings.Contains(string(stored), planted) || planted == plantedKey && strings.Contains(string(told), planted) {
			t.Errorf("%s is kept or told", planted)
		}
	}
}

// TestTheServerSeesVectorsOfAnotherProcess has a server open while another process embeds, and while files change.
func TestTheServerSeesVectorsOfAnotherProcess(t *testing.T) {
	w := newEmbedWorld(t, widgets(20), embedtest.Mode{})
	service, err := NewService(w.open(w.flags...).App)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close() })
	service.mustBuild(t)
	status := func() string {
		answer, err := askFor(t, service, "search", `{"query":"check the pass phrase","channels":["bm25f","semantic"]}`, server.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range answer.Reports {
			if r.Name == semanticChannel {
				return string(r.Status)
			}
		}
		return "no report"
	}
	if got := status(); got != "no_vectors" {
		t.Errorf("before the run: %s", got)
	}
	w.mustRun()
	if got := status(); got != "ok" {
		t.Errorf("after the run: %s", got)
	}
	w.write(files{"src/new.py": "def fresh():\n    return 1\n"})
	w.mustIndex()
	service.app.renew(t.Context())
	if got := status(); got != "partial" {
		t.Errorf("after a change: %s", got)
	}
	kept := service.app.embedding.loaded.chunks
	w.mustRun()
	if got := status(); got != "ok" {
		t.Errorf("after the next run: %s", got)
	}
	if now := service.app.embedding.loaded.chunks; now == kept || now.Len() != 22 {
		t.Errorf("%d vectors", now.Len())
	}
	if _, err := w.EmbedPurge(t.Context(), "", false); err != nil {
		t.Fatal(err)
	}
	if got := status(); got != "no_vectors" {
		t.Errorf("after a purge: %s", got)
	}
	w.mustRun()
	if got := status(); got != "ok" {
		t.Errorf("after a purge and another run: %s", got)
	}
}

func TestTwoRunsAtATime(t *testing.T) {
	w := newEmbedWorld(t, widgets(3), embedtest.Mode{})
	st, err := w.embedding.open(true)
	if err != nil {
		t.Fatal(err)
	}
	release, err := st.Lock(w.runKey())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.again().run(); !errors.Is(err, vectorstore.ErrBusy) || !strings.Contains(err.Error(), "process") {
		t.Errorf("%v", err)
	}
	if s := w.again().counts(); !strings.Contains(s.Running, "process") {
		t.Errorf("%+v", s)
	}
	release()
	if s := w.again(); s.mustRun().Done != 4 || s.counts().Running != "" {
		t.Errorf("%+v", s.counts())
	}
}

func TestPruneKeepsWhatTheIndexHolds(t *testing.T) {
	w := newEmbedWorld(t, widgets(5), embedtest.Mode{})
	w.mustRun()
	other := newWorld(t, files{"other.py": "def elsewhere():\n    return 2\n"}, w.flags...)
	if _, err := other.EmbedRun(t.Context(), EmbedRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	if r, err := w.EmbedPrune(t.Context(), EmbedPruneRequest{UnusedFor: 30 * 24 * time.Hour}); err != nil || r.Vectors != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	dry, err := w.EmbedPrune(t.Context(), EmbedPruneRequest{DryRun: true})
	if err != nil || dry.Vectors != 1 || !dry.DryRun {
		t.Errorf("%+v, %v", dry, err)
	}
	if r, err := w.EmbedPrune(t.Context(), EmbedPruneRequest{}); err != nil || r.Vectors != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if s := w.counts(); s.State != EmbedComplete || s.Set.Vectors != 6 {
		t.Errorf("%+v", s)
	}
	if r, err := w.EmbedPurge(t.Context(), "", false); err != nil || r.Vectors != 6 || r.Entries == 0 || r.Sets != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if s := w.counts(); s.State != EmbedNone || s.Set != nil || s.Missing != 6 {
		t.Errorf("%+v", s)
	}
}

// TestACachedQuestionOutlivesTheService asks twice; the second time another process has the stored vector.
func TestACachedQuestionOutlivesTheService(t *testing.T) {
	w := newEmbedWorld(t, widgets(10), embedtest.Mode{})
	w.mustRun()
	w.wantMeaning()
	w.service.Down()
	w.again().wantMeaning()
}

// TestAModelThatWasFetchedAnewIsAnotherOne has the same name and dimension, and another digest.
func TestAModelThatWasFetchedAnewIsAnotherOne(t *testing.T) {
	w := newEmbedWorld(t, widgets(10), embedtest.Mode{Digest: "sha256:aaaa"})
	w.mustRun()
	w.service.SetMode(embedtest.Mode{Digest: "sha256:bbbb"})
	w = w.again()
	w.wantFallback(agenvantage.StatusModelChanged, "vectors built with another model")
	if s := w.mustRun(); s.Embedded != 11 || s.Set.Digest != "sha256:bbbb" {
		t.Errorf("%+v", s)
	}
	w.wantMeaning()
}

// TestAQuestionThatComesWhileTheModelLoads gives up waiting, and its answer is there for the next one.
func TestAQuestionThatComesWhileTheModelLoads(t *testing.T) {
	w := newEmbedWorld(t, widgets(10), embedtest.Mode{}, "search.channel_timeout=300ms")
	w.mustRun()
	loading := make(chan struct{})
	w = w.again()
	w.embedding.transport = loadingModel{loading}
	n := len(w.service.Asked())
	r := w.search(meaning, "bm25f", semanticChannel)
	if c := report(t, r, semanticChannel); c.Status != agenvantage.StatusTimeout || found(r) == "" {
		t.Errorf("%s: %+v", found(r), c)
	}
	close(loading)
	if _, err := w.embedding.ask(context.Background(), waitingFor(w.embedding), nil); err != nil {
		t.Fatal(err)
	}
	w.wantMeaning()
	if got := len(w.service.Asked()) - n; got != 1 {
		t.Errorf("%d requests", got)
	}
}

// TestALongQuestionIsCut: a pasted trace is no reason to send a hundred kilobytes.
func TestALongQuestionIsCut(t *testing.T) {
	w := newEmbedWorld(t, widgets(3), embedtest.Mode{})
	w.mustRun()
	n := len(w.service.Asked())
	r := w.search(strings.Repeat("größere wörter ", 10_000), "bm25f", semanticChannel)
	asked := w.service.Asked()[n:]
	if c := report(t, r, semanticChannel); len(asked) != 1 || len(asked[0].Inputs[0]) > maxQuestionBytes || len(asked[0].Inputs[0]) < maxQuestionBytes-4 || c.Error != "" {
		t.Errorf("%d requests, %+v", len(asked), c)
	}
	for text, want := range map[string]string{"": "", "abc": "abc", "abcde": "abcd", "abcé": "abc", "éé": "éé", "ééé": "éé"} {
		if got := clip.Bytes(text, 4); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// loadingModel holds requests back until the model is there.
type loadingModel struct{ done chan struct{} }

func (l loadingModel) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-l.done:
		return http.DefaultTransport.RoundTrip(r)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// waitingFor names the call that is under way, or one that is over and answered.
func waitingFor(e *embedding) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for name := range e.asking {
		return name
	}
	e.asking["over"] = &asking{done: make(chan struct{})}
	close(e.asking["over"].done)
	return "over"
}
