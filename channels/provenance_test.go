package channels

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/plan"
)

// plantedCommit is a commit of a history in a test. The newest comes first.
type plantedCommit struct {
	days    float64 // of age
	message string
	files   string // of today, by path
	more    int    // files changed that are no more
	lines   string // "path:from-to@head, …"
}

// planted is a history and a Past in memory.
type planted struct {
	corpus      *corpus
	commits     []plantedCommit
	covered     float64
	absent      error
	uncommitted []ChangedLines
	asked       [][]uint32 // commits whose lines were asked for
}

const now = 1_700_000_000

func (p *planted) History(context.Context) (History, error) {
	if p.absent != nil {
		return nil, p.absent
	}
	return p, nil
}
func (p *planted) Uncommitted(context.Context) ([]ChangedLines, error) { return p.uncommitted, nil }
func (p *planted) CommitCount() int                                    { return len(p.commits) }
func (p *planted) Time() int64                                         { return now }
func (p *planted) ShortID(c uint32) string                             { return fmt.Sprintf("%07d", c) }
func (p *planted) Subject(c uint32) (string, error)                    { return p.commits[c].message, nil }
func (p *planted) terms(c uint32) []string                             { return analysis.AppendTokens(nil, p.commits[c].message) }
func (p *planted) Covered() (float64, string) {
	if p.covered > 0 {
		return p.covered, "for a test"
	}
	return 1, ""
}
func (p *planted) MeanTerms() float64 {
	sum := 0
	for c := range p.commits {
		sum += len(p.terms(uint32(c)))
	}
	return float64(sum) / float64(len(p.commits))
}
func (p *planted) Postings(term string, visit func(uint32, int)) error {
	for c := range uint32(len(p.commits)) {
		n := 0
		for _, t := range p.terms(c) {
			if t == term {
				n++
			}
		}
		if n > 0 {
			visit(c, n)
		}
	}
	return nil
}
func (p *planted) Commit(c uint32) (int64, int, int, []uint32) {
	var files []uint32
	for _, path := range strings.Fields(p.commits[c].files) {
		files = append(files, p.file(path))
	}
	return now - int64(p.commits[c].days*86400), len(p.terms(c)), len(files) + p.commits[c].more, files
}
func (p *planted) file(path string) uint32 {
	i, ok := slices.BinarySearch(p.corpus.paths, path)
	if !ok {
		panic(path)
	}
	return uint32(i)
}
func (p *planted) Touching(file uint32) (list []uint32) {
	for c := range uint32(len(p.commits)) {
		if _, _, _, files := p.Commit(c); slices.Contains(files, file) {
			list = append(list, c)
		}
	}
	return list
}
func (p *planted) Changes(_ context.Context, commits []uint32, each func(uint32, []ChangedLines)) error {
	p.asked = append(p.asked, commits)
	for _, c := range commits {
		if p.commits[c].lines != "" {
			each(c, p.parse(p.commits[c].lines))
		}
	}
	return nil
}

// parse reads "path:from-to@head, …".
func (p *planted) parse(text string) (files []ChangedLines) {
	for s := range strings.SplitSeq(text, ", ") {
		place, head, _ := strings.Cut(s, "@")
		path, lines, _ := strings.Cut(place, ":")
		var span agenvantage.Span
		fmt.Sscanf(lines, "%d-%d", &span.StartLine, &span.EndLine)
		file := p.file(path)
		if n := len(files); n > 0 && files[n-1].File == file {
			files[n-1].Lines, files[n-1].Heads = append(files[n-1].Lines, span), append(files[n-1].Heads, head)
			continue
		}
		files = append(files, ChangedLines{File: file, Lines: []agenvantage.Span{span}, Heads: []string{head}})
	}
	return files
}

// plain are options without decay, priors and partners: votes are BM25 over log2(1 + files).
var plain = ProvenanceOptions{K1: 1.2, B: 0.75, AgeDays: 1e9, RecencyDays: 90, MaxFiles: 30, Commits: 100, HunkCommits: 20, MinSupport: 1}

func texts(paths string) map[string]string {
	m := map[string]string{}
	for _, p := range strings.Fields(paths) {
		m[p] = "func " + strings.NewReplacer("/", "_", ".", "_").Replace(p) + "()\nbody\n"
	}
	return m
}

func (p *planted) ask(t *testing.T, o ProvenanceOptions, r Request, question string) List {
	t.Helper()
	q, err := plan.Parse(question, plan.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.Query = q
	list, err := NewProvenance(p.corpus, p, o).Search(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(list.Hits, agenvantage.CompareHits) {
		t.Errorf("%q: hits are not in order", question)
	}
	return list
}

// scores shows hits as "path:line score".
func (p *planted) scores(list List) []string {
	var rows []string
	for _, h := range list.Hits {
		rows = append(rows, fmt.Sprintf("%s:%d %.4f", p.corpus.paths[h.File], h.Span.StartLine, h.Score))
	}
	return rows
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got  %q\n want %q", what, got, want)
	}
}

// Four messages of two terms each, so that the length plays no part: with k1 = 1.2 a term that occurs once counts
// (k1+1) * 1 / (1 + k1) = 1, and idf = ln(1 + (4 - df + 0.5) / (df + 0.5)); a term of a question that occurs once has
// the weight (8+1) * 1 / (8+1) = 1.
func TestVotesByHand(t *testing.T) {
	p := &planted{corpus: newCorpus(texts("a.go b.go c.go"), nil), commits: []plantedCommit{
		{message: "cache misses", files: "a.go"},
		{message: "cache flush", files: "a.go b.go c.go"},
		{message: "parser errors", files: "b.go"},
		{message: "tidy up", files: "c.go"},
	}}
	cache, misses := math.Log(2), math.Log(1+3.5/1.5) // df 2: 1 + 2.5/2.5; df 1
	row := func(path string, score float64) string { return fmt.Sprintf("%s:1 %.4f", path, score) }
	same(t, "one term", p.scores(p.ask(t, plain, Request{}, "cache")),
		row("a.go", cache+cache/2), row("b.go", cache/2), row("c.go", cache/2)) // three files: 1 / log2(4)
	same(t, "two terms", p.scores(p.ask(t, plain, Request{}, "cache misses")),
		row("a.go", cache+misses+cache/2), row("b.go", cache/2), row("c.go", cache/2))
	same(t, "no message", p.scores(p.ask(t, plain, Request{}, "elsewhere")))

	p.commits[0].days = 100
	o := plain
	o.AgeDays = 100
	same(t, "age", p.scores(p.ask(t, o, Request{}, "cache")), row("a.go", cache/2+cache/math.E), row("b.go", cache/2), row("c.go", cache/2))

	// a.go was touched by two commits, 100 and 0 days ago: r = 1 + exp(-100/100), n = ln 3.
	o = plain
	o.Prior, o.RecencyDays = 0.1, 100
	r, n := 1+1/math.E, math.Log(3)
	rc, nc := 2.0, math.Log(3) // c.go: two commits of today
	got := p.scores(p.ask(t, o, Request{}, "cache"))
	prior := func(r, n float64) float64 { return (1 + 0.1*r/(1+r)) * (1 + 0.1*n/(1+n)) }
	same(t, "priors", got, row("a.go", 1.5*cache*prior(r, n)), row("b.go", cache/2*prior(rc, nc)), row("c.go", cache/2*prior(rc, nc)))
}

func TestVotesLeaveOut(t *testing.T) {
	p := &planted{corpus: newCorpus(texts("a.go b.go c.go"), nil), commits: []plantedCommit{
		{message: "cache sweep", files: "a.go b.go", more: 29},
		{message: "cache one", files: "b.go", more: 29},
		{message: "cache gone", more: 1},
		{message: "cache two", files: "c.go"},
	}}
	same(t, "31 files have no vote, 30 have", paths(p, p.ask(t, plain, Request{}, "cache")), "c.go", "b.go")
	o := plain
	o.Commits = 1
	same(t, "the best commit alone", paths(p, p.ask(t, o, Request{}, "cache")), "c.go")
	scope, err := CompileScope(agenvantage.Filter{NotPaths: []string{"c.go"}}, p.corpus)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "a scope holds before the cut", paths(p, p.ask(t, plain, Request{Scope: scope, Limit: 1}, "cache")), "b.go")
	list := p.ask(t, plain, Request{Limit: 1}, "cache")
	if same(t, "limit", paths(p, list), "c.go"); list.Dropped != 1 {
		t.Errorf("%d dropped", list.Dropped)
	}
	list = p.ask(t, plain, Request{Filter: agenvantage.Filter{Kinds: []agenvantage.SymbolKind{agenvantage.KindClass}}}, "cache")
	same(t, "a kind that no chunk has", paths(p, list))
	same(t, "a pattern", paths(p, p.ask(t, plain, Request{}, "/cache/")))
}

func paths(p *planted, list List) []string {
	var rows []string
	for _, h := range list.Hits {
		rows = append(rows, p.corpus.paths[h.File])
	}
	return rows
}

const twoFunctions = "import x\n\nfunc Open(name)\n1\n2\n3\nfunc Close()\n4\n5\n6\n"

func TestChunksOfVotes(t *testing.T) {
	corpus := newCorpus(map[string]string{"a.go": twoFunctions, "b.go": twoFunctions}, nil)
	for _, c := range []struct {
		name    string
		commits []plantedCommit
		dirty   string
		want    []string
	}{
		{"by lines, where nothing came after", []plantedCommit{{message: "leak", files: "a.go", lines: "a.go:8-9"}}, "", []string{"a.go:7"}},
		{"by the head, where something did", []plantedCommit{{message: "later", files: "a.go"}, {message: "leak", files: "a.go", lines: "a.go:4-4@func Close() {"}}, "", []string{"a.go:7"}},
		{"by the head, in a dirty file", []plantedCommit{{message: "leak", files: "a.go", lines: "a.go:4-4@func Close()"}}, "a.go:1-1", []string{"a.go:7"}},
		{"a head that names nothing of today", []plantedCommit{{message: "later", files: "a.go"}, {message: "leak", files: "a.go", lines: "a.go:8-8@func Gone()"}}, "", []string{"a.go:3"}},
		{"deleted lines", []plantedCommit{{message: "leak", files: "a.go", lines: "a.go:5-4"}}, "", []string{"a.go:3"}},
		{"no lines known: the first that is no header", []plantedCommit{{message: "leak", files: "a.go"}}, "", []string{"a.go:3"}},
		{"no lines known: the one with the question's words", []plantedCommit{{message: "leak close", files: "a.go"}}, "", []string{"a.go:7"}},
		{"two chunks, the weightier first", []plantedCommit{{message: "leak leak", files: "a.go", lines: "a.go:8-8, a.go:9-9"}, {message: "leak other thing", files: "a.go", lines: "a.go:4-4@func Open(name)"}}, "", []string{"a.go:7", "a.go:3"}},
	} {
		p := &planted{corpus: corpus, commits: c.commits}
		if c.dirty != "" {
			p.uncommitted = p.parse(c.dirty)
		}
		var got []string
		for _, h := range p.ask(t, plain, Request{}, map[bool]string{true: "leak close", false: "leak"}[strings.HasSuffix(c.commits[0].message, "close")]).Hits {
			got = append(got, fmt.Sprintf("%s:%d", corpus.paths[h.File], h.Span.StartLine))
		}
		same(t, c.name, got, c.want...)
	}
}

func TestReasons(t *testing.T) {
	long := "leak of " + strings.Repeat("many words ", 10)
	p := &planted{corpus: newCorpus(texts("a.go b.go c.go"), nil), commits: []plantedCommit{
		{message: "leak \"one\"", files: "a.go"}, {message: "other leak of it", files: "a.go"}, {message: long, files: "b.go"},
	}}
	p.uncommitted = p.parse("b.go:1-1")
	var got []string
	for _, h := range p.ask(t, plain, Request{}, "leak").Hits {
		got = append(got, h.Reason)
	}
	same(t, "reasons", got, `commit 0000000 "leak \"one\"" (and 1 more)`, fmt.Sprintf("commit 0000002 %q; uncommitted changes", strings.TrimSpace(long[:59])+"…"))
}

func TestCochangeWithNamedFiles(t *testing.T) {
	p := &planted{corpus: newCorpus(texts("src/a.go src/b.go src/c.go other/a.go"), nil), commits: []plantedCommit{
		{message: "one", files: "src/a.go src/b.go"}, {message: "two", files: "src/a.go src/b.go"}, {message: "three", files: "src/a.go src/c.go"},
		{message: "four", files: "src/a.go"}, {message: "sweep", files: "src/a.go src/c.go", more: 40},
	}}
	o := plain
	o.Cochange, o.MinSupport = 0.5, 1
	list := p.ask(t, o, Request{}, "src/a.go")
	same(t, "by confidence", p.scores(list), "src/b.go:1 0.2500", "src/c.go:1 0.1250") // no votes: the best counts 1; 2 of 4 and 1 of 4
	if r := list.Hits[0].Reason; r != "changed with src/a.go in 2 of 4 commits" {
		t.Errorf("reason %q", r)
	}
	p.commits[3].message = "src a go"
	same(t, "a lone path has no votes", p.scores(p.ask(t, o, Request{}, "src/a.go")), "src/b.go:1 0.2500", "src/c.go:1 0.1250")
	p.commits[3].message = "four"
	o.MinSupport = 2
	same(t, "support", paths(p, p.ask(t, o, Request{}, "crash at src/a.go:1")), "src/b.go")
	same(t, "support, in a sentence", paths(p, p.ask(t, o, Request{}, "crash in src/a.go today")), "src/b.go")
	same(t, "off", paths(p, p.ask(t, plain, Request{}, "src/a.go")))
}

func TestUncommittedWork(t *testing.T) {
	p := &planted{corpus: newCorpus(map[string]string{"a.go": twoFunctions, "b.go": twoFunctions, "c.go": twoFunctions}, nil),
		commits: []plantedCommit{{message: "close early", files: "c.go", lines: "c.go:8-8"}, {message: "my changes", files: "c.go"}}}
	p.uncommitted = p.parse("a.go:4-4, a.go:8-9, b.go:6-5")
	for _, c := range []struct {
		question string
		want     []string
	}{
		{"what did I change", []string{"a.go:3", "a.go:7", "b.go:3"}},
		{"diff", []string{"a.go:3", "a.go:7", "b.go:3"}},
		{"my uncommitted changes", []string{"a.go:3", "a.go:7", "b.go:3"}},
		{"review my changes to Close", []string{"a.go:7", "a.go:3", "b.go:3", "c.go:7"}}, // the rest of the question still votes
		{"close", []string{"c.go:7"}},
		{`"my changes"`, []string{"c.go:3"}}, // a quotation is what it says: a message has it
	} {
		var got []string
		for _, h := range p.ask(t, plain, Request{}, c.question).Hits {
			got = append(got, fmt.Sprintf("%s:%d", p.corpus.paths[h.File], h.Span.StartLine))
		}
		same(t, c.question, got, c.want...)
	}
	if h := p.ask(t, plain, Request{}, "what did I change").Hits[0]; h.Reason != "uncommitted changes" {
		t.Errorf("reason %q", h.Reason)
	}
	scope, err := CompileScope(agenvantage.Filter{Paths: []string{"b.go"}}, p.corpus)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "scope", paths(p, p.ask(t, plain, Request{Scope: scope}, "what did I change")), "b.go")
}

func TestProvenanceWithoutHistory(t *testing.T) {
	p := &planted{corpus: newCorpus(texts("a.go"), nil), absent: fmt.Errorf("%w: not a git repository", ErrNoHistory)}
	outcome := Run(t.Context(), []Channel{NewProvenance(p.corpus, p, plain)}, Request{Query: agenvantage.Query{Text: "x"}}, RunOptions{})[0]
	if r := outcome.Report; r.Status != agenvantage.StatusOff || r.Error != "no history: not a git repository" || outcome.Err != nil {
		t.Errorf("%+v", outcome)
	}
	p.absent = errors.New("broken")
	if r := Run(t.Context(), []Channel{NewProvenance(p.corpus, p, plain)}, Request{}, RunOptions{})[0].Report; r.Status != agenvantage.StatusError {
		t.Errorf("%+v", r)
	}
	p.absent, p.covered, p.commits = nil, 0.25, []plantedCommit{{message: "x", files: "a.go"}}
	outcome = Run(t.Context(), []Channel{NewProvenance(p.corpus, p, plain)}, Request{Query: agenvantage.Query{Text: "x"}}, RunOptions{})[0]
	if r := outcome.Report; r.Status != agenvantage.StatusPartial || *r.Covered != 0.25 || r.Error != "for a test" {
		t.Errorf("%+v", r)
	}
}

func TestProvenanceBounds(t *testing.T) {
	p := &planted{corpus: newCorpus(texts("a.go"), nil)}
	for range 60 {
		p.commits = append(p.commits, plantedCommit{message: "leak", files: "a.go"})
	}
	o := plain
	o.HunkCommits = 7
	p.ask(t, o, Request{}, "leak")
	if len(p.asked) != 1 || len(p.asked[0]) != 7 {
		t.Errorf("lines of %d commits were asked for", len(p.asked[0]))
	}
	p.asked, o.HunkCommits = nil, 0
	if p.ask(t, o, Request{}, "leak"); len(p.asked) != 0 {
		t.Error("lines are read though none are wanted")
	}
	var long strings.Builder
	for i := range 300 {
		fmt.Fprintf(&long, "word%d ", i)
	}
	if list := p.ask(t, o, Request{}, long.String()+" leak"); len(list.Hits) != 1 {
		t.Errorf("the one known word of a long question is lost: %+v", list)
	}
}

func TestProvenanceOptionsValidate(t *testing.T) {
	if err := (ProvenanceOptions{}).Validate(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*ProvenanceOptions){
		"k1": func(o *ProvenanceOptions) { o.K1 = -1 }, "b": func(o *ProvenanceOptions) { o.B = 1.5 }, "age": func(o *ProvenanceOptions) { o.AgeDays = 0 },
		"recency": func(o *ProvenanceOptions) { o.RecencyDays = math.NaN() }, "files": func(o *ProvenanceOptions) { o.MaxFiles = 0 }, "commits": func(o *ProvenanceOptions) { o.Commits = 0 },
		"hunks": func(o *ProvenanceOptions) { o.HunkCommits = -1 }, "prior": func(o *ProvenanceOptions) { o.Prior = -1 }, "cochange": func(o *ProvenanceOptions) { o.Cochange = math.Inf(-1) },
		"support": func(o *ProvenanceOptions) { o.MinSupport = 0 },
	} {
		o := DefaultProvenanceOptions()
		change(&o)
		if err := o.Validate(); !errors.Is(err, agenvantage.ErrBadInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The order in which documents lie in the index changes nothing, and neither does asking again.
func TestProvenanceIsRepeatable(t *testing.T) {
	commits := []plantedCommit{{message: "leak a", files: "a.go b.go"}, {message: "leak b", files: "b.go c.go"}, {message: "leak c", files: "c.go a.go"}}
	var first string
	for range 4 {
		p := &planted{corpus: newCorpus(texts("a.go b.go c.go"), nil), commits: commits}
		got := fmt.Sprint(p.ask(t, DefaultProvenanceOptions(), Request{}, "leak in a"))
		if first == "" {
			first = got
		}
		if got != first {
			t.Fatalf("%s\n%s", first, got)
		}
	}
}

// A revert says what it takes back: it votes for the same files as what it reverts, and so does that still.
func TestRevertsVoteLikeOthers(t *testing.T) {
	p := &planted{corpus: newCorpus(texts("a.go b.go"), nil), commits: []plantedCommit{
		{message: `Revert "drop the cache"`, files: "a.go"}, {message: "drop the cache", files: "a.go"}, {message: "the cache of b", files: "b.go"},
	}}
	list := p.ask(t, plain, Request{}, "cache drop")
	same(t, "revert", paths(p, list), "a.go", "b.go")
	if r := list.Hits[0].Reason; !strings.HasSuffix(r, "(and 1 more)") {
		t.Errorf("reason %q", r)
	}
}
