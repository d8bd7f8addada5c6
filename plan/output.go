package plan

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agenvantage"
)

// OutputKind is what a program that fails wrote.
type OutputKind string

// The kinds of outputs. One that holds several things is the first of test, compiler, trace.
const (
	OutputTest     OutputKind = "test"     // names tests that fail
	OutputCompiler OutputKind = "compiler" // a compiler's, linter's or type checker's report
	OutputTrace    OutputKind = "trace"    // holds a stack trace
	OutputText     OutputKind = "text"     // anything else
)

// Output is the reading of what a failing program wrote.
type Output struct {
	Kind     OutputKind
	Frames   []agenvantage.Frame // own code before dependencies; in each, errors before warnings, root causes first, innermost first
	Messages []string            // error messages, most specific first, one line each; an address, a temporary path or the like is "…"
	Tests    []string            // failing tests as their tool names them, in the order of the output
	Tail     string              // the end of the output, at most 4 KiB, whole lines where that is possible
}

// Bounds of an output. Of more than 1 MiB the middle is left out: the first error stands at the start, the summary at the
// end.
const (
	outputHeadBytes = 512 << 10
	outputTailBytes = 512 << 10
	outputTail      = 4 << 10
	maxOutputFrames = 64
	maxMessages     = 16
	maxMessageBytes = 300
	maxFailing      = 64
	maxTestBytes    = 300
	maxPlaced       = 4096 // frames that are kept until they are put in order
)

// ReadOutput reads what a failing program wrote. Colours and other terminal codes are removed, carriage returns take back
// what stands before them on a line, bytes that are not UTF-8 and control characters are replaced. Absolute paths in
// frames stay as they are. Time and memory are bounded whatever the size. An error wraps agenvantage.ErrBadInput: there is
// nothing in the output but spaces and terminal codes.
func ReadOutput(text string) (Output, error) {
	r := readOutput(text)
	if strings.TrimSpace(r.tail) == "" {
		return Output{}, fmt.Errorf("%w: the output is empty", agenvantage.ErrBadInput)
	}
	out := Output{Frames: r.ordered(true), Messages: r.messages(), Tests: r.tests.list, Tail: r.tail}
	switch {
	case len(out.Tests) > 0:
		out.Kind = OutputTest
	case r.compiled:
		out.Kind = OutputCompiler
	case r.traced() != nil:
		out.Kind = OutputTrace
	default:
		out.Kind = OutputText
	}
	return out, nil
}

// outputReader is the state of reading an output line by line.
type outputReader struct {
	lines    []string
	at       int      // the line being read
	previous string   // the line before
	blocks   []*trace // in the order of the output
	open     *trace   // the block that takes frames; nil where the next frame starts one
	found    []message
	tests    *bag
	headers  []string // tests named by the headings of a report, which its summary names better
	compiled bool
	failing  bool   // behind the line that starts a list of failures (mocha)
	file     string // of eslint: the file that the lines below are about
	carry    string // of rustc and ruff: the message whose place is on the next line
	last     string // the last line that is not blank
	tail     string
}

func readOutput(text string) *outputReader {
	r := &outputReader{tests: newBag(maxFailing)}
	text = plainText(boundedBy(text, outputHeadBytes, outputTailBytes))
	r.lines = strings.Split(text, "\n")
	for i, line := range r.lines {
		if j := strings.LastIndexByte(line, '\r'); j >= 0 {
			line = line[j+1:]
		}
		if len(line) > maxFrameLine {
			line = strings.ToValidUTF8(line[:maxFrameLine], "")
		}
		r.lines[i] = strings.TrimRight(line, " \t")
	}
	for r.at = range r.lines {
		r.read(r.lines[r.at])
		if s := strings.TrimSpace(r.lines[r.at]); s != "" {
			r.last = s
		}
		r.previous = r.lines[r.at]
	}
	for _, h := range r.headers {
		if !slices.ContainsFunc(r.tests.list, func(t string) bool { return sameTest(t, h) }) {
			r.tests.add(h)
		}
	}
	r.tail = tailOf(strings.TrimSpace(strings.Join(r.lines, "\n")))
	return r
}

// next is the line n lines below the one being read, or "".
func (r *outputReader) next(n int) string {
	if r.at+n >= len(r.lines) {
		return ""
	}
	return r.lines[r.at+n]
}

// read takes one line: what it says of tests, of a compiler, of a trace, of an error. What a compiler reports is no line of
// a trace, and what names a test is no message.
func (r *outputReader) read(line string) {
	if strings.TrimSpace(line) == "" {
		r.file = ""
		return
	}
	named := r.readTest(line)
	if r.readCompiler(line) {
		return
	}
	r.readTrace(line)
	if !named {
		r.readMessage(line)
	}
}

// sameTest reports whether two names mean one test: the same words at their ends, however they are joined.
func sameTest(a, b string) bool {
	a, b = testKey(a), testKey(b)
	return a == b || strings.HasSuffix(a, " "+b) || strings.HasSuffix(b, " "+a)
}

var testJoints = strings.NewReplacer("::", " ", "#", " ", "›", " ", " > ", " ", "/", " ", ".", " ", `\`, " ")

func testKey(name string) string { return strings.Join(strings.Fields(testJoints.Replace(name)), " ") }

// test adds the name of a failing test.
func (r *outputReader) test(name string) {
	name = strings.TrimSpace(name)
	if name != "" && len(name) <= maxTestBytes {
		r.tests.add(name)
	}
}

// boundedBy returns text, or its first and last bytes when it is longer than both, cut between characters.
func boundedBy(text string, head, tail int) string {
	if len(text) <= head+tail {
		return text
	}
	from := len(text) - tail
	for i := 0; i < utf8.UTFMax && head > 0 && !utf8.RuneStart(text[head]); i++ {
		head--
	}
	for i := 0; i < utf8.UTFMax && from < len(text)-1 && !utf8.RuneStart(text[from]); i++ {
		from++
	}
	return text[:head] + "\n" + text[from:]
}

// tailOf is the end of text, from the start of a line where there is one in reach.
func tailOf(text string) string {
	if len(text) <= outputTail {
		return text
	}
	from := len(text) - outputTail
	for !utf8.RuneStart(text[from]) {
		from++
	}
	end := text[from:]
	if i := strings.IndexByte(end, '\n'); i >= 0 && i < len(end)-1 {
		end = end[i+1:]
	}
	return strings.TrimSpace(end)
}

// plainText is text without terminal codes; what is not UTF-8, NUL and other control characters except tab, line feed and
// carriage return become U+FFFD. CR LF becomes LF.
func plainText(text string) string {
	if strings.IndexByte(text, 0x1b) >= 0 {
		text = withoutEscapes(text)
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 {
			return utf8.RuneError
		}
		return r
	}, text)
}

// withoutEscapes removes the escape sequences of ECMA-48: CSI (ESC [ … a letter), strings (ESC ] … up to BEL or ESC \) and
// two-character codes. A string that is not closed on its line is taken for a two-character code.
func withoutEscapes(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		if text[i] != 0x1b {
			next := strings.IndexByte(text[i:], 0x1b)
			if next < 0 {
				next = len(text) - i
			}
			b.WriteString(text[i : i+next])
			i += next
			continue
		}
		i = escapeEnd(text, i)
	}
	return b.String()
}

// maxEscapeBytes is the longest escape sequence: a link (OSC 8) holds a URL.
const maxEscapeBytes = 2048

// escapeEnd is the index behind the escape sequence at text[i].
func escapeEnd(text string, i int) int {
	if i+1 >= len(text) {
		return i + 1
	}
	limit := min(len(text), i+maxEscapeBytes)
	switch text[i+1] {
	case '[':
		for j := i + 2; j < limit && text[j] >= 0x20 && text[j] <= 0x7e; j++ {
			if text[j] >= 0x40 {
				return j + 1
			}
		}
	case ']', 'P', '_', '^', 'X':
		for j := i + 2; j < limit && text[j] != '\n'; j++ {
			if text[j] == 0x07 {
				return j + 1
			}
			if text[j] == 0x1b {
				if j+1 < len(text) && text[j+1] == '\\' {
					return j + 2
				}
				return j
			}
		}
	case '(', ')', '#':
		return min(len(text), i+3)
	}
	if text[i+1] < 0x20 || text[i+1] >= 0x80 {
		return i + 1
	}
	return i + 2
}
