package pack

import (
	"testing"

	"agenvantage"
)

func TestBlockShowsPathLinesAndNumberedText(t *testing.T) {
	r := agenvantage.Result{Path: "src/a.go", StartLine: 9, EndLine: 11, Kind: agenvantage.KindFunction, Symbol: "T.Run", Text: "func (t T) Run() {\n\n}"}
	want := "src/a.go:9-11 function T.Run\n9\tfunc (t T) Run() {\n10\t\n11\t}\n\n"
	if got := Block(r); got != want {
		t.Errorf("Block:\n%q\nwant\n%q", got, want)
	}
}

func TestBlockWithoutSymbolNamesTheKindAlone(t *testing.T) {
	r := agenvantage.Result{Path: "README.md", StartLine: 1, EndLine: 1, Kind: agenvantage.ChunkText, Text: "# A"}
	if got, want := Block(r), "README.md:1-1 text\n1\t# A\n\n"; got != want {
		t.Errorf("Block: %q, want %q", got, want)
	}
}
