package channels

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
)

// A path is pasted from wherever it was seen: another machine, the root of a module, a code host, a folder below the root. What tells the file
// is its end.

// FilesAt lists the files that a pasted path names, in the order of paths: the file of that very path; else those whose whole path is the end
// of the pasted one, or that have the pasted one as their end, as far as they share the longest end with it. More than one cannot be told apart.
// "./" and "../" before the path are passed over; another letter case fits where nothing has that of the path. Of a path from the root of another
// machine, where a package is not in the folder that it has in the repository, the end may be as short as a folder and a name:
// /lib/site-packages/flask/app.py is src/flask/app.py. Only files that within lets through are looked at; nil lets all.
func FilesAt(files FileReader, pasted string, within func(file uint32) bool) []uint32 {
	asked := endOfPath(pasted)
	asWritten := func(path string) string { return path }
	found := filesAt(files, asked, within, asWritten, wholeEnd)
	if len(found) == 0 {
		found = filesAt(files, strings.ToLower(asked), within, strings.ToLower, wholeEnd)
	}
	if len(found) == 0 && fromRoot.MatchString(pasted) {
		found = filesAt(files, asked, within, asWritten, installedEnd)
	}
	return found
}

// fromRoot finds a path from a root or a home, or through a folder of installed packages.
var fromRoot = regexp.MustCompile(`^(?:/|~/|[A-Za-z]:/)|(?:^|/)(?:site|dist)-packages/`)

// filesAt lists the files whose paths, as spelled gives them, share most names at the end with the path asked for, as shared counts them.
func filesAt(files FileReader, asked string, within func(file uint32) bool, spelled func(path string) string, shared func(asked, path string) int) (found []uint32) {
	longest := 0
	for file := range uint32(files.FileCount()) {
		if within != nil && !within(file) {
			continue
		}
		p := spelled(files.Path(file))
		if p == asked {
			return []uint32{file}
		}
		names := shared(asked, p)
		if names > longest {
			found, longest = nil, names
		}
		if names > 0 && names == longest {
			found = append(found, file)
		}
	}
	return found
}

// endOfPath is a pasted path as the end of one of the repository.
func endOfPath(pasted string) string {
	p := strings.TrimLeft(path.Clean(pasted), "/")
	for strings.HasPrefix(p, "../") {
		p = p[len("../"):]
	}
	return p
}

// wholeEnd is the number of names that two paths share at their ends where these are all names of one of them, else 0.
func wholeEnd(asked, path string) int {
	shorter, longer := asked, path
	if len(shorter) > len(longer) {
		shorter, longer = longer, shorter
	}
	before, ok := strings.CutSuffix(longer, shorter)
	if !ok || shorter == "" || before != "" && before[len(before)-1] != '/' {
		return 0
	}
	return strings.Count(shorter, "/") + 1
}

// installedEnd is the number of names that two paths share at their ends, 0 where that is the name of the file alone.
func installedEnd(asked, path string) int {
	a, b := strings.Split(asked, "/"), strings.Split(path, "/")
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	if n < 2 {
		return 0
	}
	return n
}

// fitted is a file that a path of the question may mean.
type fitted struct {
	file  uint32
	kind  fit
	names int // that both share at their ends
}

// fitting lists the files in scope with the name of a path, with how well the whole of it fits. In a long text paths of dependencies are many:
// there a file at the root does not fit a longer path that ends in its name. In a short one the path is what is asked for: the files that fit it best
// (FilesAt) are meant, and others that fit are not.
func (s *exactSearch) fitting(asked string) []fitted {
	short := s.request.Query.Short
	if short {
		asked = endOfPath(asked)
	}
	_, base := splitPath(strings.TrimRight(asked, "/"))
	var list []fitted
	for _, file := range s.inScope(s.paths().byBase[strings.ToLower(base)]) {
		f := fitted{file: file}
		f.kind, f.names = pathFits(asked, s.reader.Path(file))
		list = append(list, f)
	}
	if short && !s.onlyBest(list, asked, func(path string) string { return path }) {
		s.onlyBest(list, strings.ToLower(asked), strings.ToLower)
	}
	return list
}

// onlyBest lets the files alone fit as a whole that fit a path best, and reports whether there are any.
func (s *exactSearch) onlyBest(list []fitted, asked string, spelled func(path string) string) bool {
	best, names := 0, make([]int, len(list))
	for i, f := range list {
		path := spelled(s.reader.Path(f.file))
		if names[i] = wholeEnd(asked, path); path == asked {
			names[i]++
		}
		best = max(best, names[i])
	}
	for i := range list {
		f := &list[i]
		switch {
		case best == 0:
		case names[i] == best:
			f.kind, f.names = fitWhole, best
		case f.kind != fitNone:
			f.kind = fitBase
		}
	}
	return best > 0
}

// findPlaces finds the symbols or chunks at the file:line places and stack frames of the question.
func (s *exactSearch) findPlaces() error {
	if len(s.request.Query.Hunks) > 0 { // their numbers are in the frames too
		return s.findHunks()
	}
	frames := s.request.Query.Frames
	innermostLast := strings.Contains(s.request.Query.Text, "most recent call last")
	built := 0 // places that are in no file
	for i, f := range frames {
		near := i // how far the frame is from the one that failed
		if innermostLast {
			near = len(frames) - 1 - i
		}
		bonus := float64(max(0, 100-near))
		files, err := s.havingLine(s.fitting(f.Path), f.Line)
		if err != nil {
			return err
		}
		if absent := !slices.ContainsFunc(files, func(f fitted) bool { return f.kind >= fitSuffix }); absent && built < maxBuiltPlaces {
			built++
			if err := s.findBuilt(f, bonus); err != nil {
				return err
			}
		}
		for _, fits := range files {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			if fits.kind == fitNone {
				continue
			}
			if err := s.addPlace(f, fits, bonus); err != nil {
				return err
			}
		}
	}
	return nil
}

// havingLine lets, of several files that a path of a short text fits as a whole, those that are long enough for the line go before the others, where
// there are any.
func (s *exactSearch) havingLine(list []fitted, line int) ([]fitted, error) {
	if !s.request.Query.Short {
		return list, nil
	}
	shorter := make([]bool, len(list))
	longEnough := false
	for i, f := range list {
		if f.kind != fitWhole {
			continue
		}
		facts, err := s.reader.Facts(f.file)
		if err != nil {
			return nil, err
		}
		shorter[i] = len(facts.Chunks) == 0 || facts.Chunks[len(facts.Chunks)-1].Span.EndLine < line
		longEnough = longEnough || !shorter[i]
	}
	for i := range list {
		if longEnough && shorter[i] {
			list[i].kind = fitBase
		}
	}
	return list, nil
}

// addPlace adds the spans of a frame in a file that fits its path.
func (s *exactSearch) addPlace(f agenvantage.Frame, fits fitted, bonus float64) error {
	facts, err := s.reader.Facts(fits.file)
	if err != nil {
		return err
	}
	for n, one := range s.linesOf(facts, f) {
		key, named, ok := s.placeIn(facts, fits.file, one)
		if !ok {
			continue
		}
		score, reason := float64(scorePlaceBaseName), "file name of a place"
		switch {
		case fits.kind == fitWhole && s.request.Query.Short: // all that fit do so equally well
			score, reason = scorePlace, reasonPlace
		case fits.kind == fitWhole:
			score, reason = scorePlace+float64(min(fits.names, 99)), reasonPlace
		case fits.kind == fitSuffix:
			score, reason = scorePlaceFunction+100*float64(min(fits.names, 5)), reasonPlace
		case named:
			score, reason = scorePlaceFunction, "function of a stack frame"
		}
		s.add(key, itemPlace, score+bonus-float64(n)/(2*maxPathChunks), reason)
		if h := s.hits[key]; h.line == 0 {
			h.line = one.Line
		}
	}
	return nil
}

// linesOf is the frame at each chunk that the lines of a place reach into, at most maxPathChunks. In a short text a line in no chunk, as one beyond
// the end of the file is, stands for the nearest one that is in a chunk.
func (s *exactSearch) linesOf(facts *agenvantage.Extraction, f agenvantage.Frame) []agenvantage.Frame {
	if !s.request.Query.Short || len(facts.Chunks) == 0 {
		return []agenvantage.Frame{f}
	}
	var lines []agenvantage.Frame
	nearest, distance := 0, -1
	for i := range facts.Chunks {
		span := facts.Chunks[i].Span
		one := f
		one.Line = min(max(f.Line, span.StartLine), span.EndLine)
		if d := max(one.Line-f.Line, f.Line-one.Line); distance < 0 || d < distance {
			nearest, distance = one.Line, d
		}
		one.EndLine = min(max(f.Line, f.EndLine), span.EndLine)
		if one.Line >= f.Line && one.Line <= one.EndLine && len(lines) < maxPathChunks && !slices.ContainsFunc(lines, func(o agenvantage.Frame) bool { return o.Line == one.Line }) {
			lines = append(lines, one)
		}
	}
	if len(lines) == 0 {
		f.Line, f.EndLine = nearest, nearest
		lines = append(lines, f)
	}
	return lines
}

// giveItems lets what was found in a chunk count for the symbols found in it, and reports whether nothing is left for the chunk itself. A place of a
// short text is left where none of the symbols has its line, and so is a quotation that none of them holds.
func (s *exactSearch) giveItems(h *exactHit, symbols []hitKey) (all bool, err error) {
	isPlace := s.request.Query.Short && h.has(itemPlace)
	placed, given := !isPlace, map[int]bool{}
	for _, key := range symbols {
		facts, err := s.reader.Facts(key.file)
		if err != nil {
			return false, err
		}
		span := facts.Symbols[key.symbol].Span
		has := !isPlace || span.HasLine(h.line)
		placed = placed || has
		reason := h.reason
		if !has {
			reason = "in the chunk of a place"
		}
		for _, i := range h.items {
			gives := has || i.item != itemPlace
			if i.item == itemMessage {
				gives = span.HasLine(h.said)
			}
			if s.isQuoted(i.item) {
				if gives, err = s.holds(key.file, span, s.quoted[i.item]); err != nil {
					return false, err
				}
			}
			if gives {
				s.add(key, i.item, i.score, reason)
				if i.item == itemMessage {
					s.hits[key].said, s.hits[key].saying = h.said, h.saying
				}
				given[i.item] = true
			}
		}
	}
	isLeft := func(i itemScore) bool { return (s.isQuoted(i.item) || i.item == itemMessage) && !given[i.item] }
	return placed && !slices.ContainsFunc(h.items, isLeft), nil
}

// isQuoted reports whether an item is a quotation of a short text.
func (s *exactSearch) isQuoted(item int) bool {
	return s.request.Query.Short && item >= 0 && item < len(s.quoted)
}

// holds reports whether lines of a file hold a text, in any letter case.
func (s *exactSearch) holds(file uint32, span agenvantage.Span, text string) (bool, error) {
	open, err := s.open(file)
	if err != nil {
		return false, err
	}
	r := rangesOf(open.text, []agenvantage.Chunk{{Span: span}})[0]
	standing, folded := Holds(open.text[r.start:r.end], text)
	return standing || folded, nil
}
