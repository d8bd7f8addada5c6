package embedtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// asked is the union of what the shapes ask with.
type asked struct {
	Model     string          `json:"model"`
	Input     json.RawMessage `json:"input"`
	Texts     []string        `json:"texts"`
	InputType string          `json:"input_type"`
	Query     string          `json:"query"`
	Documents []string        `json:"documents"`
	Prompt    string          `json:"prompt"`
	// asked dimensions, by shape
	Dimensions      int `json:"dimensions"`
	OutputDimension int `json:"output_dimension"`
}

func (a asked) inputs() []string {
	var many []string
	var one string
	switch {
	case a.Documents != nil:
		return a.Documents
	case a.Texts != nil:
		return a.Texts
	case json.Unmarshal(a.Input, &many) == nil && many != nil:
		return many
	case json.Unmarshal(a.Input, &one) == nil:
		return []string{one}
	}
	return []string{a.Prompt}
}

// shapeOf names the shape of a path by its end, so that any base address works; "" is none.
func shapeOf(path string) string {
	for _, s := range []struct{ tail, shape string }{
		{"/api/embed", "ollama"}, {"/v2/embed", "cohere"}, {"/embeddings", "openai"}, {"/moved", "openai"}, {"/v2/rerank", "cohere rerank"},
		{"/jina/v1/rerank", "jina rerank"}, {"/voyage/v1/rerank", "voyage rerank"},
	} {
		if strings.HasSuffix(path, s.tail) {
			return s.shape
		}
	}
	return ""
}

// call is one request for embedding or reranking while it is answered.
type call struct {
	s      *Server
	w      http.ResponseWriter
	at     int // in the log
	n      int
	mode   Mode
	shape  string
	auth   string
	asked  asked
	inputs []string
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the other side is gone
	}
	c := &call{s: s, w: w, shape: shapeOf(r.URL.Path), auth: r.Header.Get("Authorization")}
	bad := json.Unmarshal(body, &c.asked) != nil
	if c.shape != "" {
		c.inputs = c.asked.inputs()
	}
	s.mu.Lock()
	c.mode = s.mode
	if c.shape != "" {
		s.n++
		c.n = s.n
	}
	c.at = len(s.requests)
	s.requests = append(s.requests, Request{N: c.n, Time: time.Now(), Method: r.Method, Path: r.URL.RequestURI(), Model: c.asked.Model, Inputs: c.inputs,
		Query: c.asked.Query, InputType: c.asked.InputType, Auth: c.auth, Body: string(body)})
	s.arrived.Broadcast()
	s.mu.Unlock()
	if c.mode.Dimensions == 0 {
		c.mode.Dimensions = 64
	}
	if c.mode.Model == "" {
		c.mode.Model = "mock-embed:latest"
	}
	switch {
	case c.shape == "":
		c.other(r)
	case bad:
		c.fail(http.StatusBadRequest, "bad json")
	case !c.broken():
		c.answer()
	}
}

// other answers what is neither embedding nor reranking.
func (c *call) other(r *http.Request) {
	type m = map[string]any
	switch path := r.URL.Path; {
	case c.mode.Fault == Auth && !c.keyFits():
		c.fail(http.StatusUnauthorized, "missing key")
	case strings.HasSuffix(path, "/api/tags") && c.mode.Fault != NoList:
		models := []m{}
		if c.mode.Fault != Missing {
			models = append(models, m{"name": c.mode.Model, "model": c.mode.Model, "digest": c.mode.Digest, "remote_host": c.mode.RemoteHost})
		}
		c.send(http.StatusOK, m{"models": models})
	case strings.HasSuffix(path, "/api/show") && c.mode.Window > 0:
		c.send(http.StatusOK, m{"model_info": m{"general.architecture": "mock", "mock.context_length": c.mode.Window, "vision.context_length": 7}})
	default:
		c.send(http.StatusNotFound, "404 page not found")
	}
}

func (c *call) keyFits() bool {
	return c.auth != "" && (c.mode.Key == "" || c.auth == "Bearer "+c.mode.Key)
}

// broken answers by the mode's fault; false means that there is none for this request.
func (c *call) broken() bool {
	m, total, longest, poisoned := c.mode, 0, 0, false
	for _, text := range c.inputs {
		total, longest, poisoned = total+len(text), max(longest, len(text)), poisoned || strings.Contains(text, Poison)
	}
	over := len(c.inputs) > m.K && m.K > 0 || total > m.Limit && m.Limit > 0
	switch {
	case m.Fault == Rate && c.n <= m.K:
		c.fail(http.StatusTooManyRequests, "rate limited")
	case m.Fault == Quota && c.n > m.K:
		c.fail(http.StatusTooManyRequests, "insufficient_quota")
	case m.Fault == Flaky && c.n%2 == 1:
		c.fail(http.StatusServiceUnavailable, "overloaded")
	case m.Fault == Down:
		c.fail(http.StatusInternalServerError, "internal error")
	case m.Fault == Auth && !c.keyFits():
		c.fail(http.StatusUnauthorized, "missing key")
	case m.Fault == Missing:
		c.fail(http.StatusNotFound, fmt.Sprintf("model %q not found, try pulling it first", c.asked.Model))
	case m.Fault == NaN && poisoned:
		c.fail(http.StatusInternalServerError, "failed to encode response: json: unsupported value: NaN")
	case m.Fault == TooLong && longest > m.Limit:
		c.fail(http.StatusBadRequest, "the input length exceeds the context length")
	case m.Fault == Cap && over:
		c.fail(http.StatusBadRequest, "max tokens per request")
	case m.Fault == TooLarge && over:
		c.fail(http.StatusRequestEntityTooLarge, "request body too large")
	case m.Fault == Echo:
		c.fail(http.StatusBadRequest, "cannot use "+c.auth+" for "+strings.Join(append(c.inputs, c.asked.Query), " and "))
	case m.Fault == EchoPlain:
		c.send(http.StatusInternalServerError, "failed with "+c.auth+" at "+strings.Join(append(c.inputs, c.asked.Query), " and "))
	case m.Fault == EchoAuth:
		c.fail(http.StatusUnauthorized, "Incorrect API key provided: "+c.auth[:len(c.auth)/2]+"***")
	case m.Fault == Redirect:
		c.w.Header().Set("Location", m.Target)
		c.send(http.StatusTemporaryRedirect, "")
	case m.Fault == Moved && c.shape == "openai" && !c.seen("/moved"):
		c.w.Header().Set("Location", "/moved")
		c.send(http.StatusTemporaryRedirect, "")
	default:
		return c.cut()
	}
	return true
}

// seen reports whether this request is for the path.
func (c *call) seen(path string) bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.s.requests[c.at].Path == path
}

// cut breaks the connection or gives what is no answer; false means that the mode does neither.
func (c *call) cut() bool {
	switch m := c.mode; {
	case m.Fault == Garbage:
		c.send(http.StatusOK, "}{ not json")
	case m.Fault == HTML:
		c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		c.record(http.StatusOK)
		_, _ = io.WriteString(c.w, "<!doctype html><title>Sign in</title>")
	case m.Fault == SuccessError:
		c.send(http.StatusOK, map[string]any{"error": map[string]any{"message": "upstream had a hiccup"}})
	case m.Fault == Half:
		c.w.Header().Set("Content-Length", "100000")
		_, _ = io.WriteString(c.w, `{"data":[{"index":0,"embedding":[0.5,`)
		_ = http.NewResponseController(c.w).Flush()
		panic(http.ErrAbortHandler)
	case m.Fault == Die && c.n > m.K:
		panic(http.ErrAbortHandler)
	case m.Fault == Huge:
		c.w.Header().Set("Content-Type", "application/json")
		for _, err := io.WriteString(c.w, `{"data":[`); err == nil; {
			_, err = io.WriteString(c.w, strings.Repeat(" ", 1<<16))
		}
	case m.Fault == Hang:
		<-c.s.release
	default:
		return false
	}
	return true
}

// fail answers with an error in the shape of the provider.
func (c *call) fail(status int, message string) {
	if c.mode.After != "" && (status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable) {
		c.w.Header().Set("Retry-After", c.mode.After)
	}
	switch {
	case strings.HasPrefix(c.shape, "openai"):
		c.send(status, map[string]any{"error": map[string]any{"message": message, "type": "mock"}})
	case strings.HasPrefix(c.shape, "cohere"):
		c.send(status, map[string]any{"message": message})
	case strings.HasPrefix(c.shape, "jina"), strings.HasPrefix(c.shape, "voyage"):
		c.send(status, map[string]any{"detail": message})
	default:
		c.send(status, map[string]any{"error": message})
	}
}

func (c *call) record(status int) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.requests[c.at].Status = status
}

// send writes a text as plain text and anything else as JSON.
func (c *call) send(status int, v any) {
	body, kind := []byte(nil), "application/json"
	switch v := v.(type) {
	case string:
		body, kind = []byte(v), "text/plain; charset=utf-8"
	case json.RawMessage: // may hold what no encoder writes
		body = v
	default:
		body, _ = json.Marshal(v)
	}
	if c.mode.Fault == PlainType {
		kind = "text/plain"
	}
	c.w.Header().Set("Content-Type", kind)
	c.record(status)
	c.w.WriteHeader(status)
	_, _ = c.w.Write(body)
}
