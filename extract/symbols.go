package extract

import (
	"sort"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
	"agenvantage/internal/clip"
)

const (
	maxSignatureBytes = 400
	maxDocBytes       = 2000
	maxHeadBytes      = 1024 // before the name, in which modifiers are looked for
)

// source is one parsed text on its way to an extraction.
type source struct {
	rules *rules
	text  string
	lines *lineTable
	found *findings
	ends  map[int]int // line on which an own-line prefix ends -> its index in found.prefixes
}

// outline is what the chunker needs beside the symbols.
type outline struct {
	symbols []agenvantage.Symbol
	nodes   []*sitter.Node // by symbol; nil where no tree backs it
	refs    []agenvantage.Reference
	binds   []agenvantage.Binding
	imports []agenvantage.Import
	pkg     string       // package clause or namespace
	root    *sitter.Node // nil where no tree backs the whole

	document bool   // prose by headings
	plain    bool   // text without structure
	lang     string // of an embedded part
}

// outline turns definitions into symbols with parents, lines, signatures and comments.
func (s *source) outline() *outline {
	s.ends = make(map[int]int)
	for i, p := range s.found.prefixes {
		if p.own {
			s.ends[s.lines.line(max(p.start, p.end-1))] = i
		}
	}
	s.attachDocStrings()
	o := &outline{}
	type level struct {
		def    *definition
		symbol int // -1 for a container
	}
	var stack []level
	symbolOf := make([]int, len(s.found.defs))
	parents := make([]int, len(s.found.defs))
	for i := range s.found.defs {
		d := &s.found.defs[i]
		for len(stack) > 0 {
			top := stack[len(stack)-1].def
			if top.end >= d.end && top.start <= d.start && !(top.start == d.start && top.end == d.end && top.container == d.container) {
				break
			}
			stack = stack[:len(stack)-1]
		}
		parent, kind := -1, parentKind("")
		var qualifier []string
		for _, l := range stack {
			if l.def.scope != "" {
				qualifier = append(qualifier, l.def.scope)
			}
			qualifier = append(qualifier, s.nameOf(l.def))
			if l.symbol >= 0 {
				parent, kind = l.symbol, l.def.kind
			} else if kind = ""; l.def.traitImpl {
				kind = traitContainer
			}
		}
		parents[i] = parent
		symbolOf[i] = -1
		if d.container {
			head := s.text[d.start:d.name[0]]
			d.traitImpl = strings.Contains(head, " for ")
			stack = append(stack, level{d, -1})
			continue
		}
		if isFunction(kind) && s.isLocal(d) {
			symbolOf[i] = parent // local: what it uses is used by the function
			continue
		}
		symbolOf[i] = len(o.symbols)
		onOwnLine := len(stack) == 0 || s.lines.line(stack[len(stack)-1].def.start) != s.lines.line(d.start)
		o.symbols = append(o.symbols, s.symbol(d, parent, kind, qualifier, onOwnLine))
		o.nodes = append(o.nodes, d.node)
		stack = append(stack, level{d, symbolOf[i]})
	}
	if s.rules.dedentComments {
		s.extendOverDeeperComments(o.symbols)
	}
	s.containersStandFor(o, symbolOf)
	symbolAt := s.symbolAt(symbolOf)
	s.importsOf(o, symbolAt)
	locals := s.bindLocals(o, symbolAt)
	s.results(o, symbolOf, locals)
	s.references(o, symbolOf, locals)
	o.refs, o.binds = pruneBindings(o.refs, o.binds)
	if s.found.pkg.end > 0 {
		o.pkg = cleanName(s.text[s.found.pkg.start:s.found.pkg.end])
		for _, p := range s.found.inner {
			o.pkg += "." + cleanName(s.text[p.start:p.end])
		}
	}
	o.order()
	return o
}

// containersStandFor lets what a container itself mentions (the trait of a Rust impl block) count for the type of its name.
func (s *source) containersStandFor(o *outline, symbolOf []int) {
	var byName map[string]int
	for i := range s.found.defs {
		if !s.found.defs[i].container || symbolOf[i] >= 0 {
			continue
		}
		if byName == nil {
			byName = map[string]int{}
			for j := len(o.symbols) - 1; j >= 0; j-- {
				if k := o.symbols[j].Kind; k != agenvantage.KindFunction && k != agenvantage.KindMethod && k != agenvantage.KindField {
					byName[o.symbols[j].Name] = j
				}
			}
		}
		if j, ok := byName[s.nameOf(&s.found.defs[i])]; ok {
			symbolOf[i] = j
		}
	}
}

// isLocal reports whether a definition directly inside a function is of no interest outside.
func (s *source) isLocal(d *definition) bool {
	switch d.kind {
	case agenvantage.KindVariable, agenvantage.KindConstant, agenvantage.KindField:
		return true
	case agenvantage.KindFunction:
		return s.rules.localPrototype && d.body == 0
	}
	return false
}

func isFunction(kind agenvantage.SymbolKind) bool {
	return kind == agenvantage.KindFunction || kind == agenvantage.KindMethod
}

// symbol builds one symbol; parent and kind are those of its innermost enclosing symbol and container. A definition that
// begins on the line of its parent has no comment of its own above.
func (s *source) symbol(d *definition, parent int, kind parentKind, qualifier []string, onOwnLine bool) agenvantage.Symbol {
	name := s.nameOf(d)
	if d.scope != "" {
		qualifier = append(qualifier, d.scope)
	}
	sym := agenvantage.Symbol{Name: name, Qualified: name, Kind: d.kind, Parent: parent, NameLine: s.lines.line(d.name[0])}
	if len(qualifier) > 0 {
		sym.Qualified = clip.Bytes(strings.Join(qualifier, ".")+"."+name, 4*maxNameBytes)
	}
	if sym.Kind == agenvantage.KindFunction {
		switch kind {
		case agenvantage.KindClass, agenvantage.KindStruct, agenvantage.KindInterface, agenvantage.KindTrait, agenvantage.KindEnum:
			sym.Kind = agenvantage.KindMethod
		}
	}
	headStart := s.afterPrefixes(d)
	start, comments := s.lines.line(d.start), []int(nil)
	if onOwnLine { // from the head upwards, so that comments inside of the node count too
		first := start
		start, comments = s.attached(s.lines.line(headStart))
		start = min(start, first)
	}
	sym.Span = agenvantage.Span{StartLine: start, EndLine: s.lines.line(max(d.start, d.end-1))}
	sym.Doc = s.doc(d, comments)
	sym.Signature = s.signature(d, headStart)
	if sym.Type = foldType(s.text[d.typ.start:d.typ.end]); sym.Type == "" {
		sym.Value = reducePath(s.text[d.value.start:d.value.end])
	}
	if s.rules.given != nil && sym.Type == "" && sym.Value == "" {
		sym.Type, sym.Value = s.rules.given(d.kind, s.text[d.name[1]:d.end])
	}
	if sym.Kind == agenvantage.KindVariable && s.rules.constant != nil && s.rules.constant(name, sym.Signature) {
		sym.Kind = agenvantage.KindConstant
	}
	if s.rules.visibility != nil {
		lineStart := s.lines.start[s.lines.line(headStart)-1]
		head := strings.TrimSpace(s.text[max(min(lineStart, d.name[0]), d.name[0]-maxHeadBytes):d.name[0]])
		if i := strings.LastIndexAny(head, ";{}"); i >= 0 {
			head = strings.TrimSpace(head[i+1:])
		}
		sym.Visibility = s.rules.visibility(name, head, kind)
	}
	return sym
}

// nameOf is the text of the name node, in one line and without quotes.
func (s *source) nameOf(d *definition) string {
	name, _, _ := strings.Cut(strings.TrimSpace(s.text[d.name[0]:d.name[1]]), "\n")
	if len(name) > 2 && strings.ContainsRune("\"'`", rune(name[0])) && name[len(name)-1] == name[0] {
		name = name[1 : len(name)-1]
	}
	name = strings.TrimRight(name, s.rules.trimName)
	return clip.Bytes(strings.Join(strings.Fields(name), " "), maxNameBytes)
}

// attached walks from the first line of a definition upwards over comments and decorators with no blank line between, and
// returns the first line of the whole and the indexes of the comments, last first.
func (s *source) attached(line int) (first int, comments []int) {
	for {
		i, ok := s.ends[line-1]
		if !ok { // white space may stand between a decorator and what it decorates
			above := line - 1
			for above > 1 && above > line-4 && s.lines.blank(above) {
				above--
			}
			if i, ok = s.ends[above]; !ok || s.found.prefixes[i].comment {
				return line, comments
			}
		}
		p := s.found.prefixes[i]
		if p.comment {
			comments = append(comments, i)
		}
		next := s.lines.line(p.start)
		if next >= line {
			return line, comments
		}
		line = next
	}
}

// prefixesIn returns the range of indexes of the prefixes that start in [start, end).
func (s *source) prefixesIn(start, end int) (from, to int) {
	ps := s.found.prefixes
	from = sort.Search(len(ps), func(i int) bool { return ps[i].start >= start })
	for to = from; to < len(ps) && ps[to].start < end; to++ {
	}
	return from, to
}

// afterPrefixes is where a definition begins behind the decorators and comments at its head.
func (s *source) afterPrefixes(d *definition) int {
	at := d.start
	from, to := s.prefixesIn(d.start, d.name[0])
	for _, p := range s.found.prefixes[from:to] {
		if p.start < at {
			continue // inside the one before
		}
		if strings.TrimSpace(s.text[at:p.start]) != "" || p.end > d.name[0] {
			break
		}
		at = p.end
	}
	for at < d.name[0] && isSpace(s.text[at]) {
		at++
	}
	if at == d.start { // keywords before the node: "const" of a Go specification, "export" of a statement
		line := s.lines.start[s.lines.line(at)-1]
		if onlyKeywords(s.text[line:at]) {
			at = line
		}
	}
	return at
}

// onlyKeywords reports whether s consists of a few lower-case words.
func onlyKeywords(s string) bool {
	if len(s) > 60 {
		return false
	}
	for _, c := range []byte(s) {
		if c != ' ' && c != '\t' && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// signature is the declaration without decorators, comments and body, with white space folded.
func (s *source) signature(d *definition, start int) string {
	end := d.end
	whole := d.body == 0
	switch {
	case d.body > d.name[1] || d.body > start && d.body != d.name[0]:
		end = min(end, d.body)
	case d.kind == agenvantage.KindVariable || d.kind == agenvantage.KindConstant || d.kind == agenvantage.KindField || d.kind == agenvantage.KindSection:
		if i := strings.IndexByte(s.text[d.name[1]:end], '\n'); i >= 0 {
			end = d.name[1] + i
		}
	}
	end = max(end, d.name[1])
	end = min(end, start+8*maxSignatureBytes) // bounds the work on giant initialisers
	if end < start {
		return s.nameOf(d)
	}
	var b strings.Builder
	at := start
	from, to := s.prefixesIn(start, end)
	for _, p := range s.found.prefixes[from:to] {
		if p.start < at {
			continue
		}
		b.WriteString(s.text[at:p.start])
		b.WriteByte(' ')
		at = min(p.end, end)
	}
	b.WriteString(s.text[at:end])
	folded := strings.Join(strings.Fields(strings.ToValidUTF8(b.String(), "")), " ")
	if !whole {
		for {
			cut := strings.TrimRight(folded, " {:=")
			cut = strings.TrimSuffix(cut, " where")
			if cut == folded {
				break
			}
			folded = cut
		}
	}
	return clip.Bytes(folded, maxSignatureBytes)
}

// doc is the cleaned text of the comments above a definition or of its doc string.
func (s *source) doc(d *definition, comments []int) string {
	var parts []string
	for i := len(comments) - 1; i >= 0; i-- {
		p := s.found.prefixes[comments[i]]
		parts = append(parts, s.text[p.start:min(p.end, p.start+4*maxDocBytes)])
	}
	if len(parts) > 0 {
		return clip.Bytes(cleanComment(strings.ToValidUTF8(strings.Join(parts, "\n"), "")), maxDocBytes)
	}
	if d.docString != (byteRange{}) {
		return clip.Bytes(cleanDocString(s.text[d.docString.start:min(d.docString.end, d.docString.start+4*maxDocBytes)]), maxDocBytes)
	}
	return ""
}

// attachDocStrings gives each doc string to the innermost definition around it that has none.
func (s *source) attachDocStrings() {
	defs := s.found.defs
	for _, str := range s.found.docStrings {
		last := sort.Search(len(defs), func(i int) bool { return defs[i].start > str.start }) - 1
		for i, steps := last, 0; i >= 0 && steps < 64; i, steps = i-1, steps+1 {
			if defs[i].end >= str.end {
				if defs[i].docString == (byteRange{}) {
					defs[i].docString = str
				}
				break
			}
		}
	}
}

// extendOverDeeperComments lets each symbol reach over the comments that follow its last statement and are indented
// deeper than its own first line.
func (s *source) extendOverDeeperComments(symbols []agenvantage.Symbol) {
	for i := range symbols {
		sym := &symbols[i]
		own := s.lines.indent(sym.NameLine)
		if s.lines.blank(sym.NameLine) || sym.Kind == agenvantage.KindVariable || sym.Kind == agenvantage.KindConstant || sym.Kind == agenvantage.KindField {
			continue
		}
		for line := sym.Span.EndLine + 1; line <= s.lines.count(); line++ {
			if s.lines.blank(line) {
				continue
			}
			if !strings.HasPrefix(strings.TrimSpace(s.lines.at(line)), "#") || s.lines.indent(line) <= own {
				break
			}
			sym.Span.EndLine = line
		}
	}
}

// order sorts the symbols by start line, end line descending, then as they stand, and maps every index that
// points to them; it returns the new index of each.
func (o *outline) order() []int {
	perm := make([]int, len(o.symbols))
	for i := range perm {
		perm[i] = i
	}
	sort.SliceStable(perm, func(i, j int) bool {
		a, b := o.symbols[perm[i]].Span, o.symbols[perm[j]].Span
		if a.StartLine != b.StartLine {
			return a.StartLine < b.StartLine
		}
		return a.EndLine > b.EndLine
	})
	to := make([]int, len(perm))
	symbols, nodes := make([]agenvantage.Symbol, len(perm)), make([]*sitter.Node, len(perm))
	for i, p := range perm {
		to[p], symbols[i], nodes[i] = i, o.symbols[p], o.nodes[p]
	}
	for i := range symbols {
		if symbols[i].Parent >= 0 {
			symbols[i].Parent = to[symbols[i].Parent]
		}
	}
	for i := range o.refs {
		if o.refs[i].From >= 0 {
			o.refs[i].From = to[o.refs[i].From]
		}
	}
	for i := range o.imports {
		if o.imports[i].From >= 0 {
			o.imports[i].From = to[o.imports[i].From]
		}
	}
	for i := range o.binds {
		if o.binds[i].Symbol >= 0 {
			o.binds[i].Symbol = to[o.binds[i].Symbol]
		}
	}
	o.symbols, o.nodes = symbols, nodes
	return to
}
