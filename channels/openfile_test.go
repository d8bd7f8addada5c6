package channels

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Whatever byte the search jumps along, it counts what a look at every place counts.
func TestFoldedOccurrencesAreThoseOfEveryPlace(t *testing.T) {
	every := func(text, needle string) (n int) {
		for i := 0; i+len(needle) <= len(text) && n < maxOccurrences; i++ {
			if strings.EqualFold(text[i:i+len(needle)], needle) {
				n++
				i += len(needle) - 1
			}
		}
		return n
	}
	if got := foldedOccurrences("Get_ID get_id GET_ID getid", "get_Id"); got != 3 {
		t.Errorf("counted %d, want 3", got)
	}
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aAbBzZ_1-éK")
	word := func(n int) string {
		b := make([]rune, n)
		for i := range b {
			b[i] = letters[random.IntN(len(letters))]
		}
		return string(b)
	}
	for range 20_000 {
		text, needle := word(random.IntN(60)), word(1+random.IntN(3))
		if isASCII(needle) && foldedOccurrences(text, needle) != every(text, needle) {
			t.Fatalf("%q in %q: %d, want %d", needle, text, foldedOccurrences(text, needle), every(text, needle))
		}
	}
}
