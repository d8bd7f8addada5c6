package graph

import (
	"strings"

	"agenvantage"
)

// goSemantics is Go: packages are folders, methods belong to types by their qualified names, fields and methods of
// embedded types are promoted.
type goSemantics struct{}

// resolveGo resolves a Go file.
func resolveGo(j *job) {
	j.language = goSemantics{}
	for i := range j.refs {
		ref := &j.refs[i]
		if ref.Kind != agenvantage.RefImport {
			j.resolveGoReference(ref)
		}
	}
	j.goImports()
	j.goImplements()
}

func (j *job) resolveGoReference(ref *agenvantage.Reference) {
	v, name := j.follow(ref)
	if len(v.nodes) == 0 && ref.Binding == 0 && strings.HasPrefix(ref.On, "(") && ref.Kind == agenvantage.RefType {
		// The key of a literal whose type is no struct: an expression.
		if h := j.language.head(j, ref.Name, j.file, ref.From); len(h.nodes) > 0 {
			v = h
		}
	}
	j.linkValue(ref, name, v)
}

// linkValue links a reference to what it leads to, or counts why it does not.
func (j *job) linkValue(ref *agenvantage.Reference, name string, v value) {
	switch {
	case len(v.nodes) > 0:
		if j.linkNodes(ref.Kind, ref, v.nodes, agenvantage.ByScope) && v.method && ref.Kind == agenvantage.RefCall {
			j.linkImplementers(ref, v.nodes)
		}
	case v.kind == external:
		j.miss(ReasonExternal)
	case v.kind == builtin:
		j.miss(ReasonBuiltin)
	case v.kind == dynamic || v.kind == nothing || v.kind == object:
		plain := ref.On == "" && !strings.Contains(ref.Name, ".")
		if plain {
			if v.kind == nothing {
				j.miss(ReasonUnknown)
			} else {
				j.miss(ReasonDynamic)
			}
			return
		}
		if v.kind == object { // a local value, or a member of a type without a name
			j.miss(ReasonDynamic)
			return
		}
		dir := j.r.files[j.file].dir
		j.byName(ref, name, func(s *agenvantage.Symbol, u *unit, n agenvantage.Node) bool {
			member := s.Kind == agenvantage.KindMethod || s.Kind == agenvantage.KindField && ref.Kind == agenvantage.RefType
			return member && j.r.files[n.File].lang == "go" && (s.Visibility == "public" || j.r.files[n.File].dir == dir)
		})
	default:
		j.miss(ReasonUnknown)
	}
}

// linkNodes links a reference to symbols, files for modules left out, and reports whether it did.
func (j *job) linkNodes(kind agenvantage.ReferenceKind, ref *agenvantage.Reference, nodes []agenvantage.Node, c agenvantage.Confidence) bool {
	done := false
	for _, n := range nodes {
		if s := j.symbol(n); s != nil {
			j.link(kindFor(kind, s.Kind), j.from(ref.From), n, ref.Line, c)
			done = true
		}
	}
	return done
}

// goVisible keeps the definitions that a file of a package sees: those of its own package, and of test files only when it
// is one. pkg is the package clause that they must have; "" accepts any but those of external tests.
func (j *job) goVisible(nodes []agenvantage.Node, file uint32, pkg string, keep func(s *agenvantage.Symbol, u *unit) bool) []agenvantage.Node {
	test := isGoTest(j.r.files[file].path)
	var out []agenvantage.Node
	for _, n := range nodes {
		f := &j.r.files[n.File]
		if f.lang != "go" || isGoTest(f.path) && !(test && f.dir == j.r.files[file].dir) {
			continue
		}
		s, u := j.peek(n)
		if s == nil || pkg != "" && u.pkg != pkg || pkg == "" && strings.HasSuffix(u.pkg, "_test") && isGoTest(f.path) {
			continue
		}
		if keep(s, u) {
			out = append(out, n)
		}
	}
	return out
}

func isGoTest(path string) bool { return strings.HasSuffix(path, "_test.go") }

func topLevel(s *agenvantage.Symbol, _ *unit) bool { return s.Parent < 0 && s.Qualified == s.Name }

func (goSemantics) head(j *job, name string, file uint32, from int) value {
	u := j.unit
	if file != j.file {
		u = j.unitAt(file)
	}
	var local []agenvantage.Node // a type that is declared in a function around
	u.within(from, func(s int) bool {
		if isFunction(u.symbols[s].Kind) {
			for _, c := range u.childNamed(s, name) {
				local = append(local, agenvantage.Node{File: file, Symbol: c})
			}
		}
		return len(local) == 0
	})
	if len(local) > 0 {
		return j.symbolsValue(local)
	}
	dir := j.r.files[file].dir
	if found := j.goVisible(j.inDir(name, dir), file, u.pkg, topLevel); len(found) > 0 {
		return j.symbolsValue(found)
	}
	for i := range u.imports {
		if v, ok := j.goImportNamed(&u.imports[i], name, file); ok {
			return v
		}
	}
	if goBuiltins[name] {
		return value{kind: builtin}
	}
	for i := range u.imports {
		if m := &u.imports[i]; m.Alias == "." {
			if _, ok := j.goPackageDir(m.Path, file); !ok {
				return value{kind: external}
			}
		}
	}
	return value{}
}

// goImportNamed is what an import means by a name, if it means anything by it.
func (j *job) goImportNamed(m *agenvantage.Import, name string, file uint32) (value, bool) {
	switch m.Alias {
	case "_":
		return value{}, false
	case ".":
		dir, ok := j.goPackageDir(m.Path, file)
		if !ok {
			return value{}, false
		}
		v := goSemantics{}.member(j, value{kind: module, dir: dir, files: []uint32{file}}, name)
		return v, len(v.nodes) > 0
	case name:
	case "":
		last := m.Path[strings.LastIndexByte(m.Path, '/')+1:]
		if dir, ok := j.goPackageDir(m.Path, file); ok {
			if j.goPackageName(dir) != name {
				return value{}, false
			}
			return value{kind: module, dir: dir, files: []uint32{file}}, true
		}
		if last != name && goExternalName(m.Path) != name {
			return value{}, false
		}
		return value{kind: external}, true
	default:
		return value{}, false
	}
	if dir, ok := j.goPackageDir(m.Path, file); ok {
		return value{kind: module, dir: dir, files: []uint32{file}}, true
	}
	return value{kind: external}, true
}

// goExternalName guesses the name of a package that is not at hand: "gopkg.in/yaml.v3" and "x/yaml/v3" are yaml, "go-git"
// and "git-go" are git.
func goExternalName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	last, _, _ = strings.Cut(last, ".")
	last = strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go")
	return strings.ReplaceAll(last, "-", "_")
}

// goPackageName is the package clause of the files in a folder that are no tests.
func (j *job) goPackageName(dir string) string {
	name := ""
	for _, f := range j.listing(dir) {
		if info := &j.r.files[f]; info.lang == "go" && !isGoTest(info.path) {
			if u, err := j.r.unitOf(f); err == nil && u.pkg != "" { // listing stands for the packages too
				name = u.pkg
				if name != "main" && name != "documentation" {
					return name
				}
			}
		}
	}
	return name
}

func (goSemantics) member(j *job, v value, name string) value {
	switch v.kind {
	case module:
		file := v.files[0]
		found := j.goVisible(j.inDir(name, v.dir), file, "", topLevel)
		return j.symbolsValue(found)
	case object, class:
		c := v
		if v.kind == object {
			if t := j.underlying(v.typ, 0); t != nil && t.name == "struct" {
				return j.goFieldInside(t, name)
			}
			c = j.classOf(v.typ)
		}
		switch c.kind {
		case class:
			if m := j.goMember(c, name); m.kind != nothing {
				return m
			}
			return value{kind: object} // the type is known: no other type's member is meant
		case nothing:
			if v.typ != nil { // a type without members, or one that was not found: its members are no other type's
				return value{kind: object}
			}
		}
		return value{kind: c.kind}
	}
	return value{}
}

// goFieldInside finds a field of a struct type without a name, which is written in the symbol that it belongs to.
func (j *job) goFieldInside(t *typeRef, name string) value {
	u := j.unitAt(t.file)
	var found []agenvantage.Node
	for _, c := range u.childNamed(t.from, name) {
		if t.from >= 0 && !isFunction(u.symbols[t.from].Kind) {
			found = append(found, agenvantage.Node{File: t.file, Symbol: c})
		}
	}
	if len(found) == 0 {
		return value{kind: object}
	}
	return j.symbolsValue(found)
}

// goMember finds a field or a method of a type, as Go does: at the shallowest depth of embedding.
func (j *job) goMember(of value, name string) value {
	level, seen, outside := []value{of}, map[agenvantage.Node]bool{}, false
	for depth := 0; len(level) > 0 && depth < 8; depth++ {
		var next []value
		for _, c := range level {
			if len(c.nodes) == 0 {
				continue
			}
			if found := j.goOwnMember(c, name); len(found.nodes) > 0 && !(c.fieldsOnly && found.kind == function && !found.method) {
				return found
			}
			for _, n := range c.nodes {
				if seen[n] {
					continue
				}
				seen[n] = true
				embedded, field, ext := j.goEmbedded(n, name)
				if len(field.nodes) > 0 {
					return field
				}
				outside = outside || ext
				next = append(next, embedded...)
			}
		}
		level = next
	}
	if outside {
		return value{kind: external}
	}
	return value{}
}

// goOwnMember is a field or method that a type itself declares.
func (j *job) goOwnMember(c value, name string) value {
	n := c.nodes[0]
	owner, u := j.peek(n)
	if owner == nil {
		return value{}
	}
	want := owner.Qualified + "." + name
	found := j.goVisible(j.inDir(name, j.r.files[n.File].dir), n.File, u.pkg, func(s *agenvantage.Symbol, _ *unit) bool { return s.Qualified == want })
	if len(found) == 0 {
		if j.r.files[j.file].dir == j.r.files[n.File].dir && isGoTest(j.r.files[j.file].path) { // methods that tests add
			found = j.goVisible(j.inDir(name, j.r.files[n.File].dir), j.file, u.pkg, func(s *agenvantage.Symbol, _ *unit) bool { return s.Qualified == want })
		}
		if len(found) == 0 {
			return value{}
		}
	}
	v := j.symbolsValue(found)
	env := j.goTypeArguments(c, found[0])
	if v.kind == object {
		v.typ = v.typ.with(env)
	} else if v.kind == function && len(env) > 0 {
		v.typ = &typeRef{env: env}
	}
	v.method = owner.Kind == agenvantage.KindInterface
	return v
}

// goEmbedded lists what a type embeds or stands for. field is the embedded field of that name itself; outside says that
// something outside of the repository is embedded.
func (j *job) goEmbedded(n agenvantage.Node, name string) (next []value, field value, outside bool) {
	s := j.symbol(n)
	u := j.unitAt(n.File)
	if s == nil {
		return nil, value{}, false
	}
	for _, b := range u.bases[n.Symbol] {
		v := j.evaluate(b.name, place{file: n.File, from: n.Symbol})
		if b.name[strings.LastIndexByte(b.name, '.')+1:] == name && v.kind == class {
			return nil, value{kind: object, nodes: v.nodes, typ: j.typeOfClass(v)}, false
		}
		switch v.kind {
		case class:
			next = append(next, v)
		case external:
			outside = true
		}
	}
	if !isClass(s.Kind) && s.Type != "" {
		if v := j.classOf(j.parseType(s.Type, n.File, n.Symbol)); v.kind == class {
			v.fieldsOnly = !isGoAlias(s)
			next = append(next, v)
		} else if v.kind == external {
			outside = true
		}
	}
	return next, value{}, outside
}

// isGoAlias reports whether a type declaration gives a type another name: "type A = B".
func isGoAlias(s *agenvantage.Symbol) bool {
	return s.Kind == agenvantage.KindType && s.Type != "" && strings.HasSuffix(s.Signature, "= "+s.Type)
}

// goImports links the file to those files of an imported package that it uses; to the first one when it uses none.
func (j *job) goImports() {
	used := map[string]map[uint32]bool{}
	for _, e := range j.edges {
		if dir := j.r.files[e.To.File].dir; e.To.File != j.file {
			if used[dir] == nil {
				used[dir] = map[uint32]bool{}
			}
			used[dir][e.To.File] = true
		}
	}
	for _, m := range j.unit.imports {
		dir, ok := j.goPackageDir(m.Path, j.file)
		if !ok {
			j.miss(ReasonExternal)
			continue
		}
		var files []uint32
		for _, f := range j.listing(dir) {
			if info := &j.r.files[f]; info.lang == "go" && !isGoTest(info.path) && (used[dir][f] || len(used[dir]) == 0 && len(files) == 0) {
				files = append(files, f)
			}
		}
		for _, f := range files {
			j.link(agenvantage.EdgeImports, j.from(-1), agenvantage.Node{File: f, Symbol: -1}, m.Line, agenvantage.ByScope)
		}
	}
}

// goBuiltins is the universe scope.
var goBuiltins = words(`any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32 float64 imag int
	int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr
	unsafe`)
