package pathglob

import "testing"

func TestBase(t *testing.T) {
	for pattern, want := range map[string]string{"src": "src", "./src/": "src", ".//src/**": "src", "src/**/**": "src", "**": "**", "a/**/b": "a/**/b", "./": "", "*.go": "*.go", "src/**/": "src"} {
		if got := Base(pattern); got != want {
			t.Errorf("Base(%q) = %q, want %q", pattern, got, want)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, file  string
		spelt, matched bool
	}{
		{"src", "src", true, true}, {"src", "src/a.go", true, true}, {"src", "srcs/a.go", false, false}, {"s*", "src/a.go", false, true}, {"**/a.go", "src/a.go", false, true},
		{"*.go", "src/a.go", false, false}, {"[a].go", "[a].go", true, false}, {"src/?.go", "src/a.go", false, true},
	} {
		if spelt, matched := Spells(c.pattern, c.file), Matches(c.pattern, c.file); spelt != c.spelt || matched != c.matched {
			t.Errorf("%q and %q: spelt %v, matched %v", c.pattern, c.file, spelt, matched)
		}
	}
}
