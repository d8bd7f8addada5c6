package graph

import (
	"strings"

	"agenvantage"
)

// nominal is the semantics of languages whose values have classes with names: Java, Kotlin, Scala, C#, Swift, Rust, C and
// C++. What a class has and inherits is looked for alike in all of them; what else a name may mean is told by the rules of
// the language of the file, so that a Kotlin file can go on with a class of a Java file.
type nominal struct{}

// nominalRules are what one language adds.
type nominalRules struct {
	self, parents map[string]bool // words for the object around, and for it as its parents have it
	selfType      string          // a type that stands for the class around

	// outer is what a name means beyond the classes and functions around it: file, package, imports. The language's own
	// names are not asked of it.
	outer func(j *job, u *unit, name string, from int) value
	// scattered says that the members of a class may stand in several places, under the class's qualified name.
	scattered bool
	// namespaces says that modules are namespaces, which have members in many files, and no objects.
	namespaces bool
	// extensions are functions that can be called on an object like members of it.
	extensions func(j *job, c value, name string) []agenvantage.Node
	// prefer picks among several definitions of one name, nil: all of them.
	prefer   func(j *job, nodes []agenvantage.Node) []agenvantage.Node
	imports  func(j *job)
	builtins map[string]bool
	common   map[string]bool // members of many library types: of an object of unknown type they say nothing
	readable bool            // a method without parameters is called by its name alone
	ownCalls bool            // functions and variables have names of their own: a call never means a variable
	loose    bool            // a plain name that nothing declares may be declared by a file that is not known
}

// nominalRulesOf is the rules of a language, those of Java for one that has none.
func nominalRulesOf(lang string) *nominalRules {
	switch lang {
	case "kotlin":
		return &nominalRules{self: wordThis, parents: wordSuper, outer: jvmOuter, imports: jvmImports, builtins: kotlinBuiltins, common: jvmCommon,
			extensions: kotlinExtensions}
	case "scala":
		return &nominalRules{self: wordThis, parents: wordSuper, outer: jvmOuter, imports: jvmImports, builtins: scalaBuiltins, common: jvmCommon, readable: true,
			prefer: scalaClasses}
	case "csharp":
		return &nominalRules{self: wordThis, parents: wordBase, outer: csharpOuter, imports: csharpImports, builtins: csharpBuiltins, common: csharpCommon,
			scattered: true, namespaces: true, extensions: csharpExtensions, prefer: csharpMainParts}
	case "swift":
		return &nominalRules{self: wordSelf, parents: wordSuper, selfType: "Self", outer: swiftOuter, imports: swiftImports, builtins: swiftBuiltins,
			common: swiftCommon, scattered: true}
	case "rust":
		return &nominalRules{self: wordSelf, selfType: "Self", outer: rustOuter, imports: rustImports, builtins: rustBuiltins, common: rustCommon,
			scattered: true, namespaces: true}
	case "c", "cpp":
		return &nominalRules{self: wordThis, outer: cOuter, imports: cImports, builtins: cBuiltins, common: cCommon, scattered: lang == "cpp",
			namespaces: true, prefer: cDefinitions, loose: true}
	}
	return &nominalRules{self: wordThis, parents: wordSuper, outer: jvmOuter, imports: jvmImports, builtins: javaBuiltins, common: jvmCommon, ownCalls: true}
}

var wordThis, wordSelf, wordSuper, wordBase = words("this"), words("self"), words("super"), words("base")

// nominalRules are the rules of the language of a file.
func (j *job) nominalRules(file uint32) *nominalRules {
	lang := j.r.files[file].lang
	rules := j.rules[lang]
	if rules == nil {
		if j.rules == nil {
			j.rules = map[string]*nominalRules{}
		}
		rules = nominalRulesOf(lang)
		j.rules[lang] = rules
	}
	return rules
}

// resolveNominal resolves a file of one of these languages.
func resolveNominal(j *job) {
	j.language = nominal{}
	rules := j.nominalRules(j.file)
	for i := range j.refs {
		if ref := &j.refs[i]; ref.Kind != agenvantage.RefImport {
			j.resolveNominalReference(ref, rules)
		}
	}
	rules.imports(j)
}

func (j *job) resolveNominalReference(ref *agenvantage.Reference, rules *nominalRules) {
	if ref.Binding > 0 && ref.On == "" && strings.Contains(ref.Name, "::") && strings.IndexByte(ref.Name, '.') < 0 { // a path begins with no variable
		plain := *ref
		plain.Binding = 0
		ref = &plain
	}
	if rules.ownCalls && ref.Kind == agenvantage.RefCall && ref.On == "" && !strings.Contains(ref.Name, ".") {
		plain := *ref
		plain.Binding = 0
		ref = &plain
	}
	if first, _, ok := strings.Cut(ref.Name, "::"); ok && first != "" && ref.On == "" && ref.Binding == 0 && j.r.files[j.file].lang == "rust" &&
		j.language.head(j, first, j.file, ref.From).kind == nothing {
		j.miss(ReasonExternal) // a crate that is not in the repository
		return
	}
	v, name := j.follow(ref)
	if full := plainName(ref.Name); len(v.nodes) == 0 && ref.On == "" && ref.Binding == 0 && strings.Contains(full, ".") && v.kind != object {
		if whole := j.dotted(full, j.unit); len(whole.nodes) > 0 { // a full name
			v = whole
		}
	}
	j.linkNominal(ref, name, v, rules)
}

// passes reports whether a value on the way of a path is a mention of what it names.
func (j *job) passes(v value) bool {
	return v.kind == object || v.kind == class || v.kind == function && j.r.files[j.file].lang == "scala"
}

// baseClass is what a class names as its parent.
func (j *job) baseClass(name string, n agenvantage.Node, parent int) value {
	name = plainName(name)
	v := j.evaluate(name, place{file: n.File, from: parent})
	if v.kind != class && strings.Contains(name, ".") {
		if whole := j.dotted(name, j.unitAt(n.File)); whole.kind == class {
			return whole
		}
	}
	return v
}

// linkNominal links a reference to what it leads to: of overloads to those that take as many arguments as the line gives,
// of a class that is called to its constructors too.
func (j *job) linkNominal(ref *agenvantage.Reference, name string, v value, rules *nominalRules) {
	if rules.self[ref.Name] || rules.parents[ref.Name] || ref.Name == rules.selfType {
		return
	}
	if v.super || len(v.nodes) == 0 {
		switch {
		case v.kind == module:
			v.kind = external
		case v.kind == class: // a type parameter
			return
		case v.kind == nothing && ref.Kind == agenvantage.RefCall && rules.common[name] && !rules.loose: // inherited by every object
			v.kind = external
		}
		if rules.loose && v.kind == nothing && !rules.builtins[name] && ref.On == "" && plainName(ref.Name) == name {
			if len(j.named(name)) == 0 && j.includesOutside() {
				j.miss(ReasonExternal)
				return
			}
			j.byName(ref, name, func(s *agenvantage.Symbol, u *unit, n agenvantage.Node) bool {
				return sameFamily(j.r.files[j.file].lang, j.r.files[n.File].lang) && s.Parent < 0 && s.Qualified == s.Name && s.Visibility != "private"
			})
			return
		}
		j.linkOpen(ref, name, v, nominalFits, rules.common)
		return
	}
	nodes := j.ofKind(v.nodes, ref.Kind)
	if ref.Kind == agenvantage.RefCall {
		made := j.preferred(j.constructors(ref, name, nodes), rules)
		nodes = append(j.preferred(j.overloads(ref, name, nodes), rules), made...)
	} else {
		nodes = j.preferred(nodes, rules)
	}
	for _, n := range nodes {
		s := j.symbol(n)
		if s == nil {
			continue
		}
		kind := ref.Kind
		switch {
		case kind == agenvantage.RefInherit || kind == agenvantage.RefImplements:
			kind = j.inheritance(ref, s)
		case kind == agenvantage.RefType && rules.readable && isFunction(s.Kind):
			kind = agenvantage.RefCall
		}
		j.link(kindFor(kind, s.Kind), j.from(ref.From), n, ref.Line, agenvantage.ByScope)
	}
}

func (j *job) preferred(nodes []agenvantage.Node, rules *nominalRules) []agenvantage.Node {
	if rules.prefer == nil || len(nodes) < 2 {
		return nodes
	}
	return append([]agenvantage.Node(nil), rules.prefer(j, nodes)...)
}

// ofKind keeps of fields and methods with one name those that a reference can mean.
func (j *job) ofKind(nodes []agenvantage.Node, kind agenvantage.ReferenceKind) []agenvantage.Node {
	var functions, others []agenvantage.Node
	for _, n := range nodes {
		if s := j.symbol(n); s != nil && isFunction(s.Kind) {
			functions = append(functions, n)
		} else {
			others = append(others, n)
		}
	}
	if len(functions) == 0 || len(others) == 0 {
		return nodes
	}
	if kind == agenvantage.RefCall {
		return functions
	}
	return others
}

// inheritance tells inheriting from implementing by what is named: the syntax of most languages does not.
func (j *job) inheritance(ref *agenvantage.Reference, s *agenvantage.Symbol) agenvantage.ReferenceKind {
	abstract := func(k agenvantage.SymbolKind) bool {
		return k == agenvantage.KindInterface || k == agenvantage.KindTrait
	}
	if abstract(s.Kind) && (ref.From < 0 || !abstract(j.unit.symbols[ref.From].Kind)) {
		return agenvantage.RefImplements
	}
	return agenvantage.RefInherit
}

// nominalFits says which definitions a member of an unknown object may mean.
func nominalFits(j *job, ref *agenvantage.Reference, s *agenvantage.Symbol, u *unit) bool {
	member := s.Kind == agenvantage.KindMethod || s.Kind == agenvantage.KindFunction && strings.Contains(s.Qualified, ".") ||
		s.Kind == agenvantage.KindField && ref.Kind == agenvantage.RefType && !strings.Contains(ref.Name, "::")
	return member && (u.file == j.file || s.Visibility != "private")
}

func (nominal) head(j *job, name string, file uint32, from int) value {
	u := j.unit
	if file != j.file {
		u = j.unitAt(file)
	}
	rules := j.nominalRules(file)
	if rules.loose && rules.builtins[name] {
		return value{kind: builtin}
	}
	if rules.self[name] || rules.parents[name] || name == rules.selfType {
		return j.nominalSelf(u, from, name, rules)
	}
	v, outside := value{}, false
	u.within(from, func(s int) bool {
		v, outside = j.nominalScope(u, s, name, outside)
		return v.kind == nothing
	})
	if v.kind != nothing {
		return v
	}
	if v = rules.outer(j, u, name, from); v.kind != nothing {
		return v
	}
	switch {
	case rules.builtins[name]:
		return value{kind: builtin}
	case outside:
		return value{kind: external}
	case len(name) == 1 && name[0] >= 'A' && name[0] <= 'Z': // a type parameter of something that is no symbol
		return value{kind: class}
	}
	return value{}
}

// nominalScope is a name as one symbol around a place has it. outside grows true when a class with parents outside of the
// repository was passed.
func (j *job) nominalScope(u *unit, s int, name string, outside bool) (value, bool) {
	sym := &u.symbols[s]
	n := agenvantage.Node{File: u.file, Symbol: s}
	if isFunction(sym.Kind) || isType(sym.Kind) {
		if bound, ok := typeParameter(sym, name); ok {
			return value{kind: class, typ: j.parseType(bound, u.file, sym.Parent)}, outside
		}
	}
	switch {
	case isFunction(sym.Kind):
		var found []agenvantage.Node
		for _, c := range u.childNamed(s, name) {
			found = append(found, agenvantage.Node{File: u.file, Symbol: c})
		}
		if len(found) > 0 {
			return j.symbolsValue(found), outside
		}
		owner := j.scopeOwner(u, s)
		if len(owner.nodes) == 0 {
			return value{}, outside || owner.kind == external
		}
		v, ext := j.nominalMember(owner, name, false, 0)
		return v, outside || ext
	case isClass(sym.Kind) || sym.Kind == agenvantage.KindModule && !j.nominalRules(u.file).namespaces:
		v, ext := j.nominalMember(value{kind: class, nodes: []agenvantage.Node{n}}, name, false, 0)
		return v, outside || ext
	}
	return value{}, outside
}

// scopeOwner is the class that a function belongs to by its qualified name alone: an extension, a method defined outside.
func (j *job) scopeOwner(u *unit, s int) value {
	sym := &u.symbols[s]
	around := ""
	if sym.Parent >= 0 {
		around = u.symbols[sym.Parent].Qualified + "."
	}
	rest, ok := strings.CutPrefix(strings.TrimSuffix(sym.Qualified, sym.Name), around)
	if rest = strings.TrimSuffix(rest, "."); !ok || rest == "" || !j.enter(u.file, "\x00"+sym.Qualified) {
		return value{}
	}
	defer j.leave(u.file, "\x00"+sym.Qualified)
	v := j.evaluate(strings.TrimRight(rest, "?"), place{file: u.file, from: sym.Parent})
	if v.kind != class && v.kind != external {
		return value{}
	}
	return v
}

// nominalSelf is the object, or the class, around a place.
func (j *job) nominalSelf(u *unit, from int, name string, rules *nominalRules) value {
	var of value
	u.within(from, func(s int) bool {
		if sym := &u.symbols[s]; isClass(sym.Kind) || sym.Kind == agenvantage.KindModule && !rules.namespaces {
			of = value{kind: class, nodes: []agenvantage.Node{{File: u.file, Symbol: s}}}
		} else if isFunction(sym.Kind) || sym.Kind == agenvantage.KindField {
			of = j.scopeOwner(u, s)
		}
		return of.kind == nothing
	})
	if of.kind != class || len(of.nodes) == 0 {
		if of.kind == external {
			return of
		}
		return value{kind: dynamic}
	}
	if name == rules.selfType {
		return of
	}
	t := j.typeOfClass(value{nodes: of.nodes})
	return value{kind: object, typ: t, owner: of.nodes[0], super: rules.parents[name]}
}
