package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// A word of the task that stands in a file in another form was told as missing, and made the pack partial.
func TestAWordInAnotherFormIsNotMissing(t *testing.T) {
	w := newWorld(t, files{"ledger.go": "package ledger\n\n// Backtick quotes a currency.\nfunc Backtick(currency string) string {\n\treturn \"`\" + currency + \"`\"\n}\n"})
	for _, c := range []struct {
		task    string
		missing string // a part of what is missing, "" for no concept
	}{
		{"quote currencies with backticks", ""},
		{"quote currencies with ampersands", "ampersands"},
	} {
		p := w.packed(PackRequest{Task: c.task, Preset: agenvantage.TaskFeature})
		told := strings.Join(slices.DeleteFunc(slices.Clone(p.Missing), func(m string) bool { return !strings.HasPrefix(m, "concept") }), "; ")
		if (c.missing == "") != (told == "") || !strings.Contains(told, c.missing) {
			t.Errorf("%q: missing %q, want %q", c.task, told, c.missing)
		}
	}
}

// A page that loads scripts, which holds the words of the task, was shown as the state of an app.
func TestAPageIsNoState(t *testing.T) {
	w := newWorld(t, files{
		"index.html":            "<!DOCTYPE html>\n<html>\n<head><title>Ledger store type model</title></head>\n<body><div id=\"ledger\">ledger badge</div></body>\n</html>\n",
		"src/Ledger.jsx":        "export function Ledger() {\n  return <div>ledger rows of the store</div>;\n}\n",
		"src/Menu.jsx":          "export function Menu() {\n  const [open, setOpen] = useState(false); // ledger model type\n  return <div>{open}</div>;\n}\n",
		"src/LedgerContext.jsx": "export const LedgerContext = createContext({ rows: [] }); // ledger model\n",
	})
	p := w.packed(PackRequest{Task: "add a badge to the ledger", Preset: agenvantage.TaskFeature, Budget: 6000})
	record, err := w.packRecord(p.ID)
	if err != nil {
		t.Fatal(err)
	}
	var state []string
	for _, c := range record.Considered {
		if c.Slot == agenvantage.SlotData {
			state = append(state, c.Path)
		}
	}
	if !slices.Equal(slices.Compact(state), []string{"src/LedgerContext.jsx"}) {
		t.Errorf("considered as state: %q", state)
	}
}

func TestServiceFactor(t *testing.T) {
	for p, want := range map[string]float64{
		"src/vue/LedgerHandler.kt":    0,
		"app/views/ledger.go":         0,
		"web/Templates/ledger.go":     0,
		"http/LedgerHandler.kt":       1,
		"http/DefaultRoutingApi.java": 1,
		"http/ApiBuilder.java":        1,
		"router/ledger.go":            1,
		"cmd/ledger/run.go":           1,
		"validation/BodyChecker.kt":   0.3,
		"handled/ledger.go":           0.3,
		"reviews/ledger.go":           0.3,
	} {
		if got := serviceFactor(p); got != want {
			t.Errorf("%s: %v, want %v", p, got, want)
		}
	}
}

// The surface of a library for servers went to its renderer of pages.
func TestTheSurfaceOfAServiceIsNoView(t *testing.T) {
	w := newWorld(t, files{
		"http/limits.go":        "package http\n\n// BodyLimit is the largest body of a request.\nvar BodyLimit = 100\n\n// readBody reads the body of a request up to its limit.\nfunc readBody(n int) bool { return n < BodyLimit }\n",
		"http/routes.go":        "package http\n\n// Route adds a handler for requests with a body limit.\nfunc Route(path string, handler func()) {}\n",
		"views/body_handler.go": "package views\n\n// RenderBody is the view component of a page: route, render, command, body limit of a request.\nfunc RenderBody(body string) string { return body }\n",
	})
	p := w.packed(PackRequest{Task: "a body limit for each route", Preset: agenvantage.TaskFeature, Budget: 6000})
	record, err := w.packRecord(p.ID)
	if err != nil {
		t.Fatal(err)
	}
	var surface []string
	for _, c := range record.Considered {
		if c.Slot == agenvantage.SlotSurface {
			surface = append(surface, c.Path)
		}
	}
	if len(surface) == 0 || surface[0] != "http/routes.go" || slices.Contains(surface, "views/body_handler.go") {
		t.Errorf("considered as surface: %q", surface)
	}
}

// A function of a likely file was cut in its middle although the budget held the rest of it.
func TestACutFunctionIsCompleted(t *testing.T) {
	body := repeated("\tledger.post(currency%[1]d, amount%[1]d)\n", 110)
	tree := files{"zone/post.go": "package zone\n\n// PostCurrency posts a currency.\nfunc postEach() {\n\tsettle(currency)\n" + body + "\tledger.close()\n}\n"}
	for i := range 30 {
		tree[fmt.Sprintf("other/part%d.go", i)] = "package other\n\n" + repeated("// Unrelated%[1]d holds what nobody asks about.\nvar Unrelated%[1]d = 0\n\n", 60)
	}
	w := newWorld(t, tree)
	for _, c := range []struct {
		budget int
		whole  bool
	}{{12000, true}, {900, false}} {
		p := w.packed(PackRequest{Task: "settle the currency of the ledger", Preset: agenvantage.TaskExplain, Budget: c.budget})
		shown := linesShown(p, "zone/post.go")
		if whole := len(shown) >= 114; len(shown) == 0 || whole != c.whole {
			t.Errorf("%d tokens: %d lines shown, whole %v, want %v; %s", c.budget, len(shown), whole, c.whole, places(p))
		}
	}
}

// Comments of a type, which hold the words of the task, came before the function that decides.
func TestCommentsStandBehindCode(t *testing.T) {
	var fields strings.Builder
	for i := range 12 {
		fmt.Fprintf(&fields, "\t// Currency%[1]d is the currency of the ledger that settles the total of an account.\n\t// The ledger settles it in this currency, and the total follows.\n\tF%[1]d int\n\n", i)
	}
	text := "package zone\n\n// Options say how a ledger settles the total.\ntype Options struct {\n" + fields.String() + "}\n\nfunc settleTotal(ledger []int) int {\n\tsum := 0\n\tfor _, entry := range ledger {\n\t\tsum += entry\n\t}\n\treturn sum\n}\n"
	tree := files{"zone/settle.go": text, "other/a.go": "package other\n\nvar A = 1\n"}
	w := newWorld(t, tree)
	order := func(kind agenvantage.TaskKind) (found []bool) { // of what is considered in that file, best first: is it code
		p := w.packed(PackRequest{Task: "settle the total of the ledger in the currency of the account", Preset: kind, Budget: 6000})
		record, err := w.packRecord(p.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range record.Considered {
			if c.Slot == agenvantage.SlotImplementation && c.Path == "zone/settle.go" && !strings.Contains(c.Reason, "whole") {
				lines := strings.Split(text, "\n")[c.StartLine-1 : c.EndLine]
				found = append(found, codeShare(lines, c.StartLine, commentsOf("go", text)) > commentFrom)
			}
		}
		return found
	}
	if got := order(agenvantage.TaskFeature); len(got) < 2 || !got[0] || got[1] {
		t.Errorf("a feature: code %v, want code before comments", got)
	}
	if got := order(agenvantage.TaskExplain); len(got) < 2 || got[0] {
		t.Errorf("an explanation: code %v, want comments first", got)
	}
}
