package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// reducePath reduces the text of an expression to a path (see agenvantage.Reference), "" when it leads nowhere. It knows
// no language: names, members, calls, indexes and type arguments look alike in most.
func reducePath(text string) string {
	if len(text) > 1<<14 {
		return ""
	}
	r := &pathReader{rest: strings.TrimSpace(text)}
	made := false // by new
	for trimmed := true; trimmed; {
		trimmed = false
		for _, word := range []string{"await ", "new ", "&mut ", "yield ", "try ", "try! ", "try? "} {
			if rest, ok := strings.CutPrefix(r.rest, word); ok {
				made = made || word == "new "
				r.rest, trimmed = strings.TrimSpace(rest), true
			}
		}
		if rest := strings.TrimLeft(r.rest, "&*@"); rest != r.rest && rest != "" && !strings.HasPrefix(rest, " ") {
			r.rest, trimmed = rest, true
		}
	}
	if strings.HasPrefix(r.rest, "(") { // an expression in brackets, alone or with steps behind it
		if end := matching(r.rest); end > 0 {
			inner := reducePath(r.rest[1:end])
			if inner == "" {
				return ""
			}
			r.path.WriteString(inner)
			r.rest = r.rest[end+1:]
			return r.steps(false)
		}
		return ""
	}
	if !r.word() {
		return ""
	}
	return r.steps(made)
}

// pathReader reads an expression from left to right.
type pathReader struct {
	rest string
	path strings.Builder
}

func isNameRune(c rune) bool {
	return c == '_' || c == '$' || unicode.IsLetter(c) || unicode.IsDigit(c)
}

// word moves a name to the path.
func (r *pathReader) word() bool {
	end := 0
	for end < len(r.rest) {
		c, size := utf8.DecodeRuneInString(r.rest[end:])
		if !isNameRune(c) || end == 0 && unicode.IsDigit(c) {
			break
		}
		end += size
	}
	if end == 0 {
		return false
	}
	r.path.WriteString(r.rest[:end])
	r.rest = r.rest[end:]
	return true
}

// separators stand before a member.
var separators = []string{"&.", "?->", "->", "?.", "!!.", "!.", "::", ".", "\\"}

// steps reads what follows the head. made says that the first call, written or not, makes an object.
func (r *pathReader) steps(made bool) string {
	called := false
	for r.rest != "" && r.path.Len() <= maxPathBytes {
		if !r.step(&called) {
			return ""
		}
	}
	if r.path.Len() > maxPathBytes || r.path.Len() == 0 {
		return ""
	}
	if made && !called && r.path.String()[0] != '(' {
		r.path.WriteString("()")
	}
	if path := r.path.String(); !constantWords[path] {
		return path
	}
	return ""
}

// constantWords are values without a name.
var constantWords = map[string]bool{"true": true, "false": true, "True": true, "False": true, "None": true, "null": true, "nil": true, "undefined": true,
	"NULL": true, "nullptr": true, "TRUE": true, "FALSE": true}

func (r *pathReader) step(called *bool) bool {
	trimmed := strings.TrimLeft(r.rest, " \t\n")
	for _, sep := range separators {
		if rest, ok := strings.CutPrefix(trimmed, sep); ok && !strings.HasPrefix(rest, ".") {
			r.rest = strings.TrimLeft(rest, " \t\n#")
			if strings.HasPrefix(r.rest, "<") && r.arguments() { // a turbofish
				return true
			}
			if rest, ok := strings.CutPrefix(r.rest, "await"); ok && (rest == "" || !isNameRune(rune(rest[0]))) {
				r.rest = rest
				return true
			}
			r.path.WriteByte('.')
			return r.word()
		}
	}
	if rest, ok := strings.CutPrefix(trimmed, ":"); ok && methodCall.MatchString(rest) { // of Lua
		r.path.WriteByte('.')
		r.rest = rest
		return r.word()
	}
	if rest, ok := strings.CutPrefix(trimmed, "as "); ok && trimmed != r.rest { // a cast
		if rest = foldType(strings.TrimLeft(rest, "?! ")); rest == "" || strings.ContainsAny(rest, "();") {
			return false
		}
		r.path.Reset()
		r.path.WriteString("(" + rest + ")")
		r.rest = ""
		return true
	}
	if strings.TrimSpace(r.rest) == "?" || r.rest != "" && (r.rest[0] == '?' || r.rest[0] == '!') && strings.IndexAny(r.rest, ".[") == 1 {
		r.rest = r.rest[1:]
		return true
	}
	switch r.rest[0] {
	case '(':
		*called = true
		return r.skip("()")
	case '[':
		return r.skip("[]")
	case '<':
		return r.arguments()
	}
	if trimmed[:min(1, len(trimmed))] == "{" && !*called { // a literal of a named type
		if matching(trimmed) == len(trimmed)-1 {
			name := r.path.String()
			r.path.Reset()
			r.path.WriteString("(" + name + ")")
			r.rest = ""
			return true
		}
	}
	return false
}

// methodCall is a name directly before its arguments.
var methodCall = regexp.MustCompile(`^[A-Za-z_]\w*[({"']`)

// skip leaves out what brackets hold.
func (r *pathReader) skip(mark string) bool {
	end := matching(r.rest)
	if end < 0 {
		return false
	}
	r.path.WriteString(mark)
	r.rest = r.rest[end+1:]
	return true
}

// arguments leaves out type arguments: <…> before a call, a member or a literal.
func (r *pathReader) arguments() bool {
	end := matching(r.rest)
	if end < 0 || strings.ContainsAny(r.rest[:end], ";=+\"") {
		return false
	}
	rest := r.rest[end+1:]
	if rest != "" && !strings.ContainsRune("(.:{", rune(rest[0])) {
		return false
	}
	r.rest = rest
	return true
}

// matching is the index of the bracket that closes the first byte of s, -1 when none does. Brackets in quotes do not count.
func matching(s string) int {
	open := s[0]
	shut := map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}[open]
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == open:
			depth++
		case c == shut:
			if depth--; depth == 0 {
				return i
			}
		case c == '"' || c == '\'' || c == '`':
			if end := strings.IndexByte(s[i+1:], c); end >= 0 && (open != '<') {
				i += end + 1
			}
		}
	}
	return -1
}
