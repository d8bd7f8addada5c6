package watch

import "golang.org/x/sys/unix"

// remoteFileSystem names the file system of a folder when its events cannot be trusted: one that is not local.
func remoteFileSystem(folder string) (name string, remote bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil || s.Flags&unix.MNT_LOCAL != 0 {
		return "", false
	}
	return unix.ByteSliceToString(s.Fstypename[:]), true
}
