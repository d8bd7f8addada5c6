package graph

import (
	"strings"

	"agenvantage"
)

// ecmaSemantics is JavaScript and TypeScript: files are modules with exports, a name means what the innermost function or
// namespace, the module or its imports say, objects are classes, interfaces and literals.
type ecmaSemantics struct{}

// resolveECMAScript resolves a JavaScript or TypeScript file, or the scripts of a Vue or Svelte one.
func resolveECMAScript(j *job) {
	j.language = ecmaSemantics{}
	qualified := map[int][]string{} // line -> names of types behind a namespace
	for i := range j.refs {
		if r := &j.refs[i]; r.Kind == agenvantage.RefType && r.On == "" && strings.Contains(r.Name, ".") {
			qualified[r.Line] = append(qualified[r.Line], r.Name)
		}
	}
	for i := range j.refs {
		ref := j.refs[i]
		j.line = ref.Line
		if ref.Kind == agenvantage.RefImport || ref.Name == "this" || ref.Name == "import" {
			continue
		}
		ref.Name = strings.ReplaceAll(ref.Name, ".#", ".")
		plain := ref.On == "" && !strings.Contains(ref.Name, ".")
		if plain && ref.Kind == agenvantage.RefType && (ref.Binding > 0 || endsWithMember(qualified[ref.Line], ref.Name)) {
			continue // a type parameter, or the last part of ns.Type
		}
		if v, ok := j.ecmaNamedByImport(&ref); ok {
			j.linkOpen(&ref, ref.Name, v, ecmaFits, ecmaCommon)
			continue
		}
		if ref.Name == "super" && ref.Kind == agenvantage.RefCall {
			j.ecmaSuperCall(&ref)
			continue
		}
		v, name := j.follow(&ref)
		if ref.Kind == agenvantage.RefType && plain && v.kind == nothing && ecmaTags[name] {
			v.kind = builtin
		}
		j.linkOpen(&ref, name, v, ecmaFits, ecmaCommon)
	}
	j.line = 0
	j.ecmaImports()
	kept := j.edges[:0]
	for _, e := range j.edges {
		if e.Kind != agenvantage.EdgeReferences || e.From != e.To { // "x.f = function": the name of f itself
			kept = append(kept, e)
		}
	}
	j.edges = kept
}

func endsWithMember(names []string, member string) bool {
	for _, n := range names {
		if strings.HasSuffix(n, "."+member) {
			return true
		}
	}
	return false
}

// ecmaNamedByImport is what a name in an import or export list means: the name as the other module has it.
func (j *job) ecmaNamedByImport(ref *agenvantage.Reference) (value, bool) {
	if ref.From >= 0 || ref.Kind != agenvantage.RefType || ref.On != "" {
		return value{}, false
	}
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		if m.Line != ref.Line || m.Name != ref.Name && m.Alias != ref.Name {
			continue
		}
		switch {
		case m.Path == "" && m.Alias == ref.Name && m.Alias != m.Name:
			return value{kind: module}, true // the name that others see
		case m.Path == "":
			return value{}, false
		case m.Name == "" || m.Name == "*":
			return value{kind: module}, true
		}
		return j.ecmaOfImport(m, j.file), true
	}
	return value{}, false
}

// ecmaSuperCall links super() to the constructor of the nearest parent that has one, else to the parent.
func (j *job) ecmaSuperCall(ref *agenvantage.Reference) {
	v := j.language.head(j, "super", j.file, ref.From)
	found := j.language.member(j, v, "constructor")
	if len(found.nodes) == 0 && v.kind == class {
		for _, b := range j.unit.bases[v.owner.Symbol] {
			if b.kind == agenvantage.RefInherit {
				found = j.evaluate(plainName(b.name), place{file: j.file, from: j.unit.symbols[v.owner.Symbol].Parent})
			}
		}
	}
	found.super = false
	j.linkOpen(ref, "super", found, ecmaFits, ecmaCommon)
}

// ecmaFits says which definitions a member of an unknown object may mean.
func ecmaFits(_ *job, ref *agenvantage.Reference, s *agenvantage.Symbol, _ *unit) bool {
	switch s.Kind {
	case agenvantage.KindMethod:
		return s.Name != "constructor"
	case agenvantage.KindFunction:
		return s.Parent >= 0 && !ecmaDeclared(s) || s.Qualified != s.Name && s.Parent < 0
	case agenvantage.KindField:
		return ref.Kind == agenvantage.RefType
	}
	return false
}

// ecmaDeclared reports whether a symbol is a name of its scope: not the method of an object or a member that is assigned.
func ecmaDeclared(s *agenvantage.Symbol) bool {
	if !isFunction(s.Kind) && s.Kind != agenvantage.KindVariable && s.Kind != agenvantage.KindConstant {
		return s.Kind != agenvantage.KindField
	}
	sig := s.Signature
	for trimmed := true; trimmed; {
		trimmed = false
		for _, word := range [...]string{"export ", "default ", "declare ", "async "} {
			if rest, ok := strings.CutPrefix(sig, word); ok {
				sig, trimmed = rest, true
			}
		}
	}
	for _, word := range [...]string{"function", "const ", "let ", "var "} {
		if strings.HasPrefix(sig, word) {
			return true
		}
	}
	rest, ok := strings.CutPrefix(sig, s.Name)
	return ok && (rest == "" || rest[0] == ' ' || rest[0] == ',')
}

// ecmaScope lists the symbols that a plain name may mean directly inside of parent.
func ecmaScope(u *unit, parent int, name string) []agenvantage.Node {
	var out []agenvantage.Node
	for _, c := range u.childNamed(parent, name) {
		if s := &u.symbols[c]; ecmaDeclared(s) && (parent >= 0 || s.Qualified == s.Name) {
			out = append(out, agenvantage.Node{File: u.file, Symbol: c})
		}
	}
	return out
}

// ecmaNearest picks, of several constants of one name, which must lie in functions without a name, the one that stands last
// before the reference.
func (j *job) ecmaNearest(u *unit, found []agenvantage.Node) []agenvantage.Node {
	if len(found) < 2 || u.file != j.file || j.line == 0 {
		return found
	}
	best := found[0]
	for _, n := range found {
		s := &u.symbols[n.Symbol]
		if !strings.HasPrefix(s.Signature, "const ") && !strings.HasPrefix(s.Signature, "let ") {
			return found
		}
		if s.NameLine <= j.line {
			best = n
		}
	}
	return []agenvantage.Node{best}
}

func (ecmaSemantics) head(j *job, name string, file uint32, from int) value {
	u := j.unit
	if file != j.file {
		u = j.unitAt(file)
	}
	switch name {
	case "this":
		return j.ecmaThis(u, from)
	case "super":
		if c := u.enclosingClass(from); c >= 0 {
			n := agenvantage.Node{File: u.file, Symbol: c}
			return value{kind: class, typ: &typeRef{name: nodeName(n), file: n.File, from: n.Symbol}, owner: n, super: true}
		}
		return value{kind: dynamic}
	}
	var found []agenvantage.Node
	u.within(from, func(s int) bool {
		if k := u.symbols[s].Kind; isFunction(k) || k == agenvantage.KindModule {
			found = ecmaScope(u, s, name)
		}
		return len(found) == 0
	})
	if len(found) > 0 {
		return j.ecmaSymbols(j.ecmaNearest(u, found))
	}
	if v := j.ecmaGlobal(u, name, from); v.kind != nothing {
		return v
	}
	switch {
	case name == "exports" || name == "module":
		return value{kind: module, files: []uint32{file}}
	case ecmaBuiltins[name]:
		return value{kind: builtin}
	}
	return value{}
}

// ecmaGlobal is a name at the top level of a module: its own definitions, then its imports.
func (j *job) ecmaGlobal(u *unit, name string, from int) value {
	found := j.ecmaNearest(u, ecmaScope(u, -1, name))
	own := len(found) > 0 && !strings.HasPrefix(u.symbols[found[0].Symbol].Value, "require()")
	if !j.enter(u.file, name) {
		return value{}
	}
	defer j.leave(u.file, name)
	for i := range u.imports {
		m := &u.imports[i]
		if own && (m.From < 0 || !isFunction(u.symbols[m.From].Kind)) {
			continue
		}
		if m.Exported || m.Alias != name && (m.Alias != "" || m.Name != name) {
			continue
		}
		if m.From >= 0 && !contains(u, from, m.From) && u.symbols[m.From].Name != name {
			continue
		}
		v := j.ecmaOfImport(m, u.file)
		if v.kind == nothing { // imported, and not found: no other definition is meant
			v.kind = dynamic
		}
		return v
	}
	if len(found) > 0 {
		return j.ecmaSymbols(found)
	}
	return value{}
}

// ecmaSymbols is what definitions of one name are. Literals are objects of a type of their own, functions with prototype
// methods are classes.
func (j *job) ecmaSymbols(nodes []agenvantage.Node) value {
	v := j.symbolsValue(nodes)
	if len(nodes) == 0 || len(v.nodes) == 0 {
		return v
	}
	n := nodes[0]
	u := j.unitAt(n.File)
	switch {
	case v.kind == object && v.typ == nil && (len(u.children[n.Symbol]) > 0 || ecmaHasMembers(u, n.Symbol)):
		v.typ = &typeRef{name: nodeName(n), file: n.File, from: n.Symbol}
	case v.kind == function && ecmaIsConstructor(u, n.Symbol):
		v.kind = class
	}
	return v
}

// ecmaHasMembers reports whether a file assigns members to a symbol: "app.use = function".
func ecmaHasMembers(u *unit, symbol int) bool {
	prefix := u.symbols[symbol].Qualified + "."
	for i := range u.symbols {
		if s := &u.symbols[i]; i != symbol && s.Parent != symbol && strings.HasPrefix(s.Qualified, prefix) {
			return true
		}
	}
	return false
}

// ecmaIsConstructor reports whether a function makes objects: its name begins with a capital and it has prototype methods.
func ecmaIsConstructor(u *unit, symbol int) bool {
	name := u.symbols[symbol].Name
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return false
	}
	return ecmaHasMembers(u, symbol)
}

// ecmaThis is the object that "this" means inside of a symbol: of the class around, of the literal, or of what a function
// is assigned to.
func (j *job) ecmaThis(u *unit, from int) value {
	v := value{kind: dynamic}
	object := func(n int) value {
		node := agenvantage.Node{File: u.file, Symbol: n}
		return value{kind: object, typ: &typeRef{name: nodeName(node), file: u.file, from: n}}
	}
	u.within(from, func(s int) bool {
		sym := &u.symbols[s]
		switch {
		case isClass(sym.Kind):
			v = object(s)
			return false
		case isFunction(sym.Kind) && sym.Parent >= 0 && !isFunction(u.symbols[sym.Parent].Kind) && !isClass(u.symbols[sym.Parent].Kind):
			if k := u.symbols[sym.Parent].Kind; k == agenvantage.KindConstant || k == agenvantage.KindVariable {
				v = object(sym.Parent)
				return false
			}
		case sym.Parent < 0 && isFunction(sym.Kind) && sym.Qualified != sym.Name:
			owner := strings.TrimSuffix(sym.Qualified, "."+sym.Name)
			for _, n := range ecmaScope(u, -1, owner) {
				v = object(n.Symbol)
			}
			return false
		case sym.Parent < 0 && isFunction(sym.Kind) && ecmaIsConstructor(u, s):
			v = object(s)
			return false
		}
		return true
	})
	return v
}
