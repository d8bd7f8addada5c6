package meta

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	sqlite "github.com/mattn/go-sqlite3"
)

// ErrCorrupt marks facts that cannot be read: the index has to be rebuilt.
var ErrCorrupt = errors.New("facts corrupt")

// ErrReadOnly means that the facts cannot be opened because their folder is not writable and their last writer did not
// finish: someone who may write the folder has to open them once.
var ErrReadOnly = errors.New("facts need a writable folder")

// fault gives an error of SQLite its kind.
func fault(do, file string, err error) error {
	if err == nil {
		return nil
	}
	var e sqlite.Error
	if errors.As(err, &e) && (e.Code == sqlite.ErrNotADB || e.Code == sqlite.ErrCorrupt || e.Code == sqlite.ErrSchema || missing(e) || unread(e)) {
		return fmt.Errorf("%w: %s %s: %w", ErrCorrupt, do, file, err)
	}
	return fmt.Errorf("%s %s: %w", do, file, err)
}

// missing reports a database without the tables that it should have, as an empty file is.
func missing(e sqlite.Error) bool {
	return e.Code == sqlite.ErrError && e.ExtendedCode == sqlite.ErrNoExtended(sqlite.ErrError)
}

// cutMemory is the error of a store whose shared memory was cut or removed.
func cutMemory(file string) error {
	return fmt.Errorf("%w: %s-shm was cut or removed", ErrCorrupt, file)
}

// unread reports a file that ends before what the engine knows to be in it, as a log does that was cut or removed, or that the
// system cannot read.
func unread(e sqlite.Error) bool {
	return e.ExtendedCode == sqlite.ErrIoErrShortRead || e.ExtendedCode == sqlite.ErrIoErrRead || e.Code == sqlite.ErrProtocol
}

// address is the URI of file with SQLite's own parameters and the driver's (those begin with "_").
func address(file string, parameters url.Values) (string, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: parameters.Encode()}).String(), nil
}

func open(file string, parameters url.Values) (*sql.DB, error) {
	uri, err := address(file, parameters)
	if err != nil {
		return nil, err
	}
	guard()
	db, err := sql.Open("sqlite3", uri)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // one connection: a transaction spans calls
	return db, nil
}

// openForReading picks the way to open file: as usual where the folder can be written, since readers share memory in a
// file beside it; else as a file that cannot change, which is right when no unfinished log lies beside it.
func openForReading(file string) (*sql.DB, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fmt.Errorf("open facts: %w", err)
	}
	if info.Size() == 0 { // with a log beside it the engine would wait for the locks of those who read what is gone
		return nil, fmt.Errorf("%w: %s is empty", ErrCorrupt, file)
	}
	p := url.Values{"_busy_timeout": {"10000"}, "mode": {"rw"}, "_query_only": {"1"}}
	if !writable(filepath.Dir(file)) || !writable(file) {
		p.Set("mode", "ro")
		log, err := os.Stat(file + "-wal")
		switch {
		case err == nil && log.Size() > 0:
			if _, err := os.Stat(file + "-shm"); errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("%w: %s", ErrReadOnly, filepath.Dir(file))
			}
		default:
			p.Set("immutable", "1")
		}
	}
	return open(file, p)
}

// IsFull reports that SQLite could not write for want of space or rights.
func IsFull(err error) bool {
	var e sqlite.Error
	return errors.As(err, &e) && (e.Code == sqlite.ErrFull || e.Code == sqlite.ErrReadonly || e.Code == sqlite.ErrCantOpen || e.Code == sqlite.ErrPerm)
}
