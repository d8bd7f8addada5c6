package store

import (
	"database/sql"
	"errors"
	"fmt"

	"agenvantage"
	"agenvantage/embed"
)

// Result is what came of one text: a vector, or the reason why there is none.
type Result struct {
	Hash    Hash
	Vector  embed.Vector
	Refused embed.Reason
	// Compact keeps a quarter of the bytes: 8 bits of each component. It is for models that lose nothing by it, and for documents.
	Compact bool
}

// Commit stores what came of requests for a set, and closes them, in one transaction: all of it, or nothing. Every text of the
// requests needs one result; a text that was sent in parts is a text of several, and a refused one may be of none that is still
// open. A vector of another dimension than the set's is an embed.DimensionError. A text that has a vector already keeps it.
func (s *Store) Commit(key string, batches []int64, results []Result) error {
	return s.change("store vectors", func(tx *sql.Tx) error {
		purpose, err := purposeOf(tx, key, batches)
		if err != nil {
			return err
		}
		var of set
		var model string
		if err := tx.QueryRow(`SELECT id, dimensions, model FROM sets WHERE key = ?`, key).Scan(&of.id, &of.dimensions, &model); errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w: %s", errNoSet, key)
		} else if err != nil {
			return err
		}
		c := &committing{tx: tx, of: of, now: s.options.Now().UnixNano(), today: s.today(), maxQueries: s.options.MaxQueries}
		for i := range results {
			r := &results[i]
			if r.Refused == "" && len(r.Vector) != of.dimensions {
				return &embed.DimensionError{Model: model, Want: of.dimensions, Got: len(r.Vector)}
			}
			if err := c.put(r, purpose); err != nil {
				return err
			}
			if err := c.note(r, batches); err != nil {
				return err
			}
		}
		return c.close(batches, purpose)
	})
}

// purposeOf reads what requests for a set are for: all the same.
func purposeOf(tx *sql.Tx, key string, batches []int64) (purpose embed.Purpose, err error) {
	purpose = embed.Document
	for i, b := range batches {
		var k string
		var p embed.Purpose
		if err := tx.QueryRow(`SELECT set_key, purpose FROM batches WHERE id = ?`, b).Scan(&k, &p); err != nil {
			return "", fmt.Errorf("request %d: %w", b, err)
		}
		if k != key || i > 0 && p != purpose {
			return "", fmt.Errorf("%w: request %d is one for something else", agenvantage.ErrBadInput, b)
		}
		purpose = p
	}
	return purpose, nil
}

type committing struct {
	tx         *sql.Tx
	of         set
	now, today int64
	maxQueries int
}

func (c *committing) put(r *Result, purpose embed.Purpose) error {
	switch {
	case purpose == embed.Query && r.Refused != "":
		return nil // a question can be asked again
	case purpose == embed.Query:
		_, err := c.tx.Exec(`INSERT INTO queries (set_id, hash, vector, used_ns) VALUES (?,?,?,?) ON CONFLICT (set_id, hash) DO UPDATE SET vector = excluded.vector, used_ns = excluded.used_ns`,
			c.of.id, r.Hash[:], encodeVector(r.Vector), c.now)
		return err
	case r.Refused != "":
		_, err := c.tx.Exec(`INSERT INTO failures VALUES (?,?,?,?) ON CONFLICT DO UPDATE SET reason = excluded.reason, at_ns = excluded.at_ns`,
			c.of.id, r.Hash[:], string(r.Refused), c.now)
		return err
	}
	inserted, err := c.tx.Exec(`INSERT INTO chunks (set_id, hash, used_day) VALUES (?,?,?) ON CONFLICT DO NOTHING`, c.of.id, r.Hash[:], c.today)
	if err != nil {
		return err
	}
	if n, err := inserted.RowsAffected(); err != nil || n == 0 {
		return err
	}
	id, err := inserted.LastInsertId()
	if err != nil {
		return err
	}
	stored := encodeVector
	if r.Compact {
		stored = encodeCompact
	}
	if _, err := c.tx.Exec(`INSERT INTO vectors VALUES (?,?)`, id, stored(r.Vector)); err != nil {
		return err
	}
	_, err = c.tx.Exec(`DELETE FROM failures WHERE set_id = ? AND hash = ?`, c.of.id, r.Hash[:])
	return err
}

// note closes the entries of a text in the ledger.
func (c *committing) note(r *Result, batches []int64) error {
	state := StateCommitted
	if r.Refused != "" {
		state = StateFailed
	}
	for _, b := range batches {
		if _, err := c.tx.Exec(`UPDATE sent SET state = ?, reason = ? WHERE batch = ? AND hash = ? AND state = ?`,
			string(state), string(r.Refused), b, r.Hash[:], string(StateSent)); err != nil {
			return err
		}
	}
	return nil
}

func (c *committing) close(batches []int64, purpose embed.Purpose) error {
	for _, b := range batches {
		var open int
		if err := c.tx.QueryRow(`SELECT count(*) FROM sent WHERE batch = ? AND state = ?`, b, string(StateSent)).Scan(&open); err != nil {
			return err
		}
		if open > 0 {
			return fmt.Errorf("%w: %d texts of request %d without a result", agenvantage.ErrBadInput, open, b)
		}
		if err := closeBatch(c.tx, b, StateCommitted, "", c.now); err != nil {
			return err
		}
	}
	if purpose != embed.Query {
		_, err := c.tx.Exec(`UPDATE sets SET version = version + 1 WHERE id = ?`, c.of.id)
		return err
	}
	_, err := c.tx.Exec(`DELETE FROM queries WHERE id IN (SELECT id FROM queries ORDER BY used_ns DESC, id DESC LIMIT -1 OFFSET ?)`, c.maxQueries)
	return err
}
