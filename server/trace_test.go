package server

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"agenvantage"
)

// noted is a Tracer that keeps what it is told.
type noted struct {
	mu     sync.Mutex
	begun  []string
	ended  []Traced
	caller []string
}

func (n *noted) Caller(ctx context.Context, header func(string) string) context.Context {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.caller = append(n.caller, header("traceparent"))
	return ctx
}

func (n *noted) Begin(ctx context.Context, operation string) (context.Context, func(Traced)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.begun = append(n.begun, operation)
	return ctx, func(c Traced) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.ended = append(n.ended, c)
	}
}

func TestEachCallIsTraced(t *testing.T) {
	n, f := &noted{}, &fake{}
	f.answer = func(_ context.Context, c Call) (Answer, error) {
		switch c.Operation {
		case "map":
			return Answer{}, agenvantage.ErrNoIndex
		case "pack":
			panic("odd")
		}
		return Answer{Value: map[string]any{"results": []int{1, 2, 3}}, Text: "x", Stale: "y"}, nil
	}
	f.generation.Store(1)
	h := newHub(t, f, func(o *Options) { o.Tracer = n })
	s, err := NewHTTP(h, nil, HTTPOptions{Host: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	serve(s, request("POST", "/v1/search", `{"query":"q"}`, "Content-Type: application/json", "Traceparent: 00-aa"))
	serve(s, request("POST", "/v1/map", `{}`, "Content-Type: application/json"))
	serve(s, request("POST", "/v1/pack", `{"task":"t"}`, "Content-Type: application/json"))
	serve(s, request("POST", "/v1/search", `{"nosuch":1}`, "Content-Type: application/json"))
	if len(n.ended) != 4 || len(n.begun) != 4 || n.caller[0] != "00-aa" || n.caller[1] != "" {
		t.Fatalf("begun %v, ended %d, callers %q", n.begun, len(n.ended), n.caller)
	}
	if c := n.ended[0]; c.Hits != 3 || c.Answer.Stale != "y" || string(c.Arguments) != `{"query":"q"}` || c.Err != nil {
		t.Errorf("search: %+v", c)
	}
	if c := n.ended[1]; !errors.Is(c.Err, agenvantage.ErrNoIndex) {
		t.Errorf("map: %v", c.Err)
	}
	if c := n.ended[2]; c.Err == nil {
		t.Error("a call that panics is traced as one that went well")
	}
	if c := n.ended[3]; !errors.Is(c.Err, agenvantage.ErrBadInput) {
		t.Errorf("bad arguments: %v", c.Err)
	}
}

// watching is a fake that can follow its tree.
type watching struct {
	*fake
	begun, ended chan struct{}
}

func (w *watching) Watch(ctx context.Context, told func(string)) error {
	told("watching")
	w.begun <- struct{}{}
	<-ctx.Done()
	close(w.ended)
	return nil
}

func TestTreesAreWatchedOnceTheirIndexIsBuilt(t *testing.T) {
	w := &watching{&fake{}, make(chan struct{}, 5), make(chan struct{})}
	h := newHub(t, w.fake, func(o *Options) { o.Watch, o.Open = true, func(string) (Service, error) { return w, nil } })
	for range 3 {
		if _, err := search(h, t.Context(), `{"query":"x"}`); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-w.begun:
	case <-time.After(5 * time.Second):
		t.Fatal("nobody watches")
	}
	if err := h.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-w.ended:
	default:
		t.Error("the watch goes on after the hub has closed")
	}
	if len(w.begun) > 0 {
		t.Error("one root is watched twice")
	}
}

func TestNobodyWatchesUnlessAsked(t *testing.T) {
	w := &watching{&fake{}, make(chan struct{}, 5), make(chan struct{})}
	h := newHub(t, w.fake, func(o *Options) { o.Open = func(string) (Service, error) { return w, nil } })
	if _, err := search(h, t.Context(), `{"query":"x"}`); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(t.Context()); err != nil || len(w.begun) > 0 {
		t.Errorf("%v, %d watches", err, len(w.begun))
	}
}

// Calls beyond the places wait in their order and go when their client does.
func TestCallsWaitForAPlace(t *testing.T) {
	f, release := &fake{}, make(chan struct{})
	var mu sync.Mutex
	running, most := 0, 0
	f.answer = func(context.Context, Call) (Answer, error) {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		<-release
		mu.Lock()
		running--
		mu.Unlock()
		return Answer{Value: struct{}{}}, nil
	}
	h := newHub(t, f, nil)
	var all sync.WaitGroup
	for range 2 * cap(h.places) {
		all.Go(func() {
			if _, err := search(h, t.Context(), `{"query":"x"}`); err != nil {
				t.Error(err)
			}
		})
	}
	for len(h.places) < cap(h.places) {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := search(h, ctx, `{"query":"x"}`); !errors.Is(err, context.Canceled) {
		t.Errorf("a call whose client has left: %v", err)
	}
	close(release)
	all.Wait()
	if most != cap(h.places) || len(h.places) != 0 {
		t.Errorf("%d ran at the same time, want %d; %d places are taken", most, cap(h.places), len(h.places))
	}
}
