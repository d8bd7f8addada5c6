//go:build !linux

package store

import "testing"

// tmpfs skips the test: the stand-in is there everywhere.
func tmpfs(t *testing.T, bytes int) disk {
	t.Helper()
	t.Skipf("no file system of %d bytes can be mounted here", bytes)
	return disk{}
}
