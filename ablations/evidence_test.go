package ablations

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agenvantage"
)

// fakeTree is paths with their lines; below 0 a file is left out.
type fakeTree map[string]int

func (f fakeTree) Files() (list []string) {
	for p := range f {
		list = append(list, p)
	}
	return list
}

func (f fakeTree) Lookup(p string) (TreeEntry, error) {
	if n, ok := f[p]; ok && n >= 0 {
		return TreeEntry{Kind: TreeFile, Lines: n}, nil
	} else if ok {
		return TreeEntry{Kind: TreeLeftOut, LeftOut: "binary"}, nil
	}
	for q := range f {
		if strings.HasPrefix(q, p+"/") {
			return TreeEntry{Kind: TreeFolder}, nil
		}
	}
	return TreeEntry{}, nil
}

func TestGoldThatDoesNotExistIsAFault(t *testing.T) {
	tree := fakeTree{"src/a.py": 10, "src/logo.png": -1, "lib/deep/b.py": 20, "other/b.py": 5}
	span := func(a, b int) []agenvantage.Span { return []agenvantage.Span{{StartLine: a, EndLine: b}} }
	for _, c := range []struct {
		name   string
		target Target
		match  Match
		root   string
		want   string // of the fault, "" for none
	}{
		{"there", Target{Path: "src/a.py"}, MatchExact, "", ""},
		{"the last line", Target{Path: "src/a.py", Ranges: span(10, 10)}, MatchExact, "", ""},
		{"behind the end", Target{Path: "src/a.py", Ranges: span(10, 11)}, MatchExact, "", "gold src/a.py: lines 10 to 11 end behind the file, which has 10 at 5f2c"},
		{"missing", Target{Path: "src/c.py"}, MatchExact, "", "gold src/c.py: there is no such file at 5f2c"},
		{"a folder", Target{Path: "src"}, MatchExact, "", "gold src: this is a folder at 5f2c: name the files in it"},
		{"left out", Target{Path: "src/logo.png", Ranges: span(1, 99)}, MatchExact, "", ""},
		{"with the root", Target{Path: "pkg/src/a.py"}, MatchExact, "pkg", ""},
		{"by its end", Target{Path: "a.py"}, MatchSuffix, "", ""},
		{"by the end of the file's", Target{Path: "repo/src/a.py"}, MatchSuffix, "", ""},
		{"by its end, exact", Target{Path: "a.py"}, MatchExact, "", "there is no such file"},
		{"half a name", Target{Path: "x/a.p"}, MatchSuffix, "", "there is no such file"},
		{"the longest of two", Target{Path: "b.py", Ranges: span(19, 20)}, MatchSuffix, "", ""},
		{"longer than both", Target{Path: "b.py", Ranges: span(19, 21)}, MatchSuffix, "", "which has 20"},
	} {
		task := Task{ID: "one", Origin: "t.jsonl:3", Match: c.match, Root: c.root, Gold: []Target{c.target}, Source: "mined"}
		var check EvidenceCheck
		if err := check.Add([]Task{task}, tree, "at 5f2c"); err != nil {
			t.Fatal(err)
		}
		err := check.Err()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !errors.Is(err, agenvantage.ErrBadInput) || !strings.HasPrefix(err.Error(), `t.jsonl:3: task "one": `) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		task.Source = "swe-bench-verified" // the same in a set of others is a note
		check = EvidenceCheck{}
		if err := errors.Join(check.Add([]Task{task}, tree, "at 5f2c"), check.Err()); err != nil {
			t.Errorf("%s, of others: %v", c.name, err)
		}
		if got := len(check.Notes()) > 0; got != (c.want != "" || c.name == "left out") {
			t.Errorf("%s, of others: notes %q", c.name, check.Notes())
		}
	}
}

func TestTestFilesThatDoNotExistAreAFault(t *testing.T) {
	task := Task{ID: "one", Origin: "t.jsonl:3", Match: MatchExact, Source: "mined", Gold: []Target{{Path: "a.go"}}, Tests: []string{"a_test.go", "b_test.go"}}
	var check EvidenceCheck
	if err := check.Add([]Task{task}, fakeTree{"a.go": 3, "a_test.go": 3}, "at 5f2c"); err != nil {
		t.Fatal(err)
	}
	if err := check.Err(); err == nil || err.Error() != `t.jsonl:3: task "one": tests b_test.go: there is no such file at 5f2c` {
		t.Errorf("%v", err)
	}
}

func TestAllFaultsOfEvidenceComeInTheOrderOfLines(t *testing.T) {
	var check EvidenceCheck
	var tasks []Task
	for _, line := range []int{12, 9, 100} {
		tasks = append(tasks, Task{ID: fmt.Sprint(line), Origin: fmt.Sprintf("t.jsonl:%d", line), Match: MatchExact, Optional: []Target{{Path: "gone"}}})
	}
	if err := check.Add(tasks, fakeTree{}, "here"); err != nil {
		t.Fatal(err)
	}
	want := "t.jsonl:9: task \"9\": optional gone: there is no such file here\nt.jsonl:12: task \"12\": optional gone: there is no such file here\nt.jsonl:100: task \"100\": optional gone: there is no such file here"
	if got := check.Err().Error(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestMissingEvidenceIsCounted(t *testing.T) {
	var check EvidenceCheck
	tasks := []Task{
		{ID: "a", Source: "codesearch", Match: MatchSuffix, Gold: []Target{{Path: "gone"}, {Path: "src"}, {Path: "src/a.py"}}},
		{ID: "b", Source: "codesearch", Match: MatchSuffix, Gold: []Target{{Path: "lost"}, {Path: "logo.png"}}},
	}
	if err := check.Add(tasks, fakeTree{"src/a.py": 3, "logo.png": -1}, "here"); err != nil {
		t.Fatal(err)
	}
	want := "[3 of 5 places of evidence, of 2 tasks, are not in the trees that are searched and cannot be found (the first: a: gone: there is no such file here)" +
		" 1 of 5 places of evidence, of 1 task, are in files that an index leaves out and cannot be found (the first: b: logo.png, binary)]"
	if got := fmt.Sprint(check.Notes()); got != want || check.Err() != nil {
		t.Errorf("%s\nwant %s", got, want)
	}
}
