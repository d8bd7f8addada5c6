package channels

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"agenvantage"
	"agenvantage/internal/pathglob"
)

// Scope is the set of files that a filter lets through. The nil Scope holds every file. It is not changed once made.
type Scope struct {
	files bitset // nil holds every file
	count int
	notes []string
}

// Has reports whether the file is in the scope.
func (s *Scope) Has(file uint32) bool { return s == nil || s.files.allows(file) }

// Count is the number of files in the scope.
func (s *Scope) Count() int { return s.count }

// Notes say which parts of the filter no indexed file meets, one sentence each.
func (s *Scope) Notes() []string { return s.notes }

// ScopeOf is the scope of given files, each of them one of files.
func ScopeOf(in []uint32, files FileReader) *Scope {
	s := &Scope{files: newBitset(files.FileCount()), count: len(in)}
	for _, file := range in {
		s.files.add(file)
	}
	return s
}

// CompileScope finds the files that the paths and languages of f let through. Patterns are relative to the root and
// case-sensitive:
//
//	a  ./a  a/  a/**   the file a, or all below the folder a
//	a/*.py  **/b/*.c   a glob over the whole path; * and ? stop at slashes, ** does not, {x,y} and [a-z] work; a folder
//	                   that a glob names means all below it
//	*.go               files of the root only, as any pattern is relative to the root; **/*.go for all
//	.  **              all
//
// A path that is spelled exactly like the pattern matches too, so names that hold glob characters need no escape. A
// pattern that leaves the root, and one that is neither a valid glob nor such a path, is ErrBadInput.
func CompileScope(f agenvantage.Filter, files FileReader) (*Scope, error) {
	n := files.FileCount()
	s := &Scope{count: n}
	if len(f.Paths) == 0 && len(f.NotPaths) == 0 && len(f.Langs) == 0 {
		return s, nil
	}
	include, err := compilePatterns(f.Paths)
	if err != nil {
		return nil, err
	}
	exclude, err := compilePatterns(f.NotPaths)
	if err != nil {
		return nil, err
	}
	for _, p := range slices.Concat(include, exclude) {
		if p.bad && !p.spells(files) {
			return nil, fmt.Errorf("%w: path pattern %q is no valid glob, and no path is spelled so", agenvantage.ErrBadInput, p.literal)
		}
	}
	s.files, s.count = newBitset(n), 0
	matched, spoken := make([]bool, len(include)), map[string]bool{}
	for file := range uint32(n) {
		p := files.Path(file)
		in := len(include) == 0
		for i := range include {
			if include[i].match(p) {
				in, matched[i] = true, true
			}
		}
		lang := files.Lang(file)
		spoken[lang] = true
		if !in || len(f.Langs) > 0 && !slices.Contains(f.Langs, lang) {
			continue
		}
		if slices.ContainsFunc(exclude, func(x pattern) bool { return x.match(p) }) {
			continue
		}
		s.files.add(file)
		s.count++
	}
	for i, found := range matched {
		if !found {
			note := fmt.Sprintf("no indexed file matches --path %s", f.Paths[i])
			if include[i].glob != "" && !strings.Contains(include[i].glob, "/") {
				note += " (patterns are relative to the root; **/" + include[i].glob + " matches at any depth)"
			}
			s.notes = append(s.notes, note)
		}
	}
	if len(f.Langs) > 0 && !slices.ContainsFunc(f.Langs, func(l string) bool { return spoken[l] }) {
		s.notes = append(s.notes, fmt.Sprintf("no indexed file is of language %s", strings.Join(f.Langs, ", ")))
	}
	if s.count == 0 && len(s.notes) == 0 {
		s.notes = append(s.notes, "no indexed file passes all path and language filters together")
	}
	return s, nil
}

// PathMatches reports whether a path filter as CompileScope reads it lets a file through; one that it refuses lets none.
func PathMatches(filter, file string) bool {
	p, err := compilePattern(filter)
	return err == nil && p.match(file)
}

// pattern is one compiled path filter.
type pattern struct {
	literal string // the path or folder; "" matches everything
	glob    string // "" when the pattern has no glob characters or is no valid glob
	bad     bool   // no valid glob: it has to be spelled like a path
}

func compilePatterns(texts []string) ([]pattern, error) {
	patterns := make([]pattern, 0, len(texts))
	for _, text := range texts {
		p, err := compilePattern(text)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}

func compilePattern(text string) (pattern, error) {
	t := pathglob.Base(strings.TrimPrefix(text, "/"))
	if t == ".." || strings.HasPrefix(path.Clean(t), "../") {
		return pattern{}, fmt.Errorf("%w: path pattern %q leads out of the root", agenvantage.ErrBadInput, text)
	}
	if t == "" || t == "." || t == "**" {
		return pattern{}, nil
	}
	p := pattern{literal: t}
	switch {
	case !strings.ContainsAny(t, `*?[{\`):
		p.literal = path.Clean(t)
	case doublestar.ValidatePattern(t):
		p.glob = t
	default:
		p.literal, p.bad = path.Clean(t), true
	}
	return p, nil
}

// spells reports whether the pattern is the path of a file or folder.
func (p pattern) spells(files FileReader) bool {
	for file := range uint32(files.FileCount()) {
		if p.match(files.Path(file)) {
			return true
		}
	}
	return false
}

func (p pattern) match(file string) bool {
	return p.literal == "" || pathglob.Spells(p.literal, file) || p.glob != "" && pathglob.Matches(p.glob, file)
}
