package app

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/embed/embedtest"
)

// TestAModelAtTwoAddressesStaysFound: a set that bears the configured address must not hide the one that was confirmed last, and a set of
// the size that the service answers with is used.
func TestAModelAtTwoAddressesStaysFound(t *testing.T) {
	w := newEmbedWorld(t, widgets(5), embedtest.Mode{}, "embed.provider=openai")
	w.mustRun() // 64 numbers, at the first address
	w.service.SetMode(embedtest.Mode{Dimensions: 32})
	w = w.again()
	w.mustRun()
	moved := strings.Replace(w.service.URL, "127.0.0.1", "localhost", 1)
	w = w.again("embed.base_url=" + moved)
	w.mustRun() // 32 numbers, now at the other address
	w = w.again("embed.base_url=" + w.service.URL)
	if s := w.counts(); s.Set == nil || s.Set.Dimensions != 32 || s.State != EmbedComplete {
		t.Errorf("%+v", s)
	}
	w.wantMeaning()
	w.service.SetMode(embedtest.Mode{})
	if r := w.again().search("how is the pass phrase checked", semanticChannel); !strings.HasPrefix(found(r), "src/login.py") {
		t.Errorf("the set of 64 numbers is there: %+v", r.Channels)
	}
	if s := w.counts(); s.Set == nil || s.Set.Dimensions != 64 {
		t.Errorf("the set that was confirmed last: %+v", s.Set)
	}
	w.service.SetMode(embedtest.Mode{Dimensions: 16})
	w = w.again()
	r := w.search("yet another pass phrase", "exact", semanticChannel)
	if c := report(t, r, semanticChannel); c.Status != agenvantage.StatusModelChanged || !strings.Contains(c.Error, "gave vectors of 16 numbers, and of 64 before") {
		t.Errorf("%+v", c)
	}
}

// TestAPlanDoesNotSayThatTextStaysBeforeItIsKnown: an Ollama on this machine may pass texts on.
func TestAPlanDoesNotSayThatTextStaysBeforeItIsKnown(t *testing.T) {
	plan := func(w *embedWorld) EmbedPlan {
		t.Helper()
		p, err := w.EmbedPlan(t.Context(), EmbedRequest{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	w := newEmbedWorld(t, widgets(3), embedtest.Mode{RemoteHost: "https://elsewhere.invalid"}, `embed.deny=["src/login.py"]`)
	if p := plan(w); p.Hosted || !p.HostedUnknown || p.PriceFrom == "local" {
		t.Errorf("before it is asked: %+v", p)
	}
	said := ""
	if _, err := w.EmbedRun(t.Context(), EmbedRequest{}, func(p Progress) {
		if p.Phase == PhaseLeaving {
			said = p.Note
			if n := len(w.documents()); n != 0 {
				t.Errorf("told after %d texts", n)
			}
		}
	}); err != nil || !strings.Contains(said, "passes texts on to another machine") {
		t.Errorf("%q, %v", said, err)
	}
	w = w.again()
	if p := plan(w); !p.Hosted || p.HostedUnknown || p.Denied != 1 {
		t.Errorf("after it was asked: %+v", p)
	}
	if s := w.again().counts(); s.Denied != 1 || s.Missing != 0 {
		t.Errorf("%+v", s)
	}
	if p := plan(w.again("embed.model=Any:CLOUD")); !p.Hosted {
		t.Errorf("a model of the cloud by its tag: %+v", p)
	}
	local := newEmbedWorld(t, widgets(3), embedtest.Mode{})
	local.mustRun()
	if p := plan(local.again()); p.Hosted || p.HostedUnknown || p.PriceFrom != "local" {
		t.Errorf("on this machine: %+v", p)
	}
}

// TestAStoreThatIsRemovedWhileItIsOpen: a server goes on with the file that is there, and a run ends with an error.
func TestAStoreThatIsRemovedWhileItIsOpen(t *testing.T) {
	w := newEmbedWorld(t, widgets(10), embedtest.Mode{}, "embed.concurrency=1", "embed.batch=2")
	w.mustRun()
	server := w.again()
	server.wantMeaning()
	file := w.counts().Store
	remove := func() {
		for _, tail := range []string{"", "-wal", "-shm"} {
			if err := os.Remove(file + tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	remove()
	server.wantFallback(agenvantage.StatusNoVectors, "no chunk has a vector")
	if s := server.counts(); s.State != EmbedNone {
		t.Errorf("%+v", s)
	}
	if s := w.again().mustRun(); s.Embedded != 11 {
		t.Errorf("%+v", s)
	}
	server.wantMeaning()
	remove()
	during, done := w.again(), 0
	_, err := during.EmbedRun(t.Context(), EmbedRequest{}, func(p Progress) {
		if p.Phase == PhaseEmbed && p.DoneFiles > 0 && done == 0 {
			done = p.DoneFiles
			remove()
		}
	})
	if kind, _ := EmbedErrorKind(err); kind != "store_gone" || done == 0 {
		t.Errorf("%v, after %d texts", err, done)
	}
}
