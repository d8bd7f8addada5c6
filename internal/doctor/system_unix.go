//go:build unix

package doctor

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// mayWrite asks the system whether this process may make files in a folder.
func mayWrite(folder string) bool { return unix.Access(folder, unix.W_OK|unix.X_OK) == nil }

// othersMayWrite reports that everybody may put files into a folder, its sticky bit notwithstanding: that one protects what is
// there and not what is not.
func othersMayWrite(info fs.FileInfo) bool { return info.Mode().Perm()&0o002 != 0 }

func isExecutable(info fs.FileInfo) bool { return info.Mode().Perm()&0o111 != 0 }
