package traces

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	span "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"agenvantage"
	"agenvantage/server"
)

// collected is an in-process collector.
type collected struct {
	mu    sync.Mutex
	path  string
	spans []*span.Span
}

func (c *collected) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		if z, err := gzip.NewReader(r.Body); err == nil {
			body = z
		}
	}
	text, _ := io.ReadAll(body)
	var request collector.ExportTraceServiceRequest
	if proto.Unmarshal(text, &request) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.path = r.URL.Path
	for _, resource := range request.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
}

// sent makes a tracer, lets it trace one call, and gives the span that arrived with its attributes as text.
func sent(t *testing.T, content bool, parent string, call server.Traced) (*span.Span, map[string]string, string) {
	t.Helper()
	c := &collected{}
	at := httptest.NewServer(c)
	defer at.Close()
	tracer, err := New(t.Context(), Options{Endpoint: at.URL, Version: "1", Content: content, Count: func(s string) int { return len(s) / 4 }})
	if err != nil {
		t.Fatal(err)
	}
	ctx := tracer.Caller(t.Context(), func(name string) string {
		if name == "traceparent" {
			return parent
		}
		return ""
	})
	_, end := tracer.Begin(ctx, "search")
	end(call)
	if err := tracer.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(c.spans) != 1 {
		t.Fatalf("%d spans arrived", len(c.spans))
	}
	attributes := map[string]string{}
	for _, a := range c.spans[0].Attributes {
		attributes[a.Key] = strings.Join(strings.Fields(a.Value.String()), " ")
	}
	return c.spans[0], attributes, c.path
}

var call = server.Traced{Arguments: []byte(`{"query":"where is the secretQuestion"}`), Hits: 2, Answer: server.Answer{Text: "a.go:1-2\napi_key = \"sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc\"\n",
	Generation: 7, Channels: []string{"exact", "bm25f"}, Stale: "x", Class: "question", Reports: []agenvantage.ChannelReport{{Name: "exact", Status: agenvantage.StatusOK, Hits: 5, TookMS: 1.5}}}}

func TestSpanHasNoContentUnlessAsked(t *testing.T) {
	s, got, path := sent(t, false, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", call)
	if s.Name != "agenvantage.search" || path != "/v1/traces" {
		t.Errorf("span %q at %q", s.Name, path)
	}
	if len(s.ParentSpanId) != 8 || s.ParentSpanId[0] != 0xb7 || s.TraceId[0] != 0x0a {
		t.Errorf("the span is none of its caller's: %x %x", s.TraceId, s.ParentSpanId)
	}
	for name, want := range map[string]string{"operation": `"search"`, "hits": "2", "generation": "7", "stale": "true", "partial": "false", "class": `"question"`,
		"channels": `"bm25f"`, "channel.exact.status": `"ok"`, "channel.exact.hits": "5", "channel.exact.took_ms": "1.5", "tokens": "value"} {
		if !strings.Contains(got["agenvantage.context."+name], want) {
			t.Errorf("%s is %q, want %s", name, got["agenvantage.context."+name], want)
		}
	}
	for name, text := range got {
		if strings.Contains(text, "secretQuestion") || strings.Contains(text, "sk_live") || strings.Contains(text, "a.go") {
			t.Errorf("%s holds content: %s", name, text)
		}
	}
}

func TestContentIsMasked(t *testing.T) {
	_, got, _ := sent(t, true, "", call)
	if !strings.Contains(got["agenvantage.context.arguments"], "secretQuestion") || !strings.Contains(got["agenvantage.context.text"], "a.go:1-2") {
		t.Errorf("no content: %v", got)
	}
	if strings.Contains(got["agenvantage.context.text"], "4eC39HqLyjWDarjtT1zdp7dc") {
		t.Errorf("a secret is not masked: %s", got["agenvantage.context.text"])
	}
}

func TestErrorIsNamedByItsKindAlone(t *testing.T) {
	s, got, _ := sent(t, false, "", server.Traced{Err: errors.Join(agenvantage.ErrNoIndex, errors.New("secretQuestion"))})
	if s.Status.GetMessage() != "no_index" || !strings.Contains(got["error.type"], "no_index") {
		t.Errorf("%v %v", s.Status, got)
	}
}

func TestEndpoints(t *testing.T) {
	for text, want := range map[string]string{"http://h:1": "http://h:1/v1/traces", "https://h/": "https://h/v1/traces", "http://h/x": "http://h/x"} {
		if got, err := endpointOf(text); err != nil || got != want {
			t.Errorf("%s: %q %v", text, got, err)
		}
	}
	for _, text := range []string{"h:1", "ftp://h", "http://", "://"} {
		if _, err := New(t.Context(), Options{Endpoint: text}); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestLongContentIsCutAtACharacter(t *testing.T) {
	if got := masked("", "", strings.Repeat("ä", MaxContentBytes)); len(got) != MaxContentBytes || !strings.HasSuffix(got, "ä") {
		t.Errorf("%d bytes, end %q", len(got), got[len(got)-4:])
	}
	if got := masked("", "", "x"+strings.Repeat("ä", MaxContentBytes)); len(got) != MaxContentBytes-1 {
		t.Errorf("%d bytes", len(got))
	}
}
