package vector

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"agenvantage"
)

// Loading is the vectors of a view's chunks, loaded when they are first asked for. Who asks waits no longer than its context
// lasts; loading goes on, and the next one finds the vectors there. Methods answer as those of Chunks, or with the error of
// loading; after an error the next question tries again. It is safe for concurrent use.
type Loading struct {
	load func(ctx context.Context) (*Chunks, error)
	ctx  context.Context // ends with Close
	end  context.CancelFunc

	mu   sync.Mutex
	last *attempt
}

// attempt is one call of load. Chunks and err are there when done is closed.
type attempt struct {
	done   chan struct{}
	chunks *Chunks
	err    error
}

// ErrClosed means that the view has been closed.
var ErrClosed = errors.New("vectors closed")

// NewLoading makes one. Load is called by one goroutine at a time, with a context that ends with Close alone.
func NewLoading(load func(ctx context.Context) (*Chunks, error)) *Loading {
	l := &Loading{load: load}
	l.ctx, l.end = context.WithCancel(context.Background())
	return l
}

// Chunks are the vectors, waited for as long as ctx lasts.
func (l *Loading) Chunks(ctx context.Context) (*Chunks, error) {
	a := l.begin()
	select {
	case <-a.done:
		return a.chunks, a.err
	case <-ctx.Done():
		return nil, fmt.Errorf("load vectors: %w", ctx.Err())
	}
}

// Loaded are the vectors, nil when they are not there yet: those of an older generation that a new one can share.
func (l *Loading) Loaded() *Chunks {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil || !l.last.over() {
		return nil
	}
	return l.last.chunks
}

// Covered is Chunks.Covered.
func (l *Loading) Covered(ctx context.Context, in func(file uint32) bool) (have, all int, err error) {
	c, err := l.Chunks(ctx)
	if err != nil {
		return 0, 0, err
	}
	return c.Covered(ctx, in)
}

// Nearest is Chunks.Nearest.
func (l *Loading) Nearest(ctx context.Context, query []float32, k int, allow func(file uint32, chunk int) bool) ([]agenvantage.Hit, error) {
	c, err := l.Chunks(ctx)
	if err != nil {
		return nil, err
	}
	return c.Nearest(ctx, query, k, allow)
}

// Close ends a load that runs and waits for its end, so that what it reads can be closed. Whoever asks from then on gets
// ErrClosed, unless the vectors are there.
func (l *Loading) Close() {
	l.mu.Lock()
	l.end()
	a := l.last
	l.mu.Unlock()
	if a != nil {
		<-a.done
	}
}

// begin is the last attempt, or a new one when there is none or it failed.
func (l *Loading) begin() *attempt {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last != nil && (!l.last.over() || l.last.err == nil) {
		return l.last
	}
	a := &attempt{done: make(chan struct{})}
	if l.ctx.Err() != nil {
		a.err = ErrClosed
		close(a.done)
		return a
	}
	l.last = a
	go a.run(l.ctx, l.load)
	return a
}

func (a *attempt) over() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// run fills the attempt. A panic is an error: nobody who waits could contain it.
func (a *attempt) run(ctx context.Context, load func(context.Context) (*Chunks, error)) {
	defer close(a.done)
	defer func() {
		if p := recover(); p != nil {
			a.chunks, a.err = nil, fmt.Errorf("load vectors: panicked: %v", p)
		}
	}()
	a.chunks, a.err = load(ctx)
	switch {
	case a.err != nil && ctx.Err() != nil:
		a.chunks, a.err = nil, ErrClosed
	case a.err != nil:
		a.chunks = nil
	case a.chunks == nil:
		a.err = errors.New("load vectors: none and no error")
	}
}
