package channels

import (
	"cmp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// A hunk of a diff is a place that tells itself in three ways: by its lines, by the function of its header, and by numbers. The file at hand may be
// another version than the diff is of, so lines win over the name and the name over numbers. Lines are compared without the white space at their ends:
// pasting changes it.

// Bounds of a hunk.
const (
	maxHunkFiles = 8  // files that a path may mean, or that hold most of the words of a hunk without one
	maxHunkWords = 24 // by which these are found
	hunkSlack    = 8  // lines more than the hunk has, in which its lines may stand
	tellingLine  = 6  // characters of a line that says where it is; fewer are brackets
)

// findHunks finds the places of a diff.
func (s *exactSearch) findHunks() error {
	hunks := s.request.Query.Hunks
	for i, h := range hunks {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		files, named, err := s.filesOfHunk(h)
		if err != nil {
			return err
		}
		var best []located
		for _, file := range files {
			open, err := s.openWhole(file)
			if err != nil {
				return err
			}
			if l := locateHunk(h, strings.Split(open.text, "\n")); l.lines > 0 {
				l.file = file
				best = append(best, l)
			}
		}
		slices.SortStableFunc(best, func(a, b located) int { return cmp.Or(cmp.Compare(b.lines, a.lines), cmp.Compare(a.away, b.away)) })
		if len(best) > 0 {
			files = []uint32{best[0].file}
		} else if !named {
			continue // nothing but words in common
		}
		for _, file := range files {
			f := agenvantage.Frame{Line: max(1, h.OldStart), EndLine: h.OldStart + h.OldLines - 1, Function: h.Function}
			if len(best) > 0 {
				f = agenvantage.Frame{Line: best[0].span.StartLine, EndLine: best[0].span.EndLine}
			}
			if err := s.addHunk(file, f, float64(max(0, 100-i))); err != nil {
				return err
			}
		}
	}
	return nil
}

// filesOfHunk lists the files in which a hunk may be. named says that the diff tells their path.
func (s *exactSearch) filesOfHunk(h agenvantage.Hunk) (files []uint32, named bool, err error) {
	for _, path := range []string{h.OldPath, h.NewPath} {
		for _, file := range FilesAt(s.reader, path, s.request.Scope.Has) {
			if path != "" && !slices.Contains(files, file) && len(files) < maxHunkFiles {
				files = append(files, file)
			}
		}
	}
	if len(files) > 0 || h.OldPath != "" || h.NewPath != "" {
		return files, true, nil
	}
	var words []string
	for _, line := range h.Lines {
		for _, token := range analysis.AppendTokens(nil, line[1:]) {
			if len(words) < maxHunkWords && len(token) > 2 && token != analysis.LongToken && line[0] != '+' && !slices.Contains(words, token) {
				words = append(words, token)
			}
		}
	}
	l, err := s.likelyChunks(words, 4*maxHunkFiles)
	for _, p := range l.chunks {
		if !slices.Contains(files, p.file) && len(files) < maxHunkFiles {
			files = append(files, p.file)
		}
	}
	return files, false, err
}

// addHunk adds the spans at the lines of a hunk. Of several the first is where its change begins.
func (s *exactSearch) addHunk(file uint32, f agenvantage.Frame, bonus float64) error {
	facts, err := s.reader.Facts(file)
	if err != nil {
		return err
	}
	for n, one := range s.linesOf(facts, f) {
		if key, _, ok := s.placeIn(facts, file, one); ok {
			s.add(key, itemPlace, scorePlace+bonus-float64(n)/(2*maxPathChunks), reasonHunk)
			if h := s.hits[key]; h.line == 0 {
				h.line = one.Line
			}
		}
	}
	return nil
}

// located is where a hunk stands in a file.
type located struct {
	file  uint32
	span  agenvantage.Span // of what it changes
	lines int              // that the file holds as they are
	away  int              // lines from where the numbers say
}

// locateHunk finds the run of a file's lines that holds most lines of a hunk, of one side or the other: the file may be that before the change or after it.
// Of runs that hold as many the nearest to the numbers is taken. No lines come back where fewer than half of those that tell are found.
func locateHunk(h agenvantage.Hunk, file []string) (best located) {
	at := map[string][]int{}
	for i, line := range file {
		if line = strings.TrimSpace(line); line != "" {
			at[line] = append(at[line], i)
		}
	}
	for _, side := range []struct {
		other byte // mark of the lines that the other side alone has
		start int
	}{{'+', h.OldStart}, {'-', h.NewStart}} {
		if l := locateSide(h, side.other, side.start, at); l.lines > best.lines || l.lines == best.lines && l.lines > 0 && l.away < best.away {
			best = l
		}
	}
	return best
}

// locateSide is locateHunk for one side. at tells where each line of the file stands, without the white space around it.
func locateSide(h agenvantage.Hunk, other byte, start int, at map[string][]int) (best located) {
	var side []string // lines
	var tells []bool  // beside side: a line that is no bracket
	first, last := -1, -1
	telling := 0
	for _, line := range h.Lines {
		if line[0] != ' ' {
			if first < 0 {
				first = len(side)
			}
			last = len(side)
		}
		if line[0] == other {
			continue
		}
		text := strings.TrimSpace(line[1:])
		side, tells = append(side, text), append(tells, len(text) >= tellingLine)
		if len(text) >= tellingLine {
			telling++
		}
	}
	if telling == 0 || first < 0 {
		return located{}
	}
	for i, text := range side {
		for _, anchor := range at[text] {
			if !tells[i] {
				break
			}
			if l := alongside(side, tells, i, anchor, at); l.found > 0 {
				from := l.lineOf(min(first, len(side)-1))
				to := max(from, l.lineOf(min(last, len(side)-1)))
				found := located{span: agenvantage.Span{StartLine: from + 1, EndLine: to + 1}, lines: l.found, away: max(anchor-i+1-start, start-(anchor-i+1))}
				if 2*l.found >= telling && (found.lines > best.lines || found.lines == best.lines && found.away < best.away) {
					best = found
				}
			}
		}
	}
	return best
}

// laid is a side of a hunk beside a file.
type laid struct {
	lines []int // of the file, by line of the side; -1 for one that is not there
	found int   // telling lines that are there
}

// alongside lays a side beside a file so that its line i is the line anchor of the file, and the others follow in order.
func alongside(side []string, tells []bool, i, anchor int, at map[string][]int) laid {
	l := laid{lines: make([]int, len(side))}
	previous := anchor - i - hunkSlack - 1
	for k, text := range side {
		l.lines[k] = -1
		want := anchor + k - i
		n, _ := slices.BinarySearch(at[text], max(previous+1, want-hunkSlack))
		for _, line := range at[text][n:] {
			if line > want+hunkSlack {
				break
			}
			if k == i && line != anchor {
				continue
			}
			l.lines[k], previous = line, line
			if tells[k] {
				l.found++
			}
			break
		}
	}
	return l
}

// lineOf is the line of the file for a line of the side, by its neighbours where it is not there.
func (l laid) lineOf(k int) int {
	for d := range len(l.lines) {
		if k-d >= 0 && l.lines[k-d] >= 0 {
			return l.lines[k-d] + d
		}
		if k+d < len(l.lines) && l.lines[k+d] >= 0 {
			return max(0, l.lines[k+d]-d)
		}
	}
	return 0
}
