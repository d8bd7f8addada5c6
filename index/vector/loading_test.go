package vector

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func loaded(t *testing.T) *Chunks {
	t.Helper()
	c, err := Load(t.Context(), licence.places(), licenceStore().load, LoadOptions{Dimensions: 2})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoadingIsDoneOnce(t *testing.T) {
	c, calls := loaded(t), atomic.Int32{}
	l := NewLoading(func(context.Context) (*Chunks, error) { calls.Add(1); return c, nil })
	defer l.Close()
	if l.Loaded() != nil || calls.Load() != 0 {
		t.Error("loaded before it was asked for")
	}
	var asking sync.WaitGroup
	for range 20 {
		asking.Go(func() {
			hits, err := l.Nearest(t.Context(), []float32{1, 0}, 1, nil)
			have, all, err2 := l.Covered(t.Context(), nil)
			if err != nil || err2 != nil || printed(hits) != "0.0:1.00" || have != 6 || all != 7 {
				t.Errorf("%s, %d of %d, %v, %v", printed(hits), have, all, err, err2)
			}
		})
	}
	asking.Wait()
	if calls.Load() != 1 || l.Loaded() != c {
		t.Errorf("loaded %d times", calls.Load())
	}
}

// TestLoadingOutlivesItsFirstQuestion: the first asker's time is over before the vectors are there.
func TestLoadingOutlivesItsFirstQuestion(t *testing.T) {
	c, calls, release := loaded(t), atomic.Int32{}, make(chan struct{})
	l := NewLoading(func(ctx context.Context) (*Chunks, error) {
		calls.Add(1)
		select {
		case <-release:
			return c, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	defer l.Close()
	short, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.Covered(short, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("first: %v", err)
	}
	if _, err := l.Nearest(short, []float32{1, 0}, 1, nil); !errors.Is(err, context.Canceled) || l.Loaded() != nil {
		t.Errorf("second: %v", err)
	}
	close(release)
	if have, _, err := l.Covered(t.Context(), nil); err != nil || have != 6 || calls.Load() != 1 {
		t.Errorf("third: %d, %v, loaded %d times", have, err, calls.Load())
	}
}

func TestLoadingTriesAgainAfterAnError(t *testing.T) {
	c, calls := loaded(t), 0
	broken := errors.New("broken")
	l := NewLoading(func(context.Context) (*Chunks, error) {
		switch calls++; calls {
		case 1:
			return nil, broken
		case 2:
			panic("boom")
		case 3:
			return nil, nil
		}
		return c, nil
	})
	defer l.Close()
	for i, says := range []string{"broken", "boom", "none and no error"} {
		if _, err := l.Chunks(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%d: %v", i+1, err)
		}
		if l.Loaded() != nil {
			t.Error("an error has vectors")
		}
	}
	for range 3 {
		if got, err := l.Chunks(t.Context()); err != nil || got != c {
			t.Errorf("%v", err)
		}
	}
	if calls != 4 {
		t.Errorf("%d calls", calls)
	}
}

func TestCloseEndsLoading(t *testing.T) {
	began, ended := make(chan struct{}), false
	l := NewLoading(func(ctx context.Context) (*Chunks, error) {
		close(began)
		<-ctx.Done()
		ended = true
		return nil, ctx.Err()
	})
	result := make(chan error, 1)
	go func() { _, err := l.Chunks(t.Context()); result <- err }()
	<-began
	l.Close()
	if !ended {
		t.Error("closed while loading")
	}
	if err := <-result; !errors.Is(err, ErrClosed) {
		t.Errorf("who waited: %v", err)
	}
	if _, err := l.Chunks(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("after: %v", err)
	}
	l.Close()
	never := NewLoading(func(context.Context) (*Chunks, error) { return nil, errors.New("called") })
	never.Close()
	if _, err := never.Chunks(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("never asked: %v", err)
	}
}
