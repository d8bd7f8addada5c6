package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestSynonyms(t *testing.T) {
	for term, want := range map[string]string{"delete": "remove erase unlink destroy", "tmp": "temporary temp", "hook": "callback handler listener", "zebra": "", "Delete": ""} {
		if got := strings.Join(Synonyms(term), " "); got != want {
			t.Errorf("%s: %q, want %q", term, got, want)
		}
	}
}

// Each word of the table is one index term, and no set holds it twice: another would never be asked for.
func TestSynonymsAreIndexTerms(t *testing.T) {
	for line := range strings.Lines(synonymSets) {
		words := strings.Fields(line)
		if len(words) == 1 || len(slices.Compact(slices.Sorted(slices.Values(words)))) != len(words) {
			t.Errorf("set %q", line)
		}
		for _, w := range words {
			if got := AppendTokens(nil, w); len(got) != 1 || got[0] != w {
				t.Errorf("%q is no term of an index: %q", w, got)
			}
		}
	}
}
