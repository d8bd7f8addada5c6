package pipeline

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"agenvantage"
)

// hydrate fills response.Results with the first topK candidates behind the offset that still exist, their text and their facts.
func hydrate(corpus Corpus, query agenvantage.Query, r Request, o Options, shown selection, topK int, response *agenvantage.Response) error {
	perFile := map[uint32]int{}
	freshness := map[uint32]Freshness{}
	cutAt := placeOf(query)
	rank := r.Offset - shown.folds.before(r.Offset)
	for place, c := range shown.order {
		if len(response.Results) == topK {
			break
		}
		at, folded := shown.folds[place]
		if place < r.Offset || folded && at.under < r.Offset {
			perFile[c.File]++
		}
		if place < r.Offset || folded {
			continue
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
			Rank: rank + len(response.Results) + 1, Place: place, Path: corpus.Path(c.File), StartLine: c.Span.StartLine, EndLine: c.Span.EndLine,
			Lang: corpus.Lang(c.File), Kind: kind, Score: c.Score, Channels: c.Channels, Parts: c.Parts, Stale: state == Changed,
		}
		for _, p := range shown.folds.under(place) {
			copied := shown.order[p]
			perFile[copied.File]++
			result.Also = append(result.Also, copyOf(corpus, copied, shown.folds[p].alike))
		}
		if symbol != nil {
			result.Symbol, result.Signature, result.Doc = symbol.Qualified, symbol.Signature, symbol.Doc
		}
		if lang != "" {
			result.Lang = lang
		}
		result.Text, result.Shortened = shorten(LinesOf(text, c.Span), cutAt, o.MaxLineBytes)
		response.Results = append(response.Results, result)
	}
	markHeldBack(response.Results, shown, perFile, corpus)
	return nil
}

// markHeldBack tells, on the first result of each file, how many spans of that file are neither in the answer nor before it.
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

// LinesOf returns the lines of span of text, without the last line's end; those past the end of text are left out.
func LinesOf(text string, span agenvantage.Span) string {
	if span.Lines() == 0 {
		return ""
	}
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
			return strings.TrimSuffix(text[start:], "\n")
		}
		end += i + 1
	}
	return text[start : end-1]
}

// placeOf makes the function that finds what a shortened line should be cut around, -1 when the line holds none of it: the
// match of an expression; else, the most telling first, phrases and names as written, then terms, longest first.
func placeOf(query agenvantage.Query) func(line string) int {
	if query.Regex != "" {
		expression, err := regexp.Compile(query.Regex)
		return func(line string) int {
			if err != nil {
				return -1
			}
			return append(expression.FindStringIndex(line), -1)[0]
		}
	}
	needles := slices.Concat(query.Phrases, query.Identifiers)
	if query.Literal != "" {
		needles = append([]string{query.Literal}, needles...)
	}
	var terms []string
	for _, term := range query.Terms {
		terms = append(terms, term.Text)
	}
	slices.SortStableFunc(terms, func(a, b string) int { return len(b) - len(a) })
	return placeOfFirst(append(needles, terms...))
}

// placeOfFirst makes the function that finds the first of needles that a line holds, without regard to ASCII case.
func placeOfFirst(needles []string) func(line string) int {
	var lower []string
	for _, needle := range needles {
		if needle != "" {
			lower = append(lower, lowerASCII(needle))
		}
	}
	return func(line string) int {
		line = lowerASCII(line)
		for _, needle := range lower {
			if at := strings.Index(line, needle); at >= 0 {
				return at
			}
		}
		return -1
	}
}

// lowerASCII is strings.ToLower for ASCII letters only, so that places in s stay.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// cut marks the place where a shortened line was cut.
const cut = "…"

// shorten cuts each line of text that is longer than limit bytes to a window around what place finds in it (its start
// when that is -1). The number of lines stays; no character is cut in half. limit 0 means no limit.
func shorten(text string, place func(line string) int, limit int) (string, bool) {
	if limit <= 0 || len(text) <= limit {
		return text, false
	}
	lines, shortened := strings.Split(text, "\n"), false
	for i, line := range lines {
		if len(line) <= limit {
			continue
		}
		shortened = true
		at := max(0, place(line))
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
