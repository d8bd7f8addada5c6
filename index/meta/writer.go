package meta

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
)

// Writer changes the facts. Between Begin and Commit readers see nothing of what it does. It is not safe for concurrent use, except where
// a method says so.
type Writer struct {
	file  string
	db    *sql.DB
	tx    *sql.Tx
	share sharedMemory
	mu    sync.Mutex // guards the use of tx and stmt by the methods that may run side by side
	stmt  map[string]*sql.Stmt
}

// Create makes an empty store. A file that is there is an fs.ErrExist.
func Create(file string) (*Writer, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("create facts: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("create facts: %w", err)
	}
	w, err := openWriter(file)
	if err != nil {
		return nil, err
	}
	if _, err := w.db.Exec(schema); err != nil {
		w.db.Close()
		return nil, fault("create facts", file, err)
	}
	return w, nil
}

// OpenWriter opens a store to change it. A missing file is an fs.ErrNotExist.
func OpenWriter(file string) (*Writer, error) {
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("open facts: %w", err)
	}
	return openWriter(file)
}

func openWriter(file string) (*Writer, error) {
	// FULL: a commit is on disk when it returns, so that postings of the generation before it may go. 64 MB of cache
	// keep the pages of a large transaction out of the log until it ends.
	share := watchShared(file)
	db, err := open(file, url.Values{"mode": {"rw"}, "_busy_timeout": {"10000"}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_cache_size": {"-65536"}})
	if err == nil {
		err = db.Ping()
	}
	if share.find(); err == nil && share.damaged() {
		err = cutMemory(file)
	}
	if err != nil {
		if db != nil {
			db.Close()
		}
		return nil, fault("open facts", file, err)
	}
	return &Writer{file: file, db: db, stmt: map[string]*sql.Stmt{}, share: share}, nil
}

type querier interface {
	QueryRow(query string, args ...any) *sql.Row
	Query(query string, args ...any) (*sql.Rows, error)
}

func readHead(q querier) (h Head, catalog []byte, err error) {
	err = q.QueryRow(`SELECT generation, next_file, revision, branch, candidates, updated_ns, catalog FROM head WHERE id = 1`).
		Scan(&h.Generation, &h.NextFile, &h.Revision, &h.Branch, &h.Candidates, &h.UpdatedNS, &catalog)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: no head", ErrCorrupt)
	}
	return h, catalog, err
}

// Load reads the head and the catalog of the last commit. While the generation is 0 the catalog comes from the rows,
// which a checkpoint of a first build has written.
func (w *Writer) Load() (Head, *Catalog, error) {
	h, blob, err := readHead(w.db)
	if err != nil {
		return h, nil, fault("read", w.file, err)
	}
	if blob != nil {
		c, err := decodeCatalog(blob)
		return h, c, fault("read", w.file, err)
	}
	c, err := readRows(w.db)
	return h, c, fault("read", w.file, err)
}

// readRows reads the catalog from the rows: slower than the blob.
func readRows(q querier) (*Catalog, error) {
	rows, err := q.Query(`SELECT id, path, size, mod_ns, change_ns, seen_ns, hash, lang, class, encoding, masked, state, chunks, symbols, tokens FROM files ORDER BY path`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	c := &Catalog{}
	for rows.Next() {
		var f FileRow
		var path, hash, tokens []byte
		if err := rows.Scan(&f.ID, &path, &f.Size, &f.ModNS, &f.ChangeNS, &f.SeenNS, &hash, &f.Lang, &f.Class, &f.Encoding, &f.Masked, &f.State, &f.Chunks, &f.Symbols, &tokens); err != nil {
			return nil, err
		}
		f.Path = string(path)
		copy(f.Hash[:], hash)
		for i := range f.Tokens {
			v, n := binary.Uvarint(tokens)
			if n <= 0 {
				return nil, fmt.Errorf("%w: token counts of %q", ErrCorrupt, f.Path)
			}
			f.Tokens[i], tokens = uint32(v), tokens[n:]
		}
		c.Files = append(c.Files, f)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	skips, err := readSkips(q, `WHERE looked = 1`)
	c.Looks = skips
	return c, err
}

func readSkips(q querier, where string) ([]SkipRow, error) {
	rows, err := q.Query(`SELECT path, reason, detail, size, cap, looked, disk_size, mod_ns, change_ns, seen_ns FROM skips ` + where + ` ORDER BY path`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var skips []SkipRow
	for rows.Next() {
		var s SkipRow
		var path []byte
		if err := rows.Scan(&path, &s.Reason, &s.Detail, &s.Size, &s.Limit, &s.Looked, &s.DiskSize, &s.ModNS, &s.ChangeNS, &s.SeenNS); err != nil {
			return nil, err
		}
		s.Path = string(path)
		skips = append(skips, s)
	}
	return skips, rows.Err()
}

// Skips lists the paths that were left out at the last commit, sorted by path bytes.
func (w *Writer) Skips() ([]SkipRow, error) {
	s, err := readSkips(w.db, "")
	return s, fault("read", w.file, err)
}

// Begin starts a transaction.
func (w *Writer) Begin() (err error) {
	w.tx, err = w.db.Begin()
	w.share.find() // which a new store does not have before
	return fault("write", w.file, err)
}

func (w *Writer) exec(query string, args ...any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	s, err := w.prepared(query)
	if err == nil {
		_, err = s.Exec(args...)
	}
	return fault("write", w.file, err)
}

// prepared is the statement of a query in the transaction. The caller holds mu.
func (w *Writer) prepared(query string) (*sql.Stmt, error) {
	if s := w.stmt[query]; s != nil {
		return s, nil
	}
	if w.tx == nil {
		return nil, sql.ErrTxDone
	}
	s, err := w.tx.Prepare(query)
	if err == nil {
		w.stmt[query] = s
	}
	return s, err
}

// PutFile adds a file that is not in the store, with its contents.
func (w *Writer) PutFile(f *FileRow, c Content) error {
	tokens := make([]byte, 0, 3*FieldCount)
	for _, n := range f.Tokens {
		tokens = binary.AppendUvarint(tokens, uint64(n))
	}
	err := w.exec(`INSERT INTO files VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`, f.ID, []byte(f.Path), f.Size, f.ModNS, f.ChangeNS, f.SeenNS, f.Hash[:],
		f.Lang, int(f.Class), f.Encoding, f.Masked, string(f.State), f.Chunks, f.Symbols, tokens)
	if err != nil {
		return err
	}
	if err := w.exec(`INSERT INTO contents VALUES (?,?,?,?)`, f.ID, c.Text, c.Facts, c.Refs); err != nil {
		return err
	}
	if err := w.exec(`INSERT INTO names VALUES (?,?)`, f.ID, append([]byte{}, c.Names...)); err != nil { // never NULL
		return err
	}
	return w.exec(`INSERT INTO chunks VALUES (?,?)`, f.ID, append([]byte{}, c.Hashes...))
}

// DeleteFile removes a file and its contents.
func (w *Writer) DeleteFile(id uint32) error {
	for _, query := range []string{`DELETE FROM files WHERE id = ?`, `DELETE FROM contents WHERE file = ?`, `DELETE FROM names WHERE file = ?`, `DELETE FROM chunks WHERE file = ?`, `DELETE FROM links WHERE file = ?`} {
		if err := w.exec(query, id); err != nil {
			return err
		}
	}
	return nil
}

// TouchFile records that a file was looked at again and holds the same bytes.
func (w *Writer) TouchFile(f *FileRow) error {
	return w.exec(`UPDATE files SET size = ?, mod_ns = ?, change_ns = ?, seen_ns = ? WHERE id = ?`, f.Size, f.ModNS, f.ChangeNS, f.SeenNS, f.ID)
}

// ReplaceSkips makes skips the whole list of paths that were left out.
func (w *Writer) ReplaceSkips(skips []SkipRow) error {
	if err := w.exec(`DELETE FROM skips`); err != nil {
		return err
	}
	for i := range skips {
		s := &skips[i]
		if err := w.exec(`INSERT OR REPLACE INTO skips VALUES (?,?,?,?,?,?,?,?,?,?)`, []byte(s.Path), string(s.Reason), s.Detail, s.Size, s.Limit, s.Looked,
			s.DiskSize, s.ModNS, s.ChangeNS, s.SeenNS); err != nil {
			return err
		}
	}
	return nil
}

// Commit ends the transaction with a new head. catalog is nil at the checkpoints of a first build.
func (w *Writer) Commit(h Head, catalog *Catalog) error {
	var blob []byte
	if catalog != nil {
		blob = catalog.encode()
	}
	if err := w.exec(`UPDATE head SET generation = ?, next_file = ?, revision = ?, branch = ?, candidates = ?, updated_ns = ?, catalog = ? WHERE id = 1`,
		h.Generation, h.NextFile, h.Revision, h.Branch, h.Candidates, h.UpdatedNS, blob); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.share.damaged() { // pages may have been changed that were not those of the last commit
		return cutMemory(w.file)
	}
	err := w.tx.Commit()
	w.tx = nil
	clear(w.stmt)
	return fault("write", w.file, err)
}

// Rollback gives up the transaction, if there is one.
func (w *Writer) Rollback() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tx != nil {
		_ = w.tx.Rollback()
		w.tx = nil
		clear(w.stmt)
	}
}

// Close gives up an open transaction, moves the log into the file as far as readers let it, and closes the file.
func (w *Writer) Close() error {
	w.Rollback()
	_, err := w.db.Exec(`PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)`) // does what it can without waiting for readers
	if e := w.db.Close(); err == nil {
		err = e
	}
	return fault("close", w.file, err)
}
