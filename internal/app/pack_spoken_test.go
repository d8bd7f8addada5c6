package app

import (
	"fmt"
	"strings"
	"testing"

	"agenvantage"
)

// newRoutes is a small server of twelve handlers, each with a test; one of them counts retries, and a document speaks of downloads.
func newRoutes(t *testing.T) *world {
	fs := files{"docs/guide.md": "# Guide\n\nRetry the download of a file of many files when the connection is reset.\n", "reset_test.go": "package p\n\n// A download over a connection that is reset.\nfunc TestReset(t *testing.T) {}\n",
		"retry.go": "package p\n\n// Retry counts.\nfunc Retry() int { return 3 }\n", "throttle.go": "package p\n\n// Throttle limits the backlog of requests.\nfunc Throttle(backlog int) int { return backlog }\n",
		"throttle_test.go": "package p\n\nfunc TestThrottle(t *testing.T) { Throttle(1) }\n"}
	for i := range 12 {
		fs[fmt.Sprintf("handler%d.go", i)] = fmt.Sprintf("package p\n\n// Handle%d answers for the server with a code.\nfunc Handle%d(server string) string { return server }\n", i, i)
	}
	return newWorld(t, fs)
}

// "fix it", "the" and an address were ready.
func TestATaskThatNamesNothingIsReady(t *testing.T) {
	w := newRoutes(t)
	for _, c := range []struct {
		task   string
		status agenvantage.PackStatus
		why    string
	}{
		{"fix it", agenvantage.PackInsufficient, "the task names nothing"},
		{"the", agenvantage.PackInsufficient, "the task names nothing"},
		{"fix", agenvantage.PackInsufficient, "the task names nothing"},
		{"why?", agenvantage.PackInsufficient, "the task names nothing"},
		{"refactor", agenvantage.PackInsufficient, "the task names nothing"},
		{"clean up", agenvantage.PackInsufficient, "the task names nothing"},
		{"it does not work", agenvantage.PackInsufficient, "the task names nothing"},
		{"?!…", agenvantage.PackInsufficient, "the task names nothing"},
		{"404", agenvantage.PackInsufficient, "the task names nothing"},
		{"12 34.5", agenvantage.PackInsufficient, "the task names nothing"},
		{"😀", agenvantage.PackInsufficient, "the task names nothing"},
		{"https://example.com/issues/12", agenvantage.PackInsufficient, "an address is not opened"},
		{"исправь загрузку", agenvantage.PackInsufficient, ""},
		{"修复登录", agenvantage.PackInsufficient, ""},
		{"asdf", agenvantage.PackInsufficient, ""},
		{"server", agenvantage.PackPartial, "nothing in particular"}, // it is in every handler
		{"refactor the code", agenvantage.PackPartial, "nothing in particular"},
		{"update the files", agenvantage.PackPartial, "nothing in particular"},
		{"throttle", agenvantage.PackReady, ""},
		{"Throttle drops the requests of the backlog", agenvantage.PackReady, ""},
	} {
		p := w.packed(PackRequest{Task: c.task, Preset: agenvantage.TaskExplain}) // which needs no more than an implementation
		if p.Status != c.status || !strings.Contains(p.Why, c.why) {
			t.Errorf("%q: %s: %s", c.task, p.Status, p.Why)
		}
	}
	p := w.packed(PackRequest{Task: "fix it"})
	if !strings.Contains(p.Why, "17 indexed files") {
		t.Errorf("%q does not say how much was looked at", p.Why)
	}
	if p := w.packed(PackRequest{Task: "fix it", Seeds: []string{"throttle.go"}}); p.Status == agenvantage.PackInsufficient {
		t.Errorf("with a seed: %s: %s", p.Status, p.Why)
	}
}

// Each word of a task was somewhere in the repository, in prose and in tests, and nothing of it did what the task is about.
func TestWordsThatNoFileHoldsTogetherAreReady(t *testing.T) {
	w := newRoutes(t)
	p := w.packed(PackRequest{Task: "retry the download when the connection is reset", Preset: agenvantage.TaskExplain})
	if p.Status == agenvantage.PackReady || len(p.Missing) > 0 && strings.Contains(p.Missing[0], "concept") {
		t.Errorf("%s: %s; missing %q", p.Status, p.Why, p.Missing)
	}
	if !strings.Contains(p.Why, `lacks "download"`) && !strings.Contains(p.Why, `"download", "connection"`) {
		t.Errorf("%q does not say what the likeliest file lacks", p.Why)
	}
	p = w.packed(PackRequest{Task: "correct how the docs tell to retry the download when the connection is reset", Preset: agenvantage.TaskExplain})
	if strings.Contains(p.Why, "lacks") {
		t.Errorf("a task about documents: %s: %s", p.Status, p.Why)
	}
}

// A rename was partial: its new name is in no file, and no settings name it.
func TestARenameIsNeverReady(t *testing.T) {
	w := newWorld(t, files{"cart.go": "package p\n\n// WorldCart sums.\nfunc WorldCart() int { return 1 }\n", "shop.go": "package p\n\nfunc Shop() int { return WorldCart() }\n",
		"lone.go": "package p\n\n// LoneCart is called by nobody.\nfunc LoneCart() int { return 2 }\n"})
	for _, task := range []string{"Rename WorldCart to WorldBasket everywhere", "rename LoneCart to LoneBasket"} {
		p := w.packed(PackRequest{Task: task})
		if p.Preset != agenvantage.TaskMigration || p.Status != agenvantage.PackReady {
			t.Errorf("%q: %s: %s: %s; missing %q", task, p.Preset, p.Status, p.Why, p.Missing)
		}
	}
	if p := w.packed(PackRequest{Task: "Rename WorldBasket to WorldTrolley"}); p.Status != agenvantage.PackInsufficient {
		t.Errorf("what is to be renamed is not there: %s: %s", p.Status, p.Why)
	}
}
