package channels

import "testing"

func TestPrecise(t *testing.T) {
	for _, x := range []struct {
		what  string
		score float64
		want  float64
	}{
		{"nothing", 0, 0},
		{"inside of words", scorePart, 0},
		{"a whole word in the text", scoreWord, 0},
		{"a quotation", scorePhrase + 99, 0},
		{"just below the names", scoreLastName - 1, 0},
		{"the last name of a qualified name", scoreLastName, 0.3125},
		{"a file name", scoreBaseName, 0.5},
		{"a path", scorePath, 0.625},
		{"another spelling", scoreOtherSpelling, 0.6875},
		{"a definition", scoreDefinition, 0.875},
		{"a place", scorePlace, 1},
		{"a place that is also a definition", scorePlace + scoreDefinition + bonusMoreItems, 1},
	} {
		if got := Precise(x.score); got != x.want {
			t.Errorf("%s: %v, want %v", x.what, got, x.want)
		}
	}
}
