package server

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A page in a browser must not read a repository through a name that was made to point here, nor across origins.
func TestRebinding(t *testing.T) {
	s := newHTTP(t, &fake{}, HTTPOptions{Names: []string{"Build.example"}})
	at := httptest.NewServer(s)
	defer at.Close()
	for _, c := range []struct {
		name    string
		headers []string
		want    int
	}{
		{"plain", nil, 200},
		{"localhost", []string{"Host: localhost:7777"}, 200},
		{"localhost without a port", []string{"Host: LOCALHOST"}, 200},
		{"IPv6", []string{"Host: [::1]:7777"}, 200},
		{"other loopback", []string{"Host: 127.8.8.8"}, 200},
		{"another port, as of a tunnel", []string{"Host: 127.0.0.1:9"}, 200},
		{"a name that is allowed", []string{"Host: build.example:80"}, 200},
		{"rebound name", []string{"Host: evil.example:7777"}, 403},
		{"name that begins like it", []string{"Host: localhost.evil.example"}, 403},
		{"name that ends like it", []string{"Host: evil-localhost"}, 403},
		{"address of a name", []string{"Host: 127.0.0.1.nip.io"}, 403},
		{"private address", []string{"Host: 192.168.1.2:7777"}, 403},
		{"no host", []string{"Host: "}, 403},
		{"user before the host", []string{"Host: localhost@evil.example"}, 403},
		{"same origin", []string{"Origin: http://127.0.0.1:7777"}, 200},
		{"other port", []string{"Origin: http://127.0.0.1:8888"}, 403},
		{"other name of the same", []string{"Origin: http://localhost:7777"}, 403},
		{"other origin", []string{"Origin: http://evil.example"}, 403},
		{"null", []string{"Origin: null"}, 403},
		{"file", []string{"Origin: file://"}, 403},
		{"empty", []string{"Origin: "}, 403},
		{"two", []string{"Origin: http://127.0.0.1:7777", "Origin: http://evil.example"}, 403},
		{"rebound name with its own origin", []string{"Host: evil.example", "Origin: http://evil.example"}, 403},
		{"another site's page without an Origin", []string{"Sec-Fetch-Site: cross-site"}, 403},
		{"the same site's page", []string{"Sec-Fetch-Site: same-origin"}, 200},
		{"typed by a person", []string{"Sec-Fetch-Site: none"}, 200},
	} {
		for _, path := range []string{"/v1/search", "/openapi.json", "/metrics", "/", "/healthz", "/readyz", "/mcp"} {
			r, want := request("GET", path, "", c.headers...), c.want
			switch path {
			case "/v1/search":
				r = request("POST", path, `{"query":"x"}`, c.headers...)
			case "/mcp":
				r = request("POST", path, strings.Split(hello, "\n")[0], append([]string{"Accept: application/json, text/event-stream"}, c.headers...)...)
			case "/readyz":
				if want == 200 {
					continue // it depends on the index
				}
			}
			if w := serve(s, r); w.Code != want {
				t.Errorf("%s: %s: %d, want %d: %s", c.name, path, w.Code, want, w.Body)
			}
		}
	}
	link := request("GET", "/", "", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate")
	if w := serve(s, link); w.Code != 200 {
		t.Errorf("a link to the page: %d", w.Code)
	}
}

func TestToken(t *testing.T) {
	for _, c := range []struct{ host, token, want string }{
		{"127.0.0.1", "", ""}, {"localhost", "", ""}, {"::1", "", ""}, {"0.0.0.0", "", "needs a token"}, {"", "", "needs a token"}, {"192.168.1.2", "", "needs a token"}, {"build.example", "", "needs a token"},
		{"0.0.0.0", "secret", ""},
	} {
		_, err := newGuard(c.host, c.token, nil)
		if c.want != "" {
			wantError(t, err, "bad_input", c.want)
		} else if err != nil {
			t.Errorf("%s: %v", c.host, err)
		}
	}
	s := newHTTP(t, &fake{}, HTTPOptions{Host: "0.0.0.0", Token: "secret"})
	for _, c := range []struct {
		header string
		want   int
	}{{"Authorization: Bearer secret", 200}, {"Authorization: bearer secret", 200}, {"X: y", 401}, {"Authorization: Bearer secre", 401}, {"Authorization: Bearer secrets", 401}, {"Authorization: Bearer ", 401},
		{"Authorization: Basic secret", 401}, {"Authorization: secret", 401}} {
		w := serve(s, request("POST", "/v1/search", `{"query":"x"}`, c.header, "Host: 10.0.0.7:1"))
		if w.Code != c.want || w.Code == 401 && w.Header().Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%q: %d", c.header, w.Code)
		}
	}
	for path, want := range map[string]int{"/": 200, "/healthz": 200, "/page.js": 200, "/metrics": 401, "/openapi.json": 401, "/mcp": 401} {
		if w := serve(s, request("GET", path, "")); w.Code != want {
			t.Errorf("%s without a token: %d, want %d", path, w.Code, want)
		}
	}
}

func TestLimits(t *testing.T) {
	begun, let := make(chan struct{}, 8), make(chan struct{})
	f := &fake{answer: func(context.Context, Call) (Answer, error) {
		begun <- struct{}{}
		<-let
		return Answer{Value: struct{}{}}, nil
	}}
	s := newHTTP(t, f, HTTPOptions{MaxConcurrent: 2})
	done := make(chan int, 2)
	for range 2 {
		go func() { done <- serve(s, request("POST", "/v1/search", `{"query":"x"}`)).Code }()
		<-begun
	}
	w := serve(s, request("POST", "/v1/search", `{"query":"x"}`))
	if w.Code != 429 || w.Header().Get("Retry-After") != "1" || !strings.Contains(w.Body.String(), `"too_many_requests"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := serve(s, request("GET", "/healthz", "")); w.Code != 200 {
		t.Errorf("health counts against the limit: %d", w.Code)
	}
	close(let)
	if a, b := <-done, <-done; a != 200 || b != 200 {
		t.Errorf("%d %d", a, b)
	}
}

func TestRate(t *testing.T) {
	now := time.Unix(1000, 0)
	l := newLimiter(10, 2) // 4 at once, then 2 in a second
	l.now = func() time.Time { return now }
	take := func(want int) {
		t.Helper()
		leave, wait := l.enter()
		if wait != want || (leave == nil) != (want > 0) {
			t.Errorf("wait %d, want %d", wait, want)
		}
		if leave != nil {
			leave()
		}
	}
	for range 4 {
		take(0)
	}
	take(1)
	now = now.Add(500 * time.Millisecond)
	take(0)
	take(1)
	now = now.Add(time.Hour)
	for range 4 {
		take(0)
	}
	take(1)
	none := newLimiter(1, 0)
	if wait := none.take(); wait != 0 {
		t.Errorf("no rate: %d", wait)
	}
}
