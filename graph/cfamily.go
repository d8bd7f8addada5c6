package graph

import (
	"path"
	"strings"

	"agenvantage"
)

// C and C++ see what the files declare that they include, directly or through others. A call leads to the definitions of
// what is declared, as far as the repository has them; each definition is linked to its declarations by "implements".

var cCommon = words(`append at back begin c_str clear close count data emplace emplace_back empty end erase find first front get insert length name next open pop pop_back
	push push_back read release reserve reset resize second size str substr swap type value write`)

var cBuiltins = words(`NULL nullptr true false int char void bool size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t
	ptrdiff_t auto float double long short unsigned signed sizeof assert abort malloc calloc realloc free memcpy memset memmove memcmp memchr printf fprintf sprintf
	snprintf vsnprintf strlen strcmp strncmp strcpy strncpy strcat strchr strrchr strstr strdup strtol strtoul atoi exit getenv setenv fopen fclose fread fwrite
	fflush fputs fgets puts putchar perror stderr stdout stdin errno FILE va_list va_start va_end va_arg va_copy open close read write ioctl fcntl pipe fork execvp
	kill wait waitpid pthread_t off_t pid_t uid_t gid_t mode_t time_t struct offsetof decltype this defined static_assert noexcept qsort isdigit isalpha isspace
	namespace template static_cast const_cast reinterpret_cast dynamic_cast typename class public private protected operator new delete override final const
	constexpr inline virtual using if else for while switch case return enum union extern static
	tolower toupper abs socket bind listen accept connect send recv`)

func cOuter(j *job, u *unit, name string, from int) value {
	if name == "std" {
		return value{kind: external}
	}
	lang := j.r.files[u.file].lang
	for _, space := range cSpaces(u, from) {
		if space == name || strings.HasSuffix(space, "."+name) {
			continue // a constructor: the name is the class's
		}
		if v := j.cVisible(u, joined(space, name), lang); v.kind != nothing {
			return v
		}
	}
	if !j.enter(u.file, "\x01"+name) {
		return value{}
	}
	defer j.leave(u.file, "\x01"+name)
	for i := range u.imports {
		m := &u.imports[i]
		if strings.ContainsAny(m.Path, `<./`) {
			continue
		}
		full := plainName(m.Path)
		switch {
		case m.Name == "*":
			for _, space := range cSpaces(u, m.From) {
				if v := j.cVisible(u, joined(joined(space, full), name), lang); v.kind != nothing {
					return v
				}
			}
		case m.Alias == name:
			return value{kind: module, dir: full}
		case m.Alias == "" && full[strings.LastIndexByte(full, '.')+1:] == name:
			if v := j.cVisible(u, full, lang); v.kind != nothing {
				return v
			}
			return value{kind: external}
		}
	}
	return value{}
}

// cSpaces are the namespaces and classes around a place, from the inside out, the global one last.
func cSpaces(u *unit, from int) []string {
	space := ""
	if from >= 0 && from < len(u.symbols) {
		space = u.symbols[from].Qualified
	}
	var out []string
	for space != "" {
		out = append(out, space)
		space = space[:max(0, strings.LastIndexByte(space, '.'))]
	}
	return append(out, "")
}

// cVisible is what a full name means to a file: the definitions that it includes, with those elsewhere of what it declares.
func (j *job) cVisible(u *unit, full, lang string) value {
	nodes := append(j.qualified(full, lang), j.enumerators(full, lang)...)
	if len(nodes) == 0 {
		return value{}
	}
	closure := j.includes(u.file)
	var seen, others []agenvantage.Node
	for _, n := range nodes {
		switch {
		case n.File == u.file || closure[n.File]:
			seen = append(seen, n)
		default:
			others = append(others, n)
		}
	}
	if len(seen) == 0 {
		return value{}
	}
	for _, n := range others {
		if s := j.symbol(n); s != nil && s.Visibility != "private" && (isFunction(s.Kind) && s.Kind != agenvantage.KindMacro || s.Kind == agenvantage.KindVariable) &&
			!isDeclaration(s) && j.declared(seen) {
			seen = append(seen, n)
		}
	}
	return j.namespaceValue(full, seen)
}

// taggedInside is the struct or union that a typedef writes out: its fields are the typedef's.
func taggedInside(u *unit, symbol int, lang string) []int {
	if lang != "c" && lang != "cpp" || symbol < 0 || symbol >= len(u.symbols) || !strings.HasPrefix(u.symbols[symbol].Signature, "typedef") {
		return nil
	}
	for _, c := range u.children[symbol] {
		if u.symbols[c].Kind == agenvantage.KindStruct && u.symbols[c].Span.StartLine == u.symbols[symbol].Span.StartLine {
			return []int{c}
		}
	}
	return nil
}

// enumerators lists what is written inside of a type and seen around it: the constants of enumerations, in C the names of
// structs too.
func (j *job) enumerators(full, lang string) []agenvantage.Node {
	var found []agenvantage.Node
	for _, n := range j.named(full[strings.LastIndexByte(full, '.')+1:]) {
		s, u := j.peek(n)
		if s == nil || s.Parent < 0 || !sameFamily(lang, j.r.files[n.File].lang) {
			continue
		}
		parent := &u.symbols[s.Parent]
		if !(s.Kind == agenvantage.KindConstant && parent.Kind == agenvantage.KindEnum) &&
			!(isClass(s.Kind) && isClass(parent.Kind) && (j.r.files[n.File].lang == "c" || strings.HasPrefix(parent.Signature, "typedef"))) {
			continue
		}
		if joined(strings.TrimSuffix(strings.TrimSuffix(parent.Qualified, parent.Name), "."), s.Name) == full && !strings.HasPrefix(parent.Signature, "enum class") {
			found = append(found, n)
		}
	}
	return found
}

// includesOutside reports whether the file includes a header that is not in the repository.
func (j *job) includesOutside() bool {
	for i := range j.unit.imports {
		if m := &j.unit.imports[i]; strings.ContainsAny(m.Path, "<./") && len(j.includeTarget(m.Path, j.file)) == 0 {
			return true
		}
	}
	return false
}

// declared reports whether one of nodes declares without defining.
func (j *job) declared(nodes []agenvantage.Node) bool {
	for _, n := range nodes {
		if s := j.symbol(n); s != nil && isDeclaration(s) {
			return true
		}
	}
	return false
}

// isDeclaration reports whether a function or a variable is only declared.
func isDeclaration(s *agenvantage.Symbol) bool {
	switch {
	case s.Kind == agenvantage.KindMacro:
		return false
	case isFunction(s.Kind):
		return strings.HasSuffix(s.Signature, ";")
	}
	return strings.HasPrefix(s.Signature, "extern ")
}

// cDefinitions leaves out the declarations of what is defined too.
func cDefinitions(j *job, nodes []agenvantage.Node) []agenvantage.Node {
	var kept []agenvantage.Node
	for _, n := range nodes {
		if s := j.symbol(n); s != nil && !isDeclaration(s) {
			kept = append(kept, n)
		}
	}
	if len(kept) == 0 {
		return nodes
	}
	return kept
}

// maxIncludes bounds the files that are followed from one.
const maxIncludes = 400

// includes is the set of files that a file includes, directly and through others.
func (j *job) includes(file uint32) map[uint32]bool {
	if set := j.included[file]; set != nil {
		return set
	}
	set := map[uint32]bool{}
	for queue := []uint32{file}; len(queue) > 0 && len(set) < maxIncludes; queue = queue[1:] {
		u := j.unitAt(queue[0])
		for i := range u.imports {
			for _, f := range j.includeTarget(u.imports[i].Path, queue[0]) {
				if !set[f] && f != file {
					set[f] = true
					queue = append(queue, f)
				}
			}
		}
	}
	if j.included == nil {
		j.included = map[uint32]map[uint32]bool{}
	}
	j.included[file] = set
	return set
}

// includeFolders are folders in which headers are looked for by their base name alone.
var includeFolders = words(`include includes inc src source lib libs public api headers`)

// includeTarget is the file that an include means, none when it is not in the repository: relative to the file, else the
// nearest one below a folder of headers.
func (j *job) includeTarget(written string, file uint32) []uint32 {
	angle := strings.HasPrefix(written, "<")
	written = path.Clean(strings.Trim(written, "<>\"' "))
	if written == "." || !strings.Contains(written, ".") || strings.Contains(written, "::") {
		return nil
	}
	dir := j.r.files[file].dir
	if at := path.Join(dir, written); !angle && !strings.HasPrefix(at, "..") {
		if f, ok := j.probe(at); ok {
			return []uint32{f}
		}
	}
	written = strings.TrimLeft(written, "./")
	var best []uint32
	score := -1
	for _, f := range j.withBase(path.Base(written)) {
		p := j.r.files[f].path
		above, ok := strings.CutSuffix(p, written)
		if !ok || above != "" && !strings.HasSuffix(above, "/") {
			continue
		}
		folder := path.Base(strings.TrimSuffix(above, "/"))
		if angle && !strings.Contains(written, "/") && above != "" && !includeFolders[folder] && strings.TrimSuffix(above, "/") != dir {
			continue
		}
		s := 2 * commonFolders(p, j.r.files[file].path)
		if includeFolders[folder] {
			s++
		}
		if s > score {
			best, score = []uint32{f}, s
		}
	}
	return best
}

// cImports links the file to what it includes, and the definitions of the file to their declarations.
func cImports(j *job) {
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		if !strings.ContainsAny(m.Path, "<./") {
			continue // a using declaration
		}
		j.linkImports(m, value{kind: external}, j.includeTarget(m.Path, j.file))
	}
	lang := j.r.files[j.file].lang
	for i := range j.unit.symbols {
		s := &j.unit.symbols[i]
		if !isFunction(s.Kind) || s.Kind == agenvantage.KindMacro || isDeclaration(s) {
			continue
		}
		for _, n := range j.qualified(s.Qualified, lang) {
			d, _ := j.peek(n)
			if d == nil || n == j.from(i) || !isFunction(d.Kind) || n.File != j.file && !j.includes(j.file)[n.File] {
				continue
			}
			if d = j.symbol(n); isDeclaration(d) && sameParameters(s, d) {
				j.link(agenvantage.EdgeImplements, j.from(i), n, s.NameLine, agenvantage.ByScope)
			}
		}
	}
}

// sameParameters reports whether a definition and a declaration can have the same parameters.
func sameParameters(a, b *agenvantage.Symbol) bool {
	_, most := parameterCounts(a)
	least, mostB := parameterCounts(b)
	return most == mostB || least <= most && most <= mostB
}
