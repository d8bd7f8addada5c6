package graph

import (
	"strings"

	"agenvantage"
)

// C# names things by namespaces, which any file may add to. A class may have several parts.

var csharpCommon = words(`Add AddRange Append Any All Clear Clone Close CompareTo Contains ContainsKey Copy Count Create Dispose Equals Execute First FirstOrDefault Format Get
	GetEnumerator GetHashCode GetType GetValue IndexOf Insert Invoke IsNullOrEmpty Join Key Last Length Message Name Next Open Parse Read Remove RemoveAt Replace Reset Run Select
	Set Single Skip Sort Split Start StartsWith EndsWith Stop Substring Take ToArray ToList ToLower ToString ToUpper Trim TryGetValue TryParse Type Update Value Values
	Where Write WriteLine Load Save Send Flush Item Keys Result Wait ConfigureAwait Current MoveNext InnerException`)

var csharpBuiltins = words(`bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong ushort var void nameof typeof default value`)

// csharpOuter is a name beyond classes: the namespaces around from the inside out, then aliases and usings.
func csharpOuter(j *job, u *unit, name string, from int) value {
	spaces := csharpSpaces(u, from)
	for _, space := range spaces {
		full := joined(space, name)
		if nodes := j.qualified(full, "csharp"); len(nodes) > 0 {
			return j.namespaceValue(full, nodes)
		}
		if j.csharpNamespace(full) {
			return value{kind: module, dir: full}
		}
	}
	if v := j.csharpUsings(u, name); v.kind != nothing {
		return v
	}
	if csharpBuiltins[name] {
		return value{}
	}
	outside := false
	for _, m := range j.csharpImportsOf(u) {
		if m.Alias == "" {
			outside = outside || !sameFirstWord(m.Path, spaces)
			if strings.HasPrefix(m.Path, name+".") {
				return value{kind: module, dir: name}
			}
		}
	}
	for _, space := range spaces {
		if strings.HasPrefix(space+".", name+".") {
			return value{kind: module, dir: name}
		}
	}
	if outside {
		return value{kind: external}
	}
	return value{}
}

// csharpNamespace reports whether a declaration names a namespace by its full name.
func (j *job) csharpNamespace(full string) bool {
	for _, n := range j.named(full) {
		if s, _ := j.peek(n); s != nil && s.Kind == agenvantage.KindModule && j.r.files[n.File].lang == "csharp" && s.Qualified == full {
			return true
		}
	}
	return false
}

func sameFirstWord(path string, spaces []string) bool {
	first, _, _ := strings.Cut(path, ".")
	for _, s := range spaces {
		if s == first || strings.HasPrefix(s, first+".") {
			return true
		}
	}
	return false
}

// csharpSpaces are the namespaces around a place, from the inside out, the global one last.
func csharpSpaces(u *unit, from int) []string {
	space := u.pkg
	u.within(from, func(s int) bool {
		if u.symbols[s].Kind == agenvantage.KindModule {
			space = joined(u.pkg, u.symbols[s].Qualified)
			return false
		}
		return true
	})
	if space == "" && len(u.symbols) > 0 && u.symbols[0].Kind == agenvantage.KindModule && from < 0 {
		space = u.symbols[0].Qualified // what stands outside of the only namespace of a file
	}
	var out []string
	for space != "" {
		out = append(out, space)
		i := strings.LastIndexByte(space, '.')
		if i < 0 {
			break
		}
		space = space[:i]
	}
	return append(out, "")
}

// csharpGlobalFiles are the base names under which projects keep usings for all of their files.
var csharpGlobalFiles = []string{"GlobalUsings.cs", "Usings.cs", "Imports.cs", "GlobalUsing.cs", "_Imports.cs"}

// csharpImportsOf are the usings of a file with the global ones of the folders around it.
func (j *job) csharpImportsOf(u *unit) []agenvantage.Import {
	out := u.imports
	for _, base := range csharpGlobalFiles {
		for _, f := range j.withBase(base) {
			if f == u.file || !strings.HasPrefix(j.r.files[u.file].path, prefixOf(j.r.files[f].dir)) {
				continue
			}
			for _, m := range j.unitAt(f).imports {
				if m.Exported {
					out = append(out[:len(out):len(out)], m)
				}
			}
		}
	}
	return out
}

// prefixOf is what the paths in a folder begin with.
func prefixOf(dir string) string {
	if dir == "" {
		return ""
	}
	return dir + "/"
}

func (j *job) csharpUsings(u *unit, name string) value {
	var found []agenvantage.Node
	for _, m := range j.csharpImportsOf(u) {
		m.Path = strings.TrimPrefix(m.Path, "global::")
		switch m.Alias {
		case name:
			nodes := j.qualified(m.Path, "csharp")
			if v := j.namespaceValue(m.Path, nodes); v.kind != nothing {
				return v
			}
			return value{kind: external}
		case "":
			found = append(found, j.qualified(m.Path+"."+name, "csharp")...)
		}
	}
	if found = distinctNodes(found); len(found) == 0 {
		return value{}
	}
	return j.namespaceValue(name, found)
}

// csharpExtensions are the static methods whose first parameter is "this" of a class, one that it inherits, or a type
// parameter, in a namespace that the file sees.
func csharpExtensions(j *job, c value, name string) []agenvantage.Node {
	receivers := map[string]bool{"T": true, "object": true, "TSource": true}
	if t := c.typ; t != nil && t.name != "" && t.name[0] != 0 {
		receivers[t.name[strings.LastIndexByte(t.name, '.')+1:]] = true
	}
	j.ancestors(c, 0, func(s *agenvantage.Symbol) { receivers[s.Name] = true })
	nodes := j.named(name)
	if len(nodes) > maxCandidates {
		return nil
	}
	var found []agenvantage.Node
	for _, n := range nodes {
		s, u := j.peek(n)
		if s == nil || j.r.files[n.File].lang != "csharp" || s.Kind != agenvantage.KindMethod || s.Parent < 0 {
			continue
		}
		if s = j.symbol(n); !receivers[extensionReceiver(s.Signature)] || !j.csharpSees(u, s.Parent) {
			continue
		}
		found = append(found, n)
	}
	return found
}

// extensionReceiver is the simple name of the type behind "(this ", "" when the signature has none.
func extensionReceiver(signature string) string {
	_, rest, ok := strings.Cut(signature, "(this ")
	if !ok {
		return ""
	}
	t := nominal{}.parseType(strings.TrimPrefix(rest, "ref "), 0, -1)
	if t == nil {
		return ""
	}
	return t.name[strings.LastIndexByte(t.name, '.')+1:]
}

// csharpSees reports whether the namespace of a symbol is one that the file sees.
func (j *job) csharpSees(u *unit, symbol int) bool {
	space := csharpSpaces(u, symbol)[0]
	for _, from := range append([]int{-1}, topSymbols(j.unit)...) {
		for _, s := range csharpSpaces(j.unit, from) {
			if s == space {
				return true
			}
		}
	}
	for _, m := range j.csharpImportsOf(j.unit) {
		if m.Path == space || strings.HasPrefix(m.Path, space+".") && m.Alias == "" {
			return true
		}
	}
	return false
}

func topSymbols(u *unit) []int { return u.children[-1] }

// csharpImports links the file to those files of the namespaces in its usings that it uses.
func csharpImports(j *job) {
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		full := strings.TrimPrefix(m.Path, "global::")
		var targets []uint32
		for _, n := range j.qualified(full, "csharp") {
			if s, _ := j.peek(n); s != nil && s.Kind != agenvantage.KindModule {
				targets = append(targets, n.File)
			}
		}
		if len(targets) == 0 {
			for _, e := range j.edges {
				if e.To.Symbol < 0 || e.To.File == j.file {
					continue
				}
				if u, err := j.r.unitOf(e.To.File); err == nil && e.To.Symbol < len(u.symbols) && csharpSpaces(u, e.To.Symbol)[0] == full {
					targets = append(targets, e.To.File)
				}
			}
		}
		v := value{kind: external}
		if len(targets) == 0 && (j.csharpNamespace(full) || len(j.qualified(full, "csharp")) > 0) {
			continue // a namespace of the repository of which nothing is used
		}
		j.linkImports(m, v, targets)
	}
}

// csharpMainParts keeps one part of a class with several: the one in the file that has its name, else the first.
func csharpMainParts(j *job, nodes []agenvantage.Node) []agenvantage.Node {
	if len(nodes) < 2 {
		return nodes
	}
	for _, n := range nodes {
		if s, _ := j.peek(n); s == nil || !isClass(s.Kind) {
			return nodes
		}
	}
	for _, n := range nodes {
		s, _ := j.peek(n)
		if base := j.r.files[n.File].path; base[strings.LastIndexByte(base, '/')+1:] == s.Name+".cs" {
			return []agenvantage.Node{n}
		}
	}
	return nodes[:1]
}
