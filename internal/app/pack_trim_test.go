package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// times is n lines of one text.
func times(n int, line string) []string { return slices.Repeat([]string{line}, n) }

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

func TestWithoutLongComments(t *testing.T) {
	docString := func(n int) []string { return slices.Concat([]string{`"""Adds.`}, times(n-2, "text"), []string{`"""`}) }
	block := func(n int) []string { return slices.Concat([]string{"/*"}, times(n-2, " * why"), []string{" */"}) }
	code := times(2, "x()")
	for _, c := range []struct {
		name  string
		lines []string
		from  int
		want  string
	}{
		{"no lines", nil, 1, ""},
		{"code", times(20, "x()"), 1, "1-20"},
		{"lines are numbered from where the source starts", times(3, "x()"), 41, "41-43"},
		{"7 lines are no long comment", slices.Concat(code, times(7, "// why"), code), 1, "1-11"},
		{"8 are: the first 3 stay", slices.Concat(code, times(8, "// why"), code), 1, "1-5 11-12"},
		{"at the start", slices.Concat(times(8, "// why"), code), 100, "100-102 108-109"},
		{"at the end", slices.Concat(code, times(9, "# why")), 1, "1-5"},
		{"nothing else", times(30, "-- why"), 1, "1-3"},
		{"a doc string of 7 lines", slices.Concat(code, docString(7), code), 1, "1-11"},
		{"a doc string of 8", slices.Concat([]string{"x()", "def f():"}, docString(8), code), 1, "1-5 11-12"},
		{"a string of 8 that is data", slices.Concat(code, docString(8), code), 1, "1-12"},
		{"the doc string of the file", slices.Concat(docString(8), code), 1, "1-3 9-10"},
		{"a C comment of 10", slices.Concat(code, block(10), code), 11, "11-15 23-24"},
		{"two of them", slices.Concat(block(8), code, times(8, "// why"), code), 1, "1-3 9-13 19-20"},
		{"one after the other", slices.Concat(block(8), times(8, "// why")), 1, "1-3 9-11"},
		{"a short one before a long one", slices.Concat([]string{"/*", "*/"}, times(8, "// why")), 1, "1-5"},
		{"empty lines keep comments apart", slices.Concat(times(7, "// why"), []string{""}, times(7, "// why")), 1, "1-15"},
		{"unterminated doc string", slices.Concat(code, []string{`"""Adds.`}, times(20, "text")), 1, "1-23"},
		{"unterminated C comment", slices.Concat(code, []string{"/* why"}, times(20, "text")), 1, "1-23"},
		{"includes", times(20, "#include <a.h>"), 1, "1-20"},
		{"macros and conditions", slices.Concat([]string{"#ifndef A"}, times(20, "#define B 1")), 1, "1-21"},
	} {
		if got := printedSpans(withoutLongComments(c.lines, c.from)); got != c.want {
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

// A text of several lines that is data, and code behind its closing quotes, were hidden as if they were a doc string.
func TestStringsThatAreDataAreShown(t *testing.T) {
	lines := []string{`SQL = """`, "select", `"""`}
	for range 10 {
		lines = append(lines, "x = 1")
	}
	if got := withoutLongComments(lines, 5); len(got) != 1 || got[0].StartLine != 5 || got[0].EndLine != 17 {
		t.Errorf("%v", got)
	}
	directives := []string{"#pragma once"}
	for range 10 {
		directives = append(directives, "#include <a.h>")
	}
	if got := withoutLongComments(directives, 1); len(got) != 1 || got[0].EndLine != 11 {
		t.Errorf("directives: %v", got)
	}
}
