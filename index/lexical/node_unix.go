//go:build unix

package lexical

import (
	"io/fs"
	"syscall"
)

func nodeOf(info fs.FileInfo) node {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return node{uint64(s.Dev), uint64(s.Ino)} // the types differ between systems
	}
	return node{}
}
