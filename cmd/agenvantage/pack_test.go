package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/internal/app"
)

func examplePack() agenvantage.Pack {
	return agenvantage.Pack{ID: "p0123456789abcdef", Status: agenvantage.PackPartial, Why: "no tests were found", Task: "fix the cart", Preset: agenvantage.TaskBug, Budget: 6000, Tokens: 120, Tokenizer: "o200k_base",
		Slots:  []agenvantage.Slot{{Name: agenvantage.SlotImplementation, Required: true, State: agenvantage.SlotFilled, Evidence: []string{"b0123456789ab"}}},
		Blocks: []agenvantage.Block{{ID: "b0123456789ab", Kind: agenvantage.BlockSource, Path: "cart.go", StartLine: 1, EndLine: 2, Slot: agenvantage.SlotImplementation, Symbol: "Cart", Lang: "go", Reason: "named <here>", Text: "type Cart struct{}\n\x1b[31m"}},
		Next:   []string{"look again"}}
}

// TestPackFlags compares the request that a command line makes.
func TestPackFlags(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out.txt")
	if err := os.WriteFile(output, []byte("panic: x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rev := func(s string) *string { return &s }
	for args, want := range map[string]app.PackRequest{
		"--task t":              {Task: "t", Budget: 6000},
		"--task -":              {Task: "from stdin\n", Budget: 6000},
		"--task t --preset bug": {Task: "t", Budget: 6000, Preset: agenvantage.TaskBug},
		"--task t --preset Migration --budget 900":      {Task: "t", Budget: 900, Preset: agenvantage.TaskMigration},
		"--task t --adaptive=false --no-refresh":        {Task: "t", Budget: 6000, OneRound: true, NoRefresh: true},
		"--task t --channels exact,bm25f":               {Task: "t", Budget: 6000, Channels: []string{"exact", "bm25f"}},
		"--task t --seed a.go --seed b.go":              {Task: "t", Budget: 6000, Seeds: []string{"a.go", "b.go"}},
		"--task t --tokenizer cl100k":                   {Task: "t", Budget: 6000, Tokenizer: "cl100k_base"},
		"--task t --tokenizer o200k_base":               {Task: "t", Budget: 6000, Tokenizer: "o200k_base"},
		"--from-diff":                                   {Task: "review this change", Preset: agenvantage.TaskReview, Budget: 6000, FromDiff: rev("HEAD")},
		"--from-diff main":                              {Task: "review this change", Preset: agenvantage.TaskReview, Budget: 6000, FromDiff: rev("main")},
		"--from-diff=HEAD~2 --preset bug":               {Task: "review this change", Preset: agenvantage.TaskBug, Budget: 6000, FromDiff: rev("HEAD~2")},
		"--from-diff --task t":                          {Task: "t", Budget: 6000, FromDiff: rev("HEAD")},
		"--from-output -":                               {Task: "fix this failure", Preset: agenvantage.TaskBug, Budget: 6000, Output: "from stdin\n"},
		"--from-output - --from-diff":                   {Task: "fix this failure", Preset: agenvantage.TaskBug, Budget: 6000, Output: "from stdin\n", FromDiff: rev("HEAD")},
		"retry the download":                            {Task: "retry the download", Budget: 6000},
		"--budget 900 - --preset bug":                   {Task: "from stdin\n", Budget: 900, Preset: agenvantage.TaskBug},
		"--task - --from-output " + output:              {Task: "from stdin\n", Budget: 6000, Output: "panic: x\n"},
		"--handoff-json --format json --json --task t ": {Task: "t", Budget: 6000},
	} {
		f := &fake{packed: examplePack()}
		got := call{service: f, stdin: "from stdin\n"}.run(t, append([]string{"pack"}, strings.Fields(args)...)...)
		if got.code != exitOK || len(f.packs) != 1 {
			t.Errorf("%s: exit code %d: %s", args, got.code, got.errOut)
		} else if !reflect.DeepEqual(f.packs[0], want) {
			t.Errorf("%s: %+v, want %+v", args, f.packs[0], want)
		}
	}
}

func TestPackCommandsRefuseBadInput(t *testing.T) {
	for args, want := range map[string]string{
		"pack":                                     "--task is needed",
		"pack --task t --preset mood":              `unknown preset "mood"; the presets are feature, bug, review, explain, migration, incident`,
		"pack --task t --format html":              `unknown format "html"; the formats are md, json, xml`,
		"pack --task t --tokenizer p50k":           `unknown tokenizer "p50k"; the tokenizers are o200k, cl100k`,
		"pack --task t --budget 0":                 "--budget is 0, want 1 to 1000000 tokens",
		"pack --task t --budget 1000001":           "--budget is 1000001, want 1 to 1000000 tokens",
		"pack --task t --budget many":              "many",
		"pack --task - --from-output -":            "--task and --from-output cannot both read standard input",
		"pack --task t --json --format xml":        "--format xml beside --json",
		"pack --task t --handoff-json --format md": "--format md beside --handoff-json",
		"pack --task t extra":                      `unexpected argument "extra"`,
		"pack --from-diff a b":                     `unexpected argument "a"`,
		"pack --from-diff=":                        "--from-diff without a revision",
		"pack --from-output /nowhere/at/all":       "--from-output: open /nowhere/at/all",
		"pack --from-output=":                      "--from-output needs a file",
		"plan":                                     "--task is needed",
		"plan --task t --preset mood":              `unknown preset "mood"`,
		"plan --task t extra":                      `unexpected argument "extra"`,
		"expand":                                   "the id of a pack is needed",
		"expand tests":                             `the id of a pack is needed before the slot "tests"`,
		"expand p1 tests extra":                    "got 3 arguments",
		"expand p1 p2 --slot tests":                "got 2 arguments",
		"expand p1":                                "--slot is needed, or the slot alone behind the id: one of implementation, state, surface",
		"expand p1 --slot tests --budget 0":        "--budget is 0, want 1 to 1000000 tokens",
		"expand p1 --slot tests --tokenizer x":     `unknown tokenizer "x"`,
		"rehydrate":                                "the id of a block or handle is needed",
		"rehydrate a b":                            "got 2 arguments",
		"why p1":                                   "the id of a pack and a location are needed: got 1 argument",
	} {
		f := &fake{}
		got := call{service: f}.run(t, strings.Fields(args)...)
		if got.code != exitError || !strings.Contains(got.errOut, want) || !strings.Contains(got.errOut, "\nTry: ") {
			t.Errorf("%s: exit code %d: %s\nwant %q", args, got.code, got.errOut, want)
		}
		if len(f.packs)+len(f.expands) > 0 {
			t.Errorf("%s: the repository was asked all the same", args)
		}
	}
}

// The words behind pack, plan and expand were refused in words that named no flag.
func TestPlainArgumentsAreTheTaskAndTheSlot(t *testing.T) {
	f := &fake{packed: examplePack()}
	if got := (call{service: f}).run(t, "expand", "p1", "Tests", "--budget", "900"); got.code != exitOK || len(f.expands) != 1 || f.expands[0].Slot != "tests" || f.expands[0].PackID != "p1" {
		t.Errorf("exit code %d: %s: %+v", got.code, got.errOut, f.expands)
	}
	if got := (call{service: f}).run(t, "pack", "--from-diff", "is the cache invalidated?"); got.code != exitOK || f.packs[0].Task != "is the cache invalidated?" || *f.packs[0].FromDiff != "HEAD" {
		t.Errorf("exit code %d: %s: %+v", got.code, got.errOut, f.packs)
	}
	if got := (call{}).run(t, "plan", "rename", "Store.Expire"); got.code != exitOK || !strings.Contains(got.out, "Store.Expire") {
		t.Errorf("exit code %d: %s%s", got.code, got.out, got.errOut)
	}
}

// A task that holds nothing is refused before the repository is asked, an output too.
func TestEmptyInputOfPlanAndPack(t *testing.T) {
	for args, want := range map[string]string{"plan --task -": "the task is empty", "pack --from-output -": "--from-output - holds nothing"} {
		if got := (call{stdin: " \n"}).run(t, strings.Fields(args)...); got.code != exitError || !strings.Contains(got.errOut, want) {
			t.Errorf("%s: exit code %d: %s", args, got.code, got.errOut)
		}
	}
}

func TestPackOutputs(t *testing.T) {
	p := examplePack()
	f := &fake{packed: p}
	md := call{service: f}.run(t, "pack", "--task", "t")
	if md.out != app.PackMarkdown(p) || !strings.Contains(md.out, "\x1b[31m") {
		t.Errorf("a pipe gets other bytes than the Markdown:\n%s", md.out)
	}
	if md.errOut != "Note: pack p0123456789abcdef, partial, 120 of 6000 tokens\n" {
		t.Errorf("standard error %q", md.errOut)
	}
	for _, args := range []string{"pack --task t --json", "pack --task t --format json", "expand p1 --slot tests --json"} {
		got := call{service: f}.run(t, strings.Fields(args)...)
		var decoded agenvantage.Pack
		if err := json.Unmarshal([]byte(got.out), &decoded); err != nil || decoded.ID != p.ID || decoded.Prompt != "" || strings.Contains(got.out, `\u003c`) || got.errOut != "" || !strings.Contains(got.out, `"handles":[]`) {
			t.Errorf("%s: %v: %s%s", args, err, got.out, got.errOut)
		}
	}
	handoff := call{service: f}.run(t, "pack", "--task", "t", "--handoff-json")
	var decoded agenvantage.Pack
	if err := json.Unmarshal([]byte(handoff.out), &decoded); err != nil || decoded.Prompt != md.out {
		t.Errorf("%v: %s", err, handoff.out)
	}
	if got := (call{service: f}).run(t, "pack", "--task", "t", "--format", "xml"); got.out != app.PackXML(p) || got.errOut != "" {
		t.Errorf("%s%s", got.out, got.errOut)
	}
	if got := (call{service: f}).run(t, "pack", "--task", "t", "--log-level", "error"); got.errOut != "" {
		t.Errorf("--log-level error: %q", got.errOut)
	}
}

func TestPackExitCodes(t *testing.T) {
	for status, want := range map[agenvantage.PackStatus]int{agenvantage.PackReady: exitOK, agenvantage.PackPartial: exitOK, agenvantage.PackInsufficient: exitNothing} {
		p := examplePack()
		p.Status = status
		if got := (call{service: &fake{packed: p}}).run(t, "pack", "--task", "t"); got.code != want || got.out == "" {
			t.Errorf("%s: exit code %d", status, got.code)
		}
	}
	for blocks, want := range map[int]int{0: exitNothing, 1: exitOK} {
		p := examplePack()
		p.Blocks = p.Blocks[:blocks]
		f := &fake{packed: p}
		got := call{service: f}.run(t, "expand", "p1", "--slot", "Tests", "--tokenizer", "o200k")
		if got.code != want || got.out != app.PackMarkdown(p) || f.expands[0] != (app.ExpandRequest{PackID: "p1", Slot: agenvantage.SlotTests, Budget: app.DefaultExpandBudget, Tokenizer: "o200k_base"}) {
			t.Errorf("%d blocks: exit code %d, %+v", blocks, got.code, f.expands)
		}
	}
	for _, c := range []struct {
		r         app.Rehydrated
		code      int
		out, said string
	}{
		{app.Rehydrated{SourceID: "h1", Path: "a\nb.go", StartLine: 1, EndLine: 2, Symbol: "F", Revision: "blob:1", State: app.RehydratedExact, Text: "x\r\ny"}, exitOK, "x\r\ny\n", "Note: \"a\\nb.go\":1-2 F at blob:1\n"},
		{app.Rehydrated{Path: "a.go", StartLine: 1, EndLine: 1, Revision: "blob:1", State: app.RehydratedChanged, Text: "x", Why: "it changed"}, exitOK, "x\n", "Note: a.go:1-1 at blob:1\nNote: changed: it changed\n"},
		{app.Rehydrated{Path: "a.go", StartLine: 1, EndLine: 1, Revision: "blob:1", State: app.RehydratedGone, Why: "there is none"}, exitNothing, "", "Nothing found: a.go:1-1 at blob:1: there is none.\n"},
		{app.Rehydrated{SourceID: "b1", PackID: "p1", State: app.RehydratedExact, Text: "map"}, exitOK, "map\n", "Note: b1 of pack p1\n"},
	} {
		got := call{service: &fake{rehydrated: c.r}}.run(t, "rehydrate", "h1")
		if got.code != c.code || got.out != c.out || !strings.HasPrefix(got.errOut, c.said) {
			t.Errorf("%+v: exit code %d, %q, %q", c.r, got.code, got.out, got.errOut)
		}
	}
	for state, want := range map[app.PackReasonState]int{app.ReasonShown: exitOK, app.ReasonLeftOut: exitNothing, app.ReasonNotConsidered: exitNothing, app.ReasonSkipped: exitNothing, app.ReasonOutOfScope: exitNothing} {
		if got := (call{service: &fake{reason: app.PackReason{State: state}}}).run(t, "why", "p1", "a.go"); got.code != want {
			t.Errorf("why, %s: exit code %d", state, got.code)
		}
	}
}

func exampleReason() app.PackReason {
	return app.PackReason{PackID: "p1", Location: "a.go:3", Path: "a.go", StartLine: 3, EndLine: 3, State: app.ReasonLeftOut, Why: "it was considered for tests, rank 2: calls it; left out: the budget is used up",
		Places: []app.PackPlace{{Path: "a.go", StartLine: 1, EndLine: 9, Symbol: "Test\x1bA", Slot: agenvantage.SlotTests, Rank: 2, Reason: "calls it", Channels: []string{"graph", "bm25f"}, Outcome: app.OutcomeHandle, Why: "the budget is used up", ID: "h1", Tokens: 90},
			{Path: "a.go", StartLine: 3, EndLine: 4, Slot: agenvantage.SlotCallers, Reason: "by hand", Outcome: app.OutcomeDropped}},
		Notes: []string{"a.go has changed"}}
}

func TestWhyForPeople(t *testing.T) {
	got := call{service: &fake{reason: exampleReason()}}.run(t, "why", "p1", "a.go:3")
	want := `a.go:3: left out: it was considered for tests, rank 2: calls it; left out: the budget is used up
  1-9 Test\x1bA  handle, tests rank 2 (graph, bm25f)  h1
      calls it
      handle: the budget is used up
  3-4  dropped, callers
      by hand
`
	if got.out != want || got.errOut != "Note: a.go has changed\n" {
		t.Errorf("%s%s", got.out, got.errOut)
	}
	many := exampleReason()
	for len(many.Places) < maxPlacesShown+3 {
		many.Places = append(many.Places, many.Places[1])
	}
	got = call{service: &fake{reason: many}}.run(t, "why", "p1", "a.go:3")
	if !strings.HasSuffix(got.out, "  and 3 more places; --json lists them all\n") || strings.Count(got.out, "dropped, callers") != maxPlacesShown-1 {
		t.Errorf("%s", got.out)
	}
}

func TestPackCommandsKeepTheirContracts(t *testing.T) {
	for _, f := range []*fake{
		{reason: exampleReason(), rehydrated: app.Rehydrated{SourceID: "h1", Path: "a", StartLine: 1, EndLine: 1, Symbol: "F", Revision: "blob:1", State: app.RehydratedChanged, Text: "x", PackID: "p", Tokens: 1, Why: "y"}},
		{reason: app.PackReason{State: app.ReasonSkipped, Skip: agenvantage.SkipBinary, Places: []app.PackPlace{{Slot: agenvantage.SlotTests, Outcome: app.OutcomeShown}}}, rehydrated: app.Rehydrated{State: app.RehydratedGone}},
		{reason: app.PackReason{State: app.ReasonOutOfScope}, rehydrated: app.Rehydrated{State: app.RehydratedExact}},
	} {
		for name, args := range map[string]string{"plan": "plan --task a.go:1 --json", "rehydrate": "rehydrate h1 --json", "why": "why p1 a --json"} {
			got := call{service: f}.run(t, strings.Fields(args)...)
			if bad := breaks(t, name, got.out); len(bad) > 0 {
				t.Errorf("%s: %s\n%s%s", name, strings.Join(bad, "\n"), got.out, got.errOut)
			}
		}
	}
}

func TestPlanForPeople(t *testing.T) {
	got := call{}.run(t, "plan", "--task", "add a weekly streak to src/app.go:12", "--preset", "feature")
	for _, want := range []string{"kind      feature (preset)\n", "anchors   frame src/app.go:12\n", "weekly streak (weekly streak)\n", "slots     implementation: required, confidence ", "            search add a weekly streak", "          callers: optional"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	if got.code != exitOK || got.errOut != "" {
		t.Errorf("exit code %d: %s", got.code, got.errOut)
	}
}
