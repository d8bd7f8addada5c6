package embed

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// PrefixVersion changes with what Prefix gives for the same arguments, and with what the hash of a chunk is made of: it is a part
// of Identity, so that vectors of two versions are never compared.
const PrefixVersion = 1

// PrefixTokens bounds a prefix, by EstimateTokens.
const PrefixTokens = 60

// Shares of PrefixTokens that a part may take when those after it need theirs. A line feed is one token.
const (
	pathTokens      = 20
	enclosingTokens = 10
	docTokens       = 12 // kept free for the sentence by a long signature
)

// Prefix is what a chunk's text is preceded by when it is embedded: its path, the type that encloses it, its signature and the
// first sentence of its doc comment, each on a line of its own that ends in a line feed, and without a line where there is
// nothing to say. The same arguments give the same bytes. A part that is too long loses its beginning (path and enclosing
// type, whose end says most) or its end.
func Prefix(path, enclosing, signature, doc string) string {
	path, enclosing = lastTokens(oneLine(path), pathTokens-1, "/"), lastTokens(oneLine(enclosing), enclosingTokens-1, ".")
	signature, doc = oneLine(signature), oneLine(doc)
	left := PrefixTokens - cost(path) - cost(enclosing)
	signature = firstTokens(signature, left-1-min(docTokens, cost(doc)))
	doc = firstTokens(doc, left-cost(signature)-1)
	var b strings.Builder
	for _, part := range []string{path, enclosing, signature, doc} {
		if part != "" {
			b.WriteString(part)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// cost is what a part takes with its line feed.
func cost(part string) int {
	if part == "" {
		return 0
	}
	return EstimateTokens(part) + 1
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, string(utf8.RuneError))), " ")
}

// bytesPerToken is above what one token of a line holds: four letters and a space.
const bytesPerToken = 8

// firstTokens is the longest beginning of s within a number of tokens, of whole words where that leaves any.
func firstTokens(s string, tokens int) string {
	if EstimateTokens(s) <= tokens {
		return s
	}
	end := sort.Search(min(len(s), bytesPerToken*(tokens+1)), func(i int) bool { return EstimateTokens(s[:i+1]) > tokens })
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	if space := strings.LastIndexByte(s[:end], ' '); space > 0 && s[end] != ' ' {
		end = space
	}
	return strings.TrimRight(s[:end], " ")
}

// lastTokens is the longest end of s within a number of tokens, of whole parts between separators where that leaves any.
func lastTokens(s string, tokens int, separator string) string {
	if EstimateTokens(s) <= tokens {
		return s
	}
	for from := len(s) - bytesPerToken*(tokens+1); from > 0; from++ { // what lies before cannot fit
		if utf8.RuneStart(s[from]) {
			s = s[from:]
			break
		}
	}
	for at := 0; ; {
		n := strings.Index(s[at:], separator)
		if n < 0 {
			break
		}
		at += n + len(separator)
		if at < len(s) && EstimateTokens(s[at:]) <= tokens {
			return s[at:]
		}
	}
	from := len(s)
	for from > 0 {
		_, size := utf8.DecodeLastRuneInString(s[:from])
		if EstimateTokens(s[from-size:]) > tokens {
			break
		}
		from -= size
	}
	return strings.TrimLeft(s[from:], " ")
}
