package ablations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

func TestMeasurePack(t *testing.T) {
	facts := &PackFacts{Budget: 6000, Tokens: 100, IndexedBytes: 4000}
	for _, x := range []struct {
		name, task, tests, units, status string
		facts                            *PackFacts
		want                             string
	}{
		{"a search has none", "a.go", "a_test.go", "a.go:1-1=1", "", nil,
			"pack_file_recall=- all_in=- ready=- ready_all_in=- false_ready=- reduction=- test_recall=-"},
		// Any line of the file counts, not the gold line alone: success@100 is 0.
		{"half of the files", "a.go:5-6 b.go:1-2", "", "a.go:50-60=10", "partial", facts,
			"pack_file_recall=.5 all_in=0 ready=0 ready_all_in=- false_ready=- reduction=.9 test_recall=- success@100=0"},
		{"all, and ready", "a.go:5-6 b.go:1-2", "", "b.go:9-9=1 a.go:5-5=1", "ready", facts,
			"pack_file_recall=1 all_in=1 ready=1 ready_all_in=1 false_ready=0"},
		{"all, and not ready", "a.go", "", "a.go:5-5=1", "partial", facts, "all_in=1 ready=0 ready_all_in=0 false_ready=-"},
		{"ready too early", "a.go b.go", "", "a.go:5-5=1", "ready", facts, "all_in=0 ready=1 ready_all_in=- false_ready=1"},
		{"nothing", "a.go", "a_test.go", "", "insufficient", facts, "pack_file_recall=0 all_in=0 ready=0 test_recall=0"},
		{"one test of two", "a.go", "a_test.go b_test.go", "a.go:1-1=1 b_test.go:1-9=5", "partial", facts, "test_recall=.5"},
		{"longer than the repository", "a.go", "", "a.go:1-1=1", "partial", &PackFacts{Tokens: 300, IndexedBytes: 400}, "reduction=-2"},
		{"an empty repository", "a.go", "", "", "insufficient", &PackFacts{Tokens: 300}, "reduction=-"},
		{"a status alone", "a.go", "", "a.go:1-1=1", "ready", nil, "all_in=1 reduction=- false_ready=0"},
	} {
		task := readTask(t, x.task)
		task.Tests = strings.Fields(x.tests)
		got := Measure(task, Ranking{Units: readUnits(t, x.units), Status: x.status, PackFacts: x.facts}, []int{100})
		checkValues(t, x.name, got, x.want)
	}
}

func TestRankingsOfPacksGoThroughALine(t *testing.T) {
	search := Ranking{Task: "a", Class: ClassIssue, Units: []Unit{{Path: "a.go", Start: 1, End: 2, Tokens: 3, Score: 4}}}
	pack := Ranking{Task: "a", Class: ClassIssue, Units: []Unit{}, Status: "partial", PackFacts: &PackFacts{Budget: 6000, Tokens: 900, IndexedBytes: 8000, Slots: map[string]string{"tests": "filled", "state": "unknown"}}}
	for _, x := range []struct {
		r    Ranking
		want string
	}{
		{search, `{"task":"a","class":"issue","units":[{"path":"a.go","start":1,"end":2,"tokens":3,"score":4}]}`},
		{pack, `{"task":"a","class":"issue","units":[],"status":"partial","budget":6000,"tokens":900,"indexed_bytes":8000,"chance":0,"slots":{"state":"unknown","tests":"filled"}}`},
	} {
		line, err := json.Marshal(x.r)
		if err != nil || string(line) != x.want {
			t.Errorf("%s, %v, want %s", line, err, x.want)
		}
		var again Ranking
		if err := json.Unmarshal(line, &again); err != nil || !reflect.DeepEqual(again, x.r) {
			t.Errorf("%+v, %v", again, err)
		}
	}
}

// packedBoard is four packs with all that a report says of them, and a task that was not answered. The hash puts "r/c" and
// "r/d" into the first half.
func packedBoard(t *testing.T) (TaskSet, Answers) {
	set := TaskSet{Name: "test"}
	answers := Answers{"p": {}}
	for _, x := range []struct {
		id, units, status string
		tokens            int
		chance            float64
		slots             map[string]string
	}{
		{"r/a", "a.go:1-2=10", "ready", 1000, .95, map[string]string{"implementation": "filled", "tests": "proven absent"}},
		{"r/b", "b.go:1-2=10", "ready", 7000, 1, map[string]string{"implementation": "filled", "tests": "unknown"}},
		{"r/c", "b.go:1-2=10", "partial", 3000, .1, map[string]string{"implementation": "unknown", "odd": "strange"}},
		{"r/d", "a.go:9-9=10", "partial", 6000, .35, map[string]string{"tests": "filled"}},
		{"r/e", "", "", 0, 0, nil},
	} {
		task := readTask(t, "a.go:1-10")
		task.ID, task.Repo, task.Query = x.id, "r", "q"
		set.Tasks = append(set.Tasks, task)
		if x.status != "" {
			answers["p"][x.id] = Ranking{Task: x.id, Class: ClassIssue, Units: readUnits(t, x.units), Status: x.status,
				PackFacts: &PackFacts{Budget: 6000, Tokens: x.tokens, IndexedBytes: 40_000, Chance: x.chance, Slots: x.slots}}
		}
	}
	return set, answers
}

func TestHalves(t *testing.T) {
	// By sha256 of "r", a zero byte and the id, computed by another program.
	for id, want := range map[string]int{"r/a": 1, "r/b": 1, "r/c": 0, "r/d": 0} {
		if got := halfOf(Task{Repo: "r", ID: id}); got != want {
			t.Errorf("%s is in half %d", id, got)
		}
	}
	if got := halfOf(Task{Repo: "s1", ID: "r/a"}); got != 0 {
		t.Errorf("another repository: half %d", got)
	}
}

func TestPacksByHand(t *testing.T) {
	set, answers := packedBoard(t)
	s := Summarise(set, []Variant{{Name: "search"}, {Name: "p", Pack: 6000}}, answers, SummaryOptions{Seed: 1, Resamples: 50})
	group := func(low, high float64, tasks int, chance, allIn float64) CalibrationGroup {
		return CalibrationGroup{Low: low, High: high, Tasks: tasks, Chance: chance, AllIn: allIn}
	}
	half := func(name string, ready, all CalibrationGroup, brier float64, filled ...CalibrationGroup) CalibrationHalf {
		h := CalibrationHalf{Half: name, Ready: ready, All: all, Brier: brier}
		for i := range 10 {
			h.Bins = append(h.Bins, group(float64(i)/10, float64(i+1)/10, 0, 0, 0))
		}
		for _, g := range filled {
			h.Bins[int(math.Round(10*g.Low))] = g
		}
		return h
	}
	want := PackReport{Variant: "p", Budget: 6000, Packs: 4, OverBudget: 1, MedianTokens: 4500, MedianReduction: .55, Reduced: 4,
		Slots: []SlotCount{{"implementation", 3, 2, 0, 1}, {"tests", 3, 1, 1, 1}, {"odd", 1, 0, 0, 1}},
		Calibration: []CalibrationHalf{
			half("first", group(0, 1, 0, 0, 0), group(0, 1, 2, .225, .5), .21625, group(.1, .2, 1, .1, 0), group(.3, .4, 1, .35, 1)),
			half("second", group(0, 1, 2, .975, .5), group(0, 1, 2, .975, .5), .50125, group(.9, 1, 2, .975, .5)),
		}}
	if len(s.Packs) != 1 {
		t.Fatalf("%+v", s.Packs)
	}
	got, _ := json.Marshal(roundedPack(s.Packs[0]))
	wanted, _ := json.Marshal(roundedPack(want))
	if !bytes.Equal(got, wanted) {
		t.Errorf("got  %s\nwant %s", got, wanted)
	}
	for metric, want := range map[string]float64{"pack_file_recall": .5, "ready": .5, "ready_all_in": .5, "false_ready": .5, "reduction": .575, "all_in": .5} {
		if e := s.Variants[1].Overall[metric]; !near(e.QueryMean, want) {
			t.Errorf("%s: %+v, want %v", metric, e, want)
		}
	}
}

// roundedPack drops what the order of additions leaves in the last digits.
func roundedPack(p PackReport) PackReport {
	round := func(x *float64) { *x = math.Round(*x*1e9) / 1e9 }
	round(&p.MedianReduction)
	for i := range p.Calibration {
		h := &p.Calibration[i]
		round(&h.Brier)
		for _, g := range []*CalibrationGroup{&h.Ready, &h.All} {
			round(&g.Chance)
		}
		for j := range h.Bins {
			round(&h.Bins[j].Chance)
		}
	}
	return p
}

func TestChancesAtTheEdgesOfBins(t *testing.T) {
	for chance, want := range map[float64]int{0: 0, -1: 0, .0999: 0, .1: 1, .3: 3, .7: 7, .899: 8, .9: 9, 1: 9, 2: 9} {
		var c calibration
		c.add(chance, 1, false)
		if c.bins[want].Tasks != 1 || c.all.Tasks != 1 || c.ready.Tasks != 0 {
			t.Errorf("%v is not in bin %d: %+v", chance, want, c.bins)
		}
	}
	var c calibration
	if c.add(math.NaN(), 1, true); c.all.Tasks != 0 || c.half("first").Brier != 0 {
		t.Errorf("%+v", c)
	}
}

func TestResultsForScorersOfOthers(t *testing.T) {
	set, answers := packedBoard(t)
	none := Task{ID: "s/none", Repo: "r", Query: "q", NoAnswer: true, Match: MatchExact}
	set, err := NewTaskSet("test", append(set.Tasks, none))
	if err != nil {
		t.Fatal(err)
	}
	answers["p"]["s/none"] = Ranking{Task: "s/none", Units: []Unit{}}
	answers["p"]["r/b"] = Ranking{Task: "r/b", Units: []Unit{{"b.go", 1, 2, 10, 0}, {"a<b.go", 3, 4, 20, 0}, {"b.go", 7, 9, 30, 0}}}
	m := Manifest{Matrix: Matrix{Variants: []Variant{{Name: "p", Pack: 6000}}}, RunInfo: RunInfo{TaskSet: set.Name, TaskSetHash: set.Hash, Baseline: "p"}}
	run, err := CreateRun(filepath.Join(t.TempDir(), "run"), m, set, false)
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	for _, id := range []string{"s/none", "r/d", "r/b"} { // not the order of the set
		line, err := json.Marshal(answers["p"][id])
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	if err := os.WriteFile(run.lineFile("rankings", 0), lines.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	n, err := run.WriteResults(&b, "p")
	want := `{"id":"r/b","files":["b.go","a<b.go"],"blocks":[{"path":"b.go","start":1,"end":2,"tokens":10},{"path":"a<b.go","start":3,"end":4,"tokens":20},{"path":"b.go","start":7,"end":9,"tokens":30}]}
{"id":"r/d","files":["a.go"],"blocks":[{"path":"a.go","start":9,"end":9,"tokens":10}],"status":"partial"}
`
	if err != nil || n != 2 || b.String() != want {
		t.Errorf("%d lines, %v:\n%swant\n%s", n, err, b.String(), want)
	}
	if _, err := run.WriteResults(&b, "q"); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), `no variant "q"; it has p`) {
		t.Errorf("%v", err)
	}
	if _, err := run.WriteResults(failingWriter{}, "p"); err == nil {
		t.Error("a full disk is no error")
	}
}

func TestARunOfAnotherPackIsAnotherRun(t *testing.T) {
	set, dir := fakeSet(t), t.TempDir()
	m := fakeManifest(set)
	m.Matrix = m.Matrix.WithPack(6000, []string{"exact", "bm25f"})
	m.Budgets = []int{500, 6000}
	if _, err := CreateRun(dir, m, set, false); err != nil {
		t.Fatal(err)
	}
	m.Matrix.Variants[0].Pack, m.Budgets = 700, []int{500, 700, 6000}
	_, err := CreateRun(dir, m, set, true)
	if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "(matrix.variants.baseline.pack: 6000, now 700)") {
		t.Errorf("%v", err)
	}
}

func TestPacksAreGivenToVariantsWithoutOne(t *testing.T) {
	channels := []string{"exact", "bm25f", "graph"}
	m, err := ReadVariants(strings.NewReader("variants: [{name: a, channels: [exact, bm25f]}, {name: b, pack: 6000}, {name: c, channels: graph}]"), "v.yaml", channels)
	if err != nil || m.All != "" || !reflect.DeepEqual(PackBudgets(m.Variants), []int{0, 6000}) {
		t.Fatalf("%+v, %v", m, err) // b is all channels in a pack, and the baseline a search
	}
	if same := m.WithPack(6000, channels); same.All != "b" || same.Alone["graph"] != "c" || !slices.Equal(PackBudgets(same.Variants), []int{6000}) {
		t.Errorf("%+v", same)
	}
	if other := m.WithPack(500, channels); other.All != "" || other.Variants[1].Pack != 6000 || other.Variants[0].Pack != 500 || m.Variants[0].Pack != 0 {
		t.Errorf("%+v", other)
	}
	standard := StandardMatrix(channels)
	if packs := standard.WithPack(500, channels); packs.All != standard.All || !reflect.DeepEqual(packs.LeftOut, standard.LeftOut) || packs.Variants[3].Pack != 500 {
		t.Errorf("%+v", packs)
	}
	for _, x := range []struct {
		packs []int
		want  string
	}{
		{[]int{0, 0}, ""}, {[]int{6000}, "packs of 6,000 tokens"}, {[]int{8000, 500, 500, 2000}, "packs of 500, 2,000 and 8,000 tokens"},
		{[]int{0, 500}, "packs of 500 tokens, and searches"}, {nil, ""},
	} {
		var list []Variant
		for _, p := range x.packs {
			list = append(list, Variant{Pack: p})
		}
		if got := answersText(list); got != x.want {
			t.Errorf("%v: %q", x.packs, got)
		}
	}
}

// packsReport is a made-up run of two variants with packs and one that searches, over 60 tasks of six repositories.
func packsReport() Report {
	set := TaskSet{Name: "planted-packs", Hash: "0123456789abcdef"}
	answers := Answers{"search": {}, "packs": {}, "small": {}}
	status := []string{"insufficient", "partial", "ready", "ready"}
	for i := range 60 {
		t := Task{ID: fmt.Sprintf("t%02d", i), Repo: fmt.Sprintf("repo%d", i%6), Language: "go", Query: fmt.Sprintf("question %d", i), Match: MatchExact,
			Gold: []Target{{Path: "a.go", Ranges: []agenvantage.Span{{StartLine: 5, EndLine: 9}}}, {Path: "b.go", Ranges: []agenvantage.Span{{StartLine: 1, EndLine: 2}}}}}
		if i%3 == 0 {
			t.Tests = []string{"a_test.go", "b_test.go"}
		}
		if i%5 == 0 {
			t.Context = []Place{{Path: "a.go", Span: agenvantage.Span{StartLine: 1, EndLine: 40}}}
		}
		set.Tasks = append(set.Tasks, t)
		chance := float64(i*7%60) / 60
		for _, v := range []struct {
			name   string
			budget int
		}{{"search", 0}, {"packs", 6000}, {"small", 2000}} {
			units := []Unit{{Path: "a.go", Start: 1, End: 20, Tokens: 300}, {Path: "a_test.go", Start: 1, End: 30, Tokens: 400}}
			if i*11%60 < 40*min(v.budget, 6000)/6000+5 {
				units = append(units, Unit{Path: "b.go", Start: 1, End: 30, Tokens: 700})
			}
			r := Ranking{Task: t.ID, Class: ClassIssue, Units: units}
			if v.budget > 0 {
				r.Status = status[int(chance*4)]
				r.PackFacts = &PackFacts{Budget: v.budget, Tokens: v.budget * (50 + i%50) / 100, IndexedBytes: int64(400_000 + 9000*i), Chance: round3(chance),
					Slots: map[string]string{"implementation": "filled", "tests": []string{"filled", "proven absent", "unknown"}[i%3], "constraints": "proven absent"}}
			}
			answers[v.name][t.ID] = r
		}
	}
	variants := []Variant{{Name: "search", Channels: Deterministic()}, {Name: "packs", Channels: Deterministic(), Pack: 6000}, {Name: "small", Channels: Deterministic(), Pack: 2000}}
	budgets := []int{500, 1000, 2000, 4000, 6000, 8000}
	s := Summarise(set, variants, answers, SummaryOptions{Budgets: budgets, Seed: 1, Resamples: 500, Baseline: "search"})
	return Report{Format: ReportFormat, Run: RunInfo{Product: "agenvantage dev", TaskSet: set.Name, TaskSetHash: set.Hash, Tokenizer: "o200k_base", Depth: 100, Budgets: budgets,
		Seed: 1, Resamples: 500, Baseline: "search"}, Tasks: s.Tasks, Variants: s.Variants, Packs: s.Packs, Comparisons: listed(s.Comparisons), Verdicts: []Verdict{},
		Moved: []MovedTask{}, Measured: Measured{Latencies: []VariantLatency{}, Costs: []CorpusCost{}, Verdicts: []VerdictCost{}}}
}

func TestReportsWithoutPacksDoNotSpeakOfThem(t *testing.T) {
	var text, page bytes.Buffer
	if err := errors.Join(sampleReport().WriteText(&text, 0), sampleReport().WriteHTML(&page)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), "pack") || strings.Contains(page.String(), `id="packs"`) || strings.Contains(page.String(), "Answers with") {
		t.Error("a report of searches speaks of packs")
	}
	page.Reset()
	if err := packsReport().WriteHTML(&page); err != nil || !strings.Contains(page.String(), `id="packs"`) || !strings.Contains(page.String(), "planted-packs with packs of 2,000 and 6,000 tokens, and searches</h1>") {
		t.Errorf("%v", err)
	}
	checkDrawings(t, page.String())
	kept := packsReport().Record()
	if len(kept.Packs) != 2 || kept.Variants[1].Overall["test_recall"].Tasks == 0 || kept.Variants[1].Overall["success@6000"].Tasks == 0 {
		t.Errorf("%+v", kept.Variants[1].Overall)
	}
}
