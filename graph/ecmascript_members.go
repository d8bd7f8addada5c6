package graph

import (
	"slices"
	"strings"

	"agenvantage"
)

func (ecmaSemantics) self(*job, *agenvantage.Binding, *unit) value { return value{kind: dynamic} }

func (ecmaSemantics) member(j *job, v value, name string) value {
	switch v.kind {
	case module:
		return j.ecmaOfModule(v, name)
	case class:
		if len(v.nodes) == 0 {
			v.nodes = j.classOf(v.typ).nodes // super
		}
		if name == "prototype" {
			v.nodes = nil
			return value{kind: object, typ: j.typeOfClass(v)}
		}
		return j.ecmaInClass(v, name)
	case function:
		if found := j.ecmaAssigned(v.nodes, name); len(found) > 0 {
			return j.ecmaSymbols(found)
		}
		return value{kind: builtin}
	case object:
		return j.ecmaInObject(v.typ, name, 0)
	}
	return value{kind: dynamic}
}

// ecmaInClass is a member of a class, an interface, a namespace or an enumeration, or that something outside decides.
func (j *job) ecmaInClass(v value, name string) value {
	found, outside := j.ecmaMember(v, name, v.super, 0)
	switch {
	case found.kind != nothing:
		return found
	case outside:
		return value{kind: external}
	}
	return value{kind: object}
}

// ecmaInObject is a member of a value of a type.
func (j *job) ecmaInObject(t *typeRef, name string, depth int) value {
	if t == nil || depth > 8 {
		return value{kind: dynamic}
	}
	if t.name == "&" || t.name == "|" {
		all := value{kind: dynamic}
		for _, a := range t.args {
			one := j.ecmaInObject(a, name, depth+1)
			switch {
			case len(one.nodes) == 0 && !one.attribute:
			case len(all.nodes) == 0:
				all = one
			case t.name == "|": // of alternatives all that have it
				all.nodes = slices.Concat(all.nodes, one.nodes)
			}
		}
		return all
	}
	if m := ecmaContainerMember(t, name); m != nil {
		return value{kind: object, typ: m}
	}
	switch c := j.classOf(t); c.kind {
	case class:
		if len(c.nodes) == 0 {
			return value{kind: dynamic}
		}
		v := j.ecmaInClass(c, name)
		if v.kind == object && len(v.nodes) == 0 && v.typ == nil && !v.attribute {
			n := c.nodes[0]
			if s := j.symbol(n); s != nil && s.Kind == agenvantage.KindType && s.Type != "" {
				return j.ecmaInObject(j.parseType(s.Type, n.File, n.Symbol), name, depth+1)
			}
		}
		return v
	case object:
		return j.ecmaInObject(c.typ, name, depth+1)
	case function, module:
		var types []agenvantage.Node // an interface and a function of one name
		for _, n := range c.nodes {
			if s := j.symbol(n); s != nil && isType(s.Kind) {
				types = append(types, n)
			}
		}
		if len(types) > 0 {
			return j.ecmaInClass(value{kind: class, nodes: types, typ: t}, name)
		}
		return j.language.member(j, c, name)
	case nothing:
		return value{kind: object}
	default:
		return value{kind: c.kind}
	}
}

// ecmaMember finds a member of a class: its own, then those of its parents, in order. outside says that a parent lies
// outside of the repository.
func (j *job) ecmaMember(c value, name string, parentsOnly bool, depth int) (v value, outside bool) {
	if depth > 16 {
		return value{}, false
	}
	for _, n := range c.nodes {
		u := j.unitAt(n.File)
		if n.Symbol < 0 || n.Symbol >= len(u.symbols) {
			continue
		}
		if !parentsOnly {
			if v = j.ecmaOwnMember(u, n, name); v.kind != nothing {
				env := c.env()
				if v.kind == object && v.typ != nil {
					v.typ = v.typ.with(env)
				}
				return v, false
			}
		}
		for _, b := range u.bases[n.Symbol] {
			if b.kind == agenvantage.RefImplements && u.symbols[n.Symbol].Kind == agenvantage.KindClass {
				continue
			}
			parent := j.evaluate(plainName(b.name), place{file: n.File, from: u.symbols[n.Symbol].Parent})
			if parent.kind != class || len(parent.nodes) == 0 || parent.nodes[0] == n {
				outside = true
				continue
			}
			found, ext := j.ecmaMember(parent, name, false, depth+1)
			if found.kind != nothing {
				return found, false
			}
			outside = outside || ext
		}
	}
	return value{}, outside
}

func (j *job) ecmaOwnMember(u *unit, n agenvantage.Node, name string) value {
	var nodes []agenvantage.Node
	for _, written := range [...]string{name, "#" + name} {
		for _, s := range u.childNamed(n.Symbol, written) {
			if !isFunction(u.symbols[n.Symbol].Kind) || !ecmaDeclared(&u.symbols[s]) {
				nodes = append(nodes, agenvantage.Node{File: u.file, Symbol: s})
			}
		}
	}
	if len(nodes) == 0 {
		nodes = j.ecmaAssigned([]agenvantage.Node{n}, name)
	}
	if len(nodes) > 0 {
		v := j.ecmaSymbols(nodes)
		if s := &u.symbols[nodes[0].Symbol]; v.kind == function && strings.Contains(" "+s.Signature, " get ") {
			called := j.callOf(v) // a getter is read like a field
			called.nodes = nodes
			if called.kind == nothing {
				called.kind = object
			}
			return called
		}
		return v
	}
	for i := range u.bindings {
		if b := &u.bindings[i]; b.Attribute && b.Symbol == n.Symbol && b.Name == name {
			v := j.bindingValue(u.file, i+1)
			v.nodes, v.attribute = nil, true
			return v
		}
	}
	return value{}
}

// ecmaAssigned lists the members that a file assigns to one of its symbols: "Type.prototype.x = …", "app.x = …".
func (j *job) ecmaAssigned(nodes []agenvantage.Node, name string) []agenvantage.Node {
	var out []agenvantage.Node
	for _, n := range nodes {
		u := j.unitAt(n.File)
		if n.Symbol < 0 || n.Symbol >= len(u.symbols) {
			continue
		}
		want := u.symbols[n.Symbol].Qualified + "." + name
		for i := range u.symbols {
			if s := &u.symbols[i]; s.Name == name && s.Qualified == want && s.Parent != n.Symbol {
				out = append(out, agenvantage.Node{File: n.File, Symbol: i})
			}
		}
	}
	return out
}

func (ecmaSemantics) elementOf(_ *job, t *typeRef, key bool) *typeRef {
	switch {
	case len(t.args) == 0:
	case t.name == "[]" && !key:
		return t.args[0]
	case t.name == "map" && key:
		return t.args[0]
	case t.name == "map":
		return t.args[len(t.args)-1]
	}
	return nil
}
