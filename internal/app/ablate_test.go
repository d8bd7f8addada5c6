package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agenvantage"
	"agenvantage/ablations"
	"agenvantage/channels"
	"agenvantage/configs"
	"agenvantage/tokens"
)

// plantedTopics is how many files the planted repository holds: every second one says in words what it is about.
const plantedTopics = 40

// plantedRepository is a folder whose files answer questions about topics; words that are in no file are asked for the
// other half, so that the deterministic channels cannot find those.
func plantedRepository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for i := range plantedTopics {
		word := "nothing in particular"
		if i%2 == 0 {
			word = fmt.Sprintf("topic%dalpha", i)
		}
		text := fmt.Sprintf("package p\n\n// Handler%d is about %s.\nfunc Handler%d() {\n", i, word, i)
		for line := range 30 {
			text += fmt.Sprintf("\tstep(%d, %d)\n", i, line)
		}
		write(t, filepath.Join(root, fmt.Sprintf("f%02d.go", i)), text+"}\n")
	}
	return root
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// plantedTasks asks n questions, spread over the months of a year.
func plantedTasks(t *testing.T, root string, n int) ablations.TaskSet {
	t.Helper()
	var tasks []ablations.Task
	for i := range n {
		topic := i % plantedTopics
		tasks = append(tasks, ablations.Task{ID: fmt.Sprintf("t%03d", i), Repo: RepoName(root), Source: "mined", Match: ablations.MatchExact,
			Query: fmt.Sprintf("explain what happens with topic%dalpha please", topic), Time: time.Date(2024, time.Month(1+i/2%12), 5, 0, i, 0, 0, time.UTC).Unix(),
			Gold: []ablations.Target{{Path: fmt.Sprintf("f%02d.go", topic), Ranges: []agenvantage.Span{{StartLine: 4, EndLine: 8}}}}})
	}
	set, err := ablations.NewTaskSet("planted", tasks)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// planted is a channel whose answers a test makes up.
type planted struct {
	name   string
	corpus *corpus
	files  func(query string, count int) []uint32
}

func (p planted) Name() string { return p.name }

func (p planted) Search(_ context.Context, r channels.Request) (channels.List, error) {
	list := channels.List{Covered: 1}
	for i, f := range p.files(r.Query.Text, p.corpus.FileCount()) {
		facts, err := p.corpus.Facts(f)
		if err != nil {
			return channels.List{}, err
		}
		list.Hits = append(list.Hits, agenvantage.Hit{File: f, Chunk: len(facts.Chunks) - 1, Symbol: -1, Span: facts.Chunks[len(facts.Chunks)-1].Span, Score: float64(100 - i)})
	}
	return list, nil
}

// noise answers with files that have nothing to do with the question, oracle with the one that is asked for.
var plantedMakers = []maker{
	{"noise", func(_ *App, c *corpus) channels.Channel {
		return planted{"noise", c, func(query string, count int) (files []uint32) {
			r := rand.New(rand.NewPCG(uint64(len(query)), uint64(query[len(query)/2])))
			for _, f := range r.Perm(count)[:count/2] {
				if topic := fmt.Sprintf("topic%dalpha", f); !strings.Contains(query, topic) {
					files = append(files, uint32(f))
				}
			}
			return files
		}}
	}},
	{"oracle", func(_ *App, c *corpus) channels.Channel {
		return planted{"oracle", c, func(query string, count int) []uint32 {
			var topic uint32
			_, rest, _ := strings.Cut(query, "topic")
			if _, err := fmt.Sscanf(rest, "%dalpha", &topic); err != nil {
				return nil
			}
			return []uint32{topic}
		}}
	}},
}

// plantedRun answers the planted tasks with the planted channels beside the real ones.
func plantedRun(t *testing.T, n int) ablations.Report {
	t.Helper()
	root := plantedRepository(t)
	set := plantedTasks(t, root, n)
	counter, err := tokens.New("")
	if err != nil {
		t.Fatal(err)
	}
	engine := NewEngine(EngineOptions{Own: root, Indexes: t.TempDir(), Depth: Depth, Counter: counter,
		Config: func(map[string]string) (*configs.Config, error) {
			cfg := config(t)
			cfg.Ranking.Votes.Question["noise"] = 8 // as loud as it takes to be heard beside the votes of words
			return cfg, nil
		}})
	engine.makers = append(engine.makers[:len(engine.makers):len(engine.makers)], plantedMakers...)
	t.Cleanup(func() { engine.Close() })
	matrix := ablations.StandardMatrix([]string{"exact", "bm25f", "noise", "oracle"})
	m, err := manifestOf(AblateRequest{Root: root, Config: config(t), Resamples: 2000, Load: engine.options.Config}, set, matrix, counter)
	if err != nil {
		t.Fatal(err)
	}
	run, err := ablations.CreateRun(t.TempDir(), m, set, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Execute(t.Context(), engine, ablations.ExecuteOptions{}); err != nil {
		t.Fatal(err)
	}
	report, err := run.Report(ablations.GateLimits{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func decisions(r ablations.Report, class ablations.Class) map[string]ablations.Decision {
	found := map[string]ablations.Decision{}
	for _, v := range r.Verdicts {
		if v.Class == class {
			found[v.Channel] = v.Decision
		}
	}
	return found
}

func TestGateKeepsPlantedNoiseOffAndPromotesAPlantedOracle(t *testing.T) {
	report := plantedRun(t, 120)
	got := decisions(report, ablations.ClassNatural)
	if got["noise"] != ablations.KeepOff || got["oracle"] != ablations.Promote || got["exact"] != ablations.AlwaysOn {
		t.Errorf("decisions %v", got)
		for _, v := range report.Verdicts {
			t.Logf("%+v", v)
		}
	}
}

func TestTwentyPlantedTasksAreInsufficientEvidence(t *testing.T) {
	got := decisions(plantedRun(t, 20), ablations.ClassNatural)
	if got["noise"] != ablations.Insufficient || got["oracle"] != ablations.Insufficient {
		t.Errorf("decisions %v", got)
	}
}

func TestARepeatedRunGivesTheSameReport(t *testing.T) {
	var texts [2]string
	for i := range texts {
		report := plantedRun(t, 30)
		report.Measured = ablations.Measured{}
		report.Tasks.Repositories[0].Name = "r" // the folder of a test has a name of its own
		for j := range report.Moved {
			report.Moved[j].Repo = "r"
		}
		for j := range report.Variants {
			report.Variants[j].ByRepo[0].Name = "r"
		}
		for j := range report.Verdicts {
			report.Verdicts[j].EvidenceRunID = ""
		}
		report.Run.TaskSetHash = ""
		var b bytes.Buffer
		if err := report.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		texts[i] = b.String()
	}
	if texts[0] != texts[1] {
		t.Error("two runs over equal repositories differ")
	}
}

func TestAppliedVerdictsDecideWhatAutoAsks(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha"), "b.go": function("beta"), "c.go": function("gamma"), "d.go": function("delta")})
	w.makers = append(w.makers[:len(w.makers):len(w.makers)], plantedMakers[1])
	w.mustIndex()
	off := func(r agenvantage.Response) string {
		for _, c := range r.Channels {
			if c.Name == "oracle" {
				return string(c.Status) + ": " + c.Why
			}
		}
		return "absent"
	}
	question := SearchRequest{Query: "what does topic1alpha do here"}
	if got := off(w.askAgain(question)); !strings.HasPrefix(got, "off: no verdict") {
		t.Errorf("without verdicts: %s", got)
	}
	report := ablations.Report{Run: ablations.RunInfo{ConfigHash: w.config.RankingHash(), IndexFormat: IndexFormat}, Tasks: tasksOf(w.root), Verdicts: []ablations.Verdict{
		{Channel: "oracle", Class: ablations.ClassNatural, Decision: ablations.Promote, Tasks: 120, Rule: "every condition held"},
		{Channel: "oracle", Class: ablations.ClassSymbol, Decision: ablations.KeepOff, Tasks: 120, Rule: "it lost"}}}
	if _, err := w.ApplyVerdicts(t.Context(), report, false); err != nil {
		t.Fatal(err)
	}
	if got := off(w.askAgain(question)); !strings.HasPrefix(got, "ok: promote (local verdict on 120 tasks") {
		t.Errorf("promoted: %s", got)
	}
	if got := off(w.askAgain(SearchRequest{Query: "alpha"})); !strings.HasPrefix(got, "off: keep off (local verdict") {
		t.Errorf("another class: %s", got)
	}
	if got := off(w.askAgain(SearchRequest{Query: "alpha", Channels: []string{"exact", "oracle"}})); !strings.HasPrefix(got, "empty") {
		t.Errorf("a channel that is named runs whatever the gate says: %s", got)
	}
	status, err := w.Status(t.Context())
	last := len(status.Channels) - 1
	if err != nil || last != len(w.makers)-1 || len(status.Channels[last].Gate) != 3 || !status.Channels[last].Gate[1].On || status.Channels[last].Gate[1].Source != "local" {
		t.Errorf("status %+v, %v", status.Channels, err)
	}

	w.write(files{"e.go": function("epsilon"), "f.go": function("zeta")}) // two of six
	w.mustIndex()
	if got := off(w.askAgain(question)); !strings.Contains(got, "off: no verdict") || !strings.Contains(got, "33% of the files have changed") {
		t.Errorf("lapsed: %s", got)
	}
}

// tasksOf counts whole answers to tasks of the repository at root.
func tasksOf(root string) ablations.TaskInfo {
	return ablations.TaskInfo{Count: 120, Repositories: []ablations.RepoInfo{{Name: RepoName(root), Tasks: 120}}, Classes: []ablations.CountInfo{{Name: "natural", Count: 120}}}
}

func TestOnlyAWholeRunOfThisRepositoryIsApplied(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")})
	w.mustIndex()
	for _, c := range []struct {
		name    string
		change  func(*ablations.TaskInfo)
		foreign bool
		want    string
	}{
		{"whole", func(*ablations.TaskInfo) {}, false, ""},
		{"no answer", func(i *ablations.TaskInfo) { i.Classes, i.Missing = nil, 240 }, true, "holds no answer"},
		{"incomplete", func(i *ablations.TaskInfo) { i.Missing = 3 }, true, "not complete, 3 answers are missing"},
		{"another repository", func(i *ablations.TaskInfo) { i.Repositories[0].Name = "flask" }, false, "tasks are of flask, and the repository here is"},
		{"another besides", func(i *ablations.TaskInfo) {
			i.Repositories = append(i.Repositories, ablations.RepoInfo{Name: "flask"})
		}, false, "--foreign"},
		{"another, wanted", func(i *ablations.TaskInfo) { i.Repositories[0].Name = "flask" }, true, ""},
	} {
		report := ablations.Report{Run: ablations.RunInfo{ConfigHash: w.config.RankingHash(), IndexFormat: IndexFormat}, Tasks: tasksOf(w.root)}
		c.change(&report.Tasks)
		_, err := w.ApplyVerdicts(t.Context(), report, c.foreign)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestVerdictsOfOtherSettingsAreNotApplied(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")})
	w.mustIndex()
	settings := []ablations.Setting{{Key: "embed.base_url", Value: `"http://x"`}, {Key: "ranking.file_name", Value: "2"}} // the first ranks nothing
	report := ablations.Report{Run: ablations.RunInfo{ConfigHash: "other", IndexFormat: IndexFormat, Settings: settings}}
	_, err := w.ApplyVerdicts(t.Context(), report, false)
	if err == nil || !strings.Contains(err.Error(), "(ranking.file_name was 2, is the default): its verdicts would lapse at once") {
		t.Errorf("%v", err)
	}
}

func TestDamagedVerdictsDoNotStandInTheWayOfAnAnswer(t *testing.T) {
	w := newWorld(t, files{"a.go": function("alpha")})
	w.makers = append(w.makers[:len(w.makers):len(w.makers)], plantedMakers[1])
	w.mustIndex()
	write(t, w.gateFile(), "{ no JSON")
	r := w.askAgain(SearchRequest{Query: "alpha"})
	if len(r.Results) == 0 || !strings.Contains(r.Channels[len(r.Channels)-1].Why, "gate.json") {
		t.Errorf("%+v", r.Channels)
	}
}

// gitWorld is a repository with commits at fixed times.
func gitRepository(t *testing.T) (root string, git func(args ...string) string) {
	t.Helper()
	root = t.TempDir()
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	return root, git
}

func TestMinedTasksAreAnsweredAtTheirParentsWithoutTouchingTheWorkTree(t *testing.T) {
	root, git := gitRepository(t)
	commit := func(message string) {
		git("add", "-A")
		git("commit", "-q", "-m", message)
	}
	write(t, filepath.Join(root, "session.go"), "package p\n\nfunc ExpireSessions() int {\n\treturn 1\n}\n")
	write(t, filepath.Join(root, "cache.go"), "package p\n\nfunc EvictCache() int {\n\treturn 1\n}\n")
	commit("begin")
	write(t, filepath.Join(root, "session.go"), "package p\n\nfunc ExpireSessions() int {\n\treturn 2\n}\n")
	commit("expire idle sessions twice as fast as before")
	write(t, filepath.Join(root, "cache.go"), "package p\n\nfunc EvictCache() int {\n\treturn 2\n}\n")
	commit("evict the oldest entries of the cache first")
	git("rm", "-q", "cache.go")
	write(t, filepath.Join(root, "session.go"), "local edits that are not committed\n")
	before := git("status", "--porcelain")

	mined, err := Mine(t.Context(), root, MineRequest{})
	if err != nil || len(mined.Tasks) != 2 || mined.Scanned != 3 {
		t.Fatalf("%+v, %v", mined, err)
	}
	cfg := config(t)
	if _, err := WriteMined(root, "", cfg, mined.Tasks); err != nil {
		t.Fatal(err)
	}
	run, err := Ablate(t.Context(), AblateRequest{Tasks: MinedTasks, Root: root, Config: cfg, Load: func(map[string]string) (*configs.Config, error) { return cfg, nil }})
	if err != nil {
		t.Fatal(err)
	}
	report, err := WriteReports(run, Limits(cfg))
	if err != nil {
		t.Fatal(err)
	}
	if e := report.Variants[0].Overall["success@2000"]; e.QueryMean != 1 || e.Tasks != 2 {
		t.Errorf("cache.go is found at the parent, although it is gone now: %+v", e)
	}
	if after := git("status", "--porcelain"); after != before {
		t.Errorf("the work tree was touched: %q, before %q", after, before)
	}
	if _, err := FindRun(root, "", cfg); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"report.json", "report.md", "report.html"} {
		if info, err := os.Stat(filepath.Join(run.Dir(), name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAblateFindsFaultsBeforeAnythingIsAnswered(t *testing.T) {
	root := plantedRepository(t)
	cfg := config(t)
	tasks := filepath.Join(root, "tasks.jsonl")
	request := AblateRequest{Tasks: tasks, Root: root, Config: cfg, Out: t.TempDir(), Load: func(s map[string]string) (*configs.Config, error) {
		c, _, err := configs.Load(configs.LoadOptions{Flags: s})
		return c, err
	}}
	line := `{"id":"a","repo":"%s","base_commit":"%s","task":"what is it","gold":[{"path":"f01.go","ranges":[[1,2]]}]}` + "\n"
	for _, c := range []struct{ tasks, variants, repos, want string }{
		{fmt.Sprintf(line, "elsewhere", ""), "", "", `tasks.jsonl:1: task "a": task of repository "elsewhere"`},
		{strings.Replace(fmt.Sprintf(line, "elsewhere", ""), `"task"`, `"source":"mined","task"`, 1), "", "", "run agenvantage ablate mine again"},
		{strings.Replace(fmt.Sprintf(line, RepoName(root), ""), "f01.go", "gone.go", 1), "", "", `tasks.jsonl:1: task "a": gold gone.go: there is no such file in`},
		{strings.Replace(fmt.Sprintf(line, RepoName(root), ""), "[[1,2]]", "[[30,40]]", 1), "", "", "which has 35"},
		{strings.Replace(fmt.Sprintf(line, RepoName(root), ""), `"task"`, `"root":"sub","task"`, 1), "", "", `tasks.jsonl:1: task "a": folder`},
		{fmt.Sprintf(line, "owner/name", ""), "", t.TempDir(), `unknown repository "owner/name"`},
		{fmt.Sprintf(line, RepoName(root), strings.Repeat("a", 40)) + strings.Replace(fmt.Sprintf(line, RepoName(root), strings.Repeat("b", 40)), `"a"`, `"b"`, 1), "", "", "no git repository, and its tasks name 2 revisions"},
		{fmt.Sprintf(line, RepoName(root), ""), "variants: [{name: a, settings: {fusion.kk: 3}}]", "", "v.yaml:1: variant a: command line: unknown key fusion.kk; the nearest known key is fusion.k"},
		{fmt.Sprintf(line, RepoName(root), ""), "variants: [{name: a, channels: [sonar]}]", "", `unknown channel "sonar"`},
	} {
		write(t, tasks, c.tasks)
		r := request
		r.Repos = c.repos
		if c.variants != "" {
			r.Variants = filepath.Join(root, "v.yaml")
			write(t, r.Variants, c.variants)
		}
		if _, err := Ablate(t.Context(), r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.tasks, c.variants, err, c.want)
		}
	}
	if _, err := Ablate(t.Context(), AblateRequest{Tasks: MinedTasks, Root: root, Config: cfg}); err == nil || !strings.Contains(err.Error(), "ablate mine") {
		t.Errorf("nothing mined: %v", err)
	}
}

func TestFaultsOfRevisionsAndGoldInGitComeTogether(t *testing.T) {
	root, git := gitRepository(t)
	write(t, filepath.Join(root, "src", "a.go"), "package a\n\nfunc A() {}\n")
	write(t, filepath.Join(root, "logo.png"), "\x00\x01\x02")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	first := git("rev-parse", "HEAD")
	write(t, filepath.Join(root, "src", "later.go"), "package a\n")
	git("add", "-A")
	git("commit", "-q", "-m", "two")
	repo, cfg := RepoName(root), config(t)
	line := func(id, revision, rest string) string {
		return fmt.Sprintf(`{"id":"%s","repo":"%s","base_commit":"%s","task":"what is it",%s}`+"\n", id, repo, revision, rest)
	}
	tasks := filepath.Join(t.TempDir(), "tasks.jsonl")
	check := func(text string) error {
		write(t, tasks, text)
		_, err := Ablate(t.Context(), AblateRequest{Tasks: tasks, Root: root, Config: cfg, Out: filepath.Join(t.TempDir(), "run"),
			Load: func(map[string]string) (*configs.Config, error) { return cfg, nil }})
		return err
	}
	err := check(line("unknown", strings.Repeat("a", 40), `"gold":["src/a.go"]`) + line("early", first, `"gold":["src/later.go"]`) + line("folder", first, `"gold":["src"]`) +
		line("root", first, `"root":"lib","gold":["a.go"]`) + line("short", first, `"gold":[{"path":"src/a.go","ranges":[[3,4]]}]`) + line("right", first, `"gold":["src/a.go"]`))
	var faults ablations.TaskFaults
	if !errors.As(err, &faults) || len(faults) != 5 {
		t.Fatalf("%v", err)
	}
	for i, want := range []string{`task "unknown": `, `task "early": gold src/later.go: there is no such file in ` + repo + " at " + first[:12],
		`task "folder": gold src: this is a folder`, `task "root": `, `task "short": gold src/a.go: lines 3 to 4 end behind the file, which has 3`} {
		if place := fmt.Sprintf("%s:%d", tasks, i+1); faults[i].Place != place || !strings.HasPrefix(faults[i].Message, want) {
			t.Errorf("%v, want %s: %s", faults[i], place, want)
		}
	}
	write(t, tasks, line("binary", first, `"gold":["logo.png","src/a.go"]`))
	run, err := Ablate(t.Context(), AblateRequest{Tasks: tasks, Root: root, Config: cfg, Out: filepath.Join(t.TempDir(), "run"),
		Load: func(map[string]string) (*configs.Config, error) { return cfg, nil }})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(run.Tasks.Notes, "\n")
	if !strings.Contains(notes, "1 of 2 places of evidence, of 1 task, are in files that an index leaves out") || !strings.Contains(notes, "logo.png, binary") || !strings.Contains(notes, "does not know its commit") {
		t.Errorf("%s", notes)
	}
}

func TestLeftoversOfKilledProcessesAreRemoved(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	old, fresh, other, file := filepath.Join(dir, "agenvantage-git-1"), filepath.Join(dir, "agenvantage-git-2"), filepath.Join(dir, "other-git-3"), filepath.Join(dir, "agenvantage-git-4")
	write(t, filepath.Join(old, "objects", "x"), "x")
	write(t, filepath.Join(fresh, "x"), "x")
	write(t, filepath.Join(other, "x"), "x")
	write(t, file, "x")
	outside := t.TempDir()
	write(t, filepath.Join(outside, "kept"), "x")
	link := filepath.Join(dir, "agenvantage-git-5")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{old, other, file} {
		if err := os.Chtimes(p, now.Add(-25*time.Hour), now.Add(-25*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	removeLeftovers(dir, now.Add(time.Minute))
	for path, want := range map[string]bool{old: false, fresh: true, other: true, file: true, link: true, filepath.Join(outside, "kept"): true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: there is %v, want %v", path, err == nil, want)
		}
	}
}

func TestMinedTasksDoNotGoIntoAFolder(t *testing.T) {
	dir := t.TempDir()
	for _, file := range []string{dir, filepath.Join(dir, "absent", "m.jsonl")} {
		if _, err := WriteMined(dir, file, config(t), plantedTasks(t, dir, 2).Tasks); !errors.Is(err, ablations.ErrOutput) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestDocumentationFoldersAreNoGold(t *testing.T) {
	for path, want := range map[string]bool{"docs/conf.py": true, "pkg/doc/x.go": true, "Docs/a/b.py": true, "doc.go": false, "docs.py": false, "mydocs/a.py": false, "src/documents/a.py": false} {
		if got := isDocumentation(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
