package main

import (
	"os"
	"syscall"
)

// peakKiB is the largest resident size of an ended process.
func peakKiB(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss
	}
	return 0
}
