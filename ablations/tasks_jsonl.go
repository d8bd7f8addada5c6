package ablations

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"agenvantage"
)

// maxTaskLine bounds a line of a JSON-lines file in bytes. The longest of the public sets has 11,000.
const maxTaskLine = 4 << 20

// The keys of a JSON-lines task. role, note and url are for people and are not kept.
const (
	taskKeys    = "id repo base_commit root source language category task query gold optional context tests no_answer match time note url"
	targetKeys  = "path ranges role note"
	contextKeys = "path start end role note"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// readTaskLines reads the JSON-lines file. Faults of the input go to faults; the error is the system's.
func readTaskLines(file string, faults *TaskFaults) ([]Task, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read task set: %w", err)
	}
	defer f.Close()
	tasks, err := parseTaskLines(f, file, faults)
	if err != nil {
		return nil, fmt.Errorf("read task set %s: %w", file, err)
	}
	return tasks, nil
}

func parseTaskLines(r io.Reader, name string, faults *TaskFaults) ([]Task, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	var tasks []Task
	for n := 1; ; n++ {
		line, tooLong, err := readLine(in)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		last := err != nil
		if n == 1 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		line = bytes.TrimSpace(line)
		origin := fmt.Sprintf("%s:%d", name, n)
		fault := faultsOf(faults, origin)
		switch {
		case tooLong:
			fault("the line has more than %d bytes", maxTaskLine)
		case len(line) == 0: // blank lines separate what a person wrote
		case !utf8.Valid(line):
			fault("the line is not UTF-8")
		default:
			before := len(*faults)
			if t, ok := parseTaskLine(line, fault); ok && len(*faults) == before {
				t.Origin = origin
				tasks = append(tasks, t)
			}
		}
		if last {
			return tasks, nil
		}
	}
}

// readLine reads up to the next line break, which it leaves out. Of a line that is too long it keeps nothing.
func readLine(in *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if !tooLong {
			line = append(line, part...)
		}
		if len(line) > maxTaskLine {
			line, tooLong = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// parseTaskLine reads one task and checks it.
func parseTaskLine(line []byte, fault faultFunc) (Task, bool) {
	if !json.Valid(line) {
		var v any
		fault("broken JSON: %v", json.Unmarshal(line, &v))
		return Task{}, false
	}
	o, ok := readObject(line, "", taskKeys, fault)
	if !ok {
		return Task{}, false
	}
	t := Task{ID: o.text("id"), Repo: o.text("repo"), Revision: o.text("base_commit"), Root: o.text("root"), Source: o.text("source"),
		Language: o.text("language"), Category: o.text("category"), Match: Match(o.text("match"))}
	if o.has("task") && o.has("query") {
		fault("keys \"task\" and \"query\" are the same: give one")
	}
	t.Query = o.text("task") + o.text("query")
	o.read("no_answer", &t.NoAnswer, "true or false")
	o.read("time", &t.Time, "a whole number of seconds")
	if !o.has("category") {
		t.Category = defaultCategory(t.Source)
	}
	if t.Match == "" {
		t.Match = MatchExact
	}
	t.Gold = readTargets(o, "gold")
	t.Optional = readTargets(o, "optional")
	t.Context = readContext(o)
	o.read("tests", &t.Tests, "a list of paths")
	checkTask(t, fault)
	return t, true
}

// defaultCategory is the label of tasks that their set does not label: public sets of issues hold nothing else.
func defaultCategory(source string) string {
	if strings.HasPrefix(source, "swe-bench") || strings.HasPrefix(source, "contextbench") {
		return "issue"
	}
	return ""
}

// readTargets reads a list of paths or of objects with a path and ranges.
func readTargets(o jsonObject, key string) []Target {
	var out []Target
	for i, raw := range o.list(key) {
		var t Target
		if raw[0] == '"' {
			if err := json.Unmarshal(raw, &t.Path); err != nil {
				o.fault("%s%s[%d] is not a path: %v", o.label, key, i, err)
			}
			out = append(out, t)
			continue
		}
		item, ok := readObject(raw, fmt.Sprintf("%s%s[%d].", o.label, key, i), targetKeys, o.fault)
		if !ok {
			continue
		}
		t.Path = item.text("path")
		for _, raw := range item.list("ranges") {
			var pair []int
			if err := json.Unmarshal(raw, &pair); err != nil || len(pair) != 2 {
				item.fault("key %q: %s is not [first line, last line]", item.label+"ranges", clip(string(raw), 40))
				continue
			}
			t.Ranges = append(t.Ranges, agenvantage.Span{StartLine: pair[0], EndLine: pair[1]})
		}
		out = append(out, t)
	}
	return out
}

func readContext(o jsonObject) []Place {
	var out []Place
	for i, raw := range o.list("context") {
		item, ok := readObject(raw, fmt.Sprintf("context[%d].", i), contextKeys, o.fault)
		if !ok {
			continue
		}
		if !item.has("start") || !item.has("end") {
			item.fault("context[%d] lacks its start or end line", i)
			continue
		}
		span := agenvantage.Span{StartLine: item.number("start"), EndLine: item.number("end")}
		out = append(out, Place{Path: item.text("path"), Span: span})
	}
	return out
}

// taskLine is a task as WriteTasks writes it, in the order of the keys.
type taskLine struct {
	ID         string       `json:"id"`
	Source     string       `json:"source,omitempty"`
	Repo       string       `json:"repo"`
	BaseCommit string       `json:"base_commit,omitempty"`
	Root       string       `json:"root,omitempty"`
	Language   string       `json:"language,omitempty"`
	Category   *string      `json:"category,omitempty"` // written when it is not what a reader would assume
	Time       int64        `json:"time,omitempty"`
	Match      Match        `json:"match,omitempty"`
	Task       string       `json:"task"`
	NoAnswer   bool         `json:"no_answer,omitempty"`
	Gold       []targetLine `json:"gold,omitempty"`
	Optional   []targetLine `json:"optional,omitempty"`
	Context    []placeLine  `json:"context,omitempty"`
	Tests      []string     `json:"tests,omitempty"`
}

type targetLine struct {
	Path   string   `json:"path"`
	Ranges [][2]int `json:"ranges,omitempty"`
}

type placeLine struct {
	Path  string `json:"path"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// WriteTasks writes tasks as JSON lines, in the order given, so that LoadTasks reads the same tasks again (Origin aside). A
// task that LoadTasks would refuse is an agenvantage.ErrBadInput, before anything of it is written.
func WriteTasks(w io.Writer, tasks []Task) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i, t := range tasks {
		var faults TaskFaults
		checkTask(t, faultsOf(&faults, fmt.Sprintf("task %d, %q", i+1, t.ID)))
		if len(faults) > 0 {
			return fmt.Errorf("write tasks: %w", faults)
		}
		if err := enc.Encode(lineOf(t)); err != nil {
			return fmt.Errorf("write task %q: %w", t.ID, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write tasks: %w", err)
	}
	return nil
}

func lineOf(t Task) taskLine {
	l := taskLine{ID: t.ID, Source: t.Source, Repo: t.Repo, BaseCommit: t.Revision, Root: t.Root, Language: t.Language, Time: t.Time,
		Task: t.Query, NoAnswer: t.NoAnswer, Gold: targetLines(t.Gold), Optional: targetLines(t.Optional), Tests: t.Tests}
	if t.Category != defaultCategory(t.Source) {
		l.Category = &t.Category
	}
	if t.Match != MatchExact {
		l.Match = t.Match
	}
	for _, p := range t.Context {
		l.Context = append(l.Context, placeLine{p.Path, p.Span.StartLine, p.Span.EndLine})
	}
	return l
}

func targetLines(targets []Target) []targetLine {
	var out []targetLine
	for _, t := range targets {
		l := targetLine{Path: t.Path}
		for _, r := range t.Ranges {
			l.Ranges = append(l.Ranges, [2]int{r.StartLine, r.EndLine})
		}
		out = append(out, l)
	}
	return out
}
