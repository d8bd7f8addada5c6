package graph

import (
	"path"
	"slices"
	"strings"

	"agenvantage"
)

// rubySemantics is Ruby: constants are looked up in the modules around, then in the ancestors, then at the top; a name
// without receiver is a local variable or a method of the object around; files bring names in by being loaded.
type rubySemantics struct{}

// resolveRuby resolves a Ruby file.
func resolveRuby(j *job) {
	j.language = rubySemantics{}
	qualified := map[int][]string{}
	for i := range j.refs {
		if r := &j.refs[i]; strings.Contains(r.Name, "::") {
			qualified[r.Line] = append(qualified[r.Line], strings.ReplaceAll(r.Name, "::", "."))
		}
	}
	for i := range j.refs {
		ref := j.refs[i]
		if ref.Kind == agenvantage.RefImport {
			continue
		}
		ref.Name = strings.ReplaceAll(ref.Name, "&.", ".")
		plain := ref.On == "" && !strings.ContainsAny(ref.Name, ".:")
		if plain && isRubyConstant(ref.Name) && endsWithMember(qualified[ref.Line], ref.Name) {
			continue
		}
		v, name := j.follow(&ref)
		if v.kind == function && ref.Kind == agenvantage.RefType {
			ref.Kind = agenvantage.RefCall // a name alone calls
		}
		if plain && v.kind == nothing && ref.From < 0 {
			v.kind = dynamic // in a block: its method says what self is
		}
		j.linkOpen(&ref, name, v, rubyFits, rubyCommon)
	}
	kept := j.edges[:0]
	for _, e := range j.edges {
		if e.Kind == agenvantage.EdgeReferences && e.From.Symbol >= 0 && j.unit.symbols[e.From.Symbol].NameLine == e.Line {
			if s := j.symbol(e.To); s != nil && s.Qualified == j.unit.symbols[e.From.Symbol].Qualified {
				continue // "class A::B": its own name
			}
		}
		kept = append(kept, e)
	}
	j.edges = kept
	j.rubyImports()
}

func isRubyConstant(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// rubyFits says which definitions a method of an unknown object may mean.
func rubyFits(_ *job, _ *agenvantage.Reference, s *agenvantage.Symbol, _ *unit) bool {
	return s.Kind == agenvantage.KindMethod || s.Kind == agenvantage.KindField
}

// rubyCommon are methods of the language's own classes: of an object of unknown type they say nothing.
var rubyCommon = words(`all? any? append arity body bytes call capitalize chars chomp class clear clone close code collect compact concat count create default delete delete_if detect dig downcase
	dup each each_pair each_with_index each_with_object empty? end end_with? entries equal? eql? extend fetch fill filter find first flat_map flatten format freeze frozen? get gsub has_key? hash headers id
	include? index inject insert inspect instance_eval instance_exec instance_variable_get instance_variable_set is_a? items join key key? keys kind_of? last length lines map match match? max
	message method methods min name new next nil? none? open options path pop posts print puts push put query read reduce reject respond_to? result reverse rewind run save scan select send set shift should should_not size slice sort
	sort_by split start start_with? status step stop string strip sub sum tap text then times to_a to_h to_i to_int to_proc to_s to_str to_sym to_not not_to transform_values type uniq unshift upcase update upto url
	value values write zip to describe context`)

// rubyBuiltins are the methods of Kernel and Module, and the words that look like names.
var rubyBuiltins = words(`Array Float Hash Integer String abort alias_method at_exit attr attr_accessor attr_reader attr_writer autoload binding block_given? caller catch
	class class_eval define_method eval exit extend fail format freeze gets include instance_eval instance_variable_get instance_variable_set is_a? lambda load
	loop method module_eval module_function nil? object_id open p pp prepend print printf private private_class_method private_constant proc protected public public_send
	putc puts raise rand refine remove_method require require_relative respond_to? send singleton_class sleep sprintf srand super tap throw undef_method using warn
	yield nil true false __method__ __FILE__ __dir__ dup clone inspect to_s hash`)

// rubyOwner is the innermost class or module around a symbol, -1 at the top level.
func rubyOwner(u *unit, from int) int {
	found := -1
	u.within(from, func(s int) bool {
		if k := u.symbols[s].Kind; isClass(k) || k == agenvantage.KindModule {
			found = s
		}
		return found < 0
	})
	return found
}

// rubySelf is the object around a place: an instance inside of a method, the class itself inside of its body or of a method
// of the class.
func rubySelf(u *unit, from int) value {
	owner := rubyOwner(u, from)
	if owner < 0 {
		return value{kind: dynamic}
	}
	n := agenvantage.Node{File: u.file, Symbol: owner}
	if owner == from || from >= 0 && strings.HasPrefix(u.symbols[from].Signature, "def self.") {
		return classValue(n)
	}
	return value{kind: object, typ: &typeRef{name: nodeName(n), file: n.File, from: n.Symbol}}
}

func (rubySemantics) head(j *job, name string, file uint32, from int) value {
	u := j.unit
	if file != j.file {
		u = j.unitAt(file)
	}
	switch name {
	case "self":
		return rubySelf(u, from)
	case "super":
		return value{kind: builtin}
	}
	if isRubyConstant(name) {
		if v := j.rubyConstant(u, name, from); v.kind != nothing {
			return v
		}
		if !rubyBuiltins[name] {
			return value{kind: external} // no file of the repository defines it
		}
	}
	if self := rubySelf(u, from); self.kind != dynamic {
		v := j.language.member(j, self, name)
		if len(v.nodes) > 0 || v.attribute {
			return v
		}
		if rubyBuiltins[name] {
			return value{kind: builtin}
		}
		if !strings.HasPrefix(name, "@") {
			if at := j.rubyTop(name); at.kind != nothing {
				return at
			}
		}
		return value{kind: v.kind}
	}
	if v := j.rubyTop(name); v.kind != nothing {
		return v
	}
	if rubyBuiltins[name] {
		return value{kind: builtin}
	}
	return value{}
}

// rubyTop is a method that is defined outside of any class, in the file itself or, if it is the only one, elsewhere.
func (j *job) rubyTop(name string) value {
	var here, all []agenvantage.Node
	for _, n := range j.named(name) {
		s, _ := j.peek(n)
		if s == nil || j.r.files[n.File].lang != "ruby" || s.Kind != agenvantage.KindFunction || s.Parent >= 0 {
			continue
		}
		if all = append(all, n); n.File == j.file {
			here = append(here, n)
		}
	}
	switch {
	case len(here) > 0:
		return j.symbolsValue(here)
	case len(all) == 1:
		return j.symbolsValue(all)
	}
	return value{}
}

// rubyConstant looks a constant up: in the modules around, from the innermost outwards, in the ancestors of the innermost,
// at the top level.
func (j *job) rubyConstant(u *unit, name string, from int) value {
	guard := "\x00constant " + name
	if !j.enter(u.file, guard) {
		return value{}
	}
	defer j.leave(u.file, guard)
	owner := rubyOwner(u, from)
	if owner >= 0 {
		for space := u.symbols[owner].Qualified; space != ""; {
			if found := j.rubyNamed(space + "." + name); len(found) > 0 {
				return j.rubyOpened(found)
			}
			at := strings.LastIndexByte(space, '.')
			if at < 0 {
				break
			}
			space = space[:at]
		}
		if v, _ := j.rubyMember(classValue(agenvantage.Node{File: u.file, Symbol: owner}), name, true, 0); v.kind != nothing {
			return v
		}
	}
	if found := j.rubyNamed(name); len(found) > 0 {
		return j.rubyOpened(found)
	}
	return value{}
}

// rubyNamed lists the modules, classes and constants with a full name, all openings of them.
func (j *job) rubyNamed(full string) []agenvantage.Node {
	last := full[strings.LastIndexByte(full, '.')+1:]
	var out []agenvantage.Node
	for _, n := range j.named(last) {
		if j.r.files[n.File].lang != "ruby" {
			continue
		}
		s, _ := j.peek(n)
		if s != nil && s.Qualified == full && (isClass(s.Kind) || s.Kind == agenvantage.KindModule || s.Kind == agenvantage.KindConstant) {
			out = append(out, n)
		}
	}
	return out
}

// rubyOpened is a constant by its definitions. Of the places that open a module or class, edges lead to those that put
// methods or constants into it, or say its parent: others merely lie in it. A name space that more files fill than edges by
// name are made for gets none.
func (j *job) rubyOpened(found []agenvantage.Node) value {
	v := j.symbolsValue(found)
	if v.kind != class || len(found) == 1 {
		return v
	}
	v.typ = &typeRef{name: nodeName(found[0]), file: found[0].File, from: found[0].Symbol}
	var filled, here []agenvantage.Node
	for _, n := range found {
		u := j.unitAt(n.File)
		fills := false
		for _, b := range u.bases[n.Symbol] {
			fills = fills || b.kind == agenvantage.RefInherit
		}
		for _, c := range u.children[n.Symbol] {
			k := u.symbols[c].Kind
			fills = fills || isFunction(k) || k == agenvantage.KindConstant || k == agenvantage.KindField
		}
		if fills {
			filled = append(filled, n)
			if n.File == j.file {
				here = append(here, n)
			}
		}
	}
	switch {
	case len(here) > 0:
		filled = here
	case len(filled) > maxByName:
		filled = nil
	}
	v.nodes, v.attribute = filled, len(filled) == 0
	return v
}

func (rubySemantics) self(*job, *agenvantage.Binding, *unit) value { return value{kind: dynamic} }

func (rubySemantics) member(j *job, v value, name string) value {
	if v.kind == function || v.kind == object && v.typ != nil && v.typ.name == "func" { // brackets are left out at will
		v = j.callOf(v)
	}
	c := v
	if v.kind == object || v.kind == class && len(v.nodes) == 0 {
		if v.typ == nil {
			return value{kind: dynamic}
		}
		if c = j.classOf(v.typ); c.kind != class {
			if c.kind == nothing {
				c.kind = dynamic
			}
			return value{kind: c.kind}
		}
	}
	if c.kind != class || len(c.nodes) == 0 {
		return value{kind: dynamic}
	}
	if v.kind == class && isRubyConstant(name) {
		s := j.symbol(c.nodes[0])
		if s == nil {
			return value{}
		}
		if found := j.rubyNamed(s.Qualified + "." + name); len(found) > 0 {
			return j.rubyOpened(found)
		}
	}
	found, outside := j.rubyMember(c, name, false, 0)
	switch {
	case found.kind != nothing:
		return found
	case v.kind == class && name == "new":
		made := j.typeOfClass(value{kind: class, nodes: c.nodes[:1]})
		return value{kind: object, nodes: v.nodes, typ: &typeRef{name: "func", args: []*typeRef{made}, file: made.file, from: made.from}}
	case outside || name == "class" || v.kind == class && isRubyConstant(name):
		return value{kind: external}
	case rubyBuiltins[name]:
		return value{kind: builtin}
	}
	return value{kind: object}
}

// rubyOpenings lists every place that opens the class of a node.
func (j *job) rubyOpenings(n agenvantage.Node) []agenvantage.Node {
	s := j.symbol(n)
	if s == nil {
		return nil
	}
	return j.rubyNamed(s.Qualified)
}

// rubyMember finds a method, an attribute or a constant of a class: its own in all its openings, those of the modules that
// it includes, those of its parents. outside says that one of these lies outside of the repository.
func (j *job) rubyMember(c value, name string, parentsOnly bool, depth int) (v value, outside bool) {
	if depth > 16 || len(c.nodes) == 0 {
		return value{}, false
	}
	nodes := j.rubyOpenings(c.nodes[0])
	if !parentsOnly {
		if v = j.rubyOwnMember(nodes, name); v.kind != nothing {
			return v, false
		}
	}
	for _, n := range nodes {
		u := j.unitAt(n.File)
		for _, b := range u.bases[n.Symbol] {
			from := u.symbols[n.Symbol].Parent
			parent := j.evaluate(plainName(b.name), place{file: n.File, from: from})
			if parent.kind != class || len(parent.nodes) == 0 || slices.Contains(nodes, parent.nodes[0]) {
				outside = true
				continue
			}
			found, ext := j.rubyMember(parent, name, false, depth+1)
			if found.kind != nothing {
				return found, false
			}
			outside = outside || ext
		}
	}
	return value{}, outside
}

func (j *job) rubyOwnMember(openings []agenvantage.Node, name string) value {
	var nodes []agenvantage.Node
	for _, n := range openings {
		u := j.unitAt(n.File)
		for _, written := range [...]string{name, name + "?", name + "!"} { // paths leave the mark out
			for _, s := range u.childNamed(n.Symbol, written) {
				nodes = append(nodes, agenvantage.Node{File: n.File, Symbol: s})
			}
			if len(nodes) > 0 {
				break
			}
		}
	}
	v := value{}
	if len(nodes) > 0 {
		if v = j.symbolsValue(nodes); v.kind != object || v.typ != nil {
			return v
		}
	}
	attribute := "@" + strings.TrimPrefix(name, "@")
	for _, n := range openings {
		u := j.unitAt(n.File)
		for i := range u.bindings {
			b := &u.bindings[i]
			if !b.Attribute || b.Name != attribute || b.Symbol != n.Symbol {
				continue
			}
			if a := j.bindingValue(n.File, i+1); v.kind == nothing || a.typ != nil && v.typ == nil {
				v = a
			}
			v.nodes, v.attribute = nodes, len(nodes) == 0
		}
	}
	if v.kind == dynamic && len(nodes) > 0 {
		v.kind = object
	}
	return v
}

func (rubySemantics) parseType(text string, file uint32, from int) *typeRef {
	name := plainName(text)
	if !isRubyConstant(name) {
		return nil
	}
	return &typeRef{name: name, file: file, from: from}
}

func (rubySemantics) elementOf(*job, *typeRef, bool) *typeRef { return nil }

// rubyImports links the file to those that it loads: relative ones by their path, others from the folders that are put on
// the load path by custom.
func (j *job) rubyImports() {
	lines := strings.Split(j.text(), "\n")
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		relative := m.Line <= len(lines) && strings.Contains(lines[m.Line-1], "require_relative")
		f, ok := j.rubyFile(m.Path, relative)
		switch {
		case ok:
			j.linkImports(m, value{kind: module}, []uint32{f})
		case strings.Contains(m.Path, "#{"):
			j.miss(ReasonDynamic)
		case relative:
			j.linkImports(m, value{}, nil)
		default:
			j.linkImports(m, value{kind: external}, nil)
		}
	}
}

func (j *job) rubyFile(required string, relative bool) (uint32, bool) {
	p := strings.TrimSuffix(required, ".rb") + ".rb"
	if relative || strings.HasPrefix(required, ".") {
		return j.probe(path.Join(j.r.files[j.file].dir, p))
	}
	for dir := j.r.files[j.file].dir; ; dir = dirOf(dir) { // gems inside of the repository have a lib folder each
		for _, load := range [...]string{"lib", "test", "spec", "app"} {
			if f, ok := j.probe(path.Join(dir, load, p)); ok {
				return f, true
			}
		}
		if base := path.Base(dir); base == "lib" || base == "test" || base == "spec" {
			if f, ok := j.probe(path.Join(dir, p)); ok {
				return f, true
			}
		}
		if dir == "" {
			return j.probe(p)
		}
	}
}
