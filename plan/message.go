package plan

import (
	"regexp"
	"strings"

	"agenvantage"
)

// A message that somebody pastes has values where the source has placeholders, and the name of a program or of an exception before it. Nothing in it
// need be quoted. Questions in words are told from messages by their first word and their last character; what remains in doubt is decided by the
// channel that looks for the message: it takes stretches that a line holds verbatim, and a sentence about code has none of some length.

// messageMarks are signs that a text which begins like a question is a message all the same.
var messageMarks = regexp.MustCompile(`["'` + "`" + `]|[\w)\]]: |\(.*\)|\[.*\]`)

// mayBeMessage reports whether a short text may be what a program said.
func mayBeMessage(q *agenvantage.Query, words []string) bool {
	if !q.Short || len(words) < 2 || q.Class != agenvantage.ClassPhrase && q.Class != agenvantage.ClassQuestion {
		return false
	}
	if strings.HasSuffix(words[len(words)-1], "?") {
		return false
	}
	negated := strings.EqualFold(words[1], "not") // could not open, is not a function
	return !askingWords[strings.ToLower(words[0])] || negated || messageMarks.MatchString(q.Text)
}
