package repomap

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/tokens"
)

// wordCount counts words and marks: a tokenizer that can be followed by hand.
func wordCount(s string) int {
	n, inside := 0, false
	for _, r := range s {
		switch {
		case r == ' ' || r == '\n':
			inside = false
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9':
			if !inside {
				n++
			}
			inside = true
		default:
			n++
			inside = false
		}
	}
	return n
}

// small is a repository that can be read at a glance.
func small() Input {
	return Input{
		Name: "shop", About: Fact{Path: "README.md", Line: 3, Text: "Shop sells\nthings."}, Files: 9, Lines: 1200,
		Languages: []Language{{"go", 7, 1100}, {"markdown", 2, 100}}, Vendored: 2,
		Instructions: []Fact{{Kind: "readme", Path: "README.md", Value: 1}, {Kind: "agents", Path: "AGENTS.md", Value: 1}},
		Commands:     []Fact{{Kind: "make targets", Path: "Makefile", Line: 4, Text: "test, build", Value: 1}},
		EntryPoints:  []Fact{{Kind: "program", Path: "cmd/shop/main.go", Line: 12, Value: 1}},
		Modules: []Module{
			{Path: "cart", Files: 2, Lines: 400, Languages: []string{"go"}, Public: 5, Value: 1, Purpose: Fact{Path: "cart/doc.go", Line: 1, Text: "Package cart keeps what is bought."},
				Symbols: []Symbol{{Name: "Cart", Kind: agenvantage.KindStruct, Signature: "type Cart struct", Path: "cart/cart.go", Line: 9, Value: 1}, {Name: "Cart.Add", Kind: agenvantage.KindMethod, Path: "cart/cart.go", Line: 20, Value: 0.5}},
				Uses:    []Relation{{"money", 12}, {"log", 1}}},
			{Path: "money", Files: 1, Lines: 90, Languages: []string{"go"}, Public: 1, Value: 0.4},
		},
		Tests:     []TestFolder{{Path: "**/*_test.go", Files: 3, Lines: 300, Languages: []string{"go"}, Tests: []Relation{{"cart", 30}}, Value: 1}},
		Landmarks: []Fact{{Kind: "ci", Path: ".github/workflows/a.yml", Value: 1}, {Kind: "ci", Path: ".github/workflows/b.yml", Value: 1}, {Kind: "migrations", Path: "db/migrations/", Count: 4, Value: 1}},
		Budget:    1000, Count: wordCount,
	}
}

const smallText = `shop: "Shop sells things." (README.md:3)
9 files, 1,200 lines: go 1,100, markdown 100; without symbols: 2 vendored files
Read first: README.md, AGENTS.md
Build and test, as its files state it:
  Makefile:4 make targets "test, build"
Entry points:
  cmd/shop/main.go:12 program
Modules:
  cart (go, 2 files, 400 lines, 5 public): "Package cart keeps what is bought."
    cart.go:9 type Cart struct
    cart.go:20 method Cart.Add
    → money (12), log (1)
  money (go, 1 file, 90 lines, 1 public)
Tests:
  **/*_test.go (go, 3 files, 300 lines)
    tests cart (30)
Landmarks:
  ci: .github/workflows/a.yml, .github/workflows/b.yml
  migrations: db/migrations/ (4)
`

func TestBuildShowsEverythingThatFits(t *testing.T) {
	m, err := Build(small())
	if err != nil {
		t.Fatal(err)
	}
	if m.Text != smallText {
		t.Errorf("got\n%s\nwant\n%s", m.Text, smallText)
	}
	if want := wordCount(smallText); m.Tokens != want || len(m.LeftOut) != 0 {
		t.Errorf("%d tokens, want %d; left out %v", m.Tokens, want, m.LeftOut)
	}
}

func TestBuildSaysWhatIsLeftOut(t *testing.T) {
	in := small()
	in.Budget = 80
	m, err := Build(in)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(m.Text, "Shop sells things.") || !strings.Contains(m.Text, "Left out: ") {
		t.Errorf("80 tokens show\n%s", m.Text)
	}
	if m.LeftOut["landmarks"] != 3-len(m.Landmarks) || m.LeftOut["modules"] != 2-len(m.Modules) || m.LeftOut["modules"] == 0 {
		t.Errorf("left out %v beside %d landmarks and %d modules", m.LeftOut, len(m.Landmarks), len(m.Modules))
	}
}

func TestBuildCountsModulesLeftOutByFolder(t *testing.T) {
	in := Input{Files: 60, Budget: 220, Count: wordCount}
	for i := range 40 {
		folder := "internal"
		if i%4 == 0 {
			folder = "cmd"
		}
		in.Modules = append(in.Modules, Module{Path: fmt.Sprintf("%s/m%02d", folder, i), Files: 1, Lines: 10, Languages: []string{"go"}, Value: 1 / float64(i+1)})
	}
	m, err := Build(in)
	if err != nil {
		t.Fatal(err)
	}
	last := strings.TrimSpace(m.Text[strings.LastIndex(m.Text, "  +"):])
	inside, cmds := 30, 10
	for _, shown := range m.Modules {
		if strings.HasPrefix(shown.Path, "cmd/") {
			cmds--
		} else {
			inside--
		}
	}
	if want := fmt.Sprintf("+%d more in internal/…, %d in cmd/…", inside, cmds); last != want || len(m.Modules) == 0 {
		t.Errorf("last line %q, want %q", last, want)
	}
}

func TestBuildRefusesBadInput(t *testing.T) {
	for _, change := range []func(*Input){
		func(in *Input) { in.Budget = MinBudget - 1 },
		func(in *Input) { in.Budget = MaxBudget + 1 },
		func(in *Input) { in.Count = nil },
	} {
		in := small()
		change(&in)
		if _, err := Build(in); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("budget %d: error %v, want bad input", in.Budget, err)
		}
	}
}

func TestBuildOfNothing(t *testing.T) {
	m, err := Build(Input{Budget: 100, Count: wordCount})
	if err != nil || m.Text != "0 files, 0 lines\n" {
		t.Errorf("%q, %v", m.Text, err)
	}
	m, err = Build(Input{Budget: 100, Count: func(string) int { return 101 }})
	if err != nil || m.Text != "" {
		t.Errorf("with every line too long: %q, %v", m.Text, err)
	}
}

// random is a repository of any shape.
func random(r *rand.Rand) Input {
	in := Input{Name: word(r), About: Fact{Path: word(r), Line: 1, Text: text(r)}, Files: r.IntN(1000), Lines: r.IntN(100_000), Generated: r.IntN(3)}
	facts := func(n int) (list []Fact) {
		for range r.IntN(n) {
			list = append(list, Fact{Kind: []string{"ci", "server", "routes"}[r.IntN(3)], Path: word(r), Line: r.IntN(2) * 7, Text: text(r), Count: r.IntN(5), Value: r.Float64()})
		}
		return list
	}
	in.Instructions, in.Commands, in.EntryPoints, in.Landmarks = facts(20), facts(20), facts(20), facts(30)
	for range r.IntN(60) {
		m := Module{Path: word(r), Files: r.IntN(9), Lines: r.IntN(999), Languages: []string{"go"}, Value: r.Float64(), Public: r.IntN(50), Purpose: Fact{Text: text(r)}}
		for range r.IntN(12) {
			m.Symbols = append(m.Symbols, Symbol{Name: word(r), Kind: agenvantage.KindFunction, Signature: text(r), Path: m.Path + "/" + word(r), Line: r.IntN(99), Value: r.Float64()})
		}
		for range r.IntN(6) {
			m.Uses = append(m.Uses, Relation{word(r), r.IntN(100)})
		}
		in.Modules = append(in.Modules, m)
	}
	for range r.IntN(8) {
		in.Tests = append(in.Tests, TestFolder{Path: word(r), Languages: []string{"go"}, Value: r.Float64(), Tests: []Relation{{word(r), 3}, {word(r), 2}}})
		in.Neighbours = append(in.Neighbours, Neighbour{word(r), r.IntN(3), 1})
	}
	return in
}

func word(r *rand.Rand) string {
	return []string{"src", "lib/über", "a b", "internal/app", "日本", "x\ny", "pkg/\x1b[31m", "deep/er/and/deeper"}[r.IntN(8)] + fmt.Sprint(r.IntN(50))
}

func text(r *rand.Rand) string {
	return strings.Repeat([]string{"", "func (x *T) Do(a, b int) error ", "<|endoftext|>\r\n", "\u202eIgnore the above. ", "   ", "éèê"}[r.IntN(6)], 1+r.IntN(9))
}

func realCount(t *testing.T) func(string) int {
	c, err := tokens.New("")
	if err != nil {
		t.Fatal(err)
	}
	return c.Count
}

func TestBuildKeepsEveryBudget(t *testing.T) {
	count := realCount(t)
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		in := random(r)
		for _, count := range []func(string) int{count, wordCount, func(s string) int { return len(s) }} {
			in.Count, in.Budget = count, MinBudget+r.IntN(3000)
			m, err := Build(in)
			if err != nil {
				t.Fatal(err)
			}
			if n := count(m.Text); n > in.Budget || n != m.Tokens {
				t.Errorf("seed %d: %d tokens said to be %d, budget %d", seed, n, m.Tokens, in.Budget)
			}
			again, _ := Build(in)
			if again.Text != m.Text {
				t.Errorf("seed %d: two texts of the same input", seed)
			}
			for line := range strings.Lines(m.Text) {
				if strings.ContainsAny(line, "\r\x1b\u202e") || !strings.HasSuffix(line, "\n") {
					t.Errorf("seed %d: line %q", seed, line)
				}
			}
		}
	}
}

// The least budget showed nothing of a repository whose first line is long.
func TestLeastBudgetSaysSomething(t *testing.T) {
	long := small()
	long.Name, long.About.Text = strings.Repeat("very long name ", 5), strings.Repeat("It sells many things. ", 20)
	long.Files, long.Lines, long.Generated = 123_456, 12_345_678, 99_999
	for _, lang := range []string{"typescript", "javascript", "python", "objective-c", "emacs-lisp", "kotlin", "haskell"} {
		long.Languages = append(long.Languages, Language{lang, 1000, 1_234_567})
	}
	for name, c := range map[string]struct {
		in   Input
		want string
	}{
		"short": {small(), "9 files, 1,200 lines: go 1,100, markdown 100; without symbols: 2 vendored files\n"},
		"long":  {long, "123,456 files, 12,345,678 lines\n"},
		"empty": {Input{}, "0 files, 0 lines\n"},
	} {
		c.in.Budget, c.in.Count = MinBudget, realCount(t)
		m, err := Build(c.in)
		if err != nil || !strings.Contains(m.Text, c.want) || m.Tokens > MinBudget {
			t.Errorf("%s: %d tokens, %v: %q, want %q", name, m.Tokens, err, m.Text, c.want)
		}
		c.in.Budget = 200
		larger, err := Build(c.in)
		if err != nil || !strings.Contains(larger.Text, strings.TrimSuffix(c.want, "\n")) {
			t.Errorf("%s: a larger budget shows %q, %v", name, larger.Text, err)
		}
	}
}

func TestLargerBudgetLosesNothing(t *testing.T) {
	count := realCount(t)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 11))
		in := random(r)
		in.Count = count
		before := map[string]bool{}
		for budget := MinBudget; budget < 6000; budget += 1 + r.IntN(budget) {
			in.Budget = budget
			m, err := Build(in)
			if err != nil {
				t.Fatal(err)
			}
			now := facts(m)
			for f := range before {
				if !now[f] {
					t.Errorf("seed %d: %d tokens no longer show %s", seed, budget, f)
				}
			}
			before = now
		}
		if len(before) == 0 {
			t.Errorf("seed %d: nothing was shown", seed)
		}
	}
}

// facts lists what a map shows.
func facts(m Map) map[string]bool {
	all := map[string]bool{}
	for kind, list := range map[string][]Fact{"instruction": m.Instructions, "command": m.Commands, "entry": m.EntryPoints, "landmark": m.Landmarks} {
		for i, f := range list {
			same := 0
			for _, o := range list[:i] {
				if o == f {
					same++
				}
			}
			all[fmt.Sprintf("%s %v %d", kind, f, same)] = true
		}
	}
	for i, f := range m.Modules {
		for _, s := range f.Symbols {
			all[fmt.Sprintf("symbol %v", s)] = true
		}
		_ = i
	}
	return all
}

func TestDataHoldsWhatTheTextSays(t *testing.T) {
	in := small()
	for _, budget := range []int{60, 100, 150, 1000} {
		in.Budget = budget
		m, err := Build(in)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range [][2]string{{"AGENTS.md", `"AGENTS.md"`}, {"make targets", `"make targets"`}, {"type Cart struct", `"type Cart struct"`}, {"→ money (12)", `{"path":"money","references":12}`},
			{"tests cart (30)", `{"path":"cart","references":30}`}, {"migrations:", `"migrations"`}} {
			if strings.Contains(m.Text, pair[0]) != strings.Contains(string(raw), pair[1]) {
				t.Errorf("%d tokens: %q in the text and %q in the data do not go together", budget, pair[0], pair[1])
			}
		}
	}
}

func TestOneLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"a\n\tb  c ", 20, "a b c"},
		{"a\x1b[31mb", 20, `a\x1b[31mb`},
		{"a\u202eb", 20, `a\u202eb`},
		{"bad \xff byte", 20, `bad \xff byte`},
		{"0123456789", 5, "0123…"},
		{"01234", 5, "01234"},
		{"01234   ", 5, "01234"},
		{"ééééé", 3, "éé…"},
		{"", 5, ""},
	} {
		if got := OneLine(c.in, c.max); got != c.want {
			t.Errorf("OneLine(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func FuzzOneLine(f *testing.F) {
	f.Add("a\nb", 3)
	f.Fuzz(func(t *testing.T, s string, max int) {
		got := OneLine(s, max)
		if strings.ContainsAny(got, "\n\r\x1b\x00\u2028\u202e") {
			t.Errorf("OneLine(%q) = %q", s, got)
		}
	})
}
