package pack

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agenvantage/internal/visible"
)

// Longest texts outside of fences, in characters. They bound what names and reasons of a repository can add to a header; a
// path is never shortened, since it is part of the evidence.
const (
	maxSymbol = 120
	maxReason = 160
	maxItem   = 240
)

// shownPath is a path in a header: as it is when it holds nothing but letters, digits and a few signs, else in double quotes
// with escapes. A blank or a colon is not plain, so that a file name cannot continue a header in the header's words.
func shownPath(s string) string { return name(s, "_-./+@$#~=%!?&*[]{}()^'") }

// name quotes s unless it is made of letters, digits and the signs. One that begins with a sign is quoted too: behind the
// "- " of a list "~~~" would open a fence.
func name(s, signs string) string {
	if first, _ := utf8.DecodeRuneInString(s); plain(first, "_.@$(") && !visible.Needs(s, func(r rune) bool { return !plain(r, signs) }) {
		return s
	}
	return `"` + visible.Escape(s, func(r rune) bool { return visible.Hidden(r) || r == '"' || r == '\\' || r == '`' || r == '<' }) + `"`
}

func plain(r rune, signs string) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(signs, r)
	}
	return !visible.Hidden(r) && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// symbols is a symbol, or several with a comma and a blank between, each a name.
func symbols(s string) string {
	parts := strings.Split(s, ", ")
	for i, p := range parts {
		parts[i] = name(shorten(p, maxSymbol), "_-./+@$#~=%!?&*[]{}()^':|")
	}
	return strings.Join(parts, ", ")
}

// line is free text on one line, at most max characters: white space is folded, what cannot be seen is escaped, and
// what could open a fence, a tag or a model's control token is made harmless.
func line(s string, max int) string {
	s = visible.Escape(strings.Join(strings.Fields(s), " "), visible.Hidden)
	for _, mark := range []string{"```", "~~~"} {
		if strings.Contains(s, mark) {
			s = strings.ReplaceAll(s, mark[:1], "'")
		}
	}
	s = strings.ReplaceAll(s, "<|", `\x3c|`)
	return shorten(s, max)
}

// entry is line as an entry of a list: in quotes when it would begin with a sign that Markdown reads.
func entry(s string) string {
	s = line(s, maxItem)
	if r, _ := utf8.DecodeRuneInString(s); (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '"' || r == '/') && !startsList(s) {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `'`) + `"`
}

// startsList tells "1. " and "1) ", behind which Markdown looks for a block again.
func startsList(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	return rest != s && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, ")"))
}

// shorten cuts s after max characters and says so with an ellipsis.
func shorten(s string, max int) string {
	n := 0
	for i := range s {
		if n == max-1 && utf8.RuneCountInString(s[i:]) > 1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		n++
	}
	return s
}
