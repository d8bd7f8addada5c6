package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agenvantage"
)

// connect is a client of a server, in this process.
func connect(t *testing.T, m *MCP, o *mcp.ClientOptions, change func(*mcp.Client)) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := m.server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, o)
	if change != nil {
		change(c)
	}
	session, err := c.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func newMCP(t testing.TB, f *fake, change func(*Options)) *MCP {
	t.Helper()
	m, err := NewMCP(newHub(t, f, change), MCPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func callTool(t *testing.T, s *mcp.ClientSession, name string, arguments map[string]any) (*mcp.CallToolResult, string) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%d contents", len(r.Content))
	}
	return r, r.Content[0].(*mcp.TextContent).Text
}

func TestToolCall(t *testing.T) {
	f := &fake{}
	f.answer = func(_ context.Context, c Call) (Answer, error) {
		return Answer{Value: map[string]any{"query": c.Arguments.(*SearchArguments).Query}, Text: "a.go:1-2\n", Generation: 3, Channels: []string{"exact", "bm25f"}, Stale: "2 files changed", Partial: "a part"}, nil
	}
	s := connect(t, newMCP(t, f, nil), nil, nil)
	r, text := callTool(t, s, "search", map[string]any{"query": "q"})
	if want := "a.go:1-2\n\n[channels: exact, bm25f; generation 3; STALE: 2 files changed; PARTIAL: a part]\n"; text != want {
		t.Errorf("text %q, want %q", text, want)
	}
	if got, _ := json.Marshal(r.StructuredContent); string(got) != `{"query":"q"}` {
		t.Errorf("structured %s", got)
	}
	if c := f.calls[0]; c.Limits != (Limits{DefaultMaxTokens, DefaultMaxBytes}).within() || c.Sent == nil {
		t.Errorf("call %+v", c)
	}
}

func TestToolErrors(t *testing.T) {
	f := &fake{}
	f.answer = func(_ context.Context, c Call) (Answer, error) {
		switch c.Arguments.(*SearchArguments).Query {
		case "panic":
			panic("odd")
		case "none":
			return Answer{}, agenvantage.ErrNoIndex
		}
		return Answer{}, errors.New("disk is gone")
	}
	s := connect(t, newMCP(t, f, nil), nil, nil)
	for _, c := range []struct {
		arguments map[string]any
		kind      string
		text      string
	}{
		{map[string]any{}, "bad_input", `argument "query" is needed`},
		{map[string]any{"query": "x", "odd": 1}, "bad_input", `unknown argument "odd"`},
		{map[string]any{"query": "x", "path": []string{"../y"}}, "bad_input", "not below the root"},
		{map[string]any{"like": "../y.go:3"}, "bad_input", "not below the root"},
		{map[string]any{"query": "x", "root": "/"}, "bad_input", "none that this server may read"},
		{map[string]any{"query": "none"}, "no_index", "plain grep"},
		{map[string]any{"query": "panic"}, "internal", "internal error"},
		{map[string]any{"query": "x"}, "internal", "disk is gone"},
	} {
		r, text := callTool(t, s, "search", c.arguments)
		meta, _ := json.Marshal(r.Meta)
		if !r.IsError || !strings.Contains(text, c.text) || !strings.Contains(string(meta), `"kind":"`+c.kind+`"`) {
			t.Errorf("%v: %v %s %s", c.arguments, r.IsError, text, meta)
		}
		if r.StructuredContent != nil { // clients would refuse it: it does not match the schema of answers
			t.Errorf("%v: an error with structured content %v", c.arguments, r.StructuredContent)
		}
	}
}

// A conversation has one memory, another has its own.
func TestToolCallsShareWhatWasSent(t *testing.T) {
	long := strings.Repeat("some line of code\n", 20)
	f := &fake{answer: func(_ context.Context, c Call) (Answer, error) {
		return Answer{Value: struct{}{}, Text: c.Sent.Take("a.go", 1, long)}, nil
	}}
	m := newMCP(t, f, nil)
	first, second := connect(t, m, nil, nil), connect(t, m, nil, nil)
	for i, c := range []struct {
		session *mcp.ClientSession
		fresh   bool
		sent    bool
	}{{first, false, false}, {first, false, true}, {first, true, false}, {second, false, false}} {
		arguments := map[string]any{"location": "a.go"}
		if c.fresh {
			arguments["fresh"] = true
		}
		if _, text := callTool(t, c.session, "read", arguments); strings.HasPrefix(text, "(already sent: a.go:1-20, ") != c.sent {
			t.Errorf("call %d: %q", i, text)
		}
	}
}

func TestConversationsAreForgotten(t *testing.T) {
	before := runtime.NumGoroutine()
	func() {
		m := newMCP(t, &fake{}, nil)
		for range 10 {
			s := connect(t, m, nil, nil)
			callTool(t, s, "status", nil)
			s.Close()
		}
		end := time.Now().Add(5 * time.Second)
		for left := 1; left > 0; {
			m.mu.Lock()
			left = len(m.conversations)
			m.mu.Unlock()
			if time.Now().After(end) {
				t.Fatalf("%d conversations are kept", left)
			}
			runtime.Gosched()
		}
	}()
	settled(t, before)
}

// The handshake and a search do not wait for the index; another tool waits, with progress, and is answered as soon as there is one.
func TestHandshakeDoesNotWaitForTheIndex(t *testing.T) {
	f, finish, begun := &fake{}, make(chan struct{}), make(chan struct{})
	f.build = func(ctx context.Context, progress func(Progress)) error {
		progress(Progress{Phase: "index", Done: 3, Total: 9})
		close(begun)
		<-finish
		f.generation.Store(1)
		return nil
	}
	var mu sync.Mutex
	var told []string
	s := connect(t, newMCP(t, f, nil), &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprintf("%v/%v %s", r.Params.Progress, r.Params.Total, r.Params.Message))
		if len(told) == 1 {
			close(finish)
		}
	}}, nil)
	<-begun
	callTool(t, s, "search", map[string]any{"query": "x"})
	if c := f.calls[0]; c.Building == nil || *c.Building != (Progress{Phase: "index", Done: 3, Total: 9}) {
		t.Errorf("a search during the build is told %+v", c.Building)
	}
	p := &mcp.CallToolParams{Name: "read", Arguments: map[string]any{"location": "a.go"}}
	p.SetProgressToken("p")
	r, err := s.CallTool(t.Context(), p)
	if err != nil || r.IsError {
		t.Fatalf("%v %+v", err, r)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) != 1 || told[0] != "3/9 index: 3 of 9 files" {
		t.Errorf("progress %q", told)
	}
}

func TestWaitForTheIndexIsBounded(t *testing.T) {
	f := &fake{build: func(ctx context.Context, progress func(Progress)) error {
		progress(Progress{Done: 1, Total: 9})
		<-ctx.Done()
		return ctx.Err()
	}}
	s := connect(t, newMCP(t, f, func(o *Options) { o.Wait = 20 * time.Millisecond }), nil, nil)
	for tool, arguments := range map[string]map[string]any{"map": nil, "search": {"like": "a.go:3"}} {
		r, text := callTool(t, s, tool, arguments)
		if !r.IsError || !strings.Contains(text, "the index is being built: 1 of 9 files") || !strings.Contains(text, "plain grep") {
			t.Errorf("%s: %v %s", tool, r.IsError, text)
		}
	}
}

func TestBuildThatFailsIsTold(t *testing.T) {
	f := &fake{build: func(context.Context, func(Progress)) error { return agenvantage.ErrNotWritable }}
	s := connect(t, newMCP(t, f, nil), nil, nil)
	if r, text := callTool(t, s, "map", nil); !r.IsError || !strings.Contains(text, "not_writable") {
		t.Errorf("%s", text)
	}
}

func TestCancellation(t *testing.T) {
	f, begun, ended := &fake{}, make(chan struct{}), make(chan error, 1)
	f.answer = func(ctx context.Context, c Call) (Answer, error) {
		if c.Operation == "status" {
			return Answer{Value: struct{}{}}, nil
		}
		close(begun)
		<-ctx.Done()
		ended <- ctx.Err()
		return Answer{}, ctx.Err()
	}
	s := connect(t, newMCP(t, f, nil), nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "search", Arguments: map[string]any{"query": "x"}}); err == nil {
		t.Error("a cancelled call succeeds")
	}
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the service is not told")
	}
	callTool(t, s, "status", nil)
}

func TestConcurrentCalls(t *testing.T) {
	f := &fake{}
	f.answer = func(_ context.Context, c Call) (Answer, error) {
		q := c.Arguments.(*SearchArguments).Query
		return Answer{Value: map[string]any{"query": q}, Text: q}, nil
	}
	s := connect(t, newMCP(t, f, nil), nil, nil)
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			want := fmt.Sprint("question ", i)
			r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "search", Arguments: map[string]any{"query": want}})
			if err != nil || !strings.HasPrefix(r.Content[0].(*mcp.TextContent).Text, want+"\n") {
				t.Errorf("%s: %v %v", want, r, err)
			}
		})
	}
	all.Wait()
}

// The client's roots come before the server's own, where they may be read.
func TestClientRoots(t *testing.T) {
	base := folder(t)
	allowed, outside := filepath.Join(base, "a"), filepath.Join(base, "b")
	for _, dir := range []string{allowed, outside} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	var opened []string
	m := newMCP(t, &fake{}, func(o *Options) {
		o.Roots.Allowed = []string{allowed}
		o.Open = func(root string) (Service, error) {
			mu.Lock()
			defer mu.Unlock()
			opened = append(opened, root)
			f := &fake{answer: func(context.Context, Call) (Answer, error) { return Answer{Value: struct{}{}, Text: root}, nil }}
			return f, nil
		}
	})
	s := connect(t, m, nil, func(c *mcp.Client) {
		//lint:ignore SA1019 clients of earlier versions offer their roots so
		c.AddRoots(&mcp.Root{URI: "file://" + outside}, &mcp.Root{URI: "file://" + allowed})
	})
	if _, text := callTool(t, s, "search", map[string]any{"query": "x"}); !strings.HasPrefix(text, allowed+"\n") {
		t.Errorf("served %q", text)
	}
	if r, _ := callTool(t, s, "search", map[string]any{"query": "x", "root": outside}); !r.IsError {
		t.Error("a root outside is served")
	}
	mu.Lock()
	defer mu.Unlock()
	if len(opened) != 1 {
		t.Errorf("opened %q", opened)
	}
}

func TestMCPOptions(t *testing.T) {
	h := newHub(t, &fake{}, nil)
	_, err := NewMCP(h, MCPOptions{Tools: []string{"odd"}})
	wantError(t, err, "bad_input", "unknown tool")
	_, err = NewMCP(h, MCPOptions{MaxTokens: -1})
	wantError(t, err, "bad_input", "tokens")
	m, err := NewMCP(h, MCPOptions{Tools: MinimalTools()})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := connect(t, m, nil, nil).ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 2 {
		t.Errorf("%v %v", tools, err)
	}
}
