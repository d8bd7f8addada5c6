package ablations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"agenvantage"
)

// maxAnnotationBytes bounds an annotation file and repos.json.
const maxAnnotationBytes = 64 << 20

// The keys of code search annotations. seed and related say how an annotation was made; url, pinned_revision and exact_pin
// tell people where sources are from. None of them decides a score.
const (
	annotationKeys = "query relevant secondary category repo seed related note url"
	placeKeys      = "path start_line end_line note"
	repoKeys       = "name language url revision benchmark_root pinned_revision exact_pin note"
)

// repoSpec is what repos.json says of a repository.
type repoSpec struct {
	language, revision, root string
}

// readAnnotations reads repos.json and the annotation files, whose paths are sorted.
func readAnnotations(files []string, reposFile string, faults *TaskFaults) ([]Task, error) {
	specs := map[string]repoSpec{}
	err := eachElement(reposFile, faults, func(origin string, _ int, raw json.RawMessage) {
		parseRepo(raw, specs, faultsOf(faults, origin))
	})
	if err != nil || len(*faults) > 0 { // without the repositories every annotation would be a fault
		return nil, err
	}
	var tasks []Task
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		err := eachElement(file, faults, func(origin string, n int, raw json.RawMessage) {
			before := len(*faults)
			t, ok := parseAnnotation(raw, name, specs, faultsOf(faults, origin))
			t.ID, t.Origin = fmt.Sprintf("%s/%03d", name, n), origin
			if ok {
				checkTask(t, faultsOf(faults, origin))
			}
			if len(*faults) == before {
				tasks = append(tasks, t)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return tasks, nil
}

// eachElement calls visit with each element of a file that is a JSON array; n counts from 1.
func eachElement(file string, faults *TaskFaults, visit func(origin string, n int, raw json.RawMessage)) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("%w: read task set: %v", agenvantage.ErrBadInput, err)
	}
	defer f.Close()
	data, err := readBounded(f, maxAnnotationBytes)
	if errors.Is(err, errTooLarge) {
		faultsOf(faults, file)("the file has more than %d bytes", maxAnnotationBytes)
		return nil
	}
	if err != nil {
		return fmt.Errorf("read task set: %w", err)
	}
	parseElements(data, file, faults, visit)
	return nil
}

func parseElements(data []byte, file string, faults *TaskFaults, visit func(origin string, n int, raw json.RawMessage)) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if !utf8.Valid(data) {
		line := 1 + bytes.Count(data[:firstInvalid(data)], []byte("\n"))
		faultsOf(faults, fmt.Sprintf("%s:%d", file, line))("the file is not UTF-8")
		return
	}
	n := 0
	line, err := readJSONArray(data, func(line int, raw json.RawMessage) {
		n++
		visit(fmt.Sprintf("%s:%d", file, line), n, raw)
	})
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType):
		faultsOf(faults, fmt.Sprintf("%s:%d", file, line))("the file is not a list")
	case err != nil:
		faultsOf(faults, fmt.Sprintf("%s:%d", file, line))("broken JSON: %v", err)
	}
}

// firstInvalid is the offset of the first byte that is not UTF-8.
func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

func parseRepo(raw json.RawMessage, specs map[string]repoSpec, fault faultFunc) {
	o, ok := readObject(raw, "", repoKeys, fault)
	if !ok {
		return
	}
	name := o.text("name")
	if name == "" {
		fault("the repository has no name")
		return
	}
	if _, twice := specs[name]; twice {
		fault("repository %q stands twice", name)
	}
	spec := repoSpec{language: o.text("language"), revision: o.text("revision"), root: strings.Trim(o.text("benchmark_root"), "/")}
	checkRevision(spec.revision, fault)
	if spec.root != "" {
		checkPath("benchmark_root", spec.root, fault)
	}
	specs[name] = spec
}

// parseAnnotation reads one annotation. name is that of its file, which is its repository unless it says otherwise.
func parseAnnotation(raw json.RawMessage, name string, specs map[string]repoSpec, fault faultFunc) (Task, bool) {
	o, ok := readObject(raw, "", annotationKeys, fault)
	if !ok {
		return Task{}, false
	}
	t := Task{Repo: name, Source: "codesearch", Match: MatchSuffix, Query: o.text("query")}
	if o.has("repo") {
		t.Repo = o.text("repo")
	}
	spec, known := specs[t.Repo]
	if !known {
		fault("repository %q is not in repos.json", t.Repo)
	}
	t.Language, t.Revision, t.Root = spec.language, spec.revision, spec.root
	t.Category = queryCategory(t.Query)
	if o.has("category") {
		t.Category = o.text("category")
	}
	t.Gold = readAnnotated(o, "relevant")
	t.Optional = readAnnotated(o, "secondary")
	return t, true
}

// queryCategory is the label of an annotation without one, by the rule of the benchmark's scorer: one word is a symbol, a
// question that begins with "how " is about architecture, anything else about meaning.
func queryCategory(query string) string {
	switch {
	case !strings.Contains(strings.TrimSpace(query), " "):
		return "symbol"
	case strings.HasPrefix(strings.ToLower(query), "how "):
		return "architecture"
	}
	return "semantic"
}

// readAnnotated reads targets: a path, or an object with a path and, both or neither, start_line and end_line. Backslashes
// become slashes, as the scorer reads them.
func readAnnotated(o jsonObject, key string) []Target {
	var out []Target
	for i, raw := range o.list(key) {
		var t Target
		if raw[0] == '"' {
			if err := json.Unmarshal(raw, &t.Path); err != nil {
				o.fault("key %q[%d] is not a path: %v", key, i, err)
				continue
			}
		} else {
			item, ok := readObject(raw, fmt.Sprintf("%s[%d].", key, i), placeKeys, o.fault)
			if !ok {
				continue
			}
			t.Path = item.text("path")
			start, end := item.has("start_line"), item.has("end_line")
			if start != end {
				item.fault("%s[%d] has only one of start_line and end_line", key, i)
			}
			if start && end {
				t.Ranges = []agenvantage.Span{{StartLine: item.number("start_line"), EndLine: item.number("end_line")}}
			}
		}
		t.Path = strings.ReplaceAll(t.Path, `\`, "/")
		out = append(out, t)
	}
	return out
}
