package meta

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"agenvantage"
)

// Reader reads one generation: it sees nothing of later commits. It is safe for concurrent use; Close it when no call
// is running. While it is open the log of later commits cannot shrink, so a long-lived program renews it.
type Reader struct {
	file  string
	db    *sql.DB
	tx    *sql.Tx
	text  *sql.Stmt
	facts *sql.Stmt
	refs  *sql.Stmt
	head  Head
	blob  []byte
	share sharedMemory

	mu sync.Mutex // one connection holds the snapshot
}

// Open pins the last commit of the store. A missing file is an fs.ErrNotExist, one that cannot be understood is
// ErrCorrupt, and ErrReadOnly see there.
func Open(ctx context.Context, file string) (*Reader, error) {
	db, err := openForReading(file)
	if err != nil {
		return nil, err
	}
	r := &Reader{file: file, db: db, share: watchShared(file)}
	if err := r.begin(ctx); err != nil {
		r.Close()
		return nil, fault("open", file, err)
	}
	if r.share.find(); r.share.missing() || r.share.damaged() {
		r.Close()
		return nil, cutMemory(file)
	}
	return r, nil
}

func (r *Reader) begin(ctx context.Context) (err error) {
	if err = ctx.Err(); err != nil {
		return err
	}
	// The transaction outlives ctx, which bounds the opening alone.
	if r.tx, err = r.db.BeginTx(context.WithoutCancel(ctx), nil); err != nil {
		return err
	}
	if r.head, r.blob, err = readHead(r.tx); err != nil { // the first read takes the snapshot
		return err
	}
	for _, s := range []struct {
		to    **sql.Stmt
		query string
	}{
		{&r.text, `SELECT text FROM contents WHERE file = ?`},
		{&r.facts, `SELECT facts FROM contents WHERE file = ?`},
		{&r.refs, `SELECT refs FROM contents WHERE file = ?`},
	} {
		if *s.to, err = r.tx.Prepare(s.query); err != nil {
			return err
		}
	}
	return nil
}

// Damaged reports that a file of the store was cut while this reader had it open: what was read from it meanwhile may be wrong.
func (r *Reader) Damaged() bool { return r.share.damaged() }

// Head is the head of the generation. Generation is 0 when a first build has not ended.
func (r *Reader) Head() Head { return r.head }

// Catalog decodes the rows of all files.
func (r *Reader) Catalog() (*Catalog, error) {
	c, err := decodeCatalog(r.blob)
	return c, fault("read", r.file, err)
}

// Skips lists the paths that were left out, sorted by path bytes.
func (r *Reader) Skips() ([]SkipRow, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := readSkips(r.tx, "")
	return s, fault("read", r.file, err)
}

func (r *Reader) load(s *sql.Stmt, id uint32) ([]byte, error) {
	r.mu.Lock()
	var b []byte
	err := s.QueryRow(id).Scan(&b)
	r.mu.Unlock()
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("%w: no contents of file %d", ErrCorrupt, id)
	}
	if err != nil {
		return nil, fault("read", r.file, err)
	}
	return unpack(b)
}

// Text is the text of a file.
func (r *Reader) Text(id uint32) (string, error) {
	b, err := r.load(r.text, id)
	return string(b), err
}

// Facts is the parse state, the package, the symbols, the imports and the chunks of a file.
func (r *Reader) Facts(id uint32) (*agenvantage.Extraction, error) {
	b, err := r.load(r.facts, id)
	if err != nil {
		return nil, err
	}
	x, err := decodeFacts(b)
	return x, fault("read", r.file, err)
}

// Uses lists the references of a file, in the order in which they were extracted, and the bindings that they name.
func (r *Reader) Uses(id uint32) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	b, err := r.load(r.refs, id)
	if err != nil {
		return nil, nil, err
	}
	refs, bindings, err := decodeUses(b)
	return refs, bindings, fault("read", r.file, err)
}

// Close releases the file.
func (r *Reader) Close() error {
	if r.tx != nil {
		_ = r.tx.Rollback()
	}
	return r.db.Close()
}

// CountSkips counts the paths that were left out.
func (r *Reader) CountSkips() (n int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err = r.tx.QueryRow(`SELECT count(*) FROM skips`).Scan(&n)
	return n, fault("read", r.file, err)
}
