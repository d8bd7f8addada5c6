package count

import "testing"

func TestNumbersWithTheirNouns(t *testing.T) {
	for _, c := range []struct {
		n           int
		of, grouped string
	}{
		{0, "0 entries", "0 entries"}, {1, "1 entry", "1 entry"}, {2, "2 entries", "2 entries"}, {-1, "-1 entries", "-1 entries"}, {999, "999 entries", "999 entries"},
		{1000, "1000 entries", "1,000 entries"}, {12345678, "12345678 entries", "12,345,678 entries"}, {-123, "-123 entries", "-123 entries"}, {-1234, "-1234 entries", "-1,234 entries"},
	} {
		if of, grouped := Of(c.n, "entry", "entries"), Grouped(c.n, "entry", "entries"); of != c.of || grouped != c.grouped {
			t.Errorf("%d: %q and %q, want %q and %q", c.n, of, grouped, c.of, c.grouped)
		}
	}
}
