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
	"sync"
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
	// was paid for: the user removes it, by Discard or by hand.
	ErrCorrupt = errors.New("vector store corrupt")
	// ErrBusy means that another process is embedding into the set, or kept the store locked for longer than BusyTimeout.
	ErrBusy = errors.New("another embedding run is active")
	// ErrGone means that the file was removed or replaced while it was open: what is written to it would be lost.
	ErrGone = errors.New("vector store removed or replaced")
	// ErrStale means that the store has to be opened once more to see, or keep, what is new.
	ErrStale = errors.New("vector store opened on a full disk")
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

	noSpace func() error // stands in for the fault of a full disk in tests: asked before each connection that may write
}

// DefaultMaxQueries are 12 MB of 768 dimensions.
const DefaultMaxQueries = 4096

// Store is an open store. It is safe for concurrent use, also by several processes: writes wait for each other, reads wait
// for nothing.
type Store struct {
	dir, file string
	options   Options
	opened    os.FileInfo
	read      *sql.DB

	mu     sync.Mutex
	write  *sql.DB // one connection; nil when nothing can be written
	why    error   // of that: ErrReadOnly or ErrFull
	frozen bool    // the disk was full, and read takes the file for one that does not change: see stale
	ended  bool    // by a removal: the store has to be opened anew
}

// Open opens the store in a folder. The folder is made with mode 0700 and the file with 0600; a file that others may read
// becomes 0600. A store that can be read and not written, since the folder is closed or the disk full, opens all the same: see Writable.
func Open(dir string, o Options) (*Store, error) {
	s, err := unopened(dir, o)
	if err != nil {
		return nil, err
	}
	if err := s.open(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// unopened is the store of a folder with its options, before a file is touched.
func unopened(dir string, o Options) (*Store, error) {
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
	return &Store{dir: abs, file: filepath.Join(abs, FileName), options: o}, nil
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
	s.write, err = s.connectWriter()
	if refused(err) || isFull(err) {
		return s.openUnwritable(err)
	}
	if err != nil {
		return s.fault("open", err)
	}
	p := s.parameters()
	p.Set("_query_only", "1")
	if s.read, err = s.connect(p, max(2, min(runtime.GOMAXPROCS(0), 4))); err != nil {
		return s.fault("open", err)
	}
	return nil
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
	db, err := s.connect(p, 1)
	if err == nil {
		defer db.Close()
		empty, err = s.identify(db)
	}
	if n > 0 && (refused(err) || isFull(err)) { // openUnwritable will tell
		return false, nil
	}
	return empty, err
}

// identify says whether an open file is a store of this format, or empty.
func (s *Store) identify(db *sql.DB) (empty bool, err error) {
	var application, version, tables int64
	err = db.QueryRow(`SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version), count(*) FROM sqlite_master`).
		Scan(&application, &version, &tables)
	switch {
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
	l, err := s.lock(createLock, true)
	if err != nil {
		return err
	}
	defer l.release()
	if empty, err := s.probe(); err != nil || !empty {
		return err
	}
	p := s.parameters()
	p.Del("_journal_mode") // after the page size, or that is too late
	db, err := s.connect(p, 1)
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

// connect opens connections that may write, if only what SQLite itself keeps beside the file.
func (s *Store) connect(parameters url.Values, connections int) (*sql.DB, error) {
	if s.options.noSpace != nil {
		if err := s.options.noSpace(); err != nil {
			return nil, err
		}
	}
	return connect(s.file, parameters, connections)
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

// Check reports ErrGone when the file at the store's path is not the one that was opened, or a removal has closed the store, and
// ErrStale when it was opened on a full disk, and has changed or can be written since. What changes the store asks it first.
func (s *Store) Check() error {
	s.mu.Lock()
	ended := s.ended
	s.mu.Unlock()
	now, err := os.Stat(s.file)
	if err == nil && !ended && os.SameFile(s.opened, now) {
		if s.stale() {
			return fmt.Errorf("%w: %s", ErrStale, s.file)
		}
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
	s.mu.Lock()
	defer s.mu.Unlock()
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
	db, err := s.writer()
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := s.Check(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	tx, err := db.Begin()
	if err != nil {
		return s.fault(what, err)
	}
	defer tx.Rollback()
	if err := s.Check(); err != nil { // who removes the file holds the lock that was waited for
		return fmt.Errorf("%s: %w", what, err)
	}
	if err := do(tx); err != nil {
		return s.fault(what, err)
	}
	return s.fault(what, tx.Commit())
}
