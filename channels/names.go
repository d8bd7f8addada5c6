package channels

import (
	"strings"

	"agenvantage"
	"agenvantage/analysis"
)

// NameSet holds the names of symbols that a question asks for.
type NameSet struct {
	written    map[string]bool // simple and qualified names as written
	normalised map[string]bool // analysis.Normalise of the simple ones
	qualified  [][]string      // the names of each qualified name, outermost first
}

// NamesOf returns the names that q asks for: its identifiers, its qualified names, the functions of its stack frames, and
// the words of a short phrase taken together (user profile names UserProfile).
func NamesOf(q agenvantage.Query) NameSet {
	s := NameSet{written: map[string]bool{}, normalised: map[string]bool{}}
	for _, name := range q.Identifiers {
		s.add(name)
	}
	for _, name := range q.Qualified {
		s.addQualified(name)
	}
	for _, frame := range q.Frames {
		if strings.Contains(frame.Function, ".") {
			s.addQualified(frame.Function)
		} else if frame.Function != "" {
			s.add(frame.Function)
		}
	}
	if name := joinedName(q); name != "" {
		s.normalised[name] = true
	}
	return s
}

func (s *NameSet) add(name string) {
	s.written[name] = true
	if n := analysis.Normalise(name); n != "" {
		s.normalised[n] = true
	}
}

func (s *NameSet) addQualified(name string) {
	if parts := splitQualified(name); len(parts) > 0 {
		s.written[strings.Join(parts, ".")] = true
		s.qualified = append(s.qualified, parts)
	}
}

// Names reports whether the question asks for symbol: by its name in any spelling, or by a qualified name whose
// qualifiers do not contradict the symbol's parents (a symbol without parents may be qualified by a package or module).
func (s NameSet) Names(symbol agenvantage.Symbol) bool {
	if s.written[symbol.Name] || s.written[symbol.Qualified] {
		return true
	}
	last := endOfName(symbol.Name)
	if last != symbol.Name && isType(symbol.Kind) && s.written[last] {
		return true // Conn is asked for, and App.Plug.Conn written
	}
	for _, parts := range s.qualified {
		if last == parts[len(parts)-1] && (symbol.Qualified == last || endsWithNames(splitQualified(symbol.Qualified), parts)) {
			return true
		}
	}
	return len(s.normalised) > 0 && s.normalised[analysis.Normalise(symbol.Name)]
}

// Empty reports whether the question asks for no symbol.
func (s NameSet) Empty() bool { return len(s.written) == 0 && len(s.normalised) == 0 }

// maxJoinedWords is the most words of a phrase that are also looked up as one name.
const maxJoinedWords = 4

// joinedName is the normalised name that the words of a phrase make together: "parse xml file" gives parsexmlfile. It is
// "" unless the question is a phrase of two to maxJoinedWords words of letters and digits.
func joinedName(q agenvantage.Query) string {
	if q.Class != agenvantage.ClassPhrase || q.Literal == "" || len(q.Phrases) > 0 {
		return ""
	}
	words := strings.Fields(q.Literal)
	if len(words) < 2 || len(words) > maxJoinedWords {
		return ""
	}
	for _, w := range words {
		if len(analysis.SplitIdentifier(w)) == 0 || strings.ContainsFunc(w, func(r rune) bool { return r < 0x80 && !analysis.IsWordByte(byte(r)) && r != '-' }) {
			return ""
		}
	}
	return analysis.Normalise(strings.Join(words, ""))
}

var qualifiers = strings.NewReplacer("::", "\n", "->", "\n", ".", "\n", "#", "\n", `\`, "\n", "/", "\n")

// splitQualified returns the names of a qualified name, outermost first, without those that only stand for the place
// where they are written (self, this, crate).
func splitQualified(name string) []string {
	parts := strings.FieldsFunc(qualifiers.Replace(name), func(r rune) bool { return r == '\n' })
	for len(parts) > 1 {
		switch parts[0] {
		case "self", "this", "crate", "super", "Self", "cls":
			parts = parts[1:]
			continue
		}
		break
	}
	return parts
}

// endsWithNames reports whether names ends with tail.
func endsWithNames(names, tail []string) bool {
	if len(tail) > len(names) {
		return false
	}
	names = names[len(names)-len(tail):]
	for i := range tail {
		if names[i] != tail[i] {
			return false
		}
	}
	return true
}
