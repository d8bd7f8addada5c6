package pipeline

import (
	"strings"
	"testing"
	"unicode/utf8"

	"agenvantage"
)

func TestLinesOf(t *testing.T) {
	for _, x := range []struct {
		text       string
		start, end int
		want       string
	}{
		{"a\nb\nc\n", 1, 1, "a"},
		{"a\nb\nc\n", 2, 3, "b\nc"},
		{"a\nb\nc", 2, 3, "b\nc"}, // the last line has no end
		{"a\nb\nc", 3, 3, "c"},
		{"a\r\nb\rb\r\nc", 2, 2, "b\rb\r"}, // only a line feed ends a line
		{"a\n\n\nd\n", 2, 3, "\n"},
		{"a\nb\n", 2, 9, "b"}, // past the end
		{"a\nb", 2, 9, "b"},
		{"a\nb\n\n", 2, 9, "b\n"},
		{"a\nb\n", 3, 3, ""},
		{"a\nb\n", 7, 9, ""},
		{"", 1, 1, ""},
		{"a\nb\n", 0, 0, ""}, // no lines
		{"a\nb\n", 2, 1, ""},
	} {
		if got := LinesOf(x.text, agenvantage.Span{StartLine: x.start, EndLine: x.end}); got != x.want {
			t.Errorf("%q %d-%d: %q, want %q", x.text, x.start, x.end, got, x.want)
		}
	}
}

func TestShorten(t *testing.T) {
	long := strings.Repeat("a", 100)
	for _, x := range []struct {
		name, text string
		needles    []string
		limit      int
		want       string
		shortened  bool
	}{
		{"no limit", long, nil, 0, long, false},
		{"short lines of a long text", "aaaa\nbbbb\ncccc", nil, 4, "aaaa\nbbbb\ncccc", false},
		{"no needle: the start", "abcdefghijkl", []string{"z"}, 8, "abcdefgh…", true},
		{"needle at the start", "needle" + long, []string{"needle"}, 8, "needleaa…", true},
		{"needle in the middle", long + "needle" + long, []string{"needle"}, 12, "…aaaneedleaaa…", true},
		{"needle at the end", long + "needle", []string{"needle"}, 8, "…aaneedle", true},
		{"other case", long + "Needle" + long, []string{"nEEDLE"}, 8, "…aaNeedle…", true},
		{"the first needle that is there", "one" + long + "two" + long, []string{"nowhere", "two", "one"}, 4, "…atwo…", true},
		{"empty needles are none", "abcdefghijkl", []string{"", "k"}, 4, "…ijkl", true},
		{"a needle longer than the line", "abcdefghijkl", []string{long}, 4, "abcd…", true},
		{"only long lines are cut", "short\n" + long + "x\nshort\n\n" + long + "y", []string{"x", "y"}, 8, "short\n…aaaaaaax\nshort\n\n…aaaaaaay", true},
		{"characters stay whole at the end", "aäöüß", nil, 4, "aä…", true},
		{"characters stay whole at the start", "äöüßa", []string{"a"}, 4, "…üßa", true},
		{"nothing but wide characters", "日本語日本語", []string{"語"}, 7, "…本語日…", true},
	} {
		got, shortened := shorten(x.text, placeOfFirst(x.needles), x.limit)
		if got != x.want || shortened != x.shortened {
			t.Errorf("%s: %q %v, want %q %v", x.name, got, shortened, x.want, x.shortened)
		}
	}
}

// Whatever the limit and the needle: as many lines as before, whole characters, and never much beyond the limit.
func TestShortenKeepsLinesAndCharacters(t *testing.T) {
	text := strings.Repeat("naïve 日本 🙂 ", 9) + "\n\nshort\n" + strings.Repeat("é", 70) + "needle\n" + strings.Repeat("🙂", 30)
	for limit := 4; limit < 160; limit++ {
		for _, needle := range []string{"needle", "🙂", "é", "nowhere"} {
			got, _ := shorten(text, placeOfFirst([]string{needle}), limit)
			if strings.Count(got, "\n") != strings.Count(text, "\n") || !utf8.ValidString(got) {
				t.Fatalf("limit %d, %s: %q", limit, needle, got)
			}
			for _, line := range strings.Split(got, "\n") {
				if len(line) > limit+utf8.UTFMax+2*len(cut) {
					t.Fatalf("limit %d, %s: a line of %d bytes", limit, needle, len(line))
				}
			}
		}
	}
}

func TestPlaceOf(t *testing.T) {
	for _, x := range []struct{ query, line, want string }{ // want is what follows the place found in line
		{"load_user", "user load_user", "load_user"},
		{"loadUser", "user LOADUSER", "LOADUSER"},
		{`where is "two words" said`, "where two words", "two words"},
		{"how does parseConfig treat comments", "comments parseConfig", "parseConfig"},
		{"reading comments of files", "file commentsx reading", "commentsx reading"}, // the longest term
		{"/ab+c/", "aaa abbbc", "abbbc"},
		{"/AB+C/i", "aaa abbbc", "abbbc"},
		{"/^x|y$/", "ayyy", "y"},
		{"/nothing/", "aaa", "NONE"},
	} {
		at := placeOf(parsed(t, x.query))(x.line)
		got := "NONE"
		if at >= 0 {
			got = x.line[at:]
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", x.query, got, x.want)
		}
	}
}
