package extract

import (
	"slices"
	"strings"

	"agenvantage"
)

// maxPathBytes bounds types and paths; longer ones are left out.
const maxPathBytes = 256

// unknownPath stands for an expression that leads nowhere.
const unknownPath = "?"

// uses collects the references of one text with the local names that they begin with. Scopes are opened and closed in
// the order of the text; a name is looked up as it stands at that moment.
type uses struct {
	refs     []agenvantage.Reference
	bindings []agenvantage.Binding // binding number n is bindings[n-1]
	imports  []agenvantage.Import

	visible map[string]int // name -> number of its innermost binding
	undo    []hidden
	seen    map[mention]bool
}

// hidden is what a declaration hides until its scope ends.
type hidden struct {
	name   string
	number int
}

// mention is what a symbol mentions once.
type mention struct {
	name, on      string
	from, binding int
}

func newUses() *uses { return &uses{visible: map[string]int{}, seen: map[mention]bool{}} }

// open begins a scope; close ends the scope that open answered with mark.
func (u *uses) open() (mark int) { return len(u.undo) }

func (u *uses) close(mark int) {
	for i := len(u.undo) - 1; i >= mark; i-- {
		if h := u.undo[i]; h.number == 0 {
			delete(u.visible, h.name)
		} else {
			u.visible[h.name] = h.number
		}
	}
	u.undo = u.undo[:mark]
}

// bind declares a local name in the open scope.
func (u *uses) bind(b agenvantage.Binding) {
	if b.Name == "" || b.Name == "_" || len(u.bindings) >= 2*maxReferences {
		return
	}
	u.bindings = append(u.bindings, b)
	u.undo = append(u.undo, hidden{b.Name, u.visible[b.Name]})
	u.visible[b.Name] = len(u.bindings)
}

// head is the number of the visible binding of the first word of a path or name, 0 when it is not local.
func (u *uses) head(path string) int { return u.visible[firstWord(path)] }

// firstWord is the name with which a path or a type begins.
func firstWord(path string) string {
	path = strings.TrimLeft(path, "(*&[] ")
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '.', '(', ')', '[', '#', '-', ':', '?', '!', '<', ' ', '*', '&', '|':
			return path[:i]
		}
	}
	return path
}

// add records a reference; Binding is filled in.
func (u *uses) add(r agenvantage.Reference) {
	if r.Name == "" || len(u.refs) >= maxReferences || len(r.Name) > maxNameBytes {
		return
	}
	if len(r.On) > maxPathBytes {
		r.On = unknownPath
	}
	switch {
	case r.Kind == agenvantage.RefImport:
	case r.On == "":
		r.Binding = u.head(r.Name)
	default:
		r.Binding = u.head(r.On)
	}
	if r.Kind == agenvantage.RefType {
		m := mention{r.Name, r.On, r.From, r.Binding}
		if u.seen[m] {
			return
		}
		u.seen[m] = true
	} else {
		for i := len(u.refs) - 1; i >= 0 && u.refs[i].Line == r.Line && len(u.refs)-i <= 16; i-- {
			if u.refs[i] == r {
				return
			}
		}
	}
	u.refs = append(u.refs, r)
}

// finish sorts the references by line and drops the bindings that nothing names.
func (u *uses) finish() {
	slices.SortStableFunc(u.refs, func(a, b agenvantage.Reference) int { return a.Line - b.Line })
	u.refs, u.bindings = pruneBindings(u.refs, u.bindings)
}

// pruneBindings keeps attributes and the bindings that references and kept bindings name, and numbers them anew.
func pruneBindings(refs []agenvantage.Reference, bindings []agenvantage.Binding) ([]agenvantage.Reference, []agenvantage.Binding) {
	kept := make([]bool, len(bindings)+1)
	for i := range refs {
		kept[refs[i].Binding] = true
	}
	for i := len(bindings); i > 0; i-- { // a head stands before what it heads
		if b := &bindings[i-1]; b.Attribute || kept[i] {
			kept[i] = true
			if b.Head < i {
				kept[b.Head] = true
			}
		}
	}
	number := make([]int, len(bindings)+1)
	var out []agenvantage.Binding
	for i := range bindings {
		if kept[i+1] {
			out = append(out, bindings[i])
			number[i+1] = len(out)
		}
	}
	for i := range out {
		out[i].Head = number[out[i].Head]
	}
	for i := range refs {
		refs[i].Binding = number[refs[i].Binding]
	}
	return refs, out
}

// foldType is a type as written, in one line; "" when it is too long.
func foldType(s string) string {
	if len(s) > 2*maxPathBytes {
		return ""
	}
	if strings.ContainsAny(s, "\n\t") || strings.Contains(s, "  ") {
		s = strings.Join(strings.Fields(s), " ")
	}
	if len(s) > maxPathBytes {
		return ""
	}
	return s
}
