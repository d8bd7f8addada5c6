package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agenvantage"
)

func newHTTP(t *testing.T, f *fake, o HTTPOptions) *HTTP {
	t.Helper()
	h := newHub(t, f, nil)
	m, err := NewMCP(h, MCPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if o.Host == "" {
		o.Host = "127.0.0.1"
	}
	s, err := NewHTTP(h, m, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// request is a request as a client makes it, with headers as "Name: value".
func request(method, at, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, at, strings.NewReader(body))
	r.Host = "127.0.0.1:7777"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		switch name {
		case "Host":
			r.Host = value
		case "Content-Type":
			r.Header.Set(name, value)
		default:
			r.Header.Add(name, value)
		}
	}
	return r
}

func serve(s http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func TestHTTPAnswers(t *testing.T) {
	f := &fake{}
	f.answer = func(_ context.Context, c Call) (Answer, error) {
		if a, ok := c.Arguments.(*SearchArguments); ok && a.Query == "<" {
			return Answer{Value: map[string]any{"query": a.Query}}, nil
		}
		switch c.Operation {
		case "why":
			return Answer{}, fmt.Errorf("%w: the pack is not kept", agenvantage.ErrBadInput)
		case "plan":
			return Answer{}, errors.New("disk is gone")
		case "status":
			return Answer{}, agenvantage.ErrIncomplete
		}
		return Answer{Value: map[string]any{"operation": c.Operation}}, nil
	}
	s := newHTTP(t, f, HTTPOptions{MaxBodyBytes: 200})
	for _, c := range []struct {
		r      *http.Request
		status int
		body   string
	}{
		{request("POST", "/v1/search", `{"query":"<"}`), 200, `{"query":"<"}`},
		{request("POST", "/v1/tests_for", `{"location":"a.go"}`), 200, `{"operation":"tests_for"}`},
		{request("POST", "/v1/search", `{"query":"x"}`, "Content-Type: application/json; charset=utf-8"), 200, `{"operation":"search"}`},
		{request("POST", "/v1/search", `{"query":"x","odd":1}`), 400, `{"error":{"kind":"bad_input","message":"search: unknown argument \"odd\"; the arguments are`},
		{request("POST", "/v1/search", `{`), 400, `"kind":"bad_input"`},
		{request("POST", "/v1/read", `{"location":"../x"}`), 400, `not below the root`},
		{request("POST", "/v1/search", `{"query":"`+strings.Repeat("x", 200)+`"}`), 413, `"kind":"too_large"`},
		{request("POST", "/v1/why", `{"pack_id":"p","location":"a"}`), 400, `the pack is not kept`},
		{request("POST", "/v1/plan", `{"task":"p"}`), 500, `{"error":{"kind":"internal","message":"disk is gone"}}`},
		{request("POST", "/v1/status", `{}`), 503, `"kind":"incomplete"`},
		{request("POST", "/v1/odd", `{}`), 404, `"kind":"not_found"`},
		{request("GET", "/v1/search", ``), 405, `"kind":"method_not_allowed"`},
		{request("GET", "/odd", ``), 404, `"kind":"not_found"`},
		{request("GET", "/../etc/passwd", ``), 404, `"kind":"not_found"`},
		{request("POST", "//v1/search", `{"query":"x"}`), 404, `"kind":"not_found"`}, // and not sent on to another path
		{request("POST", "/v1//search", `{"query":"x"}`), 404, `"kind":"not_found"`},
		{request("POST", "/v1/./search", `{"query":"x"}`), 404, `"kind":"not_found"`},
		{request("POST", "/v1/search/", `{"query":"x"}`), 404, `"kind":"not_found"`},
		{request("GET", "//", ``), 404, `"kind":"not_found"`},
		{request("GET", "/healthz", ``), 200, "ok\n"},
		{request("HEAD", "/healthz", ``), 200, ""},
		{request("DELETE", "/healthz", ``), 405, `"kind"`},
	} {
		w := serve(s, c.r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) {
			t.Errorf("%s %s: %d %s", c.r.Method, c.r.URL, w.Code, w.Body)
		}
		if w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other origins are let in", c.r.URL)
		}
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"} {
		if w := serve(s, request("POST", "/v1/search", `{"query":"x"}`, "Content-Type: "+kind)); w.Code != 415 {
			t.Errorf("%q: %d %s", kind, w.Code, w.Body)
		}
	}
}

func TestReady(t *testing.T) {
	let := make(chan struct{})
	f := &fake{}
	f.build = func(ctx context.Context, _ func(Progress)) error { <-let; f.generation.Store(7); return nil }
	s := newHTTP(t, f, HTTPOptions{})
	s.hub.Start(s.hub.options.Roots.first())
	if w := serve(s, request("GET", "/readyz", "")); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("without an index: %d", w.Code)
	}
	close(let)
	end := time.Now().Add(5 * time.Second)
	for serve(s, request("GET", "/readyz", "")).Code != 200 {
		if time.Now().After(end) {
			t.Fatal("never ready")
		}
		runtime.Gosched()
	}
	serve(s, request("POST", "/v1/search", `{"query":"x"}`))
	text := serve(s, request("GET", "/metrics", "")).Body.String()
	for _, want := range []string{`agenvantage_http_requests_total{endpoint="/v1/search",status="200"} 1`, `agenvantage_http_request_duration_seconds_bucket{endpoint="/v1/search",le="+Inf"} 1`,
		`agenvantage_http_request_duration_seconds_count{endpoint="/v1/search"} 1`, "agenvantage_http_requests_in_flight 1\n", `agenvantage_index_generation{root="` + s.hub.options.Roots.first() + `"} 7`} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s:\n%s", want, text)
		}
	}
	line := regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"\\]*",?)*\})? [0-9.e+-]+)$`)
	for l := range strings.Lines(text) {
		if !line.MatchString(strings.TrimSuffix(l, "\n")) {
			t.Errorf("no line of the format: %q", l)
		}
	}
}

func TestMetricsBuckets(t *testing.T) {
	m := newMetrics()
	for _, d := range []time.Duration{time.Millisecond, 20 * time.Millisecond, time.Minute} {
		m.begin()
		m.end("/x", 200, d)
	}
	var b bytes.Buffer
	if err := m.write(&b, map[string]uint64{`a"b\`: 1}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`le="0.005"} 1`, `le="0.01"} 1`, `le="0.025"} 2`, `le="30"} 2`, `le="+Inf"} 3`, `_sum{endpoint="/x"} 60.021`, `{root="a\"b\\"} 1`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %s:\n%s", want, b.String())
		}
	}
}

// The channels come as they arrive, then the answer.
func TestStream(t *testing.T) {
	let := make(chan struct{})
	f := &fake{answer: func(_ context.Context, c Call) (Answer, error) {
		if c.Arguments.(*SearchArguments).Query == "bad" {
			return Answer{}, agenvantage.ErrBadInput
		}
		c.Told(ChannelList{Name: "exact", Hits: []ChannelHit{{Rank: 1, Path: "a.go", StartLine: 1, EndLine: 2}}, Total: 1})
		<-let
		c.Told(ChannelList{Name: "bm25f", Hits: []ChannelHit{}})
		if c.Arguments.(*SearchArguments).Query == "late" {
			return Answer{}, agenvantage.ErrBusy
		}
		return Answer{Value: map[string]any{"results": []int{}}}, nil
	}}
	s := newHTTP(t, f, HTTPOptions{})
	at := httptest.NewServer(s)
	defer at.Close()
	ask := func(query string) *http.Response {
		r, err := http.NewRequest("POST", at.URL+"/v1/search", strings.NewReader(fmt.Sprintf(`{"query":%q}`, query)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json;q=0.5, text/event-stream")
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := ask("x")
	defer w.Body.Close()
	if kind := w.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("type %s", kind)
	}
	lines := bufio.NewReader(w.Body)
	first, _ := lines.ReadString('\n')
	data, _ := lines.ReadString('\n')
	if first != "event: channel\n" || !strings.HasPrefix(data, `data: {"name":"exact","hits":[{"rank":1,"path":"a.go","start_line":1,"end_line":2,`) {
		t.Errorf("%q %q", first, data)
	}
	close(let)
	rest, err := io.ReadAll(lines)
	if err != nil || !strings.Contains(string(rest), "event: channel\ndata: {\"name\":\"bm25f\"") || !strings.HasSuffix(string(rest), "event: result\ndata: {\"results\":[]}\n\n") {
		t.Errorf("%v %q", err, rest)
	}
	bad := ask("bad")
	defer bad.Body.Close()
	if bad.StatusCode != 400 || bad.Header.Get("Content-Type") != "application/json" {
		t.Errorf("bad input: %d", bad.StatusCode)
	}
	late := ask("late")
	defer late.Body.Close()
	if text, _ := io.ReadAll(late.Body); !strings.HasSuffix(string(text), "event: error\ndata: {\"error\":{\"kind\":\"busy\",\"message\":\"another index run is active\"}}\n\n") {
		t.Errorf("%q", text)
	}
}

func TestMCPOverHTTP(t *testing.T) {
	s := newHTTP(t, &fake{}, HTTPOptions{})
	at := httptest.NewServer(s)
	defer at.Close()
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", ""} {
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
		session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: at.URL + "/mcp", HTTPClient: at.Client()}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		if _, text := callTool(t, session, "search", map[string]any{"query": "x"}); !strings.HasPrefix(text, "text of search\n") {
			t.Errorf("%s: %q", version, text)
		}
		if got := session.InitializeResult().ProtocolVersion; version != "" && got != version || version == "" && got != "2026-07-28" {
			t.Errorf("asked for %q, agreed on %q", version, got)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Serve ends with its context, though a stream is open.
func TestServeEnds(t *testing.T) {
	s := newHTTP(t, &fake{}, HTTPOptions{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, listener) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://" + listener.Addr().String() + "/mcp", MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the server goes on")
	}
	session.Close()
}

func TestOpenAPI(t *testing.T) {
	s := newHTTP(t, &fake{}, HTTPOptions{Token: "x"})
	w := serve(s, request("GET", "/openapi.json", "", "Authorization: Bearer x"))
	var d struct {
		OpenAPI string `json:"openapi"`
		Paths   map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Schema map[string]any } `json:"content"`
			} `json:"requestBody"`
		} `json:"paths"`
		Security []any `json:"security"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || d.OpenAPI != "3.1.0" || len(d.Security) != 1 {
		t.Fatalf("%v %+v", err, d)
	}
	for _, o := range Operations() {
		schema := d.Paths["/v1/"+o.Name]["post"].RequestBody.Content["application/json"].Schema
		if schema["type"] != "object" {
			t.Errorf("%s: %v", o.Name, schema)
		}
	}
}

// The page loads nothing from elsewhere, runs nothing inline, and names each of its fields.
func TestPage(t *testing.T) {
	s := newHTTP(t, &fake{}, HTTPOptions{})
	w := serve(s, request("GET", "/", ""))
	html, policy := w.Body.String(), w.Header().Get("Content-Security-Policy")
	if w.Code != 200 || !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'") || strings.Contains(policy, "unsafe") {
		t.Errorf("%d %s", w.Code, policy)
	}
	for _, name := range []string{"index.html", "page.js", "page.css"} {
		text, err := os.ReadFile("page/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if bad := regexp.MustCompile(`https?:|//[a-z]|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b| on[a-z]+=| style=`).FindString(string(text)); bad != "" {
			t.Errorf("%s holds %q", name, bad)
		}
	}
	var labels []string
	for _, m := range regexp.MustCompile(`<label for="([^"]+)"`).FindAllStringSubmatch(html, -1) {
		labels = append(labels, m[1])
	}
	for _, m := range regexp.MustCompile(`<input id="([^"]+)"`).FindAllStringSubmatch(html, -1) {
		if !slices.Contains(labels, m[1]) {
			t.Errorf("field %s has no label", m[1])
		}
	}
}
