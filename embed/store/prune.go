package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
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
	Entries                          int       // of the ledger
	Bytes                            int64     // by which the file shrank
	Files                            int       // that went: all of the store's, its locks and logs, once it holds nothing; 0 while it stays
	Damaged                          bool      // it went as it was: what it held could not be counted
	Of                               []SetInfo // what went of each set that lost anything, or itself: its counts are of that. In the order of keys
}

func (p *Pruned) nothing() bool { return p.Sets+p.Vectors+p.Failures+p.Queries+p.Entries == 0 }

// add counts what went of a set.
func (p *Pruned) add(i SetInfo, of Pruned) {
	if of.nothing() {
		return
	}
	p.Sets, p.Vectors, p.Failures, p.Queries = p.Sets+of.Sets, p.Vectors+of.Vectors, p.Failures+of.Failures, p.Queries+of.Queries
	i.Vectors, i.Failures, i.Queries = of.Vectors, of.Failures, of.Queries
	p.Of = append(p.Of, i)
}

// Prune removes vectors, failures and questions. Sets that are empty then go too, and with the last of them, where the ledger has no entry, the
// files of the store. A set that is being embedded into is ErrBusy. Once the files are gone, and after a removal on a full disk, the store is
// closed: Check says so, and Open opens it again.
func (s *Store) Prune(ctx context.Context, r PruneRequest) (Pruned, error) {
	if r.UnusedFor < 0 {
		return Pruned{}, fmt.Errorf("%w: prune what was unused for %s", agenvantage.ErrBadInput, r.UnusedFor)
	}
	keep := make(map[Hash]struct{}, len(r.Keep))
	for _, h := range r.Keep {
		keep[h] = struct{}{}
	}
	now := s.options.Now()
	return s.remove(ctx, removal{key: r.Set, dry: r.DryRun, of: func(tx *sql.Tx, id int64, p *Pruned) error {
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
	}})
}

// Purge removes a set, or with "" all sets, with all that belongs to them; with ledger also what the ledger says of them. Where nothing is left
// the files go, as with Prune.
func (s *Store) Purge(ctx context.Context, key string, ledger bool) (Pruned, error) {
	if key == "" && ledger {
		return s.purgeAll(ctx)
	}
	return s.remove(ctx, removal{key: key, ledger: ledger, of: func(tx *sql.Tx, id int64, p *Pruned) error {
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
	}})
}

// everything counts what a store holds.
func (s *Store) everything(ctx context.Context) (p Pruned, err error) {
	sets, err := s.Sets()
	if err != nil {
		return p, err
	}
	for _, i := range sets {
		p.add(i, Pruned{Sets: 1, Vectors: i.Vectors, Failures: i.Failures, Queries: i.Queries})
	}
	return p, s.fault("read", s.read.QueryRowContext(ctx, `SELECT count(*) FROM sent`).Scan(&p.Entries))
}

// errDryRun ends a transaction whose effects were only to be counted.
var errDryRun = errors.New("dry run")

// removal says what of a set, or with "" of all sets, is to go.
type removal struct {
	key    string
	ledger bool // with what the ledger says of it
	dry    bool // count only
	of     func(tx *sql.Tx, id int64, p *Pruned) error

	sets  []SetInfo
	count Pruned
	empty bool // nothing is left in the store
}

// remove does a removal, holding the locks of its sets, removes the sets that are empty then, and gives the space back.
func (s *Store) remove(ctx context.Context, r removal) (Pruned, error) {
	before := s.Bytes()
	sets, err := s.Identities()
	if err != nil {
		return Pruned{}, err
	}
	r.sets = slices.DeleteFunc(sets, func(i SetInfo) bool { return r.key != "" && i.Key != r.key })
	if r.key != "" && len(r.sets) == 0 {
		return Pruned{}, fmt.Errorf("%w: %w: %s", agenvantage.ErrBadInput, errNoSet, r.key)
	}
	if err := s.Writable(); errors.Is(err, ErrReadOnly) {
		return Pruned{}, fmt.Errorf("remove vectors: %w", err)
	}
	locks := map[string]*held{}
	defer func() {
		for _, l := range locks {
			l.release()
		}
	}()
	for _, i := range r.sets {
		name := setPrefix + i.Key
		if locks[name], err = s.lock(name, false); err != nil {
			delete(locks, name)
			return Pruned{}, err
		}
	}
	do := func(tx *sql.Tx) error { return r.do(ctx, tx) }
	err = s.change("remove vectors", do)
	if errors.Is(err, ErrFull) { // the log that has gone into the file may give the space that removing takes
		if db, failed := s.writer(); failed == nil {
			_, _ = db.ExecContext(ctx, checkpoint)
			err = s.change("remove vectors", do)
		}
	}
	shrunk := false
	if errors.Is(err, ErrFull) {
		err, shrunk = s.inPlace(ctx, &r), true
	}
	switch {
	case r.dry && errors.Is(err, errDryRun):
		return r.count, nil
	case err != nil:
		return Pruned{}, err
	}
	return s.giveBack(ctx, &r, locks, before, shrunk)
}

// giveBack ends a removal: the files go where nothing is left, else they shrink.
func (s *Store) giveBack(ctx context.Context, r *removal, locks map[string]*held, before int64, shrunk bool) (p Pruned, err error) {
	p = r.count
	if r.empty {
		if p.Files, err = s.dropIfEmpty(ctx, locks); err != nil || p.Files > 0 {
			p.Bytes = max(0, before-s.Bytes())
			return p, err
		}
	}
	if !shrunk && !p.nothing() {
		err = s.compact(ctx)
	}
	p.Bytes = max(0, before-s.Bytes())
	return p, err
}

// do is the transaction of a removal.
func (r *removal) do(ctx context.Context, tx *sql.Tx) error {
	p := Pruned{}
	for _, i := range r.sets {
		var id int64
		if err := tx.QueryRow(`SELECT id FROM sets WHERE key = ?`, i.Key).Scan(&id); err != nil {
			return err
		}
		var of Pruned
		if err := r.of(tx, id, &of); err != nil {
			return err
		}
		n, err := count(tx.Exec(`DELETE FROM sets WHERE id = ? AND NOT EXISTS (SELECT 1 FROM chunks WHERE set_id = sets.id)
			AND NOT EXISTS (SELECT 1 FROM failures WHERE set_id = sets.id) AND NOT EXISTS (SELECT 1 FROM queries WHERE set_id = sets.id)`, id))
		if err != nil {
			return err
		}
		of.Sets = n
		p.add(i, of)
		if of.nothing() {
			continue
		}
		if _, err := tx.Exec(`UPDATE sets SET version = version + 1 WHERE id = ?`, id); err != nil {
			return err
		}
	}
	if r.ledger {
		n, err := count(tx.Exec(`DELETE FROM sent WHERE batch IN (SELECT id FROM batches WHERE ? IN ('', set_key))`, r.key))
		if err != nil {
			return err
		}
		p.Entries = n
		if _, err := tx.Exec(`DELETE FROM batches WHERE ? IN ('', set_key)`, r.key); err != nil {
			return err
		}
	}
	var left int
	if err := tx.QueryRow(leftQuery).Scan(&left); err != nil {
		return err
	}
	r.count, r.empty = p, left == 0
	if r.dry {
		return errDryRun
	}
	return ctx.Err()
}

const (
	checkpoint = `PRAGMA wal_checkpoint(TRUNCATE)`
	// leftQuery counts what keeps the files of a store: failures and questions have a set.
	leftQuery = `SELECT (SELECT count(*) FROM sets) + (SELECT count(*) FROM batches)`
)

// compact gives the space of removed rows back to the system, and what they held with it. Where the disk has no room for that, it is done in
// place.
func (s *Store) compact(ctx context.Context) error {
	db, err := s.writer()
	for _, query := range []string{`VACUUM`, checkpoint} {
		if err == nil {
			_, err = db.ExecContext(ctx, query)
		}
	}
	if isFull(err) || Unwritable(err) {
		err = s.inPlace(ctx, nil)
	}
	if err != nil {
		return fmt.Errorf("the rows are removed, the file is as large as before: %w", s.fault("compact", err))
	}
	return nil
}

// inPlace does a removal, if any, and shrinks the file, without a byte of further space, for a full disk: SQLite keeps in memory what it would write beside the
// file, so that it takes memory for as much as the file holds twice. A machine that fails while the pages are written leaves a damaged file, which
// is why nothing else is done so. Nobody else may have the store open, and this one is closed by it.
func (s *Store) inPlace(ctx context.Context, r *removal) error {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	_ = s.Close() // what it could not write into the file stays in the log beside it, and is read again
	p := s.parameters()
	p.Del("_journal_mode")
	p.Set("_locking_mode", "EXCLUSIVE") // before the file is read: with it, the log needs no index in a file
	db, err := connect(s.file, p, 1)
	if err != nil {
		return s.fault("remove vectors", err)
	}
	defer db.Close()
	for _, query := range []string{`PRAGMA temp_store = MEMORY`, `PRAGMA cache_spill = OFF`} { // what is dirty is written at the end alone
		if _, err := db.ExecContext(ctx, query); err != nil {
			return s.fault("remove vectors", err)
		}
	}
	var mode string
	if err := db.QueryRowContext(ctx, `PRAGMA journal_mode = MEMORY`).Scan(&mode); err != nil || mode != "memory" {
		err = s.fault("remove vectors", err)
		if errors.Is(err, ErrFull) {
			return fmt.Errorf("%w (its log does not fit into the file: make some room, or purge everything)", err)
		}
		if err == nil || errors.Is(err, ErrBusy) {
			return fmt.Errorf("%w: on a full disk rows are removed only while no other process, such as a server, has %s open", ErrBusy, s.file)
		}
		return err
	}
	if r != nil {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return s.fault("remove vectors", err)
		}
		defer tx.Rollback()
		if err := r.do(ctx, tx); err != nil {
			return s.fault("remove vectors", err)
		}
		if r.count.nothing() {
			return nil
		}
		if err := tx.Commit(); err != nil {
			return s.fault("remove vectors", err)
		}
	}
	_, err = db.ExecContext(ctx, `VACUUM`)
	return s.fault("compact", err)
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
