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
