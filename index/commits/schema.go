package commits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	sqlite "github.com/mattn/go-sqlite3"
)

// format is the version of all that the file holds, how messages become terms included. A file of another format is
// written anew.
const format = 1

// The file is a SQLite database in WAL mode. Rows of commits are numbered from 0 in the order in which they came.
//
//	head      one row.
//	          format      see above
//	          prefix      folder of the repository that the paths are relative to, with a slash at its end, "" for all
//	          version     counts the transactions: a writer sees by it that another one came between two of its own
//	          next_row, next_path, next_author   the next numbers
//	heads     one row for each revision that the file was brought up to: its place in the order of updates, and how many
//	          commits it has by git's count.
//	blocks    runs of rows of commits: the number of the first, their facts and their subjects (encoding: encode.go). The
//	          facts are read as a whole when a view is opened, the subjects only for what is shown.
//	names     runs of paths (kind 0) and of authors (kind 1), numbered from first on: texts, each with its length before it.
//	postings  term, first row, and pairs of row and frequency. A term has several runs: each update adds to the last one
//	          until it is full.
//
// One row of SQLite for each commit or path would make opening a view some forty times slower than blobs do.
const schema = `
CREATE TABLE head (
	id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, prefix BLOB NOT NULL, version INTEGER NOT NULL,
	next_row INTEGER NOT NULL, next_path INTEGER NOT NULL, next_author INTEGER NOT NULL
);
CREATE TABLE heads (revision TEXT PRIMARY KEY, turn INTEGER NOT NULL, total INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE blocks (first INTEGER PRIMARY KEY, facts BLOB NOT NULL, subjects BLOB NOT NULL);
CREATE TABLE names (kind INTEGER NOT NULL, first INTEGER NOT NULL, texts BLOB NOT NULL, PRIMARY KEY (kind, first)) WITHOUT ROWID;
CREATE TABLE postings (term TEXT NOT NULL, first INTEGER NOT NULL, rows BLOB NOT NULL, PRIMARY KEY (term, first)) WITHOUT ROWID;
INSERT INTO head VALUES (1, 0, '', 0, 0, 0, 0);
`

// Errors that callers branch on.
var (
	// ErrCorrupt marks a file that cannot be read: it has to be removed, and the next Update makes it anew.
	ErrCorrupt = errors.New("stored history corrupt")
	// ErrAbsent means that nothing is stored yet.
	ErrAbsent = errors.New("no stored history")
	// ErrUnknown means that the revision of a view is not stored.
	ErrUnknown = errors.New("revision not in the stored history")
	// ErrBusy means that another process is writing.
	ErrBusy = errors.New("another process is storing the history")
)

// fault gives an error of SQLite its kind.
func fault(do, file string, err error) error {
	var e sqlite.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrCorrupt):
		return err
	case errors.As(err, &e) && (e.Code == sqlite.ErrNotADB || e.Code == sqlite.ErrCorrupt ||
		e.Code == sqlite.ErrError && strings.HasPrefix(e.Error(), "no such ")):
		return fmt.Errorf("%w: %s %s: %w", ErrCorrupt, do, file, err)
	case errors.As(err, &e) && (e.Code == sqlite.ErrBusy || e.Code == sqlite.ErrLocked):
		return fmt.Errorf("%s %s: %w", do, file, ErrBusy)
	}
	return fmt.Errorf("%s %s: %w", do, file, err)
}

// IsFull reports that the file could not be written for want of space or rights.
func IsFull(err error) bool {
	var e sqlite.Error
	full := errors.As(err, &e) && (e.Code == sqlite.ErrFull || e.Code == sqlite.ErrReadonly || e.Code == sqlite.ErrCantOpen || e.Code == sqlite.ErrPerm)
	return full || errors.Is(err, fs.ErrPermission)
}

// open opens file with SQLite's own parameters and the driver's (those begin with "_").
func open(file string, parameters url.Values) (*sql.DB, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite3", (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: parameters.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // one connection: a transaction spans calls
	return db, nil
}

// openWriter opens the file, making it when it is not there. Transactions of the result are writing ones from their
// beginning. Commits are written without waiting for the disk: a system that fails loses the last of them, and the next
// update makes it up from git.
func openWriter(file string) (*sql.DB, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return nil, err
	}
	db, err := open(file, url.Values{"mode": {"rwc"}, "_busy_timeout": {"0"}, "_journal_mode": {"WAL"}, "_synchronous": {"NORMAL"},
		"_txlock": {"immediate"}, "_cache_size": {"-65536"}})
	if err == nil {
		err = db.Ping()
	}
	if err != nil && db != nil {
		db.Close()
	}
	return db, err
}

// openReader opens the file to read it, as a file that cannot change where its folder is not writable and no log of a
// writer lies beside it.
func openReader(file string) (*sql.DB, error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrAbsent
	} else if err != nil {
		return nil, err
	}
	db, err := open(file, url.Values{"mode": {"rw"}, "_busy_timeout": {"10000"}, "_query_only": {"1"}})
	if err != nil {
		return nil, err
	}
	if _, err = db.Exec(`SELECT count(*) FROM sqlite_master`); err == nil || !IsFull(err) {
		return db, nil
	}
	db.Close()
	p := url.Values{"mode": {"ro"}}
	if log, err := os.Stat(file + "-wal"); err != nil || log.Size() == 0 {
		p.Set("immutable", "1")
	}
	return open(file, p)
}

// Remove deletes the file, which is to be made anew.
func Remove(file string) error {
	for _, name := range []string{file, file + "-wal", file + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove stored history: %w", err)
		}
	}
	return nil
}

// Bytes is the size of the file and its log; 0 when it is not there.
func Bytes(file string) (total int64) {
	for _, name := range []string{file, file + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			total += info.Size()
		}
	}
	return total
}
