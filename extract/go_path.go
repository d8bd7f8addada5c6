package extract

import (
	"go/ast"
	"go/token"
)

// path reduces an expression to what tells its type (see agenvantage.Reference), "" when that leads nowhere.
func (g *goUses) path(e ast.Expr) string {
	p := g.reduce(e, 0)
	if len(p) > maxPathBytes {
		return ""
	}
	return p
}

func (g *goUses) reduce(e ast.Expr, depth int) string {
	if depth > 32 {
		return ""
	}
	then := func(x ast.Expr, step string) string {
		if p := g.reduce(x, depth+1); p != "" {
			return p + step
		}
		return ""
	}
	switch e := e.(type) {
	case *ast.Ident:
		if goPredeclared[e.Name] && g.visible[e.Name] == 0 {
			return ""
		}
		return e.Name
	case *ast.ParenExpr:
		return g.reduce(e.X, depth+1)
	case *ast.StarExpr:
		return g.reduce(e.X, depth+1)
	case *ast.SelectorExpr:
		return then(e.X, "."+e.Sel.Name)
	case *ast.IndexExpr:
		return then(e.X, "[]")
	case *ast.IndexListExpr:
		return then(e.X, "[]")
	case *ast.SliceExpr:
		return g.reduce(e.X, depth+1)
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return then(e.X, "[]")
		}
		return g.reduce(e.X, depth+1)
	case *ast.BinaryExpr:
		return g.binary(e, depth)
	case *ast.CallExpr:
		return g.callPath(e, depth)
	case *ast.CompositeLit:
		if e.Type != nil {
			return g.valueOfType(e.Type)
		}
	case *ast.TypeAssertExpr:
		if e.Type != nil {
			return g.valueOfType(e.Type)
		}
	case *ast.FuncLit:
		return g.valueOfType(e.Type)
	}
	return ""
}

// binary is the path of the operand that has a type of its own; a comparison has none.
func (g *goUses) binary(e *ast.BinaryExpr, depth int) string {
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ, token.LAND, token.LOR:
		return ""
	}
	if p := g.reduce(e.X, depth+1); p != "" {
		return p
	}
	return g.reduce(e.Y, depth+1)
}

// keepsType are generic functions of the standard library whose result has the type of their first argument. Its source is
// not at hand, so that nothing else would say so.
var keepsType = map[string]bool{"slices.Clone": true, "slices.Compact": true, "slices.CompactFunc": true, "slices.Delete": true,
	"slices.DeleteFunc": true, "slices.Insert": true, "slices.Replace": true, "slices.Grow": true, "slices.Clip": true, "slices.Concat": true,
	"maps.Clone": true, "cmp.Or": true}

func (g *goUses) callPath(e *ast.CallExpr, depth int) string {
	fun := ast.Unparen(e.Fun)
	if id, ok := fun.(*ast.Ident); ok && g.visible[id.Name] == 0 {
		switch id.Name {
		case "make", "new":
			if len(e.Args) > 0 {
				return g.valueOfType(e.Args[0])
			}
			return ""
		case "append", "min", "max":
			if len(e.Args) > 0 {
				return g.reduce(e.Args[0], depth+1)
			}
		}
	}
	if keepsType[dotted(fun)] && len(e.Args) > 0 && g.head(dotted(fun)) == 0 {
		return g.reduce(e.Args[0], depth+1)
	}
	switch fun.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.StarExpr:
		return g.valueOfType(fun) // a conversion
	}
	if p := g.reduce(fun, depth+1); p != "" {
		return p + "()"
	}
	return ""
}

// valueOfType is the path of a value of a written type.
func (g *goUses) valueOfType(t ast.Expr) string {
	if s := g.source(t); s != "" {
		return "(" + s + ")"
	}
	return ""
}

// dotted is e as a name with qualifiers ("s.mux.routes"), "" when it is anything else.
func dotted(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if x := dotted(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}

// use records a mention or call of an identifier or a selection; what is inside of a selection is walked as well.
func (g *goUses) use(e ast.Expr, call bool) {
	kind := refKindOf(call)
	switch e := e.(type) {
	case *ast.Ident:
		if local := g.visible[e.Name] != 0; local && !call || !local && goPredeclared[e.Name] {
			return
		}
		g.ref(kind, e.Name, "", e.Pos())
	case *ast.SelectorExpr:
		if name := dotted(e); name != "" && len(name) <= maxNameBytes {
			g.ref(kind, name, "", e.Sel.Pos())
			return
		}
		on := g.path(e.X)
		if on == "" {
			on = unknownPath
		}
		g.ref(kind, e.Sel.Name, on, e.Sel.Pos())
		g.expr(e.X)
	}
}
