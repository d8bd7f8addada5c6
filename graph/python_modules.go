package graph

import (
	"path"
	"strings"
)

// pythonRoots are the folders in which an absolute import of a file is looked for, in order: the folders above it that are
// no packages, from the nearest outwards, and the usual folders for sources.
func (j *job) pythonRoots(file uint32) []string {
	var roots []string
	inPackage := true
	for dir := j.r.files[file].dir; ; dir = dirOf(dir) {
		if inPackage {
			_, inPackage = j.probe(path.Join(dir, "__init__.py"))
		}
		if !inPackage {
			roots = append(roots, dir)
		}
		if dir == "" {
			break
		}
	}
	return append(roots, "", "src", "lib", "python")
}

// pythonModule is the module of an import path.
func (j *job) pythonModule(importPath string, file uint32) value {
	rest := strings.TrimLeft(importPath, ".")
	if up := len(importPath) - len(rest); up > 0 {
		dir := j.r.files[file].dir
		for ; up > 1; up-- {
			if dir == "" {
				return value{}
			}
			dir = dirOf(dir)
		}
		return j.pythonAt(path.Join(dir, strings.ReplaceAll(rest, ".", "/")))
	}
	v, _ := j.pythonAbsolute(importPath, file)
	return v
}

// pythonAbsolute finds an absolute import and the root that it was found in.
func (j *job) pythonAbsolute(importPath string, file uint32) (value, string) {
	for _, root := range j.pythonRoots(file) {
		if v := j.pythonAt(path.Join(root, strings.ReplaceAll(importPath, ".", "/"))); v.kind == module {
			return v, root
		}
	}
	return value{kind: external}, ""
}

// pythonPackageOf is the outermost package of an import path, which is what the statement binds.
func (j *job) pythonPackageOf(importPath string, file uint32) value {
	v, root := j.pythonAbsolute(importPath, file)
	first, _, nested := strings.Cut(importPath, ".")
	if v.kind != module || !nested {
		return v
	}
	return j.pythonAt(path.Join(root, first))
}

// pythonAt is the module at a path without extension: a file, a package, or a folder with Python files.
func (j *job) pythonAt(at string) value {
	v := value{kind: module, dir: at}
	if at == "." {
		v.dir = ""
	}
	for _, file := range []string{at + ".py", at + "/__init__.py", at + "/__init__.pyi", at + ".pyi"} {
		if f, ok := j.probe(strings.TrimPrefix(file, "./")); ok {
			v.files = append(v.files, f)
			return v
		}
	}
	for _, f := range j.listing(v.dir) {
		if j.r.files[f].lang == "python" {
			return v
		}
	}
	return value{}
}

// pythonSubmodule is a module inside of a package.
func (j *job) pythonSubmodule(v value, name string) value {
	if v.kind != module || len(v.files) > 0 && path.Base(j.r.files[v.files[0]].path) != "__init__.py" && path.Base(j.r.files[v.files[0]].path) != "__init__.pyi" {
		return value{}
	}
	return j.pythonAt(path.Join(v.dir, name))
}
