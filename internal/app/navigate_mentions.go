package app

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"agenvantage"
	"agenvantage/analysis"
	"agenvantage/channels"
	"agenvantage/graph"
	"agenvantage/index"
	"agenvantage/internal/count"
)

// What may be missing from an answer of the graph is found by one rule: every place where the name of the subject stands
// as a word, in any file of the index that is no prose, is accounted for, or it is counted with the reason why it is not.
// What accounts for a place is in navigate_account.go, what needs no place in navigate_outside.go.

// mentions gathers what may lead to, or from, the subject without an edge.
type mentions struct {
	*navigator
	coverage *NavigationCoverage
	partial  int // files with a mention that have places which their grammar did not understand
	failed   int
	unlooked int
	again    resolvedAgain
	alone    resolvedAgain   // one reference at a time
	origins  *origins        // nil until outside is asked
	joined   []joinedTokens  // nil until pasted is asked
	parts    map[string]bool // names, and whether two words of the index make them

	reflecting   map[*reflection][]uint32  // files that may do it
	reflected    map[reflectedIn][]affixes // what files compute names of
	modulesTaken map[uint32]bool
	uses         map[uint32]*usesOf
}

// usesOf are the references and the local names of a file.
type usesOf struct {
	refs     []agenvantage.Reference
	bindings []agenvantage.Binding
}

// maxUses bounds how many files' references are kept: reading them again costs about a millisecond.
const maxUses = 256

func newMentions(n *navigator, c *NavigationCoverage) *mentions {
	return &mentions{navigator: n, coverage: c, again: resolvedAgain{corpus: n.corpus}, alone: resolvedAgain{corpus: n.corpus}, reflecting: map[*reflection][]uint32{},
		reflected: map[reflectedIn][]affixes{}, modulesTaken: map[uint32]bool{}, uses: map[uint32]*usesOf{}}
}

// outside is origins.outside of the index: most questions have no use for it, and it reads the paths of all files.
func (m *mentions) outside(lang, module string) (bool, error) {
	if m.origins == nil {
		o, err := newOrigins(m.corpus)
		if err != nil {
			return false, err
		}
		m.origins = o
	}
	return m.origins.outside(lang, module), nil
}

// usesIn are the references and bindings of a file, which the caller must not change.
func (m *mentions) usesIn(f uint32) ([]agenvantage.Reference, []agenvantage.Binding, error) {
	if u := m.uses[f]; u != nil {
		return u.refs, u.bindings, nil
	}
	refs, bindings, err := m.corpus.Uses(f)
	if err != nil {
		return nil, nil, err
	}
	if len(m.uses) >= maxUses {
		clear(m.uses)
	}
	m.uses[f] = &usesOf{refs, bindings}
	return refs, bindings, nil
}

// maxMentionFiles bounds the work for one name.
const maxMentionFiles = 2000

// sought is a name whose mentions are looked for.
type sought struct {
	name    string // as its definitions have it
	bare    string // as references have it: without the marks of Ruby and JavaScript
	targets map[agenvantage.Node]bool
	value   bool // a definition of it is a variable or a field: assignments are mentions of it
	scope   *scope
}

// of looks at every file that holds a name as a word.
func (m *mentions) of(name string, scope *scope) error {
	bare := bareName(name)
	tokens := analysis.AppendTokens(nil, bare)
	if len(tokens) == 0 {
		m.count(reasonHook, 1) // an operator, which no word stands for
		return nil
	}
	files, err := m.filesWith(tokens[0])
	if err != nil {
		return err
	}
	defined, err := m.corpus.Named(name)
	if err != nil {
		return err
	}
	s := &sought{name: name, bare: bare, targets: nodeSet(defined), scope: scope}
	for _, node := range defined {
		x, err := m.corpus.Facts(node.File)
		if err != nil {
			return err
		}
		s.value = s.value || !canBeCalled(x.Symbols[node.Symbol].Kind)
	}
	if len(files) > maxMentionFiles {
		m.unlooked += len(files) - maxMentionFiles
		files = files[:maxMentionFiles]
	}
	for _, f := range files {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if err := m.inFile(f, s); err != nil {
			return err
		}
	}
	return nil
}

// bareName is a name without the marks that only some mentions of it have: name=, name?, name!, #name.
func bareName(name string) string {
	if bare := strings.TrimRight(strings.TrimPrefix(name, "#"), "?!="); bare != "" {
		return bare
	}
	return name
}

func canBeCalled(k agenvantage.SymbolKind) bool {
	switch k {
	case agenvantage.KindVariable, agenvantage.KindField, agenvantage.KindConstant:
		return false
	}
	return true
}

// filesWith lists the files with a term in their text, in order.
func (m *mentions) filesWith(term string) ([]uint32, error) {
	in := map[uint32]bool{}
	err := m.corpus.Postings(channels.FieldBody, term, func(doc uint32, _, _ int) {
		if f, c := m.corpus.Locate(doc); c >= 0 {
			in[f] = true
		}
	})
	return slices.Sorted(maps.Keys(in)), err
}

// isProse reports whether a file is read by people alone. Prose with code that runs, and plain text whose name says
// something else, is none.
func isProse(info *index.FileInfo) bool {
	if info.Class.Has(agenvantage.ClassLock) {
		return true
	}
	return info.Class.Has(agenvantage.ClassDocument) && !runningDocument.MatchString(info.Path)
}

var runningDocument = regexp.MustCompile(`(?i)\.(mdx|rmd|qmd|def|map|ver|lds|ld|sym|exports?|ipynb)$|(^|/)(entry_points\.txt$|(templates?|views?|layouts|_layouts|_includes)/)`)

// inFile looks at one file for mentions that are not accounted for.
func (m *mentions) inFile(f uint32, s *sought) error {
	info := m.corpus.File(f)
	if isProse(info) {
		return nil
	}
	text, err := m.corpus.Text(f)
	if err != nil {
		return err
	}
	found := occurrences(text, info.Lang, s.bare)
	if len(found) == 0 {
		return nil
	}
	if !parsed(info.State) {
		m.coverage.Unparsed[string(info.State)]++
		m.coverage.Mentions += len(found)
		return nil
	}
	links, err := m.corpus.Links(f)
	if err != nil {
		return err
	}
	if links.Failure != "" {
		m.failed++
		m.coverage.Mentions += len(found)
		return nil
	}
	if info.State == agenvantage.ParsePartial {
		m.partial++
	}
	if m.request.Verb == VerbSymbol {
		m.countAt(reasonComputed, f, definers(text, found)...)
		return nil
	}
	refs, bindings, err := m.usesIn(f)
	if err != nil {
		return err
	}
	x, err := m.corpus.Facts(f)
	if err != nil {
		return err
	}
	a := &account{mentions: m, sought: s, file: f, lang: info.Lang, text: text, facts: x, refs: refs, bindings: bindings, links: links}
	return a.settle(found)
}

// definer is a line that may define a name which it holds as a text.
var definer = regexp.MustCompile(`\b(define_method|define_singleton_method|attr_\w+|alias|alias_method|delegate|def_delegators?|setattr|defineProperty|namedtuple|Struct\.new|create_function|__setattr__)\b|^\s*[A-Z][A-Z0-9_]{2,}\(`)

// definers are the lines of the mentions on lines that may define the name without the grammar's seeing it.
func definers(text string, found []occurrence) (lines []int) {
	for i := range found {
		start := lineStart(text, found[i].start)
		if found[i].in != inComment && definer.MatchString(text[start:lineEnd(text, found[i].end)]) && (found[i].in == inString || strings.HasSuffix(found[i].before, ":") || text[start] >= 'A' && text[start] <= 'Z') {
			lines = append(lines, found[i].line)
		}
	}
	return lines
}

// ownCalls looks for calls of the subject that have no edge.
func (m *mentions) ownCalls(s spot) error {
	sources, err := m.withInner(m.nodes(s))
	if err != nil {
		return err
	}
	links, err := m.corpus.Links(s.file)
	if err != nil {
		return err
	}
	inside := nodeSet(sources)
	names := map[site]map[string]bool{}
	for _, e := range links.Edges {
		if !inside[e.From] || e.To.Symbol < 0 || e.Confidence == agenvantage.ByName {
			continue
		}
		x, err := m.corpus.Facts(e.To.File)
		if err != nil {
			return err
		}
		k := site{e.From.Symbol, e.Line}
		if names[k] == nil {
			names[k] = map[string]bool{}
		}
		names[k][bareName(x.Symbols[e.To.Symbol].Name)] = true
	}
	refs, bindings, err := m.usesIn(s.file)
	if err != nil {
		return err
	}
	if err := m.computedCalls(s, sources); err != nil {
		return err
	}
	x, err := m.corpus.Facts(s.file)
	if err != nil {
		return err
	}
	a := &account{mentions: m, file: s.file, lang: m.corpus.Lang(s.file), facts: x, refs: refs, bindings: bindings, links: links}
	var open []agenvantage.Reference
	for _, ref := range refs {
		if ref.Kind == agenvantage.RefCall && inside[agenvantage.Node{File: s.file, Symbol: ref.From}] && !names[site{ref.From, ref.Line}][lastName(ref.Name)] &&
			(!s.lines || len(s.symbols) > 0 || s.span.HasLine(ref.Line)) {
			open = append(open, ref)
		}
	}
	return a.explain(open)
}

// computedCall is a call of a value that has no name: table["x"](), make()().
var computedCall = regexp.MustCompile(`[\])]\(`)

// valueCalls are calls of a value that a language writes otherwise: a command in a variable, a block, an anonymous function, the
// definition above.
var valueCalls = map[string]*regexp.Regexp{
	"bash":   regexp.MustCompile(`(?:^|[;&|({!` + "`" + `]|\b(?:then|do|else|if|while|until|time|exec|command|builtin))\s*["']?[\w:.-]*["']?\$(?:[\w@*]|\{\w)|\beval\b`),
	"php":    regexp.MustCompile(`\$\w+\s*\(|(?:->|::)\s*\{?\$\w+\}?\s*\(|\bnew\s+\$|\bcall_user_func`),
	"ruby":   regexp.MustCompile(`\b(?:yield|super|send|public_send|__send__|instance_eval|class_eval|instance_exec|eval)\b|\.call\b|\.\(`),
	"elixir": regexp.MustCompile(`\w\.\(|\bapply\(`),
}

// computedCalls counts the calls of the subject that no reference stands for, because what is called is an index or the
// result of a call. What only looks like one, a conversion to a type in parentheses, counts too.
func (m *mentions) computedCalls(s spot, sources []agenvantage.Node) error {
	x, err := m.corpus.Facts(s.file)
	if err != nil {
		return err
	}
	lines, err := m.linesOf(s.file)
	if err != nil {
		return err
	}
	counted, lang := map[int]bool{}, m.corpus.Lang(s.file)
	for _, node := range sources {
		span := agenvantage.Span{StartLine: 1, EndLine: len(lines)}
		if node.Symbol >= 0 {
			span = agenvantage.Span{StartLine: x.Symbols[node.Symbol].NameLine, EndLine: x.Symbols[node.Symbol].Span.EndLine}
		} else if s.lines {
			span = s.span
		}
		for line := span.StartLine; line <= min(span.EndLine, len(lines)); line++ {
			if !counted[line] {
				counted[line] = true
				calls := len(computedCall.FindAllString(lines[line-1], -1))
				if values := valueCalls[lang]; values != nil {
					calls += len(values.FindAllString(lines[line-1], -1))
				}
				m.countAt(string(graph.ReasonDynamic), s.file, slices.Repeat([]int{line}, calls)...)
			}
		}
	}
	return nil
}

func (m *mentions) count(reason string, n int) {
	if n > 0 {
		m.coverage.Unresolved[reason] += n
		m.coverage.DynamicSites += n
	}
}

// settle draws the verdict from what was gathered.
func (m *mentions) settle() {
	c := m.coverage
	places := c.DynamicSites
	for _, reason := range subjectReasons {
		places -= c.Unresolved[reason]
	}
	if places > 0 {
		what := count.Of(places, "mention of the name is", "mentions of the name are")
		switch m.request.Verb {
		case VerbCallees:
			what = count.Of(places, "of its calls is", "of its calls are")
		case VerbNeighbors:
			what = count.Of(places, "mention of the name or call in it is", "mentions of the name or calls in it are")
		}
		c.lower(VerdictBounded, what+" not resolved")
	}
	for _, reason := range subjectReasons {
		if n := c.Unresolved[reason]; n > 0 {
			c.lower(VerdictBounded, whySubject[reason](n))
		}
	}
	for _, state := range slices.Sorted(maps.Keys(c.Unparsed)) {
		c.lower(VerdictBounded, fmt.Sprintf("%s with the name read without a grammar (%s)", count.Of(c.Unparsed[state], "file", "files"), state))
	}
	for _, n := range []struct {
		count int
		what  string
	}{{m.partial, "with the name parsed with errors"}, {m.failed, "with the name could not be resolved"}, {m.unlooked, "with the name not looked at"}} {
		if n.count > 0 {
			c.lower(VerdictBounded, count.Of(n.count, "file", "files")+" "+n.what)
		}
	}
}

// lastName is the name behind the qualifiers of a reference.
func lastName(name string) string {
	parts := splitName(strings.TrimRight(name, "?!"))
	if len(parts) == 0 {
		return name
	}
	return parts[len(parts)-1]
}
