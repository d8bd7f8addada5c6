package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/embed"
)

func TestPrune(t *testing.T) {
	s, c := fresh(t)
	start := c.now
	a, b := identity("a", 2), identity("b", 2)
	put(t, s, a, 0, 100)
	put(t, s, b, 0, 10)
	for n := 200; n < 202; n++ {
		batch, err := s.Begin(a.Key(), endpoint, embed.Document, []Text{{Hash: hash(n)}})
		must(t, err)
		must(t, s.Commit(a.Key(), []int64{batch}, []Result{{Hash: hash(n), Refused: embed.ReasonZero}}))
	}
	c.now = start.Add(20 * 24 * time.Hour)
	must(t, s.Touch(ctx, a.Key(), hashesOf(90, 91, 92)))
	keep := hashesOf(0, 1, 2, 200)
	r := PruneRequest{Keep: keep, UnusedFor: 30 * 24 * time.Hour}
	if p, err := s.Prune(ctx, r); err != nil || !reflect.DeepEqual(p, Pruned{}) {
		t.Errorf("pruned what is young: %+v, %v", p, err)
	}
	r.UnusedFor = 10 * 24 * time.Hour
	r.DryRun = true
	want := "101 vectors, 1 failures, 0 questions; a 94 1 0, b 7 0 0" // by name: the order is that of keys
	version, err := s.Version(a.Key())
	must(t, err)
	if p, err := s.Prune(ctx, r); err != nil || printed(p) != want || p.Bytes != 0 {
		t.Errorf("dry run %s, want %s: %v", printed(p), want, err)
	}
	if now, err := s.Version(a.Key()); err != nil || now != version {
		t.Errorf("a dry run changes the version from %d to %d: %v", version, now, err)
	}
	r.DryRun = false
	p, err := s.Prune(ctx, r)
	if err != nil || printed(p) != want {
		t.Errorf("pruned %s, want %s: %v", printed(p), want, err)
	}
	if now, err := s.Version(a.Key()); err != nil || now == version {
		t.Errorf("the version stays %d: %v", now, err)
	}
	left, err := s.Missing(ctx, a.Key(), hashesOf(0, 1, 2, 90, 91, 92))
	if err != nil || len(left) != 0 {
		t.Errorf("what was to be kept is gone: %v, %v", left, err)
	}
	v, err := s.Load(ctx, a.Key(), hashesOf(upTo(100)...))
	if err != nil || v.Found() != 6 || !slices.Equal(v.At(91), vector(91, 2)) {
		t.Errorf("found %d, %v: %v", v.Found(), v.At(91), err)
	}
	if p, err = s.Prune(ctx, PruneRequest{Set: b.Key()}); err != nil || p.Vectors != 3 || p.Sets != 1 {
		t.Errorf("pruned %+v of the other set: %v", p, err)
	}
	if _, err = s.Prune(ctx, PruneRequest{Set: b.Key()}); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a set that is gone: %v", err)
	}
	if _, err = s.Prune(ctx, PruneRequest{UnusedFor: -1}); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a negative age: %v", err)
	}
	put(t, s, b, 0, 4) // the set comes back
	if v, err := s.Load(ctx, b.Key(), hashesOf(3)); err != nil || !slices.Equal(v.At(0), vector(3, 2)) {
		t.Errorf("after a set came back: %v, %v", v.At(0), err)
	}
}

// printed is what went, sets by the names of their models.
func printed(p Pruned) string {
	var of []string
	for _, i := range p.Of {
		of = append(of, fmt.Sprintf("%s %d %d %d", i.Identity.Model, i.Vectors, i.Failures, i.Queries))
	}
	slices.Sort(of)
	return fmt.Sprintf("%d vectors, %d failures, %d questions; %s", p.Vectors, p.Failures, p.Queries, strings.Join(of, ", "))
}

func TestPurge(t *testing.T) {
	s, _ := fresh(t)
	a, b := identity("a", 300), identity("b", 2)
	put(t, s, a, 0, 2000)
	put(t, s, b, 0, 10)
	before := s.Bytes()
	p, err := s.Purge(ctx, a.Key(), false)
	if err != nil || p.Vectors != 2000 || p.Sets != 1 || p.Entries != 0 || p.Bytes < 2_000_000 || s.Bytes() != before-p.Bytes {
		t.Errorf("purged %+v, %d bytes of %d left: %v", p, s.Bytes(), before, err)
	}
	if n := len(log(t, s, LogFilter{Set: a.Key()})); n != 2000 {
		t.Errorf("the ledger has %d entries of what was sent", n)
	}
	if v, err := s.Load(ctx, b.Key(), hashesOf(9)); err != nil || v.Found() != 1 {
		t.Errorf("the other set: %v", err)
	}
	release, err := s.Lock(b.Key())
	must(t, err)
	if _, err := s.Purge(ctx, "", true); !errors.Is(err, ErrBusy) {
		t.Errorf("purge of a set that is being embedded into: %v", err)
	}
	release()
	if p, err = s.Purge(ctx, "", true); err != nil || printed(p) != "10 vectors, 0 failures, 0 questions; b 10 0 0" || p.Files < 1 || p.Entries != 2010 || p.Bytes == 0 {
		t.Errorf("purged %+v: %v", p, err)
	}
	nothingLeft(t, s.dir)
}
