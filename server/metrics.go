package server

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// durations are the upper bounds of the histogram's buckets, in seconds: a search takes some 10 ms, a pack some 100.
var durations = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}

// metrics counts what the HTTP server does, in the text format of Prometheus (version 0.0.4). It is safe for concurrent use.
type metrics struct {
	mu       sync.Mutex
	requests map[[2]string]uint64 // by endpoint and status
	times    map[string]*histogram
	inFlight int
}

// histogram holds, for each of durations, how many took no longer, and the sum in seconds.
type histogram struct {
	within []uint64
	count  uint64
	sum    float64
}

func newMetrics() *metrics {
	return &metrics{requests: map[[2]string]uint64{}, times: map[string]*histogram{}}
}

func (m *metrics) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight++
}

func (m *metrics) end(endpoint string, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight--
	m.requests[[2]string{endpoint, fmt.Sprint(status)}]++
	h := m.times[endpoint]
	if h == nil {
		h = &histogram{within: make([]uint64, len(durations))}
		m.times[endpoint] = h
	}
	for i, bound := range durations {
		if took.Seconds() <= bound {
			h.within[i]++
		}
	}
	h.count++
	h.sum += took.Seconds()
}

// write prints all metrics, in a fixed order. generations are those of the indexes, by root.
func (m *metrics) write(w io.Writer, generations map[string]uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	head := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	head("agenvantage_http_requests_total", "counter", "Requests that were answered, by endpoint and status.")
	keys := slices.SortedFunc(maps.Keys(m.requests), func(a, b [2]string) int { return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1]) })
	for _, k := range keys {
		fmt.Fprintf(&b, "agenvantage_http_requests_total{endpoint=%s,status=%s} %d\n", label(k[0]), label(k[1]), m.requests[k])
	}
	head("agenvantage_http_requests_in_flight", "gauge", "Requests that are being answered.")
	fmt.Fprintf(&b, "agenvantage_http_requests_in_flight %d\n", m.inFlight)
	head("agenvantage_http_request_duration_seconds", "histogram", "Time from the request to the end of its answer.")
	for _, endpoint := range slices.Sorted(maps.Keys(m.times)) {
		h := m.times[endpoint]
		for i, bound := range durations {
			fmt.Fprintf(&b, "agenvantage_http_request_duration_seconds_bucket{endpoint=%s,le=\"%g\"} %d\n", label(endpoint), bound, h.within[i])
		}
		fmt.Fprintf(&b, "agenvantage_http_request_duration_seconds_bucket{endpoint=%s,le=\"+Inf\"} %d\n", label(endpoint), h.count)
		fmt.Fprintf(&b, "agenvantage_http_request_duration_seconds_sum{endpoint=%s} %g\n", label(endpoint), h.sum)
		fmt.Fprintf(&b, "agenvantage_http_request_duration_seconds_count{endpoint=%s} %d\n", label(endpoint), h.count)
	}
	head("agenvantage_index_generation", "gauge", "Generation of the index that answers come from, 0 without one.")
	for _, root := range slices.Sorted(maps.Keys(generations)) {
		fmt.Fprintf(&b, "agenvantage_index_generation{root=%s} %d\n", label(root), generations[root])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// label quotes a label's value.
func label(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(s, "\ufffd")) + `"`
}
