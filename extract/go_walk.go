package extract

import (
	"go/ast"
	"go/token"

	"agenvantage"
)

func refKindOf(call bool) agenvantage.ReferenceKind {
	if call {
		return agenvantage.RefCall
	}
	return agenvantage.RefType
}

func (g *goUses) exprs(list []ast.Expr) {
	for _, e := range list {
		g.expr(e)
	}
}

// expr walks an expression or a type.
func (g *goUses) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		g.use(e, false)
	case *ast.CallExpr:
		g.call(e)
	case *ast.CompositeLit:
		g.composite(e, e.Type)
	case *ast.FuncLit:
		mark := g.open()
		g.signature(e.Type)
		g.stmts(e.Body.List)
		g.close(mark)
	case *ast.ParenExpr:
		g.expr(e.X)
	case *ast.StarExpr:
		g.expr(e.X)
	case *ast.UnaryExpr:
		g.expr(e.X)
	case *ast.BinaryExpr:
		g.expr(e.X)
		g.expr(e.Y)
	case *ast.IndexExpr:
		g.expr(e.X)
		g.expr(e.Index)
	case *ast.IndexListExpr:
		g.expr(e.X)
		g.exprs(e.Indices)
	case *ast.SliceExpr:
		g.expr(e.X)
		g.exprs([]ast.Expr{e.Low, e.High, e.Max})
	case *ast.TypeAssertExpr:
		g.expr(e.X)
		g.expr(e.Type)
	case *ast.KeyValueExpr:
		g.expr(e.Key)
		g.expr(e.Value)
	default:
		g.typeExpr(e)
	}
}

// typeExpr walks the types that are no names.
func (g *goUses) typeExpr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ArrayType:
		g.expr(e.Len)
		g.expr(e.Elt)
	case *ast.MapType:
		g.expr(e.Key)
		g.expr(e.Value)
	case *ast.ChanType:
		g.expr(e.Value)
	case *ast.Ellipsis:
		g.expr(e.Elt)
	case *ast.FuncType:
		mark := g.open()
		g.signature(e)
		g.close(mark)
	case *ast.StructType:
		g.structType(e, false)
	case *ast.InterfaceType:
		for _, f := range e.Methods.List {
			g.expr(f.Type)
		}
	}
}

func (g *goUses) call(e *ast.CallExpr) {
	fun := ast.Unparen(e.Fun)
	switch f := fun.(type) { // the arguments of a generic function
	case *ast.IndexExpr:
		if g.head(firstWord(dotted(f.X))) == 0 {
			g.expr(f.Index)
			fun = f.X
		}
	case *ast.IndexListExpr:
		g.exprs(f.Indices)
		fun = f.X
	}
	switch f := fun.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		g.use(f, true)
	default:
		g.expr(fun)
	}
	g.exprs(e.Args)
}

// composite walks a literal of type typ, which may stand further out.
func (g *goUses) composite(e *ast.CompositeLit, typ ast.Expr) {
	if e.Type != nil {
		g.expr(e.Type)
	}
	var inner, innerKey ast.Expr
	members := ""
	switch t := typ.(type) {
	case *ast.ArrayType:
		inner = t.Elt
	case *ast.MapType:
		inner, innerKey = t.Value, t.Key
	case *ast.StarExpr:
		g.composite(&ast.CompositeLit{Elts: e.Elts}, t.X)
		return
	case *ast.StructType, nil:
		members = unknownPath
	default:
		if members = g.valueOfType(typ); members == "" {
			members = unknownPath
		}
	}
	for _, el := range e.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			g.element(el, inner)
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && members != "" {
			if members != unknownPath {
				g.ref(agenvantage.RefType, key.Name, members, key.Pos())
			}
		} else {
			g.element(kv.Key, innerKey)
		}
		g.element(kv.Value, inner)
	}
}

// element walks an element whose type is left out when it is that of the literal around.
func (g *goUses) element(e ast.Expr, typ ast.Expr) {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		g.composite(lit, typ)
		return
	}
	g.expr(e)
}

func (g *goUses) stmts(list []ast.Stmt) {
	for _, s := range list {
		g.stmt(s)
	}
}

func (g *goUses) block(list []ast.Stmt) {
	mark := g.open()
	g.stmts(list)
	g.close(mark)
}

func (g *goUses) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		g.expr(s.X)
	case *ast.AssignStmt:
		g.assign(s)
	case *ast.ReturnStmt:
		g.exprs(s.Results)
	case *ast.BlockStmt:
		g.block(s.List)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			g.specs(d, true)
		}
	case *ast.GoStmt:
		g.expr(s.Call)
	case *ast.DeferStmt:
		g.expr(s.Call)
	case *ast.IncDecStmt:
		g.expr(s.X)
	case *ast.SendStmt:
		g.expr(s.Chan)
		g.expr(s.Value)
	case *ast.LabeledStmt:
		g.stmt(s.Stmt)
	default:
		mark := g.open()
		g.compound(s)
		g.close(mark)
	}
}

// compound walks a statement with a scope of its own.
func (g *goUses) compound(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.IfStmt:
		g.stmt0(s.Init)
		g.expr(s.Cond)
		g.block(s.Body.List)
		g.stmt0(s.Else)
	case *ast.ForStmt:
		g.stmt0(s.Init)
		g.expr(s.Cond)
		g.stmt0(s.Post)
		g.block(s.Body.List)
	case *ast.RangeStmt:
		g.rangeStmt(s)
	case *ast.SwitchStmt:
		g.stmt0(s.Init)
		g.expr(s.Tag)
		g.clauses(s.Body.List)
	case *ast.TypeSwitchStmt:
		g.stmt0(s.Init)
		g.typeSwitch(s)
	case *ast.SelectStmt:
		g.clauses(s.Body.List)
	}
}

// stmt0 walks a statement that may be missing.
func (g *goUses) stmt0(s ast.Stmt) {
	if s != nil {
		g.stmt(s)
	}
}

func (g *goUses) clauses(list []ast.Stmt) {
	for _, c := range list {
		mark := g.open()
		switch c := c.(type) {
		case *ast.CaseClause:
			g.exprs(c.List)
			g.stmts(c.Body)
		case *ast.CommClause:
			g.stmt0(c.Comm)
			g.stmts(c.Body)
		}
		g.close(mark)
	}
}

func (g *goUses) assign(s *ast.AssignStmt) {
	g.exprs(s.Rhs)
	if s.Tok != token.DEFINE {
		g.exprs(s.Lhs)
		return
	}
	type local struct {
		name       *ast.Ident
		typ, value string
	}
	found := make([]local, 0, len(s.Lhs)) // all values are read before the first name is declared
	for i, l := range s.Lhs {
		if name, ok := l.(*ast.Ident); ok && name.Name != "_" {
			typ, value := asType(g.valueOf(s.Rhs, i, len(s.Lhs)))
			found = append(found, local{name, typ, value})
		}
	}
	heads := make([]int, len(found))
	for i, l := range found {
		heads[i] = g.head(l.typ + l.value)
	}
	for i, l := range found {
		g.bind(agenvantage.Binding{Name: l.name.Name, Type: l.typ, Value: l.value, Symbol: g.from, Head: heads[i]})
	}
}

func (g *goUses) rangeStmt(s *ast.RangeStmt) {
	g.expr(s.X)
	over := g.path(s.X)
	head := g.head(over)
	for i, e := range []ast.Expr{s.Key, s.Value} {
		name, ok := e.(*ast.Ident)
		if !ok || s.Tok != token.DEFINE {
			g.expr(e)
			continue
		}
		value := ""
		if over != "" {
			value = over + [2]string{"[k]", "[]"}[i]
		}
		g.bind(agenvantage.Binding{Name: name.Name, Value: value, Symbol: g.from, Head: head})
	}
	g.block(s.Body.List)
}

func (g *goUses) typeSwitch(s *ast.TypeSwitchStmt) {
	var name *ast.Ident
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		if len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			name, _ = a.Lhs[0].(*ast.Ident)
			x = a.Rhs[0]
		}
	case *ast.ExprStmt:
		x = a.X
	}
	if t, ok := x.(*ast.TypeAssertExpr); ok {
		x = t.X
	}
	if x == nil {
		return
	}
	g.expr(x)
	value := g.path(x)
	for _, c := range s.Body.List {
		clause, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		mark := g.open()
		g.exprs(clause.List)
		if name != nil {
			if len(clause.List) == 1 && !isNil(clause.List[0]) {
				g.local(name, g.source(clause.List[0]), "")
			} else {
				g.local(name, "", value)
			}
		}
		g.stmts(clause.Body)
		g.close(mark)
	}
}

func isNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}
