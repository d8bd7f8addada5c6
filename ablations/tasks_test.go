package ablations

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// writeFiles writes name, text, name, text … below a new folder and returns it.
func writeFiles(t testing.TB, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(pairs); i += 2 {
		file := filepath.Join(dir, filepath.FromSlash(pairs[i]))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(pairs[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const goodLine = `{"id":"a","repo":"o/r","task":"why","gold":[{"path":"x.go"}]}`

const demoRepos = `[
 {"name":"demo","language":"go","revision":"abc123","benchmark_root":"src/"},
 {"name":"zoo","language":"c","revision":"def456","benchmark_root":null,"url":"u","pinned_revision":"p","exact_pin":true}
]`

func TestLoadTaskLines(t *testing.T) {
	dir := writeFiles(t, "issues/tasks.jsonl", "\xef\xbb\xbf"+`{"id":"b","source":"swe-bench-verified","repo":"o/r","base_commit":"c2","language":"python","task":"It fails","gold":[{"path":"a/b.py","ranges":[[3,4],[9,9]],"role":"edit"}],"context":[{"path":"a/c.py","start":1,"end":7}]}`+"\r\n\n"+
		`{"id":"a","repo":"r","query":"nothing like it","no_answer":true,"time":1700000000,"root":"src","match":"suffix","category":"x"}`+"\n"+
		`{"id":"c","repo":"o/r","base_commit":"c1","task":"names","gold":["x.go"],"optional":[{"path":"y.go"}]}`)
	want := []Task{
		{ID: "c", Repo: "o/r", Revision: "c1", Query: "names", Gold: []Target{{Path: "x.go"}}, Optional: []Target{{Path: "y.go"}}, Match: MatchExact, Origin: ":4"},
		{ID: "b", Repo: "o/r", Revision: "c2", Source: "swe-bench-verified", Language: "python", Category: "issue", Query: "It fails", Match: MatchExact, Origin: ":1",
			Gold:    []Target{{"a/b.py", []agenvantage.Span{{StartLine: 3, EndLine: 4}, {StartLine: 9, EndLine: 9}}}},
			Context: []Place{{"a/c.py", agenvantage.Span{StartLine: 1, EndLine: 7}}}},
		{ID: "a", Repo: "r", Root: "src", Category: "x", Query: "nothing like it", NoAnswer: true, Match: MatchSuffix, Time: 1700000000, Origin: ":3"},
	}
	file := filepath.Join(dir, "issues", "tasks.jsonl")
	for i := range want {
		want[i].Origin = file + want[i].Origin
	}
	for _, path := range []string{file, filepath.Join(dir, "issues")} {
		set, err := LoadTasks(path, LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if set.Name != "issues" || !reflect.DeepEqual(set.Tasks, want) {
			t.Errorf("%s: got %+v\nwant %+v", set.Name, set.Tasks, want)
		}
	}
}

func TestLoadAnnotations(t *testing.T) {
	dir := writeFiles(t, "set/repos.json", demoRepos, "set/annotations/zoo.json", `[
 {"query":"Lion", "relevant":["src\\lion.c"], "secondary":[]},
 {"query":"how do lions roar", "relevant":["lion.c", {"path":"lion.c","start_line":3,"end_line":9}]},
 {"query":"roaring lions", "relevant":["lion.c"], "secondary":["cat.c"], "category":null, "seed":{"a":1}, "related":["b"]},
 {"query":"Lion", "relevant":["lion.c"], "category":"animal", "repo":"demo"},
 {"query":"Lion", "relevant":["lion.c"]}
]`)
	set, err := LoadTasks(filepath.Join(dir, "set"), LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "set", "annotations", "zoo.json")
	task := func(n int, query, category string) Task {
		return Task{ID: fmt.Sprintf("zoo/%03d", n), Repo: "zoo", Revision: "def456", Source: "codesearch", Language: "c", Category: category, Query: query,
			Gold: []Target{{Path: "lion.c"}}, Match: MatchSuffix, Origin: fmt.Sprintf("%s:%d", file, n+1)}
	}
	want := []Task{task(4, "Lion", "animal"), task(1, "Lion", "symbol"), task(2, "how do lions roar", "architecture"), task(3, "roaring lions", "semantic"), task(5, "Lion", "symbol")}
	want[0].Repo, want[0].Language, want[0].Revision, want[0].Root = "demo", "go", "abc123", "src"
	want[1].Gold[0].Path = "src/lion.c"
	want[2].Gold = append(want[2].Gold, Target{"lion.c", []agenvantage.Span{{StartLine: 3, EndLine: 9}}})
	want[3].Optional = []Target{{Path: "cat.c"}}
	if set.Name != "set" || !reflect.DeepEqual(set.Tasks, want) {
		t.Errorf("%s: got  %+v\nwant %+v", set.Name, set.Tasks, want)
	}
	if notes := []string{`zoo is asked "Lion" 2 times (zoo/001, zoo/005); each counts`}; !slices.Equal(set.Notes, notes) {
		t.Errorf("notes %q, want %q", set.Notes, notes)
	}
	for path, name := range map[string]string{"set/annotations": "set", "set/annotations/zoo.json": "zoo"} {
		other, err := LoadTasks(filepath.Join(dir, filepath.FromSlash(path)), LoadOptions{})
		if err != nil || other.Hash != set.Hash || other.Name != name {
			t.Errorf("%s: %q, %v", path, other.Name, err)
		}
	}
}

func TestTaskLineFaults(t *testing.T) {
	const head = `{"id":"a","repo":"o/r","task":"why",`
	const gold = `"gold":[{"path":"x.go"}]`
	for _, c := range []struct{ name, line, want string }{
		{"broken JSON", `{"id":`, "1: broken JSON: unexpected end of JSON input"},
		{"two values", goodLine + goodLine, "1: broken JSON: invalid character '{' after top-level value"},
		{"a list", `[1]`, "1: the task is not an object"},
		{"unknown key", head + gold + `,"golden":1}`, `1: key "golden" is not known`},
		{"misspelt key", head + gold + `,"noanswer":true}`, `1: key "noanswer" is not known (did you mean "no_answer"?)`},
		{"case of a key", head + gold + `,"Source":"x"}`, `1: key "Source" is not known (did you mean "source"?)`},
		{"repeated key", head + gold + `,"id":"b"}`, `1: key "id" stands twice`},
		{"id of a wrong type", `{"id":7,"repo":"o/r","task":"why",` + gold + `}`, `1: key "id" is not a string`},
		{"no id", `{"repo":"o/r","task":"why",` + gold + `}`, "1: id is missing"},
		{"no repository", `{"id":"a","task":"why",` + gold + `}`, "1: the repository is missing"},
		{"repository that leaves its folder", `{"id":"a","repo":"../r","task":"why",` + gold + `}`, `1: repository "../r" is neither "name" nor "owner/name"`},
		{"repository of three parts", `{"id":"a","repo":"a/b/c","task":"why",` + gold + `}`, `1: repository "a/b/c" is neither`},
		{"empty question", `{"id":"a","repo":"o/r","task":" \n",` + gold + `}`, "1: the question is empty"},
		{"NUL in the question", `{"id":"a","repo":"o/r","task":"a\u0000",` + gold + `}`, "1: the question holds a NUL"},
		{"two questions", head + gold + `,"query":"why"}`, `1: keys "task" and "query" are the same`},
		{"revision as an option", head + gold + `,"base_commit":"--all"}`, `1: base_commit "--all" is no commit id`},
		{"revision range", head + gold + `,"base_commit":"a..b"}`, `1: base_commit "a..b" is no commit id`},
		{"root outside", head + gold + `,"root":"../x"}`, `1: root: path "../x" leaves the root`},
		{"match", head + gold + `,"match":"loose"}`, `1: match is "loose", known are "exact" and "suffix"`},
		{"time", head + gold + `,"time":-1}`, "1: time -1 is below 0"},
		{"time of a wrong type", head + gold + `,"time":"now"}`, `1: key "time" is not a whole number`},
		{"no gold", head + `"gold":[]}`, "1: no gold"},
		{"no gold key", head + `"language":"go"}`, "1: no gold"},
		{"gold and no answer", head + gold + `,"no_answer":true}`, "1: no_answer and gold"},
		{"optional and no answer", head + `"optional":["x"],"no_answer":true}`, "1: no_answer and gold"},
		{"gold of a wrong type", head + `"gold":"x.go"}`, `1: key "gold" is not a list`},
		{"gold item of a wrong type", head + `"gold":[1]}`, "1: gold[0] is not an object"},
		{"unknown key of gold", head + `"gold":[{"path":"x","range":[1,2]}]}`, `1: key "gold[0].range" is not known (did you mean "ranges"?)`},
		{"path of a wrong type", head + `"gold":["y",{"path":1}]}`, `1: key "gold[1].path" is not a string`},
		{"empty path", head + `"gold":[{"ranges":[]}]}`, "1: gold: the path is empty"},
		{"absolute path", head + `"gold":["/etc/passwd"]}`, `1: gold: path "/etc/passwd" is absolute`},
		{"drive", head + `"gold":["C:/x"]}`, `1: gold: path "C:/x" is absolute`},
		{"path outside", head + `"gold":["a/../../x"]}`, `1: gold: path "a/../../x" leaves the root`},
		{"backslash", head + `"gold":["a\\x"]}`, `1: gold: path "a\\x" holds a backslash`},
		{"NUL in a path", head + `"gold":["a\u0000"]}`, `1: gold: path "a\x00" holds a control character`},
		{"path with a dot", head + `"gold":["./a"]}`, `1: gold: path "./a" is not in its shortest form`},
		{"path that ends in a slash", head + `"gold":["a/"]}`, `1: gold: path "a/" is not in its shortest form`},
		{"path twice", head + `"gold":["a","a"]}`, "1: gold names a twice"},
		{"reversed range", head + `"gold":[{"path":"a","ranges":[[4,3]]}]}`, "1: gold of a: lines 4 to 3 are reversed"},
		{"range below 1", head + `"gold":[{"path":"a","ranges":[[0,3]]}]}`, "1: gold of a: lines 0 to 3: the first line is 1"},
		{"range too far", head + `"gold":[{"path":"a","ranges":[[1,99999999]]}]}`, "1: gold of a: lines 1 to 99999999: at most 10485760"},
		{"range of three", head + `"gold":[{"path":"a","ranges":[[1,2,3]]}]}`, `1: key "gold[0].ranges": [1,2,3] is not [first line, last line]`},
		{"range of fractions", head + `"gold":[{"path":"a","ranges":[[1.5,2]]}]}`, `1: key "gold[0].ranges": [1.5,2] is not`},
		{"context without an end", head + gold + `,"context":[{"path":"a","start":1}]}`, "1: context[0] lacks its start or end line"},
		{"reversed context", head + gold + `,"context":[{"path":"a","start":2,"end":1}]}`, "1: context of a: lines 2 to 1 are reversed"},
		{"tests of a wrong type", head + gold + `,"tests":"a_test.go"}`, `1: key "tests" is not a list of paths`},
		{"a test that is none", head + gold + `,"tests":[{"path":"a"}]}`, `1: key "tests" is not a list of paths`},
		{"a test outside", head + gold + `,"tests":["a_test.go","../b_test.go"]}`, `1: tests: path "../b_test.go" leaves the root`},
		{"a test twice", head + gold + `,"tests":["a_test.go","a_test.go"]}`, "1: tests names a_test.go twice"},
		{"tests and no answer", head + `"tests":["a_test.go"],"no_answer":true}`, "1: no_answer and gold, optional, context or tests"},
		{"invalid UTF-8", head + `"gold":["a` + "\xff" + `"]}`, "1: the line is not UTF-8"},
		{"long line", head + `"note":"` + strings.Repeat("x", maxTaskLine) + `",` + gold + `}`, "1: the line has more than 4194304 bytes"},
		{"second line", "\n" + goodLine + "\n" + goodLine, `3: id "a" is taken by`},
		{"two repositories, one folder", goodLine + "\n" + `{"id":"b","repo":"o+r","task":"why",` + gold + `}`, `repositories "o+r" and "o/r" would be the same folder "o+r"`},
	} {
		dir := writeFiles(t, "x.jsonl", c.line)
		_, err := LoadTasks(filepath.Join(dir, "x.jsonl"), LoadOptions{})
		if !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: got %v, want ErrBadInput", c.name, err)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), filepath.Join(dir, "x.jsonl")+":") {
			t.Errorf("%s: got %q, want %q", c.name, err, c.want)
		}
	}
}

func TestAnnotationFaults(t *testing.T) {
	const good = `{"query":"q","relevant":["a.go"]}`
	for _, c := range []struct{ name, repos, file, annotations, want string }{
		{"line of the object", demoRepos, "demo", "[\n" + good + ",\n\n{\"query\":\"\",\n\"relevant\":[\"a\"]}]", "demo.json:4: the question is empty"},
		{"broken JSON", demoRepos, "demo", "[\n" + good + ",\n}]", "demo.json:3: broken JSON: invalid character '}'"},
		{"cut off", demoRepos, "demo", "[\n" + good + "\n", "demo.json:2: broken JSON: unexpected end"},
		{"no list", demoRepos, "demo", good, "demo.json:1: the file is not a list"},
		{"not UTF-8", demoRepos, "demo", "[\n\xff]", "demo.json:2: the file is not UTF-8"},
		{"unknown repository", demoRepos, "other", "[" + good + "]", `other.json:1: repository "other" is not in repos.json`},
		{"no gold", demoRepos, "demo", `[{"query":"q","secondary":["a"]}]`, "demo.json:1: no gold"},
		{"half a range", demoRepos, "demo", `[{"query":"q","relevant":[{"path":"a","start_line":1}]}]`, "demo.json:1: relevant[0] has only one of start_line and end_line"},
		{"line of a wrong type", demoRepos, "demo", `[{"query":"q","relevant":[{"path":"a","start_line":"1","end_line":2}]}]`, `demo.json:1: key "relevant[0].start_line" is not a whole number`},
		{"unknown key", demoRepos, "demo", `[{"query":"q","relevant":["a"],"gold":["a"]}]`, `demo.json:1: key "gold" is not known`},
		{"path outside", demoRepos, "demo", `[{"query":"q","relevant":["..\\a"]}]`, `demo.json:1: gold: path "../a" leaves the root`},
		{"category of a wrong type", demoRepos, "demo", `[{"query":"q","relevant":["a"],"category":1}]`, `demo.json:1: key "category" is not a string`},
		{"empty set", demoRepos, "demo", `[]`, "holds no task"},
		{"repository twice", `[{"name":"demo"},{"name":"demo"}]`, "demo", "[" + good + "]", `repos.json:1: repository "demo" stands twice`},
		{"repository without a name", "[\n{}]", "demo", "[" + good + "]", "repos.json:2: the repository has no name"},
		{"root outside", `[{"name":"demo","benchmark_root":"../x"}]`, "demo", "[" + good + "]", "repos.json:1: benchmark_root"},
		{"unknown key of a repository", `[{"name":"demo","root":"x"}]`, "demo", "[" + good + "]", `repos.json:1: key "root" is not known`},
	} {
		dir := writeFiles(t, "repos.json", c.repos, "annotations/"+c.file+".json", c.annotations)
		_, err := LoadTasks(dir, LoadOptions{})
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestFindTaskFaults(t *testing.T) {
	dir := writeFiles(t, "empty/readme.md", "", "both/annotations/a.json", "[]", "both/tasks.jsonl", "", "alone/annotations/demo.json", "[]",
		"file/demo.json", "[]", "blank/tasks.jsonl", "\n\n", "x/repos.json", "[]", "x/y/repos.json", "[]")
	for _, c := range []struct{ path, want string }{
		{"missing", "does not exist"},
		{"empty", "is no task set"},
		{"both", "holds both annotations/ and tasks.jsonl"},
		{"alone", "annotations need the file"},
		{"file/demo.json", "annotations need the file"},
		{"blank", "holds no task"},
		{"x/y/repos.json", "lists repositories"},
	} {
		_, err := LoadTasks(filepath.Join(dir, filepath.FromSlash(c.path)), LoadOptions{})
		if !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.path, err, c.want)
		}
	}
}

func TestAllFaultsAreGathered(t *testing.T) {
	dir := writeFiles(t, "x.jsonl", strings.Repeat("{}\n", 8)+goodLine)
	_, err := LoadTasks(dir, LoadOptions{})
	var faults TaskFaults
	if !errors.As(err, &faults) || len(faults) != 8*4 {
		t.Fatalf("got %d faults: %v", len(faults), err)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 21 || lines[20] != "and 12 more" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}

func TestSeveralFilesOfAFolder(t *testing.T) {
	dir := writeFiles(t, "b.jsonl", strings.Replace(goodLine, `"a"`, `"b"`, 1), "a.jsonl", goodLine)
	set, err := LoadTasks(dir, LoadOptions{})
	if err != nil || len(set.Tasks) != 2 || set.Name != filepath.Base(dir) {
		t.Fatalf("got %+v, %v", set, err)
	}
	dir = writeFiles(t, "b.jsonl", "broken", "tasks.jsonl", goodLine)
	if set, err = LoadTasks(dir, LoadOptions{}); err != nil || len(set.Tasks) != 1 {
		t.Errorf("beside tasks.jsonl: got %+v, %v", set, err)
	}
}

func TestWrittenTasksAreReadAgain(t *testing.T) {
	span := func(a, b int) agenvantage.Span { return agenvantage.Span{StartLine: a, EndLine: b} }
	tasks := []Task{
		{ID: "full", Repo: "o/r", Revision: "c1", Root: "src", Source: "swe-bench-verified", Language: "go", Category: "issue", Query: "a <b> & \"c\"\n\u2028ü",
			Gold: []Target{{"a.go", []agenvantage.Span{span(1, 2), span(4, 4)}}, {"b c.go", nil}}, Optional: []Target{{"d.go", nil}},
			Context: []Place{{"a.go", span(1, 9)}}, Tests: []string{"b_test.go", "a_test.go"}, Match: MatchSuffix, Time: 5},
		{ID: "odd category", Repo: "o/r", Revision: "c1", Source: "contextbench", Category: "", Query: "q", Gold: []Target{{"a.go", nil}}, Match: MatchExact},
		{ID: "no answer", Repo: "r", Query: "q", NoAnswer: true, Match: MatchExact},
	}
	var b bytes.Buffer
	if err := WriteTasks(&b, tasks); err != nil {
		t.Fatal(err)
	}
	set, err := LoadTasks(writeFiles(t, "tasks.jsonl", b.String()), LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := NewTaskSet("x", tasks)
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Tasks {
		set.Tasks[i].Origin = ""
	}
	if !reflect.DeepEqual(set.Tasks, want.Tasks) || set.Hash != want.Hash {
		t.Errorf("got  %+v\nwant %+v", set.Tasks, want.Tasks)
	}
	if err := WriteTasks(&b, []Task{{ID: "x"}}); !errors.Is(err, agenvantage.ErrBadInput) {
		t.Errorf("a task without a question: %v", err)
	}
	if err := WriteTasks(failingWriter{}, tasks); err == nil {
		t.Error("a full disk is no error")
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestNewTaskSetFaults(t *testing.T) {
	good := Task{ID: "a", Repo: "r", Query: "q", Gold: []Target{{Path: "x"}}, Match: MatchExact}
	bad := good
	bad.Query = ""
	for name, tasks := range map[string][]Task{"empty": nil, "no question": {bad}, "same id": {good, good}} {
		if _, err := NewTaskSet("x", tasks); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestHashOfEveryField(t *testing.T) {
	base := func() []Task {
		return []Task{{ID: "a", Repo: "r", Query: "q", Gold: []Target{{"x", []agenvantage.Span{{StartLine: 1, EndLine: 2}}}}, Match: MatchExact}}
	}
	seen := map[string]string{hashTasks(base()): "nothing"}
	for _, c := range []struct {
		name   string
		change func(*Task)
	}{
		{"id", func(t *Task) { t.ID = "b" }},
		{"repo", func(t *Task) { t.Repo = "s" }},
		{"revision", func(t *Task) { t.Revision = "c" }},
		{"root", func(t *Task) { t.Root = "c" }},
		{"source", func(t *Task) { t.Source = "c" }},
		{"language", func(t *Task) { t.Language = "c" }},
		{"category", func(t *Task) { t.Category = "c" }},
		{"query", func(t *Task) { t.Query = "c" }},
		{"match", func(t *Task) { t.Match = MatchSuffix }},
		{"time", func(t *Task) { t.Time = 1 }},
		{"no answer", func(t *Task) { t.NoAnswer = true }},
		{"path", func(t *Task) { t.Gold[0].Path = "y" }},
		{"range", func(t *Task) { t.Gold[0].Ranges[0].EndLine = 3 }},
		{"no range", func(t *Task) { t.Gold[0].Ranges = nil }},
		{"optional", func(t *Task) { t.Optional = t.Gold }},
		{"optional instead", func(t *Task) { t.Optional, t.Gold = t.Gold, nil }},
		{"context", func(t *Task) { t.Context = []Place{{Path: "x"}} }},
		{"tests", func(t *Task) { t.Tests = []string{"x", "y"} }},
		{"one test", func(t *Task) { t.Tests = []string{"xy"} }},
	} {
		tasks := base()
		c.change(&tasks[0])
		h := hashTasks(tasks)
		if other, ok := seen[h]; ok || len(h) != 16 {
			t.Errorf("%s: hash %s is that of %s", c.name, h, other)
		}
		seen[h] = c.name
	}
	tasks := base()
	tasks[0].Origin = "somewhere:1"
	if hashTasks(tasks) != hashTasks(base()) {
		t.Error("the origin takes part")
	}
	// The encoding is a format: runs of today and of tomorrow are compared by it. The value was computed by another program.
	if got, want := hashTasks(base()), "88107102f423b39c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
