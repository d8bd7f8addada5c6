package graph

import (
	"agenvantage"
)

// unit is what the resolver keeps of one file: symbols without their comments, imports, bindings and what classes inherit.
type unit struct {
	file     uint32
	pkg      string
	symbols  []agenvantage.Symbol // Doc is dropped
	children map[int][]int        // symbol -> symbols directly inside, in order; -1: top level
	imports  []agenvantage.Import
	bindings []agenvantage.Binding
	bases    map[int][]base // class -> what it names as its parents, in order
	marks    map[int][]string
}

// base is a parent as a class names it.
type base struct {
	name string
	kind agenvantage.ReferenceKind
	line int
}

// maxUnits bounds the cache; the oldest go first. A unit takes some 10 to 20 kB.
const maxUnits = 6000

// unitOf reads a file, from the cache if it is there.
func (r *Resolver) unitOf(f uint32) (*unit, error) {
	if u := r.units[f]; u != nil {
		return u, nil
	}
	x, err := r.corpus.Facts(f)
	if err != nil {
		return nil, err
	}
	refs, bindings, err := r.corpus.Uses(f)
	if err != nil {
		return nil, err
	}
	u := newUnit(f, x, refs, bindings)
	if len(r.unitOrder) >= maxUnits {
		delete(r.units, r.unitOrder[0])
		r.unitOrder = r.unitOrder[1:]
	}
	r.units[f] = u
	r.unitOrder = append(r.unitOrder, f)
	return u, nil
}

func newUnit(f uint32, x *agenvantage.Extraction, refs []agenvantage.Reference, bindings []agenvantage.Binding) *unit {
	u := &unit{file: f, pkg: x.Package, imports: x.Imports, bindings: bindings, children: map[int][]int{}, bases: map[int][]base{}, marks: map[int][]string{}}
	u.symbols = make([]agenvantage.Symbol, len(x.Symbols))
	for i, s := range x.Symbols {
		s.Doc = ""
		if s.Parent < -1 || s.Parent >= len(x.Symbols) || s.Parent == i {
			s.Parent = -1
		}
		u.symbols[i] = s
		u.children[s.Parent] = append(u.children[s.Parent], i)
	}
	for i := range refs {
		r := &refs[i]
		switch {
		case r.From < 0 || r.From >= len(u.symbols):
		case r.Kind == agenvantage.RefInherit || r.Kind == agenvantage.RefImplements:
			u.bases[r.From] = append(u.bases[r.From], base{r.Name, r.Kind, r.Line})
		case r.Kind == agenvantage.RefCall && r.Line < u.symbols[r.From].NameLine: // a decorator or an annotation
			u.marks[r.From] = append(u.marks[r.From], r.Name)
		}
	}
	return u
}

// within walks from a symbol outwards: the symbol itself first, -1 is not given.
func (u *unit) within(symbol int, yield func(int) bool) {
	for n := 0; symbol >= 0 && symbol < len(u.symbols) && n < 64; n++ {
		if !yield(symbol) {
			return
		}
		symbol = u.symbols[symbol].Parent
	}
}

// enclosingClass is the innermost class-like symbol around a symbol, -1 when there is none.
func (u *unit) enclosingClass(symbol int) int {
	found := -1
	u.within(symbol, func(s int) bool {
		if isClass(u.symbols[s].Kind) {
			found = s
		}
		return found < 0
	})
	return found
}

// childNamed lists the symbols directly inside of parent (-1: the top level) with a name.
func (u *unit) childNamed(parent int, name string) []int {
	var out []int
	for _, c := range u.children[parent] {
		if u.symbols[c].Name == name {
			out = append(out, c)
		}
	}
	return out
}

func isClass(k agenvantage.SymbolKind) bool {
	switch k {
	case agenvantage.KindClass, agenvantage.KindStruct, agenvantage.KindInterface, agenvantage.KindTrait, agenvantage.KindEnum:
		return true
	}
	return false
}

func isType(k agenvantage.SymbolKind) bool { return isClass(k) || k == agenvantage.KindType }

func isFunction(k agenvantage.SymbolKind) bool {
	return k == agenvantage.KindFunction || k == agenvantage.KindMethod || k == agenvantage.KindMacro
}
