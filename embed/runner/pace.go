package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"agenvantage/embed"
)

// pace says how many requests may be under way, and from when on, for all workers together. It begins with one request, since
// most of what can go wrong shows at the first; each success allows one more until something fails, later one more for each
// round of successes (additive increase); a service that limits or fails halves the number (multiplicative decrease).
type pace struct {
	o *Options

	mu          sync.Mutex
	limit       float64
	ramp        bool // nothing has failed yet
	until       time.Time
	round       int // counts cool-downs: a request that was under way when one began says nothing new
	failures    int // cool-downs in a row without a success
	unreachable int // those of them without a connection
}

func newPace(o *Options) *pace { return &pace{o: o, limit: 1, ramp: true} }

// allowed is the number of requests that may be under way.
func (p *pace) allowed() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.limit)
}

// coolDown is the end of the cool-down that lasts now, zero without one.
func (p *pace) coolDown() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.until.After(p.o.Now()) {
		return p.until
	}
	return time.Time{}
}

// wait sleeps until requests may be sent, and returns the number of the round.
func (p *pace) wait(ctx context.Context) (round int, err error) {
	for {
		p.mu.Lock()
		left, round := p.until.Sub(p.o.Now()), p.round
		p.mu.Unlock()
		if err := ctx.Err(); err != nil {
			return round, err
		}
		if left <= 0 {
			return round, nil
		}
		if err := p.o.Sleep(ctx, left); err != nil {
			return round, err
		}
	}
}

// again begins anew with one request: that a service said who it is does not mean that it takes texts.
func (p *pace) again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limit = 1
}

func (p *pace) succeeded() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures, p.unreachable = 0, 0
	if p.ramp {
		p.limit++
	} else {
		p.limit += 1 / p.limit
	}
	p.limit = min(p.limit, float64(p.o.Concurrency))
}

// failed begins a cool-down for all, after a request of a round failed with an error that may pass. It returns an error when
// there is no point in waiting.
func (p *pace) failed(round int, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := embed.RetryAfter(err)
	if asked > p.o.MaxWait {
		return fmt.Errorf("asked to wait for %s, longer than %s: %w", asked, p.o.MaxWait, err)
	}
	now := p.o.Now()
	if until := now.Add(asked); until.After(p.until) {
		p.until = until
	}
	if round < p.round {
		return nil
	}
	p.round++
	p.failures++
	if errors.Is(err, embed.ErrUnreachable) {
		p.unreachable++
	} else {
		p.unreachable = 0
	}
	p.limit, p.ramp = max(1, p.limit/2), false
	if p.unreachable >= p.o.MaxUnreachable || p.failures >= p.o.MaxTries {
		return fmt.Errorf("given up after %d failures in a row: %w", p.failures, err)
	}
	if asked == 0 {
		back := p.o.MaxDelay
		if shift := p.failures - 1; shift < 20 {
			back = min(back, p.o.BaseDelay<<shift)
		}
		back = time.Duration(float64(back) * (1 + p.o.Random()) / 2)
		if until := now.Add(back); until.After(p.until) {
			p.until = until
		}
	}
	return nil
}
