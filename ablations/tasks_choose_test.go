package ablations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agenvantage"
)

// choiceSet has 10 tasks of big, 3 of small and 1 of tiny, each with labels to choose by.
func choiceSet(t testing.TB) string {
	var b strings.Builder
	for _, r := range []struct {
		name  string
		tasks int
	}{{"big", 10}, {"small", 3}, {"tiny", 1}} {
		for i := range r.tasks {
			fmt.Fprintf(&b, `{"id":"%s-%d","repo":"%s","source":"s%d","category":"c%d","language":"go","task":"word%d","gold":["x"]}`+"\n", r.name, i, r.name, i%2, i%3, i)
		}
	}
	return writeFiles(t, "tasks.jsonl", b.String())
}

func idsOf(tasks []Task) []string {
	var ids []string
	for _, t := range tasks {
		ids = append(ids, t.ID)
	}
	return ids
}

func TestChooseByName(t *testing.T) {
	dir := choiceSet(t)
	classify := func(q string) Class {
		if q == "word0" {
			return ClassSymbol
		}
		return ClassIssue
	}
	for _, c := range []struct {
		name string
		o    LoadOptions
		want string
	}{
		{"repositories", LoadOptions{Repos: []string{"tiny", "small"}}, "small-0 small-1 small-2 tiny-0"},
		{"source", LoadOptions{Sources: []string{"s1"}, Repos: []string{"small"}}, "small-1"},
		{"category", LoadOptions{Categories: []string{"c2"}}, "big-2 big-5 big-8 small-2"},
		{"ids", LoadOptions{IDs: []string{"tiny-0", "big-9"}}, "big-9 tiny-0"},
		{"class", LoadOptions{Classes: []Class{ClassSymbol}, Classify: classify}, "big-0 small-0 tiny-0"},
		{"language and limit", LoadOptions{Languages: []string{"go"}, Repos: []string{"tiny"}, Limit: 5}, "tiny-0"},
	} {
		set, err := LoadTasks(dir, c.o)
		if got := strings.Join(idsOf(set.Tasks), " "); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.name, got, err, c.want)
		}
		if len(set.Notes) != 1 || !strings.Contains(set.Notes[0], "of the 14 tasks") {
			t.Errorf("%s: notes %q", c.name, set.Notes)
		}
	}
}

func TestChooseFaults(t *testing.T) {
	dir := choiceSet(t)
	for _, c := range []struct {
		o    LoadOptions
		want string
	}{
		{LoadOptions{Repos: []string{"huge"}}, `no task has the repository "huge" (there are "big", "small", "tiny")`},
		{LoadOptions{IDs: []string{"x"}}, `no task has the id "x" (there are "big-0", "big-1", "big-2", "big-3", "big-4", "big-5", "big-6", "big-7", "big-8", "big-9", "small-0", "small-1" and 2 more)`},
		{LoadOptions{Classes: []Class{ClassIssue}}, "without a classifier"},
		{LoadOptions{Limit: -1}, "limit -1 is below 0"},
		{LoadOptions{Repos: []string{"tiny"}, Sources: []string{"s1"}}, "no task is left"},
	} {
		if _, err := LoadTasks(dir, c.o); !errors.Is(err, agenvantage.ErrBadInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.o, err, c.want)
		}
	}
}

func TestLimitIsEvenAndNested(t *testing.T) {
	dir := choiceSet(t)
	var before []string
	for limit := 1; limit <= 14; limit++ {
		set, err := LoadTasks(dir, LoadOptions{Limit: limit, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		ids := idsOf(set.Tasks)
		if len(ids) != limit || !slices.IsSorted(ids) {
			t.Errorf("limit %d: got %v", limit, ids)
		}
		count := map[string]int{}
		for _, task := range set.Tasks {
			count[task.Repo]++
		}
		if limit >= 7 && (count["small"] != 3 || count["tiny"] != 1) || limit == 3 && len(count) != 3 {
			t.Errorf("limit %d: got %v", limit, count)
		}
		for _, id := range before {
			if !slices.Contains(ids, id) {
				t.Errorf("limit %d loses %s", limit, id)
			}
		}
		before = ids
	}
}

func TestLimitDependsOnTheSeedAlone(t *testing.T) {
	dir := choiceSet(t)
	choices := map[string]bool{}
	for seed := range uint64(8) {
		first, err := LoadTasks(dir, LoadOptions{Limit: 5, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		again, err := LoadTasks(dir, LoadOptions{Limit: 5, Seed: seed})
		if err != nil || first.Hash != again.Hash {
			t.Errorf("seed %d: %v and %v, %v", seed, idsOf(first.Tasks), idsOf(again.Tasks), err)
		}
		choices[first.Hash] = true
	}
	if len(choices) < 4 {
		t.Errorf("8 seeds make %d choices", len(choices))
	}
}

// What is read without a fault can be written, and what was written is read as the same tasks.
func FuzzTaskLines(f *testing.F) {
	f.Add([]byte(goodLine))
	f.Add([]byte(`{"id":"b","source":"swe-bench","repo":"o/r","base_commit":"c","query":"q","gold":[{"path":"a","ranges":[[1,2]]}],"context":[{"path":"a","start":1,"end":2}]}`))
	f.Add([]byte(`{"id":"b","repo":"r","query":"q","gold":["a"],"tests":["a_test.go",null]}`))
	f.Add([]byte(`{"id":"b","repo":"r","query":"q","gold":["a"],"tests":["a_test.go","b"]}`))
	f.Add([]byte("\n\n{\"id\":\"\\ud800\",\"no_answer\":true,\"gold\":null}\n[]\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var faults TaskFaults
		tasks, err := parseTaskLines(bytes.NewReader(data), "x", &faults)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteTasks(&b, tasks); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		again, err := parseTaskLines(&b, "x", &faults)
		if err != nil || hashTasks(again) != hashTasks(tasks) {
			t.Fatalf("%q: read %+v, then %+v, %v", data, tasks, again, faults)
		}
	})
}

func FuzzAnnotations(f *testing.F) {
	f.Add([]byte(`[{"query":"q","relevant":["a\\b",{"path":"c","start_line":1,"end_line":2}],"secondary":null,"category":"x"}]`))
	f.Add([]byte("[\n{\"query\":\"how x\",\n\"relevant\":[]},1,null]"))
	f.Add([]byte(demoRepos))
	f.Fuzz(func(t *testing.T, data []byte) {
		var faults TaskFaults
		specs := map[string]repoSpec{"demo": {}}
		lines := 1 + bytes.Count(data, []byte("\n"))
		n := 0
		parseElements(data, "x", &faults, func(origin string, i int, raw json.RawMessage) {
			n++
			var line int
			if _, err := fmt.Sscanf(origin, "x:%d", &line); err != nil || line < 1 || line > lines || i != n {
				t.Errorf("%q: element %d is at %s", data, i, origin)
			}
			fault := faultsOf(&faults, origin)
			if task, ok := parseAnnotation(raw, "demo", specs, fault); ok {
				checkTask(task, fault)
			}
			parseRepo(raw, specs, fault)
		})
		_ = faults.Error()
	})
}
