package plan

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"agenvantage"
)

// show prints the parts of a query that are not empty.
func show(q agenvantage.Query) string {
	var b strings.Builder
	b.WriteString(string(q.Class))
	list := func(name string, values []string) {
		if len(values) > 0 {
			fmt.Fprintf(&b, " %s=%s", name, strings.Join(values, ","))
		}
	}
	list("id", q.Identifiers)
	list("qual", q.Qualified)
	list("phrase", q.Phrases)
	list("path", q.Paths)
	for _, f := range q.Frames {
		lines := fmt.Sprint(f.Line)
		if f.EndLine > 0 {
			lines += fmt.Sprint("-", f.EndLine)
		}
		fmt.Fprintf(&b, " at=%s:%s:%s", f.Path, lines, f.Function)
	}
	if q.Regex != "" {
		b.WriteString(" re=" + q.Regex)
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"load_user", "identifier id=load_user"},
		{"parsefile", "identifier id=parsefile"},
		{"LIMIT_ROWS", "identifier id=LIMIT_ROWS"},
		{"_private", "identifier id=_private"},
		{"sha256", "identifier id=sha256"},
		{"AND", "identifier id=AND"},
		{"寻路服务", "identifier id=寻路服务"},
		{"größe", "identifier id=größe"},
		{"Mux.ServeHTTP", "identifier qual=Mux.ServeHTTP"},
		{"(*Mux).ServeHTTP", "identifier qual=Mux.ServeHTTP"},
		{"a::b", "identifier qual=a::b"},
		{"a->b", "identifier qual=a->b"},
		{"x::y", "identifier qual=x::y"},
		{"A#b", "identifier qual=A#b"},
		{`App\Http\Kernel`, `identifier qual=App\Http\Kernel`},
		{"functools.cache", "identifier qual=functools.cache"},
		{"a/b", "path path=a/b"},
		{"src/main.py", "path path=src/main.py"},
		{"./src/main.py", "path path=src/main.py"},
		{"cli.go", "path path=cli.go"},
		{"*.py", "path path=*.py"},
		{"Makefile", "path path=Makefile"},
		{"cli.go:12", "path path=cli.go at=cli.go:12:"},
		{`src\main.py`, "path path=src/main.py"},
		{"user profile", "phrase"},
		{"json rpc client", "phrase"},
		{"retry count", "phrase"},
		{`"DEC-0054"`, "phrase phrase=DEC-0054"},
		{"DEC-0054", "phrase"},
		{"multi-agent memory", "phrase"},
		{"--dry-run", "identifier id=--dry-run"},
		{"-v", "identifier id=v"},
		{"20.04", "phrase"},
		{"operator==", "identifier id=operator=="},
		{"operator[]", "identifier id=operator[]"},
		{"NOT c", "phrase"},
		{"a NEAR b", "phrase"},
		{`"unbalanced`, "identifier id=unbalanced"},
		{"(unbalanced", "identifier id=unbalanced"},
		{"col:value", "phrase"},
		{"*", "phrase"}, {"?", "phrase"}, {"^", "phrase"}, {`\`, "phrase"}, {"'", "phrase"}, {"`", "phrase"}, {"%", "phrase"},
		{"%s %d", "phrase"}, {"${HOME}", "phrase"}, {"; DROP TABLE chunks; --", "phrase"}, {"[a-z", "phrase"}, {"(?i)x", "phrase"},
		{"+++", "phrase"}, {"😀", "phrase"}, {"/", "phrase"}, {"//", "phrase"}, {"C++", "phrase"},
		{"/foo.*bar/", "regex re=foo.*bar"},
		{"/foo/i", "regex re=(?i)foo"},
		{`/a\/b\d/`, `regex re=a/b\d`},
		{"/usr/lib/", "path path=/usr/lib/"},
		{"how does parseXMLFile use the HTTPServer?", "question id=parseXMLFile,HTTPServer"},
		{"where is HTTP handled", "question"},
		{"what does `run` do", "question id=run phrase=run"},
		{"where is foo() called", "question id=foo"},
		{"why does Mux.ServeHTTP() panic in src/mux.go:40", "question qual=Mux.ServeHTTP path=src/mux.go at=src/mux.go:40:"},
		{"don't use user's things", "phrase"},
		{"e.g. the thing", "phrase"},
		{"find the URLs of all pages", "question"},
	} {
		q, err := Parse(c.text, ParseOptions{})
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if got := show(q); got != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestParseFrames(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"python", "Traceback (most recent call last):\n  File \"/srv/app/billing.py\", line 2, in charge_card\n    raise ValueError(\"negative total\")\nValueError: negative total", "/srv/app/billing.py:2:charge_card"},
		{"python module", `  File "a.py", line 1, in <module>`, "a.py:1:"},
		{"go", "goroutine 1 [running]:\nmain.(*Cart).Add(0xc00001, 0x1)\n\t/src/shop/cart.go:12 +0x1d\nmain.main.func1()\n\t/src/main.go:7 +0x2", "/src/shop/cart.go:12:Cart.Add /src/main.go:7:main.main"},
		{"go inlined", "goroutine 1 [running]:\nshop/cart.Total(...)\n\t/src/cart/total.go:12\nshop/cart.Sum(0x1)\n\t/src/cart/sum.go:6 +0xa", "/src/cart/total.go:12:cart.Total /src/cart/sum.go:6:cart.Sum"},
		{"java", "Exception in thread \"main\"\n\tat com.shop.Cart.add(Cart.java:12)\n\tat java.base/java.util.List.of(List.java:9)", "com/shop/Cart.java:12:Cart.add java/util/List.java:9:List.of"},
		{"kotlin", "\tat shop.CartKt$main$1.invoke(Cart.kt:3)", "shop/Cart.kt:3:CartKt.invoke"},
		{"javascript", "TypeError: x\n    at Cart.add (/srv/src/cart.js:12:5)\n    at async run (file:///srv/src/run.ts:3:1)\n    at /srv/src/top.js:1:2", "/srv/src/cart.js:12:Cart.add /srv/src/run.ts:3:run /srv/src/top.js:1:"},
		{"webpack", "    at add (webpack:///./src/cart.ts:12:5)", "src/cart.ts:12:add"},
		{"firefox", "add@http://host:80/src/cart.js:12:5", "src/cart.js:12:add"},
		{"rust", "thread 'main' panicked at src/cart.rs:12:5:\n   3: shop::cart::add\n             at ./src/cart.rs:14:9", "src/cart.rs:12: src/cart.rs:14:cart.add"},
		{"c#", "   at Shop.Cart.Add(Item item) in C:\\src\\Cart.cs:line 12", "C:/src/Cart.cs:12:Cart.Add"},
		{"ruby", "lib/cart.rb:12:in `add': boom (RuntimeError)\n\tfrom lib/run.rb:3:in 'Cart#run'", "lib/cart.rb:12:add lib/run.rb:3:Cart.run"},
		{"php", "#0 /src/Cart.php(12): Shop\\Cart->add()\nPHP Fatal error:  x in /src/run.php on line 3", "/src/Cart.php:12:Cart.add /src/run.php:3:"},
		{"gdb", "#0  0x0042 in cart_add (c=0x0) at cart.c:12\n#1  main () at src/main.c:3", "cart.c:12:cart_add src/main.c:3:main"},
		{"sanitizer", "    #0 0x42 in cart_add /src/cart.c:12:3\n    #1 0x43 in ns::Cart::add(int) /src/cart.cc:4:3", "/src/cart.c:12:cart_add /src/cart.cc:4:Cart.add"},
	} {
		q, err := Parse(c.text, ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range q.Frames {
			got = append(got, fmt.Sprintf("%s:%d:%s", f.Path, f.Line, f.Function))
		}
		if s := strings.Join(got, " "); s != c.want || q.Class != agenvantage.ClassTrace {
			t.Errorf("%s: class %s\n got %s\nwant %s", c.name, q.Class, s, c.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text, says string
		regex      bool
	}{
		{"", "empty", false}, {" \n\t", "empty", false}, {"a\x00b", "NUL", false}, {"a\xff", "UTF-8", false},
		{"[a-z", "missing closing ]", true}, {strings.Repeat("a", 5000), "long", true}, {"a{1001}", "invalid repeat count", true},
	} {
		_, err := Parse(c.text, ParseOptions{Regex: c.regex})
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Parse(%.20q): %v, want bad input that says %q", c.text, err, c.says)
		}
	}
	if q, err := Parse("[a-z]+", ParseOptions{Regex: true}); err != nil || q.Regex != "[a-z]+" || q.Class != agenvantage.ClassRegex {
		t.Errorf("a good pattern: %+v, %v", q, err)
	}
}

func TestParseIsBounded(t *testing.T) {
	q, err := Parse(strings.Repeat("lorem ", 180000)+"the_last_word", ParseOptions{})
	if err != nil || q.Class != agenvantage.ClassIssue || len(q.Text) > headBytes+tailBytes+1 || q.Literal != "" {
		t.Errorf("class %s, %d bytes, literal %q, %v", q.Class, len(q.Text), q.Literal, err)
	}
	if strings.Join(q.Identifiers, " ") != "the_last_word" {
		t.Errorf("identifiers %q", q.Identifiers)
	}
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "  File \"/lib/mod%d.py\", line %d, in run_%d\n", i, i+1, i)
	}
	if q, _ = Parse(b.String(), ParseOptions{}); len(q.Frames) != maxFrames || q.Frames[maxFrames-1].Path != "/lib/mod2999.py" || len(q.Terms) > maxTerms {
		t.Errorf("%d frames, last %+v, %d terms", len(q.Frames), q.Frames[len(q.Frames)-1], len(q.Terms))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"load_user", "Mux.ServeHTTP", "/a.*b/i", `say "x y" 'z`, "  File \"a.py\", line 2, in f", "#0 0x4 in f (a) at a.c:12", "at a.b.C.d(C.java:1)", "a.go:12 +0x1",
		"(*", "(*.", "://", "/\\/", "a:1(2,3)", "--x=", "at  (://:1)", "ß->é::_#?", ":1:1", "`/`", "func1", "a.\tb"} {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, regex bool) {
		q, err := Parse(text, ParseOptions{Regex: regex})
		if err != nil {
			if !errors.Is(err, agenvantage.ErrBadInput) {
				t.Fatalf("error %v is not bad input", err)
			}
			if !regex && utf8.ValidString(text) && !strings.Contains(text, "\x00") && strings.TrimSpace(text) != "" {
				t.Fatalf("refused %q: %v", text, err)
			}
			return
		}
		if q.Class == "" || len(q.Text) > headBytes+tailBytes+1 || !utf8.ValidString(q.Text) {
			t.Fatalf("bad query %+v", q)
		}
		for _, list := range [][]string{q.Identifiers, q.Qualified, q.Phrases, q.Paths} {
			for _, s := range list {
				if s == "" || !utf8.ValidString(s) {
					t.Fatalf("%q: bad part %q", text, s)
				}
			}
		}
		for _, fr := range q.Frames {
			if fr.Path == "" || fr.Line < 1 {
				t.Fatalf("%q: bad frame %+v", text, fr)
			}
		}
		again, _ := Parse(text, ParseOptions{Regex: regex})
		if show(q) != show(again) {
			t.Fatal("two calls differ")
		}
	})
}
