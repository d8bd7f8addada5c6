package app

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"agenvantage"
)

// testsFor lists the tests that are made for the subject or what is inside of it, those that reach it through others, and after
// them the test files that import its module, directly or through modules that pass it on, and use its name.
func (n *navigator) testsFor(s spot) ([]NavigationItem, error) {
	came, _, err := n.leading(s)
	if err != nil {
		return nil, err
	}
	items, err := n.arrivals(came, n.isTest)
	if err != nil {
		return nil, err
	}
	importing, err := n.importingTests(s, items)
	if err != nil {
		return nil, err
	}
	items = append(items, importing...)
	for i := range items {
		items[i].Direction = ""
	}
	return items, nil
}

var importKinds = []agenvantage.EdgeKind{agenvantage.EdgeImports}

// importingTests lists the test files that import the subject's module and are not among those that are known.
func (n *navigator) importingTests(s spot, known []NavigationItem) ([]NavigationItem, error) {
	names, outer, err := n.namesExported(s)
	if err != nil {
		return nil, err
	}
	module := agenvantage.Node{File: s.file, Symbol: -1}
	came, err := n.walk([]agenvantage.Node{module}, importKinds, false, true, cmp.Or(n.request.Depth, testsDepth))
	if err != nil {
		return nil, err
	}
	var failed error
	items, err := n.arrivals(came, func(node agenvantage.Node) bool {
		if failed != nil || node.Symbol >= 0 || !n.corpus.Class(node.File).Has(agenvantage.ClassTest) ||
			slices.ContainsFunc(known, func(i NavigationItem) bool { return i.node.File == node.File }) {
			return false
		}
		direct := came[node].depth == 1
		if direct && len(s.symbols) == 0 {
			return true // the file itself was asked for, and it is what the test imports
		}
		words, err := n.wordsOf(node.File)
		if err != nil {
			failed = err
			return false
		}
		uses := slices.ContainsFunc(names, func(name string) bool { return words[name] })
		return uses && (direct || len(outer) == 0 || slices.ContainsFunc(outer, func(name string) bool { return words[name] }))
	})
	if failed != nil {
		err = failed
	}
	for i := range items {
		item := &items[i]
		item.StartLine, item.EndLine, item.Line = max(item.Line, 1), max(item.Line, 1), 0 // of its import
		if item.Depth > 1 || len(s.symbols) > 0 {
			item.Confidence = agenvantage.ByName.String() // the import is sure, that it is for this name is not
		}
	}
	return items, err
}

// namesExported are the names under which a test would use the subject: its own, or of a file those at its top level. outer are
// the names of what they lie in, which a test that gets them through another module has to name as well.
func (n *navigator) namesExported(s spot) (names, outer []string, err error) {
	x, err := n.corpus.Facts(s.file)
	if err != nil {
		return nil, nil, err
	}
	if len(s.symbols) == 0 {
		for i := range x.Symbols {
			if x.Symbols[i].Parent < 0 {
				names = append(names, x.Symbols[i].Name)
			}
		}
		return names, nil, nil
	}
	for _, i := range s.symbols {
		names = append(names, x.Symbols[i].Name)
		top := i
		for x.Symbols[top].Parent >= 0 {
			top = x.Symbols[top].Parent
		}
		if top != i {
			outer = append(outer, x.Symbols[top].Name)
		}
	}
	return names, outer, nil
}

// wordsOf are the names that the code of a file mentions.
func (n *navigator) wordsOf(f uint32) (map[string]bool, error) {
	words := map[string]bool{}
	add := func(text string) {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			words[word] = true
		}
	}
	references, err := n.corpus.References(f)
	if err != nil {
		return nil, err
	}
	for _, r := range references {
		if r.Kind != agenvantage.RefImport {
			add(r.Name)
			add(r.On)
		}
	}
	return words, nil
}
