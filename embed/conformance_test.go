package embed_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agenvantage/embed"
	"agenvantage/embed/embedtest"
)

// plantedKey and plantedText must be in no error, whatever a service gives back.
const (
	plantedKey  = "sk-planted-0123456789abcdefghijklmnop"
	plantedText = "func planted(correct horse battery staple) { return 4217 }"
)

// provider is one protocol, and where the stand-in server speaks it.
type provider struct {
	name    string
	path    string // of the base address
	indexed bool   // its answers say which text a vector is for
}

var providers = []provider{
	{embed.Ollama, "", false}, {embed.OpenAI, "/v1", true}, {embed.Voyage, "/v1/", true}, {embed.Cohere, "/v2", false},
}

func (p provider) options(base string) embed.Options {
	return embed.Options{Provider: p.name, BaseURL: base + p.path, Model: "mock-embed", Key: plantedKey, Timeout: time.Minute}
}

func (p provider) start(t *testing.T, mode embedtest.Mode, change ...func(*embed.Options)) (embed.Embedder, *embedtest.Server) {
	t.Helper()
	s := embedtest.Start(t, mode)
	o := p.options(s.URL)
	for _, c := range change {
		c(&o)
	}
	e, err := embed.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e, s
}

// each runs a test for every provider.
func each(t *testing.T, run func(t *testing.T, p provider)) {
	for _, p := range providers {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			run(t, p)
		})
	}
}

// keepsSecrets fails when an error shows what was planted, in whole or in a part of ten characters of the key.
func keepsSecrets(t *testing.T, err error) {
	t.Helper()
	for _, shown := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err)} {
		if strings.Contains(shown, "correct horse battery staple") {
			t.Errorf("the error shows a text: %s", shown)
		}
		for i := 0; i+10 <= len(plantedKey); i++ {
			if strings.Contains(shown, plantedKey[i:i+10]) {
				t.Fatalf("the error shows a part of the key: %s", shown)
			}
		}
	}
}

func TestVectorsAreThoseOfTheirTexts(t *testing.T) {
	for _, fault := range []embedtest.Fault{embedtest.OK, embedtest.Shuffle, embedtest.NoIndex, embedtest.ZeroIndex, embedtest.PlainType, embedtest.NoList} {
		t.Run(string(fault), func(t *testing.T) {
			each(t, func(t *testing.T, p provider) {
				e, s := p.start(t, embedtest.Mode{Fault: fault})
				i, err := e.Identity(t.Context())
				wantModel := "mock-embed"
				if p.name == embed.Ollama {
					wantModel = "mock-embed:latest"
				}
				if err != nil || i.Dimensions != 64 || i.Model != wantModel || i.Provider != p.name || i.Prefix != embed.PrefixVersion || strings.HasSuffix(i.Endpoint, "/") {
					t.Fatalf("%+v, %v", i, err)
				}
				if again, err := e.Identity(t.Context()); err != nil || again != i || len(s.Asked()) != 1 {
					t.Errorf("the second time: %+v, %v, %d requests", again, err, len(s.Asked()))
				}
				texts := []string{"read the file", "write the file", plantedText, "日本語 text"}
				answers, err := e.Embed(t.Context(), embed.Document, texts)
				if err != nil || len(answers) != len(texts) {
					t.Fatalf("%d answers, %v", len(answers), err)
				}
				for i, a := range answers {
					want := embedtest.Vector(texts[i], 64)
					if a.Refused != "" || len(a.Vector) != 64 {
						t.Fatalf("%q: %+v", texts[i], a)
					}
					for j := range want {
						if math.Abs(float64(a.Vector[j])-want[j]) > 1e-6 {
							t.Fatalf("%q has another text's vector", texts[i])
						}
					}
				}
				last := s.Asked()[len(s.Asked())-1]
				if !slices.Equal(last.Inputs, texts) || last.Auth != "Bearer "+plantedKey || last.Model != "mock-embed" {
					t.Errorf("asked with %q, %q, %q", last.Inputs, last.Auth, last.Model)
				}
			})
		})
	}
}

// TestFaults is the table of what each fault of a service means.
func TestFaults(t *testing.T) {
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	poisoned := []string{"first text", embedtest.Poison + " second", "third text"}
	tests := []struct {
		mode    embedtest.Mode
		texts   []string
		want    error
		says    string
		after   time.Duration
		reason  embed.Reason // of the second text, the others having vectors
		indexed bool         // only where answers have indexes
	}{
		{mode: embedtest.Mode{Fault: embedtest.Rate, K: 9, After: "2"}, want: embed.ErrLimited, says: "rate limited", after: 2 * time.Second},
		{mode: embedtest.Mode{Fault: embedtest.Rate, K: 9, After: "Fri, 02 Jan 2026 03:04:15 GMT"}, want: embed.ErrLimited, after: 10 * time.Second},
		{mode: embedtest.Mode{Fault: embedtest.Rate, K: 9, After: "Fri, 02 Jan 2026 03:04:01 GMT"}, want: embed.ErrLimited},
		{mode: embedtest.Mode{Fault: embedtest.Rate, K: 9, After: "soon"}, want: embed.ErrLimited},
		{mode: embedtest.Mode{Fault: embedtest.Rate, K: 9}, want: embed.ErrLimited},
		{mode: embedtest.Mode{Fault: embedtest.Quota}, want: embed.ErrQuota, says: "quota"},
		{mode: embedtest.Mode{Fault: embedtest.Flaky, After: "3"}, want: embed.ErrOverloaded, says: "status 503", after: 3 * time.Second},
		{mode: embedtest.Mode{Fault: embedtest.Down}, want: embed.ErrOverloaded},
		{mode: embedtest.Mode{Fault: embedtest.Auth, Key: "another"}, want: embed.ErrUnauthorized, says: "embed.api_key"},
		{mode: embedtest.Mode{Fault: embedtest.Missing}, want: embed.ErrModelMissing, says: "mock-embed"},
		{mode: embedtest.Mode{Fault: embedtest.TooLong, Limit: 5}, want: embed.ErrTooLong, says: "context length"},
		{mode: embedtest.Mode{Fault: embedtest.Cap, K: 2}, want: embed.ErrTooLong},
		{mode: embedtest.Mode{Fault: embedtest.TooLarge, K: 2}, want: embed.ErrTooLong, says: "status 413"},
		{mode: embedtest.Mode{Fault: embedtest.NaN}, want: embed.ErrRejected, says: "not finite"},
		{mode: embedtest.Mode{Fault: embedtest.Empty}, want: embed.ErrBadAnswer, says: "0 vectors for 3 inputs"},
		{mode: embedtest.Mode{Fault: embedtest.Short}, want: embed.ErrBadAnswer, says: "2 vectors for 3 inputs"},
		{mode: embedtest.Mode{Fault: embedtest.Extra}, want: embed.ErrBadAnswer, says: "4 vectors for 3 inputs"},
		{mode: embedtest.Mode{Fault: embedtest.BadIndex}, want: embed.ErrBadAnswer, says: "indexes", indexed: true},
		{mode: embedtest.Mode{Fault: embedtest.SameIndex}, want: embed.ErrBadAnswer, says: "indexes", indexed: true},
		{mode: embedtest.Mode{Fault: embedtest.Garbage}, want: embed.ErrBadAnswer, says: "no JSON"},
		{mode: embedtest.Mode{Fault: embedtest.HTML}, want: embed.ErrBadAnswer, says: "text/html"},
		{mode: embedtest.Mode{Fault: embedtest.SuccessError}, want: embed.ErrBadAnswer, says: "upstream had a hiccup"},
		{mode: embedtest.Mode{Fault: embedtest.Half}, want: embed.ErrUnreachable, says: "broke off"},
		{mode: embedtest.Mode{Fault: embedtest.Die}, want: embed.ErrUnreachable},
		{mode: embedtest.Mode{Fault: embedtest.Huge}, want: embed.ErrBadAnswer, says: "more than"},
		{mode: embedtest.Mode{Fault: embedtest.Echo}, want: embed.ErrRejected, says: "cannot use Bearer *** for *** and"},
		{mode: embedtest.Mode{Fault: embedtest.EchoPlain}, want: embed.ErrOverloaded, says: "***"},
		{mode: embedtest.Mode{Fault: embedtest.EchoAuth}, want: embed.ErrUnauthorized},
		{mode: embedtest.Mode{Fault: embedtest.Zero}, texts: poisoned, reason: embed.ReasonZero},
		{mode: embedtest.Mode{Fault: embedtest.Null}, texts: poisoned, reason: embed.ReasonNull},
		{mode: embedtest.Mode{Fault: embedtest.NullVector}, texts: poisoned, reason: embed.ReasonNull},
		{mode: embedtest.Mode{Fault: embedtest.NaNLiteral}, texts: poisoned, reason: embed.ReasonNaN},
		{mode: embedtest.Mode{Fault: embedtest.Overflow}, texts: poisoned, reason: embed.ReasonNaN},
		{mode: embedtest.Mode{Fault: embedtest.WrongDimension}, texts: poisoned, reason: embed.ReasonDimension},
		{mode: embedtest.Mode{}, texts: []string{"first text", " \n", "third text"}, reason: embed.ReasonRejected},
	}
	for _, tt := range tests {
		t.Run(string(tt.mode.Fault)+tt.mode.After, func(t *testing.T) {
			each(t, func(t *testing.T, p provider) {
				if tt.indexed && !p.indexed {
					t.Skip("no indexes in this shape")
				}
				e, s := p.start(t, embedtest.Mode{}, func(o *embed.Options) { o.Now = func() time.Time { return date } })
				if _, err := e.Identity(t.Context()); err != nil && tt.reason != "" {
					t.Fatal(err)
				}
				n := len(s.Asked())
				mode := tt.mode
				switch mode.Fault { // counted from here
				case embedtest.Rate:
					mode.K += n
				case embedtest.Flaky:
					if n%2 == 1 {
						if _, err := e.Embed(t.Context(), embed.Query, []string{"one more"}); err != nil {
							t.Fatal(err)
						}
						n++
					}
				}
				s.SetMode(mode)
				texts := tt.texts
				if texts == nil {
					texts = []string{"first text", plantedText, embedtest.Poison}
				}
				answers, err := e.Embed(t.Context(), embed.Document, texts)
				if got := len(s.Asked()) - n; got != 1 {
					t.Errorf("%d requests, want 1", got)
				}
				if tt.want == nil {
					if err != nil || len(answers) != 3 || answers[0].Refused != "" || answers[1].Refused != tt.reason || answers[1].Vector != nil || answers[2].Refused != "" {
						t.Errorf("%+v, %v; want %s for the second", answers, err, tt.reason)
					}
					return
				}
				if !errors.Is(err, tt.want) || answers != nil || !strings.Contains(err.Error(), tt.says) || embed.RetryAfter(err) != tt.after {
					t.Fatalf("%d answers, after %s, %v; want %v, %q, after %s", len(answers), embed.RetryAfter(err), err, tt.want, tt.says, tt.after)
				}
				keepsSecrets(t, err)
				want := embed.ReasonRejected
				switch {
				case mode.Fault == embedtest.NaN:
					want = embed.ReasonNaN
				case tt.want == embed.ErrTooLong:
					want = embed.ReasonTooLong
				}
				if got := embed.ReasonOf(err); got != want {
					t.Errorf("reason %s, want %s", got, want)
				}
				// Asked for the first time with this fault, the identity fails alike and is not kept.
				fresh, err := embed.New(p.options(s.URL))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := fresh.Identity(t.Context()); err != nil {
					keepsSecrets(t, err)
				}
				s.SetMode(embedtest.Mode{})
				if i, err := fresh.Identity(t.Context()); err != nil || i.Dimensions != 64 {
					t.Errorf("after the fault: %+v, %v", i, err)
				}
			})
		})
	}
}

func TestAllVectorsOfAnotherDimensionAreOneError(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		e, _ := p.start(t, embedtest.Mode{Fault: embedtest.DimensionDrift, K: 2})
		if _, err := e.Identity(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Embed(t.Context(), embed.Document, []string{"a b", "c d"}); err != nil {
			t.Fatal(err)
		}
		_, err := e.Embed(t.Context(), embed.Document, []string{"a b", "c d"})
		var d *embed.DimensionError
		if !errors.Is(err, embed.ErrModelChanged) || !errors.As(err, &d) || d.Want != 64 || d.Got != 128 || !strings.Contains(err.Error(), "128") || !strings.Contains(err.Error(), "64") {
			t.Errorf("%v", err)
		}
	})
}

func TestWithoutIdentityTheFirstVectorSaysTheDimension(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		e, s := p.start(t, embedtest.Mode{Fault: embedtest.WrongDimension})
		a, err := e.Embed(t.Context(), embed.Query, []string{"a b", embedtest.Poison})
		if err != nil || len(a[0].Vector) != 64 || a[1].Refused != embed.ReasonDimension || len(s.Asked()) != 1 {
			t.Errorf("%+v, %v, %d requests", a, err, len(s.Asked()))
		}
	})
}

func TestPurposesAndPrompts(t *testing.T) {
	want := map[string][2]string{embed.Ollama: {"", ""}, embed.OpenAI: {"", ""}, embed.Voyage: {"document", "query"}, embed.Cohere: {"search_document", "search_query"}}
	each(t, func(t *testing.T, p provider) {
		e, s := p.start(t, embedtest.Mode{}, func(o *embed.Options) { o.QueryPrompt, o.DocumentPrompt = "ask: ", "tell: " })
		for i, purpose := range []embed.Purpose{embed.Document, embed.Query} {
			if _, err := e.Embed(t.Context(), purpose, []string{"x y"}); err != nil {
				t.Fatal(err)
			}
			last := s.Asked()[i]
			if last.InputType != want[p.name][i] || last.Inputs[0] != []string{"tell: x y", "ask: x y"}[i] {
				t.Errorf("%s: %q as %q", purpose, last.Inputs, last.InputType)
			}
		}
		i, err := e.Identity(t.Context())
		plain, _ := p.start(t, embedtest.Mode{})
		j, err2 := plain.Identity(t.Context())
		if err != nil || err2 != nil || i.Key() == j.Key() || !strings.Contains(i.Parameters, `query_prompt="ask: "`) {
			t.Errorf("prompts are no part of the identity: %+v, %+v, %v, %v", i, j, err, err2)
		}
	})
}

func TestAskedDimensions(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		e, s := p.start(t, embedtest.Mode{}, func(o *embed.Options) { o.Dimensions = 32 })
		if i, err := e.Identity(t.Context()); err != nil || i.Dimensions != 32 || !strings.Contains(i.Parameters, "dimensions=32") {
			t.Errorf("%+v, %v", i, err)
		}
		if !strings.Contains(s.Asked()[0].Body, `dimension`) {
			t.Errorf("nothing is asked: %s", s.Asked()[0].Body)
		}
		plain, s := p.start(t, embedtest.Mode{})
		if _, err := plain.Identity(t.Context()); err != nil || strings.Contains(s.Asked()[0].Body, `dimension"`) || strings.Contains(s.Asked()[0].Body, `dimensions"`) {
			t.Errorf("asked for though not set: %s, %v", s.Asked()[0].Body, err)
		}
		// A service that does not shorten is told apart from one that does.
		fixed, _ := p.start(t, embedtest.Mode{Fault: embedtest.DimensionDrift}, func(o *embed.Options) { o.Dimensions = 32 })
		if _, err := fixed.Identity(t.Context()); !errors.Is(err, embed.ErrRejected) || !strings.Contains(err.Error(), "64 numbers, not of the 32") {
			t.Errorf("%v", err)
		}
	})
}

func TestTheKeyOfAnIdentityIsWithoutItsAddress(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		a, _ := p.start(t, embedtest.Mode{Digest: "aa"})
		b, _ := p.start(t, embedtest.Mode{Digest: "aa"}, func(o *embed.Options) { o.Model = "mock-embed" })
		c, _ := p.start(t, embedtest.Mode{Digest: "aa", Dimensions: 96})
		i, _ := a.Identity(t.Context())
		j, _ := b.Identity(t.Context())
		k, _ := c.Identity(t.Context())
		if i.Endpoint == j.Endpoint || i.Key() != j.Key() || i.Key() == k.Key() || len(i.Key()) != 32 {
			t.Errorf("%+v, %+v, %+v", i, j, k)
		}
	})
}

func TestUnreachable(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		e, s := p.start(t, embedtest.Mode{})
		s.Down()
		_, err := e.Identity(t.Context())
		if !errors.Is(err, embed.ErrUnreachable) || !strings.Contains(err.Error(), "connect") || !strings.Contains(err.Error(), s.URL) {
			t.Errorf("%v", err)
		}
		keepsSecrets(t, err)
		s.Up()
		if _, err := e.Identity(t.Context()); err != nil {
			t.Errorf("back again: %v", err)
		}
		s.KillConnections()
		if _, err := e.Embed(t.Context(), embed.Query, []string{"a b"}); err != nil && !errors.Is(err, embed.ErrUnreachable) {
			t.Errorf("after broken connections: %v", err)
		}
	})
}

func TestTimeoutIsUnreachableAndTheCallersEndIsItsOwn(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		e, s := p.start(t, embedtest.Mode{}, func(o *embed.Options) { o.Timeout = 30 * time.Millisecond })
		s.SetMode(embedtest.Mode{Fault: embedtest.Hang})
		_, err := e.Embed(t.Context(), embed.Query, []string{plantedText})
		if !errors.Is(err, embed.ErrUnreachable) || !strings.Contains(err.Error(), "no answer within 30ms") {
			t.Errorf("%v", err)
		}
		keepsSecrets(t, err)
		patient, s := p.start(t, embedtest.Mode{Fault: embedtest.Hang})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := patient.Embed(ctx, embed.Query, []string{plantedText})
			done <- err
		}()
		s.Await(1)
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || errors.Is(err, embed.ErrUnreachable) {
			t.Errorf("%v", err)
		}
		gone, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
		defer cancel()
		if _, err := patient.Identity(gone); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
}

func TestRedirectsLeaveTheKeyAtHome(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		thief := embedtest.Start(t, embedtest.Mode{})
		e, s := p.start(t, embedtest.Mode{})
		s.SetMode(embedtest.Mode{Fault: embedtest.Redirect, Target: strings.Replace(thief.URL, "http://", "http://user:pass@", 1) + "/v1/embeddings?key=x"})
		_, err := e.Embed(t.Context(), embed.Document, []string{plantedText})
		if !errors.Is(err, embed.ErrRejected) || !strings.Contains(err.Error(), thief.URL) || !strings.Contains(err.Error(), "embed.base_url") || strings.Contains(err.Error(), "pass") {
			t.Errorf("%v", err)
		}
		if len(thief.Requests()) != 0 {
			t.Errorf("the other host was asked: %+v", thief.Requests())
		}
	})
	e, s := provider{embed.OpenAI, "/v1", true}.start(t, embedtest.Mode{Fault: embedtest.Moved})
	if _, err := e.Embed(t.Context(), embed.Document, []string{"a b"}); err != nil || s.Asked()[1].Path != "/moved" || s.Asked()[1].Auth == "" {
		t.Errorf("within the host: %v, %+v", err, s.Asked())
	}
}

func TestConcurrentUse(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		e, s := p.start(t, embedtest.Mode{})
		var group sync.WaitGroup
		for n := range 8 {
			group.Go(func() {
				i, err := e.Identity(t.Context())
				text := fmt.Sprintf("text number%d of many", n)
				a, err2 := e.Embed(t.Context(), embed.Document, []string{text})
				if err != nil || err2 != nil || i.Dimensions != 64 || math.Abs(float64(a[0].Vector[0])-embedtest.Vector(text, 64)[0]) > 1e-6 {
					t.Errorf("%+v, %v, %v", i, err, err2)
				}
			})
		}
		group.Wait()
		if probes := s.Embedded()["dimension probe"]; probes != 1 {
			t.Errorf("%d probes", probes)
		}
	})
}

func TestNothingIsSentWithoutTexts(t *testing.T) {
	each(t, func(t *testing.T, p provider) {
		refuse := roundTripper(func(*http.Request) (*http.Response, error) {
			t.Error("a request")
			return nil, errors.New("no network in this test")
		})
		e, _ := p.start(t, embedtest.Mode{}, func(o *embed.Options) { o.Transport = refuse })
		if a, err := e.Embed(t.Context(), embed.Document, nil); err != nil || len(a) != 0 {
			t.Errorf("%v, %v", a, err)
		}
		if a, err := e.Embed(t.Context(), embed.Document, []string{"", "\t"}); err != nil || len(a) != 2 || a[1].Refused != embed.ReasonRejected {
			t.Errorf("%v, %v", a, err)
		}
		e.Limits()
		e.Hosted()
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestRealOllama runs the part of the suite that a real server can take. docs/embeddings.md says how.
func TestRealOllama(t *testing.T) {
	address, model := os.Getenv("AGENVANTAGE_TEST_OLLAMA"), os.Getenv("AGENVANTAGE_TEST_OLLAMA_MODEL")
	if address == "" {
		t.Skip("this part was not run: AGENVANTAGE_TEST_OLLAMA names no server")
	}
	if model == "" {
		model = "nomic-embed-text"
	}
	open := func(change func(*embed.Options)) embed.Embedder {
		o := embed.Options{Provider: embed.Ollama, BaseURL: address, Model: model}
		if change != nil {
			change(&o)
		}
		e, err := embed.New(o)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := open(nil)
	i, err := e.Identity(t.Context())
	if err != nil || i.Dimensions == 0 || i.Digest == "" || e.Limits().Window == 0 {
		t.Fatalf("%+v, window %d, %v", i, e.Limits().Window, err)
	}
	texts := []string{"open a file and read its lines", "binary search in a sorted slice", "open a file and read its lines"}
	a, err := e.Embed(t.Context(), embed.Document, texts)
	if err != nil || len(a) != 3 || len(a[0].Vector) != i.Dimensions || cosine(a[0].Vector, a[2].Vector) < 0.999 || cosine(a[0].Vector, a[1].Vector) > 0.99 {
		t.Fatalf("%v", err)
	}
	q, err := e.Embed(t.Context(), embed.Query, []string{"how is a file read?"})
	if err != nil || cosine(q[0].Vector, a[0].Vector) <= cosine(q[0].Vector, a[1].Vector) {
		t.Errorf("the nearer text is not nearer: %v", err)
	}
	if _, err := e.Embed(t.Context(), embed.Document, []string{strings.Repeat("word and another one, ", 20*e.Limits().Window)}); !errors.Is(err, embed.ErrTooLong) {
		t.Errorf("a text far beyond the window: %v", err)
	}
	if _, err := open(func(o *embed.Options) { o.Model = "no-such-model-anywhere" }).Identity(t.Context()); !errors.Is(err, embed.ErrModelMissing) || !strings.Contains(err.Error(), "ollama pull no-such-model-anywhere") {
		t.Errorf("%v", err)
	}
	if other, err := open(func(o *embed.Options) { o.Model = i.Model }).Identity(t.Context()); err != nil || other.Key() != i.Key() {
		t.Errorf("under its full name: %+v, %v", other, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Embed(ctx, embed.Document, texts); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func cosine(a, b embed.Vector) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
