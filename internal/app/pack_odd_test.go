package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf16"

	"agenvantage"
)

func TestOneRoundAsksNoSecondQuestion(t *testing.T) {
	w := newWorld(t, grow(3).files)
	p := w.packed(PackRequest{Task: "add a weekly streak to the dashboard", OneRound: true})
	looked := 0
	for _, s := range p.Slots {
		switch s.Name {
		case agenvantage.SlotData, agenvantage.SlotSurface, agenvantage.SlotConfig, agenvantage.SlotAnalogous:
			if looked++; s.Coverage != "not looked for" || len(s.Evidence) > 0 {
				t.Errorf("%+v", s)
			}
		}
	}
	if looked == 0 {
		t.Error("no slot that further questions fill")
	}
}

func TestPackRefusesBadInput(t *testing.T) {
	w := newWorld(t, files{"a.go": function("Cart")})
	diff := "HEAD"
	for _, c := range []struct {
		r    PackRequest
		want string
	}{
		{PackRequest{}, "empty"},
		{PackRequest{Task: " \n\t"}, "empty"},
		{PackRequest{Task: "x\x00y"}, "NUL"},
		{PackRequest{Task: "x\xff"}, "UTF-8"},
		{PackRequest{Task: "cart", Preset: "mood"}, `"mood"`},
		{PackRequest{Task: "cart", Channels: []string{"telepathy"}}, "telepathy"},
		{PackRequest{Task: "cart", Tokenizer: "p50k"}, "p50k"},
		{PackRequest{Task: "cart", Seeds: []string{"nowhere.go"}}, "nowhere.go"},
		{PackRequest{Task: "cart", Seeds: []string{"../outside"}}, "outside"},
		{PackRequest{Task: "cart", Seeds: []string{""}}, "seed"},
		{PackRequest{Task: "cart", Budget: 5}, "smallest"},
		{PackRequest{Task: "cart", Budget: -1}, "-1"},
		{PackRequest{Task: "cart", Output: "\x1b[0m \n"}, "output is empty"},
		{PackRequest{FromDiff: &diff}, "--from-diff"}, // there is no git repository
	} {
		if _, err := w.Pack(t.Context(), c.r, nil); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.r, err, c.want)
		}
	}
	if n := len(w.keptIDs()); n != 0 {
		t.Errorf("%d packs are kept", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Pack(ctx, PackRequest{Task: "cart"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if p := w.packed(PackRequest{Task: "cart", Seeds: []string{"./a.go"}}); !strings.Contains(places(p), "a.go:") {
		t.Errorf("after the errors: %s", places(p))
	}
}

// TestASmallestBudgetIsOneThatWorks: what an error names as enough must be enough.
func TestASmallestBudgetIsOneThatWorks(t *testing.T) {
	w := newWorld(t, grow(5).files)
	for _, task := range append(grow(5).tasks(5), strings.Repeat("the cart and the streak are wrong again ", 400)) {
		_, err := w.Pack(t.Context(), PackRequest{Task: task, Budget: 10}, nil)
		var smallest int
		if err != nil {
			_, after, _ := strings.Cut(err.Error(), "the smallest that does is ")
			_, _ = fmt.Sscan(after, &smallest)
		}
		if !errors.Is(err, agenvantage.ErrBadInput) || smallest < 50 {
			t.Errorf("%.40q: %v", task, err)
			continue
		}
		w.packed(PackRequest{Task: task, Budget: smallest})
	}
}

func TestPacksOfOddTrees(t *testing.T) {
	huge := "package p\n"
	for i := range 3000 {
		huge += fmt.Sprintf("\n// Step%d moves the cart.\nfunc Step%d(cart int) int {\n\treturn cart + %d\n}\n", i, i, i)
	}
	tiny := files{}
	for i := range 300 {
		tiny[fmt.Sprintf("cart/f%03d.go", i)] = fmt.Sprintf("package cart\n\nfunc Cart%d() {}\n", i)
	}
	for _, c := range []struct {
		name   string
		files  files
		status []agenvantage.PackStatus
		want   string // a path that has to be shown
	}{
		{"empty", nil, []agenvantage.PackStatus{agenvantage.PackInsufficient}, ""},
		{"only empty files", files{"a.go": "", "b.md": ""}, []agenvantage.PackStatus{agenvantage.PackInsufficient}, ""},
		{"only documents", files{"README.md": "# Shop\n\nThe cart total.\n", "docs/cart.md": "# Cart\n\nA cart sums its lines.\n"}, nil, "docs/cart.md"},
		{"only tests", files{"cart_test.go": "package p\n\nfunc TestCartTotal(t *testing.T) { cartTotal() }\n", "other_test.go": "package p\n\nfunc TestOther(t *testing.T) {}\n"}, nil, "cart_test.go"},
		{"one huge file", files{"huge.go": huge}, nil, "huge.go"},
		{"300 tiny files", tiny, nil, "cart/f000.go"},
		{"one line without an end", files{"cart.py": "def cart_total(): return 1"}, nil, "cart.py"},
		{"carriage returns", files{"cart.py": "def cart_total(x):\r\n    y = x\r\n    return y\r\n"}, nil, "cart.py"},
		{"one very long line", files{"cart.py": "cart_total = '" + strings.Repeat("cart total ", 3000) + "'\n"}, nil, ""},
		{"instructions alone", files{"AGENTS.md": "# Rules\n\nThe cart total is tested by hand.\n"}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, c.files)
			for _, budget := range []int{800, 6000} {
				p := w.packed(PackRequest{Task: "the cart total is wrong", Budget: budget})
				if c.status != nil && !slices.Contains(c.status, p.Status) {
					t.Errorf("%d tokens: %s: %s", budget, p.Status, p.Why)
				}
				if len(c.files) == 0 && len(p.Blocks) > 0 {
					t.Errorf("blocks of nothing: %+v", p.Blocks)
				}
				if c.want != "" && !strings.Contains(places(p), c.want) {
					t.Errorf("%d tokens: %s is not shown: %s", budget, c.want, places(p))
				}
			}
		})
	}
}

// Files that are no UTF-8 are shown as they read, line by line.
func TestPacksOfOtherEncodings(t *testing.T) {
	text := "def cart_total(x):\n    name = 'Müller'\n    return x\n"
	wide := "\xff\xfe"
	for _, u := range utf16.Encode([]rune(text)) {
		wide += string([]byte{byte(u), byte(u >> 8)})
	}
	w := newWorld(t, files{"wide~.py": wide, "latin~.py": strings.ReplaceAll(strings.ReplaceAll(text, "ü", "\xfc"), "total", "total_latin"), "mark~.py": "\ufeff" + strings.ReplaceAll(text, "total", "total_mark")})
	p := w.packed(PackRequest{Task: "cart_total and cart_total_latin and cart_total_mark are wrong", Budget: 4000})
	for _, name := range []string{"wide~.py", "latin~.py", "mark~.py"} {
		i := slices.IndexFunc(p.Blocks, func(b agenvantage.Block) bool { return b.Path == name })
		if i < 0 || !strings.Contains(p.Blocks[i].Text, "Müller") || p.Blocks[i].EndLine > 3 {
			t.Errorf("%s: %s\n%+v", name, places(p), p.Blocks)
		}
	}
}

// What the notes say is part of the text that is counted: a pack whose notes came late had more tokens than it said, another id
// than its record, and could be over its budget.
func TestNotesThatComeLateAreCounted(t *testing.T) {
	w := newWorld(t, files{"a.go": numbered(40)})
	w.mustIndex()
	if err := os.WriteFile(w.packFolder(), nil, 0o600); err != nil { // packs cannot be kept
		t.Fatal(err)
	}
	p := w.packed(PackRequest{Task: "change the numbers that F1 to F40 return", Budget: 900})
	if !strings.Contains(strings.Join(p.Notes, "\n"), "not kept") {
		t.Errorf("notes %q", p.Notes)
	}
}

// An index that is behind the tree says so in the status: what it proves absent may have come since.
func TestAPackOfAStaleIndexIsNotReady(t *testing.T) {
	w := newGitWorld(t, nil)
	w.commit("first", files{"cart.go": "package p\n\n// CartTotal sums the cart.\nfunc CartTotal() int {\n\treturn 1\n}\n", "cart_test.go": "package p\n\nfunc TestCartTotal(t *testing.T) {\n\tCartTotal()\n}\n"})
	r := PackRequest{Task: "CartTotal is wrong", Preset: agenvantage.TaskBug}
	fresh := w.packed(r)
	if fresh.Status != agenvantage.PackReady {
		t.Errorf("of a fresh index: %s: %s", fresh.Status, fresh.Why)
	}
	w.write(files{"cart.go": "package p\n\nfunc Other() {}\n", "more.go": function("More")})
	w.forgetCheck()
	r.NoRefresh = true
	p, err := w.Pack(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Status == agenvantage.PackReady || !strings.Contains(strings.Join(p.Notes, "\n"), "stale") {
		t.Errorf("%s: %s; notes %q", p.Status, p.Why, p.Notes)
	}
	for _, s := range p.Slots {
		if s.State == agenvantage.SlotProvenAbsent {
			t.Errorf("%s is proven absent by an index that is behind the tree", s.Name)
		}
	}
	b := blockOf(t, p, "cart.go")
	if got, err := w.Rehydrate(t.Context(), b.ID); err != nil || got.Text != b.Text || got.State != RehydratedChanged {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPacksAtTheSameTimeAreEqual(t *testing.T) {
	w := newWorld(t, grow(4).files)
	want := jsonOf(t, w.packed(PackRequest{Task: "merge the cart with the ledger"}))
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			p, err := w.Pack(t.Context(), PackRequest{Task: "merge the cart with the ledger"}, nil)
			if err != nil {
				t.Error(err)
			} else if got := jsonOf(t, p); got != want {
				t.Errorf("%s\n%s", got, want)
			}
		})
	}
	all.Wait()
}

// A folder as a seed was looked for among the files, so that a pack of it said that nothing the task names is in the repository.
func TestASeedThatIsAFolderIsNotMissing(t *testing.T) {
	w := newWorld(t, files{"shop/cart/cart.go": "package cart\n\n// CartTotal sums the cart.\nfunc CartTotal() int {\n\treturn 1\n}\n", "shop/other/other.go": function("Other")})
	for _, seed := range []string{"shop/cart", "shop/cart/", ".", "shop/cart/cart.go"} {
		p := w.packed(PackRequest{Task: "review the total", Seeds: []string{seed}})
		if p.Status == agenvantage.PackInsufficient || len(linesShown(p, "shop/cart/cart.go")) == 0 || strings.Contains(strings.Join(p.Missing, "\n"), "shop/cart") {
			t.Errorf("%s: %s: %s; missing %q; %s", seed, p.Status, p.Why, p.Missing, places(p))
		}
	}
}

// A task that names many files is ready where all of them fit, and not where the budget drops some.
func TestReadyAtEveryBudget(t *testing.T) {
	skipWhenShort(t)
	w := newFailingShop(t)
	ready := 0
	for budget := 500; budget <= 3000; budget += 125 {
		for _, task := range []string{"CartTotal: fix Total in cart/total.go", "fix total in py/total.py", "fix Part1, Part2, Part3, Part4 and Part5"} {
			r := PackRequest{Task: task, Preset: agenvantage.TaskBug, Budget: budget}
			if _, err := w.Pack(t.Context(), r, nil); errors.Is(err, agenvantage.ErrBadInput) {
				continue // less than the frame
			}
			if p := w.packed(r); p.Status == agenvantage.PackReady {
				ready++
				w.showsWhatItRestsOn(r)
			}
		}
	}
	if ready == 0 {
		t.Error("no pack is ready")
	}
}
