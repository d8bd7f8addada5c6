package runner

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"agenvantage"
	"agenvantage/internal/pathglob"
)

// Policy says which paths may leave this machine. Patterns are globs over whole paths, relative to the root and case-sensitive,
// as those of search filters are: "a" and "a/" are the file a or all below the folder a, * and ? stop at slashes, ** does not, a
// folder that a glob names means all below it. A path that allow and deny both match is denied. A deny pattern without a slash
// holds at every depth, since a file that was meant to stay and leaves cannot be called back; an allow pattern does not.
type Policy struct {
	allow, deny []string // without slashes at their ends
	everything  bool     // no allow pattern was given, or one for all
	nothing     bool     // deny holds a pattern for all
}

// NewPolicy compiles patterns. Without allow patterns every path is allowed that is not denied. A pattern that is no valid glob, or
// leaves the root, is agenvantage.ErrBadInput.
func NewPolicy(allow, deny []string) (*Policy, error) {
	p := &Policy{everything: len(allow) == 0}
	for _, text := range allow {
		pattern, err := compile(text)
		if err != nil {
			return nil, err
		}
		p.everything = p.everything || pattern == ""
		p.allow = append(p.allow, pattern)
	}
	for _, text := range deny {
		pattern, err := compile(text)
		if err != nil {
			return nil, err
		}
		p.nothing = p.nothing || pattern == ""
		p.deny = append(p.deny, pattern)
		if !strings.Contains(pattern, "/") {
			p.deny = append(p.deny, "**/"+pattern)
		}
	}
	return p, nil
}

// compile gives a pattern without what stands for "and all below"; "" is all.
func compile(text string) (string, error) {
	if err := unmatchable(text); err != nil {
		return "", err
	}
	t := pathglob.Base(text)
	switch {
	case !doublestar.ValidatePattern(t):
		return "", fmt.Errorf("%w: path pattern %q is no valid glob", agenvantage.ErrBadInput, text)
	case t == "." || t == "**":
		return "", nil
	}
	return t, nil
}

// unmatchable refuses a pattern that no path relative to the root can match, or that means something else than it seems to: a deny pattern that
// says nothing would let out what it was meant to keep.
func unmatchable(text string) error {
	bad := func(why, want string) error {
		if want = strings.TrimLeft(path.Clean(want), "/"); want == "." || want == ".." || strings.HasPrefix(want, "../") {
			want = "src/**"
		}
		return fmt.Errorf("%w: path pattern %q %s: paths are relative to the root, such as %q", agenvantage.ErrBadInput, text, why, want)
	}
	inner := text
	for strings.HasPrefix(inner, "./") {
		inner = inner[2:]
	}
	parts := strings.Split(inner, "/")
	last := len(parts) - 1
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%w: an empty path pattern", agenvantage.ErrBadInput)
	case strings.TrimSpace(text) != text:
		return bad("has a blank at an end", strings.TrimSpace(text))
	case strings.HasPrefix(text, "!"):
		return fmt.Errorf("%w: path pattern %q begins with an exclamation mark, which takes nothing out here: put %q into the other list, or write [!] for the sign itself",
			agenvantage.ErrBadInput, text, strings.TrimLeft(text, "!"))
	case strings.HasPrefix(inner, "/"), strings.HasPrefix(text, "~/"), len(text) > 2 && text[1] == ':' && (text[2] == '/' || text[2] == '\\'):
		return bad("is absolute", strings.TrimPrefix(inner, "~"))
	case slices.Contains(parts, ".."):
		return bad("has a part \"..\"", inner)
	case slices.Contains(parts, ".") && inner != ".", slices.Contains(parts[:last], ""):
		return bad("has a part that names no folder", inner)
	}
	return nil
}

// Denied reports whether the policy keeps a path here. The nil Policy keeps none.
func (p *Policy) Denied(file string) bool {
	if p == nil {
		return false
	}
	return p.nothing || matches(p.deny, file) || !p.everything && !matches(p.allow, file)
}

func matches(patterns []string, file string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return pathglob.Spells(pattern, file) || pathglob.Matches(pattern, file) })
}
