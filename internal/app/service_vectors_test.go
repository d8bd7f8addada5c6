package app

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	vectorstore "agenvantage/embed/store"
	"agenvantage/server"
)

// unmakeable is a folder that is not there and that nobody can make, root included: a link to nowhere stands in its way.
func unmakeable(t *testing.T) string {
	t.Helper()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(t.TempDir(), "no", "where"), link); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	return filepath.Join(link, "vectors")
}

// inAFile is a folder below what is no folder.
func inAFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(file, "vectors")
}

// TestAPackCalledADeadChannelLive: the channels that were asked for were told of as if they had answered, and the generation was 0.
func TestAPackCalledADeadChannelLive(t *testing.T) {
	for _, c := range []struct{ dir, partial string }{
		{t.TempDir(), ""}, {unmakeable(t), "channel semantic: no_vectors: "}, {inAFile(t), "channel semantic: error: "},
	} {
		s, _ := served(t, meanings(), "embed.store_dir="+c.dir)
		s.mustBuild(t)
		a, _ := mustAsk(t, s, "pack", `{"task":"verify the password","budget":900,"channels":["exact","bm25f","semantic"]}`)
		want := []string{"exact", "bm25f", "semantic"}
		if c.partial != "" {
			want = want[:2]
		}
		if a.Generation != 1 || !slices.Equal(a.Channels, want) || !strings.HasPrefix(a.Partial, c.partial) || (a.Partial == "") != (c.partial == "") || len(a.Reports) != 3 {
			t.Errorf("%q: generation %d, channels %v, partial %q, %d reports", c.partial, a.Generation, a.Channels, a.Partial, len(a.Reports))
		}
		if n := strings.Count(a.Text, "vector store not writable"); (n == 1) != (c.partial != "") {
			t.Errorf("%q: the reason is told %d times: %s", c.partial, n, a.Text)
		}
	}
}

// TestKindsOfErrorsDifferedBySurface: the command line knew those of the store, and the servers called them internal or bad_input.
func TestKindsOfErrorsDifferedBySurface(t *testing.T) {
	for _, dir := range []string{unmakeable(t), inAFile(t)} {
		s, w := served(t, meanings(), "embed.store_dir="+dir)
		s.mustBuild(t)
		_, err := askFor(t, s, "search", `{"like":"src/login.py:2"}`, server.Limits{}, nil)
		if server.ErrorKind(err) != "not_writable" || errors.Is(err, agenvantage.ErrBadInput) || strings.Contains(err.Error(), "embed run") {
			t.Errorf("served: kind %s of %v", server.ErrorKind(err), err)
		}
		_, err = w.Search(t.Context(), SearchRequest{Like: "src/login.py:2"}, nil)
		if server.ErrorKind(WithKind(err)) != "not_writable" {
			t.Errorf("kind %s of %v", server.ErrorKind(WithKind(err)), err)
		}
	}
	s, _ := served(t, meanings(), "embed.store_dir="+inAFile(t))
	s.mustBuild(t)
	if _, err := askFor(t, s, "search", `{"query":"pass phrase","channels":["semantic"]}`, server.Limits{}, nil); server.ErrorKind(err) != "not_writable" {
		t.Errorf("kind %s of %v", server.ErrorKind(err), err)
	}
	for err, want := range map[error]string{vectorstore.ErrFull: "disk_full", vectorstore.ErrCorrupt: "store_corrupt", agenvantage.ErrNoIndex: "no_index", errors.New("x"): "internal"} {
		if got := server.ErrorKind(WithKind(err)); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
	if WithKind(nil) != nil {
		t.Error("nothing wrong has a kind")
	}
}

// TestWithoutVectorsTheReasonIsTold where they could not be made, and the shorter way where nobody has tried: the remedy met the same fault again.
func TestWithoutVectorsTheReasonIsTold(t *testing.T) {
	semantic := SearchRequest{Query: "pass phrase", Channels: []string{semanticChannel}}
	w := newWorld(t, meanings(), "embed.store_dir="+unmakeable(t))
	w.mustIndex()
	r := w.askAgain(semantic)
	c := report(t, r, semanticChannel)
	if c.Status != agenvantage.StatusNoVectors || !strings.Contains(c.Error, "vector store not writable") || strings.Contains(c.Error, "embed run") || len(r.Notes) > 0 {
		t.Errorf("%+v, notes %q", c, r.Notes)
	}
	w = newWorld(t, meanings(), "embed.store_dir="+t.TempDir())
	w.mustIndex()
	semantic.NoRefresh = true
	if c := report(t, w.askAgain(semantic), semanticChannel); !strings.Contains(c.Error, "without --no-refresh") {
		t.Errorf("%+v", c)
	}
	if _, err := w.Search(t.Context(), SearchRequest{Like: "src/login.py:2", NoRefresh: true}, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "without --no-refresh") {
		t.Errorf("%v", err)
	}
	semantic.NoRefresh, semantic.SameIndex = false, true // a later line of a batch
	if c := report(t, w.askAgain(semantic), semanticChannel); c.Status != agenvantage.StatusOK {
		t.Errorf("%+v", c)
	}
	semantic.SameIndex = false
	w = newWorld(t, meanings(), "embed.store_dir="+t.TempDir(), "embed.provider=builtin")
	if c := report(t, w.askAgain(semantic), semanticChannel); c.Status != agenvantage.StatusOK {
		t.Errorf("%+v", c)
	}
}

// TestHintsThatCouldNotHelp: a lower floor was advised where nothing had been looked for, and other channels for a place, which takes none.
func TestHintsThatCouldNotHelp(t *testing.T) {
	w := newWorld(t, meanings(), "embed.store_dir="+t.TempDir())
	alone := newWorld(t, files{"a.py": meanings()["src/login.py"]}, "embed.store_dir="+t.TempDir())
	high := newWorld(t, meanings(), "embed.store_dir="+t.TempDir(), "semantic.floor=0.99")
	for _, c := range []struct {
		w        *world
		r        SearchRequest
		try, why string
	}{
		{w, SearchRequest{Query: "/RealIP/"}, "other channels", "a regular expression has no meaning"},
		{w, SearchRequest{Query: "x"}, "other channels", "nothing that the model knows"},
		{w, SearchRequest{Query: "!!!"}, "other channels", "nothing that the model knows"},
		{high, SearchRequest{Query: "pass phrase"}, "other channels, or a lower semantic.floor", "nothing is near enough"},
		{high, SearchRequest{Like: "src/login.py:1"}, "another place, or a lower semantic.floor", "nothing is near enough"},
		{alone, SearchRequest{Like: "a.py:1"}, "another place", "no other chunk"},
	} {
		if c.r.Like == "" {
			c.r.Channels = []string{semanticChannel}
		}
		r := c.w.askAgain(c.r)
		try, why, ok := OnlyByMeaning(r, c.r.Like != "")
		if !ok || len(r.Results) > 0 || try != c.try || !strings.Contains(why, c.why) {
			t.Errorf("%+v: %q, %q, %v with %d results", c.r, try, why, ok, len(r.Results))
		}
		if text := searchText(r, c.r.Like != ""); !strings.Contains(text, "Try "+try+": "+why) {
			t.Errorf("%+v: %s", c.r, text)
		}
	}
	if _, _, ok := OnlyByMeaning(agenvantage.Response{Channels: []agenvantage.ChannelReport{{Name: "bm25f", Status: agenvantage.StatusEmpty}, {Name: semanticChannel, Status: agenvantage.StatusEmpty}}}, false); ok {
		t.Error("words were asked as well")
	}
}

// TestTheGateNamedAModelThatWasTurnedOff: without embeddings no verdict is what keeps the channel off.
func TestTheGateNamedAModelThatWasTurnedOff(t *testing.T) {
	w := newWorld(t, meanings(), "embed.provider=none")
	w.mustIndex()
	s, err := w.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, c := range s.Channels {
		for _, g := range c.Gate {
			if off := strings.HasPrefix(g.Why, "embed.provider is none"); off != (c.Name == semanticChannel) {
				t.Errorf("%s: %s", c.Name, g.Why)
			} else if off {
				told++
			}
		}
	}
	if told == 0 {
		t.Error("nothing is told of the channel of vectors")
	}
}

// TestAnEmbedderWhoseStoreIsDamagedInItsMiddle looked whole: it opens.
func TestAnEmbedderWhoseStoreIsDamagedInItsMiddle(t *testing.T) {
	dir := t.TempDir()
	w := newWorld(t, widgets(400), "embed.store_dir="+dir)
	w.mustIndex()
	if err := w.VectorFault(t.Context()); err != nil {
		t.Fatalf("without vectors: %v", err)
	}
	if _, c := w.semanticReport("pass phrase"); c.Status != agenvantage.StatusOK {
		t.Fatalf("%+v", c)
	}
	if err := w.VectorFault(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, vectorstore.FileName)
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(content) / 3 {
		content[len(content)/2+i] = 0xff
	}
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	w = w.open("embed.store_dir=" + dir)
	if state := EmbedderStateOf(w.config); state.Dir != dir || !state.Stored || state.Fault != nil {
		t.Errorf("%+v", state)
	}
	if err := w.VectorFault(t.Context()); !errors.Is(err, vectorstore.ErrCorrupt) {
		t.Errorf("%v", err)
	}
}
