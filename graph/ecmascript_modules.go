package graph

import (
	"path"
	"strings"

	"agenvantage"
)

// ecmaOfImport is what the local name of an import means.
func (j *job) ecmaOfImport(m *agenvantage.Import, file uint32) value {
	v := j.ecmaModule(m.Path, file)
	if v.kind != module {
		return v
	}
	switch m.Name {
	case "", "*":
		return j.ecmaWhole(v)
	case "default":
		d := j.ecmaOfModule(v, "default")
		if d.kind == nothing || d.kind == object && len(d.nodes) == 0 && d.typ == nil {
			return j.ecmaWhole(v)
		}
		return d
	}
	return j.ecmaOfModule(v, m.Name)
}

// ecmaOfModule is an exported name of a module.
func (j *job) ecmaOfModule(v value, name string) value {
	if name == "exports" {
		return v
	}
	result := value{kind: object}
	for _, f := range v.files {
		switch found := j.ecmaExport(f, name); found.kind {
		case nothing:
		case external:
			result = found
		default:
			return found
		}
	}
	return result
}

// ecmaWhole is a module as one value: what "module.exports = x" or "export = x" says, else all of its exports.
func (j *job) ecmaWhole(v value) value {
	for _, f := range v.files {
		u := j.unitAt(f)
		for i := range u.imports {
			if m := &u.imports[i]; m.Exported && m.Path == "" && m.Alias == "=" {
				if whole := j.ecmaTop(u, m.Name); whole.kind != nothing {
					return whole
				}
			}
		}
		for i := range u.imports {
			if m := &u.imports[i]; m.Exported && m.Path != "" && m.Name == "*" && m.From < 0 && len(u.imports) == 1 && j.enter(f, "\x00whole") {
				other := j.ecmaModule(m.Path, f)
				if other.kind == module {
					other = j.ecmaWhole(other)
				}
				j.leave(f, "\x00whole")
				return other
			}
		}
		for _, c := range u.childNamed(-1, "exports") {
			if isFunction(u.symbols[c].Kind) || isClass(u.symbols[c].Kind) {
				return j.ecmaSymbols([]agenvantage.Node{{File: f, Symbol: c}})
			}
		}
	}
	return v
}

// ecmaTop is a plain name at the top level of a file.
func (j *job) ecmaTop(u *unit, name string) value { return j.ecmaGlobal(u, name, -1) }

// ecmaExport is a name that a file exports: its own, one that it passes on, then those of "export *".
func (j *job) ecmaExport(f uint32, name string) value {
	guard := "\x00export " + name
	if !j.enter(f, guard) {
		return value{}
	}
	defer j.leave(f, guard)
	u := j.unitAt(f)
	isModule := false
	for i := range u.imports {
		m := &u.imports[i]
		if !m.Exported {
			continue
		}
		isModule = isModule || m.Alias != "="
		offered := m.Alias
		if offered == "" {
			offered = m.Name
		}
		if offered != name || m.Name == "*" {
			continue
		}
		if m.Path == "" {
			return j.ecmaTop(u, m.Name)
		}
		return j.ecmaOfImport(m, f)
	}
	if own := j.ecmaOwnExports(u, name, isModule); len(own) > 0 {
		return j.ecmaSymbols(own)
	}
	if whole := j.ecmaWhole(value{kind: module, files: []uint32{f}}); whole.kind != module && len(whole.nodes) > 0 && name != "default" {
		if found := j.language.member(j, whole, name); len(found.nodes) > 0 || found.attribute {
			return found
		}
	}
	outside := value{}
	for i := range u.imports {
		m := &u.imports[i]
		if !m.Exported || m.Name != "*" || name == "default" {
			continue
		}
		v := j.ecmaModule(m.Path, f)
		if v.kind != module {
			outside = value{kind: external}
			continue
		}
		if found := j.ecmaOfModule(v, name); found.kind != external && (found.kind != object || len(found.nodes) > 0 || found.typ != nil) {
			return found
		} else if found.kind == external {
			outside = found
		}
	}
	return outside
}

// ecmaOwnExports lists the definitions of a file that others see by a name.
func (j *job) ecmaOwnExports(u *unit, name string, isModule bool) []agenvantage.Node {
	var all, public []agenvantage.Node
	for _, c := range u.children[-1] {
		isModule = isModule || strings.HasPrefix(u.symbols[c].Signature, "export ")
	}
	for _, c := range u.childNamed(-1, name) {
		n, s := agenvantage.Node{File: u.file, Symbol: c}, &u.symbols[c]
		all = append(all, n)
		if s.Visibility == "public" && !strings.HasPrefix(s.Signature, "export default ") {
			public = append(public, n)
		}
	}
	if len(public) > 0 && !strings.HasSuffix(j.r.files[u.file].path, ".d.ts") { // overloads and merged declarations: all of them
		return public
	}
	if isModule && !strings.HasSuffix(j.r.files[u.file].path, ".d.ts") {
		return nil
	}
	return all
}

// ecmaImports links the file to the files that it imports, each once, and links components to their files.
func (j *job) ecmaImports() {
	done := map[agenvantage.Node]bool{}
	missed := map[string]bool{}
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		if m.Path == "" {
			continue
		}
		v := j.ecmaModule(m.Path, j.file)
		if v.kind != module {
			if !missed[m.Path] {
				j.linkImports(m, v, nil)
			}
			missed[m.Path] = true
			continue
		}
		for _, f := range v.files {
			if n := (agenvantage.Node{File: f, Symbol: -1}); !done[n] {
				done[n] = true
				j.link(agenvantage.EdgeImports, j.from(-1), n, m.Line, agenvantage.ByScope)
			}
		}
	}
}

// ecmaExtensions are tried behind a path, in the order in which compilers and bundlers do.
var ecmaExtensions = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"}

// ecmaWrittenAs are the extensions that a path with an extension of the output may stand for in the sources.
var ecmaWrittenAs = map[string][]string{".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"}}

// ecmaModule is the module that a path means in a file.
func (j *job) ecmaModule(spec string, file uint32) value {
	if i := strings.IndexAny(spec, "?"); i > 0 { // "./x.svg?raw" of bundlers
		spec = spec[:i]
	}
	at := func(p string) (value, bool) {
		f, ok := j.ecmaFile(p, 0)
		return value{kind: module, files: []uint32{f}}, ok
	}
	if spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") {
		p := path.Join(j.r.files[file].dir, spec)
		if strings.HasPrefix(p, "..") {
			return value{}
		}
		v, ok := at(p)
		if !ok {
			return value{}
		}
		return v
	}
	project := j.ecmaProject()
	for _, p := range project.mapped(spec, j.r.files[file].dir) {
		if v, ok := at(p); ok {
			return v
		}
	}
	for _, p := range project.inPackages(spec, j.r.files[file].dir) {
		if v, ok := at(p); ok {
			return v
		}
	}
	return value{kind: external}
}

// ecmaFile finds a file by a path that may lack its extension or name a folder.
func (j *job) ecmaFile(p string, depth int) (uint32, bool) {
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	ext := path.Ext(p)
	for _, written := range ecmaWrittenAs[ext] {
		if f, ok := j.probe(strings.TrimSuffix(p, ext) + written); ok {
			return f, true
		}
	}
	if f, ok := j.probe(p); ok && p != "" {
		return f, true
	}
	for _, e := range ecmaExtensions {
		if f, ok := j.probe(p + e); ok && p != "" {
			return f, true
		}
	}
	if depth == 0 {
		if main := j.ecmaProject().mainOf(p); main != "" {
			for _, candidate := range sourcesOf(p, main) {
				if f, ok := j.ecmaFile(candidate, 1); ok {
					return f, true
				}
			}
		}
	}
	for _, e := range ecmaExtensions {
		if f, ok := j.probe(path.Join(p, "index"+e)); ok {
			return f, true
		}
	}
	return 0, false
}
