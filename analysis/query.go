package analysis

import (
	"strings"

	"agenvantage"
)

// stopWords are English words that say nothing about code. They are left out of queries only. Words that are operators
// or control flow in nearly every language (and, or, not, if, else, for, while, in, is, return) are no stop words: their
// document frequency already makes them weak. Glue words that a few languages use as keywords (with, from, this, as,
// do, where, when, by, on) are stop words, since in a question they are glue.
var stopWords = func() map[string]bool {
	const list = `a about after all also am an any are as at be because been before being between both but by can could did do does
		doesn doing don during each few from had has have having he her here hers him his how i into isn it its itself just ll may me might
		more most must my no nor of off on once only our ours out over own re s same she should shouldn so some such t than that the their
		them then there these they this those through to too under until up use used uses using ve very was wasn we were what when where
		which who whom why will with won would you your yours please show find tell give me`
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}()

// IsStopWord reports whether word, in lower case, is left out of queries.
func IsStopWord(word string) bool { return stopWords[word] }

// QueryTerms returns the terms of a question in the order of their first occurrence: the tokens of AppendTokens without
// repeats (Count holds them) and without stop words. A stop word stays when it is quoted, when it is written in capitals
// (AND, NEAR; not the single letter I), and when nothing else would be left. Part is set on tokens that only occur as
// parts of other terms.
func QueryTerms(text string) []agenvantage.Term {
	all := make([]agenvantage.Term, 0, 16)
	position := make(map[string]int)
	kept := make([]bool, 0, 16) // beside all: whether some occurrence is no stop word
	anyKept := false
	quoted := QuotedSpans(text)
	t := tokenizer{text: text}
	t.words = func(from, to, start, end int) {
		word := text[start:end]
		hasWhole := len(t.dst) > from && (t.dst[from] == LongToken || t.dst[from] == Normalise(word))
		keep := !isStop(text, start, end) || inSpans(quoted, start)
		for i := from; i < to; i++ {
			term := t.dst[i]
			part := i > from && hasWhole
			if term == LongToken {
				continue
			}
			p, ok := position[term]
			if !ok {
				p = len(all)
				position[term] = p
				all = append(all, agenvantage.Term{Text: strings.Clone(term), Part: true})
				kept = append(kept, false)
			}
			all[p].Count++
			all[p].Part = all[p].Part && part
			kept[p] = kept[p] || keep
			anyKept = anyKept || keep
		}
		t.dst = t.dst[:0]
	}
	t.run()
	if !anyKept {
		return all
	}
	terms := all[:0]
	for i, term := range all {
		if kept[i] {
			terms = append(terms, term)
		}
	}
	return terms
}

// isStop reports whether text[start:end] is a stop word where it stands.
func isStop(text string, start, end int) bool {
	word := text[start:end]
	if !stopWords[strings.ToLower(word)] {
		return false
	}
	if len(word) <= 2 && start >= 2 && text[start-1] == '\'' && byteClass[text[start-2]]&classLetter != 0 {
		return true // the end of don't, user's, we'll
	}
	capitals := len(word) > 1 && strings.ToUpper(word) == word
	return !capitals
}

// Span is a range of bytes of a text, the end exclusive.
type Span struct{ Start, End int }

// QuotedSpans returns what stands between quotes in text, without the quotes, in order: "…", '…' and `…` on one line.
// A quote opens after a space, an opening bracket or at the start and closes before anything but a word; so the
// apostrophe of don't is none, and a quote without its partner is plain text. Spans hold at least one byte that is no
// space and do not overlap.
func QuotedSpans(text string) []Span {
	var spans []Span
	for i := 0; i < len(text); i++ {
		q := text[i]
		if q != '"' && q != '\'' && q != '`' {
			continue
		}
		if i > 0 && !opensQuote(text[i-1]) {
			continue
		}
		if end := closingQuote(text, i, q); end > 0 {
			spans = append(spans, Span{i + 1, end})
			i = end
		}
	}
	return spans
}

func opensQuote(before byte) bool {
	return before <= ' ' || strings.IndexByte("([{<,;:=|/", before) >= 0
}

// maxQuoteBytes is the longest quotation.
const maxQuoteBytes = 1024

// closingQuote returns the position of the quote that closes the one at open, or -1.
func closingQuote(text string, open int, q byte) int {
	for j := open + 1; j < min(len(text), open+maxQuoteBytes) && text[j] != '\n'; j++ {
		if text[j] != q {
			continue
		}
		if j+1 < len(text) && (byteClass[text[j+1]] != 0 || text[j+1] == q) {
			continue
		}
		if strings.TrimSpace(text[open+1:j]) == "" {
			return -1
		}
		return j
	}
	return -1
}

func inSpans(spans []Span, at int) bool {
	for _, s := range spans {
		if s.Start <= at && at < s.End {
			return true
		}
	}
	return false
}
