package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"agenvantage"
	"agenvantage/embed"
)

// State of an entry of the ledger; see batches in schema.go.
type State string

// The states.
const (
	StateSent      State = "sent"
	StateCommitted State = "committed"
	StateFailed    State = "failed"
)

// Reasons for which a whole request has no result; those of single texts are embed.Reason. The first five may have been paid.
const (
	ReasonInterrupted = "interrupted" // the process ended before it stored an answer
	ReasonCancelled   = "cancelled"
	ReasonUnreachable = "unreachable" // the connection broke
	ReasonBadAnswer   = "bad_answer"
	ReasonChanged     = "model_changed"
	ReasonUnconnected = "no_connection" // nothing left this machine
	ReasonTooLong     = "too_long"
	ReasonLimited     = "limited"
	ReasonOverloaded  = "overloaded"
	ReasonRejected    = "rejected"
	ReasonError       = "error"
)

var mayBePaid = []string{ReasonInterrupted, ReasonCancelled, ReasonUnreachable, ReasonBadAnswer, ReasonChanged}

// Text is one text of a request, as the ledger knows it.
type Text struct {
	Hash   Hash
	Bytes  int
	Tokens int // estimated
}

// Begin writes into the ledger that texts are about to be sent for the set, to an endpoint, of which the ledger keeps the host. It
// returns the number of the request, which Commit or Fail is to be called with. Numbers grow and are never used twice.
func (s *Store) Begin(key, endpoint string, purpose embed.Purpose, texts []Text) (batch int64, err error) {
	if len(texts) == 0 {
		return 0, fmt.Errorf("%w: a request without texts", agenvantage.ErrBadInput)
	}
	err = s.change("write the ledger", func(tx *sql.Tx) error {
		var provider, model string
		err := tx.QueryRow(`SELECT provider, model FROM sets WHERE key = ?`, key).Scan(&provider, &model)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w: %s", errNoSet, key)
		}
		if err != nil {
			return err
		}
		bytes, tokens := 0, 0
		for _, t := range texts {
			bytes, tokens = bytes+t.Bytes, tokens+t.Tokens
		}
		r, err := tx.Exec(`INSERT INTO batches (set_key, purpose, provider, host, model, bytes, tokens, state, reason, sent_ns, done_ns) VALUES (?,?,?,?,?,?,?,?,'',?,0)`,
			key, string(purpose), provider, hostOf(endpoint), model, bytes, tokens, string(StateSent), s.options.Now().UnixNano())
		if err != nil {
			return err
		}
		if batch, err = r.LastInsertId(); err != nil {
			return err
		}
		add, err := tx.Prepare(`INSERT INTO sent VALUES (?,?,?,?,?,'')`)
		if err != nil {
			return err
		}
		defer add.Close()
		for _, t := range texts {
			if _, err := add.Exec(batch, t.Hash[:], t.Bytes, t.Tokens, string(StateSent)); err != nil {
				return err
			}
		}
		return nil
	})
	return batch, err
}

// hostOf is the host of an endpoint, with its port: never a path, a user or a query.
func hostOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	return u.Host
}

// Fail writes that nothing came of a request.
func (s *Store) Fail(batch int64, reason string) error {
	return s.change("write the ledger", func(tx *sql.Tx) error {
		return closeBatch(tx, batch, StateFailed, reason, s.options.Now().UnixNano())
	})
}

// closeBatch ends a request that is in the state sent, with all of its texts that are.
func closeBatch(tx *sql.Tx, batch int64, state State, reason string, at int64) error {
	r, err := tx.Exec(`UPDATE batches SET state = ?, reason = ?, done_ns = ? WHERE id = ? AND state = ?`, string(state), reason, at, batch, string(StateSent))
	if err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n != 1 {
		return errors.Join(fmt.Errorf("%w: request %d is not open", agenvantage.ErrBadInput, batch), err)
	}
	if state == StateCommitted {
		return nil
	}
	_, err = tx.Exec(`UPDATE sent SET state = ?, reason = ? WHERE batch = ? AND state = ?`, string(state), reason, batch, string(StateSent))
	return err
}

// Interrupted closes the requests of a set that a process sent and did not live to store, and returns how many texts they hold:
// they may have been paid. The caller holds the lock of the set. Questions are sent without that lock; theirs count as
// interrupted after an hour.
func (s *Store) Interrupted(key string) (texts int, err error) {
	err = s.change("write the ledger", func(tx *sql.Tx) error {
		now := s.options.Now()
		rows, err := tx.Query(`SELECT id FROM batches WHERE set_key = ? AND state = 'sent' AND (purpose != ? OR sent_ns < ?) ORDER BY id`,
			key, string(embed.Query), now.Add(-time.Hour).UnixNano())
		if err != nil {
			return err
		}
		defer rows.Close()
		var open []int64
		for rows.Next() {
			var id int64
			if err := rows.Scan(&id); err != nil {
				return err
			}
			open = append(open, id)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
		for _, id := range open {
			var n int
			if err := tx.QueryRow(`SELECT count(*) FROM sent WHERE batch = ? AND state = 'sent'`, id).Scan(&n); err != nil {
				return err
			}
			if err := closeBatch(tx, id, StateFailed, ReasonInterrupted, now.UnixNano()); err != nil {
				return err
			}
			texts += n
		}
		return nil
	})
	return texts, err
}

// Entry is one text of one request in the ledger.
type Entry struct {
	Batch    int64
	Set      string // key
	Purpose  embed.Purpose
	Hash     Hash
	Provider string
	Host     string
	Model    string
	Bytes    int
	Tokens   int // estimated
	State    State
	Reason   string
	Sent     time.Time
	Done     time.Time // zero while the state is sent
}

// MaybePaid reports whether what a request that failed for a reason asked for may be on the bill.
func MaybePaid(reason string) bool { return slices.Contains(mayBePaid, reason) }

// MaybePaid reports that the text was sent and nothing came of it that is stored, though the service may have done its work.
func (e Entry) MaybePaid() bool {
	return e.State == StateSent || e.State == StateFailed && MaybePaid(e.Reason)
}

// LogFilter says which entries of the ledger are wanted. Its zero value wants all.
type LogFilter struct {
	Set       string
	Hash      *Hash
	Provider  string
	Model     string
	Purpose   embed.Purpose
	State     State
	MaybePaid bool      // only those of which MaybePaid is true
	Since     time.Time // sent then or later
	Until     time.Time // sent before
	Newest    int       // at most so many, the newest of them; 0 for all
}

// Log visits the ledger, the newest entry last: by request, and in a request by hash. An error of visit ends it and is returned.
func (s *Store) Log(ctx context.Context, f LogFilter, visit func(Entry) error) error {
	var where []string
	var args []any
	add := func(condition string, arg ...any) { where, args = append(where, condition), append(args, arg...) }
	for _, c := range []struct{ column, value string }{{"b.set_key", f.Set}, {"b.provider", f.Provider}, {"b.model", f.Model}, {"b.purpose", string(f.Purpose)}, {"s.state", string(f.State)}} {
		if c.value != "" {
			add(c.column+" = ?", c.value)
		}
	}
	if f.Hash != nil {
		add("s.hash = ?", f.Hash[:])
	}
	if f.MaybePaid {
		add(`(s.state = 'sent' OR s.state = 'failed' AND s.reason IN ('` + strings.Join(mayBePaid, `','`) + `'))`)
	}
	if !f.Since.IsZero() {
		add("b.sent_ns >= ?", f.Since.UnixNano())
	}
	if !f.Until.IsZero() {
		add("b.sent_ns < ?", f.Until.UnixNano())
	}
	query := `SELECT b.id, b.set_key, b.purpose, s.hash, b.provider, b.host, b.model, s.bytes, s.tokens, s.state, s.reason, b.sent_ns, b.done_ns FROM sent s CROSS JOIN batches b ON b.id = s.batch`
	if len(where) > 0 {
		query += ` WHERE ` + strings.Join(where, ` AND `)
	}
	order := ` ORDER BY s.batch, s.hash` // the key of sent, so that nothing is sorted
	if f.Newest > 0 {
		query = `SELECT * FROM (` + query + ` ORDER BY s.batch DESC, s.hash DESC LIMIT ?)`
		order = ` ORDER BY 1, 4`
		args = append(args, f.Newest)
	}
	rows, err := s.read.QueryContext(ctx, query+order, args...)
	if err != nil {
		return s.fault("read", err)
	}
	defer rows.Close()
	for rows.Next() {
		var e Entry
		var hash []byte
		var sent, done int64
		if err := rows.Scan(&e.Batch, &e.Set, &e.Purpose, &hash, &e.Provider, &e.Host, &e.Model, &e.Bytes, &e.Tokens, &e.State, &e.Reason, &sent, &done); err != nil {
			return s.fault("read", err)
		}
		if e.Hash, err = readHash(hash); err != nil {
			return s.fault("read", err)
		}
		e.Sent = time.Unix(0, sent)
		if done != 0 {
			e.Done = time.Unix(0, done)
		}
		if err := visit(e); err != nil {
			return err
		}
	}
	return s.fault("read", rows.Err())
}
