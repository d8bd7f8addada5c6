package ablations

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
)

func pageOf(t *testing.T, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	drawing   = regexp.MustCompile(`(?s)<svg .*?</svg>`)
	pathData  = regexp.MustCompile(`^([MLa](-?\d+(\.\d)?)( -?\d+(\.\d)?)*|Z)+$`)
	placeText = regexp.MustCompile(`^-?\d+\.\d$`)
)

// checkDrawings parses every drawing of a page as XML and checks its names, places and text alternatives; it returns how
// many there are.
func checkDrawings(t *testing.T, page string) int {
	t.Helper()
	all := drawing.FindAllString(page, -1)
	for _, svg := range all {
		d := xml.NewDecoder(strings.NewReader(svg))
		seen := map[string]int{}
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("a drawing is no XML: %v\n%s", err, svg)
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			name := start.Name.Local
			seen[name]++
			for _, a := range start.Attr {
				switch key := a.Name.Local; {
				case key == "d" && !pathData.MatchString(a.Value), (key == "x" || key == "y") && !placeText.MatchString(a.Value):
					t.Fatalf("%s has %s=%q", name, key, a.Value)
				case strings.HasPrefix(key, "on"), key == "href", key == "src":
					t.Fatalf("%s has %s", name, key)
				}
			}
			if !strings.Contains(" svg title desc g path text ", " "+name+" ") {
				t.Fatalf("a drawing holds <%s>", name)
			}
		}
		if seen["svg"] != 1 || seen["desc"] != 1 || seen["title"] < 1 || seen["path"] == 0 {
			t.Fatalf("a drawing has %v", seen)
		}
	}
	if n := strings.Count(page, "Figures as a table"); n != len(all) {
		t.Fatalf("%d drawings and %d tables of figures", len(all), n)
	}
	return len(all)
}

func TestPageOfSample(t *testing.T) {
	page := pageOf(t, sampleReport())
	// The gains, four curves, two scatters, and four groupings for each of seven variants.
	if n := checkDrawings(t, page); n != 1+4+2+4*7 {
		t.Errorf("%d drawings", n)
	}
	for _, want := range []string{
		`content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"`,
		"dense for natural questions.", "no difference shown", "insufficient evidence", "9c1e77d2ab034f18", "o200k_base", "linux/amd64, 2 cores",
		"fusion.k = 60", "folder as it stands", "★ gold", "the 90% interval of the gain lies above 0",
		`<th scope="col" aria-sort="none" class="num"><button type="button">nDCG@10</button></th>`, `data-value="0.629"`, "Nothing was shown.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, `<details class="task">`); n != 20 {
		t.Errorf("%d moved tasks", n)
	}
	for _, m := range Metrics() {
		if !strings.Contains(page, "<th scope=\"row\">"+m.Name+"</th>") {
			t.Errorf("%s is not defined", m.Name)
		}
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] || m[1] == "" {
			t.Errorf("the id %q is not unique", m[1])
		}
		ids[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !ids[strings.TrimPrefix(m[1], "#")] {
			t.Errorf("the link %s leads nowhere", m[1])
		}
	}
}

func TestPageNeedsNothingElse(t *testing.T) {
	for name, r := range map[string]Report{"sample": sampleReport(), "small": smallReport(), "empty": {}} {
		page := strings.ToLower(pageOf(t, r))
		for _, bad := range []string{"http:", "https:", "//", "url(", "@import", "src=", "<link", "<img", "<iframe", "<form", "fetch(", "xmlhttprequest", "import("} {
			at := strings.Index(page, bad)
			if bad == "//" { // comments of the script
				at = strings.Index(strings.ReplaceAll(strings.ReplaceAll(page, "\n// ", "\n"), "\n  // ", "\n"), bad)
			}
			if at >= 0 {
				t.Errorf("%s: the page holds %q", name, bad)
			}
		}
	}
}

func TestPageWithoutParts(t *testing.T) {
	one := sampleReport()
	one.Variants, one.Comparisons, one.Verdicts, one.Moved, one.Measured = one.Variants[:1], nil, nil, nil, Measured{}
	silent := sampleReport()
	silent.Measured.Latencies, silent.Verdicts = nil, nil
	for _, x := range []struct {
		name     string
		r        Report
		drawings int
		want     []string
	}{
		{"empty", Report{}, 0, []string{"No variant was run.", "Nothing was compared.", "No latency was measured", "No task moved", "No variant has a score within a budget"}},
		{"one variant", one, 4, []string{"One variant was run.", "nothing to compare it with", "No other variant to compare"}},
		{"no latency, no verdicts", silent, 1 + 4 + 4*7, []string{"The gate judged no channel in this run.", "No latency was measured", "in success per 1,000 tokens within 2000: 0 variants better, 1 worse, 6 with no difference shown"}},
		{"one repository", smallReport(), 1 + 1 + 1, []string{"no difference shown", "33.3 pp"}},
	} {
		page := pageOf(t, x.r)
		if n := checkDrawings(t, page); n != x.drawings {
			t.Errorf("%s: %d drawings, want %d", x.name, n, x.drawings)
		}
		for _, want := range x.want {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page lacks %q", x.name, want)
			}
		}
	}
}

// hostileReport is a report in which every text from outside is s.
func hostileReport(s string) Report {
	scores := Scores{"ndcg@10": {RepoMean: 0.5, Tasks: 3, Clusters: 2}, "success@2000": {RepoMean: 0.5, Tasks: 3, Clusters: 2}, s: {RepoMean: 1}}
	groups := []Group{{Name: s, Scores: scores}}
	variant := func(name string) VariantReport {
		return VariantReport{Variant: Variant{Name: name, Channels: []string{s}, Settings: map[string]string{s: s}}, ConfigHash: s, Overall: scores,
			ByRepo: groups, ByClass: groups, ByCategory: groups, ByLanguage: groups}
	}
	r := Report{Format: ReportFormat, Run: RunInfo{Product: s, ConfigHash: s, Settings: []Setting{{s, s}}, TaskSet: s, TaskSetHash: s, Tokenizer: s,
		Budgets: []int{2000}, Baseline: s, All: s + "2"}}
	r.Tasks = TaskInfo{Count: 3, Repositories: []RepoInfo{{Name: s, Language: s, Revisions: []string{s}}}, Classes: []CountInfo{{s, 1}},
		Categories: []CountInfo{{s, 1}}, Languages: []CountInfo{{s, 1}}, Sources: []CountInfo{{s, 1}}, Notes: []string{s}}
	r.Variants = []VariantReport{variant(s), variant(s + "2")}
	for _, metric := range []string{"ndcg@10", "spt@2000", s} {
		for _, class := range []Class{"", Class(s)} {
			r.Comparisons = append(r.Comparisons, Comparison{A: s, B: s + "2", Metric: metric, Class: class, Test: s, Clusters: 2, Low: -1, High: 1})
		}
	}
	for _, d := range []Decision{Promote, KeepOff, Insufficient, AlwaysOn, Decision(s)} {
		r.Verdicts = append(r.Verdicts, Verdict{Channel: s, Class: Class(s + string(d)), Decision: d, Rule: s, GuardMetric: s, GuardClass: Class(s), EvidenceRunID: s})
	}
	shown := []Shown{{Path: s, Span: s, Gold: true}, {Path: s, Span: s}}
	r.Moved = []MovedTask{{Task: s, Repo: s, Language: s, Category: s, Class: Class(s), Query: s, Metric: s, GoldText: s, UnitsA: shown, UnitsB: shown}}
	r.Packs = []PackReport{{Variant: s, Packs: 1, Slots: []SlotCount{{Slot: s, Packs: 1}}, Calibration: []CalibrationHalf{{Half: s, All: CalibrationGroup{Tasks: 1}}}}}
	r.Measured = Measured{Machine: s, Started: s, Latencies: []VariantLatency{{Variant: s, P95MS: 5, Tasks: 1}, {Variant: s + "2", P95MS: 9, Tasks: 1}},
		Costs: []CorpusCost{{Repo: s, Cost: Cost{Channels: map[string]ChannelCost{s: {}}}}}}
	return r
}

// TestNamesAreNoMarkup: what a repository or a task says must not become part of the page's structure.
func TestNamesAreNoMarkup(t *testing.T) {
	shape := func(s string) string {
		page := pageOf(t, hostileReport(s))
		checkDrawings(t, page) // what is in them depends on the length of names, so the rest is compared without them
		return fmt.Sprint(regexp.MustCompile(`</?[a-zA-Z!][^\s>/]*`).FindAllString(drawing.ReplaceAllString(page, "<svg>"), -1))
	}
	plain := shape("name")
	for _, s := range []string{
		`</script><img src=x onerror=alert(1)>`, `</title><script>alert(1)</script>`, `"><svg onload=alert(1)>`, `' onmouseover='alert(1)`,
		`</style><b>`, `<!--`, `]]>`, `{{.Style}}`, `javascript:alert(1)`, "\u2028</textarea>", `&lt;b&gt;`, "`${alert(1)}`", `<desc></desc></svg>`,
	} {
		if shape(s) != plain {
			t.Errorf("%q changes the structure of the page", s)
		}
	}
	page := pageOf(t, hostileReport(`</script><img src=x onerror=alert(1)>`))
	if strings.Contains(page, "<img") || strings.Count(page, "</script>") != 1 || !strings.Contains(page, "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;") {
		t.Error("the name is not escaped")
	}
	page = pageOf(t, hostileReport("x\u202ey\x1b[2J"))
	if strings.ContainsAny(page, "\u202e\x1b") {
		t.Error("control characters are in the page")
	}
}

// TestLooksDiffer: variants are told apart without colour.
func TestLooksDiffer(t *testing.T) {
	r := Report{Run: RunInfo{Baseline: "v3"}}
	for i := range 21 {
		r.Variants = append(r.Variants, VariantReport{Variant: Variant{Name: fmt.Sprintf("v%d", i)}})
	}
	seen := map[string]bool{}
	for i, l := range newView(r).looks() {
		_, dash, _ := strings.Cut(strings.TrimPrefix(l.class, "series s"), " ")
		key := fmt.Sprint(dash, l.kind)
		if seen[key] && i < 21 {
			t.Errorf("variant %d looks as another one without colour: %s", i, key)
		}
		seen[key] = true
		if (r.Variants[i].Name == "v3") != strings.Contains(l.class, "base") {
			t.Errorf("variant %d: %s", i, l.class)
		}
	}
}
