package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agenvantage"

	"github.com/gofrs/flock"
)

const lockFile = "lock"

// lockPoll is how often a waiting writer tries again.
const lockPoll = 50 * time.Millisecond

// lock waits until this process is the one writer of the folder. The system drops the lock of a process that dies,
// whatever the file says. wait is told once who the owner is. When ctx ends first the error wraps ErrBusy and ctx's.
func lock(ctx context.Context, dir string, wait func(owner string)) (release func(), err error) {
	path := filepath.Join(dir, lockFile)
	told := false
	for {
		l := flock.New(path, flock.SetPermissions(0o644))
		got, err := l.TryLock()
		if err != nil {
			l.Close()
			return nil, notWritable(dir, err)
		}
		if got && sameFile(l, path) {
			note := fmt.Sprintf("process %d since %s\n", os.Getpid(), time.Now().Format(time.RFC3339))
			if err := os.WriteFile(path, []byte(note), 0o644); err != nil {
				l.Close()
				return nil, notWritable(dir, err)
			}
			return func() {
				_ = os.Truncate(path, 0)
				_ = l.Close()
			}, nil
		}
		l.Close()
		if !told && wait != nil {
			told = true
			wait(lockOwner(dir))
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w (%s): %w", agenvantage.ErrBusy, lockOwner(dir), ctx.Err())
		case <-time.After(lockPoll):
		}
	}
}

// sameFile reports that the locked file is still the one at path: someone may have removed the folder meanwhile.
func sameFile(l *flock.Flock, path string) bool {
	locked, err := l.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(locked, named)
}

func lockOwner(dir string) string {
	b, _ := os.ReadFile(filepath.Join(dir, lockFile))
	if owner := strings.TrimSpace(string(b)); owner != "" {
		return owner
	}
	return "another process"
}

// Writer names the process that is writing the index at this moment, "" when none is.
func (ix *Index) Writer() string {
	if _, err := os.Stat(filepath.Join(ix.dir, lockFile)); err != nil {
		return ""
	}
	l := flock.New(filepath.Join(ix.dir, lockFile), flock.SetFlag(os.O_RDONLY))
	defer l.Close()
	if got, err := l.TryRLock(); err != nil || got {
		return ""
	}
	return lockOwner(ix.dir)
}
