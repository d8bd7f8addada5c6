package graph

import (
	"strconv"

	"agenvantage"
)

// valueKind says what a path leads to.
type valueKind uint8

const (
	nothing  valueKind = iota // not known
	external                  // something outside of the repository
	builtin                   // something of the language itself
	dynamic                   // a local name, or a member of one, of which nothing more is known
	module                    // a package or module: dir or file say which
	class                     // a type itself: nodes
	object                    // a value of the type typ
	function                  // functions and methods: nodes
)

// value is what a path leads to, as far as the source tells.
type value struct {
	kind       valueKind
	nodes      []agenvantage.Node // symbols that the last step named: a class, functions, the field or variable that holds an object
	typ        *typeRef           // of an object; of a class with arguments
	results    []agenvantage.Node // functions whose result types count, when they are others than nodes
	dir        string             // of a module that is a folder
	files      []uint32           // of a module that is a file (several: alternatives)
	owner      agenvantage.Node   // the class of a super value
	super      bool               // members are those of the parents of owner
	attribute  bool               // an attribute without a symbol of its own
	fieldsOnly bool               // Go: a defined type has the fields of what it is made of, and not its methods
	method     bool               // an interface's own method was chosen: implementers are possible targets too
}

// typeRef is a type as it is written at a place, in one form for all languages: "[]" (element), "map" (key, element), "()"
// (results), "func" (results), "chan" (element), "struct" (without a name: its fields lie inside of the symbol from) or a
// name with its arguments.
type typeRef struct {
	name string
	args []*typeRef
	file uint32
	from int // the symbol in which it is written, for type parameters and local types; -1
	env  map[string]*typeRef
}

// typeText is a type as written at a place: the key of the cache of parsed types.
type typeText struct {
	text string
	file uint32
	from int
}

// semantics is what a language family tells the evaluator. Answers of kind nothing mean "not known".
type semantics interface {
	// head is what a name that is no local binding means inside of a symbol (-1: at the top level) of a file.
	head(j *job, name string, file uint32, from int) value
	// member is what a name means after a value: a symbol of a module, a field or method of an object or a class.
	member(j *job, v value, name string) value
	// parseType reads a type as written; nil when it leads nowhere.
	parseType(text string, file uint32, from int) *typeRef
	// self is the value of a binding that has no type and no value but stands for the object or class around it.
	self(j *job, b *agenvantage.Binding, u *unit) value
	// elementOf is the element (or, with key, the key) of a value of type t, nil when t holds none.
	elementOf(j *job, t *typeRef, key bool) *typeRef
}

// env is what the arguments of the type stand for, through which v was found.
func (v value) env() map[string]*typeRef {
	if v.typ != nil {
		return v.typ.env
	}
	return nil
}

// typeOfClass is the type whose values are the objects of a class.
func (j *job) typeOfClass(v value) *typeRef {
	if v.typ != nil {
		return v.typ
	}
	if len(v.nodes) == 0 {
		return nil
	}
	return &typeRef{name: nodeName(v.nodes[0]), file: v.nodes[0].File, from: v.nodes[0].Symbol}
}

// nodeName is the name of a type that is known by its node: no source can write it.
func nodeName(n agenvantage.Node) string { return "\x00" + strconv.Itoa(n.Symbol) }

// with gives t the meaning of type parameters.
func (t *typeRef) with(env map[string]*typeRef) *typeRef {
	if t == nil || len(env) == 0 {
		return t
	}
	if len(t.args) == 0 {
		if to := env[t.name]; to != nil {
			return to
		}
		return t
	}
	c := *t
	c.args = make([]*typeRef, len(t.args))
	for i, a := range t.args {
		c.args[i] = a.with(env)
	}
	return &c
}
