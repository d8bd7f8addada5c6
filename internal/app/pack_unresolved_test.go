package app

import (
	"strings"
	"testing"

	"agenvantage"
)

// newModules is a small package below src, and an object with members.
func newModules(t *testing.T) *world {
	return newWorld(t, files{
		"src/shop/json/__init__.py": "def dumps(value):\n    \"\"\"Dumps a basket as text.\"\"\"\n    return str(value)\n",
		"src/shop/sessions.py":      "from .json import dumps\n\n\nclass Sessions:\n    def open_session(self, basket):\n        return dumps(basket)\n",
		"lib/response.js":           "var res = {}\n\nres.json = function json(body) {\n  return body\n}\n\nres.redirect = function redirect(url) {\n  return url\n}\n\nmodule.exports = res\n",
	})
}

// The dotted name of a module or a member that ends like a file was said to be in no file.
func TestADottedNameThatLooksLikeAFileIsMissing(t *testing.T) {
	w := newModules(t)
	for _, c := range []struct {
		task    string
		missing string // "" for nothing
	}{
		{"explain shop.json", ""},
		{"explain res.json", ""},
		{"explain shop.sessions", ""},
		{"explain basket.json", `path "basket.json" is in no indexed file`},
		{"explain shop/basket.json", `path "shop/basket.json" is in no indexed file`},
	} {
		p := w.packed(PackRequest{Task: c.task, Preset: agenvantage.TaskExplain})
		got := strings.Join(p.Missing, "\n")
		if strings.Contains(got, "is in no indexed file") != (c.missing != "") || !strings.Contains(got, c.missing) {
			t.Errorf("%q: %q, want %q", c.task, got, c.missing)
		}
		if c.missing == "" && p.Status == agenvantage.PackInsufficient {
			t.Errorf("%q: %s: %s", c.task, p.Status, p.Why)
		}
	}
}

// The callers of a member whose name ends like a file were unknown: it was taken for a path, and nobody calls one.
func TestCallersOfAMemberThatReadsAsAPath(t *testing.T) {
	w := newWorld(t, files{
		"lib/response.js": "var res = {}\n\nres.json = function json(body) {\n  return body\n}\n\nmodule.exports = res\n",
		"lib/users.js":    "var res = require('./response')\n\nfunction list(users) {\n  return res.json(users)\n}\n",
		"lib/page.json":   "{\"title\": \"users\"}\n",
	})
	for task, want := range map[string]agenvantage.SlotState{"explain res.json": agenvantage.SlotFilled, "explain page.json": agenvantage.SlotUnknown} {
		for _, s := range w.packed(PackRequest{Task: task, Preset: agenvantage.TaskExplain}).Slots {
			if s.Name == agenvantage.SlotCallers && s.State != want {
				t.Errorf("%q: callers %s, %s", task, s.State, s.Coverage)
			}
		}
	}
}

// A frame of an installed package was missing beside the block of its file, and the message left out the name of the file.
func TestAFrameOfAnInstalledPackageIsMissing(t *testing.T) {
	w := newModules(t)
	const installed = "/home/joe/project/.venv/lib/python3.11/site-packages/"
	p := w.packed(PackRequest{Task: "Traceback (most recent call last):\n" +
		"  File \"" + installed + "shop/sessions.py\", line 6, in open_session\n    return dumps(basket)\n" +
		"  File \"" + installed + "encoder/library/encoding.py\", line 12, in encode\n    raise ValueError(basket)\nValueError: basket\n"})
	got := strings.Join(p.Missing, "\n")
	if strings.Contains(got, "sessions.py") {
		t.Errorf("a file that is there is missing: %s", got)
	}
	if want := `/site-packages/encoder/library/encoding.py" is in no indexed file`; !strings.Contains(got, want) || !strings.Contains(got, `frame "…`) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A new name with a dot, or of a file, was a name of the task that is not in the repository.
func TestTheNewNameOfARenameIsMissing(t *testing.T) {
	w := newModules(t)
	for _, task := range []string{"Rename `res.redirect` to `res.redirectTo`", "rename Sessions.open_session to begin_session", "rename lib/response.js to lib/answer.js"} {
		if p := w.packed(PackRequest{Task: task}); strings.Contains(strings.Join(p.Missing, "\n"), "is in no indexed file") || strings.Contains(p.Why, "names of the task") {
			t.Errorf("%q: %s; missing %q", task, p.Why, p.Missing)
		}
	}
}

// That the thing of a task is nowhere was hidden behind a slot that could not be filled for it.
func TestAnAbsentThingIsSaidBeforeASlot(t *testing.T) {
	w := newModules(t)
	p := w.packed(PackRequest{Task: "Upgrade the Terraform basket for the EKS cluster"})
	if p.Status != agenvantage.PackInsufficient || !strings.Contains(p.Why, `what the task is about is not in the code: the likeliest file lacks "terraform", "eks"`) {
		t.Errorf("%s: %s", p.Status, p.Why)
	}
	if got := strings.Join(p.Missing, "\n"); !strings.Contains(got, "terraform") || !strings.Contains(got, "eks") {
		t.Errorf("missing %q", got)
	}
}
