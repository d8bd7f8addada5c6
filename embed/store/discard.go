package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A store that is to hold nothing any more goes as files: rows need space to be removed, and a damaged file may not let go of them. Nobody may
// be at work then: all locks of the folder are taken first, and where the store can be written at all, the lock of SQLite too. So no
// transaction of another process is under way, and the next one finds out by Check, after it has got that lock, before it writes. Who only
// has the store open goes on reading what it has until then.

// Discard removes a store whole with all its files, also one that Open refuses as damaged or as of another format; Pruned.Damaged says that what it
// held could not be counted. A folder without one is ErrAbsent, a file that is no store of this program ErrForeign, and where somebody is
// embedding ErrBusy; nothing goes then.
func Discard(ctx context.Context, dir string, o Options) (Pruned, error) {
	o.Create = false
	s, err := Open(dir, o)
	if err == nil {
		defer s.Close()
		return s.Purge(ctx, "", true)
	}
	if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrFormat) {
		return Pruned{}, err
	}
	if s, err = unopened(dir, o); err != nil {
		return Pruned{}, err
	}
	if foreign, err := s.ofAnother(); err != nil || foreign {
		return Pruned{}, errors.Join(err, fmt.Errorf("%w: %s is a database of something else", ErrForeign, s.file))
	}
	if s.opened, err = os.Stat(s.file); err != nil {
		return Pruned{}, s.fault("open", err)
	}
	locks, err := s.lockAll(nil)
	if err != nil {
		return Pruned{}, err
	}
	p := Pruned{Damaged: true, Bytes: s.Bytes()}
	p.Files, err = s.removeFiles(locks)
	return p, err
}

// ofAnother reports whether the head of the file names another program than this one. A head that names none, or that lacks the three bytes which
// the format of SQLite fixes, is what damage leaves.
func (s *Store) ofAnother() (bool, error) {
	f, err := os.Open(s.file)
	if err != nil {
		return false, s.fault("open", err)
	}
	defer f.Close()
	head := make([]byte, 72)
	if _, err := f.ReadAt(head, 0); err != nil {
		return false, nil // cut off
	}
	id := binary.BigEndian.Uint32(head[68:]) // application_id
	return string(head[21:24]) == "\x40\x20\x20" && id != 0 && id != applicationID, nil
}

// purgeAll removes the store whole.
func (s *Store) purgeAll(ctx context.Context) (Pruned, error) {
	if err := s.Writable(); errors.Is(err, ErrReadOnly) {
		return Pruned{}, fmt.Errorf("remove the vectors: %w", err)
	}
	locks, err := s.lockAll(nil)
	if err != nil {
		return Pruned{}, err
	}
	end, err := s.hold(ctx)
	if err != nil {
		releaseAll(locks)
		return Pruned{}, err
	}
	p, err := s.everything(ctx)
	if errors.Is(err, ErrCorrupt) {
		p, err = Pruned{Damaged: true}, nil
	}
	if err != nil {
		end()
		releaseAll(locks)
		return Pruned{}, err
	}
	p.Bytes = s.Bytes()
	p.Files, err = s.end(end, locks)
	return p, err
}

// dropIfEmpty removes the files of a store that holds neither a set nor an entry of the ledger; files is 0 where it does, or somebody is at
// work in the folder. those are the locks that the caller has.
func (s *Store) dropIfEmpty(ctx context.Context, those map[string]*held) (files int, err error) {
	locks, err := s.lockAll(those)
	if errors.Is(err, ErrBusy) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	end, err := s.hold(ctx)
	if err != nil {
		releaseAll(locks)
		if errors.Is(err, ErrBusy) {
			return 0, nil
		}
		return 0, err
	}
	var left int
	if !s.isEnded() { // else the caller knows
		err = s.read.QueryRowContext(ctx, leftQuery).Scan(&left)
	}
	if err != nil || left > 0 {
		end()
		releaseAll(locks)
		return 0, s.fault("read", err)
	}
	for name, l := range those {
		locks = append(locks, l)
		delete(those, name)
	}
	return s.end(end, locks)
}

// hold keeps all others from writing until end, where the store can be written at all: where it cannot, nobody can.
func (s *Store) hold(ctx context.Context) (end func(), err error) {
	db, err := s.writer()
	if err == nil {
		var tx *sql.Tx
		if tx, err = db.BeginTx(ctx, nil); err == nil {
			if err = s.Check(); err == nil {
				return func() { _ = tx.Rollback() }, nil
			}
			_ = tx.Rollback()
			return nil, err
		}
		err = s.fault("lock", err)
	}
	if Unwritable(err) || errors.Is(err, ErrCorrupt) || s.isEnded() {
		return func() {}, nil
	}
	return nil, err
}

// end closes the store, whose other users hold keeps away until unhold, and removes its files.
func (s *Store) end(unhold func(), locks []*held) (files int, err error) {
	closeAll := func() {
		unhold()
		_ = s.Close() // the file goes: what SQLite could not write into it is of no matter
	}
	if runtime.GOOS == "windows" { // which removes no file that is open
		closeAll()
	} else {
		defer closeAll()
	}
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	return s.removeFiles(locks)
}

func (s *Store) isEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// removeFiles removes what the folder holds of the store, and the locks last; it counts the files. The log goes before the file that it belongs
// to: beside a new one it would be taken for that one's.
func (s *Store) removeFiles(locks []*held) (files int, err error) {
	if now, err := os.Stat(s.file); err != nil || !os.SameFile(s.opened, now) {
		releaseAll(locks)
		return 0, fmt.Errorf("%w while it was open: %s", ErrGone, s.file)
	}
	paths := []string{s.file + "-wal", s.file + "-shm", s.file + "-journal", s.file}
	entries, _ := os.ReadDir(s.dir) // a log that stays is no reason to keep what was to go
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), logPrefix) && strings.HasSuffix(e.Name(), logSuffix) {
			paths = append(paths, filepath.Join(s.dir, e.Name()))
		}
	}
	for _, path := range paths {
		was, err := removeOne(path)
		if err != nil {
			releaseAll(locks)
			return files, s.fault("remove", err)
		}
		if was {
			files++
		}
	}
	for i := len(locks) - 1; i >= 0; i-- { // that of making the store is the first
		if locks[i].discard() == nil {
			files++
		}
	}
	return files, nil
}

func releaseAll(locks []*held) {
	for _, l := range locks {
		l.release()
	}
}
