package scan

import (
	"fmt"
	"strings"
)

// An ignoreRule is one line of an ignore file.
type ignoreRule struct {
	pattern  string // without "!", a leading "/" and a trailing "/"
	source   string // the file, relative to the root where it lies in it
	line     int    // 1-based
	text     string // the line as written
	negated  bool
	dirOnly  bool
	baseOnly bool // no slash inside: matched against the last name only
	literal  bool // no wildcard at all
}

func (r *ignoreRule) String() string { return fmt.Sprintf("%s:%d: %s", r.source, r.line, r.text) }

// parseIgnoreFile reads the rules of one ignore file. source names it in messages.
func parseIgnoreFile(content []byte, source string) []ignoreRule {
	text := strings.TrimPrefix(string(content), "\ufeff")
	var rules []ignoreRule
	line := 0
	for len(text) > 0 {
		row, rest, _ := strings.Cut(text, "\n")
		text = rest
		line++
		if r, ok := parseIgnoreRule(strings.TrimSuffix(row, "\r")); ok {
			r.source, r.line = source, line
			rules = append(rules, r)
		}
	}
	return rules
}

func parseIgnoreRule(row string) (ignoreRule, bool) {
	if row == "" || row[0] == '#' {
		return ignoreRule{}, false
	}
	row, _, _ = strings.Cut(row, "\x00")
	row = trimTrailingSpaces(row)
	r := ignoreRule{text: row}
	p := row
	if strings.HasPrefix(p, "!") {
		r.negated = true
		p = p[1:]
	}
	if strings.HasSuffix(p, "/") {
		r.dirOnly = true
		p = p[:len(p)-1]
	}
	r.baseOnly = !strings.Contains(p, "/")
	r.pattern = strings.TrimPrefix(p, "/")
	r.literal = !strings.ContainsAny(r.pattern, `*?[\`)
	return r, r.pattern != ""
}

// trimTrailingSpaces cuts spaces at the end of a rule unless a backslash protects them.
func trimTrailingSpaces(row string) string {
	keep := 0
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case ' ':
			continue
		case '\\':
			i++
			if i >= len(row) {
				return row
			}
		}
		keep = i + 1
	}
	return row[:keep]
}

// matches reports whether the rule matches path, relative to the folder of the rule's file.
func (r *ignoreRule) matches(path string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	if r.baseOnly {
		base := path[strings.LastIndexByte(path, '/')+1:]
		if r.literal {
			return base == r.pattern
		}
		return wildmatch(r.pattern, base, false)
	}
	if r.literal {
		return path == r.pattern
	}
	return wildmatch(r.pattern, path, true)
}

// ignoreMatcher holds the rules of a tree: those of each folder's own ignore file, and lists for the whole tree that
// the folders' rules override. It is not safe for concurrent use.
type ignoreMatcher struct {
	global []ignoreRule            // in order of rising priority
	byDir  map[string][]ignoreRule // by folder: "" is the root, else "a/b"
	dirs   map[string]*ignoreRule  // the rule that excludes a folder, nil when none does
}

func newIgnoreMatcher(global []ignoreRule) *ignoreMatcher {
	return &ignoreMatcher{global: global, byDir: map[string][]ignoreRule{}, dirs: map[string]*ignoreRule{"": nil}}
}

// add sets the rules of a folder's ignore file. It must come before any path below that folder is asked about.
func (m *ignoreMatcher) add(dir string, rules []ignoreRule) {
	if len(rules) > 0 {
		m.byDir[dir] = rules
	}
}

// excludes returns the rule that keeps path out, nil when none does. A path below an excluded folder is excluded,
// whatever later rules say.
func (m *ignoreMatcher) excludes(path string, isDir bool) *ignoreRule {
	if r := m.excludesFolder(parentDir(path)); r != nil {
		return r
	}
	if r := m.lastMatch(path, isDir); r != nil && !r.negated {
		return r
	}
	return nil
}

func (m *ignoreMatcher) excludesFolder(dir string) *ignoreRule {
	r, known := m.dirs[dir]
	if !known {
		r = m.excludes(dir, true)
		m.dirs[dir] = r
	}
	return r
}

// lastMatch finds the deciding rule for one path: the deepest folder's last matching line, then the parents', then the
// rules for the whole tree.
func (m *ignoreMatcher) lastMatch(path string, isDir bool) *ignoreRule {
	for dir := parentDir(path); ; dir = parentDir(dir) {
		relative := path
		if dir != "" {
			relative = path[len(dir)+1:]
		}
		if r := lastMatching(m.byDir[dir], relative, isDir); r != nil {
			return r
		}
		if dir == "" {
			break
		}
	}
	return lastMatching(m.global, path, isDir)
}

func lastMatching(rules []ignoreRule, path string, isDir bool) *ignoreRule {
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].matches(path, isDir) {
			return &rules[i]
		}
	}
	return nil
}

// parentDir is the folder that holds path: "" for a name at the root.
func parentDir(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}
