package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agenvantage"
)

// hydrate fills response.Results with the first topK candidates that still exist, their text and their facts.
func hydrate(corpus Corpus, query agenvantage.Query, r Request, o Options, shown selection, topK int, response *agenvantage.Response) error {
	perFile := map[uint32]int{}
	freshness := map[uint32]Freshness{}
	needles := needlesOf(query)
	for _, c := range shown.order {
		if len(response.Results) == topK {
			break
		}
		state, asked := freshness[c.File]
		if !asked && r.FreshnessOf != nil {
			state = r.FreshnessOf(c.File)
			freshness[c.File] = state
		}
		if state != Fresh {
			response.Coverage.Stale = true
		}
		if state == Gone {
			continue
		}
		facts, err := corpus.Facts(c.File)
		if err != nil {
			return fmt.Errorf("facts of %q: %w", corpus.Path(c.File), err)
		}
		text, err := corpus.Text(c.File)
		if err != nil {
			return fmt.Errorf("text of %q: %w", corpus.Path(c.File), err)
		}
		perFile[c.File]++
		kind, symbol, lang := ofKind(facts, c)
		result := agenvantage.Result{
			Rank: len(response.Results) + 1, Path: corpus.Path(c.File), StartLine: c.Span.StartLine, EndLine: c.Span.EndLine,
			Lang: corpus.Lang(c.File), Kind: kind, Score: c.Score, Channels: c.Channels, Parts: c.Parts, Stale: state == Changed,
		}
		if symbol != nil {
			result.Symbol, result.Signature, result.Doc = symbol.Qualified, symbol.Signature, symbol.Doc
		}
		if lang != "" {
			result.Lang = lang
		}
		result.Text, result.Shortened = shorten(LinesOf(text, c.Span), needles, o.MaxLineBytes)
		response.Results = append(response.Results, result)
	}
	markHeldBack(response.Results, shown, perFile, corpus)
	return nil
}

// markHeldBack tells, on the first result of each file, how many spans of that file are not in the answer.
func markHeldBack(results []agenvantage.Result, shown selection, perFile map[uint32]int, corpus Corpus) {
	more := make(map[string]int, len(perFile))
	for file, count := range perFile {
		more[corpus.Path(file)] = shown.total[file] - count
	}
	for i := range results {
		results[i].MoreInFile = more[results[i].Path]
		delete(more, results[i].Path)
	}
}

// LinesOf returns the lines of span of text, without the last line's end.
func LinesOf(text string, span agenvantage.Span) string {
	start := 0
	for line := 1; line < span.StartLine; line++ {
		i := strings.IndexByte(text[start:], '\n')
		if i < 0 {
			return ""
		}
		start += i + 1
	}
	end := start
	for line := span.StartLine; line <= span.EndLine; line++ {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text[start:]
		}
		end += i + 1
	}
	return text[start : end-1]
}

// needlesOf lists what a shortened line should be cut around, the most telling first: phrases and names as written, then
// terms, longest first.
func needlesOf(query agenvantage.Query) []string {
	needles := slices.Concat(query.Phrases, query.Identifiers)
	if query.Literal != "" {
		needles = append([]string{query.Literal}, needles...)
	}
	var terms []string
	for _, term := range query.Terms {
		terms = append(terms, term.Text)
	}
	slices.SortStableFunc(terms, func(a, b string) int { return len(b) - len(a) })
	return append(needles, terms...)
}

// cut marks the place where a shortened line was cut.
const cut = "…"

// shorten cuts each line of text that is longer than limit bytes to a window around the first needle that it holds (its
// start when it holds none). The number of lines stays; no character is cut in half. limit 0 means no limit.
func shorten(text string, needles []string, limit int) (string, bool) {
	if limit <= 0 || len(text) <= limit {
		return text, false
	}
	lines, shortened := strings.Split(text, "\n"), false
	for i, line := range lines {
		if len(line) <= limit {
			continue
		}
		shortened = true
		at := 0
		for _, needle := range needles {
			if found := indexFold(line, needle); found >= 0 {
				at = found
				break
			}
		}
		start := max(0, min(at-limit/4, len(line)-limit))
		end := min(len(line), start+limit)
		for start > 0 && !utf8.RuneStart(line[start]) {
			start--
		}
		for end < len(line) && !utf8.RuneStart(line[end]) {
			end--
		}
		window := line[start:end]
		if start > 0 {
			window = cut + window
		}
		if end < len(line) {
			window += cut
		}
		lines[i] = window
	}
	return strings.Join(lines, "\n"), shortened
}

// indexFold is strings.Index without regard to ASCII case; needle "" is not found.
func indexFold(s, needle string) int {
	if needle == "" || len(needle) > len(s) {
		return -1
	}
	if i := strings.Index(s, needle); i >= 0 {
		return i
	}
	for i := 0; i+len(needle) <= len(s); i++ {
		if s[i]|0x20 == needle[0]|0x20 && strings.EqualFold(s[i:i+len(needle)], needle) {
			return i
		}
	}
	return -1
}
