package server

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agenvantage"
)

// fake is a service with answers that are given.
type fake struct {
	answer     func(ctx context.Context, c Call) (Answer, error)
	build      func(ctx context.Context, progress func(Progress)) error
	generation atomic.Uint64
	closed     atomic.Bool

	mu    sync.Mutex
	calls []Call
}

func (f *fake) Answer(ctx context.Context, c Call) (Answer, error) {
	f.mu.Lock()
	f.calls = append(f.calls, c)
	f.mu.Unlock()
	if f.answer != nil {
		return f.answer(ctx, c)
	}
	return Answer{Value: map[string]any{"operation": c.Operation}, Text: "text of " + c.Operation, Generation: f.generation.Load(), Channels: []string{"exact"}}, nil
}

func (f *fake) Build(ctx context.Context, progress func(Progress)) error {
	if f.build != nil {
		return f.build(ctx, progress)
	}
	f.generation.Store(1)
	return nil
}

func (f *fake) Generation(context.Context) uint64 { return f.generation.Load() }
func (f *fake) Close() error                      { f.closed.Store(true); return nil }

// folder is a temporary folder without links in its path.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// newHub is a hub of one root with a fake service.
func newHub(t testing.TB, f *fake, change func(*Options)) *Hub {
	t.Helper()
	o := Options{Roots: Roots{Repositories: []string{folder(t)}}, Open: func(string) (Service, error) { return f, nil }, Wait: 5 * time.Second, Version: "test"}
	if change != nil {
		change(&o)
	}
	h, err := NewHub(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return h
}

// settled fails unless the number of goroutines comes back to what it was.
func settled(t *testing.T, before int) {
	t.Helper()
	end := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before {
		if time.Now().After(end) {
			buffer := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, were %d:\n%s", runtime.NumGoroutine(), before, buffer[:runtime.Stack(buffer, true)])
		}
		runtime.Gosched()
		time.Sleep(5 * time.Millisecond)
	}
}

// find looks an operation up by name.
func find(name string) (Operation, bool) {
	i := slices.IndexFunc(operations, func(o Operation) bool { return o.Name == name })
	if i < 0 {
		return Operation{}, false
	}
	return operations[i], true
}

func wantError(t *testing.T, err error, kind, text string) {
	t.Helper()
	if err == nil || ErrorKind(err) != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want kind %s with %q", err, kind, text)
	}
}

// TestErrorsThatBringTheirKind have a status of their own: unauthorized by a service is no word about who asks this server.
func TestErrorsThatBringTheirKind(t *testing.T) {
	for kind, status := range map[string]int{"not_writable": 507, "disk_full": 507, "busy": 503, "unreachable": 503, "store_gone": 503, "model_changed": 503, "unauthorized": 502,
		"quota": 502, "store_corrupt": 500, "store_format": 500} {
		err := fmt.Errorf("search: %w", &KindedError{Kind: kind, Err: fmt.Errorf("%w: y", agenvantage.ErrBadInput)})
		wantError(t, err, kind, "y")
		if got := statusOf(err); got != status || !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: status %d, want %d", kind, got, status)
		}
		if text := failed(err).Content[0].(*mcp.TextContent).Text; !strings.HasPrefix(text, "Error ("+kind+"): ") || !strings.Contains(text, "Try: the same without like") {
			t.Errorf("%s: %s", kind, text)
		}
	}
	if got := statusOf(errUnauthorized); got != 401 {
		t.Errorf("who asks this server: status %d", got)
	}
}

func TestErrorKinds(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{agenvantage.ErrBadInput, "bad_input"}, {agenvantage.ErrNoIndex, "no_index"}, {agenvantage.ErrIncomplete, "incomplete"}, {agenvantage.ErrBusy, "busy"},
		{context.Canceled, "canceled"}, {context.DeadlineExceeded, "timeout"}, {errTooMany, "too_many_requests"}, {errOdd{}, "internal"},
	} {
		if got := ErrorKind(c.err); got != c.want {
			t.Errorf("%v is %s, want %s", c.err, got, c.want)
		}
	}
}

type errOdd struct{}

func (errOdd) Error() string { return "odd" }

// waitsFor is an answer that comes when its context ends. It says when it begins and when it has ended.
func waitsFor(begun, ended chan struct{}) func(context.Context, Call) (Answer, error) {
	return func(ctx context.Context, _ Call) (Answer, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return Answer{}, ctx.Err()
	}
}
