package graph

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"agenvantage"
)

// What a file's links depend on is told by keys. The rule of an update is: a file is resolved again when it changed, or
// when one of its DependsOn is among the keys of ChangedKeys over all files that were added, changed or removed. Then the
// links of every file are those of a fresh build. The keys are
//
//	n:NAME     the set of definitions with a simple name: their files, kinds, qualified names
//	t:NAME     the set of members of the types with a simple name
//	f:PATH     all that other files can read of one file: not its comments, its lines, or what its functions do inside
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
// reads all of x but its chunks and comments. Text is looked at for manifests only and may be "" for others.
func Provides(file string, x *agenvantage.Extraction, text string) []string {
	dir, base := dirOf(file), path.Base(file)
	out := []string{fileKey + file + "\x00" + interfaceOf(x), pathKey + file + "\x00", dirKey + dir + "\x00" + base + "\x00" + x.Package, baseKey + base + "\x00" + file}
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

// interfaceOf is a fingerprint of what newUnit keeps of a file, but for lines and for the local names of functions whose
// result is written in their signature: nobody else can see those.
func interfaceOf(x *agenvantage.Extraction) string {
	h := xxh3.New()
	put := func(parts ...string) {
		for _, p := range parts {
			_, _ = h.WriteString(strconv.Itoa(len(p)))
			_, _ = h.WriteString(p)
		}
	}
	seen := map[int]bool{-1: true} // symbols whose local names can be read from outside
	put(x.Package)
	for i, s := range x.Symbols {
		put(s.Name, s.Qualified, string(s.Kind), s.Signature, s.Visibility, strconv.Itoa(s.Parent), s.Lang, s.Type, s.Value)
		seen[i] = s.Value != "" || isClass(s.Kind)
	}
	for _, i := range x.Imports {
		put(i.Path, i.Name, i.Alias, strconv.Itoa(i.From), strconv.FormatBool(i.Exported))
	}
	for _, b := range x.Bindings {
		if b.Attribute || seen[b.Symbol] {
			put(b.Name, b.Type, b.Value, strconv.Itoa(b.Symbol), strconv.FormatBool(b.Attribute))
		}
		if b.Attribute && b.Head > 0 && b.Head < len(x.Bindings) { // an attribute that is given a local name
			head := x.Bindings[b.Head]
			put(head.Name, head.Type, head.Value)
		}
	}
	for _, r := range x.References {
		if r.From < 0 || r.From >= len(x.Symbols) {
			continue
		}
		decorates := r.Kind == agenvantage.RefCall && r.Line < x.Symbols[r.From].NameLine
		if decorates || r.Kind == agenvantage.RefInherit || r.Kind == agenvantage.RefImplements {
			put(string(r.Kind), r.Name, strconv.Itoa(r.From))
		}
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// FileKey is the key of all that other files can read of a file.
func FileKey(file string) string { return fileKey + file }

// ChangedKeys lists the keys that differ between what one file provided before and provides now, sorted. A file that was
// added provided nothing before, one that was removed provides nothing now.
func ChangedKeys(before, now []string) []string {
	var keys []string
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
