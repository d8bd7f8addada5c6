package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"agenvantage"
	"agenvantage/embed"
)

var ctx = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// clock is a time that tests set.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func open(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func fresh(t testing.TB) (*Store, *clock) {
	c := &clock{time.Unix(1_700_000_000, 0)}
	return open(t, t.TempDir(), Options{Create: true, Now: c.Now}), c
}

const endpoint = "https://api.example:444/v1?x=1"

func identity(model string, dimensions int) embed.Identity {
	return embed.Identity{Provider: "p", Endpoint: endpoint, Model: model, Dimensions: dimensions}
}

func hash(n int) (h Hash) {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	for i := range h {
		h[i] = byte(rng.Uint32())
	}
	return h
}

func vector(n, dimensions int) embed.Vector {
	v := make(embed.Vector, dimensions)
	for i := range v {
		v[i] = float32(n) + float32(i)/1024
	}
	return v
}

// put commits the vectors of the numbers from..to-1 in one request.
func put(t testing.TB, s *Store, i embed.Identity, from, to int) {
	t.Helper()
	key, err := s.AddSet(i)
	must(t, err)
	var texts []Text
	var results []Result
	for n := from; n < to; n++ {
		texts = append(texts, Text{Hash: hash(n), Bytes: 10, Tokens: 3})
		results = append(results, Result{Hash: hash(n), Vector: vector(n, i.Dimensions)})
	}
	b, err := s.Begin(key, endpoint, embed.Document, texts)
	must(t, err)
	must(t, s.Commit(key, []int64{b}, results))
}

func hashesOf(numbers ...int) (all []Hash) {
	for _, n := range numbers {
		all = append(all, hash(n))
	}
	return all
}

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

func TestVectorsComeBack(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Create: true})
	a, b := identity("a", 3), identity("b", 5)
	put(t, s, a, 0, 10)
	put(t, s, b, 5, 8)
	put(t, s, a, 10, 12)
	must(t, s.Close())
	s = open(t, dir, Options{})
	asked := hashesOf(11, 3, 99, 3, 0)
	v, err := s.Load(ctx, a.Key(), asked)
	must(t, err)
	for i, n := range []int{11, 3, -1, 3, 0} {
		if want := vector(n, 3); n >= 0 && !slices.Equal(v.At(i), want) || n < 0 && v.At(i) != nil {
			t.Errorf("vector %d: %v", i, v.At(i))
		}
	}
	if v.Found() != 4 || v.Len() != 5 || v.Dimensions != 3 || &v.At(1)[0] != &v.At(3)[0] {
		t.Errorf("found %d of %d", v.Found(), v.Len())
	}
	if have, err := s.Have(ctx, b.Key(), hashesOf(4, 5, 7, 8)); err != nil || !slices.Equal(have, []bool{false, true, true, false}) {
		t.Errorf("have %v, %v", have, err)
	}
	if missing, err := s.Missing(ctx, b.Key(), hashesOf(9, 5, 4, 9)); err != nil || !slices.Equal(missing, hashesOf(9, 4)) {
		t.Errorf("missing %v, %v", missing, err)
	}
	none, err := s.Load(ctx, identity("c", 3).Key(), asked)
	if err != nil || none.Found() != 0 || none.Len() != 5 || none.At(2) != nil {
		t.Errorf("of a set that is not there: %+v, %v", none, err)
	}
	sets, err := s.Sets()
	must(t, err)
	if len(sets) != 2 || sets[0].Key > sets[1].Key || sets[0].Vectors+sets[1].Vectors != 15 {
		t.Errorf("sets %+v", sets)
	}
	for _, i := range sets {
		if i.Identity.Key() != i.Key || i.Created.IsZero() || i.Version == 0 {
			t.Errorf("set %+v", i)
		}
	}
}

// Few hashes of a large set are looked up, many are swept; both find the same.
func TestSweepAndLookUpAgree(t *testing.T) {
	s, _ := fresh(t)
	i := identity("a", 2)
	put(t, s, i, 0, 400)
	put(t, s, identity("b", 2), 0, 300) // rows between
	put(t, s, i, 400, 900)
	for _, asked := range [][]int{{}, {5}, {899, 0, 450}, upTo(900), upTo(1200)} {
		v, err := s.Load(ctx, i.Key(), hashesOf(asked...))
		must(t, err)
		found := 0
		for at, n := range asked {
			want := vector(n, 2)
			if n >= 900 {
				want = nil
			} else {
				found++
			}
			if !slices.Equal(v.At(at), want) {
				t.Errorf("%d asked: vector of %d is %v", len(asked), n, v.At(at))
			}
		}
		if v.Found() != found {
			t.Errorf("%d asked: found %d, want %d", len(asked), v.Found(), found)
		}
	}
}

func TestCommitIsAllOrNothing(t *testing.T) {
	s, _ := fresh(t)
	i := identity("a", 2)
	key, err := s.AddSet(i)
	must(t, err)
	other, err := s.AddSet(identity("b", 2))
	must(t, err)
	begin := func() int64 {
		b, err := s.Begin(key, endpoint, embed.Document, []Text{{Hash: hash(1)}, {Hash: hash(2)}})
		must(t, err)
		return b
	}
	good := []Result{{Hash: hash(1), Vector: vector(1, 2)}, {Hash: hash(2), Refused: embed.ReasonZero}}
	for name, c := range map[string]struct {
		key     string
		batches []int64
		results []Result
		is      error
	}{
		"dimension":       {key, []int64{begin()}, []Result{good[0], {Hash: hash(2), Vector: vector(2, 3)}}, embed.ErrModelChanged},
		"no vector":       {key, []int64{begin()}, []Result{good[0], {Hash: hash(2)}}, embed.ErrModelChanged},
		"too few results": {key, []int64{begin()}, good[:1], agenvantage.ErrBadInput},
		"other set":       {other, []int64{begin()}, good, agenvantage.ErrBadInput},
		"no such request": {key, []int64{999}, good, sql.ErrNoRows},
		"no such set":     {identity("c", 2).Key(), nil, good, errNoSet},
	} {
		if err := s.Commit(c.key, c.batches, c.results); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
	if missing, err := s.Missing(ctx, key, hashesOf(1, 2)); err != nil || len(missing) != 2 {
		t.Errorf("something of a failed commit is stored: %v, %v", missing, err)
	}
	b := begin()
	must(t, s.Commit(key, []int64{b}, good))
	if err := s.Commit(key, []int64{b}, good); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a second commit: %v", err)
	}
	if err := s.Fail(b, ReasonError); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a failure after the commit: %v", err)
	}
	if f, err := s.Failures(ctx, key); err != nil || len(f) != 1 || f[0].Hash != hash(2) || f[0].Reason != embed.ReasonZero {
		t.Errorf("failures %v, %v", f, err)
	}
	must(t, s.Commit(key, []int64{begin()}, []Result{{Hash: hash(1), Vector: vector(7, 2)}, {Hash: hash(2), Vector: vector(2, 2)}}))
	v, err := s.Load(ctx, key, hashesOf(1, 2))
	must(t, err)
	if !slices.Equal(v.At(0), vector(1, 2)) || v.Found() != 2 {
		t.Errorf("the first vector does not stay: %v", v.At(0))
	}
	if f, err := s.Failures(ctx, key); err != nil || len(f) != 0 {
		t.Errorf("a failure stays though there is a vector: %v, %v", f, err)
	}
	if _, err := s.Begin(key, endpoint, embed.Document, nil); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a request without texts: %v", err)
	}
	if _, err := s.AddSet(identity("x", 0)); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a set of no dimensions: %v", err)
	}
}

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
	if p, err := s.Prune(ctx, r); err != nil || p != (Pruned{}) {
		t.Errorf("pruned what is young: %+v, %v", p, err)
	}
	r.UnusedFor = 10 * 24 * time.Hour
	r.DryRun = true
	want := Pruned{Vectors: 94 + 7, Failures: 1}
	version, err := s.Version(a.Key())
	must(t, err)
	if p, err := s.Prune(ctx, r); err != nil || p != want {
		t.Errorf("dry run %+v, want %+v: %v", p, want, err)
	}
	if now, err := s.Version(a.Key()); err != nil || now != version {
		t.Errorf("a dry run changes the version from %d to %d: %v", version, now, err)
	}
	r.DryRun = false
	p, err := s.Prune(ctx, r)
	p.Bytes = 0
	if err != nil || p != want {
		t.Errorf("pruned %+v, want %+v: %v", p, want, err)
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
	if p, err = s.Purge(ctx, "", true); err != nil || p.Vectors != 10 || p.Entries != 2010 || len(log(t, s, LogFilter{})) != 0 {
		t.Errorf("purged %+v: %v", p, err)
	}
	if sets, err := s.Sets(); err != nil || len(sets) != 0 {
		t.Errorf("sets %v, %v", sets, err)
	}
}

// Another process removes a set, and its number must not become that of another set for those that have it open.
func TestSetRemovedByAnother(t *testing.T) {
	dir := t.TempDir()
	one, two := open(t, dir, Options{Create: true}), open(t, dir, Options{})
	a, b := identity("a", 2), identity("b", 2)
	put(t, one, a, 0, 5)
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

func TestFilesAreForTheUserAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are those of Unix")
	}
	dir := filepath.Join(t.TempDir(), "a", "vectors")
	s := open(t, dir, Options{Create: true})
	put(t, s, identity("a", 2), 0, 1)
	mode := func(path string) os.FileMode {
		info, err := os.Stat(path)
		must(t, err)
		return info.Mode().Perm()
	}
	if m := mode(dir); m != 0o700 {
		t.Errorf("folder %o", m)
	}
	for _, name := range []string{FileName, FileName + "-wal", FileName + "-shm"} {
		if m := mode(filepath.Join(dir, name)); m != 0o600 {
			t.Errorf("%s %o", name, m)
		}
	}
	must(t, os.Chmod(s.File(), 0o644))
	open(t, dir, Options{})
	if m := mode(s.File()); m != 0o600 {
		t.Errorf("a file that others may read stays %o", m)
	}
}

func TestFilesThatAreNoStore(t *testing.T) {
	database := func(statements string) func(string) {
		return func(file string) {
			db, err := sql.Open("sqlite3", file)
			must(t, err)
			_, err = db.Exec(statements)
			must(t, err)
			must(t, db.Close())
		}
	}
	for name, c := range map[string]struct {
		make func(file string)
		is   error
	}{
		"absent":         {func(string) {}, ErrAbsent},
		"text":           {func(file string) { must(t, os.WriteFile(file, []byte("my notes"), 0o600)) }, ErrForeign},
		"folder":         {func(file string) { must(t, os.Mkdir(file, 0o700)) }, ErrForeign},
		"other database": {database(`CREATE TABLE notes (a); INSERT INTO notes VALUES (1)`), ErrForeign},
		"other program":  {database(`PRAGMA application_id = 77; CREATE TABLE notes (a)`), ErrForeign},
		"later format":   {database(fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d; CREATE TABLE sets (a)`, applicationID, format+1)), ErrFormat},
		"garbage": {func(file string) {
			must(t, os.WriteFile(file, append([]byte("SQLite format 3\x00"), make([]byte, 5000)...), 0o600))
		}, ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), FileName)
			c.make(file)
			before, _ := os.ReadFile(file)
			_, err := Open(filepath.Dir(file), Options{Create: name != "absent"})
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), file) {
				t.Errorf("%v, want %v with the file", err, c.is)
			}
			if after, _ := os.ReadFile(file); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

// A process that died between making the file and filling it leaves an empty one.
func TestEmptyFileIsFilled(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, FileName), nil, 0o600))
	put(t, open(t, dir, Options{}), identity("a", 2), 0, 1)
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

// Damage is told and never passed over, since a vector that seems missing would be paid again.
func TestDamageIsTold(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, s *Store){
		"flipped bit": func(t *testing.T, s *Store) {
			exec(t, s, `UPDATE vectors SET vector = CAST(x'ff' || substr(vector, 2) AS BLOB) WHERE id = 3`)
		},
		"cut vector": func(t *testing.T, s *Store) {
			exec(t, s, `UPDATE vectors SET vector = substr(vector, 1, 7) WHERE id = 3`)
		},
		"cut hash":      func(t *testing.T, s *Store) { exec(t, s, `UPDATE chunks SET hash = x'0102' WHERE id = 3`) },
		"lost table":    func(t *testing.T, s *Store) { exec(t, s, `DROP TABLE vectors`) },
		"no dimensions": func(t *testing.T, s *Store) { exec(t, s, `UPDATE sets SET dimensions = 0`) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, Options{Create: true})
			put(t, s, identity("a", 8), 0, 10)
			damage(t, s)
			must(t, s.Close())
			s = open(t, dir, Options{})
			if _, err := s.Load(ctx, identity("a", 8).Key(), hashesOf(upTo(10)...)); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), s.File()) {
				t.Errorf("%v, want ErrCorrupt with the file", err)
			}
		})
	}
	t.Run("overwritten page", func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, dir, Options{Create: true})
		put(t, s, identity("a", 300), 0, 500)
		must(t, s.Close())
		b, err := os.ReadFile(s.File())
		must(t, err)
		for i := 2 * pageBytes; i < len(b); i += 977 {
			b[i] ^= 0x5a
		}
		must(t, os.WriteFile(s.File(), b, 0o600))
		if s, err = Open(dir, Options{}); err == nil {
			_, err = s.Load(ctx, identity("a", 300).Key(), hashesOf(upTo(500)...))
			s.Close()
		}
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%v, want ErrCorrupt", err)
		}
	})
}

func exec(t *testing.T, s *Store, query string) {
	t.Helper()
	_, err := s.write.Exec(query)
	must(t, err)
}

func TestFileThatCannotChange(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{Create: true})
	put(t, s, identity("a", 2), 0, 3)
	must(t, s.Close())
	s = &Store{dir: dir, file: filepath.Join(dir, FileName), options: Options{Now: time.Now}}
	must(t, s.openUnwritable())
	t.Cleanup(func() { s.Close() })
	key := identity("a", 2).Key()
	if v, err := s.Load(ctx, key, hashesOf(1)); err != nil || v.Found() != 1 || !s.ReadOnly() {
		t.Errorf("found %d: %v", v.Found(), err)
	}
	_, begin := s.Begin(key, endpoint, embed.Document, []Text{{Hash: hash(1)}})
	_, lock := s.Lock(key)
	_, purge := s.Purge(ctx, "", true)
	for name, err := range map[string]error{"begin": begin, "lock": lock, "purge": purge} {
		if !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v, want ErrReadOnly", name, err)
		}
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is closed to root")
	}
	dir := t.TempDir()
	s := open(t, dir, Options{Create: true})
	put(t, s, identity("a", 2), 0, 3)
	must(t, s.Close())
	must(t, os.Chmod(dir, 0o500))
	must(t, os.Chmod(filepath.Join(dir, FileName), 0o400))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	s = open(t, dir, Options{})
	if v, err := s.Load(ctx, identity("a", 2).Key(), hashesOf(1)); err != nil || v.Found() != 1 || !s.ReadOnly() {
		t.Errorf("found %d: %v", v.Found(), err)
	}
	if _, err := s.Begin(identity("a", 2).Key(), endpoint, embed.Document, []Text{{Hash: hash(1)}}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("begin: %v", err)
	}
	if _, err := s.Lock(identity("a", 2).Key()); !errors.Is(err, ErrReadOnly) {
		t.Errorf("lock: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "deeper"), Options{Create: true}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("create: %v", err)
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

func FuzzDecodeVector(f *testing.F) {
	f.Add(encodeVector([]float32{1, -2, 3.5}), 3)
	f.Add(encodeCompact([]float32{1, -2, 3.5}), 3)
	f.Add([]byte{}, 0)
	f.Add([]byte{1, 2, 3}, 1)
	f.Fuzz(func(t *testing.T, b []byte, dimensions int) {
		to := make([]float32, (dimensions%64+64)%64)
		if err := decodeVector(to, b); err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Errorf("%v is not ErrCorrupt", err)
			}
			return
		}
		again := encodeVector(to)
		if len(b) == len(to)+checkBytes { // compact: the numbers are in proportion, and the largest need not be 127
			squares := 0.0
			for _, x := range to {
				squares += float64(x) * float64(x)
			}
			if squares < 1-1e-5 || squares > 1+1e-5 {
				t.Errorf("%x decodes to %v, which is not of length 1", b, to)
			}
			if !slices.ContainsFunc(b[:len(to)], func(c byte) bool { return c == 127 }) || slices.Contains(b[:len(to)], 0x80) {
				return
			}
			again = encodeCompact(to)
		}
		if string(again) != string(b) {
			t.Errorf("%x decodes to %v, which encodes to %x", b, to, again)
		}
	})
}

// TestCompactVectors: 0.6 of 0.8 is 95 of 127, and (95, -127) of length 1 is (0.59899, -0.80076).
func TestCompactVectors(t *testing.T) {
	s, _ := fresh(t)
	key, err := s.AddSet(identity("small", 2))
	must(t, err)
	must(t, s.Commit(key, nil, []Result{{Hash: hash(1), Vector: embed.Vector{0.6, -0.8}, Compact: true}, {Hash: hash(2), Vector: embed.Vector{0.6, -0.8}}}))
	v, err := s.Load(t.Context(), key, []Hash{hash(1), hash(2)})
	must(t, err)
	if got := fmt.Sprintf("%.5f %.5f", v.At(0), v.At(1)); got != "[0.59899 -0.80076] [0.60000 -0.80000]" {
		t.Error(got)
	}
	b := encodeCompact([]float32{0.6, -0.8})
	if len(b) != 2+checkBytes || b[0] != 95 || int8(b[1]) != -127 {
		t.Errorf("% x", b)
	}
	to := make([]float32, 2)
	b[0] ^= 1
	zeros := binary.LittleEndian.AppendUint32([]byte{0, 0}, uint32(xxh3.Hash([]byte{0, 0})))
	for _, damaged := range [][]byte{b, zeros, b[:5]} {
		if err := decodeVector(to, damaged); !errors.Is(err, ErrCorrupt) {
			t.Errorf("% x: %v", damaged, err)
		}
	}
}
