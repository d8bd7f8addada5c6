package rerank

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// words is n different words, the ones at changed replaced.
func words(n int, changed ...int) string {
	w := make([]string, n)
	for i := range w {
		w[i] = fmt.Sprintf("w%d", i)
	}
	for _, i := range changed {
		w[i] = "other"
	}
	return strings.Join(w, " ")
}

func TestAlike(t *testing.T) {
	code := "func sum(list []int) (total int) {\n\tfor _, n := range list {\n\t\ttotal += n\n\t}\n\treturn total\n}\n"
	for _, c := range []struct {
		name, a, b string
		want       float64
	}{
		{"the same", code, code, 1},
		{"ends of lines", code, strings.ReplaceAll(code, "\n", " \t\r\n"), 1},
		{"no end of the last line", code, strings.TrimSuffix(code, "\n"), 1},
		{"an indentation of all lines", code, "  \t" + strings.ReplaceAll(strings.TrimSuffix(code, "\n"), "\n", "\n  \t") + "\n", 1},
		{"an empty line in an indented text", "\t" + words(20) + "\n\n\tend", words(20) + "\n\nend", 1},
		{"an indentation of some lines", code, strings.Replace(code, "\treturn", "return", 1), 0.999},
		{"an indentation by other white space", code, strings.ReplaceAll(code, "\t", "    "), 0.999},
		{"white space in a line", code, strings.Replace(code, "total += n", "total  += n", 1), 0.999},
		{"an empty line more", code, strings.Replace(code, "\treturn", "\n\treturn", 1), 0.999},
		{"20 tokens in other lines", words(20), strings.Replace(words(20), " ", "\n", 1), 0.999},
		{"a comment before short code is more than a tenth of it", code, "// sum adds.\n" + code, 0},
		{"a comment in long code", words(100), strings.Replace(words(100), " w50 ", " w50\n// note\n", 1), 92.0 / 103}, // three tokens for none: 96 runs lose four, seven come
		{"a letter case", code, strings.Replace(code, "sum", "Sum", 1), 24.0 / 28},                                     // 30 tokens, 26 runs, of which the second token is in two
		{"19 tokens are the same by chance", words(19), words(19), 0},
		{"20 tokens", words(20), words(20), 1},
		{"29 tokens have to be the same", words(29), words(29, 28), 0},
		// n words have n-4 runs. A change at the end takes one of each side: (n-5) / (n-3).
		{"a change at the end of 30", words(30), words(30, 29), 25.0 / 27},
		// A change in the middle takes five of each side: (n-9) / (n+1).
		{"a change in 98 is near enough", words(98), words(98, 50), 89.0 / 99},
		{"a change in 60", words(60), words(60, 30), 51.0 / 61},
		{"more than a tenth longer", words(100), words(112), 0},
		{"a tenth longer", words(100), words(110), 96.0 / 106},
		{"the same runs in another number", words(40) + " " + words(40) + " " + words(40), words(40) + " " + words(40) + " " + words(36), 0.999},
		{"nothing", "", "", 0},
		{"comments are text", "// " + words(20) + "\n", "// " + words(20) + "\n", 1},
		{"too long", strings.Repeat("word ", 14_000), strings.Repeat("word ", 14_000), 0},
	} {
		a, b := FingerprintOf(c.a), FingerprintOf(c.b)
		if got := a.Alike(b); math.Abs(got-c.want) > 1e-9 || b.Alike(a) != got {
			t.Errorf("%s: %v and %v, want %v", c.name, got, b.Alike(a), c.want)
		}
	}
}

// TestWhatLooksLikeACommentIsCompared: what ends a string looks as if it began one, and directives, lines of here-documents and of templates
// are written as comments are elsewhere.
func TestWhatLooksLikeACommentIsCompared(t *testing.T) {
	long := strings.Join(strings.SplitAfter(words(100), " "), "\n")
	for _, c := range []struct{ name, before, a, b, after string }{
		{"code between two strings", "q = \"\"\"\nSELECT id FROM invoices\n\"\"\"\n", "rows = db.execute(q, limit=100)\naudit(rows)\n", "drop_everything()\nraise SystemExit(4)\n", "r = \"\"\"\nloaded\n\"\"\"\n"},
		{"a string as an argument", "return db.execute(\n", "\"\"\"SELECT total FROM orders\"\"\",\n", "\"\"\"DELETE FROM orders\"\"\",\n", "owner)\n"},
		{"a directive with a space", "int start(int interval)\n{\n", "# define TICKS 1\n", "# define TICKS 9000\n", "return interval * TICKS;\n}\n"},
		{"a directive of a compiler", "var (\n", "//go:embed one.html\n", "//go:embed two.html\n", "Page embed.FS\n)\n"},
		{"a build tag", "", "//go:build linux\n", "//go:build !linux\n", "\npackage page\n"},
		{"a line of a template", "const url = `\n", "//cdn.one.example/invoice.js\n", "//cdn.two.example/other.js\n", "`;\n"},
		{"a line of a here-document", "cat <<EOF | run\n", "-- delete all\n", "-- keep none\n", "EOF\n"},
		{"a line of prose", "# Notes\n\n", "# use port 8080 only\n", "# use port 9090 only\n", "behind the proxy\n"},
		{"a block comment", "a();\n", "/* one\n*/\n", "/* two\n*/\n", "b();\n"},
		{"an indentation that says what is repeated", "for row in rows:\n", "    total += row\n    total += bonus\n", "    total += row\ntotal += bonus\n", "return total\n"},
	} {
		a, b := FingerprintOf(long+c.before+c.a+c.after), FingerprintOf(long+c.before+c.b+c.after)
		if got := a.Alike(b); got >= 1 || got <= 0 || b.Alike(a) != got {
			t.Errorf("%s: %v, want less than 1 and more than 0", c.name, got)
		}
	}
}

// TestTextsOfOtherCodeAreNotFolded: they were, without what looked like a comment.
func TestTextsOfOtherCodeAreNotFolded(t *testing.T) {
	text := func(body string) Fingerprint {
		return FingerprintOf("def load_invoices(db, account, year, month):\n    check(account, year, month)\n    q = \"\"\"\n    SELECT id FROM invoices\n    \"\"\"\n" +
			body + "    r = \"\"\"\n    loaded\n    \"\"\"\n    return finish(account, year, month, r)\n")
	}
	a, b := text("    rows = db.execute(q, limit=100)\n    return render(rows)\n"), text("    db.drop_everything()\n    raise SystemExit(4)\n")
	if got := a.Alike(b); got >= AlikeFrom {
		t.Errorf("alike %v", got)
	}
}

func FuzzAlike(f *testing.F) {
	f.Add(words(30), words(30, 3))
	f.Add("/* never closed", "\"\"\"")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := FingerprintOf(a), FingerprintOf(b)
		if got := x.Alike(y); got < 0 || got > 1 || got != y.Alike(x) {
			t.Fatalf("%v and %v", got, y.Alike(x))
		}
		if same := x.Alike(x); same != 0 && same != 1 {
			t.Fatalf("itself: %v", same)
		}
	})
}
