//go:build unix

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"agenvantage/embed/embedtest"
)

// Sizes of the test of killed embedding runs: 20,000 chunks where 20 kills are asked for, else enough to be hit in the middle.
const (
	killedChunks   = 20_000
	fewChunks      = 1_200
	chunksOfAFile  = 20
	killedBatch    = 16
	killedInFlight = 4 // requests
)

// ledgerEntry is a line of embed log.
type ledgerEntry struct {
	Batch     int64  `json:"batch"`
	Purpose   string `json:"purpose"`
	Hash      string `json:"hash"`
	State     string `json:"state"`
	MaybePaid bool   `json:"maybe_paid"`
}

// embedTree is a tree of chunks that are too large to share one.
func embedTree(tl *tool, chunks int) {
	for f := range chunks / chunksOfAFile {
		var b strings.Builder
		for k := range chunksOfAFile {
			n := f*chunksOfAFile + k
			fmt.Fprintf(&b, "def survivor_%d(x):\n    \"\"\"Number %d.\"\"\"\n", n, n)
			for line := range 28 {
				fmt.Fprintf(&b, "    x = mix_%d(x, %d, step=%d)\n", line, n, line)
			}
			b.WriteString("    return x\n\n\n")
		}
		tl.write(fmt.Sprintf("pkg/m%d.py", f), b.String())
	}
	tl.commit()
}

// json runs an embed command that is to succeed and decodes what it prints.
func (tl *tool) embedJSON(into any, command ...string) {
	tl.t.Helper()
	o := tl.run("", tl.flags(append(append([]string{"embed"}, command...), "--json")...)...)
	if o.code != 0 {
		tl.t.Fatal(o)
	}
	if err := json.Unmarshal([]byte(o.stdout), into); err != nil {
		tl.t.Fatalf("%v: %v", err, o)
	}
}

// TestAKilledEmbeddingRunPaysOnlyForWhatWasInFlight kills the process, the service and the network in turn while chunks are embedded.
// What is committed is never sent again, what may be paid twice is no more than what was in flight and is in the ledger, and searches in
// between answer from the other channels.
func TestAKilledEmbeddingRunPaysOnlyForWhatWasInFlight(t *testing.T) {
	t.Parallel()
	kills, chunks := testKills(), fewChunks
	if kills >= 20 {
		chunks = killedChunks
	}
	service := embedtest.Start(t, embedtest.Mode{})
	tl := newTool(t).with("AGENVANTAGE_EMBED_PROVIDER=ollama", "AGENVANTAGE_EMBED_MODEL=mock-embed", "AGENVANTAGE_EMBED_BASE_URL="+service.URL,
		fmt.Sprintf("AGENVANTAGE_EMBED_BATCH=%d", killedBatch), fmt.Sprintf("AGENVANTAGE_EMBED_CONCURRENCY=%d", killedInFlight))
	embedTree(tl, chunks)
	tl.index()
	var plan struct{ Chunks, Requests int }
	tl.embedJSON(&plan, "plan")
	if plan.Chunks < chunks {
		t.Fatalf("%d chunks, want %d", plan.Chunks, chunks)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, %d chunks, %d requests", seed, plan.Chunks, plan.Requests)
	random := rand.New(rand.NewPCG(seed, 11))
	hits := 0
	for i := range kills {
		share := plan.Requests / kills
		if tl.killedRun(service, i%3, len(service.Asked())+1+random.IntN(max(share-1, 1))) {
			hits++
		}
		a := tl.searchWith(ask{channels: lexical + ",semantic"}, fmt.Sprintf("survivor_%d", random.IntN(chunks)))
		if len(a.Results) == 0 {
			t.Errorf("kill %d: the other channels do not answer: %+v", i, a.Channels)
		}
	}
	if hits == 0 {
		t.Error("no run was hit: nothing was tested")
	}
	var done struct{ Total, Done, Missing int }
	tl.embedJSON(&done, "run")
	if done.Done != done.Total || done.Total != plan.Chunks || done.Missing != 0 {
		t.Errorf("%+v of %d", done, plan.Chunks)
	}
	checkLedger(t, tl, service, kills, plan.Chunks)
}

// killedRun starts a run and, once so many requests have come, ends the process, the service or its connections. It reports whether the run
// was hit before its end.
func (tl *tool) killedRun(service *embedtest.Server, what, requests int) bool {
	tl.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	cmd := tl.command(ctx, tl.flags("embed", "run", "--json")...)
	if err := cmd.Start(); err != nil {
		tl.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	reached := make(chan struct{})
	go func() {
		service.Await(requests)
		close(reached)
	}()
	select {
	case <-reached:
	case err := <-ended: // there was less left to do
		tl.t.Logf("a run ended before request %d: %v", requests, err)
		return false
	}
	switch what {
	case 0:
		_ = cmd.Process.Kill()
	case 1:
		service.Down()
		defer service.Up()
	case 2:
		service.KillConnections()
	}
	err := <-ended
	return err != nil || what == 2 // a broken connection alone is no reason to give up
}

// checkLedger holds the ledger against what the service was sent.
func checkLedger(t *testing.T, tl *tool, service *embedtest.Server, kills, texts int) {
	t.Helper()
	var log struct{ Entries []ledgerEntry }
	tl.embedJSON(&log, "log", "--newest", "0")
	committed, again, sent := map[string]bool{}, 0, 0
	for _, e := range log.Entries {
		if e.Purpose != "document" {
			continue
		}
		sent++
		if committed[e.Hash] {
			t.Errorf("%s was sent again in request %d after its vector was stored", e.Hash, e.Batch)
		}
		committed[e.Hash] = e.State == "committed"
		if e.State == "sent" {
			t.Errorf("request %d is open", e.Batch)
		}
		if e.MaybePaid {
			again++
		}
	}
	if most := kills * killedInFlight * killedBatch; again > most {
		t.Errorf("%d texts may be paid twice, at most %d were in flight", again, most)
	}
	for hash, ok := range committed {
		if !ok {
			t.Errorf("%s has no vector", hash)
		}
	}
	received, distinct := 0, map[string]bool{}
	for _, r := range service.Asked() {
		for _, text := range r.Inputs {
			if strings.HasPrefix(text, "pkg/") {
				received++
				distinct[text] = true
			}
		}
	}
	if len(committed) != texts || len(distinct) != texts || received > sent || received-texts > again {
		t.Errorf("%d texts: %d in the ledger of which %d entries may be paid twice; the service got %d, of which %d different", texts, sent, again, received, len(distinct))
	}
	t.Logf("%d texts sent, %d of them may be paid twice", sent, again)
}
