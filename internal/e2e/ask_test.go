//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ask is how a search is asked for. The zero value leaves every flag out.
type ask struct {
	channels        string
	topK            int
	paths, notPaths []string
	langs, kinds    []string
	regex           bool
	explain         bool
	noRefresh       bool
	timings         bool
}

func (k ask) limit() int {
	if k.topK == 0 {
		return 10
	}
	return k.topK
}

// lexical names the channels that need no model.
const lexical = "exact,bm25f"

// nowhere is a word that no tree of these tests holds.
const nowhere = "zqxjkvbwpl"

// index builds or updates the index, wants success and returns the summary.
func (tl *tool) index(more ...string) indexSummary {
	tl.t.Helper()
	o := tl.run("", append(tl.flags("index", "--json"), more...)...)
	if o.code != 0 {
		tl.t.Fatal(o)
	}
	return tl.summary(o)
}

// summary decodes what an index run printed.
func (tl *tool) summary(o outcome) indexSummary {
	tl.t.Helper()
	s := indexSummary{run: o}
	if err := decodeOne(o.stdout, &s); err != nil {
		tl.t.Fatalf("index --json: %v", err)
	}
	for reason, count := range s.Skipped {
		if !slices.Contains(skipReasons, reason) || count < 1 {
			tl.t.Errorf("%d files skipped for reason %q", count, reason)
		}
	}
	return s
}

func (tl *tool) searchArgs(k ask) []string {
	args := tl.flags("search", "--json")
	if k.channels != "" {
		args = append(args, "--channels", k.channels)
	}
	if k.topK != 0 {
		args = append(args, "--top-k", strconv.Itoa(k.topK))
	}
	add := func(flag string, values ...string) {
		for _, v := range values {
			args = append(args, flag, v)
		}
	}
	add("--path", k.paths...)
	add("--not-path", k.notPaths...)
	add("--lang", k.langs...)
	add("--kind", k.kinds...)
	if k.regex {
		args = append(args, "--regex")
	}
	if k.explain {
		args = append(args, "--explain")
	}
	if k.noRefresh {
		args = append(args, "--no-refresh")
	}
	if k.timings {
		args = append(args, "--timings")
	}
	return args
}

// trySearch asks one question and holds the answer to the contract. It may be called from any goroutine. An exit status
// above 1 is an error.
func (tl *tool) trySearch(k ask, query string) (answer, error) {
	o, err := tl.tryRun("", append(tl.searchArgs(k), "--", query)...)
	if err != nil {
		return answer{}, err
	}
	if o.code > 1 {
		return answer{}, fmt.Errorf("search failed: %v", o)
	}
	a := answer{run: o}
	if err := decodeOne(o.stdout, &a); err != nil {
		return a, fmt.Errorf("search %.80q: %w", query, err)
	}
	a.run = o
	if (o.code == 0) != (len(a.Results) > 0) {
		return a, fmt.Errorf("exit status %d with %v", o.code, a)
	}
	if a.Query != query {
		return a, fmt.Errorf("query %q is answered as %q", query, a.Query)
	}
	return a, tl.checkAnswer(a, k.limit())
}

// searchWith is trySearch for the goroutine of the test.
func (tl *tool) searchWith(k ask, query string) answer {
	tl.t.Helper()
	a, err := tl.trySearch(k, query)
	if err != nil {
		tl.t.Fatal(err)
	}
	return a
}

func (tl *tool) search(query string) answer {
	tl.t.Helper()
	return tl.searchWith(ask{}, query)
}

// refusedSearch wants a search to end with an error that says each of the texts.
func (tl *tool) refusedSearch(k ask, query string, texts ...string) outcome {
	tl.t.Helper()
	return tl.refused(append(tl.searchArgs(k), "--", query), texts...)
}

// question is one line of a batch.
type question struct {
	ID    string `json:"id"`
	Query string `json:"query"`
}

// batch asks all questions in one process and wants one answer a line, in order, each with the id of its question.
func (tl *tool) batch(k ask, questions ...question) []answer {
	tl.t.Helper()
	var in strings.Builder
	for _, q := range questions {
		line, err := json.Marshal(q)
		if err != nil {
			tl.t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	o := tl.run(in.String(), append(tl.searchArgs(k), "--batch", "-")...)
	if o.code > 3 {
		tl.t.Fatalf("batch: %v", o)
	}
	got := strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
	if len(got) != len(questions) {
		tl.t.Fatalf("%d lines for %d questions: %v", len(got), len(questions), o)
	}
	answers := make([]answer, len(questions))
	for i, q := range questions {
		a := answer{}
		if err := decodeOne(got[i], &a); err != nil {
			tl.t.Fatalf("batch, line %d: %v", i+1, err)
		}
		a.run = o
		if a.ID != q.ID {
			tl.t.Fatalf("batch, line %d: id %q, want %q", i+1, a.ID, q.ID)
		}
		if a.Error == nil {
			if err := tl.checkAnswer(a, k.limit()); err != nil {
				tl.t.Fatalf("batch, line %d: %v", i+1, err)
			}
		}
		answers[i] = a
	}
	return answers
}

// questions numbers queries for a batch.
func questions(queries ...string) []question {
	out := make([]question, len(queries))
	for i, q := range queries {
		out[i] = question{fmt.Sprintf("q%d", i), q}
	}
	return out
}

// fileTable is the file table by path.
func (tl *tool) fileTable() map[string]fileState {
	tl.t.Helper()
	o := tl.run("", tl.flags("files", "--json")...)
	if o.code > 1 {
		tl.t.Fatal(o)
	}
	var doc struct {
		Files []fileState `json:"files"`
	}
	if err := decodeOne(o.stdout, &doc); err != nil {
		tl.t.Fatalf("files --json: %v", err)
	}
	checkFiles(tl.t, doc.Files)
	table := map[string]fileState{}
	for _, f := range doc.Files {
		table[f.Path] = f
	}
	return table
}

// indexed lists the indexed paths, sorted.
func (tl *tool) indexed() []string {
	tl.t.Helper()
	paths := []string{}
	for path, f := range tl.fileTable() {
		if f.State == "indexed" {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// wantIndexed wants exactly these paths in the index.
func (tl *tool) wantIndexed(want ...string) {
	tl.t.Helper()
	slices.Sort(want)
	if got := tl.indexed(); !slices.Equal(got, want) {
		tl.t.Errorf("indexed:\n %s\nwant:\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}

// wantSkipped wants path in the file table, left out for one of the reasons, and returns its entry.
func (tl *tool) wantSkipped(path string, reasons ...string) fileState {
	tl.t.Helper()
	f, listed := tl.fileTable()[path]
	if !listed || f.State != "skipped" || !slices.Contains(reasons, f.Reason) {
		tl.t.Errorf("%s: %+v, want it skipped as %v", path, f, reasons)
	}
	return f
}

// nothingSilent wants each path that git shows to be listed, itself or by its folder, and each indexed path to be one
// that git shows.
func (tl *tool) nothingSilent() {
	tl.t.Helper()
	shown, table := tl.notIgnored(), tl.fileTable()
	for _, path := range shown {
		if _, listed := table[path]; listed {
			continue
		}
		under := false
		for folder := range table {
			under = under || strings.HasSuffix(folder, "/") && strings.HasPrefix(path+"/", folder)
		}
		if !under && !strings.Contains(path, "\xff") {
			tl.t.Errorf("%q is neither indexed nor listed as left out", path)
		}
	}
	for path, f := range table {
		if f.State == "indexed" && !slices.Contains(shown, path) && !strings.Contains(path, "\uFFFD") {
			tl.t.Errorf("%q is indexed, git ignores it", path)
		}
	}
}

// status describes the index.
func (tl *tool) status() statusReport {
	tl.t.Helper()
	o := tl.run("", tl.flags("status", "--json")...)
	if o.code > 1 {
		tl.t.Fatal(o)
	}
	var s statusReport
	if err := decodeOne(o.stdout, &s); err != nil {
		tl.t.Fatalf("status --json: %v", err)
	}
	if !slices.Contains([]string{"ready", "stale", "incomplete", "absent"}, s.State) {
		tl.t.Errorf("state %q", s.State)
	}
	return s
}

// config is the effective settings by key.
func (tl *tool) config() map[string]setting {
	tl.t.Helper()
	o := tl.run("", tl.flags("config", "show", "--json")...)
	if o.code != 0 {
		tl.t.Fatal(o)
	}
	var doc struct {
		Settings []setting `json:"settings"`
	}
	if err := decodeOne(o.stdout, &doc); err != nil {
		tl.t.Fatalf("config show --json: %v", err)
	}
	byKey := map[string]setting{}
	for _, s := range doc.Settings {
		if !slices.Contains([]string{"default", "user", "project", "env", "flag"}, s.Source) {
			tl.t.Errorf("%s has source %q", s.Key, s.Source)
		}
		byKey[s.Key] = s
	}
	return byKey
}

// find wants a result in the file, and returns the best one.
func (tl *tool) find(query, path string) hit {
	tl.t.Helper()
	return tl.findWith(ask{}, query, path, 0)
}

// findAt wants a result in the file that covers the line.
func (tl *tool) findAt(query, path string, line int) hit {
	tl.t.Helper()
	return tl.findWith(ask{}, query, path, line)
}

// findWith is findAt with flags; line 0 is any.
func (tl *tool) findWith(k ask, query, path string, line int) hit {
	tl.t.Helper()
	a := tl.searchWith(k, query)
	for _, h := range a.Results {
		if h.Path == path && (line == 0 || h.covers(line)) {
			return h
		}
	}
	tl.t.Errorf("%+v: no result at %s:%d in %v", k, path, line, a)
	return hit{}
}

// within wants a result in the file among the first n and returns it.
func (tl *tool) within(n int, k ask, query, path string) hit {
	tl.t.Helper()
	a := tl.searchWith(k, query)
	for _, h := range a.Results[:min(n, len(a.Results))] {
		if h.Path == path {
			return h
		}
	}
	tl.t.Errorf("%+v: %s is not among the first %d of %v", k, path, n, a)
	return hit{}
}

// lacks wants the word in no result, in each channel alone and in both together.
func (tl *tool) lacks(words ...string) {
	tl.t.Helper()
	for _, channels := range []string{"", "exact", "bm25f"} {
		for i, a := range tl.batch(ask{channels: channels, topK: 50}, questions(words...)...) {
			for _, h := range a.Results {
				if strings.Contains(h.Text+h.Symbol+h.Signature+h.Doc, words[i]) {
					tl.t.Errorf("[%s] %q must not be found: %v", channels, words[i], h)
				}
			}
		}
	}
}

// once wants exactly one result that holds the word, in the file, and returns it.
func (tl *tool) once(word, path string) hit {
	tl.t.Helper()
	var holding []hit
	for _, h := range tl.searchWith(ask{topK: 50}, word).Results {
		if strings.Contains(h.Text, word) {
			holding = append(holding, h)
		}
	}
	if len(holding) != 1 || holding[0].Path != path {
		tl.t.Fatalf("%q: want one result, in %s, got %v", word, path, holding)
	}
	return holding[0]
}

// symbolPlace is where and as what a symbol is wanted. Zero fields are not looked at.
type symbolPlace struct {
	path       string
	start, end int
	kinds      string // separated by spaces
	parent     string // the word before the name in the qualified name
	lang       string
}

// wantSymbol wants a search for the name to return the symbol, by the exact channel alone and by all, and returns it.
func (tl *tool) wantSymbol(name string, p symbolPlace) hit {
	tl.t.Helper()
	var found hit
	for _, channels := range []string{"exact", ""} {
		a := tl.searchWith(ask{channels: channels, topK: 30}, name)
		at := slices.IndexFunc(a.Results, func(h hit) bool {
			return h.name() == name && h.Path == p.path && (p.start == 0 || h.Start == p.start) && (p.end == 0 || h.End == p.end) &&
				(p.kinds == "" || slices.Contains(strings.Fields(p.kinds), h.Kind)) && (p.lang == "" || h.Lang == p.lang) &&
				(p.parent == "" || strings.HasSuffix(h.Symbol, p.parent+"."+name))
		})
		if at < 0 {
			tl.t.Errorf("[%s] symbol %s: want %+v, got %v", channels, name, p, a)
			continue
		}
		found = a.Results[at]
	}
	return found
}

// wantNothing wants a search for a word that is nowhere to return nothing, so that no test is passed by answers that
// hold everything.
func (tl *tool) wantNothing() {
	tl.t.Helper()
	if a := tl.search(nowhere); len(a.Results) > 0 {
		tl.t.Errorf("a word that is nowhere: %v", a)
	}
}
