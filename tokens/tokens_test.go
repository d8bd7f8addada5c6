package tokens

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"agenvantage"
)

func counter(t testing.TB, name string) *Counter {
	t.Helper()
	c, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The counts of the first six rows are those that OpenAI publishes for its own tokenizer.
func TestCount(t *testing.T) {
	o200k, cl100k := counter(t, "o200k_base"), counter(t, "cl100k_base")
	for _, c := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"tiktoken is great!", 6, 6},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
		{"hello world", 2, 2},
		{"hello", 1, 1},
		{"", 0, 0},
		{"\n", 1, 1},
		{"123456", 2, 2}, // digits in groups of three
		{"1234567", 3, 3},
	} {
		if got := o200k.Count(c.text); got != c.o200k {
			t.Errorf("o200k %q: got %d, want %d", c.text, got, c.o200k)
		}
		if got := cl100k.Count(c.text); got != c.cl100k {
			t.Errorf("cl100k %q: got %d, want %d", c.text, got, c.cl100k)
		}
		if got := o200k.Count(c.text); got != c.o200k {
			t.Errorf("o200k %q, the second time: got %d, want %d", c.text, got, c.o200k)
		}
	}
}

func TestSpecialTokensArePlainText(t *testing.T) {
	for _, name := range Encodings() {
		c := counter(t, name)
		for _, special := range []string{"<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>"} {
			if n := c.Count(special); n < 4 {
				t.Errorf("%s: %s counts %d tokens, as if it were a special token", name, special, n)
			}
		}
	}
}

func TestInvalidBytesCountAsReplacement(t *testing.T) {
	c := counter(t, Default)
	for _, s := range []string{"\xff", "a\xc3", "\xed\xa0\x80", "caf\xe9 noir"} {
		want := c.Count(regexp.MustCompile(`[^ -~]`).ReplaceAllString(strings.ToValidUTF8(s, "\ufffd"), "\ufffd"))
		if s == "\xed\xa0\x80" {
			want = c.Count("\ufffd\ufffd\ufffd") // three bytes that begin nothing
		}
		if got := c.Count(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"", "o200k_base (tiktoken-go/tokenizer v0.10.0)"},
		{"o200k_base", "o200k_base (tiktoken-go/tokenizer v0.10.0)"},
		{"cl100k_base", "cl100k_base (tiktoken-go/tokenizer v0.10.0)"},
	} {
		if got := counter(t, c.name).Name(); got != c.want {
			t.Errorf("%q: got %q, want %q", c.name, got, c.want)
		}
	}
	for _, name := range []string{"p50k_base", "O200K_BASE", "gpt-4o"} {
		if _, err := New(name); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%q: got %v, want ErrBadInput", name, err)
		}
	}
}

func TestVersionIsTheOneOfGoMod(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^\s*github\.com/` + regexp.QuoteMeta(library) + ` (\S+)`).FindSubmatch(mod)
	if m == nil || string(m[1]) != Version {
		t.Errorf("go.mod has %q, Version is %q", m, Version)
	}
}

func TestCountIsSafeForConcurrentUse(t *testing.T) {
	c := counter(t, Default)
	texts := []string{"func main() {}", "return nil, err", "class A:\n\tpass", "お誕生日", "x"}
	want := make([]int, len(texts))
	for i, s := range texts {
		want[i] = counter(t, Default).Count(s)
	}
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 200 {
				k := (i + worker) % len(texts)
				if got := c.Count(texts[k]); got != want[k] {
					t.Errorf("%q: got %d, want %d", texts[k], got, want[k])
				}
			}
		})
	}
	group.Wait()
}

func TestCacheIsBoundedAndKeepsWhatIsInUse(t *testing.T) {
	c := cache{maxEntries: 10}
	hot := keyOf("hot")
	c.put(hot, 7)
	for i := range 100 {
		c.put(key{Hi: 1, Lo: uint64(i)}, i)
		if n, ok := c.get(hot); !ok || n != 7 {
			t.Fatalf("after %d others: got %d, %v", i+1, n, ok)
		}
	}
	if n := len(c.newer) + len(c.older); n > 20 {
		t.Errorf("%d entries, want at most 20", n)
	}
	if _, ok := c.get(key{Hi: 1, Lo: 0}); ok {
		t.Error("the oldest entry that nobody asked for is still there")
	}
}

// The splitter's time grew with the square of a run of blank lines; without the cut this takes minutes.
func TestBlankLinesTookQuadraticTime(t *testing.T) {
	c := counter(t, Default)
	for _, unit := range []string{" \n", "\t\r\n", "\u00a0\n", "\n", " "} {
		text := strings.Repeat(unit, 200_000)
		if n := c.Count(text); n < 1 || n > len(text) {
			t.Errorf("%q: %d tokens", unit, n)
		}
	}
}

func TestCutBlankRun(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"no run", "a b\n c", 6},
		{"a run of the limit", strings.Repeat("\n", maxBlankRun) + "a", maxBlankRun + 1},
		{"a longer run", strings.Repeat("\n", maxBlankRun+5), maxBlankRun + 1},
		{"after a word", "ab" + strings.Repeat("\n", maxBlankRun+5), maxBlankRun + 3},
		{"no line break to cut at", strings.Repeat(" ", 3*maxBlankRun), 3 * maxBlankRun},
		{"the next line break", strings.Repeat(" ", 2*maxBlankRun) + "\n\n", 2*maxBlankRun + 1},
		{"wide blanks", strings.Repeat("\u00a0", maxBlankRun/2) + "\n\n", maxBlankRun + 1},
		{"invalid bytes", strings.Repeat("\xff\n", maxBlankRun), 2 * maxBlankRun},
		{"two runs", strings.Repeat(strings.Repeat("\n", maxBlankRun)+"a", 2), 2*maxBlankRun + 2},
	} {
		if got := cutBlankRun(c.text); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{"", "func f(x int) error", "<|endoftext|>", "\xff\xfe", "é\u0301", "  \n\t x"} {
		f.Add(s)
	}
	o200k, cl100k := counter(f, "o200k_base"), counter(f, "cl100k_base")
	f.Fuzz(func(t *testing.T, s string) {
		for _, c := range []*Counter{o200k, cl100k} {
			// Tokens are made of bytes: there are none in an empty text, at least one in any other, and at most one a byte
			// after invalid bytes have become the three bytes of U+FFFD.
			if n := c.Count(s); (n == 0) != (s == "") || n > 3*len(s) {
				t.Errorf("%s: %q counts %d", c.Name(), s, n)
			}
		}
	})
}

func BenchmarkCount(b *testing.B) {
	source, err := os.ReadFile("tokens_test.go")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range Encodings() {
		b.Run(name, func(b *testing.B) {
			c := counter(b, name)
			codec := c.load()
			b.SetBytes(int64(len(source)))
			for b.Loop() {
				if _, err := codec.Count(string(source)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
