package corpus

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/extract"
	"agenvantage/scan"
)

// The kinds of pairs.
const (
	KindDoc     = "doc"     // doc comment → what it documents, without the comment
	KindName    = "name"    // the parts of a name → the body, the name masked
	KindComment = "comment" // comment inside a body → the code around it
	KindError   = "error"   // text of an error → the function that reports it, the text masked
	KindTest    = "test"    // name of a test → the tested function; description of a test → its code
	KindHeading = "heading" // heading and text of a document → the code below it, or the symbol that it documents
)

// Kinds lists the kinds, sorted.
func Kinds() []string {
	return []string{KindComment, KindDoc, KindError, KindHeading, KindName, KindTest}
}

// Pair is one sample: a text and the code that it is about.
type Pair struct {
	Kind  string `json:"k"`
	Lang  string `json:"l"`
	Query string `json:"q"`
	Path  string `json:"p,omitempty"` // of the code within its package
	Name  string `json:"n,omitempty"` // qualified name of the code, "" where it is masked
	Body  string `json:"b"`
	Start int    `json:"s,omitempty"` // lines of the code in Path: overlapping samples are no negatives of each other
	End   int    `json:"e,omitempty"`
	order uint64 // hash that decides which samples are kept
}

const (
	maxQueryBytes = 400
	maxBodyBytes  = 2200 // about one chunk of the index
	minBodyBytes  = 40
	maxFileBytes  = 400 << 10
)

// symbolAt is a definition with its text.
type symbolAt struct {
	agenvantage.Symbol
	path, text string
}

// pair is a sample about s, its text as the body.
func (s symbolAt) pair(kind, query string) Pair {
	return Pair{Kind: kind, Lang: s.Lang, Query: query, Path: s.path, Name: s.Qualified, Body: s.text, Start: s.Span.StartLine, End: s.Span.EndLine}
}

// collector gathers the samples of one package.
type collector struct {
	extractor *extract.Extractor
	pairs     []Pair
	byName    map[string][]int // normalised name → indexes of symbols, for tests and headings
	symbols   []symbolAt
	tests     []symbolAt
	documents []document
}

type document struct{ path, text string }

// file takes one file in. Its text is valid UTF-8 with \n line ends.
func (c *collector) file(ctx context.Context, path, text string) error {
	lang, class := scan.ClassifyPath(path)
	switch {
	case lang == "markdown" || lang == "rst":
		c.documents = append(c.documents, document{path, text})
		return nil
	case !scan.IsCode(lang) || lang == "html" || lang == "css":
		return nil
	}
	x, err := c.extractor.Extract(ctx, extract.Input{Path: path, Lang: lang, Class: class, Text: text})
	if err != nil {
		return err
	}
	if x.State == agenvantage.ParseTimeout {
		return ErrTooSlow
	}
	if len(x.Symbols) == 0 {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	c.fileDoc(path, lang, lines, x.Symbols)
	if class.Has(agenvantage.ClassTest) {
		c.descriptions(path, lang, lines)
	}
	for _, s := range x.Symbols {
		if s.Span.StartLine < 1 || s.Span.EndLine > len(lines) || s.Kind == agenvantage.KindSection {
			continue
		}
		at := symbolAt{Symbol: s, path: path, text: strings.Join(lines[s.Span.StartLine-1:s.Span.EndLine], "")}
		if s.Lang == "" {
			at.Lang = lang
		}
		if class.Has(agenvantage.ClassTest) {
			c.tests = append(c.tests, at)
			continue
		}
		if s.Span.Lines() < 2 && s.Doc == "" {
			continue
		}
		name := analysis.Normalise(s.Name)
		c.byName[name] = append(c.byName[name], len(c.symbols))
		c.symbols = append(c.symbols, at)
		c.symbol(at)
	}
	return nil
}

// symbol adds the samples of one definition.
func (c *collector) symbol(s symbolAt) {
	c.docOf(s)
	switch s.Kind {
	case agenvantage.KindFunction, agenvantage.KindMethod, agenvantage.KindMacro:
		c.nameOf(s)
		c.commentsOf(s)
		c.errorsOf(s)
	case agenvantage.KindClass, agenvantage.KindStruct, agenvantage.KindInterface, agenvantage.KindTrait, agenvantage.KindEnum, agenvantage.KindModule:
		if s.Span.Lines() >= 4 {
			c.nameOf(s)
		}
	}
}

// docOf pairs the doc comment with the code. In half of the samples the name is masked on both sides: who asks does not
// know it.
func (c *collector) docOf(s symbolAt) {
	if s.Doc == "" || skippable(s.Doc) {
		return
	}
	query := firstParagraph(s.Doc, maxQueryBytes)
	h := hashOf(s.path, s.Qualified, s.Doc)
	if h>>8%4 == 0 { // a quarter has all of the comment
		query = cleanText(s.Doc, maxQueryBytes)
	}
	p := s.pair(KindDoc, query)
	p.Body = withoutLines(s.text, s.Doc)
	if h%2 == 0 {
		p.Query, p.Name, p.Body = maskWord(p.Query, s.Name), parentName(s.Qualified, s.Name), maskWord(p.Body, s.Name)
	}
	if isProse(p.Query, 3) {
		c.add(p)
	}
}

// nameOf pairs the words of a name with the body.
func (c *collector) nameOf(s symbolAt) {
	parts := analysis.SplitIdentifier(s.Name)
	if len(parts) < 2 || len(parts) > 8 || s.Span.Lines() < 3 {
		return
	}
	h := hashOf("name", s.path, s.Qualified, s.Signature)
	query := strings.Join(parts, " ")
	if parent := parentName(s.Qualified, s.Name); parent != "" && h%2 == 0 {
		query = strings.Join(analysis.SplitIdentifier(parent), " ") + " " + query
	}
	body := s.text
	if h>>8%2 == 0 {
		body = withoutLines(body, s.Doc)
	}
	if isProse(query, 2) {
		p := s.pair(KindName, query)
		p.Name, p.Body = "", maskWord(body, s.Name)
		c.add(p)
	}
}

func parentName(qualified, name string) string {
	return strings.Trim(strings.TrimSuffix(qualified, name), ".:#\\/")
}

// window is the part of a body around a line: all of it when it is short.
func window(lines []string, at, before, after int) string {
	all := strings.Join(lines, "")
	if len(all) <= maxBodyBytes {
		return all
	}
	from, to := max(0, at-before), min(len(lines), at+after)
	if from > 0 {
		return lines[0] + strings.Join(lines[max(1, from):to], "")
	}
	return strings.Join(lines[from:to], "")
}

// commentsOf pairs comments inside a body with the code around them.
func (c *collector) commentsOf(s symbolAt) {
	lines := strings.SplitAfter(s.text, "\n")
	for i := s.NameLine - s.Span.StartLine + 1; i > 0 && i < len(lines); i++ {
		text, ok := commentOf(s.Lang, lines[i])
		if !ok {
			continue
		}
		end := i + 1
		for ; end < len(lines); end++ {
			more, ok := commentOf(s.Lang, lines[end])
			if !ok {
				break
			}
			text += " " + more
		}
		if text = cleanText(text, maxQueryBytes); isProse(text, 5) && !skippable(text) && !looksLikeCode(text) && end < len(lines) {
			rest := append(slices.Clone(lines[:i]), lines[end:]...)
			p := s.pair(KindComment, text)
			p.Body = window(rest, i, 10, 25)
			c.add(p)
		}
		i = end
	}
}

var (
	errorLine   = regexp.MustCompile(`(?i)err|throw|raise|panic|fatal|warn|\bdie\b|croak|confess|assert|fail|abort|log`)
	errorString = regexp.MustCompile(`"([^"\\\n]{16,200})"|'([^'\\\n]{16,200})'`)
	formatVerb  = regexp.MustCompile(`%[-+#0-9.*]*[a-zA-Z]|\$?\{[^{}]*\}|\$\w+|%\([a-z_]+\)s`)
)

// errorsOf pairs what a function reports with its code.
func (c *collector) errorsOf(s symbolAt) {
	lines := strings.SplitAfter(s.text, "\n")
	for i, line := range lines {
		if i < s.NameLine-s.Span.StartLine || !errorLine.MatchString(line) {
			continue
		}
		m := errorString.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		literal := m[1] + m[2]
		text := cleanText(formatVerb.ReplaceAllString(literal, " "), maxQueryBytes)
		if !isProse(text, 4) || skippable(text) {
			continue
		}
		rest := slices.Clone(lines)
		rest[i] = strings.Replace(line, literal, "", 1)
		p := s.pair(KindError, text)
		p.Body = window(rest, i, 20, 15)
		c.add(p)
	}
}

// fileDoc pairs the comment at the head of a file with an outline of it.
func (c *collector) fileDoc(path, lang string, lines []string, symbols []agenvantage.Symbol) {
	first := len(lines)
	for _, s := range symbols {
		first = min(first, s.Span.StartLine-1)
	}
	var text []string
	for _, line := range lines[:min(first, 60)] {
		t := strings.TrimSpace(line)
		bare := strings.TrimSpace(strings.Trim(t, commentMarkers))
		comment := t != "" && (strings.ContainsRune("/*#-;%\"'{(", rune(t[0])) || len(text) > 0 && bare == t && !looksLikeCode(t))
		if !comment || bare == "" {
			if len(text) > 0 && isProse(strings.Join(text, " "), 6) {
				break
			}
			text = nil
			continue
		}
		text = append(text, bare)
	}
	query := cleanText(strings.Join(text, " "), maxQueryBytes)
	if !isProse(query, 6) || skippable(query) || looksLikeCode(query) || len(symbols) < 2 {
		return
	}
	var outline strings.Builder
	for _, s := range symbols {
		if s.Parent < 0 || symbols[s.Parent].Parent < 0 {
			outline.WriteString(s.Signature + "\n")
		}
	}
	c.add(Pair{Kind: KindDoc, Lang: lang, Query: query, Path: path, Body: outline.String(), Start: 1, End: len(lines)})
}

// add keeps a sample if it can teach something.
func (c *collector) add(p Pair) {
	p.Query = strings.Join(strings.Fields(p.Query), " ")
	p.Body = cutLines(strings.TrimSpace(p.Body), maxBodyBytes)
	if len(p.Body) < minBodyBytes || len(p.Query) < 8 || mostlyForeign(p.Query) {
		return
	}
	p.order = hashOf(p.Kind, p.Path, p.Query, p.Body)
	c.pairs = append(c.pairs, p)
}

// mostlyForeign reports whether a text is not in the Latin script.
func mostlyForeign(s string) bool {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			n++
		}
	}
	return n*8 > len(s)
}

// hashOf is FNV-1a over the parts, finalised.
func hashOf(parts ...string) uint64 {
	h := uint64(fnvOffset)
	for _, p := range parts {
		for i := 0; i < len(p); i++ {
			h = (h ^ uint64(p[i])) * fnvPrime
		}
		h = (h ^ 0xff) * fnvPrime
	}
	return mix(h)
}
