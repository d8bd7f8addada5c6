package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"agenvantage"
	"agenvantage/analysis"
)

// Bounds of a question. A pasted log of megabytes costs as much as its first 64 KiB and its end, where the error is.
const (
	headBytes       = 64 << 10
	tailBytes       = 4 << 10
	maxRegexBytes   = 4 << 10
	maxLiteralBytes = 256
	maxTerms        = 512 // half from the start, half from the end
	maxIdentifiers  = 64
	maxQualified    = 32
	maxPhrases      = 32
	maxPaths        = 64
	maxFrames       = 128 // half from the start of a trace, half from its end
)

// Word counts that tell the classes apart.
const (
	issueWords    = 40 // more is an issue
	questionWords = 7  // more is a sentence
)

// ParseOptions are what the caller knows about the text.
type ParseOptions struct {
	Regex bool // the whole text is a regular expression in RE2 syntax
}

// Parse reads a question. The parts of the answer are in the order in which they stand in the text, without repeats, and
// bounded in number. An error wraps agenvantage.ErrBadInput: an empty text, one that is not UTF-8 or holds a NUL, or,
// with Options.Regex, a pattern that RE2 refuses. A text between slashes (/…/, also with an i after it) is a regular
// expression; one that RE2 refuses is bad input too, unless it may be a path (/c++/) or a comment. A diff asks for its places.
func Parse(text string, o ParseOptions) (agenvantage.Query, error) {
	switch {
	case !utf8.ValidString(text):
		return agenvantage.Query{}, fmt.Errorf("%w: the query is not valid UTF-8", agenvantage.ErrBadInput)
	case strings.IndexByte(text, 0) >= 0:
		return agenvantage.Query{}, fmt.Errorf("%w: the query holds a NUL character", agenvantage.ErrBadInput)
	case strings.TrimSpace(text) == "":
		return agenvantage.Query{}, fmt.Errorf("%w: the query is empty", agenvantage.ErrBadInput)
	}
	if o.Regex {
		return parseRegex(text)
	}
	trimmed := strings.TrimSpace(text)
	if pattern, ok, err := betweenSlashes(trimmed); err != nil {
		return agenvantage.Query{}, fmt.Errorf("%w: %w", agenvantage.ErrBadInput, err)
	} else if ok {
		return agenvantage.Query{Text: trimmed, Class: agenvantage.ClassRegex, Regex: pattern}, nil
	}
	if literal, ok := wholeQuotation(trimmed); ok && !isPlace(literal) {
		return agenvantage.Query{Text: trimmed, Class: agenvantage.ClassPhrase, Short: isShort(literal), Phrases: []string{literal}, Literal: literal, Terms: analysis.QueryTerms(literal)}, nil
	}
	if q, ok := parseDiff(bounded(text)); ok {
		return q, nil
	}
	q := agenvantage.Query{Text: bounded(text)}
	if len(trimmed) <= maxLiteralBytes {
		q.Literal = trimmed
	}
	q.Short = isShort(q.Text)
	words := readWords(&q)
	traced := readFrames(&q)
	q.Terms = termsOf(q.Text)
	q.Class = classOf(&q, words, traced)
	if mayBeMessage(&q, words) {
		q.Message = q.Text
	}
	return q, nil
}

// termsOf are the terms of a text, the first and the last of many.
func termsOf(text string) []agenvantage.Term {
	terms := analysis.QueryTerms(text)
	if len(terms) > maxTerms {
		terms = slices.Concat(terms[:maxTerms/2], terms[len(terms)-maxTerms/2:])
	}
	return terms
}

// isShort reports whether a text has few enough words to be no report.
func isShort(text string) bool { return len(strings.Fields(text)) <= issueWords }

// wholeQuotation returns the text between the quotes of a question that is one quotation from end to end: it is looked for
// as it stands, and nothing in it is read as a name or a path; Parse takes a path with lines out of them all the same. Quotes of the same kind inside are part of it,
// unless they divide the question into several quotations ("one" "two").
func wholeQuotation(s string) (string, bool) {
	if len(s) < 3 || len(s) > maxLiteralBytes || s[0] != s[len(s)-1] || strings.IndexByte("\"'`", s[0]) < 0 || strings.TrimSpace(s[1:len(s)-1]) == "" {
		return "", false
	}
	spans := analysis.QuotedSpans(s)
	if len(spans) > 1 && spans[0].Start == 1 && spans[len(spans)-1].End == len(s)-1 {
		return "", false
	}
	return s[1 : len(s)-1], true
}

func parseRegex(pattern string) (agenvantage.Query, error) {
	if len(pattern) > maxRegexBytes {
		return agenvantage.Query{}, fmt.Errorf("%w: the regular expression is %d bytes long, at most %d are taken", agenvantage.ErrBadInput, len(pattern), maxRegexBytes)
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return agenvantage.Query{}, fmt.Errorf("%w: %w", agenvantage.ErrBadInput, err)
	}
	return agenvantage.Query{Text: pattern, Class: agenvantage.ClassRegex, Regex: pattern}, nil
}

// betweenSlashes returns the pattern of /pattern/ or /pattern/i. A slash inside must be escaped: /usr/lib/ is a path. An expression that
// RE2 refuses is an error where it can be nothing else: no path holds a lone bracket, and what begins with a star is a comment or a glob.
func betweenSlashes(s string) (pattern string, ok bool, err error) {
	whole, fold := s, strings.HasSuffix(s, "/i")
	if fold {
		s = s[:len(s)-1]
	}
	if len(s) < 3 || len(s) > maxRegexBytes || s[0] != '/' || s[len(s)-1] != '/' {
		return "", false, nil
	}
	inner := s[1 : len(s)-1]
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		switch {
		case inner[i] == '/':
			return "", false, nil
		case inner[i] == '\\' && i+1 < len(inner):
			if inner[i+1] != '/' {
				b.WriteByte('\\')
			}
			i++
			b.WriteByte(inner[i])
		case inner[i] == '\\':
			return "", false, nil // the last slash is escaped
		default:
			b.WriteByte(inner[i])
		}
	}
	if pattern = b.String(); strings.TrimSpace(pattern) == "" {
		return "", false, nil
	}
	if fold {
		pattern = "(?i)" + pattern
	}
	if _, err := regexp.Compile(pattern); err == nil {
		return pattern, true, nil
	} else if _, isPath := asPath(whole); !isPath && inner[0] != '*' && !strings.Contains(inner, "\n") {
		return "", false, err
	}
	return "", false, nil
}

// bounded returns text, or its start and its end when it is long, cut between characters.
func bounded(text string) string {
	return boundedBy(text, headBytes, tailBytes)
}

// askingWords start a question.
var askingWords = setOf(`how what where which who why when does do is are can could should would explain describe show find list tell`)

// classOf tells what kind of question q is, from its parts, its words and whether it holds lines of a stack trace.
func classOf(q *agenvantage.Query, words []string, traced bool) agenvantage.QueryClass {
	if traced {
		return agenvantage.ClassTrace
	}
	if len(words) == 1 {
		switch {
		case len(q.Paths) > 0 || len(q.Frames) > 0:
			return agenvantage.ClassPath
		case len(q.Identifiers) > 0 || len(q.Qualified) > 0:
			if len(q.Phrases) == 0 {
				return agenvantage.ClassIdentifier
			}
		}
		return agenvantage.ClassPhrase
	}
	if !q.Short {
		return agenvantage.ClassIssue
	}
	if len(words) > questionWords || strings.HasSuffix(words[len(words)-1], "?") && len(words) > 2 || askingWords[strings.ToLower(words[0])] {
		return agenvantage.ClassQuestion
	}
	stops := 0
	for _, w := range words {
		if analysis.IsStopWord(w) {
			stops++
		}
	}
	if stops >= 2 && len(q.Phrases) == 0 {
		return agenvantage.ClassQuestion
	}
	return agenvantage.ClassPhrase
}

func setOf(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// bag collects distinct strings in order, up to a bound.
type bag struct {
	list []string
	seen map[string]bool
	max  int
}

func newBag(max int) *bag { return &bag{seen: make(map[string]bool), max: max} }

func (b *bag) add(s string) {
	if s == "" || b.seen[s] || len(b.list) == b.max {
		return
	}
	b.seen[s] = true
	b.list = append(b.list, s)
}
