package graph

import (
	"strings"

	"agenvantage"
)

// phpSemantics is PHP: names are looked up in the imports of a file, then in its namespace; classes are found by their full
// names wherever they lie, as autoloading does; variables begin with "$".
type phpSemantics struct{}

// phpRooted marks a name that is written with a leading "\": it is looked up from the global namespace.
const phpRooted = "\x01"

// resolvePHP resolves a PHP file.
func resolvePHP(j *job) {
	j.language = phpSemantics{}
	for i := range j.refs {
		ref := j.refs[i]
		if ref.Kind == agenvantage.RefImport {
			continue
		}
		if rest, ok := strings.CutPrefix(ref.Name, `\`); ok {
			ref.Name = phpRooted + rest
		}
		v, name := j.follow(&ref)
		plain := ref.On == "" && !strings.ContainsAny(ref.Name, `.\:>`)
		if v.kind == nothing && ref.Kind != agenvantage.RefCall && strings.Contains(ref.Name, `\`) {
			v.kind = module
		}
		switch {
		case v.kind == module: // a name of a namespace that no file defines
			v.kind = external
		case ref.Name == "parent::__construct" || v.kind == nothing && plain && strings.HasPrefix(name, phpRooted):
			if len(v.nodes) == 0 {
				v = value{kind: external}
			}
			v.super = false
		case v.kind == nothing && plain && ref.Kind == agenvantage.RefCall:
			v.kind = external // a function of PHP or of an extension
		}
		j.linkOpen(&ref, strings.TrimPrefix(name, phpRooted), v, phpFits, phpCommon)
	}
	j.phpImports()
}

// phpFits says which definitions a member of an unknown object may mean.
func phpFits(_ *job, ref *agenvantage.Reference, s *agenvantage.Symbol, _ *unit) bool {
	return s.Kind == agenvantage.KindMethod || s.Kind == agenvantage.KindField && ref.Kind == agenvantage.RefType
}

// phpCommon are members that so many classes have that the name says nothing.
var phpCommon = words(`add all append call clear clone close contains count create current delete each execute fetch filter find first flush format get
	getCode getFile getLine getMessage getName getPrevious getTraceAsString getValue handle has id init isEmpty key keys last load map name next offsetExists offsetGet
	offsetSet offsetUnset open push put read remove render reset rewind run save set setName size sort start stop toArray type update valid value values write`)

func (phpSemantics) head(j *job, name string, file uint32, from int) value {
	u := j.unit
	if file != j.file {
		u = j.unitAt(file)
	}
	around := func() (agenvantage.Node, bool) {
		c := u.enclosingClass(from)
		return agenvantage.Node{File: u.file, Symbol: c}, c >= 0
	}
	switch strings.ToLower(name) {
	case "$this":
		if n, ok := around(); ok {
			return value{kind: object, typ: &typeRef{name: nodeName(n), file: n.File, from: n.Symbol}}
		}
		return value{kind: dynamic}
	case "self", "static":
		if n, ok := around(); ok {
			return classValue(n)
		}
		return value{kind: dynamic}
	case "parent":
		if n, ok := around(); ok {
			return value{kind: class, typ: &typeRef{name: nodeName(n), file: n.File, from: n.Symbol}, owner: n, super: true}
		}
		return value{kind: dynamic}
	case "string", "int", "float", "bool", "array", "callable", "iterable", "object", "mixed", "void", "never", "null", "true", "false", "namespace":
		return value{kind: builtin}
	}
	if strings.HasPrefix(name, "$") {
		return value{kind: dynamic}
	}
	if rest, ok := strings.CutPrefix(name, phpRooted); ok {
		if v := j.phpNamed(rest); v.kind != nothing {
			return v
		}
		return value{kind: module, dir: rest}
	}
	for i := range u.imports {
		m := &u.imports[i]
		if full, ok := phpImports(m, name); ok {
			if v := j.phpNamed(full); v.kind != nothing {
				return v
			}
			return value{kind: module, dir: full}
		}
	}
	space := j.phpSpace(u, from)
	if v := j.phpNamed(phpJoin(space, name)); v.kind != nothing {
		return v
	}
	if space == "" {
		return value{}
	}
	found := j.phpFind(name, func(k agenvantage.SymbolKind) bool { return isFunction(k) || k == agenvantage.KindConstant }) // these fall back to the global ones
	if len(found) > 0 {
		return j.symbolsValue(found)
	}
	return value{}
}

// classValue is a class by its node.
func classValue(n agenvantage.Node) value { return value{kind: class, nodes: []agenvantage.Node{n}} }

// phpImports tells the full name that an import gives a name, if it does.
func phpImports(m *agenvantage.Import, name string) (string, bool) {
	full := strings.TrimPrefix(m.Path, `\`)
	if m.Name != "" {
		full = phpJoin(full, m.Name)
	}
	local := m.Alias
	if local == "" {
		local = full[strings.LastIndexByte(full, '\\')+1:]
	}
	return full, local == name
}

func phpJoin(space, name string) string {
	if space == "" {
		return name
	}
	return space + `\` + name
}

// phpSpace is the namespace at a symbol of a file.
func (j *job) phpSpace(u *unit, from int) string {
	space := u.pkg
	u.within(from, func(s int) bool {
		if sym := &u.symbols[s]; sym.Kind == agenvantage.KindModule {
			space = sym.Name
			return false
		}
		return true
	})
	return space
}

// phpNamed is what a full name means: a class, else a function or constant, else a namespace that definitions lie in.
func (j *job) phpNamed(full string) value {
	if found := j.phpFind(full, isClass); len(found) > 0 {
		return value{kind: class, nodes: found}
	}
	if found := j.phpFind(full, func(k agenvantage.SymbolKind) bool { return isFunction(k) || k == agenvantage.KindConstant }); len(found) > 0 {
		return j.symbolsValue(found)
	}
	return value{}
}

// phpFind lists the definitions with a full name; of several classes those in files that are named for them.
func (j *job) phpFind(full string, keep func(agenvantage.SymbolKind) bool) []agenvantage.Node {
	last := full[strings.LastIndexByte(full, '\\')+1:]
	var found, named []agenvantage.Node
	for _, n := range j.named(last) {
		if j.r.files[n.File].lang != "php" {
			continue
		}
		s, u := j.peek(n)
		if s == nil || !keep(s.Kind) || s.Kind == agenvantage.KindMethod {
			continue
		}
		space := u.pkg
		if s.Parent >= 0 {
			p := &u.symbols[s.Parent]
			if p.Kind != agenvantage.KindModule && !isFunction(p.Kind) {
				continue
			}
			if p.Kind == agenvantage.KindModule {
				space = p.Name
			}
		}
		if phpJoin(space, last) != full {
			continue
		}
		found = append(found, n)
		if strings.HasSuffix("/"+j.r.files[n.File].path, "/"+last+".php") {
			named = append(named, n)
		}
	}
	if len(named) > 0 && len(found) > 1 {
		return j.phpAutoloaded(named, full)
	}
	return found
}

// phpAutoloaded picks, of files that define one class, the one whose folders repeat most of its namespace: PSR-4 maps the
// beginning of a namespace to a folder and the rest to the folders in it.
func (j *job) phpAutoloaded(nodes []agenvantage.Node, full string) []agenvantage.Node {
	parts := strings.Split(full, `\`)
	best, most := nodes, -1
	for _, n := range nodes {
		dirs := strings.Split(j.r.files[n.File].dir, "/")
		same := 0
		for same < len(parts)-1 && same < len(dirs) && parts[len(parts)-2-same] == dirs[len(dirs)-1-same] {
			same++
		}
		switch {
		case same > most:
			best, most = []agenvantage.Node{n}, same
		case same == most:
			best = append(best, n)
		}
	}
	return best
}

func (phpSemantics) self(*job, *agenvantage.Binding, *unit) value { return value{kind: dynamic} }

func (phpSemantics) member(j *job, v value, name string) value {
	name = strings.TrimPrefix(name, "$")
	switch v.kind {
	case module:
		full := phpJoin(v.dir, name)
		if found := j.phpNamed(full); found.kind != nothing {
			return found
		}
		return value{kind: module, dir: full}
	case class:
		if name == "class" {
			return value{kind: builtin}
		}
		if len(v.nodes) == 0 {
			v.nodes = j.classOf(v.typ).nodes // parent
		}
		return j.phpInClass(v, name)
	case object:
		c := j.classOf(v.typ)
		switch c.kind {
		case class:
			return j.phpInClass(c, name)
		case nothing:
			if v.typ == nil {
				return value{kind: dynamic}
			}
			return value{kind: object}
		}
		return value{kind: c.kind}
	}
	return value{kind: dynamic}
}

// phpInClass is a member of a class or of an object, or that something outside, or __call, decides.
func (j *job) phpInClass(c value, name string) value {
	found, outside := j.phpMember(c, name, c.super, 0)
	switch {
	case found.kind != nothing:
		return found
	case outside:
		return value{kind: external}
	}
	return value{kind: object}
}

// phpMember finds a member of a class: its own, those of its traits, of its parent, of its interfaces. outside says that
// one of these lies outside of the repository.
func (j *job) phpMember(c value, name string, parentsOnly bool, depth int) (v value, outside bool) {
	if depth > 16 {
		return value{}, false
	}
	for _, n := range c.nodes {
		u := j.unitAt(n.File)
		if n.Symbol < 0 || n.Symbol >= len(u.symbols) {
			continue
		}
		if !parentsOnly {
			if v = j.phpOwnMember(u, n, name); v.kind != nothing {
				return v, false
			}
		}
		for _, wantTrait := range [...]bool{true, false} {
			for _, b := range u.bases[n.Symbol] {
				written := b.name
				if rest, ok := strings.CutPrefix(written, `\`); ok {
					written = phpRooted + rest
				}
				parent := j.evaluate(plainName(written), place{file: n.File, from: u.symbols[n.Symbol].Parent})
				if parent.kind != class || len(parent.nodes) == 0 || parent.nodes[0] == n {
					outside = true
					continue
				}
				p := j.symbol(parent.nodes[0])
				if p == nil || wantTrait != (p.Kind == agenvantage.KindTrait) || parentsOnly && p.Kind != agenvantage.KindClass {
					continue
				}
				found, ext := j.phpMember(parent, name, false, depth+1)
				if found.kind != nothing {
					return found, false
				}
				outside = outside || ext
			}
		}
	}
	return value{}, outside
}

func (j *job) phpOwnMember(u *unit, n agenvantage.Node, name string) value {
	var nodes []agenvantage.Node
	for _, s := range u.childNamed(n.Symbol, name) {
		nodes = append(nodes, agenvantage.Node{File: u.file, Symbol: s})
	}
	v := value{}
	if len(nodes) > 0 {
		if v = j.symbolsValue(nodes); v.typ != nil || v.kind != object {
			return v
		}
		if u.symbols[n.Symbol].Kind == agenvantage.KindEnum && strings.HasPrefix(u.symbols[nodes[0].Symbol].Signature, "case ") {
			v.typ = &typeRef{name: nodeName(n), file: n.File, from: n.Symbol}
			return v
		}
	}
	for i := range u.bindings {
		if b := &u.bindings[i]; b.Attribute && b.Symbol == n.Symbol && b.Name == name {
			a := j.bindingValue(u.file, i+1)
			if v.kind == nothing || a.typ != nil {
				v = a
			}
			v.nodes, v.attribute = nodes, len(nodes) == 0
			if v.typ != nil {
				break
			}
		}
	}
	if v.kind == dynamic && len(nodes) > 0 {
		v.kind = object
	}
	return v
}

// parseType reads a declared type: the first class of a union that is no scalar.
func (phpSemantics) parseType(text string, file uint32, from int) *typeRef {
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '|' || r == '&' || r == '(' || r == ')' || r == '?' || r == ' ' }) {
		switch strings.ToLower(part) {
		case "null", "false", "true", "void", "never", "mixed", "int", "string", "float", "bool", "array", "callable", "iterable", "object":
			continue
		}
		if rest, ok := strings.CutPrefix(part, `\`); ok {
			part = phpRooted + rest
		}
		return &typeRef{name: strings.ReplaceAll(part, `\`, "."), file: file, from: from}
	}
	return nil
}

func (phpSemantics) elementOf(*job, *typeRef, bool) *typeRef { return nil }

// phpImports links the file to the files of the classes and functions that it imports, and to those that it includes.
func (j *job) phpImports() {
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		full, _ := phpImports(m, "")
		v := j.phpNamed(full)
		if v.kind == nothing {
			v.kind = external
		}
		var files []uint32
		for _, n := range v.nodes {
			if n.File != j.file {
				files = append(files, n.File)
			}
		}
		if len(v.nodes) > 0 && len(files) == 0 {
			continue
		}
		j.linkImports(m, v, files)
	}
	for i := range j.refs {
		ref := &j.refs[i]
		if ref.Kind != agenvantage.RefImport || !strings.HasSuffix(ref.Name, ".php") {
			continue
		}
		m := agenvantage.Import{Path: ref.Name, Line: ref.Line}
		if f, ok := j.pathFrom(strings.TrimPrefix(ref.Name, "/")); ok {
			j.linkImports(&m, value{kind: module}, []uint32{f})
		} else {
			j.linkImports(&m, value{}, nil)
		}
	}
}
