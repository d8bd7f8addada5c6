//go:build !linux

package main

import "os"

// peakKiB is 0 where the unit of the system's figure is not kibibytes.
func peakKiB(*os.ProcessState) int64 { return 0 }
