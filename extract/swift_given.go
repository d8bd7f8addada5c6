package extract

import (
	"strings"

	"agenvantage"
)

// maxGivenBytes bounds the text that is read behind a name.
const maxGivenBytes = 1024

// swiftGiven reads what a Swift name is given from the text behind it: ": Type", "= value", " in collection", " as Type",
// or, behind the name of a function, the result of its signature.
func swiftGiven(kind agenvantage.SymbolKind, after string) (typ, value string) {
	after = after[:min(len(after), maxGivenBytes)]
	rest := strings.TrimLeft(after, " \t")
	switch kind {
	case agenvantage.KindFunction, agenvantage.KindMethod:
		return swiftResult(rest), ""
	case agenvantage.KindType:
		_, rest, _ = strings.Cut(rest, "= ")
		return foldType(strings.TrimSpace(rest)), ""
	case "", agenvantage.KindField, agenvantage.KindVariable, agenvantage.KindConstant:
	default:
		return "", ""
	}
	switch {
	case strings.HasPrefix(rest, ":"):
		return foldType(strings.TrimSpace(rest[1:upTo(rest, 1, "=,){\n")])), ""
	case strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="):
		text := strings.TrimSpace(rest[1:upTo(rest, 1, ",{;\n")])
		text = strings.TrimSpace(strings.TrimSuffix(text, " else"))
		return "", reducePath(strings.TrimRight(text, "!?"))
	case strings.HasPrefix(rest, "in ") && rest != after:
		if value = reducePath(strings.TrimSpace(rest[3:upTo(rest, 3, "{\n")])); value != "" {
			value += "[]"
		}
		return "", value
	case strings.HasPrefix(rest, "as "):
		return foldType(strings.TrimSpace(rest[3:upTo(rest, 3, "{,)\n")])), ""
	}
	return "", ""
}

// swiftResult is the type behind the arrow of a signature, "" when it has none.
func swiftResult(s string) string {
	for s != "" && (s[0] == '(' || s[0] == '<') {
		end := matching(s)
		if end < 0 {
			return ""
		}
		s = strings.TrimLeft(s[end+1:], " \t\n")
	}
	for found := true; found; {
		found = false
		for _, word := range []string{"async", "throws", "rethrows"} {
			if rest, ok := strings.CutPrefix(s, word); ok {
				s, found = strings.TrimLeft(rest, " \t\n"), true
			}
		}
	}
	s, ok := strings.CutPrefix(s, "->")
	if !ok {
		return ""
	}
	s = s[:upTo(s, 0, "{;\n")]
	s, _, _ = strings.Cut(s, " where ")
	return foldType(strings.TrimSpace(s))
}

// upTo is the index, from start on, of the first byte of stops outside of brackets.
func upTo(s string, start int, stops string) int {
	depth := 0
	for i := start; i < len(s); i++ {
		switch c := s[i]; {
		case depth == 0 && strings.IndexByte(stops, c) >= 0:
			return i
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return len(s)
}
