package rerank

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// words is n different words, the ones at changed replaced.
func words(n int, changed ...int) string {
	w := make([]string, n)
	for i := range w {
		w[i] = fmt.Sprintf("w%d", i)
	}
	for _, i := range changed {
		w[i] = "other"
	}
	return strings.Join(w, " ")
}

func TestAlike(t *testing.T) {
	code := "func sum(list []int) (total int) {\n\tfor _, n := range list {\n\t\ttotal += n\n\t}\n\treturn total\n}\n"
	for _, c := range []struct {
		name, a, b string
		want       float64
	}{
		{"the same", code, code, 1},
		{"white space", code, strings.ReplaceAll(strings.ReplaceAll(code, "\t", "    "), "\n", "\r\n\n"), 1},
		{"comments", code, "// sum adds.\n/* It\n   adds. */\n" + strings.Replace(code, "\n\treturn", "\n\t// done\n\treturn", 1), 1},
		{"a doc string", "def f(a):\n    return g(a, b, c) + g(c, b, a) * 2 - 1\n", "def f(a):\n    \"\"\"Adds.\n\n    And more.\n    \"\"\"\n    return g(a, b, c) + g(c, b, a) * 2 - 1\n", 1},
		{"a letter case", code, strings.Replace(code, "sum", "Sum", 1), 24.0 / 28}, // 30 tokens, 26 runs, of which the second token is in two
		{"19 tokens are the same by chance", words(19), words(19), 0},
		{"20 tokens", words(20), words(20), 1},
		{"29 tokens have to be the same", words(29), words(29, 28), 0},
		// n words have n-4 runs. A change at the end takes one of each side: (n-5) / (n-3).
		{"a change at the end of 30", words(30), words(30, 29), 25.0 / 27},
		// A change in the middle takes five of each side: (n-9) / (n+1).
		{"a change in 98 is near enough", words(98), words(98, 50), 89.0 / 99},
		{"a change in 60", words(60), words(60, 30), 51.0 / 61},
		{"more than a tenth longer", words(100), words(112), 0},
		{"a tenth longer", words(100), words(110), 96.0 / 106},
		{"the same runs in another number", words(40) + " " + words(40) + " " + words(40), words(40) + " " + words(40) + " " + words(36), 0.999},
		{"nothing", "", "", 0},
		{"comments only", "// a b c d\n", "// a b c d\n", 0},
		{"too long", strings.Repeat("word ", 14_000), strings.Repeat("word ", 14_000), 0},
	} {
		a, b := FingerprintOf(c.a), FingerprintOf(c.b)
		if got := a.Alike(b); math.Abs(got-c.want) > 1e-9 || b.Alike(a) != got {
			t.Errorf("%s: %v and %v, want %v", c.name, got, b.Alike(a), c.want)
		}
	}
}

func FuzzAlike(f *testing.F) {
	f.Add(words(30), words(30, 3))
	f.Add("/* never closed", "\"\"\"")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := FingerprintOf(a), FingerprintOf(b)
		if got := x.Alike(y); got < 0 || got > 1 || got != y.Alike(x) {
			t.Fatalf("%v and %v", got, y.Alike(x))
		}
		if same := x.Alike(x); same != 0 && same != 1 {
			t.Fatalf("itself: %v", same)
		}
	})
}
