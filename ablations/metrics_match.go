package ablations

import (
	"slices"
	"strings"

	"agenvantage"
)

// pathRule says when the path of a result is the file that a task names.
type pathRule struct {
	root  string // folder that was searched, relative to the top of the repository, without slashes around it
	exact bool
}

func ruleOf(t Task) pathRule {
	return pathRule{root: strings.Trim(t.Root, "/"), exact: t.Match != MatchSuffix}
}

// relative is path with forward slashes, relative to the searched root: a result and an annotation may each be relative to
// the root or to the top of the repository.
func (p pathRule) relative(path string) string {
	path = strings.ReplaceAll(path, "\\", "/")
	for strings.HasPrefix(path, "./") {
		path = path[2:]
	}
	if p.root != "" {
		if rest, ok := strings.CutPrefix(path, p.root+"/"); ok {
			return rest
		}
	}
	return path
}

// same compares a result's path, given as it is and as relative makes it, with a target's. The suffix rule is that of the
// code search annotations: equal, or one ends with "/" and the other. It does not cut the root off the target, as the
// annotations' scorer does not.
func (p pathRule) same(path, relative, target string) bool {
	if p.exact {
		return path == target || relative == p.relative(target)
	}
	target = strings.ReplaceAll(target, "\\", "/")
	return relative == target || endsInPath(relative, target) || endsInPath(target, relative)
}

// endsInPath reports whether path ends with "/" and tail.
func endsInPath(path, tail string) bool {
	cut := len(path) - len(tail)
	return cut > 0 && path[cut-1] == '/' && path[cut:] == tail
}

// matched is an answer beside what its task names, each pair of paths compared once.
type matched struct {
	task     Task
	ranking  Ranking
	rule     pathRule
	units    []Unit
	pathOf   []int    // unit to its place in paths
	paths    []string // distinct, in the order of their first unit
	relative []string // paths without the root
	fileAt   []int    // 1-based rank of the path when repeats of a file are left out, 0 for a repeat
	compared map[string][]bool
}

func matchAnswer(t Task, r Ranking) *matched {
	m := &matched{task: t, ranking: r, rule: ruleOf(t), units: r.Units, compared: map[string][]bool{}}
	m.pathOf = make([]int, len(r.Units))
	place, files := map[string]int{}, map[string]bool{}
	for i, u := range r.Units {
		p, ok := place[u.Path]
		if !ok {
			p = len(m.paths)
			place[u.Path] = p
			m.paths = append(m.paths, u.Path)
			relative, rank := m.rule.relative(u.Path), 0
			if !files[relative] {
				files[relative] = true
				rank = len(files)
			}
			m.relative, m.fileAt = append(m.relative, relative), append(m.fileAt, rank)
		}
		m.pathOf[i] = p
	}
	return m
}

// same says for each of m.paths whether it is the file that the task calls target.
func (m *matched) same(target string) []bool {
	if known, ok := m.compared[target]; ok {
		return known
	}
	same := make([]bool, len(m.paths))
	for i, path := range m.paths {
		same[i] = m.rule.same(path, m.relative[i], target)
	}
	m.compared[target] = same
	return same
}

// rankTarget is a file, or one range of lines of it.
type rankTarget struct {
	path  string
	span  agenvantage.Span
	whole bool
}

// rankTargets lists the targets of nDCG: gold before optional, each range by itself.
func rankTargets(t Task) (list []rankTarget) {
	for _, group := range [][]Target{t.Gold, t.Optional} {
		for _, target := range group {
			if len(target.Ranges) == 0 {
				list = append(list, rankTarget{path: target.Path, whole: true})
			}
			for _, span := range target.Ranges {
				list = append(list, rankTarget{path: target.Path, span: span})
			}
		}
	}
	return list
}

// firstUnit is the 1-based rank of the first unit that hits the target, 0 for none. A unit without lines hits any range.
func (m *matched) firstUnit(t rankTarget, same []bool) int {
	for i := range m.units {
		if m.hits(i, t, same) {
			return i + 1
		}
	}
	return 0
}

// hits reports whether a unit is of the target's file, of which same tells, and shares a line with its range.
func (m *matched) hits(unit int, t rankTarget, same []bool) bool {
	u := m.units[unit]
	return same[m.pathOf[unit]] && (t.whole || u.Start == 0 || unitSpan(u).Overlaps(t.span))
}

// firstFile is the 1-based rank of the first file that is the target, repeats of a file left out, 0 for none.
func (m *matched) firstFile(same []bool) int {
	for i, rank := range m.fileAt {
		if same[i] && rank > 0 {
			return rank
		}
	}
	return 0
}

// fileRank is the 1-based place of the target among the files of the search, 0 for none.
func (m *matched) fileRank(target string) int {
	if m.ranking.Files == nil {
		return slices.Index(m.same(target), true) + 1
	}
	for i, path := range m.ranking.Files {
		if m.rule.same(path, m.rule.relative(path), target) {
			return i + 1
		}
	}
	return 0
}

// goldFile is what a task wants of one file. Several targets of one path are one file.
type goldFile struct {
	path  string
	lines []agenvantage.Span // sorted, disjoint; those of every target of the path
	whole bool               // any line is evidence
}

// goldFiles lists the gold files in the order of their first target.
func goldFiles(t Task) (list []goldFile) {
	for _, target := range t.Gold {
		i := slices.IndexFunc(list, func(g goldFile) bool { return g.path == target.Path })
		if i < 0 {
			i = len(list)
			list = append(list, goldFile{path: target.Path})
		}
		list[i].lines = append(list[i].lines, target.Ranges...)
		list[i].whole = list[i].whole || len(target.Ranges) == 0
	}
	for i := range list {
		list[i].lines = mergeSpans(list[i].lines)
	}
	return list
}

// contextFiles lists the context of a task by file, in the order of the first place.
func contextFiles(t Task) (list []goldFile) {
	for _, place := range t.Context {
		i := slices.IndexFunc(list, func(g goldFile) bool { return g.path == place.Path })
		if i < 0 {
			i = len(list)
			list = append(list, goldFile{path: place.Path})
		}
		list[i].lines = append(list[i].lines, place.Span)
	}
	for i := range list {
		list[i].lines = mergeSpans(list[i].lines)
	}
	return list
}

// unitSpan is the lines that a unit shows. A unit without an end, or whose end is before its start, shows one line.
func unitSpan(u Unit) agenvantage.Span {
	return agenvantage.Span{StartLine: u.Start, EndLine: max(u.Start, u.End)}
}

// spanLines counts lines. Unlike Span.Lines it counts the line 0 of a unit whose lines are not known.
func spanLines(s agenvantage.Span) int { return max(0, s.EndLine-s.StartLine+1) }

func overlapOf(a, b agenvantage.Span) agenvantage.Span {
	return agenvantage.Span{StartLine: max(a.StartLine, b.StartLine), EndLine: min(a.EndLine, b.EndLine)}
}

// mergeSpans returns the same lines as sorted spans that do not touch. Empty spans are left out.
func mergeSpans(spans []agenvantage.Span) []agenvantage.Span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b agenvantage.Span) int {
		if a.StartLine != b.StartLine {
			return a.StartLine - b.StartLine
		}
		return a.EndLine - b.EndLine
	})
	out := sorted[:0]
	for _, s := range sorted {
		switch {
		case spanLines(s) == 0:
		case len(out) > 0 && s.StartLine <= out[len(out)-1].EndLine+1:
			out[len(out)-1].EndLine = max(out[len(out)-1].EndLine, s.EndLine)
		default:
			out = append(out, s)
		}
	}
	return out
}

// countLines sums the lines of disjoint spans.
func countLines(spans []agenvantage.Span) (n int) {
	for _, s := range spans {
		n += spanLines(s)
	}
	return n
}
