package app

import (
	"path"
	"slices"
	"strings"

	"agenvantage"
)

// overloaded counts the calls that have an edge to another definition of the same thing and none to the subject: the graph
// tells clauses, overloads, builds and declarations apart by the number of arguments at most.
func (m *mentions) overloaded(node agenvantage.Node, sym *agenvantage.Symbol, lang string) error {
	named, err := m.corpus.Named(sym.Name)
	if err != nil {
		return err
	}
	known := m.startsInto(node)
	for _, other := range named {
		if other == node || m.corpus.Lang(other.File) != lang && !(isC(lang) && isC(m.corpus.Lang(other.File))) {
			continue
		}
		x, err := m.corpus.Facts(other.File)
		if err != nil {
			return err
		}
		if o := &x.Symbols[other.Symbol]; o.Qualified != sym.Qualified || !canBeCalled(o.Kind) || !m.sameThing(node, other, sym, lang) || differInCount(sym, o, lang) {
			continue
		}
		for _, e := range m.graph.In(other) {
			if (e.Kind == agenvantage.EdgeCalls || e.Kind == agenvantage.EdgeReferences) && !known[startOf(e)] {
				known[startOf(e)] = true
				m.countAt(reasonOverload, e.From.File, e.Line)
			}
		}
	}
	return nil
}

// startOf is the place of an edge: what is left of it without its kind and its end.
func startOf(e agenvantage.Edge) agenvantage.Edge {
	return agenvantage.Edge{From: e.From, Line: e.Line}
}

// startsInto are the places that have an edge to a node.
func (m *mentions) startsInto(node agenvantage.Node) map[agenvantage.Edge]bool {
	starts := map[agenvantage.Edge]bool{}
	for _, e := range m.graph.In(node) {
		starts[startOf(e)] = true
	}
	return starts
}

func isC(lang string) bool { return lang == "c" || lang == "cpp" }

// sameThing reports whether two definitions of one qualified name may be of one thing: those of a file, those of a package of
// Go, and, where what is declared in one file is defined or continued in another, those of all files.
func (m *mentions) sameThing(a, b agenvantage.Node, sym *agenvantage.Symbol, lang string) bool {
	switch {
	case a.File == b.File:
		return true
	case lang == "go":
		return path.Dir(m.corpus.Path(a.File)) == path.Dir(m.corpus.Path(b.File))
	case isC(lang):
		return !staticC.MatchString(sym.Signature)
	}
	return slices.Contains([]string{"ruby", "csharp", "swift", "rust", "typescript"}, lang) && sym.Qualified != sym.Name
}

// differInCount reports whether two overloads take different numbers of arguments, in languages without defaults.
func differInCount(a, b *agenvantage.Symbol, lang string) bool {
	if lang != "java" || strings.Contains(a.Signature+b.Signature, "...") {
		return false
	}
	return parameterCount(a.Signature) != parameterCount(b.Signature)
}

// parameterCount is the number of parameters of a signature; type arguments hold commas of their own.
func parameterCount(signature string) int {
	_, list, found := strings.Cut(signature, "(")
	if !found || strings.HasPrefix(strings.TrimSpace(list), ")") {
		return 0
	}
	count, depth := 1, 0
	for _, c := range list {
		switch c {
		case '(', '<', '[':
			depth++
		case '>', ']':
			depth--
		case ')':
			if depth--; depth < 0 {
				return count
			}
		case ',':
			if depth == 0 {
				count++
			}
		}
	}
	return count
}
