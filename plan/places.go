package plan

import (
	"regexp"
	"strconv"
	"strings"

	"agenvantage"
)

// Place is a path as people paste it, with the lines that stood with it.
type Place struct {
	Path string           // with slashes; without the scheme, the host and the revision of a URL
	Span agenvantage.Span // the zero Span where no line was named; one that ends before it starts, or does so below 1, names no lines
}

// linesSuffix is what stands behind a path that names lines of it. Groups by pairs: the first and the last line. A number behind a colon or
// a comma is a column, which says nothing; where a column is given for the first line alone, what follows the dash is a column too.
var linesSuffix = regexp.MustCompile(`(?:` + strings.Join([]string{
	`:L?(?P<a>\d+)(?P<column>:\d+)?(?:-L?(?P<b>\d+)(?P<column2>:\d+)?)?`, // :12  :12:5  :12-20  :12:5-9  :12:5-20:9
	`#L(?P<a>\d+)(?:C\d+)?(?:-L?(?P<b>\d+)(?:C\d+)?)?`,                   // #L12  #L12-L20  #L12-20  #L12C5-L20C9
	`#lines-(?P<a>\d+)(?::(?P<b>\d+))?`,                                  // #lines-12:20
	`\((?P<a>\d+)(?:,\d+(?:,(?P<b>\d+),\d+|-\d+)?|-(?P<b>\d+)|:\d+)?\)`,  // (12)  (12,5)  (12,5,20,9)  (12-20)
	`:\[(?P<a>\d+),\d+\]`,                                  // :[12,5]
	`:\((?P<a>\d+),\d+\)-\((?P<b>\d+),\d+\)`}, `|`) + `)$`) // :(12,5)-(20,9)

// CutLines divides a location into a path and the lines behind it: tree.go:12, tree.go:10-20, tree.go#L10-L20, tree.go(12,3) and the like. What
// the path is, is not looked at. ok is false where no lines stand behind it.
func CutLines(location string) (path string, span agenvantage.Span, ok bool) {
	m := linesSuffix.FindStringSubmatchIndex(location)
	if m == nil || m[0] == 0 {
		return location, agenvantage.Span{}, false
	}
	var first, last, column, column2 string
	for i, name := range linesSuffix.SubexpNames() {
		if i == 0 || m[2*i] < 0 {
			continue
		}
		text := location[m[2*i]:m[2*i+1]]
		switch name {
		case "a":
			first = text
		case "b":
			last = text
		case "column":
			column = text
		case "column2":
			column2 = text
		}
	}
	if last == "" || column != "" && column2 == "" {
		last = first
	}
	return location[:m[0]], agenvantage.Span{StartLine: lineNumber(first), EndLine: lineNumber(last)}, true
}

// lineNumber is the number of a line, -1 for one that no file has.
func lineNumber(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > maxLine {
		return -1
	}
	return n
}

// maxLine is the greatest number that is read as one of a line.
const maxLine = 1 << 30

// ParsePlace reads a text as the place that it is or holds: what stands around a place (quotes, brackets, a full stop, the URL of a code host,
// the words of a message or of a stack frame) is left out. A text without white space need not look like a path; of a longer one the only
// place that it holds is taken. ok is false where there is none, or more than one.
func ParsePlace(text string) (place Place, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, " \t\r\n") {
		word := withoutScheme(trimPlace(text))
		path, span, _ := CutLines(word)
		path = strings.ReplaceAll(path, `\`, "/")
		return Place{path, span}, strings.Trim(path, "/.") != ""
	}
	q := agenvantage.Query{Text: text, Short: true}
	readFrames(&q)
	if len(q.Frames) == 1 {
		f := q.Frames[0]
		return Place{f.Path, agenvantage.Span{StartLine: f.Line, EndLine: max(f.Line, f.EndLine)}}, true
	}
	if len(q.Frames) == 0 {
		if readWords(&q); len(q.Paths) == 1 {
			return Place{Path: q.Paths[0]}, true
		}
	}
	return Place{}, false
}

// trimPlace takes off what stands around a place in a text.
func trimPlace(word string) string {
	if i := strings.Index(word, "://"); i > 0 { // [text](https://…)
		for i > 0 && (isLetter(rune(word[i-1])) || word[i-1] == '-' || word[i-1] == '+') {
			i--
		}
		word = word[i:]
	}
	word = strings.TrimLeft(word, "([{<\"'`")
	for word != "" {
		last := word[len(word)-1]
		closes := last == ')' && !strings.Contains(word, "(") || last == ']' && !strings.Contains(word, "[")
		if !closes && strings.IndexByte(".,;:!?\"'`>}", last) < 0 {
			break
		}
		word = word[:len(word)-1]
	}
	return word
}

// hostedFile is the way to a file on a code host, up to the revision; what stands behind it is the path.
var hostedFile = regexp.MustCompile(`/(?:blob|blame|raw|tree|src|edit|commits)/[^/]+/`)

// withoutScheme is a path of a URL, with its fragment; other words stay as they are. Of a page of a code host it is the path in the repository, as far
// as it can be told: a revision with a slash leaves its end before it.
func withoutScheme(word string) string {
	i := strings.Index(word, "://")
	if i < 0 {
		return strings.TrimPrefix(word, "node:")
	}
	scheme, path := word[:i], word[i+len("://"):]
	fragment := ""
	if j := strings.IndexByte(path, '#'); j >= 0 {
		path, fragment = path[:j], path[j:]
	}
	if j := strings.IndexByte(path, '?'); j >= 0 {
		lines := ""
		if m := linesSuffix.FindStringIndex(path); m != nil && m[0] > j {
			lines = path[m[0]:]
		}
		path = path[:j] + lines
	}
	if scheme == "http" || scheme == "https" {
		host, rest, _ := strings.Cut(path, "/")
		if path = rest; host == "" || rest == "" {
			return ""
		}
		if m := hostedFile.FindStringIndex("/" + path); m != nil {
			path = path[m[1]-1:]
		}
	}
	return path + fragment
}

// urlPath is the path of a file that a URL leads to, without lines, "" for a URL of something else.
func urlPath(word string) string {
	word = trimPlace(word)
	scheme, _, ok := strings.Cut(word, "://")
	if !ok {
		return ""
	}
	path, _, lined := CutLines(withoutScheme(word))
	hosted := hostedFile.MatchString(word) || strings.HasPrefix(word, rawFiles)
	if strings.HasPrefix(scheme, "http") && !lined && !hosted {
		return ""
	}
	path, _, _ = strings.Cut(path, "#")
	if p, ok := asPath(path); ok {
		return p
	}
	if hosted && folderPath.MatchString("./"+path) {
		return path // a folder, or a file without an extension
	}
	return ""
}

// rawFiles is where a code host has the text of files alone.
const rawFiles = "https://raw.githubusercontent.com/"

// placesIn returns the words of a line that are a path with lines: cli.go:12, src/a.ts(12,5), a.c:12:3: error. Of a short text also URLs, and
// lines in words: "cli.go line 12", "line 12 of cli.go".
func placesIn(line string, short bool) []agenvantage.Frame {
	if !short && !strings.ContainsAny(line, ":(#") {
		return nil
	}
	var found []agenvantage.Frame
	words := strings.Fields(line)
	for i, word := range words {
		word = trimPlace(word)
		if short {
			word = withoutScheme(word)
		}
		path, span, ok := CutLines(word)
		if !ok && short {
			span, ok = linesInWords(words, i)
		}
		if !ok || span.StartLine < 1 {
			continue
		}
		if path, ok = asPath(path); !ok {
			continue
		}
		f := frame(path, strconv.Itoa(span.StartLine), "")
		if span.EndLine > span.StartLine {
			f.EndLine = span.EndLine
		}
		found = append(found, f)
	}
	return found
}

var (
	lineWord    = regexp.MustCompile(`(?i)^(?:lines?|ln)$`)
	lineNumeral = regexp.MustCompile(`(?i)^L?(\d+)(?:[-–]L?(\d+))?$`)
)

// linesInWords finds the lines that the words beside the word at i name.
func linesInWords(words []string, i int) (agenvantage.Span, bool) {
	at := func(j int) string {
		if j < 0 || j >= len(words) {
			return ""
		}
		return strings.Trim(words[j], "(),.;:!?")
	}
	number := func(j int) (agenvantage.Span, bool) {
		m := lineNumeral.FindStringSubmatch(at(j))
		if m == nil {
			return agenvantage.Span{}, false
		}
		span := agenvantage.Span{StartLine: lineNumber(m[1]), EndLine: lineNumber(m[2])}
		if last := lineNumeral.FindStringSubmatch(at(j + 2)); at(j+1) == "to" && last != nil {
			span.EndLine = lineNumber(last[1])
		}
		return span, true
	}
	next := i + 1
	if w := at(next); w == "on" || w == "at" {
		next++
	}
	switch {
	case lineWord.MatchString(at(next)):
		return number(next + 1)
	case strings.HasPrefix(at(next), "L"):
		return number(next)
	case (at(i-1) == "of" || at(i-1) == "in") && lineWord.MatchString(at(i-3)):
		return number(i - 2)
	case (at(i-1) == "of" || at(i-1) == "in") && lineWord.MatchString(at(i-5)) && at(i-3) == "to":
		return number(i - 4)
	}
	return agenvantage.Span{}, false
}

// isPlace reports whether a word is a path with lines.
func isPlace(word string) bool {
	return !strings.ContainsAny(word, " \t\r\n") && len(placesIn(word, true)) == 1
}

// proseAt is a sentence that reads like a line of a trace: "look at the code in cli.go:12".
var proseAt = regexp.MustCompile(`\bat (?:[^\s(]+ ){2,}[^\s(]+:\d+`)

// isProse reports whether a line with a place is a sentence, where the forms of traces would take it for one of theirs.
func isProse(line string) bool {
	line = strings.NewReplacer("at async ", "at ", "at new ", "at ").Replace(line)
	return !strings.Contains(line, "(") && proseAt.MatchString(line)
}
