package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// settling is a function in which the words of the task below stand.
func settling(name, more string) string {
	return "package zone\n\n// " + name + " settles the total of an empty cart in the currency of the ledger.\nfunc " + name + "(cart []int, currency string) int {\n\ttotal := 0\n" +
		"\tfor _, entry := range cart {\n\t\ttotal += entry * rateOf(currency)\n\t}\n" + more + "\treturn ledger(total, currency)\n}\n"
}

// vendored is a tree with a function in three copies, one that is nearly the same, one of another name, and one of another text.
func vendored() files {
	tree := files{
		"zone/settle.go":         settling("settleCart", ""),
		"third/a/zone/settle.go": settling("settleCart", ""),
		"third/b/zone/settle.go": strings.ReplaceAll(settling("settleCart", ""), "\n", "  \n"),
		"third/c/zone/named.go":  settling("settleBasket", ""),
		"third/d/zone/longer.go": settling("settleCart", "\tif total < 0 {\n\t\tpanic(\"the cart owes the ledger\")\n\t}\n\tlog(total, currency, len(cart))\n"),
	}
	for i := range 30 {
		tree[fmt.Sprintf("other/part%d.go", i)] = "package other\n\n" + repeated("// Unrelated%[1]d holds what nobody asks about.\nvar Unrelated%[1]d = 0\n\n", 60)
	}
	return tree
}

// ways are the paths below which a pack shows the function whole.
func ways(p agenvantage.Pack) string {
	var out []string
	for _, b := range p.Blocks {
		if b.Kind != agenvantage.BlockLine && strings.Contains(b.Text, "rateOf(currency)") {
			out = append(out, b.Path)
		}
	}
	return strings.Join(out, " ")
}

// A function in three copies of a library filled a pack three times.
func TestCopiesAreFolded(t *testing.T) {
	w := newWorld(t, vendored())
	const task = "settle the total of an empty cart in the currency of the ledger"
	p := w.packed(PackRequest{Task: task, Preset: agenvantage.TaskFeature, Budget: 6000})
	shown := strings.Fields(ways(p))
	if got := len(shown); got != 3 {
		t.Fatalf("%d texts, want one of the copies, the one of another name and the longer one: %s", got, places(p))
	}
	first := "" // the one that stands for the copies
	reasons := ""
	for _, b := range p.Blocks {
		for _, path := range []string{"zone/settle.go", "third/a/zone/settle.go", "third/b/zone/settle.go"} {
			if b.Path == path && strings.Contains(b.Text, "rateOf(currency)") {
				first, reasons = path, reasons+b.Reason
			}
		}
	}
	if first == "" || !strings.HasPrefix(reasons, "same in ") {
		t.Fatalf("reasons %q", reasons)
	}
	folded := map[string]bool{}
	record, err := w.packRecord(p.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range record.Considered {
		if strings.HasPrefix(c.Why, "its text is that of "+first+":") {
			folded[c.Path] = true
			if c.Outcome != OutcomeDropped || !strings.Contains(reasons, fmt.Sprintf("%s:%d", c.Path, c.StartLine)) || c.Path == first {
				t.Errorf("%+v is not named by %q", c, reasons)
			}
		}
	}
	if len(folded) != 2 {
		t.Errorf("%v are folded, want 2", folded)
	}
	for path := range folded {
		if len(linesShown(p, path)) != 1 {
			t.Errorf("%s is not shown by a line: %s", path, places(p))
		}
	}
	for _, h := range p.Handles {
		if r, err := w.Rehydrate(t.Context(), h.SourceID); err != nil || r.State != RehydratedExact || r.Text == "" {
			t.Errorf("handle %s: %+v, %v", h.SourceID, r, err)
		}
	}
	more, err := w.Expand(t.Context(), ExpandRequest{PackID: p.ID, Slot: agenvantage.SlotImplementation, Budget: 4000})
	if err != nil || slices.Contains(strings.Fields(ways(more)), first) {
		t.Errorf("an expansion shows %q again, %v", ways(more), err)
	}
}

// What a task, its diff or a frame names is shown, whatever it is a copy of.
func TestNamedCopiesAreShown(t *testing.T) {
	const at = "third/a/zone/settle.go"
	trace := "panic: wrong total\n\ngoroutine 1 [running]:\nzone.settleCart(...)\n\t/src/" + at + ":7 +0x1d\nmain.main()\n\t/src/main.go:3 +0x2\n"
	w := newGitWorld(t, vendored())
	w.commit("copies", nil)
	for _, x := range []struct {
		name string
		r    PackRequest
	}{
		{"by its path", PackRequest{Task: "settle the total of an empty cart in the currency of the ledger in " + at}},
		{"by a seed", PackRequest{Task: "settle the total of an empty cart in the currency of the ledger", Seeds: []string{at}}},
		{"by a frame", PackRequest{Task: "settle the total of an empty cart in the currency of the ledger", Output: trace}},
	} {
		x.r.Budget, x.r.Preset = 6000, agenvantage.TaskBug
		if got := ways(w.packed(x.r)); !strings.Contains(got, at) {
			t.Errorf("%s: %q, want %s among them", x.name, got, at)
		}
	}
	w.write(files{at: strings.ReplaceAll(vendored()[at], "total := 0", "total := 1")})
	if _, err := w.Index(t.Context(), false, nil); err != nil {
		t.Fatal(err)
	}
	head := "HEAD"
	if got := ways(w.packed(PackRequest{Task: "settle the total of an empty cart in the currency of the ledger", FromDiff: &head, Budget: 6000})); !strings.Contains(got, at) {
		t.Errorf("by a diff: %q, want %s among them", got, at)
	}
}

func TestCopiesText(t *testing.T) {
	long := strings.Repeat("deep/", 12) + "a.go"
	for _, c := range []struct {
		copies []copyOf
		want   string
	}{
		{nil, ""},
		{[]copyOf{{"a.go", 3, 1}}, "same in a.go:3"},
		{[]copyOf{{"a.go", 3, 1}, {"b.go", 14, 0.95}}, "nearly same in a.go:3, b.go:14"},
		{[]copyOf{{long, 1, 1}, {long, 2, 1}, {"b.go", 3, 1}}, "same in " + long + ":1 and 2 more"},
	} {
		if got := copiesText(c.copies); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	it := packItem{reason: "4 of 5 terms", copies: []copyOf{{"a.go", 3, 1}}}
	if got := it.reasonOfBlock(); got != "same in a.go:3; 4 of 5 terms" {
		t.Errorf("%q", got)
	}
	if got := (&packItem{reason: "x"}).reasonOfBlock() + (&packItem{copies: it.copies}).reasonOfBlock(); got != "xsame in a.go:3" {
		t.Errorf("%q", got)
	}
}
