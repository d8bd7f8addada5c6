package rerank

import (
	"testing"

	"agenvantage"
)

// A header whose source is found too comes behind it; one that holds the code itself keeps its place.
func TestDeclarationsComeBehindDefinitions(t *testing.T) {
	facts := spans{paths: []string{"include/uv.h", "src/uv.c", "include/fmt.h", "types/a.d.ts", "src/a.ts", "b.d.ts", "c.pyi", "c.py"}}
	given := candidatesOf(t, "0:1:1 1:1:0.8 2:1:0.7 3:1:0.6 4:1:0.5 5:1:0.4 6:1:0.3 7:1:0.2")
	got := textOf(t, ApplyFeatures(given, facts, query(agenvantage.ClassIdentifier, "uv_run"), FeatureOptions{Declares: 0.5}))
	want := "1:1:0.8 2:1:0.7 0:1:0.5[declaration] 4:1:0.5 5:1:0.4 3:1:0.3[declaration] 7:1:0.2 6:1:0.15[declaration]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := textOf(t, ApplyFeatures(given, facts, query(agenvantage.ClassIdentifier, "uv_run"), FeatureOptions{})); got != textOf(t, given) {
		t.Errorf("without a factor the order changed: %s", got)
	}
}
