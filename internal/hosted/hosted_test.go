package hosted

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"agenvantage"
)

// TestKindOf has the messages of services as they word them, lower case as kindOf is given them.
func TestKindOf(t *testing.T) {
	tests := []struct {
		status int
		said   string
		waits  bool
		want   Kind
	}{
		{401, "", false, Unauthorized},
		{403, "country, region, or territory not supported", false, Unauthorized},
		{403, "billing is not enabled for this project", false, Quota},
		{402, "", false, Quota},
		{429, "you exceeded your current quota, please check your plan and billing details. insufficient_quota", true, Quota},
		{429, "resource has been exhausted (e.g. check quota).", false, Quota},
		{429, "quota exceeded for requests per minute", true, Limited},
		{429, "rate limit reached for text-embedding-3-small on tokens per min", false, Limited},
		{404, `model "nomic-embed-text" not found, try pulling it first`, false, ModelMissing},
		{404, "the model `text-embedding-9` does not exist or you do not have access to it. model_not_found", false, ModelMissing},
		{400, "invalid model: mistral-embedd", false, ModelMissing},
		{400, "model voyage-9 is not supported. supported models are …", false, ModelMissing},
		{404, "404 page not found", false, Rejected},
		{405, "method not allowed", false, Rejected},
		{400, "this model's maximum context length is 8192 tokens, however you requested 9000 tokens", false, TooLong},
		{400, "invalid 'input': array too long. expected an array with maximum length 2048", false, TooLong},
		{400, "the input length exceeds the context length", false, TooLong},
		{400, "request to model 'voyage-code-3' failed. the max allowed tokens per submitted batch is 120000.", false, TooLong},
		{400, "invalid request: total number of texts must be at most 96 - received 100", false, TooLong},
		{400, "too many tokens overall, split into more batches.", false, TooLong},
		{413, "", false, TooLong},
		{422, "batch size 64 > maximum allowed batch size 32", false, TooLong},
		{422, "`inputs` must have less than 512 tokens. given: 600", false, TooLong},
		{500, "input is too large to process. increase the physical batch size", false, TooLong},
		{500, "failed to encode response: json: unsupported value: nan", false, NotFinite},
		{500, "out of range float values are not json compliant", false, NotFinite},
		{400, "embedding contains nan or inf values", false, NotFinite},
		{400, `do embedding request: post "http://127.0.0.1:40000/embedding": eof`, false, Overloaded},
		{400, "unexpected server status: llm server loading model", false, Overloaded},
		{501, "this model does not support embeddings", false, Rejected},
		{500, "internal error", false, Overloaded},
		{502, "", false, Overloaded}, {503, "", false, Overloaded}, {504, "", false, Overloaded}, {529, "overloaded_error", false, Overloaded}, {408, "", false, Overloaded}, {425, "", false, Overloaded},
		{501, "not implemented", false, Rejected},
		{400, "bad json", false, Rejected}, {422, "field required", false, Rejected}, {418, "", false, Rejected}, {304, "", false, Rejected}, {100, "", false, Rejected},
	}
	for _, tt := range tests {
		if got := kindOf(tt.status, tt.said, tt.waits); got != tt.want {
			t.Errorf("%d %q: %d, want %d", tt.status, tt.said, got, tt.want)
		}
	}
}

func TestMessages(t *testing.T) {
	tests := []struct{ body, kind, said, detail string }{
		{`{"error":"model missing"}`, "application/json", "model missing", "model missing"},
		{`{"error":{"message":"m","type":"t","code":"c","status":"s"}}`, "", "m c t s", "m"},
		{`{"message":"m"}`, "", "m", "m"},
		{`{"detail":[{"loc":["body"],"msg":"field required","input":"a text"}]}`, "", "field required   ", "field required"},
		{`{"error":{"message":5}}`, "", "   ", ""},
		{`{"detail":[[["deep"]]]}`, "", "", ""},
		{`{"error":null,"message":"m"}`, "", " m", "m"},
		{`{"type":"invalid_request","message":"m"}`, "", "m invalid_request", "m"},
		{"404 page not found\nmore", "text/plain", "404 page not found", "404 page not found"},
		{"<html>model not found", "text/html", "<html>model not found", "an answer in HTML, as a proxy or another kind of server gives it"},
		{"", "", "", ""}, {"[]", "", "[]", "[]"},
	}
	for _, tt := range tests {
		said, detail := message([]byte(tt.body), tt.kind)
		if said != tt.said || detail != tt.detail {
			t.Errorf("%s: %q, %q; want %q, %q", tt.body, said, detail, tt.said, tt.detail)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"2": 2 * time.Second, " 1.5 ": 1500 * time.Millisecond, "0": 0, "-3": 0, "": 0, "soon": 0, "NaN": 0, "Inf": maxWait, "1e300": maxWait, "99999999": maxWait,
		"Wed, 06 May 2026 07:08:39 GMT":     30 * time.Second,
		"Wednesday, 06-May-26 07:09:09 GMT": time.Minute,
		"Wed May  6 07:08:10 2026":          time.Second,
		"Wed, 06 May 2026 07:08:00 GMT":     0,
		"Wed, 06 May 2099 07:08:00 GMT":     maxWait,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := retryAfter(http.Header{"Retry-After-Ms": {"250"}, "Retry-After": {"1"}}, now); got != 250*time.Millisecond {
		t.Errorf("milliseconds: %s", got)
	}
}

func TestCleanHidesSecretsAndTexts(t *testing.T) {
	key := "sk-0123456789+/abcdefgh"
	c, err := New(Options{Section: "embed", BaseURL: "https://h/v1?token=tok-tok-tok", Key: key})
	if err != nil {
		t.Fatal(err)
	}
	text := "func main() { fmt.Println(42) } // and so on and on"
	for said, want := range map[string]string{
		"bad key " + key + ".":                    "bad key ***.",
		"bad key " + key[:12] + "…":               "bad key ***…",
		"bad key " + key[10:]:                     "bad key ***",
		"bad key " + key[:7] + ".":                "bad key " + key[:7] + ".",
		"at ?key=" + url.QueryEscape(key):         "at ?key=***",
		"Bearer " + key:                           "Bearer ***",
		"token=tok-tok-tok&x":                     "token=***&x",
		"cannot embed " + text + "!":              "cannot embed ***!",
		"cannot embed " + text[10:40] + "…":       "cannot embed ***…",
		"line\r\nbreaks\tand \x1b[31mcontrol\x00": "line breaks and [31mcontrol",
		"short":                         "short",
		strings.Repeat("é ", maxDetail): strings.Repeat("é ", maxDetail/2) + "…",
		"a text of four: abcd, and of three: abc": "a text of four: ***, and of three: abc",
	} {
		if got := c.clean(said, []string{text, "", "abcd", "xyz"}); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("bad key sk-0123456789abcdef", "some text that was sent to it")
	f.Add("\xff sk-01234567", "")
	c, err := New(Options{Section: "embed", BaseURL: "https://h/v1", Key: "sk-0123456789abcdef"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, said, text string) {
		got := c.clean(said, []string{text})
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxDetail+1 || strings.ContainsAny(got, "\n\r\x00\x1b") {
			t.Errorf("not fit to be shown: %q", got)
		}
		for i := range len(c.o.Key) - secretBytes + 1 {
			if strings.Contains(got, c.o.Key[i:i+secretBytes]) {
				t.Errorf("a part of the key: %q", got)
			}
		}
	})
}

func FuzzMessage(f *testing.F) {
	for _, s := range []string{`{"error":{"message":"m"}}`, `{"detail":[{"msg":"m"}]}`, `<html>`, `{"error":[[[[`, `{"error":"\ud800"}`} {
		f.Add([]byte(s), "application/json")
	}
	f.Fuzz(func(t *testing.T, body []byte, kind string) {
		said, detail := message(body, kind)
		if !strings.Contains(said, detail) && !strings.Contains(detail, "HTML") {
			t.Errorf("%q is shown and was not judged: %q", detail, said)
		}
	})
}

func TestLocal(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST": true, "a.localhost": true, "localhost.": true, "127.0.0.1": true, "127.8.9.1": true, "::1": true, "0.0.0.0": true, "::": true, "::ffff:127.0.0.1": true,
		"10.0.0.1": false, "example.com": false, "localhost.example.com": false, "notlocalhost": false, "127.0.0.1.example.com": false, "host.docker.internal": false, "": false,
	} {
		if got := isLocal(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}

// TestProxiesAreForOtherMachines reads the transport, since net/http reads the environment once in a process.
func TestProxiesAreForOtherMachines(t *testing.T) {
	if newTransport(true).Proxy != nil || newTransport(false).Proxy == nil {
		t.Error("a local service is asked by a proxy, or a hosted one is not")
	}
}

func TestKeyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key")
	for text, want := range map[string]string{"abc": "abc", "abc\nmore": "abc", " abc \r\n": "abc", "\ufeffabc\n": "abc", strings.Repeat("k", 2*maxKeyBytes): strings.Repeat("k", maxKeyBytes)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readKey(file); err != nil || got != want {
			t.Errorf("%.20q: %.20q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "\n", "  \nabc"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readKey(file); err == nil {
			t.Errorf("%q is a key", text)
		}
	}
	for _, key := range []string{"a b", "a\nb", "é", "a\x00"} {
		if _, err := New(Options{Section: "rerank", BaseURL: "https://h", Key: key}); !errors.Is(err, agenvantage.ErrBadInput) || strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// TestKeyGoesToItsOwnHostOnly follows what net/http would do where a library sets its own policy.
func TestKeyGoesToItsOwnHostOnly(t *testing.T) {
	var seen []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, "other "+r.Header.Get("Authorization"))
	}))
	defer other.Close()
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, "home "+r.Header.Get("Authorization"))
	}))
	defer home.Close()
	c, err := New(Options{Section: "embed", BaseURL: home.URL, Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{home.URL, other.URL} {
		_, err := c.Run(t.Context(), Call{}, func(ctx context.Context) error {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
			if err != nil {
				return err
			}
			response, err := c.HTTP().Do(r)
			if err != nil {
				return err
			}
			return response.Body.Close()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(seen, ", "); got != "home Bearer k, other " {
		t.Errorf("seen: %s", got)
	}
	if r, err := c.HTTP().Get(home.URL); err == nil {
		_ = r.Body.Close()
		t.Error("a request outside of Run has no bounds and is sent")
	}
}

func TestEndlessRedirectsEnd(t *testing.T) {
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
	}))
	defer s.Close()
	c, _ := New(Options{Section: "embed", BaseURL: s.URL})
	_, err := c.Post(t.Context(), "/x", 1, Call{})
	var fault *Error
	if !errors.As(err, &fault) || fault.Kind != Rejected || n > maxRedirects+1 {
		t.Errorf("%v after %d requests", err, n)
	}
}

func TestPostEncodesItsBodyFirst(t *testing.T) {
	c, _ := New(Options{Section: "embed", BaseURL: "http://127.0.0.1:1"})
	if _, err := c.Post(t.Context(), "/x", func() {}, Call{}); err == nil || !strings.Contains(err.Error(), "encode") {
		t.Error(err)
	}
}
