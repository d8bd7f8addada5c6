package graph

import (
	"path"
	"slices"
	"strings"

	"agenvantage"
)

// What a file's links depend on is told by keys. The rule of an update is: a file is resolved again when it changed, or
// when one of its DependsOn is among the keys of ChangedKeys over all files that were added, changed or removed. Then the
// links of every file are those of a fresh build. The keys are
//
//	n:NAME     the set of definitions with a simple name: their files, kinds, qualified names
//	t:NAME     the set of members of the types with a simple name
//	f:PATH     everything in one file
//	p:PATH     whether a path exists
//	d:FOLDER   which files lie directly in a folder, and their packages
//	b:BASE     which files have a base name
//	m:FAMILY   the manifests that say where modules of a language family are
const (
	nameKey     = "n:"
	memberKey   = "t:"
	fileKey     = "f:"
	pathKey     = "p:"
	dirKey      = "d:"
	baseKey     = "b:"
	manifestKey = "m:"
)

// Provides lists what a file offers to the links of others, sorted: keys, each with a fingerprint behind a zero byte. It
// reads the path, the package and the symbols of x alone. Text is looked at for manifests only and may be "" for others.
func Provides(file string, x *agenvantage.Extraction, text string) []string {
	dir, base := dirOf(file), path.Base(file)
	out := []string{pathKey + file + "\x00", dirKey + dir + "\x00" + base + "\x00" + x.Package, baseKey + base + "\x00" + file}
	for i := range x.Symbols {
		s := &x.Symbols[i]
		parent := ""
		if s.Parent >= 0 && s.Parent < len(x.Symbols) {
			parent = string(x.Symbols[s.Parent].Kind)
		}
		print := strings.Join([]string{file, x.Package, s.Qualified, string(s.Kind), parent}, "\x00")
		out = append(out, nameKey+s.Name+"\x00"+print)
		if owner := ownerOf(s); owner != "" {
			out = append(out, memberKey+owner+"\x00"+print)
		}
	}
	if family := manifestFamily(file); family != "" {
		out = append(out, manifestKey+family+"\x00"+file+"\x00"+text)
	}
	slices.Sort(out)
	return out
}

// ownerOf is the simple name of the type that a member's qualified name begins with, "" at the top level.
func ownerOf(s *agenvantage.Symbol) string {
	head := strings.TrimSuffix(strings.TrimSuffix(s.Qualified, s.Name), ".")
	return head[strings.LastIndexByte(head, '.')+1:]
}

// ChangedKeys lists the keys that differ between what one file provided before and provides now, sorted, and that of the
// file itself. A file that was added provided nothing before, one that was removed provides nothing now.
func ChangedKeys(file string, before, now []string) []string {
	keys := []string{fileKey + file}
	add := func(item string) {
		key, _, _ := strings.Cut(item, "\x00")
		keys = append(keys, key)
	}
	for i, k := 0, 0; i < len(before) || k < len(now); {
		switch {
		case k == len(now) || i < len(before) && before[i] < now[k]:
			add(before[i])
			i++
		case i == len(before) || now[k] < before[i]:
			add(now[k])
			k++
		default:
			i++
			k++
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Stale reports whether links that depend on keys (sorted) are stale after changes (sorted).
func Stale(dependsOn, changed []string) bool {
	if len(changed) < len(dependsOn) {
		dependsOn, changed = changed, dependsOn
	}
	for _, k := range dependsOn {
		if _, ok := slices.BinarySearch(changed, k); ok {
			return true
		}
	}
	return false
}
