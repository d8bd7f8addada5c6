package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"agenvantage/embed"
	"agenvantage/embed/store"
)

// How often a request of several texts is sent before its halves are tried, since one text may be what the service fails at, and
// how often those. Fewer than Options.MaxTries in a row, so that a few such texts do not look like a service that fails as a whole.
const (
	severalTries = 3
	suspectTries = 1
)

// maxHeld is the number of single texts refused, with none taken before, from which on the service refuses everything.
const maxHeld = 5

// held is a refusal that is not on record yet.
type held struct {
	batch  int64
	hash   store.Hash
	reason embed.Reason
}

// work sends requests until there are no more.
func (r *run) work() {
	for {
		next := r.take()
		if next == nil {
			return
		}
		err := r.handle(next)
		r.mu.Lock()
		r.active--
		if err != nil {
			r.stopLocked(err)
		}
		r.more.Broadcast()
		r.mu.Unlock()
	}
}

// handle sends a request and does with it what the answer calls for. An error ends the run.
func (r *run) handle(q *request) error {
	if t := &q.texts[0]; len(q.texts) == 1 && t.beyond(r.o.Window) {
		return r.split(t, r.o.Window)
	}
	tries := severalTries
	if q.suspect && !q.alone {
		tries = suspectTries
	} else if len(q.texts) == 1 && !q.suspect {
		tries = r.o.MaxTries
	}
	var batch int64
	var answers []embed.Answer
	err := r.patiently(tries, func() (err error) {
		batch, answers, err = r.send(q.texts)
		return err
	})
	several := len(q.texts) > 1
	switch {
	case err == nil:
		results := make([]store.Result, len(answers))
		for i, a := range answers {
			results[i] = store.Result{Hash: q.texts[i].hash, Vector: a.Vector, Refused: a.Refused}
		}
		return r.commit(q, []int64{batch}, results)
	case errors.Is(err, errGivenUp):
		r.mu.Lock()
		defer r.mu.Unlock()
		r.queue.suspect(q)
		return nil
	case several && (errors.Is(err, embed.ErrTooLong) || errors.Is(err, embed.ErrRejected)):
		r.mu.Lock()
		defer r.mu.Unlock()
		r.queue.halve(q, errors.Is(err, embed.ErrTooLong))
		return nil
	case errors.Is(err, embed.ErrTooLong):
		r.mu.Lock()
		r.queue.tooLong(q)
		r.mu.Unlock()
		if !errors.Is(err, embed.ErrRejected) {
			return r.split(&q.texts[0], max(q.texts[0].tokens/2, minPieceTokens))
		}
		fallthrough
	case errors.Is(err, embed.ErrRejected):
		return r.refuse(held{batch, q.texts[0].hash, embed.ReasonOf(err)}, err)
	}
	return err
}

// send makes one request: on record, sent, and closed in the ledger unless it went well or its only text was rejected.
func (r *run) send(texts []text) (batch int64, answers []embed.Answer, err error) {
	inputs, entries := make([]string, len(texts)), make([]store.Text, len(texts))
	var total size
	for i := range texts {
		t := &texts[i]
		inputs[i], entries[i] = t.text, store.Text{Hash: t.hash, Bytes: len(t.text), Tokens: t.tokens}
		total = total.plus(t)
	}
	if !r.o.Unrecorded {
		if batch, err = r.st.Begin(r.report.Set, r.report.Identity.Endpoint, embed.Document, entries); err != nil {
			return 0, nil, err
		}
	}
	r.mu.Lock()
	r.report.Sent += total.items
	r.report.Batches++
	r.report.Tokens += int64(total.tokens)
	r.report.Bytes += int64(total.bytes)
	r.mu.Unlock()
	answers, err = r.e.Embed(r.ctx, embed.Document, inputs)
	if err == nil {
		err = checkAnswers(answers, len(texts), r.report.Identity)
	}
	if err == nil || len(texts) == 1 && errors.Is(err, embed.ErrRejected) {
		return batch, answers, err
	}
	return batch, nil, errors.Join(err, r.fail(batch, reasonOf(r.ctx, err), len(texts)))
}

// fail closes a request in the ledger that nothing came of.
func (r *run) fail(batch int64, reason string, texts int) error {
	if store.MaybePaid(reason) {
		r.mu.Lock()
		r.report.PaidWithoutResult += texts
		r.mu.Unlock()
	}
	return r.forsake(batch, reason)
}

// forsake closes a request in the ledger, where it is in there.
func (r *run) forsake(batch int64, reason string) error {
	if r.o.Unrecorded {
		return nil
	}
	return r.st.Fail(batch, reason)
}

// keep stores what came of requests, and closes them.
func (r *run) keep(batches []int64, results []store.Result) error {
	if r.o.Unrecorded {
		batches = nil
	}
	for i := range results {
		results[i].Compact = r.o.Compact
	}
	return r.st.Commit(r.report.Set, batches, results)
}

// checkAnswers holds an embedder to its contract before anything of it is stored.
func checkAnswers(answers []embed.Answer, want int, i embed.Identity) error {
	if len(answers) != want {
		return fmt.Errorf("%w: %d vectors for %d inputs", embed.ErrBadAnswer, len(answers), want)
	}
	for _, a := range answers {
		if a.Refused == "" && len(a.Vector) != i.Dimensions {
			return &embed.DimensionError{Model: i.Model + " at " + i.Endpoint, Want: i.Dimensions, Got: len(a.Vector)}
		}
	}
	return nil
}

// reasonOf is what the ledger says of a failed request.
func reasonOf(ctx context.Context, err error) string {
	var dial *net.OpError
	switch {
	case errors.As(err, &dial) && dial.Op == "dial":
		return store.ReasonUnconnected
	case ctx.Err() != nil:
		return store.ReasonCancelled
	}
	for _, c := range []struct {
		err    error
		reason string
	}{
		{embed.ErrUnreachable, store.ReasonUnreachable}, {context.DeadlineExceeded, store.ReasonUnreachable}, {embed.ErrBadAnswer, store.ReasonBadAnswer},
		{embed.ErrModelChanged, store.ReasonChanged}, {embed.ErrTooLong, store.ReasonTooLong}, {embed.ErrLimited, store.ReasonLimited},
		{embed.ErrOverloaded, store.ReasonOverloaded}, {embed.ErrRejected, store.ReasonRejected},
	} {
		if errors.Is(err, c.err) {
			return c.reason
		}
	}
	return store.ReasonError
}

// commit stores what came of a request, or of those for the parts of a text (q is nil then).
func (r *run) commit(q *request, batches []int64, results []store.Result) error {
	if err := r.keep(batches, results); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if q != nil {
		r.queue.went(q)
	}
	for i := range results {
		if results[i].Refused != "" {
			r.report.Failed[results[i].Refused]++
		} else {
			r.report.Committed++
		}
	}
	r.toldLocked()
	return r.recordLocked()
}

// refuse records that the service refuses a text. As long as it has not taken any, the fault may be one of the service or of the
// settings instead: then nothing is recorded, and the run ends after a few.
func (r *run) refuse(h held, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held = append(r.held, h)
	if r.report.Committed > 0 {
		return r.recordLocked()
	}
	if len(r.held) >= maxHeld {
		return err
	}
	return nil
}

// recordLocked records the refusals that were held back; the caller holds mu.
func (r *run) recordLocked() error {
	all := r.held
	r.held = nil
	for _, h := range all {
		if err := r.keep([]int64{h.batch}, []store.Result{{Hash: h.hash, Refused: h.reason}}); err != nil {
			return err
		}
		r.report.Failed[h.reason]++
	}
	return nil
}

// settle decides about refusals that are held at the end of a run: without an error they are those of the texts.
func (r *run) settle() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil && r.ctx.Err() == nil {
		r.err = r.recordLocked()
		return
	}
	for _, h := range r.held {
		r.err = errors.Join(r.err, r.forsake(h.batch, store.ReasonRejected))
	}
	r.held = nil
}

// split sends a text that is too long in parts of a number of tokens, each in a request of its own, and stores the mean of their vectors.
// Parts become smaller until they fit; a part that is sent is never sent again.
func (r *run) split(t *text, target int) error {
	r.mu.Lock()
	if r.piece > 0 {
		target = min(target, r.piece)
	}
	r.mu.Unlock()
	s := &splitting{run: r, text: t, target: target, known: map[string]embed.Answer{}}
	refused, err := s.parts()
	if err != nil {
		if errors.Is(err, errGivenUp) { // as a text that is sent whole: the next run tries it again
			err = nil
		}
		for _, b := range s.batches { // answered, and of no use without the others
			err = errors.Join(err, r.fail(b, store.ReasonInterrupted, 1))
		}
		return err
	}
	result := store.Result{Hash: t.hash, Refused: refused}
	if refused == "" {
		a := s.mean.answer()
		result.Vector, result.Refused = a.Vector, a.Refused
		r.mu.Lock()
		r.piece = s.target
		if result.Refused == "" {
			r.report.Split = append(r.report.Split, t.hash)
		}
		r.mu.Unlock()
	}
	return r.commit(nil, s.batches, []store.Result{result})
}

// splitting is a text that is being sent in parts.
type splitting struct {
	*run
	text    *text
	target  int                     // tokens of a part
	known   map[string]embed.Answer // by part: a text may repeat itself
	mean    mean
	batches []int64
}

// parts sends the parts. It returns the reason for which the text is refused, or "". A part without a usable vector, as one of
// signs that the model does not know, adds nothing; when none has one, the reason is that of the first.
func (s *splitting) parts() (refused embed.Reason, err error) {
	todo := cutText(s.text.text, s.target)
	for done := 0; len(todo) > 0; {
		if done+len(todo) > maxPieces {
			return embed.ReasonTooLong, nil
		}
		part := text{item: s.text.item, text: todo[0], tokens: embed.EstimateTokens(todo[0])}
		if strings.TrimSpace(part.text) == "" {
			todo = todo[1:]
			continue
		}
		answer, err := s.part(&part)
		switch {
		case errors.Is(err, embed.ErrTooLong):
			smaller := min(s.target, part.tokens) / 2
			if smaller < minPieceTokens {
				return embed.ReasonTooLong, nil
			}
			s.target = smaller
			todo = cutText(strings.Join(todo, ""), smaller)
			continue
		case errors.Is(err, embed.ErrRejected):
			answer.Refused = embed.ReasonOf(err)
		case err != nil:
			return "", err
		}
		if answer.Refused == "" {
			s.mean.add(answer.Vector, part.tokens)
		} else if refused == "" {
			refused = answer.Refused
		}
		todo = todo[1:]
		done++
	}
	if s.mean.sums != nil {
		return "", nil
	}
	return cmp.Or(refused, embed.ReasonZero), nil // a text of white space has no parts
}

// part gives the vector of a part.
func (s *splitting) part(part *text) (embed.Answer, error) {
	if a, ok := s.known[part.text]; ok {
		return a, nil
	}
	var batch int64
	var answers []embed.Answer
	err := s.patiently(s.o.MaxTries, func() (err error) {
		batch, answers, err = s.send([]text{*part})
		return err
	})
	if errors.Is(err, embed.ErrRejected) || err == nil {
		s.batches = append(s.batches, batch)
	}
	if err != nil {
		return embed.Answer{}, err
	}
	s.known[part.text] = answers[0]
	return answers[0], nil
}
