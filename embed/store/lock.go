package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Names of locks: files in the folder of the store. Their last holder may have removed them.
const (
	createLock  = "create" // who makes the store
	setPrefix   = "set-"   // and a key: who embeds into a set, or runs for a repository
	startPrefix = "start-" // and a key: who is about to start a run
	lockSuffix  = ".lock"
)

// Lock makes the caller the one that embeds into the set, until release. Another one that does already is ErrBusy, whose text
// names it. The system drops the lock of a process that dies.
func (s *Store) Lock(key string) (release func(), err error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	if err := s.Writable(); errors.Is(err, ErrReadOnly) { // on a full disk there may be room for an empty file
		return nil, fmt.Errorf("lock a set of vectors: %w", err)
	}
	l, err := s.lock(setPrefix+key, false)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}

// Starting waits until nobody else is about to start a run with a key, and keeps others waiting until release. Who starts runs looks with it
// whether one is active, and holds it until its own is.
func (s *Store) Starting(key string) (release func(), err error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	l, err := s.lock(startPrefix+key, true)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}

// held is a lock that this process has.
type held struct {
	path string
	lock *flock.Flock
}

func (h *held) release() {
	_ = os.Truncate(h.path, 0)
	_ = h.lock.Close()
}

// discard gives the lock up and removes its file: who waits for it finds out and makes another.
func (h *held) discard() error {
	err := os.Remove(h.path)
	closed := h.lock.Close()
	if err != nil { // a system that does not remove what is open
		err = os.Remove(h.path)
	}
	return errors.Join(err, closed)
}

func (s *Store) lock(name string, wait bool) (*held, error) {
	path := filepath.Join(s.dir, name+lockSuffix)
	for {
		l := flock.New(path, flock.SetPermissions(0o600))
		got, err := wait, error(nil)
		if wait {
			err = l.Lock()
		} else {
			got, err = l.TryLock()
		}
		if err != nil {
			l.Close()
			return nil, s.unwritable(err)
		}
		if !got {
			l.Close()
			return nil, fmt.Errorf("%w: %s", ErrBusy, lockOwner(path))
		}
		if !isAt(l, path) { // removed by who had it
			l.Close()
			continue
		}
		// Only told to people: a note that cannot be written makes the lock no weaker.
		_ = os.WriteFile(path, fmt.Appendf(nil, "process %d since %s\n", os.Getpid(), s.options.Now().Format(time.RFC3339)), 0o600)
		return &held{path, l}, nil
	}
}

// isAt reports whether the file of a lock is the one at its path.
func isAt(l *flock.Flock, path string) bool {
	mine, err1 := l.Stat()
	now, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(mine, now)
}

// lockAll takes all locks of the folder, that of making the store first: nobody embeds, starts a run or makes the store then. those are held
// already, by their names. Another holder of any is ErrBusy, and then nothing more than before is held.
func (s *Store) lockAll(those map[string]*held) (all []*held, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, s.unwritable(err)
	}
	names := []string{createLock}
	for _, e := range entries {
		name, isLock := strings.CutSuffix(e.Name(), lockSuffix)
		if isLock && (strings.HasPrefix(name, setPrefix) || strings.HasPrefix(name, startPrefix)) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if those[name] != nil {
			continue
		}
		l, err := s.lock(name, false)
		if err != nil {
			releaseAll(all)
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// Running names the process that is embedding into the set, "" when none is.
func (s *Store) Running(key string) string {
	path := filepath.Join(s.dir, setPrefix+key+lockSuffix)
	if _, err := os.Stat(path); err != nil || checkKey(key) != nil {
		return ""
	}
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer l.Close()
	if got, err := l.TryRLock(); err != nil || got {
		return ""
	}
	return lockOwner(path)
}

func lockOwner(path string) string {
	b, _ := os.ReadFile(path)
	if owner := strings.TrimSpace(string(b)); owner != "" {
		return owner
	}
	return "another process"
}

// LogName is the name of the file, in the folder of the store, that a run in the background with a key of Lock writes. It goes with the store.
func LogName(key string) string { return logPrefix + key[:min(16, len(key))] + logSuffix }

const logPrefix, logSuffix = "run-", ".log"

// removeOne removes a file and reports whether it was there.
func removeOne(path string) (was bool, err error) {
	switch err := os.Remove(path); {
	case err == nil:
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	default:
		return false, err
	}
}
