package pack

import "strings"

// maxLanguageBytes bounds the tag behind a fence: the longest language id of the product has 16 bytes.
const maxLanguageBytes = 24

// fence returns backticks that no line of text can close: more than the longest run of backticks or of tildes in it, at
// least three. Runs in the middle of a line count too, so that readers that look for the fence anywhere are safe as well,
// and CommonMark's lone carriage return, which ends a line, needs no special case.
func fence(text string) string {
	longest, run := 2, 0
	var last byte
	for i := range len(text) {
		c := text[i]
		switch {
		case c != '`' && c != '~':
			run = 0
		case c == last:
			run++
		default:
			run = 1
		}
		last = c
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// fenced returns what stands before and behind text to fence it. The reader gets it back as everything between the line end
// of the first fence and the last "\n" before the second.
func fenced(lang, text string) (open, closed string) {
	f := fence(text)
	return f + languageTag(lang) + "\n", "\n" + f + "\n"
}

// languageTag is lang when it is safe behind a fence, else nothing.
func languageTag(lang string) string {
	if len(lang) > maxLanguageBytes {
		return ""
	}
	for i := range len(lang) {
		c := lang[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '+' || c == '#' || c == '_' || c == '.') {
			return ""
		}
	}
	return lang
}
