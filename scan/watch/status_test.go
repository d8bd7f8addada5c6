package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// mustLook looks until events are followed.
func mustLook(t *testing.T, s *Status) State {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if state, ok := s.Look(t.Context()); ok {
			return state
		}
	}
	t.Fatal("the tree is not followed")
	return State{}
}

func TestStatusOfNoRunKnowsNothing(t *testing.T) {
	var s Status
	if _, ok := s.Look(t.Context()); ok {
		t.Error("a status that nobody keeps knows something")
	}
	if s.Await(t.Context(), State{target: 1}) {
		t.Error("a cycle of no run ended")
	}
}

// A look right after a write knows of it, however busy the machine is.
func TestLookKnowsWhatWasWrittenBefore(t *testing.T) {
	s := &Status{}
	f := follow(t, Options{Status: s, Debounce: time.Hour}, "a.go")
	<-f.updates
	if state := mustLook(t, s); state.Pending {
		t.Fatal("something is pending in a tree that nobody writes")
	}
	for i := range 50 {
		before, _ := s.Peek()
		if err := os.WriteFile(filepath.Join(f.root, fmt.Sprintf("b%d.go", i)), []byte("b"), 0o600); err != nil {
			t.Fatal(err)
		}
		state, ok := s.Look(t.Context())
		taken := state.done > before.done // by a cycle that an earlier wait had asked for too late
		if !ok || !state.Pending && !taken {
			t.Fatalf("write %d is not known: %+v %v", i, state, ok)
		}
		if i == 0 && !state.Calm {
			t.Error("the first write in a while is none of a calm tree")
		}
		got := make(chan bool, 1)
		go func() { got <- s.Await(t.Context(), state) }()
		select {
		case <-f.updates: // though the burst would last an hour
		case <-time.After(patience):
			t.Fatal("nobody updates for those who wait")
		}
		if !<-got {
			t.Fatal("the update that was waited for did not end well")
		}
		for state.Pending { // the system tells of one write by several events
			if state, ok = s.Look(t.Context()); !ok {
				t.Fatal("the tree is not followed any more")
			}
			s.Await(t.Context(), state)
		}
		for len(f.updates) > 0 {
			<-f.updates
		}
	}
}

func TestLooksShareMarks(t *testing.T) {
	s := &Status{}
	f := follow(t, Options{Status: s}, "a.go")
	<-f.updates
	mustLook(t, s)
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			if _, ok := s.Look(t.Context()); !ok {
				t.Error("a look failed")
			}
		})
	}
	all.Wait()
	if len(f.updates) > 0 {
		t.Error("looking is taken for a change")
	}
}

func TestStatusTellsOfFailures(t *testing.T) {
	s := &Status{}
	f := follow(t, Options{Status: s, Debounce: 5 * time.Millisecond}, "a.go")
	<-f.updates
	mustLook(t, s)
	f.mu.Lock()
	f.fail = os.ErrPermission
	f.mu.Unlock()
	if err := os.WriteFile(filepath.Join(f.root, "b.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	state, ok := s.Look(t.Context())
	if !ok || !state.Pending {
		t.Fatalf("%+v %v", state, ok)
	}
	if s.Await(t.Context(), state) {
		t.Error("a cycle that failed ended well")
	}
	if state, ok = s.Look(t.Context()); !ok || !state.Pending || state.Failed == "" {
		t.Errorf("after a failure: %+v %v", state, ok)
	}
}

func TestStatusEndsWithItsRunAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := &Status{}
	f := follow(t, Options{Status: s}, "a.go")
	<-f.updates
	mustLook(t, s)
	f.stop()
	<-f.ended
	f.ended <- nil
	if _, ok := s.Look(context.Background()); ok {
		t.Error("a status whose run has ended knows something")
	}
	left, err := filepath.Glob(filepath.Join(dir, "agenvantage-watch-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left %v %v", left, err)
	}
}
