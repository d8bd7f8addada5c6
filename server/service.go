// Package server is the two front ends that agents and programs talk to, MCP (mcp.go, on standard input and output or over
// HTTP) and HTTP (http.go), over one small Service. It owns protocols, arguments, roots, limits, and what a conversation has
// been sent; it knows no index, no channel and no ranking, opens no file of a repository, and prints nothing but protocol. Read
// this file first, then operations.go (what there is), hub.go (who answers) and mcp.go.
package server

import (
	"context"
	"errors"
	"fmt"

	"agenvantage"
)

// Service answers for one repository. It is safe for concurrent use.
type Service interface {
	// Answer answers one call. It brings an index up to date within the configured time, as the command line does, and says
	// what it left undone, which goes on in the background; it never builds a first one, which is Build's part: without any, a search is answered from the files
	// themselves and every other operation that needs an index is agenvantage.ErrNoIndex or ErrIncomplete. Bad arguments are
	// agenvantage.ErrBadInput.
	Answer(ctx context.Context, c Call) (Answer, error)
	// Build builds the index or brings it up to date, however long that takes. progress is told now and then, perhaps from
	// several goroutines; it is never nil.
	Build(ctx context.Context, progress func(Progress)) error
	// Generation is that of the index that answers come from, 0 when there is none.
	Generation(ctx context.Context) uint64
	// Close releases files once the calls in flight have ended.
	Close() error
}

// Watcher is a Service that can follow its tree. Calls bring the index up to date by themselves while nobody watches.
type Watcher interface {
	// Watch keeps the index up to date until the context ends, which is no error. It begins after a Build that ended well and ends
	// before Close. told is given what a person may want to know; it is never nil.
	Watch(ctx context.Context, told func(message string)) error
}

// Call is one operation that is asked for.
type Call struct {
	Operation string // a name of Operations
	Arguments any    // a pointer to the arguments of the operation, decoded: *SearchArguments and so on
	Limits    Limits // of the answer; zero values set none
	Sent      *Sent  // what this conversation has been sent; nil answers in full
	// Building is what is known of a build under way, nil when there is none: an answer from the files themselves says it.
	Building *Progress
	Failed   string // why the last build failed, "" when it did not
	// Told is given the list of each retrieval channel as it arrives; nil where nobody listens. Of search alone; calls may come
	// from several goroutines.
	Told func(ChannelList)
}

// Limits bound the text and the JSON of an answer.
type Limits struct {
	MaxTokens int // of o200k_base, in the text; 0 sets no bound
	MaxBytes  int // of the text, and of the JSON; 0 sets no bound
}

// The limits of an MCP answer: clients cut or refuse longer ones, and an agent that reads more at once reads less of it.
const (
	DefaultMaxTokens = 8000
	DefaultMaxBytes  = 64 << 10
)

// What an MCP answer says of the index it rests on, in its last line and beside the structured content.
const (
	stateTokens = 90
	stateBytes  = 1200
)

// within are the limits of what is said before the line about the index.
func (l Limits) within() Limits {
	return Limits{MaxTokens: max(l.MaxTokens-stateTokens, 1), MaxBytes: max(l.MaxBytes-stateBytes, 1)}
}

// LimitFor is the --max-tokens of a server whose answers are to hold so many tokens of their own.
func LimitFor(tokens int) int { return tokens + stateTokens }

// Answer is what an operation found.
type Answer struct {
	Value      any      // the command line's JSON: encodes as an object
	Text       string   // the same for a reader, each piece with its place
	Generation uint64   // that it comes from, 0 without an index
	Channels   []string // retrieval channels that were live, in their fixed order
	Stale      string   // why the answer is behind the tree, "" when it is not
	Partial    string   // why only a part was looked at, "" when all was

	Class   string                      // of the question, where the operation reads one
	Reports []agenvantage.ChannelReport // what each retrieval channel did, where the operation asks them itself
}

// Progress is how far an index run has come. Total is 0 while it is unknown.
type Progress struct {
	Phase string `json:"phase"`
	Done  int    `json:"done"`  // files
	Total int    `json:"total"` // files
	Note  string `json:"note,omitempty"`
}

// String is the state in words: "1200 of 6000 files".
func (p Progress) String() string {
	switch {
	case p.Note != "":
		return p.Note
	case p.Total == 0:
		return "listing files"
	}
	return fmt.Sprintf("%d of %d files", p.Done, p.Total)
}

// ChannelList is the ranking of one retrieval channel for one question.
type ChannelList struct {
	Name   string       `json:"name"`
	Hits   []ChannelHit `json:"hits"` // best first, at most MaxChannelHits
	Total  int          `json:"total"`
	TookMS float64      `json:"took_ms"`
	Error  string       `json:"error,omitempty"` // of a channel that failed or is off
}

// ChannelHit is one place in a channel's ranking.
type ChannelHit struct {
	Rank      int     `json:"rank"` // 1-based
	Path      string  `json:"path"`
	StartLine int     `json:"start_line"`
	EndLine   int     `json:"end_line"`
	Score     float64 `json:"score"` // the channel's own
	Reason    string  `json:"reason,omitempty"`
}

// MaxChannelHits bounds the hits of a channel that are told.
const MaxChannelHits = 50

// Errors of the front ends themselves.
var (
	errUnknownOperation = errors.New("unknown operation")
	errForbidden        = errors.New("forbidden")
	errUnauthorized     = errors.New("unauthorized")
	errTooMany          = errors.New("too many requests")
	errTooLarge         = errors.New("request too large")
	errMethod           = errors.New("method not allowed")
	errMediaType        = errors.New("unsupported media type")
)

// kinds names the errors that callers branch on. The first that fits counts.
var kinds = []struct {
	err  error
	name string
}{
	{errUnknownOperation, "not_found"}, {errForbidden, "forbidden"}, {errUnauthorized, "unauthorized"}, {errTooMany, "too_many_requests"}, {errTooLarge, "too_large"},
	{errMethod, "method_not_allowed"}, {errMediaType, "unsupported_media_type"},
	{agenvantage.ErrBadInput, "bad_input"}, {agenvantage.ErrIncomplete, "incomplete"}, {agenvantage.ErrNoIndex, "no_index"}, {agenvantage.ErrBusy, "busy"},
	{agenvantage.ErrNothingSelected, "nothing_selected"}, {agenvantage.ErrNotWritable, "not_writable"},
	{agenvantage.ErrRootGone, "root_gone"}, {context.Canceled, "canceled"}, {context.DeadlineExceeded, "timeout"},
}

// KindedError is an error of what a Service stands on, such as a store of vectors or a model's service, which this package does not know:
// it brings its kind with it. Kinds are those of docs/reference/serve.md.
type KindedError struct {
	Kind string
	Err  error
}

// Error is the error without its kind.
func (e *KindedError) Error() string { return e.Err.Error() }

// Unwrap is the error.
func (e *KindedError) Unwrap() error { return e.Err }

// ErrorKind names an error for data, the same for the command line, HTTP and MCP: that of a KindedError, else bad_input, no_index and so on;
// internal for any other.
func ErrorKind(err error) string {
	var kinded *KindedError
	if errors.As(err, &kinded) {
		return kinded.Kind
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	return "internal"
}

// errorBody is an error as data, on one line and without the name of its sentinel.
func errorBody(err error) agenvantage.ErrorBody {
	body := agenvantage.ErrorBody{Kind: ErrorKind(err), Message: messageOf(err)}
	var stale *agenvantage.StaleError
	if errors.As(err, &stale) {
		body.Stale = Head(oneLine(stale.Reason), maxReasonBytes)
	}
	return body
}
