package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agenvantage"
)

func TestHead(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"short", 5, "short"}, {"longer", 5, "longe… (cut: 6 bytes)"}, {"aéé", 2, "a… (cut: 5 bytes)"}, {"", 0, ""}} {
		if got := Head(c.text, c.most); got != c.want {
			t.Errorf("%q cut at %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

func TestMiddleCut(t *testing.T) {
	for _, c := range []struct{ text, want string }{{"123456789", "123456789"}, {"1234567890", "123456 … (1 bytes are left out) … 890"}, {"12345éabcdé", "12345 … (5 bytes are left out) … dé"}} {
		if got := middleCut(c.text, 9); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// An input that is no prose is bounded, and not repeated.
func TestLongArgumentsAreRefused(t *testing.T) {
	long, many := strings.Repeat("x", maxArgumentBytes+1), `["a"`+strings.Repeat(`,"a"`, maxListItems)+`]`
	for _, c := range []struct{ operation, arguments, want string }{
		{"read", `{"location":"` + long + `"}`, `argument "location" is 8193 bytes long; at most 8192 are taken`},
		{"search", `{"query":"x","path":["` + long + `"]}`, `argument "path" is 8193 bytes long; at most 8192 are taken`},
		{"search", `{"query":"x","path":` + many + `}`, `argument "path" has 1001 items; at most 1000 are taken`},
		{"expand", `{"pack_id":"p","slot":"` + long + `"}`, `argument "slot" is 8193 bytes long`},
		{"status", `{"root":"` + long + `"}`, `argument "root" is 8193 bytes long`},
		{"search", `{"` + long + `":1}`, `unknown argument "xxx`},
	} {
		o, _ := find(c.operation)
		_, err := o.Decode([]byte(c.arguments))
		wantError(t, err, "bad_input", c.want)
		if len(messageOf(err)) > maxMessageBytes {
			t.Errorf("%.40s: a message of %d bytes", c.arguments, len(messageOf(err)))
		}
	}
	for _, arguments := range []string{`{"query":"` + long + `"}`, `{"query":"x","path":["` + long[1:] + `"]}`} {
		o, _ := find("search")
		if _, err := o.Decode([]byte(arguments)); err != nil {
			t.Errorf("%.40s: %v", arguments, err)
		}
	}
}

// Errors repeat a bounded part of what they are about, whoever makes them.
func TestErrorsRepeatAWholeInput(t *testing.T) {
	long := strings.Repeat("q", 1<<20)
	f := &fake{answer: func(_ context.Context, c Call) (Answer, error) {
		return Answer{}, fmt.Errorf("%w: unknown %q; the nearest is near.go", agenvantage.ErrBadInput, c.Arguments.(*SearchArguments).Query)
	}}
	s := connect(t, newMCP(t, f, nil), nil, nil)
	r, text := callTool(t, s, "search", map[string]any{"query": long})
	meta, _ := json.Marshal(r.Meta)
	if len(text) > 2*maxMessageBytes || len(meta) > 2*maxMessageBytes || !strings.HasSuffix(text, "the nearest is near.go") {
		t.Errorf("%d bytes of text, %d of meta: %.100s", len(text), len(meta), text)
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: long}); err == nil || len(err.Error()) > 2*maxMessageBytes || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("an unknown tool: %.100v", err)
	}
	if w := serve(newHTTP(t, f, HTTPOptions{}), request("POST", "/v1/search", `{"query":"`+long+`"}`)); w.Code != 400 || w.Body.Len() > 2*maxMessageBytes {
		t.Errorf("over HTTP: %d, %d bytes", w.Code, w.Body.Len())
	}
}

// A denial that rests on a stale index says so, as data and in words.
func TestStaleErrorsSayStale(t *testing.T) {
	f := &fake{answer: func(context.Context, Call) (Answer, error) {
		return Answer{}, &agenvantage.StaleError{Err: fmt.Errorf("%w: unknown location", agenvantage.ErrBadInput), Reason: "the index is stale: files have changed"}
	}}
	s := connect(t, newMCP(t, f, nil), nil, nil)
	r, text := callTool(t, s, "read", map[string]any{"location": "new.go"})
	meta, _ := json.Marshal(r.Meta)
	if want := "Error (bad_input): unknown location; the index is stale: files have changed\nTry: the same call again in a moment, or plain grep"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	want := `{"kind":"bad_input","message":"unknown location; the index is stale: files have changed","stale":"the index is stale: files have changed"}`
	if !strings.Contains(string(meta), want) {
		t.Errorf("%s", meta)
	}
	if w := serve(newHTTP(t, f, HTTPOptions{}), request("POST", "/v1/read", `{"location":"new.go"}`)); w.Code != 400 || strings.TrimSpace(w.Body.String()) != `{"error":`+want+`}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Stale and partial are told in few words, whatever the reason, within the limits.
func TestReasonsAreBounded(t *testing.T) {
	line := stateLine(bounded(Answer{Stale: strings.Repeat("é", 5000), Partial: strings.Repeat("x", 5000), Channels: []string{"exact", "bm25f", "graph", "provenance"}, Generation: 1 << 60}))
	if len(line) > stateBytes {
		t.Errorf("%d bytes", len(line))
	}
}
