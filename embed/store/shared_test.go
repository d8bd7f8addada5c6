package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"agenvantage"
)

// Another process removes a set, and its number must not become that of another set for those that have it open.
func TestSetRemovedByAnother(t *testing.T) {
	dir := t.TempDir()
	one, two := open(t, dir, Options{Create: true}), open(t, dir, Options{})
	a, b := identity("a", 2), identity("b", 2)
	put(t, one, a, 0, 5)
	put(t, one, identity("c", 2), 0, 1) // with the last set the file would go
	if v, err := two.Load(ctx, a.Key(), hashesOf(1)); err != nil || v.Found() != 1 {
		t.Fatalf("found %d: %v", v.Found(), err)
	}
	_, err := one.Purge(ctx, a.Key(), true)
	must(t, err)
	put(t, one, b, 0, 5)
	if v, err := two.Load(ctx, a.Key(), hashesOf(1)); err != nil || v.Found() != 0 {
		t.Errorf("vectors of another set: %v, %v", v.At(0), err)
	}
	put(t, two, a, 0, 2)
	if v, err := two.Load(ctx, a.Key(), hashesOf(1)); err != nil || v.Found() != 1 {
		t.Errorf("after the set came back found %d: %v", v.Found(), err)
	}
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	one, two := open(t, dir, Options{Create: true}), open(t, dir, Options{})
	key := identity("a", 2).Key()
	release, err := one.Lock(key)
	must(t, err)
	if _, err := two.Lock(key); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("second lock: %v", err)
	}
	if owner := two.Running(key); !strings.Contains(owner, "process") {
		t.Errorf("running: %q", owner)
	}
	other, err := two.Lock(identity("b", 2).Key())
	must(t, err)
	other()
	release()
	if owner := two.Running(key); owner != "" {
		t.Errorf("running after release: %q", owner)
	}
	release, err = two.Lock(key)
	must(t, err)
	release()
	if _, err := one.Lock("../x"); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a key that is a path: %v", err)
	}
}

// Readers see whole commits and never wait for writers; writers wait for each other.
func TestWritersAndReadersAtOnce(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, Options{Create: true})
	const writers, each, per = 3, 12, 5
	var wait sync.WaitGroup
	for w := range writers {
		s := open(t, dir, Options{})
		wait.Go(func() {
			for i := range each {
				from := 1000*w + per*i
				put(t, s, identity("a", 4), from, from+per)
			}
		})
	}
	done := make(chan struct{})
	go func() { wait.Wait(); close(done) }()
	s := open(t, dir, Options{})
	var all []Hash
	for w := range writers {
		for i := range each * per {
			all = append(all, hash(1000*w+i))
		}
	}
	last := 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		v, err := s.Load(ctx, identity("a", 4).Key(), all)
		must(t, err)
		if v.Found()%per != 0 || v.Found() < last {
			t.Errorf("found %d after %d", v.Found(), last)
		}
		last = v.Found()
	}
	if last != len(all) {
		t.Errorf("found %d in the end, want %d", last, len(all))
	}
}

func TestManyMakeTheStoreAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			s, err := Open(dir, Options{Create: true})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			put(t, s, identity("a", 2), n, n+1)
		})
	}
	wait.Wait()
	v, err := open(t, dir, Options{}).Load(ctx, identity("a", 2).Key(), hashesOf(upTo(8)...))
	if err != nil || v.Found() != 8 {
		t.Errorf("found %d: %v", v.Found(), err)
	}
}
