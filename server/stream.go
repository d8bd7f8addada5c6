package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// The stream of a search, as server-sent events: "channel" with a ChannelList for each retrieval channel as it arrives, then
// "result" with what POST /v1/search answers, or "error" with {"error": {"kind", "message"}}. Nothing follows.

// keepAlive is how often a comment is sent while there is nothing to tell, so that nobody between takes the stream for dead.
const keepAlive = 10 * time.Second

// stream answers a search as events.
func (s *HTTP) stream(w http.ResponseWriter, r *http.Request, o Operation, body []byte) error {
	ctx, cancel := context.WithCancel(s.hub.options.Tracer.Caller(r.Context(), r.Header.Get))
	defer cancel()
	events := &eventWriter{w: w, flush: http.NewResponseController(w).Flush}
	go func() {
		tick := time.NewTicker(keepAlive)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				events.comment()
			case <-ctx.Done():
				return
			}
		}
	}()
	answer, err := s.hub.ask(ctx, o, body, asker{told: func(c ChannelList) { events.send("channel", c) }})
	if err != nil {
		if !events.begun() {
			return err // a status of its own says more than an event
		}
		events.send("error", map[string]any{"error": errorBody(err)})
	} else {
		events.send("result", answer.Value)
	}
	events.end()
	return nil
}

// eventWriter writes events, from any goroutine, until it is ended.
type eventWriter struct {
	mu    sync.Mutex
	w     http.ResponseWriter
	flush func() error
	open  bool
	ended bool
}

func (e *eventWriter) begun() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open
}

// begin writes the head. The caller holds mu.
func (e *eventWriter) begin() {
	if !e.open {
		e.open = true
		e.w.Header().Set("Content-Type", "text/event-stream")
		e.w.WriteHeader(http.StatusOK)
	}
}

func (e *eventWriter) send(name string, v any) {
	text, err := encode(v)
	if err != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return
	}
	e.begin()
	fmt.Fprintf(e.w, "event: %s\ndata: %s\n", name, text) // encode ends the line
	_ = e.flush()
}

func (e *eventWriter) comment() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open && !e.ended {
		fmt.Fprint(e.w, ":\n\n")
		_ = e.flush()
	}
}

// end makes later events go nowhere: the answer is not theirs any more.
func (e *eventWriter) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended = true
}
