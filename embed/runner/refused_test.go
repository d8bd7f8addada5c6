package runner

import (
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
