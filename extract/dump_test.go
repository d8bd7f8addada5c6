package extract

import (
	"context"
	"fmt"
	"os"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
)

// TestDumpTree prints the tree of the file named by DUMP in the language named by DUMP_LANG: a help for writing queries.
func TestDumpTree(t *testing.T) {
	file, lang := os.Getenv("DUMP"), os.Getenv("DUMP_LANG")
	if file == "" {
		t.Skip("DUMP is not set")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := sitter.ParseCtx(context.Background(), text, rulesByID[lang].grammar())
	if err != nil {
		t.Fatal(err)
	}
	var show func(n *sitter.Node, field string, depth int)
	show = func(n *sitter.Node, field string, depth int) {
		if n.IsNamed() {
			s := n.Content(text)
			if len(s) > 50 {
				s = s[:50] + "…"
			}
			fmt.Printf("%*s%s%s [%d-%d] %q\n", depth*2, "", field, n.Type(), n.StartPoint().Row+1, n.EndPoint().Row+1, s)
		}
		for i := 0; i < int(n.ChildCount()); i++ {
			f := n.FieldNameForChild(i)
			if f != "" {
				f += ": "
			}
			show(n.Child(i), f, depth+1)
		}
	}
	show(root, "", 0)
}
