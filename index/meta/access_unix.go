//go:build unix

package meta

import "golang.org/x/sys/unix"

// writable reports whether the process may write the file or folder.
func writable(path string) bool { return unix.Access(path, unix.W_OK) == nil }
