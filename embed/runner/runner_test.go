package runner

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/embed"
	"agenvantage/embed/store"
)

var ctx = context.Background()

func TestEachTextIsSentOnce(t *testing.T) {
	b, f := newBench(t), &fake{}
	src := source{{"b.go", "one"}, {"b.go", "two"}, {"c.go", "one"}, {"a.go", "two"}, {"c.go", "three"}}
	r, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
	if want := [][]string{{"one", "two", "three"}}; !reflect.DeepEqual(f.calls, want) {
		t.Errorf("sent %q, want %q", f.calls, want)
	}
	if r.Chunks != 5 || r.Distinct != 3 || r.Committed != 3 || r.Cached != 0 || r.Missing() != 0 || r.Sent != 3 || r.Batches != 1 || r.Bytes != 11 || r.Tokens != 1+1+2 {
		t.Errorf("report %+v", r)
	}
	src = append(src, chunk{"d.go", "four"})
	r, err = Run(ctx, f, b.store, src, b.o)
	must(t, err)
	if len(f.calls) != 2 || !slices.Equal(f.calls[1], []string{"four"}) || r.Cached != 3 || r.Committed != 1 || b.stored(src) != 6 {
		t.Errorf("second run sent %q: %+v", f.calls[1:], r)
	}
	if r, err = Run(ctx, f, b.store, src, b.o); err != nil || len(f.calls) != 2 || r.Sent != 0 {
		t.Errorf("third run sent %q: %+v, %v", f.calls[2:], r, err)
	}
	if want := map[string]int{"committed:": 4}; !reflect.DeepEqual(b.ledger(), want) {
		t.Errorf("ledger %v, want %v", b.ledger(), want)
	}
}

// The text of a chunk that lies at several paths holds the smallest of them.
func TestSmallestPathSpeaks(t *testing.T) {
	src := source{{"z/a.go", "x"}, {"B.go", "x"}, {"a.go", "x"}, {"B.go", "x"}}
	c := choose(src, nil)
	if len(c.items) != 1 || c.items[0].at != 1 || c.files != 3 {
		t.Errorf("chosen %+v", c)
	}
}

// limited is what a service says with Retry-After.
func limited(after time.Duration) error {
	return &embed.LimitError{Err: fmt.Errorf("%w: 429", embed.ErrLimited), After: after}
}

func overloaded() error {
	return &embed.LimitError{Err: fmt.Errorf("%w: 503", embed.ErrOverloaded)}
}

func unreachable() error { return fmt.Errorf("%w: connection reset", embed.ErrUnreachable) }

// until fails with err as long as the number of the request is in bad.
func until(err error, bad ...int) func(int, []string) ([]embed.Answer, error) {
	return func(n int, texts []string) ([]embed.Answer, error) {
		if slices.Contains(bad, n) {
			return nil, err
		}
		return ok(texts), nil
	}
}

func TestFailuresThatPass(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	// A service that fails three times at a request of several texts has to do all others, and then its halves.
	for name, c := range map[string]struct {
		err    error
		bad    []int
		sleeps []time.Duration
		calls  int
	}{
		"retry-after":            {limited(2 * s), []int{1, 2}, []time.Duration{2 * s, 2 * s}, 5},
		"without retry-after":    {limited(0), []int{1, 2, 3, 4}, []time.Duration{500 * ms, s, 2 * s, 4 * s}, 7},
		"four times":             {overloaded(), []int{1, 2, 3, 4}, []time.Duration{500 * ms, s, 2 * s, 4 * s}, 8},
		"every other request":    {overloaded(), []int{1, 3, 5}, []time.Duration{500 * ms, 500 * ms, 500 * ms}, 6},
		"connection comes back":  {unreachable(), []int{2, 3}, []time.Duration{500 * ms, s}, 5},
		"one answer without any": {fmt.Errorf("%w: 0 vectors for 4 inputs", embed.ErrBadAnswer), []int{2}, []time.Duration{500 * ms}, 4},
		"a time-out of the call": {fmt.Errorf("post: %w", context.DeadlineExceeded), []int{1}, []time.Duration{500 * ms}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			b, src := newBench(t), numbered(12)
			f := &fake{answer: until(c.err, c.bad...)}
			r, err := Run(ctx, f, b.store, src, b.o)
			must(t, err)
			if !slices.Equal(b.clock.sleeps, c.sleeps) || len(f.calls) != c.calls || r.Committed != 12 || b.stored(src) != 12 {
				t.Errorf("slept %v, want %v; %d requests, want %d; %+v", b.clock.sleeps, c.sleeps, len(f.calls), c.calls, r)
			}
		})
	}
}

func TestServiceIsAskedWhoItIsPatiently(t *testing.T) {
	b := newBench(t)
	f := &fake{identity: func(n int) error {
		if n <= 3 {
			return limited(2 * time.Second)
		}
		return nil
	}}
	_, err := Run(ctx, f, b.store, numbered(2), b.o)
	must(t, err)
	if f.probes != 4 || len(f.calls) != 1 || !slices.Equal(b.clock.sleeps, []time.Duration{2e9, 2e9, 2e9}) {
		t.Errorf("%d probes, slept %v", f.probes, b.clock.sleeps)
	}
	f = &fake{identity: func(int) error { return unreachable() }}
	if _, err := Run(ctx, f, b.store, numbered(2), b.o); !errors.Is(err, embed.ErrUnreachable) || f.probes != 3 {
		t.Errorf("%v after %d probes, want ErrUnreachable after 3", err, f.probes)
	}
}

func TestRunStopsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		err, is error
		calls   int // with that of the two that went well
		ledger  string
		paid    int
	}{
		"quota":        {fmt.Errorf("%w: insufficient_quota", embed.ErrQuota), embed.ErrQuota, 3, "failed:error", 0},
		"unauthorized": {embed.ErrUnauthorized, embed.ErrUnauthorized, 3, "failed:error", 0},
		"missing":      {embed.ErrModelMissing, embed.ErrModelMissing, 3, "failed:error", 0},
		"dimension":    {&embed.DimensionError{Model: "m", Want: 64, Got: 128}, embed.ErrModelChanged, 3, "failed:model_changed", 4},
		"other":        {errors.New("what?"), nil, 3, "failed:error", 0},
		"bad answers":  {embed.ErrBadAnswer, embed.ErrBadAnswer, 4, "failed:bad_answer", 8},
		"unreachable":  {unreachable(), embed.ErrUnreachable, 5, "failed:unreachable", 12},
		"no listener":  {fmt.Errorf("%w: %w", embed.ErrUnreachable, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}), embed.ErrUnreachable, 5, "failed:no_connection", 0},
		"long wait":    {limited(time.Hour), embed.ErrLimited, 3, "failed:limited", 0},
	} {
		t.Run(name, func(t *testing.T) {
			b, src := newBench(t), numbered(40)
			f := &fake{answer: func(n int, texts []string) ([]embed.Answer, error) {
				if n > 2 {
					return nil, c.err
				}
				return ok(texts), nil
			}}
			r, err := Run(ctx, f, b.store, src, b.o)
			if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.err.Error()) {
				t.Errorf("error %v, want %v", err, c.err)
			}
			if len(f.calls) != c.calls || r.Committed != 8 || b.stored(src) != 8 || r.Missing() != 32 || r.PaidWithoutResult != c.paid {
				t.Errorf("%d requests, want %d; %+v", len(f.calls), c.calls, r)
			}
			if want := map[string]int{"committed:": 8, c.ledger: 4 * (c.calls - 2)}; !reflect.DeepEqual(b.ledger(), want) {
				t.Errorf("ledger %v, want %v", b.ledger(), want)
			}
			f = &fake{}
			if _, err = Run(ctx, f, b.store, src, b.o); err != nil || len(f.sent()) != 32 || b.stored(src) != 40 {
				t.Errorf("the next run sent %d texts, want the 32 that are missing: %v", len(f.sent()), err)
			}
		})
	}
}

// An embedder that does not keep its promise gets nothing stored.
func TestOtherDimensionIsNotStored(t *testing.T) {
	b, src := newBench(t), numbered(4)
	f := &fake{answer: func(n int, texts []string) ([]embed.Answer, error) {
		a := ok(texts)
		a[3].Vector = append(a[3].Vector, 1)
		return a, nil
	}}
	_, err := Run(ctx, f, b.store, src, b.o)
	if !errors.Is(err, embed.ErrModelChanged) || !strings.Contains(err.Error(), "5") || !strings.Contains(err.Error(), "4") || b.stored(src) != 0 {
		t.Errorf("error %v, %d stored", err, b.stored(src))
	}
}

func TestServiceThatStaysOverloadedEndsTheRun(t *testing.T) {
	b := newBench(t)
	f := &fake{answer: func(int, []string) ([]embed.Answer, error) { return nil, overloaded() }}
	r, err := Run(ctx, f, b.store, numbered(9), b.o)
	if !errors.Is(err, embed.ErrOverloaded) || len(f.calls) != DefaultTries || r.Missing() != 9 {
		t.Errorf("%v after %d requests: %+v", err, len(f.calls), r)
	}
}

// A service that fails at one text must not keep the others from their vectors; the one is not on record as refused, since
// tomorrow it may pass.
func TestTextThatOverloadsTheService(t *testing.T) {
	b, src := newBench(t), numbered(16)
	f := &fake{answer: func(_ int, texts []string) ([]embed.Answer, error) {
		if slices.Contains(texts, src[5].text) {
			return nil, overloaded()
		}
		return ok(texts), nil
	}}
	b.o.Concurrency = 2
	r, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
	if r.Committed != 15 || r.Missing() != 1 || r.FailedCount() != 0 || len(f.calls) > 16 {
		t.Errorf("%d requests: %+v", len(f.calls), r)
	}
}

func TestRefusedVectorsAreRecordedOneByOne(t *testing.T) {
	b, src := newBench(t), numbered(6)
	reasons := map[string]embed.Reason{src[1].text: embed.ReasonNaN, src[2].text: embed.ReasonZero, src[4].text: embed.ReasonDimension}
	f := &fake{answer: func(_ int, texts []string) ([]embed.Answer, error) {
		a := ok(texts)
		for i, s := range texts {
			if reasons[s] != "" {
				a[i] = embed.Answer{Refused: reasons[s]}
			}
		}
		return a, nil
	}}
	r, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
	if want := map[embed.Reason]int{"nan": 1, "zero": 1, "dimension": 1}; !reflect.DeepEqual(r.Failed, want) || r.Committed != 3 || b.stored(src) != 3 || r.Missing() != 0 {
		t.Errorf("%+v", r)
	}
	failures, err := b.store.Failures(ctx, r.Set)
	must(t, err)
	got := map[store.Hash]embed.Reason{}
	for _, x := range failures {
		got[x.Hash] = x.Reason
	}
	if len(got) != 3 || got[hashOf(src[2].text)] != embed.ReasonZero {
		t.Errorf("failures %v", failures)
	}
	if want := map[string]int{"committed:": 3, "failed:nan": 1, "failed:zero": 1, "failed:dimension": 1}; !reflect.DeepEqual(b.ledger(), want) {
		t.Errorf("ledger %v, want %v", b.ledger(), want)
	}
	f.answer = nil
	f.calls = nil
	if r, err = Run(ctx, f, b.store, src, b.o); err != nil || len(f.calls) != 0 || r.Known != 3 || r.Missing() != 0 {
		t.Errorf("refused texts were sent again: %q %+v %v", f.calls, r, err)
	}
	b.o.RetryFailed = true
	if r, err = Run(ctx, f, b.store, src, b.o); err != nil || len(f.sent()) != 3 || b.stored(src) != 6 {
		t.Errorf("retry sent %q %+v %v", f.calls, r, err)
	}
	if failures, err = b.store.Failures(ctx, r.Set); err != nil || len(failures) != 0 {
		t.Errorf("failures after all went well: %v %v", failures, err)
	}
}

func TestRejectedTextIsFoundAndTheOthersPass(t *testing.T) {
	b, src := newBench(t), numbered(16)
	b.o.MaxItems = 8
	f := &fake{answer: func(_ int, texts []string) ([]embed.Answer, error) {
		if slices.Contains(texts, src[5].text) {
			return nil, fmt.Errorf("%w: bad characters", embed.ErrRejected)
		}
		return ok(texts), nil
	}}
	r, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
	if r.Committed != 15 || r.Failed[embed.ReasonRejected] != 1 || b.stored(src) != 15 || len(b.clock.sleeps) != 0 {
		t.Errorf("%+v, slept %v", r, b.clock.sleeps)
	}
	if len(f.calls) != 1+2+2+2+1 { // 8; 4 4; 2 2; 1 1; 8
		t.Errorf("%d requests", len(f.calls))
	}
}

// A service that takes nothing is no reason to call every text of the user refused.
func TestServiceThatRejectsAllEndsTheRun(t *testing.T) {
	b, src := newBench(t), numbered(40)
	f := &fake{answer: func(int, []string) ([]embed.Answer, error) {
		return nil, fmt.Errorf("%w: no such field", embed.ErrRejected)
	}}
	r, err := Run(ctx, f, b.store, src, b.o)
	if !errors.Is(err, embed.ErrRejected) || len(f.calls) > 12 || r.FailedCount() != 0 || r.Missing() != 40 {
		t.Errorf("%v after %d requests: %+v", err, len(f.calls), r)
	}
	if failures, err := b.store.Failures(ctx, r.Set); err != nil || len(failures) != 0 {
		t.Errorf("recorded %v %v", failures, err)
	}
	if l := b.ledger(); l["sent:"] != 0 {
		t.Errorf("open entries: %v", l)
	}
	one := &fake{answer: f.answer}
	if r, err = Run(ctx, one, b.store, src[:1], b.o); err != nil || r.Failed[embed.ReasonRejected] != 1 {
		t.Errorf("a single rejected text: %+v %v", r, err)
	}
}

func TestRequestsAdaptToTheServicesLimits(t *testing.T) {
	b, src := newBench(t), numbered(200)
	b.o.MaxItems = 64
	refused := 0
	f := &fake{answer: func(_ int, texts []string) ([]embed.Answer, error) {
		if len(texts) > 8 || len(strings.Join(texts, "")) > 900 {
			refused++
			return nil, embed.ErrTooLong
		}
		return ok(texts), nil
	}}
	r, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
	if r.Committed != 200 || refused > 4 || len(b.clock.sleeps) != 0 {
		t.Errorf("%d refused, slept %v, %+v", refused, b.clock.sleeps, r)
	}
	if len(f.calls) > 40 { // 25 of 8 texts would do
		t.Errorf("%d requests", len(f.calls))
	}
}

// The window of a model, in bytes, and how often each single text was refused.
type window struct {
	bytes   int
	refused map[string]int
}

func (w *window) answer(_ int, texts []string) ([]embed.Answer, error) {
	for _, s := range texts {
		if len(s) > w.bytes {
			if len(texts) == 1 {
				w.refused[s]++
			}
			return nil, embed.ErrTooLong
		}
	}
	return ok(texts), nil
}

func TestLongTextIsSplitAndTheOthersPassWhole(t *testing.T) {
	b, src := newBench(t), numbered(30)
	b.o.MaxItems = 16
	var lines strings.Builder
	for i := range 60 {
		fmt.Fprintf(&lines, "line %d of a long text\n", i)
	}
	src[7].text, src[20].text = lines.String(), strings.Repeat("語", 700)
	w := &window{400, map[string]int{}}
	f := &fake{answer: w.answer}
	r, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
	if r.Committed != 30 || r.FailedCount() != 0 || r.Missing() != 0 || len(b.clock.sleeps) != 0 {
		t.Errorf("%+v", r)
	}
	for s, n := range w.refused {
		if n > 1 {
			t.Errorf("a refused text of %d bytes was sent %d times", len(s), n)
		}
	}
	// The vector is the mean of those of the parts that were taken, weighted by their tokens.
	var parts []string
	for _, call := range f.calls {
		if len(call) == 1 && len(call[0]) <= w.bytes && strings.HasPrefix(call[0], "line") {
			parts = append(parts, call[0])
		}
	}
	if strings.Join(parts, "") != lines.String() {
		t.Fatalf("the parts that were taken are not the text: %q", parts)
	}
	sum := make([]float32, dims)
	for _, p := range parts {
		for i, x := range vectorOf(p) {
			sum[i] += x * float32(embed.EstimateTokens(p)) / 1000
		}
		if !strings.HasSuffix(p, "\n") {
			t.Errorf("cut within a line: %q", p)
		}
	}
	want := embed.Check(sum, dims).Vector
	v, err := b.store.Load(ctx, r.Set, []store.Hash{hashOf(src[7].text)})
	must(t, err)
	for i := range want {
		if d := v.At(0)[i] - want[i]; d > 1e-5 || d < -1e-5 {
			t.Errorf("vector %v, want %v", v.At(0), want)
		}
	}
	if l := b.ledger(); l["sent:"] != 0 || l["failed:too_long"] == 0 {
		t.Errorf("ledger %v", l)
	}
}

func TestTextThatNeverFitsIsRefused(t *testing.T) {
	b, src := newBench(t), numbered(3)
	src[1].text = strings.Repeat("never fits\n", 100)
	w := &window{20, map[string]int{}}
	r, err := Run(ctx, &fake{answer: w.answer}, b.store, src, b.o)
	must(t, err)
	if r.Committed != 2 || r.Failed[embed.ReasonTooLong] != 1 || len(w.refused) > 8 {
		t.Errorf("%+v after %d refusals", r, len(w.refused))
	}
	if r, err = Run(ctx, &fake{answer: w.answer}, b.store, src, b.o); err != nil || r.Sent != 0 || r.Known != 1 {
		t.Errorf("sent again: %+v %v", r, err)
	}
}

// A run that ends between two parts has paid for parts that nobody can use, and says so.
func TestQuotaBetweenTwoParts(t *testing.T) {
	b := newBench(t)
	src := source{{"a", strings.Join(texts(numbered(40), strings.ToUpper), "")}}
	w := &window{200, map[string]int{}}
	taken := 0
	f := &fake{answer: func(n int, texts []string) ([]embed.Answer, error) {
		a, err := w.answer(n, texts)
		if err == nil {
			if taken++; taken > 2 {
				return nil, embed.ErrQuota
			}
		}
		return a, err
	}}
	r, err := Run(ctx, f, b.store, src, b.o)
	if !errors.Is(err, embed.ErrQuota) || r.PaidWithoutResult != 2 || r.Missing() != 1 {
		t.Errorf("%v %+v", err, r)
	}
	if l := b.ledger(); l["failed:interrupted"] != 2 || l["sent:"] != 0 || l["committed:"] != 0 {
		t.Errorf("ledger %v", l)
	}
}

func TestPolicyKeepsDeniedPathsHere(t *testing.T) {
	src := source{{"src/a.go", "open"}, {"secret/b.go", "closed"}, {"src/c.go", "both"}, {"secret/d.go", "both"}}
	for _, hosted := range []bool{true, false} {
		b, f := newBench(t), &fake{hosted: hosted}
		b.o.Deny = []string{"secret"}
		plan, err := Plan(ctx, f, b.store, "", src, b.o)
		must(t, err)
		r, err := Run(ctx, f, b.store, src, b.o)
		must(t, err)
		want, denied, blocked := []string{"open"}, 2, []string{"secret/b.go", "secret/d.go"}
		if !hosted {
			want, denied, blocked = []string{"open", "closed", "both"}, 0, nil
		}
		if !slices.Equal(f.sent(), want) || r.Denied != denied || r.Missing() != 0 || plan.Denied != denied || !slices.Equal(plan.BlockedPaths, blocked) || plan.Send != len(want) {
			t.Errorf("hosted %v: sent %q, %+v, %+v", hosted, f.sent(), r, plan)
		}
	}
	b := newBench(t)
	b.o.Deny = []string{"../x"}
	f := &fake{hosted: true}
	if _, err := Run(ctx, f, b.store, src, b.o); !errors.Is(err, agenvantage.ErrBadInput) || f.probes != 0 {
		t.Errorf("%v after %d probes", err, f.probes)
	}
}

func TestPlanIsWhatRunSends(t *testing.T) {
	b, f := newBench(t), &fake{limits: embed.Limits{Tokens: 30}}
	b.o.Price = 2
	src := append(numbered(23), numbered(5)...)
	_, err := Run(ctx, f, b.store, src[:3], b.o)
	must(t, err)
	id, _ := f.Identity(ctx)
	plan, err := Plan(ctx, f, b.store, id.Key(), src, b.o)
	must(t, err)
	r, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
	if plan.Files != 23 || plan.Chunks != 28 || plan.Distinct != 23 || plan.Cached != 3 || plan.Send != r.Sent || plan.Tokens != r.Tokens || plan.Bytes != r.Bytes || plan.Batches != r.Batches ||
		plan.Money != 2*float64(r.Tokens)/1e6 || r.Sent != 20 {
		t.Errorf("plan %+v\nrun %+v", plan, r)
	}
}

// TestATextBeyondTheSetWindowIsNeverSentWhole: it is sent in parts from the start, and the plan counts those.
func TestATextBeyondTheSetWindowIsNeverSentWhole(t *testing.T) {
	b, src := newBench(t), numbered(9)
	b.o.Window = 40
	src[4].text = strings.Repeat("one line of a long text\n", 30)
	f := &fake{}
	plan, err := Plan(ctx, f, b.store, "", src, b.o)
	must(t, err)
	r, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
	for _, s := range f.sent() {
		if n := embed.EstimateTokens(s); n > 40 {
			t.Errorf("%d tokens were sent at a time", n)
		}
	}
	if r.Committed != 9 || len(r.Split) != 1 || r.Missing() != 0 {
		t.Errorf("%+v", r)
	}
	if plan.Send != 9 || plan.Batches < 3 || plan.Batches > 20 || plan.Tokens < r.Tokens {
		t.Errorf("plan %+v, run %+v", plan, r)
	}
	b.o.Window = -1
	if _, err := Run(ctx, f, b.store, src, b.o); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a window below zero: %v", err)
	}
}

func TestCancelledRunKeepsWhatItHas(t *testing.T) {
	b, src := newBench(t), numbered(12)
	ctx, cancel := context.WithCancel(ctx)
	f := &fake{answer: func(n int, texts []string) ([]embed.Answer, error) {
		if n == 2 {
			cancel()
			return nil, fmt.Errorf("%w: %w", embed.ErrUnreachable, ctx.Err())
		}
		return ok(texts), nil
	}}
	r, err := Run(ctx, f, b.store, src, b.o)
	if !errors.Is(err, context.Canceled) || r.Committed != 4 || b.stored(src) != 4 || r.PaidWithoutResult != 4 || b.ledger()["failed:cancelled"] != 4 {
		t.Errorf("%v %+v %v", err, r, b.ledger())
	}
	// An answer that comes in time is kept.
	ctx, cancel = context.WithCancel(context.Background())
	f = &fake{answer: func(n int, texts []string) ([]embed.Answer, error) { cancel(); return ok(texts), nil }}
	if r, err = Run(ctx, f, b.store, src, b.o); !errors.Is(err, context.Canceled) || r.Committed != 4 || b.stored(src) != 8 || r.PaidWithoutResult != 0 {
		t.Errorf("%v %+v", err, r)
	}
}

func TestOneRunAtATime(t *testing.T) {
	b, src := newBench(t), numbered(2)
	f := &fake{answer: func(n int, texts []string) ([]embed.Answer, error) {
		if _, err := Run(ctx, &fake{}, b.store, src, b.o); !errors.Is(err, store.ErrBusy) || !strings.Contains(err.Error(), "process ") {
			t.Errorf("a second run: %v, want ErrBusy with its owner", err)
		}
		return ok(texts), nil
	}}
	_, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
}

func TestSourceThatFailsEndsTheRun(t *testing.T) {
	b := newBench(t)
	broken := errors.New("index damaged")
	f := &fake{}
	r, err := Run(ctx, f, b.store, failing{numbered(12), 6, broken}, b.o)
	if !errors.Is(err, broken) || r.Committed != 4 {
		t.Errorf("%v %+v", err, r)
	}
}

type failing struct {
	source
	at  int
	err error
}

func (f failing) Text(i int) (string, error) {
	if i == f.at {
		return "", f.err
	}
	return f.source.Text(i)
}

// Workers share one cool-down: while it lasts nobody sends, and after a limit fewer send at a time.
func TestCoolDownIsShared(t *testing.T) {
	for seed := range uint64(4) {
		b, src := newBench(t), numbered(120)
		b.o.MaxItems = 2
		rng := rand.New(rand.NewPCG(seed, 1))
		var until time.Time
		f := &fake{}
		f.answer = func(n int, texts []string) ([]embed.Answer, error) {
			f.mu.Lock()
			defer f.mu.Unlock()
			if now := b.clock.Now(); now.Before(until) && n > 1 {
				t.Errorf("seed %d: request %d within a cool-down that lasts %s", seed, n, until.Sub(now))
			}
			if rng.IntN(5) == 0 {
				until = b.clock.Now().Add(3 * time.Second)
				return nil, limited(3 * time.Second)
			}
			return ok(texts), nil
		}
		// With several workers some may have passed the wait already when a limit is announced, so one is judged; then more run.
		b.o.Concurrency = 1
		r, err := Run(ctx, f, b.store, src[:60], b.o)
		must(t, err)
		f.answer = sometimesLimited(rng, f)
		b.o.Concurrency = 6
		r2, err := Run(ctx, f, b.store, src, b.o)
		must(t, err)
		if r.Committed != 60 || r2.Committed != 60 || b.stored(src) != 120 || f.most > 6 {
			t.Errorf("seed %d: %+v %+v, %d at a time", seed, r, r2, f.most)
		}
	}
}

func sometimesLimited(rng *rand.Rand, f *fake) func(int, []string) ([]embed.Answer, error) {
	return func(n int, texts []string) ([]embed.Answer, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if rng.IntN(6) == 0 {
			return nil, limited(time.Second)
		}
		return ok(texts), nil
	}
}

func TestPace(t *testing.T) {
	c := newClock()
	o := Options{Concurrency: 4, Now: c.Now, Sleep: c.Sleep, Random: func() float64 { return 0 }}
	must(t, o.validate())
	p := newPace(&o)
	for i, want := range []int{1, 2, 3, 4, 4} {
		if p.allowed() != want {
			t.Errorf("after %d successes %d at a time, want %d", i, p.allowed(), want)
		}
		p.succeeded()
	}
	round, err := p.wait(ctx)
	must(t, err)
	must(t, p.failed(round, overloaded()))
	must(t, p.failed(round, overloaded())) // under way at the same time: says nothing new
	if p.allowed() != 2 || p.failures != 1 {
		t.Errorf("%d at a time, %d failures; want 2 and 1", p.allowed(), p.failures)
	}
	must(t, p.failed(round, limited(7*time.Second))) // but how long to wait counts
	if _, err := p.wait(ctx); err != nil || !slices.Equal(c.sleeps, []time.Duration{7 * time.Second}) {
		t.Errorf("slept %v, %v", c.sleeps, err)
	}
	p.succeeded()
	if p.allowed() != 2 {
		t.Errorf("%d at a time after one success, want 2", p.allowed())
	}
	p.succeeded()
	p.succeeded()
	if p.allowed() != 3 {
		t.Errorf("%d at a time after three successes, want 3", p.allowed())
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := p.wait(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("wait: %v", err)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	b := newBench(t)
	for name, o := range map[string]Options{"items": {MaxItems: -1}, "tokens": {MaxTokens: -1}, "bytes": {MaxBytes: -1}, "concurrency": {Concurrency: -1}, "tries": {MaxTries: -1},
		"wait": {MaxWait: -1}, "price": {Price: -1}} {
		if _, err := Run(ctx, &fake{}, b.store, numbered(1), o); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Plan(ctx, &fake{}, nil, "", numbered(1), o); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: plan: %v", name, err)
		}
	}
}

// TestAnUnrecordedRunLeavesVectorsAndNoLedger, and waits for no other run.
func TestAnUnrecordedRunLeavesVectorsAndNoLedger(t *testing.T) {
	b, src := newBench(t), numbered(5)
	b.o.Unrecorded, b.o.Compact = true, true
	first, err := Run(ctx, &fake{answer: func(n int, texts []string) ([]embed.Answer, error) {
		if n == 1 {
			return nil, fmt.Errorf("%w: for a while", embed.ErrOverloaded)
		}
		if n == 2 {
			if _, err := Run(ctx, &fake{}, b.store, src, b.o); err != nil {
				t.Errorf("a second run: %v", err)
			}
		}
		return ok(texts), nil
	}}, b.store, src, b.o)
	if err != nil || first.Missing() != 0 {
		t.Errorf("%+v, %v", first, err)
	}
	entries := 0
	must(t, b.store.Log(ctx, store.LogFilter{}, func(store.Entry) error { entries++; return nil }))
	sets, err := b.store.Sets()
	must(t, err)
	if entries != 0 || len(sets) != 1 || sets[0].Vectors != 5 {
		t.Errorf("%d entries, %+v", entries, sets)
	}
	f := &fake{hosted: true}
	if _, err := Run(ctx, f, b.store, src, b.o); !errors.Is(err, agenvantage.ErrBadInput) || len(f.calls) != 0 {
		t.Errorf("hosted: %v after %d requests", err, len(f.calls))
	}
}
