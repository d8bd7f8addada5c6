package rerank

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/internal/clip"
	"agenvantage/internal/hosted"
)

// Errors of a hosted reranker, for errors.Is. With any of them the order stands as it was. What wraps them says which service
// and model, never a key and never a text.
var (
	ErrUnreachable  = errors.New("reranker unreachable")
	ErrTimeout      = errors.New("reranker too slow")
	ErrModelMissing = errors.New("reranker model missing")
	ErrUnauthorized = errors.New("reranker refuses the key")
	ErrQuota        = errors.New("reranker quota exhausted")
	ErrLimited      = errors.New("reranker limits the rate")
	ErrRefused      = errors.New("reranker refuses or fails") // any other answer that is no success
	ErrBadAnswer    = errors.New("reranker gave a bad answer")
)

// Defaults of RemoteOptions.
const (
	// DefaultRemoteTimeout is what a person or an agent waits for one answer, not more.
	DefaultRemoteTimeout = 3 * time.Second
	// DefaultDocumentBytes is about two thousand tokens of code: what the smaller models look at.
	DefaultDocumentBytes = 8192
	// DefaultQueryBytes leaves room for the document in the smaller models' windows.
	DefaultQueryBytes = 4096
)

// RemoteOptions name a hosted cross-encoder. Provider, Model and, at the provider's own address, a key are required.
type RemoteOptions struct {
	Provider      string // "cohere", "jina" or "voyage": whose protocol
	BaseURL       string // everything before /rerank; "" is the provider's own
	Model         string
	Key           string
	KeyFile       string            // its first line is the key, where Key is ""
	PlainHTTP     bool              // the key may travel over http:// to another machine
	Timeout       time.Duration     // of one request; 0: DefaultRemoteTimeout
	DocumentBytes int               // a longer document is cut; 0: DefaultDocumentBytes
	QueryBytes    int               // a longer query is cut; 0: DefaultQueryBytes
	Transport     http.RoundTripper // nil: one of its own
}

// remoteAddresses are the providers' own.
var remoteAddresses = map[string]string{"cohere": "https://api.cohere.com/v2", "jina": "https://api.jina.ai/v1", "voyage": "https://api.voyageai.com/v1"}

// Remote is a hosted cross-encoder: it reads a question together with each text and scores how well they fit. It is safe
// for concurrent use and does not retry: a question waits for one answer.
type Remote struct {
	o      RemoteOptions
	client *hosted.Client
}

// NewRemote checks the options and asks nothing yet. Options that cannot be used are an agenvantage.ErrBadInput, a provider's
// own address without a key is an ErrUnauthorized.
func NewRemote(o RemoteOptions) (*Remote, error) {
	bad := func(format string, a ...any) (*Remote, error) {
		return nil, fmt.Errorf("%w: %s", agenvantage.ErrBadInput, fmt.Sprintf(format, a...))
	}
	address, known := remoteAddresses[o.Provider]
	switch {
	case !known:
		return bad("rerank.provider %q is none of cohere, jina, voyage", o.Provider)
	case strings.TrimSpace(o.Model) == "":
		example := map[string]string{"cohere": "rerank-v3.5", "jina": "jina-reranker-v2-base-multilingual", "voyage": "rerank-2.5"}
		return bad("rerank.model is empty: name a model, such as %s", example[o.Provider])
	case o.Timeout < 0 || o.DocumentBytes < 0 || o.QueryBytes < 0:
		return bad("a limit of the reranker is below 0")
	}
	o.Timeout = cmp.Or(o.Timeout, DefaultRemoteTimeout)
	o.DocumentBytes, o.QueryBytes = cmp.Or(o.DocumentBytes, DefaultDocumentBytes), cmp.Or(o.QueryBytes, DefaultQueryBytes)
	client, err := hosted.New(hosted.Options{Section: "rerank", BaseURL: cmp.Or(o.BaseURL, address), Tails: []string{"/rerank"},
		Key: o.Key, KeyFile: o.KeyFile, PlainHTTP: o.PlainHTTP, Timeout: o.Timeout, Transport: o.Transport})
	if err != nil {
		return nil, err
	}
	if o.BaseURL == "" && !client.HasKey() {
		return nil, fmt.Errorf("%w: %s wants a key: set AGENVANTAGE_RERANK_API_KEY or rerank.api_key_file", ErrUnauthorized, client.Endpoint())
	}
	return &Remote{o: o, client: client}, nil
}

// Endpoint is the address without user, password and query.
func (r *Remote) Endpoint() string { return r.client.Endpoint() }

// Hosted reports whether texts leave this machine: then the path policy holds.
func (r *Remote) Hosted() bool { return !r.client.Local() }

type remoteRequest struct {
	Model     string   `json:"model"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	TopN      int      `json:"top_n,omitempty"` // Cohere and Jina
	TopK      int      `json:"top_k,omitempty"` // Voyage
	// Without this Jina sends every text back.
	ReturnDocuments *bool `json:"return_documents,omitempty"`
}

type remoteScore struct {
	Index *int            `json:"index"`
	Score json.RawMessage `json:"relevance_score"`
}

// Score gives one finite number for each document, in their order: the larger, the better it fits the query. Scores of two
// calls or two models cannot be compared. No documents are no request.
func (r *Remote) Score(ctx context.Context, query string, documents []string) ([]float64, error) {
	if len(documents) == 0 {
		return nil, nil
	}
	texts := make([]string, len(documents))
	for i, d := range documents {
		texts[i] = clip.Bytes(d, r.o.DocumentBytes)
	}
	request := remoteRequest{Model: r.o.Model, Query: clip.Bytes(query, r.o.QueryBytes), Documents: texts, TopN: len(texts)}
	switch r.o.Provider {
	case "voyage":
		request.TopN, request.TopK = 0, len(texts)
	case "jina":
		request.ReturnDocuments = new(bool)
	}
	sent := append([]string{request.Query}, texts...)
	a, err := r.client.Post(ctx, "/rerank", request, hosted.Call{Texts: sent, MaxBytes: 1<<20 + int64(len(texts)*(r.o.DocumentBytes+256))})
	if err != nil {
		return nil, r.fault(err)
	}
	var got struct {
		Results []remoteScore `json:"results"`
		Data    []remoteScore `json:"data"`
	}
	if err := json.Unmarshal(a.Body, &got); err != nil {
		return nil, r.fault(r.client.Bad(a, sent, "no scores for %d documents", len(texts)))
	}
	scores, why := inOrder(append(got.Results, got.Data...), len(texts))
	if why != "" {
		return nil, r.fault(r.client.Bad(a, sent, "%s", why))
	}
	return scores, nil
}

// inOrder puts scores where their index says. All of them must be there, once, and finite: an order by a part of them would
// rest on what is missing.
func inOrder(results []remoteScore, n int) ([]float64, string) {
	if len(results) != n {
		return nil, fmt.Sprintf("%d scores for %d documents", len(results), n)
	}
	out, taken := make([]float64, n), make([]bool, n)
	for _, s := range results {
		if s.Index == nil || *s.Index < 0 || *s.Index >= n || taken[*s.Index] {
			return nil, fmt.Sprintf("the indexes of %d scores are not 0 to %d", n, n-1)
		}
		var f *float64
		if json.Unmarshal(s.Score, &f) != nil || f == nil || math.IsNaN(*f) || math.IsInf(*f, 0) {
			return nil, fmt.Sprintf("the score of document %d is no finite number", *s.Index)
		}
		out[*s.Index], taken[*s.Index] = *f, true
	}
	return out, ""
}

// fault makes an error of the HTTP client one of this package.
func (r *Remote) fault(err error) error {
	var h *hosted.Error
	if !errors.As(err, &h) {
		return err
	}
	sentinel, known := map[hosted.Kind]error{hosted.Unreachable: ErrUnreachable, hosted.ModelMissing: ErrModelMissing, hosted.Unauthorized: ErrUnauthorized,
		hosted.Quota: ErrQuota, hosted.Limited: ErrLimited, hosted.BadAnswer: ErrBadAnswer}[h.Kind]
	switch {
	case h.TimedOut:
		sentinel = ErrTimeout
	case !known:
		sentinel = ErrRefused
	}
	return fmt.Errorf("%w: model %s at %w", sentinel, r.o.Model, h)
}

// Scorer scores documents against a query: a Remote, or a fake.
type Scorer interface {
	Score(ctx context.Context, query string, documents []string) ([]float64, error)
}

// Reordering says what a scorer is asked.
type Reordering struct {
	Query string
	Limit int // how many of the best candidates are looked at
	// Text is what of a candidate is sent; false keeps it here, as the path policy asks.
	Text func(agenvantage.Candidate) (string, bool)
}

// Reorder puts the first Limit candidates into the order of their scores, of equal ones into the order they had. Those that
// are not sent keep their place, and all beyond the limit follow. The score of each of the first becomes best * (1 + (n-p)/n)
// for place p of n from 0, where best is the best score before, with the change as a part named reranker: the order is told by scores
// as everywhere, and nothing beyond the limit can come before. With an error the candidates are those given.
func Reorder(ctx context.Context, s Scorer, candidates []agenvantage.Candidate, o Reordering) ([]agenvantage.Candidate, error) {
	n := max(min(o.Limit, len(candidates)), 0)
	var places []int
	var texts []string
	for i, c := range candidates[:n] {
		if text, ok := o.Text(c); ok && strings.TrimSpace(text) != "" {
			places, texts = append(places, i), append(texts, text)
		}
	}
	if len(texts) < 2 {
		return candidates, nil
	}
	scores, err := s.Score(ctx, o.Query, texts)
	if err != nil {
		return candidates, err
	}
	if len(scores) != len(texts) || slices.ContainsFunc(scores, math.IsNaN) {
		return candidates, fmt.Errorf("%w: %d scores for %d documents", ErrBadAnswer, len(scores), len(texts))
	}
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	out := slices.Clone(candidates)
	for i, from := range order {
		out[places[i]] = candidates[places[from]]
	}
	best := 0.0
	for _, c := range candidates {
		best = max(best, c.Score)
	}
	if best == 0 {
		best = 1
	}
	for p := range out[:n] {
		c := &out[p]
		change := best*(1+float64(n-p)/float64(n)) - c.Score
		c.Score += change
		c.Parts = append(slices.Clone(c.Parts), agenvantage.Part{Name: "reranker", Value: change})
	}
	slices.SortFunc(out, agenvantage.CompareCandidates)
	return out, nil
}
