package embed_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agenvantage/embed"
	"agenvantage/tokens"
)

func TestPrefix(t *testing.T) {
	long := strings.Repeat("alpha beta ", 60)
	for _, c := range []struct{ path, enclosing, signature, doc, want string }{
		{"", "", "", "", ""},
		{"src/a.py", "", "", "", "src/a.py\n"},
		{"src/a.py", "Mux", "def  run(self):\n", "Runs it.", "src/a.py\nMux\ndef run(self):\nRuns it.\n"},
		{"src/a.py", "", "", "Runs\nit.", "src/a.py\nRuns it.\n"},
		// src/a/b.go: 1+1+1+1+1+1+1 = 7 and a line feed; 52 left, 51 for the text: 25 times "alpha beta" are 3 each, so 17 times
		{"src/a/b.go", "", "", long, "src/a/b.go\n" + strings.TrimSpace(strings.Repeat("alpha beta ", 17)) + "\n"},
		{strings.Repeat("folder/", 30) + "name.go", "", "", "", "folder/folder/folder/folder/folder/name.go\n"},
		{"a", "one.two.three.four.five.Six", "", "", "a\nthree.four.five.Six\n"},
		{"bad\xffname.go", "", "", "", "bad\ufffdname.go\n"},
	} {
		if got := embed.Prefix(c.path, c.enclosing, c.signature, c.doc); got != c.want {
			t.Errorf("Prefix(%q, %q, %q, %q)\n got %q\nwant %q", c.path, c.enclosing, c.signature, c.doc, got, c.want)
		}
	}
}

// Whatever the parts, a prefix is within its bound, is valid UTF-8 in lines, and leaves out no part that fits.
func FuzzPrefix(f *testing.F) {
	f.Add("a/b.go", "T", "func (t T) Run()", "Run runs.")
	f.Add(strings.Repeat("深い/", 40), strings.Repeat("A.", 90), strings.Repeat("x,", 300), strings.Repeat("語", 200))
	f.Add("\xff\n\t", "\n", " ", "\u2028")
	f.Fuzz(func(t *testing.T, path, enclosing, signature, doc string) {
		got := embed.Prefix(path, enclosing, signature, doc)
		if n := embed.EstimateTokens(got); n > embed.PrefixTokens {
			t.Errorf("%d tokens in %q", n, got)
		}
		if strings.ToValidUTF8(got, "") != got || strings.Count(got, "\n") > 4 || strings.Contains(got, "\n\n") || got != "" && !strings.HasSuffix(got, "\n") {
			t.Errorf("not lines of text: %q", got)
		}
		if again := embed.Prefix(path, enclosing, signature, doc); again != got {
			t.Errorf("%q, then %q", got, again)
		}
		if strings.TrimSpace(strings.ToValidUTF8(path, "?")) != "" && got == "" {
			t.Errorf("nothing of the path %q", path)
		}
	})
}

func TestEstimateTokens(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "go": 1, "words": 2, "a b": 2, "a  b": 3, "a\nb": 3, "ServeHTTP": 2 + 3, "HTTPServer": 3 + 2, "x1f": 3, "f(x)": 4, "é": 1, "語": 2, "🙂": 3, "\xff": 1,
		"abcdefghijklmnop": 3 + 2, "A": 1, "ABC": 3, "    return": 1 + 2,
	} {
		if got := embed.EstimateTokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// The estimate may be too high and must not be too low, for source code, prose of other scripts and dense text.
func TestEstimateIsPessimistic(t *testing.T) {
	texts := map[string]string{
		"chinese":  strings.Repeat("向量数据库保存每个文本块的嵌入，并且记录发送到哪里。", 40),
		"japanese": strings.Repeat("索引はベクトルを保存し、テキストを保存しません。", 40),
		"russian":  strings.Repeat("Хранилище векторов не содержит исходного текста. ", 40),
		"base64":   random("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
		"hex":      random("0123456789abcdef"),
		"table":    strings.Repeat("0.125, -3, 17.5e-3, 0xff,\n", 80),
	}
	for _, folder := range []string{".", "../index", "../docs/adr"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				var b []byte
				b, err = os.ReadFile(path)
				texts[path] = string(b)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range tokens.Encodings() {
		counter, err := tokens.New(name)
		if err != nil {
			t.Fatal(err)
		}
		for path, text := range texts {
			if len(text) < 500 {
				continue
			}
			got, real := embed.EstimateTokens(text), counter.Count(text)
			floor := real
			if path == "base64" { // no text that people write: see EstimateTokens
				floor = real * 9 / 10
			}
			if got < floor || got > 4*real {
				t.Errorf("%s: estimate %d, %s gives %d", path, got, name, real)
			}
		}
	}
}

func random(alphabet string) string {
	rng := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 4000)
	for i := range b {
		b[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(b)
}
