package server

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agenvantage"
)

// HTTPOptions are those of an HTTP server. Zero values mean the defaults beside them.
type HTTPOptions struct {
	Host          string   // that it listens on, without a port: what Host headers may name beside the loopback
	Names         []string // other names that Host headers may have
	Token         string   // "" asks for none, which only addresses of the loopback may
	MaxBodyBytes  int64    // 0 means DefaultMaxBodyBytes
	MaxConcurrent int      // requests at the same time; 0 means DefaultMaxConcurrent
	Rate          float64  // requests in a second; 0 means DefaultRate
}

// The defaults of HTTPOptions. 64 agents that each wait for an answer stay below them.
const (
	DefaultMaxBodyBytes  = 4 << 20
	DefaultMaxConcurrent = 256
	DefaultRate          = 2000
)

// Times of the HTTP server itself.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 60 * time.Second // of a whole request
	writeTimeout      = 30 * time.Second // of an answer, after the time of its call
	idleTimeout       = 2 * time.Minute
	sessionTimeout    = 30 * time.Minute       // of an MCP conversation without a request
	shutdownTimeout   = 400 * time.Millisecond // a signal ends the program within a second
	maxHeaderBytes    = 64 << 10
)

// HTTP is the HTTP server of a hub.
type HTTP struct {
	hub     *Hub
	guard   *guard
	limiter *limiter
	metrics *metrics
	options HTTPOptions
	mcp     http.Handler
	// sessionless serves /mcp to clients of versions that have no sessions: each of their calls is a conversation of its own.
	sessionless http.Handler
	openapi     []byte
	mux         *http.ServeMux
	nowhere     http.HandlerFunc // of paths that are no endpoint
}

//go:embed page
var page embed.FS

// NewHTTP makes the server; m serves /mcp and may be nil. An address that needs a token without one is agenvantage.ErrBadInput.
func NewHTTP(h *Hub, m *MCP, o HTTPOptions) (*HTTP, error) {
	if o.MaxBodyBytes < 0 || o.MaxConcurrent < 0 || o.Rate < 0 {
		return nil, fmt.Errorf("%w: limits of an HTTP server are 0 or more", agenvantage.ErrBadInput)
	}
	if o.MaxBodyBytes == 0 {
		o.MaxBodyBytes = DefaultMaxBodyBytes
	}
	if o.MaxConcurrent == 0 {
		o.MaxConcurrent = DefaultMaxConcurrent
	}
	if o.Rate == 0 {
		o.Rate = DefaultRate
	}
	g, err := newGuard(o.Host, o.Token, o.Names)
	if err != nil {
		return nil, err
	}
	s := &HTTP{hub: h, guard: g, limiter: newLimiter(o.MaxConcurrent, o.Rate), metrics: newMetrics(), options: o, mux: http.NewServeMux()}
	if s.openapi, err = json.MarshalIndent(openAPI(h.options.Version, o.Token != ""), "", "  "); err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	if m != nil {
		s.mcp = mcpHandler(m, mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout, MaxRequestBodyBytes: o.MaxBodyBytes})
		s.sessionless = mcpHandler(m, mcp.StreamableHTTPOptions{Stateless: true, MaxRequestBodyBytes: o.MaxBodyBytes})
	}
	s.route()
	return s, nil
}

// sessionlessSince is the first version of MCP without sessions; versions are dates.
const sessionlessSince = "2026-07-28"

// mcpHandler serves m over HTTP. The guard of this server looks at Host and Origin, for every path.
func mcpHandler(m *MCP, o mcp.StreamableHTTPOptions) http.Handler {
	o.DisableLocalhostProtection, o.Logger = true, m.hub.log
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return m.server }, &o)
}

// route names the endpoints.
func (s *HTTP) route() {
	for _, o := range operations {
		s.handle("/v1/"+o.Name, http.MethodPost, false, func(w http.ResponseWriter, r *http.Request) error { return s.answer(w, r, o) })
	}
	s.handle("/openapi.json", http.MethodGet, false, func(w http.ResponseWriter, _ *http.Request) error {
		return write(w, http.StatusOK, "application/json", s.openapi)
	})
	s.handle("/healthz", http.MethodGet, true, func(w http.ResponseWriter, _ *http.Request) error {
		return write(w, http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n"))
	})
	s.handle("/readyz", http.MethodGet, true, s.ready)
	s.handle("/metrics", http.MethodGet, false, func(w http.ResponseWriter, r *http.Request) error {
		var b bytes.Buffer
		_, _, generations := s.hub.Ready(r.Context())
		if err := s.metrics.write(&b, generations); err != nil {
			return err
		}
		return write(w, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", b.Bytes())
	})
	for _, name := range []string{"index.html", "page.js", "page.css"} {
		at := "/" + name
		if name == "index.html" {
			at = "/{$}"
		}
		s.handle(at, http.MethodGet, true, func(w http.ResponseWriter, _ *http.Request) error { return asset(w, name) })
	}
	if s.mcp != nil {
		s.handle("/mcp", "", false, func(w http.ResponseWriter, r *http.Request) error {
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // its streams stay open
			if r.Header.Get("Mcp-Protocol-Version") >= sessionlessSince {
				s.serveMCP(w, r, s.sessionless)
			} else {
				s.serveMCP(w, r, s.mcp)
			}
			return nil
		})
	}
	s.nowhere = s.handle("/", "", true, func(_ http.ResponseWriter, r *http.Request) error {
		return fmt.Errorf("%w: there is nothing at %s; /openapi.json lists what there is", errUnknownOperation, r.URL.Path)
	})
}

// ServeHTTP answers one request. A path that is not spelled as an endpoint is nowhere: the library would send clients on to another
// spelling, in HTML, and some repeat a POST there as a GET.
func (s *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	clean := path.Clean(r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") && clean != "/" {
		clean += "/"
	}
	if clean != r.URL.Path {
		s.nowhere(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// handle adds an endpoint and gives its handler: the guard, the method and the limits come first. open is as of guard.check. Streams of /mcp, which stay
// open for hours, do not count against the limit of what runs at the same time.
func (s *HTTP) handle(at, method string, open bool, serve func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	endpoint := strings.TrimSuffix(at, "{$}")
	if at == "/" {
		endpoint = "other"
	}
	handler := func(w http.ResponseWriter, r *http.Request) {
		began, watched := time.Now(), &watched{ResponseWriter: w}
		s.metrics.begin()
		defer func() { s.metrics.end(endpoint, watched.code(), time.Since(began)) }()
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		if endpoint != "/mcp" { // who reads so slowly must not hold a place for ever
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.hub.options.Timeout + writeTimeout))
		}
		if err := s.guard.check(r, open); err != nil {
			s.fail(watched, err)
			return
		}
		if method != "" && r.Method != method && !(method == http.MethodGet && r.Method == http.MethodHead) {
			w.Header().Set("Allow", method)
			s.fail(watched, fmt.Errorf("%w: %s wants %s", errMethod, endpoint, method))
			return
		}
		if stream := endpoint == "/mcp" && r.Method == http.MethodGet; !open && !stream {
			leave, wait := s.limiter.enter()
			if leave == nil {
				w.Header().Set("Retry-After", strconv.Itoa(wait))
				s.fail(watched, fmt.Errorf("%w: try again after %d s", errTooMany, wait))
				return
			}
			defer leave()
		}
		if err := serve(watched, r); err != nil {
			s.fail(watched, err)
		}
	}
	s.mux.HandleFunc(at, handler)
	return handler
}

// answer answers POST /v1/NAME with the command line's JSON, or as a stream.
func (s *HTTP) answer(w http.ResponseWriter, r *http.Request, o Operation) error {
	if !isJSON(r) {
		return fmt.Errorf("%w: the body is JSON, with Content-Type: application/json", errMediaType)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.options.MaxBodyBytes))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return fmt.Errorf("%w: a body has at most %d bytes", errTooLarge, s.options.MaxBodyBytes)
	case err != nil:
		return fmt.Errorf("%w: the body could not be read: %v", agenvantage.ErrBadInput, err)
	}
	body = bytes.TrimPrefix(body, []byte(byteOrderMark))
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // all is read; that of the call is the hub's
	if o.Name == "search" && accepts(r, "text/event-stream") {
		return s.stream(w, r, o, body)
	}
	answer, err := s.hub.ask(s.hub.options.Tracer.Caller(r.Context(), r.Header.Get), o, body, asker{})
	if err != nil {
		return err
	}
	text, err := encode(answer.Value)
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, "application/json", text)
}

// byteOrderMark is what some programs write before the text of a body.
const byteOrderMark = "\xef\xbb\xbf"

// isJSON reports whether the body of a request is said to be JSON.
func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// accepts reports whether a request names a media type among those that it takes.
func accepts(r *http.Request, kind string) bool {
	for _, part := range strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if name, _, err := mime.ParseMediaType(strings.TrimSpace(part)); err == nil && name == kind {
			return true
		}
	}
	return false
}

// ready is 200 once there is an index to answer from.
func (s *HTTP) ready(w http.ResponseWriter, r *http.Request) error {
	ready, why, generations := s.hub.Ready(r.Context())
	status := http.StatusOK
	if !ready {
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	}
	body := map[string]any{"ready": ready, "roots": len(generations)} // not which: no token is needed here
	if why != "" {
		body["reason"] = why
	}
	text, err := encode(body)
	if err != nil {
		return err
	}
	return write(w, status, "application/json", text)
}

// asset answers with a file of the page. It may load its own files and ask its own server, nothing else.
func asset(w http.ResponseWriter, name string) error {
	text, err := page.ReadFile("page/" + name)
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	return write(w, http.StatusOK, map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}[path.Ext(name)], text)
}

// encode writes a value as one line of JSON.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return b.Bytes(), nil
}

func write(w http.ResponseWriter, status int, kind string, text []byte) error {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text) // who does not read on has gone
	return nil
}

// fail answers with an error as data, unless the answer has begun.
func (s *HTTP) fail(w *watched, err error) {
	if w.status != 0 {
		return
	}
	status := statusOf(err)
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if status == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "" {
		w.Header().Set("Retry-After", "2")
	}
	if status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable {
		s.hub.log.Warn("a request failed", "error", err)
	}
	text, e := encode(map[string]any{"error": errorBody(err)})
	if e == nil {
		_ = write(w, status, "application/json", text)
	}
}

// watched remembers the status of an answer.
type watched struct {
	http.ResponseWriter
	status int
}

func (w *watched) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *watched) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController flush, and Flush those who look for http.Flusher.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }
func (w *watched) Flush()                      { _ = http.NewResponseController(w.ResponseWriter).Flush() }

func (w *watched) code() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}

// Serve serves on a listener until the context ends, then lets what is in flight end within shutdownTimeout.
func (s *HTTP) Serve(ctx context.Context, listener net.Listener) error {
	s.hub.Start(s.hub.options.Roots.first())
	server := &http.Server{Handler: s, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: log.New(logWriter{s.hub.log}, "", 0)}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve HTTP: %w", err)
	case <-ctx.Done():
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if server.Shutdown(bounded) != nil {
		_ = server.Close() // streams do not end by themselves
	}
	<-done
	return nil
}

// logWriter gives the lines of the HTTP library to the log.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(b []byte) (int, error) {
	w.log.Info("http", "message", strings.TrimSpace(string(b)))
	return len(b), nil
}
