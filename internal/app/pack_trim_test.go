package app

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// times is n lines of one text.
func times(n int, line string) []string { return slices.Repeat([]string{line}, n) }

func TestWithoutLongComments(t *testing.T) {
	docString := func(n int) []string { return slices.Concat([]string{`"""Adds.`}, times(n-2, "text"), []string{`"""`}) }
	block := func(n int) []string { return slices.Concat([]string{"/*"}, times(n-2, " * why"), []string{" */"}) }
	code := times(2, "x()")
	for _, c := range []struct {
		name, lang string
		lines      []string
		from       int // the first line that is shown
		want       string
	}{
		{"code", "go", times(20, "x()"), 1, "1-20"},
		{"a part of it", "go", times(43, "x()"), 41, "41-43"},
		{"7 lines are no long comment", "go", slices.Concat(code, times(7, "// why"), code), 1, "1-11"},
		{"8 are: the first 3 stay", "go", slices.Concat(code, times(8, "// why"), code), 1, "1-5 11-12"},
		{"at the start", "go", slices.Concat(times(8, "// why"), code), 1, "1-3 9-10"},
		{"at the end", "python", slices.Concat(code, times(9, "# why")), 1, "1-5"},
		{"nothing else", "sql", times(30, "-- why"), 1, "1-3"},
		{"8 lines of a longer one inside", "go", slices.Concat(times(30, "// why"), code), 23, "23-25 31-32"},
		{"7 lines of a longer one inside", "go", slices.Concat(times(30, "// why"), code), 24, "24-32"},
		{"a comment before what is shown", "go", slices.Concat(times(30, "// why"), code), 31, "31-32"},
		{"a doc string of 7 lines", "python", slices.Concat([]string{"def f():"}, docString(7), code), 1, "1-10"},
		{"a doc string of 8", "python", slices.Concat([]string{"x()", "def f():"}, docString(8), code), 1, "1-5 11-12"},
		{"a string of 8 that is data", "python", slices.Concat([]string{"f("}, docString(8), []string{")"}), 1, "1-10"},
		{"the doc string of the file", "python", slices.Concat(docString(8), code), 1, "1-3 9-10"},
		{"a C comment of 10", "c", slices.Concat(code, block(10), code), 1, "1-5 13-14"},
		{"two of them", "c", slices.Concat(block(8), code, times(8, "// why"), code), 1, "1-3 9-13 19-20"},
		{"one after the other", "c", slices.Concat(block(8), times(8, "// why")), 1, "1-3 9-11"},
		{"a short one before a long one", "c", slices.Concat([]string{"/*", "*/"}, times(8, "// why")), 1, "1-5"},
		{"empty lines keep comments apart", "c", slices.Concat(times(7, "// why"), []string{""}, times(7, "// why")), 1, "1-15"},
		{"a doc string without an end", "python", slices.Concat(code, []string{`"""Adds.`}, times(20, "text")), 1, "1-23"},
		{"a C comment without an end", "c", slices.Concat(code, []string{"/* why"}, times(20, "text")), 1, "1-23"},
		{"includes", "c", times(20, "#include <a.h>"), 1, "1-20"},
		{"a here-document", "bash", slices.Concat([]string{"cat <<EOF"}, times(20, "# why"), []string{"EOF"}), 1, "1-22"},
	} {
		comments := commentsOf(c.lang, strings.Join(c.lines, "\n"))
		if got := printedSpans(withoutLongComments(agenvantage.Span{StartLine: c.from, EndLine: len(c.lines)}, comments, nil)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func printedSpans(spans []agenvantage.Span) string {
	var out []string
	for _, s := range spans {
		out = append(out, fmt.Sprintf("%d-%d", s.StartLine, s.EndLine))
	}
	return strings.Join(out, " ")
}

func TestCodeShare(t *testing.T) {
	for _, c := range []struct {
		name, lang, text string
		want             float64
	}{
		{"code", "go", "x()\ny()", 1},
		{"nothing", "go", "\n \n", 1},
		{"no known language", "", "# a\n# b", 1},
		{"a comment", "go", "// a\n// b", 0},
		{"spaces count for nothing", "c", "\t\t// a\n\n        x();", 0.5},
		{"a comment of several lines", "c", "/* a\n b */\nabcdef", 6.0 / 14},
		{"a doc string", "python", "def f():\n    \"\"\"Add.\n    \"\"\"\n", 8.0 / 18},
		{"a string that is data", "python", "sql(\n\"\"\"\nab\n\"\"\")", 1},
		{"directives", "c", "#define A\n#endif\n// ab", 15.0 / 20},
	} {
		lines := strings.Split(c.text, "\n")
		if got := codeShare(lines, 1, commentsOf(c.lang, c.text)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	comments := []agenvantage.Span{{StartLine: 2, EndLine: 8}, {StartLine: 10, EndLine: 10}}
	if got := codeShare([]string{"abc", "d", "efgh"}, 8, comments); got != 1.0/8 { // lines 8 and 10 are comments
		t.Errorf("lines in the middle of a file: %v, want an eighth", got)
	}
}

// The quotes that end a text of several lines were taken for the beginning of one: the code behind them was hidden up to the next quotes.
func TestCodeBehindTheEndOfAStringIsShown(t *testing.T) {
	lines := slices.Concat([]string{"SQL = f(", `"""`, "select", `""")`}, times(10, "x = 1"), []string{`y = """`, `"""`})
	for from := 1; from <= 5; from++ {
		span := agenvantage.Span{StartLine: from, EndLine: len(lines)}
		if got := withoutLongComments(span, commentsOf("python", strings.Join(lines, "\n")), nil); len(got) != 1 || got[0] != span {
			t.Errorf("from line %d: %v", from, got)
		}
	}
}
