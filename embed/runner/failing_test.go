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

	"agenvantage/embed"
)

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
