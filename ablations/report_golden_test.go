package ablations

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"agenvantage"
)

var updateReports = flag.Bool("update", false, "rewrite the golden files")

// TestSampleReport compares the samples in every form with testdata/sample_*; the browser test opens the page.
func TestSampleReport(t *testing.T) {
	r := sampleReport()
	for _, x := range []struct {
		name  string
		write func(*bytes.Buffer) error
	}{
		{"sample_report.txt", func(b *bytes.Buffer) error { return r.WriteText(b, 120) }},
		{"sample_report_60.txt", func(b *bytes.Buffer) error { return smallReport().WriteText(b, 60) }},
		{"sample_report.md", func(b *bytes.Buffer) error { return r.WriteMarkdown(b) }},
		{"sample_report.html", func(b *bytes.Buffer) error { return r.WriteHTML(b) }},
		{"sample_small.json", func(b *bytes.Buffer) error { return smallReport().WriteJSON(b) }},
		{"sample_packs.txt", func(b *bytes.Buffer) error { return packsReport().WriteText(b, 120) }},
		{"sample_packs.md", func(b *bytes.Buffer) error { return packsReport().WriteMarkdown(b) }},
		{"sample_small.html", func(b *bytes.Buffer) error { return smallReport().WriteHTML(b) }},
	} {
		var got, again bytes.Buffer
		if err := x.write(&got); err != nil {
			t.Fatal(err)
		}
		if err := x.write(&again); err != nil || !bytes.Equal(got.Bytes(), again.Bytes()) {
			t.Errorf("%s: the second time other bytes were written (%v)", x.name, err)
		}
		file := filepath.Join("testdata", x.name)
		if *updateReports {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if line, a, b := goldenDifference(got.String(), string(want)); line > 0 {
			t.Errorf("%s differs at line %d (rewrite with -update):\n%s\nwant\n%s", file, line, a, b)
		}
	}
}

// goldenDifference is the first line in which two texts differ, from 1; 0 when they are equal.
func goldenDifference(a, b string) (line int, inA, inB string) {
	if a == b {
		return 0, "", ""
	}
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		inA, inB = "", ""
		if i < len(x) {
			inA = x[i]
		}
		if i < len(y) {
			inB = y[i]
		}
		if inA != inB || i >= len(x) || i >= len(y) {
			return i + 1, inA, inB
		}
	}
	return 0, "", ""
}

// smallReport has one repository, two variants and no verdicts: no interval can be given.
func smallReport() Report {
	at := func(x float64) Estimate {
		return Estimate{RepoMean: x, QueryMean: x, Low: x, High: x, Tasks: 9, Clusters: 1}
	}
	return Report{Format: ReportFormat,
		Run: RunInfo{Product: "agenvantage dev", TaskSet: "own", TaskSetHash: "00ff", Tokenizer: "bytes/4", Depth: 10, Budgets: []int{2000}, Baseline: "exact", All: "all"},
		Tasks: TaskInfo{Count: 9, Repositories: []RepoInfo{{Name: "own", Tasks: 9, Revisions: []string{""}}},
			Classes: []CountInfo{{"natural", 9}}},
		Variants: []VariantReport{
			{Variant: Variant{Name: "exact", Channels: []string{"exact"}}, Overall: Scores{"ndcg@10": at(0.5), "success@2000": at(1. / 3), "tfh": at(31999.5)},
				ByClass: []Group{{"natural", Scores{"ndcg@10": at(0.5)}}}},
			{Variant: Variant{Name: "all", Channels: []string{"exact", "bm25f"}, Settings: map[string]string{"b": "2", "a": "1"}},
				Overall: Scores{"ndcg@10": at(0.4996), "success@2000": at(2. / 3)}, ByClass: []Group{{"natural", Scores{"ndcg@10": at(0.4996)}}}},
		},
		Comparisons: []Comparison{{A: "exact", B: "all", Metric: "success@2000", AValue: 1. / 3, BValue: 2. / 3, Difference: 1. / 3,
			Low: 1. / 3, High: 1. / 3, P: 0.25, PHolm: 0.25, Test: "McNemar, exact", Tasks: 9, Clusters: 1, Wins: 3, Needed: 240}},
	}
}

func TestWriteTextWidths(t *testing.T) {
	r := sampleReport()
	for _, x := range []struct{ width, want int }{{0, 120}, {120, 120}, {80, 80}, {60, 60}, {39, 40}, {200, 200}} {
		var b bytes.Buffer
		if err := r.WriteText(&b, x.width); err != nil {
			t.Fatal(err)
		}
		longest := 0
		for _, line := range strings.Split(b.String(), "\n") {
			longest = max(longest, utf8.RuneCountInString(line))
			if strings.TrimRight(line, " ") != line {
				t.Errorf("width %d: blanks at the end of %q", x.width, line)
			}
		}
		if longest > x.want {
			t.Errorf("width %d: a line of %d characters", x.width, longest)
		}
		for _, figure := range []string{"0.629", "[0.597, 0.664]", "52.1%", "0.258", "1,508", "122", "no difference shown", "keep off", "0.234 → 0.265"} {
			if !strings.Contains(b.String(), figure) {
				t.Errorf("width %d: %q is missing", x.width, figure)
			}
		}
	}
	for _, width := range []int{-1, maxTextWidth + 1} {
		if err := r.WriteText(&bytes.Buffer{}, width); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("width %d: %v", width, err)
		}
	}
}

// TestTerminalControlInNames: a task set can name things as it likes, and a terminal must not act on it.
func TestTerminalControlInNames(t *testing.T) {
	r := hostileReport("\x1b]0;owned\x07\u202eevil\x00\xff\nline")
	var b bytes.Buffer
	if err := r.WriteText(&b, 0); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"\x1b", "\x07", "\u202e", "\x00", "\xff", "\r", "\t"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("%q is written", bad)
		}
	}
	if !strings.Contains(b.String(), "evil") {
		t.Error("the name is missing")
	}
}

func TestEscapeMarkdown(t *testing.T) {
	for _, x := range []struct{ in, want string }{
		{"load_user", "load_user"},
		{"_private and trailing_", `\_private and trailing\_`},
		{"a|b", `a\|b`},
		{"<script>alert(1)</script>", `\<script\>alert(1)\</script\>`},
		{"[x](y) `z` *w* ~v~", "\\[x\\](y) \\`z\\` \\*w\\* \\~v\\~"},
		{`C:\dir & "q" #1`, `C:\\dir \& "q" \#1`},
		{"two\nlines", "two lines"},
		{"größe_ä", "größe_ä"},
	} {
		if got := escapeMarkdown(x.in); got != x.want {
			t.Errorf("%q: %q, want %q", x.in, got, x.want)
		}
	}
}
