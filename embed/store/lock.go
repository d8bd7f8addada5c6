package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Lock makes the caller the one that embeds into the set, until release. Another one that does already is ErrBusy, whose text
// names it. The system drops the lock of a process that dies.
func (s *Store) Lock(key string) (release func(), err error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	if s.write == nil {
		return nil, fmt.Errorf("lock a set of vectors: %w: %s", ErrReadOnly, s.dir)
	}
	return s.lock("set-"+key, false)
}

// Starting waits until nobody else is about to start a run with a key, and keeps others waiting until release. Who starts runs looks with it
// whether one is active, and holds it until its own is.
func (s *Store) Starting(key string) (release func(), err error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return s.lock("start-"+key, true)
}

func (s *Store) lock(name string, wait bool) (release func(), err error) {
	path := filepath.Join(s.dir, name+".lock")
	l := flock.New(path, flock.SetPermissions(0o600))
	got := wait
	if wait {
		err = l.Lock()
	} else {
		got, err = l.TryLock()
	}
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	if !got {
		l.Close()
		return nil, fmt.Errorf("%w: %s", ErrBusy, lockOwner(path))
	}
	// Only told to people: a note that cannot be written makes the lock no weaker.
	_ = os.WriteFile(path, fmt.Appendf(nil, "process %d since %s\n", os.Getpid(), s.options.Now().Format(time.RFC3339)), 0o600)
	return func() {
		_ = os.Truncate(path, 0)
		_ = l.Close()
	}, nil
}

// Running names the process that is embedding into the set, "" when none is.
func (s *Store) Running(key string) string {
	path := filepath.Join(s.dir, "set-"+key+".lock")
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
