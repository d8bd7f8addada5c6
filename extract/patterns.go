package extract

import (
	"sort"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
	"agenvantage/internal/clip"
)

// For text without a grammar, lines that look like definitions become symbols. A symbol reaches over the comment above it
// and down to a closing line of its own indentation, else to the line before the next definition of the same or a lower
// indentation. What the patterns of a language are is in patterns_table.go.

// Bounds of the line patterns: longer lines are data, and more definitions are a generated table.
const (
	maxPatternLine    = 2000
	maxPatternSymbols = 5000
)

// candidate is a definition-like line.
type candidate struct {
	line, indent int
	kind         agenvantage.SymbolKind
	name         string
	end          int // last line
	parent       int
}

// byPatterns extracts a text without a grammar.
func (e *Extractor) byPatterns(lang string, lines *lineTable) agenvantage.Extraction {
	o := patternOutline(lang, lines)
	if o == nil {
		return e.asText(lines, agenvantage.ParseText)
	}
	return agenvantage.Extraction{State: agenvantage.ParsePatterns, Symbols: o.symbols, Chunks: e.chunks(lines, o)}
}

// patternOutline is the outline by line patterns, nil when the language has none.
func patternOutline(lang string, lines *lineTable) *outline {
	table := patternsOf(lang)
	if table == nil {
		return nil
	}
	var found []candidate
	if lang == "markdown" {
		found = markdownHeadings(lines)
	} else {
		found = table.candidates(lines)
	}
	table.close(lines, found)
	o := &outline{document: table.document, plain: len(found) == 0}
	for i := range found {
		c := &found[i]
		s := agenvantage.Symbol{Name: c.name, Qualified: c.name, Kind: c.kind, Parent: c.parent, NameLine: c.line}
		if c.parent >= 0 {
			p := &o.symbols[c.parent]
			s.Qualified = clip.Bytes(p.Qualified+"."+c.name, 4*maxNameBytes)
			if c.kind == agenvantage.KindFunction && holdsMethods(p.Kind) {
				s.Kind = agenvantage.KindMethod
			}
		}
		first := table.commentAbove(lines, c.line)
		s.Span = agenvantage.Span{StartLine: first, EndLine: c.end}
		if first < c.line {
			s.Doc = clip.Bytes(cleanComment(clip.Bytes(lines.slice(agenvantage.Span{StartLine: first, EndLine: c.line - 1}), 4*maxDocBytes)), maxDocBytes)
		}
		s.Signature = clip.Bytes(strings.TrimRight(strings.Join(strings.Fields(lines.at(c.line)), " "), " {:="), maxSignatureBytes)
		o.symbols = append(o.symbols, s)
	}
	o.nodes = make([]*sitter.Node, len(o.symbols))
	o.order()
	return o
}

func holdsMethods(k agenvantage.SymbolKind) bool {
	switch k {
	case agenvantage.KindClass, agenvantage.KindStruct, agenvantage.KindInterface, agenvantage.KindTrait, agenvantage.KindEnum:
		return true
	}
	return false
}

// candidates finds the definition-like lines with their parents.
func (t *patternTable) candidates(lines *lineTable) []candidate {
	var out []candidate
	var open []int
	skipUntil := ""
	levels := map[byte]int{} // of underlined headings, by order of appearance
	for line := 1; line <= lines.count() && len(out) < maxPatternSymbols; line++ {
		text := lines.at(line)
		if len(text) > maxPatternLine || lines.blank(line) {
			continue
		}
		trimmed := strings.TrimSpace(text)
		if skipUntil != "" { // inside a block comment
			if strings.Contains(trimmed, skipUntil) {
				skipUntil = ""
			}
			continue
		}
		if t.block[0] != "" && strings.HasPrefix(trimmed, t.block[0]) {
			if !strings.Contains(trimmed[len(t.block[0]):], t.block[1]) {
				skipUntil = t.block[1]
			}
			continue
		}
		if !t.document && t.isComment(trimmed) {
			continue
		}
		c, p, ok := t.match(lines, line, text)
		if t.underlined {
			c, p, ok = underlined(lines, line, levels)
		}
		if !ok {
			continue
		}
		for len(open) > 0 && out[open[len(open)-1]].indent >= c.indent {
			open = open[:len(open)-1]
		}
		c.parent = -1
		var parentKind agenvantage.SymbolKind
		if len(open) > 0 {
			c.parent = open[len(open)-1]
			parentKind = out[c.parent].kind
		}
		switch {
		case p.inside != "" && parentKind != p.inside,
			isFunction(parentKind) && (c.kind == agenvantage.KindVariable || c.kind == agenvantage.KindConstant || t.flatFunctions):
			continue
		}
		if n := len(out); n > 0 && t.groupSameName && out[n-1].name == c.name && out[n-1].indent == c.indent {
			continue // a further equation or clause of the same function
		}
		open = append(open, len(out))
		out = append(out, c)
	}
	if t.topOnly {
		out = outermost(out)
	}
	return out
}

// outermost keeps the candidates of the lowest indentation.
func outermost(all []candidate) []candidate {
	lowest := 1 << 30
	for _, c := range all {
		lowest = min(lowest, c.indent)
	}
	out := all[:0]
	for _, c := range all {
		if c.indent == lowest {
			c.parent = -1
			out = append(out, c)
		}
	}
	return out
}

// match tries the patterns in order on one line.
func (t *patternTable) match(lines *lineTable, line int, text string) (candidate, *pattern, bool) {
	for i := range t.patterns {
		p := &t.patterns[i]
		m := p.re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		name := ""
		for _, g := range m[1:] {
			if g != "" {
				name = g // the last group that took part
			}
		}
		name = strings.TrimSpace(name)
		if t.groupSameName && len(name) > 2 && name[0] == '(' && name[len(name)-1] == ')' {
			name = name[1 : len(name)-1] // an operator
		}
		if name == "" || t.keywords[name] {
			continue
		}
		indent := lines.indent(line)
		if p.level {
			indent = len(m[1])
		}
		return candidate{line: line, indent: indent, kind: p.kind, name: clip.Bytes(name, maxNameBytes)}, p, true
	}
	return candidate{}, nil, false
}

// underlined matches a heading with its line of punctuation below; the level of a mark is the order of its first use.
func underlined(lines *lineTable, line int, levels map[byte]int) (candidate, *pattern, bool) {
	title, rule := strings.TrimSpace(lines.at(line)), strings.TrimRight(lines.at(line+1), " \t")
	if len(rule) < 3 || len(rule)+2 < len([]rune(title)) || lines.indent(line) > 1 || !strings.ContainsRune("=-~^\"'`#*+.:_<>", rune(rule[0])) ||
		strings.Trim(rule, rule[:1]) != "" || strings.Trim(title, title[:1]) == "" {
		return candidate{}, nil, false
	}
	if levels[rule[0]] == 0 {
		levels[rule[0]] = len(levels) + 1
	}
	return candidate{line: line, indent: levels[rule[0]], kind: agenvantage.KindSection, name: clip.Bytes(title, maxNameBytes)}, &pattern{}, true
}

// close finds the last line of each candidate.
func (t *patternTable) close(lines *lineTable, found []candidate) {
	// next[i] is the next candidate of the same or a lower indentation.
	var open []int
	next := make([]int, len(found))
	for i := range found {
		for len(open) > 0 && found[open[len(open)-1]].indent >= found[i].indent {
			next[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
		open = append(open, i)
	}
	for i := range found {
		last := lines.count()
		if next[i] > 0 {
			last = t.commentAbove(lines, found[next[i]].line) - 1
		}
		last = max(last, found[i].line)
		if !t.document && !t.layout {
			last = t.closing(lines, found[i], last)
		}
		for last > found[i].line && lines.blank(last) {
			last--
		}
		found[i].end = last
	}
	for i := range found { // a parent that closes early takes its members with it
		if p := found[i].parent; p >= 0 && found[i].end > found[p].end {
			if found[i].line > found[p].end {
				found[i].parent = -1
			} else {
				found[i].end = max(found[i].line, found[p].end)
			}
		}
	}
}

// closing is the first line after the candidate, up to last, that closes a block at its indentation; last when none does.
// The search is bounded, so that many definitions without closing lines cost no quadratic time.
func (t *patternTable) closing(lines *lineTable, c candidate, last int) int {
	if head := lines.at(c.line); strings.Contains(head, "{") && strings.Count(head, "{") == strings.Count(head, "}") {
		return c.line
	}
	for line := c.line + 1; line <= last && line < c.line+5000; line++ {
		if lines.blank(line) || lines.indent(line) > c.indent {
			continue
		}
		switch word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(lines.at(line))), " "); strings.TrimRight(word, ";,.)") {
		case "}", "end", "endif", "endfunction", "endmacro", "endef", "@end", "endmodule", "endclass", "endtask", "endfunc", "endfunction!", "esac", "done":
			if lines.indent(line) < c.indent {
				return line - 1
			}
			return line
		}
	}
	return last
}

// commentAbove is the first line of the comment that ends right above line, or line itself.
func (t *patternTable) commentAbove(lines *lineTable, line int) int {
	if t.document {
		return line
	}
	first := line
	for first > 1 && !lines.blank(first-1) {
		trimmed := strings.TrimSpace(lines.at(first - 1))
		if strings.HasPrefix(trimmed, "{-#") {
			break
		}
		if t.isComment(trimmed) || t.isAttribute(trimmed) {
			first--
			continue
		}
		if t.block[1] == "" || !strings.HasSuffix(trimmed, t.block[1]) {
			break
		}
		start := first - 1
		for start > 1 && first-start < 200 && !strings.Contains(lines.at(start), t.block[0]) {
			start--
		}
		if !strings.HasPrefix(strings.TrimSpace(lines.at(start)), t.block[0]) {
			break
		}
		first = start
	}
	return first
}

func (t *patternTable) isComment(trimmed string) bool {
	for _, c := range t.comments {
		if strings.HasPrefix(trimmed, c) {
			return true
		}
	}
	return false
}

func (t *patternTable) isAttribute(trimmed string) bool {
	return t.attribute != "" && strings.HasPrefix(trimmed, t.attribute)
}

// patternsOf is the table of a language, nil when there is none.
func patternsOf(lang string) *patternTable { return patternTables()[lang] }

// PatternLanguages lists the languages that are read by line patterns, sorted.
func PatternLanguages() []string {
	var out []string
	for id := range patternTables() {
		out = append(out, id)
	}
	sort.Strings(out)
	return out
}
