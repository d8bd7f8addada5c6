package app

import "testing"

func TestCommentRun(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"code", []string{"x := 1", "// why"}, 0},
		{"an empty line", []string{"", "// why"}, 0},
		{"code before a comment", []string{"x := 1 // why", "// and"}, 0},

		{"a doc string of one line", []string{`"""Adds."""`, "x = 1"}, 1},
		{"a doc string", []string{`    """Adds.`, "", "    Or not.", `    """`, "    x = 1"}, 4},
		{"an empty first line", []string{`"""`, "Adds.", `"""`, "x"}, 3},
		{"closed behind text", []string{`"""Adds`, `two."""`, "x"}, 2},
		{"single quotes", []string{"'''Adds.", "'''", "x"}, 2},
		{"quotes of the other kind do not close", []string{`"""Adds.`, "'''", `"""`, "x"}, 3},
		{"prefixes", []string{`r"""A \d.`, `"""`, "x"}, 2},
		{"two prefixes", []string{"rB'''A", "'''", "x"}, 2},
		{"a formatted string", []string{"F'''A", "'''", "x"}, 2},
		{"an empty string of one line", []string{`""""""`, `"""`}, 1},
		{"unterminated doc string", []string{`"""Adds.`, "x = 1"}, 0},
		{"unterminated on the last line", []string{`"""`}, 0},
		{"a name and a string", []string{`sql = """`, "select", `"""`}, 0},
		{"one quote", []string{`"a"`, `"b"`}, 0},

		{"a C comment of one line", []string{"/* why */", "x;"}, 1},
		{"a C comment", []string{"  /* why", "   * and", "   */", "  x;"}, 3},
		{"a doc comment", []string{"/**", " * why */", "x;"}, 2},
		{"unterminated C comment", []string{"/* why", "x;"}, 0},
		{"slashes inside", []string{"/* why", "// and", "*/", "// not"}, 3},

		{"line comments", []string{"// a", "  // b", "\t//c", "x()", "// d"}, 3},
		{"to the end", []string{"// a", "// b"}, 2},
		{"an empty line ends it", []string{"// a", "", "// b"}, 1},
		{"hashes", []string{"# a", "#", "#: b", "x"}, 3},
		{"a hash before a word is a directive", []string{"# a", "#b", "x"}, 1},
		{"dashes", []string{"-- a", "-- b", "select"}, 2},
		{"semicolons", []string{";; a", ";;; b", "(x)"}, 2},
		{"one semicolon", []string{"; a", "; b"}, 0},
		{"another mark ends it", []string{"// a", "# b"}, 1},

		{"includes", []string{"#include <a.h>", "#include <b.h>"}, 0},
		{"a macro", []string{"#define A 1", "#define B 2"}, 0},
		{"conditions", []string{"#if A", "#endif"}, 0},
		{"other conditions", []string{"#ifdef A", "#ifndef B"}, 0},
	} {
		if got := commentRun(c.lines); got != c.want {
			t.Errorf("%s: %d lines, want %d", c.name, got, c.want)
		}
	}
}
