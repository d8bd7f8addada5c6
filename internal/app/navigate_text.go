package app

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// region is what a place of a text is a part of.
type region uint8

const (
	inCode region = iota
	inComment
	inString
)

// occurrence is one place where a name stands as a word.
type occurrence struct {
	start, end int
	line       int // from 1
	in         region
	directive  bool   // in a comment that a tool reads
	before     string // the qualifiers with their separators: "a.b." of a.b.name, ")." of f().name, "" of a plain name
}

// lexicon says what are comments and strings in a language. It is a reading of the surface: where it errs it should take
// code for a string rather than for a comment, since only comments are left out of account.
type lexicon struct {
	lines     []string    // what begins a comment that ends with the line
	wordLines bool        // such a comment begins at the start of a line or after a blank only
	blocks    [][2]string // comments with an end
	nested    bool        // blocks may hold blocks
	quotes    []quote     // longer ones first
	runes     bool        // ' begins a character and, where none follows, nothing
	slashes   bool        // /regular expressions/
	marks     bool        // #[ begins no comment but an attribute
}

// quote is a kind of string.
type quote struct {
	open, close string
	plain       bool // no backslash escapes
	lines       bool // may go over several lines
}

var (
	cComments  = [][2]string{{"/*", "*/"}}
	double     = quote{open: `"`, close: `"`}
	single     = quote{open: `'`, close: `'`}
	tripled    = quote{open: `"""`, close: `"""`, lines: true}
	longDouble = quote{open: `"`, close: `"`, lines: true}
	longSingle = quote{open: `'`, close: `'`, lines: true}
	backtick   = quote{open: "`", close: "`", lines: true}

	cLexicon    = lexicon{lines: []string{"//"}, blocks: cComments, quotes: []quote{double}, runes: true}
	jvmLexicon  = lexicon{lines: []string{"//"}, blocks: cComments, quotes: []quote{tripled, double}, runes: true}
	jsLexicon   = lexicon{lines: []string{"//"}, blocks: cComments, quotes: []quote{double, single, backtick}, slashes: true}
	hashLexicon = lexicon{lines: []string{"#"}, wordLines: true, quotes: []quote{longDouble, longSingle}}
	pageLexicon = lexicon{blocks: [][2]string{{"<!--", "-->"}}, quotes: []quote{double, single}}
)

// lexicons are those of the languages whose comments are known; in any other every mention counts as code.
var lexicons = map[string]lexicon{
	"go": {lines: []string{"//"}, blocks: cComments, quotes: []quote{double, {open: "`", close: "`", plain: true, lines: true}}, runes: true},
	"c":  cLexicon, "cpp": cLexicon, "protobuf": cLexicon, "java": jvmLexicon, "csharp": jvmLexicon, "groovy": jvmLexicon,
	"kotlin":     {lines: []string{"//"}, blocks: cComments, nested: true, quotes: []quote{tripled, double}, runes: true},
	"scala":      {lines: []string{"//"}, blocks: cComments, nested: true, quotes: []quote{tripled, double}, runes: true},
	"swift":      {lines: []string{"//"}, blocks: cComments, nested: true, quotes: []quote{tripled, double}},
	"rust":       {lines: []string{"//"}, blocks: cComments, nested: true, quotes: []quote{longDouble}, runes: true},
	"zig":        {lines: []string{"//"}, quotes: []quote{double}, runes: true},
	"php":        {lines: []string{"//", "#"}, blocks: cComments, quotes: []quote{longDouble, longSingle}, marks: true},
	"javascript": jsLexicon, "typescript": jsLexicon, "tsx": jsLexicon,
	"vue": pageLexicon, "svelte": pageLexicon, "html": pageLexicon, "css": {blocks: cComments, quotes: []quote{double, single}},
	"python": {lines: []string{"#"}, quotes: []quote{tripled, {open: "'''", close: "'''", lines: true}, double, single}},
	"ruby":   {lines: []string{"#"}, wordLines: true, blocks: [][2]string{{"\n=begin", "\n=end"}}, quotes: []quote{longDouble, longSingle, backtick}},
	"elixir": {lines: []string{"#"}, wordLines: true, quotes: []quote{tripled, {open: "'''", close: "'''", lines: true}, longDouble, single}},
	"bash":   hashLexicon, "toml": hashLexicon, "yaml": {lines: []string{"#"}, wordLines: true, quotes: []quote{double, single}}, "dockerfile": {lines: []string{"#"}, wordLines: true},
	"make": {lines: []string{"#"}, wordLines: true}, "hcl": {lines: []string{"//", "#"}, blocks: cComments, quotes: []quote{double}},
	"r": {lines: []string{"#"}, quotes: []quote{longDouble, longSingle}}, "json": {quotes: []quote{double}},
	"lua":     {lines: []string{"--"}, blocks: [][2]string{{"--[[", "]]"}}, quotes: []quote{{open: "[[", close: "]]", plain: true, lines: true}, double, single}},
	"haskell": {lines: []string{"-- "}, blocks: [][2]string{{"{-", "-}"}}, nested: true, quotes: []quote{double}, runes: true},
	"ocaml":   {blocks: [][2]string{{"(*", "*)"}}, nested: true, quotes: []quote{longDouble}, runes: true},
	"sql":     {lines: []string{"--"}, blocks: cComments, quotes: []quote{longSingle, longDouble}},
}

// begins are the bytes with which something other than code may begin.
func (l *lexicon) begins(lang string) (set [256]bool) {
	for _, b := range l.blocks {
		set[b[0][0]] = true
	}
	for _, open := range l.lines {
		set[open[0]] = true
	}
	for _, q := range l.quotes {
		set[q.open[0]] = true
	}
	set['\''] = set['\''] || l.runes
	set['/'] = set['/'] || l.slashes
	set['r'] = lang == "rust"
	return set
}

// skip is what follows at i in text: the end and the kind of a comment or string that begins there, or i and code.
func (l *lexicon) skip(text string, i int) (end int, in region) {
	for _, b := range l.blocks {
		if strings.HasPrefix(text[i:], b[0]) {
			return l.blockEnd(text, i+len(b[0]), b), inComment
		}
	}
	for _, open := range l.lines {
		if !strings.HasPrefix(text[i:], open) || l.marks && strings.HasPrefix(text[i:], "#[") || l.wordLines && strings.HasPrefix(text[i:], "#{") {
			continue
		}
		if !l.wordLines || i == 0 || strings.IndexByte(" \t\n", text[i-1]) >= 0 {
			return lineEnd(text, i), inComment
		}
	}
	for _, q := range l.quotes {
		if strings.HasPrefix(text[i:], q.open) {
			return q.end(text, i+len(q.open)), inString
		}
	}
	switch {
	case l.runes && text[i] == '\'':
		return runeEnd(text, i), inCode
	case l.slashes && text[i] == '/' && regexpMayBegin(text, i):
		return slashEnd(text, i), inString
	}
	return i, inCode
}

func (l *lexicon) blockEnd(text string, i int, b [2]string) int {
	if !l.nested {
		if end := strings.Index(text[i:], b[1]); end >= 0 {
			return i + end + len(b[1])
		}
		return len(text)
	}
	for depth := 1; i < len(text); { // byte by byte: to look for the end from each beginning again takes the square of the time
		switch {
		case strings.HasPrefix(text[i:], b[1]):
			i += len(b[1])
			if depth--; depth == 0 {
				return i
			}
		case strings.HasPrefix(text[i:], b[0]):
			depth, i = depth+1, i+len(b[0])
		default:
			i++
		}
	}
	return len(text)
}

// end is where the string ends whose content begins at i. One of a single line ends with it when its quote is missing.
func (q quote) end(text string, i int) int {
	for i < len(text) {
		switch {
		case strings.HasPrefix(text[i:], q.close):
			return i + len(q.close)
		case text[i] == '\\' && !q.plain:
			i++
		case text[i] == '\n' && !q.lines:
			return i
		}
		i++
	}
	return len(text)
}

// runeEnd is the end of a character in single quotes, or i+1 where the quote stands for something else, as Rust's lifetimes do.
func runeEnd(text string, i int) int {
	line := text[i:min(lineEnd(text, i), i+14)]
	if len(line) < 3 {
		return i + 1
	}
	from := 2
	if line[1] != '\\' {
		_, size := utf8.DecodeRuneInString(line[1:])
		if 1+size < len(line) && line[1+size] == '\'' {
			return i + 1 + size + 1
		}
		return i + 1
	}
	if from++; from > len(line) {
		return i + 1
	}
	if end := strings.IndexByte(line[from:], '\''); end >= 0 {
		return i + from + end + 1
	}
	return i + 1
}

// regexpMayBegin reports whether a slash begins a regular expression and divides nothing.
func regexpMayBegin(text string, i int) bool {
	before := strings.TrimRight(text[max(0, i-40):i], " \t")
	return before == "" || strings.ContainsRune("(,=:[!&|?{};\n+>", rune(before[len(before)-1])) || strings.HasSuffix(before, "return")
}

// maxExpression bounds a regular expression, in bytes: in a line of a minified file each slash that begins none would read it to its end.
const maxExpression = 2000

func slashEnd(text string, i int) int {
	class := false
	for end := i + 1; end < min(len(text), i+maxExpression) && text[end] != '\n'; end++ {
		switch c := text[end]; {
		case c == '\\':
			end++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return min(end+1, len(text))
		}
	}
	return i + 1
}

// lineStart and lineEnd bound the line that holds i, without its line feed.
func lineStart(text string, i int) int { return strings.LastIndexByte(text[:i], '\n') + 1 }

func lineEnd(text string, i int) int {
	if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
		return i + end
	}
	return len(text)
}

// occurrences lists the places of a name in a text of a language, in order. Of PHP, whose functions and classes have no case,
// the case is folded.
func occurrences(text, lang, name string) []occurrence {
	found := wordsOf(text, lang, name)
	if len(found) == 0 {
		return nil
	}
	l := lexicons[lang]
	begins := l.begins(lang)
	next, line, counted := 0, 1, 0
	for i := 0; i < len(text) && next < len(found); {
		end, in := i, inCode
		switch c := text[i]; {
		case !begins[c]:
		case c == 'r': // of Rust
			if e := rawEnd(text, i); e > 0 && !isWordAt(text, i-1) {
				end, in = e, inString
			}
		default:
			end, in = l.skip(text, i)
		}
		end = max(end, i+1)
		for ; next < len(found) && found[next].start < end; next++ {
			o := &found[next]
			if o.start >= i {
				o.in = in
			}
			line += strings.Count(text[counted:o.start], "\n")
			counted = o.start
			o.line = line
			o.directive = o.in == inComment && isDirective(text, o.start, lang)
			if o.directive || o.in == inString && interpolated(text, i, o.start, lang) {
				o.in = inCode
			}
			o.before = qualifiers(text, o.start)
		}
		i = end
	}
	return found
}

// wordsOf finds a name between word borders.
func wordsOf(text, lang, name string) (found []occurrence) {
	if lang == "php" {
		if lower := strings.ToLower(text); len(lower) == len(text) {
			text, name = lower, strings.ToLower(name)
		}
	}
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		start, end := at+i, at+i+len(name)
		at = end
		if isWordAt(text, start-1) && isWordAt(text, start) || isWordAt(text, end-1) && isWordAt(text, end) {
			continue
		}
		found = append(found, occurrence{start: start, end: end})
	}
	return found
}

// isWordAt reports whether byte i is a part of a word.
func isWordAt(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	if c < utf8.RuneSelf {
		return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// rawEnd is the end of a raw string of Rust that begins at i, 0 where none does.
func rawEnd(text string, i int) int {
	open := strings.IndexByte(text[i:min(len(text), i+20)], '"')
	if open < 1 || strings.Trim(text[i+1:i+open], "#") != "" {
		return 0
	}
	if end := strings.Index(text[i+open+1:], `"`+text[i+1:i+open]); end >= 0 {
		return i + open + 1 + end + open
	}
	return len(text)
}

// qualifiers is what stands before a name without a blank: names and the separators between them.
func qualifiers(text string, start int) string {
	i := start
	for i > 0 && start-i < 200 && (isWordAt(text, i-1) || strings.IndexByte(`.:>-?!\#@$`, text[i-1]) >= 0) {
		if text[i-1] == '>' && (i < 2 || text[i-2] != '-') || text[i-1] == '-' && (i >= len(text) || text[i] != '>') || text[i-1] == '!' && (i == start || text[i] != '.') {
			break
		}
		i--
	}
	if i > 0 && i < start && (text[i] == '.' || text[i] == ':' || text[i] == '-') && strings.IndexByte(`)]}"'`+"`", text[i-1]) >= 0 {
		i--
	}
	if i == start && i > 0 { // a chain over several lines
		if trimmed := strings.TrimRight(text[max(0, i-200):i], " \t\r\n"); strings.HasSuffix(trimmed, ".") || strings.HasSuffix(trimmed, "->") || strings.HasSuffix(trimmed, "::") {
			return "?."
		}
	}
	return text[i:start]
}

// interpolated reports whether a place in a string that begins at from is code that the string evaluates.
func interpolated(text string, from, at int, lang string) bool {
	inside := text[from:at]
	for _, mark := range []string{"${", "#{", `\(`} {
		if i := strings.LastIndex(inside, mark); i >= 0 && !strings.ContainsAny(inside[i:], "})") {
			return true
		}
	}
	prefix := text[max(0, from-2):from]
	if lang == "python" && strings.ContainsAny(prefix, "fFtT") || lang == "csharp" && strings.Contains(prefix, "$") {
		return strings.LastIndexByte(inside, '{') > strings.LastIndexByte(inside, '}')
	}
	return (lang == "bash" && strings.Contains(inside, "$(")) || lang == "bash" && strings.Count(inside, "`")%2 == 1
}

// directive is a comment that a compiler or another tool reads: what stands in it is no prose.
var directive = regexp.MustCompile(`^\s*(//|/\*+|#|--|\*)\s*(go:|export\s|extern\s|type:|jsx\b|@jsx|@see\s*#|cgo\b|pragma\b|define\b|include\b|sourceMappingURL)`)

// doctest is a line of a comment that tests compile.
var doctest = regexp.MustCompile(`^\s*//[/!]`)

func isDirective(text string, at int, lang string) bool {
	start := lineStart(text, at)
	line := text[start:lineEnd(text, at)]
	if hash := strings.LastIndex(text[start:at], "#"); lang == "python" && hash >= 0 && strings.HasPrefix(strings.TrimLeft(text[start+hash+1:], " \t"), "type:") {
		return true
	}
	return directive.MatchString(line) || lang == "rust" && doctest.MatchString(line) || lang == "go" && strings.Contains(text, `import "C"`)
}

// isSymbolLiteral reports whether a name stands as a symbol or an atom, which some languages call by.
func isSymbolLiteral(o *occurrence, lang string) bool {
	return slices.Contains([]string{"ruby", "elixir"}, lang) && strings.HasSuffix(o.before, ":") && !strings.HasSuffix(o.before, "::")
}

// lineCounter numbers the lines of a text. Offsets that rise cost one pass over it.
type lineCounter struct {
	text     string
	at, ends int // the last offset, and how many lines end before it
}

// line is the number of the line of an offset, from 1.
func (c *lineCounter) line(at int) int {
	if at < c.at {
		c.at, c.ends = 0, 0
	}
	c.ends += strings.Count(c.text[c.at:at], "\n")
	c.at = at
	return c.ends + 1
}
