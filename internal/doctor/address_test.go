package doctor

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agenvantage/internal/setup"
)

// mcpServer answers the handshake as a server of a name would, to who has its token.
func mcpServer(t *testing.T, name, token string, stream bool) (host string, ended *int) {
	t.Helper()
	ended = new(int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/mcp" || r.URL.RawQuery != "" {
			http.Error(w, "not here", http.StatusNotFound)
			return
		}
		if token != "" && r.Header.Get("Authorization") != "Bearer "+token {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		if r.Method == http.MethodDelete && r.Header.Get("Mcp-Session-Id") == "s1" {
			*ended++
			return
		}
		w.Header().Set("Mcp-Session-Id", "s1")
		message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":%q,"version":"1"}}}`, name)
		if stream {
			message = "event: message\nid: 1\ndata: " + message + "\n\n"
		}
		fmt.Fprint(w, message)
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://"), ended
}

// The address of a server was called a program without a name.
func TestCheckAddress(t *testing.T) {
	ours, ended := mcpServer(t, "agenvantage", "", false)
	streams, _ := mcpServer(t, "agenvantage", "", true)
	locked, _ := mcpServer(t, "agenvantage", "k3y", false)
	other, _ := mcpServer(t, "other", "", false)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+ours+"/mcp", http.StatusTemporaryRedirect) // it is not followed
	}))
	t.Cleanup(page.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := l.Addr().String()
	l.Close()
	for _, c := range []struct{ address, token, want string }{
		{"http://" + ours + "/mcp", "", "ok which answers"},
		{"http://" + ours + "/mcp/", "", "ok which answers"},
		{"http://" + streams + "/mcp", "", "ok which answers"},
		{"http://" + ours, "", "fix speaks MCP at /mcp > http://" + ours + "/mcp in /p/.mcp.json"},
		{"http://" + other, "", "off is not asked: agenvantage speaks MCP at /mcp"},
		{"http://" + other + "/mcp", "", `ok where "other" answers`},
		{"http://" + locked + "/mcp", "", "fix a token is wanted > the header Authorization: Bearer TOKEN"},
		{"http://" + locked + "/mcp", "Bearer wrong", "fix its token is refused > the token of the server"},
		{"http://" + locked + "/mcp", "Bearer ${KEY}", "unknown from a variable"},
		{"http://" + locked + "/mcp", "Bearer k3y", "ok which answers"},
		{"http://" + strings.TrimPrefix(page.URL, "http://") + "/mcp", "", "fix something else than an MCP server answers (status 307) > agenvantage serve --http"},
		{"http://" + nobody + "/mcp", "", "fix where nothing answers: > agenvantage serve --http " + nobody},
		{"https://" + ours + "/mcp", "", "off not plain HTTP on this machine"},
		{"http://h.invalid:7777/mcp", "", "off not plain HTTP on this machine"},
		{"http://127.0.0.1.h.invalid/mcp", "", "off not plain HTTP on this machine"},
		{"http://${HOST}/mcp", "", "off put together by the client"},
		{"ftp://127.0.0.1/mcp", "", "fix which is none > http://127.0.0.1:PORT/mcp"},
		{"127.0.0.1:7777/mcp", "", "fix which is none > http://127.0.0.1:PORT/mcp"},
	} {
		found := setup.Found{Client: "claude-code", Configured: []setup.Configured{{Scope: setup.ScopeProject, Path: "/p/.mcp.json", Address: c.address, URL: c.address, Token: c.token}}}
		got := checkClients(t.Context(), []setup.Found{found}, "/opt/agenvantage")
		if len(got) != 1 || !got[0].shown(c.want) {
			t.Errorf("%s with %q: %v, want %s", c.address, c.token, got, c.want)
		}
		if text := fmt.Sprint(got); strings.Contains(text, "k3y") || strings.Contains(text, "wrong") {
			t.Errorf("%s: the token is shown: %s", c.address, text)
		}
	}
	if *ended != 3 {
		t.Errorf("%d conversations were ended, want 3", *ended)
	}
}

func FuzzServerName(f *testing.F) {
	f.Add(`{"result":{"serverInfo":{"name":"x"}}}`)
	f.Add("event: message\ndata: {\"result\":{\"serverInfo\":{\"name\":\"x\"}}}\n\n")
	f.Fuzz(func(t *testing.T, body string) {
		if name := serverName(strings.NewReader(body)); name != "" && !strings.Contains(body, "serverInfo") && !strings.Contains(body, `\u`) && !strings.Contains(strings.ToLower(body), "serverinfo") {
			t.Errorf("%q names %q", body, name)
		}
	})
}
