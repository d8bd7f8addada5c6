package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// tmpfs is a disk of so many bytes. Where none can be mounted the test is skipped; the stand-in is there everywhere.
func tmpfs(t *testing.T, bytes int) disk {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprint("size=", bytes)); err != nil {
		t.Skipf("no file system of its own can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	filler := filepath.Join(dir, "filler")
	return disk{filepath.Join(dir, "vectors"), Options{BusyTimeout: 50 * time.Millisecond}, func() {
		f, err := os.Create(filler)
		must(t, err)
		defer f.Close()
		for b := make([]byte, 4096); err == nil; {
			_, err = f.Write(b)
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}, func() { must(t, os.Remove(filler)) }}
}
