package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"agenvantage"
)

// PruneRequest says what may go. A store does not know which indexes exist, so it goes by two things that the caller knows: what
// the index at hand holds, and how long ago a run of any other last met a text.
type PruneRequest struct {
	Set       string        // key; "" for all sets
	Keep      []Hash        // never removed
	UnusedFor time.Duration // the rest goes when no run has met it for so long, in whole days; 0: at once
	DryRun    bool          // count only
}

// Pruned counts what was removed, or would be.
type Pruned struct {
	Sets, Vectors, Failures, Queries int
	Entries                          int   // of the ledger
	Bytes                            int64 // by which the file shrank
}

// Prune removes vectors, failures and questions. Sets that are empty then go too. A set that is being embedded into is ErrBusy.
func (s *Store) Prune(ctx context.Context, r PruneRequest) (Pruned, error) {
	if r.UnusedFor < 0 {
		return Pruned{}, fmt.Errorf("%w: prune what was unused for %s", agenvantage.ErrBadInput, r.UnusedFor)
	}
	keep := make(map[Hash]struct{}, len(r.Keep))
	for _, h := range r.Keep {
		keep[h] = struct{}{}
	}
	now := s.options.Now()
	return s.remove(ctx, r.Set, r.DryRun, func(tx *sql.Tx, id int64, p *Pruned) error {
		before := now.Add(-r.UnusedFor)
		chunks, err := removable(tx, keep, `SELECT id, hash FROM chunks WHERE set_id = ? AND used_day <= ?`, id, before.Unix()/int64(day/time.Second))
		if err != nil {
			return err
		}
		for _, c := range chunks {
			for _, query := range []string{`DELETE FROM vectors WHERE id = ?`, `DELETE FROM chunks WHERE id = ?`} {
				if _, err := tx.Exec(query, c.id); err != nil {
					return err
				}
			}
		}
		failures, err := removable(tx, keep, `SELECT 0, hash FROM failures WHERE set_id = ? AND at_ns <= ?`, id, before.UnixNano())
		if err != nil {
			return err
		}
		for _, f := range failures {
			if _, err := tx.Exec(`DELETE FROM failures WHERE set_id = ? AND hash = ?`, id, f.hash[:]); err != nil {
				return err
			}
		}
		queries, err := count(tx.Exec(`DELETE FROM queries WHERE set_id = ? AND used_ns <= ?`, id, before.UnixNano()))
		p.Vectors, p.Failures, p.Queries = p.Vectors+len(chunks), p.Failures+len(failures), p.Queries+queries
		return err
	})
}

// Purge removes a set, or with "" all sets, with all that belongs to them; with ledger also what the ledger says of them.
func (s *Store) Purge(ctx context.Context, key string, ledger bool) (Pruned, error) {
	before := s.Bytes()
	if key != "" || !ledger {
		return s.purge(ctx, key, ledger, before)
	}
	all, err := s.everything(ctx) // first: what fails may have removed a part
	if err != nil {
		return Pruned{}, err
	}
	p, err := s.purge(ctx, key, ledger, before)
	if errors.Is(err, ErrFull) {
		return s.discard(all, before)
	}
	return p, err
}

// everything counts what a store holds.
func (s *Store) everything(ctx context.Context) (p Pruned, err error) {
	sets, err := s.Sets()
	if err != nil {
		return p, err
	}
	for _, i := range sets {
		p.Sets, p.Vectors, p.Failures, p.Queries = p.Sets+1, p.Vectors+i.Vectors, p.Failures+i.Failures, p.Queries+i.Queries
	}
	return p, s.fault("read", s.read.QueryRowContext(ctx, `SELECT count(*) FROM sent`).Scan(&p.Entries))
}

// discard removes the file itself, of which nothing is to be kept: on a full disk SQLite cannot remove rows, since it writes what it removes
// before. The store is of no use then, and who has it open finds out by Check. A set that is being embedded into is ErrBusy.
func (s *Store) discard(all Pruned, before int64) (Pruned, error) {
	sets, err := s.Identities()
	if err != nil {
		return Pruned{}, err
	}
	for _, i := range sets {
		release, err := s.Lock(i.Key)
		if err != nil && !errors.Is(err, ErrReadOnly) && !isFull(err) {
			return Pruned{}, err
		}
		if err == nil {
			defer release()
		}
	}
	if err := s.Check(); err != nil {
		return Pruned{}, err
	}
	if err := s.Close(); err != nil && !isFull(err) {
		return Pruned{}, s.fault("close", err)
	}
	for _, tail := range []string{"-wal", "-shm", ""} {
		if err := os.Remove(s.file + tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Pruned{}, s.fault("remove", err)
		}
	}
	all.Bytes = before
	return all, nil
}

func (s *Store) purge(ctx context.Context, key string, ledger bool, before int64) (Pruned, error) {
	p, err := s.remove(ctx, key, false, func(tx *sql.Tx, id int64, p *Pruned) error {
		for _, step := range []struct {
			to    *int
			query string
		}{
			{nil, `DELETE FROM vectors WHERE id IN (SELECT id FROM chunks WHERE set_id = ?)`}, {&p.Vectors, `DELETE FROM chunks WHERE set_id = ?`},
			{&p.Failures, `DELETE FROM failures WHERE set_id = ?`}, {&p.Queries, `DELETE FROM queries WHERE set_id = ?`},
		} {
			n, err := count(tx.Exec(step.query, id))
			if err != nil {
				return err
			}
			if step.to != nil {
				*step.to += n
			}
		}
		return nil
	})
	if err != nil || !ledger {
		return p, err
	}
	err = s.change("purge the ledger", func(tx *sql.Tx) error {
		n, err := count(tx.Exec(`DELETE FROM sent WHERE batch IN (SELECT id FROM batches WHERE ? IN ('', set_key))`, key))
		if err == nil {
			p.Entries = n
			_, err = tx.Exec(`DELETE FROM batches WHERE ? IN ('', set_key)`, key)
		}
		return err
	})
	if err == nil && p.Entries > 0 {
		p.Bytes, err = s.compact(ctx, before)
	}
	return p, err
}

// errDryRun ends a transaction whose effects were only to be counted.
var errDryRun = errors.New("dry run")

// remove runs do for a set or all sets, holding their locks, removes the sets that are empty then, and gives the space back.
func (s *Store) remove(ctx context.Context, key string, dry bool, do func(tx *sql.Tx, id int64, p *Pruned) error) (Pruned, error) {
	before := s.Bytes()
	sets, err := s.Identities()
	if err != nil {
		return Pruned{}, err
	}
	var keys []string
	for _, i := range sets {
		if key == "" || i.Key == key {
			keys = append(keys, i.Key)
		}
	}
	if key != "" && len(keys) == 0 {
		return Pruned{}, fmt.Errorf("%w: %w: %s", agenvantage.ErrBadInput, errNoSet, key)
	}
	for _, k := range keys {
		release, err := s.Lock(k)
		if err != nil {
			return Pruned{}, err
		}
		defer release()
	}
	var p Pruned
	change := func(tx *sql.Tx) error {
		p = Pruned{}
		for _, k := range keys {
			var id int64
			if err := tx.QueryRow(`SELECT id FROM sets WHERE key = ?`, k).Scan(&id); err != nil {
				return err
			}
			if err := do(tx, id, &p); err != nil {
				return err
			}
			n, err := count(tx.Exec(`DELETE FROM sets WHERE id = ? AND NOT EXISTS (SELECT 1 FROM chunks WHERE set_id = sets.id)
				AND NOT EXISTS (SELECT 1 FROM failures WHERE set_id = sets.id) AND NOT EXISTS (SELECT 1 FROM queries WHERE set_id = sets.id)`, id))
			if err != nil {
				return err
			}
			p.Sets += n
			if _, err := tx.Exec(`UPDATE sets SET version = version + 1 WHERE id = ?`, id); err != nil {
				return err
			}
		}
		if dry {
			return errDryRun
		}
		return ctx.Err()
	}
	err = s.change("remove vectors", change)
	if errors.Is(err, ErrFull) { // the log that has gone into the file may give the space that removing takes
		_, _ = s.write.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
		err = s.change("remove vectors", change)
	}
	if dry && errors.Is(err, errDryRun) {
		return p, nil
	}
	if err != nil {
		return Pruned{}, err
	}
	if p.Sets+p.Vectors+p.Failures+p.Queries > 0 {
		p.Bytes, err = s.compact(ctx, before)
	}
	return p, err
}

// compact gives the space of removed rows back to the system, and what they held with it. before is the size before they went.
func (s *Store) compact(ctx context.Context, before int64) (shrank int64, err error) {
	for _, query := range []string{`VACUUM`, `PRAGMA wal_checkpoint(TRUNCATE)`} {
		if _, err := s.write.ExecContext(ctx, query); err != nil {
			return 0, fmt.Errorf("the rows are removed, the file is as large as before: %w", s.fault("compact", err))
		}
	}
	return max(0, before-s.Bytes()), nil
}

type removableRow struct {
	id   int64
	hash Hash
}

// removable lists the rows of a query for id and hash whose hash is not to be kept.
func removable(tx *sql.Tx, keep map[Hash]struct{}, query string, args ...any) ([]removableRow, error) {
	rows, err := tx.Query(query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []removableRow
	for rows.Next() {
		var r removableRow
		var b []byte
		if err := rows.Scan(&r.id, &b); err != nil {
			return nil, err
		}
		if r.hash, err = readHash(b); err != nil {
			return nil, err
		}
		if _, kept := keep[r.hash]; !kept {
			all = append(all, r)
		}
	}
	return all, rows.Err()
}

func count(r sql.Result, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	n, err := r.RowsAffected()
	return int(n), err
}
