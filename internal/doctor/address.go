package doctor

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
	"net/url"
	"strings"
	"syscall"
	"time"

	"agenvantage/internal/loopback"
	"agenvantage/internal/setup"
)

// probeTimeout bounds the question to a server on this machine, which answers a handshake in milliseconds.
const probeTimeout = 3 * time.Second

// mcpPath is where agenvantage serve --http speaks MCP.
const mcpPath = "/mcp"

// handshake is the first message of every MCP client.
const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"agenvantage doctor","version":"1"}}}`

// checkAddress checks an entry with the address of a server. The address may come from a repository, so that it is asked only at
// the loopback, at mcpPath and with a message that changes nothing; variables in it are not put in.
func checkAddress(ctx context.Context, name string, f setup.Found, c setup.Configured) Check {
	says := c.Path + " has the address " + c.URL
	start := fmt.Sprintf("agenvantage setup %s --scope %s --force, which lets the client start a server of its own", f.Client, c.Scope)
	u, err := url.Parse(c.Address)
	switch {
	case isVariable(c.Address):
		return off(name, says+", which is put together by the client: it is not asked")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fix(name, says+", which is none", "http://127.0.0.1:PORT/mcp in its place, or "+start)
	case u.Scheme != "http" || !loopback.Is(u.Hostname()):
		return off(name, says+", which is not asked: it is not plain HTTP on this machine")
	}
	a := ask(ctx, u.Host, c.Token)
	switch {
	case strings.TrimSuffix(u.Path, "/") == mcpPath:
		return a.judge(name, says, u.Host, c, start)
	case a.server == setup.ServerName:
		return fix(name, says+", but the server there speaks MCP at "+mcpPath, "http://"+u.Host+mcpPath+" in "+c.Path)
	}
	return off(name, says+", which is not asked: agenvantage speaks MCP at "+mcpPath)
}

// answer is what a server said to the handshake.
type answer struct {
	err    error
	status int
	server string // as it names itself, "" when it speaks no MCP
}

func (a answer) judge(name, says, host string, c setup.Configured, start string) Check {
	switch {
	case a.err != nil:
		return fix(name, says+", where nothing answers: "+reason(a.err), "agenvantage serve --http "+host+", which has to run as long as the client asks; or "+start)
	case a.status == http.StatusUnauthorized && c.Token == "":
		return fix(name, says+", where a token is wanted", "the header Authorization: Bearer TOKEN in "+c.Path+", with the token of the server")
	case a.status == http.StatusUnauthorized && isVariable(c.Token):
		return unknown(name, says+", where a token is wanted, which the client takes from a variable")
	case a.status == http.StatusUnauthorized:
		return fix(name, says+", where its token is refused", "the token of the server in the header Authorization in "+c.Path)
	case a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable:
		return unknown(name, fmt.Sprintf("%s, where a server is busy (status %d)", says, a.status))
	case a.server == "":
		return fix(name, fmt.Sprintf("%s, where something else than an MCP server answers (status %d)", says, a.status), "agenvantage serve --http 127.0.0.1:PORT with a port that is free, and that one in "+c.Path+"; or "+start)
	case a.server != setup.ServerName:
		return ok(name, fmt.Sprintf("%s, where %q answers", says, a.server))
	}
	return ok(name, says+", which answers")
}

// isVariable reports that an address or a header holds what the client puts in.
func isVariable(text string) bool { return strings.ContainsAny(text, "${}") }

// reason is an error of the network in few words.
func reason(err error) string {
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection is refused"
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("no answer within %s", probeTimeout)
	}
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// ask sends the handshake to a host of the loopback, and ends the conversation again. No proxy and no redirect is followed.
func ask(ctx context.Context, host, token string) answer {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	send := func(method, body, session string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, method, "http://"+host+mcpPath, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if token != "" && !isVariable(token) {
			r.Header.Set("Authorization", token)
		}
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		return client.Do(r)
	}
	response, err := send(http.MethodPost, handshake, "")
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	a := answer{status: response.StatusCode, server: serverName(response.Body)}
	if session := response.Header.Get("Mcp-Session-Id"); session != "" {
		if end, err := send(http.MethodDelete, "", session); err == nil {
			end.Body.Close()
		}
	}
	return a
}

// maxAnswerBytes bounds what is read of an answer.
const maxAnswerBytes = 256 << 10

// serverName reads the name of the server out of the answer to the handshake: a message, or a stream of events with one. It is ""
// when there is none.
func serverName(body io.Reader) string {
	lines := bufio.NewScanner(io.LimitReader(body, maxAnswerBytes))
	lines.Buffer(nil, maxAnswerBytes)
	for lines.Scan() {
		line := bytes.TrimSpace(bytes.TrimPrefix(lines.Bytes(), []byte("data:")))
		var message struct {
			Result struct {
				ServerInfo struct {
					Name string `json:"name"`
				} `json:"serverInfo"`
			} `json:"result"`
		}
		if json.Unmarshal(line, &message) == nil && message.Result.ServerInfo.Name != "" {
			return message.Result.ServerInfo.Name
		}
	}
	return ""
}
