package visible

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain päth 日本\u200d": "plain päth 日本\u200d",
		"a\tb\r\n":            `a\tb\r\n`,
		"\x1b[31m\x00":        `\x1b[31m\x00`,
		"\xff\u0085\u202e":    `\xff\u0085\u202e`, // a byte that is not UTF-8 has two digits, a character four
		"\U000e0041":          `\U000e0041`,
	} {
		if got := Escape(in, Hidden); got != want || Needs(in, Hidden) != (in != want) {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	quote := func(r rune) bool { return r == '"' || r == '\\' }
	if got := Escape("a\"b\\\n", quote); got != "a\\\"b\\\\\n" {
		t.Errorf("quoted: %q", got)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a\x1b[0m\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Escape(s, Hidden)
		if strings.ContainsFunc(got, Hidden) || !utf8.ValidString(got) {
			t.Errorf("%q: %q", s, got)
		}
	})
}
