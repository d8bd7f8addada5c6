package scan

import (
	"io/fs"
	"syscall"
)

// openFlags keep an open from waiting for the other end of a pipe that took a file's place.
const openFlags = syscall.O_NONBLOCK

func changeNS(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano()
	}
	return 0
}
