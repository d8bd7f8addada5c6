package browser

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Variables of the environment for the page: a program to use in the place of one that is built here, and a folder for
// screenshots.
const (
	binaryVariable      = "AGENVANTAGE_TEST_BINARY"
	screenshotsVariable = "AGENVANTAGE_TEST_SCREENSHOTS"
)

// shop is the repository that is served. The last file checks that what a repository says stays text.
var shop = map[string]string{
	"go.mod": "module shop\n\ngo 1.24\n",
	"shop.go": `package shop

// Discount is the share of a price that a customer is let off.
func Discount(total int) int {
	if total > 100 {
		return 10
	}
	return 0
}

// Checkout sums a basket and takes the discount off.
func Checkout(prices []int) int {
	total := 0
	for _, p := range prices {
		total += p
	}
	return total - Discount(total)
}
`,
	"deep/er/and/deeper/still/a_file_with_a_rather_long_name_about_discounts.py": "def discount_for_members(total):\n    \"\"\"The discount of members.\"\"\"\n    return total // 20\n",
	"README.md":    "# Shop\n\nA discount is given from 100 on.\n",
	"<b>bold.html": "<img src=x onerror=\"document.title='broken'\"> discount <script>document.title='broken'</script>\n",
}

// serve serves the shop with a program of this tree and returns the address of the page.
func serve(t *testing.T, flags ...string) string {
	t.Helper()
	program := os.Getenv(binaryVariable)
	if program == "" {
		program = filepath.Join(t.TempDir(), "agenvantage")
		if out, err := exec.Command("go", "build", "-C", "../..", "-o", program, "./cmd/agenvantage").CombinedOutput(); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
	}
	dir := t.TempDir()
	for name, text := range shop {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range [][]string{{"git", "init", "-q", dir}, {program, "index", "--repo", dir}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", command, err, out)
		}
	}
	cmd := exec.Command(program, append([]string{"serve", "--http", "127.0.0.1:0", "--repo", dir}, flags...)...)
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "AGENVANTAGE_SEARCH_CHANNEL_TIMEOUT=1m") // a busy machine leaves no channel out
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server does not say where it listens: %v", err)
	}
	address := strings.TrimSpace(line) + "/"
	for range 300 { // until the index is open: before, an answer comes from a scan of the files
		if answer, err := http.Get(address + "readyz"); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return address
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the server is not ready")
	return ""
}

// press sends keys to what has the focus.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

// wait waits until a condition of the page holds.
func (p *tab) wait(what, condition string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 20*time.Second)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](condition)); err != nil {
		p.t.Fatalf("%s: %v; the page says %q", what, err, evaluate[string](p, `document.body.innerText`))
	}
}

const answered = `/^\d+ results?,/.test(document.querySelector("#state").textContent)`

// shoot keeps a screenshot where a folder for them is named.
func (p *tab) shoot(name string) {
	p.t.Helper()
	dir := os.Getenv(screenshotsVariable)
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// focus describes what has the focus, and whether that can be seen.
func (p *tab) focus() (name string, seen bool) {
	p.t.Helper()
	type focused struct {
		Name    string
		Outline float64
		Shown   bool
	}
	f := evaluate[focused](p, `(() => {
		const e = document.activeElement, s = getComputedStyle(e), b = e.getBoundingClientRect();
		const by = e.getAttribute("aria-labelledby"), label = e.labels && e.labels[0];
		return {
			Name: (by ? document.getElementById(by) : label || e).textContent.trim().slice(0, 60) || e.getAttribute("aria-label") || "",
			Outline: s.outlineStyle === "none" ? 0 : parseFloat(s.outlineWidth),
			Shown: b.width > 0 && b.height > 0 && b.bottom > 0 && b.top < innerHeight && b.right > 0,
		};
	})()`)
	return f.Name, f.Outline >= 2 && f.Shown
}

// TestPageByKeyboard asks a query and opens the text of a result with the keyboard alone.
func TestPageByKeyboard(t *testing.T) {
	p := visit(t, newBrowser(t), serve(t), 1400, "light")
	p.press("discount", kb.Enter) // the field has the focus from the start
	p.wait("an answer", answered)
	type shown struct {
		Channels, Head, Parts []string
		Rows                  int
		Sum, Score            float64
		Title                 string
	}
	s := evaluate[shown](p, `(() => {
		const table = document.querySelector("#results"), text = (e) => e.textContent, rows = Array.from(table.tBodies[0].rows);
		const groups = Array.from(table.tHead.rows[0].cells, (c) => c.colSpan), head = Array.from(table.tHead.rows[1].cells, text);
		const first = Array.from(rows[0].cells, text), parts = first.slice(groups[0] + groups[1]).filter((x) => x !== "–");
		return {
			Channels: Array.from(document.querySelectorAll("#channels h3"), text), Head: head, Rows: rows.length,
			Parts: parts, Sum: parts.reduce((sum, x) => sum + parseFloat(x), 0), Score: parseFloat(first[head.indexOf("Score")]), Title: document.title,
		};
	})()`)
	for _, want := range []string{"exact", "bm25f"} {
		if !slices.Contains(s.Channels, want) || strings.Count(strings.Join(s.Head, " "), want) < 2 {
			t.Errorf("channel %s is missing: %q; its rank or its share, columns %q", want, s.Channels, s.Head)
		}
	}
	if s.Rows < 3 || len(s.Parts) < 2 || s.Sum-s.Score > 1e-3*s.Score || s.Score-s.Sum > 1e-3*s.Score {
		t.Errorf("%d results; parts %q add up to %g, and the score is %g", s.Rows, s.Parts, s.Sum, s.Score)
	}
	if s.Title != "AgenVantage" {
		t.Errorf("a file of the repository has run: title %q", s.Title)
	}
	p.shoot("answer-light")

	var stops []string
	for range 40 {
		p.press(kb.Tab)
		name, seen := p.focus()
		if name == "" || !seen {
			t.Errorf("after %q the focus is on %q, seen: %v", stops, name, seen)
		}
		if stops = append(stops, name); strings.HasPrefix(name, "shop.go:3-") {
			break
		}
	}
	if want := stops[len(stops)-1]; !strings.HasPrefix(want, "shop.go:3-") {
		t.Fatalf("the result is not reached with Tab: %q", stops)
	}
	p.shoot("focus-light")
	p.press(kb.Enter)
	p.wait("the text", `!document.querySelector("#text").hidden && document.querySelector("#text pre").textContent.includes("func Discount")`)
	if name, _ := p.focus(); !strings.HasPrefix(name, "shop.go:3-") {
		t.Errorf("the focus does not follow to the text, it is on %q", name)
	}
	p.shoot("text-light")
	if _, problems := p.heard(); len(problems) > 0 {
		t.Errorf("%q", problems)
	}
}

// TestPageTellsWhatIsWrong: nothing found, a refused question, and a server that wants a token.
func TestPageTellsWhatIsWrong(t *testing.T) {
	browser := newBrowser(t)
	p := visit(t, browser, serve(t), 1400, "light")
	p.press("qqzzyyxx", kb.Enter)
	p.wait("no result", `/^Nothing found/.test(document.querySelector("#state").textContent)`)
	p.shoot("nothing-light")
	p.do(chromedp.SetValue(chromedp.CSS("#query"), "discount"), chromedp.SetValue(chromedp.CSS("#path"), "../x"), chromedp.Focus(chromedp.CSS("#query")))
	p.press(kb.Enter)
	p.wait("a refusal", `document.querySelector("#state").textContent.includes("below the root")`)
	p.shoot("refused-light")

	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("sesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p = visit(t, browser, serve(t, "--token-file", file), 1400, "light")
	p.press("discount", kb.Enter)
	p.wait("the field for a token", `document.activeElement.id === "token"`)
	p.press("sesame", kb.Enter)
	p.wait("an answer", answered)
}

// TestPageCanBeReadAndUsed: texts have contrast, fields have labels, parts have names, headings are in order, and the page itself
// never scrolls sideways; in both schemes, wide and narrow.
func TestPageCanBeReadAndUsed(t *testing.T) {
	browser, address := newBrowser(t), serve(t)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{320, 1400} {
			p := visit(t, browser, address, width, scheme)
			p.press("discount", kb.Enter)
			p.wait("an answer", answered)
			evaluate[bool](p, `(document.querySelector("#results td button").click(), true)`)
			if r := evaluate[readable](p, contrasts); r.Texts < 30 || len(r.Bad) > 0 {
				t.Errorf("%s: %d texts, %q", scheme, r.Texts, r.Bad)
			}
			bad := evaluate[[]string](p, `(() => {
				const bad = [];
				for (const e of document.querySelectorAll("input")) if (!e.labels || e.labels.length === 0) bad.push("no label: " + e.id);
				for (const e of document.querySelectorAll("button, h1, h2, h3, th")) {
					if (e.textContent.trim() === "" && e.getClientRects().length > 0) bad.push("no text: " + e.outerHTML.slice(0, 60));
				}
				for (const e of document.querySelectorAll("[aria-labelledby]")) {
					const by = document.getElementById(e.getAttribute("aria-labelledby"));
					if (!by || by.textContent.trim() === "") bad.push("no name: " + e.outerHTML.slice(0, 60));
				}
				const ids = Array.from(document.querySelectorAll("[id]"), (e) => e.id);
				if (new Set(ids).size !== ids.length) bad.push("ids twice");
				let before = 0;
				for (const h of document.querySelectorAll("h1, h2, h3")) {
					const level = Number(h.tagName[1]);
					if (level > before + 1) bad.push("heading skips: " + h.textContent);
					before = level;
				}
				for (const e of document.querySelectorAll("button, input")) {
					const b = e.getBoundingClientRect();
					if (b.width > 0 && (b.height < 24 || b.width < 24)) bad.push("small target: " + e.outerHTML.slice(0, 60) + b.height);
				}
				if (!document.documentElement.lang || document.querySelectorAll("main, h1").length !== 2) bad.push("language or landmarks");
				if (document.documentElement.scrollWidth > innerWidth) bad.push("scrolls sideways: " + document.documentElement.scrollWidth);
				return bad;
			})()`)
			if len(bad) > 0 {
				t.Errorf("%s, %d: %q", scheme, width, bad)
			}
			p.shoot("page-" + scheme + "-" + map[int64]string{320: "narrow", 1400: "wide"}[width])
		}
	}
}
