package browser

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPlotsAreDrawn unfolds the page and looks at the geometry of every drawing as the browser has it.
func TestPlotsAreDrawn(t *testing.T) {
	p := open(t, newBrowser(t), samplePage, 1400, "light")
	p.unfold()
	type drawing struct {
		Name          string
		Width, Height float64
		Paths, Texts  int
		Bad           []string
	}
	plots := evaluate[[]drawing](p, `Array.from(document.querySelectorAll("svg"), (svg) => {
		const at = svg.getBoundingClientRect(), view = svg.viewBox.baseVal, bad = [];
		for (const path of svg.querySelectorAll("path")) {
			const b = path.getBBox();
			if (![b.x, b.y, b.width, b.height, path.getTotalLength()].every(Number.isFinite)) bad.push("path " + path.getAttribute("d"));
			if (b.x < -1 || b.y < -1 || b.x + b.width > view.width + 1 || b.y + b.height > view.height + 1) bad.push("outside: " + path.getAttribute("d"));
		}
		for (const text of svg.querySelectorAll("text")) {
			const b = text.getBBox(); // a tenth: fonts differ in width
			if (b.x < -view.width / 10 || b.y < -1 || b.x + b.width > view.width * 1.1 || b.y + b.height > view.height + 1) bad.push("outside: " + text.textContent);
		}
		return {
			Name: svg.querySelector("title").textContent, Width: at.width, Height: at.height,
			Paths: svg.querySelectorAll("path").length, Texts: svg.querySelectorAll("text").length, Bad: bad,
		};
	})`)
	// The gains, four curves, two scatters, and four groupings for each of seven variants.
	if want := 1 + 4 + 2 + 4*7; len(plots) != want {
		t.Errorf("%d plots, want %d", len(plots), want)
	}
	for _, x := range plots {
		if x.Width < 200 || x.Height < 80 || x.Paths < 5 || x.Texts < 5 {
			t.Errorf("%s: %.0f by %.0f pixels, %d paths, %d texts", x.Name, x.Width, x.Height, x.Paths, x.Texts)
		}
		for _, bad := range x.Bad {
			t.Errorf("%s: %s", x.Name, bad)
		}
	}
}

// column is what the browser shows of a table after a click.
type column struct {
	Names  []string // of the rows
	Values []string // data-value, "" where there is none
	Sorts  []string // aria-sort of every heading
}

func (p *tab) column(table string, n string) column {
	p.t.Helper()
	return evaluate[column](p, `(() => {
		const table = document.querySelector("#`+table+`"), rows = Array.from(table.tBodies[0].rows);
		return {
			Names: rows.map((r) => r.cells[0].textContent),
			Values: rows.map((r) => r.cells[`+n+` - 1].dataset.value ?? ""),
			Sorts: Array.from(table.tHead.rows[0].cells, (h) => h.getAttribute("aria-sort")),
		};
	})()`)
}

// TestTablesSort clicks and presses keys as a reader does, on columns whose order as numbers differs from that as text.
func TestTablesSort(t *testing.T) {
	p := open(t, newBrowser(t), samplePage, 1400, "light")
	const table, p95, tasks, name = "table-scores", "13", "2", "1"
	button := func(n string) string { return "#" + table + " thead th:nth-child(" + n + ") button" }
	original := p.column(table, p95)
	if slices.ContainsFunc(original.Sorts, func(s string) bool { return s != "none" }) {
		t.Errorf("sorted before a click: %q", original.Sorts)
	}
	p.click(button(p95))
	up := p.column(table, p95)
	if want := "18 21 34 47 61 96 122 164"; strings.Join(up.Values, " ") != want {
		t.Errorf("ascending: %q, want %s", up.Values, want)
	}
	if up.Sorts[12] != "ascending" || slices.Contains(up.Sorts[:12], "ascending") {
		t.Errorf("aria-sort %q", up.Sorts)
	}
	p.click(button(p95))
	down := p.column(table, p95)
	if want := "164 122 96 61 47 34 21 18"; strings.Join(down.Values, " ") != want || down.Sorts[12] != "descending" {
		t.Errorf("descending: %q, aria-sort %q", down.Values, down.Sorts)
	}
	p.click(button(tasks))
	if same := p.column(table, tasks); !slices.Equal(same.Names, down.Names) || same.Sorts[12] != "none" || same.Sorts[1] != "ascending" {
		t.Errorf("equal rows changed places: %q, before %q, aria-sort %q", same.Names, down.Names, same.Sorts)
	}
	p.do(chromedp.SendKeys(chromedp.CSS(button(name)), kb.Enter))
	byName := p.column(table, name)
	if !slices.IsSorted(byName.Names) || byName.Sorts[0] != "ascending" || slices.Equal(byName.Names, original.Names) {
		t.Errorf("by name, with the keyboard: %q, aria-sort %q", byName.Names, byName.Sorts)
	}
}

// TestMissingFiguresComeLast: a cell without a figure is no zero, in either direction.
func TestMissingFiguresComeLast(t *testing.T) {
	p := open(t, newBrowser(t), smallPage, 1400, "light")
	for range 2 {
		p.click("#table-scores thead th:nth-child(10) button")
		if c := p.column("table-scores", "10"); !slices.Equal(c.Values, []string{"31999.5", ""}) {
			t.Errorf("%q, aria-sort %q", c.Values, c.Sorts)
		}
	}
}

// TestEveryColumnSorts clicks every heading of every table twice and checks the order by the cells alone.
func TestEveryColumnSorts(t *testing.T) {
	p := open(t, newBrowser(t), samplePage, 1400, "light")
	type found struct {
		Columns int
		Bad     []string
	}
	result := evaluate[found](p, `(() => {
		const bad = [];
		let columns = 0;
		for (const table of document.querySelectorAll("table.sortable")) {
			Array.from(table.tHead.rows[0].cells).forEach((heading, n) => {
				columns++;
				const numeric = heading.classList.contains("num");
				const before = Array.from(table.tBodies[0].rows).length;
				for (const direction of ["ascending", "descending"]) {
					heading.querySelector("button").click();
					const cells = Array.from(table.tBodies[0].rows, (r) => r.cells[n]);
					const known = numeric ? cells.filter((c) => c.dataset.value !== undefined) : cells;
					const keys = known.map((c) => (numeric ? parseFloat(c.dataset.value) : c.textContent));
					const ordered = keys.every((k, i) => i === 0 || (direction === "ascending" ? keys[i - 1] <= k : keys[i - 1] >= k));
					const last = known.every((c, i) => c === cells[i]);
					if (!ordered || !last || cells.length !== before || heading.getAttribute("aria-sort") !== direction || keys.some(Number.isNaN)) {
						bad.push(table.id + " " + heading.textContent + " " + direction);
					}
				}
			});
		}
		return { Columns: columns, Bad: bad };
	})()`)
	if result.Columns < 200 || len(result.Bad) > 0 {
		t.Errorf("%d columns, wrong: %q", result.Columns, result.Bad)
	}
}

// TestPageFitsTheWindow: wide tables and plots scroll inside of their boxes, the page itself does not.
func TestPageFitsTheWindow(t *testing.T) {
	browser := newBrowser(t)
	for _, file := range []string{samplePage, smallPage} {
		for _, width := range []int64{400, 1400} {
			p := open(t, browser, file, width, "light")
			for _, state := range []string{"folded", "unfolded"} {
				if state == "unfolded" {
					p.unfold()
				}
				type layout struct {
					Window, Root, Body, Boxes float64
					Wide                      []string
				}
				page := evaluate[layout](p, `({
					Window: innerWidth, Root: document.documentElement.scrollWidth, Body: document.body.scrollWidth,
					Boxes: Array.from(document.querySelectorAll(".scroll")).filter((b) => b.scrollWidth > b.clientWidth).length,
					Wide: Array.from(document.querySelectorAll("h1, h2, h3, p, li, summary, dl, .scroll, figure"))
						.filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + " " + e.textContent.slice(0, 40)),
				})`)
				if page.Window != float64(width) || page.Root > page.Window || page.Body > page.Window || len(page.Wide) > 0 {
					t.Errorf("%s, %d, %s: window %g, page %g, body %g, too wide %q", filepath.Base(file), width, state, page.Window, page.Root, page.Body, page.Wide)
				}
				if width == 400 && page.Boxes == 0 {
					t.Errorf("%s, %d, %s: no table scrolls in its box, so nothing was shown", filepath.Base(file), width, state)
				}
			}
		}
	}
}

// readable is what contrasts returns.
type readable struct {
	Texts      int
	Background float64 // luminance of the page
	Bad        []string
}

// contrasts computes the contrast of every text with what is behind it, by the formulas of WCAG 2.2.
const contrasts = `(() => {
	const parse = (s) => { const n = s.match(/[\d.]+/g).map(Number); return { rgb: n.slice(0, 3), alpha: n.length > 3 ? n[3] : 1 }; };
	const luminance = (rgb) => {
		const [r, g, b] = rgb.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const behind = (e) => {
		for (; e; e = e.parentElement) {
			const c = parse(getComputedStyle(e).backgroundColor);
			if (c.alpha === 1) return c.rgb;
			if (c.alpha > 0) return null;
		}
		return [255, 255, 255];
	};
	const bad = [];
	let texts = 0;
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const text = walk.currentNode.textContent.trim(), e = walk.currentNode.parentElement;
		if (text === "" || ["SCRIPT", "STYLE", "title", "desc"].includes(e.tagName)) continue;
		texts++;
		const style = getComputedStyle(e), back = behind(e);
		const front = parse(e instanceof SVGElement ? style.fill : style.color);
		for (let x = e; x; x = x.parentElement) if (getComputedStyle(x).opacity !== "1") front.alpha = 0;
		const [low, high] = back ? [luminance(front.rgb), luminance(back)].sort((a, b) => a - b) : [1, 1];
		const ratio = (high + 0.05) / (low + 0.05);
		if (ratio < 4.5 || front.alpha !== 1) bad.push(text.slice(0, 40) + ": " + ratio.toFixed(2) + " " + e.tagName + "." + (e.getAttribute("class") ?? ""));
	}
	return { Texts: texts, Background: luminance(behind(document.body)), Bad: bad };
})()`

// TestTextCanBeRead: the contrast of every text is at least 4.5.
func TestTextCanBeRead(t *testing.T) {
	browser := newBrowser(t)
	backgrounds := map[string]float64{}
	for _, scheme := range []string{"light", "dark"} {
		p := open(t, browser, samplePage, 1400, scheme)
		p.unfold()
		result := evaluate[readable](p, contrasts)
		if result.Texts < 1000 {
			t.Errorf("%s: only %d texts", scheme, result.Texts)
		}
		for i, bad := range result.Bad {
			if i < 20 {
				t.Errorf("%s: %s", scheme, bad)
			}
		}
		backgrounds[scheme] = result.Background
	}
	if backgrounds["light"] < 0.8 || backgrounds["dark"] > 0.1 {
		t.Errorf("luminance of the pages: %v", backgrounds)
	}
}

// TestFoldedPartsOpen clicks the summary of a task that moved.
func TestFoldedPartsOpen(t *testing.T) {
	p := open(t, newBrowser(t), samplePage, 1400, "light")
	shown := func() bool {
		return evaluate[bool](p, `(() => {
			const row = document.querySelector("details.task .units .gold");
			return row.checkVisibility({ contentVisibilityProperty: true }) && row.getBoundingClientRect().height > 10;
		})()`)
	}
	for i, want := range []bool{false, true, false} {
		if i > 0 {
			p.click("details.task > summary")
		}
		if got := shown(); got != want {
			t.Errorf("after %d clicks the rankings are shown: %v", i, got)
		}
	}
}

// TestPrinting: what is folded on the screen is printed, and folded again afterwards.
func TestPrinting(t *testing.T) {
	p := open(t, newBrowser(t), samplePage, 1400, "dark")
	evaluate[chromedp.Void](p, `addEventListener("beforeprint", () => { window.printed = document.querySelectorAll("details.print[open]").length; })`)
	document, err := chromedp.Run(p.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFLandscape()))
	if err != nil {
		t.Fatal(err)
	}
	during := evaluate[int](p, `window.printed`)
	after := evaluate[int](p, `document.querySelectorAll("details.print[open]").length`)
	if during < 5 || after != 0 || !strings.HasPrefix(string(document), "%PDF-") || len(document) < 20_000 {
		t.Errorf("%d parts open while printing, %d after, %d bytes", during, after, len(document))
	}
}
