package analysis

import "testing"

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 9, 0}, {"", "abc", 9, 3}, {"abc", "", 9, 3}, {"abc", "abc", 9, 0}, {"abc", "acb", 9, 1}, {"abc", "adc", 9, 1}, {"abc", "abcd", 9, 1},
		{"kitten", "sitting", 9, 3}, {"ca", "abc", 9, 3}, {"kitten", "sitting", 3, 3}, {"kitten", "sitting", 2, 3}, {"kitten", "sitting", 0, 1}, {"a", "abcdef", 2, 3}, {"abc", "acb", 1, 1},
		{"", "", 1, 0}, {"serve", "serve", 1, 0}, {"serve", "servee", 1, 1}, {"mux", "mxu", 1, 1}, {"abc", "xyz", 2, 3}, {"abc", "xyz", 3, 3},
	} {
		if got := EditDistance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("%q %q limit %d: %d, want %d", c.a, c.b, c.limit, got, c.want)
		}
	}
}
