package app

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/pack"
)

// packWorld is a repository with a pack of it that was put together by hand.
type packWorld struct {
	*gitWorld
	record PackRecord
	head   string
}

// numbered is a Go file with functions of five lines behind each other: F1 in lines 3-7, F2 in lines 9-13, and so on.
func numbered(functions int) string {
	var b strings.Builder
	b.WriteString("package p\n")
	for i := range functions {
		fmt.Fprintf(&b, "\nfunc F%d() int {\n\tx := %d\n\ty := x\n\treturn y\n}\n", i+1, i+1)
	}
	return b.String()
}

// newPackWorld has a pack that shows F1 and README.md, has handles for F2 and F5, and has dropped F3 and two places that share lines
// with others.
func newPackWorld(t *testing.T) *packWorld {
	w := &packWorld{gitWorld: newGitWorld(t, nil)}
	w.head = w.commit("first", files{"src/a.go": numbered(8), "src/other.go": function("Other"), "README.md": "# Title\n\nWords.\n", "gen.bin": "\x00\x01"})
	w.mustIndex()
	w.record = PackRecord{Pack: agenvantage.Pack{Task: "change the numbers", Preset: agenvantage.TaskFeature, Budget: 900, Tokenizer: "o200k_base, cl100k_base", Revision: w.head,
		Status: agenvantage.PackPartial, Slots: []agenvantage.Slot{{Name: agenvantage.SlotImplementation, State: agenvantage.SlotFilled, Channels: []string{"bm25f", "exact"}}, {Name: agenvantage.SlotTests}}}}
	w.consider(OutcomeShown, "src/a.go", 3, 7, "F1")
	w.consider(OutcomeDropped, "src/a.go", 15, 19, "F3")
	w.consider(OutcomeHandle, "src/a.go", 9, 13, "F2")
	w.consider(OutcomeDropped, "src/a.go", 1, 4, "")
	w.consider(OutcomeHandle, "src/a.go", 27, 31, "F5")
	w.consider(OutcomeDropped, "src/a.go", 11, 20, "")
	w.record.Pack.ID = pack.ID(w.record.Pack)
	w.keep(w.record)
	return w
}

// consider adds a place, as block or handle where the outcome is one.
func (w *packWorld) consider(outcome PackOutcome, path string, start, end int, symbol string) {
	w.t.Helper()
	pinned, err := w.pin(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	defer pinned.release()
	f, ok := pinned.corpus.Find(path)
	if !ok {
		w.t.Fatalf("%s is not indexed", path)
	}
	text, err := pinned.corpus.Text(f)
	if err != nil {
		w.t.Fatal(err)
	}
	r := &w.record
	c := Considered{Path: path, StartLine: start, EndLine: end, Symbol: symbol, Slot: agenvantage.SlotImplementation, Rank: len(r.Considered) + 1, Reason: "names numbers", Tokens: 40,
		Revision: blobRevision(pinned.corpus.File(f).Hash), Outcome: outcome, Why: "the budget is used up"}
	switch outcome {
	case OutcomeShown:
		b := agenvantage.Block{Kind: agenvantage.BlockSource, Path: path, StartLine: start, EndLine: end, Symbol: symbol, Slot: c.Slot, Reason: c.Reason, Revision: c.Revision,
			Text: strings.Join(strings.Split(text, "\n")[start-1:end], "\n")}
		b.ID = pack.BlockID(b)
		c.ID = b.ID
		r.Pack.Blocks = append(r.Pack.Blocks, b)
	case OutcomeHandle:
		h := agenvantage.Handle{Path: path, StartLine: start, EndLine: end, Symbol: symbol, Slot: c.Slot, Tokens: 40, Why: c.Why, Revision: c.Revision}
		h.SourceID = pack.HandleID(h)
		c.ID = h.SourceID
		r.Pack.Handles = append(r.Pack.Handles, h)
	}
	r.Considered = append(r.Considered, c)
}

func (w *packWorld) expand(id string, budget int) agenvantage.Pack {
	w.t.Helper()
	w.forgetCheck()
	p, err := w.Expand(w.t.Context(), ExpandRequest{PackID: id, Slot: agenvantage.SlotImplementation, Budget: budget})
	if err != nil {
		w.t.Fatal(err)
	}
	count, _, err := packCounter(p.Tokenizer)
	if err != nil {
		w.t.Fatal(err)
	}
	if n := count(pack.Markdown(p)); n != p.Tokens || n > budget {
		w.t.Errorf("%d tokens, the pack says %d, the budget is %d", n, p.Tokens, budget)
	}
	if p.ID != pack.ID(p) || p.ID == id {
		w.t.Errorf("the id is %s, want %s", p.ID, pack.ID(p))
	}
	return p
}

// places lists the blocks of a pack.
func places(p agenvantage.Pack) string {
	var all []string
	for _, b := range p.Blocks {
		all = append(all, fmt.Sprintf("%s:%d-%d", b.Path, b.StartLine, b.EndLine))
	}
	return strings.Join(all, " ")
}

func TestExpandGoesOnUntilNothingIsLeft(t *testing.T) {
	w := newPackWorld(t)
	all := w.expand(w.record.Pack.ID, 2000)
	if got := places(all); got != "src/a.go:9-13 src/a.go:27-31 src/a.go:15-19" {
		t.Fatalf("in one go: %s", got)
	}
	want := "func F2() int {\n\tx := 2\n\ty := x\n\treturn y\n}"
	if b := all.Blocks[0]; b.Text != want || b.Symbol != "F2" || b.Lang != "go" || b.Dirty || b.Kind != agenvantage.BlockSource || b.Slot != agenvantage.SlotImplementation || b.Tokens <= 0 {
		t.Errorf("%+v", b)
	}
	if all.Status != agenvantage.PackReady || all.Task != "change the numbers" || all.Revision != w.head || len(all.Next) > 0 {
		t.Errorf("%+v", all)
	}
	if got := all.Slots[0].Coverage; got != "6 considered places: 1 shown before, 3 shown here, 0 left, 2 share lines with what is shown" {
		t.Errorf("coverage %q", got)
	}

	// With a budget for one block after the other.
	budget := all.Tokens - all.Blocks[1].Tokens
	id, seen := w.record.Pack.ID, []string{}
	var p agenvantage.Pack
	for range 4 {
		if p = w.expand(id, budget); len(p.Blocks) == 0 {
			break
		}
		id = p.ID
		seen = append(seen, places(p))
	}
	if got := strings.Join(seen, " "); got != "src/a.go:9-13 src/a.go:27-31 src/a.go:15-19" || len(seen) < 2 {
		t.Errorf("one after the other: %q", seen)
	}
	if p.Status != agenvantage.PackInsufficient || p.Why != "nothing is left to show for implementation: 6 considered places: 4 shown before, 0 shown here, 0 left, 2 share lines with what is shown" {
		t.Errorf("%s: %s", p.Status, p.Why)
	}
	again := w.expand(w.record.Pack.ID, budget)
	if first := w.expand(w.record.Pack.ID, budget); first.ID != again.ID {
		t.Errorf("the same question gives %s and %s", first.ID, again.ID)
	}
}

func TestExpandShowsTheRestOfACutBlock(t *testing.T) {
	w := newPackWorld(t)
	r := w.record
	r.Considered, r.Pack.Handles, r.Pack.Slots = r.Considered[:1:1], nil, r.Pack.Slots[:1:1]
	b := r.Pack.Blocks[0]
	b.EndLine, b.Text, b.Cut = 5, "func F1() int {\n\tx := 1\n\ty := x", "lines 6-7"
	b.ID = pack.BlockID(b)
	r.Considered[0].ID = b.ID
	r.Pack.Blocks = []agenvantage.Block{b}
	r.Pack.Handles = []agenvantage.Handle{{SourceID: "h00000000aaaa", Path: "src/a.go", StartLine: 6, EndLine: 7, Symbol: "F1", Slot: agenvantage.SlotImplementation, Why: "cut", Revision: b.Revision}}
	r.Pack.ID = pack.ID(r.Pack)
	w.keep(r)
	p := w.expand(r.Pack.ID, 2000)
	if got := places(p); got != "src/a.go:6-7" {
		t.Errorf("%s", got)
	}
	if p = w.expand(p.ID, 2000); len(p.Blocks) > 0 {
		t.Errorf("shown twice: %s", places(p))
	}
}

func TestExpandFollowsFilesThatChanged(t *testing.T) {
	w := newPackWorld(t)
	w.consider(OutcomeHandle, "README.md", 1, 3, "")
	w.record.Pack.ID = pack.ID(w.record.Pack)
	w.keep(w.record)
	w.write(files{"src/a.go": strings.Replace(numbered(8), "package p\n", "package p\n\n// Added.\nvar Added = 1\n", 1), "README.md": "# Other title\n\nMore.\n"})
	p := w.expand(w.record.Pack.ID, 2000)
	if got := places(p); got != "src/a.go:12-16 src/a.go:30-34 src/a.go:18-22" {
		t.Errorf("%s", got)
	}
	if !strings.HasPrefix(p.Blocks[0].Text, "func F2()") || !p.Blocks[0].Dirty {
		t.Errorf("%+v", p.Blocks[0])
	}
	notes := strings.Join(p.Notes, "\n")
	for _, want := range []string{"changed since they were shown: src/a.go", "found again by their symbol, since their files changed: F2 (src/a.go:12-16), F5", "no symbol tells where they are now: README.md:1-3"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in\n%s", want, notes)
		}
	}
	if got := p.Slots[0].Coverage; !strings.Contains(got, "3 not found again") {
		t.Errorf("coverage %q", got)
	}
	if p = w.expand(p.ID, 2000); len(p.Blocks) > 0 {
		t.Errorf("shown twice: %s", places(p))
	}
}

func TestExpandRefusesBadInput(t *testing.T) {
	w := newPackWorld(t)
	for _, c := range []struct {
		r    ExpandRequest
		want string
	}{
		{ExpandRequest{PackID: "p0000000000000000", Slot: agenvantage.SlotTests}, "unknown pack"},
		{ExpandRequest{PackID: w.record.Pack.ID, Slot: "mood"}, `unknown slot "mood"; the slots are implementation, state`},
		{ExpandRequest{PackID: w.record.Pack.ID, Slot: agenvantage.SlotConfig}, `has no slot "config"; its slots are implementation, tests`},
		{ExpandRequest{PackID: w.record.Pack.ID, Slot: agenvantage.SlotTests, Budget: -1}, "the budget is -1"},
		{ExpandRequest{PackID: w.record.Pack.ID, Slot: agenvantage.SlotTests, Budget: 5}, "the smallest that does is"},
		{ExpandRequest{PackID: w.record.Pack.ID, Slot: agenvantage.SlotTests, Tokenizer: "p50k"}, `"p50k"`},
	} {
		if _, err := w.Expand(t.Context(), c.r); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.r, err, c.want)
		}
	}
	p, err := w.Expand(t.Context(), ExpandRequest{PackID: w.record.Pack.ID[:8], Slot: agenvantage.SlotTests, Tokenizer: "cl100k"})
	if err != nil || len(p.Blocks) != 0 || p.Tokenizer != "cl100k_base" || !strings.Contains(p.Why, "nothing is left to show for tests: 0 considered places") {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestExpandKeepsWhatDoesNotFitAsHandles(t *testing.T) {
	w := newPackWorld(t)
	all := w.expand(w.record.Pack.ID, 2000)
	frame := all.Tokens
	for _, b := range all.Blocks {
		frame -= b.Tokens
	}
	least := min(all.Blocks[0].Tokens, all.Blocks[1].Tokens, all.Blocks[2].Tokens)
	p := w.expand(w.record.Pack.ID, frame+least-1)
	if len(p.Blocks) != 0 || p.Status != agenvantage.PackInsufficient || p.Slots[0].NextCost != least || len(p.Next) != 1 {
		t.Errorf("%+v", p)
	}
	if p = w.expand(w.record.Pack.ID, all.Tokens-1); places(p) != "src/a.go:9-13 src/a.go:27-31" || p.Status != agenvantage.PackPartial {
		t.Fatalf("%+v", p)
	}
	if p = w.expand(w.record.Pack.ID, p.Tokens-1); places(p) != "src/a.go:9-13" || len(p.Handles) != 1 || p.Why != "2 more places considered for implementation left" {
		t.Fatalf("%+v", p)
	}
	h := p.Handles[0]
	if h.Path != "src/a.go" || h.StartLine != 27 || h.Symbol != "F5" || h.SourceID != pack.HandleID(h) || h.Tokens != p.Slots[0].NextCost {
		t.Errorf("%+v", h)
	}
	if r, err := w.Rehydrate(t.Context(), h.SourceID); err != nil || !strings.HasPrefix(r.Text, "func F5()") || r.PackID != p.ID {
		t.Errorf("%+v, %v", r, err)
	}
}
