package app

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/channels"
)

// place is what a location names.
type place struct {
	path   string // of the file or folder
	symbol string // qualified, "" when the location is none
	files  []uint32
	lines  agenvantage.Span // the zero Span for all of the files
}

var lineSuffix = regexp.MustCompile(`^(.+):(\d+)(?:-(\d+))?$`)

// find reads a location: a path before a symbol, and a path that is spelled with ":1" before one with a line.
func (h *historyView) find(location string) (place, error) {
	location = strings.TrimSpace(location)
	if location == "" {
		return place{}, fmt.Errorf("%w: a location is needed: PATH, PATH:LINE, PATH:A-B or a symbol", agenvantage.ErrBadInput)
	}
	if files := h.filesAt(location); len(files) > 0 {
		return place{path: cleanPath(location), files: files}, nil
	}
	if m := lineSuffix.FindStringSubmatch(location); m != nil {
		file, ok := h.corpus.Find(cleanPath(m[1]))
		if !ok {
			return place{}, h.unknown(m[1], true)
		}
		lines, err := h.linesOf(file, m[2], m[3])
		return place{path: h.corpus.Path(file), files: []uint32{file}, lines: lines}, err
	}
	return h.findSymbol(location)
}

// linesOf checks a range of lines of a file.
func (h *historyView) linesOf(file uint32, from, to string) (agenvantage.Span, error) {
	text, err := h.corpus.Text(file)
	if err != nil {
		return agenvantage.Span{}, err
	}
	count := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	a, errA := strconv.Atoi(from)
	b, errB := strconv.Atoi(cmp.Or(to, from))
	if errA != nil || errB != nil || a < 1 || b < a || b > count || text == "" {
		return agenvantage.Span{}, fmt.Errorf("%w: lines %s of %q: the file has %d lines", agenvantage.ErrBadInput, strings.TrimSuffix(from+"-"+to, "-"), h.corpus.Path(file), count)
	}
	return agenvantage.Span{StartLine: a, EndLine: b}, nil
}

func cleanPath(p string) string {
	return strings.TrimSuffix(path.Clean(strings.TrimPrefix(p, "./")), "/")
}

// filesAt are the files of a path: the file itself, or all below a folder; "." is the root.
func (h *historyView) filesAt(p string) []uint32 {
	p = cleanPath(p)
	if file, ok := h.corpus.Find(p); ok {
		return []uint32{file}
	}
	folder := p + "/"
	if p == "." {
		folder = ""
	}
	var files []uint32
	for file, _ := h.corpus.Find(folder); int(file) < h.corpus.FileCount() && strings.HasPrefix(h.corpus.Path(file), folder); file++ {
		files = append(files, file)
	}
	return files
}

// maxSymbolPlaces is how many places of an ambiguous name an error lists.
const maxSymbolPlaces = 5

// findSymbol finds the one symbol of a name, simple or qualified.
func (h *historyView) findSymbol(name string) (place, error) {
	var found []place
	var failed error
	err := h.corpus.Postings(channels.FieldName, analysis.Normalise(name), func(doc uint32, _, _ int) {
		file, chunk := h.corpus.Locate(doc)
		if failed != nil || chunk < 0 {
			return
		}
		facts, err := h.corpus.Facts(file)
		if err != nil || chunk >= len(facts.Chunks) {
			failed = err
			return
		}
		for _, i := range facts.Chunks[chunk].Symbols {
			if s := &facts.Symbols[i]; s.Name == name || s.Qualified == name {
				found = append(found, place{path: h.corpus.Path(file), symbol: s.Qualified, files: []uint32{file}, lines: s.Span})
			}
		}
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return place{}, err
	}
	slices.SortFunc(found, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.lines.StartLine, b.lines.StartLine), cmp.Compare(a.lines.EndLine, b.lines.EndLine))
	})
	switch len(found) {
	case 0:
		return place{}, h.unknown(name, strings.Contains(name, "/"))
	case 1:
		return found[0], nil
	}
	var places []string
	for _, p := range found[:min(len(found), maxSymbolPlaces)] {
		places = append(places, fmt.Sprintf("%s:%d-%d", p.path, p.lines.StartLine, p.lines.EndLine))
	}
	if len(found) > maxSymbolPlaces {
		places = append(places, "…")
	}
	return place{}, fmt.Errorf("%w: %q names %d symbols; give one of their places: %s", agenvantage.ErrBadInput, name, len(found), strings.Join(places, ", "))
}

// unknown says that nothing has a name, with the nearest names that something has.
func (h *historyView) unknown(name string, isPath bool) error {
	near, what := h.nearest(name), "path"
	if !isPath {
		near, what = append(h.nearestSymbols(name), near...), "path or symbol"
	}
	if len(near) == 0 {
		return fmt.Errorf("%w: no indexed %s %q", agenvantage.ErrBadInput, what, name)
	}
	return fmt.Errorf("%w: no indexed %s %q; the nearest are %s", agenvantage.ErrBadInput, what, name, strings.Join(near, ", "))
}

// maxNear is how many near names are listed.
const maxNear = 3

// nearest lists the paths whose last name is nearest to that of p: at most a third of its letters differ.
func (h *historyView) nearest(p string) []string {
	type ranked struct {
		path     string
		distance int
	}
	base := strings.ToLower(path.Base(cleanPath(p)))
	var all []ranked
	for file := range uint32(h.corpus.FileCount()) {
		candidate := h.corpus.Path(file)
		name := strings.ToLower(path.Base(candidate))
		d := min(distance(base, name), distance(base, strings.TrimSuffix(name, path.Ext(name))))
		if 3*d <= len(base) {
			all = append(all, ranked{candidate, d})
		}
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.path, b.path)) })
	var near []string
	for _, r := range all[:min(len(all), maxNear)] {
		near = append(near, r.path)
	}
	return near
}

// nearestSymbols lists the qualified names of symbols whose name is nearest to name.
func (h *historyView) nearestSymbols(name string) (near []string) {
	type ranked struct {
		term     string
		distance int
	}
	dictionary, err := h.corpus.TermLines(channels.FieldName)
	if err != nil {
		return nil // what is near is a courtesy
	}
	asked := analysis.Normalise(name)
	var all []ranked
	for term := range strings.Lines(dictionary) {
		term = strings.TrimSuffix(term, "\n")
		if d := distance(asked, term); 3*d <= len(asked) {
			all = append(all, ranked{term, d})
		}
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.term, b.term)) })
	for _, r := range slices.Compact(all) {
		if named := h.nameOf(r.term); named != "" && !slices.Contains(near, named) && len(near) < maxNear {
			near = append(near, named)
		}
	}
	return near
}

// nameOf is the first qualified name that a term of the dictionary of names stands for, "" when no symbol has it any more.
func (h *historyView) nameOf(term string) string {
	best := ""
	_ = h.corpus.Postings(channels.FieldName, term, func(doc uint32, _, _ int) {
		file, chunk := h.corpus.Locate(doc)
		facts, err := h.corpus.Facts(file)
		if err != nil || chunk < 0 || chunk >= len(facts.Chunks) {
			return
		}
		for _, i := range facts.Chunks[chunk].Symbols {
			s := &facts.Symbols[i]
			if (analysis.Normalise(s.Name) == term || analysis.Normalise(s.Qualified) == term) && (best == "" || s.Qualified < best) {
				best = s.Qualified
			}
		}
	})
	return best
}

// distance is the least number of bytes to add, remove or replace to turn a into b (Levenshtein).
func distance(a, b string) int {
	if d := len(a) - len(b); 3*max(d, -d) > len(a) {
		return len(a) + len(b) // too far to matter, and not worth the work
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
