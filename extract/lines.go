package extract

import (
	"sort"
	"strings"

	"agenvantage"
)

// lineTable maps bytes to lines and counts non-blank characters by line. Lines are 1-based; a final line break ends the
// last line and starts none.
type lineTable struct {
	text  string
	start []int // start[i] is the first byte of line i+1; one more entry holds len(text)
	chars []int // chars[i] is the number of non-blank characters in the first i lines
}

func newLineTable(text string) *lineTable {
	n := strings.Count(text, "\n") + 1
	t := &lineTable{text: text, start: make([]int, 0, n+1), chars: make([]int, 0, n+1)}
	t.chars = append(t.chars, 0)
	for from := 0; from < len(text); {
		end := strings.IndexByte(text[from:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += from + 1
		}
		t.start = append(t.start, from)
		t.chars = append(t.chars, t.chars[len(t.chars)-1]+nonBlank(text[from:end]))
		from = end
	}
	t.start = append(t.start, len(text))
	return t
}

// nonBlank counts the characters of s above the space; a character beyond ASCII counts as one.
func nonBlank(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c > ' ' && (c < 0x80 || c >= 0xC0) {
			n++
		}
	}
	return n
}

// count is the number of lines.
func (t *lineTable) count() int { return len(t.start) - 1 }

// line is the number of the line that holds byte offset b.
func (t *lineTable) line(b int) int {
	return sort.Search(t.count(), func(i int) bool { return t.start[i+1] > b }) + 1
}

// at is the text of a line without its line break.
func (t *lineTable) at(line int) string {
	if line < 1 || line > t.count() {
		return ""
	}
	return strings.TrimSuffix(t.text[t.start[line-1]:t.start[line]], "\n")
}

// slice is the text of the lines of s.
func (t *lineTable) slice(s agenvantage.Span) string {
	return t.text[t.start[s.StartLine-1]:t.start[s.EndLine]]
}

// size is the number of non-blank characters in s.
func (t *lineTable) size(s agenvantage.Span) int {
	if s.EndLine < s.StartLine {
		return 0
	}
	return t.chars[s.EndLine] - t.chars[s.StartLine-1]
}

// blank reports whether a line has no text.
func (t *lineTable) blank(line int) bool { return t.chars[line] == t.chars[line-1] }

// trim takes blank lines off both ends; ok is false when nothing is left.
func (t *lineTable) trim(s agenvantage.Span) (trimmed agenvantage.Span, ok bool) {
	for s.StartLine <= s.EndLine && t.blank(s.StartLine) {
		s.StartLine++
	}
	for s.EndLine >= s.StartLine && t.blank(s.EndLine) {
		s.EndLine--
	}
	return s, s.StartLine <= s.EndLine
}

// indent is the width of the white space before the text of a line; a tab counts as eight.
func (t *lineTable) indent(line int) int {
	n := 0
	for _, c := range []byte(t.at(line)) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8
		default:
			return n
		}
	}
	return n
}

// startsLine reports whether only white space stands before byte b on its line.
func (t *lineTable) startsLine(b int) bool {
	for b--; b >= 0; b-- {
		switch t.text[b] {
		case ' ', '\t', '\r', '\f':
		case '\n':
			return true
		default:
			return false
		}
	}
	return true
}
