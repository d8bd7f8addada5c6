package server

import (
	"fmt"
	"strings"
	"testing"
)

func TestSent(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("line %d of a file that is long enough", i+1))
	}
	text := func(from, to int) string { return strings.Join(lines[from-1:to], "\n") + "\n" }
	s := &Sent{}
	if got := s.Take("a.go", 1, text(1, 20)); got != text(1, 20) {
		t.Errorf("first time: %q", got)
	}
	if got := s.Take("a.go", 1, text(1, 20)); !strings.HasPrefix(got, "(already sent: a.go:1-20, ") || len(got) > 60 {
		t.Errorf("second time: %q", got)
	}
	for _, c := range []struct {
		name string
		path string
		from int
		text string
		sent bool
	}{
		{"a part", "a.go", 5, text(5, 15), true},
		{"a part without the last line end", "a.go", 5, strings.TrimSuffix(text(5, 15), "\n"), true},
		{"beyond what was sent", "a.go", 15, text(15, 25), false},
		{"another file", "b.go", 1, text(1, 20), false},
		{"moved", "a.go", 2, text(1, 20), false},
		{"changed", "a.go", 1, strings.Replace(text(1, 20), "line 7", "Line 7", 1), false},
		{"no place", "", 0, text(1, 20), false},
		{"short", "a.go", 1, text(1, 1), false},
	} {
		if got := s.Peek(c.path, c.from, c.text); (got != c.text) != c.sent {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	if got := s.Fresh().Take("a.go", 1, text(1, 20)); got != text(1, 20) {
		t.Errorf("fresh: %q", got)
	}
	s.Fresh().Take("c.go", 1, text(1, 20))
	if got := s.Peek("c.go", 1, text(1, 20)); got == text(1, 20) {
		t.Error("what was sent afresh is not noted")
	}
	var none *Sent
	if got := none.Take("a.go", 1, text(1, 20)); got != text(1, 20) || none.Fresh() != nil {
		t.Errorf("without a memory: %q", got)
	}
}

func TestSentIsBounded(t *testing.T) {
	s, long := &Sent{}, strings.Repeat("x\n", maxSentLines/2)
	for i := range 5 {
		s.Take(fmt.Sprint(i), 1, long)
	}
	if len(s.lines) > maxSentLines {
		t.Errorf("%d lines are remembered", len(s.lines))
	}
}
