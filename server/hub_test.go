package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"agenvantage"
)

func search(h *Hub, ctx context.Context, body string) (Answer, error) {
	o, _ := find("search")
	return h.ask(ctx, o, []byte(body), asker{})
}

func TestHubOpensEachRootOnce(t *testing.T) {
	var mu sync.Mutex
	opened, f := 0, &fake{}
	h := newHub(t, f, func(o *Options) {
		o.Open = func(string) (Service, error) {
			mu.Lock()
			defer mu.Unlock()
			opened++
			return f, nil
		}
	})
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := search(h, t.Context(), `{"query":"x"}`); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if opened != 1 {
		t.Errorf("opened %d times", opened)
	}
	if err := h.Close(t.Context()); err != nil || !f.closed.Load() {
		t.Errorf("%v, closed %v", err, f.closed.Load())
	}
}

func TestHubOpenThatFails(t *testing.T) {
	odd := fmt.Errorf("%w: no", agenvantage.ErrNotWritable)
	h := newHub(t, &fake{}, func(o *Options) { o.Open = func(string) (Service, error) { return nil, odd } })
	for range 2 {
		if _, err := search(h, t.Context(), `{"query":"x"}`); !errors.Is(err, agenvantage.ErrNotWritable) {
			t.Errorf("error %v", err)
		}
	}
	if ready, _, generations := h.Ready(t.Context()); ready || len(generations) != 0 {
		t.Errorf("%v %v", ready, generations)
	}
}

func TestHubBoundsItsRoots(t *testing.T) {
	base := folder(t)
	h := newHub(t, &fake{}, func(o *Options) { o.Roots.Allowed = []string{base} })
	for i := range maxRepositories + 1 {
		dir := filepath.Join(base, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := search(h, t.Context(), fmt.Sprintf(`{"query":"x","root":%q}`, dir))
		if i < maxRepositories && err != nil {
			t.Fatal(err)
		}
		if i == maxRepositories {
			wantError(t, err, "bad_input", "roots are open")
		}
	}
}

func TestHubTimeout(t *testing.T) {
	f := &fake{answer: func(ctx context.Context, _ Call) (Answer, error) { <-ctx.Done(); return Answer{}, ctx.Err() }}
	h := newHub(t, f, func(o *Options) { o.Timeout = 10 * time.Millisecond })
	_, err := search(h, t.Context(), `{"query":"x"}`)
	wantError(t, err, "timeout", "deadline")
}

func TestHubCloseIsBounded(t *testing.T) {
	begun, let := make(chan struct{}), make(chan struct{})
	f := &fake{build: func(context.Context, func(Progress)) error { close(begun); <-let; return nil }} // heeds nothing
	h, err := NewHub(Options{Roots: Roots{Repositories: []string{folder(t)}}, Open: func(string) (Service, error) { return f, nil }})
	if err != nil {
		t.Fatal(err)
	}
	h.Start(h.options.Roots.first())
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := h.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	close(let)
}

func TestNewHubErrors(t *testing.T) {
	_, err := NewHub(Options{})
	wantError(t, err, "bad_input", "way to open")
	_, err = NewHub(Options{Roots: Roots{Repositories: []string{"x"}}})
	wantError(t, err, "bad_input", "not absolute")
}

func TestProgressText(t *testing.T) {
	for _, c := range []struct {
		p    Progress
		want string
	}{{Progress{}, "listing files"}, {Progress{Done: 2, Total: 7}, "2 of 7 files"}, {Progress{Done: 2, Total: 7, Note: "waits for another run"}, "waits for another run"}} {
		if got := c.p.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A root that is still being opened when the hub closes is closed once it is open.
func TestCloseWaitsForAnOpening(t *testing.T) {
	f, begun, let := &fake{}, make(chan struct{}), make(chan struct{})
	h, err := NewHub(Options{Roots: Roots{Repositories: []string{folder(t)}}, Open: func(string) (Service, error) { close(begun); <-let; return f, nil }})
	if err != nil {
		t.Fatal(err)
	}
	h.Start(h.options.Roots.first())
	<-begun
	done := make(chan error, 1)
	go func() { done <- h.Close(context.Background()) }()
	<-h.context.Done()
	close(let)
	if err := <-done; err != nil || !f.closed.Load() {
		t.Errorf("%v, closed %v", err, f.closed.Load())
	}
}

// TestAFolderThatIsGoneSaysSo removes, moves back and replaces the folder of a root: calls and readiness say that it is gone, name it,
// and go on by themselves once there is one again, with a service of its own for another folder.
func TestAFolderThatIsGoneSaysSo(t *testing.T) {
	root := filepath.Join(folder(t), "repository")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var services []*fake
	h, err := NewHub(Options{Roots: Roots{Repositories: []string{root}}, Open: func(string) (Service, error) {
		mu.Lock()
		defer mu.Unlock()
		services = append(services, &fake{})
		services[len(services)-1].generation.Store(1)
		return services[len(services)-1], nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(t.Context())
	answered := func(when string) {
		t.Helper()
		if _, err := search(h, t.Context(), `{"query":"x"}`); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if ready, why, _ := h.Ready(t.Context()); !ready || why != "" {
			t.Errorf("%s: ready %v, %q", when, ready, why)
		}
	}
	gone := func(when string) {
		t.Helper()
		for _, body := range []string{`{"query":"x"}`, fmt.Sprintf(`{"query":"x","root":%q}`, root)} {
			_, err := search(h, t.Context(), body)
			wantError(t, err, "root_gone", root)
		}
		if ready, why, _ := h.Ready(t.Context()); ready || why != "the folder of a repository is gone" {
			t.Errorf("%s: ready %v, %q", when, ready, why)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	answered("at first")
	must(os.Rename(root, root+"-moved"))
	gone("moved")
	must(os.Rename(root+"-moved", root))
	answered("moved back")
	if len(services) != 1 {
		t.Errorf("the same folder was opened %d times", len(services))
	}
	must(os.Rename(root, root+"-moved"))
	gone("moved again")
	must(os.Mkdir(root, 0o755))
	answered("another folder in its place")
	if len(services) != 2 {
		t.Fatalf("another folder was opened %d times", len(services)-1)
	}
	must(h.Close(t.Context()))
	if !services[0].closed.Load() || !services[1].closed.Load() {
		t.Error("a service is not closed")
	}
}

// TestAFolderThatIsMissingFromTheStartSaysSo: it is served once it is there.
func TestAFolderThatIsMissingFromTheStartSaysSo(t *testing.T) {
	root := filepath.Join(folder(t), "later")
	h := newHub(t, &fake{}, func(o *Options) { o.Roots.Repositories = []string{root} })
	_, err := search(h, t.Context(), `{"query":"x"}`)
	wantError(t, err, "root_gone", root)
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := search(h, t.Context(), `{"query":"x"}`); err != nil {
		t.Error(err)
	}
}
