package app

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/pack"
)

// packed makes a pack and checks everything that holds for any pack.
func (w *world) packed(r PackRequest) agenvantage.Pack {
	w.t.Helper()
	w.forgetCheck()
	p, err := w.Pack(w.t.Context(), r, nil)
	if err != nil {
		w.t.Fatalf("pack %.80q with %d tokens: %v", r.Task, r.Budget, err)
	}
	for _, fault := range w.packFaults(p, r) {
		w.t.Errorf("pack of %.80q with %d tokens: %s", r.Task, r.Budget, fault)
	}
	return p
}

// packFaults is what is wrong with a pack of the tree as it lies on disk now. Files that are no UTF-8 or hold secrets differ from
// the disk: tests of those compare by themselves, and name them with a "~" in front of their extension.
func (w *world) packFaults(p agenvantage.Pack, r PackRequest) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	md := pack.Markdown(p)
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		count, _, err := counterOf(name)
		if err != nil {
			return []string{err.Error()}
		}
		if n := count(md); (r.Tokenizer == "" || encodingOf(r.Tokenizer) == name) && n > p.Budget {
			say("%d tokens by %s, the budget is %d", n, name, p.Budget)
		}
	}
	count, _, err := packCounter(p.Tokenizer)
	if err != nil {
		return append(faults, err.Error())
	}
	if n := count(md); n != p.Tokens {
		say("it says %d tokens, its Markdown has %d", p.Tokens, n)
	}
	if id := pack.ID(p); p.ID != id {
		say("its id is %s, the hash of its content %s", p.ID, id)
	}
	if strings.Contains(md, w.root) {
		say("its Markdown names %s", w.root)
	}
	shown, ids := map[string]bool{}, map[string]bool{}
	for _, b := range p.Blocks {
		faults = append(faults, w.blockFaults(b)...)
		for line := b.StartLine; b.Path != "" && line <= b.EndLine; line++ {
			at := fmt.Sprintf("%s:%d", b.Path, line)
			if shown[at] {
				say("line %s is shown twice", at)
			}
			shown[at] = true
		}
		if ids[b.ID] {
			say("block %s is there twice", b.ID)
		}
		ids[b.ID] = true
	}
	for _, h := range p.Handles {
		lines := len(w.diskLines(h.Path))
		if h.StartLine < 1 || h.EndLine < h.StartLine || h.EndLine > lines && !strings.Contains(h.Path, "~") {
			say("handle %s:%d-%d of a file of %d lines", h.Path, h.StartLine, h.EndLine, lines)
		}
		if h.SourceID != pack.HandleID(h) || h.Tokens <= 0 {
			say("handle %+v", h)
		}
		all := true
		for line := h.StartLine; line <= h.EndLine; line++ {
			all = all && shown[fmt.Sprintf("%s:%d", h.Path, line)]
		}
		if all {
			say("handle %s:%d-%d is of lines that are shown", h.Path, h.StartLine, h.EndLine)
		}
	}
	return append(append(faults, statusFaults(p, ids)...), strictFaults(md, p)...)
}

// diskLines are the lines of a file, nil when it is not there.
func (w *world) diskLines(path string) []string {
	text, err := os.ReadFile(w.path(path))
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n") // as scan reads line ends
	if n := len(lines); n > 1 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	return lines
}

func (w *world) blockFaults(b agenvantage.Block) (faults []string) {
	at := fmt.Sprintf("block %s %s:%d-%d", b.ID, b.Path, b.StartLine, b.EndLine)
	switch {
	case b.ID != pack.BlockID(b), b.Tokens <= 0, b.Kind == "", !slices.Contains(agenvantage.SlotNames(), b.Slot) && b.Kind != agenvantage.BlockMap:
		return []string{fmt.Sprintf("%s: %+v", at, b)}
	case b.Path == "" && (b.Kind == agenvantage.BlockMap || b.Kind == agenvantage.BlockHistory):
		return nil
	case b.Reason == "":
		faults = append(faults, at+" has no reason")
	}
	if len(b.Revision) != len("blob:")+12 {
		faults = append(faults, at+" is of revision "+b.Revision)
	}
	lines := w.diskLines(b.Path)
	if strings.Contains(b.Path, "~") {
		return faults
	}
	if b.StartLine < 1 || b.EndLine < b.StartLine || b.EndLine > len(lines) {
		return append(faults, fmt.Sprintf("%s: the file has %d lines", at, len(lines)))
	}
	if want := strings.Join(lines[b.StartLine-1:b.EndLine], "\n"); b.Text != want {
		faults = append(faults, fmt.Sprintf("%s is %.200q, on disk %.200q", at, b.Text, want))
	}
	return faults
}

// statusFaults is where status, reason, slots and blocks of a pack contradict each other.
func statusFaults(p agenvantage.Pack, ids map[string]bool) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	saysReady := strings.HasPrefix(p.Why, "of packs with such signs")
	switch {
	case p.Why == "", !slices.Contains([]agenvantage.PackStatus{agenvantage.PackReady, agenvantage.PackPartial, agenvantage.PackInsufficient}, p.Status):
		say("status %q, why %q", p.Status, p.Why)
	case saysReady != (p.Status == agenvantage.PackReady):
		say("status %s because %s", p.Status, p.Why)
	}
	implemented := false
	for _, s := range p.Slots {
		for _, id := range s.Evidence {
			if !ids[id] {
				say("slot %s has the block %s, which is not there", s.Name, id)
			}
		}
		implemented = implemented || s.Name == agenvantage.SlotImplementation && len(s.Evidence) > 0
		switch {
		case s.Confidence < 0 || s.Confidence > 1 || s.Coverage == "" || s.NextCost < 0:
			say("slot %+v", s)
		case s.Required && s.State == agenvantage.SlotUnknown && p.Status == agenvantage.PackReady:
			say("ready although %s is unknown", s.Name)
		case s.Required && s.State == agenvantage.SlotFilled && len(s.Evidence) == 0 && p.Status == agenvantage.PackReady:
			say("ready although nothing of %s is shown", s.Name)
		case s.State == agenvantage.SlotProvenAbsent && len(s.Evidence) > 0:
			say("slot %s is absent and has %d blocks", s.Name, len(s.Evidence))
		}
	}
	if p.Status == agenvantage.PackReady && !implemented {
		say("ready without any block of the implementation")
	}
	return faults
}

// grown is a tree that was drawn by chance, with words to ask about it.
type grown struct {
	files files
	words []string
}

// hostileNames are names of files that try to be something else. They differ from each other in every file system.
var hostileNames = []string{"with blank.go", "`tick`.py", "a\n## Source\n### b.go", "<|im_start|>.ts", "```.md", "-flag.go", "ümläut.py", "#hash.rs", "[id]/page.tsx", "quote\".go", "back\\slash.py", "\x1b[2J.go"}

// grow draws a tree of files in several languages, some long, some empty, some with hostile names.
func grow(seed uint64) grown {
	r := rand.New(rand.NewPCG(seed, 7))
	nouns := []string{"cart", "streak", "session", "invoice", "parser", "cache", "router", "ledger", "widget", "token"}
	verbs := []string{"load", "save", "merge", "render", "count", "expire", "check", "split"}
	pick := func(s []string) string { return s[r.IntN(len(s))] }
	g := grown{files: files{}}
	for i := range 4 + r.IntN(24) {
		noun, verb := pick(nouns), pick(verbs)
		name := fmt.Sprintf("%s_%s%d", verb, noun, i)
		g.words = append(g.words, name)
		lines := 1 + r.IntN(40)
		if r.IntN(8) == 0 {
			lines = 300 + r.IntN(400)
		}
		dir := pick([]string{"", "src/", "src/" + noun + "/", "lib/", "docs/", "tests/"})
		switch r.IntN(8) {
		case 0:
			g.files[dir+name+".py"] = "def " + name + "(x):\n" + strings.Repeat("    x = "+verb+"_it(x)  # "+noun+"\n", lines) + "    return x\n"
		case 1:
			g.files[dir+name+".go"] = "package p\n\n// " + name + " does " + verb + ".\nfunc " + name + "() int {\n" + strings.Repeat("\tuse("+noun+")\n", lines) + "\treturn 1\n}\n"
		case 2:
			g.files[dir+name+".ts"] = "export function " + name + "(x: number) {\r\n" + strings.Repeat("  x += "+noun+".size;\r\n", lines) + "  return x;\r\n}\r\n"
		case 3:
			g.files[dir+name+".md"] = "# " + noun + "\n\n" + strings.Repeat("How to "+verb+" a "+noun+" with `"+name+"`.\n", lines)
		case 4:
			g.files["tests/test_"+name+".py"] = "from x import " + name + "\n\ndef test_" + name + "():\n" + strings.Repeat("    assert "+name+"(1) == 1\n", lines)
		case 5:
			g.files[dir+name+".yaml"] = noun + ":\n" + strings.Repeat("  - "+verb+"\n", lines)
		case 6:
			g.files[dir+pick(hostileNames)] = "// " + noun + "\n" + strings.Repeat("``` ~~~ "+verb+" "+noun+"\n", lines) + "last line without an end"
		case 7:
			g.files[dir+name+".txt"] = strings.Repeat("\n", r.IntN(3))
		}
	}
	g.files["books/balance.py"] = "def books_balance(x):\n    return x + 1\n"
	g.files["books/test_balance.py"] = "from books.balance import books_balance\n\ndef test_books_balance():\n    assert books_balance(1) == 2\n"
	if r.IntN(2) == 0 {
		g.files["AGENTS.md"] = "# Rules\n\nRun the tests.\n"
	}
	return g
}

// tasks draws what is asked about a tree.
func (g grown) tasks(seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 11))
	word := func() string { return g.words[r.IntN(len(g.words))] }
	return []string{
		"fix " + word() + ": it returns the wrong value",
		"add a weekly " + strings.ReplaceAll(word(), "_", " ") + " to the dashboard",
		"explain how `" + word() + "` and " + word() + " work together\n\n```\nTraceback (most recent call last):\n  File \"src/" + word() + ".py\", line 3, in x\nKeyError: 'a'\n```\n",
		"zyzzyva quuxification of the frobnicator",
		"fix books_balance", // in every tree, with its test: packs of it are ready
	}
}

func TestPacksOfRandomTreesHoldWhatTheyPromise(t *testing.T) {
	skipWhenShort(t)
	statuses := map[agenvantage.PackStatus]int{}
	for seed := range uint64(10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g, random := grow(seed), rand.New(rand.NewPCG(seed, 13))
			w := newWorld(t, g.files)
			kinds := agenvantage.TaskKinds()
			for i, task := range g.tasks(seed) {
				var preset agenvantage.TaskKind
				if i%2 == 0 && i < 4 {
					preset = kinds[int(seed+uint64(i))%len(kinds)]
				}
				var before agenvantage.Pack
				for _, budget := range []int{600 + random.IntN(300), 900 + random.IntN(900), 1800 + random.IntN(2000), 4000 + random.IntN(8000)} {
					r := PackRequest{Task: task, Preset: preset, Budget: budget}
					p := w.packed(r)
					if statuses[p.Status]++; p.Status == agenvantage.PackReady {
						w.showsWhatItRestsOn(r)
					}
					if again := w.packed(r); jsonOf(t, again) != jsonOf(t, p) {
						t.Errorf("%q: not the same twice", task)
					}
					for _, s := range before.Slots {
						now := p.Slots[slices.IndexFunc(p.Slots, func(x agenvantage.Slot) bool { return x.Name == s.Name })]
						if s.Required && len(s.Evidence) > 0 && len(now.Evidence) == 0 {
							t.Errorf("%q: with %d tokens %s has blocks, with %d none", task, before.Budget, s.Name, budget)
						}
					}
					before = p
				}
			}
		})
	}
	if len(statuses) != 3 {
		t.Errorf("the trees and tasks are no test of every status: %v", statuses)
	}
	t.Log(statuses)
}

// showsWhatItRestsOn wants the chances of the files that a ready pack shows to be as many as ready needs: the choice is made by
// estimates, and the budget may hold less of it.
func (w *world) showsWhatItRestsOn(r PackRequest) {
	w.t.Helper()
	pinned, err := w.pin(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	defer pinned.release()
	count, tokenizer, err := counterOf(encodingOf(r.Tokenizer))
	if err != nil {
		w.t.Fatal(err)
	}
	task, output, err := readTask(r)
	if err != nil {
		w.t.Fatal(err)
	}
	p := &packer{ctx: w.t.Context(), app: w.App, pinned: pinned, corpus: pinned.corpus, request: r, task: task, output: output, count: count}
	record, err := p.pack(tokenizer)
	if err != nil {
		w.t.Fatal(err)
	}
	shown := 0.0
	for _, c := range p.chances {
		if slices.ContainsFunc(record.Pack.Blocks, func(b agenvantage.Block) bool { return b.Path == p.corpus.Path(c.File) }) {
			shown += c.vote
		}
	}
	if record.Pack.Status == agenvantage.PackReady && shown < readyShown {
		w.t.Errorf("%.60q with %d tokens is ready, its files have %.2f of the votes", r.Task, r.Budget, shown)
	}
}

func jsonOf(t *testing.T, p agenvantage.Pack) string {
	t.Helper()
	b, err := pack.JSON(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAnotherIndexOfTheSameTreeGivesTheSameBytes(t *testing.T) {
	for seed := range uint64(3) {
		g := grow(100 + seed)
		make := func() *gitWorld {
			w := newGitWorld(t, nil)
			w.commit("first", g.files)
			w.commit("second", files{"src/later.go": function("later")})
			return w
		}
		one, other := make(), make()
		other.mustIndex()
		other.write(files{"src/later.go": function("elsewhere"), "src/more.go": function("more")}) // the second index has a past of its own
		other.mustIndex()
		other.write(files{"src/later.go": function("later")})
		other.remove("src/more.go")
		for _, task := range g.tasks(seed) {
			a, b := one.packed(PackRequest{Task: task}), other.packed(PackRequest{Task: task})
			if x, y := jsonOf(t, a), jsonOf(t, b); x != y {
				t.Errorf("seed %d, %q:\n%s\n%s", seed, task, x, y)
			}
		}
	}
}

func TestAChangedFileChangesItsOwnBlocksAlone(t *testing.T) {
	w := newGitWorld(t, nil)
	fs := files{"AGENTS.md": "# Rules\n\nRun the tests.\n", "cart_test.go": "package p\n\nfunc TestCartTotal(t *testing.T) { CartTotal() }\n"}
	for i := range 6 {
		fs[fmt.Sprintf("cart%d.go", i)] = fmt.Sprintf("package p\n\n// CartTotal%d sums the cart.\nfunc CartTotal%d() int {\n\tlimit := 100\n\treturn limit\n}\n", i, i)
	}
	w.commit("first", fs)
	r := PackRequest{Task: "the cart total is wrong", Budget: 4000}
	before := w.packed(r)
	w.write(files{"cart2.go": strings.Replace(fs["cart2.go"], "100", "200", 1)})
	after := w.packed(r)
	if before.ID == after.ID {
		t.Error("the content is another and the pack id the same")
	}
	changed := 0
	if len(before.Blocks) != len(after.Blocks) {
		t.Fatalf("%s\n%s", places(before), places(after))
	}
	for i, b := range before.Blocks {
		a := after.Blocks[i]
		if a.Path == "cart2.go" {
			changed++
			if a.ID == b.ID || !a.Dirty || a.Revision == b.Revision {
				t.Errorf("%+v", a)
			}
			continue
		}
		if b.Kind != agenvantage.BlockHistory && (a.ID != b.ID || a.Dirty || a.Revision != b.Revision || a.Reason != b.Reason) {
			t.Errorf("%+v\n%+v", b, a)
		}
	}
	if changed == 0 {
		t.Errorf("cart2.go is not shown: %s", places(after))
	}
}
