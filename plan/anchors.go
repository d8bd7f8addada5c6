package plan

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// Bounds of the anchors of a task, by kind. Names and keys of a pasted program are many and say little one by one.
const (
	maxAnchorFrames  = 24
	maxAnchorPaths   = 32
	maxAnchorNames   = 32
	maxAnchorTests   = 16
	maxAnchorRoutes  = 16
	maxAnchorKeys    = 24
	maxAnchorStrings = 12
	maxStringBytes   = 160
)

// anchorReader collects anchors by kind.
type anchorReader struct {
	text   string
	page   page
	query  agenvantage.Query
	frames []agenvantage.Anchor
	framed map[agenvantage.Anchor]bool
	paths  *bag
	tests  *bag
	names  *bag
	routes *bag
	keys   *bag
	texts  *bag
}

// readAnchors returns what a task names exactly: first the seeds, then, in this order, frames, paths, tests, identifiers,
// routes, configuration keys and strings, each in the order of the text. What the output of the failing program names
// comes before what the text does; q is the task's question. Names in prose come before those that only code holds.
func readAnchors(text string, p page, q agenvantage.Query, o TaskOptions) []agenvantage.Anchor {
	r := &anchorReader{text: text, page: p, framed: make(map[agenvantage.Anchor]bool),
		paths: newBag(maxAnchorPaths), tests: newBag(maxAnchorTests), names: newBag(maxAnchorNames), routes: newBag(maxAnchorRoutes),
		keys: newBag(maxAnchorKeys), texts: newBag(maxAnchorStrings)}
	seeds := seedAnchors(o.Seeds)
	if o.Output != nil {
		r.output(*o.Output)
	}
	if strings.TrimSpace(text) != "" {
		pasted := readOutput(text)
		r.output(Output{Frames: pasted.traced(), Tests: pasted.tests.list, Messages: pasted.stated()})
		if r.query = q; o.Output != nil { // q is of the output too
			r.query, _ = Parse(text, ParseOptions{}) // no bad input: ReadTask has parsed it with the output
		}
		if r.query.Class != agenvantage.ClassRegex {
			r.read()
		}
	}
	out := slices.Concat(seeds, r.frames)
	for _, group := range []struct {
		kind agenvantage.AnchorKind
		list []string
	}{{agenvantage.AnchorPath, r.paths.list}, {agenvantage.AnchorTest, r.tests.list}, {agenvantage.AnchorIdentifier, r.names.list},
		{agenvantage.AnchorRoute, r.routes.list}, {agenvantage.AnchorConfigKey, r.keys.list}, {agenvantage.AnchorString, r.texts.list}} {
		for _, s := range group.list {
			out = append(out, agenvantage.Anchor{Kind: group.kind, Text: s})
		}
	}
	return distinct(out)
}

func distinct(list []agenvantage.Anchor) []agenvantage.Anchor {
	seen := make(map[agenvantage.Anchor]bool)
	return slices.DeleteFunc(list, func(a agenvantage.Anchor) bool {
		again := seen[a]
		seen[a] = true
		return again
	})
}

// seedAnchors are the paths that the caller gave, with slashes; one with a line is a frame.
func seedAnchors(seeds []string) []agenvantage.Anchor {
	var out []agenvantage.Anchor
	for _, s := range seeds {
		s = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(s), `\`, "/"), "./")
		a := agenvantage.Anchor{Kind: agenvantage.AnchorPath, Text: s}
		if path, span, ok := CutLines(s); ok && span.StartLine > 0 {
			a = agenvantage.Anchor{Kind: agenvantage.AnchorFrame, Text: path, Line: span.StartLine}
		}
		if a.Text != "" {
			out = append(out, a)
		}
	}
	return out
}

// output adds what the output of a program names.
func (r *anchorReader) output(out Output) {
	for _, f := range out.Frames {
		r.frame(f)
	}
	for _, name := range out.Tests {
		if file, test, ok := strings.Cut(name, "::"); ok {
			if path, isFile := asPath(file); isFile {
				r.paths.add(path)
				r.tests.add(strings.TrimSpace(test))
				continue
			}
		}
		r.tests.add(name)
	}
	for _, m := range out.Messages[:min(len(out.Messages), 4)] {
		r.texts.add(messageText(m))
	}
}

func (r *anchorReader) frame(f agenvantage.Frame) {
	a := agenvantage.Anchor{Kind: agenvantage.AnchorFrame, Text: strings.TrimPrefix(f.Path, ".../"), Line: f.Line}
	if f.Path == "" || f.Line < 1 || r.framed[a] || len(r.frames) == maxAnchorFrames {
		return
	}
	r.framed[a] = true
	r.frames = append(r.frames, a)
}

var errorPrefix = regexp.MustCompile(`^(?:[\w.$\\:]+(?:Error|Exception|Failure|Warning|Panic)|[Ee]rror|[Ff]atal|panic|[Ff]atal error)(?:\[\w+\])?:\s+`)

// messageText is a message without the name of its error, as the program that made it holds it; "" when it is a single word.
func messageText(message string) string {
	text := errorPrefix.ReplaceAllString(message, "")
	if len(strings.Fields(text)) < 2 || len(text) > maxStringBytes {
		return ""
	}
	return text
}

// read adds what the text names.
func (r *anchorReader) read() {
	prose := strings.Join(r.page.prose, "\n")
	lists := []*bag{r.paths, r.tests, r.routes, r.keys, r.texts}
	var before []int // what the output gave stays first
	for _, b := range lists {
		before = append(before, len(b.list))
	}
	for _, f := range r.query.Frames {
		if !isPseudo(f.Path) {
			r.frame(f)
		}
	}
	r.readRoutes(prose)
	r.readTests()
	for _, path := range r.query.Paths {
		r.path(path)
	}
	r.readKeys(prose)
	r.readNames(prose)
	r.readStrings()
	for i, b := range lists {
		sortByPlace(r.text, b.list[before[i]:])
	}
}

// sortByPlace puts names in the order in which they first stand in text; one that was changed on reading comes last.
func sortByPlace(text string, names []string) {
	places := make(map[string]int, len(names))
	for _, n := range names {
		if places[n] = strings.Index(text, n); places[n] < 0 {
			places[n] = len(text)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(places[a], places[b]) })
}

var testFile = regexp.MustCompile(`(?i)(?:[._-](?:spec|test|tests)\.[a-z]+|(?:^|/)test_[^/]*\.py|_test\.(?:go|py|rb|exs|dart|cc|cpp)|_spec\.rb|tests?\.(?:java|kt|cs|php|swift|scala))$`)

// sourceRoots are first folders that make a path of two names one: src/cart, but not and/or.
var sourceRoots = setOf(`src lib libs test tests spec pkg cmd app apps docs doc internal packages components pages scripts config examples
	migrations templates include crates`)

// path adds a path-looking word of the text: as a test when its name says so. A word with one slash and no extension has
// to look like more than "read/write".
func (r *anchorReader) path(path string) {
	for a := range r.framed {
		if a.Text == path {
			return
		}
	}
	path = strings.TrimPrefix(path, ".../")
	if r.routes.seen[path] || r.routes.seen["/"+path] || isPseudo(path) {
		return
	}
	if testFile.MatchString(path) {
		r.tests.add(path)
		return
	}
	base := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	dot := strings.LastIndexByte(base, '.')
	root, _, _ := strings.Cut(strings.ToLower(path), "/")
	switch {
	case dot >= 0 && extensions[base[dot+1:]], fileNames[base], strings.HasSuffix(path, "/"), sourceRoots[root],
		strings.HasPrefix(path, "../"), folderPath.MatchString(path) && strings.Contains(r.text, "`"+path+"`"):
		r.paths.add(path)
	case strings.Count(path, "/") >= 2 && isFolderPath(path):
		r.paths.add(path)
	}
}

var folderPath = regexp.MustCompile(`^[\w.@-]+(?:/[\w.@\[\]*-]+)+$`)

// isFolderPath reports whether path is made of names alone, at least one of them of three letters: not a/b/c.
func isFolderPath(path string) bool {
	return folderPath.MatchString(path) && slices.ContainsFunc(strings.Split(path, "/"), func(s string) bool { return len(s) > 2 })
}

// isPseudo reports whether a path of a frame is no file: <stdin>, <frozen os>, [native code].
func isPseudo(path string) bool {
	return path == "" || path[0] == '<' || path[0] == '[' || path == "native" || strings.HasPrefix(path, "(")
}

var (
	pytestID  = regexp.MustCompile(`([\w./-]+\.py)::(\w+(?:::\w+)*)`)
	described = regexp.MustCompile("\\b(?:describe|context|it|test|specify|scenario)(?:\\.\\w+)?\\(\\s*(?:\"([^\"\n]{3,160})\"|'([^'\n]{3,160})'|`([^`\n]{3,160})`)")
	testName  = regexp.MustCompile(`^(?:test_\w+|Test[A-Z_]\w*|test[A-Z]\w+|Benchmark[A-Z]\w*|Fuzz[A-Z]\w*|\w+(?:Test|Tests|Spec)|\w+_test)$`)
)

// readTests adds the names of tests.
func (r *anchorReader) readTests() {
	for _, m := range pytestID.FindAllStringSubmatch(r.text, maxAnchorTests) {
		r.paths.add(strings.TrimPrefix(m[1], "./"))
		r.tests.add(m[2])
	}
	for _, m := range described.FindAllStringSubmatch(r.text, maxAnchorTests) {
		r.tests.add(strings.TrimSpace(m[1] + m[2] + m[3]))
	}
	for _, name := range r.query.Identifiers {
		if testName.MatchString(name) {
			r.tests.add(name)
		}
	}
}

// readNames adds identifiers and qualified names: those of the prose first, each group in the order of the text.
func (r *anchorReader) readNames(prose string) {
	var names []string
	for _, n := range r.query.Qualified {
		if parts := SplitQualified(n); !r.keys.seen[n] && len(parts[len(parts)-1]) > 1 && !versionNumber.MatchString(n) && !isAbbreviation(n) {
			names = append(names, n)
		}
	}
	for _, n := range r.query.Identifiers {
		if !r.keys.seen[n] && !r.tests.seen[n] && len(n) > 2 && !builtins[strings.ToLower(n)] && !dimension.MatchString(n) && !(isWide(n) && len(n) > 24) {
			names = append(names, n)
		}
	}
	sortByPlace(r.text, names)
	for _, inProse := range []bool{true, false} {
		for _, n := range names {
			if strings.Contains(prose, n) == inProse {
				r.names.add(n)
			}
		}
	}
}

// dimension is a word that is no name although it looks like one: x64, 3d, v2, 10ms, amd64, _Emphasis of Markdown.
var dimension = regexp.MustCompile(`(?i)^(?:\d+[a-z]{0,3}|v\d+|x\d{2}|[a-z]\d?|amd64|arm64|x86_64|utf_?8)$|^_[A-Z][a-z]+$`)

// builtins are names that languages hold, not projects.
var builtins = setOf(`print str int float bool list dict tuple set len type object self this super true false null none nil undefined nan open
	range map filter string number boolean array int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 void char
	double long byte bytes yes no on off default error exception err std printf println describe it expect console function
	class return import typeerror valueerror keyerror indexerror attributeerror nameerror runtimeerror importerror
	assertionerror notimplementederror zerodivisionerror unboundlocalerror modulenotfounderror recursionerror
	nullpointerexception illegalargumentexception illegalstateexception userwarning deprecationwarning`)

// isWide reports whether a name holds characters of a script without spaces, in which a sentence looks like one word.
func isWide(s string) bool {
	return len(scriptParts(s)) != 1 || strings.ContainsFunc(s, func(r rune) bool { return r >= 0x2e80 })
}

var abbreviation = regexp.MustCompile(`^(?:[A-Za-z]\.)+[A-Za-z]?$`)

// isAbbreviation reports whether a word is made of single letters and dots, or joins two sentences: "done.Then".
func isAbbreviation(s string) bool {
	head, tail, _ := strings.Cut(s, ".")
	return abbreviation.MatchString(s) || analysis.IsStopWord(strings.ToLower(head)) || analysis.IsStopWord(strings.ToLower(tail))
}

// readStrings adds quotations that a program could hold: several words, or one that is called a label or a message.
func (r *anchorReader) readStrings() {
	for _, line := range r.page.prose {
		for _, s := range analysis.QuotedSpans(line) {
			text := strings.TrimSpace(line[s.Start:s.End])
			if len(text) > maxStringBytes || !strings.ContainsFunc(text, isLetter) {
				continue
			}
			if line[s.Start-1] == '`' && strings.ContainsAny(text, "(){}=;<>$|\\") {
				continue // code
			}
			inside := strings.Trim(text, "\"'")
			switch {
			case r.tests.seen[inside]:
			case len(strings.Fields(inside)) >= 2 && !strings.HasPrefix(inside, "--"):
				r.texts.add(messageText(inside))
			case labelled(line[max(0, s.Start-1-labelBytes):s.Start-1], line[s.End+1:min(len(line), s.End+1+labelBytes)]) && !strings.ContainsAny(inside, "/._"):
				r.texts.add(inside)
			}
		}
	}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f }

// labelBytes is how far from a quotation the word stands that calls it a label: a line may be the whole text.
const labelBytes = 40

var (
	labelBefore = regexp.MustCompile(`(?i)\b(?:button|label|message|title|tab|menu|heading|header|link|text|column|field|placeholder|tooltip|banner|says?|saying|called|named|shows?|reads?|prints?|labell?ed)[ :]*$`)
	labelAfter  = regexp.MustCompile(`(?i)^ *(?:button|label|message|title|tab|menu|heading|header|link|text|column|field|placeholder|tooltip|banner|page|screen|dialog|section|error|warning)\b`)
)

// labelled reports whether the words beside a quotation call it something that is shown.
func labelled(before, after string) bool {
	return labelBefore.MatchString(before) || labelAfter.MatchString(after)
}
