package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/zeebo/xxh3"

	"agenvantage/embed"
)

// QueryHash names the text of a question.
func QueryHash(text string) Hash { return xxh3.HashString128(text).Bytes() }

// touchAfter is how old the last use of a question has to be before reading it writes: the order of use need not be finer.
const touchAfter = time.Hour

// Query is the stored vector of a question, nil when there is none.
func (s *Store) Query(ctx context.Context, key string, text string) (embed.Vector, error) {
	of, err := s.set(key)
	if errors.Is(err, errNoSet) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	hash := QueryHash(text)
	var id, used int64
	var b []byte
	err = s.read.QueryRowContext(ctx, `SELECT id, vector, used_ns FROM queries WHERE set_id = ? AND hash = ?`, of.id, hash[:]).Scan(&id, &b, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, s.fault("read", err)
	}
	v := make(embed.Vector, of.dimensions)
	if err := decodeVector(v, b); err != nil {
		return nil, s.fault("read", err)
	}
	if now := s.options.Now(); now.UnixNano()-used > int64(touchAfter) {
		if db, err := s.writer(); err == nil {
			// Which question goes first is no reason to fail one that has its answer.
			_, _ = db.ExecContext(ctx, `UPDATE queries SET used_ns = ? WHERE id = ?`, now.UnixNano(), id)
		}
	}
	return v, nil
}
