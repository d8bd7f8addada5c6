package runner

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

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
