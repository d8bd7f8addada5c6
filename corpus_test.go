package agenvantage

import "testing"

// TestInnermostSymbolAroundALine asks each line of files whose symbols are given in their order: a parent before its children.
func TestInnermostSymbolAroundALine(t *testing.T) {
	symbol := func(kind SymbolKind, start, end int) Symbol {
		return Symbol{Kind: kind, Span: Span{StartLine: start, EndLine: end}}
	}
	functions := func(k SymbolKind) bool { return k == KindFunction || k == KindMethod }
	for _, c := range []struct {
		name      string
		symbols   []Symbol
		want      []int // at the lines from 0 on
		functions []int // the same where functions alone count
	}{
		{"no symbols", nil, []int{-1, -1}, []int{-1, -1}},
		{"lines outside", []Symbol{symbol(KindFunction, 2, 3)}, []int{-1, -1, 0, 0, -1}, []int{-1, -1, 0, 0, -1}},
		{"a symbol without lines", []Symbol{symbol(KindFunction, 3, 2)}, []int{-1, -1, -1, -1}, []int{-1, -1, -1, -1}},
		{"nested", []Symbol{symbol(KindClass, 1, 6), symbol(KindMethod, 2, 5), symbol(KindVariable, 3, 3)}, []int{-1, 0, 1, 2, 1, 1, 0}, []int{-1, -1, 1, 1, 1, 1, -1}},
		{"a class in a function", []Symbol{symbol(KindFunction, 1, 5), symbol(KindClass, 2, 4), symbol(KindMethod, 3, 3)}, []int{-1, 0, 1, 2, 1, 0}, []int{-1, 0, 0, 2, 0, 0}},
		{"a parent and a child in the same lines", []Symbol{symbol(KindMethod, 1, 2), symbol(KindClass, 1, 2)}, []int{-1, 1, 1}, []int{-1, 0, 0}},
		{"two functions in one line", []Symbol{symbol(KindFunction, 1, 1), symbol(KindFunction, 1, 1)}, []int{-1, 1, -1}, []int{-1, 1, -1}},
		{"spans that share a line, the first shorter", []Symbol{symbol(KindFunction, 1, 2), symbol(KindFunction, 2, 4)}, []int{-1, 0, 0, 1, 1}, []int{-1, 0, 0, 1, 1}},
		{"spans that share a line, both as long", []Symbol{symbol(KindFunction, 1, 2), symbol(KindFunction, 2, 3)}, []int{-1, 0, 1, 1}, []int{-1, 0, 1, 1}},
	} {
		x := Extraction{Symbols: c.symbols}
		for line, want := range c.want {
			if got := x.Innermost(line, nil); got != want {
				t.Errorf("%s, line %d: %d, want %d", c.name, line, got, want)
			}
			if got := x.Innermost(line, functions); got != c.functions[line] {
				t.Errorf("%s, functions at line %d: %d, want %d", c.name, line, got, c.functions[line])
			}
		}
	}
}
