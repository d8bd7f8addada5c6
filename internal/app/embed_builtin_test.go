package app

import (
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/embed/embedtest"
	"agenvantage/embed/static"
)

// noNetwork fails a test that asks for a connection.
type noNetwork struct{ t *testing.T }

func (n noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("%s was asked for", r.URL.Host)
	return nil, errors.New("refused")
}

// meanings are files that questions in other words are about.
func meanings() files {
	return files{
		"src/login.py": "def verify_password(user, word):\n    \"\"\"Check the pass phrase at sign in.\"\"\"\n    return user.hash == word\n",
		"src/mail.py":  "def send_message(server, recipient, body):\n    \"\"\"Deliver by SMTP.\"\"\"\n    server.sendmail(\"noreply\", recipient, body)\n",
		"src/shape.py": "def circle_area(radius):\n    return 3.14159 * radius * radius\n",
		"src/cache.py": "def evict_oldest(entries, limit):\n    while len(entries) > limit:\n        entries.popitem(last=False)\n",
	}
}

func newBuiltinWorld(t *testing.T, fs files, flags ...string) *world {
	t.Helper()
	w := newWorld(t, fs, append([]string{"embed.provider=builtin", "embed.store_dir=" + t.TempDir()}, flags...)...)
	w.embedding.transport = noNetwork{t}
	return w
}

// embedded runs the index and counts the texts that were embedded on the way.
func (w *world) embedded() int {
	w.t.Helper()
	texts := 0
	s, err := w.Index(w.t.Context(), false, func(p Progress) {
		if p.Phase == PhaseEmbed {
			texts = p.TotalFiles
		}
	})
	if err != nil || len(s.Notes) > 0 {
		w.t.Fatal(err, s.Notes)
	}
	return texts
}

func (w *world) semanticReport(question string) (agenvantage.Response, agenvantage.ChannelReport) {
	w.t.Helper()
	r := w.askAgain(SearchRequest{Query: question, Channels: []string{"bm25f", semanticChannel}})
	return r, report(w.t, r, semanticChannel)
}

// TestTheBuiltinModelFromIndexToAnswer needs no service, no run of its own and no network: index makes the vectors, what shares no word with
// the code finds it, an edit embeds only what it changed, and nothing of it is in the ledger.
func TestTheBuiltinModelFromIndexToAnswer(t *testing.T) {
	w := newBuiltinWorld(t, meanings())
	if n := w.embedded(); n != 4 {
		t.Errorf("%d texts for 4 chunks", n)
	}
	for question, want := range map[string]string{
		"authentication of credentials": "src/login.py", "email notification": "src/mail.py", "geometry of a disc": "src/shape.py", "remove stale items from memory": "src/cache.py",
	} {
		r := w.askAgain(SearchRequest{Query: question, Channels: []string{semanticChannel}})
		if got := found(r); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %s first", question, got, want)
		}
	}
	if r := w.askAgain(SearchRequest{Query: "日本", Channels: []string{semanticChannel}}); report(t, r, semanticChannel).Error != "" {
		t.Errorf("a question of unknown words: %+v", r.Channels)
	}
	if n := w.embedded(); n != 0 {
		t.Errorf("%d texts with nothing changed", n)
	}
	w.write(files{"src/mail.py": "def read_mailbox(server):\n    return server.fetch()\n"})
	if n := w.embedded(); n != 1 {
		t.Errorf("%d texts after one edit", n)
	}
	log, err := w.EmbedLog(t.Context(), EmbedLogRequest{})
	if err != nil || len(log.Entries) != 0 {
		t.Errorf("the ledger has %+v, %v", log.Entries, err)
	}
	s, err := w.EmbedStatus(t.Context())
	if err != nil || s.State != EmbedComplete || s.Model != static.Name || s.Set.Provider != static.Provider || s.Set.Endpoint != "" || s.Set.Vectors != 5 || s.Set.Queries != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, c := range w.status().Channels {
		if c.Name == semanticChannel && (c.Status != agenvantage.StatusOK || c.Items != 4 || c.Bytes != 4*256) {
			t.Errorf("%+v", c)
		}
	}
}

// TestASearchBringsTheBuiltinVectorsUpToDate with the index: an agent edits a file and asks about it.
func TestASearchBringsTheBuiltinVectorsUpToDate(t *testing.T) {
	w := newBuiltinWorld(t, meanings())
	for i, fs := range []files{{}, {"src/tax.py": "def vat_rate(country):\n    return RATES[country]\n"}} {
		w.write(fs)
		w.forgetCheck()
		if r, c := w.semanticReport("authentication of credentials"); c.Status != agenvantage.StatusOK || c.Covered != nil || !strings.HasPrefix(found(r), "src/login.py") {
			t.Errorf("search %d: %s, %+v", i, found(r), c)
		}
	}
}

// TestAMovedChunkIsEmbeddedWithItsNewPath: the path is a part of what the model reads. Chunks that say the same at two paths have two vectors,
// and what is stored does not hang on which came first.
func TestAMovedChunkIsEmbeddedWithItsNewPath(t *testing.T) {
	same := meanings()["src/mail.py"]
	w := newBuiltinWorld(t, files{"billing/a.py": same, "postcard/b.py": same})
	if n := w.embedded(); n != 2 {
		t.Errorf("%d texts for one chunk at two paths", n)
	}
	first := w.askAgain(SearchRequest{Query: "postcard", Channels: []string{semanticChannel}})
	if !strings.HasPrefix(found(first), "postcard/b.py") {
		t.Errorf("%s", found(first))
	}
	if err := os.Rename(w.path("billing/a.py"), w.path("postcard/a.py")); err != nil {
		t.Fatal(err)
	}
	if n := w.embedded(); n != 1 {
		t.Errorf("%d texts after a move", n)
	}
}

// TestBuiltinVectorsThatWereRemovedComeBack with the next index run; a purge is the way to remove them. Prune keeps what the index holds.
func TestBuiltinVectorsThatWereRemovedComeBack(t *testing.T) {
	w := newBuiltinWorld(t, meanings())
	w.mustIndex()
	if r, err := w.EmbedPrune(t.Context(), EmbedPruneRequest{}); err != nil || r.Vectors != 0 {
		t.Errorf("prune: %+v, %v", r, err)
	}
	if r, err := w.EmbedPurge(t.Context(), "", false); err != nil || r.Vectors != 4 || r.Nothing() || len(r.Of) != 1 || r.Of[0].Vectors != 4 || r.Of[0].Model != static.Name || r.StoreBytes != 0 || r.Files == 0 {
		t.Errorf("purge: %+v, %v", r, err)
	}
	if r, err := w.EmbedPurge(t.Context(), "", false); err != nil || !r.Nothing() || r.Store != "" || len(r.Of) != 0 {
		t.Errorf("a purge of nothing: %+v, %v", r, err)
	}
	r := w.askAgain(SearchRequest{Query: "sign in", Channels: []string{"bm25f", semanticChannel}, NoRefresh: true})
	if c := report(t, r, semanticChannel); c.Status != agenvantage.StatusNoVectors || !strings.Contains(c.Error, "agenvantage index") {
		t.Errorf("%+v", c)
	}
	if n := w.embedded(); n != 4 {
		t.Errorf("%d texts after a purge", n)
	}
}

// TestAnIndexWithoutAPlaceForVectorsIsWhole: they are extra, and a note says that they are missing.
func TestAnIndexWithoutAPlaceForVectorsIsWhole(t *testing.T) {
	w := newBuiltinWorld(t, meanings())
	w.write(files{"occupied": "x"})
	w = w.open("embed.provider=builtin", "embed.store_dir="+w.path("occupied"))
	s := w.mustIndex()
	if s.Files != 5 || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "were not brought up to date") {
		t.Errorf("%+v", s)
	}
	if r := w.askAgain(SearchRequest{Query: "verify_password"}); !strings.HasPrefix(found(r), "src/login.py") {
		t.Errorf("%s", found(r))
	}
}

func TestSettingsOfTheBuiltinModel(t *testing.T) {
	for flag, says := range map[string]string{
		"embed.model=": "", "embed.model=static": "", "embed.dimensions=64": "", "embed.document_prompt=none": "", "embed.base_url=http://models.example": "",
		"embed.model=nomic-embed-text": "has one model: static", "embed.dimensions=100": "embed.dimensions", "embed.query_prompt=query: ": "without prompts",
	} {
		w := newBuiltinWorld(t, meanings(), flag)
		made, err := w.embedding.maker()
		if says == "" {
			if err != nil || made.Hosted() {
				t.Errorf("%s: %v", flag, err)
			}
		} else if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

// TestCodeLikeThatAtAPlace is found by stored vectors, without the place itself.
func TestCodeLikeThatAtAPlace(t *testing.T) {
	fs := meanings()
	fs["src/sign_up.py"] = "def hash_password(user, word):\n    \"\"\"Keep the pass phrase of a user.\"\"\"\n    user.hash = word\n"
	fs["src/twin.py"], fs["src/empty.py"] = "def twin():\n    return 1\n\n\n\ndef verify_password():\n    return 2\n", "\n\n"
	w := newBuiltinWorld(t, fs)
	w.mustIndex()
	for _, location := range []string{"src/login.py:2", "src/login.py:1-3", "login.py:3", "src/login.py:2:1", "login.py:3:80"} {
		r := w.askAgain(SearchRequest{Like: location})
		if got := found(r); !strings.HasPrefix(got, "src/sign_up.py") || strings.Contains(got, "src/login.py") || r.Results[0].Symbol != "hash_password" ||
			r.Results[0].Score != r.Results[0].Channels[semanticChannel].Score || r.Query != location {
			t.Errorf("%s: %s, %+v", location, got, r.Results)
		}
	}
	if r := w.askAgain(SearchRequest{Like: "hash_password", TopK: 1}); !strings.HasPrefix(found(r), "src/login.py") || len(r.Results) != 1 {
		t.Errorf("a symbol: %s", found(r))
	}
	if r := w.askAgain(SearchRequest{Like: "src/login.py:1", Filter: agenvantage.Filter{NotPaths: []string{"src/sign_up.py"}}}); strings.Contains(found(r), "sign_up") {
		t.Errorf("out of scope: %s", found(r))
	}
	for _, x := range []struct {
		request SearchRequest
		says    string
	}{
		{SearchRequest{Like: "src/login.py:3-2"}, "a range goes up"}, {SearchRequest{Like: "src/login.py:2-4"}, `src/login.py has 3 lines, and "src/login.py:2-4" ends at line 4`},
		{SearchRequest{Like: "src/login.py#L2-L9"}, "ends at line 9"}, {SearchRequest{Like: "src/login.py:0-2"}, "the first is 1"}, {SearchRequest{Like: "src/empty.py:1-2"}, "lines 1-2 of src/empty.py hold no text"},
		{SearchRequest{Like: "src/login.py"}, "name a line"}, {SearchRequest{Like: "src/login.py:99"}, "has 3 lines"}, {SearchRequest{Like: "nowhere.py:1"}, "unknown location"},
		{SearchRequest{Like: "verify_password"}, "src/login.py:1, src/twin.py:6"}, {SearchRequest{Like: "src/empty.py:1"}, "no text that is indexed"},
		{SearchRequest{Like: "src/login.py:1", Query: "word"}, "a query"}, {SearchRequest{Like: "src/login.py:1", Regex: true}, "a regular expression"},
		{SearchRequest{Like: "src/login.py:1", Channels: []string{"exact"}}, "channels"},
	} {
		if _, err := w.Search(t.Context(), x.request, nil); err == nil || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%+v: %v, want %q", x.request, err, x.says)
		}
	}
	if _, err := w.EmbedPurge(t.Context(), "", false); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Search(t.Context(), SearchRequest{Like: "src/login.py:1"}, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "has no vector") {
		t.Errorf("without vectors: %v", err)
	}
	if _, err := w.open("embed.provider=none").Search(t.Context(), SearchRequest{Like: "src/login.py:1"}, nil); !errors.Is(err, errNoProvider) {
		t.Errorf("without a provider: %v", err)
	}
}

// TestCodeLikeThatAtAPlaceAsksNoService: the stored vector is the question.
func TestCodeLikeThatAtAPlaceAsksNoService(t *testing.T) {
	w := newEmbedWorld(t, widgets(5), embedtest.Mode{})
	w.mustRun()
	n := len(w.service.Asked())
	w = w.again()
	r := w.askAgain(SearchRequest{Like: "src/part0.py:1"})
	if got := found(r); !strings.Contains(got, "src/part1.py") || strings.Contains(got, "src/part0.py") || len(w.service.Asked()) != n {
		t.Errorf("%s after %d requests", got, len(w.service.Asked())-n)
	}
}

// TestVectorsAreMadeForWhoAsks: where no provider is named, neither index nor a plain search makes any; the first question that names the
// channel, and the first place that results are to be like, make what is missing, and none says how to turn that off.
func TestVectorsAreMadeForWhoAsks(t *testing.T) {
	store := t.TempDir()
	w := newWorld(t, meanings(), "embed.store_dir="+store)
	w.embedding.transport = noNetwork{t}
	empty := func(after string) {
		t.Helper()
		if entries, err := os.ReadDir(store); err != nil || len(entries) > 0 {
			t.Fatalf("%v in the store after %s, %v", entries, after, err)
		}
	}
	if n := w.embedded(); n != 0 {
		t.Errorf("index embedded %d texts", n)
	}
	for _, names := range [][]string{nil, {"auto"}, {"exact", "bm25f", "graph"}} {
		w.askAgain(SearchRequest{Query: "authentication of credentials", Channels: names})
	}
	if _, err := w.Pack(t.Context(), PackRequest{Task: "authentication of credentials", Budget: 2000}, nil); err != nil {
		t.Fatal(err)
	}
	if s, err := w.EmbedStatus(t.Context()); err != nil || s.State != EmbedNone || s.Provider != "builtin" {
		t.Errorf("%+v, %v", s, err)
	}
	empty("questions that do not ask for it")
	if r, c := w.semanticReport("authentication of credentials"); found(r) != "src/login.py" || c.Status != agenvantage.StatusOK {
		t.Errorf("%s, %+v", found(r), c)
	}
	w.write(files{"src/disk.py": "def free_space(mount):\n    return mount.blocks * mount.size\n"})
	if n := w.embedded(); n != 0 {
		t.Errorf("index embedded %d texts", n)
	}
	for name, ask := range map[string]func() error{
		"a question": func() error {
			_, err := w.Search(t.Context(), SearchRequest{Query: "space on a disk", Channels: []string{semanticChannel}}, nil)
			return err
		},
		"a place": func() error { _, err := w.Search(t.Context(), SearchRequest{Like: "src/login.py:1"}, nil); return err },
		"a pack": func() error {
			_, err := w.Pack(t.Context(), PackRequest{Task: "authentication", Budget: 2000, Channels: []string{"bm25f", semanticChannel}}, nil)
			return err
		},
	} {
		if err := ask(); err != nil {
			t.Fatal(name, err)
		}
		if s, err := w.EmbedStatus(t.Context()); err != nil || s.State != EmbedComplete || s.Total != 5 {
			t.Errorf("after %s: %+v, %v", name, s, err)
		}
		if _, err := w.EmbedPurge(t.Context(), "", false); err != nil {
			t.Fatal(err)
		}
	}
	if r := w.askAgain(SearchRequest{Query: "authentication", Channels: []string{semanticChannel}, NoRefresh: true}); report(t, r, semanticChannel).Status != agenvantage.StatusNoVectors {
		t.Errorf("--no-refresh made vectors: %+v", r.Channels)
	}
	w = w.open("embed.store_dir="+w.path("src/login.py"), "index_dir="+w.index.Dir())
	if r, c := w.semanticReport("free_space"); found(r) != "src/disk.py" || c.Status != agenvantage.StatusError || !strings.Contains(c.Error, "vector store not writable") {
		t.Errorf("without a place for vectors: %s, %+v, %v", found(r), c, r.Notes)
	}
}

// TestTheShippedVerdictsAreOfTheShippedModel: another model has to be measured before it goes out.
func TestTheShippedVerdictsAreOfTheShippedModel(t *testing.T) {
	shipped, err := ablations.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	classes := map[ablations.Class]bool{}
	for _, v := range shipped.Verdicts {
		if v.Channel != semanticChannel {
			continue
		}
		classes[v.Class] = true
		if want := identityName(static.BuiltinIdentity()); v.Model != want {
			t.Errorf("%s: the verdict is of %q, the program has %q", v.Class, v.Model, want)
		}
	}
	if len(classes) != len(ablations.Classes()) {
		t.Errorf("verdicts for %v", classes)
	}
}

// TestACompleteStoreNeedsNoWriting: one that cannot be written was said not to be up to date.
func TestACompleteStoreNeedsNoWriting(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	store := t.TempDir()
	w := newWorld(t, meanings(), "embed.store_dir="+store)
	if _, c := w.semanticReport("authentication"); c.Status != agenvantage.StatusOK {
		t.Fatalf("%+v", c)
	}
	for _, name := range []string{store + "/vectors.db", store} {
		if err := os.Chmod(name, 0o500); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(store, 0o700) })
	w = w.open("embed.store_dir=" + store)
	if r, c := w.semanticReport("authentication"); c.Status != agenvantage.StatusOK || len(r.Notes) > 0 {
		t.Errorf("%+v, %v", c, r.Notes)
	}
}

// TestThePackSaysWhichChannelCouldNotLook: it was made of nothing, or of the others, without a word.
func TestThePackSaysWhichChannelCouldNotLook(t *testing.T) {
	w := newWorld(t, meanings(), "embed.provider=none")
	p, err := w.Pack(t.Context(), PackRequest{Task: "verify the password", Budget: 2000, Channels: []string{"bm25f", semanticChannel}}, nil)
	if err != nil || !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.HasPrefix(n, "channel semantic: off: embed.provider is none") }) {
		t.Errorf("%v, %v", p.Notes, err)
	}
}

func TestTheFaultOfAnEmbedder(t *testing.T) {
	for flag, says := range map[string]string{
		"embed.provider=": "", "embed.provider=none": "", "embed.provider=builtin": "", "embed.dimensions=100": "embed.dimensions", "embed.model=other": "one model", "embed.provider=voyage": "embed.model",
	} {
		if err := EmbedderStateOf(config(t, flag)).Fault; says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v, want %q", flag, err, says)
		}
	}
}
