package extract

import (
	"context"
	"sort"
	"strings"
	"time"

	sitter "github.com/smacker/go-tree-sitter"

	"agenvantage"
	"agenvantage/internal/clip"
)

// Bounds of what is kept about one file. They stop floods from generated tables and crafted input; real files stay far below.
const (
	maxReferences = 20_000
	maxSymbols    = 20_000
	maxPrefixes   = 200_000 // comments and decorators
	maxNameBytes  = 256
)

// definition is one symbol or container in bytes, before lines and parents are known.
type definition struct {
	kind       agenvantage.SymbolKind
	container  bool
	pattern    uint16
	start, end int // of the union of the definition nodes, without comments
	name       [2]int
	body       int // where the signature ends, 0 when the pattern does not say
	scope      string
	docString  byteRange
	typ, value byteRange // declared type or result, value
	result     byteRange // what a function returns where its result has no written type
	traitImpl  bool
	node       *sitter.Node // the widest node
}

// byteRange is a half-open range of bytes.
type byteRange struct{ start, end int }

// reference is a use of a name in bytes.
type reference struct {
	kind agenvantage.ReferenceKind
	byteRange
	use bool // a mention that counts only when its first word is not local
}

// prefix is a comment or decorator; own is false when code stands beside it on its lines.
type prefix struct {
	byteRange
	comment bool
	own     bool
}

// findings are the matches of one query over one tree, in order of bytes.
type findings struct {
	defs       []definition
	refs       []reference
	prefixes   []prefix
	docStrings []byteRange
	errors     []byteRange
	scopes     []byteRange
	locals     []localName
	imports    []importName
	pkg        byteRange
	inner      []byteRange // package clauses behind the first one, where the language joins them
}

// collect runs the query once over the tree. It returns what it has when the deadline passes.
func (r *rules) collect(ctx context.Context, root *sitter.Node, text string, lines *lineTable, deadline time.Time) (*findings, error) {
	cursor := sitter.NewQueryCursor()
	defer cursor.Close()
	cursor.Exec(r.query, root)
	f := &findings{}
	byName := map[int]int{} // start of the name node -> index in defs
	for n := 0; ; n++ {
		match, ok := cursor.NextMatch()
		if !ok {
			break
		}
		if n%1024 == 1023 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if time.Now().After(deadline) {
				return nil, errTimeout
			}
		}
		if r.holds(match, text) {
			r.add(f, match, text, lines, byName)
		}
	}
	f.sort()
	return f, nil
}

// cutQualifier moves what stands before the last "::" of a name into the scope.
func (d *definition) cutQualifier(text string) {
	name := text[d.name[0]:d.name[1]]
	depth, cut := 0, -1
	for i := 0; i+1 < len(name) && depth >= 0; i++ {
		switch {
		case strings.HasPrefix(name[i:], "operator"):
			depth = -1
		case name[i] == '<':
			depth++
		case name[i] == '>':
			depth--
		case name[i] == ':' && name[i+1] == ':' && depth == 0:
			cut = i
		}
	}
	if cut > 0 {
		d.scope = scopeName(name[:cut])
		d.name[0] += cut + 2
	}
}

func (r *rules) holds(match *sitter.QueryMatch, text string) bool {
	ps := r.predicates[match.PatternIndex]
	for i := range ps {
		if !ps[i].holds(match.Captures, text) {
			return false
		}
	}
	return true
}

// add reads one match into f.
func (r *rules) add(f *findings, match *sitter.QueryMatch, text string, lines *lineTable, byName map[int]int) {
	var d definition
	var named bool
	var l localName
	var m importName
	refs, on := len(f.refs), byteRange{}
	for _, c := range match.Captures {
		meaning := r.captures[c.Index]
		switch meaning.role {
		case roleNone:
			continue
		case roleBody:
			if d.body == 0 {
				d.body = int(c.Node.StartByte())
			}
			continue
		}
		at := byteRange{int(c.Node.StartByte()), int(c.Node.EndByte())}
		switch meaning.role {
		case roleDef, roleContainer:
			d.kind, d.container, d.node = meaning.kind, meaning.role == roleContainer, c.Node
			d.start, d.end = at.start, at.end
		case roleName:
			if !named {
				d.name, named = [2]int{at.start, at.end}, true
			}
		case roleScope:
			if scope := scopeName(text[at.start:at.end]); d.scope == "" {
				d.scope = scope
			} else if scope != "" {
				d.scope += "." + scope
			}
		case roleDocString:
			f.docStrings = append(f.docStrings, at)
		case roleComment, rolePrefix:
			for at.end > at.start && isSpace(text[at.end-1]) {
				at.end--
			}
			for at.start < at.end && isSpace(text[at.start]) {
				at.start++
			}
			if len(f.prefixes) < maxPrefixes {
				own := lines.startsLine(at.start) && endsLine(text, at.end)
				f.prefixes = append(f.prefixes, prefix{byteRange: at, comment: meaning.role == roleComment, own: own})
			}
		case roleError:
			f.errors = append(f.errors, at)
		case roleReference:
			if len(f.refs) < maxReferences {
				f.refs = append(f.refs, reference{kind: meaning.ref, byteRange: at})
			}
		case roleUse:
			if len(f.refs) < maxReferences {
				f.refs = append(f.refs, reference{kind: meaning.ref, byteRange: at, use: true})
			}
		case roleOn:
			on = at
		case roleLocalScope:
			f.scopes = append(f.scopes, at)
		case rolePackage:
			if f.pkg.end == 0 {
				f.pkg = at
			} else if r.joinPackages {
				f.inner = append(f.inner, at)
			}
		case roleSymbolType:
			d.typ = at
		case roleSymbolValue:
			d.value = at
		case roleSymbolResult:
			d.result = at
		default:
			l.capture(meaning.role, at)
			m.capture(meaning.role, at)
		}
	}
	for i := refs; i < len(f.refs) && on.end > 0 && on.start < f.refs[i].start; i++ {
		f.refs[i].start = on.start
	}
	if l.name.end > 0 && len(f.locals) < maxLocals {
		f.locals = append(f.locals, l)
	}
	if (m.path.end > 0 || m.offered && m.name.end > 0) && len(f.imports) < maxReferences {
		f.imports = append(f.imports, m)
	}
	if d.node == nil || !named || d.name[0] == d.name[1] {
		return
	}
	d.pattern = match.PatternIndex
	r.trim(&d, text)
	if d.kind != agenvantage.KindRule { // "a::before" is one name
		d.cutQualifier(text)
	}
	if d.body == 0 && r.bodyField != "" {
		if body := d.node.ChildByFieldName(r.bodyField); body != nil {
			d.body = int(body.StartByte())
		}
	}
	if i, ok := byName[d.name[0]]; ok && f.defs[i].container == d.container {
		f.defs[i].unite(&d)
		return
	}
	if len(f.defs) < maxSymbols {
		byName[d.name[0]] = len(f.defs)
		f.defs = append(f.defs, d)
	}
}

// trim takes white space off both ends of a definition and its name (nodes of some grammars hold the lines before or
// after them), and off the name what the language does not count as a part of it.
func (r *rules) trim(d *definition, text string) {
	for d.end > d.start && isSpace(text[d.end-1]) {
		d.end--
	}
	for d.start < d.end && isSpace(text[d.start]) {
		d.start++
	}
	name := text[d.name[0]:d.name[1]]
	outside := r.trimName + " \t\r\n"
	if kept := strings.TrimLeft(name, outside); kept != "" {
		d.name[0] = d.name[1] - len(kept)
		d.name[1] = d.name[0] + len(strings.TrimRight(kept, outside))
	}
}

// unite merges another match of the same name into d.
func (d *definition) unite(o *definition) {
	if o.pattern < d.pattern {
		d.pattern, d.kind = o.pattern, o.kind
		if o.body != 0 {
			d.body = o.body
		}
		if o.scope != "" {
			d.scope = o.scope
		}
	}
	if d.body == 0 {
		d.body = o.body
	}
	if d.scope == "" {
		d.scope = o.scope
	}
	if d.typ.end == 0 {
		d.typ = o.typ
	}
	if d.value.end == 0 {
		d.value = o.value
	}
	if d.result.end == 0 {
		d.result = o.result
	}
	if o.end-o.start > d.end-d.start {
		d.node = o.node
	}
	d.start, d.end = min(d.start, o.start), max(d.end, o.end)
}

func (f *findings) sort() {
	sort.SliceStable(f.defs, func(i, j int) bool {
		a, b := &f.defs[i], &f.defs[j]
		if a.start != b.start {
			return a.start < b.start
		}
		if a.end != b.end {
			return a.end > b.end
		}
		if a.container != b.container {
			return a.container
		}
		return a.name[0] < b.name[0]
	})
	sort.SliceStable(f.refs, func(i, j int) bool { return f.refs[i].start < f.refs[j].start })
	sort.SliceStable(f.prefixes, func(i, j int) bool { return f.prefixes[i].start < f.prefixes[j].start })
	sort.Slice(f.docStrings, func(i, j int) bool { return f.docStrings[i].start < f.docStrings[j].start })
	sort.Slice(f.errors, func(i, j int) bool { return f.errors[i].start < f.errors[j].start })
}

// endsLine reports whether nothing but white space follows byte end-1 on its line.
func endsLine(text string, end int) bool {
	if end > 0 && text[end-1] == '\n' {
		return true
	}
	for ; end < len(text); end++ {
		switch text[end] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

// scopeName reduces a receiver, a qualifier or a type to the names that qualify: "(s *Server[T])" gives Server,
// "ns::Table<Row>::" gives ns.Table.
func scopeName(s string) string {
	s = stripAngles(strings.TrimSpace(s))
	if strings.HasPrefix(s, "(") { // a Go receiver: the type is the last word before any type parameters
		s = strings.Trim(s, "()")
		if i := strings.IndexByte(s, '['); i >= 0 {
			s = s[:i]
		}
		if f := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '*' || r == '\t' }); len(f) > 0 {
			s = f[len(f)-1]
		}
	}
	if i := strings.IndexByte(s, '['); i > 0 {
		s = s[:i]
	}
	s = strings.ReplaceAll(strings.Trim(s, "*& :."), "::", ".")
	return clip.Bytes(strings.Join(strings.Fields(s), ""), maxNameBytes)
}

// stripAngles removes <…> groups.
func stripAngles(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	depth := 0
	for _, r := range s {
		switch {
		case r == '<':
			depth++
		case r == '>' && depth > 0:
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
