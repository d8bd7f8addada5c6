package graph

import (
	"path"
	"strings"

	"agenvantage"
)

// Rust names things by modules: a crate's root file, the files and blocks that "mod" declares below it, and what "use"
// brings in. A module is a value with one file; owner tells the block in it, or -1 for the whole file.

var rustCommon = words(`and_then as_mut as_ref as_slice as_str borrow borrow_mut clone cloned collect contains count default deref drop eq err expect extend filter find
	first flush fmt fold from get get_mut hash insert into into_inner into_iter is_empty is_err is_none is_ok is_some iter iter_mut join key keys last len lock map
	map_err min max name new next ok or_else or_insert parse path poll pop push push_str read recv remove send set size skip sort split start take to_owned to_string
	to_vec trim unwrap unwrap_or unwrap_or_default unwrap_or_else update value values with write zip as_bytes call id index ready build body status headers uri
	method boxed layer service`)

var rustBuiltins = words(`bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize String Vec Box Option Some None Result Ok Err Clone Copy Send Sync Sized
	Drop Fn FnMut FnOnce AsRef AsMut Into From Default Iterator Extend IntoIterator DoubleEndedIterator ExactSizeIterator ToOwned ToString PartialEq Eq PartialOrd Ord
	TryFrom TryInto FromIterator Unpin drop vec println print eprintln eprint format panic assert assert_eq assert_ne debug_assert debug_assert_eq todo unimplemented
	unreachable write writeln matches include_str include_bytes concat stringify env option_env cfg line file column module_path compile_error dbg thread_local
	format_args Debug Hash Self derive macro_rules`)

var rustOutside = words(`std core alloc proc_macro test`)

func isCargo(file string) bool { return path.Base(file) == "Cargo.toml" }

// rustCrates maps the names of the repository's crates, as code writes them, to their folders.
func (j *job) rustCrates() map[string]string {
	j.dependsOn(manifestKey + "rust")
	if m, ok := j.r.manifests["rust"].(map[string]string); ok {
		return m
	}
	m := map[string]string{}
	for _, f := range j.r.bases["Cargo.toml"] {
		text, err := j.r.corpus.Text(f)
		if err != nil && j.err == nil {
			j.err = err
		}
		section := ""
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "[") {
				section = strings.Trim(line, "[] ")
				continue
			}
			key, val, ok := strings.Cut(line, "=")
			if ok && strings.TrimSpace(key) == "name" && (section == "package" || section == "lib") {
				name := strings.ReplaceAll(strings.Trim(strings.TrimSpace(val), `"'`), "-", "_")
				if _, known := m[name]; !known {
					m[name] = j.r.files[f].dir
				}
			}
		}
	}
	j.r.manifests["rust"] = m
	return m
}

func rustModule(file uint32, symbol int) value {
	return value{kind: module, files: []uint32{file}, owner: agenvantage.Node{File: file, Symbol: symbol}}
}

// rustRoot is the root module of the crate of a file: its own file for programs, tests, examples and build scripts.
func (j *job) rustRoot(file uint32) value {
	p := j.r.files[file].path
	if base := path.Base(p); base == "lib.rs" || base == "main.rs" || base == "build.rs" {
		return rustModule(file, -1)
	}
	switch folder, above := path.Base(j.r.files[file].dir), dirOf(j.r.files[file].dir); folder {
	case "bin":
		return rustModule(file, -1)
	case "tests", "examples", "benches": // beside the manifest each file is a program
		if _, ok := j.probe(path.Join(above, "Cargo.toml")); ok {
			return rustModule(file, -1)
		}
	}
	for dir := j.r.files[file].dir; ; dir = dirOf(dir) {
		for _, name := range []string{"lib.rs", "main.rs"} {
			if f, ok := j.probe(path.Join(dir, name)); ok {
				return rustModule(f, -1)
			}
		}
		if dir == "" {
			return rustModule(file, -1)
		}
	}
}

// rustParent is the module around a module.
func (j *job) rustParent(v value) value {
	file := v.owner.File
	if s := v.owner.Symbol; s >= 0 {
		u := j.unitAt(file)
		return rustModule(file, rustBlock(u, u.symbols[s].Parent))
	}
	if root := j.rustRoot(file); root.owner.File == file {
		return value{}
	}
	dir := j.r.files[file].dir
	if path.Base(j.r.files[file].path) == "mod.rs" {
		if dir == "" {
			return value{}
		}
		dir, _ = dirOf(dir), dir
	}
	for _, p := range []string{path.Join(dir, "mod.rs"), path.Join(dir, "lib.rs"), path.Join(dir, "main.rs"), dir + ".rs"} {
		if f, ok := j.probe(p); ok && f != file {
			return rustModule(f, -1)
		}
	}
	return value{}
}

// rustBlock is the module block around a symbol, -1 for the file.
func rustBlock(u *unit, symbol int) int {
	block := -1
	u.within(symbol, func(s int) bool {
		if u.symbols[s].Kind == agenvantage.KindModule {
			block = s
		}
		return block < 0
	})
	return block
}

// rustChild is the module file that "mod name;" in a module means.
func (j *job) rustChild(v value, name string) value {
	file := v.owner.File
	p := j.r.files[file].path
	dir := j.r.files[file].dir
	if base := path.Base(p); base != "mod.rs" && j.rustRoot(file).owner.File != file {
		dir = strings.TrimSuffix(p, ".rs")
	}
	if s := v.owner.Symbol; s >= 0 {
		dir = path.Join(dir, strings.ReplaceAll(j.unitAt(file).symbols[s].Qualified, ".", "/"))
	}
	for _, p := range []string{path.Join(dir, name+".rs"), path.Join(dir, name, "mod.rs")} {
		if f, ok := j.probe(p); ok {
			return rustModule(f, -1)
		}
	}
	return value{}
}

// rustMember is a name in a module: what it defines, a module below it, what it uses.
func (j *job) rustMember(v value, name string) value {
	if len(v.files) == 0 {
		return value{kind: external}
	}
	u, block := j.unitAt(v.owner.File), v.owner.Symbol
	if !j.enter(u.file, name+"\x00"+nodeName(v.owner)) {
		return value{}
	}
	defer j.leave(u.file, name+"\x00"+nodeName(v.owner))
	want := name
	if block >= 0 {
		want = u.symbols[block].Qualified + "." + name
	}
	var found []agenvantage.Node
	for _, c := range u.childNamed(block, name) {
		s := &u.symbols[c]
		if s.Kind == agenvantage.KindModule {
			return rustModule(u.file, c)
		}
		if s.Qualified == want {
			found = append(found, agenvantage.Node{File: u.file, Symbol: c})
		}
	}
	if len(found) > 0 {
		return j.symbolsValue(found)
	}
	if sub := j.rustChild(v, name); sub.kind != nothing {
		return sub
	}
	return j.rustUsed(v, u, name)
}

// rustUsed is a name that the "use" declarations of a module bring in.
func (j *job) rustUsed(v value, u *unit, name string) value {
	outside := value{}
	for pass := range 2 { // names before globs
		for i := range u.imports {
			m := &u.imports[i]
			if rustBlock(u, m.From) != v.owner.Symbol || (m.Name == "*") != (pass == 1) {
				continue
			}
			target := m.Path
			if pass == 1 {
				target += "::" + name
			} else if local := m.Alias; local != name && (local != "" || target[strings.LastIndexByte(target, ':')+1:] != name) {
				continue
			} else if target == name && m.Alias == "" {
				continue // "mod name;"
			}
			switch found := j.rustPath(target, v); found.kind {
			case nothing:
			case external:
				outside = found
			default:
				return found
			}
		}
	}
	if outside.kind == nothing {
		return value{}
	}
	return outside
}

// rustPath is what a path means in a module.
func (j *job) rustPath(written string, in value) value {
	parts := strings.Split(strings.TrimPrefix(written, "::"), "::")
	v := value{}
	switch first := parts[0]; first {
	case "crate", "$crate":
		v = j.rustRoot(in.owner.File)
	case "self":
		v = in
	case "super":
		v = j.rustParent(in)
	default:
		if rustOutside[first] {
			return value{kind: external}
		}
		if v = j.rustMember(in, first); v.kind == nothing || v.kind == external {
			if crate := j.rustCrate(first); crate.kind != nothing {
				v = crate
			} else {
				return value{kind: external}
			}
		}
	}
	for _, p := range parts[1:] {
		switch {
		case p == "super" && v.kind == module:
			v = j.rustParent(v)
		case p == "self":
		case v.kind == module:
			v = j.rustMember(v, p)
		case v.kind == class:
			v = nominal{}.member(j, v, p)
		default:
			return v
		}
	}
	return v
}

// rustCrate is the root of a crate of the repository.
func (j *job) rustCrate(name string) value {
	dir, ok := j.rustCrates()[name]
	if !ok {
		return value{}
	}
	for _, p := range []string{"src/lib.rs", "lib.rs", "src/main.rs"} {
		if f, ok := j.probe(path.Join(dir, p)); ok {
			return rustModule(f, -1)
		}
	}
	return value{}
}

func rustOuter(j *job, u *unit, name string, from int) value {
	in := rustModule(u.file, rustBlock(u, from))
	switch name {
	case "crate", "$crate":
		return j.rustRoot(u.file)
	case "super":
		return j.rustParent(in)
	}
	u.within(from, func(s int) bool { // use declarations inside of a function
		if isFunction(u.symbols[s].Kind) {
			in.method = true
		}
		return false
	})
	v := j.rustMember(in, name)
	if v.kind != nothing && v.kind != external {
		return v
	}
	if rustBuiltins[name] {
		if v.kind == external {
			return v
		}
		if macro := j.rustMacro(u, name); macro.kind != nothing {
			return macro
		}
		return value{}
	}
	if rustOutside[name] {
		return value{kind: external}
	}
	if crate := j.rustCrate(name); crate.kind != nothing && v.kind == nothing {
		return crate
	}
	if v.kind == external {
		return v
	}
	return j.rustMacro(u, name)
}

// rustMacro is a macro of the crate: those are seen below the place of their definition, whatever the module.
func (j *job) rustMacro(u *unit, name string) value {
	var found []agenvantage.Node
	for _, n := range j.named(name) {
		if s, _ := j.peek(n); s != nil && s.Kind == agenvantage.KindMacro && j.r.files[n.File].lang == "rust" &&
			(n.File == u.file || j.rustRoot(n.File).owner == j.rustRoot(u.file).owner) {
			found = append(found, n)
		}
	}
	return j.symbolsValue(found)
}

// rustMembers lists the functions and constants that impl blocks, in any file of the crate, give a type.
func (j *job) rustMembers(owner agenvantage.Node, s *agenvantage.Symbol, name string) []agenvantage.Node {
	var found []agenvantage.Node
	for _, n := range j.named(name) {
		if j.r.files[n.File].lang != "rust" {
			continue
		}
		m, u := j.peek(n)
		if m == nil || n.Symbol < 0 || m.Parent == owner.Symbol && n.File == owner.File {
			continue
		}
		head, ok := strings.CutSuffix(m.Qualified, "."+name)
		if !ok || head[strings.LastIndexByte(head, '.')+1:] != s.Name || m.Parent >= 0 && isType(u.symbols[m.Parent].Kind) {
			continue
		}
		if v := j.rustMember(rustModule(n.File, rustBlock(u, m.Parent)), s.Name); len(v.nodes) > 0 && v.nodes[0] == owner {
			j.readFile(n.File)
			found = append(found, n)
		}
	}
	return found
}

// rustImports links the file to the modules that it declares and to the files of what it uses.
func rustImports(j *job) {
	for i := range j.unit.imports {
		m := &j.unit.imports[i]
		in := rustModule(j.file, rustBlock(j.unit, m.From))
		v := value{}
		if !strings.Contains(m.Path, "::") && m.Alias == "" {
			v = j.rustChild(in, m.Path)
		}
		if v.kind == nothing {
			v = j.rustPath(m.Path, in)
		}
		targets := filesOf(v.nodes)
		if v.kind == module {
			targets = v.files
		}
		if len(targets) == 1 && targets[0] == j.file {
			continue // a name of the file itself
		}
		j.linkImports(m, v, targets)
	}
}
