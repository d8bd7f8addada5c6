package extract

import (
	"go/ast"

	"agenvantage"
)

func (g *goUses) typeSpec(s *ast.TypeSpec, local bool) {
	if local {
		g.local(s.Name, "", "") // hides an outer local name; the resolver finds the symbol by its place
		g.visible[s.Name.Name] = 0
	}
	g.in(s.Name, func() {
		mark := g.open()
		defer g.close(mark)
		g.typeParameters(s.TypeParams)
		switch t := s.Type.(type) {
		case *ast.StructType:
			g.structType(t, true)
		case *ast.InterfaceType:
			g.interfaceType(t)
		default:
			g.declare(s.Name, g.source(s.Type), "")
			g.expr(s.Type)
		}
	})
}

// structType walks fields; those of a named type are symbols.
func (g *goUses) structType(t *ast.StructType, named bool) {
	for _, f := range t.Fields.List {
		if len(f.Names) == 0 {
			if named {
				g.embedded(f.Type)
			} else {
				g.expr(f.Type)
			}
			continue
		}
		text := g.source(f.Type)
		for _, n := range f.Names {
			g.declare(n, text, "")
		}
		g.in(f.Names[0], func() { g.expr(f.Type) })
	}
}

// embedded records what a struct or an interface embeds.
func (g *goUses) embedded(e ast.Expr) {
	typ := ast.Unparen(e)
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = ast.Unparen(star.X)
	}
	switch t := typ.(type) {
	case *ast.IndexExpr:
		g.expr(t.Index)
		typ = t.X
	case *ast.IndexListExpr:
		for _, i := range t.Indices {
			g.expr(i)
		}
		typ = t.X
	}
	switch typ.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if name := g.source(typ); !goPredeclared[name] {
			g.ref(agenvantage.RefInherit, name, "", typ.Pos())
		}
	default:
		g.expr(typ)
	}
}

func (g *goUses) interfaceType(t *ast.InterfaceType) {
	for _, f := range t.Methods.List {
		if len(f.Names) == 0 {
			g.embedded(f.Type)
			continue
		}
		if ft, ok := f.Type.(*ast.FuncType); ok {
			g.declare(f.Names[0], g.results(ft), "")
			g.in(f.Names[0], func() {
				mark := g.open()
				g.signature(ft)
				g.close(mark)
			})
		}
	}
}
