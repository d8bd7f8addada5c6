package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// highlighter finds what a query looks for in lines that are shown. It is about looks alone: what is found at all is
// decided by the channels.
type highlighter struct {
	strong *regexp.Regexp // whole words of the query, or the query's regular expression
	weak   *regexp.Regexp // parts of its identifiers
}

// maxHighlightWords bounds the words of a long query.
const maxHighlightWords = 40

var queryWord = regexp.MustCompile(`[\p{L}\p{M}\p{N}_]+`)

// dullWords are not worth a colour.
var dullWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("a an and are as at be by do does for from how i in is it not of on or that the this to we what when where which who why with you") {
		m[w] = true
	}
	return m
}()

func newHighlighter(query string, regex bool) highlighter {
	if q := strings.TrimSpace(query); len(q) > 2 && q[0] == '/' && q[len(q)-1] == '/' && !regex {
		query, regex = q[1:len(q)-1], true
	}
	if regex {
		re, err := regexp.Compile(query)
		if err != nil {
			return highlighter{}
		}
		return highlighter{strong: re}
	}
	var words, parts []string
	all := queryWord.FindAllString(query, -1)
	for _, w := range all {
		lower := strings.ToLower(w)
		if dullWords[lower] && len(all) > 1 || utf8.RuneCountInString(w) < 2 && len(all) > 1 || slices.Contains(words, lower) {
			continue
		}
		if words = append(words, lower); len(words) == maxHighlightWords {
			break
		}
		for _, part := range identifierParts(w) {
			if len(part) >= 3 && !dullWords[part] {
				parts = append(parts, part)
			}
		}
	}
	return highlighter{strong: anyOf(words), weak: anyOf(parts)}
}

// identifierParts splits at underscores and at changes to upper case.
func identifierParts(w string) []string {
	var out []string
	start, runes := 0, []rune(w)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || runes[i] == '_' || runes[i-1] == '_' || unicode.IsUpper(runes[i]) && !unicode.IsUpper(runes[i-1]) {
			if part := strings.ToLower(strings.Trim(string(runes[start:i]), "_")); part != "" {
				out = append(out, part)
			}
			start = i
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

func anyOf(words []string) *regexp.Regexp {
	if len(words) == 0 {
		return nil
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	slices.SortStableFunc(quoted, func(a, b string) int { return len(b) - len(a) })
	return regexp.MustCompile("(?i)" + strings.Join(quoted, "|"))
}

// find gives the byte ranges of line to highlight: whole words, or parts when the line holds no whole word.
func (h highlighter) find(line string) [][]int {
	for _, re := range []*regexp.Regexp{h.strong, h.weak} {
		if re == nil {
			continue
		}
		found := slices.DeleteFunc(re.FindAllStringIndex(line, 50), func(r []int) bool { return r[0] == r[1] })
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// weight says how much a line is about the query: different whole words count most.
func (h highlighter) weight(line string) int {
	distinct := func(re *regexp.Regexp) int {
		if re == nil {
			return 0
		}
		seen := map[string]bool{}
		for _, m := range re.FindAllString(line, 50) {
			seen[strings.ToLower(m)] = true
		}
		return len(seen)
	}
	return 4*distinct(h.strong) + distinct(h.weak)
}

// bestWindow is the first run of n lines with the most weight; it begins with the first line when nothing has weight.
func (h highlighter) bestWindow(lines []string, n int) (from, to int) {
	if len(lines) <= n {
		return 0, len(lines)
	}
	weights, sum, best := make([]int, len(lines)), 0, -1
	for i, l := range lines {
		weights[i] = h.weight(l)
		sum += weights[i]
		if i >= n {
			sum -= weights[i-n]
		}
		if i >= n-1 && sum > best {
			best, from = sum, i-n+1
		}
	}
	for from+n < len(lines) && weights[from] == 0 && weights[from+1] == 0 && best > 0 { // keep at most one line before the first match
		from++
	}
	return from, from + n
}
