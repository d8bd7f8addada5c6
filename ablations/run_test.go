package ablations

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agenvantage"
)

// fakeEngine answers with the gold of every second task, and fails or ends ctx when it is told to.
type fakeEngine struct {
	answered int
	failAt   int // answer that fails, 0 for none
	opened   []string
}

func (e *fakeEngine) Open(_ context.Context, c Corpus, v Variant) (Session, error) {
	e.opened = append(e.opened, c.Repo+"@"+c.Revision+" "+v.Name)
	return &fakeSession{e, v}, nil
}

type fakeSession struct {
	engine  *fakeEngine
	variant Variant
}

func (s *fakeSession) Close() error { return nil }
func (s *fakeSession) Cost() Cost {
	return Cost{Files: 3, IndexBytes: 30, Channels: map[string]ChannelCost{"exact": {IndexBytes: 10}, "bm25f": {IndexBytes: 20}}}
}

func (s *fakeSession) Answer(_ context.Context, t Task) (Ranking, Timing, error) {
	s.engine.answered++
	if s.engine.answered == s.engine.failAt {
		return Ranking{}, Timing{}, errors.New("the disk is on fire")
	}
	units := []Unit{{Path: "other.go", Start: 1, End: 10, Tokens: 100}}
	if s.variant.Name == "baseline" || strings.HasSuffix(t.ID, "0") {
		units = append(units, Unit{Path: t.Gold[0].Path, Start: 1, End: 10, Tokens: 50})
	}
	return Ranking{Task: t.ID, Class: ClassNatural, Units: units}, Timing{Task: t.ID, TookMS: float64(s.engine.answered)}, nil
}

func fakeSet(t *testing.T) TaskSet {
	t.Helper()
	var tasks []Task
	for i := range 12 {
		tasks = append(tasks, Task{ID: fmt.Sprintf("t%02d", i), Repo: fmt.Sprintf("repo%d", i%3), Revision: fmt.Sprintf("%040d", i/6), Query: "find it", Source: "test",
			Gold: []Target{{Path: fmt.Sprintf("f%d.go", i), Ranges: []agenvantage.Span{{StartLine: 2, EndLine: 3}}}}, Match: MatchExact, Time: int64(100 - i)})
	}
	set, err := NewTaskSet("fake", tasks)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func fakeManifest(set TaskSet) Manifest {
	m := StandardMatrix([]string{"exact", "bm25f"})
	return Manifest{Matrix: m, RunInfo: RunInfo{TaskSet: set.Name, TaskSetHash: set.Hash, Budgets: DefaultBudgets(), Seed: 1, Resamples: 200, Baseline: m.Baseline, All: m.All}}
}

// reportBytes is the report without what depends on the clock.
func reportBytes(t *testing.T, run *Run) []byte {
	t.Helper()
	report, err := run.Report(GateLimits{})
	if err != nil {
		t.Fatal(err)
	}
	report.Measured = Measured{}
	var b bytes.Buffer
	if err := report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAnInterruptedRunResumesToTheSameReport(t *testing.T) {
	set := fakeSet(t)
	whole, err := CreateRun(filepath.Join(t.TempDir(), "whole"), fakeManifest(set), set, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := whole.Execute(t.Context(), &fakeEngine{}, ExecuteOptions{}); err != nil {
		t.Fatal(err)
	}
	want := reportBytes(t, whole)
	for _, failAt := range []int{1, 7, 20, 36} {
		dir := filepath.Join(t.TempDir(), "run")
		run, err := CreateRun(dir, fakeManifest(set), set, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Execute(t.Context(), &fakeEngine{failAt: failAt}, ExecuteOptions{}); err == nil || !strings.Contains(err.Error(), "on fire") {
			t.Fatalf("failing at %d: %v", failAt, err)
		}
		tearLastLine(t, filepath.Join(dir, "rankings", "01-baseline.jsonl"))
		if run, err = CreateRun(dir, fakeManifest(set), set, true); err != nil {
			t.Fatal(err)
		}
		engine := &fakeEngine{}
		if err := run.Execute(t.Context(), engine, ExecuteOptions{}); err != nil {
			t.Fatal(err)
		}
		if failAt > 7 && engine.answered > 36-failAt+2 {
			t.Errorf("failed at %d: resuming gave %d answers again", failAt, engine.answered)
		}
		again, err := OpenRun(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := reportBytes(t, again); !bytes.Equal(got, want) {
			t.Errorf("failed at %d: the report differs from that of an uninterrupted run:\n%s", failAt, differingLine(got, want))
		}
	}
}

// differingLine is the first line that differs, in both forms.
func differingLine(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %s\nwant %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// tearLastLine leaves half of the last line, as a process that was killed may.
func tearLastLine(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || len(text) == 0 {
		return
	}
	if err := os.WriteFile(file, text[:len(text)-20], 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	set := fakeSet(t)
	run, err := CreateRun(t.TempDir(), fakeManifest(set), set, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	engine := &fakeEngine{}
	err = run.Execute(ctx, engine, ExecuteOptions{Progress: func(p Progress) {
		if p.Done == 5 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || engine.answered > 6 {
		t.Errorf("%v after %d answers", err, engine.answered)
	}
	report, err := run.Report(GateLimits{})
	if err != nil || !strings.Contains(strings.Join(report.Tasks.Notes, "\n"), "not complete") {
		t.Errorf("a report of a part says so: %v, %v", report.Tasks.Notes, err)
	}
}

func TestCorporaGoAlongTheHistory(t *testing.T) {
	set := fakeSet(t)
	run, err := CreateRun(t.TempDir(), fakeManifest(set), set, false)
	if err != nil {
		t.Fatal(err)
	}
	engine := &fakeEngine{}
	if err := run.Execute(t.Context(), engine, ExecuteOptions{Now: func() time.Time { return time.Unix(0, 0) }}); err != nil {
		t.Fatal(err)
	}
	// The tasks of the second revision are older.
	if want := "repo0@" + fmt.Sprintf("%040d", 1) + " baseline"; engine.opened[0] != want || len(engine.opened) != 18 {
		t.Errorf("%d sessions, the first %s, want 18 and %s", len(engine.opened), engine.opened[0], want)
	}
}

func TestCorporaWithoutTimesGoAlongTheCommits(t *testing.T) {
	a, b, c := Corpus{Repo: "r", Revision: "a"}, Corpus{Repo: "r", Revision: "b"}, Corpus{Repo: "r", Revision: "c"}
	tasks := []Task{{Repo: "r", Revision: "a"}, {Repo: "r", Revision: "b"}, {Repo: "r", Revision: "c"}}
	var got []string
	for _, x := range corpora(tasks, map[Corpus]int64{a: 30, b: 10, c: 20}) {
		got = append(got, x.Revision)
	}
	if !slices.Equal(got, []string{"b", "c", "a"}) {
		t.Errorf("order %v", got)
	}
}

func TestCreateRunRefusesAnotherRun(t *testing.T) {
	set, dir := fakeSet(t), t.TempDir()
	m := fakeManifest(set)
	if _, err := CreateRun(dir, m, set, true); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "no run to go on with") {
		t.Errorf("nothing to resume: %v", err)
	}
	if _, err := CreateRun(dir, m, set, false); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateRun(dir, m, set, false); !errors.Is(err, ErrRunExists) {
		t.Errorf("without resume: %v", err)
	}
	m.ConfigHash = "other"
	if _, err := CreateRun(dir, m, set, true); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "(config_hash: none, now other): choose another --out") {
		t.Errorf("another configuration: %v", err)
	}
	m.Settings = []Setting{{"fusion.k", "20"}}
	if _, err := CreateRun(dir, m, set, true); err == nil || !strings.Contains(err.Error(), "(fusion.k: the default, now 20)") || strings.Contains(err.Error(), "config_hash") {
		t.Errorf("another setting: %v", err)
	}
	if _, err := OpenRun(t.TempDir()); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("no run: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, tasksFile), []byte(`{"id":"x","repo":"r","task":"q","gold":[{"path":"a"}]}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenRun(dir); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), "changed since") {
		t.Errorf("changed tasks: %v", err)
	}
}

func TestADamagedRunNamesFileAndLine(t *testing.T) {
	set, dir := fakeSet(t), t.TempDir()
	run, err := CreateRun(dir, fakeManifest(set), set, false)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "rankings", "01-baseline.jsonl")
	if err := os.WriteFile(file, []byte("{}\nnonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Answers(); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), file+":2:") {
		t.Errorf("%v", err)
	}
}

func TestAFolderThatIsNoRunIsRefused(t *testing.T) {
	set := fakeSet(t)
	other := t.TempDir()
	file := filepath.Join(other, "notes.txt")
	if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{other, file, filepath.Join(file, "below")} {
		if _, err := CreateRun(dir, fakeManifest(set), set, false); !errors.Is(err, ErrOutput) || !strings.Contains(err.Error(), other) {
			t.Errorf("%s: %v", dir, err)
		}
		if _, err := OpenRun(dir); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s is opened: %v", dir, err)
		}
	}
	begun := t.TempDir() // killed before run.json was written
	for _, name := range []string{"rankings", "timings"} {
		if err := os.Mkdir(filepath.Join(begun, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := CreateRun(begun, fakeManifest(set), set, false); err != nil {
		t.Errorf("a run that only began: %v", err)
	}
}

func TestTwoResumedRunsInOneFolderAnswerOnce(t *testing.T) {
	set, dir := fakeSet(t), t.TempDir()
	first, err := CreateRun(dir, fakeManifest(set), set, false)
	if err != nil {
		t.Fatal(err)
	}
	second, err := CreateRun(dir, fakeManifest(set), set, true)
	if err != nil {
		t.Fatal(err)
	}
	engine, tried := &fakeEngine{}, false
	err = first.Execute(t.Context(), engine, ExecuteOptions{Progress: func(p Progress) {
		if p.Done == 3 && !tried {
			tried = true
			other := &fakeEngine{}
			if err := second.Execute(t.Context(), other, ExecuteOptions{}); !errors.Is(err, ErrRunBusy) || other.answered != 0 {
				t.Errorf("the second: %v after %d answers", err, other.answered)
			}
		}
	}})
	if err != nil || !tried || engine.answered != 36 {
		t.Errorf("the first: %v after %d answers", err, engine.answered)
	}
	if err := second.Execute(t.Context(), &fakeEngine{failAt: 1}, ExecuteOptions{}); err != nil { // nothing is left to answer
		t.Errorf("afterwards: %v", err)
	}
}

func TestDamagedTimingsDoNotStandInTheWayOfAReport(t *testing.T) {
	set, dir := fakeSet(t), t.TempDir()
	run, err := CreateRun(dir, fakeManifest(set), set, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Execute(t.Context(), &fakeEngine{}, ExecuteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"timings/01-baseline.jsonl", costsFile} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("{\"task\":\"t0{\"task\"\nnonsense\n"); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, measuredFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	report, err := run.Report(GateLimits{})
	notes := strings.Join(report.Measured.Notes, "\n")
	if err != nil || !strings.Contains(notes, "2 lines of 01-baseline.jsonl") || !strings.Contains(notes, "2 lines of costs.jsonl") || !strings.Contains(notes, measuredFile) {
		t.Errorf("%v, notes %q", err, notes)
	}
	if l := report.Measured.Latencies[0]; l.Tasks != 12 {
		t.Errorf("the sound lines count: %+v", l)
	}
	if err := run.Execute(t.Context(), &fakeEngine{}, ExecuteOptions{}); err != nil {
		t.Errorf("resuming: %v", err)
	}
}
