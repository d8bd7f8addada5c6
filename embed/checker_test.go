package embed_test

import (
	"errors"
	"testing"

	"agenvantage/embed"
	"agenvantage/embed/embedtest"
)

// TestWhatIsExpectedIsWhatTheServiceSays: but for what only the service knows.
func TestWhatIsExpectedIsWhatTheServiceSays(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		e, s := p.start(t, embedtest.Mode{Digest: "sha256:aa"})
		c, ok := e.(embed.Checker)
		if !ok {
			t.Fatal("no Checker")
		}
		want := c.Expected()
		if n := len(s.Requests()); n != 0 {
			t.Errorf("%d requests", n)
		}
		got, err := e.Identity(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.Asked()); c.Check(t.Context(), got) != nil || len(s.Asked()) != n {
			t.Errorf("%v: %d more vectors", c.Check(t.Context(), got), len(s.Asked())-n)
		}
		s.SetMode(embedtest.Mode{Digest: "sha256:bb"})
		if err := c.Check(t.Context(), got); errors.Is(err, embed.ErrModelChanged) != (got.Digest != "") {
			t.Errorf("another digest than %q: %v", got.Digest, err)
		}
		s.SetMode(embedtest.Mode{Fault: embedtest.Missing})
		if err := c.Check(t.Context(), got); errors.Is(err, embed.ErrModelMissing) != (got.Digest != "") {
			t.Errorf("no model: %v", err)
		}
		got.Digest, want.Dimensions = "", got.Dimensions
		if got != want {
			t.Errorf("%+v, expected %+v", got, want)
		}
	})
}

// TestATextBeyondARequestIsOneToRefuse: it is too long, and splitting it is not what the service asks for.
func TestATextBeyondARequestIsOneToRefuse(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		for fault, want := range map[embedtest.Fault]bool{embedtest.Cap: true, embedtest.TooLong: false} {
			e, s := p.start(t, embedtest.Mode{})
			if _, err := e.Identity(t.Context()); err != nil {
				t.Fatal(err)
			}
			s.SetMode(embedtest.Mode{Fault: fault, Limit: 5})
			_, err := e.Embed(t.Context(), embed.Document, []string{"longer than that"})
			if !errors.Is(err, embed.ErrTooLong) || errors.Is(err, embed.ErrRejected) != want || embed.ReasonOf(err) != embed.ReasonTooLong {
				t.Errorf("%s: %v", fault, err)
			}
		}
	})
}
