package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// oddIDs are ids that the library would change, and some that it would not.
var oddIDs = []string{`1.5`, `-0.25`, `1e3`, `1.0`, `-0`, `9007199254740993`, `-9007199254740995`, `9223372036854775807`, `18446744073709551616`, `7`, `-7`, `9007199254740992`,
	`"a"`, `""`, `"\u0041"`, `"\ud800"`, `"<&>"`, `"\u2028"`, `"1.5"`}

// The answer to a call has the id of the call, byte for byte, over standard input and output.
func TestStdioIDsAreChanged(t *testing.T) {
	for _, id := range oddIDs {
		out := rawTalk(t, hello+fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"status","arguments":{}}}`, id)+"\n")
		if !strings.Contains(out, `"id":`+id+`,`) || strings.Contains(out, carrier) {
			t.Errorf("%s: %s", id, out)
		}
	}
	batch := rawTalk(t, hello+`[{"jsonrpc":"2.0","id":2.5,"method":"ping"},{"jsonrpc":"2.0","id":2.25,"method":"ping"}]`+"\n")
	if !strings.Contains(batch, `"id":2.5,`) || !strings.Contains(batch, `"id":2.25,`) {
		t.Errorf("a batch: %s", batch)
	}
}

func rawTalk(t testing.TB, input string) string {
	t.Helper()
	m := newMCP(t, &fake{}, nil)
	var out bytes.Buffer
	if err := m.ServeStdio(t.Context(), strings.NewReader(input), &out); err != nil {
		t.Fatalf("%v\n%s", err, input)
	}
	return out.String()
}

// A cancelled call whose id the library would change is cancelled, and not answered.
func TestACancellationMissesACallWithAnOddID(t *testing.T) {
	for _, id := range []string{`1.5`, `9007199254740993`, `"\u0041"`} {
		begun, ended := make(chan struct{}), make(chan struct{})
		m := newMCP(t, &fake{answer: waitsFor(begun, ended)}, nil)
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"search","arguments":{"query":"x"}}}`, id)
		cancel := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id)
		in, feed := io.Pipe()
		var out bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- m.ServeStdio(t.Context(), in, &out) }()
		io.WriteString(feed, hello+call+"\n")
		<-begun
		io.WriteString(feed, cancel+"\n")
		<-ended
		feed.Close()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), `"id":`+id) {
			t.Errorf("%s is answered: %s", id, out.String())
		}
	}
}

// overHTTP posts bodies to /mcp within one session, and gives the last status and text.
func overHTTP(t *testing.T, s *HTTP, bodies ...string) (status int, kind, text string) {
	t.Helper()
	at := httptest.NewServer(s)
	defer at.Close()
	session := ""
	for _, body := range bodies {
		r, err := http.NewRequest("POST", at.URL+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
			r.Header.Set("Mcp-Protocol-Version", "2025-06-18")
		}
		w, err := at.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(w.Body)
		w.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if id := w.Header.Get("Mcp-Session-Id"); id != "" {
			session = id
		}
		status, kind, text = w.StatusCode, w.Header.Get("Content-Type"), string(b)
	}
	return status, kind, text
}

// greeting is hello as two bodies.
var greeting = strings.Split(strings.TrimSpace(hello), "\n")

func TestHTTPIDsAreChanged(t *testing.T) {
	s := newHTTP(t, &fake{}, HTTPOptions{})
	for _, id := range oddIDs {
		status, _, text := overHTTP(t, s, greeting[0], greeting[1], fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"status","arguments":{}}}`, id))
		if status != 200 || !strings.Contains(text, `"id":`+id+`,`) || strings.Contains(text, carrier) {
			t.Errorf("%s: %d %s", id, status, text)
		}
	}
}

// What is wrong with a message is told as an error of the protocol, whatever the transport.
func TestFaultyMessagesAreAnsweredAsErrors(t *testing.T) {
	long := strings.Repeat("m", 1<<20)
	for _, c := range []struct {
		message string
		id      string
		code    int
	}{
		{`{`, "null", jsonrpc.CodeParseError},
		{`7`, "null", jsonrpc.CodeInvalidRequest},
		{`[]`, "null", jsonrpc.CodeInvalidRequest},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", jsonrpc.CodeInvalidRequest},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", jsonrpc.CodeInvalidRequest},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", jsonrpc.CodeInvalidRequest},
		{`{"jsonrpc":"1.0","id":5,"method":"ping"}`, "5", jsonrpc.CodeInvalidRequest},
		{`{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":[]}`, "1.5", jsonrpc.CodeInvalidParams},
		{`{"jsonrpc":"2.0","id":5,"method":"` + long + `"}`, "5", jsonrpc.CodeMethodNotFound},
		{`{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}`, "null", jsonrpc.CodeInvalidRequest},
		{`{"jsonrpc":"2.0","id":5,"method":"no/such"}`, "5", jsonrpc.CodeMethodNotFound},
	} {
		lines := strings.Split(strings.TrimSpace(rawTalk(t, hello+c.message+"\n")), "\n")
		status, kind, overHTTP := overHTTP(t, newHTTP(t, &fake{}, HTTPOptions{}), greeting[0], greeting[1], c.message)
		if status < 400 || status > 499 || kind != "application/json" {
			t.Errorf("%.60s: %d %s over HTTP", c.message, status, kind)
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, `"result"`) })
		if len(lines) != 1 {
			t.Errorf("%.60s: %d errors: %.300q", c.message, len(lines), lines)
			continue
		}
		for _, text := range []string{lines[0], overHTTP} {
			var got struct {
				ID    json.RawMessage
				Error struct {
					Code    int
					Message string
				}
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil || string(got.ID) != c.id || got.Error.Code != c.code || got.Error.Message == "" || len(text) > 2*maxMessageBytes {
				t.Errorf("%.60s: %.300s", c.message, text)
			}
		}
	}
}

// Errors from before the protocol are JSON too.
func TestMCPRefusalsAreJSON(t *testing.T) {
	s := newHTTP(t, &fake{}, HTTPOptions{MaxBodyBytes: 500})
	ping := `{"jsonrpc":"2.0","id":5,"method":"ping"}`
	for _, c := range []struct {
		r      *http.Request
		status int
		id     string
	}{
		{request("POST", "/mcp", ping, "Content-Type: text/plain"), 415, "5"},
		{request("POST", "/mcp", ping, "Accept: text/html"), 400, "5"},
		{request("POST", "/mcp", ping, "Accept: application/json, text/event-stream", "Mcp-Session-Id: none"), 404, "5"},
		{request("POST", "/mcp", ping, "Accept: application/json, text/event-stream", "Mcp-Protocol-Version: 1999-01-01"), 400, "5"},
		{request("POST", "/mcp", strings.Repeat("x", 600), "Accept: application/json, text/event-stream"), 413, "null"},
		{request("GET", "/mcp", "", "Accept: text/event-stream"), 400, "null"},
		{request("DELETE", "/mcp", ""), 400, "null"},
		{request("PUT", "/mcp", ""), 405, "null"},
	} {
		w := serve(s, c.r)
		var got struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Error   struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != c.status || w.Header().Get("Content-Type") != "application/json" ||
			got.Version != "2.0" || string(got.ID) != c.id || got.Error.Code >= 0 || got.Error.Message == "" {
			t.Errorf("%s %v: %d %s %s", c.r.Method, c.r.Header, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
	}
}

// Whatever is taken in is a message of the library, and its ids come back as they were.
func FuzzVetMessage(f *testing.F) {
	for _, id := range oddIDs {
		f.Add(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping","params":{}}`, id))
		f.Add(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, id))
	}
	f.Add(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || strings.Contains(text, carrier) {
			return
		}
		vetted, _, bad := vetMessage([]byte(text))
		if bad != nil {
			if bad.code != 0 && !json.Valid(bad.body()) {
				t.Errorf("%s is no JSON", bad.body())
			}
			return
		}
		m, err := jsonrpc.DecodeMessage(vetted)
		if err != nil {
			t.Fatalf("%s: %v", vetted, err)
		}
		r, ok := m.(*jsonrpc.Request)
		if !ok || !r.IsCall() {
			return
		}
		var head map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &head); err != nil {
			t.Fatal(err)
		}
		answer, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: r.ID, Result: json.RawMessage(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"jsonrpc":"2.0","id":` + string(head["id"]) + `,"result":{}}`; string(restoreIDs(answer)) != want {
			t.Errorf("%s, want %s", restoreIDs(answer), want)
		}
	})
}

// TestACallBeforeTheHandshakeHadNoCode: the library's error of it has the code 0, which is none of JSON-RPC.
func TestACallBeforeTheHandshakeHadNoCode(t *testing.T) {
	for text, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"early"}}`:                             `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"early"}}`,
		"event: message\ndata: " + `{"jsonrpc":"2.0","id":"a\"b","error":{"code":0,"message":"e"}}`: "event: message\ndata: " + `{"jsonrpc":"2.0","id":"a\"b","error":{"code":-32600,"message":"e"}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m"}}`:                            "",
		`{"jsonrpc":"2.0","id":1,"result":{"error":{"code":0,"message":"content"}}}`:                "",
		`{"jsonrpc":"2.0","id":"\"error\":{\"code\":0,","result":{}}`:                               "",
	} {
		if want == "" {
			want = text
		}
		if got := string(codedText([]byte(text))); got != want {
			t.Errorf("%s\nbecame %s", text, got)
		}
	}
	id, err := jsonrpc.MakeID("x")
	if err != nil {
		t.Fatal(err)
	}
	for err, want := range map[error]int64{errors.New("early"): jsonrpc.CodeInvalidRequest, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "none"}: jsonrpc.CodeMethodNotFound} {
		r := coded(&jsonrpc.Response{ID: id, Error: err}).(*jsonrpc.Response)
		var e *jsonrpc.Error
		if !errors.As(r.Error, &e) || e.Code != want || e.Message == "" || r.ID != id {
			t.Errorf("%v became %+v", err, r.Error)
		}
	}
	if r := (&jsonrpc.Response{ID: id}); coded(r) != jsonrpc.Message(r) {
		t.Error("an answer was changed")
	}
}
