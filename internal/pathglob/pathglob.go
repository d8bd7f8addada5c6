// Package pathglob is what patterns of paths mean wherever they are given: globs with **, relative to the root, where what names a
// folder means all below it. Which patterns are refused is said by who takes them.
package pathglob

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Base is a pattern without a leading "./" and without what stands for "and all below": "./src/**" is "src".
func Base(pattern string) string {
	for strings.HasPrefix(pattern, "./") {
		pattern = strings.TrimLeft(pattern[2:], "/")
	}
	for {
		cut := strings.TrimRight(strings.TrimSuffix(pattern, "/**"), "/")
		if cut == pattern {
			return pattern
		}
		pattern = cut
	}
}

// Spells reports whether a path is the one that base spells, or lies below it.
func Spells(base, file string) bool {
	return file == base || len(file) > len(base) && file[len(base)] == '/' && file[:len(base)] == base
}

// Matches reports whether a path, or a folder that it lies below, matches a valid glob.
func Matches(glob, file string) bool {
	return doublestar.MatchUnvalidated(glob, file) || doublestar.MatchUnvalidated(glob+"/**", file)
}
