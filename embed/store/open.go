package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	sqlite "github.com/mattn/go-sqlite3"

	"agenvantage/embed"
)

// FileName is the name of the store in its folder. SQLite keeps files named after it beside it, and each set's runs a lock.
const FileName = "vectors.db"

// Errors that callers branch on.
var (
	// ErrAbsent means that there is no store yet.
	ErrAbsent = errors.New("no vector store")
	// ErrForeign marks a file that is not a store of this program. It is left as it is.
	ErrForeign = errors.New("not a vector store")
	// ErrFormat marks a store of another version of this program. It is left as it is.
	ErrFormat = errors.New("vector store of another format")
	// ErrCorrupt marks a store that cannot be read any more. It is never repaired or removed on its own, since what it holds
	// was paid for: the user removes the file.
	ErrCorrupt = errors.New("vector store corrupt")
	// ErrBusy means that another process is embedding into the set, or kept the store locked for longer than BusyTimeout.
	ErrBusy = errors.New("another embedding run is active")
	// ErrGone means that the file was removed or replaced while it was open: what is written to it would be lost.
	ErrGone = errors.New("vector store removed or replaced")
	// ErrFull means that the disk, or the user's share of it, is full.
	ErrFull = errors.New("no space left for vectors")
	// ErrReadOnly means that the folder cannot be written.
	ErrReadOnly = errors.New("vector store not writable")
)

// Options of Open.
type Options struct {
	// Create makes the folder and the store when they are not there; without it that is ErrAbsent.
	Create bool
	// MaxQueries bounds the stored vectors of questions; 0 means DefaultMaxQueries.
	MaxQueries int
	// BusyTimeout is how long a write waits for that of another process; 0 means 10 seconds.
	BusyTimeout time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// DefaultMaxQueries are 12 MB of 768 dimensions.
const DefaultMaxQueries = 4096

// Store is an open store. It is safe for concurrent use, also by several processes: writes wait for each other, reads wait
// for nothing.
type Store struct {
	dir, file string
	options   Options
	opened    os.FileInfo
	write     *sql.DB // one connection; nil when the folder cannot be written
	read      *sql.DB
}

// Open opens the store in a folder. The folder is made with mode 0700 and the file with 0600; a file that others may read
// becomes 0600.
func Open(dir string, o Options) (*Store, error) {
	if o.MaxQueries <= 0 {
		o.MaxQueries = DefaultMaxQueries
	}
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = 10 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open vector store %s: %w", dir, err)
	}
	s := &Store{dir: abs, file: filepath.Join(abs, FileName), options: o}
	if err := s.open(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) open() error {
	if err := s.makeFile(); err != nil {
		return err
	}
	empty, err := s.probe()
	if err != nil {
		return err
	}
	if empty {
		if err := s.create(); err != nil {
			return err
		}
	}
	if s.opened, err = os.Stat(s.file); err != nil {
		return fmt.Errorf("open vector store: %w", err)
	}
	s.write, err = connect(s.file, s.parameters(), 1)
	if err == nil {
		_, err = s.write.Exec(`UPDATE sets SET version = version WHERE 0`) // takes the rights and the lock that writing takes
	}
	if refused(err) {
		s.write.Close()
		s.write = nil
		return s.openUnwritable()
	}
	if err != nil {
		return s.fault("open", err)
	}
	p := s.parameters()
	p.Set("_query_only", "1")
	if s.read, err = connect(s.file, p, max(2, min(runtime.GOMAXPROCS(0), 4))); err != nil {
		return s.fault("open", err)
	}
	return nil
}

// openUnwritable opens the file as one that cannot change, which is right when no unfinished log lies beside it.
func (s *Store) openUnwritable() (err error) {
	p := url.Values{"mode": {"ro"}}
	if log, err := os.Stat(s.file + "-wal"); err != nil || log.Size() == 0 {
		p.Set("immutable", "1")
	}
	if s.read, err = connect(s.file, p, 2); err == nil {
		err = s.read.Ping()
	}
	return s.fault("open", err)
}

// makeFile makes the file, empty, where it is missing and may be made.
func (s *Store) makeFile() error {
	info, err := os.Stat(s.file)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is no regular file", ErrForeign, s.file)
	case err == nil:
		if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			if err := os.Chmod(s.file, 0o600); err != nil && !errors.Is(err, fs.ErrPermission) && !strings.Contains(err.Error(), "read-only") {
				return fmt.Errorf("open vector store: %w", err)
			}
		}
		return nil
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%w: %s is no folder", ErrReadOnly, s.dir)
	case !errors.Is(err, fs.ErrNotExist):
		return s.fault("open", err)
	case !s.options.Create:
		return fmt.Errorf("%w: %s", ErrAbsent, s.file)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return s.unwritable(err)
	}
	f, err := os.OpenFile(s.file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return nil
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return s.unwritable(err)
	}
	return nil
}

// unwritable is the error of a file or folder that cannot be made.
func (s *Store) unwritable(err error) error {
	if isFull(err) {
		return s.fault("make", err)
	}
	return fmt.Errorf("%w: %w", ErrReadOnly, err)
}

// probe looks at the file without changing it: whether it is a store, or empty.
func (s *Store) probe() (empty bool, err error) {
	magic := make([]byte, 16)
	f, err := os.Open(s.file)
	if err != nil {
		return false, fmt.Errorf("open vector store: %w", err)
	}
	n, err := io.ReadFull(f, magic)
	f.Close()
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, fmt.Errorf("open vector store: %w", err)
	}
	if n > 0 && string(magic[:n]) != "SQLite format 3\x00" {
		return false, fmt.Errorf("%w: %s is no database", ErrForeign, s.file)
	}
	p := s.parameters()
	p.Del("_journal_mode")
	p.Set("_query_only", "1")
	db, err := connect(s.file, p, 1)
	if err != nil {
		return false, s.fault("open", err)
	}
	defer db.Close()
	var application, version, tables int64
	err = db.QueryRow(`SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), count(*) FROM sqlite_master`).
		Scan(&application, &version, &tables)
	switch {
	case refused(err) && n > 0: // a folder that cannot be written: openUnwritable will tell
		return false, nil
	case err != nil:
		return false, s.fault("open", err)
	case application == 0 && tables == 0:
		return true, nil
	case application != applicationID:
		return false, fmt.Errorf("%w: %s is a database of something else", ErrForeign, s.file)
	case version != format:
		return false, fmt.Errorf("%w: %s has format %d, this program reads %d", ErrFormat, s.file, version, format)
	}
	return false, nil
}

// create fills an empty file, once for all processes that try.
func (s *Store) create() error {
	release, err := s.lock("create", true)
	if err != nil {
		return err
	}
	defer release()
	if empty, err := s.probe(); err != nil || !empty {
		return err
	}
	p := s.parameters()
	p.Del("_journal_mode") // after the page size, or that is too late
	db, err := connect(s.file, p, 1)
	if err != nil {
		return s.fault("create", err)
	}
	defer db.Close()
	if _, err := db.Exec(fmt.Sprintf(`PRAGMA page_size = %d; PRAGMA journal_mode = WAL`, pageBytes)); err != nil {
		return s.fault("create", err)
	}
	tx, err := db.Begin()
	if err != nil {
		return s.fault("create", err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec(schema + fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, applicationID, format)); err != nil {
		return s.fault("create", err)
	}
	return s.fault("create", tx.Commit())
}

// parameters are SQLite's own and the driver's (those begin with "_"). FULL: what is committed was paid for and survives a
// failing system; what is about to be sent is on record before.
func (s *Store) parameters() url.Values {
	return url.Values{"mode": {"rw"}, "_busy_timeout": {fmt.Sprint(s.options.BusyTimeout.Milliseconds())}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_txlock": {"immediate"},
		"_stmt_cache_size": {"32"}}
}

func connect(file string, parameters url.Values, connections int) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", (&url.URL{Scheme: "file", Path: filepath.ToSlash(file), RawQuery: parameters.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	return db, nil
}

// refused reports that the system does not let SQLite write.
func refused(err error) bool {
	var e sqlite.Error
	return errors.As(err, &e) && (e.Code == sqlite.ErrReadonly || e.Code == sqlite.ErrCantOpen || e.Code == sqlite.ErrPerm)
}

// isFull reports that the system had no space: SQLite says so, or that it could not write, with the cause beside it.
func isFull(err error) bool {
	var e sqlite.Error
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		errors.As(err, &e) && (e.Code == sqlite.ErrFull || e.Code == sqlite.ErrIoErr && (e.SystemErrno == syscall.ENOSPC || e.SystemErrno == syscall.EDQUOT))
}

// fault gives an error of SQLite its kind.
func (s *Store) fault(do string, err error) error {
	var e sqlite.Error
	kind := error(nil)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, embed.ErrModelChanged): // no fault of the file
		return err
	case errors.Is(err, ErrCorrupt), errors.Is(err, ErrReadOnly):
	case isFull(err):
		kind = ErrFull
	case errors.Is(err, fs.ErrPermission):
		kind = ErrReadOnly
	case !errors.As(err, &e):
	case e.Code == sqlite.ErrNotADB, e.Code == sqlite.ErrCorrupt, e.Code == sqlite.ErrError && strings.HasPrefix(e.Error(), "no such "):
		kind = ErrCorrupt
	case e.Code == sqlite.ErrBusy, e.Code == sqlite.ErrLocked:
		kind = ErrBusy
	case refused(err):
		kind = ErrReadOnly
	}
	if kind != nil {
		return fmt.Errorf("%w: %s %s: %w", kind, do, s.file, err)
	}
	return fmt.Errorf("%s vector store %s: %w", do, s.file, err)
}

// Check reports ErrGone when the file at the store's path is not the one that was opened. What changes the store asks it first.
func (s *Store) Check() error {
	now, err := os.Stat(s.file)
	if err == nil && os.SameFile(s.opened, now) {
		return nil
	}
	return fmt.Errorf("%w while it was open: %s", ErrGone, s.file)
}

// File is the path of the store.
func (s *Store) File() string { return s.file }

// Bytes is the size of the file with its log.
func (s *Store) Bytes() (total int64) {
	for _, name := range []string{s.file, s.file + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			total += info.Size()
		}
	}
	return total
}

// Close releases the files.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} { // the writer last: it moves the log into the file
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// change runs do in one transaction.
func (s *Store) change(what string, do func(tx *sql.Tx) error) error {
	if s.write == nil {
		return fmt.Errorf("%s: %w: %s", what, ErrReadOnly, s.dir)
	}
	if err := s.Check(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	tx, err := s.write.Begin()
	if err != nil {
		return s.fault(what, err)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return s.fault(what, err)
	}
	return s.fault(what, tx.Commit())
}
