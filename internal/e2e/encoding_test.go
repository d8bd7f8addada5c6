//go:build unix

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

// utf16Bytes encodes text with a byte-order mark.
func utf16Bytes(text string, little bool) string {
	out := []byte{}
	for _, u := range utf16.Encode([]rune("\uFEFF" + text)) {
		if little {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	return string(out)
}

func TestUTF16SourceIsNotTakenForBinary(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"Little.java": utf16Bytes("class Little {\r\n  // ключ\r\n  int orderLittle() { return 1; }\r\n}\r\n", true),
		"Big.java":    utf16Bytes("class Big {\n\n  int orderBig() { return 2; }\n}", false),
		"Mark.py":     "\uFEFFdef with_utf8_mark():\n    return 1\n",
		"odd.cs":      utf16Bytes("class Odd { int orderOdd; }\n", true) + "\x0a", // half a character at the end
		"blob.cs":     "\x7fELF\x00\x00\x01 orderBinary is here\x00\x00",
		"late.txt":    strings.Repeat("plain words\n", 2000) + "\x00\x00 orderLate\n",
	})
	tl.altered["odd.cs"], tl.altered["late.txt"] = true, true
	tl.commit()
	tl.index()
	for _, want := range []struct {
		word, path string
		line       int
	}{{"orderLittle", "Little.java", 3}, {"orderBig", "Big.java", 3}, {"with_utf8_mark", "Mark.py", 1}, {"orderOdd", "odd.cs", 1}} {
		h := tl.findAt(want.word, want.path, want.line)
		if strings.ContainsAny(h.Text, "\x00\uFEFF") || !strings.Contains(h.Text, want.word) {
			t.Errorf("%s: unreadable text %q", want.path, h.Text)
		}
	}
	tl.findAt("ключ", "Little.java", 2)
	tl.wantSkipped("blob.cs", "binary")
	tl.lacks("orderBinary")
	if f := tl.fileTable()["late.txt"]; f.State == "skipped" && f.Reason != "binary" {
		t.Errorf("a text with zero bytes far down: %+v", f)
	}
}

func TestLegacy8BitTextKeepsItsLines(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	tl.writeAll(files{
		"west.py":  "# r\xe9sum\xe9 of the d\xe9j\xe0 vu\n\ndef western_name():\n    return \"\xf1\"\n",
		"cut.rb":   "# ok\ndef broken_tail\n  \"\xe2\x82\"\nend\n",
		"noise.c":  "int a\x80\x81\xfe\xff;\n\nint after_noise(void) { return 3; }\n",
		"cyr.py":   "# \xef\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0, \xfd\xf2\xee \xf2\xe5\xea\xf1\xf2\ndef cyrillic_notes():\n    return 2\n", // windows-1251
		"sjis.py":  "# \x83\x65\x83\x58\x83\x67\ndef shift_jis_notes():\n    return 2\n",
		"smart.md": "# Notes\n\nHe said \x93quoted_words\x94 \x96 and left.\n",
	})
	for name := range map[string]bool{"west.py": true, "cut.rb": true, "noise.c": true, "cyr.py": true, "sjis.py": true, "smart.md": true} {
		tl.altered[name] = true
	}
	tl.commit()
	tl.index()
	for _, want := range []struct {
		word, path string
		line       int
	}{{"western_name", "west.py", 3}, {"broken_tail", "cut.rb", 2}, {"after_noise", "noise.c", 3}, {"cyrillic_notes", "cyr.py", 2},
		{"shift_jis_notes", "sjis.py", 2}, {"quoted_words", "smart.md", 3}} {
		h := tl.findAt(want.word, want.path, want.line)
		if got := strings.Split(h.Text, "\n"); len(got) != h.End-h.Start+1 || !strings.Contains(got[max(0, want.line-h.Start)], want.word) {
			t.Errorf("%s: lines %d-%d are %q", want.path, h.Start, h.End, h.Text)
		}
	}
	tl.find("return", "west.py")
	tl.nothingSilent()
}

func TestLineEndsOfOtherSystemsKeepLineNumbers(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	body := lines("package win", "", "// Opens the gate.", "func OpenGate() int {", "\treturn 1", "}", "", "func ShutGate() int {", "\treturn 2", "}")
	tl.writeAll(files{
		"win.go":   strings.ReplaceAll(body, "\n", "\r\n"),
		"mixed.py": "def first_mixed():\r\n    return 1\n\r\ndef second_mixed():\n    return 2\r\n",
		"last.go":  "package win\r\n\r\nfunc NoEndOfLine() {}",
		"page.py":  "def before_feed():\n    return 1\n\f\ndef after_feed():\n    return '\u2028'\n",
	})
	tl.commit()
	tl.index()
	for _, want := range []struct {
		name, path string
		start, end int
	}{{"OpenGate", "win.go", 3, 6}, {"ShutGate", "win.go", 8, 10}, {"first_mixed", "mixed.py", 1, 2}, {"second_mixed", "mixed.py", 4, 5},
		{"NoEndOfLine", "last.go", 3, 3}, {"after_feed", "page.py", 4, 5}} {
		h := tl.wantSymbol(want.name, symbolPlace{path: want.path, start: want.start, end: want.end})
		if strings.Contains(h.Text, "\r") {
			t.Errorf("%s: a carriage return is shown: %q", want.name, h.Text)
		}
	}
	tl.findAt("win.go:9", "win.go", 9)
}

func TestVeryLongLinesNeverBreakARun(t *testing.T) {
	t.Parallel()
	tl := newTool(t)
	var squeezed, wide strings.Builder
	squeezed.WriteString("/*! bundle */")
	for i := range 20000 {
		fmt.Fprintf(&squeezed, "function g%d(x){return x*%d}", i, i)
	}
	wide.WriteString("def broad_line(): return [")
	for i := range 900 {
		fmt.Fprintf(&wide, "%q, ", fmt.Sprintf("pebble_%04d", i))
	}
	wide.WriteString("'ключ_в_конце']\n")
	tl.writeAll(files{
		"bundle.js": squeezed.String(),
		"blob.go":   "package p\n\nfunc AheadOfBlob() {}\n\nvar Blob = \"" + strings.Repeat("Qx7", 100000) + "\"\n\nfunc PastBlob() {}\n",
		"broad.py":  wide.String(),
		"one.txt":   strings.Repeat("ü", 120000) + " needle_behind_umlauts",
		"rows.csv":  strings.Repeat("a,b,c,", 20000) + "\nlast_row_marker,1\n",
	})
	tl.commit()
	s := tl.index()
	if s.run.peakBytes > 1500<<20 {
		t.Errorf("%d MB of memory", s.run.peakBytes>>20)
	}
	tl.findAt("AheadOfBlob", "blob.go", 3)
	tl.findAt("PastBlob", "blob.go", 7)
	for word, path := range map[string]string{"pebble_0450": "broad.py", "ключ_в_конце": "broad.py", "needle_behind_umlauts": "one.txt",
		"last_row_marker": "rows.csv"} {
		h := tl.find(word, path)
		if !strings.Contains(h.Text, word) || len(h.Text) > 8000 || strings.Contains(h.Text, "\uFFFD") {
			t.Errorf("%s: %d bytes that may not hold the word: %.80q", word, len(h.Text), h.Text)
		}
	}
	if f := tl.fileTable()["bundle.js"]; f.State == "skipped" && f.Reason != "minified" || f.State == "" {
		t.Errorf("squeezed file: %+v", f)
	}
	for _, h := range tl.searchWith(ask{topK: 50}, "g19999").Results {
		if len(h.Text) > 20000 {
			t.Errorf("%v is one piece of %d bytes", h, len(h.Text))
		}
	}
	tl.wantNothing()
}
