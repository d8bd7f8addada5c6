package extract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"agenvantage"
	"agenvantage/internal/clip"
)

// References and bindings of Go come from the parser of the standard library: which of the names is a field, a local
// variable, a package or a type depends on scopes, and crossing into C for every identifier would cost more than this
// parse. A text with syntax errors gives what the parser could make of it.

// goPredeclared are the names of the universe scope, unless a package declares them itself: some that programs define
// often are missing here.
var goPredeclared = map[string]bool{"append": true, "bool": true, "byte": true, "cap": true, "close": true, "comparable": true, "complex": true,
	"complex128": true, "complex64": true, "copy": true, "delete": true, "error": true, "false": true, "float32": true, "float64": true,
	"imag": true, "int": true, "int16": true, "int32": true, "int64": true, "int8": true, "iota": true, "len": true, "make": true, "new": true, "nil": true,
	"any": true, "panic": true, "print": true, "println": true, "real": true, "recover": true, "rune": true, "string": true, "true": true,
	"uint": true, "uint16": true, "uint32": true, "uint64": true, "uint8": true, "uintptr": true, "_": true}

// goUses walks one Go file.
type goUses struct {
	*uses
	text    string
	lines   *lineTable
	file    *token.File
	symbols []agenvantage.Symbol
	at      map[symbolPlace]int
	from    int // index of the innermost symbol around
}

// symbolPlace finds a symbol again.
type symbolPlace struct {
	line int
	name string
}

// goFacts gives the outline of a Go text its package, imports, references and bindings, and its symbols their types.
func (o *outline) goFacts(lines *lineTable) {
	files, text := token.NewFileSet(), lines.text
	f, _ := parser.ParseFile(files, "", text, parser.SkipObjectResolution|parser.AllErrors)
	if f == nil {
		return
	}
	g := &goUses{uses: newUses(), text: text, lines: lines, file: files.File(f.FileStart), symbols: o.symbols, at: make(map[symbolPlace]int, len(o.symbols)), from: -1}
	for i := len(o.symbols) - 1; i >= 0; i-- {
		g.at[symbolPlace{o.symbols[i].NameLine, o.symbols[i].Name}] = i
	}
	for _, d := range f.Decls {
		g.decl(d)
	}
	g.finish()
	if f.Name != nil && f.Name.Name != "_" {
		o.pkg = f.Name.Name
	}
	o.refs, o.binds, o.imports = g.refs, g.bindings, g.imports
}

// line is the line of the file: line directives are not followed.
func (g *goUses) line(p token.Pos) int { return g.lines.line(g.file.Offset(p)) }

func (g *goUses) source(n ast.Node) string {
	start, end := g.file.Offset(n.Pos()), g.file.Offset(n.End())
	if start < 0 || end > len(g.text) || start > end || end-start > 1<<16 {
		return ""
	}
	return foldType(shortenStructs(g.text[start:end]))
}

// shortenStructs leaves out the fields of struct types: where they are symbols, they say so themselves.
func shortenStructs(s string) string {
	const word = "struct"
	for from := 0; ; {
		at := strings.Index(s[from:], word)
		if at < 0 {
			return s
		}
		at += from + len(word)
		rest := strings.TrimLeft(s[at:], " \t\n")
		if !strings.HasPrefix(rest, "{") {
			from = at
			continue
		}
		open, depth := len(s)-len(rest), 0
		end := open
		for ; end < len(s); end++ {
			if s[end] == '{' {
				depth++
			} else if s[end] == '}' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if end == len(s) {
			return ""
		}
		s, from = s[:at]+"{}"+s[end+1:], at+2
	}
}

// in runs walk with the symbol of name as the place of references, when there is one.
func (g *goUses) in(name *ast.Ident, walk func()) {
	i, ok := g.at[symbolPlace{g.line(name.Pos()), name.Name}]
	if !ok {
		walk()
		return
	}
	outer := g.from
	g.from = i
	walk()
	g.from = outer
}

// declare gives the symbol of name its declared type or value.
func (g *goUses) declare(name *ast.Ident, typ, value string) {
	if i, ok := g.at[symbolPlace{g.line(name.Pos()), name.Name}]; ok && g.symbols[i].Type == "" && g.symbols[i].Value == "" {
		g.symbols[i].Type, g.symbols[i].Value = typ, value
	}
}

func (g *goUses) local(name *ast.Ident, typ, value string) {
	b := agenvantage.Binding{Name: name.Name, Type: typ, Value: value, Symbol: g.from}
	if typ != "" {
		b.Value, b.Head = "", g.head(typ)
	} else if value != "" {
		b.Head = g.head(value)
	}
	g.bind(b)
}

func (g *goUses) ref(kind agenvantage.ReferenceKind, name, on string, at token.Pos) {
	g.add(agenvantage.Reference{Kind: kind, Name: name, On: on, Line: g.line(at), From: g.from})
}

func (g *goUses) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		g.in(d.Name, func() {
			mark := g.open()
			defer g.close(mark)
			g.receiver(d.Recv)
			g.declare(d.Name, g.results(d.Type), "")
			g.signature(d.Type)
			if d.Body != nil {
				g.stmts(d.Body.List)
			}
		})
	case *ast.GenDecl:
		g.specs(d, false)
	}
}

// receiver binds the receiver and its type parameters.
func (g *goUses) receiver(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		typ := ast.Unparen(f.Type)
		if star, ok := typ.(*ast.StarExpr); ok {
			typ = ast.Unparen(star.X)
		}
		text := g.source(f.Type)
		switch t := typ.(type) {
		case *ast.IndexExpr:
			g.typeParameter(t.Index)
			typ = t.X
		case *ast.IndexListExpr:
			for _, p := range t.Indices {
				g.typeParameter(p)
			}
			typ = t.X
		}
		g.expr(typ)
		for _, n := range f.Names {
			g.local(n, text, "")
		}
	}
}

func (g *goUses) typeParameter(e ast.Expr) {
	if n, ok := e.(*ast.Ident); ok {
		g.local(n, "", "")
	}
}

// results is the result list of a function as written.
func (g *goUses) results(t *ast.FuncType) string {
	if t.Results == nil {
		return ""
	}
	return g.source(t.Results)
}

// signature walks the types of a function and binds its parameters, in the open scope.
func (g *goUses) signature(t *ast.FuncType) {
	g.typeParameters(t.TypeParams)
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			g.expr(f.Type)
		}
	}
	var found []agenvantage.Binding // types are read in the scope around: func(url url.URL, to url.URL)
	for _, list := range []*ast.FieldList{t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			text := g.source(f.Type)
			if rest, ok := strings.CutPrefix(text, "..."); ok {
				text = "[]" + rest
			}
			for _, n := range f.Names {
				found = append(found, agenvantage.Binding{Name: n.Name, Type: text, Symbol: g.from, Head: g.head(text)})
			}
		}
	}
	for _, b := range found {
		g.bind(b)
	}
}

func (g *goUses) typeParameters(list *ast.FieldList) {
	if list == nil {
		return
	}
	for _, f := range list.List {
		text := g.source(f.Type)
		for _, n := range f.Names {
			g.local(n, text, "")
		}
	}
	for _, f := range list.List {
		g.expr(f.Type)
	}
}

// specs walks a declaration; local says that it stands in a function, where constants and variables are no symbols.
func (g *goUses) specs(d *ast.GenDecl, local bool) {
	var constType ast.Expr
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.ImportSpec:
			g.importSpec(s)
		case *ast.TypeSpec:
			g.typeSpec(s, local)
		case *ast.ValueSpec:
			if d.Tok == token.CONST && s.Type == nil && len(s.Values) == 0 {
				g.values(s, constType, local)
				continue
			}
			constType = s.Type
			g.values(s, s.Type, local)
		}
	}
}

func (g *goUses) importSpec(s *ast.ImportSpec) {
	path, err := strconv.Unquote(s.Path.Value)
	if err != nil || path == "" {
		return
	}
	i := agenvantage.Import{Path: clip.Bytes(path, maxNameBytes), Line: g.line(s.Path.Pos()), From: -1}
	if s.Name != nil {
		i.Alias = s.Name.Name
	}
	if i.Alias == "." {
		i.Name = "*"
	}
	g.imports = append(g.imports, i)
	g.ref(agenvantage.RefImport, i.Path, "", s.Path.Pos())
}

func (g *goUses) values(s *ast.ValueSpec, typ ast.Expr, local bool) {
	if s.Type != nil {
		g.in(s.Names[0], func() { g.expr(s.Type) })
	}
	for i, v := range s.Values {
		g.in(s.Names[min(i, len(s.Names)-1)], func() { g.expr(v) })
	}
	text := ""
	if typ != nil {
		text = g.source(typ)
	}
	for i, n := range s.Names {
		value := ""
		if text == "" {
			value = g.valueOf(s.Values, i, len(s.Names))
		}
		t := text
		if t == "" {
			t, value = asType(value)
		}
		if local {
			g.local(n, t, value)
		} else {
			g.declare(n, t, value)
		}
	}
}

// valueOf is the path of what the name i of n is given by values.
func (g *goUses) valueOf(values []ast.Expr, i, n int) string {
	switch {
	case len(values) == n:
		return g.path(values[i])
	case len(values) != 1:
		return ""
	}
	switch v := ast.Unparen(values[0]).(type) {
	case *ast.CallExpr:
		if p := g.path(v); p != "" {
			return p + "#" + strconv.Itoa(i)
		}
	case *ast.IndexExpr, *ast.TypeAssertExpr, *ast.UnaryExpr: // v, ok := …
		if i == 0 {
			return g.path(v)
		}
	}
	return ""
}

// asType turns the path of a value of a written type into that type.
func asType(path string) (typ, value string) {
	if n := len(path); n > 2 && path[0] == '(' && closing(path) == n-1 {
		return path[1 : n-1], ""
	}
	return "", path
}

// closing is the index of the bracket that closes the first byte of path, -1 when none does.
func closing(path string) int {
	depth := 0
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
