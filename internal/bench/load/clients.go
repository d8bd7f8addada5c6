package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// freshWithin is how long after the last change an answer may be stale.
const freshWithin = time.Second

// load is what many clients ask, and what came of it. Half of the questions are about the newest marker that was on disk before the
// question was sent: an answer that does not have it is behind the tree and has to say so.
type load struct {
	served  *served
	writer  *writer
	clients int

	mu     sync.Mutex
	shots  []shot
	faults map[string]int
	cut    atomic.Int64 // questions whose clients left with the end of the load
}

// shot is one answer.
type shot struct {
	operation string
	at        time.Time // when it was complete
	took      time.Duration
	asked     bool // about a marker
	found     bool // and has it
	stale     bool // says that it is stale
	failed    bool
}

func newLoad(s *served, w *writer, clients int) *load {
	return &load{served: s, writer: w, clients: clients, faults: map[string]int{}}
}

// warm asks until an answer is complete and fresh.
func (l *load) warm() error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if s := l.askMarker(context.Background()); s.found && !s.stale {
			return nil
		}
	}
	return fmt.Errorf("no fresh answer in a minute: %v", l.faults)
}

// run lets all clients ask until the context ends.
func (l *load) run(ctx context.Context, think time.Duration) {
	var all sync.WaitGroup
	for c := range l.clients {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(c), 5))
			for ctx.Err() == nil {
				if s := l.ask(ctx, random); ctx.Err() == nil {
					l.keep(s)
				} else {
					l.cut.Add(1)
				}
				if think > 0 {
					select {
					case <-ctx.Done():
					case <-time.After(think):
					}
				}
			}
		})
	}
	all.Wait()
}

func (l *load) keep(s shot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shots = append(l.shots, s)
}

// ask asks one question: half are markers, the rest what agents ask.
func (l *load) ask(ctx context.Context, random *rand.Rand) shot {
	word := func() string { return words[random.IntN(len(words))] }
	switch n := random.IntN(100); {
	case n < 50:
		return l.askMarker(ctx)
	case n < 65:
		return l.post(ctx, "search", map[string]any{"query": fmt.Sprintf("how does the %s %s each %s", word(), word(), word())}, "")
	case n < 80:
		return l.post(ctx, "search", map[string]any{"query": word() + " " + word()}, "")
	case n < 88:
		return l.post(ctx, "symbol", map[string]any{"name": markerName(max(0, l.writer.last()-random.IntN(20)))}, "")
	case n < 96:
		return l.post(ctx, "read", map[string]any{"location": fileName(hotFiles+random.IntN(1000)) + ":1-40"}, "")
	}
	return l.post(ctx, "pack", map[string]any{"task": fmt.Sprintf("the %s of a %s is wrong when the %s is empty", word(), word(), word())}, "")
}

func (l *load) askMarker(ctx context.Context) shot {
	marker := markerName(l.writer.last())
	return l.post(ctx, "search", map[string]any{"query": marker}, marker)
}

// post asks the server. marker is what the answer should have, "" for nothing.
func (l *load) post(ctx context.Context, operation string, arguments map[string]any, marker string) shot {
	s := shot{operation: operation, asked: marker != ""}
	body, err := json.Marshal(arguments)
	if err != nil {
		return l.fault(s, err.Error())
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.served.url+"/v1/"+operation, bytes.NewReader(body))
	if err != nil {
		return l.fault(s, err.Error())
	}
	request.Header.Set("Content-Type", "application/json")
	began := time.Now()
	response, err := l.served.client.Do(request)
	if ctx.Err() != nil {
		return s
	}
	if err != nil {
		return l.fault(s, err.Error())
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	s.at = time.Now()
	s.took = s.at.Sub(began)
	switch {
	case ctx.Err() != nil:
		return s
	case err != nil:
		return l.fault(s, err.Error())
	case response.StatusCode != http.StatusOK && !(operation == "symbol" && response.StatusCode == http.StatusBadRequest): // its name may be gone
		return l.fault(s, fmt.Sprintf("%s: %d %.200s", operation, response.StatusCode, text))
	}
	var answer struct {
		Results  []struct{ Text string } `json:"results"`
		Coverage struct {
			Stale bool `json:"stale"`
		} `json:"coverage"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return l.fault(s, err.Error())
	}
	s.stale = answer.Coverage.Stale
	for _, r := range answer.Results {
		s.found = s.found || marker != "" && strings.Contains(r.Text, "func "+marker)
	}
	return s
}

func (l *load) fault(s shot, message string) shot {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.faults[message]++
	s.failed = true
	if s.at.IsZero() {
		s.at = time.Now()
	}
	return s
}

// percentile is the time that a share of the sorted times does not exceed.
func percentile(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)].Round(100 * time.Microsecond)
}

func (l *load) print(o options, changes int) {
	took := map[string][]time.Duration{}
	stale, fresh := 0, 0
	for _, s := range l.shots {
		took["all"] = append(took["all"], s.took)
		took[s.operation] = append(took[s.operation], s.took)
		if s.asked && s.stale {
			stale++
		} else if s.asked {
			fresh++
		}
	}
	fmt.Printf("load      %d clients for %s, %d changes, %d answers (%.0f/s), %d errors, %d stale unsaid; of %d about the newest change %d said that they are stale; %d were left at the end\n",
		l.clients, o.load, changes, len(l.shots), float64(len(l.shots))/o.load.Seconds(), failed(l.shots), unsaid(l.shots), stale+fresh, stale, l.cut.Load())
	for _, operation := range []string{"all", "search", "symbol", "read", "pack"} {
		times := took[operation]
		slices.Sort(times)
		fmt.Printf("%-9s p50 %s p95 %s p99 %s most %s (%d)\n", operation, percentile(times, 0.50), percentile(times, 0.95), percentile(times, 0.99), percentile(times, 1), len(times))
	}
	for message, n := range l.faults {
		fmt.Printf("error     %d times: %s\n", n, message)
	}
}

// failed counts the answers that were errors.
func failed(shots []shot) int {
	n := 0
	for _, s := range shots {
		if s.failed {
			n++
		}
	}
	return n
}

// unsaid counts the answers that lack the newest change and do not say that they are stale.
func unsaid(shots []shot) int {
	n := 0
	for _, s := range shots {
		if s.asked && !s.failed && !s.found && !s.stale {
			n++
		}
	}
	return n
}

func (l *load) verdict() error { return verdict(l.shots) }

func verdict(shots []shot) error {
	failed, unsaid := failed(shots), unsaid(shots)
	if failed+unsaid == 0 {
		return nil
	}
	return fmt.Errorf("%d answers were errors, %d were stale without saying so", failed, unsaid)
}

// calmed is what came after the last change.
type calmed struct{ shots []shot }

// calm asks for the newest marker at a rate until the context ends.
func (l *load) calm(ctx context.Context, rate float64) calmed {
	var c calmed
	var mu sync.Mutex
	var all sync.WaitGroup
	tick := time.NewTicker(time.Duration(float64(time.Second) / rate))
	defer tick.Stop()
	for ctx.Err() == nil {
		all.Go(func() {
			s := l.askMarker(context.Background())
			mu.Lock()
			defer mu.Unlock()
			c.shots = append(c.shots, s)
		})
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	all.Wait()
	return c
}

// lastStale is when the last stale answer was complete, after the changes stopped; late counts those that came too late.
func (c calmed) lastStale(stopped time.Time) (last time.Duration, stale, late int) {
	for _, s := range c.shots {
		if s.failed || s.found && !s.stale {
			continue
		}
		stale++
		after := s.at.Sub(stopped)
		last = max(last, after)
		if after > freshWithin {
			late++
		}
	}
	return last, stale, late
}

func (c calmed) print(stopped time.Time) {
	last, stale, late := c.lastStale(stopped)
	var took []time.Duration
	for _, s := range c.shots {
		took = append(took, s.took)
	}
	slices.Sort(took)
	fmt.Printf("after     %d answers, %d errors, p50 %s p95 %s; %d stale, the last %s after the changes stopped, %d later than %s, %d unsaid\n", len(c.shots), failed(c.shots),
		percentile(took, 0.5), percentile(took, 0.95), stale, last.Round(time.Millisecond), late, freshWithin, unsaid(c.shots))
}

func (c calmed) verdict(stopped time.Time) error {
	err := verdict(c.shots)
	if _, _, late := c.lastStale(stopped); late > 0 {
		err = errors.Join(err, fmt.Errorf("%d answers were stale more than %s after the changes stopped", late, freshWithin))
	}
	return err
}
