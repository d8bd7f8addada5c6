package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"agenvantage"
	"agenvantage/embed"
)

// Options of Run, Plan and Query. Zero values mean the defaults; those of the embedder's Limits that are smaller count instead.
type Options struct {
	MaxItems  int // texts in a request; DefaultItems
	MaxTokens int // estimated tokens of a request; DefaultTokens
	MaxBytes  int // bytes of the texts of a request; DefaultBytes

	// Window is the estimated tokens beyond which a text is sent in parts from the start. 0: none is before the service has refused it, since
	// a window that is only known of a model is in its own tokens, of which a text has fewer than estimated.
	Window int

	Concurrency    int           // requests under way at a time, at most; DefaultConcurrency
	MaxTries       int           // failures that may pass, in a row, before a run ends; DefaultTries
	MaxUnreachable int           // failures to connect, in a row, before a run ends; DefaultUnreachable
	BaseDelay      time.Duration // of the back-off, doubled with each failure; 500 ms
	MaxDelay       time.Duration // of the back-off; 30 s
	MaxWait        time.Duration // the longest wait that a service may ask for; 2 minutes

	// Unrecorded is for an embedder in this process, of which nothing leaves the machine and nothing is paid: what is embedded is not in the
	// ledger, and several runs for a set may be active at the same time. It is an error with a hosted one.
	Unrecorded bool

	Compact bool // store vectors in 8 bits a component (store.Result)

	RetryFailed bool     // send what was refused in an earlier run again
	Allow, Deny []string // path patterns, see Policy; they count for hosted providers
	Price       float64  // money for a million tokens, for Plan

	// Leaving is told once, before the first text is sent, that the service at a local address passes texts on to another machine; nil for
	// nobody.
	Leaving func(embed.Identity)

	// Progress is told after each step, by one goroutine at a time; nil for nobody.
	Progress func(Progress)

	// Edges to the world: nil means time.Now, a timer, and math/rand.
	Now    func() time.Time
	Sleep  func(ctx context.Context, d time.Duration) error
	Random func() float64 // in [0, 1)
}

// Defaults of Options. 64 texts of code are some 20,000 tokens: a second or two of a small local model, and less than what
// hosted services take.
const (
	DefaultItems       = 64
	DefaultTokens      = 50_000
	DefaultBytes       = 1 << 20
	DefaultConcurrency = 4
	DefaultTries       = 8
	DefaultUnreachable = 3
)

// Progress is how far a run is, in texts.
type Progress struct {
	Total   int // to be sent
	Done    int // have a vector now
	Failed  int
	Batches int
	Tokens  int64     // sent, estimated
	Until   time.Time // a cool-down lasts until then; zero without one
}

// validate checks o and fills in the defaults.
func (o *Options) validate() error {
	for _, n := range []struct {
		name  string
		value *int
		zero  int
	}{
		{"items of a request", &o.MaxItems, DefaultItems}, {"tokens of a request", &o.MaxTokens, DefaultTokens}, {"bytes of a request", &o.MaxBytes, DefaultBytes},
		{"concurrency", &o.Concurrency, DefaultConcurrency}, {"tries", &o.MaxTries, DefaultTries}, {"failures to connect", &o.MaxUnreachable, DefaultUnreachable},
	} {
		if *n.value < 0 {
			return fmt.Errorf("%w: %s: %d", agenvantage.ErrBadInput, n.name, *n.value)
		}
		if *n.value == 0 {
			*n.value = n.zero
		}
	}
	for _, d := range []struct {
		name  string
		value *time.Duration
		zero  time.Duration
	}{{"base delay", &o.BaseDelay, 500 * time.Millisecond}, {"longest delay", &o.MaxDelay, 30 * time.Second}, {"longest wait", &o.MaxWait, 2 * time.Minute}} {
		if *d.value < 0 {
			return fmt.Errorf("%w: %s: %s", agenvantage.ErrBadInput, d.name, *d.value)
		}
		if *d.value == 0 {
			*d.value = d.zero
		}
	}
	if o.Window < 0 {
		return fmt.Errorf("%w: window of %d tokens", agenvantage.ErrBadInput, o.Window)
	}
	if !(o.Price >= 0) { // not a number is none either
		return fmt.Errorf("%w: price %v", agenvantage.ErrBadInput, o.Price)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// limits are the bounds of a request that o and the embedder set together.
func (o *Options) limits(l embed.Limits) size {
	least := func(ours, theirs int) int {
		if theirs > 0 {
			return min(ours, theirs)
		}
		return ours
	}
	return size{least(o.MaxItems, l.Items), least(o.MaxTokens, l.Tokens), least(o.MaxBytes, l.Bytes)}
}
