package store

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"agenvantage/embed"
)

func log(t *testing.T, s *Store, f LogFilter) (all []Entry) {
	t.Helper()
	must(t, s.Log(ctx, f, func(e Entry) error { all = append(all, e); return nil }))
	return all
}

func TestLedger(t *testing.T) {
	s, c := fresh(t)
	i := identity("a", 2)
	put(t, s, i, 0, 3)
	key := i.Key()
	start := c.now
	c.now = start.Add(time.Minute)
	b2, err := s.Begin(key, endpoint, embed.Document, []Text{{hash(5), 11, 4}})
	must(t, err)
	c.now = start.Add(2 * time.Minute)
	must(t, s.Fail(b2, ReasonUnreachable))
	b3, err := s.Begin(key, endpoint, embed.Query, []Text{{QueryHash("q"), 1, 1}})
	must(t, err)
	put(t, s, identity("b", 2), 0, 1)
	all := log(t, s, LogFilter{})
	if len(all) != 6 {
		t.Fatalf("%d entries", len(all))
	}
	want := Entry{Batch: b2, Set: key, Purpose: embed.Document, Hash: hash(5), Provider: "p", Host: "api.example:444", Model: "a", Bytes: 11, Tokens: 4, State: StateFailed, Reason: ReasonUnreachable,
		Sent: start.Add(time.Minute), Done: start.Add(2 * time.Minute)}
	if !reflect.DeepEqual(all[3], want) || !all[3].MaybePaid() || all[0].MaybePaid() {
		t.Errorf("entry %+v\nwant %+v", all[3], want)
	}
	if e := all[4]; e.Batch != b3 || e.State != StateSent || !e.Done.IsZero() || !e.MaybePaid() {
		t.Errorf("open entry %+v", e)
	}
	if slices.IsSortedFunc(all, func(a, b Entry) int { return int(a.Batch - b.Batch) }) == false {
		t.Error("the newest is not last")
	}
	h := hash(5)
	for name, x := range map[string]struct {
		f LogFilter
		n int
	}{
		"set": {LogFilter{Set: key}, 5}, "hash": {LogFilter{Hash: &h}, 1}, "model": {LogFilter{Model: "b"}, 1}, "provider": {LogFilter{Provider: "x"}, 0},
		"state": {LogFilter{State: StateCommitted}, 4}, "paid": {LogFilter{MaybePaid: true}, 2}, "questions": {LogFilter{Purpose: embed.Query}, 1},
		"since": {LogFilter{Since: start.Add(time.Minute)}, 3}, "until": {LogFilter{Until: start.Add(time.Minute)}, 3},
	} {
		if got := log(t, s, x.f); len(got) != x.n {
			t.Errorf("%s: %d entries, want %d", name, len(got), x.n)
		}
	}
	if got := log(t, s, LogFilter{Newest: 2}); !reflect.DeepEqual(got, all[4:]) {
		t.Errorf("the newest two: %+v", got)
	}
	stop := errors.New("enough")
	if err := s.Log(ctx, LogFilter{}, func(Entry) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("a visit that fails: %v", err)
	}
	if n, err := s.Interrupted(key); err != nil || n != 0 {
		t.Errorf("a question that is under way counts as interrupted: %d, %v", n, err)
	}
	_, err = s.Begin(key, endpoint, embed.Document, []Text{{Hash: hash(8)}, {Hash: hash(9)}})
	must(t, err)
	c.now = start.Add(3 * time.Hour)
	if n, err := s.Interrupted(key); err != nil || n != 3 {
		t.Errorf("interrupted %d, %v; want 3", n, err)
	}
	if n, err := s.Interrupted(key); err != nil || n != 0 {
		t.Errorf("interrupted twice: %d, %v", n, err)
	}
}

func TestLeastUsedQuestionsGo(t *testing.T) {
	c := &clock{time.Unix(1_700_000_000, 0)}
	s := open(t, t.TempDir(), Options{Create: true, Now: c.Now, MaxQueries: 3})
	key, err := s.AddSet(identity("a", 2))
	must(t, err)
	ask := func(q string, n int) {
		c.now = c.now.Add(2 * time.Hour)
		b, err := s.Begin(key, endpoint, embed.Query, []Text{{Hash: QueryHash(q)}})
		must(t, err)
		must(t, s.Commit(key, []int64{b}, []Result{{Hash: QueryHash(q), Vector: vector(n, 2)}}))
	}
	for n, q := range []string{"a", "b", "c"} {
		ask(q, n)
	}
	c.now = c.now.Add(2 * time.Hour)
	if v, err := s.Query(ctx, key, "a"); err != nil || !slices.Equal(v, vector(0, 2)) {
		t.Errorf("a: %v, %v", v, err)
	}
	ask("d", 3)
	for q, there := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "never": false} {
		if v, err := s.Query(ctx, key, q); err != nil || (v != nil) != there {
			t.Errorf("%s: %v, %v", q, v, err)
		}
	}
	if v, err := s.Query(ctx, identity("z", 2).Key(), "a"); err != nil || v != nil {
		t.Errorf("of another set: %v, %v", v, err)
	}
	if v, err := s.Load(ctx, key, []Hash{QueryHash("a")}); err != nil || v.Found() != 0 {
		t.Errorf("a question is among the chunks: %v", err)
	}
}

// What is stored names neither texts nor keys: the endpoint of an identity may hold a query by mistake, the ledger holds the host.
func TestLedgerHoldsHostsOnly(t *testing.T) {
	for endpoint, want := range map[string]string{
		"https://user:key@api.example/v1?key=x": "api.example", "http://127.0.0.1:11434": "127.0.0.1:11434", "": "", "://": "", "ngrams": "",
	} {
		if got := hostOf(endpoint); got != want {
			t.Errorf("%q: %q, want %q", endpoint, got, want)
		}
	}
}
