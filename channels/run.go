package channels

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"agenvantage"
)

// RunOptions bound the work of the channels.
type RunOptions struct {
	Timeout time.Duration // for each channel; 0 means the context's own deadline only
}

// Outcome is what one channel did and found. List is empty unless the report's status is ok or partial.
type Outcome struct {
	Report agenvantage.ChannelReport
	List   List
	Err    error // of a report with the status error
}

// StateError is an error that is a state of the channel: it has no vectors, or the service that it asks is not there. Err says
// what is wrong; a list that comes with it is not used.
type StateError struct {
	Status agenvantage.ChannelStatus
	Err    error
}

func (e *StateError) Error() string { return e.Err.Error() }
func (e *StateError) Unwrap() error { return e.Err }

// Run asks every channel at the same time and returns their outcomes in the order of channels. A channel that fails,
// panics or passes its deadline is a report with a status; it never fails the others. Run returns when every channel
// has returned, so that the caller may close what they read.
func Run(ctx context.Context, channels []Channel, r Request, o RunOptions) []Outcome {
	outcomes := make([]Outcome, len(channels))
	var running sync.WaitGroup
	for i, channel := range channels {
		running.Go(func() { outcomes[i] = runOne(ctx, channel, r, o) })
	}
	running.Wait()
	return outcomes
}

func runOne(ctx context.Context, channel Channel, r Request, o RunOptions) Outcome {
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	started := time.Now()
	list, err := contained(ctx, channel, r)
	report := agenvantage.ChannelReport{Name: channel.Name(), TookMS: float64(time.Since(started).Microseconds()) / 1000}
	var state *StateError
	inState := errors.As(err, &state)
	late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	switch {
	case late && (ctx.Err() != nil || !inState): // a service in a state may have had a deadline of its own
		report.Status, report.Error = agenvantage.StatusTimeout, err.Error()
		return Outcome{Report: report}
	case inState:
		report.Status, report.Error = state.Status, err.Error()
		return Outcome{Report: report}
	case err != nil:
		report.Status, report.Error = agenvantage.StatusError, err.Error()
		return Outcome{Report: report, Err: err}
	case list.Off:
		report.Status, report.Error = agenvantage.StatusOff, list.Reason
		return Outcome{Report: report}
	case list.Covered < 1:
		covered := list.Covered
		report.Status, report.Covered, report.Error = agenvantage.StatusPartial, &covered, list.Reason
	case len(list.Hits) == 0:
		report.Status = agenvantage.StatusEmpty
	default:
		report.Status = agenvantage.StatusOK
	}
	report.Hits, report.Dropped, report.Note, report.AlsoAsked = len(list.Hits), list.Dropped, list.Note, list.AlsoAsked
	return Outcome{Report: report, List: list}
}

// contained turns a panic of a channel into an error.
func contained(ctx context.Context, channel Channel, r Request) (list List, err error) {
	defer func() {
		if p := recover(); p != nil {
			list, err = List{}, fmt.Errorf("channel %s panicked: %v", channel.Name(), p)
		}
	}()
	return channel.Search(ctx, r)
}
