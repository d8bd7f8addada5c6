package store

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
)

// Unwritable reports whether an error means that the store takes nothing new, while what it holds can be read.
func Unwritable(err error) bool { return errors.Is(err, ErrReadOnly) || errors.Is(err, ErrFull) }

// Writable is nil where the store could be opened for writing, else why not: ErrReadOnly or ErrFull.
func (s *Store) Writable() error {
	_, err := s.writer()
	return err
}

// writer is the connection that writes, or why there is none.
func (s *Store) writer() (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended:
		return nil, fmt.Errorf("%w while it was open: %s", ErrGone, s.file)
	case s.write == nil:
		return nil, s.why
	}
	return s.write, nil
}

// connectWriter opens the connection that writes, and sees that it may: the statement takes the rights and the lock that writing takes.
func (s *Store) connectWriter() (*sql.DB, error) {
	db, err := s.connect(s.parameters(), 1)
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec(`UPDATE sets SET version = version WHERE 0`); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// openUnwritable opens the store for reading alone; cause is what stood against writing. Where no unfinished log lies beside the file it is opened
// as one that cannot change, for which SQLite needs nothing beside it: stale tells when it has. With such a log SQLite wants an index of it in
// a file, which takes space; where that one is empty and may not be written it makes its own in memory.
func (s *Store) openUnwritable(cause error) (err error) {
	p := url.Values{"mode": {"ro"}}
	s.why = fmt.Errorf("%w: %s", ErrReadOnly, s.dir)
	if isFull(cause) {
		s.why = s.fault("open", cause)
	}
	switch log, err := os.Stat(s.file + "-wal"); {
	case err != nil || log.Size() == 0:
		p.Set("immutable", "1")
		s.frozen = isFull(cause)
	case isFull(cause):
		if f, err := os.OpenFile(s.file+"-shm", os.O_CREATE|os.O_RDONLY, 0o600); err == nil {
			f.Close()
			p.Set("readonly_shm", "1")
		}
	}
	if s.read, err = connect(s.file, p, 2); err != nil {
		return s.fault("open", err)
	}
	empty, err := s.identify(s.read)
	if err == nil && empty { // its making was broken off; the next one who can write goes on
		return s.why
	}
	return err
}

// stale reports whether a store that a full disk keeps from being written has been changed by another process, or there is room by now.
func (s *Store) stale() bool {
	if !s.frozen {
		return false
	}
	now, err := os.Stat(s.file)
	if err != nil || now.Size() != s.opened.Size() || !now.ModTime().Equal(s.opened.ModTime()) {
		return true
	}
	if log, err := os.Stat(s.file + "-wal"); err == nil && log.Size() > 0 {
		return true
	}
	return s.hasRoom()
}

// roomBytes is what opening for writing takes, and some.
const roomBytes = 64 << 10

// hasRoom tries whether the disk has space, with a file that does not stay.
func (s *Store) hasRoom() bool {
	if s.options.noSpace != nil {
		return s.options.noSpace() == nil
	}
	f, err := os.CreateTemp(s.dir, "room-")
	if err != nil {
		return false
	}
	_, err = f.Write(make([]byte, roomBytes))
	return errors.Join(err, f.Close(), os.Remove(f.Name())) == nil
}
