package ablations

import (
	"path"
	"regexp"
	"strings"
	"unicode"
)

// pathNames knows how a message can name a file or a folder of a repository: by its path, by the end of its path, without
// the ending, with dots in place of slashes, or by its bare name.
type pathNames struct {
	seen     map[string]bool
	paths    map[string]bool // two segments and more, lower case: ends of paths with and without ending, runs of folders
	dotted   map[string]bool // names with an ending, lower case: "scanner.go"
	plain    map[string]bool // names without one that no prose holds: "Makefile"
	segments map[string]bool // one segment, lower case, without ending: what stands before a subject's colon
	endings  map[string]bool // "go", lower case
}

func newPathNames(paths []string) *pathNames {
	n := &pathNames{seen: map[string]bool{}, paths: map[string]bool{}, dotted: map[string]bool{}, plain: map[string]bool{},
		segments: map[string]bool{}, endings: map[string]bool{}}
	for _, p := range paths {
		n.add(p)
	}
	return n
}

// add takes a path with forward slashes; "" and repeats do nothing.
func (n *pathNames) add(p string) {
	if p == "" || n.seen[p] {
		return
	}
	n.seen[p] = true
	base := path.Base(p)
	lower := strings.ToLower(p)
	ending := path.Ext(lower)
	stem := strings.TrimSuffix(lower, ending)
	switch {
	case len(ending) > 1:
		n.dotted[strings.ToLower(base)] = true
		n.endings[ending[1:]] = true
	case len(base) >= 4 && strings.ContainsFunc(base, unicode.IsUpper):
		n.plain[base] = true
	}
	n.addEnds(lower)
	n.addEnds(stem)
	n.segments[path.Base(stem)] = true
	for dir := path.Dir(lower); dir != "." && dir != "/" && !n.seen[dir+"/"]; dir = path.Dir(dir) {
		n.seen[dir+"/"] = true
		n.addEnds(dir)
		n.segments[path.Base(dir)] = true
	}
}

// addEnds adds every end of p that has a slash in it.
func (n *pathNames) addEnds(p string) {
	for {
		i := strings.IndexByte(p, '/')
		if i < 0 {
			return
		}
		n.paths[p] = true
		p = p[i+1:]
	}
}

// names reports whether word, a run of characters of paths, names something of the repository. A word with slashes and
// the ending of some file is taken for a path too, since a file may have been moved before the history begins.
func (n *pathNames) names(word string) bool {
	if n.plain[word] {
		return true
	}
	w := strings.ToLower(strings.ReplaceAll(word, `\`, "/"))
	w = strings.TrimSuffix(strings.TrimPrefix(w, "./"), "/")
	if n.dotted[w] || n.paths[w] {
		return true
	}
	if i := strings.IndexByte(w, '/'); i >= 0 {
		ending := path.Ext(w)
		inDiff := strings.HasPrefix(w, "a/") || strings.HasPrefix(w, "b/")
		return len(ending) > 1 && n.endings[ending[1:]] || inDiff && (n.paths[w[2:]] || n.dotted[w[2:]])
	}
	return strings.Contains(w, ".") && n.paths[strings.ReplaceAll(w, ".", "/")]
}

// pathWord is a run of characters that paths are made of, with the line and column that may follow it.
var pathWord = regexp.MustCompile(`[\pL\pN_./@+~\\-]+(?::\d+){0,2}`)

// strip takes the names out of text and leaves holes.
func (n *pathNames) strip(text string) string {
	return pathWord.ReplaceAllStringFunc(text, func(run string) string {
		word, _, _ := strings.Cut(run, ":")
		word = strings.TrimRight(word, ".-")
		tail := strings.TrimLeft(run[len(word):], ":0123456789")
		if n.names(word) || n.names(strings.TrimLeft(word, "-+~@")) {
			return hole + tail
		}
		return run
	})
}
