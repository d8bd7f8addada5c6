package main

import (
	"fmt"
	"strconv"
	"strings"

	see "agenvantage/internal/visible"
)

// visible shows text on one line of a terminal.
func visible(s string) string { return see.Escape(s, see.Hidden) }

// visiblePath is visible in quotes when it had to escape something, so that it is never taken for a name that holds a
// backslash.
func visiblePath(path string) string {
	if !see.Needs(path, see.Hidden) && !strings.HasPrefix(path, `"`) {
		return path
	}
	return `"` + strings.ReplaceAll(visible(strings.ReplaceAll(path, `\`, `\\`)), `"`, `\"`) + `"`
}

// bytesText is a number of bytes for people.
func bytesText(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	default:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	}
}
