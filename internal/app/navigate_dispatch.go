package app

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
)

// A call that has an edge to one definition of a name may lead to another one at run time. What is counted here as dispatch
// are the calls of such other definitions that have no edge to the subject:
//
//   - those of a type that the subject's type inherits from or implements, or that a type below it does;
//   - in Go, those of an interface of the package, which a type that embeds the subject's may satisfy;
//   - in languages that let a variable hold anything, or that compare types by their members, those on a value: what was read
//     of its type is what it holds at first, or what its author expects;
//   - in languages with patterns, those on a field that a pattern of the same function may hide;
//   - in Ruby, super in a definition below, which names nothing.

// superKinds are the edges from a type to those whose calls may lead to it.
var superKinds = []agenvantage.EdgeKind{agenvantage.EdgeImplements, agenvantage.EdgeInherits}

// looselyTyped are the languages where a value may be of another type than the source says.
var looselyTyped = map[string]bool{"python": true, "javascript": true, "typescript": true, "tsx": true, "vue": true, "svelte": true, "ruby": true, "php": true, "lua": true}

// reopening are the languages where several definitions make one type, or where a member may stand outside of its type.
var reopening = map[string]bool{"csharp": true, "swift": true, "ruby": true, "cpp": true, "c": true, "typescript": true, "tsx": true, "rust": true, "kotlin": true}

// ownersOf lists the definitions of the type that a symbol is a member of; none when it is no member, and for Go.
func (m *mentions) ownersOf(node agenvantage.Node, x *agenvantage.Extraction, lang string) (owners []agenvantage.Node, err error) {
	sym := &x.Symbols[node.Symbol]
	qualified := ""
	if sym.Parent >= 0 {
		owners = append(owners, agenvantage.Node{File: node.File, Symbol: sym.Parent})
		qualified = x.Symbols[sym.Parent].Qualified
	} else if parts := splitName(sym.Qualified); lang != "go" && len(parts) > 1 {
		qualified = strings.Join(parts[:len(parts)-1], ".")
	}
	if qualified == "" || !reopening[lang] {
		return owners, nil
	}
	parts := splitName(qualified)
	named, err := m.corpus.Named(parts[len(parts)-1])
	if err != nil {
		return nil, err
	}
	for _, other := range named {
		o, err := m.corpus.Facts(other.File)
		if err != nil {
			return nil, err
		}
		s := &o.Symbols[other.Symbol]
		if strings.Join(splitName(s.Qualified), ".") == strings.Join(parts, ".") && definesType(s.Kind) && !slices.Contains(owners, other) {
			owners = append(owners, other)
		}
	}
	return owners, nil
}

// definesType reports whether a kind is one whose symbols have members.
func definesType(k agenvantage.SymbolKind) bool {
	switch k {
	case agenvantage.KindFunction, agenvantage.KindMethod, agenvantage.KindMacro:
		return false
	}
	return canBeCalled(k)
}

// family are the types whose calls may lead to a member of one: those above it and above what lies below it, and apart from
// them the ones below.
type family struct{ above, below map[agenvantage.Node]bool }

func (m *mentions) familyOf(owners []agenvantage.Node) (family, error) {
	f := family{above: map[agenvantage.Node]bool{}, below: map[agenvantage.Node]bool{}}
	down, err := m.walk(owners, superKinds, false, true, 0)
	if err != nil {
		return f, err
	}
	from := slices.Clone(owners)
	for node := range down {
		f.below[node] = true
		from = append(from, node)
	}
	slices.SortFunc(from, compareNodes)
	up, err := m.walk(from, superKinds, true, false, 0)
	if err != nil {
		return f, err
	}
	for node := range up {
		if !f.below[node] && !slices.Contains(owners, node) {
			f.above[node] = true
		}
	}
	return f, nil
}

// dispatched counts the calls of other definitions that may lead to a symbol.
func (m *mentions) dispatched(node agenvantage.Node, x *agenvantage.Extraction, lang string) error {
	sym := &x.Symbols[node.Symbol]
	if sym.Kind != agenvantage.KindFunction && sym.Kind != agenvantage.KindMethod && sym.Parent < 0 {
		return nil
	}
	owners, err := m.ownersOf(node, x, lang)
	if err != nil {
		return err
	}
	relatives, err := m.familyOf(owners)
	if err != nil {
		return err
	}
	d := dispatch{mentions: m, node: node, sym: sym, lang: lang, family: relatives, known: m.startsInto(node)}
	named, err := m.corpus.Named(sym.Name)
	if err != nil {
		return err
	}
	for _, other := range named {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if other == node || d.places >= maxComputed {
			continue
		}
		if err := d.over(other); err != nil {
			return err
		}
	}
	return nil
}

// dispatch is the look for the calls that may lead to one symbol.
type dispatch struct {
	*mentions
	node   agenvantage.Node
	sym    *agenvantage.Symbol
	lang   string
	family family
	known  map[agenvantage.Edge]bool // places that have an edge to the symbol, or are counted
	places int
}

// over counts the calls of one other definition.
func (d *dispatch) over(other agenvantage.Node) error {
	x, err := d.corpus.Facts(other.File)
	if err != nil {
		return err
	}
	o := &x.Symbols[other.Symbol]
	owner := agenvantage.Node{File: other.File, Symbol: o.Parent}
	if d.lang == "ruby" && o.Parent >= 0 && d.family.below[owner] {
		return d.overSuper(other, o)
	}
	every := o.Parent >= 0 && d.family.above[owner] ||
		d.lang == "go" && o.Parent >= 0 && d.sym.Kind == agenvantage.KindMethod && path.Dir(d.corpus.Path(other.File)) == path.Dir(d.corpus.Path(d.node.File))
	onValue := d.onValue
	switch lang := d.corpus.Lang(other.File); {
	case every:
	case lang == "kotlin" && d.lang == lang:
		onValue = d.inLambda
	case lang == "cpp" && d.hasArrow(other.File, x, o.Parent):
		every = true // a call that looks like the wrapper's own may be one of what it wraps
	case patterned[d.lang] && patterned[lang] && d.sym.Parent >= 0:
		onValue = d.onPattern
	case !looselyTyped[d.lang] || !looselyTyped[lang] || !d.mayBeHeld():
		return nil
	}
	for _, e := range d.graph.In(other) {
		at := startOf(e)
		if e.Kind != agenvantage.EdgeCalls || d.known[at] {
			continue
		}
		if !every {
			on, err := onValue(e, o)
			if err != nil {
				return err
			}
			if !on {
				continue
			}
		}
		d.add(at)
	}
	return nil
}

// add counts a place, once.
func (d *dispatch) add(at agenvantage.Edge) {
	d.known[at] = true
	d.places++
	d.countAt(reasonDispatch, at.From.File, at.Line)
}

// mayBeHeld reports whether a value of another declared type may have the symbol as a member: a private one is the class's own
// where the language holds to it, and functions are members of modules where these are values.
func (d *dispatch) mayBeHeld() bool {
	if strings.HasPrefix(d.sym.Name, "#") || d.sym.Visibility == "private" && (d.lang == "php" || d.lang == "typescript" || d.lang == "tsx") {
		return false
	}
	return d.sym.Parent >= 0 || d.lang != "ruby" && d.lang != "php"
}

// selfWords stand for the object or the class that the code is in.
var selfWords = map[string]bool{"self": true, "this": true, "cls": true, "super": true, "static": true, "parent": true, "base": true}

// onValue reports whether the call of an edge is made on a value, and not on the object itself, a class or a module.
func (d *dispatch) onValue(e agenvantage.Edge, other *agenvantage.Symbol) (bool, error) {
	refs, _, err := d.usesIn(e.From.File)
	if err != nil {
		return false, err
	}
	bare := bareName(other.Name)
	for i := range refs {
		r := &refs[i]
		if r.Line != e.Line || r.From != e.From.Symbol || lastName(r.Name) != bare {
			continue
		}
		if r.On != "" {
			return true, nil
		}
		names := strings.Split(dotted(r.Name), ".")
		if len(names) < 2 {
			continue
		}
		on, err := d.isValue(e.From.File, names[:len(names)-1], r.Binding > 0)
		if on || err != nil {
			return on, err
		}
	}
	return false, nil
}

// isValue reports whether a path of names leads to a value whose type is not certain. local says that its first word is a
// local name.
func (d *dispatch) isValue(f uint32, names []string, local bool) (bool, error) {
	first, last := strings.TrimLeft(names[0], "$@"), names[len(names)-1]
	switch {
	case len(names) == 1 && selfWords[first]:
		return false, nil
	case local:
		return true, nil
	}
	x, err := d.corpus.Facts(f)
	if err != nil {
		return false, err
	}
	for i := range x.Imports {
		if local := localName(&x.Imports[i]); x.Imports[i].Path != "" && (local == first || local == strings.Join(names, ".")) && len(names) == 1 {
			return false, nil
		}
	}
	named, err := d.corpus.Named(last)
	if err != nil {
		return false, err
	}
	for _, node := range named {
		o, err := d.corpus.Facts(node.File)
		if err != nil {
			return false, err
		}
		if definesType(o.Symbols[node.Symbol].Kind) {
			return false, nil
		}
	}
	return true, nil
}

// bareSuper is a call of the definition above that names nothing.
var bareSuper = regexp.MustCompile(`\bsuper\b`)

// overSuper counts the calls of super in a definition below the subject.
func (d *dispatch) overSuper(other agenvantage.Node, o *agenvantage.Symbol) error {
	lines, err := d.linesOf(other.File)
	if err != nil {
		return err
	}
	for line := o.NameLine; line <= min(o.Span.EndLine, len(lines)); line++ {
		at := agenvantage.Edge{From: other, Line: line}
		if bareSuper.MatchString(lines[line-1]) && !d.known[at] {
			d.add(at)
		}
	}
	return nil
}

// patterned are the languages with fields that are named without a qualifier, and with patterns that make local names.
var patterned = map[string]bool{"java": true, "csharp": true, "scala": true}

// onPattern reports whether the call of an edge is made on a field of whose name the function has a local one too, as far as
// its lines tell: case Dog b -> b.bark(), var (b, c) = f().
func (d *dispatch) onPattern(e agenvantage.Edge, other *agenvantage.Symbol) (bool, error) {
	if e.From.Symbol < 0 {
		return false, nil
	}
	refs, _, err := d.usesIn(e.From.File)
	if err != nil {
		return false, err
	}
	bare := bareName(other.Name)
	for i := range refs {
		r := &refs[i]
		if r.Line != e.Line || r.From != e.From.Symbol || r.Binding > 0 || r.On != "" || lastName(r.Name) != bare {
			continue
		}
		if names := strings.Split(dotted(r.Name), "."); len(names) == 2 && !selfWords[names[0]] {
			lines, err := d.linesOf(e.From.File)
			if err != nil {
				return false, err
			}
			x, err := d.corpus.Facts(e.From.File)
			if err != nil {
				return false, err
			}
			from := x.Symbols[e.From.Symbol].NameLine
			if from >= 1 && e.Line <= len(lines) && from <= e.Line && makesLocal(strings.Join(lines[from-1:e.Line], "\n"), names[0]) {
				return true, nil
			}
		}
	}
	return false, nil
}

var (
	afterPattern = regexp.MustCompile(`^\s*(?:->|=>|:|\)|,|&&|when\b|if\b)`)
	inTuple      = regexp.MustCompile(`^[^()=;\n]*\)\s*=[^=>]`)
)

// makesLocal reports whether a text has a name behind that of a type, as a pattern does, or in parentheses that are assigned.
func makesLocal(text, name string) bool {
	for _, o := range wordsOf(text, "", name) {
		before, after := text[lineStart(text, o.start):o.start], text[o.end:]
		if declared.MatchString(before) && !statement.MatchString(before) && afterPattern.MatchString(after) ||
			strings.Contains(before, "(") && inTuple.MatchString(after) {
			return true
		}
	}
	return false
}

// hasArrow reports whether a type of C++ has an operator that leads to another one.
func (d *dispatch) hasArrow(f uint32, x *agenvantage.Extraction, owner int) bool {
	if owner < 0 {
		return false
	}
	lines, err := d.linesOf(f)
	span := x.Symbols[owner].Span
	return err == nil && span.StartLine >= 1 && span.EndLine <= len(lines) && strings.Contains(strings.Join(lines[span.StartLine-1:span.EndLine], "\n"), "operator->")
}

// control is a brace of a statement, lambda any other behind a word or an argument list.
var (
	control = regexp.MustCompile(`\b(?:if|for|while|when|catch)\s*\([^(){}\n]*(?:\([^()\n]*\)[^(){}\n]*)*\)\s*\{|\b(?:else|try|finally|do|init)\s*\{|\b(?:class|object|interface|fun|companion)\b[^{}=\n]*\{`)
	lambda  = regexp.MustCompile(`[\w)>]\s*\{`)
)

// inLambda reports whether the call of an edge stands in Kotlin code that may have another receiver than its class: behind a
// brace that opens a lambda. Fields that a pattern hides are looked for as well.
func (d *dispatch) inLambda(e agenvantage.Edge, other *agenvantage.Symbol) (bool, error) {
	if e.From.Symbol < 0 {
		return true, nil
	}
	x, err := d.corpus.Facts(e.From.File)
	if err != nil {
		return false, err
	}
	lines, err := d.linesOf(e.From.File)
	if err != nil {
		return false, err
	}
	refs, _, err := d.usesIn(e.From.File)
	if err != nil {
		return false, err
	}
	from, bare := x.Symbols[e.From.Symbol].NameLine, bareName(other.Name)
	if from < 1 || from > e.Line || e.Line > len(lines) {
		return false, nil
	}
	text := control.ReplaceAllString(strings.Join(lines[from-1:e.Line], "\n"), "")
	for i := range refs {
		if r := &refs[i]; r.Line == e.Line && r.From == e.From.Symbol && r.On == "" && r.Name == bare && r.Binding == 0 && lambda.MatchString(text) {
			return true, nil
		}
	}
	return d.onPattern(e, other)
}
