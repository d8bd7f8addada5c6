package corpus

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// commentMarkers are the characters that begin, continue or end comments; they are no part of what a comment says.
const commentMarkers = "/*()#-;%!\"'<>|=~` \t"

// lineMarkers are what a line of comment begins with, by language; "" is for the rest.
var lineMarkers = map[string][]string{
	"": {"//"}, "python": {"#"}, "ruby": {"#"}, "perl": {"#"}, "bash": {"#"}, "elixir": {"#"}, "r": {"#"}, "julia": {"#"}, "nim": {"#"}, "crystal": {"#"},
	"php": {"//", "#"}, "lua": {"--"}, "haskell": {"--"}, "elm": {"--"}, "sql": {"--"}, "ada": {"--"}, "vhdl": {"--"}, "erlang": {"%"}, "prolog": {"%"}, "latex": {"%"},
	"matlab": {"%"}, "clojure": {";"}, "emacs-lisp": {";"}, "common-lisp": {";"}, "scheme": {";"}, "racket": {";"}, "vim": {"\""}, "fortran": {"!"}, "tcl": {"#"},
	"ocaml": {"(*"}, "cmake": {"#"}, "make": {"#"}, "awk": {"#"}, "powershell": {"#"},
}

// commentOf returns what a line says that is nothing but a comment, ok false for other lines.
func commentOf(lang, line string) (text string, ok bool) {
	markers, known := lineMarkers[lang]
	if !known {
		markers = lineMarkers[""]
	}
	line = strings.TrimSpace(line)
	for _, m := range markers {
		if strings.HasPrefix(line, m) && !strings.HasPrefix(line, "#!") && !strings.HasPrefix(line, "#[") {
			return strings.TrimSpace(strings.TrimRight(strings.TrimLeft(line, commentMarkers), "*/ \t")), true
		}
	}
	return "", false
}

// withoutLines returns text without the lines that say nothing but a part of said.
func withoutLines(text, said string) string {
	flat := flatten(said)
	var b strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.Trim(strings.TrimSpace(line), commentMarkers)
		if len(bare) >= 4 && strings.Contains(flat, flatten(bare)) && (len(bare) >= 10 || bare != strings.TrimSpace(line)) {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// flatten folds white space and case.
func flatten(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// maskWord replaces name by nothing wherever it stands as a word.
func maskWord(text, name string) string {
	if len(name) < 2 {
		return text
	}
	var b strings.Builder
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			b.WriteString(text[at:])
			return b.String()
		}
		i += at
		end := i + len(name)
		if i > 0 && isWordByte(text[i-1]) || end < len(text) && isWordByte(text[end]) {
			b.WriteString(text[at:end])
		} else {
			b.WriteString(text[at:i])
			b.WriteByte(' ')
		}
		at = end
	}
}

var (
	markup    = regexp.MustCompile(`<[^<>\n]{1,80}>|\{@\w+\s+([^{}]*)\}|https?://\S+|:\w+:` + "`")
	docTag    = regexp.MustCompile(`(?m)^\s*(?:[@\\]\w+|:(?:param|type|return|returns|rtype|raise|raises)\b|(?:Args|Arguments|Parameters|Params|Returns|Return|Raises|Yields|Examples?|Throws|See also|Since|Note|Notes|Todo)\s*:?\s*$|-{4,}|={4,}|>>>|#+ (?:Examples?|Panics|Errors|Safety))`)
	briefTag  = regexp.MustCompile(`(?m)^\s*[@\\](?:brief|summary|desc|description|short)\b:?`)
	codeLike  = regexp.MustCompile(`[;{}]\s*$|^\s*(?:if|for|while|return|else|end|var|let|const|int|import|from|print|printf)\b.*[(=;:]|==|!=|->|=>|\w\(\w*\)\s*[;,]|^\s*\w+\s*=\s`)
	pragmas   = regexp.MustCompile(`(?i)copyright|licen[sc]e|spdx|all rights reserved|\bnolint\b|eslint|noqa|pylint|@ts-|istanbul|prettier-ignore|go:generate|\+build|clang-format|coverage|auto-?generated|do not edit|\bTODO\b|\bFIXME\b|\bXXX\b|vim:|-\*-|@author|\bauthor:|written by|type: ignore|rubocop|phpcs|codecov`)
	sentences = regexp.MustCompile(`[.!?]\s+[A-Z]`)
)

// firstParagraph is the part of a doc comment that says what the thing is: up to the first empty line or tag, at most limit bytes.
func firstParagraph(doc string, limit int) string {
	doc = briefTag.ReplaceAllString(doc, "")
	if at := docTag.FindStringIndex(doc); at != nil {
		doc = doc[:at[0]]
	}
	doc = strings.TrimSpace(doc)
	if i := strings.Index(doc, "\n\n"); i > 0 {
		doc = doc[:i]
	}
	return cleanText(doc, limit)
}

// cleanText drops markup and addresses, folds white space and cuts at the end of a word.
func cleanText(s string, limit int) string {
	s = strings.Join(strings.Fields(markup.ReplaceAllString(s, " $1 ")), " ")
	return cutAt(s, limit)
}

// cutAt cuts s to at most limit bytes at a space.
func cutAt(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = s[:limit]
	if i := strings.LastIndexByte(s, ' '); i > limit/2 {
		return s[:i]
	}
	for len(s) > 0 && !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s
}

// cutLines cuts s to at most limit bytes at the end of a line.
func cutLines(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	if i := strings.LastIndexByte(s[:limit], '\n'); i > limit/4 {
		return s[:i+1]
	}
	return cutAt(s, limit)
}

// isProse reports whether s reads like English words: at least least of them, mostly plain letters.
func isProse(s string, least int) bool {
	letters, other, words := 0, 0, 0
	inWord := false
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		switch {
		case 'a' <= c && c <= 'z':
			letters++
			if !inWord {
				words++
			}
			inWord = true
		case s[i] == ' ' || s[i] == '\n':
			inWord = false
		default:
			inWord = inWord && (s[i] == '_' || s[i] == '\'' || s[i] == '-' || '0' <= s[i] && s[i] <= '9')
			other++
		}
	}
	return words >= least && other*4 <= letters
}

// skippable reports whether a comment is about the file and its tools rather than about the code.
func skippable(s string) bool { return pragmas.MatchString(s) }

// looksLikeCode reports whether a comment is code that was commented out.
func looksLikeCode(s string) bool { return codeLike.MatchString(s) && !sentences.MatchString(s) }
