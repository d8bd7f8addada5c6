//go:build linux || darwin

package doctor

import "golang.org/x/sys/unix"

// freeBytes is what this user may still write on the disk of a folder.
func freeBytes(folder string) (free uint64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
