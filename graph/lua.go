package graph

import (
	"path"
	"strings"

	"agenvantage"
)

// luaSemantics is Lua: a file returns a table, require binds it, functions are members of tables by their qualified names,
// and tables look up what they lack in the table of their metatable.
type luaSemantics struct{}

// resolveLua resolves a Lua file.
func resolveLua(j *job) {
	j.language = luaSemantics{}
	for i := range j.refs {
		ref := &j.refs[i]
		if ref.Kind == agenvantage.RefImport {
			continue
		}
		v, name := j.follow(ref)
		j.linkOpen(ref, name, v, luaFits, luaCommon)
	}
	done := map[string]bool{}
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		if m.Path == "" || done[m.Path] {
			continue
		}
		done[m.Path] = true
		v := j.luaModule(m.Path, j.file)
		j.linkImports(m, v, v.files)
	}
	kept := j.edges[:0]
	for _, e := range j.edges {
		if e.Kind != agenvantage.EdgeReferences && e.Kind != agenvantage.EdgeInherits || e.From != e.To {
			kept = append(kept, e)
		}
	}
	j.edges = kept
}

// luaFits says which definitions a member of an unknown table may mean.
func luaFits(_ *job, _ *agenvantage.Reference, s *agenvantage.Symbol, _ *unit) bool {
	return isFunction(s.Kind) && s.Qualified != s.Name
}

// luaCommon are members of the libraries of the language.
var luaCommon = words(`byte char close concat find format get gmatch gsub insert len lines lower match name new open pack read remove rep reverse run seek set
	setup sort start stop sub unpack upper write`)

var luaBuiltins = words(`_G _VERSION arg assert collectgarbage coroutine debug dofile error getfenv getmetatable io ipairs jit load loadfile loadstring math module next
	os package pairs pcall print rawequal rawget rawlen rawset require select setfenv setmetatable string table tonumber tostring type unpack utf8 vim xpcall describe it before_each after_each bit ngx love nil true false`)

func (luaSemantics) head(j *job, name string, file uint32, from int) value {
	u := j.unit
	if file != j.file {
		u = j.unitAt(file)
	}
	if name == "self" {
		return luaSelf(u, from)
	}
	var found []agenvantage.Node
	u.within(from, func(s int) bool {
		if isFunction(u.symbols[s].Kind) {
			found = luaScope(u, s, name)
		}
		return len(found) == 0
	})
	if len(found) == 0 {
		found = luaScope(u, -1, name)
	}
	for i := range u.imports {
		m := &u.imports[i]
		if !m.Exported && m.Alias == name && (len(found) == 0 || found[0].Symbol == m.From) {
			if v := j.luaModule(m.Path, file); v.kind == module {
				return j.luaWhole(v)
			} else if v.kind != nothing {
				return v
			}
			return value{kind: dynamic}
		}
	}
	switch {
	case len(found) > 0:
		return j.luaSymbols(found)
	case luaBuiltins[name]:
		return value{kind: builtin}
	}
	return j.luaGlobal(name)
}

// luaGlobal is a function without "local" that one file alone defines.
func (j *job) luaGlobal(name string) value {
	var found []agenvantage.Node
	for _, n := range j.named(name) {
		s, _ := j.peek(n)
		if s != nil && j.r.files[n.File].lang == "lua" && s.Kind == agenvantage.KindFunction && s.Parent < 0 && s.Qualified == s.Name {
			if full := j.symbol(n); full != nil && full.Visibility != "private" && strings.HasPrefix(full.Signature, "function ") {
				found = append(found, n)
			}
		}
	}
	if len(found) == 1 {
		return j.symbolsValue(found)
	}
	return value{}
}

// luaScope lists the symbols that a plain name means directly inside of parent; a function that is a field of a table
// without a name is none.
func luaScope(u *unit, parent int, name string) []agenvantage.Node {
	var out []agenvantage.Node
	for _, c := range u.childNamed(parent, name) {
		s := &u.symbols[c]
		declared := !isFunction(s.Kind) || strings.Contains(s.Signature, "function "+name) || strings.HasPrefix(s.Signature, "local ")
		if parent < 0 && s.Qualified != s.Name {
			declared = false
		}
		if declared {
			out = append(out, agenvantage.Node{File: u.file, Symbol: c})
		}
	}
	return out
}

// luaSelf is the table of the method around a place.
func luaSelf(u *unit, from int) value {
	v := value{kind: dynamic}
	u.within(from, func(s int) bool {
		sym := &u.symbols[s]
		owner, ok := strings.CutSuffix(sym.Qualified, "."+sym.Name)
		if !ok || !isFunction(sym.Kind) || sym.Parent >= 0 {
			return true
		}
		for _, n := range luaScope(u, -1, owner) {
			v = value{kind: object, typ: &typeRef{name: nodeName(n), file: u.file, from: n.Symbol}}
		}
		return false
	})
	return v
}

// luaSymbols is what definitions of a name are: tables that have members are classes.
func (j *job) luaSymbols(nodes []agenvantage.Node) value {
	v := j.symbolsValue(nodes)
	if v.kind == object && v.typ == nil && len(v.nodes) > 0 {
		n := v.nodes[0]
		v.typ = &typeRef{name: nodeName(n), file: n.File, from: n.Symbol}
	}
	return v
}

func (luaSemantics) self(*job, *agenvantage.Binding, *unit) value { return value{kind: dynamic} }

func (luaSemantics) member(j *job, v value, name string) value {
	switch v.kind {
	case module:
		for _, f := range v.files {
			if found := j.luaExport(f, name); found.kind != nothing {
				return found
			}
		}
		return value{kind: object}
	case object:
		if v.typ == nil {
			return value{kind: dynamic}
		}
		c := j.classOf(v.typ)
		switch c.kind {
		case class:
			return j.luaInTable(c, name, 0)
		case object:
			return j.luaInTable(j.classOf(c.typ), name, 0)
		case nothing:
			return value{kind: dynamic}
		}
		return value{kind: c.kind}
	case class:
		return j.luaInTable(v, name, 0)
	}
	return value{kind: dynamic}
}

// luaInTable is a member of a table, or of the tables that it looks up in.
func (j *job) luaInTable(c value, name string, depth int) value {
	if c.kind != class || len(c.nodes) == 0 || depth > 8 {
		return value{kind: object}
	}
	n := c.nodes[0]
	u := j.unitAt(n.File)
	if n.Symbol < 0 || n.Symbol >= len(u.symbols) {
		return value{kind: object}
	}
	table := &u.symbols[n.Symbol]
	var found []agenvantage.Node
	for _, s := range u.childNamed(n.Symbol, name) {
		if !isFunction(table.Kind) {
			found = append(found, agenvantage.Node{File: n.File, Symbol: s})
		}
	}
	for i := range u.symbols {
		if s := &u.symbols[i]; s.Name == name && s.Qualified == table.Qualified+"."+name && s.Parent != n.Symbol {
			found = append(found, agenvantage.Node{File: n.File, Symbol: i})
		}
	}
	if len(found) > 0 {
		v := j.luaSymbols(found)
		if name == "new" && v.kind == function { // the custom: it makes an object of its table
			v.kind, v.typ = class, j.typeOfClass(value{kind: class, nodes: c.nodes[:1]})
		}
		return v
	}
	for _, b := range u.bases[n.Symbol] {
		parent := j.evaluate(plainName(b.name), place{file: n.File, from: table.Parent})
		if parent.kind == object && parent.typ != nil {
			parent = j.classOf(parent.typ)
		}
		if parent.kind == class && len(parent.nodes) > 0 && parent.nodes[0] != n {
			if v := j.luaInTable(parent, name, depth+1); len(v.nodes) > 0 {
				return v
			}
		} else if parent.kind == module {
			return j.language.member(j, parent, name)
		}
	}
	return value{kind: object}
}

// luaWhole is what a file returns.
func (j *job) luaWhole(v value) value {
	for _, f := range v.files {
		u := j.unitAt(f)
		for i := range u.imports {
			if m := &u.imports[i]; m.Exported && m.Alias == "=" && j.enter(f, "\x00whole") {
				whole := j.language.head(j, m.Name, f, -1)
				j.leave(f, "\x00whole")
				if whole.kind != nothing && whole.kind != dynamic {
					return whole
				}
			}
		}
	}
	return v
}

// luaExport is a member of the table that a file returns without a name of its own.
func (j *job) luaExport(f uint32, name string) value {
	u := j.unitAt(f)
	for i := range u.imports {
		if m := &u.imports[i]; m.Exported && m.Alias == name {
			return j.language.head(j, m.Name, f, -1)
		}
	}
	var found []agenvantage.Node
	for _, c := range u.childNamed(-1, name) {
		if s := &u.symbols[c]; isFunction(s.Kind) && s.Qualified == s.Name && !strings.Contains(s.Signature, "local ") {
			found = append(found, agenvantage.Node{File: f, Symbol: c})
		}
	}
	return j.symbolsValue(found)
}

func (luaSemantics) parseType(text string, file uint32, from int) *typeRef {
	name := plainName(strings.TrimSpace(text))
	if parsePath(name) == nil {
		return nil
	}
	return &typeRef{name: name, file: file, from: from}
}

func (luaSemantics) elementOf(*job, *typeRef, bool) *typeRef { return nil }

// luaModule is the file that a require names: dots stand for folders, which lie in a folder of the search path.
func (j *job) luaModule(name string, file uint32) value {
	p := strings.ReplaceAll(name, ".", "/")
	if strings.Contains(name, "/") {
		p = name
	}
	for dir := j.r.files[file].dir; ; dir = dirOf(dir) {
		for _, root := range [...]string{"lua", "src", "lib", ""} {
			for _, tail := range [...]string{".lua", "/init.lua"} {
				if f, ok := j.probe(path.Join(dir, root, p+tail)); ok {
					return value{kind: module, files: []uint32{f}}
				}
			}
		}
		if dir == "" {
			return value{kind: external}
		}
	}
}
