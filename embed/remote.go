package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"agenvantage/internal/hosted"
)

// probe is embedded to learn a model's dimension. It is no text of the user's.
const probe = "dimension probe"

// backend is the protocol of a provider.
type backend interface {
	// find says what the service knows of the model before anything is embedded.
	find(ctx context.Context) (found, error)
	// ask sends texts, prompts included, and gives what came, one for each text: the caller need not count.
	ask(ctx context.Context, purpose Purpose, texts []string) ([]raw, error)
	// missing is what to do where the model is missing, "" for nothing.
	missing() string
}

// found is what a service says of a model. Zero values are unknown.
type found struct {
	name, digest string
	window       int  // tokens
	passedOn     bool // the service sends the texts to another machine
}

// remote is an embedder behind HTTP: what all providers share.
type remote struct {
	o       Options
	known   Model
	prompts map[Purpose]string
	client  *hosted.Client
	backend backend

	turn     chan struct{} // held while the identity is asked for
	identity atomic.Pointer[Identity]
	window   atomic.Int64
	hosted   atomic.Bool
}

// Identity implements Embedder.
func (r *remote) Identity(ctx context.Context) (Identity, error) {
	if i := r.identity.Load(); i != nil {
		return *i, nil
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return Identity{}, fmt.Errorf("ask %s: %w", r.client.Endpoint(), ctx.Err())
	}
	if i := r.identity.Load(); i != nil {
		return *i, nil
	}
	f, err := r.backend.find(ctx)
	if err != nil {
		return Identity{}, r.fault(err)
	}
	if f.passedOn {
		r.hosted.Store(true)
	}
	r.window.Store(int64(f.window))
	answers, err := r.embed(ctx, Document, []string{probe}, 0)
	if err != nil {
		return Identity{}, err
	}
	if why := answers[0].Refused; why != "" {
		return Identity{}, fmt.Errorf("%w: %s at %s gives no usable vector: %s", ErrBadAnswer, r.o.Model, r.client.Endpoint(), why)
	}
	i := Identity{Provider: r.o.Provider, Endpoint: r.client.Endpoint(), Model: cmp.Or(f.name, r.o.Model), Digest: f.digest,
		Dimensions: len(answers[0].Vector), Parameters: r.parameters(), Prefix: PrefixVersion,
		PassedOn: r.client.Local() && r.hosted.Load()}
	if r.o.Dimensions > 0 && r.o.Dimensions != i.Dimensions {
		return Identity{}, fmt.Errorf("%w: %s at %s gives vectors of %d numbers, not of the %d that embed.dimensions asks for; set it to 0",
			ErrRejected, r.o.Model, r.client.Endpoint(), i.Dimensions, r.o.Dimensions)
	}
	r.identity.Store(&i)
	return i, nil
}

// parameters is the canonical line of what changes a vector beside the model.
func (r *remote) parameters() string {
	var parts []string
	if r.o.Dimensions > 0 {
		parts = append(parts, fmt.Sprintf("dimensions=%d", r.o.Dimensions))
	}
	for _, purpose := range []Purpose{Document, Query} {
		if p := r.prompts[purpose]; p != "" {
			parts = append(parts, fmt.Sprintf("%s_prompt=%q", purpose, p))
		}
	}
	if r.o.Provider == Voyage || r.o.Provider == Cohere {
		parts = append(parts, "input_type")
	}
	return strings.Join(parts, " ")
}

// Expected implements Checker.
func (r *remote) Expected() Identity {
	model := r.o.Model
	if r.o.Provider == Ollama {
		model = fullName(model)
	}
	return Identity{Provider: r.o.Provider, Endpoint: r.client.Endpoint(), Model: model, Dimensions: r.o.Dimensions, Parameters: r.parameters(), Prefix: PrefixVersion}
}

// Learned implements Learner: an Ollama on this machine may pass a model's texts on, others are where their address is.
func (r *remote) Learned(i *Identity) (known bool) {
	if i != nil && i.PassedOn && i.Endpoint == r.client.Endpoint() {
		r.hosted.Store(true)
	}
	return r.o.Provider != Ollama || r.hosted.Load() || i != nil && i.Endpoint == r.client.Endpoint()
}

// Check implements Checker.
func (r *remote) Check(ctx context.Context, i Identity) error {
	b, ok := r.backend.(ollama)
	if !ok || i.Digest == "" {
		return nil
	}
	m, _, err := b.listed(ctx)
	switch {
	case err != nil:
		return r.fault(err)
	case m.Digest != "" && m.Digest != i.Digest:
		return fmt.Errorf("%w: %s at %s was fetched or made anew since", ErrModelChanged, r.o.Model, r.client.Endpoint())
	}
	return nil
}

// Limits implements Embedder.
func (r *remote) Limits() Limits {
	return Limits{Items: least(r.o.Items, r.known.MaxItems), Tokens: least(r.o.BatchTokens, r.known.MaxTokens), Bytes: r.o.BatchBytes,
		Window: least(r.o.Window, least(int(r.window.Load()), r.known.Window))}
}

// least is the smaller of two limits, of which 0 is none.
func least(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// Hosted implements Embedder.
func (r *remote) Hosted() bool { return r.hosted.Load() }

// Embed implements Embedder. Before Identity the first vector of an answer says what dimension the others must have.
func (r *remote) Embed(ctx context.Context, purpose Purpose, texts []string) ([]Answer, error) {
	dimensions := 0
	if i := r.identity.Load(); i != nil {
		dimensions = i.Dimensions
	}
	return r.embed(ctx, purpose, texts, dimensions)
}

// embed sends the texts that say something: a blank one has no meaning, and services refuse the request for it.
func (r *remote) embed(ctx context.Context, purpose Purpose, texts []string, dimensions int) ([]Answer, error) {
	answers := make([]Answer, len(texts))
	var send []string
	var at []int
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			answers[i] = Answer{Refused: ReasonRejected}
			continue
		}
		send, at = append(send, r.prompts[purpose]+text), append(at, i)
	}
	if len(send) == 0 {
		return answers, nil
	}
	raws, err := r.backend.ask(ctx, purpose, send)
	if err != nil {
		return nil, r.fault(err)
	}
	if dimensions > 0 {
		if other := otherDimension(raws, dimensions); other != 0 {
			return nil, &DimensionError{Model: r.o.Model + " at " + r.client.Endpoint(), Want: dimensions, Got: other}
		}
	}
	for i, raw := range raws {
		a := Answer{Refused: raw.refused}
		if raw.refused == "" {
			if a = Check(raw.numbers, dimensions); a.Refused == "" && dimensions == 0 {
				dimensions = len(a.Vector)
			}
		}
		answers[at[i]] = a
	}
	return answers, nil
}

// otherDimension is the one dimension of all vectors where it is another than want, else 0.
func otherDimension(raws []raw, want int) int {
	other := 0
	for _, r := range raws {
		switch n := r.length; {
		case n == 0:
		case n == want || other != 0 && n != other:
			return 0
		default:
			other = n
		}
	}
	return other
}

// fault makes an error of the HTTP client one of this package.
func (r *remote) fault(err error) error {
	var h *hosted.Error
	if !errors.As(err, &h) {
		return err
	}
	about := func(sentinel error) error { return fmt.Errorf("%w: model %s at %w", sentinel, r.o.Model, h) }
	switch h.Kind {
	case hosted.Unreachable:
		return about(ErrUnreachable)
	case hosted.ModelMissing:
		if hint := r.backend.missing(); hint != "" {
			return fmt.Errorf("%w: %s has no %s; %s", ErrModelMissing, h.Endpoint, r.o.Model, hint)
		}
		return about(ErrModelMissing)
	case hosted.Unauthorized:
		return about(ErrUnauthorized)
	case hosted.Quota:
		return about(ErrQuota)
	case hosted.Limited:
		return &LimitError{Err: about(ErrLimited), After: h.After}
	case hosted.Overloaded:
		return &LimitError{Err: about(ErrOverloaded), After: h.After}
	case hosted.TooLong:
		if h.Whole {
			return about(errWhole)
		}
		return about(ErrTooLong)
	case hosted.NotFinite:
		return about(errNaN)
	case hosted.BadAnswer:
		return about(ErrBadAnswer)
	}
	return about(ErrRejected)
}

// read decodes the answer to texts.
func (r *remote) read(a hosted.Answer, texts []string, into any) error {
	if decode(a.Body, into) != nil {
		return r.client.Bad(a, texts, "no vectors for %d inputs", len(texts))
	}
	return nil
}

// count checks that an answer has one vector for each text.
func (r *remote) count(vectors int, a hosted.Answer, texts []string) error {
	if vectors != len(texts) {
		return r.client.Bad(a, texts, "%d vectors for %d inputs", vectors, len(texts))
	}
	return nil
}

// call bounds the answer to texts: four thousand numbers of up to 24 characters for each of them, and a margin.
func call(texts []string) hosted.Call {
	const vectorBytes = 4096 * 24
	return hosted.Call{Texts: texts, MaxBytes: min(1<<20+int64(len(texts))*vectorBytes, 1<<30)}
}
