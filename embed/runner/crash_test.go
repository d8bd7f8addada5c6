package runner

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agenvantage/embed"
	"agenvantage/embed/store"
)

// image copies a store as it lies on disk at a moment at which nobody writes: what a crash at that moment leaves.
func image(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range []string{store.FileName, store.FileName + "-wal"} {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err != nil && !os.IsNotExist(err) {
			t.Error(err)
		}
		if err == nil {
			must(t, os.WriteFile(filepath.Join(to, name), b, 0o600))
		}
	}
	return to
}

// A run that dies between any two steps has lost nothing that was committed; the next run sends what was under way again, and no
// more, and both runs say how much that is.
func TestCrashAtEveryStep(t *testing.T) {
	type crash struct {
		dir       string
		committed int // requests
		underway  bool
	}
	b, src := newBench(t), numbered(20)
	dir := filepath.Dir(b.store.File())
	var crashes []crash
	f := &fake{}
	f.answer = func(n int, texts []string) ([]embed.Answer, error) {
		crashes = append(crashes, crash{image(t, dir), n - 1, true}) // on record and sent
		return ok(texts), nil
	}
	b.o.Progress = func(p Progress) { crashes = append(crashes, crash{image(t, dir), p.Done / 4, false}) } // committed
	_, err := Run(ctx, f, b.store, src, b.o)
	must(t, err)
	if len(crashes) != 10 {
		t.Fatalf("%d moments", len(crashes))
	}
	b.o.Progress = nil
	for i, c := range crashes {
		b.open(c.dir)
		if n := b.stored(src); n != 4*c.committed {
			t.Errorf("crash %d: %d vectors, want %d", i, n, 4*c.committed)
		}
		paid := 0
		if c.underway {
			paid = 4
		}
		if n := b.ledger()["sent:"]; n != paid {
			t.Errorf("crash %d: %d texts are on record as sent without a result, want %d", i, n, paid)
		}
		f := &fake{}
		r, err := Run(ctx, f, b.store, src, b.o)
		must(t, err)
		if got := f.sent(); !slices.Equal(got, texts(src[4*c.committed:], func(s string) string { return s })) || r.Interrupted != paid || b.stored(src) != 20 {
			t.Errorf("crash %d: then sent %q, %+v", i, got, r)
		}
	}
}

// The rest of this file kills a process with signal 9 while it embeds into a store, and compares the log of the server with what
// the store says.

const childVariable = "AGENVANTAGE_TEST_EMBED_CHILD" // "url folder chunks"

func TestMain(m *testing.M) {
	if spec := os.Getenv(childVariable); spec != "" {
		os.Exit(child(strings.Fields(spec)))
	}
	os.Exit(m.Run())
}

// child is the process that is killed.
func child(spec []string) int {
	n, err := strconv.Atoi(spec[2])
	if err == nil {
		var st *store.Store
		if st, err = store.Open(spec[1], store.Options{Create: true}); err == nil {
			_, err = Run(context.Background(), &remote{url: spec[0]}, st, numbered(n), Options{Concurrency: 4})
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("done")
	return 0
}

// remote is an embedder over HTTP of the smallest kind.
type remote struct {
	fake
	url string
}

func (r *remote) Embed(ctx context.Context, _ embed.Purpose, texts []string) ([]embed.Answer, error) {
	var body strings.Builder
	if err := json.NewEncoder(&body).Encode(texts); err != nil {
		return nil, err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, strings.NewReader(body.String()))
	if err != nil {
		return nil, err
	}
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", embed.ErrUnreachable, err)
	}
	defer a.Body.Close()
	var vectors []embed.Vector
	if err := json.NewDecoder(a.Body).Decode(&vectors); err != nil || len(vectors) != len(texts) {
		return nil, fmt.Errorf("%w: %d vectors: %w", embed.ErrUnreachable, len(vectors), err)
	}
	all := make([]embed.Answer, len(texts))
	for i := range vectors {
		all[i].Vector = vectors[i]
	}
	return all, nil
}

// service is a server that remembers what it was sent.
type service struct {
	*httptest.Server
	mu       sync.Mutex
	requests [][]string
	each     func(n int) // after the request number n, before its answer
}

func startService(t *testing.T, addr string) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		var inputs []string
		if err != nil || json.Unmarshal(b, &inputs) != nil {
			return // the client died while it sent
		}
		s.mu.Lock()
		s.requests = append(s.requests, inputs)
		n, each := len(s.requests), s.each
		s.mu.Unlock()
		if each != nil {
			each(n)
		}
		vectors := make([]embed.Vector, len(inputs))
		for i := range inputs {
			vectors[i] = vectorOf(inputs[i])
		}
		_ = json.NewEncoder(w).Encode(vectors)
	}))
	if addr != "" {
		l, err := net.Listen("tcp", addr)
		must(t, err)
		s.Listener.Close()
		s.Listener = l
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// sentOf is how often each hash is in the log of the server.
func (s *service) sentOf() map[store.Hash]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[store.Hash]int{}
	for _, r := range s.requests {
		for _, x := range r {
			all[hashOf(x)]++
		}
	}
	return all
}

func TestKilledRuns(t *testing.T) {
	chunks, kills := 20_000, 20
	if testing.Short() {
		chunks, kills = 2_000, 4
	}
	server, dir, src := startService(t, ""), t.TempDir(), numbered(chunks)
	rng := rand.New(rand.NewPCG(1, 9))
	committed := map[store.Hash]bool{}
	for kill := range kills {
		server.mu.Lock()
		before := len(server.requests)
		at := before + 1 + rng.IntN(chunks/DefaultItems/kills)
		reached := make(chan struct{})
		server.each = func(n int) {
			if n == at {
				close(reached)
			}
		}
		server.mu.Unlock()
		cmd, out := startChild(t, server.URL, dir, chunks)
		select {
		case <-reached:
		case line := <-out:
			t.Fatalf("kill %d: the child ended before: %q", kill, line)
		}
		must(t, cmd.Process.Kill())
		_ = cmd.Wait()
		checkAfterKill(t, server, dir, src, before, committed)
	}
	server.mu.Lock()
	server.each = nil
	server.mu.Unlock()
	cmd, out := startChild(t, server.URL, dir, chunks)
	if line := <-out; line != "done" {
		t.Fatalf("the last child says %q", line)
	}
	must(t, cmd.Wait())
	b := newBench(t)
	b.open(dir)
	if n := b.stored(src); n != chunks {
		t.Errorf("%d vectors, want %d", n, chunks)
	}
	// The ledger and the server's log tell the same story.
	ledger := map[store.Hash]int{}
	again := 0
	must(t, b.store.Log(ctx, store.LogFilter{}, func(e store.Entry) error {
		ledger[e.Hash]++
		if e.MaybePaid() {
			again++
		}
		return nil
	}))
	sent, more := server.sentOf(), 0
	for hash, n := range sent {
		if ledger[hash] < n { // a request on record that never left is fine, one that left and is not on record is not
			t.Errorf("%x was sent %d times and is %d times in the ledger", hash, n, ledger[hash])
		}
		more += n - 1
	}
	if bound := kills * DefaultConcurrency * DefaultItems; more > again || again > bound {
		t.Errorf("%d texts were paid again; the ledger says up to %d; %d kills allow %d", more, again, kills, bound)
	}
	t.Logf("%d kills: %d texts paid again, up to %d by the ledger", kills, more, again)
}

// checkAfterKill looks at the store that a killed process left: nothing that was committed before is lost or was sent again.
func checkAfterKill(t *testing.T, server *service, dir string, src source, before int, committed map[store.Hash]bool) {
	t.Helper()
	server.mu.Lock()
	for _, r := range server.requests[before:] {
		for _, x := range r {
			if committed[hashOf(x)] {
				t.Errorf("%q was committed and is sent again", x)
			}
		}
	}
	server.mu.Unlock()
	b := newBench(t)
	b.open(dir)
	defer b.store.Close()
	id, _ := (&fake{}).Identity(ctx)
	have, err := b.store.Have(ctx, id.Key(), src.hashes())
	must(t, err)
	for i, hash := range src.hashes() {
		if committed[hash] && !have[i] {
			t.Errorf("%q was committed and is lost", src[i].text)
		}
		if have[i] {
			committed[hash] = true
		}
	}
	if n := b.ledger()["committed:"]; n != len(committed) {
		t.Errorf("%d vectors and %d committed entries", len(committed), n)
	}
	if open := b.ledger()["sent:"]; open > DefaultConcurrency*DefaultItems {
		t.Errorf("%d texts under way", open)
	}
}

func startChild(t *testing.T, url, dir string, chunks int) (*exec.Cmd, <-chan string) {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", childVariable, url, dir, chunks))
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	out := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(pipe).ReadString('\n')
		out <- strings.TrimSpace(line)
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, out
}

// The server dies, and comes back, in the middle: each run ends at once with what it has, and the last has it all.
func TestServerThatDiesAndComesBack(t *testing.T) {
	b, src := newBench(t), numbered(600)
	b.o.MaxItems, b.o.Concurrency = 16, 4
	addr := ""
	sent := map[store.Hash]int{}
	paid, deaths := 0, 0
	for {
		s := startService(t, addr)
		addr = s.Listener.Addr().String()
		s.each = func(n int) {
			if n == 7 {
				s.CloseClientConnections()
				s.Listener.Close()
			}
		}
		r, err := Run(ctx, &remote{url: s.URL}, b.store, src, b.o)
		s.Close()
		for hash, n := range s.sentOf() {
			sent[hash] += n
		}
		paid += r.PaidWithoutResult
		if err == nil {
			break
		}
		if deaths++; deaths > 20 || r.Committed == 0 {
			t.Fatalf("run %d: %v %+v", deaths, err, r)
		}
	}
	more := 0
	for _, n := range sent {
		more += n - 1
	}
	if b.stored(src) != 600 || more > paid || deaths < 3 {
		t.Errorf("%d vectors, %d texts paid again, %d by the reports, %d deaths", b.stored(src), more, paid, deaths)
	}
}
