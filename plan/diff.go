package plan

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// A diff that somebody pastes is not what a version control system prints: it begins anywhere, ends anywhere, has lost the blank at the
// end of empty lines, may have no paths and stands in a fence. So nothing here is an error; scan/history reads the exact format.

// Bounds of a pasted diff.
const (
	maxHunks     = 32
	maxHunkLines = 256 // kept of each hunk
)

// hunkHeader is the line before a hunk: ranges of the old and the new side, and what git takes for the function.
var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$`)

// diffLine finds the lines of a diff's header that say nothing about places.
var diffLine = regexp.MustCompile(`^(?:index [0-9a-f]{4,}|(?:old|new|deleted file|new file) mode \d|(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files |GIT binary patch|\\ No newline|` + "(?:```|~~~)" + `)`)

// diffReader collects the hunks of a text.
type diffReader struct {
	hunks    []agenvantage.Hunk
	oldPath  string
	newPath  string
	old, new int  // lines that are left of the last hunk
	inside   bool // of a hunk
	full     bool // that is one too many to be kept
	around   int  // words that are no part of the diff
}

// parseDiff reads a text that is a diff, with at most a few words around it. The places of its hunks are what is asked for.
func parseDiff(text string) (agenvantage.Query, bool) {
	if !strings.Contains(text, "@@ -") {
		return agenvantage.Query{}, false
	}
	var r diffReader
	for line := range strings.SplitSeq(text, "\n") {
		r.line(strings.TrimSuffix(line, "\r"))
	}
	if len(r.hunks) == 0 || r.around > issueWords {
		return agenvantage.Query{}, false
	}
	q := agenvantage.Query{Text: text, Class: agenvantage.ClassPath, Short: true, Hunks: r.hunks}
	paths, names := newBag(maxPaths), newBag(maxIdentifiers)
	var contents []string
	for _, h := range r.hunks {
		path := cmp.Or(h.OldPath, h.NewPath)
		paths.add(path)
		paths.add(h.NewPath)
		names.add(h.Function)
		if f := (agenvantage.Frame{Path: path, Line: max(1, h.OldStart), Function: h.Function, EndLine: h.OldStart + h.OldLines - 1}); path != "" {
			q.Frames = append(q.Frames, f)
		}
		for _, l := range h.Lines {
			contents = append(contents, l[1:])
		}
	}
	q.Paths, q.Identifiers = paths.list, names.list
	q.Terms = termsOf(strings.Join(contents, "\n"))
	if len(q.Terms) == 0 { // a hunk of brackets
		q.Terms = analysis.QueryTerms(text)
	}
	return q, true
}

// line takes one line.
func (r *diffReader) line(line string) {
	if r.inside && r.content(line) {
		return
	}
	r.inside = false
	if m := hunkHeader.FindStringSubmatch(line); m != nil {
		r.begin(m)
		return
	}
	switch {
	case strings.HasPrefix(line, "diff --git "):
		r.oldPath, r.newPath = bothPaths(line[len("diff --git "):])
	case strings.HasPrefix(line, "--- "):
		r.oldPath = sidePath(line[4:], "a/")
	case strings.HasPrefix(line, "+++ "):
		r.newPath = sidePath(line[4:], "b/")
	case diffLine.MatchString(line):
	default:
		r.around += len(strings.Fields(line))
	}
}

// begin starts the hunk of a header. A count that is left out is 1.
func (r *diffReader) begin(m []string) {
	number := func(i, otherwise int) int {
		if n, err := strconv.Atoi(m[i]); err == nil && n <= maxLine {
			return n
		}
		return otherwise
	}
	h := agenvantage.Hunk{OldPath: r.oldPath, NewPath: r.newPath, OldStart: number(1, 0), OldLines: number(2, 1), NewStart: number(3, 0), NewLines: number(4, 1),
		Function: headerFunction(m[5])}
	r.old, r.new, r.inside = h.OldLines, h.NewLines, true
	if r.full = len(r.hunks) == maxHunks; !r.full {
		r.hunks = append(r.hunks, h)
	}
}

// content takes a line of a hunk, and reports false for a line that is none. Beyond the counts of the header only what can be nothing else is one.
func (r *diffReader) content(line string) bool {
	mark := byte(' ')
	if line != "" {
		mark = line[0]
	}
	over := r.old <= 0 && r.new <= 0
	switch {
	case strings.IndexByte(" +-", mark) < 0 || over && (line == "" || strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ")):
		return mark == '\\'
	case line == "":
		line = " "
	}
	if mark != '+' {
		r.old--
	}
	if mark != '-' {
		r.new--
	}
	if h := &r.hunks[len(r.hunks)-1]; !r.full && len(h.Lines) < maxHunkLines {
		h.Lines = append(h.Lines, line)
	}
	return true
}

// sidePath is the path of a "---" or "+++" line, "" for /dev/null; what stands behind a tab is a time.
func sidePath(s, prefix string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\t")
	if s = unquotedPath(s); s == "/dev/null" {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(s, prefix), "./")
}

// unquotedPath reads a path that git has quoted because of its characters.
func unquotedPath(s string) string {
	if strings.HasPrefix(s, `"`) {
		if u, err := strconv.Unquote(s); err == nil {
			return u
		}
	}
	return s
}

// bothPaths reads the two paths of a "diff --git" line; of paths with blanks those are taken that differ in nothing but a/ and b/.
func bothPaths(s string) (old, new string) {
	words := strings.Fields(s)
	if half := (len(s) - 1) / 2; len(words) != 2 && half > 0 && len(s)%2 == 1 && s[half] == ' ' {
		words = []string{s[:half], s[half+1:]}
	}
	if len(words) != 2 {
		return "", ""
	}
	return sidePath(words[0], "a/"), sidePath(words[1], "b/")
}

// The forms in which the header of a hunk names what it is in, tried in this order.
var headerForms = []*regexp.Regexp{
	regexp.MustCompile(`\b(?:class|struct|impl(?:<[^>]*>)?(?: [\w:<>]+ for)?|interface|trait|enum|module|object|namespace|protocol|extension|record)\s+([A-Za-z_][\w.:]*)`),
	regexp.MustCompile(`\b(?:def|defp|fn|func|fun|function|sub|proc|macro)\s+(?:self\.|\w+\.)?([A-Za-z_]\w*[?!]?)`),
	regexp.MustCompile(`([A-Za-z_$][\w$]*)(?:<[^()]*>|\[[^()]*\])?\(`),
	regexp.MustCompile(`\b(?:var|const|let|val|type)\s+([A-Za-z_$][\w$]*)`),
}

// controlWords stand before a bracket and are no function.
var controlWords = setOf(`if for while switch func function return catch match with elif`)

// headerFunction is the name in what stands behind the ranges of a hunk, "" where there is none.
func headerFunction(context string) string {
	for _, form := range headerForms {
		for _, m := range form.FindAllStringSubmatch(context, -1) {
			parts := SplitQualified(strings.TrimRight(m[1], ".:"))
			if name := parts[len(parts)-1]; name != "" && !controlWords[name] {
				return name
			}
		}
	}
	return ""
}
