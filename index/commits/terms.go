package commits

import (
	"strings"

	"agenvantage/analysis"
)

// maxMessageBytes is how much of a body becomes terms. Of 62,000 messages of sympy 40 are longer; those are merged logs and
// pasted sessions, whose end says little about the change.
const maxMessageBytes = 8 << 10

// messageTerms are the terms of a message with their frequencies, and how many there are in all: subject and body through the
// one tokenizer. Lines that tools add about people and not about the change are left out (trailers whose key ends in
// "-by", Change-Id, git-svn-id): they would make every message longer by a different amount.
func messageTerms(subject, body string) (frequencies map[string]int, total int) {
	var text strings.Builder
	text.WriteString(subject)
	for line := range strings.Lines(body[:min(len(body), maxMessageBytes)]) {
		if !isTrailer(line) {
			text.WriteByte('\n')
			text.WriteString(line)
		}
	}
	tokens := analysis.AppendTokens(nil, text.String())
	frequencies = make(map[string]int, len(tokens))
	for _, t := range tokens {
		frequencies[t]++
	}
	return frequencies, len(tokens)
}

func isTrailer(line string) bool {
	key, _, ok := strings.Cut(line, ":")
	if !ok || len(key) > 40 || strings.ContainsAny(key, " \t") {
		return false
	}
	key = strings.ToLower(key)
	return strings.HasSuffix(key, "-by") || key == "change-id" || key == "git-svn-id"
}
