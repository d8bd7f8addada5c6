package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"agenvantage"
	"agenvantage/embed"
	"agenvantage/embed/store"
)

// Report is what a run did, in texts unless it says otherwise. It is meaningful beside an error too.
type Report struct {
	Identity embed.Identity
	Set      string // key of the set in the store

	Chunks   int // places
	Distinct int // texts: those that follow and Denied, together with what is missing
	Cached   int // had a vector before
	Denied   int // kept here by the path policy
	Known    int // refused in an earlier run and not sent again

	Committed int                  // have a vector now that they had not before
	Failed    map[embed.Reason]int // refused in this run
	Split     []store.Hash         // of Committed, those that were too long: their vectors are means of those of their parts

	Sent    int   // texts in requests: a text that is sent again, or in parts, counts each time
	Batches int   // requests
	Tokens  int64 // sent, estimated
	Bytes   int64 // sent

	PaidWithoutResult int // of Sent, those that may be on the bill without anything to show for it
	Interrupted       int // the same of earlier runs that did not end, found now
}

// FailedCount sums Failed.
func (r *Report) FailedCount() (n int) {
	for _, k := range r.Failed {
		n += k
	}
	return n
}

// Missing counts the texts that may be sent and have neither a vector nor a reason why not: another run would send them.
func (r *Report) Missing() int {
	return r.Distinct - r.Cached - r.Denied - r.Known - r.Committed - r.FailedCount()
}

// Run embeds the texts of src that have no vector in st yet. Every answer is stored at once: after an error, a cancellation or
// the end of the process another run goes on from there. Errors are those of package embed (also for the first request, which
// asks who answers), of package store (store.ErrBusy when another run is active), of src, or ctx's; requests that are under way
// when a run stops for another reason than ctx are waited for, since they are paid. A run that ends without an error may leave
// texts out that the service failed at while it answered others: Report.Missing.
func Run(ctx context.Context, e embed.Embedder, st *store.Store, src Source, o Options) (Report, error) {
	report := Report{Failed: map[embed.Reason]int{}}
	if err := o.validate(); err != nil {
		return report, err
	}
	policy, err := NewPolicy(o.Allow, o.Deny)
	if err != nil {
		return report, err
	}
	stopping, stop := context.WithCancel(ctx)
	defer stop()
	r := &run{ctx: ctx, stopping: stopping, halt: stop, e: e, st: st, o: &o, pace: newPace(&o), report: &report}
	r.more = sync.NewCond(&r.mu)
	if err := r.patiently(o.MaxTries, func() (err error) {
		report.Identity, err = e.Identity(ctx)
		return err
	}); err != nil {
		return report, err
	}
	r.pace.again()
	if !e.Hosted() {
		policy = nil
	}
	report.Set = report.Identity.Key()
	if o.Unrecorded && e.Hosted() {
		return report, fmt.Errorf("%w: a run with %s is not to be recorded, and it is a hosted service", agenvantage.ErrBadInput, report.Identity.Provider)
	}
	if !o.Unrecorded {
		release, err := st.Lock(report.Set)
		if err != nil {
			return report, err
		}
		defer release()
	}
	if _, err := st.AddSet(report.Identity); err != nil {
		return report, err
	}
	if report.Interrupted, err = st.Interrupted(report.Set); err != nil {
		return report, err
	}
	chosen := choose(src, policy)
	report.Chunks, report.Distinct, report.Denied = chosen.chunks, len(chosen.items)+len(chosen.denied), len(chosen.denied)
	left, err := remaining(ctx, st, report.Set, &o, &chosen)
	if err != nil {
		return report, err
	}
	report.Cached, report.Known = left.cached, left.known
	r.progress.Total = len(left.items)
	if report.Identity.PassedOn && o.Leaving != nil && len(left.items) > 0 {
		o.Leaving(report.Identity)
	}
	r.queue = newQueue(src, left.items, &o, e.Limits())
	err = r.all()
	if err == nil && len(chosen.items) > 0 {
		err = st.Touch(ctx, report.Set, hashes(chosen.items))
	}
	if err == nil {
		err = st.Check()
	}
	return report, err
}

// rest is what of a choice is still to be sent.
type rest struct {
	items         []item
	cached, known int
}

// remaining leaves out what has a vector in the set, and what was refused unless that is to be tried again.
func remaining(ctx context.Context, st *store.Store, key string, o *Options, c *choice) (rest, error) {
	var r rest
	if st == nil || key == "" {
		return rest{items: c.items}, nil
	}
	have, err := st.Have(ctx, key, hashes(c.items))
	if err != nil {
		return r, err
	}
	refused := map[store.Hash]bool{}
	if !o.RetryFailed {
		failures, err := st.Failures(ctx, key)
		if err != nil {
			return r, err
		}
		for _, f := range failures {
			refused[f.Hash] = true
		}
	}
	for i, item := range c.items {
		switch {
		case have[i]:
			r.cached++
		case refused[item.hash]:
			r.known++
		default:
			r.items = append(r.items, item)
		}
	}
	return r, nil
}

func hashes(items []item) []store.Hash {
	all := make([]store.Hash, len(items))
	for i := range items {
		all[i] = items[i].hash
	}
	return all
}

// run is a Run under way.
type run struct {
	ctx      context.Context // of the caller: what is under way ends with it
	stopping context.Context // ends with ctx, or when the run stops: nothing new is begun and nobody sleeps on
	halt     context.CancelFunc
	e        embed.Embedder
	st       *store.Store
	o        *Options
	pace     *pace
	queue    *queue

	mu       sync.Mutex // guards queue and what follows
	more     *sync.Cond // a request ended, or the run stops
	active   int
	err      error
	report   *Report
	progress Progress
	piece    int    // size of the parts of the last text that had to be split, in tokens; 0 before
	held     []held // single texts that the service refused before it took any
}

// all sends what is in the queue.
func (r *run) all() error {
	defer context.AfterFunc(r.stopping, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.more.Broadcast()
	})()
	var wait sync.WaitGroup
	for range min(r.o.Concurrency, max(1, r.progress.Total)) {
		wait.Go(r.work)
	}
	wait.Wait()
	r.settle()
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	return r.err
}

// take waits for a request that may be sent now; nil when there will be none.
func (r *run) take() *request {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.err == nil && r.stopping.Err() == nil {
		if r.active < r.pace.allowed() {
			next, err := r.queue.next(r.active == 0)
			if err != nil {
				r.stopLocked(err)
				return nil
			}
			if next != nil {
				r.active++
				return next
			}
			if r.active == 0 {
				r.more.Broadcast()
				return nil
			}
		}
		r.more.Wait()
	}
	return nil
}

// stopLocked keeps the first error; the caller holds mu.
func (r *run) stopLocked(err error) {
	if r.err == nil {
		r.err = err
	}
	r.halt()
	r.more.Broadcast()
}

// errGivenUp marks an error that may pass after as many tries as one request gets.
var errGivenUp = errors.New("no answer")

// patiently does something until it goes well, fails with what does not pass, or has failed often enough: MaxTries in all, and
// so many times in a way that may lie in what is sent, which a limit of the rate or a lost connection does not.
func (r *run) patiently(tries int, do func() error) error {
	for try, failures := 1, 0; ; try++ {
		round, err := r.pace.wait(r.stopping)
		if err != nil {
			return err
		}
		if err = do(); err == nil {
			r.pace.succeeded()
			return nil
		}
		bad := errors.Is(err, embed.ErrBadAnswer)
		if !bad && !mayPass(err) || bad && try > 1 { // a bad answer is paid: once more, and no more
			return err
		}
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if err := r.pace.failed(round, err); err != nil {
			return err
		}
		r.told()
		if errors.Is(err, embed.ErrOverloaded) || errors.Is(err, context.DeadlineExceeded) {
			failures++
		}
		if failures >= tries || try >= r.o.MaxTries {
			return fmt.Errorf("%w: %w", errGivenUp, err)
		}
	}
}

// mayPass reports an error after which the same request may go well.
func mayPass(err error) bool {
	for _, e := range []error{embed.ErrLimited, embed.ErrOverloaded, embed.ErrUnreachable, context.DeadlineExceeded} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// told tells the progress.
func (r *run) told() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.toldLocked()
}

func (r *run) toldLocked() {
	p := r.progress
	p.Batches, p.Tokens, p.Done, p.Failed = r.report.Batches, r.report.Tokens, r.report.Committed, r.report.FailedCount()
	p.Until = r.pace.coolDown()
	r.o.Progress(p)
}
