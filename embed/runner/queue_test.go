package runner

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"agenvantage/embed"
)

// Whatever the texts, the limits and what is refused: each text is in requests in its order until it is taken, no request of
// several texts exceeds a limit, and none exceeds what a refusal has taught.
func TestRequestsAreWithinTheirBounds(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var src source
		for i := range 1 + rng.IntN(80) {
			src = append(src, chunk{fmt.Sprint(i), fmt.Sprint(i, " ", strings.Repeat("word ", rng.IntN(1+rng.IntN(40))))})
		}
		limit := size{1 + rng.IntN(12), 5 + rng.IntN(200), 10 + rng.IntN(800)}
		service := size{1 + rng.IntN(12), 1 << 30, 10 + rng.IntN(800)} // what it takes; a single text it always takes
		q := &queue{source: src, items: choose(src, nil).items, limit: limit, window: rng.IntN(60)}
		var taken []string
		var open []string // texts of requests that were turned back, in order
		for {
			r, err := q.next(true)
			must(t, err)
			if r == nil {
				break
			}
			s := r.size()
			if len(r.texts) == 0 || len(r.texts) > 1 && !s.within(limit) {
				t.Fatalf("seed %d: a request of %+v, limit %+v", seed, s, limit)
			}
			var names []string
			for _, x := range r.texts {
				names = append(names, x.text)
			}
			if n := min(len(open), len(names)); !slices.Equal(open[:n], names[:n]) {
				t.Fatalf("seed %d: %q is sent before %q, which came back", seed, names, open)
			}
			open = open[min(len(open), len(names)):]
			if len(r.texts) > 1 && !s.within(service) {
				q.halve(r, true)
				open = append(names, open...)
				if now := q.current(); s.items > 1 && s.within(now) && !s.within(q.passed) {
					t.Fatalf("seed %d: %+v was refused and is within the limit %+v still", seed, s, now)
				}
				continue
			}
			q.went(r)
			taken = append(taken, names...)
		}
		if want := texts(src, func(s string) string { return s }); !slices.Equal(taken, want) {
			t.Fatalf("seed %d: taken %q, want %q", seed, taken, want)
		}
	}
}

func TestRefusalThatATextExplainsTeachesNothing(t *testing.T) {
	q := &queue{limit: size{100, 1000, 1000}}
	big := &request{texts: []text{{text: "aaaa", tokens: 400}, {text: "b", tokens: 1}}}
	q.halve(big, true)
	if got := q.current(); got != (size{1, 200, 2}) {
		t.Errorf("limit %+v after a refusal", got)
	}
	r, err := q.next(true)
	must(t, err)
	q.tooLong(r)
	if got := q.current(); got != q.limit || q.window != 400 {
		t.Errorf("limit %+v, window %d after the text alone was refused too", got, q.window)
	}
}

func FuzzCutText(f *testing.F) {
	f.Add("", 1)
	f.Add("one line\nand another\n\n\nand more", 3)
	f.Add(strings.Repeat("語", 50)+"\xff\xfe"+strings.Repeat("a1", 40), 5)
	f.Fuzz(func(t *testing.T, s string, tokens int) {
		tokens = 1 + (tokens%500+500)%500
		parts := cutText(s, tokens)
		if strings.Join(parts, "") != s {
			t.Fatalf("the parts %q are not %q", parts, s)
		}
		for _, p := range parts {
			if n := embed.EstimateTokens(p); p == "" || n > tokens && utf8.RuneCountInString(p) > 1 {
				t.Fatalf("a part %q of %d tokens, want %d", p, n, tokens)
			}
		}
	})
}

func TestCutText(t *testing.T) {
	for _, c := range []struct {
		text   string
		tokens int
		want   []string
	}{
		{"", 5, nil},
		{"a b c", 5, []string{"a b c"}},
		{"a b\nc d\ne\n", 4, []string{"a b\n", "c d\n", "e\n"}}, // 3, 3 and 2 tokens
		{"a b\nc d\ne\n", 6, []string{"a b\nc d\n", "e\n"}},
		{"語語語語語\nx", 4, []string{"語語", "語語", "語\nx"}},
	} {
		if got := cutText(c.text, c.tokens); !slices.Equal(got, c.want) {
			t.Errorf("%q in parts of %d: %q, want %q", c.text, c.tokens, got, c.want)
		}
	}
}

func TestPartsThatCancelOutHaveNoMean(t *testing.T) {
	var m mean
	m.add(embed.Vector{1, 0}, 3)
	m.add(embed.Vector{-1, 0}, 3)
	if a := m.answer(); a.Refused != embed.ReasonZero {
		t.Errorf("%+v", a)
	}
	m.add(embed.Vector{0, 1}, 2)
	if a := m.answer(); a.Refused != "" || !slices.Equal(a.Vector, embed.Vector{0, 1}) {
		t.Errorf("%+v", a)
	}
}

func TestPolicy(t *testing.T) {
	for _, c := range []struct {
		allow, deny string // patterns between spaces
		denied      string
		free        string
	}{
		{"", "", "", "a.go x/b.go"},
		{"", "secret", "secret secret/a x/secret/a x/secret", "secrets x/asecret"},
		{"", "x/secret/", "x/secret/a x/secret", "y/x/secret/a"},
		{"", "*.pem", "a.pem x/y/a.pem x.pem/f", "a.pem2"},
		{"", "x/*.pem", "x/a.pem", "x/y/a.pem a.pem"},
		{"", "**/*.{key,pem}", "a.key x/y.pem", "a.keys"},
		{"", ".", "a x/y", ""},
		{"src", "", "a.go lib/src/a.go srcs/a", "src/a.go src/x/y"},
		{"src lib/**", "src/gen", "src/gen/a a", "src/a lib/x/y"},
		{"./src/", "", "a", "src/a"},
		{"**", "a?c", "abc x/abc", "ac"},
		{"", "a[1]", "a1", "a2"},
	} {
		p, err := NewPolicy(strings.Fields(c.allow), strings.Fields(c.deny))
		must(t, err)
		for _, path := range strings.Fields(c.denied) {
			if !p.Denied(path) {
				t.Errorf("allow %q deny %q: %s may leave", c.allow, c.deny, path)
			}
		}
		for _, path := range strings.Fields(c.free) {
			if p.Denied(path) {
				t.Errorf("allow %q deny %q: %s may not leave", c.allow, c.deny, path)
			}
		}
	}
	// What can match nothing: a deny pattern among these would let out what it was meant to keep.
	for _, bad := range []string{"", " ", "..", "../a", "a/../../b", "a/../b", "a/..", "a/./b", "a/.", "a//b", "//a", "/etc/x", "/", "~/x", "C:/x", " a", "a ", "a/**\t", "!a", "!**/a", "a[", "{x"} {
		if _, err := NewPolicy(nil, []string{bad}); err == nil {
			t.Errorf("deny %q is taken", bad)
		}
		if _, err := NewPolicy([]string{bad}, nil); err == nil {
			t.Errorf("allow %q is taken", bad)
		}
	}
	var none *Policy
	if none.Denied("a") {
		t.Error("the nil policy denies")
	}
}
