package runner

import (
	"fmt"
	"slices"

	"agenvantage/embed"
)

// text is a text that is to be sent.
type text struct {
	item
	text   string
	tokens int // estimated
}

// beyond reports that the text is to be sent in parts, by Options.Window.
func (t *text) beyond(window int) bool { return window > 0 && t.tokens > window }

// size is how large a request is, or may be.
type size struct{ items, tokens, bytes int }

func (s size) plus(t *text) size {
	return size{s.items + 1, s.tokens + t.tokens, s.bytes + len(t.text)}
}

func (s size) within(limit size) bool {
	return s.items <= limit.items && s.tokens <= limit.tokens && s.bytes <= limit.bytes
}

// request is the texts of one request, in the order of the queue.
type request struct {
	texts []text
	// refusals are those of larger requests, as too long, that this one is a part of.
	refusals []*refusal
	// suspect: the service failed at it, or at what it is a part of, so often that others went first.
	suspect bool
	alone   bool // a single suspect that is sent while nothing else is
}

func (r *request) size() (s size) {
	for i := range r.texts {
		s = s.plus(&r.texts[i])
	}
	return s
}

// refusal is one request that was too long. While no single text of it has turned out to be the cause, requests have to be
// smaller than it.
type refusal struct {
	size      size
	explained bool
}

// queue cuts requests. Those that the service turned back come before texts that were never sent, suspects after all others.
type queue struct {
	source Source
	items  []item
	ahead  *text // the next text, read and not in a request yet
	back   []*request
	late   []*request // suspects of several texts, and those halved
	last   []*request // single suspects, each sent while nothing else is
	limit  size
	window int // estimated tokens from which on a text may be too long by itself and gets a request of its own; 0: not known

	split    int        // Options.Window
	refusals []*refusal // those that are not explained
	passed   size       // the most of each that a request had that went well
}

// newQueue is a queue of items of a source for a service with the limits l.
func newQueue(source Source, items []item, o *Options, l embed.Limits) *queue {
	return &queue{source: source, items: items, limit: o.limits(l), window: l.Window, split: o.Window}
}

// next cuts the next request, nil when there is none, or none before those that are under way have ended: idle says that none is.
// A text that is larger than the limits is a request of its own.
func (q *queue) next(idle bool) (*request, error) {
	if len(q.back) > 0 {
		r := q.back[0]
		q.back = q.back[1:]
		if rest := q.cut(r); rest != nil {
			q.back = append([]*request{rest}, q.back...)
		}
		return r, nil
	}
	r := &request{}
	var s size
	limit := q.current()
	for {
		t, err := q.peek()
		if err != nil {
			return nil, err
		}
		if t == nil || len(r.texts) > 0 && (q.alone(t) || !s.plus(t).within(limit)) {
			break
		}
		r.texts, s, q.ahead = append(r.texts, *t), s.plus(t), nil
		if q.alone(t) {
			break
		}
	}
	switch {
	case len(r.texts) > 0:
		return r, nil
	case len(q.late) > 0:
		r, q.late = q.late[0], q.late[1:]
		return r, nil
	case len(q.last) > 0 && idle:
		r, q.last = q.last[0], q.last[1:]
		return r, nil
	}
	return nil, nil
}

func (q *queue) peek() (*text, error) {
	if q.ahead == nil && len(q.items) > 0 {
		i := q.items[0]
		s, err := q.source.Text(i.at)
		if err != nil {
			return nil, fmt.Errorf("read a chunk to embed it: %w", err)
		}
		q.items = q.items[1:]
		q.ahead = &text{item: i, text: s, tokens: embed.EstimateTokens(s)}
	}
	return q.ahead, nil
}

func (q *queue) alone(t *text) bool {
	return q.window > 0 && t.tokens >= q.window || t.beyond(q.split)
}

// cut makes r as small as the limits have become since it was cut, and returns what is left of it.
func (q *queue) cut(r *request) *request {
	limit := q.current()
	var s size
	for i := range r.texts {
		if s = s.plus(&r.texts[i]); i > 0 && !s.within(limit) {
			rest := &request{texts: r.texts[i:], refusals: r.refusals, suspect: r.suspect}
			r.texts = r.texts[:i:i]
			return rest
		}
	}
	return nil
}

// current is the limit of requests with what refusals have taught: half of a request that was too long without any single text
// that was, but no less than what has gone well.
func (q *queue) current() size {
	limit := q.limit
	for _, r := range q.refusals {
		limit.items = min(limit.items, max(r.size.items/2, q.passed.items, 1))
		limit.tokens = min(limit.tokens, max(r.size.tokens/2, q.passed.tokens))
		limit.bytes = min(limit.bytes, max(r.size.bytes/2, q.passed.bytes))
	}
	return limit
}

// halve puts a request of several texts back as two.
func (q *queue) halve(r *request, tooLong bool) {
	refusals := r.refusals
	if tooLong {
		learned := &refusal{size: r.size()}
		q.refusals = append(q.refusals, learned)
		refusals = append(refusals[:len(refusals):len(refusals)], learned)
	}
	one, two := r.halves(refusals)
	q.back = append([]*request{one, two}, q.back...)
}

func (r *request) halves(refusals []*refusal) (one, two *request) {
	m := (len(r.texts) + 1) / 2
	return &request{texts: r.texts[:m:m], refusals: refusals, suspect: r.suspect}, &request{texts: r.texts[m:], refusals: refusals, suspect: r.suspect}
}

// suspect puts a request that the service fails at to the end, one of several texts as two: what goes well meanwhile shows that the
// service as a whole does not fail. A single text is sent once more when nothing else is: a service that fails at every other
// request may have failed at this one each time because others ran in step with it. Then it is left to the next run.
func (q *queue) suspect(r *request) {
	switch {
	case len(r.texts) > 1:
		one, two := r.halves(r.refusals)
		one.suspect, two.suspect = true, true
		q.late = append(q.late, one, two)
	case !r.alone:
		r.alone = true
		q.last = append(q.last, r)
	}
}

// went records a request that went well.
func (q *queue) went(r *request) {
	s := r.size()
	q.passed = size{max(q.passed.items, s.items), max(q.passed.tokens, s.tokens), max(q.passed.bytes, s.bytes)}
	for i := range r.texts {
		if q.window > 0 && r.texts[i].tokens >= q.window {
			q.window = r.texts[i].tokens + 1
		}
	}
}

// tooLong records that the only text of a request was too long by itself, which explains the refusals of larger ones with it.
func (q *queue) tooLong(r *request) {
	for _, x := range r.refusals {
		x.explained = true
	}
	q.refusals = slices.DeleteFunc(q.refusals, func(x *refusal) bool { return x.explained })
	if t := r.texts[0].tokens; q.window == 0 || t < q.window {
		q.window = t
	}
}
