package app

import (
	"fmt"
	"strings"
	"testing"

	"agenvantage"
)

// longReport is a text of the length of an issue about the total of a cart.
func longReport() string {
	return "Wrong total of an empty cart\n\n" + strings.Repeat("Open the cart without any item and look at the total below the table, which the ledger has. ", 8)
}

// repeated writes a line for each of the numbers below n.
func repeated(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestALikelySmallFileIsShownWhole(t *testing.T) {
	const filler = 80
	tree := files{"zone/q1.go": "package zone\n\n// EmptyCartTotal is the total of an empty cart.\nfunc EmptyCartTotal() int {\n\treturn 1\n}\n\n" + repeated("var filler%[1]d = other(%[1]d)\n", filler)}
	for i := range 30 {
		tree[fmt.Sprintf("other/part%d.go", i)] = "package other\n\n" + repeated("// Unrelated%[1]d holds what nobody asks about.\nvar Unrelated%[1]d = 0\n\n", 60)
	}
	w := newWorld(t, tree)
	const all = 7 + filler
	for _, x := range []struct {
		name   string
		task   string
		budget int
		want   bool
	}{
		{"room for it", longReport(), 6000, true},
		{"more than a quarter of the budget", longReport(), 1500, false},
		{"beside a definition that the task names", "fix EmptyCartTotal", 6000, false},
	} {
		p := w.packed(PackRequest{Task: x.task, Preset: agenvantage.TaskBug, Budget: x.budget})
		shown, whole := linesShown(p, "zone/q1.go"), false
		for _, b := range p.Blocks {
			whole = whole || strings.Contains(b.Reason, wholeFileReason)
		}
		if len(shown) == 0 || whole != x.want || x.want && len(shown) != all {
			t.Errorf("%s: %d of %d lines, as a whole file: %v, want %v; %s", x.name, len(shown), all, whole, x.want, places(p))
		}
	}
}
