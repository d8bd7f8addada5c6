// Package embed turns text into vectors: by a local Ollama, by a hosted service that a configuration names, or by what
// another package offers behind the same interface. It knows nothing of repositories, files or indexes: it is given texts
// with their keys. Nothing here runs unless a provider is configured, and text passes the gate of package scan/redact
// before it comes here.
//
// Read this file first.
package embed

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/zeebo/xxh3"
)

// Purpose is what a text is embedded for. Models that were trained with prompts, or services with an input type, treat the
// two differently.
type Purpose string

// The purposes.
const (
	Document Purpose = "document"
	Query    Purpose = "query"
)

// Vector is one embedding: finite numbers, not all zero, as many as the identity's Dimensions, of length 1 (Normalise).
type Vector []float32

// Identity is everything that a vector depends on beside its text, and who was asked for it. Vectors are compared only when
// the keys of their identities are equal.
type Identity struct {
	Provider   string `json:"provider"`             // "ollama", "openai", "voyage", "cohere", …
	Endpoint   string `json:"endpoint"`             // base URL without user, password and query: who was asked; no part of Key
	Model      string `json:"model"`                // as the provider names it, its tag included ("nomic-embed-text:latest")
	Digest     string `json:"digest,omitempty"`     // of the model's content, where the provider tells it
	Dimensions int    `json:"dimensions"`           // as probed, never as promised
	Parameters string `json:"parameters,omitempty"` // prompts, input types and asked dimensions in one canonical line
	Prefix     int    `json:"prefix"`               // version of the prefix that each chunk is given
	PassedOn   bool   `json:"passed_on,omitempty"`  // the service at Endpoint sends the texts to another machine; no part of Key
}

// Key is the name of the identity in stores: 32 hexadecimal digits of an XXH3-128 over its fields with their lengths. The
// endpoint is left out: a service that moved to another port or behind a gateway gives the same vectors, and nothing is
// paid twice for it.
func (i Identity) Key() string {
	h := xxh3.New()
	for _, field := range []string{i.Provider, i.Model, i.Digest, strconv.Itoa(i.Dimensions), i.Parameters, strconv.Itoa(i.Prefix)} {
		_, _ = h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(field))))
		_, _ = h.WriteString(field)
	}
	sum := h.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}

// Limits bound one request. A zero means that no such limit is known.
type Limits struct {
	Items  int // texts in a request
	Tokens int // estimated tokens of a request in all
	Bytes  int // bytes of a request's texts in all
	Window int // tokens of one text; longer ones are refused by the service or split before
}

// Embedder turns texts into vectors. It is safe for concurrent use. It does not retry, split or sleep: that is the runner's
// part, which sees all workers.
type Embedder interface {
	// Identity asks the service what its vectors depend on: whether the model is there, its digest and its dimension,
	// probed by embedding a fixed text that is none of the user's. The answer is kept for the life of the Embedder; an error
	// is one of Embed's and is not kept, so that what may be retried there may be retried here.
	Identity(ctx context.Context) (Identity, error)
	// Limits are those of the service, the model and the options. The window may be known after Identity only.
	Limits() Limits
	// Hosted reports whether texts leave this machine or its loopback: then the path policy holds. It is final after
	// Identity, which may find that a local service passes a model's texts on.
	Hosted() bool
	// Embed gives one answer for each text, in their order. An error is that of the whole request: one of the errors of this
	// package. A vector that the service gave and that is of no use is a Refused in its place and no error; vectors that are
	// all of one other dimension than the identity's are a DimensionError.
	Embed(ctx context.Context, purpose Purpose, texts []string) ([]Answer, error)
}

// Checker is an Embedder that asks a service. It lets a question do without the requests of Identity, where vectors are at hand whose
// identity is on record.
type Checker interface {
	Embedder
	// Expected is what of the identity is known before the service is asked: all but the digest and, unless some are asked for, the
	// dimensions.
	Expected() Identity
	// Check asks whether the service still has the model of an identity, as far as that is to be had for less than a vector: by its
	// digest. ErrModelChanged says that it has another one by now.
	Check(ctx context.Context, i Identity) error
}

// Learner is an Embedder that finds out only when it asks whether texts leave this machine.
type Learner interface {
	Embedder
	// Learned tells it the identity that is on record of an earlier answer, nil for none, and reports whether it is known by now what Hosted
	// will report after Identity. It asks nothing.
	Learned(i *Identity) (known bool)
}

// Answer is the embedding of one text, or why there is none.
type Answer struct {
	Vector  Vector
	Refused Reason // "" when Vector is usable
}

// Reason says why a text has no vector. The set is closed: users and tests branch on it.
type Reason string

// The reasons.
const (
	ReasonNaN       Reason = "nan"       // a component is not a finite number
	ReasonNull      Reason = "null"      // a component, or the vector, is null
	ReasonZero      Reason = "zero"      // all components are zero
	ReasonDimension Reason = "dimension" // of another dimension than the identity's
	ReasonTooLong   Reason = "too_long"  // beyond the window, however it was split
	ReasonRejected  Reason = "rejected"  // the service refuses this text alone
)

// Errors of a whole request, for errors.Is. What wraps them says which service and model, never a key and never a text.
var (
	// ErrUnreachable: no connection, or the connection broke before an answer.
	ErrUnreachable = errors.New("embedding service unreachable")
	// ErrModelMissing: the service answers and has no such model.
	ErrModelMissing = errors.New("embedding model missing")
	// ErrModelChanged: the vectors at hand are of another model, digest or dimension.
	ErrModelChanged = errors.New("embedding model changed")
	// ErrUnauthorized: no key, or one that the service refuses.
	ErrUnauthorized = errors.New("embedding service refuses the key")
	// ErrQuota: the account has nothing left; waiting does not help.
	ErrQuota = errors.New("embedding quota exhausted")
	// ErrLimited: too many requests for now; RetryAfter says how long, where the service does.
	ErrLimited = errors.New("embedding service limits the rate")
	// ErrOverloaded: the service fails for now (5xx): a retry may help.
	ErrOverloaded = errors.New("embedding service overloaded")
	// ErrTooLong: a text, or the request as a whole, is too long; fewer or shorter texts may pass. One that is ErrRejected as well
	// is of the request: a text that was alone in it is not to be sent in parts.
	ErrTooLong = errors.New("embedding input too long")
	// ErrRejected: the request is refused and repeating it as it stands does not help. One of its texts may be the cause: the
	// others may pass in requests of their own. ReasonOf says what the one that is left is recorded with.
	ErrRejected = errors.New("embedding request rejected")
	// ErrBadAnswer: a success without the vectors that were asked for.
	ErrBadAnswer = errors.New("embedding service gave a bad answer")
)

// errNaN: the service failed at writing a vector that is not finite. Known of servers that write JSON with strict encoders.
var errNaN = fmt.Errorf("%w: a vector is not finite", ErrRejected)

// errWhole: the request is larger than the service takes, whichever texts it is made of. A single text that alone is, is refused: such
// limits are of tens of thousands of tokens, so that a chunk beyond one is no code, and the mean of its parts would say nothing.
var errWhole = fmt.Errorf("%w, %w", ErrTooLong, ErrRejected)

// ReasonOf is the reason to record for the only text of a request that failed with err: nan, too_long or rejected.
func ReasonOf(err error) Reason {
	switch {
	case errors.Is(err, errNaN):
		return ReasonNaN
	case errors.Is(err, ErrTooLong):
		return ReasonTooLong
	}
	return ReasonRejected
}

// DimensionError is an ErrModelChanged: all vectors of an answer are of one other dimension than the identity's.
type DimensionError struct {
	Model     string
	Want, Got int // numbers in a vector
}

func (e *DimensionError) Error() string {
	return fmt.Sprintf("%s gave vectors of %d numbers, and of %d before", e.Model, e.Got, e.Want)
}
func (e *DimensionError) Unwrap() error { return ErrModelChanged }

// RetryAfter is the time that a service asked to wait for, carried by an ErrLimited or ErrOverloaded; 0 when it did not say.
func RetryAfter(err error) time.Duration {
	var limited *LimitError
	if errors.As(err, &limited) {
		return limited.After
	}
	return 0
}

// LimitError carries the time to wait.
type LimitError struct {
	Err   error // wraps ErrLimited or ErrOverloaded
	After time.Duration
}

func (e *LimitError) Error() string { return e.Err.Error() }
func (e *LimitError) Unwrap() error { return e.Err }

// Check turns what a service gave for one text into an answer: finite, not zero, of the wanted dimension (0: any), and of
// length 1. The sum of squares runs in the order of the components.
func Check(raw []float32, dimensions int) Answer {
	if len(raw) == 0 {
		return Answer{Refused: ReasonNull}
	}
	if dimensions > 0 && len(raw) != dimensions {
		return Answer{Refused: ReasonDimension}
	}
	var squares float64
	for _, x := range raw {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return Answer{Refused: ReasonNaN}
		}
		squares += float64(x) * float64(x)
	}
	if squares == 0 {
		return Answer{Refused: ReasonZero}
	}
	length := math.Sqrt(squares)
	v := make(Vector, len(raw))
	for i, x := range raw {
		v[i] = float32(float64(x) / length)
	}
	return Answer{Vector: v}
}
