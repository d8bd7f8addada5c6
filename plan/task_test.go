package plan

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"agenvantage"
)

func mustRead(t *testing.T, text string, o TaskOptions) agenvantage.Task {
	t.Helper()
	task, err := ReadTask(text, o)
	if err != nil {
		t.Fatalf("ReadTask(%q): %v", text, err)
	}
	return task
}

func TestReadTaskKind(t *testing.T) {
	long := strings.Repeat("the rows of the importer and the columns of the grid ", 8)
	for _, c := range []struct {
		text string
		want agenvantage.TaskKind
		why  string
	}{
		{"Add a weekly reading streak to the dashboard", agenvantage.TaskFeature, "words: add, add a"},
		{"Please could you support dark mode in settings", agenvantage.TaskFeature, "words: support"},
		{"add error handling for failed uploads", agenvantage.TaskFeature, "words: add"},
		{"Users should be able to export invoices", agenvantage.TaskFeature, "words: should be able to"},
		{"weekly streak on the dashboard", agenvantage.TaskFeature, "no word that decides"},
		{"Fix the login page", agenvantage.TaskBug, "words: fix"},
		{"The importer crashes on empty files", agenvantage.TaskBug, "words: crashes"},
		{"fix: wrong total", agenvantage.TaskBug, "words: fix, wrong"},
		{"importer\n  File \"a.py\", line 2, in f", agenvantage.TaskBug, "words: a stack trace"},
		{"Importer\n\n" + long + "\n\n### Expected behavior\nrows", agenvantage.TaskBug, "words: expected behavior"},
		{long, agenvantage.TaskBug, "a long report without a word that decides"},
		{"How does the retry policy work?", agenvantage.TaskExplain, "words: how, how does"},
		{"where is the session stored", agenvantage.TaskExplain, "words: where, where is"},
		{"Why do uploads fail?", agenvantage.TaskExplain, "words: why, why do"},
		{"the session cache?", agenvantage.TaskExplain, "a question"},
		{"Explain the upload worker", agenvantage.TaskExplain, "words: explain"},
		{"Review this change to the session cache", agenvantage.TaskReview, "words: review, review this"},
		{"Migrate the settings page from Redux to Zustand", agenvantage.TaskMigration, "words: migrate"},
		{"Rename UserStore to AccountStore", agenvantage.TaskMigration, "words: rename, rename userstore to"},
		{"We need to replace moment by dayjs", agenvantage.TaskMigration, "words: replace, replace moment by"},
		{"Checkout has an outage", agenvantage.TaskIncident, "words: outage"},
		{"Checkout returns 502 errors in production since the deploy", agenvantage.TaskIncident, "words: 502 errors, in production, since the deploy"},
		{"Alert: checkout timeouts since noon", agenvantage.TaskIncident, "words: alert, timeouts since"},
	} {
		task := mustRead(t, c.text, TaskOptions{})
		if task.Kind != c.want || task.Why != c.why {
			t.Errorf("%.60q: %s (%s), want %s (%s)", c.text, task.Kind, task.Why, c.want, c.why)
		}
	}
}

func TestReadTaskKindIsGiven(t *testing.T) {
	if task := mustRead(t, "Fix the crash", TaskOptions{Preset: agenvantage.TaskReview, Diff: true}); task.Kind != agenvantage.TaskReview || task.Why != "preset" {
		t.Errorf("preset: %s, %s", task.Kind, task.Why)
	}
	if task := mustRead(t, "Fix the crash", TaskOptions{Diff: true}); task.Kind != agenvantage.TaskReview || !strings.Contains(task.Why, "change") {
		t.Errorf("diff: %s, %s", task.Kind, task.Why)
	}
	out := &Output{Kind: OutputTest, Tests: []string{"TestTotal"}, Messages: []string{"got 1, want 2"}}
	if task := mustRead(t, "the cart", TaskOptions{Output: out}); task.Kind != agenvantage.TaskBug || task.Why != "words: the output of a failing program" {
		t.Errorf("output: %s, %s", task.Kind, task.Why)
	}
}

func showAnchors(list []agenvantage.Anchor) string {
	var parts []string
	for _, a := range list {
		s := string(a.Kind) + "=" + a.Text
		if a.Line > 0 {
			s += fmt.Sprintf(":%d", a.Line)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " | ")
}

func TestReadTaskAnchors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"make it faster", ""},
		{"change src/cart.go and Cart.Add", "path=src/cart.go | identifier=Cart.Add"},
		{"read/write and/or the client/server split", ""},
		{"look in src/cart and `web/pages` and a/b/c", "path=src/cart | path=web/pages"},
		{"the panic at src/cart.go:12 in loadCart", "frame=src/cart.go:12 | identifier=loadCart"},
		{"GET /api/users/:id and /settings/profile are slow", "route=/api/users/:id | route=/settings/profile"},
		{"POST `/orders/{id}/items?dry=1` fails", "route=/orders/{id}/items"},
		{"it writes /tmp/x and /etc/shop.conf", "path=/etc/shop.conf"},
		{"set server.max-connections and cache.ttl.seconds", "config_key=server.max-connections | config_key=cache.ttl.seconds"},
		{"the option cache.ttl is ignored", "config_key=cache.ttl"},
		{"call os.path.join(a) here", "identifier=os.path.join"},
		{"--dry-run ignores MAX_CONNS", "config_key=--dry-run | config_key=MAX_CONNS"},
		{"rename `retries:` in the file\n```yaml\nserver:\n  port: 80\n```", "config_key=retries | config_key=server | config_key=port"},
		{"test_total and TestCart fail in src/cart.spec.ts", "test=test_total | test=TestCart | test=src/cart.spec.ts"},
		{"tests/test_cart.py::TestCart::test_add is red", "path=tests/test_cart.py | test=TestCart::test_add"},
		{`describe("an empty cart", () => {`, "test=an empty cart"},
		{`it says "Too many users" on the "Save" button, not "maybe"`, "string=Too many users | string=Save"},
		{"the value is `a = b + 1` or `print`", ""},
		{"see https://example.com/docs/page.html for more", ""},
		{"it costs e.g. 10ms on x64", ""},
		{"给用户资料页面添加头像上传", ""},
	} {
		if got := showAnchors(mustRead(t, c.text, TaskOptions{}).Anchors); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// The exception of a pasted trace is a string to look for, its own frames come first.
func TestReadTaskReadsPastedTraces(t *testing.T) {
	text := "The importer is broken\n\nTraceback (most recent call last):\n  File \"/srv/app/main.py\", line 3, in run\n    load()\n" +
		"  File \"/usr/lib/python3.11/csv.py\", line 9, in read\n    x()\nshop.RowError: row is not closed\n"
	task := mustRead(t, text, TaskOptions{})
	want := "frame=/srv/app/main.py:3 | frame=/usr/lib/python3.11/csv.py:9 | identifier=shop.RowError | identifier=load | string=row is not closed"
	if got := showAnchors(task.Anchors); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestReadTaskWithOutputAndSeeds(t *testing.T) {
	out, err := ReadOutput("--- FAIL: TestTotal (0.00s)\n    cart_test.go:31: Total() = 90, want 81\nFAILED tests/test_a.py::test_b - ValueError: bad rows\n")
	if err != nil {
		t.Fatal(err)
	}
	task := mustRead(t, "discounts of Cart.Total", TaskOptions{Seeds: []string{"./src/cart.go", `web\app.ts:7`, "src/cart.go"}, Output: &out})
	want := "path=src/cart.go | frame=web/app.ts:7 | frame=cart_test.go:31 | path=tests/test_a.py | test=TestTotal | test=test_b | identifier=Cart.Total | string=Total() = 90, want 81 | string=bad rows"
	if got := showAnchors(task.Anchors); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if task.Text != "discounts of Cart.Total" || !strings.Contains(task.Query.Text, "bad rows") || task.Query.Class != agenvantage.ClassTrace ||
		!slices.Contains(task.Query.Frames, agenvantage.Frame{Path: "cart_test.go", Line: 31}) {
		t.Errorf("text %q, query %+v", task.Text, task.Query)
	}
	if alone := mustRead(t, "", TaskOptions{Output: &out}); !strings.Contains(alone.Query.Text, "bad rows") || alone.Kind != agenvantage.TaskBug {
		t.Errorf("an output alone: %+v", alone.Query)
	}
	if diff := mustRead(t, " ", TaskOptions{Diff: true, Seeds: []string{"a.go"}}); diff.Query.Text != "" || showAnchors(diff.Anchors) != "path=a.go" || diff.Slots[0].Queries != nil {
		t.Errorf("a diff alone: %+v", diff)
	}
}

func TestReadTaskConcepts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Add a weekly reading streak to the dashboard", "weekly reading streak | dashboard"},
		{"Fix the crash in PaymentService when the cart is empty", "cart"},
		{"The Dashboard shows dashboards", "dashboard"},
		{"Users can export invoices as PDF from the billing page", "export invoices | billing page | PDF"},
		{"Support avatar uploads in the very long user profile page editor", "profile page editor | avatar uploads"},
		{"cart total, discount: the `sum` of https://x.y/z", "cart total | discount"},
		{"the cart\n\nThe cart total is wrong. The cart total is late.\n```\nsecret code words\n```", "cart | cart total | late"},
		{"fix it", ""},
		{"fix users", "users"},
		{"the page is returning quickly and the rows are attached", "rows"},
		{"用户资料的头像", "用户资料 | 头像"},
	} {
		var got []string
		for _, concept := range mustRead(t, c.text, TaskOptions{}).Concepts {
			got = append(got, concept.Text)
		}
		if s := strings.Join(got, " | "); s != c.want {
			t.Errorf("%q: %q, want %q", c.text, s, c.want)
		}
	}
	terms := mustRead(t, "Add a weekly reading streak", TaskOptions{}).Concepts[0].Terms
	if !reflect.DeepEqual(terms, []string{"weekly", "reading", "streak"}) {
		t.Errorf("terms %q", terms)
	}
}

// The boilerplate of a template gives neither anchors nor concepts.
func TestTemplatesGiveNoAnchors(t *testing.T) {
	text := "Importer drops rows\n<!-- see docs/CONTRIBUTING.md and call report_bug() -->\n\n### Steps to reproduce\nUse `load_rows` on any file, then count the rows of the table.\n\n" +
		"### System details\nshop_core 1.2.3\nOS: Linux\nPYTHON_BUILD: 3.11.2\n\n- [x] I have read docs/RULES.md\n- [ ] I ran `shop_doctor`\n\nA clear and concise description of what you expected to happen.\n"
	task := mustRead(t, text, TaskOptions{})
	if got := showAnchors(task.Anchors); got != "identifier=load_rows" {
		t.Errorf("anchors %s", got)
	}
	for _, c := range task.Concepts {
		if strings.Contains("steps system details description linux rules", strings.ToLower(c.Text)) {
			t.Errorf("concept %q", c.Text)
		}
	}
}

func TestSlotTable(t *testing.T) {
	order := agenvantage.SlotNames()
	for _, kind := range agenvantage.TaskKinds() {
		sum, last, required := 0.0, -1, 0
		for _, s := range SlotsFor(kind, nil, nil) {
			at := slices.Index(order, s.Name)
			if at <= last {
				t.Errorf("%s: %s is out of order", kind, s.Name)
			}
			if s.Threshold < 0 || s.Threshold > 1 || s.Share < 0 || len(s.Queries) > 0 {
				t.Errorf("%s: %+v", kind, s)
			}
			if s.Required {
				required++
			}
			last = at
			sum += s.Share
		}
		if math.Abs(sum-1) > 1e-9 || required == 0 || last != len(order)-1 {
			t.Errorf("%s: shares sum to %v, %d required, last slot %d", kind, sum, required, last)
		}
	}
	if !reflect.DeepEqual(SlotsFor("nonsense", nil, nil), SlotsFor(agenvantage.TaskFeature, nil, nil)) {
		t.Error("an unknown kind is no feature")
	}
}

func TestSlotQueries(t *testing.T) {
	concept := func(text string) agenvantage.Concept { return agenvantage.Concept{Text: text} }
	streak := []agenvantage.Concept{concept("weekly reading streak"), concept("dashboard")}
	named := []agenvantage.Anchor{{Kind: agenvantage.AnchorIdentifier, Text: "Cart.Add"}, {Kind: agenvantage.AnchorRoute, Text: "/cart/:id"}, {Kind: agenvantage.AnchorTest, Text: "TestAdd"},
		{Kind: agenvantage.AnchorConfigKey, Text: "cart.ttl"}, {Kind: agenvantage.AnchorPath, Text: "src/stock.go"}}
	for _, c := range []struct {
		slot     agenvantage.SlotName
		anchors  []agenvantage.Anchor
		concepts []agenvantage.Concept
		want     []string
	}{
		{agenvantage.SlotImplementation, nil, streak, []string{"weekly reading streak dashboard", "weekly reading streak", "dashboard"}},
		{agenvantage.SlotImplementation, named, streak, []string{"Cart.Add", "/cart/:id"}},
		{agenvantage.SlotData, nil, streak, []string{"weekly reading streak model type schema store", "dashboard model type schema store"}},
		{agenvantage.SlotSurface, named, streak[:1], []string{"/cart/:id", "weekly reading streak view route component page render command", "Cart.Add view route component page render command",
			"stock view route component page render command"}},
		{agenvantage.SlotAnalogous, nil, streak, []string{"reading streak"}},
		{agenvantage.SlotTests, named, nil, []string{"TestAdd", "Cart.Add test", "stock test"}},
		{agenvantage.SlotConfig, named, streak[1:], []string{"cart.ttl", "dashboard config settings migration style", "Cart.Add config settings migration style", "stock config settings migration style"}},
		{agenvantage.SlotCallers, named, streak, nil},
		{agenvantage.SlotChanges, named, streak, nil},
		{agenvantage.SlotConstraints, named, streak, nil},
		{agenvantage.SlotUnresolved, named, streak, nil},
	} {
		slots := SlotsFor(agenvantage.TaskFeature, c.anchors, c.concepts)
		i := slices.IndexFunc(slots, func(s agenvantage.SlotPlan) bool { return s.Name == c.slot })
		if i < 0 || !slices.Equal(slots[i].Queries, c.want) {
			t.Errorf("%s: %q, want %q", c.slot, slots[i].Queries, c.want)
		}
	}
	task := mustRead(t, "Add a weekly reading streak to the dashboard", TaskOptions{})
	if q := task.Slots[0].Queries; task.Slots[0].Name != agenvantage.SlotImplementation || q[0] != task.Query.Text || len(q) != 4 {
		t.Errorf("the text is not the first question: %q", q)
	}
}

func TestReadTaskErrors(t *testing.T) {
	for _, c := range []struct {
		text, says string
		o          TaskOptions
	}{
		{"", "empty", TaskOptions{}}, {" \n", "empty", TaskOptions{Output: &Output{}}}, {"a\x00b", "NUL", TaskOptions{}}, {"a\xff", "UTF-8", TaskOptions{}},
		{"a", "unknown kind", TaskOptions{Preset: "chore"}}, {"a", "empty", TaskOptions{Seeds: []string{" "}}}, {"a", "UTF-8", TaskOptions{Seeds: []string{"a\xff"}}},
		{"a", "one line", TaskOptions{Seeds: []string{"a\nb"}}}, {"a", "bytes long", TaskOptions{Seeds: []string{strings.Repeat("a", 5000)}}},
		{"a", "at most 64", TaskOptions{Seeds: make([]string, 65)}},
	} {
		_, err := ReadTask(c.text, c.o)
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("ReadTask(%q): %v, want bad input that says %q", c.text, err, c.says)
		}
	}
}

// checkTask fails when a task is out of its bounds.
func checkTask(t *testing.T, task agenvantage.Task) {
	t.Helper()
	bound := maxSeeds + maxAnchorFrames + maxAnchorPaths + maxAnchorTests + maxAnchorNames + maxAnchorRoutes + maxAnchorKeys + maxAnchorStrings
	if len(task.Anchors) > bound || len(task.Concepts) > maxConcepts || task.Kind == "" || task.Why == "" || len(task.Slots) == 0 {
		t.Fatalf("%d anchors, %d concepts, kind %q, why %q", len(task.Anchors), len(task.Concepts), task.Kind, task.Why)
	}
	for _, a := range task.Anchors {
		if a.Text == "" || !utf8.ValidString(a.Text) || (a.Kind == agenvantage.AnchorFrame) != (a.Line > 0) {
			t.Fatalf("bad anchor %+v", a)
		}
	}
	for _, c := range task.Concepts {
		if c.Text == "" || len(c.Terms) == 0 || !utf8.ValidString(c.Text) {
			t.Fatalf("bad concept %+v", c)
		}
	}
	for _, s := range task.Slots {
		if len(s.Queries) > maxSlotQueries+1 || slices.Contains(s.Queries, "") {
			t.Fatalf("bad slot %+v", s)
		}
	}
}

func TestReadTaskIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&b, "the load_row%d of src/mod%d/a.go breaks /api/v%d/x and ROW_MAX_%d near \"row number %d\" for table%d sheets\n", i, i, i, i, i, i)
	}
	task := mustRead(t, b.String(), TaskOptions{})
	checkTask(t, task)
	if len(task.Query.Text) > headBytes+tailBytes+1 {
		t.Errorf("%d bytes of query", len(task.Query.Text))
	}
}

func FuzzReadTask(f *testing.F) {
	for _, s := range []string{"Add a streak to the dashboard", "GET /api/:id?x=1 `a.b.c` --x-y A_B", "### Environment\n- OS: x\n```yaml\na: 1\n```", "test_x.py::T::u describe('a b c'",
		"Traceback (most recent call last):\n  File \"a.py\", line 2, in f\nE: x", "用户资料的头像", "“smart” ’quotes’ é", "/a.*b/", "\"one\"", "fix: `", "it's *bold* _x_ <!-- y -->"} {
		f.Add(s, "", "a.go:3")
		f.Add(pad+"\n"+s, s, "x")
	}
	f.Fuzz(func(t *testing.T, text, output, seed string) {
		o := TaskOptions{Seeds: []string{seed}}
		if out, err := ReadOutput(output); err == nil {
			o.Output = &out
		}
		task, err := ReadTask(text, o)
		if err != nil {
			if !errors.Is(err, agenvantage.ErrBadInput) {
				t.Fatalf("error %v is not bad input", err)
			}
			return
		}
		checkTask(t, task)
		if again, _ := ReadTask(text, o); !reflect.DeepEqual(task, again) {
			t.Fatal("two calls differ")
		}
	})
}
