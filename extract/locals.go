package extract

import (
	"sort"
	"strings"

	"agenvantage"
	"agenvantage/internal/clip"
)

// maxLocals bounds the local names of one file.
const maxLocals = 40_000

// localName is a name that is no symbol, with what it is given, in bytes.
type localName struct {
	name       byteRange
	typ, value byteRange // empty when the pattern or the source has none
	member     byteRange // the name is given this member of the value, or of a value of the type
	attribute  bool
	element    bool // the name is given the elements of value, one by one
}

// importName is one match of an import pattern.
type importName struct {
	path, name, alias byteRange
	all, exported     bool
	standard          bool   // the default export of the module
	offered           bool   // no import: the file offers a name of its own
	as                string // the name that it is offered under, where no node has it
}

// start is where the first node of the match begins.
func (m *importName) start() int {
	at := -1
	for _, r := range []byteRange{m.path, m.name, m.alias} {
		if r.end > 0 && (at < 0 || r.start < at) {
			at = r.start
		}
	}
	return at
}

// intervals answers which is the innermost of nested ranges around a place.
type intervals struct {
	ranges []byteRange // in order of start, wider first
	parent []int
}

func newIntervals(ranges []byteRange) *intervals {
	sort.SliceStable(ranges, func(i, j int) bool {
		if ranges[i].start != ranges[j].start {
			return ranges[i].start < ranges[j].start
		}
		return ranges[i].end > ranges[j].end
	})
	t := &intervals{ranges: ranges, parent: make([]int, len(ranges))}
	var open []int
	for i, r := range ranges {
		for len(open) > 0 && ranges[open[len(open)-1]].end <= r.start {
			open = open[:len(open)-1]
		}
		t.parent[i] = -1
		if len(open) > 0 {
			t.parent[i] = open[len(open)-1]
		}
		open = append(open, i)
	}
	return t
}

// around is the index of the innermost range that holds byte at, -1 when none does.
func (t *intervals) around(at int) int {
	i := sort.Search(len(t.ranges), func(i int) bool { return t.ranges[i].start > at }) - 1
	for i >= 0 && t.ranges[i].end <= at {
		i = t.parent[i]
	}
	return i
}

// locals knows the local names of a text: those of a scope hide those of the scopes around it. In one scope a place sees
// the last one before it, or else the first one behind it.
type locals struct {
	scopes *intervals
	byName map[scopedName][]local
}

type scopedName struct {
	scope int // index in scopes, -1 for the file
	name  string
}

type local struct{ at, number int }

// symbolAt answers which symbol is the innermost one at a byte, -1 at the top level.
func (s *source) symbolAt(symbolOf []int) func(int) int {
	ranges, symbols := make([]byteRange, len(s.found.defs)), make([]int, len(s.found.defs))
	for i := range s.found.defs { // in order already
		ranges[i], symbols[i] = byteRange{s.found.defs[i].start, s.found.defs[i].end}, symbolOf[i]
	}
	t := newIntervals(ranges)
	return func(at int) int {
		for i := t.around(at); i >= 0; i = t.parent[i] {
			if symbols[i] >= 0 {
				return symbols[i]
			}
		}
		return -1
	}
}

// bindLocals turns the local names that the query found into bindings. symbolAt gives the innermost symbol at a byte.
func (s *source) bindLocals(o *outline, symbolAt func(int) int) *locals {
	var ranges []byteRange
	for i := range s.found.defs {
		if d := &s.found.defs[i]; !d.container && isFunction(d.kind) {
			ranges = append(ranges, byteRange{d.start, d.end})
		}
	}
	l := &locals{scopes: newIntervals(append(ranges, s.found.scopes...)), byName: map[scopedName][]local{}}
	defined := make(map[int]bool, len(s.found.defs))
	for i := range s.found.defs {
		d := &s.found.defs[i]
		in := symbolAt(d.name[0])
		inFunction := in >= 0 && isFunction(o.symbols[in].Kind) && o.symbols[in].Name != s.nameOf(d)
		defined[d.name[0]] = !(inFunction && s.isLocal(d))
	}
	sort.SliceStable(s.found.locals, func(i, j int) bool { return s.found.locals[i].name.start < s.found.locals[j].name.start })
	kept := s.distinctLocals(defined)
	for i, n := range kept {
		if n.attribute {
			continue
		}
		key := scopedName{l.scopes.around(n.name.start), s.text[n.name.start:n.name.end]}
		l.byName[key] = append(l.byName[key], local{n.name.start, i + 1})
	}
	for i, n := range kept {
		b := agenvantage.Binding{Name: s.text[n.name.start:n.name.end], Symbol: symbolAt(n.name.start), Attribute: n.attribute}
		b.Type, b.Value = s.given(&n)
		if word := firstWord(b.Type + b.Value); word != "" {
			if b.Head = l.number(word, n.name.start-1); b.Head == i+1 {
				b.Head = 0
			}
		}
		if n.attribute {
			for b.Symbol >= 0 && isFunction(o.symbols[b.Symbol].Kind) {
				b.Symbol = o.symbols[b.Symbol].Parent
			}
		}
		o.binds = append(o.binds, b)
	}
	return l
}

// distinctLocals drops names that are definitions, and of several matches of one name keeps one of those that say most: a
// name may be local and an attribute at once.
func (s *source) distinctLocals(defined map[int]bool) []localName {
	var kept []localName
	for i := range s.found.imports { // what an import binds is no local name: the import says what it is
		if m := &s.found.imports[i]; m.alias.end > 0 {
			defined[m.alias.start] = true
		} else if m.name.end > 0 {
			defined[m.name.start] = true
		}
	}
	for _, n := range s.found.locals {
		if !n.attribute && defined[n.name.start] || n.name.end-n.name.start > maxNameBytes {
			continue
		}
		if n.name.end == n.name.start { // a grammar that misses a name puts an empty one in its place: C reads "auto o = 1" so
			continue
		}
		known := false
		for k := len(kept) - 1; k >= 0 && kept[k].name == n.name && !known; k-- {
			if known = kept[k].attribute == n.attribute; known && kept[k].typ.end == 0 && (kept[k].value.end == 0 || n.typ.end > 0) {
				kept[k] = n
			}
		}
		if !known {
			kept = append(kept, n)
		}
	}
	return kept
}

// given is the type or the path of the value that a local name is given.
func (s *source) given(n *localName) (typ, value string) {
	if s.rules.given != nil && n.typ.end == 0 && n.value.end == 0 {
		return s.rules.given("", s.text[n.name.end:])
	}
	typ = foldType(s.text[n.typ.start:n.typ.end])
	if typ == "" {
		if value = reducePath(s.text[n.value.start:n.value.end]); value != "" && n.element {
			value += "[]"
		}
	}
	switch {
	case n.member.end == 0:
	case typ != "":
		typ, value = "", "("+typ+")."+s.text[n.member.start:n.member.end]
	case value != "":
		value += "." + s.text[n.member.start:n.member.end]
	}
	if len(value) > maxPathBytes {
		value = ""
	}
	return typ, value
}

// results gives functions without a written result the path whose call they return, as far as it begins with no local name.
func (s *source) results(o *outline, symbolOf []int, l *locals) {
	for i := range s.found.defs {
		d := &s.found.defs[i]
		if d.result.end == 0 || d.container || symbolOf[i] < 0 {
			continue
		}
		sym := &o.symbols[symbolOf[i]]
		if sym.Type != "" || sym.Value != "" || !isFunction(sym.Kind) || sym.NameLine != s.lines.line(d.name[0]) {
			continue
		}
		called, ok := strings.CutSuffix(reducePath(s.text[d.result.start:d.result.end]), "()")
		if (ok || s.rules.bareCalls) && called != "" && l.number(firstWord(called), d.result.start) == 0 {
			sym.Value = called
		}
	}
}

// number is the number of the binding that a name has at a place, 0 when it is not local.
func (l *locals) number(name string, at int) int {
	for scope := l.scopes.around(at); ; scope = l.scopes.parent[scope] {
		if list := l.byName[scopedName{scope, name}]; len(list) > 0 {
			i := sort.Search(len(list), func(i int) bool { return list[i].at > at })
			return list[max(0, i-1)].number
		}
		if scope < 0 {
			return 0
		}
	}
}

// importsOf turns import matches into imports.
func (s *source) importsOf(o *outline, symbolAt func(int) int) {
	sort.SliceStable(s.found.imports, func(i, j int) bool { return s.found.imports[i].start() < s.found.imports[j].start() })
	for _, m := range s.found.imports {
		i := agenvantage.Import{Line: s.lines.line(m.start()), From: symbolAt(m.start()), Exported: m.exported,
			Name: cleanName(s.text[m.name.start:m.name.end]), Alias: cleanName(s.text[m.alias.start:m.alias.end])}
		switch {
		case m.all:
			i.Name = "*"
		case m.standard:
			i.Name = "default"
		case m.as != "":
			i.Alias = m.as
		}
		if m.path.end == 0 {
			if len(o.imports) < maxReferences {
				o.imports = append(o.imports, i)
			}
			continue
		}
		for _, path := range expandBraces(s.text[m.path.start:m.path.end], 0) {
			one := i
			path = strings.TrimPrefix(path, "import ") // a whole statement (Scala)
			one.Path = cleanName(path)
			if before, alias, ok := strings.Cut(path, " as "); ok {
				one.Path, one.Alias = cleanName(before), cleanName(alias)
			} else if before, alias, ok := strings.Cut(path, "=>"); ok {
				one.Path, one.Alias = cleanName(before), cleanName(alias)
			}
			one.Path = strings.TrimSuffix(one.Path, "::self")
			for _, every := range []string{"::*", "._", ".*", ".given"} {
				if rest, ok := strings.CutSuffix(one.Path, every); ok {
					one.Path, one.Name = rest, "*"
				}
			}
			if one.Path != "" && len(o.imports) < maxReferences {
				o.imports = append(o.imports, one)
			}
		}
	}
}

// cleanName is a name or path in one line without quotes.
func cleanName(s string) string {
	s = strings.Join(strings.Fields(s), "")
	return clip.Bytes(strings.Trim(s, "\"'`;"), maxNameBytes)
}

func (l *localName) capture(r role, at byteRange) {
	switch r {
	case roleLocalName:
		l.name = at
	case roleAttribute:
		l.name, l.attribute = at, true
	case roleLocalType:
		l.typ = at
	case roleLocalValue:
		l.value = at
	case roleLocalElement:
		l.value, l.element = at, true
	case roleLocalMember:
		l.member = at
	}
}

func (m *importName) capture(r role, at byteRange) {
	switch r {
	case roleImportPath:
		m.path = at
	case roleImportName:
		m.name = at
	case roleImportAlias:
		m.alias = at
	case roleImportAll:
		m.all = true
	case roleImportExported:
		m.exported = true
	case roleImportDefault:
		m.standard = true
	case roleExportName:
		m.name, m.offered, m.exported = at, true, true
	case roleExportAlias:
		m.alias, m.offered, m.exported = at, true, true
	case roleExportDefault:
		m.as, m.offered, m.exported = "default", true, true
	case roleExportWhole:
		m.as, m.offered, m.exported = "=", true, true
	}
}
