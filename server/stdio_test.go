package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// talk feeds lines to a server until they end, and gives the messages of its output. Every line of it has to be one.
func talk(t testing.TB, f *fake, input string) []map[string]any {
	t.Helper()
	h, err := NewHub(Options{Roots: Roots{Repositories: []string{t.TempDir()}}, Open: func(string) (Service, error) { return f, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(context.Background())
	m, err := NewMCP(h, MCPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := m.ServeStdio(context.Background(), strings.NewReader(input), &out); err != nil {
		t.Fatalf("%v\n%s", err, input)
	}
	return messages(t, out.Bytes())
}

func messages(t testing.TB, out []byte) (all []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(out) {
		if line[0] == '[' {
			var batch []map[string]any
			if err := json.Unmarshal(line, &batch); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			all = append(all, map[string]any{"batch": batch})
			continue
		}
		var m map[string]any
		if err := json.Unmarshal(line, &m); err != nil || m["jsonrpc"] != "2.0" {
			t.Fatalf("no message: %v: %s", err, line)
		}
		_, hasResult := m["result"]
		_, hasError := m["error"]
		_, hasMethod := m["method"]
		if _, hasID := m["id"]; !hasMethod && (!hasID || hasResult == hasError) {
			t.Fatalf("neither request nor response: %s", line)
		}
		all = append(all, m)
	}
	return all
}

// answerTo finds the answer with an id.
func answerTo(t testing.TB, all []map[string]any, id any) map[string]any {
	t.Helper()
	for _, m := range all {
		if fmt.Sprint(m["id"]) == fmt.Sprint(id) && m["method"] == nil {
			return m
		}
	}
	t.Fatalf("no answer to %v in %v", id, all)
	return nil
}

func codeOf(m map[string]any) any {
	e, _ := m["error"].(map[string]any)
	return e["code"]
}

func TestStdioConversation(t *testing.T) {
	all := talk(t, &fake{}, hello+`{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"no/such"}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}
this line is not json

{"jsonrpc":"2.0","id":"five","method":"ping"}
{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"status"}}`) // without a line end
	if r := answerTo(t, all, 1)["result"].(map[string]any); r["protocolVersion"] != "2025-06-18" || !strings.Contains(r["instructions"].(string), "plain grep") {
		t.Errorf("initialize: %v", r)
	}
	if tools := answerTo(t, all, 2)["result"].(map[string]any)["tools"].([]any); len(tools) != 11 {
		t.Errorf("%d tools", len(tools))
	}
	if code := codeOf(answerTo(t, all, 3)); code != -32601.0 {
		t.Errorf("unknown method: %v", code)
	}
	if code := codeOf(answerTo(t, all, 4)); code != -32602.0 {
		t.Errorf("unknown tool: %v", code)
	}
	if code := codeOf(answerTo(t, all, nil)); code != -32700.0 {
		t.Errorf("no JSON: %v", code)
	}
	if m := answerTo(t, all, "five"); m["result"] == nil {
		t.Errorf("ping after a bad line: %v", m)
	}
	if m := answerTo(t, all, 6); m["result"] == nil {
		t.Errorf("the last call is not answered before the end: %v", m)
	}
}

func TestStdioVersions(t *testing.T) {
	for version, want := range map[string]string{"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25", "1999-01-01": "", "2999-01-01": "", "": ""} {
		all := talk(t, &fake{}, strings.Replace(hello, "2025-06-18", version, 1)+`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		got := answerTo(t, all, 1)["result"].(map[string]any)["protocolVersion"].(string)
		if want != "" && got != want || want == "" && (got == version || got < "2024") {
			t.Errorf("asked for %q, got %q", version, got)
		}
		if answerTo(t, all, 2)["result"] == nil {
			t.Errorf("%s: no tools", version)
		}
	}
	if m := answerTo(t, talk(t, &fake{}, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), 1); m["error"] == nil {
		t.Errorf("tools without a handshake: %v", m)
	}
}

func TestStdioBadFrames(t *testing.T) {
	for _, c := range []struct {
		name, line string
		code       float64
		id         any
	}{
		{"no object", `3`, -32600, nil},
		{"text", `"x"`, -32600, nil},
		{"empty batch", `[]`, -32600, nil},
		{"batch of nothing", `[1]`, -32600, nil},
		{"no version", `{"id":7,"method":"ping"}`, -32600, 7},
		{"other version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, -32600, 7},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, nil},
		{"method is a number", `{"jsonrpc":"2.0","id":7,"method":3}`, -32600, 7},
		{"params are a list", `{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}`, -32602, 7},
		{"cut", `{"jsonrpc":"2.0","id":7,`, -32700, nil},
		{"two on a line", `{"jsonrpc":"2.0","id":7,"method":"ping"}{"jsonrpc":"2.0","id":8,"method":"ping"}`, -32700, nil},
		{"NUL", "\x00", -32700, nil},
		{"too long", `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("x", maxFrame) + `"}`, -32600, nil},
		{"arguments are a list", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"status","arguments":[1]}}`, 0, 7},
	} {
		all := talk(t, &fake{}, hello+c.line+"\n"+`{"jsonrpc":"2.0","id":99,"method":"ping"}`+"\n")
		m := answerTo(t, all, c.id)
		if c.code != 0 && codeOf(m) != c.code || c.code == 0 && m["result"].(map[string]any)["isError"] != true {
			t.Errorf("%s: %v", c.name, m)
		}
		if answerTo(t, all, 99)["result"] == nil {
			t.Errorf("%s: the server does not go on", c.name)
		}
	}
}

func TestStdioBatch(t *testing.T) {
	all := talk(t, &fake{}, hello+`[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}},{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"status"}}]`)
	for _, m := range all {
		if batch, ok := m["batch"].([]map[string]any); ok {
			if len(batch) != 2 {
				t.Errorf("%d answers in the batch", len(batch))
			}
			return
		}
	}
	t.Errorf("no batch in %v", all)
}

// A call that is under way when the input ends is answered when it ends soon, and given up when it does not.
func TestStdioEndOfInput(t *testing.T) {
	slow := &fake{}
	slow.answer = func(ctx context.Context, c Call) (Answer, error) {
		select {
		case <-time.After(50 * time.Millisecond):
			return Answer{Value: struct{}{}, Text: "late"}, nil
		case <-ctx.Done():
			return Answer{}, ctx.Err()
		}
	}
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status"}}` + "\n"
	if m := answerTo(t, talk(t, slow, hello+call), 2); m["result"].(map[string]any)["isError"] == true {
		t.Errorf("a call in flight: %v", m)
	}
	before := runtime.NumGoroutine()
	hung := &fake{answer: func(ctx context.Context, c Call) (Answer, error) { <-ctx.Done(); return Answer{}, ctx.Err() }}
	began := time.Now()
	talk(t, hung, hello+call)
	if took := time.Since(began); took > 2*drainTimeout {
		t.Errorf("a call that hangs kept the server for %s", took)
	}
	settled(t, before)
}

// A call that its client has cancelled is not answered, in a batch and outside of one; those beside it are.
func TestStdioAnswersACancelledCall(t *testing.T) {
	f := &fake{answer: func(ctx context.Context, c Call) (Answer, error) {
		if c.Operation == "map" {
			<-ctx.Done()
			return Answer{}, ctx.Err()
		}
		return Answer{Value: struct{}{}, Text: "here"}, nil
	}}
	hangs := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"map"}}`
	}
	cancel := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	}
	const quick = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"status"}}`
	for _, c := range []struct{ input, ids string }{
		{hangs("2") + "\n" + cancel("2") + "\n" + quick, "1 9"},
		{hangs(`"a"`) + "\n" + cancel(`"a"`) + "\n" + quick, "1 9"},
		{"[" + hangs("2") + "," + quick + "]\n" + cancel("2"), "1 [9]"},
		{"[" + hangs("2") + "," + hangs("3") + "]\n" + cancel("2") + "\n" + cancel("3") + "\n" + quick, "1 9"},
		{cancel("9") + "\n" + cancel(`{}`) + "\n" + quick, "1 9"}, // before the call, and of nothing
	} {
		var ids []string
		for _, m := range talk(t, f, hello+c.input+"\n") {
			if b, ok := m["batch"].([]map[string]any); ok {
				for _, m := range b {
					ids = append(ids, fmt.Sprintf("[%v]", m["id"]))
				}
			} else if id, ok := m["id"]; ok {
				ids = append(ids, fmt.Sprint(id))
			}
		}
		slices.Sort(ids)
		if got := strings.Join(ids, " "); got != c.ids {
			t.Errorf("%s: answers to %s, want %s", c.input, got, c.ids)
		}
	}
}

// The context ends a conversation whose input stays open.
func TestStdioContext(t *testing.T) {
	h := newHub(t, &fake{}, nil)
	m, err := NewMCP(h, MCPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	in, feed := io.Pipe()
	out, sink := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- m.ServeStdio(ctx, in, sink) }()
	go io.WriteString(feed, hello)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("the conversation goes on")
	}
	feed.Close()
}

// mangle damages a conversation.
func mangle(r *rand.Rand, text string) string {
	b := []byte(text)
	for range 1 + r.IntN(6) {
		i := r.IntN(len(b))
		switch r.IntN(6) {
		case 0:
			b[i] = byte(r.IntN(256))
		case 1:
			b = append(b[:i], b[min(len(b)-1, i+r.IntN(20)):]...)
		case 2:
			b = append(b[:i:i], append([]byte(`{"jsonrpc":"2.0","id":2,"method":`), b[i:]...)...)
		case 3:
			b = append(b[:i:i], append(b[r.IntN(i+1):i:i], b[i:]...)...)
		case 4:
			b = append(b[:i:i], append([]byte("\n["), b[i:]...)...)
		default:
			b = append(b[:i:i], append([]byte(strings.Repeat("[", 200)), b[i:]...)...)
		}
		if len(b) == 0 {
			b = []byte("x")
		}
	}
	return string(b)
}

// Whatever comes in, each line that goes out is a message, nothing crashes, and nothing is left behind.
// AGENVANTAGE_TEST_FRAMES=10000 tries more.
func TestMalformedFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rest := `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"x"}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":{"query":"x","top_k":3},"_meta":{"progressToken":1}}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
{"jsonrpc":"2.0","id":4,"result":{"roots":[]}}
`
	frames := 500
	if n, err := strconv.Atoi(os.Getenv("AGENVANTAGE_TEST_FRAMES")); err == nil {
		frames = n
	}
	before := runtime.NumGoroutine()
	for range frames {
		input := mangle(r, hello+rest)
		if r.IntN(2) == 0 { // a good handshake leads further in
			input = hello + mangle(r, rest)
		}
		talk(t, &fake{}, input)
	}
	settled(t, before)
}

func FuzzStdio(f *testing.F) {
	f.Add(hello)
	f.Add(hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"}}}`)
	f.Add("[{},[]]\n\xff\n")
	f.Fuzz(func(t *testing.T, input string) { talk(t, &fake{}, input) })
}
