package graph

import (
	"go/ast"
	"go/parser"
	"path"
	"strings"

	"agenvantage"
)

// parseType reads a Go type, or the result list of a function.
func (goSemantics) parseType(text string, file uint32, from int) *typeRef {
	if text[0] == '(' {
		e, err := parser.ParseExpr("func() " + text)
		if f, ok := e.(*ast.FuncType); ok && err == nil {
			return goResults(f, file, from)
		}
		return nil
	}
	e, err := parser.ParseExpr(text)
	if err != nil {
		return nil
	}
	return goType(e, file, from)
}

func goType(e ast.Expr, file uint32, from int) *typeRef {
	of := func(name string, args ...ast.Expr) *typeRef {
		t := &typeRef{name: name, file: file, from: from}
		for _, a := range args {
			arg := goType(a, file, from)
			if arg == nil {
				arg = &typeRef{file: file, from: from}
			}
			t.args = append(t.args, arg)
		}
		return t
	}
	switch e := e.(type) {
	case *ast.Ident:
		return of(e.Name)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return of(x.Name + "." + e.Sel.Name)
		}
	case *ast.StarExpr:
		return goType(e.X, file, from)
	case *ast.ParenExpr:
		return goType(e.X, file, from)
	case *ast.ArrayType:
		return of("[]", e.Elt)
	case *ast.Ellipsis:
		return of("[]", e.Elt)
	case *ast.MapType:
		return of("map", e.Key, e.Value)
	case *ast.ChanType:
		return of("chan", e.Value)
	case *ast.IndexExpr:
		if t := goType(e.X, file, from); t != nil {
			return of(t.name, e.Index)
		}
	case *ast.IndexListExpr:
		if t := goType(e.X, file, from); t != nil {
			return of(t.name, e.Indices...)
		}
	case *ast.StructType:
		return of("struct")
	case *ast.FuncType:
		t := of("func")
		if r := goResults(e, file, from); r != nil && r.name == "()" {
			t.args = r.args
		} else if r != nil {
			t.args = []*typeRef{r}
		}
		return t
	}
	return nil
}

// goResults is the type of a call: a list when there are several results, nil when there is none.
func goResults(f *ast.FuncType, file uint32, from int) *typeRef {
	list := &typeRef{name: "()", file: file, from: from}
	if f.Results == nil {
		return nil
	}
	for _, field := range f.Results.List {
		t := goType(field.Type, file, from)
		if t == nil {
			t = &typeRef{file: file, from: from}
		}
		for range max(1, len(field.Names)) {
			list.args = append(list.args, t)
		}
	}
	switch len(list.args) {
	case 0:
		return nil
	case 1:
		return list.args[0]
	}
	return list
}

func (goSemantics) elementOf(_ *job, t *typeRef, key bool) *typeRef {
	switch {
	case len(t.args) == 0:
	case t.name == "[]" && !key, t.name == "chan":
		return t.args[0]
	case t.name == "map" || strings.HasSuffix(t.name, ".Seq2"):
		if key {
			return t.args[0]
		}
		return t.args[len(t.args)-1]
	case strings.HasSuffix(t.name, ".Seq") && key:
		return t.args[0]
	}
	return nil
}

// self is unused: every Go binding has a type or a value, or stands for a type parameter.
func (goSemantics) self(*job, *agenvantage.Binding, *unit) value { return value{kind: dynamic} }

// goTypeArguments is what the type parameters that member m is written with stand for, when c is a type with arguments.
func (j *job) goTypeArguments(c value, m agenvantage.Node) map[string]*typeRef {
	if c.typ == nil || len(c.typ.args) == 0 {
		return nil
	}
	s := j.symbol(m)
	list := ""
	if s.Kind == agenvantage.KindMethod && strings.HasPrefix(s.Signature, "func (") {
		receiver, _, _ := strings.Cut(s.Signature[len("func ("):], ")")
		list = receiver
	} else if owner := j.symbol(c.nodes[0]); owner != nil {
		_, list, _ = strings.Cut(owner.Signature, owner.Name)
	}
	names := bracketNames(list)
	if len(names) == 0 {
		return nil
	}
	env := map[string]*typeRef{}
	for i, name := range names {
		if i < len(c.typ.args) {
			env[name] = c.typ.args[i]
		}
	}
	return env
}

// bracketNames are the first words of the parts between the first square brackets: "Pair[K comparable, V any]" gives K, V.
func bracketNames(s string) []string {
	start := strings.IndexByte(s, '[')
	if start < 0 {
		return nil
	}
	var names []string
	depth, from := 0, start+1
	for i := start; i < len(s); i++ {
		switch s[i] {
		case '[', '(', '{':
			depth++
			continue
		case ']', ')', '}':
			depth--
		case ',':
		default:
			continue
		}
		if depth == 0 || depth == 1 && s[i] == ',' {
			if f := strings.Fields(s[from:i]); len(f) > 0 {
				names = append(names, f[0])
			}
			from = i + 1
		}
		if depth == 0 {
			break
		}
	}
	return names
}

// goModules is what the go.mod files of the repository say.
type goModules struct {
	list []goModule // longest module path first
}

type goModule struct{ path, dir string }

func isGoMod(file string) bool { return path.Base(file) == "go.mod" }

func (j *job) goModules() *goModules {
	j.dependsOn(manifestKey + "go")
	if m, ok := j.r.manifests["go"].(*goModules); ok {
		return m
	}
	m := &goModules{}
	for _, f := range j.r.bases["go.mod"] {
		text, err := j.r.corpus.Text(f)
		if err != nil && j.err == nil {
			j.err = err
		}
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			if len(words) >= 2 && words[0] == "module" {
				m.list = append(m.list, goModule{strings.Trim(words[1], "\"`"), j.r.files[f].dir})
				break
			}
		}
	}
	j.r.manifests["go"] = m
	return m
}

// goPackageDir is the folder of the package that an import path means to a file.
func (j *job) goPackageDir(importPath string, file uint32) (string, bool) {
	holds := func(dir string) bool {
		for _, f := range j.listing(dir) {
			if j.r.files[f].lang == "go" {
				return true
			}
		}
		return false
	}
	if strings.HasPrefix(importPath, ".") {
		dir := path.Join(j.r.files[file].dir, importPath)
		return dir, !strings.HasPrefix(dir, "..") && holds(dir)
	}
	modules := j.goModules()
	best, found := "", -1
	for _, m := range modules.list {
		rest, ok := strings.CutPrefix(importPath, m.path)
		prefix := len(m.path)
		if m.path == "std" { // the standard library itself: paths without a prefix
			rest, ok, prefix = "/"+importPath, true, 0
		}
		if !ok || rest != "" && rest[0] != '/' || prefix < found {
			continue
		}
		if dir := path.Join(m.dir, strings.TrimPrefix(rest, "/")); holds(dir) {
			best, found = dir, prefix
		}
	}
	if found >= 0 {
		return best, true
	}
	for dir := j.r.files[file].dir; ; dir = dirOf(dir) { // kept in the tree
		if vendored := path.Join(dir, "vendor", importPath); holds(vendored) {
			return vendored, true
		}
		if dir == "" {
			break
		}
	}
	if len(modules.list) == 0 {
		for _, dir := range []string{importPath, "src/" + importPath, afterHost(importPath)} {
			if dir != "" && holds(dir) {
				return dir, true
			}
		}
	}
	return "", false
}

// afterHost is what follows "host.name/owner/name/" in an import path, "" when nothing does.
func afterHost(importPath string) string {
	parts := strings.SplitN(importPath, "/", 4)
	if len(parts) == 4 && strings.Contains(parts[0], ".") {
		return parts[3]
	}
	return ""
}
