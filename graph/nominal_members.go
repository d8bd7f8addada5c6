package graph

import (
	"cmp"
	"slices"
	"strings"

	"agenvantage"
)

// What a class has and inherits, and what a namespace holds.

func (nominal) member(j *job, v value, name string) value {
	if v.kind == function && len(v.nodes) > 0 && j.nominalRules(v.nodes[0].File).readable {
		v = j.callOf(v)
	}
	switch v.kind {
	case module:
		return j.inNamespace(v, name)
	case class, object:
	default:
		return value{kind: dynamic}
	}
	c := v
	if v.kind == object {
		if v.super {
			c = value{kind: class, nodes: []agenvantage.Node{v.owner}}
		} else {
			if m := nominalContainerMember(v.typ, name); m != nil {
				return j.objectOf(m)
			}
			c = j.classOf(j.underlying(v.typ, 0))
		}
	}
	if c.kind == class && len(c.nodes) == 0 && c.typ != nil {
		c = j.classOf(c.typ)
	}
	switch {
	case c.kind == external || c.kind == builtin:
		if found := j.extensionsOf(v, name); len(found) > 0 {
			return value{kind: function, nodes: found}
		}
		return value{kind: c.kind}
	case c.kind != class || len(c.nodes) == 0:
		return value{kind: dynamic}
	}
	found, outside := j.nominalMember(c, name, v.super, 0)
	if found.kind != nothing {
		return found
	}
	if nodes := j.extensionsOf(c, name); len(nodes) > 0 {
		return value{kind: function, nodes: nodes}
	}
	if outside || rulesCommonFor(j, c)[name] {
		return value{kind: external}
	}
	return value{kind: object} // the class is known and has no such member: it is no other class's
}

func rulesCommonFor(j *job, c value) map[string]bool { return j.nominalRules(c.nodes[0].File).common }

func (j *job) extensionsOf(c value, name string) []agenvantage.Node {
	if ext := j.nominalRules(j.file).extensions; ext != nil {
		return ext(j, c, name)
	}
	return nil
}

// nominalMember finds a member of a class: its own, then those of its parents, each to its end. outside says that a parent
// lies outside of the repository.
func (j *job) nominalMember(c value, name string, parentsOnly bool, depth int) (v value, outside bool) {
	if depth > 12 {
		return value{}, false
	}
	for _, n := range c.nodes {
		if s := j.symbol(n); s != nil && s.Kind == agenvantage.KindType && s.Type != "" {
			of := j.classOf(j.parseType(s.Type, n.File, s.Parent))
			if of.kind != class {
				return value{}, of.kind != nothing
			}
			return j.nominalMember(of, name, false, depth+1)
		}
	}
	if !parentsOnly {
		if found := j.withoutConstructors(j.ownMembers(c.nodes, name), c.nodes); len(found) > 0 {
			v = j.symbolsValue(found)
			return j.withArguments(v, c), false
		}
	}
	for _, n := range c.nodes {
		u := j.unitAt(n.File)
		if n.Symbol >= len(u.symbols) {
			continue
		}
		for _, b := range u.bases[n.Symbol] {
			parent := j.baseClass(b.name, n, u.symbols[n.Symbol].Parent)
			switch {
			case parent.kind != class || len(parent.nodes) == 0:
				outside = true
			case slices.Contains(parent.nodes, n):
			default:
				found, ext := j.nominalMember(parent, name, false, depth+1)
				if found.kind != nothing {
					return found, false
				}
				outside = outside || ext
			}
		}
	}
	return value{}, outside
}

// withoutConstructors leaves out the methods that have the name of their class.
func (j *job) withoutConstructors(found, classes []agenvantage.Node) []agenvantage.Node {
	if s, _ := j.peek(classes[0]); s == nil || len(found) == 0 || s.Name != foundName(j, found[0]) {
		return found
	}
	var kept []agenvantage.Node
	for _, n := range found {
		if s, _ := j.peek(n); s != nil && s.Kind != agenvantage.KindMethod {
			kept = append(kept, n)
		}
	}
	return kept
}

func foundName(j *job, n agenvantage.Node) string {
	if s, _ := j.peek(n); s != nil {
		return s.Name
	}
	return ""
}

// withArguments gives the type parameters of a class the meaning that the arguments of its type have.
func (j *job) withArguments(v, c value) value {
	if c.typ == nil || len(c.typ.args) == 0 || len(c.nodes) == 0 {
		return v
	}
	s := j.symbol(c.nodes[0])
	if s == nil {
		return v
	}
	env := map[string]*typeRef{}
	for i, name := range typeParameters(s) {
		if i < len(c.typ.args) {
			env[name] = c.typ.args[i]
		}
	}
	switch {
	case len(env) == 0:
	case v.kind == object:
		v.typ = v.typ.with(env)
	case v.kind == function:
		v.typ = &typeRef{env: env}
	}
	return v
}

// ownMembers lists what the places that declare a class have under a name.
func (j *job) ownMembers(classes []agenvantage.Node, name string) []agenvantage.Node {
	var found []agenvantage.Node
	for _, n := range classes {
		u := j.unitAt(n.File)
		for _, c := range u.childNamed(n.Symbol, name) {
			found = append(found, agenvantage.Node{File: n.File, Symbol: c})
		}
		for _, inner := range taggedInside(u, n.Symbol, j.r.files[n.File].lang) {
			for _, c := range u.childNamed(inner, name) {
				found = append(found, agenvantage.Node{File: n.File, Symbol: c})
			}
		}
	}
	if len(classes) == 0 || !j.nominalRules(classes[0].File).scattered {
		return found
	}
	s, u := j.peek(classes[0])
	if s == nil {
		return found
	}
	if j.r.files[u.file].lang == "rust" {
		found = append(found, j.rustMembers(classes[0], s, name)...)
	} else {
		for _, n := range j.qualified(fullName(u, s)+"."+name, j.r.files[u.file].lang) {
			m, of := j.peek(n)
			if j.r.files[n.File].lang == "swift" && m.Parent >= 0 && of.symbols[m.Parent].Qualified == s.Qualified && !slices.Contains(classes, agenvantage.Node{File: n.File, Symbol: m.Parent}) {
				continue // a type of that name in another module
			}
			found = append(found, n)
		}
	}
	return distinctNodes(found)
}

// fullName is the name of a symbol with package and parents.
func fullName(u *unit, s *agenvantage.Symbol) string {
	if u.pkg == "" {
		return s.Qualified
	}
	return u.pkg + "." + s.Qualified
}

// qualified lists the definitions with a full name, in the languages that see each other.
func (j *job) qualified(full, lang string) []agenvantage.Node {
	var found []agenvantage.Node
	for _, n := range j.named(full[strings.LastIndexByte(full, '.')+1:]) {
		if !sameFamily(lang, j.r.files[n.File].lang) {
			continue
		}
		if s, u := j.peek(n); s != nil && len(full) >= len(s.Qualified) && fullName(u, s) == full {
			found = append(found, n)
		}
	}
	return found
}

// namespaceValue is what the definitions with one full name are: a namespace, or what they define.
func (j *job) namespaceValue(full string, nodes []agenvantage.Node) value {
	if len(nodes) == 0 {
		return value{}
	}
	if j.nominalRules(nodes[0].File).namespaces {
		var kept []agenvantage.Node
		for _, n := range nodes {
			if s, _ := j.peek(n); s != nil && s.Kind != agenvantage.KindModule {
				kept = append(kept, n)
			}
		}
		if len(kept) == 0 {
			return value{kind: module, dir: full}
		}
		nodes = kept
	}
	return j.symbolsValue(nodes)
}

// inNamespace is a name in a package or namespace: a definition, else a namespace inside of it.
func (j *job) inNamespace(v value, name string) value {
	if j.r.files[j.file].lang == "rust" || len(v.files) > 0 {
		return j.rustMember(v, name)
	}
	full := v.dir + "." + name
	nodes := j.qualified(full, j.r.files[j.file].lang)
	if lang := j.r.files[j.file].lang; lang == "cpp" {
		nodes = append(nodes, j.enumerators(full, lang)...)
	}
	if found := j.namespaceValue(full, nodes); found.kind != nothing {
		return found
	}
	if strings.Count(full, ".") > 12 {
		return value{kind: external}
	}
	return value{kind: module, dir: full}
}

// self is unused: a binding without type and value is a parameter of a function without a name.
func (nominal) self(*job, *agenvantage.Binding, *unit) value { return value{kind: dynamic} }

func (nominal) elementOf(_ *job, t *typeRef, key bool) *typeRef {
	switch {
	case len(t.args) == 0:
	case t.name == "map" && key:
		return t.args[0]
	case t.name == "[]" || t.name == "map" || len(t.args) == 1 && !key:
		return t.args[len(t.args)-1]
	}
	return nil
}

// distinctNodes orders nodes and drops doubles.
func distinctNodes(nodes []agenvantage.Node) []agenvantage.Node {
	slices.SortFunc(nodes, func(a, b agenvantage.Node) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Symbol, b.Symbol))
	})
	return slices.Compact(nodes)
}
