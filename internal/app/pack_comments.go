package app

import (
	"regexp"
	"slices"
	"strings"

	"agenvantage"
)

// Which lines of a file are comments is told by a reading of the whole file: a # may stand in a here-document, and """ may begin a text or
// end one that begins before. The lexicons that tell code from comments for the places of a name (navigate_text.go) are used here too; what
// they do not hold is in pack_comment_languages.go. Where the reading errs it takes a comment for code, which shows more.

// commentsOf lists the runs of lines of a file that are nothing but one comment, in order: a comment with an end, the string that documents a
// definition, or neighbouring comments of a line each with the same mark. What a compiler or a tool reads (directives, #! lines, the code that
// cgo compiles) is no comment. Empty for a language whose comments are not known.
func commentsOf(lang, text string) []agenvantage.Span {
	l, ok := commentLexiconOf(lang)
	if !ok {
		return nil
	}
	if l.begins(lang)['\n'] {
		text = "\n" + text // a mark at the start of a line is found at that of the file too
	}
	s := &commentScan{l: l, text: text, begins: l.begins(lang), lines: make([]lineUse, strings.Count(text, "\n")+1), unclosed: map[string]bool{}}
	s.begins['<'] = s.begins['<'] || l.here != nil
	s.scan()
	runs := s.runs()
	for i := range runs {
		if s.begins['\n'] {
			runs[i].StartLine, runs[i].EndLine = runs[i].StartLine-1, runs[i].EndLine-1
		}
	}
	return runs
}

// lineUse is what a line holds.
type lineUse struct {
	code    bool
	comment int // its number: of a comment with an end its own, of the others that of their mark; 0 for none
}

// firstBlock is the number of the first comment with an end.
const firstBlock = 16

// commentScan reads a file once, from its start to its end.
type commentScan struct {
	l        *commentLexicon
	text     string
	begins   [256]bool
	lines    []lineUse
	line     int             // of the place that is read, from 0
	depth    int             // brackets that are open
	last     byte            // of the code that was read
	before   byte            // last of the code before the line
	blocks   int             // comments with an end that were read
	waiting  []string        // ends of the here-documents that begin with the next line
	unclosed map[string]bool // names of here-documents without an end
}

func (s *commentScan) scan() {
	for i := 0; i < len(s.text); {
		c := s.text[i]
		end, comment := i, 0
		if s.begins[c] {
			end, comment = s.begin(i)
		}
		switch {
		case comment > 0:
			if c == '\n' { // of a mark that stands at the start of a line
				s.newLine()
				i++
			}
			s.take(i, end, comment)
			i = end
		case end > i:
			s.take(i, end, 0)
			i = end
		case c == '\n':
			s.newLine()
			i = s.skipData(i + 1)
		case c == '\\' && s.l.escapes && i+1 < len(s.text) && s.text[i+1] != '\n':
			s.take(i, i+2, 0)
			i += 2
		default:
			s.sign(c)
			i++
		}
	}
}

// sign reads one byte of code.
func (s *commentScan) sign(c byte) {
	switch c {
	case ' ', '\t', '\r', '\f', '\v':
		return
	case '(', '[', '{':
		s.depth++
	case ')', ']', '}':
		s.depth = max(0, s.depth-1)
	}
	s.lines[s.line].code, s.last = true, c
}

func (s *commentScan) newLine() { s.line, s.before = s.line+1, s.last }

// take reads what lies from i to end as a part of the comment, or as code or a text for 0.
func (s *commentScan) take(i, end, comment int) {
	for ; i < end; i++ {
		switch c := s.text[i]; {
		case c == '\n':
			s.newLine()
		case comment == 0 && c > ' ':
			s.lines[s.line].code, s.last = true, c
		}
		if comment > 0 {
			s.lines[s.line].comment = comment
		}
	}
}

// begin tells what begins at i: where it ends, and the number of a comment. An end of i is code.
func (s *commentScan) begin(i int) (end, comment int) {
	text := s.text
	if strings.HasPrefix(text[i:], "#!") && strings.TrimSpace(text[:i]) == "" && i <= 1 {
		return lineEnd(text, i), 0
	}
	if s.l.lang == "rust" && text[i] == 'r' {
		if end := rawEnd(text, i); end > 0 && !isWordAt(text, i-1) {
			return end, 0
		}
		return i, 0
	}
	if end := s.hereDocument(i); end > i {
		return end, 0
	}
	end, in := s.l.skip(text, i)
	if in == inString {
		if s.documents(i, end) {
			s.lines[s.line].code = false // but for a prefix, or the name of what it documents for
			s.blocks++
			return end, firstBlock + s.blocks
		}
		return end, 0
	}
	if in != inComment {
		return end, 0
	}
	line := strings.TrimPrefix(text[i:], "\n")
	directive := toolComment.MatchString(line[:lineEnd(line, 0)])
	for k, b := range s.l.blocks {
		if !strings.HasPrefix(text[i:], b[0]) {
			continue
		}
		if end == len(text) && (end < i+len(b[0])+len(b[1]) || !strings.HasSuffix(text, b[1])) {
			s.l.blocks = slices.Delete(slices.Clone(s.l.blocks), k, k+1) // what follows counts as code
			return s.begin(i)
		}
		if s.blocks++; directive {
			return end, 0
		}
		return end, firstBlock + s.blocks
	}
	if directive {
		return end, 0
	}
	mark := slices.IndexFunc(s.l.lines, func(m string) bool { return m[0] == text[i] })
	return end, 1 + mark
}

// toolComment is the beginning of a comment that a compiler or another tool reads.
var toolComment = regexp.MustCompile(`^(?:` +
	`//(?:go:|line |export |extern |nolint|lint:|#|\s*\+build\b|\s*swift-tools-version|/\s*<(?:reference|amd-))|` +
	`(?://|/\*)\s*(?:@ts-|@flow\b|@jsx|eslint-|eslint\s|prettier-ignore|istanbul |webpack\w+:|jshint |global |NOLINT|clang-format |IWYU pragma|@formatter|noinspection )|` +
	`#\s*(?:-\*-|type:\s*ignore|noqa\b|pylint:|mypy:|flake8:|ruff:|isort:|fmt:|yapf:|cython:|distutils:|pragma:|frozen_string_literal:|encoding:|rubocop:|typed:|shellcheck |syntax=|escape=|yaml-language-server:|[Rr]equires -|region\b|endregion\b)|` +
	`#cloud-config|\{-#|\(\*\$|\{\$|/\*[+!]|--\+|!\$|![dD][iI][rR]\$)`)

// documents reports whether the string from i to end is nothing but the documentation of what stands around it.
func (s *commentScan) documents(i, end int) bool {
	text := s.text
	if end < i+6 || text[i:i+3] != text[end-3:end] || text[i:i+3] != `"""` && (s.l.docs != docStatements || text[i:i+3] != "'''") {
		return false
	}
	head := strings.TrimLeft(text[lineStart(text, i):i], " \t")
	switch s.l.docs {
	case docStatements: // a statement that is a string has no other use
		return len(strings.Trim(head, "rRuUbBfF")) == 0 && len(head) <= 2 && s.depth == 0 && s.before != '\\'
	case docFields:
		return head == ""
	case docAttributes:
		return docAttribute.MatchString(head)
	}
	return false
}

// docAttribute is what stands before a text that documents in Elixir.
var docAttribute = regexp.MustCompile(`^@(?:module|type)?doc\s+(?:~[sS])?$`)

// hereDocument is the end of what announces a here-document at i, i where nothing does.
func (s *commentScan) hereDocument(i int) int {
	if s.l.here == nil || s.text[i] != '<' || i > 0 && s.text[i-1] == '<' {
		return i
	}
	line := s.text[i:lineEnd(s.text, i)]
	match := s.l.here.FindStringSubmatch(line)
	if match == nil {
		return i
	}
	s.waiting = append(s.waiting, strings.Join(match[1:], ""))
	return i + len(match[0])
}

// skipData reads over here-documents, texts of YAML and what follows the end of the code that begin at i, the start of a line, and returns the
// start of the line behind.
func (s *commentScan) skipData(i int) int {
	for _, name := range s.waiting {
		if s.unclosed[name] || len(s.unclosed) > mostUnclosed {
			continue
		}
		end := hereEnd(s.text, i, name)
		if end < 0 {
			s.unclosed[name] = true
			continue
		}
		s.take(i, end, 0)
		i = end
	}
	s.waiting = s.waiting[:0]
	if s.l.scalars {
		if end := scalarEnd(s.text, i); end > i {
			s.take(i, end, 0)
			i = end
		}
	}
	if s.l.end != "" && s.text[i:lineEnd(s.text, i)] == s.l.end {
		s.take(i, len(s.text), 0)
		return len(s.text)
	}
	return i
}

// mostUnclosed bounds how many names of here-documents are looked for in vain: each reads the file to its end.
const mostUnclosed = 32

// hereEnd is the start of the line that ends a here-document, -1 where none does.
func hereEnd(text string, i int, name string) int {
	for at := i; at < len(text); at = lineEnd(text, at) + 1 {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text[at:lineEnd(text, at)], " \t"), name); ok && strings.Trim(rest, " \t\r;,)") == "" {
			return at
		}
	}
	return -1
}

// scalar is a line of YAML after which a text begins.
var scalar = regexp.MustCompile(`(?:^|[\s:])[|>][-+0-9]*\s*(?:\s#.*)?$`)

// scalarEnd is where the text ends that the line before i begins: before the first line that is indented no more than what it belongs to. i
// where no text begins.
func scalarEnd(text string, i int) int {
	if i == 0 || i >= len(text) {
		return i
	}
	line := strings.TrimRight(text[lineStart(text, i-1):i-1], "\r")
	if bare := strings.TrimLeft(line, " "); !scalar.MatchString(line) || strings.HasPrefix(bare, "#") {
		return i
	}
	indent := indentOf(line)
	for strings.HasPrefix(line[indent:], "- ") {
		next := indent + 2 + indentOf(line[indent+2:])
		if strings.IndexByte("|>", line[next]) >= 0 {
			break
		}
		indent = next
	}
	for i < len(text) {
		line := text[i:lineEnd(text, i)]
		if strings.TrimSpace(line) != "" && indentOf(line) <= indent {
			break
		}
		i = min(len(text), i+len(line)+1)
	}
	return i
}

// indentOf is the number of blanks that a line begins with.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// runs are the comments that were read, those alone on their lines.
func (s *commentScan) runs() (runs []agenvantage.Span) {
	for i := 0; i < len(s.lines); i++ {
		this := s.lines[i]
		if this.code || this.comment == 0 {
			continue
		}
		start := i
		for i+1 < len(s.lines) && s.lines[i+1] == this {
			i++
		}
		runs = append(runs, agenvantage.Span{StartLine: start + 1, EndLine: i + 1})
	}
	if s.l.lang == "go" {
		runs = s.withoutPreamble(runs)
	}
	return runs
}

// withoutPreamble leaves out the comment above `import "C"`, which is code of C.
func (s *commentScan) withoutPreamble(runs []agenvantage.Span) []agenvantage.Span {
	at := strings.Index(s.text, "\nimport \"C\"")
	if at < 0 {
		return runs
	}
	last := strings.Count(s.text[:at], "\n") + 1
	return slices.DeleteFunc(runs, func(r agenvantage.Span) bool { return r.EndLine == last })
}
