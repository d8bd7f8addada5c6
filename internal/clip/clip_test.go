package clip

import "testing"

func TestBytesCutsNoCharacter(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"aé", 2, "a"}, {"aé", 3, "aé"}, {"日本", 5, "日"}, {"日", 2, ""}, {"a", 0, ""}, {"\xff\xfe", 1, "\xff"}} {
		if got := Bytes(c.s, c.n); got != c.want {
			t.Errorf("Bytes(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
	}
}
