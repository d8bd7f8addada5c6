package graph

import (
	"strconv"

	"agenvantage"
)

// maxDepth bounds how far one name is followed through others.
const maxDepth = 24

// place is where a path is written.
type place struct {
	file    uint32
	from    int
	binding int // number of the binding of the first word, 0
}

// evaluate follows a path. The result's nodes are what the last step named.
func (j *job) evaluate(path string, at place) value {
	steps := parsePath(path)
	if steps == nil {
		return value{kind: nothing}
	}
	v := j.first(steps[0], at)
	for _, s := range steps[1:] {
		v = j.step(v, s)
	}
	return v
}

// first is the value of the first step of a path.
func (j *job) first(s step, at place) value {
	if s.kind == stepValue {
		return j.objectOf(j.parseType(s.name, at.file, at.from))
	}
	if at.binding > 0 {
		return j.bindingValue(at.file, at.binding)
	}
	return j.language.head(j, s.name, at.file, at.from)
}

// step goes one step on.
func (j *job) step(v value, s step) value {
	if j.depth >= maxDepth {
		return value{}
	}
	j.depth++
	defer func() { j.depth-- }()
	switch s.kind {
	case stepMember:
		switch v.kind {
		case nothing, external, builtin, dynamic:
			return value{kind: v.kind}
		}
		return j.language.member(j, v, s.name)
	case stepCall:
		return j.callOf(v)
	case stepElement, stepKey:
		if v.kind != object {
			return v // the arguments of a generic function or type
		}
		return j.elementOf(v, s.kind == stepKey)
	case stepResult:
		return j.resultOf(v, s.name)
	}
	return value{}
}

// callOf is the result of a call of v.
func (j *job) callOf(v value) value {
	switch v.kind {
	case class:
		if v.super {
			v.kind = object
			return v
		}
		return value{kind: object, typ: j.typeOfClass(v)}
	case function:
		from := v.results
		if from == nil {
			from = v.nodes
		}
		for _, n := range from {
			if s := j.symbol(n); s != nil {
				if t := j.parseType(s.Type, n.File, n.Symbol); t != nil {
					return j.objectOf(t.with(v.env()))
				}
				if s.Type == "" && s.Value != "" {
					return j.step(j.evaluate(s.Value, place{file: n.File, from: n.Symbol}), step{kind: stepCall})
				}
			}
		}
		return value{kind: nothing}
	case object:
		if t := j.underlying(v.typ, 0); t != nil && t.name == "func" {
			if len(t.args) == 1 {
				return j.objectOf(t.args[0])
			}
			return value{kind: object, typ: &typeRef{name: "()", args: t.args, file: t.file, from: t.from}}
		}
		return value{kind: nothing}
	}
	return value{kind: v.kind}
}

// objectOf is a value of type t.
func (j *job) objectOf(t *typeRef) value {
	if t == nil {
		return value{kind: nothing}
	}
	if t.name == "type" && len(t.args) == 1 { // a class as a value
		return j.classOf(t.args[0])
	}
	return value{kind: object, typ: t}
}

func (j *job) parseType(text string, file uint32, from int) *typeRef {
	if text == "" {
		return nil
	}
	key := typeText{text, file, from}
	t, ok := j.r.types[key]
	if !ok {
		t = j.language.parseType(text, file, from)
		if len(j.r.types) > 1<<16 {
			clear(j.r.types)
		}
		j.r.types[key] = t
	}
	return t
}

// classOf is the class that a type names: a value of kind class, external or builtin; nothing for composites.
func (j *job) classOf(t *typeRef) value {
	if t == nil || t.name == "" {
		return value{}
	}
	if t.name[0] == 0 {
		n, err := strconv.Atoi(t.name[1:])
		if err != nil {
			return value{}
		}
		return value{kind: class, nodes: []agenvantage.Node{{File: t.file, Symbol: n}}, typ: t}
	}
	switch t.name {
	case "[]", "map", "()", "func", "chan", "struct":
		return value{}
	}
	if j.depth >= maxDepth {
		return value{}
	}
	j.depth++
	defer func() { j.depth-- }()
	v := j.evaluate(t.name, place{file: t.file, from: t.from})
	if v.kind == class && len(t.args) > 0 {
		v.typ = t
	}
	return v
}

// underlying follows type names that stand for other types ("type ids []int", aliases) to a composite, or to a class with
// members of its own.
func (j *job) underlying(t *typeRef, depth int) *typeRef {
	if t == nil || depth > 8 {
		return nil
	}
	v := j.classOf(t)
	if v.kind != class || len(v.nodes) == 0 {
		return t
	}
	n := v.nodes[0]
	s := j.symbol(n)
	if s == nil || isClass(s.Kind) || s.Type == "" {
		return t
	}
	return j.underlying(j.parseType(s.Type, n.File, n.Symbol), depth+1)
}

func (j *job) elementOf(v value, key bool) value {
	t := j.underlying(v.typ, 0)
	if t == nil {
		return value{}
	}
	if e := j.language.elementOf(j, t, key); e != nil {
		return j.objectOf(e)
	}
	return value{}
}

func (j *job) resultOf(v value, number string) value {
	n, err := strconv.Atoi(number)
	if err != nil || v.kind != object {
		return value{kind: v.kind}
	}
	if v.typ != nil && v.typ.name == "()" {
		if n < len(v.typ.args) {
			return j.objectOf(v.typ.args[n])
		}
		return value{}
	}
	return value{}
}

// boundName is a local name of a file, by the number of its binding. Those of other files are kept as well: the attributes of
// a class that everything inherits from are asked for at every call.
type boundName struct {
	file   uint32
	number int
}

// bindingValue is the value of a local name of a file.
func (j *job) bindingValue(file uint32, number int) value {
	key := boundName{file, number}
	if v, ok := j.bound[key]; ok {
		return v
	}
	j.bound[key] = value{kind: dynamic} // while it is followed: x = x.next
	v := j.followBinding(file, number)
	j.bound[key] = v
	return v
}

func (j *job) followBinding(file uint32, number int) value {
	u := j.unit
	if file != j.file {
		u = j.unitAt(file)
	}
	if number > len(u.bindings) || j.depth >= maxDepth {
		return value{kind: dynamic}
	}
	j.depth++
	defer func() { j.depth-- }()
	b := &u.bindings[number-1]
	v := value{kind: dynamic}
	switch {
	case b.Type != "":
		if t := j.parseType(b.Type, file, b.Symbol); b.Head == 0 || b.Head == number {
			v = j.objectOf(t)
		} else {
			v = j.objectOf(j.constrained(t, u, b.Head))
		}
	case b.Value != "":
		if b.Head != number {
			v = j.evaluate(b.Value, place{file, b.Symbol, b.Head})
		}
	default:
		v = j.language.self(j, b, u)
	}
	switch {
	case v.kind == nothing:
		v.kind = dynamic
	case v.kind == object:
		v.nodes = nil // the name is not what it was given
	}
	return v
}

// constrained is a type that begins with a type parameter: the parameter stands for its constraint.
func (j *job) constrained(t *typeRef, u *unit, number int) *typeRef {
	if number > len(u.bindings) {
		return nil
	}
	b := &u.bindings[number-1]
	stand := j.parseType(b.Type, u.file, b.Symbol)
	if stand == nil {
		stand = &typeRef{}
	}
	if t = t.with(map[string]*typeRef{b.Name: stand}); t == nil || t.name == "" {
		return nil
	}
	return t
}

// symbolValue is what a symbol is as a value.
func (j *job) symbolValue(n agenvantage.Node) value {
	if v, ok := j.values[n]; ok {
		return v
	}
	s := j.symbol(n)
	if s == nil {
		return value{}
	}
	only := []agenvantage.Node{n}
	var v value
	switch {
	case isFunction(s.Kind):
		v = value{kind: function, nodes: only}
	case isType(s.Kind):
		v = value{kind: class, nodes: only}
	case s.Kind == agenvantage.KindModule:
		v = value{kind: class, nodes: only}
	default:
		j.values[n] = value{kind: object, nodes: only} // while it is followed
		v = value{kind: object, nodes: only}
		if t := j.parseType(s.Type, n.File, n.Symbol); t != nil {
			v.typ = t
		} else if s.Value != "" && j.depth < maxDepth {
			j.depth++
			of := j.evaluate(s.Value, place{file: n.File, from: s.Parent})
			j.depth--
			v.typ = of.typ
			switch of.kind {
			case object:
			case class, module, function: // X = Y: another name for it
				v, v.nodes = of, only
				v.typ = j.aliasType(of)
			}
		}
	}
	j.values[n] = v
	return v
}

// aliasType keeps what stands behind another name of a class.
func (j *job) aliasType(of value) *typeRef {
	if of.kind == class {
		return j.typeOfClass(of)
	}
	return of.typ
}

// symbolsValue is what several definitions of one name are: the first that says more than its name decides.
func (j *job) symbolsValue(nodes []agenvantage.Node) value {
	if len(nodes) == 0 {
		return value{}
	}
	v := j.symbolValue(nodes[0])
	for _, n := range nodes[1:] {
		if v.kind == object && v.typ == nil {
			if o := j.symbolValue(n); o.typ != nil || o.kind != object {
				v = o
			}
		}
	}
	v.nodes = nodes
	return v
}
