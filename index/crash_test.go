package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/index/lexical"
	"agenvantage/index/meta"
)

// The crash tests run this test binary again as a child that updates an index, and kill it. AGENVANTAGE_TEST_KILLS
// raises the number of kills.
const (
	childVariable = "AGENVANTAGE_TEST_INDEX_CHILD" // "DIR STATE FORCE"
	killsVariable = "AGENVANTAGE_TEST_KILLS"
)

func TestMain(m *testing.M) {
	if spec := os.Getenv(childVariable); spec != "" {
		os.Exit(child(spec))
	}
	os.Exit(m.Run())
}

func child(spec string) int {
	var dir string
	var state uint64
	var force bool
	if _, err := fmt.Sscan(spec, &dir, &state, &force); err != nil {
		fmt.Println(err)
		return 1
	}
	ix, err := Open(dir)
	if err == nil {
		_, err = ix.Update(context.Background(), UpdateRequest{Source: stateTree(state), Extractor: paragraphs{}, Force: force, Batch: 80})
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// stateTree makes the same tree for the same state. Neighbouring states share most files.
func stateTree(state uint64) *tree {
	src := &tree{files: map[string]treeFile{}, revision: fmt.Sprint(state)}
	for i := range uint64(250) {
		version := state - (state+i)%5 // changes for a fifth of the files at each step
		if (i+version)%11 == 0 {
			continue
		}
		var b strings.Builder
		for p := range 1 + i%4 {
			fmt.Fprintf(&b, "def name%d_%d\nbody word%d of version %d\n\n", i, p, i%50, version)
		}
		mod := int64(1e18) + int64(version)
		src.files[fmt.Sprintf("d%d/f%d.go", i%7, i)] = treeFile{text: b.String(), modNS: mod, changeNS: mod}
	}
	return src
}

func startChild(t *testing.T, dir string, state uint64, force bool) (*exec.Cmd, <-chan error) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %t", childVariable, dir, state, force))
	must(t, cmd.Start())
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	return cmd, done
}

// killWithin starts a child and kills it at a random moment of its life. It reports whether the child lived until then.
func killWithin(t *testing.T, rng *rand.Rand, dir string, state uint64, force bool, life time.Duration) bool {
	t.Helper()
	cmd, done := startChild(t, dir, state, force)
	select {
	case err := <-done:
		must(t, err)
		return false
	case <-time.After(time.Duration(rng.Int64N(int64(life)))):
		must(t, cmd.Process.Kill())
		<-done
		return true
	}
}

func kills(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv(killsVariable)); err == nil {
		return n
	}
	if testing.Short() {
		return 2
	}
	return 4
}

func stateDump(t *testing.T, state uint64) []string {
	t.Helper()
	ix := openIndex(t, filepath.Join(t.TempDir(), "fresh"))
	refresh(t, ix, stateTree(state))
	return dump(t, view(t, ix))
}

// A killed update leaves the generation before it, or its own when it was done; the next run brings the index up to date.
func TestKilledUpdate(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	dir := filepath.Join(t.TempDir(), "index")
	ix := openIndex(t, dir)
	state := uint64(100)
	refresh(t, ix, stateTree(state))
	started := time.Now()
	_, done := startChild(t, dir, state+1, false)
	must(t, <-done)
	life := time.Since(started)
	state++
	whole := stateDump(t, state)
	hit := 0
	for n := range kills(t) {
		force := n%3 == 2
		next := stateDump(t, state+1)
		if killWithin(t, rng, dir, state+1, force, life) {
			hit++
		}
		v, err := ix.View(context.Background())
		must(t, err)
		got := dump(t, v)
		v.Close()
		switch v.Revision() {
		case fmt.Sprint(state):
			sameDump(t, got, whole)
		case fmt.Sprint(state + 1):
			sameDump(t, got, next)
		default:
			t.Fatalf("revision %q", v.Revision())
		}
		if w := ix.Writer(); w != "" {
			t.Errorf("a dead process %s is the writer", w)
		}
		refresh(t, ix, stateTree(state+1))
		v, err = ix.View(context.Background())
		must(t, err)
		sameDump(t, dump(t, v), next)
		v.Close()
		state, whole = state+1, next
		leftovers(t, ix)
	}
	t.Logf("%d of %d kills hit a living run of %v", hit, kills(t), life)
}

// leftovers fails when the folder holds more than one epoch or more than two generations.
func leftovers(t *testing.T, ix *Index) {
	t.Helper()
	epochs, _ := filepath.Glob(filepath.Join(ix.dir, epochPrefix+"*"))
	generations, _ := filepath.Glob(filepath.Join(ix.dir, epochPrefix+"*", lexicalPrefix+"*"))
	temporary, _ := filepath.Glob(filepath.Join(ix.dir, manifestFile+".*"))
	if len(epochs) != 1 || len(generations) > 2 || len(temporary) > 0 {
		t.Errorf("left: %q %q %q", epochs, generations, temporary)
	}
}

// A killed first build is never seen half, and the next run ends it.
func TestKilledFirstBuild(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2))
	want := stateDump(t, 7)
	started := time.Now()
	_, done := startChild(t, filepath.Join(t.TempDir(), "index"), 7, false)
	must(t, <-done)
	life := time.Since(started)
	for range kills(t) {
		dir := filepath.Join(t.TempDir(), "index")
		ix := openIndex(t, dir)
		for range 3 {
			killWithin(t, rng, dir, 7, false, life)
			v, err := ix.View(context.Background())
			switch {
			case err == nil:
				sameDump(t, dump(t, v), want)
				v.Close()
			case !errors.Is(err, agenvantage.ErrNoIndex) && !errors.Is(err, agenvantage.ErrIncomplete):
				t.Fatal(err)
			}
		}
		refresh(t, ix, stateTree(7))
		v, err := ix.View(context.Background())
		must(t, err)
		sameDump(t, dump(t, v), want)
		v.Close()
		leftovers(t, ix)
	}
}

// bigTree has several checkpoints of text in 40 files.
func bigTree(t *testing.T) *tree {
	t.Helper()
	normal := checkpointBytes
	checkpointBytes = 40_000
	t.Cleanup(func() { checkpointBytes = normal })
	src := &tree{files: map[string]treeFile{}}
	for i := range 40 {
		text := fmt.Sprintf("def big%d\n", i) + strings.Repeat(fmt.Sprintf("word%d\n\n", i), 500)
		src.files[fmt.Sprintf("f%02d.go", i)] = treeFile{text: text, modNS: 1e18, changeNS: 1e18}
	}
	return src
}

// waitForCheckpoint returns when the unfinished epoch has the facts of that many files.
func waitForCheckpoint(t *testing.T, ix *Index, files int) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		m, err := readManifest(ix.dir)
		if err != nil {
			continue
		}
		facts, err := meta.OpenWriter(filepath.Join(ix.dir, m.unfinished(), metaFile))
		if err != nil {
			continue
		}
		_, c, err := facts.Load()
		facts.Close()
		if err == nil && len(c.Files) >= files {
			return
		}
	}
	t.Error("no checkpoint")
}

// A first build that ends in the middle goes on from its last checkpoint and reads no file before it again.
func TestInterruptedFirstBuildResumes(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), bigTree(t)
	ctx, cancel := context.WithCancel(context.Background())
	src.readHook = func(path string) {
		if path == "f33.go" {
			waitForCheckpoint(t, ix, 20)
			cancel()
		}
	}
	if _, err := ix.Update(ctx, UpdateRequest{Source: src, Extractor: paragraphs{}}); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if _, err := ix.View(context.Background()); !errors.Is(err, agenvantage.ErrIncomplete) {
		t.Errorf("view: %v", err)
	}
	// Meanwhile one file that is in the index changes, and another goes.
	src.remove("f00.go")
	src.put("f01.go", "def other\n")
	src.readHook = nil
	src.reads.Store(0)
	s := refresh(t, ix, src)
	if n := src.reads.Load(); n > 20 || n < 8 {
		t.Errorf("%d of 39 files are read after the interruption", n)
	}
	if s.Files != 39 || s.Generation != 1 {
		t.Errorf("%+v", s)
	}
	equalsFresh(t, ix, src)

	// Other options do not go on with it.
	other := openIndex(t, t.TempDir())
	ctx, cancel = context.WithCancel(context.Background())
	src.readHook = func(path string) {
		if path == "f33.go" {
			waitForCheckpoint(t, other, 20)
			cancel()
		}
	}
	_, err := other.Update(ctx, UpdateRequest{Source: src, Extractor: paragraphs{}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	src.readHook = nil
	if s, err := other.Update(context.Background(), UpdateRequest{Source: src, Extractor: paragraphs{}, OptionsHash: "x"}); err != nil || s.Read != 39 {
		t.Errorf("%+v %v", s, err)
	}
	leftovers(t, other)
}

// Documents of files that the facts do not know, and facts whose documents are gone, are put right on resuming.
func TestResumeMakesTheStoresAgree(t *testing.T) {
	ix, src := openIndex(t, t.TempDir()), newTree(map[string]string{"a": "def one\n", "b": "def two\n\ndef three\n", "c": "def four\n"})
	u := &update{ix: ix, req: UpdateRequest{Source: src, Extractor: paragraphs{}, Batch: 10, Progress: func(Progress) {}}}
	must(t, ix.prepareFolder())
	must(t, u.open())
	listing, err := src.List(context.Background())
	must(t, err)
	o, err := u.apply(context.Background(), listing, compare(u.catalog, listing.Entries))
	must(t, err)
	// The facts of c are lost, the postings of the second part of b.
	must(t, u.facts.DeleteFile(o.files[2].ID))
	must(t, u.facts.Commit(u.head, nil))
	must(t, u.postings.Apply([]lexical.ID{lexical.MakeID(o.files[1].ID, 1)}, nil))
	u.abandon()
	src.reads.Store(0)
	if s := refresh(t, ix, src); s.Read != 2 {
		t.Errorf("%+v", s)
	}
	equalsFresh(t, ix, src)
}

func TestCancelledUpdateKeepsTheIndex(t *testing.T) {
	ix := openIndex(t, t.TempDir())
	refresh(t, ix, stateTree(1))
	before := dump(t, view(t, ix))
	for _, at := range []int64{1, 20, 45} {
		src := stateTree(2)
		ctx, cancel := context.WithCancel(context.Background())
		var reads atomic.Int64
		var cancelled time.Time
		src.readHook = func(string) {
			if reads.Add(1) == at {
				cancelled = time.Now()
				cancel()
			}
		}
		_, err := ix.Update(ctx, UpdateRequest{Source: src, Extractor: paragraphs{}, Batch: 20})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("at %d: %v", at, err)
		}
		if d := time.Since(cancelled); d > time.Second {
			t.Errorf("at %d: returns after %v", at, d)
		}
		v, err := ix.View(context.Background())
		must(t, err)
		sameDump(t, dump(t, v), before)
		v.Close()
		leftovers(t, ix)
	}
	refresh(t, ix, stateTree(2))
	equalsFresh(t, ix, stateTree(2))
}

// Writers wait for each other, readers for nobody, and every view is one whole state.
func TestWritersAndReadersAtOnce(t *testing.T) {
	dir := t.TempDir()
	refresh(t, openIndex(t, dir), stateTree(10))
	const last = 14
	want := map[string][]string{}
	for s := uint64(10); s <= last; s++ {
		want[fmt.Sprint(s)] = stateDump(t, s)
	}
	ctx, stop := context.WithCancel(context.Background())
	var writers, readers sync.WaitGroup
	var views atomic.Int64
	for w := range uint64(2) {
		writers.Go(func() {
			ix, _ := Open(dir)
			for s := 10 + w; s <= last; s += 2 {
				if _, err := ix.Update(context.Background(), UpdateRequest{Source: stateTree(s), Extractor: paragraphs{}, Force: s%4 == 3, Batch: 100}); err != nil {
					t.Errorf("update: %v", err)
				}
			}
		})
	}
	for range 4 {
		readers.Go(func() {
			ix, _ := Open(dir)
			for ctx.Err() == nil {
				v, err := ix.View(context.Background())
				if err != nil {
					t.Errorf("view: %v", err)
					return
				}
				got, err := dumpIndex(v)
				if err != nil {
					t.Errorf("read: %v", err)
				} else if strings.Join(got, "\n") != strings.Join(want[v.Revision()], "\n") {
					t.Errorf("the view of revision %s is not that state", v.Revision())
				}
				if err := v.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
				views.Add(1)
			}
		})
	}
	writers.Wait()
	stop()
	readers.Wait()
	if views.Load() < 4 {
		t.Errorf("%d views", views.Load())
	}
}

func TestWaitingWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	ix := openIndex(t, dir)
	must(t, ix.prepareFolder())
	release, err := lock(context.Background(), dir, nil)
	must(t, err)
	if w := ix.Writer(); !strings.Contains(w, strconv.Itoa(os.Getpid())) {
		t.Errorf("writer %q", w)
	}
	var told atomic.Value
	progress := func(p Progress) {
		if p.Phase == PhaseWait {
			told.Store(p.Note)
		}
	}
	src := newTree(map[string]string{"a": "def one\n"})
	ctx, cancel := context.WithTimeout(context.Background(), 120*time.Millisecond)
	defer cancel()
	_, err = ix.Update(ctx, UpdateRequest{Source: src, Extractor: paragraphs{}, Progress: progress})
	if !errors.Is(err, agenvantage.ErrBusy) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if note, _ := told.Load().(string); !strings.Contains(note, "process "+strconv.Itoa(os.Getpid())) {
		t.Errorf("told %q", note)
	}
	done := make(chan error, 1)
	go func() {
		_, err := ix.Update(context.Background(), UpdateRequest{Source: src, Extractor: paragraphs{}})
		done <- err
	}()
	time.Sleep(150 * time.Millisecond)
	select {
	case err := <-done:
		t.Fatalf("does not wait: %v", err)
	default:
	}
	release()
	must(t, <-done)
	if w := ix.Writer(); w != "" {
		t.Errorf("writer %q after the end", w)
	}
}
