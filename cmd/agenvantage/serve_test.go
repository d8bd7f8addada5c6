package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// servedProgram is this test binary as agenvantage (see TestMain), over a repository of its own.
func servedProgram(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	repo := t.TempDir()
	for name, text := range map[string]string{"cart.py": "def total_price(items):\n    return sum(i.price for i in items)\n", "shop.py": "from cart import total_price\n\ndef pay(items):\n    return total_price(items)\n"} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"agenvantage", "serve", "--repo", repo}, args...)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"))
	return cmd
}

// waited is how a process ends within a time, and its exit code.
func waited(t *testing.T, cmd *exec.Cmd, within time.Duration) int {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
		return cmd.ProcessState.ExitCode()
	case <-time.After(within):
		_ = cmd.Process.Kill()
		t.Fatalf("the process runs on %s after it should have ended", within)
	}
	return -1
}

func TestServeTalksToAClient(t *testing.T) {
	cmd := servedProgram(t, "--mcp")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	for _, version := range []string{"2025-06-18", ""} {
		again := exec.Command(cmd.Path)
		again.Args, again.Env = cmd.Args, cmd.Env
		session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: again}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "symbol", Arguments: map[string]any{"name": "total_price", "relation": "callers"}})
		if err != nil || r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "shop.py:4 pay") {
			t.Errorf("%q: %v %+v", version, err, r)
		}
		if structured, _ := json.Marshal(r.StructuredContent); !bytes.Contains(structured, []byte(`"verdict"`)) {
			t.Errorf("structured %s", structured)
		}
		if err := session.Close(); err != nil {
			t.Errorf("%q: %v", version, err)
		}
	}
}

// A client that dies takes its server with it, whatever the server is at.
func TestServeEndsWithItsClient(t *testing.T) {
	cmd := servedProgram(t, "--mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`+"\n")
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
		t.Fatalf("%v %s", err, line)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"pack","arguments":{"task":"total_price is wrong"}}}`+"\n")
	in.Close()
	if code := waited(t, cmd, 4*time.Second); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestServeHTTP(t *testing.T) {
	cmd := servedProgram(t, "--http", "127.0.0.1:0")
	cmd.Env = append(cmd.Env, tokenVariable+"=secret")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	at := strings.TrimSpace(line)
	ask := func(token string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), "POST", at+"/v1/search", strings.NewReader(`{"query":"total_price"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		text, _ := io.ReadAll(w.Body)
		return w.StatusCode, string(text)
	}
	if code, _ := ask("odd"); code != 401 {
		t.Errorf("a wrong token: %d", code)
	}
	if code, text := ask("secret"); code != 200 || !strings.Contains(text, `"path":"cart.py"`) {
		t.Errorf("%d %s", code, text)
	} else if bad := breaks(t, "search", text); len(bad) > 0 && !strings.Contains(strings.Join(bad, " "), "next") {
		t.Errorf("%s\n%s", strings.Join(bad, "\n"), text)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := waited(t, cmd, 4*time.Second); code != 0 {
		t.Errorf("exit code %d after a signal", code)
	}
}

func TestServeFlags(t *testing.T) {
	p := newProgram(strings.NewReader(""), io.Discard, io.Discard, nil, backend{})
	for _, args := range []string{"", "--http x --rate 0", "--mcp --max-concurrent 5", "--mcp --max-bytes 10", "--mcp x"} {
		root := p.command()
		root.SetArgs(append([]string{"serve"}, strings.Fields(args)...))
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		if err := root.ExecuteContext(context.Background()); err == nil || errorKind(err) != "bad_input" {
			t.Errorf("serve %s: %v", args, fmt.Sprint(err))
		}
	}
}

// A signal ends the server with exit code 0 though an agent holds a stream open.
func TestServeEndsWithAnOpenStream(t *testing.T) {
	cmd := servedProgram(t, "--http", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	at, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: strings.TrimSpace(at) + "/mcp", MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := waited(t, cmd, 4*time.Second); code != 0 {
		t.Errorf("exit code %d", code)
	}
	session.Close()
}
