package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// finds reports whether a served search shows the definition of a name, and whether it says that it is stale.
func finds(t *testing.T, s *Service, name string) (found, stale bool) {
	t.Helper()
	answer, got := mustAsk(t, s, "search", fmt.Sprintf(`{"query":%q}`, name))
	coverage := got["coverage"].(map[string]any)
	if stale = coverage["stale"].(bool); stale != (answer.Stale != "") {
		t.Errorf("the JSON says stale: %v, the answer %q", stale, answer.Stale)
	}
	for _, r := range got["results"].([]any) {
		found = found || strings.Contains(r.(map[string]any)["text"].(string), "func "+name)
	}
	return found, stale
}

// followed is a service whose tree is watched.
func followed(t *testing.T, s *Service) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ready, ended := make(chan struct{}), make(chan error, 1)
	var once sync.Once
	go func() { ended <- s.Watch(ctx, func(string) { once.Do(func() { close(ready) }) }) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("watch: %v", err)
		}
	})
	<-ready
	for _, known := s.app.keeper.watched.Look(t.Context()); !known; _, known = s.app.keeper.watched.Look(t.Context()) {
		time.Sleep(time.Millisecond)
	}
}

// A change to a calm tree is in the next answer; while files change all the time each answer has the newest change or says that it
// is stale; a while after the last change none is stale.
func TestNoServedAnswerIsStaleUnsaid(t *testing.T) {
	for _, watched := range []bool{true, false} {
		t.Run(fmt.Sprintf("watched %v", watched), func(t *testing.T) {
			s, w := served(t, store)
			s.mustBuild(t)
			if watched {
				followed(t, s)
			}
			w.write(files{"new.go": "package shop\n\nfunc AfterCalm() {}\n"})
			if found, stale := finds(t, s, "AfterCalm"); !found || stale {
				t.Errorf("a change to a calm tree: found %v, stale %v", found, stale)
			}
			last := ""
			for i := range 40 {
				last = fmt.Sprintf("Change%04d", i)
				w.write(files{"new.go": "package shop\n\nfunc " + last + "() {}\n"})
				if found, stale := finds(t, s, last); !found && !stale {
					t.Fatalf("change %d is missing, and the answer does not say that it is stale", i)
				}
			}
			for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
				found, stale := finds(t, s, last)
				if found && !stale {
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("half a minute after the last change: found %v, stale %v", found, stale)
				}
			}
		})
	}
}

// Readers are not blocked by an index run: while one is held up, answers come from the last generation and say that it is stale.
func TestServedAnswersDoNotWaitForAnIndexRun(t *testing.T) {
	s, w := served(t, store, "search.refresh_timeout=200ms")
	s.mustBuild(t)
	writer := flock.New(filepath.Join(s.app.index.Dir(), "lock"))
	if held, err := writer.TryLock(); err != nil || !held {
		t.Fatalf("lock the index: %v %v", held, err)
	}
	defer writer.Unlock()
	w.write(files{"new.go": "package shop\n\nfunc Held() {}\n"})
	finds(t, s, "Held") // waits for search.refresh_timeout, once
	var all sync.WaitGroup
	began := time.Now()
	for range 32 {
		all.Go(func() {
			if found, stale := finds(t, s, "Total"); !found || !stale {
				t.Errorf("found %v, stale %v", found, stale)
			}
		})
	}
	all.Wait()
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("32 answers took %s: they waited for each other", took)
	}
}

func TestServedNoRefreshSaysStaleAndIndexesNothing(t *testing.T) {
	s, w := served(t, store)
	s.mustBuild(t)
	w.write(files{"new.go": "package shop\n\nfunc NotNow() {}\n"})
	before := s.Generation(t.Context())
	answer, _ := mustAsk(t, s, "search", `{"query":"Total","no_refresh":true}`)
	if !strings.Contains(answer.Stale, "new.go") || s.Generation(t.Context()) != before {
		t.Errorf("stale %q, generation %d after %d", answer.Stale, s.Generation(t.Context()), before)
	}
}

// A pack of a tree that changes all the time may show an older overview, that of a calm one may not.
func TestOverviewIsThatOfTheTreeOnceItIsCalm(t *testing.T) {
	s, w := served(t, store)
	s.mustBuild(t)
	followed(t, s)
	mustAsk(t, s, "map", `{}`)
	if err := os.MkdirAll(w.path("payments"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.write(files{"payments/pay.go": "// Package payments takes money.\npackage payments\n\nfunc Charge() {}\n"})
	answer, _ := mustAsk(t, s, "map", `{}`)
	if answer.Stale != "" || !strings.Contains(answer.Text, "payments") {
		t.Errorf("stale %q: %s", answer.Stale, answer.Text)
	}
}

func TestServiceEndsWithItsWorkInTheBackground(t *testing.T) {
	s, w := served(t, store)
	s.mustBuild(t)
	w.write(files{"new.go": "package shop\n"})
	if _, err := s.app.keeper.compare(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.app.keeper.compare(t.Context(), false); err == nil {
		t.Error("a closed service compares")
	}
	s.app.keeper.makeOverview()
}
