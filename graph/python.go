package graph

import (
	"slices"
	"strings"

	"agenvantage"
)

// pythonSemantics is Python: modules are files and folders, classes have attributes that methods assign, and a name means
// what the innermost function, the module, its imports or the language say.
type pythonSemantics struct{}

// resolvePython resolves a Python file.
func resolvePython(j *job) {
	j.language = pythonSemantics{}
	for i := range j.refs {
		if ref := &j.refs[i]; ref.Kind != agenvantage.RefImport {
			v, name := j.follow(ref)
			if named, ok := j.pythonNamedByImport(ref); ok {
				v = named
			}
			j.linkOpen(ref, name, v, pythonFits, pythonCommon)
		}
	}
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		v := j.pythonModule(m.Path, j.file)
		targets := v.files
		if m.Name != "" && m.Name != "*" && v.kind == module {
			if sub := j.pythonSubmodule(v, m.Name); len(sub.files) > 0 && !j.pythonDefines(v, m.Name) {
				targets = sub.files
			}
		}
		j.linkImports(m, v, targets)
	}
}

// pythonNamedByImport is what a mention in an import statement means: the name as the module has it, not as it is called here.
func (j *job) pythonNamedByImport(ref *agenvantage.Reference) (value, bool) {
	for i := range j.unit.imports {
		if m := &j.unit.imports[i]; m.Line == ref.Line && m.Name == ref.Name && m.Alias != "" && ref.Kind == agenvantage.RefType {
			v := j.pythonModule(m.Path, j.file)
			if v.kind == module {
				v = j.pythonInModule(v, m.Name)
			}
			return v, true
		}
	}
	return value{}, false
}

// pythonFits says which definitions an attribute of an unknown object may mean.
func pythonFits(_ *job, ref *agenvantage.Reference, s *agenvantage.Symbol, _ *unit) bool {
	return s.Kind == agenvantage.KindMethod || s.Kind == agenvantage.KindField && ref.Kind == agenvantage.RefType
}

// pythonCommon are attributes of the language's own types and of files: of an object of unknown type they say nothing.
var pythonCommon = words(`add append capitalize clear close copy count decode difference discard encode endswith extend fileno find flush format
	fromkeys get group groups hex index insert intersection isalnum isalpha isdigit islower isspace isupper issubset items join keys ljust lower lstrip match
	pop popitem read readline readlines remove replace reverse rfind rjust rsplit rstrip search seek setdefault sort split splitlines start startswith
	stop strip sub swapcase tell title translate truncate union update upper values write writelines zfill name value args real imag`)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

var pythonBuiltins = words(`ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError
	BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis
	EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
	ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError
	NameError None NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
	RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
	SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
	UserWarning ValueError Warning ZeroDivisionError __build_class__ __debug__ __doc__ __file__ __name__ __package__ __path__ __spec__ abs aiter all anext any
	ascii bin bool breakpoint bytearray bytes callable chr classmethod complex copyright credits dict dir divmod enumerate exit
	filter float format frozenset hash help hex id input int isinstance issubclass iter len license list map max memoryview
	min next object oct open ord pow print property quit range repr reversed round set slice sorted staticmethod str sum
	tuple type unicode xrange basestring long zip`)

// pythonDynamic are the builtin functions whose answer only a run tells.
var pythonDynamic = words(`__import__ compile delattr eval exec getattr globals hasattr locals setattr vars`)

func (pythonSemantics) head(j *job, name string, file uint32, from int) value {
	u := j.unit
	if file != j.file {
		u = j.unitAt(file)
	}
	if v := j.pythonLocal(u, name, from); len(v.nodes) > 0 || v.kind != nothing {
		return v
	}
	switch {
	case pythonBuiltins[name]:
		return value{kind: builtin}
	case pythonDynamic[name]:
		return value{kind: dynamic}
	}
	for i := range u.imports {
		if u.imports[i].Name == "*" && j.pythonModule(u.imports[i].Path, file).kind == external {
			return value{kind: external}
		}
	}
	return value{}
}

// pythonLocal is a name as the scopes of a file know it, without what the language defines.
func (j *job) pythonLocal(u *unit, name string, from int) value {
	if name == "super" || name == "Self" {
		if c := u.enclosingClass(from); c >= 0 {
			n := agenvantage.Node{File: u.file, Symbol: c}
			return value{kind: class, nodes: []agenvantage.Node{n}, owner: n, super: name == "super"}
		}
	}
	var found []agenvantage.Node
	inFunction := false
	u.within(from, func(s int) bool {
		if k := u.symbols[s].Kind; isFunction(k) || isClass(k) && !inFunction {
			for _, c := range u.childNamed(s, name) {
				found = append(found, agenvantage.Node{File: u.file, Symbol: c})
			}
			inFunction = inFunction || isFunction(k)
		}
		return len(found) == 0
	})
	if len(found) == 0 {
		return j.pythonGlobal(u, name, from)
	}
	return j.overloaded(u, found)
}

// pythonGlobal is a name at the top level of a module: its own definitions, imports, then names that "*" brings.
func (j *job) pythonGlobal(u *unit, name string, from int) value {
	var found []agenvantage.Node
	for _, c := range u.childNamed(-1, name) {
		found = append(found, agenvantage.Node{File: u.file, Symbol: c})
	}
	if len(found) > 0 {
		return j.overloaded(u, found)
	}
	if !j.enter(u.file, name) {
		return value{}
	}
	defer j.leave(u.file, name)
	outside := value{}
	for i := len(u.imports) - 1; i >= 0; i-- { // the last one wins
		m := &u.imports[i]
		if m.From >= 0 && !contains(u, from, m.From) {
			continue
		}
		if v, ok := j.pythonImported(m, name, u.file); ok {
			if v.kind != nothing && v.kind != external {
				return v
			}
			if outside.kind == nothing {
				outside = v
			}
		}
	}
	return outside
}

// overloaded is what several definitions of one name are. Those that only declare a type ("@overload") tell the result of
// a call, and are no targets where another one has the body.
func (j *job) overloaded(u *unit, nodes []agenvantage.Node) value {
	var kept []agenvantage.Node
	for _, n := range nodes {
		if !slices.ContainsFunc(u.marks[n.Symbol], func(mark string) bool { return mark == "overload" || strings.HasSuffix(mark, ".overload") }) {
			kept = append(kept, n)
		}
	}
	if len(kept) == 0 || len(kept) == len(nodes) {
		return j.symbolsValue(nodes)
	}
	v := j.symbolsValue(kept)
	v.results = nodes
	return v
}

// contains reports whether symbol lies in or is the symbol outer.
func contains(u *unit, symbol, outer int) bool {
	found := false
	u.within(symbol, func(s int) bool {
		found = found || s == outer
		return !found
	})
	return found
}

// pythonImported is what an import statement means by a name, if it means anything by it.
func (j *job) pythonImported(m *agenvantage.Import, name string, file uint32) (value, bool) {
	switch {
	case m.Name == "*":
		if strings.HasPrefix(name, "_") {
			return value{}, false
		}
		v := j.pythonModule(m.Path, file)
		if v.kind != module {
			return value{}, false
		}
		v = j.pythonInModule(v, name)
		return v, v.kind != nothing
	case m.Name != "":
		if m.Alias != name && (m.Alias != "" || m.Name != name) {
			return value{}, false
		}
		v := j.pythonModule(m.Path, file)
		if v.kind != module {
			return v, true
		}
		return j.pythonInModule(v, m.Name), true
	case m.Alias != "":
		if m.Alias != name {
			return value{}, false
		}
		return j.pythonModule(m.Path, file), true
	default:
		if first, _, _ := strings.Cut(m.Path, "."); first != name {
			return value{}, false
		}
		return j.pythonPackageOf(m.Path, file), true
	}
}

// pythonInModule is a name of a module: what it defines or imports, or a module inside of it.
func (j *job) pythonInModule(v value, name string) value {
	result := value{}
	for _, f := range v.files {
		u := j.unitAt(f)
		if own := j.pythonGlobal(u, name, -1); own.kind != nothing && own.kind != external {
			return own
		} else if own.kind == external {
			result = own
		}
		if len(u.childNamed(-1, "__getattr__")) > 0 {
			result = value{kind: dynamic}
		}
	}
	if sub := j.pythonSubmodule(v, name); sub.kind != nothing {
		return sub
	}
	return result
}

// pythonDefines reports whether a module itself defines or imports a name.
func (j *job) pythonDefines(v value, name string) bool {
	for _, f := range v.files {
		u := j.unitAt(f)
		if len(u.childNamed(-1, name)) > 0 {
			return true
		}
	}
	return false
}

func (pythonSemantics) member(j *job, v value, name string) value {
	switch v.kind {
	case module:
		return j.pythonInModule(v, name)
	case class, object:
		c := v
		if v.kind == object && !v.super {
			if m := pythonContainerMember(v.typ, name); m != nil {
				return j.objectOf(m)
			}
			c = j.classOf(v.typ)
		}
		if v.super {
			c.kind = class
		}
		if c.kind != class {
			if c.kind == nothing && v.typ == nil {
				return value{kind: dynamic}
			}
			return value{kind: c.kind}
		}
		found, outside := j.pythonMember(c, name, v.super, 0)
		switch {
		case found.kind == nothing && outside:
			return value{kind: external}
		case found.kind == nothing && v.super:
			return value{kind: builtin} // of object
		case found.kind == nothing:
			return value{kind: object} // the class is known, and no other's attribute is meant
		case found.kind == function && v.kind == object && j.isProperty(found.nodes):
			called := j.callOf(found)
			called.nodes = found.nodes
			if called.kind == nothing {
				called.kind = dynamic
			}
			return called
		}
		return found
	}
	return value{kind: dynamic}
}

// isProperty reports whether a method is read like an attribute.
func (j *job) isProperty(nodes []agenvantage.Node) bool {
	for _, n := range nodes {
		for _, mark := range j.unitAt(n.File).marks[n.Symbol] {
			if strings.HasSuffix(mark, "property") {
				return true
			}
		}
	}
	return false
}

// pythonMember finds an attribute of a class: its own, then those of its parents, from left to right, each to its end.
// outside says that a parent lies outside of the repository.
func (j *job) pythonMember(c value, name string, parentsOnly bool, depth int) (v value, outside bool) {
	if depth > 16 {
		return value{}, false
	}
	for _, n := range c.nodes {
		u := j.unitAt(n.File)
		if !parentsOnly {
			if v = j.pythonOwnMember(u, n, name); v.kind != nothing {
				return v, false
			}
		}
		for _, b := range u.bases[n.Symbol] {
			from := -1
			if n.Symbol < len(u.symbols) {
				from = u.symbols[n.Symbol].Parent
			}
			parent := j.evaluate(b.name, place{file: n.File, from: from})
			switch parent.kind {
			case class:
				if len(parent.nodes) > 0 && parent.nodes[0] == n {
					continue
				}
				found, ext := j.pythonMember(parent, name, false, depth+1)
				if found.kind != nothing {
					return found, false
				}
				outside = outside || ext
			default:
				outside = true
			}
		}
	}
	return value{}, outside
}

func (j *job) pythonOwnMember(u *unit, n agenvantage.Node, name string) value {
	var nodes []agenvantage.Node
	for _, s := range u.childNamed(n.Symbol, name) {
		nodes = append(nodes, agenvantage.Node{File: u.file, Symbol: s})
	}
	v := value{}
	if len(nodes) > 0 {
		if v = j.overloaded(u, nodes); v.typ != nil || v.kind != object {
			return v
		}
	}
	for i := range u.bindings {
		if b := &u.bindings[i]; b.Attribute && b.Symbol == n.Symbol && b.Name == name {
			a := j.bindingValue(u.file, i+1)
			if v.kind == nothing || a.typ != nil || a.kind == function || a.kind == class {
				a.nodes = nodes
				v = a
			}
			if v.kind != dynamic {
				break
			}
		}
	}
	if v.kind == dynamic || v.kind == nothing && len(nodes) > 0 {
		v = value{kind: object, nodes: nodes}
	}
	v.attribute = len(nodes) == 0 && v.kind != nothing
	return v
}

// self gives the first parameter of a method its object or class.
func (pythonSemantics) self(_ *job, b *agenvantage.Binding, u *unit) value {
	c := u.enclosingClass(b.Symbol)
	if c < 0 {
		return value{kind: dynamic}
	}
	n := agenvantage.Node{File: u.file, Symbol: c}
	switch b.Name {
	case "self":
		return value{kind: object, typ: &typeRef{name: nodeName(n), file: n.File, from: n.Symbol}}
	case "cls", "mcs":
		return value{kind: class, nodes: []agenvantage.Node{n}}
	}
	return value{kind: dynamic}
}
