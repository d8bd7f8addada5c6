package embed

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"agenvantage"
	"agenvantage/embed/embedtest"
)

func TestOptionsThatCannotBeUsed(t *testing.T) {
	const key = "sk-planted-0123456789"
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, []byte("\n"+key), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		o    Options
		want error
		says string
	}{
		{"no provider", Options{Model: "m"}, agenvantage.ErrBadInput, "none of ollama, openai, voyage, cohere"},
		{"unknown provider", Options{Provider: "acme", Model: "m"}, agenvantage.ErrBadInput, `"acme"`},
		{"no model", Options{Provider: Ollama}, agenvantage.ErrBadInput, "such as nomic-embed-text"},
		{"no key for OpenAI's own address", Options{Provider: OpenAI, Model: "m"}, ErrUnauthorized, "AGENVANTAGE_EMBED_API_KEY"},
		{"no key for Voyage's own address", Options{Provider: Voyage, Model: "m"}, ErrUnauthorized, "embed.api_key_file"},
		{"no key for Cohere's own address", Options{Provider: Cohere, Model: "m"}, ErrUnauthorized, "api.cohere.com"},
		{"no scheme", Options{Provider: Ollama, Model: "m", BaseURL: "localhost:11434"}, agenvantage.ErrBadInput, "http or https"},
		{"no host", Options{Provider: Ollama, Model: "m", BaseURL: "http://:80"}, agenvantage.ErrBadInput, "http or https"},
		{"a tail", Options{Provider: OpenAI, Model: "m", BaseURL: "https://h/v1/embeddings/"}, agenvantage.ErrBadInput, "leave /embeddings out"},
		{"Ollama's tail", Options{Provider: Ollama, Model: "m", BaseURL: "http://localhost/api/embed"}, agenvantage.ErrBadInput, "leave /api/embed out"},
		{"Ollama with the address of its other protocol", Options{Provider: Ollama, Model: "m", BaseURL: "http://localhost:11434/v1/"}, agenvantage.ErrBadInput, "leave /v1 out"},
		{"Cohere's tail", Options{Provider: Cohere, Model: "m", BaseURL: "https://h/v2/embed"}, agenvantage.ErrBadInput, "leave /embed out"},
		{"a fragment", Options{Provider: OpenAI, Model: "m", BaseURL: "https://h/v1#x"}, agenvantage.ErrBadInput, "#"},
		{"a key in the open", Options{Provider: OpenAI, Model: "m", BaseURL: "http://10.0.0.5:8000/v1", Key: key}, agenvantage.ErrBadInput, "embed.plain_http"},
		{"a password in the open", Options{Provider: Ollama, Model: "m", BaseURL: "http://u:" + key + "@box:11434"}, agenvantage.ErrBadInput, "embed.plain_http"},
		{"a key in the query in the open", Options{Provider: OpenAI, Model: "m", BaseURL: "http://box/v1?key=" + key}, agenvantage.ErrBadInput, "unencrypted"},
		{"a key with a line break", Options{Provider: OpenAI, Model: "m", Key: key + "\nX: y"}, agenvantage.ErrBadInput, "embed.api_key holds"},
		{"no key file", Options{Provider: OpenAI, Model: "m", KeyFile: filepath.Join(dir, "gone")}, agenvantage.ErrBadInput, "no such file"},
		{"a folder as key file", Options{Provider: OpenAI, Model: "m", KeyFile: dir}, agenvantage.ErrBadInput, "not a regular file"},
		{"a key file without a key", Options{Provider: OpenAI, Model: "m", KeyFile: empty}, agenvantage.ErrBadInput, "first line is empty"},
		{"negative dimensions", Options{Provider: Ollama, Model: "m", Dimensions: -1}, agenvantage.ErrBadInput, "embed.dimensions is -1"},
		{"negative time", Options{Provider: Ollama, Model: "m", Timeout: -1}, agenvantage.ErrBadInput, "embed.timeout"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := New(tt.o)
			if e != nil || !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), key) {
				t.Errorf("%v, want %v, %q", err, tt.want, tt.says)
			}
		})
	}
}

func TestOptionsThatCanBeUsed(t *testing.T) {
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("\ufeff sk-file \r\nsecond line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		o        Options
		endpoint string
		auth     string
		hosted   bool
	}{
		{Options{Provider: Ollama, Model: "m"}, "http://127.0.0.1:11434", "", false},
		{Options{Provider: Ollama, Model: "m", OllamaHost: "0.0.0.0"}, "http://127.0.0.1:11434", "", false},
		{Options{Provider: Ollama, Model: "m", OllamaHost: "0.0.0.0", BaseURL: "http://[::1]:7/"}, "http://[::1]:7", "", false},
		{Options{Provider: Ollama, Model: "m", OllamaHost: "box"}, "http://box:11434", "", true},
		{Options{Provider: Ollama, Model: "gpt:480b-cloud"}, "http://127.0.0.1:11434", "", true},
		{Options{Provider: Ollama, Model: "m", BaseURL: "https://u:pw@box/ollama//"}, "https://box/ollama", "Basic dTpwdw==", true},
		{Options{Provider: OpenAI, Model: "m", Key: "k", KeyFile: "/gone"}, "https://api.openai.com/v1", "Bearer k", true},
		{Options{Provider: OpenAI, Model: "m", KeyFile: key}, "https://api.openai.com/v1", "Bearer sk-file", true},
		{Options{Provider: OpenAI, Model: "m", BaseURL: "http://localhost:1234/v1/", Key: "k"}, "http://localhost:1234/v1", "Bearer k", false},
		{Options{Provider: OpenAI, Model: "m", BaseURL: "http://10.0.0.5/v1"}, "http://10.0.0.5/v1", "", true},
		{Options{Provider: OpenAI, Model: "m", BaseURL: "http://10.0.0.5/v1", Key: "k", PlainHTTP: true}, "http://10.0.0.5/v1", "Bearer k", true},
		{Options{Provider: OpenAI, Model: "m", BaseURL: "https://h/v1?api-version=2", Key: "k"}, "https://h/v1", "Bearer k", true},
		{Options{Provider: OpenAI, Model: "m", BaseURL: "http://a.localhost./v1"}, "http://a.localhost./v1", "", false},
		{Options{Provider: OpenAI, Model: "m", BaseURL: "http://localhost.evil.example/v1"}, "http://localhost.evil.example/v1", "", true},
		{Options{Provider: Voyage, Model: "m", Key: "k"}, "https://api.voyageai.com/v1", "Bearer k", true},
		{Options{Provider: Cohere, Model: "m", Key: "k"}, "https://api.cohere.com/v2", "Bearer k", true},
	}
	for _, tt := range tests {
		e, err := New(tt.o)
		if err != nil {
			t.Errorf("%+v: %v", tt.o, err)
			continue
		}
		r := e.(*remote)
		if r.client.Endpoint() != tt.endpoint || r.client.HasKey() != (tt.auth != "") || e.Hosted() != tt.hosted {
			t.Errorf("%+v: %s, key %v, hosted %v", tt.o, r.client.Endpoint(), r.client.HasKey(), e.Hosted())
		}
	}
}

func TestOtherProviders(t *testing.T) {
	made := Options{}
	others := map[string]func(Options) (Embedder, error){"ngrams": func(o Options) (Embedder, error) { made = o; return nil, nil }}
	if _, err := New(Options{Provider: "ngrams", Others: others, Dimensions: 3}); err != nil || made.Dimensions != 3 {
		t.Errorf("%v, %+v", err, made)
	}
	if _, err := New(Options{Provider: "x", Model: "m", Others: others}); err == nil || !strings.Contains(err.Error(), "cohere, ngrams") {
		t.Error(err)
	}
}

func TestOllamaAddress(t *testing.T) {
	for host, want := range map[string]string{
		"": "http://127.0.0.1:11434", "0.0.0.0": "http://127.0.0.1:11434", ":8080": "http://127.0.0.1:8080", "[::]:8080": "http://127.0.0.1:8080", "box": "http://box:11434",
		"box:1": "http://box:1", "http://box": "http://box", "https://box/sub/": "https://box/sub", "::1": "http://[::1]:11434", " 'box:2' ": "http://box:2",
	} {
		if got := ollamaAddress(host); got != want {
			t.Errorf("%q: %s, want %s", host, got, want)
		}
	}
}

func TestOllamaModelNames(t *testing.T) {
	for _, list := range []string{"mock-embed:latest", "mock-embed", "Mock-Embed:latest", "registry.ollama.ai/library/mock-embed:latest"} {
		for _, asked := range []string{"mock-embed", "mock-embed:latest", "library/mock-embed"} {
			s := embedtest.Start(t, embedtest.Mode{Model: list, Digest: "d1", Window: 512})
			e, err := New(Options{Provider: Ollama, BaseURL: s.URL + "/", Model: asked})
			if err != nil {
				t.Fatal(err)
			}
			i, err := e.Identity(t.Context())
			if err != nil || !strings.EqualFold(i.Model, "mock-embed:latest") || i.Digest != "d1" || e.Limits().Window != 512 || e.Hosted() {
				t.Errorf("%s in %s: %+v, window %d, %v", asked, list, i, e.Limits().Window, err)
			}
		}
	}
	s := embedtest.Start(t, embedtest.Mode{Model: "other:latest"})
	e, _ := New(Options{Provider: Ollama, BaseURL: s.URL, Model: "team/mock-embed:q4"})
	_, err := e.Identity(t.Context())
	if !errors.Is(err, ErrModelMissing) || !strings.HasSuffix(err.Error(), "ollama pull team/mock-embed:q4") || len(s.Asked()) != 0 {
		t.Errorf("%v, %d requests", err, len(s.Asked()))
	}
}

// TestOllamaModelThatRunsElsewhereIsHosted is about the path policy: what Ollama passes on leaves this machine.
func TestOllamaModelThatRunsElsewhereIsHosted(t *testing.T) {
	s := embedtest.Start(t, embedtest.Mode{RemoteHost: "https://ollama.com"})
	e, _ := New(Options{Provider: Ollama, BaseURL: s.URL, Model: "mock-embed"})
	if _, err := e.Identity(t.Context()); err != nil || !e.Hosted() {
		t.Errorf("hosted %v, %v", e.Hosted(), err)
	}
}

func TestOllamaIsAskedNotToCut(t *testing.T) {
	s := embedtest.Start(t, embedtest.Mode{Window: 100})
	e, _ := New(Options{Provider: Ollama, BaseURL: s.URL, Model: "mock-embed", Window: 4000})
	if _, err := e.Identity(t.Context()); err != nil || e.Limits().Window != 100 {
		t.Errorf("window %d, %v", e.Limits().Window, err)
	}
	body := s.Asked()[0].Body
	for _, want := range []string{`"truncate":false`, `"keep_alive":"30m0s"`, `"num_ctx":4000`, `"input":["dimension probe"]`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not in %s", want, body)
		}
	}
}

func TestWindowOfAModel(t *testing.T) {
	for name, tt := range map[string]struct {
		show string
		want int
	}{
		"architecture":  {`{"model_info":{"general.architecture":"bert","bert.context_length":512,"vision.context_length":64}}`, 512},
		"none named":    {`{"model_info":{"a.context_length":512,"b.context_length":64}}`, 64},
		"server's own":  {`{"parameters":"stop  x\nnum_ctx    256\n","model_info":{"general.architecture":"bert","bert.context_length":512}}`, 256},
		"larger one":    {`{"parameters":"num_ctx 8192","model_info":{"general.architecture":"n","n.context_length":2048}}`, 2048},
		"nothing":       {`{}`, 0},
		"nonsense":      {`{"parameters":"num_ctx -5","model_info":{"general.architecture":"n","n.context_length":"many"}}`, 0},
		"below nothing": {`{"model_info":{"n.context_length":-1e300}}`, 0},
	} {
		var show api.ShowResponse
		if err := json.Unmarshal([]byte(tt.show), &show); err != nil {
			t.Fatal(err)
		}
		if got := windowOf(show); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

func TestLimitsAreTheSmallerOnes(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		want Limits
	}{
		{Options{Provider: Cohere, Model: "embed-v4.0", Items: 500, BatchTokens: 9, BatchBytes: 7}, Limits{Items: 96, Tokens: 9, Bytes: 7, Window: 128000}},
		{Options{Provider: Voyage, Model: "voyage-next", Items: 64}, Limits{Items: 64, Tokens: 120000}},
		{Options{Provider: OpenAI, Model: "text-embedding-3-small", Window: 1000}, Limits{Items: 2048, Tokens: 300000, Window: 1000}},
		{Options{Provider: Ollama, Model: "anything"}, Limits{}},
	} {
		tt.o.Key, tt.o.BaseURL = "k", "http://localhost"
		e, err := New(tt.o)
		if err != nil || e.Limits() != tt.want {
			t.Errorf("%+v: %+v, %v", tt.o, e.Limits(), err)
		}
	}
}

func TestKnownModels(t *testing.T) {
	for _, tt := range []struct {
		provider, name string
		dimensions     int
		query          string
		known          bool
	}{
		{Ollama, "nomic-embed-text", 768, "search_query: ", true},
		{Ollama, "library/Nomic-Embed-Text:v1.5", 768, "search_query: ", true},
		{OpenAI, "nomic-ai/nomic-embed-text-v1.5", 768, "search_query: ", true},
		{OpenAI, "nomic-ai/nomic-embed-code", 3584, codeFor, true},
		{OpenAI, "intfloat/multilingual-e5-large", 0, "query: ", true},
		{OpenAI, "BAAI/bge-small-en-v1.5", 0, passages, true},
		{OpenAI, "BAAI/bge-m3", 1024, "", true},
		{OpenAI, "text-embedding-3-large", 3072, "", true},
		{Ollama, "text-embedding-3-large", 0, "", false},
		{Voyage, "voyage-3.5-lite", 1024, "", true},
		{Voyage, "nomic-embed-text", 0, "", true}, // by the limits of the provider
		{OpenAI, "mock-embed", 0, "", false},
	} {
		m, known := Known(tt.provider, tt.name)
		if known != tt.known || m.Dimensions != tt.dimensions || m.QueryPrompt != tt.query {
			t.Errorf("%s %s: %+v, %v", tt.provider, tt.name, m, known)
		}
	}
	for _, m := range models {
		if m.Pattern != strings.ToLower(m.Pattern) || m.Price < 0 || m.Price > 0 && m.Provider == "" {
			t.Errorf("%+v", m)
		}
		first, _ := Known(cmp.Or(m.Provider, Ollama), strings.ReplaceAll(m.Pattern, "*", "-x-"))
		if first.Pattern == "" {
			t.Errorf("%s fits none of its own names", m.Pattern)
		}
	}
	for _, tt := range []struct {
		o      Options
		hosted bool
		price  float64
		from   string
	}{
		{Options{Provider: OpenAI, Model: "text-embedding-3-small"}, true, 0.02, "price list of 2025-06"},
		{Options{Provider: OpenAI, Model: "text-embedding-3-small", Price: 0.5}, true, 0.5, "embed.price"},
		{Options{Provider: OpenAI, Model: "mine"}, true, 0, "unknown"},
		{Options{Provider: Ollama, Model: "nomic-embed-text"}, false, 0, "local"},
	} {
		if price, from := tt.o.Cost(tt.hosted); price != tt.price || from != tt.from {
			t.Errorf("%+v: %v %s", tt.o, price, from)
		}
	}
}

func TestNoPromptTakesAPromptAway(t *testing.T) {
	s := embedtest.Start(t, embedtest.Mode{Model: "nomic-embed-text:latest"})
	for set, want := range map[string]string{"": "search_query: a b", NoPrompt: "a b", "q: ": "q: a b"} {
		e, err := New(Options{Provider: Ollama, BaseURL: s.URL, Model: "nomic-embed-text", QueryPrompt: set})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Embed(context.Background(), Query, []string{"a b"}); err != nil || s.Asked()[len(s.Asked())-1].Inputs[0] != want {
			t.Errorf("%q: %v, %q", set, err, s.Asked()[len(s.Asked())-1].Inputs)
		}
	}
}

func TestDecodeVectors(t *testing.T) {
	for text, want := range map[string]raw{
		`[1, -2.5e0 ,3]`:          {numbers: []float32{1, -2.5, 3}, length: 3},
		`null`:                    {refused: ReasonNull},
		`[]`:                      {refused: ReasonNull},
		`[ ]`:                     {refused: ReasonNull},
		`[1,null]`:                {length: 2, refused: ReasonNull},
		`[1,NaN,3]`:               {length: 3, refused: ReasonNaN},
		`[-Infinity]`:             {length: 1, refused: ReasonNaN},
		`[1e39]`:                  {length: 1, refused: ReasonNaN},
		`[1e-60]`:                 {numbers: []float32{0}, length: 1},
		`[3.4028234663852886e38]`: {numbers: []float32{math.MaxFloat32}, length: 1},
	} {
		var got raw
		if err := decode([]byte(text), &got); err != nil || got.length != want.length || got.refused != want.refused || len(got.numbers) != len(want.numbers) {
			t.Errorf("%s: %+v, %v", text, got, err)
			continue
		}
		for i := range want.numbers {
			if got.numbers[i] != want.numbers[i] {
				t.Errorf("%s: %v", text, got.numbers)
			}
		}
	}
	for _, text := range []string{`"AAAA"`, `{"a":1}`, `[[1,2]]`, `["1"]`, `[true]`, `5`, `[1,`, `[1 NaN]`, ``} {
		var got raw
		if err := decode([]byte(text), &got); err == nil {
			t.Errorf("%s: %+v", text, got)
		}
	}
	var kept struct{ A string }
	if err := decode([]byte(`{"A":"NaN \" -Infinity","b":NaN}`), &kept); err != nil || kept.A != `NaN " -Infinity` {
		t.Errorf("%+v, %v", kept, err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"data":[{"index":0,"embedding":[1,2]}]}`, `{"data":[{"embedding":[NaN,null,1e999,-Infinity]}]}`, `{"data":[{"index":1,"embedding":null}]}`, `[`, `"\`, `{"data":[{"embedding":[1,]}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var got openaiAnswer
		err := decode(body, &got)
		if json.Valid(body) && (json.Unmarshal(body, &openaiAnswer{}) == nil) != (err == nil) {
			t.Errorf("valid JSON is read in another way: %v", err)
		}
		for _, d := range got.Data {
			for _, x := range d.Embedding.numbers {
				if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
					t.Errorf("a number is not finite")
				}
			}
			if err == nil && d.Embedding.refused == "" && len(d.Embedding.numbers) != d.Embedding.length {
				t.Errorf("%d numbers of %d", len(d.Embedding.numbers), d.Embedding.length)
			}
		}
	})
}
