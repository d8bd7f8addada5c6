package runner

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage/embed"
	"agenvantage/embed/embedtest"
	"agenvantage/embed/store"
)

// wired embeds src by a real client against a server in the process.
func wired(t *testing.T, b *bench, provider string, s *embedtest.Server, src source) (Report, error) {
	t.Helper()
	e, err := embed.New(embed.Options{Provider: provider, BaseURL: s.URL, Model: "mock-embed", Key: "k", PlainHTTP: true, Now: b.clock.Now})
	must(t, err)
	return Run(ctx, e, b.store, src, b.o)
}

// poisoned is 41 texts, the one number 17 of which the faulty modes of the server stumble over.
func poisoned() source {
	src := numbered(41)
	src[17].text = "def poison_case():\n    return 'POISON'\n"
	return src
}

// What each fault of a service comes to, for a local and a hosted one.
func TestFaultsOfServices(t *testing.T) {
	for name, c := range map[string]struct {
		mode      embedtest.Mode
		is        error // nil: the run ends well
		committed int
		reason    embed.Reason // of one refused text
		requests  int          // at most, that of the identity among them
		says      []string
	}{
		"ok":              {mode: embedtest.Mode{}, committed: 41, requests: 7},
		"rate":            {mode: embedtest.Mode{Fault: embedtest.Rate, K: 3, After: "2"}, committed: 41, requests: 10},
		"flaky":           {mode: embedtest.Mode{Fault: embedtest.Flaky}, committed: 41, requests: 14},
		"quota":           {mode: embedtest.Mode{Fault: embedtest.Quota, K: 3}, is: embed.ErrQuota, committed: 16, requests: 8, says: []string{"quota"}},
		"die":             {mode: embedtest.Mode{Fault: embedtest.Die, K: 3}, is: embed.ErrUnreachable, committed: 16, requests: 10},
		"missing":         {mode: embedtest.Mode{Fault: embedtest.Missing}, is: embed.ErrModelMissing, requests: 2, says: []string{"mock-embed"}},
		"dimension drift": {mode: embedtest.Mode{Fault: embedtest.DimensionDrift, K: 3}, is: embed.ErrModelChanged, committed: 16, requests: 8, says: []string{"64", "128"}},
		"nan":             {mode: embedtest.Mode{Fault: embedtest.NaN}, committed: 40, reason: embed.ReasonNaN, requests: 14},
		"zero":            {mode: embedtest.Mode{Fault: embedtest.Zero}, committed: 40, reason: embed.ReasonZero, requests: 7},
		"null":            {mode: embedtest.Mode{Fault: embedtest.Null}, committed: 40, reason: embed.ReasonNull, requests: 7},
		"wrong dimension": {mode: embedtest.Mode{Fault: embedtest.WrongDimension}, committed: 40, reason: embed.ReasonDimension, requests: 7},
		"cap":             {mode: embedtest.Mode{Fault: embedtest.Cap, K: 4, Limit: 900}, committed: 41, requests: 16},
		"empty":           {mode: embedtest.Mode{Fault: embedtest.Empty}, is: embed.ErrBadAnswer, requests: 2, says: []string{"0 vectors"}},
		"short":           {mode: embedtest.Mode{Fault: embedtest.Short}, is: embed.ErrBadAnswer, requests: 4},
		"extra":           {mode: embedtest.Mode{Fault: embedtest.Extra}, is: embed.ErrBadAnswer, requests: 4},
		"shuffle":         {mode: embedtest.Mode{Fault: embedtest.Shuffle}, committed: 41, requests: 7},
	} {
		for _, provider := range []string{"ollama", "openai"} {
			t.Run(name+"/"+provider, func(t *testing.T) {
				b, s, src := newBench(t), embedtest.Start(t, c.mode), poisoned()
				b.o.MaxItems, b.o.Concurrency = 8, 1
				r, err := wired(t, b, provider, s, src)
				if !errors.Is(err, c.is) || c.is == nil && err != nil {
					t.Fatalf("error %v, want %v", err, c.is)
				}
				for _, word := range c.says {
					if !strings.Contains(err.Error(), word) {
						t.Errorf("error %q does not say %q", err, word)
					}
				}
				refused := 0
				if c.reason != "" {
					refused = 1
				}
				if r.Committed != c.committed || r.Failed[c.reason] != refused || r.FailedCount() != refused {
					t.Errorf("%d committed, want %d; %v refused, want one of %q", r.Committed, c.committed, r.Failed, c.reason)
				}
				if c.is == nil && r.Missing() != 0 {
					t.Errorf("%d missing", r.Missing())
				}
				n := 0
				for _, q := range s.Requests() {
					n = max(n, q.N) // what Ollama is asked about its models has no number
				}
				if n > c.requests {
					t.Errorf("%d requests, want at most %d", n, c.requests)
				}
				sentAsOnRecord(t, b, s)
			})
		}
	}
}

// sentAsOnRecord compares the log of the server with the ledger: as many texts, each as often.
func sentAsOnRecord(t *testing.T, b *bench, s *embedtest.Server) {
	t.Helper()
	balance := map[store.Hash]int{}
	must(t, b.store.Log(ctx, store.LogFilter{}, func(e store.Entry) error { balance[e.Hash]--; return nil }))
	probes := map[string]bool{}
	for _, q := range s.Requests() {
		for _, x := range q.Inputs {
			at := max(0, strings.Index(x, "text number"), strings.Index(x, "def poison")) // after the model's prompt
			if h := hashOf(x[at:]); balance[h] != 0 {
				balance[h]++
			} else {
				probes[x] = true
			}
		}
	}
	for h, n := range balance {
		if n != 0 {
			t.Errorf("%x: %d requests more than entries", h, n)
		}
	}
	if len(probes) > 1 {
		t.Errorf("sent and not on record: %v", probes)
	}
}

func TestLongTextsOfServices(t *testing.T) {
	for _, provider := range []string{"ollama", "openai"} {
		b, s, src := newBench(t), embedtest.Start(t, embedtest.Mode{Fault: embedtest.TooLong, Limit: 400}), numbered(41)
		b.o.MaxItems, b.o.Concurrency = 64, 4
		src[5].text, src[30].text = strings.Repeat("x9Q_z-", 500), strings.Repeat("深い森 forest の中で", 60)
		r, err := wired(t, b, provider, s, src)
		if err != nil || r.Committed != 41 || len(b.clock.sleeps) != 0 {
			t.Errorf("%s: %v %+v, slept %v", provider, err, r, b.clock.sleeps)
		}
		refused := map[string]int{}
		for _, q := range s.Requests() {
			if q.Status >= 400 && len(q.Inputs) == 1 {
				refused[q.Inputs[0]]++
			}
		}
		if len(refused) == 0 {
			t.Errorf("%s: nothing was refused", provider)
		}
		for x, n := range refused {
			if n > 1 {
				t.Errorf("%s: a refused text of %d bytes was sent %d times", provider, len(x), n)
			}
		}
	}
}

// A denied path and what a hosted service must not see do not reach it, in whatever request.
func TestDeniedTextsDoNotReachTheServer(t *testing.T) {
	b, s := newBench(t), embedtest.Start(t, embedtest.Mode{})
	var src source
	for i := range 30 {
		src = append(src, chunk{fmt.Sprintf("private/%d.go", i), fmt.Sprintf("SECRET number %d", i)}, chunk{fmt.Sprintf("src/%d.go", i), fmt.Sprintf("open number %d", i)},
			chunk{fmt.Sprintf("src/copy%d.go", i), fmt.Sprintf("SECRET number %d", i)})
	}
	b.o.Deny = []string{"private"}
	e, err := embed.New(embed.Options{Provider: "openai", BaseURL: s.URL, Model: "m", Key: "k", PlainHTTP: true, Now: b.clock.Now})
	must(t, err)
	r, err := Run(ctx, hostedOne{e}, b.store, src, b.o) // the loopback counts as local otherwise
	must(t, err)
	if r.Denied != 30 || r.Committed != 30 {
		t.Errorf("%+v", r)
	}
	for _, q := range s.Requests() {
		if strings.Contains(q.Body, "SECRET") {
			t.Errorf("sent: %q", q.Body)
		}
	}
}

type hostedOne struct{ embed.Embedder }

func (hostedOne) Hosted() bool { return true }

// A service that fails every other time, asked by several workers, gets everything done: no text is taken for the cause.
func TestFlakyServiceWithSeveralWorkers(t *testing.T) {
	for range 5 {
		b, s := newBench(t), embedtest.Start(t, embedtest.Mode{Fault: embedtest.Flaky})
		b.o.MaxItems, b.o.Concurrency = 4, 4
		r, err := wired(t, b, "openai", s, numbered(160))
		if err != nil || r.Committed != 160 || r.Missing() != 0 || r.FailedCount() != 0 {
			t.Errorf("%v %+v", err, r)
		}
	}
}
