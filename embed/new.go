package embed

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/internal/hosted"
)

// The providers of this package.
const (
	Ollama = "ollama"
	OpenAI = "openai" // and every service that speaks its protocol
	Voyage = "voyage"
	Cohere = "cohere"
)

// NoPrompt as a prompt of Options stands for none, where the model has one by the table of known models.
const NoPrompt = "none"

// Options name a provider and a model. The zero values of all but Provider and Model mean the provider's or the model's own.
type Options struct {
	Provider       string
	BaseURL        string // everything before /embeddings, /embed (Cohere) or /api/embed (Ollama)
	Model          string
	Key            string
	KeyFile        string        // its first line is the key, where Key is ""
	PlainHTTP      bool          // the key may travel over http:// to another machine
	Dimensions     int           // asked of the service; 0: the model's own, and nothing is asked
	QueryPrompt    string        // put before each query; "" is the model's own, NoPrompt none
	DocumentPrompt string        // put before each document, likewise
	Window         int           // tokens of one text; 0: as read from the service or the table of known models
	Items          int           // texts in a request; the service's own limit holds too, also for the next two
	BatchTokens    int           // estimated tokens of a request; 0: the service's limit
	BatchBytes     int           // bytes of a request's texts; 0: no limit
	Price          float64       // per million tokens; 0: as in the table of known models
	Timeout        time.Duration // of one request; 0: five minutes for Ollama, which loads a cold model, one minute for others
	OllamaHost     string        // value of OLLAMA_HOST, used by provider ollama where BaseURL is ""

	// Others makes embedders of other packages, by the name of their provider.
	Others map[string]func(Options) (Embedder, error)

	Now       func() time.Time  // nil: time.Now; reads Retry-After with a date
	Transport http.RoundTripper // nil: one of its own
}

// defaultTimeout and coldTimeout bound one request. A local model of some gigabytes takes a minute or two from a slow disk.
const (
	defaultTimeout = time.Minute
	coldTimeout    = 5 * time.Minute
)

// New makes the embedder that the options name. It asks nothing of the service yet. Options that cannot be used are an
// agenvantage.ErrBadInput, a provider's own address without a key is an ErrUnauthorized.
func New(o Options) (Embedder, error) {
	if other, ok := o.Others[o.Provider]; ok {
		return other(o)
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	known, _ := Known(o.Provider, o.Model)
	prompts := map[Purpose]string{Query: prompt(o.QueryPrompt, known.QueryPrompt), Document: prompt(o.DocumentPrompt, known.DocumentPrompt)}
	r := &remote{o: o, known: known, prompts: prompts, turn: make(chan struct{}, 1)}
	timeout := cmp.Or(o.Timeout, defaultTimeout)
	tails, address := []string{"/embeddings"}, o.BaseURL
	switch o.Provider {
	case Ollama:
		timeout = cmp.Or(o.Timeout, coldTimeout)
		tails = []string{"/api/embed", "/api/embeddings", "/api", "/v1", "/v1/embeddings"}
		if address == "" {
			address = ollamaAddress(o.OllamaHost)
		}
	case OpenAI:
		address = cmp.Or(address, "https://api.openai.com/v1")
	case Voyage:
		address = cmp.Or(address, "https://api.voyageai.com/v1")
	case Cohere:
		tails, address = []string{"/embed"}, cmp.Or(address, "https://api.cohere.com/v2")
	}
	client, err := hosted.New(hosted.Options{Section: "embed", BaseURL: address, Tails: tails, Key: o.Key, KeyFile: o.KeyFile,
		PlainHTTP: o.PlainHTTP, Timeout: timeout, Now: o.Now, Transport: o.Transport})
	if err != nil {
		return nil, err
	}
	if o.Provider != Ollama && o.BaseURL == "" && !client.HasKey() {
		return nil, fmt.Errorf("%w: %s wants a key: set AGENVANTAGE_EMBED_API_KEY or embed.api_key_file", ErrUnauthorized, client.Endpoint())
	}
	r.client = client
	r.hosted.Store(!client.Local())
	switch o.Provider {
	case Ollama:
		r.backend = newOllama(r)
	case Cohere:
		r.backend = cohere{r}
	default:
		r.backend = openai{r}
	}
	return r, nil
}

// prompt is the prompt of a model, which the options may replace or take away.
func prompt(set, own string) string {
	if set == NoPrompt {
		return ""
	}
	return cmp.Or(set, own)
}

func (o Options) validate() error {
	bad := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", agenvantage.ErrBadInput, fmt.Sprintf(format, a...))
	}
	providers := append([]string{Ollama, OpenAI, Voyage, Cohere}, slices.Sorted(maps.Keys(o.Others))...)
	if !slices.Contains(providers, o.Provider) {
		return bad("embed.provider %q is none of %s", o.Provider, strings.Join(providers, ", "))
	}
	if strings.TrimSpace(o.Model) == "" {
		example := map[string]string{Ollama: "nomic-embed-text", OpenAI: "text-embedding-3-small", Voyage: "voyage-code-3", Cohere: "embed-v4.0"}
		return bad("embed.model is empty: name a model, such as %s", example[o.Provider])
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"dimensions", o.Dimensions}, {"window", o.Window}, {"batch", o.Items}, {"batch_tokens", o.BatchTokens}, {"batch_bytes", o.BatchBytes}} {
		if n.value < 0 {
			return bad("embed.%s is %d, want 0 or more", n.name, n.value)
		}
	}
	if o.Timeout < 0 {
		return bad("embed.timeout is %s, want 0s or more", o.Timeout)
	}
	return nil
}
