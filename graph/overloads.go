package graph

import (
	"iter"
	"math"
	"strings"

	"agenvantage"
)

// Overloads are told apart by the number of arguments alone, and that is read from the text: what an argument's type is
// would need a compiler. Where the text does not show it, all of them stay.

// maxArgumentBytes bounds the text of a call that is read to count its arguments.
const maxArgumentBytes = 8192

// overloads keeps the functions that take as many arguments as the calls of a name on a line give, all of them when none does.
func (j *job) overloads(ref *agenvantage.Reference, name string, nodes []agenvantage.Node) []agenvantage.Node {
	functions := 0
	for _, n := range nodes {
		if s := j.symbol(n); s != nil && isFunction(s.Kind) {
			functions++
		}
	}
	if functions < 2 || functions < len(nodes) {
		return append([]agenvantage.Node(nil), nodes...)
	}
	return j.takes(nodes, j.argumentCounts(name, ref.Line), parameterCounts)
}

// takes keeps the functions that can be called with one of the counts, all when none can. arity says how many arguments one takes.
func (j *job) takes(nodes []agenvantage.Node, counts []int, arity func(s *agenvantage.Symbol) (least, most int)) []agenvantage.Node {
	var kept []agenvantage.Node
	for _, n := range nodes {
		least, most := arity(j.symbol(n))
		for _, c := range counts {
			if c >= least && c <= most {
				kept = append(kept, n)
				break
			}
		}
	}
	if len(kept) == 0 {
		return append(kept, nodes...)
	}
	return kept
}

// constructors lists the constructors of the classes among nodes that fit the arguments of a call.
func (j *job) constructors(ref *agenvantage.Reference, name string, nodes []agenvantage.Node) []agenvantage.Node {
	var found []agenvantage.Node
	for _, n := range nodes {
		s := j.symbol(n)
		if s == nil || !isClass(s.Kind) {
			continue
		}
		for _, word := range []string{s.Name, "init", "constructor"} {
			for _, c := range j.ownMembers([]agenvantage.Node{n}, word) {
				if m := j.symbol(c); m != nil && m.Kind == agenvantage.KindMethod && (word == s.Name || j.r.files[c.File].lang == "swift" || j.r.files[c.File].lang == "kotlin") {
					found = append(found, c)
				}
			}
		}
	}
	if len(found) < 2 {
		return found
	}
	return j.takes(found, j.argumentCounts(name, ref.Line), parameterCounts)
}

// argumentCounts are the numbers of arguments of the calls of a name that begin on a line of the file, in order.
func (j *job) argumentCounts(name string, line int) (counts []int) {
	for m := range j.mentions(name, line) {
		if n, ok := countArguments(m.arguments()); ok {
			counts = append(counts, n)
		}
	}
	return counts
}

// mention is a name as a whole word on a line. text begins with the line and goes on behind it.
type mention struct {
	text       string
	start, end int // of the name
	lineEnd    int
}

// arguments is the text behind the name, on further lines too, as far as arguments are looked at.
func (m mention) arguments() string {
	return m.text[m.end:min(len(m.text), m.end+maxArgumentBytes)]
}

// mentions are the places of a name on a line of the file, from left to right.
func (j *job) mentions(name string, line int) iter.Seq[mention] {
	return func(yield func(mention) bool) {
		text := j.text()
		for n := 1; n < line; n++ {
			i := strings.IndexByte(text, '\n')
			if i < 0 {
				return
			}
			text = text[i+1:]
		}
		end := strings.IndexByte(text, '\n')
		if end < 0 {
			end = len(text)
		}
		for at := 0; at < end; {
			i := strings.Index(text[at:end], name)
			if i < 0 {
				return
			}
			start := at + i
			at = start + len(name)
			if start > 0 && isWordByte(text[start-1]) || at < len(text) && isWordByte(text[at]) {
				continue
			}
			if !yield(mention{text, start, at, end}) {
				return
			}
		}
	}
}

// countArguments counts the arguments of a call from the text behind its name: type arguments, brackets, a closure behind
// them.
func countArguments(s string) (int, bool) {
	s = strings.TrimLeft(s, " \t")
	s = strings.TrimPrefix(s, "::")
	if strings.HasPrefix(s, "<") || strings.HasPrefix(s, "[") {
		end := closingAny(s)
		if end < 0 {
			return 0, false
		}
		s = strings.TrimLeft(s[end+1:], " \t")
	}
	if strings.HasPrefix(s, "{") {
		return 1, true
	}
	if !strings.HasPrefix(s, "(") {
		return 0, false
	}
	end := closingAny(s)
	if end < 0 {
		return 0, false
	}
	n := countParts(withoutStrings(s[1:end]))
	if rest := strings.TrimLeft(s[end+1:], " \t"); strings.HasPrefix(rest, "{") {
		return n + 1, true
	}
	return n, true
}

// closingAny is the index of the bracket that closes the first byte of s, -1 when none does. Brackets in quotes do not count.
func closingAny(s string) int {
	open, depth := s[0], 0
	shut := map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>'}[open]
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			if end := strings.IndexByte(s[i+1:], s[i]); end >= 0 && end < 200 && open != '<' {
				i += end + 1
			}
		}
	}
	return -1
}

// withoutStrings empties the quoted parts of s, whose commas and brackets mean nothing.
func withoutStrings(s string) string {
	if !strings.ContainsAny(s, `"'`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteByte(s[i])
		if c := s[i]; c == '"' || c == '\'' {
			if end := strings.IndexByte(s[i+1:], c); end >= 0 {
				i += end + 1
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// parameterCounts are the least and the greatest number of arguments that a function takes, by its signature.
func parameterCounts(s *agenvantage.Symbol) (least, most int) {
	if s == nil {
		return 0, math.MaxInt
	}
	at := firstWordAt(s.Signature, s.Name)
	for next := s.Name + "::" + s.Name; at >= 0 && strings.HasPrefix(s.Signature[at:], next); { // a constructor outside of its class
		at += len(s.Name) + len("::")
	}
	if at < 0 {
		return 0, math.MaxInt
	}
	rest := strings.TrimLeft(s.Signature[at+len(s.Name):], " ?!")
	if strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, "[") {
		if end := closingAny(rest); end >= 0 {
			rest = rest[end+1:]
		}
	}
	if !strings.HasPrefix(rest, "(") {
		return 0, math.MaxInt
	}
	end := closingAny(rest)
	if end < 0 {
		return 0, math.MaxInt
	}
	for _, part := range splitParts(withoutStrings(rest[1:end])) {
		switch part = strings.TrimSpace(part); {
		case part == "" || part == "void" || part == "&self" || part == "self" || part == "&mut self":
			continue
		case strings.Contains(part, "..."), strings.HasPrefix(part, "vararg "), strings.HasPrefix(part, "params "), strings.HasSuffix(part, "*") && strings.Contains(part, ": "):
			most = math.MaxInt / 2
		case strings.HasPrefix(part, "this "): // the object of an extension method
			most++
		case strings.Contains(strings.ReplaceAll(part, "=>", ""), "="):
			most++
		default:
			least++
			most++
		}
	}
	return least, most
}

// firstWordAt is the index of the first place at which word stands in s as a whole word, -1 when it does not.
func firstWordAt(s, word string) int {
	for at := 0; word != ""; at++ {
		i := strings.Index(s[at:], word)
		if i < 0 {
			break
		}
		at += i
		if end := at + len(word); (at == 0 || !isWordByte(s[at-1])) && (end == len(s) || !isWordByte(s[end])) {
			return at
		}
	}
	return -1
}

// splitParts splits at the commas outside of brackets.
func splitParts(s string) []string {
	var parts []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if i == 0 || s[i-1] != '-' && s[i-1] != '=' {
				depth--
			}
		case ',':
			if depth == 0 {
				parts, from = append(parts, s[from:i]), i+1
			}
		}
	}
	return append(parts, s[from:])
}
